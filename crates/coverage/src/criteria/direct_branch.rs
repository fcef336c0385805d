//! Direct branch coverage: as branch coverage, by calls of the method from the test itself.
//!
//! Zhou et al. 2023 (smart selection), §2.1 (DBC): "a test case must directly invoke a public method to cover its
//! branches"; branches of other methods are those of branch coverage. Fitness is 1 more than the farthest branch until
//! the test calls the method, then approach level and branch distance of the calls that the test made itself.

use bytecode::analysis::AnalysisOptions;

use super::branch::branch_goals;
use crate::criterion::{Correlation, Criterion, Group, MethodWithGoals};
use crate::goal::Goal;

/// The criterion.
#[derive(Debug)]
pub(crate) struct DirectBranch;

impl Criterion for DirectBranch {
    fn name(&self) -> &'static str {
        "direct-branch"
    }

    fn column(&self) -> String {
        "CBranchCoverage".to_owned()
    }

    fn summary(&self) -> &'static str {
        "take every outcome of every branch of public methods by calling the method from the test itself"
    }

    fn definition(&self) -> &'static str {
        "The goals of branch coverage; those of public methods are covered only in calls that the test itself makes, with \
         approach level and branch distance of these calls."
    }

    fn source(&self) -> &'static str {
        "Zhou et al. 2023 (coverage goal selector), section 2.1 (DBC)."
    }

    fn correlation(&self) -> Correlation {
        Correlation::Group { group: Group::Code, rank: 1 }
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
        let before = goals.len();
        branch_goals(method, goals);
        let Some(direct) = method.probes.direct else { return };
        for goal in &mut goals[before..] {
            goal.entry = direct.probe(goal.entry);
            goal.outcome = goal.outcome.map(|outcome| direct.outcome(outcome));
            goal.covered_by.iter_mut().for_each(|evidence| *evidence = direct.evidence(*evidence));
            goal.controlled_by.iter_mut().for_each(|outcome| *outcome = direct.outcome(*outcome));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::criterion::goals;
    use crate::distance::Normalization;
    use crate::fitness::FitnessFunction;
    use crate::goal_graph::GoalGraph;
    use crate::sample::ProgramBuilder;

    #[test]
    fn only_calls_of_the_test_itself_come_nearer_to_public_methods() {
        let mut program = ProgramBuilder::new("Foo");
        let mut run = program.method("run");
        run.direct();
        let (outer, _) = run.branch(&[]);
        let (inner, _) = run.branch(&[outer]);
        let maps = program.build();
        let goals = goals(&["direct-branch"], &maps).unwrap();
        let graph = GoalGraph::new(&maps, &goals, true);
        let function = FitnessFunction::new(&goals, &graph, Normalization::Ratio);
        let third = goals.ids().nth(2).unwrap();
        assert_eq!(graph.parents(third), [goals.ids().next().unwrap()]);
        let check = |direct: &[&str], distances: &[_], expect: f64| {
            let trace = program.trace_of_calls(&["run"], direct, distances);
            assert_eq!(
                function.fitness(third, goals.goal(third), &trace),
                expect,
                "{direct:?} {distances:?}"
            );
        };
        let second = |outcome| program.direct().outcome(outcome);
        check(&[], &[(outer, 0.0), (inner, 0.0)], 3.0);
        check(&["run"], &[(outer, 0.0), (inner, 0.0)], 2.0);
        check(&["run"], &[(second(outer), 1.0)], 1.5);
        check(&["run"], &[(second(outer), 0.0), (second(inner), 3.0)], 0.75);
        check(&["run"], &[(second(inner), 0.0)], 0.0);
    }

    #[test]
    fn branches_of_other_methods_are_those_of_branch_coverage() {
        let mut program = ProgramBuilder::new("Foo");
        program.method("helper").private().branch(&[]);
        let maps = program.build();
        let [direct, branch] =
            ["direct-branch", "branch"].map(|name| goals(&[name], &maps).unwrap().goals().to_vec());
        for (direct, branch) in direct.iter().zip(&branch) {
            assert_eq!((&direct.covered_by, direct.entry), (&branch.covered_by, branch.entry));
        }
        assert_eq!(direct.len(), 2);
    }
}
