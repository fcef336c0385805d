//! Methods that fill in default arguments: whether each is needed is asked of a bit mask.

use super::matcher::Matcher;
use super::{ClassContext, Filtered};
use crate::descriptor::{ErasedType, MethodDescriptor};
use crate::method_code::MethodCode;
use crate::opcode::*;

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    const MARKER: &str = "Lkotlin/jvm/internal/DefaultConstructorMarker;";
    let Ok(descriptor) = MethodDescriptor::parse(&code.descriptor) else { return };
    let parameters = &descriptor.parameters;
    let is_constructor = code.name == "<init>"
        && parameters.len() >= 2
        && parameters.last().is_some_and(|last| last.descriptor() == MARKER);
    if !code.access.is_synthetic() || !(is_constructor || code.name.ends_with("$default")) {
        return;
    }
    let start = super_call_check(code);
    if let Some(last) = start {
        filtered.ignore(0..=last);
    }
    // The mask can take several variables, before the marker or the spare last parameter.
    let masks = parameters.len().saturating_sub(2) / 33 + 1;
    let own = parameters.len().saturating_sub(1 + masks);
    let mask = parameters[..own].iter().map(ErasedType::slots).sum::<u16>() + u16::from(is_constructor);
    let mut found = Vec::new();
    let mut next = start.map_or(0, |last| last + 1);
    while general_form(code.opcode(next)) == ILOAD && code.local(next) >= Some(mask) {
        let mut matcher = Matcher::at(code, next + 1);
        let Some(jump) = matcher.any().op(IAND).op(IFEQ).last() else { return };
        let Some(target) = code.jump_target(jump).filter(|&target| target > jump) else { return };
        found.push(jump);
        next = target;
    }
    for jump in found {
        filtered.ignore(jump..=jump);
    }
}

/// The end of the check that no subclass calls this method of its superclass.
fn super_call_check(code: &MethodCode<'_>) -> Option<usize> {
    const EXCEPTION: &str = "java/lang/UnsupportedOperationException";
    const MESSAGE: &str = "Super calls with default arguments not supported in this target";
    let mut matcher = Matcher::at(code, 1);
    matcher.op(IFNULL).class(NEW, EXCEPTION).op(DUP).op(LDC);
    matcher.require(|code, index| code.string_constant(index).is_some_and(|text| text.starts_with(MESSAGE)));
    matcher.member(INVOKESPECIAL, (EXCEPTION, "<init>", "(Ljava/lang/String;)V")).op(ATHROW);
    matcher.last().filter(|last| last + 1 < code.len())
}

#[cfg(test)]
mod tests {
    use super::super::what_counts_in_kotlin;

    #[test]
    fn jumps_on_the_mask_are_left_out() {
        let source = "static synthetic f$default (IILjava/lang/Object;)V\n\
                      iload_1\niconst_1\niand\nifeq given\niconst_5\nistore_0\ngiven:\n\
                      iload_0\ninvokestatic p/A.f:(I)V\nreturn";
        assert_eq!(what_counts_in_kotlin(source).0, [0, 1, 2, 4, 5, 6, 7, 8]);
        assert_eq!(what_counts_in_kotlin(&source.replace("iload_1", "iload_0")).0.len(), 9);
    }
}
