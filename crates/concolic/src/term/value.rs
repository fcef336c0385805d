//! Values of terms, and of the inputs that they are computed from.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::term::arithmetic::{mask, signed};
use crate::term::{InputId, Sort};

/// The value of a term. Two are equal if they are the same datum: 0.0 is not -0.0, and NaN is NaN.
#[derive(Debug, Clone)]
pub enum Value {
    /// Of [`Sort::Bool`].
    Bool(bool),
    /// Of [`Sort::Bits`]; the bits above the width are 0.
    Bits {
        /// 1 to 64.
        width: u8,
        /// The value without sign.
        bits: u64,
    },
    /// Of [`Sort::Float`].
    Float(f32),
    /// Of [`Sort::Double`].
    Double(f64),
    /// Of [`Sort::Text`].
    Text(Arc<[u16]>),
}

impl Value {
    /// Bits of a width; those above it are cut off.
    pub fn bits(width: u8, bits: u64) -> Self {
        Self::Bits { width, bits: bits & mask(width) }
    }

    /// A Java `int`.
    pub fn int(value: i32) -> Self {
        Self::bits(32, u64::from(value as u32))
    }

    /// A Java `long`.
    pub fn long(value: i64) -> Self {
        Self::bits(64, value as u64)
    }

    /// A Java `String`.
    pub fn text(text: &str) -> Self {
        Self::Text(text.encode_utf16().collect())
    }

    /// The zero, falsehood or empty text of a sort: what an input has that a model does not name.
    pub fn zero(sort: Sort) -> Self {
        match sort {
            Sort::Bool => Self::Bool(false),
            Sort::Bits(width) => Self::bits(width, 0),
            Sort::Float => Self::Float(0.0),
            Sort::Double => Self::Double(0.0),
            Sort::Text => Self::Text(Arc::new([])),
        }
    }

    /// The sort of the value.
    pub fn sort(&self) -> Sort {
        match self {
            Self::Bool(_) => Sort::Bool,
            Self::Bits { width, .. } => Sort::Bits(*width),
            Self::Float(_) => Sort::Float,
            Self::Double(_) => Sort::Double,
            Self::Text(_) => Sort::Text,
        }
    }

    /// The truth value.
    ///
    /// # Panics
    /// Of another sort, as the other readers do: terms are typed when they are made.
    pub fn truth(&self) -> bool {
        let Self::Bool(truth) = self else { panic!("{self:?} is no truth value") };
        *truth
    }

    /// The bits without sign.
    pub fn unsigned(&self) -> u64 {
        let Self::Bits { bits, .. } = self else { panic!("{self:?} are no bits") };
        *bits
    }

    /// The bits in two's complement.
    pub fn signed(&self) -> i64 {
        let Self::Bits { width, bits } = self else { panic!("{self:?} are no bits") };
        signed(*width, *bits)
    }

    /// The code units of a text.
    pub fn units(&self) -> &[u16] {
        let Self::Text(units) = self else { panic!("{self:?} is no text") };
        units
    }

    /// A number that differs for different values of a sort, texts apart.
    fn datum(&self) -> u64 {
        match self {
            Self::Bool(truth) => u64::from(*truth),
            Self::Bits { bits, .. } => *bits,
            Self::Float(value) => {
                u64::from(if value.is_nan() { f32::NAN.to_bits() } else { value.to_bits() })
            }
            Self::Double(value) => {
                if value.is_nan() {
                    f64::NAN.to_bits()
                } else {
                    value.to_bits()
                }
            }
            Self::Text(units) => units.len() as u64,
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.sort() == other.sort()
            && match (self, other) {
                (Self::Text(one), Self::Text(another)) => one == another,
                _ => self.datum() == other.datum(),
            }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.sort().hash(state);
        self.datum().hash(state);
        if let Self::Text(units) = self {
            units.hash(state);
        }
    }
}

/// Values of inputs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Model {
    values: BTreeMap<InputId, Value>,
}

impl Model {
    /// Without values.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of an input, if the model names it.
    pub fn get(&self, input: InputId) -> Option<&Value> {
        self.values.get(&input)
    }

    /// Gives an input a value.
    pub fn set(&mut self, input: InputId, value: Value) {
        self.values.insert(input, value);
    }

    /// All inputs that the model names, in their order.
    pub fn values(&self) -> impl Iterator<Item = (InputId, &Value)> {
        self.values.iter().map(|(&input, value)| (input, value))
    }

    /// This model with the values of another instead of its own.
    pub fn with(&self, other: &Self) -> Self {
        let mut model = self.clone();
        model.values.extend(other.values.iter().map(|(&input, value)| (input, value.clone())));
        model
    }
}

impl FromIterator<(InputId, Value)> for Model {
    fn from_iter<I: IntoIterator<Item = (InputId, Value)>>(values: I) -> Self {
        Self { values: values.into_iter().collect() }
    }
}
