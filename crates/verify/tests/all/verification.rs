//! Verification in real JVMs with a real JUnit of each kind.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use project::request::JunitChoice;
use rustix::process::{Pid, Signal, kill_process};
use verify::apart::{CompiledBench, CompiledSuite, CompiledTest};
use verify::jvm::{TEST_LIMIT, TestEnd};
use verify::lane::{Compiled, Judges, Lane};
use verify::protocol::{Outcome, Start};
use verify::suite::{Selection, SuiteSource};
use verify::verifier::{Bench, Checked, Orders, Verification, verify};

use crate::support::written::Written;

const COUNTER: &str = "
//- /p/Counter.java
package p;
public class Counter {
    static int count;
    static int next() { return ++count; }
    static String format(double value) { return String.format(\"%.1f\", value); }
    static String twice(String text) { return text + text; }
    private static final java.util.ArrayDeque<byte[]> POOL = new java.util.ArrayDeque<>();
    private static byte[] taken;
    static byte[] take() { return taken = POOL.size() > 1 ? POOL.pop() : new byte[8]; }
    static void give() { POOL.push(taken); }
}
//- /p/Broken.java
package p;
public class Broken {
    static { if (Counter.count == 0) throw new IllegalStateException(\"not ready\"); }
}
";

/// How deep the folder for temporary files of the first verification JVM lies, as far as the test can tell.
const TEMPORARY_PARTS: &str = "assertFalse(System.getProperty(\"java.io.tmpdir\").endsWith(\"user\"));";

/// Orders beside JUnit's own.
const BESIDES: Orders = Orders { seed: 7, alone: true };

/// Verifies suites of tests for `p.Counter`.
fn verify_all(junit: JunitChoice, judges: Judges, suites: &[Vec<&'static str>]) -> Verification {
    let written: Vec<Written> = suites
        .iter()
        .zip(["p.ATest", "p.BTest", "p.CTest"])
        .map(|(tests, class)| Written { class, junit, tests: tests.clone() })
        .collect();
    let sources: Vec<&dyn SuiteSource> = written.iter().map(|suite| suite as _).collect();
    in_lane(junit, judges, &sources, BESIDES)
}

/// Verifies in a lane of a pool that all tests here share.
fn in_lane(junit: JunitChoice, judges: Judges, sources: &[&dyn SuiteSource], orders: Orders) -> Verification {
    let pool = crate::support::pool(junit);
    let mut lane = pool.take().unwrap();
    let under_test = Compiled { class_path: vec![fixture::compile(COUNTER).folder], source_level: 8 };
    let verification = verify_in(&mut lane, (&under_test, judges), sources, orders, Duration::from_mins(2));
    pool.put_back(lane);
    verification
}

/// Verifies suites in a lane, whose time is over after `left`.
fn verify_in(
    lane: &mut Lane,
    (under_test, judges): (&Compiled, Judges),
    sources: &[&dyn SuiteSource],
    orders: Orders,
    left: Duration,
) -> Verification {
    let remaining = || left;
    let mut bench = lane.bench(under_test, judges, &remaining);
    verify(&mut bench, sources, Vec::new(), orders, &mut Checked::default()).unwrap()
}

#[test]
#[expect(clippy::disallowed_methods, reason = "test set-up")]
fn the_mockito_of_a_project_is_that_of_the_jvm_unless_it_is_set_up_in_another_way() {
    const IS_THAT: &str =
        "assertSame(ClassLoader.getSystemClassLoader(), org.mockito.Mockito.class.getClassLoader());";
    const MAKER: &str = "mockito-extensions/org.mockito.plugins.MockMaker";
    let mut junit = crate::support::machine::junit(JunitChoice::Jupiter);
    let jars = crate::support::machine::mockito();
    junit.class_path.extend(jars.iter().cloned());
    let pool = crate::support::pool_with(junit, &crate::support::machine::environment());
    let suite = Written { class: "p.MocksTest", junit: JunitChoice::Jupiter, tests: vec![IS_THAT] };
    let (plain, set) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let maker = set.path().join(MAKER);
    std::fs::create_dir_all(maker.parent().unwrap()).unwrap();
    std::fs::write(maker, "mock-maker-subclass").unwrap();
    let mut lane = pool.take().unwrap();
    for (settings, lost) in [(&plain, 0), (&set, 1)] {
        let class_path = [&[settings.path().to_owned()], &*jars].concat();
        let under_test = Compiled { class_path, source_level: 8 };
        let orders = Orders { alone: false, ..BESIDES };
        let left = Duration::from_mins(2);
        let found = verify_in(&mut lane, (&under_test, Judges::First), &[&suite], orders, left);
        assert_eq!(found.dropped.len(), lost, "{:?}", found.dropped);
    }
}

/// Some jars have their sources in them. `javac` would compile those that seem newer than their classes, with all that they mention.
#[test]
#[expect(clippy::disallowed_methods, reason = "test set-up")]
fn sources_on_the_class_path_are_not_looked_at() {
    let pool = crate::support::pool(JunitChoice::Jupiter);
    let mut lane = pool.take().unwrap();
    let compiled = fixture::compile(COUNTER);
    let source = compiled.folder.join("p/Counter.java");
    std::fs::write(&source, "package p;\nclass Counter { nonsense }\n").unwrap();
    // tidy: a date that a file has
    let later = std::time::SystemTime::now() + Duration::from_hours(1);
    std::fs::File::options().append(true).open(source).unwrap().set_modified(later).unwrap();
    let tests = vec!["assertEquals(\"aa\", Counter.twice(\"a\"));"];
    let suite = Written { class: "p.SourcesTest", junit: JunitChoice::Jupiter, tests };
    let under_test = Compiled { class_path: vec![compiled.folder.clone()], source_level: 8 };
    let left = Duration::from_mins(2);
    let found = verify_in(&mut lane, (&under_test, Judges::First), &[&suite], BESIDES, left);
    pool.put_back(lane);
    assert!(found.dropped.is_empty(), "{:?}", found.dropped);
}

/// What a suite loses: `test[.assertion]: the start of the cause`.
fn check(tests: &[&'static str], expect: &[&str]) {
    check_by(Judges::Both, tests, expect);
}

fn check_by(judges: Judges, tests: &[&'static str], expect: &[&str]) {
    for junit in [JunitChoice::Jupiter, JunitChoice::Junit4] {
        let verification = verify_all(junit, judges, &[tests.to_vec()]);
        let mut dropped: Vec<String> = verification
            .dropped
            .iter()
            .map(|dropped| {
                let assertion =
                    dropped.assertion.map_or_else(String::new, |assertion| format!(".{assertion}"));
                format!("{}{assertion}: {}", dropped.test, dropped.cause)
            })
            .collect();
        dropped.sort();
        assert_eq!(dropped.len(), expect.len(), "{junit:?}: {dropped:#?}");
        for (dropped, expect) in dropped.iter().zip(expect) {
            assert!(dropped.starts_with(expect), "{junit:?}: {dropped}");
        }
    }
}

#[test]
fn tests_that_hold_stay() {
    check(
        &[
            "assertEquals(\"aa\", Counter.twice(\"a\"));",
            "System.out.println(\"noise on the protocol?\");\nSystem.err.println();\nassertEquals(-1, System.in.read());",
            "assertTrue(Counter.next() > 0);",
        ],
        &[],
    );
}

#[test]
fn the_folder_of_the_tests_comes_first_on_the_class_path_as_in_a_build() {
    check(
        &[
            "assertEquals(\"file\", Counter.class.getClassLoader().getResource(\"\").getProtocol());",
            "assertEquals(\"file\", Thread.currentThread().getContextClassLoader().getResource(\"\").getProtocol());",
        ],
        &[],
    );
}

#[test]
fn what_javac_refuses_is_dropped() {
    check(
        &[
            "assertEquals(1, Counter.missing());\nassertTrue(true);",
            "Strin text = null;",
            "assertTrue(true);",
        ],
        &["0.0: javac: cannot find symbol", "1: javac: cannot find symbol"],
    );
}

#[test]
fn api_beyond_the_source_level_is_refused() {
    check(&["\"\".isBlank();", "\"\".isEmpty();"], &["0: javac: cannot find symbol"]);
}

#[test]
fn what_compiles_in_one_way_only_is_refused() {
    // By the JDK's own overloads, and by the words of the newest Java.
    check(
        &[
            "if (Counter.count < 0) new java.util.ArrayList<String>().toArray(null);",
            "int _ = 1;",
            "int one = 1;",
        ],
        &["0: javac: reference to toArray is ambiguous", "1: javac: "],
    );
}

#[test]
fn failing_assertions_go_alone() {
    check(
        &[
            "assertEquals(\"a\", Counter.twice(\"a\"));\nassertEquals(\"\", Counter.twice(\"\"));",
            "throw new IllegalStateException(\"always\");",
        ],
        &[
            "0.0: failed in a plain JVM: ",
            "1: failed in a plain JVM: java.lang.IllegalStateException: always",
        ],
    );
}

#[test]
fn what_depends_on_the_surroundings_is_found() {
    check(
        &[
            "assertEquals(\"1.5\", Counter.format(1.5));",
            "assertEquals(\"Pacific/Chatham\", java.util.TimeZone.getDefault().getID());",
            "assertEquals(\"x\", \"x\");",
            TEMPORARY_PARTS,
        ],
        &[
            "0.0: failed in a JVM with another zone, locale and hash seed: ",
            "1.0: failed in a plain JVM: ",
            "3.0: failed in a JVM with another zone, locale and hash seed: ",
        ],
    );
}

#[test]
fn one_jvm_judges_by_turns_where_there_is_no_time_for_two() {
    let version = format!("assertEquals(\"{0}\", System.getProperty(\"{0}\"));", "java.version");
    let version: &'static str = version.replacen("java.version", &property("java.version"), 1).leak();
    check_by(
        Judges::First,
        &[
            "assertEquals(\"1.5\", Counter.format(1.5));",
            "assertEquals(\"Pacific/Chatham\", java.util.TimeZone.getDefault().getID());",
            "assertEquals(\"x\", \"x\");",
            TEMPORARY_PARTS,
            version,
        ],
        &[
            "0.0: failed in a JVM with another zone, locale and hash seed: ",
            "1.0: failed in a plain JVM: ",
            "3.0: failed in a JVM with another zone, locale and hash seed: ",
            "4.0: failed in a JVM with another zone, locale and hash seed: ",
        ],
    );
}

#[test]
fn what_another_jvm_or_machine_would_answer_otherwise_is_found() {
    let is = |name: &str| format!("assertEquals(\"{}\", System.getProperty(\"{name}\"));", property(name));
    let named = [
        "java.version",
        "java.vendor",
        "java.vm.info",
        "java.specification.version",
        "os.version",
        "os.arch",
    ];
    let headless = "assertEquals(\"true\", System.getProperty(\"java.awt.headless\"));".to_owned();
    let same = ["file.separator", "os.name"].map(is);
    let bodies: Vec<String> = named.map(is).into_iter().chain([headless]).chain(same).collect();
    let texts: Vec<&'static str> = bodies.into_iter().map(|body| &*body.leak()).collect();
    let expect: Vec<String> = (0..named.len())
        .map(|test| format!("{test}.0: failed in a "))
        .chain(["6.0: failed in a JVM with another".to_owned()])
        .collect();
    check(&texts, &expect.iter().map(String::as_str).collect::<Vec<_>>());
}

/// A system property of the JVM that runs the tests.
fn property(name: &str) -> String {
    let output = std::process::Command::new(crate::support::machine::jdk().java())
        .args(["-XshowSettings:properties", "-version"])
        .output()
        .expect("the JVM starts");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line =
        text.lines().find_map(|line| line.trim().strip_prefix(&format!("{name} = ")).map(str::to_owned));
    line.unwrap_or_else(|| panic!("{name}: {text}"))
}

#[test]
fn what_depends_on_the_order_is_found() {
    check(
        &["assertEquals(1, Counter.next());", "assertEquals(2, Counter.next());"],
        &["0.0: failed in a JVM with another zone", "1.0: failed in a JVM with another zone"],
    );
}

#[test]
fn memory_that_earlier_tests_left_is_found() {
    // Two segments are handed back before one is used again, as it was left.
    let tests = [
        "assertEquals(0, Counter.take()[0]);",
        "Counter.take()[0] = 1;\nCounter.give();",
        "Counter.take()[0] = 2;\nCounter.give();",
    ];
    let junit = JunitChoice::Jupiter;
    for (seed, judges) in (0..6).flat_map(|seed| [(seed, Judges::Both), (seed, Judges::First)]) {
        let suite = Written { class: "p.ATest", junit, tests: tests.to_vec() };
        let dropped = in_lane(junit, judges, &[&suite], Orders { seed, alone: false }).dropped;
        let dropped: Vec<_> = dropped.iter().map(|dropped| (dropped.test, dropped.assertion)).collect();
        assert_eq!(dropped, [(0, Some(0))], "{seed} {judges:?}");
    }
}

#[test]
fn what_holds_only_behind_others_is_found() {
    for junit in [JunitChoice::Jupiter, JunitChoice::Junit4] {
        for seed in 0..3 {
            let mut tests = vec!["assertTrue(Counter.next() > 0);"; 8];
            tests[4] = "assertTrue(Counter.count > 0);";
            let suite = Written { class: "p.ATest", junit, tests };
            let dropped = in_lane(junit, Judges::Both, &[&suite], Orders { seed, alone: true }).dropped;
            let dropped: Vec<_> = dropped.iter().map(|dropped| (dropped.test, dropped.assertion)).collect();
            assert_eq!(dropped, [(4, Some(0))], "{seed}");
        }
    }
}

#[test]
fn tests_that_end_or_block_the_jvm_are_dropped_and_the_rest_goes_on() {
    check(
        &["System.exit(0);", "assertTrue(true);", "while (true) { Thread.sleep(10); }", "assertTrue(true);"],
        &["0: ended the JVM", "2: ran too long"],
    );
}

#[test]
fn a_test_that_exhausts_memory_is_dropped_and_the_rest_goes_on() {
    check(
        &[
            "assertTrue(true);",
            "throw new OutOfMemoryError();",
            "assertTrue(true);",
            "throw new StackOverflowError();",
        ],
        &[
            "1: failed in a plain JVM: java.lang.OutOfMemoryError",
            "3: failed in a plain JVM: java.lang.StackOverflowError",
        ],
    );
}

#[test]
fn tests_that_close_the_streams_of_whoever_runs_them_are_dropped() {
    let closed = "failed in a plain JVM: standard input, output or error was closed";
    check(
        &[
            "System.out.close();",
            "System.out.println(1); assertTrue(!System.out.checkError());",
            "new java.io.OutputStreamWriter(System.err).close();",
            "System.in.close();",
            "System.err.close(); throw new IllegalStateException();",
            "new java.io.PrintStream(new java.io.ByteArrayOutputStream()).close();",
        ],
        &[
            &format!("0: {closed}"),
            &format!("2: {closed}"),
            &format!("3: {closed}"),
            "4: failed in a plain JVM: java.lang.IllegalStateException",
        ],
    );
}

#[test]
fn tests_that_leave_objects_of_theirs_to_all_others_are_dropped() {
    let failed = "failed in a plain JVM: it leaves";
    let met = "which tests of other classes meet";
    check(
        &[
            "java.util.logging.Logger.getLogger(\"\").addHandler(new java.util.logging.StreamHandler());",
            "Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {});",
            "java.net.CookieHandler.setDefault(new java.net.CookieManager());",
            "java.net.ProxySelector.setDefault(null);",
            "assertEquals(1, java.util.logging.Logger.getLogger(\"\").getHandlers().length);",
            "java.util.logging.Logger.getLogger(\"\").setLevel(null);",
        ],
        &[
            &format!("0: {failed} the root logger with other handlers, {met}"),
            &format!("1: {failed} another default handler of uncaught exceptions, {met}"),
            &format!("2: {failed} another default handler of cookies, {met}"),
            &format!("3: {failed} another default selector of proxies, {met}"),
        ],
    );
}

#[test]
fn what_keeps_a_class_from_its_initializer_is_said() {
    check(
        &["new Broken();", "new Broken();"],
        &[
            "0: failed in a plain JVM: java.lang.ExceptionInInitializerError: java.lang.IllegalStateException: not ready",
            "1: failed in a plain JVM: java.lang.NoClassDefFoundError: Could not initialize class p.Broken",
        ],
    );
}

/// Leaves a file that has the JVM stopped, and passes when it is gone.
const STOPPED: &str = r#"String process = new java.io.File("/proc/self").getCanonicalFile().getName();
    java.io.File stopped = new java.io.File("stopped-" + process);
    stopped.createNewFile();
    while (stopped.exists()) { Thread.sleep(1); }
    assertEquals("aa", Counter.twice("a"));"#;

/// The children of this process that want to be stopped, with the file that says so.
fn that_want_to_be_stopped() -> Vec<(Pid, PathBuf)> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let files = numbers.map(|number| (number, format!("/proc/{number}/cwd/stopped-{number}").into()));
    let wanted = files.filter(|(_, file): &(i32, PathBuf)| file.exists());
    wanted.filter_map(|(number, file)| Some((Pid::from_raw(number)?, file))).collect()
}

#[test]
fn a_jvm_that_the_machine_does_not_let_go_on_is_waited_for() {
    const LIMIT: Duration = Duration::from_secs(2);
    let junit = crate::support::machine::junit(JunitChoice::Jupiter);
    let pool = crate::support::pool_for(junit, &crate::support::machine::environment(), LIMIT);
    let mut lane = pool.take().unwrap();
    let under_test = Compiled { class_path: vec![fixture::compile(COUNTER).folder], source_level: 8 };
    let suite = Written { class: "p.ATest", junit: JunitChoice::Jupiter, tests: vec![STOPPED] };
    let is_over = AtomicBool::new(false);
    let (verification, stopped) = std::thread::scope(|scope| {
        let stops = scope.spawn(|| {
            let mut stopped: Vec<(Pid, PathBuf)> = Vec::new();
            // Both run the test at the same time.
            while stopped.len() < 2 && !is_over.load(Ordering::Acquire) {
                for wanted in that_want_to_be_stopped() {
                    if !stopped.contains(&wanted) {
                        kill_process(wanted.0, Signal::STOP).unwrap();
                        stopped.push(wanted);
                    }
                }
                // tidy: looks again for processes that want to be stopped
                std::thread::sleep(Duration::from_millis(1));
            }
            // tidy: a process that stands still for longer than any limit is what is tested
            std::thread::sleep(LIMIT * 2);
            for (process, file) in &stopped {
                std::fs::remove_file(file).unwrap();
                kill_process(*process, Signal::CONT).unwrap();
            }
            stopped.len()
        });
        // As where executions are the budget.
        let verification =
            verify_in(&mut lane, (&under_test, Judges::Both), &[&suite], BESIDES, Duration::MAX);
        is_over.store(true, Ordering::Release);
        (verification, stops.join().unwrap())
    });
    assert_eq!((verification.dropped, stopped), (Vec::new(), 2));
}

/// Where a JVM leaves a file with its number.
const NUMBERED: &str = r#"java.io.File here =
    new java.io.File(new java.io.File("/proc/self").getCanonicalFile().getName() + ".number");"#;

/// Each class that had too little time would cost the next one a JVM that comes up, and so its time as well.
#[test]
fn a_jvm_whose_class_had_no_time_left_serves_the_next_class() {
    let junit = crate::support::machine::junit(JunitChoice::Jupiter);
    let pool =
        crate::support::pool_for(junit, &crate::support::machine::environment(), Duration::from_secs(20));
    let under_test = Compiled { class_path: vec![fixture::compile(COUNTER).folder], source_level: 8 };
    let verified = |lane: &mut Lane, test: &'static str, left: Duration| {
        let text: &'static str = format!("{NUMBERED}\n{test}").leak();
        let suite = Written { class: "p.ATest", junit: JunitChoice::Jupiter, tests: vec![text] };
        let remaining = || left;
        let mut bench = lane.bench(&under_test, Judges::First, &remaining);
        let orders = Orders { alone: false, ..BESIDES };
        verify(&mut bench, &[&suite], Vec::new(), orders, &mut Checked::default())
            .map(|verification| verification.dropped)
    };
    let (unhurried, nothing) = (Duration::MAX, Ok(Vec::new()));
    let known = |lane: &mut Lane, test, left| verified(lane, test, left).map_err(|error| error.to_string());
    let mut lane = pool.take().unwrap();
    assert_eq!(known(&mut lane, "here.createNewFile();", unhurried), nothing);
    let late = Err("the time for verification is over".to_owned());
    assert_eq!(known(&mut lane, "here.exists();", Duration::ZERO), late);
    pool.put_back(lane);
    let mut lane = pool.take().unwrap();
    assert_eq!(known(&mut lane, "assertTrue(here.exists());", unhurried), nothing, "the same JVM");
    let hangs = "while (here.exists()) { Thread.sleep(1); }";
    assert_eq!(known(&mut lane, hangs, Duration::from_secs(3)), late);
    pool.put_back(lane);
    let mut lane = pool.take().unwrap();
    assert_eq!(known(&mut lane, "assertFalse(here.exists());", unhurried), nothing, "another one");
}

/// A test in whose class JUnit has a second of work before it.
const AFTER_A_SECOND: &str = r#"assertEquals("aa", Counter.twice("a"));
    }
    static {
    java.lang.management.ThreadMXBean threads = java.lang.management.ManagementFactory.getThreadMXBean();
    long end = threads.getCurrentThreadCpuTime() + 1_000_000_000L;
    while (threads.getCurrentThreadCpuTime() < end) { }
    }
    void nothing() {"#;

/// A test that keeps a processor busy for a second, as one does that is the first to use a large part of the project.
const BUSY_FOR_A_SECOND: &str = r#"java.lang.management.ThreadMXBean threads = java.lang.management.ManagementFactory.getThreadMXBean();
    long end = threads.getCurrentThreadCpuTime() + 1_000_000_000L;
    while (threads.getCurrentThreadCpuTime() < end) { }
    assertEquals("aa", Counter.twice("a"));"#;

/// Tests that are left of a suite of this one, where a test that waits has half a second.
fn left_of(test: &'static str) -> usize {
    let junit = crate::support::machine::junit(JunitChoice::Jupiter);
    let pool =
        crate::support::pool_for(junit, &crate::support::machine::environment(), Duration::from_millis(500));
    let mut lane = pool.take().unwrap();
    let under_test = Compiled { class_path: vec![fixture::compile(COUNTER).folder], source_level: 8 };
    let suite = Written { class: "p.ATest", junit: JunitChoice::Jupiter, tests: vec![test] };
    let orders = Orders { alone: false, ..BESIDES };
    let verification = verify_in(&mut lane, (&under_test, Judges::Both), &[&suite], orders, Duration::MAX);
    verification.suites[0].printed.as_ref().map_or(0, |printed| printed.tests.len())
}

/// In a JVM that has just started, loading JUnit and the project takes longer than a test may.
#[test]
fn what_comes_before_the_first_test_takes_nothing_of_its_time() {
    assert_eq!(left_of(AFTER_A_SECOND), 1);
}

#[test]
fn a_test_that_is_busy_has_more_time_than_one_that_waits() {
    assert_eq!(left_of(BUSY_FOR_A_SECOND), 1);
    assert_eq!(left_of("Thread.sleep(1_000);"), 0);
}

#[test]
fn suites_hold_together_or_lose_what_disturbs_the_others() {
    let verification = verify_all(
        JunitChoice::Jupiter,
        Judges::Both,
        &[
            vec!["Counter.count = 5;", "assertEquals(\"aa\", Counter.twice(\"a\"));"],
            vec!["assertEquals(1, Counter.next());", "assertEquals(\"\", Counter.twice(\"\"));"],
        ],
    );
    let left: Vec<usize> =
        verification.suites.iter().map(|suite| suite.printed.as_ref().unwrap().tests.len()).collect();
    assert_eq!(left, [2, 2]);
    for dropped in &verification.dropped {
        assert_eq!((dropped.suite, dropped.test, dropped.assertion), (1, 0, Some(0)));
    }
}

/// Tests with these numbers in a class each, compiled without the others.
fn compiled_apart(
    lane: &mut Lane,
    under_test: &Compiled,
    junit: JunitChoice,
    classes: &[(&'static str, &[usize])],
    tests: &[&'static str],
) -> BTreeMap<usize, CompiledTest> {
    let mut compiled = BTreeMap::new();
    for &(class, numbers) in classes {
        let written = Written { class, junit, tests: numbers.iter().map(|&test| tests[test]).collect() };
        let printed = written.print(&Selection::default());
        let remaining = || Duration::from_mins(2);
        let mut bench = lane.bench(under_test, Judges::Both, &remaining);
        let files = vec![(printed.path(), printed.text.clone())];
        assert_eq!(bench.compile(files).unwrap(), []);
        for test in &printed.tests {
            let folder = bench.classes().unwrap().to_owned();
            let name = written.name_of(&printed, test);
            compiled.insert(numbers[test.test], CompiledTest { folder, name });
        }
    }
    compiled
}

/// Gives a bench, and a suite, of tests that were compiled apart.
fn apart(
    junit: JunitChoice,
    tests: &[&'static str],
    classes: &[(&'static str, &[usize])],
    check: impl Fn(&mut CompiledBench<'_>, &CompiledSuite<'_>, &BTreeMap<usize, CompiledTest>),
) {
    let pool = crate::support::pool(junit);
    let mut lane = pool.take().unwrap();
    let under_test = Compiled { class_path: vec![fixture::compile(COUNTER).folder], source_level: 8 };
    let compiled = compiled_apart(&mut lane, &under_test, junit, classes, tests);
    let whole = Written { class: "p.ATest", junit, tests: tests.to_vec() };
    let suite = CompiledSuite::new(&whole, &compiled);
    let remaining = || Duration::from_mins(2);
    let mut bench = CompiledBench::new(lane.bench(&under_test, Judges::Both, &remaining), &suite);
    check(&mut bench, &suite, &compiled);
    drop(bench);
    pool.put_back(lane);
}

#[test]
fn tests_that_were_compiled_apart_hold_together_or_go() {
    let tests = [
        "Counter.count = 5;",
        "assertEquals(\"aa\", Counter.twice(\"a\"));\nassertEquals(1, Counter.next());",
        "assertEquals(\"\", Counter.twice(\"\"));",
    ];
    for junit in [JunitChoice::Jupiter, JunitChoice::Junit4] {
        apart(junit, &tests, &[("p.ATest", &[0, 2]), ("p.ATest_1", &[1])], |bench, suite, _| {
            let verification = verify(bench, &[suite], Vec::new(), BESIDES, &mut Checked::default()).unwrap();
            let dropped: Vec<_> = verification.dropped.iter().map(|one| (one.test, one.assertion)).collect();
            assert_eq!(dropped, [(1, None)], "it runs behind a test of another class");
            let left = verification.suites[0].printed.as_ref().unwrap();
            assert_eq!(left.tests.iter().map(|test| test.test).collect::<Vec<_>>(), [0, 2]);
        });
    }
}

#[test]
fn tests_of_several_classes_run_in_the_order_that_was_asked_for() {
    let tests = ["Counter.count = 5;", "Counter.count = 0;", "assertEquals(1, Counter.next());"];
    for junit in [JunitChoice::Jupiter, JunitChoice::Junit4] {
        apart(junit, &tests, &[("p.ATest", &[0, 2]), ("p.ATest_1", &[1])], |bench, _, compiled| {
            let names = |order: [usize; 3]| order.map(|test| compiled[&test].name.clone());
            // JUnit would run those of a class in a row: the last would fail behind the first.
            let (good, bad) = (names([0, 1, 2]), names([1, 0, 2]));
            let [of_good, of_bad] = bench.run_both([&good, &bad], [Start::Fresh; 2]).unwrap();
            let passed = |ends: &[TestEnd]| -> Vec<bool> {
                ends.iter().map(|end| *end == TestEnd::Outcome(Outcome::Passed)).collect()
            };
            assert_eq!(passed(&of_good), [true; 3], "{of_good:?}");
            assert_eq!(passed(&of_bad), [true, true, false], "{of_bad:?}");
        });
    }
}

#[test]
fn static_state_starts_anew_with_every_run() {
    let suite = Written {
        class: "p.ATest",
        junit: JunitChoice::Jupiter,
        tests: vec!["assertEquals(1, Counter.next());\nSystem.setProperty(\"line.separator\", \"?\");"],
    };
    for _ in 0..3 {
        assert_eq!(in_lane(JunitChoice::Jupiter, Judges::Both, &[&suite], BESIDES).dropped, []);
    }
}

#[test]
fn a_class_data_archive_is_made_once_before_anything_else_and_said() {
    let cache = tempfile::tempdir().unwrap();
    let mut environment = crate::support::machine::environment();
    environment.cache = Some(cache.path().to_owned());
    let archives = || {
        let files = std::fs::read_dir(cache.path().join("verifier")).unwrap();
        let paths = files.map(|file| file.unwrap().path());
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "jsa")).collect::<Vec<_>>()
    };
    let junit = crate::support::machine::junit(JunitChoice::Jupiter);
    let notes = std::cell::RefCell::new(Vec::new());
    let note = |text: &str| notes.borrow_mut().push((text.to_owned(), archives().len()));
    let pool = || crate::support::noted_pool_for(junit.clone(), &environment, TEST_LIMIT, &note);
    // Nothing waits for the end of the session.
    let first = pool();
    if crate::support::machine::jdk().version < 13 {
        assert_eq!((archives().len(), notes.borrow().len()), (0, 0));
        return;
    }
    let [archive] = &archives()[..] else { panic!("{:?}", archives()) };
    let time = std::fs::metadata(archive).unwrap().modified().unwrap();
    drop(first);
    let pool = pool();
    assert_eq!(notes.borrow().len(), 1, "{notes:?}");
    assert_eq!(notes.borrow()[0].1, 0, "it is said before it is done");
    let mut lane = pool.take().unwrap();
    let under_test = Compiled { class_path: vec![fixture::compile(COUNTER).folder], source_level: 8 };
    let suite = Written {
        class: "p.ATest",
        junit: JunitChoice::Jupiter,
        tests: vec!["assertEquals(1, Counter.next());"],
    };
    let verification =
        verify_in(&mut lane, (&under_test, Judges::Both), &[&suite], BESIDES, Duration::from_mins(2));
    assert_eq!(verification.dropped, []);
    pool.put_back(lane);
    drop(pool);
    assert_eq!(std::fs::metadata(archive).unwrap().modified().unwrap(), time);
}
