//! `cargo xtask judge-solvers`: a solver that is installed as the judge of the built-in one.
//!
//! For each of the fixtures of values, random tests are run, recorded and replayed, with a literal of its own for each use of a value, as
//! symbolic execution has them. Of the conditions of their paths as many are drawn as are wanted, and both solvers are asked, for each, what symbolic
//! execution would ask: inputs for which it does not hold, and those before it do. What one of them calls unsatisfiable
//! and the other one has a model of fails the task. The queries that the installed solver alone answers are kept as `missed/*.smt2`.

mod tally;
mod worker;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use clap::Parser;
use experiment::console::{parse, say};
use experiment::repository::root;
use experiment::values;
use serde::{Deserialize, Serialize};

use self::tally::{Asked, Tally};
use crate::random_tests::{Choice, RandomTestOptions};
use crate::started::in_a_process;

/// Ask the built-in and an installed solver the conditions of the fixtures of values.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask judge-solvers")]
struct Options {
    /// Only fixtures whose name contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// Conditions of each fixture that are negated.
    #[arg(long, default_value_t = 100)]
    queries: usize,
    /// The installed solver: z3, cvc5 or bitwuzla. Default: the first of these on the path.
    #[arg(long)]
    solver: Option<String>,
    /// Milliseconds that it may take for a query.
    #[arg(long, default_value_t = 2_000)]
    limit: u64,
    #[command(flatten)]
    random: RandomTestOptions,
}

/// What the process with the JVM is to do.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Job {
    /// Class under test, binary name.
    class: String,
    classes: PathBuf,
    java_home: PathBuf,
    choice: Choice,
    queries: usize,
    solver: Option<String>,
    /// Milliseconds.
    limit: u64,
    /// Where it writes.
    folder: PathBuf,
}

/// What came of the queries of a fixture.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    class: String,
    /// Tests that were replayed.
    tests: usize,
    /// Their conditions that could be negated, equal queries counted once.
    conditions: usize,
    /// What was asked, answers that were remembered from one asked before left out.
    asked: Vec<Asked>,
    /// Why it failed as a whole; empty where it did not.
    error: String,
}

/// Runs the judge.
///
/// # Errors
/// Whatever keeps it from judging, and solvers that contradict each other.
pub fn run(words: &[String]) -> Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    if let Some(job) = &options.random.worker {
        return worker::run(&serde_json::from_str(job)?);
    }
    ensure!(worker::is_installed(options.solver.as_deref()), "no solver that reads SMT-LIB is installed");
    let home = options.random.setup.jdk.home()?;
    let fixtures = values::read(&options.only)?;
    let work = options.random.setup.folder("solvers");
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    let classes = work.join("classes");
    values::compile(&home, &fixtures, false, &classes)?;
    let mut rows = Vec::new();
    for fixture in &fixtures {
        let job = options.job(&fixture.class(), &home, &work);
        let row = judge(&job).unwrap_or_else(|error| Row {
            error: format!("{error:#}"),
            class: job.class,
            ..Row::default()
        });
        say(&row.brief());
        rows.push(row);
        if let Some(out) = &options.random.out {
            write(&root().join(out), &rows, words, &home)?;
        }
    }
    let all = tally(&rows);
    say(&all.page());
    if all.contradictions + all.wrong_models > 0 {
        bail!("{} contradictions, {} models that do not hold", all.contradictions, all.wrong_models);
    }
    Ok(())
}

impl Options {
    fn job(&self, class: &str, home: &Path, work: &Path) -> Job {
        Job {
            class: class.to_owned(),
            classes: work.join("classes"),
            java_home: home.to_owned(),
            choice: self.random.choice(60, 2_000),
            queries: self.queries,
            solver: self.solver.clone(),
            limit: self.limit,
            folder: work.join(class),
        }
    }
}

fn judge(job: &Job) -> Result<Row> {
    fs::create_dir_all(&job.folder)?;
    in_a_process("judge-solvers", job, &job.folder.join("row.json"))
}

/// What came of all queries.
fn tally(rows: &[Row]) -> Tally {
    let asked: Vec<&Asked> = rows.iter().flat_map(|row| &row.asked).collect();
    Tally::of(&asked)
}

impl Row {
    fn tally(&self) -> Tally {
        Tally::of(&self.asked.iter().collect::<Vec<_>>())
    }

    fn brief(&self) -> String {
        if !self.error.is_empty() {
            return format!("{}: {}", self.class, self.error);
        }
        let (class, tests, conditions) = (&self.class, self.tests, self.conditions);
        format!("{class}: {tests} tests, {conditions} conditions; {}", self.tally().brief())
    }
}

fn write(folder: &Path, rows: &[Row], words: &[String], home: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let heading =
        experiment::runs::heading("The judge of solvers", "judge-solvers", words, &home.join("bin/java"))?;
    fs::write(folder.join("README.md"), format!("{heading}\n{}\n", tally(rows).page()))?;
    let mut lines = csv::Writer::from_path(folder.join("raw.csv"))?;
    let mut queries = csv::Writer::from_path(folder.join("queries.csv"))?;
    let missed = folder.join("missed");
    fs::create_dir_all(&missed)?;
    for row in rows {
        for (number, asked) in row.asked.iter().enumerate() {
            queries.serialize(asked.line(&row.class))?;
            if let Some(script) = &asked.script {
                fs::write(missed.join(format!("{}-{number}.smt2", row.class)), script)?;
            }
        }
        lines.serialize(row.tally().line(&row.class, (row.tests, row.conditions), &row.error))?;
    }
    lines.flush()?;
    queries.flush()?;
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
