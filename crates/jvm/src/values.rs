//! Partitions of values: what a test passes to methods with such goals and gets from them, recorded while it runs.
//!
//! Only calls that the test itself makes are looked at, and only of methods that have outcomes for values
//! ([`bytecode::values`]); what is to be looked at is found out when a callable is looked up. A primitive value or the
//! length of a string or array costs no Java code; a collection costs one call of the run time.
//!
//! **Whose method runs.** Constructors and static, private and final methods are known. Otherwise the class of the
//! receiver decides: the method that a call on it selects is the one that JNI finds by name and descriptor in that
//! class, and HotSpot has one id per method, however many classes inherit it. So a value belongs to a goal exactly when
//! that id is the one found in the class of the goal. What was found is kept per class of receivers.
//!
//! **Inspectors** are looked up when the first object is to be asked: its class is initialized by then, and looking
//! must not be what initializes it. What an inspector throws is forgotten. It is asked as long as somebody waits for one of
//! its outcomes ([`testcase::run_request::RunRequest::outcomes`]): that is a call in every run.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use bytecode::descriptor::{ErasedType, PrimitiveType};
use bytecode::name::ClassName;
use bytecode::probe_layout::MethodValues;
use bytecode::probe_map::OutcomeId;
use bytecode::values::{Inspector, InspectorKind, Seen, ValueOf, ValueProbes, ValueShape};
use testcase::cluster::{Callable, CallableId, CallableKind};
use testcase::execution::ExecutionTrace;

use crate::jdk::Jdk;
use crate::jni::{Env, FieldId, Global, Kind, MethodId, Ref, jvalue};
use crate::lower::Run;
use crate::mutants::has_any;
use crate::runtime::Runtime;

/// Classes of receivers that are kept per callable. More would be generated ones, such as lambdas.
const MOST_RECEIVERS: usize = 8;

/// What of a call is looked at.
#[derive(Debug, Clone)]
pub(crate) enum WatchedCall {
    /// The method is known.
    Exactly(Arc<WatchedMethod>),
    /// It is one of these, or none, as the receiver decides.
    ByReceiver(Arc<[(MethodId, WatchedMethod)]>),
}

/// The values of a method that are looked at.
#[derive(Debug)]
pub(crate) struct WatchedMethod {
    arguments: Vec<(usize, WatchedValue)>,
    results: Vec<WatchedValue>,
}

#[derive(Debug)]
struct WatchedValue {
    inspector: Option<WatchedInspector>,
    shape: ValueShape,
    first: OutcomeId,
}

#[derive(Debug)]
struct WatchedInspector {
    named: Inspector,
    /// What it was looked up as; `None` inside when there is no such member.
    found: OnceLock<Option<InspectorHandle>>,
}

#[derive(Debug)]
struct InspectorHandle {
    class: Global,
    member: MemberHandle,
}

#[derive(Debug)]
enum MemberHandle {
    Method(MethodId),
    Field(FieldId),
}

impl WatchedCall {
    /// What of a callable is to be looked at; `None` for most. Exceptions are cleared.
    pub(crate) fn of(env: Env<'_>, jdk: &Jdk, callable: &Callable, values: &[MethodValues]) -> Option<Self> {
        let is_same =
            |row: &&MethodValues| row.name == callable.name && row.descriptor == callable.descriptor;
        let mut rows = values.iter().filter(is_same).peekable();
        rows.peek()?;
        let is_known = match callable.kind {
            CallableKind::Constructor | CallableKind::StaticMethod => true,
            CallableKind::InstanceMethod => callable.access.is_private() || callable.access.is_final(),
        };
        if is_known {
            let row = rows.find(|row| row.class == callable.declared_in)?;
            return Some(Self::Exactly(Arc::new(WatchedMethod::new(row))));
        }
        let found: Vec<(MethodId, WatchedMethod)> = rows
            .filter_map(|row| {
                let class = load(env, jdk, &row.class)?;
                let method = env.method(class, &row.name, &row.descriptor);
                env.clear();
                Some((method.ok()?, WatchedMethod::new(row)))
            })
            .collect();
        (!found.is_empty()).then(|| Self::ByReceiver(found.into()))
    }
}

impl WatchedMethod {
    fn new(row: &MethodValues) -> Self {
        let mut method = Self { arguments: Vec::new(), results: Vec::new() };
        for probes in &row.values {
            let value = WatchedValue::new(probes);
            match probes.of {
                ValueOf::Parameter(parameter) => method.arguments.push((usize::from(parameter), value)),
                ValueOf::Result => method.results.push(value),
            }
        }
        method
    }
}

impl WatchedValue {
    fn new(probes: &ValueProbes) -> Self {
        let inspector = probes.inspector.clone();
        let inspector = inspector.map(|named| WatchedInspector { named, found: OnceLock::new() });
        Self { inspector, shape: probes.shape, first: probes.first }
    }
}

impl WatchedInspector {
    /// Its handle, for an object of whatever class.
    fn of(&self, env: Env<'_>, jdk: &Jdk, object: Ref<'_>) -> Option<&InspectorHandle> {
        let find = || env.frame(8, |env| InspectorHandle::find(env, jdk, &self.named));
        let handle = self.found.get_or_init(find).as_ref()?;
        env.is_instance(object, handle.class.get()).then_some(handle)
    }
}

impl InspectorHandle {
    fn find(env: Env<'_>, jdk: &Jdk, inspector: &Inspector) -> Option<Self> {
        let class = load(env, jdk, &inspector.class)?;
        let (name, descriptor) = (&*inspector.name, &*inspector.descriptor);
        let member = match inspector.kind {
            InspectorKind::Method => env.method(class, name, descriptor).map(MemberHandle::Method),
            InspectorKind::Field => env.field(class, name, descriptor).map(MemberHandle::Field),
        };
        env.clear();
        Some(Self { class: env.global(class), member: member.ok()? })
    }
}

fn load<'f>(env: Env<'f>, jdk: &Jdk, class: &ClassName) -> Option<Ref<'f>> {
    let loaded = jdk.load(env, &ErasedType::Class(class.clone()), true);
    env.clear();
    loaded.ok().flatten()
}

/// What was seen since the last [`ValueRecorder::take`].
#[derive(Debug, Default)]
pub(crate) struct ValueRecorder {
    distances: Vec<(OutcomeId, f64)>,
    /// By callable: the methods that calls on objects of a class select, as places in [`WatchedCall::ByReceiver`].
    selected: BTreeMap<CallableId, Vec<(Global, Option<usize>)>>,
    /// The outcomes that inspectors are asked for, ascending; `None` for all.
    open: Option<Arc<[OutcomeId]>>,
}

impl ValueRecorder {
    /// Inspectors are asked in the next run only where one of their outcomes is in `open` (ascending); with `None`, all are.
    pub(crate) fn ask_for(&mut self, open: Option<&Arc<[OutcomeId]>>) {
        self.open = open.cloned();
    }

    fn is_asked(&self, value: &WatchedValue) -> bool {
        let count = value.shape.partitions().len() as u32;
        self.open.as_deref().is_none_or(|open| has_any(open, value.first, count))
    }

    /// Forgets what was seen.
    pub(crate) fn clear(&mut self) {
        self.distances.clear();
    }

    /// Moves what was seen into a trace.
    pub(crate) fn take(&mut self, trace: &mut ExecutionTrace) {
        for (outcome, distance) in self.distances.drain(..) {
            trace.record_distance(outcome, distance);
        }
    }

    fn record(&mut self, of: &WatchedValue, value: Seen) {
        let OutcomeId(first) = of.first;
        let partitions = (first..).zip(of.shape.partitions());
        self.distances.extend(partitions.map(|(id, partition)| (OutcomeId(id), partition.distance(value))));
    }
}

/// The constructor of which a call is to be recorded; `None` when it has no such goals.
pub(crate) fn watched_constructor(call: Option<&WatchedCall>) -> Option<&WatchedMethod> {
    match call? {
        WatchedCall::Exactly(method) => Some(method),
        WatchedCall::ByReceiver(_) => None,
    }
}

/// The method of which a call is to be recorded; `None` when it has no such goals.
pub(crate) fn watched<'a>(
    run: &mut Run<'_, '_>,
    callable: CallableId,
    call: Option<&'a WatchedCall>,
    receiver: Option<Ref<'_>>,
) -> Option<&'a WatchedMethod> {
    match (call?, receiver) {
        (WatchedCall::Exactly(method), _) => Some(method),
        (WatchedCall::ByReceiver(methods), Some(receiver)) => {
            let selected = select(run, callable, methods, receiver)?;
            methods.get(selected).map(|(_, method)| method)
        }
        (WatchedCall::ByReceiver(_), None) => None,
    }
}

/// The place of the method that a call on an object selects.
fn select(
    run: &mut Run<'_, '_>,
    callable: CallableId,
    methods: &[(MethodId, WatchedMethod)],
    receiver: Ref<'_>,
) -> Option<usize> {
    let env = run.env;
    let class = env.class_of(receiver);
    let known = run.values.selected.entry(callable).or_default();
    let found = known.iter().find(|(of, _)| env.is_same(Some(of.get()), Some(class)));
    let selected = if let Some((_, selected)) = found {
        *selected
    } else {
        let callable = run.cluster.callable(callable);
        let method = env.method(class, &callable.name, &callable.descriptor);
        env.clear();
        let selected = method.ok().and_then(|id| methods.iter().position(|(known, _)| *known == id));
        if known.len() < MOST_RECEIVERS {
            known.push((env.global(class), selected));
        }
        selected
    };
    env.delete_local(class);
    selected
}

/// Records arguments, which fit the descriptor of the method, when the call begins.
pub(crate) fn record_arguments(run: &mut Run<'_, '_>, method: &WatchedMethod, arguments: &[jvalue]) {
    for (parameter, watched) in &method.arguments {
        if let Some(argument) = arguments.get(*parameter) {
            record(run, watched, *argument);
        }
    }
}

/// Records what the method returned.
pub(crate) fn record_result(run: &mut Run<'_, '_>, method: &WatchedMethod, result: jvalue) {
    for watched in &method.results {
        record(run, watched, result);
    }
}

fn record(run: &mut Run<'_, '_>, watched: &WatchedValue, value: jvalue) {
    let seen = match &watched.inspector {
        None => Some(see(run.env, run.jdk, run.runtime, watched.shape, value)),
        Some(inspector) if run.values.is_asked(watched) => inspect(run, inspector, watched.shape, value),
        Some(_) => None,
    };
    if let Some(seen) = seen {
        run.values.record(watched, seen);
    }
}

/// Asks an object, without a trace of it; `None` for null and when that throws.
fn inspect(
    run: &Run<'_, '_>,
    inspector: &WatchedInspector,
    shape: ValueShape,
    object: jvalue,
) -> Option<Seen> {
    let env = run.env;
    // SAFETY: values with inspectors are of a reference type, and live in the frame of this run.
    let object = unsafe { Ref::new(object.l) }?;
    let inspector = inspector.of(env, run.jdk, object)?;
    let kind = match shape {
        ValueShape::Primitive(primitive) => Kind::from(primitive),
        ValueShape::Boxed(_)
        | ValueShape::Text
        | ValueShape::Array
        | ValueShape::Sized
        | ValueShape::Object => Kind::Object,
    };
    let told = match inspector.member {
        MemberHandle::Method(method) => {
            run.runtime.pause(env);
            // SAFETY: the object is an instance of the class in which the method was found, which takes nothing and
            // returns a value of that kind.
            let told = unsafe { env.call(object, method, &[], Some(kind)) };
            env.clear();
            run.runtime.resume(env, run.jdk.thread);
            told.ok()?
        }
        // SAFETY: the object is an instance of the class in which the field, which is of that kind, was found.
        MemberHandle::Field(field) => unsafe { env.get(object, field, kind) },
    };
    let seen = see(env, run.jdk, run.runtime, shape, told);
    if kind == Kind::Object
        // SAFETY: a reference, by its kind, that nobody else has.
        && let Some(told) = unsafe { Ref::new(told.l) }
    {
        env.delete_local(told);
    }
    Some(seen)
}

/// A value as its classes tell it apart. It is of the type that the shape stands for.
fn see(env: Env<'_>, jdk: &Jdk, runtime: &Runtime, shape: ValueShape, value: jvalue) -> Seen {
    if let ValueShape::Primitive(primitive) = shape {
        return see_primitive(value, primitive);
    }
    // SAFETY: a reference, by its shape, that lives in the frame of this run.
    let Some(object) = (unsafe { Ref::new(value.l) }) else { return Seen::Null };
    match shape {
        ValueShape::Boxed(primitive) => jdk
            .boxed(primitive)
            .map_or(Seen::Object, |boxed| see_primitive(boxed.unbox(env, object), primitive)),
        // SAFETY: the type is `String`, which is final.
        ValueShape::Text => Seen::Size(unsafe { env.string_length(object) }),
        ValueShape::Array => Seen::Size(env.array_length(object)),
        ValueShape::Sized => runtime.size(env, object).map_or(Seen::Object, Seen::Size),
        ValueShape::Object | ValueShape::Primitive(_) => Seen::Object,
    }
}

fn see_primitive(value: jvalue, primitive: PrimitiveType) -> Seen {
    // SAFETY: the member of the union is that of the value's type.
    unsafe {
        match primitive {
            PrimitiveType::Boolean => Seen::Boolean(value.z != 0),
            PrimitiveType::Byte => Seen::Whole(value.b.into()),
            PrimitiveType::Short => Seen::Whole(value.s.into()),
            PrimitiveType::Char => Seen::Character(value.c),
            PrimitiveType::Int => Seen::Whole(value.i.into()),
            PrimitiveType::Long => Seen::Whole(value.j),
            PrimitiveType::Float => Seen::Real(value.f.into()),
            PrimitiveType::Double => Seen::Real(value.d),
        }
    }
}
