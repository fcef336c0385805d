//! A child with all that it starts.

use std::io;
use std::process::{Child, ExitStatus};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// A child that leads a process group of its own. Dropping it ends the group.
#[derive(Debug)]
pub(crate) struct ChildGroup {
    child: Child,
    /// Set when the child has been waited for: from then on its number may belong to another process.
    status: Option<ExitStatus>,
}

impl ChildGroup {
    /// Takes over a child that was started with a process group of its own.
    pub(crate) fn new(child: Child) -> Self {
        Self { child, status: None }
    }

    /// The child's number.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether the child still runs. Leaves a dead one for [`ChildGroup::end`].
    pub(crate) fn is_alive(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.status.is_none()
            && self.pid().is_some_and(|pid| matches!(waitid(WaitId::Pid(pid), options), Ok(None)))
    }

    /// Waits for the child to end by itself.
    pub(crate) fn wait(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait()?;
        self.status = Some(status);
        Ok(status)
    }

    /// Kills the child and what it started, as far as that is still there; the child's status.
    pub(crate) fn end(&mut self) -> io::Result<ExitStatus> {
        if let Some(status) = self.status {
            return Ok(status);
        }
        if let Some(pid) = self.pid() {
            // It fails if nothing is left to kill.
            let _ = kill_process_group(pid, Signal::KILL);
        }
        self.wait()
    }

    fn pid(&self) -> Option<Pid> {
        i32::try_from(self.child.id()).ok().and_then(Pid::from_raw)
    }
}

impl Drop for ChildGroup {
    fn drop(&mut self) {
        let _ = self.end();
    }
}
