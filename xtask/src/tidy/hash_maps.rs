//! Nothing iterates a hash map: one file names those of the standard library, and what it offers has no iteration. Clippy
//! refuses the types elsewhere, so no other file may silence it.

use crate::tidy::Finding;
use crate::tidy::tree::{Tree, words};

/// The file with a hash map.
const LOOKUP: &str = "crates/bytecode/src/lookup.rs";

/// Types, modules and the lint that keeps them out.
const WORDS: [&str; 7] =
    ["HashMap", "HashSet", "HashTable", "hash_map", "hash_set", "hashbrown", "disallowed_types"];

/// Methods of a hash map that walk through it, or let it be walked through.
const WALKS: [&str; 12] = [
    "iter",
    "iter_mut",
    "keys",
    "values",
    "values_mut",
    "into_iter",
    "into_keys",
    "into_values",
    "drain",
    "retain",
    "extract_if",
    "IntoIterator",
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, syntax) in tree.rust().filter(|(file, _)| file.path != LOOKUP) {
        for word in words(syntax).iter().filter(|word| WORDS.contains(&word.text.as_str())) {
            let what = format!("`{}`: hash maps are for {LOOKUP} alone; take its `Lookup`", word.text);
            findings.push(Finding { path: file.path.clone(), line: word.line, what });
        }
    }
    if let Some((file, syntax)) = tree.rust().find(|(file, _)| file.path == LOOKUP) {
        findings.extend(walks(syntax).map(|(line, name)| Finding {
            path: file.path.clone(),
            line,
            what: format!("`{name}` walks through a hash map"),
        }));
    }
    findings
}

/// Functions and implementations of the file that offer to walk.
fn walks(syntax: &syn::File) -> impl Iterator<Item = (usize, String)> {
    let implementations = syntax.items.iter().filter_map(|item| match item {
        syn::Item::Impl(item) => Some(item),
        _ => None,
    });
    implementations.flat_map(|item| {
        let of_trait = item.trait_.iter().filter_map(|(path, _)| path.segments.last()).map(|it| &it.ident);
        let functions = item.items.iter().filter_map(|item| match item {
            syn::ImplItem::Fn(function) => Some(&function.sig.ident),
            _ => None,
        });
        let names: Vec<_> = of_trait
            .chain(functions)
            .filter(|name| WALKS.iter().any(|walk| name == walk))
            .map(|name| (name.span().start().line, name.to_string()))
            .collect();
        names
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_maps_are_for_one_file_that_does_not_walk_them() {
        let text = "use std::collections::HashMap;\nfn f() { vec![HashSet::new()]; }\n// HashMap\n\
                    #[expect(clippy::disallowed_types, reason = \"x\")]\nfn g() {}\n";
        let lookup = "use std::collections::HashMap;\nimpl A {\nfn get() { x.iter() }\nfn keys() {}\n}\n\
                      impl IntoIterator for A {}\n";
        let tree = Tree::of(&[("crates/a/src/a.rs", text), ("crates/bytecode/src/lookup.rs", lookup)]);
        let found: Vec<String> = check(&tree).iter().map(|f| format!("{}:{}", f.path, f.line)).collect();
        assert_eq!(
            found,
            [
                "crates/a/src/a.rs:1",
                "crates/a/src/a.rs:2",
                "crates/a/src/a.rs:4",
                "crates/bytecode/src/lookup.rs:4",
                "crates/bytecode/src/lookup.rs:6"
            ]
        );
    }
}
