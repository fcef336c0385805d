//! Weak mutation coverage: infect every mutant.
//!
//! Zhou et al. 2023 (smart selection), §2.1 and Equation 14.
//!
//! # Differences
//! Operators are those of the reference and, in addition, those of PIT by default; what is equivalent to the original
//! is left out. See `docs/design/mutants.md`.

use bytecode::analysis::AnalysisOptions;
use bytecode::probe_map::Evidence;

use crate::criterion::{Correlation, Criterion, Group, MethodWithGoals};
use crate::goal::{Goal, GoalKind};

/// Its name.
pub(crate) const NAME: &str = "weak-mutation";

/// The criterion.
#[derive(Debug)]
pub(crate) struct WeakMutation;

impl Criterion for WeakMutation {
    fn name(&self) -> &'static str {
        NAME
    }

    fn column(&self) -> String {
        "WeakMutationScore".to_owned()
    }

    fn summary(&self) -> &'static str {
        "execute every mutant of the code so that its state differs from the original's"
    }

    fn definition(&self) -> &'static str {
        "A goal per mutant: a small change of one instruction. Covered when a run executes the instruction with operands for \
         which the mutant does something else, whether or not anybody notices later. Mutants that are equivalent to the \
         original are left out, and class initializers have none."
    }

    fn source(&self) -> &'static str {
        "Zhou et al. 2023 (smart selection), §2.1 and Equation 14; operators of EvoSuite and of PIT's defaults."
    }

    fn correlation(&self) -> Correlation {
        Correlation::Group { group: Group::Code, rank: 3 }
    }

    fn is_open_ended(&self) -> bool {
        false
    }

    fn is_default(&self) -> bool {
        true
    }

    fn needs(&self) -> AnalysisOptions {
        AnalysisOptions { mutants: true, ..AnalysisOptions::default() }
    }

    fn goals(&self, method: &MethodWithGoals<'_>, goals: &mut Vec<Goal>) {
        goals.extend(method.probes.mutants.iter().map(|mutant| Goal {
            line: mutant.line,
            outcome: Some(mutant.infection),
            covered_by: vec![Evidence::Taken(mutant.infection)],
            controlled_by: mutant.controlled_by.clone(),
            ..method.goal(GoalKind::Mutant {
                mutant: mutant.id,
                operator: mutant.operator,
                change: mutant.words.clone(),
                propagation: None,
            })
        }));
    }
}

#[cfg(test)]
mod tests {
    use crate::criterion::{goals, needs};
    use crate::sample::{ProgramBuilder, names};

    #[test]
    fn a_mutant_is_guided_by_its_infection_and_by_what_controls_it() {
        let mut program = ProgramBuilder::new("Foo");
        let (outer, _) = program.method("bar").branch(&[]);
        let infections = program.method("bar").mutants(2, &[outer]);
        let goals = goals(&["weak-mutation"], &program.build()).unwrap();
        assert_eq!(names(&goals), ["weak-mutation Foo#bar()V@mutant0", "weak-mutation Foo#bar()V@mutant1"]);
        let goal = &goals.goals()[1];
        assert_eq!((goal.outcome, &*goal.controlled_by), (Some(infections[1]), &[outer][..]));
        assert!(goal.is_covered(&program.trace(&["bar"], &[(infections[1], 0.0)])));
        assert!(!goal.is_covered(&program.trace(&["bar"], &[(infections[1], 1.0)])));
        assert!(needs(&["weak-mutation"]).unwrap().mutants && !needs(&["branch"]).unwrap().mutants);
    }
}
