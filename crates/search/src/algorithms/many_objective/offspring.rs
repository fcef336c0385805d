//! RANDOM-POPULATION and GENERATE-OFFSPRING.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), §3.2 and §4.5: tournament selection, single-point crossover with
//! probability 0.75, mutation of each statement with 1/size.

use testcase::execution::Outcome;
use testcase::test_case::TestCase;

use crate::chromosome::TestCaseChromosome;
use crate::context::{Evaluated, SearchContext};
use crate::operators::crossover::{Offspring, crossover};
use crate::operators::mutation::mutate;
use crate::operators::selection::tournament;

/// RANDOM-POPULATION: seeds, then random tests.
pub(crate) fn initial_population(context: &mut SearchContext<'_, '_>) -> Vec<TestCaseChromosome> {
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

/// GENERATE-OFFSPRING: as many tests as the population has room for, some of which do not descend from it.
pub(crate) fn generate_offspring(
    population: &[TestCaseChromosome],
    context: &mut SearchContext<'_, '_>,
) -> Vec<TestCaseChromosome> {
    let options = context.options;
    let inserted = (options.population as f64 * options.insertion_rate).round() as usize;
    let bred = options.population.saturating_sub(inserted);
    let mut offspring = offspring_of_population(population, bred, context);
    for _ in 0..inserted {
        if context.is_over() {
            break;
        }
        let test = inserted_test(context);
        if let Evaluated::Individual(test) = context.evaluate(test) {
            offspring.push(test);
        }
    }
    offspring
}

/// As many offspring of pairs, in pairs, beside what local search improved.
pub(crate) fn offspring_of_population(
    population: &[TestCaseChromosome],
    count: usize,
    context: &mut SearchContext<'_, '_>,
) -> Vec<TestCaseChromosome> {
    let mut offspring = context.take_improved();
    for _ in 0..count.div_ceil(2) {
        for child in children(population, context) {
            match context.evaluate(child) {
                Evaluated::Individual(child) => offspring.push(child),
                Evaluated::Useless => {}
                Evaluated::Over => return offspring,
            }
        }
    }
    offspring
}

/// Selection, crossover and mutation.
fn children(population: &[TestCaseChromosome], context: &mut SearchContext<'_, '_>) -> Vec<TestCase> {
    let Some(parents) = parents(population, context) else { return Vec::new() };
    let is_crossed = context.environment.random.chance(context.options.crossover_probability);
    children_of(parents, is_crossed, context)
}

/// Selection of a pair.
pub(crate) fn parents<'p>(
    population: &'p [TestCaseChromosome],
    context: &mut SearchContext<'_, '_>,
) -> Option<(&'p TestCaseChromosome, &'p TestCaseChromosome)> {
    let random = &mut *context.environment.random;
    let mut select = || tournament(population, context.options.tournament_size, random);
    Some((select()?, select()?))
}

/// Crossover, if there is one, and mutation.
pub(crate) fn children_of(
    (first, second): (&TestCaseChromosome, &TestCaseChromosome),
    is_crossed: bool,
    context: &mut SearchContext<'_, '_>,
) -> Vec<TestCase> {
    let (source, random) = (&mut *context.environment.source, &mut *context.environment.random);
    let (left, right) = if is_crossed {
        crossover((first, second), source, context.options, random)
    } else {
        (Offspring::copy(first), Offspring::copy(second))
    };
    [(first, left), (second, right)].map(|(parent, child)| mutated(parent, child, context)).into()
}

/// Mutation of the offspring of a parent.
pub(crate) fn mutated(
    parent: &TestCaseChromosome,
    mut child: Offspring,
    context: &mut SearchContext<'_, '_>,
) -> TestCase {
    let (source, random) = (&mut *context.environment.source, &mut *context.environment.random);
    let executed = child.executed();
    mutate(source, &mut child.test, executed, random);
    if !context.state.calls_class_under_test(context.class.cluster, &child.test) {
        child = Offspring::copy(parent);
        let executed = child.executed();
        if !source.insert_random(&mut child.test, executed, random) {
            child.test = source.random_test(random);
        }
    }
    child.test
}

/// A test that does not descend from the population.
pub(crate) fn inserted_test(context: &mut SearchContext<'_, '_>) -> TestCase {
    let options = context.options;
    if context.environment.random.chance(options.insertion_from_archive)
        && let Some((mut test, executed)) = archived_test(context)
    {
        mutate(context.environment.source, &mut test, executed, context.environment.random);
        return test;
    }
    context.random_test()
}

/// The archived test of a covered goal drawn at random, with the number of its statements that complete; `None` of an
/// empty archive.
pub(crate) fn archived_test(context: &mut SearchContext<'_, '_>) -> Option<(TestCase, usize)> {
    let archive = context.state.archive();
    let &goal = context.environment.random.choose(archive.covered())?;
    let archived = archive.test(goal)?;
    // An archived test ends with the statement that threw, if any.
    let executed = match &archived.outcome {
        Outcome::Threw(thrown) => thrown.position,
        Outcome::Passed | Outcome::TimedOut | Outcome::Exited => usize::MAX,
    };
    Some((archived.test.clone(), executed))
}
