//! What project code throws on purpose. An exception that was caught and is thrown on (by `finally`, `synchronized`
//! or by hand) keeps the origin that it had.

use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::{ALOAD, ASTORE, ATHROW, DUP};

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Light, sites: Sites::Instructions(&[ATHROW], place) };

fn place(method: &Method<'_>, index: usize, edits: &mut Edits<'_>) -> Result<(), EditError> {
    if !throws_on(method, index) {
        edits.insert(method.offset(index)?, Arrival::Any, 1, |code| {
            code.op(DUP);
            code.call(RuntimeMethod::Thrown);
        });
    }
    Ok(())
}

/// Whether the exception is that of a handler: on the stack since it began, or in the variable into which the
/// last store before the `athrow`, in code order, put it as the first thing in a handler.
fn throws_on(method: &Method<'_>, athrow: usize) -> bool {
    if is_handler(method, athrow) {
        return true;
    }
    let Some(before) = athrow.checked_sub(1) else { return false };
    let Some((ALOAD, variable)) = method.local(before) else { return false };
    let store = (0..before).rev().find(|&index| method.local(index) == Some((ASTORE, variable)));
    store.is_some_and(|store| is_handler(method, store))
}

fn is_handler(method: &Method<'_>, index: usize) -> bool {
    let offset = method.scan.starts.get(index).copied();
    method.attribute.handlers.iter().any(|entry| Some(u32::from(entry.handler)) == offset)
}
