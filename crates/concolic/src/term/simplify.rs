//! Identities that the constructors of terms apply. Each leaves the value as it is, whatever the inputs are; a property
//! test compares with evaluation.

use crate::term::arithmetic::{mask, signed};
use crate::term::{Operator, Sort, TermId, Terms, Value};

impl Terms {
    /// A simpler term of the same value, if an identity gives one. Constants are last among operands that may be exchanged.
    pub(super) fn simplified(&mut self, operator: Operator, operands: &[TermId]) -> Option<TermId> {
        match (operator, operands) {
            (Operator::Not, &[a]) => self.negated(a),
            (Operator::And | Operator::Or, &[a, b]) => self.connected(operator, a, b),
            (Operator::IfThenElse, &[condition, then, otherwise]) => self.chosen(condition, then, otherwise),
            (Operator::Equal, &[a, b]) => self.equated(a, b),
            (
                Operator::SignedLess
                | Operator::SignedLessEqual
                | Operator::UnsignedLess
                | Operator::UnsignedLessEqual,
                &[a, b],
            ) => self.compared(operator, a, b),
            (
                Operator::SignExtend(_) | Operator::ZeroExtend(_) | Operator::Truncate(_) | Operator::Negate,
                &[a],
            ) => self.resized(operator, a),
            (Operator::FloatNegate, &[a]) => self.undone(Operator::FloatNegate, a),
            (Operator::ToRawBits, &[_]) => None,
            (Operator::FromRawBits, &[a]) => self.undone(Operator::ToRawBits, a),
            (Operator::IsNan, &[a]) => self.never_nan(a),
            (Operator::Length, &[a]) => self.length_of(a),
            (Operator::Concat, &[a, b]) => match (self.is_empty_constant(a), self.is_empty_constant(b)) {
                (true, _) => Some(b),
                (_, true) => Some(a),
                _ => None,
            },
            (Operator::EndsWith | Operator::Contains, &[a, b]) if a == b || self.is_empty_constant(b) => {
                Some(self.bool(true))
            }
            (Operator::EqualsIgnoreCase, &[a, b]) if a == b => Some(self.bool(true)),
            (Operator::CompareTo, &[a, b]) if a == b => Some(self.int(0)),
            (_, &[a, b])
                if matches!(self.sort(a), Sort::Bits(_)) && matches!(self.sort(b), Sort::Bits(_)) =>
            {
                self.arithmetic(operator, a, b)
            }
            _ => None,
        }
    }

    /// The operand of a term of an operator.
    fn undone(&self, operator: Operator, term: TermId) -> Option<TermId> {
        (self.operator(term) == operator).then(|| self.operands(term)[0])
    }

    fn is_empty_constant(&self, term: TermId) -> bool {
        self.constant_value(term).is_some_and(|value| value.units().is_empty())
    }

    /// The bits of a constant.
    fn bits_of(&self, term: TermId) -> Option<u64> {
        if let Operator::Bits { bits, .. } = self.operator(term) { Some(bits) } else { None }
    }

    fn bits(&mut self, width: u8, bits: u64) -> TermId {
        self.constant(&Value::bits(width, bits))
    }

    fn negated(&mut self, a: TermId) -> Option<TermId> {
        // tidy: the question is which comparisons have a negation that is a comparison
        let swapped = match self.operator(a) {
            Operator::Not => return Some(self.operands(a)[0]),
            Operator::SignedLess => Operator::SignedLessEqual,
            Operator::SignedLessEqual => Operator::SignedLess,
            Operator::UnsignedLess => Operator::UnsignedLessEqual,
            Operator::UnsignedLessEqual => Operator::UnsignedLess,
            _ => return None,
        };
        let &[left, right] = self.operands(a) else { return None };
        Some(self.apply(swapped, &[right, left]))
    }

    fn connected(&mut self, operator: Operator, a: TermId, b: TermId) -> Option<TermId> {
        let absorbing = operator == Operator::Or;
        if let Operator::Bool(truth) = self.operator(b) {
            return Some(if truth == absorbing { b } else { a });
        }
        if a == b {
            return Some(a);
        }
        let is_opposite =
            self.undone(Operator::Not, a) == Some(b) || self.undone(Operator::Not, b) == Some(a);
        is_opposite.then(|| self.bool(absorbing))
    }

    fn chosen(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
        if let Operator::Bool(truth) = self.operator(condition) {
            return Some(if truth { then } else { otherwise });
        }
        if then == otherwise {
            return Some(then);
        }
        if let Some(condition) = self.undone(Operator::Not, condition) {
            return Some(self.if_then_else(condition, otherwise, then));
        }
        match (self.operator(then), self.operator(otherwise)) {
            (Operator::Bool(true), _) => Some(self.or(condition, otherwise)),
            (Operator::Bool(false), _) => {
                let not = self.not(condition);
                Some(self.and(not, otherwise))
            }
            (_, Operator::Bool(false)) => Some(self.and(condition, then)),
            (_, Operator::Bool(true)) => {
                let not = self.not(condition);
                Some(self.or(not, then))
            }
            _ => None,
        }
    }

    fn equated(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            return Some(self.bool(true));
        }
        if let Operator::Bool(truth) = self.operator(b) {
            return Some(if truth { a } else { self.not(a) });
        }
        let constant = self.bits_of(b)?;
        if let Some(pushed) = self.pushed(Operator::Equal, a, b, false) {
            return Some(pushed);
        }
        let width = self.sort(a).width();
        match (self.operator(a), self.operands(a)) {
            (Operator::ZeroExtend(_), &[of]) => {
                let low = self.sort(of).width();
                let low_bits = self.bits(low, constant);
                Some(if constant <= mask(low) { self.equal(of, low_bits) } else { self.bool(false) })
            }
            (Operator::SignExtend(_), &[of]) => {
                let low = self.sort(of).width();
                let is_reached = signed(low, constant & mask(low)) == signed(width, constant);
                let low_bits = self.bits(low, constant);
                Some(if is_reached { self.equal(of, low_bits) } else { self.bool(false) })
            }
            (Operator::Add, &[x, y]) => {
                let added = self.bits_of(y)?;
                let rest = self.bits(width, constant.wrapping_sub(added));
                Some(self.equal(x, rest))
            }
            (Operator::BitXor, &[x, y]) => {
                let other = self.bits_of(y)?;
                let rest = self.bits(width, constant ^ other);
                Some(self.equal(x, rest))
            }
            (Operator::Negate, &[x]) => {
                let rest = self.bits(width, constant.wrapping_neg());
                Some(self.equal(x, rest))
            }
            _ => None,
        }
    }

    /// A comparison of a choice between constants with a constant, as `lcmp` and `dcmpl` leave them, as a choice between
    /// comparisons.
    fn pushed(
        &mut self,
        operator: Operator,
        choice: TermId,
        constant: TermId,
        is_right: bool,
    ) -> Option<TermId> {
        if self.operator(choice) != Operator::IfThenElse {
            return None;
        }
        let &[condition, then, otherwise] = self.operands(choice) else { return None };
        let is_flat = |branch: TermId| match self.operands(branch) {
            &[_, x, y] if self.operator(branch) == Operator::IfThenElse => {
                self.operator(x).is_constant() && self.operator(y).is_constant()
            }
            _ => self.operator(branch).is_constant(),
        };
        if !is_flat(then) || !is_flat(otherwise) {
            return None;
        }
        let mut of = |branch: TermId| {
            let operands = if is_right { [constant, branch] } else { [branch, constant] };
            self.apply(operator, &operands)
        };
        let (then, otherwise) = (of(then), of(otherwise));
        Some(self.if_then_else(condition, then, otherwise))
    }

    fn compared(&mut self, operator: Operator, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            let holds = matches!(operator, Operator::SignedLessEqual | Operator::UnsignedLessEqual);
            return Some(self.bool(holds));
        }
        if self.bits_of(b).is_some() {
            if let Some(pushed) = self.pushed(operator, a, b, false) {
                return Some(pushed);
            }
        } else if self.bits_of(a).is_some()
            && let Some(pushed) = self.pushed(operator, b, a, true)
        {
            return Some(pushed);
        }
        // tidy: the question is which comparisons are decided
        match operator {
            Operator::UnsignedLess if self.bits_of(b) == Some(0) => Some(self.bool(false)),
            Operator::UnsignedLessEqual if self.bits_of(a) == Some(0) => Some(self.bool(true)),
            Operator::SignedLess if self.bits_of(b) == Some(0) && self.operator(a) == Operator::Length => {
                Some(self.bool(false))
            }
            Operator::SignedLessEqual
                if self.bits_of(a) == Some(0) && self.operator(b) == Operator::Length =>
            {
                Some(self.bool(true))
            }
            _ => None,
        }
    }

    fn resized(&mut self, operator: Operator, a: TermId) -> Option<TermId> {
        let from = self.sort(a).width();
        // tidy: the four that are given stand above
        match operator {
            Operator::Negate => self.undone(Operator::Negate, a),
            Operator::SignExtend(to) | Operator::ZeroExtend(to) | Operator::Truncate(to) if to == from => {
                Some(a)
            }
            // tidy: the question is which extensions may be joined
            Operator::SignExtend(to) => match self.operator(a) {
                Operator::SignExtend(_) => Some(self.apply(operator, &[self.operands(a)[0]])),
                Operator::ZeroExtend(_) => Some(self.apply(Operator::ZeroExtend(to), &[self.operands(a)[0]])),
                _ => None,
            },
            Operator::ZeroExtend(_) => {
                let of = self.undone_extension(a, false)?;
                Some(self.apply(operator, &[of]))
            }
            Operator::Truncate(to) => {
                if let Operator::Truncate(_) = self.operator(a) {
                    return Some(self.apply(operator, &[self.operands(a)[0]]));
                }
                let of = self.undone_extension(a, true)?;
                let width = self.sort(of).width();
                if to <= width {
                    Some(self.apply(operator, &[of]))
                } else if let Operator::ZeroExtend(_) = self.operator(a) {
                    Some(self.apply(Operator::ZeroExtend(to), &[of]))
                } else {
                    Some(self.apply(Operator::SignExtend(to), &[of]))
                }
            }
            _ => None,
        }
    }

    /// What an extension without sign extends, or one with sign, if that is asked for.
    fn undone_extension(&self, term: TermId, with_sign: bool) -> Option<TermId> {
        // tidy: the question is whether it is an extension
        let is_one = match self.operator(term) {
            Operator::ZeroExtend(_) => true,
            Operator::SignExtend(_) => with_sign,
            _ => false,
        };
        is_one.then(|| self.operands(term)[0])
    }

    fn never_nan(&mut self, a: TermId) -> Option<TermId> {
        // tidy: the question is which conversions keep NaN
        match self.operator(a) {
            Operator::SignedToFloat | Operator::SignedToDouble => Some(self.bool(false)),
            Operator::FloatToDouble | Operator::DoubleToFloat | Operator::FloatNegate => {
                Some(self.apply(Operator::IsNan, &[self.operands(a)[0]]))
            }
            _ => None,
        }
    }

    fn length_of(&mut self, a: TermId) -> Option<TermId> {
        // tidy: the question is which lengths are known
        match self.operator(a) {
            Operator::CharacterToText => Some(self.int(1)),
            Operator::ReplaceCharacter => Some(self.apply(Operator::Length, &[self.operands(a)[0]])),
            Operator::Concat => {
                let &[left, right] = self.operands(a) else { return None };
                let (is_left, is_right) =
                    (self.operator(left).is_constant(), self.operator(right).is_constant());
                if !is_left && !is_right {
                    return None;
                }
                let (left, right) =
                    (self.apply(Operator::Length, &[left]), self.apply(Operator::Length, &[right]));
                Some(self.apply(Operator::Add, &[left, right]))
            }
            _ => None,
        }
    }

    fn arithmetic(&mut self, operator: Operator, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.sort(a).width();
        let (left, right) = (self.bits_of(a), self.bits_of(b));
        let all = mask(width);
        match (operator, right) {
            (Operator::Subtract, Some(constant)) => {
                let negated = self.bits(width, constant.wrapping_neg());
                Some(self.apply(Operator::Add, &[a, negated]))
            }
            (Operator::Subtract | Operator::BitXor, _) if a == b => Some(self.bits(width, 0)),
            (Operator::Subtract, None) if left == Some(0) => Some(self.apply(Operator::Negate, &[b])),
            (
                Operator::Add
                | Operator::BitOr
                | Operator::BitXor
                | Operator::ShiftLeft
                | Operator::ShiftRight
                | Operator::UnsignedShiftRight,
                Some(0),
            ) => Some(a),
            (Operator::Add, Some(constant)) if self.operator(a) == Operator::Add => {
                let &[x, y] = self.operands(a) else { return None };
                let sum = self.bits_of(y)?.wrapping_add(constant);
                let sum = self.bits(width, sum);
                Some(self.apply(Operator::Add, &[x, sum]))
            }
            (Operator::Multiply | Operator::BitAnd, Some(0)) => Some(b),
            (Operator::Multiply, Some(1)) => Some(a),
            (Operator::Divide, Some(1)) if width > 1 => Some(a),
            (Operator::Remainder, Some(1)) if width > 1 => Some(self.bits(width, 0)),
            (Operator::BitAnd, Some(constant)) if constant == all => Some(a),
            (Operator::BitOr, Some(constant)) if constant == all => Some(b),
            (Operator::BitAnd | Operator::BitOr, _) if a == b => Some(a),
            _ => None,
        }
    }
}
