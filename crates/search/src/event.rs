//! What a search tells while it runs.

use std::time::Duration;

use coverage::goal::GoalId;
use serde::{Deserialize, Serialize};
use testcase::execution::SeenException;

use crate::archive::ArchivedTest;

/// Something that happened. Everything but times is the same in two runs with the same seed and a budget in
/// executions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SearchEvent<'a> {
    /// A test entered the archive.
    Archived {
        /// Goals whose test it is from now on, ascending.
        goals: &'a [GoalId],
        /// The test.
        test: &'a ArchivedTest,
        /// Goals covered by the archive as a whole.
        covered: usize,
        /// Runs so far.
        executions: u64,
    },
    /// Calls let these exceptions through for the first time: goals were added, in this order.
    Exceptions {
        /// The exceptions.
        seen: &'a [SeenException],
    },
    /// Goals are covered no more: an algorithm whose result is its best individual has a better one that does not
    /// cover them.
    Uncovered {
        /// The goals, ascending.
        goals: &'a [GoalId],
        /// Goals covered by the archive as a whole.
        covered: usize,
        /// Runs so far.
        executions: u64,
    },
    /// A step of the search ended.
    Progress(Progress),
}

/// How far a search is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Runs so far.
    pub executions: u64,
    /// Statements that they executed.
    pub statements: u64,
    /// Evaluations of fitness so far.
    pub evaluations: u64,
    /// Goals covered.
    pub covered: usize,
    /// Goals in all.
    pub total: usize,
    /// Generations so far.
    pub generation: u64,
    /// Time since the start of the budget.
    pub elapsed: Duration,
}

/// Coverage over time: the points at which the number of covered goals changed, and the last one.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Timeline {
    points: Vec<Progress>,
}

impl Timeline {
    /// Takes a point, in order of time.
    pub fn record(&mut self, progress: Progress) {
        // Between two points of equal coverage nothing is lost: the later one replaces the earlier.
        if let [.., before, last] = self.points.as_slice()
            && before.covered == progress.covered
            && last.covered == progress.covered
        {
            self.points.pop();
        }
        self.points.push(progress);
    }

    /// When coverage grew for the last time; `None` where there is no point.
    pub fn last_growth(&self) -> Option<Duration> {
        let last = self.points.last()?;
        let plateau = self.points.iter().rev().take_while(|point| point.covered == last.covered);
        plateau.last().map(|first| first.elapsed)
    }

    /// The points in order.
    pub fn points(&self) -> &[Progress] {
        &self.points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeline_keeps_both_ends_of_each_plateau() {
        let mut timeline = Timeline::default();
        for (executions, covered) in [(1, 0), (2, 3), (3, 3), (4, 3), (5, 3), (6, 7), (7, 7)] {
            let elapsed = Duration::from_millis(executions);
            timeline.record(Progress {
                executions,
                statements: 2 * executions,
                evaluations: executions,
                covered,
                total: 9,
                generation: executions,
                elapsed,
            });
        }
        let kept: Vec<_> = timeline.points().iter().map(|point| (point.executions, point.covered)).collect();
        assert_eq!(kept, [(1, 0), (2, 3), (5, 3), (6, 7), (7, 7)]);
        assert_eq!(timeline.last_growth(), Some(Duration::from_millis(6)));
        assert_eq!(Timeline::default().last_growth(), None);
    }
}
