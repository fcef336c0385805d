//! Method entry: counts a call and spends a step. A jump back to the first instruction is no call. Where calls by the
//! test itself are told apart, what is to be added to the numbers of probes is kept for the rest of the method.

use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, ProbeSet, Sites};
use crate::opcode::ISTORE;

pub(crate) const PROBE: Probe = Probe { set: ProbeSet::Full, sites: Sites::Method(place) };

fn place(method: &Method<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    if let Some(report) = method.report {
        let shift = edits.insertions.kept().shift();
        edits.insert(0, Arrival::Fallthrough, 1, |code| {
            code.push(report.entry.0 as i32);
            match shift {
                Some(shift) => {
                    code.call(RuntimeMethod::Enter);
                    code.local(ISTORE, shift);
                }
                None => code.call(RuntimeMethod::Entry),
            }
        });
    }
    Ok(())
}
