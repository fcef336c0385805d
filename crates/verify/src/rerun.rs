//! Test files that were delivered run once more, against the classes as they are now: nothing is dropped, it is said what fails.

use std::collections::BTreeSet;

use crate::jvm::{JvmError, TestEnd};
use crate::protocol::{Outcome, Problem, Start};
use crate::suite::TestName;
use crate::verifier::Bench;

/// A test file as we print them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestFile {
    /// Path below the root of the test sources, with slashes.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// What came of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rerun {
    /// It compiles; its tests that fail, in the order of the file.
    Ran {
        /// Number of its tests.
        tests: usize,
        /// Those that fail.
        failed: Vec<Failed>,
    },
    /// It does not compile any more.
    NotCompiled(Vec<NotCompiled>),
}

/// A test that fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// Its method.
    pub test: String,
    /// What it expected, if it says so.
    pub expected: Option<String>,
    /// What came instead.
    pub actual: String,
}

/// Code that does not compile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotCompiled {
    /// Method of the test that holds it; `None` for code outside of tests.
    pub test: Option<String>,
    /// What `javac` says, in one line: what is gone, and where it is looked for.
    pub message: String,
}

impl TestFile {
    /// Its tests with the lines on which their names stand, counted from 1: the methods that `@Test` stands before.
    fn tests(&self) -> Vec<(String, u32)> {
        let mut tests = Vec::new();
        let mut is_next = false;
        for (number, line) in self.text.lines().enumerate() {
            let line = line.trim_start();
            is_next |= line.starts_with("@Test");
            let name =
                line.split_once("void ").and_then(|(_, rest)| rest.split_once('(')).map(|(name, _)| name);
            if let Some(name) = name.filter(|_| is_next) {
                tests.push((name.trim().to_owned(), number as u32 + 1));
                is_next = false;
            }
        }
        tests
    }

    /// The test that a line belongs to.
    fn test_at(&self, line: u32) -> Option<String> {
        let before = self.tests().into_iter().take_while(|(_, first)| *first <= line);
        before.last().map(|(test, _)| test)
    }

    fn class(&self) -> String {
        self.path.trim_end_matches(".java").replace('/', ".")
    }

    fn names(&self) -> Vec<TestName> {
        let class = self.class();
        self.tests().into_iter().map(|(method, _)| TestName { class: class.clone(), method }).collect()
    }
}

/// Compiles files together and runs all tests of those that compile, in two JVMs; what came of each file.
///
/// # Errors
/// A JVM cannot be had, or `javac` fails and blames no file.
pub fn rerun(bench: &mut dyn Bench, files: &[TestFile]) -> Result<Vec<Rerun>, JvmError> {
    let mut problems: Vec<Vec<NotCompiled>> = vec![Vec::new(); files.len()];
    loop {
        let left: Vec<&TestFile> =
            files.iter().zip(&problems).filter(|(_, found)| found.is_empty()).map(|(file, _)| file).collect();
        if left.is_empty() {
            break;
        }
        let texts = left.iter().map(|file| (file.path.clone(), file.text.clone())).collect();
        let found = bench.compile(texts)?;
        if found.is_empty() {
            break;
        }
        let mut is_blamed = false;
        for problem in &found {
            if let Some(number) = files.iter().position(|file| file.path == problem.path) {
                is_blamed = true;
                problems[number].push(NotCompiled {
                    test: files[number].test_at(problem.line),
                    message: in_one_line(problem),
                });
            }
        }
        if !is_blamed {
            return Err(JvmError::Failed(found.first().map(in_one_line).unwrap_or_default()));
        }
    }
    let names: Vec<TestName> = (files.iter().zip(&problems))
        .filter(|(_, found)| found.is_empty())
        .flat_map(|(file, _)| file.names())
        .collect();
    let ends = if names.is_empty() {
        [Vec::new(), Vec::new()]
    } else {
        bench.run_both([&names, &names], [Start::Fresh; 2])?
    };
    let mut failed: Vec<(TestName, Failed)> = Vec::new();
    for ((name, first), second) in names.into_iter().zip(&ends[0]).zip(&ends[1]) {
        if let Some(failure) = failure(&name.method, first).or_else(|| failure(&name.method, second)) {
            failed.push((name, failure));
        }
    }
    let outcome = |(file, problems): (&TestFile, Vec<NotCompiled>)| {
        if !problems.is_empty() {
            return Rerun::NotCompiled(distinct(problems));
        }
        let class = file.class();
        let failed = failed.iter().filter(|(name, _)| name.class == class).map(|(_, failed)| failed.clone());
        Rerun::Ran { tests: file.tests().len(), failed: failed.collect() }
    };
    Ok(files.iter().zip(problems).map(outcome).collect())
}

fn distinct(mut problems: Vec<NotCompiled>) -> Vec<NotCompiled> {
    let mut seen = BTreeSet::new();
    problems.retain(|problem| seen.insert((problem.test.clone(), problem.message.clone())));
    problems
}

/// What `javac` says below its first line names the symbol and its place.
fn in_one_line(problem: &Problem) -> String {
    let mut lines = problem.message.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default().to_owned();
    let details: Vec<String> =
        lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    if details.is_empty() { first } else { format!("{first} ({})", details.join(", ")) }
}

/// How a test failed; `None` if it passed.
fn failure(test: &str, end: &TestEnd) -> Option<Failed> {
    let failed =
        |expected: Option<String>, actual: String| Some(Failed { test: test.to_owned(), expected, actual });
    match end {
        TestEnd::Outcome(Outcome::Passed) => None,
        TestEnd::Outcome(Outcome::Failed { exception, message, .. }) => match compared(message) {
            Some((expected, actual)) => failed(Some(expected), actual),
            None if message.is_empty() => failed(None, exception.clone()),
            None => failed(None, format!("{exception}: {message}")),
        },
        TestEnd::Outcome(Outcome::Skipped { reason }) => failed(None, format!("it was not run: {reason}")),
        TestEnd::Outcome(Outcome::Hung { .. }) => failed(None, "it ran too long".to_owned()),
        TestEnd::Died => failed(None, "it ended the JVM".to_owned()),
    }
}

/// What an assertion of JUnit says that it expected, and what came: `expected: <1> but was: <2>`, in JUnit 4 without the blanks.
/// A long message may lack its end.
fn compared(message: &str) -> Option<(String, String)> {
    let begin = |text: &'static str| message.split_once(text).map(|(_, rest)| rest);
    let rest = begin("expected: <").or_else(|| begin("expected:<"))?;
    let (expected, actual) = rest.split_once("> but was: <").or_else(|| rest.split_once("> but was:<"))?;
    Some((expected.to_owned(), actual.strip_suffix('>').unwrap_or(actual).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "package p;

class ACovolveTest {
    @Test
    void first() {
        helper();
    }

    @Test
    public void second() throws Exception {
        void_();
    }

    void helper() {
    }
}
";

    fn file(path: &str) -> TestFile {
        TestFile { path: path.into(), text: TEXT.into() }
    }

    /// `javac` blames one file, and of the other the second test fails in the second JVM.
    struct Fake {
        compilations: Vec<Vec<String>>,
    }

    impl Bench for Fake {
        fn compile(&mut self, files: Vec<(String, String)>) -> Result<Vec<Problem>, JvmError> {
            let paths: Vec<String> = files.into_iter().map(|(path, _)| path).collect();
            let message = "cannot find symbol\n  symbol:   method gone(int)\n  location: class p.B";
            let problem =
                |line| Problem { path: "p/BCovolveTest.java".into(), line, message: message.into() };
            let is_there = paths.iter().any(|path| path == "p/BCovolveTest.java");
            self.compilations.push(paths);
            Ok(if is_there { vec![problem(6), problem(6), problem(1)] } else { Vec::new() })
        }

        fn check(&mut self, _: Vec<(String, String)>) -> Result<Vec<Problem>, JvmError> {
            unreachable!("a build compiles in its one way")
        }

        fn run_both(
            &mut self,
            orders: [&[TestName]; 2],
            _: [Start; 2],
        ) -> Result<[Vec<TestEnd>; 2], JvmError> {
            let passed = TestEnd::Outcome(Outcome::Passed);
            let failed = TestEnd::Outcome(Outcome::Failed {
                exception: "org.opentest4j.AssertionFailedError".into(),
                message: "expected: <1> but was: <2>".into(),
                line: 0,
            });
            assert_eq!(orders[0].len(), 2);
            Ok([vec![passed.clone(), passed.clone()], vec![passed, failed]])
        }
    }

    #[test]
    fn a_file_that_does_not_compile_costs_the_others_nothing() {
        let mut bench = Fake { compilations: Vec::new() };
        let found = rerun(&mut bench, &[file("p/ACovolveTest.java"), file("p/BCovolveTest.java")]).unwrap();
        let failed = Failed { test: "second".into(), expected: Some("1".into()), actual: "2".into() };
        let message = "cannot find symbol (symbol: method gone(int), location: class p.B)".to_owned();
        let not_compiled =
            |test: Option<&str>| NotCompiled { test: test.map(Into::into), message: message.clone() };
        let expect = [
            Rerun::Ran { tests: 2, failed: vec![failed] },
            Rerun::NotCompiled(vec![not_compiled(Some("first")), not_compiled(None)]),
        ];
        assert_eq!(found, expect);
        assert_eq!(bench.compilations.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn assertions_say_what_they_expected() {
        let check = |message: &str, expect: Option<(&str, &str)>| {
            let expect = expect.map(|(expected, actual)| (expected.to_owned(), actual.to_owned()));
            assert_eq!(compared(message), expect, "{message}");
        };
        check("expected: <a> but was: <b>", Some(("a", "b")));
        check("expected:<a> but was:<b>", Some(("a", "b")));
        check("Unexpected exception type thrown, expected: <A> but was: <B>", Some(("A", "B")));
        check("expected: <a> but was: <a text that was cu", Some(("a", "a text that was cu")));
        check("Expected A to be thrown, but nothing was thrown.", None);
        check("", None);
    }
}
