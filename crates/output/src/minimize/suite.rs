//! Chooses the tests of the suite and keeps it covering what the archive covered.

use std::collections::BTreeMap;

use coverage::goal::{GoalId, GoalSet};
use testcase::cluster::TestCluster;
use testcase::execution::{ExecutionResult, Executor};
use testcase::statement::VarRef;
use testcase::test_case::TestCase;

use super::anything::plainer;
use super::effects::change_more;
use super::memory::Memory;
use super::operands::{distinguish, tell_more};
use super::results::{missing_results, telling_result};
use super::runner::{Candidate, Machine, Run, Runner};
use super::scripts::echo;
use super::statements::{is_input, reduce, without, without_idle};
use super::type_arguments::Usual;
use super::values::Simplifier;
use super::{Archived, MinimizeOptions, Minimized, MinimizedTest};
use crate::cover::without_redundant;
use crate::report::{Cause, Dropped};

/// Parts of the work that running the archive, choosing among its tests and making those as short and plain as can be are
/// taken for: a guess, since they differ from class to class. The rest is for results that no test shows.
const RUN_SHARE: f64 = 0.05;
const CHOOSE_SHARE: f64 = 0.35;
const REDUCE_SHARE: f64 = 0.5;

/// Minimizes archives of one class.
#[derive(Debug, Clone, Copy)]
pub struct Minimizer<'a> {
    /// Types and members.
    pub cluster: &'a TestCluster,
    /// The session's goals.
    pub goals: &'a GoalSet,
    /// Bounds and preferences.
    pub options: MinimizeOptions,
}

impl Minimizer<'_> {
    /// Makes a suite of an archive, in which no goal has two tests. `result` is room for the executor's results; what runs of suites before it
    /// showed is not run again. Stops soon after `may_continue` first says no.
    pub fn minimize(
        &self,
        archive: &[Archived<'_>],
        (executor, result): (&mut dyn Executor, &mut ExecutionResult),
        memory: &mut Memory,
        may_continue: &mut dyn FnMut() -> bool,
    ) -> Minimized {
        let mut goals: Vec<GoalId> = archive.iter().flat_map(|archived| archived.goals).copied().collect();
        goals.sort_unstable();
        goals.dedup();
        let mutants = goals.iter().filter_map(|&goal| self.goals.goal(goal).mutant()).collect();
        let machine = Machine { executor, result, memory };
        let mut runner = Runner::new(machine, self.goals, self.options, mutants, may_continue);
        let mut progress = 0.0;
        let (originals, mut dropped) = run_archive(&mut runner, archive);
        progress += RUN_SHARE * share(originals.len(), archive.len());
        let Choice { tests: chosen, reduced_to, in_time } = self.choose(&mut runner, &originals);
        progress += CHOOSE_SHARE * share(in_time, chosen.len());
        let mut suite = Suite::new(self.goals.len(), chosen);
        suite.drop_redundant();
        // By test, as long as their values are those with which they were reduced.
        let goals_of = suite.tests.iter().map(|test| reduced_to.get(&test.test).cloned().unwrap_or_default());
        let reduced_to: Vec<Vec<GoalId>> = goals_of.collect();
        self.simplify_at_once(&mut runner, &mut suite);
        for (index, reduced_to) in reduced_to.iter().enumerate() {
            let required = suite.only_covered_by(index);
            let mut test = suite.tests[index].clone();
            // A test that was reduced to one of these goals can lose nothing that it needs for that goal.
            if !reduced_to.iter().any(|goal| required.contains(goal)) {
                test = reduce(&mut runner, self.cluster, test, &required);
            }
            runner.shown = telling_result(&mut runner, self.cluster, &test);
            let test = Simplifier::of(&mut runner, self.cluster, test, &required).one_by_one().best;
            let test = plainer(&mut runner, self.cluster, test, &required);
            runner.shown = None;
            let test = distinguish(&mut runner, self.cluster, test, &required);
            let test = tell_more(&mut runner, self.cluster, test, &required);
            let test = change_more(&mut runner, self.cluster, test, &required);
            let test = echo(&mut runner, self.cluster, test, &required);
            suite.replace(index, test);
            if runner.stopped {
                break;
            }
            progress += REDUCE_SHARE / suite.tests.len() as f64;
        }
        suite.drop_redundant();
        self.make_usual(&mut runner, &mut suite);
        for added in missing_results(&mut runner, self.cluster, &suite.tests, &originals) {
            suite.insert(added);
        }
        for (_, goals) in &mut dropped {
            goals.retain(|goal| suite.counts[goal.index()] == 0);
        }
        dropped.retain(|(_, goals)| !goals.is_empty());
        Minimized {
            tests: suite
                .tests
                .into_iter()
                .map(finished)
                .map(|test| self.tidied(test, runner.stopped))
                .collect(),
            dropped,
            executions: runner.executions,
            progress: if runner.stopped { progress } else { 1.0 },
        }
    }

    /// Replaces the values of all tests that a person would not choose. It takes few runs and comes before all else that is done to a test, so
    /// that no test lacks it where time is short.
    fn simplify_at_once(&self, runner: &mut Runner<'_>, suite: &mut Suite) {
        for index in 0..suite.tests.len() {
            let (required, test) = (suite.only_covered_by(index), suite.tests[index].clone());
            runner.shown = telling_result(runner, self.cluster, &test);
            let test = Simplifier::of(runner, self.cluster, test, &required).at_once().best;
            runner.shown = None;
            suite.replace(index, test);
        }
    }

    /// Has tests take type arguments that more of the others have.
    fn make_usual(&self, runner: &mut Runner<'_>, suite: &mut Suite) {
        let usual = Usual::of(self.cluster, suite.tests.iter().map(|test| &test.test));
        for index in 0..suite.tests.len() {
            let (required, test) = (suite.only_covered_by(index), &suite.tests[index]);
            runner.is_long = test.is_long;
            let (worst, thrown) = (test.ending, test.thrown.clone());
            let mut changed = usual.instead_in(&test.test);
            let accepted = changed.find_map(|changed| {
                let accepted = runner.accept(changed, &required, worst)?;
                (accepted.thrown == thrown).then_some(accepted)
            });
            drop(changed);
            if let Some(accepted) = accepted {
                suite.replace(index, accepted);
            }
        }
    }

    /// A test that there may have been no time for, without what does nothing.
    fn tidied(&self, test: MinimizedTest, is_cut_short: bool) -> MinimizedTest {
        if !is_cut_short {
            return test;
        }
        let MinimizedTest { test, goals, mut thrown } = test;
        let test = without_idle(self.cluster, &test, &mut thrown);
        MinimizedTest { test, goals, thrown }
    }

    /// Goal by goal, the best test for those not covered yet, reduced to that goal.
    fn choose(&self, runner: &mut Runner<'_>, originals: &[Candidate]) -> Choice {
        let mut best_first: Vec<usize> = (0..originals.len()).collect();
        best_first.sort_by_key(|&index| {
            let original = &originals[index];
            (original.ending.is_accident(), original.test.len(), index)
        });
        let most = self.options.alternatives.max(1);
        let mut coverers: Vec<Vec<usize>> = vec![Vec::new(); self.goals.len()];
        for index in best_first {
            for goal in &originals[index].goals {
                let coverers = &mut coverers[goal.index()];
                if coverers.len() < most {
                    coverers.push(index);
                }
            }
        }
        let mut covered = vec![false; self.goals.len()];
        let mut choice = Choice::default();
        for (goal, coverers) in self.goals.ids().zip(coverers) {
            if covered[goal.index()] || coverers.is_empty() {
                continue;
            }
            let best = self.best_for(runner, originals, &coverers, goal);
            best.goals.iter().for_each(|goal| covered[goal.index()] = true);
            if !runner.stopped {
                choice.reduced_to.entry(best.test.clone()).or_default().push(goal);
                choice.in_time += 1;
            }
            choice.tests.push(best);
        }
        choice
    }

    /// Reduces the first of these tests to the goal; others too while it ends in an accident.
    fn best_for(
        &self,
        runner: &mut Runner<'_>,
        originals: &[Candidate],
        indices: &[usize],
        goal: GoalId,
    ) -> Candidate {
        let mut best: Option<Candidate> = None;
        for &index in indices {
            let reduced = reduce(runner, self.cluster, originals[index].clone(), &[goal]);
            let better = best.as_ref().is_none_or(|best| {
                (reduced.ending.is_accident(), reduced.test.len())
                    < (best.ending.is_accident(), best.test.len())
            });
            if better {
                best = Some(reduced);
            }
            if best.as_ref().is_some_and(|best| !best.ending.is_accident()) || runner.stopped {
                break;
            }
        }
        best.expect("some test covers the goal")
    }
}

/// Tests that cover all goals, each reduced to one that those before it lack.
#[derive(Debug, Default)]
struct Choice {
    tests: Vec<Candidate>,
    /// The goals that a test was reduced to.
    reduced_to: BTreeMap<TestCase, Vec<GoalId>>,
    /// How many of the tests there was time for.
    in_time: usize,
}

/// Runs each different test of the archive; gives the valid ones, and the goals of the others with the cause. Tests
/// that no time is left for are lost: what they throw is not known.
fn run_archive(runner: &mut Runner<'_>, archive: &[Archived<'_>]) -> (Vec<Candidate>, Vec<Dropped>) {
    let mut goals_of: BTreeMap<&TestCase, Vec<GoalId>> = BTreeMap::new();
    for archived in archive {
        goals_of.entry(archived.test).or_default().extend_from_slice(archived.goals);
    }
    let mut originals: Vec<Candidate> = Vec::new();
    let mut dropped: Vec<Dropped> = Vec::new();
    for Archived { test, .. } in archive {
        // An equal test came before.
        let Some(mut goals) = goals_of.remove(test) else { continue };
        goals.sort_unstable();
        let goals = &goals;
        let cause = match runner.run_in_full(test, goals) {
            Run::Valid(candidate) => {
                let missed: Vec<GoalId> =
                    goals.iter().copied().filter(|&goal| !candidate.covers(goal)).collect();
                originals.push(candidate);
                dropped.push((Cause::NotReproduced, missed));
                continue;
            }
            Run::Invalid(cause) => {
                salvage(runner, test, goals, &mut originals);
                cause
            }
            Run::Stopped => Cause::OutOfTime,
        };
        dropped.push((cause, goals.clone()));
    }
    (originals, dropped)
}

fn share(done: usize, all: usize) -> f64 {
    done as f64 / all.max(1) as f64
}

/// Looks for what of an invalid test can be kept: its longest valid prefix, then, for goals which that does not
/// cover, the test without one of its statements.
fn salvage(runner: &mut Runner<'_>, test: &TestCase, goals: &[GoalId], originals: &mut Vec<Candidate>) {
    let mut open: Vec<GoalId> = goals.to_vec();
    let (mut holds, mut fails, mut longest) = (0, test.len(), None);
    while fails - holds > 1 {
        let length = usize::midpoint(holds, fails);
        let mut prefix = test.clone();
        prefix.truncate(length);
        match runner.run(prefix) {
            Run::Valid(candidate) => {
                longest = Some(candidate);
                holds = length;
            }
            Run::Invalid(_) => fails = length,
            Run::Stopped => break,
        }
    }
    let shorter = (0..test.len())
        .rev()
        .filter(|&position| !is_input(test.statement(VarRef::from(position))))
        .filter_map(|position| without(test, position));
    if let Some(longest) = longest {
        open.retain(|&goal| !longest.covers(goal));
        originals.push(longest);
    }
    for changed in shorter {
        if open.is_empty() {
            return;
        }
        if let Run::Valid(candidate) = runner.run(changed)
            && open.iter().any(|&goal| candidate.covers(goal))
        {
            open.retain(|&goal| !candidate.covers(goal));
            originals.push(candidate);
        }
    }
}

/// The tests with how often each goal is covered.
#[derive(Debug)]
struct Suite {
    tests: Vec<Candidate>,
    counts: Vec<u32>,
}

impl Suite {
    fn new(goals: usize, tests: Vec<Candidate>) -> Self {
        let mut suite = Self { tests, counts: vec![0; goals] };
        for test in &suite.tests {
            for goal in &test.goals {
                suite.counts[goal.index()] += 1;
            }
        }
        suite
    }

    /// Goals that the suite would lose with this test.
    fn only_covered_by(&self, index: usize) -> Vec<GoalId> {
        let goals = self.tests[index].goals.iter().copied();
        goals.filter(|goal| self.counts[goal.index()] == 1).collect()
    }

    /// Adds a test behind the last one that ends in the same call.
    fn insert(&mut self, test: Candidate) {
        let place = self.tests.iter().rposition(|other| other.last_call() == test.last_call());
        for goal in &test.goals {
            self.counts[goal.index()] += 1;
        }
        self.tests.insert(place.map_or(self.tests.len(), |place| place + 1), test);
    }

    fn replace(&mut self, index: usize, test: Candidate) {
        for goal in &self.tests[index].goals {
            self.counts[goal.index()] -= 1;
        }
        for goal in &test.goals {
            self.counts[goal.index()] += 1;
        }
        self.tests[index] = test;
    }

    /// Drops tests whose goals others cover: accidents first, then the longest, then the last.
    fn drop_redundant(&mut self) {
        let mut order: Vec<usize> = (0..self.tests.len()).collect();
        order.sort_by_key(|&index| {
            let test = &self.tests[index];
            std::cmp::Reverse((test.ending.is_accident(), test.test.len(), index))
        });
        let left = without_redundant(&order, |index| self.tests[index].goals.iter().copied());
        let mut number = 0;
        self.tests.retain(|test| {
            let is_left = left.contains(&number);
            number += 1;
            if !is_left {
                test.goals.iter().for_each(|goal| self.counts[goal.index()] -= 1);
            }
            is_left
        });
    }
}

fn finished(candidate: Candidate) -> MinimizedTest {
    MinimizedTest { test: candidate.test, goals: candidate.goals, thrown: candidate.thrown }
}
