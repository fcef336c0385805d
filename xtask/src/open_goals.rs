//! `cargo xtask open-goals`: puts the table of the most frequent reasons of open goals of a run of `cargo xtask eval` into
//! `eval/open-goals.md`.

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Parser;
use experiment::console::{parse, say};
use experiment::eval::open_goals::{OpenGoals, table};
use experiment::repository::root;

/// Where the table lies in the page.
const MARKS: [&str; 2] = ["<!-- table: begin -->", "<!-- table: end -->"];

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
    let text = fs::read_to_string(&page).with_context(|| format!("{} cannot be read", page.display()))?;
    let name = options.run.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let table = format!("From `eval/runs/{name}`.\n\n{}", table(goals.rows()));
    let text = replaced(&text, &table).with_context(|| format!("{} has no {}", page.display(), MARKS[0]))?;
    fs::write(&page, text)?;
    say(&format!("{} open goals, {}", goals.rows().len(), page.display()));
    Ok(())
}

/// The page with another table between the marks.
fn replaced(page: &str, table: &str) -> Option<String> {
    let (before, rest) = page.split_once(MARKS[0])?;
    let (_, after) = rest.split_once(MARKS[1])?;
    Some(format!("{before}{}\n\n{table}\n\n{}{after}", MARKS[0], MARKS[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_table_of_the_page_is_replaced() {
        let page = format!("# Title\n\n{}\nold\n{}\n\nrest\n", MARKS[0], MARKS[1]);
        let expect = format!("# Title\n\n{}\n\nnew\n\n{}\n\nrest\n", MARKS[0], MARKS[1]);
        assert_eq!(replaced(&page, "new"), Some(expect));
        assert_eq!(replaced("# Title\n", "new"), None);
    }
}
