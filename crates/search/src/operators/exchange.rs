//! Which value to try in the place of one that a branch compared.

use bytecode::probe_map::ProbeId;
use testcase::execution::ComparisonOperand;
use testcase::random::Random;
use testcase::value::Value;

/// Probability of the very value that was compared with, and not one beside it.
const EXACT: f64 = 0.7;

/// A comparison of a run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Compared<'a> {
    /// The probe of the branch.
    pub(crate) probe: ProbeId,
    /// The number under which it was hit, which tells calls by the test itself from others.
    pub(crate) hit: ProbeId,
    /// One that was compared with zero or with the keys of a switch, or two that were compared with each other.
    pub(crate) operands: Vec<&'a Value>,
}

/// The comparisons of a run. A branch has two where its method ran for the test itself and for other code: values are
/// compared within one only.
pub(crate) fn comparisons(operands: &[ComparisonOperand]) -> Vec<Compared<'_>> {
    let mut found: Vec<Compared<'_>> = Vec::new();
    for ComparisonOperand { probe, hit, value } in operands {
        match found.last_mut() {
            Some(last) if last.hit == *hit => last.operands.push(value),
            _ => found.push(Compared { probe: *probe, hit: *hit, operands: vec![value] }),
        }
    }
    found
}

/// Where a switch over numbers is to lead.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Switch<'a> {
    /// The keys of each outcome; none of the default.
    pub(crate) keys: &'a [Vec<i32>],
    /// The outcome, by its place; any where there is none.
    pub(crate) wanted: Option<usize>,
}

impl Switch<'_> {
    /// A number that leads there.
    fn number(self, random: &mut Random) -> Option<i32> {
        let keys = match self.wanted {
            Some(wanted) => self.keys.get(wanted)?,
            None => random.choose(self.keys)?,
        };
        random.choose(keys).copied().or_else(|| self.number_of_default(random))
    }

    /// A number that is no key: beside the least one, the greatest one or any.
    fn number_of_default(self, random: &mut Random) -> Option<i32> {
        let all: Vec<i32> = self.keys.iter().flatten().copied().collect();
        let any = *random.choose(&all)?;
        let around = [all.iter().min()?.checked_sub(1), all.iter().max()?.checked_add(1)];
        let beside = [any.checked_sub(1), any.checked_add(1)];
        let numbers: Vec<i32> =
            around.into_iter().chain(beside).flatten().filter(|number| !all.contains(number)).collect();
        random.choose(&numbers).copied()
    }
}

/// A compared value and one to be put in its place, drawn at random, for a branch that compared `operands` and has to come
/// out otherwise; a switch over numbers says where to. `None` where nothing was compared, or nothing else is known to try.
pub(crate) fn exchange(
    operands: &[&Value],
    switch: Option<Switch<'_>>,
    random: &mut Random,
) -> Option<(Value, Value)> {
    let steps = if random.chance(EXACT) {
        0
    } else if random.chance(0.5) {
        1
    } else {
        -1
    };
    let (from, to) = match (operands, switch) {
        ([operand], Some(switch)) => (*operand, switch.number(random).map(Value::Int)),
        ([operand], None) => (*operand, beside(&Value::Int(0), steps)),
        ([first, second], None) if random.chance(0.5) => (*first, beside(second, steps)),
        ([first, second], None) => (*second, beside(first, steps)),
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
    fn check(operands: &[Value], switch: Option<Switch<'_>>, expect: &[(Value, Value)]) {
        let operands: Vec<&Value> = operands.iter().collect();
        let mut random = Random::new(7, 0);
        let mut found: Vec<(Value, Value)> = Vec::new();
        for _ in 0..200 {
            let pair = exchange(&operands, switch, &mut random);
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
            None,
            &[
                (int(i32::MAX), int(2)),
                (int(i32::MAX), int(3)),
                (int(i32::MAX), int(4)),
                (int(3), int(i32::MAX - 1)),
                (int(3), int(i32::MAX)),
            ],
        );
        check(&[int(1)], None, &[(int(1), int(-1)), (int(1), int(0))]);
        let text = |text: &str| Value::String(JavaString::new(text.encode_utf16().collect::<Vec<_>>()));
        check(&[text("a"), text("b")], None, &[(text("a"), text("b")), (text("b"), text("a"))]);
        check(&[], None, &[]);
    }

    #[test]
    fn what_a_switch_is_given_gives_way_to_keys_or_to_what_is_none() {
        let int = Value::Int;
        let keys = [vec![5], vec![1, 7], vec![]];
        let check = |wanted: Option<usize>, expect: &[i32]| {
            let expect: Vec<_> = expect.iter().map(|&number| (int(1), int(number))).collect();
            check(&[int(1)], Some(Switch { keys: &keys, wanted }), &expect);
        };
        check(Some(0), &[5]);
        check(Some(1), &[7]);
        // Beside the keys, for the default; what was given is no news.
        check(Some(2), &[0, 2, 4, 6, 8]);
        // A switch on the way to a goal: wherever it may lead.
        check(None, &[0, 2, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn what_was_compared_on_different_ways_to_a_branch_is_kept_apart() {
        let operand = |probe, hit, value| ComparisonOperand {
            probe: ProbeId(probe),
            hit: ProbeId(hit),
            value: Value::Int(value),
        };
        // A comparison that ran for other code and for the test itself, and a switch that did.
        let operands = [
            operand(1, 1, 10),
            operand(1, 1, 11),
            operand(1, 21, 12),
            operand(1, 21, 13),
            operand(2, 22, 14),
            operand(2, 2, 15),
        ];
        let found: Vec<(u32, u32, Vec<i64>)> = comparisons(&operands)
            .into_iter()
            .map(|Compared { probe, hit, operands }| {
                (probe.0, hit.0, operands.into_iter().filter_map(Value::as_integer).collect())
            })
            .collect();
        let expect = [(1, 1, vec![10, 11]), (1, 21, vec![12, 13]), (2, 22, vec![14]), (2, 2, vec![15])];
        assert_eq!(found, expect);
    }
}
