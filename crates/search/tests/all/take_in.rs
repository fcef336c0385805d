//! Tests that other searches of the class found, taken in while a search is under way.

use crate::landscape;
use std::collections::BTreeSet;

use crate::landscape::{FakeExecutor, IntSource, Landscape, Node, Setup, if_equal, method, setup};
use coverage::goal::GoalId;
use search::algorithm::ALGORITHMS;
use search::budget::Budget;
use search::context::SearchEnvironment;
use search::options::{SearchOptions, SuiteOptions};
use search::search::{Search, StepOutcome};
use testcase::cluster::Call;
use testcase::execution::{ExecutionResult, Executor};
use testcase::random::Random;
use testcase::run_request::RunRequest;
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

/// What a search hardly comes to by itself: no gradient leads so far within these budgets.
const FAR: i32 = 1_000_000_000;

/// Needles that only tests from elsewhere find, one per method, and what is found easily.
fn needles(count: usize) -> Landscape {
    const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
    let needle = |name| method(name, 2, vec![if_equal(0, i64::from(FAR), vec![if_equal(1, 300, vec![])])]);
    let easy = method("easy", 1, vec![if_equal(0, 20, vec![Node::Line]), Node::Line]);
    // Its inner condition cannot hold: no search is over before its budget is.
    let never = method("never", 1, vec![if_equal(0, 5, vec![if_equal(0, 6, vec![])])]);
    let methods = NAMES[..count].iter().map(|name| needle(name)).chain([easy, never]);
    Landscape::new(&["branch"], methods.collect())
}

/// A call of the method of that number with these arguments.
fn call(landscape: &Landscape, method: usize, arguments: &[i32]) -> TestCase {
    let Call::Callable(callable) = landscape.cluster.test_calls[method][0] else { panic!("no call") };
    let value = |&value| Statement::Primitive { value: Value::Int(value), boxed: false };
    let mut statements: Vec<Statement> = arguments.iter().map(value).collect();
    let arguments = (0..arguments.len()).map(VarRef::from).collect();
    statements.push(Statement::Method { callable, receiver: None, arguments });
    TestCase::new(statements)
}

/// What a needle is found by.
fn finds(landscape: &Landscape, method: usize) -> TestCase {
    call(landscape, method, &[FAR, 0])
}

/// Notes the tests that are run.
struct Noting<'a> {
    executor: FakeExecutor<'a>,
    run: Vec<TestCase>,
}

impl Executor for Noting<'_> {
    fn execute(&mut self, test: &TestCase, request: &RunRequest, result: &mut ExecutionResult) {
        self.run.push(test.clone());
        self.executor.execute(test, request, result);
    }

    fn observe(
        &mut self,
        test: &TestCase,
        points: &[testcase::assertion::ObservationPoint],
    ) -> testcase::execution::Observations {
        self.executor.observe(test, points)
    }
}

/// A search under way with what it uses.
struct Underway<'a> {
    search: Search<'a>,
    executor: Noting<'a>,
    source: IntSource<'a>,
    random: Random,
    budget: Budget,
}

impl Underway<'_> {
    /// A generation; the tests that it ran.
    fn step(&mut self) -> (StepOutcome, Vec<TestCase>) {
        self.executor.run.clear();
        let outcome = self.search.step(&mut SearchEnvironment {
            executor: &mut self.executor,
            source: &mut self.source,
            random: &mut self.random,
            budget: &mut self.budget,
            events: &mut |_| (),
        });
        (outcome, self.executor.run.clone())
    }

    /// As many generations as it takes to run so many tests; the tests that they ran.
    fn run(&mut self, tests: usize) -> Vec<TestCase> {
        let mut run = Vec::new();
        while run.len() < tests {
            let (outcome, more) = self.step();
            run.extend(more);
            assert!(outcome == StepOutcome::Running || run.len() >= tests, "{outcome:?}");
        }
        run
    }

    fn covered(&self) -> BTreeSet<GoalId> {
        self.search.archive().covered().iter().copied().collect()
    }
}

/// Has a search made of a set-up at hand.
fn with<T>(landscape: &Landscape, setup: Setup<'_>, work: impl FnOnce(&mut Underway<'_>) -> T) -> T {
    let graph = landscape.graph(setup.call_dependences);
    let mut request = landscape.request(setup.algorithm, &graph, setup.options);
    request.seeds = setup.seeds;
    let mut source = IntSource::new(landscape);
    source.has_pool = false;
    work(&mut Underway {
        search: Search::new(request).unwrap(),
        executor: Noting { executor: FakeExecutor::new(landscape), run: Vec::new() },
        source,
        random: Random::new(setup.seed, 0),
        budget: landscape::budget(setup.executions),
    })
}

/// Every row of the table.
fn algorithms() -> impl Iterator<Item = &'static str> {
    ALGORITHMS.iter().map(|row| row.name)
}

/// The goals that a test covers.
fn goals_of(landscape: &Landscape, test: &TestCase) -> BTreeSet<GoalId> {
    let mut result = ExecutionResult::new(landscape.probes, landscape.outcomes);
    FakeExecutor::new(landscape).execute(test, &RunRequest::default(), &mut result);
    landscape.goals.ids().filter(|&goal| landscape.goals.goal(goal).is_covered(&result.trace)).collect()
}

#[test]
fn whatever_the_algorithm_they_run_first_in_order_and_cover_their_goals() {
    let landscape = needles(3);
    let tests = [2, 0, 1].map(|method| finds(&landscape, method));
    for algorithm in algorithms() {
        with(&landscape, setup(algorithm, 20_000), |underway| {
            for _ in 0..3 {
                underway.step();
            }
            let before = underway.covered();
            let found = tests.iter().flat_map(|test| goals_of(&landscape, test));
            let found: BTreeSet<GoalId> = found.collect();
            // The default puts what branches compared into their inputs.
            let is_alone = algorithm != "auto" && found.is_subset(&before);
            assert!(!is_alone, "{algorithm} found the needles by itself");
            // What came first is run first.
            underway.search.take_in(tests[..2].to_vec());
            underway.search.take_in(tests[2..].to_vec());
            assert_eq!(underway.run(3)[..3], tests, "{algorithm}");
            let after = underway.covered();
            assert!(found.is_subset(&after), "{algorithm}: {found:?} of {after:?}");
            assert!(before.is_subset(&after), "{algorithm}: {before:?} of {after:?}");
            // Once.
            assert_ne!(underway.run(3)[..3], tests, "{algorithm}");
        });
    }
}

#[test]
fn before_the_first_generation_they_run_behind_the_seeds() {
    let landscape = needles(3);
    let [first, second, third] = [0, 1, 2].map(|method| finds(&landscape, method));
    for algorithm in algorithms() {
        let seeds = vec![first.clone(), second.clone()];
        with(&landscape, Setup { seeds, ..setup(algorithm, 1_000) }, |underway| {
            underway.search.take_in([third.clone()]);
            let run = underway.run(3);
            assert_eq!(run[..3], [first.clone(), second.clone(), third.clone()], "{algorithm}");
        });
    }
}

#[test]
fn none_change_nothing() {
    let landscape = needles(1);
    for algorithm in algorithms() {
        let run = |takes_in: bool| {
            with(&landscape, setup(algorithm, 600), |underway| {
                let mut all = Vec::new();
                loop {
                    if takes_in {
                        underway.search.take_in([]);
                    }
                    let (outcome, run) = underway.step();
                    all.extend(run);
                    if outcome != StepOutcome::Running {
                        return all;
                    }
                }
            })
        };
        assert_eq!(run(true), run(false), "{algorithm}");
    }
}

#[test]
fn they_count_as_executions_and_take_no_more_than_is_left() {
    let landscape = needles(1);
    let tests = vec![call(&landscape, 0, &[1, 2]); 700];
    for algorithm in algorithms() {
        with(&landscape, setup(algorithm, 600), |underway| {
            underway.step();
            underway.search.take_in(tests.clone());
            while underway.step().0 == StepOutcome::Running {}
            let runs = underway.executor.executor.executions;
            assert_eq!((underway.budget.executions(), runs), (600, 600), "{algorithm}");
        });
    }
}

#[test]
fn offspring_descend_from_them() {
    // Behind the needle a gradient leads on, for whoever has found the needle.
    let landscape = needles(1);
    let behind: Vec<GoalId> = goals_of(&landscape, &call(&landscape, 0, &[FAR, 300])).into_iter().collect();
    // Whole suites take more runs for that than a test of tests may; `auto` needs nobody for it, and the rest breeds nothing.
    for algorithm in ["dynamosa", "adynamosa", "dynamosa-rank", "dynamosa-pref", "mosa", "mio", "nsga2"] {
        let complete = |helped: bool| {
            let of_seed = |seed| {
                with(&landscape, Setup { seed, ..setup(algorithm, 8_000) }, |underway| {
                    underway.step();
                    if helped {
                        underway.search.take_in([finds(&landscape, 0)]);
                    }
                    while underway.step().0 == StepOutcome::Running {}
                    behind.iter().all(|goal| underway.covered().contains(goal))
                })
            };
            (0..5).filter(|&seed| of_seed(seed)).count()
        };
        assert_eq!(complete(false), 0, "{algorithm} alone");
        let helped = complete(true);
        assert!(helped >= 4, "{algorithm} in {helped} of 5");
    }
}

/// Suites of at most so many tests.
fn suites_of(maximum_tests: usize) -> SearchOptions {
    let suites = SuiteOptions { maximum_tests, initial_tests: 1, ..SuiteOptions::default() };
    SearchOptions { suites, ..SearchOptions::default() }
}

#[test]
fn more_than_a_suite_has_room_for_are_all_run() {
    let landscape = needles(5);
    let tests: Vec<TestCase> = (0..5).map(|method| finds(&landscape, method)).collect();
    let found: BTreeSet<GoalId> = tests.iter().flat_map(|test| goals_of(&landscape, test)).collect();
    for maximum in [1, 2, 4, 5, 6] {
        with(&landscape, Setup { options: suites_of(maximum), ..setup("wsa", 5_000) }, |underway| {
            underway.step();
            underway.search.take_in(tests.clone());
            let (_, run) = underway.step();
            assert_eq!(run[..5], tests, "suites of {maximum}");
            assert!(found.is_subset(&underway.covered()), "suites of {maximum}");
        });
    }
}

#[test]
fn a_suite_that_is_the_result_has_no_more_tests_than_it_may() {
    let landscape = needles(5);
    let tests: Vec<TestCase> = (0..5).map(|method| finds(&landscape, method)).collect();
    for maximum in [1, 2, 3] {
        with(&landscape, Setup { options: suites_of(maximum), ..setup("ws", 3_000) }, |underway| {
            underway.step();
            underway.search.take_in(tests.clone());
            while underway.step().0 == StepOutcome::Running {
                let result = underway.search.archive().tests().len();
                assert!(result <= maximum, "{result} of {maximum}");
            }
        });
    }
}

#[test]
fn the_best_suite_loses_nothing_by_what_joins_a_copy_of_it() {
    let landscape = needles(2);
    // It covers less than a suite does.
    let poor = call(&landscape, 0, &[5, 5]);
    for algorithm in ["ws", "ma", "wsa", "hybrid"] {
        with(&landscape, setup(algorithm, 10_000), |underway| {
            for _ in 0..5 {
                underway.step();
                let before = underway.covered();
                underway.search.take_in(vec![poor.clone(); 3]);
                underway.step();
                assert!(before.is_subset(&underway.covered()), "{algorithm}");
            }
        });
    }
}
