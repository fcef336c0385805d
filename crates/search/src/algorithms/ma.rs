//! MA: whole-suite generation with local search, the memetic algorithm.
//!
//! Fraser, Arcuri and `McMinn` 2015, "A Memetic Algorithm for Whole Test Suite Generation", Algorithm 1; its own set-up is the
//! profile `paper-000`. [`super::whole_suite`] has its global search, [`crate::local_search`] the operators and the schedule.

use super::whole_suite::{Variant, WholeSuite};
use crate::algorithm::{AlgorithmRow, ArchivePolicy, LocalSearchUse, SearchAlgorithm, paper};
use crate::context::SearchContext;
use crate::local_search::scheduler::Scheduler;

/// The row of the table.
pub(crate) const ROW: AlgorithmRow = AlgorithmRow {
    name: "ma",
    summary: "evolves whole test suites and improves the best by local search (MA)",
    paper: paper::WHOLE_SUITE,
    explanation: "\
As ws, with local search: now and then the best suites are improved test by test and statement by statement, numbers and \
strings along the distance of the branches that they decide; suites take back tests for what they have lost. How often \
follows from how often it helps.",
    archive: ArchivePolicy::BestIndividual,
    follows_control: false,
    is_blind: false,
    pursues_mutants: false,
    local_search: LocalSearchUse::Own,
    new: || Box::new(Ma(WholeSuite::new(Variant::BestIndividual))),
};

/// The algorithm.
#[derive(Debug)]
struct Ma(WholeSuite);

impl SearchAlgorithm for Ma {
    fn step(&mut self, context: &mut SearchContext<'_, '_>) {
        self.0.step(context);
    }

    fn improve(&mut self, scheduler: &mut Scheduler<'_>, context: &mut SearchContext<'_, '_>) {
        self.0.improve(scheduler, context);
    }
}
