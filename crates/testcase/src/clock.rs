//! The one place where time is read: budgets, deadlines and limits are differences on a [`Clock`].

use std::time::{Duration, Instant};

/// Time since it was started. Moments are durations since then.
#[derive(Debug, Clone, Copy)]
pub struct Clock(Instant);

impl Clock {
    /// Starts at zero.
    #[expect(clippy::disallowed_methods, reason = "the one place where time is read")]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Time since the start.
    pub fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
