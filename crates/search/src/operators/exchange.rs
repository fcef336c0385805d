//! Which value to try in the place of one that a branch compared.

use testcase::random::Random;
use testcase::value::Value;

/// Probability of the very value that was compared with, and not one beside it.
const EXACT: f64 = 0.7;

/// A compared value and one to be put in its place, drawn at random, for a branch that compared `operands` (one, with
/// zero or with the keys of a switch, or two with each other) and has to come out otherwise. `keys` are those of the
/// outcome. `None` where nothing was compared, or nothing else is known to try.
pub(crate) fn exchange(operands: &[&Value], keys: &[i32], random: &mut Random) -> Option<(Value, Value)> {
    let steps = if random.chance(EXACT) {
        0
    } else if random.chance(0.5) {
        1
    } else {
        -1
    };
    let (from, to) = match operands {
        [operand] if keys.is_empty() => (*operand, beside(&Value::Int(0), steps)),
        [operand] => (*operand, random.choose(keys).map(|&key| Value::Int(key))),
        [first, second] if random.chance(0.5) => (*first, beside(second, steps)),
        [first, second] => (*second, beside(first, steps)),
        _ => return None,
    };
    to.filter(|to| to != from).map(|to| (from.clone(), to))
}

/// The value itself, and a number that many steps from it; `None` where there is none.
fn beside(value: &Value, steps: i64) -> Option<Value> {
    match value {
        _ if steps == 0 => Some(value.clone()),
        Value::Double(number) => Some(Value::Double(number + steps as f64)),
        Value::Float(number) => Some(Value::Float(number + steps as f32)),
        Value::Byte(_) | Value::Short(_) | Value::Char(_) | Value::Int(_) | Value::Long(_) => {
            let primitive = value.primitive_type()?;
            let number = value.as_integer()?.checked_add(steps)?;
            let new = Value::from_integer(primitive, number);
            (new.as_integer() == Some(number)).then_some(new)
        }
        Value::Boolean(_) | Value::String(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use testcase::value::JavaString;

    use super::*;

    /// All pairs that are drawn.
    fn check(operands: &[Value], keys: &[i32], expect: &[(Value, Value)]) {
        let operands: Vec<&Value> = operands.iter().collect();
        let mut random = Random::new(7, 0);
        let mut found: Vec<(Value, Value)> = Vec::new();
        for _ in 0..200 {
            let pair = exchange(&operands, keys, &mut random);
            found.extend(pair.filter(|pair| !found.contains(pair)));
        }
        found.sort_by_key(|pair| format!("{pair:?}"));
        assert_eq!(found, expect);
    }

    #[test]
    fn a_compared_value_gives_way_to_the_other_and_its_neighbours() {
        let int = Value::Int;
        check(
            &[int(3), int(i32::MAX)],
            &[],
            &[
                (int(i32::MAX), int(2)),
                (int(i32::MAX), int(3)),
                (int(i32::MAX), int(4)),
                (int(3), int(i32::MAX - 1)),
                (int(3), int(i32::MAX)),
            ],
        );
        check(&[int(1)], &[], &[(int(1), int(-1)), (int(1), int(0))]);
        check(&[int(1)], &[5, 1, 7], &[(int(1), int(5)), (int(1), int(7))]);
        let text = |text: &str| Value::String(JavaString::new(text.encode_utf16().collect::<Vec<_>>()));
        check(&[text("a"), text("b")], &[], &[(text("a"), text("b")), (text("b"), text("a"))]);
        check(&[], &[], &[]);
    }
}
