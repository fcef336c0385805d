//! Which values to try in the place of those that a branch compared.

use testcase::value::Value;

/// Pairs of a compared value and one to be put in its place, for a branch that compared `operands` (one, with zero or
/// with the keys of a switch, or two with each other) and has to come out otherwise. `keys` are those of the outcome.
pub(crate) fn exchanges(operands: &[&Value], keys: &[i32]) -> Vec<(Value, Value)> {
    let mut pairs: Vec<(Value, Value)> = Vec::new();
    let mut add = |from: &Value, to: Option<Value>| {
        pairs.extend(to.filter(|to| to != from).map(|to| (from.clone(), to)));
    };
    match operands {
        [operand] if keys.is_empty() => {
            for delta in [0, 1, -1] {
                add(operand, beside(&Value::Int(0), delta));
            }
        }
        [operand] => {
            for &key in keys {
                add(operand, Some(Value::Int(key)));
            }
        }
        [first, second] => {
            for (from, to) in [(first, second), (second, first)] {
                for delta in [0, 1, -1] {
                    add(from, beside(to, delta));
                }
            }
        }
        _ => {}
    }
    pairs
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

    fn check(operands: &[Value], keys: &[i32], expect: &[(Value, Value)]) {
        let operands: Vec<&Value> = operands.iter().collect();
        assert_eq!(exchanges(&operands, keys), expect);
    }

    #[test]
    fn a_compared_value_gives_way_to_the_other_and_its_neighbours() {
        let int = Value::Int;
        check(
            &[int(3), int(i32::MAX)],
            &[],
            &[
                (int(3), int(i32::MAX)),
                (int(3), int(i32::MAX - 1)),
                (int(i32::MAX), int(3)),
                (int(i32::MAX), int(4)),
                (int(i32::MAX), int(2)),
            ],
        );
        check(&[int(1)], &[], &[(int(1), int(0)), (int(1), int(-1))]);
        check(&[int(1)], &[5, 1, 7], &[(int(1), int(5)), (int(1), int(7))]);
        let text = |text: &str| Value::String(JavaString::new(text.encode_utf16().collect::<Vec<_>>()));
        check(&[text("a"), text("b")], &[], &[(text("a"), text("b")), (text("b"), text("a"))]);
        check(&[], &[], &[]);
    }
}
