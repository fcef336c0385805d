//! A file on disk, and the classes in which each of its tests was verified.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use coverage::goal::GoalId;
use output::asserted_test::AssertedTest;
use output::junit::printed::PrintedSuite;
use verify::apart::CompiledTest;
use verify::lane::Judges;
use verify::suite::{Selection, SuiteSource as _, VerifiedSuite};

use super::replay::Disagreement;
use super::suite_file::{SuiteFile, with_assertions};

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

/// Tests without what disagreed of a suite that has them: they hold without it as they did with it. One that would show nothing any
/// more goes.
pub(super) fn without_disagreement(
    tests: Vec<VerifiedTest>,
    suite: &[AssertedTest],
    found: &Disagreement,
) -> Vec<VerifiedTest> {
    let agrees = |VerifiedTest { test, compiled }: VerifiedTest| {
        let is_same = |one: &AssertedTest| one.test == test.test && one.expected == test.expected;
        let Some(number) = suite.iter().position(is_same) else {
            return Some(VerifiedTest { test, compiled });
        };
        if found.tests.contains(&number) {
            return None;
        }
        let refused = found.assertions.iter().filter(|(of, _)| *of == number);
        let refused: Vec<_> = refused.filter_map(|(_, one)| suite[number].assertions.get(*one)).collect();
        let (all, mut left) = (test.assertions.len(), (0..test.assertions.len()).collect::<Vec<usize>>());
        left.retain(|&one| !refused.contains(&&test.assertions[one]));
        let shows_nothing = left.is_empty() && all > 0 && test.expected.is_none();
        let test = if left.len() < all { with_assertions(&test, &left) } else { test };
        (!shows_nothing).then_some(VerifiedTest { test, compiled })
    };
    tests.into_iter().filter_map(agrees).collect()
}

#[cfg(test)]
mod tests {
    use testcase::assertion::{Assertion, ObservationTarget, ObservedValue};
    use testcase::statement::{Statement, VarRef};
    use testcase::test_case::TestCase;
    use testcase::value::Value;
    use verify::suite::TestName;

    use super::*;

    #[test]
    fn what_disagreed_goes_and_the_rest_stays_as_it_was_verified() {
        let number = |value| Statement::Primitive { value: Value::Int(value), boxed: false };
        let assertion = |value| Assertion {
            after: VarRef::from(0),
            target: ObservationTarget::Value(VarRef::from(0)),
            expected: ObservedValue::Primitive(Value::Int(value)),
        };
        let test = |of: i32, assertions: &[i32]| AssertedTest {
            assertions: assertions.iter().copied().map(assertion).collect(),
            ..AssertedTest::new(TestCase::new(vec![number(of)]))
        };
        let suite = [test(0, &[1, 2]), test(1, &[1, 2]), test(2, &[1]), test(3, &[])];
        // The second lost an assertion when it was verified; the last was in no suite.
        let tests = [test(0, &[1, 2]), test(1, &[2]), test(2, &[1]), test(3, &[]), test(4, &[1])];
        let name = TestName { class: "p.ATest".to_owned(), method: "t".to_owned() };
        let compiled = CompiledTest { folder: PathBuf::new(), name };
        let verified = |test| VerifiedTest { test, compiled: compiled.clone() };
        let found =
            Disagreement { tests: BTreeSet::from([3]), assertions: BTreeSet::from([(0, 0), (1, 0), (2, 0)]) };
        let left = without_disagreement(tests.map(verified).to_vec(), &suite, &found);
        let left: Vec<AssertedTest> = left.into_iter().map(|verified| verified.test).collect();
        assert_eq!(left, [test(0, &[2]), test(1, &[2]), test(4, &[1])]);
    }
}
