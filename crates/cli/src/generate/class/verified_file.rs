//! A file on disk, and the classes in which each of its tests was verified.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use coverage::goal::GoalId;
use output::asserted_test::AssertedTest;
use output::junit::printed::PrintedSuite;
use verify::apart::CompiledTest;
use verify::lane::Judges;
use verify::suite::{Selection, SuiteSource as _, VerifiedSuite};

use super::suite_file::SuiteFile;

/// A file that was verified and written.
#[derive(Debug, Clone)]
pub(super) struct VerifiedFile {
    /// Where it is.
    pub path: PathBuf,
    /// What it was printed from.
    pub file: SuiteFile,
    /// What was left out of it.
    pub selection: Selection,
    /// The text and its tests.
    pub printed: PrintedSuite,
    /// Goals that it covers.
    pub goals: BTreeSet<GoalId>,
    /// Its tests, by number, in the classes in which they were verified.
    pub compiled: BTreeMap<usize, CompiledTest>,
    /// Whether all its tests ran together; otherwise each ran with some of the others.
    pub is_joint: bool,
    /// Who judged each of its tests at least.
    pub judges: Judges,
}

/// A test that was verified, with the assertions that hold, in the classes in which it was.
#[derive(Debug, Clone)]
pub(super) struct VerifiedTest {
    pub test: AssertedTest,
    pub compiled: CompiledTest,
}

impl VerifiedFile {
    /// What is left of a file by a selection; `None` if that is nothing.
    pub(super) fn new(
        file: SuiteFile,
        selection: Selection,
        compiled: BTreeMap<usize, CompiledTest>,
        judges: Judges,
    ) -> Option<Self> {
        let printed = file.print(&selection);
        let goals = file.goals_in(&printed);
        let is_empty = printed.tests.is_empty();
        let path = PathBuf::new();
        let delivered = Self { path, file, selection, printed, goals, compiled, is_joint: false, judges };
        Some(delivered).filter(|_| !is_empty)
    }

    /// The file with less of it.
    pub(super) fn with(self, selection: Selection, printed: PrintedSuite) -> Self {
        Self { goals: self.file.goals_in(&printed), selection, printed, ..self }
    }

    /// Its tests as they are on disk.
    pub(super) fn kept(&self) -> Vec<VerifiedTest> {
        kept(&self.file, &self.printed, &self.compiled)
    }

    /// The test methods of the file that are for each goal.
    pub(super) fn tests(&self) -> BTreeMap<GoalId, TestsOfGoal> {
        let mut tests: BTreeMap<GoalId, TestsOfGoal> = BTreeMap::new();
        for printed in &self.printed.tests {
            let Some(test) = self.file.kept(printed) else { continue };
            for goal in test.goals {
                tests.entry(goal).or_default().covering.push(printed.method.clone());
            }
            for goal in test.killed {
                tests.entry(goal).or_default().killing.push(printed.method.clone());
            }
        }
        tests
    }
}

/// Test methods of a file, in the order of the file.
#[derive(Debug, Clone, Default)]
pub(super) struct TestsOfGoal {
    /// Those that cover the goal.
    pub covering: Vec<String>,
    /// Those that kill its mutant, where they had to infect it.
    pub killing: Vec<String>,
}

/// The tests that are left of a file, in these classes.
pub(super) fn kept(
    file: &SuiteFile,
    printed: &PrintedSuite,
    compiled: &BTreeMap<usize, CompiledTest>,
) -> Vec<VerifiedTest> {
    let kept = printed.tests.iter().filter_map(|printed| {
        let compiled = compiled.get(&printed.test)?.clone();
        Some(VerifiedTest { test: file.kept(printed)?, compiled })
    });
    kept.collect()
}

/// The tests of a suite in the classes of a folder in which it was verified last.
pub(super) fn compiled_in(folder: &Path, suite: &VerifiedSuite) -> BTreeMap<usize, CompiledTest> {
    let in_folder = |(test, name): (&usize, &_)| {
        (*test, CompiledTest { folder: folder.to_owned(), name: Clone::clone(name) })
    };
    suite.names.iter().map(in_folder).collect()
}
