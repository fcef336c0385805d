//! Options of the search, with the source of each default. Those of an algorithm lie in its own file.

use coverage::distance::Normalization;
use testcase::factory::options::FactoryOptions;

pub use crate::algorithms::adynamosa::{ADynamosaOptions, PreferenceTie, SecondaryHeuristic};
pub use crate::algorithms::auto::AutoOptions;
pub use crate::algorithms::hybrid::{HybridOptions, Individuals};
pub use crate::algorithms::mio::MioOptions;
pub use crate::algorithms::whole_suite::options::{SuiteOptions, SuiteSelection};
pub use crate::local_search::options::{LocalBudget, LocalSearchOptions, Operators};

/// Options of the search and of the factory that makes its tests. The defaults are ours; [`SearchOptions::paper_004`] is the
/// configuration of the paper that defines `DynaMOSA`.
///
/// "004" below is Panichella, Kifetew and Tonella 2018, "Automated Test Case Generation as a Many-Objective
/// Optimisation Problem with Dynamic Selection of the Targets"; "000" is Fraser, Arcuri and `McMinn` 2015, "A Memetic
/// Algorithm for Whole Test Suite Generation"; "003" is Grano et al. 2019, "Testing with Fewer Resources".
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "options that have nothing to do with each other")]
pub struct SearchOptions {
    /// Test cases in the population, at least 2, and new ones per generation. Default 50 (004 §4.5).
    pub population: usize,
    /// Probability that two parents are crossed, 0 to 1. Default 0.75 (004 §4.5).
    pub crossover_probability: f64,
    /// Individuals that take part in a tournament, at least 1. Default 10 (004 §4.5).
    pub tournament_size: usize,
    /// Tests per generation, as a share of the population, that do not descend from it: random ones and mutated
    /// ones of the archive. Default 0.1 (likewise).
    pub insertion_rate: f64,
    /// Probability that such a test is taken from the archive. Default 0.5 (likewise).
    pub insertion_from_archive: f64,
    /// Whether the whole first front survives, also beyond the size of the population. The paper's listing cuts it,
    /// which can lose the only test that is near to a target. Default true (the implementation; off in 004,
    /// Algorithm 6, line 20).
    pub keep_first_front: bool,
    /// Whether a test replaces one of equal length in the archive (004, Algorithm 5, line 11). Default false:
    /// it gains nothing and every replacement is an event.
    pub archive_replaces_equal: bool,
    /// Whether covered goals of mutants and of inspected values are watched as well: runs go on with mutants that a test kills
    /// already, so that the archive keeps the shortest or cheapest test that does. Default false: after the first hundred runs
    /// nearly all of them are covered, and runs of killed mutants would take most of the time (ours; on in 004, Algorithm 5).
    pub watch_covered: bool,
    /// Whether mutants are killed as well by what an exception says and leaves, by what the objects of an object are like, by what is
    /// printed, and by what iterators and streams give. Default true (ours; off in the papers, whose implementations look at none of it).
    pub further_looks: bool,
    /// Whether goals that do not guide become targets once all that do are covered, and the search goes on. Default true
    /// (ours; off in 002, where the search aims at selected goals only).
    pub rest_guides: bool,
    /// Whether crossover cuts within what a parent executed. Behind the statement that threw nothing ran: a
    /// crossover there gives a test that behaves as its parent. Default true (ours; off in 004).
    pub crossover_within_executed: bool,
    /// Of the algorithms whose individuals are suites.
    pub suites: SuiteOptions,
    /// Of aDynaMOSA.
    pub adynamosa: ADynamosaOptions,
    /// Of the hybrid of whole suites and test searches.
    pub hybrid: HybridOptions,
    /// Of MIO.
    pub mio: MioOptions,
    /// Of the default algorithm.
    pub auto: AutoOptions,
    /// Of local search, which goes with every algorithm.
    pub local_search: LocalSearchOptions,
    /// How branch distances are normalized. Default ordinal (ours; the ratio in 004 §2.1).
    pub normalization: Normalization,
    /// How often calls are drawn through which no open goal can be reached, relative to those that reach one.
    /// Default 0.1 (ours: the implementation never draws them, yet they may prepare the state that another call
    /// needs; 1 in 004).
    pub covered_call_weight: f64,
    /// As [`SearchOptions::covered_call_weight`], of calls that write a field read on the way to an open goal.
    /// Default 0.5 (ours; 1 in 004).
    pub writer_call_weight: f64,
    /// Part of the calls of the class under test that lead to open goals, at least, where any do, 0 to 0.99: of the hundreds of
    /// calls of a large class those few would be lost among the others, however little these weigh. Default 0.8 (ours; 0
    /// in 004).
    pub open_call_share: f64,
    /// How tests are made and changed. The source of tests takes these as well; its greatest length bounds every test,
    /// however it grows.
    pub factory: FactoryOptions,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            population: 50,
            crossover_probability: 0.75,
            tournament_size: 10,
            insertion_rate: 0.1,
            insertion_from_archive: 0.5,
            keep_first_front: true,
            archive_replaces_equal: false,
            watch_covered: false,
            further_looks: true,
            rest_guides: true,
            crossover_within_executed: true,
            suites: SuiteOptions::default(),
            adynamosa: ADynamosaOptions::default(),
            hybrid: HybridOptions::default(),
            mio: MioOptions::default(),
            auto: AutoOptions::default(),
            local_search: LocalSearchOptions::default(),
            normalization: Normalization::Ordinal,
            covered_call_weight: 0.1,
            writer_call_weight: 0.5,
            open_call_share: 0.8,
            factory: FactoryOptions::default(),
        }
    }
}
