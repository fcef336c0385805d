//! Recording: what fields and elements of arrays hold that are read.

use crate::class_file::ClassFileError;
use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::*;

const OPCODES: &[u8] = &[GETFIELD, GETSTATIC, IALOAD, LALOAD, FALOAD, DALOAD, AALOAD, BALOAD, CALOAD, SALOAD];

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Recorded, sites: Sites::Instructions(OPCODES, place) };

fn place(method: &Method<'_>, index: usize, edits: &mut Edits<'_>) -> Result<(), EditError> {
    const FIELD: ClassFileError = ClassFileError::Malformed { what: "a field without a type" };
    let call = match method.opcode(index) {
        Some(LALOAD) => RuntimeMethod::ReadLong,
        Some(FALOAD) => RuntimeMethod::ReadFloat,
        Some(DALOAD) => RuntimeMethod::ReadDouble,
        Some(AALOAD) => RuntimeMethod::ReadObject,
        Some(GETFIELD | GETSTATIC) => match method.member(index)?.descriptor.first().ok_or(FIELD)? {
            b'J' => RuntimeMethod::ReadLong,
            b'F' => RuntimeMethod::ReadFloat,
            b'D' => RuntimeMethod::ReadDouble,
            b'L' | b'[' => RuntimeMethod::ReadObject,
            _ => RuntimeMethod::ReadInt,
        },
        _ => RuntimeMethod::ReadInt,
    };
    let (copy, slots) = copy_of(call);
    edits.insert(method.behind(index)?, Arrival::Fallthrough, slots, |code| {
        code.op(copy);
        code.log(call);
    });
    Ok(())
}

/// The instruction that copies the only argument of a method, and the slots that the copy takes.
pub(super) fn copy_of(call: RuntimeMethod) -> (u8, u16) {
    match call.signature().2.as_bytes().get(1) {
        Some(b'J' | b'D') => (DUP2, 2),
        _ => (DUP, 1),
    }
}
