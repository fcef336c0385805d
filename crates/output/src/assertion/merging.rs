//! One test in the place of two that are about the same call.
//!
//! Each test is kept for what it alone shows, and made as small as that allows: one for the mutant that forgets the city, one for the
//! mutant that forgets the street. A reader wants one that looks at both. So where a test, with further assertions or with what is
//! done to the same objects in another test ([`united`]), shows all that the two show and no third one does, it takes their place.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use coverage::goal::GoalId;
use testcase::cluster::CallableId;
use testcase::run_request::RunRequest;
use testcase::test_case::TestCase;

use super::live::Pursuit;
use super::mutants::Mutant;
use super::oracles::note_killed;
use super::redundancy::{EACH, Merit};
use super::united::{act, united};
use crate::asserted_test::AssertedTest;

/// Most assertions of a test that takes the place of others, or as many as one of these has.
const MOST_ASSERTIONS: usize = 10;
/// Most statements of such a test.
const MOST_STATEMENTS: usize = 30;
/// Most tests that may take the place of one and are tried.
const MOST_HOSTS: usize = 10;

/// Merges tests of a suite.
pub(super) struct Merging<'a, 'b> {
    /// Runs and asserts tests.
    pub pursuit: &'a mut Pursuit<'b>,
    /// The goals that the suite is to cover.
    pub is_wanted: &'a dyn Fn(&GoalId) -> bool,
    /// By test: the structure that it covers, and that is wanted.
    pub structure: Vec<Vec<GoalId>>,
}

impl Merging<'_, '_> {
    /// Merges what can be merged of the tests that are known to be kept: of two one stays, in the place of the one that showed more, and the
    /// other is dropped. Goes on as long as it may.
    pub(super) fn merge(
        &mut self,
        tests: &mut [AssertedTest],
        merits: &mut [Merit],
        may_continue: &mut dyn FnMut() -> bool,
    ) {
        let mut groups: BTreeMap<CallableId, Vec<usize>> = BTreeMap::new();
        let mut times: BTreeMap<GoalId, usize> = BTreeMap::new();
        let cluster = self.pursuit.oracles.killer.cluster;
        for (number, test) in tests.iter().enumerate().filter(|(number, _)| merits[*number] != Merit::Dropped)
        {
            self.shown(tests, number).into_iter().for_each(|goal| *times.entry(goal).or_default() += 1);
            if let Some(act) = act(cluster, &test.test).filter(|_| is_open(test))
                && merits[number] == Merit::Known
                && let Some(callable) = test.test.statement(act).callable()
            {
                groups.entry(callable).or_default().push(number);
            }
        }
        for mut group in groups.into_values().filter(|group| group.len() > 1) {
            group.sort_by_key(|&test| (Reverse(self.shown(tests, test).len()), test));
            let mut tries: BTreeMap<usize, usize> = BTreeMap::new();
            for (host, guest) in group.iter().flat_map(|&host| group.iter().map(move |&guest| (host, guest)))
            {
                let is_kept = |test: usize| merits[test] == Merit::Known;
                let tried = tries.entry(guest).or_default();
                if host == guest || !is_kept(host) || !is_kept(guest) || *tried == MOST_HOSTS {
                    continue;
                }
                if !may_continue() {
                    return;
                }
                *tried += 1;
                let before = [self.shown(tests, host), self.shown(tests, guest)];
                if let Some((merged, structure)) = self.merged(tests, (host, guest), &times) {
                    (tests[host], self.structure[host]) = (merged, structure);
                    merits[guest] = Merit::Dropped;
                    before.iter().flatten().for_each(|goal| *times.entry(*goal).or_default() -= 1);
                    self.shown(tests, host).into_iter().for_each(|goal| *times.entry(goal).or_default() += 1);
                }
            }
        }
    }

    /// All goals that a test is known to show.
    fn shown(&self, tests: &[AssertedTest], test: usize) -> BTreeSet<GoalId> {
        self.structure[test].iter().chain(&tests[test].killed).copied().collect()
    }

    /// A test that shows all that these two show and no other test does, cheaper than both, with the structure that it covers. `times` says
    /// how many tests show a goal.
    fn merged(
        &mut self,
        tests: &[AssertedTest],
        (host, guest): (usize, usize),
        times: &BTreeMap<GoalId, usize>,
    ) -> Option<(AssertedTest, Vec<GoalId>)> {
        let cluster = self.pursuit.oracles.killer.cluster;
        let (own, others) = (self.shown(tests, host), self.shown(tests, guest));
        let is_elsewhere = |goal: &GoalId| {
            let here = usize::from(own.contains(goal)) + usize::from(others.contains(goal));
            times.get(goal).is_some_and(|times| *times > here)
        };
        let needed: BTreeSet<GoalId> =
            own.union(&others).copied().filter(|goal| !is_elsewhere(goal)).collect();
        let union = united(cluster, &tests[host].test, &tests[guest].test);
        let cost = |test: &AssertedTest| EACH + test.test.len() + test.assertions.len();
        let most = cost(&tests[host]) + cost(&tests[guest]);
        let assertions = |test: usize| tests[test].assertions.len();
        let most_assertions = MOST_ASSERTIONS.max(assertions(host)).max(assertions(guest));
        let mut candidates = Vec::new();
        for test in std::iter::once(tests[host].test.clone()).chain(union) {
            candidates.extend(self.pursuit.named(&test).into_iter().next());
            candidates.push(test);
        }
        let fits = |merged: &AssertedTest| merged.assertions.len() <= most_assertions && cost(merged) < most;
        let mut small = candidates.into_iter().filter(|test| test.len() <= MOST_STATEMENTS);
        let merged = small.find_map(|test| self.showing(test, &needed).filter(|(merged, _)| fits(merged)));
        merged.map(|(mut merged, structure)| {
            self.note_others(&mut merged, own.union(&others));
            (merged, structure)
        })
    }

    /// Notes which other mutants among these a merged test kills. It was made for those that no third test kills.
    fn note_others<'g>(&mut self, merged: &mut AssertedTest, shown: impl Iterator<Item = &'g GoalId>) {
        let oracles = self.pursuit.oracles;
        let is_known = |goal: &&GoalId| merged.killed.binary_search(goal).is_ok();
        let others = shown.filter(|goal| !is_known(goal));
        let mutants: Vec<Mutant> =
            others.filter_map(|goal| Some((*goal, oracles.infected(*goal)?))).collect();
        if mutants.is_empty() {
            return;
        }
        let seen = oracles.killer.look_at(merged, &mutants, Vec::new(), self.pursuit.executor);
        if let Some(seen) = seen {
            note_killed(merged, &seen);
        }
    }

    /// The test with assertions, if it passes and shows all of these goals so.
    fn showing(&mut self, test: TestCase, needed: &BTreeSet<GoalId>) -> Option<(AssertedTest, Vec<GoalId>)> {
        let oracles = self.pursuit.oracles;
        let bare = self.pursuit.bare(test).filter(|test| test.expected.is_none())?;
        let Pursuit { executor, result, .. } = &mut *self.pursuit;
        executor.execute(&bare.test, &RunRequest::default(), result);
        let mut covered = Vec::new();
        oracles.killer.goals.covered(&result.trace, &mut covered);
        covered.retain(|goal| (self.is_wanted)(goal));
        let mut mutants: Vec<Mutant> = Vec::new();
        for goal in needed {
            // What kills a mutant infects it.
            covered.binary_search(goal).ok()?;
            mutants.extend(oracles.infected(*goal).map(|infection| (*goal, infection)));
        }
        let mut merged = if mutants.is_empty() {
            self.pursuit.with_usual_assertions(&bare)?
        } else {
            self.pursuit.asserted(&bare, &mutants)?
        };
        if mutants.iter().any(|(goal, _)| merged.killed.binary_search(goal).is_err()) {
            return None;
        }
        self.pursuit.tell_covered(&mut merged, self.is_wanted);
        let structure = oracles.structure(&merged, self.is_wanted);
        Some((merged, structure))
    }
}

/// Whether a test may give way to another: it is in no file yet, and ends as it should.
fn is_open(test: &AssertedTest) -> bool {
    test.name.is_none() && !test.fails && test.expected.is_none()
}
