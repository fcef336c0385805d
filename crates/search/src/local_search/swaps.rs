//! Swaps: two inputs of a call that fit each other's places change them: operands of a comparison, bounds of a range, the object
//! and what it is compared with.
//!
//! # Differences
//! It is not in the paper, where a call gets other values one at a time (§4.1.4): until both have come, neither helps.

use testcase::cluster::{CallableKind, TestCluster, TypeId};
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;

use super::LocalSearch;
use super::climb::{Climb, Reaction};

/// The operator.
#[derive(Debug)]
pub(super) struct Swaps;

impl LocalSearch for Swaps {
    fn name(&self) -> &'static str {
        "swaps"
    }

    fn applies(&self, statement: &Statement) -> bool {
        matches!(statement, Statement::Constructor { .. } | Statement::Method { .. })
    }

    fn is_ours(&self) -> bool {
        true
    }

    fn improve(&self, position: usize, climb: &mut Climb<'_>) {
        let count = places(climb.test(), position, climb.cluster()).len();
        for one in 0..count {
            for other in one + 1..count {
                let Some(test) = swapped(climb.test(), position, [one, other], climb.cluster()) else {
                    continue;
                };
                if climb.attempt(test) == Reaction::Over {
                    return;
                }
            }
        }
    }
}

/// A place of a call where a variable is used.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Its number in the order of evaluation.
    number: usize,
    variable: VarRef,
    wanted: TypeId,
    /// Whether null is not accepted there.
    is_receiver: bool,
}

/// The places of a call, but for that of an enclosing instance.
fn places(test: &TestCase, position: usize, cluster: &TestCluster) -> Vec<Place> {
    let Some(statement) = test.statements().get(position) else { return Vec::new() };
    let Some(callable) = statement.callable().map(|id| cluster.callable(id)) else { return Vec::new() };
    let has_receiver = callable.kind == CallableKind::InstanceMethod;
    let owner = has_receiver.then_some((callable.owner, true));
    let parameters = callable.parameters.iter().map(|parameter| (parameter.of, false));
    let mut wanted = owner.into_iter().chain(parameters).enumerate();
    let mut places = Vec::new();
    statement.for_each_use(|variable| {
        let Some((number, (wanted, is_receiver))) = wanted.next() else { return };
        if !(callable.takes_enclosing_instance && number == 0) {
            places.push(Place { number, variable, wanted, is_receiver });
        }
    });
    places
}

/// The test with the variables of two places exchanged; `None` where they do not fit or are the same.
fn swapped(
    test: &TestCase,
    position: usize,
    [one, other]: [usize; 2],
    cluster: &TestCluster,
) -> Option<TestCase> {
    let places = places(test, position, cluster);
    let (one, other) = (places.get(one)?, places.get(other)?);
    let fits = |variable: VarRef, place: &Place| {
        let is_null = matches!(test.statement(variable), Statement::Null { .. });
        let of = test.variable_type(cluster, variable);
        !(is_null && place.is_receiver) && of.is_some_and(|of| cluster.is_assignable(of, place.wanted))
    };
    if one.variable == other.variable || !fits(one.variable, other) || !fits(other.variable, one) {
        return None;
    }
    let mut test = test.clone();
    let mut number = 0;
    test.statements_mut()[position].for_each_use_mut(|used| {
        if number == one.number {
            *used = other.variable;
        } else if number == other.number {
            *used = one.variable;
        }
        number += 1;
    });
    Some(test)
}

#[cfg(test)]
mod tests {
    use bytecode::descriptor::PrimitiveType;
    use testcase::cluster::testing::ClusterBuilder;
    use testcase::value::Value;

    use super::super::options::Operators;
    use super::super::testing::Hill;
    use super::*;

    #[test]
    fn inputs_of_a_call_change_places_where_they_fit() {
        let int = TypeId::primitive(PrimitiveType::Int);
        let mut builder = ClusterBuilder::new("p/Foo");
        let foo = builder.class_under_test();
        let between = builder.static_method(foo, "between", &[int, TypeId::STRING, int], None);
        let make = builder.constructor(foo, &[]);
        let compare = builder.method(foo, "compare", &[foo], None);
        let cluster = builder.build();
        let value = |value: Value| Statement::Primitive { value, boxed: false };
        let call = |callable, receiver: Option<u16>, arguments: &[u16]| Statement::Method {
            callable,
            receiver: receiver.map(VarRef),
            arguments: arguments.iter().map(|&at| VarRef(at)).collect(),
        };
        let object = || Statement::Constructor { callable: make, arguments: [].into_iter().collect() };
        let null = || Statement::Null { of: foo };
        let numbers = || vec![value(Value::Int(9)), value(Value::String("a".into())), value(Value::Int(1))];
        let with = |mut values: Vec<Statement>, call: Statement| {
            values.push(call);
            TestCase::new(values)
        };
        // The start, what it becomes, and the most attempts: of what does not fit there is none.
        for (start, expect, most) in [
            (with(numbers(), call(between, None, &[0, 1, 2])), Some(call(between, None, &[2, 1, 0])), 1),
            (
                with(vec![object(), object()], call(compare, Some(0), &[1])),
                Some(call(compare, Some(1), &[0])),
                1,
            ),
            (with(vec![object(), null()], call(compare, Some(0), &[1])), None, 0),
            (with(numbers(), call(between, None, &[0, 1, 0])), None, 0),
        ] {
            let wanted = expect.clone();
            let mut hill =
                Hill::new(
                    start.clone(),
                    move |test| {
                        if test.statements().last() == wanted.as_ref() { 0.0 } else { 1.0 }
                    },
                );
            hill.options.operators = Operators::parse("swaps").unwrap();
            hill.improve(&cluster);
            assert_eq!(hill.best.statements().last(), expect.as_ref().or(start.statements().last()));
            assert_eq!(hill.best.validate(&cluster), Ok(()));
            assert_eq!(hill.attempts, most);
        }
    }
}
