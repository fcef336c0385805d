//! Tests that are kept for the mutants that they kill, where all of these die by other tests as well.
//!
//! A test is kept when it kills what no test before it did. What comes behind it kills much of that too, on the way to mutants of its
//! own.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use coverage::goal::GoalId;
use testcase::execution::Executor;

use super::oracles::{Oracles, badness};
use crate::asserted_test::AssertedTest;

/// What is known of the tests of a suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Merit {
    /// Structure depends on it, or nothing is known of it.
    Needed,
    /// It is kept for what it kills.
    Kills,
    /// It is not kept.
    Dropped,
}

/// Mutants that run before it is asked again whether there is time.
const AT_ONCE: usize = 16;

/// Drops tests that are kept for what they kill, the worst first, where others that stay kill that as well. What none of them kills
/// (`live`) does not run: mutants that hang are among it. All stay once `may_continue` says no.
pub(super) fn drop_redundant(
    oracles: &Oracles<'_>,
    tests: &[AssertedTest],
    (merits, live): (&mut [Merit], &BTreeSet<GoalId>),
    executor: &mut dyn Executor,
    may_continue: &mut dyn FnMut() -> bool,
) {
    let mut killed: Vec<BTreeSet<GoalId>> = vec![BTreeSet::new(); tests.len()];
    for (number, killed) in killed.iter_mut().enumerate() {
        if merits[number] == Merit::Dropped {
            continue;
        }
        let mut mutants = oracles.mutants(&tests[number]);
        mutants.retain(|(goal, _)| !live.contains(goal));
        for mutants in mutants.chunks(AT_ONCE) {
            if !may_continue() {
                return;
            }
            if let Some(seen) = oracles.killer.look_at(&tests[number], mutants, Vec::new(), executor) {
                killed.extend(seen.killed());
            }
        }
    }
    let mut killers: BTreeMap<GoalId, usize> = BTreeMap::new();
    killed.iter().flatten().for_each(|goal| *killers.entry(*goal).or_default() += 1);
    let mut worst_first: Vec<usize> = (0..tests.len()).filter(|&test| merits[test] == Merit::Kills).collect();
    worst_first.sort_by_key(|&test| Reverse((badness(&tests[test]), test)));
    for test in worst_first {
        if killed[test].iter().all(|goal| killers[goal] > 1) {
            merits[test] = Merit::Dropped;
            killed[test].iter().for_each(|goal| *killers.entry(*goal).or_default() -= 1);
        }
    }
}
