//! Options that chores share: which subjects, which covolve, where results go.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use clap::Args;

use crate::subject::{self, Subject};
use crate::{runs, tools};

/// Where results go.
#[derive(Debug, Args)]
pub struct ResultFolder {
    /// The second part of the name of the folder with the results.
    #[arg(long)]
    pub what: String,

    /// Where the folder is made.
    #[arg(long, default_value = "eval/runs")]
    pub out: PathBuf,
}

impl ResultFolder {
    /// Makes the folder.
    ///
    /// # Errors
    /// It is there already, or cannot be made.
    pub fn make(&self) -> Result<PathBuf> {
        runs::new_folder(&self.out, &self.what)
    }

    /// The newest folder of that name, to be taken up.
    ///
    /// # Errors
    /// There is none.
    pub fn last(&self) -> Result<PathBuf> {
        runs::last_folder(&self.out, &self.what)
    }

    /// How the page of a task begins that was given these words: [`runs::heading`].
    ///
    /// # Errors
    /// The machine cannot be described.
    pub fn heading(&self, task: &str, words: &[String], java: &Path) -> Result<String> {
        runs::heading(&self.what, task, words, java)
    }
}

/// Which subjects.
#[derive(Debug, Args)]
pub struct SubjectList {
    /// List of subjects: a CSV with the columns project, coords (group:artifact:version) and class.
    #[arg(long)]
    pub subjects: PathBuf,

    /// Only classes whose name contains this.
    #[arg(long, default_value = "")]
    pub only: String,
}

impl SubjectList {
    /// Reads them.
    ///
    /// # Errors
    /// The list cannot be read, or no subject is left.
    pub fn read(&self) -> Result<Vec<Subject>> {
        let subjects = subject::read(&self.subjects, &self.only)?;
        ensure!(!subjects.is_empty(), "no subject is left; check --subjects and --only");
        Ok(subjects)
    }
}

/// Which subjects, for tasks that do without as well.
#[derive(Debug, Args)]
pub struct OptionalSubjects {
    /// List of subjects: a CSV with the columns project, coords (group:artifact:version) and class.
    #[arg(long)]
    pub subjects: Option<PathBuf>,

    /// Only classes whose name contains this.
    #[arg(long, default_value = "")]
    pub only: String,
}

impl OptionalSubjects {
    /// Reads them; none where no list is named.
    ///
    /// # Errors
    /// The list cannot be read.
    pub fn read(&self) -> Result<Vec<Subject>> {
        self.subjects.as_deref().map_or_else(|| Ok(Vec::new()), |list| subject::read(list, &self.only))
    }
}

/// Which covolve.
#[derive(Debug, Args)]
pub struct Covolve {
    /// The covolve to run [default: the release build of this tree].
    #[arg(long)]
    pub covolve: Option<PathBuf>,
}

impl Covolve {
    /// Its file; that of this tree is built first.
    ///
    /// # Errors
    /// It is not there, or cannot be built.
    pub fn file(&self) -> Result<PathBuf> {
        tools::covolve(self.covolve.as_deref())
    }
}

/// What every chore is told that runs covolve over subjects.
#[derive(Debug, Args)]
pub struct Common {
    /// Where results go.
    #[command(flatten)]
    pub results: ResultFolder,

    /// Which subjects.
    #[command(flatten)]
    pub list: SubjectList,

    /// Which covolve.
    #[command(flatten)]
    pub covolve: Covolve,

    /// More words for `covolve generate`.
    #[arg(last = true)]
    pub more: Vec<String>,
}
