//! Top-level method coverage: call every public method from the test itself.
//!
//! Zhou et al. 2023 (smart selection), §2.1 (TMC): "a public method is covered only when it is directly invoked by test
//! cases".
//!
//! # Differences
//! The paper is silent on methods that are not public; these are goals as well, covered by any execution.

use bytecode::analysis::AnalysisOptions;
use bytecode::probe_map::Evidence;

use crate::criterion::{Correlation, Criterion, Group, MethodWithGoals};
use crate::goal::{Goal, GoalKind};

/// The criterion.
#[derive(Debug)]
pub(crate) struct Method;

impl Criterion for Method {
    fn name(&self) -> &'static str {
        "method"
    }

    fn summary(&self) -> &'static str {
        "call every public method from the test itself, execute the others"
    }

    fn definition(&self) -> &'static str {
        "A goal per method with code. A public one is covered when the test itself calls it, the others when they are \
         executed in any way."
    }

    fn source(&self) -> &'static str {
        "Zhou et al. 2023 (coverage goal selector), section 2.1 (TMC)."
    }

    fn correlation(&self) -> Correlation {
        Correlation::Group { group: Group::Calls, rank: 2 }
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
        let entry = method.probes.direct.unwrap_or_default().probe(method.probes.entry);
        goals.push(Goal { entry, covered_by: vec![Evidence::Hit(entry)], ..method.goal(GoalKind::Call) });
    }
}

#[cfg(test)]
mod tests {
    use crate::criterion::goals;
    use crate::sample::ProgramBuilder;

    #[test]
    fn public_methods_must_be_called_by_the_test_others_executed() {
        let mut program = ProgramBuilder::new("Foo");
        program.method("run").direct();
        program.method("helper").private();
        let goals = goals(&["method"], &program.build()).unwrap();
        let covers = |entered: &[&str], direct: &[&str]| {
            let trace = program.trace_of_calls(entered, direct, &[]);
            goals.goals().iter().map(|goal| goal.is_covered(&trace)).collect::<Vec<_>>()
        };
        assert_eq!(covers(&["run", "helper"], &[]), [false, true]);
        assert_eq!(covers(&["run", "helper"], &["run"]), [true, true]);
    }
}
