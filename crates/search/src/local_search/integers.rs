//! Whole numbers of all widths and characters: AVM in steps of 1 that double (§4.1.1).
//!
//! A step that would leave the range of the type goes to its end: nothing wraps around.
//!
//! # Differences
//! Beyond the paper: where steps of 1 lead no further, the numbers that branches compared, a few special ones, and steps of
//! every power of two are tried. Behind a mask, a shift or a multiplication nothing is felt of a step of 1.

use bytecode::descriptor::PrimitiveType;
use testcase::statement::Statement;
use testcase::value::Value;

use super::LocalSearch;
use super::avm::{Searched, alternate};
use super::climb::{Climb, Reaction};

/// Numbers that branches compared of which this many are tried.
const MOST_COMPARED: usize = 12;

/// The operator.
#[derive(Debug)]
pub(super) struct Integers;

impl LocalSearch for Integers {
    fn name(&self) -> &'static str {
        "integers"
    }

    fn applies(&self, statement: &Statement) -> bool {
        let Statement::Primitive { value, .. } = statement else { return false };
        range(value).is_some()
    }

    fn improve(&self, position: usize, climb: &mut Climb<'_>) {
        let mut matters = ascend(position, climb) != Searched::Flat;
        if !climb.options().extended || !matters && !climb.is_thorough() {
            return;
        }
        matters |= try_others(position, climb);
        while matters && climb.is_thorough() && !climb.is_over() && leap(position, climb) {
            ascend(position, climb);
        }
    }
}

/// AVM along the number.
pub(super) fn ascend(position: usize, climb: &mut Climb<'_>) -> Searched {
    alternate(climb, |climb, step| Some(climb.with_value(position, stepped(climb.value(position)?, step)?)))
}

/// Tries what lies on no way: special numbers, then those that were compared, if it matters so far; whether any of it changed
/// the fitness. From one that is better AVM goes on.
fn try_others(position: usize, climb: &mut Climb<'_>) -> bool {
    let Some((primitive, least, most)) = climb.value(position).and_then(range) else { return false };
    let old = climb.value(position).and_then(Value::as_integer).unwrap_or(0);
    let mut any = false;
    let mut numbers = vec![!old, old.wrapping_neg(), 0, least, most];
    let mut compared = numbers_compared(climb).into_iter().filter(|number| (least..=most).contains(number));
    loop {
        for number in std::mem::take(&mut numbers) {
            match climb.attempt(climb.with_value(position, Value::from_integer(primitive, number))) {
                Reaction::Better => {
                    any = true;
                    ascend(position, climb);
                }
                Reaction::Changed => any = true,
                Reaction::Same => {}
                Reaction::Over => return any,
            }
        }
        numbers.extend(compared.by_ref().take(MOST_COMPARED));
        if numbers.is_empty() || !any {
            return any;
        }
        compared.by_ref().for_each(drop);
    }
}

/// The whole numbers that branches compared in the run of the best test, each once.
pub(super) fn numbers_compared(climb: &Climb<'_>) -> Vec<i64> {
    let mut numbers: Vec<i64> = climb.compared().iter().filter_map(Value::as_integer).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Moves by each power of two in both directions, one of which flips that bit alone; whether any move helped.
fn leap(position: usize, climb: &mut Climb<'_>) -> bool {
    let Some((_, least, most)) = climb.value(position).and_then(range) else { return false };
    let before = climb.improvements();
    let bits = i128::BITS - (i128::from(most) - i128::from(least)).leading_zeros();
    for step in (1..bits).flat_map(|bit| [1_i128 << bit, -1 << bit]) {
        let leapt = climb.value(position).and_then(|value| {
            let old = i128::from(value.as_integer()?);
            let is_inside = (least.into()..=most.into()).contains(&(old + step));
            is_inside.then(|| stepped(value, step)).flatten()
        });
        let Some(leapt) = leapt else { continue };
        if climb.attempt(climb.with_value(position, leapt)) == Reaction::Over {
            break;
        }
    }
    climb.improvements() > before
}

/// The number moved by a step, as far as its range goes; `None` where it does not move, and of what is no whole number.
pub(super) fn stepped(value: &Value, step: i128) -> Option<Value> {
    let (primitive, least, most) = range(value)?;
    let old = i128::from(value.as_integer()?);
    let new = old.saturating_add(step).clamp(least.into(), most.into());
    let new = Some(new).filter(|new| *new != old)?;
    Some(Value::from_integer(primitive, i64::try_from(new).ok()?))
}

/// The type of a whole number with its least and its largest value.
pub(super) fn range(value: &Value) -> Option<(PrimitiveType, i64, i64)> {
    let (least, most) = match value {
        Value::Byte(_) => (i8::MIN.into(), i8::MAX.into()),
        Value::Short(_) => (i16::MIN.into(), i16::MAX.into()),
        Value::Char(_) => (u16::MIN.into(), u16::MAX.into()),
        Value::Int(_) => (i32::MIN.into(), i32::MAX.into()),
        Value::Long(_) => (i64::MIN, i64::MAX),
        Value::Boolean(_) | Value::Float(_) | Value::Double(_) | Value::String(_) => return None,
    };
    Some((value.primitive_type()?, least, most))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Hill, number};
    use super::*;

    #[test]
    fn a_number_is_found_by_its_distance_in_steps_that_double() {
        for (start, wanted, most) in [
            (Value::Int(0), 1_000_000_i64, 450),
            (Value::Int(7), i64::from(i32::MIN), 70),
            (Value::Int(-7), i64::from(i32::MAX), 70),
            (Value::Long(0), 1 << 50, 140),
            (Value::Byte(100), -128, 30),
            (Value::Short(0), -12_345, 200),
            (Value::Char(0), 0x4E2D, 200),
        ] {
            let mut hill = Hill::of_value(&start, move |value| {
                (i128::from(number(value)) - i128::from(wanted)).unsigned_abs() as f64
            });
            assert_eq!(number(&hill.found()), wanted, "{start:?}");
            assert!(hill.attempts <= most, "{start:?}: {} attempts", hill.attempts);
        }
    }

    #[test]
    fn where_nothing_changes_few_moves_are_made() {
        for (extended, most) in [(false, 2), (true, 12)] {
            let mut hill = Hill::of_value(&Value::Int(5), |_| 1.0);
            hill.options.extended = extended;
            assert_eq!(number(&hill.found()), 5);
            assert!(hill.attempts <= most, "{extended}: {} attempts", hill.attempts);
        }
    }

    /// Checks that a number is found from 5, and by whom: beyond the paper in so many attempts, as in the paper not at all.
    fn check_leaps(distance: impl Fn(i64) -> i64 + Copy + 'static, compared: &[i64], most: u32) {
        for extended in [true, false] {
            let compared = compared.iter().map(|number| Value::Long(*number)).collect();
            let mut hill = Hill::of_value(&Value::Int(5), move |value| distance(number(value)).abs() as f64);
            hill = hill.comparing(compared);
            hill.options.extended = extended;
            let found = number(&hill.found());
            assert_eq!(distance(found) == 0, extended, "{found}");
            assert!(hill.attempts <= most, "{} attempts", hill.attempts);
        }
    }

    #[test]
    fn bits_behind_masks_and_shifts_are_found() {
        check_leaps(|number| (number >> 12 & 0xFF) - 0xA5, &[], 300);
        check_leaps(|number| i64::from((number as i32).count_ones()) - 20, &[], 200);
        check_leaps(
            |number| {
                i64::from((number as i32).rotate_left(7) != 0x1234_ABCD)
                    * (1 + i64::from(((number as i32).rotate_left(7) ^ 0x1234_ABCD).count_ones()))
            },
            &[],
            300,
        );
    }

    #[test]
    fn a_number_that_was_compared_is_tried() {
        check_leaps(|number| if number == 77_123 { 0 } else { 1 + number.abs() % 2 }, &[3, 77_123], 80);
    }
}
