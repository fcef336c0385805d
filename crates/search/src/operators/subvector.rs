//! Subvector dominance: how far an individual is from being dominated within its front.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), §3.2.1 (Köppen and Yoshida 2007). The paper gives no formula for
//! the distance; here it is, for an individual `x`, the minimum over all others `y` of its front of the number of
//! objectives in which `x` is better than `y`, [`ALONE`] when there is no other. Larger is better.
//!
//! Most tests reach few of thousands of objectives, each few others of the front as well. So the numbers are not counted
//! pair by pair: for each objective that an individual reached, it looks at those that reached it too, found by
//! [`Reached`]. An individual is better than another in all objectives that it reached, less those in which the other
//! is as good. Where most reached most objectives, comparing pair by pair costs less ([`Rows`]): values are rounded to small
//! integers, many of which are compared at once, and only who may be nearer than all before is compared exactly.

use coverage::fitness::ones;

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

/// How many objectives of two individuals are compared pair by pair in the time that one reached by both takes when it
/// is looked up.
const PAIRWISE_SPEED: usize = 12;

/// How many objectives reached by two individuals are looked up in the time that it takes to prepare one of an individual
/// for comparing pair by pair.
const PREPARATION: usize = 6;

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

/// Compares each of the first `unknown` individuals with all behind it, in whatever way costs less.
fn compare(ordered: &[&TestCaseChromosome], unknown: usize, found: &mut [Crowding]) {
    let wanted = reached_by_any(&ordered[..unknown]);
    let objectives: usize = wanted.iter().map(|word| word.count_ones() as usize).sum();
    let reached = |individuals: &[&TestCaseChromosome]| -> usize {
        individuals.iter().map(|individual| individual.fitness.reached_number()).sum()
    };
    // As many as there were if nobody preferred any of them.
    let looked_up = reached(&ordered[..unknown]) * reached(ordered) / objectives.max(1);
    let prepared = ordered.len() * objectives * PREPARATION;
    if looked_up <= unknown * ordered.len() * objectives / PAIRWISE_SPEED + prepared {
        Reached::new(ordered, unknown, &wanted).compare(ordered, unknown, found);
    } else {
        Rows::new(ordered, &wanted).compare(ordered, unknown, found);
    }
}

/// Objectives that any of these individuals reached, as the bits of words.
fn reached_by_any(individuals: &[&TestCaseChromosome]) -> Vec<u64> {
    let mut any = vec![0; individuals.first().map_or(0, |first| first.fitness.reached().len())];
    for individual in individuals {
        for (any, word) in any.iter_mut().zip(individual.fitness.reached()) {
            *any |= word;
        }
    }
    any
}

/// The values of each individual for the objectives that any unknown individual reached.
#[derive(Debug)]
struct Rows {
    values: Vec<Vec<f64>>,
    /// The same between the least and the greatest of each objective, rounded: who is less here is less.
    rounded: Vec<Vec<i8>>,
    /// For how many other objectives each individual is better than the unknown ones.
    others: Vec<u32>,
}

impl Rows {
    fn new(ordered: &[&TestCaseChromosome], wanted: &[u64]) -> Self {
        let words = wanted.iter().enumerate();
        let columns: Vec<usize> =
            words.flat_map(|(word, &bits)| ones(bits).map(move |bit| 64 * word + bit)).collect();
        let row = |individual: &&TestCaseChromosome| -> Vec<f64> {
            let values = individual.fitness.to_values();
            columns.iter().map(|&column| values[column]).collect()
        };
        let values: Vec<Vec<f64>> = ordered.iter().map(row).collect();
        let other = |individual: &&TestCaseChromosome| -> u32 {
            let words = individual.fitness.reached().iter().zip(wanted);
            words.map(|(reached, wanted)| (reached & !wanted).count_ones()).sum()
        };
        let others = ordered.iter().map(other).collect();
        let mut least = values.first().cloned().unwrap_or_default();
        let mut greatest = least.clone();
        for row in &values {
            for ((least, greatest), &value) in least.iter_mut().zip(&mut greatest).zip(row) {
                *least = least.min(value);
                *greatest = greatest.max(value);
            }
        }
        let scale = |(least, greatest): (&f64, f64)| {
            let scale = f64::from(u8::MAX) / (greatest - least);
            if scale.is_finite() { scale } else { 0.0 }
        };
        let scales: Vec<f64> = least.iter().zip(greatest).map(scale).collect();
        let round = |row: &Vec<f64>| {
            let columns = row.iter().zip(least.iter().zip(&scales));
            columns.map(|(value, (least, scale))| rounded((value - least) * scale)).collect()
        };
        let rounded = values.iter().map(round).collect();
        Self { values, rounded, others }
    }

    /// Compares each of the first `unknown` individuals with all behind it.
    fn compare(&self, ordered: &[&TestCaseChromosome], unknown: usize, found: &mut [Crowding]) {
        for first in 0..unknown {
            for second in first + 1..ordered.len() {
                let others = self.others[second];
                let enough = (found[first].distance, found[second].distance.saturating_sub(others));
                let least = count_rounded(&self.rounded[first], &self.rounded[second], enough);
                if least.0 < enough.0 || least.1 < enough.1 {
                    let (better, worse) = count_exactly(&self.values[first], &self.values[second]);
                    found[first].add(better, ordered[second].serial);
                    found[second].add(worse + others, ordered[first].serial);
                }
            }
        }
    }
}

/// A number between 0 and 255, rounded, less 128.
fn rounded(value: f64) -> i8 {
    // To this number only integers can be added: the result ends with them, in binary.
    const INTEGERS: f64 = (1_u64 << 52) as f64;
    ((value + INTEGERS).to_bits() as u8).wrapping_sub(128) as i8
}

/// As [`count_exactly`], of rounded values: at most as many, since some are equal only when rounded. Once both numbers have
/// come to what is enough, the rest is not counted.
fn count_rounded(a: &[i8], b: &[i8], enough: (u32, u32)) -> (u32, u32) {
    // So few that they can be counted in bytes, as many of them at once as there are bytes in a register.
    const FEW: usize = 128;
    let (mut better, mut worse) = (0, 0);
    for (a, b) in a.chunks(FEW).zip(b.chunks(FEW)) {
        if better >= enough.0 && worse >= enough.1 {
            break;
        }
        let (mut less, mut more) = (0_u8, 0_u8);
        for (a, b) in a.iter().zip(b) {
            less += u8::from(a < b);
            more += u8::from(b < a);
        }
        better += u32::from(less);
        worse += u32::from(more);
    }
    (better, worse)
}

/// Objectives in which `a` is less, and in which `b` is.
fn count_exactly(a: &[f64], b: &[f64]) -> (u32, u32) {
    let (mut better, mut worse) = (0_u64, 0_u64);
    for (a, b) in a.iter().zip(b) {
        better += u64::from(a < b);
        worse += u64::from(b < a);
    }
    (better as u32, worse as u32)
}

/// Who reached an objective.
#[derive(Debug, Clone, Copy)]
struct Entry {
    value: f64,
    /// Index of the individual.
    by: u32,
}

/// The individuals that reached each objective, ascending: those of objective `n` that were not compared yet are
/// `entries[starts[n]..ends[n]]`. Objectives that no unknown individual reached have none.
#[derive(Debug)]
struct Reached {
    starts: Vec<usize>,
    ends: Vec<usize>,
    entries: Vec<Entry>,
    /// Number of objectives that each individual reached.
    numbers: Vec<u32>,
}

impl Reached {
    /// Of these individuals, the first `unknown` of which reached the objectives that are `wanted`.
    fn new(ordered: &[&TestCaseChromosome], unknown: usize, wanted: &[u64]) -> Self {
        let mut lengths = vec![0; ordered.first().map_or(0, |first| first.fitness.len())];
        for individual in &ordered[..unknown] {
            individual.fitness.reached_columns().for_each(|column| lengths[column] += 1);
        }
        for individual in &ordered[unknown..] {
            for_each_wanted(individual, wanted, |column, _| lengths[column] += 1);
        }
        let mut number = 0;
        let mut starts = Vec::with_capacity(lengths.len());
        for length in lengths {
            starts.push(number);
            number += length;
        }
        let mut ends = starts.clone();
        let mut entries = vec![Entry { value: 0.0, by: 0 }; number];
        for (by, individual) in (0..).zip(ordered) {
            for_each_wanted(individual, wanted, |column, value| {
                entries[ends[column]] = Entry { value, by };
                ends[column] += 1;
            });
        }
        let numbers = ordered.iter().map(|individual| individual.fitness.reached_number() as u32);
        Self { starts, ends, entries, numbers: numbers.collect() }
    }

    /// Compares each of the first `unknown` individuals with all behind it.
    fn compare(mut self, ordered: &[&TestCaseChromosome], unknown: usize, found: &mut [Crowding]) {
        // Objectives that both reached: in the lower half those in which the other is as good or better, in the upper half
        // those in which it is as good or worse.
        let mut numbers = vec![0_u64; ordered.len()];
        for (first, individual) in ordered.iter().enumerate().take(unknown) {
            numbers[first..].fill(0);
            for column in individual.fitness.reached_columns() {
                // Those in front of it were compared before, and left their entries behind.
                let own = self.starts[column];
                self.starts[column] += 1;
                let value = self.entries[own].value;
                for entry in &self.entries[own + 1..self.ends[column]] {
                    numbers[entry.by as usize] +=
                        u64::from(entry.value <= value) | u64::from(value <= entry.value) << 32;
                }
            }
            for (second, other) in ordered.iter().enumerate().skip(first + 1) {
                let (as_good, as_bad) = (numbers[second] as u32, (numbers[second] >> 32) as u32);
                found[first].add(self.numbers[first] - as_good, other.serial);
                found[second].add(self.numbers[second] - as_bad, individual.serial);
            }
        }
    }
}

/// Calls `visit` on the objectives that an individual reached among those whose bits are set, and its fitness for them.
fn for_each_wanted(individual: &TestCaseChromosome, wanted: &[u64], mut visit: impl FnMut(usize, f64)) {
    let fitness = &individual.fitness;
    for (word, (&reached, wanted)) in fitness.reached().iter().zip(wanted).enumerate() {
        if reached & wanted == 0 {
            continue;
        }
        for (bit, &value) in ones(reached).zip(fitness.reached_in(word)) {
            if wanted >> bit & 1 == 1 {
                visit(64 * word + bit, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use coverage::fitness::FitnessVector;
    use proptest::prelude::*;
    use testcase::test_case::TestCase;

    use super::*;
    use crate::chromosome::RunSummary;

    const WORST: f64 = 9.0;

    /// Fronts of vectors that reached few or most of their objectives, with many ties.
    fn fronts() -> impl Strategy<Value = Vec<TestCaseChromosome>> {
        (1..600_usize, prop_oneof![Just(0.05), Just(0.3), Just(0.95)]).prop_flat_map(|(objectives, share)| {
            let value = prop_oneof![Just(0.5), Just(1.0), 0.0..WORST];
            let value =
                (0.0..1.0, value).prop_map(move |(chance, value)| if chance < share { value } else { WORST });
            let vector = prop::collection::vec(value, objectives);
            prop::collection::vec(vector, 0..12).prop_map(|vectors| {
                let individual = |(serial, vector)| {
                    let fitness = FitnessVector::of(vector, WORST);
                    TestCaseChromosome::new(serial, TestCase::default(), fitness, RunSummary::default())
                };
                (0..).zip(vectors).map(individual).collect()
            })
        })
    }

    /// The distances to those individuals that are among the first `unknown` or compared with one that is, by the
    /// definition.
    fn defined(front: &[&TestCaseChromosome], unknown: usize) -> Vec<u32> {
        let better = |x: usize, y: usize| {
            let (x, y) = (front[x].fitness.to_values(), front[y].fitness.to_values());
            x.iter().zip(&y).filter(|(x, y)| x < y).count() as u32
        };
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
    fn rounding_keeps_the_order() {
        let values = [0.0, 0.4, 0.6, 1.0, 127.4, 127.6, 128.0, 254.0, 254.6, 255.0];
        let expect = [-128, -128, -127, -127, -1, 0, 0, 126, 127, 127];
        assert_eq!(values.map(rounded), expect);
    }

    #[test]
    fn what_rounding_makes_equal_is_told_apart() {
        let row = |serial, tiny: f64| {
            let fitness = FitnessVector::of(vec![1.0 + tiny, 8.0, 2.0, 4.0 - tiny], WORST);
            TestCaseChromosome::new(serial, TestCase::default(), fitness, RunSummary::default())
        };
        let far = FitnessVector::of(vec![8.5, 0.0, 0.0, 0.0], WORST);
        let far = TestCaseChromosome::new(2, TestCase::default(), far, RunSummary::default());
        let front = [&row(0, 0.0), &row(1, f64::EPSILON * 4.0), &far];
        let mut found = [Crowding::default(); 3];
        Rows::new(&front, &[0b1111]).compare(&front, 3, &mut found);
        assert_eq!(distances(&found), [1, 1, 3]);
        let alike = [front[0], front[0]];
        Rows::new(&alike, &[0b1111]).compare(&alike, 2, &mut found);
        assert_eq!(distances(&found), [0, 0, 3], "a range of nothing");
    }

    proptest! {
        #[test]
        fn both_ways_give_what_is_defined(front in fronts(), share in 0.0..=1.0) {
            let front: Vec<&TestCaseChromosome> = front.iter().collect();
            let unknown = (share * front.len() as f64) as usize;
            let expect = defined(&front, unknown);
            let mut found = vec![Crowding::default(); front.len()];
            let wanted = reached_by_any(&front[..unknown]);
            Rows::new(&front, &wanted).compare(&front, unknown, &mut found);
            prop_assert_eq!(distances(&found), &*expect);
            found.fill(Crowding::default());
            Reached::new(&front, unknown, &wanted).compare(&front, unknown, &mut found);
            prop_assert_eq!(distances(&found), &*expect);
        }
    }
}
