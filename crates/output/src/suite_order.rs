//! What a suite covers as the user's JVM runs it: one test after the other, with nothing restored in between but the static fields
//! that tests write themselves. A branch that depends on static state may be covered by its test alone, and not behind other tests.

use std::collections::BTreeSet;

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

/// What a suite is judged by.
#[derive(Debug, Clone, Copy)]
pub struct SuiteOrder<'a> {
    /// Types and members.
    pub cluster: &'a TestCluster,
    /// What is to be covered.
    pub goals: &'a GoalSet,
}

impl SuiteOrder<'_> {
    /// Makes tests hold wherever they run, and takes from a suite the goals that it does not cover as a whole, forwards
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
        let Some(mut lost) = self.lost(tests, executor, &mut result.trace) else {
            return Vec::new();
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
        lost.into_iter().collect()
    }

    /// Goals that tests claim and do not cover in a row, forwards and backwards; `None` where a limit ends such a run. A test that
    /// ends in another way there is for plain JVMs to judge.
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

/// A static call that takes nothing.
fn call(callable: CallableId) -> Statement {
    Statement::Method { callable, receiver: None, arguments: Arguments::new() }
}
