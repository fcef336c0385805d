//! The individuals: test suites, with what their runs showed. Tests are shared between suites, so that only changed
//! tests run again.

use std::cmp::Ordering;
use std::sync::Arc;

use bytecode::probe_map::{OutcomeId, ProbeId};
use coverage::goal::{GoalId, GoalSet};
use fixedbitset::FixedBitSet;
use testcase::execution::{ExecutionResult, ExecutionTrace, Outcome};
use testcase::test_case::TestCase;

use super::operators::Slot;
use crate::archive::{ArchivedTest, Penalty};
use crate::context::ClassContext;
use crate::operators::changes::Changes;

/// A test that was run, with what suite fitness needs of its run.
#[derive(Debug)]
pub(crate) struct TestRun {
    /// The test.
    pub(crate) test: TestCase,
    /// What is kept of it where it is part of the result.
    pub(crate) archived: Arc<ArchivedTest>,
    /// Goals that it covers, ascending.
    pub(crate) covered: Vec<GoalId>,
    /// Hits of methods and branches.
    pub(crate) hits: Vec<(ProbeId, u32)>,
    /// The least raw distance to each outcome whose branch was executed.
    pub(crate) distances: Vec<(OutcomeId, f64)>,
}

impl TestRun {
    /// Takes what is needed of a result; `None` of one whose test may not be delivered.
    pub(crate) fn new(test: TestCase, result: &ExecutionResult, class: ClassContext<'_>) -> Option<Self> {
        let penalty = Penalty::of(result)?;
        let mut covered = Vec::new();
        class.goals.covered(&result.trace, &mut covered);
        let trace = &result.trace;
        Some(Self {
            archived: Arc::new(ArchivedTest::new(&test, penalty, &result.outcome)),
            test,
            covered,
            hits: trace.touched().iter().map(|&probe| (probe, trace.count(probe))).collect(),
            distances: trace.reached().iter().map(|&outcome| (outcome, trace.distance(outcome))).collect(),
        })
    }

    /// The same run with the goals that it covers out of more goals.
    pub(crate) fn for_goals(&self, goals: &GoalSet) -> Self {
        let size = |largest: Option<usize>| largest.map_or(0, |largest| largest + 1);
        let probes = size(self.hits.iter().map(|(probe, _)| probe.index()).max());
        let outcomes = size(self.distances.iter().map(|(outcome, _)| outcome.index()).max());
        let mut trace = ExecutionTrace::new(probes, outcomes);
        for &(probe, hits) in &self.hits {
            trace.record_hits(probe, hits);
        }
        for &(outcome, distance) in &self.distances {
            trace.record_distance(outcome, distance);
        }
        let mut covered = Vec::new();
        goals.covered(&trace, &mut covered);
        Self {
            test: self.test.clone(),
            archived: Arc::clone(&self.archived),
            covered,
            hits: self.hits.clone(),
            distances: self.distances.clone(),
        }
    }

    /// Number of its statements that complete.
    pub(crate) fn executed(&self) -> usize {
        match &self.archived.outcome {
            Outcome::Threw(thrown) => thrown.position,
            Outcome::Passed | Outcome::TimedOut | Outcome::Exited => self.test.len(),
        }
    }
}

/// What the last generation changed in a suite, as far as anything asks for it.
#[derive(Debug, Clone)]
pub(crate) struct LastChange {
    /// The tests that mutation changed, by index, with what is new in them.
    pub(crate) tests: Vec<(usize, Changes)>,
    /// How the fitness compares with that of the parent.
    pub(crate) effect: Ordering,
}

impl LastChange {
    /// Whether the value of a primitive was changed.
    pub(crate) fn has_primitive(&self) -> bool {
        self.tests.iter().any(|(_, changes)| changes.primitive)
    }

    /// The statements of a test that were changed with an effect.
    pub(crate) fn statements(&self, at: usize) -> &[usize] {
        let of_test = self.tests.iter().find(|(index, _)| *index == at);
        match of_test {
            Some((_, changes)) if self.effect.is_ne() => &changes.statements,
            _ => &[],
        }
    }
}

/// How many of so many goals tests cover together.
pub(crate) fn covered_together(tests: &[Arc<TestRun>], goals: usize) -> u64 {
    let mut covered = FixedBitSet::with_capacity(goals);
    covered.extend(tests.iter().flat_map(|run| &run.covered).map(|goal| goal.index()));
    covered.count_ones(..) as u64
}

/// A test suite.
#[derive(Debug, Clone)]
pub(crate) struct Suite {
    /// Its tests.
    pub(crate) tests: Vec<Arc<TestRun>>,
    /// Fitness; lower is better.
    pub(crate) fitness: f64,
    /// Statements of all tests.
    pub(crate) length: usize,
    /// What made it, if the last generation did and anything asks for it.
    pub(crate) last: Option<LastChange>,
}

impl Suite {
    /// A suite of tests that were run.
    pub(crate) fn new(tests: Vec<Arc<TestRun>>, fitness: f64) -> Self {
        let length = tests.iter().map(|run| run.test.len()).sum();
        Self { tests, fitness, length, last: None }
    }

    /// Its tests, to be recombined.
    pub(crate) fn slots(&self) -> Vec<Slot> {
        self.tests.iter().cloned().map(Slot::Kept).collect()
    }

    /// Fitness, then fewer statements.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        self.fitness.total_cmp(&other.fitness).then(self.length.cmp(&other.length))
    }

    /// The better of two, the first among equals.
    pub(crate) fn better<'a>(first: &'a Self, second: &'a Self) -> &'a Self {
        if second.compare(first).is_lt() { second } else { first }
    }
}
