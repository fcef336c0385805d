//! `DynaMOSA`: many-objective sorting with dynamic selection of the targets.
//!
//! Panichella, Kifetew and Tonella 2018, "Automated Test Case Generation as a Many-Objective Optimisation Problem
//! with Dynamic Selection of the Targets", Algorithms 2 to 7. The comments name the lines of Algorithm 6.
//!
//! # Differences
//! * The whole first front survives by default ([`crate::options::SearchOptions::keep_first_front`]); the population
//!   then grows beyond its size while there are more targets with a best test of their own.
//! * Besides the offspring, a generation has a few tests that are random or descend from the archive
//!   ([`crate::options::SearchOptions::insertion_rate`]): as in the implementation the paper measured, not in its
//!   listings.
//! * The initial population is ranked too: the first tournaments need ranks.
//! * An offspring without any call of the class under test covers nothing; it is made anew by inserting a call into
//!   its parent.
//! * Tests whose run has no fitness ([`Evaluated::Useless`]) do not enter the population.

use std::cmp::Reverse;

use testcase::execution::Outcome;
use testcase::test_case::TestCase;

use crate::algorithm::{AlgorithmRow, SearchAlgorithm};
use crate::chromosome::TestCaseChromosome;
use crate::context::{Evaluated, SearchContext};
use crate::operators::crossover::{Offspring, crossover};
use crate::operators::mutation::mutate;
use crate::operators::ranking::{Crowding, Ranking};
use crate::operators::selection::tournament;
use crate::phase::Phase;

/// The row of the table.
pub(crate) const ROW: AlgorithmRow = AlgorithmRow {
    name: "dynamosa",
    summary: "many-objective search that aims at the goals whose control dependences are covered (DynaMOSA)",
    new: || Box::new(DynaMosa::default()),
};

/// The algorithm.
#[derive(Debug, Default)]
struct DynaMosa {
    /// `P_t`; empty before the first generation.
    population: Vec<TestCaseChromosome>,
}

impl SearchAlgorithm for DynaMosa {
    fn step(&mut self, context: &mut SearchContext<'_, '_>) {
        let offspring = if self.population.is_empty() {
            // Lines 2 and 4: the targets without control dependences, RANDOM-POPULATION.
            context.aim_at(context.class.graph.roots());
            context.update_targets(&mut []);
            initial_population(context)
        } else {
            // Line 8: GENERATE-OFFSPRING. Lines 5 and 9, UPDATE-ARCHIVE, happen run by run.
            self.generate_offspring(context)
        };
        self.survive(offspring, context);
    }
}

impl DynaMosa {
    /// GENERATE-OFFSPRING: as many tests as the population has room for.
    fn generate_offspring(&self, context: &mut SearchContext<'_, '_>) -> Vec<TestCaseChromosome> {
        let options = context.options;
        let mut offspring = Vec::with_capacity(options.population);
        let inserted = (options.population as f64 * options.insertion_rate).round() as usize;
        for _ in 0..options.population.saturating_sub(inserted).div_ceil(2) {
            for child in self.children(context) {
                match context.evaluate(child) {
                    Evaluated::Individual(child) => offspring.push(child),
                    Evaluated::Useless => {}
                    Evaluated::Over => return offspring,
                }
            }
        }
        for _ in 0..inserted {
            let test = inserted_test(context);
            match context.evaluate(test) {
                Evaluated::Individual(test) => offspring.push(test),
                Evaluated::Useless => {}
                Evaluated::Over => return offspring,
            }
        }
        offspring
    }

    /// Selection, crossover and mutation.
    fn children(&self, context: &mut SearchContext<'_, '_>) -> Vec<TestCase> {
        let options = context.options;
        let (source, random) = (&mut *context.environment.source, &mut *context.environment.random);
        let mut select = || tournament(&self.population, options.tournament_size, random);
        let (Some(first), Some(second)) = (select(), select()) else { return Vec::new() };
        let (left, right) = if random.chance(options.crossover_probability) {
            crossover((first, second), source, options, random)
        } else {
            (Offspring::copy(first), Offspring::copy(second))
        };
        let mut children = Vec::with_capacity(2);
        for (parent, mut child) in [(first, left), (second, right)] {
            let executed = child.executed();
            mutate(source, &mut child.test, executed, random);
            if !context.state.calls_class_under_test(context.class.cluster, &child.test) {
                child = Offspring::copy(parent);
                let executed = child.executed();
                if !source.insert_random(&mut child.test, executed, random) {
                    child.test = source.random_test(random);
                }
            }
            children.push(child.test);
        }
        children
    }

    /// Lines 10 to 20: the targets follow the archive, and the best of parents and offspring are the next
    /// population.
    fn survive(&mut self, mut union: Vec<TestCaseChromosome>, context: &mut SearchContext<'_, '_>) {
        context.state.clock.enter(Phase::Ranking);
        // Lines 6 and 10: UPDATE-TARGETS.
        let has_other_targets = context.update_targets(&mut [&mut self.population, &mut union]);
        // Line 11. Offspring come first: among equals they are preferred.
        union.append(&mut self.population);
        // Line 12: PREFERENCE-SORTING.
        let size = context.options.population;
        let ranking = Ranking::new(&union);
        // Lines 13 to 20.
        let mut survivors: Vec<(usize, u32, Crowding)> = Vec::with_capacity(size);
        for (rank, front) in (0..).zip(ranking.preference_sorting(size)) {
            let keeps_all = rank == 0 && context.options.keep_first_front;
            let room = if keeps_all { front.len() } else { size.saturating_sub(survivors.len()) };
            if room == 0 {
                break;
            }
            // The first front changes little from one generation to the next.
            let is_counted =
                |individual: &TestCaseChromosome| rank == 0 && individual.rank == 0 && !has_other_targets;
            let crowding = ranking.subvector_dominance(&front, is_counted);
            let mut by_crowding: Vec<_> = crowding.into_iter().zip(front).collect();
            if by_crowding.len() > room {
                // Stable: among equally crowded ones the first survive.
                by_crowding.sort_by_key(|&(crowding, _)| Reverse(crowding.distance));
                by_crowding.truncate(room);
            }
            survivors.extend(by_crowding.into_iter().map(|(crowding, index)| (index, rank, crowding)));
        }
        let mut union: Vec<_> = union.into_iter().map(Some).collect();
        self.population.extend(survivors.into_iter().filter_map(|(index, rank, crowding)| {
            union[index].take().map(|individual| TestCaseChromosome { rank, crowding, ..individual })
        }));
    }
}

/// RANDOM-POPULATION: seeds, then random tests.
fn initial_population(context: &mut SearchContext<'_, '_>) -> Vec<TestCaseChromosome> {
    let size = context.options.population.max(context.state.seeds.len());
    let mut population = Vec::with_capacity(size);
    for _ in 0..size {
        let test = context.initial_test();
        match context.evaluate(test) {
            Evaluated::Individual(individual) => population.push(individual),
            Evaluated::Useless => {}
            Evaluated::Over => break,
        }
    }
    population
}

/// A test that does not descend from the population.
fn inserted_test(context: &mut SearchContext<'_, '_>) -> TestCase {
    let covered = context.state.archive.covered();
    let environment = &mut *context.environment;
    if environment.random.chance(context.options.insertion_from_archive)
        && let Some(archived) =
            environment.random.choose(covered).and_then(|&goal| context.state.archive.test(goal))
    {
        let mut test = archived.test.clone();
        // An archived test ends with the statement that threw, if any.
        let executed = match &archived.outcome {
            Outcome::Threw(thrown) => thrown.position,
            Outcome::Passed | Outcome::TimedOut | Outcome::Exited => usize::MAX,
        };
        mutate(environment.source, &mut test, executed, environment.random);
        return test;
    }
    context.random_test()
}
