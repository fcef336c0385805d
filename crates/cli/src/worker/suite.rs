//! From an archive to a suite: minimization, then assertions.

use std::collections::BTreeSet;
use std::time::Duration;

use coverage::goal::{GoalId, GoalSet};
use output::assertion::AssertionOptions;
use output::assertion::generator::AssertionGenerator;
use output::minimize::suite::Minimizer;
use output::minimize::{MinimizeOptions, MinimizedTest};
use testcase::cluster::TestCluster;
use testcase::execution::{ExecutionResult, Executor};
use testcase::test_case::TestCase;

use crate::clock::Clock;
use crate::generation::job::FoundSuite;
use crate::session::time_plan::TimePlan;

/// Makes suites.
pub(super) struct SuiteMaker<'a> {
    pub cluster: &'a TestCluster,
    pub goals: &'a GoalSet,
    pub clock: Clock,
}

/// When the phases of a suite must end.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pace {
    /// When they are done: they are bounded by counts.
    Steady,
    /// So that the suite can be verified before the budget ends.
    Planned(TimePlan),
    /// At once, so that the search can go on: each phase by this moment after its start.
    Quick(Duration),
}

impl SuiteMaker<'_> {
    /// Makes a suite of an archive: pairs of a goal and its test, ascending by goal.
    pub(super) fn make(
        &self,
        archive: &[(GoalId, TestCase)],
        pace: Pace,
        executor: &mut dyn Executor,
        result: &mut ExecutionResult,
    ) -> FoundSuite {
        let start = self.clock.now();
        let tests = archive.iter().map(|(_, test)| test).collect::<BTreeSet<_>>().len();
        let end = self.minimize_end(pace, start, tests);
        let minimizer =
            Minimizer { cluster: self.cluster, goals: self.goals, options: MinimizeOptions::default() };
        let minimized = minimizer.minimize(archive, executor, result, &mut || self.is_before(end));
        let minimize = self.clock.now() - start;

        let start = self.clock.now();
        let end = self.assertions_end(pace, start, &minimized.tests);
        let generator = AssertionGenerator { cluster: self.cluster, options: AssertionOptions::default() };
        let tests = generator.assert_suite(&minimized.tests, executor, &mut || self.is_before(end));
        FoundSuite {
            tests,
            archived: archive.iter().map(|(goal, _)| *goal).collect(),
            dropped: minimized.dropped,
            is_final: !matches!(pace, Pace::Quick(_)),
            minimize,
            assertions: self.clock.now() - start,
        }
    }

    fn is_before(&self, end: Option<Duration>) -> bool {
        end.is_none_or(|end| self.clock.now() < end)
    }

    fn minimize_end(&self, pace: Pace, start: Duration, tests: usize) -> Option<Duration> {
        match pace {
            Pace::Steady => None,
            Pace::Planned(plan) => Some(plan.minimize_end(tests)),
            Pace::Quick(time) => Some(start + time),
        }
    }

    fn assertions_end(&self, pace: Pace, start: Duration, tests: &[MinimizedTest]) -> Option<Duration> {
        match pace {
            Pace::Steady => None,
            Pace::Planned(plan) => Some(plan.assertions_end(tests.len())),
            Pace::Quick(time) => Some(start + time),
        }
    }
}
