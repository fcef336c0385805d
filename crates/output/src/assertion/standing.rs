//! What the tests of an earlier file are worth against a class as it is now: they stay as they are, and tests are made for what
//! they do not show.

use std::collections::BTreeSet;

use coverage::goal::{Goal, GoalId};
use testcase::execution::{ExecutionResult, Executor};
use testcase::run_request::{MutantRuns, RunRequest};
use testcase::test_case::TestCase;

use super::mutants::{Mutant, MutantKiller, kills_of};
use super::oracles::SuiteSize;
use crate::asserted_test::AssertedTest;
use crate::replay::ends_as_expected;

/// Looks at tests that stay.
#[derive(Debug, Clone, Copy)]
pub struct Standing<'a> {
    /// Runs mutants.
    pub killer: MutantKiller<'a>,
    /// Which tests suites keep.
    pub size: SuiteSize,
}

/// Tests that stay.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stood {
    /// The tests, each with the goals that it covers.
    pub tests: Vec<AssertedTest>,
    /// Goals for which no other test is needed. In a compact suite a mutant that is infected is to be killed as well.
    pub settled: BTreeSet<GoalId>,
}

impl Standing<'_> {
    /// Runs tests as they are, but for those that are known to fail. One that ends in another way here covers nothing; of those
    /// that `may_run` says no to, nothing is known. A mutant that one of them kills does not run again.
    pub fn look_at(
        &self,
        tests: &[AssertedTest],
        executor: &mut dyn Executor,
        result: &mut ExecutionResult,
        may_run: &mut dyn FnMut(&TestCase) -> bool,
    ) -> Stood {
        let goals = self.killer.goals;
        let request = RunRequest::default().with_mutants(goals.mutants(), MutantRuns::Sparing);
        let mut stood = Stood::default();
        for test in tests {
            let mut test =
                AssertedTest { goals: Vec::new(), kills: Vec::new(), killed: Vec::new(), ..test.clone() };
            if !test.fails && may_run(&test.test) {
                executor.execute(&test.with_questions(), &request, result);
                if ends_as_expected(&test, &result.outcome) {
                    let is_covered = |id: &GoalId| goals.goal(*id).is_covered(&result.trace);
                    test.goals = goals.ids().filter(is_covered).collect();
                    self.settle(&mut test, executor, &mut stood.settled);
                }
            }
            stood.tests.push(test);
        }
        stood
    }

    /// Leaves a test the mutants that it kills, and notes what is settled by it.
    fn settle(&self, test: &mut AssertedTest, executor: &mut dyn Executor, settled: &mut BTreeSet<GoalId>) {
        let goal = |id: &GoalId| self.killer.goals.goal(*id);
        let open = test.goals.iter().filter(|id| !settled.contains(id));
        let mutants: Vec<Mutant> = open.filter_map(|id| Some((*id, infection(goal(id))?))).collect();
        let seen = (!mutants.is_empty()).then(|| self.killer.look_at(test, &mutants, Vec::new(), executor));
        let seen = seen.flatten();
        let kills = |id: &GoalId| seen.as_ref().is_some_and(|seen| seen.kills(*id));
        test.goals.retain(|id| goal(id).mutant().is_none() || kills(id));
        let needs_no_kill =
            |id: &&GoalId| goal(id).infected_mutant().is_none() || self.size == SuiteSize::Complete;
        settled.extend(test.goals.iter().filter(|id| needs_no_kill(id) || kills(id)));
        let killed: Vec<GoalId> =
            test.goals.iter().copied().filter(|id| goal(id).mutant().is_some()).collect();
        test.killed =
            test.goals.iter().copied().filter(|id| goal(id).mutant().is_none() && kills(id)).collect();
        test.kills = seen.as_ref().map(|seen| kills_of(&killed, seen)).unwrap_or_default();
    }
}

/// The infection of the mutant that a goal is about.
pub(super) fn infection(goal: &Goal) -> Option<bytecode::probe_map::OutcomeId> {
    goal.mutant().map(|mutant| mutant.infection).or(goal.infected_mutant())
}
