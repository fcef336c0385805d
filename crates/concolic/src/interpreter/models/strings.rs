//! `java.lang.String` (documentation of JDK 17).

use std::sync::Arc;

use crate::interpreter::heap::{Content, Text};
use crate::interpreter::machine::{Abrupt, Interpreter};
use crate::interpreter::models::Modelled;
use crate::interpreter::models::table::Row;
use crate::interpreter::slot::Known;
use crate::interpreter::{Concrete, Slot, Why};
use crate::term::{Operator, Value};

type Result<T> = std::result::Result<T, Abrupt>;

/// The rows of the class.
pub(super) const STRING: &[Row] = &[
    ("<init>", "()V", |_, _| Ok(Modelled::Nothing)),
    ("<init>", "(Ljava/lang/String;)V", copy),
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
    ("trim", "()Ljava/lang/String;", |it, slots| it.operate(Operator::Trim, slots, &[])),
    ("strip", "()Ljava/lang/String;", |it, slots| it.operate(Operator::Strip, slots, &[])),
    ("isBlank", "()Z", |it, slots| it.operate(Operator::IsBlank, slots, &[])),
    ("toLowerCase", "()Ljava/lang/String;", |it, slots| in_case(it, slots, Operator::ToLowerCase)),
    ("toUpperCase", "()Ljava/lang/String;", |it, slots| in_case(it, slots, Operator::ToUpperCase)),
    ("concat", "(Ljava/lang/String;)Ljava/lang/String;", |it, slots| {
        it.operate(Operator::Concat, slots, &[])
    }),
    ("compareTo", "(Ljava/lang/String;)I", |it, slots| it.operate(Operator::CompareTo, slots, &[])),
    ("compareTo", "(Ljava/lang/Object;)I", |it, slots| it.operate(Operator::CompareTo, slots, &[])),
    ("replace", "(CC)Ljava/lang/String;", replace),
    ("hashCode", "()I", |it, slots| it.operate(Operator::HashCode, slots, &[])),
    ("matches", "(Ljava/lang/String;)Z", matches),
    ("toString", "()Ljava/lang/String;", |_, slots| Ok(Modelled::Value(slots[0]))),
    ("valueOf", "(I)Ljava/lang/String;", |it, slots| it.operate(Operator::SignedToText, slots, &[])),
    ("valueOf", "(J)Ljava/lang/String;", |it, slots| it.operate(Operator::SignedToText, slots, &[])),
    ("valueOf", "(C)Ljava/lang/String;", |it, slots| value_of(it, slots, "C")),
    ("valueOf", "(Z)Ljava/lang/String;", |it, slots| value_of(it, slots, "Z")),
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
    it.decide(&is_null, crate::interpreter::Way::Completed, crate::interpreter::Way::Completed);
    let is_string =
        matches!(slots[1].concrete, Concrete::Reference(object) if it.heap.text_of(object).is_some());
    if !is_string {
        return it.returned(&Known::of(Value::Bool(false)));
    }
    it.operate(operator, slots, &[])
}

fn substring(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
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

fn replace(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let Some(text) = it.text(slots[0])? else { return Ok(Modelled::Declined) };
    let (old, new) = (it.character(slots[1])?, it.character(slots[2])?);
    let replaced = it.compute(Operator::ReplaceCharacter, &[&text, &old, &new]);
    it.returned(&replaced)
}

/// A regular expression is held at what it is; one without automaton is not modelled.
fn matches(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let (Some(text), Some(expression)) = (it.text(slots[0])?, it.text(slots[1])?) else {
        return Ok(Modelled::Declined);
    };
    let constant = it.terms.constant(&text.value);
    let Ok(folded) = it.terms.matches(constant, &expression.units()) else { return Ok(Modelled::Declined) };
    let value = it.terms.constant_value(folded).ok_or(Why::Malformed)?;
    it.pin(&expression);
    let term = text.term.and_then(|term| it.terms.matches(term, &expression.units()).ok());
    it.returned(&Known { value, term })
}

fn value_of(it: &mut Interpreter<'_>, slots: &[Slot], descriptor: &str) -> Result<Modelled> {
    let erased = bytecode::descriptor::ErasedType::parse(descriptor).map_err(|_| Why::Malformed)?;
    let text = it.text_for(slots[0], &erased)?;
    it.returned(&text)
}
