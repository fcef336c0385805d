//! A landscape over the values of a test, for tests of the operators.

use testcase::cluster::TestCluster;
use testcase::random::Random;
use testcase::statement::Statement;
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::climb::{Climb, Landscape, Reaction};
use super::improve;
use super::options::LocalSearchOptions;
use crate::source::TestSource;
use crate::source::testing::NoSource;

/// A whole number.
pub(super) fn number(value: &Value) -> i64 {
    value.as_integer().expect("a whole number")
}

/// A test of values alone, whose distance from a goal is a function of them: 0 is covered.
pub(super) struct Numbers {
    pub(super) best: Vec<Value>,
    pub(super) attempts: u32,
    pub(super) options: LocalSearchOptions,
    distance: Box<dyn Fn(&[Value]) -> f64>,
    compared: Vec<Value>,
    source: NoSource,
    random: Random,
}

impl Numbers {
    pub(super) fn new(start: Value, distance: impl Fn(&[Value]) -> f64 + 'static) -> Self {
        Self::of(vec![start], distance)
    }

    pub(super) fn of(start: Vec<Value>, distance: impl Fn(&[Value]) -> f64 + 'static) -> Self {
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

    /// Values that branches are to have compared.
    pub(super) fn comparing(mut self, compared: Vec<Value>) -> Self {
        self.compared = compared;
        self
    }

    /// Applies all operators.
    pub(super) fn improve(&mut self) {
        let statement = |value: &Value| Statement::Primitive { value: value.clone(), boxed: false };
        let start = TestCase::new(self.best.iter().map(statement).collect());
        let (cluster, options) = (TestCluster::default(), self.options.clone());
        improve(&mut Climb::new(start, self, &cluster, &options));
    }
}

fn values(test: &TestCase) -> Vec<Value> {
    let value = |statement: &Statement| match statement {
        Statement::Primitive { value, .. } => value.clone(),
        other => panic!("{other:?}"),
    };
    test.statements().iter().map(value).collect()
}

impl Landscape for Numbers {
    fn attempt(&mut self, test: &TestCase) -> Reaction {
        let before = (self.distance)(&self.best);
        if before == 0.0 {
            return Reaction::Over;
        }
        self.attempts += 1;
        let values = values(test);
        let now = (self.distance)(&values);
        if now < before {
            self.best = values;
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
