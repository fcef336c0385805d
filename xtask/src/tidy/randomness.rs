//! There is one generator of random numbers, `testcase::random::Random`: no other file of a crate names one, and no other
//! crate depends on one.

use crate::tidy::Finding;
use crate::tidy::dependencies::dependencies;
use crate::tidy::tree::{Tree, words};

/// Where the generator is.
const GENERATOR: &str = "crates/testcase/src/random.rs";

/// The crate that may depend on the parts of one.
const CRATE: &str = "crates/testcase";

/// Packages, and the identifiers that stand for randomness of the machine, in the standard library and in these.
const PACKAGES: [&str; 6] = ["getrandom", "fastrand", "oorandom", "nanorand", "tinyrand", "proptest"];
const WORDS: [&str; 7] =
    ["getrandom", "fastrand", "RandomState", "thread_rng", "OsRng", "rand", "arc4random"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (folder, manifest) in tree.manifests().filter(|(folder, _)| *folder != CRATE) {
        for dependency in dependencies(&manifest.text) {
            let draws = dependency.name.starts_with("rand") || PACKAGES.contains(&dependency.name);
            if draws && !dependency.is_dev {
                let what = format!("{} is for {CRATE} alone, not for {folder}", dependency.name);
                findings.push(Finding { path: manifest.path.clone(), line: dependency.line, what });
            }
        }
    }
    for (file, syntax) in tree.rust().filter(|(file, _)| file.is_source_of_crate() && file.path != GENERATOR)
    {
        for word in words(syntax) {
            if WORDS.contains(&word.text.as_str()) || word.text.starts_with("rand_") {
                let what = format!("`{}` draws; take a `testcase::random::Random`", word.text);
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
    fn randomness_has_one_source() {
        let text = "use rand_core::Rng;\nfn f() { let x = std::hash::RandomState::new(); }\nfn random() {}\n";
        let manifest =
            "[dependencies]\nrand_chacha.workspace = true\n[dev-dependencies]\nproptest.workspace = true\n";
        let tree = Tree::of(&[
            ("crates/a/Cargo.toml", manifest),
            ("crates/a/src/a.rs", text),
            ("crates/a/tests/a.rs", text),
            ("crates/testcase/Cargo.toml", manifest),
            ("crates/testcase/src/random.rs", text),
            ("crates/testcase/src/value.rs", text),
        ]);
        let found: Vec<String> = check(&tree).iter().map(|f| format!("{}:{}", f.path, f.line)).collect();
        assert_eq!(
            found,
            [
                "crates/a/Cargo.toml:2",
                "crates/a/src/a.rs:1",
                "crates/a/src/a.rs:2",
                "crates/testcase/src/value.rs:1",
                "crates/testcase/src/value.rs:2"
            ]
        );
    }
}
