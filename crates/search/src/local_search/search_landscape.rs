//! Landscapes of a running search: each says how it judges a run, all else is the same for all of them.

use std::collections::BTreeSet;
use std::time::Duration;

use testcase::cluster::Call;
use testcase::random::Random;
use testcase::recording::Recording;
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::climb::{Landscape, Reaction, Used};
use super::test_search::OpenOutcome;
use crate::context::{Evaluated, SearchContext};
use crate::source::TestSource;

/// What judges the runs of a climb by a search. It is a [`Landscape`].
pub(crate) trait SearchLandscape<'c, 'b: 'c> {
    /// The search.
    fn context(&self) -> &SearchContext<'c, 'b>;

    /// The search, to run tests.
    fn context_mut(&mut self) -> &mut SearchContext<'c, 'b>;

    /// What makes and changes tests, with the randomness for it: [`SearchContext::source`].
    fn source_and_random(&mut self) -> (&mut dyn TestSource, &mut Random);

    /// Whether there is nothing left to gain or to spend.
    fn is_over(&self) -> bool;

    /// Compares a test that was just run with the best one. From now on it is the best one where it is better.
    fn judge(&mut self, test: &TestCase, evaluated: Evaluated) -> Reaction;

    /// Statements that the best test began in its run.
    fn statements_begun(&self) -> usize;

    /// Values that branches compared in the run of the best test.
    fn compared_values(&self) -> &[Value];

    /// As [`Landscape::writers`].
    fn calls_that_write(&self) -> Vec<Call> {
        Vec::new()
    }

    /// The outcomes of branches that are goals and not covered.
    fn uncovered_outcomes(&self) -> BTreeSet<OpenOutcome> {
        self.context().open_outcomes()
    }

    /// As [`Landscape::set_aside`].
    fn set_best_aside(&mut self) -> bool {
        false
    }

    /// As [`Landscape::settle`].
    fn settle_best(&mut self, _preferred: bool) -> bool {
        false
    }

    /// Goals that are covered by what the archive does not know yet; 0 where it knows all.
    fn covered_besides(&self) -> u64 {
        0
    }
}

impl<'c, 'b: 'c, L: SearchLandscape<'c, 'b>> Landscape for L {
    fn attempt(&mut self, test: &TestCase) -> Reaction {
        if self.is_over() {
            return Reaction::Over;
        }
        let evaluated = self.context_mut().evaluate(test.clone());
        self.judge(test, evaluated)
    }

    fn record(&mut self, test: &TestCase) -> (Reaction, Option<Box<Recording>>) {
        if self.is_over() {
            return (Reaction::Over, None);
        }
        let (evaluated, recording) = self.context_mut().record(test.clone());
        (self.judge(test, evaluated), recording)
    }

    fn open_outcomes(&self) -> BTreeSet<OpenOutcome> {
        self.uncovered_outcomes()
    }

    fn begun(&self) -> usize {
        self.statements_begun()
    }

    fn compared(&self) -> Vec<Value> {
        self.compared_values().to_vec()
    }

    fn writers(&self) -> Vec<Call> {
        self.calls_that_write()
    }

    fn longest(&self) -> usize {
        self.context().options.factory.max_length
    }

    fn set_aside(&mut self) -> bool {
        self.set_best_aside()
    }

    fn settle(&mut self, preferred: bool) -> bool {
        self.settle_best(preferred)
    }

    fn used(&self) -> Used {
        let used = self.context().used();
        Used { covered: used.covered.max(self.covered_besides()), ..used }
    }

    fn spend(&mut self, work: Duration) {
        self.context_mut().environment.budget.count_work(work);
    }

    fn source(&mut self) -> (&mut dyn TestSource, &mut Random) {
        self.source_and_random()
    }
}
