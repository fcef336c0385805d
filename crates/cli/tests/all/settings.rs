//! Classes that read settings of the JVM, end to end: tests make these settings, and set them back.

use crate::support::generated;
use cli::json::ClassReport;

const SITE: &str = r#"
//- /p/Site.java
package p;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;

public class Site {
    public static String mode() { return "fast".equals(System.getProperty("site.mode", "slow")) ? "quick" : "steady"; }
    public static String call() { return Boolean.getBoolean("site.loud") ? "HEY" : "hey"; }
    public static String ask() throws IOException {
        String line = new BufferedReader(new InputStreamReader(System.in)).readLine();
        if (line == null) { return "nothing"; }
        return line.isEmpty() ? "silence" : "said " + line;
    }
    public static String greet() { return Locale.getDefault().getLanguage().equals("de") ? "Guten Tag" : "Good day"; }
    public static String price() { return String.format("%.2f", 1.5); }
    public static String day() { return new SimpleDateFormat("yyyy-MM-dd").format(new Date(5L)); }
    public static boolean isSummer() { return TimeZone.getDefault().useDaylightTime(); }
}
"#;

fn generate(words: &str) -> (ClassReport, String) {
    let compiled = fixture::compile(SITE);
    let always = ["--class", "p.Site", "--criterion", "branch,line,weak-mutation"];
    generated(&compiled, &[&always[..], &words.split(' ').collect::<Vec<_>>()].concat())
}

#[test]
fn what_code_reads_of_the_jvm_is_set_and_set_back() {
    let [five, again, four] = ["--junit 5", "--junit 5", "--junit 4"].map(|junit| {
        let (report, file) = generate(&format!("{junit} --budget 8000executions"));
        let open: Vec<&str> = report
            .open_goals
            .iter()
            .filter(|open| open.criterion == "branch")
            .map(|open| open.goal.as_str())
            .collect();
        assert!(open.is_empty(), "{:?}\n{file}", report.open_goals);
        for line in [
            "System.setProperty(\"site.mode\", \"fast\");",
            "System.setProperty(\"site.loud\", \"true\");",
            "Locale.setDefault(Locale.US);\n        assertEquals(\"Good day\", Site.greet());",
            "Locale.setDefault(Locale.US);\n        assertEquals(\"1.50\", Site.price());",
            "Locale.setDefault(Locale.GERMANY);",
            // The same day in all zones before Greenwich.
            "TimeZone.setDefault(TimeZone.getTimeZone(\"UTC\"));\n        assertEquals(\"1970-01-01\", Site.day());",
            "TimeZone.setDefault(TimeZone.getTimeZone(\"UTC\"));",
            "System.setProperties(originalProperties);",
            "System.setIn(originalInput);",
            "Locale.setDefault(originalLocale);",
            "TimeZone.setDefault(originalZone);",
        ] {
            assert!(file.contains(line), "{line}: {file}");
        }
        file
    });
    assert_eq!(five, again, "the same executions give the same bytes");
    assert!(five.contains("    @AfterEach\n    void restoreSettings() {"), "{five}");
    assert!(four.contains("    @After\n    public void restoreSettings() {"), "{four}");
}

#[test]
fn without_the_parameter_tests_set_nothing() {
    let (_, file) = generate("--set settings=0 --budget 300executions");
    assert!(!file.contains("setProperty") && !file.contains("restoreSettings"), "{file}");
}
