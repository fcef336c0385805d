//! A CSV file with a header, to which runs append rows.

use std::fs::{File, OpenOptions, create_dir_all};
use std::io::{self, ErrorKind, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use project::failure::Failure;

/// A file and its columns.
#[derive(Debug)]
pub(super) struct Table {
    path: PathBuf,
    header: Vec<String>,
}

impl Table {
    pub(super) fn new(path: PathBuf, header: Vec<String>) -> Self {
        Self { path, header }
    }

    /// Whether rows can be appended: the file is not there yet, or has these columns.
    ///
    /// # Errors
    /// It has others, or cannot be read.
    pub(super) fn check(&self) -> Result<(), Failure> {
        match OpenOptions::new().read(true).open(&self.path) {
            Ok(file) => self.check_header(&file),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(self.unusable(&error.to_string())),
        }
    }

    /// Appends rows, below a header if they are the first.
    ///
    /// # Errors
    /// The file cannot be written, or has other columns.
    pub(super) fn append(&self, rows: impl Iterator<Item = Vec<String>>) -> Result<(), Failure> {
        let unusable = |error: io::Error| self.unusable(&error.to_string());
        self.path.parent().map_or(Ok(()), create_dir_all).map_err(unusable)?;
        let file = OpenOptions::new().create(true).read(true).append(true).open(&self.path);
        let mut file = file.map_err(unusable)?;
        // Until the file is closed. Where a file system has no locks, rows of two runs still do not mix: each run writes
        // once.
        let _ = file.lock();
        let is_empty = file.metadata().map_err(unusable)?.len() == 0;
        if !is_empty {
            self.check_header(&file)?;
        }
        let mut text = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        let header = is_empty.then(|| self.header.clone());
        for row in header.into_iter().chain(rows) {
            text.write_record(row).map_err(|error| self.unusable(&error.to_string()))?;
        }
        let bytes = text.into_inner().map_err(|error| self.unusable(&error.to_string()))?;
        file.write_all(&bytes).map_err(unusable)
    }

    /// Appends the rows of the table of this name in another folder, if there is one.
    ///
    /// # Errors
    /// It cannot be read, or as for [`Table::append`].
    pub(super) fn append_from(&self, folder: &Path) -> Result<(), Failure> {
        let other = Self::new(folder.join(self.path.file_name().unwrap_or_default()), self.header.clone());
        if !other.path.is_file() {
            return Ok(());
        }
        other.check()?;
        let unreadable = |error: csv::Error| {
            Failure::output(format!("{} cannot be read: {error}; its rows are missing", other.path.display()))
        };
        let mut reader = csv::Reader::from_path(&other.path).map_err(unreadable)?;
        let rows = reader.records().map(|row| Ok(row?.iter().map(str::to_owned).collect()));
        let rows: Vec<Vec<String>> = rows.collect::<Result<_, _>>().map_err(unreadable)?;
        self.append(rows.into_iter())
    }

    fn check_header(&self, mut file: &File) -> Result<(), Failure> {
        file.rewind().map_err(|error| self.unusable(&error.to_string()))?;
        let mut reader = csv::Reader::from_reader(file);
        let found = reader.headers().map_err(|error| self.unusable(&error.to_string()))?;
        if found.is_empty() || found.iter().eq(self.header.iter().map(String::as_str)) {
            return Ok(());
        }
        let place = found.iter().zip(&self.header).take_while(|(found, own)| found == own).count();
        let name = |name: Option<&str>| name.map_or_else(|| "none".to_owned(), |name| format!("'{name}'"));
        let (found, own) = (name(found.get(place)), name(self.header.get(place).map(String::as_str)));
        Err(Failure::output(format!(
            "{} has other columns than this run would write: column {} is {found}, not {own}; give another --report, or \
             move the file away",
            self.path.display(),
            place + 1
        )))
    }

    fn unusable(&self, why: &str) -> Failure {
        Failure::output(format!(
            "{} cannot be appended to: {why}; give another --report",
            self.path.display()
        ))
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests read and write files")]
mod tests {
    use std::fs;

    use super::*;

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn rows_are_appended_below_one_header() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/table.csv");
        let table = Table::new(path.clone(), strings(&["a", "b"]));
        table.check().unwrap();
        assert!(!path.exists(), "checking makes nothing");
        table.append([strings(&["1", "x, \"y\""])].into_iter()).unwrap();
        table.check().unwrap();
        table.append([strings(&["2", ""])].into_iter()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "a,b\n1,\"x, \"\"y\"\"\"\n2,\n");
    }

    #[test]
    fn rows_of_the_same_table_elsewhere_are_appended() {
        let folder = tempfile::tempdir().unwrap();
        let table =
            |name: &str, header: &[&str]| Table::new(folder.path().join(name).join("t.csv"), strings(header));
        let own = table("own", &["a", "b"]);
        for (name, row) in [("one", ["1", "x, \"y\""]), ("two", ["2", ""])] {
            table(name, &["a", "b"]).append([strings(&row)].into_iter()).unwrap();
            own.append_from(&folder.path().join(name)).unwrap();
        }
        own.append_from(&folder.path().join("none")).unwrap();
        assert_eq!(fs::read_to_string(&own.path).unwrap(), "a,b\n1,\"x, \"\"y\"\"\"\n2,\n");
        table("other", &["a", "c"]).append([strings(&["3", "z"])].into_iter()).unwrap();
        assert!(own.append_from(&folder.path().join("other")).is_err());
    }

    #[test]
    fn other_columns_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        let check = |text: &str, expect: Option<&str>| {
            fs::write(&path, text).unwrap();
            let table = Table::new(path.clone(), strings(&["a", "b"]));
            let appended = table.append([strings(&["1", "2"])].into_iter());
            assert_eq!(table.check().is_err(), appended.is_err(), "{text}");
            let said = appended.err().map(|failure| failure.sentence);
            let expect = expect.map(|expect| {
                format!(
                    "{} has other columns than this run would write: {expect}; give another --report, or move the \
                     file away",
                    path.display()
                )
            });
            assert_eq!(said, expect, "{text}");
        };
        check("", None);
        check("a,b\n", None);
        check("a,c\n1,2\n", Some("column 2 is 'c', not 'b'"));
        check("a\n1\n", Some("column 2 is none, not 'b'"));
        check("a,b,c\n1,2,3\n", Some("column 3 is 'c', not none"));
    }
}
