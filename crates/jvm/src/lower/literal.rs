//! Literals: primitive values, boxed values, strings, class literals.

use testcase::cluster::TypeId;
use testcase::value::Value;

use super::run::{Raised, Run};
use crate::jni::{Ref, ZERO, jvalue};
use crate::resolve::Resolution;

/// A value of a primitive type, a boxed value as `valueOf` makes it, a string as a literal is one, or a new one.
pub(crate) fn primitive(run: &mut Run<'_, '_>, value: &Value, boxed: bool) -> Result<jvalue, Raised> {
    let mut raw = ZERO;
    match value {
        Value::Boolean(value) => raw.z = u8::from(*value),
        Value::Byte(value) => raw.b = *value,
        Value::Short(value) => raw.s = *value,
        Value::Char(value) => raw.c = *value,
        Value::Int(value) => raw.i = *value,
        Value::Long(value) => raw.j = *value,
        Value::Float(value) => raw.f = *value,
        Value::Double(value) => raw.d = *value,
        Value::String(text) if boxed => {
            return Ok(run.env.new_string(text.units())?.map_or(ZERO, Ref::value));
        }
        Value::String(text) => {
            return Ok(run.strings.literal(run.env, run.jdk, text)?.map_or(ZERO, Ref::value));
        }
    }
    match value.primitive_type().and_then(|primitive| run.jdk.boxed(primitive)) {
        Some(class) if boxed => Ok(class.value_of(run.env, raw)?.map_or(ZERO, Ref::value)),
        Some(_) | None => Ok(raw),
    }
}

/// `Foo.class`; the class is loaded but not initialized, as in Java.
pub(crate) fn class(run: &Run<'_, '_>, class: TypeId) -> Result<jvalue, Raised> {
    match run.handles.ty(class) {
        Resolution::Found(handle) => Ok(handle.class.value()),
        Resolution::Failed(exception) => Err(Raised::Linkage(exception.clone())),
        Resolution::Open => Err(Raised::Linkage("java/lang/NoClassDefFoundError".into())),
    }
}
