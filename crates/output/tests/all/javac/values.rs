//! What is passed and what is expected: literals, rows, arrays, containers.

use bytecode::name::ClassName;
use bytecode::signature::GenericType;
use output::asserted_test::AssertedTest;
use output::junit::style::JunitStyle;
use testcase::assertion::{Container, ObservationTarget, ObservedValue, Sequence, StandardStream};
use testcase::cluster::TypeId;
use testcase::statement::Statement;
use testcase::value::{JavaString, Value};

use crate::common::{ClusterBuilder, STATIC, TestBuilder, junit_stub, print};
use crate::javac::{World, text, value, world, world_of};

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
    public static String begun() { return "text of " + new Object(); }
    public static Object begunObject() { return begun(); }
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
    let beginning = |text: &str| ObservedValue::Beginning(text.into());
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
        ("begun", "String", beginning("text of "), "assertTrue(Shelf.begun().startsWith(\"text of \"));"),
        (
            "begunObject",
            "Object",
            beginning("text of "),
            "assertTrue(Shelf.begunObject().toString().startsWith(\"text of \"));",
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
                of @ ("Object" | "String") => format!("()Ljava/lang/{of};"),
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

// tidy: one table of iterators and streams
#[test]
fn what_iterators_and_streams_give_is_asserted() {
    const FLOW: &str = r#"
//- /p/Flow.java
package p;
import java.util.*;
import java.util.stream.*;
public class Flow implements Iterator<String> {
    private int left = 1;
    public static Iterator<String> iterator() { return Arrays.asList("b", "a").iterator(); }
    public static Iterator<? extends Number> numbers() { return Arrays.asList(1, 2).iterator(); }
    public static Iterator<?> any() { return Arrays.asList(1, null).iterator(); }
    public static ListIterator<Character> letters() { return Arrays.asList('x').listIterator(); }
    public static Iterator<List<Integer>> nested() { return Arrays.asList(Arrays.asList(1)).iterator(); }
    @SuppressWarnings("rawtypes") public static Iterator raw() { return Arrays.asList("a").iterator(); }
    @SuppressWarnings("rawtypes") public static Stream rawStream() { return Stream.of("a"); }
    public static Iterator<String> none() { return Collections.emptyIterator(); }
    public static Flow own() { return new Flow(); }
    public static Iterator<Hidden> hidden() { return Collections.singleton((Hidden) null).iterator(); }
    public static Enumeration<Long> enumeration() { return Collections.enumeration(Arrays.asList(1L)); }
    public static Enumeration<Long> noLongs() { return Collections.emptyEnumeration(); }
    public static Iterable<Boolean> iterable() { return Arrays.asList(true, false); }
    public static Iterable<Boolean> nothing() { return new ArrayList<>(); }
    public static Stream<String> stream() { return Stream.of("a"); }
    public static Stream<? extends CharSequence> wide() { return Stream.of("a"); }
    public static Stream<String> empty() { return Stream.empty(); }
    public static IntStream ints() { return IntStream.range(1, 3); }
    public static LongStream longs() { return LongStream.empty(); }
    public static DoubleStream doubles() { return DoubleStream.of(0.5); }
    @Override public boolean hasNext() { return left > 0; }
    @Override public String next() { return "own" + left--; }
    static class Hidden {}
}
"#;
    use Sequence::{DoubleStream, Enumeration, IntStream, Iterable, Iterator, LongStream, Stream};
    let boxed = |value: i32| ObservedValue::Boxed(Value::Int(value));
    let string = |string: &str| value(text(string));
    let list = |held: &[ObservedValue]| ObservedValue::Container(Container::List, held.to_vec());
    let array = |held: &[Value]| ObservedValue::Array(held.iter().cloned().map(value).collect());
    let long = ObservedValue::Boxed(Value::Long(1));
    let flags = [true, false].map(|flag| ObservedValue::Boxed(Value::Boolean(flag)));
    let letter = ObservedValue::Boxed(Value::Char(0x78));
    let inner = list(&[boxed(1)]);
    let rows = [
        (
            "iterator",
            "Iterator",
            Iterator,
            list(&[string("b"), string("a")]),
            "        Iterator<String> iterator = Flow.iterator();\n        \
                    List<String> items = new ArrayList<>();\n        \
                    iterator.forEachRemaining(items::add);\n        \
                    assertEquals(List.of(\"b\", \"a\"), items);\n",
        ),
        ("numbers", "Iterator", Iterator, list(&[boxed(1), boxed(2)]), "List<Number> items ="),
        ("any", "Iterator", Iterator, list(&[boxed(1), ObservedValue::Null]), "List<Object> items ="),
        ("letters", "ListIterator", Iterator, list(&[letter]), "List<Character> items ="),
        ("nested", "Iterator", Iterator, list(&[inner]), "List<List<Integer>> items ="),
        ("raw", "Iterator", Iterator, list(&[string("a")]), "Flow.raw().forEachRemaining(items::add);"),
        ("none", "Iterator", Iterator, list(&[]), "assertFalse(iterator.hasNext());"),
        ("own", "Flow", Iterator, list(&[string("own1")]), "Flow.own().forEachRemaining(items::add);"),
        ("hidden", "Iterator", Iterator, list(&[ObservedValue::Null]), "List<Flow.Hidden> items ="),
        (
            "enumeration",
            "Enumeration",
            Enumeration,
            list(&[long]),
            "assertEquals(List.of(1L), Collections.list(enumeration));",
        ),
        ("noLongs", "Enumeration", Enumeration, list(&[]), "assertFalse(enumeration.hasMoreElements());"),
        ("iterable", "Iterable", Iterable, list(&flags), "iterable.forEach(items::add);"),
        ("nothing", "Iterable", Iterable, list(&[]), "assertFalse(iterable.iterator().hasNext());"),
        ("stream", "Stream", Stream, list(&[string("a")]), "assertEquals(List.of(\"a\"), stream.toList());"),
        (
            "rawStream",
            "Stream",
            Stream,
            list(&[string("a")]),
            "assertEquals(List.of(\"a\"), Flow.rawStream().toList());",
        ),
        ("wide", "Stream", Stream, list(&[string("a")]), "wide"),
        ("empty", "Stream", Stream, list(&[]), "assertEquals(List.of(), stream.toList());"),
        (
            "ints",
            "IntStream",
            IntStream,
            array(&[Value::Int(1), Value::Int(2)]),
            "assertArrayEquals(new int[] {1, 2}, Flow.ints().toArray());",
        ),
        ("longs", "LongStream", LongStream, array(&[]), "assertEquals(0, Flow.longs().toArray().length);"),
        (
            "doubles",
            "DoubleStream",
            DoubleStream,
            array(&[Value::Double(0.5)]),
            "assertArrayEquals(new double[] {0.5}, Flow.doubles().toArray());",
        ),
    ];
    let world = world_of("p/Flow", FLOW, &["Lp/Flow;"]);
    let suite: Vec<AssertedTest> = rows
        .iter()
        .map(|(name, result, sequence, expected, _)| {
            let descriptor = match *result {
                "Flow" => "()Lp/Flow;".to_owned(),
                "Iterable" => "()Ljava/lang/Iterable;".to_owned(),
                of if of.ends_with("Stream") => format!("()Ljava/util/stream/{of};"),
                of => format!("()Ljava/util/{of};"),
            };
            let mut test = TestBuilder::default();
            let result = test.call_static(world.find(name, &descriptor), &[]);
            let of = test.test.variable_type(&world.builder.cluster, result).unwrap();
            assert_eq!(world.builder.cluster.sequence(of), Some(*sequence), "{name}");
            test.assert(ObservationTarget::Elements(result, *sequence), expected.clone());
            test.finish()
        })
        .collect();
    let file = world.check_all(&suite);
    for (name, _, _, _, line) in rows {
        assert!(file.contains(line), "{name}: {file}");
    }
}

/// The words of Java 8: no `List.of`, no `Stream.toList`.
#[test]
fn streams_are_collected_where_they_give_no_list() {
    const FLOW: &str = "//- /p/Flow.java\npackage p;\nimport java.util.stream.*;\n\
        public class Flow { public static Stream<String> stream() { return Stream.of(\"a\"); } }";
    let compiled = fixture::compile(&format!("{}\n{FLOW}", junit_stub::sources()));
    let hierarchy = compiled.hierarchy_of_java_8();
    let mut builder = ClusterBuilder::new("p/Flow");
    builder.add_class(&hierarchy, "Lp/Flow;", "p", &GenericType::class("java/lang/String"));
    builder.relate(&hierarchy);
    let mut test = TestBuilder::default();
    let result = test.call_static(builder.find("stream", "()Ljava/util/stream/Stream;"), &[]);
    let expected = ObservedValue::Container(Container::List, vec![value(text("a"))]);
    test.assert(ObservationTarget::Elements(result, Sequence::Stream), expected);
    let printed = print(&builder, &hierarchy, JunitStyle::Junit4, &[test.finish()]);
    let line = "assertEquals(Collections.singletonList(\"a\"), stream.collect(Collectors.toList()));";
    assert!(printed.text.contains(line), "{}", printed.text);
    let source = format!("//- /{}\n{}", printed.path(), printed.text);
    let folder = compiled.folder.to_str().unwrap();
    fixture::compile_strictly(&source, &["-cp", folder, "--release", "8"]);
}

#[test]
fn what_tests_print_is_asserted_whatever_ends_lines() {
    const SPEAKER: &str = r#"
//- /p/Speaker.java
package p;
public class Speaker {
    public static void greet(String name) { System.out.println("Hello, " + name); }
    public static int warn(String text) { System.err.print(text + "\t!"); return 1; }
    public static void both() { System.out.print("100%\n"); System.err.println("\"x\""); }
    public static void fail() { System.out.println("so"); throw new IllegalStateException(); }
}
"#;
    let world = world_of("p/Speaker", SPEAKER, &["Lp/Speaker;"]);
    let [out, err] = StandardStream::ALL.map(ObservationTarget::Printed);
    let said = |test: &mut TestBuilder, target, said: &str| test.assert(target, value(text(said)));
    let mut greet = TestBuilder::default();
    let name = greet.string("Ada");
    greet.call_static(world.find("greet", "(Ljava/lang/String;)V"), &[name]);
    said(&mut greet, out, "Hello, Ada\n");
    let mut warn = TestBuilder::default();
    let name = warn.string("printedErr");
    let result = warn.call_static(world.find("warn", "(Ljava/lang/String;)I"), &[name]);
    said(&mut warn, err, "printedErr\t!");
    warn.assert_value(result, Value::Int(1));
    let mut both = TestBuilder::default();
    both.call_static(world.find("both", "()V"), &[]);
    said(&mut both, out, "100%\n");
    said(&mut both, err, "\"x\"\n");
    let mut fail = TestBuilder::default();
    fail.call_static(world.find("fail", "()V"), &[]);
    said(&mut fail, out, "so\n");
    fail.throws("java/lang/IllegalStateException");
    let suite = [greet.finish(), warn.finish(), both.finish(), fail.finish()];
    let file = world.check_all(&suite);
    let lines =
        |name: &str| format!("assertEquals({name}.toString().replace(System.lineSeparator(), \"\\n\"));");
    for expect in [
        "    private final PrintStream systemOut = System.out;\n    \
             private final ByteArrayOutputStream printedOut = new ByteArrayOutputStream();\n",
        "    @BeforeEach\n    void redirectStreams() {\n        System.setOut(new PrintStream(printedOut, true));\n",
        "    @AfterEach\n    void restoreStreams() {\n        System.setOut(systemOut);\n",
        &lines("\"Hello, Ada\\n\", printedOut"),
        "assertEquals(1, Speaker.warn(\"printedErr\"));\n        \
             assertEquals(\"printedErr\\t!\", printedErr.toString());",
        &lines("\"100%\\n\", printedOut"),
        "void greetPrints",
    ] {
        assert!(file.contains(expect), "{expect}\n{file}");
    }
    let file = world.check(JunitStyle::Jupiter, &suite[..1]);
    assert!(!file.contains("Err"), "{file}");
    world.tables(&suite);
}

#[test]
fn static_fields_that_tests_write_are_set_back_behind_each_test() {
    const SETTINGS: &str = r"
//- /p/Settings.java
package p;
import java.util.List;
public class Settings {
    public static int MAX_SIZE = 7;
    @Deprecated public static boolean strict;
    public static List names;
    public static List<String> words;
    public static int size() { return MAX_SIZE; }
}
";
    let mut world = world_of("p/Settings", SETTINGS, &["Lp/Settings;"]);
    let field =
        |world: &mut World, name: &str, of: &str| world.builder.field("Lp/Settings;", name, of, STATIC);
    let size = field(&mut world, "MAX_SIZE", "I");
    let strict = field(&mut world, "strict", "Z");
    let names = field(&mut world, "names", "Ljava/util/List;");
    let words = field(&mut world, "words", "Ljava/util/List;");
    let write = |test: &mut TestBuilder, field, value| {
        test.push(Statement::FieldWrite { field, receiver: None, value });
    };
    let mut first = TestBuilder::default();
    let number = first.int(3);
    write(&mut first, size, number);
    let read = first.call_static(world.find("size", "()I"), &[]);
    first.assert_value(read, Value::Int(3));
    let mut all = TestBuilder::default();
    let yes = all.value(Value::Boolean(true));
    write(&mut all, strict, yes);
    let list = world.builder.ty("Ljava/util/List;");
    let nothing = all.push(Statement::Null { of: list });
    write(&mut all, names, nothing);
    write(&mut all, words, nothing);
    let suite = [first.finish(), all.finish()];
    let file = world.check_all(&suite);
    for expect in [
        "    private final int originalMaxSize = Settings.MAX_SIZE;\n",
        "    private final List originalNames = Settings.names;\n",
        "    private final List<String> originalWords = Settings.words;\n",
        "    @AfterEach\n    void restoreStaticState() {\n        Settings.MAX_SIZE = originalMaxSize;\n",
        "        Settings.strict = originalStrict;\n",
        "@SuppressWarnings({\"deprecation\", \"rawtypes\"})\nclass",
    ] {
        assert!(file.contains(expect), "{expect}\n{file}");
    }
    let file = world.check(JunitStyle::Jupiter, &suite[..1]);
    assert!(!file.contains("Suppress") && !file.contains("originalStrict"), "{file}");
}

#[test]
fn what_code_writes_into_a_writer_is_asserted_whatever_ends_lines() {
    const LOG: &str = r#"
//- /p/Log.java
package p;
import java.io.*;
public class Log {
    public static void line(StringWriter to) { new PrintWriter(to, true).println("few"); }
    public static void word(StringWriter to) { to.write("few"); }
}
"#;
    let world = world_of("p/Log", LOG, &["Lp/Log;", "Ljava/io/StringWriter;"]);
    let new = world.member("java/io/StringWriter", "<init>", "()V");
    let shows = world.member("java/io/StringWriter", "toString", "()Ljava/lang/String;");
    let written = |name: &str, expect: &str| {
        let mut test = TestBuilder::default();
        let writer = test.new_object(new, &[]);
        test.call_static(world.find(name, "(Ljava/io/StringWriter;)V"), &[writer]);
        test.assert(ObservationTarget::Inspector(writer, shows), value(text(expect)));
        test.finish()
    };
    let file = world.check_all(&[written("line", "few\n"), written("word", "few")]);
    for expect in [
        "assertEquals(\"few\\n\", stringWriter.toString().replace(System.lineSeparator(), \"\\n\"));",
        "assertEquals(\"few\", stringWriter.toString());",
    ] {
        assert!(file.contains(expect), "{expect}\n{file}");
    }
}
