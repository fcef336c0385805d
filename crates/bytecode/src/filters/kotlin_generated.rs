//! What the Kotlin compiler makes without giving it a line: whole methods, and the start of others.

use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;

pub(super) fn apply(context: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    // Without a source file there is no debug information, and all methods would look made.
    if !context.has_source_file {
        return;
    }
    match code.lines.iter().position(Option::is_some) {
        Some(0) => {}
        Some(first) => filtered.ignore(0..=first - 1),
        None => filtered.ignore_all(),
    }
}
