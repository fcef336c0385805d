//! The folder that each test has to itself: what a run does in it touches nothing, and the next one finds it empty.
//!
//! No link in it leads out of it: making one is a touch like any other, and so is moving one in. Hence a look at the text
//! of a path tells where it leads.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use testcase::cluster::folder::NAME;
use testcase::statement::Statement;
use testcase::test_case::TestCase;
use testcase::value::Value;

use crate::error::JvmError;

/// The folder of the test that runs.
#[derive(Debug)]
pub(crate) struct TestFolder {
    /// Below a place of this worker alone: a test may also remove it.
    path: PathBuf,
    /// Whether the run has looked at it or written to it.
    is_used: AtomicBool,
    /// Whether something in it could not be removed.
    is_spoilt: AtomicBool,
    /// When it was first made, in milliseconds since 1970 as the file system counts them.
    born: i64,
    dates: Mutex<Dates>,
    /// Whether the names in it are listed in descending order.
    pub(crate) is_listed_backwards: bool,
}

impl TestFolder {
    /// A new folder below a place of this worker alone, which is made where it is missing.
    pub(crate) fn new(place: &Path, is_listed_backwards: bool) -> Result<Self, JvmError> {
        let failed =
            |reason| JvmError::System { what: "the folder for files of tests cannot be used", reason };
        fs::create_dir_all(place).map_err(failed)?;
        let path = fs::canonicalize(place).map_err(failed)?.join(NAME);
        let (is_used, is_spoilt) = (AtomicBool::new(false), AtomicBool::new(false));
        let dates = Mutex::default();
        let mut folder = Self { path, is_used, is_spoilt, born: 0, dates, is_listed_backwards };
        folder.renew().map_err(failed)?;
        let made = fs::metadata(&folder.path).map_err(failed)?;
        folder.born = made.mtime().saturating_mul(1000);
        Ok(folder)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a path leads to the folder or into it.
    pub(crate) fn contains(&self, path: &[u8]) -> bool {
        let Some(rest) = path.strip_prefix(self.path.as_os_str().as_bytes()) else { return false };
        if self.is_spoilt.load(Relaxed) || !(rest.is_empty() || rest.starts_with(b"/")) {
            return false;
        }
        let mut depth = 0_usize;
        for part in rest.split(|byte| *byte == b'/') {
            match part {
                b"" | b"." => {}
                b".." if depth == 0 => return false,
                b".." => depth -= 1,
                _ => depth += 1,
            }
        }
        true
    }

    /// What the run dated files in it to.
    pub(crate) fn dates(&self) -> MutexGuard<'_, Dates> {
        self.dates.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a time in milliseconds since 1970 is that of this process.
    pub(crate) fn is_real_time(&self, millis: i64) -> bool {
        millis >= self.born
    }

    /// A run looks at it or writes to it.
    pub(crate) fn note_use(&self) {
        self.is_used.store(true, Relaxed);
    }

    /// Whether a run has used it since it was emptied.
    pub(crate) fn is_used(&self) -> bool {
        self.is_used.load(Relaxed)
    }

    /// Whether a test that used the folder knows where it is, or where that of another worker is: in the test file it is another one.
    pub(crate) fn is_given(&self, test: &TestCase) -> bool {
        let holds = |statement: &Statement| match statement {
            Statement::Primitive { value: Value::String(text), .. } => text.to_string().contains(NAME),
            Statement::Primitive { .. }
            | Statement::Null { .. }
            | Statement::EnumConstant { .. }
            | Statement::ClassLiteral { .. }
            | Statement::Constructor { .. }
            | Statement::Method { .. }
            | Statement::FieldRead { .. }
            | Statement::FieldWrite { .. }
            | Statement::Array { .. }
            | Statement::ArrayWrite { .. }
            | Statement::Stub { .. } => false,
        };
        self.is_used() && test.statements().iter().any(holds)
    }

    /// Empties it for the next test, if it was used. What cannot be removed makes it a folder like any other.
    pub(crate) fn empty(&self) {
        if self.is_used.swap(false, Relaxed) {
            self.dates().by_path.clear();
            if self.renew().is_err() {
                self.is_spoilt.store(true, Relaxed);
            }
        }
    }

    /// Removes it with all that is in it, and makes it anew.
    fn renew(&self) -> io::Result<()> {
        if fs::remove_dir_all(&self.path).is_err() {
            if fs::symlink_metadata(&self.path).is_ok_and(|of| !of.is_dir()) {
                fs::remove_file(&self.path)?;
            } else {
                permit(&self.path);
                absent(fs::remove_dir_all(&self.path))?;
            }
        }
        fs::create_dir(&self.path)
    }
}

/// When files were changed last, as a run says: in milliseconds since 1970, by path.
#[derive(Debug, Default)]
pub(crate) struct Dates {
    by_path: BTreeMap<Vec<u8>, i64>,
}

impl Dates {
    /// What a file was dated to and has not been changed since.
    pub(crate) fn of(&self, path: &[u8]) -> Option<i64> {
        self.by_path.get(path).copied()
    }

    /// A file is dated.
    pub(crate) fn set(&mut self, path: &[u8], millis: i64) {
        self.by_path.insert(path.to_vec(), millis);
    }

    /// A file is written, made or deleted, which nothing in a folder notices; or the first one gets the name of the second, with all
    /// that is in it.
    pub(crate) fn change(&mut self, paths: &[Vec<u8>]) {
        match paths {
            [only] => _ = self.by_path.remove(only),
            [first, second] => {
                let moved = self.take(first);
                self.take(second);
                let renamed =
                    moved.into_iter().map(|(rest, date)| ([second.as_slice(), &rest].concat(), date));
                self.by_path.extend(renamed);
            }
            _ => {}
        }
    }

    /// Forgets a file, or a folder with all that is in it; gives the ends of the paths behind it, with their dates.
    fn take(&mut self, place: &[u8]) -> Vec<(Vec<u8>, i64)> {
        let rest = |path: &[u8]| {
            path.strip_prefix(place)
                .filter(|rest| rest.is_empty() || rest.starts_with(b"/"))
                .map(<[u8]>::to_vec)
        };
        let taken = self.by_path.iter().filter_map(|(path, date)| Some((rest(path)?, *date))).collect();
        self.by_path.retain(|path, _| rest(path).is_none());
        taken
    }
}

/// That something is not there is fine.
fn absent(removed: io::Result<()>) -> io::Result<()> {
    removed.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

/// Allows everything in a folder, and in those within it: a test may have forbidden it.
fn permit(folder: &Path) {
    // What is left is seen when it is removed.
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|of| of.is_dir()) {
            permit(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_that_stay_in_the_folder_lead_into_it() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = TestFolder::new(place.path(), false).expect("a folder");
        let check = |rest: &str, expect: bool| {
            let path = format!("{}{rest}", folder.path().display());
            assert_eq!(folder.contains(path.as_bytes()), expect, "{rest}");
        };
        check("", true);
        check("/", true);
        check("/a.txt", true);
        check("//a/./b", true);
        check("/a/../b", true);
        check("/..", false);
        check("/../covolve-folder/a.txt", false);
        check("/a/../../b", false);
        check("-other/a.txt", false);
        assert!(!folder.contains(b"a.txt") && !folder.contains(b""));
    }

    #[test]
    fn dates_move_with_files_and_end_when_these_change() {
        let mut dates = Dates::default();
        let change = |dates: &mut Dates, paths: &[&str]| {
            dates.change(&paths.iter().map(|path| path.as_bytes().to_vec()).collect::<Vec<_>>());
        };
        for (path, date) in [("/f/a", 1), ("/f/dir/b", 2), ("/f/dir2", 3), ("/f/c", 4)] {
            dates.set(path.as_bytes(), date);
        }
        change(&mut dates, &["/f/dir"]);
        assert_eq!(dates.of(b"/f/dir/b"), Some(2), "a folder is dated for itself");
        change(&mut dates, &["/f/dir", "/f/moved"]);
        assert_eq!(
            [dates.of(b"/f/dir/b"), dates.of(b"/f/moved/b"), dates.of(b"/f/dir2")],
            [None, Some(2), Some(3)]
        );
        change(&mut dates, &["/f/c"]);
        assert_eq!(dates.of(b"/f/c"), None);
        change(&mut dates, &["/f/new", "/f/a"]);
        assert_eq!(dates.of(b"/f/a"), None, "another file has its name");
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "test code writes files")]
    fn it_is_emptied_whatever_was_done_to_it() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = TestFolder::new(place.path(), false).expect("a folder");
        let inside = folder.path().join("dir");
        let is_empty = || fs::read_dir(folder.path()).expect("a folder").count() == 0;
        let deeds: [(&str, &dyn Fn()); 4] = [
            ("filled", &|| {
                fs::create_dir(&inside).expect("a folder");
                fs::write(inside.join("a.txt"), "text").expect("a file");
            }),
            ("locked", &|| {
                fs::create_dir(&inside).expect("a folder");
                fs::write(inside.join("a.txt"), "text").expect("a file");
                fs::set_permissions(&inside, fs::Permissions::from_mode(0o000)).expect("permissions");
            }),
            ("removed", &|| fs::remove_dir(folder.path()).expect("a folder")),
            ("replaced", &|| {
                fs::remove_dir(folder.path()).expect("a folder");
                fs::write(folder.path(), "text").expect("a file");
            }),
        ];
        for (deed, act) in deeds {
            act();
            folder.note_use();
            folder.empty();
            assert!(is_empty() && !folder.is_used(), "{deed}");
        }
        fs::write(folder.path().join("a.txt"), "text").expect("a file");
        folder.empty();
        assert!(!is_empty(), "nobody said that it was used");
    }
}
