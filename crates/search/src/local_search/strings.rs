//! Strings: random mutations say whether a string matters at all; then characters are deleted, changed, and inserted at both
//! ends, until none of that helps any more (§4.1.2).
//!
//! The distance of strings fits these moves: a character too few weighs more than one that is wrong.
//!
//! # Differences
//! Beyond the paper: characters are changed by AVM along their numbers; a character that is inserted is changed at once; strings
//! that branches compared are tried whole; where none of this helps any more several characters change at once
//! ([`string_moves`]); and every printable one is tried in each place at the very end.

use testcase::random::Random;
use testcase::statement::Statement;
use testcase::value::{JavaString, Value};

use super::avm::alternate;
use super::climb::{Climb, Reaction};
use super::{LocalSearch, string_moves};

/// Characters that are tried: the printable ones of ASCII (§4.1.2).
const PRINTABLE: std::ops::RangeInclusive<u16> = 0x20..=0x7E;

/// The character that is inserted before it is known which one fits: between the letters of both cases and the digits none is
/// far away.
pub(super) const ANY: u16 = b'M' as u16;

/// Characters that are inserted before all printable ones are.
const FIRST: [u16; 4] = [ANY, b'0' as u16, b'a' as u16, b' ' as u16];

/// Strings that branches compared of which this many are tried.
const MOST_COMPARED: usize = 16;

/// A string is not made longer than this.
pub(super) const LONGEST: usize = 1000;

/// The operator.
#[derive(Debug)]
pub(super) struct Strings;

impl LocalSearch for Strings {
    fn name(&self) -> &'static str {
        "strings"
    }

    fn applies(&self, statement: &Statement) -> bool {
        matches!(statement, Statement::Primitive { value: Value::String(_), .. })
    }

    fn improve(&self, position: usize, climb: &mut Climb<'_>) {
        if !matters(position, climb) {
            return;
        }
        if climb.options().extended {
            try_compared(position, climb);
        }
        if climb.is_thorough() {
            string_moves::try_words(position, climb);
        }
        let mut before = None;
        while before != Some(climb.improvements()) && !climb.is_over() {
            before = Some(climb.improvements());
            delete(position, climb);
            if climb.options().extended {
                ascend(position, climb);
                insert_at_ends(position, &FIRST, climb);
                if climb.is_thorough() && before == Some(climb.improvements()) {
                    string_moves::leap(position, climb);
                }
                if !climb.is_thorough() || before != Some(climb.improvements()) {
                    continue;
                }
            }
            for index in 0..units(position, climb).len() {
                try_printable(position, index, climb);
            }
            let printable: Vec<u16> = PRINTABLE.collect();
            insert_at_ends(position, &printable, climb);
        }
    }
}

/// Changes every character by AVM as long as that helps.
pub(super) fn ascend(position: usize, climb: &mut Climb<'_>) {
    for index in 0..units(position, climb).len() {
        change(position, index, climb);
    }
}

/// The characters of a string.
pub(super) fn units(position: usize, climb: &Climb<'_>) -> Vec<u16> {
    match climb.value(position) {
        Some(Value::String(text)) => text.units().to_vec(),
        _ => Vec::new(),
    }
}

/// Tries other characters.
pub(super) fn attempt(position: usize, units: Vec<u16>, climb: &mut Climb<'_>) -> Reaction {
    let test = climb.with_value(position, Value::String(JavaString::new(units)));
    climb.attempt(test)
}

/// Whether one of some random mutations changes the fitness in any way; one that improves it stays.
fn matters(position: usize, climb: &mut Climb<'_>) -> bool {
    let mut any = false;
    for _ in 0..climb.options().probes {
        let before = units(position, climb);
        let mutated = climb.changed(|test, _, random| {
            let mutated = mutated(&before, random);
            if let Some(Statement::Primitive { value, .. }) = test.statements_mut().get_mut(position) {
                *value = Value::String(JavaString::new(mutated));
            }
        });
        match climb.attempt(mutated.0) {
            Reaction::Better | Reaction::Changed => any = true,
            Reaction::Over => return false,
            Reaction::Same => {}
        }
        if any && climb.options().extended {
            // One is enough to know.
            return true;
        }
    }
    any
}

/// The global mutation of strings (§3.3): characters are deleted and changed with probability 1/n each, and inserted with
/// probability 0.5, 0.25 and so on; each of the three with probability 1/3.
fn mutated(units: &[u16], random: &mut Random) -> Vec<u16> {
    let third = 1.0 / 3.0;
    let each = 1.0 / units.len().max(1) as f64;
    let any = |random: &mut Random| {
        let size = usize::from(PRINTABLE.end() - PRINTABLE.start()) + 1;
        PRINTABLE.start() + random.below(size) as u16
    };
    let mut text = units.to_vec();
    if random.chance(third) {
        text.retain(|_| !random.chance(each));
    }
    if random.chance(third) {
        for unit in &mut text {
            if random.chance(each) {
                *unit = any(random);
            }
        }
    }
    if random.chance(third) {
        let mut chance = 0.5;
        while random.chance(chance) && text.len() < LONGEST {
            let (place, unit) = (random.below(text.len() + 1), any(random));
            text.insert(place, unit);
            chance /= 2.0;
        }
    }
    text
}

/// Tries strings that branches compared, whole.
fn try_compared(position: usize, climb: &mut Climb<'_>) {
    let compared = climb.compared().into_iter();
    let compared = compared.filter(|value| matches!(value, Value::String(_))).take(MOST_COMPARED);
    for value in compared.collect::<Vec<_>>() {
        let test = climb.with_value(position, value);
        climb.attempt(test);
    }
}

/// Deletes every character without which it is better, the last one first.
fn delete(position: usize, climb: &mut Climb<'_>) {
    for index in (0..units(position, climb).len()).rev() {
        let mut text = units(position, climb);
        text.remove(index);
        attempt(position, text, climb);
    }
}

/// Changes a character by AVM.
fn change(position: usize, index: usize, climb: &mut Climb<'_>) {
    alternate(climb, |climb, step| {
        let mut text = units(position, climb);
        let old = i128::from(*text.get(index)?);
        let new = old.saturating_add(step).clamp(0, u16::MAX.into());
        text[index] = Some(new).filter(|new| *new != old).and_then(|new| u16::try_from(new).ok())?;
        Some(climb.with_value(position, Value::String(JavaString::new(text))))
    });
}

/// Changes a character to the first printable one with which it is better.
fn try_printable(position: usize, index: usize, climb: &mut Climb<'_>) {
    for unit in PRINTABLE {
        let mut text = units(position, climb);
        let Some(old) = text.get_mut(index).filter(|old| **old != unit) else { continue };
        *old = unit;
        if matches!(attempt(position, text, climb), Reaction::Better | Reaction::Over) {
            return;
        }
    }
}

/// Inserts one of these characters at the front, as long as it gets better, then at the back.
fn insert_at_ends(position: usize, characters: &[u16], climb: &mut Climb<'_>) {
    for is_front in [true, false] {
        while insert(position, is_front, characters, climb) {
            if climb.options().extended {
                let last = units(position, climb).len() - 1;
                change(position, if is_front { 0 } else { last }, climb);
            }
        }
    }
}

/// Inserts the first of some characters with which it is better, at the front or at the back; whether there was one.
fn insert(position: usize, is_front: bool, characters: &[u16], climb: &mut Climb<'_>) -> bool {
    let before = units(position, climb);
    if before.len() >= LONGEST {
        return false;
    }
    for &unit in characters {
        let mut text = before.clone();
        text.insert(if is_front { 0 } else { before.len() }, unit);
        match attempt(position, text, climb) {
            Reaction::Better => return true,
            Reaction::Over => return false,
            Reaction::Changed | Reaction::Same => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::testing::Hill;
    use super::*;

    fn text(value: &Value) -> String {
        let Value::String(text) = value else { panic!("{value:?}") };
        text.to_string()
    }

    /// The distance of §4.1.2, each character below 1.
    fn distance(one: &str, other: &str) -> f64 {
        let (one, other): (Vec<u16>, Vec<u16>) =
            (one.encode_utf16().collect(), other.encode_utf16().collect());
        let characters: f64 = one
            .iter()
            .zip(&other)
            .map(|(one, other)| f64::from(one.abs_diff(*other)))
            .map(|distance| distance / (distance + 1.0))
            .sum();
        one.len().abs_diff(other.len()) as f64 + characters
    }

    #[test]
    fn a_string_is_found_by_its_distance() {
        for (start, wanted) in
            [("", "http"), ("zzzzzzzz", "a1"), ("abc", "ABC-2024"), ("x", "\u{e9}t\u{e9}"), ("hello", "")]
        {
            for extended in [true, false] {
                let wanted: &'static str = wanted;
                if !extended && !wanted.is_ascii() {
                    continue;
                }
                let start = Value::String(start.into());
                let mut hill = Hill::of_value(&start, move |value| distance(&text(value), wanted));
                hill.options.extended = extended;
                assert_eq!(text(&hill.found()), wanted, "{extended}");
            }
        }
    }

    #[test]
    fn a_string_that_does_not_matter_costs_its_probes() {
        for extended in [true, false] {
            let mut hill = Hill::of_value(&Value::String("some words".into()), |_| 1.0);
            hill.options.extended = extended;
            assert_eq!(text(&hill.found()), "some words");
            assert!(hill.attempts <= 10, "{}", hill.attempts);
        }
    }

    #[test]
    fn a_string_that_was_compared_is_tried_whole() {
        let is_it = |value: &Value| {
            if text(value) == "magic" { 0.0 } else { 1.0 + text(value).len() as f64 }
        };
        let compared = vec![Value::String("magic".into())];
        let mut hill = Hill::of_value(&Value::String("abc".into()), is_it).comparing(compared);
        assert_eq!(text(&hill.found()), "magic");
    }
}
