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

/// A condition on a part of a text that a regular expression cuts out.
const SEAT: &str = r#"
//- /p/Seat.java
package p;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Seat {
    private static final Pattern SEAT = Pattern.compile("row (\\d{4,5})(?<place>[a-f])");

    public static boolean isBest(String text) {
        Matcher seat = SEAT.matcher(text);
        if (!seat.matches()) {
            return false;
        }
        return Integer.parseInt(seat.group(1)) * 31 + 17 == 96334 && seat.group("place").charAt(0) == 'e';
    }
}
"#;

/// Says of every problem that it has no solution, as z3 would.
const SOLVER: &str = "#!/bin/sh\nwhile read -r line; do case $line in *check-sat*) echo unsat;; *end-of-answer*) echo \
                      end-of-answer;; esac; done\n";

/// Generates tests with no other local search; the `PATH` has the solver.
fn execute_symbolically(source: &str, class: &str, arguments: &[&str], path: &str) -> ClassReport {
    let out = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(covolve());
    command.env("PATH", path);
    command.env("COVOLVE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("covolve-cache"));
    command.args(["generate", "--json", "--class", class, "--criterion", "branch"]).args(arguments);
    command.args(["--budget", "1500executions", "--set", "local-search-operators=symbolic-execution"]);
    command.arg("--cp").arg(&fixture::compile(source).folder).arg("--out").arg(out.path());
    let output = command.output().expect("the command starts");
    serde_json::from_slice(&output.stdout).expect("a report")
}

/// A worker may start no program once it runs code under test.
#[test]
fn an_installed_solver_is_started_before_the_worker_gives_up_its_rights() {
    let folder = tempfile::tempdir().expect("a folder");
    let solver = folder.path().join("z3");
    fs::write(&solver, SOLVER).expect("it is written");
    fs::set_permissions(&solver, fs::Permissions::from_mode(0o755)).expect("it is a program");
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", folder.path().display());
    let report = execute_symbolically(LOCK, "p.Lock", &["--solver", "smt-lib"], &path);
    let symbolic = report.symbolic_execution.expect("it was applied");
    assert!(symbolic.queries > 0, "{symbolic:?}");
    assert_eq!(symbolic.unsatisfiable, symbolic.queries, "{symbolic:?}");
}

#[test]
fn what_a_group_of_a_match_has_is_solved_for() {
    let path = std::env::var("PATH").unwrap_or_default();
    let report = execute_symbolically(SEAT, "p.Seat", &[], &path);
    assert!(report.open_goals.is_empty(), "{:?}", report.open_goals);
}
