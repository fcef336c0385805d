//! `cargo xtask judge-replay`: the JVM as the judge of the interpreter that replays runs.
//!
//! For each class of a list, random tests are run and recorded, and replayed with symbolic values beside the concrete ones. What the
//! replay computes must be what the JVM computed, bit for bit, wherever the recording says so: values that calls returned, values
//! that were read, what branches decided on, where exceptions went. Every condition must hold for the inputs of its run.

mod worker;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use clap::Parser;
use experiment::console::{parse, say};
use experiment::maven;
use experiment::options::OptionalSubjects;
use experiment::repository::root;
use experiment::subject::Subject;
use serde::{Deserialize, Serialize};

use crate::random_tests::{Choice, RandomTestOptions};
use crate::started::in_a_process;

/// Record runs of random tests, replay them, and compare.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask judge-replay")]
struct Options {
    #[command(flatten)]
    list: OptionalSubjects,
    #[command(flatten)]
    random: RandomTestOptions,
}

/// What the process with the JVM is to do.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Job {
    /// Class under test, binary name.
    class: String,
    class_path: Vec<PathBuf>,
    java_home: PathBuf,
    choice: Choice,
    /// Where it writes.
    folder: PathBuf,
}

/// What came of the replays of a class.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Row {
    class: String,
    /// Tests that were recorded.
    tests: u64,
    /// Of these, those that were replayed to their end.
    completed: u64,
    /// Those whose replay stopped, as it has to where something is not modelled.
    stopped: u64,
    /// Those whose replay did something else than the JVM.
    diverged: u64,
    /// Tests without a recording, or with one that had no room for all.
    unrecorded: u64,
    /// Conditions.
    conditions: u64,
    /// Conditions that do not hold for the inputs of their run.
    wrong_conditions: u64,
    /// Events of the recordings.
    events: u64,
    /// Instructions that were interpreted.
    steps: u64,
    /// Microseconds that the same tests took without a recording, with one, and to replay.
    plain_us: u64,
    recorded_us: u64,
    replayed_us: u64,
    /// Why it failed as a whole; empty where it did not.
    error: String,
    /// Why replays stopped or diverged, and in how many tests.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    reasons: BTreeMap<String, u64>,
    /// Calls of methods that are not modelled with values that depend on inputs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    unmodelled: BTreeMap<String, u64>,
}

/// Runs the judge.
///
/// # Errors
/// Whatever keeps it from judging, and a replay that diverged.
pub fn run(words: &[String]) -> Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    if let Some(job) = &options.random.worker {
        return worker::run(&serde_json::from_str(job)?);
    }
    let subjects = options.list.read()?;
    ensure!(!subjects.is_empty(), "no subject is left; give --subjects and check --only");
    let home = options.random.setup.jdk.home()?;
    let work = options.random.setup.folder("replay");
    let mut rows = Vec::new();
    for subject in &subjects {
        let row = judge(subject, &options, &home, &work)
            .unwrap_or_else(|error| Row { error: format!("{error:#}"), ..Row::of(&subject.class) });
        say(&row.brief());
        rows.push(row);
        if let Some(out) = &options.random.out {
            write(&root().join(out), &rows, words, &home)?;
        }
    }
    let sum = |of: fn(&Row) -> u64| rows.iter().map(of).sum::<u64>();
    let (diverged, wrong) = (sum(|row| row.diverged), sum(|row| row.wrong_conditions));
    say(&summary(&rows));
    if diverged + wrong > 0 {
        bail!("{diverged} replays diverged, {wrong} conditions do not hold");
    }
    Ok(())
}

fn judge(subject: &Subject, options: &Options, home: &Path, work: &Path) -> Result<Row> {
    let folder = work.join(&subject.class);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let job = Job {
        class: subject.class.clone(),
        class_path: maven::resolve(&subject.coordinates)?,
        java_home: home.to_owned(),
        choice: options.random.choice(300, 5_000),
        folder,
    };
    in_a_process("judge-replay", &job, &job.folder.join("row.json"))
}

impl Row {
    fn of(class: &str) -> Self {
        Self { class: class.to_owned(), ..Self::default() }
    }

    fn brief(&self) -> String {
        if !self.error.is_empty() {
            return format!("{}: {}", self.class, self.error);
        }
        format!(
            "{}: {} tests, {} replayed to the end, {} stopped, {} diverged, {} without a recording; {} conditions, {} of them \
             wrong; {} us plain, {} recorded, {} replayed",
            self.class,
            self.tests,
            self.completed,
            self.stopped,
            self.diverged,
            self.unrecorded,
            self.conditions,
            self.wrong_conditions,
            self.plain_us,
            self.recorded_us,
            self.replayed_us
        )
    }
}

fn summary(rows: &[Row]) -> String {
    let sum = |of: fn(&Row) -> u64| rows.iter().map(of).sum::<u64>();
    format!(
        "{} classes, {} tests, {} replayed to the end, {} stopped, {} diverged, {} without a recording, {} conditions, {} of them \
         wrong",
        rows.len(),
        sum(|row| row.tests),
        sum(|row| row.completed),
        sum(|row| row.stopped),
        sum(|row| row.diverged),
        sum(|row| row.unrecorded),
        sum(|row| row.conditions),
        sum(|row| row.wrong_conditions)
    )
}

/// Methods that are not modelled, with calls and in how many classes, those with most calls first.
fn unmodelled(rows: &[Row]) -> String {
    let mut methods: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for (method, calls) in rows.iter().flat_map(|row| &row.unmodelled) {
        let (all, classes) = methods.entry(method).or_default();
        (*all, *classes) = (*all + calls, *classes + 1);
    }
    let mut methods: Vec<_> = methods.into_iter().collect();
    methods.sort_by_key(|&(_, counts)| std::cmp::Reverse(counts));
    let mut text = String::new();
    text.extend(methods.iter().flat_map(|(method, (calls, classes))| {
        [
            calls.to_string(),
            "\t".to_owned(),
            classes.to_string(),
            "\t".to_owned(),
            (*method).to_owned(),
            "\n".to_owned(),
        ]
    }));
    text
}

fn write(folder: &Path, rows: &[Row], words: &[String], home: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let heading =
        experiment::runs::heading("The judge of replays", "judge-replay", words, &home.join("bin/java"))?;
    fs::write(folder.join("README.md"), format!("{heading}\n{}\n", summary(rows)))?;
    let mut table = csv::Writer::from_path(folder.join("raw.csv"))?;
    let mut reasons = String::new();
    for row in rows {
        let lines = row.reasons.iter().map(|(reason, tests)| format!("{tests}\t{}\t{reason}\n", row.class));
        reasons.extend(lines);
        table.serialize(Row { reasons: BTreeMap::new(), unmodelled: BTreeMap::new(), ..row.clone() })?;
    }
    table.flush()?;
    fs::write(folder.join("unmodelled.txt"), unmodelled(rows))?;
    fs::write(folder.join("reasons.txt"), reasons)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_consistent() {
        use clap::CommandFactory as _;
        Options::command().debug_assert();
    }
}
