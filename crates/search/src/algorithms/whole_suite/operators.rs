//! Selection, crossover and mutation of test suites.
//!
//! Fraser, Arcuri and `McMinn` 2015, §3.1: crossover at a relative point `α` of both lists of tests; each test is changed
//! with probability `1/|T|`; with probability `σ` a test is added, with `σ²` a second one, and so on.

use std::sync::Arc;

use testcase::random::Random;
use testcase::test_case::TestCase;

use super::Variant;
use super::suite::{Suite, TestRun};
use crate::algorithms::many_objective::offspring::archived_test;
use crate::context::SearchContext;
use crate::operators::changes::Changes;
use crate::operators::mutation;
use crate::options::{SearchOptions, SuiteSelection};

/// A test of an offspring.
#[derive(Debug, Clone)]
pub(crate) enum Slot {
    /// As a parent has it.
    Kept(Arc<TestRun>),
    /// To be run; with what mutation changed, where that is asked for.
    New(TestCase, Option<Changes>),
}

impl Slot {
    /// The test, and the number of its statements that complete as far as is known.
    fn into_test(self) -> (TestCase, usize) {
        match self {
            Self::Kept(run) => (run.test.clone(), run.executed()),
            Self::New(test, _) => (test, usize::MAX),
        }
    }
}

/// Mutations of a test that descends from the archive, at most.
const ARCHIVE_MUTATIONS: usize = 2;

/// A parent out of a population sorted from best to worst; `None` of an empty one.
pub(crate) fn select<'a>(
    population: &'a [Suite],
    options: &SearchOptions,
    random: &mut Random,
) -> Option<&'a Suite> {
    match options.suites.selection {
        SuiteSelection::Rank => {
            let bias = options.suites.rank_bias;
            let index = ranked(population.len(), bias, random.unit());
            population.get(index)
        }
        SuiteSelection::Tournament => {
            let draws = (0..options.tournament_size.max(1)).map(|_| random.below(population.len().max(1)));
            population.get(draws.min()?)
        }
    }
}

/// Linear ranking (Whitley 1989): an index below `count` for a number drawn evenly from 0 to 1; the first is drawn
/// `bias` times as often as it would be evenly. `bias` from 1 (evenly) to 2.
fn ranked(count: usize, bias: f64, unit: f64) -> usize {
    let share = if bias - 1.0 < 1e-9 {
        unit
    } else {
        (bias - (bias * bias - 4.0 * (bias - 1.0) * unit).sqrt()) / (2.0 * (bias - 1.0))
    };
    ((share * count as f64) as usize).min(count.saturating_sub(1))
}

/// The first share of the tests of one parent and the rest of those of the other, both ways. What would have no tests, or
/// more than allowed, is a copy of the parent of its first part.
pub(crate) fn crossover(
    (first, second): (&Suite, &Suite),
    most: usize,
    random: &mut Random,
) -> (Vec<Slot>, Vec<Slot>) {
    let share = random.unit();
    (splice(first, second, share, most), splice(second, first, share, most))
}

fn splice(own: &Suite, other: &Suite, share: f64, most: usize) -> Vec<Slot> {
    let cut = |suite: &Suite| (share * suite.tests.len() as f64) as usize;
    let tests: Vec<_> = own.tests.iter().take(cut(own)).chain(other.tests.iter().skip(cut(other))).collect();
    if tests.is_empty() || tests.len() > most {
        return own.slots();
    }
    tests.into_iter().cloned().map(Slot::Kept).collect()
}

/// Changes tests and adds tests; at least one is changed or added. With `tells_changes` the slots say what was changed.
pub(crate) fn mutate(
    mut slots: Vec<Slot>,
    variant: Variant,
    tells_changes: bool,
    context: &mut SearchContext<'_, '_>,
) -> Vec<Slot> {
    let options = context.options;
    let mut is_changed = false;
    let share = 1.0 / slots.len().max(1) as f64;
    let mut chosen: Vec<bool> = slots.iter().map(|_| context.environment.random.chance(share)).collect();
    let mut added = 0;
    let mut chance = options.suites.insertion;
    while slots.len() + added < options.suites.maximum_tests && context.environment.random.chance(chance) {
        added += 1;
        chance *= options.suites.insertion;
    }
    if added == 0 && !chosen.contains(&true) && !chosen.is_empty() {
        let index = context.environment.random.below(chosen.len());
        chosen[index] = true;
    }
    let mut mutated = Vec::with_capacity(slots.len() + added);
    for (slot, is_chosen) in slots.drain(..).zip(chosen) {
        if !is_chosen {
            mutated.push(slot);
            continue;
        }
        let (mut test, executed) = slot.into_test();
        let environment = &mut *context.environment;
        let before = tells_changes.then(|| test.clone());
        mutation::mutate(environment.source, &mut test, executed, environment.random);
        if context.state.calls_class_under_test(context.class.cluster, &test) {
            let changes = before.map(|before| Changes::between(&before, &test));
            mutated.push(Slot::New(test, changes));
            is_changed = true;
        }
    }
    if !is_changed {
        added = added.max(1);
    }
    for _ in 0..added {
        let test = new_test(variant, context);
        mutated.push(Slot::New(test, None));
    }
    mutated
}

/// Random tests: 1 to as many as a suite has at first.
pub(crate) fn initial_suite(context: &mut SearchContext<'_, '_>) -> Vec<Slot> {
    let tests = 1 + context.environment.random.below(context.options.suites.initial_tests.max(1));
    (0..tests).map(|_| Slot::New(context.initial_test(), None)).collect()
}

/// A test to add.
fn new_test(variant: Variant, context: &mut SearchContext<'_, '_>) -> TestCase {
    let probability = context.options.suites.from_archive;
    if variant == Variant::WithArchive
        && context.environment.random.chance(probability)
        && let Some((mut test, executed)) = archived_test(context)
    {
        let environment = &mut *context.environment;
        for _ in 0..environment.random.below(ARCHIVE_MUTATIONS + 1) {
            mutation::mutate(environment.source, &mut test, executed, environment.random);
        }
        return test;
    }
    context.random_test()
}

#[cfg(test)]
mod tests {
    use testcase::execution::Outcome;

    use super::*;
    use crate::archive::{ArchivedTest, Penalty};
    use crate::options::SuiteOptions;

    fn suite(tests: std::ops::Range<usize>) -> Suite {
        let run = |length: usize| {
            let statement = testcase::statement::Statement::Primitive {
                value: testcase::value::Value::Int(0),
                boxed: false,
            };
            let test = TestCase::new(vec![statement; length]);
            Arc::new(TestRun {
                archived: Arc::new(ArchivedTest::new(&test, Penalty::NONE, &Outcome::Passed)),
                test,
                covered: Vec::new(),
                hits: Vec::new(),
                distances: Vec::new(),
            })
        };
        Suite::new(tests.map(run).collect(), 0.0)
    }

    fn lengths(slots: &[Slot]) -> Vec<usize> {
        slots.iter().map(|slot| slot.clone().into_test().0.len()).collect()
    }

    #[test]
    fn offspring_are_spliced_at_the_same_share_of_both() {
        let (first, second) = (suite(1..5), suite(11..13));
        let check = |share, expect: &[usize]| {
            assert_eq!(lengths(&splice(&first, &second, share, 99)), expect);
        };
        check(0.0, &[11, 12]);
        check(0.3, &[1, 11, 12]);
        check(0.5, &[1, 2, 12]);
        check(0.99, &[1, 2, 3, 12]);
        assert_eq!(lengths(&splice(&second, &first, 0.5, 99)), [11, 3, 4]);
    }

    #[test]
    fn what_is_too_large_is_a_copy() {
        let (first, second) = (suite(1..4), suite(11..19));
        assert_eq!(lengths(&splice(&first, &second, 0.1, 5)), [1, 2, 3]);
        assert_eq!(lengths(&splice(&suite(0..0), &suite(0..0), 0.5, 5)), [0; 0]);
    }

    #[test]
    fn the_best_is_drawn_as_often_as_the_bias_says() {
        let mut random = Random::new(1, 0);
        let mut drawn = [0_u32; 10];
        for _ in 0..100_000 {
            drawn[ranked(10, 1.7, random.unit())] += 1;
        }
        assert!(drawn.is_sorted_by(|a, b| a > b), "{drawn:?}");
        // The density falls in a line from 1.7 at the best to 0.3 at the worst.
        assert!((16_000..17_200).contains(&drawn[0]), "{drawn:?}");
        assert!((3_200..4_200).contains(&drawn[9]), "{drawn:?}");
        assert_eq!((ranked(10, 1.0, 0.55), ranked(10, 2.0, 1.0), ranked(0, 1.7, 0.5)), (5, 9, 0));
    }

    #[test]
    fn a_tournament_is_won_by_the_best_that_takes_part() {
        let population: Vec<_> = (0..4).map(|length| suite(0..length)).collect();
        let options = SearchOptions {
            suites: SuiteOptions { selection: SuiteSelection::Tournament, ..SuiteOptions::default() },
            tournament_size: 50,
            ..SearchOptions::default()
        };
        let winner = select(&population, &options, &mut Random::new(1, 0)).unwrap();
        assert!(winner.tests.is_empty());
        assert!(select(&[], &options, &mut Random::new(1, 0)).is_none());
    }
}
