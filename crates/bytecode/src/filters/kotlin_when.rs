//! `when` over enums and sealed classes: the way out for a value that no case covers, and the mapping of `null`.

use super::matcher::Matcher;
use super::{Branches, ClassContext, Filtered};
use crate::method_code::MethodCode;
use crate::opcode::*;

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    for index in 0..code.len() {
        match code.opcode(index) {
            NEW if code.marks(index).label => no_case(code, index, filtered),
            DUP => nullable_enum(code, index, filtered),
            _ => {}
        }
    }
}

/// `throw new NoWhenBranchMatchedException()`, with the comparison or switch that leads there.
fn no_case(code: &MethodCode<'_>, start: usize, filtered: &mut Filtered) {
    const EXCEPTION: &str = "kotlin/NoWhenBranchMatchedException";
    let mut matcher = Matcher::at(code, start);
    matcher.class(NEW, EXCEPTION).op(DUP).member(INVOKESPECIAL, (EXCEPTION, "<init>", "()V")).op(ATHROW);
    let Some(end) = matcher.last() else { return };
    for index in (0..=end).rev() {
        if code.opcode(index) == IFEQ && code.jump_target(index) == Some(start) {
            filtered.ignore(index..=index);
        } else if code.switch(index).is_some_and(|switch| code.at(switch.default) == Some(start)) {
            filtered.replace(index, Branches::without_default(code, index));
        } else {
            continue;
        }
        filtered.ignore(start..=end);
        return;
    }
}

/// `-1` for `null`, else the number of the constant.
fn nullable_enum(code: &MethodCode<'_>, start: usize, filtered: &mut Filtered) {
    let mut matcher = Matcher::at(code, start);
    let is_null_check = matcher.op(DUP).op(IFNONNULL).last();
    let to_switch = matcher.op(POP).op(ICONST_M1).op(GOTO).last();
    matcher.op(GETSTATIC).require(|code, index| {
        code.member(index).is_some_and(|field| {
            field.owner.ends_with("$WhenMappings") && field.name.starts_with("$EnumSwitchMapping$")
        })
    });
    let switch = matcher.op(SWAP).op(INVOKEVIRTUAL).op(IALOAD).switch().last();
    if let (Some(check), Some(jump), Some(switch)) = (is_null_check, to_switch, switch)
        && code.jump_target(check) == Some(jump + 1)
        && code.jump_target(jump) == Some(switch)
    {
        filtered.ignore(start..=switch - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::super::what_counts_in_kotlin;

    const THROW: &str = "new kotlin/NoWhenBranchMatchedException\ndup\n\
                         invokespecial kotlin/NoWhenBranchMatchedException.<init>:()V\nathrow";

    #[test]
    fn the_way_out_that_no_case_takes_is_left_out() {
        let switch = format!(
            "static f (I)V\niload_0\nlookupswitch 1:a 2:b default:none\na:\nreturn\nb:\nreturn\nnone:\n{THROW}"
        );
        assert_eq!(what_counts_in_kotlin(&switch), (vec![0, 1, 2, 3], vec![(1, 2)]));
        let check = format!("static f (I)V\naload_0\ninstanceof p/B\nifeq none\nreturn\nnone:\n{THROW}");
        assert_eq!(what_counts_in_kotlin(&check).0, [0, 1, 3]);
    }

    #[test]
    fn the_number_of_a_nullable_constant_is_left_out() {
        let source = "static f (Lp/E;)V\naload_0\ndup\nifnonnull some\npop\niconst_m1\ngoto switch\nsome:\n\
                      getstatic p/A$WhenMappings.$EnumSwitchMapping$0:[I\nswap\ninvokevirtual p/E.ordinal:()I\niaload\n\
                      switch:\nlookupswitch 1:a default:b\na:\nreturn\nb:\nreturn";
        assert_eq!(what_counts_in_kotlin(source).0, [0, 10, 11, 12]);
    }
}
