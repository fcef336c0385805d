//! The competition's protocol, with this test as the harness.

#![expect(clippy::disallowed_methods, reason = "tests read files and start the command")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::support::{covolve, environment, jdk};
use cli::exit_code::ExitCode;
use project::maven::Maven;
use project::request::Coordinates;

/// All goals are covered at once, so that searches end long before their budgets.
const CLASSES: &str = r"
//- /p/Door.java
package p;

public class Door {
    private boolean open;

    public boolean turn() {
        open = !open;
        return open;
    }
}
//- /p/Lamp.java
package p;

public class Lamp {
    private boolean lit;

    public boolean press() {
        lit = !lit;
        return lit;
    }
}
";

/// The side of the harness, in a folder of its own.
struct Harness {
    folder: tempfile::TempDir,
    tool: Child,
    says: ChildStdin,
    hears: BufReader<ChildStdout>,
}

impl Harness {
    fn start(options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("temp/data")).unwrap();
        fs::create_dir_all(folder.path().join("temp/testcases")).unwrap();
        let mut command = Command::new(covolve());
        command
            .arg("runtool")
            .args(options)
            .current_dir(folder.path())
            .env("COVOLVE_CACHE", environment().cache.unwrap());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut tool = command.spawn().unwrap();
        let (says, hears) = (tool.stdin.take().unwrap(), tool.stdout.take().unwrap());
        Self { folder, tool, says, hears: BufReader::new(hears) }
    }

    fn say(&mut self, line: impl std::fmt::Display) {
        writeln!(self.says, "{line}").unwrap();
    }

    /// Waits for the next line, which is the only one there may be.
    fn ready(&mut self) {
        let mut line = String::new();
        self.hears.read_line(&mut line).unwrap();
        assert_eq!(line, "READY\n");
    }

    fn begin(&mut self, classes: &Path, count: usize) {
        self.say("BENCHMARK");
        self.say("no/sources");
        self.say(classes.display());
        // The classes once more, and what is not there, as benchmarks have it.
        self.say(2);
        self.say(classes.display());
        self.say("no/such.jar");
        self.say(count);
        self.ready();
    }

    /// The tests that are there for a class.
    fn tests(&self, class: &str) -> PathBuf {
        let name = class.replace('.', "/");
        self.folder.path().join(format!("temp/testcases/{name}CovolveTest.java"))
    }

    /// Says no more; the code of the tool, and what it said without being asked.
    fn end(mut self) -> (Option<i32>, String) {
        drop(self.says);
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.hears, &mut rest).unwrap();
        (self.tool.wait().unwrap().code(), rest)
    }
}

/// Compiles a file by itself and runs it, with JUnit 4.12 and as Java 8.
fn judge(file: &Path, class: &str, classes: &Path) {
    let text = fs::read_to_string(file).unwrap();
    let annotated = text.lines().filter(|line| line.contains("@Test"));
    assert!(annotated.clone().all(|line| line.trim() == "@Test"), "{text}");
    assert!(annotated.count() > 0, "{text}");
    let (environment, jdk) = (environment(), jdk());
    let junit = Coordinates::of("junit", "junit", "4.12");
    let junit = Maven::new(&environment, &jdk, &|_| ()).resolve(&[junit]).unwrap();
    let out = tempfile::tempdir().unwrap();
    let path = [classes.to_owned(), out.path().to_owned()].into_iter().chain(junit);
    let path = std::env::join_paths(path).unwrap();
    let run = |command: &mut Command| {
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stdout));
    };
    let level: &[&str] = if jdk.version > 8 { &["--release", "8"] } else { &[] };
    run(Command::new(jdk.home.join("bin/javac"))
        .args(level)
        .arg("-cp")
        .arg(&path)
        .arg("-d")
        .arg(out.path())
        .arg(file));
    let test = format!("{class}CovolveTest");
    run(Command::new(jdk.java()).arg("-cp").arg(&path).args(["org.junit.runner.JUnitCore", &test]));
}

#[test]
fn a_harness_that_says_the_budget_once_gets_tests_for_every_class_that_can_have_them() {
    let classes = fixture::compile(CLASSES).folder;
    let mut harness = Harness::start(&[]);
    harness.begin(&classes, 3);
    harness.say(60);
    for class in ["p.Door", "p.Missing", "p.Lamp"] {
        harness.say(class);
        harness.ready();
        if class == "p.Missing" {
            assert!(!harness.tests(class).exists());
        } else {
            judge(&harness.tests(class), class, &classes);
        }
    }
    assert_eq!(harness.end(), (Some(0), String::new()));
}

#[test]
fn a_harness_may_say_the_budget_before_each_class_or_name_none() {
    let classes = fixture::compile(CLASSES).folder;
    let mut harness = Harness::start(&[]);
    harness.begin(&classes, 2);
    for (budget, class) in [(10, "p.Missing"), (60, "p.Lamp")] {
        harness.say(budget);
        harness.say(class);
        harness.ready();
    }
    assert!(harness.tests("p.Lamp").exists());
    assert_eq!(harness.end(), (Some(0), String::new()));
    // The pass that only measures.
    let mut harness = Harness::start(&[]);
    harness.begin(&classes, 0);
    harness.say(10);
    assert_eq!(harness.end(), (Some(0), String::new()));
}

#[test]
fn what_is_not_the_protocol_ends_with_the_code_of_input() {
    let mut harness = Harness::start(&[]);
    harness.say("HELLO");
    let code = Some(i32::from(ExitCode::Input.number()));
    assert_eq!(harness.end(), (code, String::new()));
}

#[test]
fn wrong_options_are_said_before_anything_else() {
    let check = |option: &str, value: &str, code: ExitCode| {
        let end = Harness::start(&[option, value]).end();
        assert_eq!(end, (Some(i32::from(code.number())), String::new()), "{option} {value}");
    };
    check("--junit-cp", "nowhere.jar", ExitCode::Input);
    check("--seed", "first", ExitCode::Usage);
}
