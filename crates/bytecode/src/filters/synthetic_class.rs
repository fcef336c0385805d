//! Classes that are not in the source, such as those that hold the tables of switches over enums.

use super::{ClassContext, Filtered};
use crate::access::Access;
use crate::method_code::MethodCode;

pub(super) fn apply(context: &ClassContext<'_>, _: &MethodCode<'_>, filtered: &mut Filtered) {
    let class = context.class;
    if Access(class.access).is_synthetic() || class.attribute(&class.attributes, "Synthetic").is_some() {
        filtered.ignore_all();
    }
}
