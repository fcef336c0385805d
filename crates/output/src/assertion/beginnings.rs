//! Tests of an object begin alike: it is made first, of the same things in each.
//!
//! Minimization leaves null where a test needs no collaborator, another one in each test, and the search makes objects in any
//! order. A reader wants to see in each test the same desk at the same place, and only what is set up alike can stand in one
//! place ([`crate::junit::fixtures`]). So an object is made of mocks where one test needs one and the project has them, of what another
//! test makes it of where this one passes null, and it comes first, with what it is made of in the order of the parameters; as far as the
//! test covers the structure that it covered, all that it asserts holds, and it kills what it killed. At last objects that take more than a
//! line to make are made as in most tests ([`super::makings`]).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use testcase::assertable::{Lengths, still_shows};
use testcase::assertion::ObservationPoint;
use testcase::cluster::build::Mockable;
use testcase::cluster::{CallableId, FieldId, StubId, TestCluster};
use testcase::execution::{ExecutionResult, Executor};
use testcase::run_request::RunRequest;
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;

use super::injections::{Injections, in_order, plain_stub, silent};
use super::makings::{expecting_what_it_shows, make_alike};
use super::mutants::{Mutant, MutantKiller};
use super::oracles::SuiteSize;
use super::united::{act, completed};
use crate::asserted_test::AssertedTest;
use crate::replay::ends_as_expected;

/// Fewest tests that something is written once for.
pub(super) const LEAST_TESTS: usize = 3;

/// Has the tests that are in no file yet begin alike. Goes on as long as it may.
pub fn begin_alike(
    killer: MutantKiller<'_>,
    tests: &mut [AssertedTest],
    (executor, result): (&mut dyn Executor, &mut ExecutionResult),
    may_go_on: &mut dyn FnMut() -> bool,
) {
    let cluster = killer.cluster;
    let mut by_constructor: BTreeMap<CallableId, Vec<(usize, VarRef)>> = BTreeMap::new();
    for (number, test) in tests.iter().enumerate() {
        if let Some((constructor, position)) = receiver(cluster, &test.test) {
            by_constructor.entry(constructor).or_default().push((number, position));
        }
    }
    for members in by_constructor.into_values().filter(|members| members.len() >= LEAST_TESTS) {
        // The one that is made of most objects says what the others are made of.
        let nulls = |(number, position): &(usize, VarRef)| {
            let test = &tests[*number].test;
            let is_null = |used: &VarRef| matches!(test.statement(*used), Statement::Null { .. });
            test.statement(*position).used().iter().filter(|used| is_null(used)).count()
        };
        let Some((donor, donor_at)) = members.iter().copied().min_by_key(nulls) else { continue };
        let donor = tests[donor].test.clone();
        let has_mocks = cluster.mockable != Mockable::Nothing;
        let mocks = if has_mocks { mocks(tests, &members) } else { Vec::new() };
        let injections =
            if has_mocks { Injections::of(cluster, tests, &members) } else { Injections::default() };
        for &(number, _) in &members {
            if tests[number].name.is_some() || tests[number].fails {
                continue;
            }
            if !may_go_on() {
                return;
            }
            let test = &mut tests[number];
            let mut change = |test: &mut AssertedTest, changed: Option<AssertedTest>| {
                let does_as_much =
                    |other: &AssertedTest| does_as_much(killer, test, other, &mut *executor, &mut *result);
                let Some(found) = changed.filter(does_as_much) else { return false };
                *test = found;
                true
            };
            align_injections(cluster, test, &injections, &mut change);
            let changed = mocked(cluster, test, &mocks);
            if !change(test, changed) && mocks.len() > 1 {
                for mock in &mocks {
                    let changed = mocked(cluster, test, std::slice::from_ref(mock));
                    change(test, changed);
                }
            }
            let changed = completed_as(cluster, test, (&donor, donor_at));
            change(test, changed);
            let changed = receiver_first(cluster, test);
            change(test, changed);
        }
        let numbers: Vec<usize> = members.iter().map(|(number, _)| *number).collect();
        make_alike(cluster, tests, &numbers, &mut |test, other| {
            let other = may_go_on().then(|| expecting_what_it_shows(other, executor)).flatten()?;
            does_as_much(killer, test, &other, executor, result).then_some(other)
        });
    }
}

/// Gives the object of a test what those of others have in the fields that a container fills: stubs where it has other things, and in all
/// fields, else in as many as may be.
fn align_injections(
    cluster: &TestCluster,
    test: &mut AssertedTest,
    injections: &Injections,
    change: &mut dyn FnMut(&mut AssertedTest, Option<AssertedTest>) -> bool,
) {
    let object = |test: &AssertedTest| receiver(cluster, &test.test).map(|(_, object)| object);
    for field in injections.fields() {
        let changed = object(test).and_then(|object| injections.with_stub(cluster, (test, object), field));
        change(test, changed);
    }
    let all: BTreeSet<FieldId> = injections.fields().collect();
    let aligned = |test: &AssertedTest, added: &BTreeSet<FieldId>| {
        object(test).and_then(|object| injections.aligned(cluster, (test, object), added))
    };
    let changed = aligned(test, &all);
    if !change(test, changed) {
        for field in all {
            let changed = aligned(test, &BTreeSet::from([field]));
            change(test, changed);
        }
    }
}

/// The stubs that tests pass to the constructor of their object, by place: of each the first.
fn mocks(tests: &[AssertedTest], members: &[(usize, VarRef)]) -> Vec<(usize, StubId)> {
    let mut found: BTreeMap<usize, StubId> = BTreeMap::new();
    for (number, position) in members {
        let test = &tests[*number].test;
        for (place, used) in test.statement(*position).used().into_iter().enumerate() {
            if let Some(stub) = plain_stub(test.statement(used)) {
                found.entry(place).or_insert(stub);
            }
        }
    }
    found.into_iter().collect()
}

/// The test with stubs that answer nothing in the place of other objects that the constructor of its object is passed, without what only
/// these needed; `None` where it has stubs there.
fn mocked(cluster: &TestCluster, test: &AssertedTest, mocks: &[(usize, StubId)]) -> Option<AssertedTest> {
    let (_, object) = receiver(cluster, &test.test)?;
    let statements = test.test.statements();
    let used = statements[object.index()].used();
    let is_stub = |place: usize| matches!(statements[used[place].index()], Statement::Stub { .. });
    let instead: BTreeMap<usize, StubId> =
        mocks.iter().copied().filter(|(place, _)| *place < used.len() && !is_stub(*place)).collect();
    (!instead.is_empty()).then(|| with_stubs(cluster, test, object, &instead))
}

/// The test with stubs that answer nothing in the place of what one of its statements uses, by place among its uses, without what only that
/// needed.
pub(super) fn with_stubs(
    cluster: &TestCluster,
    test: &AssertedTest,
    at: VarRef,
    instead: &BTreeMap<usize, StubId>,
) -> AssertedTest {
    let statements = test.test.statements();
    let superfluous = superfluous(test, at, instead);
    let mut made = TestCase::default();
    let mut new = vec![VarRef(0); statements.len()];
    for (position, statement) in statements.iter().enumerate() {
        if superfluous.contains(&position) {
            continue;
        }
        let mut statement = statement.clone();
        statement.for_each_use_mut(|used| *used = new[used.index()]);
        if position == at.index() {
            for (&place, &stub) in instead {
                statement.redirect(place, made.push(silent(cluster, stub)));
            }
        }
        new[position] = made.push(statement);
    }
    test.moved(made, &|of: VarRef| new[of.index()])
}

/// The variables that a test asserts something of, or behind.
pub(super) fn asserted(test: &AssertedTest) -> BTreeSet<VarRef> {
    let asserted = RefCell::new(BTreeSet::new());
    test.moved(TestCase::default(), &|of: VarRef| {
        asserted.borrow_mut().insert(of);
        of
    });
    asserted.into_inner()
}

/// The variables that a test asserts something of.
pub(super) fn asserted_objects(test: &AssertedTest) -> BTreeSet<VarRef> {
    let nowhere = VarRef::from(test.test.len());
    let mut of_targets = AssertedTest { expected: None, ..test.clone() };
    of_targets.assertions.iter_mut().for_each(|assertion| assertion.after = nowhere);
    let mut asserted = asserted(&of_targets);
    asserted.remove(&nowhere);
    asserted
}

/// The statements that nothing uses once one uses other things at these places, and nothing is asserted of.
fn superfluous(test: &AssertedTest, object: VarRef, instead: &BTreeMap<usize, StubId>) -> BTreeSet<usize> {
    let statements = test.test.statements();
    let asserted = asserted(test);
    let mut gone: Vec<usize> = Vec::new();
    let of_object = statements[object.index()].used();
    for place in instead.keys() {
        ordered(&test.test, of_object[*place], &mut gone);
    }
    gone.sort_unstable();
    let mut superfluous = BTreeSet::new();
    for position in gone.into_iter().rev() {
        let variable = VarRef::from(position);
        let is_kept = |(user, statement): (usize, &Statement)| {
            let uses = |(place, used): (usize, &VarRef)| {
                *used == variable && !(user == object.index() && instead.contains_key(&place))
            };
            !superfluous.contains(&user) && statement.used().iter().enumerate().any(uses)
        };
        if !asserted.contains(&variable) && !statements.iter().enumerate().any(is_kept) {
            superfluous.insert(position);
        }
    }
    superfluous
}

/// The test with the donor's objects where its own object is made of null.
fn completed_as(
    cluster: &TestCluster,
    test: &AssertedTest,
    donor: (&TestCase, VarRef),
) -> Option<AssertedTest> {
    let (_, object) = receiver(cluster, &test.test)?;
    let (made, new) = completed(cluster, (&test.test, object), donor)?;
    Some(test.moved(made, &|of: VarRef| new[of.index()]))
}

/// The constructor of the object that a test is about, and where it is called.
pub(super) fn receiver(cluster: &TestCluster, test: &TestCase) -> Option<(CallableId, VarRef)> {
    let object = test.statement(act(cluster, test)?).receiver()?;
    let Statement::Constructor { callable, .. } = test.statement(object) else { return None };
    cluster.goal_classes.contains(&cluster.callable(*callable).declared_in).then_some((*callable, object))
}

/// The test with the object that it is about first, behind what that is made of and what is done to that before; `None` where it is so,
/// and where something is asserted before the object is there.
fn receiver_first(cluster: &TestCluster, test: &AssertedTest) -> Option<AssertedTest> {
    let (_, object) = receiver(cluster, &test.test)?;
    let is_early = |assertion: &testcase::assertion::Assertion| assertion.after < object;
    if test.assertions.iter().any(is_early) {
        return None;
    }
    let statements = test.test.statements();
    let mut order: Vec<usize> = Vec::new();
    ordered(&test.test, object, &mut order);
    let mut early: BTreeSet<usize> = order.iter().copied().collect();
    // What uses one of them before is done to it, as far as anybody knows, and keeps its place among them.
    let known = early.len();
    for (position, statement) in statements.iter().enumerate().take(object.index()) {
        if statement.used().iter().any(|used| early.contains(&used.index())) {
            let mut needed = Vec::new();
            ordered(&test.test, VarRef::from(position), &mut needed);
            early.extend(needed);
        }
    }
    if early.len() > known {
        order = early.iter().copied().collect();
    }
    order.extend((0..test.test.len()).filter(|position| early.insert(*position)));
    if order.is_sorted() {
        return None;
    }
    Some(in_order(cluster, test, &order))
}

/// The statements that one needs, in the order in which it uses them, and itself at last; without those that are there already.
pub(super) fn ordered(test: &TestCase, object: VarRef, order: &mut Vec<usize>) {
    if order.contains(&object.index()) {
        return;
    }
    for used in test.statement(object).used() {
        ordered(test, used, order);
    }
    order.push(object.index());
}

/// Whether another test ends as a test does, covers its structure, shows all that it asserts, and kills what it kills.
pub(super) fn does_as_much(
    killer: MutantKiller<'_>,
    test: &AssertedTest,
    other: &AssertedTest,
    executor: &mut dyn Executor,
    result: &mut ExecutionResult,
) -> bool {
    let mut structure =
        SuiteSize::Compact.kept_unasserted_for(&test.goals, test.expected.as_ref(), killer.goals);
    let mut covered = |test: &AssertedTest| {
        executor.execute(&test.test, &RunRequest::default(), result);
        let mut covered = Vec::new();
        killer.goals.covered(&result.trace, &mut covered);
        covered
    };
    let before = covered(test);
    structure.retain(|goal| before.binary_search(goal).is_ok());
    let now = covered(other);
    if structure.iter().any(|goal| now.binary_search(goal).is_err()) {
        return false;
    }
    let points = other.assertions.iter().map(|of| ObservationPoint { after: of.after, target: of.target });
    let seen = executor.observe(&other.test, &points.collect::<Vec<_>>());
    let lengths = Lengths::default();
    let shows = other
        .assertions
        .iter()
        .zip(&seen.values)
        .all(|(of, value)| still_shows(of.target, &of.expected, value.as_ref(), &other.test, lengths));
    if !shows || !ends_as_expected(other, &seen.outcome) {
        return false;
    }
    let mutants: Vec<Mutant> = test
        .killed
        .iter()
        .filter_map(|id| Some((*id, killer.goals.goals().get(id.index())?.infected_mutant()?)))
        .collect();
    mutants.is_empty()
        || killer
            .look_at(other, &mutants, Vec::new(), executor)
            .is_some_and(|seen| mutants.iter().all(|(goal, _)| seen.kills(*goal)))
}

#[cfg(test)]
mod tests {
    use testcase::assertion::{Assertion, ObservationTarget, ObservedValue};
    use testcase::cluster::TypeId;
    use testcase::cluster::testing::ClusterBuilder;
    use testcase::statement::{Answers, Arguments, Script};
    use testcase::value::Value;

    use super::*;

    /// A desk that is made of a pen and a lamp, and orders whose city is set before `desk.update(order)`: callables by their place.
    fn cluster() -> TestCluster {
        let mut builder = ClusterBuilder::new("Desk");
        let (desk, order) = (builder.class_under_test(), builder.class("Order"));
        let (pen, lamp) = (builder.class("Pen"), builder.class("Lamp"));
        builder.constructor(desk, &[pen, lamp]);
        builder.constructor(order, &[]);
        builder.constructor(pen, &[]);
        builder.constructor(lamp, &[]);
        builder.method(desk, "update", &[order], Some(order));
        builder.method(order, "setCity", &[TypeId::OBJECT], None);
        builder.method(pen, "fill", &[], None);
        builder.build()
    }

    fn new(callable: u32, arguments: &[usize]) -> Statement {
        let arguments: Arguments = arguments.iter().map(|&of| VarRef::from(of)).collect();
        Statement::Constructor { callable: CallableId(callable), arguments }
    }

    fn call(callable: u32, receiver: usize, arguments: &[usize]) -> Statement {
        let arguments: Arguments = arguments.iter().map(|&of| VarRef::from(of)).collect();
        let receiver = Some(VarRef::from(receiver));
        Statement::Method { callable: CallableId(callable), receiver, arguments }
    }

    /// A test that asserts something of a variable behind its last statement.
    fn asserting(statements: Vec<Statement>, of: usize) -> AssertedTest {
        let after = VarRef::from(statements.len() - 1);
        let expected = ObservedValue::Primitive(Value::Int(1));
        let target = ObservationTarget::Value(VarRef::from(of));
        let assertions = vec![Assertion { after, target, expected }];
        AssertedTest { assertions, ..AssertedTest::new(TestCase::new(statements)) }
    }

    #[test]
    fn the_object_that_a_test_is_about_comes_first_with_what_it_is_made_of() {
        let cluster = cluster();
        // The order, the lamp, the pen, the desk, and the order's city.
        let any =
            vec![new(1, &[]), new(3, &[]), new(2, &[]), new(0, &[2, 1]), call(5, 0, &[0]), call(4, 3, &[0])];
        let first =
            vec![new(2, &[]), new(3, &[]), new(0, &[0, 1]), new(1, &[]), call(5, 3, &[3]), call(4, 2, &[3])];
        // What is done to the pen before stays before.
        let filled =
            vec![new(1, &[]), new(3, &[]), new(2, &[]), call(6, 2, &[]), new(0, &[2, 1]), call(4, 4, &[0])];
        let filled_first =
            vec![new(3, &[]), new(2, &[]), call(6, 1, &[]), new(0, &[1, 0]), new(1, &[]), call(4, 3, &[4])];
        for (statements, of, expect) in [
            (any, 0, Some(asserting(first.clone(), 3))),
            (filled, 1, Some(asserting(filled_first, 0))),
            (first, 3, None),
            (vec![new(1, &[]), call(5, 0, &[0])], 0, None),
        ] {
            assert_eq!(receiver_first(&cluster, &asserting(statements, of)), expect);
        }
    }

    #[test]
    fn a_mock_takes_the_place_of_an_object_with_what_only_that_needed() {
        let mut builder = ClusterBuilder::new("Desk");
        let (desk, store) = (builder.class_under_test(), builder.class("Store"));
        let (disk, shelf) = (builder.class("Disk"), builder.class("Shelf"));
        builder.constructor(desk, &[store, TypeId::OBJECT]);
        builder.constructor(disk, &[]);
        builder.constructor(shelf, &[disk]);
        builder.method(desk, "keep", &[TypeId::OBJECT], None);
        let stub = builder.stub(store, None, &[("kept", &[], None)], &[]);
        let cluster = builder.build();
        let mock = || Statement::Stub {
            stub,
            script: Box::new(Script { arguments: Arguments::new(), answers: vec![Answers::new()] }),
        };
        // The shelf is made of a disk, which the desk keeps as well in one test.
        let of_shelf = |other: usize| {
            vec![new(1, &[]), new(2, &[0]), new(1, &[]), new(0, &[1, other]), call(3, 3, &[2])]
        };
        let of_mock = vec![new(1, &[]), mock(), new(0, &[1, 0]), call(3, 2, &[0])];
        let keeps_disk = vec![new(1, &[]), new(1, &[]), mock(), new(0, &[2, 0]), call(3, 3, &[1])];
        let mocks = mocks(&[asserting(of_mock.clone(), 0)], &[(0, VarRef(2))]);
        assert_eq!(mocks, [(0, stub)]);
        for (statements, of, expect) in [
            (of_shelf(2), 2, Some(asserting(of_mock.clone(), 0))),
            (of_shelf(0), 2, Some(asserting(keeps_disk, 1))),
            (of_mock, 0, None),
        ] {
            assert_eq!(mocked(&cluster, &asserting(statements, of), &mocks), expect);
        }
    }

    #[test]
    fn what_an_object_is_made_of_takes_the_place_of_null() {
        let cluster = cluster();
        let null = || Statement::Null { of: TypeId::OBJECT };
        let donor = TestCase::new(vec![new(2, &[]), new(3, &[]), new(0, &[0, 1])]);
        let without =
            |pen: Statement| TestCase::new(vec![null(), pen, new(0, &[1, 0]), new(1, &[]), call(4, 2, &[3])]);
        let (made, new_places) =
            completed(&cluster, (&without(null()), VarRef(2)), (&donor, VarRef(2))).expect("it has nulls");
        let both = vec![new(3, &[]), new(2, &[]), new(0, &[1, 0]), new(1, &[]), call(4, 2, &[3])];
        assert_eq!((made, new_places), (TestCase::new(both.clone()), (0..5).map(VarRef).collect()));
        assert_eq!(completed(&cluster, (&TestCase::new(both), VarRef(2)), (&donor, VarRef(2))), None);
    }
}
