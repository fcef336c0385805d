//! Set-ups of papers on a class, as the command runs them.

#![expect(clippy::disallowed_methods, reason = "tests read files")]

use std::fs;
use std::process::Command;

use crate::support::covolve;
use cli::json::ClassReport;

/// What only a test of five statements covers (an object, three calls and one more), and a constant.
const STEPS: &str = r"
//- /p/Steps.java
package p;

public class Steps {
    private int steps;

    public void step() { steps++; }
    public boolean isDone() { return steps > 2; }
    public int price(int code) { return code > 100 ? code - 1 : code + 1; }
}
";

/// Runs the command with these words; gives the report and the file.
fn run(words: &str) -> (ClassReport, String) {
    let compiled = fixture::compile(STEPS);
    let out = tempfile::tempdir().expect("a folder");
    let class_path = compiled.folder.display().to_string();
    let output = Command::new(covolve())
        .args(["generate", "--class", "p.Steps", "--cp", &class_path, "--json"])
        .args(["--out".as_ref(), out.path().as_os_str()])
        .args(words.split(' '))
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    let report: ClassReport =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{words}: {error}: {said}"));
    let file = report.file.as_ref().map(|file| fs::read_to_string(file).expect("it was written"));
    (report, file.unwrap_or_default())
}

fn covered(report: &ClassReport) -> Vec<(&str, usize, usize)> {
    report.criteria.iter().map(|row| (row.name.as_str(), row.goals, row.covered)).collect()
}

#[test]
fn variants_of_papers_run_and_give_files() {
    let check = |words: &str, criteria: &[&str]| {
        let (report, file) = run(&format!("{words} --budget 300executions"));
        let mut names: Vec<&str> = report.criteria.iter().map(|row| row.name.as_str()).collect();
        let mut criteria = criteria.to_vec();
        names.sort_unstable();
        criteria.sort_unstable();
        assert_eq!(names, criteria, "{words}");
        assert!(
            report.criteria.iter().any(|row| row.covered > 0) && file.contains("@Test"),
            "{words}: {report:?}"
        );
    };
    check("--profile paper-000 --set static-pool=0 --set population=5", &["branch"]);
    check(
        "--profile paper-002 --criterion branch,exception,method-trace --algorithm mosa",
        &["branch", "method-trace", "exception"],
    );
    check(
        "--profile paper-003 --set secondary-heuristic=performance --set proxies=loops,test-calls",
        &["branch", "line", "weak-mutation", "method", "input", "output", "exception"],
    );
    check("--profile paper-004 --criterion statement --algorithm ws", &["statement"]);
    check("--profile paper-004 --criterion strong-mutation", &["strong-mutation"]);
}

#[test]
fn the_greatest_length_bounds_the_tests_of_the_worker() {
    let branches = |length: usize| {
        let (report, _) =
            run(&format!("--criterion branch --budget 3000executions --set maximum-length={length}"));
        covered(&report)[0].2
    };
    // `isDone` is true after three steps alone.
    let (short, long) = (branches(4), branches(6));
    assert_eq!((short, long), (long - 1, long));
}
