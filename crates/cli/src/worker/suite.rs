//! From an archive to a suite: minimization, then assertions.

use std::time::Duration;

use coverage::goal::{GoalId, GoalSet};
use output::assertion::AssertionOptions;
use output::assertion::generator::AssertionGenerator;
use output::minimize::MinimizeOptions;
use output::minimize::suite::Minimizer;
use testcase::cluster::TestCluster;
use testcase::execution::{ExecutionResult, Executor};
use testcase::test_case::TestCase;

use crate::clock::Clock;
use crate::generation::job::FoundSuite;

/// Makes suites.
pub(super) struct SuiteMaker<'a> {
    pub cluster: &'a TestCluster,
    pub goals: &'a GoalSet,
    pub clock: Clock,
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
        archive: &[(GoalId, TestCase)],
        pace: Pace,
        executor: &mut dyn Executor,
        result: &mut ExecutionResult,
    ) -> FoundSuite {
        let start = self.clock.now();
        let end = pace.end.map(|end| start + end.saturating_sub(start).mul_f64(MINIMIZE_SHARE));
        let minimizer =
            Minimizer { cluster: self.cluster, goals: self.goals, options: MinimizeOptions::default() };
        let minimized = minimizer.minimize(archive, executor, result, &mut || self.is_before(end));
        let minimize = self.clock.now().saturating_sub(start);

        let start = self.clock.now();
        let generator = AssertionGenerator { cluster: self.cluster, options: AssertionOptions::default() };
        let tests = generator.assert_suite(&minimized.tests, executor, &mut || self.is_before(pace.end));
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
        end.is_none_or(|end| self.clock.now() < end)
    }
}
