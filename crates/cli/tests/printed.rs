//! Classes that print, end to end: tests assert what was printed, with JUnit itself as the judge.

#![expect(clippy::disallowed_methods, reason = "tests read files")]

mod support;

use std::fs;
use std::process::Command;

use cli::json::ClassReport;
use support::covolve;

/// Greets; and warns through a stream that it took when it was initialized, which no test can replace.
const SPEAKER: &str = r#"
//- /p/Speaker.java
package p;

import java.io.PrintStream;
import java.util.Iterator;
import java.util.Arrays;
import java.util.stream.IntStream;

public class Speaker {
    static class Late { static final PrintStream ERR = System.err; }

    public static void greet(boolean isMorning) {
        if (isMorning) { System.out.println("Good morning"); } else { System.out.println("Hello"); }
    }
    public static void warn(boolean isLoud) {
        if (isLoud) { Late.ERR.println("WATCH OUT"); } else { Late.ERR.println("watch out"); }
    }
    public static Iterator<String> words() { return Arrays.asList("a", "b").iterator(); }
    public static IntStream numbers() { return IntStream.range(1, 3); }
}
"#;

#[test]
fn what_classes_print_and_give_one_after_the_other_is_asserted_and_holds() {
    let compiled = fixture::compile(SPEAKER);
    for junit in ["5", "4"] {
        let out = tempfile::tempdir().expect("a folder");
        let output = Command::new(covolve())
            .args(["generate", "--class", "p.Speaker", "--json", "--junit", junit])
            .args(["--budget", "2000executions", "--cp"])
            .arg(&compiled.folder)
            .arg("--out")
            .arg(out.path())
            .env("COVOLVE_CACHE", support::environment().cache.expect("a folder"))
            .output()
            .expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr);
        let report: ClassReport =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"));
        let file = fs::read_to_string(report.file.as_ref().expect("a file")).expect("it was written");
        for text in ["Good morning", "Hello"] {
            let line = format!(
                "assertEquals(\"{text}\\n\", printedOut.toString().replace(System.lineSeparator(), \"\\n\"));"
            );
            assert!(file.contains(&line), "{line}\n{file}");
        }
        // The tests stay, without what does not hold in a plain JVM.
        assert!(file.contains("Speaker.warn(true)") && file.contains("Speaker.warn(false)"), "{file}");
        assert!(!file.to_lowercase().contains("\"watch out"), "{file}");
        assert!(file.contains("forEachRemaining(items::add);"), "{file}");
        assert!(file.contains("assertArrayEquals(new int[] {1, 2}, Speaker.numbers().toArray());"), "{file}");
    }
}
