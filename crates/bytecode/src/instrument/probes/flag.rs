//! Flags: what decides on a value leaves its distances, what asks for the value takes them. See [`crate::flags`].

use super::predicate;
use crate::flags::{Decided, FlagCall};
use crate::instrument::branch::{BranchShape, BranchSite};
use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method, Report};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::switch_table::push_number;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::*;

/// The jump that asks.
pub(crate) const ASKED: Probe = Probe { set: ProbeSet::Full, sites: Sites::Branches(place_ask) };

/// The entry, decisions, calls and returns of a method with flags.
pub(crate) const DECIDED: Probe = Probe { set: ProbeSet::Full, sites: Sites::Method(place) };

fn place_ask(_: &Method<'_>, branch: &BranchSite<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    let BranchShape::Flag { decided, entry } = branch.shape else { return Ok(()) };
    let call = match branch.opcode {
        IFEQ => RuntimeMethod::IfeqFlag,
        IFNE => RuntimeMethod::IfneFlag,
        IFNULL => RuntimeMethod::IfnullFlag,
        _ => RuntimeMethod::IfnonnullFlag,
    };
    let table = table(decided, branch.probe, branch.outcome);
    edits.insert(branch.offset, Arrival::Any, 5, |code| {
        code.op(DUP);
        code.push_id(branch.probe);
        code.push_id(branch.outcome);
        code.push_id(entry);
        code.push_string(&table);
        code.call(call);
    });
    Ok(())
}

fn place(method: &Method<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    let Some(report) = method.report else { return Ok(()) };
    let (flags, entry) = (report.flags, report.entry.0);
    if flags.asks.is_empty() && flags.returns.is_empty() {
        return Ok(());
    }
    edits.insert(0, Arrival::Fallthrough, 1, |code| {
        code.push_id(entry);
        code.call(RuntimeMethod::EnterFlags);
    });
    for call in &flags.calls {
        place_call(method, call, edits)?;
    }
    place_returns(method, &report, edits)?;
    for decision in &flags.decisions {
        let Some(branch) = report.branches.iter().find(|branch| branch.instruction == *decision) else {
            continue;
        };
        let Some(first) = branch.outcomes.first() else { continue };
        edits.insert(method.offset(decision.index())?, Arrival::Any, 3, |code| {
            code.push_id(branch.probe.0);
            code.push_id(first.id.0);
            code.push_id(entry);
            code.call(RuntimeMethod::Decided);
        });
    }
    Ok(())
}

fn place_call(method: &Method<'_>, call: &FlagCall, edits: &mut Edits<'_>) -> Result<(), EditError> {
    let index = call.call.index();
    match call.predicate {
        Some(kind) => predicate::place_call(method, index, kind, call.kept.0, edits)?,
        None => {
            edits.insert(method.offset(index)?, Arrival::Any, 0, |code| code.call(RuntimeMethod::CallFlag));
        }
    }
    edits.insert(method.offset(index + 1)?, Arrival::Fallthrough, 3, |code| {
        code.op(DUP);
        code.push_id(call.kept.0);
        code.push(call.tag);
        let keep = if call.is_reference { RuntimeMethod::KeepReference } else { RuntimeMethod::KeepFlag };
        code.call(keep);
    });
    Ok(())
}

fn place_returns(method: &Method<'_>, report: &Report<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    let entry = report.entry.0;
    let outcome = report.branches.first().and_then(|branch| branch.outcomes.first());
    let outcome = outcome.map_or(0, |outcome| outcome.id.0);
    let table = table(&report.flags.returned, entry, outcome);
    for index in report.flags.returns.iter().map(|index| index.index()) {
        let call = match method.opcode(index) {
            Some(IRETURN) => RuntimeMethod::ReturnedFlag,
            _ => RuntimeMethod::ReturnedReference,
        };
        edits.insert(method.offset(index)?, Arrival::Any, 5, |code| {
            code.op(DUP);
            code.push_id(entry);
            code.push_id(outcome);
            code.push(report.tag);
            code.push_string(&table);
            code.call(call);
        });
    }
    Ok(())
}

/// What `covolve.runtime.Flag` decodes; probes and outcomes are less those of who asks, so that they keep their
/// distance to them wherever those are moved to.
fn table(decided: &Decided, probe: u32, outcome: u32) -> Vec<u16> {
    let mut table = Vec::new();
    let mut push = |number: i64| push_number(&mut table, ((number << 1) ^ (number >> 63)) as u32);
    let less = |id: u32, base: u32| i64::from(id) - i64::from(base);
    push(i64::from(decided.is_negated));
    push(decided.kept.len() as i64);
    for kept in &decided.kept {
        push(less(kept.0, probe));
    }
    for way in &decided.ways {
        push(i64::from(way.value));
        push(i64::from(way.level));
        push(less(way.probe.0, probe));
        push(less(way.first.0 + way.outcome, outcome));
    }
    table
}
