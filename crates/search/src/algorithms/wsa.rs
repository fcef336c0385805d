//! WSA: whole-suite generation with an archive.
//!
//! Rojas, Vivanti, Arcuri and Fraser 2017, "A Detailed Investigation of the Effectiveness of Whole Test Suite
//! Generation", §6, as Panichella, Kifetew and Tonella 2018 (DynaMOSA) compare with it (§4.3, §6.1).
//! [`super::whole_suite`] has its parts.

use super::whole_suite::{Variant, WholeSuite};
use crate::algorithm::{AlgorithmRow, ArchivePolicy, LocalSearchUse, SearchAlgorithm, paper};
use crate::context::SearchContext;
use crate::local_search::scheduler::Scheduler;

/// The row of the table.
pub(crate) const ROW: AlgorithmRow = AlgorithmRow {
    name: "wsa",
    summary: "evolves whole test suites toward what the archive does not cover (WSA)",
    paper: paper::WHOLE_SUITE_ARCHIVE,
    explanation: "\
As ws, with an archive: a test that covers a goal is kept whatever becomes of its suite, goals that are covered leave \
the fitness, some new tests descend from archived ones, and the archive is the result.",
    archive: ArchivePolicy::Collects,
    follows_control: false,
    is_blind: false,
    pursues_mutants: false,
    local_search: LocalSearchUse::Beside,
    new: || Box::new(Wsa(WholeSuite::new(Variant::WithArchive))),
};

/// The algorithm.
#[derive(Debug)]
struct Wsa(WholeSuite);

impl SearchAlgorithm for Wsa {
    fn step(&mut self, context: &mut SearchContext<'_, '_>) {
        self.0.step(context);
    }

    fn improve(&mut self, scheduler: &mut Scheduler<'_>, context: &mut SearchContext<'_, '_>) {
        self.0.improve(scheduler, context);
    }
}
