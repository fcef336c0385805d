//! Tests that were compiled and verified apart, in classes of their own, run together as they are: compiling all of them
//! once more takes most of what verifying them together would take.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use output::junit::printed::{PrintedSuite, PrintedTest};

use crate::jvm::{JvmError, TestEnd};
use crate::lane::LaneBench;
use crate::protocol::{Problem, Start};
use crate::suite::{Selection, SuiteSource, TestName};
use crate::verifier::Bench;

/// A test in classes that are there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompiledTest {
    /// The folder with these classes.
    pub folder: PathBuf,
    /// What it is called in them. No class of another folder has the name of its class.
    pub name: TestName,
}

/// A suite whose tests were compiled apart, with the assertions that are left of them. A test that fails is dropped as a whole.
#[allow(missing_debug_implementations, reason = "holds a source of tests")]
pub struct CompiledSuite<'a> {
    source: &'a dyn SuiteSource,
    tests: &'a BTreeMap<usize, CompiledTest>,
}

impl<'a> CompiledSuite<'a> {
    /// What `source` prints, run as `tests`, by their numbers.
    pub fn new(source: &'a dyn SuiteSource, tests: &'a BTreeMap<usize, CompiledTest>) -> Self {
        Self { source, tests }
    }

    /// The folders with its classes.
    fn folders(&self) -> Vec<PathBuf> {
        let folders: BTreeSet<&PathBuf> = self.tests.values().map(|test| &test.folder).collect();
        folders.into_iter().cloned().collect()
    }
}

impl SuiteSource for CompiledSuite<'_> {
    fn test_count(&self) -> usize {
        self.source.test_count()
    }

    fn print(&self, selection: &Selection) -> PrintedSuite {
        let mut printed = self.source.print(selection);
        printed.tests.iter_mut().for_each(|test| test.assertions.clear());
        printed
    }

    fn runs(&self, test: usize) -> bool {
        self.source.runs(test)
    }

    fn was_verified(&self, _test: usize) -> bool {
        true
    }

    fn name_of(&self, printed: &PrintedSuite, test: &PrintedTest) -> TestName {
        let compiled = self.tests.get(&test.test).map(|compiled| compiled.name.clone());
        compiled.unwrap_or_else(|| self.source.name_of(printed, test))
    }
}

/// A bench that compiles nothing: the classes are there.
#[allow(missing_debug_implementations, reason = "holds a closure")]
pub struct CompiledBench<'a> {
    bench: LaneBench<'a>,
    folders: Vec<PathBuf>,
}

impl<'a> CompiledBench<'a> {
    /// A bench for a suite.
    pub fn new(bench: LaneBench<'a>, suite: &CompiledSuite<'_>) -> Self {
        Self { bench, folders: suite.folders() }
    }
}

impl Bench for CompiledBench<'_> {
    fn compile(&mut self, _: Vec<(String, String)>) -> Result<Vec<Problem>, JvmError> {
        Ok(Vec::new())
    }

    fn check(&mut self, _: Vec<(String, String)>) -> Result<Vec<Problem>, JvmError> {
        Ok(Vec::new())
    }

    fn run_both(
        &mut self,
        orders: [&[TestName]; 2],
        starts: [Start; 2],
    ) -> Result<[Vec<TestEnd>; 2], JvmError> {
        self.bench.run_in(&self.folders, orders, starts)
    }
}
