//! What javac since 11 adds to a `try` with resources: closing the resource, once behind the body and once in a
//! handler that keeps what was thrown there as well.

use super::matcher::Matcher;
use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;
use crate::opcode::*;

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    for entry in code.handlers.iter().filter(|entry| code.catches_throwable(entry)) {
        // There is no check for null where the resource is made by `new`.
        for null_check in [true, false] {
            filter(code, entry.handler, null_check, filtered);
        }
    }
}

fn filter(code: &MethodCode<'_>, handler: usize, null_check: bool, filtered: &mut Filtered) {
    let mut matcher = Matcher::at(code, handler);
    matcher.local(ASTORE, "primary");
    close(&mut matcher, null_check);
    matcher.op(GOTO).local(ASTORE, "suppressed").local(ALOAD, "primary").local(ALOAD, "suppressed");
    matcher.member(INVOKEVIRTUAL, super::ADD_SUPPRESSED).local(ALOAD, "primary").op(ATHROW);
    let Some(end) = matcher.last() else { return };
    for start in (0..=handler).rev() {
        matcher.restart(start);
        close(&mut matcher, null_check);
        if let Some(last) = matcher.last() {
            let jumps = code.instructions.get(last + 1).is_some_and(|it| general_form(it.opcode) == GOTO);
            filtered.ignore(start..=last + usize::from(jumps));
            filtered.ignore(handler..=end);
            return;
        }
    }
}

fn close(matcher: &mut Matcher<'_, '_>, null_check: bool) {
    if null_check {
        matcher.local(ALOAD, "resource").op(IFNULL);
    }
    matcher.close(("resource", 0));
}
