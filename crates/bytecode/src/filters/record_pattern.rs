//! The handler that turns what an accessor throws inside a record pattern into a `MatchException`.

use super::matcher::Matcher;
use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;
use crate::opcode::*;

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    const EXCEPTION: &str = "java/lang/MatchException";
    for entry in code.handlers.iter().filter(|entry| code.catches_throwable(entry)) {
        let mut matcher = Matcher::at(code, entry.handler);
        matcher.local(ASTORE, "cause").class(NEW, EXCEPTION).op(DUP).local(ALOAD, "cause");
        matcher.member(INVOKEVIRTUAL, ("java/lang/Throwable", "toString", "()Ljava/lang/String;"));
        matcher.local(ALOAD, "cause");
        let constructor = (EXCEPTION, "<init>", "(Ljava/lang/String;Ljava/lang/Throwable;)V");
        if let Some(last) = matcher.member(INVOKESPECIAL, constructor).op(ATHROW).last() {
            filtered.ignore(entry.handler..=last);
        }
    }
}
