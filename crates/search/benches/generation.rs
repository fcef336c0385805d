//! The work on a test outside its execution: ranking, fitness, archive, and a whole generation with an executor that
//! plays back runs made before.
//!
//! "whole search" is the search of a landscape of 4,000 goals nearly all of which are covered soon, and of one of 5,000
//! goals of which 1,200 stay open: what it costs a test outside its execution when it has settled.
//!
//! In all others, a class of 100 methods with 5 nested branches each: 1,000 goals, about 500 of them targets at once, since nothing
//! that the runs do covers the inner ones. "sparse" runs enter a tenth of the methods, "dense" runs all of them.

#[path = "../tests/all/landscape/mod.rs"]
mod landscape;

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ::criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use bytecode::instruction::InstructionIndex;
use bytecode::probe_map::{
    Branch, BranchKind, Evidence, MethodProbes, Outcome as MapOutcome, OutcomeId, ProbeId, ProbeMap,
};
use coverage::criterion::goals as goals_of;
use coverage::distance::Normalization;
use coverage::fitness::{FitnessFunction, FitnessVector};
use coverage::goal::GoalSet;
use coverage::goal_graph::GoalGraph;
use fixedbitset::FixedBitSet;
use landscape::{Comparison, FakeExecutor, IntSource, Landscape, Node, Operand, if_equal, method};
use search::archive::Archive;
use search::budget::{Budget, Limit};
use search::chromosome::{RunSummary, TestCaseChromosome};
use search::context::SearchEnvironment;
use search::operators::ranking::Ranking;
use search::options::SearchOptions;
use search::phase::Phase;
use search::search::{Search, SearchRequest};
use search::source::TestSource;
use testcase::assertion::ObservationPoint;
use testcase::cluster::TestCluster;
use testcase::execution::{
    ComparisonOperand, ExecutionResult, ExecutionTrace, Executor, Observations, Outcome, Touched,
};
use testcase::random::Random;
use testcase::run_request::RunRequest;
use testcase::statement::Statement;
use testcase::test_case::TestCase;
use testcase::value::Value;

const METHODS: u32 = 100;
const BRANCHES: u32 = 5;
const PROBES: usize = (METHODS * (BRANCHES + 1)) as usize;
const OUTCOMES: usize = (METHODS * BRANCHES * 2) as usize;

/// Generations until a whole search is looked at.
const SETTLED: u64 = 400;

/// Targets of the wide case, and the fitness of a run that is as far away as can be.
const WIDE: usize = 5_000;
const WORST: f64 = 9.0;

fn class() -> [ProbeMap; 1] {
    let methods = (0..METHODS).map(|method| MethodProbes {
        branches: (0..BRANCHES).map(|branch| nested_branch(method, branch)).collect(),
        ..MethodProbes::new(format!("method{method}"), "()V", ProbeId(method * (BRANCHES + 1)))
    });
    [ProbeMap { class: "Bench".into(), hash: 0, methods: methods.collect(), skipped: Vec::new() }]
}

fn nested_branch(method: u32, branch: u32) -> Branch {
    let first = (method * BRANCHES + branch) * 2;
    let outcome = |id| MapOutcome {
        id: OutcomeId(id),
        keys: Vec::new(),
        is_goal: true,
        covered_by: vec![Evidence::Taken(OutcomeId(id))],
    };
    Branch {
        instruction: InstructionIndex(branch),
        line: None,
        probe: ProbeId(method * (BRANCHES + 1) + branch + 1),
        kind: BranchKind::Integer,
        outcomes: vec![outcome(first), outcome(first + 1)],
        controlled_by: if branch == 0 { Vec::new() } else { vec![OutcomeId(first - 2)] },
        in_loop: false,
    }
}

/// A run that enters some of the methods, each up to a random depth. The innermost outcome is never taken.
fn record(trace: &mut ExecutionTrace, entered: f64, random: &mut Random) {
    for method in 0..METHODS {
        if !random.chance(entered) {
            continue;
        }
        trace.record_hits(ProbeId(method * (BRANCHES + 1)), 1);
        let depth = 1 + random.below(BRANCHES as usize) as u32;
        for branch in 0..depth {
            trace.record_hits(ProbeId(method * (BRANCHES + 1) + branch + 1), 1);
            let first = (method * BRANCHES + branch) * 2;
            let goes_on = branch + 1 < depth;
            let distance = (1 + random.below(1000)) as f64;
            let (inward, outward) = if goes_on { (0.0, distance) } else { (distance, distance) };
            trace.record_distance(OutcomeId(first), inward);
            trace.record_distance(OutcomeId(first + 1), outward);
        }
    }
}

fn results(entered: f64) -> Vec<ExecutionResult> {
    let mut random = Random::new(1, 0);
    let mut results = vec![ExecutionResult::new(PROBES, OUTCOMES); 256];
    for result in &mut results {
        record(&mut result.trace, entered, &mut random);
    }
    results
}

fn test(length: usize, number: i32) -> TestCase {
    let statement = Statement::Primitive { value: Value::Int(number), boxed: false };
    TestCase::new(vec![statement; length])
}

/// Plays back runs.
struct Player {
    results: Vec<ExecutionResult>,
    next: usize,
}

impl Executor for Player {
    fn execute(&mut self, test: &TestCase, _: &RunRequest, result: &mut ExecutionResult) {
        self.next = (self.next + 1) % self.results.len();
        let played = &self.results[self.next].trace;
        result.trace.clear();
        for &probe in played.touched() {
            result.trace.record_hits(probe, 1);
        }
        for &outcome in played.reached() {
            result.trace.record_distance(outcome, played.distance(outcome));
        }
        result.executed = test.len();
        result.touched = Touched::default();
        result.outcome = Outcome::Passed;
    }

    fn observe(&mut self, _: &TestCase, points: &[ObservationPoint]) -> Observations {
        Observations { outcome: Outcome::Passed, values: vec![None; points.len()] }
    }
}

/// Makes tests at no cost worth mentioning.
struct Cheap {
    number: i32,
}

impl Cheap {
    fn change(&mut self, test: &mut TestCase) -> bool {
        self.number += 1;
        *test = self::test(5 + (self.number as usize * 7) % 30, self.number);
        true
    }
}

impl TestSource for Cheap {
    fn random_test(&mut self, _: &mut Random) -> TestCase {
        let mut test = TestCase::default();
        self.change(&mut test);
        test
    }

    fn mutate(&mut self, test: &mut TestCase, _: usize, _: &mut Random) -> bool {
        self.change(test)
    }

    fn append(&mut self, test: &mut TestCase, _: &TestCase, _: usize, _: &mut Random) -> bool {
        self.change(test)
    }

    fn insert_random(&mut self, test: &mut TestCase, _: usize, _: &mut Random) -> bool {
        self.change(test)
    }

    fn remove_unused(&mut self, _: &mut TestCase) {}

    fn set_call_weights(&mut self, _: &[f64]) {}

    fn set_open_branches(&mut self, _: &FixedBitSet) {}

    fn observe(&mut self, _: &[ComparisonOperand]) {}
}

fn setting() -> (GoalSet, GoalGraph) {
    let maps = class();
    let goals = goals_of(&["branch"], &maps).expect("the criterion is in the table");
    let graph = GoalGraph::new(&maps, &goals, true);
    (goals, graph)
}

fn population(
    count: usize,
    entered: f64,
    function: &mut FitnessFunction,
    goals: &GoalSet,
) -> Vec<TestCaseChromosome> {
    let objectives = function.objectives(goals.ids().filter(|goal| goal.0 % 2 == 0));
    let results = results(entered);
    let individual = |number: usize| {
        let mut fitness = FitnessVector::default();
        let result = &results[number];
        function.evaluate(&result.trace, &objectives, &[], &mut fitness);
        let test = test(number % 40, number as i32);
        TestCaseChromosome::new(number as u64, test, fitness, RunSummary::default())
    };
    (0..count).map(individual).collect()
}

fn ranking(criterion: &mut Criterion) {
    let (goals, graph) = setting();
    let mut function = FitnessFunction::new(&goals, &graph, Normalization::Ordinal);
    let mut group = criterion.benchmark_group("ranking of 100 tests by 500 targets, per offspring");
    group.throughput(Throughput::Elements(50));
    for (name, entered) in [("sparse", 0.1), ("dense", 1.0)] {
        let population = population(100, entered, &mut function, &goals);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let ranking = Ranking::new(&population);
                let fronts = ranking.preference_sorting(50);
                for front in &fronts {
                    black_box(ranking.subvector_dominance(front, |_| false));
                }
            });
        });
        group.bench_function(format!("{name}, without the first front"), |bencher| {
            bencher.iter(|| {
                let ranking = Ranking::new(&population);
                let fronts = ranking.nondominated_fronts((0..population.len()).collect(), 50);
                for front in &fronts {
                    black_box(ranking.subvector_dominance(front, |_| false));
                }
            });
        });
    }
}

/// That many tests, numbered from `first`, that reached some of 5,000 targets: all of them in a tenth of the methods.
fn wide_tests(first: usize, count: usize, reached: f64) -> Vec<TestCaseChromosome> {
    let mut random = Random::new(first as u64, 0);
    let individual = |number: usize| {
        let mut values = vec![WORST; WIDE];
        for method in values.chunks_mut(BRANCHES as usize) {
            if random.chance(reached) {
                method.fill_with(|| random.unit() * WORST);
            }
        }
        let test = test(number % 40, number as i32);
        TestCaseChromosome::new(number as u64, test, FitnessVector::of(values, WORST), RunSummary::default())
    };
    (first..first + count).map(individual).collect()
}

/// Parents as a ranking left them, and as many offspring that were not ranked yet, in front of them.
fn wide_union(reached: f64) -> Vec<TestCaseChromosome> {
    let mut parents = wide_tests(100, 100, reached);
    let front: Vec<usize> = (0..parents.len()).collect();
    let crowding = Ranking::new(&parents).subvector_dominance(&front, |_| false);
    for (parent, crowding) in parents.iter_mut().zip(crowding) {
        (parent.rank, parent.crowding) = (0, crowding);
    }
    let mut union = wide_tests(0, 100, reached);
    union.append(&mut parents);
    union
}

/// One generation of ranking for a class with 5,000 open goals and a population of 100: fronts and order within them.
fn wide_ranking(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ranking of 200 tests by 5,000 targets, a generation");
    for (name, reached) in [("sparse", 0.1), ("dense", 1.0)] {
        let population = wide_union(reached);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let ranking = Ranking::new(&population);
                for front in &ranking.preference_sorting(100) {
                    black_box(ranking.subvector_dominance(front, |_| false));
                }
            });
        });
        group.bench_function(format!("{name}, parents counted on"), |bencher| {
            bencher.iter(|| {
                let ranking = Ranking::new(&population);
                for front in &ranking.preference_sorting(100) {
                    black_box(ranking.subvector_dominance(front, |individual| individual.rank == 0));
                }
            });
        });
        group.bench_function(format!("{name}, fronts alone"), |bencher| {
            bencher.iter(|| black_box(Ranking::new(&population).preference_sorting(100)));
        });
    }
}

fn fitness(criterion: &mut Criterion) {
    let (goals, graph) = setting();
    let mut function = FitnessFunction::new(&goals, &graph, Normalization::Ordinal);
    let objectives = function.objectives(goals.ids().filter(|goal| goal.0 % 2 == 0));
    let mut group = criterion.benchmark_group("one test");
    for (name, entered) in [("sparse", 0.1), ("dense", 1.0)] {
        let results = results(entered);
        let mut vector = FitnessVector::default();
        let mut next = 0;
        group.bench_function(format!("fitness for 500 targets, {name}"), |bencher| {
            bencher.iter(|| {
                next = (next + 1) % results.len();
                function.evaluate(&results[next].trace, &objectives, &[], &mut vector);
                black_box(vector.reached_number())
            });
        });
        group.bench_function(format!("archive, {name}"), |bencher| {
            let mut archive = Archive::new(goals.len(), false);
            for result in &results {
                archive.update(&goals, &test(1, 0), result);
            }
            let longer = test(2, 0);
            bencher.iter(|| {
                next = (next + 1) % results.len();
                black_box(archive.update(&goals, &longer, &results[next]).is_some())
            });
        });
        group.bench_function(format!("summary, {name}"), |bencher| {
            bencher.iter(|| {
                next = (next + 1) % results.len();
                black_box(RunSummary::new(&results[next], graph.methods()))
            });
        });
    }
}

fn generation(criterion: &mut Criterion) {
    let (goals, graph) = setting();
    let cluster = TestCluster::default();
    let mut group = criterion.benchmark_group("generation of 50 tests, played back");
    group.throughput(Throughput::Elements(50));
    for (name, entered) in [("sparse", 0.1), ("dense", 1.0)] {
        let mut player = Player { results: results(entered), next: 0 };
        let mut source = Cheap { number: 0 };
        let mut random = Random::new(1, 0);
        let mut budget = Budget::new(Limit::Executions(u64::MAX), Arc::new(AtomicBool::new(false)));
        let maps = class();
        let request = SearchRequest {
            algorithm: "dynamosa",
            goals: goals.clone(),
            maps: &maps,
            graph: &graph,
            cluster: &cluster,
            probes: PROBES,
            outcomes: OUTCOMES,
            seeds: Vec::new(),
            test_searches: Vec::new(),
            options: SearchOptions::default(),
        };
        let mut search = Search::new(request).expect("the algorithm is in the table");
        let mut step = || {
            let mut environment = SearchEnvironment {
                executor: &mut player,
                source: &mut source,
                random: &mut random,
                budget: &mut budget,
                events: &mut |_| (),
            };
            search.step(&mut environment)
        };
        for _ in 0..50 {
            step();
        }
        group.bench_function(name, |bencher| bencher.iter_batched(|| (), |()| step(), BatchSize::SmallInput));
        print_phases(name, &search);
    }
}

/// The figures that the benchmark is for: time by phase, and all but the execution.
#[expect(clippy::print_stdout, reason = "they are for who runs it")]
fn print_phases(name: &str, search: &Search<'_>) {
    let phases = search.phases();
    let mut outside = 0.0;
    for phase in Phase::ALL {
        let microseconds = phases.microseconds_per_test(phase);
        println!("{name}: {} {microseconds:.2} µs a test", phase.name());
        outside += if phase == Phase::Execution { 0.0 } else { microseconds };
    }
    println!("{name}: outside execution {outside:.2} µs a test");
}

/// A class of 4,000 goals of which a few conditions that are hard to meet stay open.
fn nearly_covered() -> Landscape {
    let wide = |limit: i64| {
        let then = vec![Node::Line, Node::Line, Node::Line];
        Node::If(Operand::Argument(0), Comparison::Less, Operand::Constant(limit), then, vec![Node::Line])
    };
    let body = |number: i64| {
        let mut body: Vec<Node> = (0..5).map(|index| wide(500 * (index - 2) + number)).collect();
        body.extend(vec![Node::Line; 8]);
        body.push(if_equal(1, 1_000_000_000 + number, vec![]));
        body
    };
    hundred_methods(body)
}

/// A class of 5,000 goals of which 1,200 stay open: the searches for them compete.
fn largely_open() -> Landscape {
    let narrow = |index: usize| {
        let side = if index.is_multiple_of(2) { 1 } else { -1 };
        if_equal(index % 3, side * (1_000_000_000 + index as i64), vec![])
    };
    let body = |_: i64| {
        let mut body: Vec<Node> = (0..12).map(narrow).collect();
        body.extend(vec![Node::Line; 26]);
        body
    };
    hundred_methods(body)
}

fn hundred_methods(body: impl Fn(i64) -> Vec<Node>) -> Landscape {
    let name = |number| &*String::leak(format!("method{number}"));
    let methods = (0..100).map(|number| method(name(number), 3, body(number)));
    Landscape::new(&["branch", "line"], methods.collect())
}

/// Steps of a search that has settled, and where their time goes.
fn whole_search(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("whole search, a generation of 50 tests");
    group.throughput(Throughput::Elements(50)).sample_size(20);
    for (name, landscape) in [("4,000 goals", nearly_covered()), ("5,000 goals, 1,200 open", largely_open())]
    {
        let graph = landscape.graph(true);
        let mut executor = FakeExecutor::new(&landscape);
        let mut source = IntSource::new(&landscape);
        source.has_pool = false;
        let mut random = Random::new(1, 0);
        let mut budget = Budget::new(Limit::Executions(u64::MAX), Arc::new(AtomicBool::new(false)));
        let request = landscape.request("dynamosa", &graph, SearchOptions::default());
        let mut search = Search::new(request).expect("the algorithm is in the table");
        let mut events = 0_u64;
        let mut step = || {
            let mut environment = SearchEnvironment {
                executor: &mut executor,
                source: &mut source,
                random: &mut random,
                budget: &mut budget,
                events: &mut |_| events += 1,
            };
            search.step(&mut environment)
        };
        for _ in 0..SETTLED {
            step();
        }
        let mut steps = 0_u64;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                steps += 1;
                step()
            });
        });
        let (goals, covered) = (search.goals().len(), search.archive().covered().len());
        let (targets, events) = (search.targets().len(), events as f64 / (SETTLED + steps) as f64);
        #[expect(clippy::print_stdout, reason = "they are for who runs it")]
        {
            println!("{name}: {covered} of {goals} covered, {targets} targets, {events:.2} events a step");
        }
        print_phases(name, &search);
    }
}

criterion_group!(benches, ranking, wide_ranking, fitness, generation, whole_search);
criterion_main!(benches);
