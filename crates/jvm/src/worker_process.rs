//! How a process that is to start a JVM is set up: it ends with its parent, and the code under test cannot reach its
//! standard streams.

use std::os::unix::process::CommandExt as _;
use std::process::Command;

use crate::error::JvmError;

/// Has a child die with this process, whatever becomes of it: for every program that is started.
///
/// It dies with the thread that starts it, not only with the process (`PR_SET_PDEATHSIG`): start it on a thread that
/// waits for it.
pub fn tie_to_parent(command: &mut Command) {
    let parent = rustix::process::getpid();
    // SAFETY: between fork and exec only system calls are made.
    unsafe { command.pre_exec(move || die_with(parent)) };
}

/// Has the kernel kill this process when its parent ends.
fn die_with(parent: rustix::process::Pid) -> std::io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    // The parent may have ended before the signal was asked for.
    if rustix::process::getppid() == Some(parent) {
        Ok(())
    } else {
        Err(std::io::Error::from(rustix::io::Errno::SRCH))
    }
}

/// Puts the null device in the place of the standard streams.
pub fn silence_standard_streams() -> Result<(), JvmError> {
    let failed = JvmError::system("the null device cannot take the place of the standard streams");
    let flags = rustix::fs::OFlags::RDWR | rustix::fs::OFlags::CLOEXEC;
    let null = rustix::fs::open("/dev/null", flags, rustix::fs::Mode::empty()).map_err(&failed)?;
    rustix::stdio::dup2_stdin(&null).map_err(&failed)?;
    rustix::stdio::dup2_stdout(&null).map_err(&failed)?;
    rustix::stdio::dup2_stderr(&null).map_err(&failed)
}
