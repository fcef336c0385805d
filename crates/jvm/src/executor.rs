//! Runs test cases: the [`Executor`] of the real JVM.
//!
//! A run: what the test uses is looked up, which initializes classes; its statements run one after the other within limits;
//! what they recorded is read, and what they changed is set back. Each of these has a part of its own:
//!
//! * `interpreter`: statements, with what their ids were looked up as
//! * `limits`, with `time_limit` and `ended_runs`: what ends a run, and the account of runs that had to be ended
//! * `recording`: probes, values and class initializers; `recorder`: what is logged for replays; `catcher`: the exception that
//!   ended the run
//! * `isolation`: everything as before for the next test
//! * `health`: whether the JVM is still to be trusted; `driver`: all that is said to who drives the executor
//!
//! On top of them are the kinds of runs: `requested_runs`, `row`, `mutant_runs`, `identities`, `moments`.

mod catcher;
mod driver;
mod ended_runs;
mod health;
mod identities;
mod interpreter;
mod isolation;
mod limits;
mod meter;
mod moments;
mod mutant_runs;
mod native_memory;
mod recorder;
mod recording;
mod requested_runs;
mod row;
mod slot;
mod statistics;
mod time_limit;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use bytecode::descriptor::ErasedType;
use bytecode::instrument::{GoalClass, STOP_CLASS, StaticFields};
use bytecode::name::ClassName;
use bytecode::probe_layout::ProbeLayout;
use bytecode::probe_map::OutcomeId;
use testcase::assertion::ObservationPoint;
use testcase::cluster::{CallableId, TestCluster};
use testcase::execution::{
    Cost, ExecutionResult, ExecutionTrace, Executor, Observations, Outcome, SeenException, ThrowOrigin,
    Thrown, Touched,
};
use testcase::run_request::RunRequest;
use testcase::test_case::TestCase;

use self::catcher::Catcher;
use self::ended_runs::End;
use self::health::Health;
use self::interpreter::{Interpreter, Observer, Used};
use self::isolation::Isolation;
use self::limits::{Limits, RunLimits};
use self::recorder::Recorder;
use self::recording::Recording;
use self::slot::Slot;
pub use self::statistics::Statistics;
use crate::boot::{Jvm, Sizes, boot};
use crate::carried::CarriedPoints;
use crate::error::JvmError;
use crate::faults::{Fault, Severity};
use crate::jni::{Env, Ref};
use crate::lower::Raised;
use crate::mutants::Mutants;
use crate::options::JvmOptions;
use crate::refusal::Refusal;
use crate::runtime::{describe, describe_pending};
use crate::test_frame::TestFrame;
use crate::thrown::Verdict;
use crate::transform::Transformer;
use crate::watchdog::Watched;

/// Local references that a run needs beside its variables.
const SPARE_REFERENCES: usize = 48;

/// Runs test cases in the JVM of this process, on the thread that started it.
pub struct JvmExecutor {
    jvm: Jvm,
    /// The method in which tests run, if it could be had.
    test_frame: Option<TestFrame>,
    interpreter: Interpreter,
    limits: Limits,
    recording: Recording,
    recorder: Recorder,
    catcher: Catcher,
    isolation: Isolation,
    mutants: Mutants,
    /// Inspectors that recursed until the stack was full.
    endless: BTreeSet<CallableId>,
    /// Whether mutants are looked at further ([`Reach::further`](testcase::kill_oracle::Reach::further)).
    looks_further: bool,
    health: Health,
    slot: Slot,
    statistics: Statistics,
}

impl fmt::Debug for JvmExecutor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("JvmExecutor").field("health", &self.health).finish_non_exhaustive()
    }
}

/// How the statements of a run ended.
#[derive(Debug)]
struct Ended {
    outcome: Outcome,
    executed: usize,
    touched: Touched,
    /// Steps that it took.
    steps: i32,
    cost: Cost,
    stalled: bool,
}

impl Ended {
    /// What is said of a test that was not run.
    fn refused() -> Self {
        let (touched, cost) = (Touched::default(), Cost::default());
        Self { outcome: Outcome::TimedOut, executed: 0, touched, steps: 0, cost, stalled: true }
    }
}

impl JvmExecutor {
    /// Starts the JVM on the calling thread (see [`crate::vm::run_on_big_stack`]) and gets ready to run tests.
    ///
    /// `classes` were instrumented in advance, `layout` says what their probes mean, and `statics` numbers the
    /// static fields that they write. A process can do this once.
    pub fn start(
        options: &JvmOptions,
        cluster: Arc<TestCluster>,
        classes: Vec<GoalClass>,
        layout: ProbeLayout,
        statics: StaticFields,
    ) -> Result<Self, JvmError> {
        let sizes = Sizes { probes: layout.probes(), outcomes: layout.outcomes(), statics: statics.len() };
        let carried = CarriedPoints::new(&classes, layout.points());
        let transformer =
            Transformer::new(classes, statics, options.unwatched.clone(), cluster.opened.clone());
        let booted = boot(options, transformer, sizes)?;
        let jvm = booted.jvm;
        let test_frame = TestFrame::make(jvm.env(), jvm.jdk, jvm.transformer(), &options.test_class);
        let mut executor = Self {
            jvm,
            test_frame,
            catcher: Catcher::new(options.test_class.clone(), test_frame.map(|frame| frame.class), &cluster),
            interpreter: Interpreter::new(cluster, &layout, options.check_references),
            limits: Limits::new(options, booted.watchdog),
            recording: Recording::new(booted.arrays, layout, carried),
            recorder: Recorder::new(options.check_jni),
            isolation: Isolation::new(booted.state, booted.threads),
            mutants: Mutants::default(),
            endless: BTreeSet::new(),
            looks_further: true,
            health: Health::new(booted.diagnostics),
            slot: Slot::default(),
            statistics: Statistics::default(),
        };
        executor.interpreter.install(&executor.jvm)?;
        executor.initialize_goal_classes();
        Ok(executor)
    }

    /// Initializes the classes with goals, one after the other, and keeps what that covers.
    fn initialize_goal_classes(&mut self) {
        let classes: Vec<ClassName> = self.recording.layout().classes().to_vec();
        for (index, class) in (0..).zip(classes) {
            let erased = ErasedType::Class(class.clone());
            let (failure, watched) = self.guarded(|executor, env| {
                let Jvm { jdk, runtime, .. } = &executor.jvm;
                let failed = jdk.load(env, &erased, true).is_err();
                failed.then(|| (runtime.stop().is_set(env), describe_pending(env)))
            });
            match (watched, failure) {
                (Watched::Ended, None) => {}
                (Watched::Ended, Some((false, reason))) if self.note_refusal(&reason) => {}
                (Watched::Ended, Some((false, reason))) => {
                    self.health.diagnose(format!("{} cannot be initialized: {reason}", class.binary()));
                }
                (Watched::Ended, Some((true, _))) | (Watched::Flagged | Watched::ThrownInto, _) => {
                    self.health.diagnose(format!("the initializer of {} does not end", class.binary()));
                    self.health.blame_code();
                }
            }
            self.recording.keep_initializer(self.jvm.env(), index);
        }
    }

    /// Runs code that is no test, under such limits and with the same clock.
    fn guarded<R>(&mut self, run: impl FnOnce(&mut Self, Env<'_>) -> R) -> (R, Watched) {
        let env = self.jvm.env();
        self.begin(env, self.limits.initial());
        let result = env.frame(SPARE_REFERENCES, |env| run(self, env));
        let (_, watched) = self.end(env);
        (result, watched)
    }

    fn begin(&mut self, env: Env<'_>, limits: RunLimits) {
        self.recording.begin();
        if self.jvm.runtime.begin(env, limits.steps).is_err() {
            env.clear();
        }
        self.recording.put_points_to_rest(&self.jvm, env, &mut self.statistics, &mut self.health);
        self.jvm.process().begin_run(env);
        self.limits.watch(limits.patience);
    }

    /// Ends the limits of a run; gives what it touched and what the watchdog did.
    fn end(&mut self, env: Env<'_>) -> (Touched, Watched) {
        let process = self.jvm.process();
        // tidy: the rest stays what it is
        let watched = match self.limits.unwatch() {
            Watched::Ended if process.waiting.gave_up() => Watched::Flagged,
            watched => watched,
        };
        let touched = process.end_run();
        self.jvm.runtime.end(env);
        if watched == Watched::ThrownInto {
            // The exception may still be on its way: a call gives it the chance to arrive.
            self.jvm.runtime.drain(env);
            self.health.taint();
        }
        (touched, watched)
    }

    /// Looks up what a test needs. This initializes classes, which must not happen in the middle of a test: it
    /// happens only once. Gives the first statement for which that did not end.
    fn prepare(&mut self, test: &TestCase) -> Option<usize> {
        (0..).zip(test.statements()).find_map(|(position, statement)| {
            self.slot.advance(position);
            let open = self.interpreter.open(test, statement)?;
            (self.look_up(open) != Watched::Ended).then_some(position)
        })
    }

    /// Looks up what a statement or an assertion uses, if that has not been done.
    fn look_up(&mut self, used: Used) -> Watched {
        if !self.interpreter.is_open(used) {
            return Watched::Ended;
        }
        self.guarded(|executor, env| executor.interpreter.look_up(&executor.jvm, env, used)).1
    }

    /// Runs a test, which the observer looks at.
    ///
    /// Classes that a test is the first to use are initialized in it, those of the JDK as well, and initializers
    /// read clocks and properties. So where anything was touched while classes were loaded, the test runs once
    /// more.
    fn run(&mut self, test: &TestCase, limits: RunLimits, mut observer: impl Observer) -> Ended {
        self.slot.write(test);
        let endless = self.prepare(test);
        for said in self.interpreter.take_refused() {
            self.note_refusal(&said);
        }
        self.interpreter.tidy(self.jvm.env());
        self.isolation.take_checkpoints(&self.jvm);
        if let Some(position) = endless {
            self.discard_trace();
            self.note_fault(test, position, Severity::Hopeless);
            self.raise_alarms();
            self.slot.clear();
            return Ended::refused();
        }
        let transformer = self.jvm.transformer();
        let loaded = transformer.loaded();
        let mut ended = self.run_once(test, limits, &mut observer);
        if !ended.stalled {
            let has_loaded = transformer.loaded() != loaded;
            if has_loaded {
                self.isolation.take_checkpoints(&self.jvm);
            }
            if has_loaded && ended.touched != Touched::default() {
                self.discard_trace();
                ended = self.run_once(test, limits, &mut observer);
            }
        }
        self.slot.clear();
        ended
    }

    fn run_once(&mut self, test: &TestCase, limits: RunLimits, observer: &mut impl Observer) -> Ended {
        let env = self.jvm.env();
        let loaded = self.jvm.transformer().loaded();
        self.limits.begin_test();
        self.begin(env, limits);
        self.recorder.begin(env);
        as_test(self.test_frame, env, test.len(), |env| self.run_in(env, test, limits, loaded, observer))
    }

    fn run_in(
        &mut self,
        env: Env<'_>,
        test: &TestCase,
        limits: RunLimits,
        loaded: u32,
        observer: &mut impl Observer,
    ) -> Ended {
        self.catcher.begin();
        let (executed, raised) = self.statements(env, test, observer);
        let exception = env.take_exception();
        let (mut touched, watched) = self.end(env);
        let verdict = match raised {
            None => None,
            Some(Raised::Statement(class)) => Some(Verdict::Threw(class.into(), ThrowOrigin::Statement)),
            Some(Raised::Linkage(class)) if class.as_str() == STOP_CLASS => Some(Verdict::Stopped),
            Some(Raised::Linkage(class)) => Some(Verdict::Threw(class, ThrowOrigin::Jvm)),
            Some(Raised::Pending) => exception.map(|exception| {
                self.catcher.read_frames(env, exception);
                self.judge(env, test, executed, exception)
            }),
        };
        env.clear();
        if self.recorder.is_on() {
            self.recorder.read(&self.jvm, env, &self.interpreter.results(), exception);
        }
        let is_over = watched == Watched::ThrownInto || self.jvm.runtime.stop().is_set(env);
        let mut outcome = if is_over && self.jvm.runtime.has_exited(env) {
            touched = touched.union(Touched::EXIT);
            Outcome::Exited
        } else if is_over {
            Outcome::TimedOut
        } else {
            match verdict {
                None => Outcome::Passed,
                Some(Verdict::Threw(class, origin)) => {
                    Outcome::Threw(Thrown { position: executed, class, origin })
                }
                Some(Verdict::Stopped | Verdict::Exhausted) => Outcome::TimedOut,
            }
        };
        let (cost, steps) = self.interpreter.cost(&self.jvm, env, executed, limits.steps);
        if matches!(outcome, Outcome::Passed | Outcome::Threw(_)) {
            // What a run that is logged takes tells nothing of the time that others need.
            if !self.recorder.is_on() {
                self.limits.end_test();
            }
            let has_written = !self.interpreter.static_writes().is_empty();
            if !self.mutants.is_selected() && !has_written && steps > self.limits.brief.steps {
                self.isolation.learn_caches(&self.jvm, env);
            }
        }
        if self.jvm.process().folder.is_given(test) {
            touched = touched.union(Touched::FILE_READ);
        }
        let (told, runs_on) = self.restore(env, touched);
        touched = touched.union(told);
        if runs_on && watched == Watched::Ended {
            outcome = Outcome::TimedOut;
        }
        let loads = self.jvm.transformer().loaded() != loaded;
        let starter = self.jvm.process().waiting.starter();
        let end = End { watched, loads, runs_on, executed, starter };
        self.charge(test, end, outcome == Outcome::Passed);
        Ended { outcome, executed, touched, steps, cost, stalled: end.is_stalled() }
    }

    /// Runs statements up to the first that does not complete; gives how many did, and why the next did not.
    fn statements(
        &mut self,
        env: Env<'_>,
        test: &TestCase,
        observer: &mut impl Observer,
    ) -> (usize, Option<Raised>) {
        self.interpreter.run(
            &self.jvm,
            env,
            test,
            (self.recording.values(), &mut self.recorder, &self.slot),
            observer,
        )
    }

    /// Judges an exception that the statement at a position let through, and notes it for who asks for exceptions.
    fn judge(&mut self, env: Env<'_>, test: &TestCase, position: usize, exception: Ref<'_>) -> Verdict {
        let verdict = self.catcher.judge(&self.jvm, env, exception);
        if matches!(&verdict, Verdict::Threw(class, ThrowOrigin::Jvm) if Refusal::is_by(class)) {
            let said = describe(env, exception);
            self.note_refusal(&said);
        }
        if let (false, Verdict::Threw(class, origin), Some(statement)) =
            (self.mutants.is_selected(), &verdict, test.statements().get(position))
        {
            let world = (&self.jvm, env, &**self.interpreter.cluster());
            self.catcher.note(world, statement, (exception, class, *origin));
        }
        verdict
    }

    /// Notes what an error says if it refuses a class; gives whether it does.
    fn note_refusal(&mut self, error: &str) -> bool {
        let transformer = self.jvm.transformer();
        self.health.note_refusal(error, |refusal| {
            transformer.is_as_compiled(&refusal.class, refusal.method.as_deref())
        })
    }

    /// Sets back what a run changed; gives what that tells about the run, and whether threads of it ran on.
    fn restore(&mut self, env: Env<'_>, touched: Touched) -> (Touched, bool) {
        self.isolation.restore(&self.jvm, env, touched, self.interpreter.static_writes())
    }

    /// Charges a run that had to be ended, or that left the process short of memory.
    fn charge(&mut self, test: &TestCase, end: End, has_passed: bool) {
        if let Some((position, severity)) = end.blame() {
            self.note_fault(test, position, severity);
        }
        if self.health.look_at_memory(has_passed) {
            self.note_fault(test, end.executed, Severity::Damaging);
        }
        self.raise_alarms();
    }

    /// A run had to be ended at this statement. What runs of mutants do is nobody's fault, nor what runs do that take longer
    /// since they are logged.
    fn note_fault(&mut self, test: &TestCase, position: usize, severity: Severity) {
        if !self.mutants.is_selected() && !self.recorder.is_on() {
            let fault = Fault { test: test.clone(), position, severity };
            self.limits.note_fault(fault, self.interpreter.cluster());
        }
    }

    /// Nobody asks about the last run.
    fn discard_trace(&mut self) {
        self.recording.discard(self.jvm.env());
    }
}

/// Runs what a test does, of so many variables, in a method of the test class if there is one.
fn as_test<R>(frame: Option<TestFrame>, env: Env<'_>, variables: usize, run: impl FnOnce(Env<'_>) -> R) -> R {
    let within = |env: Env<'_>| env.frame(variables + SPARE_REFERENCES, run);
    match frame {
        Some(frame) => frame.run(env, within),
        None => within(env),
    }
}

impl Executor for JvmExecutor {
    fn execute(&mut self, test: &TestCase, request: &RunRequest, result: &mut ExecutionResult) {
        self.recording.ask_for(request.outcomes.as_ref());
        self.recorder.ask_for(&self.jvm, &mut self.health, request.recording);
        if !request.is_brief {
            Isolation::settle(&self.jvm);
        }
        self.catcher.ask_for_frames(self.jvm.env(), request.frames);
        self.execute_within(test, request, result);
        result.frames = self.catcher.take_frames();
    }

    fn execute_in_order(
        &mut self,
        tests: &[&TestCase],
        request: &RunRequest,
        trace: &mut ExecutionTrace,
    ) -> Option<Vec<usize>> {
        self.recording.ask_for(request.outcomes.as_ref());
        self.recorder.ask_for(&self.jvm, &mut self.health, false);
        self.run_in_order(tests, trace)
    }

    fn exceptions(&self) -> &[SeenException] {
        self.catcher.seen()
    }

    fn observe(&mut self, test: &TestCase, points: &[ObservationPoint]) -> Observations {
        self.observed(test, points, false)
    }

    fn observe_lasting(&mut self, test: &TestCase, points: &[ObservationPoint]) -> Observations {
        self.observed(test, points, true)
    }

    fn observe_with_other_identities(
        &mut self,
        test: &TestCase,
        points: &[ObservationPoint],
    ) -> Option<Observations> {
        self.observe_again(test, points)
    }

    fn observe_mutants(
        &mut self,
        test: &TestCase,
        infections: &[OutcomeId],
        points: &[ObservationPoint],
    ) -> Vec<Observations> {
        self.recorder.ask_for(&self.jvm, &mut self.health, false);
        Isolation::settle(&self.jvm);
        self.observe_each(test, infections, points)
    }
}
