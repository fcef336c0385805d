//! One algorithm with one criterion, or with all of them: covolve runs twice on all fixtures.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};
use coverage::criterion::CRITERIA;
use experiment::subject;

use super::{FIXTURES, Options};
use crate::setup::Workplace;
use crate::suites::claims::{self, Claim};

/// What stands in place of a criterion where all are asked for.
pub(super) const ALL: &str = "all";

/// A class to test.
#[derive(Debug)]
pub(super) struct Fixture {
    /// Binary name.
    pub(super) class: &'static str,
    /// From the root of the repository.
    pub(super) source: &'static str,
}

/// A cell of the table, for all fixtures.
#[derive(Debug)]
pub(super) struct Cell {
    pub(super) algorithm: &'static str,
    pub(super) criterion: String,
    /// Exit code of the first run, empty where a signal ended it.
    pub(super) exit: String,
    /// Whether a run panicked.
    pub(super) panicked: bool,
    /// Whether both runs gave the same files and the same tables of goals.
    pub(super) is_deterministic: bool,
    pub(super) claims: Vec<Claim>,
    folder: PathBuf,
}

/// How a run ended.
struct Ended {
    exit: String,
    panicked: bool,
}

impl Cell {
    pub(super) fn new(algorithm: &'static str, criterion: &str) -> Self {
        Self {
            algorithm,
            criterion: criterion.to_owned(),
            exit: String::new(),
            panicked: false,
            is_deterministic: false,
            claims: Vec::new(),
            folder: PathBuf::new(),
        }
    }

    /// Runs covolve, unless an interrupted run did.
    pub(super) fn generate(&mut self, place: &Workplace, classes: &Path, options: &Options) -> Result<()> {
        self.folder = place.work.join("cells").join(format!("{}-{}", self.algorithm, self.criterion));
        let mut ended = Vec::new();
        for time in ["first", "second"] {
            let folder = self.folder.join(time);
            let done = folder.join("done");
            if !done.is_file() {
                let _ = fs::remove_dir_all(&folder);
                fs::create_dir_all(&folder)?;
                let end = self.once(place, classes, &folder, options)?;
                fs::write(&done, format!("{}\n{}", end.exit, end.panicked))?;
            }
            let text = fs::read_to_string(&done)?;
            let (exit, panicked) = text.split_once('\n').context("two lines")?;
            ended.push(Ended { exit: exit.to_owned(), panicked: panicked == "true" });
        }
        let of = |time: &str| {
            let folder = self.folder.join(time);
            (subject::hash(&folder.join("tests")), fs::read(folder.join("report/goals.csv")).ok())
        };
        self.is_deterministic = of("first") == of("second");
        self.panicked = ended.iter().any(|end| end.panicked);
        self.exit = ended.into_iter().map(|end| end.exit).next().unwrap_or_default();
        if self.exit == "0" {
            self.claims = claims::read(&self.folder.join("first/report"))?;
        }
        Ok(())
    }

    fn once(&self, place: &Workplace, classes: &Path, folder: &Path, options: &Options) -> Result<Ended> {
        let Workplace { home, covolve, .. } = place;
        let criteria = if self.criterion == ALL {
            CRITERIA.iter().map(|criterion| criterion.name()).collect::<Vec<_>>().join(",")
        } else {
            self.criterion.clone()
        };
        let mut command = Command::new(covolve);
        command.arg("generate").arg("--cp").arg(classes).arg("--java-home").arg(home);
        for fixture in FIXTURES {
            command.args(["--class", fixture.class]);
        }
        command
            .args(["--algorithm", self.algorithm, "--criterion", &criteria])
            .args(["--budget", &format!("{}executions", options.executions)])
            .args(["--seed", &options.seed.to_string(), "--jobs", &options.jobs.to_string(), "--out"])
            .arg(folder.join("tests"))
            .arg("--report")
            .arg(folder.join("report"))
            .stdin(Stdio::null())
            .current_dir(folder);
        let output = command.output().with_context(|| format!("{} does not start", covolve.display()))?;
        let said = String::from_utf8_lossy(&output.stderr);
        fs::write(folder.join("stderr"), said.as_bytes())?;
        let exit = output.status.code().map(|code| code.to_string()).unwrap_or_default();
        Ok(Ended { exit, panicked: said.contains("panicked at") })
    }

    /// Where the first run wrote its tests.
    pub(super) fn tests(&self) -> PathBuf {
        self.folder.join("first/tests")
    }

    /// The file that the first run wrote for a fixture.
    pub(super) fn file(&self, fixture: &Fixture) -> PathBuf {
        self.tests().join(format!("{}CovolveTest.java", fixture.class.replace('.', "/")))
    }
}
