//! What a replay asks for because it does not know it: the seam to recordings of runs.

use bytecode::name::ClassName;

use crate::interpreter::{Heap, ObjectId, Slot};

/// A call of code that is neither interpreted nor modelled.
#[derive(Debug, Clone, Copy)]
pub struct Call<'c> {
    /// The class that the call names, or that of the receiver where that is known.
    pub class: &'c ClassName,
    /// The name of the method.
    pub name: &'c str,
    /// Its descriptor.
    pub descriptor: &'c str,
    /// Receiver, if there is one, and arguments.
    pub arguments: &'c [Slot],
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outcome {
    /// It returned, with a value if it has one.
    Returned(Option<Slot>),
    /// It threw this.
    Threw(ObjectId),
}

/// Answers what a replay does not know. `None` is "unknown" and ends the replay. Values may have terms: an input may lie in a
/// field. Objects that the heap does not have yet are added to it, each once.
pub trait Outside {
    /// What a call returned or threw.
    fn call(&mut self, call: &Call<'_>, heap: &mut Heap) -> Option<Outcome>;

    /// What was read from a field of an object.
    fn field(&mut self, object: ObjectId, class: &ClassName, name: &str, heap: &mut Heap) -> Option<Slot>;

    /// What was read from a static field.
    fn static_field(&mut self, class: &ClassName, name: &str, heap: &mut Heap) -> Option<Slot>;

    /// What was read from an array.
    fn element(&mut self, array: ObjectId, index: i32, heap: &mut Heap) -> Option<Slot>;

    /// Whether a class had been initialized when the replay first used it (JVMS 5.5).
    fn is_initialized(&mut self, class: &ClassName) -> Option<bool>;

    /// `System.identityHashCode`.
    fn identity_hash_code(&mut self, object: ObjectId) -> Option<i32>;
}
