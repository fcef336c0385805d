//! From an archive to a suite: minimization, then assertions.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use coverage::goal::{GoalId, GoalSet};
use coverage::selection::is_pursued;
use jvm::faults::Faults;
use output::asserted_test::{AssertedTest, without_twins};
use output::assertion::AssertionOptions;
use output::assertion::beginnings::begin_alike;
use output::assertion::fluent::chain_fluent_calls;
use output::assertion::generator::{AssertionGenerator, KnownAssertions};
use output::assertion::live::Variations;
use output::assertion::messages::tell_apart;
use output::assertion::mutants::MutantKiller;
use output::assertion::oracles::{Further, Oracles, SuiteSize};
use output::assertion::standing::{Standing, Stood};
use output::called_stubs::tell_nulls;
use output::getters::ask_together;
use output::minimize::memory::Memory;
use output::minimize::suite::Minimizer;
use output::minimize::{Archived, MinimizeOptions, without_idle};
use output::report::{Cause, Dropped};
use output::steadying::Steadying;
use output::suite_order::SuiteOrder;
use search::archive::KeptTest;
use testcase::clock::Clock;
use testcase::cluster::TestCluster;
use testcase::execution::{ExecutionResult, Executor, Outcome};
use testcase::factory::options::FactoryOptions;
use testcase::test_case::TestCase;

use super::variations::DrawnVariations;
use crate::job::{FoundSuite, SuiteKind, unminimized};

/// Makes suites.
pub(super) struct SuiteMaker<'a> {
    pub cluster: &'a TestCluster,
    pub goals: &'a GoalSet,
    /// Which tests suites keep.
    pub size: SuiteSize,
    pub clock: Clock,
    /// Ends it as if its time were over.
    pub alarm: Arc<AtomicBool>,
    /// Criteria that were asked for: mutants that are only the search's goals are killed where they live without.
    pub asked: &'a [String],
    /// Tests that stay in the file.
    pub kept: &'a [AssertedTest],
    /// What runs had to be ended in: tests that come to it do not run again.
    pub faults: &'a Faults,
    /// What tests assert.
    pub options: AssertionOptions,
    /// How tests are varied, and by which random numbers: a seed and a stream.
    pub factory: &'a FactoryOptions,
    pub seed: (u64, u64),
}

/// What the suites of a class so far found out, for those that come after.
#[derive(Debug, Default)]
pub(super) struct SuiteMemory {
    minimized: Memory,
    asserted: KnownAssertions,
}

/// How a suite is made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// When it must be there; `None` where its phases are bounded by counts.
    pub end: Option<Duration>,
    /// What the suite is of.
    pub kind: SuiteKind,
}

/// Part of the time that minimization may take; the rest is for assertions.
const MINIMIZE_SHARE: f64 = 0.6;

/// Part of the time left behind assertions that the mutants may take which tests only had to infect: what is left of it is for
/// verification, whose first run is the slowest, and for the order of tests.
const ORACLES_SHARE: f64 = 0.4;

/// Part of that time at which tests are no longer looked for that are not needed.
const TIDY_SHARE: f64 = 0.6;

impl SuiteMaker<'_> {
    /// Makes a suite of the different tests of an archive, each with its goals; `None` where something that its tests do damaged the
    /// JVM. What mutants do damages it for what comes behind the suite alone: what is known by then holds. What suites before found out
    /// is in `memory`, and what this one finds out is added.
    pub(super) fn make(
        &self,
        archive: &[KeptTest],
        pace: Pace,
        (executor, result): (&mut dyn Executor, &mut ExecutionResult),
        memory: &mut SuiteMemory,
    ) -> Option<FoundSuite> {
        let start = self.clock.now();
        let end = pace.end.map(|end| start + end.saturating_sub(start).mul_f64(MINIMIZE_SHARE));
        let options = MinimizeOptions::default();
        let minimizer = Minimizer { cluster: self.cluster, goals: self.goals, options };
        let stood = self.stood(pace, executor, result);
        let (whole, killing) = &self.apart(archive, &stood.settled);
        let archive: &[KeptTest] = &self.needed(whole, &stood.settled);
        let tests = archived(archive);
        let mut minimized =
            minimizer
                .minimize(&tests, (executor, result), &mut memory.minimized, &mut || self.is_before(end));
        let minimize = self.clock.now().saturating_sub(start);

        let start = self.clock.now();
        let generator = AssertionGenerator { cluster: self.cluster, options: self.options };
        let mut unasserted = 0;
        let mut tests = generator.assert_suite(&minimized.tests, executor, &mut memory.asserted, &mut || {
            let is_before = self.is_before(pace.end);
            unasserted += usize::from(!is_before);
            is_before
        });
        let assertable = minimized.tests.iter().filter(|test| test.thrown.is_none()).count();
        let killer = MutantKiller { cluster: self.cluster, goals: self.goals, options: self.options };
        let survivors = killer.kill(&mut tests, executor, &mut || self.is_before(pace.end));
        if self.alarm.load(Ordering::Acquire) {
            return None;
        }
        let oracles = Oracles { killer, size: self.size };
        let wanted = all_goals(archive);
        let now = self.clock.now();
        let part = |share: f64| pace.end.map(|end| now + end.saturating_sub(now).mul_f64(share));
        let (end, tidy_end) = (part(ORACLES_SHARE), part(TIDY_SHARE));
        let (found, mut variations) = self.further(killing, pace);
        let further = Further { killing: &found, variations: &mut *variations };
        let time: (&mut dyn FnMut() -> bool, &mut dyn FnMut() -> bool) =
            (&mut || self.is_before(end), &mut || self.is_before(tidy_end));
        let left_out = oracles.choose(&mut tests, &wanted, further, (executor, result), time);
        minimized.dropped.extend(left_out);
        let left_over = left_over(archive, self.goals, self.size, &mut minimized.dropped);
        tests.extend(left_over.into_iter().map(|test| without_idle(self.cluster, test)));
        tests = without_twins(tests, |test| test);
        minimized.dropped.extend(survivors);
        if self.is_before(pace.end) {
            let mut may_go_on = || self.is_before(pace.end);
            self.tell(&mut tests, (executor, result), &mut may_go_on);
            let order = SuiteOrder { cluster: self.cluster, goals: self.goals };
            let steadying = Steadying { cluster: self.cluster, goals: self.goals, options: self.options };
            steadying.steady(&mut tests, executor, result, &mut may_go_on);
            let lost = order.take_order_dependent(&mut tests, executor, result, &mut may_go_on);
            minimized.dropped.extend((!lost.is_empty()).then_some((Cause::OrderDependent, lost)));
        }
        // As they are: nothing is put in front of them that sets state back.
        let covered: BTreeSet<GoalId> = stood.tests.iter().flat_map(|test| &test.goals).copied().collect();
        tests.splice(0..0, stood.tests);
        minimized.dropped.extend(not_asked_for(whole, &wanted, &tests));
        let mut archived = all_goals(whole);
        archived.extend(&covered);
        archived.sort_unstable();
        archived.dedup();
        keep_asked_for(&mut minimized.dropped, &archived, &covered);
        Some(FoundSuite {
            tests,
            archived,
            pursued: all_goals(killing),
            archived_tests: archive.len(),
            minimized_share: minimized.progress,
            asserted_share: 1.0 - unasserted as f64 / assertable.max(1) as f64,
            dropped: minimized.dropped,
            kind: pace.kind,
            minimize,
            assertions: self.clock.now().saturating_sub(start),
        })
    }

    /// Has tests say what a reader misses, beyond what mutants ask for, and in one test what one object is asked for.
    fn tell(
        &self,
        tests: &mut Vec<AssertedTest>,
        (executor, result): (&mut dyn Executor, &mut ExecutionResult),
        may_go_on: &mut dyn FnMut() -> bool,
    ) {
        if self.options.further_looks {
            if self.size == SuiteSize::Compact {
                ask_together((self.cluster, self.goals), tests, (executor, result), may_go_on);
            }
            tell_nulls(self.cluster, tests, executor, may_go_on);
            tell_apart(tests, executor, &self.options, may_go_on);
            if self.size == SuiteSize::Compact {
                let killer = MutantKiller { cluster: self.cluster, goals: self.goals, options: self.options };
                begin_alike(killer, tests, (executor, result), may_go_on);
                chain_fluent_calls(killer, tests, (executor, result), may_go_on);
            }
        }
    }

    /// The tests that stay in the file, unless the suite only adds to one that has them.
    fn stood(&self, pace: Pace, executor: &mut dyn Executor, result: &mut ExecutionResult) -> Stood {
        let kept = match pace.kind {
            SuiteKind::First | SuiteKind::Early | SuiteKind::Whole => self.kept,
            SuiteKind::Addition => &[],
        };
        let killer = MutantKiller { cluster: self.cluster, goals: self.goals, options: self.options };
        let standing = Standing { killer, size: self.size };
        let may_run = &mut |test: &TestCase| !self.faults.is_fatal(test) && self.is_before(pace.end);
        let mut stood = standing.look_at(kept, executor, result, may_run);
        for test in &mut stood.tests {
            test.goals.retain(|goal| !self.is_pursued(*goal));
            test.kills.retain(|(goal, _)| !self.is_pursued(*goal));
        }
        stood
    }

    /// Of an archive, the tests that a suite may keep, for the goals that it may keep them for and that are not settled.
    fn needed(&self, archive: &[KeptTest], settled: &BTreeSet<GoalId>) -> Vec<KeptTest> {
        let needed = archive.iter().map(|(archived, goals)| {
            let thrown = match &archived.outcome {
                Outcome::Threw(thrown) => Some(thrown),
                Outcome::Passed | Outcome::TimedOut | Outcome::Exited => None,
            };
            let mut goals = self.size.kept_for(goals, thrown, self.goals);
            goals.retain(|goal| !settled.contains(goal));
            (Arc::clone(archived), goals)
        });
        needed.filter(|(_, goals)| !goals.is_empty()).collect()
    }

    /// An archive without goals that are the search's alone, and the tests that it kept for those of these that are not settled.
    fn apart(&self, archive: &[KeptTest], settled: &BTreeSet<GoalId>) -> (Vec<KeptTest>, Vec<KeptTest>) {
        let of = |is_wanted: &dyn Fn(&GoalId) -> bool| {
            let kept = archive.iter().map(|(test, goals)| {
                (Arc::clone(test), goals.iter().copied().filter(is_wanted).collect::<Vec<GoalId>>())
            });
            kept.filter(|(_, goals)| !goals.is_empty()).collect()
        };
        let is_pursued = |goal: &GoalId| self.is_pursued(*goal);
        (of(&|goal| !is_pursued(goal)), of(&|goal| is_pursued(goal) && !settled.contains(goal)))
    }

    /// Whether a goal is one of killing a mutant that nobody asked for.
    fn is_pursued(&self, goal: GoalId) -> bool {
        self.goals.goals().get(goal.index()).is_some_and(|goal| is_pursued(goal, self.asked))
    }

    /// Tests for mutants that live: those that the search kept, and variations; none for a suite that is there for the time being, and
    /// none where tests are kept for all goals, as papers count them.
    fn further<'t>(
        &'t self,
        killing: &'t [KeptTest],
        pace: Pace,
    ) -> (Vec<Archived<'t>>, Box<dyn Variations + 't>) {
        let is_last = match pace.kind {
            SuiteKind::Whole | SuiteKind::Addition => true,
            SuiteKind::First | SuiteKind::Early => false,
        };
        if is_last && self.size == SuiteSize::Compact {
            let variations = DrawnVariations::new(self.cluster, self.factory.clone(), self.seed);
            (archived(killing), Box::new(variations))
        } else {
            (Vec::new(), Box::new(()))
        }
    }

    fn is_before(&self, end: Option<Duration>) -> bool {
        !self.alarm.load(Ordering::Acquire) && end.is_none_or(|end| self.clock.now() < end)
    }
}

/// An archive as minimization takes it.
fn archived(tests: &[KeptTest]) -> Vec<Archived<'_>> {
    tests.iter().map(|(archived, goals)| Archived { test: &archived.test, goals }).collect()
}

/// All goals of an archive, ascending.
fn all_goals(archive: &[KeptTest]) -> Vec<GoalId> {
    let mut all: Vec<GoalId> = archive.iter().flat_map(|(_, goals)| goals.iter().copied()).collect();
    all.sort_unstable();
    all
}

/// The goals of an archive that no suite of this size is made for, as far as none of its tests covers them.
fn not_asked_for(whole: &[KeptTest], wanted: &[GoalId], tests: &[AssertedTest]) -> Option<Dropped> {
    let covered: BTreeSet<GoalId> = tests.iter().flat_map(|test| &test.goals).copied().collect();
    let mut left: Vec<GoalId> = all_goals(whole);
    left.retain(|goal| wanted.binary_search(goal).is_err() && !covered.contains(goal));
    (!left.is_empty()).then_some((Cause::LeftOut, left))
}

/// Of what was lost, what the suite was made of, `archived`, ascending, as far as tests that stay do not cover it. Tests of an
/// addition cover goals of the suite before as well, and that these ones lose them says nothing of those that have them.
fn keep_asked_for(dropped: &mut Vec<Dropped>, archived: &[GoalId], covered: &BTreeSet<GoalId>) {
    for (_, goals) in dropped.iter_mut() {
        goals.retain(|goal| archived.binary_search(goal).is_ok() && !covered.contains(goal));
    }
    dropped.retain(|(_, goals)| !goals.is_empty());
}

/// The archived tests that minimization had no time for, as they are.
fn left_over(
    archive: &[KeptTest],
    all: &GoalSet,
    size: SuiteSize,
    dropped: &mut Vec<Dropped>,
) -> Vec<AssertedTest> {
    let lost = |(cause, goals): &Dropped| (*cause == Cause::OutOfTime).then(|| goals.clone());
    let lost: BTreeSet<GoalId> = dropped.iter().filter_map(lost).flatten().collect();
    let left = archive.iter().filter_map(|(test, goals)| {
        let goals: Vec<GoalId> = goals.iter().copied().filter(|goal| lost.contains(goal)).collect();
        unminimized(test, &goals, all, size)
    });
    let left: Vec<AssertedTest> = left.collect();
    let kept: BTreeSet<GoalId> = left.iter().flat_map(|test| test.goals.iter().copied()).collect();
    for (_, goals) in dropped.iter_mut().filter(|(cause, _)| *cause == Cause::OutOfTime) {
        goals.retain(|goal| !kept.contains(goal));
    }
    dropped.retain(|(_, goals)| !goals.is_empty());
    left
}

#[cfg(test)]
mod tests {
    use search::archive::{ArchivedTest, Penalty};
    use testcase::statement::Statement;
    use testcase::test_case::TestCase;
    use testcase::value::Value;

    use super::*;

    #[test]
    fn an_addition_says_nothing_of_goals_that_it_was_not_made_of() {
        let goals = |numbers: &[u32]| numbers.iter().copied().map(GoalId).collect::<Vec<_>>();
        let mut dropped = vec![
            (Cause::LeftOut, goals(&[1, 5, 7])),
            (Cause::Survived, goals(&[2, 3])),
            (Cause::OrderDependent, goals(&[9])),
        ];
        let covered = BTreeSet::from([GoalId(7)]);
        keep_asked_for(&mut dropped, &goals(&[5, 7, 9]), &covered);
        assert_eq!(dropped, [(Cause::LeftOut, goals(&[5])), (Cause::OrderDependent, goals(&[9]))]);
    }

    #[test]
    fn tests_without_time_for_minimization_are_kept_as_they_are() {
        let test = |number| {
            let mut test = TestCase::default();
            test.push(Statement::Primitive { value: Value::Int(number), boxed: false });
            Arc::new(ArchivedTest { test, penalty: Penalty::NONE, outcome: Outcome::Passed })
        };
        let archive = [
            (test(7), vec![GoalId(1), GoalId(2), GoalId(4)]),
            (test(8), vec![GoalId(3)]),
            (test(9), vec![GoalId(9)]),
        ];
        let mut dropped = vec![
            (Cause::OutOfTime, vec![GoalId(1), GoalId(4)]),
            (Cause::TimedOut, vec![GoalId(3)]),
            (Cause::OutOfTime, vec![GoalId(9)]),
        ];
        let kept = left_over(&archive, &GoalSet::default(), SuiteSize::Compact, &mut dropped);
        assert_eq!(dropped, [(Cause::TimedOut, vec![GoalId(3)])]);
        let kept: Vec<_> = kept.iter().map(|test| (&test.test, test.goals.clone())).collect();
        assert_eq!(
            kept,
            [(&archive[0].0.test, [1, 4].map(GoalId).to_vec()), (&archive[2].0.test, vec![GoalId(9)])]
        );
    }
}
