//! Casts of a nullable value to a type that is not (`x as T`).

use super::matcher::Matcher;
use super::{ClassContext, Filtered};
use crate::method_code::{Marks, MethodCode};
use crate::opcode::*;

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    const EXCEPTIONS: [&str; 2] = ["kotlin/TypeCastException", "java/lang/NullPointerException"];
    for jump in (0..code.len()).filter(|&index| code.opcode(index) == IFNONNULL) {
        for exception in EXCEPTIONS {
            let mut matcher = Matcher::at(code, jump + 1);
            let pops = matcher.peek().is_some_and(|next| code.opcode(next) == POP);
            if pops && code.marks(jump + 1) == Marks::default() {
                matcher.any();
            }
            matcher.class(NEW, exception).op(DUP).op(LDC).require(|code, index| {
                code.string_constant(index)
                    .is_some_and(|text| text.starts_with("null cannot be cast to non-null type"))
            });
            matcher.member(INVOKESPECIAL, (exception, "<init>", "(Ljava/lang/String;)V")).op(ATHROW);
            if let Some(last) = matcher.last().filter(|last| code.jump_target(jump) == Some(last + 1)) {
                filtered.ignore(jump..=last);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::what_counts_in_kotlin;

    #[test]
    fn the_check_and_the_throw_are_left_out() {
        let source = "static f ()V\naload_0\ndup\nifnonnull ok\npop\nnew java/lang/NullPointerException\ndup\n\
                      ldc \"null cannot be cast to non-null type kotlin.String\"\n\
                      invokespecial java/lang/NullPointerException.<init>:(Ljava/lang/String;)V\nathrow\n\
                      ok:\ncheckcast java/lang/String\npop\nreturn";
        assert_eq!(what_counts_in_kotlin(source).0, [0, 1, 9, 10, 11]);
        assert_eq!(what_counts_in_kotlin(&source.replace("null cannot", "null must not")).0.len(), 12);
    }
}
