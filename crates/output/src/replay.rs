//! A suite run once more elsewhere: where clock, seeds, hash codes, locale or zone differ, whatever a test found out
//! about them disagrees.

use coverage::goal::{GoalId, GoalSet};
use serde::{Deserialize, Serialize};
use testcase::assertable::still_shows;
use testcase::assertion::ObservationPoint;
use testcase::execution::{ExecutionResult, Executor, Observations, Outcome};
use testcase::run_request::{MutantRuns, RunRequest};

use crate::asserted_test::AssertedTest;
use crate::assertion::AssertionOptions;

/// What became of a test when it ran again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Replayed {
    /// The same as before.
    Agrees,
    /// These of its assertions do not hold, ascending; everything else is the same.
    Assertions(Vec<usize>),
    /// It ended in another way.
    Outcome,
    /// It covers none of its goals any more. One that lost only some still shows what it was kept for.
    Goals,
}

/// Runs with other identity hash codes of a test that asks for them. The order of two objects by their hash codes stays as it
/// was in every second one.
const OTHER_IDENTITIES: usize = 5;

/// Runs tests of a suite again.
#[derive(Debug)]
pub struct Replay<'a> {
    goals: &'a GoalSet,
    options: AssertionOptions,
}

impl<'a> Replay<'a> {
    /// A replay of tests that are kept for these goals. The options are those that their assertions were made with.
    pub fn new(goals: &'a GoalSet, options: AssertionOptions) -> Self {
        Self { goals, options }
    }

    /// Runs a test again, once with what it asserts, once for what it covers. Where the test asks for identity hash codes, it
    /// runs a few times more, with others.
    pub fn run(
        &self,
        test: &AssertedTest,
        executor: &mut dyn Executor,
        result: &mut ExecutionResult,
    ) -> Replayed {
        let Self { goals, options } = self;
        let points: Vec<ObservationPoint> = test
            .assertions
            .iter()
            .map(|assertion| ObservationPoint { after: assertion.after, target: assertion.target })
            .collect();
        let observed = executor.observe(&test.test, &points);
        if !ends_as_expected(test, &observed.outcome) {
            return Replayed::Outcome;
        }
        let killed = test.goals.iter().filter_map(|goal| goals.goals().get(goal.index())?.mutant()).collect();
        let request = RunRequest::default().with_mutants(killed, MutantRuns::Sparing);
        executor.execute(&test.test, &request, result);
        if !ends_as_expected(test, &result.outcome) {
            return Replayed::Outcome;
        }
        let covers_any = |result: &ExecutionResult| {
            let of = |goal: &GoalId| goals.goals().get(goal.index());
            test.goals.iter().any(|goal| of(goal).is_none_or(|goal| goal.is_covered(&result.trace)))
        };
        if !test.goals.is_empty() && !covers_any(result) {
            executor.execute(&test.with_questions(), &RunRequest::default(), result);
            if !covers_any(result) {
                return Replayed::Goals;
            }
        }
        let holds = |observed: &Observations, index: usize| {
            let value = observed.values.get(index).and_then(Option::as_ref);
            test.assertions.get(index).is_some_and(|assertion| {
                still_shows(assertion.target, &assertion.expected, value, &test.test, options.lengths)
            })
        };
        let mut all = vec![observed];
        for _ in 0..OTHER_IDENTITIES {
            let Some(other) = executor.observe_with_other_identities(&test.test, &points) else { break };
            if !ends_as_expected(test, &other.outcome) {
                return Replayed::Outcome;
            }
            all.push(other);
        }
        let is_stable = |index: &usize| all.iter().all(|observed| holds(observed, *index));
        let failed: Vec<usize> = (0..test.assertions.len()).filter(|index| !is_stable(index)).collect();
        if failed.is_empty() { Replayed::Agrees } else { Replayed::Assertions(failed) }
    }
}

/// Whether a run ended with the exception that the test expects, or without one.
pub(crate) fn ends_as_expected(test: &AssertedTest, outcome: &Outcome) -> bool {
    match (outcome, &test.expected) {
        (Outcome::Passed, None) => true,
        (Outcome::Threw(thrown), Some(expected)) => {
            (thrown.position, &thrown.class) == (expected.position, &expected.class)
        }
        (Outcome::Passed | Outcome::Threw(_) | Outcome::TimedOut | Outcome::Exited, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testcase::assertion::{Assertion, ObservationTarget, ObservedValue};
    use testcase::execution::{ThrowOrigin, Thrown};
    use testcase::statement::VarRef;
    use testcase::test_case::TestCase;
    use testcase::value::Value;

    /// An executor whose runs all end like this; what it shows with other identity hash codes, the last run first.
    struct Fake {
        outcome: Outcome,
        values: Vec<i32>,
        others: Vec<(Outcome, Vec<i32>)>,
    }

    fn shown(outcome: &Outcome, values: &[i32]) -> Observations {
        let values = values.iter().map(|value| Some(number(*value))).collect();
        Observations { outcome: outcome.clone(), values }
    }

    impl Executor for Fake {
        fn execute(&mut self, _: &TestCase, _: &RunRequest, result: &mut ExecutionResult) {
            result.outcome = self.outcome.clone();
        }

        fn observe(&mut self, _: &TestCase, points: &[ObservationPoint]) -> Observations {
            shown(&self.outcome, &self.values[..self.values.len().min(points.len())])
        }

        fn observe_with_other_identities(
            &mut self,
            _: &TestCase,
            _: &[ObservationPoint],
        ) -> Option<Observations> {
            self.others.pop().map(|(outcome, values)| shown(&outcome, &values))
        }
    }

    fn number(value: i32) -> ObservedValue {
        ObservedValue::Primitive(Value::Int(value))
    }

    fn thrown(class: &str) -> Thrown {
        Thrown { position: 0, class: class.into(), origin: ThrowOrigin::Project }
    }

    #[test]
    fn what_differs_is_told_as_narrowly_as_possible() {
        type Others<'a> = &'a [(Outcome, &'a [i32])];
        let check_with = |expected: Option<&str>,
                          (outcome, values): (Outcome, &[i32]),
                          others: Others<'_>,
                          expect: Replayed| {
            let target = ObservationTarget::Value(VarRef(0));
            let assertion = |value| Assertion { after: VarRef(0), target, expected: number(value) };
            let test = AssertedTest {
                assertions: if expected.is_none() { vec![assertion(1), assertion(2)] } else { Vec::new() },
                expected: expected.map(thrown),
                ..AssertedTest::new(TestCase::default())
            };
            let others = others.iter().map(|(outcome, values)| (outcome.clone(), values.to_vec())).collect();
            let mut fake = Fake { outcome, values: values.to_vec(), others };
            let mut result = ExecutionResult::new(0, 0);
            let goals = GoalSet::default();
            let replay = Replay::new(&goals, AssertionOptions::default());
            assert_eq!(replay.run(&test, &mut fake, &mut result), expect);
        };
        let check = |expected: Option<&str>, outcome: Outcome, values: &[i32], expect: Replayed| {
            check_with(expected, (outcome, values), &[], expect);
        };
        check(None, Outcome::Passed, &[1, 2], Replayed::Agrees);
        check(None, Outcome::Passed, &[1, 3], Replayed::Assertions(vec![1]));
        check(None, Outcome::Passed, &[2], Replayed::Assertions(vec![0, 1]));
        check(None, Outcome::TimedOut, &[1, 2], Replayed::Outcome);
        check(None, Outcome::Threw(thrown("p/E")), &[1, 2], Replayed::Outcome);
        check(Some("p/E"), Outcome::Threw(thrown("p/E")), &[], Replayed::Agrees);
        check(Some("p/E"), Outcome::Threw(thrown("p/F")), &[], Replayed::Outcome);
        check(Some("p/E"), Outcome::Passed, &[], Replayed::Outcome);
        let check_others = |others: Others<'_>, expect| {
            check_with(None, (Outcome::Passed, &[1, 2]), others, expect);
        };
        check_others(&[(Outcome::Passed, &[1, 2]), (Outcome::Passed, &[1, 2])], Replayed::Agrees);
        check_others(
            &[(Outcome::Passed, &[1, 2]), (Outcome::Passed, &[3, 2])],
            Replayed::Assertions(vec![0]),
        );
        check_others(&[(Outcome::Threw(thrown("p/E")), &[])], Replayed::Outcome);
    }
}
