//! Compared values put into the inputs that they came from, end to end: what no constant of the code says.

use std::path::Path;
use std::process::Command;

use crate::support::covolve;
use cli::json::ClassReport;

const SOURCE: &str = include_str!("../../../../fixtures/transfer/Code.java");

/// What the fixture says at the end of a line that needs compared values.
const MARK: &str = "// needs what was compared";

/// Whether an algorithm reaches the marked line within 3,000 executions.
fn reaches(classes: &Path, algorithm: &str, seed: &str) -> bool {
    let out = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(covolve());
    command.args(["generate", "--json", "--class", "transfer.Code", "--criterion", "branch,line"]);
    command.args(["--budget", "3000executions", "--algorithm", algorithm, "--seed", seed]);
    // Local search reads what branches compared, whatever the algorithm.
    command.args(["--set", "local-search-rate=0", "--cp"]);
    command.arg(classes).arg("--out").arg(out.path());
    command.env("COVOLVE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("covolve-cache"));
    let output = command.output().expect("the command starts");
    let text = String::from_utf8(output.stdout).expect("JSON is text");
    let report: ClassReport =
        serde_json::from_str(text.lines().last().expect("a report")).expect("the report is JSON");
    let marked = (1..).zip(SOURCE.lines()).find(|(_, line)| line.ends_with(MARK));
    let line = marked.map(|(number, _)| number);
    assert!(line.is_some() && report.tests > 0);
    !report.open_goals.iter().any(|open| open.line == line)
}

#[test]
fn auto_reads_what_branches_compared_and_the_others_do_not() {
    let compiled = fixture::compile(&format!("//- /transfer/Code.java\n{SOURCE}"));
    let reached = |algorithm: &str| {
        ["0", "1", "2"].into_iter().filter(|seed| reaches(&compiled.folder, algorithm, seed)).count()
    };
    // Four of five seeds do.
    let auto = reached("auto");
    assert!(auto >= 2, "auto: {auto} of 3");
    assert_eq!(reached("dynamosa"), 0);
}
