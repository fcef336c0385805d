//! Help for tests that run a JVM: a process of their own, clusters made by hand, a worker on fixture classes.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unnecessary_wraps,
    reason = "shared with benchmarks, each of which uses a part"
)]
#![expect(clippy::disallowed_methods, reason = "test code starts processes and reads their output")]

use std::process::{Command, Output};
use std::sync::Arc;

use bytecode::access::Access;
use bytecode::analysis::{AnalysisOptions, ProbeIds, number_direct};
use bytecode::descriptor::{ErasedType, MethodDescriptor, PrimitiveType};
use bytecode::instrument::{GoalClass, Limits, StaticFields};
use bytecode::name::ClassName;
use bytecode::probe_layout::ProbeLayout;
use bytecode::probe_map::ProbeMap;
use bytecode::signature::GenericType;
use bytecode::values::{ValueOptions, add_value_probes};
use fixture::Compiled;
use jvm::executor::JvmExecutor;
use jvm::home::JavaHome;
use jvm::options::JvmOptions;
use processes::sandbox::{SandboxOptions, confine};
use testcase::assertion::{ObservationPoint, ObservationTarget, ObservedValue};
use testcase::cluster::testing::{plain_callable, plain_type};
use testcase::cluster::{Callable, CallableId, CallableKind, Field, FieldId, Parameter, TestCluster, TypeId};
use testcase::execution::{ExecutionResult, Executor, Outcome};
use testcase::run_request::RunRequest;
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

/// Variable that tells a process which test to run itself.
const ROLE: &str = "COVOLVE_TEST_PROCESS";

/// Exit code of a process whose test passed. Not 0, which a process that ran no test at all has.
pub const PASSED: i32 = 42;

/// Runs a test in a process of its own: HotSpot allows one JVM in the life of a process. `name` is the path of the
/// calling test function.
pub fn in_own_process(name: &str, test: impl FnOnce() + Send) {
    if std::env::var(ROLE).is_ok_and(|role| role == name) {
        jvm::vm::run_on_big_stack(test).expect("the thread starts");
        jvm::watchdog::leave_process(PASSED);
    }
    let output = child(name, &[]);
    assert_eq!(output.status.code(), Some(PASSED), "{}: {}", output.status, text(&output));
}

/// Runs the test function in a child process with these environment variables, and gives what became of it.
pub fn child(name: &str, environment: &[(&str, &str)]) -> Output {
    let program = std::env::current_exe().expect("a test knows its own path");
    let mut command = Command::new(program);
    command.args([name, "--exact", "--nocapture", "--test-threads=1"]).env(ROLE, name);
    command.envs(environment.iter().copied());
    command.output().expect("the test starts again")
}

/// What a child printed.
pub fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Whether this process is the child that runs the named test.
pub fn is_child(name: &str) -> bool {
    std::env::var(ROLE).is_ok_and(|role| role == name)
}

/// A cluster made by hand.
#[derive(Debug)]
pub struct Cluster {
    pub cluster: TestCluster,
}

impl Default for Cluster {
    fn default() -> Self {
        let mut cluster = Self { cluster: TestCluster::default() };
        for primitive in PrimitiveType::ALL {
            cluster.add_type(&ErasedType::Primitive(primitive));
        }
        for primitive in PrimitiveType::ALL {
            cluster.add_type(&ErasedType::Class(primitive.boxed()));
        }
        cluster.add_type(&ErasedType::Class(ClassName::string()));
        cluster.add_type(&ErasedType::Class(ClassName::object()));
        cluster
    }
}

impl Cluster {
    fn add_type(&mut self, erased: &ErasedType) -> TypeId {
        if let Some(known) = self.cluster.types.iter().position(|ty| ty.erased == *erased) {
            return TypeId::from(known);
        }
        let element = match erased {
            ErasedType::Array(element) => Some(self.add_type(element)),
            ErasedType::Primitive(_) | ErasedType::Class(_) => None,
        };
        self.cluster.types.push(plain_type(GenericType::from(erased), element));
        TypeId::from(self.cluster.types.len() - 1)
    }

    /// The type with a descriptor.
    pub fn ty(&mut self, descriptor: &str) -> TypeId {
        self.add_type(&ErasedType::parse(descriptor).expect("a descriptor"))
    }

    fn class(&mut self, name: &str) -> TypeId {
        self.add_type(&ErasedType::Class(ClassName::new(name)))
    }

    fn callable(&mut self, kind: CallableKind, class: &str, name: &str, descriptor: &str) -> CallableId {
        let parsed = MethodDescriptor::parse(descriptor).expect("a descriptor");
        let owner = self.class(class);
        let parameters = parsed.parameters.iter().map(|erased| Parameter::new(self.add_type(erased)));
        let parameters = parameters.collect();
        let result = match kind {
            CallableKind::Constructor => Some(owner),
            CallableKind::StaticMethod | CallableKind::InstanceMethod => {
                parsed.result.as_ref().map(|erased| self.add_type(erased))
            }
        };
        let id = CallableId::from(self.cluster.callables.len());
        let plain = plain_callable(id, kind, owner, ClassName::new(class), (name, descriptor));
        self.cluster.callables.push(Callable { parameters, result, ..plain });
        id
    }

    /// A constructor.
    pub fn constructor(&mut self, class: &str, descriptor: &str) -> CallableId {
        self.callable(CallableKind::Constructor, class, "<init>", descriptor)
    }

    /// A static method.
    pub fn static_method(&mut self, class: &str, name: &str, descriptor: &str) -> CallableId {
        self.callable(CallableKind::StaticMethod, class, name, descriptor)
    }

    /// A method of instances.
    pub fn method(&mut self, class: &str, name: &str, descriptor: &str) -> CallableId {
        self.callable(CallableKind::InstanceMethod, class, name, descriptor)
    }

    /// A method only tells of the objects of its class.
    pub fn inspects(&mut self, method: CallableId) {
        let owner = self.cluster.callable(method).owner.index();
        let inspectors = &mut self.cluster.inspectors;
        inspectors.resize(inspectors.len().max(owner + 1), Vec::new());
        inspectors[owner].push(method);
    }

    /// A public field tells of the objects of its class.
    pub fn tells(&mut self, field: FieldId) {
        let owner = self.cluster.field(field).owner.index();
        let fields = &mut self.cluster.public_fields;
        fields.resize(fields.len().max(owner + 1), Vec::new());
        fields[owner].push(field);
    }

    /// A field; `access` as in the class file.
    pub fn field(&mut self, class: &str, name: &str, descriptor: &str, access: u16) -> FieldId {
        let owner = self.class(class);
        let of = self.ty(descriptor);
        self.cluster.fields.push(Field {
            owner,
            declared_in: ClassName::new(class),
            name: name.into(),
            descriptor: descriptor.into(),
            access: Access(access),
            of,
            result_cast: None,
        });
        FieldId::from(self.cluster.fields.len() - 1)
    }
}

/// A call of a static method.
pub fn call(callable: CallableId, arguments: &[u16]) -> Statement {
    Statement::Method { callable, receiver: None, arguments: variables(arguments) }
}

/// A call of a method of an object.
pub fn call_on(receiver: u16, callable: CallableId, arguments: &[u16]) -> Statement {
    Statement::Method { callable, receiver: Some(VarRef(receiver)), arguments: variables(arguments) }
}

/// A constructor call.
pub fn new(callable: CallableId, arguments: &[u16]) -> Statement {
    Statement::Constructor { callable, arguments: variables(arguments) }
}

fn variables(arguments: &[u16]) -> testcase::statement::Arguments {
    arguments.iter().copied().map(VarRef).collect()
}

/// An `int` literal.
pub fn int(value: i32) -> Statement {
    Statement::Primitive { value: Value::Int(value), boxed: false }
}

/// A string literal.
pub fn string(text: &str) -> Statement {
    Statement::Primitive { value: Value::String(text.into()), boxed: false }
}

/// A worker on fixture classes.
#[derive(Debug)]
pub struct Worker {
    pub executor: JvmExecutor,
    /// What [`Worker::run`] asks for.
    pub request: RunRequest,
    pub result: ExecutionResult,
    pub maps: Vec<ProbeMap>,
    pub scratch: tempfile::TempDir,
}

impl Worker {
    /// Starts a JVM on the classes, with these goal classes instrumented.
    pub fn start(compiled: &Compiled, goals: &[&str], cluster: Cluster) -> Self {
        Self::start_with(compiled, goals, cluster, |_| ())
    }

    /// As [`Worker::start`], with changed options.
    pub fn start_with(
        compiled: &Compiled,
        goals: &[&str],
        cluster: Cluster,
        change: impl FnOnce(&mut JvmOptions),
    ) -> Self {
        let asked = (AnalysisOptions::default(), ValueOptions::default());
        Self::start_analyzed(compiled, goals, cluster, asked, change)
    }

    /// As [`Worker::start_with`], with what is asked for of the code and of values.
    pub fn start_analyzed(
        compiled: &Compiled,
        goals: &[&str],
        mut cluster: Cluster,
        (analysis, values): (AnalysisOptions, ValueOptions),
        change: impl FnOnce(&mut JvmOptions),
    ) -> Self {
        if cluster.cluster.goal_classes.is_empty() {
            cluster.cluster.goal_classes = goals.iter().map(|goal| ClassName::new(*goal)).collect();
        }
        let scratch = tempfile::tempdir().expect("a folder");
        let home = JavaHome::find(&fixture::java_home()).expect("a JDK");
        let mut options = JvmOptions::new(home, vec![compiled.folder.clone()], scratch.path().to_owned());
        change(&mut options);
        let (mut ids, mut statics) = (ProbeIds::default(), StaticFields::new());
        let (mut maps, mut classes) = (Vec::new(), Vec::new());
        for goal in goals {
            let (name, bytes) = (ClassName::new(*goal), compiled.bytes(goal));
            let numbers = (&mut ids, &mut statics);
            let (class, map) = GoalClass::instrument(name, &bytes, analysis, Limits::default(), numbers)
                .expect("the class can be instrumented");
            classes.push(class);
            maps.push(map);
        }
        add_value_probes(&mut maps, &compiled.hierarchy(), values, &mut ids);
        number_direct(&mut maps, ids);
        let layout = ProbeLayout::new(&maps, ids);
        let result = ExecutionResult::new(layout.probes(), layout.outcomes());
        let mut executor = JvmExecutor::start(&options, Arc::new(cluster.cluster), classes, layout, statics)
            .expect("it starts");
        assert_eq!(executor.take_diagnostics(), Vec::<String>::new());
        Self { executor, request: RunRequest::default(), result, maps, scratch }
    }

    /// As [`Worker::start`], after this process was confined.
    pub fn start_confined(compiled: &Compiled, goals: &[&str], cluster: Cluster) -> Self {
        Self::start_with(compiled, goals, cluster, |options| {
            let report = confine(&SandboxOptions::new(options.scratch.clone()));
            assert!(report.open.is_empty(), "{report:?}");
        })
    }

    /// Runs a test and gives how it ended.
    pub fn run(&mut self, statements: &[Statement]) -> Outcome {
        self.executor.execute(&TestCase::new(statements.to_vec()), &self.request, &mut self.result);
        self.result.outcome.clone()
    }

    /// Runs a test and reads the variable that the last statement defines.
    pub fn value(&mut self, statements: &[Statement]) -> Option<ObservedValue> {
        let last = VarRef::from(statements.len() - 1);
        let point = ObservationPoint { after: last, target: ObservationTarget::Value(last) };
        let test = TestCase::new(statements.to_vec());
        self.executor.observe(&test, &[point]).values.pop().flatten()
    }
}

/// An observed `int`.
pub fn observed_int(value: i32) -> Option<ObservedValue> {
    Some(ObservedValue::Primitive(Value::Int(value)))
}

/// An observed string.
pub fn observed_string(text: &str) -> Option<ObservedValue> {
    Some(ObservedValue::Primitive(Value::String(text.into())))
}
