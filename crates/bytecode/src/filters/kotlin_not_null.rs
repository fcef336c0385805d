//! The operator that asserts that a value is not null (`x!!`).

use super::matcher::Matcher;
use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;
use crate::opcode::*;

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    for jump in (0..code.len()).filter(|&index| code.opcode(index) == IFNONNULL) {
        let mut matcher = Matcher::at(code, jump + 1);
        matcher.member(INVOKESTATIC, ("kotlin/jvm/internal/Intrinsics", "throwNpe", "()V"));
        if let Some(last) = matcher.last() {
            filtered.ignore(jump..=last);
        }
    }
}
