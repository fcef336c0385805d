//! Runs of `covolve generate` whose files and figures are compared. Their budgets are executions, so that they may run side
//! by side.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context as _;
use serde_json::Value;
use tempfile::TempDir;

/// What a run left.
#[derive(Debug)]
pub(super) struct Delivered {
    scratch: TempDir,
    /// Exit code, `signal` if it had none.
    pub(super) code: String,
    /// Of its class; null if the run failed.
    pub(super) report: Value,
}

impl Delivered {
    /// Runs what is made of the folder for the tests.
    pub(super) fn run(command: impl FnOnce(&Path) -> Command) -> anyhow::Result<Self> {
        let scratch = tempfile::tempdir()?;
        let mut command = command(&scratch.path().join("tests"));
        let output = command.current_dir(scratch.path()).stderr(Stdio::null()).output();
        let output = output.context("covolve does not start")?;
        let text = String::from_utf8_lossy(&output.stdout);
        let report = text.lines().next().and_then(|line| serde_json::from_str(line).ok());
        let code = output.status.code().map_or_else(|| "signal".to_owned(), |code| code.to_string());
        Ok(Self { scratch, code, report: report.unwrap_or(Value::Null) })
    }

    /// Where its files are.
    pub(super) fn tests(&self) -> PathBuf {
        self.scratch.path().join("tests")
    }

    /// Covered goals and all goals of a criterion.
    pub(super) fn criterion(&self, name: &str) -> Option<(u64, u64)> {
        let row = self.report["criteria"].as_array()?.iter().find(|row| row["name"] == name)?;
        Some((row["covered"].as_u64()?, row["goals"].as_u64()?))
    }

    /// Covered goals of all criteria.
    pub(super) fn covered(&self) -> u64 {
        let rows = self.report["criteria"].as_array().into_iter().flatten();
        rows.filter_map(|row| row["covered"].as_u64()).sum()
    }

    /// A figure of the report by its JSON pointer (RFC 6901), such as `/seconds/search`.
    pub(super) fn figure(&self, pointer: &str) -> Option<f64> {
        self.report.pointer(pointer)?.as_f64()
    }

    /// A count of the report, such as `tests`.
    pub(super) fn count(&self, name: &str) -> Option<u64> {
        self.report[name].as_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_of_a_run_is_kept() {
        let report =
            r#"{"tests":3,"criteria":[{"name":"line","goals":9,"covered":4},{"name":"x","covered":2}]}"#;
        let ran = Delivered::run(|_| {
            let mut command = Command::new("/bin/sh");
            command.args(["-c", &format!("echo '{report}'; exit 3")]);
            command
        });
        let ran = ran.unwrap();
        assert_eq!((ran.code.as_str(), ran.count("tests"), ran.covered()), ("3", Some(3), 6));
        assert_eq!((ran.figure("/tests"), ran.figure("/criteria/0/covered")), (Some(3.0), Some(4.0)));
        assert_eq!((ran.criterion("line"), ran.criterion("branch")), (Some((4, 9)), None));
    }
}
