//! Tests compile in all ways in which a build may do it, or go.

use std::collections::{BTreeMap, BTreeSet};

use output::junit::printed::{PrintedSuite, PrintedTest};

use super::{Bench, Place, State, places};
use crate::jvm::JvmError;
use crate::protocol::Problem;
use crate::suite::{Cause, Selection, SuiteSource, TestName};

/// Tests that are known to compile in all ways in which a build may do it: most tests of a class are verified several
/// times, with others each time, and that much stays as it was.
#[derive(Debug, Default)]
pub struct Checked {
    /// The lines of each, without the name of its method.
    texts: BTreeSet<String>,
}

impl Checked {
    fn text_of(suite: &PrintedSuite, test: &PrintedTest) -> String {
        suite.lines_of(test).collect::<Vec<_>>().join("\n").replacen(&test.method, "", 1)
    }

    fn has(&self, suite: &PrintedSuite, test: &PrintedTest) -> bool {
        self.texts.contains(&Self::text_of(suite, test))
    }

    fn add(&mut self, suites: &[PrintedSuite]) {
        let of = |suite: &PrintedSuite| -> Vec<String> {
            suite.tests.iter().map(|test| Self::text_of(suite, test)).collect()
        };
        self.texts.extend(suites.iter().flat_map(of));
    }
}

/// How files are compiled.
#[derive(Debug, Clone, Copy)]
enum Way {
    /// So that they can run.
    Written,
    /// In the other ways.
    Others,
}

impl State<'_> {
    /// Compiles, and drops what `javac` blames, until it is content in all ways.
    pub(super) fn compile(&mut self, bench: &mut dyn Bench) -> Result<(), JvmError> {
        loop {
            let printed = self.printed.clone();
            let mut is_right = self.try_to_compile(bench, &printed, Way::Written)?;
            if is_right {
                let sources = self.sources.iter().zip(&printed);
                self.names = sources.map(|(source, suite)| names_in(*source, suite)).collect();
                let unchecked = self.unchecked();
                is_right = self.try_to_compile(bench, &unchecked, Way::Others)?;
                if is_right {
                    self.checked.add(&unchecked);
                    return Ok(());
                }
            }
            self.print();
        }
    }

    /// Compiles suites as they are printed; whether nothing had to be dropped.
    fn try_to_compile(
        &mut self,
        bench: &mut dyn Bench,
        printed: &[PrintedSuite],
        way: Way,
    ) -> Result<bool, JvmError> {
        let with_tests = printed.iter().filter(|suite| !suite.tests.is_empty());
        let files: Vec<_> = with_tests.map(|suite| (suite.path(), suite.text.clone())).collect();
        if files.is_empty() {
            return Ok(true);
        }
        let problems = in_way(bench, way, files)?;
        if problems.is_empty() {
            return Ok(true);
        }
        if !self.drop_blamed(printed, &problems) {
            self.drop_suspects(bench, printed, way, &problems)?;
        }
        Ok(false)
    }

    /// The suites with those tests alone that nobody knows to compile in all ways.
    fn unchecked(&self) -> Vec<PrintedSuite> {
        let suites = self.sources.iter().zip(&self.selections).zip(&self.printed);
        suites
            .map(|((source, selection), printed)| {
                let known = printed.tests.iter().filter(|test| self.checked.has(printed, test));
                let known: Vec<usize> = known.map(|test| test.test).collect();
                if known.is_empty() {
                    return printed.clone();
                }
                let mut left = selection.clone();
                left.dropped_tests.extend(known);
                source.print(&left)
            })
            .collect()
    }

    /// Drops the assertions and tests in whose lines errors are; whether there was one.
    fn drop_blamed(&mut self, printed: &[PrintedSuite], problems: &[Problem]) -> bool {
        let mut blamed: BTreeMap<Place, BTreeMap<Option<usize>, Cause>> = BTreeMap::new();
        for problem in problems {
            let Some(suite) = printed.iter().position(|suite| suite.path() == problem.path) else {
                continue;
            };
            for test in printed[suite].tests_at(problem.line) {
                let cause = Cause::Compile { message: problem.message.clone() };
                let assertion = test.assertion_at(problem.line);
                blamed.entry((suite, test.test)).or_default().entry(assertion).or_insert(cause);
            }
        }
        let any = !blamed.is_empty();
        for ((suite, test), faults) in blamed {
            // An error outside the assertions takes the test, whatever else is wrong with it.
            match faults.get(&None).cloned() {
                Some(cause) => self.drop_test(suite, test, cause),
                None => faults.into_iter().for_each(|(assertion, cause)| {
                    self.drop_assertion(suite, test, assertion.unwrap_or_default(), cause);
                }),
            }
        }
        any
    }

    /// Errors that no test is blamed for, in imports say: keeps the tests that compile when they are alone.
    fn drop_suspects(
        &mut self,
        bench: &mut dyn Bench,
        printed: &[PrintedSuite],
        way: Way,
        problems: &[Problem],
    ) -> Result<(), JvmError> {
        let message = problems.first().map(|problem| problem.message.clone()).unwrap_or_default();
        let before = self.dropped.len();
        let suspects = places(printed);
        for &(suite, test) in &suspects {
            let alone = Selection {
                dropped_tests: (0..self.sources[suite].test_count()).filter(|&other| other != test).collect(),
                dropped_assertions: self.selections[suite].dropped_assertions.clone(),
            };
            let printed = self.sources[suite].print(&alone);
            if !in_way(bench, way, vec![(printed.path(), printed.text)])?.is_empty() {
                self.drop_test(suite, test, Cause::Compile { message: message.clone() });
            }
        }
        if self.dropped.len() == before {
            // Each alone is right and together they are wrong: nothing tells which to keep.
            for (suite, test) in suspects {
                self.drop_test(suite, test, Cause::Compile { message: message.clone() });
            }
        }
        Ok(())
    }
}

/// What JUnit knows the tests of a suite as, by number.
fn names_in(source: &dyn SuiteSource, suite: &PrintedSuite) -> BTreeMap<usize, TestName> {
    suite.tests.iter().map(|test| (test.test, source.name_of(suite, test))).collect()
}

/// Compiles files in one of the ways.
fn in_way(bench: &mut dyn Bench, way: Way, files: Vec<(String, String)>) -> Result<Vec<Problem>, JvmError> {
    match way {
        Way::Written => bench.compile(files),
        Way::Others => bench.check(files),
    }
}
