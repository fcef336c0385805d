//! Options of the search, with the source of each default.

use coverage::distance::Normalization;
use testcase::factory::options::FactoryOptions;

use crate::performance::ProxySet;

/// How parents are drawn among suites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuiteSelection {
    /// By rank, with a linear bias toward the best (Whitley 1989).
    Rank,
    /// The best of several drawn evenly.
    Tournament,
}

/// What orders the tests of a front in aDynaMOSA.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecondaryHeuristic {
    /// Performance or crowding distance, whichever the search stagnates less under.
    Adaptive,
    /// Always the performance heuristic.
    Performance,
    /// Always subvector dominance.
    CrowdingDistance,
}

/// What is preferred among tests that are equally near to a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PreferenceTie {
    /// The shorter test.
    Length,
    /// The test of lower performance score.
    Performance,
}

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
    /// Whether runs also tell which covered goals of mutants and of inspected values they cover, so that the archive keeps the
    /// shortest or cheapest test for these, too. Default false: after the first hundred runs nearly all of them are covered,
    /// and telling takes most of the time (ours; on in 004, Algorithm 5).
    pub watch_covered: bool,
    /// Whether goals that do not guide become targets once all that do are covered, and the search goes on. Default true
    /// (ours; off in 002, where the search aims at selected goals only).
    pub rest_guides: bool,
    /// Whether crossover cuts within what a parent executed. Behind the statement that threw nothing ran: a
    /// crossover there gives a test that behaves as its parent. Default true (ours; off in 004).
    pub crossover_within_executed: bool,
    /// How parents are drawn among suites. Default by rank (the implementation; tournament in 004
    /// §4.5).
    pub suite_selection: SuiteSelection,
    /// How much more often than evenly the best suite is drawn by rank, 1 to 2. Default 1.7 (the implementation).
    pub rank_bias: f64,
    /// Probability that a test is added to a suite, and the factor with which that of each further one decays, 0 to below
    /// 1. Default 0.1 (000 §3.1, the implementation).
    pub suite_insertion: f64,
    /// Tests of a random suite, at most, at least 1. Default 10 (the implementation).
    pub suite_initial_tests: usize,
    /// Tests of a suite, at most, at least 1. Default 100 (the implementation).
    pub suite_maximum_tests: usize,
    /// Probability that a test added to a suite descends from the archive, where there is one that collects. Default 0.2
    /// (the implementation).
    pub suite_from_archive: f64,
    /// Best suites that survive as they are; fewer than the population. Default 1 (000 Algorithm 1).
    pub elite: usize,
    /// Length of an offspring relative to the best suite beyond which it is not admitted, at least 1. Default 2 (the
    /// implementation; Fraser and Arcuri 2013).
    pub bloat_factor: f64,
    /// What orders the tests of a front in aDynaMOSA. Default adaptive (003 Algorithm 2; always performance in §5.4).
    pub secondary_heuristic: SecondaryHeuristic,
    /// What aDynaMOSA prefers among tests that are equally near to a target. Default the shorter one (004 Definition 3;
    /// the cheaper one in 003 §3.2.1).
    pub preference_tie: PreferenceTie,
    /// The performance proxies that count in aDynaMOSA. Default all (003 Table 1; one at a time in §6).
    pub proxies: ProxySet,
    /// MIO: tests in the population of a goal at first, at least 1. Default 10 (Arcuri 2017 §3).
    pub mio_tests_per_goal: usize,
    /// MIO: probability of a random test at first, 0 to 1. Default 0.5 (likewise).
    pub mio_random: f64,
    /// MIO: share of the budget at which the focused search starts, 0 to 1. Default 0.5 (likewise).
    pub mio_focus: f64,
    /// MIO: mutations of a test in a row in the focused search, at least 1. Default 10 (likewise).
    pub mio_mutations: usize,
    /// Auto: whether the first tests are one for each group of test calls, before random ones. Default false (ours:
    /// measured, it does not pay).
    pub auto_start_per_call: bool,
    /// Auto: values tried for a target in place of those that were compared there, before it comes nearer again. Default
    /// 200 (ours).
    pub auto_transfers: u32,
    /// Auto: probability that a parent is the best test of the target that was tried least, and not the winner of a
    /// tournament, 0 to 1. Default 0.3 (ours).
    pub auto_focus: f64,
    /// Auto: share of the budget that goes to branches, lines, methods and exceptions before mutants and partitions of values
    /// are targets as well, 0 to 1. Default 0.4 (ours).
    pub auto_structure_first: f64,
    /// Auto: whether ways to make tests are drawn by their recent success. Default true (ours).
    pub auto_adapts: bool,
    /// Auto: whether the search minds what tests cost: of tests that are as near a much cheaper one is preferred, and the
    /// second half of the budget is not spent on calls that the first half showed to be dear and barren. Default true
    /// (ours).
    pub auto_spares: bool,
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
            rest_guides: true,
            crossover_within_executed: true,
            suite_selection: SuiteSelection::Rank,
            rank_bias: 1.7,
            suite_insertion: 0.1,
            suite_initial_tests: 10,
            suite_maximum_tests: 100,
            suite_from_archive: 0.2,
            elite: 1,
            bloat_factor: 2.0,
            secondary_heuristic: SecondaryHeuristic::Adaptive,
            preference_tie: PreferenceTie::Length,
            proxies: ProxySet::ALL,
            mio_tests_per_goal: 10,
            mio_random: 0.5,
            mio_focus: 0.5,
            mio_mutations: 10,
            auto_start_per_call: false,
            auto_transfers: 200,
            auto_focus: 0.3,
            auto_structure_first: 0.4,
            auto_adapts: true,
            auto_spares: true,
            normalization: Normalization::Ordinal,
            covered_call_weight: 0.1,
            writer_call_weight: 0.5,
            open_call_share: 0.8,
            factory: FactoryOptions::default(),
        }
    }
}
