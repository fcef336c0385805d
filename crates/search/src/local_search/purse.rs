//! What local search may use without covering anything.
//!
//! It earns a share of what the search uses, more of it while nothing is covered by anyone: evolution is in vain then, too. What it
//! uses and covers nothing with is taken off. Where it covers something, what is taken off is what it used beyond the share in which the
//! search as a whole covers as much of late: a second in which the search would have covered a hundred goals is not paid for by ten.
//! Operators and test searches have a purse each, so that the ones do not pay for the others.
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

    /// What an application may use in vain, as a share of the budget of the search.
    pub(crate) fn allows(&self) -> f64 {
        (self.earned - self.in_vain).max(0.0) + LEAST
    }

    /// Puts in what was earned.
    pub(crate) fn earn(&mut self, share: f64) {
        self.earned += share;
    }

    /// An application used such a share of the budget in vain.
    pub(crate) fn pay(&mut self, share: f64) {
        self.in_vain += share.max(0.0);
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
    /// Goals that the search covers of late, per budget: what counts fades over a tenth of the search up to now.
    pace: f64,
}

impl Earnings {
    /// What each purse has earned since it was looked at last, after so large a share of the budget with so many covered goals.
    pub(crate) fn since(&mut self, used: f64, covered: u64, options: &LocalSearchOptions) -> f64 {
        let passed = used - self.used;
        if passed > 0.0 {
            let now = covered.saturating_sub(self.covered) as f64 / passed;
            self.pace += (now - self.pace) * (passed / (STANDSTILL * used)).min(1.0);
        }
        if covered != self.covered {
            (self.gained, self.covered) = (used, covered);
        }
        let stands_still = used - self.gained > STANDSTILL * used;
        let rate = if stands_still {
            options.most_in_standstill.max(options.most_in_vain)
        } else {
            options.most_in_vain
        };
        self.used = used;
        passed * rate
    }

    /// In which share of the budget the search covers so many goals of late; without end where it covers none.
    pub(crate) fn worth(&self, covered: u64) -> f64 {
        match covered {
            0 => 0.0,
            _ => covered as f64 / self.pace,
        }
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
    fn goals_are_worth_the_share_in_which_the_search_covers_as_many() {
        let (options, mut earnings) = (LocalSearchOptions::default(), Earnings::default());
        assert_eq!((earnings.worth(0), earnings.worth(3)), (0.0, f64::INFINITY));
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        // A hundred goals in a tenth of the budget.
        earnings.since(0.1, 100, &options);
        assert!(close(earnings.worth(10), 0.01), "{}", earnings.worth(10));
        // None in the next hundredth: half of what counts is left, nearly.
        earnings.since(0.11, 100, &options);
        assert!(close(earnings.worth(10), 0.11), "{}", earnings.worth(10));
        // Hardly anything is left after a fifth.
        for step in 12..=30 {
            earnings.since(f64::from(step) / 100.0, 100, &options);
        }
        assert!(earnings.worth(1) > 0.1 && earnings.worth(0) == 0.0, "{}", earnings.worth(1));
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
