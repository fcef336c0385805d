//! Recording: an exception comes to a handler.

use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::DUP;

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Recorded, sites: Sites::Method(place) };

fn place(method: &Method<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    let Some(number) = method.recorded else { return Ok(()) };
    let handlers = &method.attribute.handlers;
    for (position, entry) in handlers.iter().enumerate() {
        if handlers.iter().take(position).any(|other| other.handler == entry.handler) {
            continue;
        }
        let offset = u32::from(entry.handler);
        let Some(index) = method.index_at(offset) else { continue };
        let is_reached_otherwise = method.scan.is_jumped_to(method.code, offset)
            || index.checked_sub(1).is_some_and(|before| method.falls_through(before));
        if is_reached_otherwise {
            // What comes there would not always be an exception that was thrown.
            return Err(EditError::Untold);
        }
        // A stack overflow in the call must not come back here.
        edits.insertions.guard(offset);
        edits.insert(offset, Arrival::Any, 3, |code| {
            code.op(DUP);
            code.push(number as i32);
            code.push(index as i32);
            code.log(RuntimeMethod::Caught);
        });
    }
    Ok(())
}
