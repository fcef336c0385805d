//! Arrays: what is written to slots without need goes, the length is searched for, every slot is written to, and what is
//! written is improved by the operator of its type (§4.1.3).

use testcase::cluster::TypeId;
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::avm::alternate;
use super::climb::{Climb, Reaction};
use super::{LocalSearch, improve_statement};

/// An array is not made longer than this, and slots beyond are not written to.
const LONGEST: u16 = 64;

/// The operator.
#[derive(Debug)]
pub(super) struct Arrays;

impl LocalSearch for Arrays {
    fn name(&self) -> &'static str {
        "arrays"
    }

    fn applies(&self, statement: &Statement) -> bool {
        matches!(statement, Statement::Array { .. })
    }

    fn improve(&self, position: usize, climb: &mut Climb<'_>) {
        let least = drop_writes(position, climb);
        alternate(climb, |climb, step| with_length(climb.test(), position, step, least));
        fill(position, climb);
        // What was filled in stands behind the array; the last one first, as everywhere.
        for value in written(climb.test(), position).into_iter().map(|(_, _, value)| value).rev() {
            if value > position && !climb.is_over() {
                improve_statement(value, climb);
            }
        }
    }
}

/// The writes into an array: where they stand, the slot, where the value is made.
fn written(test: &TestCase, array: usize) -> Vec<(usize, u16, usize)> {
    let writes = test.statements().iter().enumerate().filter_map(|(at, statement)| {
        let Statement::ArrayWrite { array: of, index, value } = statement else { return None };
        (of.index() == array).then_some((at, *index, value.index()))
    });
    writes.collect()
}

/// Drops writes from the highest slot down, as long as the fitness stays the same; the least length that the others need.
fn drop_writes(position: usize, climb: &mut Climb<'_>) -> u16 {
    loop {
        let Some((at, slot, _)) =
            written(climb.test(), position).into_iter().max_by_key(|(_, slot, _)| *slot)
        else {
            return 0;
        };
        let mut test = climb.test().clone();
        test.remove(at);
        match climb.attempt(test.clone()) {
            Reaction::Better => {}
            Reaction::Same => climb.take(test),
            Reaction::Changed | Reaction::Over => return slot + 1,
        }
    }
}

/// The test with an array of another length, `least` at least.
fn with_length(test: &TestCase, position: usize, step: i128, least: u16) -> Option<TestCase> {
    let Some(&Statement::Array { length: old, .. }) = test.statements().get(position) else { return None };
    let longest = LONGEST.max(old);
    let new = i128::from(old).saturating_add(step).clamp(least.min(old).into(), longest.into());
    let new = u16::try_from(new).ok().filter(|new| *new != old)?;
    let mut test = test.clone();
    if let Some(Statement::Array { length, .. }) = test.statements_mut().get_mut(position) {
        *length = new;
    }
    Some(test)
}

/// Writes to every slot that has nothing: a value of its own, which is the one that it has by default. Only arrays of numbers
/// and characters have one that a test may hold.
fn fill(position: usize, climb: &mut Climb<'_>) {
    let Some(&Statement::Array { of, length }) = climb.test().statements().get(position) else { return };
    let cluster = climb.cluster();
    let primitive = cluster.ty(of).element.and_then(TypeId::as_primitive);
    let Some(primitive) = primitive else { return };
    let has: Vec<u16> = written(climb.test(), position).into_iter().map(|(_, slot, _)| slot).collect();
    let mut test = climb.test().clone();
    for slot in (0..length.min(LONGEST)).filter(|slot| !has.contains(slot)).rev() {
        if test.len() + 2 > climb.longest() {
            break;
        }
        let value = VarRef::from(position + 1);
        test.insert(position + 1, Statement::Primitive { value: Value::zero(primitive), boxed: false });
        let write = Statement::ArrayWrite { array: VarRef::from(position), index: slot, value };
        test.insert(position + 2, write);
    }
    // Nothing differs, so that nothing needs to be run.
    climb.take(test);
}

#[cfg(test)]
mod tests {
    use bytecode::descriptor::PrimitiveType;
    use testcase::cluster::testing::ClusterBuilder;

    use super::super::testing::Hill;
    use super::*;

    /// Length and elements of the array that a test makes first.
    fn array(test: &TestCase) -> Vec<i64> {
        let Some(Statement::Array { length, .. }) = test.statements().first() else { panic!("{test:?}") };
        let mut elements = vec![0; usize::from(*length)];
        for (_, slot, value) in written(test, 0) {
            let Statement::Primitive { value, .. } = &test.statements()[value] else { panic!("{test:?}") };
            elements[usize::from(slot)] = value.as_integer().unwrap();
        }
        elements
    }

    #[test]
    fn an_array_gets_the_length_and_the_elements_that_are_wanted() {
        let mut builder = ClusterBuilder::new("Foo");
        let of = builder.array(TypeId::primitive(PrimitiveType::Int));
        let cluster = builder.build();
        let int = |value| Statement::Primitive { value: Value::Int(value), boxed: false };
        let write = |index, value| Statement::ArrayWrite { array: VarRef(0), index, value: VarRef(value) };
        for (length, wanted) in
            [(1, vec![5, 0, -40, 7]), (9, vec![3]), (3, vec![]), (2, vec![0, 0, 0, 0, 0, 9])]
        {
            let start = vec![Statement::Array { of, length }, int(100), write(length - 1, 1)];
            let expect = wanted.clone();
            let mut hill = Hill::new(TestCase::new(start), move |test| {
                let found = array(test);
                let elements: i64 = found.iter().zip(&wanted).map(|(one, other)| (one - other).abs()).sum();
                found.len().abs_diff(wanted.len()) as f64 * 1000.0 + elements as f64
            });
            hill.improve(&cluster);
            assert_eq!(array(&hill.best), expect);
            assert_eq!(hill.best.validate(&cluster), Ok(()));
        }
    }
}
