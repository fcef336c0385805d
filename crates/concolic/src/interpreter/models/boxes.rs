//! `Byte`, `Short`, `Integer`, `Long`, `Float`, `Double`, `Boolean` (documentation of JDK 17): what one term says. The rest is
//! the platform's code, which is interpreted.

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
    ("<init>", "(I)V", construct),
    ("parseInt", "(Ljava/lang/String;I)I", |it, slots| parsed_in_ten(it, slots, 32)),
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
    ("<init>", "(J)V", construct),
    ("parseLong", "(Ljava/lang/String;I)J", |it, slots| parsed_in_ten(it, slots, 64)),
    ("valueOf", "(Ljava/lang/String;)Ljava/lang/Long;", |it, slots| match parsed(it, slots, 64)? {
        Modelled::Value(slot) => Ok(boxed(it, PrimitiveType::Long, slot)),
        other @ (Modelled::Nothing | Modelled::Declined) => Ok(other),
    }),
    ("valueOf", "(J)Ljava/lang/Long;", |it, slots| Ok(boxed(it, PrimitiveType::Long, slots[0]))),
    ("longValue", "()J", |it, slots| unboxed(it, slots, &[])),
    ("intValue", "()I", |it, slots| unboxed(it, slots, &[Operator::Truncate(32)])),
    ("parseLong", "(Ljava/lang/String;)J", |it, slots| parsed(it, slots, 64)),
    ("toString", "(J)Ljava/lang/String;", |it, slots| it.operate(Operator::SignedToText, slots, &[])),
    ("compare", "(JJ)I", compared),
    ("equals", "(Ljava/lang/Object;)Z", equals),
];

/// The rows of `Boolean`.
pub(super) const BOOLEAN: &[Row] = &[
    ("<init>", "(Z)V", construct),
    ("parseBoolean", "(Ljava/lang/String;)Z", parsed_boolean),
    ("toString", "(Z)Ljava/lang/String;", |it, slots| {
        let truth = it.truth(slots[0])?;
        let text = it.compute(Operator::BoolToText, &[&truth]);
        it.returned(&text)
    }),
    ("valueOf", "(Z)Ljava/lang/Boolean;", |it, slots| Ok(boxed(it, PrimitiveType::Boolean, slots[0]))),
    ("booleanValue", "()Z", |it, slots| unboxed(it, slots, &[])),
    ("equals", "(Ljava/lang/Object;)Z", equals),
];

/// The rows of `Double`.
pub(super) const DOUBLE: &[Row] = &[
    ("<init>", "(D)V", construct),
    ("doubleToRawLongBits", "(D)J", raw_bits),
    ("doubleToLongBits", "(D)J", |it, slots| it.operate(Operator::ToRawBits, slots, &[])),
    ("longBitsToDouble", "(J)D", |it, slots| it.operate(Operator::FromRawBits, slots, &[])),
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

/// The rows of `Float`.
pub(super) const FLOAT: &[Row] = &[
    ("<init>", "(F)V", construct),
    ("valueOf", "(F)Ljava/lang/Float;", |it, slots| Ok(boxed(it, PrimitiveType::Float, slots[0]))),
    ("floatToRawIntBits", "(F)I", raw_bits),
    ("floatToIntBits", "(F)I", |it, slots| it.operate(Operator::ToRawBits, slots, &[])),
    ("intBitsToFloat", "(I)F", |it, slots| it.operate(Operator::FromRawBits, slots, &[])),
    ("isNaN", "(F)Z", |it, slots| it.operate(Operator::IsNan, slots, &[])),
    ("equals", "(Ljava/lang/Object;)Z", equals),
];

/// The rows of `Short`.
pub(super) const SHORT: &[Row] = &[
    ("<init>", "(S)V", construct),
    ("valueOf", "(S)Ljava/lang/Short;", |it, slots| Ok(boxed(it, PrimitiveType::Short, slots[0]))),
    ("equals", "(Ljava/lang/Object;)Z", equals),
];

/// The rows of `Byte`.
pub(super) const BYTE: &[Row] = &[
    ("<init>", "(B)V", construct),
    ("valueOf", "(B)Ljava/lang/Byte;", |it, slots| Ok(boxed(it, PrimitiveType::Byte, slots[0]))),
    ("equals", "(Ljava/lang/Object;)Z", equals),
];

/// There is one NaN for terms, and several for the JVM.
fn raw_bits(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let number = Interpreter::known(slots[0])?;
    let is_nan = it.compute(Operator::IsNan, &[&number]);
    // Code of the platform makes no difference between them.
    if is_nan.value.truth() && !it.is_in_platform() {
        return Ok(Modelled::Declined);
    }
    it.decide(&is_nan, Way::Pinned, Way::Pinned);
    it.operate(Operator::ToRawBits, slots, &[])
}

/// A constructor that takes the value.
pub(super) fn construct(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let object = it.object(slots[0])?;
    it.heap.get_mut(object).content = Content::Boxed(slots[1]);
    Ok(Modelled::Nothing)
}

pub(super) fn boxed(it: &mut Interpreter<'_>, primitive: PrimitiveType, slot: Slot) -> Modelled {
    Modelled::Value(Slot::reference(it.heap.boxed(primitive.boxed(), slot)))
}

pub(super) fn content(it: &Interpreter<'_>, slot: Slot) -> Option<Slot> {
    let Concrete::Reference(object) = slot.concrete else { return None };
    if let Content::Boxed(slot) = &it.heap.get(object).content { Some(*slot) } else { None }
}

pub(super) fn unboxed(it: &mut Interpreter<'_>, slots: &[Slot], operators: &[Operator]) -> Result<Modelled> {
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

/// As [`parsed`], with a base: of another one than ten, the platform's code says it digit by digit.
fn parsed_in_ten(it: &mut Interpreter<'_>, slots: &[Slot], width: u8) -> Result<Modelled> {
    let base = Interpreter::known(slots[1])?;
    if base.value != Value::int(10) {
        return Ok(Modelled::Declined);
    }
    it.pin(&base);
    parsed(it, slots, width)
}

/// True is what is "true" but for case, and null is false.
fn parsed_boolean(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let is_null = Interpreter::is_null(slots[0])?;
    it.decide(&is_null, Way::Completed, Way::Completed);
    if is_null.value.truth() {
        return it.returned(&Known::of(Value::Bool(false)));
    }
    it.operate(Operator::EqualsIgnoreCase, &slots[..1], &[Known::text("true")])
}

/// -1, 0 or 1.
fn compared(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let (one, other) = (Interpreter::known(slots[0])?, Interpreter::known(slots[1])?);
    let result = it.compared(bytecode::opcode::LCMP, &one, &other);
    it.returned(&result)
}

/// Equal are only objects of the same class: the same datum, so that NaN equals NaN, and 0.0 not -0.0.
pub(super) fn equals(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
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
