//! Whether an expression means the same as its automaton: where anchors stand, and what possessive repetitions keep.

use crate::term::pattern::{Class, PatternError, Tree};

/// What surrounds a part of an expression.
#[derive(Clone)]
struct Surroundings {
    /// Whether nothing can stand before it.
    is_first: bool,
    /// Whether nothing can stand behind it.
    is_last: bool,
    /// The characters that may come behind it.
    following: Class,
}

/// Refuses what an automaton would match otherwise than Java.
pub(super) fn check(tree: &Tree) -> Result<(), PatternError> {
    visit(tree, &Surroundings { is_first: true, is_last: true, following: Class::default() })
}

fn visit(tree: &Tree, around: &Surroundings) -> Result<(), PatternError> {
    match tree {
        Tree::Empty | Tree::Class(_) => Ok(()),
        Tree::Start => {
            if around.is_first {
                Ok(())
            } else {
                Err(PatternError::AnchorInside)
            }
        }
        Tree::End | Tree::LastLine => {
            if around.is_last {
                Ok(())
            } else {
                Err(PatternError::AnchorInside)
            }
        }
        Tree::Alternatives(alternatives) => alternatives.iter().try_for_each(|part| visit(part, around)),
        Tree::Sequence(parts) => {
            let mut behind = around.following.clone();
            let mut is_last = around.is_last;
            for (position, part) in parts.iter().enumerate().rev() {
                let is_first = around.is_first && parts[..position].iter().all(is_always_empty);
                visit(part, &Surroundings { is_first, is_last, following: behind.clone() })?;
                let first = first(part);
                behind = if is_nullable(part) { first.union(&behind) } else { first };
                is_last &= is_always_empty(part);
            }
            Ok(())
        }
        Tree::Repetition { of, most, is_possessive, .. } => {
            if *is_possessive {
                let is_one_class = matches!(&**of, Tree::Class(_));
                let is_disjoint = first(of).intersection(&around.following).ranges().is_empty();
                if !(is_always_same(tree) || is_one_class && is_disjoint) {
                    return Err(PatternError::Possessive);
                }
            }
            let is_once = most.is_some_and(|most| most <= 1);
            let following =
                if is_once { around.following.clone() } else { first(of).union(&around.following) };
            let (is_first, is_last) = (around.is_first && is_once, around.is_last && is_once);
            visit(of, &Surroundings { is_first, is_last, following })
        }
    }
}

/// Whether there is one length that it can match, so that there is nothing to give back.
fn is_always_same(tree: &Tree) -> bool {
    length(tree).is_some()
}

/// The only length of what it matches.
fn length(tree: &Tree) -> Option<u64> {
    match tree {
        Tree::Empty | Tree::Start | Tree::End | Tree::LastLine => Some(0),
        Tree::Class(_) => Some(1),
        Tree::Sequence(parts) => parts.iter().map(length).sum(),
        Tree::Alternatives(parts) => {
            let lengths: Vec<Option<u64>> = parts.iter().map(length).collect();
            lengths[0].filter(|_| lengths.iter().all(|length| *length == lengths[0]))
        }
        Tree::Repetition { of, least, most, .. } if *most == Some(*least) => {
            length(of).map(|length| length * u64::from(*least))
        }
        Tree::Repetition { .. } => None,
    }
}

fn is_always_empty(tree: &Tree) -> bool {
    length(tree) == Some(0)
}

pub(super) fn is_nullable(tree: &Tree) -> bool {
    match tree {
        Tree::Empty | Tree::Start | Tree::End | Tree::LastLine => true,
        Tree::Class(_) => false,
        Tree::Sequence(parts) => parts.iter().all(is_nullable),
        Tree::Alternatives(parts) => parts.iter().any(is_nullable),
        Tree::Repetition { of, least, .. } => *least == 0 || is_nullable(of),
    }
}

/// The characters that it can begin with.
fn first(tree: &Tree) -> Class {
    match tree {
        Tree::Empty | Tree::Start | Tree::End | Tree::LastLine => Class::default(),
        Tree::Class(class) => class.clone(),
        Tree::Alternatives(parts) => {
            parts.iter().fold(Class::default(), |class, part| class.union(&first(part)))
        }
        Tree::Sequence(parts) => {
            let mut class = Class::default();
            for part in parts {
                class = class.union(&first(part));
                if !is_nullable(part) {
                    break;
                }
            }
            class
        }
        Tree::Repetition { of, .. } => first(of),
    }
}
