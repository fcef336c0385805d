//! What the record of a class knows of one of its islands: what its worker found, by the numbers that it gives to goals, and
//! how far it is.
//!
//! Goals of exceptions are numbered by each worker in the order in which it sees them. The record has numbers of its own, so
//! that islands need not agree: what a worker says is translated when the record takes it, and what it is given back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use coverage::goal::GoalId;
use processes::supervisor::{Line, Losses};
use search::archive::{Archive, ArchivedTest};
use search::local_search::tools::AppliedTool;
use testcase::execution::SeenException;

use super::record::Spent;
use crate::json::SymbolicReport;

/// What a worker told that the record takes; goals by the worker's numbers.
#[derive(Debug)]
pub(super) enum News {
    /// It has seen so many exceptions by now.
    Exceptions(usize),
    /// A test entered its archive for these goals.
    Archived {
        /// The goals, ascending.
        goals: Vec<GoalId>,
        /// The test.
        test: Arc<ArchivedTest>,
        /// What the island has spent.
        spent: Spent,
    },
    /// It covers these goals no more.
    Uncovered {
        /// The goals, ascending.
        goals: Vec<GoalId>,
        /// What the island has spent.
        spent: Spent,
    },
    /// What the island has spent.
    Progress(Spent),
    /// What local search did on the island.
    LocalSearch(Vec<AppliedTool>),
    /// What came of symbolic execution, of all workers of the island.
    Symbolic(Box<SymbolicReport>),
    /// Something the user should know.
    Diagnostic(String),
}

/// How far an island is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Its worker searches, or there will be another one that does.
    Searching,
    /// Its worker waits for the tests of the others.
    Waiting,
    /// Its worker has searched, and waits for what the others find in the end.
    Collecting,
    /// It finds nothing any more.
    Over,
}

/// An island.
#[derive(Debug)]
pub(super) struct Island {
    /// News that the record has not taken yet, with the times at which they came.
    pub pending: Vec<(News, Duration)>,
    /// Exceptions in the order of the worker's goals for them.
    pub seen: Vec<SeenException>,
    /// Goals that class files tell of: they have the same number everywhere.
    fixed: usize,
    /// The goals of `seen` in the record, as far as it has taken them.
    known: Vec<GoalId>,
    /// The same the other way.
    own_numbers: BTreeMap<GoalId, GoalId>,
    /// Its archive by its own numbers: what its next worker begins with.
    pub own: Archive,
    /// Its archive by those of the record.
    pub archive: Archive,
    /// Goals for which its present worker was sent a test.
    pub sent: BTreeSet<GoalId>,
    /// The way to its worker.
    pub line: Option<Line>,
    pub state: State,
    /// What its workers spent.
    pub spent: Spent,
    /// What local search did in them.
    pub tools: Vec<AppliedTool>,
    /// What came of symbolic execution; `None` where it was not applied.
    pub symbolic: Option<SymbolicReport>,
    /// Goals that it was the first to cover.
    pub covered_first: usize,
    /// Workers that it lost.
    pub losses: Losses,
    /// The same, as the other islands may know it.
    pub losses_told: Losses,
}

impl Island {
    /// An island of a class with so many goals that class files tell of.
    pub(super) fn new(fixed: usize) -> Self {
        Self {
            pending: Vec::new(),
            seen: Vec::new(),
            fixed,
            known: Vec::new(),
            own_numbers: BTreeMap::new(),
            own: Archive::new(fixed, false),
            archive: Archive::new(fixed, false),
            sent: BTreeSet::new(),
            line: None,
            state: State::Searching,
            spent: Spent::default(),
            tools: Vec::new(),
            symbolic: None,
            covered_first: 0,
            losses: Losses::default(),
            losses_told: Losses::default(),
        }
    }

    /// Takes exceptions that its worker sees for the first time, as far as they are new to it. Gives how many it has seen.
    pub(super) fn see(&mut self, seen: Vec<SeenException>) -> usize {
        for exception in seen {
            if !self.seen.contains(&exception) {
                self.seen.push(exception);
            }
        }
        self.own.grow(self.fixed + self.seen.len());
        self.seen.len()
    }

    /// Exceptions among the first `count` whose goals in the record are not known yet.
    pub(super) fn unknown(&self, count: usize) -> &[SeenException] {
        self.seen.get(self.known.len()..count).unwrap_or_default()
    }

    /// The next exceptions that were not known have these goals in the record.
    pub(super) fn learn(&mut self, goals: impl IntoIterator<Item = GoalId>) {
        for goal in goals {
            self.own_numbers.insert(goal, GoalId((self.fixed + self.known.len()) as u32));
            self.known.push(goal);
        }
    }

    /// A goal by the record's number; `None` of an exception that the record does not know of.
    pub(super) fn in_record(&self, goal: GoalId) -> Option<GoalId> {
        match goal.index().checked_sub(self.fixed) {
            None => Some(goal),
            Some(seen) => self.known.get(seen).copied(),
        }
    }

    /// As [`Island::in_record`] for several goals; the result is ascending.
    pub(super) fn all_in_record(&self, goals: &[GoalId]) -> Vec<GoalId> {
        let mut found: Vec<GoalId> = goals.iter().filter_map(|&goal| self.in_record(goal)).collect();
        found.sort_unstable();
        found
    }

    /// A goal of the record by the island's number; `None` of an exception that it has not seen.
    pub(super) fn in_island(&self, goal: GoalId) -> Option<GoalId> {
        if goal.index() < self.fixed { Some(goal) } else { self.own_numbers.get(&goal).copied() }
    }

    /// As [`Island::in_island`] for several goals; the result is ascending.
    pub(super) fn all_in_island<'a>(&self, goals: impl IntoIterator<Item = &'a GoalId>) -> Vec<GoalId> {
        let mut found: Vec<GoalId> = goals.into_iter().filter_map(|&goal| self.in_island(goal)).collect();
        found.sort_unstable();
        found
    }

    /// Whether the island has no test for a goal of the record.
    pub(super) fn lacks(&self, goal: GoalId) -> bool {
        self.archive.test(goal).is_none()
    }
}
