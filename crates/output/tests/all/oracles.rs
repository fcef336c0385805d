//! Which tests a suite keeps, and which assertions they get for the mutants that they infect, from what a fake executor shows.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{ClusterBuilder, TestBuilder, no_classes};
use bytecode::mutate::operator::MutationOperator;
use bytecode::probe_map::{Evidence, MutantId, OutcomeId, ProbeId};
use coverage::goal::{Goal, GoalId, GoalKind, GoalSet};
use output::asserted_test::AssertedTest;
use output::assertion::AssertionOptions;
use output::assertion::beginnings::begin_alike;
use output::assertion::live::Variations;
use output::assertion::mutants::MutantKiller;
use output::assertion::oracles::{Further, Oracles, SuiteSize};
use output::assertion::standing::{Standing, Stood};
use output::minimize::Archived;
use output::report::{Cause, Dropped};
use testcase::assertion::{Assertion, ObservationPoint, ObservationTarget, ObservedValue};
use testcase::cluster::{CallableId, StubId, TestCluster};
use testcase::execution::{
    ExceptionKind, ExecutionResult, Executor, Observations, Outcome, ThrowOrigin, Thrown, Touched,
};
use testcase::run_request::RunRequest;
use testcase::statement::{Answer, Answers, Script, Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

/// Everything is a 1; in a run of the mutant of a pair of test and infection, one thing that is looked at is a 2. A test is
/// known by the number of its statements.
#[derive(Default)]
struct Fake {
    changes: Vec<(usize, u32, ObservationTarget)>,
    /// Goals that runs of tests cover.
    covers: BTreeMap<usize, Vec<u32>>,
    /// What runs of tests touch.
    touches: BTreeMap<usize, Touched>,
    /// The mutants that ran, each with the statements of its test.
    runs: Vec<(usize, u32)>,
}

fn int(value: i32) -> ObservedValue {
    ObservedValue::Primitive(Value::Int(value))
}

impl Executor for Fake {
    fn execute(&mut self, test: &TestCase, _: &RunRequest, result: &mut ExecutionResult) {
        *result = ExecutionResult::new(9, 9);
        result.touched = self.touches.get(&test.len()).copied().unwrap_or_default();
        for goal in self.covers.get(&test.len()).into_iter().flatten() {
            result.trace.record_hits(ProbeId(*goal), 1);
        }
    }

    fn observe(&mut self, _: &TestCase, points: &[ObservationPoint]) -> Observations {
        Observations { outcome: Outcome::Passed, values: vec![Some(int(1)); points.len()] }
    }

    fn observe_mutants(
        &mut self,
        test: &TestCase,
        infections: &[OutcomeId],
        points: &[ObservationPoint],
    ) -> Vec<Observations> {
        let run = |infection: &OutcomeId| {
            self.runs.push((test.len(), infection.0));
            let is_changed =
                |point: &ObservationPoint| self.changes.contains(&(test.len(), infection.0, point.target));
            let values = points.iter().map(|point| Some(int(if is_changed(point) { 2 } else { 1 })));
            Observations { outcome: Outcome::Passed, values: values.collect() }
        };
        infections.iter().map(run).collect()
    }
}

struct World {
    cluster: TestCluster,
    new: CallableId,
    next: CallableId,
    size: CallableId,
    weigh: CallableId,
    label: CallableId,
    lift: CallableId,
    take: CallableId,
    goals: GoalSet,
}

/// A line; an exception that the code means and one that it does not; a value; mutants; killing the first of these.
const LINE: u32 = 0;
const MEANT: u32 = 1;
const ACCIDENT: u32 = 2;
const RESULT: u32 = 3;
const MUTANTS: [u32; 4] = [4, 5, 6, 7];
const KILL: u32 = 8;

fn world() -> World {
    let mut builder = ClusterBuilder::new("p/Bag");
    let bag = "Lp/Bag;";
    let new = builder.constructor(bag, "()V", &[]);
    let next = builder.method(bag, "next", "()I");
    let size = builder.method(bag, "size", "()I");
    let weigh = builder.method(bag, "weigh", "(Ljava/lang/String;)I");
    let label = builder.method(bag, "label", "()Ljava/lang/String;");
    let lift = builder.method(bag, "lift", "(I)I");
    let take = builder.method(bag, "take", "(Lp/Step;)I");
    let of = builder.ty(bag);
    builder.stub("Lp/Step;", &[("apply", "()I")]);
    builder.relate(&no_classes());
    let mut cluster = builder.cluster;
    cluster.inspectors = vec![Vec::new(); cluster.types.len()];
    cluster.inspectors[of.index()] = vec![size];
    World { cluster, new, next, size, weigh, label, lift, take, goals: goals() }
}

fn goals() -> GoalSet {
    let throw = |kind| GoalKind::Throw { exception: "p/E".into(), kind };
    let mutant = |number| GoalKind::Mutant {
        mutant: MutantId(number),
        operator: MutationOperator::Arithmetic,
        change: "+ by -".into(),
        propagation: None,
    };
    let value = GoalKind::Value {
        of: bytecode::values::ValueOf::Result,
        inspector: None,
        partition: bytecode::values::ValuePartition::Null,
    };
    let kinds = [GoalKind::Line(1), throw(ExceptionKind::Explicit), throw(ExceptionKind::Implicit), value];
    let kill = GoalKind::Mutant {
        mutant: MutantId(MUTANTS[0]),
        operator: MutationOperator::Arithmetic,
        change: "+ by -".into(),
        propagation: Some(OutcomeId(KILL)),
    };
    let kinds = kinds.into_iter().chain(MUTANTS.map(mutant)).chain([kill]);
    let goal = |(number, kind): (u32, GoalKind)| Goal {
        criterion: "any".into(),
        class: "p/Bag".into(),
        hash: 0,
        method: "next()I".into(),
        kind,
        line: None,
        entry: ProbeId(0),
        outcome: match number {
            KILL => Some(OutcomeId(MUTANTS[0])),
            _ => MUTANTS.contains(&number).then_some(OutcomeId(number)),
        },
        covered_by: vec![Evidence::Hit(ProbeId(number))],
        controlled_by: Vec::new(),
    };
    GoalSet::new((0..).zip(kinds).map(goal).collect())
}

impl World {
    /// So many calls of `next`, of which the value of the last is asserted, for these goals.
    fn test(&self, calls: usize, goals: &[u32]) -> AssertedTest {
        let mut test = TestBuilder::default();
        let object = test.new_object(self.new, &[]);
        (0..calls).for_each(|_| _ = test.call(self.next, object, &[]));
        let last = VarRef::from(calls);
        AssertedTest {
            assertions: vec![Assertion {
                after: last,
                target: ObservationTarget::Value(last),
                expected: int(1),
            }],
            goals: ids(goals),
            ..AssertedTest::new(test.test)
        }
    }

    fn throwing(&self, calls: usize, goals: &[u32], origin: ThrowOrigin) -> AssertedTest {
        let thrown = Thrown { position: calls, class: "p/E".into(), origin };
        AssertedTest { expected: Some(thrown), assertions: Vec::new(), ..self.test(calls, goals) }
    }

    /// What the value of a variable shows, in the run of a test with so many calls.
    fn value(variable: usize) -> ObservationTarget {
        ObservationTarget::Value(VarRef::from(variable))
    }

    fn choose(&self, size: SuiteSize, tests: &mut Vec<AssertedTest>, fake: &mut Fake) -> Vec<Dropped> {
        self.choose_while(size, tests, fake, true)
    }

    fn choose_while(
        &self,
        size: SuiteSize,
        tests: &mut Vec<AssertedTest>,
        fake: &mut Fake,
        has_time: bool,
    ) -> Vec<Dropped> {
        let wanted: Vec<GoalId> = self.goals.ids().collect();
        let mut result = ExecutionResult::new(9, 9);
        self.oracles(size).choose(
            tests,
            &wanted,
            variations(&mut ()),
            (fake, &mut result),
            (&mut || has_time, &mut || has_time),
        )
    }

    fn oracles(&self, size: SuiteSize) -> Oracles<'_> {
        let options = AssertionOptions::default();
        Oracles { killer: MutantKiller { cluster: &self.cluster, goals: &self.goals, options }, size }
    }
}

fn ids(goals: &[u32]) -> Vec<GoalId> {
    goals.iter().copied().map(GoalId).collect()
}

/// Numbers of calls of the tests that are left.
fn calls(tests: &[AssertedTest]) -> Vec<usize> {
    tests.iter().map(|test| test.test.len() - 1).collect()
}

fn targets(test: &AssertedTest) -> BTreeSet<ObservationTarget> {
    test.assertions.iter().map(|assertion| assertion.target).collect()
}

#[test]
fn tests_stay_for_structure_and_meant_exceptions_and_not_for_values_and_accidents() {
    let world = world();
    let mut tests = vec![
        world.test(1, &[LINE]),
        world.test(2, &[RESULT]),
        world.throwing(3, &[MEANT], ThrowOrigin::Project),
        world.throwing(4, &[ACCIDENT], ThrowOrigin::Jvm),
        world.test(5, &[LINE, RESULT]),
    ];
    let all = tests.clone();
    let dropped = world.choose(SuiteSize::Compact, &mut tests, &mut Fake::default());
    assert_eq!(calls(&tests), [1, 3]);
    assert_eq!(dropped, [(Cause::LeftOut, ids(&[ACCIDENT, RESULT]))]);
    let mut complete = all.clone();
    assert_eq!(world.choose(SuiteSize::Complete, &mut complete, &mut Fake::default()), []);
    assert_eq!(complete, all);
}

#[test]
fn a_test_stays_for_a_mutant_that_no_test_before_it_kills() {
    let world = world();
    let [first, second, third, _] = MUTANTS;
    let mut tests = vec![
        world.test(1, &[LINE, first]),
        world.test(2, &[first, second]),
        world.test(3, &[second, third]),
        world.test(4, &[third]),
    ];
    let changes =
        vec![(2, first, World::value(1)), (3, first, World::value(2)), (3, second, World::value(2))];
    let mut fake = Fake { changes, ..Fake::default() };
    let dropped = world.choose(SuiteSize::Compact, &mut tests, &mut fake);
    assert_eq!((calls(&tests), dropped), (vec![1, 2], vec![(Cause::LeftOut, ids(&[third]))]));
    // It is killed by then, and runs once more to see which tests are not needed.
    assert_eq!(fake.runs.iter().filter(|run| **run == (3, first)).count(), 1, "{:?}", fake.runs);
}

#[test]
fn a_test_goes_whose_mutants_a_later_one_kills_as_well() {
    let world = world();
    let [first, second, ..] = MUTANTS;
    let mut tests = vec![world.test(1, &[LINE]), world.test(2, &[first]), world.test(3, &[first, second])];
    let changes =
        vec![(3, first, World::value(2)), (4, first, World::value(3)), (4, second, World::value(3))];
    let dropped = world.choose(SuiteSize::Compact, &mut tests, &mut Fake { changes, ..Fake::default() });
    assert_eq!((calls(&tests), dropped), (vec![1, 3], vec![]));
}

#[test]
fn what_no_assertion_kills_is_asserted_where_it_shows_first_in_tests_that_stay() {
    let world = world();
    let [first, second, ..] = MUTANTS;
    let size = ObservationTarget::Inspector(VarRef(0), world.size);
    let mut tests =
        vec![world.test(1, &[first, second]), world.test(2, &[LINE, first]), world.test(3, &[first])];
    let mut fake = Fake::default();
    for statements in [2, 3, 4] {
        fake.changes.push((statements, first, size));
    }
    fake.changes.push((2, second, size));
    let dropped = world.choose(SuiteSize::Compact, &mut tests, &mut fake);
    assert_eq!((calls(&tests), dropped), (vec![1, 2], vec![]));
    assert!(tests.iter().all(|test| targets(test).contains(&size)));
}

#[test]
fn a_test_that_could_show_what_another_one_shows_takes_its_place() {
    let world = world();
    let [first, second, elsewhere, other] = MUTANTS;
    let size = ObservationTarget::Inspector(VarRef(0), world.size);
    let of_another_call = {
        let mut test = TestBuilder::default();
        let object = test.new_object(world.new, &[]);
        (0..4).for_each(|_| _ = test.call(world.label, object, &[]));
        AssertedTest { test: test.test, ..world.test(4, &[elsewhere, other]) }
    };
    let tests =
        [world.test(1, &[LINE, first, elsewhere]), world.test(2, &[second, elsewhere]), of_another_call];
    let shown = [
        (2, first, World::value(1)),
        (2, elsewhere, World::value(1)),
        (3, second, World::value(2)),
        (3, elsewhere, World::value(2)),
        (5, elsewhere, World::value(4)),
        (5, other, World::value(4)),
    ];
    // By statements: what their runs cover; the longer one infects both mutants or not, and shows the first one somewhere or not.
    for (covers, further, expect) in [
        (&[LINE, first, second, elsewhere][..], Some(size), &[2, 4][..]),
        (&[LINE, first, second, elsewhere], None, &[1, 2, 4]),
        (&[LINE, second, elsewhere], Some(size), &[1, 2, 4]),
        (&[first, second, elsewhere], Some(size), &[1, 2, 4]),
    ] {
        let mut changes = shown.to_vec();
        changes.extend(further.map(|target| (3, first, target)));
        let seen = BTreeMap::from([(2, vec![LINE, first, elsewhere]), (3, covers.to_vec())]);
        let mut left = tests.to_vec();
        let dropped = world.choose(
            SuiteSize::Compact,
            &mut left,
            &mut Fake { changes, covers: seen, ..Fake::default() },
        );
        assert_eq!((calls(&left), dropped), (expect.to_vec(), vec![]), "{covers:?} {further:?}");
        let killed: BTreeSet<GoalId> = left.iter().flat_map(|test| test.killed.clone()).collect();
        assert_eq!(killed, ids(&MUTANTS).into_iter().collect());
        let of_calls = left.iter().filter(|test| test.test.len() < 5);
        assert!(of_calls.into_iter().all(|test| test.killed.contains(&GoalId(elsewhere))), "{covers:?}");
    }
}

/// Covers the line where a test has a null.
struct NeedsNull;

impl Executor for NeedsNull {
    fn execute(&mut self, test: &TestCase, _: &RunRequest, result: &mut ExecutionResult) {
        *result = ExecutionResult::new(9, 9);
        if test.statements().iter().any(|statement| matches!(statement, Statement::Null { .. })) {
            result.trace.record_hits(ProbeId(LINE), 1);
        }
    }

    fn observe(&mut self, _: &TestCase, points: &[ObservationPoint]) -> Observations {
        Observations { outcome: Outcome::Passed, values: vec![Some(int(1)); points.len()] }
    }
}

#[test]
fn tests_begin_alike_unless_one_needs_what_it_begins_with() {
    let mut builder = ClusterBuilder::new("p/Bag");
    let bag = builder.constructor("Lp/Bag;", "(Lp/Part;)V", &["part"]);
    let next = builder.method("Lp/Bag;", "next", "()I");
    let part = builder.constructor("Lp/Part;", "()V", &[]);
    let of = builder.ty("Lp/Part;");
    let (cluster, goals) = (builder.cluster, goals());
    let test = |is_null: bool, covered: &[u32]| {
        let mut test = TestBuilder::default();
        let part = if is_null { test.push(Statement::Null { of }) } else { test.new_object(part, &[]) };
        let object = test.new_object(bag, &[part]);
        let result = test.call(next, object, &[]);
        test.assert_value(result, Value::Int(1));
        AssertedTest { goals: ids(covered), ..test.finish() }
    };
    let killer = MutantKiller { cluster: &cluster, goals: &goals, options: AssertionOptions::default() };
    let mut tests = vec![test(false, &[]), test(true, &[RESULT]), test(true, &[LINE]), test(false, &[])];
    let run: (&mut dyn Executor, &mut ExecutionResult) = (&mut NeedsNull, &mut ExecutionResult::new(9, 9));
    begin_alike(killer, &mut tests, run, &mut || true);
    let expect = [test(false, &[]), test(false, &[RESULT]), test(true, &[LINE]), test(false, &[])];
    assert_eq!(tests, expect);
}

#[test]
fn without_time_tests_stay_that_may_kill_something() {
    let world = world();
    let [first, ..] = MUTANTS;
    let mut tests = vec![world.test(1, &[LINE]), world.test(2, &[first]), world.test(3, &[RESULT])];
    let mut fake = Fake::default();
    let dropped = world.choose_while(SuiteSize::Compact, &mut tests, &mut fake, false);
    assert_eq!((calls(&tests), dropped), (vec![1, 2], vec![(Cause::LeftOut, ids(&[RESULT]))]));
    assert_eq!(fake.runs, []);
}

#[test]
fn what_a_suite_is_not_made_for_is_not_lost_with_a_test() {
    let world = world();
    let tests = [world.test(1, &[RESULT]), world.test(2, &[LINE, RESULT])];
    for (wanted, kept, lost) in
        [(&[RESULT][..], &[][..], &[RESULT][..]), (&[MEANT], &[], &[]), (&[LINE], &[2], &[])]
    {
        let mut tests = tests.to_vec();
        let oracles = world.oracles(SuiteSize::Compact);
        let (fake, result) = (&mut Fake::default(), &mut ExecutionResult::new(9, 9));
        let dropped = oracles.choose(
            &mut tests,
            &ids(wanted),
            variations(&mut ()),
            (fake, result),
            (&mut || true, &mut || true),
        );
        let dropped: Vec<GoalId> = dropped.into_iter().flat_map(|(_, goals)| goals).collect();
        assert_eq!((calls(&tests), dropped), (kept.to_vec(), ids(lost)), "wanted: {wanted:?}");
    }
}

/// Nothing but variations.
fn variations(variations: &mut dyn Variations) -> Further<'_> {
    Further { killing: &[], variations }
}

/// Proposes tests with one more call.
#[derive(Debug)]
struct MoreCalls(usize);

impl Variations for MoreCalls {
    fn vary(&mut self, test: &TestCase) -> Option<TestCase> {
        self.0 += 1;
        let mut varied = test.clone();
        varied.push(test.statement(VarRef::from(test.len() - 1)).clone());
        Some(varied)
    }
}

#[test]
fn a_mutant_that_lives_is_killed_by_a_variation_of_a_test_that_infects_it() {
    let world = world();
    let [first, second, third, _] = MUTANTS;
    let mut fake = Fake::default();
    // The first shows in the third call and nowhere else, the second in the first.
    fake.changes.extend([(4, first, World::value(3)), (2, second, World::value(1))]);
    let all = vec![world.test(1, &[LINE, second]), world.test(2, &[first]), world.test(3, &[third])];
    let wanted: Vec<GoalId> = world.goals.ids().collect();
    let oracles = world.oracles(SuiteSize::Compact);
    let (mut tests, mut more_calls) = (all.clone(), MoreCalls(0));
    let mut result = ExecutionResult::new(9, 9);
    let dropped = oracles.choose(
        &mut tests,
        &wanted,
        variations(&mut more_calls),
        (&mut fake, &mut result),
        (&mut || true, &mut || true),
    );
    assert_eq!((calls(&tests), dropped), (vec![1, 3], vec![(Cause::LeftOut, ids(&[third]))]));
    assert_eq!((&tests[1].goals, &tests[1].kills), (&ids(&[first]), &vec![(GoalId(first), vec![0])]));
    assert_eq!(targets(&tests[1]), BTreeSet::from([World::value(3)]));
    assert!(more_calls.0 < 40, "{}", more_calls.0);
    // Threads may be faster in the next run.
    fake.touches.insert(4, Touched::THREAD);
    tests = all;
    oracles.choose(
        &mut tests,
        &wanted,
        variations(&mut more_calls),
        (&mut fake, &mut result),
        (&mut || true, &mut || true),
    );
    assert_eq!(calls(&tests), [1]);
}

#[test]
fn a_mutant_that_lives_is_killed_by_the_test_that_the_search_kept_for_that_as_short_as_it_can_be() {
    let world = world();
    let [first, ..] = MUTANTS;
    let check = |wanted: &[u32], shown: usize, expect: &[usize]| {
        let shows = |calls: usize| (calls + 1, first, World::value(calls));
        let mut fake = Fake { changes: (shown..=5).map(shows).collect(), ..Fake::default() };
        let kept = world.test(5, &[]).test;
        let killing = [Archived { test: &kept, goals: &ids(&[KILL]) }];
        let mut tests = vec![world.test(1, &[LINE, first])];
        let further = Further { killing: &killing, variations: &mut () };
        let mut result = ExecutionResult::new(9, 9);
        let oracles = world.oracles(SuiteSize::Compact);
        oracles.choose(
            &mut tests,
            &ids(wanted),
            further,
            (&mut fake, &mut result),
            (&mut || true, &mut || true),
        );
        assert_eq!(calls(&tests), expect, "wanted: {wanted:?}, shown from: {shown}");
        let killing = tests.iter().find(|test| !test.kills.is_empty());
        assert_eq!(killing.map(targets), expect.get(1).map(|&calls| [World::value(calls)].into()));
    };
    check(&[LINE, first], 3, &[1, 3]);
    // A file that is there already has what infects it.
    check(&[LINE], 3, &[1, 3]);
    // What the suite kills anyway needs no further test.
    check(&[LINE, first], 1, &[1]);
    check(&[LINE, first], 6, &[1]);
}

#[test]
fn a_test_for_what_lives_takes_the_place_of_those_whose_structure_it_covers_and_whose_mutants_it_kills() {
    let world = world();
    let [first, second, ..] = MUTANTS;
    let kept = world.test(4, &[]).test;
    let suite = [world.test(1, &[LINE]), world.test(2, &[LINE, first]), world.test(3, &[second])];
    let check = |covers: &[u32], has_time: bool, expect: &[usize]| {
        let mut fake = Fake {
            changes: vec![
                (5, first, World::value(4)),
                (4, second, World::value(3)),
                (5, second, World::value(4)),
            ],
            covers: BTreeMap::from([(5, covers.to_vec())]),
            ..Fake::default()
        };
        let killing = [Archived { test: &kept, goals: &ids(&[KILL]) }];
        let further = Further { killing: &killing, variations: &mut () };
        let (mut tests, wanted) = (suite.to_vec(), world.goals.ids().collect::<Vec<_>>());
        let mut result = ExecutionResult::new(9, 9);
        let oracles = world.oracles(SuiteSize::Compact);
        let time: (&mut dyn FnMut() -> bool, &mut dyn FnMut() -> bool) = (&mut || true, &mut || has_time);
        oracles.choose(&mut tests, &wanted, further, (&mut fake, &mut result), time);
        assert_eq!(calls(&tests), expect, "it covers {covers:?}");
    };
    check(&[], true, &[1, 3, 4]);
    check(&[LINE], true, &[3, 4]);
    check(&[LINE, second], true, &[4]);
    // Nobody knows what it kills.
    check(&[LINE, second], false, &[3, 4]);
}

/// Proposes a test that passes something to a method.
#[derive(Debug)]
struct Passing {
    method: CallableId,
    passed: Statement,
}

impl Variations for Passing {
    fn vary(&mut self, test: &TestCase) -> Option<TestCase> {
        let mut varied = test.clone();
        let arguments = [varied.push(self.passed.clone())].into_iter().collect();
        varied.push(Statement::Method { callable: self.method, receiver: Some(VarRef(0)), arguments });
        Some(varied)
    }
}

/// The statements of all tests that stay where such a variation kills a mutant that lives, by what the method gives.
fn with_variation(world: &World, mut passing: Passing) -> Vec<Statement> {
    let [first, ..] = MUTANTS;
    let changes = [4, 5].map(|length| (length, first, World::value(length - 1)));
    let mut fake = Fake { changes: changes.to_vec(), ..Fake::default() };
    let mut tests = vec![world.test(1, &[LINE, first])];
    let wanted: Vec<GoalId> = world.goals.ids().collect();
    let mut result = ExecutionResult::new(9, 9);
    let oracles = world.oracles(SuiteSize::Compact);
    oracles.choose(
        &mut tests,
        &wanted,
        variations(&mut passing),
        (&mut fake, &mut result),
        (&mut || true, &mut || true),
    );
    tests.iter().flat_map(|test| test.test.statements().to_vec()).collect()
}

#[test]
fn values_of_a_variation_are_plain_where_it_kills_the_same_with_them() {
    let world = world();
    let odd = Value::String("}!y`?-_L.l0r HYw".into());
    let passed = Statement::Primitive { value: odd, boxed: false };
    let statements = with_variation(&world, Passing { method: world.weigh, passed });
    let texts = statements.iter().filter_map(|statement| {
        let Statement::Primitive { value: Value::String(text), .. } = statement else { return None };
        Some(text.to_string())
    });
    assert_eq!(texts.collect::<Vec<_>>(), ["a"]);
}

#[test]
fn what_a_variation_passes_of_another_call_gives_way_to_a_literal() {
    let world = world();
    let check = |called: CallableId, method: CallableId| {
        let passed = Statement::Method {
            callable: called,
            receiver: Some(VarRef(0)),
            arguments: [].into_iter().collect(),
        };
        let statements = with_variation(&world, Passing { method, passed });
        let is_called = |callable| statements.iter().any(|it| it.callable() == Some(callable));
        assert!(is_called(method) && !is_called(called), "{statements:?}");
    };
    check(world.label, world.weigh);
    check(world.size, world.lift);
}

#[test]
fn stubs_of_a_variation_are_told_only_what_it_takes_to_kill() {
    let world = world();
    // It answers with what an earlier call gave.
    let answers = [Answer::Value(VarRef(1))].into_iter().collect();
    let script = Script { arguments: [].into_iter().collect(), answers: vec![answers] };
    let passed = Statement::Stub { stub: StubId(0), script: Box::new(script) };
    let statements = with_variation(&world, Passing { method: world.take, passed });
    let scripts = statements.iter().filter_map(|statement| {
        let Statement::Stub { script, .. } = statement else { return None };
        Some(script.answers.clone())
    });
    assert_eq!(scripts.collect::<Vec<_>>(), [vec![Answers::new()]]);
}

#[test]
fn tests_that_stay_settle_what_they_cover_and_the_mutants_that_they_kill() {
    let world = world();
    let [first, second, third, _] = MUTANTS;
    let stand = |size, has_time| {
        let mut fake = Fake {
            changes: vec![
                (2, first, World::value(1)),
                (3, first, World::value(2)),
                (3, second, World::value(2)),
            ],
            covers: BTreeMap::from([(2, vec![LINE, first, third]), (3, vec![first, second])]),
            ..Fake::default()
        };
        let killer = MutantKiller {
            cluster: &world.cluster,
            goals: &world.goals,
            options: AssertionOptions::default(),
        };
        // What they were made for once does not count.
        let failing = AssertedTest { fails: true, ..world.test(1, &[RESULT]) };
        let tests = [world.test(1, &[RESULT]), world.test(2, &[]), failing];
        let mut result = ExecutionResult::new(9, 9);
        let standing = Standing { killer, size };
        let Stood { tests, settled } = standing.look_at(&tests, &mut fake, &mut result, &mut |_| has_time);
        let goals: Vec<Vec<GoalId>> = tests.into_iter().map(|test| test.goals).collect();
        (goals, settled.into_iter().collect::<Vec<_>>(), fake.runs)
    };
    let (goals, settled, runs) = stand(SuiteSize::Compact, true);
    assert_eq!(
        goals,
        [ids(&[LINE, first, third]), ids(&[first, second]), ids(&[])],
        "what fails covers nothing"
    );
    assert_eq!(settled, ids(&[LINE, first, second]), "the third is infected, and nothing kills it");
    assert!(!runs.contains(&(3, first)), "it is killed by then: {runs:?}");
    assert_eq!(stand(SuiteSize::Complete, true).1, ids(&[LINE, first, second, third]));
    assert_eq!(stand(SuiteSize::Compact, false).0, [ids(&[]), ids(&[]), ids(&[])]);
}

#[test]
fn a_test_that_asserts_nothing_is_kept_for_structure_and_for_no_mutant() {
    let goals = goals();
    let ids = |ids: &[u32]| ids.iter().copied().map(GoalId).collect::<Vec<GoalId>>();
    let all = ids(&[LINE, RESULT, MUTANTS[0], KILL]);
    let kept = |size: SuiteSize| size.kept_unasserted_for(&all, None, &goals);
    assert_eq!(SuiteSize::Compact.kept_for(&all, None, &goals), ids(&[LINE, MUTANTS[0], KILL]));
    assert_eq!(kept(SuiteSize::Compact), ids(&[LINE]));
    assert_eq!(kept(SuiteSize::Complete), ids(&[LINE, RESULT, MUTANTS[0]]));
}

#[test]
fn where_no_structure_is_asked_for_every_goal_counts() {
    let goals = goals();
    let asked = |name: &str| SuiteSize::Compact.for_criteria(&[name.to_owned()], &goals);
    assert_eq!((asked("any"), asked("output")), (SuiteSize::Compact, SuiteSize::Complete));
}
