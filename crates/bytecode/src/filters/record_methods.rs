//! `toString`, `hashCode`, `equals` and the accessors of records, where they are those that the compiler makes.

use super::matcher::Matcher;
use super::{ClassContext, Filtered};
use crate::instruction::Operand;
use crate::method_code::MethodCode;
use crate::opcode::*;

pub(super) fn apply(context: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    if context.superclass != "java/lang/Record" {
        return;
    }
    let mut matcher = Matcher::at(code, 0);
    matcher.this();
    let object_method = |code: &MethodCode<'_>, index: usize| is_object_method(code, index, &code.name);
    match (&*code.name, &*code.descriptor) {
        ("toString", "()Ljava/lang/String;") => {
            matcher.op(INVOKEDYNAMIC).require(object_method).op(ARETURN);
        }
        ("hashCode", "()I") => {
            matcher.op(INVOKEDYNAMIC).require(object_method).op(IRETURN);
        }
        ("equals", "(Ljava/lang/Object;)Z") => {
            matcher.op(ALOAD).op(INVOKEDYNAMIC).require(object_method).op(IRETURN);
        }
        _ => {}
    }
    let generated = matcher.matched() && matcher.last() != Some(0);
    if generated || code.descriptor.starts_with("()") && is_accessor(code) {
        filtered.ignore_all();
    }
}

/// Loads and returns the field of its own name.
fn is_accessor(code: &MethodCode<'_>) -> bool {
    let mut matcher = Matcher::at(code, 0);
    matcher.this().op(GETFIELD);
    matcher.require(|code, index| code.member(index).is_some_and(|field| field.name == code.name));
    matcher.test(|code, index| matches!(code.opcode(index), IRETURN..=ARETURN));
    matcher.matched()
}

/// Whether the method is made at run time by `java.lang.runtime.ObjectMethods`.
fn is_object_method(code: &MethodCode<'_>, index: usize, name: &str) -> bool {
    let Operand::Constant(constant) = code.instructions[index].operand else { return false };
    let Ok((bootstrap, found, _)) = code.class.constants.invoke_dynamic(constant) else { return false };
    let method = code.class.bootstrap_method(bootstrap);
    let handle = method.and_then(|method| code.class.constants.method_handle(method.handle).ok());
    found == name
        && handle.is_some_and(|(_, method)| {
            method.owner == "java/lang/runtime/ObjectMethods" && method.name == "bootstrap"
        })
}
