//! `covolve list`: what could be tested, and why the rest cannot.

#![expect(clippy::disallowed_methods, reason = "tests read and write files")]

use crate::support;
use std::fs;
use std::path::Path;
use std::process::Command;

const CLASSES: &str = "
//- /p/Tested.java
package p;
public class Tested {
    public int sign(int x) { return x < 0 ? -1 : 1; }
    public void gone(q.Gone gone) {}
    private static class Inside { int two() { return 2; } }
}
//- /p/Marker.java
package p;
public @interface Marker {}
//- /p/Face.java
package p;
interface Face { void nothing(); }
//- /p/Never.java
package p;
abstract class Never { private Never() {} int code() { return 1; } abstract int pick(); }
//- /p/Closed.java
package p;
class Closed { private Closed() {} int code() { return 1; } }
//- /p/Locked.java
package p;
class Locked { private Locked() {} private static int code() { return 1; } }
//- /p/Orphan.java
package p;
class Orphan extends q.Gone { int code() { return 1; } }
//- /p/New.java
package p;
class New { int code() { return 1; } }
//- /q/Gone.java
package q;
public class Gone {}
";

/// Class files of [`CLASSES`] without `q.Gone`, with one of a later Java, one that is none, and one in a wrong place.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let from = fixture::compile(CLASSES).folder.join("p");
    let to = folder.path().join("p");
    fs::create_dir(&to).unwrap();
    for file in fs::read_dir(from).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
    let newer = to.join("New.class");
    let mut bytes = fs::read(&newer).unwrap();
    bytes[6..8].copy_from_slice(&200_u16.to_be_bytes()); // the major version
    fs::write(newer, bytes).unwrap();
    fs::write(to.join("Broken.class"), "no class file").unwrap();
    fs::copy(to.join("Face.class"), to.join("Moved.class")).unwrap();
    folder
}

fn list(folder: &Path, words: &[&str]) -> String {
    let mut command = Command::new(support::covolve());
    command.args(["list", "--cp", "."]).args(words).current_dir(folder);
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(output.stderr));
    text(output.stdout)
}

#[test]
fn every_class_has_its_figures_or_its_reason() {
    let project = project();
    let lines = list(project.path(), &["--json"]);
    let rows: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let found: Vec<(&str, Option<&str>)> =
        rows.iter().map(|row| (row["class"].as_str().unwrap(), row["reason"].as_str())).collect();
    let expect = [
        ("p.Broken", Some("corrupt")),
        ("p.Closed", Some("left-out")),
        ("p.Face", Some("interface")),
        ("p.Locked", Some("no-member")),
        ("p.Marker", Some("annotation")),
        ("p.Moved", Some("misplaced")),
        ("p.Never", Some("abstract")),
        ("p.New", Some("too-new")),
        ("p.Orphan", Some("missing-supertype")),
        ("p.Tested", None),
    ];
    assert_eq!(found, expect, "{lines}");
    let tested = rows.last().unwrap();
    assert!(tested["goals"].as_u64() > Some(3) && tested["members"] == 2, "{tested}");
    assert_eq!(
        tested["left_out"],
        serde_json::json!(["p.Tested.gone(Lq/Gone;)V is left out: q.Gone is not on the class path"])
    );
}

#[test]
fn the_table_is_for_people_and_can_be_narrowed() {
    let project = project();
    let table = list(project.path(), &["--class", "p.Tested", "--class", "p.Orphan"]);
    let words: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(words[0], ["class", "goals", "members"]);
    assert_eq!((words[1][0], words[1][2]), ("p.Tested", "2"));
    let orphan = "p.Orphan  it cannot be loaded: it needs q.Gone, which is not on the class path";
    assert_eq!(table.lines().skip(2).collect::<Vec<_>>(), [orphan, "1 can be tested, 1 cannot"]);
    assert_eq!(list(project.path(), &["--class", "p.Tested,p.Orphan"]), table);
}

#[test]
fn a_class_path_that_cannot_be_used_is_said_as_for_generate() {
    let project = project();
    let check = |words: &[&str], code: i32, expect: &str| {
        let mut command = Command::new(support::covolve());
        let output = command.arg("list").args(words).current_dir(project.path()).output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("covolve: {expect}\n"));
        assert_eq!((output.status.code(), output.stdout.len()), (Some(code), 0));
    };
    check(&["--project", "none"], 3, "--project names none, which is no folder; check the path");
    check(&["--cp", "none"], 3, "--cp names none, which does not exist; check the path");
    check(
        &["--cp", ".", "--prefix", "org.acme"],
        3,
        "the class path has no package org.acme; check --prefix and --cp",
    );
}
