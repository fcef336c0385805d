//! MIO: a population per goal, each evolved on its own.
//!
//! Arcuri 2017, "Many Independent Objective (MIO) Algorithm for Test Suite Generation" (SSBSE), and Arcuri 2018, "Test
//! Suite Generation with the Many Independent Objective (MIO) Algorithm" (IST 104), §4: populations, adaptive parameters
//! and feedback-directed sampling.
//!
//! # Differences
//! * A sampled test is mutated up to `m` times in a row; the next mutation starts from the better of the two, the newer
//!   one among equals, as measured for the goal it was sampled for.
//! * Among goals that were sampled equally often one is drawn at random.
//! * A generation is as many runs as the other algorithms have in one.

use testcase::test_case::TestCase;

use crate::algorithm::{AlgorithmRow, ArchivePolicy, LocalSearchUse, SearchAlgorithm, paper};
use crate::chromosome::TestCaseChromosome;
use crate::context::{Evaluated, SearchContext};
use crate::operators::mutation::mutate;
use crate::options::SearchOptions;

/// How MIO begins, and what it comes to in the focused search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MioOptions {
    /// Tests in the population of a goal at first, at least 1. Default 10 (Arcuri 2017 §3).
    pub tests_per_goal: usize,
    /// Probability of a random test at first, 0 to 1. Default 0.5 (likewise).
    pub random: f64,
    /// Share of the budget at which the focused search starts, 0 to 1. Default 0.5 (likewise).
    pub focus: f64,
    /// Mutations of a test in a row in the focused search, at least 1. Default 10 (likewise).
    pub mutations: usize,
}

impl Default for MioOptions {
    fn default() -> Self {
        Self { tests_per_goal: 10, random: 0.5, focus: 0.5, mutations: 10 }
    }
}

/// The row of the table.
pub(crate) const ROW: AlgorithmRow = AlgorithmRow {
    name: "mio",
    summary: "keeps a small population for each goal, and focuses on the best test of each in the end (MIO)",
    paper: paper::MIO,
    explanation: "\
Each uncovered goal that any test came nearer to has a population of its own. A test is drawn at random, or from the \
population of the goal that was tried least since it last improved, and mutated. Until half of the budget is used, \
populations shrink to one test, random tests become fewer and mutations in a row more: exploration turns into a focused \
search. Goals do not compete, however many cannot be covered.",
    archive: ArchivePolicy::Collects,
    follows_control: false,
    is_blind: false,
    pursues_mutants: false,
    local_search: LocalSearchUse::Beside,
    new: || Box::new(Mio::default()),
};

/// The parameters at a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Schedule {
    /// n: tests per goal.
    tests_per_goal: usize,
    /// Pr: probability of a random test.
    random: f64,
    /// m: mutations of a sampled test in a row.
    mutations: usize,
}

impl Schedule {
    /// When that share of the budget is used: linear from exploration to the focused search.
    fn at(used: f64, options: &SearchOptions) -> Self {
        let progress = if options.mio.focus > 0.0 { (used / options.mio.focus).min(1.0) } else { 1.0 };
        let between = |from: f64, to: f64| from + (to - from) * progress;
        Self {
            tests_per_goal: between(options.mio.tests_per_goal as f64, 1.0).round().max(1.0) as usize,
            random: between(options.mio.random, 0.0),
            mutations: between(1.0, options.mio.mutations as f64).round().max(1.0) as usize,
        }
    }
}

/// A test in the population of a goal.
#[derive(Debug, Clone)]
struct Candidate {
    /// Fitness for the goal.
    fitness: f64,
    test: TestCase,
    threw: Option<usize>,
}

impl Candidate {
    fn is_worse_than(&self, other: &Self) -> bool {
        (self.fitness, self.test.len()) > (other.fitness, other.test.len())
    }
}

/// `T_k`: the population of a goal.
#[derive(Debug, Clone, Default)]
struct Population {
    /// From best to worst.
    candidates: Vec<Candidate>,
    /// Times it was sampled since a better test was added.
    sampled: u32,
}

impl Population {
    /// Adds a test if it is among the best `most`; among equals the newer one is better.
    fn add(&mut self, candidate: Candidate, most: usize) {
        let place = self.candidates.partition_point(|kept| candidate.is_worse_than(kept));
        if place >= most {
            return;
        }
        if self.candidates.first().is_none_or(|best| candidate.fitness < best.fitness) {
            self.sampled = 0;
        }
        self.candidates.insert(place, candidate);
        self.candidates.truncate(most);
    }
}

/// A sampled test that is being mutated.
#[derive(Debug)]
struct Sampled {
    goal: usize,
    current: Candidate,
    /// Mutations that are left.
    left: usize,
}

/// The algorithm.
#[derive(Debug, Default)]
struct Mio {
    /// By goal; empty before the first generation.
    populations: Vec<Population>,
    sampled: Option<Sampled>,
}

impl SearchAlgorithm for Mio {
    fn step(&mut self, context: &mut SearchContext<'_, '_>) {
        if self.populations.is_empty() {
            self.populations = vec![Population::default(); context.class.goals.len()];
            context.aim_at_all();
        }
        let schedule = Schedule::at(context.environment.budget.used(), context.options);
        for individual in context.take_improved() {
            self.offer(&individual, schedule, context);
        }
        for _ in 0..context.options.population {
            context.update_targets(&mut []);
            let schedule = Schedule::at(context.environment.budget.used(), context.options);
            let test = self.next_test(schedule, context);
            match context.evaluate(test) {
                Evaluated::Individual(individual) => self.offer(&individual, schedule, context),
                Evaluated::Useless => {}
                Evaluated::Over => return,
            }
        }
    }
}

impl Mio {
    fn next_test(&mut self, schedule: Schedule, context: &mut SearchContext<'_, '_>) -> TestCase {
        let is_open = |goal: usize| !context.state.archive().is_covered(coverage::goal::GoalId(goal as u32));
        self.sampled = self.sampled.take().filter(|sampled| sampled.left > 0 && is_open(sampled.goal));
        if self.sampled.is_none() {
            let is_random =
                !context.state.seeds.is_empty() || context.environment.random.chance(schedule.random);
            if !is_random {
                self.sampled = self.sample(schedule, context);
            }
        }
        let Some(sampled) = &mut self.sampled else { return context.initial_test() };
        sampled.left -= 1;
        let mut test = sampled.current.test.clone();
        let executed = sampled.current.threw.unwrap_or(usize::MAX);
        let environment = &mut *context.environment;
        mutate(environment.source, &mut test, executed, environment.random);
        test
    }

    /// Feedback-directed sampling: a test for the goal that was sampled least since it last improved.
    fn sample(&mut self, schedule: Schedule, context: &mut SearchContext<'_, '_>) -> Option<Sampled> {
        let archive = context.state.archive();
        let is_open = |goal: usize| !archive.is_covered(coverage::goal::GoalId(goal as u32));
        let candidates = self.populations.iter().enumerate();
        let candidates = candidates.filter(|(goal, kept)| !kept.candidates.is_empty() && is_open(*goal));
        let mut least: (u32, Vec<usize>) = (u32::MAX, Vec::new());
        for (goal, population) in candidates {
            if population.sampled < least.0 {
                least = (population.sampled, Vec::new());
            }
            if population.sampled == least.0 {
                least.1.push(goal);
            }
        }
        let random = &mut *context.environment.random;
        let &goal = random.choose(&least.1)?;
        let population = &mut self.populations[goal];
        population.candidates.truncate(schedule.tests_per_goal);
        population.sampled += 1;
        let current = random.choose(&population.candidates)?.clone();
        Some(Sampled { goal, current, left: schedule.mutations })
    }

    /// Adds a test to the population of every open goal that it came nearer to.
    fn offer(
        &mut self,
        individual: &TestCaseChromosome,
        schedule: Schedule,
        context: &SearchContext<'_, '_>,
    ) {
        let goals = context.state.objectives().goals();
        for (column, fitness) in individual.fitness.reached_values() {
            let goal = goals[column];
            let population = &mut self.populations[goal.index()];
            if context.state.archive().is_covered(goal) {
                population.candidates = Vec::new();
                continue;
            }
            let candidate = Candidate { fitness, test: individual.test.clone(), threw: individual.run.threw };
            if let Some(sampled) = &mut self.sampled
                && sampled.goal == goal.index()
                && !candidate.is_worse_than(&sampled.current)
            {
                sampled.current = candidate.clone();
            }
            population.add(candidate, schedule.tests_per_goal);
        }
    }
}

#[cfg(test)]
mod tests {
    use testcase::statement::Statement;
    use testcase::value::Value;

    use super::*;

    fn candidate(fitness: f64, length: usize) -> Candidate {
        let statement = Statement::Primitive { value: Value::Int(0), boxed: false };
        Candidate { fitness, test: TestCase::new(vec![statement; length]), threw: None }
    }

    #[test]
    fn parameters_turn_from_exploration_to_focus() {
        let check = |used, tests_per_goal, random, mutations| {
            let schedule = Schedule::at(used, &SearchOptions::default());
            assert_eq!(schedule, Schedule { tests_per_goal, random, mutations }, "{used}");
        };
        check(0.0, 10, 0.5, 1);
        check(0.25, 6, 0.25, 6);
        check(0.5, 1, 0.0, 10);
        check(1.0, 1, 0.0, 10);
        let focused = SearchOptions {
            mio: MioOptions { focus: 0.0, ..MioOptions::default() },
            ..SearchOptions::default()
        };
        assert_eq!(Schedule::at(0.0, &focused).tests_per_goal, 1);
    }

    #[test]
    fn a_population_keeps_the_nearest_tests_then_the_shortest() {
        let mut population = Population::default();
        for (fitness, length) in [(0.5, 3), (0.7, 1), (0.5, 2), (0.9, 1), (0.2, 9)] {
            population.add(candidate(fitness, length), 3);
        }
        let kept: Vec<_> = population.candidates.iter().map(|kept| (kept.fitness, kept.test.len())).collect();
        assert_eq!(kept, [(0.2, 9), (0.5, 2), (0.5, 3)]);
    }

    #[test]
    fn sampling_is_forgiven_when_a_better_test_is_added() {
        let mut population = Population::default();
        let mut check = |fitness, expect| {
            population.sampled = 7;
            population.add(candidate(fitness, 2), 2);
            assert_eq!(population.sampled, expect);
        };
        check(0.5, 0);
        check(0.6, 7);
        check(0.5, 7);
        check(0.4, 0);
        check(0.9, 7);
    }
}
