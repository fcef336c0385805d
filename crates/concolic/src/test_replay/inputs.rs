//! Inputs of a test: what a solver may choose.

use std::sync::Arc;

use testcase::value::{JavaString, Value as Literal};

use crate::interpreter::Concrete;
use crate::term::{InputId, Model, Sort, Value};

/// Where an input stands in a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Input {
    /// The value of a literal.
    Literal(usize),
    /// The length of a new array: 16 bits.
    Length(usize),
    /// An element of a new array that the test does not write at once.
    Element {
        /// The statement that makes the array.
        array: usize,
        /// Which one.
        index: u16,
    },
    /// Whether an argument of a call is null.
    IsNull {
        /// The call.
        statement: usize,
        /// Which argument, from 0, the receiver not counted.
        argument: usize,
    },
}

/// The inputs of a test, numbered from 0, with their values in the run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Inputs {
    table: Vec<Input>,
    seed: Model,
}

impl Inputs {
    /// Adds an input with its value.
    pub(super) fn add(&mut self, input: Input, value: Value) -> InputId {
        let id = InputId(self.table.len() as u32);
        self.table.push(input);
        self.seed.set(id, value);
        id
    }

    /// The inputs in the order of their numbers.
    pub fn table(&self) -> &[Input] {
        &self.table
    }

    /// The values in the run.
    pub fn seed(&self) -> &Model {
        &self.seed
    }

    /// The inputs to which a model gives another value than the run had.
    pub fn changed<'m>(&self, model: &'m Model) -> Vec<(Input, &'m Value)> {
        let differs = |&(id, value): &(InputId, &Value)| self.seed.get(id).is_some_and(|seed| seed != value);
        let input = |(id, value): (InputId, &'m Value)| Some((*self.table.get(id.0 as usize)?, value));
        model.values().filter(differs).filter_map(input).collect()
    }
}

/// The value of a literal as terms have it.
pub(super) fn value_of(literal: &Literal) -> Value {
    match literal {
        Literal::Boolean(value) => Value::Bool(*value),
        Literal::Byte(value) => Value::bits(8, *value as u64),
        Literal::Short(value) => Value::bits(16, *value as u64),
        Literal::Char(value) => Value::bits(16, u64::from(*value)),
        Literal::Int(value) => Value::int(*value),
        Literal::Long(value) => Value::long(*value),
        Literal::Float(value) => Value::Float(*value),
        Literal::Double(value) => Value::Double(*value),
        Literal::String(text) => Value::Text(Arc::from(text.units())),
    }
}

/// A literal as the JVM computes with it; of a string the null reference.
pub(super) fn concrete_of(literal: &Literal) -> Concrete {
    match literal {
        Literal::Boolean(value) => Concrete::Int((*value).into()),
        Literal::Byte(value) => Concrete::Int((*value).into()),
        Literal::Short(value) => Concrete::Int((*value).into()),
        Literal::Char(value) => Concrete::Int((*value).into()),
        Literal::Int(value) => Concrete::Int(*value),
        Literal::Long(value) => Concrete::Long(*value),
        Literal::Float(value) => Concrete::Float(*value),
        Literal::Double(value) => Concrete::Double(*value),
        Literal::String(_) => Concrete::Null,
    }
}

/// A literal of the same type with another value; `None` if the value is of another sort.
pub(super) fn literal_of(like: &Literal, value: &Value) -> Option<Literal> {
    let is_of_sort = value.sort() == value_of(like).sort();
    is_of_sort.then(|| match like {
        Literal::Boolean(_) => Literal::Boolean(value.truth()),
        Literal::Byte(_) => Literal::Byte(value.signed() as i8),
        Literal::Short(_) => Literal::Short(value.signed() as i16),
        Literal::Char(_) => Literal::Char(value.unsigned() as u16),
        Literal::Int(_) => Literal::Int(value.signed() as i32),
        Literal::Long(_) => Literal::Long(value.signed()),
        Literal::Float(old) => {
            if let Value::Float(new) = value {
                Literal::Float(*new)
            } else {
                Literal::Float(*old)
            }
        }
        Literal::Double(old) => {
            if let Value::Double(new) = value {
                Literal::Double(*new)
            } else {
                Literal::Double(*old)
            }
        }
        Literal::String(_) => Literal::String(JavaString::new(value.units())),
    })
}

/// The sort of a length.
pub(super) const LENGTH: Sort = Sort::Bits(16);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_become_values_and_values_literals() {
        let literals = [
            Literal::Boolean(true),
            Literal::Byte(-7),
            Literal::Short(-300),
            Literal::Char(0xffff),
            Literal::Int(i32::MIN),
            Literal::Long(-1),
            Literal::Float(-0.0),
            Literal::Double(2.5),
            Literal::String("a\u{1f600}".into()),
        ];
        for literal in &literals {
            let zero = match literal.primitive_type() {
                Some(primitive) => Literal::zero(primitive),
                None => Literal::String("".into()),
            };
            assert_eq!(literal_of(&zero, &value_of(literal)).as_ref(), Some(literal));
        }
        assert_eq!(literal_of(&Literal::Int(1), &Value::long(1)), None);
    }

    #[test]
    fn only_what_a_model_changes_is_named() {
        let mut inputs = Inputs::default();
        let same = inputs.add(Input::Literal(0), Value::int(1));
        let other = inputs.add(Input::Literal(2), Value::int(1));
        let model = [(same, Value::int(1)), (other, Value::int(5))].into_iter().collect();
        assert_eq!(inputs.changed(&model), [(Input::Literal(2), &Value::int(5))]);
    }
}
