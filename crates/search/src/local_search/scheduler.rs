//! When local search is applied, and to which tests (§4.3, Algorithm 1, lines 6 to 16).
//!
//! Where individuals are test cases the best one for a goal is the nearest run that any test of the search had of it. Goals
//! whose run came nearest are improved first. A goal whose nearest run could not be improved waits until it has a nearer one,
//! or twice as long as the last time.
//!
//! # Differences
//! The paper has suites for individuals, and improves the best of them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use coverage::goal::GoalId;
use testcase::random::Random;
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::climb::{Climb, Landscape, Reaction};
use super::expansion::expanded;
use super::options::LocalBudget;
use super::search_landscape::SearchLandscape;
use super::test_search::{TEST_SEARCHES, TestSearch};
use super::tools::{Applied, AppliedTool, Tools};
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
    /// Goals that were tried in vain.
    tried: BTreeMap<GoalId, Tried>,
    /// What came of it so far.
    applied: Applied,
    /// Part of the budget that went to applications which covered nothing.
    in_vain: f64,
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
        let (tried, applied, tools) = (BTreeMap::new(), Applied::default(), Tools::new(searches));
        Ok(Self { used, probability: None, tried, applied, in_vain: 0.0, allowance: None, tools })
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
        self.allowance = Some(Allowance::new(context));
        let (before, began) = (context.used(), context.environment.budget.used());
        // Lines 8 to 15: one individual after the other, until the budget is used.
        algorithm.improve(self, context);
        self.allowance = None;
        let after = context.used();
        self.applied.add_between(before, after);
        if after.covered == before.covered {
            self.in_vain += context.environment.budget.used() - began;
        }
    }

    /// Whether there may be an application in this generation.
    fn is_due(&self, context: &SearchContext<'_, '_>) -> bool {
        let options = &context.options.local_search;
        let rate = match self.used {
            LocalSearchUse::Own => options.rate.max(1),
            LocalSearchUse::Beside => options.rate,
            LocalSearchUse::Always => return true,
            LocalSearchUse::Never => 0,
        };
        rate > 0
            && context.state.generation.is_multiple_of(rate)
            && self.in_vain <= context.environment.budget.used() * options.most_in_vain
    }

    fn probability(&self, context: &SearchContext<'_, '_>) -> f64 {
        self.probability.unwrap_or(context.options.local_search.probability)
    }

    /// Whether the application has used what it may.
    pub(crate) fn is_spent(&self, context: &SearchContext<'_, '_>) -> bool {
        is_spent(self.allowance.as_ref(), context)
    }

    /// What the application may still use, and what improves tests.
    pub(crate) fn parts(&mut self) -> (Option<&Allowance>, &mut Tools<'a>) {
        (self.allowance.as_ref(), &mut self.tools)
    }

    /// Whether there is a test search that is on.
    pub(crate) fn has_searches(&self, context: &SearchContext<'_, '_>) -> bool {
        self.tools.has_searches(&context.options.local_search)
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

    /// Improves the nearest tests of targets.
    pub(crate) fn improve_nearest(&mut self, context: &mut SearchContext<'_, '_>) {
        while !self.is_spent(context) && !context.is_over() {
            let Some((goal, test)) = self.next_goal(context) else { break };
            self.apply(goal, &test, context);
        }
    }

    /// The target whose nearest run came nearest, of those that are not to wait.
    fn next_goal(&self, context: &SearchContext<'_, '_>) -> Option<(GoalId, Arc<TestCase>)> {
        let state = &context.state;
        let near = state.objectives().goals().iter().filter_map(|&goal| {
            let (fitness, test) = state.near_misses.of(goal)?.best.as_ref()?;
            let waits = self
                .tried
                .get(&goal)
                .is_some_and(|tried| *fitness >= tried.fitness && state.generation < tried.due);
            (!waits && !state.archive().is_covered(goal)).then_some((goal, *fitness, test))
        });
        let nearest = near.min_by(|(a, one, _), (b, other, _)| one.total_cmp(other).then(a.cmp(b)));
        nearest.map(|(goal, _, test)| (goal, Arc::clone(test)))
    }

    /// Improves the nearest test of a goal.
    fn apply(&mut self, goal: GoalId, test: &TestCase, context: &mut SearchContext<'_, '_>) {
        let (options, cluster) = (context.options, context.class.cluster);
        let local = &options.local_search;
        let start = if local.expansion { expanded(test, options.factory.max_length) } else { test.clone() };
        let generation = context.state.generation;
        self.begin_individual();
        let Self { allowance, tools, .. } = self;
        let Some(mut landscape) = TargetLandscape::new(goal, &start, allowance.as_ref(), context) else {
            self.wait(goal, f64::INFINITY, generation);
            return;
        };
        let mut climb = Climb::new(start, &mut landscape, cluster, local);
        tools.improve(&mut climb, |_| true);
        if local.extended {
            tools.search(&mut climb);
        }
        let helped = climb.improvements() > 0;
        let TargetLandscape { best, individual, context, .. } = landscape;
        // Line 14: the individual that was improved takes part in the next generation.
        context.state.improved.extend(individual.filter(|_| helped));
        self.end_individual(helped, context);
        if helped {
            self.tried.remove(&goal);
        }
        if !context.state.archive().is_covered(goal) {
            self.wait(goal, best, generation);
        }
    }

    /// A goal is not tried again for a while, unless something comes nearer.
    fn wait(&mut self, goal: GoalId, fitness: f64, generation: u64) {
        let tried = self.tried.entry(goal).or_insert(Tried { fitness, failures: 0, due: 0 });
        tried.fitness = fitness;
        tried.due = generation + (WAIT << tried.failures.min(MOST_DOUBLINGS));
        tried.failures += 1;
    }
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
    evaluations: u64,
    executions: u64,
    statements: u64,
    individuals: u64,
    began: Duration,
}

impl Allowance {
    fn new(context: &SearchContext<'_, '_>) -> Self {
        let budget = &context.environment.budget;
        Self {
            budget: context.options.local_search.budget,
            share: (budget.used(), context.options.local_search.largest_share),
            evaluations: budget.evaluations(),
            executions: budget.executions(),
            statements: budget.statements(),
            individuals: 0,
            began: budget.elapsed(),
        }
    }

    fn is_spent(&self, budget: &Budget) -> bool {
        let (began, share) = self.share;
        budget.used() - began >= share
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
    best: f64,
    begun: usize,
    compared: Vec<Value>,
    /// The best individual.
    individual: Option<TestCaseChromosome>,
}

impl<'s, 'l, 'c, 'b> TargetLandscape<'s, 'l, 'c, 'b> {
    /// A landscape in which a test is the best; `None` if it does not come near the goal any more.
    fn new(
        goal: GoalId,
        start: &TestCase,
        allowance: Option<&'s Allowance>,
        context: &'l mut SearchContext<'c, 'b>,
    ) -> Option<Self> {
        let mut landscape = Self {
            goal,
            context,
            allowance,
            best: f64::INFINITY,
            begun: 0,
            compared: Vec::new(),
            individual: None,
        };
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

    fn is_over(&self) -> bool {
        // What it begins with is run in any case, to know what is better.
        self.individual.is_some() && is_spent(self.allowance, self.context)
            || self.context.state.archive().is_covered(self.goal)
            || self.context.state.objectives().column(self.goal).is_none()
    }

    fn judge(&mut self, test: &TestCase, evaluated: Evaluated) -> Reaction {
        let individual = match evaluated {
            Evaluated::Individual(individual) => individual,
            Evaluated::Useless => return Reaction::Same,
            Evaluated::Over => return Reaction::Over,
        };
        let Some(column) = self.context.state.objectives().column(self.goal) else { return Reaction::Over };
        let fitness = individual.fitness.value(column);
        if fitness < self.best {
            self.best = fitness;
            self.begun = self.context.begun(test);
            self.compared = self.context.compared();
            self.individual = Some(individual);
            Reaction::Better
        } else if fitness.to_bits() == self.best.to_bits() {
            Reaction::Same
        } else {
            Reaction::Changed
        }
    }

    fn statements_begun(&self) -> usize {
        self.begun
    }

    fn compared_values(&self) -> &[Value] {
        &self.compared
    }
}
