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

#[cfg(test)]
mod tests {
    use super::super::what_counts_in_kotlin;

    #[test]
    fn the_check_and_the_throw_are_left_out() {
        let source = "static f ()V\naload_0\ndup\nifnonnull ok\n\
                      invokestatic kotlin/jvm/internal/Intrinsics.throwNpe:()V\nok:\npop\nreturn";
        assert_eq!(what_counts_in_kotlin(source).0, [0, 1, 4, 5]);
    }
}
