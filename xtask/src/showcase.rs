//! `cargo xtask showcase`: generates the suites of `docs/showcase` anew, in a number of executions, so that the same code gives the same
//! files everywhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use clap::Parser;
use experiment::console::{parse, say};
use experiment::repository::root;
use experiment::subject::{Subject, read};
use experiment::tools;
use serde_json::Value;

use crate::page;

/// Generate the suites of the showcase.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask showcase")]
struct Options {
    /// The list: project, coordinates of the class and of what its tests use, with spaces between, and class.
    #[arg(long, default_value = "docs/showcase/suites.csv")]
    subjects: PathBuf,

    /// Only classes whose name contains this; the table of the page stays as it is then.
    #[arg(long, default_value = "")]
    only: String,

    /// The covolve to run [default: the release build of this tree]
    #[arg(long)]
    covolve: Option<PathBuf>,

    /// The page, in whose folder the suites are.
    #[arg(long, default_value = "docs/showcase/README.md")]
    page: PathBuf,
}

/// What is spent on each class.
const BUDGET: &str = "20000executions";

pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let covolve = tools::covolve(options.covolve.as_deref())?;
    let page = root().join(&options.page);
    let folder = page.parent().context("the page lies in no folder")?;
    let mut table = "| class | library | branches | lines | tests | lines of the file |\n\
                     | --- | --- | ---: | ---: | ---: | ---: |"
        .to_owned();
    for subject in read(&options.subjects, &options.only)? {
        let row = generate(&covolve, &subject, folder)
            .with_context(|| format!("{} has no suite", subject.class))?;
        say(&row);
        table.push('\n');
        table.push_str(&row);
    }
    if options.only.is_empty() {
        page::replace_table(&page, &table)?;
    }
    Ok(())
}

/// Writes the suite of a class into a folder; its row of the table.
fn generate(covolve: &Path, subject: &Subject, folder: &Path) -> anyhow::Result<String> {
    let scratch = tempfile::tempdir()?;
    let mut command = Command::new(covolve);
    command.args(["generate", "--no-config", "--class", &subject.class, "--seed", "0", "--json"]);
    command.args(["--budget", BUDGET, "--out"]).arg(scratch.path());
    for coordinates in subject.coordinates.split_whitespace() {
        command.args(["--maven", coordinates]);
    }
    let output =
        command.stdin(Stdio::null()).stderr(Stdio::null()).output().context("covolve does not start")?;
    if !output.status.success() {
        bail!("covolve ended with {}", output.status);
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let report: Value = serde_json::from_str(said.lines().next().unwrap_or_default())?;
    let path = format!("{}CovolveTest.java", subject.class.replace('.', "/"));
    let text = fs::read_to_string(scratch.path().join(&path)).context("there is no file")?;
    let (_, name) = path.rsplit_once('/').unwrap_or(("", &path));
    fs::write(folder.join(name), &text)?;
    Ok(row(subject, name, &report, text.lines().count()))
}

fn row(subject: &Subject, file: &str, report: &Value, lines: usize) -> String {
    let covered = |criterion: &str| {
        let rows = report["criteria"].as_array().into_iter().flatten();
        let row = rows.into_iter().find(|row| row["name"] == criterion);
        row.map_or_else(String::new, |row| format!("{} of {}", row["covered"], row["goals"]))
    };
    let (_, class) = subject.class.rsplit_once('.').unwrap_or(("", &subject.class));
    let library = subject.coordinates.split_whitespace().next().unwrap_or_default();
    let (branches, covered_lines) = (covered("branch"), covered("line"));
    format!(
        "| [`{class}`]({file}) | {library} | {branches} | {covered_lines} | {} | {lines} |",
        report["tests"]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_tells_what_a_suite_covers_and_where_it_is() {
        let subject =
            Subject { project: "a".into(), coordinates: "a:b:1 c:d:2".into(), class: "p.Foo".into() };
        let report = r#"{"tests":3,"criteria":[{"name":"branch","goals":9,"covered":4},{"name":"line","goals":7,"covered":7}]}"#;
        let report = serde_json::from_str(report).unwrap();
        assert_eq!(
            row(&subject, "FooCovolveTest.java", &report, 40),
            "| [`Foo`](FooCovolveTest.java) | a:b:1 | 4 of 9 | 7 of 7 | 3 | 40 |"
        );
    }
}
