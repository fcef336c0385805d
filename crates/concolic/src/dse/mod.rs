//! Dynamic symbolic execution as a local search on whole tests.
//!
//! Galeotti, Fraser and Arcuri 2013, "Improving Search-based Test Suite Generation with Dynamic Symbolic Execution", §III-B: a test
//! is run and replayed, its path conditions are pooled, one is negated and solved, the test that its model gives is run, and adds its
//! own conditions, until nothing is left.
//!
//! * `exploration`: one application
//! * `pool`: conditions to negate, the best first
//! * `negations`: what a solver is asked of one path
//! * `statistics`: what came of it
//!
//! # Differences
//! The paper pools the conditions of all tests of a suite; here an application is about one test. Of the paper is the order by size.
//! Conditions whose negation leads to an open outcome come before the others, unless [`ExplorationOptions::prefers_open`] is off.

mod exploration;
mod negations;
mod pool;
mod statistics;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use bytecode::hierarchy::ClassHierarchy;
use search::local_search::climb::Climb;
use search::local_search::test_search::TestSearch;
use testcase::clock::Clock;
use testcase::test_case::TestCase;

use self::exploration::Explored;
use crate::interpreter;
use crate::solver::{self, Solver, SolverEntry, Solving};

pub use negations::Negations;
pub use statistics::Statistics;

/// How much an application does, and in which order.
#[derive(Debug, Clone, Copy)]
pub struct ExplorationOptions {
    /// Negated conditions that are given to a solver for a test to begin with, at least 1. By default 200: most are answered within a few
    /// milliseconds.
    pub solves: usize,
    /// Conditions in a row after which an exploration ends if their negation led to nothing new: no goal was covered, and no branch
    /// went a way that it had not gone at that time. Nothing where `prefers_open` is off. By default 60.
    pub in_vain: usize,
    /// Conditions of a path that are negated, the first ones of the class path and the first ones of the platform's code, at least 1.
    /// By default 400: paths of tests that evolution finds are
    /// shorter, those of loops repeat themselves.
    pub conditions: usize,
    /// How much a solver does for one condition. By default a tenth of what it does elsewhere, some milliseconds.
    pub solver: solver::Limits,
    /// How long a solver takes for one condition at most. By default as long as it does: what comes of it depends on the machine
    /// otherwise.
    pub query_time: Option<Duration>,
    /// How much a replay does. By default a tenth of what it does elsewhere.
    pub replay: interpreter::Limits,
    /// Whether only branches are negated of which an outcome is open (the paper's filter). Off by default: the way to an open
    /// branch may lead through one that is covered.
    pub is_filtered: bool,
    /// Whether conditions whose negation leads to an open outcome come first, and no test is explored twice. On by default; the paper goes by size alone.
    pub prefers_open: bool,
}

impl Default for ExplorationOptions {
    fn default() -> Self {
        let solver = solver::Limits::default();
        let replay = interpreter::Limits::default();
        Self {
            solves: 200,
            in_vain: 60,
            conditions: 400,
            solver: solver::Limits { steps: solver.steps / 10, conflicts: solver.conflicts / 10, ..solver },
            query_time: None,
            replay: interpreter::Limits { steps: replay.steps / 10, ..replay },
            is_filtered: false,
            prefers_open: true,
        }
    }
}

/// The local search. Answers of the solver and the code of methods are remembered from one application to the next.
pub struct SymbolicExecution {
    classes: Classes,
    code: Arc<interpreter::Code>,
    options: ExplorationOptions,
    solving: Solving,
    clock: Clock,
    /// Tests of which everything was negated that could be: each says nothing new when it is the nearest one again.
    explored: BTreeSet<TestCase>,
    /// Tests whose exploration was cut short, the last one first, with what is known.
    begun: Vec<(TestCase, Explored)>,
    statistics: Statistics,
}

impl SymbolicExecution {
    /// Over classes that are opened with the first application, with a solver of the table ([`crate::solver::SOLVERS`]). Where
    /// `open` gives `None` it does nothing.
    pub fn new(
        open: impl FnOnce() -> Option<Arc<ClassHierarchy>> + 'static,
        options: ExplorationOptions,
        entry: &SolverEntry,
    ) -> Self {
        Self::with_solver(open, options, (entry.make)())
    }

    /// The same with a solver that was made before.
    pub fn with_solver(
        open: impl FnOnce() -> Option<Arc<ClassHierarchy>> + 'static,
        options: ExplorationOptions,
        solver: Box<dyn Solver>,
    ) -> Self {
        Self {
            classes: Classes::Closed(Box::new(open)),
            code: Arc::default(),
            options,
            solving: Solving::with(solver),
            clock: Clock::start(),
            explored: BTreeSet::new(),
            begun: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    /// What came of all applications so far.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

impl TestSearch for SymbolicExecution {
    fn name(&self) -> &'static str {
        "symbolic-execution"
    }

    fn improve(&mut self, climb: &mut Climb<'_>) {
        if let Some(hierarchy) = self.classes.open() {
            self.explore(&hierarchy, climb);
        }
    }
}

/// So that who gives it to a search can ask for its statistics afterwards.
impl TestSearch for &mut SymbolicExecution {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn improve(&mut self, climb: &mut Climb<'_>) {
        (**self).improve(climb);
    }
}

impl std::fmt::Debug for SymbolicExecution {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("SymbolicExecution")
            .field("statistics", &self.statistics)
            .finish_non_exhaustive()
    }
}

/// The classes: reading the class path takes time, and many searches never come to it.
enum Classes {
    /// As long as nobody asked for them.
    Closed(Box<dyn FnOnce() -> Option<Arc<ClassHierarchy>>>),
    /// Once they were asked for; `None` where they cannot be read.
    Open(Option<Arc<ClassHierarchy>>),
}

impl Classes {
    fn open(&mut self) -> Option<Arc<ClassHierarchy>> {
        match std::mem::replace(self, Self::Open(None)) {
            Self::Closed(open) => *self = Self::Open(open()),
            Self::Open(known) => *self = Self::Open(known),
        }
        match self {
            Self::Open(known) => known.clone(),
            Self::Closed(_) => None,
        }
    }
}
