//! Constructors of enums that do nothing: an enum without constants never runs one.

use super::matcher::Matcher;
use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;
use crate::opcode::*;

pub(super) fn apply(context: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    const DESCRIPTOR: &str = "(Ljava/lang/String;I)V";
    if context.superclass != "java/lang/Enum" || code.name != "<init>" || code.descriptor != DESCRIPTOR {
        return;
    }
    let mut matcher = Matcher::at(code, 0);
    matcher.this().op(ALOAD).op(ILOAD);
    matcher.member(INVOKESPECIAL, ("java/lang/Enum", "<init>", DESCRIPTOR)).op(RETURN);
    if matcher.matched() {
        filtered.ignore_all();
    }
}
