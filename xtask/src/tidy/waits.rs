//! Tests neither sleep nor judge by the clock: on a busy machine that fails. A comment `// tidy: <reason>` directly above says
//! why it does not where it must be.

use syn::visit::{self, Visit};

use crate::tidy::Finding;
use crate::tidy::tree::{REASON, Tree, Word, collect, words};

/// What of `std::thread` waits.
const WAITS: [&str; 3] = ["sleep", "sleep_ms", "park_timeout"];

/// What tells the time.
const CLOCKS: [&str; 2] = ["Instant", "SystemTime"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, syntax) in tree.rust() {
        let tests = file.test_lines();
        let mut assertions = Assertions { found: Vec::new() };
        assertions.visit_file(syntax);
        let mut found = second_of_pairs(&words(syntax), |before, word| {
            before == "thread" && WAITS.contains(&word) || CLOCKS.contains(&word)
        });
        found.extend(assertions.found);
        found.retain(|word| tests.iter().any(|lines| lines.contains(&word.line)));
        findings.extend(found.into_iter().filter(|word| !file.has_reason(word.line)).map(|word| {
            let what = format!(
                "a test waits or judges by the clock with `{}`; wait for what happens, or say why not: `{REASON}<reason>`",
                word.text
            );
            Finding { path: file.path.clone(), line: word.line, what }
        }));
    }
    findings
}

/// The words that are looked for, given the word before them.
fn second_of_pairs(words: &[Word], is_wanted: impl Fn(&str, &str) -> bool) -> Vec<Word> {
    let pairs = words.array_windows();
    pairs.filter(|[before, word]| is_wanted(&before.text, &word.text)).map(|[_, word]| word.clone()).collect()
}

/// What `assert!` and its kin ask of a clock.
struct Assertions {
    found: Vec<Word>,
}

impl<'ast> Visit<'ast> for Assertions {
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if call.path.segments.last().is_some_and(|name| name.ident.to_string().contains("assert")) {
            let mut words = Vec::new();
            collect(call.tokens.clone(), &mut words);
            self.found.extend(second_of_pairs(&words, |before, word| {
                word == "elapsed" || word == "now" && before.ends_with("clock")
            }));
        }
        visit::visit_macro(self, call);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_do_not_wait() {
        let text = "use std::thread::sleep;\nfn f() { thread::sleep(x); }\nfn g() {\n// tidy: looks again\n\
                    thread::sleep(x);\nassert!(clock.now() < x);\nlet y = clock.now();\n}\n";
        let inside = format!("fn f() {{ thread::sleep(x); }}\n#[cfg(test)]\nmod tests {{\n{text}}}\n");
        let tree = Tree::of(&[("crates/a/tests/a.rs", text), ("crates/a/src/a.rs", &inside)]);
        let found: Vec<String> = check(&tree).iter().map(|f| format!("{}:{}", f.path, f.line)).collect();
        assert_eq!(
            found,
            [
                "crates/a/tests/a.rs:1",
                "crates/a/tests/a.rs:2",
                "crates/a/tests/a.rs:6",
                "crates/a/src/a.rs:4",
                "crates/a/src/a.rs:5",
                "crates/a/src/a.rs:9"
            ]
        );
    }
}
