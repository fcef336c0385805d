//! Recording: a method begins. The place of the event in the log tells its activation apart from all others.

use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::ISTORE;

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Recorded, sites: Sites::Method(place) };

fn place(method: &Method<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    if let Some(number) = method.recorded {
        let activation = edits.insertions.kept().activation();
        edits.insert(0, Arrival::Fallthrough, 1, |code| {
            code.push(number as i32);
            code.call(RuntimeMethod::Entered);
            code.local(ISTORE, activation);
        });
    }
    Ok(())
}
