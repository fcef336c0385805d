//! Constructors and methods.

use smallvec::SmallVec;
use testcase::cluster::{CallableId, CallableKind};
use testcase::statement::VarRef;

use super::run::{CAST, NULL, Raised, Run};
use crate::jni::{Ref, ZERO, jvalue};
use crate::resolve::{CallHandle, Resolution};
use crate::values::{record_arguments, record_result, watched, watched_constructor};

/// Arguments for JNI, most often few.
pub(super) type Values = SmallVec<[jvalue; 6]>;

fn handle<'a>(run: &Run<'a, '_>, callable: CallableId) -> Result<&'a CallHandle, Raised> {
    match run.handles.callable(callable) {
        Resolution::Found(handle) => Ok(handle),
        Resolution::Failed(exception) => Err(Raised::Linkage(exception.clone())),
        Resolution::Open => Err(Raised::Linkage("java/lang/NoClassDefFoundError".into())),
    }
}

/// Variables as the arguments of a constructor or method.
pub(super) fn values(run: &Run<'_, '_>, handle: &CallHandle, arguments: &[VarRef]) -> Result<Values, Raised> {
    if arguments.len() != handle.parameters.len() {
        return Err(Raised::Linkage("java/lang/NoSuchMethodError".into()));
    }
    handle
        .parameters
        .iter()
        .zip(arguments)
        .map(|(parameter, argument)| run.argument(*argument, parameter.of, parameter.kind, parameter.class))
        .collect()
}

/// `new Foo(…)`.
pub(crate) fn constructor(
    run: &mut Run<'_, '_>,
    callable: CallableId,
    arguments: &[VarRef],
) -> Result<jvalue, Raised> {
    let handle = handle(run, callable)?;
    // JNI would take null for the enclosing instance; Java evaluates `outer.new Inner()` with a null check.
    if handle.takes_enclosing_instance
        && arguments.first().is_some_and(|enclosing| run.reference(*enclosing).is_none())
    {
        return Err(NULL);
    }
    let values = values(run, handle, arguments)?;
    if let Some(method) = watched_constructor(handle.watched.as_ref()) {
        record_arguments(run, method, &values);
    }
    // SAFETY: the constructor was found in the class, and `argument` checked every value against its descriptor.
    let object = unsafe { run.env.new_object(handle.class.get(), handle.method, &values) }?;
    Ok(object.map_or(ZERO, Ref::value))
}

/// A method call.
pub(crate) fn method(
    run: &mut Run<'_, '_>,
    callable: CallableId,
    receiver: Option<VarRef>,
    arguments: &[VarRef],
) -> Result<jvalue, Raised> {
    let handle = handle(run, callable)?;
    // Java evaluates the arguments before it finds that the receiver is null; they are variables here, so that nothing
    // can be told.
    let receiver = object(run, callable, handle, receiver)?;
    let values = values(run, handle, arguments)?;
    let watched = watched(run, callable, handle.watched.as_ref(), receiver);
    if let Some(method) = watched {
        record_arguments(run, method, &values);
    }
    let result = invoke(run, handle, receiver, &values)?;
    if let Some(method) = watched {
        record_result(run, method, result);
    }
    run.cast(result, handle.result, handle.result_cast)
}

/// A call of a method that is no part of the test: one without parameters, or with an index, which is 0.
pub(crate) fn inspect(run: &Run<'_, '_>, callable: CallableId, receiver: VarRef) -> Result<jvalue, Raised> {
    let handle = handle(run, callable)?;
    let receiver = object(run, callable, handle, Some(receiver))?;
    let values: Values = handle.parameters.iter().map(|_| ZERO).collect();
    let result = invoke(run, handle, receiver, &values)?;
    run.cast(result, handle.result, handle.result_cast)
}

/// A call of a method without parameters on what another one gave.
pub(crate) fn inspect_object(
    run: &Run<'_, '_>,
    callable: CallableId,
    receiver: Ref<'_>,
) -> Result<jvalue, Raised> {
    let handle = handle(run, callable)?;
    if !run.env.is_instance(receiver, handle.class.get()) {
        return Err(CAST);
    }
    let values: Values = handle.parameters.iter().map(|_| ZERO).collect();
    let result = invoke(run, handle, Some(receiver), &values)?;
    run.cast(result, handle.result, handle.result_cast)
}

/// The object that a method is called on; `None` for a static one.
fn object<'f>(
    run: &Run<'_, 'f>,
    callable: CallableId,
    handle: &CallHandle,
    receiver: Option<VarRef>,
) -> Result<Option<Ref<'f>>, Raised> {
    match handle.kind {
        CallableKind::StaticMethod | CallableKind::Constructor => Ok(None),
        CallableKind::InstanceMethod => {
            let owner = run.cluster.callable(callable).owner;
            run.receiver(receiver.ok_or(NULL)?, owner, handle.class).map(Some)
        }
    }
}

/// Calls a method with what [`object`] and [`values`] gave for it.
fn invoke(
    run: &Run<'_, '_>,
    handle: &CallHandle,
    receiver: Option<Ref<'_>>,
    values: &[jvalue],
) -> Result<jvalue, Raised> {
    match (handle.kind, receiver) {
        (CallableKind::StaticMethod, _) => {
            // SAFETY: the method was found as a static one of the class, the values checked against its descriptor.
            Ok(unsafe { run.env.call_static(handle.class.get(), handle.method, values, handle.result) }?)
        }
        (CallableKind::InstanceMethod, Some(receiver)) => {
            // SAFETY: the receiver is an instance of the class in which the method was found, the values fit.
            Ok(unsafe { run.env.call(receiver, handle.method, values, handle.result) }?)
        }
        (CallableKind::InstanceMethod, None) => Err(NULL),
        (CallableKind::Constructor, _) => Err(Raised::Linkage("java/lang/NoSuchMethodError".into())),
    }
}
