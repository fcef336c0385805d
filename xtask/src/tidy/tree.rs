//! The files that rules look at.

use std::path::Path;

use anyhow::Context as _;
use experiment::repository::output_of;

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
