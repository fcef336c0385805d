//! `when` over strings as Kotlin made it before 1.5: a switch over the hash code, and comparisons that jump to the
//! next one where they fail.

use super::matcher::Matcher;
use super::{Branches, ClassContext, Filtered, Target};
use crate::method_code::MethodCode;
use crate::opcode::*;
use crate::string_switch::{EQUALS, HASH_CODE};

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    for start in 0..code.len() {
        if general_form(code.opcode(start)) == ALOAD
            && let Some((switch, last, branches)) = find(code, start)
        {
            filtered.ignore(switch + 1..=last);
            filtered.replace(switch, branches);
        }
    }
}

/// The switch over the string that is loaded at `start`, its last comparison or jump, and its branches.
fn find(code: &MethodCode<'_>, start: usize) -> Option<(usize, usize, Branches)> {
    let mut matcher = Matcher::at(code, start);
    let switch = matcher.local(ALOAD, "s").member(INVOKEVIRTUAL, HASH_CODE).switch().last()?;
    let operand = code.switch(switch)?;
    let default = code.at(operand.default)?;
    let mut branches = Branches::default();
    branches.add(Target::Label(default), switch, 0);
    let mut hashes = operand.cases.len();
    let mut last = None;
    while hashes > 0 {
        let jump = matcher.local(ALOAD, "s").op(LDC).member(INVOKEVIRTUAL, EQUALS).op(IFEQ).last()?;
        let to_default = code.jump_target(jump)? == default;
        let next = matcher.any().last()?;
        if general_form(code.opcode(next)) == GOTO {
            branches.add(Target::Label(code.jump_target(next)?), next, 1);
            if to_default {
                branches.add(Target::Label(default), jump, 1);
                hashes -= 1;
                last = Some(next);
            }
        } else if hashes == 1 && to_default {
            // The last case follows.
            branches.add(Target::Label(default), jump, 1);
            branches.add(Target::Instruction(next), jump, 0);
            hashes -= 1;
            last = Some(jump);
        } else {
            return None;
        }
    }
    Some((switch, last?, branches))
}

#[cfg(test)]
mod tests {
    use super::super::what_counts_in_kotlin;

    #[test]
    fn each_case_has_a_branch() {
        let compare = |text: &str, other: &str| {
            format!(
                "aload_0\nldc \"{text}\"\ninvokevirtual java/lang/String.equals:(Ljava/lang/Object;)Z\nifeq {other}\n"
            )
        };
        let source = [
            "static f (Ljava/lang/String;)V\naload_0\ninvokevirtual java/lang/String.hashCode:()I\n",
            "lookupswitch 97:a 98:b default:none\n",
            "a:\n",
            &compare("a", "none"),
            "goto one\nb:\n",
            &compare("b", "none"),
            "nop\nreturn\none:\nreturn\nnone:\nreturn",
        ];
        assert_eq!(what_counts_in_kotlin(&source.concat()), (vec![0, 1, 2, 12, 13, 14, 15], vec![(2, 3)]));
    }
}
