//! The time limit of brief runs.

use std::time::Duration;

use testcase::clock::Clock;

use crate::options::JvmOptions;

/// Times what the slowest run took that was not cut short that the limit is at least.
const ABOVE_SLOWEST: u32 = 8;

/// The time limit of a brief run, which becomes shorter with each call that runs had to be ended in.
///
/// A class with one such call loses little by waiting for it. One with twenty would lose its budget; there the limit comes
/// down towards what other runs take.
#[derive(Debug)]
pub(super) struct TimeLimit {
    most: Duration,
    least: Duration,
    run: Option<Clock>,
    slowest: Duration,
    /// How often it was halved.
    halved: u32,
}

impl TimeLimit {
    pub(super) fn new(options: &JvmOptions) -> Self {
        let most = Duration::from_millis(options.limit_ms.into());
        let least = Duration::from_millis(options.least_limit_ms.into()).min(most);
        Self { most, least, run: None, slowest: Duration::ZERO, halved: 0 }
    }

    /// A run begins. What it takes is of no interest where the limit stays what it is.
    pub(super) fn begin(&mut self) {
        self.run = (self.least < self.most).then(Clock::start);
    }

    /// The run has come to its own end.
    pub(super) fn end(&mut self) {
        if let Some(run) = self.run.take() {
            self.slowest = self.slowest.max(run.now());
        }
    }

    /// Earlier processes had to end runs in so many calls. What their other runs took is not known, so half of them count.
    pub(super) fn begin_after(&mut self, faults: usize) {
        self.halved = u32::try_from(faults.div_ceil(2)).unwrap_or(u32::MAX);
    }

    /// A run had to be ended.
    pub(super) fn tighten(&mut self) {
        self.halved = self.halved.saturating_add(1);
    }

    /// The limit as it is now.
    pub(super) fn now(&self) -> Duration {
        let halved = self.halved.min(u32::BITS - 1);
        (self.most / (1 << halved)).max(self.slowest * ABOVE_SLOWEST).clamp(self.least, self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_comes_down_towards_what_other_runs_take() {
        let milliseconds = Duration::from_millis;
        let check = |slowest, faults: u32, expect| {
            let mut limit = TimeLimit {
                most: milliseconds(400),
                least: milliseconds(50),
                run: None,
                slowest: milliseconds(slowest),
                halved: 0,
            };
            (0..faults).for_each(|_| limit.tighten());
            assert_eq!(limit.now(), milliseconds(expect), "{slowest} {faults}");
            // What was slow in another process is not known.
            limit.begin_after(2 * faults as usize);
            assert_eq!(limit.now(), milliseconds(expect), "{slowest} {faults}");
        };
        check(1, 0, 400);
        check(1, 1, 200);
        check(1, 2, 100);
        check(1, 90, 50);
        check(20, 90, 160);
        check(90, 90, 400);
    }
}
