//! Runs in which variables are read, and with them those of mutants: a test runs once more for each one that it infects.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytecode::descriptor::ErasedType;
use bytecode::name::ClassName;
use bytecode::probe_map::OutcomeId;
use testcase::assertable::{Lengths, assertable_at, is_inherited_from_object};
use testcase::assertion::{ObservationPoint, ObservationTarget, ObservedValue};
use testcase::cluster::CallableId;
use testcase::execution::{ExecutionResult, Observations, Outcome, Touched};
use testcase::kill_oracle::{Reach, visible};
use testcase::run_request::{MutantRequest, MutantRuns};
use testcase::test_case::TestCase;

use super::interpreter::{Observer, Used};
use super::limits::RunLimits;
use super::{Ended, JvmExecutor, SPARE_REFERENCES};
use crate::jni::Env;
use crate::lower::Run;
use crate::mutants::{MutantRun, ORIGINAL, propagation, steps};
use crate::observe::observe;
use crate::process::Process;
use crate::runtime::Runtime;
use crate::watchdog::Watched;

/// Steps that the mutants of one test may take together where runs are to be spared, a few hundredths of a second: who waits for
/// the end of a run does not wait for longer.
const MOST_STEPS: i64 = 4_000_000;

/// For so few mutants it is not found out first what need not be asked: it takes a run more.
const FEW_MUTANTS: usize = 8;

impl JvmExecutor {
    /// Runs the mutants that are asked about and that the run infected, with the same test, and adds how far each got.
    pub(super) fn run_mutants(
        &mut self,
        test: &TestCase,
        request: &MutantRequest,
        limits: RunLimits,
        result: &mut ExecutionResult,
    ) {
        let unsteady = Touched::THREAD.union(Touched::CLOCK);
        if !result.is_valid() || result.touched.intersects(unsteady) {
            return;
        }
        let infected = self.mutants.infected(request, &result.trace);
        if infected.is_empty() {
            return;
        }
        let mut points = self.visible(test, result);
        // A run of the original that is watched in the same way.
        let (mut original, mut spent) = self.run_original(test, limits, &points);
        result.mutant_runs = 1;
        let mut values = original.values.iter();
        let before = points.len();
        if self.looks_further && infected.len() > FEW_MUTANTS && original.outcome == result.outcome {
            points.retain(|point| values.next().is_some_and(Option::is_some) || !point.target.asks());
        }
        if points.len() < before {
            // What is asked for nothing costs as much in each run; and it may have changed what is asked behind it.
            (original, spent) = self.run_original(test, limits, &points);
            result.mutant_runs += 1;
        }
        if original.outcome != result.outcome {
            return;
        }
        let limits = RunLimits { steps: steps(spent, limits.steps), ..limits };
        let mut left = match request.runs {
            MutantRuns::Sparing => MOST_STEPS,
            MutantRuns::All => i64::MAX,
        };
        for mutant in infected {
            let (run, spent) = self.run_mutant(test, limits, mutant.infection.0 as i32, &points);
            self.mutants.note_run(mutant);
            result.mutant_runs += 1;
            left -= i64::from(spent);
            if run.outcome == Outcome::TimedOut {
                self.mutants.note_timeout(mutant);
            }
            let run = MutantRun { outcome: self.as_expected(&original.outcome, run.outcome), ..run };
            result.trace.record_distance(mutant.propagation, propagation(&original, &run));
            if self.is_tainted() || left < 0 {
                break;
            }
        }
    }

    /// The run without a mutant, with what it shows that a test may assert, and the steps that it took.
    fn run_original(
        &mut self,
        test: &TestCase,
        limits: RunLimits,
        points: &[ObservationPoint],
    ) -> (MutantRun, i32) {
        let (mut original, spent) = self.run_mutant(test, limits, ORIGINAL, points);
        self.keep_assertable(test, points, &mut original.values);
        (original, spent)
    }

    /// Leaves of what the original shows what a test may assert: nothing else kills.
    fn keep_assertable(
        &self,
        test: &TestCase,
        points: &[ObservationPoint],
        values: &mut [Option<ObservedValue>],
    ) {
        let cluster = self.interpreter.cluster();
        for (value, point) in values.iter_mut().zip(points) {
            let seen = value.take();
            *value = seen.and_then(|seen| assertable_at(point.target, &seen, test, Lengths::default()));
            if let Some(ObservedValue::Object { size, .. }) = value
                && !cluster.shows_size(test, point.target)
            {
                *size = None;
            }
        }
    }

    /// What a test can see, as far as its inspectors can be called.
    fn visible(&mut self, test: &TestCase, result: &ExecutionResult) -> Vec<ObservationPoint> {
        let cluster = Arc::clone(self.interpreter.cluster());
        let throws = result.outcome != Outcome::Passed;
        let reach = Reach { completed: result.executed, throws, asks: true, further: self.looks_further };
        let mut points = visible(&cluster, test, reach);
        points.retain(|point| {
            !is_inherited_from_object(&cluster, test, point.target) && self.is_askable(point.target)
        });
        points
    }

    /// What can be asked at these points; `None` of a test that cannot be run. All is looked up, so that nothing that a run asks is
    /// looked up in it.
    pub(super) fn askable(&mut self, test: &TestCase, points: &[ObservationPoint]) -> Option<Askable> {
        let askable: Vec<bool> = points.iter().map(|point| self.is_askable(point.target)).collect();
        let kept = points.iter().zip(&askable).filter(|(_, askable)| **askable);
        let points = kept.map(|(point, _)| *point).collect();
        (!self.limits.faults().is_fatal(test)).then_some(Askable { points, askable })
    }

    /// Whether the class of an inspector or field can be initialized. Inspectors that filled the stack once are not asked again: that takes
    /// as long as hundreds of tests.
    fn is_askable(&mut self, target: ObservationTarget) -> bool {
        let used = match target {
            ObservationTarget::Inspector(_, inspector) => [Some(Used::Callable(inspector)), None, None],
            ObservationTarget::Nested(_, outer, inner) => {
                let getter = self.interpreter.cluster().element_of_result(outer);
                [Some(outer), getter, Some(inner)].map(|id| id.map(Used::Callable))
            }
            ObservationTarget::Field(_, field) => [Some(Used::Field(field)), None, None],
            ObservationTarget::Value(_)
            | ObservationTarget::Same(..)
            | ObservationTarget::Calls(..)
            | ObservationTarget::Elements(..)
            | ObservationTarget::Printed(_)
            | ObservationTarget::Files
            | ObservationTarget::Message
            | ObservationTarget::Cause => [None; 3],
        };
        let is_endless = |used: &Used| matches!(used, Used::Callable(id) if self.endless.contains(id));
        !used.iter().flatten().any(is_endless)
            && used.into_iter().flatten().all(|used| self.look_up(used) == Watched::Ended)
    }

    /// What the test shows with each of the mutants, as far as these take no more steps together than one run may.
    pub(super) fn observe_each(
        &mut self,
        test: &TestCase,
        infections: &[OutcomeId],
        points: &[ObservationPoint],
    ) -> Vec<Observations> {
        let unknown = Observations { outcome: Outcome::TimedOut, values: vec![None; points.len()] };
        let mut observed = vec![unknown; infections.len()];
        let Some(askable) = self.askable(test, points) else { return observed };
        let (original, spent) = self.run_mutant(test, self.limits.full, ORIGINAL, &askable.points);
        let full = self.limits.full;
        let limits = RunLimits { steps: steps(spent, full.steps), ..full };
        let mut left = i64::from(full.steps);
        for (infection, observed) in infections.iter().zip(&mut observed) {
            if self.is_tainted() || left < 0 {
                break;
            }
            let (run, spent) = self.run_mutant(test, limits, infection.0 as i32, &askable.points);
            left -= i64::from(spent);
            let outcome = self.as_expected(&original.outcome, run.outcome);
            *observed = Observations { outcome, values: askable.spread(run.values) };
        }
        observed
    }

    /// An outcome as a test sees it that expects another one: of an exception that is thrown where one is expected it sees
    /// whether it is of the expected class.
    fn as_expected(&self, expected: &Outcome, outcome: Outcome) -> Outcome {
        let (Outcome::Threw(expects), Outcome::Threw(thrown)) = (expected, &outcome) else { return outcome };
        let is_taken = expects.position == thrown.position
            && (expects.class == thrown.class || self.is_subclass(&thrown.class, &expects.class));
        if is_taken { expected.clone() } else { outcome }
    }

    fn is_subclass(&self, sub: &ClassName, class: &ClassName) -> bool {
        let env = self.jvm.env();
        let load = |class: &ClassName| self.jvm.jdk.load(env, &ErasedType::Class(class.clone()), false);
        let is_subclass = env.frame(SPARE_REFERENCES, |env| match (load(sub), load(class)) {
            (Ok(Some(sub)), Ok(Some(class))) => env.is_assignable(sub, class),
            _ => false,
        });
        env.clear();
        is_subclass
    }

    /// The run, and the steps that it took.
    fn run_mutant(
        &mut self,
        test: &TestCase,
        limits: RunLimits,
        infection: i32,
        points: &[ObservationPoint],
    ) -> (MutantRun, i32) {
        let env = self.jvm.env();
        self.mutants.select(env, &self.jvm.runtime, infection);
        // With a mutant any inspector may be one without end.
        let endless = (infection != ORIGINAL).then(|| self.endless.clone());
        let (ended, values) = self.run_observed(test, limits, points);
        self.endless = endless.unwrap_or_else(|| std::mem::take(&mut self.endless));
        self.mutants.deselect(env, &self.jvm.runtime);
        let trace = self.recording.read_alone(env);
        (MutantRun { outcome: ended.outcome, values, trace }, ended.steps)
    }

    /// Runs a test and reads values at points, ascending by position. What cannot be read without looking at the world
    /// outside says nothing of the class: of a file that is there on one machine, whether it is one.
    pub(super) fn run_observed(
        &mut self,
        test: &TestCase,
        limits: RunLimits,
        points: &[ObservationPoint],
    ) -> (Ended, Vec<Option<ObservedValue>>) {
        let mut values: Vec<Option<ObservedValue>> = vec![None; points.len()];
        let limits = self.limits.sparing(test, limits);
        let records = points.iter().any(|point| matches!(point.target, ObservationTarget::Calls(..)));
        self.jvm.runtime.record_calls(self.jvm.env(), records);
        let sees_files = points.iter().any(|point| point.target == ObservationTarget::Files);
        let mut endless = std::mem::take(&mut self.endless);
        let process = self.jvm.process();
        let reader = PointReader { points, values: &mut values, next: 0, endless: &mut endless, process };
        let ended = self.run(test, limits, reader);
        self.endless = endless;
        self.jvm.runtime.record_calls(self.jvm.env(), false);
        if sees_files {
            self.jvm.runtime.watch_files(self.jvm.env(), false);
        }
        (ended, values)
    }
}

/// Those of some points at which something can be asked.
pub(super) struct Askable {
    pub(super) points: Vec<ObservationPoint>,
    /// Of each of all points, whether it is among them.
    askable: Vec<bool>,
}

impl Askable {
    /// The values of all points: none where nothing was asked.
    pub(super) fn spread(&self, values: Vec<Option<ObservedValue>>) -> Vec<Option<ObservedValue>> {
        let mut values = values.into_iter();
        self.askable.iter().map(|askable| if *askable { values.next().flatten() } else { None }).collect()
    }
}

/// Reads values at points, ascending by position.
struct PointReader<'a> {
    points: &'a [ObservationPoint],
    values: &'a mut [Option<ObservedValue>],
    /// The first that has not been read.
    next: usize,
    endless: &'a mut BTreeSet<CallableId>,
    process: &'static Process,
}

impl Observer for PointReader<'_> {
    const LOOKS_BEHIND_EXCEPTIONS: bool = true;

    fn begin(&mut self, runtime: &Runtime, env: Env<'_>) {
        if self.points.iter().any(|point| matches!(point.target, ObservationTarget::Printed(_))) {
            runtime.capture_printed(env);
        }
        if self.points.iter().any(|point| point.target == ObservationTarget::Files) {
            runtime.watch_files(env, true);
        }
    }

    fn look(&mut self, run: &Run<'_, '_>, position: usize) {
        if position == 0 {
            // It may run a second time.
            self.next = 0;
            self.values.fill(None);
        }
        while let (Some(point), Some(value)) = (self.points.get(self.next), self.values.get_mut(self.next)) {
            if point.after.index() > position {
                break;
            }
            let (seen, touched) = self.process.touched_by(|| observe(run, point.target, self.endless));
            *value = seen.filter(|_| touched == Touched::default());
            self.next += 1;
        }
    }
}
