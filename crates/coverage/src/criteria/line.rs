//! Line coverage: execute every source line that has code.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), Problem 2.7 (statement coverage), with lines for statements.
//!
//! # Differences
//! A line is covered when one of its instructions counts as covered for `JaCoCo`. A class file without line numbers
//! has no such goals.

use crate::criterion::{Correlation, Criterion, Group, MethodWithGoals};
use crate::goal::{Goal, GoalKind};

/// The criterion.
#[derive(Debug)]
pub(crate) struct Line;

impl Criterion for Line {
    fn name(&self) -> &'static str {
        "line"
    }

    fn summary(&self) -> &'static str {
        "execute every source line"
    }

    fn definition(&self) -> &'static str {
        "Every source line with code is a goal, guided by the branches on which it depends. It is covered when one of its \
         instructions is, as JaCoCo counts. A class file without line numbers has no such goals."
    }

    fn source(&self) -> &'static str {
        "Zhou et al. 2023 (smart selection), section 2.1; Panichella, Kifetew and Tonella 2018 (DynaMOSA), Problem 2.7, \
         with lines for statements."
    }

    fn correlation(&self) -> Correlation {
        Correlation::Group { group: Group::Code, rank: 4 }
    }

    fn is_open_ended(&self) -> bool {
        false
    }

    fn is_default(&self) -> bool {
        true
    }

    fn goals(&self, method: &MethodWithGoals<'_>, goals: &mut Vec<Goal>) {
        for line in &method.probes.lines {
            goals.push(Goal {
                line: Some(line.number),
                covered_by: line.covered_by.clone(),
                controlled_by: line.controlled_by.clone(),
                ..method.goal(GoalKind::Line(line.number))
            });
        }
    }
}
