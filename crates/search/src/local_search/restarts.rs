//! Values from elsewhere: where a number or a string matters and no step from it helps any more, climbing begins again from other
//! places, and what comes of it stays if it is better.
//!
//! Functions that turn often, remainders and products that overflow have many places from which no step leads up. Small numbers,
//! numbers that branches compared, and any number at all lead to other such places. A string with another word in it may be
//! farther from what it was valid for, and is made valid again.
//!
//! # Differences
//! Korel 1990, "Automated Software Test Data Generation", §IV, ends where no step helps; `McMinn` 2004, "Search-based Software
//! Test Data Generation: A Survey", §2.2, has hill climbing begin again at random.

use testcase::random::Random;
use testcase::statement::Statement;
use testcase::value::{JavaString, Value};

use super::LocalSearch;
use super::climb::{Climb, Reaction};
use super::{floating_point, integers, string_moves, strings};

/// Strings with another word in them that are drawn to begin from.
const FROM_WORDS: usize = 3;

/// Compared numbers that are drawn to begin from.
const FROM_COMPARED: usize = 2;

/// Small numbers that are drawn to begin from; as many of any size are.
const FROM_DRAWN: usize = 2;

/// The largest number that is small.
const SMALL: i64 = 16;

/// The operator.
#[derive(Debug)]
pub(super) struct Restarts;

impl LocalSearch for Restarts {
    fn name(&self) -> &'static str {
        "restarts"
    }

    fn applies(&self, statement: &Statement) -> bool {
        let Statement::Primitive { value, .. } = statement else { return false };
        !matches!(value, Value::Boolean(_))
    }

    fn is_ours(&self) -> bool {
        true
    }

    fn improve(&self, position: usize, climb: &mut Climb<'_>) {
        let Some(value) = climb.value(position).cloned() else { return };
        let mut matters = false;
        for start in starts(&value, position, climb) {
            let test = climb.with_value(position, start);
            // The first that is felt says that the value matters; until then nothing is climbed from.
            if !matters {
                match climb.attempt(test.clone()) {
                    Reaction::Better | Reaction::Changed => matters = true,
                    Reaction::Same => continue,
                    Reaction::Over => return,
                }
            }
            climb.restart(test, |climb| ascend(position, climb));
            if climb.is_over() {
                return;
            }
        }
    }
}

/// AVM along a value, or along each character of it.
fn ascend(position: usize, climb: &mut Climb<'_>) {
    match climb.value(position) {
        Some(Value::String(_)) => strings::ascend(position, climb),
        Some(Value::Float(_) | Value::Double(_)) => drop(floating_point::ascend(position, climb)),
        Some(
            Value::Boolean(_)
            | Value::Byte(_)
            | Value::Short(_)
            | Value::Char(_)
            | Value::Int(_)
            | Value::Long(_),
        ) => drop(integers::ascend(position, climb)),
        None => {}
    }
}

/// Where to begin from in the place of a value.
fn starts(value: &Value, position: usize, climb: &mut Climb<'_>) -> Vec<Value> {
    if matches!(value, Value::String(_)) {
        let texts = (0..FROM_WORDS).filter_map(|_| string_moves::with_some_word(position, climb));
        return texts.map(|units| Value::String(JavaString::new(units))).collect();
    }
    let mut compared: Vec<Value> =
        climb.compared().iter().filter_map(|compared| converted(compared, value)).collect();
    compared.sort_unstable();
    compared.dedup();
    let random = climb.random();
    random.shuffle(&mut compared);
    compared.truncate(FROM_COMPARED);
    let mut starts: Vec<Value> = (0..FROM_DRAWN).map(|_| drawn(value, true, random)).collect();
    starts.extend(compared);
    starts.extend((0..FROM_DRAWN).map(|_| drawn(value, false, random)));
    starts
}

/// A compared number as a value of the type of another; `None` of what is no number.
fn converted(compared: &Value, of: &Value) -> Option<Value> {
    let whole = compared.as_integer();
    let real = match compared {
        Value::Float(number) => Some(f64::from(*number)),
        Value::Double(number) => Some(*number),
        Value::Boolean(_)
        | Value::Byte(_)
        | Value::Short(_)
        | Value::Char(_)
        | Value::Int(_)
        | Value::Long(_) => whole.map(|number| number as f64),
        Value::String(_) => None,
    };
    match of {
        Value::Float(_) => real.map(|number| Value::Float(number as f32)),
        Value::Double(_) => real.map(Value::Double),
        Value::Boolean(_) | Value::String(_) => None,
        Value::Byte(_) | Value::Short(_) | Value::Char(_) | Value::Int(_) | Value::Long(_) => {
            let (primitive, least, most) = integers::range(of)?;
            let number = whole.or_else(|| real.map(|number| number as i64))?;
            Some(Value::from_integer(primitive, number.clamp(least, most)))
        }
    }
}

/// A number of the type of a value: a small one, or any.
fn drawn(of: &Value, is_small: bool, random: &mut Random) -> Value {
    match of {
        Value::Float(_) | Value::Double(_) => {
            let scale = if is_small { SMALL as f64 / 4.0 } else { 10_f64.powi(random.between(1, 9) as i32) };
            let number = random.gaussian() * scale;
            if matches!(of, Value::Float(_)) { Value::Float(number as f32) } else { Value::Double(number) }
        }
        Value::Boolean(_)
        | Value::Byte(_)
        | Value::Short(_)
        | Value::Char(_)
        | Value::Int(_)
        | Value::Long(_)
        | Value::String(_) => {
            let Some((primitive, least, most)) = integers::range(of) else { return of.clone() };
            let (least, most) = if is_small { (least.max(-SMALL), most.min(SMALL)) } else { (least, most) };
            Value::from_integer(primitive, random.between(least, most))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::Operators;
    use super::super::testing::{Hill, number};
    use super::*;

    /// Checks that a value is found at which a distance is 0, when improved so often by these operators; the attempts.
    fn check(
        operators: &str,
        start: &Value,
        distance: impl Fn(&Value) -> f64 + Copy + 'static,
        is_found: bool,
    ) -> u32 {
        let mut hill = Hill::of_value(start, distance);
        hill.options.operators = Operators::parse(operators).unwrap();
        let mut found = start.clone();
        for _ in 0..12 {
            found = hill.found();
        }
        assert_eq!(distance(&found) == 0.0, is_found, "{found:?}");
        hill.attempts
    }

    #[test]
    fn what_overflows_is_found_from_elsewhere() {
        let distance =
            |value: &Value| f64::from((number(value) as i32).wrapping_mul(7).wrapping_sub(1)).abs();
        check("integers", &Value::Int(70), distance, false);
        assert!(check("restarts", &Value::Int(70), distance, true) < 6000);
    }

    #[test]
    fn a_function_that_turns_is_climbed_from_several_places() {
        let distance = |value: &Value| {
            let Value::Double(x) = value else { panic!("{value:?}") };
            (x.sin() + x.cos() - 1.25).abs().max(1e-6) - 1e-6 + (x.abs() - 100.0).max(0.0)
        };
        assert!(check("restarts", &Value::Double(-1e9), distance, true) < 3000);
    }

    #[test]
    fn a_number_that_does_not_matter_costs_one_attempt_for_each_place() {
        let mut hill =
            Hill::of_value(&Value::Int(5), |_| 1.0).comparing(vec![Value::Long(8), Value::Double(0.5)]);
        hill.options.operators = Operators::parse("restarts").unwrap();
        assert_eq!(number(&hill.found()), 5);
        assert!(hill.attempts <= 6, "{}", hill.attempts);
    }
}
