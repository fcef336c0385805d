//! Auto: `DynaMOSA` with what pays on library classes.
//!
//! Ours. The frame is that of Panichella, Kifetew and Tonella 2018, Algorithm 6 ([`super::dynamosa`]); what it adds:
//!
//! * mutants and partitions of values become targets when some part of the budget is used ([`crate::stages`]): most are covered
//!   on the way to branches, lines, methods and exceptions, and until then they would share the population with these;
//! * a value that a branch compared is put straight into the input that it came from ([`super::super::operators::exchange`];
//!   after Aschermann et al. 2019, "REDQUEEN", §III), when a run came nearer to a target there, or as near as any;
//! * some parents are the best tests of the target that was tried least since a run last came nearer to it, as in
//!   feedback-directed sampling (Arcuri 2017, §3), so that targets that cannot be covered do not take the whole budget;
//! * ways to make tests are drawn by their recent success (probability matching);
//! * what tests cost counts ([`crate::spending`]).
//!
//! What each is worth was measured: `docs/design/search.md`.

use std::collections::{BTreeSet, VecDeque};

use bytecode::probe_map::{OutcomeId, ProbeId};
use coverage::distance::TAKEN;
use coverage::goal::GoalId;
use coverage::method_table::MethodTable;
use testcase::cluster::CallableId;
use testcase::random::Random;
use testcase::test_case::TestCase;

use super::many_objective::offspring::{children_of, inserted_test, mutated, parents};
use super::many_objective::survival::{Survival, by_subvector_dominance, survive};
use super::many_objective::union;
use crate::algorithm::{AlgorithmRow, ArchivePolicy, LocalSearchUse, SearchAlgorithm};
use crate::chromosome::TestCaseChromosome;
use crate::context::{Evaluated, SearchContext};
use crate::operators::crossover::Offspring;
use crate::operators::exchange::{Compared, Switch, comparisons, exchange};
use crate::operators::ranking::Ranking;
use crate::options::SearchOptions;
use crate::phase::Phase;
use crate::spending::{LEARNED, Spending, calls_any, dearness, spare};
use crate::stages::Stages;

/// What the default algorithm adds to `DynaMOSA`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AutoOptions {
    /// Values tried for a target in place of those that were compared there, before it comes nearer again. Default
    /// 200 (ours).
    pub transfers: u32,
    /// Probability that a parent is the best test of the target that was tried least, and not the winner of a
    /// tournament, 0 to 1. Default 0.3 (ours).
    pub focus: f64,
    /// Share of the budget that goes to branches, lines, methods and exceptions before mutants and partitions of values
    /// are targets as well, 0 to 1. Default 0.4 (ours).
    pub structure_first: f64,
    /// Whether mutants to be killed are goals as well where they are only asked to be infected: their tests are what oracles are
    /// chosen for. Default true (ours).
    pub pursues: bool,
    /// Share of the budget from which on mutants to be killed are targets, 0 to 1; sooner where nothing else is left. Default 0.4 (ours).
    pub kills_from: f64,
    /// Whether ways to make tests are drawn by their recent success. Default true (ours).
    pub adapts: bool,
    /// Whether the search minds what tests cost: of tests that are as near a much cheaper one is preferred, and the
    /// second half of the budget is not spent on calls that the first half showed to be dear and barren. Default true
    /// (ours).
    pub spares: bool,
}

impl Default for AutoOptions {
    fn default() -> Self {
        Self {
            transfers: 200,
            focus: 0.3,
            structure_first: 0.4,
            pursues: true,
            kills_from: 0.4,
            adapts: true,
            spares: true,
        }
    }
}

/// The row of the table.
pub(crate) const ROW: AlgorithmRow = AlgorithmRow {
    name: "auto",
    summary: "DynaMOSA that puts compared values into inputs, and shares its budget among targets",
    paper: "ours, on the frame of Panichella, Kifetew and Tonella 2018 (DynaMOSA, Algorithm 6)",
    explanation: "\
Targets, ranking and archive are those of dynamosa. Where a run comes near to a target, the values that the branch \
compared are put straight into the inputs that they came from. Some parents are the best tests of the target that was \
tried least since it last improved, so that goals that cannot be covered do not take the budget of others. How tests are \
made is drawn by what was successful of late.",
    archive: ArchivePolicy::Collects,
    follows_control: true,
    is_blind: false,
    pursues_mutants: true,
    local_search: LocalSearchUse::Beside,
    new: || Box::new(Auto::default()),
};

/// Tests made of a run for a target at once, at most.
const TRANSFERS_AT_ONCE: u32 = 3;

/// Values looked for in the inputs for that.
const ATTEMPTS: u32 = 12;

/// Probability that such a test is about the branch of the target itself, and not about another one of the run.
const OWN_BRANCH: f64 = 0.5;

/// Tests that are made in place of one with a call that is spared, at most.
const INSTEAD: u32 = 8;

/// Tests with transferred values that wait for their run, at most: older ones are of runs that were less near.
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
    /// The outcome of a branch, of a goal that is one.
    outcome: Option<OutcomeId>,
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
    /// Before there is a population: whatever is found then is easy to find.
    First,
}

/// Ways that are drawn.
const DRAWN: [Way; 5] = [Way::Crossed, Way::Mutated, Way::Focused, Way::Inserted, Way::Transferred];

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
    /// Success that tells no way from another: with little of it, all are drawn equally often again.
    const NEGLIGIBLE: f64 = 0.01;
    /// Share of tests with transferred values where ways are not drawn by success.
    const TRANSFERRED: f64 = 0.2;
    /// Weight of a run among those before it.
    const LEARNING: f64 = 0.02;

    /// The probability of each way (Thierens 2005, probability matching).
    fn shares(&self, options: &SearchOptions) -> [f64; DRAWN.len()] {
        if !options.auto.adapts {
            let (inserted, crossed) = (options.insertion_rate, options.crossover_probability);
            let bred = 1.0 - inserted - Self::TRANSFERRED;
            let focused = bred * options.auto.focus;
            let paired = bred - focused;
            return [paired * crossed, paired * (1.0 - crossed), focused, inserted, Self::TRANSFERRED];
        }
        let success = self.success.map(|success| success + Self::NEGLIGIBLE);
        let total: f64 = success.iter().sum();
        let rest = 1.0 - Self::LEAST * DRAWN.len() as f64;
        success.map(|success| Self::LEAST + rest * success / total)
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
    /// Siblings of the last test.
    siblings: Vec<(TestCase, Way)>,
    /// Tests with transferred values, the newest last.
    transferred: VecDeque<TestCase>,
    ways: Ways,
    stages: Stages,
    spending: Spending,
    /// Calls that are spared, ascending.
    barren: Vec<CallableId>,
}

impl SearchAlgorithm for Auto {
    fn step(&mut self, context: &mut SearchContext<'_, '_>) {
        let is_first = self.population.is_empty();
        // The population may stay empty for a while; what it aims at is begun once.
        if self.aims.is_empty() {
            self.aims = aims(context);
            self.stages = Stages::begin(context);
            context.aim_at(context.class.graph.roots());
            context.update_targets(&mut []);
        }
        if self.stages.go_on(context) {
            context.update_targets(&mut [&mut self.population]);
            self.run_again(context);
        }
        if context.options.auto.spares && context.environment.budget.used() >= LEARNED {
            self.barren = self.spending.barren();
        }
        let mut offspring =
            if is_first { self.first_generation(context) } else { self.next_generation(context) };
        context.state.clock.enter(Phase::Ranking);
        context.update_targets(&mut [&mut self.population, &mut offspring]);
        let mut union = union(offspring, &mut self.population);
        let size = context.options.population;
        let fronts = if context.options.auto.spares {
            spare(&mut union);
            Ranking::new(&union).preference_sorting_by(size, |individual| {
                // No test is as long as a class of costs counts.
                f64::from(dearness(individual.run.steps)) * 1e6 + individual.length() as f64
            })
        } else {
            Ranking::new(&union).preference_sorting(size)
        };
        let survival = Survival { size, keep_first_front: context.options.keep_first_front };
        self.population = survive(union, fronts, survival, by_subvector_dominance);
    }
}

impl Auto {
    /// Runs what there is once more, now with mutants: the archive and the population, which then is all of
    /// them. Without the budget for that it stays what it is.
    fn run_again(&mut self, context: &mut SearchContext<'_, '_>) {
        let mut tests: Vec<TestCase> =
            context.state.archive().tests().into_iter().map(|(archived, _)| archived.test.clone()).collect();
        tests.extend(self.population.iter().map(|individual| individual.test.clone()));
        let mut seen = BTreeSet::new();
        tests.retain(|test| seen.insert(test.clone()));
        let mut again = Vec::with_capacity(tests.len());
        if tests.into_iter().all(|test| self.run(test, Way::First, context, &mut again)) {
            context.follow_coverage();
            context.update_targets(&mut [&mut again]);
            self.population = again;
        }
    }

    /// As many tests as there is room, or seeds.
    fn first_generation(&mut self, context: &mut SearchContext<'_, '_>) -> Vec<TestCaseChromosome> {
        let mut tests = Vec::with_capacity(context.options.population);
        // As many runs, whatever becomes of them: a step must end.
        for _ in 0..context.options.population.max(context.state.seeds.len()) {
            let test = context.initial_test();
            if !self.run(test, Way::First, context, &mut tests) {
                break;
            }
        }
        tests
    }

    fn next_generation(&mut self, context: &mut SearchContext<'_, '_>) -> Vec<TestCaseChromosome> {
        let mut offspring = context.take_improved();
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
        // Where it is of no use, what it cost must be known all the same.
        let kept = context.options.auto.spares.then(|| test.clone());
        let reward = match context.evaluate(test) {
            Evaluated::Individual(individual) => {
                let reward = self.learn(&individual, way, context);
                tests.push(individual);
                reward
            }
            Evaluated::Useless => {
                self.ways.learn(way, 0.0);
                0.0
            }
            Evaluated::Over => return false,
        };
        if let Some(test) = kept {
            let cost = context.last_result().cost;
            self.spending.note(context.class.cluster, &test, (cost.steps, cost.dearest), reward > 0.0);
        }
        true
    }

    /// A test that makes no call that is spared, if one is soon found.
    fn next_test(&mut self, context: &mut SearchContext<'_, '_>) -> Option<(TestCase, Way)> {
        let mut next = self.any_test(context)?;
        for _ in 0..INSTEAD {
            if !calls_any(context.class.cluster, &next.0, &self.barren) {
                break;
            }
            next = self.any_test(context)?;
        }
        Some(next)
    }

    /// A sibling of the last test, or a new test in a way that is drawn.
    fn any_test(&mut self, context: &mut SearchContext<'_, '_>) -> Option<(TestCase, Way)> {
        if self.siblings.is_empty() {
            let way = self.ways.draw(context.options, context.environment.random);
            let (tests, way) = self.make(way, context);
            self.siblings.extend(tests.into_iter().rev().map(|test| (test, way)));
        }
        self.siblings.pop()
    }

    /// Tests made in a way, and the way that it was in the end: one that has nothing to start from is like mutation.
    fn make(&mut self, way: Way, context: &mut SearchContext<'_, '_>) -> (Vec<TestCase>, Way) {
        let made = match way {
            Way::Inserted => Some(vec![inserted_test(context)]),
            Way::Focused => self.best_of_a_target(context).map(|parent| {
                let parent = &self.population[parent];
                vec![mutated(parent, Offspring::copy(parent), context)]
            }),
            Way::Transferred => self.transferred.pop_back().map(|test| vec![test]),
            Way::Crossed | Way::Mutated | Way::First => None,
        };
        if let Some(tests) = made {
            return (tests, way);
        }
        let is_crossed = way == Way::Crossed;
        let parents = parents(&self.population, context);
        let tests = parents.map_or_else(Vec::new, |parents| children_of(parents, is_crossed, context));
        (tests, if is_crossed { way } else { Way::Mutated })
    }

    /// The best test of the target that was tried least since it last improved; `None` if no test reaches that.
    fn best_of_a_target(&mut self, context: &mut SearchContext<'_, '_>) -> Option<usize> {
        let goals = context.state.objectives().goals();
        let tried = |goal: &GoalId| self.aims.get(goal.index()).map_or(u32::MAX, |aim| aim.tried);
        let least = goals.iter().map(tried).min()?;
        let candidates: Vec<usize> =
            (0..goals.len()).filter(|&column| tried(&goals[column]) == least).collect();
        let &column = context.environment.random.choose(&candidates)?;
        self.aims.get_mut(goals[column].index())?.tried += 1;
        let reached = self.population.iter().enumerate().filter(|(_, one)| one.fitness.is_reached(column));
        let best = reached.min_by(|(_, a), (_, b)| {
            let values = a.fitness.value(column).total_cmp(&b.fitness.value(column));
            let dear = |one: &TestCaseChromosome| {
                if context.options.auto.spares { dearness(one.run.steps) } else { 0 }
            };
            values.then(dear(a).cmp(&dear(b))).then(a.length().cmp(&b.length()))
        });
        best.map(|(index, _)| index)
    }

    /// Which targets the last run came near to, and what to try for them. Gives what it was worth, 0 to 1.
    fn learn(
        &mut self,
        individual: &TestCaseChromosome,
        way: Way,
        context: &mut SearchContext<'_, '_>,
    ) -> f64 {
        let mut reward = if context.state.archive().newly_covered().is_empty() { 0.0 } else { 1.0 };
        let mut near: Vec<(GoalId, OutcomeId)> = Vec::new();
        let goals = context.state.objectives().goals();
        for (column, value) in individual.fitness.reached_values() {
            let Some(aim) = self.aims.get_mut(goals[column].index()) else { continue };
            if value < aim.best {
                (aim.best, aim.transfers, aim.tried) = (value, 0, 0);
                reward = f64::max(reward, 0.5);
            } else if value > aim.best || aim.transfers >= context.options.auto.transfers {
                continue;
            }
            if let Some(outcome) = aim.outcome
                && value != TAKEN
                && !near.iter().any(|&(_, other)| other == outcome)
            {
                near.push((goals[column], outcome));
            }
        }
        self.ways.learn(way, reward);
        for (goal, outcome) in near {
            self.transfer(&individual.test, goal, outcome, context);
        }
        reward
    }

    /// Tests in which values stand where others were compared: at the branch of a target, or at another one on the way,
    /// which may be what kept the run from getting there.
    fn transfer(
        &mut self,
        test: &TestCase,
        goal: GoalId,
        outcome: OutcomeId,
        context: &mut SearchContext<'_, '_>,
    ) {
        let compared = comparisons(context.state.last_operands());
        let methods = context.class.graph.methods();
        let (own, others) = apart(methods, compared, outcome);
        let aim = &mut self.aims[goal.index()];
        let environment = &mut *context.environment;
        let (mut attempts, mut made) = (0, 0);
        while attempts < ATTEMPTS && made < TRANSFERS_AT_ONCE {
            attempts += 1;
            let is_own = !own.is_empty() && (others.is_empty() || environment.random.chance(OWN_BRANCH));
            let at = environment.random.choose(if is_own { &own } else { &others });
            let Some(Compared { probe, operands, .. }) = at else { break };
            let switch = switch_at(methods, *probe, is_own.then_some(outcome));
            let pair = exchange(operands, switch, environment.random);
            let mut changed = test.clone();
            if let Some((from, to)) = pair
                && environment.source.transfer(&mut changed, &from, &to, environment.random)
            {
                if self.transferred.len() >= MOST_WAITING {
                    self.transferred.pop_front();
                }
                self.transferred.push_back(changed);
                made += 1;
            }
        }
        aim.transfers += u32::max(1, made);
    }
}

/// The comparisons of the branch of an outcome, those of calls by the test itself where the outcome is one of these, and all
/// others.
fn apart<'a>(
    methods: &MethodTable,
    compared: Vec<Compared<'a>>,
    outcome: OutcomeId,
) -> (Vec<Compared<'a>>, Vec<Compared<'a>>) {
    let branch = methods.branch(outcome);
    let is_own = |one: &Compared<'_>| branch.is_some_and(|branch| branch.is_executed(one.probe, one.hit));
    compared.into_iter().partition(is_own)
}

/// The switch over numbers at a branch, and where it is to lead: to `outcome`, or elsewhere whatever that is. `None` of other
/// branches.
fn switch_at(methods: &MethodTable, probe: ProbeId, outcome: Option<OutcomeId>) -> Option<Switch<'_>> {
    let branch = match outcome {
        Some(outcome) => methods.branch(outcome)?,
        None => methods.branch_at(probe)?,
    };
    let wanted = outcome.and_then(|wanted| branch.outcomes.iter().position(|&outcome| outcome == wanted));
    (!branch.keys.is_empty()).then_some(Switch { keys: &branch.keys, wanted })
}

/// Nothing is known of any target yet.
fn aims(context: &SearchContext<'_, '_>) -> Vec<Aim> {
    let methods = context.class.graph.methods();
    let outcome =
        |goal: &coverage::goal::Goal| goal.outcome.filter(|&outcome| methods.branch(outcome).is_some());
    let aim = |goal| Aim { best: f64::INFINITY, transfers: 0, tried: 0, outcome: outcome(goal) };
    context.class.goals.goals().iter().map(aim).collect()
}

#[cfg(test)]
mod tests {
    use bytecode::instruction::InstructionIndex;
    use bytecode::probe_map::{Branch, BranchKind, DirectIds, MethodProbes, Outcome, ProbeMap};

    use super::*;

    fn check(shares: [f64; DRAWN.len()], expect: [f64; DRAWN.len()]) {
        for (share, expect) in shares.into_iter().zip(expect) {
            assert!((share - expect).abs() < 1e-9, "{shares:?}");
        }
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn ways_are_drawn_by_their_success_and_none_is_given_up() {
        let options = SearchOptions::default();
        let mut ways = Ways::default();
        check(ways.shares(&options), [0.2; 5]);
        for way in [Way::Crossed, Way::Mutated, Way::Inserted, Way::Transferred] {
            (0..2_000).for_each(|_| ways.learn(way, 0.0));
        }
        let rest = 0.5 * 0.01 / 0.55;
        check(ways.shares(&options), [0.1 + rest, 0.1 + rest, 0.6 - 4.0 * rest, 0.1 + rest, 0.1 + rest]);
        // The first tests say nothing of the ways.
        let before = ways.shares(&options);
        ways.learn(Way::First, 1.0);
        check(ways.shares(&options), before);
        // Where nothing succeeds any more, all are equal again.
        (0..2_000).for_each(|_| ways.learn(Way::Focused, 0.0));
        check(ways.shares(&options), [0.2; 5]);
    }

    #[test]
    fn without_adaptation_they_are_those_of_dynamosa_and_parts_for_the_others() {
        let options = SearchOptions {
            auto: AutoOptions { adapts: false, focus: 0.3, ..AutoOptions::default() },
            ..SearchOptions::default()
        };
        let mut ways = Ways::default();
        ways.learn(Way::Crossed, 1.0);
        check(ways.shares(&options), [0.49 * 0.75, 0.49 * 0.25, 0.21, 0.1, 0.2]);
    }

    #[test]
    fn a_way_is_drawn_as_often_as_its_share_says() {
        let options = SearchOptions {
            auto: AutoOptions { adapts: false, focus: 0.5, ..AutoOptions::default() },
            ..SearchOptions::default()
        };
        let (ways, mut random) = (Ways::default(), Random::new(1, 0));
        let drawn = (0..10_000).filter(|_| ways.draw(&options, &mut random) == Way::Focused).count();
        assert!((3_300..3_700).contains(&drawn), "{drawn}");
    }

    /// A switch (probe 1; key 5 is outcome 0, the default 1) and a comparison (probe 2; outcomes 2 and 3) in a method whose
    /// calls by the test itself are told apart: 10 is added to their numbers.
    fn table() -> MethodTable {
        let outcome = |id, keys| Outcome { id: OutcomeId(id), keys, is_goal: true, covered_by: Vec::new() };
        let branch = |probe, kind, outcomes| Branch {
            instruction: InstructionIndex(probe),
            line: None,
            probe: ProbeId(probe),
            kind,
            outcomes,
            controlled_by: Vec::new(),
            in_loop: false,
        };
        let branches = vec![
            branch(1, BranchKind::Switch, vec![outcome(0, vec![5]), outcome(1, Vec::new())]),
            branch(2, BranchKind::Integer, vec![outcome(2, Vec::new()), outcome(3, Vec::new())]),
        ];
        let direct = Some(DirectIds(10));
        let method = MethodProbes { branches, direct, ..MethodProbes::new("m", "(I)V", ProbeId(0)) };
        let methods = vec![method];
        MethodTable::new(&[ProbeMap { class: "Foo".into(), hash: 0, methods, skipped: Vec::new() }])
    }

    #[test]
    fn what_other_branches_compared_is_told_from_what_that_of_the_target_did() {
        let compared =
            |probe, hit| Compared { probe: ProbeId(probe), hit: ProbeId(hit), operands: Vec::new() };
        let all = [compared(1, 1), compared(1, 11), compared(2, 2), compared(2, 12)];
        let check = |outcome, own: &[Compared<'_>], others: &[Compared<'_>]| {
            let found = apart(&table(), all.to_vec(), OutcomeId(outcome));
            assert_eq!(found, (own.to_vec(), others.to_vec()), "{outcome}");
        };
        check(2, &all[2..], &all[..2]);
        check(0, &all[..2], &all[2..]);
        // Of the test itself: what other code had compared there is about another call.
        check(12, &all[3..], &all[..3]);
        check(11, &all[1..2], &[all[0].clone(), all[2].clone(), all[3].clone()]);
    }

    #[test]
    fn the_switch_of_another_branch_has_keys_too() {
        let table = table();
        let check = |probe, outcome: Option<u32>, expect: Option<Option<usize>>| {
            let switch = switch_at(&table, ProbeId(probe), outcome.map(OutcomeId));
            assert_eq!(switch.map(|switch| switch.wanted), expect, "{probe} {outcome:?}");
            assert!(switch.is_none_or(|switch| *switch.keys == [vec![5], vec![]]));
        };
        check(1, None, Some(None));
        check(1, Some(0), Some(Some(0)));
        check(1, Some(11), Some(Some(1)));
        check(2, None, None);
        check(2, Some(2), None);
    }
}
