//! Runs test cases: the [`Executor`] of the real JVM.

mod counters;
mod ended_runs;
mod identities;
mod limits;
mod meter;
mod mutant_runs;
mod native_memory;
mod refusals;
mod requested_runs;
mod row;
mod statistics;
mod traces;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytecode::descriptor::ErasedType;
use bytecode::instrument::{GoalClass, STOP_CLASS, StaticFields};
use bytecode::name::ClassName;
use bytecode::probe_layout::ProbeLayout;
use bytecode::probe_map::{OutcomeId, ProbeId};
use testcase::assertion::ObservationPoint;
use testcase::cluster::{CallableId, FieldId, TestCluster, TypeId};
use testcase::execution::{
    Cost, ExecutionResult, ExecutionTrace, Executor, Observations, Outcome, SeenException, StackFrame,
    ThrowOrigin, Thrown, Touched,
};
use testcase::run_request::{MutantTarget, RunRequest};
use testcase::statement::Statement;
use testcase::test_case::TestCase;

use self::limits::{RunLimits, TimeLimit};
use self::meter::CostMeter;
use self::native_memory::NativeMemory;
use self::row::Row;
pub use self::statistics::Statistics;
use crate::agent::Agent;
use crate::boot::{Sizes, boot};
use crate::caches::Caches;
use crate::carried::CarriedPoints;
use crate::checkpoint::Checkpoints;
use crate::error::JvmError;
use crate::exceptions::Exceptions;
use crate::faults::{Fault, Faults, Severity};
use crate::initializers::Initializers;
use crate::jdk::Jdk;
use crate::jni::{Env, Ref, jvalue};
use crate::lower::{Raised, Run, StaticWrite, lower};
use crate::mutants::{IdlePoints, Mutants};
use crate::options::JvmOptions;
use crate::refusal::Refusal;
use crate::reset::{JvmState, forget_hosts};
use crate::resolve::{Handles, Resolution};
use crate::runtime::{Runtime, describe, describe_pending};
use crate::shared::SlotWriter;
use crate::signatures::Signatures;
use crate::stack::{FRAME_REFERENCES, StackReader};
use crate::statics::Statics;
use crate::strings::Strings;
use crate::test_frame::TestFrame;
use crate::threads::Threads;
use crate::thrown::{Judge, Verdict};
use crate::trace_reader::TraceReader;
use crate::transform::Transformer;
use crate::values::ValueRecorder;
use crate::vm::Vm;
use crate::watchdog::{Patience, Watchdog, Watched};

/// Local references that a run needs beside its variables.
const SPARE_REFERENCES: usize = 48;

/// Runs test cases in the JVM of this process, on the thread that started it.
#[expect(
    clippy::struct_excessive_bools,
    reason = "options and states that have nothing to do with each other"
)]
pub struct JvmExecutor {
    vm: Vm,
    agent: Agent,
    runtime: Runtime,
    jdk: Jdk,
    test_frame: Option<TestFrame>,
    test_class: ClassName,
    cluster: Arc<TestCluster>,
    handles: Handles,
    reader: TraceReader,
    initializers: Initializers,
    signatures: Signatures,
    judge: Judge,
    state: JvmState,
    statics: Statics,
    caches: Caches,
    checkpoints: Checkpoints,
    strings: Strings,
    values: ValueRecorder,
    threads: Threads,
    watchdog: Watchdog,
    slot: Option<SlotWriter>,
    buffers: Buffers,
    full: RunLimits,
    brief: RunLimits,
    /// For code that is no test.
    initial: RunLimits,
    time_limit: TimeLimit,
    native_memory: NativeMemory,
    faults: Faults,
    /// Faults that nobody has been told of.
    news: Vec<Fault>,
    /// Raised when the JVM may be damaged.
    alarms: Vec<Arc<AtomicBool>>,
    check_references: bool,
    is_tainted: bool,
    /// Whether the state of the JDK that few classes can change is set back as well.
    has_rare_state: bool,
    diagnostics: Vec<String>,
    /// Classes that the JVM refused, since the last look.
    refusals: Vec<Refusal>,
    /// Made when a stack trace is first asked for.
    stacks: Option<StackReader>,
    exceptions: Exceptions,
    mutants: Mutants,
    /// Those of the outcomes that cost time which the last run was asked for; `None` for all.
    outcomes: Option<Arc<[OutcomeId]>>,
    idle_points: IdlePoints,
    carried: CarriedPoints,
    statistics: Statistics,
    /// Whether a mutant is selected: what its runs do is nobody's fault.
    is_mutated: bool,
    /// Probe of the exception that ended the last run.
    thrown: Option<ProbeId>,
    /// Whether a counter may have grown in the last run while classes were initialized.
    has_grown_counters: bool,
    /// Runs with identity hash codes of our choice so far.
    other_identities: u32,
    /// Where the stack trace of the run goes, while one is asked for.
    frames: Option<Vec<StackFrame>>,
}

/// Vectors reused from run to run.
#[derive(Default)]
struct Buffers {
    variables: Vec<jvalue>,
    types: Vec<Option<TypeId>>,
    static_writes: Vec<StaticWrite>,
    /// For runs whose trace nobody asks for.
    trace: ExecutionTrace,
    meter: CostMeter,
}

impl fmt::Debug for JvmExecutor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("JvmExecutor").field("is_tainted", &self.is_tainted).finish_non_exhaustive()
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
        let transformer = Transformer::new(classes, statics, options.unwatched.clone());
        let booted = boot(options, transformer, sizes)?;
        let (env, transformer) = (booted.vm.env(), &booted.vm.process.transformer);
        let test_frame = TestFrame::make(env, &booted.jdk, transformer, &options.test_class);
        let trace = ExecutionTrace::new(layout.probes(), layout.outcomes());
        let mut executor = Self {
            vm: booted.vm,
            agent: booted.agent,
            runtime: booted.runtime,
            jdk: booted.jdk,
            test_frame,
            test_class: options.test_class.clone(),
            state: booted.state,
            threads: booted.threads,
            watchdog: booted.watchdog,
            diagnostics: booted.diagnostics,
            handles: Handles::new(&cluster, &layout),
            signatures: Signatures::new(&layout, &cluster),
            cluster,
            initializers: Initializers::new(&layout),
            reader: TraceReader::new(booted.arrays, layout),
            judge: Judge::new(test_frame.map(|frame| frame.class)),
            statics: Statics::default(),
            caches: Caches::default(),
            checkpoints: Checkpoints::default(),
            strings: Strings::default(),
            values: ValueRecorder::default(),
            slot: None,
            buffers: Buffers { trace, ..Buffers::default() },
            full: RunLimits::new(options.steps, Patience::Long),
            brief: RunLimits::new(options.brief_steps.min(options.steps), Patience::Short),
            initial: RunLimits::new(options.steps, Patience::Medium),
            time_limit: TimeLimit::new(options),
            native_memory: NativeMemory::of_this_process(),
            faults: Faults::default(),
            news: Vec::new(),
            alarms: Vec::new(),
            check_references: options.check_references,
            is_tainted: false,
            has_rare_state: false,
            refusals: Vec::new(),
            stacks: None,
            exceptions: Exceptions::default(),
            mutants: Mutants::default(),
            outcomes: None,
            idle_points: IdlePoints::default(),
            carried,
            statistics: Statistics::default(),
            is_mutated: false,
            thrown: None,
            has_grown_counters: false,
            other_identities: 0,
            frames: None,
        };
        executor.signatures.install(executor.vm.env(), &executor.runtime)?;
        executor.initialize_goal_classes();
        Ok(executor)
    }

    /// Writes every test into this slot before it runs, so that the parent knows which one a process died of.
    pub fn set_slot(&mut self, slot: SlotWriter) {
        self.slot = Some(slot);
    }

    /// Watches for exceptions that calls let through ([`Executor::exceptions`]); `known` were seen before, in other
    /// processes.
    pub fn watch_exceptions(&mut self, known: Vec<SeenException>) {
        self.exceptions = Exceptions::watch(self.reader.layout().probes(), known);
    }

    /// Whether the JVM may be damaged (an exception was thrown into the JDK, or threads could not be ended): the
    /// process should report what it has and be replaced.
    pub fn is_tainted(&self) -> bool {
        self.is_tainted || self.threads.are_too_many()
    }

    /// Flags to be raised as soon as [`JvmExecutor::is_tainted`].
    pub fn raise_when_tainted(&mut self, flags: Vec<Arc<AtomicBool>>) {
        self.alarms = flags;
        self.raise_alarms();
    }

    fn raise_alarms(&self) {
        if self.is_tainted() {
            self.alarms.iter().for_each(|alarm| alarm.store(true, Ordering::Release));
        }
    }

    /// Initializes the classes with goals, one after the other, and keeps what that covers.
    fn initialize_goal_classes(&mut self) {
        let classes: Vec<ClassName> = self.reader.layout().classes().to_vec();
        for (index, class) in (0..).zip(classes) {
            let erased = ErasedType::Class(class.clone());
            let (failure, watched) = self.guarded(|executor, env| {
                let is_stopped = |env| executor.runtime.stop().is_set(env);
                let failed = executor.jdk.load(env, &erased, true).is_err();
                failed.then(|| (is_stopped(env), describe_pending(env)))
            });
            match (watched, failure) {
                (Watched::Ended, None) => {}
                (Watched::Ended, Some((false, reason))) if self.note_refusal(&reason) => {}
                (Watched::Ended, Some((false, reason))) => {
                    self.diagnostics.push(format!("{} cannot be initialized: {reason}", class.binary()));
                }
                (Watched::Ended, Some((true, _))) | (Watched::Flagged | Watched::ThrownInto, _) => {
                    self.diagnostics.push(format!("the initializer of {} does not end", class.binary()));
                    // Another JVM would come no further, unless it has other code to run.
                    self.is_tainted = self.refusals.iter().any(|refusal| !refusal.is_as_compiled);
                }
            }
            self.buffers.trace.clear();
            self.reader.read(self.vm.env(), &mut self.buffers.trace);
            self.initializers.keep(index, &self.buffers.trace, self.reader.layout());
        }
    }

    /// Copies what static fields of newly initialized classes reach.
    fn take_checkpoints(&mut self) {
        if !self.has_rare_state && self.vm.process.transformer.has_rare() {
            self.has_rare_state = true;
            self.state.take_rare(self.vm.env());
        }
        let loaded = self.vm.process.transformer.take_own();
        self.checkpoints.take(self.vm.env(), self.agent, &self.jdk, loaded);
    }

    /// Runs code that is no test, under such limits and with the same clock.
    fn guarded<R>(&mut self, run: impl FnOnce(&mut Self, Env<'_>) -> R) -> (R, Watched) {
        let env = self.vm.env();
        self.begin(env, self.initial);
        let result = env.frame(SPARE_REFERENCES, |env| run(self, env));
        let (_, watched) = self.end(env);
        (result, watched)
    }

    fn begin(&mut self, env: Env<'_>, limits: RunLimits) {
        self.values.clear();
        if self.runtime.begin(env, limits.steps).is_err() {
            env.clear();
        }
        self.put_points_to_rest(env);
        self.vm.process.begin_run(env);
        self.watchdog.begin(limits.patience);
    }

    /// Ends the limits of a run; gives what it touched and what the watchdog did.
    fn end(&mut self, env: Env<'_>) -> (Touched, Watched) {
        // tidy: the rest stays what it is
        let watched = match self.watchdog.end() {
            Watched::Ended if self.vm.process.waiting.gave_up() => Watched::Flagged,
            watched => watched,
        };
        let touched = self.vm.process.end_run();
        self.runtime.end(env);
        if watched == Watched::ThrownInto {
            // The exception may still be on its way: a call gives it the chance to arrive.
            self.runtime.drain(env);
            self.is_tainted = true;
        }
        (touched, watched)
    }

    /// Looks up what a test needs. This initializes classes, which must not happen in the middle of a test: it
    /// happens only once. Gives the first statement for which that did not end.
    fn prepare(&mut self, test: &TestCase) -> Option<usize> {
        (0..).zip(test.statements()).find_map(|(position, statement)| {
            if let Some(slot) = &self.slot {
                slot.advance(position);
            }
            (self.prepare_statement(test, statement) != Watched::Ended).then_some(position)
        })
    }

    fn prepare_statement(&mut self, test: &TestCase, statement: &Statement) -> Watched {
        let cluster = Arc::clone(&self.cluster);
        match statement {
            Statement::Primitive { .. } | Statement::Null { .. } => {}
            Statement::Constructor { callable, .. } | Statement::Method { callable, .. } => {
                return self.prepare_callable(*callable);
            }
            Statement::EnumConstant { field }
            | Statement::FieldRead { field, .. }
            | Statement::FieldWrite { field, .. } => {
                return self.prepare_field(*field);
            }
            Statement::ClassLiteral { class, .. } => return self.prepare_type(*class),
            Statement::Array { of, .. } => return self.prepare_type(*of),
            Statement::ArrayWrite { array, .. } => {
                if let Some(of) = test.variable_type(&self.cluster, *array) {
                    return self.prepare_type(of);
                }
            }
            Statement::Stub { stub, .. } => {
                if matches!(self.handles.stub(*stub), Resolution::Open) {
                    let id = *stub;
                    return self
                        .guarded(|it, env| {
                            let transformer = &it.vm.process.transformer;
                            it.handles.resolve_stub(env, &it.jdk, transformer, &cluster, id);
                        })
                        .1;
                }
            }
        }
        Watched::Ended
    }

    fn prepare_callable(&mut self, id: CallableId) -> Watched {
        if !matches!(self.handles.callable(id), Resolution::Open) {
            return Watched::Ended;
        }
        let cluster = Arc::clone(&self.cluster);
        self.guarded(|it, env| it.handles.resolve_callable(env, &it.jdk, &cluster, id)).1
    }

    fn prepare_field(&mut self, id: FieldId) -> Watched {
        if !matches!(self.handles.field(id), Resolution::Open) {
            return Watched::Ended;
        }
        let cluster = Arc::clone(&self.cluster);
        self.guarded(|it, env| it.handles.resolve_field(env, &it.jdk, &cluster, id)).1
    }

    fn prepare_type(&mut self, id: TypeId) -> Watched {
        if !matches!(self.handles.ty(id), Resolution::Open) {
            return Watched::Ended;
        }
        let cluster = Arc::clone(&self.cluster);
        self.guarded(|it, env| it.handles.resolve_type(env, &it.jdk, &cluster, id)).1
    }

    /// Runs a test. `after` is called behind every statement that completed, with its position.
    ///
    /// Classes that a test is the first to use are initialized in it, those of the JDK as well, and initializers
    /// read clocks and properties. So where anything was touched while classes were loaded, the test runs once
    /// more.
    fn run(
        &mut self,
        test: &TestCase,
        limits: RunLimits,
        mut after: impl FnMut(&Run<'_, '_>, usize),
    ) -> Ended {
        if let Some(slot) = &mut self.slot {
            slot.write(test);
        }
        let endless = self.prepare(test);
        for said in self.handles.take_refused() {
            self.note_refusal(&said);
        }
        self.strings.tidy(self.vm.env());
        self.take_checkpoints();
        if let Some(position) = endless {
            self.discard_trace();
            self.note_fault(test, position, Severity::Hopeless);
            self.raise_alarms();
            if let Some(slot) = &mut self.slot {
                slot.clear();
            }
            return Ended::refused();
        }
        self.has_grown_counters = false;
        let loaded = self.vm.process.transformer.loaded();
        let mut ended = self.run_once(test, limits, &mut after);
        if !ended.stalled {
            let has_loaded = self.vm.process.transformer.loaded() != loaded;
            if has_loaded || self.checkpoints.has_followed() {
                self.take_checkpoints();
                self.has_grown_counters = self.checkpoints.has_grown_counters();
            }
            if has_loaded && ended.touched != Touched::default() {
                self.discard_trace();
                self.begin_for_counters();
                ended = self.run_once(test, limits, &mut after);
            }
        }
        if let Some(slot) = &mut self.slot {
            slot.clear();
        }
        ended
    }

    fn run_once(
        &mut self,
        test: &TestCase,
        limits: RunLimits,
        after: impl FnMut(&Run<'_, '_>, usize),
    ) -> Ended {
        let env = self.vm.env();
        let loaded = self.vm.process.transformer.loaded();
        self.time_limit.begin();
        self.begin(env, limits);
        let mut buffers = std::mem::take(&mut self.buffers);
        let ended = as_test(self.test_frame, env, test.len(), |env| {
            self.run_in(env, test, limits, loaded, &mut buffers, after)
        });
        self.buffers = buffers;
        ended
    }

    fn run_in(
        &mut self,
        env: Env<'_>,
        test: &TestCase,
        limits: RunLimits,
        loaded: u32,
        buffers: &mut Buffers,
        after: impl FnMut(&Run<'_, '_>, usize),
    ) -> Ended {
        self.thrown = None;
        let (executed, raised) = self.statements(env, test, buffers, after);
        let exception = env.take_exception();
        let (mut touched, watched) = self.end(env);
        let verdict = match raised {
            None => None,
            Some(Raised::Statement(class)) => Some(Verdict::Threw(class.into(), ThrowOrigin::Statement)),
            Some(Raised::Linkage(class)) if class.as_str() == STOP_CLASS => Some(Verdict::Stopped),
            Some(Raised::Linkage(class)) => Some(Verdict::Threw(class, ThrowOrigin::Jvm)),
            Some(Raised::Pending) => exception.map(|exception| {
                self.read_frames(env, exception);
                self.judge(env, test, executed, exception)
            }),
        };
        env.clear();
        let is_over = watched == Watched::ThrownInto || self.runtime.stop().is_set(env);
        let mut outcome = if is_over && self.runtime.has_exited(env) {
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
        let left = self.runtime.steps_left(env);
        buffers.meter.note(executed, left);
        let steps = limits.steps.saturating_sub(left);
        let waiting = &self.vm.process.waiting;
        let cost = buffers.meter.cost(steps, waiting.charge(), waiting.starter());
        let is_whole = matches!(outcome, Outcome::Passed | Outcome::Threw(_));
        if is_whole {
            self.time_limit.end();
        }
        if is_whole && !self.is_mutated && buffers.static_writes.is_empty() && steps > self.brief.steps {
            self.learn_caches(env);
        }
        let (told, runs_on) = self.restore(env, touched, buffers);
        touched = touched.union(told);
        if runs_on && watched == Watched::Ended {
            outcome = Outcome::TimedOut;
        }
        let loads = self.vm.process.transformer.loaded() != loaded;
        self.charge(test, executed, watched, loads, runs_on);
        self.charge_memory(test, executed, outcome == Outcome::Passed);
        self.raise_alarms();
        Ended { outcome, executed, touched, steps, cost, stalled: runs_on || watched != Watched::Ended }
    }

    /// Judges an exception that the statement at a position let through, and notes it for who asks for exceptions.
    fn judge(&mut self, env: Env<'_>, test: &TestCase, position: usize, exception: Ref<'_>) -> Verdict {
        let verdict = self.judge.judge(env, &self.jdk, &self.runtime, exception);
        if matches!(&verdict, Verdict::Threw(class, ThrowOrigin::Jvm) if Refusal::is_by(class)) {
            let said = describe(env, exception);
            self.note_refusal(&said);
        }
        if let (false, Verdict::Threw(class, origin), Some(statement)) =
            (self.is_mutated, &verdict, test.statements().get(position))
        {
            let thrown = (exception, class, *origin);
            self.thrown = self.exceptions.note((env, &self.jdk, &self.cluster), statement, thrown);
        }
        verdict
    }

    /// Looks at what a run that took more steps than a brief one has wrote to static fields.
    fn learn_caches(&mut self, env: Env<'_>) {
        let transformer = &self.vm.process.transformer;
        let logged = self.statics.logged(env, &self.jdk, &self.runtime, transformer);
        env.clear();
        if let Some(logged) = logged {
            self.caches.learn(env, &logged);
        }
    }

    /// Reads the stack trace of an exception if one is asked for, down to the test. What cannot be read is missing.
    fn read_frames(&mut self, env: Env<'_>, exception: Ref<'_>) {
        let (Some(frames), Some(stacks)) = (&mut self.frames, &self.stacks) else { return };
        *frames = env.frame(FRAME_REFERENCES, |env| stacks.read(env, exception)).unwrap_or_default();
        frames.retain(|frame| frame.class != self.test_class);
        env.clear();
    }

    /// Runs statements up to the first that does not complete; gives how many did, and why the next did not.
    fn statements(
        &mut self,
        env: Env<'_>,
        test: &TestCase,
        buffers: &mut Buffers,
        mut after: impl FnMut(&Run<'_, '_>, usize),
    ) -> (usize, Option<Raised>) {
        buffers.variables.clear();
        buffers.types.clear();
        let runtime = &self.runtime;
        let meter = &mut buffers.meter;
        meter.start(runtime.steps_left(env));
        let mut run = Run {
            env,
            jdk: &self.jdk,
            cluster: &self.cluster,
            handles: &self.handles,
            strings: &mut self.strings,
            variables: &mut buffers.variables,
            types: &mut buffers.types,
            static_writes: &mut buffers.static_writes,
            values: &mut self.values,
            runtime,
            log_length: &|env| Statics::log_length(env, runtime),
            check_references: self.check_references,
        };
        let mut calling = 0;
        for (position, statement) in test.statements().iter().enumerate() {
            if let Some(slot) = &self.slot {
                slot.advance(position);
            }
            self.vm.process.waiting.reach(position);
            let called = self.signatures.called_by(statement);
            if called != calling {
                calling = called;
                runtime.set_calling(env, called);
            }
            match lower(&mut run, statement) {
                Ok(value) => {
                    run.variables.push(value);
                    run.types.push(run.cluster.type_of(statement));
                    meter.note(position, runtime.steps_left(env));
                    after(&run, position);
                }
                Err(raised) => return (position, Some(raised)),
            }
        }
        (test.len(), None)
    }

    /// Sets back what the run changed; gives what that tells about the run, and whether threads of it ran on.
    fn restore(&mut self, env: Env<'_>, touched: Touched, buffers: &mut Buffers) -> (Touched, bool) {
        let runs_on =
            touched.intersects(Touched::THREAD) && self.threads.end(env, self.agent, self.runtime.stop());
        if touched.intersects(Touched::THREAD) && self.threads.has_ended_all() {
            self.vm.process.waiting.is_alone();
        }
        let transformer = &self.vm.process.transformer;
        self.checkpoints.restore(env, self.agent, transformer.has_own());
        self.statics.restore(env, &self.jdk, &self.runtime, transformer, &mut buffers.static_writes);
        if touched.intersects(Touched::NETWORK) {
            forget_hosts(env);
        }
        let told = self.state.restore(env, &self.runtime);
        env.clear();
        (told, runs_on)
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
        self.record_outcomes(request.outcomes.as_ref());
        if !request.is_brief {
            self.checkpoints.settle(self.vm.env(), self.agent);
        }
        self.find_frames(request.frames);
        self.execute_within(test, request, result);
        result.frames = self.frames.take().unwrap_or_default();
    }

    fn execute_in_order(
        &mut self,
        tests: &[&TestCase],
        request: &RunRequest,
        trace: &mut ExecutionTrace,
    ) -> Option<Vec<usize>> {
        self.record_outcomes(request.outcomes.as_ref());
        trace.clear();
        // All have run alone, so that their classes are there.
        if tests.iter().any(|test| self.faults.is_fatal(test) || self.prepare(test).is_some()) {
            return None;
        }
        let env = self.vm.env();
        self.strings.tidy(env);
        self.take_checkpoints();
        self.checkpoints.settle(env, self.agent);
        self.caches.empty(env);
        let count = i32::try_from(tests.len()).unwrap_or(i32::MAX);
        self.begin(env, RunLimits { steps: self.full.steps.saturating_mul(count), ..self.full });
        let mut buffers = std::mem::take(&mut self.buffers);
        let statements: usize = tests.iter().map(|test| test.len()).sum();
        let Row { completed, thrown, is_whole } =
            as_test(self.test_frame, env, statements, |env| self.row(env, tests, &mut buffers));
        self.buffers = buffers;
        self.raise_alarms();
        if let Some(slot) = &mut self.slot {
            slot.clear();
        }
        self.reader.read(self.vm.env(), trace);
        self.values.take(trace);
        self.initializers.begin();
        for (test, &executed) in tests.iter().zip(&completed) {
            self.note_initializers(test, executed);
        }
        self.initializers.add_to(trace, self.reader.layout());
        for probe in thrown {
            trace.record_hits(probe, 1);
        }
        is_whole.then_some(completed)
    }

    fn exceptions(&self) -> &[SeenException] {
        self.exceptions.seen()
    }

    fn observe(&mut self, test: &TestCase, points: &[ObservationPoint]) -> Observations {
        self.checkpoints.settle(self.vm.env(), self.agent);
        if !self.can_observe(test, points) {
            return Observations { outcome: Outcome::TimedOut, values: vec![None; points.len()] };
        }
        self.caches.fill(self.vm.env());
        let (ended, values) = self.run_observed(test, self.full, points);
        self.discard_trace();
        if self.begin_for_counters() {
            // What is read at the points may draw numbers as well.
            self.run_observed(test, self.full, points);
            self.discard_trace();
        }
        Observations { outcome: ended.outcome, values }
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
        mutants: &[MutantTarget],
        points: &[ObservationPoint],
    ) -> Vec<Observations> {
        self.checkpoints.settle(self.vm.env(), self.agent);
        self.observe_each(test, mutants, points)
    }
}
