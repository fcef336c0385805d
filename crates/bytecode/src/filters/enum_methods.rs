//! `values` and `valueOf` of enums.

use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;

pub(super) fn apply(context: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    if context.superclass != "java/lang/Enum" {
        return;
    }
    let expected = match &*code.name {
        "values" => format!("()[L{};", context.name),
        "valueOf" => format!("(Ljava/lang/String;)L{};", context.name),
        _ => return,
    };
    if code.descriptor == expected {
        filtered.ignore_all();
    }
}
