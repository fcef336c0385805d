//! What the executor's side tells the judge of a class: data between the process with the JVM in it and the parent.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::random_tests::Choice;

/// What the process with the JVM is to do.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Job {
    /// Class under test, binary name.
    pub class: String,
    /// Jars and folders.
    pub class_path: Vec<PathBuf>,
    /// The JDK.
    pub java_home: PathBuf,
    /// The tests to compare.
    pub choice: Choice,
    /// Where it writes.
    pub folder: PathBuf,
}

/// A line of a class: class, number.
pub(super) type Place = (String, u32);

/// How far a line is covered: whether any of its instructions is, and how many of its branches are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Cover {
    pub line: bool,
    pub branches: u32,
}

impl Cover {
    /// Whether all that this covers, counted, may be within the other.
    pub(super) fn is_within(self, other: Self) -> bool {
        (other.line || !self.line) && self.branches <= other.branches
    }
}

/// Covered lines; those with nothing covered are left out.
pub(super) type Covered = Vec<(Place, Cover)>;

/// All that came out for a class.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Record {
    /// Classes with goals, binary names, in order.
    pub goal_classes: Vec<String>,
    /// The test class, binary name.
    pub test_class: String,
    /// Path of the source file below its root.
    pub source: String,
    /// Lines and branches that count, over all classes with goals.
    pub goals: Covered,
    /// Methods that carry no probes: what they cover is not known.
    pub skipped: Vec<String>,
    /// The tests.
    pub tests: Vec<TestRecord>,
    /// Executions that exceeded a limit or ended the JVM; of these no test is chosen.
    pub beyond_limits: usize,
    /// Tests that are not compared, by reason.
    pub aside: BTreeMap<String, usize>,
    /// Values that were read but may differ from run to run, or that Java cannot say.
    pub unsaid: usize,
    /// What the executor could not do as it should.
    pub diagnostics: Vec<String>,
}

/// A test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct TestRecord {
    /// The file with all assertions, and the one without: coverage is that of the statements alone.
    pub asserted: Method,
    pub bare: Method,
    /// The exception that ends it, binary name.
    pub thrown: Option<String>,
    /// Assertions, not counting that of the exception.
    pub assertions: usize,
    /// What the probes show covered.
    pub covered: Covered,
    /// The statements, for people.
    pub text: String,
}

/// A printed test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Method {
    pub name: String,
    pub first_line: u32,
    pub last_line: u32,
}
