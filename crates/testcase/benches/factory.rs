//! Time per operation of the test factory.
//!
//! Measures a fixture, or a class of your own: `COVOLVE_BENCH_CLASS_PATH=a.jar:b.jar COVOLVE_BENCH_CLASS=p.Foo cargo
//! bench -p testcase`.

#![expect(clippy::disallowed_methods, reason = "what is measured is chosen by the environment")]

use std::hint::black_box;
use std::path::PathBuf;

use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use testcase::cluster::build::{ClusterOptions, ClusterRequest, build};
use testcase::cluster::{StaticConstants, TestCluster};
use testcase::factory::TestFactory;
use testcase::factory::options::FactoryOptions;
use testcase::random::Random;
use testcase::test_case::TestCase;

#[path = "../tests/all/sources/mod.rs"]
mod sources;

/// Tests that operations are applied to.
const POPULATION: usize = 50;

fn subject() -> (ClassHierarchy, ClusterRequest) {
    let chosen =
        std::env::var("COVOLVE_BENCH_CLASS_PATH").ok().zip(std::env::var("COVOLVE_BENCH_CLASS").ok());
    let (hierarchy, class_under_test) = match chosen {
        Some((class_path, class)) => {
            let entries: Vec<PathBuf> = class_path.split(':').map(PathBuf::from).collect();
            (ClassHierarchy::new(fixture::class_path(&entries)), ClassName::from_binary(&class))
        }
        None => (fixture::compile(sources::MIX).hierarchy_of_java_8(), ClassName::from("p/Mix")),
    };
    let names = hierarchy.source().class_path_classes().iter();
    let goal_classes = names.filter(|name| name.is_in_nest_of(&class_under_test)).cloned().collect();
    (hierarchy, ClusterRequest { class_under_test, goal_classes })
}

fn cluster(hierarchy: &ClassHierarchy, request: &ClusterRequest) -> TestCluster {
    let constants = StaticConstants::default();
    build(hierarchy, request, constants, &[], &ClusterOptions::default()).expect("the class can be tested")
}

fn factory(criterion: &mut Criterion) {
    let (hierarchy, request) = subject();
    let cluster_of_subject = cluster(&hierarchy, &request);
    criterion.bench_function("cluster of known classes", |bencher| {
        bencher.iter(|| cluster(&hierarchy, &request));
    });
    let mut factory = TestFactory::new(&cluster_of_subject, FactoryOptions::default());
    let mut random = Random::new(1, 0);
    criterion.bench_function("random_test", |bencher| bencher.iter(|| factory.random_test(&mut random)));
    let population: Vec<TestCase> = (0..POPULATION).map(|_| factory.random_test(&mut random)).collect();
    let mut next = 0;
    let mut pick = || {
        next = (next + 1) % POPULATION;
        population[next].clone()
    };
    criterion.bench_function("mutate", |bencher| {
        bencher.iter_batched(
            &mut pick,
            |mut test| {
                let executed = test.len();
                black_box(factory.mutate(&mut test, executed, &mut random));
                test
            },
            BatchSize::SmallInput,
        );
    });
    criterion.bench_function("append_tail", |bencher| {
        bencher.iter_batched(
            || (pick(), pick()),
            |(mut test, other)| {
                test.truncate(test.len() / 2);
                factory.append_tail(&mut test, &other, other.len() / 2, &mut random);
                (test, other)
            },
            BatchSize::SmallInput,
        );
    });
    criterion.bench_function("remove_unused", |bencher| {
        bencher.iter_batched(
            &mut pick,
            |mut test| {
                black_box(factory.remove_unused(&mut test));
                test
            },
            BatchSize::SmallInput,
        );
    });
}

criterion_group!(benches, factory);
criterion_main!(benches);
