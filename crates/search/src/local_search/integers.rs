//! Whole numbers of all widths and characters: AVM in steps of 1 that double (§4.1.1).
//!
//! A step that would leave the range of the type goes to its end: nothing wraps around.

use bytecode::descriptor::PrimitiveType;
use testcase::statement::Statement;
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::LocalSearch;
use super::avm::alternate;
use super::climb::Climb;

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
        alternate(climb, |climb, step| moved(climb, position, step));
    }
}

/// The best test with the number moved by a step.
fn moved(climb: &Climb<'_>, position: usize, step: i128) -> Option<TestCase> {
    let value = climb.value(position)?;
    let (primitive, least, most) = range(value)?;
    let old = i128::from(value.as_integer()?);
    let new = old.saturating_add(step).clamp(least.into(), most.into());
    let new = Some(new).filter(|new| *new != old)?;
    Some(climb.with_value(position, Value::from_integer(primitive, i64::try_from(new).ok()?)))
}

/// The type of a whole number with its least and its largest value.
fn range(value: &Value) -> Option<(PrimitiveType, i64, i64)> {
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
    fn where_nothing_changes_two_moves_are_made() {
        let mut hill = Hill::of_value(&Value::Int(5), |_| 1.0);
        assert_eq!((number(&hill.found()), hill.attempts), (5, 2));
    }
}
