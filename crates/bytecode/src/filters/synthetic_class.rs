//! Classes that are not in the source, such as those that hold the tables of switches over enums.

use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;

pub(super) fn apply(context: &ClassContext<'_>, _: &MethodCode<'_>, filtered: &mut Filtered) {
    let class = context.class;
    if class.access(class.access, &class.attributes).is_synthetic() {
        filtered.ignore_all();
    }
}
