//! Expressions of which a part of a text, or its beginning, is to match, as expressions of the whole text.
//!
//! # Differences
//! A `\r` that the expression itself matches may be followed by the `\n` that `$` passes over; for Java they are one.

use bytecode::predicate::MatchMode;

use crate::term::pattern::syntax::Parsed;
use crate::term::pattern::{Class, Tree};

/// What the whole text must match, and what it must match beside, or must not (true).
pub(super) fn of_whole_text(parsed: Parsed, extent: MatchMode) -> Option<Vec<(Tree, bool)>> {
    let Parsed { ahead, tree, line_end } = parsed;
    // What is sought anywhere looks ahead from where it is found.
    if !ahead.is_empty() && extent == MatchMode::Part && !begins(&tree) {
        return None;
    }
    let mut all = vec![(completed(tree, extent, &line_end), false)];
    all.extend(
        ahead
            .into_iter()
            .map(|(tree, is_refused)| (completed(tree, MatchMode::Start, &line_end), is_refused)),
    );
    Some(all)
}

/// Any text.
fn anything() -> Tree {
    let of = Box::new(Tree::Class(Class::all()));
    Tree::Repetition { of, least: 0, most: None, is_possessive: false }
}

fn completed(tree: Tree, extent: MatchMode, line_end: &Tree) -> Tree {
    if extent == MatchMode::Whole {
        return tree;
    }
    if let Tree::Alternatives(parts) = tree {
        return Tree::Alternatives(parts.into_iter().map(|part| completed(part, extent, line_end)).collect());
    }
    let mut parts = Vec::new();
    if extent == MatchMode::Part && !begins(&tree) {
        parts.push(anything());
    }
    if ends(&tree) {
        parts.push(ended(tree, line_end));
    } else {
        parts.push(tree);
        parts.push(anything());
    }
    Tree::Sequence(parts)
}

/// Whether it matches at the beginning of a text alone.
fn begins(tree: &Tree) -> bool {
    match tree {
        Tree::Start => true,
        Tree::Sequence(parts) => parts.first().is_some_and(begins),
        Tree::Alternatives(parts) => parts.iter().all(begins),
        Tree::Empty | Tree::Class(_) | Tree::Repetition { .. } | Tree::End | Tree::LastLine => false,
    }
}

/// Whether it matches at the end of a text alone.
fn ends(tree: &Tree) -> bool {
    match tree {
        Tree::End | Tree::LastLine => true,
        Tree::Sequence(parts) => parts.last().is_some_and(ends),
        Tree::Alternatives(parts) => parts.iter().all(ends),
        Tree::Empty | Tree::Class(_) | Tree::Repetition { .. } | Tree::Start => false,
    }
}

/// What [`ends`], with all of the text behind it.
fn ended(tree: Tree, line_end: &Tree) -> Tree {
    match tree {
        Tree::LastLine => {
            Tree::Repetition { of: Box::new(line_end.clone()), least: 0, most: Some(1), is_possessive: false }
        }
        Tree::Sequence(mut parts) => {
            let last = parts.pop().map(|last| ended(last, line_end));
            parts.extend(last);
            Tree::Sequence(parts)
        }
        Tree::Alternatives(parts) => {
            Tree::Alternatives(parts.into_iter().map(|part| ended(part, line_end)).collect())
        }
        Tree::Empty | Tree::Class(_) | Tree::Repetition { .. } | Tree::Start | Tree::End => tree,
    }
}
