//! Branch distances, normalized to `[0, 1)` so that a whole approach level always weighs more.

/// Fitness of a goal whose outcome was taken, or whose method was entered, while the evidence of its coverage is
/// missing: an exception came in between. Less than every other fitness that is not 0.
pub const TAKEN: f64 = f64::MIN_POSITIVE;

/// How raw distances are mapped to `[0, 1)`, strictly increasing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Normalization {
    /// `x / (x + 1)` (Arcuri 2010), as all the papers have it. From a distance of about 2^26 on, neighbours
    /// become equal in double precision, and beyond 2^40 all are; the more so with an approach level added.
    Ratio,
    /// The position of `x` among the doubles, in effect its logarithm, piecewise linear. It orders tests as the
    /// ratio does, but keeps a relative precision of 2^-35 or better at every magnitude and approach level up to
    /// 64: hash codes, times in milliseconds and large doubles keep their gradient.
    #[default]
    Ordinal,
}

impl Normalization {
    /// Largest value of the ratio: one that still differs from 1 when an approach level up to 4096 is added.
    const LARGEST_RATIO: f64 = 1.0 - 1.0 / (1_u64 << 40) as f64;

    /// Maps a raw distance: 0 exactly to 0, all others to something above [`TAKEN`] and below 1.
    pub fn normalize(self, distance: f64) -> f64 {
        debug_assert!(distance >= 0.0, "distances are not negative");
        if distance == 0.0 {
            return 0.0;
        }
        match self {
            Self::Ratio => ratio(distance).clamp(2.0 * TAKEN, Self::LARGEST_RATIO),
            // The bits of positive doubles are ordered as the doubles are, and lie below 2^63 − 2^52.
            Self::Ordinal => distance.to_bits() as i64 as f64 * (0.5 / (1_u64 << 62) as f64),
        }
    }
}

/// `x / (x + 1)`: for sums over goals, where the papers define the value itself.
pub fn ratio(distance: f64) -> f64 {
    if distance.is_infinite() { 1.0 } else { distance / (distance + 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_strictly_increasing(normalization: Normalization, level: f64, distances: &[f64]) {
        let normalized: Vec<f64> = distances.iter().map(|&x| level + normalization.normalize(x)).collect();
        assert!(normalized.is_sorted_by(|a, b| a < b), "{normalized:?}");
        assert!(normalized[0] >= level && normalized[normalized.len() - 1] < level + 1.0);
    }

    #[test]
    fn normalized_distances_increase_and_stay_below_the_next_level() {
        let small = [0.0, 0.5, 1.0, 2.0, 3.0, 1000.0, 65_535.0];
        for level in [0.0, 1.0, 7.0, 64.0] {
            check_strictly_increasing(Normalization::Ratio, level, &small);
            check_strictly_increasing(Normalization::Ordinal, level, &small);
            let large =
                [4_294_967_296.0, 4_294_967_297.0, 1.0e18, 1.0e18 + 65_536.0e4, f64::MAX / 2.0, f64::MAX];
            check_strictly_increasing(Normalization::Ordinal, level, &large);
        }
    }

    #[test]
    fn only_zero_is_nothing_and_no_other_reaches_what_was_taken() {
        for normalization in [Normalization::Ratio, Normalization::Ordinal] {
            assert_eq!(normalization.normalize(0.0), 0.0);
            for distance in [f64::from_bits(1), f64::MIN_POSITIVE, 1.0, f64::MAX, f64::INFINITY] {
                let normalized = normalization.normalize(distance);
                assert!(normalized > TAKEN && normalized < 1.0, "{distance:e} became {normalized:e}");
            }
        }
    }

    #[test]
    fn the_ratio_is_the_one_of_the_papers() {
        assert_eq!((ratio(0.0), ratio(1.0), ratio(3.0), ratio(f64::INFINITY)), (0.0, 0.5, 0.75, 1.0));
    }
}
