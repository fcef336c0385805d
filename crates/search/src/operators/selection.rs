//! Tournament selection.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), §4.5: the individual of lowest rank wins, among equals the one of
//! largest crowding distance, or of whatever else orders individuals within a front.

use testcase::random::Random;

use crate::chromosome::TestCaseChromosome;

/// The winner of a tournament of that many individuals drawn with replacement; among equals the one drawn first.
/// `None` of an empty population.
pub fn tournament<'a>(
    population: &'a [TestCaseChromosome],
    size: usize,
    random: &mut Random,
) -> Option<&'a TestCaseChromosome> {
    let mut winner = random.choose(population)?;
    for _ in 1..size {
        let challenger = random.choose(population)?;
        if (challenger.rank, winner.secondary) < (winner.rank, challenger.secondary) {
            winner = challenger;
        }
    }
    Some(winner)
}

#[cfg(test)]
mod tests {
    use coverage::fitness::FitnessVector;
    use testcase::test_case::TestCase;

    use super::*;
    use crate::chromosome::RunSummary;

    fn individual(rank: u32, secondary: f64) -> TestCaseChromosome {
        let unranked =
            TestCaseChromosome::new(0, TestCase::default(), FitnessVector::default(), RunSummary::default());
        TestCaseChromosome { rank, secondary, ..unranked }
    }

    #[test]
    fn rank_counts_before_what_orders_a_front() {
        let population = [individual(1, 90.0), individual(0, 3.0), individual(0, 7.0), individual(2, 100.0)];
        let mut random = Random::new(1, 0);
        let winner = tournament(&population, 100, &mut random).unwrap();
        assert_eq!((winner.rank, winner.secondary), (0, 7.0));
    }

    #[test]
    fn a_tournament_of_one_is_a_uniform_draw() {
        let population = [individual(0, 0.0), individual(1, 0.0)];
        let mut random = Random::new(1, 0);
        let losers = (0..1000).filter(|_| tournament(&population, 1, &mut random).unwrap().rank == 1).count();
        assert!((400..600).contains(&losers), "{losers}");
        assert!(tournament(&[], 10, &mut random).is_none());
    }
}
