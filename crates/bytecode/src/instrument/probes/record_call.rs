//! Recording: what calls returned.

use super::record_read::copy_of;
use crate::class_file::ClassFileError;
use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::*;

const OPCODES: &[u8] = &[INVOKEVIRTUAL, INVOKESPECIAL, INVOKESTATIC, INVOKEINTERFACE, INVOKEDYNAMIC];

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Recorded, sites: Sites::Instructions(OPCODES, place) };

fn place(method: &Method<'_>, index: usize, edits: &mut Edits<'_>) -> Result<(), EditError> {
    let call = match result(method, index)? {
        b'V' => {
            edits.insert(method.behind(index)?, Arrival::Fallthrough, 0, |code| {
                code.log(RuntimeMethod::ReturnedNothing);
            });
            return Ok(());
        }
        b'J' => RuntimeMethod::ReturnedLong,
        b'F' => RuntimeMethod::ReturnedFloat,
        b'D' => RuntimeMethod::ReturnedDouble,
        b'L' | b'[' => RuntimeMethod::ReturnedObject,
        _ => RuntimeMethod::ReturnedInt,
    };
    let (copy, slots) = copy_of(call);
    edits.insert(method.behind(index)?, Arrival::Fallthrough, slots, |code| {
        code.op(copy);
        code.log(call);
    });
    Ok(())
}

/// First letter of the type of the result.
fn result(method: &Method<'_>, index: usize) -> Result<u8, EditError> {
    const DESCRIPTOR: ClassFileError = ClassFileError::Malformed { what: "a call without a result" };
    let letter = |descriptor: &[u8]| {
        let end = descriptor.iter().rposition(|&byte| byte == b')')?;
        descriptor.get(end + 1).copied()
    };
    let found = if method.opcode(index) == Some(INVOKEDYNAMIC) {
        let constant = method.constant(index).ok_or(DESCRIPTOR)?;
        letter(method.class.constants.invoke_dynamic(constant)?.2.as_bytes())
    } else {
        letter(method.member(index)?.descriptor)
    };
    found.ok_or(DESCRIPTOR.into())
}
