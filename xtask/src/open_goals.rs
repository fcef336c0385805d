//! `cargo xtask open-goals`: puts the table of the most frequent reasons of open goals of a run of `cargo xtask eval` into
//! `eval/open-goals.md`.

use std::path::PathBuf;

use clap::Parser;
use experiment::console::{parse, say};
use experiment::eval::open_goals::{OpenGoals, table};
use experiment::repository::root;

use crate::page::replace_table;

/// Put the most frequent reasons of open goals into the page about them.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask open-goals")]
struct Options {
    /// Folder of the run whose `open-goals.csv` is read.
    #[arg(long)]
    run: PathBuf,

    /// The page.
    #[arg(long, default_value = "eval/open-goals.md")]
    page: PathBuf,
}

pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let goals = OpenGoals::open(&root().join(&options.run).join("open-goals.csv"))?;
    let page = root().join(&options.page);
    let name = options.run.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let table = format!("From `eval/runs/{name}`.\n\n{}", table(goals.rows()));
    replace_table(&page, &table)?;
    say(&format!("{} open goals, {}", goals.rows().len(), page.display()));
    Ok(())
}
