//! `covolve doctor`: what a folder holds, and the exit code.

#![expect(clippy::disallowed_methods, reason = "tests read and write files")]

use crate::support;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A folder of classes; with its path as the system knows it.
fn project() -> (tempfile::TempDir, String) {
    let compiled = fixture::compile("//- /p/A.java\npackage p; public class A {}\n");
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("out/p")).unwrap();
    fs::create_dir_all(folder.path().join("test")).unwrap();
    fs::copy(compiled.folder.join("p/A.class"), folder.path().join("out/p/A.class")).unwrap();
    let path = fs::canonicalize(folder.path()).unwrap();
    (folder, path.to_str().unwrap().to_owned())
}

fn doctor(folder: &Path, words: &[&str]) -> (Option<i32>, String, String) {
    let output =
        Command::new(support::covolve()).arg("doctor").args(words).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_folder_of_classes_is_told() {
    let (folder, path) = project();
    let (code, page, notes) = doctor(folder.path(), &[]);
    let lines: Vec<&str> = page.lines().collect();
    assert_eq!((code, notes.as_str()), (Some(0), ""), "{page}");
    let head =
        format!("plain folder in {path}, told by class files in {path}, which no Maven or Gradle builds");
    assert_eq!(lines[0], head);
    for line in
        ["  classes     out, up to date", "  tests       test", "1 module: 1 can have tests, 0 cannot"]
    {
        assert!(lines.contains(&line), "{page}");
    }
}

#[test]
fn what_keeps_tests_away_is_in_the_exit_code() {
    let (folder, path) = project();
    fs::remove_dir(folder.path().join("test")).unwrap();
    fs::write(folder.path().join("covolve-tests"), "").unwrap();
    let (code, page, _) = doctor(folder.path(), &[]);
    let problem = format!(
        "  problem     {path}/covolve-tests cannot hold test files: it is no folder; give another --out"
    );
    assert!(page.lines().any(|line| line == problem), "{page}");
    assert_eq!(code, Some(4), "{page}");
    let check = |words: &[&str], expect: (i32, String)| {
        let (code, page, notes) = doctor(folder.path(), words);
        assert_eq!((code, notes, page.as_str()), (Some(expect.0), format!("covolve: {}\n", expect.1), ""));
    };
    check(&["--project", "none"], (3, "--project names none, which is no folder; check the path".into()));
    let needs_build = format!(
        "--build needs a Maven or Gradle build, and {path} holds none; compile the classes and leave it out"
    );
    check(&["--build"], (2, needs_build));
    let needs_build = format!(
        "--build-arg -Pfast needs a Maven or Gradle build, and {path} holds none; leave it out (--build-arg comes from covolve.toml:1)"
    );
    fs::write(folder.path().join("covolve.toml"), "build-arg = [\"-Pfast\"]\n").unwrap();
    check(&[], (2, needs_build));
}
