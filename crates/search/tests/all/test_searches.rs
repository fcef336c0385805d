//! What searches do with test searches of their caller: where these are applied, what is told of them, and what the hybrid and
//! plain exploration make of them.

#![expect(clippy::print_stdout, reason = "the figures belong to the proof")]

use crate::landscape;
use std::cell::Cell;
use std::time::Duration;

use crate::landscape::{FakeExecutor, IntSource, Landscape, Node, Setup, if_equal, method, setup};
use search::algorithm::SearchError;
use search::context::SearchEnvironment;
use search::local_search::climb::Climb;
use search::local_search::test_search::TestSearch;
use search::local_search::tools::AppliedTool;
use search::options::{
    HybridOptions, Individuals, LocalBudget, LocalSearchOptions, Operators, SearchOptions,
};
use search::search::{Search, StepOutcome};
use testcase::random::Random;
use testcase::statement::Statement;
use testcase::value::Value;

/// Puts each of its constants into each number of a test, as a solver would that knows the conditions.
#[derive(Debug)]
struct Solver<'a> {
    name: &'static str,
    constants: Vec<i32>,
    applied: &'a Cell<u32>,
    /// Open outcomes when it was asked first.
    open: &'a Cell<usize>,
    /// What finding out the constants takes, each time.
    work: Duration,
}

impl TestSearch for Solver<'_> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn improve(&mut self, climb: &mut Climb<'_>) {
        if self.applied.replace(self.applied.get() + 1) == 0 {
            self.open.set(climb.open_outcomes().len());
        }
        climb.spend(self.work);
        for position in 0..climb.begun() {
            for &constant in &self.constants {
                if climb.is_over() {
                    return;
                }
                if let Some(Statement::Primitive { .. }) = climb.test().statements().get(position) {
                    climb.attempt(climb.with_value(position, Value::Int(constant)));
                }
            }
        }
    }
}

/// Numbers that evolution does not find and no gradient within a budget leads to, each behind one that it does find.
fn hidden() -> Landscape {
    let far = |constant: i64| if_equal(0, constant, vec![Node::Line]);
    let body = vec![if_equal(1, 3, vec![far(1_000_003)]), far(-2_000_003), if_equal(2, 4, vec![])];
    Landscape::new(&["branch"], vec![method("run", 3, body)])
}

/// What became of a search.
#[derive(Debug)]
struct Seen {
    covered: usize,
    tools: Vec<AppliedTool>,
    /// Applications of the test search, and open outcomes at the first.
    applied: u32,
    open: usize,
    /// Tests of the result.
    tests: usize,
}

/// Searches with a solver for these constants.
fn search(setup: &Setup<'_>, constants: &[i32]) -> Seen {
    search_with_work(setup, constants, Duration::ZERO)
}

/// The same with a solver that works for so long each time.
fn search_with_work(setup: &Setup<'_>, constants: &[i32], work: Duration) -> Seen {
    let landscape = hidden();
    let graph = landscape.graph(true);
    let (applied, open) = (Cell::new(0), Cell::new(0));
    let (name, constants) = ("symbolic-execution", constants.to_vec());
    let solver = Solver { name, constants, applied: &applied, open: &open, work };
    let mut request = landscape.request(setup.algorithm, &graph, setup.options.clone());
    request.test_searches = vec![Box::new(solver)];
    let mut search = Search::new(request).unwrap();
    let (mut random, mut budget) = (Random::new(setup.seed, 0), landscape::budget(setup.executions));
    let (mut executor, mut source) = (FakeExecutor::new(&landscape), IntSource::new(&landscape));
    source.has_pool = false;
    let mut environment = SearchEnvironment {
        executor: &mut executor,
        source: &mut source,
        random: &mut random,
        budget: &mut budget,
        events: &mut |_| (),
    };
    while search.step(&mut environment) == StepOutcome::Running {}
    let tools = search.local_search_tools();
    let (covered, tests) = (search.archive().covered().len(), search.archive().tests().len());
    drop(search);
    Seen { covered, tools, applied: applied.get(), open: open.get(), tests }
}

const CONSTANTS: &[i32] = &[1_000_003, -2_000_003];

/// A set-up with only test searches for local search.
fn with(algorithm: &str, change: impl Fn(&mut SearchOptions)) -> Setup<'_> {
    let local_search = LocalSearchOptions {
        rate: 1,
        most_in_vain: 1.0,
        operators: Operators::parse("symbolic-execution").unwrap(),
        ..LocalSearchOptions::default()
    };
    let mut options = SearchOptions { local_search, ..SearchOptions::default() };
    change(&mut options);
    Setup { options, ..setup(algorithm, 4_000) }
}

#[test]
fn every_algorithm_with_local_search_applies_test_searches() {
    for algorithm in ["auto", "dynamosa", "mosa", "mio", "nsga2", "wsa", "ma", "hybrid", "dse"] {
        let seen = search(&with(algorithm, |_| ()), CONSTANTS);
        let [tool] = seen.tools.as_slice() else { panic!("{algorithm}: {seen:?}") };
        assert_eq!((tool.name.as_str(), tool.applied.tried), ("symbolic-execution", u64::from(seen.applied)));
        assert!(tool.applied.improved > 0 && tool.applied.executions > 0, "{algorithm}: {tool:?}");
        assert!(tool.applied.covered > 0, "{algorithm}: {tool:?}");
        let without =
            with(algorithm, |options| options.local_search.operators = Operators::parse("none").unwrap());
        let (mut sum, mut sum_without) = (0, 0);
        for seed in 0..5 {
            sum += search(&Setup { seed, ..with(algorithm, |_| ()) }, CONSTANTS).covered;
            let alone = search(&Setup { seed, ..without.clone() }, CONSTANTS);
            assert_eq!((alone.applied, alone.tools.len()), (0, 0), "{algorithm}");
            sum_without += alone.covered;
        }
        println!("{algorithm}: {sum} with, {sum_without} without, of 40");
        // The default puts compared values into inputs by itself. Plain exploration spends nearly all on what this solver
        // knows, which is not enough for the small numbers that random tests find; below it knows all.
        let gains = !matches!(algorithm, "auto" | "dse");
        assert!(sum_without < sum || !gains, "{algorithm}: {sum_without} {sum}");
    }
}

#[test]
fn work_that_is_no_run_counts_where_executions_are_the_budget() {
    let bounded = with("dynamosa", |options| options.local_search.most_in_vain = 0.02);
    let applied =
        |milliseconds| search_with_work(&bounded, &[77], Duration::from_millis(milliseconds)).applied;
    let [none, some, much] = [0, 1, 100].map(applied);
    println!("{none} applications without work, {some} with a millisecond each, {much} with a hundred");
    assert!(none > some && some > much && much > 0, "{none} {some} {much}");
}

#[test]
fn algorithms_that_others_are_compared_with_never_do() {
    for algorithm in ["ws", "random"] {
        assert_eq!(search(&with(algorithm, |_| ()), CONSTANTS).applied, 0, "{algorithm}");
    }
}

#[test]
fn a_test_search_that_finds_nothing_is_given_up_little_by_little() {
    let (often, seldom) = (
        search(&with("dynamosa", |_| ()), &[5]),
        search(
            &with("mosa", |options| {
                options.local_search.least_operator_probability = 0.001;
                options.local_search.operator_adaptation = 10.0;
            }),
            &[5],
        ),
    );
    assert!(seldom.applied <= 5 && often.applied > 0, "{often:?} {seldom:?}");
}

#[test]
fn a_test_search_without_a_name_in_the_list_is_refused() {
    let landscape = hidden();
    let graph = landscape.graph(true);
    let (applied, open) = (Cell::new(0), Cell::new(0));
    let solver =
        Solver { name: "magic", constants: Vec::new(), applied: &applied, open: &open, work: Duration::ZERO };
    let mut request = landscape.request("dynamosa", &graph, SearchOptions::default());
    request.test_searches = vec![Box::new(solver)];
    let error = Search::new(request).unwrap_err();
    assert!(matches!(&error, SearchError::UnknownTestSearch { name, .. } if name == "magic"));
    assert_eq!(error.to_string(), "there is no test search \"magic\". There are symbolic-execution");
}

/// The set-up of paper 001 with its time in executions.
fn paper_001(algorithm: &str, executions: u64) -> Setup<'_> {
    let options = SearchOptions::paper_001();
    let local_search =
        LocalSearchOptions { budget: LocalBudget::Executions(300), ..options.local_search.clone() };
    Setup { options: SearchOptions { local_search, ..options }, ..setup(algorithm, executions) }
}

#[test]
fn the_hybrid_covers_what_whole_suites_do_not_and_loses_nothing_of_theirs() {
    let (mut more, mut hybrids) = (0, 0);
    for seed in 0..10 {
        let hybrid = search(&Setup { seed, ..paper_001("hybrid", 6_000) }, CONSTANTS);
        let ws = search(&Setup { seed, ..paper_001("ws", 6_000) }, CONSTANTS);
        assert!(hybrid.covered >= ws.covered, "{hybrid:?} {ws:?}");
        more += usize::from(hybrid.covered > ws.covered);
        hybrids += usize::from(hybrid.covered == 8);
    }
    assert!(more >= 8 && hybrids >= 8, "{more} {hybrids}");
}

#[test]
fn the_hybrid_explores_when_a_value_changed_the_fitness_and_as_often_as_that_helps() {
    let applied = |setup: &Setup<'_>, constants: &[i32]| -> u32 {
        (0..5).map(|seed| search(&Setup { seed, ..setup.clone() }, constants).applied).sum()
    };
    let change = |change: &dyn Fn(&mut SearchOptions)| {
        let mut setup = paper_001("hybrid", 3_000);
        change(&mut setup.options);
        setup
    };
    // P = 1, R = 1: always.
    let always = applied(&change(&|_| ()), &[5]);
    let half = applied(&change(&|options| options.local_search.probability = 0.1), &[5]);
    let adaptive = applied(&change(&|options| options.local_search.adaptation = 4.0), &[5]);
    assert!(half < always && adaptive < always, "{always} {half} {adaptive}");
    let improved = applied(&change(&|options| options.hybrid.individuals = Individuals::Improved), &[5]);
    assert!(improved > always, "{improved} {always}");
    // Calls without parameters have no values whose change could matter.
    assert!(always > 0);
}

#[test]
fn conditions_that_a_suite_takes_both_ways_are_filtered() {
    let of = |filter| {
        let setup =
            with("hybrid", |options| options.hybrid = HybridOptions { filter, ..HybridOptions::default() });
        search(&setup, CONSTANTS).open
    };
    // Eight outcomes, of which the first suite takes some.
    assert_eq!(of(false), 8);
    assert!((1..8).contains(&of(true)));
}

#[test]
fn tests_that_do_not_improve_a_suite_stay_where_all_are_to_be_kept() {
    let tests = |keeps_all| {
        let mut setup = paper_001("hybrid", 4_000);
        setup.options.hybrid.keeps_all = keeps_all;
        search(&setup, &[5, 6, 7, 8]).tests
    };
    assert!(tests(true) >= tests(false));
}

#[test]
fn plain_exploration_begins_with_random_tests_and_goes_on_from_what_covers() {
    let dse = search(&paper_001("dse", 2_000), &[3, 4, 1_000_003, -2_000_003]);
    let random = search(&paper_001("random", 2_000), CONSTANTS);
    assert!(dse.covered >= 7 && random.covered < dse.covered, "{dse:?} {random:?}");
}
