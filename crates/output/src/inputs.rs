//! Gives each place of a test in which a value is passed a value of its own.

use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

/// A place in which a value is passed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passed<'a> {
    /// Position of the statement that passes it.
    pub statement: usize,
    pub value: &'a Value,
    /// How often the same variable is passed before, and how often by the same statement.
    pub before: [usize; 2],
}

/// The test in which a new input takes the place of a value wherever `instead` names one. It stands in front of the statement that passes
/// it; inputs that nothing uses any more go.
pub(crate) fn with_own_inputs(
    test: &TestCase,
    instead: &mut dyn FnMut(Passed<'_>) -> Option<Value>,
) -> TestCase {
    let mut changed = test.clone();
    let mut seen: Vec<VarRef> = Vec::new();
    let mut position = 0;
    for statement in 0..test.len() {
        let here = seen.len();
        for (place, used) in test.statement(VarRef::from(statement)).used().into_iter().enumerate() {
            let Statement::Primitive { value, boxed } = test.statement(used) else { continue };
            let number = |seen: &[VarRef]| seen.iter().filter(|&&other| other == used).count();
            let before = [number(&seen), number(&seen[here..])];
            seen.push(used);
            let Some(value) = instead(Passed { statement, value, before }) else { continue };
            changed.insert(position, Statement::Primitive { value, boxed: *boxed });
            changed.statements_mut()[position + 1].redirect(place, VarRef::from(position));
            position += 1;
        }
        position += 1;
    }
    for position in (0..changed.len()).rev() {
        let is_primitive = matches!(changed.statement(VarRef::from(position)), Statement::Primitive { .. });
        if is_primitive && !changed.is_used(VarRef::from(position)) {
            changed.remove(position);
        }
    }
    changed
}
