//! What the phases after the search cost: thought at first, then learned.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What the phases after the search cost, as learned so far.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Speeds {
    /// Minimization, per different test of the archive.
    pub minimize: Cost,
    /// Assertions, per test.
    pub assertions: Cost,
    /// Printing, compiling and running, per test.
    pub verify: Cost,
    /// Running tests together that were verified apart, per test.
    pub together: Cost,
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
            verify: Cost::new(0.2, 0.007),
            together: Cost::new(0.2, 0.002),
        }
    }
}

impl Speeds {
    /// Learns from a verification. The first one compiles and runs with cold code, beside a search that takes the
    /// processors: those after it were seen to take a third of that where little is to be loaded, and most of it where that is much.
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
    pub(super) fn reserve(&self, units: usize) -> Duration {
        self.of(units).mul_f64(self.caution())
    }

    pub(super) fn caution(&self) -> f64 {
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

    /// Learns from a phase that was cut short when this share of it was done: it takes longer than it took, and less than
    /// that multiplied, since its beginning is the slowest part of it. What is taken is the geometric mean of the two.
    pub fn learn_part(&mut self, units: usize, took: Duration, share: f64) {
        self.learn(units, took.div_f64(share.clamp(LEAST_SHARE, 1.0).sqrt()));
    }

    /// Learns most of it from a phase that took this long: from one with few units what is fixed, from one with many what a unit
    /// takes. That is the step of a Kalman filter which thinks that both may be wrong by as large a part of what they are.
    pub fn learn(&mut self, units: usize, took: Duration) {
        let units = units as f64;
        let (of_fixed, of_units) = (self.fixed.powi(2), (self.per_unit * units).powi(2));
        let variance = of_fixed + of_units;
        if variance <= 0.0 {
            return;
        }
        let learned = LEARNED * (took.as_secs_f64() - self.fixed - self.per_unit * units) / variance;
        self.is_measured = true;
        self.fixed += learned * of_fixed;
        self.per_unit += learned * self.per_unit.powi(2) * units;
    }

    /// Learns from a phase that ended since its time was over: it takes longer than it took, and than it was thought to.
    pub fn learn_overrun(&mut self, units: usize, took: Duration) {
        self.learn(units, took.max(self.of(units)).mul_f64(OVERRUN));
    }
}

/// Phases after the search take this much more than guessed before they run into each other.
pub(super) const CAUTION: f64 = 1.4;

/// Likewise where they were measured: the first time, which is what is learned from, is the slowest one.
const MEASURED_CAUTION: f64 = 1.2;

/// What a later verification takes of the time of the first one.
const WARM: f64 = 0.5;

/// Of a phase that was cut short, nobody can tell from less than this how long it takes.
const LEAST_SHARE: f64 = 0.05;

/// How much of it is learned when a phase took another time than thought: 1 would be all. No phase is like the one before
/// it: code gets warmer, and what else the machine does changes.
const LEARNED: f64 = 0.7;

/// What a phase is thought to take of which nobody knows but that it takes longer than this.
const OVERRUN: f64 = 1.5;

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn most_of_a_cost_is_learned_at_once() {
        let mut cost = Cost::new(1.0, 0.1);
        assert_eq!(cost.reserve(10), seconds(2.0 * CAUTION));
        cost.learn(10, seconds(4.0));
        let learned = cost.of(10);
        assert!(learned > seconds(3.0) && learned < seconds(4.0), "{learned:?}");
        let is_half = cost.of(0).abs_diff(learned / 2) < Duration::from_micros(1);
        assert!(is_half, "what is fixed and what a unit takes change alike");
        assert_eq!(cost.reserve(10), learned.mul_f64(MEASURED_CAUTION));
        cost.learn(10, seconds(2.0));
        assert!(cost.of(10) > seconds(2.0) && cost.of(10) < (learned + seconds(2.0)) / 2);
    }

    #[test]
    fn what_an_estimate_is_wrong_by_is_laid_to_what_is_fixed_where_there_are_few_units_and_to_these_where_there_are_many()
     {
        let learned = |units| {
            let mut cost = Cost::new(0.2, 0.01);
            cost.learn(units, cost.of(units) * 3);
            (cost.fixed / 0.2, cost.per_unit / 0.01)
        };
        let (few, many) = (learned(1), learned(300));
        assert!(few.0 > 2.0 && few.1 < 1.2, "{few:?}");
        assert!(many.0 < 1.2 && many.1 > 2.0, "{many:?}");
    }

    #[test]
    fn what_ran_out_of_time_is_thought_to_take_longer_each_time() {
        let mut cost = Cost::new(0.2, 0.01);
        let before = cost.of(5);
        cost.learn_overrun(5, before / 4);
        assert!(cost.of(5) > before.mul_f64(1.3), "it was cut short before it could take as long as thought");
    }

    #[test]
    fn what_was_cut_short_takes_longer_than_it_took_and_less_than_that_multiplied() {
        let learned = |share| {
            let mut cost = Cost::new(1.0, 0.1);
            cost.learn_part(10, seconds(2.0), share);
            cost.of(10)
        };
        assert_eq!(learned(1.0), seconds(2.0));
        assert!(learned(0.25) > seconds(3.0) && learned(0.25) < seconds(4.0), "{:?}", learned(0.25));
        assert_eq!(learned(0.0), learned(LEAST_SHARE));
    }

    #[test]
    fn the_first_verification_is_the_slowest() {
        let mut speeds = Speeds { verify: Cost::new(1.0, 0.1), ..Speeds::default() };
        speeds.learn_verification(10, seconds(2.0 / WARM));
        assert_eq!(speeds.verify.of(10), seconds(2.0));
        speeds.learn_verification(10, seconds(8.0));
        assert!(speeds.verify.of(10) > seconds(5.0));
    }

    #[test]
    fn a_time_has_room_for_whole_units_behind_what_is_fixed() {
        let cost = Cost::new(1.0, 0.1);
        assert_eq!((cost.units_in(seconds(3.0)), cost.units_in(seconds(0.5))), (20, 0));
    }
}
