//! Local search on suites (§4.2 and Algorithm 1, lines 8 to 15): the best individuals are improved where they stand.
//!
//! A suite takes back tests for what it has lost, has predicates executed twice, and then its tests are improved one after the
//! other: of each change one test runs, and the fitness of the suite with it is computed from what is kept of the others.
//!
//! # Differences
//! Beyond the paper the first test that is improved is drawn: where the budget ends before the last one, each has its turn.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytecode::probe_map::ProbeId;
use coverage::goal::GoalId;
use fixedbitset::FixedBitSet;
use testcase::random::Random;
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::exploration::explored;
use super::fitness::SuiteFitness;
use super::suite::{Suite, TestRun, covered_together};
use super::{Variant, WholeSuite, run, run_of};
use crate::context::{Evaluated, SearchContext};
use crate::local_search::climb::{Climb, Reaction};
use crate::local_search::expansion::expanded;
use crate::local_search::scheduler::{Allowance, Scheduler, is_spent};
use crate::local_search::search_landscape::SearchLandscape;
use crate::local_search::tools::Kind;
use crate::options::HybridOptions;
use crate::source::TestSource;

/// Tests that covered something first, from which suites take back what they have lost (§4.2.3): an archive beside the
/// population.
#[derive(Debug, Default)]
pub(super) struct Restorable {
    tests: BTreeMap<GoalId, Arc<TestRun>>,
    /// The goals that have a test there: every test of every suite asks, and a bit is quicker to find than an entry.
    covered: FixedBitSet,
}

impl Restorable {
    /// Keeps a test for what it is the first to cover.
    pub(super) fn note(&mut self, run: &Arc<TestRun>) {
        for &goal in &run.covered {
            self.covered.grow(goal.index() + 1);
            if !self.covered.put(goal.index()) {
                self.tests.insert(goal, Arc::clone(run));
            }
        }
    }

    /// Adds tests for goals that were covered once and are not by these, up to so many.
    fn restore(&self, tests: &mut Vec<Arc<TestRun>>, most: usize) {
        let mut covered: BTreeSet<GoalId> =
            tests.iter().flat_map(|run| run.covered.iter().copied()).collect();
        for (goal, run) in &self.tests {
            if tests.len() < most && !covered.contains(goal) {
                covered.extend(&run.covered);
                tests.push(Arc::clone(run));
            }
        }
    }
}

impl WholeSuite {
    /// Improves the individuals, the best first, as long as the application may go on. Test searches are applied to the best
    /// alone.
    pub(crate) fn improve(&mut self, scheduler: &mut Scheduler<'_>, context: &mut SearchContext<'_, '_>) {
        let Some(mut fitness) = self.fitness.take() else { return };
        for index in 0..self.population.len() {
            if scheduler.is_spent(context) || context.is_over() {
                break;
            }
            // Test searches are for the best one: what nothing is tried on is no failure.
            if index > 0 && !scheduler.may_apply(Kind::Operators, context) {
                break;
            }
            let before = &self.population[index];
            if context.options.local_search.selective
                && before.last.as_ref().is_none_or(|last| last.effect.is_eq())
            {
                continue;
            }
            scheduler.begin_individual();
            let mut tests = self.improved(before, &mut fitness, scheduler, context);
            if index == 0 && context.options.local_search.extended {
                tests = explored(tests, HybridOptions::IMPROVING, &mut fitness, scheduler, context);
            }
            let helped = self.replace(index, tests, false, &mut fitness, context);
            scheduler.end_individual(helped, context);
        }
        self.fitness = Some(fitness);
        self.population.sort_by(Suite::compare);
    }

    /// Puts a suite of these tests in the place of an individual if it is better, with `in_any_case` also if it is as good;
    /// whether it is better.
    pub(super) fn replace(
        &mut self,
        index: usize,
        tests: Vec<Arc<TestRun>>,
        in_any_case: bool,
        fitness: &mut SuiteFitness,
        context: &mut SearchContext<'_, '_>,
    ) -> bool {
        let value = fitness.of(&tests);
        let before = self.population[index].fitness;
        let helped = value < before;
        if helped || in_any_case && value <= before {
            let improved = Suite::new(tests, value);
            if self.variant == Variant::BestIndividual {
                Self::offer(&improved, context);
            }
            self.population[index] = improved;
        }
        helped
    }

    /// The tests of a suite with all that operators do to it.
    fn improved(
        &self,
        suite: &Suite,
        fitness: &mut SuiteFitness,
        scheduler: &mut Scheduler<'_>,
        context: &mut SearchContext<'_, '_>,
    ) -> Vec<Arc<TestRun>> {
        let options = context.options;
        let (local, most) = (&options.local_search, options.suites.maximum_tests);
        let mut tests = suite.tests.clone();
        if local.restoring {
            self.restorable.restore(&mut tests, most);
        }
        if local.double_execution {
            execute_twice(&mut tests, most, |probe| context.class.graph.methods().branch_at(probe).is_some());
        }
        let first = if local.extended && !tests.is_empty() {
            context.environment.random.below(tests.len())
        } else {
            0
        };
        let count = if scheduler.may_apply(Kind::Operators, context) { tests.len() } else { 0 };
        let is_thorough = scheduler.is_thorough(context);
        let (allowance, tools) = scheduler.parts();
        for at in (0..count).map(|number| (first + number) % count) {
            if is_spent(allowance, context) || context.is_over() {
                break;
            }
            // Where only what was changed is improved, it must be found again.
            let meant =
                local.selective.then(|| suite.last.as_ref().map_or(&[][..], |last| last.statements(at)));
            if meant.is_some_and(<[usize]>::is_empty) {
                continue;
            }
            if local.expansion && meant.is_none() {
                expand(&mut tests[at], context);
            }
            let start = tests[at].test.clone();
            let mut landscape = SuiteLandscape::new(tests, at, fitness, allowance, context);
            let cluster = landscape.context.class.cluster;
            let is_meant = |position: usize| meant.is_none_or(|meant| meant.contains(&position));
            let mut climb = Climb::new(start, &mut landscape, cluster, local).thoroughly(is_thorough);
            tools.improve(&mut climb, is_meant);
            tests = landscape.tests;
        }
        tests
    }
}

/// Gives each use of a value in a test a value of its own; what the test does stays the same.
pub(super) fn expand(test: &mut Arc<TestRun>, context: &mut SearchContext<'_, '_>) {
    let apart = expanded(&test.test, context.options.factory.max_length);
    if apart != test.test
        && let Some(run) = run(apart, context)
        && run.covered == test.covered
    {
        *test = run;
    }
}

/// Has every predicate that the tests execute once executed twice, by a second copy of its test (§4.2.2): its distance counts
/// only then.
fn execute_twice(tests: &mut Vec<Arc<TestRun>>, most: usize, is_predicate: impl Fn(ProbeId) -> bool) {
    let mut executions: BTreeMap<ProbeId, (u32, usize)> = BTreeMap::new();
    for (index, run) in tests.iter().enumerate() {
        for &(probe, hits) in &run.hits {
            let (all, _) = executions.entry(probe).or_insert((0, index));
            *all = all.saturating_add(hits);
        }
    }
    let once = executions.into_iter().filter(|(probe, (hits, _))| *hits == 1 && is_predicate(*probe));
    let copies: BTreeSet<usize> = once.map(|(_, (_, index))| index).collect();
    for index in copies {
        if tests.len() < most {
            tests.push(Arc::clone(&tests[index]));
        }
    }
}

/// The landscape of one test of a suite: the fitness of the suite with it.
struct SuiteLandscape<'l, 'c, 'b> {
    tests: Vec<Arc<TestRun>>,
    at: usize,
    best: f64,
    /// Goals that the tests cover.
    covered: u64,
    compared: Vec<Value>,
    /// What was set aside: the test, the fitness, the number of goals, the values compared.
    aside: Option<(Arc<TestRun>, f64, u64, Vec<Value>)>,
    fitness: &'l mut SuiteFitness,
    allowance: Option<&'l Allowance>,
    context: &'l mut SearchContext<'c, 'b>,
}

impl<'l, 'c, 'b> SuiteLandscape<'l, 'c, 'b> {
    fn new(
        tests: Vec<Arc<TestRun>>,
        at: usize,
        fitness: &'l mut SuiteFitness,
        allowance: Option<&'l Allowance>,
        context: &'l mut SearchContext<'c, 'b>,
    ) -> Self {
        let best = fitness.of(&tests);
        let covered = covered_together(&tests, context.class.goals.len());
        let compared = Vec::new();
        Self { tests, at, best, covered, compared, aside: None, fitness, allowance, context }
    }
}

impl<'c, 'b> SearchLandscape<'c, 'b> for SuiteLandscape<'_, 'c, 'b> {
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
        let before = std::mem::replace(&mut self.tests[self.at], run);
        let fitness = self.fitness.of(&self.tests);
        if fitness < self.best {
            self.best = fitness;
            self.covered = covered_together(&self.tests, self.context.class.goals.len());
            self.compared = self.context.compared();
            return Reaction::Better;
        }
        self.tests[self.at] = before;
        if fitness.to_bits() == self.best.to_bits() { Reaction::Same } else { Reaction::Changed }
    }

    fn statements_begun(&self) -> usize {
        let run = &self.tests[self.at];
        (run.executed() + 1).min(run.test.len())
    }

    fn compared_values(&self) -> &[Value] {
        &self.compared
    }

    fn set_best_aside(&mut self) -> bool {
        let compared = std::mem::take(&mut self.compared);
        self.aside = Some((Arc::clone(&self.tests[self.at]), self.best, self.covered, compared));
        self.best = f64::INFINITY;
        true
    }

    fn settle_best(&mut self, preferred: bool) -> bool {
        let Some((test, best, covered, compared)) = self.aside.take() else { return false };
        let is_better = self.best < best || preferred && self.best <= best;
        if !is_better {
            self.tests[self.at] = test;
            (self.best, self.covered, self.compared) = (best, covered, compared);
        }
        is_better
    }

    /// Where the best suite is the result, what this one covers counts before it is known to be that.
    fn covered_besides(&self) -> u64 {
        self.covered
    }
}
