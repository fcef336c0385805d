//! Distances that guide the search where chance does not find the way, end to end.

mod support;

use std::path::Path;
use std::process::Command;

use cli::json::ClassReport;
use support::covolve;

const SOURCES: [(&str, &str); 4] = [
    ("Contents", include_str!("../../../fixtures/distances/Contents.java")),
    ("Flags", include_str!("../../../fixtures/distances/Flags.java")),
    ("Orders", include_str!("../../../fixtures/distances/Orders.java")),
    ("Texts", include_str!("../../../fixtures/distances/Texts.java")),
];

/// What a fixture says at the end of a line that chance does not reach.
const MARK: &str = "// needs the gradient";

/// Runs an algorithm on all fixtures; by class the marked lines, and those of them that stay open.
fn run(algorithm: &str) -> Vec<(&'static str, Vec<u32>, Vec<u32>)> {
    let source = |(name, text): &(&str, &str)| format!("//- /distances/{name}.java\n{text}\n");
    let compiled = fixture::compile(&SOURCES.iter().map(source).collect::<String>());
    let out = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(covolve());
    command.args([
        "generate",
        "--json",
        "--prefix",
        "distances",
        "--budget",
        "30000executions",
        "--seed",
        "1",
    ]);
    command.args(["--criterion", "branch,line", "--algorithm", algorithm, "--jobs", "2", "--cp"]);
    command.arg(&compiled.folder).arg("--out").arg(out.path());
    command.env("COVOLVE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("covolve-cache"));
    let output = command.output().expect("the command starts");
    let text = String::from_utf8(output.stdout).expect("JSON is text");
    let reports: Vec<ClassReport> =
        text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let of = |(name, text): &(&'static str, &str)| {
        let class = format!("distances.{name}");
        let report = reports.iter().find(|report| report.class == class).expect(&class);
        let numbered = (1..).zip(text.lines());
        let marked: Vec<u32> =
            numbered.filter(|(_, line)| line.ends_with(MARK)).map(|(number, _)| number).collect();
        let is_open = |line: &&u32| report.open_goals.iter().any(|open| open.line == Some(**line));
        let open = marked.iter().filter(is_open).copied().collect();
        (*name, marked, open)
    };
    SOURCES.iter().map(of).collect()
}

#[test]
fn gradients_lead_where_chance_does_not() {
    for (class, marked, open) in run("random") {
        assert!(!marked.is_empty(), "{class}");
        assert_eq!(open, marked, "chance reaches a line of {class} that it should not");
    }
    for (class, _, open) in run("dynamosa") {
        assert_eq!(open, Vec::<u32>::new(), "lines of {class} that the gradient does not lead to");
    }
}
