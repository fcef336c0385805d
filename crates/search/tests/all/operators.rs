//! Crossover and mutation over the test factory: whatever they make is a well-formed test of at most 40 statements.

use bytecode::descriptor::PrimitiveType;
use coverage::fitness::FitnessVector;
use search::chromosome::{RunSummary, TestCaseChromosome};
use search::operators::crossover::crossover;
use search::operators::mutation::mutate;
use search::options::SearchOptions;
use testcase::cluster::testing::ClusterBuilder;
use testcase::cluster::{TestCluster, TypeId};
use testcase::factory::TestFactory;
use testcase::factory::options::FactoryOptions;
use testcase::random::Random;
use testcase::test_case::TestCase;

/// A container of items, with arrays and strings about.
fn cluster() -> TestCluster {
    let mut builder = ClusterBuilder::new("Container");
    let container = builder.class_under_test();
    let item = builder.class("Item");
    let items = builder.array(item);
    let int = TypeId::primitive(PrimitiveType::Int);
    builder.constructor(container, &[]);
    builder.constructor(container, &[items]);
    builder.method(container, "add", &[item, int], None);
    builder.method(container, "get", &[int], Some(item));
    builder.method(container, "merge", &[container], Some(container));
    builder.static_method(container, "of", &[TypeId::STRING], Some(container));
    builder.constructor(item, &[TypeId::STRING]);
    builder.method(item, "rename", &[TypeId::STRING], None);
    builder.field(item, "weight", int);
    builder.build()
}

fn check(cluster: &TestCluster, test: &TestCase) {
    assert_eq!(test.validate(cluster), Ok(()));
    assert!((1..=40).contains(&test.len()), "{} statements", test.len());
}

/// A test that threw somewhere, or nowhere.
fn individual(test: TestCase, random: &mut Random) -> TestCaseChromosome {
    let mut run = RunSummary::default();
    run.threw = random.chance(0.5).then(|| random.below(test.len()));
    TestCaseChromosome::new(0, test, FitnessVector::default(), run)
}

#[test]
fn offspring_are_well_formed() {
    let cluster = cluster();
    for options in [SearchOptions::default(), SearchOptions::paper_004()] {
        for seed in 0..100 {
            let mut random = Random::new(seed, 0);
            let mut factory = TestFactory::new(&cluster, FactoryOptions::default());
            let mut parents: Vec<_> = (0..4)
                .map(|_| {
                    let test = factory.random_test(&mut random);
                    check(&cluster, &test);
                    individual(test, &mut random)
                })
                .collect();
            for _ in 0..20 {
                let pair = (&parents[random.below(4)], &parents[random.below(4)]);
                let (one, two) = crossover(pair, &mut factory, &options, &mut random);
                for mut offspring in [one, two] {
                    check(&cluster, &offspring.test);
                    let executed = offspring.executed();
                    assert!(executed <= offspring.test.len());
                    mutate(&mut factory, &mut offspring.test, executed, &mut random);
                    check(&cluster, &offspring.test);
                    let replaced = random.below(4);
                    parents[replaced] = individual(offspring.test, &mut random);
                }
            }
        }
    }
}
