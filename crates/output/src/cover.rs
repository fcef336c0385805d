//! Set covers: of tests that show goals those that are enough to show all of them.

use std::collections::{BTreeMap, BTreeSet};

use coverage::goal::GoalId;

/// What a test shows, and what it costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Offer {
    /// The goals that it shows.
    pub shows: BTreeSet<GoalId>,
    /// Others that it shows, and that are no reason to take it unless it shows several which nothing else shows.
    pub minor: BTreeSet<GoalId>,
    /// What it costs whoever reads it, at least 1.
    pub cost: usize,
    /// Whether it ends in a way that nobody meant: it is for what no other test shows, and for nothing else.
    pub is_accident: bool,
}

/// So many minor goals that nothing else shows are a reason to take a test.
const SEVERAL: usize = 3;

/// The tests, by number, without those that show nothing which the rest does not show: the first in this order go first.
pub(crate) fn without_redundant<S: Iterator<Item = GoalId>>(
    order: &[usize],
    shows: impl Fn(usize) -> S,
) -> BTreeSet<usize> {
    without_needless(order, shows, |_| std::iter::empty())
}

/// The same, where one more goal of each kind counts: several of the second are as much as one of the first.
fn without_needless<S: Iterator<Item = GoalId>, M: Iterator<Item = GoalId>>(
    order: &[usize],
    shows: impl Fn(usize) -> S,
    minor: impl Fn(usize) -> M,
) -> BTreeSet<usize> {
    let mut times: BTreeMap<GoalId, usize> = BTreeMap::new();
    let all = |number| shows(number).chain(minor(number));
    order.iter().flat_map(|&number| all(number)).for_each(|goal| *times.entry(goal).or_default() += 1);
    let mut left: BTreeSet<usize> = order.iter().copied().collect();
    for &number in order {
        let is_alone = |goal: &GoalId| times[goal] == 1;
        if !shows(number).any(|goal| is_alone(&goal)) && minor(number).filter(is_alone).count() < SEVERAL {
            all(number).for_each(|goal| *times.entry(goal).or_default() -= 1);
            left.remove(&number);
        }
    }
    left
}

/// The offers, by number, that show what all of them show and `shown` does not, at a low price: the cheaper one of two choices, of what
/// shows most for its cost one after the other, and of all offers; from either those are taken out, the worst first, that are not
/// needed beside the rest.
pub(crate) fn cheapest<K: Ord>(
    offers: &[Option<Offer>],
    shown: &BTreeSet<GoalId>,
    worst_first: &dyn Fn(&usize) -> K,
) -> BTreeSet<usize> {
    let all: BTreeSet<usize> = (0..offers.len()).filter(|&number| offers[number].is_some()).collect();
    let needed = |of: BTreeSet<usize>| {
        let mut order: Vec<usize> = of.into_iter().collect();
        order.sort_by_key(worst_first);
        let shows =
            |number: usize| offers[number].iter().flat_map(|offer| offer.shows.difference(shown)).copied();
        let minor = |number: usize| offers[number].iter().flat_map(|offer| &offer.minor).copied();
        without_needless(&order, shows, minor)
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
                let new = |goals: &BTreeSet<GoalId>| goals.difference(&shown).count();
                let (new, minor) = (new(&offer.shows), new(&offer.minor));
                (new > 0 || minor >= SEVERAL).then_some((number, new + minor, offer))
            });
            // Ratios are compared by products; the first among equals.
            let best = candidates.max_by(|(one, new, offer), (other, new_too, offer_too)| {
                (new * offer_too.cost).cmp(&(new_too * offer.cost)).then(other.cmp(one))
            });
            let Some((best, _, offer)) = best else { break };
            shown.extend(offer.shows.union(&offer.minor));
            chosen.insert(best);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;

    #[test]
    fn the_cheapest_offers_are_chosen_that_show_the_same() {
        let check = |offers: &[(&[u32], usize, bool)], shown: &[u32], expect: &[usize]| {
            let ids = |goals: &[u32]| goals.iter().copied().map(GoalId).collect::<BTreeSet<GoalId>>();
            let made: Vec<Option<Offer>> = offers
                .iter()
                .map(|&(shows, cost, is_accident)| {
                    // Those from 100 on are minor.
                    let (minor, shows) = ids(shows).into_iter().partition(|goal| goal.0 >= 100);
                    (cost > 0).then_some(Offer { shows, minor, cost, is_accident })
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
        // A few minor goals are no reason, several that nothing else shows are one, and all tell which of two is better.
        check(&[(&[1], 5, false), (&[100, 101], 5, false)], &[], &[0]);
        check(&[(&[1], 5, false), (&[100, 101, 102], 5, false)], &[], &[0, 1]);
        check(&[(&[1, 100], 5, false), (&[100, 101, 102], 5, false)], &[], &[0]);
        check(&[(&[1], 5, false), (&[1, 100], 5, false)], &[], &[1]);
    }
}
