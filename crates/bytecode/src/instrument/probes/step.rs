//! Steps: spent by whatever goes back in the code, and in classes without goals by calls, so that no run is endless.
//!
//! Every cycle of control flow has an instruction that goes back in code order, or an exception that does: the
//! latter is the business of the handlers.

use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Light, sites: Sites::Method(place) };

fn place(method: &Method<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    if method.report.is_none() {
        edits.insert(0, Arrival::Fallthrough, 0, |code| code.call(RuntimeMethod::Step));
    }
    let jumps = method.scan.jumps.iter().filter(|jump| jump.target <= jump.offset).map(|jump| jump.offset);
    let switches = method.scan.switches.iter().filter(|switch| switch.goes_back).map(|switch| switch.offset);
    for offset in jumps.chain(switches) {
        edits.insert(offset, Arrival::Any, 0, |code| code.call(RuntimeMethod::Step));
    }
    Ok(())
}
