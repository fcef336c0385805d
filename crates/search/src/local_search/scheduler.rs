//! When local search is applied, and to which tests (§4.3, Algorithm 1, lines 6 to 16).
//!
//! Where individuals are test cases the best one for a goal is the nearest run that any test of the search had of it. Goals
//! whose run came nearest are improved first. A goal whose nearest run could not be improved waits until it has a nearer one,
//! or twice as long as the last time. A goal is left for the next one after some runs in a row that did not help, each time after
//! twice as many: what is easy is found first, whatever else is open.
//!
//! # Differences
//! The paper has suites for individuals, and improves the best of them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use coverage::goal::GoalId;
use testcase::cluster::Call;
use testcase::random::Random;
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::climb::{Climb, Landscape, Reaction};
use super::expansion::expanded;
use super::focus::focus;
use super::options::{LocalBudget, LocalSearchOptions};
use super::search_landscape::SearchLandscape;
use super::test_search::{TEST_SEARCHES, TestSearch};
use super::tools::{Applied, AppliedTool, Kind, Tools};
use crate::algorithm::{LocalSearchUse, SearchAlgorithm, SearchError};
use crate::budget::Budget;
use crate::chromosome::TestCaseChromosome;
use crate::context::{Evaluated, SearchContext};
use crate::source::TestSource;

/// Decides on applications of local search, and what came of them.
#[derive(Debug)]
pub struct Scheduler<'a> {
    used: LocalSearchUse,
    /// Probability of an application; `None` before the first generation.
    probability: Option<f64>,
    /// Goals that were tried in vain, by operators and by test searches.
    tried: [BTreeMap<GoalId, Tried>; 2],
    /// What came of it so far.
    applied: Applied,
    /// Of the application that goes on.
    allowance: Option<Allowance>,
    /// What improves tests.
    tools: Tools<'a>,
}

/// A goal whose nearest run could not be improved.
#[derive(Debug, Clone, Copy)]
struct Tried {
    /// Its fitness.
    fitness: f64,
    /// Failures in a row.
    failures: u32,
    /// Generation from which on it is tried again, even so.
    due: u64,
}

/// Generations that a goal waits after its first failure; each further one doubles them.
const WAIT: u64 = 8;

/// Most times that waiting is doubled.
const MOST_DOUBLINGS: u32 = 10;

/// Runs in a row without improvement after which a goal is left that was not tried in vain so far; each failure doubles them.
const RUNS_IN_VAIN: u64 = 128;

/// Most times that they are doubled.
const MOST_PATIENCE: u32 = 4;

impl<'a> Scheduler<'a> {
    /// Nothing done yet, for an algorithm that local search goes with in this way, with the test searches of the caller.
    pub(crate) fn new(
        used: LocalSearchUse,
        searches: Vec<Box<dyn TestSearch + 'a>>,
    ) -> Result<Self, SearchError> {
        if let Some(unknown) = searches.iter().find(|search| !TEST_SEARCHES.contains(&search.name())) {
            let (name, known) = (unknown.name().to_owned(), TEST_SEARCHES.join(", "));
            return Err(SearchError::UnknownTestSearch { name, known });
        }
        let (tried, applied, tools) = (Default::default(), Applied::default(), Tools::new(searches));
        Ok(Self { used, probability: None, tried, applied, allowance: None, tools })
    }

    /// What came of it so far.
    pub(crate) fn applied(&self) -> Applied {
        self.applied
    }

    /// What came of each operator and test search that did anything.
    pub(crate) fn applied_tools(&self) -> Vec<AppliedTool> {
        self.tools.applied()
    }

    /// To be called after each generation of an algorithm.
    pub(crate) fn step(&mut self, algorithm: &mut dyn SearchAlgorithm, context: &mut SearchContext<'_, '_>) {
        if context.is_over() || !self.is_due(context) || !algorithm.is_to_improve(self, context) {
            return;
        }
        // Line 6: the probability decides once per generation.
        let probability = match self.used {
            LocalSearchUse::Always => 1.0,
            LocalSearchUse::Own | LocalSearchUse::Beside | LocalSearchUse::Never => self.probability(context),
        };
        if !context.environment.random.chance(probability) {
            return;
        }
        self.allowance = Some(Allowance::new(
            &context.options.local_search,
            context.environment.budget,
            self.allowed(context),
        ));
        let before = context.used();
        // Lines 8 to 15: one individual after the other, until the budget is used.
        algorithm.improve(self, context);
        self.allowance = None;
        self.applied.add_between(before, context.used());
    }

    /// What an application may use in vain, as a share of the budget.
    fn allowed(&self, context: &SearchContext<'_, '_>) -> f64 {
        if self.used == LocalSearchUse::Always {
            return 1.0;
        }
        let allowed = |kind| self.tools.allowed(kind, &context.options.local_search);
        KINDS.into_iter().filter_map(allowed).fold(0.0, f64::max)
    }

    /// Whether there may be an application in this generation.
    fn is_due(&mut self, context: &SearchContext<'_, '_>) -> bool {
        let options = &context.options.local_search;
        let used = context.used();
        self.tools.earn(used.share, used.covered, options);
        let rate = match self.used {
            LocalSearchUse::Own => options.rate.max(1),
            LocalSearchUse::Beside => options.rate,
            LocalSearchUse::Always => return true,
            LocalSearchUse::Never => 0,
        };
        rate > 0
            && context.state.generation.is_multiple_of(rate)
            && KINDS.into_iter().any(|kind| self.may_apply(kind, context))
    }

    fn probability(&self, context: &SearchContext<'_, '_>) -> f64 {
        self.probability.unwrap_or(context.options.local_search.probability)
    }

    /// Whether the application has used what it may.
    pub(crate) fn is_spent(&self, context: &SearchContext<'_, '_>) -> bool {
        is_spent(self.allowance.as_ref(), context)
    }

    /// Whether what it did of late helped less often than not, so that what costs more is to be tried as well.
    pub(crate) fn is_thorough(&self, context: &SearchContext<'_, '_>) -> bool {
        let options = &context.options.local_search;
        options.extended && self.probability(context) < options.probability
    }

    /// What the application may still use, and what improves tests.
    pub(crate) fn parts(&mut self) -> (Option<&Allowance>, &mut Tools<'a>) {
        (self.allowance.as_ref(), &mut self.tools)
    }

    /// Whether there is a tool of a kind that is on and may begin.
    pub(crate) fn may_apply(&self, kind: Kind, context: &SearchContext<'_, '_>) -> bool {
        self.used == LocalSearchUse::Always && self.tools.has(kind, &context.options.local_search)
            || self.tools.allowed(kind, &context.options.local_search).is_some()
    }

    /// An individual is to be improved now.
    pub(crate) fn begin_individual(&mut self) {
        self.applied.tried += 1;
        if let Some(allowance) = &mut self.allowance {
            allowance.individuals += 1;
        }
    }

    /// Line 10: the probability follows success.
    pub(crate) fn end_individual(&mut self, helped: bool, context: &SearchContext<'_, '_>) {
        let options = &context.options.local_search;
        self.applied.improved += u64::from(helped);
        let probability = self.probability(context);
        let adapted =
            if helped { probability * options.adaptation } else { probability / options.adaptation };
        self.probability = Some(adapted.clamp(options.least_probability.min(1.0), 1.0));
    }

    /// Improves the nearest tests of targets, first by operators, then by test searches: runs of the latter are recorded, and code is
    /// exchanged for that, once for all of them.
    pub(crate) fn improve_nearest(&mut self, context: &mut SearchContext<'_, '_>) {
        let options = context.options;
        for kind in KINDS.into_iter().filter(|&kind| kind == Kind::Operators || options.local_search.extended)
        {
            let Some(allowed) = self.tools.allowed(kind, &options.local_search) else { continue };
            self.allowance = Some(Allowance::new(&options.local_search, context.environment.budget, allowed));
            while !self.is_spent(context) && !context.is_over() {
                let Some((goal, test)) = self.next_goal(kind, context) else { break };
                self.apply(goal, &test, kind, context);
            }
        }
    }

    /// The target whose nearest run came nearest, of those that are not to wait; beyond the paper, among those that were tried
    /// in vain least often.
    fn next_goal(&self, kind: Kind, context: &SearchContext<'_, '_>) -> Option<(GoalId, Arc<TestCase>)> {
        let state = &context.state;
        let tried = &self.tried[kind as usize];
        let near = state.objectives().goals().iter().filter_map(|&goal| {
            let (fitness, test) = state.near_misses.of(goal)?.best.as_ref()?;
            let waits = tried
                .get(&goal)
                .is_some_and(|tried| *fitness >= tried.fitness && state.generation < tried.due);
            let failures = tried.get(&goal).filter(|_| context.options.local_search.extended);
            let failures = failures.map_or(0, |tried| tried.failures);
            (!waits && !state.archive().is_covered(goal)).then_some((failures, *fitness, goal, test))
        });
        let nearest = near.min_by(|(failures, one, a, _), (others, other, b, _)| {
            failures.cmp(others).then(one.total_cmp(other)).then(a.cmp(b))
        });
        nearest.map(|(_, _, goal, test)| (goal, Arc::clone(test)))
    }

    /// Improves the nearest test of a goal.
    fn apply(&mut self, goal: GoalId, test: &TestCase, kind: Kind, context: &mut SearchContext<'_, '_>) {
        let (options, cluster) = (context.options, context.class.cluster);
        let local = &options.local_search;
        let start = if local.expansion { expanded(test, options.factory.max_length) } else { test.clone() };
        let (generation, covered) = (context.state.generation, context.used().covered);
        self.begin_individual();
        let Self { allowance, tools, tried, .. } = self;
        let tried = &mut tried[kind as usize];
        let failures = tried.get(&goal).map_or(0, |tried| tried.failures);
        // What costs little comes first. Where that did not help the goal is worth more.
        let is_thorough = local.extended && failures > 0;
        let patience = match kind {
            Kind::Operators if local.extended => RUNS_IN_VAIN << failures.min(MOST_PATIENCE),
            // Test searches know when to end.
            Kind::Operators | Kind::Searches => u64::MAX,
        };
        let Some(mut landscape) = TargetLandscape::new(goal, &start, allowance.as_ref(), patience, context)
        else {
            wait(tried, goal, f64::INFINITY, generation);
            return;
        };
        let mut climb = Climb::new(start, &mut landscape, cluster, local).thoroughly(is_thorough);
        match kind {
            Kind::Operators => {
                if local.extended {
                    focus(&mut climb);
                }
                tools.improve(&mut climb, |_| true);
            }
            Kind::Searches => tools.search(&mut climb),
        }
        let helped = climb.improvements() > 0;
        let TargetLandscape { best, context, .. } = landscape;
        let nearest = best.as_ref().map_or(f64::INFINITY, |best| best.fitness);
        // Line 14: the individual that was improved takes part in the next generation.
        context.state.improved.extend(best.map(|best| best.individual).filter(|_| helped));
        if helped {
            tried.remove(&goal);
        }
        if !context.state.archive().is_covered(goal) {
            wait(tried, goal, nearest, generation);
        }
        if let Some(allowance) = allowance {
            allowance.note_gain(tools.worth(context.used().covered - covered), context.environment.budget);
        }
        self.end_individual(helped, context);
    }
}

/// The kinds of tools, in the order in which they are applied.
const KINDS: [Kind; 2] = [Kind::Operators, Kind::Searches];

/// A goal is not tried again for a while, unless something comes nearer.
fn wait(tried: &mut BTreeMap<GoalId, Tried>, goal: GoalId, fitness: f64, generation: u64) {
    let tried = tried.entry(goal).or_insert(Tried { fitness, failures: 0, due: 0 });
    tried.fitness = fitness;
    tried.due = generation + (WAIT << tried.failures.min(MOST_DOUBLINGS));
    tried.failures += 1;
}

/// Whether an application has used what it may; without an allowance there is none.
pub(crate) fn is_spent(allowance: Option<&Allowance>, context: &SearchContext<'_, '_>) -> bool {
    allowance.is_none_or(|allowance| allowance.is_spent(context.environment.budget))
}

/// What one application may still use.
#[derive(Debug)]
pub(crate) struct Allowance {
    budget: LocalBudget,
    /// The part of the budget of the search that was used when it began, and that it may use.
    share: (f64, f64),
    /// The part that was used when it began, with what was not in vain since, and that it may use in vain.
    in_vain: (f64, f64),
    evaluations: u64,
    executions: u64,
    statements: u64,
    individuals: u64,
    began: Duration,
}

impl Allowance {
    /// All of what options give, from now on; of the budget of the search `allowed` may be in vain.
    pub(super) fn new(options: &LocalSearchOptions, budget: &Budget, allowed: f64) -> Self {
        Self {
            budget: options.budget,
            share: (budget.used_with_work(), options.largest_share),
            in_vain: (budget.used_with_work(), allowed),
            evaluations: budget.evaluations(),
            executions: budget.executions(),
            statements: budget.statements(),
            individuals: 0,
            began: budget.elapsed(),
        }
    }

    /// What was covered is worth such a share of the budget.
    fn note_gain(&mut self, worth: f64, budget: &Budget) {
        self.in_vain.0 = (self.in_vain.0 + worth).min(budget.used_with_work());
    }

    /// Whether nothing is left of it.
    pub(super) fn is_spent(&self, budget: &Budget) -> bool {
        let used = budget.used_with_work();
        // All of a budget is past at its end only.
        let is_past = |(began, share): (f64, f64)| share < 1.0 && used - began >= share;
        is_past(self.share)
            || is_past(self.in_vain)
            || match self.budget {
                LocalBudget::Evaluations(most) => budget.evaluations() - self.evaluations >= most,
                LocalBudget::Executions(most) => budget.executions() - self.executions >= most,
                LocalBudget::Statements(most) => budget.statements() - self.statements >= most,
                // The last one is improved to the end.
                LocalBudget::Individuals(most) => self.individuals > most,
                LocalBudget::Time(most) => budget.elapsed().saturating_sub(self.began) >= most,
            }
    }
}

/// The landscape of one goal: the fitness of a test for it.
struct TargetLandscape<'s, 'l, 'c, 'b> {
    goal: GoalId,
    context: &'l mut SearchContext<'c, 'b>,
    allowance: Option<&'s Allowance>,
    /// `None` as long as what is run next is the best in any case.
    best: Option<Best>,
    aside: Option<Best>,
    /// Runs since the best one.
    in_vain: u64,
    /// After so many there is no further one.
    patience: u64,
}

/// What is known of the best individual.
struct Best {
    fitness: f64,
    begun: usize,
    compared: Vec<Value>,
    individual: TestCaseChromosome,
}

impl<'s, 'l, 'c, 'b> TargetLandscape<'s, 'l, 'c, 'b> {
    /// A landscape in which a test is the best; `None` if it does not come near the goal any more.
    fn new(
        goal: GoalId,
        start: &TestCase,
        allowance: Option<&'s Allowance>,
        patience: u64,
        context: &'l mut SearchContext<'c, 'b>,
    ) -> Option<Self> {
        let (best, aside) = (None, None);
        let mut landscape = Self { goal, context, allowance, best, aside, in_vain: 0, patience };
        (landscape.attempt(start) == Reaction::Better).then_some(landscape)
    }
}

impl<'c, 'b> SearchLandscape<'c, 'b> for TargetLandscape<'_, '_, 'c, 'b> {
    fn context(&self) -> &SearchContext<'c, 'b> {
        self.context
    }

    fn context_mut(&mut self) -> &mut SearchContext<'c, 'b> {
        self.context
    }

    fn source_and_random(&mut self) -> (&mut dyn TestSource, &mut Random) {
        self.context.source()
    }

    fn calls_that_write(&self) -> Vec<Call> {
        self.context.writers(self.goal)
    }

    fn is_over(&self) -> bool {
        // What it begins with is run in any case, to know what is better.
        let has_begun = self.best.is_some() || self.aside.is_some();
        has_begun && (self.in_vain >= self.patience || is_spent(self.allowance, self.context))
            || self.context.state.archive().is_covered(self.goal)
            || self.context.state.objectives().column(self.goal).is_none()
    }

    fn judge(&mut self, test: &TestCase, evaluated: Evaluated) -> Reaction {
        let individual = match evaluated {
            Evaluated::Individual(individual) => individual,
            Evaluated::Useless => {
                self.in_vain += 1;
                return Reaction::Same;
            }
            Evaluated::Over => return Reaction::Over,
        };
        self.in_vain += 1;
        let Some(column) = self.context.state.objectives().column(self.goal) else { return Reaction::Over };
        let fitness = individual.fitness.value(column);
        match &self.best {
            Some(best) if fitness.to_bits() == best.fitness.to_bits() => Reaction::Same,
            Some(best) if fitness > best.fitness => Reaction::Changed,
            Some(_) | None => {
                let (begun, compared) = (self.context.begun(test), self.context.compared());
                self.best = Some(Best { fitness, begun, compared, individual });
                // From elsewhere it has to come farther before it is worth anything.
                self.in_vain *= u64::from(self.aside.is_some());
                Reaction::Better
            }
        }
    }

    fn statements_begun(&self) -> usize {
        self.best.as_ref().map_or(0, |best| best.begun)
    }

    fn compared_values(&self) -> &[Value] {
        self.best.as_ref().map_or(&[], |best| &best.compared)
    }

    fn set_best_aside(&mut self) -> bool {
        self.aside = self.best.take();
        true
    }

    fn settle_best(&mut self, preferred: bool) -> bool {
        let Some(before) = self.aside.take() else { return false };
        let is_better = self
            .best
            .as_ref()
            .is_some_and(|now| now.fitness < before.fitness || preferred && now.fitness <= before.fitness);
        if is_better {
            self.in_vain *= u64::from(preferred);
        } else {
            self.best = Some(before);
        }
        is_better
    }
}
