//! Prints the test cluster of a class; with `--summary` only its size and the time it took, with `--tests` some random
//! tests, with `--java` more of them as plain Java:
//! `cargo run --release -p testcase --example cluster -- [--summary | --tests | --java] CLASS_PATH CLASS`
//!
//! `*` as class stands for every top-level class of the class path. The platform is that of
//! Java 8, whatever the JDK.

#![expect(clippy::print_stdout, reason = "the listing is what the example is for")]
#![expect(clippy::disallowed_methods, reason = "it measures, and reads class files on its own")]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use bytecode::class_file::ClassFile;
use bytecode::class_path::ClassPath;
use bytecode::descriptor::ErasedType;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::instruction::{Operand, decode};
use bytecode::name::ClassName;
use bytecode::opcode::{CHECKCAST, INSTANCEOF};
use testcase::cluster::build::{ClusterOptions, ClusterRequest, build};
use testcase::cluster::listing::{Listing, TestText};
use testcase::cluster::{StaticConstants, TestCluster};
use testcase::factory::TestFactory;
use testcase::factory::options::FactoryOptions;
use testcase::random::Random;
use testcase::test_case::TestCase;

#[path = "../tests/all/java/mod.rs"]
mod java;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = arguments.first().filter(|first| first.starts_with("--")).cloned().unwrap_or_default();
    if !option.is_empty() {
        arguments.remove(0);
    }
    let [class_path, class] = arguments.as_slice() else {
        println!("usage: cluster [--summary | --tests | --java] CLASS_PATH CLASS");
        return;
    };
    let entries: Vec<PathBuf> = class_path.split(':').map(PathBuf::from).collect();
    let home = fixture::java_home();
    let start = Instant::now();
    let class_path = ClassPath::open(&home, fixture::java_version(&home), &entries);
    let class_path = class_path.and_then(|class_path| class_path.at_release(&home, 8));
    let opened = start.elapsed().as_secs_f64() * 1e3;
    let hierarchy = match class_path {
        Ok(class_path) => ClassHierarchy::new(Arc::new(class_path)),
        Err(error) => return println!("{error}"),
    };
    let start = Instant::now();
    // Reading the head of every class is shared with whoever needs subtypes next.
    hierarchy.direct_subtypes(&ClassName::object());
    let indexed = start.elapsed().as_secs_f64() * 1e3;
    if class == "*" {
        for name in hierarchy.source().class_path_classes().iter().filter(|name| !name.as_str().contains('$'))
        {
            show(&hierarchy, &name.binary(), &option, [opened, indexed]);
        }
    } else {
        show(&hierarchy, class, &option, [opened, indexed]);
    }
}

fn show(hierarchy: &ClassHierarchy, class: &str, option: &str, [opened, indexed]: [f64; 2]) {
    let class_under_test = ClassName::from_binary(class);
    let names = hierarchy.source().class_path_classes().iter();
    let goal_classes: Vec<ClassName> =
        names.filter(|name| name.is_in_nest_of(&class_under_test)).cloned().collect();
    let referenced = referenced_types(hierarchy, &goal_classes);
    let request = ClusterRequest { class_under_test, goal_classes };
    let start = Instant::now();
    let constants = StaticConstants::default();
    match build(hierarchy, &request, constants, &referenced, &ClusterOptions::default()) {
        Ok(cluster) if option == "--tests" => print_tests(&cluster),
        Ok(cluster) if option == "--java" => {
            let name = format!("{}RandomTests", request.class_under_test.base_name());
            println!("//- /{}/{name}.java", request.class_under_test.package());
            println!("{}", java::class(&cluster, &name, &random_tests(&cluster, 50)));
        }
        Ok(cluster) if option == "--summary" => {
            print_summary(class, &cluster, [opened, indexed, start.elapsed().as_secs_f64() * 1e3]);
        }
        Ok(cluster) => println!("{}", Listing(&cluster)),
        Err(error) => println!("{class}: {error}"),
    }
}

fn random_tests(cluster: &TestCluster, count: usize) -> Vec<TestCase> {
    let mut factory = TestFactory::new(cluster, FactoryOptions::default());
    let mut random = Random::new(0, 0);
    (0..count).map(|_| factory.random_test(&mut random)).collect()
}

fn print_tests(cluster: &TestCluster) {
    for test in random_tests(cluster, 10) {
        println!("{}", TestText(cluster, &test));
    }
}

fn print_summary(class: &str, cluster: &TestCluster, milliseconds: [f64; 3]) {
    let [opened, indexed, built] = milliseconds;
    println!(
        "{:<62} {opened:5.1} + {indexed:5.1} + {built:5.1} ms {:4} groups {:5} calls {:4} types {:5} callables {:4} fields {:5} generators \
         {:5} modifiers {:5} inspectors {:2} notes",
        class,
        cluster.test_calls.len(),
        cluster.test_calls.iter().map(Vec::len).sum::<usize>(),
        cluster.types.len(),
        cluster.callables.len(),
        cluster.fields.len(),
        cluster.generators.iter().map(Vec::len).sum::<usize>(),
        cluster.modifiers.iter().map(Vec::len).sum::<usize>(),
        cluster.inspectors.iter().map(Vec::len).sum::<usize>(),
        cluster.diagnostics.len(),
    );
}

/// Operands of casts and `instanceof`, sorted.
fn referenced_types(hierarchy: &ClassHierarchy, classes: &[ClassName]) -> Vec<ErasedType> {
    let mut found = Vec::new();
    for name in classes {
        let Some(bytes) = hierarchy.source().class_bytes(name) else { continue };
        let Ok(class) = ClassFile::parse(&bytes) else { continue };
        for method in &class.methods {
            let Ok(Some(code)) = class.code(method) else { continue };
            for instruction in decode(code.code()).unwrap_or_default() {
                if let Operand::Constant(index) = instruction.operand
                    && matches!(instruction.opcode, CHECKCAST | INSTANCEOF)
                    && let Ok(constant) = class.constants.class(index)
                {
                    found.extend(ErasedType::from_class_constant(&constant));
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}
