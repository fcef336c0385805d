//! `open-goals.csv`: a row per open goal of each measurement, and the table of the most frequent reasons.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::eval::raw::plain;
use crate::eval::trial::Trial;

/// Columns; those behind the seed are fields of an open goal in covolve's report.
const COLUMNS: [&str; 12] = [
    "subject",
    "budget",
    "seed",
    "criterion",
    "reason",
    "cause",
    "class",
    "method",
    "line",
    "goal",
    "detail",
    "behind",
];

/// Rows of the table.
const MOST_ROWS: usize = 30;

/// Classes that a row names.
const MOST_CLASSES: usize = 3;

/// An open goal of a measurement: a cell per column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenGoal([String; COLUMNS.len()]);

impl OpenGoal {
    fn get(&self, column: &str) -> &str {
        let index = COLUMNS.iter().position(|name| *name == column);
        index.and_then(|index| self.0.get(index)).map_or("", String::as_str)
    }
}

/// The file, with its rows in memory.
#[derive(Debug)]
pub struct OpenGoals {
    path: PathBuf,
    rows: Vec<OpenGoal>,
}

impl OpenGoals {
    /// Opens a file, or begins a new one.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let mut rows = Vec::new();
        if path.exists() {
            let mut reader = csv::Reader::from_path(path)?;
            if reader.headers()? != COLUMNS.as_slice() {
                bail!("{} has other columns; begin a new run", path.display());
            }
            for row in reader.deserialize() {
                rows.push(OpenGoal(row.with_context(|| path.display().to_string())?));
            }
        } else {
            let mut writer = csv::Writer::from_path(path)
                .with_context(|| format!("{} cannot be written", path.display()))?;
            writer.write_record(COLUMNS)?;
            writer.flush()?;
        }
        Ok(Self { path: path.to_owned(), rows })
    }

    /// One row per goal.
    pub fn rows(&self) -> &[OpenGoal] {
        &self.rows
    }

    /// Adds the open goals of a report.
    pub(super) fn add(&mut self, trial: &Trial<'_>, report: &Value) -> anyhow::Result<()> {
        let mut writer = csv::Writer::from_writer(OpenOptions::new().append(true).open(&self.path)?);
        for goal in report["open_goals"].as_array().into_iter().flatten() {
            let cells = COLUMNS.map(|column| match column {
                "subject" => trial.subject.class.clone(),
                "budget" => trial.budget.to_owned(),
                "seed" => trial.seed.to_string(),
                field => plain(&goal[field]),
            });
            writer.write_record(&cells)?;
            self.rows.push(OpenGoal(cells));
        }
        writer.flush()?;
        Ok(())
    }
}

/// What goals are open for one reason and cause.
#[derive(Debug, Default)]
struct Group<'a> {
    goals: usize,
    behind: usize,
    /// Goals by subject.
    subjects: BTreeMap<&'a str, usize>,
    /// Goals by the sentence that gives the reason.
    details: BTreeMap<&'a str, usize>,
}

/// A table in Markdown of the most frequent reasons, over all budgets and seeds.
pub fn table(rows: &[OpenGoal]) -> String {
    let mut groups: BTreeMap<(&str, &str), Group<'_>> = BTreeMap::new();
    for row in rows {
        let group = groups.entry((row.get("reason"), row.get("cause"))).or_default();
        group.goals += 1;
        group.behind += usize::from(!row.get("behind").is_empty());
        *group.subjects.entry(row.get("subject")).or_default() += 1;
        *group.details.entry(row.get("detail")).or_default() += 1;
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|((_, cause), group)| (std::cmp::Reverse(group.goals), *cause));
    let head = "| goals | of them behind another | classes | reason | cause | most of all in | for example |\n\
                | --- | --- | --- | --- | --- | --- | --- |";
    let lines = groups.iter().take(MOST_ROWS).map(|((reason, cause), group)| {
        let subjects = most(&group.subjects).take(MOST_CLASSES).map(|(class, goals)| {
            let simple = class.rsplit('.').next().unwrap_or(class);
            format!("`{simple}` ({goals})")
        });
        let example = most(&group.details).next().map_or("", |(detail, _)| detail).replace('|', "\\|");
        format!(
            "| {} | {} | {} | {} | {cause} | {} | {example} |",
            group.goals,
            group.behind,
            group.subjects.len(),
            reason.replace('_', " "),
            subjects.collect::<Vec<_>>().join(", "),
        )
    });
    std::iter::once(head.to_owned()).chain(lines).collect::<Vec<_>>().join("\n")
}

/// The most frequent first, then by name.
fn most<'a>(counts: &BTreeMap<&'a str, usize>) -> impl Iterator<Item = (&'a str, usize)> {
    let mut counts: Vec<(&str, usize)> = counts.iter().map(|(name, count)| (*name, *count)).collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.into_iter()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::subject::Subject;

    fn goal(reason: &str, cause: &str, detail: &str, behind: Option<&str>) -> Value {
        json!({
            "goal": "line 3, of a.B.f(int, int)", "criterion": "line", "class": "a.B", "method": "f(II)V", "line": 3,
            "reason": reason, "cause": cause, "detail": detail, "behind": behind,
        })
    }

    #[test]
    fn reasons_are_counted_over_all_rows_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("open-goals.csv");
        for (class, goals) in [
            ("a.B", vec![goal("no_value", "switch", "x", None), goal("budget", "rarely reached", "y", None)]),
            (
                "a.C",
                vec![
                    goal("no_value", "switch", "z, or \"z\"", Some("q")),
                    goal("no_value", "switch", "x", None),
                ],
            ),
        ] {
            let subject = Subject { project: "p".into(), coordinates: "g:a:1".into(), class: class.into() };
            let trial = Trial { subject: &subject, budget: "10s", seed: 0, algorithm: None };
            OpenGoals::open(&path).unwrap().add(&trial, &json!({ "open_goals": goals })).unwrap();
        }
        let goals = OpenGoals::open(&path).unwrap();
        let text = table(goals.rows());
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "| 3 | 1 | 2 | no value | switch | `C` (2), `B` (1) | x |",
                "| 1 | 0 | 1 | budget | rarely reached | `B` (1) | y |",
            ]
        );
    }
}
