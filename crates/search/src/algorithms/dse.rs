//! DSE: random tests, each explored by test searches such as symbolic execution. There is no evolution; what symbolic execution
//! alone finds is what the hybrid is compared with.
//!
//! Galeotti, Fraser and Arcuri 2013, "Improving Search-based Test Suite Generation with Dynamic Symbolic Execution", §III-B
//! and RQ5: the exploration begins with a random input, and goes on from each test that covers something new.
//!
//! # Differences
//! The paper compares with a tool that has one method under test. A sequence of calls is drawn here as everywhere, and the next
//! one once the conditions of this one are exhausted or the application has used what it may.

use testcase::random::Random;
use testcase::test_case::TestCase;
use testcase::value::Value;

use crate::algorithm::{AlgorithmRow, ArchivePolicy, LocalSearchUse, SearchAlgorithm, paper};
use crate::context::{Evaluated, SearchContext};
use crate::local_search::climb::{Climb, Reaction};
use crate::local_search::expansion::expanded;
use crate::local_search::scheduler::{Allowance, Scheduler, is_spent};
use crate::local_search::search_landscape::SearchLandscape;
use crate::local_search::tools::Kind;
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
    pursues_mutants: false,
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
        self.last.is_some() && scheduler.may_apply(Kind::Searches, context)
    }

    fn improve(&mut self, scheduler: &mut Scheduler<'_>, context: &mut SearchContext<'_, '_>) {
        let Some(test) = self.last.take() else { return };
        let (local, cluster) = (&context.options.local_search, context.class.cluster);
        let before = context.used().covered;
        scheduler.begin_individual();
        let (allowance, tools) = scheduler.parts();
        let start = if local.expansion { expanded(&test, context.options.factory.max_length) } else { test };
        let begun = start.len();
        let mut landscape =
            CoverageLandscape { covered: before, context, allowance, begun, compared: Vec::new() };
        tools.search(&mut Climb::new(start, &mut landscape, cluster, local));
        let helped = context.used().covered > before;
        scheduler.end_individual(helped, context);
    }
}

/// A landscape in which a test is better that covers something new.
struct CoverageLandscape<'l, 'c, 'b> {
    context: &'l mut SearchContext<'c, 'b>,
    allowance: Option<&'l Allowance>,
    /// Goals that were covered behind the last run.
    covered: u64,
    begun: usize,
    compared: Vec<Value>,
}

impl<'c, 'b> SearchLandscape<'c, 'b> for CoverageLandscape<'_, 'c, 'b> {
    fn context(&self) -> &SearchContext<'c, 'b> {
        self.context
    }

    fn context_mut(&mut self) -> &mut SearchContext<'c, 'b> {
        self.context
    }

    fn source_and_random(&mut self) -> (&mut dyn TestSource, &mut Random) {
        self.context.source()
    }

    fn is_over(&self) -> bool {
        is_spent(self.allowance, self.context) || self.context.is_over()
    }

    fn judge(&mut self, test: &TestCase, evaluated: Evaluated) -> Reaction {
        let covered = self.context.used().covered;
        let is_news = covered > std::mem::replace(&mut self.covered, covered);
        match evaluated {
            Evaluated::Individual(_) if is_news => {
                self.begun = self.context.begun(test);
                self.compared = self.context.compared();
                Reaction::Better
            }
            Evaluated::Individual(_) => Reaction::Changed,
            Evaluated::Useless => Reaction::Same,
            Evaluated::Over => Reaction::Over,
        }
    }

    fn statements_begun(&self) -> usize {
        self.begun
    }

    fn compared_values(&self) -> &[Value] {
        &self.compared
    }
}
