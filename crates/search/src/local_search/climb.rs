//! A test on its way up: the best version so far, and what judges each change.

use std::collections::BTreeSet;
use std::time::Duration;

use testcase::cluster::TestCluster;
use testcase::random::Random;
use testcase::recording::Recording;
use testcase::statement::Statement;
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::options::LocalSearchOptions;
use super::test_search::OpenOutcome;
use crate::source::TestSource;

/// How a test compares with the best before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    /// It is better.
    Better,
    /// Its fitness differs and is not better.
    Changed,
    /// Its fitness is the same, or it may not be believed.
    Same,
    /// It was not run: there is nothing left to gain or to spend.
    Over,
}

/// What a search has used and covered until a moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Used {
    /// Runs of tests.
    pub executions: u64,
    /// Goals that are covered.
    pub covered: u64,
    /// Time since the start of the budget.
    pub time: Duration,
}

/// What a climb is on: judges tests against the best one so far, which it knows.
pub trait Landscape {
    /// Runs a test. From now on it is the best one where it is better.
    fn attempt(&mut self, test: &TestCase) -> Reaction;

    /// As [`Landscape::attempt`], the best test included; also gives what the run logged, where it was run and the executor can
    /// say so.
    fn record(&mut self, test: &TestCase) -> (Reaction, Option<Box<Recording>>);

    /// The outcomes of branches that are goals and not covered.
    fn open_outcomes(&self) -> BTreeSet<OpenOutcome>;

    /// Statements that the best test began in its run, those behind not.
    fn begun(&self) -> usize;

    /// Values that branches compared in the run of the best test, in the order of the run, each once.
    fn compared(&self) -> Vec<Value>;

    /// Statements that a test may have at most.
    fn longest(&self) -> usize;

    /// What the search has used and covered so far. As it stands for landscapes that count nothing.
    fn used(&self) -> Used {
        Used::default()
    }

    /// What makes and changes tests, with the randomness for it.
    fn source(&mut self) -> (&mut dyn TestSource, &mut Random);
}

/// A test that is improved.
pub struct Climb<'a> {
    landscape: &'a mut dyn Landscape,
    cluster: &'a TestCluster,
    options: &'a LocalSearchOptions,
    best: TestCase,
    improvements: u32,
    is_over: bool,
}

impl std::fmt::Debug for Climb<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Climb").field("best", &self.best).finish_non_exhaustive()
    }
}

impl<'a> Climb<'a> {
    /// A climb from a test that the landscape knows as the best one.
    pub fn new(
        start: TestCase,
        landscape: &'a mut dyn Landscape,
        cluster: &'a TestCluster,
        options: &'a LocalSearchOptions,
    ) -> Self {
        Self { landscape, cluster, options, best: start, improvements: 0, is_over: false }
    }

    /// The best test so far.
    pub fn test(&self) -> &TestCase {
        &self.best
    }

    /// What tests may use.
    pub fn cluster(&self) -> &'a TestCluster {
        self.cluster
    }

    /// Options.
    pub fn options(&self) -> &'a LocalSearchOptions {
        self.options
    }

    /// How often the test got better.
    pub fn improvements(&self) -> u32 {
        self.improvements
    }

    /// Whether there is nothing left to gain or to spend.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Statements that the best test began in its run.
    pub fn begun(&self) -> usize {
        self.landscape.begun().min(self.best.len())
    }

    /// Values that branches compared in the run of the best test.
    pub fn compared(&self) -> Vec<Value> {
        self.landscape.compared()
    }

    /// Runs a test, which becomes the best one if it is better. One that is the best already is not run.
    pub fn attempt(&mut self, test: TestCase) -> Reaction {
        if self.is_over {
            return Reaction::Over;
        }
        if test == self.best {
            return Reaction::Same;
        }
        let reaction = self.landscape.attempt(&test);
        self.note(reaction, test);
        reaction
    }

    /// As [`Climb::attempt`], and gives what the run logged; the best test is run as well.
    pub fn record(&mut self, test: TestCase) -> (Reaction, Option<Box<Recording>>) {
        if self.is_over {
            return (Reaction::Over, None);
        }
        let (reaction, recording) = self.landscape.record(&test);
        self.note(reaction, test);
        (reaction, recording)
    }

    fn note(&mut self, reaction: Reaction, test: TestCase) {
        match reaction {
            Reaction::Better => {
                self.improvements += 1;
                self.best = test;
            }
            Reaction::Over => self.is_over = true,
            Reaction::Changed | Reaction::Same => {}
        }
    }

    /// The outcomes of branches that are goals and not covered.
    pub fn open_outcomes(&self) -> BTreeSet<OpenOutcome> {
        self.landscape.open_outcomes()
    }

    /// Takes a test that does what the best one does, in its place.
    pub fn take(&mut self, same: TestCase) {
        self.best = same;
    }

    /// Statements that a test may have at most.
    pub fn longest(&self) -> usize {
        self.landscape.longest()
    }

    /// What the search has used and covered so far.
    pub fn used(&self) -> Used {
        self.landscape.used()
    }

    /// Whether something happens that has this probability.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.landscape.source().1.chance(probability)
    }

    /// Whether a test is better; `None`, where there is none to be tried, is not.
    pub fn is_better(&mut self, test: Option<TestCase>) -> bool {
        test.is_some_and(|test| self.attempt(test) == Reaction::Better)
    }

    /// The value of a statement that is one.
    pub fn value(&self, position: usize) -> Option<&Value> {
        match self.best.statements().get(position)? {
            Statement::Primitive { value, .. } => Some(value),
            Statement::Null { .. }
            | Statement::EnumConstant { .. }
            | Statement::ClassLiteral { .. }
            | Statement::Constructor { .. }
            | Statement::Method { .. }
            | Statement::FieldRead { .. }
            | Statement::FieldWrite { .. }
            | Statement::Array { .. }
            | Statement::ArrayWrite { .. }
            | Statement::Stub { .. } => None,
        }
    }

    /// The best test with another value in such a statement.
    pub fn with_value(&self, position: usize, new: Value) -> TestCase {
        let mut test = self.best.clone();
        if let Some(Statement::Primitive { value, .. }) = test.statements_mut().get_mut(position) {
            *value = new;
        }
        test
    }

    /// A copy of the best test that something changed, and what that says.
    pub fn changed<T>(
        &mut self,
        change: impl FnOnce(&mut TestCase, &mut dyn TestSource, &mut Random) -> T,
    ) -> (TestCase, T) {
        let mut test = self.best.clone();
        let (source, random) = self.landscape.source();
        let said = change(&mut test, source, random);
        (test, said)
    }
}
