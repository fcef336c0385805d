//! How long texts may be, where conditions say so directly: then there is nothing beyond that to look for.

use std::collections::BTreeMap;

use crate::term::{Operator, Plan, Register, Sort, Value};

/// The most units that any text among the inputs may have if all roots of a plan hold; `None` if some may be longer than any number
/// that stands there.
pub(super) fn longest_text(plan: &Plan<'_>) -> Option<usize> {
    let mut bounds = Bounds { plan, most: BTreeMap::new() };
    plan.roots().iter().for_each(|&root| bounds.note(root, true));
    let texts = plan.inputs().iter().filter(|&&(_, sort, _)| sort == Sort::Text);
    texts.map(|&(_, _, register)| bounds.most.get(&register.index()).copied()).try_fold(0, |longest, most| {
        let most = usize::try_from(most?.max(0)).ok()?;
        Some(longest.max(most))
    })
}

/// The most units of texts, by register.
struct Bounds<'p> {
    plan: &'p Plan<'p>,
    most: BTreeMap<usize, i64>,
}

impl Bounds<'_> {
    /// Notes what follows from a condition that is true, or that is not.
    fn note(&mut self, condition: Register, holds: bool) {
        let &[one, other] = self.plan.operands(condition) else {
            if let (Operator::Not, &[negated]) =
                (self.plan.operator(condition), self.plan.operands(condition))
            {
                self.note(negated, !holds);
            }
            return;
        };
        // tidy: all others bound nothing
        match (self.plan.operator(condition), holds) {
            (Operator::And, true) | (Operator::Or, false) => {
                self.note(one, holds);
                self.note(other, holds);
            }
            (Operator::SignedLess, true) => self.note_most(one, other, -1),
            (Operator::SignedLess, false) => self.note_most(other, one, 0),
            (Operator::SignedLessEqual, true) => self.note_most(one, other, 0),
            (Operator::SignedLessEqual, false) => self.note_most(other, one, -1),
            // Lengths are not below 0, so that what is below a number without sign is below it with one.
            (Operator::UnsignedLess, true) if self.is_positive(other) => self.note_most(one, other, -1),
            (Operator::UnsignedLess, false) if self.is_positive(one) => self.note_most(other, one, 0),
            (Operator::UnsignedLessEqual, true) if self.is_positive(other) => self.note_most(one, other, 0),
            (Operator::UnsignedLessEqual, false) if self.is_positive(one) => self.note_most(other, one, -1),
            (Operator::Equal, true) => {
                self.note_most(one, other, 0);
                self.note_most(other, one, 0);
            }
            _ => {}
        }
    }

    /// Whether a register is a constant that is not below 0.
    fn is_positive(&self, register: Register) -> bool {
        let constant = self.plan.terms().constant_of(self.plan.operator(register));
        constant.is_some_and(|value| matches!(value, Value::Bits { .. }) && value.signed() >= 0)
    }

    /// What is compared is at most a number and so many.
    fn note_most(&mut self, compared: Register, number: Register, more: i64) {
        let constant = self.plan.terms().constant_of(self.plan.operator(number));
        let (text, most) = match (self.plan.operator(compared), constant) {
            (Operator::Length, Some(value @ Value::Bits { .. })) => {
                (self.plan.operands(compared)[0], value.signed() + more)
            }
            (Operator::Input(_, Sort::Text), Some(Value::Text(units))) => (compared, units.len() as i64),
            _ => return,
        };
        let known = self.most.entry(text.index()).or_insert(most);
        *known = most.min(*known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{InputId, TermId, Terms};

    fn longest(conditions: impl Fn(&mut Terms, TermId, TermId) -> Vec<TermId>) -> Option<usize> {
        let mut terms = Terms::new();
        let text = terms.input(InputId(0), Sort::Text);
        let length = terms.apply(Operator::Length, &[text]);
        let roots = conditions(&mut terms, text, length);
        longest_text(&Plan::new(&terms, &roots))
    }

    #[test]
    fn comparisons_of_lengths_and_texts_bound_them() {
        let compared = |operator, holds: bool, is_left: bool| {
            longest(move |terms, _, length| {
                let ten = terms.int(10);
                let operands = if is_left { [length, ten] } else { [ten, length] };
                let condition = terms.apply(operator, &operands);
                vec![if holds { condition } else { terms.not(condition) }]
            })
        };
        assert_eq!(compared(Operator::SignedLess, true, true), Some(9));
        assert_eq!(compared(Operator::SignedLess, false, false), Some(10));
        assert_eq!(compared(Operator::SignedLessEqual, true, true), Some(10));
        assert_eq!(compared(Operator::SignedLessEqual, false, false), Some(9));
        assert_eq!(compared(Operator::UnsignedLess, true, true), Some(9));
        assert_eq!(compared(Operator::UnsignedLess, false, false), Some(10));
        assert_eq!(compared(Operator::UnsignedLessEqual, true, true), Some(10));
        assert_eq!(compared(Operator::UnsignedLessEqual, false, false), Some(9));
        assert_eq!(compared(Operator::UnsignedLess, false, true), None);
        assert_eq!(compared(Operator::Equal, true, true), Some(10));
        assert_eq!(compared(Operator::Equal, false, true), None);
        assert_eq!(compared(Operator::SignedLess, false, true), None);
        let known = longest(|terms, text, _| {
            let constant = terms.text("abc");
            vec![terms.apply(Operator::Equal, &[text, constant])]
        });
        assert_eq!(known, Some(3));
        let without_sign = longest(|terms, _, length| {
            let last = terms.int(-1);
            vec![terms.apply(Operator::UnsignedLess, &[length, last])]
        });
        assert_eq!(without_sign, None);
    }

    #[test]
    fn each_text_must_be_bounded_and_the_smallest_bound_counts() {
        let both = |also: bool| {
            longest(move |terms, text, length| {
                let other = terms.input(InputId(1), Sort::Text);
                let same = terms.apply(Operator::Equal, &[text, other]);
                let (four, seven) = (terms.int(4), terms.int(7));
                let other_length = terms.apply(Operator::Length, &[other]);
                let mut conditions = vec![
                    same,
                    terms.apply(Operator::SignedLess, &[length, seven]),
                    terms.apply(Operator::SignedLess, &[length, four]),
                ];
                if also {
                    conditions.push(terms.apply(Operator::SignedLess, &[other_length, seven]));
                }
                conditions
            })
        };
        assert_eq!((both(false), both(true)), (None, Some(6)));
    }
}
