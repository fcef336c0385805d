//! Values in a word or two, as the name of a test says them.

use testcase::value::{JavaString, Value};

use super::words::{capitalized, number, words_of_text};

/// Longest text whose words go into a name.
const LONGEST_TEXT: usize = 20;
/// Shortest run of letters that is taken for a word of a text with other characters in it.
const SHORTEST_WORD: usize = 3;
/// Most characters that a text is said to have.
const MOST_CHARACTERS: usize = 2;
/// Longest fraction that is written out.
const LONGEST_NUMBER: usize = 12;
/// Longest text that is spelled character by character.
const LONGEST_SPELLED: usize = 3;
/// Texts longer than this are long.
const LONG_TEXT: usize = 40;

/// Characters that are no letters, as they are called.
const CHARACTERS: [(char, &str); 38] = [
    ('\0', "NullCharacter"),
    ('\t', "Tab"),
    ('\n', "Newline"),
    ('\r', "CarriageReturn"),
    (' ', "Space"),
    ('!', "ExclamationMark"),
    ('"', "Quote"),
    ('#', "Hash"),
    ('$', "Dollar"),
    ('%', "Percent"),
    ('&', "Ampersand"),
    ('\'', "Apostrophe"),
    ('(', "OpeningParenthesis"),
    (')', "ClosingParenthesis"),
    ('*', "Asterisk"),
    ('+', "Plus"),
    (',', "Comma"),
    ('-', "Dash"),
    ('.', "Dot"),
    ('/', "Slash"),
    (':', "Colon"),
    (';', "Semicolon"),
    ('<', "LessThan"),
    ('=', "EqualsSign"),
    ('>', "GreaterThan"),
    ('?', "QuestionMark"),
    ('@', "At"),
    ('[', "OpeningBracket"),
    ('\\', "Backslash"),
    (']', "ClosingBracket"),
    ('^', "Caret"),
    ('_', "Underscore"),
    ('`', "Backtick"),
    ('{', "OpeningBrace"),
    ('|', "Pipe"),
    ('}', "ClosingBrace"),
    ('~', "Tilde"),
    ('\u{7f}', "Delete"),
];

/// A value in a word or two without digits; `None` when nothing short says it.
pub(crate) fn value_word(value: &Value) -> Option<String> {
    match value {
        Value::Boolean(value) => Some(if *value { "True" } else { "False" }.to_owned()),
        Value::Char(char_value) => character(*char_value),
        Value::Byte(i8::MAX) | Value::Short(i16::MAX) | Value::Int(i32::MAX) | Value::Long(i64::MAX) => {
            Some("MaxValue".to_owned())
        }
        Value::Byte(i8::MIN) | Value::Short(i16::MIN) | Value::Int(i32::MIN) | Value::Long(i64::MIN) => {
            Some("MinValue".to_owned())
        }
        Value::Byte(_) | Value::Short(_) | Value::Int(_) | Value::Long(_) => {
            let value = value.as_integer()?;
            Some(whole(value).unwrap_or_else(|| size_word(value as f64).to_owned()))
        }
        Value::Float(number) => Some(fraction(f64::from(*number))),
        Value::Double(number) => Some(fraction(*number)),
        Value::String(text) => text_word(text),
    }
}

/// The value more exactly than by [`value_word`], where there is more to say; digits only within it.
pub(crate) fn exact_word(value: &Value) -> Option<String> {
    let decimal = |text: String| {
        let text = text.replace('-', "Minus").replace('.', "Point");
        text.chars().all(|character| character.is_ascii_alphanumeric()).then_some(text)
    };
    match value {
        Value::Boolean(_) => None,
        Value::Char(unit) => {
            let letter = char::from_u32(u32::from(*unit)).filter(char::is_ascii_alphabetic)?;
            let case = if letter.is_ascii_uppercase() { "Uppercase" } else { "Lowercase" };
            Some(format!("{case}{}", letter.to_ascii_uppercase()))
        }
        Value::Byte(_) | Value::Short(_) | Value::Int(_) | Value::Long(_) => {
            let value = value.as_integer()?;
            let is_said = whole(value).is_some();
            (!is_said && value.unsigned_abs() < 10_000).then(|| decimal(value.to_string())).flatten()
        }
        Value::Float(number) => decimal(number.to_string()).filter(|text| text.len() <= LONGEST_NUMBER),
        Value::Double(number) => decimal(number.to_string()).filter(|text| text.len() <= LONGEST_NUMBER),
        Value::String(text) => exact_text(text),
    }
}

/// Whether a value is one that a reader wants to be told of: nothing, a limit, no number.
pub(crate) fn is_special(value: &Value) -> bool {
    match value {
        Value::Byte(number) => matches!(*number, i8::MIN | i8::MAX),
        Value::Short(number) => matches!(*number, i16::MIN | i16::MAX),
        Value::Int(number) => matches!(*number, i32::MIN | i32::MAX),
        Value::Long(number) => matches!(*number, i64::MIN | i64::MAX),
        Value::Float(number) => !number.is_finite(),
        Value::Double(number) => !number.is_finite(),
        Value::String(text) => text.units().iter().all(|unit| *unit == u16::from(b' ')),
        Value::Boolean(_) | Value::Char(_) => false,
    }
}

/// What kind of value it is.
pub(crate) fn kind_word(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "Text",
        Value::Char(_) => "Character",
        Value::Boolean(_)
        | Value::Byte(_)
        | Value::Short(_)
        | Value::Int(_)
        | Value::Long(_)
        | Value::Float(_)
        | Value::Double(_) => "Number",
    }
}

/// A number in words, where they are few: up to hundred, and thousand.
fn whole(value: i64) -> Option<String> {
    let digits = match value.unsigned_abs() {
        100 => "Hundred".to_owned(),
        1000 => "Thousand".to_owned(),
        size => number(size)?,
    };
    Some(if value < 0 { format!("Minus{digits}") } else { digits })
}

fn size_word(value: f64) -> &'static str {
    let is_large = value.abs() >= 10_000.0;
    match (value < 0.0, is_large) {
        (true, true) => "LargeNegativeNumber",
        (true, false) => "NegativeNumber",
        (false, true) => "LargeNumber",
        (false, false) => "PositiveNumber",
    }
}

fn fraction(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value < 0.0 { "NegativeInfinity" } else { "Infinity" }.to_owned()
    } else if [f64::MAX, f64::from(f32::MAX)].contains(&value.abs()) {
        if value < 0.0 { "LowestValue" } else { "MaxValue" }.to_owned()
    } else if value == 0.0 && value.is_sign_negative() {
        "NegativeZero".to_owned()
    } else if value == value.trunc() && value.abs() <= 1000.0 {
        whole(value as i64).unwrap_or_else(|| size_word(value).to_owned())
    } else if value.abs() == 0.5 {
        if value < 0.0 { "MinusHalf" } else { "Half" }.to_owned()
    } else if value.abs() < 1.0 {
        if value < 0.0 { "NegativeFraction" } else { "Fraction" }.to_owned()
    } else {
        size_word(value).to_owned()
    }
}

fn character(unit: u16) -> Option<String> {
    let character = char::from_u32(u32::from(unit))?;
    if character.is_ascii_alphabetic() {
        return Some(character.to_ascii_uppercase().to_string());
    }
    if let Some(digit) = character.to_digit(10) {
        return number(u64::from(digit));
    }
    let named = CHARACTERS.iter().find(|(named, _)| *named == character);
    Some(
        named
            .map_or(if character.is_ascii() { "ControlCharacter" } else { "NonAscii" }, |(_, word)| word)
            .to_owned(),
    )
}

fn text_word(text: &JavaString) -> Option<String> {
    let shown = text.to_string();
    match text.units() {
        [] => return Some("EmptyString".to_owned()),
        [unit] => return character(*unit),
        units if units.iter().all(|unit| matches!(unit, 0x09..=0x0d | 0x20)) => {
            return Some("BlankString".to_owned());
        }
        [first, rest @ ..] if rest.iter().all(|unit| unit == first) && !is_letter_or_digit(*first) => {
            return character(*first).map(|word| format!("Repeated{word}"));
        }
        _ => {}
    }
    if let Ok(value) = shown.parse::<i64>() {
        return Some(whole(value).unwrap_or_else(|| "Digits".to_owned()));
    }
    if let Some(words) = words_of_text(&shown, LONGEST_TEXT) {
        let ends_in_digit = words.ends_with(|last: char| last.is_ascii_digit());
        return Some(if ends_in_digit { format!("{words}Text") } else { words });
    }
    let (words, _) = leading_words(&shown);
    if words.is_empty() { spelled(text.units()) } else { Some(words) }
}

/// A short text character by character: `DashQ`.
fn spelled(units: &[u16]) -> Option<String> {
    if units.len() > LONGEST_SPELLED {
        return None;
    }
    units.iter().map(|unit| character(*unit)).collect()
}

/// What tells a text from others when its words do not.
fn exact_text(text: &JavaString) -> Option<String> {
    let units = text.units();
    if let [unit] = units {
        return exact_word(&Value::Char(*unit));
    }
    let shown = text.to_string();
    let words = words_within(&shown);
    let (_, told) = leading_words(&shown);
    if let Some(last) = words.last().filter(|_| told > 0 && told < words.len()) {
        return Some(format!("TextEndingIn{last}"));
    }
    let mut odd: Vec<String> = Vec::new();
    for word in units.iter().filter(|unit| !is_letter_or_digit(**unit)).filter_map(|unit| character(*unit)) {
        if odd.len() < MOST_CHARACTERS && !odd.contains(&word) {
            odd.push(word);
        }
    }
    if !odd.is_empty() {
        return Some(format!("TextWith{}", odd.join("And")));
    }
    let is_all = |is: fn(char) -> bool| shown.chars().all(is);
    let length = number(units.len() as u64);
    match (units.len(), length) {
        (0, _) => None,
        (length, _) if length > LONG_TEXT => Some("LongText".to_owned()),
        (_, Some(length)) if is_all(|character| character.is_ascii_digit()) => {
            Some(format!("{length}Digits"))
        }
        (_, Some(_)) if is_all(char::is_uppercase) => Some("UppercaseText".to_owned()),
        (_, Some(_)) if is_all(char::is_lowercase) => Some("LowercaseText".to_owned()),
        (_, Some(length)) => Some(format!("{length}Characters")),
        (_, None) => None,
    }
}

fn is_letter_or_digit(unit: u16) -> bool {
    char::from_u32(u32::from(unit)).is_some_and(|character| character.is_ascii_alphanumeric())
}

/// The words within a text that is more than words, each with a capital: `VALUE_SET` has `Value` and `Set`.
fn words_within(text: &str) -> Vec<String> {
    let runs = text.split(|character: char| !character.is_ascii_alphabetic());
    let runs = runs.filter(|word| word.len() >= SHORTEST_WORD);
    let word = |word: &str| {
        let is_shouted = word.chars().all(|letter| letter.is_ascii_uppercase());
        capitalized(&if is_shouted { word.to_lowercase() } else { word.to_owned() })
    };
    runs.map(word).collect()
}

/// The first words within a text, as far as they fit, and how many these are.
fn leading_words(text: &str) -> (String, usize) {
    let (mut found, mut number) = (String::new(), 0);
    for word in words_within(text) {
        if found.len() + word.len() > LONGEST_TEXT {
            break;
        }
        found.push_str(&word);
        number += 1;
    }
    (found, number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_in_a_word() {
        for (value, expect) in [
            (Value::Int(0), Some("Zero")),
            (Value::Int(-1), Some("MinusOne")),
            (Value::Int(26), Some("TwentySix")),
            (Value::Long(250), Some("PositiveNumber")),
            (Value::Int(-123_456), Some("LargeNegativeNumber")),
            (Value::Byte(127), Some("MaxValue")),
            (Value::Double(f64::NAN), Some("NaN")),
            (Value::Double(-f64::MAX), Some("LowestValue")),
            (Value::Double(2.0), Some("Two")),
            (Value::Double(0.5), Some("Half")),
            (Value::Char(0x61), Some("A")),
            (Value::Char(0x38), Some("Eight")),
            (Value::Char(0x2e), Some("Dot")),
            (Value::String("".into()), Some("EmptyString")),
            (Value::String("\\".into()), Some("Backslash")),
            (Value::String("  ".into()), Some("BlankString")),
            (Value::String("foo bar".into()), Some("FooBar")),
            (Value::String("12".into()), Some("Twelve")),
            (Value::String("it is: unsupported".into()), Some("Unsupported")),
            (Value::String("VALUE_DRAW_TYPE_STD".into()), Some("ValueDrawTypeStd")),
            (Value::String("-x".into()), Some("DashX")),
            (Value::String("-x.y".into()), None),
        ] {
            assert_eq!(value_word(&value).as_deref(), expect, "{value:?}");
        }
    }

    #[test]
    fn more_can_be_said_of_values_with_the_same_word() {
        for (value, expect) in [
            (Value::Int(250), Some("250")),
            (Value::Double(-1.5), Some("Minus1Point5")),
            (Value::Char(0x61), Some("LowercaseA")),
            (Value::Int(123_456), None),
            (Value::Int(7), None),
            (Value::String("-x".into()), Some("TextWithDash")),
            (Value::String("-x.y-".into()), Some("TextWithDashAndDot")),
            (Value::String("VALUE_DRAW_STRING_TYPE_STD".into()), Some("TextEndingInStd")),
            (Value::String("y".into()), Some("LowercaseY")),
            (Value::String("AB".into()), Some("UppercaseText")),
            (Value::String("a1".into()), Some("TwoCharacters")),
            (Value::Boolean(true), None),
        ] {
            assert_eq!(exact_word(&value).as_deref(), expect, "{value:?}");
        }
    }
}
