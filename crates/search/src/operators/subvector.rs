//! Subvector dominance: how far an individual is from being dominated within its front.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), §3.2.1 (Köppen and Yoshida 2007). The paper gives no formula for
//! the distance; here it is, for an individual `x`, the minimum over all others `y` of its front of the number of
//! objectives in which `x` is better than `y`, [`ALONE`] when there is no other. Larger is better.
//!
//! The numbers are counted for many pairs at once (`codes`). Where they are lower bounds only, an individual is
//! compared exactly with those that may be nearer than all before, the one that seems nearest first.

#![expect(clippy::inline_always, reason = "only what is inlined uses the registers that pulp chose")]

use coverage::fitness::{FitnessVector, ones};
use pulp::{Arch, Simd, WithSimd};

use super::codes::Counts;
use crate::chromosome::TestCaseChromosome;

/// Subvector dominance of an individual that is alone in its front.
pub const ALONE: u32 = u32::MAX;

/// Subvector dominance of an individual within its front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crowding {
    /// The distance; larger is better.
    pub distance: u32,
    /// [`TestCaseChromosome::serial`] of an individual to which it has this distance.
    nearest: u64,
}

impl Default for Crowding {
    /// That of an individual alone.
    fn default() -> Self {
        Self { distance: ALONE, nearest: u64::MAX }
    }
}

impl Crowding {
    fn add(&mut self, distance: u32, other: u64) {
        if distance < self.distance {
            *self = Self { distance, nearest: other };
        }
    }
}

/// The distances of the individuals of a front, in its order. `is_counted` tells which of them were together in one
/// front when their [`TestCaseChromosome::crowding`] was computed, with the objectives that they reached: only the others,
/// and those whose nearest individual is gone, are compared with all.
pub(crate) fn crowding(
    front: &[&TestCaseChromosome],
    is_counted: impl Fn(&TestCaseChromosome) -> bool,
) -> Vec<Crowding> {
    let mut present: Vec<u64> = front.iter().map(|individual| individual.serial).collect();
    present.sort_unstable();
    let is_known = |individual: &TestCaseChromosome| {
        is_counted(individual) && present.binary_search(&individual.crowding.nearest).is_ok()
    };
    let (known, unknown): (Vec<usize>, Vec<usize>) =
        (0..front.len()).partition(|&position| is_known(front[position]));
    // Unknown ones first: each is compared with all behind it.
    let order: Vec<usize> = unknown.iter().chain(&known).copied().collect();
    let ordered: Vec<&TestCaseChromosome> = order.iter().map(|&position| front[position]).collect();
    let mut found: Vec<Crowding> = vec![Crowding::default(); unknown.len()];
    found.extend(known.iter().map(|&position| front[position].crowding));
    compare(&ordered, unknown.len(), &mut found);
    let mut crowding = vec![Crowding::default(); front.len()];
    for (position, found) in order.into_iter().zip(found) {
        crowding[position] = found;
    }
    crowding
}

/// Compares each of the first `unknown` individuals with all behind it.
fn compare(ordered: &[&TestCaseChromosome], unknown: usize, found: &mut [Crowding]) {
    let mut counts = Counts::new(ordered, unknown);
    if counts.is_exact() {
        for first in 0..unknown {
            for second in first + 1..ordered.len() {
                let (better, worse) = counts.of(first, second);
                found[first].add(better, ordered[second].serial);
                found[second].add(worse, ordered[first].serial);
            }
        }
        return;
    }
    for this in 0..ordered.len() {
        let others = if this < unknown { ordered.len() } else { unknown };
        // After the one that seems nearest, few others may be nearer.
        let nearest = (0..others).min_by_key(|&other| counts.better(this, other));
        for other in nearest.into_iter().chain(0..others) {
            if counts.better(this, other) < found[this].distance {
                let (first, second) = (this.min(other), this.max(other));
                let (better, worse) = numbers_better(&ordered[first].fitness, &ordered[second].fitness);
                counts.correct(first, second, (better, worse));
                found[first].add(better, ordered[second].serial);
                found[second].add(worse, ordered[first].serial);
            }
        }
    }
}

/// Objectives in which `a` is better, and in which `b` is.
fn numbers_better(a: &FitnessVector, b: &FitnessVector) -> (u32, u32) {
    Arch::new().dispatch(Compared { a, b })
}

/// Two individuals that are compared exactly.
struct Compared<'a> {
    a: &'a FitnessVector,
    b: &'a FitnessVector,
}

impl WithSimd for Compared<'_> {
    type Output = (u32, u32);

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> (u32, u32) {
        let Self { a, b } = self;
        let (mut better, mut worse) = (0_u64, 0_u64);
        let mut add = |a: f64, b: f64| {
            better += u64::from(a < b);
            worse += u64::from(b < a);
        };
        let (mut only_a, mut only_b) = (0, 0);
        for (word, (&in_a, &in_b)) in a.reached().iter().zip(b.reached()).enumerate() {
            let (of_a, of_b) = (a.reached_in(word), b.reached_in(word));
            if in_a == in_b {
                of_a.iter().zip(of_b).for_each(|(&a, &b)| add(a, b));
                continue;
            }
            only_a += (in_a & !in_b).count_ones();
            only_b += (in_b & !in_a).count_ones();
            for bit in ones(in_a & in_b) {
                let before = (1 << bit) - 1;
                let [a, b] = [(in_a, of_a), (in_b, of_b)]
                    .map(|(reached, values)| values[(reached & before).count_ones() as usize]);
                add(a, b);
            }
        }
        (better as u32 + only_a, worse as u32 + only_b)
    }
}

/// Fronts for tests.
#[cfg(test)]
pub(super) mod fronts {
    use coverage::fitness::FitnessVector;
    use proptest::prelude::*;
    use testcase::test_case::TestCase;

    use crate::chromosome::{RunSummary, TestCaseChromosome};

    /// The fitness of who did not reach an objective.
    pub(in super::super) const WORST: f64 = 9.0;

    /// An individual of these values.
    pub(in super::super) fn individual(serial: u64, values: Vec<f64>) -> TestCaseChromosome {
        let fitness = FitnessVector::of(values, WORST);
        TestCaseChromosome::new(serial, TestCase::default(), fitness, RunSummary::default())
    }

    /// Vectors that reached few, most or all of their objectives, with many ties.
    pub(in super::super) fn fronts() -> impl Strategy<Value = Vec<TestCaseChromosome>> {
        let share = prop_oneof![Just(0.05), Just(0.3), Just(0.95), Just(1.0)];
        // As many as fill more than a register now and then.
        let size = prop_oneof![0..12_usize, 30..40_usize];
        (1..200_usize, share, size).prop_flat_map(|(objectives, share, size)| {
            let value = prop_oneof![Just(0.5), Just(1.0), 0.0..WORST];
            let value =
                (0.0..1.0, value).prop_map(move |(chance, value)| if chance < share { value } else { WORST });
            let vector = prop::collection::vec(value, objectives);
            prop::collection::vec(vector, size).prop_map(|vectors| {
                (0..).zip(vectors).map(|(serial, vector)| individual(serial, vector)).collect()
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::fronts::{fronts, individual};
    use super::*;

    /// The distances to those individuals that are among the first `unknown` or compared with one that is, by the
    /// definition.
    fn defined(front: &[&TestCaseChromosome], unknown: usize) -> Vec<u32> {
        let values: Vec<Vec<f64>> = front.iter().map(|individual| individual.fitness.to_values()).collect();
        let better =
            |x: usize, y: usize| values[x].iter().zip(&values[y]).filter(|(x, y)| x < y).count() as u32;
        let least = |x: usize| {
            let others = (0..front.len()).filter(|&y| y != x && (x < unknown || y < unknown));
            others.map(|y| better(x, y)).min().unwrap_or(ALONE)
        };
        (0..front.len()).map(least).collect()
    }

    fn distances(found: &[Crowding]) -> Vec<u32> {
        found.iter().map(|crowding| crowding.distance).collect()
    }

    #[test]
    fn what_rounding_makes_equal_is_told_apart() {
        let row = |serial, tiny: f64| individual(serial, vec![1.0 + tiny, 8.0, 2.0, 4.0 - tiny]);
        let alike = [row(0, 0.0), row(1, f64::EPSILON * 4.0)];
        // So many others, far away, that values are rounded.
        let far: Vec<_> = (2..50).map(|serial| individual(serial, vec![8.5, 0.0, 0.0, 0.0])).collect();
        let front: Vec<_> = alike.iter().chain(&far).collect();
        let mut found = vec![Crowding::default(); front.len()];
        compare(&front, front.len(), &mut found);
        assert!(!Counts::new(&front, front.len()).is_exact());
        assert_eq!(distances(&found), defined(&front, front.len()));
        assert_eq!(found[0].distance, 1);
    }

    proptest! {
        #[test]
        fn distances_are_what_is_defined(front in fronts(), share in prop_oneof![Just(1.0), 0.0..=1.0]) {
            let front: Vec<&TestCaseChromosome> = front.iter().collect();
            let unknown = (share * front.len() as f64) as usize;
            let mut found = vec![Crowding::default(); front.len()];
            compare(&front, unknown, &mut found);
            prop_assert_eq!(distances(&found), defined(&front, unknown));
        }

        #[test]
        fn numbers_better_are_what_is_defined(front in fronts()) {
            if let [x, y, ..] = &*front {
                let number = |x: &TestCaseChromosome, y: &TestCaseChromosome| {
                    let (x, y) = (x.fitness.to_values(), y.fitness.to_values());
                    x.iter().zip(&y).filter(|(x, y)| x < y).count() as u32
                };
                prop_assert_eq!(numbers_better(&x.fitness, &y.fitness), (number(x, y), number(y, x)));
            }
        }
    }
}
