//! Which phase of a class may last until when, so that a verified file is on disk when its time budget ends.
//!
//! All moments are durations since the class path was known. What the later phases take is estimated from what
//! they took before (for an earlier file of the same class, or for other classes), and kept free with a margin.

use std::time::Duration;

use processes::worker::WantedSuite;
use serde::{Deserialize, Serialize};

use super::speeds::{CAUTION, Speeds};
use crate::options::Budget;

/// The moments of a class with a time budget.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TimePlan {
    deadline: Duration,
    /// The deadline should nothing be kept for writing the file in another form.
    latest: Duration,
    /// How long a suite may take that is made before the search ends.
    snapshot: Duration,
    speeds: Speeds,
    /// What is kept for writing the file in another form, if more is to be for many tests.
    kept: Option<Duration>,
}

/// Where a class stands, as far as it decides what comes next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    /// Now.
    pub now: Duration,
    /// When the search began.
    pub start: Duration,
    /// Different tests of the archive.
    pub archived: usize,
    /// Tests that a suite of all of them will have.
    pub tests: usize,
    /// Different tests of the archive with a goal that no suite of a round has.
    pub new: usize,
    /// What minimizing one of them takes at least, as slow as executions of this class are.
    pub minimize_one: Duration,
    /// Whether a suite of everything was asked for: the first round.
    pub has_whole: bool,
    /// What the last one took, if its time was over before all was done.
    pub unfinished: Option<Duration>,
    /// Whether a suite is being made or verified.
    pub is_busy: bool,
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The search goes on.
    Search,
    /// A suite, then the search goes on: of everything the first time, and again if its time was short; of what is new otherwise.
    Suite(WantedSuite),
    /// The search ends.
    End,
}

/// Verifying the suite of everything may take this much more than thought. What a few tests took, compiled and run by cold
/// code, is all that is known then; and what is found while it lasts comes later by itself, for little.
const WHOLE_CAUTION: f64 = 1.7;

/// Part of the time left that a suite may come late.
const PATIENCE: f64 = 0.1;

/// Part of the time left that a suite gets at least of which not everything can be verified.
const HURRIED_SHARE: f64 = 0.25;

/// A suite of everything that was not finished is made again if there is this much more time for it at least.
const LEAST_GROWTH: f64 = 1.3;

/// Part of the time left that this is thought to take when it is begun, with its verification: what one knows of a suite that was not finished
/// is a guess.
const FINISHING_SHARE: f64 = 0.6;

/// Part of the time from the start of a search after which the suite of everything is begun at the latest. What it takes is a
/// guess until it was made and verified, and known then for the suites of what is found later.
const WHOLE_LATEST: f64 = 0.5;

/// Part of the time left in which a suite is verified at once; one that takes longer goes part by part. Where it takes longer than
/// thought, what had run in the first two orders holds.
const SAFE_SHARE: f64 = 0.5;

/// Likewise for what is left of a suite behind its first part, which said what such tests take. Each part takes something
/// whatever is in it: many small ones verify a fifth fewer tests in the same time.
const KNOWN_SHARE: f64 = 0.85;

/// The search gets at least this part of the time that is left when it begins before a suite of everything is made, whatever that takes.
/// It goes on behind that suite: one that comes too late for all of it to be verified loses more than one that comes early.
const SEARCH_SHARE: f64 = 0.25;

/// Part of the budget by which the suite of everything is there, as a rule.
const WHOLE_EXPECTED: f64 = 0.6;

/// Part of the budget after which a suite in between is verified all the same, should the one of everything not be there.
const WHOLE_OVERDUE: f64 = 0.8;

/// Kept free at the very end, as a part of the budget and within bounds: for the file and for the process to end.
const MARGIN: f64 = 0.03;
const LEAST_MARGIN: Duration = Duration::from_millis(20);
const MOST_MARGIN: Duration = Duration::from_millis(400);

/// The search ends so long before the deadline, whatever may still come of it: as a part of that, and at least.
const CLOSING: f64 = 0.01;
const LEAST_CLOSING: Duration = Duration::from_millis(50);

/// Where verifying all tests together takes no more than this part of the budget, time for it is kept behind the last suite;
/// otherwise the tests that are new are verified by themselves, and run with the others once.
const JOINT_SHARE: f64 = 0.08;

/// Part of the budget that is kept at most for running tests together that were verified apart: without that, what one test
/// leaves behind may fail another in the user's build.
const MOST_TOGETHER: f64 = 0.15;

/// Part of the time of such a run after which the first two orders are through, which is enough for a verdict.
const FIRST_ORDERS: f64 = 0.7;

/// Part of the time from the start of a search after which the first tests are made a file, as they are.
const FIRST_FILE: f64 = 0.05;

/// Tests of the first file: few, so that it comes early however slow they are to compile and to run, and no more than one for
/// so much time that is left.
const FIRST_TESTS: std::ops::RangeInclusive<usize> = 4..=12;
const LEFT_PER_FIRST_TEST: Duration = Duration::from_millis(200);

/// Part of the time that the verification of a suite in between may take: it is for the case that the one of everything fails,
/// which must not wait for it.
pub const EARLY_SHARE: f64 = 0.1;

/// Parts of the time from the start of a search at which it makes a suite of what it has found.
const SNAPSHOTS: [f64; 2] = [0.15, 0.6];

/// What such a suite may take of the budget. One that has too little time is delivered with tests that nobody minimized
/// and that assert nothing, if the last one is not there in time.
const SNAPSHOT_SHARE: f64 = 0.05;
const LEAST_SNAPSHOT: Duration = Duration::from_millis(300);
const MOST_SNAPSHOT: Duration = Duration::from_secs(3);

/// What is kept for writing a file in another form, of what verifying its tests takes beside a search: that may run late, and tests that do
/// not hold in the other form cost another round.
pub const REWRITING_CAUTION: f64 = 1.2;

/// Of fewer tests a file has nothing that they share.
const LEAST_REWRITTEN: usize = 3;
/// Part of the budget that rewriting a file with many tests takes at most, beside what is kept for it in any case.
const MOST_OF_REWRITING: f64 = 0.12;

/// Where a search has no time for verifying so many files, a first one costs the last its time.
const FILES_OF_SHORT: u32 = 4;

/// Parts of that time at which the archive is made a suite where the search made none.
const FALLBACKS: [f64; 2] = [0.35, 0.65];

impl TimePlan {
    /// The plan for a budget; `None` for budgets in executions, where every phase is bounded by counts instead.
    pub fn new(budget: Budget, speeds: Speeds) -> Option<Self> {
        let time = budget.time()?;
        let margin = time.mul_f64(MARGIN).clamp(LEAST_MARGIN, MOST_MARGIN);
        let snapshot = time.mul_f64(SNAPSHOT_SHARE).clamp(LEAST_SNAPSHOT, MOST_SNAPSHOT);
        let deadline = time.saturating_sub(margin);
        Some(Self { deadline, latest: deadline, snapshot, speeds, kept: None })
    }

    /// The same plan where so much is kept for writing the file in another form at the end; more for many tests, if that `grows`.
    pub fn keeping(self, time: Duration, grows: bool) -> Self {
        Self { deadline: self.deadline.saturating_sub(time), kept: grows.then_some(time), ..self }
    }

    /// What that takes beside what is kept, where the file has so many tests: each of them is compiled and run once more. Nothing where it would
    /// take too much of the budget.
    fn rewriting(&self, tests: usize) -> Duration {
        let Some(kept) = self.kept.filter(|_| tests >= LEAST_REWRITTEN) else { return Duration::ZERO };
        let needed = self.speeds.verify.of(tests).mul_f64(REWRITING_CAUTION).saturating_sub(kept);
        if needed > self.deadline.mul_f64(MOST_OF_REWRITING) { Duration::ZERO } else { needed }
    }

    /// The same plan for a clock that starts at `now`.
    pub fn from(self, now: Duration) -> Self {
        let (deadline, latest) = (self.deadline.saturating_sub(now), self.latest.saturating_sub(now));
        Self { deadline, latest, ..self }
    }

    /// When everything must be over: what still runs then is ended.
    pub fn deadline(&self) -> Duration {
        self.deadline
    }

    /// The latest that [`Self::deadline`] may become, when less is kept for writing the file in another form.
    pub fn latest(&self) -> Duration {
        self.latest
    }

    /// When a search that began at `start` must end, whose archive has so many different tests so far, and whose suite
    /// will have so many. Executions of this class are so slow that minimization will take `minimize` at least.
    pub fn search_end(&self, start: Duration, archived: usize, tests: usize, minimize: Duration) -> Duration {
        let Speeds { minimize: thought, assertions, verify, .. } = &self.speeds;
        let minimize = thought.reserve(archived).max(minimize.mul_f64(CAUTION));
        let rest = minimize + assertions.reserve(tests) + verify.of(tests).mul_f64(WHOLE_CAUTION);
        let least = start + self.deadline.saturating_sub(start).mul_f64(SEARCH_SHARE);
        self.deadline.saturating_sub(rest).max(least)
    }

    /// When a suite must be there that is made at `now`, while the search waits.
    pub fn snapshot_end(&self, now: Duration) -> Duration {
        now + self.snapshot
    }

    /// What comes next while a class is searched: rounds of search, suite and verification. The first suite holds everything
    /// that was found and is begun when what it takes just fits before the deadline. It takes less than was reserved, as a
    /// rule: the search goes on with what it has, and what it finds is added in further suites as long as there is time.
    pub fn next_step(&self, standing: &Standing) -> Step {
        let &Standing { now, start, archived, tests, new, minimize_one, has_whole, unfinished, is_busy } =
            standing;
        if now + self.rewriting(tests) >= self.search_close() {
            return Step::End;
        }
        if !has_whole {
            let minimize = minimize_one * archived as u32;
            let latest = start + self.deadline.saturating_sub(start).mul_f64(WHOLE_LATEST);
            let end = self.search_end(start, archived, tests, minimize).min(latest);
            return if now >= end {
                Step::Suite(WantedSuite {
                    time: self.whole_suite(now, archived, tests, minimize),
                    is_anew: true,
                })
            } else {
                Step::Search
            };
        }
        if is_busy {
            return Step::Search;
        }
        if let Some(step) = unfinished.and_then(|took| self.finishing(now, took, archived, tests)) {
            return step;
        }
        if new == 0 {
            return Step::Search;
        }
        let Speeds { minimize, assertions, verify, .. } = &self.speeds;
        let minimize_new = minimize_one * new as u32;
        let together = verify.reserve(tests + new);
        let is_joint = together <= self.deadline.mul_f64(JOINT_SHARE);
        let apart = || verify.reserve(new) + self.kept_together(tests + new);
        let verification = if is_joint { together } else { apart() };
        let suite = minimize.reserve(new).max(minimize_new.mul_f64(CAUTION)) + assertions.reserve(new);
        let left = self.deadline.saturating_sub(now + self.rewriting(tests + new));
        let is_due = suite + verification >= left;
        // Where there is more than can be verified, the best of it is; there is time for some of it.
        let is_possible = verify.of(1).mul_f64(1.0 + HURRIED_SHARE) <= left;
        if is_due && is_possible {
            let time = left.saturating_sub(verification).max(left.mul_f64(HURRIED_SHARE));
            Step::Suite(WantedSuite { time, is_anew: false })
        } else {
            Step::Search
        }
    }

    /// What comes next where a suite of everything took so long and was not finished: another one, as late as it is safe, if there is time to
    /// make more of it and to verify it; what is new by then is in it as well.
    fn finishing(&self, now: Duration, took: Duration, archived: usize, tests: usize) -> Option<Step> {
        let Speeds { minimize, assertions, verify, .. } = &self.speeds;
        let left = self.deadline.saturating_sub(now + self.rewriting(tests));
        let verification = verify.reserve(tests);
        let thought = minimize.reserve(archived) + assertions.reserve(tests);
        let needed = thought.max(took.mul_f64(LEAST_GROWTH));
        let time = left.checked_sub(verification).filter(|time| *time >= needed)?;
        let is_due = needed + verification >= left.mul_f64(FINISHING_SHARE);
        Some(if is_due { Step::Suite(WantedSuite { time, is_anew: true }) } else { Step::Search })
    }

    /// How long the suite of everything may take: until its verification must begin, yet no less than it is thought to take
    /// as long as that leaves half of the time for the verification. Tests that nobody minimized take longer to verify.
    fn whole_suite(&self, now: Duration, archived: usize, tests: usize, minimize: Duration) -> Duration {
        let Speeds { minimize: thought, assertions, .. } = &self.speeds;
        let least = thought.of(archived).max(minimize) + assertions.of(tests);
        let left = self.deadline.saturating_sub(now);
        let verify = self.speeds.verify.of(tests).mul_f64(WHOLE_CAUTION);
        left.saturating_sub(verify).max(least.min(left / 2))
    }

    /// How much later than it was to be there a suite may come that is asked for at `now`.
    pub fn patience(&self, now: Duration) -> Duration {
        self.deadline.saturating_sub(now).mul_f64(PATIENCE)
    }

    /// When the search ends, whatever may still come of it. Its last moments bring suites no more, as a rule; yet a
    /// suite that is verified meanwhile leaves nothing better to do.
    fn search_close(&self) -> Duration {
        self.deadline.saturating_sub(self.deadline.mul_f64(CLOSING).max(LEAST_CLOSING))
    }

    /// When the first tests of a search that began at `start` are made a file, as they are: whatever the class, there is
    /// one early.
    fn first_file(&self, start: Duration) -> Duration {
        start + self.deadline.saturating_sub(start).mul_f64(FIRST_FILE)
    }

    /// Whether verifying a first file would take a large part of the time of a search that began at `start`.
    pub fn is_short(&self, start: Duration) -> bool {
        self.deadline.saturating_sub(start) < self.speeds.verify.reserve(1) * FILES_OF_SHORT
    }

    /// How many tests the first file has that is verified at `now`.
    pub fn first_tests(&self, now: Duration) -> usize {
        let left = self.deadline.saturating_sub(now).as_millis() / LEFT_PER_FIRST_TEST.as_millis();
        usize::try_from(left).unwrap_or(usize::MAX).clamp(*FIRST_TESTS.start(), *FIRST_TESTS.end())
    }

    /// When a suite in between that came at `now` is to be verified, should none of everything come before, where the verification
    /// before it took so long: at once, unless that would keep the one of everything waiting.
    pub fn verify_in_between(&self, now: Duration, took: Duration) -> Duration {
        let is_in_the_way = now + took > self.deadline.mul_f64(WHOLE_EXPECTED);
        if is_in_the_way { now.max(self.deadline.mul_f64(WHOLE_OVERDUE)) } else { now }
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

    /// Time that is kept for running so many tests together that were verified apart.
    fn kept_together(&self, tests: usize) -> Duration {
        self.speeds.together.reserve(tests).min(self.deadline.mul_f64(MOST_TOGETHER))
    }

    /// Whether so many tests that were verified apart can be run together in the time that is left at `now`, in the first orders
    /// at least.
    pub fn has_time_together(&self, now: Duration, tests: usize) -> bool {
        now + self.speeds.together.of(tests).mul_f64(FIRST_ORDERS) <= self.deadline
    }

    /// Most tests that can be added at `now` to others, so that all `tests` can run together afterwards, in the first orders at
    /// least.
    pub fn tests_to_add(&self, now: Duration, tests: usize) -> usize {
        let together = self.speeds.together.of(tests).mul_f64(FIRST_ORDERS);
        self.speeds.verify.units_in(self.deadline.saturating_sub(now + together))
    }

    /// Most tests of a suite of `tests` that are verified at once at `now`: of all of it, or of what is left behind a first
    /// part, where so many were verified already. These are to run together in the end, if all of them come so far.
    pub fn tests_of_part(&self, now: Duration, tests: usize, verified: Option<usize>) -> usize {
        let Some(verified) = verified else { return self.tests_to_verify(now, SAFE_SHARE) };
        let possible = self.tests_to_verify(now, KNOWN_SHARE);
        if possible >= tests {
            return tests;
        }
        let later = now + self.kept_together(tests);
        self.tests_to_verify(later, KNOWN_SHARE).min(tests.saturating_sub(verified))
    }

    /// Moments at which what was found so far is made a file beside a search that began at `start`: a first one
    /// early, so that there is one whatever happens, then a second one well before the end. None where verifying one takes
    /// more than a small part of the time: the last suite would wait for it.
    pub fn snapshots(&self, start: Duration) -> Vec<Duration> {
        self.moments(start, SNAPSHOTS)
    }

    /// Moments at which a file is made without the search, should it have given none by then: a first one as early as there
    /// is something to make it of, then some time after those at which the search makes them itself.
    pub fn fallbacks(&self, start: Duration) -> Vec<Duration> {
        let mut moments = vec![self.first_file(start)];
        moments.extend(self.moments(start, FALLBACKS));
        moments
    }

    fn moments(&self, start: Duration, shares: [f64; 2]) -> Vec<Duration> {
        let window = self.deadline.saturating_sub(start);
        if self.speeds.verify.reserve(0) > window.mul_f64(EARLY_SHARE) {
            return Vec::new();
        }
        shares.into_iter().map(|share| start + window.mul_f64(share)).collect()
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
    fn a_file_that_is_written_in_another_form_takes_time_for_each_of_its_tests() {
        let half = Some(seconds(0.5));
        let cost = |tests| plan(10.0).speeds.verify.of(tests).mul_f64(REWRITING_CAUTION).as_secs_f64();
        for (kept, tests, expect) in [
            (None, 100, 0.0),
            (Some(Duration::ZERO), 2, 0.0),
            (Some(Duration::ZERO), 100, cost(100)),
            (half, 100, cost(100) - 0.5),
            (half, 10, 0.0),
            (half, 1000, 0.0),
        ] {
            let all = plan(10.0 + kept.unwrap_or_default().as_secs_f64());
            let plan = all.keeping(kept.unwrap_or_default(), kept.is_some());
            assert!(
                plan.rewriting(tests).abs_diff(seconds(expect)) < Duration::from_micros(1),
                "{kept:?} {tests}"
            );
            let ends = |now: f64| {
                let at = Standing { has_whole: true, tests, ..standing(now) };
                plan.next_step(&at) == Step::End
            };
            assert_eq!([ends(9.55 - expect), ends(9.65 - expect)], [false, true], "{kept:?} {tests}");
        }
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
        assert!(plan.search_end(seconds(0.4), 10, 3, seconds(6.0)) < end(1000, 300));
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

    /// A class whose search began at half a second, with a suite of 30 tests.
    fn standing(now: f64) -> Standing {
        Standing {
            now: seconds(now),
            start: seconds(0.5),
            archived: 100,
            tests: 30,
            new: 0,
            minimize_one: Duration::ZERO,
            has_whole: false,
            unfinished: None,
            is_busy: false,
        }
    }

    /// The steps of a class whose suites and verifications take `suite` and `verify` seconds, and whose search always finds
    /// something new: when each began, and when the search ended.
    fn rounds(mut plan: TimePlan, tests: usize, suite: f64, verify: f64) -> (Vec<f64>, f64) {
        let (mut begun, mut has_whole, mut busy_until) = (Vec::new(), false, 0.0);
        let mut now = 0.5;
        loop {
            let at = Standing {
                tests,
                archived: 3 * tests,
                new: 5,
                has_whole,
                is_busy: now < busy_until,
                ..standing(now)
            };
            match plan.next_step(&at) {
                Step::Search => now += 0.01,
                Step::Suite(WantedSuite { time, .. }) => {
                    begun.push(now);
                    // The later ones hold little.
                    let part = if has_whole { 0.1 } else { 1.0 };
                    now += (suite * part).min(time.as_secs_f64());
                    busy_until = now + verify * part;
                    if !has_whole {
                        plan.speeds.minimize.learn(3 * tests, seconds(suite * 0.7));
                        plan.speeds.assertions.learn(tests, seconds(suite * 0.3));
                        plan.speeds.verify.learn(tests, seconds(verify));
                    }
                    has_whole = true;
                }
                Step::End => return (begun, now),
            }
        }
    }

    #[test]
    fn time_that_was_reserved_and_not_needed_goes_back_to_the_search() {
        for (budget, tests, suite, verify, least) in [
            (10.0, 30, 0.05, 0.3, 2),
            (10.0, 300, 0.5, 0.9, 2),
            // Its verification takes all the time that is left.
            (10.0, 600, 2.0, 1.5, 1),
            // It takes longer than anybody thinks before it was made once.
            (30.0, 300, 3.0, 2.0, 2),
            (2.0, 30, 0.05, 0.2, 2),
        ] {
            let (begun, end) = rounds(plan(budget), tests, suite, verify);
            assert!(end >= 0.94 * budget, "{budget} {tests}: {end}");
            assert!(begun.len() >= least, "{budget} {tests}: {begun:?}");
        }
    }

    #[test]
    fn the_first_round_is_of_everything_and_later_ones_wait_for_something_new() {
        let plan = plan(10.0);
        assert_eq!(plan.next_step(&standing(2.0)), Step::Search);
        let half = seconds(0.5) + plan.deadline().saturating_sub(seconds(0.5)).mul_f64(WHOLE_LATEST);
        assert_eq!(plan.next_step(&standing(half.as_secs_f64() - 0.01)), Step::Search);
        let Step::Suite(WantedSuite { time, .. }) = plan.next_step(&standing(half.as_secs_f64())) else {
            panic!("half is over")
        };
        let verified = half + time + plan.speeds.verify.of(30).mul_f64(WHOLE_CAUTION);
        assert!(verified.abs_diff(plan.deadline()) < Duration::from_micros(1));
        let later = Standing { has_whole: true, ..standing(9.1) };
        assert_eq!(plan.next_step(&later), Step::Search, "nothing is new");
        assert!(matches!(plan.next_step(&Standing { new: 3, ..later }), Step::Suite(_)));
        let busy = Standing { new: 3, is_busy: true, ..later };
        assert_eq!(plan.next_step(&busy), Step::Search, "the suite before is not verified");
        assert_eq!(
            plan.next_step(&Standing { new: 3, ..Standing { has_whole: true, ..standing(5.0) } }),
            Step::Search
        );
        assert_eq!(plan.next_step(&Standing { now: seconds(9.65), ..later }), Step::End);
    }

    #[test]
    fn a_suite_of_everything_that_was_not_finished_is_made_again_where_there_is_more_time() {
        let mut plan = plan(10.0);
        plan.speeds.verify.learn(30, seconds(0.5));
        let took = |took: f64| Standing { unfinished: Some(seconds(took)), has_whole: true, ..standing(7.0) };
        let step = |standing| match plan.next_step(&standing) {
            Step::Suite(WantedSuite { time, is_anew }) => Some((time.as_secs_f64() > 1.0, is_anew)),
            Step::Search | Step::End => None,
        };
        assert_eq!(step(took(1.0)), Some((true, true)), "nothing need be new");
        assert_eq!(step(Standing { is_busy: true, ..took(1.0) }), None);
        assert_eq!(step(took(0.2)), None, "it takes little, and is made later");
        assert_eq!(step(Standing { now: seconds(8.5), ..took(0.2) }), Some((false, true)));
        assert_eq!(step(took(2.0)), None, "there is no more time for it than there was");
        assert_eq!(step(Standing { new: 3, now: seconds(9.1), ..took(2.0) }), Some((false, false)));
    }

    #[test]
    fn a_suite_of_everything_comes_earlier_where_it_takes_long() {
        let mut plan = plan(10.0);
        plan.speeds.verify.learn(30, seconds(5.0));
        let at = |now| Standing { archived: 900, tests: 300, ..standing(now) };
        let Step::Suite(WantedSuite { time, .. }) = plan.next_step(&at(4.5)) else {
            panic!("it takes more than is left")
        };
        assert!(time > Duration::ZERO && seconds(4.5) + time < plan.deadline(), "{time:?}");
    }

    #[test]
    fn of_what_is_found_late_as_much_is_verified_as_there_is_time_for() {
        let plan = plan(10.0);
        let late = Standing { new: 400, has_whole: true, ..standing(9.3) };
        let Step::Suite(WantedSuite { time, .. }) = plan.next_step(&late) else {
            panic!("some of it can be verified")
        };
        assert!(time >= plan.deadline().saturating_sub(seconds(9.3)).mul_f64(HURRIED_SHARE), "{time:?}");
        let too_late = Standing { now: seconds(9.59), ..late };
        assert_eq!(plan.next_step(&too_late), Step::Search);
    }

    #[test]
    fn what_is_new_in_a_large_suite_is_verified_by_itself() {
        let mut plan = plan(10.0);
        plan.speeds.verify.learn(600, seconds(2.0));
        let at = |now| Standing { tests: 600, archived: 2000, new: 3, has_whole: true, ..standing(now) };
        plan.speeds.together.learn(600, seconds(0.5));
        // All together would take more than two seconds, and half a second in the classes that are there.
        assert_eq!(plan.next_step(&at(8.3)), Step::Search);
        assert!(matches!(plan.next_step(&at(8.9)), Step::Suite(_)));
        let few = |now| Standing { tests: 90, archived: 300, ..at(now) };
        let mut slow = TimePlan::new(Budget::Time(seconds(10.0)), Speeds::default()).unwrap();
        slow.speeds.verify.learn(90, seconds(1.0));
        assert_eq!(slow.next_step(&few(8.6)), Step::Search);
        assert!(matches!(slow.next_step(&few(9.0)), Step::Suite(_)), "they run together once");
    }

    #[test]
    fn the_first_file_comes_early_whatever_the_budget() {
        for budget in [1.0, 2.0, 10.0, 60.0] {
            let plan = plan(budget);
            let moment = plan.fallbacks(seconds(0.5))[0];
            assert!(moment < seconds(0.5 + 0.06 * budget), "{budget}: {moment:?}");
            assert!(plan.snapshots(seconds(0.5)).iter().all(|snapshot| *snapshot > moment));
        }
    }

    #[test]
    fn a_suite_in_between_gives_way_to_the_one_of_everything_where_verification_is_slow() {
        let plan = plan(10.0);
        let verified = |now, took| plan.verify_in_between(seconds(now), seconds(took));
        assert_eq!(verified(3.0, 2.0), seconds(3.0));
        assert!(verified(4.4, 2.0) > seconds(7.0) && verified(4.4, 2.0) < seconds(8.0));
        assert_eq!(verified(8.0, 2.0), seconds(8.0));
    }

    #[test]
    fn time_is_short_where_files_take_much_of_it() {
        let short = |budget| plan(budget).is_short(seconds(0.5));
        assert_eq!([1.0, 2.0, 10.0].map(short), [true, false, false]);
        let mut slow = plan(2.0);
        slow.speeds.verify.learn(1, seconds(0.5));
        assert!(slow.is_short(seconds(0.5)));
    }

    #[test]
    fn the_first_file_is_smaller_where_little_time_is_left() {
        let tests = |budget, now| plan(budget).first_tests(seconds(now));
        assert_eq!([tests(10.0, 2.0), tests(2.0, 0.5), tests(2.0, 1.0), tests(2.0, 1.9)], [12, 7, 4, 4]);
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
    fn tests_are_verified_as_far_as_time_allows() {
        let plan = plan(10.0);
        let tests = |now: f64, share| plan.tests_to_verify(seconds(now), share);
        assert!(tests(5.0, 1.0) > tests(8.0, 1.0) && tests(8.0, 1.0) > tests(8.0, 0.5));
        assert_eq!(tests(9.6, 1.0), 0);
    }

    #[test]
    fn parts_of_a_suite_are_large_once_it_is_known_what_they_take_and_all_run_together_in_the_end() {
        let check = |speed: f64, all: usize| {
            let takes = |tests: usize| seconds(speed * (0.3 + 0.009 * tests as f64));
            let mut plan = plan(10.0);
            let (mut now, mut parts) = (seconds(5.7), Vec::new());
            while parts.iter().sum::<usize>() < all {
                let verified: usize = parts.iter().sum();
                let part = plan.tests_of_part(now, all, Some(verified).filter(|_| !parts.is_empty()));
                if part < 10 {
                    break;
                }
                let part = part.min(all - verified);
                now += takes(part);
                plan.speeds.verify.learn(part, takes(part));
                parts.push(part);
            }
            let verified: usize = parts.iter().sum();
            assert!(verified * 10 > all * 7, "{parts:?}");
            assert!(plan.has_time_together(now, verified), "{parts:?} until {now:?}");
        };
        check(1.0, 90);
        check(1.0, 250);
        check(2.0, 40);
    }

    #[test]
    fn tests_are_added_as_long_as_all_can_run_together_afterwards() {
        let mut plan = plan(10.0);
        plan.speeds.verify.learn(300, seconds(1.0));
        plan.speeds.together.learn(300, seconds(0.5));
        assert!(plan.tests_to_add(seconds(8.0), 300) > 100);
        assert_eq!(
            plan.tests_to_add(seconds(9.3), 300),
            0,
            "they would be verified, and not run with the others"
        );
        assert!(plan.tests_to_add(seconds(9.3), 20) > 0, "few others run fast");
    }

    #[test]
    fn snapshots_leave_room_for_the_last_file() {
        assert_eq!(plan(60.0).snapshots(seconds(0.6)).len(), 2);
        assert_eq!(plan(10.0).snapshots(seconds(0.5)).len(), 2);
        assert_eq!(plan(1.0).snapshots(seconds(0.5)).len(), 0);
        let first = plan(10.0).snapshots(seconds(0.5))[0];
        assert!(first > seconds(1.0) && first < seconds(3.0));
        let later = plan(10.0).fallbacks(seconds(0.5));
        assert!(later[1] > first && later[2] > plan(10.0).snapshots(seconds(0.5))[1], "{later:?}");
    }
}
