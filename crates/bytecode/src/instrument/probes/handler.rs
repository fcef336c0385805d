//! Exception handlers: throw again while the run is over, so that code which catches everything ends as well, and
//! spend a step, as an exception may go back in the code.

use crate::class_file::ExceptionHandler;
use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::{RuntimeMethod, STOP_CLASS};
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::{self, ATHROW, MONITOREXIT};

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Light, sites: Sites::Method(place) };

fn place(method: &Method<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    let handlers = &method.attribute.handlers;
    for (position, entry) in handlers.iter().enumerate() {
        let is_known = handlers.iter().take(position).any(|other| other.handler == entry.handler);
        let offset = u32::from(entry.handler);
        let Some(index) = method.index_at(offset).filter(|_| !is_known) else { continue };
        let mut entries = handlers.iter().filter(|other| other.handler == entry.handler);
        if entries.any(|entry| catches_stop(method, *entry) || entry.handler < entry.end)
            && !releases_monitor(method, index)
        {
            edits.insertions.guard(offset);
            edits.insert(offset, Arrival::Any, 0, |code| code.call(RuntimeMethod::Handler));
        }
    }
    Ok(())
}

fn catches_stop(method: &Method<'_>, entry: ExceptionHandler) -> bool {
    entry.catch_type == 0
        || method.class.constants.class(entry.catch_type).is_ok_and(|name| {
            matches!(&*name, "java/lang/Throwable" | "java/lang/Error") || name == STOP_CLASS
        })
}

/// Whether the handler leaves a monitor and throws on, without a decision in between. It ends by itself, and an
/// exception before the monitor is left would keep it locked and the method out of the compiler.
fn releases_monitor(method: &Method<'_>, handler: usize) -> bool {
    let mut releases = false;
    for index in handler.. {
        match method.opcode(index) {
            Some(MONITOREXIT) => releases = true,
            Some(ATHROW) => return releases,
            Some(code) if opcode::is_conditional_jump(code) || opcode::ends_flow(code) => return false,
            Some(_) => {}
            None => return false,
        }
    }
    false
}
