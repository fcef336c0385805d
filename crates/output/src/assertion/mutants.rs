//! Assertions that tell mutants from the original.
//!
//! A run of strong mutation tells a mutant by anything that a test could see, and the few assertions that say what a test is
//! about need not look there. So each mutant that a test is kept for is run once more, beside the assertions of the test
//! and all others that it could make: where only others tell the mutant, the fewest of them are added, and what nothing
//! tells that a test asserts is covered no more.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::descriptor::ErasedType;
use coverage::goal::{GoalId, GoalSet};
use testcase::assertion::{
    AssertedTest, Assertion, ObservationPoint, ObservationTarget, ObservedValue, SIZED,
};
use testcase::cluster::{TestCluster, TypeId};
use testcase::execution::{Executor, Observations, Outcome};
use testcase::run_request::MutantTarget;
use testcase::telling::{tells, visible};
use testcase::test_case::TestCase;

use super::AssertionOptions;
use super::stable::{assertable, is_inherited_from_object};
use crate::replay::ends_as_expected;
use crate::report::{Cause, Dropped};

/// Sees to it that mutants are told by assertions.
#[derive(Debug, Clone, Copy)]
pub struct MutantTeller<'a> {
    /// Types and members.
    pub cluster: &'a TestCluster,
    /// The session's goals.
    pub goals: &'a GoalSet,
    /// What may be asserted.
    pub options: AssertionOptions,
}

/// By what a test tells a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Told {
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
}

/// What the runs of a test and its mutants showed.
#[derive(Debug, Clone)]
struct Seen {
    /// Ascending by position.
    looks: Vec<Look>,
    /// By goal.
    told: BTreeMap<GoalId, Told>,
}

impl Seen {
    /// Whether the test tells the mutant of a goal as it is.
    fn is_told(&self, goal: GoalId) -> bool {
        match self.told.get(&goal) {
            Some(Told::End) => true,
            Some(Told::By(looks)) => looks.iter().any(|&look| self.looks[look].is_asserted),
            None => false,
        }
    }

    /// With what a run showed of the other mutants in which more was looked at: that such a run ends otherwise may be for the
    /// looking, and tells nothing.
    fn widened(&self, mut wide: Self) -> Self {
        for told in wide.told.values_mut().filter(|told| **told == Told::End) {
            *told = Told::By(Vec::new());
        }
        let asserted: Vec<usize> =
            (0..wide.looks.len()).filter(|&look| wide.looks[look].is_asserted).collect();
        for (goal, told) in self.told.iter().filter(|(goal, _)| self.is_told(**goal)) {
            let told = match told {
                Told::End => Told::End,
                Told::By(looks) => {
                    Told::By(looks.iter().filter_map(|&look| asserted.get(look).copied()).collect())
                }
            };
            wide.told.insert(*goal, told);
        }
        wide
    }

    /// The fewest further looks, about, that tell the mutants of these goals.
    fn cover(&self, goals: &BTreeSet<GoalId>) -> BTreeSet<usize> {
        let mut open = goals.clone();
        let mut chosen = BTreeSet::new();
        loop {
            let mut tells: BTreeMap<usize, usize> = BTreeMap::new();
            for goal in &open {
                if let Some(Told::By(looks)) = self.told.get(goal) {
                    for &look in looks {
                        *tells.entry(look).or_default() += 1;
                    }
                }
            }
            // The first of those that tell most.
            let best = tells.into_iter().max_by_key(|&(look, told)| (told, std::cmp::Reverse(look)));
            let Some((best, _)) = best else { return chosen };
            chosen.insert(best);
            open.retain(
                |goal| !matches!(self.told.get(goal), Some(Told::By(looks)) if looks.contains(&best)),
            );
        }
    }
}

impl MutantTeller<'_> {
    /// Adds assertions and takes goals of mutants that none tells, and tests that no other goal is left of. What is lost by
    /// that, with the cause. Once `may_continue` says no, nothing is known of the tests that are left.
    pub fn tell(
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
        let mut told: BTreeSet<GoalId> = BTreeSet::new();
        for seen in seen.iter().flatten() {
            told.extend(seen.told.keys().copied().filter(|&goal| seen.is_told(goal)));
        }
        for (test, seen) in tests.iter_mut().zip(&mut seen) {
            let Some(seen) = seen else { continue };
            let open: BTreeSet<GoalId> =
                seen.told.keys().copied().filter(|goal| !told.contains(goal)).collect();
            let chosen = seen.cover(&open);
            if chosen.is_empty() || !may_continue() {
                continue;
            }
            if let Some((better, now)) = self.extended(test, seen, &chosen, executor) {
                (*test, *seen) = (better, now);
            }
            told.extend(seen.told.keys().copied().filter(|&goal| seen.is_told(goal)));
        }
        self.settle(tests, &seen)
    }

    /// The mutants among the goals of a test.
    fn mutants(&self, test: &AssertedTest) -> Vec<(GoalId, MutantTarget)> {
        let goals = test.goals.iter().map(|&goal| GoalId(goal));
        goals.filter_map(|id| Some((id, self.goals.goals().get(id.index())?.mutant()?))).collect()
    }

    /// What a test sees of mutants: by what it asserts, and of those that it does not tell by that, by all that it could
    /// assert; where not all of it can be asked, without inspectors.
    fn look(
        &self,
        test: &AssertedTest,
        mutants: &[(GoalId, MutantTarget)],
        executor: &mut dyn Executor,
    ) -> Option<Seen> {
        let as_it_is = self.look_at(test, mutants, Vec::new(), executor)?;
        let is_open = |(goal, _): &&(GoalId, MutantTarget)| !as_it_is.is_told(*goal);
        let open: Vec<(GoalId, MutantTarget)> = mutants.iter().filter(is_open).copied().collect();
        if open.is_empty() {
            return Some(as_it_is);
        }
        let throws = test.expected.is_some();
        let executed = test.test.len() - usize::from(throws);
        let widened = [!throws, false].into_iter().find_map(|asks| {
            let further = visible(self.cluster, &test.test, executed, asks);
            self.look_at(test, &open, further, executor)
        });
        Some(widened.map_or_else(|| as_it_is.clone(), |widened| as_it_is.widened(widened)))
    }

    /// As [`MutantTeller::look`], at what the test asserts and at these points.
    fn look_at(
        &self,
        test: &AssertedTest,
        mutants: &[(GoalId, MutantTarget)],
        mut further: Vec<ObservationPoint>,
        executor: &mut dyn Executor,
    ) -> Option<Seen> {
        let mut points: Vec<(ObservationPoint, Option<ObservedValue>)> =
            test.assertions.iter().map(|it| (point_of(it), Some(it.expected.clone()))).collect();
        further.retain(|point| {
            !points.iter().any(|(other, _)| other == point)
                && !is_inherited_from_object(self.cluster, &test.test, point.target)
        });
        points.extend(further.into_iter().map(|point| (point, None)));
        points.sort_by_key(|(point, _)| point.after);
        let asked: Vec<ObservationPoint> = points.iter().map(|(point, _)| *point).collect();
        let original = executor.observe(&test.test, &asked);
        if !ends_as_expected(test, &original.outcome) {
            return None;
        }
        let shown = |value: Option<&ObservedValue>| assertable(value?, &test.test, &self.options);
        let looks: Vec<Option<Look>> = points
            .into_iter()
            .zip(&original.values)
            .map(|((point, asserted), value)| {
                let is_asserted = asserted.is_some();
                let expected = asserted.or_else(|| shown(value.as_ref()))?;
                Some(Look { point, expected, is_asserted })
            })
            .collect();
        let targets: Vec<MutantTarget> = mutants.iter().map(|(_, target)| *target).collect();
        let runs = executor.observe_mutants(&test.test, &targets, &asked);
        let told = |run: &Observations| self.told(&test.test, &original.outcome, &looks, run);
        let told = mutants.iter().zip(&runs).map(|(&(goal, _), run)| (goal, told(run))).collect();
        Some(Seen { looks: looks.into_iter().flatten().collect(), told })
    }

    /// By what a run is told from one that ended like this; numbers leave out what cannot be asserted.
    fn told(&self, test: &TestCase, ended: &Outcome, looks: &[Option<Look>], run: &Observations) -> Told {
        match &run.outcome {
            Outcome::TimedOut => return Told::By(Vec::new()),
            outcome if outcome != ended => return Told::End,
            Outcome::Passed | Outcome::Threw(_) | Outcome::Exited => {}
        }
        let known = looks.iter().zip(&run.values).filter_map(|(look, value)| Some((look.as_ref()?, value)));
        let tells = known.enumerate().filter(|(_, (look, value))| {
            tells(&look.expected, value.as_ref(), self.shows_size(test, look.point.target))
        });
        Told::By(tells.map(|(index, _)| index).collect())
    }

    /// Whether the assertion of what is read there can ask for a size.
    fn shows_size(&self, test: &TestCase, target: ObservationTarget) -> bool {
        let of = match target {
            ObservationTarget::Value(variable) => test.variable_type(self.cluster, variable),
            ObservationTarget::Inspector(_, inspector) => self.cluster.callable(inspector).result,
            ObservationTarget::Field(_, field) => Some(self.cluster.field(field).of),
            ObservationTarget::Same(..) => None,
        };
        let Some(of) = of else { return false };
        let is_sized = |sized: TypeId| match &self.cluster.ty(sized).erased {
            ErasedType::Class(class) => SIZED.contains(&class.as_str()),
            ErasedType::Primitive(_) | ErasedType::Array(_) => false,
        };
        let types = (0..self.cluster.types.len()).map(|index| TypeId(index as u32));
        self.cluster.ty(of).element.is_some()
            || types.filter(|&sized| is_sized(sized)).any(|sized| self.cluster.is_assignable(of, sized))
    }

    /// The test with the chosen looks as assertions, as far as they hold when exactly that is asked, and what it sees then.
    fn extended(
        &self,
        test: &AssertedTest,
        seen: &Seen,
        chosen: &BTreeSet<usize>,
        executor: &mut dyn Executor,
    ) -> Option<(AssertedTest, Seen)> {
        let is_kept = |(index, look): &(usize, &Look)| look.is_asserted || chosen.contains(index);
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
            let value = value.and_then(|value| assertable(value, &test.test, &self.options));
            value.as_ref() == Some(&assertion.expected)
        });
        if assertions.len() < asked.len() {
            // Asking for one changes what another tells.
            return None;
        }
        let better = AssertedTest { assertions, ..test.clone() };
        let seen = self.look_at(&better, &self.mutants(test), Vec::new(), executor)?;
        Some((better, seen))
    }

    /// Leaves each test the mutants that it tells.
    fn settle(&self, tests: &mut Vec<AssertedTest>, seen: &[Option<Seen>]) -> Vec<Dropped> {
        let (mut unknown, mut untold) = (BTreeSet::new(), BTreeSet::new());
        for (test, seen) in tests.iter_mut().zip(seen) {
            for (goal, _) in self.mutants(test) {
                match seen {
                    None => unknown.insert(goal),
                    Some(seen) if !seen.is_told(goal) => untold.insert(goal),
                    Some(_) => continue,
                };
                test.goals.retain(|&id| id != goal.0);
            }
            test.told = seen.as_ref().map_or_else(Vec::new, |seen| told_by(&test.goals, seen));
        }
        let is_empty: Vec<bool> = tests.iter().map(|test| test.goals.is_empty()).collect();
        let mut has_lost = is_empty.iter().zip(seen).map(|(&is_empty, seen)| is_empty && seen.is_some());
        tests.retain(|_| !has_lost.next().unwrap_or(false));
        let kept: BTreeSet<GoalId> =
            tests.iter().flat_map(|test| &test.goals).map(|&goal| GoalId(goal)).collect();
        let lost = |goals: &BTreeSet<GoalId>| goals.difference(&kept).copied().collect::<Vec<_>>();
        let dropped = [(Cause::OutOfTime, lost(&unknown)), (Cause::Untold, lost(&untold))];
        dropped.into_iter().filter(|(_, goals)| !goals.is_empty()).collect()
    }
}

/// For each of these goals that assertions tell: which.
fn told_by(goals: &[u32], seen: &Seen) -> Vec<(u32, Vec<usize>)> {
    // Assertions are numbered among themselves.
    let number = |look: &usize| {
        let before = &seen.looks[..*look];
        let number = before.iter().filter(|look| look.is_asserted).count();
        seen.looks[*look].is_asserted.then_some(number)
    };
    let told = goals.iter().filter_map(|&goal| match seen.told.get(&GoalId(goal))? {
        Told::End => None,
        Told::By(looks) => Some((goal, looks.iter().filter_map(number).collect())),
    });
    told.collect()
}

fn point_of(assertion: &Assertion) -> ObservationPoint {
    ObservationPoint { after: assertion.after, target: assertion.target }
}
