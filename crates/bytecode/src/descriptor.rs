//! Field and method descriptors (JVM specification §4.3).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::class_file::ClassFileError;
use crate::name::ClassName;

/// The eight primitive types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PrimitiveType {
    /// `boolean`
    Boolean,
    /// `byte`
    Byte,
    /// `short`
    Short,
    /// `char`
    Char,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
}

impl PrimitiveType {
    /// All of them, narrow before wide.
    pub const ALL: [Self; 8] = [
        Self::Boolean,
        Self::Byte,
        Self::Short,
        Self::Char,
        Self::Int,
        Self::Long,
        Self::Float,
        Self::Double,
    ];

    /// Descriptor character.
    pub fn descriptor(self) -> char {
        match self {
            Self::Boolean => 'Z',
            Self::Byte => 'B',
            Self::Short => 'S',
            Self::Char => 'C',
            Self::Int => 'I',
            Self::Long => 'J',
            Self::Float => 'F',
            Self::Double => 'D',
        }
    }

    /// The type of a descriptor character.
    pub fn from_descriptor(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|primitive| primitive.descriptor() == letter)
    }

    /// Java keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Byte => "byte",
            Self::Short => "short",
            Self::Char => "char",
            Self::Int => "int",
            Self::Long => "long",
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    /// Class of the boxed values (Java language specification §5.1.7).
    pub fn boxed(self) -> ClassName {
        ClassName::new(match self {
            Self::Boolean => "java/lang/Boolean",
            Self::Byte => "java/lang/Byte",
            Self::Short => "java/lang/Short",
            Self::Char => "java/lang/Character",
            Self::Int => "java/lang/Integer",
            Self::Long => "java/lang/Long",
            Self::Float => "java/lang/Float",
            Self::Double => "java/lang/Double",
        })
    }

    /// The primitive type that this class boxes.
    pub fn unboxed(class: &ClassName) -> Option<Self> {
        Self::ALL.into_iter().find(|primitive| primitive.boxed() == *class)
    }

    /// Whether a value converts to `target` by identity or widening (Java language specification §5.1.2).
    pub fn widens_to(self, target: Self) -> bool {
        use PrimitiveType::{Boolean, Byte, Char, Double, Float, Int, Long, Short};
        self == target
            || match self {
                Boolean | Double => false,
                Byte => matches!(target, Short | Int | Long | Float | Double),
                Short | Char => matches!(target, Int | Long | Float | Double),
                Int => matches!(target, Long | Float | Double),
                Long => matches!(target, Float | Double),
                Float => target == Double,
            }
    }

    /// Slots on the operand stack and among the local variables.
    pub fn slots(self) -> u16 {
        if matches!(self, Self::Long | Self::Double) { 2 } else { 1 }
    }
}

/// An erased type: what descriptors can say.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ErasedType {
    /// A primitive type.
    Primitive(PrimitiveType),
    /// A class or interface.
    Class(ClassName),
    /// An array of the element type.
    Array(Box<ErasedType>),
}

impl ErasedType {
    /// Parses a field descriptor.
    pub fn parse(descriptor: &str) -> Result<Self, ClassFileError> {
        let mut rest = descriptor;
        let parsed = parse_type(&mut rest).filter(|_| rest.is_empty());
        parsed.ok_or_else(|| ClassFileError::Signature { text: descriptor.to_owned() })
    }

    /// Reads what a `CONSTANT_Class` names: an internal name or an array descriptor.
    pub fn from_class_constant(name: &str) -> Result<Self, ClassFileError> {
        if name.starts_with('[') { Self::parse(name) } else { Ok(Self::Class(ClassName::new(name))) }
    }

    /// The field descriptor.
    pub fn descriptor(&self) -> String {
        match self {
            Self::Primitive(primitive) => primitive.descriptor().to_string(),
            Self::Class(name) => format!("L{name};"),
            Self::Array(element) => format!("[{}", element.descriptor()),
        }
    }

    /// Slots on the operand stack and among the local variables.
    pub fn slots(&self) -> u16 {
        if let Self::Primitive(primitive) = self { primitive.slots() } else { 1 }
    }
}

impl fmt::Debug for ErasedType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.descriptor())
    }
}

/// Parameters and result of a method; a result of `None` is `void`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MethodDescriptor {
    /// Parameter types in order, receiver not included.
    pub parameters: Vec<ErasedType>,
    /// Result, `None` for `void`.
    pub result: Option<ErasedType>,
}

impl MethodDescriptor {
    /// Parses a method descriptor.
    pub fn parse(descriptor: &str) -> Result<Self, ClassFileError> {
        let malformed = || ClassFileError::Signature { text: descriptor.to_owned() };
        let mut rest = descriptor.strip_prefix('(').ok_or_else(malformed)?;
        let mut parameters = Vec::new();
        while !rest.starts_with(')') {
            parameters.push(parse_type(&mut rest).ok_or_else(malformed)?);
        }
        rest = &rest[1..];
        let result = if rest == "V" {
            None
        } else {
            Some(parse_type(&mut rest).filter(|_| rest.is_empty()).ok_or_else(malformed)?)
        };
        Ok(Self { parameters, result })
    }

    /// Slots that the parameters take, receiver not included.
    pub fn parameter_slots(&self) -> u16 {
        self.parameters.iter().map(ErasedType::slots).sum()
    }
}

fn parse_type(rest: &mut &str) -> Option<ErasedType> {
    let first = rest.chars().next()?;
    match first {
        'L' => {
            let (name, tail) = rest[1..].split_once(';')?;
            *rest = tail;
            (!name.is_empty()).then(|| ErasedType::Class(ClassName::new(name)))
        }
        '[' => {
            *rest = &rest[1..];
            Some(ErasedType::Array(Box::new(parse_type(rest)?)))
        }
        letter => {
            let primitive = PrimitiveType::from_descriptor(letter)?;
            *rest = &rest[1..];
            Some(ErasedType::Primitive(primitive))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_survive_a_round_trip() {
        for text in ["I", "Ljava/lang/String;", "[[J", "[Ljava/util/Map$Entry;"] {
            assert_eq!(ErasedType::parse(text).unwrap().descriptor(), text);
        }
    }

    #[test]
    fn malformed_descriptors_are_errors() {
        for text in ["", "V", "L;", "Ljava", "[", "II", "é"] {
            assert!(ErasedType::parse(text).is_err(), "{text}");
        }
        for text in ["", "()", "(V)V", "(I", "()VV", "()I;"] {
            assert!(MethodDescriptor::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn wide_parameters_take_two_slots() {
        assert_eq!(MethodDescriptor::parse("(IJ[DLjava/lang/Object;D)V").unwrap().parameter_slots(), 7);
    }
}
