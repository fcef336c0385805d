//! A printed file: its text, and where its tests and assertions are.

use std::ops::RangeInclusive;

use bytecode::name::ClassName;

use super::lower::Unprintable;

/// A file of tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedSuite {
    /// The test class.
    pub class: ClassName,
    /// The whole text, ASCII, with line feeds.
    pub text: String,
    /// The tests in it, in order.
    pub tests: Vec<PrintedTest>,
    /// Tests that could not be printed.
    pub refused: Vec<RefusedTest>,
}

/// A test in a printed file. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedTest {
    /// Its number in the suite.
    pub test: usize,
    /// What it is known by: the name of its method, with the number of its row where that has several (`parse[2]`).
    pub method: String,
    /// Simple name of the class within that of the file that holds it; `None` where that class itself does.
    pub nested: Option<String>,
    /// The lines of its method, from the first annotation to the closing brace. Rows of one method share them; the method
    /// that gives them is not among them.
    pub lines: RangeInclusive<u32>,
    /// Its assertions, in the order of the text.
    pub assertions: Vec<PrintedAssertion>,
    /// Numbers of assertions that Java cannot say; they were left out.
    pub unsaid: Vec<usize>,
}

/// An assertion in a printed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedAssertion {
    /// Its number in its test.
    pub assertion: usize,
    /// Its lines.
    pub lines: RangeInclusive<u32>,
}

/// A test that could not be printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedTest {
    /// Its number in the suite.
    pub test: usize,
    /// Why.
    pub reason: Unprintable,
}

impl PrintedSuite {
    /// Path of the file below the root of the test sources, with slashes.
    pub fn path(&self) -> String {
        format!("{}.java", self.class)
    }

    /// The tests on a line, as `javac` names it: one, or the rows of a method.
    pub fn tests_at(&self, line: u32) -> impl Iterator<Item = &PrintedTest> {
        self.tests.iter().filter(move |test| test.lines.contains(&line))
    }

    /// The test with this number.
    pub fn test(&self, test: usize) -> Option<&PrintedTest> {
        self.tests.iter().find(|printed| printed.test == test)
    }

    /// The lines of a test.
    pub fn lines_of(&self, test: &PrintedTest) -> impl Iterator<Item = &str> {
        let (first, last) = (*test.lines.start() as usize, *test.lines.end() as usize);
        self.text.lines().skip(first.saturating_sub(1)).take((last + 1).saturating_sub(first))
    }
}

impl PrintedTest {
    /// Number of the assertion on a line.
    pub fn assertion_at(&self, line: u32) -> Option<usize> {
        self.assertions.iter().find(|assertion| assertion.lines.contains(&line)).map(|found| found.assertion)
    }
}
