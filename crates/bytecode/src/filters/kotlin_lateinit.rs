//! Whether a `lateinit` property was set, asked each time it is read.

use super::matcher::Matcher;
use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;
use crate::opcode::*;

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    for jump in 0..code.len() {
        let (IFNONNULL | IFNULL, Some(target)) = (code.opcode(jump), code.jump_target(jump)) else {
            continue;
        };
        if code.opcode(jump) == IFNONNULL {
            let mut matcher = Matcher::at(code, jump + 1);
            throws_uninitialized(&mut matcher);
            // What follows the call before the target depends on the version.
            for _ in 0..3 {
                if let Some(last) = matcher.last().filter(|last| last + 1 == target) {
                    filtered.ignore(jump..=last);
                }
                matcher.any();
            }
        } else {
            let mut matcher = Matcher::at(code, target);
            throws_uninitialized(&mut matcher);
            matcher.any().test(|code, index| matches!(code.opcode(index), ARETURN | ATHROW));
            if let Some(last) = matcher.last() {
                filtered.ignore(jump..=jump);
                filtered.ignore(target..=last);
            }
        }
    }
}

fn throws_uninitialized(matcher: &mut Matcher<'_, '_>) {
    const METHOD: (&str, &str, &str) = (
        "kotlin/jvm/internal/Intrinsics",
        "throwUninitializedPropertyAccessException",
        "(Ljava/lang/String;)V",
    );
    if matcher.peek().is_some_and(|next| matcher.code().opcode(next) == POP) {
        matcher.any();
    }
    matcher.op(LDC).member(INVOKESTATIC, METHOD);
}

#[cfg(test)]
mod tests {
    use super::super::what_counts_in_kotlin;

    #[test]
    fn the_check_and_the_throw_are_left_out() {
        let throws = "ldc \"x\"\n\
                      invokestatic kotlin/jvm/internal/Intrinsics.throwUninitializedPropertyAccessException:(Ljava/lang/String;)V";
        let inline = format!("static f ()V\naload_0\ndup\nifnonnull ok\n{throws}\nok:\npop\nreturn");
        assert_eq!(what_counts_in_kotlin(&inline).0, [0, 1, 5, 6]);
        let behind = format!(
            "static f ()V\naload_0\ndup\nifnull no\nareturn\nno:\npop\n{throws}\naconst_null\nareturn"
        );
        assert_eq!(what_counts_in_kotlin(&behind).0, [0, 1, 3]);
    }
}
