//! Private constructors without parameters that do nothing: they keep a class of static methods from being made.

use super::matcher::Matcher;
use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;
use crate::opcode::*;

pub(super) fn apply(context: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    if !code.access.is_private() || code.name != "<init>" || code.descriptor != "()V" {
        return;
    }
    let mut matcher = Matcher::at(code, 0);
    matcher.this().member(INVOKESPECIAL, (&context.superclass, "<init>", "()V")).op(RETURN);
    if matcher.matched() {
        filtered.ignore_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::what_counts;

    #[test]
    fn only_a_private_one_that_does_nothing_is_left_out() {
        let check = |method: &str, expect: usize| {
            let body = "aload_0\ninvokespecial java/lang/Object.<init>:()V";
            let source =
                format!(".class public p/A java/lang/Object\n.method {method}").replace("BODY", body);
            assert_eq!(what_counts(&source).0.len(), expect, "{method}");
        };
        check("private <init> ()V\nBODY\nreturn", 0);
        check("public <init> ()V\nBODY\nreturn", 3);
        check("private <init> (I)V\nBODY\nreturn", 3);
        check("private <init> ()V\nBODY\nnop\nreturn", 4);
    }
}
