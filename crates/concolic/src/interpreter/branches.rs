//! Conditional and unconditional jumps, and switches (JVMS 6.5).

use bytecode::opcode::*;

use crate::interpreter::code::Prepared;
use crate::interpreter::heap::Content;
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
        Ok(Known::of(Value::Bool(left.concrete == right.concrete || self.is_same_box(left, right))))
    }

    /// As [`Self::same_reference`]. Whether two strings or boxes with the same content are one object may be known to the run
    /// alone.
    fn compared_references(&mut self, left: Slot, right: Slot) -> Result<Known, Abrupt> {
        let same = self.same_reference(left, right)?;
        let (Concrete::Reference(one), Concrete::Reference(other)) = (left.concrete, right.concrete) else {
            return Ok(same);
        };
        let recorded = self.outside.next_decision().filter(|_| self.is_same_datum(one, other));
        Ok(recorded.map_or(same, |decision| Known::of(Value::Bool(decision == 1))))
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

    /// Whether two references box the same small value: `valueOf` gives one object for it (JLS 5.1.7).
    fn is_same_box(&self, left: Slot, right: Slot) -> bool {
        let content = |slot: Slot| {
            let Concrete::Reference(object) = slot.concrete else { return None };
            let Content::Boxed(boxed) = &self.heap.get(object).content else { return None };
            let is_small = match boxed.concrete {
                Concrete::Int(value) => (-128..=127).contains(&value),
                Concrete::Long(value) => (-128..=127).contains(&value),
                Concrete::Float(_) | Concrete::Double(_) | Concrete::Null | Concrete::Reference(_) => false,
            };
            is_small.then_some((self.heap.class_of(object), boxed.concrete))
        };
        content(left).is_some_and(|left| content(right) == Some(left))
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
