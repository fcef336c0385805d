//! What a test changes is as before for the next one.

mod common;

use common::{
    Cluster, Worker, call, call_on, in_own_process, int, new, observed_int, observed_string, string,
};
use testcase::assertion::ObservedValue;
use testcase::execution::Outcome;
use testcase::statement::{Statement, VarRef};
use testcase::value::Value;

const STATICS: &str = r#"
//- /p/Statics.java
package p;

public class Statics {
    public static boolean flag;
    static byte tiny = 1;
    static char letter = 'a';
    static short small = 2;
    public static int number = 3;
    static long large = 4L << 40;
    static float real = 1.5f;
    static double precise = 2.5;
    public static String text = "original";
    static int[] array = null;

    public static void change() {
        flag = !flag; tiny++; letter++; small++; number++; large++; real += 1; precise += 1;
        text = text + "!"; array = new int[3];
        Other.value++; Heir.inherited++;
    }
    public static String all() {
        return flag + " " + tiny + " " + letter + " " + small + " " + number + " " + large + " " + real + " " + precise
            + " " + text + " " + (array == null) + " " + Other.value + " " + Heir.inherited;
    }
    public static int next() { return ++number; }
    public static int changeAndThrow() { number = 99; throw new IllegalStateException(); }
    public static void changeAndSpin() { number = 99; while (true) { } }
}
//- /p/Other.java
package p;

public class Other { static int value = 10; }
//- /p/Base.java
package p;

public class Base { static int inherited = 20; }
//- /p/Heir.java
package p;

public class Heir extends Base { }
//- /p/Lazy.java
package p;

public class Lazy {
    static int made;
    private static Lazy instance;
    public static Lazy instance() { if (instance == null) { instance = new Lazy(); made++; } return instance; }
    public static int made() { return made; }
}
"#;

#[test]
fn static_fields_that_code_writes_are_restored() {
    in_own_process("static_fields_that_code_writes_are_restored", || {
        let compiled = fixture::compile(STATICS);
        let mut cluster = Cluster::default();
        let owner = "p/Statics";
        let change = cluster.static_method(owner, "change", "()V");
        let all = cluster.static_method(owner, "all", "()Ljava/lang/String;");
        let next = cluster.static_method(owner, "next", "()I");
        let throws = cluster.static_method(owner, "changeAndThrow", "()I");
        let spins = cluster.static_method(owner, "changeAndSpin", "()V");
        let instance = cluster.static_method("p/Lazy", "instance", "()Lp/Lazy;");
        let made = cluster.static_method("p/Lazy", "made", "()I");
        let mut worker = Worker::start(&compiled, &[owner], cluster);
        let before = worker.value(&[call(all, &[])]);
        assert_eq!(before, observed_string("false 1 a 2 3 4398046511104 1.5 2.5 original true 10 20"));
        for _ in 0..2 {
            let changed = worker.value(&[call(change, &[]), call(change, &[]), call(all, &[])]);
            assert_eq!(
                changed,
                observed_string("false 3 c 4 5 4398046511106 3.5 4.5 original!! false 12 22")
            );
            assert_eq!(worker.value(&[call(all, &[])]), before);
            assert_eq!(worker.value(&[call(next, &[])]), observed_int(4));
            assert!(matches!(worker.run(&[call(throws, &[])]), Outcome::Threw(_)));
            assert_eq!(worker.value(&[call(next, &[])]), observed_int(4));
            assert_eq!(worker.run(&[call(spins, &[])]), Outcome::TimedOut);
            assert_eq!(worker.value(&[call(next, &[])]), observed_int(4));
            assert_eq!(
                worker.value(&[call(instance, &[]), call(instance, &[]), call(made, &[])]),
                observed_int(1)
            );
        }
    });
}

#[test]
fn static_fields_that_statements_write_are_restored() {
    in_own_process("static_fields_that_statements_write_are_restored", || {
        let compiled = fixture::compile(STATICS);
        let mut cluster = Cluster::default();
        let owner = "p/Statics";
        let next = cluster.static_method(owner, "next", "()I");
        let change = cluster.static_method(owner, "change", "()V");
        let all = cluster.static_method(owner, "all", "()Ljava/lang/String;");
        let number = cluster.field(owner, "number", "I", 9);
        let text = cluster.field(owner, "text", "Ljava/lang/String;", 9);
        let flag = cluster.field(owner, "flag", "Z", 9);
        let mut worker = Worker::start(&compiled, &[owner], cluster);
        let before = worker.value(&[call(all, &[])]);
        let write = |field, value: u16| Statement::FieldWrite { field, receiver: None, value: VarRef(value) };
        let yes = Statement::Primitive { value: Value::Boolean(true), boxed: false };
        // The statement before the code, the code before the statement, and both again.
        let orders: [&[Statement]; 4] = [
            &[int(50), write(number, 0), call(next, &[])],
            &[call(next, &[]), int(50), write(number, 1), call(next, &[])],
            &[
                string("a"),
                write(text, 0),
                call(change, &[]),
                string("b"),
                write(text, 3),
                yes,
                write(flag, 5),
            ],
            &[int(50), write(number, 0), write(number, 0)],
        ];
        for statements in orders {
            assert_eq!(worker.run(statements), Outcome::Passed);
            assert_eq!(worker.value(&[call(all, &[])]), before, "{statements:?}");
        }
    });
}

const JDK: &str = r#"
//- /p/Global.java
package p;

import java.io.*;
import java.util.*;

public class Global {
    static final ThreadLocal<Integer> LOCAL = new ThreadLocal<Integer>();
    final ThreadLocal<String> own = new ThreadLocal<String>();

    public static void change() throws Exception {
        Locale.setDefault(Locale.CHINA);
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
        System.setProperty("line.separator", "|");
        System.setProperty("new.property", "new");
        System.getProperties().remove("java.vendor");
        System.setOut(new PrintStream(new ByteArrayOutputStream()));
        System.setErr(System.out);
        System.setIn(new ByteArrayInputStream(new byte[] { 65 }));
        Thread.currentThread().setContextClassLoader(null);
        Thread.currentThread().setName("changed");
        Thread.currentThread().interrupt();
        LOCAL.set(5);
        Thread.setDefaultUncaughtExceptionHandler((thread, exception) -> { });
    }
    public static void replaceProperties() { System.setProperties(new Properties()); }
    public static void clearProperties() { System.getProperties().clear(); }
    public static void iterate() { System.getProperties().keySet().removeIf(name -> name.toString().startsWith("java")); }
    public static String all() throws Exception {
        return Locale.getDefault() + " " + Locale.getDefault(Locale.Category.FORMAT) + " " + TimeZone.getDefault().getID()
            + " " + System.getProperty("line.separator").length() + " " + System.getProperty("new.property")
            + " " + (System.getProperty("java.vendor") != null) + " " + System.in.read()
            + " " + (Thread.currentThread().getContextClassLoader() == ClassLoader.getSystemClassLoader())
            + " " + Thread.currentThread().getName() + " " + Thread.currentThread().isInterrupted() + " " + LOCAL.get()
            + " " + (Thread.getDefaultUncaughtExceptionHandler() == null) + " " + (System.out == System.err)
            + " " + String.format("%.1f", 1.5);
    }
}
"#;

#[test]
fn state_of_the_whole_jvm_is_restored() {
    in_own_process("state_of_the_whole_jvm_is_restored", || {
        let compiled = fixture::compile(JDK);
        let mut cluster = Cluster::default();
        let owner = "p/Global";
        let mut change = |name: &str| cluster.static_method(owner, name, "()V");
        let changes =
            [change("change"), change("replaceProperties"), change("clearProperties"), change("iterate")];
        let all = cluster.static_method(owner, "all", "()Ljava/lang/String;");
        let mut worker = Worker::start(&compiled, &[owner], cluster);
        let expect = observed_string("en_US en_US UTC 1 null true -1 true main false null true false 1.5");
        assert_eq!(worker.value(&[call(all, &[])]), expect);
        for change in changes {
            assert_eq!(worker.run(&[call(change, &[])]), Outcome::Passed);
            assert_eq!(worker.value(&[call(all, &[])]), expect, "{change:?}");
        }
    });
}

const INITIALIZERS: &str = r"
//- /p/Table.java
package p;

public class Table {
    static final int[] SQUARES = new int[10];
    static int calls;
    static { for (int i = 0; i < SQUARES.length; i++) SQUARES[i] = square(i); calls = 0; }
    static int square(int i) { calls++; return i * i; }
    final int index;
    public Table(int index) { this.index = index; }
    public int get() { return SQUARES[index]; }
    public static int calls() { return calls; }
}
//- /p/Plain.java
package p;

public class Plain {
    public static int value() { return 1; }
}
";

#[test]
fn an_initializer_is_covered_by_every_test_that_uses_its_class() {
    in_own_process("an_initializer_is_covered_by_every_test_that_uses_its_class", || {
        let compiled = fixture::compile(INITIALIZERS);
        let mut cluster = Cluster::default();
        let make = cluster.constructor("p/Table", "(I)V");
        let get = cluster.method("p/Table", "get", "()I");
        let value = cluster.static_method("p/Plain", "value", "()I");
        let mut worker = Worker::start(&compiled, &["p/Plain", "p/Table"], cluster);
        let entry = |worker: &Worker, class: &str, name: &str| {
            let map = worker.maps.iter().find(|map| map.class.as_str() == class).expect("a goal class");
            map.methods.iter().find(|method| &*method.name == name).expect("a method").entry
        };
        let initializer = entry(&worker, "p/Table", "<clinit>");
        let square = entry(&worker, "p/Table", "square");
        for _ in 0..2 {
            assert_eq!(worker.run(&[int(3), new(make, &[0])]), Outcome::Passed);
            let trace = &worker.result.trace;
            assert_eq!((trace.count(initializer), trace.count(square)), (1, 10));
            assert_eq!(worker.run(&[call(value, &[])]), Outcome::Passed);
            let trace = &worker.result.trace;
            assert_eq!((trace.count(initializer), trace.count(square)), (0, 0));
        }
        let read = [int(3), new(make, &[0]), call_on(1, get, &[])];
        assert_eq!(worker.value(&read), Some(ObservedValue::Primitive(Value::Int(9))));
    });
}
