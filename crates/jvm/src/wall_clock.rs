//! Real time: the only place of this crate that reads it. Used for limits on runs, never for results.

use std::time::{Duration, Instant};

/// Measures from its start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts now.
    #[expect(clippy::disallowed_methods, reason = "limits on one execution are real time by their nature")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Time since the start.
    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

/// Time that all threads of a process had on processors, together; 0 stands for this process. Nothing for one that is gone.
pub(crate) fn processor_time(process: u32) -> Duration {
    let process = libc::pid_t::try_from(process).unwrap_or(libc::pid_t::MAX);
    let mut clock = 0;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: both write to the variables that they are given, which live until they return.
    let is_read = unsafe {
        libc::clock_getcpuclockid(process, &raw mut clock) == 0
            && libc::clock_gettime(clock, &raw mut time) == 0
    };
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or_default();
    if is_read { Duration::new(seconds, nanoseconds) } else { Duration::ZERO }
}
