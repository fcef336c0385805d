//! Bridge methods, which cast their arguments for a method with other types.

use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    if code.access.is_bridge() {
        filtered.ignore_all();
    }
}
