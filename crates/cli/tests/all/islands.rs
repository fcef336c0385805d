//! One class searched by workers side by side.

#![expect(clippy::disallowed_methods, reason = "tests read files and start the command")]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{CRASH, covolve};
use cli::json::ClassReport;

/// Exceptions in several orders, and goals that take several calls.
const TILL: &str = r#"
//- /p/Till.java
package p;

public class Till {
    private int coins;
    private String state = "closed";

    public void open() { if (!state.equals("closed")) throw new IllegalStateException(); state = "open"; }
    public void close() { if (state.equals("closed")) throw new UnsupportedOperationException(); state = "closed"; }
    public void pay(int amount) {
        if (amount <= 0) throw new IllegalArgumentException("not positive");
        if (state.equals("closed")) throw new IllegalStateException("closed");
        coins += amount;
    }
    public boolean give(int amount) {
        if (amount > coins) throw new ArithmeticException();
        coins -= amount;
        if (coins == 7351) return true;
        return coins % 1000 == 17 && amount > 40;
    }
    public Integer at(int[] counts, int index) { return counts[index] > 3 ? counts[index] : null; }
}
"#;

/// Is covered at once.
const SMALL: &str = r"
//- /r/Small.java
package r;

public class Small {
    public static int sign(int x) { return x > 3 ? 1 : 0; }
}
";

/// Runs `generate` with these words, on some of the processors if they are named; the report and the file.
fn generate(sources: &str, words: &str, processors: Option<&str>) -> (ClassReport, String) {
    let out = tempfile::tempdir().expect("a folder");
    let mut command = match processors {
        Some(processors) => {
            let mut command = Command::new("taskset");
            command.args(["-c", processors]).arg(covolve());
            command
        }
        None => Command::new(covolve()),
    };
    command.args(["generate", "--json", "--out"]).arg(out.path()).args(words.split(' '));
    command.arg("--cp").arg(&fixture::compile(sources).folder);
    command.env("COVOLVE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("covolve-cache"));
    let output = command.output().expect("the command starts");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let report: ClassReport = serde_json::from_slice(&output.stdout).expect("a report");
    let text = fs::read_to_string(report.file.as_ref().expect("a file")).expect("it is there");
    (report, text)
}

fn covered(report: &ClassReport) -> usize {
    report.criteria.iter().map(|criterion| criterion.covered).sum()
}

/// What repeats of a report: all but times and where the file lies.
fn repeating(report: ClassReport) -> ClassReport {
    let mut report = ClassReport {
        file: None,
        seconds: cli::json::Seconds::default(),
        executions_per_second: 0.0,
        ..report
    };
    report.timeline.iter_mut().for_each(|point| point.seconds = 0.0);
    report.local_search.iter_mut().for_each(|tool| tool.seconds = 0.0);
    report.symbolic_execution.iter_mut().for_each(|symbolic| symbolic.solver_seconds = 0.0);
    report
}

#[test]
fn the_same_number_of_islands_gives_the_same_bytes_on_any_number_of_processors() {
    for (islands, executions) in [(2, 1501), (3, 1000)] {
        let words = format!("--class p.Till --seed 3 --islands {islands} --budget {executions}executions");
        let [first, second, third] = [None, None, Some("0")].map(|on| {
            let (report, text) = generate(TILL, &words, on);
            (repeating(report), text)
        });
        // The mutants of the last test of each run to their end.
        let most = executions + 100 * islands as u64;
        assert!((executions..most).contains(&first.0.executions), "{}", first.0.executions);
        assert_eq!(first.0.islands.len(), islands);
        assert_eq!(first, second, "{islands}");
        assert_eq!(first, third, "{islands} on one processor");
    }
}

#[test]
fn islands_with_local_search_and_symbolic_execution_repeat() {
    let words = "--class p.Till --seed 5 --islands 2 --budget 1500executions --set local-search-rate=1";
    let [first, second] = [None, Some("0")].map(|on| {
        let (report, text) = generate(TILL, words, on);
        (repeating(report), text)
    });
    let tools: Vec<&str> = first.0.local_search.iter().map(|tool| tool.name.as_str()).collect();
    assert!(tools.contains(&"integers") && tools.contains(&"symbolic-execution"), "{tools:?}");
    assert_eq!(first, second);
}

#[test]
fn with_a_budget_in_time_all_islands_end_when_everything_is_covered() {
    let words = "--class r.Small --criterion branch --islands 2 --budget 300s";
    let (report, text) = generate(SMALL, words, None);
    assert!(text.contains("Small.sign("), "{text}");
    let executions: u64 = report.islands.iter().map(|island| island.executions).sum();
    assert_eq!((report.islands.len(), executions), (2, report.executions));
    assert_eq!((covered(&report), report.losses.verified), (3, 3), "{report:?}");
}

#[test]
fn islands_cover_no_less_than_one_worker_with_as_many_executions_each() {
    for seed in [1, 2] {
        let one = format!(
            "--class p.Till --criterion branch,exception --suite complete --seed {seed} --islands 1 --budget 1000executions"
        );
        let three = format!(
            "--class p.Till --criterion branch,exception --suite complete --seed {seed} --islands 3 --budget 3000executions"
        );
        let (one, three) = (generate(TILL, &one, None).0, generate(TILL, &three, None).0);
        assert!(covered(&three) >= covered(&one), "seed {seed}: {:?} {:?}", one.criteria, three.criteria);
        // Whatever any island found is in the file.
        let found: usize = three.islands.iter().map(|island| island.covered_first).sum();
        assert_eq!((three.losses.archived, three.losses.verified), (found, found), "{:?}", three.losses);
    }
}

#[test]
fn an_island_whose_class_kills_its_jvm_does_not_stop_the_others() {
    let words = "--class q.Crash --criterion branch,line --islands 3 --budget 1500executions";
    let [first, second] = [(); 2].map(|()| generate(CRASH, words, None));
    assert!(first.1.contains("harmless(") && !first.1.contains("Crash.crash(\""), "{}", first.1);
    let told = |sentence: &String| sentence.contains("the worker died (signal 11) in q.Crash.crash");
    assert!(first.0.diagnostics.iter().any(told), "{:?}", first.0.diagnostics);
    assert!(first.0.islands.iter().all(|island| island.executions > 0), "{:?}", first.0.islands);
    assert_eq!(repeating(first.0), repeating(second.0));
    assert_eq!(first.1, second.1);
}
