//! Clusters of fixtures as text.

#![allow(unreachable_pub, reason = "a module of a program")]

use bytecode::descriptor::ErasedType;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use testcase::cluster::build::{ClusterError, ClusterOptions, ClusterRequest, Mockable, build};
use testcase::cluster::listing::Listing;
use testcase::cluster::{StaticConstants, TestCluster};
use testcase::factory::TestFactory;
use testcase::factory::options::FactoryOptions;
use testcase::random::Random;
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;

/// Builds the cluster of the nest of a class, or of the class alone when it is nested.
pub fn build_from(
    hierarchy: &ClassHierarchy,
    class: &str,
    referenced: &[&str],
) -> Result<TestCluster, ClusterError> {
    build_with(hierarchy, class, referenced, Mockable::Nothing)
}

/// The same with mocks.
pub fn build_with(
    hierarchy: &ClassHierarchy,
    class: &str,
    referenced: &[&str],
    mockable: Mockable,
) -> Result<TestCluster, ClusterError> {
    let options = ClusterOptions { mockable, ..ClusterOptions::default() };
    build_within(hierarchy, class, referenced, &options)
}

/// The same within these limits.
pub fn build_within(
    hierarchy: &ClassHierarchy,
    class: &str,
    referenced: &[&str],
    options: &ClusterOptions,
) -> Result<TestCluster, ClusterError> {
    let class_under_test = ClassName::from(class);
    let names = hierarchy.source().class_path_classes().iter();
    let goal_classes = names.filter(|name| name.is_in_nest_of(&class_under_test)).cloned().collect();
    let referenced: Vec<ErasedType> =
        referenced.iter().map(|descriptor| ErasedType::parse(descriptor).expect("a descriptor")).collect();
    let request = ClusterRequest { class_under_test, goal_classes };
    build(hierarchy, &request, StaticConstants::default(), &referenced, options)
}

/// As [`build_from`], for sources of Java 8.
pub fn cluster(sources: &str, class: &str, referenced: &[&str]) -> TestCluster {
    build_from(&fixture::compile(sources).hierarchy_of_java_8(), class, referenced)
        .expect("a cluster is built")
}

/// The listing, cut to the sections named: `test calls` and types; all diagnostics.
pub fn sections(cluster: &TestCluster, wanted: &[&str]) -> String {
    let listing = Listing(cluster).to_string();
    let mut shown = false;
    let mut text = String::new();
    for line in listing.lines() {
        if !line.starts_with(' ') {
            shown = wanted.contains(&line) || line.starts_with('!');
        }
        if shown {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

/// Random tests, the same ones every time.
pub fn random_tests(cluster: &TestCluster, options: FactoryOptions, number: usize) -> Vec<TestCase> {
    let mut factory = TestFactory::new(cluster, options);
    let mut random = Random::new(1, 0);
    let tests: Vec<TestCase> = (0..number).map(|_| factory.random_test(&mut random)).collect();
    for test in &tests {
        assert_eq!(test.validate(cluster), Ok(()));
    }
    tests
}

/// The share, in percent, of values of a class among those that tests use somewhere; of a hundred at least.
pub fn share_of(
    cluster: &TestCluster,
    (options, class): (FactoryOptions, &str),
    used: impl Fn(&Statement) -> Vec<VarRef>,
) -> usize {
    let (mut all, mut of_class) = (0, 0);
    for test in random_tests(cluster, options, 400) {
        for value in test.statements().iter().flat_map(&used) {
            let of = test.variable_type(cluster, value).map(|of| cluster.ty(of).erased.descriptor());
            all += 1;
            of_class += usize::from(of.as_deref() == Some(class));
        }
    }
    assert!(all > 100, "{all}");
    of_class * 100 / all
}

/// Checks the sections of a cluster.
pub fn check(sources: &str, class: &str, wanted: &[&str], expect: &str) {
    let text = sections(&cluster(sources, class, &[]), wanted);
    assert_eq!(text.trim(), expect.trim(), "\n{text}");
}

/// Checks why there is no cluster.
pub fn check_error(sources: &str, class: &str, expect: &str) {
    let error =
        build_from(&fixture::compile(sources).hierarchy_of_java_8(), class, &[]).expect_err("an error");
    assert_eq!(error.to_string(), expect);
}
