//! Floating-point numbers: AVM once for each precision, in units of 1, 0.1 and so on (§4.1.1; Harman and `McMinn` 2007).
//!
//! # Differences
//! Beyond the paper: special values (not a number, infinities, -0.0, the least normal and subnormal numbers) are tried where
//! the number matters, and AVM also moves along the numbers that the type has, in their order: in units of the exponent, by
//! which a number doubles or halves, and of ever smaller parts of the mantissa, down to the last place.

use testcase::statement::Statement;
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::LocalSearch;
use super::avm::{Searched, alternate};
use super::climb::{Climb, Reaction};

/// Digits behind the point of the finest precision (§4.1.1).
const FLOAT_PRECISION: i32 = 7;
const DOUBLE_PRECISION: i32 = 15;

/// The operator.
#[derive(Debug)]
pub(super) struct FloatingPoint;

impl LocalSearch for FloatingPoint {
    fn name(&self) -> &'static str {
        "floating-point"
    }

    fn applies(&self, statement: &Statement) -> bool {
        matches!(statement, Statement::Primitive { value: Value::Float(_) | Value::Double(_), .. })
    }

    fn improve(&self, position: usize, climb: &mut Climb<'_>) {
        let precision = climb.value(position).and_then(digits).unwrap_or(DOUBLE_PRECISION);
        let mut matters = false;
        for precision in 0..=precision {
            let unit = 10_f64.powi(-precision);
            let searched = alternate(climb, |climb, step| {
                Some(climb.with_value(position, stepped(climb.value(position)?, step as f64 * unit)?))
            });
            matters |= searched != Searched::Flat;
            if climb.is_over() {
                return;
            }
        }
        if !climb.options().extended {
            return;
        }
        matters |= ascend(position, climb);
        matters |= try_special_values(climb, position);
        if matters {
            ascend(position, climb);
        }
    }
}

/// Digits behind the point of the finest precision of a number; `None` of what is none.
pub(super) fn digits(value: &Value) -> Option<i32> {
    as_float(value).map(|number| match number {
        Float::Single(_) => FLOAT_PRECISION,
        Float::Double(_) => DOUBLE_PRECISION,
    })
}

/// AVM along the numbers of the type; whether any move changed the fitness.
pub(super) fn ascend(position: usize, climb: &mut Climb<'_>) -> bool {
    // Bits from which on a move changes the number: the exponent's first, then parts of the mantissa's.
    let bits: &[u32] = match climb.value(position) {
        Some(Value::Float(_)) => &[23, 15, 7, 0],
        _ => &[52, 39, 26, 13, 0],
    };
    let mut matters = false;
    for bit in bits {
        let moved = |climb: &Climb<'_>, step: i128| moved_in_order(climb, position, step << bit);
        matters |= alternate(climb, moved) != Searched::Flat;
    }
    matters
}

/// The number moved by an amount; `None` of what is no floating-point number.
pub(super) fn stepped(value: &Value, amount: f64) -> Option<Value> {
    Some(match as_float(value)? {
        Float::Single(old) => Value::Float((f64::from(old) + amount) as f32),
        Float::Double(old) => Value::Double(old + amount),
    })
}

/// The best test with the number moved by so many numbers of its type.
fn moved_in_order(climb: &Climb<'_>, position: usize, step: i128) -> Option<TestCase> {
    let (new, is_number) = match as_float(climb.value(position)?)? {
        Float::Single(old) => {
            let place =
                i128::from(in_order(i64::from(old.to_bits() as i32), FLOAT_BITS)).saturating_add(step);
            let place = i32::try_from(place).ok()?;
            let new = f32::from_bits(in_order(i64::from(place), FLOAT_BITS) as u32);
            (Value::Float(new), !new.is_nan())
        }
        Float::Double(old) => {
            let place = i128::from(in_order(old.to_bits() as i64, DOUBLE_BITS)).saturating_add(step);
            let new = f64::from_bits(in_order(i64::try_from(place).ok()?, DOUBLE_BITS) as u64);
            (Value::Double(new), !new.is_nan())
        }
    };
    is_number.then(|| climb.with_value(position, new))
}

/// A number of either precision.
#[derive(Debug, Clone, Copy)]
enum Float {
    Single(f32),
    Double(f64),
}

/// The number that a value is; `None` of what is none.
fn as_float(value: &Value) -> Option<Float> {
    match value {
        Value::Float(number) => Some(Float::Single(*number)),
        Value::Double(number) => Some(Float::Double(*number)),
        Value::Boolean(_)
        | Value::Byte(_)
        | Value::Short(_)
        | Value::Char(_)
        | Value::Int(_)
        | Value::Long(_)
        | Value::String(_) => None,
    }
}

/// All bits but the sign.
const FLOAT_BITS: i64 = i32::MAX as i64;
const DOUBLE_BITS: i64 = i64::MAX;

/// The bits of a number as a whole number that is the larger the larger the number is; and back. `others` are all bits but the
/// sign.
fn in_order(bits: i64, others: i64) -> i64 {
    // Negative numbers count backwards.
    if bits < 0 { bits ^ others } else { bits }
}

/// Tries what lies on no way; whether any of it changed the fitness.
fn try_special_values(climb: &mut Climb<'_>, position: usize) -> bool {
    // From powers of ten moves are felt that are lost in the distance from a small number to a large one.
    const POWERS: [f64; 4] = [1e6, -1e6, 1e12, -1e12];
    const SPECIAL: [f64; 8] =
        [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, f64::MIN_POSITIVE, f64::MAX, f64::MIN, 5e-324];
    let mut any = false;
    for special in POWERS.into_iter().chain(SPECIAL) {
        let value = match climb.value(position) {
            Some(Value::Float(_)) => Value::Float(narrowed(special)),
            _ => Value::Double(special),
        };
        match climb.attempt(climb.with_value(position, value)) {
            Reaction::Better | Reaction::Changed => any = true,
            Reaction::Same => {}
            Reaction::Over => return any,
        }
    }
    any
}

/// The special value of `float` in the place of one of `double`.
fn narrowed(special: f64) -> f32 {
    if special == f64::MIN_POSITIVE {
        f32::MIN_POSITIVE
    } else if special == f64::MAX {
        f32::MAX
    } else if special == f64::MIN {
        f32::MIN
    } else if special == 5e-324 {
        f32::from_bits(1)
    } else {
        special as f32
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Hill;
    use super::*;

    fn double(value: &Value) -> f64 {
        match value {
            Value::Double(value) => *value,
            Value::Float(value) => f64::from(*value),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_number_is_found_digit_by_digit() {
        for (start, wanted) in [
            (Value::Double(0.0), 1.234_567_890_123_456),
            (Value::Double(-1e3), 0.000_012_5),
            (Value::Float(1.0), 2.345_67),
        ] {
            let close = if matches!(start, Value::Float(_)) { 1e-5 } else { 1e-12 };
            let found = Hill::of_value(&start, move |value| (double(value) - wanted).abs()).found();
            assert!((double(&found) - wanted).abs() < close, "{found:?}");
        }
    }

    #[test]
    fn beyond_the_paper_the_last_place_and_special_values_are_found() {
        for (wanted, start) in [(0.1 + 0.2, 7.0), (-1e18 / 3.0, 1.0), (f64::NAN, 0.5), (f64::INFINITY, 0.5)] {
            let distance = move |value: &Value| {
                let value = double(value);
                if value.to_bits() == wanted.to_bits() || value.is_nan() && wanted.is_nan() {
                    0.0
                } else if wanted.is_finite() && value.is_finite() {
                    (value - wanted).abs()
                } else {
                    f64::MAX
                }
            };
            let mut hill = Hill::of_value(&Value::Double(start), distance);
            let found = double(&hill.found());
            let is_it = found.to_bits() == wanted.to_bits() || wanted.is_nan() && found.is_nan();
            assert!(is_it, "{found} for {wanted}");
            let mut hill = Hill::of_value(&Value::Double(start), distance);
            hill.options.extended = false;
            let found = double(&hill.found());
            assert!(wanted.is_finite() || found.to_bits() == start.to_bits(), "{found}");
        }
    }

    #[test]
    fn numbers_lie_in_their_order() {
        let numbers = [f64::NEG_INFINITY, -2.0, -1e-310, -0.0, 0.0, 5e-324, 1.0, 1.5, f64::MAX];
        let places: Vec<i64> =
            numbers.iter().map(|number| in_order(number.to_bits() as i64, DOUBLE_BITS)).collect();
        assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "{places:?}");
        for (number, place) in numbers.iter().zip(places) {
            assert_eq!(in_order(place, DOUBLE_BITS) as u64, number.to_bits());
        }
    }
}
