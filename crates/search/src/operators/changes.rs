//! What mutation changed in a test, found by comparing the test before and after.
//!
//! Galeotti, Fraser and Arcuri 2013, §III-C, and Fraser, Arcuri and `McMinn` 2015, §4.3: whether the value of a primitive was
//! changed says whether such values matter, and the statements that were changed are those that local search begins with.
//! Comparing needs nothing of what makes tests, and runs only where somebody asks.

use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;

/// What is new in a test.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// Positions of the statements that are new or differ, ascending.
    pub statements: Vec<usize>,
    /// Whether the value of a primitive, of a string or of an enumeration was changed in place.
    pub primitive: bool,
}

impl Changes {
    /// What `after` has that `before` has not. Statements belong to one another that do the same, in the same order; among the
    /// ways to pair them that pair most, one counts that leaves most as they were.
    pub fn between(before: &TestCase, after: &TestCase) -> Self {
        let pairs = pairs(before.statements(), after.statements());
        let mut now_of: Vec<Option<usize>> = vec![None; before.len()];
        for (now, was) in pairs.iter().enumerate() {
            if let Some(was) = was {
                now_of[*was] = Some(now);
            }
        }
        let mut changes = Self::default();
        for (now, (statement, was)) in after.statements().iter().zip(&pairs).enumerate() {
            let Some(was) = was.map(|was| &before.statements()[was]) else {
                changes.statements.push(now);
                continue;
            };
            let mut moved = was.clone();
            let mut is_known = true;
            moved.for_each_use_mut(|used| match now_of[used.index()] {
                Some(now) => *used = VarRef::from(now),
                None => is_known = false,
            });
            if !is_known || moved != *statement {
                changes.primitive |= is_value(statement);
                changes.statements.push(now);
            }
        }
        changes
    }
}

/// Whether a statement is a value.
fn is_value(statement: &Statement) -> bool {
    matches!(statement, Statement::Primitive { .. } | Statement::EnumConstant { .. })
}

/// The statement of before that each statement of after belongs to: the longest common subsequence of what they do.
fn pairs(before: &[Statement], after: &[Statement]) -> Vec<Option<usize>> {
    let width = after.len() + 1;
    // The most that pairing what lies behind can bring.
    let mut best = vec![0_u32; (before.len() + 1) * width];
    for was in (0..before.len()).rev() {
        for now in (0..after.len()).rev() {
            let skip = best[(was + 1) * width + now].max(best[was * width + now + 1]);
            let likeness = likeness(&before[was], &after[now]);
            let pair = if likeness == 0 { 0 } else { best[(was + 1) * width + now + 1] + likeness };
            best[was * width + now] = skip.max(pair);
        }
    }
    let mut found = vec![None; after.len()];
    let (mut was, mut now) = (0, 0);
    while was < before.len() && now < after.len() {
        let likeness = likeness(&before[was], &after[now]);
        if likeness > 0 && best[was * width + now] == best[(was + 1) * width + now + 1] + likeness {
            found[now] = Some(was);
            (was, now) = (was + 1, now + 1);
        } else if best[was * width + now] == best[(was + 1) * width + now] {
            was += 1;
        } else {
            now += 1;
        }
    }
    found
}

/// How much two statements have in common: nothing, what they do, or the values as well. Their inputs do not count.
fn likeness(one: &Statement, other: &Statement) -> u32 {
    const SAME_KIND: u32 = 100;
    const SAME: u32 = 101;
    let kind = |is_same: bool| if is_same { SAME_KIND } else { 0 };
    let value = |is_same_kind: bool| if one == other { SAME } else { kind(is_same_kind) };
    match (one, other) {
        (Statement::Primitive { value: a, boxed }, Statement::Primitive { value: b, boxed: also }) => {
            value(std::mem::discriminant(a) == std::mem::discriminant(b) && boxed == also)
        }
        (Statement::EnumConstant { .. }, Statement::EnumConstant { .. }) => value(true),
        (Statement::Array { of, .. }, Statement::Array { of: also, .. }) => value(of == also),
        (Statement::Stub { stub, .. }, Statement::Stub { stub: also, .. }) => kind(stub == also),
        (Statement::ArrayWrite { .. }, Statement::ArrayWrite { .. }) => kind(true),
        (Statement::FieldRead { field, .. }, Statement::FieldRead { field: also, .. })
        | (Statement::FieldWrite { field, .. }, Statement::FieldWrite { field: also, .. }) => {
            kind(field == also)
        }
        (Statement::Constructor { callable, .. }, Statement::Constructor { callable: also, .. })
        | (Statement::Method { callable, .. }, Statement::Method { callable: also, .. }) => {
            kind(callable == also)
        }
        (one, other) => kind(one == other),
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

    fn call(callable: u32, arguments: &[u16]) -> Statement {
        let arguments = arguments.iter().map(|&argument| VarRef(argument)).collect();
        Statement::Method { callable: CallableId(callable), receiver: None, arguments }
    }

    fn check(before: &[Statement], after: &[Statement], statements: &[usize], primitive: bool) {
        let found = Changes::between(&TestCase::new(before.to_vec()), &TestCase::new(after.to_vec()));
        assert_eq!(found, Changes { statements: statements.to_vec(), primitive }, "{before:?} {after:?}");
    }

    #[test]
    fn a_value_that_is_changed_in_place_is_told() {
        check(&[int(1), call(0, &[0])], &[int(1), call(0, &[0])], &[], false);
        check(&[int(1), call(0, &[0])], &[int(2), call(0, &[0])], &[0], true);
        check(&[int(1), int(2), call(0, &[0, 1])], &[int(1), int(5), call(0, &[0, 1])], &[1], true);
        let of_type = |value| Statement::Primitive { value, boxed: false };
        check(&[of_type(Value::Int(1))], &[of_type(Value::Long(1))], &[0], false);
    }

    #[test]
    fn what_is_inserted_is_new_and_changes_no_value() {
        check(&[int(1), call(0, &[0])], &[int(7), call(1, &[0]), int(1), call(0, &[2])], &[0, 1], false);
        check(&[int(1), call(0, &[0])], &[int(1), call(0, &[0]), call(0, &[0])], &[2], false);
    }

    #[test]
    fn what_is_deleted_leaves_the_others_as_they_were() {
        check(&[int(1), int(2), call(0, &[0]), call(1, &[1])], &[int(2), call(1, &[0])], &[], false);
    }

    #[test]
    fn a_call_that_gets_another_input_differs() {
        check(&[int(1), int(1), call(0, &[0])], &[int(1), int(1), call(0, &[1])], &[2], false);
        check(&[int(1), call(0, &[0])], &[int(1), call(1, &[0])], &[1], false);
    }
}
