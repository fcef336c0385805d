//! Test files that were delivered run once more, against the classes as they are now: nothing is dropped, it is said what fails.

use crate::jvm::{JvmError, TestEnd};
use crate::protocol::{Outcome, Problem, Start};
use crate::suite::TestName;
use crate::test_file::TestFile;
use crate::verifier::Bench;

/// What came of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rerun {
    /// Number of its tests that were run.
    pub tests: usize,
    /// Those that pass, in the order of the file.
    pub passed: Vec<String>,
    /// Those that fail, in the order of the file.
    pub failed: Vec<Failed>,
    /// What does not compile any more; the tests that hold it were not run.
    pub not_compiled: Vec<NotCompiled>,
}

impl Rerun {
    /// Whether all its tests compile and pass.
    pub fn holds(&self) -> bool {
        self.failed.is_empty() && self.not_compiled.is_empty()
    }
}

/// A test that fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// Its method, with the number of its row where that has several.
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

/// Compiles files together and runs all tests that compile, in two JVMs; what came of each file.
///
/// # Errors
/// A JVM cannot be had, or `javac` fails and blames neither a test nor an import.
pub fn rerun(bench: &mut dyn Bench, files: &[TestFile]) -> Result<Vec<Rerun>, JvmError> {
    let mut reruns = vec![Rerun::default(); files.len()];
    let mut left = files.to_vec();
    if files.is_empty() {
        return Ok(reruns);
    }
    loop {
        let found =
            bench.compile(left.iter().map(|file| (file.path.clone(), file.text.clone())).collect())?;
        if found.is_empty() {
            break;
        }
        let mut is_less = false;
        for problem in &found {
            let Some(number) = files.iter().position(|file| file.path == problem.path) else { continue };
            is_less |= left[number].without(problem.line);
            let test = files[number].test_at(problem.line);
            let told = NotCompiled { test, message: in_one_line(problem) };
            if !reruns[number].not_compiled.contains(&told) {
                reruns[number].not_compiled.push(told);
            }
        }
        if !is_less {
            return Err(JvmError::Failed(found.first().map(in_one_line).unwrap_or_default()));
        }
    }
    let names: Vec<TestName> = left.iter().flat_map(TestFile::names).collect();
    if names.is_empty() {
        return Ok(reruns);
    }
    let [first, second] = bench.run_both([&names, &names], [Start::Fresh; 2])?;
    if [&first, &second].into_iter().any(|ends| ends.contains(&TestEnd::Unreached)) {
        return Err(JvmError::OutOfTime);
    }
    let numbers = left.iter().enumerate().flat_map(|(number, file)| vec![number; file.names().len()]);
    for ((name, number), (first, second)) in names.iter().zip(numbers).zip(first.iter().zip(&second)) {
        reruns[number].tests += 1;
        let failure = failure(&name.method, first).or_else(|| failure(&name.method, second));
        if failure.is_none() {
            reruns[number].passed.push(name.method.clone());
        }
        reruns[number].failed.extend(failure);
    }
    Ok(reruns)
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
        TestEnd::Unreached => failed(None, "there was no time for it".to_owned()),
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

import p.Gone;
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

    /// `javac` misses what the first test of `B` calls and an import of `C`; of `A` the second test fails in the second JVM.
    struct Fake {
        compilations: usize,
    }

    impl Bench for Fake {
        fn compile(&mut self, files: Vec<(String, String)>) -> Result<Vec<Problem>, JvmError> {
            self.compilations += 1;
            let message = "cannot find symbol\n  symbol:   method gone(int)\n  location: class p.B";
            let problem = |path: &str, line| Problem { path: path.into(), line, message: message.into() };
            let has =
                |path: &str, word: &str| files.iter().any(|(file, text)| file == path && text.contains(word));
            let mut problems = Vec::new();
            if has(B, "void first()") {
                problems.extend([problem(B, 7), problem(B, 7)]);
            }
            if has(C, "import p.Gone;") {
                problems.push(problem(C, 3));
            }
            Ok(problems)
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
            let all = vec![passed; orders[0].len()];
            let mut others = all.clone();
            others[1] = failed;
            Ok([all, others])
        }
    }

    const B: &str = "p/BCovolveTest.java";
    const C: &str = "p/CCovolveTest.java";

    #[test]
    fn what_does_not_compile_costs_the_other_tests_nothing() {
        let mut bench = Fake { compilations: 0 };
        let found = rerun(&mut bench, &[file("p/ACovolveTest.java"), file(B), file(C)]).unwrap();
        let failed = Failed { test: "second".into(), expected: Some("1".into()), actual: "2".into() };
        let message = "cannot find symbol (symbol: method gone(int), location: class p.B)".to_owned();
        let gone =
            |test: Option<&str>| vec![NotCompiled { test: test.map(Into::into), message: message.clone() }];
        let rerun = |passed: &[&str], failed: Vec<Failed>, not_compiled: Vec<NotCompiled>| {
            let tests = passed.len() + failed.len();
            Rerun { tests, passed: passed.iter().map(|&test| test.into()).collect(), failed, not_compiled }
        };
        let expect = [
            rerun(&["first"], vec![failed], Vec::new()),
            rerun(&["second"], Vec::new(), gone(Some("first"))),
            rerun(&["first", "second"], Vec::new(), gone(None)),
        ];
        assert_eq!(found, expect);
        assert_eq!(bench.compilations, 2);
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
