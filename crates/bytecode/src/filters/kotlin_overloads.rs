//! Overloads that `@JvmOverloads` asks for: all they do is to call the method with its default arguments.

use super::{ClassContext, Filtered};
use crate::method_code::{Marks, MethodCode};
use crate::opcode::*;

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    const ALONE: Marks = Marks { label: true, line: true, frame: false };
    let last = code.len() - 1;
    // The only line is that of the return, behind the call.
    if last < 2 || code.opcode(last) != RETURN || code.marks(last) != ALONE || code.lines[last - 1].is_some()
    {
        return;
    }
    let calls_default = code.member(last - 1).is_some_and(|method| match code.opcode(last - 1) {
        INVOKESTATIC => method.name.ends_with("$default"),
        INVOKESPECIAL => method.descriptor.ends_with("Lkotlin/jvm/internal/DefaultConstructorMarker;)V"),
        _ => false,
    });
    if calls_default {
        filtered.ignore_all();
    }
}
