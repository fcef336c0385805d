//! `lcmp`, `fcmpl`, `fcmpg`, `dcmpl`, `dcmpg` in front of a jump: a call with the same result stands for the
//! instruction and records the distances of the jump, which need the operands.

use crate::instrument::branch::{BranchShape, BranchSite};
use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::*;

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Full, sites: Sites::Branches(place) };

fn place(method: &Method<'_>, branch: &BranchSite<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    let BranchShape::Compare { at } = branch.shape else { return Ok(()) };
    let call = match method.opcode(at) {
        Some(LCMP) => RuntimeMethod::Lcmp,
        Some(FCMPL) => RuntimeMethod::Fcmpl,
        Some(FCMPG) => RuntimeMethod::Fcmpg,
        Some(DCMPL) => RuntimeMethod::Dcmpl,
        _ => RuntimeMethod::Dcmpg,
    };
    edits.insert(method.offset(at)?, Arrival::Instead, 3, |code| {
        code.push(i32::from(branch.opcode) - i32::from(IFEQ));
        code.push_id(branch.probe);
        code.push_id(branch.outcome);
        code.call(call);
    });
    Ok(())
}
