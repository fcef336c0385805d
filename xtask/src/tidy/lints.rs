//! Every member of the workspace takes its lints.

use crate::tidy::Finding;
use crate::tidy::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let lacks = |text: &str| !text.contains("[lints]\nworkspace = true");
    let members = tree.manifests().filter(|(_, manifest)| lacks(&manifest.text));
    let what = "the lints of the workspace are not taken; add `[lints]` with `workspace = true`";
    members
        .map(|(_, manifest)| Finding { path: manifest.path.clone(), line: 0, what: what.to_owned() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_without_the_lints_are_found() {
        let tree = Tree::of(&[
            ("crates/a/Cargo.toml", "[package]\n\n[lints]\nworkspace = true\n"),
            ("crates/b/Cargo.toml", "[package]\n"),
            ("Cargo.toml", "[workspace]\n"),
        ]);
        let found: Vec<String> = check(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(found, ["crates/b/Cargo.toml"]);
    }
}
