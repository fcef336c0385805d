//! The object that tests are about, made of the same things in each.
//!
//! Each test that a search gives makes its object in its own way: of other numbers, of a `LinkedHashMap` where another test has a `HashMap`,
//! of four statements where another one has two. A reader takes each difference for what the test is about, and looks in vain. So where
//! making an object takes more than a line, a test makes its own as most others do, as long as it covers the structure that it
//! covered, and kills what it killed; what it asserts may be another value.

use std::collections::{BTreeMap, BTreeSet};

use testcase::assertable::{Lengths, assertable_at, still_shows};
use testcase::assertion::{ObservationPoint, ObservationTarget, ObservedValue};
use testcase::cluster::TestCluster;
use testcase::execution::Executor;
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;

use super::beginnings::{LEAST_TESTS, asserted, ordered, receiver};
use crate::asserted_test::AssertedTest;

/// Ways to make an object that tests are tried with.
const MAKINGS: usize = 3;
/// Fewest arguments of a constructor that a reader wants to see once only, where each is a literal.
const MANY_ARGUMENTS: usize = 4;

/// How an object is made: what it needs, in the order in which it is used, and the constructor at last. Variables are positions in it.
#[derive(Debug, Clone, PartialEq)]
struct Making(Vec<Statement>);

impl Making {
    /// How the object of a test is made; `None` where something is done to what it is made of before it is there, which the object may need.
    fn of(test: &TestCase, object: VarRef) -> Option<Self> {
        let mut order = Vec::new();
        ordered(test, object, &mut order);
        let is_part = |variable: &VarRef| order.contains(&variable.index());
        let before = test.statements()[..object.index()].iter().enumerate();
        let mut others = before.filter(|(position, _)| !order.contains(position));
        if others.any(|(_, statement)| statement.used().iter().any(is_part)) {
            return None;
        }
        let mut new = BTreeMap::new();
        let statements = order.iter().enumerate().map(|(place, &position)| {
            new.insert(position, VarRef::from(place));
            let mut statement = test.statements()[position].clone();
            statement.for_each_use_mut(|used| *used = new[&used.index()]);
            statement
        });
        Some(Self(statements.collect()))
    }

    /// Whether it takes more than a line that a reader takes in at once: `new Fraction(1, 2)` says what a test is about.
    fn is_long(&self) -> bool {
        let Some((constructor, parts)) = self.0.split_last() else { return false };
        let is_made = |part: &&Statement| {
            !matches!(
                part,
                Statement::Primitive { .. }
                    | Statement::Null { .. }
                    | Statement::EnumConstant { .. }
                    | Statement::ClassLiteral { .. }
            )
        };
        parts.iter().any(|part| is_made(&part)) || constructor.used().len() >= MANY_ARGUMENTS
    }

    fn nulls(&self) -> usize {
        self.0.iter().filter(|part| matches!(part, Statement::Null { .. })).count()
    }
}

/// Has the tests with these numbers, whose objects one constructor makes, make them alike. `instead` gives the test that takes the place of
/// another one, if it may.
pub(super) fn make_alike(
    cluster: &TestCluster,
    tests: &mut [AssertedTest],
    members: &[usize],
    instead: &mut dyn FnMut(&AssertedTest, AssertedTest) -> Option<AssertedTest>,
) {
    let mut left: Vec<(usize, Making)> = members
        .iter()
        .filter(|&&number| !tests[number].fails)
        .filter_map(|&number| {
            let test = &tests[number].test;
            let (_, object) = receiver(cluster, test)?;
            Some((number, Making::of(test, object)?))
        })
        .collect();
    for making in usual(&left) {
        let mut taken: Vec<usize> = Vec::new();
        let mut changed: Vec<(usize, AssertedTest)> = Vec::new();
        for (number, own) in &left {
            let test = &tests[*number];
            if *own == making {
                taken.push(*number);
            } else if test.name.is_none()
                && let Some(other) = made_by(cluster, test, &making)
                && let Some(other) = instead(test, other)
            {
                changed.push((*number, other));
            }
        }
        if taken.len() + changed.len() < LEAST_TESTS {
            continue;
        }
        for (number, other) in changed {
            tests[number] = other;
            taken.push(number);
        }
        left.retain(|(number, _)| !taken.contains(number));
    }
}

/// The ways to make an object that most tests have, those that leave least open and are shortest among them first.
fn usual(tests: &[(usize, Making)]) -> Vec<Making> {
    let mut found: Vec<(usize, &Making)> = Vec::new();
    for (_, making) in tests.iter().filter(|(_, making)| making.is_long()) {
        match found.iter_mut().find(|(_, known)| *known == making) {
            Some((count, _)) => *count += 1,
            None => found.push((1, making)),
        }
    }
    found.sort_by_key(|(count, making)| (usize::MAX - count, making.nulls(), making.0.len()));
    found.into_iter().take(MAKINGS).map(|(_, making)| making.clone()).collect()
}

/// The test with its object made in this way, first; `None` where it cannot be.
fn made_by(cluster: &TestCluster, test: &AssertedTest, making: &Making) -> Option<AssertedTest> {
    let (_, object) = receiver(cluster, &test.test)?;
    let statements = test.test.statements();
    let mut parts = Vec::new();
    ordered(&test.test, object, &mut parts);
    let mut new: BTreeMap<VarRef, VarRef> = BTreeMap::new();
    pair(&test.test, object, making, VarRef::from(making.0.len().checked_sub(1)?), &mut new);
    let kept = kept(test, &parts, &new);
    let mut made = TestCase::new(making.0.clone());
    for (position, statement) in statements.iter().enumerate() {
        let variable = VarRef::from(position);
        if kept.contains(&position) && !new.contains_key(&variable) {
            let mut statement = statement.clone();
            statement.for_each_use_mut(|used| *used = new[used]);
            new.insert(variable, made.push(statement));
        }
    }
    let moved = test.moved(made, &|of: VarRef| new.get(&of).copied().unwrap_or(of));
    let is_meant = moved.test != test.test && moved.test.validate(cluster).is_ok();
    (is_meant && moved.assertions.iter().all(|of| is_of_its_stub(&moved.test, of.target))).then_some(moved)
}

/// Whether calls that are asserted are those of a stub that is still there: another making may have a real object in its place.
fn is_of_its_stub(test: &TestCase, target: ObservationTarget) -> bool {
    let ObservationTarget::Calls(variable, of) = target else { return true };
    matches!(test.statement(variable), Statement::Stub { stub, .. } if *stub == of)
}

/// Notes which part of the making stands for which variable of the test: its object, and what both are made of in the same way.
fn pair(test: &TestCase, old: VarRef, making: &Making, part: VarRef, new: &mut BTreeMap<VarRef, VarRef>) {
    if new.contains_key(&old) {
        return;
    }
    new.insert(old, part);
    let (statement, other) = (test.statement(old), &making.0[part.index()]);
    if statement.callable().is_some() && statement.callable() == other.callable() {
        for (old, part) in statement.used().into_iter().zip(other.used()) {
            pair(test, old, making, part, new);
        }
    }
}

/// The statements that stay: all that are no part of the object, and of its parts those that others use, or that something is asserted of.
fn kept(test: &AssertedTest, parts: &[usize], new: &BTreeMap<VarRef, VarRef>) -> BTreeSet<usize> {
    let statements = test.test.statements();
    let asserted = asserted(test);
    let mut kept = BTreeSet::new();
    for position in (0..statements.len()).rev() {
        let variable = VarRef::from(position);
        let is_used = || {
            let mut users = kept.iter().filter(|&&user| !new.contains_key(&VarRef::from(user)));
            users.any(|&user: &usize| statements[user].uses(variable))
        };
        if !parts.contains(&position) || asserted.contains(&variable) || is_used() {
            kept.insert(position);
        }
    }
    kept
}

/// The test with what it shows in the place of what it expects, where that is another value of the same kind; `None` where it shows
/// something else.
pub(super) fn expecting_what_it_shows(
    mut test: AssertedTest,
    executor: &mut dyn Executor,
) -> Option<AssertedTest> {
    let points = test.assertions.iter().map(|of| ObservationPoint { after: of.after, target: of.target });
    let seen = executor.observe(&test.test, &points.collect::<Vec<_>>());
    let lengths = Lengths::default();
    for (assertion, value) in test.assertions.iter_mut().zip(&seen.values) {
        let (target, value) = (assertion.target, value.as_ref());
        if still_shows(target, &assertion.expected, value, &test.test, lengths) {
            continue;
        }
        let shown = assertable_at(target, value?, &test.test, lengths)?;
        let is_plain = matches!(
            shown,
            ObservedValue::Primitive(_) | ObservedValue::Boxed(_) | ObservedValue::Text { .. }
        );
        if !is_plain || std::mem::discriminant(&shown) != std::mem::discriminant(&assertion.expected) {
            return None;
        }
        assertion.expected = shown;
    }
    Some(test)
}

#[cfg(test)]
mod tests {
    use bytecode::descriptor::PrimitiveType;
    use bytecode::signature::GenericType;
    use testcase::assertion::Assertion;
    use testcase::cluster::testing::ClusterBuilder;
    use testcase::cluster::{CallableId, StubId, TypeId};
    use testcase::execution::{ExecutionResult, Observations, Outcome};
    use testcase::run_request::RunRequest;
    use testcase::statement::{Arguments, Script};
    use testcase::value::Value;

    use super::*;

    /// A road that is made of a list and a number, with `road.length(number)`, and lists that are made of nothing, or of another one, with
    /// `list.add(number)`: callables by their place.
    fn cluster() -> TestCluster {
        let mut builder = ClusterBuilder::new("Road");
        let int = builder.ty(GenericType::Primitive(PrimitiveType::Int));
        let (road, list) = (builder.class_under_test(), builder.class("List"));
        builder.constructor(road, &[list, int]);
        builder.method(road, "length", &[int], Some(int));
        builder.constructor(list, &[]);
        builder.constructor(list, &[list]);
        builder.method(list, "add", &[int], None);
        builder.build()
    }

    const ROAD: u32 = 0;
    const LENGTH: u32 = 1;
    const LIST: u32 = 2;
    const COPY: u32 = 3;
    const ADD: u32 = 4;

    fn arguments(of: &[usize]) -> Arguments {
        of.iter().map(|&of| VarRef::from(of)).collect()
    }

    fn new(callable: u32, of: &[usize]) -> Statement {
        Statement::Constructor { callable: CallableId(callable), arguments: arguments(of) }
    }

    fn call(callable: u32, receiver: usize, of: &[usize]) -> Statement {
        let receiver = Some(VarRef::from(receiver));
        Statement::Method { callable: CallableId(callable), receiver, arguments: arguments(of) }
    }

    fn int(value: i32) -> Statement {
        Statement::Primitive { value: Value::Int(value), boxed: false }
    }

    /// A test that asserts what its last call gives.
    fn test(statements: &[Statement]) -> AssertedTest {
        let last = VarRef::from(statements.len() - 1);
        let expected = ObservedValue::Primitive(Value::Int(1));
        let assertions = vec![Assertion { after: last, target: ObservationTarget::Value(last), expected }];
        AssertedTest { assertions, ..AssertedTest::new(TestCase::new(statements.to_vec())) }
    }

    /// `new Road(new List(), 7)`, and what follows.
    fn usual_test(then: &[Statement]) -> AssertedTest {
        test(&[&[new(LIST, &[]), int(7), new(ROAD, &[0, 1])], then].concat())
    }

    fn asks(number: i32) -> [Statement; 2] {
        [int(number), call(LENGTH, 2, &[3])]
    }

    /// What becomes of tests when every change may be made, but for tests that ask for a number.
    fn alike(tests: &[AssertedTest], refused: i32) -> Vec<AssertedTest> {
        let cluster = cluster();
        let mut changed = tests.to_vec();
        let members: Vec<usize> = (0..tests.len()).collect();
        make_alike(&cluster, &mut changed, &members, &mut |_, other| {
            (!other.test.statements().contains(&int(refused))).then_some(other)
        });
        changed
    }

    #[test]
    fn objects_are_made_as_most_tests_make_them() {
        let usual = [usual_test(&asks(1)), usual_test(&asks(2))];
        // Of a copy of a list that gets a number when the object is there.
        let adds = [call(ADD, 1, &[2]), int(3), call(LENGTH, 3, &[5])];
        let copies = |then: &[Statement]| {
            test(&[&[new(LIST, &[]), new(COPY, &[0]), int(8), new(ROAD, &[1, 2])], then].concat())
        };
        let other = copies(&adds);
        let expect = usual_test(&[call(ADD, 0, &[1]), int(3), call(LENGTH, 2, &[4])]);
        assert_eq!(
            alike(&[&usual[..], std::slice::from_ref(&other)].concat(), 9),
            [&usual[..], &[expect]].concat()
        );
        // The one of two tests would be written once for two.
        let two = [usual[0].clone(), other.clone()];
        assert_eq!(alike(&two, 9), two);
        // What may not change stays as it is.
        let refused = [&usual[..], &[usual_test(&asks(4)), other]].concat();
        assert_eq!(alike(&refused, 3), refused);
    }

    #[test]
    fn what_is_said_in_a_line_or_prepared_before_stays() {
        let cluster = cluster();
        let road = |then: &[Statement]| [&[Statement::Null { of: TypeId::OBJECT }, int(7)], then].concat();
        let short = TestCase::new(road(&[new(ROAD, &[0, 1])]));
        assert!(!Making::of(&short, VarRef(2)).expect("nothing is done before").is_long());
        let filled =
            vec![new(LIST, &[]), int(7), call(ADD, 0, &[1]), new(ROAD, &[0, 1]), call(LENGTH, 3, &[1])];
        assert_eq!(Making::of(&TestCase::new(filled.clone()), VarRef(3)), None);
        let tests = [usual_test(&asks(1)), usual_test(&asks(2)), usual_test(&asks(3)), test(&filled)];
        assert_eq!(alike(&tests, 9), tests);
        assert_eq!(test(&filled).test.validate(&cluster), Ok(()));
    }

    #[test]
    fn calls_of_a_stub_are_asserted_of_that_stub_alone() {
        let script = Box::new(Script { arguments: Arguments::new(), answers: Vec::new() });
        let stub = Statement::Stub { stub: StubId(0), script };
        let test = TestCase::new(vec![stub, new(LIST, &[])]);
        for (variable, of, expect) in [(0, 0, true), (1, 0, false), (0, 1, false)] {
            let target = ObservationTarget::Calls(VarRef(variable), StubId(of));
            assert_eq!(is_of_its_stub(&test, target), expect, "{target:?}");
        }
        assert!(is_of_its_stub(&test, ObservationTarget::Value(VarRef(1))));
    }

    /// Shows this everywhere.
    struct Shows(ObservedValue);

    impl Executor for Shows {
        fn execute(&mut self, _: &TestCase, _: &RunRequest, result: &mut ExecutionResult) {
            *result = ExecutionResult::new(8, 8);
        }

        fn observe(&mut self, _: &TestCase, points: &[ObservationPoint]) -> Observations {
            Observations { outcome: Outcome::Passed, values: vec![Some(self.0.clone()); points.len()] }
        }
    }

    #[test]
    fn a_test_expects_another_value_of_the_same_kind() {
        let of = |value: i32| ObservedValue::Primitive(Value::Int(value));
        for (shown, expect) in [
            (of(1), Some(of(1))),
            (of(7), Some(of(7))),
            (ObservedValue::Null, None),
            (ObservedValue::Boxed(Value::Int(7)), None),
        ] {
            let found = expecting_what_it_shows(usual_test(&asks(1)), &mut Shows(shown));
            assert_eq!(found.map(|test| test.assertions[0].expected.clone()), expect);
        }
    }

    #[test]
    fn a_part_that_others_use_stays_where_nothing_stands_for_it() {
        // The list that was copied gets a number, and the copy is the road's.
        let copied = [
            new(LIST, &[]),
            new(COPY, &[0]),
            int(8),
            new(ROAD, &[1, 2]),
            call(ADD, 0, &[2]),
            call(LENGTH, 3, &[2]),
        ];
        let making = Making::of(&usual_test(&asks(1)).test, VarRef(2)).expect("nothing is done before");
        let made = made_by(&cluster(), &test(&copied), &making).expect("it can be made so");
        let expect = [
            new(LIST, &[]),
            int(7),
            new(ROAD, &[0, 1]),
            new(LIST, &[]),
            call(ADD, 3, &[1]),
            call(LENGTH, 2, &[1]),
        ];
        assert_eq!(made, test(&expect));
    }
}
