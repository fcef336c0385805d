//! Distances that guide the search where chance does not find the way, end to end.

use std::path::Path;
use std::process::Command;

use crate::support::covolve;
use cli::json::ClassReport;

const SOURCES: [(&str, &str); 4] = [
    ("Contents", include_str!("../../../../fixtures/distances/Contents.java")),
    ("Flags", include_str!("../../../../fixtures/distances/Flags.java")),
    ("Orders", include_str!("../../../../fixtures/distances/Orders.java")),
    ("Texts", include_str!("../../../../fixtures/distances/Texts.java")),
];

const RESULTS: &str = include_str!("../../../../fixtures/distances/Results.java");

/// What a fixture says at the end of a line that chance does not reach.
const MARK: &str = "// needs the gradient";

/// What it says at the end of a comment that names a class of results that chance does not give.
const MARK_OF_RESULTS: &str = " needs the gradient";

/// Runs the command; gives its reports.
fn generate(classes: &Path, arguments: &[&str]) -> Vec<ClassReport> {
    let out = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(covolve());
    command.args(["generate", "--json", "--jobs", "2"]).args(arguments);
    command.arg("--cp").arg(classes).arg("--out").arg(out.path());
    command.env("COVOLVE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("covolve-cache"));
    let output = command.output().expect("the command starts");
    let text = String::from_utf8(output.stdout).expect("JSON is text");
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// Random search that does not take what code compared for its values either.
const CHANCE: &[&str] =
    &["--seed", "2", "--algorithm", "random", "--set", "dynamic-pool=0", "--set", "replaced-values=0"];

/// Runs an algorithm on all fixtures with branches; by class the marked lines, and those of them that stay open.
fn run(algorithm: &[&str]) -> Vec<(&'static str, Vec<u32>, Vec<u32>)> {
    let source = |(name, text): &(&str, &str)| format!("//- /distances/{name}.java\n{text}\n");
    let compiled = fixture::compile(&SOURCES.iter().map(source).collect::<String>());
    let limits = ["--prefix", "distances", "--budget", "30000executions"];
    let search = ["--criterion", "branch,line"];
    let reports = generate(&compiled.folder, &[&limits[..], &search, algorithm].concat());
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
    for (class, marked, open) in run(CHANCE) {
        assert!(!marked.is_empty(), "{class}");
        assert_eq!(open, marked, "chance reaches a line of {class} that it should not");
    }
    for (class, _, open) in run(&["--seed", "1", "--algorithm", "dynamosa"]) {
        assert_eq!(open, Vec::<u32>::new(), "lines of {class} that the gradient does not lead to");
    }
}

/// The goals of results that a fixture marks, as method and partition of values.
fn marked_results() -> Vec<(String, String)> {
    let lines: Vec<&str> = RESULTS.lines().map(str::trim).collect();
    let marked = lines.windows(2).filter_map(|pair| {
        let class = pair[0].strip_prefix("// the result is ")?.strip_suffix(MARK_OF_RESULTS)?;
        let name = pair[1].split('(').next()?.split(' ').next_back()?;
        Some((name.to_owned(), class.to_owned()))
    });
    marked.collect()
}

/// The goals of results that an algorithm leaves open.
fn open_results(classes: &Path, algorithm: &str) -> Vec<(String, String)> {
    let limits = ["--class", "distances.Results", "--budget", "60000executions", "--seed", "1"];
    let search = ["--criterion", "output", "--algorithm", algorithm];
    let reports = generate(classes, &[&limits[..], &search].concat());
    let open = reports.iter().flat_map(|report| &report.open_goals).map(|open| {
        let name = open.method.split('(').next().expect("a name");
        let (_, class) = open.goal.rsplit_once(" is ").expect("a partition of values");
        (name.to_owned(), class.to_owned())
    });
    open.collect()
}

/// With the distance of a result alone: it takes half of the budget.
#[test]
fn distances_of_results_lead_where_chance_does_not() {
    let compiled = fixture::compile(&format!("//- /distances/Results.java\n{RESULTS}"));
    let marked = marked_results();
    assert_eq!(marked.len(), 4);
    assert_eq!(open_results(&compiled.folder, "random"), marked, "chance");
    assert_eq!(open_results(&compiled.folder, "dynamosa"), [], "the gradient");
}
