//! Time that is kept for writing the file of a class in another form, once all of it is verified: with rows in place of tests of one shape,
//! and with what tests share written once. It is compiled and run once more for that.
//!
//! How long that takes is a guess until the suite of everything was verified, and known then: about as long as that verification, and no time
//! at all where nothing in the file is to be written otherwise. What is kept in vain is lost to the search.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::speeds::Speeds;
use super::time_plan::{REWRITING_CAUTION, TimePlan};
use crate::options::Budget;

/// Part of the budget that is kept until it is known what the time is needed for; what that takes grows with the file, and the file less than
/// the budget.
const REWRITING_SHARE: f64 = 0.05;
const MOST_REWRITING: Duration = Duration::from_secs(2);
/// The same where tests may have mocks: Mockito makes a class for each type in each JVM, and what is set up once shows most there.
const MOCKING_SHARE: f64 = 0.2;
const MOST_MOCKING: Duration = Duration::from_secs(3);

/// What will be written in another form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// That is not known yet.
    Unknown,
    /// Nothing: the file stays as it is.
    Nothing,
    /// A file with so many tests.
    Tests(usize),
}

/// What is kept of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// As long as nothing is known, and at most.
    share: Duration,
    /// Whether more is kept where many tests take longer.
    grows: bool,
}

/// What is kept for the file of a class, and what is known of it.
#[derive(Debug)]
pub struct Rewriting {
    kept: Option<Kept>,
    expected: Mutex<Expected>,
}

impl Kept {
    /// Of a budget; `None` where executions are the budget. Where tests become no rows, nothing is kept until they are many. `grows` where
    /// nobody else needs the time.
    pub fn of(budget: Budget, has_tables: bool, has_mocks: bool, grows: bool) -> Option<Self> {
        let time = budget.time()?;
        let (share, most) =
            if has_mocks { (MOCKING_SHARE, MOST_MOCKING) } else { (REWRITING_SHARE, MOST_REWRITING) };
        let share = if has_tables { time.mul_f64(share).min(most) } else { Duration::ZERO };
        Some(Self { share, grows })
    }

    /// What is kept by what is expected, and whether more is kept for many tests.
    fn by(self, expected: Expected, speeds: &Speeds) -> (Duration, bool) {
        match expected {
            Expected::Unknown => (self.share, self.grows),
            Expected::Nothing => (Duration::ZERO, false),
            Expected::Tests(tests) => {
                (speeds.verify.of(tests).mul_f64(REWRITING_CAUTION).min(self.share), self.grows)
            }
        }
    }
}

impl Rewriting {
    /// With this kept; `None` where a file stays as it is.
    pub fn new(kept: Option<Kept>) -> Self {
        Self { kept, expected: Mutex::new(Expected::Unknown) }
    }

    /// Whether any time is kept, however much.
    pub fn keeps_time(&self) -> bool {
        self.kept.is_some()
    }

    /// From now on this is expected.
    pub fn expect(&self, expected: Expected) {
        *self.expected.lock().unwrap_or_else(PoisonError::into_inner) = expected;
    }

    /// The plan for a budget without what is kept of it; `None` where executions are the budget.
    pub fn plan(&self, budget: Budget, speeds: Speeds) -> Option<TimePlan> {
        let expected = *self.expected.lock().unwrap_or_else(PoisonError::into_inner);
        let plan = TimePlan::new(budget, speeds)?;
        let Some(kept) = self.kept else { return Some(plan) };
        let (time, grows) = kept.by(expected, &speeds);
        Some(plan.keeping(time, grows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn tables_and_mocks_take_a_small_part_of_a_budget_in_time() {
        for (all, has_mocks, expect) in [(10.0, false, 0.5), (10.0, true, 2.0), (100.0, true, 3.0)] {
            let kept = Kept::of(Budget::Time(seconds(all)), true, has_mocks, true);
            assert_eq!(kept, Some(Kept { share: seconds(expect), grows: true }));
        }
        assert_eq!(Kept::of(Budget::Executions(100), true, true, true), None);
        let without_tables = Kept::of(Budget::Time(seconds(10.0)), false, true, false);
        assert_eq!(without_tables, Some(Kept { share: Duration::ZERO, grows: false }));
    }

    /// The default costs of a verification are 0.2 s and 7 ms a test.
    #[test]
    fn what_is_kept_in_vain_is_given_back_as_soon_as_that_is_known() {
        let budget = Budget::Time(seconds(10.0));
        let rewriting = Rewriting::new(Kept::of(budget, true, true, true));
        let deadline = |expected| {
            rewriting.expect(expected);
            rewriting.plan(budget, Speeds::default()).unwrap().deadline().as_secs_f64()
        };
        for (expected, kept) in [
            (Expected::Unknown, 2.0),
            (Expected::Nothing, 0.0),
            (Expected::Tests(10), 1.2 * 0.27),
            (Expected::Tests(1000), 2.0),
        ] {
            let found = deadline(expected);
            assert!((9.7 - kept - found).abs() < 1e-6, "{expected:?}: {found}");
        }
    }
}
