//! Folders for one run of this program: removed with it, or by a later run where this one was killed.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, Mode, OFlags, flock, fstat, open};
use rustix::process::geteuid;

/// How names of all such folders begin, and of no folder that a user would make.
const PREFIX: &str = "covolve-scratch-";

/// Folders in a row that another process takes for abandoned before they are ours; more than one is next to impossible.
const ATTEMPTS: usize = 8;

/// A file system in memory that Linux has at this place, as a rule.
const MEMORY: &str = "/dev/shm";

/// Numbered folders of one kind that may be there at the same time.
const NUMBERS: usize = 100;

/// A folder below the temporary directory that goes with its owner.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    /// Holds the lock on the folder: who can take it knows that the owner is gone, in whatever container it was.
    _lock: OwnedFd,
}

impl Scratch {
    /// A new, empty folder. `what` it is for becomes part of its name.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn new(what: &str) -> io::Result<Self> {
        Self::new_in(&std::env::temp_dir(), what)
    }

    fn new_in(root: &Path, what: &str) -> io::Result<Self> {
        for _ in 0..ATTEMPTS {
            let folder = tempfile::Builder::new().prefix(&format!("{PREFIX}{what}-")).tempdir_in(root)?;
            if let Some(lock) = locked(folder.path()) {
                return Ok(Self { folder: folder.keep(), _lock: lock });
            }
        }
        Err(io::Error::other(format!("no folder in {} can be locked", root.display())))
    }

    /// A new, empty folder whose name is the same from run to run, as long as no other one is there at the same time: `what` it
    /// is for and the first number that is free. In memory, where a folder can be made there.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn numbered(what: &str) -> io::Result<Self> {
        let in_memory = Self::numbered_in(Path::new(MEMORY), what);
        in_memory.or_else(|_| Self::numbered_in(&std::env::temp_dir(), what))
    }

    fn numbered_in(root: &Path, what: &str) -> io::Result<Self> {
        for number in 0..NUMBERS {
            let folder = root.join(format!("{PREFIX}{what}-{number:02}"));
            remove_abandoned(&folder);
            match fs::create_dir(&folder) {
                // Whoever has the lock owns the folder, also one that somebody else made anew by now.
                Ok(()) => {
                    if let Some(lock) = locked(&folder) {
                        return Ok(Self { folder, _lock: lock });
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other(format!("no folder in {} is free", root.display())))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // The lock is held until this has ended. What cannot be removed is left to a later run.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Removes folders of the user's earlier runs that were killed. What cannot be removed stays.
pub fn sweep() {
    sweep_in(&std::env::temp_dir());
    sweep_in(Path::new(MEMORY));
}

fn sweep_in(root: &Path) {
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX)) {
            remove_abandoned(&entry.path());
        }
    }
}

/// Removes a folder of the user whose owner is gone.
fn remove_abandoned(folder: &Path) {
    let is_ours = fs::symlink_metadata(folder).is_ok_and(|of| of.is_dir() && of.uid() == geteuid().as_raw());
    if is_ours && let Some(_lock) = locked(folder) {
        // It may be removed by another run at the same time.
        let _ = fs::remove_dir_all(folder);
    }
}

/// The lock on a folder, if nobody has it and the folder is still the one of that path.
fn locked(path: &Path) -> Option<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = open(path, flags, Mode::empty()).ok()?;
    flock(&folder, FlockOperation::NonBlockingLockExclusive).ok()?;
    let (locked, there) = (fstat(&folder).ok()?, fs::symlink_metadata(path).ok()?);
    ((locked.st_dev, locked.st_ino) == (there.dev(), there.ino())).then_some(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_owns_any_more_is_swept() {
        let root = tempfile::tempdir().unwrap();
        let owned = Scratch::new_in(root.path(), "worker").unwrap();
        for name in ["covolve-scratch-worker-a", "covolve-scratch-verify-b", "covolve-tests"] {
            fs::create_dir_all(root.path().join(name).join("deeper")).unwrap();
        }
        std::os::unix::fs::symlink("/nowhere", root.path().join("covolve-scratch-link")).unwrap();
        sweep_in(root.path());
        let mut left: Vec<_> =
            fs::read_dir(root.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        left.sort();
        let others = ["covolve-scratch-link", "covolve-tests"].map(|name| root.path().join(name));
        assert_eq!(left, [others[0].clone(), owned.path().to_owned(), others[1].clone()]);
        let path = owned.path().to_owned();
        drop(owned);
        assert!(!path.exists() && others[1].join("deeper").is_dir());
    }

    #[test]
    fn the_lock_on_a_folder_that_another_one_has_replaced_is_none() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("covolve-scratch-files-00");
        fs::create_dir(&path).unwrap();
        let first = locked(&path).unwrap();
        assert!(locked(&path).is_none(), "it is held");
        fs::remove_dir(&path).unwrap();
        fs::create_dir(&path).unwrap();
        let second = locked(&path).unwrap();
        drop((first, second));
        // Of two that make the folder at the same time, one gets it, and the other one leaves it alone.
        let folders: Vec<Scratch> = std::thread::scope(|scope| {
            let make = || Scratch::numbered_in(root.path(), "files").unwrap();
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(make)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let mut paths: Vec<&Path> = folders.iter().map(Scratch::path).collect();
        paths.sort_unstable();
        paths.dedup();
        assert!(paths.len() == 8 && paths.iter().all(|path| path.is_dir()), "{paths:?}");
    }

    #[test]
    fn numbered_folders_have_the_first_name_that_is_free() {
        let root = tempfile::tempdir().unwrap();
        let name = |folder: &Scratch| folder.path().file_name().unwrap().to_str().unwrap().to_owned();
        let new = || Scratch::numbered_in(root.path(), "files").unwrap();
        // Left by a run that was killed.
        fs::create_dir_all(root.path().join("covolve-scratch-files-00/dir")).unwrap();
        let first = new();
        assert_eq!(name(&first), "covolve-scratch-files-00");
        assert_eq!(fs::read_dir(first.path()).unwrap().count(), 0);
        let second = new();
        assert_eq!(name(&second), "covolve-scratch-files-01");
        drop(first);
        assert_eq!(name(&new()), "covolve-scratch-files-00");
    }
}
