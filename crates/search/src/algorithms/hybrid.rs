//! Hybrid: whole-suite generation whose best individual is explored by test searches, such as symbolic execution, whenever that
//! promises something.
//!
//! Galeotti, Fraser and Arcuri 2013, "Improving Search-based Test Suite Generation with Dynamic Symbolic Execution", §III-C: the
//! mutation of a primitive value changed the fitness of the best individual, so that such values matter. Then it is explored
//! with a probability ([`crate::options::LocalSearchOptions::probability`], P) that is multiplied after success and divided after
//! failure by a factor ([`crate::options::LocalSearchOptions::adaptation`], R), for a time
//! ([`crate::options::LocalSearchOptions::budget`]); success is that the fitness of the suite improved. Its own set-up is the
//! profile `paper-001`.
//!
//! # Differences
//! * Where no test search is given to the search, this is `ws`.
//! * The paper pools the conditions of all tests of a suite and takes the smallest first; here the tests are explored one after
//!   the other, and the order within a test is that of the test search.
//! * The paper ends an exploration after its time; besides that, ours may use a tenth of the budget at most
//!   ([`crate::options::LocalSearchOptions::largest_share`], 1 in the profile).

use super::whole_suite::{Variant, WholeSuite};
use crate::algorithm::{AlgorithmRow, ArchivePolicy, LocalSearchUse, SearchAlgorithm, paper};
use crate::context::SearchContext;
use crate::local_search::scheduler::Scheduler;
use crate::local_search::tools::Kind;

/// The row of the table.
pub(crate) const ROW: AlgorithmRow = AlgorithmRow {
    name: "hybrid",
    summary: "evolves whole test suites and explores the best by symbolic execution (GA+DSE)",
    paper: paper::HYBRID,
    explanation: "\
As ws, and whenever the change of a value changed the fitness of the best suite, its tests are run symbolically: the \
conditions of their paths, negated and solved, give new tests, and those that improve the suite join it. How often \
follows from how often it helps.",
    archive: ArchivePolicy::BestIndividual,
    follows_control: false,
    is_blind: false,
    pursues_mutants: false,
    local_search: LocalSearchUse::Own,
    new: || Box::new(Hybrid(WholeSuite::new(Variant::BestIndividual).telling_changes())),
};

/// Options of the hybrid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HybridOptions {
    /// Which individuals are explored. Default the best (001 §III-C).
    pub individuals: Individuals,
    /// Whether tests stay in the suite that do not improve it. Default false (001 §IV, the best configuration).
    pub keeps_all: bool,
    /// Whether only conditions are negated whose other outcome no test of the suite takes. Default true (001 §IV, the best
    /// configuration).
    pub filter: bool,
}

/// Which individuals of a population are explored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Individuals {
    /// The best one.
    Best,
    /// Every one that improved by the mutation of a value.
    Improved,
}

impl HybridOptions {
    /// What improves the best individual.
    pub(crate) const IMPROVING: Self =
        Self { individuals: Individuals::Best, keeps_all: false, filter: true };
}

impl Default for HybridOptions {
    fn default() -> Self {
        Self::IMPROVING
    }
}

/// The algorithm.
#[derive(Debug)]
struct Hybrid(WholeSuite);

impl SearchAlgorithm for Hybrid {
    fn step(&mut self, context: &mut SearchContext<'_, '_>) {
        self.0.step(context);
    }

    fn is_to_improve(&self, scheduler: &Scheduler<'_>, context: &SearchContext<'_, '_>) -> bool {
        scheduler.may_apply(Kind::Searches, context)
            && self.0.is_to_explore(context.options.hybrid.individuals)
    }

    fn improve(&mut self, scheduler: &mut Scheduler<'_>, context: &mut SearchContext<'_, '_>) {
        self.0.explore(scheduler, context);
    }
}
