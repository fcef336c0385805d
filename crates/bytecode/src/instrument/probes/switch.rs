//! Switches: the distance of the value to each outcome; of switches on strings that of the string.

use crate::instrument::branch::{BranchShape, BranchSite};
use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::{Arrival, Writer};
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites, switch_table};
use crate::opcode::DUP;

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Full, sites: Sites::Branches(place) };

/// Longer constants than this many UTF-16 code units may not fit 65,535 bytes.
const LONGEST: usize = 21_845;

fn place(method: &Method<'_>, branch: &BranchSite<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    if !matches!(branch.shape, BranchShape::Switch | BranchShape::StringSwitch { .. }) {
        return Ok(());
    }
    let table = switch_table::keys(&branch.branch.outcomes);
    if table.len() > LONGEST {
        return Err(EditError::TooLarge);
    }
    let BranchShape::StringSwitch { strings, by_hash, call, source } = branch.shape else {
        select(branch, edits, 4, |code| {
            code.push_string(&table);
            code.call(RuntimeMethod::Select);
        });
        return Ok(());
    };
    let cases = switch_table::cases(strings, by_hash, branch.branch);
    if cases.len() > LONGEST {
        return Err(EditError::TooLarge);
    }
    if by_hash {
        edits.insert(method.offset(call)?, Arrival::Any, 2, |code| {
            code.op(DUP);
            code.push_id(source);
            code.call(RuntimeMethod::Text);
        });
    }
    select(branch, edits, 6, |code| {
        code.push_string(&table);
        code.push_string(&cases);
        code.push_id(source);
        code.call(RuntimeMethod::SelectString);
    });
    Ok(())
}

fn select(branch: &BranchSite<'_>, edits: &mut Edits<'_>, stack: u16, rest: impl FnOnce(&mut Writer<'_>)) {
    edits.insert(branch.offset, Arrival::Any, stack, |code| {
        code.op(DUP);
        code.push_id(branch.probe);
        code.push_id(branch.outcome);
        rest(code);
    });
}
