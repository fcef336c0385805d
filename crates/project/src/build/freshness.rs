//! Whether the compiled classes of a module are those of its sources.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// How the classes of a module stand to its sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Freshness {
    /// No source is newer than its class.
    Fresh,
    /// There are sources and no classes.
    Missing,
    /// Sources are newer than their classes.
    Stale {
        /// One of them.
        source: PathBuf,
        /// How many there are.
        number: usize,
    },
}

/// Compares each source file with the class of its name, and one without such a class with the newest class.
pub fn freshness(sources: &[PathBuf], classes: &[PathBuf]) -> Freshness {
    let newest = classes.iter().filter_map(|classes| newest_class(classes)).max();
    let files = sources.iter().flat_map(|root| {
        let files = files_below(root).into_iter().filter(|file| is_compiled(file));
        files.filter_map(move |file| Some((file.strip_prefix(root).ok()?.with_extension("class"), file)))
    });
    let mut files = files.peekable();
    let Some(newest) = newest else {
        return if files.peek().is_some() { Freshness::Missing } else { Freshness::Fresh };
    };
    let is_stale = |(class, source): &(PathBuf, PathBuf)| {
        let own = classes.iter().find_map(|folder| modified(&folder.join(class)));
        modified(source).is_some_and(|source| source > own.unwrap_or(newest))
    };
    let stale: Vec<PathBuf> = files.filter(is_stale).map(|(_, source)| source).collect();
    match stale.first() {
        Some(first) => Freshness::Stale { source: first.clone(), number: stale.len() },
        None => Freshness::Fresh,
    }
}

/// Whether classes come of a source file. Descriptions of packages often have none.
fn is_compiled(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("java" | "kt" | "groovy" | "scala"))
        && file.file_stem().is_some_and(|stem| stem != "package-info")
}

/// When a file was written, in seconds and nanoseconds: to be compared alone.
pub(crate) type Written = (i64, i64);

pub(crate) fn modified(file: &Path) -> Option<Written> {
    let metadata = fs::metadata(file).ok()?;
    Some((metadata.mtime(), metadata.mtime_nsec()))
}

/// When the newest class in a folder was written, or a jar.
pub(crate) fn newest_class(classes: &Path) -> Option<Written> {
    if classes.is_file() {
        return modified(classes);
    }
    let is_class = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "class");
    files_below(classes).iter().filter(|file| is_class(file)).filter_map(|file| modified(file)).max()
}

/// The files in a folder and in those below it, sorted; links to folders are not followed.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(_) => files.push(entry.path()),
                Err(_) => {}
            }
        }
    }
    files.sort();
    files
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "test set-up")]
mod tests {
    use rustix::fs::{Timespec, Timestamps, futimens};

    use super::*;

    /// Files with the second at which each was written; in the expectation a source that is newer, and their number.
    fn check(files: &[(&str, i64)], expect: Option<(&str, usize)>) {
        let folder = tempfile::tempdir().unwrap();
        for (name, second) in files {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            let written = fs::File::create(&file).unwrap();
            let time = Timespec { tv_sec: *second, tv_nsec: 0 };
            futimens(&written, &Timestamps { last_access: time, last_modification: time }).unwrap();
        }
        let expect = expect.map_or(Freshness::Fresh, |(source, number)| match number {
            0 => Freshness::Missing,
            _ => Freshness::Stale { source: folder.path().join(source), number },
        });
        let found = freshness(&[folder.path().join("src")], &[folder.path().join("out")]);
        assert_eq!(found, expect, "{files:?}");
    }

    #[test]
    fn a_source_must_not_be_newer_than_its_class() {
        check(&[("src/p/A.java", 1), ("out/p/A.class", 2)], None);
        check(&[("src/p/A.java", 2), ("out/p/A.class", 2)], None);
        check(&[("src/p/A.java", 3), ("out/p/A.class", 2)], Some(("src/p/A.java", 1)));
        // The newest class is that of another source.
        check(
            &[("src/p/A.java", 3), ("src/p/B.java", 3), ("out/p/A.class", 2), ("out/p/B.class", 4)],
            Some(("src/p/A.java", 1)),
        );
    }

    #[test]
    fn a_source_without_a_class_of_its_name_is_compared_with_the_newest() {
        check(&[("src/p/Many.java", 1), ("out/p/Other.class", 2)], None);
        check(
            &[("src/p/Many.java", 3), ("src/x.txt", 9), ("out/p/Other.class", 2)],
            Some(("src/p/Many.java", 1)),
        );
    }

    #[test]
    fn sources_without_classes_are_not_compiled() {
        check(&[("src/p/A.java", 1)], Some(("", 0)));
        check(&[("src/p/package-info.java", 1)], None);
        check(&[], None);
    }
}
