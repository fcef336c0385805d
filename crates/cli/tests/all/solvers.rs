//! Conditions given to a solver that is installed.

#![expect(clippy::disallowed_methods, reason = "tests write files and start the command")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use crate::support::covolve;
use cli::json::ClassReport;

/// A condition that no random number fulfils.
const LOCK: &str = r"
//- /p/Lock.java
package p;

public class Lock {
    public boolean opens(int key) { return key * 31 + 17 == 1; }
}
";

/// Says of every problem that it has no solution, as z3 would.
const SOLVER: &str = "#!/bin/sh\nwhile read -r line; do case $line in *check-sat*) echo unsat;; *end-of-answer*) echo \
                      end-of-answer;; esac; done\n";

/// A worker may start no program once it runs code under test.
#[test]
fn an_installed_solver_is_started_before_the_worker_gives_up_its_rights() {
    let folder = tempfile::tempdir().expect("a folder");
    let solver = folder.path().join("z3");
    fs::write(&solver, SOLVER).expect("it is written");
    fs::set_permissions(&solver, fs::Permissions::from_mode(0o755)).expect("it is a program");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new(covolve());
    command.env("PATH", format!("{}:{path}", folder.path().display()));
    command.env("COVOLVE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("covolve-cache"));
    command.args(["generate", "--json", "--class", "p.Lock", "--criterion", "branch", "--solver", "smt-lib"]);
    command.args([
        "--budget",
        "1500executions",
        "--set",
        "local-search-operators=symbolic-execution",
        "--cp",
    ]);
    command.arg(&fixture::compile(LOCK).folder).arg("--out").arg(folder.path().join("tests"));
    let output = command.output().expect("the command starts");
    let report: ClassReport = serde_json::from_slice(&output.stdout).expect("a report");
    let symbolic = report.symbolic_execution.expect("it was applied");
    assert!(symbolic.queries > 0, "{symbolic:?}");
    assert_eq!(symbolic.unsatisfiable, symbolic.queries, "{symbolic:?}");
}
