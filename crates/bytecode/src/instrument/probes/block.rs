//! Points whose hits show coverage, as the analysis chose them.

use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Full, sites: Sites::Method(place) };

fn place(method: &Method<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    for block in method.report.map_or(&[][..], |report| report.blocks) {
        let index = block.before.index();
        let mut arrival = Arrival::Any;
        if block.fallthrough_only {
            arrival = Arrival::Fallthrough;
            // Without a way to fall through, code that jumps skip is dead, and dead code needs frames.
            if index.checked_sub(1).is_some_and(|before| !method.falls_through(before)) {
                continue;
            }
        }
        edits.insert(method.offset(index)?, arrival, 1, |code| {
            code.push_id(block.probe.0);
            code.call(RuntimeMethod::Block);
        });
    }
    Ok(())
}
