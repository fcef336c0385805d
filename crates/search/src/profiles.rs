//! The set-ups of the papers.
//!
//! A set-up is complete: every parameter is written out here, as its paper or, where that is silent, the implementation
//! that all of them build on (`EvoSuite`) has it, so that a default that is tuned changes no paper. What is ours is off. What a
//! paper evaluated besides its own set-up is listed with it and may be asked for within it; nothing else may.
//!
//! # Differences
//! Parameters say how often things are drawn. What tests are made of is ours in every profile: the test cluster, stubs in
//! place of functional mocks, crossover that carries arrays and what was put into collections over to the other parent, and
//! mutations that always change a value. The implementation never draws calls whose goals are all covered; none of the
//! papers says so, and here they weigh as much as others.

use std::time::Duration;

use coverage::distance::Normalization;
use coverage::selection::GoalSelection;
use testcase::factory::options::FactoryOptions;

use crate::algorithm::SearchError;
use crate::options::{
    ADynamosaOptions, AutoOptions, HybridOptions, Individuals, LocalBudget, LocalSearchOptions, MioOptions,
    Operators, PreferenceTie, SearchOptions, SecondaryHeuristic, SuiteOptions, SuiteSelection,
};
use crate::parameters::Parameter;
use crate::performance::ProxySet;

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
    /// The criteria that the paper runs it with; the first is its own.
    pub criteria: &'static [CriteriaChoice],
    /// The selections of goals that the paper compares; the first is its own.
    pub goal_selections: &'static [GoalSelection],
    /// Options of the search.
    pub options: fn() -> SearchOptions,
    /// Parameters that the paper varies.
    pub variations: &'static [Variation],
    /// Whether goals of internal methods depend on the calls of them; in no paper they do.
    pub call_dependences: bool,
}

/// Criteria that a paper asks for at once.
#[derive(Debug, Clone, Copy)]
pub struct CriteriaChoice {
    /// Their names.
    pub names: &'static [&'static str],
    /// The budget of the paper's evaluation for them, as information: seconds per class.
    pub budget_seconds: u64,
    /// Section of the paper.
    pub source: &'static str,
}

/// A parameter that a paper varies.
#[derive(Debug, Clone, Copy)]
pub struct Variation {
    /// Its name.
    pub parameter: &'static str,
    /// The values that the paper tried, as `--set` takes them; with its own or without.
    pub values: &'static [&'static str],
    /// Whether the paper combines several of them, separated by commas.
    pub may_be_combined: bool,
    /// Section of the paper.
    pub source: &'static str,
}

impl Profile {
    /// The choice of these criteria, in any order, if the paper has it.
    pub fn choice_of(&self, names: &[&str]) -> Option<&'static CriteriaChoice> {
        let sorted = |names: &[&str]| {
            let mut sorted: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            sorted.sort_unstable();
            sorted.dedup();
            sorted
        };
        let asked = sorted(names);
        self.criteria.iter().find(|choice| sorted(choice.names) == asked)
    }

    /// The criteria of the paper's own set-up.
    pub fn own_criteria(&self) -> &'static [&'static str] {
        self.criteria.first().map_or(&[], |choice| choice.names)
    }

    /// The values that a parameter may have, its own first.
    pub fn values_of(&self, parameter: &Parameter) -> Vec<String> {
        let mut values = vec![parameter.value(&(self.options)())];
        for variation in self.variations.iter().filter(|variation| variation.parameter == parameter.name) {
            values.extend(variation.values.iter().map(|&value| value.to_owned()));
        }
        let mut options = (self.options)();
        let mut seen: Vec<String> = Vec::new();
        for value in values {
            // As the parameter prints it, so that 0.0 is 0.
            let printed = parameter.set(&mut options, &value).map_or(value, |()| parameter.value(&options));
            if !seen.contains(&printed) {
                seen.push(printed);
            }
        }
        seen
    }

    /// Whether the paper's own set-up or one of its variations has this value.
    pub fn allows(&self, parameter: &Parameter, value: &str) -> bool {
        let mut options = (self.options)();
        if parameter.set(&mut options, value).is_err() {
            return false;
        }
        let allowed = self.values_of(parameter);
        let printed = parameter.value(&options);
        let mut variations = self.variations.iter().filter(|variation| variation.parameter == parameter.name);
        allowed.contains(&printed)
            || variations.any(|variation| variation.may_be_combined)
                && printed.split(',').all(|part| allowed.iter().any(|one| one == part))
    }
}

const fn choice(names: &'static [&'static str], budget_seconds: u64, source: &'static str) -> CriteriaChoice {
    CriteriaChoice { names, budget_seconds, source }
}

const fn variation(
    parameter: &'static str,
    values: &'static [&'static str],
    source: &'static str,
) -> Variation {
    Variation { parameter, values, may_be_combined: false, source }
}

/// All profiles.
pub const PROFILES: &[Profile] = &[
    Profile {
        name: "paper-000",
        paper: "Fraser, Arcuri and McMinn 2015, \"A Memetic Algorithm for Whole Test Suite Generation\"",
        summary: "the memetic algorithm and the whole-suite search under it: branch coverage, population 100",
        algorithms: &["ma", "ws"],
        criteria: &[choice(&["branch"], 600, "§5.2")],
        goal_selections: &[GoalSelection::Combine],
        options: SearchOptions::paper_000,
        variations: &[
            variation("static-pool", &["0", "0.2"], "§5.2, without and with seeding"),
            variation("population", &["5", "25", "50", "75", "100"], "§5.2, experiment 1"),
            variation("local-search-budget", &["5s", "25s", "50s", "75s", "100s"], "§5.2, experiment 1"),
            variation(
                "local-search-probability",
                &["0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "0.7", "1"],
                "§5.2, experiments 1 and 3; Table 7",
            ),
            variation(
                "local-search-adaptation",
                &["1", "1.2", "1.5", "1.7", "2", "5", "10"],
                "§5.2, experiment 3; Table 7",
            ),
            variation("local-search-selective", &["true", "false"], "§5.2, experiment 3; Table 7"),
            variation("local-search-rate", &["0", "1", "5", "25", "50", "75", "100"], "§5.2, experiment 1"),
            Variation {
                parameter: "local-search-operators",
                values: &[
                    "all",
                    "none",
                    "booleans",
                    "enumerations",
                    "integers",
                    "floating-point",
                    "strings",
                    "arrays",
                    "references",
                ],
                may_be_combined: true,
                source: "Table 5; Table 6",
            },
            variation("local-search-expansion", &["true", "false"], "Table 6"),
            variation("local-search-double-execution", &["true", "false"], "Table 6"),
            variation("local-search-restoring", &["true", "false"], "Table 6"),
        ],
        call_dependences: false,
    },
    Profile {
        name: "paper-001",
        paper: "Galeotti, Fraser and Arcuri 2013, \"Improving Search-based Test Suite Generation with Dynamic Symbolic \
            Execution\"",
        summary: "whole suites with symbolic execution of the best one, as it did best: branch coverage",
        algorithms: &["hybrid", "ws", "dse"],
        criteria: &[choice(&["branch"], 600, "§IV-B")],
        goal_selections: &[GoalSelection::Combine],
        options: SearchOptions::paper_001,
        variations: &[
            variation("local-search-budget", &["5s", "10s", "30s"], "§IV-B, 1"),
            variation("hybrid-keeps-all", &["true", "false"], "§IV-B, 2"),
            variation("hybrid-filter", &["true", "false"], "§IV-B, 3"),
            variation("local-search-probability", &["0.1", "0.5", "1"], "§IV-B, 4"),
            variation("local-search-adaptation", &["1", "2", "4"], "§IV-B, 5"),
            variation("hybrid-individuals", &["best", "improved"], "§IV-B, all individuals that improved"),
        ],
        call_dependences: false,
    },
    Profile {
        name: "paper-002",
        paper: "Zhou et al. 2023, \"Coverage Goal Selector for Combining Multiple Criteria\"",
        summary: "eight criteria at once, for ws, mosa and dynamosa",
        algorithms: &["dynamosa", "mosa", "ws"],
        criteria: &[
            choice(
                &[
                    "branch",
                    "direct-branch",
                    "line",
                    "weak-mutation",
                    "method",
                    "method-no-exception",
                    "exception",
                    "output",
                ],
                120,
                "§4.1",
            ),
            choice(&["branch"], 120, "§4.1, one criterion alone; §4.9"),
            choice(&["direct-branch"], 120, "§4.1, one criterion alone"),
            choice(&["line"], 120, "§4.1, one criterion alone"),
            choice(&["weak-mutation"], 120, "§4.1, one criterion alone"),
            choice(&["method"], 120, "§4.1, one criterion alone"),
            choice(&["method-no-exception"], 120, "§4.1, one criterion alone"),
            choice(&["branch", "exception"], 120, "§4.1, exception with branch"),
            choice(&["branch", "output"], 120, "§4.1, output with branch"),
            choice(&["exception"], 120, "§4.5, one criterion alone"),
            choice(&["output"], 120, "§4.5, one criterion alone"),
            choice(&["line", "method", "exception", "output"], 120, "§4.6, LT"),
            choice(&["branch", "line", "method", "exception", "output"], 120, "§4.6, LT with dynamosa"),
            choice(&["weak-mutation", "method", "exception", "output"], 120, "§4.6, WT"),
            choice(
                &["branch", "weak-mutation", "method", "exception", "output"],
                120,
                "§4.6, WT with dynamosa",
            ),
            choice(&["branch", "exception", "method-trace"], 120, "§4.9"),
        ],
        goal_selections: &[GoalSelection::Combine, GoalSelection::Smart, GoalSelection::Representatives],
        options: SearchOptions::paper_002,
        variations: &[],
        call_dependences: false,
    },
    Profile {
        name: "paper-003",
        paper: "Grano, Laaber, Panichella and Panichella 2019, \"Testing with Fewer Resources\"",
        summary: "aDynaMOSA over seven criteria",
        algorithms: &["adynamosa", "dynamosa", "random"],
        criteria: &[choice(
            &["branch", "line", "weak-mutation", "method", "input", "output", "exception"],
            180,
            "§4.2",
        )],
        goal_selections: &[GoalSelection::Combine],
        options: SearchOptions::paper_003,
        variations: &[
            variation("secondary-heuristic", &["performance"], "§5.4, always the performance heuristic"),
            variation("preference-tie", &["performance"], "§3.2.1, the score as secondary objective"),
            variation("secondary-heuristic", &["crowding"], "§3.2.1, the score as secondary objective alone"),
            Variation {
                parameter: "proxies",
                values: &[
                    "loops",
                    "covered-calls",
                    "test-calls",
                    "instantiations",
                    "covered-statements",
                    "test-statements",
                    "test-length",
                ],
                may_be_combined: true,
                source: "§6, one at a time; groups of them by §3.1",
            },
        ],
        call_dependences: false,
    },
    Profile {
        name: "paper-004",
        paper: "Panichella, Kifetew and Tonella 2018 (DynaMOSA)",
        summary: "one criterion by the listings of mosa and dynamosa, and wsa with tournaments",
        algorithms: &["dynamosa", "mosa", "wsa", "ws", "nsga2", "dynamosa-rank", "dynamosa-pref"],
        criteria: &[
            choice(&["branch"], 300, "§4.5"),
            choice(&["statement"], 300, "§4.5"),
            choice(&["strong-mutation"], 480, "§4.5"),
        ],
        goal_selections: &[GoalSelection::Combine],
        options: SearchOptions::paper_004,
        variations: &[],
        call_dependences: false,
    },
];

/// A profile by name.
pub fn profile(name: &str) -> Result<&'static Profile, SearchError> {
    PROFILES.iter().find(|row| row.name == name).ok_or_else(|| {
        let names = PROFILES.iter().map(|row| row.name);
        SearchError::UnknownProfile { name: name.to_owned(), known: names.collect::<Vec<_>>().join(", ") }
    })
}

/// How the implementation makes and changes tests, in the version that paper 004 names (§4.4).
fn evosuite() -> FactoryOptions {
    FactoryOptions {
        max_length: 40,
        null_probability: 0.1,
        object_reuse: 0.9,
        primitive_reuse: 0.5,
        max_recursion: 10,
        shortest_from: 5,
        max_array: 10,
        constant_lengths: 0.0,
        text_arrays: 0.0,
        format_texts: 0.0,
        short_arrays: false,
        array_fill: 1.0,
        fill: 0.0,
        max_fill: 1,
        fill_all: 0.0,
        even_generators: true,
        lambda: 0.0,
        derive: 0.0,
        throwing_answer: 0.0,
        parameter_answer: 0.0,
        itself_answer: 0.0,
        callback_answer: 0.0,
        further_answer: 0.0,
        max_answers: 5,
        string_length: 20,
        max_string: 1000,
        mentioned_characters: 0.0,
        exotic_characters: 0.0,
        max_int: 2048.0,
        small: 0.0,
        small_int: 0.0,
        small_sizes: 0.0,
        max_delta: 20.0,
        static_pool: 0.25,
        construction_pool: 0.0,
        project_pool: 0.5,
        dynamic_pool: 0.25,
        dynamic_pool_size: 50,
        open_operands: 0.0,
        operand_pairs: 0,
        token_length: 0,
        replace: 0.0,
        hint: 0.0,
        entries: 0.0,
        files: 0.0,
        settings: 0.0,
        inject: 0.0,
        redraw: 0.2,
        extreme: 0.0,
        change_input: 0.1,
        test_call: 0.5,
        calls_before_throw: false,
        further_insertion: 0.5,
        each_mutation: 1.0 / 3.0,
        closed_weight: 0.0,
        attempts: 1000,
    }
}

impl SearchOptions {
    /// The configuration of paper 004 (§4.5, Algorithms 2 to 7). Its goal graph has no call dependences.
    pub fn paper_004() -> Self {
        Self {
            population: 50,
            crossover_probability: 0.75,
            tournament_size: 10,
            insertion_rate: 0.1,
            insertion_from_archive: 0.5,
            keep_first_front: false,
            archive_replaces_equal: true,
            watch_covered: true,
            further_looks: false,
            rest_guides: false,
            crossover_within_executed: false,
            suites: SuiteOptions {
                selection: SuiteSelection::Tournament,
                rank_bias: 1.7,
                insertion: 0.1,
                initial_tests: 10,
                maximum_tests: 100,
                from_archive: 0.2,
                elite: 1,
                bloat_factor: 2.0,
            },
            adynamosa: ADynamosaOptions {
                secondary_heuristic: SecondaryHeuristic::Adaptive,
                preference_tie: PreferenceTie::Length,
                proxies: ProxySet::ALL,
            },
            hybrid: HybridOptions { individuals: Individuals::Best, keeps_all: false, filter: true },
            mio: MioOptions { tests_per_goal: 10, random: 0.5, focus: 0.5, mutations: 10 },
            auto: AutoOptions {
                transfers: 0,
                focus: 0.0,
                structure_first: 0.0,
                pursues: false,
                kills_from: 0.0,
                adapts: false,
                spares: false,
            },
            local_search: LocalSearchOptions::paper(),
            normalization: Normalization::Ratio,
            covered_call_weight: 1.0,
            writer_call_weight: 1.0,
            open_call_share: 0.0,
            factory: evosuite(),
        }
    }

    /// The configuration of paper 003 (§4.2): the defaults of the implementation under the listings of 004.
    pub fn paper_003() -> Self {
        Self::paper_004()
    }

    /// The configuration of paper 002 (§4.1): the defaults of the implementation that 004 builds on, with selection by
    /// rank for suites.
    pub fn paper_002() -> Self {
        let paper_004 = Self::paper_004();
        Self { suites: SuiteOptions { selection: SuiteSelection::Rank, ..paper_004.suites }, ..paper_004 }
    }

    /// The configuration of paper 001 (§IV-B, RQ1): the best of 112, over the whole-suite search of the implementation.
    pub fn paper_001() -> Self {
        let local_search = LocalSearchOptions {
            probability: 1.0,
            adaptation: 1.0,
            budget: LocalBudget::Time(Duration::from_secs(30)),
            operators: Operators::parse("symbolic-execution").unwrap_or_default(),
            ..LocalSearchOptions::paper()
        };
        Self { local_search, ..Self::paper_002() }
    }

    /// The configuration of paper 000 as far as it concerns the whole-suite search (§5.2, Table 4, row 1): values come from
    /// the constants of the class under test with a probability of 0.2, and from no other pool. Local search is that of Table 4,
    /// row 1, Table 6, row 1, and Table 7, row 1.
    pub fn paper_000() -> Self {
        let factory = FactoryOptions { static_pool: 0.2, project_pool: 0.0, dynamic_pool: 0.0, ..evosuite() };
        let primitives = "booleans,enumerations,integers,floating-point";
        let local_search = LocalSearchOptions {
            rate: 1,
            probability: 0.01,
            adaptation: 10.0,
            budget: LocalBudget::Time(Duration::from_secs(25)),
            operators: Operators::parse(&format!("{primitives},references")).unwrap_or_default(),
            ..LocalSearchOptions::paper()
        };
        Self { population: 100, local_search, factory, ..Self::paper_002() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::algorithm;
    use crate::parameters::{PARAMETERS, parameter};

    #[test]
    fn profiles_name_what_there_is() {
        let is_criterion =
            |name: &&str| coverage::criterion::CRITERIA.iter().any(|criterion| criterion.name() == *name);
        for row in PROFILES {
            assert!(!row.algorithms.is_empty() && row.algorithms.iter().all(|name| algorithm(name).is_ok()));
            assert!(!row.call_dependences && !row.criteria.is_empty() && !row.goal_selections.is_empty());
            for choice in row.criteria {
                assert!(choice.names.iter().all(is_criterion), "{:?}", choice.names);
                assert!(choice.budget_seconds > 0 && !choice.source.is_empty());
                assert_eq!(row.choice_of(choice.names).unwrap().names, choice.names, "each is there once");
            }
            for variation in row.variations {
                let parameter = parameter(variation.parameter).unwrap();
                for value in variation.values {
                    assert!(row.allows(parameter, value), "{} {value}", parameter.name);
                }
            }
        }
    }

    #[test]
    fn an_unknown_profile_is_told_with_the_known_ones() {
        let error = profile("paper-04").unwrap_err().to_string();
        let expect = "there is no profile \"paper-04\". \
            There are paper-000, paper-001, paper-002, paper-003, paper-004";
        assert_eq!(error, expect);
    }

    #[test]
    fn what_a_paper_varied_is_allowed_and_nothing_else() {
        let check = |name: &str, set: &str, value: &str, expect: bool| {
            assert_eq!(
                profile(name).unwrap().allows(parameter(set).unwrap(), value),
                expect,
                "{name} {set}={value}"
            );
        };
        check("paper-000", "static-pool", "0.20", true);
        check("paper-000", "static-pool", "0.0", true);
        check("paper-000", "static-pool", "0.1", false);
        check("paper-000", "dynamic-pool", "0.2", false);
        check("paper-000", "local-search-adaptation", "1.7", true);
        check("paper-001", "local-search-budget", "10s", true);
        check("paper-001", "local-search-budget", "25s", false);
        check("paper-001", "hybrid-individuals", "improved", true);
        check("paper-001", "local-search-probability", "0.7", false);
        check("paper-003", "proxies", "all", true);
        check("paper-003", "proxies", "loops", true);
        check("paper-003", "proxies", "test-calls,covered-calls", true);
        check("paper-003", "proxies", "heap", false);
        check("paper-004", "proxies", "loops", false);
        check("paper-004", "population", "50", true);
        let paper_004 = profile("paper-004").unwrap();
        assert_eq!(paper_004.choice_of(&["strong-mutation"]).unwrap().budget_seconds, 480);
        assert!(paper_004.choice_of(&["statement", "branch"]).is_none());
    }

    /// What every parameter is in every profile. No change of a default may change it.
    const PINNED: &str = include_str!("profiles.txt");

    #[test]
    fn every_parameter_of_every_profile_is_pinned() {
        let mut table = String::from("parameter");
        for row in PROFILES {
            table.extend([" ", row.name]);
        }
        for parameter in PARAMETERS {
            table.extend(["\n", parameter.name]);
            for row in PROFILES {
                table.extend([" ", &parameter.value(&(row.options)())]);
            }
        }
        for (row, pinned) in table.lines().zip(PINNED.lines()) {
            assert_eq!(
                row.split_whitespace().collect::<Vec<_>>(),
                pinned.split_whitespace().collect::<Vec<_>>()
            );
        }
        assert_eq!(table.lines().count(), PINNED.lines().count());
    }
}
