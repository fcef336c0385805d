//! Mutation of offspring.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), §4.5: statements are deleted, changed and inserted with
//! probability 1/size; what that means for each statement is up to the [`TestSource`].

use testcase::random::Random;
use testcase::statement::Statement;
use testcase::test_case::TestCase;

use crate::source::TestSource;

/// Attempts before a test that will not change is replaced.
const ATTEMPTS: usize = 2;

/// Changes a test case, and makes sure of it: when mutation keeps failing, a call is inserted, and when that fails
/// too, the test is replaced by a random one. So every offspring is worth a run.
///
/// `executed` is the number of statements known to complete when the test runs; more than its length means all.
///
/// # Differences
/// The implementation that the paper builds on mutates at most twice and then drops an offspring that is still
/// unchanged.
pub fn mutate(source: &mut dyn TestSource, test: &mut TestCase, executed: usize, random: &mut Random) {
    let executed = remove_unused(source, test, executed);
    for _ in 0..ATTEMPTS {
        let executed = executed.min(test.len());
        if source.mutate(test, executed, random) && !test.is_empty() {
            return;
        }
    }
    let executed = executed.min(test.len());
    if !source.insert_random(test, executed, random) || test.is_empty() {
        *test = source.random_test(random);
    }
}

/// Removes statements without effect; the number of statements that complete from now on.
fn remove_unused(source: &mut dyn TestSource, test: &mut TestCase, executed: usize) -> usize {
    // Calls and accesses to fields are never removed, and nearly always what threw.
    let lasts = |statement: &&Statement| match statement {
        Statement::Constructor { .. }
        | Statement::Method { .. }
        | Statement::FieldRead { .. }
        | Statement::FieldWrite { .. }
        | Statement::Stub { .. } => true,
        Statement::Primitive { .. }
        | Statement::Null { .. }
        | Statement::EnumConstant { .. }
        | Statement::ClassLiteral { .. }
        | Statement::Array { .. }
        | Statement::ArrayWrite { .. } => false,
    };
    let Some(completed) = test.statements().get(..executed) else {
        source.remove_unused(test);
        return usize::MAX;
    };
    let completed = completed.iter().filter(lasts).count();
    source.remove_unused(test);
    let mut lasting = test.statements().iter().enumerate().filter(|(_, statement)| lasts(statement));
    lasting.nth(completed).map_or(usize::MAX, |(position, _)| position)
}

#[cfg(test)]
mod tests {
    use fixedbitset::FixedBitSet;
    use testcase::cluster::CallableId;
    use testcase::execution::ComparisonOperand;
    use testcase::statement::Arguments;
    use testcase::value::Value;

    use super::*;

    /// Fails as often as told before it does something.
    struct Stubborn {
        mutations: usize,
        insertions: usize,
    }

    fn number(value: i32) -> Statement {
        Statement::Primitive { value: Value::Int(value), boxed: false }
    }

    impl TestSource for Stubborn {
        fn random_test(&mut self, _: &mut Random) -> TestCase {
            TestCase::new(vec![number(3)])
        }

        fn mutate(&mut self, test: &mut TestCase, executed: usize, _: &mut Random) -> bool {
            assert!(executed <= test.len());
            self.mutations = self.mutations.saturating_sub(1);
            if self.mutations == 0 {
                test.push(number(1));
            }
            self.mutations == 0
        }

        fn append(&mut self, _: &mut TestCase, _: &TestCase, _: usize, _: &mut Random) -> bool {
            false
        }

        fn insert_random(&mut self, test: &mut TestCase, executed: usize, _: &mut Random) -> bool {
            assert!(executed <= test.len());
            self.insertions = self.insertions.saturating_sub(1);
            if self.insertions == 0 {
                test.push(number(2));
            }
            self.insertions == 0
        }

        fn remove_unused(&mut self, test: &mut TestCase) {
            test.truncate(1);
        }

        fn set_call_weights(&mut self, _: &[f64]) {}

        fn set_open_branches(&mut self, _: &FixedBitSet) {}

        fn observe(&mut self, _: &[ComparisonOperand]) {}
    }

    fn check(mutations: usize, insertions: usize, expect: &[i32]) {
        let mut test = TestCase::new(vec![number(0), number(9)]);
        let mut source = Stubborn { mutations, insertions };
        mutate(&mut source, &mut test, usize::MAX, &mut Random::new(0, 0));
        let expect: Vec<_> = expect.iter().map(|&value| number(value)).collect();
        assert_eq!(test.statements(), expect);
    }

    #[test]
    fn every_offspring_differs_from_its_parent() {
        check(1, 1, &[0, 1]);
        check(2, 1, &[0, 1]);
        check(3, 1, &[0, 2]);
        check(3, 2, &[3]);
    }

    #[test]
    fn the_statement_that_threw_is_found_again() {
        /// Removes all literals.
        struct Tidy(Option<usize>);

        impl TestSource for Tidy {
            fn random_test(&mut self, _: &mut Random) -> TestCase {
                TestCase::default()
            }

            fn mutate(&mut self, _: &mut TestCase, executed: usize, _: &mut Random) -> bool {
                self.0 = Some(executed);
                true
            }

            fn append(&mut self, _: &mut TestCase, _: &TestCase, _: usize, _: &mut Random) -> bool {
                false
            }

            fn insert_random(&mut self, _: &mut TestCase, _: usize, _: &mut Random) -> bool {
                false
            }

            fn remove_unused(&mut self, test: &mut TestCase) {
                test.statements_mut().retain(|statement| statement.callable().is_some());
            }

            fn set_call_weights(&mut self, _: &[f64]) {}

            fn set_open_branches(&mut self, _: &FixedBitSet) {}

            fn observe(&mut self, _: &[ComparisonOperand]) {}
        }

        let call =
            || Statement::Method { callable: CallableId(0), receiver: None, arguments: Arguments::new() };
        let test = TestCase::new(vec![number(1), call(), number(2), call(), number(3), call()]);
        for (executed, expect) in [(1, 0), (3, 1), (5, 2), (6, 3), (usize::MAX, 3)] {
            let mut source = Tidy(None);
            mutate(&mut source, &mut test.clone(), executed, &mut Random::new(0, 0));
            assert_eq!(source.0, Some(expect), "{executed} statements executed");
        }
    }
}
