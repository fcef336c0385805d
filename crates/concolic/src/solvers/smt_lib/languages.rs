//! Literals and regular expressions. A character of SMT-LIB is a code unit here, as in Java.

use std::fmt::Write as _;

use crate::term::pattern::{Class, Tree};

/// The code units that are halves of pairs.
const SURROGATES: (u32, u32) = (0xd800, 0xdfff);

/// The highest code unit.
const LAST: u32 = 0xffff;

/// A literal.
pub(super) fn literal(units: impl IntoIterator<Item = u16>) -> String {
    let mut text = "\"".to_owned();
    for unit in units {
        match u8::try_from(unit) {
            Ok(b'"') => text.push_str("\"\""),
            Ok(unit @ b' '..=b'~') if unit != b'\\' => text.push(char::from(unit)),
            Ok(_) | Err(_) => write!(text, "\\u{{{unit:x}}}").expect("a string takes what is written"),
        }
    }
    text.push('"');
    text
}

/// One code unit of ranges, whose ends belong to them.
pub(super) fn one_of(ranges: &[(u32, u32)]) -> String {
    let single = |unit: u32| literal(u16::try_from(unit));
    let parts: Vec<String> = ranges
        .iter()
        .map(|&(low, high)| {
            if low == high {
                format!("(str.to_re {})", single(low))
            } else {
                format!("(re.range {} {})", single(low), single(high))
            }
        })
        .collect();
    joined("re.union", "re.none", &parts)
}

/// Any number of what is in a language.
pub(super) fn any_number(of: &str) -> String {
    format!("(re.* {of})")
}

/// One behind the other.
pub(super) fn sequence(parts: &[String]) -> String {
    joined("re.++", "(str.to_re \"\")", parts)
}

/// Any one of them.
pub(super) fn alternatives(parts: &[String]) -> String {
    joined("re.union", "re.none", parts)
}

/// What is in a language, or nothing.
pub(super) fn optional(of: &str) -> String {
    format!("(re.opt {of})")
}

/// One or more of what is in a language.
pub(super) fn at_least_one(of: &str) -> String {
    format!("(re.+ {of})")
}

fn joined(operator: &str, of_none: &str, parts: &[String]) -> String {
    match parts {
        [] => of_none.to_owned(),
        [part] => part.clone(),
        _ => format!("({operator} {})", parts.join(" ")),
    }
}

/// A regular expression, of texts without halves of pairs. Java's is over code points: what is beyond 16 bits is a pair.
pub(super) fn language(tree: &Tree) -> String {
    match tree {
        Tree::Empty | Tree::Start | Tree::End | Tree::LastLine => "(str.to_re \"\")".to_owned(),
        Tree::Class(class) => {
            let below = |&(low, high): &(u32, u32)| (low, high.min(SURROGATES.0 - 1));
            let above = |&(low, high): &(u32, u32)| (low.max(SURROGATES.1 + 1), high.min(LAST));
            let ranges = class.ranges().iter();
            let ranges = ranges.flat_map(|range| [below(range), above(range)]);
            one_of(&ranges.filter(|(low, high)| low <= high).collect::<Vec<_>>())
        }
        Tree::Sequence(parts) => sequence(&parts.iter().map(language).collect::<Vec<_>>()),
        Tree::Alternatives(parts) => alternatives(&parts.iter().map(language).collect::<Vec<_>>()),
        Tree::Repetition { of, least, most, .. } => {
            let of = language(of);
            match (least, most) {
                (0, None) => any_number(&of),
                (1, None) => at_least_one(&of),
                (0, Some(1)) => optional(&of),
                (least, Some(most)) => format!("((_ re.loop {least} {most}) {of})"),
                (least, None) => sequence(&[format!("((_ re.loop {least} {least}) {of})"), any_number(&of)]),
            }
        }
    }
}

/// Whether a half of a pair, or a pair, may be part of a text that an expression matches.
pub(super) fn has_pairs(tree: &Tree) -> bool {
    match tree {
        Tree::Empty | Tree::Start | Tree::End | Tree::LastLine => false,
        Tree::Class(class) => has_pair(class),
        Tree::Sequence(parts) | Tree::Alternatives(parts) => parts.iter().any(has_pairs),
        Tree::Repetition { of, .. } => has_pairs(of),
    }
}

fn has_pair(class: &Class) -> bool {
    class.ranges().iter().any(|&(low, high)| high > LAST || low <= SURROGATES.1 && high >= SURROGATES.0)
}

/// All texts without halves of pairs.
pub(super) fn without_pairs() -> String {
    any_number(&one_of(&[(0, SURROGATES.0 - 1), (SURROGATES.1 + 1, LAST)]))
}

/// All texts of code units.
pub(super) fn of_units() -> String {
    any_number(&one_of(&[(0, LAST)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::pattern::{Expression, Pattern};

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    #[test]
    fn literals_are_escaped() {
        for (text, expected) in [
            ("a b", "\"a b\""),
            ("\"\\", "\"\"\"\\u{5c}\""),
            ("\u{0}\u{7f}é\u{1f600}", "\"\\u{0}\\u{7f}\\u{e9}\\u{d83d}\\u{de00}\""),
        ] {
            assert_eq!(literal(units(text)), expected);
        }
    }

    #[test]
    fn expressions_are_printed_part_by_part() {
        for (expression, expected, pairs) in [
            ("a[b-d]", "(re.++ (str.to_re \"a\") (re.range \"b\" \"d\"))", false),
            (
                "a*|b+|c?",
                "(re.union (re.* (str.to_re \"a\")) (re.+ (str.to_re \"b\")) (re.opt (str.to_re \"c\")))",
                false,
            ),
            ("a{2,3}", "((_ re.loop 2 3) (str.to_re \"a\"))", false),
            ("a{2,}", "(re.++ ((_ re.loop 2 2) (str.to_re \"a\")) (re.* (str.to_re \"a\")))", false),
            ("", "(str.to_re \"\")", false),
            (
                "[^a]",
                "(re.union (re.range \"\\u{0}\" \"`\") (re.range \"b\" \"\\u{d7ff}\") (re.range \"\\u{e000}\" \"\\u{ffff}\"))",
                true,
            ),
        ] {
            let expression = Expression::whole(&units(expression));
            let (pattern, _) = Pattern::of(&expression).expect("it is regular").remove(0);
            assert_eq!(language(pattern.tree()), expected, "{expression:?}");
            assert_eq!(has_pairs(pattern.tree()), pairs, "{expression:?}");
        }
    }
}
