//! In how many objectives one individual is better than another, for many pairs at once.
//!
//! Block by block of objectives, the values of all individuals are coded in a byte each, objective by objective: who has
//! the lower code is better. An individual is then compared with as many others at once as there are bytes in a register,
//! and only in the objectives that it reached.
//!
//! A value is coded by how many values of those individuals that are compared with all others it exceeds; that is exact.
//! Where that takes too long, since many of them reached the objective, it is coded by where it lies between the least
//! and the greatest; values that are told apart by little then look the same, and the numbers are lower bounds.

#![expect(clippy::inline_always, reason = "only what is inlined uses the registers that pulp chose")]

use std::cmp::Ordering;
use std::ops::Range;

use coverage::fitness::ones;
use pulp::{Arch, Simd, WithSimd};

use crate::chromosome::TestCaseChromosome;

/// Words of [`coverage::fitness::FitnessVector::reached`] in a block: so few objectives that they are counted in bytes.
const WORDS: usize = 2;

/// Objectives of a block.
const OBJECTIVES: usize = 64 * WORDS;

/// The code of who did not reach an objective: behind all others.
const UNREACHED: i8 = i8::MAX;

/// How many objectives are counted between two stores of the numbers.
const TOGETHER: usize = 8;

/// With so many values others are compared for their codes, one less than a power of two.
const MOST_PIVOTS: usize = 15;

/// Individuals that reached all objectives of a word whose values say how values lie. What others have beyond is rounded to
/// the ends: numbers stay lower bounds.
const SPANNING: usize = 32;

/// How many individuals are counted for at once, at least: the bytes of a register.
const LANES: usize = 32;

/// In how many objectives each of the first individuals is better than all behind it, and they are better than it.
#[derive(Debug)]
pub(super) struct Counts {
    /// Individuals, up to the end of a register.
    stride: usize,
    /// For the first individual, then the second: objectives in which the first is better.
    better: Vec<u32>,
    /// Likewise: objectives that both reached in which the first is not better.
    as_good: Vec<u32>,
    /// Number of objectives that each individual reached.
    reached: Vec<u32>,
    /// Whether the numbers are exact; else they are lower bounds.
    is_exact: bool,
}

impl Counts {
    /// Compares each of the first `unknown` individuals with all behind it.
    pub(super) fn new(ordered: &[&TestCaseChromosome], unknown: usize) -> Self {
        let mut block = Block::new(ordered.len());
        let stride = block.stride;
        let reached = ordered.iter().map(|individual| individual.fitness.reached_number() as u32);
        let mut counts = Self {
            stride,
            better: vec![0; unknown * stride],
            as_good: vec![0; unknown * stride],
            reached: reached.collect(),
            is_exact: true,
        };
        let mut recent =
            vec![Recent { number: 0, better: vec![0; stride], as_good: vec![0; stride] }; unknown];
        let arch = Arch::new();
        let words = ordered.first().map_or(0, |first| first.fitness.reached().len());
        for start in (0..words).step_by(WORDS) {
            let words = start..words.min(start + WORDS);
            counts.is_exact &= arch.dispatch(Coding { block: &mut block, ordered, unknown, words });
            for (first, recent) in recent.iter_mut().enumerate() {
                let reached = block.reached(ordered[first]);
                if recent.number + reached.number > usize::from(u8::MAX) {
                    counts.take(first, recent);
                }
                recent.number += reached.number;
                arch.dispatch(Counting { block: &block, first, reached: &reached, recent });
            }
        }
        for (first, recent) in recent.iter_mut().enumerate() {
            counts.take(first, recent);
        }
        counts
    }

    /// Adds the numbers of an individual, for all behind it, that were counted last.
    fn take(&mut self, first: usize, recent: &mut Recent) {
        let behind = first * self.stride + first..(first + 1) * self.stride;
        for (sums, numbers) in
            [(&mut self.better, &mut recent.better), (&mut self.as_good, &mut recent.as_good)]
        {
            for (sum, &number) in sums[behind.clone()].iter_mut().zip(&numbers[first..]) {
                *sum += u32::from(number);
            }
            // Those before it as well: they share a register with it, and would run over.
            numbers.fill(0);
        }
        recent.number = 0;
    }

    /// Whether the numbers are exact; else they are lower bounds.
    pub(super) fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Objectives in which an individual is better than another behind it, and in which it is worse.
    pub(super) fn of(&self, first: usize, second: usize) -> (u32, u32) {
        let pair = first * self.stride + second;
        (self.better[pair], self.reached[second] - self.as_good[pair])
    }

    /// Objectives in which one of a pair is better; that with itself is never the least.
    pub(super) fn better(&self, this: usize, other: usize) -> u32 {
        match this.cmp(&other) {
            Ordering::Less => self.of(this, other).0,
            Ordering::Greater => self.of(other, this).1,
            Ordering::Equal => u32::MAX,
        }
    }

    /// Sets the numbers of a pair to what they are exactly.
    pub(super) fn correct(&mut self, first: usize, second: usize, (better, worse): (u32, u32)) {
        let pair = first * self.stride + second;
        (self.better[pair], self.as_good[pair]) = (better, self.reached[second] - worse);
    }
}

/// The numbers of an individual that were counted last, while they fit bytes.
#[derive(Debug, Clone)]
struct Recent {
    /// Objectives that were counted.
    number: usize,
    better: Vec<u8>,
    as_good: Vec<u8>,
}

/// The first `number` of these objectives of a block.
#[derive(Debug)]
struct Subset {
    objectives: [u8; OBJECTIVES],
    number: usize,
}

/// Codes of all individuals for some objectives.
#[derive(Debug)]
struct Block {
    /// Individuals, up to the end of a register.
    stride: usize,
    /// Words of the objectives.
    words: Range<usize>,
    /// For each objective, the codes of the individuals. Behind all objectives one that nobody reached.
    codes: Vec<i8>,
    pivots: Pivots,
    scale: Scale,
}

impl Block {
    fn new(individuals: usize) -> Self {
        // An odd multiple: objectives at a distance of a power of two would take each other's place in the cache.
        let stride = (individuals.div_ceil(LANES) | 1) * LANES;
        Self {
            stride,
            words: 0..0,
            codes: vec![UNREACHED; (OBJECTIVES + 1) * stride],
            pivots: Pivots::default(),
            scale: Scale::default(),
        }
    }

    /// The objectives that an individual reached.
    fn reached(&self, individual: &TestCaseChromosome) -> Subset {
        // Filled up with the objective that nobody reached, which adds nothing.
        let mut subset = Subset { objectives: [OBJECTIVES as u8; OBJECTIVES], number: 0 };
        for (word, &bits) in individual.fitness.reached()[self.words.clone()].iter().enumerate() {
            if bits == u64::MAX {
                let places = subset.objectives[subset.number..].iter_mut().take(64);
                places.zip(64 * word as u8..).for_each(|(place, objective)| *place = objective);
                subset.number += 64;
                continue;
            }
            for bit in ones(bits) {
                subset.objectives[subset.number] = (64 * word + bit) as u8;
                subset.number += 1;
            }
        }
        subset
    }
}

/// Codes the values for the objectives of these words, those that any of the first `unknown` individuals reached. Whether
/// who has the same code as one of them has the same value.
struct Coding<'a> {
    block: &'a mut Block,
    ordered: &'a [&'a TestCaseChromosome],
    unknown: usize,
    words: Range<usize>,
}

impl WithSimd for Coding<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        let Self { block, ordered, unknown, words } = self;
        let mut wanted = [0; WORDS];
        for individual in &ordered[..unknown] {
            for (wanted, reached) in wanted.iter_mut().zip(&individual.fitness.reached()[words.clone()]) {
                *wanted |= reached;
            }
        }
        block.words = words;
        let Block { words, codes, stride, pivots, scale, .. } = block;
        codes[..OBJECTIVES * *stride].fill(UNREACHED);
        let is_exact = pivots.find(&ordered[..unknown], words);
        if is_exact {
            fill((codes, *stride), ordered, (words, &wanted), pivots);
        } else {
            scale.find(ordered, words);
            fill((codes, *stride), ordered, (words, &wanted), scale);
        }
        is_exact
    }
}

/// Counts for an individual and all behind it, in the objectives of a block that it reached.
struct Counting<'a> {
    block: &'a Block,
    first: usize,
    reached: &'a Subset,
    recent: &'a mut Recent,
}

impl WithSimd for Counting<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { block, first, reached, recent } = self;
        let start = first / LANES * LANES;
        let (better, as_good) = (&mut recent.better[start..], &mut recent.as_good[start..]);
        let used = reached.number.next_multiple_of(TOGETHER);
        for objectives in reached.objectives[..used].as_chunks::<TOGETHER>().0 {
            let (mut own, mut rows) = ([0; TOGETHER], [block.codes.as_slice(); TOGETHER]);
            for ((own, row), &objective) in own.iter_mut().zip(&mut rows).zip(objectives) {
                *row = &block.codes[usize::from(objective) * block.stride..][..block.stride];
                *own = row[first];
                *row = &row[start..];
            }
            add(own, rows, better, as_good);
        }
    }
}

/// Adds one where a code is greater than one's own, and where it is not less though it was reached.
#[inline(always)]
fn add(own: [i8; TOGETHER], rows: [&[i8]; TOGETHER], better: &mut [u8], as_good: &mut [u8]) {
    let better = better.as_chunks_mut::<LANES>().0;
    let as_good = as_good.as_chunks_mut::<LANES>().0;
    let registers = better.len().min(as_good.len());
    // One by one: the compiler does not see through a loop over them.
    let [row0, row1, row2, row3, row4, row5, row6, row7] = rows.map(|row| row.as_chunks::<LANES>().0);
    for register in 0..registers {
        let codes = [
            &row0[register],
            &row1[register],
            &row2[register],
            &row3[register],
            &row4[register],
            &row5[register],
            &row6[register],
            &row7[register],
        ];
        let (mut better_here, mut as_good_here) = (better[register], as_good[register]);
        for lane in 0..LANES {
            for (own, code) in own.iter().zip(codes) {
                better_here[lane] += u8::from(*own < code[lane]);
                // What was not reached becomes the least of all.
                as_good_here[lane] += u8::from(*own < code[lane].wrapping_add(1));
            }
        }
        (better[register], as_good[register]) = (better_here, as_good_here);
    }
}

/// Gives values codes below [`UNREACHED`].
trait Coder {
    /// The code of the value for an objective of the block.
    fn code(&self, objective: usize, value: f64) -> i8;

    /// The codes of the values for all objectives of a word of the block.
    fn code_word(&self, word: usize, values: &[f64; 64]) -> [i8; 64];
}

/// Writes the codes of the values for those objectives that are wanted.
#[inline(always)]
fn fill(
    (codes, stride): (&mut [i8], usize),
    ordered: &[&TestCaseChromosome],
    (words, wanted): (&Range<usize>, &[u64; WORDS]),
    coder: &impl Coder,
) {
    for (by, individual) in ordered.iter().enumerate() {
        let fitness = &individual.fitness;
        for ((word, index), &wanted) in words.clone().enumerate().zip(wanted) {
            let reached = fitness.reached()[index];
            if reached & wanted == 0 {
                continue;
            }
            let values = fitness.reached_in(index);
            if wanted == u64::MAX
                && let Ok(values) = values.try_into()
            {
                let places = codes[64 * word * stride..][by..].iter_mut().step_by(stride);
                for (place, code) in places.zip(coder.code_word(word, values)) {
                    *place = code;
                }
                continue;
            }
            for (bit, &value) in ones(reached).zip(values) {
                if wanted >> bit & 1 == 1 {
                    let objective = 64 * word + bit;
                    codes[objective * stride + by] = coder.code(objective, value);
                }
            }
        }
    }
}

/// The values, for each objective of a block, of those who are compared with all others: ascending, behind the last infinite,
/// and always at the end.
#[derive(Debug)]
struct Pivots {
    values: Vec<[f64; MOST_PIVOTS + 1]>,
    /// As many as there are for an objective at most.
    most: usize,
}

impl Default for Pivots {
    fn default() -> Self {
        Self { values: vec![[f64::INFINITY; MOST_PIVOTS + 1]; OBJECTIVES], most: 0 }
    }
}

impl Pivots {
    /// Takes the values of individuals. Whether there are so few that comparing with them costs little.
    fn find(&mut self, individuals: &[&TestCaseChromosome], words: &Range<usize>) -> bool {
        let reached = |individual: &&TestCaseChromosome| -> u32 {
            individual.fitness.reached()[words.clone()].iter().map(|word| word.count_ones()).sum()
        };
        if individuals.iter().map(reached).sum::<u32>() as usize > MOST_PIVOTS * OBJECTIVES {
            return false;
        }
        self.values.fill([f64::INFINITY; MOST_PIVOTS + 1]);
        let mut numbers = [0; OBJECTIVES];
        for fitness in individuals.iter().map(|individual| &individual.fitness) {
            for (word, index) in words.clone().enumerate() {
                for (bit, &value) in ones(fitness.reached()[index]).zip(fitness.reached_in(index)) {
                    let objective = 64 * word + bit;
                    let number = &mut numbers[objective];
                    if *number == MOST_PIVOTS {
                        return false;
                    }
                    self.values[objective][*number] = value;
                    *number += 1;
                }
            }
        }
        self.most = numbers.into_iter().max().unwrap_or(0);
        for (values, number) in self.values.iter_mut().zip(numbers) {
            values[..number].sort_unstable_by(f64::total_cmp);
        }
        true
    }
}

impl Coder for Pivots {
    fn code(&self, objective: usize, value: f64) -> i8 {
        let pivots = &self.values[objective];
        // By halves, without a branch that nobody can foretell.
        let mut less = 0;
        let mut halve = |half: usize| {
            less += half * usize::from(pivots[(less + half - 1) & MOST_PIVOTS] < value);
        };
        if self.most >= 8 {
            halve(8);
        }
        if self.most >= 4 {
            halve(4);
        }
        halve(2);
        halve(1);
        (2 * less + usize::from(pivots[less & MOST_PIVOTS] == value)) as i8
    }

    fn code_word(&self, word: usize, values: &[f64; 64]) -> [i8; 64] {
        let mut codes = [0; 64];
        for (bit, (code, &value)) in codes.iter_mut().zip(values).enumerate() {
            *code = self.code(64 * word + bit, value);
        }
        codes
    }
}

/// For each objective of a block, by word and bit, the least value, and how many codes there are for a distance of one.
#[derive(Debug)]
struct Scale {
    least: [[f64; 64]; WORDS],
    per_distance: [[f64; 64]; WORDS],
}

impl Default for Scale {
    fn default() -> Self {
        Self { least: [[0.0; 64]; WORDS], per_distance: [[0.0; 64]; WORDS] }
    }
}

impl Scale {
    /// Spans the values of individuals; of those that reached a whole word, [`SPANNING`] tell enough.
    #[inline(always)]
    fn find(&mut self, individuals: &[&TestCaseChromosome], words: &Range<usize>) {
        for (word, index) in words.clone().enumerate() {
            let mut least = [f64::INFINITY; 64];
            let mut greatest = [f64::NEG_INFINITY; 64];
            let mut spanning = 0;
            for individual in individuals {
                let fitness = &individual.fitness;
                let values = fitness.reached_in(index);
                if let Ok(values) = <&[f64; 64]>::try_from(values) {
                    spanning += 1;
                    if spanning > SPANNING {
                        continue;
                    }
                    for (bit, value) in values.iter().enumerate() {
                        least[bit] = if *value < least[bit] { *value } else { least[bit] };
                        greatest[bit] = if *value > greatest[bit] { *value } else { greatest[bit] };
                    }
                } else {
                    for (bit, value) in ones(fitness.reached()[index]).zip(values) {
                        least[bit] = least[bit].min(*value);
                        greatest[bit] = greatest[bit].max(*value);
                    }
                }
            }
            self.least[word] = least;
            for (bit, greatest) in greatest.into_iter().enumerate() {
                let per_distance = f64::from(u8::MAX - 1) / (greatest - least[bit]);
                self.per_distance[word][bit] = if per_distance.is_finite() { per_distance } else { 0.0 };
            }
        }
    }
}

impl Coder for Scale {
    fn code(&self, objective: usize, value: f64) -> i8 {
        let (word, bit) = (objective / 64, objective % 64);
        rounded((value - self.least[word][bit]) * self.per_distance[word][bit])
    }

    #[inline(always)]
    fn code_word(&self, word: usize, values: &[f64; 64]) -> [i8; 64] {
        let (least, per_distance) = (&self.least[word], &self.per_distance[word]);
        let mut codes = [0; 64];
        for bit in 0..64 {
            codes[bit] = rounded((values[bit] - least[bit]) * per_distance[bit]);
        }
        codes
    }
}

/// A number rounded, between 0 and 254, less 128.
#[inline(always)]
fn rounded(value: f64) -> i8 {
    // To this number only integers can be added: the result ends with them, in binary.
    const INTEGERS: f64 = (1_u64 << 52) as f64;
    const GREATEST: f64 = (u8::MAX - 1) as f64;
    let value = if value > 0.0 { value } else { 0.0 };
    let value = if value < GREATEST { value } else { GREATEST };
    ((value + INTEGERS).to_bits() as u8).wrapping_sub(128) as i8
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::subvector::fronts::{WORST, individual};
    use super::*;

    #[test]
    fn rounding_keeps_the_order() {
        let values = [-3.0, 0.0, 0.4, 0.6, 1.0, 127.4, 127.6, 128.0, 253.6, 254.0, 1e9];
        let expect = [-128, -128, -128, -127, -127, -1, 0, 0, 126, 126, 126];
        assert_eq!(values.map(rounded), expect);
    }

    #[test]
    fn pivots_tell_what_is_less_equal_and_greater() {
        let individuals = [3.0, 1.0, 3.0, 2.0].map(|value| individual(0, vec![value]));
        let mut pivots = Pivots::default();
        assert!(pivots.find(&individuals.each_ref(), &(0..1)));
        let codes = [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5].map(|value| pivots.code(0, value));
        assert_eq!(codes, [0, 1, 2, 3, 4, 5, 8]);
    }

    #[test]
    fn too_many_pivots_are_refused_and_the_most_are_told_apart() {
        let individuals: Vec<_> =
            (0..=MOST_PIVOTS).map(|value| individual(0, vec![value as f64 / 2.0])).collect();
        let individuals: Vec<_> = individuals.iter().collect();
        let mut pivots = Pivots::default();
        assert!(!pivots.find(&individuals, &(0..1)));
        assert!(pivots.find(&individuals[1..], &(0..1)));
        let codes: Vec<i8> = (0..=MOST_PIVOTS + 1).map(|value| pivots.code(0, value as f64 / 2.0)).collect();
        assert!(codes.is_sorted_by(|a, b| a < b) && codes.iter().all(|&code| code < UNREACHED), "{codes:?}");
    }

    proptest! {
        #[test]
        fn numbers_are_exact_or_lower_bounds(
            front in super::super::subvector::fronts::fronts(),
            share in prop_oneof![Just(1.0), 0.0..=1.0],
        ) {
            let front: Vec<&TestCaseChromosome> = front.iter().collect();
            let unknown = (share * front.len() as f64) as usize;
            let values: Vec<_> = front.iter().map(|individual| individual.fitness.to_values()).collect();
            let better = |x: usize, y: usize| values[x].iter().zip(&values[y]).filter(|(x, y)| x < y).count() as u32;
            let mut counts = Counts::new(&front, unknown);
            for first in 0..unknown {
                for second in first + 1..front.len() {
                    let numbers = counts.of(first, second);
                    let expect = (better(first, second), better(second, first));
                    if counts.is_exact() {
                        prop_assert_eq!(numbers, expect);
                    }
                    prop_assert!(numbers.0 <= expect.0 && numbers.1 <= expect.1, "{numbers:?} {expect:?}");
                    counts.correct(first, second, expect);
                    prop_assert_eq!((counts.better(first, second), counts.better(second, first)), expect);
                }
            }
        }
    }

    #[test]
    fn numbers_go_beyond_a_byte() {
        for reached in [300, 1000] {
            let better = individual(0, vec![0.5; reached]);
            let worse = individual(1, vec![1.0; reached]);
            let none = individual(2, vec![WORST; reached]);
            let counts = Counts::new(&[&better, &worse, &none], 3);
            let reached = reached as u32;
            assert_eq!([counts.of(0, 1), counts.of(0, 2), counts.of(1, 2)], [(reached, 0); 3]);
        }
    }

    #[test]
    fn who_comes_before_and_shares_a_register_does_not_run_over() {
        let worse = individual(0, vec![1.0; 1000]);
        let better = individual(1, vec![0.5; 1000]);
        let counts = Counts::new(&[&worse, &better, &worse], 3);
        assert_eq!([counts.of(0, 1), counts.of(1, 2), counts.of(0, 2)], [(0, 1000), (1000, 0), (0, 0)]);
    }
}
