//! Predicates on strings and boxed values in front of a jump: how far from true, for the jump's probe to take.

use crate::instrument::branch::{BranchShape, BranchSite};
use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::{Arrival, Writer};
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, Sites};
use crate::opcode::*;
use crate::predicate::PredicateKind;

pub(crate) const PROBE: Probe = Probe { light: false, sites: Sites::Branches(place) };

/// Local variables that hold operands while others are copied.
const SCRATCH: u16 = 5;

fn place(method: &Method<'_>, branch: &BranchSite<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    let BranchShape::Predicate { at, kind } = branch.shape else { return Ok(()) };
    let (call, operands) = call(kind);
    let scratch = method.scratch();
    if operands.len() > 2 {
        edits.insertions.need_locals(SCRATCH);
    }
    edits.insert(method.offset(at)?, Arrival::Any, 3, |code| {
        copy_operands(code, operands, scratch, |code| {
            code.push_id(branch.probe);
            code.call(call);
        });
    });
    place_jump(branch, edits, is_order(kind));
    Ok(())
}

/// Calls something with copies of what is on the stack: each operand is an `A` (reference) or an `I` (`int`).
fn copy_operands(code: &mut Writer<'_>, operands: &[u8], scratch: u16, call: impl FnOnce(&mut Writer<'_>)) {
    let copy = if operands.len() == 1 { DUP } else { DUP2 };
    let aside = operands.get(2..).unwrap_or_default();
    // A variable beyond the range is refused when the method is rewritten.
    let variable = |(number, &kind): (usize, &u8)| (kind, scratch.wrapping_add(number as u16));
    let variables = || aside.iter().enumerate().map(variable);
    for (kind, variable) in variables().rev() {
        code.local(if kind == b'A' { ASTORE } else { ISTORE }, variable);
    }
    let load = |code: &mut Writer<'_>| {
        for (kind, variable) in variables() {
            code.local(if kind == b'A' { ALOAD } else { ILOAD }, variable);
        }
    };
    code.op(copy);
    load(code);
    call(code);
    load(code);
}

/// What computes the distance, and what it takes from the stack, the receiver included.
fn call(kind: PredicateKind) -> (RuntimeMethod, &'static [u8]) {
    match kind {
        PredicateKind::Equals
        | PredicateKind::BoxedEquals
        | PredicateKind::ObjectsEquals
        | PredicateKind::CompareTo => (RuntimeMethod::EqualTo, b"AA"),
        PredicateKind::EqualsIgnoreCase | PredicateKind::CompareToIgnoreCase => {
            (RuntimeMethod::EqualsIgnoreCase, b"AA")
        }
        PredicateKind::StartsWith => (RuntimeMethod::StartsWith, b"AA"),
        PredicateKind::StartsWithAt => (RuntimeMethod::StartsWithAt, b"AAI"),
        PredicateKind::EndsWith => (RuntimeMethod::EndsWith, b"AA"),
        PredicateKind::Contains => (RuntimeMethod::Contains, b"AA"),
        PredicateKind::IsEmpty => (RuntimeMethod::IsEmpty, b"A"),
        PredicateKind::IsBlank => (RuntimeMethod::IsBlank, b"A"),
        PredicateKind::ContentEquals | PredicateKind::ContentEqualsBuffer => {
            (RuntimeMethod::ContentEquals, b"AA")
        }
        PredicateKind::RegionMatches => (RuntimeMethod::RegionMatches, b"AIAII"),
        PredicateKind::RegionMatchesIgnoreCase => (RuntimeMethod::RegionMatchesIgnoreCase, b"AIIAII"),
    }
}

fn is_order(kind: PredicateKind) -> bool {
    matches!(kind, PredicateKind::CompareTo | PredicateKind::CompareToIgnoreCase)
}

/// The probe of a jump that takes the distance of the predicate before it.
pub(super) fn place_jump(branch: &BranchSite<'_>, edits: &mut Edits<'_>, is_order: bool) {
    edits.insert(branch.offset, Arrival::Any, 4, |code| {
        code.op(DUP);
        if is_order {
            code.push(i32::from(branch.opcode.saturating_sub(IFEQ)));
        }
        code.push_id(branch.probe);
        code.push_id(branch.outcome);
        code.call(match branch.opcode {
            _ if is_order => RuntimeMethod::Order,
            IFEQ => RuntimeMethod::IfeqPredicate,
            _ => RuntimeMethod::IfnePredicate,
        });
    });
}
