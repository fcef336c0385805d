//! What ecj adds to a `try` with resources: closing each resource, once behind the body and once in handlers that
//! keep what was thrown first.

use super::matcher::{Matcher, Name};
use super::{ClassContext, Filtered};
use crate::method_code::MethodCode;
use crate::opcode::*;

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    for entry in code.handlers.iter().filter(|entry| entry.catch_type == 0) {
        if let Some((start, last, end)) =
            flows_out(code, entry.handler).or_else(|| leaves_method(code, entry.handler))
        {
            filtered.ignore(start..=last);
            filtered.ignore(entry.handler..=end);
        }
    }
}

/// Where control goes on behind the `try`: the first and last instruction of the part behind the body, and the
/// last one of the handlers.
fn flows_out(code: &MethodCode<'_>, handler: usize) -> Option<(usize, usize, usize)> {
    let mut matcher = Matcher::at(code, handler);
    matcher.local(ASTORE, "primary");
    close_and_throw(&mut matcher, 0);
    let mut resource = 1;
    let mut done = matcher.position();
    loop {
        close(&mut matcher, resource);
        if !matcher.matched() {
            break;
        }
        matcher.jump(GOTO, ("behind close", resource));
        suppress(&mut matcher, resource);
        close_and_throw(&mut matcher, resource);
        resource += 1;
        done = matcher.position();
    }
    matcher.go_to(done);
    suppress(&mut matcher, usize::MAX);
    let end = matcher.local(ALOAD, "primary").op(ATHROW).last()?;
    let start = first_close(&mut matcher, handler)?;
    Some((start, matcher.op(GOTO).last()?, end))
}

/// Where the body never completes normally.
fn leaves_method(code: &MethodCode<'_>, handler: usize) -> Option<(usize, usize, usize)> {
    let mut matcher = Matcher::at(code, handler);
    matcher.local(ASTORE, "primary");
    let mut resources = 0;
    let mut done = matcher.position();
    loop {
        close_and_throw(&mut matcher, resources);
        if matcher.matched() {
            suppress(&mut matcher, resources);
        }
        if !matcher.matched() {
            break;
        }
        resources += 1;
        done = matcher.position();
    }
    let end = matcher.go_to(done).local(ALOAD, "primary").op(ATHROW).last()?;
    let start = first_close(&mut matcher, handler)?;
    for resource in 1..resources {
        close(&mut matcher, resource);
    }
    Some((start, matcher.last()?, end))
}

/// The last place before the handler that closes the first resource.
fn first_close(matcher: &mut Matcher<'_, '_>, handler: usize) -> Option<usize> {
    (0..=handler).rev().find(|&start| {
        matcher.restart(start);
        close(matcher, 0);
        matcher.matched()
    })
}

/// `if (resource != null) resource.close();`
fn close(matcher: &mut Matcher<'_, '_>, resource: usize) {
    let name: Name = ("resource", resource);
    matcher.nth_local(ALOAD, name).jump(IFNULL, ("behind close", resource)).close(name);
}

/// `if (resource != null) resource.close(); throw primary;`
fn close_and_throw(matcher: &mut Matcher<'_, '_>, resource: usize) {
    let name: Name = ("resource", resource);
    let behind: Name = ("behind close in handler", resource);
    matcher.nth_local(ALOAD, name).jump(IFNULL, behind).close(name).label(behind);
    matcher.local(ALOAD, "primary").op(ATHROW);
}

/// `if (primary == null) primary = thrown; else if (primary != thrown) primary.addSuppressed(thrown);`
fn suppress(matcher: &mut Matcher<'_, '_>, resource: usize) {
    let thrown: Name = ("thrown", resource);
    let (other, end): (Name, Name) = (("suppress", resource), ("suppressed", resource));
    matcher.nth_local(ASTORE, thrown).local(ALOAD, "primary").jump(IFNONNULL, other);
    matcher.nth_local(ALOAD, thrown).local(ASTORE, "primary").jump(GOTO, end).label(other);
    matcher.local(ALOAD, "primary").nth_local(ALOAD, thrown).jump(IF_ACMPEQ, end);
    matcher.local(ALOAD, "primary").nth_local(ALOAD, thrown);
    matcher.member(INVOKEVIRTUAL, super::ADD_SUPPRESSED).label(end);
}

#[cfg(test)]
mod tests {
    use super::super::what_counts;

    const SUPPRESS: &str = "
        astore_2
        aload_1
        ifnonnull other
        aload_2
        astore_1
        goto end
        other:
        aload_1
        aload_2
        if_acmpeq end
        aload_1
        aload_2
        invokevirtual java/lang/Throwable.addSuppressed:(Ljava/lang/Throwable;)V
        end:
        aload_1
        athrow";

    const CLOSE: &str = "
        aload_3
        ifnull LABEL
        aload_3
        invokevirtual java/io/Reader.close:()V";

    #[test]
    fn closing_is_left_out_where_control_goes_on() {
        let source = [
            ".method static f (Ljava/io/Reader;)V\n.catch any body closing first\n.catch any body second second",
            "aload_0\nastore_3\nbody:\naload_3\ninvokevirtual java/io/Reader.read:()I\npop\nclosing:",
            &CLOSE.replace("LABEL", "behind"),
            "goto behind\nfirst:\nastore_1",
            &CLOSE.replace("LABEL", "closed"),
            "closed:\naload_1\nathrow\nsecond:",
            SUPPRESS,
            "behind:\nreturn",
        ];
        let (counting, _) = what_counts(&source.join("\n"));
        assert_eq!(counting, [0, 1, 2, 3, 4, 31]);
    }

    #[test]
    fn closing_is_left_out_where_the_body_returns() {
        let source = [
            ".method static f (Ljava/io/Reader;)I\n.catch any body closing first\n.catch any body second second",
            "aload_0\nastore_3\nbody:\naload_3\ninvokevirtual java/io/Reader.read:()I\nclosing:",
            &CLOSE.replace("LABEL", "behind"),
            "behind:\nireturn\nfirst:\nastore_1",
            &CLOSE.replace("LABEL", "closed"),
            "closed:\naload_1\nathrow\nsecond:",
            SUPPRESS,
        ];
        let (counting, _) = what_counts(&source.join("\n"));
        assert_eq!(counting, [0, 1, 2, 3, 8]);
    }

    #[test]
    fn what_closes_another_class_is_no_more_than_a_finally_block() {
        let source = [
            ".method static f (Ljava/io/Reader;)V\n.catch any body closing first\n.catch any body second second",
            "aload_0\nastore_3\nbody:\naload_3\ninvokevirtual java/io/Reader.read:()I\npop\nclosing:",
            &CLOSE.replace("LABEL", "behind").replace("Reader", "Writer"),
            "goto behind\nfirst:\nastore_1",
            &CLOSE.replace("LABEL", "closed"),
            "closed:\naload_1\nathrow\nsecond:",
            SUPPRESS,
            "behind:\nreturn",
        ];
        let (counting, _) = what_counts(&source.join("\n"));
        // Four instructions merged, and four around the copies left out.
        assert_eq!(counting.len(), 24);
    }
}
