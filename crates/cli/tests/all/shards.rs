//! A project on several machines: together they come to what one machine comes to.

#![expect(clippy::disallowed_methods, reason = "tests read and write files")]

use crate::support;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use project::request::JunitChoice;

/// Five classes for four machines: the smallest two share one.
const CLASSES: &str = "
//- /p/Sign.java
package p;
public class Sign { public int of(int x) { return x < 0 ? -1 : 1; } }
//- /p/Rate.java
package p;
public class Rate { public int percent() { return 7; } }
//- /p/Half.java
package p;
public class Half { public int of(int x) { return x / 2; } }
//- /p/Range.java
package p;
public class Range { public boolean holds(int x) { return x > 3 && x < 9; } }
//- /p/Word.java
package p;
public class Word { public String of(String x) { return x == null ? \"none\" : x.isEmpty() ? \"empty\" : x + x; } }
";

/// The checkout of a machine.
struct Checkout(tempfile::TempDir);

impl Checkout {
    fn new() -> Self {
        let checkout = Self(tempfile::tempdir().unwrap());
        let compiled = fixture::compile(CLASSES);
        fs::create_dir_all(checkout.path("classes/p")).unwrap();
        for file in fs::read_dir(compiled.folder.join("p")).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), checkout.path("classes/p").join(file.file_name())).unwrap();
        }
        checkout
    }

    /// A module without a build has the name of its folder, which is the same on all machines.
    fn path(&self, below: &str) -> PathBuf {
        fs::canonicalize(self.0.path()).unwrap().join("shop").join(below)
    }

    fn covolve(&self, words: &[&str]) -> Output {
        let mut command = Command::new(support::covolve());
        command.args(words).env("COVOLVE_CACHE", support::environment().cache.unwrap());
        command.current_dir(self.path("")).output().unwrap()
    }

    /// Generates tests; what was said.
    fn generate(&self, words: &[&str]) -> String {
        let junit = std::env::join_paths(support::junit(JunitChoice::Jupiter).class_path).unwrap();
        let first = ["generate", "--budget", "100executions", "--junit-cp", junit.to_str().unwrap()];
        let output = self.covolve(&[&first, words].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{said}");
        said
    }

    /// The test files with their text.
    fn tests(&self) -> BTreeMap<String, String> {
        let files = fs::read_dir(self.path("covolve-tests/p")).unwrap().map(|file| file.unwrap());
        files
            .map(|file| (file.file_name().into_string().unwrap(), fs::read_to_string(file.path()).unwrap()))
            .collect()
    }
}

#[test]
fn four_machines_come_to_the_same_bytes_as_one() {
    let alone = Checkout::new();
    alone.generate(&[]);
    let machines: Vec<Checkout> = (0..4).map(|_| Checkout::new()).collect();
    let mut together = BTreeMap::new();
    for (machine, shard) in machines.iter().zip(["1/4", "2/4", "3/4", "4/4"]) {
        let said = machine.generate(&["--shard", shard]);
        let number = machine.tests().len();
        assert!(said.contains(&format!("covolve: shard {shard}: {number} of 5 classes\n")), "{said}");
        for (file, text) in machine.tests() {
            assert_eq!(together.insert(file, text), None, "no class is in two shards");
        }
    }
    assert_eq!(together, alone.tests());
    check_merged(&machines, &together);
}

/// With the files of all machines and what they have come to know, a checkout is as if one had done it all.
fn check_merged(machines: &[Checkout], tests: &BTreeMap<String, String>) {
    let last = Checkout::new();
    let states: Vec<PathBuf> = machines.iter().map(|machine| machine.path(".covolve")).collect();
    let states: Vec<&str> = states.iter().map(|state: &PathBuf| Path::to_str(state).unwrap()).collect();
    let output = last.covolve(&[&["merge"], states.as_slice()].concat());
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with("5 classes in .covolve (") && output.status.success(), "{said}");
    fs::create_dir_all(last.path("covolve-tests/p")).unwrap();
    for (file, text) in tests {
        fs::write(last.path("covolve-tests/p").join(file), text).unwrap();
    }
    let said = last.generate(&[]);
    assert!(said.ends_with("covolve: 5 classes are unchanged since an earlier run\n"), "{said}");
    let report = last.covolve(&["report", "--format", "lcov", "--out", "-"]);
    let lcov = String::from_utf8(report.stdout).unwrap();
    assert!(report.status.success() && lcov.contains("BRF:"), "{lcov}");
}
