//! `java.lang.Math` (documentation of JDK 17): what terms can say. Roots and powers have no operator and are asked for.

use crate::interpreter::Slot;
use crate::interpreter::machine::{Abrupt, Interpreter};
use crate::interpreter::models::Modelled;
use crate::interpreter::models::table::Row;
use crate::interpreter::slot::Known;
use crate::term::{Operator, Value};

type Result<T> = std::result::Result<T, Abrupt>;

/// The rows of the class.
pub(super) const MATH: &[Row] = &[
    ("abs", "(I)I", |it, slots| absolute(it, slots)),
    ("abs", "(J)J", |it, slots| absolute(it, slots)),
    ("abs", "(F)F", |it, slots| absolute_float(it, slots)),
    ("abs", "(D)D", |it, slots| absolute_float(it, slots)),
    ("max", "(II)I", |it, slots| extreme(it, slots, true)),
    ("max", "(JJ)J", |it, slots| extreme(it, slots, true)),
    ("max", "(FF)F", |it, slots| extreme_float(it, slots, true)),
    ("max", "(DD)D", |it, slots| extreme_float(it, slots, true)),
    ("min", "(II)I", |it, slots| extreme(it, slots, false)),
    ("min", "(JJ)J", |it, slots| extreme(it, slots, false)),
    ("min", "(FF)F", |it, slots| extreme_float(it, slots, false)),
    ("min", "(DD)D", |it, slots| extreme_float(it, slots, false)),
];

/// The minimum is its own absolute value.
fn absolute(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let number = Interpreter::known(slots[0])?;
    let zero = Known::of(Value::zero(number.value.sort()));
    let is_negative = it.compute(Operator::SignedLess, &[&number, &zero]);
    let negated = it.compute(Operator::Negate, &[&number]);
    let result = it.choose(&is_negative, &negated, &number);
    it.returned(&result)
}

/// -0.0 becomes 0.0.
fn absolute_float(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let number = Interpreter::known(slots[0])?;
    let zero = Known::of(Value::zero(number.value.sort()));
    let is_negative = it.compute(Operator::FloatLessEqual, &[&number, &zero]);
    let negated = it.compute(Operator::FloatSubtract, &[&zero, &number]);
    let result = it.choose(&is_negative, &negated, &number);
    it.returned(&result)
}

fn extreme(it: &mut Interpreter<'_>, slots: &[Slot], is_greatest: bool) -> Result<Modelled> {
    let (one, other) = (Interpreter::known(slots[0])?, Interpreter::known(slots[1])?);
    let is_less = it.compute(Operator::SignedLess, &[&one, &other]);
    let (then, otherwise) = if is_greatest { (&other, &one) } else { (&one, &other) };
    let result = it.choose(&is_less, then, otherwise);
    it.returned(&result)
}

/// NaN if either is NaN; -0.0 is less than 0.0.
fn extreme_float(it: &mut Interpreter<'_>, slots: &[Slot], is_greatest: bool) -> Result<Modelled> {
    let (one, other) = (Interpreter::known(slots[0])?, Interpreter::known(slots[1])?);
    let zero = Known::of(Value::zero(one.value.sort()));
    let minus_zero = it.compute(Operator::FloatNegate, &[&zero]);
    let of_zeros = if is_greatest { &zero } else { &minus_zero };
    let same = it.compute(Operator::Equal, &[&one, &other]);
    let equal = it.choose(&same, &one, of_zeros);
    let (low, high) = if is_greatest { (&other, &one) } else { (&one, &other) };
    let is_less = it.compute(Operator::FloatLess, &[&one, &other]);
    let is_greater = it.compute(Operator::FloatLess, &[&other, &one]);
    let rest = it.choose(&is_greater, high, &equal);
    let ordered = it.choose(&is_less, low, &rest);
    let is_nan = it.compute(Operator::IsNan, &[&other]);
    let result = it.choose(&is_nan, &other, &ordered);
    let is_nan = it.compute(Operator::IsNan, &[&one]);
    let result = it.choose(&is_nan, &one, &result);
    it.returned(&result)
}
