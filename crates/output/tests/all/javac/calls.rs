//! Calls, fields and exceptions: overloads, generics, hidden members, names that are taken.

use bytecode::name::ClassName;
use testcase::assertion::{ObservationTarget, ObservedValue};
use testcase::cluster::{CallableKind, TypeId};
use testcase::execution::ThrowOrigin;
use testcase::statement::Statement;
use testcase::value::Value;

use crate::common::{FINAL, STATIC, TestBuilder};
use crate::javac::{Arrangement, World, text, value, world, world_of};

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
    let map = test.new_object(world.member("java/util/HashMap", "<init>", "()V"), &[]);
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
    public Map<Class<?>, List<T>> held;
    public Taker() {}
    public int held() { return held.size(); }
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
    let taker = test.new_object(world.member("p/Taker", "<init>", "()V"), &[]);
    let map = test.new_object(world.member("java/util/HashMap", "<init>", "()V"), &[]);
    for _ in 0..2 {
        let result = test.call(sizes, taker, &[map]);
        test.assert_value(result, Value::Int(0));
    }
    suite.push(test.finish());
    let mut test = TestBuilder::default();
    let set = test.new_object(world.member("java/util/HashSet", "<init>", "()V"), &[]);
    for _ in 0..2 {
        let result = test.call_static(counted, &[set]);
        test.assert_value(result, Value::Int(0));
    }
    suite.push(test.finish());
    let mut test = TestBuilder::default();
    let held = world.builder.field("Lp/Taker<Ljava/lang/String;>;", "held", "Ljava/util/Map;", 0);
    let taker = test.new_object(world.member("p/Taker", "<init>", "()V"), &[]);
    let map = test.new_object(world.member("java/util/HashMap", "<init>", "()V"), &[]);
    for _ in 0..2 {
        test.push(Statement::FieldWrite { field: held, receiver: Some(taker), value: map });
        test.assert(ObservationTarget::Inspector(taker, world.find("held", "()I")), value(Value::Int(0)));
    }
    suite.push(test.finish());
    let mut test = TestBuilder::default();
    let class = world.builder.ty("Ljava/lang/Class<Ljava/lang/String;>;");
    let literal = test.push(Statement::ClassLiteral { of: class, class: TypeId::STRING });
    let result = test.call_static(named, &[literal]);
    test.assert_value(result, text("java.lang.String"));
    suite.push(test.finish());
    let text = world.check_all(&suite);
    for expected in [
        "taker.sizes((Map) ",
        "Taker.counted((Set) ",
        "Taker.named((Class) String.class)",
        "taker.held = (Map) ",
    ] {
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
    let item = test.new_object(world.member("p/Shop$Item", "<init>", "(Lp/Shop;I)V"), &[shop, number]);
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
    // Its source file is named after another class.
    assert!(text.contains("@SuppressWarnings(\"auxiliaryclass\")\n"), "{text}");
    assert!(text.contains("    @Test\n    @SuppressWarnings(\"deprecation\")\n"), "{text}");
}

#[test]
fn a_constant_of_a_type_that_a_test_cannot_name_is_called_by_way_of_a_variable() {
    let sources = "//- /p/Terms.java
package p;
public class Terms {
    private static class All extends Term { public boolean match(String text) { return text != null; } }
    public static final All ALL = new All();
}
//- /p/Term.java
package p;
public abstract class Term { public abstract boolean match(String text); }
";
    let mut world = world_of("p/Terms", sources, &["Lp/Terms;", "Lp/Term;"]);
    let all = world.builder.field("Lp/Terms;", "ALL", "Lp/Term;", STATIC | FINAL);
    world.builder.cluster.fields[all.index()].descriptor = "Lp/Terms$All;".into();
    let mut test = TestBuilder::default();
    let all = test.push(Statement::FieldRead { field: all, receiver: None });
    let text = test.string("a");
    let result = test.call(world.member("p/Term", "match", "(Ljava/lang/String;)Z"), all, &[text]);
    test.assert_value(result, Value::Boolean(true));
    let text = world.check_all(&[test.finish()]);
    assert!(text.contains("Term all = Terms.ALL;"), "{text}");
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
    let own_test = test.new_object(world.member("p/Test", "<init>", "()V"), &[]);
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
    public Iterator<T> iterator() { return Collections.<T>emptyList().iterator(); }
}
//- /q/Far.java
package q;
public class Far extends p.Outer<String> {
    private class Part {}
    @Override protected int guarded() { return 30; }
    @Deprecated @Override public int count(Comparable<String> text) { return 50; }
    @SuppressWarnings(`rawtypes`) @Override public java.util.Iterator iterator() { return super.iterator(); }
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
            "Ljava/util/Iterator<Ljava/lang/String;>;",
        ],
    );
    let new_far = world.member("q/Far", "<init>", "()V");
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
    let raw = test.new_object(world.member("p/Raw", "<init>", "()V"), &[]);
    let result = test.call(world.member("p/Outer", "count", "(Ljava/lang/Comparable;)I"), object, &[raw]);
    test.assert_value(result, Value::Int(50));
    suite.push(test.finish());
    let mut test = TestBuilder::default();
    let object = far(&mut test);
    let part = test.new_object(world.member("p/Outer$Part", "<init>", "(Lp/Outer;)V"), &[object]);
    test.assert(ObservationTarget::Inspector(part, world.find("size", "()I")), value(Value::Int(1)));
    suite.push(test.finish());
    let mut test = TestBuilder::default();
    let list = test.new_object(world.member("java/util/ArrayList", "<init>", "()V"), &[]);
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
    let mut test = TestBuilder::default();
    let object = far(&mut test);
    let iterator = test.call(world.member("p/Outer", "iterator", "()Ljava/util/Iterator;"), object, &[]);
    for _ in 0..2 {
        let result = test.call(world.find("hasNext", "()Z"), iterator, &[]);
        test.assert_value(result, Value::Boolean(false));
    }
    suite.push(test.finish());
    let text = world.check_all(&suite);
    assert!(text.contains("Iterator<String> iterator = far.iterator();"), "{text}");
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

#[test]
fn chains_of_a_builder_begin_where_it_is_made() {
    const SOURCES: &str = "
//- /p/Session.java
package p;
public class Session {
    final String text;
    Session(String text) { this.text = text; }
    public int size() { return text.length(); }
}
//- /p/SessionBuilder.java
package p;
public class SessionBuilder {
    private String text = \"\";
    public SessionBuilder name(String name) { text += name; return this; }
    public Session make() { return new Session(text); }
}
";
    let of_builder = |class_under_test: &str| {
        let world = world_of(class_under_test, SOURCES, &["Lp/Session;", "Lp/SessionBuilder;"]);
        let suite = [0, 1, 50].map(|length| {
            let mut test = TestBuilder::default();
            let mut object = test.new_object(world.member("p/SessionBuilder", "<init>", "()V"), &[]);
            for _ in 0..2 * length.min(1) {
                let name = test.string(&"x".repeat(length));
                object =
                    test.call(world.find("name", "(Ljava/lang/String;)Lp/SessionBuilder;"), object, &[name]);
            }
            let made = test.call(world.find("make", "()Lp/Session;"), object, &[]);
            let size = test.call(world.find("size", "()I"), made, &[]);
            test.assert_value(size, Value::Int(2 * length as i32));
            test.assert(
                ObservationTarget::Inspector(made, world.find("size", "()I")),
                value(Value::Int(2 * length as i32)),
            );
            test.finish()
        });
        world.check_all(&suite)
    };
    let line = "\n                ";
    let long = format!(".name(\"{}\")", "x".repeat(50));
    for (class_under_test, first) in
        [("p/Session", "new SessionBuilder()"), ("p/SessionBuilder", "sessionBuilder")]
    {
        let text = of_builder(class_under_test);
        for expect in [
            format!("Session session = {first}.name(\"x\").name(\"x\").make();"),
            format!("Session session = {first}.make();"),
            format!("Session session = {first}{line}{long}{line}{long}{line}.make();"),
        ] {
            assert!(text.contains(&expect), "{expect}\n{text}");
        }
    }
}

#[test]
fn tests_that_check_nothing_else_say_that_they_complete() {
    const DOOR: &str = r"
//- /p/Door.java
package p;
import java.io.IOException;
public class Door {
    public Door(int width) throws IOException { }
    public void close() throws IOException { }
    public static <T> T same(T value) { return value; }
    public Door self() { return this; }
    public int width() { return 1; }
}
";
    let world = world_of("p/Door", DOOR, &["Lp/Door;"]);
    let new = world.find("<init>", "(I)V");
    let door = |test: &mut TestBuilder, width| {
        let width = test.int(width);
        test.new_object(new, &[width])
    };
    let mut alone = TestBuilder::default();
    door(&mut alone, 1);
    let closing = |width| {
        let mut test = TestBuilder::default();
        let made = door(&mut test, width);
        test.call(world.find("close", "()V"), made, &[]);
        test.finish()
    };
    let mut itself = TestBuilder::default();
    let made = door(&mut itself, 1);
    itself.call(world.find("self", "()Lp/Door;"), made, &[]);
    let mut generic = TestBuilder::default();
    let text_of = generic.string("a");
    let same = world.member("p/Door", "same", "(Ljava/lang/Object;)Ljava/lang/Object;");
    generic.call_static(same, &[text_of]);
    let mut asserted = TestBuilder::default();
    let made = door(&mut asserted, 1);
    let width = asserted.call(world.find("width", "()I"), made, &[]);
    asserted.assert_value(width, Value::Int(1));
    let suite = [
        alone.finish(),
        closing(1),
        closing(2),
        closing(3),
        itself.finish(),
        generic.finish(),
        asserted.finish(),
    ];
    let completing = |arrangement| {
        world.run(&world.written(&suite, |writer| writer.saying_completion(true).arranged(arrangement)))
    };
    let file = completing(Arrangement::default());
    for expect in [
        " {\n        assertDoesNotThrow(() -> new Door(1));\n",
        " throws Exception {\n        Door door = new Door(1);\n        assertDoesNotThrow(() -> door.close());\n",
        "        assertDoesNotThrow(() -> door.self());\n",
        "        Door.same(\"a\");\n",
        "        assertEquals(1, door.width());\n",
    ] {
        assert!(file.contains(expect), "{expect}\n{file}");
    }
    assert_eq!(file.matches("assertDoesNotThrow(").count(), 5, "{file}");
    let file = completing(Arrangement { tables: true, ..Arrangement::default() });
    assert!(file.contains("@ValueSource(ints = {1, 2, 3})"), "{file}");
}
