//! Branch coverage: take every outcome of every conditional jump and switch, enter every method that has none.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), Problem 2.6.
//!
//! # Differences
//! * An outcome counts as covered as `JaCoCo` counts it: taking it is not always enough, the code behind it must
//!   reach the next probe.
//! * Outcomes that a compiler made and `JaCoCo` filters are no goals. A method left without any outcome that is one
//!   gets the goal of a method without branches.
//! * The outcomes of a switch are its distinct targets, not its keys.

use bytecode::probe_map::Evidence;

use crate::criterion::{Correlation, Criterion, Group, MethodWithGoals};
use crate::goal::{Goal, GoalKind};

/// The criterion.
#[derive(Debug)]
pub(crate) struct Branch;

/// Its name.
pub const NAME: &str = "branch";

impl Criterion for Branch {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "take every outcome of every branch, enter every method without branches"
    }

    fn definition(&self) -> &'static str {
        "Every conditional jump has two goals, every switch one per distinct target, every method without branches its \
         entry. An outcome is covered when JaCoCo counts it: the code behind it must reach JaCoCo's next probe. Outcomes \
         that only the compiler made are no goals."
    }

    fn source(&self) -> &'static str {
        "Panichella, Kifetew and Tonella 2018 (DynaMOSA), Problem 2.6; Fraser, Arcuri and McMinn 2015 (a memetic \
         algorithm for whole test suite generation), section 3.2."
    }

    fn correlation(&self) -> Correlation {
        Correlation::Group { group: Group::Code, rank: 2 }
    }

    fn is_open_ended(&self) -> bool {
        false
    }

    fn is_default(&self) -> bool {
        true
    }

    fn goals(&self, method: &MethodWithGoals<'_>, goals: &mut Vec<Goal>) {
        branch_goals(method, goals);
    }
}

/// Adds a goal per outcome that is one, or that of a method without any.
pub(super) fn branch_goals(method: &MethodWithGoals<'_>, goals: &mut Vec<Goal>) {
    let before = goals.len();
    for branch in &method.probes.branches {
        for (index, outcome) in branch.outcomes.iter().enumerate().filter(|(_, outcome)| outcome.is_goal) {
            let kind = GoalKind::Branch { instruction: branch.instruction, outcome: index as u16 };
            goals.push(Goal {
                line: branch.line,
                outcome: Some(outcome.id),
                covered_by: outcome.covered_by.clone(),
                controlled_by: branch.controlled_by.clone(),
                ..method.goal(kind)
            });
        }
    }
    if goals.len() == before {
        goals.push(Goal {
            covered_by: vec![Evidence::Hit(method.probes.entry)],
            ..method.goal(GoalKind::Entry)
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::criterion::goals;
    use crate::sample::{ProgramBuilder, names};

    #[test]
    fn outcomes_that_are_no_goals_are_left_out() {
        let mut program = ProgramBuilder::new("Foo");
        program.method("some").branch(&[]);
        program.method("some").compiler_made_outcome(1);
        program.method("none").branch(&[]);
        program.method("none").compiler_made_outcome(0).compiler_made_outcome(1);
        let goals = goals(&["branch"], &program.build()).unwrap();
        assert_eq!(names(&goals), ["branch Foo#some()V@0:0", "branch Foo#none()V@entry"]);
        assert_eq!(goals.goals()[1].outcome, None);
    }

    #[test]
    fn a_switch_has_one_goal_per_target() {
        let mut program = ProgramBuilder::new("Foo");
        program.method("pick").switch(3, &[]);
        let goals = goals(&["branch"], &program.build()).unwrap();
        assert_eq!(
            names(&goals),
            ["branch Foo#pick()V@0:0", "branch Foo#pick()V@0:1", "branch Foo#pick()V@0:2"]
        );
    }
}
