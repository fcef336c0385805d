//! Tests that were the first to show what no goal knows of yet. It becomes a goal at the end of the step, and the best of
//! these tests covers it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use bytecode::probe_map::{Evidence, ProbeId};
use coverage::goal::{GoalId, GoalSet};
use testcase::execution::{ExecutionResult, SeenProbes};
use testcase::test_case::TestCase;

use crate::archive::{ArchivedTest, Penalty};

/// The best tests of the current step that showed something new, by its probe.
#[derive(Debug)]
pub(crate) struct FirstShown {
    probes: SeenProbes,
    tests: BTreeMap<ProbeId, ArchivedTest>,
}

impl FirstShown {
    /// Nothing yet, of code with that many probes.
    pub(crate) fn new(probes: usize) -> Self {
        Self { probes: SeenProbes::behind(probes), tests: BTreeMap::new() }
    }

    /// Keeps the test of a run if that ended in something that no goal knows of, and the test is the best that did.
    pub(crate) fn note(&mut self, goals: &GoalSet, test: &TestCase, result: &ExecutionResult) {
        let last = result.trace.touched().last();
        let Some(&probe) = last.filter(|&&probe| self.probes.contains(probe)) else { return };
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

#[cfg(test)]
mod tests {
    use bytecode::name::ClassName;
    use coverage::seen::add_goals;
    use testcase::cluster::TypeId;
    use testcase::execution::{ExceptionKind, SeenException};
    use testcase::statement::Statement;

    use super::*;

    /// Probes of the code.
    const PROBES: usize = 3;

    fn seen(exception: &str) -> SeenException {
        let (class, method) = (ClassName::new("A"), "f()V".into());
        SeenException { class, method, exception: exception.into(), kind: ExceptionKind::Explicit }
    }

    /// Notes tests of such lengths that ended at such probes, in their order; gives the lengths of those that cover goals of
    /// two exceptions, which were seen at probes 3 and 4.
    fn check(known: usize, runs: &[(u32, usize)], expect: &[(u32, usize)]) {
        let exceptions = [seen("E"), seen("F")];
        let mut goals = GoalSet::new(Vec::new());
        add_goals(&mut goals, &[], &exceptions[..known], PROBES);
        let mut first_shown = FirstShown::new(PROBES);
        for &(probe, length) in runs {
            let mut result = ExecutionResult::new(PROBES, 0);
            result.trace.record_hits(ProbeId(probe), 1);
            let test = TestCase::new(vec![Statement::Null { of: TypeId(9) }; length]);
            first_shown.note(&goals, &test, &result);
        }
        let added = add_goals(&mut goals, &[], &exceptions, PROBES);
        let found = first_shown.take(&goals, &added);
        let found: Vec<_> = found.iter().map(|(goal, test)| (goal.0, test.test.len())).collect();
        assert_eq!(found, expect, "{runs:?}");
        assert!(first_shown.take(&goals, &added).is_empty());
    }

    #[test]
    fn the_best_test_covers_what_it_showed_and_no_goal_knew() {
        check(0, &[(3, 2), (4, 5), (3, 1), (4, 7)], &[(0, 1), (1, 5)]);
        check(0, &[(4, 2)], &[(1, 2)]);
        // That of a known exception went to the archive, and a probe of the code is none.
        check(1, &[(3, 2), (4, 2)], &[(1, 2)]);
        check(0, &[(2, 1)], &[]);
    }
}
