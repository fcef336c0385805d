//! The files that rules look at.

use std::path::Path;

use anyhow::Context as _;
use experiment::repository::output_of;
use quote::ToTokens as _;
use syn::spanned::Spanned as _;

/// What a comment begins with that says why a rule does not hold for what stands below it.
pub(super) const REASON: &str = "// tidy: ";

/// Text files of the repository, tracked or about to be.
#[derive(Default)]
pub(super) struct Tree {
    /// Sorted by path.
    pub(super) files: Vec<File>,
}

/// A text file.
pub(super) struct File {
    /// Path below the root, with slashes.
    pub(super) path: String,
    pub(super) text: String,
    /// A Rust file as a syntax tree.
    pub(super) syntax: Option<syn::File>,
}

impl Tree {
    /// Reads what git tracks or would add. Files that are no text are left out.
    pub(super) fn read(root: &Path) -> anyhow::Result<Self> {
        let list = output_of("git", &["ls-files", "--cached", "--others", "--exclude-standard"])?;
        let mut tree = Self::default();
        for path in list.lines() {
            // A tracked file may be deleted in the working tree; a file that is no text is no matter of style.
            let Ok(text) = std::fs::read_to_string(root.join(path)) else {
                continue;
            };
            tree.add(path, &text).with_context(|| format!("{path} cannot be parsed"))?;
        }
        tree.files.sort_by(|left, right| left.path.cmp(&right.path));
        Ok(tree)
    }

    fn add(&mut self, path: &str, text: &str) -> syn::Result<()> {
        let syntax = if is_of_kind(path, "rs") { Some(syn::parse_file(text)?) } else { None };
        self.files.push(File { path: path.to_owned(), text: text.to_owned(), syntax });
        Ok(())
    }

    /// A tree in memory, for tests.
    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let mut tree = Self::default();
        for (path, text) in files {
            tree.add(path, text).unwrap();
        }
        tree
    }

    pub(super) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Rust files with their syntax.
    pub(super) fn rust(&self) -> impl Iterator<Item = (&File, &syn::File)> {
        self.files.iter().filter_map(|file| Some((file, file.syntax.as_ref()?)))
    }

    /// Manifests of the workspace's members with the member's folder: `crates/<name>` or `xtask`.
    pub(super) fn manifests(&self) -> impl Iterator<Item = (&str, &File)> {
        self.files.iter().filter_map(|file| {
            let folder = file.path.strip_suffix("/Cargo.toml")?;
            let is_member =
                folder == "xtask" || folder.strip_prefix("crates/").is_some_and(|name| !name.contains('/'));
            is_member.then_some((folder, file))
        })
    }

    /// Whether a file or folder of this path exists.
    pub(super) fn has(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        let below = format!("{path}/");
        self.files.iter().any(|file| file.path == path || file.path.starts_with(&below))
    }
}

impl File {
    /// Whether it belongs to tests and benchmarks alone.
    pub(super) fn is_test(&self) -> bool {
        ["/tests/", "/benches/"].iter().any(|folder| self.path.contains(folder))
            || self.path.starts_with("crates/fixture/")
    }

    /// Whether it is code of a crate, not its tests, benchmarks, examples or build script.
    pub(super) fn is_source_of_crate(&self) -> bool {
        let mut parts = self.path.split('/');
        (parts.next(), parts.nth(1)) == (Some("crates"), Some("src"))
    }

    /// Whether the comments and attributes directly above a line (from 1) say why a rule does not hold there.
    pub(super) fn has_reason(&self, line: usize) -> bool {
        let lines: Vec<&str> = self.text.lines().take(line - 1).map(str::trim_start).collect();
        let above = lines.iter().rev();
        above
            .take_while(|line| line.starts_with("//") || line.starts_with('#'))
            .any(|line| line.starts_with(REASON))
    }

    /// The lines from 1 of its items that are compiled for tests alone; all of them in a file of tests.
    pub(super) fn test_lines(&self) -> Vec<std::ops::RangeInclusive<usize>> {
        if self.is_test() {
            return vec![1..=usize::MAX];
        }
        let items = self.syntax.iter().flat_map(|syntax| &syntax.items);
        let modules = items.filter_map(|item| match item {
            syn::Item::Mod(module) if is_cfg_test(&module.attrs) => Some(item.span()),
            _ => None,
        });
        modules.map(|span| span.start().line..=span.end().line).collect()
    }
}

/// Whether a file has this extension.
pub(super) fn is_of_kind(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found == extension)
}

/// Whether an item is compiled for tests alone.
pub(super) fn is_cfg_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
    })
}

/// An identifier or keyword of a Rust file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// From 1.
    pub(super) line: usize,
    pub(super) text: String,
}

/// All identifiers of a syntax tree in their order, those in arguments of macros included; no comments, no literals.
pub(super) fn words(syntax: &syn::File) -> Vec<Word> {
    let mut found = Vec::new();
    collect(syntax.to_token_stream(), &mut found);
    found
}

/// Adds all identifiers of these tokens.
pub(super) fn collect(tokens: proc_macro2::TokenStream, found: &mut Vec<Word>) {
    for token in tokens {
        match token {
            proc_macro2::TokenTree::Ident(word) => {
                found.push(Word { line: word.span().start().line, text: word.to_string() });
            }
            proc_macro2::TokenTree::Group(group) => collect(group.stream(), found),
            proc_macro2::TokenTree::Punct(_) | proc_macro2::TokenTree::Literal(_) => {}
        }
    }
}
