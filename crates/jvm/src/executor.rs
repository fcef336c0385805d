//! Runs test cases: the [`Executor`] of the real JVM.

use std::fmt;
use std::sync::Arc;

use bytecode::descriptor::ErasedType;
use bytecode::instrument::{STOP_CLASS, StaticFields};
use bytecode::name::ClassName;
use bytecode::probe_layout::ProbeLayout;
use testcase::assertion::{ObservationPoint, ObservationTarget, ObservedValue};
use testcase::cluster::{CallableId, TestCluster, TypeId};
use testcase::execution::{
    ExecutionResult, ExecutionTrace, Executor, Observations, Outcome, ThrowOrigin, Thrown, Touched,
};
use testcase::statement::Statement;
use testcase::test_case::TestCase;

use crate::agent::Agent;
use crate::boot::{Sizes, boot};
use crate::checkpoint::Checkpoints;
use crate::error::JvmError;
use crate::initializers::Initializers;
use crate::jdk::Jdk;
use crate::jni::{Env, jvalue};
use crate::lower::{Raised, Run, StaticWrite, lower};
use crate::observe::observe;
use crate::options::JvmOptions;
use crate::reset::{JvmState, forget_hosts};
use crate::resolve::{Handles, Resolution};
use crate::runtime::{Runtime, describe_pending};
use crate::shared::SlotWriter;
use crate::statics::Statics;
use crate::strings::Strings;
use crate::threads::Threads;
use crate::thrown::{Judge, Verdict};
use crate::trace_reader::TraceReader;
use crate::transform::{GoalClass, Transformer};
use crate::vm::Vm;
use crate::watchdog::{Patience, Watchdog, Watched};

/// Local references that a run needs beside its variables.
const SPARE_REFERENCES: usize = 48;

/// Runs test cases in the JVM of this process, on the thread that started it.
pub struct JvmExecutor {
    vm: Vm,
    agent: Agent,
    runtime: Runtime,
    jdk: Jdk,
    cluster: Arc<TestCluster>,
    handles: Handles,
    reader: TraceReader,
    initializers: Initializers,
    judge: Judge,
    state: JvmState,
    statics: Statics,
    checkpoints: Checkpoints,
    strings: Strings,
    threads: Threads,
    watchdog: Watchdog,
    slot: Option<SlotWriter>,
    buffers: Buffers,
    full: RunLimits,
    brief: RunLimits,
    check_references: bool,
    is_tainted: bool,
    /// Whether the state of the JDK that few classes can change is set back as well.
    has_rare_state: bool,
    diagnostics: Vec<String>,
}

/// What ends a run.
#[derive(Debug, Clone, Copy)]
struct RunLimits {
    steps: i32,
    patience: Patience,
}

impl RunLimits {
    fn new(steps: u32, patience: Patience) -> Self {
        Self { steps: i32::try_from(steps).unwrap_or(i32::MAX), patience }
    }
}

/// Vectors reused from run to run.
#[derive(Default)]
struct Buffers {
    variables: Vec<jvalue>,
    types: Vec<Option<TypeId>>,
    static_writes: Vec<StaticWrite>,
    /// For runs whose trace nobody asks for.
    trace: ExecutionTrace,
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
        let booted = boot(options, Transformer::new(classes, statics), sizes)?;
        let trace = ExecutionTrace::new(layout.probes(), layout.outcomes());
        let mut executor = Self {
            vm: booted.vm,
            agent: booted.agent,
            runtime: booted.runtime,
            jdk: booted.jdk,
            state: booted.state,
            threads: booted.threads,
            watchdog: booted.watchdog,
            diagnostics: booted.diagnostics,
            handles: Handles::new(&cluster, layout.classes()),
            cluster,
            initializers: Initializers::new(&layout),
            reader: TraceReader::new(booted.arrays, layout),
            judge: Judge::default(),
            statics: Statics::default(),
            checkpoints: Checkpoints::default(),
            strings: Strings::default(),
            slot: None,
            buffers: Buffers { trace, ..Buffers::default() },
            full: RunLimits::new(options.steps, Patience::Long),
            brief: RunLimits::new(options.brief_steps.min(options.steps), Patience::Short),
            check_references: options.check_references,
            is_tainted: false,
            has_rare_state: false,
        };
        executor.initialize_goal_classes();
        Ok(executor)
    }

    /// Writes every test into this slot before it runs, so that the parent knows which one a process died of.
    pub fn set_slot(&mut self, slot: SlotWriter) {
        self.slot = Some(slot);
    }

    /// Whether the JVM may be damaged (an exception was thrown into the JDK, or threads could not be ended): the
    /// process should report what it has and be replaced.
    pub fn is_tainted(&self) -> bool {
        self.is_tainted || self.threads.are_too_many()
    }

    /// What could not be done as it should since the last call, one sentence each.
    pub fn take_diagnostics(&mut self) -> Vec<String> {
        let mut diagnostics = std::mem::take(&mut self.diagnostics);
        diagnostics.extend(self.vm.process.transformer.take_diagnostics());
        diagnostics
    }

    /// Initializes the classes with goals, one after the other, and keeps what that covers.
    fn initialize_goal_classes(&mut self) {
        let classes: Vec<ClassName> = self.reader.layout().classes().to_vec();
        for (index, class) in (0..).zip(classes) {
            let erased = ErasedType::Class(class.clone());
            let failure = self.guarded(|executor, env| {
                executor.jdk.load(env, &erased, true).is_err().then(|| describe_pending(env))
            });
            if let Some(reason) = failure {
                self.diagnostics.push(format!("{} cannot be initialized: {reason}", class.binary()));
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

    /// Runs code that is no test, under the same limits and with the same clock.
    fn guarded<R>(&mut self, run: impl FnOnce(&mut Self, Env<'_>) -> R) -> R {
        let env = self.vm.env();
        self.begin(env, self.full);
        let result = env.frame(SPARE_REFERENCES, |env| run(self, env));
        self.end(env);
        result
    }

    fn begin(&mut self, env: Env<'_>, limits: RunLimits) {
        if self.runtime.begin(env, limits.steps).is_err() {
            env.clear();
        }
        self.vm.process.begin_run(env);
        self.watchdog.begin(limits.patience);
    }

    /// Ends the limits of a run; gives what it touched and whether it must not be believed.
    fn end(&mut self, env: Env<'_>) -> (Touched, bool) {
        let watched = self.watchdog.end();
        let touched = self.vm.process.end_run();
        self.runtime.end(env);
        if watched == Watched::Ended {
            return (touched, false);
        }
        // The exception may still be on its way: a call gives it the chance to arrive.
        self.runtime.drain(env);
        self.is_tainted = true;
        (touched, true)
    }

    /// Looks up what a test needs. This initializes classes, which must not happen in the middle of a test: it
    /// happens only once.
    fn prepare(&mut self, test: &TestCase) {
        for statement in test.statements() {
            match statement {
                Statement::Primitive { .. } | Statement::Null { .. } => {}
                Statement::Constructor { callable, .. } | Statement::Method { callable, .. } => {
                    self.prepare_callable(*callable);
                }
                Statement::EnumConstant { field }
                | Statement::FieldRead { field, .. }
                | Statement::FieldWrite { field, .. } => {
                    if matches!(self.handles.field(*field), Resolution::Open) {
                        let (id, cluster) = (*field, Arc::clone(&self.cluster));
                        self.guarded(|it, env| it.handles.resolve_field(env, &it.jdk, &cluster, id));
                    }
                }
                Statement::ClassLiteral { class, .. } => self.prepare_type(*class),
                Statement::Array { of, .. } => self.prepare_type(*of),
                Statement::ArrayWrite { array, .. } => {
                    if let Some(of) = test.variable_type(&self.cluster, *array) {
                        self.prepare_type(of);
                    }
                }
                Statement::Stub { stub, .. } => {
                    if matches!(self.handles.stub(*stub), Resolution::Open) {
                        let (id, cluster) = (*stub, Arc::clone(&self.cluster));
                        self.guarded(|it, env| {
                            let transformer = &it.vm.process.transformer;
                            it.handles.resolve_stub(env, &it.jdk, transformer, &cluster, id);
                        });
                    }
                }
            }
        }
    }

    fn prepare_callable(&mut self, id: CallableId) {
        if matches!(self.handles.callable(id), Resolution::Open) {
            let cluster = Arc::clone(&self.cluster);
            self.guarded(|it, env| it.handles.resolve_callable(env, &it.jdk, &cluster, id));
        }
    }

    fn prepare_type(&mut self, id: TypeId) {
        if matches!(self.handles.ty(id), Resolution::Open) {
            let cluster = Arc::clone(&self.cluster);
            self.guarded(|it, env| it.handles.resolve_type(env, &it.jdk, &cluster, id));
        }
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
        self.prepare(test);
        self.strings.tidy(self.vm.env());
        self.take_checkpoints();
        let loaded = self.vm.process.transformer.loaded();
        let mut ended = self.run_once(test, limits, &mut after);
        if ended.touched != Touched::default() && self.vm.process.transformer.loaded() != loaded {
            self.discard_trace();
            ended = self.run_once(test, limits, &mut after);
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
        self.begin(env, limits);
        let mut buffers = std::mem::take(&mut self.buffers);
        let ended =
            env.frame(test.len() + SPARE_REFERENCES, |env| self.run_in(env, test, &mut buffers, after));
        self.buffers = buffers;
        ended
    }

    fn run_in(
        &mut self,
        env: Env<'_>,
        test: &TestCase,
        buffers: &mut Buffers,
        after: impl FnMut(&Run<'_, '_>, usize),
    ) -> Ended {
        let (executed, raised) = self.statements(env, test, buffers, after);
        let exception = env.take_exception();
        let (mut touched, is_unbelievable) = self.end(env);
        let verdict = match raised {
            None => None,
            Some(Raised::Statement(class)) => Some(Verdict::Threw(class.into(), ThrowOrigin::Statement)),
            Some(Raised::Linkage(class)) if class.as_str() == STOP_CLASS => Some(Verdict::Stopped),
            Some(Raised::Linkage(class)) => Some(Verdict::Threw(class, ThrowOrigin::Jvm)),
            Some(Raised::Pending) => {
                exception.map(|exception| self.judge.judge(env, &self.jdk, &self.runtime, exception))
            }
        };
        env.clear();
        let is_over = is_unbelievable || self.runtime.stop().is_set(env);
        let outcome = if is_over && self.runtime.has_exited(env) {
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
        touched = touched.union(self.restore(env, touched, buffers));
        Ended { outcome, executed, touched }
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
        let mut run = Run {
            env,
            jdk: &self.jdk,
            cluster: &self.cluster,
            handles: &self.handles,
            strings: &mut self.strings,
            variables: &mut buffers.variables,
            types: &mut buffers.types,
            static_writes: &mut buffers.static_writes,
            log_length: &|env| Statics::log_length(env, runtime),
            check_references: self.check_references,
        };
        for (position, statement) in test.statements().iter().enumerate() {
            match lower(&mut run, statement) {
                Ok(value) => {
                    run.variables.push(value);
                    run.types.push(run.cluster.type_of(statement));
                    after(&run, position);
                }
                Err(raised) => return (position, Some(raised)),
            }
        }
        (test.len(), None)
    }

    /// Sets back what the run changed; gives what that tells about the run.
    fn restore(&mut self, env: Env<'_>, touched: Touched, buffers: &mut Buffers) -> Touched {
        if touched.intersects(Touched::THREAD) {
            self.threads.end(env, self.agent, self.runtime.stop());
        }
        let transformer = &self.vm.process.transformer;
        self.checkpoints.restore(env);
        self.statics.restore(env, &self.jdk, &self.runtime, transformer, &mut buffers.static_writes);
        if touched.intersects(Touched::NETWORK) {
            forget_hosts(env);
        }
        let told = self.state.restore(env, &self.runtime);
        env.clear();
        told
    }

    fn execute_within(&mut self, test: &TestCase, limits: RunLimits, result: &mut ExecutionResult) {
        result.trace.clear();
        let ended = self.run(test, limits, |_, _| ());
        self.read_trace(test, ended.executed, &mut result.trace);
        result.outcome = ended.outcome;
        result.executed = ended.executed;
        result.touched = ended.touched;
    }

    /// Reads the trace of a run that nobody asks about.
    fn discard_trace(&mut self) {
        let mut trace = std::mem::take(&mut self.buffers.trace);
        trace.clear();
        self.reader.read(self.vm.env(), &mut trace);
        self.buffers.trace = trace;
    }

    /// Reads the trace of the last run, with what the initializers of the classes in use cover.
    fn read_trace(&mut self, test: &TestCase, executed: usize, trace: &mut ExecutionTrace) {
        self.reader.read(self.vm.env(), trace);
        self.initializers.begin();
        for statement in test.statements().iter().take(executed + 1) {
            let class = match statement {
                Statement::Constructor { callable, .. } | Statement::Method { callable, .. } => {
                    match self.handles.callable(*callable) {
                        Resolution::Found(handle) => handle.goal_class,
                        Resolution::Open | Resolution::Failed(_) => None,
                    }
                }
                Statement::EnumConstant { field }
                | Statement::FieldRead { field, .. }
                | Statement::FieldWrite { field, .. } => match self.handles.field(*field) {
                    Resolution::Found(handle) => handle.goal_class,
                    Resolution::Open | Resolution::Failed(_) => None,
                },
                Statement::Primitive { .. }
                | Statement::Null { .. }
                | Statement::ClassLiteral { .. }
                | Statement::Array { .. }
                | Statement::ArrayWrite { .. } => None,
                Statement::Stub { stub, .. } => match self.handles.stub(*stub) {
                    Resolution::Found(handle) => handle.constructor.goal_class,
                    Resolution::Open | Resolution::Failed(_) => None,
                },
            };
            self.initializers.note(class);
        }
        self.initializers.add_to(trace, self.reader.layout());
    }
}

impl Executor for JvmExecutor {
    fn execute(&mut self, test: &TestCase, result: &mut ExecutionResult) {
        self.checkpoints.settle(self.vm.env());
        self.execute_within(test, self.full, result);
    }

    fn execute_briefly(&mut self, test: &TestCase, result: &mut ExecutionResult) {
        self.execute_within(test, self.brief, result);
    }

    fn observe(&mut self, test: &TestCase, points: &[ObservationPoint]) -> Observations {
        self.checkpoints.settle(self.vm.env());
        for point in points {
            match point.target {
                ObservationTarget::Inspector(_, inspector) => self.prepare_callable(inspector),
                ObservationTarget::Value(_) | ObservationTarget::Same(..) => {}
            }
        }
        let mut values: Vec<Option<ObservedValue>> = vec![None; points.len()];
        let mut next = 0;
        let ended = self.run(test, self.full, |run, position| {
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
        self.discard_trace();
        Observations { outcome: ended.outcome, values }
    }
}
