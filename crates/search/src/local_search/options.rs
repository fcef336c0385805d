//! Options of local search, with the source of each default.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use super::LOCAL_SEARCHES;
use super::test_search::TEST_SEARCHES;

/// Options of local search. The defaults are ours; [`LocalSearchOptions::paper`] are those of
/// the implementation that the papers build on.
///
/// "000" is Fraser, Arcuri and `McMinn` 2015, "A Memetic Algorithm for Whole Test Suite Generation".
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "options that have nothing to do with each other")]
pub struct LocalSearchOptions {
    /// Generations from one application to the next; 0: there is none, unless local search is a part of the algorithm. Default 1
    /// (000 §4.3, `rate`): probabilities and what it may do in vain say when it is worth it.
    pub rate: u64,
    /// Probability of an application in such a generation, at first, 0 to 1 (000 §4.3, `p`). Default 0.5 (ours).
    pub probability: f64,
    /// By what the probability is multiplied after an application that helped, and divided after one that did not, at least 1
    /// (000 §4.3, `a`). Default 2 (ours).
    pub adaptation: f64,
    /// What the probability does not fall below, 0 to 1: where it is 0, ten failures end local search for good. Default 0.02
    /// (ours; 0 in 000).
    pub least_probability: f64,
    /// By what the probability of each operator and test search is multiplied after a test that it improved, and divided after
    /// one that it did not, at least 1; it is 1 at first. Default 1.5 (ours; 1 in 000, which knows no such probability).
    pub operator_adaptation: f64,
    /// What the probability of an operator or test search does not fall below, 0 to 1: one that helped nowhere so far must be
    /// able to help elsewhere. Default 0.1 (ours).
    pub least_operator_probability: f64,
    /// What one application may use.
    pub budget: LocalBudget,
    /// Part of the budget of the search that one application may use at most, 0 to 1. Default 0.1 (ours; 1 in 000).
    pub largest_share: f64,
    /// What applications may use that cover nothing, in executions or in time as the budget is, as a share of what the search uses, 0
    /// to 1; operators and test searches each. Default 0.02 (ours; 1 in 000).
    pub most_in_vain: f64,
    /// The same, as a share of what is used while nobody covers anything: the last tenth of the search up to now. Nothing where it is
    /// less than the other. Default 0.1 (ours; 1 in 000).
    pub most_in_standstill: f64,
    /// The operators and test searches that are on. Default: all.
    pub operators: Operators,
    /// Random mutations of a string that say whether it matters at all. Default 10 (000 §4.1.2, n).
    pub probes: u32,
    /// Mutations of a call in a row without improvement after which it is left alone. Default 10 (000 §4.1.4, R).
    pub patience: u32,
    /// Whether in suites only those statements are improved that the last mutation changed, where that changed the fitness;
    /// they are not expanded then. It says nothing to algorithms whose individuals are test cases: their nearest tests descend
    /// from many. Default false (000 §4.3 has it as an option, off in the best configurations of Table 7).
    pub selective: bool,
    /// Whether each use of a value gets a value of its own before. Default true (000 §4.2.1).
    pub expansion: bool,
    /// Whether suites have predicates executed twice that they execute once, so that their distance counts. Default true (000
    /// §4.2.2).
    pub double_execution: bool,
    /// Whether suites take back tests for goals that they have lost. Default true (000 §4.2.3).
    pub restoring: bool,
    /// Whether operators do what is not in the paper. Default true (ours; off in 000).
    pub extended: bool,
}

/// What one application of local search may use (000 §4.3): the five kinds of a nested budget.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LocalBudget {
    /// Evaluations of fitness.
    Evaluations(u64),
    /// Executions of tests.
    Executions(u64),
    /// Executed statements of tests.
    Statements(u64),
    /// Individuals that are improved.
    Individuals(u64),
    /// Time.
    Time(Duration),
}

impl Default for Operators {
    fn default() -> Self {
        Self::all()
    }
}

/// A set of operators and test searches, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operators(BTreeSet<&'static str>);

impl Operators {
    /// All that there are.
    pub fn all() -> Self {
        Self(Self::names().collect())
    }

    /// The names of all operators, then of all test searches.
    pub fn names() -> impl Iterator<Item = &'static str> {
        LOCAL_SEARCHES.iter().map(|operator| operator.name()).chain(TEST_SEARCHES.iter().copied())
    }

    /// Those that a text names: `all`, `none`, or names separated by commas; `None` if there is no operator of one of them.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "all" => Some(Self::all()),
            "none" => Some(Self(BTreeSet::new())),
            _ => {
                let known = |name: &str| Self::names().find(|known| *known == name);
                text.split(',').map(known).collect::<Option<_>>().map(Self)
            }
        }
    }

    /// Whether an operator is among them.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

impl fmt::Display for Operators {
    /// As [`Operators::parse`] reads it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::all() {
            return formatter.write_str("all");
        }
        let names: Vec<&str> = self.0.iter().copied().collect();
        formatter.write_str(if names.is_empty() { "none" } else { "" })?;
        formatter.write_str(&names.join(","))
    }
}

impl LocalBudget {
    /// The budget that a text says, such as `1000executions`, `5s` or `200ms`; `None` if it says none.
    pub fn parse(text: &str) -> Option<Self> {
        let (number, unit) = text.split_at(text.find(|character: char| !character.is_ascii_digit())?);
        let number: u64 = number.parse().ok()?;
        Some(match unit {
            "evaluations" => Self::Evaluations(number),
            "executions" => Self::Executions(number),
            "statements" => Self::Statements(number),
            "individuals" => Self::Individuals(number),
            "s" => Self::Time(Duration::from_secs(number)),
            "ms" => Self::Time(Duration::from_millis(number)),
            _ => return None,
        })
    }
}

impl fmt::Display for LocalBudget {
    /// As [`LocalBudget::parse`] reads it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Evaluations(number) => write!(formatter, "{number}evaluations"),
            Self::Executions(number) => write!(formatter, "{number}executions"),
            Self::Statements(number) => write!(formatter, "{number}statements"),
            Self::Individuals(number) => write!(formatter, "{number}individuals"),
            Self::Time(time) => write!(formatter, "{}ms", time.as_millis()),
        }
    }
}

impl Default for LocalSearchOptions {
    fn default() -> Self {
        Self {
            rate: 1,
            probability: 0.5,
            adaptation: 2.0,
            least_probability: 0.02,
            operator_adaptation: 1.5,
            least_operator_probability: 0.1,
            budget: LocalBudget::Executions(1_000),
            largest_share: 0.1,
            most_in_vain: 0.02,
            most_in_standstill: 0.1,
            operators: Operators::all(),
            probes: 10,
            patience: 10,
            selective: false,
            expansion: true,
            double_execution: true,
            restoring: true,
            extended: true,
        }
    }
}

impl LocalSearchOptions {
    /// No local search but where it is a part of the algorithm; everything as the implementation of the papers has it.
    pub fn paper() -> Self {
        Self {
            rate: 0,
            probability: 1.0,
            adaptation: 2.0,
            least_probability: 0.0,
            operator_adaptation: 1.0,
            least_operator_probability: 0.0,
            budget: LocalBudget::Time(Duration::from_secs(5)),
            largest_share: 1.0,
            most_in_vain: 1.0,
            most_in_standstill: 1.0,
            operators: Operators::all(),
            probes: 10,
            patience: 10,
            selective: false,
            expansion: true,
            double_execution: true,
            restoring: true,
            extended: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_and_operators_are_read_as_they_are_printed() {
        for text in ["7evaluations", "1000executions", "9statements", "3individuals", "200ms"] {
            assert_eq!(LocalBudget::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(LocalBudget::parse("5s"), Some(LocalBudget::Time(Duration::from_secs(5))));
        for text in ["", "5", "s", "5 s", "5hours", "-1s"] {
            assert_eq!(LocalBudget::parse(text), None, "{text}");
        }
        for text in ["all", "none", "arrays,strings", "integers,symbolic-execution"] {
            assert_eq!(Operators::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Operators::parse("strings,magic"), None);
    }
}
