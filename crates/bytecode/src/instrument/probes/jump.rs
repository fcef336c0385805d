//! Conditional jumps on integers and references: distances to both outcomes, and the operands.

use crate::instrument::branch::{BranchShape, BranchSite};
use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::*;

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Full, sites: Sites::Branches(place) };

fn place(_: &Method<'_>, branch: &BranchSite<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    let BranchShape::Jump = branch.shape else { return Ok(()) };
    let Some((copy, call)) = call(branch.opcode) else { return Ok(()) };
    let stack = if copy == DUP { 3 } else { 4 };
    edits.insert(branch.offset, Arrival::Any, stack, |code| {
        code.op(copy);
        code.push_id(branch.probe);
        code.push_id(branch.outcome);
        code.call(call);
    });
    Ok(())
}

/// The instruction that copies the operands, and what is called with them.
fn call(opcode: u8) -> Option<(u8, RuntimeMethod)> {
    Some(match opcode {
        IFEQ => (DUP, RuntimeMethod::Ifeq),
        IFNE => (DUP, RuntimeMethod::Ifne),
        IFLT => (DUP, RuntimeMethod::Iflt),
        IFGE => (DUP, RuntimeMethod::Ifge),
        IFGT => (DUP, RuntimeMethod::Ifgt),
        IFLE => (DUP, RuntimeMethod::Ifle),
        IF_ICMPEQ => (DUP2, RuntimeMethod::Ificmpeq),
        IF_ICMPNE => (DUP2, RuntimeMethod::Ificmpne),
        IF_ICMPLT => (DUP2, RuntimeMethod::Ificmplt),
        IF_ICMPGE => (DUP2, RuntimeMethod::Ificmpge),
        IF_ICMPGT => (DUP2, RuntimeMethod::Ificmpgt),
        IF_ICMPLE => (DUP2, RuntimeMethod::Ificmple),
        IF_ACMPEQ => (DUP2, RuntimeMethod::Ifacmpeq),
        IF_ACMPNE => (DUP2, RuntimeMethod::Ifacmpne),
        IFNULL => (DUP, RuntimeMethod::Ifnull),
        IFNONNULL => (DUP, RuntimeMethod::Ifnonnull),
        _ => return None,
    })
}
