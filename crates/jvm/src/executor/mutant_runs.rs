//! Runs in which variables are read, and with them those of mutants: a test runs once more for each one that it infects.

use std::sync::Arc;

use testcase::assertion::{ObservationPoint, ObservationTarget, ObservedValue};
use testcase::execution::{ExecutionResult, ExecutionTrace, Outcome, Touched};
use testcase::statement::VarRef;
use testcase::test_case::TestCase;

use super::{Ended, JvmExecutor, RunLimits};
use crate::carried::Redefinition;
use crate::jni::Env;
use crate::mutants::{MutantRun, PointChange, propagation, steps};
use crate::observe::observe;
use crate::watchdog::{Patience, Watched};

/// The count of a place with mutants that has nothing to tell any more, `covolve.runtime.Mutant.DONE`.
const DONE: i32 = 2;

/// Most inspectors and fields that are asked of a run of a mutant.
const MOST_ANSWERS: usize = 24;

impl JvmExecutor {
    /// Runs the mutants that are asked about and that the run infected, with the same test, and adds how far each got.
    pub(super) fn run_mutants(&mut self, test: &TestCase, limits: RunLimits, result: &mut ExecutionResult) {
        let unsteady = Touched::THREAD.union(Touched::CLOCK);
        if !result.is_valid() || result.touched.intersects(unsteady) {
            return;
        }
        let infected = self.mutants.infected(&result.trace);
        if infected.is_empty() {
            return;
        }
        let points = self.visible(test, result);
        // A run of the original that is watched in the same way; no mutant has such a number.
        let (original, spent) = self.run_mutant(test, limits, i32::MAX, &points);
        result.mutant_runs = 1;
        if original.outcome != result.outcome {
            return;
        }
        let limits = RunLimits { steps: steps(spent, limits.steps), ..limits };
        for mutant in infected {
            let (run, _) = self.run_mutant(test, limits, mutant.infection.0 as i32, &points);
            result.mutant_runs += 1;
            if run.outcome == Outcome::TimedOut {
                self.mutants.note_timeout(mutant);
            }
            result.trace.record_distance(mutant.propagation, propagation(&original, &run));
            if self.is_tainted() {
                break;
            }
        }
    }

    /// What a test can see: every variable behind the statement that defines it and, unless an exception ends it, behind the
    /// last statement what inspectors and public fields tell of the objects, of the latest first.
    fn visible(&mut self, test: &TestCase, result: &ExecutionResult) -> Vec<ObservationPoint> {
        let cluster = Arc::clone(&self.cluster);
        let typed = |variable: VarRef| Some((variable, test.variable_type(&cluster, variable)?));
        let variables: Vec<_> = (0..result.executed).map(VarRef::from).filter_map(typed).collect();
        let value =
            |&(after, _): &(VarRef, _)| ObservationPoint { after, target: ObservationTarget::Value(after) };
        let mut points: Vec<ObservationPoint> = variables.iter().map(value).collect();
        let last = result.executed.checked_sub(1).map(VarRef::from);
        let Some(after) = last.filter(|_| result.outcome == Outcome::Passed) else { return points };
        let mut answers = Vec::new();
        for &(variable, of) in variables.iter().rev() {
            for target in cluster.state(variable, of) {
                if answers.len() < MOST_ANSWERS && self.prepare_target(target) == Watched::Ended {
                    answers.push(ObservationPoint { after, target });
                }
            }
        }
        points.append(&mut answers);
        points
    }

    /// The run, and the steps that it took.
    fn run_mutant(
        &mut self,
        test: &TestCase,
        limits: RunLimits,
        outcome: i32,
        points: &[ObservationPoint],
    ) -> (MutantRun, i32) {
        self.is_mutated = true;
        self.runtime.select_mutant(self.vm.env(), outcome);
        let layout = self.reader.layout();
        let mut trace = ExecutionTrace::new(layout.probes(), layout.outcomes());
        let (ended, values) = self.run_observed(test, limits, points);
        self.runtime.select_mutant(self.vm.env(), -1);
        self.is_mutated = false;
        self.reader.read(self.vm.env(), &mut trace);
        (MutantRun { outcome: ended.outcome, values, trace }, ended.steps)
    }

    /// Places with mutants that nobody asks about are as if the run had infected all of theirs already.
    pub(super) fn put_points_to_rest(&mut self, env: Env<'_>) {
        if let Some(PointChange { awake, idle }) = self.idle_points.change() {
            self.reader.set_counts(env, &awake, 0);
            self.reader.set_counts(env, &idle, DONE);
            self.carried.note_change();
        }
        self.statistics.runs += 1;
        for redefinition in self.carried.redefinitions(self.statistics.runs, self.idle_points.idle()) {
            self.redefine(env, redefinition);
        }
    }

    /// Gives a class the code with these places. Where the JVM does not take it, it stays as it is, and cannot be used any
    /// more if it lacks some.
    fn redefine(&mut self, env: Env<'_>, Redefinition { class, points, is_needed }: Redefinition) {
        let Some(bytes) = self.vm.process.transformer.carry(&class, points) else { return };
        let loader = self.jdk.loader.get();
        let Some(loaded) = self.agent.loaded_class(env, loader, &class) else { return };
        let is_taken = self.agent.redefine(loaded, &bytes);
        env.delete_local(loaded);
        self.statistics.redefinitions += u64::from(is_taken);
        if !is_taken {
            self.diagnostics.push(format!("{} could not be exchanged for a faster version", class.binary()));
            self.carried.give_up(&class);
            self.is_tainted |= is_needed;
        }
    }

    /// Runs a test and reads values at points, ascending by position.
    pub(super) fn run_observed(
        &mut self,
        test: &TestCase,
        limits: RunLimits,
        points: &[ObservationPoint],
    ) -> (Ended, Vec<Option<ObservedValue>>) {
        let mut values: Vec<Option<ObservedValue>> = vec![None; points.len()];
        let mut next = 0;
        let limits = self.sparing(test, limits);
        let ended = self.run(test, limits, |run, position| {
            if position == 0 {
                // It may run a second time.
                next = 0;
                values.fill(None);
            }
            while let (Some(point), Some(value)) = (points.get(next), values.get_mut(next)) {
                if point.after.index() > position {
                    break;
                }
                *value = observe(run, point.target);
                next += 1;
            }
        });
        (ended, values)
    }

    /// The limits for a test: patience with calls that runs had to be ended in is in vain.
    pub(super) fn sparing(&self, test: &TestCase, limits: RunLimits) -> RunLimits {
        let patience = if self.faults.has_charged(test) { Patience::Short } else { limits.patience };
        RunLimits { patience, ..limits }
    }
}
