//! What judges are set up with: the JDK, the folder to work in, the covolve to judge.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use experiment::options::Covolve;
use experiment::repository::root;
use experiment::tools;

/// The JDK of a judge.
#[derive(Debug, Args)]
pub(crate) struct Jdk {
    /// The JDK. Default: `JAVA_HOME`.
    #[arg(long)]
    java_home: Option<PathBuf>,
}

impl Jdk {
    /// Its folder.
    pub(crate) fn home(&self) -> Result<PathBuf> {
        tools::java_home(self.java_home.as_deref())
    }
}

/// The JDK, and the folder to work in.
#[derive(Debug, Args)]
pub(crate) struct Setup {
    #[command(flatten)]
    pub(crate) jdk: Jdk,

    /// Folder to work in. Default: one of the judge's own in `target/judge`.
    #[arg(long)]
    work: Option<PathBuf>,
}

impl Setup {
    /// The folder of a judge of that name, which may be there or not.
    pub(crate) fn folder(&self, judge: &str) -> PathBuf {
        match &self.work {
            Some(work) => root().join(work),
            None => root().join("target/judge").join(judge),
        }
    }
}

/// What a judge needs that runs covolve itself.
#[derive(Debug)]
pub(crate) struct Workplace {
    pub(crate) home: PathBuf,
    pub(crate) covolve: PathBuf,
    pub(crate) work: PathBuf,
}

impl Workplace {
    /// Clears the folder of a judge of that name, unless what lies there is taken up.
    pub(crate) fn new(setup: &Setup, covolve: &Covolve, judge: &str, takes_up: bool) -> Result<Self> {
        let workplace = Self { home: setup.jdk.home()?, covolve: covolve.file()?, work: setup.folder(judge) };
        if workplace.work.exists() && !takes_up {
            fs::remove_dir_all(&workplace.work)?;
        }
        Ok(workplace)
    }
}
