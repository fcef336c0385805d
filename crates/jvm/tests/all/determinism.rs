//! A result depends on the test alone: not on what ran before, nor on the process.

#![expect(clippy::print_stdout, reason = "a child process tells its parent what it saw")]
#![expect(clippy::disallowed_methods, reason = "a child process is told by its environment what to do")]

use std::collections::BTreeSet;

use crate::common::{
    Cluster, PASSED, Worker, call, child, in_own_process, int, is_child, observed_int, string, text,
};
use bytecode::name::ClassName;
use jvm::options::IdentityHash;
use testcase::assertable::is_left_of_others;
use testcase::assertion::{ObservationPoint, ObservationTarget, ObservedValue};
use testcase::cluster::CallableId;
use testcase::execution::{Executor as _, Outcome, Touched};
use testcase::statement::VarRef;
use testcase::test_case::TestCase;
use testcase::value::Value;

const SOURCES: &str = r#"
//- /p/Chance.java
package p;

import java.security.SecureRandom;
import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class Chance {
    static final Object LOCK = new Object();

    public static long millis() { return System.currentTimeMillis(); }
    public static long nanos() { return System.nanoTime(); }
    public static String instant() { return Instant.now().toString(); }
    public static String local() { return LocalDateTime.now().toString(); }
    public static String date() { return new Date().toString(); }
    public static String calendar() { return Calendar.getInstance().getTime().toString(); }
    public static int random() { return new Random().nextInt(); }
    public static double math() { return Math.random(); }
    public static int threadLocal() { return ThreadLocalRandom.current().nextInt(); }
    public static String uuid() { return UUID.randomUUID().toString(); }
    public static int secure() { return new SecureRandom().nextInt(); }
    public static boolean drawn() { return new Random(System.currentTimeMillis()).nextInt(3) == 0; }
    public static int splittable() { return new SplittableRandom().nextInt(); }
    public static String shuffled() {
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9));
        Collections.shuffle(list);
        return list.toString();
    }
    public static int identity() { return new Object().hashCode(); }
    public static String printed() { return new Object().toString(); }
    public static String thread() { return new Thread().getName(); }
    public static String setOrder() { return Set.of("a", "b", "c", "d", "e", "f", "g").toString(); }
    public static String mapOrder() { return Map.of("a", 1, "b", 2, "c", 3, "d", 4).keySet().toString(); }
    public static long memory() { return Runtime.getRuntime().freeMemory(); }
    public static String place() { return Locale.getDefault() + " " + TimeZone.getDefault().getID(); }
    public static String numbers() { return String.format("%,.2f", 1234.5); }
    public static long elapsed() {
        long start = System.currentTimeMillis();
        return System.currentTimeMillis() - start;
    }
    public static boolean later() {
        Date start = new Date();
        return new Date().after(start);
    }
    public static long seconds() { return elapsed() / 1000; }

    public static long waitForADay() {
        long start = System.currentTimeMillis();
        while (System.currentTimeMillis() - start < 24 * 3600 * 1000L) { }
        return 1;
    }
    public static int sleepForADay() throws Exception {
        long start = System.nanoTime();
        Thread.sleep(24 * 3600 * 1000L);
        TimeUnit.HOURS.sleep(24);
        synchronized (LOCK) { LOCK.wait(24 * 3600 * 1000L); }
        LockSupport.parkNanos(24 * 3600 * 1000_000_000L);
        new CountDownLatch(1).await(24, TimeUnit.HOURS);
        LockSupport.parkUntil(System.currentTimeMillis() + 24 * 3600 * 1000L);
        return (int) ((System.nanoTime() - start) / (3600 * 1000_000_000L));
    }
    public static void waitForever() throws Exception { synchronized (LOCK) { while (true) LOCK.wait(); } }
    public static void parkForever() { while (true) LockSupport.park(); }
    public static void latchForever() throws Exception { new CountDownLatch(1).await(); }
    public static void notOwner() throws Exception { LOCK.wait(5); }
    public static int permit() { LockSupport.unpark(Thread.currentThread()); LockSupport.park(); return 3; }
    public static int interrupted() {
        Thread.currentThread().interrupt();
        try { Thread.sleep(5); return 0; } catch (InterruptedException expected) { return 1; }
    }
    public static boolean isInterrupted() { return Thread.currentThread().isInterrupted(); }
    public static void interrupt() { Thread.currentThread().interrupt(); }
}
"#;

const OWNER: &str = "p/Chance";

const METHODS: &[(&str, &str)] = &[
    ("millis", "J"),
    ("nanos", "J"),
    ("instant", "Ljava/lang/String;"),
    ("local", "Ljava/lang/String;"),
    ("date", "Ljava/lang/String;"),
    ("calendar", "Ljava/lang/String;"),
    ("random", "I"),
    ("math", "D"),
    ("threadLocal", "I"),
    ("uuid", "Ljava/lang/String;"),
    ("secure", "I"),
    ("drawn", "Z"),
    ("splittable", "I"),
    ("shuffled", "Ljava/lang/String;"),
    ("identity", "I"),
    ("printed", "Ljava/lang/String;"),
    ("thread", "Ljava/lang/String;"),
    ("setOrder", "Ljava/lang/String;"),
    ("mapOrder", "Ljava/lang/String;"),
    ("memory", "J"),
    ("place", "Ljava/lang/String;"),
    ("numbers", "Ljava/lang/String;"),
    ("elapsed", "J"),
    ("later", "Z"),
    ("seconds", "J"),
];

fn compiled() -> fixture::Compiled {
    fixture::compile_with(SOURCES, &["-g", "--release", "11"])
}

fn methods(cluster: &mut Cluster) -> Vec<CallableId> {
    METHODS.iter().map(|(name, result)| cluster.static_method(OWNER, name, &format!("(){result}"))).collect()
}

#[test]
fn a_result_does_not_depend_on_what_ran_before() {
    in_own_process("determinism::a_result_does_not_depend_on_what_ran_before", || {
        let mut cluster = Cluster::default();
        let methods = methods(&mut cluster);
        let mut worker = Worker::start(&compiled(), &[OWNER], cluster);
        let first: Vec<_> = methods.iter().map(|method| worker.value(&[call(*method, &[])])).collect();
        assert!(first.iter().all(Option::is_some), "{first:?}");
        let backwards: Vec<_> =
            methods.iter().rev().map(|method| worker.value(&[call(*method, &[])])).collect();
        for _ in 0..3 {
            let again: Vec<_> = methods.iter().map(|method| worker.value(&[call(*method, &[])])).collect();
            for ((name, _), (first, again)) in METHODS.iter().zip(first.iter().zip(&again)) {
                assert_eq!(first, again, "{name}");
            }
        }
        assert!(backwards.iter().rev().eq(&first));
    });
}

#[test]
fn a_result_does_not_depend_on_the_process() {
    const NAME: &str = "determinism::a_result_does_not_depend_on_the_process";
    if is_child(NAME) {
        in_own_process(NAME, || {
            let mut cluster = Cluster::default();
            let methods = methods(&mut cluster);
            let mut worker = Worker::start(&compiled(), &[OWNER], cluster);
            for (method, (name, _)) in methods.iter().zip(METHODS) {
                println!("VALUE {name} {:?}", worker.value(&[call(*method, &[])]));
            }
        });
    }
    let values = |environment: &[(&str, &str)]| {
        let output = child(NAME, environment);
        assert_eq!(output.status.code(), Some(PASSED), "{}", text(&output));
        let lines = text(&output);
        let values: Vec<String> =
            lines.lines().filter_map(|line| line.find("VALUE").map(|at| line[at..].to_owned())).collect();
        assert_eq!(values.len(), METHODS.len());
        values
    };
    let first = values(&[]);
    let second = values(&[("TZ", "Asia/Tokyo"), ("LANG", "de_DE.UTF-8"), ("LC_ALL", "de_DE.UTF-8")]);
    assert_eq!(first, second);
}

#[test]
fn other_surroundings_show_in_whatever_depends_on_them() {
    const NAME: &str = "determinism::other_surroundings_show_in_whatever_depends_on_them";
    const ELSEWHERE: &str = "COVOLVE_ELSEWHERE";
    if is_child(NAME) {
        in_own_process(NAME, || {
            let mut cluster = Cluster::default();
            let methods = methods(&mut cluster);
            let mut worker = Worker::start_with(&compiled(), &[OWNER], cluster, |options| {
                if std::env::var(ELSEWHERE).is_ok_and(|value| value == "yes") {
                    options.clock_ms += 1_000_000_007;
                    options.random_seed = 77;
                    options.identity_hash = IdentityHash::Counted;
                    options.language = "de".into();
                    options.country = "DE".into();
                    options.time_zone = "Pacific/Chatham".into();
                }
            });
            for _ in 0..2 {
                for (method, (name, _)) in methods.iter().zip(METHODS) {
                    println!("VALUE {name} {:?}", worker.value(&[call(*method, &[])]));
                }
            }
        });
    }
    let [here, there] = ["no", "yes"].map(|elsewhere| {
        let output = child(NAME, &[(ELSEWHERE, elsewhere)]);
        assert_eq!(output.status.code(), Some(PASSED), "{}", text(&output));
        let lines = text(&output);
        lines.lines().filter_map(|line| Some(line[line.find("VALUE")?..].to_owned())).collect::<Vec<String>>()
    });
    assert_eq!((here.len(), there.len()), (2 * METHODS.len(), 2 * METHODS.len()));
    // Identity hash codes that are counted aside, everything is as repeatable there as here.
    let (first, again) = there.split_at(METHODS.len());
    let is_repeatable = |line: &&String| !line.contains(" identity ") && !line.contains(" printed ");
    assert!(first.iter().filter(is_repeatable).eq(again.iter().filter(is_repeatable)), "{there:?}");
    let same: Vec<&str> = METHODS
        .iter()
        .zip(here.iter().zip(&there))
        .filter(|(_, (here, there))| here == there)
        .map(|((name, _), _)| *name)
        .collect();
    assert_eq!(same, ["thread", "memory", "elapsed", "later", "seconds"]);
}

const KEYS: &str = "
//- /p/Keys.java
package p;
import java.util.*;
public class Keys {
    public static String byIdentity(String first, String second) {
        Map<String, Integer> map = new IdentityHashMap<>();
        map.put(first, 1);
        map.put(second, 2);
        return map.keySet().toString();
    }
    public static String byText(String first, String second) { return new TreeSet<>(Arrays.asList(first, second)).toString(); }
}
";

#[test]
fn a_test_that_asks_for_identity_hash_codes_is_observed_with_others() {
    in_own_process("determinism::a_test_that_asks_for_identity_hash_codes_is_observed_with_others", || {
        let compiled = fixture::compile(KEYS);
        let mut cluster = Cluster::default();
        let descriptor = "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;";
        let [by_identity, by_text] =
            ["byIdentity", "byText"].map(|name| cluster.static_method("p/Keys", name, descriptor));
        let mut worker = Worker::start_with(&compiled, &["p/Keys"], cluster, |options| {
            options.identity_hash = IdentityHash::Counted;
        });
        let mut others = |method| {
            let test = TestCase::new(vec![string("one"), string("other"), call(method, &[0, 1])]);
            let point = ObservationPoint { after: VarRef(2), target: ObservationTarget::Value(VarRef(2)) };
            let runs = (0..12).map(|_| worker.executor.observe_with_other_identities(&test, &[point]));
            let values = runs.map(|seen| seen.map(|seen| format!("{:?}", seen.values)));
            values.collect::<BTreeSet<_>>().len()
        };
        assert_eq!((others(by_identity), others(by_text)), (2, 1));
    });
}

#[test]
fn what_lasts_is_what_other_moments_show_as_well() {
    in_own_process("determinism::what_lasts_is_what_other_moments_show_as_well", || {
        let mut cluster = Cluster::default();
        let methods = methods(&mut cluster);
        let mut worker = Worker::start(&compiled(), &[OWNER], cluster);
        let mut lasting = Vec::new();
        for (method, (name, _)) in methods.iter().zip(METHODS) {
            let before = worker.value(&[call(*method, &[])]);
            let test = TestCase::new(vec![call(*method, &[])]);
            let point = ObservationPoint { after: VarRef(0), target: ObservationTarget::Value(VarRef(0)) };
            let seen = worker.executor.observe_lasting(&test, &[point]);
            assert_eq!(seen.outcome, Outcome::Passed, "{name}");
            let lasts = seen.values[0] == before;
            assert!(lasts || seen.values[0].as_ref().is_none_or(is_left_of_others), "{name}");
            lasting.extend(lasts.then_some(*name));
            assert_eq!(worker.value(&[call(*method, &[])]), before, "{name}");
        }
        let lasts = [
            "identity", "printed", "thread", "setOrder", "mapOrder", "memory", "place", "numbers", "seconds",
        ];
        assert_eq!(lasting, lasts);
    });
}

const STAMPS: &str = "
//- /p/Stamps.java
package p;
public class Stamps {
    public static String stamped() { return \"Stamp{id=7, at=\" + System.nanoTime() + \"}\"; }
    public static String time() { return String.valueOf(System.currentTimeMillis()); }
}
";

#[test]
fn of_a_text_with_a_time_in_it_what_stands_before_the_time_lasts() {
    in_own_process("determinism::of_a_text_with_a_time_in_it_what_stands_before_the_time_lasts", || {
        let compiled = fixture::compile(STAMPS);
        let mut cluster = Cluster::default();
        let methods =
            ["stamped", "time"].map(|name| cluster.static_method("p/Stamps", name, "()Ljava/lang/String;"));
        let mut worker = Worker::start(&compiled, &["p/Stamps"], cluster);
        let lasting = methods.map(|method| {
            let test = TestCase::new(vec![call(method, &[])]);
            let point = ObservationPoint { after: VarRef(0), target: ObservationTarget::Value(VarRef(0)) };
            worker.executor.observe_lasting(&test, &[point]).values.swap_remove(0)
        });
        let object = ObservedValue::Object { class: ClassName::object(), size: None };
        assert_eq!(lasting, [Some(ObservedValue::Beginning("Stamp{id=7, at=".into())), Some(object)]);
    });
}

#[test]
fn time_passes_when_it_is_read_or_waited_for() {
    in_own_process("determinism::time_passes_when_it_is_read_or_waited_for", || {
        let mut cluster = Cluster::default();
        let mut method =
            |name: &str, result: &str| cluster.static_method(OWNER, name, &format!("(){result}"));
        let wait = method("waitForADay", "J");
        let sleep = method("sleepForADay", "I");
        let not_owner = method("notOwner", "V");
        let permit = method("permit", "I");
        let interrupted = method("interrupted", "I");
        let interrupt = method("interrupt", "V");
        let is_interrupted = method("isInterrupted", "Z");
        let mut worker = Worker::start(&compiled(), &[OWNER], cluster);
        assert_eq!(worker.value(&[call(wait, &[])]), Some(ObservedValue::Primitive(Value::Long(1))));
        assert_eq!(worker.value(&[call(sleep, &[])]), observed_int(6 * 24));
        assert_eq!(worker.run(&[call(sleep, &[])]), Outcome::Passed);
        assert!(worker.result.touched.intersects(Touched::CLOCK));
        assert!(worker.result.touched.intersects(Touched::WAIT));
        assert!(matches!(worker.run(&[call(not_owner, &[])]), Outcome::Threw(thrown)
            if thrown.class.as_str() == "java/lang/IllegalMonitorStateException"));
        assert_eq!(worker.run(&[call(permit, &[])]), Outcome::Passed);
        assert!(!worker.result.touched.intersects(Touched::WAIT));
        assert_eq!(worker.value(&[call(permit, &[])]), observed_int(3));
        assert_eq!(worker.value(&[call(interrupted, &[])]), observed_int(1));
        assert_eq!(worker.run(&[call(interrupt, &[])]), Outcome::Passed);
        let no = Some(ObservedValue::Primitive(Value::Boolean(false)));
        assert_eq!(worker.value(&[call(is_interrupted, &[])]), no);
        assert_eq!(worker.run(&[int(1)]), Outcome::Passed);
        assert_eq!(worker.result.touched, Touched::default());
    });
}

#[test]
fn a_wait_that_nobody_ends_ends_the_run() {
    in_own_process("determinism::a_wait_that_nobody_ends_ends_the_run", || {
        let mut cluster = Cluster::default();
        let mut method = |name: &str| cluster.static_method(OWNER, name, "()V");
        let waits = [method("waitForever"), method("parkForever"), method("latchForever")];
        let place = cluster.static_method(OWNER, "place", "()Ljava/lang/String;");
        // No measure of the watchdog may be needed.
        let mut worker =
            Worker::start_with(&compiled(), &[OWNER], cluster, |options| options.limit_ms = 600_000);
        for wait in waits {
            assert_eq!(worker.run(&[call(wait, &[])]), Outcome::TimedOut);
            assert_eq!(worker.run(&[call(place, &[])]), Outcome::Passed);
        }
    });
}
