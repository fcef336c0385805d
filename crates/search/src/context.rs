//! What an algorithm works with: it runs tests, keeps the archive, the targets and their fitness, and tells of it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use std::time::Duration;

use bytecode::probe_map::{Evidence, OutcomeId, ProbeId};
use coverage::distance::TAKEN;
use coverage::fitness::{FitnessFunction, FitnessVector};
use coverage::goal::{GoalId, GoalKind, GoalSet};
use coverage::goal_graph::GoalGraph;
use fixedbitset::FixedBitSet;
use testcase::clock::Clock;
use testcase::cluster::{Call, TestCluster};
use testcase::execution::{ComparisonOperand, ExecutionResult, ExecutionTrace, Executor, Outcome};
use testcase::random::Random;
use testcase::run_request::{MutantRuns, RunRequest};
use testcase::test_case::TestCase;

use crate::algorithm::ArchivePolicy;
use crate::archive::{Archive, ArchivedTest, Penalty, delivered_length};
use crate::budget::Budget;
use crate::call_weights::CallWeights;
use crate::chromosome::{RunSummary, TestCaseChromosome};
use crate::event::SearchEvent;
use crate::open_goals::near_misses::NearMisses;
use crate::operators::subvector::Crowding;
use crate::options::SearchOptions;
use crate::patience::Patience;
use crate::performance::{Proxies, ProxyTable};
use crate::phase::{Phase, PhaseClock};
use crate::source::TestSource;
use crate::targets::Targets;

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

/// What of the goals takes runs time to tell ([`GoalKind::costs_time`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Costly {
    Nothing,
    Values,
    /// And values, maybe.
    Mutants,
}

impl Costly {
    fn of(goals: &GoalSet) -> Self {
        let goals = goals.goals();
        if goals.iter().any(|goal| matches!(goal.kind, GoalKind::Mutant { .. })) {
            Self::Mutants
        } else if goals.iter().any(|goal| goal.kind.costs_time()) {
            Self::Values
        } else {
            Self::Nothing
        }
    }
}

/// What a search keeps from step to step, whatever the algorithm.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that have nothing to do with each other")]
pub struct SearchState {
    pub(crate) archive: Archive,
    /// What the archive holds.
    policy: ArchivePolicy,
    /// Fitness and length of the best individual so far, where it is what the archive holds.
    best: Option<(f64, usize)>,
    pub(crate) targets: Targets,
    pub(crate) generation: u64,
    pub(crate) clock: PhaseClock,
    /// For who asks why goals stay open.
    pub(crate) near_misses: NearMisses,
    /// Tests to run before anything else, in reverse order.
    pub(crate) seeds: Vec<TestCase>,
    /// Individuals that local search improved since the last step.
    pub(crate) improved: Vec<TestCaseChromosome>,
    fitness: FitnessFunction,
    call_weights: CallWeights,
    patience: Patience,
    /// Callables that count as calls of the class under test.
    test_calls: FixedBitSet,
    /// The best tests of the current step that ended in exceptions no goal knows of yet, by probe.
    throwing: BTreeMap<ProbeId, ArchivedTest>,
    /// Probes from this number on are those of exceptions.
    first_exception: usize,
    /// Whether the source of tests is not to know what is covered.
    pub(crate) is_blind: bool,
    /// Whether every goal that guides is covered.
    pub(crate) is_guided_no_more: bool,
    /// Whether those guide as well that did not at first.
    pub(crate) all_guide: bool,
    /// Whether there is something that the executor and the source of tests do not know yet.
    pub(crate) has_new_coverage: bool,
    costly: Costly,
    /// What runs are asked for.
    request: RunRequest,
    result: ExecutionResult,
    restored: ExecutionTrace,
    /// What runs cost, where the archive asks.
    prices: ProxyTable,
    /// What the last run cost, where the archive asks.
    proxies: Proxies,
    /// Goals that the last run covers, where they are asked for.
    covered: Vec<GoalId>,
}

impl SearchState {
    /// The state before the first step. `probes` and `outcomes` are the numbers of all that the executor reports.
    pub fn new(
        class: ClassContext<'_>,
        policy: ArchivePolicy,
        options: &SearchOptions,
        seeds: Vec<TestCase>,
        probes: usize,
        outcomes: usize,
    ) -> Self {
        let ClassContext { goals, graph, cluster } = class;
        Self {
            archive: Archive::new(goals.len(), options.archive_replaces_equal),
            policy,
            best: None,
            targets: Targets::new(goals.len()),
            generation: 0,
            clock: PhaseClock::default(),
            near_misses: NearMisses::new(goals.len()),
            seeds: seeds.into_iter().rev().collect(),
            improved: Vec::new(),
            fitness: FitnessFunction::new(goals, graph, options.normalization),
            call_weights: CallWeights::new(cluster, graph.methods()),
            patience: Patience::new(cluster.callables.len()),
            test_calls: test_calls(cluster),
            throwing: BTreeMap::new(),
            first_exception: probes,
            is_blind: false,
            is_guided_no_more: false,
            all_guide: false,
            has_new_coverage: true,
            costly: Costly::of(goals),
            // Seeds are run with all mutants; from the first step on only with those that matter.
            request: RunRequest::brief().with_mutants(goals.mutants(), MutantRuns::Sparing),
            result: ExecutionResult::new(probes, outcomes),
            restored: ExecutionTrace::new(probes, outcomes),
            prices: match policy {
                ArchivePolicy::CollectsCheapest => ProxyTable::new(graph.methods()),
                ArchivePolicy::Collects | ArchivePolicy::BestIndividual => ProxyTable::default(),
            },
            proxies: Proxies::default(),
            covered: Vec::new(),
        }
    }

    /// Makes room for goals that were added.
    pub(crate) fn grow(&mut self, goals: usize) {
        self.archive.grow(goals);
        self.near_misses.grow(goals);
    }

    /// The tests of the last step that cover goals added since, in the order of the goals.
    pub(crate) fn take_throwing(&mut self, goals: &GoalSet, added: &[GoalId]) -> Vec<(GoalId, ArchivedTest)> {
        let mut throwing = std::mem::take(&mut self.throwing);
        let test = |&goal: &GoalId| {
            let is_probe = |evidence: &Evidence| match evidence {
                Evidence::Hit(probe) => throwing.remove(probe),
                Evidence::Taken(_) => None,
            };
            goals.goal(goal).covered_by.iter().find_map(is_probe).map(|test| (goal, test))
        };
        added.iter().filter_map(test).collect()
    }

    /// Keeps the test of the last run if it ended in an exception that no goal knows of, and is the best that did.
    fn keep_throwing(&mut self, goals: &GoalSet, test: &TestCase) {
        let last = self.result.trace.touched().last();
        let Some(&probe) = last.filter(|probe| probe.index() >= self.first_exception) else { return };
        if goals.knows(probe) || self.policy == ArchivePolicy::BestIndividual {
            return;
        }
        if let Some(penalty) = Penalty::of(&self.result) {
            let archived = ArchivedTest::new(test, penalty, &self.result.outcome);
            match self.throwing.entry(probe) {
                Entry::Vacant(entry) => drop(entry.insert(archived)),
                Entry::Occupied(mut entry) if archived.is_better_than(entry.get()) => {
                    entry.insert(archived);
                }
                Entry::Occupied(_) => {}
            }
        }
    }

    /// Whether a test calls the class under test, or other code with goals, directly.
    pub fn calls_class_under_test(&self, cluster: &TestCluster, test: &TestCase) -> bool {
        let mut callables = test.statements().iter().filter_map(|statement| cluster.called_by(statement));
        callables.any(|callable| self.test_calls.contains(callable.index()))
    }

    /// Shows the last run to the archive; the test when it entered.
    fn archive_run(
        &mut self,
        goals: &GoalSet,
        test: &TestCase,
        options: &SearchOptions,
    ) -> Option<Arc<ArchivedTest>> {
        let Self { archive, result, policy, prices, proxies, .. } = self;
        match policy {
            ArchivePolicy::Collects => archive.update(goals, test, result).cloned(),
            ArchivePolicy::CollectsCheapest => {
                let length = delivered_length(test, &result.outcome);
                *proxies = prices.measure(test, length, &result.trace);
                archive
                    .update_by_score(goals, test, result, proxies.score(options.adynamosa.proxies))
                    .cloned()
            }
            ArchivePolicy::BestIndividual => None,
        }
    }

    /// What branches compared in the last run.
    pub(crate) fn last_operands(&self) -> &[ComparisonOperand] {
        &self.result.trace.operands
    }

    /// Forgets the best individual: fitness is another from now on.
    pub(crate) fn forget_best(&mut self) {
        self.best = None;
    }

    /// Whether an individual of this fitness and length is the best so far; from now on it is.
    pub(crate) fn is_best(&mut self, fitness: f64, length: usize) -> bool {
        let is_best = self.best.is_none_or(|best| (fitness, length) < best);
        if is_best {
            self.best = Some((fitness, length));
        }
        is_best
    }
}

/// Callables that count as calls of the class under test.
fn test_calls(cluster: &TestCluster) -> FixedBitSet {
    let mut calls = FixedBitSet::with_capacity(cluster.callables.len());
    for call in cluster.test_calls.iter().flatten() {
        if let Call::Callable(id) = call {
            calls.insert(id.index());
        }
    }
    for (index, callable) in cluster.callables.iter().enumerate() {
        if cluster.goal_classes.contains(&callable.declared_in) {
            calls.insert(index);
        }
    }
    calls
}

/// Statements that a run began: those that completed, and the one that ended it.
fn begun(test: &TestCase, result: &ExecutionResult) -> usize {
    match result.outcome {
        Outcome::Passed => result.executed,
        Outcome::Threw(_) | Outcome::TimedOut | Outcome::Exited => (result.executed + 1).min(test.len()),
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

/// How much longer a run with all steps takes than a brief one that used up its own.
const LONG_RUN: u32 = 2000;

impl SearchContext<'_, '_> {
    /// Whether the search is over: nothing left to cover, or nothing left of the budget.
    pub fn is_over(&self) -> bool {
        self.state.is_guided_no_more || self.state.archive.is_complete() || self.environment.budget.is_spent()
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
        if self.is_over() {
            return Evaluated::Over;
        }
        let Self { environment, state, .. } = self;
        state.clock.enter(Phase::Execution);
        let clock = Clock::start();
        environment.executor.execute(&test, &state.request, &mut state.result);
        environment.budget.count_execution();
        environment.budget.count_statements(begun(&test, &state.result));
        state.clock.count_test();
        state.has_new_coverage |= state.patience.note(self.class.cluster, &test, state.result.executed);
        (0..state.result.mutant_runs).for_each(|_| environment.budget.count_execution());
        if state.result.outcome == Outcome::TimedOut {
            self.execute_again(&test, clock.now());
        }
        self.note_end(&test);
        let cost = &mut self.state.result.cost;
        cost.steps = self.environment.budget.cost(cost.steps, clock.now());

        let Self { class, environment, state, .. } = self;
        state.clock.enter(Phase::Archive);
        let executions = environment.budget.executions();
        if let Some(archived) = state.archive_run(class.goals, &test, self.options) {
            state.has_new_coverage |= !state.archive.newly_covered().is_empty();
            (environment.events)(SearchEvent::Archived {
                goals: state.archive.improved(),
                test: &archived,
                covered: state.archive.covered().len(),
                executions,
            });
        }
        state.keep_throwing(class.goals, &test);
        state.near_misses.note_calls(class.cluster, &test, &state.result);
        // What may not be archived gains nothing by being near, and a run that was cut short is not to be believed.
        let is_useful = Penalty::of(&state.result).is_some();
        if !is_useful {
            let SearchState { near_misses, archive, result, .. } = &mut **state;
            near_misses.note_useless(class.goals, result, |goal| archive.is_covered(goal));
        } else if !state.result.trace.operands.is_empty() {
            environment.source.observe(&state.result.trace.operands);
        }

        self.state.clock.enter(Phase::Fitness);
        let evaluated =
            if is_useful { Evaluated::Individual(self.chromosome(test)) } else { Evaluated::Useless };
        self.state.clock.enter(Phase::Generation);
        evaluated
    }

    /// Notes how the last run ended: which calls are drawn how often depends on it.
    fn note_end(&mut self, test: &TestCase) {
        let SearchState { patience, result, has_new_coverage, .. } = &mut *self.state;
        let cluster = self.class.cluster;
        *has_new_coverage |= match result.outcome {
            Outcome::TimedOut | Outcome::Exited => patience.note_end(cluster, test, result.executed),
            Outcome::Passed | Outcome::Threw(_) => false,
        };
    }

    /// Gives a test that was cut short all the steps there are, if it is worth it.
    fn execute_again(&mut self, test: &TestCase, took: Duration) {
        let Self { class, environment, state, .. } = self;
        let SearchState { patience, result, request, .. } = &mut **state;
        if result.stalled {
            return;
        }
        let executions = environment.budget.executions();
        let is_worth_it = patience.is_worth_it(class.cluster, test, result.executed, executions);
        // Code that is not compiled yet may take minutes for all steps.
        if !is_worth_it || environment.budget.is_spent() || !environment.budget.allows(LONG_RUN, took) {
            return;
        }
        environment.executor.execute(test, &request.in_full(), result);
        environment.budget.count_execution();
        environment.budget.count_statements(begun(test, result));
        if result.outcome == Outcome::TimedOut {
            patience.pay(environment.budget.executions());
        }
    }

    /// The individual of the test that was just run.
    fn chromosome(&mut self, test: TestCase) -> TestCaseChromosome {
        let executions = self.environment.budget.executions();
        let goals = self.class.goals;
        let SearchState { archive, targets, fitness: function, result, near_misses, covered, policy, .. } =
            &mut *self.state;
        let mut fitness = FitnessVector::default();
        self.environment.budget.count_evaluation();
        let is_in_archive = *policy != ArchivePolicy::BestIndividual;
        if is_in_archive {
            targets.cover(archive.newly_covered());
        }
        let covered = if targets.keeps_covered() || !is_in_archive {
            goals.covered(&result.trace, covered);
            covered.as_slice()
        } else {
            // Objectives are uncovered goals, or were covered a moment ago, in this generation.
            archive.newly_covered()
        };
        function.evaluate(&result.trace, &targets.objectives, covered, &mut fitness);
        for (column, _) in fitness.reached_values().filter(|&(_, value)| value == TAKEN) {
            targets.pass(targets.objectives.goals()[column]);
        }
        near_misses.note_fitness(&targets.objectives, &fitness, &test, executions);
        let run = RunSummary::new(result, self.class.graph.methods());
        near_misses.note_entries(run.entered());
        let proxies = self.state.proxies;
        TestCaseChromosome { proxies, ..TestCaseChromosome::new(executions, test, fitness, run) }
    }

    /// Statements of the test that was just run which the run began.
    pub(crate) fn begun(&self, test: &TestCase) -> usize {
        begun(test, &self.state.result)
    }

    /// The individuals that local search improved since the last step, for the next generation.
    pub fn take_improved(&mut self) -> Vec<TestCaseChromosome> {
        std::mem::take(&mut self.state.improved)
    }

    /// What the last test did that was run.
    pub fn last_result(&self) -> &ExecutionResult {
        &self.state.result
    }

    /// The tests of a better individual, with the goals that each covers, become the archive.
    pub fn replace_archive<'t>(
        &mut self,
        tests: impl IntoIterator<Item = (&'t [GoalId], &'t Arc<ArchivedTest>)>,
    ) {
        let Self { environment, state, .. } = self;
        let executions = environment.budget.executions();
        let mut best = state.archive.best_of(tests);
        let mut lost: Vec<GoalId> = state.archive.covered().to_vec();
        lost.retain(|goal| best.binary_search_by_key(goal, |&(goal, _)| goal).is_err());
        lost.sort_unstable();
        state.archive.forget(&lost);
        if !lost.is_empty() {
            state.has_new_coverage = true;
            state.targets.activate(&lost);
            let covered = state.archive.covered().len();
            (environment.events)(SearchEvent::Uncovered { goals: &lost, covered, executions });
        }
        best.retain(|&(goal, test)| state.archive.test(goal).is_none_or(|kept| **kept != **test));
        // Test by test, in the order of the first goal of each.
        while let Some(&(_, test)) = best.first() {
            let is_of_test = |other: &Arc<ArchivedTest>| Arc::ptr_eq(other, test);
            let goals = best.iter().filter(|(_, other)| is_of_test(other)).map(|&(goal, _)| goal).collect();
            best.retain(|(_, other)| !is_of_test(other));
            state.archive.put(goals, test);
            state.has_new_coverage |= !state.archive.newly_covered().is_empty();
            state.targets.cover(state.archive.newly_covered());
            (environment.events)(SearchEvent::Archived {
                goals: state.archive.improved(),
                test,
                covered: state.archive.covered().len(),
                executions,
            });
        }
    }

    /// What follows from new coverage, once per generation: which calls and which compared values matter.
    pub fn follow_coverage(&mut self) {
        if !std::mem::take(&mut self.state.has_new_coverage) {
            return;
        }
        self.state.clock.enter(Phase::Archive);
        let ClassContext { goals, graph, .. } = self.class;
        self.choose_request();
        let methods = graph.methods();
        let mut open_methods = FixedBitSet::with_capacity(methods.methods().len());
        let mut open_branches = FixedBitSet::new();
        let mut wanted: Vec<(ProbeId, i64)> = Vec::new();
        let open = self.open_goals();
        self.state.is_guided_no_more = open.is_empty();
        for id in open {
            if let Some(method) = graph.method_of(id) {
                open_methods.insert(methods.method(method).original.index());
            }
            let Some(outcome) = goals.goal(id).outcome else { continue };
            if let Some(branch) = methods.branch(outcome) {
                open_branches.grow_and_insert(branch.probe.index());
                wanted.extend(methods.keys(outcome).iter().map(|&key| (branch.probe, i64::from(key))));
            }
        }
        if self.state.is_blind {
            return;
        }
        let given_up = self.state.patience.given_up(self.class.cluster);
        let weights = self.state.call_weights.weigh(&open_methods, &given_up, self.options);
        self.environment.source.set_call_weights(&weights);
        self.environment.source.set_open_branches(&open_branches);
        self.environment.source.set_wanted(&wanted);
    }

    /// Draws calls by what they lead to, after an algorithm had them drawn otherwise.
    pub fn weigh_calls_again(&mut self) {
        self.state.has_new_coverage = true;
        self.follow_coverage();
    }

    /// The open goals that guide. Where none is left, the other open ones are targets from now on, if options say so.
    fn open_goals(&mut self) -> Vec<GoalId> {
        let ClassContext { goals, graph, .. } = self.class;
        let SearchState { archive, targets, all_guide, near_misses, .. } = &mut *self.state;
        let open: Vec<GoalId> = goals.ids().filter(|&id| !archive.is_covered(id)).collect();
        let guiding: Vec<GoalId> =
            open.iter().copied().filter(|&id| *all_guide || graph.guides(id)).collect();
        if guiding.is_empty() && !open.is_empty() && self.options.rest_guides {
            *all_guide = true;
            near_misses.aimed_at_all = true;
            targets.activate(&open);
            return open;
        }
        guiding
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
        if self.state.costly == Costly::Nothing {
            return;
        }
        let goals = self.class.goals;
        let Self { state, options, .. } = self;
        let asks_for_covered = options.watch_covered
            || state.policy == ArchivePolicy::BestIndividual
            || state.targets.keeps_covered();
        let is_asked_for = |id: &GoalId| asks_for_covered || !state.archive.is_covered(*id);
        let mutants = goals.ids().filter(is_asked_for).filter_map(|id| goals.goal(id).mutant()).collect();
        let is_recorded = |id: &GoalId| {
            let kind = &goals.goal(*id).kind;
            let waits = matches!(kind, GoalKind::Mutant { .. }) && state.targets.is_postponed(*id);
            kind.costs_time() && !waits && is_asked_for(id)
        };
        let mut outcomes: Vec<OutcomeId> =
            goals.ids().filter(is_recorded).filter_map(|id| goals.goal(id).outcome).collect();
        outcomes.sort_unstable();
        state.request = RunRequest { outcomes: Some(outcomes.into()), ..RunRequest::brief() }
            .with_mutants(mutants, MutantRuns::Sparing);
    }

    /// From now on these goals wait when they would become targets, until [`SearchContext::take_up`], and runs need tell
    /// nothing of mutants among them.
    pub fn postpone(&mut self, goals: impl IntoIterator<Item = GoalId>) {
        self.state.targets.postpone(goals);
        self.state.has_new_coverage = true;
        self.follow_coverage();
    }

    /// What was postponed waits no longer, from the next [`SearchContext::update_targets`] on. Whether runs so far told
    /// less than those from now on do.
    pub fn take_up(&mut self) -> bool {
        let any = self.state.targets.take_up();
        self.state.has_new_coverage = true;
        self.follow_coverage();
        any && self.state.costly == Costly::Mutants
    }

    /// Aims at goals as well, from the next [`SearchContext::update_targets`] on.
    pub fn aim_at(&mut self, goals: &[GoalId]) {
        self.state.targets.activate(goals);
    }

    /// Aims at every goal that is not covered, from the next [`SearchContext::update_targets`] on.
    pub fn aim_at_all(&mut self) {
        let graph = self.class.graph;
        let all: Vec<GoalId> = self.class.goals.ids().filter(|&goal| graph.guides(goal)).collect();
        self.state.targets.activate(&all);
    }

    /// As [`SearchContext::aim_at_all`], and goals stay targets when they are covered.
    pub fn aim_at_all_for_good(&mut self) {
        self.state.targets.keep_covered();
        self.aim_at_all();
    }

    /// UPDATE-TARGETS, and the fitness of these individuals for the targets that are new.
    pub fn update_targets(&mut self, populations: &mut [&mut Vec<TestCaseChromosome>]) {
        let SearchState { archive, targets, fitness: function, restored, .. } = &mut *self.state;
        if !targets.update(self.class.graph, |goal| archive.is_covered(goal)) {
            return;
        }
        let old = std::mem::take(&mut targets.objectives);
        let new = function.objectives(targets.goals());
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
            individual.fitness = FitnessFunction::rearrange((&old, before), (&added, &values), &new);
        }
        targets.objectives = new;
    }
}
