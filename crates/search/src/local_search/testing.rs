//! A landscape whose distance is a function of the test, for tests of the operators.

use std::collections::BTreeSet;

use testcase::cluster::TestCluster;
use testcase::random::Random;
use testcase::recording::Recording;
use testcase::statement::Statement;
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::climb::{Climb, Landscape, Reaction};
use super::options::LocalSearchOptions;
use super::test_search::OpenOutcome;
use super::tools::Tools;
use crate::source::TestSource;
use crate::source::testing::NoSource;

/// A whole number.
pub(super) fn number(value: &Value) -> i64 {
    value.as_integer().expect("a whole number")
}

/// A landscape with its best test: a distance of 0 is what is looked for.
pub(super) struct Hill {
    pub(super) best: TestCase,
    pub(super) attempts: u32,
    pub(super) options: LocalSearchOptions,
    distance: Box<dyn Fn(&TestCase) -> f64>,
    compared: Vec<Value>,
    source: NoSource,
    random: Random,
}

impl Hill {
    pub(super) fn new(start: TestCase, distance: impl Fn(&TestCase) -> f64 + 'static) -> Self {
        Self {
            best: start,
            attempts: 0,
            options: LocalSearchOptions::default(),
            distance: Box::new(distance),
            compared: Vec::new(),
            source: NoSource,
            random: Random::new(1, 0),
        }
    }

    /// A test of one value, and a distance that depends on it.
    pub(super) fn of_value(start: &Value, distance: impl Fn(&Value) -> f64 + 'static) -> Self {
        let start = TestCase::new(vec![Statement::Primitive { value: start.clone(), boxed: false }]);
        Self::new(start, move |test| distance(&values(test)[0]))
    }

    /// Values that branches are to have compared.
    pub(super) fn comparing(mut self, compared: Vec<Value>) -> Self {
        self.compared = compared;
        self
    }

    /// Takes its chances from those of another, which goes on by that.
    pub(super) fn draw_from(&mut self, random: &mut Random) {
        self.random = Random::new(random.below(1 << 30) as u64, 0);
    }

    /// Applies all operators; the best test is the result of the climb.
    pub(super) fn improve(&mut self, cluster: &TestCluster) {
        let options = self.options.clone();
        let mut climb = Climb::new(self.best.clone(), self, cluster, &options);
        Tools::new(Vec::new()).improve(&mut climb, |_| true);
        let best = climb.test().clone();
        self.best = best;
    }

    /// The one value of the best test that improving finds.
    pub(super) fn found(&mut self) -> Value {
        self.improve(&TestCluster::default());
        values(&self.best)[0].clone()
    }
}

/// The values that a test holds, in their order.
pub(super) fn values(test: &TestCase) -> Vec<Value> {
    let value = |statement: &Statement| {
        let Statement::Primitive { value, .. } = statement else { return None };
        Some(value.clone())
    };
    test.statements().iter().filter_map(value).collect()
}

impl Landscape for Hill {
    fn record(&mut self, test: &TestCase) -> (Reaction, Option<Box<Recording>>) {
        (self.attempt(test), None)
    }

    fn open_outcomes(&self) -> BTreeSet<OpenOutcome> {
        BTreeSet::new()
    }

    fn attempt(&mut self, test: &TestCase) -> Reaction {
        let before = (self.distance)(&self.best);
        if before == 0.0 {
            return Reaction::Over;
        }
        self.attempts += 1;
        let now = (self.distance)(test);
        if now < before {
            self.best = test.clone();
            Reaction::Better
        } else if now.to_bits() == before.to_bits() {
            Reaction::Same
        } else {
            Reaction::Changed
        }
    }

    fn begun(&self) -> usize {
        self.best.len()
    }

    fn compared(&self) -> Vec<Value> {
        self.compared.clone()
    }

    fn longest(&self) -> usize {
        100
    }

    fn source(&mut self) -> (&mut dyn TestSource, &mut Random) {
        (&mut self.source, &mut self.random)
    }
}
