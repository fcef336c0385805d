//! `cargo xtask never-covered`: keeps the list of branches that no run has ever covered, `eval/never-covered.csv`. All
//! others can be covered, so that the list says how far a run is from what is possible.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::Parser;
use experiment::console::{parse, say};
use experiment::repository::root;
use serde::{Deserialize, Serialize};

/// Keep the list of branches that no run has ever covered.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask never-covered")]
struct Options {
    /// Folder with reports (`covolve generate --report`), however deep. Repeatable.
    #[arg(long = "reports", required = true)]
    reports: Vec<PathBuf>,

    /// The list.
    #[arg(long, default_value = "eval/never-covered.csv")]
    list: PathBuf,
}

/// A row of the list. A class that has no such branch has one row without.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Row {
    class: String,
    /// Goals of the criterion `branch` that the class has.
    branches: usize,
    /// A goal that was never covered, by the id of reports.
    never_covered: String,
}

/// What is read of a goal of a report.
#[derive(Debug, Deserialize)]
struct Goal {
    #[serde(rename = "TARGET_CLASS")]
    class: String,
    criterion: String,
    id: String,
    status: String,
}

/// The branches of a class.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Branches {
    all: BTreeSet<String>,
    covered: BTreeSet<String>,
}

pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let (mut classes, mut reports) = (BTreeMap::new(), 0);
    for folder in &options.reports {
        for path in reports_in(folder)? {
            let file = File::open(&path).with_context(|| format!("{} cannot be read", path.display()))?;
            add(&mut classes, file).with_context(|| format!("{} is no report of goals", path.display()))?;
            reports += 1;
        }
    }
    ensure!(reports > 0, "no goals.csv lies in these folders");
    let path = root().join(&options.list);
    let before = match File::open(&path) {
        Ok(file) => read(file)?,
        Err(_) => Vec::new(),
    };
    let rows = merge(before, &classes);
    write(&rows, File::create(&path).with_context(|| format!("{} cannot be written", path.display()))?)?;
    say(&format!("{reports} reports: {}", summary(&rows)));
    Ok(())
}

fn reports_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(reports_in(&path)?);
        } else if path.file_name().is_some_and(|name| name == "goals.csv") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Adds what a run covered.
fn add(classes: &mut BTreeMap<String, Branches>, report: impl Read) -> anyhow::Result<()> {
    for goal in csv::Reader::from_reader(report).deserialize() {
        let Goal { class, criterion, id, status } = goal?;
        if criterion == "branch" {
            let branches = classes.entry(class).or_default();
            if status == "covered" {
                branches.covered.insert(id.clone());
            }
            branches.all.insert(id);
        }
    }
    Ok(())
}

fn read(list: impl Read) -> anyhow::Result<Vec<Row>> {
    Ok(csv::Reader::from_reader(list).deserialize().collect::<Result<_, _>>()?)
}

fn write(rows: &[Row], to: impl Write) -> anyhow::Result<()> {
    let mut writer = csv::Writer::from_writer(to);
    rows.iter().try_for_each(|row| writer.serialize(row))?;
    Ok(writer.flush()?)
}

/// The list after these runs. What the list has of a class counts only while the class has as many branches as then.
fn merge(before: Vec<Row>, classes: &BTreeMap<String, Branches>) -> Vec<Row> {
    let mut lists: BTreeMap<String, (usize, BTreeSet<String>)> = BTreeMap::new();
    for Row { class, branches, never_covered } in before {
        let list = lists.entry(class).or_insert((branches, BTreeSet::new()));
        list.1.insert(never_covered);
    }
    for (class, Branches { all, covered }) in classes {
        let open = all.difference(covered).cloned();
        let never = match lists.get(class) {
            Some((branches, never)) if *branches == all.len() => {
                open.filter(|id| never.contains(id)).collect()
            }
            _ => open.collect(),
        };
        lists.insert(class.clone(), (all.len(), never));
    }
    let rows = lists.into_iter().flat_map(|(class, (branches, mut never))| {
        if never.is_empty() {
            never.insert(String::new());
        }
        never.into_iter().map(move |never_covered| Row { class: class.clone(), branches, never_covered })
    });
    rows.collect()
}

fn summary(rows: &[Row]) -> String {
    let shares: Vec<f64> = rows
        .chunk_by(|one, other| one.class == other.class)
        .filter_map(|rows| {
            let never = rows.iter().filter(|row| !row.never_covered.is_empty()).count();
            let branches = rows.first()?.branches.max(1);
            Some(1.0 - never as f64 / branches as f64)
        })
        .collect();
    let mean = 100.0 * shares.iter().sum::<f64>() / shares.len().max(1) as f64;
    let never = rows.iter().filter(|row| !row.never_covered.is_empty()).count();
    format!("{} classes, {never} branches never covered, {mean:.2} % ever covered in the mean", shares.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(reports: &[&str]) -> BTreeMap<String, Branches> {
        let mut classes = BTreeMap::new();
        for report in reports {
            add(&mut classes, format!("TARGET_CLASS,criterion,id,status\n{report}\n").as_bytes()).unwrap();
        }
        classes
    }

    #[track_caller]
    fn check(before: &[(&str, usize, &str)], reports: &[&str], expect: &[(&str, usize, &str)]) -> Vec<Row> {
        let rows = |rows: &[(&str, usize, &str)]| -> Vec<Row> {
            let row = |&(class, branches, never): &(&str, usize, &str)| Row {
                class: class.to_owned(),
                branches,
                never_covered: never.to_owned(),
            };
            rows.iter().map(row).collect()
        };
        let found = merge(rows(before), &classes(reports));
        assert_eq!(found, rows(expect));
        found
    }

    #[test]
    fn what_any_run_covered_is_not_on_the_list() {
        let runs = [
            "A,branch,1,covered\nA,branch,2,open\nA,branch,3,open\nA,line,4,open",
            "A,branch,1,open\nA,branch,2,covered\nA,branch,3,open\nB,branch,1,covered",
        ];
        let rows = check(&[], &runs, &[("A", 3, "3"), ("B", 1, "")]);
        assert_eq!(summary(&rows), "2 classes, 1 branches never covered, 83.33 % ever covered in the mean");
    }

    #[test]
    fn the_list_only_gets_shorter_while_a_class_stays_what_it_is() {
        let before = [("A", 3, "2"), ("A", 3, "3"), ("C", 5, "")];
        let run = ["A,branch,1,open\nA,branch,2,covered\nA,branch,3,open"];
        check(&before, &run, &[("A", 3, "3"), ("C", 5, "")]);
        let changed = ["A,branch,1,open\nA,branch,2,covered"];
        check(&before, &changed, &[("A", 2, "1"), ("C", 5, "")]);
    }

    #[test]
    fn the_list_is_read_as_it_was_written() {
        let rows = check(&[], &["A,branch,\"a, b\",open"], &[("A", 1, "a, b")]);
        let mut text = Vec::new();
        write(&rows, &mut text).unwrap();
        assert_eq!(read(text.as_slice()).unwrap(), rows);
    }
}
