//! Recording: a method is about to return.

use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::*;

const OPCODES: &[u8] = &[IRETURN, LRETURN, FRETURN, DRETURN, ARETURN, RETURN];

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Recorded, sites: Sites::Instructions(OPCODES, place) };

fn place(method: &Method<'_>, index: usize, edits: &mut Edits<'_>) -> Result<(), EditError> {
    edits.insert(method.offset(index)?, Arrival::Any, 0, |code| code.log(RuntimeMethod::Left));
    Ok(())
}
