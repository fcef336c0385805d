//! `javac` accepts random tests over each fixture: everything the cluster offers may be said in source code, without
//! unchecked conversions where the fixture itself has none.

use crate::sources::declarations;
use bytecode::name::ClassName;
use testcase::cluster::StaticConstants;
use testcase::cluster::build::{ClusterOptions, ClusterRequest, build};
use testcase::factory::TestFactory;
use testcase::factory::options::FactoryOptions;
use testcase::random::Random;
use testcase::test_case::TestCase;

fn check(sources: &str, class: &str, options: &[&str]) {
    let hierarchy = fixture::compile(sources).hierarchy_of_java_8();
    let class_under_test = ClassName::from(class);
    let names = hierarchy.source().class_path_classes().iter();
    let goal_classes = names.filter(|name| name.is_in_nest_of(&class_under_test)).cloned().collect();
    let request = ClusterRequest { class_under_test, goal_classes };
    let mut cluster =
        build(&hierarchy, &request, StaticConstants::default(), &[], &ClusterOptions::default())
            .expect("a cluster is built");
    // What these calls mean in Java is the matter of whoever prints them.
    cluster.ban(&cluster.folder_calls());
    let mut factory = TestFactory::new(&cluster, FactoryOptions::default());
    let mut random = Random::new(1, 0);
    let tests: Vec<TestCase> = (0..150).map(|_| factory.random_test(&mut random)).collect();
    let printed = crate::java::class(&cluster, "GeneratedTests", &tests);
    let all = format!("{}\n//- /p/GeneratedTests.java\n{printed}", sources.trim_end());
    let options: Vec<&str> = ["-g", "-parameters", "--release", "8"].iter().chain(options).copied().collect();
    fixture::compile_with(&all, &options);
}

const STRICT: &[&str] = &["-Xlint:unchecked", "-Werror"];

#[test]
fn tests_of_plain_classes_compile() {
    check(crate::sources::PLAIN, "p/Plain", STRICT);
    check(crate::sources::SHAPE, "p/Shape", STRICT);
    check(crate::sources::FACE, "p/Face", STRICT);
    check(crate::sources::LEVEL, "p/Level", STRICT);
    check(crate::sources::CONSTANTS, "p/Constants", STRICT);
    check(crate::sources::BUILDER, "p/Builder", STRICT);
}

#[test]
fn tests_of_generic_classes_compile_without_unchecked_warnings() {
    check(crate::sources::BOX, "p/Box", STRICT);
    check(crate::sources::WALK, "p/Walk", STRICT);
    check(crate::sources::MIX, "p/Mix", STRICT);
    check(crate::sources::INHERIT, "p/Inherit", STRICT);
    check(crate::sources::GENERIC_MAKERS, "p/Shop", STRICT);
    check(declarations::OUTER, "p/Outer", &[]);
    check(declarations::TRICKY, "p/Tricky", &[]);
    check(declarations::GIVEN, "p/Given", STRICT);
    check(declarations::GIVEN, "p/Chain", &[]);
    check(declarations::ENTANGLED, "p/Reader", STRICT);
}

#[test]
fn tests_of_platform_types_compile() {
    check(declarations::PERSON, "p/Person", &[]);
}

#[test]
fn tests_of_raw_types_compile() {
    check(crate::sources::RAW, "p/Raw", &[]);
}

#[test]
fn tests_that_implement_interfaces_and_abstract_classes_compile() {
    check(crate::sources::STEPS, "p/Steps", STRICT);
    check(crate::sources::CALLBACKS, "p/Bank", &[]);
    check(crate::sources::SKETCH, "p/Sketch", STRICT);
}
