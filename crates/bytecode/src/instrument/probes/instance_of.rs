//! `instanceof` in front of a jump: the distance in the hierarchy, for the jump's probe to take.

use super::predicate;
use crate::instrument::branch::{BranchShape, BranchSite};
use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::DUP;
use crate::predicate::ResultKind;

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Full, sites: Sites::Branches(place) };

fn place(method: &Method<'_>, branch: &BranchSite<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    let BranchShape::InstanceOf { at, class_name } = branch.shape else { return Ok(()) };
    // The name as a string, since a class constant would be resolved where `instanceof` does not.
    edits.insert(method.offset(at)?, Arrival::Any, 3, |code| {
        code.op(DUP);
        code.push_string_of(class_name);
        code.push_id(branch.probe);
        code.call(RuntimeMethod::InstanceOf);
    });
    predicate::place_jump(branch, edits, ResultKind::Truth, false);
    Ok(())
}
