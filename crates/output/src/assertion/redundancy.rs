//! The cheapest tests that show what all tests of a suite show.
//!
//! Structure gets its tests first, one after the other, then mutants that live get theirs. What comes later covers and kills much of
//! what came before: one call with telling values does the work of five with plain ones. So the suite is chosen once more when all
//! its tests are there, as a set cover whose sets have costs: greedily (Chvátal 1979), and then without what turned out not to be
//! needed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use coverage::goal::GoalId;
use testcase::execution::Executor;

use super::oracles::{Oracles, badness, is_accident};
use crate::asserted_test::AssertedTest;

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
const EACH: usize = 4;

/// What a test shows, and what it costs.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Offer {
    /// The goals that it covers, and those of the mutants that it kills.
    shows: BTreeSet<GoalId>,
    /// In statements, at least 1.
    cost: usize,
    /// Whether it ends in a way that nobody meant: it shows what no other test shows, and nothing else.
    is_accident: bool,
}

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
            shows.extend(&structure[number]);
            let cost = EACH + test.test.len() + test.assertions.len();
            Offer { shows, cost, is_accident: is_accident(test) }
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

/// The offers, by number, that show what all of them show and `shown` does not, at a low price: the cheaper one of two choices, of what
/// shows most for its cost one after the other, and of all offers; from either those are taken out, the worst first, that are not
/// needed beside the rest.
fn cheapest<K: Ord>(
    offers: &[Option<Offer>],
    shown: &BTreeSet<GoalId>,
    worst_first: &dyn Fn(&usize) -> K,
) -> BTreeSet<usize> {
    let all: BTreeSet<usize> = (0..offers.len()).filter(|&number| offers[number].is_some()).collect();
    let needed = |of: BTreeSet<usize>| {
        let mut order: Vec<usize> = of.iter().copied().collect();
        order.sort_by_key(worst_first);
        without_redundant(offers, shown, of, &order)
    };
    let (greedy, all) = (needed(greedy(offers, shown)), needed(all));
    // Fewer accidents first.
    let price = |chosen: &BTreeSet<usize>| {
        let chosen = || chosen.iter().filter_map(|&number| offers[number].as_ref());
        (chosen().filter(|offer| offer.is_accident).count(), chosen().map(|offer| offer.cost).sum::<usize>())
    };
    if price(&greedy) <= price(&all) { greedy } else { all }
}

/// The offers that show most for their cost, one after the other; accidents only for what no other offer shows.
fn greedy(offers: &[Option<Offer>], shown: &BTreeSet<GoalId>) -> BTreeSet<usize> {
    let mut shown = shown.clone();
    let mut chosen = BTreeSet::new();
    for accidents in [false, true] {
        loop {
            let candidates = offers.iter().enumerate().filter_map(|(number, offer)| {
                let offer = offer.as_ref().filter(|offer| offer.is_accident == accidents)?;
                let new = offer.shows.iter().filter(|goal| !shown.contains(goal)).count();
                (new > 0).then_some((number, new, offer))
            });
            // Ratios are compared by products; the first among equals.
            let best = candidates.max_by(|(one, new, offer), (other, new_too, offer_too)| {
                (new * offer_too.cost).cmp(&(new_too * offer.cost)).then(other.cmp(one))
            });
            let Some((best, _, offer)) = best else { break };
            shown.extend(&offer.shows);
            chosen.insert(best);
        }
    }
    chosen
}

/// Of chosen offers, without those, in this order, that show nothing which the rest does not show.
fn without_redundant(
    offers: &[Option<Offer>],
    shown: &BTreeSet<GoalId>,
    mut chosen: BTreeSet<usize>,
    order: &[usize],
) -> BTreeSet<usize> {
    let shows = |number: usize| {
        let shows = offers[number].iter().flat_map(|offer| &offer.shows);
        shows.filter(|goal| !shown.contains(goal)).copied()
    };
    let mut times: BTreeMap<GoalId, usize> = BTreeMap::new();
    chosen.iter().flat_map(|&number| shows(number)).for_each(|goal| *times.entry(goal).or_default() += 1);
    for &number in order {
        if shows(number).all(|goal| times[&goal] > 1) {
            shows(number).for_each(|goal| *times.entry(goal).or_default() -= 1);
            chosen.remove(&number);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheapest_offers_are_chosen_that_show_the_same() {
        let check = |offers: &[(&[u32], usize, bool)], shown: &[u32], expect: &[usize]| {
            let ids = |goals: &[u32]| goals.iter().copied().map(GoalId).collect::<BTreeSet<GoalId>>();
            let made: Vec<Option<Offer>> = offers
                .iter()
                .map(|&(shows, cost, is_accident)| {
                    (cost > 0).then(|| Offer { shows: ids(shows), cost, is_accident })
                })
                .collect();
            let chosen = cheapest(&made, &ids(shown), &|&number| {
                Reverse((made[number].as_ref().map(|offer| (offer.is_accident, offer.cost)), number))
            });
            assert_eq!(chosen.into_iter().collect::<Vec<_>>(), expect, "{offers:?}");
        };
        // One that shows much is cheaper than many that show little, and dearer than two.
        check(&[(&[1], 5, false), (&[2], 5, false), (&[3], 5, false), (&[1, 2, 3], 9, false)], &[], &[3]);
        check(&[(&[1], 5, false), (&[2], 5, false), (&[1, 2], 19, false)], &[], &[0, 1]);
        // Greed takes the first, which the others make superfluous.
        check(&[(&[2, 3, 4], 5, false), (&[1, 2, 3], 6, false), (&[4, 5], 6, false)], &[], &[1, 2]);
        // Accidents are for what nothing else shows, whatever that costs.
        check(&[(&[1, 2], 5, true), (&[1], 50, false), (&[2], 50, false)], &[], &[1, 2]);
        check(&[(&[1, 2], 5, true), (&[1], 5, false)], &[], &[0]);
        // What is shown in any case, by those that nothing is known of, needs no other.
        check(&[(&[], 0, false), (&[1], 5, false), (&[1, 2], 6, false)], &[2], &[1]);
        check(&[(&[], 0, false), (&[1], 5, false)], &[1], &[]);
        // The first among equals.
        check(&[(&[1], 5, false), (&[1], 5, false)], &[], &[0]);
    }
}
