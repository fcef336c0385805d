//! Real time: the only place of this crate that reads it. Used for limits on runs, never for results.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

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

/// Measures, from its start, real time and what the process had of the processors meanwhile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunTimer {
    wall: Stopwatch,
    processor: Duration,
}

/// What a timer shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RunTime {
    /// Real time.
    pub(crate) wall: Duration,
    /// Time that all threads of this process had on processors, together.
    pub(crate) processor: Duration,
}

impl RunTimer {
    /// Starts now.
    pub(crate) fn start() -> Self {
        Self { wall: Stopwatch::start(), processor: processor_time() }
    }

    /// Time since the start.
    pub(crate) fn elapsed(self) -> RunTime {
        let processor = processor_time().saturating_sub(self.processor);
        RunTime { wall: self.wall.elapsed(), processor }
    }
}

fn processor_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}
