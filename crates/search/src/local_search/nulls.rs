//! Null: an object that a call, a field or an array gets gives way to null, and null to an object.
//!
//! # Differences
//! It is not in the paper, which only swaps values that the test has (§4.1.4).

use testcase::cluster::{TestCluster, TypeId};
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;

use super::LocalSearch;
use super::climb::{Climb, Reaction};

/// Objects that are made to take the place of null.
const MOST_OBJECTS: u32 = 4;

/// The operator.
#[derive(Debug)]
pub(super) struct Nulls;

impl LocalSearch for Nulls {
    fn name(&self) -> &'static str {
        "nulls"
    }

    fn applies(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Null { .. }
            | Statement::Constructor { .. }
            | Statement::Method { .. }
            | Statement::FieldWrite { .. }
            | Statement::ArrayWrite { .. } => true,
            Statement::Primitive { .. }
            | Statement::EnumConstant { .. }
            | Statement::ClassLiteral { .. }
            | Statement::FieldRead { .. }
            | Statement::Array { .. }
            | Statement::Stub { .. } => false,
        }
    }

    fn is_ours(&self) -> bool {
        true
    }

    fn improve(&self, position: usize, climb: &mut Climb<'_>) {
        if matches!(climb.test().statements().get(position), Some(Statement::Null { .. })) {
            make_object(position, climb);
        } else {
            give_null(position, climb);
        }
    }
}

/// Makes objects in the place of null until one helps.
fn make_object(position: usize, climb: &mut Climb<'_>) {
    for _ in 0..MOST_OBJECTS {
        let (test, now) =
            climb.changed(|test, source, random| source.change_statement(test, position, random));
        if now.is_some() && matches!(climb.attempt(test), Reaction::Better | Reaction::Over) {
            return;
        }
    }
}

/// Gives null for each object in turn.
fn give_null(position: usize, climb: &mut Climb<'_>) {
    // Every null that stays moves the statement by one.
    let mut at = position;
    for number in 0..inputs(climb.test(), position, climb.cluster()).len() {
        let Some(test) = with_null(climb.test(), at, number, climb.cluster()) else { continue };
        if test.len() > climb.longest() {
            return;
        }
        match climb.attempt(test) {
            Reaction::Better => at += 1,
            Reaction::Changed | Reaction::Same => {}
            Reaction::Over => return,
        }
    }
}

/// What a statement takes where null is accepted, with its number among all uses and the type that is wanted.
fn inputs(test: &TestCase, position: usize, cluster: &TestCluster) -> Vec<(usize, VarRef, TypeId)> {
    let places = test.taken(cluster, &test.statements()[position]).into_iter().enumerate();
    let places = places.filter_map(|(number, (used, wanted))| Some((number, used, wanted?)));
    places.filter(|(_, _, wanted)| wanted.as_primitive().is_none()).collect()
}

/// The test with null for an input of a statement; `None` where it has null already.
fn with_null(test: &TestCase, position: usize, input: usize, cluster: &TestCluster) -> Option<TestCase> {
    let (number, used, wanted) = inputs(test, position, cluster).get(input).copied()?;
    if matches!(test.statement(used), Statement::Null { .. }) {
        return None;
    }
    let mut test = test.clone();
    test.insert(position, Statement::Null { of: wanted });
    test.statements_mut()[position + 1].redirect(number, VarRef::from(position));
    Some(test)
}

#[cfg(test)]
mod tests {
    use testcase::factory::TestFactory;
    use testcase::factory::options::FactoryOptions;

    use super::super::options::Operators;
    use super::super::testing::{Hill, Things};
    use super::*;

    /// Checks that a test becomes one of which something holds, in so many attempts.
    fn check(start: Vec<Statement>, wanted: impl Fn(&TestCase) -> bool + Copy + 'static, most: u32) {
        let things = Things::new();
        let factory = TestFactory::new(&things.cluster, FactoryOptions::default());
        let mut hill = Hill::new(TestCase::new(start), move |test| f64::from(u8::from(!wanted(test))));
        hill = hill.with_source(factory);
        hill.options.operators = Operators::parse("nulls").unwrap();
        hill.improve(&things.cluster);
        assert!(wanted(&hill.best), "{:?}", hill.best);
        assert_eq!(hill.best.validate(&things.cluster), Ok(()));
        assert!(hill.attempts <= most, "{} attempts", hill.attempts);
    }

    /// Whether the list that the last statement takes is null.
    fn has_null(test: &TestCase) -> bool {
        let Some(Statement::Method { arguments, .. }) = test.statements().last() else { return false };
        arguments.iter().any(|&argument| matches!(test.statement(argument), Statement::Null { .. }))
    }

    #[test]
    fn an_object_becomes_null_and_null_an_object() {
        let things = Things::new();
        let start = vec![things.make_foo(), things.make_list(), things.take(0, 1)];
        check(start, has_null, 2);
        let start = vec![things.make_foo(), things.null_list(), things.take(0, 1)];
        check(start, |test| !has_null(test), 5);
    }
}
