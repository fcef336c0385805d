//! The one source of randomness.
//!
//! The generator is `ChaCha8`, whose stream is fixed by its definition. The sampling functions are our own because
//! those of the libraries change between versions, and a seed must give the same tests for ever.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// A seeded random number generator, passed as `&mut` to whatever draws.
#[derive(Debug, Clone)]
pub struct Random {
    generator: ChaCha8Rng,
}

impl Random {
    /// The generator of a seed and a stream; streams of one seed are independent (one per class and restart).
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(stream);
        Self { generator }
    }

    /// A uniform 64-bit value.
    pub fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// Uniform in `0..bound` (Lemire's multiplication method, with rejection). `bound` must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "nothing to choose from");
        let bound = bound as u64;
        let mut product = u128::from(self.bits()) * u128::from(bound);
        if (product as u64) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u64) < threshold {
                product = u128::from(self.bits()) * u128::from(bound);
            }
        }
        (product >> 64) as usize
    }

    /// Uniform in `low..=high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        assert!(low <= high, "empty range");
        let span = (high as u64).wrapping_sub(low as u64);
        if span == u64::MAX {
            return self.bits() as i64;
        }
        low.wrapping_add(self.below(span as usize + 1) as i64)
    }

    /// Uniform in `[0, 1)` with 53 bits.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// True with the given probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Standard normal (Box and Muller 1958, the cosine half).
    pub fn gaussian(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// A uniform element; `None` of an empty slice.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { Some(&items[self.below(items.len())]) }
    }

    /// Permutes uniformly (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_stream_for_ever() {
        let mut random = Random::new(42, 0);
        let drawn = [random.bits(), random.bits(), random.bits()];
        assert_eq!(
            drawn,
            [12_578_764_544_318_200_737, 17_529_487_244_874_322_312, 7_886_285_670_807_131_020]
        );
        assert_ne!(Random::new(42, 1).bits(), drawn[0]);
    }

    #[test]
    fn ranges_are_reached_and_not_left() {
        let mut random = Random::new(1, 0);
        let mut seen = [0_u32; 7];
        for _ in 0..7000 {
            seen[random.below(7)] += 1;
        }
        assert!(seen.iter().all(|&count| (800..1200).contains(&count)), "{seen:?}");
        for _ in 0..100 {
            assert!((-3..=3).contains(&random.between(-3, 3)));
            random.between(i64::MIN, i64::MAX);
        }
    }

    #[test]
    fn gaussian_has_mean_0_and_deviation_1() {
        let mut random = Random::new(7, 0);
        let drawn: Vec<f64> = (0..20_000).map(|_| random.gaussian()).collect();
        let mean = drawn.iter().sum::<f64>() / 20_000.0;
        let variance = drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
    }
}
