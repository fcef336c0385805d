//! Search algorithms: the trait, and the table of those that there are.

use thiserror::Error;

use crate::algorithms::{
    adynamosa, auto, dse, dynamosa, dynamosa_pref, dynamosa_rank, hybrid, ma, mio, mosa, nsga2, random, ws,
    wsa,
};
use crate::context::SearchContext;
use crate::local_search::scheduler::Scheduler;

/// A search algorithm with its population.
pub trait SearchAlgorithm: std::fmt::Debug {
    /// One generation: runs tests through [`SearchContext::evaluate`] and, unless the search is over, at least one.
    fn step(&mut self, context: &mut SearchContext<'_, '_>);

    /// Whether local search may follow this step. As it stands, always.
    fn is_to_improve(&self, _scheduler: &Scheduler<'_>, _context: &SearchContext<'_, '_>) -> bool {
        true
    }

    /// Applies local search. As it stands, to the tests that came nearest to targets.
    fn improve(&mut self, scheduler: &mut Scheduler<'_>, context: &mut SearchContext<'_, '_>) {
        scheduler.improve_nearest(context);
    }
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
    /// Whether it selects its targets by control dependence.
    pub follows_control: bool,
    /// Whether what is covered has no influence on the tests that it draws: neither on the calls nor on the values.
    pub is_blind: bool,
    /// Whether mutants to be killed are goals as well where they are only asked to be infected, unless options say otherwise
    /// ([`crate::algorithms::auto::AutoOptions::pursues`]).
    pub pursues_mutants: bool,
    /// Whether local search goes with it.
    pub local_search: LocalSearchUse,
    /// Makes one before its first generation.
    pub new: fn() -> Box<dyn SearchAlgorithm>,
}

impl AlgorithmRow {
    /// Whether it looks at the cost of runs: then the code under test should have a probe per basic block
    /// ([`bytecode::analysis::AnalysisOptions::blocks`]).
    pub fn needs_blocks(&self) -> bool {
        self.archive == ArchivePolicy::CollectsCheapest
    }
}

/// Whether local search goes with an algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalSearchUse {
    /// It is a part of it.
    Own,
    /// As options say ([`crate::options::LocalSearchOptions::rate`]).
    Beside,
    /// After each generation, without a probability: it is nearly all that the algorithm does.
    Always,
    /// Never: others are compared with it because it has none. `ws` is the global search of `ma`, and random tests aim at
    /// nothing.
    Never,
}

/// What the archive of an algorithm holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArchivePolicy {
    /// The best test of each goal that any run covered.
    Collects,
    /// As [`ArchivePolicy::Collects`], and of two tests for a goal the one of lower performance score
    /// ([`crate::performance`]) is the better, in place of the shorter one.
    CollectsCheapest,
    /// The tests of the best individual so far: what a better one does not cover is lost.
    BestIndividual,
}

/// Citations of more than one row.
pub(crate) mod paper {
    pub(crate) const DYNAMOSA: &str = "Panichella, Kifetew and Tonella 2018, \"Automated Test Case Generation as a \
        Many-Objective Optimisation Problem with Dynamic Selection of the Targets\", IEEE TSE 44(2)";
    pub(crate) const WHOLE_SUITE: &str = "Fraser, Arcuri and McMinn 2015, \"A Memetic Algorithm for Whole Test Suite \
        Generation\", Journal of Systems and Software 103";
    pub(crate) const HYBRID: &str = "Galeotti, Fraser and Arcuri 2013, \"Improving Search-based Test Suite Generation \
        with Dynamic Symbolic Execution\", ISSRE";
    pub(crate) const WHOLE_SUITE_ARCHIVE: &str = "Rojas, Vivanti, Arcuri and Fraser 2017, \"A Detailed Investigation \
        of the Effectiveness of Whole Test Suite Generation\", Empirical Software Engineering 22(2)";
    pub(crate) const NSGA2: &str = "Deb, Pratap, Agarwal and Meyarivan 2002, \"A Fast and Elitist Multiobjective \
        Genetic Algorithm: NSGA-II\", IEEE TEVC 6(2)";
    pub(crate) const MIO: &str = "Arcuri 2017, \"Many Independent Objective (MIO) Algorithm for Test Suite \
        Generation\", SSBSE";
    pub(crate) const ADYNAMOSA: &str = "Grano, Laaber, Panichella and Panichella 2019, \"Testing with Fewer \
        Resources: An Adaptive Approach to Performance-Aware Test Case Generation\", IEEE TSE";
}

/// All algorithms; the first is the default.
pub const ALGORITHMS: &[AlgorithmRow] = &[
    auto::ROW,
    dynamosa::ROW,
    adynamosa::ROW,
    dynamosa_rank::ROW,
    dynamosa_pref::ROW,
    mosa::ROW,
    mio::ROW,
    nsga2::ROW,
    wsa::ROW,
    ma::ROW,
    hybrid::ROW,
    ws::ROW,
    dse::ROW,
    random::ROW,
];

/// Asked for something that is not there.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SearchError {
    /// No algorithm of this name.
    #[error("there is no algorithm \"{name}\". There are {known}")]
    UnknownAlgorithm {
        /// What was asked for.
        name: String,
        /// All names, separated by commas.
        known: String,
    },
    /// No parameter of this name.
    #[error("there is no parameter \"{name}\". There are {known}")]
    UnknownParameter {
        /// What was asked for.
        name: String,
        /// All names, separated by commas.
        known: String,
    },
    /// No profile of this name.
    #[error("there is no profile \"{name}\". There are {known}")]
    UnknownProfile {
        /// What was asked for.
        name: String,
        /// All names, separated by commas.
        known: String,
    },
    /// A test search of a name that is in no list: users could not turn it off.
    #[error("there is no test search \"{name}\". There are {known}")]
    UnknownTestSearch {
        /// What was given.
        name: String,
        /// All names, separated by commas.
        known: String,
    },
    /// A parameter cannot have this value.
    #[error("{parameter} cannot be \"{value}\": give {allowed}")]
    BadValue {
        /// Name of the parameter.
        parameter: &'static str,
        /// What was given.
        value: String,
        /// What may be given, in words.
        allowed: &'static str,
    },
}

/// An algorithm by name.
pub fn algorithm(name: &str) -> Result<&'static AlgorithmRow, SearchError> {
    ALGORITHMS.iter().find(|row| row.name == name).ok_or_else(|| {
        let names = ALGORITHMS.iter().map(|row| row.name);
        SearchError::UnknownAlgorithm { name: name.to_owned(), known: names.collect::<Vec<_>>().join(", ") }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_is_told_with_the_known_ones() {
        let known = "auto, dynamosa, adynamosa, dynamosa-rank, dynamosa-pref, mosa, mio, nsga2, wsa, ma, hybrid, ws, dse, random";
        let error = algorithm("genetic").unwrap_err();
        assert_eq!(error.to_string(), format!("there is no algorithm \"genetic\". There are {known}"));
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
