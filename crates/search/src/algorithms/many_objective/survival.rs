//! The loop over the fronts that fills the next population.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), lines 13 to 20 of Algorithm 6 (8 to 15 of Algorithm 1, 10 to 17 of
//! Algorithm 2): fronts survive whole as long as there is room, the front that is too large by its order.
//!
//! # Differences
//! * The whole first front survives where [`Survival::keep_first_front`] says so; the population then grows beyond its
//!   size while there are more targets with a best test of their own.
//! * The front that is cut is ordered by a score of its own. The listings sort it without assigning it one.

use crate::chromosome::TestCaseChromosome;
use crate::operators::ranking::Ranking;
use crate::operators::subvector::Crowding;

/// What orders an individual within its front.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Secondary {
    /// Larger is better.
    pub(crate) score: f64,
    /// Subvector dominance, where that is the score: it is counted on in the next generation.
    pub(crate) crowding: Crowding,
}

impl Secondary {
    /// A score that is not subvector dominance.
    pub(crate) fn of(score: f64) -> Self {
        Self { score, crowding: Crowding::default() }
    }
}

impl From<Crowding> for Secondary {
    fn from(crowding: Crowding) -> Self {
        Self { score: f64::from(crowding.distance), crowding }
    }
}

/// How many survive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Survival {
    /// M: size of the population.
    pub(crate) size: usize,
    /// Whether the first front is never cut.
    pub(crate) keep_first_front: bool,
}

/// The next population, from fronts of indices into `union`, best first. `secondary` gives for a rank and its front what
/// orders the individuals of the front, in its order.
pub(crate) fn survive(
    union: Vec<TestCaseChromosome>,
    fronts: Vec<Vec<usize>>,
    survival: Survival,
    mut secondary: impl FnMut(&[TestCaseChromosome], u32, &[usize]) -> Vec<Secondary>,
) -> Vec<TestCaseChromosome> {
    let mut survivors: Vec<(usize, u32, Secondary)> = Vec::with_capacity(survival.size);
    for (rank, front) in (0..).zip(fronts) {
        let keeps_all = rank == 0 && survival.keep_first_front;
        let room = if keeps_all { front.len() } else { survival.size.saturating_sub(survivors.len()) };
        if room == 0 {
            break;
        }
        let mut by_score: Vec<_> = secondary(&union, rank, &front).into_iter().zip(front).collect();
        if by_score.len() > room {
            // Stable: among equal ones the first survive.
            by_score.sort_by(|(a, _), (b, _)| b.score.total_cmp(&a.score));
            by_score.truncate(room);
        }
        survivors.extend(by_score.into_iter().map(|(secondary, index)| (index, rank, secondary)));
    }
    let mut union: Vec<_> = union.into_iter().map(Some).collect();
    let survivor = |(index, rank, Secondary { score, crowding }): (usize, u32, Secondary)| {
        let individual = union[index].take()?;
        Some(TestCaseChromosome { rank, secondary: score, crowding, ..individual })
    };
    survivors.into_iter().filter_map(survivor).collect()
}

/// CROWDING-DISTANCE-ASSIGNMENT by subvector dominance, as a secondary score for [`survive`].
pub(crate) fn by_subvector_dominance(
    union: &[TestCaseChromosome],
    rank: u32,
    front: &[usize],
) -> Vec<Secondary> {
    // The first front changes little from one generation to the next.
    let is_counted = |individual: &TestCaseChromosome| rank == 0 && individual.rank == 0;
    let crowding = Ranking::new(union).subvector_dominance(front, is_counted);
    crowding.into_iter().map(Secondary::from).collect()
}

#[cfg(test)]
mod tests {
    use coverage::fitness::FitnessVector;
    use testcase::test_case::TestCase;

    use super::*;
    use crate::chromosome::RunSummary;

    /// Survivors of six individuals, numbered from 0, with scores as given, by rank.
    fn check(
        fronts: &[&[usize]],
        scores: [f64; 6],
        survival: Survival,
        expect: &[(u64, u32)],
    ) -> Vec<TestCaseChromosome> {
        let individual = |serial| {
            TestCaseChromosome::new(
                serial,
                TestCase::default(),
                FitnessVector::default(),
                RunSummary::default(),
            )
        };
        let union = (0..6).map(individual).collect();
        let fronts = fronts.iter().map(|front| front.to_vec()).collect();
        let population = survive(union, fronts, survival, |_, _, front| {
            front.iter().map(|&index| Secondary::of(scores[index])).collect()
        });
        let survivors: Vec<_> =
            population.iter().map(|individual| (individual.serial, individual.rank)).collect();
        assert_eq!(survivors, expect);
        population
    }

    const FRONTS: &[&[usize]] = &[&[4, 1], &[0, 2, 5], &[3]];

    #[test]
    fn fronts_survive_whole_while_there_is_room_line_15() {
        let survival = |size| Survival { size, keep_first_front: false };
        let scores = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        check(FRONTS, scores, survival(6), &[(4, 0), (1, 0), (0, 1), (2, 1), (5, 1), (3, 2)]);
        check(FRONTS, scores, survival(5), &[(4, 0), (1, 0), (0, 1), (2, 1), (5, 1)]);
        check(FRONTS, scores, survival(2), &[(4, 0), (1, 0)]);
    }

    #[test]
    fn the_front_that_is_too_large_is_cut_by_descending_score_lines_19_and_20() {
        let survival = |size| Survival { size, keep_first_front: false };
        let scores = [1.0, 5.0, 3.0, 9.0, 7.0, 2.0];
        check(FRONTS, scores, survival(4), &[(4, 0), (1, 0), (2, 1), (5, 1)]);
        check(FRONTS, scores, survival(3), &[(4, 0), (1, 0), (2, 1)]);
        let population = check(FRONTS, scores, survival(1), &[(4, 0)]);
        assert_eq!(population[0].secondary, 7.0);
    }

    #[test]
    fn the_first_front_is_only_cut_where_the_listing_is_followed() {
        let scores = [1.0, 8.0, 3.0, 9.0, 7.0, 2.0];
        check(FRONTS, scores, Survival { size: 1, keep_first_front: true }, &[(4, 0), (1, 0)]);
        check(FRONTS, scores, Survival { size: 1, keep_first_front: false }, &[(1, 0)]);
    }
}
