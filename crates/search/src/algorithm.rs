//! Search algorithms: the trait, and the table of those that there are.

use thiserror::Error;

use crate::algorithms::{dynamosa, dynamosa_pref, dynamosa_rank, mosa, nsga2, random, ws, wsa};
use crate::context::SearchContext;

/// A search algorithm with its population.
pub trait SearchAlgorithm: std::fmt::Debug {
    /// One generation: runs tests through [`SearchContext::evaluate`] and, unless the search is over, at least one.
    fn step(&mut self, context: &mut SearchContext<'_, '_>);
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct AlgorithmRow {
    /// The name by which users ask for it, in lower case.
    pub name: &'static str,
    /// What it does, in one line, for the help text.
    pub summary: &'static str,
    /// The paper that defines it.
    pub paper: &'static str,
    /// What it does and what it is good for, in a few sentences.
    pub explanation: &'static str,
    /// What its archive holds.
    pub archive: ArchivePolicy,
    /// Makes one before its first generation.
    pub new: fn() -> Box<dyn SearchAlgorithm>,
}

/// What the archive of an algorithm holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArchivePolicy {
    /// The best test of each goal that any run covered.
    Collects,
    /// The tests of the best individual so far: what a better one does not cover is lost.
    BestIndividual,
}

/// Citations of more than one row.
pub(crate) mod paper {
    pub(crate) const DYNAMOSA: &str = "Panichella, Kifetew and Tonella 2018, \"Automated Test Case Generation as a \
        Many-Objective Optimisation Problem with Dynamic Selection of the Targets\", IEEE TSE 44(2)";
    pub(crate) const WHOLE_SUITE: &str = "Fraser, Arcuri and McMinn 2015, \"A Memetic Algorithm for Whole Test Suite \
        Generation\", Journal of Systems and Software 103";
    pub(crate) const WHOLE_SUITE_ARCHIVE: &str = "Rojas, Vivanti, Arcuri and Fraser 2017, \"A Detailed Investigation \
        of the Effectiveness of Whole Test Suite Generation\", Empirical Software Engineering 22(2)";
    pub(crate) const NSGA2: &str = "Deb, Pratap, Agarwal and Meyarivan 2002, \"A Fast and Elitist Multiobjective \
        Genetic Algorithm: NSGA-II\", IEEE TEVC 6(2)";
    pub(crate) const ADYNAMOSA: &str = "Grano, Laaber, Panichella and Panichella 2019, \"Testing with Fewer \
        Resources: An Adaptive Approach to Performance-Aware Test Case Generation\", IEEE TSE";
}

/// All algorithms; the first is the default.
pub const ALGORITHMS: &[AlgorithmRow] = &[
    dynamosa::ROW,
    dynamosa_rank::ROW,
    dynamosa_pref::ROW,
    mosa::ROW,
    nsga2::ROW,
    wsa::ROW,
    ws::ROW,
    random::ROW,
];

/// Asked for something that is not there.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SearchError {
    /// No algorithm of this name.
    #[error("there is no algorithm \"{name}\"; choose from {known}")]
    UnknownAlgorithm {
        /// What was asked for.
        name: String,
        /// All names, separated by commas.
        known: String,
    },
}

/// An algorithm by name.
pub fn algorithm(name: &str) -> Result<&'static AlgorithmRow, SearchError> {
    ALGORITHMS.iter().find(|row| row.name == name).ok_or_else(|| SearchError::UnknownAlgorithm {
        name: name.to_owned(),
        known: ALGORITHMS.iter().map(|row| row.name).collect::<Vec<_>>().join(", "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_is_told_with_the_known_ones() {
        let error = algorithm("genetic").unwrap_err();
        let known = "dynamosa, dynamosa-rank, dynamosa-pref, mosa, nsga2, wsa, ws, random";
        assert_eq!(error.to_string(), format!("there is no algorithm \"genetic\"; choose from {known}"));
    }

    #[test]
    fn the_rows_of_the_table_have_names_of_their_own() {
        for (index, row) in ALGORITHMS.iter().enumerate() {
            assert!(ALGORITHMS[..index].iter().all(|other| other.name != row.name));
            for text in [row.summary, row.paper, row.explanation] {
                assert!(!text.is_empty() && !text.contains("  "), "{text}");
            }
        }
    }
}
