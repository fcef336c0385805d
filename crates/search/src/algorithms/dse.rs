//! DSE: random tests, each explored by test searches such as symbolic execution. There is no evolution; what symbolic execution
//! alone finds is what the hybrid is compared with.
//!
//! Galeotti, Fraser and Arcuri 2013, "Improving Search-based Test Suite Generation with Dynamic Symbolic Execution", §III-B
//! and RQ5: the exploration begins with a random input, and goes on from each test that covers something new.
//!
//! # Differences
//! The paper compares with a tool that has one method under test. A sequence of calls is drawn here as everywhere, and the next
//! one once the conditions of this one are exhausted or the application has used what it may.

use std::collections::BTreeSet;

use testcase::random::Random;
use testcase::recording::Recording;
use testcase::test_case::TestCase;
use testcase::value::Value;

use crate::algorithm::{AlgorithmRow, ArchivePolicy, LocalSearchUse, SearchAlgorithm, paper};
use crate::context::{Evaluated, SearchContext};
use crate::local_search::climb::{Climb, Landscape, Reaction, Used};
use crate::local_search::expansion::expanded;
use crate::local_search::scheduler::{Allowance, Scheduler, is_spent};
use crate::local_search::test_search::OpenOutcome;
use crate::source::TestSource;

/// The row of the table.
pub(crate) const ROW: AlgorithmRow = AlgorithmRow {
    name: "dse",
    summary: "random tests, each explored by symbolic execution (DSE)",
    paper: paper::HYBRID,
    explanation: "\
Draws random tests and runs each symbolically: the conditions of its path, negated and solved, give new tests, and those \
that cover something new are explored in turn. Sequences of calls are drawn and never evolve: the baseline for what the \
hybrid gains by evolution.",
    archive: ArchivePolicy::Collects,
    follows_control: false,
    is_blind: true,
    local_search: LocalSearchUse::Always,
    new: || Box::new(Dse { last: None }),
};

/// The algorithm.
#[derive(Debug)]
struct Dse {
    /// The test to explore.
    last: Option<TestCase>,
}

impl SearchAlgorithm for Dse {
    fn step(&mut self, context: &mut SearchContext<'_, '_>) {
        let test = context.initial_test();
        self.last = match context.evaluate(test) {
            Evaluated::Individual(individual) => Some(individual.test),
            Evaluated::Useless | Evaluated::Over => None,
        };
    }

    fn is_to_improve(&self, scheduler: &Scheduler<'_>, context: &SearchContext<'_, '_>) -> bool {
        self.last.is_some() && scheduler.has_searches(context)
    }

    fn improve(&mut self, scheduler: &mut Scheduler<'_>, context: &mut SearchContext<'_, '_>) {
        let Some(test) = self.last.take() else { return };
        let (local, cluster) = (&context.options.local_search, context.class.cluster);
        let before = context.used().covered;
        scheduler.begin_individual();
        let (allowance, tools) = scheduler.parts();
        let start = if local.expansion { expanded(&test, context.options.factory.max_length) } else { test };
        let begun = start.len();
        let mut landscape = CoverageLandscape { context, allowance, begun, compared: Vec::new() };
        tools.search(&mut Climb::new(start, &mut landscape, cluster, local));
        let helped = context.used().covered > before;
        scheduler.end_individual(helped, context);
    }
}

/// A landscape in which a test is better that covers something new.
struct CoverageLandscape<'l, 'c, 'b> {
    context: &'l mut SearchContext<'c, 'b>,
    allowance: Option<&'l Allowance>,
    begun: usize,
    compared: Vec<Value>,
}

impl Landscape for CoverageLandscape<'_, '_, '_> {
    fn attempt(&mut self, test: &TestCase) -> Reaction {
        self.attempt_by(test, |context, test| (context.evaluate(test), None)).0
    }

    fn record(&mut self, test: &TestCase) -> (Reaction, Option<Box<Recording>>) {
        self.attempt_by(test, SearchContext::record)
    }

    fn open_outcomes(&self) -> BTreeSet<OpenOutcome> {
        self.context.open_outcomes()
    }

    fn begun(&self) -> usize {
        self.begun
    }

    fn compared(&self) -> Vec<Value> {
        self.compared.clone()
    }

    fn used(&self) -> Used {
        self.context.used()
    }

    fn longest(&self) -> usize {
        self.context.options.factory.max_length
    }

    fn source(&mut self) -> (&mut dyn TestSource, &mut Random) {
        let environment = &mut *self.context.environment;
        (environment.source, environment.random)
    }
}

impl<'c, 'b> CoverageLandscape<'_, 'c, 'b> {
    /// Has a test evaluated in a way, and says whether it covered something new.
    fn attempt_by(
        &mut self,
        test: &TestCase,
        evaluate: impl FnOnce(&mut SearchContext<'c, 'b>, TestCase) -> (Evaluated, Option<Box<Recording>>),
    ) -> (Reaction, Option<Box<Recording>>) {
        if is_spent(self.allowance, self.context) || self.context.is_over() {
            return (Reaction::Over, None);
        }
        let before = self.context.used().covered;
        let (evaluated, recording) = evaluate(self.context, test.clone());
        let reaction = match evaluated {
            Evaluated::Individual(_) if self.context.used().covered > before => {
                self.begun = self.context.begun(test);
                self.compared = self.context.compared();
                Reaction::Better
            }
            Evaluated::Individual(_) => Reaction::Changed,
            Evaluated::Useless => Reaction::Same,
            Evaluated::Over => Reaction::Over,
        };
        (reaction, recording)
    }
}
