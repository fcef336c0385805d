//! `cargo xtask judge-criteria`: every algorithm with every criterion, and with all of them together, on fixtures.
//!
//! Each cell generates twice with the same seed. The bytes must be the same, and nothing may be claimed that judges that are
//! not ours do not confirm: lines, branches and methods by `JaCoCo`, mutants by PIT, over the delivered files.
//!
//! * [`cells`]: runs covolve
//! * [`verdict`]: holds claims and judges side by side

#![expect(clippy::print_stdout, reason = "its result is printed")]

mod cells;
mod verdict;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Result, bail, ensure};
use clap::Parser;
use coverage::criterion::CRITERIA;
use experiment::console::{parse, say};
use experiment::options::{Covolve, ResultFolder};
use experiment::suites::Bench;
use experiment::tools;
use search::algorithm::ALGORITHMS;

use self::cells::{ALL, Cell, Fixture};
use self::verdict::{Judges, Row};
use crate::setup::{Setup, Workplace};
use crate::suites::{jacoco, matching, pit};

/// Classes with loops, strings, switches, exceptions and collections, each with real branching.
const FIXTURES: &[Fixture] = &[
    Fixture { class: "bench.Account", source: "fixtures/bench/Account.java" },
    Fixture { class: "coverage.Branches", source: "fixtures/coverage/Branches.java" },
    Fixture { class: "distances.Contents", source: "fixtures/distances/Contents.java" },
];

/// Judge what every algorithm claims of every criterion.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask judge-criteria")]
struct Options {
    #[command(flatten)]
    results: ResultFolder,
    #[command(flatten)]
    covolve: Covolve,
    #[command(flatten)]
    setup: Setup,
    /// Executions per class.
    #[arg(long, default_value_t = 5000)]
    executions: u64,
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Only algorithms whose name contains this.
    #[arg(long, default_value = "")]
    algorithm: String,
    /// Only criteria whose name contains this.
    #[arg(long, default_value = "")]
    criterion: String,
    /// Classes side by side.
    #[arg(long, default_value_t = 1)]
    jobs: u32,
    /// Take what an interrupted run has generated.
    #[arg(long)]
    resume: bool,
}

/// Runs the judge.
///
/// # Errors
/// Whatever keeps it from judging, and a cell that fails, differs from itself, or claims what the judges do not confirm.
pub fn run(words: &[String]) -> Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let place = Workplace::new(&options.setup, &options.covolve, "criteria", options.resume)?;
    let classes = place.work.join("classes");
    tools::compile_fixtures(&place.home, FIXTURES.iter().map(|fixture| fixture.source), &classes)?;
    let mut cells = cells(&options);
    ensure!(!cells.is_empty(), "no cell is left; check --algorithm and --criterion");
    let total = cells.len();
    for (done, cell) in cells.iter_mut().enumerate() {
        cell.generate(&place, &classes, &options)?;
        say(&format!("{}/{total} {} {}", done + 1, cell.algorithm, cell.criterion));
    }
    let mut rows = Vec::new();
    for fixture in FIXTURES {
        rows.extend(judge(fixture, &cells, &place, &classes)?);
        say(&format!("{} is judged", fixture.class));
    }
    report(&rows, &options, words, &place.home)
}

fn cells(options: &Options) -> Vec<Cell> {
    let criteria: Vec<&str> = CRITERIA.iter().map(|criterion| criterion.name()).chain([ALL]).collect();
    let mut cells = Vec::new();
    for algorithm in ALGORITHMS.iter().map(|row| row.name).filter(|name| name.contains(&options.algorithm)) {
        for criterion in criteria.iter().filter(|name| name.contains(&options.criterion)) {
            cells.push(Cell::new(algorithm, criterion));
        }
    }
    cells
}

/// Judges all cells of a fixture; the same bytes are judged once.
fn judge(fixture: &Fixture, cells: &[Cell], place: &Workplace, classes: &Path) -> Result<Vec<Row>> {
    let folder = place.work.join("bench").join(fixture.class);
    let mut bench = Bench::new(&place.home, &folder, fixture.class, &[classes.to_owned()])?;
    let mut known: BTreeMap<Vec<u8>, Option<String>> = BTreeMap::new();
    let mut suites = Vec::new();
    for cell in cells {
        let text = fs::read(cell.file(fixture)).unwrap_or_default();
        if !known.contains_key(&text) {
            known.insert(text.clone(), bench.add(&cell.tests())?);
        }
        suites.push(known.get(&text).cloned().flatten());
    }
    say(&format!("{}: {} different suites", fixture.class, known.len()));
    bench.compile()?;
    let covered = jacoco::judge(&bench)?;
    let pit = pit::judge(&bench, pit::Unit::Many)?;
    let own = matching::own_mutants(&bench.nest)?;
    let pairs = matching::pair(&own, &pit);
    let judges = Judges { covered: &covered, pit: &pit, own: &own, pairs: &pairs };
    Ok(cells.iter().zip(&suites).map(|(cell, suite)| judges.row(cell, fixture, suite.as_deref())).collect())
}

fn report(rows: &[Row], options: &Options, words: &[String], home: &Path) -> Result<()> {
    let folder = options.results.make()?;
    let mut table = csv::Writer::from_path(folder.join("criteria.csv"))?;
    for row in rows {
        table.serialize(&row.cells)?;
    }
    table.flush()?;
    let mut differences = csv::Writer::from_path(folder.join("criteria-differences.csv"))?;
    for difference in rows.iter().flat_map(|row| &row.differences) {
        differences.serialize(difference)?;
    }
    differences.flush()?;
    let summary = verdict::summary(rows);
    let heading = options.results.heading("judge-criteria", words, &home.join("bin/java"))?;
    fs::write(folder.join("README.md"), format!("{heading}\n{summary}"))?;
    println!("{summary}\n{}", folder.display());
    let wrong = rows.iter().filter(|row| !row.is_right()).count();
    if wrong > 0 {
        bail!("{wrong} of {} cells fail, are not deterministic, or claim too much", rows.len());
    }
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

    #[test]
    fn every_row_of_both_tables_has_a_cell() {
        let options = Options::try_parse_from(["x", "--what", "a"]).unwrap();
        assert_eq!(cells(&options).len(), ALGORITHMS.len() * (CRITERIA.len() + 1));
    }
}
