//! `cargo xtask eval`: runs covolve over a list of subject classes, budgets and seeds, and keeps what it reports, and what an
//! outside judge says of the tests, in a folder of its own: `eval/runs/<date>-<what>/` with `README.md` (machine, commit,
//! how it was run, summary), `raw.csv` and `open-goals.csv`. Folders are never overwritten; an interrupted run is taken up again.

pub(crate) mod machine;
pub(crate) mod never_covered;
pub(crate) mod open_goals;
mod raw;
pub(crate) mod subject;
mod summary;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, bail};
use clap::Parser;

use crate::eval::open_goals::OpenGoals;
use crate::eval::raw::Raw;
use crate::eval::subject::Trial;
use crate::tools::side_by_side;
use crate::{output_of, parse, root, say, tools};

/// Measure covolve on a list of subject classes.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask eval")]
struct Options {
    /// What is measured: the second part of the folder's name.
    #[arg(long)]
    what: String,

    /// List of subjects: a CSV with the columns project, coords (group:artifact:version) and class.
    #[arg(long)]
    subjects: PathBuf,

    /// Budgets, as `generate` takes them.
    #[arg(long, value_delimiter = ',', default_value = "10s")]
    budgets: Vec<String>,

    /// Seeds.
    #[arg(long, value_delimiter = ',', default_value = "0")]
    seeds: Vec<u64>,

    /// Only classes whose name contains this.
    #[arg(long, default_value = "")]
    only: String,

    /// The covolve to measure [default: the release build of this tree].
    #[arg(long)]
    covolve: Option<PathBuf>,

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

    /// Where the folder is made.
    #[arg(long, default_value = "eval/runs")]
    out: PathBuf,

    /// Folder in which the files of each class are kept, below its name, for `cargo xtask judge-files`.
    #[arg(long)]
    keep: Option<PathBuf>,

    /// Classes side by side, as a user has with `--jobs`; several share the processors.
    #[arg(long, default_value_t = 1)]
    jobs: usize,

    /// Take up a folder that exists: rows that are there are not measured again.
    #[arg(long)]
    resume: bool,

    /// More words for `covolve generate`.
    #[arg(last = true)]
    more: Vec<String>,
}

/// What is written down of the trials.
struct Books {
    raw: Raw,
    open: OpenGoals,
    done: usize,
}

pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let subjects = subject::read(&options.subjects, &options.only)?;
    if subjects.is_empty() {
        bail!("no subject is left; check --subjects and --only");
    }
    let covolve = tools::covolve(options.covolve.as_deref())?;
    let folder = if options.resume {
        last_folder(&options.out, &options.what)
    } else {
        new_folder(&options.out, &options.what)
    }?;
    let books = Mutex::new(Books {
        raw: Raw::open(&folder.join("raw.csv"))?,
        open: OpenGoals::open(&folder.join("open-goals.csv"))?,
        done: 0,
    });
    let mut trials = Vec::new();
    for &seed in &options.seeds {
        for budget in &options.budgets {
            trials.extend(subjects.iter().map(|subject| Trial { subject, budget, seed }));
        }
    }
    let ran = side_by_side(options.jobs, &trials, |trial| -> anyhow::Result<()> {
        let lock = || books.lock().unwrap_or_else(PoisonError::into_inner);
        if lock().raw.has(trial) {
            lock().done += 1;
            return Ok(());
        }
        let (row, report) = trial.measure(&covolve, &options)?;
        let Books { raw, open, done } = &mut *lock();
        *done += 1;
        let Trial { subject, budget, seed } = trial;
        say(&format!("{done}/{} {} {budget} seed {seed}: {}", trials.len(), subject.class, row.brief()));
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

/// Builds the release binary of this tree.
pub(crate) fn build() -> anyhow::Result<PathBuf> {
    let status = std::process::Command::new("cargo")
        .args(["build", "--release", "--quiet", "--package", "cli"])
        .current_dir(root())
        .status()
        .context("cargo does not start")?;
    if !status.success() {
        bail!("covolve cannot be built");
    }
    let metadata = output_of("cargo", &["metadata", "--format-version", "1", "--no-deps"])?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let target = metadata["target_directory"].as_str().context("cargo names no target folder")?;
    Ok(Path::new(target).join("release/covolve"))
}

/// The newest folder of results of that name below `out`.
fn last_folder(out: &Path, what: &str) -> anyhow::Result<PathBuf> {
    let runs = root().join(out);
    let suffix = format!("-{what}");
    let mut folders: Vec<PathBuf> = fs::read_dir(&runs)
        .with_context(|| format!("{} cannot be read", runs.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.to_string_lossy().ends_with(&suffix))
        .collect();
    folders.sort();
    folders.pop().with_context(|| format!("there is no run {what} to take up"))
}

/// Makes a folder for results, `<date>-<what>` below `out`.
pub(crate) fn new_folder(out: &Path, what: &str) -> anyhow::Result<PathBuf> {
    let legal = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if what.is_empty() || !what.chars().all(legal) {
        bail!("--what {what} is no name for a folder; give letters, digits and dashes");
    }
    let folder = root().join(out).join(format!("{}-{what}", machine::date()?));
    if folder.exists() {
        bail!("{} is there already; name another --what", folder.display());
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn write_readme(
    folder: &Path,
    options: &Options,
    words: &[String],
    raw: &Raw,
    open: &OpenGoals,
) -> anyhow::Result<()> {
    let java = options.java_home.as_deref().map_or_else(|| "java".into(), |home| home.join("bin/java"));
    let text = format!(
        "{}\n{}\n\n`raw.csv` has a row per class, budget and seed; the columns \
         that begin with `judge_` are the outside judge's, all others are covolve's own. \
         `open-goals.csv` has a row per goal that no delivered test covers.\n\n## Goals that stay open\n\n{}\n",
        heading(&options.what, "eval", words, &java)?,
        summary::table(raw.rows()),
        open_goals::table(open.rows()),
    );
    fs::write(folder.join("README.md"), text)?;
    Ok(())
}

/// How a page of results begins: its title, the machine and its tools, and the command line.
pub(crate) fn heading(title: &str, task: &str, words: &[String], java: &Path) -> anyhow::Result<String> {
    let machine = machine::describe(&java.to_string_lossy())?;
    Ok(format!("# {title}\n\n{machine}\n\n```\ncargo xtask {task} {}\n```\n", shown(words)))
}

/// The command line without the machine's own folders.
pub(crate) fn shown(words: &[String]) -> String {
    let last = |word: &String| match Path::new(word).file_name() {
        Some(name) if word.starts_with('/') => name.to_string_lossy().into_owned(),
        _ => word.clone(),
    };
    words.iter().map(last).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_consistent() {
        use clap::CommandFactory as _;
        Options::command().debug_assert();
        let words = "x --what a --subjects s.csv --budgets 10s,500executions --seeds 1,2 -- --jobs 1";
        let options = Options::try_parse_from(words.split(' ')).unwrap();
        assert_eq!(options.budgets, ["10s", "500executions"]);
        assert_eq!((options.seeds, options.more), (vec![1, 2], vec!["--jobs".to_owned(), "1".to_owned()]));
    }

    #[test]
    fn folders_of_the_machine_are_not_shown() {
        let words = ["--subjects".to_owned(), "/a/b/list.csv".to_owned(), "x/y".to_owned()];
        assert_eq!(shown(&words), "--subjects list.csv x/y");
    }
}
