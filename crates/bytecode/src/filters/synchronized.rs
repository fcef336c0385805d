//! The handler by which a `synchronized` block releases its monitor when it ends in an exception.

use super::matcher::Matcher;
use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;
use crate::opcode::*;

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    for entry in &code.handlers {
        if entry.catch_type != 0 || entry.range.start == entry.handler {
            continue;
        }
        let mut ecj = Matcher::at(code, entry.handler);
        ecj.op(ALOAD).op(MONITOREXIT).op(ATHROW);
        let mut javac = Matcher::at(code, entry.handler);
        javac.local(ASTORE, "t").op(ALOAD).op(MONITOREXIT).local(ALOAD, "t").op(ATHROW);
        if let Some(last) = ecj.last().or(javac.last()) {
            filtered.ignore(entry.handler..=last);
        }
    }
}
