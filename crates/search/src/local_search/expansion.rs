//! Expansion: every use of a value gets a value of its own, so that local search can change one without the others (§4.2.1).

use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;

/// The test with a copy of a value for each use of it behind the first, as far as it may be that long.
///
/// # Differences
/// Constants of enumerations are values as well.
pub fn expanded(test: &TestCase, longest: usize) -> TestCase {
    let mut test = test.clone();
    let mut position = 0;
    while position < test.len() {
        let statement = &test.statements()[position];
        if matches!(statement, Statement::Primitive { .. } | Statement::EnumConstant { .. }) {
            let value = statement.clone();
            while test.len() < longest && uses(&test, position) > 1 {
                test.insert(position + 1, value.clone());
                move_last_use(&mut test, position, VarRef::from(position + 1));
            }
        }
        position += 1;
    }
    test
}

/// How often statements use a variable.
fn uses(test: &TestCase, position: usize) -> usize {
    let mut number = 0;
    for statement in &test.statements()[position + 1..] {
        statement.for_each_use(|used| number += usize::from(used.index() == position));
    }
    number
}

/// Gives the last use of a variable to another.
fn move_last_use(test: &mut TestCase, position: usize, to: VarRef) {
    let mut left = uses(test, position);
    for statement in &mut test.statements_mut()[position + 1..] {
        statement.for_each_use_mut(|used| {
            if used.index() == position {
                left -= 1;
                if left == 0 {
                    *used = to;
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use testcase::cluster::CallableId;
    use testcase::value::Value;

    use super::*;

    fn int(value: i32) -> Statement {
        Statement::Primitive { value: Value::Int(value), boxed: false }
    }

    fn call(arguments: &[u16]) -> Statement {
        let arguments = arguments.iter().map(|&argument| VarRef(argument)).collect();
        Statement::Method { callable: CallableId(0), receiver: None, arguments }
    }

    #[test]
    fn each_use_of_a_value_gets_its_own() {
        // The example of Figure 3.
        let test = TestCase::new(vec![int(10), call(&[0, 0, 0])]);
        let expand = |longest| expanded(&test, longest).statements().to_vec();
        assert_eq!(expand(9), [int(10), int(10), int(10), call(&[0, 1, 2])]);
        assert_eq!(expand(3), [int(10), int(10), call(&[0, 0, 1])]);
        assert_eq!(expand(2), test.statements());
        let apart = TestCase::new(vec![int(1), call(&[0]), int(2), call(&[0, 2])]);
        assert_eq!(expanded(&apart, 9).statements(), [int(1), int(1), call(&[0]), int(2), call(&[1, 3])]);
    }
}
