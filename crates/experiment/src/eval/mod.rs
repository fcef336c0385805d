//! `cargo xtask eval`: runs covolve over a list of subject classes, budgets and seeds, and keeps what it reports, and what an
//! outside judge says of the tests, in a folder of its own: `eval/runs/<date>-<what>/` with `README.md` (machine, commit,
//! how it was run, summary), `raw.csv` and `open-goals.csv`. Folders are never overwritten; an interrupted run is taken up again.

pub mod open_goals;
pub(crate) mod raw;
mod summary;
mod trial;

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use clap::Parser;

use crate::console::{parse, say};
use crate::eval::open_goals::OpenGoals;
use crate::eval::raw::Raw;
use crate::eval::trial::Trial;
use crate::options::Common;
use crate::subject::Subject;
use crate::tools::side_by_side;

/// Measure covolve on a list of subject classes.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask eval")]
struct Options {
    #[command(flatten)]
    common: Common,

    /// Budgets, as `generate` takes them.
    #[arg(long, value_delimiter = ',', default_value = "10s")]
    budgets: Vec<String>,

    /// Seeds.
    #[arg(long, value_delimiter = ',', default_value = "0")]
    seeds: Vec<u64>,

    /// Algorithms, as `generate` takes them: every class is measured with each [default: that of `generate`]. Repeatable.
    #[arg(long = "algorithm", value_delimiter = ',')]
    algorithms: Vec<String>,

    /// Folder with `judge.py` and `subjects.py`, to judge what covolve writes.
    #[arg(long)]
    judge: Option<PathBuf>,

    /// Runs of each suite by the judge.
    #[arg(long, default_value_t = 5)]
    judge_runs: u32,

    /// Let the judge measure mutation scores.
    #[arg(long)]
    pit: bool,

    /// JDK for covolve and for the judge.
    #[arg(long)]
    java_home: Option<PathBuf>,

    /// Folder in which the files of each class are kept, below its name, for `cargo xtask judge-files`.
    #[arg(long)]
    keep: Option<PathBuf>,

    /// Classes side by side, as a user has with `--jobs`; several share the processors.
    #[arg(long, default_value_t = 1)]
    jobs: usize,

    /// Take up a folder that exists: rows that are there are not measured again.
    #[arg(long)]
    resume: bool,
}

/// What is written down of the trials.
struct Books {
    raw: Raw,
    open: OpenGoals,
    done: usize,
}

/// Runs the measurement that the words ask for.
pub fn run(words: &[String]) -> anyhow::Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let common = &options.common;
    let subjects = common.list.read()?;
    let covolve = common.covolve.file()?;
    let folder = if options.resume { common.results.last() } else { common.results.make() }?;
    let books = Mutex::new(Books {
        raw: Raw::open(&folder.join("raw.csv"))?,
        open: OpenGoals::open(&folder.join("open-goals.csv"))?,
        done: 0,
    });
    let trials = trials(&options, &subjects);
    let ran = side_by_side(options.jobs, &trials, |trial| -> anyhow::Result<()> {
        let lock = || books.lock().unwrap_or_else(PoisonError::into_inner);
        if lock().raw.has(trial) {
            lock().done += 1;
            return Ok(());
        }
        let (row, report) = trial.measure(&covolve, &options)?;
        let Books { raw, open, done } = &mut *lock();
        *done += 1;
        say(&format!("{done}/{} {trial}: {}", trials.len(), row.brief()));
        // The row last: it says that the trial is done.
        open.add(trial, &report)?;
        raw.add(row)?;
        write_readme(&folder, &options, words, raw, open)
    });
    ran.into_iter().collect::<anyhow::Result<()>>()?;
    let Books { raw, open, .. } = books.into_inner().unwrap_or_else(PoisonError::into_inner);
    write_readme(&folder, &options, words, &raw, &open)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}\n\n{}", summary::table(raw.rows()), open_goals::table(open.rows()))?;
    writeln!(out, "{}", folder.display())?;
    Ok(())
}

/// Every subject with every seed, budget and algorithm.
fn trials<'a>(options: &'a Options, subjects: &'a [Subject]) -> Vec<Trial<'a>> {
    let mut algorithms: Vec<Option<&str>> =
        options.algorithms.iter().map(|name| Some(name.as_str())).collect();
    if algorithms.is_empty() {
        algorithms.push(None);
    }
    let mut trials = Vec::new();
    for &seed in &options.seeds {
        for budget in &options.budgets {
            for &algorithm in &algorithms {
                trials.extend(subjects.iter().map(|subject| Trial { subject, budget, seed, algorithm }));
            }
        }
    }
    trials
}

fn write_readme(
    folder: &std::path::Path,
    options: &Options,
    words: &[String],
    raw: &Raw,
    open: &OpenGoals,
) -> anyhow::Result<()> {
    let java = options.java_home.as_deref().map_or_else(|| "java".into(), |home| home.join("bin/java"));
    let text = format!(
        "{}\n{}\n\n`raw.csv` has a row per class, budget, seed and algorithm; the columns \
         that begin with `judge_` are the outside judge's, all others are covolve's own. \
         `open-goals.csv` has a row per goal that no delivered test covers.\n\n## Goals that stay open\n\n{}\n",
        options.common.results.heading("eval", words, &java)?,
        summary::table(raw.rows()),
        open_goals::table(open.rows()),
    );
    fs::write(folder.join("README.md"), text)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_consistent() {
        use clap::CommandFactory as _;
        Options::command().debug_assert();
        let words = "x --what a --subjects s.csv --budgets 10s,500executions --seeds 1,2 --algorithm mosa,mio \
                     --algorithm dynamosa -- --jobs 1";
        let options = Options::try_parse_from(words.split(' ')).unwrap();
        assert_eq!(options.budgets, ["10s", "500executions"]);
        assert_eq!(options.algorithms, ["mosa", "mio", "dynamosa"]);
        let subject = Subject { project: "p".into(), coordinates: "g:a:1".into(), class: "a.B".into() };
        let said: Vec<String> =
            trials(&options, std::slice::from_ref(&subject)).iter().map(ToString::to_string).collect();
        assert_eq!((said.len(), said[1].as_str()), (2 * 2 * 3, "a.B 10s seed 1 mio"));
        assert_eq!(
            (options.seeds, options.common.more),
            (vec![1, 2], vec!["--jobs".to_owned(), "1".to_owned()])
        );
    }
}
