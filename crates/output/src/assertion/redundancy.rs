//! The cheapest tests that show what all tests of a suite show.
//!
//! Structure gets its tests first, one after the other, then mutants that live get theirs. What comes later covers and kills much of
//! what came before: one call with telling values does the work of five with plain ones. So the suite is chosen once more when all
//! its tests are there, as a set cover whose sets have costs: greedily (Chvátal 1979), and then without what turned out not to be
//! needed. Mutants that change what is read alone (another constant, another variable) are a reason for a test where it kills several that
//! nothing else kills, and tell which of two tests is the better one.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use coverage::goal::GoalId;
use testcase::execution::Executor;

use super::oracles::{Oracles, badness};
use crate::asserted_test::AssertedTest;
use crate::cover::{Offer, cheapest};
use crate::ending::Ending;

/// What is known of the tests of a suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Merit {
    /// Not enough: it is kept.
    Unknown,
    /// It is kept if it shows something that no other test shows.
    Known,
    /// It is not kept.
    Dropped,
}

/// Mutants that run before it is asked again whether there is time.
const AT_ONCE: usize = 16;

/// What a test costs whoever reads it, beside its statements and assertions, in statements.
pub(super) const EACH: usize = 4;

/// Drops tests where others that stay show the same of the structure that is wanted, by test, and kill the same mutants. What none of
/// them kills (`live`) does not run: mutants that hang are among it. Tests that nothing is known of by the time `may_continue` says no
/// stay. The others get what they kill, all of it.
pub(super) fn drop_redundant(
    oracles: &Oracles<'_>,
    tests: &mut [AssertedTest],
    (merits, live): (&mut [Merit], &BTreeSet<GoalId>),
    structure: &[Vec<GoalId>],
    executor: &mut dyn Executor,
    may_continue: &mut dyn FnMut() -> bool,
) {
    let mut offers: Vec<Option<Offer>> = Vec::with_capacity(tests.len());
    for (number, test) in tests.iter_mut().enumerate() {
        let killed = match merits[number] {
            Merit::Unknown | Merit::Dropped => None,
            Merit::Known => killed(oracles, test, live, executor, may_continue),
        };
        offers.push(killed.map(|mut shows| {
            test.killed = shows.iter().copied().collect();
            let minor = shows.extract_if(.., |goal| oracles.is_minor(*goal)).collect();
            shows.extend(&structure[number]);
            let cost = EACH + test.test.len() + test.assertions.len();
            let is_accident = Ending::of(test.expected.as_ref()).is_accident();
            Offer { shows, minor, cost, is_accident }
        }));
    }
    // The structure of tests that stay in any case needs no other.
    let stays = |number: &usize| offers[*number].is_none() && merits[*number] != Merit::Dropped;
    let shown: BTreeSet<GoalId> =
        (0..tests.len()).filter(stays).flat_map(|number| &structure[number]).copied().collect();
    let worst_first = |number: &usize| Reverse((badness(&tests[*number]), *number));
    let chosen = cheapest(&offers, &shown, &worst_first);
    for (number, offer) in offers.iter().enumerate() {
        if offer.is_some() && !chosen.contains(&number) {
            merits[number] = Merit::Dropped;
        }
    }
}

/// The mutants that a test kills as it is; `None` where it was not possible to find out.
fn killed(
    oracles: &Oracles<'_>,
    test: &AssertedTest,
    live: &BTreeSet<GoalId>,
    executor: &mut dyn Executor,
    may_continue: &mut dyn FnMut() -> bool,
) -> Option<BTreeSet<GoalId>> {
    let mut mutants = oracles.mutants(test);
    mutants.retain(|(goal, _)| !live.contains(goal));
    let mut killed = BTreeSet::new();
    for mutants in mutants.chunks(AT_ONCE) {
        if !may_continue() {
            return None;
        }
        killed.extend(oracles.killer.look_at(test, mutants, Vec::new(), executor)?.killed());
    }
    Some(killed)
}
