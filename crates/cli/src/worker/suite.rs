//! From an archive to a suite: minimization, then assertions.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use coverage::goal::{GoalId, GoalSet};
use output::assertion::AssertionOptions;
use output::assertion::generator::AssertionGenerator;
use output::in_a_row::take_order_dependent;
use output::minimize::MinimizeOptions;
use output::minimize::suite::Minimizer;
use output::report::{Cause, Dropped};
use search::archive::ArchivedTest;
use testcase::assertion::AssertedTest;
use testcase::cluster::TestCluster;
use testcase::execution::{ExecutionResult, Executor};
use testcase::test_case::TestCase;

use crate::clock::Clock;
use crate::generation::job::{FoundSuite, unminimized};

/// Makes suites.
pub(super) struct SuiteMaker<'a> {
    pub cluster: &'a TestCluster,
    pub goals: &'a GoalSet,
    pub clock: Clock,
    /// Ends it as if its time were over.
    pub alarm: Arc<AtomicBool>,
}

/// How a suite is made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// When it must be there; `None` where its phases are bounded by counts.
    pub end: Option<Duration>,
    /// Whether the search is over.
    pub is_final: bool,
}

/// Part of the time that minimization may take; the rest is for assertions.
const MINIMIZE_SHARE: f64 = 0.6;

impl SuiteMaker<'_> {
    /// Makes a suite of an archive: pairs of a goal and its test, ascending by goal.
    pub(super) fn make(
        &self,
        archive: &[(GoalId, ArchivedTest)],
        pace: Pace,
        executor: &mut dyn Executor,
        result: &mut ExecutionResult,
    ) -> FoundSuite {
        let start = self.clock.now();
        let end = pace.end.map(|end| start + end.saturating_sub(start).mul_f64(MINIMIZE_SHARE));
        let minimizer =
            Minimizer { cluster: self.cluster, goals: self.goals, options: MinimizeOptions::default() };
        let tests: Vec<(GoalId, TestCase)> =
            archive.iter().map(|(goal, archived)| (*goal, archived.test.clone())).collect();
        let mut minimized = minimizer.minimize(&tests, executor, result, &mut || self.is_before(end));
        let minimize = self.clock.now().saturating_sub(start);

        let start = self.clock.now();
        let generator = AssertionGenerator { cluster: self.cluster, options: AssertionOptions::default() };
        let mut tests = generator.assert_suite(&minimized.tests, executor, &mut || self.is_before(pace.end));
        tests.extend(left_over(archive, &mut minimized.dropped));
        if self.is_before(pace.end) {
            let lost = take_order_dependent(&mut tests, self.goals, executor, &mut result.trace);
            minimized.dropped.extend((!lost.is_empty()).then_some((Cause::OrderDependent, lost)));
        }
        FoundSuite {
            tests,
            archived: archive.iter().map(|(goal, _)| *goal).collect(),
            dropped: minimized.dropped,
            is_final: pace.is_final,
            minimize,
            assertions: self.clock.now().saturating_sub(start),
        }
    }

    fn is_before(&self, end: Option<Duration>) -> bool {
        !self.alarm.load(Ordering::Acquire) && end.is_none_or(|end| self.clock.now() < end)
    }
}

/// The archived tests that minimization had no time for, as they are.
fn left_over(archive: &[(GoalId, ArchivedTest)], dropped: &mut Vec<Dropped>) -> Vec<AssertedTest> {
    let mut goals_of: BTreeMap<&TestCase, (&ArchivedTest, Vec<GoalId>)> = BTreeMap::new();
    for (_, goals) in dropped.iter().filter(|(cause, _)| *cause == Cause::OutOfTime) {
        for goal in goals {
            if let Ok(index) = archive.binary_search_by_key(goal, |(goal, _)| *goal) {
                let test = &archive[index].1;
                goals_of.entry(&test.test).or_insert((test, Vec::new())).1.push(*goal);
            }
        }
    }
    let tests = goals_of.into_values().map(|(test, goals)| unminimized(test, goals)).collect();
    dropped.retain(|(cause, _)| *cause != Cause::OutOfTime);
    tests
}

#[cfg(test)]
mod tests {
    use search::archive::Penalty;
    use testcase::execution::Outcome;
    use testcase::statement::Statement;
    use testcase::value::Value;

    use super::*;

    #[test]
    fn tests_without_time_for_minimization_are_kept_as_they_are() {
        let test = |number| {
            let mut test = TestCase::default();
            test.push(Statement::Primitive { value: Value::Int(number), boxed: false });
            ArchivedTest { test, penalty: Penalty::NONE, outcome: Outcome::Passed }
        };
        let archive =
            [(GoalId(1), test(7)), (GoalId(3), test(8)), (GoalId(4), test(7)), (GoalId(9), test(9))];
        let mut dropped = vec![
            (Cause::OutOfTime, vec![GoalId(1), GoalId(4)]),
            (Cause::TimedOut, vec![GoalId(3)]),
            (Cause::OutOfTime, vec![GoalId(9)]),
        ];
        let kept = left_over(&archive, &mut dropped);
        assert_eq!(dropped, [(Cause::TimedOut, vec![GoalId(3)])]);
        let kept: Vec<_> = kept.iter().map(|test| (&test.test, test.goals.clone())).collect();
        assert_eq!(kept, [(&archive[0].1.test, vec![1, 4]), (&archive[3].1.test, vec![9])]);
    }
}
