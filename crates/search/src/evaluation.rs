//! Runs tests as far as the search needs to know of them, and computes the fitness of what they did.

use bytecode::probe_map::OutcomeId;
use coverage::fitness::{FitnessFunction, FitnessVector, Objectives};
use coverage::goal::{GoalId, GoalKind, GoalSet};
use testcase::execution::{ExecutionResult, ExecutionTrace, Outcome};
use testcase::recording::Recording;
use testcase::run_request::{MutantRuns, RunRequest};
use testcase::test_case::TestCase;

use crate::budget::Longer;
use crate::chromosome::TestCaseChromosome;
use crate::context::{ClassContext, SearchEnvironment};
use crate::operators::subvector::Crowding;
use crate::options::SearchOptions;

/// Runs tests and computes fitness. What it works with is reused from run to run.
#[derive(Debug)]
pub(crate) struct Evaluation {
    /// Whether some goals take time to record in runs ([`GoalKind::costs_time`]).
    is_costly: bool,
    /// What runs are asked for.
    request: RunRequest,
    result: ExecutionResult,
    fitness: FitnessFunction,
    restored: ExecutionTrace,
    /// Goals that the last run covers, where they are asked for.
    covered: Vec<GoalId>,
}

impl Evaluation {
    /// `probes` and `outcomes` are the numbers of all that the executor reports.
    pub(crate) fn new(
        class: ClassContext<'_>,
        options: &SearchOptions,
        probes: usize,
        outcomes: usize,
    ) -> Self {
        let ClassContext { goals, graph, .. } = class;
        Self {
            is_costly: goals.goals().iter().any(|goal| goal.kind.costs_time()),
            // Seeds are run with all mutants; from the first step on only with those that matter.
            request: RunRequest::brief().with_mutants(goals.mutants(), MutantRuns::Sparing),
            result: ExecutionResult::new(probes, outcomes),
            fitness: FitnessFunction::new(goals, graph, options.normalization),
            restored: ExecutionTrace::new(probes, outcomes),
            covered: Vec::new(),
        }
    }

    /// What the last test did that was run.
    pub(crate) fn result(&self) -> &ExecutionResult {
        &self.result
    }

    /// The steps that the last run cost are these, where the budget counts them otherwise.
    pub(crate) fn set_steps(&mut self, steps: impl FnOnce(u64) -> u64) {
        let cost = &mut self.result.cost;
        cost.steps = steps(cost.steps);
    }

    /// Runs a test briefly, with what is asked for.
    pub(crate) fn run(&mut self, test: &TestCase, environment: &mut SearchEnvironment<'_>) {
        environment.executor.execute(test, &self.request, &mut self.result);
        self.count(test, environment);
    }

    /// As [`Evaluation::run`], and logs what a replay needs.
    pub(crate) fn record(&mut self, test: &TestCase, environment: &mut SearchEnvironment<'_>) {
        environment.executor.execute(test, &self.request.recorded(), &mut self.result);
        self.count(test, environment);
    }

    /// What the last run logged, if it was one that does.
    pub(crate) fn take_recording(&mut self) -> Option<Box<Recording>> {
        self.result.recording.take()
    }

    /// Runs a test with more steps than a brief run has.
    pub(crate) fn run_longer(
        &mut self,
        test: &TestCase,
        length: Longer,
        environment: &mut SearchEnvironment<'_>,
    ) {
        let request = match length {
            Longer::Full => self.request.in_full(),
            Longer::Times(times) => self.request.times_brief(times),
        };
        environment.executor.execute(test, &request, &mut self.result);
        self.count(test, environment);
    }

    fn count(&self, test: &TestCase, environment: &mut SearchEnvironment<'_>) {
        environment.budget.count_execution();
        environment.budget.count_statements(begun(test, &self.result));
    }

    /// The fitness of the last run for these objectives. `newly_covered` are the objectives that the archive has covered by it;
    /// with `None` all goals that it covers are looked up, since they stay objectives.
    pub(crate) fn fitness(
        &mut self,
        goals: &GoalSet,
        objectives: &Objectives,
        newly_covered: Option<&[GoalId]>,
    ) -> FitnessVector {
        let Self { fitness: function, result, covered, .. } = self;
        let covered = newly_covered.unwrap_or_else(|| {
            goals.covered(&result.trace, covered);
            covered.as_slice()
        });
        let mut fitness = FitnessVector::default();
        function.evaluate(&result.trace, objectives, covered, &mut fitness);
        fitness
    }

    /// The objectives for these goals.
    pub(crate) fn objectives(&self, goals: impl Iterator<Item = GoalId>) -> Objectives {
        self.fitness.objectives(goals)
    }

    /// The fitness of individuals for other objectives than before, from what is kept of their runs.
    pub(crate) fn evaluate_again(
        &mut self,
        populations: &mut [&mut Vec<TestCaseChromosome>],
        old: &Objectives,
        new: &Objectives,
    ) {
        let Self { fitness: function, restored, .. } = self;
        let added =
            function.objectives(new.goals().iter().copied().filter(|&goal| old.column(goal).is_none()));
        let dropped: Vec<usize> =
            (0..old.len()).filter(|&column| new.column(old.goals()[column]).is_none()).collect();
        let sight = function.sight(&added);
        let mut values = FitnessVector::default();
        for individual in populations.iter_mut().flat_map(|population| population.iter_mut()) {
            individual.run.restore(&sight, restored);
            function.evaluate(restored, &added, &[], &mut values);
            let before = &individual.fitness;
            // In how many objectives it is better than others only changes if it reached some that changed.
            if values.reached_number() > 0 || dropped.iter().any(|&column| before.is_reached(column)) {
                individual.crowding = Crowding::default();
            }
            individual.fitness = FitnessFunction::rearrange((old, before), (&added, &values), new);
        }
    }

    /// Asks runs from now on for these goals, where recording costs time. Those that wait are not asked for either where that
    /// takes runs of mutants.
    pub(crate) fn ask_for(
        &mut self,
        goals: &GoalSet,
        is_asked_for: impl Fn(GoalId) -> bool,
        is_waiting: impl Fn(GoalId) -> bool,
    ) {
        if !self.is_costly {
            return;
        }
        let asked = || goals.ids().filter(|&id| is_asked_for(id));
        let mutants =
            asked().filter(|&id| !is_waiting(id)).filter_map(|id| goals.goal(id).mutant()).collect();
        let is_recorded = |id: &GoalId| {
            let kind = &goals.goal(*id).kind;
            let waits = matches!(kind, GoalKind::Mutant { .. }) && is_waiting(*id);
            kind.costs_time() && !waits
        };
        let mut outcomes: Vec<OutcomeId> =
            asked().filter(is_recorded).filter_map(|id| goals.goal(id).outcome).collect();
        outcomes.sort_unstable();
        self.request = RunRequest { outcomes: Some(outcomes.into()), ..RunRequest::brief() }
            .with_mutants(mutants, MutantRuns::Sparing);
    }
}

/// Statements that a run began: those that completed, and the one that ended it.
pub(crate) fn begun(test: &TestCase, result: &ExecutionResult) -> usize {
    match result.outcome {
        Outcome::Passed => result.executed,
        Outcome::Threw(_) | Outcome::TimedOut | Outcome::Exited => (result.executed + 1).min(test.len()),
    }
}
