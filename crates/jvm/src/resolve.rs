//! From ids of the test cluster to classes, methods and fields of the JVM, when a test first needs them.
//!
//! Looking an id up initializes its class. What the initializer throws is data: the statement that would first use
//! the class throws it, in every test.

use bytecode::descriptor::{ErasedType, MethodDescriptor};
use bytecode::name::ClassName;
use bytecode::probe_layout::{MethodValues, ProbeLayout};
use testcase::cluster::{
    Callable, CallableId, CallableKind, Field, FieldId as ClusterField, StubId, TestCluster, TypeId,
};

use crate::jdk::Jdk;
use crate::jni::{Env, FieldId, Global, Java, Kind, MethodId, Ref};
use crate::refusal::Refusal;
use crate::runtime::describe;
use crate::stubs::{StubHandle, define};
use crate::thrown::lasting;
use crate::transform::Transformer;
use crate::values::WatchedCall;

/// A class that goals lie in, by its place in the layout of probes.
pub(crate) type GoalClassIndex = u32;

/// Something that was looked up, or the exception that the attempt ended in.
#[derive(Debug, Clone)]
pub(crate) enum Resolution<T> {
    /// Not yet.
    Open,
    /// Found.
    Found(T),
    /// The class cannot be loaded or initialized, or has no such member.
    Failed(ClassName),
}

/// A constructor or method.
#[derive(Debug, Clone)]
pub(crate) struct CallHandle {
    /// The class to be constructed, or that declares the method.
    pub(crate) class: Global,
    pub(crate) method: MethodId,
    pub(crate) kind: CallableKind,
    /// Kind of the result; `None` for `void` and constructors.
    pub(crate) result: Option<Kind>,
    pub(crate) parameters: Box<[ParameterHandle]>,
    /// Class that a result must be of.
    pub(crate) result_cast: Option<Global>,
    pub(crate) takes_enclosing_instance: bool,
    pub(crate) goal_class: Option<GoalClassIndex>,
    /// What of its values is recorded.
    pub(crate) watched: Option<WatchedCall>,
}

/// A parameter.
#[derive(Debug, Clone)]
pub(crate) struct ParameterHandle {
    /// Its type in the cluster.
    pub(crate) of: TypeId,
    /// Its kind in the descriptor.
    pub(crate) kind: Kind,
    /// Its class in the descriptor, for references.
    pub(crate) class: Option<Global>,
}

/// A field.
#[derive(Debug, Clone)]
pub(crate) struct FieldHandle {
    /// The class that declares it.
    pub(crate) class: Global,
    pub(crate) field: FieldId,
    pub(crate) is_static: bool,
    pub(crate) is_final: bool,
    pub(crate) kind: Kind,
    /// Its class in the descriptor, for references.
    pub(crate) declared: Option<Global>,
    /// Class that a value read must be of.
    pub(crate) result_cast: Option<Global>,
    pub(crate) goal_class: Option<GoalClassIndex>,
}

/// A type: its class, and for arrays what their elements are.
#[derive(Debug, Clone)]
pub(crate) struct TypeHandle {
    pub(crate) class: Global,
    /// Kind and class of the elements of an array.
    pub(crate) element: Option<(Kind, Global)>,
}

/// Everything that was looked up so far, by id.
#[derive(Debug)]
pub(crate) struct Handles {
    callables: Vec<Resolution<CallHandle>>,
    fields: Vec<Resolution<FieldHandle>>,
    types: Vec<Resolution<TypeHandle>>,
    stubs: Vec<Resolution<StubHandle>>,
    goal_classes: Vec<ClassName>,
    values: Vec<MethodValues>,
    /// What errors said that refuse a class, since the last look.
    refused: Vec<String>,
}

impl Handles {
    /// Nothing is looked up yet.
    pub(crate) fn new(cluster: &TestCluster, layout: &ProbeLayout) -> Self {
        Self {
            callables: vec![Resolution::Open; cluster.callables.len()],
            fields: vec![Resolution::Open; cluster.fields.len()],
            types: vec![Resolution::Open; cluster.types.len()],
            stubs: vec![Resolution::Open; cluster.stubs.len()],
            goal_classes: layout.classes().to_vec(),
            values: layout.values().to_vec(),
            refused: Vec::new(),
        }
    }

    /// What errors said that refuse a class, since the last call.
    pub(crate) fn take_refused(&mut self) -> Vec<String> {
        std::mem::take(&mut self.refused)
    }

    /// A callable that was looked up.
    pub(crate) fn callable(&self, id: CallableId) -> &Resolution<CallHandle> {
        self.callables.get(id.index()).unwrap_or(&Resolution::Open)
    }

    /// A field that was looked up.
    pub(crate) fn field(&self, id: ClusterField) -> &Resolution<FieldHandle> {
        self.fields.get(id.index()).unwrap_or(&Resolution::Open)
    }

    /// A type that was looked up.
    pub(crate) fn ty(&self, id: TypeId) -> &Resolution<TypeHandle> {
        self.types.get(id.index()).unwrap_or(&Resolution::Open)
    }

    /// A stub whose class was defined.
    pub(crate) fn stub(&self, id: StubId) -> &Resolution<StubHandle> {
        self.stubs.get(id.index()).unwrap_or(&Resolution::Open)
    }

    /// Looks a callable up. Nothing may be pending, and nothing is afterwards.
    pub(crate) fn resolve_callable(
        &mut self,
        env: Env<'_>,
        jdk: &Jdk,
        cluster: &TestCluster,
        id: CallableId,
    ) {
        let (goal_classes, values, refused) = (&self.goal_classes, &self.values, &mut self.refused);
        let callable = cluster.callable(id);
        let found = env.frame(32, |env| {
            let found = settle(env, jdk, refused, || call_handle(env, jdk, cluster, callable, goal_classes));
            with_watch(found, || WatchedCall::of(env, jdk, callable, values))
        });
        if let Some(slot) = self.callables.get_mut(id.index()) {
            *slot = found;
        }
    }

    /// Looks a field up.
    pub(crate) fn resolve_field(&mut self, env: Env<'_>, jdk: &Jdk, cluster: &TestCluster, id: ClusterField) {
        let (goal_classes, refused) = (&self.goal_classes, &mut self.refused);
        let field = cluster.field(id);
        let found =
            env.frame(16, |env| settle(env, jdk, refused, || field_handle(env, jdk, field, goal_classes)));
        if let Some(slot) = self.fields.get_mut(id.index()) {
            *slot = found;
        }
    }

    /// Defines the class of a stub.
    pub(crate) fn resolve_stub(
        &mut self,
        env: Env<'_>,
        jdk: &Jdk,
        transformer: &Transformer,
        cluster: &TestCluster,
        id: StubId,
    ) {
        let (goal_classes, values, refused) = (&self.goal_classes, &self.values, &mut self.refused);
        let found = env.frame(64, |env| {
            settle(env, jdk, refused, || {
                let parent = match cluster.stub(id).constructor() {
                    None => None,
                    Some(parent) => {
                        let callable = cluster.callable(parent);
                        let Some(mut parent) = call_handle(env, jdk, cluster, callable, goal_classes)? else {
                            return Ok(None);
                        };
                        parent.watched = WatchedCall::of(env, jdk, callable, values);
                        Some(parent)
                    }
                };
                define(env, jdk, transformer, cluster, id, parent)
            })
        });
        if let Some(slot) = self.stubs.get_mut(id.index()) {
            *slot = found;
        }
    }

    /// Looks a type up, without initializing its class.
    pub(crate) fn resolve_type(&mut self, env: Env<'_>, jdk: &Jdk, cluster: &TestCluster, id: TypeId) {
        let erased = &cluster.ty(id).erased;
        let refused = &mut self.refused;
        let found = env.frame(16, |env| settle(env, jdk, refused, || type_handle(env, jdk, erased)));
        if let Some(slot) = self.types.get_mut(id.index()) {
            *slot = found;
        }
    }
}

/// Adds what of a call is recorded.
fn with_watch(
    found: Resolution<CallHandle>,
    watched: impl FnOnce() -> Option<WatchedCall>,
) -> Resolution<CallHandle> {
    match found {
        Resolution::Found(handle) => Resolution::Found(CallHandle { watched: watched(), ..handle }),
        Resolution::Open | Resolution::Failed(_) => found,
    }
}

/// Turns an exception into data; notes what it says where it refuses a class.
fn settle<T>(
    env: Env<'_>,
    jdk: &Jdk,
    refused: &mut Vec<String>,
    look_up: impl FnOnce() -> Java<Option<T>>,
) -> Resolution<T> {
    match look_up() {
        Ok(Some(found)) => Resolution::Found(found),
        Ok(None) => Resolution::Failed("java/lang/NoClassDefFoundError".into()),
        Err(_) => {
            let Some(exception) = env.take_exception() else {
                return Resolution::Failed("java/lang/NoClassDefFoundError".into());
            };
            let name = jdk.internal_name(env, env.class_of(exception));
            if Refusal::is_by(&name) {
                refused.push(describe(env, exception));
            }
            Resolution::Failed(as_linkage_error(lasting(env, jdk, name, exception)))
        }
    }
}

/// `Class.forName` reports a missing class as an exception, code that uses it as an error.
fn as_linkage_error(name: ClassName) -> ClassName {
    if name.as_str() == "java/lang/ClassNotFoundException" {
        "java/lang/NoClassDefFoundError".into()
    } else {
        name
    }
}

fn load<'f>(env: Env<'f>, jdk: &Jdk, erased: &ErasedType) -> Java<Option<Ref<'f>>> {
    jdk.load(env, erased, false)
}

/// The class of a reference type; `None` for primitive types.
pub(crate) fn reference_class(env: Env<'_>, jdk: &Jdk, erased: &ErasedType) -> Java<Option<Global>> {
    match erased {
        ErasedType::Primitive(_) => Ok(None),
        ErasedType::Class(_) | ErasedType::Array(_) => {
            Ok(load(env, jdk, erased)?.map(|class| env.global(class)))
        }
    }
}

fn index_of(goal_classes: &[ClassName], class: &ClassName) -> Option<GoalClassIndex> {
    goal_classes.iter().position(|goal| goal == class).and_then(|index| u32::try_from(index).ok())
}

pub(crate) fn call_handle(
    env: Env<'_>,
    jdk: &Jdk,
    cluster: &TestCluster,
    callable: &Callable,
    goal_classes: &[ClassName],
) -> Java<Option<CallHandle>> {
    let declared = match callable.kind {
        CallableKind::Constructor => cluster.ty(callable.owner).erased.clone(),
        CallableKind::StaticMethod | CallableKind::InstanceMethod => {
            ErasedType::Class(callable.declared_in.clone())
        }
    };
    let Some(class) = jdk.load(env, &declared, true)? else { return Ok(None) };
    let method = match callable.kind {
        CallableKind::StaticMethod => env.static_method(class, &callable.name, &callable.descriptor)?,
        CallableKind::Constructor | CallableKind::InstanceMethod => {
            env.method(class, &callable.name, &callable.descriptor)?
        }
    };
    let Ok(descriptor) = MethodDescriptor::parse(&callable.descriptor) else { return Ok(None) };
    let mut parameters = Vec::with_capacity(callable.parameters.len());
    for (parameter, erased) in callable.parameters.iter().zip(&descriptor.parameters) {
        let class = reference_class(env, jdk, erased)?;
        parameters.push(ParameterHandle { of: parameter.of, kind: erased.into(), class });
    }
    if descriptor.parameters.len() != callable.parameters.len() {
        return Ok(None);
    }
    let result_cast = match &callable.result_cast {
        Some(erased) => reference_class(env, jdk, erased)?,
        None => None,
    };
    Ok(Some(CallHandle {
        class: env.global(class),
        method,
        kind: callable.kind,
        result: descriptor.result.as_ref().map(Kind::from),
        parameters: parameters.into(),
        result_cast,
        takes_enclosing_instance: callable.takes_enclosing_instance,
        goal_class: index_of(goal_classes, &callable.declared_in),
        watched: None,
    }))
}

fn field_handle(
    env: Env<'_>,
    jdk: &Jdk,
    field: &Field,
    goal_classes: &[ClassName],
) -> Java<Option<FieldHandle>> {
    let Some(class) = jdk.load(env, &ErasedType::Class(field.declared_in.clone()), true)? else {
        return Ok(None);
    };
    let Ok(erased) = ErasedType::parse(&field.descriptor) else { return Ok(None) };
    let id = if field.access.is_static() {
        env.static_field(class, &field.name, &field.descriptor)?
    } else {
        env.field(class, &field.name, &field.descriptor)?
    };
    let result_cast = match &field.result_cast {
        Some(erased) => reference_class(env, jdk, erased)?,
        None => None,
    };
    Ok(Some(FieldHandle {
        class: env.global(class),
        field: id,
        is_static: field.access.is_static(),
        is_final: field.access.is_final(),
        kind: Kind::from(&erased),
        declared: reference_class(env, jdk, &erased)?,
        result_cast,
        goal_class: index_of(goal_classes, &field.declared_in),
    }))
}

fn type_handle(env: Env<'_>, jdk: &Jdk, erased: &ErasedType) -> Java<Option<TypeHandle>> {
    let Some(class) = load(env, jdk, erased)? else { return Ok(None) };
    let element = match erased {
        ErasedType::Array(element) => {
            let Some(class) = load(env, jdk, element)? else { return Ok(None) };
            Some((Kind::from(&**element), env.global(class)))
        }
        ErasedType::Primitive(_) | ErasedType::Class(_) => None,
    };
    Ok(Some(TypeHandle { class: env.global(class), element }))
}
