//! What a search tries instead of a value: values that are worth a try whatever the distances say, and steps whose size
//! doubles while they help.

use std::collections::BTreeSet;

use testcase::random::Random;

use crate::solvers::distance::rank;
use crate::term::pattern::Pattern;
use crate::term::{Operator, Plan, Sort, Value};

/// How many values of a kind are kept.
const MOST: usize = 48;

/// Values that conditions mention or compute, which are tried as they are.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    bits: BTreeSet<i64>,
    doubles: BTreeSet<u64>,
    texts: BTreeSet<Vec<u16>>,
    units: BTreeSet<u16>,
}

impl Candidates {
    /// Of the values that registers have now.
    pub(super) fn new(plan: &Plan<'_>, values: &[Value]) -> Self {
        let mut candidates = Self::default();
        for register in plan.registers() {
            candidates.add(&values[register.index()], plan.operator(register).is_constant());
        }
        candidates
    }

    fn add(&mut self, value: &Value, is_constant: bool) {
        match value {
            Value::Bool(_) => {}
            Value::Bits { .. } => {
                if self.bits.len() < MOST {
                    self.bits.insert(value.signed());
                }
                if let Ok(unit) = u16::try_from(value.unsigned())
                    && is_constant
                {
                    self.units.insert(unit);
                }
            }
            Value::Float(number) => self.add(&Value::Double(f64::from(*number)), is_constant),
            Value::Double(number) => {
                if self.doubles.len() < MOST {
                    self.doubles.insert(number.to_bits());
                }
            }
            Value::Text(units) => {
                if self.texts.len() < MOST && !units.is_empty() {
                    self.texts.insert(units.to_vec());
                }
                if is_constant && self.units.len() < MOST {
                    self.units.extend(units.iter());
                }
            }
        }
    }

    /// Characters that conditions mention.
    pub(super) fn units(&self) -> Vec<u16> {
        let usual = "0a A-".encode_utf16();
        self.units.iter().copied().filter(|&unit| unit > 0).chain(usual).take(MOST).collect()
    }

    /// Values to be tried for an input.
    pub(super) fn values(&self, sort: Sort) -> Vec<Value> {
        match sort {
            Sort::Bool => vec![Value::Bool(true), Value::Bool(false)],
            Sort::Bits(width) => {
                let of_floats = self.doubles.iter().map(|&bits| f64::from_bits(bits) as i64);
                let all = self.bits.iter().copied().chain(of_floats);
                let near = all.flat_map(|value| [value, value.wrapping_add(1), value.wrapping_sub(1)]);
                let edges = [0, 1, -1, i64::MAX >> (64 - u32::from(width)), i64::MIN];
                near.chain(edges).map(|value| Value::bits(width, value as u64)).collect()
            }
            Sort::Float => self.numbers().map(|number| Value::Float(number as f32)).collect(),
            Sort::Double => self.numbers().map(Value::Double).collect(),
            Sort::Text => {
                let texts = self.texts.iter().map(|text| Value::Text(text.as_slice().into()));
                let numbers = self.bits.iter().map(|number| Value::text(&number.to_string()));
                let reals = self.doubles.iter().map(|&bits| Value::text(&f64::from_bits(bits).to_string()));
                let above = self.doubles.iter().map(|&bits| next(f64::from_bits(bits), 1));
                let scientific = above.map(|number| Value::text(&format!("{number:e}")));
                texts
                    .chain(numbers)
                    .chain(reals)
                    .chain(scientific)
                    .chain([Value::text(""), Value::text("0")])
                    .collect()
            }
        }
    }

    fn numbers(&self) -> impl Iterator<Item = f64> {
        let mentioned = self.doubles.iter().map(|&bits| f64::from_bits(bits));
        let near =
            mentioned.flat_map(|number| [number, next(number, 1), next(number, -1), number + 1.0, -number]);
        let whole = self.bits.iter().map(|&number| number as f64);
        near.chain(whole).chain([
            0.0,
            -0.0,
            1.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            5e-324,
        ])
    }

    /// Texts that begin or end with, or contain, or lack what conditions mention.
    pub(super) fn changed_texts(&self, text: &[u16]) -> Vec<Vec<u16>> {
        let mut changed = Vec::new();
        for part in self.texts.iter().take(16) {
            for at in 0..=text.len().min(24) {
                let (left, right) = text.split_at(at);
                changed.push([left, part, right].concat());
                if right.len() >= part.len() {
                    changed.push([left, part, &right[part.len()..]].concat());
                }
            }
        }
        changed
    }
}

/// The double that is so many further.
fn next(value: f64, by: i64) -> f64 {
    unranked(rank(value).saturating_add(by))
}

fn unranked(rank: i64) -> f64 {
    f64::from_bits(if rank < 0 { i64::MIN.wrapping_sub(rank) } else { rank } as u64)
}

/// A value some steps away; `None` where there is none. Bits wrap, floats move along their order.
pub(super) fn moved(value: &Value, by: i64) -> Option<Value> {
    match value {
        Value::Bool(_) | Value::Text(_) => None,
        Value::Bits { width, bits } => Some(Value::bits(*width, bits.wrapping_add(by as u64))),
        Value::Float(number) => {
            let bits = number.to_bits() as i32;
            let rank = i64::from(if bits < 0 { i32::MIN.wrapping_sub(bits) } else { bits });
            let moved = i32::try_from(rank.saturating_add(by)).ok()?;
            let bits = if moved < 0 { i32::MIN.wrapping_sub(moved) } else { moved };
            Some(Value::Float(f32::from_bits(bits as u32))).filter(|moved| !is_nan(moved))
        }
        Value::Double(number) => Some(Value::Double(next(*number, by))).filter(|moved| !is_nan(moved)),
    }
}

fn is_nan(value: &Value) -> bool {
    match value {
        Value::Float(number) => number.is_nan(),
        Value::Double(number) => number.is_nan(),
        Value::Bool(_) | Value::Bits { .. } | Value::Text(_) => false,
    }
}

/// A float that is larger by a decimal amount (Harman and `McMinn` 2007); `None` of other sorts.
pub(super) fn shifted(value: &Value, by: f64) -> Option<Value> {
    match value {
        Value::Float(number) => Some(Value::Float((f64::from(*number) + by) as f32)),
        Value::Double(number) => Some(Value::Double(number + by)),
        Value::Bool(_) | Value::Bits { .. } | Value::Text(_) => None,
    }
}

/// The automata of a plan.
pub(super) fn patterns<'t>(plan: &Plan<'t>) -> Vec<&'t Pattern> {
    let operators = plan.registers().map(|register| plan.operator(register));
    operators
        .filter_map(|operator| {
            let Operator::Matches(pattern) = operator else { return None };
            Some(plan.terms().pattern(pattern))
        })
        .collect()
}

/// A value at random.
pub(super) fn drawn(sort: Sort, candidates: &Candidates, random: &mut Random) -> Value {
    if random.chance(0.5)
        && let Some(value) = random.choose(&candidates.values(sort))
    {
        return value.clone();
    }
    let bits = random.bits() >> random.below(64);
    let signed = if random.chance(0.5) { bits } else { bits.wrapping_neg() };
    match sort {
        Sort::Bool => Value::Bool(bits & 1 == 1),
        Sort::Bits(width) => Value::bits(width, signed),
        Sort::Float => Value::Float(signed as i64 as f32 / 16.0),
        Sort::Double => Value::Double(signed as i64 as f64 / 16.0),
        Sort::Text => {
            let units = candidates.units();
            let length = random.below(8);
            Value::Text((0..length).map(|_| units[random.below(units.len())]).collect())
        }
    }
}
