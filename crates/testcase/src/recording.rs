//! What a recorded run logged: all that a replay of its code cannot compute from the inputs of the test.
//!
//! Only classes of the class path are recorded, and of these only methods that could be given the probes. Events stand in the
//! order of the run, those of its own thread alone. `docs/design/recordings.md` says which instruction logs what.

use std::sync::Arc;

use bytecode::descriptor::ErasedType;
use bytecode::instruction::InstructionIndex;
use bytecode::name::ClassName;

/// An event, and who logged it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoggedEvent {
    /// The activation of a recorded method, by the place of the [`Event::Entered`] among the events with which it began.
    pub activation: usize,
    /// What happened.
    pub event: Event,
}

/// An object of a recording, by number: its identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordedId(pub u32);

impl RecordedId {
    /// The number as an index into [`Recording::objects`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A value as the JVM computes with it (JVMS 2.11.1): the types below `int` are `int`. Floats keep their bits, NaN as well.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RecordedValue {
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
    /// An object.
    Reference(RecordedId),
}

/// A method that was recorded, by number: an index into [`Recording::methods`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordedMethodId(pub u32);

impl RecordedMethodId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A method that was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordedMethod {
    /// The class that declares it.
    pub class: ClassName,
    /// Its name.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
}

/// Something that a recorded method did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event {
    /// A recorded method began, called by whatever code.
    Entered(RecordedMethodId),
    /// A recorded method is about to return. One that throws logs nothing.
    Left,
    /// A call in a recorded method returned (any `invoke` instruction, `invokedynamic` included), with this value if it has
    /// one. Whether the callee was recorded makes no difference.
    Returned(Option<RecordedValue>),
    /// A field, a static field or an element of an array was read.
    Read(RecordedValue),
    /// An object is there: an array was made (`newarray`, `anewarray`, `multianewarray`), the constructor of a `new` that is
    /// followed by `dup` has ended, or, within a constructor, that of the superclass or another of the class has.
    Made(RecordedId),
    /// An exception came to a handler of a recorded method.
    Caught {
        /// The method.
        method: RecordedMethodId,
        /// The first instruction of the handler, in the class file as it was compiled.
        handler: InstructionIndex,
        /// The exception.
        exception: RecordedId,
    },
    /// A conditional jump or a switch decides: on the `int` operand or the key; on two `int`s, the first one in the high half;
    /// on two references, 1 if they are the same, else 0; on one reference, 1 if it is null, else 0.
    Decided(i64),
}

/// What is known of an object for good. What its fields and elements held is in the events.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedObject {
    /// Its class, or array type.
    pub class: ErasedType,
    /// What it consists of.
    pub content: RecordedContent,
}

/// What does not change of an object.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordedContent {
    /// A `String`: UTF-16 code units.
    Text(Arc<[u16]>),
    /// An object of a class that boxes a primitive type.
    Boxed(RecordedValue),
    /// A `Class`.
    Class(ErasedType),
    /// An array of so many elements.
    Array(i32),
    /// A `java.util.regex.Pattern`.
    Pattern {
        /// The expression: UTF-16 code units.
        expression: Arc<[u16]>,
        /// Its flags.
        flags: i32,
    },
    /// Anything else.
    Other,
}

/// A statement of the test in a recorded run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecordedStatement {
    /// Number of events before it began.
    pub first_event: usize,
    /// The value of its variable; `None` if it defines none or did not complete.
    pub result: Option<RecordedValue>,
    /// The exception that it let through, if it did.
    pub exception: Option<RecordedId>,
}

/// What a recorded run logged.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recording {
    /// The methods that events name.
    pub methods: Vec<RecordedMethod>,
    /// The objects that were seen, in the order in which they were first logged.
    pub objects: Vec<RecordedObject>,
    /// What happened.
    pub events: Vec<LoggedEvent>,
    /// The statements that the run began, in order.
    pub statements: Vec<RecordedStatement>,
    /// Whether the events are all that there were; otherwise there was no room for those behind.
    pub is_complete: bool,
}
