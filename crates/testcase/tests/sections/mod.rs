//! Clusters of fixtures as text.

#![allow(dead_code, unreachable_pub, reason = "each test target uses some of them")]

use bytecode::descriptor::ErasedType;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use testcase::cluster::build::{ClusterError, ClusterOptions, ClusterRequest, Mockable, build};
use testcase::cluster::listing::Listing;
use testcase::cluster::{StaticConstants, TestCluster};

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
    let class_under_test = ClassName::from(class);
    let names = hierarchy.source().class_path_classes().iter();
    let goal_classes = names.filter(|name| name.is_in_nest_of(&class_under_test)).cloned().collect();
    let referenced: Vec<ErasedType> =
        referenced.iter().map(|descriptor| ErasedType::parse(descriptor).expect("a descriptor")).collect();
    let request = ClusterRequest { class_under_test, goal_classes };
    let options = ClusterOptions { mockable, ..ClusterOptions::default() };
    build(hierarchy, &request, StaticConstants::default(), &referenced, &options)
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
