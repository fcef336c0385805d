//! A landscape whose distance is a function of the test, for tests of the operators.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytecode::descriptor::PrimitiveType;
use testcase::cluster::testing::ClusterBuilder;
use testcase::cluster::{Call, CallableId, StubId, TestCluster, TypeId};
use testcase::random::Random;
use testcase::recording::Recording;
use testcase::statement::{Answer, Script, Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::climb::{Climb, Landscape, Reaction};
use super::options::LocalSearchOptions;
use super::scheduler::Allowance;
use super::test_search::OpenOutcome;
use super::tools::Tools;
use crate::budget::{Budget, Limit};
use crate::source::TestSource;
use crate::source::testing::NoSource;

/// A whole number.
pub(super) fn number(value: &Value) -> i64 {
    value.as_integer().expect("a whole number")
}

/// A landscape with its best test: a distance of 0 is what is looked for.
pub(super) struct Hill<'a> {
    pub(super) best: TestCase,
    pub(super) attempts: u32,
    pub(super) options: LocalSearchOptions,
    /// What it says of writers.
    pub(super) writers: Vec<Call>,
    distance: Box<dyn Fn(&TestCase) -> f64>,
    /// What was set aside, until the next run without one that counts instead of it.
    aside: Option<TestCase>,
    takes_any: bool,
    compared: Vec<Value>,
    source: Box<dyn TestSource + 'a>,
    budget: Budget,
    /// What it may use of the budget; `None`: all that it wants.
    allowance: Option<Allowance>,
    random: Random,
}

impl<'a> Hill<'a> {
    pub(super) fn new(start: TestCase, distance: impl Fn(&TestCase) -> f64 + 'static) -> Self {
        Self {
            best: start,
            attempts: 0,
            options: LocalSearchOptions::default(),
            writers: Vec::new(),
            distance: Box::new(distance),
            aside: None,
            takes_any: false,
            compared: Vec::new(),
            source: Box::new(NoSource),
            budget: Budget::new(Limit::Executions(u64::MAX), Arc::default()),
            allowance: None,
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

    /// What makes and changes tests; nothing as long as it is not told.
    pub(super) fn with_source(mut self, source: impl TestSource + 'a) -> Self {
        self.source = Box::new(source);
        self
    }

    /// From now on it may use what its options give to one application.
    pub(super) fn bound(&mut self) {
        self.allowance = Some(Allowance::new(&self.options, &self.budget, 1.0));
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

impl Landscape for Hill<'_> {
    fn record(&mut self, test: &TestCase) -> (Reaction, Option<Box<Recording>>) {
        (self.attempt(test), None)
    }

    fn open_outcomes(&self) -> BTreeSet<OpenOutcome> {
        BTreeSet::new()
    }

    fn attempt(&mut self, test: &TestCase) -> Reaction {
        let before = (self.distance)(&self.best);
        let is_spent = self.allowance.as_ref().is_some_and(|allowance| allowance.is_spent(&self.budget));
        if before == 0.0 || is_spent {
            return Reaction::Over;
        }
        self.attempts += 1;
        self.budget.count_execution();
        self.budget.count_evaluation();
        self.budget.count_statements(test.len());
        let now = (self.distance)(test);
        if now < before || std::mem::take(&mut self.takes_any) {
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

    fn writers(&self) -> Vec<Call> {
        self.writers.clone()
    }

    fn longest(&self) -> usize {
        100
    }

    fn set_aside(&mut self) -> bool {
        self.aside = Some(self.best.clone());
        self.takes_any = true;
        true
    }

    fn settle(&mut self, preferred: bool) -> bool {
        self.takes_any = false;
        let Some(before) = self.aside.take() else { return false };
        let (now, then) = ((self.distance)(&self.best), (self.distance)(&before));
        let is_better = now < then || preferred && now <= then;
        if !is_better {
            self.best = before;
        }
        is_better
    }

    fn source(&mut self) -> (&mut dyn TestSource, &mut Random) {
        (&mut *self.source, &mut self.random)
    }
}

/// A cluster with something for each operator: `p.Foo` with a constructor, `take(p.List)` and the static `compare(int, int)` and
/// `run(p.Step)`; `p.List` with a constructor and `add(int)`; the enum `p.Color`; `p.Step`, which tests implement, with
/// `apply(): int`.
#[derive(Debug, Clone)]
pub(super) struct Things {
    pub(super) cluster: TestCluster,
    pub(super) add: CallableId,
    list: TypeId,
    ints: TypeId,
    color: TypeId,
    make_foo: CallableId,
    make_list: CallableId,
    take: CallableId,
    compare: CallableId,
    run: CallableId,
    step: StubId,
}

impl Things {
    pub(super) fn new() -> Self {
        let int = TypeId::primitive(PrimitiveType::Int);
        let mut builder = ClusterBuilder::new("p/Foo");
        let foo = builder.class_under_test();
        let list = builder.class("p/List");
        let step = builder.class("p/Step");
        let ints = builder.array(int);
        let color = builder.enumeration("p/Color", &["RED", "GREEN"]);
        let make_foo = builder.constructor(foo, &[]);
        let take = builder.method(foo, "take", &[list], None);
        let compare = builder.static_method(foo, "compare", &[int, int], None);
        let run = builder.static_method(foo, "run", &[step], None);
        let make_list = builder.constructor(list, &[]);
        let add = builder.method(list, "add", &[int], None);
        let step = builder.stub(step, None, &[("apply", &[], Some(int))], &[]);
        let cluster = builder.build();
        Self { cluster, add, list, ints, color, make_foo, make_list, take, compare, run, step }
    }

    fn made(callable: CallableId) -> Statement {
        Statement::Constructor { callable, arguments: [].into_iter().collect() }
    }

    fn called(callable: CallableId, receiver: Option<u16>, arguments: &[u16]) -> Statement {
        let arguments = arguments.iter().map(|&argument| VarRef(argument)).collect();
        Statement::Method { callable, receiver: receiver.map(VarRef), arguments }
    }

    pub(super) fn make_foo(&self) -> Statement {
        Self::made(self.make_foo)
    }

    pub(super) fn make_list(&self) -> Statement {
        Self::made(self.make_list)
    }

    pub(super) fn null_list(&self) -> Statement {
        Statement::Null { of: self.list }
    }

    pub(super) fn int(value: i32) -> Statement {
        Statement::Primitive { value: Value::Int(value), boxed: false }
    }

    pub(super) fn take(&self, foo: u16, list: u16) -> Statement {
        Self::called(self.take, Some(foo), &[list])
    }

    pub(super) fn add(&self, list: u16, element: u16) -> Statement {
        Self::called(self.add, Some(list), &[element])
    }

    /// A stub that answers one variable.
    pub(super) fn step(&self, answer: u16) -> Statement {
        let answers = vec![[Answer::Value(VarRef(answer))].into_iter().collect()];
        let script = Box::new(Script { arguments: [].into_iter().collect(), answers });
        Statement::Stub { stub: self.step, script }
    }

    pub(super) fn run_step(&self, step: u16) -> Statement {
        Self::called(self.run, None, &[step])
    }

    /// A test that has something for each operator.
    pub(super) fn everything(&self) -> TestCase {
        let value = |value| Statement::Primitive { value, boxed: false };
        let color = self.cluster.ty(self.color).enum_constants[0];
        TestCase::new(vec![
            self.make_foo(),
            self.make_list(),
            Self::int(5),
            Self::int(70),
            self.step(3),
            Statement::EnumConstant { field: color },
            value(Value::Boolean(true)),
            value(Value::Double(0.5)),
            value(Value::String("text".into())),
            Statement::Array { of: self.ints, length: 2 },
            Self::called(self.compare, None, &[2, 3]),
            self.take(0, 1),
            self.run_step(4),
        ])
    }
}
