//! What came of symbolic execution.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::interpreter::{End, MethodName};
use crate::solver;
use crate::test_replay::{ReplayedTest, TestEnd};

/// What came of symbolic execution so far, to be shown to users.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Applications.
    pub applications: u64,
    /// Runs of tests, the ones to begin with included.
    pub runs: u64,
    /// Runs of which there was no recording.
    pub unrecorded: u64,
    /// Replays.
    pub replays: u64,
    /// Replays that did something else than the run: a defect of the interpreter or of the recording.
    pub diverged: u64,
    /// Replays that stopped for another reason, by that reason.
    pub stopped: BTreeMap<&'static str, u64>,
    /// Conditions that were negated.
    pub negated: u64,
    /// Of these, those with a model.
    pub solved: u64,
    /// Those that no input fulfils.
    pub unsatisfiable: u64,
    /// Those of which it is not known, by the reason.
    pub unknown: BTreeMap<&'static str, u64>,
    /// Models of which there is no test: too long, or with an object that nothing makes.
    pub unwritten: u64,
    /// Models whose test was run before.
    pub repeated: u64,
    /// Models whose test did not take the other way when it was run: a defect.
    pub strayed: u64,
    /// Those where the condition lies behind code that was given inputs and is not modelled, or behind a term that was too large: what
    /// became of the inputs there is not known.
    pub strayed_behind: u64,
    /// Terms that became concrete because they were too large.
    pub oversized: u64,
    /// Instructions that were interpreted.
    pub steps: u64,
    /// What runs took, with what it takes to have them logged.
    pub run_time: Duration,
    /// What replays took, and finding out what there is to negate.
    pub replay_time: Duration,
    /// What solvers took.
    pub solver_time: Duration,
    unmodelled: BTreeMap<MethodName, u64>,
}

impl Statistics {
    /// The methods that were given values with terms and are not modelled, at most so many, those with most calls first.
    pub fn unmodelled(&self, most: usize) -> Vec<(&MethodName, u64)> {
        let mut calls: Vec<_> = self.unmodelled.iter().map(|(method, &calls)| (method, calls)).collect();
        calls.sort_by_key(|&(_, calls)| std::cmp::Reverse(calls));
        calls.truncate(most);
        calls
    }

    /// Adds what a replay tells.
    pub(super) fn add_replay(&mut self, replay: &ReplayedTest) {
        self.replays += 1;
        self.steps += replay.steps;
        self.oversized += replay.oversized;
        for (method, calls) in replay.unmodelled.by_calls() {
            *self.unmodelled.entry(method.clone()).or_insert(0) += calls;
        }
        let TestEnd::Stopped { end, .. } = &replay.end else { return };
        let reason = match end {
            End::Diverged { site, event, difference } => {
                self.diverged += 1;
                tracing::debug!(?site, event, ?difference, "a replay diverged from its recording");
                return;
            }
            End::Unknown(why) => {
                tracing::debug!(?why, "a replay stopped");
                "unknown"
            }
            End::OutOfSteps => "steps",
            End::TooDeep => "depth",
            End::Returned(_) | End::Threw { .. } => "unknown",
        };
        *self.stopped.entry(reason).or_insert(0) += 1;
    }

    /// Adds a condition that no solver knew an answer to.
    pub(super) fn add_unknown(&mut self, why: solver::Why) {
        *self.unknown.entry(why.name()).or_insert(0) += 1;
    }
}
