//! Tests that differ in literals alone are rows of one, for every command.

use crate::support;
use std::ffi::OsString;
use std::path::PathBuf;

use crate::support::folder::{Folder, text};
use cli::check::CheckedClass;

/// Points have grades; a line may be added, and a grade be another one.
fn grades(third: &str, more: &str) -> String {
    format!(
        r#"
//- /p/Grades.java
package p;
public class Grades {{
    public static String of(int points) {{
        if (points < 0) throw new IllegalArgumentException();
        if (points > 90) return "A";
        if (points > 80) return "B, nearly";
        if (points > 70) return "{third}";
        if (points > 60) return " ";
        return "";
    }}
    {more}
}}
"#
    )
}

const MORE: &str = "public static boolean isGood(char grade) { return grade == 'A'; }";

/// An annotation of JUnit's classes, without which `javac` warns of each of them.
const API: &str = "
//- /org/apiguardian/api/API.java
package org.apiguardian.api;
public @interface API {
    enum Status { INTERNAL, DEPRECATED, EXPERIMENTAL, MAINTAINED, STABLE }
    Status status();
    String since() default \"\";
    String[] consumers() default {};
}
";

/// The class path of JUnit with what parameterized tests need, and the words that name it.
fn junit() -> (OsString, String) {
    let junit = support::junit_with_parameters();
    let parameters: &PathBuf = junit.class_path.last().unwrap();
    let words = parameters.display().to_string();
    (std::env::join_paths(&junit.class_path).unwrap(), words)
}

fn generate(folder: &Folder, words: &[&str]) -> String {
    let output = folder.covolve(&[&["generate", "--budget", "2000executions"], words].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    folder.test("Grades")
}

/// The parameterized tests of a file, with their annotations.
fn tables(file: &str) -> Vec<&str> {
    let tables = file.split("    @ParameterizedTest\n").skip(1);
    tables.map(|table| table.split("\n    }\n").next().unwrap()).collect()
}

/// The rows of the table of grades.
fn rows(file: &str) -> Vec<&str> {
    let rows = file.lines().map(str::trim).filter(|line| line.starts_with('"'));
    rows.map(|row| row.trim_end_matches(',')).collect()
}

#[test]
fn partitions_are_rows_that_junit_runs_and_that_stay_when_the_class_changes() {
    let (class_path, parameters) = junit();
    let with_parameters = ["--junit-cp", &*parameters];
    let folder = Folder::new(&grades("C", ""));
    let first = generate(&folder, &with_parameters);
    let [table] = tables(&first)[..] else { panic!("{first}") };
    assert!(table.contains("void ofReturnsText(int points, String expected) {"), "{first}");
    assert!(
        rows(&first).len() >= 4 && rows(&first).iter().any(|row| row.ends_with(", 'B, nearly'\"")),
        "{first}"
    );
    let with_classes = format!("{}:{}", folder.path("classes").display(), class_path.to_string_lossy());
    let sources = format!("{API}//- /p/GradesCovolveTest.java\n{first}");
    fixture::compile_strictly(&sources, &["-cp", &with_classes]);
    let check = || {
        let output = folder.covolve(&["check", "--json", "--junit-cp", &parameters]);
        let checked = serde_json::from_str::<CheckedClass>(text(&output.stdout).trim());
        checked.unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)))
    };
    let checked = check();
    let methods = first.matches("    @Test\n").count();
    assert_eq!((checked.tests, checked.changes.len()), (methods + rows(&first).len(), 0), "{first}");
    // What holds stays as it is; a row that kills more may come behind the others.
    folder.compile(&grades("C", MORE));
    let second = generate(&folder, &[&with_parameters[..], &["--seed", "7"]].concat());
    assert!(second.contains("isGood(") && rows(&second).starts_with(&rows(&first)), "{second}");
    // A row that fails is named, and goes alone.
    folder.compile(&grades("D", MORE));
    let changed = check();
    assert!(
        changed
            .changes
            .iter()
            .any(|change| change.test.starts_with("ofReturnsText[") && change.actual == "D"),
        "{changed:?}"
    );
    let third = generate(&folder, &[&with_parameters[..], &["--update"]].concat());
    let holds = |row: &&str| !row.ends_with(", C\"");
    let left: Vec<&str> = rows(&first).into_iter().filter(holds).collect();
    let found: Vec<&str> = rows(&third).into_iter().filter(|row| left.contains(row)).collect();
    assert_eq!(found, left, "{third}");
    assert!(
        third.contains("void ofReturnsText(int points, String expected) {") && check().changes.is_empty(),
        "{third}"
    );
}

#[test]
fn tests_are_methods_where_there_is_nothing_to_run_rows_with_or_nobody_wants_them() {
    let (_, parameters) = junit();
    let folder = Folder::new(&grades("C", ""));
    for words in [&[][..], &["--junit-cp", &parameters, "--parameterized", "never"]] {
        let file = generate(&folder, &[words, &["--fresh"]].concat());
        assert_eq!(tables(&file), [""; 0], "{file}");
        assert!(file.matches("    @Test\n").count() >= 5, "{file}");
    }
}
