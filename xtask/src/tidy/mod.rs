//! `cargo xtask tidy`: rules that no compiler checks. A rule is one file and one line in [`RULES`]. The tests of this
//! crate run it as well, so that `cargo test --workspace` does.

mod clocks;
mod closed_sets;
mod dependencies;
mod formulas;
mod globs;
mod hash_maps;
mod lints;
mod machine;
mod map;
mod randomness;
mod sizes;
mod statics;
mod tree;
mod unsafe_code;
mod waits;
mod words;

use anyhow::bail;
use experiment::console::say;
use experiment::repository::root;

use crate::tidy::tree::Tree;

/// Looks at the tree and reports what breaks the rule: where, and what is wrong.
type Rule = fn(&Tree) -> Vec<Finding>;

const RULES: &[Rule] = &[
    map::check,
    dependencies::check,
    lints::check,
    sizes::check,
    statics::check,
    globs::check,
    unsafe_code::check,
    machine::check,
    words::check,
    clocks::check,
    randomness::check,
    hash_maps::check,
    closed_sets::check,
    waits::check,
    formulas::check,
];

/// A broken rule.
#[derive(Debug, PartialEq, Eq)]
struct Finding {
    /// File, below the root.
    path: String,
    /// Line from 1; 0 for the whole file.
    line: usize,
    /// What is wrong and what to do.
    what: String,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}: {}", self.path, self.line, self.what)
    }
}

pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    if !words.is_empty() {
        bail!("tidy takes no arguments");
    }
    let findings = findings(&Tree::read(&root())?);
    for finding in &findings {
        say(&finding.to_string());
    }
    match findings.len() {
        0 => Ok(()),
        number => bail!("{number} findings"),
    }
}

fn findings(tree: &Tree) -> Vec<Finding> {
    RULES.iter().flat_map(|rule| rule(tree)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_tidy() {
        let findings = findings(&Tree::read(&root()).unwrap());
        let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert!(findings.is_empty(), "{}", findings.join("\n"));
    }
}
