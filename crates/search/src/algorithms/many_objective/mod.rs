//! What the many-objective algorithms share: the family of NSGA-II over test cases.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), Algorithms 1, 2 and 6, differ in the objectives, in how the union of
//! parents and offspring is split into fronts, and in what orders a front. All else is here, once:
//!
//! * [`offspring`]: RANDOM-POPULATION and GENERATE-OFFSPRING
//! * [`survival`]: the loop over the fronts that fills the next population
//!
//! # Differences
//! * Besides the offspring, a generation has a few tests that are random or descend from the archive
//!   ([`crate::options::SearchOptions::insertion_rate`]): as in the implementation the paper measured, not in its
//!   listings.
//! * The initial population is ranked too: the first tournaments need ranks.
//! * An offspring without any call of the class under test covers nothing; it is made anew by inserting a call into
//!   its parent.
//! * Tests whose run has no fitness ([`crate::context::Evaluated::Useless`]) do not enter the population.

pub(crate) mod offspring;
pub(crate) mod survival;

use crate::chromosome::TestCaseChromosome;

/// `R_t`: offspring and parents. Offspring come first: among equals they are preferred. `population` is left empty.
pub(crate) fn union(
    mut offspring: Vec<TestCaseChromosome>,
    population: &mut Vec<TestCaseChromosome>,
) -> Vec<TestCaseChromosome> {
    offspring.append(population);
    offspring
}

#[cfg(test)]
mod tests {
    use coverage::fitness::FitnessVector;
    use testcase::test_case::TestCase;

    use super::*;
    use crate::chromosome::RunSummary;

    #[test]
    fn parents_and_offspring_compete_offspring_first() {
        // 004: Algorithm 1, line 6; Algorithm 2, line 8; Algorithm 6, line 11.
        let individual = |serial| {
            TestCaseChromosome::new(
                serial,
                TestCase::default(),
                FitnessVector::default(),
                RunSummary::default(),
            )
        };
        let mut parents: Vec<_> = [1, 2].map(individual).into();
        let union = union([3, 4, 5].map(individual).into(), &mut parents);
        assert_eq!(union.iter().map(|one| one.serial).collect::<Vec<_>>(), [3, 4, 5, 1, 2]);
        assert!(parents.is_empty());
    }
}
