//! Output coverage: have every method return values of every class of its result type.
//!
//! Alshahwan and Harman 2014; Rojas, Campos, Vivanti, Fraser and Arcuri 2015, §2; the representative of its group in
//! Zhou et al. (*Coverage Goal Selector for Combining Multiple Criteria*), §2.1. The classes are those of
//! [`bytecode::values::ValueShape`].
//!
//! # Differences
//! * The papers' tool only tells whether a class was hit; here the distance of the returned value guides.
//! * What counts is what a call by the test itself returned, not calls from within the class.
//! * Objects are told apart by methods that only tell of them, which an analysis of their code establishes
//!   ([`bytecode::purity`]), not their names, and by public fields.

use bytecode::values::{ValueOf, ValueOptions};

use crate::criterion::{Correlation, Criterion, MethodWithGoals};
use crate::goal::Goal;

/// The criterion.
#[derive(Debug)]
pub(crate) struct Output;

impl Criterion for Output {
    fn name(&self) -> &'static str {
        "output"
    }

    fn summary(&self) -> &'static str {
        "have every method return values of every class of its result type"
    }

    fn definition(&self) -> &'static str {
        "A goal per partition of values that a method may return: a number below, at or above 0, true and false, a letter, digit \
         or other character, null, empty or not, and what pure inspectors and public fields of an object tell. Covered when a call by the \
         test itself returns such a value."
    }

    fn source(&self) -> &'static str {
        "Rojas et al. 2015 (combining multiple coverage criteria), section 2; Zhou et al. 2023 (coverage goal selector), section 2.2 (OC)."
    }

    fn correlation(&self) -> Correlation {
        Correlation::Alone
    }

    fn is_open_ended(&self) -> bool {
        true
    }

    fn is_default(&self) -> bool {
        true
    }

    fn values(&self) -> ValueOptions {
        ValueOptions { outputs: true, ..ValueOptions::default() }
    }

    fn goals(&self, method: &MethodWithGoals<'_>, goals: &mut Vec<Goal>) {
        method.add_value_goals(|of| of == ValueOf::Result, goals);
    }
}

#[cfg(test)]
mod tests {
    use bytecode::values::{ValueOf, ValueShape};

    use crate::criterion::goals;
    use crate::sample::{ProgramBuilder, names};

    #[test]
    fn every_class_of_a_value_is_a_goal_of_its_criterion() {
        let mut program = ProgramBuilder::new("Foo");
        program.method("find").value(ValueOf::Parameter(0), ValueShape::Text);
        let first = program.method("find").value(ValueOf::Result, ValueShape::Object);
        let goals = goals(&["input", "output"], &program.build()).unwrap();
        let expect = [
            "output Foo#find()V@result:Null",
            "output Foo#find()V@result:NonNull",
            "input Foo#find()V@0:Null",
            "input Foo#find()V@0:Empty",
            "input Foo#find()V@0:NonEmpty",
        ];
        assert_eq!(names(&goals), expect);
        let mut covered = Vec::new();
        goals.covered(&program.trace(&["find"], &[(first, 0.0)]), &mut covered);
        assert_eq!(covered, [crate::goal::GoalId(0)]);
    }
}
