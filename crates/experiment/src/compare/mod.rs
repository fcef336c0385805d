//! `cargo xtask compare <first> <second>`: what got better or worse from one folder of `cargo xtask eval` to another.
//!
//! Runs are paired by class, budget, seed and algorithm. Each class counts with the mean of its runs, so that classes are
//! the sample: p is that of Wilcoxon's signed-rank test, A12 the effect of Vargha and Delaney.
//!
//! * [`column`] says what is compared
//! * [`verdict`] says how

mod column;
mod verdict;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Parser;

use self::verdict::Verdict;
use crate::console::parse;
use crate::eval::raw::{self, Row};
use crate::repository::root;

/// Compare two folders of runs of `cargo xtask eval`; fails if the second is worse.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask compare")]
struct Options {
    /// The folder with the runs before.
    first: PathBuf,

    /// The folder with the runs after.
    second: PathBuf,

    /// Fail as well if a file differs in a byte, or a run is in one folder only.
    #[arg(long)]
    same_bytes: bool,
}

/// Compares the runs that the words name.
///
/// # Errors
/// A folder cannot be compared, or the second is worse: a column got worse significantly, or a file is missing.
pub fn run(words: &[String]) -> anyhow::Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let verdict = Verdict::new(&rows(&options.first)?, &rows(&options.second)?)?;
    writeln!(std::io::stdout().lock(), "{verdict}")?;
    let faults = verdict.faults(options.same_bytes);
    if !faults.is_empty() {
        bail!("the second is worse: {}", faults.join("; "));
    }
    Ok(())
}

fn rows(folder: &Path) -> anyhow::Result<Vec<Row>> {
    let text = fs::read_to_string(root().join(folder).join("raw.csv")).with_context(|| {
        format!("{} has no raw.csv; give a folder that `cargo xtask eval` wrote", folder.display())
    })?;
    raw::read(&text).with_context(|| format!("raw.csv of {} is not of `cargo xtask eval`", folder.display()))
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
    fn what_cannot_be_compared_is_said_in_a_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().display().to_string();
        let check = |expect: &str| {
            let error = run(&[path.clone(), path.clone()]).unwrap_err();
            assert!(format!("{error:#}").contains(expect), "{error:#}");
        };
        check(&format!("{path} has no raw.csv; give a folder that `cargo xtask eval` wrote"));
        fs::write(folder.path().join("raw.csv"), "class,jvm\na.B,0\n").unwrap();
        check(&format!("raw.csv of {path} is not of `cargo xtask eval`: it has no column budget"));
        fs::write(folder.path().join("raw.csv"), "class,budget,seed,file_hash\n").unwrap();
        check("the folders have no run in common");
    }
}
