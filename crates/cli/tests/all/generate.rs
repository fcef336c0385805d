//! The command as a user runs it, on compiled classes.

#![expect(clippy::disallowed_methods, reason = "tests read files and start the command")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::{CRASH, covolve};
use cli::json::ClassReport;
use rustix::process::{Pid, Signal, kill_process};

const ACCOUNT: &str = r#"
//- /p/Account.java
package p;

public class Account {
    public enum Kind { SAVINGS, CURRENT }

    private final Kind kind;
    private long balance;

    public Account(Kind kind) {
        if (kind == null) throw new IllegalArgumentException("no kind");
        this.kind = kind;
    }
    public long balance() { return balance; }
    public void deposit(long amount) {
        if (amount <= 0) throw new IllegalArgumentException("not positive");
        balance += amount;
    }
    public boolean withdraw(long amount) {
        if (kind == Kind.SAVINGS && amount > balance) return false;
        balance -= amount;
        return true;
    }
    public String describe(String style) {
        switch (style) {
            case "short": return kind.name();
            case "long": return kind + ": " + balance;
            default: return style.startsWith("x-") ? style.substring(2) : "";
        }
    }
}
//- /p/Words.java
package p;

import java.util.List;

public class Words {
    public static String longest(List<String> words) {
        String best = null;
        for (String word : words) if (best == null || word.length() > best.length()) best = word;
        return best;
    }
}
"#;

/// Has a goal that nothing covers, so that its search does not end by itself.
const IMPOSSIBLE: &str = r"
//- /p/Impossible.java
package p;

public class Impossible {
    public static int square(int x) { return x % 4 * (x % 4) == 3 ? 1 : 0; }
}
";

/// Does whatever a class should not do, each where a test can reach it; and something harmless.
const ROGUE: &str = r#"
//- /q/Rogue.java
package q;

import java.io.FileWriter;
import java.util.ArrayList;
import java.util.List;

public class Rogue {
    public static int harmless(int x) { return x > 1000 ? 1 : x < -1000 ? -1 : 0; }
    public static void exit(int code) { System.exit(code); }
    public static void halt() { Runtime.getRuntime().halt(1); }
    public static void hang() { while (true) { } }
    public static void sleep() throws Exception { Thread.sleep(Long.MAX_VALUE); }
    public static int recurse(int x) { return recurse(x + 1) + 1; }
    public static Object exhaust() {
        List<long[]> all = new ArrayList<>();
        while (true) all.add(new long[1 << 20]);
    }
    public static void litter(String name) throws Exception {
        try (FileWriter writer = new FileWriter("/tmp/" + name)) { writer.write("rogue"); }
    }
    public static void thread() { new Thread(() -> { while (true) { } }).start(); }
    public static void print() { System.out.println("{}"); System.err.println("{}"); }
    public static void kill() throws Exception { new ProcessBuilder("kill", "-9", "1").start(); }
}
"#;

/// Asks for the time in a way that looks stable: the same in a search, whose clock stands in 2020, and in plain JVMs
/// of this decade.
const LICENSE: &str = r"
//- /q/License.java
package q;

public class License {
    public static int twice(int x) { return x > 100 ? 2 * x : x + x; }
    public static boolean isExpired() {
        if (System.currentTimeMillis() > 1893456000000L) { return true; }
        return false;
    }
    public static int hour(int x) { return System.nanoTime() == x ? 1 : 2; }
}
";

/// Runs `generate` for compiled sources with these words.
fn generate(sources: &str, words: &str, out: &Path) -> Command {
    let compiled = fixture::compile(sources);
    let mut command = Command::new(covolve());
    command
        .args(["generate", "--json", "--out"])
        .arg(out)
        .arg("--cp")
        .arg(&compiled.folder)
        .args(words.split(' '))
        .env("COVOLVE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("covolve-cache"));
    command
}

fn run(mut command: Command) -> (Output, Vec<ClassReport>) {
    let output = command.output().expect("the command starts");
    let text = String::from_utf8(output.stdout.clone()).expect("JSON is text");
    let reports = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    (output, reports)
}

/// A report of a run that must succeed.
fn reports(command: Command) -> Vec<ClassReport> {
    let (output, reports) = run(command);
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    reports
}

fn files(folder: &Path) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| {
            let path = entry.expect("an entry").path();
            (path.display().to_string(), fs::read_to_string(&path).expect("a test file"))
        })
        .map(|(path, text)| (path.rsplit('/').next().unwrap_or_default().to_owned(), text))
        .collect();
    files.sort();
    files
}

#[test]
fn a_class_gets_a_file_that_covers_it() {
    let out = tempfile::tempdir().expect("a folder");
    let words = "--class p.Account --criterion branch,line --budget 20000executions";
    let [report] = reports(generate(ACCOUNT, words, out.path())).try_into().expect("one report");
    assert_eq!(
        report.goals(),
        {
            let (goals, _) = report.goals();
            (goals, goals)
        },
        "{report:?}"
    );
    assert_eq!(report.losses.verified, report.losses.archived, "{report:?}");
    assert_eq!(report.diagnostics, Vec::<String>::new());
    let [(name, text)] = files(&out.path().join("p")).try_into().expect("one file");
    assert_eq!(name, "AccountCovolveTest.java");
    assert_eq!(text.matches("@Test").count(), report.tests);
    assert!(
        text.contains("assertThrows(IllegalArgumentException.class, () -> new Account(null));"),
        "{text}"
    );
}

#[test]
fn the_same_executions_give_the_same_bytes_whatever_runs_beside_them() {
    let folders = [1, 2, 2].map(|jobs| {
        let out = tempfile::tempdir().expect("a folder");
        let words = format!("--prefix p --budget 500executions --seed 7 --jobs {jobs}");
        let reports = reports(generate(ACCOUNT, &words, out.path()));
        assert_eq!(reports.len(), 2);
        let files = files(&out.path().join("p"));
        assert_eq!(files.len(), 2);
        files
    });
    assert_eq!(folders[0], folders[1]);
    assert_eq!(folders[1], folders[2]);
}

#[test]
fn what_a_class_does_stops_nothing_and_leaves_nothing() {
    let out = tempfile::tempdir().expect("a folder");
    let words = "--class q.Rogue --budget 300executions";
    let [report] = reports(generate(ROGUE, words, out.path())).try_into().expect("one report");
    let [(_, text)] = files(&out.path().join("q")).try_into().expect("one file");
    for expected in ["harmless(", "print("] {
        assert!(text.contains(expected), "{text}");
    }
    for forbidden in ["exit(", "halt(", "hang(", "litter(", "kill(", "exhaust("] {
        assert!(!text.contains(forbidden), "{text}");
    }
    // The mutants of the last test run to their end.
    assert!((300..400).contains(&report.executions), "{report:?}");
}

#[test]
fn a_test_that_kills_the_jvm_costs_itself_alone() {
    let out = tempfile::tempdir().expect("a folder");
    let words = "--class q.Crash --budget 500executions";
    let [report] = reports(generate(CRASH, words, out.path())).try_into().expect("one report");
    let [(_, text)] = files(&out.path().join("q")).try_into().expect("one file");
    assert!(text.contains("harmless(") && !text.contains("Crash.crash(\""), "{text}");
    let told = |sentence: &String| sentence.contains("the worker died (signal 11) in q.Crash.crash");
    assert!(report.diagnostics.iter().any(told), "{:?}", report.diagnostics);
}

#[test]
fn what_disagrees_in_other_surroundings_is_not_delivered() {
    let out = tempfile::tempdir().expect("a folder");
    let words = "--class q.License --budget 300executions";
    let [report] = reports(generate(LICENSE, words, out.path())).try_into().expect("one report");
    let [(_, text)] = files(&out.path().join("q")).try_into().expect("one file");
    assert!(text.contains("License.twice(") && text.contains("License.hour("), "{text}");
    assert!(!text.contains("assertFalse(License.isExpired"), "{text}");
    let is_told = |sentence: &String| sentence.contains("not hold with another clock");
    assert!(report.diagnostics.iter().any(is_told), "{report:?}");
}

/// Whether the first branch is covered depends on what ran before in the same JVM.
const ORDER: &str = r"
//- /p/Order.java
package p;

public class Order {
    private static boolean used;

    public static void use() { used = true; }
    public static void look() { if (!used) { fresh(); } else { old(); } }
    private static void fresh() { }
    private static void old() { }
}
";

#[test]
fn a_goal_that_depends_on_the_order_of_tests_is_not_claimed() {
    let out = tempfile::tempdir().unwrap();
    let reports = reports(generate(
        ORDER,
        "--class p.Order --criterion branch,line --budget 500executions",
        out.path(),
    ));
    let losses = &reports[0].losses;
    let causes: Vec<&str> = losses.goals.iter().map(|goal| goal.cause.as_str()).collect();
    // The branch, the method behind it, and its line.
    assert_eq!(causes, ["order_dependent"; 3], "{losses:?}");
    assert_eq!(losses.archived - losses.verified, 3, "{losses:?}");
}

#[test]
fn a_test_that_needs_static_state_as_it_was_at_first_sets_it() {
    let sources = ORDER.replace("Order", "Switch").replace(
        "public static void use()",
        "public static int twice(int x) { return 2 * x; }\n    public static void reset() { used = false; }\n    public static void use()",
    );
    let out = tempfile::tempdir().unwrap();
    let words = "--class p.Switch --criterion branch,line --budget 500executions";
    let reports = reports(generate(&sources, words, out.path()));
    let losses = &reports[0].losses;
    assert!(losses.goals.is_empty() && losses.archived == losses.verified, "{losses:?}");
}

/// A test may take the table away, for the sake of an exception; all others need it.
const TABLE: &str = r"
//- /p/Table.java
package p;

public class Table {
    static java.util.BitSet table = new java.util.BitSet();

    public static int first(int x) {
        int first = table.nextClearBit(0);
        if (x > 0) { return first; }
        return -first;
    }
    public static int last(int x) {
        int last = table.length();
        if (x < 0) { return last; }
        return -last;
    }
}
";

#[test]
fn a_test_that_takes_static_state_from_all_others_is_left_out() {
    for seed in 0..2 {
        let out = tempfile::tempdir().unwrap();
        let words = format!("--class p.Table --budget 3000executions --seed {seed}");
        let reports = reports(generate(TABLE, &words, out.path()));
        let counts = reports[0].criteria.iter().find(|counts| counts.name == "branch").unwrap();
        // A test that covers a branch may be among those that are left out.
        assert!(counts.covered + 1 >= counts.goals, "seed {seed}: {:?}", reports[0].losses);
    }
}

#[test]
fn what_tests_leave_behind_meets_the_tests_of_other_classes() {
    const LEAKING: &str = r#"
//- /p/Setter.java
package p;
public class Setter { public static void set() { System.setProperty("covolve.test", "x"); } }
//- /p/Getter.java
package p;
public class Getter { public static boolean isSet() { return System.getProperty("covolve.test") != null; } }
"#;
    let out = tempfile::tempdir().expect("a folder");
    let reports = reports(generate(LEAKING, "--prefix p --budget 50executions", out.path()));
    let told = |report: &ClassReport| report.diagnostics.iter().any(|text| text.starts_with("together with"));
    assert!(reports.iter().any(|report| report.class == "p.Getter" && told(report)), "{reports:?}");
    // What is left of both holds in either order, so it no longer says what the property is.
    let text = files(&out.path().join("p")).into_iter().map(|(_, text)| text).collect::<String>();
    assert!(text.contains("Setter.set()") && !text.contains("False"), "{text}");
}

#[test]
fn an_interrupted_run_delivers_what_it_has() {
    let out = tempfile::tempdir().expect("a folder");
    let mut command = generate(IMPOSSIBLE, "--class p.Impossible --budget 1000000000executions", out.path());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
    let pid = Pid::from_raw(child.id() as i32).expect("a process");
    let interrupter = thread::spawn(move || {
        // tidy: whenever the signal comes, the run must end; on most machines the search has begun by then
        thread::sleep(Duration::from_secs(4));
        kill_process(pid, Signal::INT).expect("it runs");
    });
    let output = child.wait_with_output().expect("it ends");
    interrupter.join().expect("the signal was sent");
    assert_eq!(output.status.code(), Some(5), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(files(&out.path().join("p")).len(), 1);
}
