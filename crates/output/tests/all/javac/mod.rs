//! Printed tests compile without a warning and pass, in every style: the compiler and a plain JVM are the judges.

mod calls;
mod fixtures;
mod values;

use std::process::Command;

use crate::common::{ClusterBuilder, TestBuilder, junit_stub, print};
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use bytecode::signature::GenericType;
use output::asserted_test::AssertedTest;
use output::junit::arrangement::Arrangement;
use output::junit::printed::PrintedSuite;
use output::junit::style::JunitStyle;
use output::junit::writer::JunitWriter;
use testcase::assertion::{ObservationTarget, ObservedValue};
use testcase::cluster::Callable;
use testcase::statement::VarRef;
use testcase::value::Value;

const FIXTURE: &str = r#"
//- /p/Shop.java
package p;
import java.util.*;
public class Shop extends Hidden {
    public enum Color { RED, GREEN { } }
    public byte level = 3;
    public static final int LIMIT = 9;
    public static long total;
    public List<? super Integer> wide = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    public Shop() {}
    public Shop(String... names) { this.names.addAll(Arrays.asList(names)); }
    public Shop add(String name) { names.add(name); return this; }
    public boolean add(Object name) { return names.remove(name); }
    public int size() { return names.size(); }
    public List<String> getNames() { return names; }
    public String[] toArray() { return names.toArray(new String[0]); }
    public static Color color(int value) { return value > 0 ? Color.GREEN : Color.RED; }
    public static Integer box(int value) { return value; }
    public static Object any(Object value) { return value; }
    public static double half(double value) { return value / 2; }
    public static float[] floats(float... values) { return values; }
    public static double[] doubles(double... values) { return values; }
    public static Class<?> type(Object value) { return value.getClass(); }
    public static char letter() { return '\''; }
    public static String echo(String text) { return text; }
    public static <T extends Comparable<T>> T max(T a, T b) { return a.compareTo(b) > 0 ? a : b; }
    public static int count(Map<String, ? extends Collection<Integer>> map) { return map.size(); }
    public static Set<? extends CharSequence> texts() { return new HashSet<>(Collections.singleton("a")); }
    public void fail(String text) throws java.io.IOException { throw new java.io.IOException(text); }
    public void refuse(Object text) { throw new Secret(); }
    @Deprecated public int old() { return 1; }
    @SuppressWarnings("rawtypes") public static Box raw() { return new Box<String>(); }
    @SuppressWarnings("unchecked") public static <T> T cast(Object value) { return (T) value; }
    private static class Secret extends IllegalStateException { private static final long serialVersionUID = 1; }
    public class Item {
        public final int number;
        public Item(int number) { this.number = number + names.size(); }
        public int number() { return number; }
    }
}
class Hidden {
    public int level = 7;
    public static String where() { return "hidden"; }
    public int inherited() { return 42; }
}
//- /p/Box.java
package p;
public class Box<T> {
    public T value;
    public Box() {}
    public Box<T> put(T value) { this.value = value; return this; }
    public T get() { return value; }
    public int clash(T value) { return 1; }
    public int clash(String value) { return 2; }
}
"#;

struct World {
    hierarchy: ClassHierarchy,
    builder: ClusterBuilder,
    folder: String,
}

fn world() -> World {
    let classes = [
        "Lp/Shop;",
        "Lp/Hidden;",
        "Lp/Shop$Item;",
        "Lp/Box<Ljava/lang/String;>;",
        "Ljava/util/List<Ljava/lang/String;>;",
        "Ljava/util/HashMap<Ljava/lang/String;Ljava/util/List<Ljava/lang/Integer;>;>;",
    ];
    world_of("p/Shop", FIXTURE, &classes)
}

fn world_of(class_under_test: &str, sources: &str, classes: &[&str]) -> World {
    let sources = format!("{}\n{sources}", junit_stub::sources());
    let compiled = fixture::compile_with(&sources, &["-g", "-parameters"]);
    let hierarchy = compiled.hierarchy();
    let mut builder = ClusterBuilder::new(class_under_test);
    let string = GenericType::class("java/lang/String");
    for class in classes {
        builder.add_class(&hierarchy, class, "p", &string);
    }
    builder.relate(&hierarchy);
    World { hierarchy, builder, folder: compiled.folder.to_str().unwrap().to_owned() }
}

impl World {
    /// Prints the tests in a style, compiles the file strictly, and runs it; gives its text.
    fn check(&self, style: JunitStyle, suite: &[AssertedTest]) -> String {
        self.run(&print(&self.builder, &self.hierarchy, style, suite))
    }

    /// Compiles a file strictly, and runs it; gives its text.
    fn run(&self, printed: &PrintedSuite) -> String {
        assert!(printed.refused.is_empty(), "{:?}", printed.refused);
        let source = format!("//- /{}\n{}", printed.path(), printed.text);
        let tests = fixture::compile_strictly(&source, &["-cp", &self.folder]);
        let class_path = format!("{}:{}", self.folder, tests.folder.display());
        let output = Command::new(fixture::java_home().join("bin/java"))
            .args(["-cp", &class_path, "runner.Main", &printed.class.binary()])
            .output()
            .expect("java starts");
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && text.is_empty(), "{text}\n{}", printed.text);
        printed.text.clone()
    }

    /// Puts tests of one shape together and compiles the file strictly; gives the members of its class.
    fn tables(&self, suite: &[AssertedTest]) -> String {
        let arrangement = Arrangement { tables: true, nested: true, ..Arrangement::default() };
        let printed = self
            .written(suite, |writer| writer.with_display_names(true).isolated(true).arranged(arrangement));
        assert_eq!(printed.tests.len(), suite.len());
        let source = format!("//- /{}\n{}", printed.path(), printed.text);
        fixture::compile_strictly(&source, &["-cp", &self.folder]);
        printed.text.split_once(" {\n").unwrap().1.to_owned()
    }

    /// What a writer for Jupiter that is set up so writes.
    fn written(
        &self,
        suite: &[AssertedTest],
        set_up: impl FnOnce(JunitWriter<'_>) -> JunitWriter<'_>,
    ) -> PrintedSuite {
        let goals = coverage::goal::GoalSet::default();
        let class = self.builder.cluster.class_under_test.clone().unwrap();
        let (cluster, hierarchy) = (&self.builder.cluster, &self.hierarchy);
        set_up(JunitWriter::new(cluster, hierarchy, &goals, class, JunitStyle::Jupiter)).write(suite)
    }

    fn check_all(&self, suite: &[AssertedTest]) -> String {
        self.check(JunitStyle::Junit4, suite);
        self.check(JunitStyle::Junit413, suite);
        self.check(JunitStyle::Jupiter, suite)
    }

    /// A constructor or method of a class.
    fn member(&self, class: &str, name: &str, descriptor: &str) -> testcase::cluster::CallableId {
        let is_meant = |callable: &Callable| {
            callable.declared_in.as_str() == class
                && (&*callable.name, &*callable.descriptor) == (name, descriptor)
        };
        testcase::cluster::CallableId::from(self.builder.cluster.callables.iter().position(is_meant).unwrap())
    }

    fn find(&self, name: &str, descriptor: &str) -> testcase::cluster::CallableId {
        self.builder.find(name, descriptor)
    }

    fn shop(&self, test: &mut TestBuilder) -> VarRef {
        let new = self.find("<init>", "()V");
        assert_eq!(self.builder.cluster.callable(new).declared_in, ClassName::new("p/Shop"));
        test.new_object(new, &[])
    }

    /// A test of a static method of one argument.
    fn of_static(
        &self,
        name: &str,
        descriptor: &str,
        arguments: &[Value],
        expected: ObservedValue,
    ) -> AssertedTest {
        let mut test = TestBuilder::default();
        let arguments: Vec<VarRef> = arguments.iter().map(|value| test.value(value.clone())).collect();
        let result = test.call_static(self.find(name, descriptor), &arguments);
        test.assert(ObservationTarget::Value(result), expected);
        test.finish()
    }
}

fn value(value: Value) -> ObservedValue {
    ObservedValue::Primitive(value)
}

fn text(text: &str) -> Value {
    Value::String(text.into())
}
