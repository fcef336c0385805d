//! What the Kotlin compiler makes without giving it a line: whole methods, and the start of others.

use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;

pub(super) fn apply(context: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    // Without a source file there is no debug information, and all methods would look made.
    if !context.has_source_file {
        return;
    }
    match code.lines.iter().position(Option::is_some) {
        Some(0) => {}
        Some(first) => filtered.ignore(0..=first - 1),
        None => filtered.ignore_all(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::what_counts;

    #[test]
    fn what_has_no_line_is_left_out() {
        let class = ".class public p/A java/lang/Object\n.annotation Lkotlin/Metadata;\n";
        let check = |rest: &str, expect: &[usize]| {
            assert_eq!(what_counts(&format!("{class}{rest}")).0, expect, "{rest}");
        };
        check(".source A.kt\n.method static f ()V\nnop\nreturn", &[]);
        check(".source A.kt\n.method static f ()V\nnop\n.line 3\nreturn", &[1]);
        check(".method static f ()V\nnop\nreturn", &[0, 1]);
    }
}
