//! Whole-suite generation: a monotonic genetic algorithm whose individuals are test suites.
//!
//! Fraser, Arcuri and `McMinn` 2015, "A Memetic Algorithm for Whole Test Suite Generation", §3 and Algorithm 1 (its
//! lines 18 to 34 for the global search; the comments name them).
//!
//! * [`suite`]: the individuals
//! * [`fitness`]: suite fitness
//! * [`operators`]: selection, crossover and mutation of suites
//! * [`memetic`]: local search
//! * [`exploration`]: test searches
//!
//! # Differences
//! * Fitness decides, then the number of statements, and an offspring that is longer than
//!   [`crate::options::SearchOptions::bloat_factor`] times the best individual gives way to its parent (Fraser and
//!   Arcuri 2013, "Handling Test Length Bloat").
//! * A suite that mutation left as it was has one of its tests changed: every offspring is worth a run.
//! * A test whose run has no fitness ([`Evaluated::Useless`]) leaves its suite, and so does one that has no call of the
//!   class under test any more.

mod exploration;
pub(crate) mod fitness;
mod memetic;
pub(crate) mod operators;
pub(crate) mod options;
pub(crate) mod suite;

use std::cmp::Ordering;
use std::sync::Arc;

use testcase::test_case::TestCase;

use crate::context::{Evaluated, SearchContext};
use fitness::SuiteFitness;
use memetic::Restorable;
use operators::{Slot, crossover, initial_suite, mutate, select};
use suite::{LastChange, Suite, TestRun};

/// What is done with the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variant {
    /// WS: the best individual is the result, and every goal counts to the end.
    BestIndividual,
    /// WSA: goals that the archive covers leave the fitness, new tests descend from the archive now and then.
    WithArchive,
}

/// The population.
#[derive(Debug)]
pub(crate) struct WholeSuite {
    variant: Variant,
    /// From best to worst; empty before the first generation.
    population: Vec<Suite>,
    fitness: Option<SuiteFitness>,
    /// Number of goals, of those that count, and whether all do that are open, when these were last taken.
    aimed_at: Option<(usize, usize, bool)>,
    /// For local search.
    restorable: Restorable,
    /// Whether somebody asks what mutation changed, whatever the options say.
    tells_changes: bool,
}

impl WholeSuite {
    /// Before the first generation.
    pub(crate) fn new(variant: Variant) -> Self {
        let (population, restorable) = (Vec::new(), Restorable::default());
        Self { variant, population, fitness: None, aimed_at: None, restorable, tells_changes: false }
    }

    /// As this, with individuals that know what mutation changed.
    pub(crate) fn telling_changes(self) -> Self {
        Self { tells_changes: true, ..self }
    }

    /// One generation.
    pub(crate) fn step(&mut self, context: &mut SearchContext<'_, '_>) {
        if self.population.is_empty() {
            context.aim_at_all();
        }
        context.update_targets(&mut []);
        self.aim(context);
        if self.population.is_empty() {
            self.initial_population(context);
        } else {
            self.take_in_seeds(context);
            self.next_population(context);
        }
        self.population.sort_by(Suite::compare);
    }

    /// All seeds that wait, first to last.
    fn seeds(context: &mut SearchContext<'_, '_>) -> Vec<Slot> {
        std::mem::take(&mut context.state.seeds).into_iter().rev().map(|seed| Slot::New(seed, None)).collect()
    }

    /// Seeds that came since the first generation join a copy of the best suite; where there are more than a suite has room
    /// for, several copies.
    fn take_in_seeds(&mut self, context: &mut SearchContext<'_, '_>) {
        let room = context.options.suites.maximum_tests.max(1);
        for seeds in Self::seeds(context).chunks(room) {
            let Some(best) = self.population.first() else { return };
            let slots = seeds.iter().cloned().chain(best.slots()).take(room).collect();
            let suite = self.evaluate(slots, context);
            self.population.push(suite);
            self.population.sort_by(Suite::compare);
        }
    }

    /// Takes the goals that count, and the fitness of the population for them.
    fn aim(&mut self, context: &mut SearchContext<'_, '_>) {
        let archive = context.state.archive();
        let goals = context.class.goals.len();
        let left = match self.variant {
            Variant::BestIndividual => goals,
            Variant::WithArchive => goals - archive.covered().len(),
        };
        let all_guide = context.state.all_guide();
        if self.aimed_at == Some((goals, left, all_guide)) {
            return;
        }
        if self.aimed_at.is_none_or(|(known, ..)| known != goals) {
            self.fitness = Some(SuiteFitness::new(context.class.goals, context.class.graph));
            // Goals that were added since count for the tests that were run before, too.
            for run in self.population.iter_mut().flat_map(|suite| &mut suite.tests) {
                *run = Arc::new(run.for_goals(context.class.goals));
            }
        }
        self.aimed_at = Some((goals, left, all_guide));
        let Some(fitness) = &mut self.fitness else { return };
        let variant = self.variant;
        let graph = context.class.graph;
        fitness.aim_at(|goal| {
            (all_guide || graph.guides(goal))
                && (variant == Variant::BestIndividual || !archive.is_covered(goal))
        });
        for suite in &mut self.population {
            suite.fitness = fitness.of(&suite.tests);
        }
        self.population.sort_by(Suite::compare);
        if let (Variant::BestIndividual, Some(best)) = (variant, self.population.first()) {
            context.forget_best();
            Self::offer(best, context);
        }
    }

    /// Seeds in a suite of their own, then random suites.
    fn initial_population(&mut self, context: &mut SearchContext<'_, '_>) {
        let seeds = Self::seeds(context);
        if !seeds.is_empty() {
            let suite = self.evaluate(seeds, context);
            self.population.push(suite);
        }
        while self.population.len() < context.options.population && !context.is_over() {
            let tests = initial_suite(context);
            let suite = self.evaluate(tests, context);
            self.population.push(suite);
        }
    }

    fn next_population(&mut self, context: &mut SearchContext<'_, '_>) {
        let options = context.options;
        let tells_changes = self.tells_changes || options.local_search.selective;
        self.population.iter_mut().for_each(|suite| suite.last = None);
        let Some(best) = self.population.first() else { return };
        // Shorter than one test nothing is too long.
        let longest =
            ((best.length as f64 * options.suites.bloat_factor) as usize).max(options.factory.max_length);
        let elite = options.suites.elite.min(options.population.saturating_sub(1));
        let mut next: Vec<Suite> = self.population.iter().take(elite).cloned().collect();
        while next.len() < options.population && !context.is_over() {
            // Line 19: two parents.
            let mut select = || select(&self.population, options, context.environment.random).cloned();
            let (Some(first), Some(second)) = (select(), select()) else { return };
            // Lines 20 to 24.
            let (left, right) = if context.environment.random.chance(options.crossover_probability) {
                crossover((&first, &second), options.suites.maximum_tests, context.environment.random)
            } else {
                (first.slots(), second.slots())
            };
            // Lines 25 to 27.
            let left = mutate(left, self.variant, tells_changes, context);
            let right = mutate(right, self.variant, tells_changes, context);
            let (mut left, mut right) = (self.evaluate(left, context), self.evaluate(right, context));
            for (child, parent) in [(&mut left, &first), (&mut right, &second)] {
                if let Some(last) = &mut child.last {
                    last.effect = child.fitness.total_cmp(&parent.fitness);
                }
            }
            // Lines 28 to 34: the better two, as pairs.
            let improves =
                Suite::compare(Suite::better(&left, &right), Suite::better(&first, &second)).is_le();
            for (child, parent) in [(left, first), (right, second)] {
                next.push(if improves && child.length <= longest { child } else { parent });
            }
        }
        // A generation that was cut short competes with what it did not replace.
        next.truncate(options.population);
        let missing = options.population.saturating_sub(next.len());
        next.extend(self.population.iter().take(missing).cloned());
        self.population = next;
    }

    /// Runs the tests that are new, and computes the fitness. The best individual so far is what `ws` results in.
    fn evaluate(&mut self, slots: Vec<Slot>, context: &mut SearchContext<'_, '_>) -> Suite {
        let mut tests: Vec<Arc<TestRun>> = Vec::with_capacity(slots.len());
        let mut changed = Vec::new();
        for slot in slots {
            match slot {
                Slot::Kept(run) => tests.push(run),
                Slot::New(test, changes) => {
                    let Some(run) = run(test, context) else { continue };
                    changed.extend(changes.map(|changes| (tests.len(), changes)));
                    tests.push(run);
                }
            }
        }
        if context.options.local_search.restoring {
            for run in &tests {
                self.restorable.note(run);
            }
        }
        let fitness = self.fitness.as_mut().map_or(f64::INFINITY, |fitness| fitness.of(&tests));
        let last = (!changed.is_empty()).then_some(LastChange { tests: changed, effect: Ordering::Equal });
        let suite = Suite { last, ..Suite::new(tests, fitness) };
        if self.variant == Variant::BestIndividual {
            Self::offer(&suite, context);
        }
        suite
    }

    /// Makes a suite the result if it is the best so far.
    fn offer(suite: &Suite, context: &mut SearchContext<'_, '_>) {
        if context.is_best(suite.fitness, suite.length) {
            context.replace_archive(suite.tests.iter().map(|run| (run.covered.as_slice(), &run.archived)));
        }
    }
}

/// Runs a test; `None` when it has no place in a suite, or was not run because the search is over.
fn run(test: TestCase, context: &mut SearchContext<'_, '_>) -> Option<Arc<TestRun>> {
    let evaluated = context.evaluate(test);
    run_of(evaluated, context)
}

/// The run of a test that was just evaluated, if it may be believed.
fn run_of(evaluated: Evaluated, context: &SearchContext<'_, '_>) -> Option<Arc<TestRun>> {
    match evaluated {
        Evaluated::Individual(individual) => {
            let result = context.last_result();
            TestRun::new(individual.test, result, context.class).map(Arc::new)
        }
        Evaluated::Useless | Evaluated::Over => None,
    }
}
