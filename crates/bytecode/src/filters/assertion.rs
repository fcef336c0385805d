//! Whether assertions are on, asked once when a class is initialized and at each `assert`.

use super::matcher::Matcher;
use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;
use crate::opcode::*;

pub(super) fn apply(context: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    let disabled = (&*context.name, "$assertionsDisabled", "Z");
    for index in 0..code.len() {
        match code.opcode(index) {
            INVOKEVIRTUAL if code.name == "<clinit>" && index > 0 => {
                let mut matcher = Matcher::at(code, index);
                matcher.member(INVOKEVIRTUAL, ("java/lang/Class", "desiredAssertionStatus", "()Z"));
                matcher.op(IFNE).op(ICONST_1).op(GOTO).op(ICONST_0).member(PUTSTATIC, disabled);
                if let Some(last) = matcher.last() {
                    // With what loads the class.
                    filtered.ignore(index - 1..=last);
                }
            }
            GETSTATIC => {
                let mut matcher = Matcher::at(code, index);
                if let Some(last) = matcher.member(GETSTATIC, disabled).op(IFNE).last() {
                    filtered.ignore(last..=last);
                }
            }
            _ => {}
        }
    }
}
