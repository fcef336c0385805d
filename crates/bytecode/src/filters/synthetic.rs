//! Synthetic methods, apart from the bodies of lambda expressions.

use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;

pub(super) fn apply(context: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    let is_lambda =
        code.name.starts_with("lambda$") || context.is_scala && code.name.starts_with("$anonfun$");
    if code.access.is_synthetic() && !is_lambda {
        filtered.ignore_all();
    }
}
