//! Tests that were the first to show what no goal knows of yet. It becomes a goal at the end of the step, and the best of
//! these tests covers it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use bytecode::probe_map::{Evidence, ProbeId};
use coverage::goal::{GoalId, GoalSet};
use testcase::execution::ExecutionResult;
use testcase::test_case::TestCase;

use crate::archive::{ArchivedTest, Penalty};

/// The best tests of the current step that showed something new, by its probe.
#[derive(Debug)]
pub(crate) struct FirstShown {
    /// Probes from this number on are not of the code: only runs tell of what they stand for.
    first: usize,
    tests: BTreeMap<ProbeId, ArchivedTest>,
}

impl FirstShown {
    /// Nothing yet, of code with that many probes.
    pub(crate) fn new(probes: usize) -> Self {
        Self { first: probes, tests: BTreeMap::new() }
    }

    /// Keeps the test of a run if that ended in something that no goal knows of, and the test is the best that did.
    pub(crate) fn note(&mut self, goals: &GoalSet, test: &TestCase, result: &ExecutionResult) {
        let last = result.trace.touched().last();
        let Some(&probe) = last.filter(|probe| probe.index() >= self.first) else { return };
        if goals.knows(probe) {
            return;
        }
        let Some(penalty) = Penalty::of(result) else { return };
        let archived = ArchivedTest::new(test, penalty, &result.outcome);
        match self.tests.entry(probe) {
            Entry::Vacant(entry) => drop(entry.insert(archived)),
            Entry::Occupied(mut entry) if archived.is_better_than(entry.get()) => {
                entry.insert(archived);
            }
            Entry::Occupied(_) => {}
        }
    }

    /// The tests that cover goals added since, in the order of the goals.
    pub(crate) fn take(&mut self, goals: &GoalSet, added: &[GoalId]) -> Vec<(GoalId, ArchivedTest)> {
        let mut tests = std::mem::take(&mut self.tests);
        let test = |&goal: &GoalId| {
            let is_probe = |evidence: &Evidence| match evidence {
                Evidence::Hit(probe) => tests.remove(probe),
                Evidence::Taken(_) => None,
            };
            goals.goal(goal).covered_by.iter().find_map(is_probe).map(|test| (goal, test))
        };
        added.iter().filter_map(test).collect()
    }
}
