//! Class initializers: begin and end, so that they spend steps of their own and what is written on their behalf is
//! not undone. They run only once.

use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::RETURN;

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Light, sites: Sites::Method(place) };

fn place(method: &Method<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    if !method.is_initializer {
        return Ok(());
    }
    edits.insert(0, Arrival::Fallthrough, 0, |code| code.call(RuntimeMethod::EnterInitializer));
    for (index, &offset) in method.scan.starts.iter().enumerate() {
        if method.opcode(index) == Some(RETURN) {
            edits.insert(offset, Arrival::Any, 0, |code| code.call(RuntimeMethod::LeaveInitializer));
        }
    }
    Ok(())
}
