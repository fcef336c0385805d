//! `Integer`, `Long`, `Character`, `Boolean`, `Double` (documentation of JDK 17).

use bytecode::descriptor::PrimitiveType;

use crate::interpreter::heap::Content;
use crate::interpreter::machine::{Abrupt, Interpreter};
use crate::interpreter::models::Modelled;
use crate::interpreter::models::table::Row;
use crate::interpreter::slot::Known;
use crate::interpreter::{Concrete, Slot, Way};
use crate::term::{Operator, Value};

type Result<T> = std::result::Result<T, Abrupt>;

/// The rows of `Integer`.
pub(super) const INTEGER: &[Row] = &[
    ("valueOf", "(I)Ljava/lang/Integer;", |it, slots| Ok(boxed(it, PrimitiveType::Int, slots[0]))),
    ("intValue", "()I", |it, slots| unboxed(it, slots, &[])),
    ("longValue", "()J", |it, slots| unboxed(it, slots, &[Operator::SignExtend(64)])),
    ("doubleValue", "()D", |it, slots| unboxed(it, slots, &[Operator::SignedToDouble])),
    ("parseInt", "(Ljava/lang/String;)I", |it, slots| parsed(it, slots, 32)),
    ("valueOf", "(Ljava/lang/String;)Ljava/lang/Integer;", |it, slots| match parsed(it, slots, 32)? {
        Modelled::Value(slot) => Ok(boxed(it, PrimitiveType::Int, slot)),
        other @ (Modelled::Nothing | Modelled::Declined) => Ok(other),
    }),
    ("toString", "(I)Ljava/lang/String;", |it, slots| it.operate(Operator::SignedToText, slots, &[])),
    ("compare", "(II)I", compared),
    ("equals", "(Ljava/lang/Object;)Z", equals),
    ("hashCode", "()I", |it, slots| unboxed(it, slots, &[])),
];

/// The rows of `Long`.
pub(super) const LONG: &[Row] = &[
    ("valueOf", "(J)Ljava/lang/Long;", |it, slots| Ok(boxed(it, PrimitiveType::Long, slots[0]))),
    ("longValue", "()J", |it, slots| unboxed(it, slots, &[])),
    ("intValue", "()I", |it, slots| unboxed(it, slots, &[Operator::Truncate(32)])),
    ("parseLong", "(Ljava/lang/String;)J", |it, slots| parsed(it, slots, 64)),
    ("toString", "(J)Ljava/lang/String;", |it, slots| it.operate(Operator::SignedToText, slots, &[])),
    ("compare", "(JJ)I", compared),
    ("equals", "(Ljava/lang/Object;)Z", equals),
];

/// The rows of `Character`.
pub(super) const CHARACTER: &[Row] = &[
    ("valueOf", "(C)Ljava/lang/Character;", |it, slots| Ok(boxed(it, PrimitiveType::Char, slots[0]))),
    ("charValue", "()C", |it, slots| unboxed(it, slots, &[])),
    ("isDigit", "(C)Z", |it, slots| within(it, slots, &[(b'0', b'9')])),
    ("isLetter", "(C)Z", |it, slots| within(it, slots, &[(b'A', b'Z'), (b'a', b'z')])),
    ("isLetterOrDigit", "(C)Z", |it, slots| within(it, slots, &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')])),
    ("isUpperCase", "(C)Z", |it, slots| within(it, slots, &[(b'A', b'Z')])),
    ("isLowerCase", "(C)Z", |it, slots| within(it, slots, &[(b'a', b'z')])),
    ("isWhitespace", "(C)Z", |it, slots| within(it, slots, &[(0x09, 0x0d), (0x1c, 0x20)])),
    ("equals", "(Ljava/lang/Object;)Z", equals),
];

/// The rows of `Boolean`.
pub(super) const BOOLEAN: &[Row] = &[
    ("valueOf", "(Z)Ljava/lang/Boolean;", |it, slots| Ok(boxed(it, PrimitiveType::Boolean, slots[0]))),
    ("booleanValue", "()Z", |it, slots| unboxed(it, slots, &[])),
    ("equals", "(Ljava/lang/Object;)Z", equals),
];

/// The rows of `Double`.
pub(super) const DOUBLE: &[Row] = &[
    ("valueOf", "(D)Ljava/lang/Double;", |it, slots| Ok(boxed(it, PrimitiveType::Double, slots[0]))),
    ("doubleValue", "()D", |it, slots| unboxed(it, slots, &[])),
    ("parseDouble", "(Ljava/lang/String;)D", |it, slots| {
        let Some(text) = it.text(slots[0])? else { return Ok(Modelled::Declined) };
        let is_number = it.compute(Operator::IsDouble, &[&text]);
        it.require(&is_number, "java/lang/NumberFormatException")?;
        it.operate(Operator::ParseDouble, slots, &[])
    }),
    ("isNaN", "(D)Z", |it, slots| it.operate(Operator::IsNan, slots, &[])),
    ("equals", "(Ljava/lang/Object;)Z", equals),
];

fn boxed(it: &mut Interpreter<'_>, primitive: PrimitiveType, slot: Slot) -> Modelled {
    Modelled::Value(Slot::reference(it.heap.boxed(primitive.boxed(), slot)))
}

fn content(it: &Interpreter<'_>, slot: Slot) -> Option<Slot> {
    let Concrete::Reference(object) = slot.concrete else { return None };
    if let Content::Boxed(slot) = &it.heap.get(object).content { Some(*slot) } else { None }
}

fn unboxed(it: &mut Interpreter<'_>, slots: &[Slot], operators: &[Operator]) -> Result<Modelled> {
    let Some(slot) = content(it, slots[0]) else { return Ok(Modelled::Declined) };
    let mut known = Interpreter::known(slot)?;
    for &operator in operators {
        known = it.compute(operator, &[&known]);
    }
    it.returned(&known)
}

/// Null is no number, so it throws as other texts do that are none.
fn parsed(it: &mut Interpreter<'_>, slots: &[Slot], width: u8) -> Result<Modelled> {
    let is_null = Interpreter::is_null(slots[0])?;
    let is_there = it.not(&is_null);
    it.require(&is_there, "java/lang/NumberFormatException")?;
    let Concrete::Reference(object) = slots[0].concrete else { return Ok(Modelled::Declined) };
    let Some(text) = it.text(Slot::reference(object))? else { return Ok(Modelled::Declined) };
    let is_number = it.compute(Operator::IsInteger(width), &[&text]);
    it.require(&is_number, "java/lang/NumberFormatException")?;
    let number = it.compute(Operator::ParseInteger(width), &[&text]);
    it.returned(&number)
}

/// -1, 0 or 1.
fn compared(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let (one, other) = (Interpreter::known(slots[0])?, Interpreter::known(slots[1])?);
    let result = it.compared(bytecode::opcode::LCMP, &one, &other);
    it.returned(&result)
}

/// Equal are only objects of the same class: the same datum, so that NaN equals NaN, and 0.0 not -0.0.
fn equals(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let is_null = Interpreter::is_null(slots[1])?;
    it.decide(&is_null, Way::Completed, Way::Completed);
    let (Concrete::Reference(one), Some(mine)) = (slots[0].concrete, content(it, slots[0])) else {
        return Ok(Modelled::Declined);
    };
    let Concrete::Reference(other) = slots[1].concrete else {
        return it.returned(&Known::of(Value::Bool(false)));
    };
    if it.heap.get(one).class != it.heap.get(other).class {
        return it.returned(&Known::of(Value::Bool(false)));
    }
    let Some(theirs) = content(it, slots[1]) else { return Ok(Modelled::Declined) };
    let (mine, theirs) = (Interpreter::known(mine)?, Interpreter::known(theirs)?);
    let equal = it.compute(Operator::Equal, &[&mine, &theirs]);
    it.returned(&equal)
}

/// Whether a character lies in some ranges of ASCII; that it is of ASCII becomes a condition.
fn within(it: &mut Interpreter<'_>, slots: &[Slot], ranges: &[(u8, u8)]) -> Result<Modelled> {
    let unit = Interpreter::known(slots[0])?;
    if unit.value.unsigned() > 0x7f {
        return Ok(Modelled::Declined);
    }
    let is_ascii = it.compute(Operator::UnsignedLess, &[&unit, &Known::int(0x80)]);
    it.decide(&is_ascii, Way::Pinned, Way::Pinned);
    let mut result = Known::of(Value::Bool(false));
    for &(low, high) in ranges {
        let above = it.compute(Operator::SignedLessEqual, &[&Known::int(low.into()), &unit]);
        let below = it.compute(Operator::SignedLessEqual, &[&unit, &Known::int(high.into())]);
        let inside = it.compute(Operator::And, &[&above, &below]);
        result = it.compute(Operator::Or, &[&result, &inside]);
    }
    it.returned(&result)
}
