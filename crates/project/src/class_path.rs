//! Entries of class paths as users write them.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Makes entries absolute (children work in folders of their own) and replaces `folder/*` by the jars in it, as
/// the `java` launcher does.
///
/// # Errors
/// An entry is missing, or a wildcard's folder is, or no JVM could be told its name.
pub fn expand(entries: &[PathBuf], option: &str) -> Result<Vec<PathBuf>, Failure> {
    let mut expanded: Vec<PathBuf> = Vec::new();
    for entry in entries {
        let missing = || {
            Failure::input(format!(
                "{option} names {}, which does not exist; check the path",
                entry.display()
            ))
        };
        if entry.file_name().is_some_and(|name| name == "*") {
            let folder =
                entry.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            expanded.extend(jars_in(folder).ok_or_else(missing)?);
        } else {
            expanded.push(std::path::absolute(entry).ok().filter(|path| path.exists()).ok_or_else(missing)?);
        }
    }
    let mut unique: Vec<PathBuf> = Vec::new();
    for entry in expanded {
        if entry.to_str().is_none_or(|name| name.contains(':')) {
            return Err(Failure::input(format!(
                "{option} names {}, which no class path can name: it has a colon in it or is no Unicode; rename it",
                entry.display()
            )));
        }
        if !unique.contains(&entry) {
            unique.push(entry);
        }
    }
    Ok(unique)
}

fn jars_in(folder: &Path) -> Option<Vec<PathBuf>> {
    let entries = std::fs::read_dir(std::path::absolute(folder).ok()?).ok()?;
    let mut jars: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jar")))
        .collect();
    jars.sort();
    Some(jars)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "test set-up")]
    fn wildcards_stand_for_the_jars_of_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.jar", "a.JAR", "c.txt"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let entries = [folder.path().join("*"), folder.path().join("b.jar"), folder.path().to_owned()];
        let expanded = expand(&entries, "--cp").unwrap();
        let expect: Vec<PathBuf> =
            vec![folder.path().join("a.JAR"), folder.path().join("b.jar"), folder.path().to_owned()];
        assert_eq!(expanded, expect);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "test set-up")]
    fn names_that_no_class_path_can_hold_are_refused() {
        use std::os::unix::ffi::OsStrExt as _;
        let check = |name: &[u8]| {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join(std::ffi::OsStr::from_bytes(name)), "").unwrap();
            expand(&[folder.path().join("*")], "--cp").map_err(|failure| failure.sentence)
        };
        assert!(check("ä ß.jar".as_bytes()).is_ok());
        for name in [&b"a:b.jar"[..], b"\xff.jar"] {
            assert!(check(name).is_err_and(|sentence| sentence.contains("no class path can name")));
        }
    }

    #[test]
    fn a_missing_entry_is_named() {
        let sentence = expand(&[PathBuf::from("no/such.jar")], "--cp").unwrap_err().sentence;
        assert_eq!(sentence, "--cp names no/such.jar, which does not exist; check the path");
    }
}
