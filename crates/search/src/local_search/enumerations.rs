//! Constants of enumerations: one other constant is tried, and all of them once that helped (§4.1.1).

use testcase::cluster::FieldId;
use testcase::statement::Statement;
use testcase::test_case::TestCase;

use super::LocalSearch;
use super::climb::{Climb, Reaction};

/// The operator.
///
/// # Differences
/// Beyond the paper all constants are tried where the first one changed the fitness in any way: which of them is behind a
/// branch says nothing of the others.
#[derive(Debug)]
pub(super) struct Enumerations;

impl LocalSearch for Enumerations {
    fn name(&self) -> &'static str {
        "enumerations"
    }

    fn applies(&self, statement: &Statement) -> bool {
        matches!(statement, Statement::EnumConstant { .. })
    }

    fn improve(&self, position: usize, climb: &mut Climb<'_>) {
        let Some(&Statement::EnumConstant { field }) = climb.test().statements().get(position) else {
            return;
        };
        let cluster = climb.cluster();
        let others: Vec<FieldId> = {
            let all = &cluster.ty(cluster.field(field).of).enum_constants;
            all.iter().copied().filter(|other| *other != field).collect()
        };
        for (tried, other) in others.into_iter().enumerate() {
            let reaction = climb.attempt(with_constant(climb.test(), position, other));
            let goes_on = match reaction {
                Reaction::Better => true,
                Reaction::Changed => tried > 0 || climb.options().extended,
                Reaction::Same => tried > 0,
                Reaction::Over => false,
            };
            if !goes_on {
                return;
            }
        }
    }
}

fn with_constant(test: &TestCase, position: usize, field: FieldId) -> TestCase {
    let mut test = test.clone();
    if let Some(statement) = test.statements_mut().get_mut(position) {
        *statement = Statement::EnumConstant { field };
    }
    test
}
