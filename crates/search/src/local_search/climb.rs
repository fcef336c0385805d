//! A test on its way up: the best version so far, and what judges each change.

use std::collections::BTreeSet;
use std::time::Duration;

use testcase::cluster::{Call, TestCluster};
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
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Used {
    /// Runs of tests.
    pub executions: u64,
    /// Goals that are covered.
    pub covered: u64,
    /// Time since the start of the budget.
    pub time: Duration,
    /// Share of the budget, in executions or in time as that is, with [`Landscape::spend`]: from 0 on.
    pub share: f64,
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

    /// Calls that write a field which the code of the goal reads. As it stands for landscapes that are not about one goal.
    fn writers(&self) -> Vec<Call> {
        Vec::new()
    }

    /// Statements that a test may have at most.
    fn longest(&self) -> usize;

    /// Sets the best test aside: the next one that is run is the best whatever it is worth. Whether that can be done here; as
    /// it stands for landscapes where it cannot.
    fn set_aside(&mut self) -> bool {
        false
    }

    /// Ends what [`Landscape::set_aside`] began: of the best test since then and the one that was set aside, the better one is
    /// the best again; of two that are as good the new one if it is `preferred`. Whether it is the new one.
    fn settle(&mut self, _preferred: bool) -> bool {
        false
    }

    /// What the search has used and covered so far. As it stands for landscapes that count nothing.
    fn used(&self) -> Used {
        Used::default()
    }

    /// Counts work that is no run of a test, by what it takes on a usual machine. As it stands for landscapes that count nothing.
    fn spend(&mut self, _work: Duration) {}

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
    is_thorough: bool,
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
        Self { landscape, cluster, options, best: start, improvements: 0, is_over: false, is_thorough: true }
    }

    /// Says whether what is ours is to do all that it can, though that costs: first what costs little is tried.
    #[must_use]
    pub fn thoroughly(mut self, is_thorough: bool) -> Self {
        self.is_thorough = is_thorough;
        self
    }

    /// Whether operators do what is not in the paper and costs many runs.
    pub fn is_thorough(&self) -> bool {
        self.is_thorough && self.options.extended
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

    /// Calls that write a field which the code of the goal reads.
    pub fn writers(&self) -> Vec<Call> {
        self.landscape.writers()
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

    /// Counts work that is no run of a test, by what it takes on a usual machine: counted and not measured, so that runs repeat.
    pub fn spend(&mut self, work: Duration) {
        self.landscape.spend(work);
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

    /// Climbs from a test whatever it is worth, where the landscape can do that; what comes of it stays if it is better than the
    /// best test before. Whether it is.
    pub(super) fn restart(&mut self, start: TestCase, climb: impl FnOnce(&mut Self)) -> bool {
        if self.is_over || start == self.best || !self.landscape.set_aside() {
            return false;
        }
        let (best, improvements) = (self.best.clone(), self.improvements);
        if self.attempt(start) == Reaction::Better {
            climb(self);
        }
        let is_better = self.landscape.settle(false);
        if !is_better {
            self.best = best;
        }
        self.improvements = improvements + u32::from(is_better);
        is_better
    }

    /// Takes a test that should do what the best one does in its place, if a run says so: what is known of the best test is
    /// then known of it.
    pub(super) fn adopt(&mut self, same: TestCase) {
        if self.is_over || !self.landscape.set_aside() {
            return;
        }
        if self.landscape.attempt(&same) == Reaction::Over {
            self.is_over = true;
        }
        if self.landscape.settle(true) {
            self.best = same;
        }
    }

    /// Removes statements without effect whose variables nothing uses.
    pub(super) fn remove_unused(&mut self, test: &mut TestCase) {
        self.landscape.source().0.remove_unused(test);
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

    /// Values of the type of another, drawn as for new tests; the other one is not among them.
    pub(super) fn drawn_like(&mut self, value: &Value, most: usize) -> Vec<Value> {
        let (source, random) = self.landscape.source();
        let drawn = (0..most).filter_map(|_| source.draw_like(value, random));
        drawn.filter(|drawn| drawn != value).collect()
    }

    /// The randomness of the search.
    pub(super) fn random(&mut self) -> &mut Random {
        self.landscape.source().1
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
