//! Random search: random tests, and an archive of those that cover something. The baseline.

use crate::algorithm::{AlgorithmRow, SearchAlgorithm};
use crate::context::{Evaluated, SearchContext};

/// The row of the table.
pub(crate) const ROW: AlgorithmRow = AlgorithmRow {
    name: "random",
    summary: "random tests, the best kept for each goal",
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
