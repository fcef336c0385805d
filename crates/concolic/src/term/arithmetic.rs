//! What operators compute: the one definition that folding of constants, evaluation and the check of models share.

use std::sync::Arc;

use crate::term::pattern::Pattern;
use crate::term::{Operator, Sort, Value, numeral, text};

/// The low bits of a width.
pub(crate) fn mask(width: u8) -> u64 {
    u64::MAX >> (64 - u32::from(width))
}

/// The value of bits in two's complement.
pub(super) fn signed(width: u8, bits: u64) -> i64 {
    let unused = 64 - u32::from(width);
    ((bits << unused) as i64) >> unused
}

/// The bits of a distance that shifts of a width look at (JLS 15.19).
pub(crate) fn distance_mask(width: u8) -> u64 {
    u64::from(width).next_power_of_two() - 1
}

/// What an operator with operands computes. `pattern` is that of [`Operator::Matches`].
///
/// # Panics
/// If the operands do not have the sorts that the operator takes, or if it takes none.
pub(super) fn apply(operator: Operator, operands: &[&Value], pattern: Option<&Pattern>) -> Value {
    // tidy: the others depend on what they are given
    match operator {
        Operator::IfThenElse => operands[if operands[0].truth() { 1 } else { 2 }].clone(),
        Operator::Equal => Value::Bool(operands[0] == operands[1]),
        Operator::Not => Value::Bool(!operands[0].truth()),
        Operator::And => Value::Bool(operands[0].truth() && operands[1].truth()),
        Operator::Or => Value::Bool(operands[0].truth() || operands[1].truth()),
        Operator::Matches(_) => {
            Value::Bool(pattern.expect("the pool knows its patterns").matches(operands[0].units()))
        }
        _ => match operands {
            [Value::Bits { width, .. }] => bits_unary(operator, *width, operands[0]),
            [Value::Bits { width, .. }, Value::Bits { .. }] => {
                bits_binary(operator, *width, operands[0], operands[1])
            }
            [Value::Float(value)] => float_unary(operator, *value),
            [Value::Double(value)] => double_unary(operator, *value),
            [Value::Float(one), Value::Float(other)] => float_binary(operator, *one, *other),
            [Value::Double(one), Value::Double(other)] => double_binary(operator, *one, *other),
            [Value::Bool(truth)] => Value::text(if *truth { "true" } else { "false" }),
            _ => on_text(operator, operands),
        },
    }
}

fn bits_unary(operator: Operator, width: u8, operand: &Value) -> Value {
    let (unsigned, signed) = (operand.unsigned(), operand.signed());
    // tidy: what takes one bit-vector stands above, and terms are typed when they are made
    match operator {
        Operator::Negate => Value::bits(width, unsigned.wrapping_neg()),
        Operator::SignExtend(to) => Value::bits(to, signed as u64),
        Operator::ZeroExtend(to) | Operator::Truncate(to) => Value::bits(to, unsigned),
        Operator::SignedToFloat => Value::Float(signed as f32),
        Operator::SignedToDouble => Value::Double(signed as f64),
        Operator::FromRawBits if width == 32 => Value::Float(f32::from_bits(unsigned as u32)),
        Operator::FromRawBits => Value::Double(f64::from_bits(unsigned)),
        Operator::SignedToText => Value::text(&signed.to_string()),
        Operator::CharacterToText => Value::Text(Arc::new([unsigned as u16])),
        _ => panic!("{operator:?} of {operand:?}"),
    }
}

fn bits_binary(operator: Operator, width: u8, one: &Value, other: &Value) -> Value {
    let (a, b) = (one.unsigned(), other.unsigned());
    let (x, y) = (one.signed(), other.signed());
    let distance = b & distance_mask(width);
    let bits = |bits: u64| Value::bits(width, bits);
    // tidy: what takes two bit-vectors stands above, and terms are typed when they are made
    match operator {
        Operator::Add => bits(a.wrapping_add(b)),
        Operator::Subtract => bits(a.wrapping_sub(b)),
        Operator::Multiply => bits(a.wrapping_mul(b)),
        Operator::Divide if b == 0 => bits(if x < 0 { 1 } else { u64::MAX }),
        Operator::Divide => bits(x.wrapping_div(y) as u64),
        Operator::Remainder if b == 0 => bits(a),
        Operator::Remainder => bits(x.wrapping_rem(y) as u64),
        Operator::BitAnd => bits(a & b),
        Operator::BitOr => bits(a | b),
        Operator::BitXor => bits(a ^ b),
        Operator::ShiftLeft => bits(if distance < 64 { a << distance } else { 0 }),
        Operator::ShiftRight => bits((x >> distance.min(63)) as u64),
        Operator::UnsignedShiftRight => bits(if distance < 64 { a >> distance } else { 0 }),
        Operator::SignedLess => Value::Bool(x < y),
        Operator::SignedLessEqual => Value::Bool(x <= y),
        Operator::UnsignedLess => Value::Bool(a < b),
        Operator::UnsignedLessEqual => Value::Bool(a <= b),
        _ => panic!("{operator:?} of {one:?} and {other:?}"),
    }
}

/// To a signed number of a width: to 0, saturating, NaN to 0 (JLS 5.1.3).
fn saturated(width: u8, value: f64) -> Value {
    let highest = signed(width, mask(width) >> 1);
    Value::bits(width, (value as i64).clamp(-highest - 1, highest) as u64)
}

fn float_unary(operator: Operator, value: f32) -> Value {
    // tidy: what takes one float stands above, and terms are typed when they are made
    match operator {
        Operator::FloatNegate => Value::Float(-value),
        Operator::IsNan => Value::Bool(value.is_nan()),
        Operator::FloatToSigned(width) => saturated(width, f64::from(value)),
        Operator::FloatToDouble => Value::Double(f64::from(value)),
        Operator::ToRawBits => Value::bits(32, u64::from(float_bits(value))),
        _ => panic!("{operator:?} of {value}"),
    }
}

fn double_unary(operator: Operator, value: f64) -> Value {
    // tidy: what takes one double stands above, and terms are typed when they are made
    match operator {
        Operator::FloatNegate => Value::Double(-value),
        Operator::IsNan => Value::Bool(value.is_nan()),
        Operator::FloatToSigned(width) => saturated(width, value),
        Operator::DoubleToFloat => Value::Float(value as f32),
        Operator::ToRawBits => Value::bits(64, double_bits(value)),
        _ => panic!("{operator:?} of {value}"),
    }
}

fn float_binary(operator: Operator, one: f32, other: f32) -> Value {
    // tidy: what takes two floats stands above, and terms are typed when they are made
    match operator {
        Operator::FloatAdd => Value::Float(one + other),
        Operator::FloatSubtract => Value::Float(one - other),
        Operator::FloatMultiply => Value::Float(one * other),
        Operator::FloatDivide => Value::Float(one / other),
        Operator::FloatRemainder => Value::Float(one % other),
        Operator::FloatLess => Value::Bool(one < other),
        Operator::FloatLessEqual => Value::Bool(one <= other),
        Operator::FloatEqual => Value::Bool(one == other),
        _ => panic!("{operator:?} of {one} and {other}"),
    }
}

fn double_binary(operator: Operator, one: f64, other: f64) -> Value {
    // tidy: what takes two doubles stands above, and terms are typed when they are made
    match operator {
        Operator::FloatAdd => Value::Double(one + other),
        Operator::FloatSubtract => Value::Double(one - other),
        Operator::FloatMultiply => Value::Double(one * other),
        Operator::FloatDivide => Value::Double(one / other),
        Operator::FloatRemainder => Value::Double(one % other),
        Operator::FloatLess => Value::Bool(one < other),
        Operator::FloatLessEqual => Value::Bool(one <= other),
        Operator::FloatEqual => Value::Bool(one == other),
        _ => panic!("{operator:?} of {one} and {other}"),
    }
}

/// The bits of `Float.floatToIntBits`: NaN is one.
pub(crate) fn float_bits(value: f32) -> u32 {
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
}

/// The bits of `Double.doubleToLongBits`: NaN is one.
pub(crate) fn double_bits(value: f64) -> u64 {
    if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() }
}

fn on_text(operator: Operator, operands: &[&Value]) -> Value {
    let units = operands[0].units();
    let part = || operands[1].units();
    let int = |at: usize| operands[at].signed() as i32;
    let made = |units: Vec<u16>| Value::Text(units.into());
    // tidy: what takes a text stands above, and terms are typed when they are made
    match operator {
        Operator::Length => Value::int(units.len() as i32),
        Operator::CharAt => {
            let unit = usize::try_from(int(1)).ok().and_then(|index| units.get(index));
            Value::bits(16, u64::from(unit.copied().unwrap_or(0)))
        }
        Operator::Concat => made([units, part()].concat()),
        Operator::Substring => made(text::substring(units, int(1), int(2)).to_vec()),
        Operator::EqualsIgnoreCase => Value::Bool(text::equals_ignore_case(units, part())),
        Operator::StartsWith => Value::Bool(text::starts_with(units, part(), int(2))),
        Operator::EndsWith => Value::Bool(units.ends_with(part())),
        Operator::Contains => Value::Bool(text::index_of(units, part(), 0) >= 0),
        Operator::IndexOfCharacter => Value::int(text::index_of_character(units, int(1), int(2))),
        Operator::LastIndexOfCharacter => Value::int(text::last_index_of_character(units, int(1), int(2))),
        Operator::IndexOf => Value::int(text::index_of(units, part(), int(2))),
        Operator::LastIndexOf => Value::int(text::last_index_of(units, part(), int(2))),
        Operator::CompareTo => Value::int(text::compare(units, part())),
        Operator::ToLowerCase => made(text::lower_case(units)),
        Operator::ToUpperCase => made(text::upper_case(units)),
        Operator::Trim => made(text::trimmed(units, |unit| unit <= 0x20).to_vec()),
        Operator::Strip => made(text::trimmed(units, text::is_white_space).to_vec()),
        Operator::IsBlank => Value::Bool(units.iter().all(|&unit| text::is_white_space(unit))),
        Operator::ReplaceCharacter => {
            let (old, new) = (operands[1].unsigned() as u16, operands[2].unsigned() as u16);
            made(units.iter().map(|&unit| if unit == old { new } else { unit }).collect())
        }
        Operator::HashCode => Value::int(text::hash_code(units)),
        Operator::IsInteger(width) => Value::Bool(numeral::integer(units, width).is_some()),
        Operator::ParseInteger(width) => {
            Value::bits(width, numeral::integer(units, width).unwrap_or(0) as u64)
        }
        Operator::IsDouble => Value::Bool(numeral::double(units).is_some()),
        Operator::ParseDouble => Value::Double(numeral::double(units).unwrap_or(0.0)),
        _ => panic!("{operator:?} of {operands:?}"),
    }
}

/// The sort of a term.
///
/// # Panics
/// If the operator does not take such operands.
pub(super) fn result_sort(operator: Operator, operands: &[Sort]) -> Sort {
    operator.sort(operands).unwrap_or_else(|| panic!("{operator:?} does not take {operands:?}"))
}
