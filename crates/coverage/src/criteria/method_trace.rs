//! Method coverage: execute every method, in any way.
//!
//! Zhou et al. 2023 (smart selection), §4.9, as method coverage ("merely requires that a method is invoked while
//! executing a test").

use bytecode::probe_map::Evidence;

use crate::criterion::{Correlation, Criterion, Group, MethodWithGoals};
use crate::goal::{Goal, GoalKind};

/// The criterion.
#[derive(Debug)]
pub(crate) struct MethodTrace;

impl Criterion for MethodTrace {
    fn name(&self) -> &'static str {
        "method-trace"
    }

    fn summary(&self) -> &'static str {
        "execute every method, in any way"
    }

    fn definition(&self) -> &'static str {
        "A goal per method with code, covered when it is executed in any way."
    }

    fn source(&self) -> &'static str {
        "Zhou et al. 2023 (coverage goal selector), section 4.9 (MC)."
    }

    fn correlation(&self) -> Correlation {
        Correlation::Group { group: Group::Calls, rank: 3 }
    }

    fn is_open_ended(&self) -> bool {
        false
    }

    fn goals(&self, method: &MethodWithGoals<'_>, goals: &mut Vec<Goal>) {
        goals.push(Goal {
            covered_by: vec![Evidence::Hit(method.probes.entry)],
            ..method.goal(GoalKind::Entry)
        });
    }
}
