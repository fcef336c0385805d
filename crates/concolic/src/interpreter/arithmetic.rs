//! Arithmetic, conversions and comparisons of numbers: `iadd` to `dcmpg` without `iinc` (JVMS 6.5).

use bytecode::opcode::*;

use crate::interpreter::Way;
use crate::interpreter::machine::{Abrupt, Done, Interpreter};
use crate::interpreter::slot::Known;
use crate::term::{Operator, Value};

/// The operator of an opcode that takes two values.
fn binary(code: u8) -> Option<Operator> {
    Some(match code {
        IADD | LADD => Operator::Add,
        FADD | DADD => Operator::FloatAdd,
        ISUB | LSUB => Operator::Subtract,
        FSUB | DSUB => Operator::FloatSubtract,
        IMUL | LMUL => Operator::Multiply,
        FMUL | DMUL => Operator::FloatMultiply,
        IDIV | LDIV => Operator::Divide,
        FDIV | DDIV => Operator::FloatDivide,
        IREM | LREM => Operator::Remainder,
        FREM | DREM => Operator::FloatRemainder,
        ISHL | LSHL => Operator::ShiftLeft,
        ISHR | LSHR => Operator::ShiftRight,
        IUSHR | LUSHR => Operator::UnsignedShiftRight,
        IAND | LAND => Operator::BitAnd,
        IOR | LOR => Operator::BitOr,
        IXOR | LXOR => Operator::BitXor,
        _ => return None,
    })
}

/// The operators of an opcode that takes one value, in the order in which they are applied.
fn unary(code: u8) -> &'static [Operator] {
    match code {
        INEG | LNEG => &[Operator::Negate],
        FNEG | DNEG => &[Operator::FloatNegate],
        I2L => &[Operator::SignExtend(64)],
        I2F | L2F => &[Operator::SignedToFloat],
        I2D | L2D => &[Operator::SignedToDouble],
        L2I => &[Operator::Truncate(32)],
        F2I | D2I => &[Operator::FloatToSigned(32)],
        F2L | D2L => &[Operator::FloatToSigned(64)],
        F2D => &[Operator::FloatToDouble],
        D2F => &[Operator::DoubleToFloat],
        I2B => &[Operator::Truncate(8), Operator::SignExtend(32)],
        I2C => &[Operator::Truncate(16), Operator::ZeroExtend(32)],
        I2S => &[Operator::Truncate(16), Operator::SignExtend(32)],
        _ => &[],
    }
}

impl Interpreter<'_> {
    pub(super) fn arithmetic(&mut self, code: u8) -> Done {
        if let Some(operator) = binary(code) {
            let (right, left) = (self.pop()?, self.pop()?);
            let (left, right) = (Self::known(left)?, Self::known(right)?);
            if matches!(code, IDIV | LDIV | IREM | LREM) {
                self.check_divisor(&right)?;
            }
            let result = self.compute(operator, &[&left, &right]);
            return self.push_known(&result);
        }
        if matches!(code, LCMP..=DCMPG) {
            let (right, left) = (self.pop()?, self.pop()?);
            let (left, right) = (Self::known(left)?, Self::known(right)?);
            let result = self.compared(code, &left, &right);
            return self.push_known(&result);
        }
        let operand = self.pop()?;
        let mut result = Self::known(operand)?;
        for &operator in unary(code) {
            result = self.compute(operator, &[&result]);
        }
        self.push_known(&result)
    }

    /// A division of integers by zero throws (JVMS 6.5, `idiv`).
    fn check_divisor(&mut self, divisor: &Known) -> Result<(), Abrupt> {
        let zero = Known::of(Value::zero(divisor.value.sort()));
        let is_zero = self.compute(Operator::Equal, &[divisor, &zero]);
        if self.decide(&is_zero, Way::Threw, Way::Completed) {
            return Err(self.throw("java/lang/ArithmeticException"));
        }
        Ok(())
    }

    /// -1, 0 or 1. What was compared is remembered, so that a jump on the result becomes a condition on the operands.
    pub(super) fn compared(&mut self, code: u8, left: &Known, right: &Known) -> Known {
        let (minus, zero, one) = (Known::int(-1), Known::int(0), Known::int(1));
        let (less, equal) = match code {
            LCMP => (Operator::SignedLess, Operator::Equal),
            _ => (Operator::FloatLess, Operator::FloatEqual),
        };
        let are_equal = self.compute(equal, &[left, right]);
        let result = if matches!(code, FCMPL | DCMPL) {
            // NaN is -1.
            let rest = self.choose(&are_equal, &zero, &minus);
            let is_greater = self.compute(less, &[right, left]);
            self.choose(&is_greater, &one, &rest)
        } else {
            let rest = self.choose(&are_equal, &zero, &one);
            let is_less = self.compute(less, &[left, right]);
            self.choose(&is_less, &minus, &rest)
        };
        if let Some(term) = result.term {
            self.comparisons.insert(term, Comparison { code, left: left.clone(), right: right.clone() });
        }
        result
    }

    /// What a comparison of the result of `lcmp` and its like with 0 says of the operands (JVMS 6.5, `fcmp<op>`): `<` and
    /// its negation, or `<=` and its negation. NaN makes `fcmpl` less and `fcmpg` greater.
    pub(super) fn comparison_with_zero(&mut self, number: u8, comparison: &Comparison) -> Known {
        let Comparison { code, left, right } = comparison;
        let (less, less_equal, equal) = match *code {
            LCMP => (Operator::SignedLess, Operator::SignedLessEqual, Operator::Equal),
            _ => (Operator::FloatLess, Operator::FloatLessEqual, Operator::FloatEqual),
        };
        let is_nan_less = matches!(*code, FCMPL | DCMPL);
        let (operator, is_swapped, is_negated) = match (number, is_nan_less) {
            (0, _) => (equal, false, false),
            (1, _) => (equal, false, true),
            (2, false) => (less, false, false),
            (2, true) => (less_equal, true, true),
            (3, false) => (less, false, true),
            (3, true) => (less_equal, true, false),
            (4, false) => (less_equal, false, true),
            (4, true) => (less, true, false),
            (_, false) => (less_equal, false, false),
            (_, true) => (less, true, true),
        };
        let operands = if is_swapped { [right, left] } else { [left, right] };
        let truth = self.compute(operator, &operands);
        if is_negated { self.not(&truth) } else { truth }
    }
}

/// The operands of `lcmp`, `fcmpl`, `fcmpg`, `dcmpl` or `dcmpg`.
#[derive(Debug, Clone)]
pub(super) struct Comparison {
    code: u8,
    left: Known,
    right: Known,
}
