//! Builders that insist: `build()` throws unless more has been set than a few calls drawn at random do. Runs tell which they are.
//!
//! A builder of twenty properties that needs three of them builds nothing in nearly all tests, and all that is made of it is never
//! there. Of one that has refused again and again, new objects are given all that they may be asked for.

use crate::cluster::{Generator, TestCluster, TypeId};
use crate::test_case::TestCase;

/// So often a builder has refused before it counts as one that insists.
const FEWEST_REFUSALS: u32 = 4;
/// It does then if it has refused so many times as often as it has built something.
const REFUSALS_PER_OBJECT: u32 = 3;

/// How often a builder has built something, and how often it has refused.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    built: u32,
    refused: u32,
    /// Once it insists it always does: what it builds from then on it was given more for.
    insists: bool,
}

/// What runs told of the builders of a cluster.
#[derive(Debug, Default)]
pub(super) struct Insisting {
    /// By callable: its owner, if that is a builder which it has build something. Empty where there is no builder.
    building: Vec<Option<TypeId>>,
    /// By type.
    tallies: Vec<Tally>,
}

impl Insisting {
    /// Of the builders of a cluster, of which nothing is known yet.
    pub(super) fn new(cluster: &TestCluster) -> Self {
        let mut building = vec![None; cluster.callables.len()];
        for generator in cluster.generators.iter().flatten() {
            if let Generator::Callable(id) = generator
                && cluster.callable(*id).builds()
            {
                building[id.index()] = Some(cluster.callable(*id).owner);
            }
        }
        if building.iter().all(Option::is_none) {
            return Self::default();
        }
        Self { building, tallies: vec![Tally::default(); cluster.types.len()] }
    }

    /// Takes note of a run in which so many statements completed.
    pub(super) fn note(&mut self, test: &TestCase, executed: usize) {
        if self.building.is_empty() {
            return;
        }
        for (position, statement) in test.statements().iter().enumerate().take(executed + 1) {
            let called = statement.callable().and_then(|called| self.building.get(called.index()));
            let Some(builder) = called.copied().flatten() else { continue };
            let tally = &mut self.tallies[builder.index()];
            if position < executed {
                tally.built += 1;
            } else {
                tally.refused += 1;
            }
            let is_refusing = tally.refused >= FEWEST_REFUSALS
                && tally.refused >= tally.built.saturating_mul(REFUSALS_PER_OBJECT);
            tally.insists |= is_refusing;
        }
    }

    /// Whether objects of a type build nothing unless they are given a lot.
    pub(super) fn insists(&self, of: TypeId) -> bool {
        self.tallies.get(of.index()).is_some_and(|tally| tally.insists)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::cluster::testing::ClusterBuilder;
    use crate::factory::TestFactory;
    use crate::factory::options::FactoryOptions;
    use crate::random::Random;
    use crate::statement::Statement;

    const PROPERTIES: [&str; 6] = ["floors", "rooms", "owner", "street", "town", "colour"];

    /// A house that a maker builds of these.
    fn houses() -> TestCluster {
        let mut builder = ClusterBuilder::new("p/House");
        let house = builder.class_under_test();
        let maker = builder.class("p/HouseMaker");
        builder.constructor(maker, &[]);
        for name in PROPERTIES {
            builder.method(maker, name, &[TypeId::STRING], Some(maker));
        }
        let build = builder.method(maker, "build", &[], Some(house));
        builder.generator(house, Generator::Callable(build));
        builder.static_method(house, "visit", &[house], None);
        builder.build()
    }

    #[test]
    fn a_builder_that_refuses_is_given_all_from_then_on() {
        let cluster = houses();
        let is_build = |statement: &Statement| {
            statement.callable().is_some_and(|id| &*cluster.callable(id).name == "build")
        };
        // How often the maker refused and built; how many of a hundred new tests that build a house set all properties then.
        for (refusals, houses_built, expect) in
            [(0, 0, 0..30), (3, 0, 0..30), (4, 0, 60..101), (9, 4, 0..30), (4, 1, 60..101)]
        {
            let options = FactoryOptions { null_probability: 0.0, ..FactoryOptions::default() };
            let mut factory = TestFactory::new(&cluster, options);
            let mut random = Random::new(0, 0);
            let tests: Vec<TestCase> = (0..200).map(|_| factory.random_test(&mut random)).collect();
            let test =
                tests.iter().find(|test| test.statements().iter().filter(|it| is_build(it)).count() == 1);
            let test = test.expect("a test with one house");
            let at = test.statements().iter().position(is_build).unwrap();
            (0..houses_built).for_each(|_| factory.note_run(test, test.len()));
            (0..refusals).for_each(|_| factory.note_run(test, at));
            let sets_all = |test: &TestCase| {
                let names = test.statements().iter().filter_map(Statement::callable);
                let names: BTreeSet<_> = names.map(|id| cluster.callable(id).name.clone()).collect();
                PROPERTIES.iter().all(|name| names.contains(*name))
            };
            let later: Vec<TestCase> = (0..400).map(|_| factory.random_test(&mut random)).collect();
            let with_house: Vec<&TestCase> =
                later.iter().filter(|test| test.statements().iter().any(is_build)).collect();
            let share = with_house.iter().filter(|test| sets_all(test)).count() * 100 / with_house.len();
            assert!(expect.contains(&share), "{refusals} refusals, {houses_built} houses: {share} of 100");
        }
    }
}
