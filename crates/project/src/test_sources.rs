//! Test files on disk: written whole or not at all, and never over a person's work.

#![expect(clippy::disallowed_methods, reason = "the place where test files are read and written")]

use std::fs::{self, Permissions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use output::junit::tokens::form;
use rustix::fs::{Access, access};

use crate::dependencies::hash_of;
use crate::failure::Failure;
use crate::style::SourceStyle;
use crate::style::habits::Habits;

/// What lies below the root, and the option that names it.
const FILES: &str = "test files";
const OPTION: &str = "--out";

/// Whose a file is that stands where a test file goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ownership {
    /// As we wrote it.
    Untouched,
    /// Written or changed by a person.
    Edited,
}

/// Tells whose a file with this text is, by the hash in its header.
pub type Ownerships<'a> = &'a (dyn Fn(&str) -> Ownership + Sync);

/// Formats files; the other function tells whether a file is one of ours, as we wrote it.
pub type Format<'a> = &'a mut dyn FnMut(&[PathBuf], &dyn Fn(&Path) -> bool) -> Result<(), Failure>;

/// Where test files go.
#[derive(Clone, Copy)]
pub struct TestSources<'a> {
    root: &'a Path,
    force: bool,
    ownership: Ownerships<'a>,
    habits: Option<&'a Habits>,
}

impl std::fmt::Debug for TestSources<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("TestSources").field("root", &self.root).finish_non_exhaustive()
    }
}

impl<'a> TestSources<'a> {
    /// Test files below `root`; with `force` edited files are overwritten.
    pub fn new(root: &'a Path, force: bool, ownership: Ownerships<'a>) -> Self {
        Self { root, force, ownership, habits: None }
    }

    /// Writes files that look like those of a module.
    #[must_use]
    pub fn like(self, habits: &'a Habits) -> Self {
        Self { habits: Some(habits), ..self }
    }

    /// Whether the file could be written now, so that nobody waits for a search whose result has no place.
    /// `path` is below the root, with slashes.
    ///
    /// # Errors
    /// The place cannot be written, or holds a file that has been edited.
    pub fn check(&self, path: &str) -> Result<(), Failure> {
        let file = self.root.join(path);
        self.check_owner(&file)?;
        check_folder(file.parent().unwrap_or(self.root), self.root, FILES, OPTION)
    }

    /// Writes a file, whole or not at all, in the style that its place and the module have; returns its path.
    ///
    /// # Errors
    /// As for [`TestSources::check`].
    pub fn write(&self, path: &str, text: &str) -> Result<PathBuf, Failure> {
        let file = self.root.join(path);
        self.check_owner(&file)?;
        self.replace(&file, &self.style(&file).apply(text)).map_err(|error| self.unwritable(&error))?;
        Ok(file)
    }

    /// Whether a person has edited a file, and it may not be overwritten.
    pub fn is_theirs(&self, path: &str) -> bool {
        let ownership = self.ownership_of(&self.root.join(path)).ok().flatten();
        !self.force && ownership == Some(Ownership::Edited)
    }

    /// The text of a file, without the licence of the module; `None` where there is none that was ever printed.
    pub fn text(&self, path: &str) -> Option<String> {
        let file = self.root.join(path);
        self.style(&file).read(&fs::read(&file).ok()?)
    }

    /// Whether a file says what has this hash, whatever a formatter made of it since.
    pub fn is_written(&self, path: &str, hash: &str) -> bool {
        let Ok(bytes) = fs::read(self.root.join(path)) else { return false };
        // Earlier versions kept the hash of the bytes.
        let text = || self.style(&self.root.join(path)).read(&bytes);
        hash_of(&bytes) == hash || text().is_some_and(|text| hash_of_text(&text) == hash)
    }

    /// Has files of ours, below the root, formatted. One that says something else then is as it was before: it would count as a person's. Those are returned.
    ///
    /// # Errors
    /// As `format`, or a file cannot be written.
    pub fn formatted(&self, paths: &[String], format: Format<'_>) -> Result<Vec<PathBuf>, Failure> {
        let files: Vec<PathBuf> = paths.iter().map(|path| self.root.join(path)).collect();
        let read = |file: &PathBuf| fs::read(file).ok().map(|bytes| (file.clone(), bytes));
        let before: Vec<(PathBuf, Vec<u8>)> = files.iter().filter_map(read).collect();
        let is_untouched =
            |file: &Path| self.ownership_of(file).is_ok_and(|owner| owner == Some(Ownership::Untouched));
        let done = format(&files, &is_untouched);
        let mut changed = Vec::new();
        for (file, bytes) in before {
            if !is_untouched(&file) {
                self.replace(&file, &bytes).map_err(|error| self.unwritable(&error))?;
                changed.push(file);
            }
        }
        done.map(|()| changed)
    }

    /// Takes a file of ours away again, when it turns out that nothing of it holds.
    ///
    /// # Errors
    /// It cannot be removed, or has been edited.
    pub fn remove(&self, path: &str) -> Result<(), Failure> {
        let file = self.root.join(path);
        self.check_owner(&file)?;
        match fs::remove_file(&file) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(self.unwritable(&error)),
            _ => Ok(()),
        }
    }

    fn style(&self, file: &Path) -> SourceStyle {
        SourceStyle::of(file, self.habits.unwrap_or(&Habits::default()))
    }

    fn replace(&self, file: &Path, bytes: &[u8]) -> io::Result<()> {
        let folder = file.parent().unwrap_or(self.root);
        fs::create_dir_all(folder)?;
        let folder = if is_here(folder) { Path::new(".") } else { folder };
        // The mode of an ordinary new file: the umask takes its part.
        let mut aside = tempfile::Builder::new()
            .prefix(".covolve-")
            .suffix(".tmp")
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder)?;
        aside.write_all(bytes)?;
        aside.persist(file)?;
        Ok(())
    }

    /// Whose a file is; `None` where there is none.
    fn ownership_of(&self, file: &Path) -> io::Result<Option<Ownership>> {
        let bytes = match fs::read(file) {
            Ok(bytes) => bytes,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        // What we never print is none of ours.
        let text = self.style(file).read(&bytes);
        Ok(Some(text.map_or(Ownership::Edited, |text| (self.ownership)(&text))))
    }

    fn check_owner(&self, file: &Path) -> Result<(), Failure> {
        match self.ownership_of(file).map_err(|error| self.unwritable(&error))? {
            None | Some(Ownership::Untouched) => Ok(()),
            Some(Ownership::Edited) if self.force => Ok(()),
            Some(Ownership::Edited) => Err(Failure::output(format!(
                "{} has been edited; rename it, or give --force to overwrite it",
                file.display()
            ))),
        }
    }

    fn unwritable(&self, error: &io::Error) -> Failure {
        unwritable(error, self.root, FILES, OPTION)
    }
}

/// The hash of a printed text, for [`TestSources::is_written`].
pub fn hash_of_text(text: &str) -> String {
    hash_of(form(text))
}

/// Whether files could be written now into a folder at or below `root` that need not exist yet. For the sentence: `what`
/// they are, and the `option` that names the root.
///
/// # Errors
/// They could not.
pub fn check_folder(folder: &Path, root: &Path, what: &str, option: &str) -> Result<(), Failure> {
    let unwritable = |error: io::Error| unwritable(&error, root, what, option);
    let mut folders = folder.ancestors();
    let existing = folders
        .find(|folder| fs::symlink_metadata(if is_here(folder) { Path::new(".") } else { folder }).is_ok());
    let existing = existing.ok_or_else(|| unwritable(ErrorKind::NotFound.into()))?;
    let existing = if is_here(existing) { Path::new(".") } else { existing };
    if !existing.is_dir() {
        return Err(Failure::output(format!(
            "{} cannot hold {what}: it is no folder; give another {option}",
            existing.display()
        )));
    }
    access(existing, Access::WRITE_OK | Access::EXEC_OK).map_err(|error| unwritable(error.into()))
}

fn unwritable(error: &io::Error, root: &Path, what: &str, option: &str) -> Failure {
    Failure::output(format!(
        "{what} cannot be written below {}: {error}; give another {option}",
        root.display()
    ))
}

/// The empty path, which stands for the current folder but which the system does not take.
fn is_here(folder: &Path) -> bool {
    folder.as_os_str().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::FailureKind;
    use crate::style::licence::Licence;
    use crate::style::{Indent, LineEnd};

    /// Files that begin with `ours` are ours.
    fn by_first_word(text: &str) -> Ownership {
        if text.starts_with("ours") { Ownership::Untouched } else { Ownership::Edited }
    }

    #[test]
    fn files_are_written_into_their_package() {
        let root = tempfile::tempdir().unwrap();
        let out = root.path().join("new/tests");
        let sources = TestSources::new(&out, false, &by_first_word);
        sources.check("a/b/T.java").unwrap();
        assert!(!out.exists(), "checking makes nothing");
        let file = sources.write("a/b/T.java", "ours 1").unwrap();
        sources.write("a/b/T.java", "ours 2").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "ours 2\n");
        assert_eq!(fs::read_dir(out.join("a/b")).unwrap().count(), 1, "nothing is left aside");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o600, 0o600);
        sources.remove("a/b/T.java").unwrap();
        sources.remove("a/b/T.java").unwrap();
        assert!(!file.exists());
    }

    #[test]
    fn an_edited_file_is_overwritten_by_force_alone() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("T.java");
        for text in [&b"mine"[..], b"ours\xff"] {
            fs::write(&file, text).unwrap();
            let sources = TestSources::new(root.path(), false, &by_first_word);
            for refused in [sources.check("T.java").err(), sources.write("T.java", "ours").err()] {
                let failure = refused.unwrap();
                assert_eq!(failure.kind, FailureKind::Output);
                assert_eq!(
                    failure.sentence,
                    format!("{} has been edited; rename it, or give --force to overwrite it", file.display())
                );
            }
            assert_eq!(fs::read(&file).unwrap(), text);
        }
        TestSources::new(root.path(), true, &by_first_word).write("T.java", "ours").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "ours\n");
    }

    #[test]
    fn files_look_like_those_of_the_module_and_are_known_again() {
        let root = tempfile::tempdir().unwrap();
        let habits = Habits {
            indent: Some(Indent::Tab),
            line_end: Some(LineEnd::CrLf),
            licence: Licence::of("/* (c) 2019 */\npackage p;"),
            ..Habits::default()
        };
        let sources = TestSources::new(root.path(), false, &by_first_word).like(&habits);
        let file = sources.write("T.java", "ours {\n    x\n}\n").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"/* (c) 2019 */\r\nours {\r\n\tx\r\n}\r\n");
        sources.check("T.java").unwrap();
        let hash = hash_of_text("ours {\n    x\n}\n");
        assert!(sources.is_written("T.java", &hash));
        assert!(sources.is_written("T.java", &hash_of(fs::read(&file).unwrap())), "of an earlier version");
        fs::write(&file, "/* (c) 2020 */\nours { x }").unwrap();
        assert!(sources.is_written("T.java", &hash), "formatted");
        fs::write(&file, "/* (c) 2020 */\nours { y }").unwrap();
        assert!(!sources.is_written("T.java", &hash), "edited");
        fs::write(&file, "/* (c) 2019 */\nmine").unwrap();
        assert!(sources.check("T.java").is_err());
        fs::write(&file, "/* mine */\nours").unwrap();
        assert!(sources.check("T.java").is_err());
    }

    #[test]
    fn a_formatted_file_that_says_something_else_is_as_it_was_written() {
        let root = tempfile::tempdir().unwrap();
        let sources = TestSources::new(root.path(), false, &by_first_word);
        let (one, two) =
            (sources.write("p/One.java", "ours 1").unwrap(), sources.write("Two.java", "ours 2").unwrap());
        fs::write(root.path().join("Mine.java"), "mine").unwrap();
        let paths = ["p/One.java", "Two.java"].map(str::to_owned);
        let mut format = |files: &[PathBuf], is_ours: &dyn Fn(&Path) -> bool| {
            assert_eq!(files, [one.clone(), two.clone()]);
            assert!(is_ours(&one) && !is_ours(&root.path().join("Mine.java")));
            fs::write(&one, "ours   1").unwrap();
            fs::write(&two, "final ours 2").unwrap();
            Ok(())
        };
        assert_eq!(sources.formatted(&paths, &mut format).unwrap(), std::slice::from_ref(&two));
        assert_eq!(fs::read_to_string(&one).unwrap(), "ours   1");
        assert_eq!(fs::read_to_string(&two).unwrap(), "ours 2\n");
        let mut fails = |_: &[PathBuf], _: &dyn Fn(&Path) -> bool| {
            fs::write(&two, "half").unwrap();
            Err(Failure::output("no formatter"))
        };
        assert_eq!(sources.formatted(&paths, &mut fails).unwrap_err().sentence, "no formatter");
        assert_eq!(fs::read_to_string(&two).unwrap(), "ours 2\n", "nothing is half done");
    }

    #[test]
    fn a_place_that_is_no_folder_is_named() {
        let root = tempfile::tempdir().unwrap();
        let out = root.path().join("file");
        fs::write(&out, "x").unwrap();
        let failure = TestSources::new(&out, false, &by_first_word).check("a/T.java").unwrap_err();
        assert_eq!(
            failure.sentence,
            format!("{} cannot hold test files: it is no folder; give another --out", out.display())
        );
    }
}
