//! Random tests (Fraser and Arcuri 2013, §3.2).

use super::TestFactory;
use crate::random::Random;
use crate::test_case::TestCase;

impl TestFactory<'_> {
    /// A random test: its length is drawn between 1 and one less than the longest allowed, then statements are
    /// inserted at its end until it is reached. The last insertion may go beyond it. Empty only when the cluster
    /// allows no call at all.
    pub fn random_test(&mut self, random: &mut Random) -> TestCase {
        let mut test = TestCase::new(Vec::with_capacity(self.options.max_length));
        let length = 1 + random.below(self.options.max_length.max(3) - 2);
        for _ in 0..self.options.attempts.max(1) {
            if test.len() >= length.min(self.options.max_length) {
                break;
            }
            let executed = test.len();
            self.insert_random(&mut test, executed, random);
        }
        test
    }
}
