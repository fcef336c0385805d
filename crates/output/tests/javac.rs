// tidy: all of these print tests of one world of classes, and each is a table or a few lines
//! Printed tests compile without a warning and pass, in every style: the compiler and a plain JVM are the judges.

mod common;

use std::process::Command;

use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use bytecode::signature::GenericType;
use common::{ClusterBuilder, FINAL, STATIC, TestBuilder, junit_stub, print};
use output::asserted_test::AssertedTest;
use output::junit::arrangement::Arrangement;
use output::junit::style::JunitStyle;
use output::junit::writer::JunitWriter;
use testcase::assertion::{Container, ObservationTarget, ObservedValue};
use testcase::cluster::{CallableKind, TypeId};
use testcase::execution::ThrowOrigin;
use testcase::statement::{Statement, VarRef};
use testcase::value::{JavaString, Value};

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
//- /p/Hidden.java
package p;
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
        let printed = print(&self.builder, &self.hierarchy, style, suite);
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
        printed.text
    }

    /// Puts tests of one shape together and compiles the file strictly; gives the members of its class.
    fn tables(&self, suite: &[AssertedTest]) -> String {
        let goals = coverage::goal::GoalSet::default();
        let class = self.builder.cluster.class_under_test.clone().unwrap();
        let (cluster, hierarchy) = (&self.builder.cluster, &self.hierarchy);
        let writer = JunitWriter::new(cluster, hierarchy, &goals, class, JunitStyle::Jupiter);
        let arrangement = Arrangement { tables: true, nested: true, ..Arrangement::default() };
        let printed = writer.with_display_names(true).arranged(arrangement).write(suite);
        assert_eq!(printed.tests.len(), suite.len());
        let source = format!("//- /{}\n{}", printed.path(), printed.text);
        fixture::compile_strictly(&source, &["-cp", &self.folder]);
        printed.text.split_once(" {\n").unwrap().1.to_owned()
    }

    fn check_all(&self, suite: &[AssertedTest]) -> String {
        self.check(JunitStyle::Junit4, suite);
        self.check(JunitStyle::Junit413, suite);
        self.check(JunitStyle::Jupiter, suite)
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

#[test]
fn values_of_every_type_are_asserted() {
    let world = world();
    let echo = "(Ljava/lang/String;)Ljava/lang/String;";
    let color = |name: &str| ObservedValue::EnumConstant(ClassName::new("p/Shop$Color"), name.to_owned());
    let odd = JavaString::new([0xd800, 0x0a, 0x22, 0x5c, 0x75, 0x30, 0x30, 0x34, 0x31, 0xe9, 0]);
    let long = Value::String(JavaString::new(vec![0x20ac; 70_000]));
    let doubles = [1.5, -0.0, f64::NAN, f64::MIN_POSITIVE, f64::MAX, std::f64::consts::E];
    let mut suite = vec![
        world.of_static("color", "(I)Lp/Shop$Color;", &[Value::Int(1)], color("GREEN")),
        world.of_static(
            "box",
            "(I)Ljava/lang/Integer;",
            &[Value::Int(700)],
            ObservedValue::Boxed(Value::Int(700)),
        ),
        world.of_static("letter", "()C", &[], value(Value::Char(0x27))),
        world.of_static("echo", echo, &[Value::String(odd.clone())], value(Value::String(odd))),
        world.of_static("echo", echo, std::slice::from_ref(&long), value(long.clone())),
        world.of_static("where", "()Ljava/lang/String;", &[], value(text("hidden"))),
        world.of_static("half", "(D)D", &[Value::Double(1.0)], value(Value::Double(0.5))),
        world.of_static("half", "(D)D", &[Value::Double(2e300 / 3.0)], value(Value::Double(1e300 / 3.0))),
    ];
    for number in doubles {
        let same = Value::Double(number / 2.0);
        suite.push(world.of_static("half", "(D)D", &[Value::Double(number)], value(same)));
    }
    for boxed in [
        Value::Byte(-3),
        Value::Short(5),
        Value::Char(0x61),
        Value::Long(9),
        Value::Float(0.5),
        Value::Boolean(true),
    ] {
        let mut test = TestBuilder::default();
        let argument = test.boxed(boxed.clone());
        let result =
            test.call_static(world.find("any", "(Ljava/lang/Object;)Ljava/lang/Object;"), &[argument]);
        test.assert(ObservationTarget::Value(result), ObservedValue::Boxed(boxed));
        suite.push(test.finish());
    }
    world.check_all(&suite);
}

#[test]
fn rows_of_every_type_compile() {
    let world = world();
    let color = |name: &str| ObservedValue::EnumConstant(ClassName::new("p/Shop$Color"), name.to_owned());
    let of = |name: &str, descriptor: &str, rows: &[(Value, ObservedValue)]| -> Vec<AssertedTest> {
        let test = |(argument, expected): &(Value, ObservedValue)| {
            world.of_static(name, descriptor, std::slice::from_ref(argument), expected.clone())
        };
        rows.iter().map(test).collect()
    };
    let colors = [(1, "GREEN"), (-1, "RED"), (i32::MAX, "GREEN")];
    let colors = colors.map(|(number, name)| (Value::Int(number), color(name)));
    let doubles =
        [1.0, f64::NAN, 4.0].map(|number| (Value::Double(number), value(Value::Double(number / 2.0))));
    let texts = ["a", "b\n", "c"].map(|word| (text(word), value(text(word))));
    let mut suite = of("color", "(I)Lp/Shop$Color;", &colors);
    suite.extend(of("half", "(D)D", &doubles));
    suite.extend(of("echo", "(Ljava/lang/String;)Ljava/lang/String;", &texts));
    let any = world.find("any", "(Ljava/lang/Object;)Ljava/lang/Object;");
    for number in [-3, i8::MAX, 5] {
        let mut test = TestBuilder::default();
        let argument = test.boxed(Value::Byte(number));
        let result = test.call_static(any, &[argument]);
        test.assert(ObservationTarget::Value(result), ObservedValue::Boxed(Value::Byte(number)));
        suite.push(test.finish());
    }
    let fail = world.find("fail", "(Ljava/lang/String;)V");
    for word in ["a", "b", "\u{e9}"] {
        let mut test = TestBuilder::default();
        let shop = world.shop(&mut test);
        let argument = test.string(word);
        test.call(fail, shop, &[argument]);
        test.throws("java/io/IOException");
        suite.push(test.finish());
    }
    let file = world.tables(&suite);
    for expect in [
        "    @CsvSource({\n        \"1, GREEN\",\n        \"-1, RED\",\n        \"2147483647, GREEN\"\n    })\n",
        "(int value, Shop.Color expected) {\n        assertEquals(expected, Shop.color(value));\n",
        "        \"1.0, 0.5\",\n        \"NaN, NaN\",\n",
        "    @ValueSource(strings = {\"a\", \"b\\n\", \"c\"})\n",
        "(String text) {\n        assertEquals(text, Shop.echo(text));\n",
        "(byte value) {\n",
        "    @ValueSource(strings = {\"a\", \"b\", \"\\u00e9\"})\n",
        "(String text) {\n        Shop shop = new Shop();\n        assertThrows(IOException.class, () -> shop.fail(text));\n",
    ] {
        assert!(file.contains(expect), "{expect}\n{file}");
    }
    assert_eq!(file.matches("@ParameterizedTest").count(), 5, "{file}");
}

#[test]
fn what_a_parameter_would_not_mean_stays_a_literal() {
    let world = world();
    let max = world.find("max", "(Ljava/lang/Comparable;Ljava/lang/Comparable;)Ljava/lang/Comparable;");
    let mut suite = Vec::new();
    // `null` beside texts may mean another overload: these are other statements, and so are boxed values.
    for word in ["a", "b"] {
        let mut test = TestBuilder::default();
        let (own, other) = (test.boxed(text(word)), test.string(word));
        let result = test.call_static(max, &[own, other]);
        test.assert(ObservationTarget::Value(result), value(text(word)));
        suite.push(test.finish());
    }
    for word in ["c", "d", "e"] {
        let mut test = TestBuilder::default();
        let (own, other) = (test.string(word), test.string("z"));
        let result = test.call_static(max, &[own, other]);
        test.assert(ObservationTarget::Value(result), value(text("z")));
        suite.push(test.finish());
    }
    let file = world.tables(&suite);
    assert_eq!(
        (file.matches("@ParameterizedTest").count(), file.matches("    @Test\n").count()),
        (1, 2),
        "{file}"
    );
    assert!(file.contains("@ValueSource(strings = {\"c\", \"d\", \"e\"})"), "{file}");
    assert!(file.contains("Shop.max(string, \"z\");\n        assertEquals(\"z\", max);"), "{file}");
}

#[test]
fn strings_that_are_no_literals_are_made_and_stay_one_object() {
    let world = world();
    let mut suite = Vec::new();
    let max = "(Ljava/lang/Comparable;Ljava/lang/Comparable;)Ljava/lang/Comparable;";
    for is_twice in [false, true] {
        let mut test = TestBuilder::default();
        let own = test.boxed(Value::String("a".into()));
        let other = if is_twice { own } else { test.value(Value::String("a".into())) };
        let result = test.call_static(world.find("max", max), &[own, other]);
        test.assert(ObservationTarget::Value(result), value(Value::String("a".into())));
        suite.push(test.finish());
    }
    let text = world.check_all(&suite);
    // Where one object is used twice it needs a name.
    assert!(text.contains("Shop.max(new String(\"a\"), \"a\")"), "{text}");
    assert!(text.contains("= new String(\"a\");"), "{text}");
}

#[test]
fn arrays_classes_and_null_are_asserted() {
    let world = world();
    let mut suite = Vec::new();
    for (name, of, numbers) in [
        ("floats", "[F", [Value::Float(0.1), Value::Float(f32::NAN)]),
        ("doubles", "[D", [Value::Double(0.1), Value::Double(-1e-9)]),
    ] {
        let mut test = TestBuilder::default();
        let of = TypeId::from(
            world.builder.cluster.types.iter().position(|known| known.erased.descriptor() == of).unwrap(),
        );
        let array = test.array(of, 2);
        for (index, number) in numbers.iter().enumerate() {
            let number = test.value(number.clone());
            test.write(array, index as u16, number);
        }
        let descriptor = format!("({0}){0}", world.builder.cluster.ty(of).erased.descriptor());
        let result = test.call_static(world.find(name, &descriptor), &[array]);
        test.assert(
            ObservationTarget::Value(result),
            ObservedValue::Array(numbers.into_iter().map(value).collect()),
        );
        suite.push(test.finish());
    }
    let mut test = TestBuilder::default();
    let argument = test.boxed(Value::Int(1));
    let result = test.call_static(world.find("type", "(Ljava/lang/Object;)Ljava/lang/Class;"), &[argument]);
    test.assert(ObservationTarget::Value(result), ObservedValue::Class("java.lang.Integer".to_owned()));
    suite.push(test.finish());
    let mut test = TestBuilder::default();
    let argument = test.null(TypeId::STRING);
    let echo = world.find("echo", "(Ljava/lang/String;)Ljava/lang/String;");
    let result = test.call_static(echo, &[argument]);
    test.assert(ObservationTarget::Value(result), ObservedValue::Null);
    suite.push(test.finish());
    let text = world.check_all(&suite);
    assert!(text.contains("Shop.doubles(0.1, -1.0E-9)"), "{text}");
    assert!(text.contains("assertNull(Shop.echo(null));"), "{text}");
}

// tidy: one table of containers
#[test]
fn what_containers_hold_is_asserted_as_a_whole() {
    const SHELF: &str = r#"
//- /p/Shelf.java
package p;
import java.util.*;
public class Shelf {
    public enum Size { SMALL, LARGE }
    public static List<String> list() { return new ArrayList<>(Arrays.asList("b", "a")); }
    public static List<Long> longs() { return Collections.unmodifiableList(Arrays.asList(1L, 2L)); }
    public static List<?> gaps() { return Arrays.asList("a", null); }
    public static Object gap() { return Collections.singletonList(null); }
    public static Collection<String> none() { return new ArrayList<>(); }
    public static Object nothing() { return new ArrayList<>(); }
    public static Set<Size> sizes() { return EnumSet.allOf(Size.class); }
    public static Set<Object> odd() { return new HashSet<>(Arrays.asList("a", null)); }
    public static Map<Character, List<Integer>> map() {
        Map<Character, List<Integer>> map = new HashMap<>();
        map.put('a', Arrays.asList(1, 2));
        map.put('b', new ArrayList<>());
        return map;
    }
    public static Map<String, String> gone() { return Collections.singletonMap("a", null); }
    public static Map<String, String> lost() {
        Map<String, String> map = new HashMap<>();
        map.put("a", null);
        map.put("b", "");
        return map;
    }
    public static Queue<String> queue() { return new ArrayDeque<>(Arrays.asList("b", "a")); }
    public static Object hidden() { return new ArrayDeque<>(Arrays.asList("b", "a")); }
    public static Optional<String> optional() { return Optional.of("a"); }
    public static Optional<Byte> small() { return Optional.of((byte) 1); }
    public static Optional<String> empty() { return Optional.empty(); }
    public static OptionalLong number() { return OptionalLong.of(7); }
    public static StringBuilder builder() { return new StringBuilder("text"); }
    public static Appendable appendable() { return new StringBuilder("text"); }
    public static List<Shelf> shelves() { return Arrays.asList(new Shelf()); }
    @Override public String toString() { return "shelf"; }
}
"#;
    let boxed = |value| ObservedValue::Boxed(value);
    let string = |string: &str| value(text(string));
    let held = |of, held: &[ObservedValue]| ObservedValue::Container(of, held.to_vec());
    let size = |name: &str| ObservedValue::EnumConstant(ClassName::new("p/Shelf$Size"), name.to_owned());
    let printed = |text: &str, size| ObservedValue::Text { text: text.into(), size };
    let numbers = held(Container::List, &[boxed(Value::Int(1)), boxed(Value::Int(2))]);
    let rows = [
        (
            "list",
            "List",
            held(Container::List, &[string("b"), string("a")]),
            "assertEquals(List.of(\"b\", \"a\"), Shelf.list());",
        ),
        (
            "longs",
            "List",
            held(Container::List, &[boxed(Value::Long(1)), boxed(Value::Long(2))]),
            "assertEquals(List.of(1L, 2L), Shelf.longs());",
        ),
        (
            "gaps",
            "List",
            held(Container::List, &[string("a"), ObservedValue::Null]),
            "assertEquals(Arrays.asList(\"a\", null), Shelf.gaps());",
        ),
        (
            "gap",
            "Object",
            held(Container::List, &[ObservedValue::Null]),
            "assertEquals(Collections.singletonList(null), Shelf.gap());",
        ),
        ("none", "Collection", held(Container::List, &[]), "assertTrue(Shelf.none().isEmpty());"),
        ("nothing", "Object", held(Container::List, &[]), "assertEquals(List.of(), Shelf.nothing());"),
        (
            "sizes",
            "Set",
            held(Container::Set, &[size("LARGE"), size("SMALL")]),
            "assertEquals(Set.of(Shelf.Size.LARGE, Shelf.Size.SMALL), Shelf.sizes());",
        ),
        (
            "odd",
            "Set",
            held(Container::Set, &[ObservedValue::Null, string("a")]),
            "assertEquals(new HashSet<>(Arrays.asList(null, \"a\")), Shelf.odd());",
        ),
        (
            "map",
            "Map",
            held(
                Container::Map,
                &[boxed(Value::Char(0x61)), numbers, boxed(Value::Char(0x62)), held(Container::List, &[])],
            ),
            "assertEquals(Map.of('a', List.of(1, 2), 'b', List.of()), Shelf.map());",
        ),
        (
            "gone",
            "Map",
            held(Container::Map, &[string("a"), ObservedValue::Null]),
            "assertEquals(Collections.singletonMap(\"a\", null), Shelf.gone());",
        ),
        (
            "lost",
            "Map",
            held(Container::Map, &[string("a"), ObservedValue::Null, string("b"), string("")]),
            "assertEquals(2, Shelf.lost().size());",
        ),
        (
            "queue",
            "Queue",
            held(Container::Ordered, &[string("b"), string("a")]),
            "assertEquals(List.of(\"b\", \"a\"), new ArrayList<>(Shelf.queue()));",
        ),
        (
            "hidden",
            "Object",
            held(Container::Ordered, &[string("b"), string("a")]),
            "assertNotNull(Shelf.hidden());",
        ),
        (
            "optional",
            "Optional",
            held(Container::Optional, &[string("a")]),
            "assertEquals(Optional.of(\"a\"), Shelf.optional());",
        ),
        (
            "small",
            "Optional",
            held(Container::Optional, &[boxed(Value::Byte(1))]),
            "assertEquals(Optional.of((byte) 1), Shelf.small());",
        ),
        (
            "empty",
            "Optional",
            held(Container::Optional, &[]),
            "assertEquals(Optional.empty(), Shelf.empty());",
        ),
        (
            "number",
            "OptionalLong",
            held(Container::OptionalLong, &[value(Value::Long(7))]),
            "assertEquals(OptionalLong.of(7L), Shelf.number());",
        ),
        (
            "builder",
            "lang/StringBuilder",
            printed("text", None),
            "assertEquals(\"text\", Shelf.builder().toString());",
        ),
        (
            "appendable",
            "lang/Appendable",
            printed("text", None),
            "assertEquals(\"text\", Shelf.appendable().toString());",
        ),
        (
            "shelves",
            "List",
            printed("[shelf]", Some(1)),
            "assertEquals(\"[shelf]\", Shelf.shelves().toString());",
        ),
    ];
    let world = world_of("p/Shelf", SHELF, &["Lp/Shelf;"]);
    let suite: Vec<AssertedTest> = rows
        .iter()
        .map(|(name, result, expected, _)| {
            let descriptor = match *result {
                "Object" => "()Ljava/lang/Object;".to_owned(),
                of if of.contains('/') => format!("()Ljava/{of};"),
                of => format!("()Ljava/util/{of};"),
            };
            world.of_static(name, &descriptor, &[], expected.clone())
        })
        .collect();
    let file = world.check_all(&suite);
    for (name, _, _, line) in rows {
        assert!(file.contains(line), "{name}: {file}");
    }
}

#[test]
fn state_overloads_varargs_and_fluent_results_are_printed_as_meant() {
    let world = world();
    let mut suite = Vec::new();
    let mut test = TestBuilder::default();
    let strings = world.find("<init>", "([Ljava/lang/String;)V");
    let of = world.builder.cluster.callable(strings).parameters[0].of;
    let array = test.array(of, 2);
    for (index, name) in ["a", "b"].into_iter().enumerate() {
        let name = test.string(name);
        test.write(array, index as u16, name);
    }
    let shop = test.new_object(strings, &[array]);
    let name = test.string("a");
    let removed = test.call(world.find("add", "(Ljava/lang/Object;)Z"), shop, &[name]);
    test.assert_value(removed, Value::Boolean(true));
    test.assert(ObservationTarget::Inspector(shop, world.find("size", "()I")), value(Value::Int(1)));
    let list = ObservedValue::Object { class: ClassName::new("java/util/ArrayList"), size: Some(1) };
    test.assert(ObservationTarget::Inspector(shop, world.find("getNames", "()Ljava/util/List;")), list);
    let array = ObservedValue::Array(vec![value(text("b"))]);
    test.assert(ObservationTarget::Inspector(shop, world.find("toArray", "()[Ljava/lang/String;")), array);
    suite.push(test.finish());
    let mut test = TestBuilder::default();
    let shop = world.shop(&mut test);
    let name = test.string("a");
    let result = test.call(world.find("add", "(Ljava/lang/String;)Lp/Shop;"), shop, &[name]);
    test.assert(ObservationTarget::Same(result, shop), value(Value::Boolean(true)));
    suite.push(test.finish());
    let text = world.check_all(&suite);
    assert!(text.contains("Shop shop = new Shop(\"a\", \"b\");"), "{text}");
    assert!(text.contains("assertTrue(shop.add((Object) \"a\"));"), "{text}");
    assert!(text.contains("assertSame(shop, shop.add(\"a\"));"), "{text}");
}

#[test]
fn exceptions_are_expected_in_every_style() {
    let world = world();
    let mut suite = Vec::new();
    let mut test = TestBuilder::default();
    let shop = world.shop(&mut test);
    let message = test.string("x");
    test.call(world.find("fail", "(Ljava/lang/String;)V"), shop, &[message]);
    test.throws("java/io/IOException");
    test.assert(ObservationTarget::Message, value(Value::String("x".into())));
    test.assert(ObservationTarget::Inspector(shop, world.find("size", "()I")), value(Value::Int(0)));
    suite.push(test.finish());
    let mut test = TestBuilder::default();
    let shop = world.shop(&mut test);
    let message = test.string("x");
    test.call(world.find("refuse", "(Ljava/lang/Object;)V"), shop, &[message]);
    test.throws("p/Shop$Secret");
    suite.push(test.finish());
    let mut test = TestBuilder::default();
    let null = test.null(world.builder.cluster.callable(world.find("<init>", "()V")).owner);
    test.call(world.find("size", "()I"), null, &[]);
    test.throws_from("java/lang/NullPointerException", ThrowOrigin::Statement);
    suite.push(test.finish());
    let text = world.check_all(&suite);
    assert!(text.contains("assertThrows(IllegalStateException.class, () -> shop.refuse(\"x\"));"), "{text}");
}

#[test]
fn generics_wildcards_and_raw_types_compile() {
    let mut world = world();
    let mut suite = Vec::new();
    // A clash of two members that are one in `Box<String>`.
    for (descriptor, result) in [("(Ljava/lang/Object;)I", 1), ("(Ljava/lang/String;)I", 2)] {
        let mut test = TestBuilder::default();
        let clash = world.find("clash", descriptor);
        let owner = world.builder.cluster.callable(clash).owner;
        let new = constructor_of(&world, owner);
        let object = test.new_object(new, &[]);
        let argument = test.string("a");
        let returned = test.call(clash, object, &[argument]);
        test.assert_value(returned, Value::Int(result));
        suite.push(test.finish());
    }
    // A method of a raw object.
    let mut test = TestBuilder::default();
    let raw = test.call_static(world.find("raw", "()Lp/Box;"), &[]);
    let argument = test.string("a");
    test.call(world.find("put", "(Ljava/lang/Object;)Lp/Box;"), raw, &[argument]);
    let got = test.call(world.find("get", "()Ljava/lang/Object;"), raw, &[]);
    test.assert_value(got, text("a"));
    suite.push(test.finish());
    // Through a wildcard only `null` may be passed; a cast lets others in.
    let wild = world.builder.ty("Lp/Box<+Ljava/lang/CharSequence;>;");
    let of_string = world.find("<init>", "()V");
    let make = world.builder.static_method("Lp/Shop;", "raw", "()Lp/Box;");
    world.builder.change(make, |callable| callable.result = Some(wild));
    let _ = of_string;
    let mut test = TestBuilder::default();
    let object = test.call_static(make, &[]);
    let argument = test.string("b");
    test.call(world.find("put", "(Ljava/lang/Object;)Lp/Box;"), object, &[argument]);
    suite.push(test.finish());
    // A bounded generic method, and nested arguments.
    let mut test = TestBuilder::default();
    let max = world.find("max", "(Ljava/lang/Comparable;Ljava/lang/Comparable;)Ljava/lang/Comparable;");
    let arguments = [test.string("a"), test.string("b")];
    let result = test.call_static(max, &arguments);
    test.assert_value(result, text("b"));
    suite.push(test.finish());
    let mut test = TestBuilder::default();
    let count = world.find("count", "(Ljava/util/Map;)I");
    let map = test.new_object(new_of(&world, "java/util/HashMap", "()V"), &[]);
    let result = test.call_static(count, &[map]);
    test.assert_value(result, Value::Int(0));
    suite.push(test.finish());
    // A failed cast of a generic result throws only where the result is stored.
    let cast = world.find("cast", "(Ljava/lang/Object;)Ljava/lang/Object;");
    let string = world.builder.cluster.ty(TypeId::STRING).erased.clone();
    world.builder.change(cast, |callable| callable.result_cast = Some(string));
    let mut test = TestBuilder::default();
    let argument = test.boxed(Value::Int(1));
    test.call_static(cast, &[argument]);
    test.throws_from("java/lang/ClassCastException", ThrowOrigin::Statement);
    suite.push(test.finish());
    world.check_all(&suite);
}

#[test]
fn arguments_that_a_raw_type_takes_are_passed_to_a_parameterized_one() {
    const TAKER: &str = r"
//- /p/Taker.java
package p;
import java.util.*;
public class Taker<T> {
    public Taker() {}
    public int sizes(Map<Class<?>, List<T>> map) { return map.size(); }
    public static int counted(Set<Class<?>> set) { return set.size(); }
    public static String named(Class<? extends Number> of) { return String.valueOf(of.getName()); }
}
";
    let classes = [
        "Lp/Taker<Ljava/lang/String;>;",
        "Ljava/util/HashMap<Ljava/lang/Object;Ljava/lang/Object;>;",
        "Ljava/util/HashSet<Ljava/lang/Object;>;",
    ];
    let mut world = world_of("p/Taker", TAKER, &classes);
    let mut suite = Vec::new();
    let takes = |world: &mut World, name: &str, descriptor: &str, raw: &str| {
        let (id, raw) = (world.find(name, descriptor), world.builder.ty(raw));
        world.builder.change(id, |callable| callable.parameters[0].of = raw);
        id
    };
    let sizes = takes(&mut world, "sizes", "(Ljava/util/Map;)I", "Ljava/util/Map;");
    let counted = takes(&mut world, "counted", "(Ljava/util/Set;)I", "Ljava/util/Set;");
    let named = takes(&mut world, "named", "(Ljava/lang/Class;)Ljava/lang/String;", "Ljava/lang/Class;");
    let mut test = TestBuilder::default();
    let taker = test.new_object(new_of(&world, "p/Taker", "()V"), &[]);
    let map = test.new_object(new_of(&world, "java/util/HashMap", "()V"), &[]);
    for _ in 0..2 {
        let result = test.call(sizes, taker, &[map]);
        test.assert_value(result, Value::Int(0));
    }
    suite.push(test.finish());
    let mut test = TestBuilder::default();
    let set = test.new_object(new_of(&world, "java/util/HashSet", "()V"), &[]);
    for _ in 0..2 {
        let result = test.call_static(counted, &[set]);
        test.assert_value(result, Value::Int(0));
    }
    suite.push(test.finish());
    let mut test = TestBuilder::default();
    let class = world.builder.ty("Ljava/lang/Class<Ljava/lang/String;>;");
    let literal = test.push(Statement::ClassLiteral { of: class, class: TypeId::STRING });
    let result = test.call_static(named, &[literal]);
    test.assert_value(result, text("java.lang.String"));
    suite.push(test.finish());
    let text = world.check_all(&suite);
    for expected in ["taker.sizes((Map) ", "Taker.counted((Set) ", "Taker.named((Class) String.class)"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

fn constructor_of(world: &World, owner: TypeId) -> testcase::cluster::CallableId {
    let found = world.builder.cluster.callables.iter().position(|callable| {
        callable.kind == CallableKind::Constructor
            && callable.owner == owner
            && callable.parameters.is_empty()
    });
    testcase::cluster::CallableId::from(found.unwrap())
}

fn new_of(world: &World, class: &str, descriptor: &str) -> testcase::cluster::CallableId {
    let found =
        world.builder.cluster.callables.iter().position(|callable| {
            callable.declared_in.as_str() == class && &*callable.descriptor == descriptor
        });
    testcase::cluster::CallableId::from(found.unwrap())
}

#[test]
fn fields_inner_classes_and_deprecated_members_compile() {
    let mut world = world();
    let own = world.builder.field("Lp/Shop;", "level", "B", 0);
    let hidden = world.builder.field("Lp/Hidden;", "level", "I", 0);
    let number_of_item = world.builder.field("Lp/Shop$Item;", "number", "I", FINAL);
    let limit = world.builder.field("Lp/Shop;", "LIMIT", "I", STATIC | FINAL);
    let total = world.builder.field("Lp/Shop;", "total", "J", STATIC);
    let mut suite = Vec::new();
    let mut test = TestBuilder::default();
    let shop = world.shop(&mut test);
    let byte = test.value(Value::Byte(5));
    test.push(Statement::FieldWrite { field: own, receiver: Some(shop), value: byte });
    let read = test.push(Statement::FieldRead { field: hidden, receiver: Some(shop) });
    test.assert_value(read, Value::Int(7));
    let long = test.value(Value::Long(5));
    test.push(Statement::FieldWrite { field: total, receiver: None, value: long });
    let read = test.push(Statement::FieldRead { field: limit, receiver: None });
    test.assert_value(read, Value::Int(9));
    suite.push(test.finish());
    let mut test = TestBuilder::default();
    let shop = world.shop(&mut test);
    let number = test.int(4);
    let item = test.new_object(new_of(&world, "p/Shop$Item", "(Lp/Shop;I)V"), &[shop, number]);
    test.assert(ObservationTarget::Inspector(item, world.find("number", "()I")), value(Value::Int(4)));
    test.assert(ObservationTarget::Field(item, number_of_item), value(Value::Int(4)));
    test.assert(ObservationTarget::Field(shop, own), value(Value::Byte(3)));
    test.assert(ObservationTarget::Field(shop, hidden), value(Value::Int(7)));
    suite.push(test.finish());
    let mut test = TestBuilder::default();
    let shop = world.shop(&mut test);
    let old = test.call(world.find("old", "()I"), shop, &[]);
    test.assert_value(old, Value::Int(1));
    let inherited = test.call(world.find("inherited", "()I"), shop, &[]);
    test.assert_value(inherited, Value::Int(42));
    suite.push(test.finish());
    let text = world.check_all(&suite);
    assert!(text.contains("assertEquals(7, ((Hidden) shop).level);"), "{text}");
    assert!(text.contains("    @Test\n    @SuppressWarnings(\"deprecation\")\n"), "{text}");
}

#[test]
fn classes_of_the_package_called_test_or_string_take_those_names() {
    let sources = "//- /p/String.java
package p;
public class String {
    public static java.lang.String hello(Test test) { return \"hello\"; }
}
//- /p/Test.java
package p;
public class Test {}
";
    let world = world_of("p/Test", sources, &["Lp/String;", "Lp/Test;"]);
    let mut test = TestBuilder::default();
    let own_test = test.new_object(new_of(&world, "p/Test", "()V"), &[]);
    let result = test.call_static(world.find("hello", "(Lp/Test;)Ljava/lang/String;"), &[own_test]);
    test.assert_value(result, text("hello"));
    test.assert_value(result, text("hello"));
    let text = world.check_all(&[test.finish()]);
    assert!(text.contains("java.lang.String result = String.hello(new Test());"), "{text}");
    assert!(text.contains("    @org.junit.jupiter.api.Test\n"), "{text}");
}

// tidy: the sources of one fixture
#[test]
fn members_are_reached_through_subclasses_that_hide_or_override_them() {
    let sources = r"
//- /p/Outer.java
package p;
import java.util.*;
public class Outer<T> {
    private static class Secret {}
    public HashMap<Secret, T> secrets = new HashMap<>();
    public class Part { public int size() { return 1; } }
    protected int guarded() { return 3; }
    int local() { return 4; }
    public int count(Comparable<String> text) { return 5; }
    @SafeVarargs public static <T> int many(List<T>... lists) { return lists.length; }
    public static HashMap<?, String> map() { return new HashMap<>(); }
}
//- /q/Far.java
package q;
public class Far extends p.Outer<String> {
    private class Part {}
    @Override protected int guarded() { return 30; }
    @Deprecated @Override public int count(Comparable<String> text) { return 50; }
}
//- /p/Raw.java
package p;
@SuppressWarnings({ `rawtypes` })
public class Raw implements Comparable { public int compareTo(Object other) { return 0; } }
";
    let mut world = world_of(
        "p/Outer",
        &sources.replace('`', "\""),
        &[
            "Lp/Outer<Ljava/lang/String;>;",
            "Lp/Outer$Part;",
            "Lq/Far;",
            "Lp/Raw;",
            "Ljava/util/ArrayList<Ljava/lang/String;>;",
        ],
    );
    let new_far = new_of(&world, "q/Far", "()V");
    let far = |test: &mut TestBuilder| test.new_object(new_far, &[]);
    let mut suite = Vec::new();
    for (name, expected) in [("guarded", 30), ("local", 4)] {
        let mut test = TestBuilder::default();
        let object = far(&mut test);
        let result = test.call(world.find(name, "()I"), object, &[]);
        test.assert_value(result, Value::Int(expected));
        suite.push(test.finish());
    }
    let mut test = TestBuilder::default();
    let object = far(&mut test);
    let raw = test.new_object(new_of(&world, "p/Raw", "()V"), &[]);
    let result = test.call(new_of(&world, "p/Outer", "(Ljava/lang/Comparable;)I"), object, &[raw]);
    test.assert_value(result, Value::Int(50));
    suite.push(test.finish());
    let mut test = TestBuilder::default();
    let object = far(&mut test);
    let part = test.new_object(new_of(&world, "p/Outer$Part", "(Lp/Outer;)V"), &[object]);
    test.assert(ObservationTarget::Inspector(part, world.find("size", "()I")), value(Value::Int(1)));
    suite.push(test.finish());
    let mut test = TestBuilder::default();
    let list = test.new_object(new_of(&world, "java/util/ArrayList", "()V"), &[]);
    let of = world.builder.ty("[Ljava/util/List<Ljava/lang/String;>;");
    let array = test.array(of, 1);
    test.write(array, 0, list);
    let result = test.call_static(world.find("many", "([Ljava/util/List;)I"), &[array]);
    test.assert_value(result, Value::Int(1));
    suite.push(test.finish());
    let secrets = world.builder.field(
        "Lp/Outer<Ljava/lang/String;>;",
        "secrets",
        "Ljava/util/HashMap<*Ljava/lang/String;>;",
        0,
    );
    let map = world.find("map", "()Ljava/util/HashMap;");
    let of = world.builder.cluster.field(secrets).of;
    world.builder.change(map, |callable| callable.result = Some(of));
    let mut test = TestBuilder::default();
    let object = far(&mut test);
    let made = test.call_static(map, &[]);
    test.push(Statement::FieldWrite { field: secrets, receiver: Some(object), value: made });
    suite.push(test.finish());
    let text = world.check_all(&suite);
    assert!(text.contains("assertEquals(30, ((Outer<String>) far).guarded());"), "{text}");
    assert!(text.contains("((Outer) far).new Part();"), "{text}");
    assert!(text.contains("far.secrets = (HashMap) hashMap;"), "{text}");
}

#[test]
fn calls_on_results_are_chained_as_long_as_their_types_need_no_variable() {
    let world = world();
    let add = world.find("add", "(Ljava/lang/String;)Lp/Shop;");
    let size = world.find("size", "()I");
    let mut chained = TestBuilder::default();
    let object = world.shop(&mut chained);
    let mut result = object;
    for name in ["a", "b"] {
        let name = chained.string(name);
        result = chained.call(add, result, &[name]);
    }
    let result = chained.call(size, result, &[]);
    chained.assert_value(result, Value::Int(2));
    // Between the two calls something else happens, so the first cannot move.
    let mut apart = TestBuilder::default();
    let object = world.shop(&mut apart);
    let name = apart.string("a");
    let same = apart.call(add, object, &[name]);
    apart.call(add, object, &[name]);
    let result = apart.call(size, same, &[]);
    apart.assert_value(result, Value::Int(2));
    let mut read = TestBuilder::default();
    let object = world.shop(&mut read);
    let name = read.string("a");
    let same = read.call(add, object, &[name]);
    read.assert(ObservationTarget::Inspector(same, size), value(Value::Int(1)));
    let text = world.check_all(&[chained.finish(), apart.finish(), read.finish()]);
    for expect in [
        "assertEquals(2, shop.add(\"a\").add(\"b\").size());",
        "        Shop result = shop.add(\"a\");\n        shop.add(\"a\");\n        assertEquals(2, result.size());",
        "assertEquals(1, shop.add(\"a\").size());",
    ] {
        assert!(text.contains(expect), "{expect}\n{text}");
    }
}
