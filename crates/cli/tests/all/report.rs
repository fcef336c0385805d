//! `covolve report` on files as `generate` writes them, made by hand: modules, sources, formats, and what is wrong in one sentence.

#![expect(clippy::disallowed_methods, reason = "tests read and write files")]

use crate::support;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use cli::json::{ClassReport, CriterionReport, OpenGoalReport};
use serde_json::Value;

const HEADER: &str = "TARGET_CLASS,configuration_id,algorithm,Random_Seed,criterion,id,goal,class,method,line,status,test,fitness,\
                      executions,reason,tests,module\n";

fn open(class: &str, line: u32, detail: &str) -> OpenGoalReport {
    OpenGoalReport {
        goal: format!("line {line} of {class}.f(): the null check jumps"),
        criterion: "branch".into(),
        class: class.into(),
        method: "f()V".into(),
        line: Some(line),
        reason: "no_value".into(),
        cause: "null check".into(),
        detail: detail.into(),
        behind: None,
    }
}

/// A class of a module with a branch on a line: one outcome is covered by two tests, the other one is open.
fn class(module: &str, name: &str, detail: &str) -> ClassReport {
    ClassReport {
        class: name.into(),
        module: Some(module.into()),
        file: Some(format!("{module}/src/test/java/{}CovolveTest.java", name.replace('.', "/"))),
        seed: 7,
        algorithm: "auto".into(),
        criteria: vec![CriterionReport {
            name: "branch".into(),
            goals: 2,
            covered: 1,
            ..CriterionReport::default()
        }],
        open_goals: vec![open(name, 4, detail)],
        ..ClassReport::default()
    }
}

/// The rows of goals of such a class.
fn rows(module: &str, name: &str) -> String {
    let path = name.replace('.', "/");
    let row = |outcome: u32, state: &str| {
        let way = ["does not jump", "jumps"][outcome as usize];
        format!(
            "{name},,auto,7,branch,branch {path}#f()V@2:{outcome},line 4 of {name}.f(): the null check {way},{name},f()V,4,{state},{module}\n"
        )
    };
    row(0, "covered,one,0,5,,one;two") + &row(1, "open,,0.5,,no_value,")
}

fn put(folder: &Path, file: &str, text: &str) {
    let path = folder.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A project of two modules, with what `generate` wrote in `data`.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let mut classes = String::new();
    let mut goals = HEADER.to_owned();
    for (module, name) in [("core", "p.Foo"), ("util", "q.Bar")] {
        put(root, &format!("{module}/pom.xml"), "");
        let path = name.replace('.', "/");
        put(
            root,
            &format!("{module}/src/main/java/{path}.java"),
            "package p;\n\nclass Foo {\n  // naïve\n}\n",
        );
        let test = "class T {\n    @Test\n    void one() {\n    }\n    @Test\n    void two() {\n    }\n}\n";
        put(root, &format!("{module}/src/test/java/{path}CovolveTest.java"), test);
        // A first run of the same class and seed, whose rows and reports the second replaces.
        for detail in ["before", "it was never null"] {
            classes.push_str(&class(module, name, detail).to_line());
            classes.push('\n');
            goals.push_str(&rows(module, name));
        }
    }
    put(root, "data/classes.jsonl", &classes);
    put(root, "data/goals.csv", &goals);
    put(root, "data/statistics.csv", "nothing that is read\n");
    folder
}

fn report(folder: &Path, words: &str) -> Output {
    Command::new(support::covolve())
        .arg("report")
        .args(words.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn all_formats_are_written_from_what_generate_left() {
    let project = project();
    let output = report(project.path(), "--from data --format html,markdown,sarif,cobertura,lcov --out made");
    assert_eq!(
        (text(&output.stderr), text(&output.stdout)),
        (
            "",
            "html: made/covolve-report.html\nmarkdown: made/covolve.md\nsarif: made/covolve.sarif\ncobertura: \
             made/covolve-cobertura.xml\nlcov: made/covolve.info\n"
        )
    );
    let made = |file: &str| fs::read_to_string(project.path().join("made").join(file)).unwrap();
    let expect = ["core/src/main/java/p/Foo.java", "util/src/main/java/q/Bar.java"].map(|path| {
        let name = path.split_once("java/").unwrap().1.trim_end_matches(".java").replace('/', ".");
        format!(
            "TN:covolve\nSF:{path}\nFN:4,{name}.f()V\nFNDA:2,{name}.f()V\nFNF:1\nFNH:1\nBRDA:4,0,0,2\nBRDA:4,0,1,0\nBRF:2\nBRH:1\n\
             DA:4,2\nLF:1\nLH:1\nend_of_record\n"
        )
    });
    assert_eq!(made("covolve.info"), expect.concat());
    let xml = made("covolve-cobertura.xml");
    assert!(xml.contains("branches-covered=\"2\" branches-valid=\"4\""), "{xml}");
    assert!(xml.contains("filename=\"util/src/main/java/q/Bar.java\""), "{xml}");
    let sarif: Value = serde_json::from_str(&made("covolve.sarif")).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    assert_eq!(
        results[0]["message"]["text"],
        "Not covered: line 4 of p.Foo.f(): the null check jumps. Never came out so: it was never null."
    );
    assert!(made("covolve.md").contains("| Branch | 2 | 4 | 50.0 % |"));
    let html = made("covolve-report.html");
    assert!(
        html.contains("<span class=\"module\">core</span>") && html.contains("data-module=\"util\""),
        "{html}"
    );
}

#[test]
fn classes_of_one_name_in_two_modules_are_two() {
    let project = project();
    let root = project.path();
    let (mut classes, mut goals) = (String::new(), HEADER.to_owned());
    for module in ["core", "util"] {
        put(root, &format!("{module}/src/main/java/r/Same.java"), "package r;\nclass Same {\n}\n");
        // One folder for the tests of all modules says nothing of the module.
        let class = ClassReport { file: None, ..class(module, "r.Same", module) };
        classes.push_str(&(class.to_line() + "\n"));
        goals.push_str(&rows(module, "r.Same"));
    }
    put(root, "same/classes.jsonl", &classes);
    put(root, "same/goals.csv", &goals);
    let output = report(root, "--from same --format lcov --out -");
    let files: Vec<&str> = text(&output.stdout).lines().filter_map(|line| line.strip_prefix("SF:")).collect();
    assert_eq!(files, ["core/src/main/java/r/Same.java", "util/src/main/java/r/Same.java"]);
    assert_eq!(text(&output.stdout).matches("BRF:2\nBRH:1\n").count(), 2, "each with its goals");
}

#[test]
fn the_same_files_give_the_same_bytes() {
    let project = project();
    let bytes = |out: &str| {
        assert!(report(project.path(), &format!("--from data --out {out}")).status.success());
        fs::read(project.path().join(out)).unwrap()
    };
    assert_eq!(bytes("one.html"), bytes("two.html"));
}

#[test]
fn open_goals_alone_are_enough_for_what_shows_no_others() {
    let project = project();
    let output =
        report(project.path(), "--from data/classes.jsonl --format sarif --criterion line,branch --out -");
    let log: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 2);
}

#[test]
fn what_is_wrong_is_one_sentence() {
    let project = project();
    let root = project.path();
    put(root, "broken.jsonl", "{\"class\": 3}\n");
    put(root, "other/goals.csv", "criterion\nbranch\n");
    fs::create_dir(root.join("empty")).unwrap();
    let check = |words: &str, code: i32, expect: &str| {
        let output = report(root, words);
        let sentence = text(&output.stderr);
        assert!(sentence.starts_with("covolve: ") && sentence.contains(expect), "{words}: {sentence}");
        assert_eq!(sentence.matches('\n').count(), 1, "{words}: {sentence}");
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(code), ""), "{words}");
    };
    check("", 3, "nothing is known of tests for . yet: run `covolve generate` there first");
    check("--from none", 3, "none cannot be read: No such file");
    check("--from empty", 3, "empty holds no class: give --from a file");
    check("--from broken.jsonl", 3, "line 1 is no report of `covolve generate --json`");
    check("--from other", 3, "it is no goals.csv of `covolve generate --report`");
    check("--from data --project none", 3, "--project none is no folder");
    check("--from data --sources none", 3, "--sources none is no folder");
    check("--from data --format cobertra", 2, "--format cobertra is not known; give html, markdown");
    check("--from data --format sarif --criterion lines", 2, "--criterion lines is not known");
    check("--from data --format html,lcov --out -", 2, "--out - takes one format, and 2 are asked for");
    check("--from data --out broken.jsonl/x/y.html", 4, "cannot be written");
    check(
        "--from data/classes.jsonl --format lcov",
        3,
        "lcov needs every goal, and of p.Foo only the open ones are known: give --from the goals.csv",
    );
}
