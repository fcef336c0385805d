//! Code of inline functions: its lines are numbered behind those of the source file, and a source map
//! (`SourceDebugExtension`, JSR 45) says from where on.

use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;

pub(super) fn apply(context: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    let Some(first) = context.first_inlined_line else { return };
    for (index, line) in code.lines.iter().enumerate() {
        if u32::from(line.unwrap_or(0)) >= first {
            filtered.ignore(index..=index);
        }
    }
}
