//! Standard streams of children. The parent talks to a child over the child's standard input and output; before
//! any foreign code runs, the child moves these pipes elsewhere and puts the null device in their place, so that
//! whatever the code under test reads or prints disturbs nobody.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::{FdFlags, fcntl_dupfd_cloexec, fcntl_setfd};

/// Lowest descriptor that is no standard stream.
const FIRST_PRIVATE: i32 = 3;

/// The former standard input and output.
#[derive(Debug)]
pub struct PrivateStreams {
    /// What the parent says.
    pub input: OwnedFd,
    /// What the parent hears.
    pub output: OwnedFd,
}

/// Moves the standard input and output away, to the lowest descriptors from 3 on, closed on `exec`, and puts the
/// null device in their place.
pub fn make_private() -> io::Result<PrivateStreams> {
    let input = fcntl_dupfd_cloexec(rustix::stdio::stdin(), FIRST_PRIVATE)?;
    let output = fcntl_dupfd_cloexec(rustix::stdio::stdout(), FIRST_PRIVATE)?;
    let null = null_device()?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    Ok(PrivateStreams { input, output })
}

impl PrivateStreams {
    /// Lets them survive `exec`.
    pub fn keep_open(&self) -> io::Result<()> {
        let keep = |fd: BorrowedFd<'_>| fcntl_setfd(fd, FdFlags::empty());
        keep(self.input.as_fd())?;
        keep(self.output.as_fd())?;
        Ok(())
    }
}

/// Puts the null device in the place of all standard streams: for a process that talks
/// to its parent by other means.
pub fn silence() -> io::Result<()> {
    let null = null_device()?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    Ok(())
}

/// The null device, for reading and writing.
pub fn null_device() -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open("/dev/null")
}
