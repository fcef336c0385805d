//! Which assertions tests get for the mutants that they are kept for, from what a fake executor shows.

use std::collections::BTreeMap;

use crate::common::{ClusterBuilder, TestBuilder, no_classes};
use bytecode::mutate::operator::MutationOperator;
use bytecode::probe_map::{Evidence, MutantId, OutcomeId, ProbeId};
use coverage::goal::{Goal, GoalId, GoalKind, GoalSet};
use output::asserted_test::AssertedTest;
use output::assertion::AssertionOptions;
use output::assertion::mutants::MutantKiller;
use output::report::{Cause, Dropped};
use testcase::assertion::{
    Assertion, Container, ObservationPoint, ObservationTarget, ObservedValue, Sequence, StandardStream,
};
use testcase::cluster::{CallableId, TestCluster};
use testcase::execution::{ExecutionResult, Executor, Observations, Outcome, ThrowOrigin, Thrown};
use testcase::run_request::RunRequest;
use testcase::statement::VarRef;
use testcase::test_case::TestCase;
use testcase::value::Value;

/// Every variable is a 1, every answer a 10; a mutant makes one of them another value.
#[derive(Default)]
struct Fake {
    /// What each mutant, by its infection, changes: a value, or the end.
    changes: BTreeMap<u32, Change>,
    /// Further values that mutants change.
    changed: Vec<(u32, ObservationTarget)>,
    /// What is a text, and not a number.
    texts: BTreeMap<ObservationTarget, &'static str>,
    /// What shows nothing.
    silent: Vec<ObservationTarget>,
    /// Runs of mutants.
    runs: usize,
    /// What these were asked.
    asked: Vec<ObservationTarget>,
    throws: bool,
}

#[derive(Clone, Copy)]
enum Change {
    Value(ObservationTarget),
    End,
    /// It ends otherwise when that is looked at, and else as the original.
    EndWhenAsked(ObservationTarget),
    Hang,
}

fn int(value: i32) -> ObservedValue {
    ObservedValue::Primitive(Value::Int(value))
}

fn original(target: ObservationTarget) -> ObservedValue {
    match target {
        ObservationTarget::Value(_) => int(1),
        ObservationTarget::Inspector(..) | ObservationTarget::Nested(..) | ObservationTarget::Field(..) => {
            int(10)
        }
        ObservationTarget::Same(..) => ObservedValue::Primitive(Value::Boolean(true)),
        ObservationTarget::Calls(..) => ObservedValue::Calls(Vec::new()),
        ObservationTarget::Message | ObservationTarget::Cause => int(5),
        ObservationTarget::Printed(_) => ObservedValue::Primitive(Value::String("printed".into())),
        ObservationTarget::Files => ObservedValue::Files(Vec::new()),
        ObservationTarget::Elements(..) => ObservedValue::Container(Container::List, vec![int(3)]),
    }
}

fn thrown(class: &str) -> Thrown {
    Thrown { position: 2, class: class.into(), origin: ThrowOrigin::Project }
}

impl Executor for Fake {
    fn execute(&mut self, _: &TestCase, _: &RunRequest, _: &mut ExecutionResult) {
        panic!("mutants are observed")
    }

    fn observe(&mut self, _: &TestCase, points: &[ObservationPoint]) -> Observations {
        assert!(points.is_sorted_by_key(|point| (point.after, point.target.uses_up())));
        let outcome = if self.throws { Outcome::Threw(thrown("p/E")) } else { Outcome::Passed };
        let show = |target: ObservationTarget| match self.texts.get(&target) {
            Some(&text) => ObservedValue::Primitive(Value::String(text.into())),
            None => original(target),
        };
        let look = |target| (!self.silent.contains(&target)).then(|| show(target));
        Observations { outcome, values: points.iter().map(|point| look(point.target)).collect() }
    }

    fn observe_mutants(
        &mut self,
        test: &TestCase,
        infections: &[OutcomeId],
        points: &[ObservationPoint],
    ) -> Vec<Observations> {
        self.runs += infections.len();
        self.asked.extend(points.iter().map(|point| point.target));
        let run = |infection: &OutcomeId| {
            let mut shown = self.observe_original(test, points);
            match self.changes.get(&infection.0) {
                Some(Change::Value(changed)) => {
                    for (point, value) in points.iter().zip(&mut shown.values) {
                        if point.target == *changed {
                            *value = Some(int(99));
                        }
                    }
                }
                Some(Change::End) => shown.outcome = Outcome::Threw(thrown("p/Other")),
                Some(Change::EndWhenAsked(asked)) if points.iter().any(|point| point.target == *asked) => {
                    shown.outcome = Outcome::Threw(thrown("p/Other"));
                }
                Some(Change::Hang) => shown.outcome = Outcome::TimedOut,
                Some(Change::EndWhenAsked(_)) | None => {}
            }
            for (point, value) in points.iter().zip(&mut shown.values) {
                if self.changed.contains(&(infection.0, point.target)) {
                    *value = Some(int(99));
                }
            }
            shown
        };
        infections.iter().map(run).collect()
    }
}

impl Fake {
    fn observe_original(&self, test: &TestCase, points: &[ObservationPoint]) -> Observations {
        let (texts, silent) = (self.texts.clone(), self.silent.clone());
        Self { throws: self.throws, texts, silent, ..Self::default() }.observe(test, points)
    }
}

/// `new Bag()`, two calls with a result each; bags have a size.
struct World {
    cluster: TestCluster,
    test: TestCase,
    size: CallableId,
}

fn world() -> World {
    let mut builder = ClusterBuilder::new("p/Bag");
    let bag = "Lp/Bag;";
    let new = builder.constructor(bag, "()V", &[]);
    let next = builder.method(bag, "next", "()I");
    let size = builder.method(bag, "size", "()I");
    let of = builder.ty(bag);
    builder.relate(&no_classes());
    let mut cluster = builder.cluster;
    cluster.inspectors = vec![Vec::new(); cluster.types.len()];
    cluster.inspectors[of.index()] = vec![size];
    let mut test = TestBuilder::default();
    let object = test.new_object(new, &[]);
    test.call(next, object, &[]);
    test.call(next, object, &[]);
    World { cluster, test: test.test, size }
}

/// The first goal is a line, the others are mutants, each infected by the outcome of its own number.
fn goals(mutants: u32) -> GoalSet {
    let goal = |number: u32| Goal {
        criterion: "strong-mutation".into(),
        class: "p/Bag".into(),
        hash: 0,
        method: "next()I".into(),
        kind: if number == 0 {
            GoalKind::Line(1)
        } else {
            let (change, propagation) = ("+ by -".into(), Some(OutcomeId(number + 100)));
            GoalKind::Mutant {
                mutant: MutantId(number),
                operator: MutationOperator::Arithmetic,
                change,
                propagation,
            }
        },
        line: None,
        entry: ProbeId(0),
        outcome: (number > 0).then_some(OutcomeId(number)),
        covered_by: vec![Evidence::Hit(ProbeId(number))],
        controlled_by: Vec::new(),
    };
    GoalSet::new((0..=mutants).map(goal).collect())
}

/// The test with an assertion of its last value.
fn ids(goals: &[u32]) -> Vec<GoalId> {
    goals.iter().copied().map(GoalId).collect()
}

fn asserted(world: &World, goals: &[u32]) -> AssertedTest {
    let last = VarRef(2);
    let target = ObservationTarget::Value(last);
    AssertedTest {
        assertions: vec![Assertion { after: last, target, expected: int(1) }],
        goals: ids(goals),
        ..AssertedTest::new(world.test.clone())
    }
}

fn kill(world: &World, tests: &mut Vec<AssertedTest>, fake: &mut Fake) -> Vec<Dropped> {
    let goals = goals(6);
    let killer =
        MutantKiller { cluster: &world.cluster, goals: &goals, options: AssertionOptions::default() };
    killer.kill(tests, fake, &mut || true)
}

/// What a test asserts: behind which statement, and of what.
fn looks(test: &AssertedTest) -> Vec<(u16, ObservationTarget)> {
    test.assertions.iter().map(|assertion| (assertion.after.0, assertion.target)).collect()
}

#[test]
fn what_only_another_value_kills_is_asserted_and_what_nothing_kills_is_not_covered() {
    let world = world();
    let [before, last] = [1, 2].map(|variable| ObservationTarget::Value(VarRef(variable)));
    let size = ObservationTarget::Inspector(VarRef(0), world.size);
    let mut fake = Fake::default();
    fake.changes.extend([
        (1, Change::Value(last)),
        (2, Change::Value(before)),
        (3, Change::End),
        (4, Change::Hang),
        (6, Change::Value(size)),
    ]);
    let mut tests = vec![asserted(&world, &[0, 1, 2, 3, 4, 5, 6])];
    let dropped = kill(&world, &mut tests, &mut fake);
    assert_eq!(dropped, [(Cause::Survived, vec![GoalId(4), GoalId(5)])]);
    assert_eq!(looks(&tests[0]), [(1, before), (2, last), (2, size)]);
    assert_eq!(tests[0].goals, ids(&[0, 1, 2, 3, 6]));
    assert_eq!(tests[0].kills, [(GoalId(1), vec![1]), (GoalId(2), vec![0]), (GoalId(6), vec![2])]);
    assert!(tests[0].assertions.iter().all(|assertion| assertion.expected == original(assertion.target)));
}

#[test]
fn mutants_are_not_asked_for_what_shows_nothing_without_them() {
    let world = world();
    let size = ObservationTarget::Inspector(VarRef(0), world.size);
    for silent in [Vec::new(), vec![size]] {
        let is_asked = silent.is_empty();
        let changes = [(1, Change::Value(ObservationTarget::Value(VarRef(1))))].into();
        let mut fake = Fake { changes, silent, ..Fake::default() };
        let mut tests = vec![asserted(&world, &[0, 1])];
        assert_eq!(kill(&world, &mut tests, &mut fake), []);
        assert_eq!(fake.asked.contains(&size), is_asked);
    }
}

/// A call in the middle that gives the bag itself; a mutant gives null.
#[test]
fn that_a_call_gives_its_own_object_kills_before_that_it_gives_one() {
    let mut builder = ClusterBuilder::new("p/Bag");
    let bag = "Lp/Bag;";
    let new = builder.constructor(bag, "()V", &[]);
    let with = builder.method(bag, "with", "()Lp/Bag;");
    let next = builder.method(bag, "next", "()I");
    builder.relate(&no_classes());
    let mut cluster = builder.cluster;
    cluster.inspectors = vec![Vec::new(); cluster.types.len()];
    let mut test = TestBuilder::default();
    let object = test.new_object(new, &[]);
    let given = test.call(with, object, &[]);
    test.call(next, object, &[]);
    let world = World { cluster, test: test.test, size: next };
    let same = ObservationTarget::Same(given, object);
    let mut fake = Fake { changed: vec![(1, ObservationTarget::Value(given)), (1, same)], ..Fake::default() };
    let mut tests = vec![asserted(&world, &[0, 1])];
    assert_eq!(kill(&world, &mut tests, &mut fake), []);
    assert_eq!(looks(&tests[0]), [(1, same), (2, ObservationTarget::Value(VarRef(2)))]);
}

/// A bag and the text of what is in it, which are the same until a mutant changes one of them.
#[test]
fn what_says_the_same_is_asserted_twice_only_where_each_alone_kills() {
    let mut builder = ClusterBuilder::new("p/Bag");
    let bag = "Lp/Bag;";
    let new = builder.constructor(bag, "()V", &[]);
    let [string, content, other] =
        ["toString", "content", "other"].map(|name| builder.method(bag, name, "()Ljava/lang/String;"));
    let of = builder.ty(bag);
    builder.relate(&no_classes());
    let mut cluster = builder.cluster;
    cluster.inspectors = vec![Vec::new(); cluster.types.len()];
    cluster.inspectors[of.index()] = vec![content, string, other];
    let mut test = TestBuilder::default();
    let object = test.new_object(new, &[]);
    let world = World { cluster, test: test.test, size: string };
    let [string, content, other] =
        [string, content, other].map(|id| ObservationTarget::Inspector(object, id));
    let texts = BTreeMap::from([(string, "[b]"), (content, "[b]"), (other, "c")]);
    for (changes, asserted, expect) in [
        // The text kills what the content kills, and more.
        (vec![(1, content), (1, string), (2, string)], vec![content], vec![string]),
        (vec![(1, content), (2, string)], vec![content], vec![content, string]),
        // Of two looks that kill as much, the one that says something new is chosen.
        (vec![(2, string), (2, other)], vec![content], vec![content, other]),
    ] {
        let mut fake = Fake { texts: texts.clone(), ..Fake::default() };
        for (mutant, target) in &changes {
            fake.changed.push((*mutant, *target));
        }
        let expected =
            |target: &ObservationTarget| ObservedValue::Primitive(Value::String(texts[target].into()));
        let assertion = |target: &ObservationTarget| Assertion {
            after: object,
            target: *target,
            expected: expected(target),
        };
        let assertions = asserted.iter().map(assertion).collect();
        let test =
            AssertedTest { assertions, goals: ids(&[0, 1, 2]), ..AssertedTest::new(world.test.clone()) };
        let mut tests = vec![test];
        kill(&world, &mut tests, &mut fake);
        let shown: Vec<ObservationTarget> = looks(&tests[0]).into_iter().map(|(_, target)| target).collect();
        assert_eq!(shown, expect, "{changes:?}");
    }
}

/// The bag of a test whose last call gives an iterator.
#[test]
fn what_a_call_gives_one_after_the_other_kills_and_is_looked_at_behind_all_else() {
    let mut builder = ClusterBuilder::new("p/Bag");
    let new = builder.constructor("Lp/Bag;", "()V", &[]);
    let each = builder.method("Lp/Bag;", "each", "()Ljava/util/Iterator;");
    let size = builder.method("Lp/Bag;", "size", "()I");
    let (of, iterator) = (builder.ty("Lp/Bag;"), builder.ty("Ljava/util/Iterator;"));
    builder.relate(&no_classes());
    let mut cluster = builder.cluster;
    cluster.sequences = vec![(iterator, Sequence::Iterator)];
    cluster.inspectors = vec![Vec::new(); cluster.types.len()];
    cluster.inspectors[of.index()] = vec![size];
    let mut test = TestBuilder::default();
    let object = test.new_object(new, &[]);
    let last = test.call(each, object, &[]);
    let world = World { cluster, test: test.test, size };
    let elements = ObservationTarget::Elements(last, Sequence::Iterator);
    let size = ObservationTarget::Inspector(object, size);
    let mut fake = Fake::default();
    fake.changes.extend([(1, Change::Value(size)), (2, Change::Value(elements))]);
    let asserted = Assertion { after: last, target: elements, expected: original(elements) };
    for assertions in [Vec::new(), vec![asserted]] {
        let goals = ids(&[0, 1, 2]);
        let mut tests = vec![AssertedTest { assertions, goals, ..AssertedTest::new(world.test.clone()) }];
        assert_eq!(kill(&world, &mut tests, &mut fake), []);
        assert_eq!(looks(&tests[0]), [(1, size), (1, elements)]);
    }
}

#[test]
fn what_a_test_prints_kills_and_is_asserted_first() {
    let world = world();
    let last = VarRef(2);
    let printed = ObservationTarget::Printed(StandardStream::Err);
    let size = ObservationTarget::Inspector(VarRef(0), world.size);
    let mut fake = Fake::default();
    fake.changes.extend([(1, Change::Value(size)), (2, Change::Value(printed))]);
    let mut tests = vec![asserted(&world, &[0, 1, 2])];
    assert_eq!(kill(&world, &mut tests, &mut fake), []);
    let value = (2, ObservationTarget::Value(last));
    assert_eq!(looks(&tests[0]), [value, (2, printed), (2, size)]);
}

#[test]
fn an_end_that_only_further_looks_bring_about_kills_nothing() {
    let world = world();
    let size = ObservationTarget::Inspector(VarRef(0), world.size);
    let last = ObservationTarget::Value(VarRef(2));
    let mut fake = Fake::default();
    fake.changes.extend([(1, Change::EndWhenAsked(size)), (2, Change::EndWhenAsked(last))]);
    let mut tests = vec![asserted(&world, &[0, 1, 2])];
    assert_eq!(kill(&world, &mut tests, &mut fake), [(Cause::Survived, vec![GoalId(1)])]);
    assert_eq!((looks(&tests[0]), &tests[0].goals), (vec![(2, last)], &ids(&[0, 2])));
}

#[test]
fn few_assertions_are_added_and_none_for_what_another_test_kills() {
    let world = world();
    let [before, last] = [1, 2].map(|variable| ObservationTarget::Value(VarRef(variable)));
    let mut fake = Fake::default();
    fake.changes.extend([(1, Change::Value(before)), (2, Change::Value(before)), (3, Change::Value(last))]);
    // Without its assertion the first test kills the third mutant only by one that the second has already.
    let mut tests = vec![asserted(&world, &[1, 2, 3]), asserted(&world, &[0, 3])];
    tests[0].assertions.clear();
    assert_eq!(kill(&world, &mut tests, &mut fake), []);
    assert_eq!((looks(&tests[0]), looks(&tests[1])), (vec![(1, before)], vec![(2, last)]));
    assert_eq!((&tests[0].goals, &tests[1].goals), (&ids(&[1, 2]), &ids(&[0, 3])));
}

#[test]
fn what_is_as_it_was_before_is_asserted_no_more_where_something_else_kills_unless_it_kills_as_well() {
    let world = world();
    let last = ObservationTarget::Value(VarRef(2));
    let size = ObservationTarget::Inspector(VarRef(0), world.size);
    let assertion = |target| Assertion { after: VarRef(2), target, expected: original(target) };
    for (killed_by_size, expect) in [(false, vec![(2, last)]), (true, vec![(2, size), (2, last)])] {
        let mut fake = Fake::default();
        fake.changes.insert(1, Change::Value(last));
        if killed_by_size {
            fake.changes.insert(2, Change::Value(size));
        }
        let mut tests =
            vec![AssertedTest { assertions: vec![assertion(size)], ..asserted(&world, &[0, 1, 2]) }];
        kill(&world, &mut tests, &mut fake);
        assert_eq!(looks(&tests[0]), expect, "{killed_by_size}");
    }
}

#[test]
fn before_the_call_that_throws_values_are_asserted_too_and_behind_it_what_it_says_and_leaves() {
    let world = world();
    let before = ObservationTarget::Value(VarRef(1));
    let size = ObservationTarget::Inspector(VarRef(0), world.size);
    let mut fake = Fake { throws: true, ..Fake::default() };
    fake.changes.extend([
        (1, Change::Value(before)),
        (2, Change::End),
        (4, Change::Value(ObservationTarget::Message)),
        (5, Change::Value(size)),
    ]);
    let mut tests = vec![asserted(&world, &[1, 2, 3, 4, 5])];
    tests[0].assertions.clear();
    tests[0].expected = Some(thrown("p/E"));
    assert_eq!(kill(&world, &mut tests, &mut fake), [(Cause::Survived, vec![GoalId(3)])]);
    let asserted = vec![(1, before), (2, ObservationTarget::Message), (2, size)];
    assert_eq!((looks(&tests[0]), &tests[0].goals), (asserted, &ids(&[1, 2, 4, 5])));
}

#[test]
fn a_test_that_kills_nothing_goes_and_one_without_mutants_costs_no_run() {
    let world = world();
    let mut fake = Fake::default();
    let mut tests = vec![asserted(&world, &[1]), asserted(&world, &[0]), asserted(&world, &[])];
    assert_eq!(kill(&world, &mut tests, &mut fake), [(Cause::Survived, vec![GoalId(1)])]);
    assert_eq!((tests.len(), fake.runs), (2, 2));
}

#[test]
fn without_time_nothing_is_known_of_mutants() {
    let world = world();
    let mut tests = vec![asserted(&world, &[0, 1]), asserted(&world, &[2])];
    let goals = goals(2);
    let killer =
        MutantKiller { cluster: &world.cluster, goals: &goals, options: AssertionOptions::default() };
    let dropped = killer.kill(&mut tests, &mut Fake::default(), &mut || false);
    assert_eq!(dropped, [(Cause::OutOfTime, vec![GoalId(1), GoalId(2)])]);
    assert_eq!(tests.iter().map(|test| test.goals.clone()).collect::<Vec<_>>(), [ids(&[0]), vec![]]);
}
