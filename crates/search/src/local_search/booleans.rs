//! Booleans: the only move is to flip the value (§4.1.1).

use testcase::statement::Statement;
use testcase::value::Value;

use super::LocalSearch;
use super::climb::Climb;

/// The operator.
#[derive(Debug)]
pub(super) struct Booleans;

impl LocalSearch for Booleans {
    fn name(&self) -> &'static str {
        "booleans"
    }

    fn applies(&self, statement: &Statement) -> bool {
        matches!(statement, Statement::Primitive { value: Value::Boolean(_), .. })
    }

    fn improve(&self, position: usize, climb: &mut Climb<'_>) {
        if let Some(&Value::Boolean(value)) = climb.value(position) {
            climb.attempt(climb.with_value(position, Value::Boolean(!value)));
        }
    }
}
