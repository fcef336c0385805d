//! Statements do what the same statements in Java do: values, exceptions and their origins.

use crate::common::{
    Cluster, Worker, call, call_on, in_own_process, int, new, observed_int, observed_string, string,
};
use bytecode::name::ClassName;
use testcase::assertion::{ObservationPoint, ObservationTarget, ObservedValue};
use testcase::cluster::TypeId;
use testcase::execution::{Executor as _, Outcome, ThrowOrigin, Thrown};
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::{JavaString, Value};

fn threw(position: usize, class: &str, origin: ThrowOrigin) -> Outcome {
    Outcome::Threw(Thrown { position, class: ClassName::new(class), origin })
}

fn literal(value: Value) -> Statement {
    Statement::Primitive { value, boxed: false }
}

const VALUES: &str = r#"
//- /p/Values.java
package p;

import java.util.*;

public class Values {
    public enum Color { RED, GREEN { int more() { return 1; } } }

    public static Object echo(Object value) { return value; }
    public static boolean same(Object one, Object other) { return one == other; }
    public static boolean isLiteral(String text) { return text == "literal"; }
    public static long sum(byte a, short b, char c, int d, long e) { return a + b + c + d + e; }
    public static double real(float a, double b) { return a * b; }
    public static boolean not(boolean value) { return !value; }
    public static Color green() { return Color.GREEN; }
    public static Class<?> type() { return Map.Entry[].class; }
    public static int[][] table() { return new int[][] { { 1, 2 }, null, {} }; }
    public static Object[] mixed() { return new Object[] { "a", 1, null, 'c', Color.RED }; }
    public static Object[] opaque() { return new Object[] { new Object() }; }
    public static int[][][] deep() { return new int[][][] { { { 1 } } }; }
    public static byte[] large() { return new byte[33]; }
    public static Object lambda() { Runnable nothing = () -> { }; return nothing; }
    public static Object failing() { return new AbstractList<String>() {
        public String get(int index) { return null; }
        public int size() { throw new IllegalStateException(); }
    }; }
    public static Object neither() { return new AbstractList<String>() {
        public String get(int index) { return null; }
        public int size() { return 0; }
        public boolean isEmpty() { return false; }
    }; }
    public static String surrogate() { return "\ud83d"; }
}
"#;

// tidy: one table of values
#[test]
fn values_come_back_as_a_test_can_assert_them() {
    in_own_process("execution::values_come_back_as_a_test_can_assert_them", || {
        let compiled = fixture::compile(VALUES);
        let mut cluster = Cluster::default();
        let owner = "p/Values";
        let color = "Lp/Values$Color;";
        let mut method =
            |name: &str, result: &str| cluster.static_method(owner, name, &format!("(){result}"));
        let green = method("green", color);
        let class = method("type", "Ljava/lang/Class;");
        let table = method("table", "[[I");
        let mixed = method("mixed", "[Ljava/lang/Object;");
        let opaque = method("opaque", "[Ljava/lang/Object;");
        let deep = method("deep", "[[[I");
        let large = method("large", "[B");
        let lambda = method("lambda", "Ljava/lang/Object;");
        let failing = method("failing", "Ljava/lang/Object;");
        let neither = method("neither", "Ljava/lang/Object;");
        let surrogate = method("surrogate", "Ljava/lang/String;");
        let sum = cluster.static_method(owner, "sum", "(BSCIJ)J");
        let real = cluster.static_method(owner, "real", "(FD)D");
        let not = cluster.static_method(owner, "not", "(Z)Z");
        let mut worker = Worker::start(&compiled, &[owner], cluster);
        let mut check = |statements: &[Statement], expect: Option<ObservedValue>| {
            assert_eq!(worker.value(statements), expect, "{statements:?}");
        };
        let primitive = |value: Value| Some(ObservedValue::Primitive(value));
        let object =
            |class: &str, size: Option<u32>| Some(ObservedValue::Object { class: class.into(), size });
        let text = |text: &str| ObservedValue::Primitive(Value::String(text.into()));
        let numbers = |numbers: &[i32]| {
            ObservedValue::Array(
                numbers.iter().map(|number| ObservedValue::Primitive(Value::Int(*number))).collect(),
            )
        };
        let constant = |name: &str| ObservedValue::EnumConstant("p/Values$Color".into(), name.into());

        check(
            &[
                literal(Value::Byte(-1)),
                literal(Value::Short(-2)),
                literal(Value::Char(65)),
                int(4),
                literal(Value::Long(1 << 40)),
                call(sum, &[0, 1, 2, 3, 4]),
            ],
            primitive(Value::Long((1 << 40) + 66)),
        );
        check(
            &[literal(Value::Float(1.5)), literal(Value::Double(2.0)), call(real, &[0, 1])],
            primitive(Value::Double(3.0)),
        );
        // An int is passed where a long is wanted, as Java widens it.
        check(&[literal(Value::Byte(1)), int(2), call(sum, &[0, 0, 1, 0, 1])], None);
        check(&[literal(Value::Boolean(true)), call(not, &[0])], primitive(Value::Boolean(false)));
        check(&[call(green, &[])], Some(constant("GREEN")));
        check(&[call(class, &[])], Some(ObservedValue::Class("[Ljava.util.Map$Entry;".into())));
        check(
            &[call(table, &[])],
            Some(ObservedValue::Array(vec![numbers(&[1, 2]), ObservedValue::Null, numbers(&[])])),
        );
        check(
            &[call(mixed, &[])],
            Some(ObservedValue::Array(vec![
                text("a"),
                ObservedValue::Boxed(Value::Int(1)),
                ObservedValue::Null,
                ObservedValue::Boxed(Value::Char(99)),
                constant("RED"),
            ])),
        );
        check(&[call(opaque, &[])], object("[Ljava/lang/Object;", Some(1)));
        check(&[call(deep, &[])], object("[[[I", Some(1)));
        check(&[call(large, &[])], object("[B", Some(33)));
        check(&[call(lambda, &[])], object("p/Values$$Lambda", None));
        check(&[call(failing, &[])], None);
        check(&[call(neither, &[])], object("p/Values$2", None));
        check(&[call(surrogate, &[])], primitive(Value::String(JavaString::new([0xd83d]))));
        check(&[Statement::Null { of: TypeId::STRING }], Some(ObservedValue::Null));
        check(
            &[Statement::Primitive { value: Value::Double(-0.0), boxed: true }],
            Some(ObservedValue::Boxed(Value::Double(-0.0))),
        );
    });
}

#[test]
fn literals_are_the_objects_that_java_literals_are() {
    in_own_process("execution::literals_are_the_objects_that_java_literals_are", || {
        let compiled = fixture::compile(VALUES);
        let mut cluster = Cluster::default();
        let is_literal = cluster.static_method("p/Values", "isLiteral", "(Ljava/lang/String;)Z");
        let same = cluster.static_method("p/Values", "same", "(Ljava/lang/Object;Ljava/lang/Object;)Z");
        let mut worker = Worker::start(&compiled, &["p/Values"], cluster);
        let mut check = |statements: &[Statement], expect: bool| {
            let expect = Some(ObservedValue::Primitive(Value::Boolean(expect)));
            assert_eq!(worker.value(statements), expect, "{statements:?}");
        };
        let boxed = |value: i32| Statement::Primitive { value: Value::Int(value), boxed: true };
        check(&[string("literal"), call(is_literal, &[0])], true);
        check(&[string("another"), string("another"), call(same, &[0, 1])], true);
        let own = |text: &str| Statement::Primitive { value: Value::String(text.into()), boxed: true };
        check(&[string("another"), own("another"), call(same, &[0, 1])], false);
        check(&[own("literal"), call(is_literal, &[0])], false);
        check(&[boxed(127), boxed(127), call(same, &[0, 1])], true);
        check(&[boxed(128), boxed(128), call(same, &[0, 1])], false);
    });
}

const OBJECTS: &str = r#"
//- /p/Shape.java
package p;

import java.util.*;

public class Shape {
    public int size;
    public static String label = "plain";
    public static final int LIMIT = Integer.parseInt("7");
    private final List<Object> parts = new ArrayList<Object>();

    public Shape(int size) { this.size = size; }
    public Shape grow(int by) { size += by; return this; }
    public int area() { return size * size; }
    public void add(Object part) { parts.add(part); }
    public Object part(int index) { return parts.get(index); }
    public static int total(int[] sizes) { int total = 0; for (int size : sizes) total += size; return total; }
    public static String join(String[] words) { return String.join("+", words); }
    public static String label() { return label; }

    public class Corner {
        public int reach() { return size + 1; }
    }
}
"#;

#[test]
fn objects_fields_and_arrays_are_used_as_in_java() {
    in_own_process("execution::objects_fields_and_arrays_are_used_as_in_java", || {
        let compiled = fixture::compile(OBJECTS);
        let mut cluster = Cluster::default();
        let shape = "p/Shape";
        let make = cluster.constructor(shape, "(I)V");
        let grow = cluster.method(shape, "grow", "(I)Lp/Shape;");
        let area = cluster.method(shape, "area", "()I");
        let total = cluster.static_method(shape, "total", "([I)I");
        let join = cluster.static_method(shape, "join", "([Ljava/lang/String;)Ljava/lang/String;");
        let label_of = cluster.static_method(shape, "label", "()Ljava/lang/String;");
        let size = cluster.field(shape, "size", "I", 1);
        let label = cluster.field(shape, "label", "Ljava/lang/String;", 9);
        let limit = cluster.field(shape, "LIMIT", "I", 0x19);
        let corner = cluster.constructor("p/Shape$Corner", "(Lp/Shape;)V");
        let reach = cluster.method("p/Shape$Corner", "reach", "()I");
        cluster.cluster.callables[corner.index()].takes_enclosing_instance = true;
        let ints = cluster.ty("[I");
        let strings = cluster.ty("[Ljava/lang/String;");
        let shape_class = cluster.ty("Lp/Shape;");
        let class_type = cluster.ty("Ljava/lang/Class;");
        let mut worker = Worker::start(&compiled, &[shape], cluster);
        let mut check = |statements: &[Statement], expect: Option<ObservedValue>| {
            assert_eq!(worker.value(statements), expect, "{statements:?}");
        };
        let read =
            |field, receiver: Option<u16>| Statement::FieldRead { field, receiver: receiver.map(VarRef) };
        let write = |field, receiver: Option<u16>, value: u16| Statement::FieldWrite {
            field,
            receiver: receiver.map(VarRef),
            value: VarRef(value),
        };
        let element = |array: u16, index: u16, value: u16| Statement::ArrayWrite {
            array: VarRef(array),
            index,
            value: VarRef(value),
        };
        check(&[int(3), new(make, &[0]), call_on(1, grow, &[0]), call_on(2, area, &[])], observed_int(36));
        check(
            &[int(3), new(make, &[0]), int(5), write(size, Some(1), 2), read(size, Some(1))],
            observed_int(5),
        );
        check(&[string("new"), write(label, None, 0), call(label_of, &[])], observed_string("new"));
        check(&[call(label_of, &[])], observed_string("plain"));
        check(&[read(limit, None)], observed_int(7));
        check(
            &[Statement::Array { of: ints, length: 2 }, int(4), element(0, 1, 1), call(total, &[0])],
            observed_int(4),
        );
        check(
            &[
                Statement::Array { of: strings, length: 2 },
                string("a"),
                element(0, 0, 1),
                element(0, 1, 1),
                call(join, &[0]),
            ],
            observed_string("a+a"),
        );
        check(&[int(3), new(make, &[0]), new(corner, &[1]), call_on(2, reach, &[])], observed_int(4));
        check(
            &[Statement::ClassLiteral { of: class_type, class: shape_class }],
            Some(ObservedValue::Class("p.Shape".into())),
        );
    });
}

#[test]
fn what_a_statement_does_wrong_is_its_own_exception() {
    in_own_process("execution::what_a_statement_does_wrong_is_its_own_exception", || {
        let compiled = fixture::compile(OBJECTS);
        let mut cluster = Cluster::default();
        let shape = "p/Shape";
        let make = cluster.constructor(shape, "(I)V");
        let area = cluster.method(shape, "area", "()I");
        let add = cluster.method(shape, "add", "(Ljava/lang/Object;)V");
        let part = cluster.method(shape, "part", "(I)Ljava/lang/Object;");
        cluster.cluster.callables[part.index()].result = Some(TypeId::STRING);
        cluster.cluster.callables[part.index()].result_cast =
            Some(bytecode::descriptor::ErasedType::Class(ClassName::string()));
        let size = cluster.field(shape, "size", "I", 1);
        let limit = cluster.field(shape, "LIMIT", "I", 0x19);
        let corner = cluster.constructor("p/Shape$Corner", "(Lp/Shape;)V");
        cluster.cluster.callables[corner.index()].takes_enclosing_instance = true;
        let shape_type = cluster.ty("Lp/Shape;");
        let strings = cluster.ty("[Ljava/lang/String;");
        let objects = cluster.ty("[Ljava/lang/Object;");
        let as_objects = cluster.static_method(
            "java/util/Objects",
            "requireNonNull",
            "(Ljava/lang/Object;)Ljava/lang/Object;",
        );
        cluster.cluster.callables[as_objects.index()].result = Some(objects);
        let mut worker = Worker::start(&compiled, &[shape], cluster);
        let mut check = |statements: &[Statement], position: usize, class: &str| {
            let expect = threw(position, &format!("java/lang/{class}"), ThrowOrigin::Statement);
            assert_eq!(worker.run(statements), expect, "{statements:?}");
            assert_eq!(worker.result.executed, position);
        };
        let null = || Statement::Null { of: shape_type };
        let write = |array: u16, index: u16, value: u16| Statement::ArrayWrite {
            array: VarRef(array),
            index,
            value: VarRef(value),
        };
        check(&[null(), call_on(0, area, &[])], 1, "NullPointerException");
        check(
            &[null(), Statement::FieldRead { field: size, receiver: Some(VarRef(0)) }],
            1,
            "NullPointerException",
        );
        check(
            &[
                null(),
                int(1),
                Statement::FieldWrite { field: size, receiver: Some(VarRef(0)), value: VarRef(1) },
            ],
            2,
            "NullPointerException",
        );
        check(&[null(), new(corner, &[0])], 1, "NullPointerException");
        check(&[Statement::Null { of: strings }, string("a"), write(0, 0, 1)], 2, "NullPointerException");
        let array = || Statement::Array { of: strings, length: 1 };
        check(&[array(), string("a"), write(0, 1, 1)], 2, "ArrayIndexOutOfBoundsException");
        check(&[array(), string("a"), write(0, u16::MAX, 1)], 2, "ArrayIndexOutOfBoundsException");
        // An array of strings behind a variable of type Object[].
        let boxed = Statement::Primitive { value: Value::Int(1), boxed: true };
        check(&[array(), call(as_objects, &[0]), boxed.clone(), write(1, 0, 2)], 3, "ArrayStoreException");
        // A generic result that is not what it was declared to be.
        let prepare = [int(3), new(make, &[0]), boxed, call_on(1, add, &[2]), int(0)];
        let mut statements = prepare.to_vec();
        statements.push(call_on(1, part, &[4]));
        check(&statements, 5, "ClassCastException");
        // A receiver of another class than the method's.
        check(&[string("a"), call_on(0, area, &[])], 1, "ClassCastException");
        // JNI would write finals.
        let assign = Statement::FieldWrite { field: limit, receiver: None, value: VarRef(0) };
        assert_eq!(worker.run(&[int(1), assign]), threw(1, "java/lang/IllegalAccessError", ThrowOrigin::Jvm));
        let read = Statement::FieldRead { field: limit, receiver: None };
        assert_eq!(worker.value(&[read]), observed_int(7));
    });
}

const THROWS: &str = r#"
//- /p/Throws.java
package p;

import java.util.*;

public class Throws {
    public static int onPurpose(int value) {
        if (value < 0) throw new IllegalArgumentException("negative");
        return value;
    }
    public static int checked(String text) { return far.Checks.filled(text).length(); }
    public static Object far(String text) { return far.Service.find(text); }
    public static Object farNull(Object value) { return far.Service.kept(value); }
    public static int nullOnPurpose() { throw new NullPointerException("on purpose"); }
    public static int rethrown(String text) {
        try { return text.length(); } catch (NullPointerException exception) { throw exception; }
    }
    public static int parse(String text) { return Integer.parseInt(text); }
    public static Object required(Object value) { return Objects.requireNonNull(value); }
    public static Object named(Object value) { return Objects.requireNonNull(value, "a value"); }
    public static int joined(String value) { return java.util.Optional.of(value).get().length(); }
    public static Object concatenated(String value) { return "a".concat(value); }
    public static int exact(int value) { return Math.multiplyExact(value, value); }
    public static int dereference(String text) { return text.length(); }
    public static int index(int at) { String[] array = { "a" }; return array[at].length(); }
    public static int element(int at) { int[] array = { 1 }; return array[at]; }
    public static Object size(int length) { return new int[length]; }
    public static int divide(int by) { return 1 / by; }
    public static Integer cast(Object value) { return (Integer) value; }
    public static Object classCast(Object value) { return Integer.class.cast(value); }
    public static void store(Object value) { Object[] array = new Integer[1]; array[0] = value; }
    public static Object sorted(Object value) { return new TreeSet<Object>(Arrays.asList(value, 1)); }
    public static int deep(int by) { return deep(by) + 1; }
    public static Object full() { List<Object> all = new ArrayList<Object>(); while (true) all.add(new long[1 << 20]); }
    public static int selfContained() { List<Object> list = new ArrayList<Object>(); list.add(list); return list.hashCode(); }
}
//- /far/Checks.java
package far;

public class Checks {
    public static String filled(String text) {
        if (text.isEmpty()) throw new IllegalStateException("empty");
        return text;
    }
}
//- /far/Service.java
package far;

import java.util.Objects;

public class Service {
    public static String find(String text) { return connected(text); }
    private static String connected(String text) { return opened(text); }
    private static String opened(String text) { return Checks.filled(text); }
    public static Object kept(Object value) { return given(value); }
    private static Object given(Object value) { return Objects.requireNonNull(value); }
}
//- /p/Broken.java
package p;

public class Broken {
    static final int VALUE = compute();
    static int compute() { throw new IllegalStateException("broken"); }
    public static int value() { return 1; }
}
//- /p/Through.java
package p;

public class Through {
    public static int value() { return Behind.value(); }
    private static class Behind {
        static final int VALUE = Integer.parseInt("none");
        static int value() { return 1; }
    }
}
"#;

const CALLERS: &str = "
//- /p/Callers.java
package p;

import java.util.Optional;

public class Callers {
    public static String caller() { return new Throwable().getStackTrace()[1].toString(); }
    public static boolean hasFrames(Throwable made) { return made.getStackTrace().length > 0; }
    public static Object raise(RuntimeException made) { return Optional.empty().orElseThrow(() -> made); }
}
";

#[test]
fn a_test_is_called_by_a_test_class() {
    in_own_process("execution::a_test_is_called_by_a_test_class", || {
        let compiled = fixture::compile(CALLERS);
        let mut cluster = Cluster::default();
        let caller = cluster.static_method("p/Callers", "caller", "()Ljava/lang/String;");
        let has_frames = cluster.static_method("p/Callers", "hasFrames", "(Ljava/lang/Throwable;)Z");
        let raise =
            cluster.static_method("p/Callers", "raise", "(Ljava/lang/RuntimeException;)Ljava/lang/Object;");
        let exception = cluster.constructor("java/lang/NullPointerException", "()V");
        let for_name =
            cluster.static_method("java/lang/Class", "forName", "(Ljava/lang/String;)Ljava/lang/Class;");
        let mut worker = Worker::start(&compiled, &["p/Callers"], cluster);
        for _ in 0..2 {
            assert_eq!(
                worker.value(&[call(caller, &[])]),
                observed_string("CovolveTest.test(Native Method)")
            );
            let yes = Some(ObservedValue::Primitive(Value::Boolean(true)));
            assert_eq!(worker.value(&[new(exception, &[]), call(has_frames, &[0])]), yes);
            // What looks for its caller's class path finds it.
            assert_eq!(worker.run(&[string("p.Callers"), call(for_name, &[0])]), Outcome::Passed);
            assert_eq!(
                worker.run(&[new(exception, &[]), call(raise, &[0])]),
                threw(1, "java/lang/NullPointerException", ThrowOrigin::Library),
                "the test made it, and no instruction of the project"
            );
        }
    });
}

#[test]
fn every_exception_has_its_origin() {
    in_own_process("execution::every_exception_has_its_origin", || {
        let compiled = fixture::compile(THROWS);
        let mut cluster = Cluster::default();
        let mut method = |name: &str, descriptor: &str| cluster.static_method("p/Throws", name, descriptor);
        let text = "(Ljava/lang/String;)I";
        let object = "(Ljava/lang/Object;)Ljava/lang/Object;";
        let cases = [
            (method("onPurpose", "(I)I"), int(-1), "IllegalArgumentException", ThrowOrigin::Project),
            // A helper says what the class means; what a service throws deep below does not.
            (method("checked", text), string(""), "IllegalStateException", ThrowOrigin::Project),
            (
                method("far", "(Ljava/lang/String;)Ljava/lang/Object;"),
                string(""),
                "IllegalStateException",
                ThrowOrigin::Library,
            ),
            (method("farNull", object), null(), "NullPointerException", ThrowOrigin::Library),
            (method("rethrown", text), null(), "NullPointerException", ThrowOrigin::Jvm),
            (method("parse", text), string("x"), "NumberFormatException", ThrowOrigin::Library),
            (method("required", object), null(), "NullPointerException", ThrowOrigin::Project),
            (method("named", object), null(), "NullPointerException", ThrowOrigin::Project),
            (method("joined", text), null(), "NullPointerException", ThrowOrigin::Library),
            (method("exact", "(I)I"), int(1 << 20), "ArithmeticException", ThrowOrigin::Library),
            (method("classCast", object), string("x"), "ClassCastException", ThrowOrigin::Library),
            (method("dereference", text), null(), "NullPointerException", ThrowOrigin::Jvm),
            (method("index", "(I)I"), int(2), "ArrayIndexOutOfBoundsException", ThrowOrigin::Jvm),
            (method("element", "(I)I"), int(-1), "ArrayIndexOutOfBoundsException", ThrowOrigin::Jvm),
            (
                method("size", "(I)Ljava/lang/Object;"),
                int(-1),
                "NegativeArraySizeException",
                ThrowOrigin::Jvm,
            ),
            (method("divide", "(I)I"), int(0), "ArithmeticException", ThrowOrigin::Jvm),
            (
                method("cast", "(Ljava/lang/Object;)Ljava/lang/Integer;"),
                string("x"),
                "ClassCastException",
                ThrowOrigin::Jvm,
            ),
            (method("store", "(Ljava/lang/Object;)V"), string("x"), "ArrayStoreException", ThrowOrigin::Jvm),
            (method("sorted", object), string("x"), "ClassCastException", ThrowOrigin::Jvm),
            (
                method("concatenated", "(Ljava/lang/String;)Ljava/lang/Object;"),
                null(),
                "NullPointerException",
                ThrowOrigin::Jvm,
            ),
        ];
        let on_purpose = method("nullOnPurpose", "()I");
        // What is thrown elsewhere passes a probe as well.
        cluster.cluster.goal_classes = vec!["p/Throws".into()];
        let mut worker = Worker::start(&compiled, &["p/Throws", "far/Checks", "far/Service"], cluster);
        // Twice: whatever is remembered of the first time must not change the second.
        for _ in 0..2 {
            for (callable, argument, class, origin) in &cases {
                let expect = threw(1, &format!("java/lang/{class}"), *origin);
                assert_eq!(worker.run(&[argument.clone(), call(*callable, &[0])]), expect);
            }
            let expect = threw(0, "java/lang/NullPointerException", ThrowOrigin::Project);
            assert_eq!(worker.run(&[call(on_purpose, &[])]), expect);
        }
    });
}

fn null() -> Statement {
    Statement::Null { of: TypeId::STRING }
}

#[test]
fn a_full_stack_or_heap_is_no_result() {
    in_own_process("execution::a_full_stack_or_heap_is_no_result", || {
        let compiled = fixture::compile(THROWS);
        let mut cluster = Cluster::default();
        let deep = cluster.static_method("p/Throws", "deep", "(I)I");
        let full = cluster.static_method("p/Throws", "full", "()Ljava/lang/Object;");
        let contained = cluster.static_method("p/Throws", "selfContained", "()I");
        let parse = cluster.static_method("p/Throws", "parse", "(Ljava/lang/String;)I");
        let mut worker =
            Worker::start_with(&compiled, &["p/Throws"], cluster, |options| options.heap_mb = 64);
        for statements in [vec![int(1), call(deep, &[0])], vec![call(full, &[])], vec![call(contained, &[])]]
        {
            assert_eq!(worker.run(&statements), Outcome::TimedOut);
            assert!(!worker.result.is_valid());
            // The JVM goes on.
            assert_eq!(worker.value(&[string("5"), call(parse, &[0])]), observed_int(5));
        }
        assert!(!worker.executor.is_tainted());
    });
}

#[test]
fn a_failed_initializer_is_the_same_exception_in_every_test() {
    in_own_process("execution::a_failed_initializer_is_the_same_exception_in_every_test", || {
        let compiled = fixture::compile(THROWS);
        let mut cluster = Cluster::default();
        let value = cluster.static_method("p/Broken", "value", "()I");
        let missing = cluster.static_method("p/Missing", "value", "()I");
        let absent = cluster.static_method("p/Throws", "absent", "()I");
        let through = cluster.static_method("p/Through", "value", "()I");
        let mut worker = Worker::start(&compiled, &[], cluster);
        let mut check = |callable, class: &str| {
            let expect = threw(0, &format!("java/lang/{class}"), ThrowOrigin::Jvm);
            assert_eq!(worker.run(&[call(callable, &[])]), expect);
        };
        for _ in 0..2 {
            check(value, "LinkageError");
            check(through, "LinkageError");
            check(missing, "NoClassDefFoundError");
            check(absent, "NoSuchMethodError");
        }
    });
}

#[test]
fn an_inspector_that_no_test_called_can_be_asked() {
    in_own_process("execution::an_inspector_that_no_test_called_can_be_asked", || {
        let mut cluster = Cluster::default();
        let builder = cluster.constructor("java/lang/StringBuilder", "(Ljava/lang/String;)V");
        let length = cluster.method("java/lang/StringBuilder", "length", "()I");
        let compiled = fixture::compile("//- /p/Empty.java\npackage p;\npublic class Empty { }\n");
        let mut worker = Worker::start(&compiled, &["p/Empty"], cluster);
        let test = TestCase::new(vec![string("abc"), new(builder, &[0])]);
        let target = ObservationTarget::Inspector(VarRef(1), length);
        let observed = worker.executor.observe(&test, &[ObservationPoint { after: VarRef(1), target }]);
        assert_eq!(observed.values, [observed_int(3)]);
    });
}

const TILL: &str = r#"
//- /p/Till.java
package p;

public class Till {
    private int sum;
    public int sum() {
        try { throw new IllegalStateException("inside"); } catch (IllegalStateException inside) { return sum; }
    }
    public void add(int value) {
        sum += value;
        if (value < 0) throw new IllegalArgumentException("negative: " + value);
        if (value == 1) throw new IllegalStateException("odd", new UnsupportedOperationException("inner"));
        if (value == 2) throw new IllegalStateException(new UnsupportedOperationException("inner"));
        if (value == 3) Integer.parseInt("x");
        if (value == 4) throw new IllegalStateException();
    }
}
"#;

#[test]
fn what_an_exception_says_and_leaves_can_be_seen() {
    in_own_process("execution::what_an_exception_says_and_leaves_can_be_seen", || {
        let mut cluster = Cluster::default();
        let make = cluster.constructor("p/Till", "()V");
        let add = cluster.method("p/Till", "add", "(I)V");
        let sum = cluster.method("p/Till", "sum", "()I");
        let mut worker = Worker::start(&fixture::compile(TILL), &["p/Till"], cluster);
        let targets = [
            ObservationTarget::Inspector(VarRef(0), sum),
            ObservationTarget::Message,
            ObservationTarget::Cause,
        ];
        let points = targets.map(|target| ObservationPoint { after: VarRef(2), target });
        let project = |class: &str| threw(2, &format!("java/lang/{class}"), ThrowOrigin::Project);
        let of_project = project("IllegalStateException");
        let of_library = threw(2, "java/lang/NumberFormatException", ThrowOrigin::Library);
        let inner = || Some(ObservedValue::Class("java.lang.UnsupportedOperationException".to_owned()));
        let said = observed_string;
        for (value, outcome, message, cause) in [
            (-1, project("IllegalArgumentException"), said("negative: -1"), None),
            (1, of_project.clone(), said("odd"), inner()),
            (2, of_project.clone(), None, inner()),
            (3, of_library, None, None),
            (4, of_project, None, None),
            (5, Outcome::Passed, None, None),
        ] {
            let test = TestCase::new(vec![new(make, &[]), int(value), call_on(0, add, &[1])]);
            let observed = worker.executor.observe(&test, &points);
            assert_eq!(observed.outcome, outcome, "{value}");
            assert_eq!(observed.values, [observed_int(value), message, cause], "{value}");
        }
    });
}

const ORDERS: &str = r#"
//- /p/Order.java
package p;

import java.util.*;

public class Order {
    private final Customer customer;
    public Order(String name) { customer = name.isEmpty() ? null : new Customer(name); }
    public Customer customer() { return customer; }
    public List<Customer> customers() { return customer == null ? new ArrayList<>() : Collections.singletonList(customer); }
    public static List<Customer> all(String name) { return new ArrayList<>(find(name).map(Collections::singleton).orElse(Collections.emptySet())); }
    public static Optional<Customer> find(String name) { return Optional.ofNullable(new Order(name).customer); }
    public static class Customer {
        private final String name;
        Customer(String name) { this.name = name; }
        public String name() { if (name.equals("x")) throw new IllegalStateException(); return name; }
    }
}
"#;

#[test]
fn objects_that_an_object_has_and_first_elements_are_asked_what_they_are_like() {
    in_own_process(
        "execution::objects_that_an_object_has_and_first_elements_are_asked_what_they_are_like",
        || {
            let mut cluster = Cluster::default();
            let make = cluster.constructor("p/Order", "(Ljava/lang/String;)V");
            let customer = cluster.method("p/Order", "customer", "()Lp/Order$Customer;");
            let customers = cluster.method("p/Order", "customers", "()Ljava/util/List;");
            let all = cluster.static_method("p/Order", "all", "(Ljava/lang/String;)Ljava/util/List;");
            let find = cluster.static_method("p/Order", "find", "(Ljava/lang/String;)Ljava/util/Optional;");
            let first = cluster.method("java/util/List", "get", "(I)Ljava/lang/Object;");
            let found = cluster.method("java/util/Optional", "get", "()Ljava/lang/Object;");
            let name = cluster.method("p/Order$Customer", "name", "()Ljava/lang/String;");
            let [list, optional] = ["Ljava/util/List;", "Ljava/util/Optional;"].map(|of| cluster.ty(of));
            cluster.cluster.elements = vec![(list, first), (optional, found)];
            let mut worker = Worker::start(&fixture::compile(ORDERS), &["p/Order"], cluster);
            for (given, expect) in [("a", observed_string("a")), ("", None), ("x", None)] {
                for (made, outer) in [
                    (new(make, &[0]), customer),
                    (new(make, &[0]), customers),
                    (call(all, &[0]), first),
                    (call(find, &[0]), found),
                ] {
                    let test = TestCase::new(vec![string(given), made]);
                    let target = ObservationTarget::Nested(VarRef(1), outer, name);
                    let point = ObservationPoint { after: VarRef(1), target };
                    let observed = worker.executor.observe(&test, &[point]);
                    assert_eq!(observed.outcome, Outcome::Passed, "{given}");
                    assert_eq!(observed.values, std::slice::from_ref(&expect), "{given} {target:?}");
                }
            }
        },
    );
}

const CODEC: &str = r"
//- /p/Codec.java
package p;

public class Codec {
    private int asked;
    public Codec getFactory() { asked++; return getOldFactory(); }
    public Codec getOldFactory() { return getFactory(); }
    public int getAsked() { return asked; }
}
";

#[test]
fn an_inspector_that_fills_the_stack_is_asked_once() {
    in_own_process("execution::an_inspector_that_fills_the_stack_is_asked_once", || {
        let mut cluster = Cluster::default();
        let make = cluster.constructor("p/Codec", "()V");
        let factory = cluster.method("p/Codec", "getFactory", "()Lp/Codec;");
        let asked = cluster.method("p/Codec", "getAsked", "()I");
        let mut worker = Worker::start(&fixture::compile(CODEC), &["p/Codec"], cluster);
        let test = TestCase::new(vec![new(make, &[])]);
        let of = VarRef(0);
        let targets = [
            ObservationTarget::Nested(of, factory, asked),
            ObservationTarget::Inspector(of, factory),
            ObservationTarget::Inspector(of, asked),
        ];
        let points = targets.map(|target| ObservationPoint { after: of, target });
        let mut ask = || worker.executor.observe(&test, &points).values;
        let first = ask();
        assert_eq!(first[..2], [None, None]);
        assert_ne!(first[2], observed_int(0), "it was asked");
        // The others are asked as before.
        assert_eq!(ask(), [None, None, observed_int(0)]);
    });
}
