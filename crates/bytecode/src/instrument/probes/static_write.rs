//! Writes of static fields outside class initializers: the old value goes to the undo log first.

use crate::class_file::ClassFileError;
use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::{GETSTATIC, PUTSTATIC};

pub(crate) const PROBE: Probe =
    Probe { set: ProbeSet::Light, sites: Sites::Instructions(&[PUTSTATIC], place) };

fn place(method: &Method<'_>, index: usize, edits: &mut Edits<'_>) -> Result<(), EditError> {
    const FIELD: ClassFileError = ClassFileError::Malformed { what: "putstatic without a field" };
    if method.is_initializer {
        return Ok(());
    }
    let constant = method.constant(index).ok_or(FIELD)?;
    let field = method.class.constants.member(constant)?;
    let save = match field.descriptor.as_bytes().first().ok_or(FIELD)? {
        b'J' => RuntimeMethod::SaveLong,
        b'F' => RuntimeMethod::SaveFloat,
        b'D' => RuntimeMethod::SaveDouble,
        b'L' | b'[' => RuntimeMethod::SaveReference,
        _ => RuntimeMethod::SaveInt,
    };
    let number = edits.statics.number_of(&field);
    edits.insert(method.offset(index)?, Arrival::Any, 3, |code| {
        code.short(GETSTATIC, constant);
        code.push(number as i32);
        code.call(save);
    });
    Ok(())
}
