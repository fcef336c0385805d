//! Putting a compared value straight into the input that it came from.
//!
//! What code compares is often an input as it is: a number, a string, one of its characters or its length. Where the
//! value that was compared stands in a test, another one can be put in its place, and the next run compares that.
//! Aschermann et al. 2019, "REDQUEEN: Fuzzing with Input-to-State Correspondence" (NDSS), §III, do so with bytes.
//!
//! # Differences
//! Inputs are typed values, so that nothing is encoded: a place either holds the value or it does not. All places are
//! equally likely; that one is the wrong one shows in the run.

use super::TestFactory;
use crate::random::Random;
use crate::statement::Statement;
use crate::test_case::TestCase;
use crate::value::{JavaString, Value};

/// Longest string that is made to have a certain length.
const LONGEST: usize = 1000;

/// Where a test holds a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The value of a statement.
    Whole,
    /// A character of a string.
    Unit(usize),
    /// The length of a string.
    Length,
    /// A string within a string, from there on.
    Part(usize),
}

impl TestFactory<'_> {
    /// Puts `to` in the place of `from` in one of the inputs that hold it, drawn at random; whether there was one.
    pub fn transfer(&mut self, test: &mut TestCase, from: &Value, to: &Value, random: &mut Random) -> bool {
        let mut changes: Vec<(usize, Value)> = Vec::new();
        for (position, statement) in test.statements().iter().enumerate() {
            if let Statement::Primitive { value, .. } = statement {
                let changed = places(value, from).into_iter().filter_map(|place| put(value, place, from, to));
                changes.extend(changed.filter(|new| new != value).map(|new| (position, new)));
            }
        }
        let Some((position, new)) = random.choose(&changes).cloned() else { return false };
        if let Statement::Primitive { value, .. } = &mut test.statements_mut()[position] {
            *value = new;
        }
        debug_assert_eq!(test.validate(self.cluster), Ok(()));
        true
    }
}

/// A number as a floating-point number; `None` of what is none.
fn as_double(value: &Value) -> Option<f64> {
    match value {
        Value::Double(number) => Some(*number),
        Value::Float(number) => Some(f64::from(*number)),
        Value::Byte(_) | Value::Short(_) | Value::Char(_) | Value::Int(_) | Value::Long(_) => {
            value.as_integer().map(|number| number as f64)
        }
        Value::Boolean(_) | Value::String(_) => None,
    }
}

/// Where a value holds another.
fn places(value: &Value, from: &Value) -> Vec<Place> {
    match (value, from) {
        (Value::Boolean(_), _) | (_, Value::Boolean(_)) => Vec::new(),
        (Value::String(text), Value::String(part)) if text == part => vec![Place::Whole],
        (Value::String(text), Value::String(part)) if !part.is_empty() => {
            let starts = text.units().windows(part.len()).enumerate();
            starts.filter(|(_, units)| *units == part.units()).map(|(start, _)| Place::Part(start)).collect()
        }
        (Value::String(text), _) => {
            let Some(number) = from.as_integer() else { return Vec::new() };
            let units = text.units().iter().enumerate();
            let mut found: Vec<Place> = units
                .filter(|(_, unit)| i64::from(**unit) == number)
                .map(|(index, _)| Place::Unit(index))
                .collect();
            found.extend((text.len() as i64 == number).then_some(Place::Length));
            found
        }
        (_, Value::String(_)) => Vec::new(),
        _ => match (value.as_integer(), from.as_integer()) {
            (Some(held), Some(wanted)) => (held == wanted).then_some(Place::Whole).into_iter().collect(),
            _ => (as_double(value) == as_double(from)).then_some(Place::Whole).into_iter().collect(),
        },
    }
}

/// The value with `to` at the place where it holds `from`; `None` if it cannot hold it.
fn put(value: &Value, place: Place, from: &Value, to: &Value) -> Option<Value> {
    let text = |units: Vec<u16>| Some(Value::String(JavaString::new(units)));
    match (value, place) {
        (Value::String(_), Place::Whole) => matches!(to, Value::String(_)).then(|| to.clone()),
        (Value::String(held), Place::Unit(index)) => {
            let mut units = held.units().to_vec();
            *units.get_mut(index)? = u16::try_from(to.as_integer()?).ok()?;
            text(units)
        }
        (Value::String(held), Place::Length) => {
            let length = usize::try_from(to.as_integer()?).ok().filter(|&length| length <= LONGEST)?;
            let mut units = held.units().to_vec();
            let last = units.last().copied().unwrap_or(u16::from(b'a'));
            units.resize(length, last);
            text(units)
        }
        (Value::String(held), Place::Part(start)) => {
            let (Value::String(part), Value::String(new)) = (from, to) else { return None };
            let mut units = held.units().to_vec();
            units.splice(start..start + part.len(), new.units().iter().copied());
            text(units)
        }
        (Value::Float(_), Place::Whole) => as_double(to).map(|number| Value::Float(number as f32)),
        (Value::Double(_), Place::Whole) => as_double(to).map(Value::Double),
        (_, Place::Whole) => {
            let primitive = value.primitive_type()?;
            let whole = to.as_integer().or_else(|| {
                let number = as_double(to)?;
                (number.trunc() == number && number.abs() < 2f64.powi(53)).then_some(number as i64)
            })?;
            let new = Value::from_integer(primitive, whole);
            (new.as_integer() == Some(whole)).then_some(new)
        }
        (_, Place::Unit(_) | Place::Length | Place::Part(_)) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::factory::fixtures::Foo;

    fn text(text: &str) -> Value {
        Value::String(JavaString::new(text.encode_utf16().collect::<Vec<_>>()))
    }

    /// All values that can come of a test with this one.
    fn check([value, from, to]: &[Value; 3], expect: &[Value]) {
        let foo = Foo::new();
        let mut found: Vec<Value> = Vec::new();
        for seed in 0..40 {
            let mut test = TestCase::new(vec![Statement::Primitive { value: value.clone(), boxed: false }]);
            let changed = foo.factory().transfer(&mut test, from, to, &mut Random::new(seed, 0));
            let Statement::Primitive { value: new, .. } = &test.statements()[0] else { unreachable!() };
            assert_eq!(changed, new != value);
            if changed && !found.contains(new) {
                found.push(new.clone());
            }
        }
        found.sort_by_key(|value| format!("{value:?}"));
        assert_eq!(found, expect, "{value:?}: {from:?} to {to:?}");
    }

    #[test]
    fn a_number_is_replaced_where_it_stands() {
        check(&[Value::Int(7), Value::Int(7), Value::Int(40_000)], &[Value::Int(40_000)]);
        check(&[Value::Int(8), Value::Int(7), Value::Int(40_000)], &[]);
        check(&[Value::Long(7), Value::Int(7), Value::Long(1 << 40)], &[Value::Long(1 << 40)]);
        // What it cannot hold is not put there.
        check(&[Value::Byte(7), Value::Int(7), Value::Int(400)], &[]);
        check(&[Value::Char(97), Value::Int(97), Value::Int(98)], &[Value::Char(98)]);
        check(&[Value::Double(0.5), Value::Double(0.5), Value::Double(2.5)], &[Value::Double(2.5)]);
        check(&[Value::Int(3), Value::Double(3.0), Value::Double(4.0)], &[Value::Int(4)]);
        check(&[Value::Int(3), Value::Double(3.0), Value::Double(4.5)], &[]);
        check(&[Value::Boolean(true), Value::Int(1), Value::Int(0)], &[]);
    }

    #[test]
    fn a_character_a_length_and_a_part_of_a_string_are_replaced() {
        check(&[text("axa"), Value::Int(97), Value::Int(98)], &[text("axb"), text("bxa")]);
        check(&[text("abc"), Value::Int(3), Value::Int(5)], &[text("abccc")]);
        check(&[text("abc"), Value::Int(3), Value::Int(1)], &[text("a")]);
        check(&[text("abc"), Value::Int(3), Value::Int(-1)], &[]);
        check(&[text("a=b"), text("="), text("->")], &[text("a->b")]);
        check(&[text("on"), text("on"), text("off")], &[text("off")]);
        check(&[text("on"), text(""), text("off")], &[]);
    }
}
