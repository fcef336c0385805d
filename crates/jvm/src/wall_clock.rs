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
