//! Method entry: counts a call and spends a step. A jump back to the first instruction is no call.

use crate::instrument::code_editor::EditError;
use crate::instrument::insertions::Arrival;
use crate::instrument::method::{Edits, Method};
use crate::instrument::runtime::RuntimeMethod;
use crate::instrument::{Probe, Sites};

pub(crate) const PROBE: Probe = Probe { light: false, sites: Sites::Method(place) };

fn place(method: &Method<'_>, edits: &mut Edits<'_>) -> Result<(), EditError> {
    if let Some(report) = method.report {
        edits.insert(0, Arrival::Fallthrough, 1, |code| {
            code.push_id(report.entry.0);
            code.call(RuntimeMethod::Entry);
        });
    }
    Ok(())
}
