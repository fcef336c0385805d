//! What becomes of goals that do not guide when all that do are covered.

use std::collections::BTreeSet;

use crate::landscape::{Comparison, FakeExecutor, IntSource, Landscape, Node, Operand, Setup, method, setup};
use bytecode::probe_map::OutcomeId;
use coverage::goal::{GoalId, GoalKind};
use fixedbitset::FixedBitSet;
use search::options::SearchOptions;
use search::search::SearchResult;
use testcase::assertion::ObservationPoint;
use testcase::execution::{ExecutionResult, Executor, Observations};
use testcase::run_request::RunRequest;
use testcase::test_case::TestCase;

const BUDGET: u64 = 8_000;

/// Both outcomes of a condition are soon covered, which guide; a mutant of it is infected by one number alone.
fn landscape() -> (Landscape, FixedBitSet) {
    let limit = Operand::Constant(4_000);
    let body = vec![Node::If(Operand::Argument(0), Comparison::Less, limit, vec![], vec![])];
    let landscape = Landscape::new(&["branch", "weak-mutation"], vec![method("run", 1, body)]);
    let is_branch = |id: &GoalId| &*landscape.goals.goal(*id).criterion == "branch";
    let guides = landscape.goals.ids().filter(is_branch).map(GoalId::index).collect();
    (landscape, guides)
}

fn search(algorithm: &str, options: SearchOptions) -> SearchResult {
    let (landscape, guides) = landscape();
    let mut source = IntSource::new(&landscape);
    source.has_pool = false;
    let setup = Setup { options, ..setup(algorithm, BUDGET) };
    let mut executor = FakeExecutor::new(&landscape);
    landscape.search_guided(setup, Some(&guides), &mut executor, &mut source, &mut |_| ())
}

#[test]
fn by_default_the_rest_becomes_targets() {
    for algorithm in
        ["auto", "dynamosa", "adynamosa", "dynamosa-rank", "dynamosa-pref", "mosa", "mio", "wsa", "ws"]
    {
        let result = search(algorithm, SearchOptions::default());
        let found = (result.archive.is_complete(), result.executions < BUDGET);
        assert_eq!(found, (true, true), "{algorithm}: {} runs", result.executions);
    }
    // Those that targets hardly lead, or not at all, go on all the same.
    for algorithm in ["nsga2", "random"] {
        let result = search(algorithm, SearchOptions::default());
        assert!(result.archive.is_complete() || result.executions == BUDGET, "{algorithm}");
    }
}

#[test]
fn in_the_set_ups_of_papers_the_search_ends_with_what_guides() {
    for algorithm in ["dynamosa", "mosa", "ws"] {
        let result = search(algorithm, SearchOptions::paper_002());
        assert!(!result.archive.is_complete(), "{algorithm}");
        assert!(result.executions < BUDGET / 4, "{algorithm}: {} runs", result.executions);
    }
}

/// A branch whose outcomes are soon covered, and a sum with a mutant that no run infects: subtracting 0.
fn with_a_mutant_that_nothing_kills(options: SearchOptions) -> SearchResult {
    let condition =
        Node::If(Operand::Argument(0), Comparison::Less, Operand::Constant(4_000), vec![], vec![]);
    let sum = Node::Sum(Operand::Argument(0), Operand::Constant(0));
    let landscape =
        Landscape::new(&["branch", "strong-mutation"], vec![method("run", 1, vec![condition, sum])]);
    let setup = Setup { options, ..setup("auto", BUDGET) };
    let mut executor = FakeExecutor::new(&landscape);
    let mut source = IntSource::new(&landscape);
    landscape.search_guided(setup, None, &mut executor, &mut source, &mut |_| ())
}

#[test]
fn mutants_that_nothing_kills_are_given_up_where_nothing_else_is_open() {
    let result = with_a_mutant_that_nothing_kills(SearchOptions::default());
    assert!(!result.archive.is_complete());
    assert!(result.executions < BUDGET / 2, "{} runs", result.executions);
    // Who asks for them has the whole budget for them.
    let mut options = SearchOptions::default();
    options.auto.pursues = false;
    assert_eq!(with_a_mutant_that_nothing_kills(options).executions, BUDGET);
}

/// Notes which tests run, and whether with mutants.
#[derive(Debug)]
struct Noting<'a> {
    executor: FakeExecutor<'a>,
    /// Infections of mutants.
    infections: BTreeSet<OutcomeId>,
    runs: Vec<(TestCase, bool)>,
}

impl Executor for Noting<'_> {
    fn execute(&mut self, test: &TestCase, request: &RunRequest, result: &mut ExecutionResult) {
        let asked = request.outcomes.as_deref().unwrap_or_default();
        let with_mutants = asked.iter().any(|outcome| self.infections.contains(outcome));
        self.runs.push((test.clone(), with_mutants));
        self.executor.execute(test, request, result);
    }

    fn observe(&mut self, test: &TestCase, points: &[ObservationPoint]) -> Observations {
        self.executor.observe(test, points)
    }
}

#[test]
fn when_mutants_become_targets_the_tests_that_there_are_run_once_more_with_them() {
    for criteria in [&["branch", "weak-mutation"][..], &["branch", "weak-mutation", "strong-mutation"]] {
        let limit = Operand::Constant(4_000);
        let condition = Node::If(Operand::Argument(0), Comparison::Less, limit, vec![], vec![]);
        // No run infects the mutant that subtracts 0, so that there is something left to aim at.
        let body = vec![condition, Node::Sum(Operand::Argument(0), Operand::Constant(0))];
        let landscape = Landscape::new(criteria, vec![method("run", 1, body)]);
        let mutants =
            landscape.goals.goals().iter().filter(|goal| matches!(goal.kind, GoalKind::Mutant { .. }));
        let infections = mutants.filter_map(|goal| goal.outcome).collect();
        let mut executor = Noting { executor: FakeExecutor::new(&landscape), infections, runs: Vec::new() };
        let mut source = IntSource::new(&landscape);
        let setup = setup("auto", BUDGET);
        landscape.search_guided(setup, None, &mut executor, &mut source, &mut |_| ());
        let first =
            executor.runs.iter().position(|(_, with_mutants)| *with_mutants).expect("they are targets");
        let (before, behind) = executor.runs.split_at(first);
        assert!(before.iter().any(|(test, _)| *test == behind[0].0), "{criteria:?}: {:?}", behind[0]);
    }
}
