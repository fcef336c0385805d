//! Values of primitive types and strings.

use std::fmt;
use std::sync::Arc;

use bytecode::descriptor::PrimitiveType;
use serde::{Deserialize, Serialize};

/// A string of the JVM: UTF-16 code units, unpaired surrogates allowed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JavaString(Arc<[u16]>);

impl JavaString {
    /// From code units.
    pub fn new(units: impl Into<Arc<[u16]>>) -> Self {
        Self(units.into())
    }

    /// The code units.
    pub fn units(&self) -> &[u16] {
        &self.0
    }

    /// Length in code units, as `String.length` has it.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has no code unit.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&str> for JavaString {
    fn from(text: &str) -> Self {
        Self(text.encode_utf16().collect())
    }
}

/// Prints the text; unpaired surrogates as U+FFFD.
impl fmt::Display for JavaString {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&String::from_utf16_lossy(&self.0))
    }
}

impl fmt::Debug for JavaString {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&String::from_utf16_lossy(&self.0), formatter)
    }
}

/// A value of a primitive type, or a string: the inputs that search and solvers change.
///
/// Equality and order are those of the bits for `float` and `double`, so values can be keys; `NaN` equals itself
/// and `-0.0` differs from `0.0`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Value {
    /// `boolean`
    Boolean(bool),
    /// `byte`
    Byte(i8),
    /// `short`
    Short(i16),
    /// `char`, a UTF-16 code unit
    Char(u16),
    /// `int`
    Int(i32),
    /// `long`
    Long(i64),
    /// `float`
    Float(f32),
    /// `double`
    Double(f64),
    /// `java.lang.String`, never null
    String(JavaString),
}

impl Value {
    /// Its primitive type; `None` for strings.
    pub fn primitive_type(&self) -> Option<PrimitiveType> {
        Some(match self {
            Self::Boolean(_) => PrimitiveType::Boolean,
            Self::Byte(_) => PrimitiveType::Byte,
            Self::Short(_) => PrimitiveType::Short,
            Self::Char(_) => PrimitiveType::Char,
            Self::Int(_) => PrimitiveType::Int,
            Self::Long(_) => PrimitiveType::Long,
            Self::Float(_) => PrimitiveType::Float,
            Self::Double(_) => PrimitiveType::Double,
            Self::String(_) => return None,
        })
    }

    /// The default value of a primitive type (Java language specification §4.12.5).
    pub fn zero(primitive: PrimitiveType) -> Self {
        match primitive {
            PrimitiveType::Boolean => Self::Boolean(false),
            PrimitiveType::Byte => Self::Byte(0),
            PrimitiveType::Short => Self::Short(0),
            PrimitiveType::Char => Self::Char(0),
            PrimitiveType::Int => Self::Int(0),
            PrimitiveType::Long => Self::Long(0),
            PrimitiveType::Float => Self::Float(0.0),
            PrimitiveType::Double => Self::Double(0.0),
        }
    }

    /// A whole number cut to an integral type, as a Java cast does; `boolean` is "not zero", `float` and
    /// `double` round.
    pub fn from_integer(primitive: PrimitiveType, number: i64) -> Self {
        match primitive {
            PrimitiveType::Boolean => Self::Boolean(number != 0),
            PrimitiveType::Byte => Self::Byte(number as i8),
            PrimitiveType::Short => Self::Short(number as i16),
            PrimitiveType::Char => Self::Char(number as u16),
            PrimitiveType::Int => Self::Int(number as i32),
            PrimitiveType::Long => Self::Long(number),
            PrimitiveType::Float => Self::Float(number as f32),
            PrimitiveType::Double => Self::Double(number as f64),
        }
    }

    /// The whole number of an integral value (`boolean` as 0 or 1); `None` for the others.
    pub fn as_integer(&self) -> Option<i64> {
        Some(match self {
            Self::Boolean(value) => i64::from(*value),
            Self::Byte(value) => i64::from(*value),
            Self::Short(value) => i64::from(*value),
            Self::Char(value) => i64::from(*value),
            Self::Int(value) => i64::from(*value),
            Self::Long(value) => *value,
            Self::Float(_) | Self::Double(_) | Self::String(_) => return None,
        })
    }

    /// A key that orders values by type, then by value (by bits for floating point).
    fn key(&self) -> (u8, u64, &[u16]) {
        match self {
            Self::Boolean(value) => (0, u64::from(*value), &[]),
            Self::Byte(value) => (1, *value as i64 as u64 ^ 1 << 63, &[]),
            Self::Short(value) => (2, *value as i64 as u64 ^ 1 << 63, &[]),
            Self::Char(value) => (3, u64::from(*value), &[]),
            Self::Int(value) => (4, *value as i64 as u64 ^ 1 << 63, &[]),
            Self::Long(value) => (5, *value as u64 ^ 1 << 63, &[]),
            Self::Float(value) => (6, u64::from(value.to_bits()), &[]),
            Self::Double(value) => (7, value.to_bits(), &[]),
            Self::String(value) => (8, 0, value.units()),
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl std::hash::Hash for Value {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}
