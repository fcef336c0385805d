//! One application: from the conditions of a test to other tests.

use std::collections::BTreeSet;
use std::time::Duration;

use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use search::local_search::climb::{Climb, Reaction};
use search::local_search::expansion::expanded;
use testcase::recording::Recording;
use testcase::test_case::TestCase;

use super::SymbolicExecution;
use super::pool::{Candidate, Goals, Path, Pool};
use crate::interpreter::Following;
use crate::solver::{Answer, Deadline, Limits, Query};
use crate::term::{Model, TermId, Terms};
use crate::test_replay::{Replaying, TestCondition, built, replay_test};

/// What is known of the tests that come from one.
#[derive(Debug, Default)]
pub(super) struct Explored {
    /// Conditions that were negated.
    negated: usize,
    terms: Terms,
    pool: Pool,
    tests: BTreeSet<TestCase>,
    /// Conditions in a row whose negation led to nothing new.
    in_vain: usize,
}

/// A test that was run and replayed.
#[derive(Debug, Clone, Copy)]
struct Ran {
    /// The number of its path.
    path: usize,
    /// Whether it took a turn that none took before.
    is_new: bool,
}

/// What a run takes longer for being logged and replayed, and each instruction that is interpreted.
const RECORDED: Duration = Duration::from_micros(500);
const INTERPRETED: Duration = Duration::from_nanos(200);

/// Explorations that were cut short and are remembered.
const MOST_BEGUN: usize = 4;

impl SymbolicExecution {
    /// Runs tests as long as there is something left to negate. An exploration that was cut short goes on where it was when it begins
    /// with the same test again.
    pub(super) fn explore(&mut self, hierarchy: &ClassHierarchy, climb: &mut Climb<'_>) {
        self.statistics.applications += 1;
        // Each use gets its own literal, so that one can change without the others.
        let start = expanded(climb.test(), climb.longest());
        if self.options.prefers_open && self.explored.contains(&start) {
            return;
        }
        let begun = self.begun.iter().position(|(test, _)| *test == start);
        let mut explored = if let Some(place) = begun.filter(|_| self.options.prefers_open) {
            self.begun.remove(place).1
        } else {
            let mut explored = Explored::default();
            self.run(start.clone(), None, (hierarchy, climb), &mut explored);
            explored
        };
        if self.negate_all(&mut explored, (hierarchy, climb)) {
            self.explored.insert(start);
        } else {
            self.begun.truncate(MOST_BEGUN - 1);
            self.begun.insert(0, (start, explored));
        }
    }

    /// Negates one condition after the other; whether it came to its end.
    fn negate_all(
        &mut self,
        explored: &mut Explored,
        (hierarchy, climb): (&ClassHierarchy, &mut Climb<'_>),
    ) -> bool {
        let (mut covered, mut open) = (climb.used().covered, climb.open_outcomes());
        while explored.negated < self.options.solves {
            if climb.is_over() {
                return false;
            }
            if self.options.prefers_open && explored.in_vain >= self.options.in_vain {
                break;
            }
            let goals = Goals { open: &open, classes: &climb.cluster().goal_classes };
            let Some(candidate) = explored.pool.take(&goals, &self.options) else { break };
            explored.in_vain += 1;
            explored.negated += 1;
            let ran = self.go_other_way(candidate, (hierarchy, climb), explored);
            if ran.is_none() && climb.is_over() {
                explored.pool.put(candidate, &self.options);
            }
            // Nothing but a run covers anything.
            let has_covered = climb.used().covered != covered;
            if has_covered {
                (covered, open) = (climb.used().covered, climb.open_outcomes());
            }
            if has_covered || ran.is_some_and(|ran| ran.is_new) {
                explored.in_vain = 0;
            }
        }
        true
    }

    /// Runs the test that a model of a negated condition gives, if there is one.
    fn go_other_way(
        &mut self,
        candidate: Candidate,
        (hierarchy, climb): (&ClassHierarchy, &mut Climb<'_>),
        explored: &mut Explored,
    ) -> Option<Ran> {
        let model = self.negate(candidate, climb, explored)?;
        let path = &explored.pool.paths[candidate.path];
        let Some(test) = built(&path.test, climb.cluster(), &path.inputs, &model, climb.longest()) else {
            self.statistics.unwritten += 1;
            return None;
        };
        if explored.tests.contains(&test) {
            self.statistics.repeated += 1;
            return None;
        }
        let ran = self.run(test, Some(candidate.path), (hierarchy, climb), explored)?;
        let condition = &explored.pool.paths[candidate.path].conditions[candidate.condition];
        let negated = explored.terms.not(condition.condition.term);
        let (before, after) = (&explored.pool.paths[candidate.path], &explored.pool.paths[ran.path]);
        if !takes_other_way(&before.conditions, candidate.condition, negated, &after.conditions) {
            let condition = &before.conditions[candidate.condition].condition;
            if condition.is_exact {
                self.statistics.strayed += 1;
            } else {
                self.statistics.strayed_behind += 1;
            }
            tracing::debug!(?condition, "a model did not take the other way");
        }
        Some(ran)
    }

    /// Values under which a condition does not hold, and those before it do.
    fn negate(
        &mut self,
        candidate: Candidate,
        climb: &mut Climb<'_>,
        explored: &mut Explored,
    ) -> Option<Model> {
        let path = &explored.pool.paths[candidate.path];
        let conditions = path.negation(candidate.condition, &mut explored.terms);
        self.statistics.negated += 1;
        let begun = self.clock.now();
        let deadline = |time| Deadline { clock: self.clock, at: begun + time };
        let limits = Limits { deadline: self.options.query_time.map(deadline), ..self.options.solver };
        let answer = self.solving.solve(&Query {
            terms: &explored.terms,
            conditions: &conditions,
            seed: path.inputs.seed(),
            limits,
        });
        self.statistics.solver_time += self.clock.now().saturating_sub(begun);
        climb.spend(self.solving.take_work());
        match answer {
            Answer::Model(model) => {
                self.statistics.solved += 1;
                Some(model)
            }
            Answer::Unsatisfiable => {
                self.statistics.unsatisfiable += 1;
                None
            }
            Answer::Unknown(why) => {
                self.statistics.add_unknown(why);
                None
            }
        }
    }

    /// Runs a test, replays it and adds its path.
    fn run(
        &mut self,
        test: TestCase,
        parent: Option<usize>,
        (hierarchy, climb): (&ClassHierarchy, &mut Climb<'_>),
        explored: &mut Explored,
    ) -> Option<Ran> {
        let begun = self.clock.now();
        let (reaction, recording) = climb.record(test.clone());
        self.statistics.run_time += self.clock.now().saturating_sub(begun);
        if reaction == Reaction::Over && recording.is_none() {
            return None;
        }
        explored.tests.insert(test.clone());
        self.statistics.runs += 1;
        let Some(recording) = recording else {
            self.statistics.unrecorded += 1;
            return None;
        };
        let path = self.path_of(test, &recording, (hierarchy, climb), explored);
        let is_new = explored.pool.add(path, parent, reaction == Reaction::Better, &self.options);
        Some(Ran { path: explored.pool.paths.len() - 1, is_new })
    }

    /// Replays a run; its path.
    fn path_of(
        &mut self,
        test: TestCase,
        recording: &Recording,
        (hierarchy, climb): (&ClassHierarchy, &mut Climb<'_>),
        explored: &mut Explored,
    ) -> Path {
        let replaying =
            Replaying { cluster: climb.cluster(), hierarchy, code: &self.code, limits: self.options.replay };
        let started = self.clock.now();
        let mut following = Following::new(recording);
        let begun = recording.statements.len();
        let replay = replay_test(&test, begun, &replaying, &mut following, &mut explored.terms);
        self.statistics.add_replay(&replay);
        let is_platform = |class: &ClassName| !hierarchy.source().is_on_class_path(class);
        let most = self.options.conditions;
        let mut path = Path::new(test, replay.conditions, replay.inputs, &mut explored.terms);
        path.choose(most, is_platform, &explored.terms);
        self.statistics.replay_time += self.clock.now().saturating_sub(started);
        climb.spend(RECORDED + INTERPRETED * u32::try_from(replay.steps).unwrap_or(u32::MAX));
        path
    }
}

/// Whether a path goes the other way at a condition: the negated condition holds in it, or another one lies at its branch, where the
/// branch is met for the same time in the same activation. Conditions before it may come and go: of null there are fewer.
fn takes_other_way(
    before: &[TestCondition],
    condition: usize,
    negated: TermId,
    after: &[TestCondition],
) -> bool {
    if after.iter().any(|it| it.condition.term == negated) {
        return true;
    }
    let Some(TestCondition { condition: old, .. }) = before.get(condition) else { return false };
    let is_there =
        |it: &&TestCondition| it.condition.activation == old.activation && it.condition.site == old.site;
    let times = before[..condition].iter().filter(is_there).count();
    let new = after.iter().filter(is_there).nth(times).map(|it| &it.condition);
    new.is_some_and(|new| (old.term, old.way) != (new.term, new.way))
}
