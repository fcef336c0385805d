//! The folders that a worker may write to.

use std::io;
use std::path::PathBuf;

use processes::scratch::Scratch;

/// The folders of one worker, which go when this does.
#[derive(Debug)]
pub(super) struct Folders {
    scratch: Scratch,
    files: Scratch,
}

/// Where they are.
#[derive(Debug, Clone)]
pub(super) struct FolderPaths {
    /// That of the worker itself.
    pub scratch: PathBuf,
    /// The one in which tests find theirs. Its name is the same from run to run: code sees it.
    pub files: PathBuf,
}

impl Folders {
    /// New, empty ones. `what` they are for becomes part of a name.
    pub(super) fn new(what: &str) -> io::Result<Self> {
        Ok(Self { scratch: Scratch::new(what)?, files: Scratch::numbered("files")? })
    }

    /// Where they are.
    pub(super) fn paths(&self) -> FolderPaths {
        FolderPaths { scratch: self.scratch.path().to_owned(), files: self.files.path().to_owned() }
    }
}
