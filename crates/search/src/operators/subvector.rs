//! Subvector dominance: how far an individual is from being dominated within its front.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), §3.2.1 (Köppen and Yoshida 2007). The paper gives no formula for
//! the distance; here it is, for an individual `x`, the minimum over all others `y` of its front of the number of
//! objectives in which `x` is better than `y`, [`ALONE`] when there is no other. Larger is better.
//!
//! Most tests reach few of thousands of objectives, each few others of the front as well. So the numbers are not counted
//! pair by pair: for each objective that an individual reached, it looks at those that reached it too, found by
//! [`Reached`]. An individual is better than another in all objectives that it reached, less those in which the other
//! is as good. Where most reached most objectives, comparing pair by pair costs less, the more so as a comparison ends
//! when it can change nothing.

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

/// Objectives that are compared in a row, until it is asked whether the rest can change anything.
const ROW: usize = 128;

/// How many objectives of two individuals are compared at once in the time that an objective reached by both takes
/// when it is looked up.
const PAIRWISE_SPEED: usize = 4;

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
    let pairs = unknown.len() * front.len() - unknown.len() * (unknown.len() + 1) / 2;
    let objectives = front.first().map_or(0, |first| first.fitness.len());
    match Reached::new(&ordered, unknown.len(), pairs * objectives / PAIRWISE_SPEED) {
        Some(reached) => reached.compare(&ordered, unknown.len(), &mut found),
        None => compare_pairs(&ordered, unknown.len(), &mut found),
    }
    let mut crowding = vec![Crowding::default(); front.len()];
    for (position, found) in order.into_iter().zip(found) {
        crowding[position] = found;
    }
    crowding
}

/// Compares each of the first `unknown` individuals with all behind it.
fn compare_pairs(ordered: &[&TestCaseChromosome], unknown: usize, found: &mut [Crowding]) {
    let rows: Vec<Vec<f64>> = ordered.iter().map(|individual| individual.fitness.to_values()).collect();
    for (first, individual) in ordered.iter().enumerate().take(unknown) {
        for (second, other) in ordered.iter().enumerate().skip(first + 1) {
            let enough = (found[first].distance, found[second].distance);
            let (better, worse) = count_better(&rows[first], &rows[second], enough);
            found[first].add(better, other.serial);
            found[second].add(worse, individual.serial);
        }
    }
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
    /// Of these individuals, the first `unknown` of which are to be compared; `None` if that takes looking at more than
    /// `most` pairs of entries.
    fn new(ordered: &[&TestCaseChromosome], unknown: usize, most: usize) -> Option<Self> {
        let objectives = ordered.first().map_or(0, |first| first.fitness.len());
        let mut wanted = vec![0_u64; objectives.div_ceil(64)];
        let mut lengths = vec![(0_u32, 0_u32); objectives];
        for individual in &ordered[..unknown] {
            for (wanted, word) in wanted.iter_mut().zip(individual.fitness.reached()) {
                *wanted |= word;
            }
            individual.fitness.reached_columns().for_each(|column| lengths[column].0 += 1);
        }
        for individual in &ordered[unknown..] {
            for_each_wanted(individual, &wanted, |column, _| lengths[column].1 += 1);
        }
        let pairs = |&(unknown, known): &(u32, u32)| {
            let unknown = unknown as usize;
            unknown * unknown.saturating_sub(1) / 2 + unknown * known as usize
        };
        if lengths.iter().map(pairs).sum::<usize>() > most {
            return None;
        }
        let mut number = 0;
        let mut starts = Vec::with_capacity(objectives);
        for (unknown, known) in lengths {
            starts.push(number);
            number += (unknown + known) as usize;
        }
        let mut ends = starts.clone();
        let mut entries = vec![Entry { value: 0.0, by: 0 }; number];
        for (by, individual) in (0..).zip(ordered) {
            for_each_wanted(individual, &wanted, |column, value| {
                entries[ends[column]] = Entry { value, by };
                ends[column] += 1;
            });
        }
        let numbers = ordered.iter().map(|individual| individual.fitness.reached_number() as u32);
        Some(Self { starts, ends, entries, numbers: numbers.collect() })
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

/// Objectives in which `a` is better, and in which `b` is. Once both numbers have come to what is enough, the rest is
/// not counted.
fn count_better(a: &[f64], b: &[f64], enough: (u32, u32)) -> (u32, u32) {
    let (mut better, mut worse) = (0, 0);
    for (a, b) in a.chunks(ROW).zip(b.chunks(ROW)) {
        let (mut less, mut more) = (0_u64, 0_u64);
        for (a, b) in a.iter().zip(b) {
            less += u64::from(a < b);
            more += u64::from(b < a);
        }
        better += less as u32;
        worse += more as u32;
        if better >= enough.0 && worse >= enough.1 {
            break;
        }
    }
    (better, worse)
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
        (1..200_usize, prop_oneof![Just(0.05), Just(0.3), Just(0.95)]).prop_flat_map(|(objectives, share)| {
            let value = prop_oneof![Just(0.5), Just(1.0), 0.0..WORST];
            let value =
                (0.0..1.0, value).prop_map(move |(chance, value)| if chance < share { value } else { WORST });
            let vector = prop::collection::vec(value, objectives);
            prop::collection::vec(vector, 0..20).prop_map(|vectors| {
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

    proptest! {
        #[test]
        fn both_ways_give_what_is_defined(front in fronts(), share in 0.0..=1.0) {
            let front: Vec<&TestCaseChromosome> = front.iter().collect();
            let unknown = (share * front.len() as f64) as usize;
            let expect = defined(&front, unknown);
            let mut found = vec![Crowding::default(); front.len()];
            compare_pairs(&front, unknown, &mut found);
            prop_assert_eq!(distances(&found), &*expect);
            found.fill(Crowding::default());
            let reached = Reached::new(&front, unknown, usize::MAX).expect("any number will do");
            reached.compare(&front, unknown, &mut found);
            prop_assert_eq!(distances(&found), &*expect);
        }
    }
}
