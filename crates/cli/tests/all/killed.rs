//! The command and its children, killed from outside at moments that a test sees rather than times.

#![expect(clippy::disallowed_methods, reason = "tests read files and start the command")]

use crate::support;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use cli::json::ClassReport;
use output::junit::header::{EditState, is_unedited};
use rustix::process::{Pid, Signal, kill_process};

/// Has a goal that nothing covers, so that its search does not end by itself.
const CLASS: &str = r"
//- /p/Impossible.java
package p;

public class Impossible {
    public static int square(int x) { return x % 4 * (x % 4) == 3 ? 1 : x > 1000 ? 2 : 0; }
}
";

fn start(budget: &str, islands: &str, out: &Path) -> Child {
    Command::new(support::covolve())
        .args(["generate", "--json", "--class", "p.Impossible"])
        .args(["--suite", "complete", "--budget", budget, "--islands", islands, "--out"])
        .arg(out)
        .arg("--cp")
        .arg(&fixture::compile(CLASS).folder)
        .env("COVOLVE_CACHE", support::environment().cache.unwrap())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// A process by number and the words of its command line.
type Process = (i32, Vec<String>);

/// The children of a process that have become what they were started for.
fn children(parent: u32) -> Vec<Process> {
    let numbers = fs::read_dir("/proc").unwrap().flatten();
    let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let mut children = Vec::new();
    for number in numbers {
        let status = fs::read_to_string(format!("/proc/{number}/status")).unwrap_or_default();
        if !status.lines().any(|line| line == format!("PPid:\t{parent}")) {
            continue;
        }
        let words = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
        let words = String::from_utf8_lossy(&words).split('\0').map(str::to_owned).collect();
        children.push((number, words));
    }
    children
}

fn is_worker((_, words): &Process) -> bool {
    words.get(1).is_some_and(|word| word == "worker")
}

fn is_verifier((_, words): &Process) -> bool {
    words.iter().any(|word| word == "covolve.runner.Main")
}

/// Whether the process is still there and still the same.
fn is_alive((number, words): &Process) -> bool {
    let now = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
    let now = String::from_utf8_lossy(&now);
    !now.is_empty() && now.split('\0').eq(words.iter().map(String::as_str))
}

/// Looks again and again; the test runner's patience is the limit.
fn until(condition: &mut dyn FnMut() -> bool) {
    while !condition() {
        // tidy: looks again at processes, which tell nobody that they have changed
        thread::sleep(Duration::from_millis(2));
    }
}

fn kill(process: i32) {
    // One that has just ended needs no end.
    let _ = kill_process(Pid::from_raw(process).unwrap(), Signal::KILL);
}

/// Kills the command as soon as `moment` has come, given its children and its folder.
fn check_killed(moment: &dyn Fn(&[Process], &Path) -> bool, expect_file: bool) {
    let out = tempfile::tempdir().unwrap();
    // The first file comes after a sixth of it.
    let mut command = start("60s", "1", out.path());
    let mut seen = Vec::new();
    until(&mut || {
        seen = children(command.id());
        assert!(command.try_wait().unwrap().is_none(), "it ended by itself");
        moment(&seen, out.path())
    });
    command.kill().unwrap();
    command.wait().unwrap();
    until(&mut || !seen.iter().any(is_alive));
    let folder = out.path().join("p");
    let names: Vec<String> = fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names, if expect_file { vec!["ImpossibleCovolveTest.java"] } else { Vec::new() });
    for name in names {
        // Its header has the hash of the whole text.
        let text = fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(is_unedited(&text), EditState::Unedited);
    }
}

#[test]
fn a_command_that_is_killed_leaves_no_process_and_no_half_file() {
    check_killed(&|children, _| children.iter().any(is_verifier), false);
    check_killed(&|children, _| children.iter().any(is_worker), false);
    check_killed(&|_, out| out.join("p/ImpossibleCovolveTest.java").exists(), true);
}

#[test]
fn children_that_are_killed_are_replaced() {
    let out = tempfile::tempdir().unwrap();
    let mut command = start("3000executions", "1", out.path());
    for kind in [is_verifier, is_worker] {
        until(&mut || {
            let found = children(command.id()).into_iter().find(kind);
            found.inspect(|(number, _)| kill(*number)).is_some() || command.try_wait().unwrap().is_some()
        });
    }
    let report = report(command);
    assert!(report.diagnostics.iter().any(|sentence| sentence.contains("signal 9")), "{report:?}");
    assert_eq!(report.executions, 3000, "{report:?}");
    assert!(out.path().join("p/ImpossibleCovolveTest.java").exists());
}

/// The report of a command that ends well.
fn report(command: Child) -> ClassReport {
    let output = command.wait_with_output().unwrap();
    let report: ClassReport = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    assert_eq!(output.status.code(), Some(0), "{report:?}");
    report
}

#[test]
fn whichever_island_is_killed_is_replaced_and_loses_the_others_nothing() {
    // A worker that is lost with a call counts as so many executions.
    const LOST: u64 = 50;
    for which in 0..3 {
        let out = tempfile::tempdir().unwrap();
        let mut command = start("6000executions", "3", out.path());
        until(&mut || {
            assert!(command.try_wait().unwrap().is_none(), "it ended by itself");
            let mut workers: Vec<i32> =
                children(command.id()).into_iter().filter(is_worker).map(|(number, _)| number).collect();
            workers.sort_unstable();
            (workers.len() == 3).then(|| kill(workers[which])).is_some()
        });
        let report = report(command);
        assert!(report.diagnostics.iter().any(|sentence| sentence.contains("signal 9")), "{report:?}");
        assert!(report.executions + LOST >= 6000, "{report:?}");
        assert!(report.islands.iter().all(|island| island.executions + LOST >= 2000), "{report:?}");
        assert_eq!(report.losses.archived, report.losses.verified, "{report:?}");
        assert!(out.path().join("p/ImpossibleCovolveTest.java").exists());
    }
}
