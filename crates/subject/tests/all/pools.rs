//! What the code around a class adds to its pools, on compiled fixtures.

use bytecode::analysis::AnalysisOptions;
use bytecode::signature::GenericType;
use subject::examine::{Asked, Seeds, examine};
use subject::nest::{Nest, Weakened};
use testcase::cluster::build::Mockable;
use testcase::cluster::{CallableId, TestCluster};
use testcase::value::{JavaString, Value};

fn cluster(sources: &str, class: &str) -> TestCluster {
    let hierarchy = fixture::compile(sources).hierarchy();
    let nest = Nest::of(&hierarchy, &class.into(), AnalysisOptions::default());
    nest.cluster(&hierarchy, class.into(), Mockable::Nothing).expect("a cluster is built")
}

const CALLER: &str = "
//- /p/Caller.java
package p;
public class Caller {
    int own(Object other) { return other instanceof Long ? 1 : Callee.any(other) + Callee.text(\"\"); }
}
//- /p/Callee.java
package p;
class Callee {
    static int any(Object other) {
        return other instanceof Long ? 1 : other instanceof StringBuilder ? 2 : ((java.util.Date) other).getHours();
    }
    static int text(String text) { return ((Object) text) instanceof java.util.BitSet ? 1 : 0; }
    static int unused(Object other) { return other instanceof Thread ? 1 : 0; }
}
";

#[test]
fn callees_that_take_anything_tell_what_they_check_for() {
    let cluster = cluster(CALLER, "p/Caller");
    let all = ["java/lang/StringBuilder", "java/util/Date", "java/util/BitSet", "java/lang/Thread"];
    let is_there = |name: &&str| cluster.types.iter().any(|ty| ty.generic == GenericType::class(*name));
    let found: Vec<&str> = all.into_iter().filter(is_there).collect();
    assert_eq!(found, ["java/lang/StringBuilder", "java/util/Date"]);
}

const VISITOR: &str = "
//- /p/Visitor.java
package p;
public class Visitor extends Middle {
    public Visitor(int version, String mode) { super(version, mode, 3); }
    int visit() { return Other.unrelated(); }
}
//- /p/Middle.java
package p;
abstract class Middle extends Base {
    Middle(int version, String mode, int own) { super(version); Checks.mode(mode); }
    int unused() { return 111; }
}
//- /p/Base.java
package p;
abstract class Base {
    Base(int version) { if (version != 589824) { throw new IllegalArgumentException(\"not a version\"); } }
}
//- /p/Checks.java
package p;
class Checks {
    static void mode(String mode) { if (!mode.equals(\"strict\")) { throw new IllegalArgumentException(); } }
}
//- /p/Other.java
package p;
class Other { static int unrelated() { return 222; } }
";

#[test]
fn superclasses_tell_what_they_insist_on() {
    let cluster = cluster(VISITOR, "p/Visitor");
    let expect = [Value::Int(589_824), Value::String(JavaString::from("strict"))];
    assert_eq!(cluster.constants.construction, expect);
}

const READER: &str = "
//- /p/Reader.java
package p;
public class Reader {
    int number(String text) { return Integer.parseInt(text); }
    Object load(String name) throws Exception { return (Plugin) Class.forName(name).newInstance(); }
    boolean isItem(org.w3c.dom.Element element) { return element.getTagName().equals(\"item\") || element.getTagName().equals(\"a b\"); }
    void read(java.io.InputStream in) throws Exception { Documents.read(in); }
}
//- /p/Documents.java
package p;
class Documents {
    static void read(java.io.InputStream in) throws Exception {
        javax.xml.parsers.DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in).getElementsByTagName(\"size\");
    }
    static java.time.LocalDate unused(String text) { return java.time.LocalDate.parse(text); }
}
//- /p/Plugin.java
package p;
public interface Plugin { }
//- /p/First.java
package p;
public class First implements Plugin { }
//- /p/Needy.java
package p;
public class Needy implements Plugin { public Needy(int size) { } }
";

#[test]
fn calls_of_the_nest_and_of_what_it_calls_tell_of_formats() {
    let cluster = cluster(READER, "p/Reader");
    let found: Vec<(&str, Vec<&str>)> = cluster
        .constants
        .formats
        .iter()
        .map(|asked| (asked.format().name, asked.words.iter().map(String::as_str).collect()))
        .collect();
    let expect = [
        ("class-names", vec!["p.Reader", "p.First", "p.Plugin"]),
        ("whole-numbers", vec![]),
        ("xml", vec!["item", "size"]),
    ];
    assert_eq!(found, expect);
}

#[test]
fn what_reads_no_texts_asks_for_no_format() {
    assert_eq!(cluster(CALLER, "p/Caller").constants.formats, []);
}

const TESTED: &str = "
//- /p/Tested.java
package p;
public class Tested { public int of(Part part) { return part.size == 7 ? 1 : 0; } }
//- /p/Part.java
package p;
public class Part {
    int size;
    public Part() { }
    public static Part usual() { return new Part(); }
    public static Part other() { return new Part(); }
}
//- /p/TestedTest.java
package p;
class TestedTest { void test() { new Tested().of(Part.usual()); String text = \"mine\" + 815; int seven = 7; } }
";

#[test]
fn tests_of_people_tell_of_constants_and_of_ways_to_make_objects() {
    let compiled = fixture::compile(TESTED);
    let mut seeds = Seeds::default();
    seeds.add(&compiled.bytes("p/TestedTest"));
    seeds.add(b"no class file");
    let asked = Asked { seeds, ..Asked::criteria(&["branch".to_owned()]) };
    let nest = ["p/Tested".into()];
    let examined =
        examine(&compiled.hierarchy(), &"p/Tested".into(), &nest, &asked, Weakened::new()).unwrap();
    let cluster = examined.cluster.unwrap();
    // Those of the class itself are not told twice.
    assert!(!cluster.constants.own_tests.contains(&Value::Int(7)), "{:?}", cluster.constants.own_tests);
    assert!(cluster.constants.own_tests.iter().any(|value| matches!(value, Value::String(_))));
    let called = |name: &str| {
        let found = cluster.callables.iter().position(|callable| &*callable.name == name);
        cluster.is_called_by_tests(CallableId::from(found.unwrap()))
    };
    assert_eq!(["usual", "other", "of"].map(called), [true, false, true]);
}
