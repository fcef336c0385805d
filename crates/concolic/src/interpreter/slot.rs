//! What local variables, operand stacks, fields and elements hold: a concrete value, and a term where it depends on inputs.

use std::sync::Arc;

use bytecode::descriptor::{ErasedType, PrimitiveType};

use crate::interpreter::ObjectId;
use crate::term::{InputId, Operator, Sort, TermId, Terms, Value};

/// A concrete value as the JVM computes with it (JVMS 2.11.1): the types below `int` are `int`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Concrete {
    /// `boolean`, `byte`, `short`, `char`, `int`.
    Int(i32),
    /// `long`.
    Long(i64),
    /// `float`.
    Float(f32),
    /// `double`.
    Double(f64),
    /// The null reference.
    Null,
    /// An object of the replay.
    Reference(ObjectId),
}

/// A value of the replay.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slot {
    /// What the run had.
    pub concrete: Concrete,
    /// How it was computed, if it depends on an input: 32 bits of an `int`, 64 of a `long`, a float or a double. Of a
    /// reference it is a truth value: whether the reference is null.
    pub term: Option<TermId>,
}

impl Slot {
    /// The null reference.
    pub const NULL: Self = Self { concrete: Concrete::Null, term: None };

    /// A value that depends on no input.
    pub fn of(concrete: Concrete) -> Self {
        Self { concrete, term: None }
    }

    /// An `int`.
    pub fn int(value: i32) -> Self {
        Self::of(Concrete::Int(value))
    }

    /// A reference to an object.
    pub fn reference(object: ObjectId) -> Self {
        Self::of(Concrete::Reference(object))
    }

    /// What a variable of a type holds before it is written (JVMS 2.3, 2.4).
    pub fn default_of(erased: &ErasedType) -> Self {
        let ErasedType::Primitive(primitive) = erased else { return Self::NULL };
        Self::of(match primitive {
            PrimitiveType::Boolean
            | PrimitiveType::Byte
            | PrimitiveType::Short
            | PrimitiveType::Char
            | PrimitiveType::Int => Concrete::Int(0),
            PrimitiveType::Long => Concrete::Long(0),
            PrimitiveType::Float => Concrete::Float(0.0),
            PrimitiveType::Double => Concrete::Double(0.0),
        })
    }

    /// An input of a primitive type: of [`sort_of`] that type, widened to what the JVM computes with.
    pub fn input(terms: &mut Terms, input: InputId, primitive: PrimitiveType, concrete: Concrete) -> Self {
        let term = terms.input(input, sort_of(primitive));
        let term = match primitive {
            PrimitiveType::Boolean => {
                let (one, zero) = (terms.int(1), terms.int(0));
                terms.if_then_else(term, one, zero)
            }
            PrimitiveType::Byte | PrimitiveType::Short => terms.apply(Operator::SignExtend(32), &[term]),
            PrimitiveType::Char => terms.apply(Operator::ZeroExtend(32), &[term]),
            PrimitiveType::Int | PrimitiveType::Long | PrimitiveType::Float | PrimitiveType::Double => term,
        };
        Self { concrete, term: Some(term) }
    }

    /// Whether it takes two entries of a frame (JVMS 2.6.1).
    pub(crate) fn is_wide(self) -> bool {
        matches!(self.concrete, Concrete::Long(_) | Concrete::Double(_))
    }
}

/// The sort of inputs of a type.
pub fn sort_of(primitive: PrimitiveType) -> Sort {
    match primitive {
        PrimitiveType::Boolean => Sort::Bool,
        PrimitiveType::Byte => Sort::Bits(8),
        PrimitiveType::Short | PrimitiveType::Char => Sort::Bits(16),
        PrimitiveType::Int => Sort::Bits(32),
        PrimitiveType::Long => Sort::Bits(64),
        PrimitiveType::Float => Sort::Float,
        PrimitiveType::Double => Sort::Double,
    }
}

/// A value of any sort with its term, as operators take it.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    /// What the run had.
    pub(crate) value: Value,
    /// How it was computed, if it depends on an input.
    pub(crate) term: Option<TermId>,
}

impl Known {
    /// Without a term.
    pub(crate) fn of(value: Value) -> Self {
        Self { value, term: None }
    }

    /// An `int` that depends on no input.
    pub(crate) fn int(value: i32) -> Self {
        Self::of(Value::int(value))
    }

    /// A `String` that depends on no input.
    pub(crate) fn text(text: &str) -> Self {
        Self::of(Value::text(text))
    }

    /// The code units of a text.
    pub(crate) fn units(&self) -> Arc<[u16]> {
        self.value.units().into()
    }

    /// The term, or that of the constant.
    pub(crate) fn as_term(&self, terms: &mut Terms) -> TermId {
        self.term.unwrap_or_else(|| terms.constant(&self.value))
    }
}
