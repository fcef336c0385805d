//! Methods that call the default implementation of an interface.

use super::matcher::Matcher;
use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;
use crate::opcode::*;

pub(super) fn apply(context: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    let mut matcher = Matcher::at(code, 0);
    matcher.this().op(INVOKESTATIC);
    matcher.require(|code, index| code.member(index).is_some_and(|it| it.owner.ends_with("$DefaultImpls")));
    let calls_accessor = |index: usize| {
        is_invoke(code.opcode(index))
            && code.member(index).is_some_and(|it| it.name.starts_with("access$") && it.name.ends_with("$jd"))
    };
    let in_implementations =
        || context.name.ends_with("$DefaultImpls") && (0..code.len()).any(calls_accessor);
    if matcher.matched() || in_implementations() {
        filtered.ignore_all();
    }
}
