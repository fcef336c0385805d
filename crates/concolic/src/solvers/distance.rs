//! Branch distances of conditions: how far values are from making them true or false; 0 where they do already. They are
//! computed for all terms of sort Bool in one pass, so that depth does not matter.

use crate::term::text::folded;
use crate::term::{Operator, Plan, Register, Sort, Value, mask};

/// What is added where two texts differ in a way that has no measure.
const FAR: f64 = 1e9;

/// Distance to true and to false.
pub(super) type Pair = [f64; 2];

/// Brings the distances of registers up to date with the values. Registers of other sorts are left alone.
pub(super) fn update(
    plan: &Plan<'_>,
    values: &[Value],
    registers: impl Iterator<Item = Register>,
    pairs: &mut [Pair],
) {
    for register in registers {
        if matches!(values[register.index()], Value::Bool(_)) {
            pairs[register.index()] = pair(plan, values, register, pairs);
        }
    }
}

/// Position of a distance in `[0, 1)`, as of the doubles: differences of 1 count wherever they are.
pub(super) fn normalized(distance: f64) -> f64 {
    distance.to_bits() as f64 / (f64::INFINITY.to_bits() as f64 + 1.0)
}

fn pair(plan: &Plan<'_>, values: &[Value], register: Register, pairs: &[Pair]) -> Pair {
    let operands = plan.operands(register);
    let of = |place: usize| pairs[operands[place].index()];
    let both = |x: f64, y: f64| normalized(x) + normalized(y);
    let operator = plan.operator(register);
    let is_of_truth = |place: usize| plan.terms().sort(plan.term(operands[place])) == Sort::Bool;
    // tidy: the others are comparisons
    match operator {
        Operator::Not => [of(0)[1], of(0)[0]],
        Operator::And => [both(of(0)[0], of(1)[0]), of(0)[1].min(of(1)[1])],
        Operator::Or => [of(0)[0].min(of(1)[0]), both(of(0)[1], of(1)[1])],
        Operator::IfThenElse => {
            let side = |wanted: usize| both(of(0)[0], of(1)[wanted]).min(both(of(0)[1], of(2)[wanted]));
            [side(0), side(1)]
        }
        Operator::Equal if is_of_truth(0) => {
            let [[a, not_a], [b, not_b]] = [of(0), of(1)];
            [both(a, b).min(both(not_a, not_b)), both(a, not_b).min(both(not_a, b))]
        }
        _ => {
            let holds = values[register.index()].truth();
            let operands: Vec<&Value> = operands.iter().map(|operand| &values[operand.index()]).collect();
            let distance = of_comparison(plan, operator, &operands, holds);
            if holds { [0.0, distance] } else { [distance, 0.0] }
        }
    }
}

/// How far operands are from the other outcome of a comparison.
fn of_comparison(plan: &Plan<'_>, operator: Operator, operands: &[&Value], holds: bool) -> f64 {
    match (operator, operands) {
        (Operator::SignedLess | Operator::SignedLessEqual, [a, b]) => {
            let apart = a.signed().abs_diff(b.signed()) as f64;
            apart + f64::from(u8::from((operator == Operator::SignedLess) != holds))
        }
        (Operator::UnsignedLess | Operator::UnsignedLessEqual, [a, b]) => {
            let apart = a.unsigned().abs_diff(b.unsigned()) as f64;
            apart + f64::from(u8::from((operator == Operator::UnsignedLess) != holds))
        }
        (Operator::FloatLess | Operator::FloatLessEqual, [a, b]) => {
            of_floats(a, b) + f64::from(u8::from((operator == Operator::FloatLess) != holds))
        }
        (Operator::Matches(pattern), [text]) if !holds => {
            plan.terms().pattern(pattern).nearest(text.units()).map_or(FAR, |(cost, _)| cost)
        }
        _ if holds => 1.0,
        (Operator::Equal, [Value::Bits { width, bits: a }, Value::Bits { bits: b, .. }]) => {
            (a.wrapping_sub(*b) & mask(*width)).min(b.wrapping_sub(*a) & mask(*width)) as f64
        }
        (Operator::Equal, [Value::Text(a), Value::Text(b)]) => of_texts(a, b, unit_distance),
        (Operator::Equal | Operator::FloatEqual, [a, b]) => of_floats(a, b),
        (Operator::EqualsIgnoreCase, [a, b]) => {
            of_texts(a.units(), b.units(), |a, b| unit_distance(folded(a), folded(b)))
        }
        (Operator::StartsWith, [text, part, offset]) => {
            let at = usize::try_from(offset.signed());
            at.map_or(FAR, |at| of_region(text.units(), part.units(), at))
        }
        (Operator::EndsWith, [text, part]) => {
            let (text, part) = (text.units(), part.units());
            let missing = part.len().saturating_sub(text.len());
            let at = text.len().saturating_sub(part.len());
            missing as f64 + of_region(text, &part[missing..], at)
        }
        (Operator::Contains, [text, part]) => {
            let (text, part) = (text.units(), part.units());
            (0..=text.len()).map(|at| of_region(text, part, at)).fold(FAR, f64::min)
        }
        (Operator::IsBlank, [text]) => text.units().len() as f64,
        (Operator::IsInteger(_) | Operator::IsDouble, [text]) => {
            let digits = text.units().iter().filter(|&&unit| (0x30..=0x39).contains(&unit)).count();
            (text.units().len() - digits) as f64 + f64::from(u8::from(digits == 0)) + 1.0
        }
        _ => 1.0,
    }
}

/// The order of the doubles as integers; NaN is beyond infinity.
pub(super) fn rank(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }
}

fn of_floats(a: &Value, b: &Value) -> f64 {
    let (x, y) = match (a, b) {
        (Value::Float(x), Value::Float(y)) => (f64::from(*x), f64::from(*y)),
        (Value::Double(x), Value::Double(y)) => (*x, *y),
        _ => return FAR,
    };
    if x.is_nan() || y.is_nan() { f64::MAX } else { (rank(x).abs_diff(rank(y)) as f64).max(0.5) }
}

fn unit_distance(a: u16, b: u16) -> f64 {
    normalized(f64::from(a.abs_diff(b)))
}

/// Paper 001, §IV-A: difference of the lengths, and distances of the characters that both have.
fn of_texts(a: &[u16], b: &[u16], of: impl Fn(u16, u16) -> f64) -> f64 {
    let characters: f64 = a.iter().zip(b).map(|(&a, &b)| of(a, b)).sum();
    a.len().abs_diff(b.len()) as f64 + characters
}

/// How far the text at a position is from a part: characters that are missing, and distances of the others.
fn of_region(text: &[u16], part: &[u16], at: usize) -> f64 {
    let before = at.saturating_sub(text.len());
    let rest = text.get(at..).unwrap_or(&[]);
    let there = &rest[..rest.len().min(part.len())];
    before as f64 + of_texts(there, part, unit_distance)
}
