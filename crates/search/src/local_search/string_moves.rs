//! Strings in larger steps: where no single character helps any more, several are changed at once.
//!
//! What a parser wants is often a word, a number of several digits, or the same in two places: each of its characters alone
//! changes nothing. So words that branches compared take the place of a part of the string, stretches are filled with one
//! character, neighbours change places, blocks are repeated or go, and two characters move together.
//!
//! # Differences
//! None of it is in the paper. Aschermann et al. 2019, "REDQUEEN: Fuzzing with Input-to-State Correspondence" (NDSS), §III, put
//! compared values into the places that hold what they were compared with; here every place has its turn.

use std::collections::BTreeSet;

use testcase::value::Value;

use super::climb::{Climb, Reaction};
use super::strings::{ANY, LONGEST, attempt, units};

/// Candidates of one kind that are tried at most; of more, as many are drawn.
const MOST_OF_A_KIND: usize = 60;

/// Words that branches compared of which this many are used; as many numbers that they compared.
const MOST_WORDS: usize = 16;

/// Strings that are drawn as for new tests, beside those that branches compared.
const MOST_DRAWN: usize = 6;

/// Characters that stretches are filled with, beside those that branches compared.
const FILLING: [u16; 3] = [b'0' as u16, b'1' as u16, b'a' as u16];

/// Compared characters that stretches are filled with.
const MOST_CHARACTERS: usize = 6;

/// Longest decimal that is a word.
const LONGEST_NUMBER: usize = 16;

/// Longest block that is repeated or taken out.
const LONGEST_BLOCK: usize = 4;

/// A string.
type Text = Vec<u16>;

/// What can become of a string, given words and characters that branches compared.
type Moves = fn(&[u16], &[Text], &[u16]) -> Vec<Text>;

/// All kinds but words, the cheapest first.
const KINDS: [Moves; 5] =
    [with_stretches_between_signs, with_neighbours_swapped, with_blocks, with_stretches, with_two_moved];

/// Puts words into it as long as that helps. To be tried before its characters are: it costs less.
pub(super) fn try_words(position: usize, climb: &mut Climb<'_>) {
    while try_some(position, with_words, climb) {}
}

/// Tries each kind of move until one makes it better.
pub(super) fn leap(position: usize, climb: &mut Climb<'_>) {
    for kind in KINDS {
        if try_some(position, kind, climb) || climb.is_over() {
            return;
        }
    }
}

/// Tries moves of a kind until one makes it better; whether one did.
fn try_some(position: usize, kind: Moves, climb: &mut Climb<'_>) -> bool {
    let text = units(position, climb);
    let mut words = compared_words(climb);
    words.extend(drawn_words(position, climb));
    words.extend(compared_numbers(climb));
    let mut candidates = kind(&text, &words, &characters(climb));
    let mut seen = BTreeSet::new();
    candidates.retain(|candidate| {
        *candidate != text && candidate.len() <= LONGEST && seen.insert(candidate.clone())
    });
    if candidates.len() > MOST_OF_A_KIND {
        climb.random().shuffle(&mut candidates);
        candidates.truncate(MOST_OF_A_KIND);
    }
    for candidate in candidates {
        match attempt(position, candidate, climb) {
            Reaction::Better => return true,
            Reaction::Over => return false,
            Reaction::Changed | Reaction::Same => {}
        }
    }
    false
}

/// Strings that branches compared.
fn compared_words(climb: &Climb<'_>) -> Vec<Text> {
    let compared = climb.compared();
    let texts = compared.iter().filter_map(|value| {
        let Value::String(text) = value else { return None };
        (!text.is_empty()).then(|| text.units().to_vec())
    });
    texts.take(MOST_WORDS).collect()
}

/// Strings that new tests would get in the place of one: what other runs compared and what the code has is among them.
fn drawn_words(position: usize, climb: &mut Climb<'_>) -> Vec<Text> {
    let Some(value) = climb.value(position).cloned() else { return Vec::new() };
    let drawn = climb.drawn_like(&value, MOST_DRAWN).into_iter().filter_map(|value| {
        let Value::String(text) = value else { return None };
        (!text.is_empty()).then(|| text.units().to_vec())
    });
    drawn.collect()
}

/// The numbers that branches compared, as decimals.
fn compared_numbers(climb: &Climb<'_>) -> Vec<Text> {
    let compared = climb.compared();
    let numbers = compared.iter().filter_map(|value| match value {
        Value::Byte(_) | Value::Short(_) | Value::Char(_) | Value::Int(_) | Value::Long(_) => {
            value.as_integer().map(|number| number.to_string())
        }
        Value::Float(number) => number.is_finite().then(|| number.to_string()),
        Value::Double(number) => number.is_finite().then(|| number.to_string()),
        Value::Boolean(_) | Value::String(_) => None,
    });
    let numbers = numbers.filter(|digits| digits.len() <= LONGEST_NUMBER);
    numbers.map(|digits| digits.encode_utf16().collect()).take(MOST_WORDS).collect()
}

/// A string with a word in it that was compared or is drawn: over its beginning, over its end, or anywhere. `None` where there
/// is no word.
pub(super) fn with_some_word(position: usize, climb: &mut Climb<'_>) -> Option<Text> {
    let text = units(position, climb);
    let mut words = compared_words(climb);
    words.extend(drawn_words(position, climb).into_iter().take(1));
    words.retain(|word| *word != text);
    let random = climb.random();
    let word = random.choose(&words)?.clone();
    let at = match random.below(3) {
        0 => 0,
        1 => text.len().saturating_sub(word.len()),
        _ => random.below(text.len() + 1),
    };
    Some([&text[..at], &word, text.get(at + word.len()..).unwrap_or_default()].concat())
}

/// Characters that branches compared, and those that strings are often filled with.
fn characters(climb: &Climb<'_>) -> Vec<u16> {
    let mut characters = FILLING.to_vec();
    let compared = climb.compared();
    let compared =
        compared.iter().filter_map(Value::as_integer).filter_map(|number| u16::try_from(number).ok());
    for character in compared.filter(|character| (0x20..0x7F).contains(character)).take(MOST_CHARACTERS) {
        if !characters.contains(&character) {
            characters.push(character);
        }
    }
    characters
}

/// A word in the place of another one that the string holds, over what is there, between what is there, or in the place of its
/// own beginning; then any character in the middle.
fn with_words(text: &[u16], words: &[Text], _: &[u16]) -> Vec<Text> {
    let mut all = Vec::new();
    let spliced = |from: usize, to: usize, word: &[u16]| [&text[..from], word, &text[to..]].concat();
    for held in words {
        let places = text.windows(held.len()).enumerate().filter(|(_, units)| units == held);
        for (at, _) in places.take(LONGEST_BLOCK) {
            all.extend(words.iter().map(|word| spliced(at, at + held.len(), word)));
        }
    }
    for word in words {
        for at in 0..=text.len() {
            all.push(spliced(at, (at + word.len()).min(text.len()), word));
            all.push(spliced(at, at, word));
            // Where it has begun it goes on.
            let begun = text[at..].iter().zip(word).take_while(|(unit, wanted)| unit == wanted).count();
            if begun > 0 {
                all.push(spliced(at, at + begun, word));
            }
        }
    }
    all.extend((1..text.len()).map(|at| spliced(at, at, &[ANY])));
    all
}

fn with_neighbours_swapped(text: &[u16], _: &[Text], _: &[u16]) -> Vec<Text> {
    let swapped = |at: usize| {
        let mut text = text.to_vec();
        text.swap(at - 1, at);
        text
    };
    (1..text.len()).map(swapped).collect()
}

/// Stretches of two or more letters and digits between other characters, filled with one character.
fn with_stretches_between_signs(text: &[u16], _: &[Text], characters: &[u16]) -> Vec<Text> {
    let is_inside = |unit: u16| u8::try_from(unit).is_ok_and(|unit| unit.is_ascii_alphanumeric());
    let mut between: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    for (at, &unit) in text.iter().chain(&[0]).enumerate() {
        if !is_inside(unit) {
            between.push((from, at));
            from = at + 1;
        }
    }
    filled(text, between.into_iter().filter(|(from, to)| to - from > 1), characters)
}

/// All stretches of two or more, filled with one character.
fn with_stretches(text: &[u16], _: &[Text], characters: &[u16]) -> Vec<Text> {
    let any = (0..text.len()).flat_map(|from| (from + 2..=text.len()).map(move |to| (from, to)));
    filled(text, any, characters)
}

/// The string with each of some stretches filled with each of some characters.
fn filled(text: &[u16], stretches: impl Iterator<Item = (usize, usize)>, characters: &[u16]) -> Vec<Text> {
    let filled = |(from, to): (usize, usize), character: u16| {
        let mut text = text.to_vec();
        text[from..to].fill(character);
        text
    };
    stretches
        .flat_map(|stretch| characters.iter().map(move |&character| filled(stretch, character)))
        .collect()
}

/// Blocks that stand there once more, and blocks of two or more that go.
fn with_blocks(text: &[u16], _: &[Text], _: &[u16]) -> Vec<Text> {
    let mut all = Vec::new();
    for from in 0..text.len() {
        for to in (from + 1..=text.len()).take(LONGEST_BLOCK) {
            all.push([&text[..to], &text[from..]].concat());
            if to - from > 1 {
                all.push([&text[..from], &text[to..]].concat());
            }
        }
    }
    if text.len() > LONGEST_BLOCK {
        all.push([text, text].concat());
    }
    all
}

/// Two characters moved by one, the same way or opposite ways.
fn with_two_moved(text: &[u16], _: &[Text], _: &[u16]) -> Vec<Text> {
    let mut all = Vec::new();
    for one in 0..text.len() {
        for other in one + 1..text.len() {
            for (by_one, by_other) in [(1, -1), (-1, 1), (1, 1), (-1, -1)] {
                let mut text = text.to_vec();
                text[one] = text[one].saturating_add_signed(by_one);
                text[other] = text[other].saturating_add_signed(by_other);
                all.push(text);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::testing::Hill;
    use super::*;

    fn text(value: &Value) -> String {
        let Value::String(text) = value else { panic!("{value:?}") };
        text.to_string()
    }

    /// Checks that a string is found at which a distance is 0, in so many attempts, and not by the moves of the paper.
    fn check(start: &str, compared: &[&str], distance: impl Fn(&str) -> f64 + Copy + 'static, most: u32) {
        for extended in [true, false] {
            let compared = compared.iter().map(|&word| Value::String(word.into())).collect();
            let start = Value::String(start.into());
            let mut hill = Hill::of_value(&start, move |value| distance(&text(value))).comparing(compared);
            hill.options.extended = extended;
            let found = text(&hill.found());
            assert_eq!(distance(&found) == 0.0, extended, "{found}");
            assert!(!extended || hill.attempts <= most, "{} attempts", hill.attempts);
        }
    }

    /// A distance that says whether the string matters, by its length, and nothing more.
    fn flag(holds: bool, text: &str, length: usize) -> f64 {
        if holds { 0.0 } else { 1.0 + text.len().abs_diff(length) as f64 }
    }

    #[test]
    fn a_word_that_was_compared_is_put_where_it_is_wanted() {
        // As long as the frame stands.
        let framed = |text: &str, inside: &str| {
            let middle = text.strip_prefix("user@").and_then(|rest| rest.strip_suffix(";"));
            middle.map_or(9.0, |middle| if middle == inside { 0.0 } else { 1.0 })
        };
        check("user@example.com;", &["example.com", "host.org"], move |text| framed(text, "host.org"), 250);
        check("user@;", &["host.org"], move |text| framed(text, "host.org"), 250);
        check("user@abcdefgh;", &["host.org"], move |text| framed(text, "host.org"), 250);
        check("user@host;", &["host.org"], move |text| framed(text, "host.org"), 250);
    }

    #[test]
    fn stretches_blocks_and_neighbours_change_at_once() {
        check("wxyz-q", &[], |text| flag(text.len() == 6 && text[..4].parse::<u32>().is_ok(), text, 6), 700);
        check("abcdef", &[], |text| flag(text == "bacdef", text, 6), 700);
        check("one,two", &[], |text| flag(text.matches(",two").count() == 2, text, 7), 700);
    }

    #[test]
    fn two_characters_move_together() {
        let sum = |text: &str| text.bytes().map(i32::from).sum::<i32>();
        let distance = move |text: &str| {
            let first = text.bytes().next().map_or(200, i32::from);
            if sum(text) == sum("55555") {
                f64::from((first - 55).abs())
            } else {
                500.0 + f64::from((sum(text) - 265).abs())
            }
        };
        check("55555", &[], distance, 1500);
    }
}
