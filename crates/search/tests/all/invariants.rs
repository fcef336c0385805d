//! What holds for every search: of its events, its archive, its budget, and of two runs with one seed.

use crate::landscape;
use crate::landscape::{FakeExecutor, IntSource, Landscape, Node, Setup, if_equal, method, private, setup};
use coverage::goal::GoalId;
use search::algorithm::{ALGORITHMS, ArchivePolicy};
use search::archive::{Archive, ArchivedTest};
use search::event::{Progress, SearchEvent};
use search::options::SearchOptions;
use search::search::SearchResult;
use testcase::execution::{ExecutionResult, Executor};
use testcase::run_request::RunRequest;
use testcase::test_case::TestCase;

/// Every row of the table.
fn algorithms() -> impl Iterator<Item = &'static str> {
    ALGORITHMS.iter().map(|row| row.name)
}

fn landscape() -> Landscape {
    Landscape::new(&["branch", "line"], methods())
}

/// As [`landscape`], with what cannot be covered: no search is over before its budget is.
fn endless() -> Landscape {
    let mut methods = methods();
    methods.push(method("never", 1, vec![if_equal(0, 5, vec![if_equal(0, 6, vec![Node::Line])])]));
    Landscape::new(&["branch", "line"], methods)
}

fn methods() -> Vec<landscape::MethodOf> {
    vec![
        method(
            "run",
            3,
            vec![Node::Line, if_equal(0, 30, vec![if_equal(1, -50, vec![Node::Call("helper")])])],
        ),
        private("helper", 3, vec![if_equal(2, 700, vec![Node::Line, Node::Crash])]),
        method("crash", 1, vec![if_equal(0, 5, vec![Node::Line]), Node::Crash]),
        method("far", 2, vec![if_equal(0, 1_000_000, vec![Node::Line]), if_equal(1, 20, vec![Node::Line])]),
    ]
}

/// An event without what depends on the clock.
#[derive(Debug, PartialEq)]
enum Event {
    Archived(Vec<GoalId>, ArchivedTest, usize, u64),
    Uncovered(Vec<GoalId>, usize, u64),
    Progress(u64, usize, usize, u64),
}

fn record(landscape: &Landscape, setup: Setup<'_>) -> (Vec<Event>, SearchResult) {
    let mut events = Vec::new();
    let result = landscape.search_with(setup, &mut IntSource::new(landscape), &mut |event| {
        events.push(match event {
            SearchEvent::Archived { goals, test, covered, executions } => {
                Event::Archived(goals.to_vec(), test.clone(), covered, executions)
            }
            SearchEvent::Exceptions { .. } => unreachable!("the landscape throws none"),
            SearchEvent::Uncovered { goals, covered, executions } => {
                Event::Uncovered(goals.to_vec(), covered, executions)
            }
            SearchEvent::Progress(Progress { executions, covered, total, generation, .. }) => {
                Event::Progress(executions, covered, total, generation)
            }
        });
    });
    (events, result)
}

#[test]
fn a_seed_gives_the_same_events() {
    let landscape = landscape();
    for algorithm in algorithms() {
        let run = |seed| record(&landscape, Setup { seed, ..setup(algorithm, 3_000) }).0;
        assert_eq!(run(7), run(7));
        assert_ne!(run(7), run(8));
    }
}

#[test]
fn the_archive_is_what_the_events_told() {
    let landscape = landscape();
    for row in ALGORITHMS {
        let (algorithm, collects) = (row.name, row.archive == ArchivePolicy::Collects);
        for seed in 0..5 {
            let (events, result) = record(&landscape, Setup { seed, ..setup(algorithm, 2_000) });
            let mut copy = Archive::new(landscape.goals.len(), false);
            let mut last = (0, 0);
            for event in &events {
                let now = match event {
                    Event::Archived(goals, test, covered, executions) => {
                        assert!(goals.is_sorted() && !goals.is_empty());
                        for &goal in goals {
                            assert!(
                                copy.test(goal).is_none_or(|before| is_better(test, before)) || !collects
                            );
                        }
                        copy.record(goals, test.clone());
                        assert_eq!(copy.covered().len(), *covered);
                        (*executions, *covered)
                    }
                    Event::Uncovered(goals, covered, executions) => {
                        assert!(goals.is_sorted() && !goals.is_empty() && !collects);
                        assert!(goals.iter().all(|&goal| copy.is_covered(goal)));
                        copy.forget(goals);
                        assert_eq!(copy.covered().len(), *covered);
                        (*executions, *covered)
                    }
                    Event::Progress(executions, covered, total, _) => {
                        assert_eq!(*total, landscape.goals.len());
                        (*executions, *covered)
                    }
                };
                assert!(now.0 >= last.0 && (now.1 >= last.1 || !collects), "{now:?} after {last:?}");
                last = now;
            }
            assert_eq!(by_content(&result.archive), by_content(&copy));
            assert_eq!(result.archive.covered(), copy.covered());
        }
    }
}

/// The different tests of an archive with their goals, whether or not two events told of the same one.
fn by_content(archive: &Archive) -> Vec<(ArchivedTest, Vec<GoalId>)> {
    let mut tests: Vec<(ArchivedTest, Vec<GoalId>)> = Vec::new();
    for (test, goals) in archive.tests() {
        match tests.iter_mut().find(|(other, _)| *other == *test) {
            Some((_, all)) => all.extend(goals),
            None => tests.push(((*test).clone(), goals)),
        }
    }
    for (_, goals) in &mut tests {
        goals.sort_unstable();
    }
    tests
}

fn is_better(test: &ArchivedTest, than: &ArchivedTest) -> bool {
    (test.penalty, test.test.len()) < (than.penalty, than.test.len())
}

#[test]
fn archived_tests_cover_their_goals_and_are_valid() {
    let landscape = landscape();
    let result = landscape.search(setup("dynamosa", 3_000));
    let mut executor = FakeExecutor::new(&landscape);
    let mut run = ExecutionResult::new(landscape.probes, landscape.outcomes);
    let tests = result.archive.tests();
    assert!(tests.len() >= 4, "{} tests", tests.len());
    for (archived, goals) in tests {
        check_valid(&archived.test);
        executor.execute(&archived.test, &RunRequest::default(), &mut run);
        assert_eq!(run.outcome, archived.outcome);
        for goal in goals {
            assert!(landscape.goals.goal(goal).is_covered(&run.trace), "{}", landscape.goals.goal(goal));
        }
    }
}

/// Every variable is defined before it is used; at most 40 statements.
fn check_valid(test: &TestCase) {
    assert!(test.len() <= 40);
    for (position, statement) in test.statements().iter().enumerate() {
        statement.for_each_use(|used| assert!(used.index() < position));
    }
}

/// Checks every test before it runs.
struct Checking<'a>(FakeExecutor<'a>);

impl Executor for Checking<'_> {
    fn execute(&mut self, test: &TestCase, request: &RunRequest, result: &mut ExecutionResult) {
        check_valid(test);
        assert!(!test.is_empty());
        self.0.execute(test, request, result);
    }

    fn observe(
        &mut self,
        test: &TestCase,
        points: &[testcase::assertion::ObservationPoint],
    ) -> testcase::execution::Observations {
        self.0.observe(test, points)
    }
}

#[test]
fn every_test_that_is_run_is_valid_and_counted() {
    use search::context::SearchEnvironment;
    use search::search::{Search, StepOutcome};

    let landscape = endless();
    let graph = landscape.graph(true);
    for algorithm in algorithms() {
        let options = setup(algorithm, 0).options;
        let mut search = Search::new(landscape.request(algorithm, &graph, options)).unwrap();
        let mut executor = Checking(FakeExecutor::new(&landscape));
        let mut budget = landscape::budget(1_234);
        let mut source = IntSource::new(&landscape);
        let mut random = testcase::random::Random::new(3, 0);
        let outcome = loop {
            let mut environment = SearchEnvironment {
                executor: &mut executor,
                source: &mut source,
                random: &mut random,
                budget: &mut budget,
                events: &mut |_| (),
            };
            let outcome = search.step(&mut environment);
            if outcome != StepOutcome::Running {
                break outcome;
            }
            // In between, the caller may run tests of its own.
            executor.0.executions -= 1;
            executor.execute(
                &TestCase::new(landscape_test()),
                &RunRequest::default(),
                &mut ExecutionResult::new(99, 99),
            );
        };
        assert_eq!(outcome, StepOutcome::Spent);
        assert_eq!((budget.executions(), executor.0.executions), (1_234, 1_234));
        assert_eq!(search.finish().executions, 1_234);
    }
}

fn landscape_test() -> Vec<testcase::statement::Statement> {
    vec![testcase::statement::Statement::Primitive { value: testcase::value::Value::Int(1), boxed: false }]
}

#[test]
fn a_restart_covers_what_was_covered() {
    let landscape = landscape();
    for algorithm in algorithms() {
        let first = landscape.search(setup(algorithm, 2_000));
        let seeds: Vec<TestCase> =
            first.archive.tests().into_iter().map(|(archived, _)| archived.test.clone()).collect();
        let executions = seeds.len() as u64;
        let second = landscape.search(Setup { seeds, seed: 99, ..setup(algorithm, executions) });
        let mut covered = [first.archive.covered().to_vec(), second.archive.covered().to_vec()];
        for goals in &mut covered {
            goals.sort_unstable();
        }
        assert_eq!(covered[0], covered[1]);
    }
}

/// Asks for a pause after every few runs.
struct Interrupting<'a> {
    executor: FakeExecutor<'a>,
    every: u64,
    stop: std::sync::Arc<std::sync::atomic::AtomicBool>,
}

impl Executor for Interrupting<'_> {
    fn execute(&mut self, test: &TestCase, request: &RunRequest, result: &mut ExecutionResult) {
        self.executor.execute(test, request, result);
        if self.executor.executions.is_multiple_of(self.every) {
            self.stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    }

    fn observe(
        &mut self,
        test: &TestCase,
        points: &[testcase::assertion::ObservationPoint],
    ) -> testcase::execution::Observations {
        self.executor.observe(test, points)
    }
}

#[test]
fn a_search_goes_on_after_a_pause_wherever_it_came() {
    use search::budget::{Budget, Limit};
    use search::context::SearchEnvironment;
    use search::search::{Search, StepOutcome};

    let landscape = endless();
    let graph = landscape.graph(true);
    for (algorithm, every) in algorithms().flat_map(|algorithm| [1, 7, 90].map(|every| (algorithm, every))) {
        let options = setup(algorithm, 0).options;
        let mut search = Search::new(landscape.request(algorithm, &graph, options)).unwrap();
        let stop = std::sync::Arc::<std::sync::atomic::AtomicBool>::default();
        let mut executor =
            Interrupting { executor: FakeExecutor::new(&landscape), every, stop: stop.clone() };
        let mut budget = Budget::new(Limit::Executions(1_500), stop.clone());
        let mut source = IntSource::new(&landscape);
        let mut random = testcase::random::Random::new(3, 0);
        let mut pauses = 0;
        while budget.used() < 1.0 {
            let outcome = search.step(&mut SearchEnvironment {
                executor: &mut executor,
                source: &mut source,
                random: &mut random,
                budget: &mut budget,
                events: &mut |_| (),
            });
            pauses += u64::from(outcome == StepOutcome::Spent);
            assert!(pauses <= 1_500, "{algorithm}: a step without a run");
            stop.store(false, std::sync::atomic::Ordering::Relaxed);
        }
        assert!(pauses > 0, "{algorithm} {every}");
        assert_eq!(budget.executions(), 1_500);
        assert!(!search.archive().covered().is_empty(), "{algorithm} {every}");
    }
}

#[test]
fn a_search_ends_when_everything_is_covered() {
    let easy = Landscape::new(&["branch"], vec![method("run", 1, vec![])]);
    for algorithm in algorithms() {
        let result = easy.search(setup(algorithm, 1_000));
        assert!(result.archive.is_complete());
        // Of a suite all tests run before it is the best.
        let most = if matches!(algorithm, "ws" | "ma" | "hybrid") {
            SearchOptions::default().suites.initial_tests as u64
        } else {
            1
        };
        assert!((1..=most).contains(&result.executions), "{algorithm}: {}", result.executions);
        assert_eq!(result.generations, 1);
        let nothing = Landscape::new(&["line"], vec![method("run", 1, vec![])]);
        assert_eq!(nothing.search(setup(algorithm, 1_000)).executions, 0);
    }
}

#[test]
fn the_smallest_population_still_searches() {
    let landscape = endless();
    for algorithm in algorithms() {
        for population in [0, 1, 2, 3] {
            let options = SearchOptions { population, ..SearchOptions::default() };
            let result = landscape.search(Setup { options, ..setup(algorithm, 200) });
            assert_eq!(result.executions, 200);
        }
    }
}

#[test]
fn covered_methods_are_called_less_often() {
    let methods = vec![
        method("easy", 1, vec![Node::Line]),
        method("setter", 1, vec![Node::Add(0, 1)]),
        method("hard", 1, vec![if_equal(0, 1_000_000, vec![Node::Call("helper")])]),
        private(
            "helper",
            1,
            vec![Node::If(
                landscape::Operand::State(0),
                landscape::Comparison::Less,
                landscape::Operand::Constant(-5),
                vec![],
                vec![],
            )],
        ),
    ];
    let landscape = Landscape::new(&["branch"], methods);
    let mut source = IntSource::new(&landscape);
    source.has_pool = false;
    landscape.search_with(setup("dynamosa", 300), &mut source, &mut |_| ());
    // Four fifths of the draws go to the one that leads to open goals.
    let tenths: Vec<f64> = source.weights.iter().map(|weight| (weight * 10.0).round()).collect();
    assert_eq!(tenths, [1.0, 5.0, 24.0]);
}
