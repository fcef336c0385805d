//! Switches over strings as ecj makes them, and Kotlin since 1.5: a switch over the hash code, and comparisons
//! that jump to the cases. What remains is one branch for each case, on the instruction that stores the string.

use super::matcher::Matcher;
use super::{Branches, ClassContext, Filtered, Target};
use crate::method_code::{Marks, MethodCode};
use crate::opcode::*;
use crate::string_switch::{EQUALS, HASH_CODE};

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    if !code.has_switches() {
        return;
    }
    for start in 0..code.len() {
        if general_form(code.opcode(start)) == ASTORE
            && let Some((last, branches)) = find(code, start)
        {
            filtered.ignore(start + 1..=last);
            filtered.replace(start, branches);
        }
    }
}

/// The last comparison or jump, and the branches, of the switch over the string that is stored at `start`.
fn find(code: &MethodCode<'_>, start: usize) -> Option<(usize, Branches)> {
    let mut matcher = Matcher::at(code, start + 1);
    matcher.bind("s", code.local(start)?);
    let null_check = kotlin_null_check(code, start, &mut matcher);
    let switch = matcher.member(INVOKEVIRTUAL, HASH_CODE).switch().last()?;
    let operand = code.switch(switch)?;
    let default = code.at(operand.default)?;
    let mut branches = Branches::default();
    branches.add(Target::Label(default), switch, 0);
    let mut hashes = operand.cases.len();
    if hashes == 0 {
        return None;
    }
    while hashes > 0 {
        matcher.local(ALOAD, "s").op(LDC).member(INVOKEVIRTUAL, EQUALS);
        let jump = follows_directly(code, matcher.last()?, |opcode| matches!(opcode, IFEQ | IFNE))?;
        let target = code.jump_target(jump)?;
        matcher.any();
        if code.opcode(jump) == IFEQ {
            // To the default, while the last case follows.
            if target != default || hashes != 1 {
                return None;
            }
            let case = jump + 1;
            let case = if code.marks(case).label { Target::Label(case) } else { Target::Instruction(case) };
            branches.add(Target::Label(default), jump, 1);
            branches.add(case, jump, 0);
            break;
        }
        branches.add(Target::Label(target), jump, 1);
        if let Some(to_default) = follows_directly(code, jump, |opcode| general_form(opcode) == GOTO) {
            matcher.any();
            branches.add(Target::Label(default), to_default, 1);
            hashes -= 1;
        } else if jump + 1 == default {
            branches.add(Target::Label(default), jump, 0);
            hashes -= 1;
        }
    }
    if let Some(jump) = null_check {
        branches.add(Target::Label(code.jump_target(jump)?), jump, 1);
    }
    Some((matcher.last()?, branches))
}

/// Takes the load of the string with the check for null that Kotlin puts before the switch.
fn kotlin_null_check(code: &MethodCode<'_>, start: usize, matcher: &mut Matcher<'_, '_>) -> Option<usize> {
    follows_directly(code, start, |opcode| general_form(opcode) == ALOAD)?;
    let load = matcher.local(ALOAD, "s").last()?;
    if follows_directly(code, load, |opcode| opcode == DUP).is_some() {
        matcher.op(DUP).op(IFNULL).last()
    } else if follows_directly(code, load, |opcode| opcode == IFNULL).is_some() {
        let jump = matcher.op(IFNULL).last();
        matcher.local(ALOAD, "s");
        jump
    } else {
        None
    }
}

/// The next instruction if the test holds for its opcode and neither label, line nor frame stand between.
fn follows_directly(code: &MethodCode<'_>, index: usize, test: impl FnOnce(u8) -> bool) -> Option<usize> {
    let next = index + 1;
    (next < code.len() && code.marks(next) == Marks::default() && test(code.opcode(next))).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::super::what_counts;

    /// What ecj 3.33 makes of `switch (s) { case "a": return 1; case "b": case "Aa": return 2; case "BB": return 3;
    /// default: return 0; }`.
    const ECJ: &str = "
        .method static f (Ljava/lang/String;)I
        aload_0
        dup
        astore_1
        invokevirtual java/lang/String.hashCode:()I
        lookupswitch 97:a 98:b 2112:c default:other
        a:
        aload_1
        ldc \"a\"
        invokevirtual java/lang/String.equals:(Ljava/lang/Object;)Z
        ifne one
        goto other
        b:
        aload_1
        ldc \"b\"
        invokevirtual java/lang/String.equals:(Ljava/lang/Object;)Z
        ifne two
        goto other
        c:
        aload_1
        ldc \"Aa\"
        invokevirtual java/lang/String.equals:(Ljava/lang/Object;)Z
        ifne two
        aload_1
        ldc \"BB\"
        invokevirtual java/lang/String.equals:(Ljava/lang/Object;)Z
        ifne three
        goto other
        one:
        iconst_1
        ireturn
        two:
        iconst_2
        ireturn
        three:
        iconst_3
        ireturn
        other:
        iconst_0
        ireturn";

    #[test]
    fn a_switch_of_ecj_has_a_branch_for_each_case_and_the_default() {
        let (counting, replaced) = what_counts(ECJ);
        assert_eq!(counting, [0, 1, 2, 24, 25, 26, 27, 28, 29, 30, 31]);
        assert_eq!(replaced, [(2, 4)]);
    }

    #[test]
    fn a_comparison_that_jumps_elsewhere_is_left_alone() {
        let (counting, replaced) =
            what_counts(&ECJ.replacen("goto other", "goto two", 1).replace("ifne three", "ifeq three"));
        assert_eq!((counting.len(), replaced.len()), (32, 0));
    }
}
