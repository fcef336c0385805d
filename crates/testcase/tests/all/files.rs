//! Files in the folder that a test has to itself: what a cluster offers, and how often the factory takes it.

use crate::sections::{build_from, sections};
use bytecode::name::ClassName;
use testcase::cluster::build::{ClusterOptions, ClusterRequest, build};
use testcase::cluster::folder::FolderCall;
use testcase::cluster::{StaticConstants, TestCluster};
use testcase::factory::TestFactory;
use testcase::factory::options::FactoryOptions;
use testcase::random::Random;
use testcase::statement::Statement;
use testcase::value::Value;

const READER: &str = r"
//- /p/Reader.java
package p;

public class Reader {
    public static int look(java.io.File file) { return 0; }
    public static int see(java.nio.file.Path path) { return 0; }
}
";

/// Takes a path, and a text that is none.
const LOADER: &str = r"
//- /p/Reader.java
package p;

public class Reader {
    public static boolean load(String name, String word) { return new java.io.File(name).exists() && word.isEmpty(); }
}
";

/// Gets no file, and gives none.
const ADDER: &str = r"
//- /p/Adder.java
package p;

public class Adder {
    public static int add(int a, int b) { return a + b; }
}
";

fn cluster(sources: &str, class: &str) -> TestCluster {
    build_from(&fixture::compile(sources).hierarchy_of_java_8(), class, &[]).expect("a cluster is built")
}

#[test]
fn files_and_paths_are_made_and_filled_in_the_folder_of_the_test() {
    let cluster = cluster(READER, "p/Reader");
    assert_eq!(
        sections(&cluster, &["File", "Path"]).trim(),
        "\
File
  = new File(String)
  = new File(String, String)
  = new File(File, String)
  = static File.folder(): File
  = static File.file(String): File
  = static File.written(String, String): File
  = static File.made(String): File
  ~ static File.write(File, String)
  ~ static File.write(File, String, String)
  ? File.getName(): String
  ? File.exists(): boolean
  ? File.isDirectory(): boolean
  ? File.length(): long
Path
  = static Paths.get(String, String[]): Path
  = static Path.folderPath(): Path
  = static Path.filePath(String): Path
  = static Path.writtenPath(String, String): Path
  = static Path.madePath(String): Path
  = stub Path {26 silent}
  ~ static Path.write(Path, String)
  ~ static Path.write(Path, String, String)"
    );
    assert_eq!(cluster.folder_calls().len(), 12);
    assert!(self::cluster(ADDER, "p/Adder").folder_calls().is_empty());
}

#[test]
fn names_that_the_code_mentions_are_given_to_files() {
    let hierarchy = fixture::compile(READER).hierarchy_of_java_8();
    let class_under_test = ClassName::from("p/Reader");
    let request = ClusterRequest { goal_classes: vec![class_under_test.clone()], class_under_test };
    let constants = StaticConstants {
        class_under_test: vec![Value::String("notes.xml".into()), Value::String("a word".into())],
        ..StaticConstants::default()
    };
    let cluster = build(&hierarchy, &request, constants, &[], &ClusterOptions::default()).expect("a cluster");
    for (name, parameter) in [("written", 0), ("filePath", 0), ("made", 0), ("written", 1)] {
        let callable = cluster.callables.iter().find(|callable| &*callable.name == name).expect("a call");
        let hints = &callable.parameters[parameter].hints;
        let is_name_of_file = name != "made" && parameter == 0;
        assert_eq!(hints.contains(&Value::String("notes.xml".into())), is_name_of_file, "{name} {parameter}");
        assert!(!hints.contains(&Value::String("a word".into())));
    }
}

/// Arguments of the methods under test in random tests, and how many of them lie in the folder.
fn arguments(cluster: &TestCluster, files: f64) -> (usize, usize) {
    let options = FactoryOptions { files, ..FactoryOptions::default() };
    let mut factory = TestFactory::new(cluster, options);
    let mut random = Random::new(3, 0);
    let (mut all, mut inside) = (0, 0);
    for _ in 0..400 {
        let test = factory.random_test(&mut random);
        assert_eq!(test.validate(cluster), Ok(()));
        for statement in test.statements() {
            let Statement::Method { callable, arguments, .. } = statement else { continue };
            if cluster.callable(*callable).declared_in.as_str() != "p/Reader" {
                continue;
            }
            let makes = |id| FolderCall::of(cluster.callable(id)).is_some();
            let made = arguments.iter().filter_map(|argument| test.statement(*argument).callable());
            all += arguments.len();
            inside += made.filter(|id| makes(*id)).count();
        }
    }
    (all, inside)
}

#[test]
fn as_many_files_as_the_option_says_lie_in_the_folder() {
    let mut cluster = cluster(READER, "p/Reader");
    let (all, often) = arguments(&cluster, 0.75);
    let (_, seldom) = arguments(&cluster, 0.1);
    assert!(often * 2 > all && seldom * 3 < all && seldom > 0, "{often} and {seldom} of {all}");
    cluster.ban(&cluster.folder_calls());
    assert_eq!(arguments(&cluster, 0.75).1, 0);
}

#[test]
fn strings_that_are_paths_lie_in_the_folder_and_others_do_not() {
    let mut cluster = cluster(LOADER, "p/Reader");
    assert_eq!(cluster.folder_calls().len(), 4);
    let (all, often) = arguments(&cluster, 0.75);
    assert!(often * 4 > all && often * 2 < all, "{often} of {all}");
    assert_eq!(arguments(&cluster, 0.0).1, 0);
    cluster.ban(&cluster.folder_calls());
    assert_eq!(arguments(&cluster, 0.75).1, 0);
}
