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
