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

#[cfg(test)]
mod tests {
    use super::super::fixtures::*;
    use super::*;
    use crate::cluster::TestCluster;
    use crate::factory::options::FactoryOptions;

    #[test]
    fn lengths_spread_up_to_the_longest_and_never_beyond() {
        let foo = Foo::new();
        let mut factory = foo.factory();
        let mut random = Random::new(6, 0);
        let lengths: Vec<usize> = (0..500).map(|_| factory.random_test(&mut random).len()).collect();
        assert!(lengths.iter().all(|length| (1..=40).contains(length)));
        assert!(lengths.iter().filter(|length| **length < 10).count() > 50, "{lengths:?}");
        assert!(lengths.iter().filter(|length| **length > 30).count() > 50, "{lengths:?}");
    }

    #[test]
    fn a_cluster_without_calls_gives_empty_tests() {
        let cluster = TestCluster::default();
        let mut factory = TestFactory::new(&cluster, FactoryOptions::default());
        assert!(factory.random_test(&mut Random::new(0, 0)).is_empty());
    }
}
