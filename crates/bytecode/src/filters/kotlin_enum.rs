//! `getEntries` of enums.

use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;

pub(super) fn apply(context: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    if context.superclass == "java/lang/Enum"
        && code.name == "getEntries"
        && code.descriptor == "()Lkotlin/enums/EnumEntries;"
    {
        filtered.ignore_all();
    }
}
