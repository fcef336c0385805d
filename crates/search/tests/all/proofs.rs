//! What the papers claim of their algorithms, on landscapes made for each claim: 20 seeds each, compared by Mann-Whitney
//! U test and Vargha-Delaney A12. Each runs with the options of its paper, and what differs from them is said. Landscapes and
//! budgets were chosen with seeds 0 to 29, which nothing here uses.

#![expect(clippy::print_stdout, reason = "the figures belong to the proof")]

use crate::landscape;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::landscape::{
    Comparison as Compare, FakeExecutor, IntSource, Landscape, Node, Operand, Setup, if_equal, method, setup,
};
use coverage::goal::GoalId;
use search::context::SearchEnvironment;
use search::event::SearchEvent;
use search::options::{ADynamosaOptions, LocalBudget, LocalSearchOptions, SearchOptions, SecondaryHeuristic};
use search::performance::{Proxies, ProxyTable};
use search::search::{Search, SearchResult, StepOutcome};
use statistics::{Comparison, a12, mann_whitney, median};
use testcase::execution::{ExecutionResult, Executor};
use testcase::random::Random;
use testcase::run_request::RunRequest;

const SEEDS: Range<u64> = 1_000..1_020;

/// A measure of each seed's result.
fn sample(landscape: &Landscape, setup: &Setup<'_>, measure: impl Fn(&SearchResult) -> f64) -> Vec<f64> {
    SEEDS.map(|seed| measure(&landscape.search(Setup { seed, ..setup.clone() }))).collect()
}

/// The set-up of paper 004: that of the papers on the other algorithms as well, as far as landscapes have options.
fn paper(algorithm: &str, executions: u64) -> Setup<'_> {
    Setup { options: SearchOptions::paper_004(), call_dependences: false, ..setup(algorithm, executions) }
}

/// Number of covered goals.
fn covered(result: &SearchResult) -> f64 {
    result.archive.covered().len() as f64
}

fn compare(landscape: &Landscape, a: &Setup<'_>, b: &Setup<'_>) -> Comparison {
    Comparison::new(&sample(landscape, a, covered), &sample(landscape, b, covered))
}

#[test]
fn the_statistics_are_those_of_the_textbook() {
    let (low, high) = ([1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0]);
    assert_eq!((a12(&low, &high), a12(&high, &low), a12(&low, &low)), (0.0, 1.0, 0.5));
    // U = 0, mean 12.5, deviation 4.787: z = 2.507.
    assert!((mann_whitney(&low, &high) - 0.012_19).abs() < 1e-4);
    assert_eq!((mann_whitney(&low, &low), mann_whitney(&[1.0; 4], &[1.0; 4])), (1.0, 1.0));
    assert_eq!((median(&low), median(&[4.0, 1.0])), (3.0, 2.5));
}

/// Conditions in one another, `depth` deep, on changing arguments: each guards the next.
fn nest(first: i64, depth: usize, argument: usize) -> Node {
    let inner = if depth > 1 { vec![nest(first + 1, depth - 1, argument + 1)] } else { vec![Node::Line] };
    if_equal(argument % 3, first * 97 % 3000 - 1500, inner)
}

#[test]
fn dynamosa_has_fewer_objectives_than_mosa_in_every_generation() {
    // 004 §3.2.3. That both select the same is in `equivalence.rs`.
    let body = (0..6).map(|index| nest(index * 31, 4, index as usize)).collect();
    let landscape = Landscape::new(&["branch"], vec![method("run", 3, body)]);
    let graph = landscape.graph(false);
    for (algorithm, is_dynamic) in [("dynamosa", true), ("mosa", false)] {
        let mut search =
            Search::new(landscape.request(algorithm, &graph, SearchOptions::paper_004())).unwrap();
        let (mut random, mut budget) = (Random::new(1_000, 0), landscape::budget(5_000));
        let mut executor = FakeExecutor::new(&landscape);
        let mut source = IntSource::new(&landscape);
        source.has_pool = false;
        let mut generations = 0;
        loop {
            let mut environment = SearchEnvironment {
                executor: &mut executor,
                source: &mut source,
                random: &mut random,
                budget: &mut budget,
                events: &mut |_| (),
            };
            let outcome = search.step(&mut environment);
            let uncovered = landscape.goals.ids().filter(|&goal| !search.archive().is_covered(goal)).count();
            if outcome != StepOutcome::Running {
                break;
            }
            generations += 1;
            let targets = search.targets().len();
            if is_dynamic {
                assert!(targets < uncovered, "{targets} of {uncovered} in generation {generations}");
            } else {
                assert_eq!(targets, uncovered, "generation {generations}");
            }
        }
        assert!(generations > 50);
    }
}

/// Goals that some run covered and that are not in the result.
fn lost(landscape: &Landscape, setup: &Setup<'_>) -> f64 {
    struct Watching<'a> {
        executor: FakeExecutor<'a>,
        landscape: &'a Landscape,
        seen: BTreeSet<GoalId>,
    }
    impl Executor for Watching<'_> {
        fn execute(
            &mut self,
            test: &testcase::test_case::TestCase,
            request: &RunRequest,
            result: &mut ExecutionResult,
        ) {
            self.executor.execute(test, request, result);
            self.landscape.goals.for_each_covered(&result.trace, |goal| {
                self.seen.insert(goal);
            });
        }

        fn observe(
            &mut self,
            test: &testcase::test_case::TestCase,
            points: &[testcase::assertion::ObservationPoint],
        ) -> testcase::execution::Observations {
            self.executor.observe(test, points)
        }
    }
    let executor = FakeExecutor::new(landscape);
    let mut watching = Watching { executor, landscape, seen: BTreeSet::new() };
    let mut source = IntSource::new(landscape);
    source.has_pool = false;
    let result = landscape.search_on(setup.clone(), &mut watching, &mut source, &mut |_| ());
    watching.seen.iter().filter(|&&goal| !result.archive.is_covered(goal)).count() as f64
}

#[test]
fn ws_loses_a_good_test_inside_a_bad_suite_and_wsa_keeps_it() {
    // 004 §6.1. Narrow conditions of many methods: no suite holds all that suites find.
    let methods = ["a", "b", "c", "d", "e", "f"];
    let body =
        |index: usize| (0..6).map(|number| nest((7 * number + index) as i64, 2, number)).collect::<Vec<_>>();
    let methods = methods.into_iter().enumerate().map(|(index, name)| method(name, 3, body(index)));
    let landscape = Landscape::new(&["branch"], methods.collect());
    let lost = |algorithm| -> Vec<f64> {
        SEEDS.map(|seed| lost(&landscape, &Setup { seed, ..paper(algorithm, 3_000) })).collect()
    };
    let (ws, wsa) = (lost("ws"), lost("wsa"));
    assert_eq!(wsa, [0.0; 20]);
    let losses = Comparison::new(&ws, &wsa);
    let found = compare(&landscape, &paper("wsa", 3_000), &paper("ws", 3_000));
    println!("ws loses, wsa: {losses:?}; coverage of wsa, ws: {found:?}");
    assert!(losses.medians.0 >= 1.0 && losses.is_larger(), "{losses:?}");
    assert!(found.is_larger(), "{found:?}");
    // Losses are told as they happen.
    let mut events = 0;
    landscape.search_with(
        Setup { seed: 1_000, ..paper("ws", 3_000) },
        &mut IntSource::new(&landscape),
        &mut |event| {
            events += usize::from(matches!(event, SearchEvent::Uncovered { .. }));
        },
    );
    assert!(events > 0);
}

/// Conditions side by side that every run evaluates: no test dominates another.
fn many_objectives(count: i64) -> Landscape {
    let body = (0..count).map(|index| if_equal(index as usize % 3, 6_000 + 37 * index, vec![]));
    Landscape::new(&["branch"], vec![method("run", 3, body.collect())])
}

/// As [`paper`], with a population that holds the first front: the best test of each target. Where it does not, a paper's
/// listing takes the first front alone, with and without ranking the others.
fn roomy(algorithm: &str, population: usize, executions: u64) -> Setup<'_> {
    let options = SearchOptions { population, ..SearchOptions::paper_004() };
    Setup { options, ..paper(algorithm, executions) }
}

#[test]
fn the_preference_criterion_resists_what_dominance_does_not() {
    // 004 §3.2.2 and Figure 2.
    let landscape = many_objectives(40);
    let best = roomy("dynamosa", 50, 4_000);
    for other in ["nsga2", "dynamosa-rank"] {
        let comparison = compare(&landscape, &best, &roomy(other, 50, 4_000));
        println!("dynamosa, {other}: {comparison:?}");
        assert!(comparison.is_larger() && comparison.a12 > 0.9, "{other}: {comparison:?}");
    }
}

#[test]
fn preference_alone_holds_up_when_targets_are_very_many() {
    // 004 §5.4: ranking the others gains nothing.
    let landscape = many_objectives(80);
    let full = sample(&landscape, &roomy("dynamosa", 100, 5_000), covered);
    let found = sample(&landscape, &roomy("dynamosa-pref", 100, 5_000), covered);
    let same = found.iter().zip(&full).filter(|(alone, full)| alone == full).count();
    let full = Comparison::new(&found, &full);
    let rank = sample(&landscape, &roomy("dynamosa-rank", 100, 5_000), covered);
    let rank = Comparison::new(&found, &rank);
    println!("dynamosa-pref, dynamosa: {full:?}, {same} equal; dynamosa-pref, dynamosa-rank: {rank:?}");
    // Both fronts have room, so that they are not the same search under two names.
    assert!(same < found.len(), "{full:?}");
    assert!(!full.is_smaller(), "{full:?}");
    assert!(rank.is_larger() && rank.a12 > 0.7, "{rank:?}");
}

/// Conditions of several methods that only their gradients lead to, beside as many that cannot be met and always look near.
fn feasible_and_not(count: i64) -> Landscape {
    let names = ["a", "b", "c", "d"];
    let body = |method: i64| {
        let pair = |index: i64| {
            let (argument, constant) = (index as usize % 3, 4_000 + 150 * index + 20 * method);
            // Within `x == c`, `x == c + 1` stays open at a distance of 1.
            let never = if_equal(argument, constant, vec![if_equal(argument, constant + 1, vec![])]);
            [if_equal(argument, 7_500 + 37 * index + 200 * method, vec![]), never]
        };
        (0..count).flat_map(pair).collect::<Vec<_>>()
    };
    let methods = names.into_iter().zip(0..).map(|(name, number)| method(name, 3, body(number)));
    Landscape::new(&["branch"], methods.collect())
}

#[test]
fn mio_is_not_held_up_by_targets_that_cannot_be_covered() {
    // Arcuri 2017 §3 and §4: feedback-directed sampling leaves what does not come nearer, and the budget ends focused.
    let landscape = feasible_and_not(4);
    let best = paper("mio", 8_000);
    for other in ["random", "wsa"] {
        let comparison = compare(&landscape, &best, &paper(other, 8_000));
        println!("mio, {other}: {comparison:?} of {}", landscape.goals.len());
        assert!(comparison.is_larger() && comparison.a12 > 0.7, "{other}: {comparison:?}");
    }
}

/// Comparisons with numbers that no gradient leads to within the budget, some behind a switch, in a method that also runs for
/// other code.
fn compared_values() -> Landscape {
    let far = |index: i64| if_equal(index as usize % 3, 1_000_003 * (index + 1), vec![Node::Line]);
    let case = |index: i32| (7_000_000 + 31 * index, vec![far(i64::from(index)), far(i64::from(index) + 5)]);
    let once = Node::If(
        Operand::State(0),
        Compare::Less,
        Operand::Constant(1),
        vec![Node::Add(0, 1), Node::Call("run")],
        vec![],
    );
    let body = vec![once, Node::Switch(Operand::Argument(1), (0..4).map(case).collect()), far(11), far(12)];
    Landscape::new(&["branch", "direct-branch"], vec![method("run", 3, body)])
}

#[test]
fn auto_puts_compared_values_into_inputs_however_the_method_was_reached() {
    // Ours, with our options on both sides.
    let landscape = compared_values();
    let comparison = compare(&landscape, &setup("auto", 4_000), &setup("dynamosa", 4_000));
    println!("auto, dynamosa: {comparison:?} of {}", landscape.goals.len());
    assert!(comparison.is_larger() && comparison.a12 > 0.9, "{comparison:?}");
}

fn with_local_search(setup: Setup<'_>) -> Setup<'_> {
    let local_search = LocalSearchOptions { rate: 1, ..LocalSearchOptions::default() };
    Setup { options: SearchOptions { local_search, ..setup.options }, ..setup }
}

#[test]
fn local_search_finds_numbers_that_evolution_does_not() {
    // Fraser, Arcuri and McMinn 2015, RQ1 and RQ4: what searching numbers adds, here to every row that has targets.
    let landscape = compared_values();
    for algorithm in ["dynamosa", "mosa", "mio", "nsga2"] {
        let (with, without) = (with_local_search(setup(algorithm, 4_000)), setup(algorithm, 4_000));
        let comparison = compare(&landscape, &with, &without);
        println!("{algorithm}: {comparison:?} of {}", landscape.goals.len());
        assert!(comparison.is_larger() && comparison.a12 > 0.9, "{algorithm}: {comparison:?}");
    }
}

/// Deep conditions, in between loops that run as often as an argument says: what is cheap is not what is near.
fn costly() -> Landscape {
    let spin = |argument| Node::Loop(Operand::Argument(argument), 20, 1);
    let far = |constant| {
        let inner = if_equal(1, constant / 2, vec![Node::Line, if_equal(2, constant + 40, vec![Node::Line])]);
        Node::If(
            Operand::Constant(100),
            Compare::Less,
            Operand::Argument(0),
            vec![spin(0), if_equal(0, constant, vec![spin(1), inner])],
            vec![],
        )
    };
    let methods = vec![
        method("a", 3, vec![spin(0), far(900), far(2_200)]),
        method("b", 3, vec![far(1_500), spin(2)]),
        method("c", 3, vec![spin(1), far(3_100), far(700)]),
    ];
    Landscape::new(&["branch", "line"], methods)
}

/// Instructions that the tests of a result execute.
fn cost(landscape: &Landscape, result: &SearchResult) -> f64 {
    let graph = landscape.graph(true);
    let table = ProxyTable::new(graph.methods());
    let mut executor = FakeExecutor::new(landscape);
    let mut run = ExecutionResult::new(landscape.probes, landscape.outcomes);
    let mut sum = 0.0;
    for (archived, _) in result.archive.tests() {
        executor.execute(&archived.test, &RunRequest::default(), &mut run);
        let Proxies([_, _, _, _, instructions, _, _]) =
            table.measure(&archived.test, archived.test.len(), &run.trace);
        sum += instructions;
    }
    sum
}

/// The set-up of paper 003 with a population that the targets outnumber: the first front is cut by what orders it.
fn by_performance(executions: u64, secondary_heuristic: SecondaryHeuristic) -> Setup<'static> {
    let options = SearchOptions {
        population: 20,
        adynamosa: ADynamosaOptions { secondary_heuristic, ..ADynamosaOptions::default() },
        ..SearchOptions::paper_004()
    };
    Setup { options, call_dependences: false, ..setup("adynamosa", executions) }
}

#[test]
fn adynamosa_covers_as_much_at_lower_cost() {
    // 003 §5.1 and §5.3.
    let landscape = costly();
    let adaptive = by_performance(4_000, SecondaryHeuristic::Adaptive);
    let plain = Setup { algorithm: "dynamosa", ..adaptive.clone() };
    let coverage = compare(&landscape, &adaptive, &plain);
    let price = |setup: &Setup<'_>| sample(&landscape, setup, |result| cost(&landscape, result));
    let costs = Comparison::new(&price(&adaptive), &price(&plain));
    println!("coverage of adynamosa, dynamosa: {coverage:?}; cost: {costs:?}");
    assert!(!coverage.is_smaller(), "{coverage:?}");
    assert!(costs.is_smaller(), "{costs:?}");
}

/// Targets that cannot be covered, each with a cheap test of its own that is nearest, beside counters that take long
/// sequences of costly calls.
fn sequences() -> Landscape {
    // Within `x == c`, `x == c + 1` stays open at a distance of 1.
    let dead_end = |index: i64| {
        let (argument, constant) = (index as usize % 3, 120 * index - 1_400);
        if_equal(argument, constant, vec![if_equal(argument, constant + 1, vec![])])
    };
    let above =
        |slot, least| Node::If(Operand::Constant(least), Compare::Less, Operand::State(slot), vec![], vec![]);
    let mut body: Vec<Node> = (0..24).map(dead_end).collect();
    body.extend((0..3).flat_map(|slot| (1..8).map(move |step| above(slot, 4 * step))));
    let mut methods = vec![method("run", 3, body)];
    for (slot, name) in ["push0", "push1", "push2"].into_iter().enumerate() {
        methods.push(method(name, 0, vec![Node::Add(slot, 1), Node::Loop(Operand::Constant(50), 10, 1)]));
    }
    methods.push(method("clear", 0, (0..3).map(|slot| Node::Add(slot, -2)).collect()));
    Landscape::new(&["branch"], methods)
}

#[test]
fn the_performance_heuristic_always_on_loses_coverage() {
    // 003 §5.4: cheap tests survive, and what takes an expensive one is never reached. Here the adaptive algorithm is no
    // better: its generations hardly ever count as stagnating, since of so many targets one is often better by chance.
    let landscape = sequences();
    let always = by_performance(6_000, SecondaryHeuristic::Performance);
    let plain = Setup { algorithm: "dynamosa", ..always.clone() };
    let lost = compare(&landscape, &always, &plain);
    println!("coverage always on, dynamosa: {lost:?}");
    assert!(lost.is_smaller(), "{lost:?}");
}

/// A counter that takes ever longer sequences of costly calls, beside targets that cannot be covered: each has a call of
/// its own that is cheap and as near as any other. At these the best value of every generation is the same.
fn starved() -> Landscape {
    let cheap = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11"];
    let dead_end = || Node::If(Operand::Constant(1), Compare::Equal, Operand::Constant(2), vec![], vec![]);
    let mut methods: Vec<_> = cheap.into_iter().map(|name| method(name, 0, vec![dead_end()])).collect();
    let above = |least: i64, inner| {
        Node::If(Operand::Constant(least), Compare::Less, Operand::State(0), inner, vec![])
    };
    let deepest = above(20, vec![]);
    let counter = (1..10).rev().fold(deepest, |inner, step| above(2 * step, vec![inner]));
    methods.push(method("run", 0, vec![counter]));
    methods.push(method("push", 0, vec![Node::Add(0, 1), Node::Loop(Operand::Constant(50), 10, 1)]));
    methods.push(method("clear", 0, vec![Node::Add(0, -2)]));
    Landscape::new(&["branch"], methods)
}

#[test]
fn switched_by_stagnation_the_performance_heuristic_keeps_coverage_that_it_loses_always_on() {
    // 003 §3.2.2, §5.1 and §5.4.
    let landscape = starved();
    let of = |secondary_heuristic| {
        let options = SearchOptions {
            adynamosa: ADynamosaOptions { secondary_heuristic, ..ADynamosaOptions::default() },
            ..SearchOptions::paper_004()
        };
        Setup { options, call_dependences: false, ..setup("adynamosa", 8_000) }
    };
    let plain = Setup { algorithm: "dynamosa", ..of(SecondaryHeuristic::CrowdingDistance) };
    let plain = sample(&landscape, &plain, covered);
    let lost = Comparison::new(&sample(&landscape, &of(SecondaryHeuristic::Performance), covered), &plain);
    let kept = Comparison::new(&sample(&landscape, &of(SecondaryHeuristic::Adaptive), covered), &plain);
    println!("coverage always on, dynamosa: {lost:?}; adaptive, dynamosa: {kept:?}");
    assert!(lost.is_smaller() && lost.a12 < 0.1, "{lost:?}");
    assert!(!kept.is_smaller(), "{kept:?}");
}

#[test]
fn the_memetic_algorithm_finds_numbers_that_the_search_under_it_does_not() {
    // Fraser, Arcuri and McMinn 2015, RQ1: MA against the GA, as in its set-up, with a budget of local search in executions.
    let landscape = compared_values();
    let in_profile = |algorithm| {
        let options = SearchOptions::paper_000();
        let budget = LocalBudget::Executions(500);
        let local_search = LocalSearchOptions { budget, probability: 0.2, ..options.local_search.clone() };
        Setup { options: SearchOptions { local_search, ..options }, ..setup(algorithm, 12_000) }
    };
    let comparison = compare(&landscape, &in_profile("ma"), &in_profile("ws"));
    println!("ma, ws: {comparison:?} of {}", landscape.goals.len());
    assert!(comparison.is_larger() && comparison.a12 > 0.9, "{comparison:?}");
}
