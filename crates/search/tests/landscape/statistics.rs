//! Comparison of two samples of runs.

use statrs::distribution::{ContinuousCDF, Normal};

/// The median.
pub(crate) fn median(sample: &[f64]) -> f64 {
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) }
}

/// Vargha and Delaney's A12: the probability that one of `a` is above one of `b`, ties by half.
pub(crate) fn a12(a: &[f64], b: &[f64]) -> f64 {
    let above =
        |x: &f64| b.iter().map(|y| if x > y { 1.0 } else { f64::from(u8::from(x == y)) / 2.0 }).sum::<f64>();
    a.iter().map(above).sum::<f64>() / (a.len() * b.len()) as f64
}

/// Two-sided p of the Mann-Whitney U test: normal approximation with corrections for ties and continuity.
pub(crate) fn mann_whitney(a: &[f64], b: &[f64]) -> f64 {
    let (m, n) = (a.len() as f64, b.len() as f64);
    let mut all: Vec<f64> = a.iter().chain(b).copied().collect();
    all.sort_by(f64::total_cmp);
    let ties: f64 =
        all.chunk_by(|x, y| x == y).map(|tied| (tied.len() as f64).powi(3) - tied.len() as f64).sum();
    let variance = m * n / 12.0 * (m + n + 1.0 - ties / ((m + n) * (m + n - 1.0)));
    if variance == 0.0 {
        return 1.0;
    }
    let deviation = ((a12(a, b) * m * n - m * n / 2.0).abs() - 0.5).max(0.0);
    2.0 * Normal::standard().sf(deviation / variance.sqrt())
}

/// How `a` compares with `b`.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// Medians of both.
    pub(crate) medians: (f64, f64),
    /// p of the Mann-Whitney U test.
    pub(crate) p: f64,
    /// Vargha and Delaney's A12, above 0.5 where `a` is larger.
    pub(crate) a12: f64,
}

impl Comparison {
    /// Compares two samples.
    pub(crate) fn new(a: &[f64], b: &[f64]) -> Self {
        Self { medians: (median(a), median(b)), p: mann_whitney(a, b), a12: a12(a, b) }
    }

    /// Whether `a` is significantly larger.
    pub(crate) fn is_larger(&self) -> bool {
        self.p < 0.05 && self.a12 > 0.5
    }

    /// Whether `a` is significantly smaller.
    pub(crate) fn is_smaller(&self) -> bool {
        self.p < 0.05 && self.a12 < 0.5
    }
}
