//! The glossary holds: the types that it names exist, and no text of ours says what it says not to say.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};

use crate::tidy::Finding;
use crate::tidy::tree::{File, Tree, is_of_kind};

const GLOSSARY: &str = "docs/glossary.md";

/// Columns of its tables: type, and what is not said.
const TYPE: usize = 1;
const NOT: usize = 3;

/// What tells of the past, or is not ours.
const EXEMPT: [&str; 3] = [GLOSSARY, "CHANGELOG.md", "Cargo.lock"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let Some(glossary) = tree.file(GLOSSARY) else { return Vec::new() };
    let declared = declared(tree);
    let mut findings = Vec::new();
    let mut banned = Vec::new();
    for (number, line) in glossary.text.lines().enumerate() {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if !line.starts_with('|') || cells.len() <= NOT || cells[0] == "term" || cells[0].starts_with("--") {
            continue;
        }
        for name in quoted_types(cells[TYPE]).filter(|name| !declared.contains(*name)) {
            let what = format!("there is no `{name}`");
            findings.push(Finding { path: GLOSSARY.to_owned(), line: number + 1, what });
        }
        let phrases = cells[NOT].split(',').map(str::trim).filter(|phrase| !phrase.is_empty());
        banned.extend(phrases.map(|phrase| (phrase.to_lowercase(), cells[0].to_owned())));
    }
    findings.extend(tree.files.iter().filter(|file| is_ours(file)).flat_map(|file| said(file, &banned)));
    findings
}

/// Names in backticks that are those of types: the first part of a path that begins with a capital.
fn quoted_types(cell: &str) -> impl Iterator<Item = &str> {
    let quoted = cell.split('`').skip(1).step_by(2);
    quoted.flat_map(|path| path.split("::")).filter(|name| name.starts_with(char::is_uppercase))
}

fn is_ours(file: &File) -> bool {
    let is_text = ["rs", "java", "md", "json"].iter().any(|kind| is_of_kind(&file.path, kind));
    is_text && !EXEMPT.contains(&file.path.as_str()) && !file.path.starts_with("eval/runs/")
}

/// Where a file says what is not to be said. A phrase may go over the end of a line of comment.
fn said(file: &File, banned: &[(String, String)]) -> Vec<Finding> {
    let lines: Vec<String> = file.text.lines().map(str::to_lowercase).collect();
    let bare = |line: &str| line.trim_start().trim_start_matches(['/', '!', '*', ' ']).to_owned();
    let mut findings = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let next = lines.get(number + 1).map_or("", String::as_str);
        let joined = format!("{} {}", line.trim_end(), bare(next));
        for (phrase, word) in banned {
            let begins_here = joined.find(phrase.as_str()).is_some_and(|at| at < line.trim_end().len());
            if begins_here {
                let what = format!("say \"{word}\" for \"{phrase}\" (docs/glossary.md)");
                findings.push(Finding { path: file.path.clone(), line: number + 1, what });
            }
        }
    }
    findings
}

/// Names of all structs, enums, traits and type aliases.
fn declared(tree: &Tree) -> BTreeSet<String> {
    let mut found = Declared(BTreeSet::new());
    for (_, syntax) in tree.rust() {
        found.visit_file(syntax);
    }
    found.0
}

struct Declared(BTreeSet<String>);

impl<'ast> Visit<'ast> for Declared {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let name = match item {
            syn::Item::Struct(item) => Some(&item.ident),
            syn::Item::Enum(item) => Some(&item.ident),
            syn::Item::Trait(item) => Some(&item.ident),
            syn::Item::Type(item) => Some(&item.ident),
            _ => None,
        };
        self.0.extend(name.map(ToString::to_string));
        visit::visit_item(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_types_and_words_that_are_not_ours_are_found() {
        let tree = Tree::of(&[
            (
                GLOSSARY,
                "| term | type | meaning | not |\n| --- | --- | --- | --- |\n| thing | `Thing`, `Other` | x | whatsit, odd bit |\n",
            ),
            ("crates/a/src/lib.rs", "/// A whatsit, and an odd\n/// bit.\nstruct Thing;\n"),
            ("eval/runs/x/README.md", "a whatsit"),
        ]);
        let found: Vec<String> = check(&tree).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "docs/glossary.md:3: there is no `Other`",
                "crates/a/src/lib.rs:1: say \"thing\" for \"whatsit\" (docs/glossary.md)",
                "crates/a/src/lib.rs:1: say \"thing\" for \"odd bit\" (docs/glossary.md)",
            ]
        );
    }
}
