//! The operators that make mutants, by name.

use serde::{Deserialize, Serialize};

use super::{
    Operator, arithmetic, bitwise, call, comparison, condition, constant, field, increment, negative,
    returns, unary, variable,
};

/// A way to change code; its file beside this one says how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MutationOperator {
    /// Another comparison of two numbers, or its result without one.
    Comparison,
    /// The opposite of a condition on booleans or references.
    Condition,
    /// Another arithmetic operator.
    Arithmetic,
    /// Another bitwise operator, or another shift.
    Bitwise,
    /// Another constant.
    Constant,
    /// Another local variable.
    Variable,
    /// An operator on a number that is read.
    Unary,
    /// Nothing in place of a field.
    Field,
    /// Nothing in place of a call.
    Call,
    /// An increment in the other direction.
    Increment,
    /// A number without its negation.
    Negative,
    /// Another return value.
    Returns,
}

impl MutationOperator {
    /// All operators. Where two propose the same, it belongs to the first one.
    ///
    /// The first nine are those of the reference (`EvoSuite`); with the last ones and in place of those they contain all
    /// that PIT does by default: its conditionals boundary and negate conditionals are among the replaced comparisons, its
    /// math among the replaced arithmetic and bitwise operators, its void method calls among the deleted calls.
    pub const ALL: &[Self] = &[
        Self::Comparison,
        Self::Condition,
        Self::Arithmetic,
        Self::Bitwise,
        Self::Constant,
        Self::Variable,
        Self::Unary,
        Self::Field,
        Self::Call,
        Self::Increment,
        Self::Negative,
        Self::Returns,
    ];

    /// Its name in reports, `replace arithmetic operator`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether a reader would not want a test for one mutant of it alone: it changes what is read and not what is done with it, in a
    /// dozen ways for each place, and most tests of the method kill most of them.
    pub fn is_minor(self) -> bool {
        match self {
            Self::Constant | Self::Variable | Self::Unary => true,
            Self::Comparison
            | Self::Condition
            | Self::Arithmetic
            | Self::Bitwise
            | Self::Field
            | Self::Call
            | Self::Increment
            | Self::Negative
            | Self::Returns => false,
        }
    }

    /// What its file says of it.
    pub(super) fn row(self) -> &'static Operator {
        match self {
            Self::Comparison => &comparison::OPERATOR,
            Self::Condition => &condition::OPERATOR,
            Self::Arithmetic => &arithmetic::OPERATOR,
            Self::Bitwise => &bitwise::OPERATOR,
            Self::Constant => &constant::OPERATOR,
            Self::Variable => &variable::OPERATOR,
            Self::Unary => &unary::OPERATOR,
            Self::Field => &field::OPERATOR,
            Self::Call => &call::OPERATOR,
            Self::Increment => &increment::OPERATOR,
            Self::Negative => &negative::OPERATOR,
            Self::Returns => &returns::OPERATOR,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::MutationOperator;

    #[test]
    fn operators_stand_in_the_table_in_their_order_each_with_a_name_of_its_own() {
        for (index, operator) in MutationOperator::ALL.iter().enumerate() {
            assert_eq!(*operator as usize, index, "{operator:?}");
            assert!(MutationOperator::ALL[..index].iter().all(|other| other.name() != operator.name()));
        }
    }
}
