//! Fluent calls are chained: calls that return the object that they are called on, as those of builders do.
//!
//! A search calls a builder as it calls any other object: by its variable, with other statements in between. A person writes
//! `Session.builder().host("a").port(5).build()`. So each call is made on the result of the one before and stands right behind it, and a
//! builder that nothing else uses is made right before its first call. The printer writes what stands so as one expression. Whether a
//! call is fluent is seen in a run, and the test must cover and kill as much in the new order as it did.

use std::collections::{BTreeMap, BTreeSet};

use testcase::assertion::{Assertion, ObservationPoint, ObservationTarget, ObservedValue};
use testcase::cluster::{CallableKind, TestCluster};
use testcase::execution::{ExecutionResult, Executor};
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::beginnings::{asserted_objects, does_as_much};
use super::injections::in_order;
use super::mutants::MutantKiller;
use crate::asserted_test::{AssertedTest, look_at};

/// Chains the fluent calls of the tests that are in no file yet, as long as it may go on.
pub fn chain_fluent_calls(
    killer: MutantKiller<'_>,
    tests: &mut [AssertedTest],
    (executor, result): (&mut dyn Executor, &mut ExecutionResult),
    may_go_on: &mut dyn FnMut() -> bool,
) {
    let cluster = killer.cluster;
    for test in tests.iter_mut().filter(|test| test.name.is_none() && !test.fails) {
        let points = possible(cluster, &test.test);
        let builds = |variable| is_builder(cluster, &test.test, variable);
        if points.is_empty() && !(0..test.test.len()).map(VarRef::from).any(builds) {
            continue;
        }
        if !may_go_on() {
            return;
        }
        let seen = if points.is_empty() { Vec::new() } else { executor.observe(&test.test, &points).values };
        let is_same =
            |value: &Option<ObservedValue>| *value == Some(ObservedValue::Primitive(Value::Boolean(true)));
        let fluent =
            points.iter().zip(&seen).filter(|(_, value)| is_same(value)).map(|(point, _)| point.after);
        if let Some(chained) = chained(cluster, test, &fluent.collect())
            && does_as_much(killer, test, &chained, executor, result)
        {
            *test = chained;
        }
    }
}

/// Whether a variable holds a builder, by its type's name.
pub(crate) fn is_builder(cluster: &TestCluster, test: &TestCase, variable: VarRef) -> bool {
    let class = test.variable_type(cluster, variable).and_then(|of| cluster.ty(of).generic.as_class());
    class.is_some_and(|class| class.name.base_name().ends_with("Builder"))
}

/// For each call that may be fluent, the question whether it is.
fn possible(cluster: &TestCluster, test: &TestCase) -> Vec<ObservationPoint> {
    let calls = test.statements().iter().enumerate();
    let point = |(position, statement): (usize, &Statement)| {
        let Statement::Method { receiver: Some(receiver), .. } = statement else { return None };
        let after = VarRef::from(position);
        let of = test.variable_type(cluster, after)?;
        let target = ObservationTarget::Same(after, *receiver);
        (test.variable_type(cluster, *receiver) == Some(of)).then_some(ObservationPoint { after, target })
    };
    calls.filter_map(point).collect()
}

/// Whether the printer may go on with a chain behind a fluent call: nothing of its type is inferred or cast.
fn goes_on(cluster: &TestCluster, statement: &Statement) -> bool {
    let Some(callable) = statement.callable().map(|id| cluster.callable(id)) else { return false };
    let class = cluster.ty(callable.owner).generic.as_class();
    let is_declared_there = class.is_some_and(|class| class.name == callable.declared_in);
    callable.type_arguments.is_empty() && callable.result_cast.is_none() && is_declared_there
}

/// Calls on one object, by position, ascending. All but the last are fluent.
#[derive(Debug)]
struct Chain {
    object: VarRef,
    calls: Vec<usize>,
}

/// The test with its calls chained; `None` where that changes nothing.
fn chained(cluster: &TestCluster, test: &AssertedTest, fluent: &BTreeSet<VarRef>) -> Option<AssertedTest> {
    let by_name = by_name(test, fluent);
    let statements = by_name.test.statements().to_vec();
    let order = (0..statements.len()).collect();
    let asserted = asserted_objects(&by_name);
    let chains = chains(cluster, &by_name.test, fluent, &asserted);
    let mut arranged = Arranged { cluster, test: &by_name, asserted, statements, order };
    for chain in &chains {
        arranged.put_together(chain);
    }
    let Arranged { statements, order, .. } = arranged;
    let is_changed =
        statements != test.test.statements() || by_name.assertions != test.assertions || !order.is_sorted();
    let linked = AssertedTest { test: TestCase::new(statements), ..by_name };
    is_changed.then(|| in_order(cluster, &linked, &order))
}

/// The test with each object under one name: its own variable in the place of the results of fluent calls. A result keeps its variable in
/// the statements if it is asserted itself (`assertSame(order, result)`), and everywhere if all that is asserted of the object is asserted of
/// that result.
fn by_name(test: &AssertedTest, fluent: &BTreeSet<VarRef>) -> AssertedTest {
    let mut objects: BTreeMap<VarRef, VarRef> = BTreeMap::new();
    for &variable in fluent {
        if let Some(receiver) = test.test.statement(variable).receiver() {
            objects.insert(variable, objects.get(&receiver).copied().unwrap_or(receiver));
        }
    }
    let object_of = |variable: VarRef| objects.get(&variable).copied().unwrap_or(variable);
    let asserted = asserted_objects(test);
    let is_alone = |variable: VarRef| {
        let of_object = asserted.iter().filter(|other| object_of(**other) == object_of(variable));
        of_object.eq([&variable])
    };
    let inspected = |variable: VarRef| if is_alone(variable) { variable } else { object_of(variable) };
    let is_result = |variable: VarRef| test.assertions.iter().any(|it| results(it).contains(&Some(variable)));
    let used = |variable: VarRef| if is_result(variable) { variable } else { inspected(variable) };
    let mut by_name = test.clone();
    for statement in by_name.test.statements_mut() {
        statement.for_each_use_mut(|variable| *variable = used(*variable));
    }
    for assertion in by_name.assertions.iter_mut().filter(|it| results(it) == [None; 2]) {
        look_at(assertion, &inspected);
    }
    by_name.without_repetition()
}

/// The variables whose values an assertion is about, and not what their objects are like.
fn results(assertion: &Assertion) -> [Option<VarRef>; 2] {
    match assertion.target {
        ObservationTarget::Value(of) => [Some(of), None],
        ObservationTarget::Same(one, other) => [Some(one), Some(other)],
        ObservationTarget::Inspector(..)
        | ObservationTarget::Nested(..)
        | ObservationTarget::Field(..)
        | ObservationTarget::Calls(..)
        | ObservationTarget::Elements(..)
        | ObservationTarget::Message
        | ObservationTarget::Cause
        | ObservationTarget::Printed(_)
        | ObservationTarget::Files => [None; 2],
    }
}

/// The statements of a test while its chains are put together.
struct Arranged<'a> {
    cluster: &'a TestCluster,
    test: &'a AssertedTest,
    asserted: BTreeSet<VarRef>,
    /// By position.
    statements: Vec<Statement>,
    /// Positions.
    order: Vec<usize>,
}

impl Arranged<'_> {
    /// Has each call of a chain made on the result of the one before, and moves them all to where the last one stands.
    fn put_together(&mut self, Chain { object, calls }: &Chain) {
        let (Some(first), Some(&last)) = (calls.first(), calls.last()) else { return };
        if self.is_asserted_within(*first, last) {
            return;
        }
        for pair in calls.windows(2) {
            self.statements[pair[1]].redirect(0, VarRef::from(pair[0]));
        }
        let begins = self.is_free(object.index(), last)
            && is_made_anywhere(self.cluster, &self.statements[object.index()]);
        let throws = self.test.expected.as_ref().is_some_and(|thrown| thrown.position == last);
        if throws && !begins {
            // It stands alone in a lambda, where the object needs no other name.
            self.statements[last].redirect(0, *object);
        }
        let object = object.index();
        let mut moved = Vec::new();
        if begins {
            moved.push(object);
        }
        for &call in calls {
            // Where the object stays where it is, its arguments may as well.
            if !moved.is_empty() {
                moved.extend(self.new_arguments(call, last));
            }
            moved.push(call);
        }
        let behind = self.order.iter().position(|position| *position == last).map_or(0, |place| place + 1);
        let behind = self.order.split_off(behind);
        self.order.retain(|position| !moved.contains(position));
        self.order.extend(moved.into_iter().chain(behind));
    }

    /// Arguments of a call that are new objects without arguments of their own, and that nothing else uses.
    fn new_arguments(&self, call: usize, last: usize) -> Vec<usize> {
        let arguments = self.statements[call].used().into_iter().skip(1).map(VarRef::index);
        let is_new = |used: &usize| is_made_of_nothing(self.cluster, &self.statements[*used]);
        arguments.filter(|used| is_new(used) && self.is_free(*used, last)).collect()
    }

    /// Whether a variable may move to the last call of a chain: it is used once, and nothing is asserted of it, nor of anything on the way.
    fn is_free(&self, position: usize, last: usize) -> bool {
        let variable = VarRef::from(position);
        let uses = self.statements.iter().filter(|statement| statement.uses(variable)).count();
        uses == 1 && !self.asserted.contains(&variable) && !self.is_asserted_within(position, last)
    }

    /// Whether something is asserted behind a statement from `first` on and before `last`.
    fn is_asserted_within(&self, first: usize, last: usize) -> bool {
        self.test.assertions.iter().any(|assertion| (first..last).contains(&assertion.after.index()))
    }
}

/// Whether an object may be made where its chain begins. The object under test is made first in each test.
fn is_made_anywhere(cluster: &TestCluster, statement: &Statement) -> bool {
    let Some(callable) = statement.callable().map(|id| cluster.callable(id)) else { return false };
    match callable.kind {
        CallableKind::Constructor => !cluster.goal_classes.contains(&callable.declared_in),
        CallableKind::StaticMethod => true,
        CallableKind::InstanceMethod => false,
    }
}

/// Whether a statement is a constructor without arguments: the printer writes it where its object is used.
fn is_made_of_nothing(cluster: &TestCluster, statement: &Statement) -> bool {
    let Statement::Constructor { callable, arguments } = statement else { return false };
    let callable = cluster.callable(*callable);
    let class = callable.result.and_then(|of| cluster.ty(of).generic.as_class());
    arguments.is_empty() && class.is_some_and(|class| class.arguments.is_empty())
}

/// The chains of a test that has each object under one name, ascending. A chain ends where something other than a call on it uses the
/// object, and at a result that is asserted or of which the printer must declare the type.
fn chains(
    cluster: &TestCluster,
    test: &TestCase,
    fluent: &BTreeSet<VarRef>,
    asserted: &BTreeSet<VarRef>,
) -> Vec<Chain> {
    let mut open: BTreeMap<VarRef, Vec<usize>> = BTreeMap::new();
    let mut chains = Vec::new();
    for (position, statement) in test.statements().iter().enumerate() {
        let is_call = matches!(statement, Statement::Method { receiver: Some(_), .. });
        let mut used = statement.used().into_iter();
        let called = if is_call { used.next() } else { None };
        for object in used {
            chains.extend(open.remove(&object).map(|calls| Chain { object, calls }));
        }
        let Some(object) = called else { continue };
        let variable = VarRef::from(position);
        if fluent.contains(&variable) && !asserted.contains(&variable) && goes_on(cluster, statement) {
            open.entry(object).or_default().push(position);
        } else {
            let mut calls = open.remove(&object).unwrap_or_default();
            calls.push(position);
            chains.push(Chain { object, calls });
        }
    }
    chains.extend(open.into_iter().map(|(object, calls)| Chain { object, calls }));
    // A builder is made right before a single call as well.
    chains.retain(|chain| chain.calls.len() > 1 || is_builder(cluster, test, chain.object));
    chains.sort_by(|one, other| one.calls.cmp(&other.calls));
    chains
}

#[cfg(test)]
mod tests {
    use testcase::cluster::CallableId;
    use testcase::cluster::listing::TestText;
    use testcase::cluster::testing::ClusterBuilder;
    use testcase::execution::{ThrowOrigin, Thrown};

    use super::*;

    /// A session that a builder makes, of a port and a user.
    fn check(make: &dyn Fn(&Calls) -> Vec<Statement>, asserts: Option<usize>, expect: &str) {
        let mut builder = ClusterBuilder::new("Session");
        let session = builder.class_under_test();
        let [made, user, log] = ["Builder", "User", "Log"].map(|name| builder.class(name));
        let calls = Calls {
            new: builder.constructor(made, &[]),
            user: builder.constructor(user, &[]),
            log: builder.constructor(log, &[]),
            with: builder.method(made, "with", &[user], Some(made)),
            port: builder.method(made, "port", &[], Some(made)),
            build: builder.method(made, "build", &[], Some(session)),
            add: builder.method(log, "add", &[made], None),
            again: builder.method(session, "again", &[], None),
            seen: builder.method(log, "seen", &[], Some(session)),
        };
        let cluster = builder.build();
        let mut test = AssertedTest::new(TestCase::new(make(&calls)));
        test.assertions.extend(asserts.map(|after| Assertion {
            after: VarRef::from(after),
            target: ObservationTarget::Message,
            expected: ObservedValue::Null,
        }));
        let points = possible(&cluster, &test.test);
        let fluent: BTreeSet<VarRef> = points.iter().map(|point| point.after).collect();
        let text = chained(&cluster, &test, &fluent)
            .map_or_else(String::new, |chained| TestText(&cluster, &chained.test).to_string());
        assert_eq!(
            text.lines().map(str::trim).collect::<Vec<_>>(),
            expect.lines().map(str::trim).collect::<Vec<_>>()
        );
    }

    struct Calls {
        new: CallableId,
        user: CallableId,
        log: CallableId,
        with: CallableId,
        port: CallableId,
        build: CallableId,
        add: CallableId,
        again: CallableId,
        seen: CallableId,
    }

    fn new(callable: CallableId) -> Statement {
        Statement::Constructor { callable, arguments: Vec::new().into() }
    }

    fn call(callable: CallableId, object: usize, arguments: &[usize]) -> Statement {
        let arguments = arguments.iter().copied().map(VarRef::from).collect();
        Statement::Method { callable, receiver: Some(VarRef::from(object)), arguments }
    }

    #[test]
    fn calls_of_a_builder_become_a_chain_behind_what_they_are_passed() {
        let apart = |of: &Calls| {
            vec![
                new(of.new),
                call(of.port, 0, &[]),
                new(of.user),
                call(of.with, 0, &[2]),
                call(of.build, 0, &[]),
                call(of.again, 4, &[]),
            ]
        };
        let chain = "Builder v0 = new Builder()
            Builder v1 = v0.port()
            User v2 = new User()
            Builder v3 = v1.with(v2)
            Session v4 = v3.build()
              v4.again()";
        check(&apart, None, chain);
        check(&apart, Some(4), chain);
        // What is asserted before the last call is true there.
        check(&apart, Some(1), "");
    }

    #[test]
    fn a_chain_ends_where_something_else_uses_its_object() {
        let logged = |of: &Calls| {
            vec![
                new(of.new),
                call(of.port, 0, &[]),
                new(of.log),
                call(of.port, 1, &[]),
                call(of.add, 2, &[3]),
                call(of.port, 3, &[]),
                call(of.build, 0, &[]),
            ]
        };
        let expect = "Builder v0 = new Builder()
            Log v1 = new Log()
            Builder v2 = v0.port()
            Builder v3 = v2.port()
              v1.add(v0)
            Builder v5 = v0.port()
            Session v6 = v5.build()";
        check(&logged, None, expect);
    }

    #[test]
    fn a_call_that_throws_is_made_on_the_object_itself() {
        let mut builder = ClusterBuilder::new("Order");
        let order = builder.class_under_test();
        let make = builder.constructor(order, &[]);
        let add = builder.method(order, "add", &[], Some(order));
        let send = builder.method(order, "send", &[], None);
        let cluster = builder.build();
        let statements = vec![new(make), call(add, 0, &[]), call(add, 1, &[]), call(send, 2, &[])];
        let thrown = Thrown { position: 3, class: "Trouble".into(), origin: ThrowOrigin::Project };
        let test = AssertedTest { expected: Some(thrown), ..AssertedTest::new(TestCase::new(statements)) };
        let chained = chained(&cluster, &test, &BTreeSet::from([VarRef(1), VarRef(2)])).unwrap();
        let receivers = chained.test.statements().iter().map(Statement::receiver);
        assert_eq!(receivers.collect::<Vec<_>>(), [None, Some(VarRef(0)), Some(VarRef(1)), Some(VarRef(0))]);
    }

    #[test]
    fn what_is_asserted_of_one_object_is_asserted_under_one_name() {
        let mut builder = ClusterBuilder::new("Order");
        let order = builder.class_under_test();
        let make = builder.constructor(order, &[]);
        let add = builder.method(order, "add", &[], Some(order));
        let size = builder.method(order, "size", &[], None);
        let cluster = builder.build();
        let statements = vec![new(make), call(add, 0, &[]), call(add, 0, &[])];
        let fluent = BTreeSet::from([VarRef(1), VarRef(2)]);
        let inspected = |of: usize| ObservationTarget::Inspector(VarRef::from(of), size);
        let same = ObservationTarget::Same(VarRef(2), VarRef(0));
        for (targets, expect) in [
            (vec![inspected(0), inspected(2)], Some(vec![inspected(0)])),
            (vec![inspected(1), inspected(2)], Some(vec![inspected(0)])),
            (vec![same, inspected(2)], Some(vec![same, inspected(0)])),
            (vec![inspected(2)], Some(vec![inspected(2)])),
        ] {
            let assertion = |&target| Assertion { after: VarRef(2), target, expected: ObservedValue::Null };
            let assertions: Vec<Assertion> = targets.iter().map(assertion).collect();
            let kills = vec![(coverage::goal::GoalId(0), (0..targets.len()).collect())];
            let test =
                AssertedTest { assertions, kills, ..AssertedTest::new(TestCase::new(statements.clone())) };
            let chained = chained(&cluster, &test, &fluent);
            let shown = chained.as_ref().map(|test| {
                assert!(test.kills[0].1.iter().eq(&(0..test.assertions.len()).collect::<Vec<_>>()));
                test.assertions.iter().map(|assertion| assertion.target).collect::<Vec<_>>()
            });
            assert_eq!(shown, expect, "{targets:?}");
        }
    }

    #[test]
    fn one_call_is_a_chain_of_a_builder_alone_and_a_chain_stays_as_it_is() {
        check(&|of: &Calls| vec![new(of.new), call(of.build, 0, &[])], None, "");
        let apart = |of: &Calls| vec![new(of.log), new(of.user), call(of.seen, 0, &[])];
        check(&apart, None, "");
        let apart = |of: &Calls| vec![new(of.new), new(of.user), call(of.build, 0, &[])];
        check(&apart, None, "User v0 = new User()\nBuilder v1 = new Builder()\nSession v2 = v1.build()");
        let chain = |of: &Calls| vec![new(of.new), call(of.port, 0, &[]), call(of.build, 1, &[])];
        check(&chain, None, "");
    }
}
