//! Coverage criteria: the trait, and the table of those that there are.

use std::sync::Arc;

use bytecode::analysis::AnalysisOptions;
use bytecode::probe_map::{Evidence, MethodProbes, ProbeMap};
use bytecode::values::{ValueOf, ValueOptions};
use thiserror::Error;

use crate::criteria::{
    branch, direct_branch, exception, input, line, method, method_no_exception, method_trace, output,
    statement, strong_mutation, weak_mutation,
};
use crate::goal::{Goal, GoalKind, GoalSet};

/// Derives goals from code. What a goal needs for its fitness is data in the [`Goal`].
pub trait Criterion: std::fmt::Debug + Sync {
    /// The name by which users ask for it, in lower case.
    fn name(&self) -> &'static str;

    /// What it asks of a suite, in one line, for the help text.
    fn summary(&self) -> &'static str;

    /// What it needs to know of code beside branches and lines.
    fn needs(&self) -> AnalysisOptions {
        AnalysisOptions::default()
    }

    /// What its goals are and when a run covers one, in two or three sentences; what differs from its source.
    fn definition(&self) -> &'static str;

    /// Where it is defined: authors, year, section.
    fn source(&self) -> &'static str;

    /// With which criteria its coverage is correlated.
    fn correlation(&self) -> Correlation;

    /// Whether it guides nobody on its own, so that it is combined with branch coverage: nothing leads its goals from one
    /// part of the code to the next (Zhou et al. 2023, section 4.1).
    fn is_open_ended(&self) -> bool;

    /// Its column in tables of statistics, where the field has a name for it that is not its own with `Coverage`.
    fn column(&self) -> String {
        let words = self.name().split('-').map(|word| {
            let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
            first.to_uppercase() + rest
        });
        words.chain(["Coverage".to_owned()]).collect()
    }

    /// Whether it is asked for where the user names none.
    fn is_default(&self) -> bool {
        false
    }

    /// Whether its goals appear while tests run, rather than from code alone.
    fn appears_in_runs(&self) -> bool {
        false
    }

    /// Of which values of calls it needs the classes ([`bytecode::probe_map::MethodProbes::values`]).
    fn values(&self) -> ValueOptions {
        ValueOptions::default()
    }

    /// Adds the goals of a method whose code counts ([`MethodProbes::is_goal`]), in code order.
    fn goals(&self, method: &MethodWithGoals<'_>, goals: &mut Vec<Goal>);
}

/// A group of criteria whose coverage is correlated (Zhou et al. 2023, section 3.1).
///
/// # Differences
/// The paper has the first two of the first group beside line and weak mutation coverage, and the first two of the second
/// group. Statement coverage joins line coverage, method coverage in any way that by the test itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// What is executed of the code: the first group.
    Code,
    /// Which methods are called: the second group.
    Calls,
}

/// Which criteria guide where one of them does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Correlation {
    /// With those of its group.
    Group {
        /// The group.
        group: Group,
        /// From 1 for the best representative of the group (Zhou et al. 2023, section 3.2); no two of a group have the
        /// same.
        rank: u8,
    },
    /// With none: it is a group of its own.
    Alone,
}

impl Correlation {
    /// Whether a criterion with this correlation stands for one with the other, where both are asked for.
    pub(crate) fn represents(self, other: Self) -> bool {
        match (self, other) {
            (Self::Group { group, rank }, Self::Group { group: others, rank: behind }) => {
                group == others && rank < behind
            }
            (Self::Alone, _) | (_, Self::Alone) => false,
        }
    }
}

/// All criteria, in the order in which their goals are numbered.
pub const CRITERIA: &[&dyn Criterion] = &[
    &branch::Branch,
    &direct_branch::DirectBranch,
    &line::Line,
    &statement::Statement,
    &method::Method,
    &method_no_exception::MethodNoException,
    &method_trace::MethodTrace,
    &output::Output,
    &input::Input,
    &exception::Exception,
    &weak_mutation::WeakMutation,
    &strong_mutation::StrongMutation,
];

/// Names of the criteria that are asked for where the user names none, in the order of [`CRITERIA`].
pub fn default_criteria() -> Vec<&'static str> {
    CRITERIA.iter().filter(|criterion| criterion.is_default()).map(|criterion| criterion.name()).collect()
}

/// Asked for something that is not there.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CoverageError {
    /// No criterion of this name.
    #[error("there is no criterion \"{name}\"; choose from {known}")]
    UnknownCriterion {
        /// What was asked for.
        name: String,
        /// All names, separated by commas.
        known: String,
    },
}

/// A criterion by name.
pub fn criterion(name: &str) -> Result<&'static dyn Criterion, CoverageError> {
    CRITERIA.iter().copied().find(|criterion| criterion.name() == name).ok_or_else(|| {
        CoverageError::UnknownCriterion {
            name: name.to_owned(),
            known: CRITERIA.iter().map(|criterion| criterion.name()).collect::<Vec<_>>().join(", "),
        }
    })
}

/// What the criteria named need to know of code, for [`bytecode::analysis::analyze`].
///
/// # Errors
/// A name is not known.
pub fn needs(names: &[impl AsRef<str>]) -> Result<AnalysisOptions, CoverageError> {
    let needs = |name: &str| criterion(name).map(Criterion::needs);
    names.iter().try_fold(AnalysisOptions::default(), |all, name| Ok(all.union(needs(name.as_ref())?)))
}

/// Of which values of calls the criteria named need the classes.
///
/// # Errors
/// A name is not known.
pub fn observed_values(names: &[impl AsRef<str>]) -> Result<ValueOptions, CoverageError> {
    names.iter().try_fold(ValueOptions::default(), |options, name| {
        Ok(options.union(criterion(name.as_ref())?.values()))
    })
}

/// The goals of classes for the criteria named: by criterion in the order of [`CRITERIA`], then in the order of the
/// maps, of their methods and of the code, whatever the order of the names. A name given twice counts once.
pub fn goals(names: &[impl AsRef<str>], maps: &[ProbeMap]) -> Result<GoalSet, CoverageError> {
    for name in names {
        criterion(name.as_ref())?;
    }
    let mut goals = Vec::new();
    for criterion in CRITERIA.iter().filter(|row| names.iter().any(|name| name.as_ref() == row.name())) {
        let name: Arc<str> = criterion.name().into();
        for map in maps {
            for probes in map.methods.iter().filter(|probes| probes.is_goal) {
                criterion.goals(&MethodWithGoals::new(&name, map, probes), &mut goals);
            }
        }
    }
    Ok(GoalSet::new(goals))
}

/// A method as a criterion sees it.
#[derive(Debug)]
pub struct MethodWithGoals<'a> {
    /// Its probes.
    pub probes: &'a MethodProbes,
    template: Goal,
}

impl<'a> MethodWithGoals<'a> {
    fn new(criterion: &Arc<str>, map: &ProbeMap, probes: &'a MethodProbes) -> Self {
        let template = Goal {
            criterion: criterion.clone(),
            class: map.class.clone(),
            hash: map.hash,
            method: format!("{}{}", probes.name, probes.descriptor).into(),
            kind: GoalKind::Entry,
            line: probes.first_line,
            entry: probes.entry,
            outcome: None,
            covered_by: Vec::new(),
            controlled_by: Vec::new(),
        };
        Self { probes, template }
    }

    /// A goal in this method: fields that its place fixes are set, its line is the first of the method, evidence and
    /// control dependence are empty.
    pub fn goal(&self, kind: GoalKind) -> Goal {
        Goal { kind, ..self.template.clone() }
    }

    /// Goals for the partitions of those of its values that are wanted. They are roots: which branches lead to a value
    /// is not known, and every call has one, so that its distance guides.
    pub fn add_value_goals(&self, wanted: impl Fn(ValueOf) -> bool, goals: &mut Vec<Goal>) {
        for value in self.probes.values.iter().filter(|value| wanted(value.of)) {
            for (partition, outcome) in value.outcomes() {
                let inspector = value.inspector.clone();
                goals.push(Goal {
                    outcome: Some(outcome),
                    covered_by: vec![Evidence::Taken(outcome)],
                    ..self.goal(GoalKind::Value { of: value.of, inspector, partition })
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{ProgramBuilder, names};

    fn check(criteria: &[&str], expect: &[&str]) {
        let mut program = ProgramBuilder::new("a/Foo");
        let mut method = program.method("bar");
        let outer = method.branch(&[]);
        method.branch(&[outer.0]);
        method.line(10, &[]).line(11, &[outer.0]);
        program.method("baz").line(20, &[]);
        program.method("hidden").generated().branch(&[]);
        assert_eq!(names(&goals(criteria, &program.build()).unwrap()), expect);
    }

    #[test]
    fn goals_come_in_the_order_of_the_table() {
        check(
            &["line", "branch", "line"],
            &[
                "branch a/Foo#bar()V@0:0",
                "branch a/Foo#bar()V@0:1",
                "branch a/Foo#bar()V@1:0",
                "branch a/Foo#bar()V@1:1",
                "branch a/Foo#baz()V@entry",
                "line a/Foo#bar()V@line10",
                "line a/Foo#bar()V@line11",
                "line a/Foo#baz()V@line20",
            ],
        );
        check(
            &["line"],
            &["line a/Foo#bar()V@line10", "line a/Foo#bar()V@line11", "line a/Foo#baz()V@line20"],
        );
        check(&[], &[]);
    }

    #[test]
    fn an_unknown_name_is_told_with_the_known_ones() {
        let error = goals(&["branch", "brnach"], &[]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no criterion \"brnach\"; choose from branch, direct-branch, line, statement, method, \
             method-no-exception, method-trace, output, input, exception, weak-mutation, \
             strong-mutation"
        );
    }

    #[test]
    fn the_rows_of_the_table_have_names_of_their_own() {
        for (index, row) in CRITERIA.iter().enumerate() {
            assert!(CRITERIA[..index].iter().all(|other| other.name() != row.name()));
            assert_eq!(criterion(row.name()).unwrap().name(), row.name());
            assert!(!row.summary().is_empty());
            for text in [row.definition(), row.source()] {
                assert!(text.ends_with('.') && !text.contains('\n'), "{}: {text}", row.name());
            }
            assert!(!row.summary().contains('\n'), "{}", row.name());
        }
    }

    #[test]
    fn columns_have_the_names_of_the_field() {
        let columns: Vec<String> = CRITERIA.iter().map(|row| row.column()).collect();
        assert_eq!(
            columns,
            [
                "BranchCoverage",
                "CBranchCoverage",
                "LineCoverage",
                "StatementCoverage",
                "MethodCoverage",
                "MethodNoExceptionCoverage",
                "MethodTraceCoverage",
                "OutputCoverage",
                "InputCoverage",
                "ExceptionCoverage",
                "WeakMutationScore",
                "MutationScore",
            ]
        );
    }

    #[test]
    fn the_criteria_of_the_paper_make_its_groups_from_the_best_representative_on() {
        // Section 3.2, output: (1) BC, DBC, LC and WM; (2) TMC and NTMC; (3) EC; (4) OC. Section 3.3: DBC, NTMC, EC and OC
        // stand for them. The others are ours.
        let check = |wanted: Group, expect: &[&str]| {
            let mut found: Vec<(u8, &str)> = Vec::new();
            for row in CRITERIA {
                if let Correlation::Group { group, rank } = row.correlation()
                    && group == wanted
                {
                    found.push((rank, row.name()));
                }
            }
            found.sort_unstable();
            let ranks: Vec<u8> = found.iter().map(|(rank, _)| *rank).collect();
            assert_eq!(ranks, (1..=found.len() as u8).collect::<Vec<_>>(), "{wanted:?}");
            let names: Vec<&str> = found.iter().map(|(_, name)| *name).collect();
            assert_eq!(names, expect, "{wanted:?}");
        };
        check(Group::Code, &["direct-branch", "branch", "weak-mutation", "line", "statement"]);
        check(Group::Calls, &["method-no-exception", "method", "method-trace"]);
        let names = |is_one: fn(&dyn Criterion) -> bool| {
            CRITERIA.iter().filter(|row| is_one(**row)).map(|row| row.name()).collect::<Vec<_>>()
        };
        let alone = names(|row| row.correlation() == Correlation::Alone);
        assert_eq!(alone, ["output", "input", "exception", "strong-mutation"]);
        assert_eq!(names(|row| row.is_open_ended()), ["output", "input", "exception"]);
    }
}
