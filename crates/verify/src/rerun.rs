//! Test files that were delivered run once more, against the classes as they are now: nothing is dropped, it is said what fails.

use std::ops::RangeInclusive;

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

/// A test method of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TestMethod {
    name: String,
    /// The class within that of the file that holds it.
    nested: Option<String>,
    /// Number of its rows; `None` where it is run once.
    rows: Option<usize>,
    /// Its lines, annotations included, then those of what gives its rows.
    lines: Vec<RangeInclusive<u32>>,
}

impl TestMethod {
    /// What its tests are known by.
    fn tests(&self) -> Vec<String> {
        match self.rows {
            Some(rows) => (1..=rows).map(|row| format!("{}[{row}]", self.name)).collect(),
            None => vec![self.name.clone()],
        }
    }
}

impl TestFile {
    /// Its test methods: those that `@Test` or `@ParameterizedTest` stands before.
    fn methods(&self) -> Vec<TestMethod> {
        let lines: Vec<&str> = self.text.lines().collect();
        let (mut methods, mut nested, mut is_next) = (Vec::new(), None, false);
        for (index, line) in lines.iter().enumerate() {
            let word = line.trim_start();
            let indent = &line[..line.len() - word.len()];
            match (word.strip_prefix("class "), nested.is_some()) {
                (Some(name), false) if !indent.is_empty() => {
                    nested = Some(name.trim_end_matches([' ', '{']).to_owned());
                }
                _ if *line == END_OF_MEMBER => nested = None,
                _ => {}
            }
            is_next |= word.starts_with("@Test") || word.starts_with("@ParameterizedTest");
            let head = word.strip_prefix("public ").unwrap_or(word).strip_prefix("void ");
            let name = head.and_then(|rest| rest.split_once('(')).map(|(name, _)| name);
            let Some(name) = name.filter(|_| is_next) else { continue };
            is_next = false;
            let above = lines[..index].iter().rev().take_while(|line| is_annotation(line)).count();
            let end = end_of(&lines, index, indent);
            let annotations = &lines[index - above..index];
            let provider = provider(annotations).and_then(|name| provider_lines(&lines, name));
            let rows = match &provider {
                Some(range) => rows(&lines[range.clone()], "Stream.of("),
                None => rows(annotations, "Source("),
            };
            let own = index - above..=end;
            let lines = [Some(own), provider].into_iter().flatten();
            methods.push(TestMethod {
                name: name.trim().to_owned(),
                nested: nested.clone(),
                rows,
                lines: lines.map(|range| *range.start() as u32 + 1..=*range.end() as u32 + 1).collect(),
            });
        }
        methods
    }

    /// Its tests with the lines of their methods, annotations included. Rows of one method have the same.
    pub fn tests(&self) -> Vec<(String, RangeInclusive<u32>)> {
        let tests = |method: TestMethod| {
            let lines = method.lines.first().cloned();
            lines
                .into_iter()
                .flat_map(move |lines| method.tests().into_iter().map(move |test| (test, lines.clone())))
        };
        self.methods().into_iter().flat_map(tests).collect()
    }

    /// The test method that a line belongs to.
    fn method_at(&self, line: u32) -> Option<TestMethod> {
        self.methods().into_iter().find(|method| method.lines.iter().any(|lines| lines.contains(&line)))
    }

    /// Empties what a line stands in: its test, or itself where it is an import. Whether there was something to empty.
    fn without(&mut self, line: u32) -> bool {
        let lines = self.method_at(line).map_or_else(|| vec![line..=line], |method| method.lines);
        let is_import = self
            .text
            .lines()
            .nth(line.saturating_sub(1) as usize)
            .is_some_and(|line| line.starts_with("import "));
        if lines.iter().cloned().flatten().count() == 1 && !is_import {
            return false;
        }
        let is_gone = |number: u32| lines.iter().any(|lines| lines.contains(&number));
        let kept = self.text.lines().zip(1..).map(|(text, number)| if is_gone(number) { "" } else { text });
        self.text = kept.flat_map(|line| [line, "\n"]).collect();
        true
    }

    fn class(&self) -> String {
        self.path.trim_end_matches(".java").replace('/', ".")
    }

    fn names(&self) -> Vec<TestName> {
        let class = self.class();
        let names = |method: TestMethod| {
            let class = method.nested.as_ref().map_or(class.clone(), |nested| format!("{class}${nested}"));
            let tests = method.tests().into_iter();
            tests.map(|method| TestName { class: class.clone(), method }).collect::<Vec<_>>()
        };
        self.methods().into_iter().flat_map(names).collect()
    }
}

/// How a member of the class ends, as it is printed.
const END_OF_MEMBER: &str = "    }";

/// Whether a line above that of a method's name belongs to its annotations.
fn is_annotation(line: &str) -> bool {
    let word = line.trim_start();
    let is_head =
        !word.starts_with('"') && word.ends_with('{') && word.split(' ').any(|word| word == "class");
    !word.is_empty() && !is_head
}

/// The last line of a member that is indented like this.
fn end_of(lines: &[&str], start: usize, indent: &str) -> usize {
    let is_end = |line: &&str| line.strip_prefix(indent) == Some("}");
    lines.iter().skip(start).position(is_end).map_or(lines.len() - 1, |behind| start + behind)
}

/// The method that gives the rows, by what `@MethodSource` says.
fn provider<'a>(annotations: &[&'a str]) -> Option<&'a str> {
    let source = annotations.iter().find_map(|line| line.trim_start().strip_prefix("@MethodSource(\""))?;
    let (name, _) = source.split_once('"')?;
    Some(name.rsplit('#').next().unwrap_or(name))
}

/// Its lines.
fn provider_lines(lines: &[&str], name: &str) -> Option<RangeInclusive<usize>> {
    let head = format!("> {name}() {{");
    let start =
        lines.iter().position(|line| line.trim_start().starts_with("static ") && line.ends_with(&head))?;
    Some(start..=end_of(lines, start, &END_OF_MEMBER[..END_OF_MEMBER.len() - 1]))
}

/// Number of the items in the list behind `opening`; `None` where there is none.
fn rows(lines: &[&str], opening: &str) -> Option<usize> {
    let text = lines.join("\n");
    let (_, list) = text.split_once(opening)?;
    let list = if opening.ends_with("of(") { list } else { list.split_once('{')?.1 };
    let (mut items, mut depth, mut is_empty) = (1, 0, true);
    let (mut quote, mut is_escaped) = (None, false);
    for character in list.chars() {
        match (quote, character) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), _) if character == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '(' | '{' | '[') => depth += 1,
            (None, ')' | '}' | ']') if depth == 0 => break,
            (None, ')' | '}' | ']') => depth -= 1,
            (None, ',') if depth == 0 => items += 1,
            (None, _) => {}
        }
        is_empty &= character.is_whitespace();
    }
    Some(if is_empty { 0 } else { items })
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
            let test = files[number].method_at(problem.line).map(|method| method.name);
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

    const ROWS: &str = r#"package p;

class ACovolveTest {
    @ParameterizedTest
    @CsvSource({
        "a, 'b, \" c', 1",
        "'class X {', }, 2",
        "void foo(int), b, 3"
    })
    void first(String text, String other, int expected) {
        helper();
    }

    @ParameterizedTest
    @ValueSource(chars = {'a', ',', '}', '\''})
    @DisplayName("second (4)")
    void second(char letter) throws Exception {
    }

    @ParameterizedTest
    @MethodSource("thirdRows")
    void third(String text) {
    }

    static Stream<Arguments> thirdRows() {
        return Stream.of(
                Arguments.of("a,\n", 1),
                Arguments.of("b", 2));
    }

    @Nested
    class Inner {
        @Test
        void fourth() {
        }

        @ParameterizedTest
        @MethodSource("p.ACovolveTest#fifthRows")
        void fifth(String text) {
        }
    }

    static Stream<Arguments> fifthRows() {
        return Stream.of(
                Arguments.of("a", 1));
    }
}
"#;

    #[test]
    fn rows_of_parameterized_tests_and_tests_in_classes_are_tests() {
        let file = TestFile { path: "p/ACovolveTest.java".into(), text: ROWS.into() };
        let names: Vec<String> =
            file.names().into_iter().map(|name| format!("{}.{}", name.class, name.method)).collect();
        let outer = [
            "first[1]",
            "first[2]",
            "first[3]",
            "second[1]",
            "second[2]",
            "second[3]",
            "second[4]",
            "third[1]",
            "third[2]",
        ];
        let inner = ["fourth", "fifth[1]"];
        let expect: Vec<String> = (outer.iter().map(|name| format!("p.ACovolveTest.{name}")))
            .chain(inner.iter().map(|name| format!("p.ACovolveTest$Inner.{name}")))
            .collect();
        assert_eq!(names, expect);
        let at = |line| file.method_at(line).map(|method| method.name);
        for (line, expect) in [
            (3, None),
            (4, Some("first")),
            (7, Some("first")),
            (12, Some("first")),
            (13, None),
            (16, Some("second")),
            (22, Some("third")),
            (26, Some("third")),
            (35, Some("fourth")),
            (46, Some("fifth")),
        ] {
            assert_eq!(at(line).as_deref(), expect, "{line}");
        }
        let mut less = file.clone();
        assert!(less.without(26) && !less.text.contains("third"));
        assert_eq!(less.text.lines().count(), ROWS.lines().count());
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
