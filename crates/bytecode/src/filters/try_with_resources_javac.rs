//! What javac 7 to 10 adds to a `try` with resources (Java language specification §14.20.3.1): closing the
//! resource, once behind the body and once in a handler, depending on whether something was thrown before.

use super::matcher::Matcher;
use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;
use crate::opcode::*;

/// How the code that closes a resource looks.
#[derive(Debug, Clone, Copy)]
struct Pattern {
    /// Whether the resource is compared with null first; javac 9 omits it where the resource is made by `new`.
    null_check: bool,
    /// Whether the rest is in a synthetic method; javac 9 makes one where a class has much of it.
    in_method: bool,
}

const PATTERNS: [Pattern; 4] = [
    Pattern { null_check: false, in_method: true },
    Pattern { null_check: true, in_method: false },
    Pattern { null_check: false, in_method: false },
    Pattern { null_check: true, in_method: true },
];

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    for entry in code.handlers.iter().filter(|entry| code.catches_throwable(entry)) {
        for pattern in PATTERNS {
            if filter(code, entry.handler, pattern, filtered) {
                break;
            }
        }
    }
}

fn filter(code: &MethodCode<'_>, handler: usize, pattern: Pattern, filtered: &mut Filtered) -> bool {
    let mut matcher = Matcher::at(code, handler);
    // catch (Throwable thrown) { primary = thrown; throw thrown; }
    matcher.local(ASTORE, "thrown").local(ALOAD, "thrown").local(ASTORE, "primary");
    matcher.local(ALOAD, "thrown").op(ATHROW);
    // finally { … }
    matcher.local(ASTORE, "any");
    close(&mut matcher, pattern, "suppressed after exception");
    matcher.local(ALOAD, "any").op(ATHROW);
    let Some(end) = matcher.last() else { return false };
    for start in (0..=handler).rev() {
        matcher.restart(start);
        close(&mut matcher, pattern, "suppressed");
        if let Some(last) = matcher.last() {
            let jumps = code.instructions.get(last + 1).is_some_and(|it| general_form(it.opcode) == GOTO);
            filtered.ignore(start..=last + usize::from(jumps));
            filtered.ignore(handler..=end);
            return true;
        }
    }
    false
}

fn close(matcher: &mut Matcher<'_, '_>, pattern: Pattern, suppressed: &'static str) {
    const RESOURCE: (&str, usize) = ("resource", 0);
    if pattern.null_check {
        matcher.nth_local(ALOAD, RESOURCE).op(IFNULL);
    }
    matcher.local(ALOAD, "primary");
    if pattern.in_method {
        matcher.nth_local(ALOAD, RESOURCE).op(INVOKESTATIC).require(|code, index| {
            code.member(index).is_some_and(|method| {
                method.name == "$closeResource"
                    && method.descriptor == "(Ljava/lang/Throwable;Ljava/lang/AutoCloseable;)V"
            })
        });
    } else {
        // if (primary != null) try { close } catch (Throwable t) { primary.addSuppressed(t) } else close
        matcher.op(IFNULL).close(RESOURCE).op(GOTO);
        matcher.local(ASTORE, suppressed).local(ALOAD, "primary").local(ALOAD, suppressed);
        matcher.member(INVOKEVIRTUAL, super::ADD_SUPPRESSED).op(GOTO).close(RESOURCE);
    }
}

#[cfg(test)]
mod tests {
    use super::super::what_counts;

    /// The code that closes a resource in place, in both copies the same but for the variable of what closing throws.
    fn close(number: usize, behind: &str) -> String {
        format!(
            "aload_1
            ifnull plain{number}
            aload_0
            invokevirtual java/io/Reader.close:()V
            goto {behind}
            suppressed{number}:
            astore_3
            aload_1
            aload_3
            invokevirtual java/lang/Throwable.addSuppressed:(Ljava/lang/Throwable;)V
            goto {behind}
            plain{number}:
            aload_0
            invokevirtual java/io/Reader.close:()V"
        )
    }

    fn source(first: &str, second: &str) -> String {
        format!(
            ".method static f (Ljava/io/Reader;)V
            .catch java/lang/Throwable start body thrown
            .catch any start body any
            start:
            nop
            body:
            {first}
            goto behind
            thrown:
            astore_2
            aload_2
            astore_1
            aload_2
            athrow
            any:
            astore 4
            {second}
            rethrow:
            aload 4
            athrow
            behind:
            return"
        )
    }

    #[test]
    fn closing_in_place_is_left_out() {
        for null_check in ["", "aload_0\nifnull rethrow\n"] {
            let first = null_check.replace("rethrow", "behind") + &close(1, "behind");
            let second = null_check.to_owned() + &close(2, "rethrow");
            let source = source(&first, &second);
            let (counting, _) = what_counts(&source);
            assert_eq!(counting.len(), 2, "{source} {counting:?}");
        }
    }

    #[test]
    fn closing_in_a_method_is_left_out() {
        let close = "aload_1\naload_0\ninvokestatic A.$closeResource:(Ljava/lang/Throwable;Ljava/lang/AutoCloseable;)V";
        assert_eq!(what_counts(&source(close, close)).0.len(), 2);
        let null_check = |behind: &str| format!("aload_0\nifnull {behind}\n{close}");
        assert_eq!(what_counts(&source(&null_check("behind"), &null_check("rethrow"))).0.len(), 2);
    }
}
