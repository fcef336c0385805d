//! Answers of stubs: objects of the test whose methods answer from a script.

use std::sync::Arc;

use crate::interpreter::machine::Interpreter;
use crate::interpreter::{Concrete, MethodName, ObjectId, Slot};

/// What one call of a stub's method does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ScriptedAnswer {
    /// It gives this.
    Value(Slot),
    /// It gives what was passed as this parameter, from 0.
    Parameter(usize),
    /// It gives the object itself.
    Itself,
    /// It throws, or gives nothing.
    Nothing,
}

/// A method of a stub.
#[derive(Debug, Clone)]
pub struct ScriptedMethod {
    name: Arc<str>,
    descriptors: Vec<Arc<str>>,
    answers: Vec<ScriptedAnswer>,
    calls: usize,
}

impl ScriptedMethod {
    /// A method that supertypes declare with these descriptors, and its answers, of which the last one repeats.
    pub fn new(name: Arc<str>, descriptors: Vec<Arc<str>>, answers: Vec<ScriptedAnswer>) -> Self {
        Self { name, descriptors, answers, calls: 0 }
    }
}

impl Interpreter<'_> {
    /// Says what the methods of an object answer.
    pub fn script(&mut self, object: ObjectId, methods: Vec<ScriptedMethod>) {
        self.scripts.insert(object, methods);
    }

    /// What the script of a receiver answers to a call, if it has one.
    pub(super) fn scripted(&mut self, method: &MethodName, arguments: &[Slot]) -> Option<Slot> {
        let Concrete::Reference(receiver) = arguments.first()?.concrete else { return None };
        let methods = self.scripts.get_mut(&receiver)?;
        let found = methods
            .iter_mut()
            .find(|it| it.name == method.name && it.descriptors.contains(&method.descriptor))?;
        let last = found.answers.len().checked_sub(1)?;
        let answer = found.answers[found.calls.min(last)];
        found.calls += 1;
        match answer {
            ScriptedAnswer::Value(slot) => Some(slot),
            ScriptedAnswer::Parameter(number) => arguments.get(number + 1).copied(),
            ScriptedAnswer::Itself => arguments.first().copied(),
            ScriptedAnswer::Nothing => None,
        }
    }

    /// Whether two values are the same, or strings or boxes with the same content.
    pub(super) fn is_same_value(&self, one: Slot, other: Slot) -> bool {
        match (one.concrete, other.concrete) {
            (Concrete::Reference(one), Concrete::Reference(other)) => {
                one == other || self.is_same_datum(one, other)
            }
            (one, other) => one == other,
        }
    }
}
