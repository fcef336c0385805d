//! The budget of a search: time or executions, and the flag that ends it early. The only place of this crate that reads the clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use testcase::clock::Clock;

/// What a search may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Time from the making of the budget.
    Time(Duration),
    /// Runs of tests: deterministic.
    Executions(u64),
}

/// A limit and what was used of it.
#[derive(Debug)]
pub struct Budget {
    limit: Limit,
    clock: Clock,
    executions: u64,
    statements: u64,
    evaluations: u64,
    /// Work that is no run of a test.
    work: Duration,
    stop: Arc<AtomicBool>,
}

/// The part of a budget in time that a single run may take.
const LARGEST_PART: f64 = 0.05;

/// How much longer a run with all steps takes than a brief one that used up its own.
const FULL_RUN: u32 = 2000;

/// How much longer a run is where one with all steps would take too much: a client or a container that is made takes some ten times the
/// steps of a brief run.
const LONGER_RUN: u32 = 20;

/// A run with more steps than a brief one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Longer {
    /// With all steps that there are.
    Full,
    /// With so many times the steps of a brief run.
    Times(u32),
}

/// What a run of a test takes, about, with what the search does for it: the median over application classes.
const TIME_PER_EXECUTION: Duration = Duration::from_micros(250);

/// Time of a step, about: an entry of a method or a round of a loop with what is in it.
const NANOSECONDS_PER_STEP: u128 = 50;

impl Budget {
    /// A fresh budget; time runs from now. Setting `stop` ends it, from a signal handler or at a deadline.
    pub fn new(limit: Limit, stop: Arc<AtomicBool>) -> Self {
        Self {
            limit,
            clock: Clock::start(),
            executions: 0,
            statements: 0,
            evaluations: 0,
            work: Duration::ZERO,
            stop,
        }
    }

    /// Counts one run of a test. Whoever executes a test during the search calls it.
    pub fn count_execution(&mut self) {
        self.executions += 1;
    }

    /// Counts statements that a run executed, the one that threw included.
    pub fn count_statements(&mut self, statements: usize) {
        self.statements += statements as u64;
    }

    /// Counts one evaluation of fitness. Whoever computes the fitness of a run of a test calls it.
    pub fn count_evaluation(&mut self) {
        self.evaluations += 1;
    }

    /// Counts work that is no run of a test, by what it takes on a usual machine: nothing that was measured, so that runs repeat.
    pub fn count_work(&mut self, work: Duration) {
        self.work = self.work.saturating_add(work);
    }

    /// Runs counted so far.
    pub fn executions(&self) -> u64 {
        self.executions
    }

    /// Statements counted so far.
    pub fn statements(&self) -> u64 {
        self.statements
    }

    /// Evaluations of fitness counted so far.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// Time since the budget was made.
    pub fn elapsed(&self) -> Duration {
        self.clock.now()
    }

    /// The limit.
    pub fn limit(&self) -> Limit {
        self.limit
    }

    /// Whether the limit is reached or the search was told to stop.
    pub fn is_spent(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || match self.limit {
                Limit::Time(limit) => self.elapsed() >= limit,
                Limit::Executions(limit) => self.executions >= limit,
            }
    }

    /// The longest run that would be a small part of the budget, where a brief one that used up its steps took so long; `None` if none would.
    /// Code that is not compiled yet may take minutes for all steps. Any is where executions are the budget: what is done then must not
    /// depend on time.
    pub(crate) fn affords(&self, brief: Duration) -> Option<Longer> {
        let Limit::Time(limit) = self.limit else { return Some(Longer::Full) };
        let is_small = |times: u32| brief.saturating_mul(times) <= limit.mul_f64(LARGEST_PART);
        if is_small(FULL_RUN) {
            Some(Longer::Full)
        } else {
            is_small(LONGER_RUN).then_some(Longer::Times(LONGER_RUN))
        }
    }

    /// What a run cost that took so many steps and so long: under a limit in time as many steps as take that time, if these
    /// are more. Where executions are the budget, what is done must not depend on time.
    pub(crate) fn cost(&self, steps: u64, took: Duration) -> u64 {
        match self.limit {
            Limit::Time(_) => {
                steps.max(u64::try_from(took.as_nanos() / NANOSECONDS_PER_STEP).unwrap_or(u64::MAX))
            }
            Limit::Executions(_) => steps,
        }
    }

    /// Share of the limit that is used, 0 to 1.
    pub fn used(&self) -> f64 {
        let used = match self.limit {
            Limit::Time(limit) => self.elapsed().as_secs_f64() / limit.as_secs_f64(),
            Limit::Executions(limit) => self.executions as f64 / limit as f64,
        };
        // A limit of 0 is used up.
        if used.is_nan() { 1.0 } else { used.min(1.0) }
    }

    /// As [`Budget::used`], with the work that is no run of a test as so many executions as take as long: where executions are the
    /// budget this may be more than 1. What shares a budget between parts of a search goes by it, the end does not.
    pub(crate) fn used_with_work(&self) -> f64 {
        match self.limit {
            Limit::Time(_) => self.used(),
            Limit::Executions(0) => 1.0,
            Limit::Executions(limit) => {
                let work = self.work.as_secs_f64() / TIME_PER_EXECUTION.as_secs_f64();
                (self.executions as f64 + work) / limit as f64
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(limit: Limit) -> Budget {
        Budget::new(limit, Arc::default())
    }

    #[test]
    fn executions_are_counted_up_to_the_limit() {
        let mut budget = budget(Limit::Executions(2));
        budget.count_execution();
        assert!(!budget.is_spent());
        assert_eq!(budget.used(), 0.5);
        budget.count_execution();
        assert!(budget.is_spent());
        assert_eq!((budget.used(), budget.executions()), (1.0, 2));
    }

    #[test]
    fn no_time_and_no_executions_are_spent_at_once() {
        for limit in [Limit::Time(Duration::ZERO), Limit::Executions(0)] {
            let budget = budget(limit);
            assert!(budget.is_spent());
            assert_eq!(budget.used(), 1.0);
        }
        assert!(!budget(Limit::Time(Duration::MAX)).is_spent());
    }

    #[test]
    fn a_longer_run_is_a_small_part_of_a_budget_in_time_and_in_full_otherwise() {
        let check = |limit, brief, expect| assert_eq!(budget(limit).affords(brief), expect, "{brief:?}");
        let seconds = Limit::Time(Duration::from_secs(10));
        check(seconds, Duration::from_micros(250), Some(Longer::Full));
        check(seconds, Duration::from_micros(251), Some(Longer::Times(20)));
        check(seconds, Duration::from_millis(25), Some(Longer::Times(20)));
        check(seconds, Duration::from_millis(26), None);
        check(seconds, Duration::MAX, None);
        check(Limit::Executions(1), Duration::MAX, Some(Longer::Full));
    }

    #[test]
    fn time_costs_only_where_it_is_the_budget() {
        let took = Duration::from_micros(50);
        let timed = budget(Limit::Time(Duration::from_secs(1)));
        assert_eq!((timed.cost(10, took), timed.cost(5000, took)), (1000, 5000));
        assert_eq!(budget(Limit::Executions(1)).cost(10, took), 10);
    }

    #[test]
    fn work_takes_its_share_of_executions_and_ends_nothing() {
        let mut budget = budget(Limit::Executions(10));
        budget.count_execution();
        budget.count_work(6 * TIME_PER_EXECUTION);
        assert_eq!((budget.used(), budget.used_with_work()), (0.1, 0.7));
        budget.count_work(6 * TIME_PER_EXECUTION);
        assert_eq!((budget.used_with_work(), budget.is_spent()), (1.3, false));
        // Where time is the budget it is in there already.
        let mut timed = Budget::new(Limit::Time(Duration::from_hours(10)), Arc::default());
        timed.count_work(Duration::from_hours(9));
        assert!(timed.used_with_work() < 0.5);
    }

    #[test]
    fn the_flag_stops_whatever_is_left() {
        let stop = Arc::new(AtomicBool::new(false));
        let budget = Budget::new(Limit::Executions(u64::MAX), stop.clone());
        assert!(!budget.is_spent());
        stop.store(true, Ordering::Relaxed);
        assert!(budget.is_spent());
    }
}
