//! What runs of minimization showed, for the suites of the same class that come after: most of their tests were minimized before, with the
//! same candidates. Runs are isolated from one another, and what one shows it shows again.

use std::collections::BTreeMap;

use coverage::goal::GoalId;
use testcase::assertion::{ObservationPoint, ObservedValue};
use testcase::run_request::MutantTarget;
use testcase::test_case::TestCase;

use super::results::Shown;
use super::runner::Candidate;
use crate::ending::Ending;
use crate::report::Cause;

/// Most runs that are remembered. Each takes some kilobytes.
const MOST: usize = 20_000;

/// What runs of minimization showed.
#[derive(Debug, Default)]
pub struct Memory {
    /// Mutants that these runs were asked to kill.
    mutants: Vec<MutantTarget>,
    /// Number of goals that there were then; more are added for exceptions that tests let through.
    goals: usize,
    runs: BTreeMap<Asked, Result<Candidate, Cause>>,
    changes: BTreeMap<(Asked, Wanted), Option<Candidate>>,
    values: BTreeMap<Question, Vec<Option<ObservedValue>>>,
}

/// A test, and where and what is read of it.
pub(super) type Question = (TestCase, Vec<ObservationPoint>);

/// A test, and whether it has all steps there are.
pub(super) type Asked = (TestCase, bool);

/// What a changed test must go on to do: cover goals, end no worse, and show a kind of result.
pub(super) type Wanted = (Vec<GoalId>, Ending, Option<Shown>);

impl Memory {
    /// To be called before runs for so many goals that are asked to kill these mutants.
    pub(super) fn prepare(&mut self, mutants: &[MutantTarget], goals: usize) {
        if self.mutants != mutants {
            *self = Self { mutants: mutants.to_vec(), ..Self::default() };
        }
        if self.goals != goals {
            // A test that passes covers none of the new ones.
            let passes = |candidate: &Candidate| candidate.thrown.is_none();
            self.runs.retain(|_, run| run.as_ref().map_or(true, passes));
            self.changes.retain(|_, candidate| candidate.as_ref().is_none_or(passes));
            self.goals = goals;
        }
    }

    /// What the run of a test came to.
    pub(super) fn run(&self, asked: &Asked) -> Option<&Result<Candidate, Cause>> {
        self.runs.get(asked)
    }

    /// The changed test, or that it does not do what is wanted.
    pub(super) fn change(&self, change: &(Asked, Wanted)) -> Option<&Option<Candidate>> {
        self.changes.get(change)
    }

    /// What was read of a test.
    pub(super) fn values(&self, question: &Question) -> Option<&Vec<Option<ObservedValue>>> {
        self.values.get(question)
    }

    pub(super) fn note_run(&mut self, asked: Asked, run: Result<Candidate, Cause>) {
        if self.has_room() {
            self.runs.insert(asked, run);
        }
    }

    pub(super) fn note_change(&mut self, change: (Asked, Wanted), candidate: Option<Candidate>) {
        if self.has_room() {
            self.changes.insert(change, candidate);
        }
    }

    pub(super) fn note_values(&mut self, question: Question, values: Vec<Option<ObservedValue>>) {
        if self.has_room() {
            self.values.insert(question, values);
        }
    }

    fn has_room(&self) -> bool {
        self.runs.len() + self.changes.len() + self.values.len() < MOST
    }
}
