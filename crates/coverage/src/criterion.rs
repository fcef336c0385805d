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
}
