//! WS: whole-suite generation with the best suite as its result.
//!
//! Fraser, Arcuri and `McMinn` 2015, "A Memetic Algorithm for Whole Test Suite Generation", §3; parameters as there and in
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), §4.5. [`super::whole_suite`] has its parts.

use super::whole_suite::{Variant, WholeSuite};
use crate::algorithm::{AlgorithmRow, ArchivePolicy, LocalSearchUse, SearchAlgorithm, paper};
use crate::context::SearchContext;

/// The row of the table.
pub(crate) const ROW: AlgorithmRow = AlgorithmRow {
    name: "ws",
    summary: "evolves whole test suites; the best one is the result (WS)",
    paper: paper::WHOLE_SUITE,
    explanation: "\
Individuals are test suites. Fitness adds up, over all goals, how far the suite is from each; a comparison counts when \
the suite makes it at least twice. Suites are crossed by exchanging tests and mutated by changing and adding tests; \
between equals the one of fewer statements wins. The result is the best suite: a good test inside a suite that loses is \
lost with it.",
    archive: ArchivePolicy::BestIndividual,
    follows_control: false,
    is_blind: false,
    pursues_mutants: false,
    local_search: LocalSearchUse::Never,
    new: || Box::new(Ws(WholeSuite::new(Variant::BestIndividual))),
};

/// The algorithm.
#[derive(Debug)]
struct Ws(WholeSuite);

impl SearchAlgorithm for Ws {
    fn step(&mut self, context: &mut SearchContext<'_, '_>) {
        self.0.step(context);
    }
}
