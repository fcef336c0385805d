//! The class data archive of verification JVMs: made once per JDK, runner and JUnit before a session's time runs, kept in
//! the cache folder, and used by every later session. Without it all works, only slower.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use project::jdk::Jdk;

/// Where the archive for this JDK and class path is kept; `None` where the JDK cannot make one (it can since 13).
/// The name changes with everything that makes an archive useless.
pub fn path(folder: &Path, jdk: &Jdk, class_path: &[PathBuf]) -> Option<PathBuf> {
    if jdk.version < 13 {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    stamp(&jdk.libjvm).hash(&mut hasher);
    stamp(&jdk.home.join("lib/modules")).hash(&mut hasher);
    for entry in class_path {
        // A folder on the class path rules archives out.
        fs::metadata(entry).ok().filter(fs::Metadata::is_file)?;
        stamp(entry).hash(&mut hasher);
    }
    Some(folder.join(format!("classes-{}-{:016x}.jsa", jdk.version, hasher.finish())))
}

/// Path, size and time of a file.
fn stamp(file: &Path) -> (PathBuf, u64, u128) {
    let metadata = fs::metadata(file).ok();
    let modified = metadata.as_ref().and_then(|metadata| metadata.modified().ok());
    let nanos =
        modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |time| time.as_nanos());
    (file.to_owned(), metadata.map_or(0, |metadata| metadata.len()), nanos)
}

/// Moves a fresh archive to its place, whole or not at all.
pub fn keep(fresh: &Path, place: &Path) {
    let Some(folder) = place.parent().filter(|_| fs::metadata(fresh).is_ok_and(|file| file.len() > 0)) else {
        return;
    };
    // The scratch folder may lie on another file system: copy beside the place, then rename.
    let copied = tempfile::NamedTempFile::new_in(folder).ok().and_then(|aside| {
        fs::copy(fresh, aside.path()).ok()?;
        aside.persist(place).ok()
    });
    drop(copied);
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "test set-up")]
mod tests {
    use super::*;

    #[test]
    fn the_name_follows_the_class_path() {
        let folder = tempfile::tempdir().unwrap();
        let jar = folder.path().join("a.jar");
        fs::write(&jar, "1").unwrap();
        let mut jdk =
            Jdk { home: folder.path().into(), version: 17, libjvm: folder.path().join("libjvm.so") };
        let of = |jdk: &Jdk, entries: &[PathBuf]| path(folder.path(), jdk, entries);
        let first = of(&jdk, std::slice::from_ref(&jar)).unwrap();
        fs::write(&jar, "22").unwrap();
        assert_ne!(of(&jdk, std::slice::from_ref(&jar)).unwrap(), first);
        assert_eq!(of(&jdk, &[folder.path().to_owned()]), None);
        jdk.version = 11;
        assert_eq!(of(&jdk, &[jar]), None);
    }

    #[test]
    fn an_empty_archive_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (fresh, place) = (folder.path().join("fresh"), folder.path().join("place"));
        fs::write(&fresh, "").unwrap();
        keep(&fresh, &place);
        assert!(!place.exists());
        fs::write(&fresh, "x").unwrap();
        keep(&fresh, &place);
        assert!(place.exists());
    }
}
