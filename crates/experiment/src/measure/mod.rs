//! `cargo xtask measure <what>`: what runs of covolve take in time and memory, and whether they repeat. One file per
//! measurement, one line in [`MEASUREMENTS`]. Results go to a folder `eval/runs/<date>-<what>/` of their own, with
//! `README.md` (machine, commit, how it was measured, summary) and the raw figures.

mod algorithms;
mod configuration;
mod deadline;
mod delivered;
mod memory;
mod overhead;
mod parts;
mod processes;
mod rates;
mod readability;
mod reruns;
mod selection;
mod suites;
mod values;

use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, bail};
use testcase::clock::Clock;

use crate::console::say;
use crate::options::{Common, ResultFolder};

/// A measurement.
struct Measurement {
    name: &'static str,
    about: &'static str,
    /// Takes the words after the measurement's name.
    run: fn(&[String]) -> anyhow::Result<()>,
}

/// All measurements.
const MEASUREMENTS: &[Measurement] = &[
    Measurement {
        name: "algorithms",
        about: "coverage and area under the curve of algorithms or other configurations, compared with one of them",
        run: algorithms::run,
    },
    Measurement { name: "deadline", about: "seconds until a verified file is on disk", run: deadline::run },
    Measurement {
        name: "overhead",
        about: "seconds beside the search in runs over many classes",
        run: overhead::run,
    },
    Measurement {
        name: "memory",
        about: "resident memory of parent and worker over a run",
        run: memory::run,
    },
    Measurement {
        name: "rates",
        about: "tests a second with the default criteria, beside those with fewer",
        run: rates::run,
    },
    Measurement {
        name: "readability",
        about: "what a reader of delivered files stumbles over",
        run: readability::run,
    },
    Measurement { name: "reruns", about: "whether runs with one seed give the same bytes", run: reruns::run },
    Measurement {
        name: "selection",
        about: "coverage and size with the goals that smart selection takes, beside all of them",
        run: selection::run,
    },
    Measurement {
        name: "suites",
        about: "run time and heap of delivered suites in fresh JVMs",
        run: suites::run,
    },
    Measurement {
        name: "values",
        about: "what is covered of what can be, on fixtures whose difficulty is values",
        run: values::run,
    },
];

/// Runs the task.
pub fn run(words: &[String]) -> anyhow::Result<()> {
    let Some((name, rest)) = words.split_first() else {
        say("Measurements:");
        for Measurement { name, about, .. } in MEASUREMENTS {
            say(&format!("  cargo xtask measure {name:10} {about}"));
        }
        return Ok(());
    };
    match MEASUREMENTS.iter().find(|measurement| measurement.name == name) {
        Some(measurement) => (measurement.run)(rest),
        None => bail!("there is no measurement {name}; `cargo xtask measure` lists them"),
    }
}

/// Runs one after the other, with the machine to themselves.
#[derive(Debug, clap::Args)]
struct Alone {
    /// Budget, as `generate` takes it.
    #[arg(long, default_value = "10s")]
    budget: String,

    /// Seed.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Runs that may stand side by side, as long as their budget is executions.
#[derive(Debug, clap::Args)]
struct SideBySide {
    /// Budget, as `generate` takes it.
    #[arg(long, default_value = "5000executions")]
    budget: String,

    /// Runs of `generate` side by side.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
}

/// The JDK of a measurement with one.
#[derive(Debug, clap::Args)]
struct Jdk {
    /// JDK.
    #[arg(long)]
    java_home: Option<PathBuf>,
}

impl Jdk {
    /// Its launcher.
    fn java(&self) -> PathBuf {
        self.java_home.as_ref().map_or_else(|| "java".into(), |home| home.join("bin/java"))
    }

    /// Words for `covolve generate`.
    fn words(&self) -> Vec<OsString> {
        self.java_home.iter().flat_map(|home| [OsString::from("--java-home"), home.into()]).collect()
    }
}

/// A folder of results.
#[derive(Debug)]
struct Results {
    folder: PathBuf,
    heading: String,
}

impl Results {
    /// Makes the folder and says in it how it came about; `words` are those after `measure <name>`.
    fn new(common: &Common, name: &str, words: &[String], java: &Path) -> anyhow::Result<Self> {
        Self::in_folder(&common.results, name, words, java)
    }

    /// As [`Self::new`], for a measurement that takes no list of subjects.
    fn in_folder(results: &ResultFolder, name: &str, words: &[String], java: &Path) -> anyhow::Result<Self> {
        let heading = results.heading(&format!("measure {name}"), words, java)?;
        Ok(Self { folder: results.make()?, heading })
    }

    /// A new table, `<name>.csv`.
    fn table(&self, name: &str, columns: &str) -> anyhow::Result<Csv> {
        let path = self.folder.join(format!("{name}.csv"));
        let mut file =
            fs::File::create_new(&path).with_context(|| format!("{} cannot be written", path.display()))?;
        writeln!(file, "{columns}")?;
        Ok(Csv(file))
    }

    /// Writes the page; it may be written again as more is known.
    fn summarize(&self, summary: &str) -> anyhow::Result<()> {
        fs::write(self.folder.join("README.md"), format!("{}\n{}\n", self.heading, summary.trim_end()))?;
        Ok(())
    }

    /// Says where it all is.
    fn finish(self, summary: &str) -> anyhow::Result<()> {
        self.summarize(summary)?;
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}\n{}", summary.trim_end(), self.folder.display())?;
        Ok(())
    }
}

/// A table on disk, written row by row.
#[derive(Debug)]
struct Csv(fs::File);

impl Csv {
    fn row(&mut self, cells: &[String]) -> anyhow::Result<()> {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace([',', '\n'], " ")).collect();
        writeln!(self.0, "{}", cells.join(","))?;
        Ok(())
    }
}

/// How a watched run ended.
#[derive(Debug)]
struct Watched {
    /// Exit code, `None` if a signal ended it.
    code: Option<i32>,
    /// Seconds from its start to its end.
    wall: f64,
    /// What it printed.
    output: String,
}

impl Watched {
    /// The report of each class.
    fn reports(&self) -> Vec<serde_json::Value> {
        self.output.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    fn code(&self) -> String {
        self.code.map_or_else(|| "signal".to_owned(), |code| code.to_string())
    }
}

/// Runs a command in a folder of its own and looks at it every so often while it runs: `look` is told its process
/// number and the seconds since its start.
fn watch(
    mut command: Command,
    scratch: &Path,
    every: Duration,
    look: &mut dyn FnMut(u32, f64) -> anyhow::Result<()>,
) -> anyhow::Result<Watched> {
    // A file, not a pipe, that nobody would read while the run is watched.
    let printed = scratch.join("printed");
    command.current_dir(scratch).stdout(fs::File::create(&printed)?).stderr(std::process::Stdio::null());
    let clock = Clock::start();
    let mut child = command.spawn().context("covolve does not start")?;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        look(child.id(), clock.now().as_secs_f64())?;
        std::thread::sleep(every);
    };
    let wall = clock.now().as_secs_f64();
    Ok(Watched { code: status.code(), wall, output: fs::read_to_string(&printed)? })
}

/// The value below which this share of the figures lies: the nearest rank; `None` of none.
pub fn quantile(figures: &[f64], share: f64) -> Option<f64> {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.clamp(1, sorted.len().max(1)) - 1).copied()
}

/// A figure for people, with two digits.
pub fn shown(figure: Option<f64>) -> String {
    figure.map_or_else(|| "-".to_owned(), |figure| format!("{figure:.2}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_figures_that_were_seen() {
        let figures: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(quantile(&figures, 0.95), Some(95.0));
        assert_eq!(quantile(&figures, 1.0), Some(100.0));
        assert_eq!(quantile(&[7.0], 0.95), Some(7.0));
        assert_eq!(quantile(&[], 0.5), None);
    }

    #[test]
    fn a_run_is_watched_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "read line; echo '{\"class\":\"A\"}'; exit 3"]);
        command.stdin(std::process::Stdio::null());
        let watched = watch(command, folder.path(), Duration::from_millis(1), &mut |_, _| Ok(())).unwrap();
        assert_eq!((watched.code, watched.reports().len()), (Some(3), 1));
    }
}
