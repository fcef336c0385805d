//! Runs the statements of a test, one after the other, with what their ids were looked up as.

use std::sync::Arc;

use bytecode::probe_layout::ProbeLayout;
use testcase::cluster::{CallableId, CallableKind, FieldId, StubId, TestCluster, TypeId};
use testcase::execution::Cost;
use testcase::statement::Statement;
use testcase::test_case::TestCase;

use super::meter::CostMeter;
use super::recorder::Recorder;
use super::slot::Slot;
use crate::boot::Jvm;
use crate::error::JvmError;
use crate::jni::{Env, Kind, jvalue};
use crate::lower::{Raised, Run, RunException, StaticWrite, lower};
use crate::resolve::{GoalClassIndex, Handles, Resolution};
use crate::runtime::Runtime;
use crate::signatures::Signatures;
use crate::statics::Statics;
use crate::strings::{Fresh, Strings};
use crate::values::ValueRecorder;

/// Something that a statement uses and that has to be looked up before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Used {
    Callable(CallableId),
    Field(FieldId),
    Type(TypeId),
    Stub(StubId),
}

/// Looks at a run between its statements.
pub(super) trait Observer {
    /// Whether it looks at what a statement that throws leaves.
    const LOOKS_BEHIND_EXCEPTIONS: bool;

    /// A run begins.
    fn begin(&mut self, _: &Runtime, _: Env<'_>) {}

    /// The statement at this position completed, or threw.
    fn look(&mut self, run: &Run<'_, '_>, position: usize);
}

/// Nobody looks.
impl Observer for () {
    const LOOKS_BEHIND_EXCEPTIONS: bool = false;

    fn look(&mut self, _: &Run<'_, '_>, _: usize) {}
}

/// Runs statements. Its vectors are reused from run to run.
pub(super) struct Interpreter {
    cluster: Arc<TestCluster>,
    handles: Handles,
    signatures: Signatures,
    strings: Strings,
    /// Whether references are checked even where their types prove them.
    check_references: bool,
    variables: Vec<jvalue>,
    types: Vec<Option<TypeId>>,
    static_writes: Vec<StaticWrite>,
    meter: CostMeter,
}

impl Interpreter {
    /// For tests of this cluster; nothing is looked up yet.
    pub(super) fn new(cluster: Arc<TestCluster>, layout: &ProbeLayout, check_references: bool) -> Self {
        Self {
            handles: Handles::new(&cluster, layout),
            signatures: Signatures::new(layout, &cluster),
            cluster,
            strings: Strings::default(),
            check_references,
            variables: Vec::new(),
            types: Vec::new(),
            static_writes: Vec::new(),
            meter: CostMeter::default(),
        }
    }

    /// Tells probes which methods tests may call.
    pub(super) fn install(&self, jvm: &Jvm) -> Result<(), JvmError> {
        self.signatures.install(jvm.env(), &jvm.runtime)
    }

    /// What tests may use.
    pub(super) fn cluster(&self) -> &Arc<TestCluster> {
        &self.cluster
    }

    /// What a statement of a test uses.
    fn used(&self, test: &TestCase, statement: &Statement) -> Option<Used> {
        match statement {
            Statement::Primitive { .. } | Statement::Null { .. } => None,
            Statement::Constructor { callable, .. } | Statement::Method { callable, .. } => {
                Some(Used::Callable(*callable))
            }
            Statement::EnumConstant { field }
            | Statement::FieldRead { field, .. }
            | Statement::FieldWrite { field, .. } => Some(Used::Field(*field)),
            Statement::ClassLiteral { class, .. } => Some(Used::Type(*class)),
            Statement::Array { of, .. } => Some(Used::Type(*of)),
            Statement::ArrayWrite { array, .. } => test.variable_type(&self.cluster, *array).map(Used::Type),
            Statement::Stub { stub, .. } => Some(Used::Stub(*stub)),
        }
    }

    /// Whether something has not been looked up yet.
    pub(super) fn is_open(&self, used: Used) -> bool {
        match used {
            Used::Callable(id) => matches!(self.handles.callable(id), Resolution::Open),
            Used::Field(id) => matches!(self.handles.field(id), Resolution::Open),
            Used::Type(id) => matches!(self.handles.ty(id), Resolution::Open),
            Used::Stub(id) => matches!(self.handles.stub(id), Resolution::Open),
        }
    }

    /// What a statement of a test uses and has not been looked up yet.
    pub(super) fn open(&self, test: &TestCase, statement: &Statement) -> Option<Used> {
        self.used(test, statement).filter(|used| self.is_open(*used))
    }

    /// Looks something up, which initializes its class.
    pub(super) fn look_up(&mut self, jvm: &Jvm, env: Env<'_>, used: Used) {
        let (handles, cluster) = (&mut self.handles, &*self.cluster);
        match used {
            Used::Callable(id) => handles.resolve_callable(env, jvm.jdk, cluster, id),
            Used::Field(id) => handles.resolve_field(env, jvm.jdk, cluster, id),
            Used::Type(id) => handles.resolve_type(env, jvm.jdk, cluster, id),
            Used::Stub(id) => handles.resolve_stub(env, jvm.jdk, jvm.transformer(), cluster, id),
        }
    }

    /// What errors said that refuse a class, since the last call.
    pub(super) fn take_refused(&mut self) -> Vec<String> {
        self.handles.take_refused()
    }

    /// The classes with goals that the statements of a test use, up to the one behind those that completed.
    pub(super) fn goal_classes(
        &self,
        test: &TestCase,
        executed: usize,
    ) -> impl Iterator<Item = Option<GoalClassIndex>> {
        test.statements().iter().take(executed + 1).map(|statement| self.goal_class(statement))
    }

    fn goal_class(&self, statement: &Statement) -> Option<GoalClassIndex> {
        match statement {
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
                Resolution::Found(handle) => handle.constructor.as_ref().and_then(|of| of.goal_class),
                Resolution::Open | Resolution::Failed(_) => None,
            },
        }
    }

    /// Makes room where too many strings are kept. Not to be called in a run.
    pub(super) fn tidy(&mut self, env: Env<'_>) {
        self.strings.tidy(env);
    }

    /// From now on, until this is taken back, each string is another object than the literal with its text.
    pub(super) fn make_strings_anew(&mut self, fresh: Option<Fresh>) {
        self.strings.make_anew(fresh);
    }

    /// Strings with identity hash codes that they had in no run before.
    pub(super) fn scattered_strings(&mut self, jvm: &Jvm) -> Fresh {
        self.strings.scattered(jvm.agent)
    }

    /// Runs statements up to the first that does not complete; gives how many did, and why the next did not. The observer looks
    /// behind every statement that completed, and behind the one that threw if it wants to.
    pub(super) fn run<O: Observer>(
        &mut self,
        jvm: &Jvm,
        env: Env<'_>,
        test: &TestCase,
        (values, recorder, slot): (&mut ValueRecorder, &mut Recorder, &Slot),
        observer: &mut O,
    ) -> (usize, Option<Raised>) {
        self.variables.clear();
        self.types.clear();
        let runtime = &jvm.runtime;
        let meter = &mut self.meter;
        meter.start(runtime.steps_left(env));
        let mut run = Run {
            env,
            jdk: jvm.jdk,
            cluster: &self.cluster,
            handles: &self.handles,
            strings: &mut self.strings,
            variables: &mut self.variables,
            types: &mut self.types,
            static_writes: &mut self.static_writes,
            values,
            runtime,
            log_length: &|env| Statics::log_length(env, runtime),
            check_references: self.check_references,
            exception: None,
        };
        observer.begin(runtime, env);
        let mut calling = 0;
        for (position, statement) in test.statements().iter().enumerate() {
            slot.advance(position);
            recorder.begin_statement(env);
            jvm.process().waiting.reach(position);
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
                    jvm.process().waiting.give_way();
                    observer.look(&run, position);
                }
                Err(raised) => {
                    if O::LOOKS_BEHIND_EXCEPTIONS {
                        look_behind(&mut run, position, &raised, observer);
                    }
                    return (position, Some(raised));
                }
            }
        }
        (test.len(), None)
    }

    /// What the last run cost that was to take so many steps at most and ended at the statement `executed`; how many steps it
    /// took.
    pub(super) fn cost(&mut self, jvm: &Jvm, env: Env<'_>, executed: usize, most: i32) -> (Cost, i32) {
        let left = jvm.runtime.steps_left(env);
        self.meter.note(executed, left);
        let steps = most.saturating_sub(left);
        let waiting = &jvm.process().waiting;
        (self.meter.cost(steps, waiting.charge(), waiting.starter()), steps)
    }

    /// Values of the variables of the statements that completed in the last run, with their kinds; `None` where a statement
    /// defines none. References are those of its frame.
    pub(super) fn results(&self) -> Vec<(jvalue, Option<Kind>)> {
        let kind = |of: &Option<TypeId>| of.map(|of| Kind::from(&self.cluster.ty(of).erased));
        self.variables.iter().copied().zip(self.types.iter().map(kind)).collect()
    }

    /// What a static method gives that is no part of a test; `None` where it throws, or cannot be called. The arguments are of the types
    /// that it takes.
    pub(super) fn call_static(&self, env: Env<'_>, id: CallableId, arguments: &[jvalue]) -> Option<jvalue> {
        let Resolution::Found(handle) = self.handles.callable(id) else { return None };
        let is_called =
            handle.kind == CallableKind::StaticMethod && handle.parameters.len() == arguments.len();
        // SAFETY: the method was found as a static one of the class, and takes as many arguments of these types.
        let call = || unsafe { env.call_static(handle.class.get(), handle.method, arguments, handle.result) };
        let result = is_called.then(call)?.ok();
        env.clear();
        result
    }

    /// Static fields that the statements of the last run wrote.
    pub(super) fn static_writes(&mut self) -> &mut Vec<StaticWrite> {
        &mut self.static_writes
    }
}

/// Lets the observer look at what an exception left, which is pending again behind it. What ended the run from outside is
/// nothing to look at.
fn look_behind(run: &mut Run<'_, '_>, position: usize, raised: &Raised, observer: &mut impl Observer) {
    let (env, runtime) = (run.env, run.runtime);
    match raised {
        Raised::Linkage(_) => {}
        Raised::Statement(_) => observer.look(run, position),
        Raised::Pending => {
            let Some(object) = env.take_exception() else { return };
            if !runtime.stop().is_set(env) {
                let thrown = runtime.thrown(env);
                let is_by_project = thrown.is_some_and(|thrown| env.is_same(Some(thrown), Some(object)));
                run.exception = Some(RunException { object, is_by_project });
                observer.look(run, position);
                // What is looked at throws and catches, too.
                runtime.set_thrown(env, thrown);
            }
            env.throw(object);
        }
    }
}

#[cfg(test)]
mod tests {
    use bytecode::analysis::ProbeIds;
    use testcase::statement::VarRef;
    use testcase::value::Value;

    use super::*;

    #[test]
    fn what_a_statement_uses_is_open_until_it_is_looked_up() {
        let layout = ProbeLayout::new(&[], ProbeIds::default());
        let interpreter = Interpreter::new(Arc::new(TestCluster::default()), &layout, false);
        let int = Statement::Primitive { value: Value::Int(1), boxed: false };
        let test = TestCase::new(vec![int.clone()]);
        let check = |statement: Statement, expect: Option<Used>| {
            assert_eq!(interpreter.open(&test, &statement), expect, "{statement:?}");
            assert_eq!(interpreter.goal_class(&statement), None, "{statement:?}");
        };
        let arguments = || [].into_iter().collect();
        check(int.clone(), None);
        check(
            Statement::Constructor { callable: CallableId(2), arguments: arguments() },
            Some(Used::Callable(CallableId(2))),
        );
        check(Statement::EnumConstant { field: FieldId(3) }, Some(Used::Field(FieldId(3))));
        check(
            Statement::FieldRead { field: FieldId(4), receiver: Some(VarRef(0)) },
            Some(Used::Field(FieldId(4))),
        );
    }
}
