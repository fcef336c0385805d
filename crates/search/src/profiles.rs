//! The set-ups of the papers.

use coverage::distance::Normalization;

use crate::algorithm::{SearchError, nearest};
use crate::options::{SearchOptions, SuiteSelection};

/// A row of the table: what a paper's evaluation sets.
#[derive(Debug, Clone, Copy)]
pub struct Profile {
    /// The name by which users ask for it.
    pub name: &'static str,
    /// The paper.
    pub paper: &'static str,
    /// What the set-up is for, in one line.
    pub summary: &'static str,
    /// The algorithms that the paper runs with this set-up, as far as they are rows of the table; the first is its own.
    pub algorithms: &'static [&'static str],
    /// Names of the criteria.
    pub criteria: &'static [&'static str],
    /// Options of the search.
    pub options: fn() -> SearchOptions,
    /// Whether goals of internal methods depend on the calls of them; in no paper they do.
    pub call_dependences: bool,
    /// The budget of the paper's evaluation, as information: seconds per class.
    pub budget_seconds: u64,
}

/// All profiles.
pub const PROFILES: &[Profile] = &[
    Profile {
        name: "paper-000",
        paper: "Fraser, Arcuri and McMinn 2015, \"A Memetic Algorithm for Whole Test Suite Generation\"",
        summary: "the whole-suite search under the memetic algorithm: branch coverage, population 100",
        algorithms: &["ws"],
        criteria: &["branch"],
        options: SearchOptions::paper_000,
        call_dependences: false,
        budget_seconds: 600,
    },
    Profile {
        name: "paper-002",
        paper: "Zhou et al. 2023, \"Coverage Goal Selector for Combining Multiple Criteria\"",
        summary: "eight criteria at once, for ws, mosa and dynamosa",
        algorithms: &["dynamosa", "mosa", "ws"],
        criteria: &[
            "branch",
            "direct-branch",
            "line",
            "weak-mutation",
            "method",
            "method-no-exception",
            "exception",
            "output",
        ],
        options: SearchOptions::paper_002,
        call_dependences: false,
        budget_seconds: 120,
    },
    Profile {
        name: "paper-003",
        paper: "Grano, Laaber, Panichella and Panichella 2019, \"Testing with Fewer Resources\"",
        summary: "aDynaMOSA over seven criteria",
        algorithms: &["adynamosa", "dynamosa", "random"],
        criteria: &["branch", "line", "weak-mutation", "method", "input", "output", "exception"],
        options: SearchOptions::paper_004,
        call_dependences: false,
        budget_seconds: 180,
    },
    Profile {
        name: "paper-004",
        paper: "Panichella, Kifetew and Tonella 2018 (DynaMOSA)",
        summary: "branch coverage by the listings of mosa and dynamosa, and wsa with tournaments",
        algorithms: &["dynamosa", "mosa", "wsa", "ws", "nsga2", "dynamosa-rank", "dynamosa-pref"],
        criteria: &["branch"],
        options: SearchOptions::paper_004,
        call_dependences: false,
        budget_seconds: 300,
    },
];

/// A profile by name.
pub fn profile(name: &str) -> Result<&'static Profile, SearchError> {
    PROFILES.iter().find(|row| row.name == name).ok_or_else(|| {
        let names = PROFILES.iter().map(|row| row.name);
        SearchError::UnknownProfile {
            name: name.to_owned(),
            nearest: nearest(name, names.clone()),
            known: names.collect::<Vec<_>>().join(", "),
        }
    })
}

impl SearchOptions {
    /// The configuration of paper 004 (§4.5, Algorithms 2 to 7). Its goal graph has no call dependences.
    pub fn paper_004() -> Self {
        Self {
            keep_first_front: false,
            archive_replaces_equal: true,
            watch_covered: true,
            rest_guides: false,
            crossover_within_executed: false,
            suite_selection: SuiteSelection::Tournament,
            normalization: Normalization::Ratio,
            covered_call_weight: 1.0,
            writer_call_weight: 1.0,
            open_call_share: 0.0,
            ..Self::default()
        }
    }

    /// The configuration of paper 002 (§4.1): the defaults of the implementation that 004 builds on, with selection by
    /// rank for suites.
    pub fn paper_002() -> Self {
        Self { suite_selection: SuiteSelection::Rank, ..Self::paper_004() }
    }

    /// The configuration of paper 000 as far as it concerns the whole-suite search (§5.3, Table 4, row 1).
    pub fn paper_000() -> Self {
        Self { population: 100, ..Self::paper_002() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::algorithm;

    #[test]
    fn profiles_name_what_there_is() {
        for row in PROFILES {
            assert!(!row.algorithms.is_empty() && row.algorithms.iter().all(|name| algorithm(name).is_ok()));
            assert!(!row.call_dependences && row.budget_seconds > 0 && !row.criteria.is_empty());
            assert_eq!((row.options)().normalization, Normalization::Ratio);
        }
    }

    #[test]
    fn an_unknown_profile_is_told_with_the_nearest() {
        let error = profile("paper-04").unwrap_err().to_string();
        let expect = "there is no profile \"paper-04\", did you mean paper-004? \
            There are paper-000, paper-002, paper-003, paper-004";
        assert_eq!(error, expect);
    }

    #[test]
    fn the_papers_differ_in_what_they_set() {
        assert_eq!((profile("paper-000").unwrap().options)().population, 100);
        assert_eq!((profile("paper-002").unwrap().options)().suite_selection, SuiteSelection::Rank);
        assert_eq!((profile("paper-004").unwrap().options)().suite_selection, SuiteSelection::Tournament);
    }
}
