//! The one place where the command reads the time.

use std::time::{Duration, Instant};

/// Time since a session began. Moments in this crate are durations since then.
#[derive(Debug, Clone, Copy)]
pub struct Clock(Instant);

impl Clock {
    /// Starts at zero.
    #[expect(clippy::disallowed_methods, reason = "the clock of the session: budgets are read from it")]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Time since the start.
    pub fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
