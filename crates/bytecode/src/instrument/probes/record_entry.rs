//! Recording: a method begins.

use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Recorded, sites: Sites::Method(place) };

fn place(method: &Method<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    if let Some(number) = method.recorded {
        edits.insert(0, Arrival::Fallthrough, 1, |code| {
            code.push(number as i32);
            code.call(RuntimeMethod::Entered);
        });
    }
    Ok(())
}
