//! What an algorithm works with: it runs tests, keeps the archive, the targets and their fitness, and tells of it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use coverage::distance::TAKEN;
use coverage::fitness::Objectives;
use coverage::goal::{Goal, GoalId, GoalKind, GoalSet};
use coverage::goal_graph::GoalGraph;
use testcase::clock::Clock;
use testcase::cluster::{Call, TestCluster};
use testcase::execution::{ComparisonOperand, ExecutionResult, Executor, Outcome};
use testcase::random::Random;
use testcase::recording::Recording;
use testcase::test_case::TestCase;
use testcase::value::Value;

use crate::algorithm::AlgorithmRow;
use crate::archive::{Archive, ArchivedTest, Penalty};
use crate::budget::Budget;
use crate::chromosome::{RunSummary, TestCaseChromosome};
use crate::evaluation::{Evaluation, begun};
use crate::event::SearchEvent;
use crate::first_shown::FirstShown;
use crate::guidance::Guidance;
use crate::kept::{Kept, Replacement};
use crate::local_search::climb::Used;
use crate::local_search::test_search::OpenOutcome;
use crate::open_goals::near_misses::NearMisses;
use crate::options::SearchOptions;
use crate::phase::{Phase, PhaseClock};
use crate::source::TestSource;

/// What a search borrows for one step.
pub struct SearchEnvironment<'a> {
    /// Runs tests.
    pub executor: &'a mut dyn Executor,
    /// Makes tests.
    pub source: &'a mut dyn TestSource,
    /// The randomness of everything.
    pub random: &'a mut Random,
    /// When to stop.
    pub budget: &'a mut Budget,
    /// Told of what happens.
    pub events: &'a mut dyn FnMut(SearchEvent<'_>),
}

impl std::fmt::Debug for SearchEnvironment<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SearchEnvironment").field("budget", &self.budget).finish_non_exhaustive()
    }
}

/// What a search keeps from step to step, whatever the algorithm.
#[derive(Debug)]
pub struct SearchState {
    pub(crate) generation: u64,
    pub(crate) clock: PhaseClock,
    /// Tests from elsewhere, to run before anything else, in reverse order.
    pub(crate) seeds: Vec<TestCase>,
    /// Individuals that local search improved since the last step.
    pub(crate) improved: Vec<TestCaseChromosome>,
    /// For who asks why goals stay open.
    pub(crate) near_misses: NearMisses,
    pub(crate) kept: Kept,
    pub(crate) first_shown: FirstShown,
    guidance: Guidance,
    evaluation: Evaluation,
}

impl SearchState {
    /// The state before the first step. `probes` and `outcomes` are the numbers of all that the executor reports.
    pub(crate) fn new(
        class: ClassContext<'_>,
        row: &AlgorithmRow,
        options: &SearchOptions,
        seeds: Vec<TestCase>,
        probes: usize,
        outcomes: usize,
    ) -> Self {
        let ClassContext { goals, graph, .. } = class;
        Self {
            generation: 0,
            clock: PhaseClock::default(),
            seeds: seeds.into_iter().rev().collect(),
            improved: Vec::new(),
            near_misses: NearMisses::new(goals.len()),
            kept: Kept::new(row.archive, goals.len(), graph.methods(), options),
            first_shown: FirstShown::new(probes),
            guidance: Guidance::new(class, row.is_blind),
            evaluation: Evaluation::new(class, options, probes, outcomes),
        }
    }

    /// Makes room for goals that were added.
    pub(crate) fn grow(&mut self, goals: usize) {
        self.kept.archive_mut().grow(goals);
        self.near_misses.grow(goals);
    }

    /// The best test of each covered goal.
    pub(crate) fn archive(&self) -> &Archive {
        self.kept.archive()
    }

    /// The columns of fitness vectors: the goals that are aimed at.
    pub(crate) fn objectives(&self) -> &Objectives {
        self.guidance.targets.objectives()
    }

    /// Whether those goals guide as well that did not at first.
    pub(crate) fn all_guide(&self) -> bool {
        self.guidance.all_guide()
    }

    /// Whether there is nothing left to cover.
    pub(crate) fn is_complete(&self) -> bool {
        self.guidance.is_done() || self.archive().is_complete()
    }

    /// Whether a test calls the class under test, or other code with goals, directly.
    pub fn calls_class_under_test(&self, cluster: &TestCluster, test: &TestCase) -> bool {
        self.guidance.calls_class_under_test(cluster, test)
    }

    /// What branches compared in the last run.
    pub(crate) fn last_operands(&self) -> &[ComparisonOperand] {
        &self.evaluation.result().trace.operands
    }
}

/// What a search knows of the class under test.
#[derive(Debug, Clone, Copy)]
pub struct ClassContext<'a> {
    /// The goals.
    pub goals: &'a GoalSet,
    /// Their control dependence.
    pub graph: &'a GoalGraph,
    /// What tests may use.
    pub cluster: &'a TestCluster,
}

/// Everything at hand during one step.
#[derive(Debug)]
pub struct SearchContext<'a, 'b> {
    /// The class under test.
    pub class: ClassContext<'a>,
    /// Options.
    pub options: &'a SearchOptions,
    /// What was borrowed.
    pub environment: &'a mut SearchEnvironment<'b>,
    /// What is kept.
    pub state: &'a mut SearchState,
}

/// What became of a test.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every test is an individual: a box for each costs more"
)]
pub enum Evaluated {
    /// It was run.
    Individual(TestCaseChromosome),
    /// It was run, but the run may not be believed or touched what a delivered test must not touch: it has no
    /// fitness and belongs into no population.
    Useless,
    /// It was not run: the search is over.
    Over,
}

impl SearchContext<'_, '_> {
    /// Whether the search is over: nothing left to cover, or nothing left of the budget.
    pub fn is_over(&self) -> bool {
        self.state.is_complete() || self.environment.budget.is_spent()
    }

    /// What makes and changes tests, with the randomness for it.
    pub(crate) fn source(&mut self) -> (&mut dyn TestSource, &mut Random) {
        let environment = &mut *self.environment;
        (environment.source, environment.random)
    }

    /// A new random test.
    pub fn random_test(&mut self) -> TestCase {
        self.environment.source.random_test(self.environment.random)
    }

    /// A test to start with: a seed as long as there are any, then random ones.
    pub fn initial_test(&mut self) -> TestCase {
        match self.state.seeds.pop() {
            Some(seed) => seed,
            None => self.random_test(),
        }
    }

    /// Runs a test, updates archive and pools with what it showed, and computes its fitness for the current
    /// objectives. Nothing is run when the search is over.
    ///
    /// # Differences
    /// The paper updates the archive once per generation with all offspring. Updated run by run it ends the same,
    /// and neither results nor traces need be kept.
    pub fn evaluate(&mut self, test: TestCase) -> Evaluated {
        self.evaluate_by(test, Self::execute)
    }

    /// As [`SearchContext::evaluate`], and gives what the run logged, if it was run and the executor can say so.
    pub(crate) fn record(&mut self, test: TestCase) -> (Evaluated, Option<Box<Recording>>) {
        let evaluated = self.evaluate_by(test, Self::execute_recorded);
        (evaluated, self.state.evaluation.take_recording())
    }

    fn evaluate_by(&mut self, test: TestCase, execute: impl FnOnce(&mut Self, &TestCase)) -> Evaluated {
        if self.is_over() {
            return Evaluated::Over;
        }
        self.state.clock.enter(Phase::Execution);
        execute(self, &test);
        self.state.clock.enter(Phase::Archive);
        self.archive_run(&test);
        let is_useful = self.learn(&test);
        self.state.clock.enter(Phase::Fitness);
        let evaluated =
            if is_useful { Evaluated::Individual(self.chromosome(test)) } else { Evaluated::Useless };
        self.state.clock.enter(Phase::Generation);
        evaluated
    }

    /// Runs a test, and once more with all the steps there are if that is worth it.
    fn execute(&mut self, test: &TestCase) {
        let Self { class, environment, state, .. } = self;
        let SearchState { clock, guidance, evaluation, .. } = &mut **state;
        let cluster = class.cluster;
        let time = Clock::start();
        evaluation.run(test, environment);
        clock.count_test();
        let result = evaluation.result();
        guidance.note_completed(cluster, test, result.executed);
        (0..result.mutant_runs).for_each(|_| environment.budget.count_execution());
        if result.outcome == Outcome::TimedOut {
            self.execute_again(test, time.now());
        }
        let SearchState { guidance, evaluation, .. } = &mut *self.state;
        guidance.note_end(cluster, test, evaluation.result());
        let budget = &mut *self.environment.budget;
        evaluation.set_steps(|steps| budget.cost(steps, time.now()));
    }

    /// Runs a test and logs what a replay needs.
    fn execute_recorded(&mut self, test: &TestCase) {
        let Self { class, environment, state, .. } = self;
        let SearchState { clock, guidance, evaluation, .. } = &mut **state;
        let time = Clock::start();
        evaluation.record(test, environment);
        clock.count_test();
        let result = evaluation.result();
        guidance.note_completed(class.cluster, test, result.executed);
        (0..result.mutant_runs).for_each(|_| environment.budget.count_execution());
        guidance.note_end(class.cluster, test, evaluation.result());
        evaluation.set_steps(|steps| environment.budget.cost(steps, time.now()));
    }

    /// What was used and covered so far.
    pub(crate) fn used(&self) -> Used {
        let budget = &self.environment.budget;
        let covered = self.state.archive().covered().len() as u64;
        Used {
            executions: budget.executions(),
            covered,
            time: budget.elapsed(),
            share: budget.used_with_work(),
        }
    }

    /// The outcomes of branches that are goals and not covered.
    pub(crate) fn open_outcomes(&self) -> BTreeSet<OpenOutcome> {
        let (goals, archive) = (self.class.goals, self.state.archive());
        let open = goals.ids().filter(|&goal| !archive.is_covered(goal));
        open.filter_map(|goal| OpenOutcome::of(goals.goal(goal))).collect()
    }

    /// Calls of tests that write a field which the code of a goal reads.
    pub(crate) fn writers(&self, goal: GoalId) -> Vec<Call> {
        self.state.guidance.writers(self.class, goal)
    }

    /// Gives a test that was cut short all the steps there are, or as many as the budget allows, if it is worth it.
    fn execute_again(&mut self, test: &TestCase, took: Duration) {
        let Self { class, environment, state, .. } = self;
        let SearchState { guidance, evaluation, .. } = &mut **state;
        let result = evaluation.result();
        if result.stalled {
            return;
        }
        let executions = environment.budget.executions();
        let is_worth_it = guidance.is_worth_it(class.cluster, test, result.executed, executions);
        if !is_worth_it || environment.budget.is_spent() {
            return;
        }
        let Some(length) = environment.budget.affords(took) else { return };
        evaluation.run_longer(test, length, environment);
        if evaluation.result().outcome == Outcome::TimedOut {
            guidance.pay(environment.budget.executions());
        }
    }

    /// Shows the last run to the archive, and tells of it when its test entered.
    fn archive_run(&mut self, test: &TestCase) {
        let Self { class, options, environment, state } = self;
        let SearchState { kept, guidance, evaluation, first_shown, .. } = &mut **state;
        let (goals, result) = (class.goals, evaluation.result());
        if let Some(archived) = kept.archive_run(goals, test, result, options) {
            let archive = kept.archive();
            guidance.note_covered(archive.newly_covered());
            (environment.events)(SearchEvent::Archived {
                goals: archive.improved(),
                test: &archived,
                covered: archive.covered().len(),
                executions: environment.budget.executions(),
            });
        }
        if !kept.is_best_individual() {
            first_shown.note(goals, test, result);
        }
    }

    /// Learns from the last run how near it came, and which values it compared. Whether its test is of use: what may not be
    /// archived gains nothing by being near, and a run that was cut short is not to be believed.
    fn learn(&mut self, test: &TestCase) -> bool {
        let Self { class, environment, state, .. } = self;
        let SearchState { kept, evaluation, near_misses, .. } = &mut **state;
        let result = evaluation.result();
        near_misses.note_calls(class.cluster, test, result);
        let is_useful = Penalty::of(result).is_some();
        if is_useful {
            environment.source.note_run(test, result.executed);
        }
        if !is_useful {
            near_misses.note_useless(class.goals, result, |goal| kept.archive().is_covered(goal));
        } else if !result.trace.operands.is_empty() {
            environment.source.observe(&result.trace.operands);
        }
        is_useful
    }

    /// The individual of the test that was just run.
    fn chromosome(&mut self, test: TestCase) -> TestCaseChromosome {
        let executions = self.environment.budget.executions();
        self.environment.budget.count_evaluation();
        let SearchState { kept, guidance, evaluation, near_misses, .. } = &mut *self.state;
        let targets = &mut guidance.targets;
        let newly_covered = kept.archive().newly_covered();
        let is_in_archive = !kept.is_best_individual();
        if is_in_archive {
            targets.cover(newly_covered);
        }
        // Objectives are uncovered goals, or were covered a moment ago, in this generation.
        let newly_covered = (is_in_archive && !targets.keeps_covered()).then_some(newly_covered);
        let fitness = evaluation.fitness(self.class.goals, &targets.objectives, newly_covered);
        for (column, _) in fitness.reached_values().filter(|&(_, value)| value == TAKEN) {
            targets.pass(targets.objectives.goals()[column]);
        }
        near_misses.note_fitness(&targets.objectives, &fitness, &test, executions);
        let run = RunSummary::new(evaluation.result(), self.class.graph.methods());
        near_misses.note_entries(run.entered());
        let proxies = kept.proxies();
        TestCaseChromosome { proxies, ..TestCaseChromosome::new(executions, test, fitness, run) }
    }

    /// Statements of the test that was just run which the run began.
    pub(crate) fn begun(&self, test: &TestCase) -> usize {
        begun(test, self.state.evaluation.result())
    }

    /// Values that branches compared in the last run, each once.
    pub(crate) fn compared(&self) -> Vec<Value> {
        let mut compared: Vec<Value> =
            self.state.last_operands().iter().map(|operand| operand.value.clone()).collect();
        compared.sort_unstable();
        compared.dedup();
        compared
    }

    /// The individuals that local search improved since the last step, for the next generation, and those of the seeds that
    /// came since the first one ([`crate::search::Search::take_in`]).
    pub fn take_improved(&mut self) -> Vec<TestCaseChromosome> {
        let mut improved = std::mem::take(&mut self.state.improved);
        while self.state.generation > 0 && !self.is_over() {
            let Some(seed) = self.state.seeds.pop() else { break };
            if let Evaluated::Individual(individual) = self.evaluate(seed) {
                improved.push(individual);
            }
        }
        improved
    }

    /// What the last test did that was run.
    pub fn last_result(&self) -> &ExecutionResult {
        self.state.evaluation.result()
    }

    /// The tests of a better individual, with the goals that each covers, become the archive.
    pub fn replace_archive<'t>(
        &mut self,
        tests: impl IntoIterator<Item = (&'t [GoalId], &'t Arc<ArchivedTest>)>,
    ) {
        let Self { environment, state, .. } = self;
        let executions = environment.budget.executions();
        let SearchState { kept, guidance, .. } = &mut **state;
        let Replacement { lost, entering } = kept.replacement(tests);
        let archive = kept.archive_mut();
        if !lost.is_empty() {
            guidance.note_news();
            guidance.targets.activate(&lost);
            let covered = archive.covered().len();
            (environment.events)(SearchEvent::Uncovered { goals: &lost, covered, executions });
        }
        for (goals, test) in entering {
            archive.put(goals, test);
            guidance.note_covered(archive.newly_covered());
            guidance.targets.cover(archive.newly_covered());
            (environment.events)(SearchEvent::Archived {
                goals: archive.improved(),
                test,
                covered: archive.covered().len(),
                executions,
            });
        }
    }

    /// Whether an individual of this fitness and length is the best so far; from now on it is.
    pub(crate) fn is_best(&mut self, fitness: f64, length: usize) -> bool {
        self.state.kept.is_best(fitness, length)
    }

    /// Forgets the best individual: fitness is another from now on.
    pub(crate) fn forget_best(&mut self) {
        self.state.kept.forget_best();
    }

    /// What follows from new coverage, once per generation: which calls and which compared values matter.
    pub fn follow_coverage(&mut self) {
        if !self.state.guidance.take_news() {
            return;
        }
        self.state.clock.enter(Phase::Archive);
        self.choose_request();
        let Self { class, options, environment, state } = self;
        let SearchState { kept, guidance, near_misses, .. } = &mut **state;
        let open = guidance.open_goals(*class, kept.archive(), options);
        near_misses.aimed_at_all = guidance.all_guide();
        guidance.guide(*class, &open, options, environment.source);
    }

    /// Draws calls by what they lead to, after an algorithm had them drawn otherwise.
    pub fn weigh_calls_again(&mut self) {
        self.state.guidance.note_news();
        self.follow_coverage();
    }

    /// Chooses what runs from now on are asked for where recording costs time.
    ///
    /// # Differences
    /// What is covered is asked for no more, unless [`SearchOptions::watch_covered`] says so or what is covered can be lost: of
    /// a class with thousands of mutants, nearly all are covered after some hundred runs, and so are most classes of what
    /// inspectors give. Of these goals the archive keeps the first test that covered the last of its place, even if a later
    /// one is shorter (in Algorithm 5 of Panichella, Kifetew and Tonella 2018 that one replaces it); what is left of it is for
    /// the caller to say, who has every test of the archive.
    fn choose_request(&mut self) {
        let SearchState { kept, guidance, evaluation, .. } = &mut *self.state;
        let targets = &guidance.targets;
        let asks_for_covered =
            self.options.watch_covered || kept.is_best_individual() || targets.keeps_covered();
        evaluation.ask_for(
            self.class.goals,
            |goal| asks_for_covered || !kept.archive().is_covered(goal),
            |goal| targets.is_postponed(goal),
        );
    }

    /// From now on these goals wait when they would become targets, until [`SearchContext::take_up`], and no
    /// mutant among them is run.
    pub fn postpone(&mut self, goals: impl IntoIterator<Item = GoalId>) {
        self.state.guidance.targets.postpone(goals);
        self.state.guidance.note_news();
        self.follow_coverage();
    }

    /// What was postponed and is due waits no longer, from the next [`SearchContext::update_targets`] on. Whether runs from now
    /// on are with mutants that those so far were without.
    pub fn take_up(&mut self, is_due: impl Fn(&Goal) -> bool) -> bool {
        let goals = self.class.goals;
        let due = self.state.guidance.targets.take_up(|id| is_due(goals.goal(id)));
        self.state.guidance.note_news();
        self.follow_coverage();
        due.iter().any(|&id| matches!(goals.goal(id).kind, GoalKind::Mutant { .. }))
    }

    /// These goals are aimed at no more, whatever is covered: the search is complete without them.
    pub fn give_up(&mut self, is_given_up: impl Fn(&Goal) -> bool) {
        let goals = self.class.goals;
        self.state.guidance.give_up(goals.ids().filter(|&id| is_given_up(goals.goal(id))));
        self.follow_coverage();
    }

    /// Aims at goals as well, from the next [`SearchContext::update_targets`] on.
    pub fn aim_at(&mut self, goals: &[GoalId]) {
        self.state.guidance.targets.activate(goals);
    }

    /// Aims at every goal that is not covered, from the next [`SearchContext::update_targets`] on.
    pub fn aim_at_all(&mut self) {
        let graph = self.class.graph;
        let all: Vec<GoalId> = self.class.goals.ids().filter(|&goal| graph.guides(goal)).collect();
        self.state.guidance.targets.activate(&all);
    }

    /// As [`SearchContext::aim_at_all`], and goals stay targets when they are covered.
    pub fn aim_at_all_for_good(&mut self) {
        self.state.guidance.targets.keep_covered();
        self.aim_at_all();
    }

    /// UPDATE-TARGETS, and the fitness of these individuals for the targets that are new.
    pub fn update_targets(&mut self, populations: &mut [&mut Vec<TestCaseChromosome>]) {
        let SearchState { kept, guidance, evaluation, improved, .. } = &mut *self.state;
        let targets = &mut guidance.targets;
        if !targets.update(self.class.graph, |goal| kept.archive().is_covered(goal)) {
            return;
        }
        let old = std::mem::take(&mut targets.objectives);
        let new = evaluation.objectives(targets.goals());
        evaluation.evaluate_again(populations, &old, &new);
        // They wait for the next generation.
        evaluation.evaluate_again(&mut [improved], &old, &new);
        targets.objectives = new;
    }
}
