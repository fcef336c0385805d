//! `java.lang.String` (documentation of JDK 17).

use std::sync::Arc;

use crate::interpreter::heap::{Content, Text};
use crate::interpreter::machine::{Abrupt, Interpreter};
use crate::interpreter::models::Modelled;
use crate::interpreter::models::table::Row;
use crate::interpreter::models::{characters, patterns};
use crate::interpreter::slot::Known;
use crate::interpreter::{Concrete, Outcome, Slot, Way, Why};
use crate::term::{Operator, Value};

type Result<T> = std::result::Result<T, Abrupt>;

/// The rows of the class.
pub(super) const STRING: &[Row] = &[
    ("<init>", "()V", |_, _| Ok(Modelled::Nothing)),
    ("<init>", "(Ljava/lang/String;)V", copy),
    ("<init>", "(Ljava/lang/StringBuilder;)V", copy),
    ("<init>", "(Ljava/lang/StringBuffer;)V", copy),
    ("<init>", "([C)V", copy_characters),
    ("<init>", "([CII)V", copy_characters),
    ("length", "()I", |it, slots| it.operate(Operator::Length, slots, &[])),
    ("isEmpty", "()Z", is_empty),
    ("charAt", "(I)C", |it, slots| char_at(it, slots)),
    ("equals", "(Ljava/lang/Object;)Z", |it, slots| equals(it, slots, Operator::Equal)),
    ("equalsIgnoreCase", "(Ljava/lang/String;)Z", |it, slots| equals(it, slots, Operator::EqualsIgnoreCase)),
    ("startsWith", "(Ljava/lang/String;)Z", |it, slots| {
        it.operate(Operator::StartsWith, slots, &[Known::int(0)])
    }),
    ("startsWith", "(Ljava/lang/String;I)Z", |it, slots| it.operate(Operator::StartsWith, slots, &[])),
    ("endsWith", "(Ljava/lang/String;)Z", |it, slots| it.operate(Operator::EndsWith, slots, &[])),
    ("contains", "(Ljava/lang/CharSequence;)Z", |it, slots| it.operate(Operator::Contains, slots, &[])),
    ("indexOf", "(I)I", |it, slots| it.operate(Operator::IndexOfCharacter, slots, &[Known::int(0)])),
    ("indexOf", "(II)I", |it, slots| it.operate(Operator::IndexOfCharacter, slots, &[])),
    ("indexOf", "(Ljava/lang/String;)I", |it, slots| it.operate(Operator::IndexOf, slots, &[Known::int(0)])),
    ("indexOf", "(Ljava/lang/String;I)I", |it, slots| it.operate(Operator::IndexOf, slots, &[])),
    ("lastIndexOf", "(I)I", |it, slots| {
        it.operate(Operator::LastIndexOfCharacter, slots, &[Known::int(i32::MAX)])
    }),
    ("lastIndexOf", "(II)I", |it, slots| it.operate(Operator::LastIndexOfCharacter, slots, &[])),
    ("lastIndexOf", "(Ljava/lang/String;)I", |it, slots| {
        it.operate(Operator::LastIndexOf, slots, &[Known::int(i32::MAX)])
    }),
    ("lastIndexOf", "(Ljava/lang/String;I)I", |it, slots| it.operate(Operator::LastIndexOf, slots, &[])),
    ("substring", "(I)Ljava/lang/String;", substring),
    ("substring", "(II)Ljava/lang/String;", substring),
    ("subSequence", "(II)Ljava/lang/CharSequence;", substring),
    ("contentEquals", "(Ljava/lang/CharSequence;)Z", |it, slots| it.operate(Operator::Equal, slots, &[])),
    ("contentEquals", "(Ljava/lang/StringBuffer;)Z", |it, slots| it.operate(Operator::Equal, slots, &[])),
    ("regionMatches", "(ILjava/lang/String;II)Z", |it, slots| region_matches(it, slots, Operator::Equal)),
    ("regionMatches", "(ZILjava/lang/String;II)Z", |it, slots| {
        let ignores_case = it.truth(slots[1])?;
        it.pin(&ignores_case);
        let operator = if ignores_case.value.truth() { Operator::EqualsIgnoreCase } else { Operator::Equal };
        region_matches(it, &[&slots[..1], &slots[2..]].concat(), operator)
    }),
    ("codePointAt", "(I)I", characters::code_point_at),
    ("toCharArray", "()[C", characters::to_characters),
    ("getChars", "(II[CI)V", characters::get_characters),
    ("getBytes", "(Ljava/nio/charset/Charset;)[B", characters::to_bytes),
    ("repeat", "(I)Ljava/lang/String;", repeat),
    ("intern", "()Ljava/lang/String;", |it, slots| {
        it.object(slots[0])?;
        Ok(Modelled::Value(slots[0]))
    }),
    ("trim", "()Ljava/lang/String;", |it, slots| it.operate(Operator::Trim, slots, &[])),
    ("strip", "()Ljava/lang/String;", |it, slots| it.operate(Operator::Strip, slots, &[])),
    ("isBlank", "()Z", |it, slots| it.operate(Operator::IsBlank, slots, &[])),
    ("toLowerCase", "()Ljava/lang/String;", |it, slots| in_case(it, slots, Operator::ToLowerCase)),
    ("toUpperCase", "()Ljava/lang/String;", |it, slots| in_case(it, slots, Operator::ToUpperCase)),
    ("toLowerCase", "(Ljava/util/Locale;)Ljava/lang/String;", |it, slots| {
        in_case_of(it, slots, Operator::ToLowerCase)
    }),
    ("toUpperCase", "(Ljava/util/Locale;)Ljava/lang/String;", |it, slots| {
        in_case_of(it, slots, Operator::ToUpperCase)
    }),
    ("concat", "(Ljava/lang/String;)Ljava/lang/String;", |it, slots| {
        it.operate(Operator::Concat, slots, &[])
    }),
    ("compareTo", "(Ljava/lang/String;)I", |it, slots| it.operate(Operator::CompareTo, slots, &[])),
    ("compareTo", "(Ljava/lang/Object;)I", |it, slots| it.operate(Operator::CompareTo, slots, &[])),
    ("replace", "(CC)Ljava/lang/String;", replace),
    ("replace", "(Ljava/lang/CharSequence;Ljava/lang/CharSequence;)Ljava/lang/String;", replace_all),
    ("hashCode", "()I", |it, slots| it.operate(Operator::HashCode, slots, &[])),
    ("matches", "(Ljava/lang/String;)Z", |it, slots| patterns::whole(it, slots[0], slots[1])),
    ("toString", "()Ljava/lang/String;", |_, slots| Ok(Modelled::Value(slots[0]))),
    ("valueOf", "(I)Ljava/lang/String;", |it, slots| it.operate(Operator::SignedToText, slots, &[])),
    ("valueOf", "(J)Ljava/lang/String;", |it, slots| it.operate(Operator::SignedToText, slots, &[])),
    ("valueOf", "(C)Ljava/lang/String;", |it, slots| value_of(it, slots, "C")),
    ("valueOf", "(Z)Ljava/lang/String;", |it, slots| value_of(it, slots, "Z")),
    ("valueOf", "([C)Ljava/lang/String;", value_of_characters),
    ("valueOf", "([CII)Ljava/lang/String;", value_of_characters),
    ("copyValueOf", "([C)Ljava/lang/String;", value_of_characters),
    ("copyValueOf", "([CII)Ljava/lang/String;", value_of_characters),
    ("valueOf", "(Ljava/lang/Object;)Ljava/lang/String;", |it, slots| {
        value_of(it, slots, "Ljava/lang/Object;")
    }),
];

fn copy(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let Some(text) = it.text(slots[1])? else { return Ok(Modelled::Declined) };
    let object = it.object(slots[0])?;
    let units: Arc<[u16]> = text.units();
    it.heap.get_mut(object).content = Content::Text(Text { units, term: text.term });
    Ok(Modelled::Nothing)
}

fn copy_characters(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let part = slots.get(2).copied().zip(slots.get(3).copied());
    let Some(text) = characters::text_of(it, slots[1], part)? else { return Ok(Modelled::Declined) };
    let object = it.object(slots[0])?;
    it.heap.get_mut(object).content = Content::Text(Text { units: text.units(), term: text.term });
    Ok(Modelled::Nothing)
}

fn value_of_characters(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let part = slots.get(1).copied().zip(slots.get(2).copied());
    match characters::text_of(it, slots[0], part)? {
        Some(text) => it.returned(&text),
        None => Ok(Modelled::Declined),
    }
}

/// A part that reaches out of its text is equal to nothing; one of a negative count to all that lie inside.
fn region_matches(it: &mut Interpreter<'_>, slots: &[Slot], operator: Operator) -> Result<Modelled> {
    let (Some(one), Some(other)) = (it.text(slots[0])?, it.text(slots[2])?) else {
        return Ok(Modelled::Declined);
    };
    let count = Interpreter::known(slots[4])?;
    let is_count = it.compute(Operator::SignedLessEqual, &[&Known::int(0), &count]);
    let has_characters = it.decide(&is_count, Way::Completed, Way::Completed);
    let long = Operator::SignExtend(64);
    let wide_count = it.compute(long, &[&count]);
    let mut is_inside = Known::of(Value::Bool(true));
    let mut parts = Vec::with_capacity(2);
    for (text, offset) in [(one, slots[1]), (other, slots[3])] {
        let offset = Interpreter::known(offset)?;
        let length = it.compute(Operator::Length, &[&text]);
        let length = it.compute(long, &[&length]);
        let last = it.compute(Operator::Subtract, &[&length, &wide_count]);
        let is_positive = it.compute(Operator::SignedLessEqual, &[&Known::int(0), &offset]);
        let wide = it.compute(long, &[&offset]);
        let ends_inside = it.compute(Operator::SignedLessEqual, &[&wide, &last]);
        let is_part = it.compute(Operator::And, &[&is_positive, &ends_inside]);
        is_inside = it.compute(Operator::And, &[&is_inside, &is_part]);
        let end = it.compute(Operator::Add, &[&offset, &count]);
        parts.push(it.compute(Operator::Substring, &[&text, &offset, &end]));
    }
    if !has_characters {
        return it.returned(&is_inside);
    }
    let is_equal = it.compute(operator, &[&parts[0], &parts[1]]);
    let result = it.compute(Operator::And, &[&is_inside, &is_equal]);
    it.returned(&result)
}

/// How often is held at what it is.
fn repeat(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let Some(text) = it.text(slots[0])? else { return Ok(Modelled::Declined) };
    let count = Interpreter::known(slots[1])?;
    let is_possible = it.compute(Operator::SignedLessEqual, &[&Known::int(0), &count]);
    it.require(&is_possible, "java/lang/IllegalArgumentException")?;
    let number = count.value.signed() as usize;
    if number.saturating_mul(text.value.units().len().max(1)) > characters::MOST {
        return Ok(Modelled::Declined);
    }
    it.pin(&count);
    let mut result = Known::text("");
    for _ in 0..number {
        result = it.compute(Operator::Concat, &[&result, &text]);
    }
    it.returned(&result)
}

fn is_empty(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let Some(text) = it.text(slots[0])? else { return Ok(Modelled::Declined) };
    let length = it.compute(Operator::Length, &[&text]);
    let is_empty = it.compute(Operator::Equal, &[&length, &Known::int(0)]);
    it.returned(&is_empty)
}

/// `charAt` of strings and builders: an index outside throws.
pub(super) fn char_at(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let Some(text) = it.text(slots[0])? else { return Ok(Modelled::Declined) };
    let index = Interpreter::known(slots[1])?;
    let length = it.compute(Operator::Length, &[&text]);
    let is_inside = it.compute(Operator::UnsignedLess, &[&index, &length]);
    it.require(&is_inside, "java/lang/StringIndexOutOfBoundsException")?;
    let unit = it.compute(Operator::CharAt, &[&text, &index]);
    it.returned(&unit)
}

/// Equality with null and with objects of other classes is false.
fn equals(it: &mut Interpreter<'_>, slots: &[Slot], operator: Operator) -> Result<Modelled> {
    let is_null = Interpreter::is_null(slots[1])?;
    it.decide(&is_null, Way::Completed, Way::Completed);
    let is_string =
        matches!(slots[1].concrete, Concrete::Reference(object) if it.heap.text_of(object).is_some());
    if !is_string {
        return it.returned(&Known::of(Value::Bool(false)));
    }
    it.operate(operator, slots, &[])
}

pub(super) fn substring(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let Some(text) = it.text(slots[0])? else { return Ok(Modelled::Declined) };
    let length = it.compute(Operator::Length, &[&text]);
    let begin = Interpreter::known(slots[1])?;
    let end = match slots.get(2) {
        Some(&end) => Interpreter::known(end)?,
        None => length.clone(),
    };
    // Lengths are not negative, so neither is what is below them without sign.
    let ends_inside = it.compute(Operator::UnsignedLessEqual, &[&end, &length]);
    it.require(&ends_inside, "java/lang/StringIndexOutOfBoundsException")?;
    let begins_inside = it.compute(Operator::UnsignedLessEqual, &[&begin, &end]);
    it.require(&begins_inside, "java/lang/StringIndexOutOfBoundsException")?;
    let part = it.compute(Operator::Substring, &[&text, &begin, &end]);
    it.returned(&part)
}

/// Changes of case. Beyond Latin-1 the tables of the JDK at hand decide, and they are not known here.
fn in_case(it: &mut Interpreter<'_>, slots: &[Slot], operator: Operator) -> Result<Modelled> {
    match it.text(slots[0])? {
        Some(text) if text.value.units().iter().all(|&unit| unit <= 0xff) => it.operate(operator, slots, &[]),
        _ => Ok(Modelled::Declined),
    }
}

/// As [`in_case`], in a locale: three languages have letters of their own, and whether it is one of these only the run knows.
fn in_case_of(it: &mut Interpreter<'_>, slots: &[Slot], operator: Operator) -> Result<Modelled> {
    it.object(slots[1])?;
    let modelled = in_case(it, &slots[..1], operator)?;
    let Modelled::Value(slot) = &modelled else { return Ok(modelled) };
    if it.is_in_platform() {
        return Ok(Modelled::Declined);
    }
    let outcome = Outcome::Returned(Some(*slot));
    let is_same = it.outside.agrees(&outcome, it.frames.is_empty(), &it.heap);
    Ok(if is_same { modelled } else { Modelled::Declined })
}

/// `replace` of texts: one condition for each place, and one that there is no further place.
fn replace_all(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let (Some(text), Some(old), Some(new)) = (it.text(slots[0])?, it.text(slots[1])?, it.text(slots[2])?)
    else {
        return Ok(Modelled::Declined);
    };
    let width = it.compute(Operator::Length, &[&old]);
    let is_there = it.compute(Operator::SignedLess, &[&Known::int(0), &width]);
    if !is_there.value.truth() || text.value.units().len() > characters::MOST {
        return Ok(Modelled::Declined);
    }
    it.decide(&is_there, Way::Pinned, Way::Pinned);
    let (mut result, mut from) = (Known::text(""), Known::int(0));
    loop {
        let place = it.compute(Operator::IndexOf, &[&text, &old, &from]);
        let is_found = it.compute(Operator::SignedLessEqual, &[&Known::int(0), &place]);
        let way = Way::Completed;
        let end = if it.decide(&is_found, way, way) {
            place.clone()
        } else {
            it.compute(Operator::Length, &[&text])
        };
        let between = it.compute(Operator::Substring, &[&text, &from, &end]);
        result = it.compute(Operator::Concat, &[&result, &between]);
        if !is_found.value.truth() {
            return it.returned(&result);
        }
        result = it.compute(Operator::Concat, &[&result, &new]);
        from = it.compute(Operator::Add, &[&place, &width]);
    }
}

fn replace(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let Some(text) = it.text(slots[0])? else { return Ok(Modelled::Declined) };
    let (old, new) = (it.character(slots[1])?, it.character(slots[2])?);
    let replaced = it.compute(Operator::ReplaceCharacter, &[&text, &old, &new]);
    it.returned(&replaced)
}

fn value_of(it: &mut Interpreter<'_>, slots: &[Slot], descriptor: &str) -> Result<Modelled> {
    let erased = bytecode::descriptor::ErasedType::parse(descriptor).map_err(|_| Why::Malformed)?;
    let text = it.text_for(slots[0], &erased)?;
    it.returned(&text)
}
