//! What local search may use without covering anything.
//!
//! It earns a share of what the search uses, more of it while nothing is covered by anyone: evolution is in vain then, too. What it
//! uses and covers nothing with is taken off. Operators and test searches have a purse each, so that the ones do not pay for the
//! others.
//!
//! # Differences
//! The papers know no such bound: their set-ups have shares of 1.

use super::options::LocalSearchOptions;

/// Earnings less expenses, as a share of the budget of the search.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Purse {
    earned: f64,
    in_vain: f64,
}

/// How much of an application may be in vain where the purse holds less, as a share of the budget of the search: what begins must be
/// able to come to something.
const LEAST: f64 = 0.01;

/// The share of the search up to now that covered nothing at its end, from which on it stands still.
const STANDSTILL: f64 = 0.1;

impl Purse {
    /// Whether there may be an application.
    pub(crate) fn is_open(&self) -> bool {
        self.in_vain <= self.earned
    }

    /// What an application may use before it covers something, as a share of the budget of the search.
    pub(crate) fn allows(&self) -> f64 {
        (self.earned - self.in_vain).max(0.0) + LEAST
    }

    /// Puts in what was earned.
    pub(crate) fn earn(&mut self, share: f64) {
        self.earned += share;
    }

    /// An application used such a share of the budget and covered nothing.
    pub(crate) fn pay(&mut self, share: f64) {
        self.in_vain += share;
    }
}

/// What is earned with time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Earnings {
    /// Share of the budget that was used when it was looked at last.
    used: f64,
    /// The same, when something was covered last.
    gained: f64,
    /// Goals that were covered then.
    covered: u64,
}

impl Earnings {
    /// What each purse has earned since it was looked at last, after so large a share of the budget with so many covered goals.
    pub(crate) fn since(&mut self, used: f64, covered: u64, options: &LocalSearchOptions) -> f64 {
        if covered != self.covered {
            (self.gained, self.covered) = (used, covered);
        }
        let stands_still = used - self.gained > STANDSTILL * used;
        let rate = if stands_still {
            options.most_in_standstill.max(options.most_in_vain)
        } else {
            options.most_in_vain
        };
        let earned = (used - self.used) * rate;
        self.used = used;
        earned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was earned in ten steps of a tenth, of which those given cover something.
    fn earned(gains: &[u32]) -> f64 {
        let options = LocalSearchOptions {
            most_in_vain: 0.02,
            most_in_standstill: 0.2,
            ..LocalSearchOptions::default()
        };
        let (mut earnings, mut covered, mut sum) = (Earnings::default(), 0, 0.0);
        for step in 1..=10 {
            covered += u64::from(gains.contains(&step));
            sum += earnings.since(f64::from(step) / 10.0, covered, &options);
        }
        sum
    }

    #[test]
    fn more_is_earned_while_nothing_is_covered() {
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(close(earned(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), 0.02), "{}", earned(&[1]));
        assert!(close(earned(&[]), 0.2));
        // The first three and the one behind the gain at low rate, all others at the high one.
        assert!(close(earned(&[1, 2, 3, 7]), 4.0 * 0.002 + 6.0 * 0.02));
    }

    #[test]
    fn a_purse_opens_again_when_what_was_in_vain_is_earned() {
        let mut purse = Purse::default();
        assert!(purse.is_open());
        purse.pay(0.05);
        assert!(!purse.is_open());
        purse.earn(0.04);
        assert!(!purse.is_open());
        purse.earn(0.02);
        assert!(purse.is_open());
        assert!((purse.allows() - 0.02).abs() < 1e-9);
    }
}
