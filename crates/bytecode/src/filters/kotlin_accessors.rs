//! Accessors that the Kotlin compiler makes for private members.

use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    if code.access.is_synthetic() && code.name.starts_with("access$") {
        filtered.ignore_all();
    }
}
