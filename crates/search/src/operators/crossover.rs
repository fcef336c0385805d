//! Relative single-point crossover.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), §4.5 and §4.6: two offspring are made by recombining the
//! statements of two parents, each of the first part of one and the second part of the other, cut at the same share
//! of both lengths. The second part is appended through the [`TestSource`], which gives its statements inputs.
//!
//! # Differences
//! With [`crate::options::SearchOptions::crossover_within_executed`] a parent that threw counts as long as what it
//! completed: a first part that contains the statement that threw would never reach the second.

use testcase::random::Random;
use testcase::test_case::TestCase;

use crate::chromosome::TestCaseChromosome;
use crate::options::SearchOptions;
use crate::source::TestSource;

/// An offspring before it is run.
#[derive(Debug, Clone)]
pub struct Offspring {
    /// Its statements.
    pub test: TestCase,
    /// Where it is known to throw, because a parent did and nothing before was changed.
    pub threw: Option<usize>,
}

impl Offspring {
    /// A copy of a parent.
    pub fn copy(parent: &TestCaseChromosome) -> Self {
        Self { test: parent.test.clone(), threw: parent.run.threw }
    }

    /// Number of statements that will complete, as far as is known.
    pub fn executed(&self) -> usize {
        self.threw.unwrap_or(usize::MAX).min(self.test.len())
    }
}

/// The offspring of two parents. Parents of fewer than two statements, and parts that are longer together than
/// allowed, give a copy of the parent of the first part.
pub fn crossover(
    parents: (&TestCaseChromosome, &TestCaseChromosome),
    source: &mut dyn TestSource,
    options: &SearchOptions,
    random: &mut Random,
) -> (Offspring, Offspring) {
    let share = random.unit();
    let (first, second) = parents;
    let first_cut = cut(first, share, options);
    let second_cut = cut(second, share, options);
    (
        recombine((first, first_cut), (second, second_cut), source, options, random),
        recombine((second, second_cut), (first, first_cut), source, options, random),
    )
}

/// Position of the first statement of the second part; `None` of a test too short to be cut.
fn cut(parent: &TestCaseChromosome, share: f64, options: &SearchOptions) -> Option<usize> {
    let executed = match parent.run.threw {
        Some(position) if options.crossover_within_executed => position + 1,
        _ => parent.length(),
    };
    let length = executed.min(parent.length());
    (length >= 2).then(|| (share * (length - 1) as f64) as usize + 1)
}

fn recombine(
    (own, own_cut): (&TestCaseChromosome, Option<usize>),
    (other, other_cut): (&TestCaseChromosome, Option<usize>),
    source: &mut dyn TestSource,
    options: &SearchOptions,
    random: &mut Random,
) -> Offspring {
    let copy = Offspring::copy(own);
    let (Some(own_cut), Some(other_cut)) = (own_cut, other_cut) else { return copy };
    if own_cut + other.length().saturating_sub(other_cut) > options.factory.max_length {
        return copy;
    }
    let mut test = own.test.clone();
    test.truncate(own_cut);
    if !source.append(&mut test, &other.test, other_cut, random) {
        return copy;
    }
    Offspring { test, threw: own.run.threw.filter(|&position| position < own_cut) }
}

#[cfg(test)]
mod tests {
    use coverage::fitness::FitnessVector;
    use fixedbitset::FixedBitSet;
    use testcase::execution::ComparisonOperand;
    use testcase::factory::options::FactoryOptions;
    use testcase::statement::Statement;
    use testcase::value::Value;

    use super::*;
    use crate::chromosome::RunSummary;

    /// Appends literally.
    struct Copying;

    impl TestSource for Copying {
        fn random_test(&mut self, _: &mut Random) -> TestCase {
            TestCase::default()
        }

        fn mutate(&mut self, _: &mut TestCase, _: usize, _: &mut Random) -> bool {
            false
        }

        fn append(&mut self, test: &mut TestCase, other: &TestCase, position: usize, _: &mut Random) -> bool {
            test.statements_mut().extend_from_slice(&other.statements()[position..]);
            position < other.len()
        }

        fn insert_random(&mut self, _: &mut TestCase, _: usize, _: &mut Random) -> bool {
            false
        }

        fn remove_unused(&mut self, _: &mut TestCase) {}

        fn set_call_weights(&mut self, _: &[f64]) {}

        fn set_open_branches(&mut self, _: &FixedBitSet) {}

        fn observe(&mut self, _: &[ComparisonOperand]) {}
    }

    fn parent(values: &[i32], threw: Option<usize>) -> TestCaseChromosome {
        let statement = |&value: &i32| Statement::Primitive { value: Value::Int(value), boxed: false };
        let test = TestCase::new(values.iter().map(statement).collect());
        let mut run = RunSummary::default();
        run.threw = threw;
        TestCaseChromosome::new(0, test, FitnessVector::default(), run)
    }

    fn values(test: &TestCase) -> Vec<i64> {
        let value = |statement: &Statement| match statement {
            Statement::Primitive { value, .. } => value.as_integer(),
            _ => None,
        };
        test.statements().iter().filter_map(value).collect()
    }

    #[test]
    fn offspring_share_the_first_part_of_one_and_the_second_of_the_other() {
        let (left, right) = (parent(&[1, 2, 3, 4], None), parent(&[10, 20], None));
        let mut random = Random::new(3, 0);
        for _ in 0..100 {
            let (one, two) = crossover((&left, &right), &mut Copying, &SearchOptions::default(), &mut random);
            let (one, two) = (values(&one.test), values(&two.test));
            assert!([vec![1, 20], vec![1, 2, 20], vec![1, 2, 3, 20]].contains(&one), "{one:?}");
            assert_eq!(one.len() + two.len(), 6);
            assert!(two.starts_with(&[10]) && two.ends_with(&[4]), "{two:?}");
        }
    }

    #[test]
    fn a_parent_is_cut_where_it_still_ran() {
        let (left, right) = (parent(&[1, 2, 3, 4, 5, 6], Some(1)), parent(&[10, 20], None));
        let mut random = Random::new(3, 0);
        for _ in 0..100 {
            let (one, two) = crossover((&left, &right), &mut Copying, &SearchOptions::default(), &mut random);
            assert_eq!((values(&one.test), one.threw), (vec![1, 20], None));
            assert_eq!(values(&two.test), [10, 2, 3, 4, 5, 6]);
        }
        let threw = (0..100).filter_map(|_| {
            crossover((&left, &right), &mut Copying, &SearchOptions::paper_004(), &mut random).0.threw
        });
        assert!(threw.count() > 50);
    }

    #[test]
    fn what_cannot_be_crossed_is_copied() {
        let mut random = Random::new(3, 0);
        let long: Vec<i32> = (0..40).collect();
        for (left, right) in [
            (parent(&[1], None), parent(&[10, 20], None)),
            (parent(&[1, 2], Some(0)), parent(&[10, 20], None)),
            (parent(&long, None), parent(&long, None)),
        ] {
            let factory = FactoryOptions { max_length: 2, ..FactoryOptions::default() };
            let options = SearchOptions { factory, ..SearchOptions::default() };
            let (one, two) = crossover((&left, &right), &mut Copying, &options, &mut random);
            let copied = [&one, &two].into_iter().zip([&left, &right]);
            for (offspring, parent) in copied {
                let is_copy = offspring.test == parent.test && offspring.threw == parent.run.threw;
                assert!(is_copy || offspring.test.len() <= 2);
            }
        }
    }
}
