//! The criteria `input` and `output` end to end: values that random search does not come to, because nothing but their
//! distance leads there.

mod support;

use std::path::Path;
use std::process::Command;

use cli::json::ClassReport;
use support::covolve;

/// Results that no branch and no constant leads to.
const FAR: &str = r#"
//- /p/Far.java
package p;

public class Far {
    // 0 for one argument of 2^32, which is no constant of the code.
    public static int zero(int x) { return 3 * x - 37_035; }
    // 0 on a line.
    public static long sum(int x, int y) { return 7L * x + 3L * y - 40_003L; }
}
"#;

fn report(algorithm: &str, executions: u32) -> ClassReport {
    let compiled = fixture::compile(FAR);
    let out = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(covolve());
    command
        .args(["generate", "--json", "--class", "p.Far", "--criterion", "output,input", "--seed", "1"])
        .args(["--algorithm", algorithm, "--budget", &format!("{executions}executions"), "--out"])
        .arg(out.path())
        .arg("--cp")
        .arg(&compiled.folder)
        .env("COVOLVE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("covolve-cache"));
    let output = command.output().expect("the command starts");
    let text = String::from_utf8(output.stdout).expect("JSON is text");
    serde_json::from_str(text.trim()).expect(&text)
}

#[test]
fn the_distance_to_a_class_leads_where_random_search_does_not() {
    let open = |algorithm: &str| -> Vec<String> {
        let report = report(algorithm, 12_000);
        report.open_goals.iter().map(|open| open.goal.clone()).collect()
    };
    let guided = open("dynamosa");
    assert_eq!(guided, Vec::<String>::new());
    let random = open("random");
    assert!(random.iter().any(|goal| goal.contains("result of p.Far.zero(int) is 0")), "{random:?}");
}
