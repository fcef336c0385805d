//! Between parent and worker: how a worker process is started so that the code under test cannot reach what the two
//! say to each other, and does not outlive the parent.

use std::fs::File;
use std::os::fd::{AsFd, AsRawFd as _, FromRawFd as _, OwnedFd, RawFd};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

use rustix::pipe::{PipeFlags, pipe_with};

use crate::error::JvmError;
use crate::shared::{SlotReader, SlotWriter};
use crate::vm::OPTION_VARIABLES;

/// Where a worker finds what it reads from its parent, what it writes to it, and the test slot.
const REQUESTS: RawFd = 3;
const EVENTS: RawFd = 4;
const SLOT: RawFd = 5;

/// The parent's ends.
#[derive(Debug)]
pub struct ParentEnds {
    /// What is written here, the worker reads.
    pub requests: File,
    /// What the worker writes, is read here.
    pub events: File,
    /// The running test.
    pub slot: SlotReader,
    /// The worker's ends, to be closed once it was started: then the end of the worker ends `events`.
    worker: [OwnedFd; 2],
}

impl ParentEnds {
    /// To be called once the worker was started.
    pub fn close_worker_ends(self) -> (File, File, SlotReader) {
        drop(self.worker);
        (self.requests, self.events, self.slot)
    }
}

/// The worker's ends.
#[derive(Debug)]
pub struct WorkerEnds {
    /// What the parent says.
    pub requests: File,
    /// What the worker says.
    pub events: File,
    /// The running test.
    pub slot: SlotWriter,
}

/// Prepares a command for a worker: private pipes and the test slot, the null device as standard streams, no options
/// for JVMs in its environment, and death with the parent ([`tie_to_parent`]).
pub fn prepare(command: &mut Command) -> Result<ParentEnds, JvmError> {
    let failed = JvmError::system("no pipe to the worker");
    let (requests_read, requests_write) = pipe_with(PipeFlags::CLOEXEC).map_err(&failed)?;
    let (events_read, events_write) = pipe_with(PipeFlags::CLOEXEC).map_err(&failed)?;
    let slot = SlotReader::create()?;
    let sources = [requests_read.as_raw_fd(), events_write.as_raw_fd(), slot.file().as_raw_fd()];
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    for variable in OPTION_VARIABLES {
        command.env_remove(variable);
    }
    tie_to_parent(command);
    // SAFETY: between fork and exec only system calls are made, on numbers of descriptors that are open there.
    unsafe { command.pre_exec(move || hand_over(sources)) };
    Ok(ParentEnds {
        requests: requests_write.into(),
        events: events_read.into(),
        slot,
        worker: [requests_read, events_write],
    })
}

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

/// Puts descriptors where the worker expects them, open across `exec`.
fn hand_over(sources: [RawFd; 3]) -> std::io::Result<()> {
    let targets = [REQUESTS, EVENTS, SLOT];
    // A source may be in the place of a target, so all are first moved out of the way.
    let mut moved = [0; 3];
    for (source, moved) in sources.into_iter().zip(&mut moved) {
        // SAFETY: plain system calls on open descriptors.
        *moved = check(unsafe { libc::fcntl(source, libc::F_DUPFD_CLOEXEC, SLOT + 1) })?;
    }
    for (moved, target) in moved.into_iter().zip(targets) {
        // SAFETY: as above; `dup2` leaves the copy open across `exec`.
        check(unsafe { libc::dup2(moved, target) })?;
    }
    Ok(())
}

fn check(result: libc::c_int) -> std::io::Result<libc::c_int> {
    if result < 0 { Err(std::io::Error::last_os_error()) } else { Ok(result) }
}

/// The worker's side of [`prepare`]. To be called once, before anything else opens files; processes that the worker
/// starts do not inherit the ends.
pub fn inherited() -> Result<WorkerEnds, JvmError> {
    let what = "this worker was not started by its parent";
    for number in [REQUESTS, EVENTS, SLOT] {
        // SAFETY: a plain system call, on a number that may or may not be open.
        check(unsafe { libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC) })
            .map_err(|reason| JvmError::System { what, reason })?;
    }
    // SAFETY: all are open; the parent put them there, and nothing else in this process knows them yet.
    let take = |number: RawFd| unsafe { OwnedFd::from_raw_fd(number) };
    let (requests, events, slot) = (take(REQUESTS), take(EVENTS), take(SLOT));
    Ok(WorkerEnds { requests: requests.into(), events: events.into(), slot: SlotWriter::open(slot.as_fd())? })
}

/// Puts the null device in the place of the standard streams, for a worker that was started another way.
pub fn silence_standard_streams() -> Result<(), JvmError> {
    let failed = JvmError::system("the null device cannot take the place of the standard streams");
    let flags = rustix::fs::OFlags::RDWR | rustix::fs::OFlags::CLOEXEC;
    let null = rustix::fs::open("/dev/null", flags, rustix::fs::Mode::empty()).map_err(&failed)?;
    rustix::stdio::dup2_stdin(&null).map_err(&failed)?;
    rustix::stdio::dup2_stdout(&null).map_err(&failed)?;
    rustix::stdio::dup2_stderr(&null).map_err(&failed)
}
