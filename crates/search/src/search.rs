//! A search of one class, in steps or in one go.

use bytecode::probe_map::ProbeMap;
use coverage::goal::{GoalId, GoalSet};
use coverage::goal_graph::GoalGraph;
use coverage::seen;
use testcase::cluster::TestCluster;
use testcase::test_case::TestCase;

use crate::algorithm::{SearchAlgorithm, SearchError, algorithm};
use crate::archive::Archive;
use crate::context::{ClassContext, SearchContext, SearchEnvironment, SearchState};
use crate::event::{Progress, SearchEvent};
use crate::local_search::scheduler::Scheduler;
use crate::local_search::test_search::TestSearch;
use crate::local_search::tools::{Applied, AppliedTool};
use crate::open_goals::near_misses::NearMisses;
use crate::options::SearchOptions;
use crate::phase::PhaseTimes;

/// What to search for, and how.
#[derive(Debug)]
pub struct SearchRequest<'a> {
    /// Name of the algorithm.
    pub algorithm: &'a str,
    /// The goals. Those of what only runs tell of are added as it is seen.
    pub goals: GoalSet,
    /// The code that they are of.
    pub maps: &'a [ProbeMap],
    /// Their control dependence.
    pub graph: &'a GoalGraph,
    /// What tests may use; the source makes its tests of it.
    pub cluster: &'a TestCluster,
    /// Number of all probes that the executor reports.
    pub probes: usize,
    /// Number of all outcomes that it reports.
    pub outcomes: usize,
    /// Tests to run first: the archive of a worker that was lost. [`Search::take_in`] takes further ones.
    pub seeds: Vec<TestCase>,
    /// What changes tests as a whole, each under one of the names of
    /// [`crate::local_search::test_search::TEST_SEARCHES`]; most often none.
    pub test_searches: Vec<Box<dyn TestSearch + 'a>>,
    /// Options.
    pub options: SearchOptions,
}

/// Whether there is more to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepOutcome {
    /// The search goes on.
    Running,
    /// Every goal is covered.
    Covered,
    /// The budget is spent, or the search was told to stop.
    Spent,
}

/// A search under way.
#[derive(Debug)]
pub struct Search<'a> {
    goals: GoalSet,
    maps: &'a [ProbeMap],
    graph: &'a GoalGraph,
    cluster: &'a TestCluster,
    /// Number of probes of the code.
    probes: usize,
    options: SearchOptions,
    algorithm: Box<dyn SearchAlgorithm>,
    scheduler: Scheduler<'a>,
    state: SearchState,
    executions: u64,
}

/// What a search found.
#[derive(Debug)]
pub struct SearchResult {
    /// The best test of each covered goal.
    pub archive: Archive,
    /// Runs of tests.
    pub executions: u64,
    /// Generations.
    pub generations: u64,
    /// Where the time went.
    pub phases: PhaseTimes,
}

impl<'a> Search<'a> {
    /// Prepares a search.
    pub fn new(request: SearchRequest<'a>) -> Result<Self, SearchError> {
        let row = algorithm(request.algorithm)?;
        let scheduler = Scheduler::new(row.local_search, request.test_searches)?;
        let SearchRequest { goals, maps, graph, cluster, probes, outcomes, seeds, mut options, .. } = request;
        // Fewer have no pair to cross; none would run no test and never end.
        options.population = options.population.max(2);
        let class = ClassContext { goals: &goals, graph, cluster };
        let state = SearchState::new(class, row, &options, seeds, probes, outcomes);
        let algorithm = (row.new)();
        Ok(Self { goals, maps, graph, cluster, probes, options, algorithm, scheduler, state, executions: 0 })
    }

    /// One generation. In between, the caller may use executor, source and budget for something else.
    pub fn step(&mut self, environment: &mut SearchEnvironment<'_>) -> StepOutcome {
        let before = environment.budget.executions();
        let Self { goals, graph, cluster, options, algorithm, scheduler, state, .. } = self;
        let class = ClassContext { goals, graph, cluster };
        let mut context = SearchContext { class, options, environment, state };
        if !context.is_over() {
            context.state.clock.start_generation(context.state.generation);
            context.follow_coverage();
            context.state.clock.enter(crate::phase::Phase::Generation);
            algorithm.step(&mut context);
            scheduler.step(algorithm.as_mut(), &mut context);
            context.state.clock.end_generation();
            context.state.generation += 1;
        }
        self.add_goals(environment);
        self.executions += environment.budget.executions() - before;
        (environment.events)(SearchEvent::Progress(Progress {
            executions: environment.budget.executions(),
            statements: environment.budget.statements(),
            evaluations: environment.budget.evaluations(),
            covered: self.state.archive().covered().len(),
            total: self.goals.len(),
            generation: self.state.generation,
            elapsed: environment.budget.elapsed(),
        }));
        if self.state.is_complete() {
            StepOutcome::Covered
        } else if environment.budget.is_spent() {
            StepOutcome::Spent
        } else {
            StepOutcome::Running
        }
    }

    /// Makes goals of what was seen for the first time, covered by the tests that showed it.
    fn add_goals(&mut self, environment: &mut SearchEnvironment<'_>) {
        let seen = environment.executor.exceptions();
        let added = seen::add_goals(&mut self.goals, self.maps, seen, self.probes);
        if added.is_empty() {
            return;
        }
        (environment.events)(SearchEvent::Exceptions { seen: &seen[seen.len() - added.len()..] });
        self.state.grow(self.goals.len());
        let executions = environment.budget.executions();
        // An algorithm whose result is its best individual tells of what that covers by itself.
        for (goal, test) in self.state.first_shown.take(&self.goals, &added) {
            self.state.kept.archive_mut().record(&[goal], test);
            if let Some(test) = self.state.archive().test(goal) {
                (environment.events)(SearchEvent::Archived {
                    goals: &[goal],
                    test,
                    covered: self.state.archive().covered().len(),
                    executions,
                });
            }
        }
    }

    /// Takes tests in that other searches of the class found: they are run first in the next generation, enter the archive
    /// for what they cover, and compete for a place in the population as offspring do. Where individuals are suites, they join
    /// a copy of the best one, in place of some of its tests if it is full.
    pub fn take_in(&mut self, tests: impl IntoIterator<Item = TestCase>) {
        let seeds = &mut self.state.seeds;
        // The last one is run first.
        let waiting = std::mem::take(seeds);
        seeds.extend(tests);
        seeds.reverse();
        seeds.extend(waiting);
    }

    /// The goals, those of what was seen so far among them.
    pub fn goals(&self) -> &GoalSet {
        &self.goals
    }

    /// What was found so far.
    pub fn archive(&self) -> &Archive {
        self.state.archive()
    }

    /// The goals that are aimed at now; none where the algorithm has not begun.
    pub fn targets(&self) -> &[GoalId] {
        self.state.objectives().goals()
    }

    /// What is known of runs that came near to goals.
    pub fn near_misses(&self) -> &NearMisses {
        &self.state.near_misses
    }

    /// Executions so far.
    pub fn executions(&self) -> u64 {
        self.executions
    }

    /// What local search did so far.
    pub fn local_search(&self) -> Applied {
        self.scheduler.applied()
    }

    /// What each operator of local search and each test search did so far, those that did nothing left out.
    pub fn local_search_tools(&self) -> Vec<AppliedTool> {
        self.scheduler.applied_tools()
    }

    /// Where the time went so far.
    pub fn phases(&self) -> PhaseTimes {
        self.state.clock.times()
    }

    /// Ends the search.
    pub fn finish(self) -> SearchResult {
        SearchResult {
            executions: self.executions,
            generations: self.state.generation,
            phases: self.state.clock.times(),
            archive: self.state.kept.into_archive(),
        }
    }
}

/// Searches until every goal is covered or the budget is spent.
pub fn run(
    request: SearchRequest<'_>,
    environment: &mut SearchEnvironment<'_>,
) -> Result<SearchResult, SearchError> {
    let mut search = Search::new(request)?;
    while search.step(environment) == StepOutcome::Running {}
    Ok(search.finish())
}
