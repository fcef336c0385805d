//! The tests that a suite keeps, and the assertions that make them kill mutants.
//!
//! Goals of inputs, outputs and accidents guide the search; a reader wants one test for each thing that can go wrong. So a
//! compact suite keeps a test if it alone covers structure or shows an exception that the code means, or if it kills a mutant
//! that no test before it kills, with the assertions that it has or with one more. Only mutants that a test infects run, and none
//! that is killed. Tests for mutants that live come behind that, and then the cheapest of all are chosen.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use bytecode::probe_map::OutcomeId;
use coverage::goal::{Goal, GoalId, GoalKind, GoalSet};
use serde::{Deserialize, Serialize};
use testcase::execution::{ExceptionKind, ExecutionResult, Executor, Thrown};
use testcase::test_case::TestCase;

use super::live::{Pursuit, Variations};
use super::merging::Merging;
use super::mutants::{Mutant, MutantKiller, Seen};
use super::redundancy::{Merit, drop_redundant};
use crate::asserted_test::AssertedTest;
use crate::cover::without_redundant;
use crate::ending::Ending;
use crate::minimize::Archived;
use crate::report::{Cause, Dropped};

/// Tests in which further assertions are looked for to kill one mutant. What as many tests do not show is hardly ever shown by
/// another one, and each of them runs the mutant.
const MOST_TRIES: usize = 10;

/// The criterion whose goals are those of another one, called in a certain way.
const DIRECT: &str = "direct-branch";

/// Which tests a suite keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum SuiteSize {
    /// Those that structure or mutants depend on.
    #[default]
    Compact,
    /// All that cover a goal.
    Complete,
}

impl SuiteSize {
    /// All, the default first.
    pub const ALL: [Self; 2] = [Self::Compact, Self::Complete];

    /// The name that the user gives.
    pub fn name(self) -> &'static str {
        match self {
            Self::Compact => "compact",
            Self::Complete => "complete",
        }
    }

    /// The one of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|size| size.name() == name)
    }

    /// All tests where no criterion that was asked for has structure for its goals: something is to be covered.
    #[must_use]
    pub fn for_criteria(self, asked: &[String], all: &GoalSet) -> Self {
        let is_asked = |goal: &&Goal| asked.iter().any(|name| *name == *goal.criterion);
        if all.goals().iter().filter(is_asked).any(is_structure) { self } else { Self::Complete }
    }

    /// Of these goals of a test that ends so, those for which a suite of this size may keep it.
    pub fn kept_for(self, goals: &[GoalId], thrown: Option<&Thrown>, all: &GoalSet) -> Vec<GoalId> {
        let counts = |id: &&GoalId| match self {
            Self::Complete => true,
            Self::Compact => all.goals().get(id.index()).is_none_or(|goal| {
                is_structure(goal) || is_meant(goal, thrown) || goal.infected_mutant().is_some()
            }),
        };
        goals.iter().filter(counts).copied().collect()
    }

    /// The same of a test that asserts nothing: nobody has looked whether it kills a mutant so, and it hardly ever does.
    pub fn kept_unasserted_for(
        self,
        goals: &[GoalId],
        thrown: Option<&Thrown>,
        all: &GoalSet,
    ) -> Vec<GoalId> {
        let mut kept = self.kept_for(goals, thrown, all);
        kept.retain(|id| {
            all.goals().get(id.index()).is_none_or(|goal| {
                goal.mutant().is_none() && (self == Self::Complete || goal.infected_mutant().is_none())
            })
        });
        kept
    }
}

/// Chooses tests and assertions by the mutants that they kill.
#[derive(Debug)]
pub struct Oracles<'a> {
    /// Runs mutants.
    pub killer: MutantKiller<'a>,
    /// Which tests are kept.
    pub size: SuiteSize,
}

/// Where further tests come from, for mutants that live.
#[derive(Debug)]
pub struct Further<'a> {
    /// Tests that the search kept for killing mutants.
    pub killing: &'a [Archived<'a>],
    /// Variations of tests.
    pub variations: &'a mut (dyn Variations + 'a),
}

/// A suite while it is chosen from.
struct Choice<'a, 'b> {
    oracles: &'a Oracles<'b>,
    executor: &'a mut dyn Executor,
    tests: &'a mut [AssertedTest],
    /// By test: whether it is kept.
    kept: Vec<bool>,
    /// By test: what is known of its mutants.
    seen: Vec<Option<Seen>>,
    /// Mutants that no test kills so far, with the tests in which more was looked for.
    open: BTreeMap<GoalId, usize>,
}

impl Oracles<'_> {
    /// Gives tests the further assertions that kill mutants, and takes out those that are not needed: what goes with them.
    /// `wanted` are the goals that the suite is to cover, ascending; others have their tests elsewhere. For mutants that live tests
    /// are added that the search kept for killing them, and variations; `result` is what their runs are told in. Once `may_continue`
    /// says no, tests stay that may kill something; `may_tidy` says whether there is time behind that for taking out some that are not
    /// needed any more.
    pub fn choose(
        &self,
        tests: &mut Vec<AssertedTest>,
        wanted: &[GoalId],
        Further { killing, variations }: Further<'_>,
        (executor, result): (&mut dyn Executor, &mut ExecutionResult),
        (may_continue, may_tidy): (&mut dyn FnMut() -> bool, &mut dyn FnMut() -> bool),
    ) -> Vec<Dropped> {
        let needed = match self.size {
            SuiteSize::Compact => self.needed(tests, wanted),
            SuiteSize::Complete => vec![true; tests.len()],
        };
        let is_wanted = |goal: &GoalId| wanted.binary_search(goal).is_ok();
        let infected = tests.iter().flat_map(|test| self.mutants(test));
        let open = infected.map(|(goal, _)| (goal, 0)).filter(|(goal, _)| is_wanted(goal)).collect();
        let seen = vec![None; tests.len()];
        let mut choice = Choice { oracles: self, executor, tests, kept: needed.clone(), seen, open };
        // What is there anyway kills first, then what could be asserted of it, then the other tests.
        choice.run(true, may_continue);
        choice.look_further(true, may_continue);
        choice.run(false, may_continue);
        choice.look_further(false, may_continue);
        let mut live: BTreeSet<GoalId> = choice.open.keys().copied().collect();
        let mut merits = choice.finished();
        let killing = self.killing(killing);
        // Those that are not wanted have been infected elsewhere, and nothing has killed them there.
        let killed = killing.iter().flat_map(|(_, mutants)| mutants).map(|(goal, _)| *goal);
        live.extend(killed.filter(|goal| !is_wanted(goal)));
        let mut pursuit = Pursuit { oracles: self, variations, executor, result, may_continue };
        let mut further = pursuit.found(&killing, &mut live);
        live.retain(is_wanted);
        further.extend(pursuit.tests(tests, &mut live));
        for test in &mut further {
            pursuit.tell_covered(test, &is_wanted);
        }
        merits.extend(further.iter().map(|_| Merit::Known));
        tests.extend(further);
        if self.size == SuiteSize::Compact {
            let structure: Vec<_> = tests.iter().map(|test| self.structure(test, &is_wanted)).collect();
            drop_redundant(self, tests, (&mut merits, &live), &structure, pursuit.executor, may_tidy);
            let mut merging = Merging { pursuit: &mut pursuit, is_wanted: &is_wanted, structure };
            merging.merge(tests, &mut merits, may_tidy);
        }
        left_out(tests, &merits, wanted)
    }

    /// Tests that are kept for killing mutants, with the goals of infecting these.
    fn killing<'t>(&self, tests: &[Archived<'t>]) -> Vec<(&'t TestCase, Vec<Mutant>)> {
        let all = self.killer.goals;
        let infected = all.ids().filter_map(|id| Some((all.goal(id).infected_mutant()?, id)));
        let infected: BTreeMap<OutcomeId, GoalId> = infected.collect();
        let mutant = |goal: &GoalId| {
            let infection = all.goal(*goal).mutant()?.infection;
            Some((*infected.get(&infection)?, infection))
        };
        tests.iter().map(|kept| (kept.test, kept.goals.iter().filter_map(mutant).collect())).collect()
    }

    /// The mutants that a test infects and that it need not kill.
    pub(super) fn mutants(&self, test: &AssertedTest) -> Vec<Mutant> {
        let goals = test.goals.iter().copied();
        goals.filter_map(|id| Some((id, self.infected(id)?))).collect()
    }

    /// Whether a goal is to kill a mutant that is no reason for a test of its own.
    pub(super) fn is_minor(&self, id: GoalId) -> bool {
        let kind = self.goal(id).map(|goal| &goal.kind);
        matches!(kind, Some(GoalKind::Mutant { operator, propagation: None, .. }) if operator.is_minor())
    }

    fn goal(&self, id: GoalId) -> Option<&Goal> {
        self.killer.goals.goals().get(id.index())
    }

    /// The infection of a mutant that a goal is about.
    pub(super) fn infected(&self, id: GoalId) -> Option<OutcomeId> {
        self.goal(id)?.infected_mutant()
    }

    /// The wanted goals of a test that count without mutants.
    pub(super) fn structure(&self, test: &AssertedTest, is_wanted: &dyn Fn(&GoalId) -> bool) -> Vec<GoalId> {
        let counts = |id: &GoalId| {
            is_wanted(id)
                && self
                    .goal(*id)
                    .is_none_or(|goal| is_structure(goal) || is_meant(goal, test.expected.as_ref()))
        };
        test.goals.iter().filter(|id| counts(id)).copied().collect()
    }

    /// Whether each test is needed for what counts without mutants: the worst of those that are not go first.
    fn needed(&self, tests: &[AssertedTest], wanted: &[GoalId]) -> Vec<bool> {
        let is_wanted = |goal: &GoalId| wanted.binary_search(goal).is_ok();
        let goals: Vec<Vec<GoalId>> = tests.iter().map(|test| self.structure(test, &is_wanted)).collect();
        let mut worst_first: Vec<usize> = (0..tests.len()).collect();
        worst_first.sort_by_key(|&test| Reverse((badness(&tests[test]), test)));
        let needed = without_redundant(&worst_first, |test| goals[test].iter().copied());
        (0..tests.len()).map(|test| needed.contains(&test)).collect()
    }
}

impl Choice<'_, '_> {
    /// Runs the open mutants of the tests that are kept, or of the others: of these stay those that kill one.
    fn run(&mut self, kept: bool, may_continue: &mut dyn FnMut() -> bool) {
        for test in 0..self.tests.len() {
            if self.kept[test] != kept {
                continue;
            }
            let mutants = self.open_mutants(test);
            if mutants.is_empty() || !may_continue() {
                continue;
            }
            let Some(seen) =
                self.oracles.killer.look_at(&self.tests[test], &mutants, Vec::new(), self.executor)
            else {
                continue;
            };
            let before = self.open.len();
            seen.killed().for_each(|goal| _ = self.open.remove(&goal));
            self.kept[test] |= self.open.len() < before;
            note_killed(&mut self.tests[test], &seen);
            self.seen[test] = Some(seen);
        }
    }

    /// Adds assertions that kill open mutants to the tests that are kept, or to the others: of these stay those that got one.
    fn look_further(&mut self, kept: bool, may_continue: &mut dyn FnMut() -> bool) {
        for test in 0..self.tests.len() {
            if self.kept[test] != kept || !may_continue() {
                continue;
            }
            let Some(seen) = self.seen[test].clone() else { continue };
            let mut mutants = self.open_mutants(test);
            mutants.retain(|(goal, _)| self.open[goal] < MOST_TRIES);
            if mutants.is_empty() {
                continue;
            }
            for (goal, _) in &mutants {
                *self.open.entry(*goal).or_default() += 1;
            }
            let killer = self.oracles.killer;
            let wide = killer.look_everywhere(&self.tests[test], &mutants, &seen, self.executor);
            let Some(wide) = wide else { continue };
            let chosen = wide.cover(&mutants.iter().map(|(goal, _)| *goal).collect());
            if chosen.is_empty() {
                continue;
            }
            let better = killer.extended(&self.tests[test], &wide, &chosen, &mutants, self.executor);
            if let Some((mut better, now)) = better {
                note_killed(&mut better, &now);
                now.killed().for_each(|goal| _ = self.open.remove(&goal));
                (self.tests[test], self.kept[test]) = (better, true);
            }
        }
    }

    fn open_mutants(&self, test: usize) -> Vec<Mutant> {
        let mut mutants = self.oracles.mutants(&self.tests[test]);
        mutants.retain(|(goal, _)| self.open.contains_key(goal));
        mutants
    }

    /// Which tests are kept: those as well that nobody had time to look at and that infect what is open.
    fn finished(self) -> Vec<Merit> {
        let may_kill = |test: usize| self.seen[test].is_none() && !self.open_mutants(test).is_empty();
        let of = |test: usize| match () {
            () if may_kill(test) => Merit::Unknown,
            () if self.kept[test] => Merit::Known,
            () => Merit::Dropped,
        };
        (0..self.kept.len()).map(of).collect()
    }
}

/// Notes what else a test is seen to kill.
pub(super) fn note_killed(test: &mut AssertedTest, seen: &Seen) {
    test.killed.extend(seen.killed());
    test.killed.sort_unstable();
    test.killed.dedup();
}

/// Takes out the tests that are not kept: the wanted goals, ascending, that no other test covers.
fn left_out(tests: &mut Vec<AssertedTest>, merits: &[Merit], wanted: &[GoalId]) -> Vec<Dropped> {
    let mut lost: BTreeSet<GoalId> = BTreeSet::new();
    let mut covered: BTreeSet<GoalId> = BTreeSet::new();
    let is_kept = |merit: &Merit| *merit != Merit::Dropped;
    for (test, merit) in tests.iter().zip(merits) {
        let goals = if is_kept(merit) { &mut covered } else { &mut lost };
        goals.extend(&test.goals);
    }
    let mut of_tests = merits.iter();
    tests.retain(|_| of_tests.next().is_none_or(is_kept));
    let mut lost: Vec<GoalId> = lost.difference(&covered).copied().collect();
    // Of the others nothing is known here: tests elsewhere have them.
    lost.retain(|goal| wanted.binary_search(goal).is_ok());
    if lost.is_empty() { Vec::new() } else { vec![(Cause::LeftOut, lost)] }
}

/// How little a reader has of a test: exceptions that nobody meant, then length.
pub(super) fn badness(test: &AssertedTest) -> (Ending, usize) {
    (Ending::of(test.expected.as_ref()), test.test.len())
}

/// Whether a goal is one of structure: a place of the code, entered in whatever way, or a mutant that must be killed.
fn is_structure(goal: &Goal) -> bool {
    match &goal.kind {
        GoalKind::Branch { .. } => &*goal.criterion != DIRECT,
        GoalKind::Entry => &*goal.criterion != DIRECT,
        GoalKind::Line(_)
        | GoalKind::Statement { .. }
        | GoalKind::Call
        | GoalKind::Return
        | GoalKind::Mutant { propagation: Some(_), .. } => true,
        GoalKind::Mutant { propagation: None, .. } | GoalKind::Throw { .. } | GoalKind::Value { .. } => false,
    }
}

/// Whether a goal is an exception that the code means to throw, and that ends the test.
fn is_meant(goal: &Goal, thrown: Option<&Thrown>) -> bool {
    let GoalKind::Throw { exception, kind } = &goal.kind else { return false };
    let is_thrown_on_purpose = match kind {
        ExceptionKind::Declared | ExceptionKind::Explicit => true,
        ExceptionKind::Implicit => false,
    };
    is_thrown_on_purpose && thrown.is_some_and(|thrown| thrown.class == *exception)
}
