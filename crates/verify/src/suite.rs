//! What is verified, and what remains of it.

use std::collections::{BTreeMap, BTreeSet};

use output::junit::printed::{PrintedSuite, PrintedTest};

use crate::surroundings::Role;

/// Tests that can be printed without some of them, and without some assertions.
///
/// Tests are numbered from 0, assertions from 0 within their test; the numbers stay the same whatever is left out.
pub trait SuiteSource {
    /// Number of tests.
    fn test_count(&self) -> usize;

    /// Prints what the selection leaves.
    fn print(&self, selection: &Selection) -> PrintedSuite;

    /// Whether a test runs: one that is known to fail, and stays all the same, is compiled alone.
    fn runs(&self, _test: usize) -> bool {
        true
    }

    /// Whether a test was verified before: one that there is no time for stays then.
    fn was_verified(&self, _test: usize) -> bool {
        false
    }

    /// What JUnit knows a printed test as, in the classes that run: its method in the class of the file, unless these are made
    /// of other files.
    fn name_of(&self, printed: &PrintedSuite, test: &PrintedTest) -> TestName {
        let class = printed.class.binary();
        let class = test.nested.as_ref().map_or(class.clone(), |nested| format!("{class}${nested}"));
        TestName { class, method: test.method.clone() }
    }
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

/// A test as JUnit knows it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestName {
    /// Binary name of its class.
    pub class: String,
    /// Its method, with the number of its row where the method is run with several (`parse[2]`).
    pub method: String,
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
    /// Time was over before it had run in the first two orders.
    Unreached,
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
            Self::Unreached => formatter.write_str("there was no time for it"),
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
