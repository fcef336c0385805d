//! Ranking: preference sorting, non-dominated fronts, subvector dominance.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), Definition 3, Algorithms 3 and 4. Vectors hold the fitness for
//! the current targets only, so every objective counts as uncovered.
//!
//! # Differences
//! * Of several tests that are best for a target and equally short, the one that comes first in the order given is
//!   preferred; the paper leaves this open. Callers put new tests first, so that the population drifts along
//!   plateaus.
//! * Fronts are peeled off individuals presorted so that no one is dominated by a later one: the fronts are those of
//!   the usual algorithm, and a comparison ends at the first objective that refutes it. No front is made that survival
//!   does not need.

#![expect(clippy::inline_always, reason = "only what is inlined uses the registers that pulp chose")]

use std::cmp::Ordering;

use coverage::fitness::{FitnessVector, ones};
use pulp::{Arch, Simd, WithSimd};

use super::subvector::{self, Crowding};
use crate::chromosome::TestCaseChromosome;

/// Individuals to be ranked, with vectors for the same objectives.
#[derive(Debug)]
pub struct Ranking<'a> {
    individuals: Vec<&'a TestCaseChromosome>,
    objectives: usize,
}

impl<'a> Ranking<'a> {
    /// Takes the individuals in order.
    pub fn new(individuals: impl IntoIterator<Item = &'a TestCaseChromosome>) -> Self {
        let individuals: Vec<_> = individuals.into_iter().collect();
        let objectives = individuals.first().map_or(0, |first| first.fitness.len());
        debug_assert!(
            individuals.iter().all(|individual| individual.fitness.len() == objectives),
            "vectors of different objectives"
        );
        Self { individuals, objectives }
    }

    /// PREFERENCE-SORTING (Algorithm 3): the fronts, best first, as indices of individuals in the order given, until
    /// they hold at least `size` individuals; the others would not survive.
    pub fn preference_sorting(&self, size: usize) -> Vec<Vec<usize>> {
        self.sorted(size, self.preference_fronts())
    }

    /// As [`Ranking::preference_sorting`], where among tests that are equally near to a target the one of the lowest
    /// score is preferred, in place of the shortest.
    pub fn preference_sorting_by(
        &self,
        size: usize,
        score: impl Fn(&TestCaseChromosome) -> f64,
    ) -> Vec<Vec<usize>> {
        self.sorted(size, self.parted(self.preferred(|individual| TotalOrder(score(individual)))))
    }

    /// The fronts of Algorithm 3 from line 8 on.
    fn sorted(&self, size: usize, mut fronts: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
        let selected = fronts.first().map_or(0, Vec::len);
        if selected <= size
            && let Some(remaining) = fronts.pop()
        {
            fronts.extend(self.nondominated_fronts(remaining, size - selected));
        }
        fronts
    }

    /// The two fronts of the preference criterion alone: the preferred test of each target, and all others.
    pub fn preference_fronts(&self) -> Vec<Vec<usize>> {
        self.parted(self.preferred(TestCaseChromosome::length))
    }

    fn parted(&self, first: Vec<usize>) -> Vec<Vec<usize>> {
        let remaining =
            (0..self.individuals.len()).filter(|index| first.binary_search(index).is_err()).collect();
        vec![first, remaining]
    }

    /// For each target the test case that is preferred (Definition 3), ascending; `tie` is its size.
    fn preferred<T: Ord>(&self, tie: impl Fn(&TestCaseChromosome) -> T) -> Vec<usize> {
        let mut by_length: Vec<usize> = (0..self.individuals.len()).collect();
        by_length.sort_by_cached_key(|&index| tie(self.individuals[index]));
        let Some(&shortest) = by_length.first() else { return Vec::new() };
        // Who reached no objective has the fitness that all others have who did not reach it.
        let mut best = vec![f64::INFINITY; self.objectives];
        let mut by = vec![shortest; self.objectives];
        let arch = Arch::new();
        for index in by_length {
            let fitness = self.fitness(index);
            let words = best.chunks_mut(64).zip(by.chunks_mut(64)).zip(fitness.reached()).enumerate();
            for (word, ((best, by), &reached)) in words.filter(|(_, (_, reached))| **reached != 0) {
                // Among equals the shortest stays, among equally short ones the first.
                let values = fitness.reached_in(word);
                if let (Ok(best), Ok(by), Ok(values)) = (
                    <&mut [f64; 64]>::try_from(&mut *best),
                    <&mut [usize; 64]>::try_from(&mut *by),
                    <&[f64; 64]>::try_from(values),
                ) {
                    arch.dispatch(Preferring { index, values, best, by });
                    continue;
                }
                for (bit, &value) in ones(reached).zip(values) {
                    if value < best[bit] {
                        (best[bit], by[bit]) = (value, index);
                    }
                }
            }
        }
        let mut preferred = by;
        preferred.sort_unstable();
        preferred.dedup();
        preferred
    }

    /// FAST-NONDOMINATED-SORT: the fronts of these individuals by Pareto dominance, best first, until they hold at
    /// least `size` individuals.
    pub fn nondominated_fronts(&self, remaining: Vec<usize>, size: usize) -> Vec<Vec<usize>> {
        // Who dominates another reached at least what that one did, and has the smaller vector.
        let mut remaining: Vec<(usize, usize)> =
            remaining.into_iter().map(|index| (self.fitness(index).reached_number(), index)).collect();
        remaining.sort_by(|&(a_reached, a), &(b_reached, b)| {
            b_reached.cmp(&a_reached).then_with(|| in_order(self.fitness(a), self.fitness(b)))
        });
        let mut fronts = Vec::new();
        let mut sorted = 0;
        while sorted < size && !remaining.is_empty() {
            let mut front: Vec<usize> = Vec::new();
            remaining.retain(|&(_, individual)| {
                let is_dominated =
                    front.iter().any(|&better| dominates(self.fitness(better), self.fitness(individual)));
                if !is_dominated {
                    front.push(individual);
                }
                is_dominated
            });
            front.sort_unstable();
            sorted += front.len();
            fronts.push(front);
        }
        fronts
    }

    /// CROWDING-DISTANCE-ASSIGNMENT by subvector dominance ([`super::subvector`]), for the individuals of one front in its
    /// order.
    ///
    /// With `is_counted`, tells which of them were together in one front when their
    /// [`TestCaseChromosome::crowding`] was computed, with those objectives that they reached: only the others, and those
    /// whose nearest individual is gone, are compared with all.
    pub fn subvector_dominance(
        &self,
        front: &[usize],
        is_counted: impl Fn(&TestCaseChromosome) -> bool,
    ) -> Vec<Crowding> {
        let individuals: Vec<_> = front.iter().map(|&index| self.individuals[index]).collect();
        subvector::crowding(&individuals, is_counted)
    }

    /// CROWDING-DISTANCE-ASSIGNMENT as in NSGA-II (Deb et al. 2002, §III-B), for the individuals of one front in its
    /// order: for each objective, the distance between the two neighbours relative to the range in the front, infinite at
    /// both ends; all added up. An objective in which all are equal tells nobody apart and adds nothing.
    pub fn crowding_distance(&self, front: &[usize]) -> Vec<f64> {
        let mut distances = vec![0.0; front.len()];
        let mut order: Vec<usize> = (0..front.len()).collect();
        for column in self.reached_by_any(front) {
            let value = |position: usize| self.fitness(front[position]).value(column);
            order.sort_unstable();
            order.sort_by(|&a, &b| value(a).total_cmp(&value(b)));
            let (Some(&first), Some(&last)) = (order.first(), order.last()) else { break };
            let range = value(last) - value(first);
            if range == 0.0 {
                continue;
            }
            distances[first] = f64::INFINITY;
            distances[last] = f64::INFINITY;
            for neighbours in order.windows(3) {
                if let &[before, position, after] = neighbours {
                    distances[position] += (value(after) - value(before)) / range;
                }
            }
        }
        distances
    }

    /// Objectives that any of these individuals reached, ascending: in all others they are equal.
    fn reached_by_any(&self, front: &[usize]) -> Vec<usize> {
        let mut reached = vec![0; self.objectives.div_ceil(64)];
        for &index in front {
            for (all, word) in reached.iter_mut().zip(self.fitness(index).reached()) {
                *all |= word;
            }
        }
        let columns = |(word, &bits): (usize, &u64)| ones(bits).map(move |bit| 64 * word + bit);
        reached.iter().enumerate().flat_map(columns).collect()
    }

    fn fitness(&self, index: usize) -> &'a FitnessVector {
        &self.individuals[index].fitness
    }
}

/// Notes which values of an individual are less than the best so far.
struct Preferring<'a> {
    index: usize,
    values: &'a [f64; 64],
    best: &'a mut [f64; 64],
    by: &'a mut [usize; 64],
}

impl WithSimd for Preferring<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        prefer(self.index, self.values, self.best, self.by);
    }
}

/// Of arguments the compiler knows that they do not overlap.
#[inline(always)]
fn prefer(index: usize, values: &[f64; 64], best: &mut [f64; 64], by: &mut [usize; 64]) {
    for bit in 0..64 {
        let is_better = values[bit] < best[bit];
        best[bit] = if is_better { values[bit] } else { best[bit] };
        by[bit] = if is_better { index } else { by[bit] };
    }
}

/// Numbers in the order of [`f64::total_cmp`].
#[derive(Debug, Clone, Copy, PartialEq)]
struct TotalOrder(f64);

impl Eq for TotalOrder {}

impl PartialOrd for TotalOrder {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TotalOrder {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// An order in which nobody who reached as many objectives is dominated by a later one: by the first objective in which
/// two differ.
fn in_order(a: &FitnessVector, b: &FitnessVector) -> Ordering {
    for (word, (&in_a, &in_b)) in a.reached().iter().zip(b.reached()).enumerate() {
        if in_a != in_b {
            // Whoever reached the first objective that the other did not is better in it; all before both reached.
            let differing = (in_a ^ in_b).trailing_zeros();
            let before = (in_a & ((1 << differing) - 1)).count_ones() as usize;
            let earlier = a.reached_in(word)[..before].partial_cmp(&b.reached_in(word)[..before]);
            let first = if in_a >> differing & 1 == 1 { Ordering::Less } else { Ordering::Greater };
            return earlier.unwrap_or(Ordering::Equal).then(first);
        }
        match a.reached_in(word).partial_cmp(b.reached_in(word)) {
            Some(Ordering::Equal) | None => {}
            Some(order) => return order,
        }
    }
    Ordering::Equal
}

/// DOMINANCE-COMPARATOR (Algorithm 4), one way: `a` is nowhere worse than `b`, and better somewhere.
pub fn dominates(a: &FitnessVector, b: &FitnessVector) -> bool {
    let mut is_better = false;
    for (word, (&in_a, &in_b)) in a.reached().iter().zip(b.reached()).enumerate() {
        if in_b & !in_a != 0 {
            return false;
        }
        is_better |= in_a & !in_b != 0;
        if in_b == 0 {
            continue;
        }
        let mut of_b = b.reached_in(word).iter();
        for (bit, a) in ones(in_a).zip(a.reached_in(word)) {
            if in_b >> bit & 1 == 1
                && let Some(b) = of_b.next()
            {
                if b < a {
                    return false;
                }
                is_better |= a < b;
            }
        }
    }
    is_better
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use testcase::statement::Statement;
    use testcase::test_case::TestCase;
    use testcase::value::Value;

    use super::super::subvector::ALONE;
    use super::super::subvector::fronts::fronts;
    use super::*;
    use crate::chromosome::RunSummary;

    fn individual(length: usize, fitness: Vec<f64>) -> TestCaseChromosome {
        let statement = Statement::Primitive { value: Value::Int(0), boxed: false };
        let test = TestCase::new(vec![statement; length]);
        let fitness = FitnessVector::of(fitness, WORST);
        TestCaseChromosome::new(0, test, fitness, RunSummary::default())
    }

    fn distances(individuals: &[TestCaseChromosome], front: &[usize]) -> Vec<u32> {
        let crowding = Ranking::new(individuals).subvector_dominance(front, |_| false);
        crowding.into_iter().map(|crowding| crowding.distance).collect()
    }

    const WORST: f64 = 100.0;

    fn check(individuals: &[(usize, &[f64])], size: usize, expect: &[&[usize]]) {
        let individuals: Vec<_> =
            individuals.iter().map(|&(length, vector)| individual(length, vector.to_vec())).collect();
        assert_eq!(Ranking::new(&individuals).preference_sorting(size), expect);
    }

    #[test]
    fn the_first_front_holds_the_best_test_of_each_target() {
        // As in the paper's Figure 2: of a front of trade-offs, the two nearest to an axis come first.
        let figure_2: &[(usize, &[f64])] =
            &[(9, &[1.0, 8.0]), (9, &[2.0, 6.0]), (9, &[4.0, 4.0]), (9, &[7.0, 1.0]), (9, &[5.0, 5.0])];
        check(figure_2, 5, &[&[0, 3], &[1, 2], &[4]]);
        check(figure_2, 4, &[&[0, 3], &[1, 2]]);
        check(figure_2, 2, &[&[0, 3]]);
    }

    #[test]
    fn the_shorter_test_is_preferred_then_the_first() {
        check(&[(9, &[1.0]), (3, &[1.0]), (3, &[1.0])], 1, &[&[1]]);
        check(&[(9, &[1.0]), (3, &[2.0])], 2, &[&[0], &[1]]);
        check(&[(9, &[1.0, 5.0]), (3, &[2.0, 5.0])], 2, &[&[0, 1]]);
    }

    #[test]
    fn another_score_may_take_the_place_of_the_length() {
        let individuals = [(9, 1.0), (3, 1.0)].map(|(length, value)| individual(length, vec![value]));
        let ranking = Ranking::new(&individuals);
        assert_eq!(ranking.preference_sorting(1), [[1]]);
        assert_eq!(ranking.preference_sorting_by(1, |one| -(one.length() as f64)), [[0]]);
    }

    #[test]
    fn a_large_first_front_leaves_everything_else_unsorted() {
        check(
            &[(1, &[0.1, 9.0]), (1, &[9.0, 0.1]), (1, &[1.0, 1.0]), (1, &[2.0, 2.0])],
            1,
            &[&[0, 1], &[2, 3]],
        );
    }

    #[test]
    fn without_targets_all_are_equal() {
        check(&[(4, &[]), (2, &[])], 2, &[&[], &[0, 1]]);
        check(&[], 2, &[&[]]);
    }

    #[test]
    fn subvector_dominance_is_the_least_number_of_better_objectives() {
        let individuals: Vec<_> = [[0.0, 0.0, 9.0], [1.0, 1.0, 1.0], [9.0, 0.0, 0.0]]
            .map(|vector| individual(1, vector.to_vec()))
            .into();
        assert_eq!(distances(&individuals, &[0, 1, 2]), [1, 1, 1]);
        assert_eq!(distances(&individuals, &[0, 1]), [2, 1]);
        assert_eq!(distances(&individuals, &[2]), [ALONE]);
        assert!(distances(&individuals, &[]).is_empty());
    }

    #[test]
    fn crowding_distance_is_the_room_between_neighbours() {
        // Four on a line, the ends infinite; the third objective is the same for all.
        let individuals: Vec<_> = [[0.0, 9.0, 5.0], [1.0, 8.0, 5.0], [4.0, 3.0, 5.0], [10.0, 0.0, 5.0]]
            .map(|vector| individual(1, vector.to_vec()))
            .into();
        let distances = Ranking::new(&individuals).crowding_distance(&[3, 0, 2, 1]);
        let expect = |first: f64, second: f64| first / 10.0 + second / 9.0;
        assert_eq!(distances, [f64::INFINITY, f64::INFINITY, expect(9.0, 8.0), expect(4.0, 6.0)]);
        assert_eq!(Ranking::new(&individuals).crowding_distance(&[1, 1]), [0.0, 0.0]);
        assert_eq!(Ranking::new(&individuals).crowding_distance(&[2]), [0.0]);
    }

    #[test]
    fn one_better_value_dominates_and_two_that_disagree_do_not_algorithm_4() {
        let check = |first: &[f64], second: &[f64], expect: (bool, bool)| {
            let [first, second] = [first, second].map(|values| FitnessVector::of(values.to_vec(), WORST));
            assert_eq!((dominates(&first, &second), dominates(&second, &first)), expect);
        };
        // Lines 7 and 8, 16 and 17; lines 9 and 10, 18 and 19.
        check(&[1.0, 2.0, 3.0], &[1.0, 2.5, 3.0], (true, false));
        check(&[1.0, WORST], &[0.5, WORST], (false, true));
        // Lines 11 and 12: the third value is not looked at.
        check(&[1.0, 2.0, 0.0], &[2.0, 1.0, 9.0], (false, false));
        // Lines 13 and 14.
        check(&[1.0, 2.0], &[1.0, 2.0], (false, false));
        check(&[], &[], (false, false));
        // Reached by one of them only.
        check(&[7.0, WORST], &[WORST, WORST], (true, false));
        check(&[7.0, WORST], &[WORST, 7.0], (false, false));
    }

    #[test]
    fn the_first_front_of_figure_2_runs_from_the_code() {
        // if (a == b) …; if (b == c) …: f1 = |a - b|, f2 = |b - c| for tests none of which covers either.
        let tests = [(4, 5, 9), (0, 3, 4), (1, 9, 5), (10, 2, 0), (7, 3, 30), (2, 8, 14)];
        let individuals = tests.map(|(a, b, c): (i32, i32, i32)| {
            individual(3, vec![f64::from((a - b).abs()), f64::from((b - c).abs())])
        });
        let fronts = Ranking::new(&individuals).preference_sorting(individuals.len());
        // A is (4, 5, 9), at |a - b| = 1; B is (0, 3, 4), at |b - c| = 1; each dominates some of the others.
        assert_eq!(fronts[0], [0, 1]);
    }

    #[test]
    fn the_preference_criterion_alone_makes_two_fronts() {
        let individuals: Vec<_> = [[1.0, 8.0], [2.0, 6.0], [4.0, 4.0], [7.0, 1.0], [5.0, 5.0]]
            .map(|vector| individual(9, vector.to_vec()))
            .into();
        assert_eq!(Ranking::new(&individuals).preference_fronts(), [vec![0, 3], vec![1, 2, 4]]);
    }

    /// Vectors with many ties, the worst value now and then.
    fn population() -> impl Strategy<Value = Vec<TestCaseChromosome>> {
        let value = prop_oneof![4 => (0..4_i32).prop_map(f64::from), 1 => Just(WORST)];
        (1..70_usize).prop_flat_map(move |objectives| {
            let vector = prop::collection::vec(value.clone(), objectives);
            prop::collection::vec(
                (1..6_usize, vector).prop_map(|(length, vector)| individual(length, vector)),
                0..24,
            )
        })
    }

    fn brute_force_dominates(a: &[f64], b: &[f64]) -> bool {
        a.iter().zip(b).all(|(a, b)| a <= b) && a.iter().zip(b).any(|(a, b)| a < b)
    }

    /// The test that is preferred for each objective, ascending, by the definition.
    fn definition_3(population: &[TestCaseChromosome]) -> Vec<usize> {
        let values: Vec<Vec<f64>> = population.iter().map(|one| one.fitness.to_values()).collect();
        let objectives = values.first().map_or(0, Vec::len);
        let mut preferred: Vec<usize> = (0..objectives)
            .filter_map(|column| {
                (0..population.len()).min_by(|&x, &y| {
                    let key = |index: usize| (values[index][column], population[index].length());
                    key(x).partial_cmp(&key(y)).unwrap()
                })
            })
            .collect();
        preferred.sort_unstable();
        preferred.dedup();
        preferred
    }

    proptest! {
        #[test]
        fn fronts_are_those_of_the_definition(population in population()) {
            let ranking = Ranking::new(&population);
            let fronts = ranking.nondominated_fronts((0..population.len()).collect(), usize::MAX);
            let mut remaining: Vec<usize> = (0..population.len()).collect();
            for front in fronts {
                let is_dominated = |&x: &usize| {
                    remaining.iter().any(|&y| brute_force_dominates(&population[y].fitness.to_values(), &population[x].fitness.to_values()))
                };
                let expect: Vec<usize> = remaining.iter().copied().filter(|x| !is_dominated(x)).collect();
                prop_assert_eq!(&front, &expect);
                remaining.retain(|x| !front.contains(x));
            }
            prop_assert!(remaining.is_empty());
        }

        #[test]
        fn the_first_front_is_that_of_definition_3(population in population()) {
            let fronts = Ranking::new(&population).preference_sorting(population.len());
            prop_assert_eq!(&fronts[0], &definition_3(&population));
            let mut all: Vec<usize> = fronts.concat();
            all.sort_unstable();
            prop_assert_eq!(all, (0..population.len()).collect::<Vec<_>>());
        }

        #[test]
        fn the_first_front_is_that_of_definition_3_where_nearly_all_is_reached(population in fronts()) {
            let ranking = Ranking::new(&population);
            prop_assert_eq!(&ranking.preference_fronts()[0], &definition_3(&population));
        }

        #[test]
        fn distances_are_those_of_the_definition(population in population()) {
            let front: Vec<usize> = (0..population.len()).collect();
            let expect: Vec<u32> = front
                .iter()
                .map(|&x| {
                    let better = |&y: &usize| {
                        let pairs = population[x].fitness.to_values().into_iter().zip(population[y].fitness.to_values());
                        pairs.filter(|(a, b)| a < b).count() as u32
                    };
                    front.iter().filter(|&&y| y != x).map(better).min().unwrap_or(ALONE)
                })
                .collect();
            prop_assert_eq!(distances(&population, &front), expect);
        }

        #[test]
        fn counting_on_gives_the_same_as_counting_anew(
            population in population(),
            fates in prop::collection::vec(0..3_u8, 24),
        ) {
            // Of each individual: there before and after, only before, only after.
            let mut population = population;
            for (serial, individual) in (0..).zip(&mut population) {
                individual.serial = serial;
            }
            let with = |absent: u8| (0..population.len()).filter(move |&index| fates[index] != absent);
            let before: Vec<usize> = with.clone()(2).collect();
            let after: Vec<usize> = with(1).collect();
            let counted = Ranking::new(&population).subvector_dominance(&before, |_| false);
            for (&index, crowding) in before.iter().zip(counted) {
                population[index].crowding = crowding;
            }
            let was_there = |individual: &TestCaseChromosome| before.contains(&(individual.serial as usize));
            let crowding = Ranking::new(&population).subvector_dominance(&after, was_there);
            let counted_on: Vec<u32> = crowding.into_iter().map(|crowding| crowding.distance).collect();
            prop_assert_eq!(counted_on, distances(&population, &after));
        }
    }
}
