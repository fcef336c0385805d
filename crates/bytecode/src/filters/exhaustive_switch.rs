//! The default of an exhaustive switch, which throws because no case matches a class compiled later.

use super::matcher::Matcher;
use super::{Branches, ClassContext, Filtered};
use crate::method_code::MethodCode;
use crate::opcode::*;

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    if !code.has_switches() {
        return;
    }
    for index in 0..code.len() {
        let Some(default) = code.switch(index).and_then(|switch| code.at(switch.default)) else { continue };
        // Code of another line was written by a person.
        if code.marks(default).line && code.lines[default] != code.lines[index] {
            continue;
        }
        let mut since_21 = Matcher::at(code, default);
        since_21.class(NEW, "java/lang/MatchException").op(DUP).op(ACONST_NULL).op(ACONST_NULL);
        let constructor =
            ("java/lang/MatchException", "<init>", "(Ljava/lang/String;Ljava/lang/Throwable;)V");
        since_21.member(INVOKESPECIAL, constructor).op(ATHROW);
        let mut before = Matcher::at(code, default);
        before.class(NEW, "java/lang/IncompatibleClassChangeError").op(DUP);
        before.member(INVOKESPECIAL, ("java/lang/IncompatibleClassChangeError", "<init>", "()V")).op(ATHROW);
        if let Some(last) = since_21.last().or(before.last()) {
            filtered.ignore(default..=last);
            filtered.replace(index, Branches::without_default(code, index));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::what_counts;

    #[test]
    fn a_default_that_throws_is_left_out_unless_it_has_a_line_of_its_own() {
        let check = |line: &str, expect: &[(usize, usize)]| {
            let source = format!(
                ".method static f (I)I\n.line 1\niload_0\nlookupswitch 1:one 2:two default:other\nother:\n{line}\n\
                 new java/lang/MatchException\ndup\naconst_null\naconst_null\n\
                 invokespecial java/lang/MatchException.<init>:(Ljava/lang/String;Ljava/lang/Throwable;)V\nathrow\n\
                 one:\niconst_1\nireturn\ntwo:\niconst_2\nireturn"
            );
            assert_eq!(what_counts(&source).1, expect, "{line}");
        };
        check("", &[(1, 2)]);
        check(".line 1", &[(1, 2)]);
        check(".line 2", &[]);
    }
}
