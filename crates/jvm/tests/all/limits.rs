//! Nothing that a test does keeps the worker from going on, or from ending in a way that its parent understands.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::common::{Cluster, Worker, call, child, in_own_process, int, is_child, observed_int, text};
use jvm::faults::{Fault, Faults, Lesson, Severity};
use jvm::watchdog::Exit;
use testcase::cluster::{Call, TestCluster};
use testcase::execution::{Executor as _, Outcome, Touched};
use testcase::run_request::RunRequest;
use testcase::test_case::TestCase;

const SOURCES: &str = r#"
//- /p/Runaway.java
package p;

import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

public class Runaway {
    static int count;
    static final Object LOCK = new Object();

    public static void spin() { while (true) count++; }
    public static int counted(int rounds) { int sum = 0; for (int i = 0; i < rounds; i++) sum++; return sum; }
    public static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
    public static int recurse(int n) { return recurse(n + 1) + 1; }
    public static void catchAll() {
        while (true) {
            try { while (true) count++; } catch (Throwable everything) { count--; }
        }
    }
    public static void catchInFinally() {
        try { spin(); } finally { while (true) { try { spin(); } catch (Error error) { continue; } } }
    }
    public static void callback() { new TreeSet<Integer>((one, other) -> { spin(); return 0; }).addAll(Arrays.asList(1, 2)); }
    public static void other() { Library.spin(); }
    public static int swallow() { try { spin(); } catch (Throwable everything) { return 7; } return 8; }

    public static void exit() { System.exit(3); }
    public static void runtimeExit() { Runtime.getRuntime().exit(3); }
    public static void halt() { Runtime.getRuntime().halt(3); }
    public static int swallowExit() { try { System.exit(3); } catch (Throwable everything) { return 7; } return 8; }
    public static void reflectiveExit() throws Exception { System.class.getMethod("exit", int.class).invoke(null, 3); }

    public static boolean endlessInTheJdk() {
        return LongStream.range(0, Long.MAX_VALUE).boxed().noneMatch(Objects::isNull);
    }
    public static void deadlock() throws Exception {
        final CountDownLatch held = new CountDownLatch(1);
        Thread holder = new Thread(() -> { synchronized (LOCK) { held.countDown(); endlessInTheJdk(); } });
        holder.setDaemon(true);
        holder.start();
        held.await();
        synchronized (LOCK) { count++; }
    }
}
//- /p/Library.java
package p;

public class Library {
    public static void spin() { while (true) { try { int x = 1; } catch (Throwable t) { } } }
}
//- /p/Endless.java
package p;

public class Endless {
    static { int i = 1; while (i > 0) { i = i % 7 + 1; } }
    public static int value() { return 1; }
}
"#;

const OWNER: &str = "p/Runaway";

#[test]
fn steps_end_whatever_runs_too_long() {
    in_own_process("limits::steps_end_whatever_runs_too_long", || {
        let mut cluster = Cluster::default();
        let mut method = |name: &str| cluster.static_method(OWNER, name, "()V");
        let endless = ["spin", "catchAll", "catchInFinally", "callback", "other"].map(&mut method);
        let swallow = cluster.static_method(OWNER, "swallow", "()I");
        let counted = cluster.static_method(OWNER, "counted", "(I)I");
        let fibonacci = cluster.static_method(OWNER, "fibonacci", "(I)I");
        let recurse = cluster.static_method(OWNER, "recurse", "(I)I");
        let compiled = fixture::compile(SOURCES);
        // No measure of the watchdog may be needed.
        let mut worker = Worker::start_with(&compiled, &[OWNER], cluster, |options| {
            options.limit_ms = 600_000;
            options.steps = 50_000;
        });
        for round in 0..3 {
            for method in endless {
                assert_eq!(worker.run(&[call(method, &[])]), Outcome::TimedOut, "{round} {method:?}");
            }
            assert_eq!(worker.run(&[call(swallow, &[])]), Outcome::TimedOut);
            assert_eq!(worker.run(&[int(1), call(recurse, &[0])]), Outcome::TimedOut);
            assert_eq!(worker.run(&[int(40), call(fibonacci, &[0])]), Outcome::TimedOut);
            assert_eq!(worker.run(&[int(49_999), call(counted, &[0])]), Outcome::Passed);
            assert_eq!(worker.run(&[int(50_001), call(counted, &[0])]), Outcome::TimedOut);
            assert_eq!(worker.value(&[int(10), call(fibonacci, &[0])]), observed_int(55));
        }
        assert!(!worker.executor.is_tainted());
    });
}

#[test]
fn a_brief_run_is_cut_short_where_a_full_one_is_not() {
    in_own_process("limits::a_brief_run_is_cut_short_where_a_full_one_is_not", || {
        let mut cluster = Cluster::default();
        let counted = cluster.static_method(OWNER, "counted", "(I)I");
        let compiled = fixture::compile(SOURCES);
        let mut worker = Worker::start_with(&compiled, &[OWNER], cluster, |options| {
            options.limit_ms = 600_000;
            options.steps = 50_000;
            options.brief_steps = 5_000;
        });
        let mut check = |rounds: i32, briefly: Outcome, fully: Outcome| {
            let test = TestCase::new(vec![int(rounds), call(counted, &[0])]);
            let Worker { executor, result, .. } = &mut worker;
            executor.execute(&test, &RunRequest::brief(), result);
            assert_eq!(result.outcome, briefly, "{rounds}");
            executor.execute(&test, &RunRequest::default(), result);
            assert_eq!(result.outcome, fully, "{rounds}");
            // Four times the steps of a brief run.
            executor.execute(&test, &RunRequest::brief().times_brief(4), result);
            let longer = if rounds < 20_000 { fully } else { Outcome::TimedOut };
            assert_eq!(result.outcome, longer, "{rounds}");
        };
        check(4_999, Outcome::Passed, Outcome::Passed);
        check(5_001, Outcome::TimedOut, Outcome::Passed);
        check(20_001, Outcome::TimedOut, Outcome::Passed);
        check(50_001, Outcome::TimedOut, Outcome::TimedOut);
    });
}

#[test]
fn an_endless_initializer_costs_its_class_only() {
    in_own_process("limits::an_endless_initializer_costs_its_class_only", || {
        let mut cluster = Cluster::default();
        let value = cluster.static_method("p/Endless", "value", "()I");
        let counted = cluster.static_method(OWNER, "counted", "(I)I");
        let compiled = fixture::compile(SOURCES);
        let mut worker =
            Worker::start_with(&compiled, &[OWNER], cluster, |options| options.limit_ms = 600_000);
        assert_eq!(worker.run(&[call(value, &[])]), Outcome::TimedOut);
        assert_eq!(worker.value(&[int(3), call(counted, &[0])]), observed_int(3));
    });
}

#[test]
fn ending_the_jvm_is_data() {
    in_own_process("limits::ending_the_jvm_is_data", || {
        let mut cluster = Cluster::default();
        let exits = ["exit", "runtimeExit", "halt"].map(|name| cluster.static_method(OWNER, name, "()V"));
        let swallow = cluster.static_method(OWNER, "swallowExit", "()I");
        let counted = cluster.static_method(OWNER, "counted", "(I)I");
        let compiled = fixture::compile(SOURCES);
        let mut worker = Worker::start(&compiled, &[OWNER], cluster);
        for exit in exits.into_iter().chain([swallow]) {
            assert_eq!(worker.run(&[call(exit, &[])]), Outcome::Exited);
            assert!(worker.result.touched.intersects(Touched::EXIT));
            assert_eq!(worker.value(&[int(3), call(counted, &[0])]), observed_int(3));
        }
    });
}

#[test]
fn what_is_banned_is_run_only_where_it_was_archived() {
    in_own_process("limits::what_is_banned_is_run_only_where_it_was_archived", || {
        let mut cluster = Cluster::default();
        let counted = cluster.static_method(OWNER, "counted", "(I)I");
        let mut worker = Worker::start(&fixture::compile(SOURCES), &[OWNER], cluster);
        let test = |rounds: i32| TestCase::new(vec![int(rounds), call(counted, &[0])]);
        let mut faults = Faults::default();
        let fault = Fault { test: test(1), position: 1, severity: Severity::Hopeless };
        assert_eq!(faults.note(fault, &TestCluster::default()), Lesson::Call(Call::Callable(counted)));
        worker.executor.set_faults(faults);
        let mut check = |rounds: i32, briefly: Outcome, fully: Outcome| {
            let Worker { executor, result, .. } = &mut worker;
            executor.execute(&test(rounds), &RunRequest::brief(), result);
            assert_eq!((&result.outcome, result.stalled), (&briefly, true), "{rounds}");
            assert!(result.trace.touched().is_empty());
            executor.execute(&test(rounds), &RunRequest::default(), result);
            assert_eq!(result.outcome, fully, "{rounds}");
        };
        check(1, Outcome::TimedOut, Outcome::TimedOut);
        check(2, Outcome::TimedOut, Outcome::Passed);
    });
}

/// Runs a method in a process of its own, which must end with this code.
fn check_exit(name: &str, method: &str, expect: Exit) {
    if is_child(name) {
        in_own_process(name, || {
            let mut cluster = Cluster::default();
            let method = cluster.static_method(OWNER, method, "()V");
            let compiled = fixture::compile(SOURCES);
            let mut worker = Worker::start_with(&compiled, &[OWNER], cluster, |options| {
                options.limit_ms = 100;
                options.grace_ms = 50;
            });
            let outcome = worker.run(&[call(method, &[])]);
            panic!("it came back: {outcome:?}");
        });
    }
    let output = child(name, &[]);
    assert_eq!(output.status.code(), Some(expect as i32), "{}", text(&output));
}

#[test]
fn what_no_probe_sees_end_the_jvm_ends_the_process_with_a_code() {
    let name = "limits::what_no_probe_sees_end_the_jvm_ends_the_process_with_a_code";
    check_exit(name, "reflectiveExit", Exit::Halted);
}

#[test]
fn what_nothing_can_end_ends_the_process_with_a_code() {
    let name = "limits::what_nothing_can_end_ends_the_process_with_a_code";
    check_exit(name, "deadlock", Exit::Stuck);
}

/// Has an initializer that says when it has begun, and goes on until it may end.
const STALLED: &str = r#"
//- /p/Stalled.java
package p;

import java.io.*;

public class Stalled {
    static final int VALUE = initial();
    static int initial() {
        try { new File("FOLDER", "begun").createNewFile(); } catch (IOException none) { return -1; }
        int rounds = 0;
        while (!new File("FOLDER", "may end").exists()) rounds++;
        return rounds > 0 ? 1 : 0;
    }
    public static int value() { return VALUE; }
}
"#;

#[test]
fn an_initializer_that_the_machine_does_not_let_go_on_is_waited_for() {
    let name = "limits::an_initializer_that_the_machine_does_not_let_go_on_is_waited_for";
    in_own_process(name, || {
        let folder = tempfile::tempdir().unwrap();
        let source = STALLED.replace("FOLDER", folder.path().to_str().unwrap());
        let (begun, may_end) = (folder.path().join("begun"), folder.path().join("may end"));
        let stops = std::thread::spawn(move || {
            while !begun.exists() {
                // tidy: looks again for a file
                std::thread::sleep(Duration::from_millis(1));
            }
            // Stopped for more than any limit allows, and on a processor for a part of it before and after.
            let process = std::process::id();
            let script = format!(
                "sleep 0.1; kill -STOP {process}; sleep 3; kill -CONT {process}; sleep 0.1; : > '{}'",
                may_end.display()
            );
            Command::new("/bin/sh").args(["-c", &script]).status()
        });
        let mut cluster = Cluster::default();
        let value = cluster.static_method("p/Stalled", "value", "()I");
        let compiled = fixture::compile(&source);
        let mut worker =
            Worker::start_with(&compiled, &["p/Stalled"], cluster, |options| options.limit_ms = 200);
        assert!(stops.join().unwrap().unwrap().success());
        assert_eq!(worker.executor.take_diagnostics(), [""; 0]);
        assert_eq!(worker.value(&[call(value, &[])]), observed_int(1));
    });
}

#[test]
fn an_exception_is_thrown_into_what_has_no_steps() {
    in_own_process("limits::an_exception_is_thrown_into_what_has_no_steps", || {
        let mut cluster = Cluster::default();
        let method = cluster.static_method(OWNER, "endlessInTheJdk", "()Z");
        let counted = cluster.static_method(OWNER, "counted", "(I)I");
        let compiled = fixture::compile(SOURCES);
        let mut worker = Worker::start_with(&compiled, &[OWNER], cluster, |options| {
            options.limit_ms = 100;
            options.grace_ms = 1000;
        });
        let alarm = Arc::new(AtomicBool::new(false));
        worker.executor.raise_when_tainted(vec![Arc::clone(&alarm)]);
        assert_eq!(worker.run(&[call(method, &[])]), Outcome::TimedOut);
        assert!(worker.executor.is_tainted() && alarm.load(Ordering::Acquire) && worker.result.stalled);
        let faults = worker.executor.take_faults();
        let test = TestCase::new(vec![call(method, &[])]);
        assert_eq!(faults, [Fault { test, position: 0, severity: Severity::Damaging }]);
        // The very same test is not run again.
        assert_eq!(worker.run(&[call(method, &[])]), Outcome::TimedOut);
        assert_eq!(worker.executor.take_faults(), []);
        // Nothing of it reaches the next test.
        for _ in 0..100 {
            assert_eq!(worker.value(&[int(3), call(counted, &[0])]), observed_int(3));
        }
    });
}

/// Takes memory that no collector gives back.
const TAKES: &str = r#"
//- /p/Takes.java
package p;

import java.lang.reflect.Field;

public class Takes {
    static final int FOLD = 1 << 20;
    public static int quietly(int megabytes) throws Exception {
        Field field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Object unsafe = field.get(null);
        unsafe.getClass().getMethod("allocateMemory", long.class).invoke(unsafe, (long) megabytes * FOLD);
        return megabytes;
    }
    public static void loudly(int megabytes) throws Exception {
        throw new IllegalStateException("took " + quietly(megabytes));
    }
}
"#;

/// Runs a method with such a number again and again in a process that may write to 1 GiB, until its JVM is to be replaced.
/// Gives the runs that took, who was blamed, and what the limit is then.
fn take_until_tainted(method: &str, of: &str, megabytes: i32) -> (usize, Vec<Fault>, Option<u64>) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let mut cluster = Cluster::default();
    let method = cluster.static_method("p/Takes", method, &format!("(I){of}"));
    let limit = Rlimit { current: Some(1 << 30), maximum: Some((1 << 30) + (1 << 27)) };
    setrlimit(Resource::Data, limit).unwrap();
    let mut worker = Worker::start(&fixture::compile(TAKES), &["p/Takes"], cluster);
    let runs = (1..1000).find(|_| {
        worker.run(&[int(megabytes), call(method, &[0])]);
        worker.executor.is_tainted()
    });
    (runs.unwrap(), worker.executor.take_faults(), getrlimit(Resource::Data).current)
}

#[test]
fn who_takes_memory_outside_of_the_heap_pays_for_it_and_not_who_comes_next() {
    in_own_process("limits::who_takes_memory_outside_of_the_heap_pays_for_it_and_not_who_comes_next", || {
        let (runs, faults, limit) = take_until_tainted("loudly", "V", 700);
        assert_eq!((runs, limit), (1, Some((1 << 30) + (1 << 27))));
        let fault = faults.first().map(|fault| (fault.position, fault.severity));
        assert_eq!((fault, faults.len()), (Some((1, Severity::Damaging)), 1));
    });
}

#[test]
fn memory_that_is_taken_bit_by_bit_costs_the_jvm_before_it_dies_of_it() {
    in_own_process("limits::memory_that_is_taken_bit_by_bit_costs_the_jvm_before_it_dies_of_it", || {
        let (runs, faults, _) = take_until_tainted("quietly", "I", 4);
        assert!(runs > 64 && runs < 256 && faults.is_empty(), "{runs} {faults:?}");
    });
}

const COSTS: &str = r"
//- /p/Costs.java
package p;

public class Costs {
    public static int rows(int count) { return new int[count][3].length; }
    public static int filled(int length) { return new byte[length].length; }
    public static int counted(int rounds) { int sum = 0; for (int i = 0; i < rounds; i++) sum++; return sum; }
    public static void threads() throws InterruptedException {
        Thread thread = new Thread(() -> { });
        thread.start();
        thread.join();
    }
}
";

#[test]
fn memory_is_charged_by_what_is_filled_and_the_cost_of_a_run_is_known() {
    in_own_process("limits::memory_is_charged_by_what_is_filled_and_the_cost_of_a_run_is_known", || {
        let compiled = fixture::compile(COSTS);
        let mut cluster = Cluster::default();
        let [rows, filled, counted] =
            ["rows", "filled", "counted"].map(|name| cluster.static_method("p/Costs", name, "(I)I"));
        let threads = cluster.static_method("p/Costs", "threads", "()V");
        let mut worker = Worker::start(&compiled, &["p/Costs"], cluster);
        let mut brief = |callable, number: i32| {
            let test = TestCase::new(vec![int(number), call(callable, &[0])]);
            worker.executor.execute(&test, &RunRequest::brief(), &mut worker.result);
            (worker.result.outcome.clone(), worker.result.cost)
        };
        // Each row has a header as well.
        assert_eq!(brief(rows, 2_000_000).0, Outcome::TimedOut);
        assert_eq!(brief(filled, 20_000_000).0, Outcome::TimedOut);
        assert_eq!(brief(rows, 10).0, Outcome::Passed);
        let (outcome, cost) = brief(filled, 640_000);
        assert_eq!((outcome, cost.dearest), (Outcome::Passed, 1));
        assert!((2_500..2_600).contains(&cost.steps), "{cost:?}");

        let test = TestCase::new(vec![
            int(10),
            call(counted, &[0]),
            int(5_000),
            call(counted, &[2]),
            call(counted, &[0]),
        ]);
        worker.executor.execute(&test, &RunRequest::brief(), &mut worker.result);
        let cost = worker.result.cost;
        assert_eq!(cost.dearest, 3);
        assert!((5_000..5_200).contains(&cost.steps), "{cost:?}");
        worker.executor.execute(&test, &RunRequest::brief(), &mut worker.result);
        assert_eq!(worker.result.cost, cost, "it is the same every time");

        let test = TestCase::new(vec![int(10), call(counted, &[0]), call(threads, &[])]);
        worker.executor.execute(&test, &RunRequest::default(), &mut worker.result);
        assert!(
            worker.result.cost.steps > 20_000 && worker.result.cost.dearest == 2,
            "{:?}",
            worker.result.cost
        );
    });
}
