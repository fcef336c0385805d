//! Classes that print, end to end: tests assert what was printed, with JUnit itself as the judge.

use crate::support::generated;

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
    public static void usage() {
        for (int line = 1; line <= 40; line++) { System.out.println("  --option" + line + "  what it does"); }
    }
    public static Iterator<String> words() { return Arrays.asList("a", "b").iterator(); }
    public static IntStream numbers() { return IntStream.range(1, 3); }
}
"#;

#[test]
fn what_classes_print_and_give_one_after_the_other_is_asserted_and_holds() {
    let compiled = fixture::compile(SPEAKER);
    for junit in ["5", "4"] {
        let words = ["--class", "p.Speaker", "--junit", junit, "--budget", "2000executions"];
        let (_, file) = generated(&compiled, &words);
        for text in ["Good morning", "Hello"] {
            let line = format!(
                "assertEquals(\"{text}\\n\", printedOut.toString().replace(System.lineSeparator(), \"\\n\"));"
            );
            assert!(file.contains(&line), "{line}\n{file}");
        }
        // A text that a test would not hold is asserted by its length: 9 lines of 25 characters and 31 of 26, each with its end.
        let line =
            "assertEquals(1071, printedOut.toString().replace(System.lineSeparator(), \"\\n\").length());";
        assert!(file.contains(line), "{file}");
        assert!(file.contains("void usagePrintsLongText()"), "{file}");
        // The tests stay, without what does not hold in a plain JVM.
        assert!(file.contains("Speaker.warn(true)") && file.contains("Speaker.warn(false)"), "{file}");
        assert!(!file.to_lowercase().contains("\"watch out"), "{file}");
        assert!(file.contains("forEachRemaining(items::add);"), "{file}");
        assert!(file.contains("assertArrayEquals(new int[] {1, 2}, Speaker.numbers().toArray());"), "{file}");
    }
}
