//! The table of formats.

use crate::formats::{cobertura, html, lcov, markdown, sarif};
use crate::model::ProjectReport;

/// A format of reports.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Its name.
    pub name: &'static str,
    /// What it is for, in half a sentence.
    pub summary: &'static str,
    /// Name of the file that is written unless another is asked for.
    pub file: &'static str,
    /// Whether it says something wrong where covered goals are not known one by one.
    pub needs_all_goals: bool,
    /// The text of a report. The same report gives the same bytes.
    pub render: fn(&ProjectReport, &Choice) -> String,
}

/// What a report shows, where a format leaves that open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Criteria whose open goals are annotated in reviews.
    pub annotated: Vec<String>,
}

impl Default for Choice {
    /// Branches: what reviewers look at; all other open goals of a line would bury them.
    fn default() -> Self {
        Self { annotated: vec!["branch".to_owned()] }
    }
}

/// All formats, the first of which is the default.
pub const FORMATS: &[Format] =
    &[html::FORMAT, markdown::FORMAT, sarif::FORMAT, cobertura::FORMAT, lcov::FORMAT];

/// The format of a name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}
