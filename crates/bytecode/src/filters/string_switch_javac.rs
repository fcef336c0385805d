//! The first of the two switches that javac makes of a switch over strings, which finds the number of the case by
//! hash code and `equals`. The second one has an outcome for each case in the source.

use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;
use crate::string_switch;

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    if !code.has_switches() {
        return;
    }
    for index in 0..code.len() {
        if let Some(found) = string_switch::javac(code, index) {
            // The second switch starts with the load of the number.
            filtered.ignore(index..=found.switch.index() - 2);
        }
    }
}
