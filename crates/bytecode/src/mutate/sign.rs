//! Operators of two numbers, which mutants replace by each other.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An operator on two numbers, or the result of a comparison that is not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Sign {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `>=`
    GreaterOrEqual,
    /// `>`
    Greater,
    /// `<=`
    LessOrEqual,
    /// `true` in place of a comparison.
    True,
    /// `false` in place of a comparison.
    False,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `>>>`
    UnsignedShiftRight,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
}

impl Sign {
    /// As Java writes it.
    pub fn text(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::GreaterOrEqual => ">=",
            Self::Greater => ">",
            Self::LessOrEqual => "<=",
            Self::True => "true",
            Self::False => "false",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
            Self::UnsignedShiftRight => ">>>",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
        }
    }

    /// Whether it stands in code, and not for a mutant alone.
    pub fn is_operator(self) -> bool {
        !matches!(self, Self::True | Self::False)
    }
}

impl fmt::Display for Sign {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.text())
    }
}
