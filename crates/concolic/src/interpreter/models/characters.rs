//! `java.lang.Character` (documentation of JDK 17; Unicode's properties of the characters of Latin-1), and arrays of characters as
//! texts.

use bytecode::descriptor::PrimitiveType;

use crate::interpreter::machine::{Abrupt, Interpreter};
use crate::interpreter::models::Modelled;
use crate::interpreter::models::table::Row;
use crate::interpreter::models::{boxes, strings};
use crate::interpreter::slot::Known;
use crate::interpreter::{Concrete, Slot, Way, Why};
use crate::term::{Operator, Value};

type Result<T> = std::result::Result<T, Abrupt>;

/// Sets of ranges of characters, first and last: all characters of any of them.
type Ranges = &'static [&'static [(u16, u16)]];

/// Characters of a text or an array up to which each gets a term.
pub(super) const MOST: usize = 256;

const ASCII_DIGITS: &[(u16, u16)] = &[(0x30, 0x39)];
const UPPER: &[(u16, u16)] = &[(0x41, 0x5a), (0xc0, 0xd6), (0xd8, 0xde)];
const LOWER: &[(u16, u16)] =
    &[(0x61, 0x7a), (0xaa, 0xaa), (0xb5, 0xb5), (0xba, 0xba), (0xdf, 0xf6), (0xf8, 0xff)];
const CURRENCY: &[(u16, u16)] = &[(0x24, 0x24), (0xa2, 0xa5)];
const UNDERSCORE: &[(u16, u16)] = &[(0x5f, 0x5f)];
const IGNORABLE: &[(u16, u16)] = &[(0x00, 0x08), (0x0e, 0x1b), (0x7f, 0x9f), (0xad, 0xad)];

const DIGITS: Ranges = &[ASCII_DIGITS];
const LETTERS: Ranges = &[UPPER, LOWER];
const LETTERS_AND_DIGITS: Ranges = &[ASCII_DIGITS, UPPER, LOWER];
const UPPER_CASE: Ranges = &[UPPER];
const LOWER_CASE: Ranges = &[LOWER];
const WHITESPACE: Ranges = &[&[(0x09, 0x0d), (0x1c, 0x20)]];
const SPACE: Ranges = &[&[(0x20, 0x20), (0xa0, 0xa0)]];
const CONTROL: Ranges = &[&[(0x00, 0x1f), (0x7f, 0x9f)]];
const IDENTIFIER_START: Ranges = &[UPPER, LOWER, CURRENCY, UNDERSCORE];
const IDENTIFIER_PART: Ranges = &[UPPER, LOWER, CURRENCY, UNDERSCORE, ASCII_DIGITS, IGNORABLE];
/// Those whose upper case lies 32 below.
const RAISED: Ranges = &[&[(0x61, 0x7a), (0xe0, 0xf6), (0xf8, 0xfe)]];
/// All surrogates, those that come first in a pair, and those that come second.
const SURROGATES: Ranges = &[&[(0xd800, 0xdfff)]];
const HIGH_SURROGATES: Ranges = &[&[(0xd800, 0xdbff)]];
const LOW_SURROGATES: Ranges = &[&[(0xdc00, 0xdfff)]];

/// The rows of `Character`.
pub(super) const CHARACTER: &[Row] = &[
    ("<init>", "(C)V", boxes::construct),
    ("valueOf", "(C)Ljava/lang/Character;", |it, slots| Ok(boxes::boxed(it, PrimitiveType::Char, slots[0]))),
    ("charValue", "()C", |it, slots| boxes::unboxed(it, slots, &[])),
    ("hashCode", "()I", |it, slots| boxes::unboxed(it, slots, &[])),
    ("hashCode", "(C)I", |_, slots| Ok(Modelled::Value(slots[0]))),
    ("equals", "(Ljava/lang/Object;)Z", boxes::equals),
    ("compare", "(CC)I", |it, slots| it.operate(Operator::Subtract, slots, &[])),
    ("toString", "(C)Ljava/lang/String;", |it, slots| to_string(it, slots[0])),
    ("toString", "()Ljava/lang/String;", |it, slots| match boxes::content(it, slots[0]) {
        Some(character) => to_string(it, character),
        None => Ok(Modelled::Declined),
    }),
    ("compareTo", "(Ljava/lang/Character;)I", |it, slots| {
        // Null throws.
        it.object(slots[1])?;
        match (boxes::content(it, slots[0]), boxes::content(it, slots[1])) {
            (Some(one), Some(other)) => it.operate(Operator::Subtract, &[one, other], &[]),
            _ => Ok(Modelled::Declined),
        }
    }),
    ("isDigit", "(C)Z", |it, slots| within(it, slots, DIGITS)),
    ("isDigit", "(I)Z", |it, slots| within(it, slots, DIGITS)),
    ("isLetter", "(C)Z", |it, slots| within(it, slots, LETTERS)),
    ("isLetter", "(I)Z", |it, slots| within(it, slots, LETTERS)),
    ("isAlphabetic", "(I)Z", |it, slots| within(it, slots, LETTERS)),
    ("isLetterOrDigit", "(C)Z", |it, slots| within(it, slots, LETTERS_AND_DIGITS)),
    ("isLetterOrDigit", "(I)Z", |it, slots| within(it, slots, LETTERS_AND_DIGITS)),
    ("isUpperCase", "(C)Z", |it, slots| within(it, slots, UPPER_CASE)),
    ("isUpperCase", "(I)Z", |it, slots| within(it, slots, UPPER_CASE)),
    ("isLowerCase", "(C)Z", |it, slots| within(it, slots, LOWER_CASE)),
    ("isLowerCase", "(I)Z", |it, slots| within(it, slots, LOWER_CASE)),
    ("isWhitespace", "(C)Z", |it, slots| within(it, slots, WHITESPACE)),
    ("isWhitespace", "(I)Z", |it, slots| within(it, slots, WHITESPACE)),
    ("isSpaceChar", "(C)Z", |it, slots| within(it, slots, SPACE)),
    ("isISOControl", "(C)Z", |it, slots| within(it, slots, CONTROL)),
    ("isISOControl", "(I)Z", |it, slots| within(it, slots, CONTROL)),
    ("isJavaIdentifierStart", "(C)Z", |it, slots| within(it, slots, IDENTIFIER_START)),
    ("isJavaIdentifierStart", "(I)Z", |it, slots| within(it, slots, IDENTIFIER_START)),
    ("isJavaIdentifierPart", "(C)Z", |it, slots| within(it, slots, IDENTIFIER_PART)),
    ("isJavaIdentifierPart", "(I)Z", |it, slots| within(it, slots, IDENTIFIER_PART)),
    ("isSurrogate", "(C)Z", |it, slots| among(it, slots[0], SURROGATES)),
    ("isHighSurrogate", "(C)Z", |it, slots| among(it, slots[0], HIGH_SURROGATES)),
    ("isLowSurrogate", "(C)Z", |it, slots| among(it, slots[0], LOW_SURROGATES)),
    ("charCount", "(I)I", |it, slots| {
        let code_point = Interpreter::known(slots[0])?;
        let is_single = it.compute(Operator::SignedLess, &[&code_point, &Known::int(0x1_0000)]);
        let count = it.choose(&is_single, &Known::int(1), &Known::int(2));
        it.returned(&count)
    }),
    ("isSupplementaryCodePoint", "(I)Z", |it, slots| {
        let code_point = Interpreter::known(slots[0])?;
        let offset = it.compute(Operator::Subtract, &[&code_point, &Known::int(0x1_0000)]);
        let is_supplementary = it.compute(Operator::UnsignedLess, &[&offset, &Known::int(0x10_0000)]);
        it.returned(&is_supplementary)
    }),
    ("toUpperCase", "(C)C", to_upper_case),
    ("toUpperCase", "(I)I", to_upper_case),
    ("toLowerCase", "(C)C", to_lower_case),
    ("toLowerCase", "(I)I", to_lower_case),
    ("digit", "(CI)I", digit),
    ("digit", "(II)I", digit),
    ("getNumericValue", "(C)I", numeric_value),
    ("getNumericValue", "(I)I", numeric_value),
];

fn to_string(it: &mut Interpreter<'_>, slot: Slot) -> Result<Modelled> {
    let character = it.character(slot)?;
    let text = it.compute(Operator::CharacterToText, &[&character]);
    it.returned(&text)
}

/// A character that is held below a limit; `None` if it is not.
fn held_below(it: &mut Interpreter<'_>, slot: Slot, limit: i32) -> Result<Option<Known>> {
    let unit = Interpreter::known(slot)?;
    let is_below = it.compute(Operator::UnsignedLess, &[&unit, &Known::int(limit)]);
    if !is_below.value.truth() {
        return Ok(None);
    }
    it.decide(&is_below, Way::Pinned, Way::Pinned);
    Ok(Some(unit))
}

/// A character is held outside of a range in which it does not lie.
pub(super) fn hold_outside(it: &mut Interpreter<'_>, unit: &Known, (first, last): (u16, u16)) {
    let wide = it.compute(Operator::ZeroExtend(32), &[unit]);
    let is_inside = in_range(it, &wide, (first, last));
    it.decide(&is_inside, Way::Pinned, Way::Pinned);
}

fn in_range(it: &mut Interpreter<'_>, unit: &Known, (first, last): (u16, u16)) -> Known {
    let offset = it.compute(Operator::Subtract, &[unit, &Known::int(first.into())]);
    let length = Known::int(i32::from(last) - i32::from(first));
    it.compute(Operator::UnsignedLessEqual, &[&offset, &length])
}

fn in_ranges(it: &mut Interpreter<'_>, unit: &Known, ranges: Ranges) -> Known {
    let mut result = Known::of(Value::Bool(false));
    for &range in ranges.iter().copied().flatten() {
        let inside = in_range(it, unit, range);
        result = it.compute(Operator::Or, &[&result, &inside]);
    }
    result
}

fn among(it: &mut Interpreter<'_>, slot: Slot, ranges: Ranges) -> Result<Modelled> {
    let unit = Interpreter::known(slot)?;
    let result = in_ranges(it, &unit, ranges);
    it.returned(&result)
}

/// Whether a character lies in some ranges of Latin-1; that it is of Latin-1 becomes a condition.
fn within(it: &mut Interpreter<'_>, slots: &[Slot], ranges: Ranges) -> Result<Modelled> {
    match held_below(it, slots[0], 0x100)? {
        Some(_) => among(it, slots[0], ranges),
        None => Ok(Modelled::Declined),
    }
}

fn to_upper_case(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    const MICRO: (i32, i32) = (0xb5, 0x39c);
    const Y_WITH_DIAERESIS: (i32, i32) = (0xff, 0x178);
    let Some(unit) = held_below(it, slots[0], 0x100)? else { return Ok(Modelled::Declined) };
    let is_raised = in_ranges(it, &unit, RAISED);
    let above = it.compute(Operator::Subtract, &[&unit, &Known::int(32)]);
    let mut result = it.choose(&is_raised, &above, &unit);
    for (lower, upper) in [MICRO, Y_WITH_DIAERESIS] {
        let is_lower = it.compute(Operator::Equal, &[&unit, &Known::int(lower)]);
        result = it.choose(&is_lower, &Known::int(upper), &result);
    }
    it.returned(&result)
}

fn to_lower_case(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let Some(unit) = held_below(it, slots[0], 0x100)? else { return Ok(Modelled::Declined) };
    let is_upper = in_ranges(it, &unit, UPPER_CASE);
    let below = it.compute(Operator::Add, &[&unit, &Known::int(32)]);
    let result = it.choose(&is_upper, &below, &unit);
    it.returned(&result)
}

/// The digit that a character of Latin-1 is in a base; -1 if it is none, or there is no such base.
fn digit(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    digit_below(it, slots, 0x100)
}

/// What else than digits and letters has a number lies beyond ASCII.
fn numeric_value(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    digit_below(it, &[slots[0], Slot::int(36)], 0x80)
}

fn digit_below(it: &mut Interpreter<'_>, slots: &[Slot], limit: i32) -> Result<Modelled> {
    let base = Interpreter::known(slots[1])?;
    let Some(unit) = held_below(it, slots[0], limit)? else {
        return no_digit(it, slots[0]);
    };
    let none = Known::int(-1);
    let mut digit = none.clone();
    for (range, first) in [((0x30, 0x39), 0), ((0x41, 0x5a), 10), ((0x61, 0x7a), 10)] {
        let is_inside = in_range(it, &unit, range);
        let value = it.compute(Operator::Add, &[&unit, &Known::int(first - i32::from(range.0))]);
        digit = it.choose(&is_inside, &value, &digit);
    }
    let is_digit = it.compute(Operator::SignedLess, &[&digit, &base]);
    let offset = it.compute(Operator::Subtract, &[&base, &Known::int(2)]);
    let is_base = it.compute(Operator::UnsignedLessEqual, &[&offset, &Known::int(34)]);
    let is_digit = it.compute(Operator::And, &[&is_digit, &is_base]);
    let result = it.choose(&is_digit, &digit, &none);
    it.returned(&result)
}

/// Halves of pairs are no digits.
fn no_digit(it: &mut Interpreter<'_>, slot: Slot) -> Result<Modelled> {
    let unit = Interpreter::known(slot)?;
    let is_half = in_ranges(it, &unit, SURROGATES);
    if !is_half.value.truth() {
        return Ok(Modelled::Declined);
    }
    it.decide(&is_half, Way::Pinned, Way::Pinned);
    Ok(Modelled::Value(Slot::int(-1)))
}

/// `codePointAt`; of a first half of a pair it is not modelled.
pub(super) fn code_point_at(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let Modelled::Value(slot) = strings::char_at(it, slots)? else { return Ok(Modelled::Declined) };
    let unit = Interpreter::known(slot)?;
    let is_half = in_ranges(it, &unit, HIGH_SURROGATES);
    if is_half.value.truth() {
        return Ok(Modelled::Declined);
    }
    it.decide(&is_half, Way::Pinned, Way::Pinned);
    Ok(Modelled::Value(slot))
}

/// The text of a code point of one code unit; that it is one becomes a condition.
pub(super) fn single(it: &mut Interpreter<'_>, slot: Slot) -> Result<Option<Known>> {
    if held_below(it, slot, 0x1_0000)?.is_none() {
        return Ok(None);
    }
    let unit = it.character(slot)?;
    Ok(Some(it.compute(Operator::CharacterToText, &[&unit])))
}

/// The text of an array of characters, or of a part of it by offset and count; its length is held at what it is. `None` where
/// elements are not known, there are too many, or the part is outside.
pub(super) fn text_of(
    it: &mut Interpreter<'_>,
    array: Slot,
    part: Option<(Slot, Slot)>,
) -> Result<Option<Known>> {
    let object = it.object(array)?;
    let length = it.heap.length(object).ok_or(Why::Malformed)?;
    let (begin, count) = part.unwrap_or((Slot::int(0), length));
    let (Concrete::Int(all), Concrete::Int(first), Concrete::Int(number)) =
        (length.concrete, begin.concrete, count.concrete)
    else {
        return Err(Why::Malformed.into());
    };
    let is_inside = first >= 0 && number >= 0 && first.checked_add(number).is_some_and(|end| end <= all);
    if !is_inside || number as usize > MOST {
        return Ok(None);
    }
    let mut slots = Vec::new();
    for index in first..first + number {
        match it.known_element(object, index)? {
            Some(slot) => slots.push(slot),
            None => return Ok(None),
        }
    }
    for slot in [begin, count] {
        it.pin(&Interpreter::known(slot)?);
    }
    let length = Interpreter::known(length)?;
    let reaches = it.compute(Operator::SignedLessEqual, &[&Known::int(first + number), &length]);
    it.decide(&reaches, Way::Completed, Way::Threw);
    let mut text = Known::text("");
    for slot in slots {
        let unit = it.character(slot)?;
        let unit = it.compute(Operator::CharacterToText, &[&unit]);
        text = it.compute(Operator::Concat, &[&text, &unit]);
    }
    Ok(Some(text))
}

/// `String.toCharArray`.
pub(super) fn to_characters(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let Some(text) = it.text(slots[0])? else { return Ok(Modelled::Declined) };
    let count = text.value.units().len();
    if count > MOST {
        return Ok(Modelled::Declined);
    }
    let length = it.compute(Operator::Length, &[&text]);
    let length = it.slot(&length)?;
    let array = it.heap.made_array(bytecode::descriptor::ErasedType::Primitive(PrimitiveType::Char), length);
    copy_units(it, &text, (0, count as i32), (array, 0))?;
    Ok(Modelled::Value(Slot::reference(array)))
}

/// The classes of charsets in which characters below 128 are one byte, themselves.
const ASCII_CHARSETS: [&str; 3] = ["sun/nio/cs/UTF_8", "sun/nio/cs/US_ASCII", "sun/nio/cs/ISO_8859_1"];

/// `String.getBytes` of a text of ASCII, which it stays.
pub(super) fn to_bytes(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let Some(text) = it.text(slots[0])? else { return Ok(Modelled::Declined) };
    let charset = it.object(slots[1])?;
    let is_known = it.heap.class_of(charset).is_some_and(|class| ASCII_CHARSETS.contains(&class.as_str()));
    let units = text.value.units();
    if !is_known || units.len() > MOST || units.iter().any(|&unit| unit >= 128) {
        return Ok(Modelled::Declined);
    }
    let count = units.len() as i32;
    let length = it.compute(Operator::Length, &[&text]);
    let length = it.slot(&length)?;
    let array = it.heap.made_array(bytecode::descriptor::ErasedType::Primitive(PrimitiveType::Byte), length);
    for index in 0..count {
        let unit = it.compute(Operator::CharAt, &[&text, &Known::int(index)]);
        let slot = it.slot(&unit)?;
        let is_ascii = it.compute(Operator::SignedLess, &[&Interpreter::known(slot)?, &Known::int(128)]);
        it.pin(&is_ascii);
        it.heap.set_element(array, index, slot);
    }
    Ok(Modelled::Value(Slot::reference(array)))
}

/// Writes the characters of a part of a text into an array.
fn copy_units(
    it: &mut Interpreter<'_>,
    text: &Known,
    (begin, end): (i32, i32),
    (array, at): (crate::interpreter::ObjectId, i32),
) -> Result<()> {
    for index in begin..end {
        let unit = it.compute(Operator::CharAt, &[text, &Known::int(index)]);
        let slot = it.slot(&unit)?;
        it.heap.set_element(array, at + index - begin, slot);
    }
    Ok(())
}

/// `getChars` of strings and builders, where nothing lies outside; the places are held at what they are.
pub(super) fn get_characters(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let Some(text) = it.text(slots[0])? else { return Ok(Modelled::Declined) };
    let Concrete::Reference(array) = slots[3].concrete else { return Ok(Modelled::Declined) };
    let room = it.heap.length(array).ok_or(Why::Malformed)?;
    let (Concrete::Int(begin), Concrete::Int(end), Concrete::Int(at), Concrete::Int(all)) =
        (slots[1].concrete, slots[2].concrete, slots[4].concrete, room.concrete)
    else {
        return Err(Why::Malformed.into());
    };
    let is_inside = begin >= 0 && begin <= end && end as usize <= text.value.units().len() && at >= 0;
    if !is_inside || end - begin > all - at || (end - begin) as usize > MOST {
        return Ok(Modelled::Declined);
    }
    for slot in [slots[1], slots[2], slots[4]] {
        it.pin(&Interpreter::known(slot)?);
    }
    let length = it.compute(Operator::Length, &[&text]);
    let room = Interpreter::known(room)?;
    for (needed, there) in [(end, &length), (at + end - begin, &room)] {
        let reaches = it.compute(Operator::SignedLessEqual, &[&Known::int(needed), there]);
        it.decide(&reaches, Way::Completed, Way::Threw);
    }
    copy_units(it, &text, (begin, end), (array, at))?;
    Ok(Modelled::Nothing)
}
