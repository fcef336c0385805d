//! What models share: texts of objects, results of operators, texts of values.

use bytecode::descriptor::{ErasedType, PrimitiveType};
use bytecode::name::ClassName;

use crate::interpreter::heap::Content;
use crate::interpreter::machine::{Abrupt, Interpreter};
use crate::interpreter::models::Modelled;
use crate::interpreter::slot::Known;
use crate::interpreter::{Concrete, MethodName, Slot, Way, Why};
use crate::term::{Operator, Value};

impl Interpreter<'_> {
    /// The text of a reference to a `String` or to a builder that the replay made; of null, a `NullPointerException`.
    pub(super) fn text(&mut self, reference: Slot) -> Result<Option<Known>, Abrupt> {
        let object = self.object(reference)?;
        Ok(match &self.heap.get(object).content {
            Content::Text(text) | Content::Builder(text) => {
                Some(Known { value: Value::Text(text.units.clone()), term: text.term })
            }
            Content::Fields(_)
            | Content::Array { .. }
            | Content::Boxed(_)
            | Content::Class(_)
            | Content::Lambda(_)
            | Content::Pattern(_)
            | Content::Matcher(_) => None,
        })
    }

    /// A result: texts become strings.
    pub(super) fn returned(&mut self, known: &Known) -> Result<Modelled, Abrupt> {
        let slot = match &known.value {
            Value::Text(units) => Slot::reference(self.heap.text(units.clone(), known.term)),
            Value::Bool(_) | Value::Bits { .. } | Value::Float(_) | Value::Double(_) => self.slot(known)?,
        };
        Ok(Modelled::Value(slot))
    }

    /// What an operator computes of all arguments, strings as texts, and of what is appended to them.
    pub(super) fn operate(
        &mut self,
        operator: Operator,
        arguments: &[Slot],
        appended: &[Known],
    ) -> Result<Modelled, Abrupt> {
        let mut operands = Vec::with_capacity(3);
        for &slot in arguments {
            match slot.concrete {
                Concrete::Null | Concrete::Reference(_) => match self.text(slot)? {
                    Some(text) => operands.push(text),
                    None => return Ok(Modelled::Declined),
                },
                Concrete::Int(_) | Concrete::Long(_) | Concrete::Float(_) | Concrete::Double(_) => {
                    operands.push(Self::known(slot)?);
                }
            }
        }
        operands.extend_from_slice(appended);
        let operands: Vec<&Known> = operands.iter().collect();
        let result = self.compute(operator, &operands);
        self.returned(&result)
    }

    /// An `int` as the character that it is.
    pub(super) fn character(&mut self, slot: Slot) -> Result<Known, Abrupt> {
        let known = Self::known(slot)?;
        Ok(self.compute(Operator::Truncate(16), &[&known]))
    }

    /// An `int` as the truth value that it is.
    pub(super) fn truth(&mut self, slot: Slot) -> Result<Known, Abrupt> {
        let known = Self::known(slot)?;
        let is_zero = self.compute(Operator::Equal, &[&known, &Known::int(0)]);
        Ok(self.not(&is_zero))
    }

    /// The string conversion of a value of a type (JLS 5.1.11). What has no term is asked for as `String.valueOf`.
    pub(in crate::interpreter) fn text_for(
        &mut self,
        slot: Slot,
        erased: &ErasedType,
    ) -> Result<Known, Abrupt> {
        let ErasedType::Primitive(primitive) = erased else { return self.text_for_reference(slot) };
        match primitive {
            PrimitiveType::Boolean => {
                let truth = self.truth(slot)?;
                Ok(self.compute(Operator::BoolToText, &[&truth]))
            }
            PrimitiveType::Char => {
                let character = self.character(slot)?;
                Ok(self.compute(Operator::CharacterToText, &[&character]))
            }
            PrimitiveType::Byte | PrimitiveType::Short | PrimitiveType::Int | PrimitiveType::Long => {
                let number = Self::known(slot)?;
                Ok(self.compute(Operator::SignedToText, &[&number]))
            }
            PrimitiveType::Float | PrimitiveType::Double => {
                self.asked_text(slot, &format!("({})Ljava/lang/String;", primitive.descriptor()))
            }
        }
    }

    fn text_for_reference(&mut self, slot: Slot) -> Result<Known, Abrupt> {
        let is_null = Self::is_null(slot)?;
        self.decide(&is_null, Way::Completed, Way::Completed);
        let Concrete::Reference(object) = slot.concrete else { return Ok(Known::text("null")) };
        let boxed = match &self.heap.get(object).content {
            Content::Text(text) | Content::Builder(text) => {
                return Ok(Known { value: Value::Text(text.units.clone()), term: text.term });
            }
            Content::Boxed(boxed) => Some(*boxed),
            Content::Fields(_)
            | Content::Array { .. }
            | Content::Class(_)
            | Content::Lambda(_)
            | Content::Pattern(_)
            | Content::Matcher(_) => None,
        };
        let primitive = self.heap.class_of(object).and_then(PrimitiveType::unboxed);
        match (boxed, primitive) {
            (Some(boxed), Some(primitive)) => self.text_for(boxed, &ErasedType::Primitive(primitive)),
            _ => self.asked_text(slot, "(Ljava/lang/Object;)Ljava/lang/String;"),
        }
    }

    fn asked_text(&mut self, slot: Slot, descriptor: &str) -> Result<Known, Abrupt> {
        if self.outside.has_recording() {
            return Err(Abrupt::Declined);
        }
        let method =
            MethodName { class: ClassName::string(), name: "valueOf".into(), descriptor: descriptor.into() };
        let answer = self.ask(&method, &[slot])?.ok_or(Why::Malformed)?;
        self.text(answer)?.ok_or_else(|| Why::Call(method).into())
    }

    /// Completes where a condition holds and throws where it does not.
    pub(super) fn require(&mut self, condition: &Known, exception: &str) -> Result<(), Abrupt> {
        if self.decide(condition, Way::Completed, Way::Threw) {
            return Ok(());
        }
        Err(self.throw(exception))
    }
}
