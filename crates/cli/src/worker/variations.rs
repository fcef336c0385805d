//! Variations of tests, drawn by the test factory.

use output::assertion::live::Variations;
use testcase::cluster::{Call, TestCluster};
use testcase::factory::TestFactory;
use testcase::factory::options::FactoryOptions;
use testcase::random::Random;
use testcase::statement::VarRef;
use testcase::test_case::TestCase;

/// The stream of random numbers for variations, among those of a search: none of its own.
const STREAM: u64 = 1 << 32;

/// Rate of variations in which objects that the last call works with are told what the code asks them for, where it asks for something.
const SETTING_RATE: f64 = 0.4;
/// Rate of a further such call.
const AGAIN_RATE: f64 = 0.5;
/// Rate of variations in which the test implements an object that it passes, among the others, where it can.
const IMPLEMENTING_RATE: f64 = 0.3;
/// Rate of variations with a further call, among the others; those that are left change what is there.
const CALL_RATE: f64 = 0.7;

/// Draws calls that set what the code asks objects for, objects that write down what is called on them, a further call on an object
/// of the test, or another value or call in it.
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

    /// The test with calls before the last one that set what the code under test asks an object for which that one works with: where
    /// `copy(order)` calls `setOwner(order.getOwner())`, an order without an owner shows nothing.
    fn with_setting(&mut self, test: &TestCase) -> Option<TestCase> {
        let cluster = self.factory.cluster();
        let last = test.len().checked_sub(1)?;
        let is_setting = |call: &&Call| matches!(call, Call::Callable(id) if cluster.sets_what_is_asked(*id));
        let settings = |object: VarRef| {
            let of = test.variable_type(cluster, object);
            let calls = of.into_iter().flat_map(|of| cluster.modifiers(of)).filter(is_setting);
            calls.map(move |call| (object, *call)).collect::<Vec<_>>()
        };
        let objects = test.statement(VarRef::from(last)).used();
        let settings: Vec<(VarRef, Call)> = objects.into_iter().flat_map(settings).collect();
        let mut varied = test.clone();
        loop {
            let (object, call) = *self.random.choose(&settings)?;
            let at = varied.len() - 1;
            if !self.factory.call_before(&mut varied, at, call, Some(object), &mut self.random) {
                return (varied != *test).then_some(varied);
            }
            if !self.random.chance(AGAIN_RATE) {
                return Some(varied);
            }
        }
    }
}

impl Variations for DrawnVariations<'_> {
    fn vary(&mut self, test: &TestCase) -> Option<TestCase> {
        if self.random.chance(SETTING_RATE)
            && let Some(varied) = self.with_setting(test)
        {
            return Some(varied);
        }
        let mut varied = test.clone();
        if self.random.chance(IMPLEMENTING_RATE)
            && self.factory.implement_input(&mut varied, &mut self.random)
        {
            return Some(varied);
        }
        if self.random.chance(CALL_RATE)
            && let Some(varied) = self.with_call(test)
        {
            return Some(varied);
        }
        self.factory.mutate(&mut varied, test.len(), &mut self.random).then_some(varied)
    }
}

#[cfg(test)]
mod tests {
    use testcase::cluster::TypeId;
    use testcase::cluster::testing::ClusterBuilder;
    use testcase::statement::Statement;

    use super::*;

    #[test]
    fn objects_are_told_what_the_code_asks_them_for_before_it_asks() {
        let mut builder = ClusterBuilder::new("p/Copier");
        let (copier, order) = (builder.class_under_test(), builder.class("p/Order"));
        let make = builder.constructor(order, &[]);
        let set_owner = builder.method(order, "setOwner", &[TypeId::STRING], None);
        builder.method(order, "setOther", &[TypeId::STRING], None);
        let copy = builder.static_method(copier, "copy", &[order], Some(order));
        let mut cluster = builder.build();
        cluster.setting = vec![set_owner];
        let test = TestCase::new(vec![
            Statement::Constructor { callable: make, arguments: Vec::new().into() },
            Statement::Method { callable: copy, receiver: None, arguments: vec![VarRef(0)].into() },
        ]);
        let mut variations = DrawnVariations::new(&cluster, FactoryOptions::default(), (0, 0));
        for _ in 0..20 {
            let varied = variations.with_setting(&test).expect("the order has an owner");
            let calls: Vec<_> = varied.statements().iter().filter_map(Statement::callable).collect();
            let (last, set) = calls[1..].split_last().expect("calls");
            assert!(
                *last == copy && !set.is_empty() && set.iter().all(|call| *call == set_owner),
                "{varied:?}"
            );
            assert_eq!(varied.validate(&cluster), Ok(()));
        }
        // Of nothing that is asked for there is nothing to set.
        cluster.setting.clear();
        let mut variations = DrawnVariations::new(&cluster, FactoryOptions::default(), (0, 0));
        assert_eq!(variations.with_setting(&test), None);
    }
}
