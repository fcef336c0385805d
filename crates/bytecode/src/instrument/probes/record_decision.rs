//! Recording: what conditional jumps and switches decide on.

use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::*;

const OPCODES: &[u8] = &[
    IFEQ,
    IFNE,
    IFLT,
    IFGE,
    IFGT,
    IFLE,
    IF_ICMPEQ,
    IF_ICMPNE,
    IF_ICMPLT,
    IF_ICMPGE,
    IF_ICMPGT,
    IF_ICMPLE,
    IF_ACMPEQ,
    IF_ACMPNE,
    IFNULL,
    IFNONNULL,
    TABLESWITCH,
    LOOKUPSWITCH,
];

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Recorded, sites: Sites::Instructions(OPCODES, place) };

fn place(method: &Method<'_>, index: usize, edits: &mut Edits<'_>) -> Result<(), EditError> {
    let (copy, slots, call) = match method.opcode(index) {
        Some(IF_ICMPEQ..=IF_ICMPLE) => (DUP2, 2, RuntimeMethod::DecidedInts),
        Some(IF_ACMPEQ | IF_ACMPNE) => (DUP2, 2, RuntimeMethod::DecidedSame),
        Some(IFNULL | IFNONNULL) => (DUP, 1, RuntimeMethod::DecidedNull),
        _ => (DUP, 1, RuntimeMethod::DecidedInt),
    };
    edits.insert(method.offset(index)?, Arrival::Any, slots, |code| {
        code.op(copy);
        code.log(call);
    });
    Ok(())
}
