//! The file that holds the state of a project: an `SQLite` database.

#![expect(clippy::disallowed_methods, reason = "the place where the state of a project is read and written")]

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use thiserror::Error;

use crate::record::{StoredClass, StoredFile, StoredGoal};

/// Name of the folder, in that of the project.
pub const FOLDER: &str = ".covolve";

/// Name of the file in it.
const FILE: &str = "state.db";

/// Where a file goes that is of no use.
const ASIDE: &str = "state.db.old";

/// Number of the layout below, and of that of the tests in it. Another layout gets another number, as do assertions of another
/// kind; what has one that is not this is not read.
const LAYOUT: i32 = 6;

/// How long one run waits for another that writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// Lists of names are texts of several lines: no Java name has a line end in it.
const TABLES: &str = "
CREATE TABLE class (
    module TEXT NOT NULL,
    class TEXT NOT NULL,
    key TEXT NOT NULL,
    own TEXT NOT NULL,
    report TEXT NOT NULL,
    test_root TEXT,
    test_path TEXT,
    test_hash TEXT,
    test_methods TEXT,
    stored_at INTEGER NOT NULL,
    PRIMARY KEY (module, class)
) STRICT, WITHOUT ROWID;
CREATE TABLE goal (
    module TEXT NOT NULL,
    class TEXT NOT NULL,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    description TEXT NOT NULL,
    criterion TEXT NOT NULL,
    holder TEXT NOT NULL,
    method TEXT NOT NULL,
    line INTEGER,
    is_covered INTEGER NOT NULL,
    reason TEXT,
    tests TEXT NOT NULL,
    killers TEXT NOT NULL,
    PRIMARY KEY (module, class, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE suite (
    module TEXT NOT NULL,
    class TEXT NOT NULL,
    tests BLOB NOT NULL,
    PRIMARY KEY (module, class)
) STRICT, WITHOUT ROWID;
";

/// Why the state cannot be read or written.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The folder, or a file in it.
    #[error("{} cannot be used: {error}", path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The database.
    #[error("{} cannot be used: {error}", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What `SQLite` said.
        error: rusqlite::Error,
    },
}

/// The state of a project.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    file: PathBuf,
}

/// What came of opening.
#[derive(Debug)]
pub struct Opened {
    /// The state.
    pub store: Store,
    /// What the user should know, in one sentence: earlier state was of no use and was moved aside.
    pub notice: Option<String>,
}

/// Why a file is of no use.
#[derive(Debug)]
enum Useless {
    OtherVersion,
    Damaged(String),
}

impl Store {
    /// Opens the state in a folder, which is made if need be. What is there and of no use, since another version wrote it or it is
    /// damaged, is moved aside, and the state begins anew.
    ///
    /// # Errors
    /// The folder or the file in it cannot be written or read.
    pub fn open(folder: &Path) -> Result<Opened, StoreError> {
        let io_error = |error| StoreError::Io { path: folder.to_owned(), error };
        fs::create_dir_all(folder).map_err(io_error)?;
        let ignored = folder.join(".gitignore");
        if !ignored.exists() {
            fs::write(&ignored, "*\n").map_err(io_error)?;
        }
        let file = folder.join(FILE);
        match Self::connect(&file)? {
            Ok(store) => Ok(Opened { store, notice: None }),
            Err(useless) => {
                let aside = folder.join(ASIDE);
                // A journal belongs to its file.
                remove(&folder.join(format!("{FILE}-journal"))).map_err(io_error)?;
                fs::rename(&file, &aside).map_err(io_error)?;
                let why = match useless {
                    Useless::OtherVersion => "another version of Covolve wrote it".to_owned(),
                    Useless::Damaged(how) => format!("it is damaged ({how})"),
                };
                let notice = format!(
                    "{} is begun anew and all classes with it, since {why}; what was there is now {}, and can be removed",
                    file.display(),
                    aside.display()
                );
                match Self::connect(&file)? {
                    Ok(store) => Ok(Opened { store, notice: Some(notice) }),
                    Err(_) => Err(io_error(ErrorKind::InvalidData.into())),
                }
            }
        }
    }

    /// Opens the state in a folder if there is one, and of use.
    ///
    /// # Errors
    /// It cannot be read, is damaged, or another version wrote it.
    pub fn open_existing(folder: &Path) -> Result<Option<Self>, StoreError> {
        let file = folder.join(FILE);
        if !file.is_file() {
            return Ok(None);
        }
        let refused = |how: String| StoreError::Io { path: file.clone(), error: io::Error::other(how) };
        Self::connect(&file)?.map(Some).map_err(|useless| match useless {
            Useless::OtherVersion => refused("another version of Covolve wrote it".to_owned()),
            Useless::Damaged(how) => refused(format!("it is damaged ({how})")),
        })
    }

    /// Opens a file, which is made if need be, or says why it is of no use.
    fn connect(file: &Path) -> Result<Result<Self, Useless>, StoreError> {
        let database = |error| StoreError::Database { path: file.to_owned(), error };
        let mut connection = Connection::open(file).map_err(database)?;
        connection.busy_timeout(PATIENCE).map_err(database)?;
        match prepare(&mut connection) {
            Ok(None) => Ok(Ok(Self { connection, file: file.to_owned() })),
            Ok(Some(useless)) => Ok(Err(useless)),
            Err(error) if is_damage(&error) => Ok(Err(Useless::Damaged(error.to_string()))),
            Err(error) => Err(database(error)),
        }
    }

    /// What is kept of a class.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn class(&self, module: &str, class: &str) -> Result<Option<StoredClass>, StoreError> {
        let query = format!("{CLASSES} WHERE module = ?1 AND class = ?2");
        let found = self.connection.query_row(&query, [module, class], class_of);
        found.optional().map_err(|error| self.error(error))
    }

    /// What is kept of all classes, by module and name.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn classes(&self) -> Result<Vec<StoredClass>, StoreError> {
        let query = format!("{CLASSES} ORDER BY module, class");
        let all = || {
            let mut statement = self.connection.prepare(&query)?;
            statement.query_map([], class_of)?.collect::<Result<Vec<_>, _>>()
        };
        all().map_err(|error| self.error(error))
    }

    /// The goals of a class, in their order; none where nothing is kept of it.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn goals(&self, module: &str, class: &str) -> Result<Vec<StoredGoal>, StoreError> {
        let all = || {
            let mut statement = self.connection.prepare(GOALS)?;
            statement.query_map([module, class], goal_of)?.collect::<Result<Vec<_>, _>>()
        };
        all().map_err(|error| self.error(error))
    }

    /// The tests of a class as they were given to [`Store::save`].
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn suite(&self, module: &str, class: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let query = "SELECT tests FROM suite WHERE module = ?1 AND class = ?2";
        let found = self.connection.query_row(query, [module, class], |row| row.get(0));
        found.optional().map_err(|error| self.error(error))
    }

    /// Keeps a class in place of what was kept of it: all of it or, where that fails, what was kept before.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(
        &mut self,
        class: &StoredClass,
        goals: &[StoredGoal],
        suite: &[u8],
    ) -> Result<(), StoreError> {
        let saved = self.connection.transaction().and_then(|transaction| {
            put(&transaction, class, goals, suite, None)?;
            transaction.commit()
        });
        saved.map_err(|error| self.error(error))
    }

    /// Gives what is kept of a class another key and report: it was found to hold with them.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn confirm(
        &mut self,
        module: &str,
        class: &str,
        (key, report): (&str, &str),
    ) -> Result<(), StoreError> {
        let query = "UPDATE class SET key = ?3, report = ?4 WHERE module = ?1 AND class = ?2";
        let confirmed = self.connection.execute(query, [module, class, key, report]);
        confirmed.map(drop).map_err(|error| self.error(error))
    }

    /// Writes what is kept of these classes, by module and name, into the state in another folder, which is made if need be. Gives
    /// those of which something is.
    ///
    /// # Errors
    /// The folder cannot be written, or this file not be read.
    pub fn copy_to<'a>(
        &self,
        folder: &Path,
        classes: impl IntoIterator<Item = &'a (String, String)>,
    ) -> Result<Vec<StoredClass>, StoreError> {
        let Opened { store: mut other, notice: _ } = Self::open(folder)?;
        let file = other.file.clone();
        let unwritten = |error| StoreError::Database { path: file.clone(), error };
        let transaction = other.connection.transaction().map_err(unwritten)?;
        let mut copied = Vec::new();
        for (module, name) in classes {
            let Some(class) = self.class(module, name)? else { continue };
            let (goals, suite) = (self.goals(module, name)?, self.suite(module, name)?.unwrap_or_default());
            put(&transaction, &class, &goals, &suite, Some(class.stored_at)).map_err(unwritten)?;
            copied.push(class);
        }
        transaction.commit().map_err(unwritten)?;
        Ok(copied)
    }

    fn error(&self, error: rusqlite::Error) -> StoreError {
        StoreError::Database { path: self.file.clone(), error }
    }
}

/// Makes the tables of a new file; of another, says why it is of no use.
fn prepare(connection: &mut Connection) -> Result<Option<Useless>, rusqlite::Error> {
    // Two runs may begin at once: the second waits, and finds the tables.
    let transaction = connection.transaction()?;
    let layout: i32 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let tables: i64 = transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if layout == 0 && tables == 0 {
        drop(transaction);
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let layout: i32 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if layout == 0 {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "user_version", LAYOUT)?;
        }
        transaction.commit()?;
        return Ok(None);
    }
    if layout != LAYOUT {
        return Ok(Some(Useless::OtherVersion));
    }
    // A file that was cut opens well, and fails where it is read first behind its end.
    let check: String = transaction.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    Ok((check != "ok").then(|| Useless::Damaged(check.lines().next().unwrap_or_default().to_owned())))
}

/// Whether an error says that the file is no sound database, and not that it cannot be reached.
fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase))
}

fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

const CLASSES: &str = "SELECT module, class, key, own, report, test_root, test_path, test_hash, test_methods, stored_at FROM class";

fn class_of(row: &Row<'_>) -> Result<StoredClass, rusqlite::Error> {
    let root: Option<String> = row.get(5)?;
    let file = match root {
        Some(root) => Some(StoredFile {
            root,
            path: row.get(6)?,
            hash: row.get(7)?,
            tests: names(&row.get::<_, String>(8)?),
        }),
        None => None,
    };
    Ok(StoredClass {
        module: row.get(0)?,
        class: row.get(1)?,
        key: row.get(2)?,
        own: row.get(3)?,
        report: row.get(4)?,
        file,
        stored_at: row.get(9)?,
    })
}

const GOALS: &str = "
SELECT id, description, criterion, holder, method, line, is_covered, reason, tests, killers FROM goal
WHERE module = ?1 AND class = ?2 ORDER BY position";

fn goal_of(row: &Row<'_>) -> Result<StoredGoal, rusqlite::Error> {
    Ok(StoredGoal {
        id: row.get(0)?,
        description: row.get(1)?,
        criterion: row.get(2)?,
        class: row.get(3)?,
        method: row.get(4)?,
        line: row.get(5)?,
        is_covered: row.get(6)?,
        reason: row.get(7)?,
        tests: names(&row.get::<_, String>(8)?),
        killers: names(&row.get::<_, String>(9)?),
    })
}

/// Puts a class in place of what there is of it, as of this moment, in seconds since 1970, or as of now.
fn put(
    transaction: &Transaction<'_>,
    class: &StoredClass,
    goals: &[StoredGoal],
    suite: &[u8],
    stored_at: Option<i64>,
) -> Result<(), rusqlite::Error> {
    let StoredClass { module, class, key, own, report, file, stored_at: _ } = class;
    let file = file.as_ref();
    transaction.execute(
        "INSERT OR REPLACE INTO class VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, coalesce(?10, unixepoch()))",
        params![
            module,
            class,
            key,
            own,
            report,
            file.map(|file| &file.root),
            file.map(|file| &file.path),
            file.map(|file| &file.hash),
            file.map(|file| file.tests.join("\n")),
            stored_at,
        ],
    )?;
    transaction.execute("DELETE FROM goal WHERE module = ?1 AND class = ?2", [module, class])?;
    let mut insert = transaction
        .prepare("INSERT INTO goal VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)")?;
    for (position, goal) in goals.iter().enumerate() {
        let StoredGoal { id, description, criterion, class: holder, method, line, .. } = goal;
        let StoredGoal { is_covered, reason, tests, killers, .. } = goal;
        let (position, tests, killers) = (position as i64, tests.join("\n"), killers.join("\n"));
        insert.execute(params![
            module,
            class,
            position,
            id,
            description,
            criterion,
            holder,
            method,
            line,
            is_covered,
            reason,
            tests,
            killers
        ])?;
    }
    transaction.execute("INSERT OR REPLACE INTO suite VALUES (?1, ?2, ?3)", params![module, class, suite])?;
    Ok(())
}

fn names(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(name: &str, key: &str) -> StoredClass {
        StoredClass {
            module: "m".into(),
            class: name.into(),
            key: key.into(),
            own: "own".into(),
            report: "{}".into(),
            file: Some(StoredFile {
                root: "src/test/java".into(),
                path: format!("{name}CovolveTest.java"),
                hash: "h".into(),
                tests: vec!["first".into(), "second".into()],
            }),
            stored_at: 0,
        }
    }

    fn goal(id: &str) -> StoredGoal {
        StoredGoal {
            id: id.into(),
            description: "line 3 of A.f() is executed".into(),
            criterion: "line".into(),
            class: "A".into(),
            method: "f()V".into(),
            line: Some(3),
            is_covered: true,
            reason: None,
            tests: vec!["first".into()],
            killers: vec!["first".into()],
        }
    }

    fn open(folder: &Path) -> Opened {
        Store::open(folder).unwrap()
    }

    /// As it comes back: without the time.
    fn without_time(class: Option<StoredClass>) -> Option<StoredClass> {
        class.map(|class| StoredClass { stored_at: 0, ..class })
    }

    #[test]
    fn what_was_kept_comes_back_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join(FOLDER);
        let mut store = open(&folder).store;
        let without_file = StoredClass { file: None, ..class("B", "1") };
        store.save(&without_file, &[], &[]).unwrap();
        store.save(&class("A", "1"), &[goal("x"), goal("a")], b"tests").unwrap();
        drop(store);
        let Opened { store, notice } = open(&folder);
        assert_eq!(notice, None);
        assert_eq!(without_time(store.class("m", "A").unwrap()), Some(class("A", "1")));
        assert!(store.class("m", "A").unwrap().unwrap().stored_at > 0);
        assert_eq!(store.class("", "A").unwrap(), None);
        let names: Vec<String> = store.classes().unwrap().into_iter().map(|class| class.class).collect();
        assert_eq!(names, ["A", "B"]);
        assert_eq!(store.goals("m", "A").unwrap(), [goal("x"), goal("a")]);
        assert_eq!(store.suite("m", "A").unwrap().as_deref(), Some(&b"tests"[..]));
        let mut store = store;
        store.confirm("m", "A", ("2", "{\"tests\":1}")).unwrap();
        let confirmed = StoredClass { report: "{\"tests\":1}".into(), ..class("A", "2") };
        assert_eq!(without_time(store.class("m", "A").unwrap()), Some(confirmed));
        assert_eq!(fs::read_to_string(folder.join(".gitignore")).unwrap(), "*\n");
    }

    #[test]
    fn a_copy_holds_all_and_is_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
        let mut store = open(&from).store;
        store.save(&class("A", "1"), &[goal("x")], b"tests").unwrap();
        store.save(&class("B", "1"), &[], &[]).unwrap();
        let names = ["A", "C"].map(|name| ("m".to_owned(), name.to_owned()));
        let copied = store.copy_to(&to, &names).unwrap();
        let Opened { store: copy, notice } = open(&to);
        assert_eq!((copy.classes().unwrap(), notice), (copied, None));
        assert_eq!(copy.classes().unwrap(), [store.class("m", "A").unwrap().unwrap()]);
        assert_eq!(copy.goals("m", "A").unwrap(), [goal("x")]);
        assert_eq!(copy.suite("m", "A").unwrap().as_deref(), Some(&b"tests"[..]));
    }

    #[test]
    fn reading_changes_no_byte() {
        let folder = tempfile::tempdir().unwrap();
        open(folder.path()).store.save(&class("A", "1"), &[goal("x")], &[]).unwrap();
        let before = fs::read(folder.path().join(FILE)).unwrap();
        let store = open(folder.path()).store;
        assert_eq!(store.classes().unwrap().len(), 1);
        drop(store);
        assert_eq!(fs::read(folder.path().join(FILE)).unwrap(), before);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "the file and .gitignore");
    }

    #[test]
    fn a_class_is_kept_as_a_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = open(folder.path()).store;
        store.save(&class("A", "1"), &[goal("x")], b"old").unwrap();
        // As on a full disk: the last part of the class does not go in.
        let full = "CREATE TRIGGER full BEFORE INSERT ON suite BEGIN SELECT RAISE(ABORT, 'full'); END";
        store.connection.execute_batch(full).unwrap();
        let error = store.save(&class("A", "2"), &[goal("y"), goal("z")], b"new").unwrap_err();
        assert!(error.to_string().contains("cannot be used: full"), "{error}");
        assert_eq!(store.class("m", "A").unwrap().unwrap().key, "1");
        assert_eq!(store.goals("m", "A").unwrap(), [goal("x")]);
        assert_eq!(store.suite("m", "A").unwrap().as_deref(), Some(&b"old"[..]));
    }

    /// State whose file was changed by `harm`; what is said when it is opened.
    fn check(harm: impl FnOnce(&Path), expect: &str) {
        let folder = tempfile::tempdir().unwrap();
        let mut store = open(folder.path()).store;
        let goals: Vec<StoredGoal> = (0..2000).map(|number| goal(&number.to_string())).collect();
        store.save(&class("A", "1"), &goals, &[]).unwrap();
        drop(store);
        harm(&folder.path().join(FILE));
        assert!(Store::open_existing(folder.path()).unwrap_err().to_string().contains(expect));
        let Opened { mut store, notice } = open(folder.path());
        let notice = notice.unwrap();
        assert!(notice.contains(expect) && notice.contains(ASIDE), "{notice}");
        assert_eq!(store.classes().unwrap(), []);
        store.save(&class("A", "2"), &[], &[]).unwrap();
        drop(store);
        assert!(folder.path().join(ASIDE).is_file());
        let Opened { store, notice } = open(folder.path());
        assert_eq!((store.classes().unwrap().len(), notice), (1, None));
    }

    #[test]
    fn state_of_another_version_is_begun_anew() {
        let other = |file: &Path| {
            let connection = Connection::open(file).unwrap();
            connection.pragma_update(None, "user_version", LAYOUT + 1).unwrap();
        };
        check(other, "another version of Covolve wrote it");
    }

    #[test]
    fn damaged_state_is_begun_anew() {
        let cut = |length: usize| {
            move |file: &Path| {
                let bytes = fs::read(file).unwrap();
                fs::write(file, &bytes[..bytes.len().min(length)]).unwrap();
            }
        };
        check(cut(50_000), "it is damaged");
        check(cut(5_000), "it is damaged");
        check(cut(60), "it is damaged");
        check(
            |file| fs::write(file, "this is no database, whatever it may be called").unwrap(),
            "it is damaged",
        );
    }

    #[test]
    fn where_nothing_is_kept_nothing_is_made_by_looking() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Store::open_existing(&folder.path().join(FOLDER)).unwrap().is_none());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join(FOLDER);
        fs::write(&place, "").unwrap();
        let error = Store::open(&place).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{} cannot be used: ", place.display())), "{error}");
    }
}
