//! Calls and fields: randomized hill climbing, which ends after some mutations in a row that did not help (§4.1.4).
//!
//! # Differences
//! Mutations are drawn by the factory of tests, which also makes what they need: a parameter or receiver may be swapped for a
//! new value and not only for one that the test has.

use testcase::statement::Statement;

use super::LocalSearch;
use super::climb::{Climb, Reaction};

/// The operator.
#[derive(Debug)]
pub(super) struct References;

impl LocalSearch for References {
    fn name(&self) -> &'static str {
        "references"
    }

    fn applies(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Constructor { .. }
            | Statement::Method { .. }
            | Statement::FieldRead { .. }
            | Statement::FieldWrite { .. } => true,
            Statement::Primitive { .. }
            | Statement::Null { .. }
            | Statement::EnumConstant { .. }
            | Statement::ClassLiteral { .. }
            | Statement::Array { .. }
            | Statement::ArrayWrite { .. }
            | Statement::Stub { .. } => false,
        }
    }

    fn improve(&self, position: usize, climb: &mut Climb<'_>) {
        let (mut at, mut failed) = (position, 0);
        while failed < climb.options().patience && !climb.is_over() {
            let (mutated, now) = climb.changed(|test, source, random| source.mutate_call(test, at, random));
            match now.map(|now| (now, climb.attempt(mutated))) {
                Some((now, Reaction::Better)) => (at, failed) = (now, 0),
                Some((_, Reaction::Changed | Reaction::Same)) | None => failed += 1,
                Some((_, Reaction::Over)) => return,
            }
        }
    }
}
