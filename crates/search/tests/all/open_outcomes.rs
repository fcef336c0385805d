//! Which mutants and inspected values the executor is asked about: not those that are covered, and no mutants while they are
//! not yet targets; all in the set-ups of papers.

use std::sync::Arc;

use crate::landscape::{
    Comparison, FakeExecutor, IntSource, Landscape, Node, Operand, Setup, if_equal, method, setup,
};
use bytecode::probe_map::OutcomeId;
use bytecode::values::{Inspector, InspectorKind, ValueOf, ValuePartition};
use coverage::goal::{GoalKind, GoalSet};
use search::options::SearchOptions;
use search::search::SearchResult;
use testcase::assertion::ObservationPoint;
use testcase::execution::{ExecutionResult, ExecutionTrace, Executor, Observations};
use testcase::run_request::{MutantRequest, RunRequest};
use testcase::test_case::TestCase;

/// Tells of no infection and no inspected value that it is not asked about.
struct Asked<'a> {
    executor: FakeExecutor<'a>,
    /// Numbers of probes and outcomes.
    sizes: (usize, usize),
    /// The outcomes that it is to be asked about.
    costly: Vec<OutcomeId>,
    open: Option<Arc<[OutcomeId]>>,
    /// How many were open, from question to question, with the runs until then.
    questions: Vec<(usize, usize)>,
    /// How many mutants were to be killed, likewise.
    mutants: Vec<usize>,
    targets: Option<Arc<MutantRequest>>,
    runs: usize,
}

impl<'a> Asked<'a> {
    fn new(landscape: &'a Landscape) -> Self {
        let goals = landscape.goals.goals().iter();
        let costly = goals.filter(|goal| goal.kind.costs_time());
        Self {
            executor: FakeExecutor::new(landscape),
            sizes: (landscape.probes, landscape.outcomes),
            costly: costly.filter_map(|goal| goal.outcome).collect(),
            open: None,
            questions: Vec::new(),
            mutants: Vec::new(),
            targets: None,
            runs: 0,
        }
    }

    /// Notes what is asked otherwise than before.
    fn note(&mut self, request: &RunRequest) {
        if request.outcomes != self.open {
            let open = request.outcomes.as_deref().expect("it is said which");
            assert!(open.is_sorted() && open.iter().all(|outcome| self.costly.contains(outcome)));
            self.questions.push((self.runs, open.len()));
            self.open.clone_from(&request.outcomes);
        }
        if request.mutants != self.targets {
            self.mutants.push(request.mutants.as_ref().map_or(0, |mutants| mutants.targets().len()));
            self.targets.clone_from(&request.mutants);
        }
    }
}

impl Executor for Asked<'_> {
    fn execute(&mut self, test: &TestCase, request: &RunRequest, result: &mut ExecutionResult) {
        self.note(request);
        self.runs += 1;
        self.executor.execute(test, request, result);
        let Some(open) = &request.outcomes else { return };
        let told = std::mem::take(&mut result.trace);
        let mut trace = ExecutionTrace::new(self.sizes.0, self.sizes.1);
        told.touched().iter().for_each(|&probe| trace.record_hits(probe, told.count(probe)));
        let is_told = |outcome: &&OutcomeId| open.contains(outcome) || !self.costly.contains(outcome);
        let outcomes = told.reached().iter().filter(is_told);
        outcomes.for_each(|&outcome| trace.record_distance(outcome, told.distance(outcome)));
        trace.operands = told.operands;
        result.trace = trace;
    }

    fn observe(&mut self, test: &TestCase, points: &[ObservationPoint]) -> Observations {
        self.executor.observe(test, points)
    }
}

fn landscape() -> Landscape {
    of_criteria(&["branch", "weak-mutation"])
}

fn of_criteria(criteria: &[&str]) -> Landscape {
    let [a, b, c] = [0, 1, 2].map(Operand::Argument);
    let inner = vec![Node::Sum(a, c), Node::Use(a, b), if_equal(1, 700, vec![Node::Sum(b, c)])];
    let body = vec![Node::If(a, Comparison::Equal, b, inner, vec![Node::Use(b, c)]), if_equal(2, -9, vec![])];
    Landscape::new(criteria, vec![method("run", 3, body)])
}

/// As [`landscape`], where the goals of mutants are goals of what inspectors tell.
fn inspected() -> Landscape {
    let mut landscape = landscape();
    let inspector = Inspector {
        kind: InspectorKind::Method,
        class: "p/Tank".into(),
        name: "level".into(),
        descriptor: "()I".into(),
    };
    let mut goals = landscape.goals.goals().to_vec();
    for goal in goals.iter_mut().filter(|goal| goal.kind.costs_time()) {
        let inspector = Some(inspector.clone());
        goal.kind = GoalKind::Value { of: ValueOf::Result, inspector, partition: ValuePartition::Zero };
    }
    landscape.goals = GoalSet::new(goals);
    landscape
}

fn search(landscape: &Landscape, algorithm: &str, executor: &mut dyn Executor) -> SearchResult {
    search_with(landscape, algorithm, SearchOptions::default(), executor)
}

fn search_with(
    landscape: &Landscape,
    algorithm: &str,
    options: SearchOptions,
    executor: &mut dyn Executor,
) -> SearchResult {
    let mut source = IntSource::new(landscape);
    let setup = Setup { options, ..setup(algorithm, 3_000) };
    landscape.search_on(setup, executor, &mut source, &mut |_| ())
}

fn covered(result: &SearchResult, landscape: &Landscape) -> Vec<bool> {
    landscape.goals.ids().map(|goal| result.archive.is_covered(goal)).collect()
}

#[test]
fn what_is_covered_is_asked_about_no_more_and_nothing_is_missed_by_that() {
    for (landscape, kind) in [(landscape(), "mutants"), (inspected(), "values")] {
        for algorithm in ["dynamosa", "mosa", "mio", "random"] {
            let mut asked = Asked::new(&landscape);
            let result = search(&landscape, algorithm, &mut asked);
            let all = search(&landscape, algorithm, &mut FakeExecutor::new(&landscape));
            assert_eq!(covered(&result, &landscape), covered(&all, &landscape), "{kind}, {algorithm}");
            let open: Vec<usize> = asked.questions.iter().map(|(_, open)| *open).collect();
            assert_eq!(open.first(), Some(&asked.costly.len()), "{kind}, {algorithm}");
            assert!(open.is_sorted_by(|before, now| before >= now), "{kind}, {algorithm}: {open:?}");
            assert!(open.last().is_some_and(|&last| last * 4 < open[0]), "{kind}, {algorithm}: {open:?}");
        }
    }
}

#[test]
fn in_the_set_up_of_a_paper_what_is_covered_is_watched_so_that_the_shortest_test_is_kept() {
    // 004 Algorithm 5, line 11.
    for (landscape, kind) in [(landscape(), "mutants"), (inspected(), "values")] {
        let lengths = |options: SearchOptions, executor: &mut dyn Executor| -> Vec<Option<usize>> {
            let archive = search_with(&landscape, "dynamosa", options, executor).archive;
            landscape.goals.ids().map(|goal| archive.test(goal).map(|kept| kept.test.len())).collect()
        };
        let mut asked = Asked::new(&landscape);
        let told = lengths(SearchOptions::paper_004(), &mut asked);
        assert!(asked.questions.iter().all(|(_, open)| *open == asked.costly.len()), "{kind}");
        let all = lengths(SearchOptions::paper_004(), &mut FakeExecutor::new(&landscape));
        assert_eq!(told, all, "{kind}");
        // Saved by default: some test stays that is longer than need be.
        let options = SearchOptions { watch_covered: false, ..SearchOptions::paper_004() };
        let saved = lengths(options, &mut Asked::new(&landscape));
        let sum = |lengths: &[Option<usize>]| lengths.iter().flatten().sum::<usize>();
        assert!(sum(&saved) > sum(&told), "{kind}");
    }
}

#[test]
fn whole_suites_are_compared_by_all_the_mutants_that_they_kill() {
    // A mutant that the best suite kills must count for every other as well.
    let landscape = of_criteria(&["strong-mutation"]);
    for (algorithm, options, is_saved) in [
        ("ws", SearchOptions::default(), false),
        ("nsga2", SearchOptions::default(), false),
        ("dynamosa", SearchOptions::paper_004(), false),
        ("dynamosa", SearchOptions::default(), true),
    ] {
        let mut asked = Asked::new(&landscape);
        search_with(&landscape, algorithm, options, &mut asked);
        let all = landscape.goals.mutants().len();
        assert!(!asked.mutants.is_empty(), "{algorithm}");
        assert_eq!(asked.mutants.iter().any(|&mutants| mutants < all), is_saved, "{algorithm}");
    }
}

#[test]
fn while_auto_aims_at_structure_no_mutant_is_asked_about_and_then_what_was_run_is_run_again() {
    let landscape = landscape();
    let mut asked = Asked::new(&landscape);
    let result = search(&landscape, "auto", &mut asked);
    let later = &asked.questions;
    let taken_up = later.iter().position(|(_, open)| *open > 0).expect("mutants become targets");
    assert!(taken_up > 0 && later[0].0 == 0, "{later:?}");
    // All again, and after the archive and the population have been run once more most of them are covered.
    let (runs, open) = later[taken_up];
    assert_eq!(open, asked.costly.len());
    let (soon, left) = later[taken_up + 1];
    assert!(soon - runs <= 150 && left * 2 < open, "{later:?}");
    assert!(
        covered(&result, &landscape).iter().filter(|&&is_covered| is_covered).count() * 4
            > landscape.goals.len() * 3
    );
}
