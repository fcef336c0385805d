//! Collections, maps, builders, and every object that calls fill or drive: calls on it that change nothing go, the number of
//! calls of each kind is searched for, and what the new ones take is improved.
//!
//! As arrays (§4.1.3): what is in the collection without need, its size, then its elements. Elements that a test puts in are
//! statements of the test, which their own operators improve.
//!
//! # Differences
//! It is not in the paper, whose collections are objects like any other: calls are put in one at a time and at random (§4.1.4),
//! though often only the fifth one shows.

use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::{JavaString, Value};

use super::avm::alternate;
use super::climb::{Climb, Reaction};
use super::{LocalSearch, improve_statement, integers};

/// Calls of one kind on an object at most.
const MOST_CALLS: usize = 24;

/// Kinds of calls of which the number is searched for; the last ones in the test.
const MOST_KINDS: usize = 3;

/// Calls that are tried on an object that has none.
const FIRST_CALLS: u32 = 3;

/// The operator.
#[derive(Debug)]
pub(super) struct Collections;

impl LocalSearch for Collections {
    fn name(&self) -> &'static str {
        "collections"
    }

    fn applies(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Constructor { .. } | Statement::Method { .. } | Statement::FieldRead { .. } => true,
            Statement::Primitive { .. }
            | Statement::Null { .. }
            | Statement::EnumConstant { .. }
            | Statement::ClassLiteral { .. }
            | Statement::FieldWrite { .. }
            | Statement::Array { .. }
            | Statement::ArrayWrite { .. }
            | Statement::Stub { .. } => false,
        }
    }

    fn is_ours(&self) -> bool {
        true
    }

    fn improve(&self, position: usize, climb: &mut Climb<'_>) {
        let cluster = climb.cluster();
        let of = climb.test().variable_type(cluster, VarRef::from(position));
        if of.is_none_or(|of| cluster.modifiers(of).is_empty()) {
            return;
        }
        drop_calls(position, climb);
        if calls(climb.test(), position).is_empty() {
            make_first_call(position, climb);
        }
        for kind in kinds(climb.test(), position) {
            if climb.is_over() {
                return;
            }
            let before = calls_of(climb.test(), position, &kind).len();
            alternate(climb, |climb, step| with_calls(climb, position, &kind, step));
            improve_new(position, &kind, before, climb);
        }
    }
}

/// The calls on an object, by position.
fn calls(test: &TestCase, object: usize) -> Vec<usize> {
    let statements = test.statements().iter().enumerate();
    let on = statements.filter(|(_, statement)| {
        matches!(statement, Statement::Method { receiver: Some(receiver), .. } if receiver.index() == object)
    });
    on.map(|(at, _)| at).collect()
}

/// The kinds of calls on an object: a call of each, the last one in the test first.
fn kinds(test: &TestCase, object: usize) -> Vec<Statement> {
    let mut kinds: Vec<Statement> = Vec::new();
    for at in calls(test, object).into_iter().rev() {
        let call = &test.statements()[at];
        if kinds.iter().all(|known| known.callable() != call.callable()) {
            kinds.push(call.clone());
        }
    }
    kinds.truncate(MOST_KINDS);
    kinds
}

/// The calls of a kind on an object, by position.
fn calls_of(test: &TestCase, object: usize, kind: &Statement) -> Vec<usize> {
    let is_of = |at: &usize| test.statements()[*at].callable() == kind.callable();
    calls(test, object).into_iter().filter(is_of).collect()
}

/// Drops calls without which the fitness is the same or better, the last one first; the very last call of the test stays, since
/// it may be what is tested.
fn drop_calls(position: usize, climb: &mut Climb<'_>) {
    for at in calls(climb.test(), position).into_iter().rev() {
        if at + 1 >= climb.begun() || climb.test().is_used(VarRef::from(at)) {
            continue;
        }
        let mut test = climb.test().clone();
        test.remove(at);
        match climb.attempt(test.clone()) {
            Reaction::Better | Reaction::Changed => {}
            Reaction::Same => climb.take(test),
            Reaction::Over => return,
        }
    }
}

/// Puts a call on an object that has none, at random, until one helps.
fn make_first_call(position: usize, climb: &mut Climb<'_>) {
    for _ in 0..FIRST_CALLS {
        let (test, is_new) = climb.changed(|test, source, random| source.call_on(test, position, random));
        if is_new && matches!(climb.attempt(test), Reaction::Better | Reaction::Over) {
            return;
        }
    }
}

/// The best test with so many calls of a kind more or fewer on an object; none of those that are left is the last one.
fn with_calls(climb: &Climb<'_>, object: usize, kind: &Statement, step: i128) -> Option<TestCase> {
    let mut test = climb.test().clone();
    let present = calls_of(&test, object, kind).len();
    let wanted = i128::try_from(present).ok()?.saturating_add(step).clamp(0, MOST_CALLS as i128);
    let wanted = usize::try_from(wanted).ok()?;
    while calls_of(&test, object, kind).len() > wanted {
        let unused = |at: &usize| !test.is_used(VarRef::from(*at));
        let last = calls_of(&test, object, kind).into_iter().rfind(unused)?;
        test.remove(last);
    }
    let mut number = 0;
    while calls_of(&test, object, kind).len() < wanted {
        number += 1;
        let last = *calls_of(&test, object, kind).last()?;
        if !repeat(&mut test, last, number, climb.longest()) {
            break;
        }
    }
    (calls_of(&test, object, kind).len() != present).then_some(test)
}

/// Repeats a call right behind it, with values of its own, the next ones to those of the call: a set or map holds each but once.
/// Whether there was room.
fn repeat(test: &mut TestCase, at: usize, number: usize, longest: usize) -> bool {
    let mut call = test.statements()[at].clone();
    let Statement::Method { arguments, .. } = &mut call else { return false };
    let mut values: Vec<Statement> = Vec::new();
    for argument in arguments {
        if let Statement::Primitive { value, boxed } = test.statement(*argument) {
            *argument = VarRef::from(at + 1 + values.len());
            values.push(Statement::Primitive { value: next(value, number), boxed: *boxed });
        }
    }
    if test.len() + values.len() + 1 > longest {
        return false;
    }
    let count = values.len();
    for (offset, value) in values.into_iter().enumerate() {
        test.insert(at + 1 + offset, value);
    }
    test.insert(at + 1 + count, call);
    true
}

/// Another value beside one.
fn next(value: &Value, number: usize) -> Value {
    match value {
        Value::Boolean(value) => Value::Boolean(!value),
        Value::Float(value) => Value::Float(value + 1.0),
        Value::Double(value) => Value::Double(value + 1.0),
        Value::String(text) => {
            let mut units = text.units().to_vec();
            let letter = u16::from(b'a') + u16::try_from(number % 26).unwrap_or(0);
            match units.last_mut() {
                Some(last) => *last = last.wrapping_add(1),
                None => units.push(letter),
            }
            Value::String(JavaString::new(units))
        }
        Value::Byte(_) | Value::Short(_) | Value::Char(_) | Value::Int(_) | Value::Long(_) => {
            integers::stepped(value, 1).unwrap_or_else(|| value.clone())
        }
    }
}

/// Improves the values that new calls take, the last one first, as everywhere.
fn improve_new(position: usize, kind: &Statement, before: usize, climb: &mut Climb<'_>) {
    let new = calls_of(climb.test(), position, kind);
    let mut values = Vec::new();
    for &at in new.iter().skip(before) {
        climb.test().statements()[at].for_each_use(|used| {
            if used.index() > position {
                values.push(used.index());
            }
        });
    }
    for value in values.into_iter().rev() {
        if matches!(climb.test().statements().get(value), Some(Statement::Primitive { .. }))
            && !climb.is_over()
        {
            improve_statement(value, climb);
        }
    }
}

#[cfg(test)]
mod tests {
    use testcase::factory::TestFactory;
    use testcase::factory::options::FactoryOptions;

    use super::super::options::Operators;
    use super::super::testing::{Hill, Things};
    use super::*;

    /// The numbers that a test adds to the list at position 1.
    fn elements(things: &Things, test: &TestCase) -> Vec<i64> {
        let added = test.statements().iter().filter_map(|statement| match statement {
            Statement::Method { callable, arguments, .. } if *callable == things.add => Some(arguments[0]),
            _ => None,
        });
        added
            .filter_map(|added| match test.statement(added) {
                Statement::Primitive { value, .. } => value.as_integer(),
                _ => None,
            })
            .collect()
    }

    /// Checks that a list gets these elements.
    fn check(start: &[i32], wanted: &'static [i64], most: u32) {
        let things = Things::new();
        let mut statements = vec![things.make_foo(), things.make_list()];
        for number in start {
            statements.push(Things::int(*number));
            statements.push(things.add(1, statements.len() as u16 - 1));
        }
        statements.push(things.take(0, 1));
        let of = things.clone();
        let mut hill = Hill::new(TestCase::new(statements), move |test| {
            let found = elements(&of, test);
            let missed: i64 = found.iter().zip(wanted).map(|(one, other)| (one - other).abs()).sum();
            found.len().abs_diff(wanted.len()) as f64 * 1e6 + missed as f64
        });
        hill = hill.with_source(TestFactory::new(&things.cluster, FactoryOptions::default()));
        hill.options.operators = Operators::parse("collections,integers").unwrap();
        hill.improve(&things.cluster);
        assert_eq!(elements(&things, &hill.best), wanted);
        assert_eq!(hill.best.validate(&things.cluster), Ok(()));
        assert!(hill.attempts <= most, "{} attempts", hill.attempts);
    }

    #[test]
    fn a_list_gets_the_size_and_the_elements_that_are_wanted() {
        check(&[5], &[], 40);
        check(&[5, 6, 7, 8, 9], &[5], 200);
        check(&[5], &[5, -3, 80], 200);
        check(&[1], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 100);
    }
}
