//! `java.lang.StringBuilder` and `java.lang.StringBuffer` (documentation of JDK 17).

use bytecode::descriptor::ErasedType;

use crate::interpreter::heap::{Content, Text};
use crate::interpreter::machine::{Abrupt, Interpreter};
use crate::interpreter::models::Modelled;
use crate::interpreter::models::table::Row;
use crate::interpreter::models::{characters, strings};
use crate::interpreter::slot::Known;
use crate::interpreter::{Concrete, Slot, Way, Why};
use crate::term::{Operator, Value};

type Result<T> = std::result::Result<T, Abrupt>;

/// What an index outside throws.
const OUTSIDE: &str = "java/lang/StringIndexOutOfBoundsException";

/// The rows of the classes; `@` is the class itself.
pub(super) const BUILDER: &[Row] = &[
    ("<init>", "()V", |_, _| Ok(Modelled::Nothing)),
    ("<init>", "(I)V", |it, slots| {
        let capacity = Interpreter::known(slots[1])?;
        let is_possible = it.compute(Operator::SignedLessEqual, &[&Known::int(0), &capacity]);
        it.require(&is_possible, "java/lang/NegativeArraySizeException")?;
        Ok(Modelled::Nothing)
    }),
    ("<init>", "(Ljava/lang/String;)V", construct),
    ("<init>", "(Ljava/lang/CharSequence;)V", construct),
    ("append", "(Z)L@;", |it, slots| append(it, slots, "Z")),
    ("append", "(C)L@;", |it, slots| append(it, slots, "C")),
    ("append", "(I)L@;", |it, slots| append(it, slots, "I")),
    ("append", "(J)L@;", |it, slots| append(it, slots, "J")),
    ("append", "(F)L@;", |it, slots| append(it, slots, "F")),
    ("append", "(D)L@;", |it, slots| append(it, slots, "D")),
    ("append", "(Ljava/lang/String;)L@;", append_object),
    ("append", "(Ljava/lang/Object;)L@;", append_object),
    ("append", "(Ljava/lang/CharSequence;)L@;", append_object),
    ("append", "(Ljava/lang/StringBuffer;)L@;", append_object),
    ("append", "([C)L@;", append_characters),
    ("append", "([CII)L@;", append_characters),
    ("append", "(Ljava/lang/CharSequence;II)L@;", append_part),
    ("appendCodePoint", "(I)L@;", |it, slots| match characters::single(it, slots[1])? {
        Some(unit) => joined(it, slots[0], &unit),
        None => Ok(Modelled::Declined),
    }),
    ("codePointAt", "(I)I", characters::code_point_at),
    ("insert", "(IZ)L@;", |it, slots| insert(it, slots, "Z")),
    ("insert", "(IC)L@;", |it, slots| insert(it, slots, "C")),
    ("insert", "(II)L@;", |it, slots| insert(it, slots, "I")),
    ("insert", "(IJ)L@;", |it, slots| insert(it, slots, "J")),
    ("insert", "(ILjava/lang/String;)L@;", |it, slots| insert(it, slots, "Ljava/lang/Object;")),
    ("insert", "(ILjava/lang/Object;)L@;", |it, slots| insert(it, slots, "Ljava/lang/Object;")),
    ("delete", "(II)L@;", replace),
    ("replace", "(IILjava/lang/String;)L@;", replace),
    ("deleteCharAt", "(I)L@;", |it, slots| set_character(it, slots, None)),
    ("setCharAt", "(IC)V", |it, slots| set_character(it, slots, Some(slots[2]))),
    ("setLength", "(I)V", set_length),
    ("reverse", "()L@;", reverse),
    ("toString", "()Ljava/lang/String;", to_string),
    ("length", "()I", |it, slots| it.operate(Operator::Length, slots, &[])),
    ("charAt", "(I)C", |it, slots| strings::char_at(it, slots)),
    ("indexOf", "(Ljava/lang/String;)I", |it, slots| it.operate(Operator::IndexOf, slots, &[Known::int(0)])),
    ("indexOf", "(Ljava/lang/String;I)I", |it, slots| it.operate(Operator::IndexOf, slots, &[])),
    ("lastIndexOf", "(Ljava/lang/String;)I", |it, slots| {
        it.operate(Operator::LastIndexOf, slots, &[Known::int(i32::MAX)])
    }),
    ("lastIndexOf", "(Ljava/lang/String;I)I", |it, slots| it.operate(Operator::LastIndexOf, slots, &[])),
    ("substring", "(I)Ljava/lang/String;", strings::substring),
    ("substring", "(II)Ljava/lang/String;", strings::substring),
    ("subSequence", "(II)Ljava/lang/CharSequence;", strings::substring),
    ("getChars", "(II[CI)V", characters::get_characters),
    ("ensureCapacity", "(I)V", |_, _| Ok(Modelled::Nothing)),
    ("trimToSize", "()V", |_, _| Ok(Modelled::Nothing)),
];

/// The text of a builder changes.
fn set(it: &mut Interpreter<'_>, builder: Slot, text: &Known) -> Result<Modelled> {
    let object = it.object(builder)?;
    it.heap.get_mut(object).content = Content::Builder(Text { units: text.units(), term: text.term });
    Ok(Modelled::Value(builder))
}

/// What a method does that gives the builder, as one that gives nothing.
fn nothing(done: &Modelled) -> Modelled {
    match done {
        Modelled::Value(_) | Modelled::Nothing => Modelled::Nothing,
        Modelled::Declined => Modelled::Declined,
    }
}

/// A null text throws here, unlike one that is appended.
fn construct(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    match it.text(slots[1])? {
        Some(text) => set(it, slots[0], &text).map(|done| nothing(&done)),
        None => Ok(Modelled::Declined),
    }
}

fn append(it: &mut Interpreter<'_>, slots: &[Slot], descriptor: &str) -> Result<Modelled> {
    if it.text(slots[0])?.is_none() {
        return Ok(Modelled::Declined);
    }
    let erased = ErasedType::parse(descriptor).map_err(|_| Why::Malformed)?;
    let appended = it.text_for(slots[1], &erased)?;
    joined(it, slots[0], &appended)
}

fn append_object(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    append(it, slots, "Ljava/lang/Object;")
}

/// The text is read behind the conversion of what is appended, which may have been asked for.
fn joined(it: &mut Interpreter<'_>, builder: Slot, appended: &Known) -> Result<Modelled> {
    let Some(before) = it.text(builder)? else { return Ok(Modelled::Declined) };
    let text = it.compute(Operator::Concat, &[&before, appended]);
    set(it, builder, &text)
}

fn append_characters(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let range = slots.get(2).copied().zip(slots.get(3).copied());
    match characters::text_of(it, slots[1], range)? {
        Some(appended) => joined(it, slots[0], &appended),
        None => Ok(Modelled::Declined),
    }
}

/// Of a part outside, what is thrown differs between builders and releases.
fn append_part(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let Concrete::Reference(_) = slots[1].concrete else { return Ok(Modelled::Declined) };
    let Some(text) = it.text(slots[1])? else { return Ok(Modelled::Declined) };
    let (begin, end) = (Interpreter::known(slots[2])?, Interpreter::known(slots[3])?);
    let length = it.compute(Operator::Length, &[&text]);
    let ends_inside = it.compute(Operator::UnsignedLessEqual, &[&end, &length]);
    let begins_inside = it.compute(Operator::UnsignedLessEqual, &[&begin, &end]);
    let is_inside = it.compute(Operator::And, &[&ends_inside, &begins_inside]);
    if !is_inside.value.truth() {
        return Ok(Modelled::Declined);
    }
    it.require(&is_inside, "java/lang/IndexOutOfBoundsException")?;
    let part = it.compute(Operator::Substring, &[&text, &begin, &end]);
    joined(it, slots[0], &part)
}

fn insert(it: &mut Interpreter<'_>, slots: &[Slot], descriptor: &str) -> Result<Modelled> {
    let Some(before) = it.text(slots[0])? else { return Ok(Modelled::Declined) };
    let erased = ErasedType::parse(descriptor).map_err(|_| Why::Malformed)?;
    let inserted = it.text_for(slots[2], &erased)?;
    let offset = Interpreter::known(slots[1])?;
    let length = it.compute(Operator::Length, &[&before]);
    let is_inside = it.compute(Operator::UnsignedLessEqual, &[&offset, &length]);
    it.require(&is_inside, OUTSIDE)?;
    let text = spliced(it, &before, (&offset, &offset), &inserted);
    set(it, slots[0], &text)
}

/// A text with another one in the place of a part.
fn spliced(it: &mut Interpreter<'_>, text: &Known, (begin, end): (&Known, &Known), new: &Known) -> Known {
    let length = it.compute(Operator::Length, &[text]);
    let head = it.compute(Operator::Substring, &[text, &Known::int(0), begin]);
    let tail = it.compute(Operator::Substring, &[text, end, &length]);
    let head = it.compute(Operator::Concat, &[&head, new]);
    it.compute(Operator::Concat, &[&head, &tail])
}

/// `replace` and, without a text, `delete`: an end behind the last character is moved there.
fn replace(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let Some(before) = it.text(slots[0])? else { return Ok(Modelled::Declined) };
    let (begin, end) = (Interpreter::known(slots[1])?, Interpreter::known(slots[2])?);
    let new = match slots.get(3) {
        Some(&new) => match it.text(new)? {
            Some(new) => new,
            None => return Ok(Modelled::Declined),
        },
        None => Known::text(""),
    };
    let length = it.compute(Operator::Length, &[&before]);
    let is_behind = it.compute(Operator::SignedLess, &[&length, &end]);
    let end = it.choose(&is_behind, &length, &end);
    let is_positive = it.compute(Operator::SignedLessEqual, &[&Known::int(0), &begin]);
    let is_ordered = it.compute(Operator::SignedLessEqual, &[&begin, &end]);
    let is_inside = it.compute(Operator::And, &[&is_positive, &is_ordered]);
    it.require(&is_inside, OUTSIDE)?;
    let text = spliced(it, &before, (&begin, &end), &new);
    set(it, slots[0], &text)
}

/// `setCharAt`, or `deleteCharAt`.
fn set_character(it: &mut Interpreter<'_>, slots: &[Slot], new: Option<Slot>) -> Result<Modelled> {
    let Some(before) = it.text(slots[0])? else { return Ok(Modelled::Declined) };
    let index = Interpreter::known(slots[1])?;
    let length = it.compute(Operator::Length, &[&before]);
    let is_inside = it.compute(Operator::UnsignedLess, &[&index, &length]);
    it.require(&is_inside, OUTSIDE)?;
    let next = it.compute(Operator::Add, &[&index, &Known::int(1)]);
    let inserted = match new {
        Some(character) => {
            let character = it.character(character)?;
            it.compute(Operator::CharacterToText, &[&character])
        }
        None => Known::text(""),
    };
    let text = spliced(it, &before, (&index, &next), &inserted);
    let done = set(it, slots[0], &text)?;
    Ok(if new.is_some() { nothing(&done) } else { done })
}

/// A longer text is filled with zeros; by how much is held at what it is.
fn set_length(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let Some(before) = it.text(slots[0])? else { return Ok(Modelled::Declined) };
    let wanted = Interpreter::known(slots[1])?;
    let is_possible = it.compute(Operator::SignedLessEqual, &[&Known::int(0), &wanted]);
    it.require(&is_possible, OUTSIDE)?;
    let length = it.compute(Operator::Length, &[&before]);
    let missing = it.compute(Operator::Subtract, &[&wanted, &length]);
    let is_shorter = it.compute(Operator::SignedLessEqual, &[&wanted, &length]);
    let text = if it.decide(&is_shorter, Way::Completed, Way::Completed) {
        it.compute(Operator::Substring, &[&before, &Known::int(0), &wanted])
    } else {
        let count = missing.value.signed() as usize;
        if count > characters::MOST {
            return Ok(Modelled::Declined);
        }
        it.pin(&missing);
        let zeros = Known::of(Value::Text(vec![0; count].into()));
        it.compute(Operator::Concat, &[&before, &zeros])
    };
    set(it, slots[0], &text).map(|done| nothing(&done))
}

/// Characters of two code units stay what they are, so a text with such ones is not modelled; the length is held at what it is.
fn reverse(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let Some(before) = it.text(slots[0])? else { return Ok(Modelled::Declined) };
    let units = before.units();
    if units.iter().any(|unit| (0xd800..0xe000).contains(unit)) || units.len() > characters::MOST {
        return Ok(Modelled::Declined);
    }
    let length = it.compute(Operator::Length, &[&before]);
    it.pin(&length);
    let mut reversed = Known::text("");
    for index in (0..units.len()).rev() {
        let unit = it.compute(Operator::CharAt, &[&before, &Known::int(index as i32)]);
        characters::hold_outside(it, &unit, (0xd800, 0xdfff));
        let unit = it.compute(Operator::CharacterToText, &[&unit]);
        reversed = it.compute(Operator::Concat, &[&reversed, &unit]);
    }
    set(it, slots[0], &reversed)
}

fn to_string(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    match it.text(slots[0])? {
        Some(text) => it.returned(&text),
        None => Ok(Modelled::Declined),
    }
}
