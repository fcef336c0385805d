//! Options of the algorithms whose individuals are suites.
//!
//! "000" below is Fraser, Arcuri and `McMinn` 2015, "A Memetic Algorithm for Whole Test Suite Generation"; "004" is Panichella,
//! Kifetew and Tonella 2018 (`DynaMOSA`).

/// How parents are drawn among suites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuiteSelection {
    /// By rank, with a linear bias toward the best (Whitley 1989).
    Rank,
    /// The best of several drawn evenly.
    Tournament,
}

/// How suites are made, drawn and kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuiteOptions {
    /// How parents are drawn among suites. Default by rank (the implementation; tournament in 004
    /// §4.5).
    pub selection: SuiteSelection,
    /// How much more often than evenly the best suite is drawn by rank, 1 to 2. Default 1.7 (the implementation).
    pub rank_bias: f64,
    /// Probability that a test is added to a suite, and the factor with which that of each further one decays, 0 to below
    /// 1. Default 0.1 (000 §3.1, the implementation).
    pub insertion: f64,
    /// Tests of a random suite, at most, at least 1. Default 10 (the implementation).
    pub initial_tests: usize,
    /// Tests of a suite, at most, at least 1. Default 100 (the implementation).
    pub maximum_tests: usize,
    /// Probability that a test added to a suite descends from the archive, where there is one that collects. Default 0.2
    /// (the implementation).
    pub from_archive: f64,
    /// Best suites that survive as they are; fewer than the population. Default 1 (000 Algorithm 1).
    pub elite: usize,
    /// Length of an offspring relative to the best suite beyond which it is not admitted, at least 1. Default 2 (the
    /// implementation; Fraser and Arcuri 2013).
    pub bloat_factor: f64,
}

impl Default for SuiteOptions {
    fn default() -> Self {
        Self {
            selection: SuiteSelection::Rank,
            rank_bias: 1.7,
            insertion: 0.1,
            initial_tests: 10,
            maximum_tests: 100,
            from_archive: 0.2,
            elite: 1,
            bloat_factor: 2.0,
        }
    }
}
