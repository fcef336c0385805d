//! Every criterion on a class for which the goals, and those that can be covered, are known.

#![expect(clippy::disallowed_methods, reason = "tests read files")]

use crate::support;
use std::fs;
use std::process::Command;

use crate::support::covolve;
use cli::json::ClassReport;
use coverage::criterion::CRITERIA;
use search::algorithm::ALGORITHMS;

/// Two methods call each other's helper; one branch of `helper` is out of reach for who calls `twice` alone.
const GATE: &str = r#"
//- /p/Gate.java
package p;

public class Gate {
    private int opened;

    public int open(int code) {
        if (code == 4711) {
            opened++;
        }
        return opened;
    }
    public void pass(String name) throws java.io.IOException {
        if (name.isEmpty()) throw new IllegalStateException();
        if (name.equals("none")) throw new java.io.FileNotFoundException();
        log(name);
    }
    public boolean isOpen() { return opened > 0; }
    private void log(String name) { name.trim(); }
    public void never() { throw new UnsupportedOperationException(); }
}
"#;

/// Runs an algorithm; gives the report and the file.
fn run(algorithm: &str, criteria: &str, executions: u32) -> (ClassReport, String) {
    let compiled = fixture::compile(GATE);
    let out = tempfile::tempdir().expect("a folder");
    let class_path = compiled.folder.display().to_string();
    let budget = format!("{executions}executions");
    let output = Command::new(covolve())
        .args(["generate", "--class", "p.Gate", "--cp", &class_path, "--json"])
        .args(["--out".as_ref(), out.path().as_os_str()])
        .args(["--budget", &budget, "--algorithm", algorithm, "--criterion", criteria])
        .args(["--suite", "complete"])
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    let report: ClassReport = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{algorithm}, {criteria}: {error}: {said}"));
    let file = report.file.as_ref().map(|file| fs::read_to_string(file).expect("it was written"));
    (report, file.unwrap_or_default())
}

fn covered(report: &ClassReport) -> Vec<(&str, usize, usize)> {
    report.criteria.iter().map(|row| (row.name.as_str(), row.goals, row.covered)).collect()
}

#[test]
fn every_criterion_has_its_goals_and_covers_what_can_be_covered() {
    let expect = [
        // Of `open`, `pass` and `isOpen` two outcomes each, four of `pass`; entries of the others.
        ("branch", 11, 11),
        ("direct-branch", 11, 11),
        ("line", 11, 11),
        ("statement", 16, 16),
        ("method", 6, 6),
        // `never` does not return, and is no goal.
        ("method-no-exception", 5, 5),
        ("method-trace", 6, 6),
        // `open` returns 0 or more; `isOpen` both.
        ("output", 5, 4),
        // `code` in three classes, `name` in three.
        ("input", 6, 6),
        // `pass` declares one, throws one, and lets another through; `never` throws one.
        ("exception", 4, 4),
    ];
    let all: Vec<&str> = expect.iter().map(|(name, _, _)| *name).collect();
    assert_eq!(covered(&run("dynamosa", &all.join(","), 3000).0), expect);
    let (report, _) = run("dynamosa", "weak-mutation,strong-mutation", 4000);
    // What is killed was infected.
    let [("weak-mutation", weak, infected), ("strong-mutation", strong, killed)] = covered(&report)[..]
    else {
        panic!("{:?}", report.criteria)
    };
    assert_eq!((weak, strong), (50, 50));
    assert!(infected >= killed && killed >= 40, "{killed} of {infected} are killed");
}

#[test]
fn exceptions_alone_are_guided_to_by_branches_that_are_not_reported() {
    let (report, file) = run("dynamosa", "exception", 3000);
    // The search ends when nothing is left to guide it; exceptions do not keep it going.
    let [("exception", goals, found)] = covered(&report)[..] else { panic!("{:?}", report.criteria) };
    assert!(goals == found && found >= 3, "{found} of {goals}");
    assert!(file.contains("4711"), "branches guide: {file}");
}

/// With every algorithm every criterion together, with every third one twice the same: that all searches repeat is known without a JVM.
#[test]
fn every_algorithm_takes_every_criterion_and_repeats() {
    let criteria: Vec<&str> = CRITERIA.iter().map(|criterion| criterion.name()).collect();
    for (number, algorithm) in ALGORITHMS.iter().enumerate() {
        let once = || run(algorithm.name, &criteria.join(","), 150);
        let (report, file) = once();
        assert_eq!(report.criteria.len(), CRITERIA.len(), "{}", algorithm.name);
        assert!(report.tests > 0 && report.criteria.iter().all(|row| row.covered > 0), "{report:?}");
        assert!(number % 3 > 0 || file == once().1, "{} does not repeat", algorithm.name);
    }
}

#[test]
fn who_asks_for_mutants_to_be_killed_has_the_whole_budget_for_them() {
    // Nothing kills `x >= 0` in the place of `x > 0`.
    let source = "//- /p/Same.java\npackage p;\npublic class Same { public static int of(int x) { return x > 0 ? x : 0; } }";
    let compiled = fixture::compile(source);
    let executions = |criteria: &[&str]| {
        let words = [&["--class", "p.Same", "--budget", "3000executions"], criteria].concat();
        support::generated(&compiled, &words).0.executions
    };
    assert!(executions(&["--criterion", "branch,strong-mutation"]) >= 3000);
    assert!(executions(&["--criterion", "branch,weak-mutation"]) < 3000);
}
