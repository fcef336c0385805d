//! There is one clock, `testcase::clock::Clock`: no other file of a crate reads what time it is.

use crate::tidy::Finding;
use crate::tidy::tree::{Tree, words};

/// Where the clock is.
const CLOCK: &str = "crates/testcase/src/clock.rs";

/// Types through which time is read.
const CLOCKS: [&str; 2] = ["Instant", "SystemTime"];

/// The call that asks the system, and the file that asks it how long a process has computed. That is no time of day.
const CALL: &str = "clock_gettime";
const METER: &str = "crates/processes/src/meter.rs";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, syntax) in tree.rust().filter(|(file, _)| file.is_source_of_crate() && file.path != CLOCK) {
        for word in words(syntax) {
            let reads = CLOCKS.contains(&word.text.as_str()) || word.text == CALL && file.path != METER;
            if reads {
                let what = format!("`{}` reads the time; take a `testcase::clock::Clock`", word.text);
                findings.push(Finding { path: file.path.clone(), line: word.line, what });
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_read_in_one_file() {
        let text = "use std::time::Instant;\nfn f() { assert!(std::time::SystemTime::now() > x); }\n\
                    fn g() { clock_gettime(x) }\n// Instant\nfn h() { \"Instant\"; }\n";
        let tree = Tree::of(&[
            ("crates/a/src/a.rs", text),
            ("crates/processes/src/meter.rs", text),
            ("crates/testcase/src/clock.rs", text),
            ("crates/a/examples/a.rs", text),
            ("xtask/src/a.rs", text),
        ]);
        let found: Vec<String> = check(&tree).iter().map(|f| format!("{}:{}", f.path, f.line)).collect();
        let expect = ["a/src/a.rs:1", "a/src/a.rs:2", "a/src/a.rs:3", "processes/src/meter.rs:1"];
        assert_eq!(found[..4], expect.map(|place| format!("crates/{place}")));
        assert_eq!(found[4..], ["crates/processes/src/meter.rs:2"]);
    }
}
