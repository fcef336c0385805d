//! What a replay asks for because it does not know it, and what it tells: the seam to recordings of runs.

use bytecode::descriptor::ErasedType;
use bytecode::instruction::InstructionIndex;
use bytecode::name::ClassName;
use testcase::recording::{Event, RecordedValue};

use crate::interpreter::{Concrete, Heap, MethodName, ObjectId, Slot};

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

/// Something that the replay did and that a recording has an event for, in the order of the run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Happening<'h> {
    /// A statement of the test begins.
    Began(usize),
    /// It ended, and all that was interpreted of it.
    Ended(Outcome),
    /// A method is interpreted from here on.
    Entered(&'h MethodName),
    /// It is about to return.
    Left,
    /// A call that stands in an interpreted method returned, however it was computed. With the receiver of a constructor.
    Returned(Option<Slot>, Option<ObjectId>),
    /// Instructions made an array.
    Made(ObjectId),
    /// An exception came to a handler.
    Caught {
        /// The method.
        method: &'h MethodName,
        /// The first instruction of the handler.
        handler: InstructionIndex,
        /// The exception.
        exception: ObjectId,
    },
    /// A branch decides on this, as in [`Event::Decided`].
    Decided(i64),
}

impl Happening<'_> {
    /// What it is called.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Began(_) => "began",
            Self::Ended(_) => "ended",
            Self::Entered(_) => "entered",
            Self::Left => "left",
            Self::Returned(..) => "returned",
            Self::Made(_) => "made",
            Self::Caught { .. } => "caught",
            Self::Decided(_) => "decided",
        }
    }
}

/// What differs between a replay and its recording.
#[derive(Debug, Clone, PartialEq)]
pub enum Difference {
    /// Something else happened; `None` where the statement has no more events.
    Event {
        /// What the replay did.
        replayed: &'static str,
        /// The event of the recording.
        recorded: Option<Event>,
    },
    /// Another value.
    Value {
        /// That of the replay; `None` where it has none.
        replayed: Option<Concrete>,
        /// That of the recording.
        recorded: Option<RecordedValue>,
    },
    /// A branch decided on something else.
    Decision {
        /// What the replay decided on.
        replayed: i64,
        /// What the run decided on.
        recorded: i64,
    },
    /// An object of another class.
    Class {
        /// That of the replay.
        replayed: ErasedType,
        /// That of the recording.
        recorded: ErasedType,
    },
    /// An object of the replay is another one than that of the recording.
    Identity,
    /// An object with another text, number or length.
    Content,
}

/// Why a replay cannot follow its recording any longer.
#[derive(Debug, Clone, PartialEq)]
pub enum Mismatch {
    /// They differ at an event.
    Differs {
        /// The event, by number.
        event: usize,
        /// How.
        difference: Difference,
    },
    /// The recording had no room for more.
    Ends,
}

/// Answers what a replay does not know. `None` is "unknown" and ends the replay; as it stands, nothing is known. Values may have
/// terms: an input may lie in a field. Objects that the heap does not have yet are added to it, each once.
///
/// The second half is for recordings of runs, and does nothing where there is none.
pub trait Outside {
    /// What a call returned or threw.
    fn call(&mut self, _call: &Call<'_>, _heap: &mut Heap) -> Option<Outcome> {
        None
    }

    /// What was read from a field of an object.
    fn field(
        &mut self,
        _object: ObjectId,
        _class: &ClassName,
        _name: &str,
        _heap: &mut Heap,
    ) -> Option<Slot> {
        None
    }

    /// What was read from a static field.
    fn static_field(&mut self, _class: &ClassName, _name: &str, _heap: &mut Heap) -> Option<Slot> {
        None
    }

    /// What was read from an array.
    fn element(&mut self, _array: ObjectId, _index: i32, _heap: &mut Heap) -> Option<Slot> {
        None
    }

    /// Whether a class had been initialized when the replay first used it (JVMS 5.5).
    fn is_initialized(&mut self, class: &ClassName) -> Option<bool>;

    /// `System.identityHashCode`.
    fn identity_hash_code(&mut self, _object: ObjectId) -> Option<i32> {
        None
    }

    /// Whether there is a recording, which then says what was interpreted and what was read.
    fn has_recording(&self) -> bool {
        false
    }

    /// Whether code of the platform is interpreted where all that it touches is known.
    fn interprets_platform(&self) -> bool {
        self.has_recording()
    }

    /// What happens from here on may be undone. Such trials may lie within one another.
    fn begin(&mut self) {}

    /// What happened since the last [`Outside::begin`] stays.
    fn keep(&mut self) {}

    /// What happened since the last [`Outside::begin`] is undone.
    fn undo(&mut self) {}

    /// Whether a call that is not interpreted came to this, one of a method's or one of a statement's own.
    fn agrees(&self, _outcome: &Outcome, _is_statement: bool, _heap: &Heap) -> bool {
        true
    }

    /// The method that was entered next, if that is what happened next.
    fn next_entered(&self) -> Option<MethodName> {
        None
    }

    /// What the branch decided on that comes next, if that is what happened next.
    fn next_decision(&self) -> Option<i64> {
        None
    }

    /// Whether the call that is about to be computed threw, of one that was not entered.
    fn next_threw(&mut self) -> bool {
        false
    }

    /// The exception that came to a handler or out of the test next, if that is what happened next.
    fn next_exception(&mut self, _heap: &mut Heap) -> Option<ObjectId> {
        None
    }

    /// Its class.
    fn next_exception_class(&self) -> Option<&ErasedType> {
        None
    }

    /// How the statement ended that began last, where nothing of it was interpreted.
    fn statement_outcome(&mut self, _heap: &mut Heap) -> Option<Outcome> {
        None
    }

    /// What was read where the replay knows this, or does not know; what it knows if that is the same.
    ///
    /// # Errors
    /// The recording has no read there.
    fn read(&mut self, known: Option<Slot>, _heap: &mut Heap) -> Result<Option<Slot>, Mismatch> {
        Ok(known)
    }

    /// Something happened.
    ///
    /// # Errors
    /// Something else happened in the recording.
    fn happened(&mut self, _happening: &Happening<'_>, _heap: &mut Heap) -> Result<(), Mismatch> {
        Ok(())
    }
}
