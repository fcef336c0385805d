//! Statement coverage: execute every statement of the bytecode.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), Problem 2.7.
//!
//! # Differences
//! A statement is what one line has in one basic block: goals for its single instructions would all be covered by the
//! same runs. It counts as covered as `JaCoCo` counts its instructions.

use bytecode::analysis::AnalysisOptions;

use crate::criterion::{Correlation, Criterion, Group, MethodWithGoals};
use crate::goal::{Goal, GoalKind};

/// The criterion.
#[derive(Debug)]
pub(crate) struct Statement;

impl Criterion for Statement {
    fn name(&self) -> &'static str {
        "statement"
    }

    fn summary(&self) -> &'static str {
        "execute every statement of the bytecode"
    }

    fn definition(&self) -> &'static str {
        "A goal per source line and basic block: the instructions that the line has in the block. Covered when JaCoCo counts \
         them as executed. A class file without line numbers has a goal per block."
    }

    fn source(&self) -> &'static str {
        "Panichella, Kifetew and Tonella 2018 (DynaMOSA), Problem 2.7."
    }

    fn correlation(&self) -> Correlation {
        Correlation::Group { group: Group::Code, rank: 5 }
    }

    fn is_open_ended(&self) -> bool {
        false
    }

    fn needs(&self) -> AnalysisOptions {
        AnalysisOptions { statements: true, ..AnalysisOptions::default() }
    }

    fn goals(&self, method: &MethodWithGoals<'_>, goals: &mut Vec<Goal>) {
        goals.extend(method.probes.statements.iter().map(|statement| {
            let kind = GoalKind::Statement { instruction: statement.instruction };
            Goal {
                line: statement.line,
                covered_by: statement.covered_by.clone(),
                controlled_by: statement.controlled_by.clone(),
                ..method.goal(kind)
            }
        }));
    }
}

#[cfg(test)]
mod tests {
    use crate::criterion::goals;
    use crate::sample::{ProgramBuilder, names};

    #[test]
    fn statements_depend_on_what_controls_them() {
        let mut program = ProgramBuilder::new("Foo");
        let (outer, _) = program.method("bar").branch(&[]);
        program.method("bar").statement(7, &[]).statement(9, &[outer]);
        let goals = goals(&["statement"], &program.build()).unwrap();
        assert_eq!(names(&goals), ["statement Foo#bar()V@statement7", "statement Foo#bar()V@statement9"]);
        assert_eq!(goals.goals()[1].controlled_by, [outer]);
    }
}
