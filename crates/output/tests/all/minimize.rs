//! Minimization against a fake executor that interprets tests of two small classes.

use std::collections::BTreeSet;

use crate::common::{ClusterBuilder, TestBuilder, no_classes};
use bytecode::name::ClassName;
use bytecode::probe_map::{Evidence, ProbeId};
use coverage::goal::{Goal, GoalId, GoalKind, GoalSet};
use output::minimize::memory::Memory;
use output::minimize::suite::Minimizer;
use output::minimize::{Archived, MinimizeOptions, Minimized};
use output::report::Cause;
use testcase::assertion::{ObservationPoint, ObservationTarget, ObservedValue};
use testcase::cluster::{CallableId, Generator, MemberId, TestCluster, TypeId};
use testcase::execution::{ExecutionResult, Executor, Observations, Outcome, ThrowOrigin, Thrown, Touched};
use testcase::random::Random;
use testcase::run_request::RunRequest;
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

const PROBES: usize = 16;

/// The callables of the fake classes `Counter` and `Helper`.
#[derive(Debug)]
struct World {
    cluster: TestCluster,
    goals: GoalSet,
    new_counter: CallableId,
    counter_of: CallableId,
    add: CallableId,
    name: CallableId,
    refuse: CallableId,
    reset: CallableId,
    set_total: CallableId,
    combine: CallableId,
    is_same: CallableId,
    read_file: CallableId,
    is_helped: CallableId,
    helper_of: CallableId,
    helper: CallableId,
    counter_type: TypeId,
}

fn world() -> World {
    let mut builder = ClusterBuilder::new("p/Counter");
    let counter = "Lp/Counter;";
    let new_counter = builder.constructor(counter, "()V", &[]);
    let counter_of = builder.constructor(counter, "(Lp/Helper;)V", &[]);
    let add = builder.method(counter, "add", "(I)I");
    let name = builder.method(counter, "name", "(Ljava/lang/String;)Z");
    let refuse = builder.method(counter, "refuse", "(I)V");
    let reset = builder.method(counter, "reset", "(I)V");
    let set_total = builder.method(counter, "setTotal", "(I)Lp/Counter;");
    let total = builder.method(counter, "total", "()J");
    let combine = builder.static_method(counter, "combine", "(Lp/Counter;Lp/Counter;)V");
    let is_same = builder.static_method(counter, "isSame", "(Ljava/lang/String;Ljava/lang/String;)V");
    let read_file = builder.static_method(counter, "readFile", "()V");
    let is_helped = builder.method(counter, "isHelped", "()Z");
    let helper_of = builder.constructor("Lp/Helper;", "(I)V", &[]);
    let helper = builder.constructor("Lp/Helper;", "()V", &[]);
    let (counter_type, helper_type) = (builder.ty(counter), builder.ty("Lp/Helper;"));
    builder.relate(&no_classes());
    let mut cluster = builder.cluster;
    cluster.generators = vec![Vec::new(); cluster.types.len()];
    cluster.inspectors = vec![Vec::new(); cluster.types.len()];
    cluster.inspectors[counter_type.index()] = vec![total];
    cluster.generators[helper_type.index()] =
        vec![Generator::Callable(helper_of), Generator::Callable(helper)];
    let goal = |probe| Goal {
        criterion: "branch".into(),
        class: ClassName::new("p/Counter"),
        hash: 0,
        method: "add(I)I".into(),
        kind: GoalKind::Line(probe),
        line: Some(probe),
        entry: ProbeId(0),
        outcome: None,
        covered_by: vec![Evidence::Hit(ProbeId(probe))],
        controlled_by: Vec::new(),
    };
    World {
        cluster,
        goals: GoalSet::new((0..PROBES as u32).map(goal).collect()),
        new_counter,
        counter_of,
        add,
        name,
        refuse,
        reset,
        set_total,
        combine,
        is_same,
        read_file,
        is_helped,
        helper_of,
        helper,
        counter_type,
    }
}

impl World {
    fn member(&self, callable: CallableId) -> MemberId {
        self.cluster.callable(callable).member
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Thing {
    None,
    Null,
    Int(i64),
    Flag(bool),
    Text(String),
    Counter(usize),
    Helper(i64),
}

/// Interprets tests; a pure function of the test.
struct Fake<'a> {
    world: &'a World,
    executions: u64,
    /// Runs that were given all steps there are.
    in_full: u64,
}

/// Numbers from here on make a run long.
const LONG: i64 = 1_000_000;

impl Fake<'_> {
    /// One statement; `Err` when it throws.
    // tidy: one arm per kind of statement
    fn step(
        &self,
        statement: &Statement,
        things: &[Thing],
        totals: &mut Vec<i64>,
        result: &mut ExecutionResult,
    ) -> Result<Thing, (&'static str, ThrowOrigin)> {
        let world = self.world;
        let at = |variable: VarRef| things[variable.index()].clone();
        let mut hit = |probe| result.trace.record_hits(ProbeId(probe), 1);
        match statement {
            Statement::Primitive { value: Value::String(text), .. } => Ok(Thing::Text(text.to_string())),
            Statement::Primitive { value, .. } => Ok(Thing::Int(value.as_integer().unwrap_or(0))),
            Statement::Null { .. } => Ok(Thing::Null),
            Statement::Constructor { callable, arguments } if *callable == world.helper_of => {
                let Thing::Int(size) = at(arguments[0]) else { panic!("an int") };
                Ok(Thing::Helper(size))
            }
            Statement::Constructor { callable, .. } if *callable == world.helper => Ok(Thing::Helper(0)),
            Statement::Constructor { callable, arguments } => {
                hit(0);
                totals.push(if *callable == world.counter_of { 100 } else { 0 });
                if *callable == world.counter_of {
                    hit(1);
                    if at(arguments[0]) == Thing::Null {
                        return Err(("java/lang/NullPointerException", ThrowOrigin::Jvm));
                    }
                    hit(2);
                }
                Ok(Thing::Counter(totals.len() - 1))
            }
            Statement::Method { callable, receiver: None, arguments }
                if world.member(*callable) == world.member(world.combine) =>
            {
                hit(3);
                hit(if at(arguments[0]) == at(arguments[1]) { 4 } else { 5 });
                Ok(Thing::None)
            }
            Statement::Method { callable, receiver: None, arguments } if *callable == world.is_same => {
                if at(arguments[0]) == at(arguments[1]) {
                    hit(15);
                }
                Ok(Thing::None)
            }
            Statement::Method { callable, .. } if *callable == world.read_file => {
                hit(13);
                result.touched = result.touched.union(Touched::FILE_READ);
                Ok(Thing::None)
            }
            Statement::Method { callable, receiver: Some(receiver), arguments } => {
                let Thing::Counter(counter) = at(*receiver) else {
                    return Err(("java/lang/NullPointerException", ThrowOrigin::Statement));
                };
                if *callable == world.is_helped {
                    hit(14);
                    return Ok(Thing::Flag(totals[counter] >= 100));
                }
                match (*callable, at(arguments[0])) {
                    (id, Thing::Int(number)) if id == world.add => {
                        hit(6);
                        totals[counter] += number;
                        if number > 5000 {
                            hit(7);
                        }
                        if totals[counter] == 42 {
                            hit(8);
                        }
                        Ok(Thing::Int(totals[counter]))
                    }
                    (id, text) if id == world.name => {
                        hit(9);
                        let Thing::Text(text) = text else {
                            return Err(("java/lang/NullPointerException", ThrowOrigin::Jvm));
                        };
                        if text.encode_utf16().count() > 3 && text.contains('!') {
                            hit(10);
                        }
                        Ok(Thing::Flag(text.contains('!')))
                    }
                    (id, Thing::Int(number)) if id == world.refuse => {
                        hit(11);
                        if number < 0 {
                            hit(12);
                            return Err(("java/lang/IllegalArgumentException", ThrowOrigin::Project));
                        }
                        Ok(Thing::None)
                    }
                    (id, Thing::Int(number)) if id == world.reset => {
                        hit(11);
                        totals[counter] = number;
                        Ok(Thing::None)
                    }
                    (id, Thing::Int(number)) if id == world.set_total => {
                        hit(11);
                        totals[counter] = number;
                        Ok(at(*receiver))
                    }
                    other => panic!("{other:?}"),
                }
            }
            other => panic!("{other:?}"),
        }
    }
}

impl Executor for Fake<'_> {
    fn execute(&mut self, test: &TestCase, request: &RunRequest, result: &mut ExecutionResult) {
        self.executions += 1;
        result.trace.clear();
        result.touched = Touched::default();
        result.outcome = Outcome::Passed;
        let (mut things, mut totals) = (Vec::new(), Vec::new());
        for (position, statement) in test.statements().iter().enumerate() {
            match self.step(statement, &things, &mut totals, result) {
                Ok(thing) => things.push(thing),
                Err((class, origin)) => {
                    result.outcome = Outcome::Threw(Thrown { position, class: class.into(), origin });
                    break;
                }
            }
        }
        result.executed = things.len();
        self.in_full += u64::from(!request.is_brief);
        let is_long = |statement: &Statement| matches!(statement, Statement::Primitive { value, .. } if value.as_integer() >= Some(LONG));
        if request.is_brief && test.statements().iter().any(is_long) {
            result.outcome = Outcome::TimedOut;
        }
    }

    fn observe(&mut self, test: &TestCase, points: &[ObservationPoint]) -> Observations {
        self.executions += 1;
        let value = |point: &ObservationPoint| {
            let mut result = ExecutionResult::new(PROBES, 0);
            let (mut things, mut totals) = (Vec::new(), Vec::new());
            for statement in test.statements().iter().take(point.after.index() + 1) {
                things.push(self.step(statement, &things, &mut totals, &mut result).ok()?);
            }
            if let ObservationTarget::Inspector(object, _) = point.target {
                let Thing::Counter(counter) = things[object.index()] else { return None };
                return Some(ObservedValue::Primitive(Value::Long(totals[counter])));
            }
            match things.get(point.after.index())? {
                Thing::Int(number) => Some(ObservedValue::Primitive(Value::Long(*number))),
                Thing::Flag(flag) => Some(ObservedValue::Primitive(Value::Boolean(*flag))),
                Thing::Counter(_) => None,
                other => panic!("{other:?} is no result"),
            }
        };
        Observations { outcome: Outcome::Passed, values: points.iter().map(value).collect() }
    }
}

/// Goals that a test covers.
fn covered(world: &World, test: &TestCase) -> Vec<GoalId> {
    let mut result = ExecutionResult::new(PROBES, 0);
    Fake { world, executions: 0, in_full: 0 }.execute(test, &RunRequest::default(), &mut result);
    let mut goals = Vec::new();
    world.goals.covered(&result.trace, &mut goals);
    goals
}

fn minimize(world: &World, archive: &[(GoalId, TestCase)], executions: u64) -> Minimized {
    let options = MinimizeOptions { executions, results: 0, ..MinimizeOptions::default() };
    minimize_with(world, archive, options)
}

fn minimize_with(world: &World, archive: &[(GoalId, TestCase)], options: MinimizeOptions) -> Minimized {
    let minimizer = Minimizer { cluster: &world.cluster, goals: &world.goals, options };
    let mut fake = Fake { world, executions: 0, in_full: 0 };
    let mut result = ExecutionResult::new(PROBES, 0);
    let minimized =
        minimizer
            .minimize(&archived(archive), (&mut fake, &mut result), &mut Memory::default(), &mut || true);
    assert_eq!(fake.executions, minimized.executions);
    assert!(minimized.executions <= options.executions);
    minimized
}

fn archived(archive: &[(GoalId, TestCase)]) -> Vec<Archived<'_>> {
    archive.iter().map(|(goal, test)| Archived { test, goals: std::slice::from_ref(goal) }).collect()
}

/// An archive of one test, for each goal that it covers.
fn archive_of(world: &World, test: &TestCase) -> Vec<(GoalId, TestCase)> {
    covered(world, test).into_iter().map(|goal| (goal, test.clone())).collect()
}

fn random_test(world: &World, random: &mut Random) -> TestCase {
    let mut test = TestBuilder::default();
    let mut counters = vec![test.new_object(world.new_counter, &[])];
    let mut helpers = Vec::new();
    for _ in 0..random.between(2, 14) {
        let counter = *random.choose(&counters).unwrap();
        match random.below(9) {
            0 => counters.push(test.new_object(world.new_counter, &[])),
            1 => {
                let number = test.int(random.between(-9000, 9000) as i32);
                helpers.push(test.new_object(world.helper_of, &[number]));
            }
            2 => {
                let of = world.cluster.callable(world.helper).owner;
                let helper = random.choose(&helpers).copied().unwrap_or_else(|| test.null(of));
                counters.push(test.new_object(world.counter_of, &[helper]));
            }
            3 | 4 => {
                let number = *random.choose(&[42, 40, 2, 7777, -13, 123_456]).unwrap();
                let number = test.int(number);
                test.call(world.add, counter, &[number]);
            }
            5 => {
                let text = test.string(random.choose(&["", "x{q}!z", "öß!ü¢", "abcdef"]).unwrap());
                test.call(world.name, counter, &[text]);
            }
            6 => {
                let text = test.null(TypeId::STRING);
                test.call(world.name, counter, &[text]);
            }
            7 => {
                let number = test.int(random.between(-70, 70) as i32);
                test.call(world.refuse, counter, &[number]);
            }
            _ => {
                let other = *random.choose(&counters).unwrap();
                test.call_static(world.combine, &[counter, other]);
            }
        }
    }
    test.test
}

fn random_archive(world: &World, seed: u64) -> Vec<(GoalId, TestCase)> {
    let mut random = Random::new(seed, 0);
    let tests: Vec<TestCase> = (0..40).map(|_| random_test(world, &mut random)).collect();
    let mut archive = Vec::new();
    for goal in world.goals.ids() {
        let covering = tests.iter().filter(|test| covered(world, test).contains(&goal));
        archive.extend(covering.min_by_key(|test| test.len()).map(|test| (goal, test.clone())));
    }
    archive
}

#[test]
fn coverage_never_shrinks_tests_never_grow_and_no_test_is_redundant() {
    let world = world();
    for seed in 0..60 {
        let archive = random_archive(&world, seed);
        let longest = archive.iter().map(|(_, test)| test.len()).max().unwrap_or(0);
        let wanted: BTreeSet<GoalId> = archive.iter().map(|(goal, _)| *goal).collect();
        let minimized = minimize(&world, &archive, 200_000);
        assert!(minimized.progress >= 1.0 && minimized.dropped.is_empty());
        let sets: Vec<Vec<GoalId>> = minimized.tests.iter().map(|test| covered(&world, &test.test)).collect();
        let union: BTreeSet<GoalId> = sets.iter().flatten().copied().collect();
        assert!(union.is_superset(&wanted), "seed {seed}");
        for (index, (test, set)) in minimized.tests.iter().zip(&sets).enumerate() {
            assert_eq!(&test.goals, set);
            assert!(test.test.len() <= longest);
            let others: BTreeSet<GoalId> = sets
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index)
                .flat_map(|(_, set)| set.clone())
                .collect();
            assert!(set.iter().any(|goal| !others.contains(goal)), "seed {seed}: test {index} is redundant");
            if let Some(thrown) = &test.thrown {
                assert_eq!(thrown.position + 1, test.test.len());
            }
        }
        assert_eq!(minimized, minimize(&world, &archive, 200_000), "seed {seed}");
    }
}

#[test]
fn whenever_it_is_stopped_the_suite_is_valid() {
    let world = world();
    let archive = random_archive(&world, 3);
    let distinct: BTreeSet<&TestCase> = archive.iter().map(|(_, test)| test).collect();
    let wanted: BTreeSet<GoalId> = archive.iter().map(|(goal, _)| *goal).collect();
    for executions in 0..150 {
        let minimized = minimize(&world, &archive, executions);
        let union: BTreeSet<GoalId> =
            minimized.tests.iter().flat_map(|test| covered(&world, &test.test)).collect();
        let lost: BTreeSet<GoalId> = minimized.dropped.iter().flat_map(|(_, goals)| goals.clone()).collect();
        assert!(union.is_disjoint(&lost));
        assert!(wanted.iter().all(|goal| union.contains(goal) || lost.contains(goal)), "{executions}");
        assert!(executions < distinct.len() as u64 || lost.is_empty(), "{executions}");
        assert!(minimized.dropped.iter().all(|(cause, _)| *cause == Cause::OutOfTime));
    }
}

#[test]
fn independent_parts_of_a_long_test_become_tests_of_their_own() {
    let world = world();
    let mut test = TestBuilder::default();
    let counter = test.new_object(world.new_counter, &[]);
    let other = test.new_object(world.new_counter, &[]);
    test.call_static(world.combine, &[counter, other]);
    let text = test.string("?q!{");
    test.call(world.name, counter, &[text]);
    let number = test.int(9999);
    test.call(world.add, other, &[number]);
    let number = test.int(-77);
    test.call(world.refuse, counter, &[number]);
    let minimized = minimize(&world, &archive_of(&world, &test.test), 10_000);
    let lengths: Vec<usize> = minimized.tests.iter().map(|test| test.test.len()).collect();
    // `combine` is called with one counter twice as well: that covers a goal the archive did not have.
    assert_eq!(lengths, [2, 3, 3, 3, 3]);
    let literals = |index: usize| -> Vec<Value> {
        let statements = minimized.tests[index].test.statements().iter();
        statements
            .filter_map(|statement| match statement {
                Statement::Primitive { value, .. } => Some(value.clone()),
                _ => None,
            })
            .collect()
    };
    // The boundary of `number > 5000`, the shortest string that will do, a small negative number.
    assert_eq!(literals(2), [Value::Int(5001)]);
    assert_eq!(literals(3), [Value::String("aq!a".into())]);
    assert_eq!(literals(4), [Value::Int(-1)]);
    assert!(minimized.tests[4].thrown.is_some());
}

#[test]
fn strings_that_no_person_would_write_are_shrunk_and_made_plain() {
    let world = world();
    let mut test = TestBuilder::default();
    let counter = test.new_object(world.new_counter, &[]);
    let text = test.string("öß¢!\u{1}µµµµµµµµµ\"\\");
    test.call(world.name, counter, &[text]);
    let minimized = minimize(&world, &archive_of(&world, &test.test), 10_000);
    let Statement::Primitive { value: Value::String(text), .. } = &minimized.tests[0].test.statements()[1]
    else {
        panic!("a string");
    };
    assert!(text.units().iter().all(|unit| (0x20..0x7f).contains(unit)), "{text}");
    assert!(text.len() <= 5, "{text}");
}

#[test]
fn texts_that_look_made_up_become_plain_in_one_run_and_equal_ones_together() {
    let world = world();
    let mut test = TestBuilder::default();
    let texts = [test.string("n[0&|W"), test.string("n[0&|W")];
    test.call_static(world.is_same, &texts);
    let archive = archive_of(&world, &test.test);
    let minimized = minimize(&world, &archive, 10_000);
    let a = Statement::Primitive { value: Value::String("a".into()), boxed: false };
    assert_eq!(minimized.tests[0].test.statements()[..2], [a.clone(), a]);
}

/// The first text takes dozens of runs to shrink.
#[test]
fn texts_of_all_tests_are_plain_before_one_is_worked_on() {
    let world = world();
    let mut named = TestBuilder::default();
    let counter = named.new_object(world.new_counter, &[]);
    let text = named.string("öß¢!\u{1}µµµµµµµµµ\"\\");
    named.call(world.name, counter, &[text]);
    let mut same = TestBuilder::default();
    let texts = [same.string("n[0&|W"), same.string("n[0&|W")];
    same.call_static(world.is_same, &texts);
    let archive = [archive_of(&world, &named.test), archive_of(&world, &same.test)].concat();
    let all = minimize(&world, &archive, 10_000).executions;
    let minimized = minimize(&world, &archive, all / 2);
    assert!(minimized.progress < 0.9, "{}", minimized.progress);
    let a = Statement::Primitive { value: Value::String("a".into()), boxed: false };
    let last = minimized.tests.last().expect("a test");
    assert_eq!(last.test.statements()[..2], [a.clone(), a]);
}

#[test]
fn accidents_are_replaced_by_values_and_kept_only_where_nothing_else_covers_the_goal() {
    let world = world();
    let mut test = TestBuilder::default();
    let counter = test.new_object(world.new_counter, &[]);
    let text = test.null(TypeId::STRING);
    test.call(world.name, counter, &[text]);
    let minimized = minimize(&world, &archive_of(&world, &test.test), 10_000);
    assert_eq!(minimized.tests.len(), 1);
    assert_eq!(minimized.tests[0].thrown, None, "`name(null)` became `name(\"a\")`");
    // Of two tests of one goal the one that passes is chosen, though it is longer.
    let mut passing = TestBuilder::default();
    let number = passing.int(1);
    let helper = passing.new_object(world.helper_of, &[number]);
    passing.new_object(world.counter_of, &[helper]);
    let mut throwing = TestBuilder::default();
    let helper = throwing.null(world.counter_type);
    throwing.new_object(world.counter_of, &[helper]);
    let archive = vec![(GoalId(1), throwing.test), (GoalId(2), passing.test)];
    let minimized = minimize(&world, &archive, 10_000);
    assert_eq!(minimized.tests.len(), 1);
    assert_eq!(minimized.tests[0].thrown, None);
    // Its chain of constructors became the plain one.
    let made = minimized.tests[0].test.statements()[0].callable();
    assert_eq!((minimized.tests[0].test.len(), made), (2, Some(world.helper)));
}

#[test]
fn tests_that_touched_files_are_left_out_with_the_cause() {
    let world = world();
    let mut test = TestBuilder::default();
    let counter = test.new_object(world.new_counter, &[]);
    test.call_static(world.read_file, &[]);
    let number = test.int(1);
    test.call(world.add, counter, &[number]);
    let archive = archive_of(&world, &test.test);
    let minimized = minimize(&world, &archive, 10_000);
    // What does not depend on the file is kept.
    assert_eq!(
        minimized.tests.iter().flat_map(|test| test.goals.clone()).collect::<Vec<_>>(),
        [GoalId(0), GoalId(6)]
    );
    assert_eq!(minimized.dropped, [(Cause::Touched, vec![GoalId(13)])]);
}

#[test]
fn only_tests_that_need_all_steps_get_them() {
    let world = world();
    let check = |number: i32, expect: bool| {
        let mut test = TestBuilder::default();
        let counter = test.new_object(world.new_counter, &[]);
        let number = test.int(number);
        test.call(world.add, counter, &[number]);
        let archive = archive_of(&world, &test.test);
        let minimizer =
            Minimizer { cluster: &world.cluster, goals: &world.goals, options: MinimizeOptions::default() };
        let mut fake = Fake { world: &world, executions: 0, in_full: 0 };
        let mut result = ExecutionResult::new(PROBES, 0);
        let minimized = minimizer.minimize(
            &archived(&archive),
            (&mut fake, &mut result),
            &mut Memory::default(),
            &mut || true,
        );
        assert_eq!(minimized.dropped, []);
        assert_eq!(fake.in_full > 0, expect);
    };
    check(6_000, false);
    check(LONG as i32 + 6_000, true);
}

/// A slow class has time for a few hundred runs, and for all that is done to its tests.
#[test]
fn what_a_goal_does_not_need_takes_few_runs() {
    let world = world();
    let mut test = TestBuilder::default();
    let counter = test.new_object(world.new_counter, &[]);
    for _ in 0..30 {
        let text = test.string("a");
        test.call(world.name, counter, &[text]);
    }
    let number = test.int(1);
    test.call(world.add, counter, &[number]);
    let minimized = minimize(&world, &archive_of(&world, &test.test), 10_000);
    let lengths: Vec<usize> = minimized.tests.iter().map(|test| test.test.len()).collect();
    assert_eq!(lengths, [3, 3]);
    assert!(minimized.executions < 40, "{}", minimized.executions);
}

/// Minimizes an archive until so many runs were asked for, less one.
fn minimize_within(
    world: &World,
    archive: &[(GoalId, TestCase)],
    memory: &mut Memory,
    runs: u32,
) -> Minimized {
    let minimizer =
        Minimizer { cluster: &world.cluster, goals: &world.goals, options: MinimizeOptions::default() };
    let mut fake = Fake { world, executions: 0, in_full: 0 };
    let mut result = ExecutionResult::new(PROBES, 0);
    let mut left = runs;
    minimizer.minimize(&archived(archive), (&mut fake, &mut result), memory, &mut || {
        left = left.saturating_sub(1);
        left > 0
    })
}

#[test]
fn a_suite_goes_on_where_the_one_before_was_cut_short() {
    let world = world();
    let archive = random_archive(&world, 5);
    let at_once = minimize_within(&world, &archive, &mut Memory::default(), u32::MAX);
    let mut memory = Memory::default();
    let mut minimize = |runs| minimize_within(&world, &archive, &mut memory, runs);
    let cut_short = minimize(30);
    assert!(cut_short.progress < 1.0);
    let rest = minimize(u32::MAX);
    assert_eq!((&rest.tests, &rest.dropped), (&at_once.tests, &at_once.dropped));
    assert_eq!(rest.executions + cut_short.executions, at_once.executions, "nothing runs twice");
    let again = minimize(1);
    assert_eq!((again.tests, again.executions, again.progress), (at_once.tests, 0, 1.0));
}

#[test]
fn it_ends_when_the_callback_says_so() {
    let world = world();
    let archive = random_archive(&world, 5);
    let minimize = |runs| minimize_within(&world, &archive, &mut Memory::default(), runs);
    let minimized = minimize(30);
    assert!(minimized.progress < 1.0);
    assert_eq!(minimized.executions, 29);
    // The more of it was done, the more it says so.
    let all = minimize(u32::MAX);
    assert!(all.progress >= 1.0);
    let runs = [0.02, 0.3, 0.6, 0.9].map(|share| (share * all.executions as f64) as u32);
    let progress: Vec<f64> =
        runs.into_iter().map(|runs| minimize(runs).progress).chain([all.progress]).collect();
    assert!(progress.is_sorted_by(|before, after| before < after), "{progress:?}");
    assert!((0.0..0.2).contains(&progress[0]), "{progress:?}");
}

/// The numbers that the tests of a suite give.
fn numbers(minimized: &Minimized) -> Vec<Vec<i64>> {
    let inputs = |test: &TestCase| {
        let numbers = test.statements().iter().filter_map(|statement| match statement {
            Statement::Primitive { value, .. } => value.as_integer(),
            _ => None,
        });
        numbers.collect()
    };
    minimized.tests.iter().map(|test| inputs(&test.test)).collect()
}

#[test]
fn results_that_no_test_shows_get_a_test() {
    let world = world();
    let mut test = TestBuilder::default();
    let counter = test.new_object(world.new_counter, &[]);
    for text in ["a", "!"] {
        let text = test.string(text);
        test.call(world.name, counter, &[text]);
    }
    let archive = archive_of(&world, &test.test);
    for (results, expect) in [(0, vec!["a"]), (60, vec!["a", "!"])] {
        let options = MinimizeOptions { results, ..MinimizeOptions::default() };
        let minimized = minimize_with(&world, &archive, options);
        let given = minimized.tests.iter().flat_map(|test| test.test.statements());
        let texts = given.filter_map(|statement| match statement {
            Statement::Primitive { value: Value::String(text), .. } => Some(text.to_string()),
            _ => None,
        });
        assert_eq!(texts.collect::<Vec<String>>(), expect, "at most {results}");
    }
}

#[test]
fn values_that_give_a_default_are_changed_where_others_cover_the_same() {
    let world = world();
    let mut test = TestBuilder::default();
    let counter = test.new_object(world.new_counter, &[]);
    let zero = test.int(0);
    test.call(world.add, counter, &[zero]);
    let minimized = minimize(&world, &archive_of(&world, &test.test), 1000);
    assert_eq!(numbers(&minimized), [[3]]);
}

/// Neither 1 nor 0 is more than 5,000.
#[test]
fn what_a_call_gave_is_passed_itself_where_no_plainer_value_will_do() {
    let world = world();
    let mut test = TestBuilder::default();
    let [first, second] = [(); 2].map(|()| test.new_object(world.new_counter, &[]));
    let numbers_given = [4_000, 3_000].map(|number| test.int(number));
    test.call(world.add, first, &[numbers_given[0]]);
    let sum = test.call(world.add, first, &[numbers_given[1]]);
    test.call(world.add, second, &[sum]);
    let minimized = minimize(&world, &archive_of(&world, &test.test), 1000);
    assert_eq!(numbers(&minimized), [[7_000]]);
}

#[test]
fn a_call_without_result_or_a_setter_gets_a_value_with_which_it_changes_something() {
    let world = world();
    for call in [world.reset, world.set_total] {
        let mut test = TestBuilder::default();
        let counter = test.new_object(world.new_counter, &[]);
        let number = test.int(0);
        test.call(call, counter, &[number]);
        let minimized = minimize(&world, &[(GoalId(11), test.test)], 1000);
        assert_eq!(numbers(&minimized), [[1]]);
    }
}

#[test]
fn a_method_that_only_shows_a_default_is_called_on_an_object_of_another_test() {
    let world = world();
    let mut asks = TestBuilder::default();
    let counter = asks.new_object(world.new_counter, &[]);
    asks.call(world.is_helped, counter, &[]);
    let mut makes = TestBuilder::default();
    let size = makes.int(5);
    let helper = makes.new_object(world.helper_of, &[size]);
    makes.new_object(world.counter_of, &[helper]);
    let archive = [(GoalId(2), makes.test), (GoalId(14), asks.test)];
    for (results, expect) in [(0, 1), (60, 2)] {
        let options = MinimizeOptions { results, ..MinimizeOptions::default() };
        let minimized = minimize_with(&world, &archive, options);
        let last = |test: &TestCase| test.statements().last().and_then(Statement::callable);
        let asking = minimized.tests.iter().filter(|test| last(&test.test) == Some(world.is_helped)).count();
        assert_eq!(asking, expect, "at most {results}");
    }
}

#[test]
fn type_arguments_are_those_of_most_tests() {
    let mut world = world();
    // `combine` and `isSame` have a type parameter now, and `combine` a second instantiation.
    for (callable, argument) in [(world.combine, TypeId::STRING), (world.is_same, TypeId::STRING)] {
        world.cluster.callables[callable.index()].type_arguments = vec![argument];
    }
    let mut other = world.cluster.callable(world.combine).clone();
    other.type_arguments = vec![TypeId::OBJECT];
    world.cluster.callables.push(other);
    let of_object = CallableId::from(world.cluster.callables.len() - 1);
    let combine = |combine: CallableId, counters: usize| {
        let mut test = TestBuilder::default();
        let counters: Vec<VarRef> = (0..counters).map(|_| test.new_object(world.new_counter, &[])).collect();
        test.call_static(combine, &[counters[0], *counters.last().expect("a counter")]);
        test.test
    };
    let mut same = TestBuilder::default();
    let text = same.string("a");
    same.call_static(world.is_same, &[text, text]);
    let archive =
        [(GoalId(4), combine(world.combine, 1)), (GoalId(5), combine(of_object, 2)), (GoalId(15), same.test)];
    let minimized = minimize(&world, &archive, 1000);
    let called: Vec<CallableId> =
        minimized.tests.iter().filter_map(|test| test.test.statements().last()?.callable()).collect();
    assert_eq!(called, [world.combine, world.combine, world.is_same]);
}
