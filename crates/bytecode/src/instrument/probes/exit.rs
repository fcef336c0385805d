//! Calls that would end the JVM: the run ends instead.

use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::{INVOKESTATIC, INVOKEVIRTUAL};

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Light, sites: Sites::Method(place) };

fn place(method: &Method<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    if method.facts.exits.is_empty() {
        return Ok(());
    }
    for (index, &offset) in method.scan.starts.iter().enumerate() {
        let is_call = matches!(method.opcode(index), Some(INVOKESTATIC | INVOKEVIRTUAL));
        if is_call && method.constant(index).is_some_and(|constant| method.facts.exits.contains(&constant)) {
            edits.insert(offset, Arrival::Any, 0, |code| code.call(RuntimeMethod::Exit));
        }
    }
    Ok(())
}
