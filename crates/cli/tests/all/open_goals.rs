//! Why goals stay open, end to end: a class that shows each reason.

use std::path::Path;
use std::process::Command;

use crate::support::covolve;
use cli::json::ClassReport;

const RELUCTANT: &str = r#"
//- /p/Reluctant.java
package p;

import java.io.FileReader;
import java.io.ObjectInputStream;

public class Reluctant implements java.io.Serializable {
    private static final int FIXED = Integer.getInteger("p.reluctant", 7);

    static final class Sealed {
        private Sealed() { }
        int use() { return 1; }
    }

    public static int value(int x) {
        if (x % 4 * (x % 4) == 3) {
            return x > 0 ? 1 : 2;
        }
        return 0;
    }
    public static int fixed(int x) {
        if (FIXED == 8) return 1;
        return 0;
    }
    public static int object(Sealed sealed) {
        if (sealed != null) return 1;
        return 0;
    }
    public static int exception(int x) {
        fail();
        return x;
    }
    private static void fail() {
        if (FIXED > 0) throw new IllegalStateException("never well");
    }
    public static int file(String name) throws Exception {
        try (FileReader reader = new FileReader("/etc/hostname")) {
            return reader.read();
        }
    }
    public static void spin(int x) {
        while (true) { }
    }
    private int dead(int x) { return x + 1; }
    private void readObject(ObjectInputStream stream) { }
}
"#;

#[test]
fn each_open_goal_has_the_reason_that_a_person_would_give() {
    let compiled = fixture::compile(RELUCTANT);
    let out = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(covolve());
    command
        .args([
            "generate",
            "--json",
            "--class",
            "p.Reluctant",
            "--criterion",
            "branch,line",
            // Where it leaves lines out, nobody comes near to them.
            "--goal-selection",
            "combine",
            "--budget",
            "3000executions",
            "--out",
        ])
        .arg(out.path())
        .arg("--cp")
        .arg(&compiled.folder)
        .env("COVOLVE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("covolve-cache"));
    let output = command.output().expect("the command starts");
    let text = String::from_utf8(output.stdout).expect("JSON is text");
    let report: ClassReport = serde_json::from_str(text.trim()).expect(&text);
    let (goals, covered) = report.goals();
    assert_eq!(report.open_goals.len(), goals - covered);
    let check = |method: &str, line_of: &str, reason: &str, detail: &str| {
        let number =
            RELUCTANT.lines().skip(2).position(|line| line.contains(line_of)).expect(line_of) as u32 + 1;
        let found = report
            .open_goals
            .iter()
            .find(|open| open.method.starts_with(&format!("{method}(")) && open.line == Some(number));
        let found = found.unwrap_or_else(|| panic!("line {number} is open: {:#?}", report.open_goals));
        assert_eq!(found.reason, reason, "{found:#?}");
        assert!(found.detail.contains(detail), "{found:#?}");
        found.clone()
    };
    let inner = check("value", "return x > 0", "no_value", "comparison of numbers at line 15");
    let root = inner.behind.expect("it is guarded");
    assert!(root.starts_with("line 15 of p.Reluctant.value(int): the comparison of numbers"), "{root}");
    check("fixed", "if (FIXED == 8) return 1;", "no_value", "never");
    check("object", "if (sealed != null)", "no_object", "p.Reluctant.Sealed");
    check(
        "exception",
        "return x;",
        "exception",
        "IllegalStateException thrown by p.Reluctant.fail in line 33",
    );
    check("file", "return reader.read();", "undeliverable", "touch files");
    check("spin", "while (true)", "undeliverable", "limit");
    check("dead", "private int dead", "no_call", "nothing in the class calls it");
    check("readObject", "private void readObject", "no_call", "serialization");
}
