//! Variations of tests, drawn by the test factory.

use output::assertion::live::Variations;
use testcase::cluster::TestCluster;
use testcase::factory::TestFactory;
use testcase::factory::options::FactoryOptions;
use testcase::random::Random;
use testcase::test_case::TestCase;

/// The stream of random numbers for variations, among those of a search: none of its own.
const STREAM: u64 = 1 << 32;

/// Rate of variations with a further call; the others change what is there.
const CALL_RATE: f64 = 0.7;

/// Draws a further call on an object of the test, or another value or call in it.
#[derive(Debug)]
pub(super) struct DrawnVariations<'a> {
    factory: TestFactory<'a>,
    random: Random,
}

impl<'a> DrawnVariations<'a> {
    /// By the random numbers of this seed, beside those of the stream.
    pub(super) fn new(cluster: &'a TestCluster, options: FactoryOptions, seed: (u64, u64)) -> Self {
        Self { factory: TestFactory::new(cluster, options), random: Random::new(seed.0, STREAM + seed.1) }
    }

    /// The test with a further call at its end, on one of its objects.
    fn with_call(&mut self, test: &TestCase) -> Option<TestCase> {
        let cluster = self.factory.cluster();
        let is_object = |position: &usize| {
            let of = cluster.type_of(&test.statements()[*position]);
            of.is_some_and(|of| !cluster.modifiers(of).is_empty())
        };
        let objects: Vec<usize> = (0..test.len()).filter(is_object).collect();
        let object = *self.random.choose(&objects)?;
        let mut varied = test.clone();
        self.factory.call_at_end(&mut varied, object, &mut self.random).then_some(varied)
    }
}

impl Variations for DrawnVariations<'_> {
    fn vary(&mut self, test: &TestCase) -> Option<TestCase> {
        if self.random.chance(CALL_RATE)
            && let Some(varied) = self.with_call(test)
        {
            return Some(varied);
        }
        let mut varied = test.clone();
        self.factory.mutate(&mut varied, test.len(), &mut self.random).then_some(varied)
    }
}
