//! What is verified, and what remains of it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use crate::surroundings::Role;

/// Tests that can be printed without some of them, and without some assertions.
///
/// Tests are numbered from 0, assertions from 0 within their test; the numbers stay the same whatever is left out.
pub trait SuiteSource {
    /// Number of tests.
    fn test_count(&self) -> usize;

    /// Prints what the selection leaves.
    fn print(&self, selection: &Selection) -> PrintedSuite;
}

/// What is left out of a suite.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Tests that are dropped.
    pub dropped_tests: BTreeSet<usize>,
    /// Assertions that are dropped: test, assertion.
    pub dropped_assertions: BTreeSet<(usize, usize)>,
}

impl Selection {
    /// Whether a test is left.
    pub fn keeps_test(&self, test: usize) -> bool {
        !self.dropped_tests.contains(&test)
    }

    /// Whether an assertion is left.
    pub fn keeps_assertion(&self, test: usize, assertion: usize) -> bool {
        self.keeps_test(test) && !self.dropped_assertions.contains(&(test, assertion))
    }
}

/// A test file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedSuite {
    /// Binary name of the test class.
    pub class: String,
    /// Path below the source root, with slashes.
    pub path: String,
    /// The file.
    pub text: String,
    /// Where its tests are, in order.
    pub tests: Vec<PrintedTest>,
}

/// A test as JUnit knows it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestName {
    /// Binary name of its class.
    pub class: String,
    /// Its method.
    pub method: String,
}

/// Where a test is in its file. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedTest {
    /// Number of the test.
    pub test: usize,
    /// Name of its method.
    pub method: String,
    /// What it is called in the classes that run; `None` if these are made of this file.
    pub runs_as: Option<TestName>,
    /// Its lines, annotation to closing brace.
    pub lines: RangeInclusive<u32>,
    /// Its assertions.
    pub assertions: Vec<PrintedAssertion>,
}

/// Where an assertion is in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedAssertion {
    /// Number of the assertion within its test.
    pub assertion: usize,
    /// Its lines.
    pub lines: RangeInclusive<u32>,
}

impl PrintedSuite {
    /// What JUnit knows one of its tests as, in the classes that run.
    pub fn name_of(&self, test: &PrintedTest) -> TestName {
        let of_file = || TestName { class: self.class.clone(), method: test.method.clone() };
        test.runs_as.clone().unwrap_or_else(of_file)
    }

    /// The test that a line belongs to.
    pub fn test_at(&self, line: u32) -> Option<&PrintedTest> {
        self.tests.iter().find(|test| test.lines.contains(&line))
    }
}

impl PrintedTest {
    /// The assertion that a line belongs to.
    pub fn assertion_at(&self, line: u32) -> Option<usize> {
        self.assertions.iter().find(|assertion| assertion.lines.contains(&line)).map(|found| found.assertion)
    }
}

/// Why something was dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// `javac` refused it.
    Compile {
        /// What it said.
        message: String,
    },
    /// It failed.
    Failed {
        /// Class of the exception.
        exception: String,
        /// Its message.
        message: String,
        /// Where.
        role: Role,
    },
    /// It ran too long.
    Hung,
    /// It ended the JVM.
    Died,
    /// JUnit did not run it.
    NotRun {
        /// JUnit's reason.
        reason: String,
    },
}

impl std::fmt::Display for Cause {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Compile { message } => {
                write!(formatter, "javac: {}", message.lines().next().unwrap_or_default())
            }
            Self::Failed { exception, message, role } => {
                let message = message.lines().next().unwrap_or_default();
                let separator = if message.is_empty() { "" } else { ": " };
                write!(formatter, "failed in {}: {exception}{separator}{message}", role.name())
            }
            Self::Hung => formatter.write_str("ran too long"),
            Self::Died => formatter.write_str("ended the JVM"),
            Self::NotRun { reason } => write!(formatter, "was not run: {reason}"),
        }
    }
}

/// Something that was dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// Number of the suite among those verified.
    pub suite: usize,
    /// Number of the test.
    pub test: usize,
    /// Number of the assertion; `None` if the whole test went.
    pub assertion: Option<usize>,
    /// Why.
    pub cause: Cause,
}

/// A suite that compiled and passed everywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedSuite {
    /// The file, as it was compiled and run; `None` if no test is left.
    pub printed: Option<PrintedSuite>,
    /// What it lacks.
    pub selection: Selection,
    /// Tests that compiled, whether or not they passed.
    pub compiled: BTreeSet<usize>,
    /// What its tests are called in the classes that were compiled last, those among them that did not pass.
    pub names: BTreeMap<usize, TestName>,
}
