//! Instance methods of inline classes, which call the static ones that hold the code.

use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;

pub(super) fn apply(context: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    let is_inline = || context.annotations.iter().any(|descriptor| descriptor == "Lkotlin/jvm/JvmInline;");
    if !code.access.is_static() && is_inline() {
        filtered.ignore_all();
    }
}
