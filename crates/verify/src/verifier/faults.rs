//! Why tests fail, as their runs show it.

use std::collections::BTreeMap;

use super::Place;
use crate::jvm::{JvmError, TestEnd};
use crate::protocol::Outcome;
use crate::suite::Cause;
use crate::surroundings::Role;

/// Tests that fail, and why.
pub(super) type Faults = BTreeMap<Place, Fault>;

/// Why a test fails, and at which line of its file (0 if unknown).
pub(super) struct Fault {
    pub(super) line: u32,
    pub(super) cause: Cause,
}

/// Why tests failed that ran in this order.
pub(super) fn faults(order: &[Place], ends: &[TestEnd], role: Role) -> Result<Faults, JvmError> {
    if order.len() != ends.len() {
        return Err(JvmError::Failed("a test got lost".to_owned()));
    }
    let found = order.iter().zip(ends).filter_map(|(&place, end)| Some((place, fault(end, role)?)));
    Ok(found.collect())
}

/// Whether time was over before all of these tests had run.
pub(super) fn is_cut(found: &Faults) -> bool {
    found.values().any(|fault| fault.cause == Cause::Unreached)
}

/// What is known of tests that had time to run.
pub(super) fn without_unreached(found: &mut Faults) {
    found.retain(|_, fault| fault.cause != Cause::Unreached);
}

fn fault(end: &TestEnd, role: Role) -> Option<Fault> {
    match end {
        TestEnd::Outcome(Outcome::Passed) => None,
        TestEnd::Outcome(Outcome::Failed { exception, message, line }) => {
            let cause = Cause::Failed { exception: exception.clone(), message: message.clone(), role };
            Some(Fault { line: *line, cause })
        }
        TestEnd::Outcome(Outcome::Skipped { reason }) => {
            Some(Fault { line: 0, cause: Cause::NotRun { reason: reason.clone() } })
        }
        TestEnd::Outcome(Outcome::Hung { line }) => Some(Fault { line: *line, cause: Cause::Hung }),
        TestEnd::Died => Some(Fault { line: 0, cause: Cause::Died }),
        TestEnd::Unreached => Some(Fault { line: 0, cause: Cause::Unreached }),
    }
}
