//! Operands that tell more: other objects where a call works on one object twice, and others again where a method has
//! only shown what a method that does nothing would give.
//!
//! `x.subtract(x)` and `ZERO.longValue()` cover their code, but most mistakes in it leave the zero that they give.

use coverage::goal::GoalId;
use testcase::cluster::{Generator, TestCluster, TypeId};
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::results::{ResultKind, Shown, last_result};
use super::runner::{Candidate, Runner};
use super::statements::plain_generators;
use super::values::candidates;
use crate::ending::Ending;
use crate::inputs::{Passed, with_own_inputs};

/// Other objects tried for one operand.
const ALTERNATIVES: usize = 8;
/// Changes tried to make a result tell more.
const VARIANTS: usize = 24;

/// Values of one type that are natural: as many as there are letters.
const MOST_NATURAL: usize = 26;

/// Gives the last call another object or value where it works on one twice, while the test covers `required` and ends
/// no worse.
pub(super) fn distinguish(
    runner: &mut Runner<'_>,
    cluster: &TestCluster,
    start: Candidate,
    required: &[GoalId],
) -> Candidate {
    runner.is_long = start.is_long;
    let mut best = distinguish_inputs(runner, start, required);
    while let Some((last, operand)) = repeated_operand(&best.test) {
        let others = if let Statement::Primitive { value, boxed } = best.test.statement(operand) {
            primitives(value, *boxed)
        } else {
            others(cluster, &best.test, operand)
        };
        let mut accepted = None;
        for source in others.into_iter().filter(|other| !best.test.statements().contains(other)) {
            let mut changed = best.test.clone();
            changed.insert(last, source);
            replace_last_use(&mut changed, last + 1, operand, VarRef::from(last));
            accepted = runner.accept(changed, required, best.ending);
            if accepted.is_some() {
                break;
            }
        }
        match accepted {
            Some(accepted) => best = accepted,
            None => break,
        }
    }
    best
}

/// Gives values that are passed several times another one each time but the first: in the whole test, else in those statements that pass
/// one twice. `Triple.of("a", "a", "a")` does not show which of them comes out where.
fn distinguish_inputs(runner: &mut Runner<'_>, start: Candidate, required: &[GoalId]) -> Candidate {
    let whole = apart(&start.test, &|place| place.before[0] > 0);
    let accepted = whole.and_then(|changed| runner.accept(changed, required, start.ending));
    if let Some(accepted) = accepted {
        return accepted;
    }
    let mut best = start;
    // From behind: what stands in front keeps its position.
    for statement in (0..best.test.len()).rev() {
        let changed = apart(&best.test, &|place| place.statement == statement && place.before[1] > 0);
        if let Some(accepted) = changed.and_then(|changed| runner.accept(changed, required, best.ending)) {
            best = accepted;
        }
    }
    best
}

/// The test with other values, those that a person would write first, in these places; `None` where it has none of them.
fn apart(test: &TestCase, is_meant: &dyn Fn(Passed<'_>) -> bool) -> Option<TestCase> {
    let values = test.statements().iter().filter_map(|statement| {
        let Statement::Primitive { value, .. } = statement else { return None };
        Some(value.clone())
    });
    let mut taken: Vec<Value> = values.collect();
    let changed = with_own_inputs(test, &mut |place| {
        let natural =
            (0..MOST_NATURAL).filter_map(|ordinal| candidates(place.value, ordinal).into_iter().next());
        let other = natural.filter(|_| is_meant(place)).find(|other| !taken.contains(other))?;
        taken.push(other.clone());
        Some(other)
    });
    (changed != *test).then_some(changed)
}

/// Looks for inputs and constants with which a call that gives a default (`null`, zero, nothing) gives more, while the
/// test covers `required`.
pub(super) fn tell_more(
    runner: &mut Runner<'_>,
    cluster: &TestCluster,
    start: Candidate,
    required: &[GoalId],
) -> Candidate {
    runner.is_long = start.is_long;
    let is_default =
        |shown: Shown| matches!(shown.kind, ResultKind::Null | ResultKind::Zero | ResultKind::Empty);
    if !last_result(runner, cluster, &start).is_some_and(is_default) {
        return start;
    }
    for variant in variants(cluster, &start.test).into_iter().take(VARIANTS) {
        if let Some(accepted) = runner.accept(variant, required, Ending::Passes)
            && last_result(runner, cluster, &accepted).is_some_and(|shown| shown.kind.is_telling())
        {
            return accepted;
        }
    }
    start
}

/// The same test with other inputs and constants, one at a time.
pub(super) fn variants(cluster: &TestCluster, test: &TestCase) -> Vec<TestCase> {
    let mut found = Vec::new();
    for (position, statement) in test.statements().iter().enumerate().rev() {
        let instead: Vec<Statement> = match statement {
            Statement::Primitive { value, boxed } => primitives(value, *boxed),
            Statement::FieldRead { receiver: None, .. } => others(cluster, test, VarRef::from(position)),
            Statement::FieldRead { receiver: Some(_), .. }
            | Statement::Null { .. }
            | Statement::Array { .. }
            | Statement::EnumConstant { .. }
            | Statement::ClassLiteral { .. }
            | Statement::Constructor { .. }
            | Statement::Method { .. }
            | Statement::FieldWrite { .. }
            | Statement::ArrayWrite { .. }
            | Statement::Stub { .. } => Vec::new(),
        };
        for other in instead {
            let mut changed = test.clone();
            changed.statements_mut()[position] = other;
            found.push(changed);
        }
    }
    found
}

/// Calls of a method without parameters on other objects: those that the tests of the suite make.
pub(super) fn transplants(cluster: &TestCluster, suite: &[Candidate], test: &TestCase) -> Vec<TestCase> {
    let Some(Statement::Method { callable, receiver: Some(receiver), arguments }) = test.statements().last()
    else {
        return Vec::new();
    };
    let of = test.variable_type(cluster, *receiver);
    let mut found = Vec::new();
    for other in suite.iter().filter(|_| arguments.is_empty()) {
        let made = (0..other.test.len()).map(VarRef::from).find(|&variable| {
            matches!(other.test.statement(variable), Statement::Constructor { .. })
                && other.test.variable_type(cluster, variable) == of
        });
        let throws_at = other.thrown.as_ref().map_or(other.test.len(), |thrown| thrown.position);
        if let Some(made) = made.filter(|made| made.index() < throws_at) {
            let mut moved = other.test.clone();
            moved.truncate(made.index() + 1);
            let (callable, arguments) = (*callable, arguments.clone());
            moved.push(Statement::Method { callable, receiver: Some(made), arguments });
            if !found.contains(&moved) {
                found.push(moved);
            }
        }
    }
    found.truncate(VARIANTS);
    found
}

fn primitives(value: &Value, boxed: bool) -> Vec<Statement> {
    other_values(value).into_iter().map(|value| Statement::Primitive { value, boxed }).collect()
}

/// Values unlike the given one, and unlike neutral elements.
pub(super) fn other_values(value: &Value) -> Vec<Value> {
    let whole = |numbers: &[i64]| -> Vec<Value> {
        let of = value.primitive_type();
        let made = numbers.iter().filter_map(|&number| Some(Value::from_integer(of?, number)));
        made.filter(|made| made != value).collect()
    };
    match value {
        Value::Boolean(flag) => vec![Value::Boolean(!flag)],
        Value::Byte(_) | Value::Short(_) | Value::Int(_) | Value::Long(_) => whole(&[3, -3, 12, 0, 1]),
        Value::Char(_) => whole(&[i64::from(b'a'), i64::from(b'Z'), i64::from(b'7'), i64::from(b' ')]),
        Value::Float(_) => vec![Value::Float(2.5), Value::Float(-2.5)],
        Value::Double(_) => vec![Value::Double(2.5), Value::Double(-2.5)],
        Value::String(_) => {
            ["abc", "12", "true"].into_iter().map(|text| Value::String(text.into())).collect()
        }
    }
}

/// The variable that the last statement uses twice, with the position of that statement.
fn repeated_operand(test: &TestCase) -> Option<(usize, VarRef)> {
    let last = test.len().checked_sub(1)?;
    let (mut seen, mut repeated) = (Vec::new(), None);
    test.statement(VarRef::from(last)).for_each_use(|used| {
        if seen.contains(&used) {
            repeated = repeated.or(Some(used));
        }
        seen.push(used);
    });
    let can_differ = |&variable: &VarRef| {
        let statement = test.statement(variable);
        !matches!(statement, Statement::Primitive { value: Value::Boolean(_), .. } | Statement::Null { .. })
    };
    repeated.filter(can_differ).map(|operand| (last, operand))
}

fn replace_last_use(test: &mut TestCase, position: usize, operand: VarRef, other: VarRef) {
    let last = test.statement(VarRef::from(position)).used().iter().rposition(|&used| used == operand);
    if let Some(last) = last {
        test.statements_mut()[position].redirect(last, other);
    }
}

/// Other ways to get an object of a variable's type from nothing: constants first, those behind its own before the
/// others, so that different tests get different ones.
fn others(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> Vec<Statement> {
    let Some(of) = test.variable_type(cluster, variable) else {
        return Vec::new();
    };
    let own = test.statement(variable);
    let mut found = constants(cluster, of);
    if let Some(place) = found.iter().position(|constant| constant == own) {
        found.rotate_left(place);
    }
    found.extend(plain_generators(cluster, of));
    found.retain(|other| other != own);
    found.truncate(ALTERNATIVES);
    found
}

/// Static fields that hold objects of a type.
fn constants(cluster: &TestCluster, of: TypeId) -> Vec<Statement> {
    let constant = |generator: &Generator| match *generator {
        Generator::Field(field) if cluster.field(field).access.is_static() => {
            Some(Statement::FieldRead { field, receiver: None })
        }
        Generator::Field(_) | Generator::Callable(_) | Generator::Of(_) | Generator::Stub(_) => None,
    };
    cluster.generators(of).iter().filter_map(constant).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_values_are_of_the_same_type_and_different() {
        for value in [Value::Byte(3), Value::Int(0), Value::Long(1), Value::Char(97), Value::Boolean(true)] {
            let others = other_values(&value);
            assert!(!others.is_empty() && !others.contains(&value), "{value:?}");
            let is_alike = |other: &Value| std::mem::discriminant(other) == std::mem::discriminant(&value);
            assert!(others.iter().all(is_alike), "{value:?}");
        }
    }

    #[test]
    fn values_that_are_passed_several_times_become_different_ones() {
        let input = |value| Statement::Primitive { value, boxed: false };
        let text = |text: &str| Value::String(text.into());
        let array = Statement::Array { of: TypeId::OBJECT, length: 3 };
        let write = |value: usize| Statement::ArrayWrite {
            array: VarRef::from(0),
            index: 0,
            value: VarRef::from(value),
        };
        let inputs = [text("a"), Value::Boolean(true), Value::Int(7)].map(input);
        let mut statements = vec![array];
        statements.extend(inputs);
        statements.extend([1, 3, 1, 2, 2, 3, 1].map(write));
        let test = TestCase::new(statements);
        let written = |test: &TestCase| {
            let value = |statement: &Statement| {
                let Statement::ArrayWrite { value, .. } = statement else { return None };
                let Statement::Primitive { value, .. } = test.statement(*value) else { return None };
                Some(value.clone())
            };
            test.statements().iter().filter_map(value).collect::<Vec<Value>>()
        };
        let changed = apart(&test, &|place| place.before[0] > 0).unwrap();
        let yes = Value::Boolean(true);
        let expect = [text("a"), Value::Int(7), text("b"), yes.clone(), yes, Value::Int(1), text("c")];
        assert_eq!(written(&changed), expect);
        assert_eq!(apart(&changed, &|place| place.before[0] > 0), None);
        assert_eq!(apart(&test, &|place| place.before[1] > 0), None, "no statement passes one twice");
    }

    #[test]
    fn only_operands_that_can_differ_are_found_repeated_and_the_last_use_is_replaced() {
        let input = |value| Statement::Primitive { value, boxed: false };
        let write = |array: usize, value: usize| {
            let (array, value) = (VarRef::from(array), VarRef::from(value));
            Statement::ArrayWrite { array, index: 0, value }
        };
        for (value, expect) in [(Value::Int(4), Some((1, VarRef::from(0)))), (Value::Boolean(true), None)] {
            let mut test = TestCase::new(vec![input(value), write(0, 0)]);
            assert_eq!(repeated_operand(&test), expect);
            test.insert(1, input(Value::Int(5)));
            replace_last_use(&mut test, 2, VarRef::from(0), VarRef::from(1));
            assert_eq!(test.statements().last(), Some(&write(0, 1)));
        }
    }
}
