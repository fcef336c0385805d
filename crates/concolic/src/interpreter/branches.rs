//! Conditional and unconditional jumps, and switches (JVMS 6.5).

use bytecode::opcode::*;

use crate::interpreter::code::Prepared;
use crate::interpreter::heap::{Content, Text};
use crate::interpreter::machine::{Abrupt, Done, Interpreter};
use crate::interpreter::slot::Known;
use crate::interpreter::{Concrete, Happening, ObjectId, Outcomes, Slot, Way, Why};
use crate::term::{Operator, Value};

impl Interpreter<'_> {
    pub(super) fn branch(&mut self, instruction: &Prepared) -> Done {
        let code = instruction.opcode;
        let condition = match code {
            GOTO | GOTO_W => return self.jump(instruction.target),
            JSR | RET | JSR_W => return Err(Why::Subroutine.into()),
            TABLESWITCH | LOOKUPSWITCH => return self.switch(instruction),
            IFEQ..=IFLE => {
                let (value, left) = self.pop_int()?;
                self.happened(&Happening::Decided(value.into()))?;
                let left = Self::known(left)?;
                match left.term.and_then(|term| self.comparisons.get(&term)).cloned() {
                    Some(comparison) => self.comparison_with_zero(code - IFEQ, &comparison),
                    None => self.relation(code - IFEQ, &left, &Known::int(0)),
                }
            }
            IF_ICMPEQ..=IF_ICMPLE => {
                let ((low, right), (high, left)) = (self.pop_int()?, self.pop_int()?);
                let both = i64::from(high) << 32 | i64::from(low as u32);
                self.happened(&Happening::Decided(both))?;
                let (left, right) = (Self::known(left)?, Self::known(right)?);
                self.relation(code - IF_ICMPEQ, &left, &right)
            }
            IF_ACMPEQ | IF_ACMPNE => {
                let (right, left) = (self.pop()?, self.pop()?);
                let same = self.compared_references(left, right)?;
                self.happened(&Happening::Decided(same.value.truth().into()))?;
                if code == IF_ACMPEQ { same } else { self.not(&same) }
            }
            IFNULL | IFNONNULL => {
                let reference = self.pop()?;
                let is_null = Self::is_null(reference)?;
                self.happened(&Happening::Decided(is_null.value.truth().into()))?;
                if code == IFNULL { is_null } else { self.not(&is_null) }
            }
            _ => return Err(Why::Malformed.into()),
        };
        if self.decide(&condition, Way::Jumped, Way::FellThrough) {
            return self.jump(instruction.target);
        }
        Ok(())
    }

    /// `==`, `!=`, `<`, `>=`, `>`, `<=`, in the order of the opcodes.
    fn relation(&mut self, number: u8, left: &Known, right: &Known) -> Known {
        let (operator, is_swapped, is_negated) = match number {
            0 => (Operator::Equal, false, false),
            1 => (Operator::Equal, false, true),
            2 => (Operator::SignedLess, false, false),
            3 => (Operator::SignedLess, false, true),
            4 => (Operator::SignedLess, true, false),
            _ => (Operator::SignedLess, true, true),
        };
        let (left, right) = if is_swapped { (right, left) } else { (left, right) };
        let truth = self.compute(operator, &[left, right]);
        if is_negated { self.not(&truth) } else { truth }
    }

    /// Identity of references. Where one is null by itself, it is the nullness of the other.
    pub(super) fn same_reference(&mut self, left: Slot, right: Slot) -> Result<Known, Abrupt> {
        let is_null = |slot: Slot| slot.concrete == Concrete::Null && slot.term.is_none();
        if is_null(left) {
            return Self::is_null(right);
        }
        if is_null(right) {
            return Self::is_null(left);
        }
        Ok(self.same_object(left, right))
    }

    /// As [`Self::same_reference`]. Whether two strings or boxes with the same content are one object may be known to the run
    /// alone.
    fn compared_references(&mut self, left: Slot, right: Slot) -> Result<Known, Abrupt> {
        let same = self.same_reference(left, right)?;
        let (Concrete::Reference(one), Concrete::Reference(other)) = (left.concrete, right.concrete) else {
            return Ok(same);
        };
        if self.is_in_platform() {
            return Ok(same);
        }
        let recorded = self.outside.next_decision().filter(|_| self.is_same_datum(one, other));
        let recorded = recorded.map(|decision| Value::Bool(decision == 1));
        Ok(match recorded.filter(|recorded| *recorded != same.value) {
            Some(recorded) => Known::of(recorded),
            None => same,
        })
    }

    /// Identity of references none of which is null by itself. Two literals whose texts are inputs are one object if they have the same
    /// text (JLS 3.10.5), two boxes if they have the same small number (JLS 5.1.7).
    fn same_object(&mut self, left: Slot, right: Slot) -> Known {
        let same = Known::of(Value::Bool(left.concrete == right.concrete));
        let (Concrete::Reference(one), Concrete::Reference(other)) = (left.concrete, right.concrete) else {
            return same;
        };
        if one == other || self.heap.get(one).class != self.heap.get(other).class {
            return same;
        }
        let are_literals = [one, other].iter().all(|&object| self.heap.is_chosen_literal(object));
        match (&self.heap.get(one).content, &self.heap.get(other).content) {
            (Content::Text(one), Content::Text(other)) if are_literals => {
                let known = |text: &Text| Known { value: Value::Text(text.units.clone()), term: text.term };
                let (one, other) = (known(one), known(other));
                self.compute(Operator::Equal, &[&one, &other])
            }
            (&Content::Boxed(one), &Content::Boxed(other)) => self.same_box(one, other).unwrap_or(same),
            _ => same,
        }
    }

    /// Whether two boxes of one class are the same object; `None` of floats, which are never kept.
    fn same_box(&mut self, one: Slot, other: Slot) -> Option<Known> {
        let limit = |number: i8| match one.concrete {
            Concrete::Int(_) => Some(Known::int(number.into())),
            Concrete::Long(_) => Some(Known::of(Value::long(number.into()))),
            Concrete::Float(_) | Concrete::Double(_) | Concrete::Null | Concrete::Reference(_) => None,
        };
        let (low, high) = (limit(i8::MIN)?, limit(i8::MAX)?);
        let (one, other) = (Self::known(one).ok()?, Self::known(other).ok()?);
        let are_equal = self.compute(Operator::Equal, &[&one, &other]);
        let is_high = self.compute(Operator::SignedLessEqual, &[&low, &one]);
        let is_low = self.compute(Operator::SignedLessEqual, &[&one, &high]);
        let is_small = self.compute(Operator::And, &[&is_high, &is_low]);
        Some(self.compute(Operator::And, &[&are_equal, &is_small]))
    }

    /// Whether two objects are strings or boxes of one class with the same content.
    pub(super) fn is_same_datum(&self, one: ObjectId, other: ObjectId) -> bool {
        let (one, other) = (self.heap.get(one), self.heap.get(other));
        one.class == other.class
            && match (&one.content, &other.content) {
                (Content::Text(one), Content::Text(other)) => one.units == other.units,
                (Content::Boxed(one), Content::Boxed(other)) => one.concrete == other.concrete,
                _ => false,
            }
    }

    fn switch(&mut self, instruction: &Prepared) -> Done {
        let (key, slot) = self.pop_int()?;
        self.happened(&Happening::Decided(key.into()))?;
        let selector = Self::known(slot)?;
        if let Some(&(case, target)) = instruction.cases.iter().find(|&&(case, _)| case == key) {
            let equal = self.compute(Operator::Equal, &[&selector, &Known::int(case)]);
            let taken = outcome_of(instruction, target);
            self.note_outcome(equal.term, Way::Case(case), Some(Outcomes { taken, other: None }));
            return self.jump(target);
        }
        // One condition per case, so that the negation of one leads to that case.
        let taken = outcome_of(instruction, instruction.target);
        for &(case, target) in &instruction.cases {
            let equal = self.compute(Operator::Equal, &[&selector, &Known::int(case)]);
            let differs = self.not(&equal);
            let other = Some(outcome_of(instruction, target));
            self.note_outcome(differs.term, Way::Default, Some(Outcomes { taken, other }));
        }
        self.jump(instruction.target)
    }
}

/// The outcome of a switch that a target is: they are numbered in the order of the first key, the default last.
fn outcome_of(switch: &Prepared, target: usize) -> u16 {
    let mut seen: Vec<usize> = Vec::new();
    for &(_, target) in &switch.cases {
        if target != switch.target && !seen.contains(&target) {
            seen.push(target);
        }
    }
    seen.iter().position(|&other| other == target).unwrap_or(seen.len()) as u16
}
