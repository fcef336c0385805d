//! What is observed of a value, and what a test asserts of it: data shared by output goals, assertion
//! generation and the JUnit writer.

use bytecode::name::ClassName;
use serde::{Deserialize, Serialize};

use crate::cluster::{CallableId, FieldId};
use crate::statement::VarRef;
use crate::value::Value;

/// Types of the JDK whose values are asserted by their size, as `size()` tells it.
pub const SIZED: [&str; 2] = ["java/util/Collection", "java/util/Map"];

/// When and what to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ObservationPoint {
    /// The statement behind which the value is read.
    pub after: VarRef,
    /// What is read.
    pub target: ObservationTarget,
}

/// What is read of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ObservationTarget {
    /// The value itself.
    Value(VarRef),
    /// The result of a method without parameters called on it.
    Inspector(VarRef, CallableId),
    /// A public field of it.
    Field(VarRef, FieldId),
    /// Whether two references are the same object.
    Same(VarRef, VarRef),
}

/// A value as a test can assert it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ObservedValue {
    /// `null`
    Null,
    /// A primitive value or a string.
    Primitive(Value),
    /// A value of a boxed type.
    Boxed(Value),
    /// An enum constant: class and name.
    EnumConstant(ClassName, String),
    /// A `java.lang.Class`: its binary name, as `Class.getName` gives it.
    Class(String),
    /// An array whose elements can all be asserted, up to a length the executor bounds.
    Array(Vec<ObservedValue>),
    /// Another object: its class, and its size where it is a collection, map or array too long to list.
    Object {
        /// The run-time class.
        class: ClassName,
        /// Number of elements.
        size: Option<u32>,
    },
}

/// Something a test asserts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Assertion {
    /// The statement behind which it stands.
    pub after: VarRef,
    /// What it reads.
    pub target: ObservationTarget,
    /// What it expects. For [`ObservationTarget::Same`] a boolean.
    pub expected: ObservedValue,
}
