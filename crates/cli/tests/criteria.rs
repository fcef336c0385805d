//! Every criterion on a class for which the goals, and those that can be covered, are known.

mod support;

use std::process::Command;

use cli::json::ClassReport;
use support::covolve;

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

fn reports(algorithm: &str, criteria: &str) -> ClassReport {
    let compiled = fixture::compile(GATE);
    let out = tempfile::tempdir().expect("a folder");
    let class_path = compiled.folder.display().to_string();
    let output = Command::new(covolve())
        .args(["generate", "--class", "p.Gate", "--cp", &class_path, "--json"])
        .args(["--out".as_ref(), out.path().as_os_str()])
        .args(["--budget", "3000executions", "--algorithm", algorithm, "--criterion", criteria])
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{algorithm}, {criteria}: {error}: {said}"))
}

#[test]
fn every_criterion_has_its_goals_and_covers_what_can_be_covered() {
    // Of `open` both outcomes, of `pass` four, of the others entries; the constructor is one of them.
    let expect = [
        ("branch", 11, 11),
        ("direct-branch", 11, 11),
        ("line", 11, 11),
        ("method", 6, 6),
        // `never` does not return, and is no goal.
        ("method-no-exception", 5, 5),
        ("method-trace", 6, 6),
        // `open` returns 0 or more; `isOpen` both.
        ("output", 5, 4),
        // `code` in three classes, `name` in three.
        ("input", 6, 6),
        // `pass` declares one and throws one, and lets another through; `never` throws one.
        ("exception", 4, 4),
    ];
    let all: Vec<&str> = expect.iter().map(|(name, _, _)| *name).collect();
    let report = reports("dynamosa", &all.join(","));
    let found: Vec<_> =
        report.criteria.iter().map(|row| (row.name.as_str(), row.goals, row.covered)).collect();
    assert_eq!(found, expect);
}
