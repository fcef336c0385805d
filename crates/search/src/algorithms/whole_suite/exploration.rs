//! Test searches on a suite: what they find is added to the suite, so that it loses nothing by it.
//!
//! Galeotti, Fraser and Arcuri 2013, "Improving Search-based Test Suite Generation with Dynamic Symbolic Execution", §III-B and
//! §III-C: the tests of a suite, expanded, are where the exploration begins, and a test is kept that improves the suite.

use std::collections::BTreeSet;
use std::sync::Arc;

use coverage::goal::GoalId;
use testcase::random::Random;
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::fitness::SuiteFitness;
use super::memetic::expand;
use super::suite::{Suite, TestRun, covered_together};
use super::{WholeSuite, run_of};
use crate::context::{Evaluated, SearchContext};
use crate::local_search::climb::{Climb, Reaction};
use crate::local_search::scheduler::{Allowance, Scheduler, is_spent};
use crate::local_search::search_landscape::SearchLandscape;
use crate::local_search::test_search::OpenOutcome;
use crate::options::{HybridOptions, Individuals};
use crate::source::TestSource;

impl WholeSuite {
    /// Whether an individual is to be explored: the change of a primitive value in the last generation had an effect on it.
    pub(crate) fn is_to_explore(&self, individuals: Individuals) -> bool {
        !self.to_explore(individuals).is_empty()
    }

    /// The individuals to explore, by index.
    fn to_explore(&self, individuals: Individuals) -> Vec<usize> {
        let promises = |suite: &Suite| {
            suite.last.as_ref().is_some_and(|last| match individuals {
                Individuals::Best => last.has_primitive() && last.effect.is_ne(),
                Individuals::Improved => last.has_primitive() && last.effect.is_lt(),
            })
        };
        let among = match individuals {
            Individuals::Best => self.population.len().min(1),
            Individuals::Improved => self.population.len(),
        };
        (0..among).filter(|&index| promises(&self.population[index])).collect()
    }

    /// Explores individuals, the best first, as long as the application may go on.
    pub(crate) fn explore(&mut self, scheduler: &mut Scheduler<'_>, context: &mut SearchContext<'_, '_>) {
        let options = context.options.hybrid;
        let indices = self.to_explore(options.individuals);
        let Some(mut fitness) = self.fitness.take() else { return };
        for index in indices {
            if scheduler.is_spent(context) || context.is_over() {
                break;
            }
            scheduler.begin_individual();
            let tests = self.population[index].tests.clone();
            let tests = explored(tests, options, &mut fitness, scheduler, context);
            let helped = self.replace(index, tests, options.keeps_all, &mut fitness, context);
            scheduler.end_individual(helped, context);
        }
        self.fitness = Some(fitness);
        self.population.sort_by(Suite::compare);
    }
}

/// Applies the test searches to the tests of a suite, one after the other; the suite with what they found.
pub(super) fn explored(
    mut tests: Vec<Arc<TestRun>>,
    options: HybridOptions,
    fitness: &mut SuiteFitness,
    scheduler: &mut Scheduler<'_>,
    context: &mut SearchContext<'_, '_>,
) -> Vec<Arc<TestRun>> {
    if !scheduler.has_searches(context) {
        return tests;
    }
    let local = &context.options.local_search;
    let (allowance, tools) = scheduler.parts();
    for at in 0..tests.len() {
        if is_spent(allowance, context) || context.is_over() {
            break;
        }
        if local.expansion {
            expand(&mut tests[at], context);
        }
        let start = tests[at].test.clone();
        let best = fitness.of(&tests);
        let cluster = context.class.cluster;
        let covered = covered_together(&tests, context.class.goals.len());
        let compared = Vec::new();
        let mut landscape =
            GrowingSuite { tests, at, best, covered, compared, options, fitness, allowance, context };
        tools.search(&mut Climb::new(start, &mut landscape, cluster, local));
        tests = landscape.tests;
    }
    tests
}

/// The landscape of a suite that grows: the fitness of the suite with a test more.
struct GrowingSuite<'l, 'c, 'b> {
    tests: Vec<Arc<TestRun>>,
    /// The best test.
    at: usize,
    best: f64,
    /// Goals that the tests cover.
    covered: u64,
    /// What branches compared in its run, where it was run here.
    compared: Vec<Value>,
    options: HybridOptions,
    fitness: &'l mut SuiteFitness,
    allowance: Option<&'l Allowance>,
    context: &'l mut SearchContext<'c, 'b>,
}

impl<'c, 'b> SearchLandscape<'c, 'b> for GrowingSuite<'_, 'c, 'b> {
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
        self.best == 0.0 || is_spent(self.allowance, self.context) || self.context.is_over()
    }

    fn judge(&mut self, _test: &TestCase, evaluated: Evaluated) -> Reaction {
        let Some(run) = run_of(evaluated, self.context) else { return Reaction::Same };
        let is_known = self.tests.iter().any(|known| known.test == run.test);
        let has_room = self.tests.len() < self.context.options.suites.maximum_tests;
        self.tests.push(run);
        let fitness = self.fitness.of(&self.tests);
        let reaction = if fitness < self.best {
            self.best = fitness;
            self.covered = covered_together(&self.tests, self.context.class.goals.len());
            self.at = self.tests.len() - 1;
            self.compared = self.context.compared();
            Reaction::Better
        } else if fitness.to_bits() == self.best.to_bits() {
            Reaction::Same
        } else {
            Reaction::Changed
        };
        let is_kept = reaction == Reaction::Better || self.options.keeps_all && has_room && !is_known;
        if !is_kept {
            self.tests.pop();
        }
        reaction
    }

    fn statements_begun(&self) -> usize {
        let run = &self.tests[self.at];
        (run.executed() + 1).min(run.test.len())
    }

    fn compared_values(&self) -> &[Value] {
        &self.compared
    }

    /// Where the best suite is the result, what this one covers counts before it is known to be that.
    fn covered_besides(&self) -> u64 {
        self.covered
    }

    /// What the suite does not cover; all that there are where conditions are not filtered.
    fn uncovered_outcomes(&self) -> BTreeSet<OpenOutcome> {
        let covered: BTreeSet<GoalId> =
            self.tests.iter().flat_map(|run| run.covered.iter().copied()).collect();
        let goals = self.context.class.goals;
        let open = goals.ids().filter(|goal| !self.options.filter || !covered.contains(goal));
        open.filter_map(|goal| OpenOutcome::of(goals.goal(goal))).collect()
    }
}
