//! Further tests for mutants that tests infect and that none kills.
//!
//! A test is kept for a mutant because it infects it, and minimization takes out all that is not needed for that: often the
//! call in which the difference would have shown. So tests that infect live mutants are varied, and what kills one is
//! kept. Panichella, Kifetew and Tonella 2018 (Equation 9) guide a search to such tests; here the mutants are infected already, and what
//! is missing is mostly one more call.

use std::collections::{BTreeMap, BTreeSet};

use coverage::goal::GoalId;
use testcase::execution::{Executor, Outcome, ThrowOrigin, Thrown};
use testcase::statement::VarRef;
use testcase::test_case::TestCase;

use super::generator::AssertionGenerator;
use super::mutants::{Mutant, kills_of};
use super::oracles::Oracles;
use crate::asserted_test::AssertedTest;
use crate::minimize::MinimizedTest;

/// Rounds in which each test is varied once, or as often as it infects live mutants, up to [`MOST_IN_ROUND`].
const ROUNDS: usize = 12;
/// Variations of one test in a round.
const MOST_IN_ROUND: usize = 3;
/// Mutants that a variation runs at most.
const MOST_MUTANTS: usize = 12;
/// Tests varied for one mutant: those with the fewest statements. What these do not show is hardly shown by a longer one.
const MOST_TESTS: usize = 3;

/// Proposes tests.
pub trait Variations {
    /// A test like this one with something more in it, or something else; `None` where nothing comes to mind.
    fn vary(&mut self, test: &TestCase) -> Option<TestCase>;
}

/// Nothing is proposed.
impl Variations for () {
    fn vary(&mut self, _: &TestCase) -> Option<TestCase> {
        None
    }
}

impl Oracles<'_> {
    /// Tests that kill some of the mutants which live so far, by variations of the tests that infect them.
    pub(super) fn pursue(
        &self,
        tests: &[AssertedTest],
        live: BTreeSet<GoalId>,
        variations: &mut dyn Variations,
        executor: &mut dyn Executor,
        may_continue: &mut dyn FnMut() -> bool,
    ) -> Vec<AssertedTest> {
        let mut open = live;
        let bases = self.bases(tests, &open);
        let mut found = Vec::new();
        for _ in 0..ROUNDS {
            for (test, infected) in &bases {
                let count =
                    |open: &BTreeSet<GoalId>| infected.iter().filter(|(goal, _)| open.contains(goal)).count();
                for _ in 0..count(&open).min(MOST_IN_ROUND) {
                    if !may_continue() {
                        return found;
                    }
                    let mut mutants = infected.clone();
                    mutants.retain(|(goal, _)| open.contains(goal));
                    mutants.truncate(MOST_MUTANTS);
                    let varied = variations.vary(&tests[*test].test);
                    let is_new = |varied: &TestCase| !tests.iter().any(|test| test.test.is_same(varied));
                    let killing =
                        varied.filter(is_new).and_then(|varied| self.killing(varied, &mutants, executor));
                    let is_news = |killing: &AssertedTest| {
                        !tests.iter().chain(&found).any(|test| test.test.is_same(&killing.test))
                    };
                    if let Some(killing) = killing.filter(is_news) {
                        killing.goals.iter().for_each(|goal| _ = open.remove(goal));
                        found.push(killing);
                    }
                }
            }
        }
        found
    }

    /// The tests that are varied, with the live mutants that they infect.
    fn bases(&self, tests: &[AssertedTest], live: &BTreeSet<GoalId>) -> Vec<(usize, Vec<Mutant>)> {
        let mut shortest_first: Vec<usize> = (0..tests.len()).collect();
        shortest_first.sort_by_key(|&test| (tests[test].expected.is_some(), tests[test].test.len(), test));
        let mut varied: BTreeMap<GoalId, usize> = BTreeMap::new();
        let mut bases = Vec::new();
        for test in shortest_first {
            let mut mutants = self.mutants(&tests[test]);
            mutants.retain(|(goal, _)| live.contains(goal));
            if mutants.iter().any(|(goal, _)| varied.get(goal).is_none_or(|&times| times < MOST_TESTS)) {
                for (goal, _) in &mutants {
                    *varied.entry(*goal).or_default() += 1;
                }
                bases.push((test, mutants));
            }
        }
        bases
    }

    /// The shortest form of the test, about, that kills what it can of these mutants, with its assertions; `None` where it kills
    /// none, and where it ends in a way that nobody meant.
    fn killing(
        &self,
        test: TestCase,
        mutants: &[Mutant],
        executor: &mut dyn Executor,
    ) -> Option<AssertedTest> {
        let mut shortest = bare(test, executor)?;
        let killed = self.killed(&shortest, mutants, executor)?;
        let mut mutants = mutants.to_vec();
        mutants.retain(|(goal, _)| killed.contains(goal));
        for position in (0..shortest.test.len()).rev() {
            if shortest.test.is_used(VarRef::from(position)) {
                continue;
            }
            let mut shorter = shortest.test.clone();
            shorter.remove(position);
            let Some(shorter) = bare(shorter, executor) else { continue };
            if self.killed(&shorter, &mutants, executor).is_some_and(|still| still == killed) {
                shortest = shorter;
            }
        }
        self.asserted(&shortest, &mutants, executor)
    }

    /// The mutants that assertions of this test could kill; `None` where there is none.
    fn killed(
        &self,
        test: &AssertedTest,
        mutants: &[Mutant],
        executor: &mut dyn Executor,
    ) -> Option<BTreeSet<GoalId>> {
        let as_it_is = self.killer.look_at(test, mutants, Vec::new(), executor)?;
        let wide = self.killer.look_everywhere(test, mutants, &as_it_is, executor)?;
        let killed: BTreeSet<GoalId> = wide.killable().collect();
        (!killed.is_empty()).then_some(killed)
    }

    /// The test with what it is about asserted, and what it takes to kill these mutants.
    fn asserted(
        &self,
        test: &AssertedTest,
        mutants: &[Mutant],
        executor: &mut dyn Executor,
    ) -> Option<AssertedTest> {
        let generator = AssertionGenerator { cluster: self.killer.cluster, options: self.killer.options };
        let minimized =
            MinimizedTest { test: test.test.clone(), thrown: test.expected.clone(), goals: Vec::new() };
        let told = generator.assert_suite(&[minimized], executor, &mut || true).pop()?;
        let as_it_is = self.killer.look_at(&told, mutants, Vec::new(), executor)?;
        let mut open = mutants.to_vec();
        open.retain(|(goal, _)| !as_it_is.kills(*goal));
        let (mut killing, seen) = if open.is_empty() {
            (told, as_it_is)
        } else {
            let wide = self.killer.look_everywhere(&told, &open, &as_it_is, executor)?;
            let chosen = wide.cover(&open.iter().map(|(goal, _)| *goal).collect());
            self.killer.extended(&told, &wide, &chosen, mutants, executor)?
        };
        killing.goals = seen.killed().collect();
        killing.kills = kills_of(&killing.goals, &seen);
        (!killing.goals.is_empty()).then_some(killing)
    }
}

/// The test without assertions, up to the exception that ends it; `None` where it ends in a way that no test is kept for.
fn bare(mut test: TestCase, executor: &mut dyn Executor) -> Option<AssertedTest> {
    let expected = match executor.observe(&test, &[]).outcome {
        Outcome::Passed => None,
        Outcome::Threw(thrown) if is_meant(&thrown) => {
            test.truncate(thrown.position + 1);
            Some(thrown)
        }
        Outcome::Threw(_) | Outcome::TimedOut | Outcome::Exited => return None,
    };
    Some(AssertedTest { expected, ..AssertedTest::new(test) })
}

/// Whether the code, and no accident, threw this.
fn is_meant(thrown: &Thrown) -> bool {
    thrown.origin == ThrowOrigin::Project
}
