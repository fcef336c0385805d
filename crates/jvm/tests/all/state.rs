//! What a test changes is as before for the next one.

#![expect(clippy::disallowed_methods, reason = "a test writes class files")]

use crate::common::{
    Cluster, Worker, call, call_on, in_own_process, int, new, observed_int, observed_string, string,
};
use testcase::assertion::ObservedValue;
use testcase::cluster::contexts::Context;
use testcase::cluster::settings::CLASS;
use testcase::execution::{Executor as _, Outcome};
use testcase::run_request::RunRequest;
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
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
    in_own_process("state::static_fields_that_code_writes_are_restored", || {
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
fn tests_in_a_row_see_what_those_before_them_left_and_nobody_else_does() {
    in_own_process("state::tests_in_a_row_see_what_those_before_them_left_and_nobody_else_does", || {
        let sources = "//- /p/Uses.java\npackage p;\npublic class Uses {\n\
                       static int count;\n\
                       public static int use() { count++; if (count == 3) { third(); } return count; }\n\
                       static void third() { }\n\
                       public static void spin() { count = 99; while (true) { } }\n}\n";
        let mut cluster = Cluster::default();
        let used = cluster.static_method("p/Uses", "use", "()I");
        let spins = cluster.static_method("p/Uses", "spin", "()V");
        let number = cluster.field("p/Uses", "count", "I", 9);
        let mut worker = Worker::start(&fixture::compile(sources), &["p/Uses"], cluster);
        let write = Statement::FieldWrite { field: number, receiver: None, value: VarRef(0) };
        let uses = TestCase::new(vec![call(used, &[])]);
        let writes = TestCase::new(vec![int(2), write.clone()]);
        let writes_and_uses = TestCase::new(vec![int(2), write, call(used, &[])]);
        let endless = TestCase::new(vec![call(spins, &[])]);
        for test in [&uses, &writes, &writes_and_uses] {
            worker.run(test.statements());
        }
        let mut covered = |row: &[&TestCase], expect: bool| {
            let Worker { executor, result, .. } = &mut worker;
            let completed = executor.execute_in_order(row, &RunRequest::default(), &mut result.trace);
            let lengths = row.iter().map(|test| test.len()).collect();
            assert_eq!(completed, expect.then_some(lengths));
            let covered = result.trace.touched().len();
            assert_eq!(worker.value(uses.statements()), observed_int(1), "everything is as before");
            covered
        };
        let alone = covered(&[&uses], true);
        assert_eq!(covered(&[&uses, &uses], true), alone);
        let with_third = covered(&[&uses, &uses, &uses], true);
        assert!(with_third > alone, "{with_third} {alone}");
        // The test file sets the field back behind it.
        assert_eq!(covered(&[&writes, &uses], true), alone);
        assert_eq!(covered(&[&uses, &writes, &uses, &writes, &uses], true), with_third);
        assert_eq!(covered(&[&writes_and_uses, &uses], true), with_third);
        covered(&[&uses, &endless, &uses], false);
    });
}

#[test]
fn what_a_test_sets_of_the_jvm_is_set_back_behind_it_in_a_row_as_well() {
    in_own_process("state::what_a_test_sets_of_the_jvm_is_set_back_behind_it_in_a_row_as_well", || {
        let sources = "//- /p/Reads.java\npackage p;\npublic class Reads {\n\
                       public static String all() throws Exception {\n\
                       String all = System.getProperty(\"a\") + \" \" + java.util.Locale.getDefault()\n\
                           + \" \" + java.time.ZoneId.systemDefault() + \" \" + System.in.read();\n\
                       if (!all.equals(\"null en_US UTC -1\")) { changed(); }\n\
                       return all; }\n\
                       static void changed() { }\n}\n";
        let mut cluster = Cluster::default();
        let all = cluster.static_method("p/Reads", "all", "()Ljava/lang/String;");
        let two = "(Ljava/lang/String;Ljava/lang/String;)V";
        let property = cluster.static_method(CLASS, "property", two);
        let [input, locale, zone] = ["input", "locale", "zone"]
            .map(|name| cluster.static_method(CLASS, name, "(Ljava/lang/String;)V"));
        let mut worker = Worker::start(&fixture::compile(sources), &["p/Reads"], cluster);
        let reads = TestCase::new(vec![call(all, &[])]);
        let sets = TestCase::new(vec![
            string("a"),
            call(property, &[0, 0]),
            call(input, &[0]),
            string("ja-JP"),
            call(locale, &[3]),
            string("Asia/Tokyo"),
            call(zone, &[5]),
        ]);
        let sets_and_reads = TestCase::new([sets.statements(), reads.statements()].concat());
        let before = observed_string("null en_US UTC -1");
        for _ in 0..2 {
            assert_eq!(worker.value(reads.statements()), before);
            assert_eq!(worker.value(sets_and_reads.statements()), observed_string("a ja_JP Asia/Tokyo 97"));
        }
        worker.run(sets.statements());
        let mut covered = |row: &[&TestCase]| {
            let Worker { executor, result, .. } = &mut worker;
            executor.execute_in_order(row, &RunRequest::default(), &mut result.trace).expect("a whole row");
            result.trace.touched().len()
        };
        let alone = covered(&[&reads]);
        assert_eq!(covered(&[&sets, &reads]), alone);
        assert!(covered(&[&sets_and_reads, &reads]) > alone);
    });
}

#[test]
fn what_a_test_sets_of_a_context_is_set_back_behind_it_in_a_row_as_well() {
    in_own_process("state::what_a_test_sets_of_a_context_is_set_back_behind_it_in_a_row_as_well", || {
        let sources = "//- /p/Asks.java\npackage p;\npublic class Asks {\n\
                       public static String all() {\n\
                       String all = q.Holder.name() + q.Holder.number();\n\
                       if (!all.equals(\"none0\")) { changed(); }\n\
                       return all; }\n\
                       static void changed() { }\n}\n\
                       //- /q/Holder.java\npackage q;\npublic class Holder {\n\
                       static final ThreadLocal<String> NAMES = ThreadLocal.withInitial(() -> \"none\");\n\
                       static int number;\n\
                       public static String name() { return NAMES.get(); }\n\
                       public static void setName(String name) { NAMES.set(name); }\n\
                       public static int number() { return number; }\n\
                       public static void setNumber(int set) { number = set; }\n}\n";
        let mut cluster = Cluster::default();
        let all = cluster.static_method("p/Asks", "all", "()Ljava/lang/String;");
        let mut context = |name: &str, of: &str, setter: &str| {
            let get = cluster.static_method("q/Holder", name, &format!("(){of}"));
            let set = cluster.static_method("q/Holder", setter, &format!("({of})V"));
            Context { set, get: Some(get) }
        };
        let contexts =
            vec![context("name", "Ljava/lang/String;", "setName"), context("number", "I", "setNumber")];
        let [name, number] = [contexts[0].set, contexts[1].set];
        cluster.cluster.contexts = contexts;
        let mut worker = Worker::start(&fixture::compile(sources), &["p/Asks"], cluster);
        let asks = TestCase::new(vec![call(all, &[])]);
        let sets = TestCase::new(vec![string("a"), call(name, &[0]), int(3), call(number, &[2])]);
        let sets_and_asks = TestCase::new([sets.statements(), asks.statements()].concat());
        for _ in 0..2 {
            assert_eq!(worker.value(asks.statements()), observed_string("none0"));
            assert_eq!(worker.value(sets_and_asks.statements()), observed_string("a3"));
        }
        worker.run(sets.statements());
        let mut covered = |row: &[&TestCase]| {
            let Worker { executor, result, .. } = &mut worker;
            executor.execute_in_order(row, &RunRequest::default(), &mut result.trace).expect("a whole row");
            result.trace.touched().len()
        };
        let alone = covered(&[&asks]);
        assert_eq!(covered(&[&sets, &asks]), alone);
        assert!(covered(&[&sets_and_asks, &asks]) > alone);
    });
}

const CONSTANTS: &str = r#"
//- /p/Constants.java
package p;

public class Constants {
    private static String digits;
    private static String last;

    public static String digits() {
        if (digits == null) { digits = "3.14" + work(); }
        return digits;
    }
    public static void note(String text) { last = text + work(); }
    public static String last() { return "" + last; }
    private static int work() { int sum = 0; for (int i = 0; i < 50000; i++) { sum += i % 2; } return sum; }
}
"#;

#[test]
fn what_long_runs_always_compute_is_there_for_brief_ones() {
    in_own_process("state::what_long_runs_always_compute_is_there_for_brief_ones", || {
        let mut cluster = Cluster::default();
        let owner = "p/Constants";
        let digits = cluster.static_method(owner, "digits", "()Ljava/lang/String;");
        let note = cluster.static_method(owner, "note", "(Ljava/lang/String;)V");
        let last = cluster.static_method(owner, "last", "()Ljava/lang/String;");
        let mut worker = Worker::start(&fixture::compile(CONSTANTS), &[owner], cluster);
        let needs = TestCase::new(vec![call(digits, &[])]);
        let brief = |worker: &mut Worker, test: &TestCase| {
            worker.executor.execute(test, &RunRequest::brief(), &mut worker.result);
            (worker.result.outcome.clone(), worker.result.trace.touched().len())
        };
        let in_full = |worker: &mut Worker, test: &TestCase| {
            worker.executor.execute(test, &RunRequest::default(), &mut worker.result);
            (worker.result.outcome.clone(), worker.result.trace.touched().len())
        };
        assert_eq!(brief(&mut worker, &needs).0, Outcome::TimedOut);
        let (outcome, covered) = in_full(&mut worker, &needs);
        assert_eq!(outcome, Outcome::Passed);
        assert_eq!(brief(&mut worker, &needs).0, Outcome::TimedOut, "once says nothing");
        in_full(&mut worker, &needs);
        let (outcome, covered_briefly) = brief(&mut worker, &needs);
        assert_eq!(outcome, Outcome::Passed);
        assert!(covered_briefly < covered, "{covered_briefly} of {covered}");
        assert_eq!(in_full(&mut worker, &needs), (Outcome::Passed, covered), "it is computed again");
        assert_eq!(worker.value(needs.statements()), observed_string("3.1425000"));
        // What a test passed is no constant.
        for text in ["a", "b", "c"] {
            worker.run(&[string(text), call(note, &[0])]);
        }
        assert_eq!(worker.value(&[call(last, &[])]), observed_string("null"));
    });
}

#[test]
fn static_fields_that_statements_write_are_restored() {
    in_own_process("state::static_fields_that_statements_write_are_restored", || {
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
        Thread.currentThread().setPriority(Thread.MAX_PRIORITY);
        java.net.URL.setURLStreamHandlerFactory(protocol -> null);
        java.net.CookieHandler.setDefault(new java.net.CookieManager());
        java.net.ProxySelector.setDefault(null);
        java.security.Security.addProvider(new Own());
    }
    static final class Own extends java.security.Provider {
        private static final long serialVersionUID = 1L;
        @SuppressWarnings("deprecation") Own() { super("Own", 1.0, "ours"); }
    }
    /** Setting the factory of URLs a second time is an error. */
    public static String rest() {
        return Thread.currentThread().getPriority() + " " + (java.net.CookieHandler.getDefault() == null)
            + " " + (java.net.ProxySelector.getDefault() == null) + " " + (java.security.Security.getProvider("Own") == null);
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
    in_own_process("state::state_of_the_whole_jvm_is_restored", || {
        let compiled = fixture::compile(JDK);
        let mut cluster = Cluster::default();
        let owner = "p/Global";
        let mut change = |name: &str| cluster.static_method(owner, name, "()V");
        let changes =
            [change("change"), change("replaceProperties"), change("clearProperties"), change("iterate")];
        let all = cluster.static_method(owner, "all", "()Ljava/lang/String;");
        let rest = cluster.static_method(owner, "rest", "()Ljava/lang/String;");
        let mut worker = Worker::start(&compiled, &[owner], cluster);
        let expect = observed_string("en_US en_US UTC 1 null true -1 true main false null true false 1.5");
        assert_eq!(worker.value(&[call(all, &[])]), expect);
        let untouched = worker.value(&[call(rest, &[])]);
        assert_eq!(untouched, observed_string("5 true false true"));
        for change in [changes[0]].into_iter().chain(changes) {
            assert_eq!(worker.run(&[call(change, &[])]), Outcome::Passed);
            assert_eq!(worker.value(&[call(all, &[])]), expect, "{change:?}");
            assert_eq!(worker.value(&[call(rest, &[])]), untouched, "{change:?}");
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
    in_own_process("state::an_initializer_is_covered_by_every_test_that_uses_its_class", || {
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

const REACHED: &str = r#"
//- /p/Registry.java
package p;

import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class Registry {
    private static final List<String> NAMES = new ArrayList<>(Arrays.asList("a"));
    private static final Map<String, List<Integer>> INDEX = new HashMap<>();
    private static final Map<String, String> SORTED = new TreeMap<>();
    private static final Set<Object> SEEN = new LinkedHashSet<>();
    private static final ConcurrentMap<String, Integer> SHARED = new ConcurrentHashMap<>();
    private static final int[] COUNTS = new int[16];
    private static final Object[] SLOTS = new Object[4];
    private static final long[][] TABLE = new long[2][2];
    private static final AtomicInteger NEXT = new AtomicInteger(5);
    private static final StringBuilder LOG = new StringBuilder("log");
    private static final BitSet BITS = new BitSet();
    private static final Deque<String> QUEUE = new ArrayDeque<>();
    private static final Registry INSTANCE = new Registry();
    private static final Date DATE = new Date(0);

    private int uses;
    private Registry next;
    private final Inner inner = new Inner();
    private static class Inner { double weight = 1.0; String label = "inner"; }

    private static final java.util.logging.Logger LOGGER = java.util.logging.Logger.getLogger("p.Registry");

    static { INDEX.put("first", new ArrayList<>(Arrays.asList(1))); }

    public static void change() {
        LOGGER.setLevel(java.util.logging.Level.FINEST); LOGGER.addHandler(new java.util.logging.ConsoleHandler());
        LOGGER.setUseParentHandlers(false);
        Color.RED.uses++; Color.RED.names.add("r"); Constants.NAMES.add("n"); Constants.SLOTS[0] = "s";
        NAMES.add("b"); NAMES.set(0, "c");
        INDEX.get("first").add(2); INDEX.put("second", new ArrayList<>());
        for (int i = 0; i < 100; i++) { SORTED.put("k" + i, "v"); SHARED.merge("n" + i % 7, 1, Integer::sum); }
        SEEN.add(new Object());
        COUNTS[3]++; SLOTS[1] = "x"; TABLE[1][1] = 9;
        NEXT.incrementAndGet(); LOG.append("!"); LOG.setCharAt(0, 'L'); BITS.set(70); QUEUE.push("q");
        INSTANCE.uses++; INSTANCE.next = new Registry(); INSTANCE.inner.weight *= 2; INSTANCE.inner.label += "?";
        DATE.setTime(1);
        Elsewhere.remember("k");
    }
    public static String all() {
        return NAMES + " " + INDEX + " " + SORTED.size() + " " + SEEN.size() + " " + SHARED.size() + " " + COUNTS[3] + " " + SLOTS[1]
            + " " + TABLE[1][1] + " " + NEXT + " " + LOG + " " + BITS + " " + QUEUE + " " + INSTANCE.uses + " " + (INSTANCE.next == null)
            + " " + INSTANCE.inner.weight + " " + INSTANCE.inner.label + " " + DATE.getTime() + " " + Elsewhere.known()
            + " " + LOGGER.getLevel() + LOGGER.getHandlers().length + LOGGER.getUseParentHandlers()
            + " " + Color.RED.uses + Color.RED.names + Constants.NAMES + Constants.SLOTS[0];
    }
}
//- /p/Color.java
package p;

import java.util.*;

/** Its constants must stay the same objects, so what they hold is restored, not they. */
enum Color { RED; int uses; final List<String> names = new ArrayList<>(); }
//- /p/Constants.java
package p;

import java.util.*;

/** Fields of interfaces are final. */
interface Constants { List<String> NAMES = new ArrayList<>(); String[] SLOTS = new String[1]; }
//- /p/Large.java
package p;

import java.util.*;

/** More objects than a quick look compares. */
public class Large {
    private static final List<List<String>> TABLE = new ArrayList<>();
    private static final int[] NUMBERS = new int[100000];
    static { for (int i = 0; i < 3000; i++) { TABLE.add(new ArrayList<>(Arrays.asList("row"))); } }
    public static int rows() {
        int rows = 0;
        for (List<String> row : TABLE) { rows += row.size(); }
        return rows + NUMBERS[70000];
    }
    public static void add() { TABLE.get(2500).add("more"); TABLE.get(2999).clear(); NUMBERS[70000]++; }
}
//- /p/Elsewhere.java
package p;

import java.util.*;

public class Elsewhere {
    private static final Map<String, Integer> KNOWN = new LinkedHashMap<>();
    public static void remember(String name) { KNOWN.merge(name, 1, Integer::sum); }
    public static String known() { return KNOWN.toString(); }
}
"#;

#[test]
fn what_static_fields_reach_is_restored() {
    in_own_process("state::what_static_fields_reach_is_restored", || {
        let compiled = fixture::compile(REACHED);
        let mut cluster = Cluster::default();
        let change = cluster.static_method("p/Registry", "change", "()V");
        let all = cluster.static_method("p/Registry", "all", "()Ljava/lang/String;");
        let known = cluster.static_method("p/Elsewhere", "known", "()Ljava/lang/String;");
        let mut worker = Worker::start(&compiled, &["p/Registry"], cluster);
        let before = "[a] {first=[1]} 0 0 0 0 null 0 5 log {} [] 0 true 1.0 inner 0 {} null0true 0[][]null";
        let after = "[c, b] {first=[1, 2], second=[]} 100 1 7 1 x 9 6 Log! {70} [q] 1 false 2.0 inner? 1 {k=1} FINEST1false \
             1[r][n]s";
        assert_eq!(worker.value(&[call(known, &[])]), observed_string("{}"));
        for _ in 0..3 {
            assert_eq!(worker.value(&[call(all, &[])]), observed_string(before));
            assert_eq!(worker.value(&[call(change, &[]), call(all, &[])]), observed_string(after));
        }
    });
}

#[test]
fn numbers_that_initializers_drew_are_not_drawn_again() {
    in_own_process("state::numbers_that_initializers_drew_are_not_drawn_again", || {
        // So many counters that a quick look does not see all of them, and more than are compared where classes are initialized.
        let crowd: Vec<String> = (0..1500)
            .map(|number| format!("static final AtomicInteger C{number} = new AtomicInteger();"))
            .collect();
        let source = |name: &str, crowd: &str| {
            format!(
                "//- /p/{name}.java\npackage p;\nimport java.util.concurrent.atomic.AtomicInteger;\n\
                 public class {name} {{\n{crowd}\nstatic final AtomicInteger NEXT = new AtomicInteger();\n\
                 public static int draw() {{ return NEXT.incrementAndGet(); }}\n\
                 public static int one() {{ return One.ID; }}\n\
                 public static int other() {{ return Other.ID; }}\n\
                 public static int late() {{ return Late.ID; }}\n\
                 public static String name() {{ return Late.class.getSimpleName(); }}\n\
                 static class Late {{ static final int ID = draw(); }}\n\
                 static class One {{ static final int ID = draw(); }}\n\
                 static class Other {{ static final int ID = draw(); }}\n}}\n"
            )
        };
        let compiled = fixture::compile(&(source("Ids", "") + &source("Crowd", &crowd.concat())));
        let mut cluster = Cluster::default();
        let owners = ["p/Ids", "p/Crowd"];
        let methods = owners.map(|owner| {
            let numbers =
                ["draw", "one", "other", "late"].map(|name| cluster.static_method(owner, name, "()I"));
            (numbers, cluster.static_method(owner, "name", "()Ljava/lang/String;"))
        });
        let mut worker = Worker::start(&compiled, &owners, cluster);
        for ([draw, one, other, late], name) in methods {
            let mut value = |method| worker.value(&[call(method, &[])]);
            // What tests draw themselves is put back.
            assert_eq!([draw, draw, one, other].map(&mut value), [1, 1, 1, 2].map(observed_int));
            assert_eq!([draw, draw, one, other].map(&mut value), [3, 3, 1, 2].map(observed_int));
            // Loaded long before it is initialized.
            assert_eq!(value(name), observed_string("Late"));
            assert_eq!([draw, late, draw, late, draw].map(&mut value), [3, 3, 4, 3, 4].map(observed_int));
        }
    });
}

const DRAWS: &str = "
//- /p/Draws.java
package p;
import java.util.concurrent.atomic.AtomicInteger;
public class Draws {
    static final AtomicInteger NEXT = new AtomicInteger();
    public static int draw() { return NEXT.incrementAndGet(); }
    public static int both() { return First.ID + 100 * draw() + 10_000 * draw(); }
    public static int elsewhere() { return Elsewhere.draw() + 100 * Elsewhere.draw(); }
    static class First { static final int ID = draw(); }
}
//- /p/Elsewhere.java
package p;
import java.util.concurrent.atomic.AtomicLong;
public class Elsewhere {
    static final AtomicLong NEXT = new AtomicLong(6);
    static int draw() { return (int) NEXT.incrementAndGet(); }
}
";

#[test]
fn numbers_that_a_test_drew_beside_initializers_are_put_back() {
    in_own_process("state::numbers_that_a_test_drew_beside_initializers_are_put_back", || {
        let compiled = fixture::compile(DRAWS);
        let mut cluster = Cluster::default();
        let methods = ["both", "draw", "elsewhere"];
        let methods = methods.map(|name| cluster.static_method("p/Draws", name, "()I"));
        let mut worker = Worker::start(&compiled, &["p/Draws"], cluster);
        for method in methods {
            assert_eq!(worker.run(&[call(method, &[])]), Outcome::Passed);
        }
        // The initializer of `First` has the first number for good.
        for _ in 0..2 {
            let values = methods.map(|method| worker.value(&[call(method, &[])]));
            assert_eq!(values, [30_201, 2, 807].map(observed_int));
        }
    });
}

const POOLS: &str = r#"
//- /p/Pools.java
package p;

public class Pools {
    public static int open() { return Known.add("mine"); }
    public static int plugged() { return 10 * Known.add("mine") + Plugin.PLACE; }
    public static String all() { return Known.all(); }
    public static int broken() {
        try { return Broken.ID; } catch (ExceptionInInitializerError | NoClassDefFoundError error) { return Known.add("mine"); }
    }
    public static String deep() { return Outer.SEEN + Known.add("mine"); }
}
//- /p/Known.java
package p;

import java.util.*;

class Known {
    private static final Map<Integer, String> ALL = new TreeMap<>();
    static { ALL.put(-1, "built-in"); }
    static int add(String name) { ALL.put(ALL.size(), name); return ALL.size(); }
    static String all() { return ALL.values().toString(); }
}
//- /p/Plugin.java
package p;

class Plugin { static final int PLACE = Known.add("plugin"); }
//- /p/Broken.java
package p;

class Broken { static final int ID = Integer.parseInt("none"); }
//- /p/Outer.java
package p;

class Outer { static final String SEEN = "outer" + Inner.PLACE; static { Known.add("outer"); }
    static class Inner { static final int PLACE = Known.add("inner"); } }
"#;

#[test]
fn what_the_first_run_of_a_class_adds_to_its_registry_is_taken_out_and_what_initializers_add_stays() {
    in_own_process(
        "state::what_the_first_run_of_a_class_adds_to_its_registry_is_taken_out_and_what_initializers_add_stays",
        || {
            let compiled = fixture::compile(POOLS);
            let mut cluster = Cluster::default();
            let mut method =
                |name: &str, descriptor: &str| cluster.static_method("p/Pools", name, descriptor);
            let [open, broken, plugged] = ["open", "broken", "plugged"].map(|name| method(name, "()I"));
            let [deep, all] = ["deep", "all"].map(|name| method(name, "()Ljava/lang/String;"));
            let mut worker = Worker::start(&compiled, &["p/Pools"], cluster);
            let mut value = |method| worker.value(&[call(method, &[])]);
            // The first test that uses `Known` sees what all later ones see.
            assert_eq!([open, open, broken, broken, open].map(&mut value), [2; 5].map(observed_int));
            // Initializers, one within another, register for good; the test's own entry behind them does not stay.
            assert_eq!(value(deep), observed_string("outer24"));
            assert_eq!(
                [deep, all].map(&mut value),
                ["outer24", "[built-in, inner, outer]"].map(observed_string)
            );
            assert_eq!(value(open), observed_int(4));
            // Both changed it: a registration that is lost would be worse than an entry too many.
            assert_eq!([plugged, plugged, open].map(&mut value), [45, 65, 6].map(observed_int));
        },
    );
}

#[test]
fn large_structures_are_as_before_when_a_run_is_observed() {
    in_own_process("state::large_structures_are_as_before_when_a_run_is_observed", || {
        let compiled = fixture::compile(REACHED);
        let mut cluster = Cluster::default();
        let rows = cluster.static_method("p/Large", "rows", "()I");
        let add = cluster.static_method("p/Large", "add", "()V");
        let mut worker = Worker::start(&compiled, &["p/Large"], cluster);
        assert_eq!(worker.value(&[call(rows, &[])]), observed_int(3000));
        for _ in 0..3 {
            // One row more, one less, and a number of an array that is too long for a quick look.
            assert_eq!(worker.value(&[call(add, &[]), call(add, &[]), call(rows, &[])]), observed_int(3003));
            assert_eq!(worker.run(&[call(add, &[])]), Outcome::Passed);
            assert_eq!(worker.value(&[call(rows, &[])]), observed_int(3000));
        }
    });
}

const LOST: &str = r"
//- /p/Missing.java
package p;

public class Missing { }
//- /p/Orphan.java
package p;

public class Orphan extends Missing { }
//- /p/Finds.java
package p;

public class Finds {
    public static boolean finds() {
        try {
            return Orphan.class != null;
        } catch (NoClassDefFoundError error) {
            return false;
        }
    }
    public static int other() { return 1; }
}
";

#[test]
fn a_class_that_cannot_be_loaded_is_not_looked_for_after_every_test() {
    in_own_process("state::a_class_that_cannot_be_loaded_is_not_looked_for_after_every_test", || {
        let compiled = fixture::compile(LOST);
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("p")).expect("a folder in it");
        for class in ["p/Orphan", "p/Finds"] {
            let file = folder.path().join(format!("{class}.class"));
            std::fs::write(file, compiled.bytes(class)).expect("a class file");
        }
        let mut cluster = Cluster::default();
        let finds = cluster.static_method("p/Finds", "finds", "()Z");
        let other = cluster.static_method("p/Finds", "other", "()I");
        let mut worker = Worker::start_with(&compiled, &["p/Finds"], cluster, |options| {
            options.class_path = vec![folder.path().to_owned()];
        });
        assert_eq!(worker.run(&[call(finds, &[])]), Outcome::Passed);
        let mut loads = || {
            assert_eq!(worker.run(&[call(other, &[])]), Outcome::Passed);
            worker.executor.statistics().loads
        };
        // Whatever the first run leaves behind is looked at once.
        let settled: Vec<u64> = (0..4).map(|_| loads()).collect();
        let after: Vec<u64> = (0..10).map(|_| loads()).collect();
        assert_eq!(after, vec![settled[3]; 10], "{settled:?}");
    });
}
