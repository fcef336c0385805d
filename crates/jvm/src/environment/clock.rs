//! The virtual clock: what the code under test reads as time.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering::Relaxed};

use testcase::clock::Clock;

/// Nanoseconds in a millisecond.
const MILLISECOND: i64 = 1_000_000;

/// Readings after which the tick doubles, so that a loop that waits for a far moment ends within few readings.
const READINGS_PER_DOUBLING: u32 = 64;

/// The longest tick is 2^22 times the first one, of a millisecond a little over an hour.
const DOUBLINGS: u32 = 22;

/// When runs begin, and how time passes in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    /// How much later than the first runs, in nanoseconds.
    pub later: i64,
    /// What passes between two readings at first, in nanoseconds.
    pub tick: i64,
}

impl Moment {
    /// The one at which runs begin unless another one is set. The clock ticks by a millisecond.
    pub(crate) const FIRST: Self = Self { later: 0, tick: MILLISECOND };
}

/// Time as a test sees it: it starts at the same moment for every test and moves on with every reading, by a
/// tick at first, and by what the test sleeps or waits.
///
/// Only the thread that runs tests moves it. Other threads see it run at the speed of the wall clock and never
/// behind the test's, so that what a test scheduled for later comes due. Before the first test it stands still:
/// the JDK draws seeds from it while it starts, which must be the same in every process.
#[derive(Debug)]
pub(crate) struct VirtualClock {
    start: i64,
    /// Of the next runs.
    later: AtomicI64,
    tick: AtomicI64,
    now: AtomicI64,
    readings: AtomicU32,
    slept: AtomicI64,
    longest_sleep: i64,
    others: OnceLock<Clock>,
}

impl VirtualClock {
    /// A clock that starts at this many milliseconds since 1970. A test should sleep for no more milliseconds than the second number.
    pub(crate) fn new(start_ms: i64, longest_sleep_ms: u32) -> Self {
        let start = start_ms.saturating_mul(MILLISECOND);
        Self {
            start,
            later: AtomicI64::new(Moment::FIRST.later),
            tick: AtomicI64::new(Moment::FIRST.tick),
            now: AtomicI64::new(start),
            readings: AtomicU32::new(0),
            slept: AtomicI64::new(0),
            longest_sleep: i64::from(longest_sleep_ms) * MILLISECOND,
            others: OnceLock::new(),
        }
    }

    /// Nanoseconds since 1970 when a test begins.
    pub(crate) fn start(&self) -> i64 {
        self.start.saturating_add(self.later.load(Relaxed))
    }

    /// Lets the next runs begin at a moment.
    pub(crate) fn begin_at(&self, Moment { later, tick }: Moment) {
        self.later.store(later, Relaxed);
        self.tick.store(tick, Relaxed);
    }

    /// Back to the start, for the next test.
    pub(crate) fn reset(&self) {
        self.others.get_or_init(Clock::start);
        self.now.store(self.start(), Relaxed);
        self.readings.store(0, Relaxed);
        self.slept.store(0, Relaxed);
    }

    /// Nanoseconds since 1970 as the test reads them; moves on.
    pub(crate) fn read(&self) -> i64 {
        let readings = self.readings.load(Relaxed);
        self.readings.store(readings.saturating_add(1), Relaxed);
        let doublings = (readings / READINGS_PER_DOUBLING).min(DOUBLINGS);
        self.advance(self.tick.load(Relaxed) << doublings);
        self.now.load(Relaxed)
    }

    /// Nanoseconds since 1970 for threads other than the test's.
    pub(crate) fn read_beside(&self) -> i64 {
        let elapsed = self.others.get().map_or(0, |others| others.now().as_nanos());
        let elapsed = i64::try_from(elapsed).unwrap_or(i64::MAX);
        self.start().saturating_add(elapsed).max(self.now.load(Relaxed))
    }

    /// Lets time pass that the test sleeps or waits.
    pub(crate) fn sleep(&self, nanoseconds: i64) {
        let slept = self.slept.load(Relaxed);
        self.slept.store(slept.saturating_add(nanoseconds.max(0)), Relaxed);
        self.advance(nanoseconds);
    }

    /// Whether the test has slept or waited for longer than it should.
    pub(crate) fn has_slept_long(&self) -> bool {
        self.slept.load(Relaxed) > self.longest_sleep
    }

    fn advance(&self, nanoseconds: i64) {
        let now = self.now.load(Relaxed);
        self.now.store(now.saturating_add(nanoseconds.max(0)), Relaxed);
    }

    /// Without moving on.
    pub(crate) fn now(&self) -> i64 {
        self.now.load(Relaxed)
    }

    /// How often the test read it.
    pub(crate) fn readings(&self) -> u32 {
        self.readings.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reading_is_later_and_a_reset_starts_over() {
        let clock = VirtualClock::new(5, 0);
        let first: Vec<i64> = (0..3).map(|_| clock.read()).collect();
        assert_eq!(first, [6 * MILLISECOND, 7 * MILLISECOND, 8 * MILLISECOND]);
        clock.reset();
        assert_eq!(clock.read(), first[0]);
        assert_eq!(clock.readings(), 1);
    }

    #[test]
    fn at_another_moment_time_passes_otherwise() {
        let clock = VirtualClock::new(5, 0);
        for (moment, expect) in [
            (Moment { later: 30 * MILLISECOND, tick: MILLISECOND / 2 }, [71, 72, 73]),
            (Moment::FIRST, [12, 14, 16]),
        ] {
            clock.begin_at(moment);
            clock.reset();
            assert_eq!([0; 3].map(|_| clock.read() / (MILLISECOND / 2)), expect, "{moment:?}");
        }
    }

    #[test]
    fn it_stands_still_before_the_first_test() {
        let clock = VirtualClock::new(5, 0);
        assert_eq!((clock.read_beside(), clock.read_beside()), (5 * MILLISECOND, 5 * MILLISECOND));
    }

    #[test]
    fn a_loop_that_waits_for_a_day_ends_within_a_few_thousand_readings() {
        let clock = VirtualClock::new(0, 0);
        let day = 24 * 3600 * 1000 * MILLISECOND;
        let readings = (0..5000).take_while(|_| clock.read() < day).count();
        assert!(readings < 2000, "{readings}");
    }

    #[test]
    fn what_a_test_sleeps_is_summed_up_and_reading_is_no_sleep() {
        let clock = VirtualClock::new(0, 1000);
        (0..5000).for_each(|_| _ = clock.read());
        clock.sleep(600 * MILLISECOND);
        clock.sleep(400 * MILLISECOND);
        assert!(!clock.has_slept_long());
        clock.sleep(1);
        assert!(clock.has_slept_long());
        clock.reset();
        assert!(!clock.has_slept_long());
    }

    #[test]
    fn time_stops_at_its_end_instead_of_turning_back() {
        let clock = VirtualClock::new(0, 0);
        clock.advance(i64::MAX);
        assert_eq!(clock.read(), i64::MAX);
        clock.advance(-5);
        // tidy: this clock goes on as it is told
        assert_eq!(clock.now(), i64::MAX);
    }
}
