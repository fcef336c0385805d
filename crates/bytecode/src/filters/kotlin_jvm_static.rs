//! Static methods that `@JvmStatic` asks for: they call the one of the companion object.

use super::context::annotations;
use super::{ClassContext, Filtered};
use crate::method_code::{Marks, MethodCode};
use crate::opcode::*;

pub(super) fn apply(context: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    let loads_companion = code.opcode(0) == GETSTATIC
        && code.marks(0) == Marks::default()
        && code.member(0).is_some_and(|field| field.owner == context.name && field.name == "Companion");
    if code.access.is_static()
        && loads_companion
        && annotations(code.class, &code.class.methods[code.method].attributes)
            .iter()
            .any(|descriptor| descriptor == "Lkotlin/jvm/JvmStatic;")
    {
        filtered.ignore_all();
    }
}
