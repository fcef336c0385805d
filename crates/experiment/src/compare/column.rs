//! The columns that two sets of runs are compared in: one line each in [`COLUMNS`].

use crate::eval::raw::Row;

/// A figure of a run.
pub(super) struct Column {
    pub(super) name: &'static str,
    /// Which values are better; `None` where neither is.
    pub(super) better: Option<Better>,
    /// Whether a run without a file counts 0: it covered nothing. Elsewhere it is left out.
    pub(super) is_zero_without_file: bool,
    /// The figure of a run, `None` where it is not known.
    pub(super) of: fn(&Row) -> Option<f64>,
}

/// Which values are better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Better {
    More,
    Less,
}

/// All columns, in the order of the table.
pub(super) const COLUMNS: &[Column] = &[
    share("branch coverage, %", |row| Some(100.0 * row.coverage("branch")?)),
    share("line coverage, %", |row| Some(100.0 * row.coverage("line")?)),
    share("mutation score, %", |row| Some(100.0 * row.number("judge_mutation_score")?)),
    count("tests", None, |row| row.number("tests")),
    // Fewer are better only where they cover as much.
    count("statements", None, |row| row.number("statements")),
    count("executions per second", Some(Better::More), |row| row.number("executions_per_second")),
    count("seconds to first test", Some(Better::Less), |row| row.number("first_covered")),
    count("failing or flaky tests", Some(Better::Less), unstable),
    count("runs without a file, %", Some(Better::Less), |row| {
        Some(if row.get("file_hash").is_some() { 0.0 } else { 100.0 })
    }),
];

const fn share(name: &'static str, of: fn(&Row) -> Option<f64>) -> Column {
    Column { name, better: Some(Better::More), is_zero_without_file: true, of }
}

const fn count(name: &'static str, better: Option<Better>, of: fn(&Row) -> Option<f64>) -> Column {
    Column { name, better, is_zero_without_file: false, of }
}

/// Tests that the outside judge saw fail, at once, in some run, or in some order.
fn unstable(row: &Row) -> Option<f64> {
    let known = ["judge_failing", "judge_flaky", "judge_order_dependent"].map(|column| row.number(column));
    known.iter().any(Option::is_some).then(|| known.iter().flatten().sum())
}
