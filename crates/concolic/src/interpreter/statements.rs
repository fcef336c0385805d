//! What statements of tests do, outside of any frame.

use bytecode::descriptor::ErasedType;
use bytecode::name::ClassName;

use crate::interpreter::calls::Then;
use crate::interpreter::heap::FieldName;
use crate::interpreter::machine::{Abrupt, Interpreter};
use crate::interpreter::selection::Dispatch;
use crate::interpreter::{
    Concrete, End, Happening, Heap, MethodName, ObjectId, Outcome, PathCondition, Slot, Unmodelled, Why,
};
use crate::term::Terms;

impl Interpreter<'_> {
    /// The pool of the terms.
    pub fn terms(&mut self) -> &mut Terms {
        self.terms
    }

    /// The objects.
    pub fn heap(&mut self) -> &mut Heap {
        &mut self.heap
    }

    /// The conditions so far.
    pub fn conditions(&self) -> &[PathCondition] {
        &self.conditions
    }

    /// What was given values with terms so far and is not modelled.
    pub fn unmodelled(&self) -> &Unmodelled {
        &self.unmodelled
    }

    /// A statement begins.
    ///
    /// # Errors
    /// The recording has no such statement.
    pub fn begin(&mut self, statement: usize) -> Result<(), End> {
        self.frames.clear();
        ended(self.happened(&Happening::Began(statement)))
    }

    /// A statement ended; what the recording says of it is checked.
    ///
    /// # Errors
    /// It ended otherwise in the recording.
    pub fn complete_statement(&mut self, outcome: Outcome) -> Result<(), End> {
        self.frames.clear();
        ended(self.happened(&Happening::Ended(outcome)))
    }

    /// Calls a method or a constructor, receiver first.
    pub fn call_from_test(&mut self, dispatch: Dispatch, method: &MethodName, arguments: Vec<Slot>) -> End {
        self.frames.clear();
        let is_initializing = dispatch == Dispatch::Static || *method.name == *"<init>";
        if is_initializing && let Err(end) = self.initialize_from_test(&method.class) {
            return end;
        }
        let step = self.call(dispatch, method, arguments, Then::End);
        self.run_from(step)
    }

    /// A new object, not constructed yet.
    pub fn make_object(&mut self, class: ClassName) -> ObjectId {
        self.heap.made(class)
    }

    /// A new array.
    pub fn make_array(&mut self, element: ErasedType, length: Slot) -> ObjectId {
        self.heap.made_array(element, length)
    }

    /// Runs the initializer of a class where it has not run and nothing else says that it has.
    ///
    /// # Errors
    /// How it ended, if it did not complete.
    pub fn initialize_from_test(&mut self, class: &ClassName) -> Result<(), End> {
        loop {
            match self.initialize(class) {
                Ok(false) => return Ok(()),
                Ok(true) => {}
                Err(Abrupt::End(end)) => return Err(end),
                Err(Abrupt::Throw(_) | Abrupt::Declined) => return Err(End::Unknown(Why::Malformed)),
            }
            match self.run_from(Ok(())) {
                End::Returned(_) => {}
                end @ (End::Threw { .. }
                | End::Unknown(_)
                | End::OutOfSteps
                | End::TooDeep
                | End::Diverged { .. }) => return Err(end),
            }
        }
    }

    /// What a field holds: what the recording says, with the term of the replay where that is the same.
    pub fn field_from_test(
        &mut self,
        object: Option<ObjectId>,
        field: &FieldName,
        erased: &ErasedType,
    ) -> Option<Slot> {
        let known = match object {
            Some(object) => {
                let is_own = self.heap.get(object).is_own;
                self.heap
                    .field(object, field)
                    .map(|cell| cell.slot)
                    .or(is_own.then(|| Slot::default_of(erased)))
            }
            None => self.statics.get(field).copied(),
        };
        let slot = match self.outside.statement_outcome(&mut self.heap) {
            Some(Outcome::Returned(Some(read))) => {
                known.filter(|&known| self.is_same_value(known, read)).unwrap_or(read)
            }
            Some(Outcome::Returned(None) | Outcome::Threw(_)) => return None,
            None => known?,
        };
        self.write_from_test(object, field.clone(), slot);
        Some(slot)
    }

    /// Writes a field.
    pub fn write_from_test(&mut self, object: Option<ObjectId>, field: FieldName, slot: Slot) {
        match object {
            Some(object) => self.heap.set_field(object, field, slot),
            None => {
                self.statics.insert(field, slot);
            }
        }
    }

    /// How the statement ended that began last, as far as only the recording knows.
    pub fn recorded_outcome(&mut self) -> Option<Outcome> {
        self.outside.statement_outcome(&mut self.heap)
    }

    /// Whether an object may stand in an array.
    pub fn fits(&self, slot: Slot, element: &ErasedType) -> bool {
        match slot.concrete {
            Concrete::Reference(object) => self.is_instance(object, element),
            Concrete::Null
            | Concrete::Int(_)
            | Concrete::Long(_)
            | Concrete::Float(_)
            | Concrete::Double(_) => true,
        }
    }
}

fn ended(done: Result<(), Abrupt>) -> Result<(), End> {
    match done {
        Ok(()) | Err(Abrupt::Throw(_) | Abrupt::Declined) => Ok(()),
        Err(Abrupt::End(end)) => Err(end),
    }
}
