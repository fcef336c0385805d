//! The listings of paper 004 (Algorithms 1, 2, 6) and of paper 003 (Algorithm 1), line by line, as far as only whole steps
//! show what a line does: which tests are bred and run, and what is aimed at. Lines of routines are tested where these are;
//! `docs/design/search.md` lists them all.

use crate::landscape;
use std::collections::BTreeSet;

use crate::landscape::executor::Recording;
use crate::landscape::{IntSource, Landscape, Node, Operand, Setup, if_equal, method, setup};
use bytecode::probe_map::ProbeId;
use coverage::goal::GoalId;
use coverage::goal_graph::GoalGraph;
use fixedbitset::FixedBitSet;
use search::context::SearchEnvironment;
use search::options::{ADynamosaOptions, SearchOptions, SecondaryHeuristic};
use search::search::{Search, SearchRequest, StepOutcome};
use search::source::TestSource;
use testcase::execution::ComparisonOperand;
use testcase::factory::options::FactoryOptions;
use testcase::random::Random;
use testcase::statement::{Arguments, Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

/// Algorithms over test cases that have populations.
const FAMILY: [&str; 6] = ["nsga2", "mosa", "dynamosa", "dynamosa-rank", "dynamosa-pref", "adynamosa"];

/// What a source does in place of what [`IntSource`] does, and how often it was asked.
struct Scripted<'a> {
    inner: IntSource<'a>,
    /// In place of random tests, as long as there are any; in reverse order.
    tests: Vec<TestCase>,
    mutation: Option<fn(&mut TestCase) -> bool>,
    insertion: Option<fn(&mut TestCase) -> bool>,
    random_tests: usize,
    mutations: usize,
    appended: usize,
    insertions: usize,
}

impl<'a> Scripted<'a> {
    fn new(landscape: &'a Landscape) -> Self {
        let mut inner = IntSource::new(landscape);
        inner.has_pool = false;
        Self {
            inner,
            tests: Vec::new(),
            mutation: None,
            insertion: None,
            random_tests: 0,
            mutations: 0,
            appended: 0,
            insertions: 0,
        }
    }

    /// Starts with these tests.
    fn starting_with(landscape: &'a Landscape, tests: &[TestCase]) -> Self {
        Self { tests: tests.iter().rev().cloned().collect(), ..Self::new(landscape) }
    }
}

impl TestSource for Scripted<'_> {
    fn random_test(&mut self, random: &mut Random) -> TestCase {
        self.random_tests += 1;
        self.tests.pop().unwrap_or_else(|| self.inner.random_test(random))
    }

    fn mutate(&mut self, test: &mut TestCase, executed: usize, random: &mut Random) -> bool {
        self.mutations += 1;
        match self.mutation {
            Some(mutation) => mutation(test),
            None => self.inner.mutate(test, executed, random),
        }
    }

    fn append(
        &mut self,
        test: &mut TestCase,
        other: &TestCase,
        position: usize,
        random: &mut Random,
    ) -> bool {
        self.appended += 1;
        self.inner.append(test, other, position, random)
    }

    fn insert_random(&mut self, test: &mut TestCase, executed: usize, random: &mut Random) -> bool {
        self.insertions += 1;
        match self.insertion {
            Some(insertion) => insertion(test),
            None => self.inner.insert_random(test, executed, random),
        }
    }

    /// Nothing: the literals that mark tests stay.
    fn remove_unused(&mut self, _: &mut TestCase) {}

    fn set_call_weights(&mut self, weights: &[f64]) {
        self.inner.set_call_weights(weights);
    }

    fn set_open_branches(&mut self, open: &FixedBitSet) {
        self.inner.set_open_branches(open);
    }

    fn set_wanted(&mut self, wanted: &[(ProbeId, i64)]) {
        self.inner.set_wanted(wanted);
    }

    fn observe(&mut self, operands: &[ComparisonOperand]) {
        self.inner.observe(operands);
    }
}

/// The tests of each generation, and after each what `look` is shown of the search.
fn generations(
    landscape: &Landscape,
    setup: &Setup<'_>,
    source: &mut Scripted<'_>,
    count: usize,
    mut look: impl FnMut(&Search<'_>, &GoalGraph),
) -> Vec<Vec<TestCase>> {
    let graph = landscape.graph(setup.call_dependences);
    let mut search = Search::new(SearchRequest {
        seeds: setup.seeds.clone(),
        ..landscape.request(setup.algorithm, &graph, setup.options.clone())
    })
    .unwrap();
    let (mut random, mut budget) = (Random::new(setup.seed, 0), landscape::budget(setup.executions));
    let mut executor = Recording::new(landscape);
    let mut generations = Vec::new();
    for _ in 0..count {
        let mut environment = SearchEnvironment {
            executor: &mut executor,
            source,
            random: &mut random,
            budget: &mut budget,
            events: &mut |_| (),
        };
        let outcome = search.step(&mut environment);
        generations.push(std::mem::take(&mut executor.tests));
        look(&search, &graph);
        if outcome != StepOutcome::Running {
            break;
        }
    }
    generations
}

/// As the listings have it, without tests that do not descend from the population.
/// Tests that nothing keeps from being crossed.
fn long_tests() -> FactoryOptions {
    FactoryOptions { max_length: 1_000, ..FactoryOptions::default() }
}

fn listing(population: usize) -> SearchOptions {
    SearchOptions { population, insertion_rate: 0.0, ..SearchOptions::paper_004() }
}

fn following(algorithm: &str, options: SearchOptions) -> Setup<'_> {
    Setup { options, call_dependences: false, ..setup(algorithm, 100_000) }
}

/// A call of the landscape's first method with these arguments.
fn call(landscape: &Landscape, arguments: &[i32]) -> TestCase {
    let mut test = TestCase::default();
    for &argument in arguments {
        test.push(Statement::Primitive { value: Value::Int(argument), boxed: false });
    }
    let arguments: Arguments = (0..arguments.len()).map(VarRef::from).collect();
    let callable = match landscape.cluster.test_calls[0][0] {
        testcase::cluster::Call::Callable(id) => id,
        other => panic!("{other:?} is no call"),
    };
    test.push(Statement::Method { callable, receiver: None, arguments });
    test
}

/// The first literal of a test: that of the one it descends from.
fn descent(test: &TestCase) -> i64 {
    match &test.statements()[0] {
        Statement::Primitive { value, .. } => value.as_integer().unwrap(),
        other => panic!("{other:?} is no literal"),
    }
}

/// Appends a literal.
fn mark(test: &mut TestCase) -> bool {
    test.push(Statement::Primitive { value: Value::Int(-7), boxed: false });
    true
}

/// One target, and tests that are farther and farther from it: each makes a front of its own.
fn line_of_tests() -> (Landscape, Vec<TestCase>) {
    let landscape = Landscape::new(&["branch"], vec![method("run", 1, vec![if_equal(0, 0, vec![])])]);
    let tests = (1..=10).map(|distance| call(&landscape, &[100 * distance])).collect();
    (landscape, tests)
}

#[test]
fn random_population_is_as_many_random_tests() {
    // 004: Algorithms 1 and 2, line 3; Algorithm 6, line 4. 003: Algorithm 1, line 5.
    let (landscape, _) = line_of_tests();
    for algorithm in FAMILY {
        let mut source = Scripted::new(&landscape);
        let run = generations(&landscape, &following(algorithm, listing(12)), &mut source, 1, |_, _| ());
        assert_eq!((run[0].len(), source.random_tests, source.mutations), (12, 12, 0), "{algorithm}");
    }
}

#[test]
fn parents_win_tournaments_by_rank() {
    // 004, GENERATE-OFFSPRING: §4.4 and §4.5.
    let (landscape, tests) = line_of_tests();
    for algorithm in FAMILY {
        let parents = |tournament_size| -> BTreeSet<i64> {
            let options = SearchOptions { tournament_size, crossover_probability: 0.0, ..listing(10) };
            let mut source = Scripted::starting_with(&landscape, &tests);
            source.mutation = Some(mark);
            let run = generations(&landscape, &following(algorithm, options), &mut source, 2, |_, _| ());
            assert_eq!(run[1].len(), 10, "{algorithm}: as many offspring as parents");
            run[1].iter().map(descent).collect()
        };
        assert_eq!(parents(1_000), BTreeSet::from([100]), "{algorithm}");
        assert!(parents(1).len() > 3, "{algorithm}: of one, everyone wins");
    }
}

#[test]
fn parents_are_crossed_with_the_probability_of_crossover() {
    // 004 §4.5: 0.75.
    let landscape = Landscape::new(&["branch"], vec![method("run", 1, vec![if_equal(0, 1 << 30, vec![])])]);
    for algorithm in FAMILY {
        let crossed = |crossover_probability: f64| {
            let options = SearchOptions { crossover_probability, factory: long_tests(), ..listing(50) };
            let mut source = Scripted::new(&landscape);
            let run = generations(&landscape, &following(algorithm, options), &mut source, 21, |_, _| ());
            let bred: usize = run[1..].iter().map(Vec::len).sum();
            assert!(bred > 900 && source.mutations >= bred, "every offspring is mutated");
            source.appended as f64 / bred as f64
        };
        assert_eq!(crossed(0.0), 0.0, "{algorithm}");
        assert!((crossed(1.0) - 1.0).abs() < 0.01, "{algorithm}: {}", crossed(1.0));
        let share = crossed(SearchOptions::paper_004().crossover_probability);
        assert!((share - 0.75).abs() < 0.05, "{algorithm}: {share}");
    }
}

#[test]
fn every_offspring_is_mutated_and_none_is_a_copy() {
    // 004 §4.5: uniform mutation. What the source fails to change is changed by an inserted call, or is a random test.
    let (landscape, tests) = line_of_tests();
    let check = |mutation, insertion: fn(&mut TestCase) -> bool, expect: [usize; 3]| {
        for algorithm in FAMILY {
            let mut source = Scripted::starting_with(&landscape, &tests);
            (source.mutation, source.insertion) = (Some(mutation), Some(insertion));
            let options = SearchOptions { crossover_probability: 0.0, ..listing(10) };
            let run = generations(&landscape, &following(algorithm, options), &mut source, 2, |_, _| ());
            assert!(run[1].iter().all(|test| !tests.contains(test)), "{algorithm}");
            let asked = [source.mutations, source.insertions, source.random_tests - 10];
            assert_eq!(asked, expect, "{algorithm}");
        }
    };
    let fails: fn(&mut TestCase) -> bool = |_| false;
    let empties: fn(&mut TestCase) -> bool = |test| {
        test.truncate(0);
        true
    };
    check(mark as fn(&mut TestCase) -> bool, fails, [10, 0, 0]);
    check(fails, mark, [20, 10, 0]);
    check(fails, fails, [20, 10, 10]);
    // The third replacement is for what is left without a call.
    check(empties, mark, [20, 20, 0]);
}

#[test]
fn offspring_without_a_call_of_the_class_under_test_are_their_parents_with_a_call() {
    // 004 §4.4, of the implementation: §"Differences" of the family.
    let (landscape, tests) = line_of_tests();
    let without_calls: fn(&mut TestCase) -> bool = |test| {
        test.truncate(1);
        true
    };
    for algorithm in FAMILY {
        let mut source = Scripted::starting_with(&landscape, &tests);
        source.mutation = Some(without_calls);
        let options = SearchOptions { crossover_probability: 0.0, ..listing(10) };
        let run = generations(&landscape, &following(algorithm, options), &mut source, 2, |_, _| ());
        assert_eq!((source.mutations, source.insertions), (10, 10), "{algorithm}");
        for test in &run[1] {
            let calls = |test: &TestCase| {
                test.statements().iter().filter(|statement| statement.callable().is_some()).count()
            };
            assert_eq!(calls(test), 2, "{algorithm}");
        }
    }
}

/// Conditions in one another, beside others.
fn nested() -> Landscape {
    let deep = |first: usize, constant: i64| {
        let inner = if_equal((first + 2) % 3, constant + 9, vec![Node::Line]);
        if_equal(first, constant, vec![Node::Line, if_equal((first + 1) % 3, constant - 4, vec![inner])])
    };
    let methods = vec![
        method("a", 3, vec![deep(0, 30), deep(1, -400)]),
        method("b", 3, vec![deep(2, 5), if_equal(0, 4_000, vec![deep(1, 2)])]),
    ];
    Landscape::new(&["branch", "line"], methods)
}

/// Uncovered goals that are roots or behind covered goals alone, walked to from the roots.
fn frontier(graph: &GoalGraph, is_covered: impl Fn(GoalId) -> bool) -> BTreeSet<GoalId> {
    let (mut pending, mut seen) = (graph.roots().to_vec(), BTreeSet::new());
    let mut frontier = BTreeSet::new();
    while let Some(goal) = pending.pop() {
        if !seen.insert(goal) {
            continue;
        }
        if is_covered(goal) {
            pending.extend_from_slice(graph.children(goal));
        } else {
            frontier.insert(goal);
        }
    }
    frontier
}

#[test]
fn the_objectives_of_every_generation_are_those_of_the_listing() {
    // 004: Algorithm 1 takes all targets; Algorithms 2 to 4 "uncovered" ones; Algorithm 6, lines 2, 6 and 10, those without
    // control dependences and what Algorithm 7 adds. 003: Algorithm 1, lines 3, 7 and 12.
    let landscape = nested();
    for algorithm in FAMILY {
        let mut source = Scripted::new(&landscape);
        let mut all = BTreeSet::new();
        let run =
            generations(&landscape, &following(algorithm, listing(10)), &mut source, 200, |search, graph| {
                let is_covered = |goal| search.archive().is_covered(goal);
                let expect: BTreeSet<GoalId> = match algorithm {
                    "nsga2" => landscape.goals.ids().collect(),
                    "mosa" => landscape.goals.ids().filter(|&goal| !is_covered(goal)).collect(),
                    _ => frontier(graph, is_covered),
                };
                let targets: BTreeSet<GoalId> = search.targets().iter().copied().collect();
                assert_eq!(targets, expect, "{algorithm}");
                all.insert(targets);
            });
        assert!(run.len() > 50 && (all.len() > 1 || algorithm == "nsga2"), "{algorithm}: {all:?}");
    }
}

#[test]
fn without_control_dependences_dynamosa_is_mosa() {
    // 004 §3.2.3: "for trivial classes … U* = U".
    let conditions = (0..12).map(|index| if_equal(index % 3, 6_000 + 37 * index as i64, vec![]));
    let landscape = Landscape::new(&["branch"], vec![method("run", 3, conditions.collect())]);
    let run = |algorithm| {
        let options = SearchOptions::paper_004();
        generations(&landscape, &following(algorithm, options), &mut Scripted::new(&landscape), 30, |_, _| ())
    };
    assert_eq!(run("dynamosa"), run("mosa"));
}

#[test]
fn adynamosa_without_its_own_lines_is_dynamosa() {
    // 003 Algorithm 1 has lines 6, 10, 11 and 17 to 20 of its own. Without heuristic, and where nothing descends from the
    // archive, it runs the tests that DynaMOSA runs.
    let landscape = nested();
    let run = |algorithm, secondary_heuristic| {
        let options = SearchOptions {
            insertion_from_archive: 0.0,
            adynamosa: ADynamosaOptions { secondary_heuristic, ..ADynamosaOptions::default() },
            population: 10,
            ..SearchOptions::paper_004()
        };
        generations(&landscape, &following(algorithm, options), &mut Scripted::new(&landscape), 60, |_, _| ())
    };
    let plain = run("dynamosa", SecondaryHeuristic::CrowdingDistance);
    assert_eq!(run("adynamosa", SecondaryHeuristic::CrowdingDistance), plain);
    assert_ne!(run("adynamosa", SecondaryHeuristic::Performance), plain);
    assert_ne!(run("adynamosa", SecondaryHeuristic::Adaptive), plain);
}

#[test]
fn the_archive_of_nsga2_has_no_influence() {
    // 004 Algorithm 1 has none.
    let landscape = nested();
    let run = |archive_replaces_equal| {
        let options = SearchOptions { archive_replaces_equal, insertion_from_archive: 1.0, ..listing(10) };
        let options = SearchOptions { insertion_rate: 0.5, ..options };
        generations(&landscape, &following("nsga2", options), &mut Scripted::new(&landscape), 40, |_, _| ())
    };
    let tests = run(true);
    assert_eq!(tests, run(false));
    assert!(tests[1..].iter().all(|offspring| offspring.len() == 10), "nothing is inserted either");
}

/// Of two tests of the first front one is cheap, and the other is better in more objectives. The first literal of the cheap
/// one is 1, that of the other 100.
fn cheap_or_diverse() -> (Landscape, Vec<TestCase>) {
    let conditions = [if_equal(0, 0, vec![]), if_equal(1, 50, vec![]), if_equal(1, 51, vec![])];
    let mut body = vec![Node::Loop(Operand::Argument(1), 20, 1)];
    body.extend(conditions);
    let landscape = Landscape::new(&["branch"], vec![method("run", 2, body)]);
    let tests = vec![call(&landscape, &[1, 0]), call(&landscape, &[100, 49])];
    (landscape, tests)
}

#[test]
fn the_secondary_heuristic_orders_a_front() {
    // 003 Algorithm 1, lines 17 to 20, and Algorithm 2 over the generations of one search. Offspring are as near as their
    // parents, so there is progress just where the parent is another than before.
    let (landscape, tests) = cheap_or_diverse();
    let parents = |secondary_heuristic| -> Vec<i64> {
        let options = SearchOptions {
            adynamosa: ADynamosaOptions { secondary_heuristic, ..ADynamosaOptions::default() },
            tournament_size: 1_000,
            crossover_probability: 0.0,
            ..listing(4)
        };
        let mut source = Scripted::starting_with(&landscape, &[&*tests, &*tests].concat());
        source.mutation = Some(mark);
        let run = generations(&landscape, &following("adynamosa", options), &mut source, 11, |_, _| ());
        let parent_of = |offspring: &Vec<TestCase>| {
            let parents: BTreeSet<i64> = offspring.iter().map(descent).collect();
            assert_eq!(parents.len(), 1, "{parents:?}");
            parents.into_iter().next().unwrap()
        };
        run[1..].iter().map(parent_of).collect()
    };
    assert_eq!(parents(SecondaryHeuristic::Performance), [1; 10]);
    assert_eq!(parents(SecondaryHeuristic::CrowdingDistance), [100; 10]);
    // By generation, with both counters behind it where it stagnates:
    // 1 has no generation before it; 2 stagnates (1, 0): crowding; 3 progresses; 4 stagnates (1, 1): performance;
    // 5 progresses (0, 1); 6 stagnates (1, 1): performance; 7 stagnates (2, 1): crowding; 8 progresses (2, 0);
    // 9 stagnates (2, 1): crowding.
    assert_eq!(parents(SecondaryHeuristic::Adaptive), [1, 1, 100, 100, 1, 1, 1, 100, 100, 100]);
}
