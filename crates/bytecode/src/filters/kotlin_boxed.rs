//! Methods that `@JvmExposeBoxed` asks for: they box or unbox an inline class.

use super::context::annotations;
use super::{ClassContext, Filtered};
use crate::method_code::{Marks, MethodCode};
use crate::opcode::*;

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    let exposed = annotations(code.class, &code.class.methods[code.method].attributes)
        .iter()
        .any(|descriptor| descriptor == "Lkotlin/jvm/JvmExposeBoxed;");
    if !exposed {
        return;
    }
    let directly = |index: usize| code.marks(index) == Marks::default();
    let boxes = |index: usize| {
        let method = code.member(index).filter(|_| is_invoke(code.opcode(index)))?;
        match (code.opcode(index), &*method.name) {
            (INVOKEVIRTUAL, "unbox-impl") => {
                Some(directly(index) && index > 0 && general_form(code.opcode(index - 1)) == ALOAD)
            }
            (INVOKESTATIC, "box-impl") => Some(directly(index + 1) && code.opcode(index + 1) == ARETURN),
            _ => None,
        }
    };
    if (0..code.len()).find_map(boxes) == Some(true) {
        filtered.ignore_all();
    }
}
