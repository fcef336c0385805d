//! What a suite covers as the user's JVM runs it: one test after the other, with nothing restored in between but the static fields
//! that tests write themselves. A branch that depends on static state may be covered by its test alone, and not behind other tests.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::probe_map::Evidence;
use coverage::goal::{Goal, GoalId, GoalSet};
use testcase::cluster::{CallableId, CallableKind, TestCluster};
use testcase::execution::{ExecutionResult, ExecutionTrace, Executor};
use testcase::run_request::RunRequest;
use testcase::statement::{Arguments, Statement};
use testcase::test_case::TestCase;

use crate::asserted_test::AssertedTest;
use crate::replay::ends_as_expected;

/// So many methods are tried that may set state back.
const MOST_RESETS: usize = 8;

/// Disturbed tests that are looked at in a round.
const MOST_DISTURBED: usize = 16;
/// So often tests are taken out that disturb others, or are disturbed.
const ROUNDS: usize = 3;

/// What a suite is judged by.
#[derive(Debug, Clone, Copy)]
pub struct SuiteOrder<'a> {
    /// Types and members.
    pub cluster: &'a TestCluster,
    /// What is to be covered.
    pub goals: &'a GoalSet,
}

impl SuiteOrder<'_> {
    /// Makes tests hold wherever they run: takes tests out that end otherwise behind others, or make others do so; and takes from a suite the goals that it does not cover as a whole, forwards
    /// and backwards, and the tests that no other goal is left of. The goals, ascending; of goals that depend on the order none
    /// where a limit ends such a run, since nothing is known then.
    ///
    /// A test that needs static state as it was at first sets it: a static method without parameters of the class under
    /// test is called before it, where that is found to bring its goals back. Methods are tried as long as it may go on.
    pub fn take_order_dependent(
        &self,
        tests: &mut Vec<AssertedTest>,
        executor: &mut dyn Executor,
        result: &mut ExecutionResult,
        may_go_on: &mut dyn FnMut() -> bool,
    ) -> Vec<GoalId> {
        let disturbed = take_disturbed(tests, executor, &mut result.trace, may_go_on);
        let Some(mut lost) = self.lost(tests, executor, &mut result.trace) else {
            return disturbed.into_iter().collect();
        };
        for reset in self.resets() {
            if lost.is_empty() || !may_go_on() {
                break;
            }
            let behind = self.behind(reset, tests, &lost, executor, result);
            if let Some(still_lost) = self.lost(&behind, executor, &mut result.trace)
                && still_lost.is_subset(&lost)
                && still_lost.len() < lost.len()
            {
                (*tests, lost) = (behind, still_lost);
            }
        }
        tests.retain_mut(|test| {
            let before = test.goals.len();
            test.goals.retain(|&goal| !lost.contains(&goal));
            before == 0 || !test.goals.is_empty()
        });
        lost.extend(disturbed);
        lost.into_iter().collect()
    }

    /// Goals that tests claim and do not cover in a row, forwards and backwards; `None` where a limit ends such a run.
    fn lost(
        &self,
        tests: &[AssertedTest],
        executor: &mut dyn Executor,
        trace: &mut ExecutionTrace,
    ) -> Option<BTreeSet<GoalId>> {
        let claimed: BTreeSet<GoalId> = tests.iter().flat_map(|test| &test.goals).copied().collect();
        let mut row: Vec<TestCase> = tests.iter().map(AssertedTest::with_questions).collect();
        let mut lost = BTreeSet::new();
        for _ in 0..2 {
            let cases: Vec<&TestCase> = row.iter().collect();
            executor.execute_in_order(&cases, &RunRequest::default(), trace)?;
            // No mutant runs in a row: that the tests still infect it has to do.
            let shows = |goal: &Goal| match goal.mutant() {
                Some(mutant) => trace.shows(Evidence::Taken(mutant.infection)),
                None => goal.is_covered(trace),
            };
            let is_covered = |goal: &GoalId| self.goals.goals().get(goal.index()).is_none_or(shows);
            lost.extend(claimed.iter().copied().filter(|goal| !is_covered(goal)));
            row.reverse();
        }
        Some(lost)
    }

    /// Methods that may set static state back: static ones of the class under test that take nothing.
    fn resets(&self) -> Vec<CallableId> {
        let callables = self.cluster.callables.iter().enumerate();
        let resets = callables.filter(|(_, callable)| {
            callable.kind == CallableKind::StaticMethod
                && callable.parameters.is_empty()
                && Some(&callable.declared_in) == self.cluster.class_under_test.as_ref()
        });
        resets.map(|(index, _)| CallableId::from(index)).take(MOST_RESETS).collect()
    }

    /// The suite with a call before each test that loses goals, where that test still ends and covers by itself what it
    /// did.
    fn behind(
        &self,
        reset: CallableId,
        tests: &[AssertedTest],
        lost: &BTreeSet<GoalId>,
        executor: &mut dyn Executor,
        result: &mut ExecutionResult,
    ) -> Vec<AssertedTest> {
        let mut holds = |test: &AssertedTest| {
            executor.execute(&test.with_questions(), &RunRequest::default(), result);
            let is_covered = |goal: &GoalId| {
                let goal = self.goals.goals().get(goal.index());
                goal.is_none_or(|goal| goal.mutant().is_some() || goal.is_covered(&result.trace))
            };
            ends_as_expected(test, &result.outcome) && test.goals.iter().all(is_covered)
        };
        let changed = |test: &AssertedTest| {
            let loses = test.goals.iter().any(|&goal| lost.contains(&goal));
            let behind = loses.then(|| test.behind(&[call(reset)])).filter(&mut holds);
            behind.unwrap_or_else(|| test.clone())
        };
        tests.iter().map(changed).collect()
    }
}

/// Takes tests out of a suite so that each ends behind the others as it does by itself; the goals that only these had. Of a test that
/// disturbs others, as one that writes into an object which a static field holds, and those that it disturbs, the side goes that covers
/// less. Plain JVMs see a few orders only, and whether one test comes before another in them is chance.
fn take_disturbed(
    tests: &mut Vec<AssertedTest>,
    executor: &mut dyn Executor,
    trace: &mut ExecutionTrace,
    may_go_on: &mut dyn FnMut() -> bool,
) -> BTreeSet<GoalId> {
    let mut taken: BTreeSet<GoalId> = BTreeSet::new();
    for _ in 0..ROUNDS {
        let gone = at_fault(tests, executor, trace, may_go_on);
        if gone.is_empty() {
            break;
        }
        taken.extend(gone.iter().flat_map(|&test| &tests[test].goals));
        let mut number = 0..;
        tests.retain(|_| number.next().is_none_or(|test| !gone.contains(&test)));
    }
    let kept: BTreeSet<GoalId> = tests.iter().flat_map(|test| &test.goals).copied().collect();
    &taken - &kept
}

/// Tests without which the others do not disturb one another, by number: as many as a look at some of the disturbed ones shows.
fn at_fault(
    tests: &[AssertedTest],
    executor: &mut dyn Executor,
    trace: &mut ExecutionTrace,
    may_go_on: &mut dyn FnMut() -> bool,
) -> BTreeSet<usize> {
    let cases: Vec<TestCase> = tests.iter().map(AssertedTest::with_questions).collect();
    let mut in_row = |row: &[usize]| {
        let row: Vec<&TestCase> = row.iter().map(|&test| &cases[test]).collect();
        executor.execute_in_order(&row, &RunRequest::default(), trace)
    };
    let mut gone = BTreeSet::new();
    let mut by_disturber: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (test, alone) in disturbed(tests, &cases, &mut in_row) {
        let before = by_disturber.len();
        for other in (0..cases.len()).filter(|&other| other != test) {
            if !may_go_on() {
                return BTreeSet::new();
            }
            if in_row(&[other, test]).is_some_and(|completed| completed.get(1) != Some(&alone)) {
                by_disturber.entry(other).or_default().insert(test);
            }
        }
        let is_explained = by_disturber.values().any(|victims| victims.contains(&test));
        if by_disturber.len() == before && !is_explained {
            gone.insert(test); // several others do it together
        }
    }
    let covered = |of: &BTreeSet<usize>| of.iter().map(|&test| tests[test].goals.len()).sum::<usize>();
    while let Some((other, victims)) = by_disturber.iter().max_by_key(|(_, victims)| victims.len()) {
        let itself = BTreeSet::from([*other]);
        gone.extend(if covered(&itself) <= covered(victims) { itself } else { victims.clone() });
        by_disturber.retain(|other, victims| {
            victims.retain(|victim| !gone.contains(victim));
            !gone.contains(other) && !victims.is_empty()
        });
    }
    gone
}

/// Tests that end otherwise forwards or backwards in a row than by themselves, with how many statements complete by themselves.
fn disturbed(
    tests: &[AssertedTest],
    cases: &[TestCase],
    in_row: &mut dyn FnMut(&[usize]) -> Option<Vec<usize>>,
) -> Vec<(usize, usize)> {
    let mut row: Vec<usize> = (0..cases.len()).collect();
    let Some(forwards) = in_row(&row) else { return Vec::new() };
    row.reverse();
    let Some(mut backwards) = in_row(&row) else { return Vec::new() };
    backwards.reverse();
    let mut found = Vec::new();
    for (test, (forwards, backwards)) in forwards.into_iter().zip(backwards).enumerate() {
        let expected = tests[test].expected.as_ref().map_or(cases[test].len(), |thrown| thrown.position);
        let is_as_expected = [forwards, backwards] == [expected; 2];
        if !is_as_expected && let Some(alone) = in_row(&[test]).and_then(|alone| alone.first().copied()) {
            // Whatever it expects, it always ends like this: plain JVMs judge.
            found.extend(([forwards, backwards] != [alone; 2]).then_some((test, alone)));
        }
    }
    found.truncate(MOST_DISTURBED);
    found
}

/// A static call that takes nothing.
fn call(callable: CallableId) -> Statement {
    Statement::Method { callable, receiver: None, arguments: Arguments::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testcase::assertion::ObservationPoint;
    use testcase::execution::{Observations, Outcome, ThrowOrigin, Thrown};
    use testcase::value::Value;

    /// A test is a number. One that is below ten writes into what all share, and those above end otherwise behind it: 11 behind 1, 12 behind 1
    /// and 2.
    #[derive(Default)]
    struct Shared(BTreeSet<i64>);

    impl Executor for Shared {
        fn execute(&mut self, test: &TestCase, _: &RunRequest, result: &mut ExecutionResult) {
            let number = match &test.statements()[0] {
                Statement::Primitive { value, .. } => value.as_integer().unwrap_or_default(),
                other => panic!("{other:?}"),
            };
            let is_disturbed = match number {
                11 => self.0.contains(&1),
                12 => self.0.contains(&1) || self.0.contains(&2),
                _ => false,
            };
            let thrown = Thrown { position: 0, class: "p/E".into(), origin: ThrowOrigin::Project };
            result.outcome = if is_disturbed { Outcome::Threw(thrown) } else { Outcome::Passed };
            self.0.insert(number);
        }

        fn observe(&mut self, _: &TestCase, _: &[ObservationPoint]) -> Observations {
            panic!("nobody asks")
        }

        fn execute_in_order(
            &mut self,
            tests: &[&TestCase],
            request: &RunRequest,
            _: &mut ExecutionTrace,
        ) -> Option<Vec<usize>> {
            self.0.clear();
            let mut result = ExecutionResult::new(0, 0);
            let completed = tests.iter().map(|test| {
                self.execute(test, request, &mut result);
                usize::from(result.outcome == Outcome::Passed)
            });
            Some(completed.collect())
        }
    }

    fn test(number: i32, goals: usize) -> AssertedTest {
        let value = Statement::Primitive { value: Value::Int(number), boxed: false };
        let goals = (0..goals).map(|goal| GoalId((number as usize * 10 + goal) as u32)).collect();
        AssertedTest { goals, ..AssertedTest::new(TestCase::new(vec![value])) }
    }

    #[test]
    fn of_a_test_that_disturbs_others_and_these_the_side_goes_that_covers_less() {
        for (suite, expect) in [
            (vec![(5, 1), (6, 1)], vec![5, 6]),
            // One test disturbs two.
            (vec![(11, 1), (1, 1), (12, 1)], vec![11, 12]),
            (vec![(11, 1), (1, 5), (12, 1)], vec![1]),
            // Each of two disturbs one of the others.
            (vec![(2, 1), (5, 1), (1, 1), (12, 2), (11, 1)], vec![5, 12, 11]),
            (vec![(2, 3), (12, 1), (5, 1)], vec![2, 5]),
        ] {
            let mut tests: Vec<AssertedTest> =
                suite.iter().map(|&(number, goals)| test(number, goals)).collect();
            let mut trace = ExecutionTrace::new(0, 0);
            let all: BTreeSet<GoalId> = tests.iter().flat_map(|test| &test.goals).copied().collect();
            let lost = take_disturbed(&mut tests, &mut Shared::default(), &mut trace, &mut || true);
            let left: BTreeSet<GoalId> = tests.iter().flat_map(|test| &test.goals).copied().collect();
            let numbers: Vec<usize> = left.iter().map(|goal| goal.index() / 10).collect();
            let numbers: BTreeSet<usize> = numbers.into_iter().collect();
            assert_eq!(numbers, expect.iter().copied().collect(), "{suite:?}");
            assert_eq!(lost, &all - &left, "{suite:?}");
        }
    }
}
