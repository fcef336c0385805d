//! Assertions that kill mutants.
//!
//! A run of strong mutation kills a mutant by anything that a test could see, and the few assertions that say what a test is
//! about need not look there. So each mutant that a test is kept for is run once more, beside the assertions of the test
//! and all others that it could make: where only others kill the mutant, the fewest of them are added, and what nothing
//! kills that a test asserts is covered no more.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::probe_map::OutcomeId;
use coverage::goal::{GoalId, GoalSet};
use testcase::assertable::{assertable_at, is_inherited_from_object, still_shows};
use testcase::assertion::{Assertion, ObservationPoint, ObservationTarget, ObservedValue};
use testcase::cluster::TestCluster;
use testcase::execution::{Executor, Observations, Outcome};
use testcase::kill_oracle::{Reach, kills, visible};
use testcase::statement::VarRef;
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::AssertionOptions;
use super::doubles::tell_the_same;
use super::points::identities;
use super::standing::infection;
use crate::asserted_test::AssertedTest;
use crate::replay::ends_as_expected;
use crate::report::{Cause, Dropped};

/// Sees to it that mutants are killed by assertions.
#[derive(Debug, Clone, Copy)]
pub struct MutantKiller<'a> {
    /// Types and members.
    pub cluster: &'a TestCluster,
    /// The session's goals.
    pub goals: &'a GoalSet,
    /// What may be asserted.
    pub options: AssertionOptions,
}

/// A mutant: its goal, and the outcome of its infection, by which it is selected.
pub(super) type Mutant = (GoalId, OutcomeId);

/// Where to look, and what is asserted there already.
type Asked = (ObservationPoint, Option<ObservedValue>);

/// By what a test kills a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kill {
    /// It ends otherwise.
    End,
    /// Any of these looks, ascending; there may be none.
    By(Vec<usize>),
}

/// What a test looks at, those that it asserts first among equals.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Look {
    point: ObservationPoint,
    /// What the original shows, as it may be asserted.
    expected: ObservedValue,
    is_asserted: bool,
    /// The first look, by number, that tells the same of the same object behind the same statement: itself, where none before does.
    first: usize,
}

/// What the runs of a test and its mutants showed.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    /// Ascending by position.
    looks: Vec<Look>,
    /// By goal.
    kills: BTreeMap<GoalId, Kill>,
}

impl Seen {
    /// Whether the test kills the mutant of a goal as it is.
    pub(super) fn kills(&self, goal: GoalId) -> bool {
        match self.kills.get(&goal) {
            Some(Kill::End) => true,
            Some(Kill::By(looks)) => looks.iter().any(|&look| self.looks[look].is_asserted),
            None => false,
        }
    }

    /// The mutants that the test kills as it is.
    pub(super) fn killed(&self) -> impl Iterator<Item = GoalId> {
        self.kills.keys().copied().filter(|&goal| self.kills(goal))
    }

    /// The mutants that the test kills by what was looked at, asserted or not.
    pub(super) fn killable(&self) -> impl Iterator<Item = GoalId> {
        let is_killed = |(goal, kill): (&GoalId, &Kill)| match kill {
            Kill::End => Some(*goal),
            Kill::By(looks) => (!looks.is_empty()).then_some(*goal),
        };
        self.kills.iter().filter_map(is_killed)
    }

    /// With what a run showed of the other mutants in which more was looked at: that such a run ends otherwise may be for the
    /// looking, and kills nothing.
    fn widened(&self, mut wide: Self) -> Self {
        for kill in wide.kills.values_mut().filter(|kill| **kill == Kill::End) {
            *kill = Kill::By(Vec::new());
        }
        let asserted: Vec<usize> =
            (0..wide.looks.len()).filter(|&look| wide.looks[look].is_asserted).collect();
        for (goal, kill) in self.kills.iter().filter(|(goal, _)| self.kills(**goal)) {
            let kill = match kill {
                Kill::End => Kill::End,
                Kill::By(looks) => {
                    Kill::By(looks.iter().filter_map(|&look| asserted.get(look).copied()).collect())
                }
            };
            wide.kills.insert(*goal, kill);
        }
        wide
    }

    /// Whether an asserted or chosen look tells what another one does.
    fn is_said(&self, look: usize, chosen: &BTreeSet<usize>) -> bool {
        let says = |(index, other): (usize, &Look)| {
            index != look
                && other.first == self.looks[look].first
                && (other.is_asserted || chosen.contains(&index))
        };
        self.looks.iter().enumerate().any(says)
    }

    /// The asserted looks that tell what chosen ones do.
    fn doubles(&self, chosen: &BTreeSet<usize>) -> BTreeSet<usize> {
        let is_double = |look: &usize| {
            self.looks[*look].is_asserted
                && chosen.iter().any(|other| self.looks[*other].first == self.looks[*look].first)
        };
        (0..self.looks.len()).filter(is_double).filter(|look| !chosen.contains(look)).collect()
    }

    /// The first of some looks that kills the mutant of a goal.
    fn first_of(&self, some: &BTreeSet<usize>, goal: GoalId) -> Option<usize> {
        let Kill::By(looks) = self.kills.get(&goal)? else { return None };
        looks.iter().copied().find(|look| some.contains(look))
    }

    /// The fewest further looks, about, that kill the mutants of these goals.
    pub(super) fn cover(&self, goals: &BTreeSet<GoalId>) -> BTreeSet<usize> {
        let mut open = goals.clone();
        let mut chosen = BTreeSet::new();
        loop {
            let mut kills: BTreeMap<usize, usize> = BTreeMap::new();
            for goal in &open {
                if let Some(Kill::By(looks)) = self.kills.get(goal) {
                    for &look in looks {
                        *kills.entry(look).or_default() += 1;
                    }
                }
            }
            // The first of those that kill most, if possible one that says something new.
            let best = kills.into_iter().max_by_key(|&(look, killed)| {
                (killed, !self.is_said(look, &chosen), std::cmp::Reverse(look))
            });
            let Some((best, _)) = best else { return chosen };
            chosen.insert(best);
            open.retain(
                |goal| !matches!(self.kills.get(goal), Some(Kill::By(looks)) if looks.contains(&best)),
            );
        }
    }
}

impl MutantKiller<'_> {
    /// Adds assertions and takes goals of mutants that none kills, and tests that no other goal is left of. What is lost by
    /// that, with the cause. Once `may_continue` says no, nothing is known of the tests that are left.
    pub fn kill(
        &self,
        tests: &mut Vec<AssertedTest>,
        executor: &mut dyn Executor,
        may_continue: &mut dyn FnMut() -> bool,
    ) -> Vec<Dropped> {
        let mut seen: Vec<Option<Seen>> = Vec::with_capacity(tests.len());
        for test in &*tests {
            let mutants = self.mutants(test);
            let looks = !mutants.is_empty() && may_continue();
            seen.push(if looks { self.look(test, &mutants, executor) } else { None });
        }
        let mut killed: BTreeSet<GoalId> = BTreeSet::new();
        for seen in seen.iter().flatten() {
            killed.extend(seen.killed());
        }
        for (test, seen) in tests.iter_mut().zip(&mut seen) {
            let Some(seen) = seen else { continue };
            let open: BTreeSet<GoalId> =
                seen.kills.keys().copied().filter(|goal| !killed.contains(goal)).collect();
            let chosen = seen.cover(&open);
            if chosen.is_empty() || !may_continue() {
                continue;
            }
            if let Some((better, now)) = self.extended(test, seen, &chosen, &self.mutants(test), executor) {
                (*test, *seen) = (better, now);
            }
            killed.extend(seen.killed());
        }
        self.settle(tests, &seen)
    }

    /// The mutants among the goals of a test.
    fn mutants(&self, test: &AssertedTest) -> Vec<Mutant> {
        let goals = test.goals.iter().copied();
        goals.filter_map(|id| Some((id, self.goals.goals().get(id.index())?.mutant()?.infection))).collect()
    }

    /// What a test sees of mutants: by what it asserts, and of those that it does not kill by that, by all that it could
    /// assert; where not all of it can be asked, without inspectors.
    fn look(&self, test: &AssertedTest, mutants: &[Mutant], executor: &mut dyn Executor) -> Option<Seen> {
        let as_it_is = self.look_at(test, mutants, Vec::new(), executor)?;
        let is_open = |(goal, _): &&Mutant| !as_it_is.kills(*goal);
        let open: Vec<Mutant> = mutants.iter().filter(is_open).copied().collect();
        if open.is_empty() {
            return Some(as_it_is);
        }
        Some(self.look_everywhere(test, &open, &as_it_is, executor).unwrap_or(as_it_is))
    }

    /// What a test sees of mutants by all that it could assert, with what it sees as it is of these and of others; where not all
    /// of it can be asked, without inspectors.
    pub(super) fn look_everywhere(
        &self,
        test: &AssertedTest,
        open: &[Mutant],
        as_it_is: &Seen,
        executor: &mut dyn Executor,
    ) -> Option<Seen> {
        let throws = test.expected.is_some();
        let completed = test.test.len() - usize::from(throws);
        [true, false].into_iter().find_map(|asks| {
            let reach = Reach { completed, throws, asks, further: self.options.further_looks };
            let mut further = visible(self.cluster, &test.test, reach);
            if self.options.further_looks {
                // Of looks that kill as much the first is chosen: that it is the same object says more than that it is one.
                further.splice(..0, identities(self.cluster, &test.test, completed));
            }
            self.look_at(test, open, further, executor).map(|wide| as_it_is.widened(wide))
        })
    }

    /// As [`MutantKiller::look`], at what the test asserts and at these points.
    pub(super) fn look_at(
        &self,
        test: &AssertedTest,
        mutants: &[Mutant],
        mut further: Vec<ObservationPoint>,
        executor: &mut dyn Executor,
    ) -> Option<Seen> {
        let mut points: Vec<Asked> =
            test.assertions.iter().map(|it| (point_of(it), Some(it.expected.clone()))).collect();
        further.retain(|point| {
            !points.iter().any(|(other, _)| other == point)
                && !is_inherited_from_object(self.cluster, &test.test, point.target)
        });
        points.extend(further.into_iter().map(|point| (point, None)));
        // What looking uses up is looked at last.
        points.sort_by_key(|(point, _)| (point.after, point.target.uses_up()));
        let original = self.look_at_original(test, &mut points, executor)?;
        let asked: Vec<ObservationPoint> = points.iter().map(|(point, _)| *point).collect();
        let looks: Vec<Option<Look>> = points
            .into_iter()
            .zip(&original.values)
            .map(|((point, asserted), value)| {
                let is_asserted = asserted.is_some();
                let expected = asserted.or_else(|| self.shown(test, point.target, value.as_ref()))?;
                // That a call gives another object says nothing.
                if !is_asserted && is_other(point.target, &expected) {
                    return None;
                }
                Some(Look { point, expected, is_asserted, first: 0 })
            })
            .collect();
        let infections: Vec<OutcomeId> = mutants.iter().map(|(_, infection)| *infection).collect();
        let runs = executor.observe_mutants(&test.test, &infections, &asked);
        let kill = |run: &Observations| self.kill_by(&test.test, &original.outcome, &looks, run);
        let kills = mutants.iter().zip(&runs).map(|(&(goal, _), run)| (goal, kill(run))).collect();
        let looks = self.linked(&test.test, looks.into_iter().flatten().collect());
        Some(Seen { looks, kills })
    }

    /// What the test shows at these points without a mutant, if it ends as it should. Inspectors of which nothing can be asserted go: what is
    /// asked for nothing costs as much in each run of a mutant, and it may change what is asked behind it.
    fn look_at_original(
        &self,
        test: &AssertedTest,
        points: &mut Vec<Asked>,
        executor: &mut dyn Executor,
    ) -> Option<Observations> {
        let mut observe = |points: &[Asked]| {
            let points: Vec<ObservationPoint> = points.iter().map(|(point, _)| *point).collect();
            let original = executor.observe_lasting(&test.test, &points);
            ends_as_expected(test, &original.outcome).then_some(original)
        };
        let original = observe(points)?;
        let before = points.len();
        let mut values = original.values.iter();
        points.retain(|(point, asserted)| {
            let value = values.next().and_then(Option::as_ref);
            asserted.is_some() || !point.target.asks() || self.shown(test, point.target, value).is_some()
        });
        if points.len() == before { Some(original) } else { observe(points) }
    }

    /// What of a value may be asserted.
    fn shown(
        &self,
        test: &AssertedTest,
        target: ObservationTarget,
        value: Option<&ObservedValue>,
    ) -> Option<ObservedValue> {
        assertable_at(target, value?, &test.test, self.options.lengths)
    }

    /// The looks, each with the first of those that tell the same.
    fn linked(&self, test: &TestCase, mut looks: Vec<Look>) -> Vec<Look> {
        for look in 0..looks.len() {
            let Look { point, expected, .. } = &looks[look];
            let tells_the_same = |other: &Look| {
                other.point.after == point.after
                    && tell_the_same(
                        self.cluster,
                        test,
                        (other.point.target, &other.expected),
                        (point.target, expected),
                    )
            };
            let first = looks[..look].iter().find(|other| tells_the_same(other)).map(|other| other.first);
            looks[look].first = first.unwrap_or(look);
        }
        looks
    }

    /// By what a run is distinguished from one that ended like this; numbers leave out what cannot be asserted.
    fn kill_by(&self, test: &TestCase, ended: &Outcome, looks: &[Option<Look>], run: &Observations) -> Kill {
        match &run.outcome {
            Outcome::TimedOut => return Kill::By(Vec::new()),
            outcome if outcome != ended => return Kill::End,
            Outcome::Passed | Outcome::Threw(_) | Outcome::Exited => {}
        }
        let known = looks.iter().zip(&run.values).filter_map(|(look, value)| Some((look.as_ref()?, value)));
        let kills = known.enumerate().filter(|(_, (look, value))| {
            kills(&look.expected, value.as_ref(), self.cluster.shows_size(test, look.point.target))
        });
        Kill::By(kills.map(|(index, _)| index).collect())
    }

    /// The test with the chosen looks as assertions, as far as they hold when exactly that is asked, and what it sees then of
    /// these mutants. Assertions go that tell what a chosen look does, or that only say that something is as it was before, if all
    /// mutants that the test kills are killed without them.
    pub(super) fn extended(
        &self,
        test: &AssertedTest,
        seen: &Seen,
        chosen: &BTreeSet<usize>,
        mutants: &[Mutant],
        executor: &mut dyn Executor,
    ) -> Option<(AssertedTest, Seen)> {
        let is_killed = |goal: &GoalId| match seen.kills.get(goal) {
            Some(Kill::End) => true,
            Some(Kill::By(looks)) => {
                looks.iter().any(|look| seen.looks[*look].is_asserted || chosen.contains(look))
            }
            None => false,
        };
        let all: Vec<Mutant> = seen.kills.keys().filter_map(|&goal| self.mutant(goal)).collect();
        let mut without = self.unchanged(test, seen, executor);
        without.extend(seen.doubles(chosen));
        without.retain(|look| !chosen.contains(look));
        while !without.is_empty() {
            let shorter = self.asserting(test, seen, (chosen, &without), &all, executor);
            let Some((shorter, now)) = shorter else { break };
            let mut lost: Vec<GoalId> = all.iter().map(|(goal, _)| *goal).collect();
            lost.retain(|goal| is_killed(goal) && !now.kills(*goal));
            if lost.is_empty() {
                return Some((shorter, now));
            }
            let needed = lost.iter().filter_map(|goal| seen.first_of(&without, *goal));
            let needed: BTreeSet<usize> = needed.collect();
            if needed.is_empty() {
                break;
            }
            without = without.difference(&needed).copied().collect();
        }
        self.asserting(test, seen, (chosen, &BTreeSet::new()), mutants, executor)
    }

    /// The asserted looks at what was there before the last statement and showed the same then: they are there because nothing better
    /// was known.
    fn unchanged(&self, test: &AssertedTest, seen: &Seen, executor: &mut dyn Executor) -> BTreeSet<usize> {
        let Some(before) = test.test.len().checked_sub(2).map(VarRef::from) else { return BTreeSet::new() };
        let was_there = |look: &Look| {
            look.is_asserted
                && look.point.after > before
                && !look.point.target.uses_up()
                && look.point.target.object().is_some_and(|object| object <= before)
        };
        let looks = seen.looks.iter().enumerate().filter(|(_, look)| was_there(look));
        let (numbers, asked): (Vec<usize>, Vec<ObservationPoint>) =
            looks.map(|(number, look)| (number, ObservationPoint { after: before, ..look.point })).unzip();
        if asked.is_empty() {
            return BTreeSet::new();
        }
        let shown = executor.observe(&test.test, &asked).values;
        let is_same = |(number, value): &(usize, Option<ObservedValue>)| {
            let Look { point, expected, .. } = &seen.looks[*number];
            still_shows(point.target, expected, value.as_ref(), &test.test, self.options.lengths)
        };
        numbers.into_iter().zip(shown).filter(is_same).map(|(number, _)| number).collect()
    }

    /// The mutant of a goal, to be killed or infected.
    fn mutant(&self, id: GoalId) -> Option<Mutant> {
        Some((id, infection(self.goals.goals().get(id.index())?)?))
    }

    /// The test with its assertions and the chosen looks, but without some of its assertions.
    fn asserting(
        &self,
        test: &AssertedTest,
        seen: &Seen,
        (chosen, without): (&BTreeSet<usize>, &BTreeSet<usize>),
        mutants: &[Mutant],
        executor: &mut dyn Executor,
    ) -> Option<(AssertedTest, Seen)> {
        let is_kept = |(index, look): &(usize, &Look)| {
            look.is_asserted && !without.contains(index) || chosen.contains(index)
        };
        let kept = seen.looks.iter().enumerate().filter(is_kept).map(|(_, look)| look);
        let mut assertions: Vec<Assertion> = kept
            .map(|look| Assertion {
                after: look.point.after,
                target: look.point.target,
                expected: look.expected.clone(),
            })
            .collect();
        let asked: Vec<ObservationPoint> = assertions.iter().map(point_of).collect();
        let shown = executor.observe(&test.test, &asked);
        if !ends_as_expected(test, &shown.outcome) {
            return None;
        }
        let mut values = shown.values.iter();
        assertions.retain(|assertion| {
            let value = values.next().and_then(Option::as_ref);
            still_shows(assertion.target, &assertion.expected, value, &test.test, self.options.lengths)
        });
        if assertions.len() < asked.len() {
            // Asking for one changes what another shows.
            return None;
        }
        let better = AssertedTest { assertions, ..test.clone() };
        let seen = self.look_at(&better, mutants, Vec::new(), executor)?;
        Some((better, seen))
    }

    /// Leaves each test the mutants that it kills.
    fn settle(&self, tests: &mut Vec<AssertedTest>, seen: &[Option<Seen>]) -> Vec<Dropped> {
        let (mut unknown, mut survivors) = (BTreeSet::new(), BTreeSet::new());
        for (test, seen) in tests.iter_mut().zip(seen) {
            for (goal, _) in self.mutants(test) {
                match seen {
                    None => unknown.insert(goal),
                    Some(seen) if !seen.kills(goal) => survivors.insert(goal),
                    Some(_) => continue,
                };
                test.goals.retain(|&id| id != goal);
            }
            test.kills = seen.as_ref().map_or_else(Vec::new, |seen| kills_of(&test.goals, seen));
        }
        let is_empty: Vec<bool> = tests.iter().map(|test| test.goals.is_empty()).collect();
        let mut has_lost = is_empty.iter().zip(seen).map(|(&is_empty, seen)| is_empty && seen.is_some());
        tests.retain(|_| !has_lost.next().unwrap_or(false));
        let kept: BTreeSet<GoalId> = tests.iter().flat_map(|test| &test.goals).copied().collect();
        let lost = |goals: &BTreeSet<GoalId>| goals.difference(&kept).copied().collect::<Vec<_>>();
        let dropped = [(Cause::OutOfTime, lost(&unknown)), (Cause::Survived, lost(&survivors))];
        dropped.into_iter().filter(|(_, goals)| !goals.is_empty()).collect()
    }
}

/// Whether a look tells that two objects are not the same.
fn is_other(target: ObservationTarget, shown: &ObservedValue) -> bool {
    matches!(target, ObservationTarget::Same(..)) && *shown == ObservedValue::Primitive(Value::Boolean(false))
}

/// For each of these goals whose mutant assertions kill: which.
pub(super) fn kills_of(goals: &[GoalId], seen: &Seen) -> Vec<(GoalId, Vec<usize>)> {
    // Assertions are numbered among themselves.
    let number = |look: &usize| {
        let before = &seen.looks[..*look];
        let number = before.iter().filter(|look| look.is_asserted).count();
        seen.looks[*look].is_asserted.then_some(number)
    };
    let kills = goals.iter().filter_map(|&goal| match seen.kills.get(&goal)? {
        Kill::End => None,
        Kill::By(looks) => Some((goal, looks.iter().filter_map(number).collect())),
    });
    kills.collect()
}

fn point_of(assertion: &Assertion) -> ObservationPoint {
    ObservationPoint { after: assertion.after, target: assertion.target }
}
