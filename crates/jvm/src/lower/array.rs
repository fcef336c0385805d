//! Arrays.

use testcase::cluster::TypeId;
use testcase::statement::VarRef;

use super::run::{CAST, NULL, Raised, Run};
use crate::jni::{Kind, Ref, ZERO, jvalue};
use crate::resolve::{Resolution, TypeHandle};

fn handle<'a>(run: &Run<'a, '_>, of: TypeId) -> Result<&'a TypeHandle, Raised> {
    match run.handles.ty(of) {
        Resolution::Found(handle) => Ok(handle),
        Resolution::Failed(exception) => Err(Raised::Linkage(exception.clone())),
        Resolution::Open => Err(Raised::Linkage("java/lang/NoClassDefFoundError".into())),
    }
}

/// `new Foo[length]`.
pub(crate) fn create(run: &Run<'_, '_>, of: TypeId, length: u16) -> Result<jvalue, Raised> {
    let (kind, element) = handle(run, of)?.element.ok_or(CAST)?;
    let length = usize::from(length);
    let array = match kind {
        Kind::Object => run.env.new_object_array(element.get(), length)?,
        Kind::Boolean
        | Kind::Byte
        | Kind::Char
        | Kind::Short
        | Kind::Int
        | Kind::Long
        | Kind::Float
        | Kind::Double => run.env.new_primitive_array(kind, length)?,
    };
    Ok(array.map_or(ZERO, Ref::value))
}

/// `array[index] = value`. What goes wrong is the statement's own fault.
pub(crate) fn write(run: &Run<'_, '_>, array: VarRef, index: u16, value: VarRef) -> Result<jvalue, Raised> {
    let of = run.type_of(array).ok_or(CAST)?;
    let (kind, class) = handle(run, of)?.element.ok_or(CAST)?;
    let element = run.cluster.ty(of).element.ok_or(CAST)?;
    let object = run.reference(array).ok_or(NULL)?;
    // An array variable may hold an array of a subtype, which JNI checks when it stores.
    let value = run.argument(value, element, kind, Some(class))?;
    if usize::from(index) >= run.env.array_length(object) {
        return Err(Raised::Statement("java/lang/ArrayIndexOutOfBoundsException"));
    }
    // SAFETY: the variable's type is that of an array with elements of this kind, and the value is of it.
    if unsafe { run.env.set_element(object, index.into(), kind, value) }.is_err() {
        run.env.clear();
        return Err(Raised::Statement("java/lang/ArrayStoreException"));
    }
    Ok(ZERO)
}
