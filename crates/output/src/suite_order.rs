//! What a suite does as the user's JVM runs it: one test after the other, with nothing restored in between but the static fields
//! that tests write themselves. A branch that depends on static state may be covered by its test alone, and not behind other tests;
//! and a test may end otherwise behind another one, which has changed what it uses.
//!
//! A test that ends otherwise in another order is a *victim*, one that makes it do so a *polluter*: Shi, Lam, Oei, Xie and Marinov, "iFixFlakies"
//! (ESEC/FSE 2019), section 2.

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

/// Victims whose polluters are looked for in a round.
const MOST_VICTIMS: usize = 16;
/// So often polluters or their victims are taken out.
const ROUNDS: usize = 3;

/// What comes of a suite forwards and backwards.
#[derive(Debug)]
struct BothWays {
    /// Goals that tests claim and do not cover in both.
    lost: BTreeSet<GoalId>,
    /// By test, how many of its statements complete forwards and backwards.
    completed: Vec<[usize; 2]>,
}

/// What a suite is judged by.
#[derive(Debug, Clone, Copy)]
pub struct SuiteOrder<'a> {
    /// Types and members.
    pub cluster: &'a TestCluster,
    /// What is to be covered.
    pub goals: &'a GoalSet,
}

impl SuiteOrder<'_> {
    /// Makes tests hold wherever they run. It takes from a suite polluters or their victims, whichever cover less, and the goals that it does
    /// not cover as a whole, forwards and backwards, with the tests that no other goal is left of. The goals that are lost, ascending; of goals that
    /// depend on the order none where a limit ends such a run, since nothing is known then.
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
        let before = all_goals(tests);
        let Some(mut lost) = self.without_pollution(tests, executor, &mut result.trace, may_go_on) else {
            return (&before - &all_goals(tests)).into_iter().collect();
        };
        for reset in self.resets() {
            if lost.is_empty() || !may_go_on() {
                break;
            }
            let behind = self.behind(reset, tests, &lost, executor, result);
            if let Some(BothWays { lost: still_lost, .. }) =
                self.both_ways(&behind, executor, &mut result.trace)
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
        (&before - &all_goals(tests)).into_iter().collect()
    }

    /// Takes polluters or their victims out of a suite; the goals that what is left claims and does not cover, as [`Self::both_ways`]
    /// says. Plain JVMs run a suite in a few orders only, and whether a polluter comes before its victim in one of these is chance.
    fn without_pollution(
        &self,
        tests: &mut Vec<AssertedTest>,
        executor: &mut dyn Executor,
        trace: &mut ExecutionTrace,
        may_go_on: &mut dyn FnMut() -> bool,
    ) -> Option<BTreeSet<GoalId>> {
        let mut run = self.both_ways(tests, executor, trace)?;
        for _ in 0..ROUNDS {
            let gone = at_fault(tests, &run, executor, trace, may_go_on);
            if gone.is_empty() {
                break;
            }
            let mut number = 0..;
            tests.retain(|_| number.next().is_none_or(|test| !gone.contains(&test)));
            run = self.both_ways(tests, executor, trace)?;
        }
        Some(run.lost)
    }

    /// What comes of a suite in a row, forwards and backwards; `None` where a limit ends such a run.
    fn both_ways(
        &self,
        tests: &[AssertedTest],
        executor: &mut dyn Executor,
        trace: &mut ExecutionTrace,
    ) -> Option<BothWays> {
        let claimed = all_goals(tests);
        let mut row: Vec<TestCase> = tests.iter().map(AssertedTest::with_questions).collect();
        let mut found = BothWays { lost: BTreeSet::new(), completed: vec![[0; 2]; tests.len()] };
        for way in 0..2 {
            let cases: Vec<&TestCase> = row.iter().collect();
            let mut completed = executor.execute_in_order(&cases, &RunRequest::default(), trace)?;
            if way == 1 {
                completed.reverse();
            }
            for (of, completed) in found.completed.iter_mut().zip(completed) {
                of[way] = completed;
            }
            // No mutant runs in a row: that the tests still infect it has to do.
            let shows = |goal: &Goal| match goal.mutant() {
                Some(mutant) => trace.shows(Evidence::Taken(mutant.infection)),
                None => goal.is_covered(trace),
            };
            let is_covered = |goal: &GoalId| self.goals.goals().get(goal.index()).is_none_or(shows);
            found.lost.extend(claimed.iter().copied().filter(|goal| !is_covered(goal)));
            row.reverse();
        }
        Some(found)
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

/// Goals that tests claim.
fn all_goals(tests: &[AssertedTest]) -> BTreeSet<GoalId> {
    tests.iter().flat_map(|test| &test.goals).copied().collect()
}

/// Polluters or victims to take out of a suite that ran both ways, by number. A victim that no other test by itself makes end otherwise goes.
fn at_fault(
    tests: &[AssertedTest],
    run: &BothWays,
    executor: &mut dyn Executor,
    trace: &mut ExecutionTrace,
    may_go_on: &mut dyn FnMut() -> bool,
) -> BTreeSet<usize> {
    let cases: Vec<TestCase> = tests.iter().map(AssertedTest::with_questions).collect();
    let mut completed = |row: &[usize]| {
        let cases: Vec<&TestCase> = row.iter().map(|&test| &cases[test]).collect();
        // Of the last one.
        executor.execute_in_order(&cases, &RunRequest::default(), trace)?.pop()
    };
    let mut gone = BTreeSet::new();
    let mut victims_of: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (victim, alone) in victims(tests, &cases, run, &mut completed) {
        let mut has_polluter = false;
        for other in (0..cases.len()).filter(|&other| other != victim) {
            if !may_go_on() {
                return BTreeSet::new();
            }
            if completed(&[other, victim]).is_some_and(|behind| behind != alone) {
                victims_of.entry(other).or_default().insert(victim);
                has_polluter = true;
            }
        }
        if !has_polluter {
            gone.insert(victim);
        }
    }
    let covered = |of: &BTreeSet<usize>| of.iter().map(|&test| tests[test].goals.len()).sum::<usize>();
    while let Some((polluter, victims)) = victims_of.iter().max_by_key(|(_, victims)| victims.len()) {
        let polluter = BTreeSet::from([*polluter]);
        gone.extend(if covered(&polluter) <= covered(victims) { polluter } else { victims.clone() });
        victims_of.retain(|polluter, victims| {
            victims.retain(|victim| !gone.contains(victim));
            !gone.contains(polluter) && !victims.is_empty()
        });
    }
    gone
}

/// Tests that end otherwise forwards or backwards than by themselves, with how many statements complete by themselves.
fn victims(
    tests: &[AssertedTest],
    cases: &[TestCase],
    run: &BothWays,
    completed: &mut dyn FnMut(&[usize]) -> Option<usize>,
) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (test, both) in run.completed.iter().enumerate() {
        let expected = tests[test].expected.as_ref().map_or(cases[test].len(), |thrown| thrown.position);
        // One that ends so by itself as well is for plain JVMs to judge.
        if *both != [expected; 2]
            && let Some(alone) = completed(&[test])
            && *both != [alone; 2]
        {
            found.push((test, alone));
        }
    }
    found.truncate(MOST_VICTIMS);
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

    /// A test is a number. 1 is the polluter of 11 and 12, and 2 of 12.
    #[derive(Default)]
    struct Shared(BTreeSet<i64>);

    impl Executor for Shared {
        fn execute(&mut self, test: &TestCase, _: &RunRequest, result: &mut ExecutionResult) {
            let number = match &test.statements()[0] {
                Statement::Primitive { value, .. } => value.as_integer().unwrap_or_default(),
                other => panic!("{other:?}"),
            };
            let is_polluted = match number {
                11 => self.0.contains(&1),
                12 => self.0.contains(&1) || self.0.contains(&2),
                _ => false,
            };
            let thrown = Thrown { position: 0, class: "p/E".into(), origin: ThrowOrigin::Project };
            result.outcome = if is_polluted { Outcome::Threw(thrown) } else { Outcome::Passed };
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
    fn of_a_polluter_and_its_victims_the_side_goes_that_covers_less() {
        let (cluster, goals) = (TestCluster::default(), GoalSet::default());
        let order = SuiteOrder { cluster: &cluster, goals: &goals };
        for (suite, expect) in [
            (vec![(5, 1), (6, 1)], vec![5, 6]),
            // One polluter has two victims.
            (vec![(11, 1), (1, 1), (12, 1)], vec![11, 12]),
            (vec![(11, 1), (1, 5), (12, 1)], vec![1]),
            // Two polluters share a victim.
            (vec![(2, 1), (5, 1), (1, 1), (12, 2), (11, 1)], vec![5, 12, 11]),
            (vec![(2, 3), (12, 1), (5, 1)], vec![2, 5]),
        ] {
            let mut tests: Vec<AssertedTest> =
                suite.iter().map(|&(number, goals)| test(number, goals)).collect();
            let before = all_goals(&tests);
            let mut result = ExecutionResult::new(0, 0);
            let lost =
                order.take_order_dependent(&mut tests, &mut Shared::default(), &mut result, &mut || true);
            let numbers: BTreeSet<usize> = all_goals(&tests).iter().map(|goal| goal.index() / 10).collect();
            assert_eq!(numbers, expect.iter().copied().collect(), "{suite:?}");
            assert_eq!(lost, (&before - &all_goals(&tests)).into_iter().collect::<Vec<_>>(), "{suite:?}");
        }
    }
}
