//! Predicates in front of a jump: how far from true, for the jump's probe to take.

use crate::instrument::branch::{BranchShape, BranchSite};
use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::{Arrival, Writer};
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::*;
use crate::predicate::{PredicateKind, ResultKind};

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Full, sites: Sites::Branches(place) };

/// Local variables that hold operands while others are copied.
const SCRATCH: u16 = 5;

fn place(method: &Method<'_>, branch: &BranchSite<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    let BranchShape::Predicate { at, kind, with_minus_one } = branch.shape else { return Ok(()) };
    place_call(method, at, kind, branch.probe, edits)?;
    place_jump(branch, edits, kind.result(), with_minus_one);
    Ok(())
}

/// What computes the distance in front of the predicate, for whoever asks with the probe's number.
pub(super) fn place_call(
    method: &Method<'_>,
    at: usize,
    kind: PredicateKind,
    probe: u32,
    edits: &mut Edits<'_>,
) -> Result<(), EditError> {
    let Call { method: call, operands, argument } = call(kind);
    let scratch = method.scratch();
    edits.insertions.need_locals(if operands == b"AA" || operands.len() == 1 { 0 } else { SCRATCH });
    edits.insert(method.offset(at)?, Arrival::Any, 4, |code| {
        copy_operands(code, operands, scratch, |code| {
            if let Some(argument) = argument {
                code.push(argument);
            }
            code.push_id(probe);
            code.call(call);
        });
    });
    Ok(())
}

/// Calls something with copies of what is on the stack: each operand is an `A` (reference), an `I` (`int`), an `F`
/// (`float`), or both are `J` (`long`) or `D` (`double`).
fn copy_operands(code: &mut Writer<'_>, operands: &[u8], scratch: u16, call: impl FnOnce(&mut Writer<'_>)) {
    let is_wide = matches!(operands, b"JJ" | b"DD");
    let copy = if operands.len() == 1 { DUP } else { DUP2 };
    let aside = operands.get(if is_wide { 1 } else { 2 }..).unwrap_or_default();
    // A variable beyond the range is refused when the method is rewritten.
    let variable = |(number, &kind): (usize, &u8)| (kind, scratch.wrapping_add(number as u16));
    let variables = || aside.iter().enumerate().map(variable);
    for (kind, variable) in variables().rev() {
        code.local(store(kind), variable);
    }
    let load = |code: &mut Writer<'_>| {
        for (kind, variable) in variables() {
            code.local(store(kind) - ISTORE + ILOAD, variable);
        }
    };
    code.op(copy);
    load(code);
    call(code);
    load(code);
}

fn store(kind: u8) -> u8 {
    match kind {
        b'A' => ASTORE,
        b'F' => FSTORE,
        b'J' => LSTORE,
        b'D' => DSTORE,
        _ => ISTORE,
    }
}

/// What computes a distance.
struct Call {
    method: RuntimeMethod,
    /// What it takes from the stack, the receiver included.
    operands: &'static [u8],
    /// What it takes in addition, before the number of the probe.
    argument: Option<i32>,
}

fn call(kind: PredicateKind) -> Call {
    let plain = |method: RuntimeMethod, operands: &'static [u8]| Call { method, operands, argument: None };
    let with = |method: RuntimeMethod, operands: &'static [u8], argument: i32| Call {
        method,
        operands,
        argument: Some(argument),
    };
    match kind {
        PredicateKind::Equals
        | PredicateKind::BoxedEquals
        | PredicateKind::ObjectsEquals
        | PredicateKind::CompareTo => plain(RuntimeMethod::EqualTo, b"AA"),
        PredicateKind::EqualsIgnoreCase | PredicateKind::CompareToIgnoreCase => {
            plain(RuntimeMethod::EqualsIgnoreCase, b"AA")
        }
        PredicateKind::StartsWith => plain(RuntimeMethod::StartsWith, b"AA"),
        PredicateKind::StartsWithAt => plain(RuntimeMethod::StartsWithAt, b"AAI"),
        PredicateKind::EndsWith => plain(RuntimeMethod::EndsWith, b"AA"),
        PredicateKind::Contains => plain(RuntimeMethod::Contains, b"AA"),
        PredicateKind::IsEmpty => plain(RuntimeMethod::IsEmpty, b"A"),
        PredicateKind::IsBlank => plain(RuntimeMethod::IsBlank, b"A"),
        PredicateKind::ContentEquals | PredicateKind::ContentEqualsBuffer => {
            plain(RuntimeMethod::ContentEquals, b"AA")
        }
        PredicateKind::RegionMatches => plain(RuntimeMethod::RegionMatches, b"AIAII"),
        PredicateKind::RegionMatchesIgnoreCase => plain(RuntimeMethod::RegionMatchesIgnoreCase, b"AIIAII"),
        PredicateKind::ArraysEquals => plain(RuntimeMethod::SameArrays, b"AA"),
        PredicateKind::Matches => plain(RuntimeMethod::Matches, b"AA"),
        PredicateKind::PatternMatches => plain(RuntimeMethod::PatternMatches, b"AA"),
        PredicateKind::Matcher(mode) => with(RuntimeMethod::MatcherMatches, b"A", mode as i32),
        PredicateKind::Letter(class) => with(RuntimeMethod::Letter, b"I", class as i32),
        PredicateKind::Element | PredicateKind::IndexOfElement => with(RuntimeMethod::Element, b"AA", 0),
        PredicateKind::Key => with(RuntimeMethod::Element, b"AA", 1),
        PredicateKind::MapValue => with(RuntimeMethod::Element, b"AA", 2),
        PredicateKind::Elements => plain(RuntimeMethod::Elements, b"AA"),
        PredicateKind::NoElements => plain(RuntimeMethod::NoElements, b"A"),
        PredicateKind::CompareInts => plain(RuntimeMethod::CompareInts, b"II"),
        PredicateKind::CompareLongs => plain(RuntimeMethod::CompareLongs, b"JJ"),
        PredicateKind::CompareFloats => plain(RuntimeMethod::CompareFloats, b"FF"),
        PredicateKind::CompareDoubles => plain(RuntimeMethod::CompareDoubles, b"DD"),
        PredicateKind::CompareNumbers => plain(RuntimeMethod::CompareNumbers, b"AA"),
        PredicateKind::IndexOfText => plain(RuntimeMethod::IndexOfText, b"AA"),
        PredicateKind::IndexOfTextFrom => plain(RuntimeMethod::IndexOfTextFrom, b"AAI"),
        PredicateKind::IndexOfCharacter => plain(RuntimeMethod::IndexOfCharacter, b"AI"),
        PredicateKind::IndexOfCharacterFrom => plain(RuntimeMethod::IndexOfCharacterFrom, b"AII"),
    }
}

/// The probe of a jump that takes the distance of the predicate before it.
pub(super) fn place_jump(
    branch: &BranchSite<'_>,
    edits: &mut Edits<'_>,
    result: ResultKind,
    with_minus_one: bool,
) {
    let call = match (result, branch.opcode) {
        (ResultKind::Truth, IFEQ) => RuntimeMethod::IfeqPredicate,
        (ResultKind::Truth, _) => RuntimeMethod::IfnePredicate,
        (ResultKind::TextOrder, _) => RuntimeMethod::Order,
        (ResultKind::NumberOrder, _) => RuntimeMethod::NumberOrder,
        (ResultKind::Index, _) => RuntimeMethod::Index,
    };
    let first = if with_minus_one { IF_ICMPEQ } else { IFEQ };
    let stack = if result == ResultKind::Index { 5 } else { 4 };
    edits.insert(branch.offset, Arrival::Any, stack, |code| {
        // Index and -1, if that is what is compared.
        code.op(if with_minus_one { DUP2 } else { DUP });
        if result == ResultKind::Index && !with_minus_one {
            code.push(0);
        }
        if result != ResultKind::Truth {
            code.push(i32::from(branch.opcode.saturating_sub(first)));
        }
        code.push_id(branch.probe);
        code.push_id(branch.outcome);
        code.call(call);
    });
}
