//! Auto: `DynaMOSA` with what pays on library classes.
//!
//! Ours. The frame is that of Panichella, Kifetew and Tonella 2018, Algorithm 6 ([`super::dynamosa`]); what it adds:
//!
//! * the first tests are one for each group of test calls, then random ones;
//! * a value that a branch compared is put straight into the input that it came from ([`super::super::operators::exchange`];
//!   after Aschermann et al. 2019, "REDQUEEN", §III), when a run came nearer to a target there, or as near as any;
//! * some parents are the best tests of the target that was tried least since a run last came nearer to it, as in
//!   feedback-directed sampling (Arcuri 2017, §3), so that targets that cannot be covered do not take the whole budget;
//! * ways to make tests are drawn by their recent success (probability matching).
//!
//! What each is worth was measured: `docs/design/search.md`.

use std::collections::VecDeque;

use bytecode::probe_map::{OutcomeId, ProbeId};
use coverage::distance::TAKEN;
use coverage::goal::GoalId;
use testcase::random::Random;
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::many_objective::offspring::{children_of, inserted_test, mutated, parents};
use super::many_objective::survival::{Survival, by_subvector_dominance, survive};
use super::many_objective::union;
use crate::algorithm::{AlgorithmRow, ArchivePolicy, SearchAlgorithm};
use crate::chromosome::TestCaseChromosome;
use crate::context::{Evaluated, SearchContext};
use crate::operators::crossover::Offspring;
use crate::operators::exchange::exchanges;
use crate::operators::ranking::Ranking;
use crate::options::SearchOptions;
use crate::phase::Phase;

/// The row of the table.
pub(crate) const ROW: AlgorithmRow = AlgorithmRow {
    name: "auto",
    summary: "DynaMOSA that puts compared values into inputs, and shares its budget among targets",
    paper: "ours, on the frame of Panichella, Kifetew and Tonella 2018 (DynaMOSA, Algorithm 6)",
    explanation: "\
Targets, ranking and archive are those of dynamosa. It begins with a test for each method. Where a run comes near to a \
target, the values that the branch compared are put straight into the inputs that they came from. Some parents are the \
best tests of the target that was tried least since it last improved, so that goals that cannot be covered do not take \
the budget of others. How tests are made is drawn by what was successful of late.",
    archive: ArchivePolicy::Collects,
    follows_control: true,
    new: || Box::new(Auto::default()),
};

/// Tests made of a run for a target at once, at most.
const TRANSFERS_AT_ONCE: usize = 3;

/// Tests that wait for their run, at most.
const MOST_WAITING: usize = 200;

/// What is known of a target.
#[derive(Debug, Clone, Copy)]
struct Aim {
    /// Fitness of the best run.
    best: f64,
    /// Values tried since then.
    transfers: u32,
    /// Times that a parent was drawn for it since then.
    tried: u32,
    /// The branch and its outcome, of a goal that is one.
    outcome: Option<(ProbeId, OutcomeId)>,
}

/// A way to make tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Two parents, crossed and mutated.
    Crossed,
    /// A parent, mutated.
    Mutated,
    /// The best test of a target, mutated.
    Focused,
    /// Not of the population.
    Inserted,
    /// Of a run, with a value put where another stood.
    Transferred,
}

/// Ways that are drawn.
const DRAWN: [Way; 4] = [Way::Crossed, Way::Mutated, Way::Focused, Way::Inserted];

/// The ways with their recent success.
#[derive(Debug)]
struct Ways {
    /// By way of [`DRAWN`], 0 to 1.
    success: [f64; DRAWN.len()],
}

impl Default for Ways {
    fn default() -> Self {
        // As if all had been successful: each is tried before it is judged.
        Self { success: [0.5; DRAWN.len()] }
    }
}

impl Ways {
    /// Share of each way that is drawn whatever its success.
    const LEAST: f64 = 0.1;
    /// Weight of a run among those before it.
    const LEARNING: f64 = 0.02;

    /// The probability of each way (Thierens 2005, probability matching).
    fn shares(&self, options: &SearchOptions) -> [f64; DRAWN.len()] {
        if !options.auto_adapts {
            let (inserted, crossed) = (options.insertion_rate, options.crossover_probability);
            let focused = (1.0 - inserted) * options.auto_focus;
            let paired = 1.0 - inserted - focused;
            return [paired * crossed, paired * (1.0 - crossed), focused, inserted];
        }
        let total: f64 = self.success.iter().sum();
        let rest = 1.0 - Self::LEAST * DRAWN.len() as f64;
        self.success.map(|success| {
            Self::LEAST + rest * if total > 0.0 { success / total } else { 1.0 / DRAWN.len() as f64 }
        })
    }

    fn draw(&self, options: &SearchOptions, random: &mut Random) -> Way {
        let mut left = random.unit();
        let shares = DRAWN.into_iter().zip(self.shares(options));
        let drawn = shares.into_iter().find(|(_, share)| {
            left -= share;
            left < 0.0
        });
        drawn.map_or(Way::Mutated, |(way, _)| way)
    }

    fn learn(&mut self, way: Way, reward: f64) {
        if let Some(place) = DRAWN.iter().position(|drawn| *drawn == way) {
            let success = &mut self.success[place];
            *success += Self::LEARNING * (reward - *success);
        }
    }
}

/// The algorithm.
#[derive(Debug, Default)]
struct Auto {
    /// Empty before the first generation.
    population: Vec<TestCaseChromosome>,
    /// By goal.
    aims: Vec<Aim>,
    waiting: VecDeque<(TestCase, Way)>,
    ways: Ways,
}

impl SearchAlgorithm for Auto {
    fn step(&mut self, context: &mut SearchContext<'_, '_>) {
        let is_first = self.population.is_empty();
        if is_first {
            self.aims = aims(context);
            context.aim_at(context.class.graph.roots());
            context.update_targets(&mut []);
        }
        let mut offspring =
            if is_first { self.first_generation(context) } else { self.next_generation(context) };
        context.state.clock.enter(Phase::Ranking);
        context.update_targets(&mut [&mut self.population, &mut offspring]);
        let union = union(offspring, &mut self.population);
        let size = context.options.population;
        let fronts = Ranking::new(&union).preference_sorting(size);
        let survival = Survival { size, keep_first_front: context.options.keep_first_front };
        self.population = survive(union, fronts, survival, by_subvector_dominance);
    }
}

impl Auto {
    /// A test for each group of test calls, then random ones.
    fn first_generation(&mut self, context: &mut SearchContext<'_, '_>) -> Vec<TestCaseChromosome> {
        let groups =
            if context.options.auto_start_per_call { context.class.cluster.test_calls.len() } else { 0 };
        let mut tests = Vec::with_capacity(context.options.population);
        let mut weights = vec![0.0; groups];
        for group in 0..groups {
            weights[group] = 1.0;
            context.environment.source.set_call_weights(&weights);
            weights[group] = 0.0;
            let test = context.initial_test();
            if !self.run(test, Way::Inserted, context, &mut tests) {
                return tests;
            }
        }
        weights.fill(1.0);
        if groups > 0 {
            context.environment.source.set_call_weights(&weights);
        }
        while tests.len() < context.options.population || !context.state.seeds.is_empty() {
            let test = context.initial_test();
            if !self.run(test, Way::Inserted, context, &mut tests) {
                break;
            }
        }
        tests
    }

    fn next_generation(&mut self, context: &mut SearchContext<'_, '_>) -> Vec<TestCaseChromosome> {
        let mut offspring = Vec::with_capacity(context.options.population);
        for _ in 0..context.options.population {
            let Some((test, way)) = self.next_test(context) else { break };
            if !self.run(test, way, context, &mut offspring) {
                break;
            }
        }
        offspring
    }

    /// Runs a test and learns from it; whether the search goes on.
    fn run(
        &mut self,
        test: TestCase,
        way: Way,
        context: &mut SearchContext<'_, '_>,
        tests: &mut Vec<TestCaseChromosome>,
    ) -> bool {
        match context.evaluate(test) {
            Evaluated::Individual(individual) => {
                self.learn(&individual, way, context);
                tests.push(individual);
            }
            Evaluated::Useless => self.ways.learn(way, 0.0),
            Evaluated::Over => return false,
        }
        true
    }

    /// What waits, or a new test in a way that is drawn.
    fn next_test(&mut self, context: &mut SearchContext<'_, '_>) -> Option<(TestCase, Way)> {
        if self.waiting.is_empty() {
            let way = self.ways.draw(context.options, context.environment.random);
            let tests = self.make(way, context);
            self.waiting.extend(tests.into_iter().map(|test| (test, way)));
        }
        self.waiting.pop_front()
    }

    fn make(&mut self, way: Way, context: &mut SearchContext<'_, '_>) -> Vec<TestCase> {
        let focus = if way == Way::Focused { self.best_of_a_target(context) } else { None };
        match (way, focus) {
            (Way::Inserted, _) => vec![inserted_test(context)],
            (Way::Focused, Some(parent)) => {
                let parent = &self.population[parent];
                vec![mutated(parent, Offspring::copy(parent), context)]
            }
            (Way::Crossed | Way::Mutated | Way::Focused | Way::Transferred, _) => {
                let parents = parents(&self.population, context);
                parents.map_or_else(Vec::new, |parents| children_of(parents, way == Way::Crossed, context))
            }
        }
    }

    /// The best test of the target that was tried least since it last improved; `None` if no test reaches that.
    fn best_of_a_target(&mut self, context: &mut SearchContext<'_, '_>) -> Option<usize> {
        let goals = context.state.targets.objectives().goals();
        let tried = |goal: &GoalId| self.aims.get(goal.index()).map_or(u32::MAX, |aim| aim.tried);
        let least = goals.iter().map(tried).min()?;
        let candidates: Vec<usize> =
            (0..goals.len()).filter(|&column| tried(&goals[column]) == least).collect();
        let &column = context.environment.random.choose(&candidates)?;
        self.aims.get_mut(goals[column].index())?.tried += 1;
        let reached = self.population.iter().enumerate().filter(|(_, one)| one.fitness.is_reached(column));
        let best = reached.min_by(|(_, a), (_, b)| {
            let values = a.fitness.value(column).total_cmp(&b.fitness.value(column));
            values.then(a.length().cmp(&b.length()))
        });
        best.map(|(index, _)| index)
    }

    /// Which targets the last run came near to, and what to try for them.
    fn learn(&mut self, individual: &TestCaseChromosome, way: Way, context: &mut SearchContext<'_, '_>) {
        let mut reward = if context.state.archive.newly_covered().is_empty() { 0.0 } else { 1.0 };
        let mut near: Vec<(GoalId, ProbeId, OutcomeId)> = Vec::new();
        let goals = context.state.targets.objectives().goals();
        for (column, value) in individual.fitness.reached_values() {
            let Some(aim) = self.aims.get_mut(goals[column].index()) else { continue };
            if value < aim.best {
                (aim.best, aim.transfers, aim.tried) = (value, 0, 0);
                reward = f64::max(reward, 0.5);
            } else if value > aim.best || aim.transfers >= context.options.auto_transfers {
                continue;
            }
            if let Some((probe, outcome)) = aim.outcome
                && value != TAKEN
                && !near.iter().any(|&(_, _, other)| other == outcome)
            {
                near.push((goals[column], probe, outcome));
            }
        }
        self.ways.learn(way, reward);
        for (goal, probe, outcome) in near {
            self.transfer(&individual.test, goal, (probe, outcome), context);
        }
    }

    /// Tests in which values stand where others were compared at the branch of a target.
    fn transfer(
        &mut self,
        test: &TestCase,
        goal: GoalId,
        (probe, outcome): (ProbeId, OutcomeId),
        context: &mut SearchContext<'_, '_>,
    ) {
        let operands = &context.last_result().trace.operands;
        let compared: Vec<&Value> =
            operands.iter().filter(|operand| operand.probe == probe).map(|operand| &operand.value).collect();
        if compared.is_empty() {
            return;
        }
        let mut pairs = exchanges(&compared, context.class.graph.methods().keys(outcome));
        let aim = &mut self.aims[goal.index()];
        let most = context.options.auto_transfers.saturating_sub(aim.transfers) as usize;
        for _ in 0..TRANSFERS_AT_ONCE.min(most) {
            if pairs.is_empty() || self.waiting.len() >= MOST_WAITING {
                return;
            }
            aim.transfers += 1;
            let (from, to) = pairs.swap_remove(context.environment.random.below(pairs.len()));
            let mut changed = test.clone();
            let environment = &mut *context.environment;
            if environment.source.transfer(&mut changed, &from, &to, environment.random) {
                self.waiting.push_back((changed, Way::Transferred));
            }
        }
    }
}

/// Nothing is known of any target yet.
fn aims(context: &SearchContext<'_, '_>) -> Vec<Aim> {
    let methods = context.class.graph.methods();
    let outcome = |goal: &coverage::goal::Goal| {
        let outcome = goal.outcome?;
        Some((methods.branch(outcome)?.probe, outcome))
    };
    let aim = |goal| Aim { best: f64::INFINITY, transfers: 0, tried: 0, outcome: outcome(goal) };
    context.class.goals.goals().iter().map(aim).collect()
}
