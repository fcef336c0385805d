//! Random search: random tests, and an archive of those that cover something. The baseline.

use crate::algorithm::{AlgorithmRow, ArchivePolicy, LocalSearchUse, SearchAlgorithm, paper};
use crate::context::{Evaluated, SearchContext};

/// The row of the table.
pub(crate) const ROW: AlgorithmRow = AlgorithmRow {
    name: "random",
    summary: "random tests, the best kept for each goal",
    paper: paper::ADYNAMOSA,
    explanation: "\
Draws tests as the first generation of every other algorithm is drawn, and keeps the shortest one for each goal that \
any covers. It is blind: whatever is covered, calls are drawn equally often, and compared values are taken from all \
branches alike. The baseline that a search has to beat.",
    archive: ArchivePolicy::Collects,
    follows_control: false,
    is_blind: true,
    pursues_mutants: false,
    local_search: LocalSearchUse::Never,
    new: || Box::new(RandomSearch),
};

/// The algorithm.
#[derive(Debug)]
struct RandomSearch;

impl SearchAlgorithm for RandomSearch {
    fn step(&mut self, context: &mut SearchContext<'_, '_>) {
        for _ in 0..context.options.population {
            let test = context.initial_test();
            if let Evaluated::Over = context.evaluate(test) {
                return;
            }
        }
    }
}
