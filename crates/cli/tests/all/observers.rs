//! Goals on what can be seen of values, end to end: listed as sentences, covered, and there in the delivered file.

use std::process::Command;

use crate::support::{covolve, generated};
use cli::goals::ClassGoals;
use cli::json::ClassReport;
use fixture::Compiled;

const TANK: &str = include_str!("../../../../fixtures/observers/Tank.java");
const POINT: &str = include_str!("../../../../fixtures/observers/Point.java");
const CELL: &str = include_str!("../../../../fixtures/observers/Cell.java");

fn compile(class: &str, source: &str) -> Compiled {
    fixture::compile(&format!("//- /observers/{class}.java\n{source}"))
}

/// A goal on a value: method, what is looked at, partition of values.
type ValueGoal = (String, String, String);

/// The goals of a class as the command lists them.
fn goals(compiled: &Compiled, class: &str, criteria: &str) -> Vec<ValueGoal> {
    let output = Command::new(covolve())
        .args(["goals", "--class", class, "--criterion", criteria, "--json", "--cp"])
        .arg(&compiled.folder)
        .output()
        .expect("it starts");
    let listed: ClassGoals = serde_json::from_slice(&output.stdout).expect("goals are JSON");
    let simple = class.rsplit('.').next().expect("a name");
    let parts = listed.goals.iter().map(|goal| {
        let (value, rest) = goal.goal.rsplit_once(" of ").expect("the value of a method");
        let (_, class) = rest.rsplit_once(" is ").expect("a partition of values");
        let name = goal.method.split('(').next().expect("a name").replace("<init>", simple);
        (name, value.to_owned(), class.to_owned())
    });
    parts.collect()
}

/// The goals that comments of a fixture promise for the methods below them.
fn promised(source: &str) -> Vec<ValueGoal> {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let mut goals = Vec::new();
    for pair in lines.windows(2) {
        let Some(comment) = pair[0].strip_prefix("// ") else { continue };
        let name = pair[1].split('(').next().and_then(|head| head.split(' ').next_back()).expect("a method");
        for value in comment.split("; ") {
            let (value, classes) = value.split_once(": ").expect("a value and its classes");
            let (asked, of) = value.split_at(value.rfind(' ').map_or(0, |space| space + 1));
            let of =
                of.parse::<u32>().map_or_else(|_| format!("the {of}"), |of| format!("argument {}", of + 1));
            for class in classes.split(", ") {
                goals.push((name.to_owned(), format!("{asked}{of}"), class.to_owned()));
            }
        }
    }
    goals
}

/// Generates tests with a criterion; gives the report and the delivered file.
fn generate(compiled: &Compiled, class: &str, criteria: &str) -> (ClassReport, String) {
    let always = ["--budget", "3000executions", "--algorithm", "dynamosa"];
    generated(compiled, &[&["--class", class, "--criterion", criteria], &always[..]].concat())
}

/// The strings that assertions of a file expect.
fn asserted_strings(file: &str) -> Vec<&str> {
    let expected = file.lines().filter_map(|line| line.trim().strip_prefix("assertEquals(\""));
    expected.filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn inspectors_of_arguments_are_goals_that_delivered_tests_cover() {
    let compiled = compile("Tank", TANK);
    let promised = promised(TANK);
    assert_eq!(goals(&compiled, "observers.Tank", "input"), promised);
    let (report, file) = generate(&compiled, "observers.Tank", "input");
    let [row] = &report.criteria[..] else { panic!("{:?}", report.criteria) };
    assert_eq!((row.goals, row.covered), (promised.len(), promised.len()), "{:?}", report.open_goals);
    // What the method was given, as it says itself.
    let told = asserted_strings(&file);
    for part in ["no tank", "below", "empty", "above", "open", "shut"] {
        assert!(told.iter().any(|told| told.contains(part)), "{part}: {file}");
    }
}

#[test]
fn public_fields_are_goals_that_delivered_tests_cover() {
    let compiled = compile("Point", POINT);
    let mut promised = promised(POINT);
    // The goals of one criterion come before those of the other.
    promised.sort_by_key(|(_, value, _)| !value.ends_with("result"));
    assert_eq!(goals(&compiled, "observers.Point", "output,input"), promised);
    let (report, file) = generate(&compiled, "observers.Point", "output,input");
    let open: Vec<&str> = report.open_goals.iter().map(|open| open.goal.as_str()).collect();
    let never =
        ["null", "empty"].map(|class| format!("the result of observers.Point.where(Point) is {class}"));
    assert_eq!(open, never);
    let told = asserted_strings(&file);
    for part in ["nowhere", "left", "middle", "right", "unnamed", "blank", " named"] {
        assert!(told.iter().any(|told| told.contains(part)), "{part}: {file}");
    }
    // What the result holds is asserted, for what nothing else tells of it.
    for (expected, field) in [("0, ", ".x)"), ("-", ".x)"), ("\"", ".name)"), ("\"\", ", ".name)")] {
        let asserted = format!("assertEquals({expected}");
        let is_read = |line: &str| line.trim().starts_with(&asserted) && line.contains(field);
        assert!(file.lines().any(is_read), "{expected} of {field}: {file}");
    }
}

#[test]
fn mutants_that_only_public_fields_show_are_killed_and_asserted() {
    let compiled = compile("Cell", CELL);
    let (report, file) = generate(&compiled, "observers.Cell", "strong-mutation");
    let [row] = &report.criteria[..] else { panic!("{:?}", report.criteria) };
    assert!(row.goals > 10, "{row:?}");
    assert_eq!(row.goals, row.covered, "{:?}", report.open_goals);
    for field in [".sum)", ".last.intValue())"] {
        let is_asserted = |line: &str| line.trim().starts_with("assertEquals(") && line.contains(field);
        assert!(file.lines().any(is_asserted), "{field}: {file}");
    }
}
