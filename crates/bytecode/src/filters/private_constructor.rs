//! Private constructors without parameters that do nothing: they keep a class of static methods from being made.

use super::matcher::Matcher;
use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;
use crate::opcode::*;

pub(super) fn apply(context: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    if !code.access.is_private() || code.name != "<init>" || code.descriptor != "()V" {
        return;
    }
    let mut matcher = Matcher::at(code, 0);
    matcher.this().member(INVOKESPECIAL, (&context.superclass, "<init>", "()V")).op(RETURN);
    if matcher.matched() {
        filtered.ignore_all();
    }
}
