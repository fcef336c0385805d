//! The kinds of values that terms have.

/// The kind of value of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// A truth value.
    Bool,
    /// Bit-vectors of 1 to 64 bits. Java's `byte`, `short` and `char` may be kept in 8 and 16 bits, or in 32 as on the
    /// JVM's stack.
    Bits(u8),
    /// IEEE 754 binary32 with one NaN, Java's `float` (JLS 4.2.3).
    Float,
    /// IEEE 754 binary64 with one NaN, Java's `double` (JLS 4.2.3).
    Double,
    /// Sequences of UTF-16 code units, Java's `String` (JLS 4.3.3).
    Text,
}

impl Sort {
    /// The width of a sort of bits.
    ///
    /// # Panics
    /// Of any other sort: terms are typed when they are made.
    pub fn width(self) -> u8 {
        match self {
            Self::Bits(width) => width,
            Self::Bool | Self::Float | Self::Double | Self::Text => panic!("{self:?} has no width"),
        }
    }
}
