//! What verification refuted, for the files of the class that come after: most of their tests are in the one before, and an assertion that
//! fails once more costs a round in which all others run again.

use std::collections::BTreeSet;

use output::asserted_test::{AssertedTest, StubForm};
use testcase::assertion::{Assertion, ObservationTarget};
use testcase::statement::VarRef;
use testcase::test_case::TestCase;
use verify::suite::{Cause, Dropped, Selection};

/// What verification refuted so far.
#[derive(Debug, Default)]
pub(super) struct Refuted {
    assertions: BTreeSet<Key>,
    /// Tests that lose less with classes than with mocks.
    as_classes: BTreeSet<TestCase>,
}

/// Whether a test has mocks: what fails with these may hold with classes.
type HasMocks = bool;

/// An assertion of a test, whatever it expects.
type Key = (TestCase, HasMocks, VarRef, ObservationTarget);

impl Refuted {
    /// Notes the assertions of these tests that failed.
    pub(super) fn note(&mut self, tests: &[AssertedTest], dropped: &[Dropped]) {
        for Dropped { test, assertion, cause, .. } in dropped {
            let Some((test, assertion)) = tests.get(*test).zip(*assertion) else { continue };
            if let (Some(assertion), Cause::Failed { .. }) = (test.assertions.get(assertion), cause) {
                self.assertions.insert(key(test, assertion));
            }
        }
    }

    /// Notes that these of the tests lost less with classes.
    pub(super) fn note_classes(&mut self, tests: &[AssertedTest], better: &BTreeSet<usize>) {
        let better = better.iter().filter_map(|&test| tests.get(test));
        self.as_classes.extend(better.map(|test| test.test.clone()));
    }

    /// Leaves out what failed before.
    pub(super) fn leave_out(&self, tests: &[AssertedTest], selection: &mut Selection) {
        for (number, test) in tests.iter().enumerate() {
            let is_refuted =
                |(_, assertion): &(usize, &Assertion)| self.assertions.contains(&key(test, assertion));
            let refuted = test.assertions.iter().enumerate().filter(is_refuted);
            selection.dropped_assertions.extend(refuted.map(|(assertion, _)| (number, assertion)));
        }
    }

    /// Those of the tests with mocks that are to have classes.
    pub(super) fn as_classes(&self, tests: &[AssertedTest]) -> BTreeSet<usize> {
        let is_better = |(_, test): &(usize, &AssertedTest)| {
            test.stubs == StubForm::Mocks && self.as_classes.contains(&test.test)
        };
        tests.iter().enumerate().filter(is_better).map(|(number, _)| number).collect()
    }
}

fn key(test: &AssertedTest, assertion: &Assertion) -> Key {
    (test.test.clone(), test.stubs == StubForm::Mocks, assertion.after, assertion.target)
}

#[cfg(test)]
mod tests {
    use testcase::assertion::ObservedValue;
    use testcase::statement::Statement;
    use testcase::value::Value;
    use verify::surroundings::Role;

    use super::*;

    /// A test of a number with two assertions.
    fn test(number: i32, stubs: StubForm) -> AssertedTest {
        let mut test = TestCase::default();
        test.push(Statement::Primitive { value: Value::Int(number), boxed: false });
        let assertion = |after| Assertion {
            after: VarRef(after),
            target: ObservationTarget::Value(VarRef(0)),
            expected: ObservedValue::Null,
        };
        AssertedTest { assertions: vec![assertion(0), assertion(1)], stubs, ..AssertedTest::new(test) }
    }

    #[test]
    fn what_failed_in_one_file_is_left_out_of_the_next() {
        let failed = Cause::Failed { exception: String::new(), message: String::new(), role: Role::First };
        let dropped =
            |test, assertion, cause: &Cause| Dropped { suite: 0, test, assertion, cause: cause.clone() };
        let mut refuted = Refuted::default();
        refuted.note(
            &[test(7, StubForm::Mocks), test(8, StubForm::Classes)],
            &[
                dropped(0, Some(1), &failed),
                dropped(1, Some(0), &Cause::Unreached),
                dropped(1, None, &failed),
            ],
        );
        let mut selection = Selection::default();
        let next = [test(8, StubForm::Classes), test(7, StubForm::Classes), test(7, StubForm::Mocks)];
        refuted.leave_out(&next, &mut selection);
        assert_eq!(selection.dropped_assertions, BTreeSet::from([(2, 1)]), "with a class it may hold");
        assert_eq!(selection.dropped_tests, BTreeSet::new());
    }

    #[test]
    fn a_test_that_is_better_with_classes_has_them_from_then_on() {
        let tests = [test(7, StubForm::Mocks), test(8, StubForm::Mocks)];
        let mut refuted = Refuted::default();
        refuted.note_classes(&tests, &BTreeSet::from([1]));
        assert_eq!(refuted.as_classes(&tests), BTreeSet::from([1]));
        assert_eq!(refuted.as_classes(&[test(8, StubForm::Classes)]), BTreeSet::new());
    }
}
