//! One application: from the conditions of a test to other tests.

use std::collections::BTreeSet;

use bytecode::hierarchy::ClassHierarchy;
use search::local_search::climb::{Climb, Reaction};
use search::local_search::expansion::expanded;
use testcase::recording::Recording;
use testcase::test_case::TestCase;

use super::SymbolicExecution;
use super::pool::{Candidate, Goals, Path, Pool};
use crate::interpreter::Following;
use crate::solver::{Answer, Query};
use crate::term::{Model, TermId, Terms};
use crate::test_replay::{Replaying, TestCondition, built, replay_test};

/// What an application has so far.
#[derive(Debug, Default)]
struct Explored {
    terms: Terms,
    pool: Pool,
    tests: BTreeSet<TestCase>,
}

impl SymbolicExecution {
    /// Runs tests as long as there is something left to negate.
    pub(super) fn explore(&mut self, hierarchy: &ClassHierarchy, climb: &mut Climb<'_>) {
        self.statistics.applications += 1;
        let mut explored = Explored::default();
        // Each use gets its own literal, so that one can change without the others.
        let start = expanded(climb.test(), climb.longest());
        self.run(start, (hierarchy, climb), &mut explored);
        let mut open = climb.open_outcomes();
        for _ in 0..self.options.solves {
            if climb.is_over() {
                return;
            }
            let goals = Goals { open: &open, classes: &climb.cluster().goal_classes };
            let Some(candidate) = explored.pool.take(&goals, &self.options) else { return };
            let Some(model) = self.negate(candidate, &mut explored) else { continue };
            let path = &explored.pool.paths[candidate.path];
            let longest = climb.longest();
            let Some(test) = built(&path.test, climb.cluster(), &path.inputs, &model, longest) else {
                self.statistics.unwritten += 1;
                continue;
            };
            if explored.tests.contains(&test) {
                self.statistics.repeated += 1;
                continue;
            }
            let number = self.run(test, (hierarchy, climb), &mut explored);
            // Nothing but a run covers anything.
            open = climb.open_outcomes();
            if let Some(number) = number {
                let condition = &explored.pool.paths[candidate.path].conditions[candidate.condition];
                let negated = explored.terms.not(condition.condition.term);
                let (before, after) = (&explored.pool.paths[candidate.path], &explored.pool.paths[number]);
                if !takes_other_way(&before.conditions, candidate.condition, negated, &after.conditions) {
                    self.statistics.strayed += 1;
                    let condition = &before.conditions[candidate.condition].condition;
                    tracing::debug!(?condition, "a model did not take the other way");
                }
            }
        }
    }

    /// Values under which a condition does not hold, and those before it do.
    fn negate(&mut self, candidate: Candidate, explored: &mut Explored) -> Option<Model> {
        let path = &explored.pool.paths[candidate.path];
        let mut conditions: Vec<TermId> = path.before(candidate.condition);
        conditions.push(explored.terms.not(path.conditions[candidate.condition].condition.term));
        self.statistics.negated += 1;
        let begun = self.clock.now();
        let answer = self.solving.solve(&Query {
            terms: &explored.terms,
            conditions: &conditions,
            seed: path.inputs.seed(),
            limits: self.options.solver,
        });
        self.statistics.solver_time += self.clock.now().saturating_sub(begun);
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

    /// Runs a test, replays it and adds its path; the number of the path.
    fn run(
        &mut self,
        test: TestCase,
        (hierarchy, climb): (&ClassHierarchy, &mut Climb<'_>),
        explored: &mut Explored,
    ) -> Option<usize> {
        explored.tests.insert(test.clone());
        let (reaction, recording) = climb.record(test.clone());
        if reaction == Reaction::Over && recording.is_none() {
            return None;
        }
        self.statistics.runs += 1;
        let Some(recording) = recording else {
            self.statistics.unrecorded += 1;
            return None;
        };
        self.add(test, &recording, (hierarchy, climb), explored);
        Some(explored.pool.paths.len() - 1)
    }

    fn add(
        &mut self,
        test: TestCase,
        recording: &Recording,
        (hierarchy, climb): (&ClassHierarchy, &Climb<'_>),
        explored: &mut Explored,
    ) {
        let replaying =
            Replaying { cluster: climb.cluster(), hierarchy, code: &self.code, limits: self.options.replay };
        let mut following = Following::new(recording);
        let begun = recording.statements.len();
        let replay = replay_test(&test, begun, &replaying, &mut following, &mut explored.terms);
        self.statistics.add_replay(&replay);
        let path = Path::new(test, replay.conditions, replay.inputs, &mut explored.terms);
        explored.pool.add(path, self.options.conditions);
    }
}

/// Whether a path goes the other way at a condition: the negated condition holds in it, or another one lies there of the same
/// branch.
fn takes_other_way(
    before: &[TestCondition],
    condition: usize,
    negated: TermId,
    after: &[TestCondition],
) -> bool {
    if after.iter().any(|it| it.condition.term == negated) {
        return true;
    }
    let (Some(old), Some(new)) = (before.get(condition), after.get(condition)) else { return false };
    let (old, new) = (&old.condition, &new.condition);
    old.site == new.site && (old.term, old.way) != (new.term, new.way)
}
