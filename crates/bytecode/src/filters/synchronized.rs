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

#[cfg(test)]
mod tests {
    use super::super::what_counts;

    #[test]
    fn the_handler_of_either_compiler_is_left_out() {
        let check = |handler: &str, expect: &[usize]| {
            let source = format!(
                ".method static f ()V\n.catch any start handler handler\nstart:\nnop\nreturn\nhandler:\n{handler}"
            );
            assert_eq!(what_counts(&source).0, expect, "{handler}");
        };
        check("aload_1\nmonitorexit\nathrow", &[0, 1]);
        check("astore_2\naload_1\nmonitorexit\naload_2\nathrow", &[0, 1]);
        check("astore_2\naload_1\nmonitorexit\naload_1\nathrow", &[0, 1, 2, 3, 4, 5, 6]);
    }
}
