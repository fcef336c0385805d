//! Strong mutation coverage: kill every mutant, that is, show by what a test can see that it is not the original.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), Problem 2.8 and Equation 9.
//!
//! # Differences
//! * A mutant is run only by tests that infect it, and by default only while its goal is open; in the set-ups of papers, and
//!   where whole suites are compared, also when it is covered.
//! * A mutant whose runs do not end is not killed by that, and is given up after the third one.

use bytecode::analysis::AnalysisOptions;
use bytecode::probe_map::Evidence;

use crate::criterion::{Correlation, Criterion, MethodWithGoals};
use crate::goal::{Goal, GoalKind};

/// Its name.
pub(crate) const NAME: &str = "strong-mutation";

/// The criterion.
#[derive(Debug)]
pub(crate) struct StrongMutation;

impl Criterion for StrongMutation {
    fn name(&self) -> &'static str {
        NAME
    }

    fn column(&self) -> String {
        "MutationScore".to_owned()
    }

    fn summary(&self) -> &'static str {
        "kill every mutant of the code: by a value or an exception that differs from the original's"
    }

    fn definition(&self) -> &'static str {
        "A goal per mutant: a small change of one instruction. Covered when a run of the test in which the mutant is selected \
         ends in another way than that of the original, or leaves a variable of the test with another value that an \
         assertion could name. Runs that do not end kill no mutant."
    }

    fn source(&self) -> &'static str {
        "Panichella, Kifetew and Tonella 2018 (DynaMOSA), Problem 2.8 and Equation 9; operators of EvoSuite and of PIT's \
         defaults."
    }

    fn correlation(&self) -> Correlation {
        Correlation::Alone
    }

    fn is_open_ended(&self) -> bool {
        false
    }

    fn needs(&self) -> AnalysisOptions {
        AnalysisOptions { mutants: true, ..AnalysisOptions::default() }
    }

    fn goals(&self, method: &MethodWithGoals<'_>, goals: &mut Vec<Goal>) {
        goals.extend(method.probes.mutants.iter().map(|mutant| {
            let propagation = Some(mutant.propagation);
            let (mutant_id, operator, change) = (mutant.id, mutant.operator, mutant.words.clone());
            let kind = GoalKind::Mutant { mutant: mutant_id, operator, change, propagation };
            Goal {
                line: mutant.line,
                outcome: Some(mutant.infection),
                covered_by: vec![Evidence::Taken(mutant.propagation)],
                controlled_by: mutant.controlled_by.clone(),
                ..method.goal(kind)
            }
        }));
    }
}

#[cfg(test)]
mod tests {
    use bytecode::probe_map::OutcomeId;

    use crate::criterion::goals;
    use crate::distance::Normalization;
    use crate::fitness::FitnessFunction;
    use crate::goal::GoalId;
    use crate::goal_graph::GoalGraph;
    use crate::sample::ProgramBuilder;

    #[test]
    fn a_killed_mutant_is_covered_and_the_way_there_is_downhill() {
        let mut program = ProgramBuilder::new("Foo");
        let (outer, _) = program.method("bar").branch(&[]);
        let infection = program.method("bar").mutants(1, &[outer])[0];
        let propagation = OutcomeId(infection.0 + 1);
        let maps = program.build();
        let goals = goals(&["strong-mutation"], &maps).unwrap();
        assert_eq!(goals.mutants()[0].infection, infection);
        let graph = GoalGraph::new(&maps, &goals, false);
        let function = FitnessFunction::new(&goals, &graph, Normalization::Ratio);
        let goal = goals.goal(GoalId(0));
        let nearer_and_nearer = [
            (vec![], vec![], 4.0),
            (vec!["bar"], vec![], 3.0),
            (vec!["bar"], vec![(outer, 1.0)], 2.5),
            (vec!["bar"], vec![(outer, 0.0)], 2.0),
            (vec!["bar"], vec![(outer, 0.0), (infection, 1.0)], 1.5),
            (vec!["bar"], vec![(outer, 0.0), (infection, 0.0)], 1.0),
            (vec!["bar"], vec![(outer, 0.0), (infection, 0.0), (propagation, 0.25)], 0.25),
            (vec!["bar"], vec![(outer, 0.0), (infection, 0.0), (propagation, 0.0)], 0.0),
        ];
        for (entered, distances, expect) in nearer_and_nearer {
            let trace = program.trace(&entered, &distances);
            assert_eq!(function.fitness(GoalId(0), goal, &trace), expect, "{distances:?}");
        }
    }
}
