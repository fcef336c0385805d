//! The archive: for each covered goal the best test case that covers it.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), Algorithm 5 (UPDATE-ARCHIVE): over all goals, whether they are
//! aimed at or not, a covering test replaces one that is longer.
//!
//! # Differences
//! * Tests are compared by [`Penalty`] before length: one that ends in an exception the JVM made, or that used
//!   threads or clocks, gives way to one that does not.
//! * A test that touched the world outside is never archived ([`Penalty::of`]).
//! * A test that ended in an exception is archived without the statements behind it, which did not run.
//! * A test of equal length replaces one only with
//!   [`crate::options::SearchOptions::archive_replaces_equal`].

use std::sync::Arc;

use coverage::goal::{GoalId, GoalSet};
use serde::{Deserialize, Serialize};
use testcase::execution::{ExecutionResult, Outcome, ThrowOrigin, Touched};
use testcase::test_case::TestCase;

/// What makes a test less welcome than another, however short it is; less is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Penalty(u8);

impl Penalty {
    /// Nothing speaks against the test.
    pub const NONE: Self = Self(0);

    const UNSTEADY: u8 = 1;
    const JVM_EXCEPTION: u8 = 2;

    /// What a run must not touch if its test is to be delivered.
    const FORBIDDEN: Touched = Touched(
        Touched::FILE_READ.0
            | Touched::FILE_WRITE.0
            | Touched::NETWORK.0
            | Touched::PROCESS.0
            | Touched::ENVIRONMENT.0
            | Touched::EXIT.0
            | Touched::WAIT.0,
    );

    /// The penalty of a run; `None` when its test may not be archived: the run may not be believed, it touched
    /// files, network, processes or the environment, or it waited for long.
    pub fn of(result: &ExecutionResult) -> Option<Self> {
        if !result.is_valid() || result.touched.intersects(Self::FORBIDDEN) {
            return None;
        }
        let mut penalty = 0;
        if result.touched.intersects(Touched::THREAD.union(Touched::CLOCK)) {
            penalty += Self::UNSTEADY;
        }
        if let Outcome::Threw(thrown) = &result.outcome {
            penalty += match thrown.origin {
                ThrowOrigin::Jvm | ThrowOrigin::Statement | ThrowOrigin::Stub => Self::JVM_EXCEPTION,
                ThrowOrigin::Project | ThrowOrigin::Library => 0,
            };
        }
        Some(Self(penalty))
    }
}

/// A test of the archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivedTest {
    /// Its statements, up to the one that threw, if any.
    pub test: TestCase,
    /// What speaks against it.
    pub penalty: Penalty,
    /// How its run ended.
    pub outcome: Outcome,
}

impl ArchivedTest {
    /// Whether it is preferred to another that covers the same.
    pub fn is_better_than(&self, other: &Self) -> bool {
        Cost::of_length(self.penalty, self.test.len()) < Cost::of_length(other.penalty, other.test.len())
    }

    /// A test as its run showed it: without the statements behind the one that threw.
    pub fn new(test: &TestCase, penalty: Penalty, outcome: &Outcome) -> Self {
        let mut test = test.clone();
        test.truncate(delivered_length(&test, outcome));
        Self { test, penalty, outcome: outcome.clone() }
    }
}

/// Statements up to the one that threw, if any.
pub(crate) fn delivered_length(test: &TestCase, outcome: &Outcome) -> usize {
    match outcome {
        Outcome::Threw(thrown) => test.len().min(thrown.position + 1),
        Outcome::Passed | Outcome::TimedOut | Outcome::Exited => test.len(),
    }
}

/// A test of an archive with the goals that it is kept for, ascending.
pub type KeptTest = (Arc<ArchivedTest>, Vec<GoalId>);

/// What is compared: penalty, then length or score. Less is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cost(Penalty, u64);

impl Cost {
    /// All others are better than this.
    const UNCOVERED: Self = Self(Penalty(u8::MAX), u64::MAX);

    /// By length, in statements.
    fn of_length(penalty: Penalty, length: usize) -> Self {
        Self(penalty, length as u64)
    }

    /// By a score of 0 or more: the bits of positive doubles are ordered as the doubles are.
    fn of_score(penalty: Penalty, score: f64) -> Self {
        Self(penalty, score.to_bits())
    }
}

/// The best test for each covered goal.
#[derive(Debug, Clone, Default)]
pub struct Archive {
    tests: Vec<Option<Arc<ArchivedTest>>>,
    costs: Vec<Cost>,
    covered: Vec<GoalId>,
    replaces_equal: bool,
    /// Whether tests are compared by scores.
    by_score: bool,
    /// Goals improved by the last update, ascending.
    improved: Vec<GoalId>,
    /// Goals first covered by the last update, ascending.
    newly_covered: Vec<GoalId>,
}

impl Archive {
    /// An empty archive for that many goals.
    pub fn new(goals: usize, replaces_equal: bool) -> Self {
        Self {
            tests: vec![None; goals],
            costs: vec![Cost::UNCOVERED; goals],
            replaces_equal,
            ..Self::default()
        }
    }

    /// Takes a test for every goal that its run covers and for which it is the best so far. The test is given when
    /// it entered; [`Archive::improved`] and [`Archive::newly_covered`] tell for which goals.
    pub fn update(
        &mut self,
        goals: &GoalSet,
        test: &TestCase,
        result: &ExecutionResult,
    ) -> Option<&Arc<ArchivedTest>> {
        self.begin_update();
        let penalty = Penalty::of(result)?;
        let cost = Cost::of_length(penalty, delivered_length(test, &result.outcome));
        self.take(goals, test, result, cost, self.replaces_equal)
    }

    /// As [`Archive::update`], where tests are compared by their scores, 0 or more, in place of their lengths: a test
    /// replaces only one whose score is higher (Grano et al. 2019, §3.2.2).
    pub fn update_by_score(
        &mut self,
        goals: &GoalSet,
        test: &TestCase,
        result: &ExecutionResult,
        score: f64,
    ) -> Option<&Arc<ArchivedTest>> {
        self.begin_update();
        self.by_score = true;
        let penalty = Penalty::of(result)?;
        self.take(goals, test, result, Cost::of_score(penalty, score), false)
    }

    fn begin_update(&mut self) {
        self.improved.clear();
        self.newly_covered.clear();
    }

    fn take(
        &mut self,
        goals: &GoalSet,
        test: &TestCase,
        result: &ExecutionResult,
        cost: Cost,
        replaces_equal: bool,
    ) -> Option<&Arc<ArchivedTest>> {
        let Self { costs, improved, .. } = self;
        goals.for_each_covered(&result.trace, |goal| {
            let before = costs[goal.index()];
            if before > cost || (before == cost && replaces_equal) {
                improved.push(goal);
            }
        });
        if improved.is_empty() {
            return None;
        }
        improved.sort_unstable();
        improved.dedup();
        let archived = ArchivedTest::new(test, cost.0, &result.outcome);
        // Replacing a test by itself is no news. Goals that follow each other mostly have one test.
        let mut last: Option<(&Arc<ArchivedTest>, bool)> = None;
        improved.retain(|goal| {
            let Some(kept) = &self.tests[goal.index()] else { return true };
            if costs[goal.index()] != cost {
                return true;
            }
            if let Some((compared, is_other)) = last
                && Arc::ptr_eq(compared, kept)
            {
                return is_other;
            }
            let is_other = kept.test != archived.test;
            last = Some((kept, is_other));
            is_other
        });
        self.keep(&Arc::new(archived), cost);
        self.improved.first().and_then(|goal| self.tests[goal.index()].as_ref())
    }

    /// Makes room for goals that were added.
    pub fn grow(&mut self, goals: usize) {
        self.tests.resize(goals, None);
        self.costs.resize(goals, Cost::UNCOVERED);
    }

    /// Takes a test for these goals, ascending, as an event told it: keeps a copy of an archive elsewhere.
    pub fn record(&mut self, goals: &[GoalId], test: impl Into<Arc<ArchivedTest>>) {
        let test: Arc<ArchivedTest> = test.into();
        self.newly_covered.clear();
        self.improved.clear();
        self.improved.extend_from_slice(goals);
        // Any score is better than one that is not known.
        let cost = if self.by_score {
            Cost::of_score(test.penalty, f64::INFINITY)
        } else {
            Cost::of_length(test.penalty, test.test.len())
        };
        self.keep(&test, cost);
    }

    /// Forgets the tests of these goals, as an event told it: they are covered no more.
    pub fn forget(&mut self, goals: &[GoalId]) {
        for goal in goals {
            self.tests[goal.index()] = None;
            self.costs[goal.index()] = Cost::UNCOVERED;
        }
        self.covered.retain(|goal| self.tests[goal.index()].is_some());
    }

    /// The best of these tests for each goal that any of them covers, ascending by goal; among equals the first.
    pub(crate) fn best_of<'a>(
        &self,
        tests: impl IntoIterator<Item = (&'a [GoalId], &'a Arc<ArchivedTest>)>,
    ) -> Vec<(GoalId, &'a Arc<ArchivedTest>)> {
        let mut best: Vec<Option<&Arc<ArchivedTest>>> = vec![None; self.tests.len()];
        let cost = |test: &ArchivedTest| Cost::of_length(test.penalty, test.test.len());
        for (goals, test) in tests {
            for goal in goals {
                let kept = &mut best[goal.index()];
                if kept.is_none_or(|kept| cost(test) < cost(kept)) {
                    *kept = Some(test);
                }
            }
        }
        (0..).map(GoalId).zip(best).filter_map(|(goal, test)| Some((goal, test?))).collect()
    }

    /// Makes a test that of these goals, ascending.
    pub(crate) fn put(&mut self, goals: Vec<GoalId>, test: &Arc<ArchivedTest>) {
        self.newly_covered.clear();
        self.improved = goals;
        self.keep(test, Cost::of_length(test.penalty, test.test.len()));
    }

    /// Makes it the test of the goals in `improved`.
    fn keep(&mut self, test: &Arc<ArchivedTest>, cost: Cost) {
        for goal in &self.improved {
            if self.tests[goal.index()].replace(test.clone()).is_none() {
                self.newly_covered.push(*goal);
            }
            self.costs[goal.index()] = cost;
        }
        self.covered.extend_from_slice(&self.newly_covered);
    }

    /// Goals that the last update gave another test, ascending.
    pub fn improved(&self) -> &[GoalId] {
        &self.improved
    }

    /// Goals that the last update covered for the first time, ascending.
    pub fn newly_covered(&self) -> &[GoalId] {
        &self.newly_covered
    }

    /// Covered goals in the order in which they were first covered.
    pub fn covered(&self) -> &[GoalId] {
        &self.covered
    }

    /// Whether a goal is covered.
    pub fn is_covered(&self, goal: GoalId) -> bool {
        self.tests[goal.index()].is_some()
    }

    /// Whether every goal is covered.
    pub fn is_complete(&self) -> bool {
        self.covered.len() == self.tests.len()
    }

    /// The best test for a goal.
    pub fn test(&self, goal: GoalId) -> Option<&Arc<ArchivedTest>> {
        self.tests[goal.index()].as_ref()
    }

    /// The distinct tests with the goals they are kept for, in the order of their first goal.
    pub fn tests(&self) -> Vec<KeptTest> {
        let mut distinct: Vec<KeptTest> = Vec::new();
        let mut goals: Vec<_> = (0..self.tests.len() as u32)
            .map(GoalId)
            .filter_map(|goal| self.test(goal).map(|test| (Arc::as_ptr(test).addr(), goal)))
            .collect();
        // Grouped by address, which orders nothing that is seen: the groups are put in order of their first goals.
        goals.sort_unstable();
        for group in goals.chunk_by(|a, b| a.0 == b.0) {
            let ids: Vec<_> = group.iter().map(|&(_, goal)| goal).collect();
            if let Some(test) = ids.first().and_then(|&goal| self.test(goal)) {
                distinct.push((test.clone(), ids));
            }
        }
        distinct.sort_by_key(|(_, ids)| ids.first().copied());
        distinct
    }
}

#[cfg(test)]
mod tests {
    use bytecode::name::ClassName;
    use bytecode::probe_map::{Evidence, ProbeId};
    use coverage::goal::{Goal, GoalKind};
    use testcase::execution::Thrown;
    use testcase::statement::Statement;
    use testcase::value::Value;

    use super::*;

    /// Goal `n` is covered by probe `n`.
    fn goals(count: u32) -> GoalSet {
        let goal = |probe| Goal {
            criterion: "test".into(),
            class: ClassName::new("Foo"),
            hash: 0,
            method: "bar()V".into(),
            kind: GoalKind::Line(probe),
            line: Some(probe),
            entry: ProbeId(0),
            outcome: None,
            covered_by: vec![Evidence::Hit(ProbeId(probe))],
            controlled_by: Vec::new(),
        };
        GoalSet::new((0..count).map(goal).collect())
    }

    fn test(length: usize) -> TestCase {
        let statement = |index| Statement::Primitive { value: Value::Int(index as i32), boxed: false };
        TestCase::new((0..length).map(statement).collect())
    }

    fn result(covered: &[u32]) -> ExecutionResult {
        let mut result = ExecutionResult::new(4, 0);
        for &probe in covered {
            result.trace.record_hits(ProbeId(probe), 1);
        }
        result
    }

    fn threw(position: usize, origin: ThrowOrigin) -> Outcome {
        Outcome::Threw(Thrown { position, class: ClassName::new("E"), origin })
    }

    fn ids(numbers: &[u32]) -> Vec<GoalId> {
        numbers.iter().copied().map(GoalId).collect()
    }

    fn update(archive: &mut Archive, length: usize, result: &ExecutionResult, improved: &[u32]) {
        archive.update(&goals(4), &test(length), result);
        assert_eq!(archive.improved(), ids(improved));
    }

    #[test]
    fn a_goal_keeps_the_shortest_test_that_covers_it() {
        let mut archive = Archive::new(4, false);
        update(&mut archive, 5, &result(&[0, 2]), &[0, 2]);
        update(&mut archive, 7, &result(&[0, 1]), &[1]);
        assert_eq!(archive.newly_covered(), ids(&[1]));
        update(&mut archive, 5, &result(&[0, 2]), &[]);
        update(&mut archive, 3, &result(&[2]), &[2]);
        assert!(archive.newly_covered().is_empty() && !archive.is_complete());
        let lengths = [0, 1, 2, 3].map(|goal| archive.test(GoalId(goal)).map(|kept| kept.test.len()));
        assert_eq!(lengths, [Some(5), Some(7), Some(3), None]);
        let tests: Vec<_> =
            archive.tests().into_iter().map(|(kept, goals)| (kept.test.len(), goals)).collect();
        assert_eq!(tests, [(5, ids(&[0])), (7, ids(&[1])), (3, ids(&[2]))]);
    }

    #[test]
    fn equal_length_replaces_only_when_asked_and_never_by_the_same_test() {
        let mut strict = Archive::new(4, false);
        let mut paper = Archive::new(4, true);
        let other = TestCase::new(vec![Statement::Primitive { value: Value::Int(-1), boxed: false }]);
        for (archive, replaced) in [(&mut strict, false), (&mut paper, true)] {
            update(archive, 1, &result(&[0]), &[0]);
            update(archive, 1, &result(&[0]), &[]);
            assert_eq!(archive.update(&goals(4), &other, &result(&[0])).is_some(), replaced);
        }
    }

    #[test]
    fn by_score_only_a_lower_one_replaces_and_a_new_goal_always_enters() {
        // 003, PERFORMANCE-UPDATE-ARCHIVE.
        let mut archive = Archive::new(4, true);
        let mut check = |length: usize, covered: &[u32], score, improved: &[u32]| {
            archive.update_by_score(&goals(4), &test(length), &result(covered), score);
            assert_eq!(archive.improved(), ids(improved));
        };
        check(5, &[0], 2.5, &[0]);
        check(1, &[0], 2.5, &[]);
        check(1, &[0, 1], 6.9, &[1]);
        check(30, &[0, 1], 2.4, &[0, 1]);
        check(1, &[0, 1], 2.4, &[]);
    }

    #[test]
    fn what_is_forgotten_is_covered_no_more() {
        let mut archive = Archive::new(4, false);
        update(&mut archive, 5, &result(&[0, 1, 2]), &[0, 1, 2]);
        archive.forget(&ids(&[1, 3]));
        assert_eq!(archive.covered(), ids(&[0, 2]));
        assert!(!archive.is_covered(GoalId(1)));
        update(&mut archive, 9, &result(&[0, 1, 2]), &[1]);
    }

    #[test]
    fn the_best_of_a_suite_is_the_shortest_for_each_goal() {
        let archive = Archive::new(4, false);
        let archived = |length| Arc::new(ArchivedTest::new(&test(length), Penalty::NONE, &Outcome::Passed));
        let suite = [(ids(&[0, 3]), archived(5)), (ids(&[0, 1]), archived(3)), (ids(&[1]), archived(3))];
        let best = archive.best_of(suite.iter().map(|(goals, test)| (goals.as_slice(), test)));
        let lengths: Vec<_> = best.iter().map(|(goal, test)| (goal.0, test.test.len())).collect();
        assert_eq!(lengths, [(0, 3), (1, 3), (3, 5)]);
        assert!(Arc::ptr_eq(best[1].1, &suite[1].1), "the first among equals");
    }

    #[test]
    fn what_may_not_be_delivered_is_never_archived() {
        let mut archive = Archive::new(4, false);
        for touched in [
            Touched::FILE_READ,
            Touched::FILE_WRITE,
            Touched::NETWORK,
            Touched::PROCESS,
            Touched::ENVIRONMENT,
            Touched::EXIT,
            Touched::WAIT,
        ] {
            update(&mut archive, 1, &ExecutionResult { touched, ..result(&[0]) }, &[]);
        }
        for outcome in [Outcome::TimedOut, Outcome::Exited] {
            update(&mut archive, 1, &ExecutionResult { outcome, ..result(&[0]) }, &[]);
        }
        assert!(archive.covered().is_empty());
    }

    #[test]
    fn exceptions_of_the_jvm_and_threads_give_way_to_longer_tests() {
        let mut archive = Archive::new(4, false);
        let jvm = || ExecutionResult { outcome: threw(0, ThrowOrigin::Jvm), ..result(&[0]) };
        let thread = ExecutionResult { touched: Touched::THREAD, ..result(&[0]) };
        let project = ExecutionResult { outcome: threw(8, ThrowOrigin::Project), ..result(&[0]) };
        update(&mut archive, 1, &jvm(), &[0]);
        update(&mut archive, 30, &thread, &[0]);
        update(&mut archive, 40, &project, &[0]);
        update(&mut archive, 1, &jvm(), &[]);
        update(&mut archive, 1, &thread, &[]);
        update(&mut archive, 8, &result(&[0]), &[0]);
    }

    #[test]
    fn statements_behind_an_exception_are_cut() {
        let mut archive = Archive::new(4, false);
        let project = ExecutionResult { outcome: threw(2, ThrowOrigin::Project), ..result(&[0]) };
        update(&mut archive, 20, &project, &[0]);
        assert_eq!(archive.test(GoalId(0)).unwrap().test, test(3));
    }
}
