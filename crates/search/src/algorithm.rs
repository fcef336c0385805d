//! Search algorithms: the trait, and the table of those that there are.

use thiserror::Error;

use crate::algorithms::{dynamosa, random};
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
    /// Makes one before its first generation.
    pub new: fn() -> Box<dyn SearchAlgorithm>,
}

/// All algorithms; the first is the default.
pub const ALGORITHMS: &[AlgorithmRow] = &[dynamosa::ROW, random::ROW];

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
        assert_eq!(error.to_string(), "there is no algorithm \"genetic\"; choose from dynamosa, random");
    }

    #[test]
    fn the_rows_of_the_table_have_names_of_their_own() {
        for (index, row) in ALGORITHMS.iter().enumerate() {
            assert!(ALGORITHMS[..index].iter().all(|other| other.name != row.name));
            assert!(!row.summary.is_empty());
        }
    }
}
