//! A child with all that it starts.

use std::io;
use std::process::{Child, ExitStatus};
use std::thread;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, setpriority_pgrp, waitid};

/// How far behind others a group goes that gives way, as `nice` counts: they get nine tenths of a processor that
/// both want.
const BEHIND: i32 = 10;

/// A child that leads a process group of its own. Dropping it ends the group.
#[derive(Debug)]
pub struct ChildGroup {
    /// There until it is dropped.
    child: Option<Child>,
    id: u32,
    /// Set when the child has been waited for: from then on its number may belong to another process.
    status: Option<ExitStatus>,
}

impl ChildGroup {
    /// Takes over a child that was started with a process group of its own.
    pub fn new(child: Child) -> Self {
        Self { id: child.id(), child: Some(child), status: None }
    }

    /// The child's number.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Whether the child still runs. Leaves a dead one for [`ChildGroup::end`].
    pub fn is_alive(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.status.is_none()
            && self.pid().is_some_and(|pid| matches!(waitid(WaitId::Pid(pid), options), Ok(None)))
    }

    /// Lets others go first from now on, where processors are few. There is no way back.
    pub fn give_way(&self) {
        if let Some(pid) = self.pid().filter(|_| self.status.is_none()) {
            // It fails if nothing is left of the group.
            let _ = setpriority_pgrp(Some(pid), BEHIND);
        }
    }

    /// Waits for the child to end by itself.
    pub fn wait(&mut self) -> io::Result<ExitStatus> {
        let child = self.child.as_mut().ok_or(io::ErrorKind::NotFound)?;
        let status = child.wait()?;
        self.status = Some(status);
        Ok(status)
    }

    /// Kills the child and what it started, as far as that is still there; the child's status.
    pub fn end(&mut self) -> io::Result<ExitStatus> {
        if let Some(status) = self.status {
            return Ok(status);
        }
        self.kill();
        self.wait()
    }

    fn kill(&self) {
        if let Some(pid) = self.pid().filter(|_| self.status.is_none()) {
            // It fails if nothing is left to kill.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    fn pid(&self) -> Option<Pid> {
        i32::try_from(self.id).ok().and_then(Pid::from_raw)
    }
}

impl Drop for ChildGroup {
    fn drop(&mut self) {
        self.kill();
        let Some(mut child) = self.child.take().filter(|_| self.status.is_none()) else { return };
        // A group that gave way takes its time to hand its memory back, and nobody has any for that at a deadline.
        thread::spawn(move || child.wait());
    }
}
