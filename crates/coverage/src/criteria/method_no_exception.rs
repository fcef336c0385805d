//! No-exception top-level method coverage: call every public method from the test itself so that it returns.
//!
//! Zhou et al. 2023 (smart selection), §2.1 (NTMC). A call that throws is as near to returning as execution got: to the
//! outcomes on which the `return` instructions depend, by approach level and branch distance.
//!
//! # Differences
//! * The paper is silent on methods that are not public; these are goals as well, covered by any execution that returns.
//! * A method without a `return` instruction, which only ends by exceptions, is no goal.

use bytecode::analysis::AnalysisOptions;
use bytecode::probe_map::Evidence;

use crate::criterion::{Correlation, Criterion, Group, MethodWithGoals};
use crate::goal::{Goal, GoalKind};

/// The criterion.
#[derive(Debug)]
pub(crate) struct MethodNoException;

impl Criterion for MethodNoException {
    fn name(&self) -> &'static str {
        "method-no-exception"
    }

    fn summary(&self) -> &'static str {
        "call every public method from the test itself without an exception, let the others return"
    }

    fn definition(&self) -> &'static str {
        "As the criterion method, and the call must return. A call that throws is as near as execution got to a return. \
         Methods that only end by exceptions are no goals."
    }

    fn source(&self) -> &'static str {
        "Zhou et al. 2023 (coverage goal selector), section 2.1 (NTMC)."
    }

    fn correlation(&self) -> Correlation {
        Correlation::Group { group: Group::Calls, rank: 1 }
    }

    fn is_open_ended(&self) -> bool {
        false
    }

    fn is_default(&self) -> bool {
        true
    }

    fn needs(&self) -> AnalysisOptions {
        AnalysisOptions { direct: true, ..AnalysisOptions::default() }
    }

    fn goals(&self, method: &MethodWithGoals<'_>, goals: &mut Vec<Goal>) {
        let Some(returns) = &method.probes.returns else { return };
        let direct = method.probes.direct.unwrap_or_default();
        goals.push(Goal {
            entry: direct.probe(method.probes.entry),
            covered_by: vec![Evidence::Hit(direct.probe(returns.probe))],
            controlled_by: returns.controlled_by.iter().map(|&id| direct.outcome(id)).collect(),
            ..method.goal(GoalKind::Return)
        });
    }
}
