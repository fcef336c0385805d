//! Mutation of offspring.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), §4.5: statements are deleted, changed and inserted with
//! probability 1/size; what that means for each statement is up to the [`TestSource`].

use testcase::random::Random;
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
    source.remove_unused(test);
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
