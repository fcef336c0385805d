//! What is passed and what is expected: literals, rows, arrays, containers.

use bytecode::name::ClassName;
use output::asserted_test::AssertedTest;
use testcase::assertion::{Container, ObservationTarget, ObservedValue};
use testcase::cluster::TypeId;
use testcase::value::{JavaString, Value};

use crate::common::TestBuilder;
use crate::{text, value, world, world_of};

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
