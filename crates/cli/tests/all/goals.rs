//! `covolve goals`: the goals of classes and what depends on what, without running anything; `covolve criteria` and
//! `covolve algorithms`.

use crate::support;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use cli::goals::ClassGoals;

const CLASSES: &str = "
//- /p/Gate.java
package p;
public class Gate {
    public int open(int key, String name) {
        if (key > 10) {
            switch (key % 3) {
                case 0: return 0;
                case 1: return 1;
                default: return name == null ? 2 : 3;
            }
        }
        return -1;
    }
    public boolean closed() { return true; }
    static class Lock { int turn(int x) { return x > 0 ? 1 : 0; } }
}
";

fn covolve(words: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(support::covolve()).args(words).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn goals(options: &[&str], words: &[&str]) -> String {
    let folder = fixture::compile_with(CLASSES, options).folder;
    let first = ["goals", "--cp", folder.to_str().unwrap(), "--class", "p.Gate"];
    let (code, out, error) = covolve(&[&first, words].concat());
    assert_eq!((code, &*error), (Some(0), ""));
    out
}

#[test]
fn goals_are_sentences_with_lines_and_dependences() {
    insta::assert_snapshot!(goals(&[], &["--criterion", "branch,line"]));
}

#[test]
fn json_says_the_same_of_every_goal() {
    let listed: ClassGoals = serde_json::from_str(&goals(&[], &["--json", "--criterion", "branch"])).unwrap();
    assert_eq!((listed.class.as_str(), listed.without_goals.len()), ("p.Gate", 0));
    let outcomes = listed.goals.iter().filter(|goal| goal.method.starts_with("open("));
    // One comparison, a switch with three ways, a null check.
    assert_eq!(outcomes.count(), 7);
    let null_check = listed.goals.iter().filter(|goal| goal.goal.contains("null check"));
    for goal in null_check {
        let parents: Vec<&str> =
            goal.after.iter().map(|&parent| listed.goals[parent].goal.as_str()).collect();
        assert_eq!(parents, ["line 5 of p.Gate.open(int, String): the switch takes the default"]);
        assert_eq!(goal.line, Some(8));
    }
    let nested: BTreeSet<&str> = listed.goals.iter().map(|goal| goal.class.as_str()).collect();
    assert_eq!(nested, BTreeSet::from(["p.Gate", "p.Gate$Lock"]));
}

#[test]
fn the_graph_has_the_goals_as_nodes_and_their_dependences_as_arrows() {
    let listed: ClassGoals = serde_json::from_str(&goals(&[], &["--json"])).unwrap();
    let text = goals(&[], &["--dot"]);
    let mut nodes = BTreeMap::new();
    let mut arrows = BTreeSet::new();
    let mut depth = 0_i32;
    for line in text.lines().map(str::trim) {
        let number = |name: &str| name.strip_prefix('g').unwrap().parse::<usize>().unwrap();
        if line.ends_with('{') {
            depth += 1;
        } else if line == "}" {
            depth -= 1;
        } else if let Some((from, to)) = line.strip_suffix(';').and_then(|edge| edge.split_once(" -> ")) {
            arrows.insert((number(from), number(to)));
        } else if let Some((name, label)) = line.split_once(" [label=\"").filter(|_| line.starts_with('g')) {
            nodes.insert(number(name), label.strip_suffix("\"];").unwrap().to_owned());
        } else {
            assert!(line.starts_with("label=\"") || line == "node [shape=box];", "{line}");
        }
        assert!(depth > 0 || line == "}", "{line}");
    }
    assert_eq!(depth, 0, "{text}");
    let expect = listed.goals.iter().map(|goal| format!("{}: {}", goal.criterion, goal.goal));
    assert_eq!(nodes.into_values().collect::<Vec<_>>(), expect.collect::<Vec<_>>());
    let depends = listed.goals.iter().enumerate();
    let depends = depends.flat_map(|(child, goal)| goal.after.iter().map(move |&parent| (parent, child)));
    assert_eq!(arrows, depends.collect());
}

#[test]
fn a_criterion_without_goals_is_told_and_the_others_go_on() {
    let text = goals(&["-g:none"], &["--criterion", "line,branch"]);
    let mut lines = text.lines();
    assert!(lines.next().is_some_and(|line| line.starts_with("p.Gate: ")), "{text}");
    assert_eq!(lines.next(), Some("  it has no goals of the criterion line"));
    assert!(text.contains("the switch takes case 0"), "{text}");
}

#[test]
fn wrong_words_are_answered_with_the_right_ones() {
    let check = |words: &[&str], code: i32, expect: &str| {
        assert_eq!(covolve(words), (Some(code), String::new(), format!("covolve: {expect}\n")));
    };
    check(&["goals", "--cp", "."], 2, "no class is named; give --class, --prefix or --target");
    check(
        &["goals", "--class", "p.Gate", "--project", "none"],
        3,
        "--project names none, which is no folder; check the path",
    );
    let folder = fixture::compile(CLASSES).folder;
    let folder = folder.to_str().unwrap();
    let known = project::nearest::one_of(
        &coverage::criterion::CRITERIA.iter().map(|criterion| criterion.name()).collect::<Vec<_>>(),
    );
    check(
        &["goals", "--cp", folder, "--class", "p.Gate", "--criterion", "lines"],
        2,
        &format!("--criterion lines is not known; give {known}; did you mean 'line'?"),
    );
    check(
        &["goals", "--cp", folder, "--class", "p.Gaet"],
        3,
        "the class path has no class p.Gaet; did you mean p.Gate?",
    );
}

#[test]
fn criteria_and_algorithms_are_explained() {
    for (command, expect) in [
        (
            "criteria",
            "\nline (default): execute every source line\n    Every source line with code is a goal",
        ),
        ("algorithms", "random: "),
    ] {
        let (code, out, error) = covolve(&[command]);
        assert_eq!((code, &*error), (Some(0), ""));
        assert!(out.contains(expect), "{out}");
    }
}
