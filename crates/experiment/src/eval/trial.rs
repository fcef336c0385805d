//! One measurement of a class.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};
use serde_json::Value;
use testcase::clock::Clock;

use crate::eval::Options;
use crate::eval::raw::{Ran, Row};
use crate::repository::root;
use crate::subject::{Subject, hash};

/// One measurement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trial<'a> {
    pub(super) subject: &'a Subject,
    pub(super) budget: &'a str,
    pub(super) seed: u64,
    /// `None` for that of `generate`.
    pub(super) algorithm: Option<&'a str>,
}

impl std::fmt::Display for Trial<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { subject, budget, seed, algorithm } = self;
        write!(formatter, "{} {budget} seed {seed}", subject.class)?;
        algorithm.map_or(Ok(()), |algorithm| write!(formatter, " {algorithm}"))
    }
}

impl Trial<'_> {
    /// Generates, and judges if there is a judge; the row, and covolve's report, null where there is none.
    pub(super) fn measure(&self, covolve: &Path, options: &Options) -> anyhow::Result<(Row, Value)> {
        let scratch = tempfile::tempdir()?;
        let tests = match &options.keep {
            Some(keep) => {
                root().join(keep).join(self.algorithm.unwrap_or_default()).join(&self.subject.class)
            }
            None => scratch.path().join("tests"),
        };
        let mut command = self.subject.generate(covolve, self.budget, self.seed, &tests);
        if let Some(algorithm) = self.algorithm {
            command.args(["--algorithm", algorithm]);
        }
        command.args(&options.common.more).current_dir(scratch.path());
        if let Some(home) = &options.java_home {
            command.arg("--java-home").arg(home);
        }
        let clock = Clock::start();
        let output = command.output().with_context(|| format!("{} does not start", covolve.display()))?;
        let wall = clock.now().as_secs_f64();
        let text = String::from_utf8_lossy(&output.stdout);
        // A run that failed has no report: the row says so by its exit code.
        let report =
            text.lines().next().and_then(|line| serde_json::from_str(line).ok()).unwrap_or(Value::Null);
        let judged = match &options.judge {
            Some(judge) if tests.is_dir() => self.judge(judge, &tests, options)?,
            _ => Value::Null,
        };
        let ran = Ran { code: output.status.code(), wall, file_hash: hash(&tests) };
        Ok((Row::new(self, &ran, &report, &judged), report))
    }

    fn judge(&self, folder: &Path, tests: &Path, options: &Options) -> anyhow::Result<Value> {
        let folder = root().join(folder);
        let python = |script: &str, arguments: &[&str]| -> anyhow::Result<String> {
            let output = Command::new("python3")
                .arg(folder.join(script))
                .args(arguments)
                .output()
                .context("python3 does not start")?;
            if !output.status.success() {
                bail!("{script}: {}", String::from_utf8_lossy(&output.stderr).trim());
            }
            Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let class_path = python("subjects.py", &["classpath", &self.subject.coordinates])?;
        let tests = tests.to_str().context("the scratch folder has a name that is no text")?;
        let runs = options.judge_runs.to_string();
        let mut arguments =
            vec!["--cp", &class_path, "--class", &self.subject.class, "--tests", tests, "--runs", &runs];
        let home = options.java_home.as_deref().map(Path::to_string_lossy);
        if let Some(home) = &home {
            arguments.extend(["--java-home", home]);
        }
        if options.pit {
            arguments.push("--pit");
        }
        let text = python("judge.py", &arguments)?;
        let line = text.lines().last().unwrap_or_default();
        serde_json::from_str(line).context("the judge says no JSON")
    }
}
