//! Which phase of a class may last until when, so that a verified file is on disk when its time budget ends.
//!
//! All moments are durations since the class path was known. What the later phases take is estimated from what
//! they took before (for an earlier file of the same class, or for other classes), and kept free with a margin.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::options::Budget;

/// What the phases after the search cost, as learned so far.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Speeds {
    /// Minimization, per different test of the archive.
    pub minimize: Cost,
    /// Assertions, per test.
    pub assertions: Cost,
    /// Printing, compiling and running, per test.
    pub verify: Cost,
}

/// What a phase costs: something fixed, and something per unit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    fixed: f64,
    per_unit: f64,
    /// Whether anything was learned.
    is_measured: bool,
}

impl Default for Speeds {
    /// Before anything is measured: on the slow side of what was seen, JVMs warm, two cores.
    fn default() -> Self {
        Self {
            minimize: Cost::new(0.02, 0.0005),
            assertions: Cost::new(0.02, 0.0005),
            verify: Cost::new(0.35, 0.0015),
        }
    }
}

impl Speeds {
    /// Learns from a verification. The first one compiles and runs with cold code, beside a search that takes the
    /// processors: those after it were seen to take half as long, and less.
    pub fn learn_verification(&mut self, tests: usize, took: Duration) {
        let took = if self.verify.is_measured { took } else { took.mul_f64(WARM) };
        self.verify.learn(tests, took);
    }
}

impl Cost {
    /// A guess, in seconds.
    const fn new(fixed: f64, per_unit: f64) -> Self {
        Self { fixed, per_unit, is_measured: false }
    }

    /// Time to keep free for so many units.
    fn reserve(&self, units: usize) -> Duration {
        self.of(units).mul_f64(self.caution())
    }

    fn caution(&self) -> f64 {
        if self.is_measured { MEASURED_CAUTION } else { CAUTION }
    }

    /// Time for so many units.
    pub fn of(&self, units: usize) -> Duration {
        Duration::from_secs_f64(self.fixed + self.per_unit * units as f64)
    }

    /// Most units that take no longer than this.
    pub fn units_in(&self, time: Duration) -> usize {
        ((time.as_secs_f64() - self.fixed) / self.per_unit).max(0.0) as usize
    }

    /// Learns from a phase that was cut short when this share of it was done.
    pub fn learn_part(&mut self, units: usize, took: Duration, share: f64) {
        self.learn(units, took.div_f64(share.clamp(LEAST_SHARE, 1.0)));
    }

    /// Learns from a phase that took this long: at once when it was slower than thought, and most of it when faster, since
    /// a reserve that is too small costs the file and one that is too large only search time.
    pub fn learn(&mut self, units: usize, took: Duration) {
        let thought = self.of(units).as_secs_f64();
        if thought <= 0.0 {
            return;
        }
        let ratio = took.as_secs_f64() / thought;
        let factor = if ratio > 1.0 { ratio } else { 1.0 + (ratio - 1.0) * FASTER };
        self.is_measured = true;
        self.fixed *= factor;
        self.per_unit *= factor;
    }
}

/// The moments of a class with a time budget.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TimePlan {
    deadline: Duration,
    /// How long a suite may take that is made before the search ends.
    snapshot: Duration,
    speeds: Speeds,
}

/// Phases after the search take this much more than guessed before they run into each other.
const CAUTION: f64 = 1.4;

/// Likewise where they were measured: the first time, which is what is learned from, is the slowest one.
const MEASURED_CAUTION: f64 = 1.2;

/// What a later verification takes of the time of the first one.
const WARM: f64 = 0.5;

/// Of a phase that was cut short, nobody can tell from less than this how long it takes.
const LEAST_SHARE: f64 = 0.05;

/// How much of it is learned when a phase was faster than thought.
const FASTER: f64 = 0.75;

/// The search gets at least this part of the time that is left when it begins, whatever comes after it.
const SEARCH_SHARE: f64 = 0.4;

/// Kept free at the very end, as a part of the budget and within bounds: for the file and for the process to end.
const MARGIN: f64 = 0.03;
const LEAST_MARGIN: Duration = Duration::from_millis(20);
const MOST_MARGIN: Duration = Duration::from_millis(400);

/// Parts of the time from the start of a search at which it makes a suite of what it has found.
const SNAPSHOTS: [f64; 2] = [0.15, 0.6];

/// What such a suite may take of the budget. One that has too little time is delivered with tests that nobody minimized
/// and that assert nothing, if the last one is not there in time.
const SNAPSHOT_SHARE: f64 = 0.05;
const LEAST_SNAPSHOT: Duration = Duration::from_millis(300);
const MOST_SNAPSHOT: Duration = Duration::from_secs(3);

/// Parts of that time at which the archive is made a suite where the search made none.
const FALLBACKS: [f64; 2] = [0.35, 0.65];

impl TimePlan {
    /// The plan for a budget; `None` for budgets in executions, where every phase is bounded by counts instead.
    pub fn new(budget: Budget, speeds: Speeds) -> Option<Self> {
        let time = budget.time()?;
        let margin = time.mul_f64(MARGIN).clamp(LEAST_MARGIN, MOST_MARGIN);
        let snapshot = time.mul_f64(SNAPSHOT_SHARE).clamp(LEAST_SNAPSHOT, MOST_SNAPSHOT);
        Some(Self { deadline: time.saturating_sub(margin), snapshot, speeds })
    }

    /// The same plan for a clock that starts at `now`.
    pub fn from(self, now: Duration) -> Self {
        Self { deadline: self.deadline.saturating_sub(now), ..self }
    }

    /// When everything must be over: what still runs then is ended.
    pub fn deadline(&self) -> Duration {
        self.deadline
    }

    /// When a search that began at `start` must end, whose archive has so many different tests so far, and whose suite
    /// will have so many. Executions of this class are so slow that minimization will take `minimize` at least.
    pub fn search_end(&self, start: Duration, archived: usize, tests: usize, minimize: Duration) -> Duration {
        let Speeds { minimize: thought, assertions, verify } = &self.speeds;
        let minimize = thought.reserve(archived).max(minimize.mul_f64(CAUTION));
        let rest = minimize + assertions.reserve(tests) + verify.reserve(tests);
        let least = start + self.deadline.saturating_sub(start).mul_f64(SEARCH_SHARE);
        self.deadline.saturating_sub(rest).max(least)
    }

    /// When a suite must be there that is made at `now`, while the search waits.
    pub fn snapshot_end(&self, now: Duration) -> Duration {
        now + self.snapshot
    }

    /// When the suite must be there, to be verified in time.
    pub fn suite_end(&self, tests: usize) -> Duration {
        self.deadline.saturating_sub(self.speeds.verify.reserve(tests))
    }

    /// Most tests that can be verified in a part of the time that is left at `now`.
    pub fn tests_to_verify(&self, now: Duration, share: f64) -> usize {
        let time = self.deadline.saturating_sub(now).mul_f64(share);
        self.speeds.verify.units_in(time.div_f64(self.speeds.verify.caution()))
    }

    /// Moments at which what was found so far is made a file beside a search that began at `start`: a first one
    /// early, so that there is one whatever happens, then a second one well before the end. None where the time is
    /// too short for a file before the last.
    pub fn snapshots(&self, start: Duration) -> Vec<Duration> {
        self.moments(start, SNAPSHOTS)
    }

    /// Moments at which a file is made without the search, should it have given none by then: some time after those at
    /// which it makes them itself.
    pub fn fallbacks(&self, start: Duration) -> Vec<Duration> {
        self.moments(start, FALLBACKS)
    }

    fn moments(&self, start: Duration, shares: [f64; 2]) -> Vec<Duration> {
        let window = self.deadline.saturating_sub(start);
        let one = self.speeds.verify.reserve(0);
        shares
            .into_iter()
            .map(|share| start + window.mul_f64(share))
            // Its verification ends before the last one begins.
            .filter(|moment| *moment + one + one <= self.deadline)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn plan(budget: f64) -> TimePlan {
        TimePlan::new(Budget::Time(seconds(budget)), Speeds::default()).unwrap()
    }

    #[test]
    fn a_margin_is_kept_at_the_end() {
        let deadline = |budget| plan(budget).deadline().as_millis();
        assert_eq!(deadline(60.0), 59_600);
        assert_eq!(deadline(10.0), 9_700);
        assert_eq!(deadline(0.5), 480);
        assert_eq!(deadline(0.01), 0);
    }

    #[test]
    fn budgets_in_executions_have_no_moments() {
        assert_eq!(TimePlan::new(Budget::Executions(10), Speeds::default()), None);
    }

    #[test]
    fn the_search_ends_earlier_the_more_there_is_to_do_after_it() {
        let plan = plan(10.0);
        let end = |archived, tests| plan.search_end(seconds(0.4), archived, tests, Duration::ZERO);
        assert!(end(0, 0) > end(100, 30) && end(100, 30) > end(1000, 300));
        assert!(plan.search_end(seconds(0.4), 10, 3, seconds(2.0)) < end(1000, 300));
        assert!(end(100, 30) > seconds(8.0) && end(100, 30) < plan.deadline());
    }

    #[test]
    fn the_search_keeps_its_share_of_a_short_budget() {
        let plan = plan(1.0);
        let end = plan.search_end(seconds(0.3), 10_000, 10_000, Duration::ZERO);
        assert_eq!(end, seconds(0.3) + seconds(0.67).mul_f64(SEARCH_SHARE));
        assert_eq!(
            plan.search_end(seconds(5.0), 0, 0, Duration::ZERO),
            seconds(5.0),
            "a search that begins too late ends at once"
        );
    }

    #[test]
    fn phases_end_one_after_the_other() {
        let plan = plan(10.0);
        let moments =
            [plan.search_end(seconds(0.5), 200, 50, Duration::ZERO), plan.suite_end(50), plan.deadline()];
        assert!(moments.windows(2).all(|pair| pair[0] < pair[1]), "{moments:?}");
    }

    #[test]
    fn costs_are_learned_quickly_upwards_and_in_part_downwards() {
        let mut cost = Cost::new(1.0, 0.1);
        assert_eq!(cost.reserve(10), seconds(2.0 * CAUTION));
        cost.learn(10, seconds(4.0));
        assert_eq!(cost.of(10), seconds(4.0));
        assert_eq!(cost.reserve(10), seconds(4.0 * MEASURED_CAUTION));
        cost.learn(10, seconds(2.0));
        assert_eq!(cost.of(10), seconds(2.5));
        assert_eq!(cost.of(0), seconds(1.25));
    }

    #[test]
    fn a_suite_beside_the_search_takes_a_part_of_the_budget() {
        let takes = |budget| plan(budget).snapshot_end(seconds(2.0)).saturating_sub(seconds(2.0));
        assert_eq!(
            [3.0, 10.0, 30.0, 600.0].map(takes),
            [LEAST_SNAPSHOT, seconds(0.5), seconds(1.5), MOST_SNAPSHOT]
        );
    }

    #[test]
    fn what_was_cut_short_tells_how_long_it_takes() {
        let mut cost = Cost::new(1.0, 0.1);
        cost.learn_part(10, seconds(2.0), 0.25);
        assert_eq!(cost.of(10), seconds(8.0));
        let mut cost = Cost::new(1.0, 0.1);
        cost.learn_part(10, seconds(2.0), 0.0);
        assert_eq!(cost.of(10), seconds(2.0 / LEAST_SHARE));
        let mut cost = Cost::new(1.0, 0.1);
        cost.learn_part(10, seconds(2.0), 1.0);
        assert_eq!(cost.of(10), seconds(2.0));
    }

    #[test]
    fn the_first_verification_counts_half() {
        let mut speeds = Speeds { verify: Cost::new(1.0, 0.1), ..Speeds::default() };
        speeds.learn_verification(10, seconds(8.0));
        assert_eq!(speeds.verify.of(10), seconds(4.0));
        speeds.learn_verification(10, seconds(8.0));
        assert_eq!(speeds.verify.of(10), seconds(8.0));
    }

    #[test]
    fn tests_are_verified_as_far_as_time_allows() {
        let plan = plan(10.0);
        let tests = |now: f64, share| plan.tests_to_verify(seconds(now), share);
        assert!(tests(5.0, 1.0) > tests(8.0, 1.0) && tests(8.0, 1.0) > tests(8.0, 0.5));
        assert_eq!(tests(9.6, 1.0), 0);
        let cost = Cost::new(1.0, 0.1);
        assert_eq!((cost.units_in(seconds(3.0)), cost.units_in(seconds(0.5))), (20, 0));
    }

    #[test]
    fn snapshots_leave_room_for_the_last_file() {
        assert_eq!(plan(60.0).snapshots(seconds(0.6)).len(), 2);
        assert_eq!(plan(10.0).snapshots(seconds(0.5)).len(), 2);
        assert_eq!(plan(1.5).snapshots(seconds(0.5)).len(), 0);
        let first = plan(10.0).snapshots(seconds(0.5))[0];
        assert!(first > seconds(1.0) && first < seconds(3.0));
        let later = plan(10.0).fallbacks(seconds(0.5));
        assert!(later[0] > first && later[1] > plan(10.0).snapshots(seconds(0.5))[1], "{later:?}");
    }
}
