//! What a suite covers as the user's JVM runs it: one test after the other, with nothing restored in between. A branch
//! that depends on static state may be covered by its test alone, and not behind other tests.

use std::collections::BTreeSet;

use bytecode::probe_map::Evidence;
use coverage::goal::{Goal, GoalId, GoalSet};
use testcase::assertion::AssertedTest;
use testcase::execution::{ExecutionTrace, Executor};
use testcase::test_case::TestCase;

/// Takes from a suite the goals that it does not cover as a whole, forwards and backwards, and the tests that no other
/// goal is left of. The goals, ascending; none where a limit ends such a run, since nothing is known then.
pub fn take_order_dependent(
    tests: &mut Vec<AssertedTest>,
    goals: &GoalSet,
    executor: &mut dyn Executor,
    trace: &mut ExecutionTrace,
) -> Vec<GoalId> {
    let mut row: Vec<&TestCase> = tests.iter().map(|test| &test.test).collect();
    let claimed: BTreeSet<GoalId> =
        tests.iter().flat_map(|test| &test.goals).map(|&goal| GoalId(goal)).collect();
    let mut lost = BTreeSet::new();
    for _ in 0..2 {
        if !executor.execute_in_a_row(&row, trace) {
            return Vec::new();
        }
        // No mutant runs in a row: that the tests still infect it has to do.
        let shows = |goal: &Goal| match goal.mutant() {
            Some(mutant) => trace.shows(Evidence::Taken(mutant.infection)),
            None => goal.is_covered(trace),
        };
        let is_covered = |goal: &GoalId| goals.goals().get(goal.index()).is_none_or(shows);
        lost.extend(claimed.iter().copied().filter(|goal| !is_covered(goal)));
        row.reverse();
    }
    tests.retain_mut(|test| {
        let before = test.goals.len();
        test.goals.retain(|&goal| !lost.contains(&GoalId(goal)));
        before == 0 || !test.goals.is_empty()
    });
    lost.into_iter().collect()
}
