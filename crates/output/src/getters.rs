//! Tests that ask the same object for different things, as one test: what a new order holds is read in one place, and nobody wants to
//! read ten tests that make the same order.

use std::collections::BTreeSet;

use coverage::goal::{GoalId, GoalSet};
use testcase::assertable::{Lengths, still_shows};
use testcase::assertion::{Assertion, ObservationPoint, ObservationTarget};
use testcase::cluster::TestCluster;
use testcase::execution::{ExecutionResult, Executor, Outcome};
use testcase::run_request::RunRequest;
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;

use crate::asserted_test::AssertedTest;

/// Most assertions of one test that such tests become.
const MOST_ASSERTIONS: usize = 12;

/// Puts together tests that are the same up to a last call which only tells of an object, and assert no more than what it gives: one that
/// asserts all of it takes their place, or what is there already that does the same without the call. Goes on as long as it may.
pub fn ask_together(
    (cluster, goals): (&TestCluster, &GoalSet),
    tests: &mut Vec<AssertedTest>,
    (executor, result): (&mut dyn Executor, &mut ExecutionResult),
    may_go_on: &mut dyn FnMut() -> bool,
) {
    let mut questions: Vec<Option<Question>> = tests.iter().map(|test| question(cluster, test)).collect();
    let mut first = 0;
    while first < tests.len() {
        let Some(before) = questions[first].as_ref().map(|question| question.before.clone()) else {
            first += 1;
            continue;
        };
        if !may_go_on() {
            return;
        }
        let has_room = |test: &AssertedTest| is_open(test) && test.assertions.len() < MOST_ASSERTIONS;
        let host = tests.iter().position(|test| has_room(test) && test.test == before);
        let room = MOST_ASSERTIONS - host.map_or(0, |host| tests[host].assertions.len());
        let is_same = |question: &Question| question.before == before;
        let same = (first..tests.len()).filter(|&test| questions[test].as_ref().is_some_and(is_same));
        let mut group: Vec<usize> = same.take(room).collect();
        let whole = host.map_or_else(|| AssertedTest::new(before), |host| tests[host].clone());
        let merged = if group.len() + usize::from(host.is_some()) > 1 {
            let asking =
                group.iter().filter_map(|&test| Some((&tests[test], &questions[test].as_ref()?.answer)));
            with_answers(goals, whole, asking, (&mut *executor, &mut *result))
        } else {
            None
        };
        let Some(merged) = merged else {
            first += 1;
            continue;
        };
        // The one that stands first makes place.
        let place = host.unwrap_or_else(|| group.remove(0));
        (tests[place], questions[place]) = (merged, None);
        for &test in group.iter().rev() {
            tests.remove(test);
            questions.remove(test);
        }
    }
}

/// A last call that only tells of an object.
struct Question {
    /// The test without it.
    before: TestCase,
    /// What it gives, asserted of the object behind that.
    answer: Assertion,
}

/// The question that a test ends with; `None` where its last call does more than tell, or where it asserts something else.
fn question(cluster: &TestCluster, test: &AssertedTest) -> Option<Question> {
    let last = VarRef::from(test.test.len().checked_sub(1)?);
    let [assertion] = test.assertions.as_slice() else { return None };
    let is_its_result = assertion.target == ObservationTarget::Value(last) && is_open(test);
    let Statement::Method { callable, receiver: Some(object), arguments } = test.test.statement(last) else {
        return None;
    };
    let of = test.test.variable_type(cluster, *object)?;
    let only_tells = arguments.is_empty() && cluster.inspectors(of).contains(callable);
    if !is_its_result || !only_tells {
        return None;
    }
    let mut before = test.test.clone();
    before.truncate(last.index());
    let after = VarRef::from(last.index().checked_sub(1)?);
    let target = ObservationTarget::Inspector(*object, *callable);
    Some(Question { before, answer: Assertion { after, target, expected: assertion.expected.clone() } })
}

/// Whether a test may have further assertions: it is no file's yet, and ends as it should.
fn is_open(test: &AssertedTest) -> bool {
    test.name.is_none() && !test.fails && test.expected.is_none()
}

/// A test that asserts these answers as well, each of which a test of its own asserted; `None` where it gives others.
fn with_answers<'a>(
    goals: &GoalSet,
    mut whole: AssertedTest,
    asking: impl Iterator<Item = (&'a AssertedTest, &'a Assertion)>,
    (executor, result): (&mut dyn Executor, &mut ExecutionResult),
) -> Option<AssertedTest> {
    executor.execute(&whole.test, &RunRequest::default(), result);
    if result.outcome != Outcome::Passed {
        return None;
    }
    let mut covered = Vec::new();
    goals.covered(&result.trace, &mut covered);
    for (test, answer) in asking {
        let known = whole.assertions.iter().position(|assertion| assertion == answer);
        let by = known.unwrap_or(whole.assertions.len());
        if known.is_none() {
            whole.assertions.push(answer.clone());
        }
        for goal in test.goals.iter().filter(|goal| covered.binary_search(goal).is_err()) {
            note_kill(&mut whole.kills, *goal, by);
        }
        whole.goals = united(&whole.goals, &test.goals);
        whole.killed = united(&whole.killed, &test.killed);
    }
    let points = whole.assertions.iter().map(|of| ObservationPoint { after: of.after, target: of.target });
    let seen = executor.observe(&whole.test, &points.collect::<Vec<_>>());
    let mut shown = whole.assertions.iter().zip(&seen.values);
    let lengths = Lengths::default();
    shown
        .all(|(of, value)| still_shows(of.target, &of.expected, value.as_ref(), &whole.test, lengths))
        .then_some(whole)
}

/// Goals of either, ascending.
fn united(one: &[GoalId], other: &[GoalId]) -> Vec<GoalId> {
    one.iter().chain(other).copied().collect::<BTreeSet<_>>().into_iter().collect()
}

/// Notes that an assertion covers a goal.
fn note_kill(kills: &mut Vec<(GoalId, Vec<usize>)>, goal: GoalId, by: usize) {
    match kills.binary_search_by_key(&goal, |(goal, _)| *goal) {
        Ok(at) if !kills[at].1.contains(&by) => kills[at].1.push(by),
        Ok(_) => {}
        Err(at) => kills.insert(at, (goal, vec![by])),
    }
}

#[cfg(test)]
mod tests {
    use bytecode::descriptor::PrimitiveType;
    use testcase::assertion::ObservedValue;
    use testcase::cluster::testing::ClusterBuilder;
    use testcase::cluster::{CallableId, TypeId};
    use testcase::execution::Observations;
    use testcase::value::Value;

    use super::*;

    /// Runs all and covers nothing; each inspector answers with its number, but that of `other`.
    #[derive(Debug)]
    struct Numbers {
        other: Option<CallableId>,
    }

    impl Executor for Numbers {
        fn execute(&mut self, _: &TestCase, _: &RunRequest, result: &mut ExecutionResult) {
            result.outcome = Outcome::Passed;
        }

        fn observe(&mut self, _: &TestCase, points: &[ObservationPoint]) -> Observations {
            let value = |point: &ObservationPoint| match point.target {
                ObservationTarget::Inspector(_, asked) if Some(asked) == self.other => None,
                ObservationTarget::Inspector(_, asked) => Some(number(asked)),
                _ => None,
            };
            Observations { outcome: Outcome::Passed, values: points.iter().map(value).collect() }
        }
    }

    fn number(of: CallableId) -> ObservedValue {
        ObservedValue::Primitive(Value::Int(of.index() as i32))
    }

    /// Three tests that make an order and ask it for something, and one that asks another order.
    fn check(other: bool, with_host: bool, expect: &[(usize, &[u32])]) {
        let mut builder = ClusterBuilder::new("p/Order");
        let order = builder.class_under_test();
        let make = builder.constructor(order, &[]);
        let copy = builder.static_method(order, "first", &[], Some(order));
        let getters = ["getA", "getB", "getC"]
            .map(|name| builder.method(order, name, &[], Some(TypeId::primitive(PrimitiveType::Int))));
        for getter in getters {
            builder.inspector(order, getter);
        }
        let cluster = builder.build();
        let new = Statement::Constructor { callable: make, arguments: Vec::new().into() };
        let first = Statement::Method { callable: copy, receiver: None, arguments: Vec::new().into() };
        let asks = |made: &Statement, getter: CallableId, goal: u32| {
            let ask = Statement::Method {
                callable: getter,
                receiver: Some(VarRef(0)),
                arguments: Vec::new().into(),
            };
            let target = ObservationTarget::Value(VarRef(1));
            AssertedTest {
                assertions: vec![Assertion { after: VarRef(1), target, expected: number(getter) }],
                goals: vec![GoalId(goal)],
                ..AssertedTest::new(TestCase::new(vec![made.clone(), ask]))
            }
        };
        let [a, b, c] = getters;
        let mut tests = vec![asks(&new, a, 1), asks(&first, a, 2), asks(&new, b, 3), asks(&new, c, 4)];
        if with_host {
            tests
                .push(AssertedTest { goals: vec![GoalId(9)], ..AssertedTest::new(TestCase::new(vec![new])) });
        }
        let mut executor = Numbers { other: other.then_some(c) };
        let mut result = ExecutionResult::new(0, 0);
        let world = (&cluster, &GoalSet::default());
        ask_together(world, &mut tests, (&mut executor, &mut result), &mut || true);
        let goals = |test: &AssertedTest| test.goals.iter().map(|goal| goal.0).collect::<Vec<_>>();
        let now: Vec<_> = tests.iter().map(|test| (test.assertions.len(), goals(test))).collect();
        let expect: Vec<_> = expect.iter().map(|(count, goals)| (*count, goals.to_vec())).collect();
        assert_eq!(now, expect);
        for test in &tests {
            assert!(test.kills.iter().all(|(_, by)| by.iter().all(|by| *by < test.assertions.len())));
        }
    }

    #[test]
    fn what_one_object_is_asked_for_is_one_test() {
        check(false, false, &[(3, &[1, 3, 4]), (1, &[2])]);
    }

    #[test]
    fn a_test_that_makes_the_object_alone_takes_the_answers() {
        check(false, true, &[(1, &[2]), (3, &[1, 3, 4, 9])]);
    }

    #[test]
    fn tests_whose_answers_are_others_together_stay_as_they_are() {
        check(true, false, &[(1, &[1]), (1, &[2]), (1, &[3]), (1, &[4])]);
    }
}
