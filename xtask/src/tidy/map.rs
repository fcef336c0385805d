//! The map is true: every crate is on it, and every path that a document names exists.

use crate::tidy::Finding;
use crate::tidy::tree::{Tree, is_of_kind};

const MAP: &str = "ARCHITECTURE.md";

/// Folders at the root; what begins otherwise is an example, not a path of ours.
const ROOTS: [&str; 8] = ["contrib/", "crates/", "docs/", "eval/", "fixtures/", "xtask/", ".ci/", ".github/"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let Some(map) = tree.file(MAP) else {
        return vec![Finding { path: MAP.to_owned(), line: 0, what: "the map is missing".to_owned() }];
    };
    for (folder, _) in tree.manifests() {
        if !map.text.contains(&format!("`{folder}`")) {
            findings.push(Finding {
                path: MAP.to_owned(),
                line: 0,
                what: format!("`{folder}` is not on the map"),
            });
        }
    }
    for document in tree.files.iter().filter(|file| is_document(&file.path)) {
        for (number, line) in document.text.lines().enumerate() {
            for path in quoted(line).filter(|quoted| is_path(quoted)) {
                if !tree.has(up_to_placeholder(path)) {
                    let what = format!("`{path}` does not exist");
                    findings.push(Finding { path: document.path.clone(), line: number + 1, what });
                }
            }
        }
    }
    findings
}

/// Whether the file describes the tree as it is; the change log and results of measurements tell of the past.
fn is_document(path: &str) -> bool {
    [MAP, "CONTRIBUTING.md", "README.md"].contains(&path)
        || path.starts_with("docs/") && is_of_kind(path, "md")
}

/// What stands between backticks.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

fn is_path(text: &str) -> bool {
    ROOTS.iter().any(|root| text.starts_with(root))
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "/_-.<>".contains(c))
}

/// The folder that holds what stands for many: `a/b` of `a/b/<name>.rs`.
fn up_to_placeholder(path: &str) -> &str {
    let Some((before, _)) = path.split_once('<') else { return path };
    before.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_crates_and_paths_are_found() {
        let tree = Tree::of(&[
            (
                "ARCHITECTURE.md",
                "see `crates/a` and\n`crates/a/src/gone.rs`, `crates/<x>/src`, `Vec/x`\n\
                 `crates/a/<x>.rs`, `crates/a/gone/<x>.rs`, `docs/guide/x-<y>.md`",
            ),
            ("README.md", "`docs/guide/`"),
            ("docs/guide/a.md", "`crates/b`"),
            ("crates/a/Cargo.toml", ""),
            ("crates/b/Cargo.toml", ""),
        ]);
        let found: Vec<String> = check(&tree).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "ARCHITECTURE.md:0: `crates/b` is not on the map",
                "ARCHITECTURE.md:2: `crates/a/src/gone.rs` does not exist",
                "ARCHITECTURE.md:3: `crates/a/gone/<x>.rs` does not exist"
            ]
        );
    }
}
