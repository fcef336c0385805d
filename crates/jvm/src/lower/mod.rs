//! Statements as JNI calls: one file per kind of statement.

mod array;
mod call;
mod field;
mod literal;
mod run;
mod stub;

pub(crate) use run::{OldValue, Raised, Run, RunException, StaticWrite};

use testcase::cluster::{CallableId, FieldId};
use testcase::statement::{Statement, VarRef};

use crate::jni::{Ref, jvalue};

/// Runs one statement and gives the value of its variable, zero where it defines none.
pub(crate) fn lower(run: &mut Run<'_, '_>, statement: &Statement) -> Result<jvalue, Raised> {
    match statement {
        Statement::Primitive { value, boxed } => literal::primitive(run, value, *boxed),
        Statement::Null { .. } => Ok(crate::jni::ZERO),
        Statement::EnumConstant { field } => field::read(run, *field, None),
        Statement::ClassLiteral { class, .. } => literal::class(run, *class),
        Statement::Constructor { callable, arguments } => call::constructor(run, *callable, arguments),
        Statement::Method { callable, receiver, arguments } => {
            call::method(run, *callable, *receiver, arguments)
        }
        Statement::FieldRead { field, receiver } => field::read(run, *field, *receiver),
        Statement::FieldWrite { field, receiver, value } => field::write(run, *field, *receiver, *value),
        Statement::Array { of, length } => array::create(run, *of, *length),
        Statement::ArrayWrite { array, index, value } => array::write(run, *array, *index, *value),
        Statement::Stub { stub, script } => stub::create(run, *stub, script),
    }
}

/// Calls a method without parameters on a variable.
pub(crate) fn inspect(run: &Run<'_, '_>, callable: CallableId, receiver: VarRef) -> Result<jvalue, Raised> {
    call::inspect(run, callable, receiver)
}

/// Calls a method without parameters on an object.
pub(crate) fn inspect_object(
    run: &Run<'_, '_>,
    callable: CallableId,
    receiver: Ref<'_>,
) -> Result<jvalue, Raised> {
    call::inspect_object(run, callable, receiver)
}

/// Reads a field of a variable.
pub(crate) fn read_field(run: &Run<'_, '_>, field: FieldId, of: VarRef) -> Result<jvalue, Raised> {
    field::read(run, field, Some(of))
}
