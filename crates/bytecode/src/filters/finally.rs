//! Copies of `finally` blocks. Compilers write the block once for each way out of the `try`, and once more into a
//! handler for everything else. The copies count as one, which is covered when any of them is.

use super::{ClassContext, Filtered};
use crate::method_code::{Handler, MethodCode};
use crate::opcode::*;

pub(super) fn apply(_: &ClassContext<'_>, code: &MethodCode<'_>, filtered: &mut Filtered) {
    for (number, entry) in code.handlers.iter().enumerate() {
        if entry.catch_type == 0
            && let Some(size) = block_size(code, entry.handler)
        {
            merge_copies(code, number, entry, size, filtered);
        }
    }
}

/// Length of the copy in a handler that keeps the exception, runs the block and throws the exception again.
fn block_size(code: &MethodCode<'_>, handler: usize) -> Option<usize> {
    let kept = (general_form(code.opcode(handler)) == ASTORE).then(|| code.local(handler))??;
    let start = handler + 1;
    let loads_it =
        |&index: &usize| general_form(code.opcode(index)) == ALOAD && code.local(index) == Some(kept);
    let end = (start..code.len()).find(loads_it)?;
    (end > start && end + 1 < code.len() && code.opcode(end + 1) == ATHROW).then_some(end - start)
}

/// Finds the places where control leaves the regions that the handler covers. All of them together, since control
/// can go from one to another.
fn merge_copies(code: &MethodCode<'_>, number: usize, any: &Handler, size: usize, filtered: &mut Filtered) {
    let mut covered = vec![false; code.len()];
    for entry in code.handlers.iter().filter(|entry| entry.handler == any.handler) {
        covered[entry.range.clone()].fill(true);
    }
    let inside = |index: usize| covered.get(index) == Some(&true);
    for (other, entry) in code.handlers.iter().enumerate() {
        if entry.handler == any.handler {
            let mut goes_on = false;
            for index in entry.range.clone() {
                let opcode = general_form(code.opcode(index));
                if let Some(target) = code.jump_target(index) {
                    if !inside(target) {
                        merge(code, any.handler, size, target, filtered);
                    }
                    goes_on = opcode != GOTO;
                } else {
                    goes_on = !is_return(opcode) && opcode != ATHROW;
                }
            }
            if goes_on && !inside(entry.range.end) {
                merge(code, any.handler, size, entry.range.end, filtered);
            }
        }
        if other != number && entry.range == any.range {
            // Behind the store of the exception: what javac makes of an empty `catch`.
            let behind = entry.handler + 1;
            if behind < code.len() && !inside(behind) {
                merge(code, any.handler, size, behind, filtered);
            }
        }
    }
}

/// Merges the copy at `copy`, if it is one, with the one in the handler.
fn merge(code: &MethodCode<'_>, handler: usize, size: usize, copy: usize, filtered: &mut Filtered) {
    let block = handler + 1;
    let is_same = (0..size).all(|step| {
        copy + step < code.len()
            && general_form(code.opcode(block + step)) == general_form(code.opcode(copy + step))
    });
    if !is_same {
        return;
    }
    filtered.ignore(handler..=handler);
    for step in 0..size {
        filtered.merge(block + step, copy + step);
    }
    filtered.ignore(block + size..=block + size + 1);
    // The jump behind a copy that never runs would leave the last line partly covered.
    let behind = copy + size;
    if behind < code.len() && general_form(code.opcode(behind)) == GOTO {
        filtered.ignore(behind..=behind);
    }
}

#[cfg(test)]
mod tests {
    use super::super::what_counts;

    #[test]
    fn copies_count_as_one_and_what_throws_again_does_not_count() {
        let block = "getstatic A.a:I\niconst_1\niadd\nputstatic A.a:I";
        let source = format!(
            ".method static f ()V\n.catch any start end handler\nstart:\ninvokestatic A.g:()V\nend:\n{block}\ngoto out\n\
             handler:\nastore_0\n{block}\naload_0\nathrow\nout:\nreturn"
        );
        assert_eq!(what_counts(&source).0, [0, 7, 8, 9, 10, 13]);
        let other = source.replacen("iconst_1", "iconst_2", 1);
        assert_eq!(what_counts(&other).0.len(), 14);
    }
}
