//! Fields, enum constants among them.

use testcase::cluster::FieldId;
use testcase::statement::VarRef;

use super::run::{NULL, OldValue, Raised, Run, StaticWrite};
use crate::jni::{Kind, Ref, ZERO, jvalue};
use crate::resolve::{FieldHandle, Resolution};

fn handle<'a>(run: &Run<'a, '_>, field: FieldId) -> Result<&'a FieldHandle, Raised> {
    match run.handles.field(field) {
        Resolution::Found(handle) => Ok(handle),
        Resolution::Failed(exception) => Err(Raised::Linkage(exception.clone())),
        Resolution::Open => Err(Raised::Linkage("java/lang/NoClassDefFoundError".into())),
    }
}

/// Reads a field.
pub(crate) fn read(run: &Run<'_, '_>, field: FieldId, receiver: Option<VarRef>) -> Result<jvalue, Raised> {
    let handle = handle(run, field)?;
    let value = if handle.is_static {
        // SAFETY: the field was found as a static one of the class.
        unsafe { run.env.get_static(handle.class.get(), handle.field, handle.kind) }
    } else {
        let owner = run.cluster.field(field).owner;
        let object = run.receiver(receiver.ok_or(NULL)?, owner, handle.class)?;
        // SAFETY: the object is an instance of the class in which the field was found.
        unsafe { run.env.get(object, handle.field, handle.kind) }
    };
    run.cast(value, Some(handle.kind), handle.result_cast)
}

/// Writes a field. JNI would write finals as well; Java does not.
pub(crate) fn write(
    run: &mut Run<'_, '_>,
    field: FieldId,
    receiver: Option<VarRef>,
    value: VarRef,
) -> Result<jvalue, Raised> {
    let handle = handle(run, field)?;
    if handle.is_final {
        return Err(Raised::Linkage("java/lang/IllegalAccessError".into()));
    }
    let declared = run.cluster.field(field);
    if handle.is_static {
        let value = run.argument(value, declared.of, handle.kind, handle.declared)?;
        remember(run, handle);
        // SAFETY: the field was found as a static one of the class, the value checked against its descriptor.
        unsafe { run.env.set_static(handle.class.get(), handle.field, handle.kind, value) };
    } else {
        let object = run.receiver(receiver.ok_or(NULL)?, declared.owner, handle.class)?;
        let value = run.argument(value, declared.of, handle.kind, handle.declared)?;
        // SAFETY: the object is an instance of the class in which the field was found, the value fits.
        unsafe { run.env.set(object, handle.field, handle.kind, value) };
    }
    Ok(ZERO)
}

/// Keeps the value of a static field, to be restored after the run.
fn remember(run: &mut Run<'_, '_>, handle: &FieldHandle) {
    let env = run.env;
    // SAFETY: the field was found as a static one of the class.
    let old = unsafe { env.get_static(handle.class.get(), handle.field, handle.kind) };
    let old = if handle.kind == Kind::Object {
        // SAFETY: a reference, by its kind.
        OldValue::Reference(unsafe { Ref::new(old.l) }.map(|old| env.global(old)))
    } else {
        // SAFETY: reading JNI filled the rest with zeros, so all bits are defined.
        OldValue::Bits(unsafe { old.j })
    };
    let log_length = (run.log_length)(env);
    run.static_writes.push(StaticWrite { field: handle.clone(), old, log_length });
}
