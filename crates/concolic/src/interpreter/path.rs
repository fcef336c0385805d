//! What a replay results in: the conditions of its path, and how it ended.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytecode::instruction::InstructionIndex;
use bytecode::name::ClassName;

use crate::interpreter::{Difference, Heap, ObjectId, Slot};
use crate::term::TermId;

/// A method.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MethodName {
    /// The class that declares it, or that a call names.
    pub class: ClassName,
    /// Its name.
    pub name: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
}

impl std::fmt::Display for MethodName {
    /// Binary name of the class, name, descriptor.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}.{}{}", self.class.binary(), self.name, self.descriptor)
    }
}

/// An instruction of a method.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    /// The method.
    pub method: MethodName,
    /// The instruction.
    pub instruction: InstructionIndex,
}

/// Which way a branch went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Way {
    /// A conditional jump jumped.
    Jumped,
    /// A conditional jump went on to the next instruction.
    FellThrough,
    /// A switch took this case.
    Case(i32),
    /// A switch took its default.
    Default,
    /// An instruction or a modelled call that may throw did not.
    Completed,
    /// It threw.
    Threw,
    /// A value had to be what it was: an index, of an array that is too large for a term of all elements.
    Pinned,
}

/// A condition that held in the replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathCondition {
    /// Of sort Bool; true for the inputs of the run.
    pub term: TermId,
    /// The branch.
    pub site: Site,
    /// Tells the activations of its method apart within a run: the same calls, each for the same time, lead to the same number.
    pub activation: u64,
    /// Which way it went.
    pub way: Way,
    /// Which outcomes of the branch these are, if it is one.
    pub outcomes: Option<Outcomes>,
    /// Whether the terms say all of how inputs lead here: so far nothing with a term was given to code that is not modelled, and no term
    /// was too large.
    pub is_exact: bool,
}

/// Outcomes of a branch by number: 0 is the jump of a conditional jump, 1 that it goes on; a switch has one per distinct target in
/// the order of the first key, the default last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outcomes {
    /// The one that was taken.
    pub taken: u16,
    /// The one that the negation of the condition leads to; `None` if it may be one of several.
    pub other: Option<u16>,
}

/// What a cast or a type test found (JVMS 6.5, `checkcast` and `instanceof`): it depends on the object, not on a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeFact {
    /// The object.
    pub object: ObjectId,
    /// Internal name or array descriptor of the type that was asked for.
    pub target: String,
    /// Whether the object is of that type.
    pub holds: bool,
    /// Where.
    pub site: Site,
}

/// Why a replay could not go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// What a call did.
    Call(MethodName),
    /// What a field of an object held.
    Field(ClassName, Arc<str>),
    /// What a static field held.
    StaticField(ClassName, Arc<str>),
    /// What an element of an array was.
    Element(i32),
    /// Whether a class had been initialized.
    Initialization(ClassName),
    /// An identity hash code.
    IdentityHashCode,
    /// A method has no code that can be read.
    NoCode(MethodName),
    /// A constant of the constant pool that is neither a value nor a class.
    Constant,
    /// A bootstrap method of `invokedynamic` other than those for lambdas and string concatenation.
    Bootstrap(String),
    /// `jsr` and `ret`, which no compiler has written since Java 6.
    Subroutine,
    /// Arrays of more dimensions times lengths than the limit.
    TooLarge,
    /// Code that the verifier refuses.
    Malformed,
    /// Code of the platform touched what only the run knows.
    Platform,
    /// The recording had no room for more.
    RecordingEnds,
}

/// How a replay ended.
#[derive(Debug, Clone, PartialEq)]
pub enum End {
    /// The method returned, with a value if it has one.
    Returned(Option<Slot>),
    /// The method threw.
    Threw {
        /// The class of the exception.
        class: ClassName,
        /// The exception.
        object: ObjectId,
    },
    /// Something was not known.
    Unknown(Why),
    /// The limit of steps was reached.
    OutOfSteps,
    /// The limit of frames was reached.
    TooDeep,
    /// The replay did something else than the run.
    Diverged {
        /// Where; `None` between statements.
        site: Option<Site>,
        /// The event of the recording, by number.
        event: usize,
        /// What differs.
        difference: Difference,
    },
}

/// How much a replay may do.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Instructions.
    pub steps: u64,
    /// Instructions of one call of the platform's code. All of these calls together may take as many as all the rest.
    pub platform_steps: u64,
    /// Conditions of one call of the platform's code. What decides on more is held at what it is in so many ways that nothing else
    /// can be chosen.
    pub platform_conditions: usize,
    /// Frames on top of one another.
    pub depth: usize,
    /// Operators of a term, written out as a tree; a larger one becomes concrete.
    pub term_size: u32,
    /// Elements of an array up to which an element at an index that depends on inputs is a term of all elements.
    pub elements: i32,
}

impl Default for Limits {
    /// What a test of a search reaches is far below; a loop that does not end is cut within a second.
    fn default() -> Self {
        Self {
            steps: 2_000_000,
            platform_steps: 20_000,
            platform_conditions: 100,
            depth: 1_000,
            term_size: 5_000,
            elements: 16,
        }
    }
}

/// Methods that were given values with terms and are not modelled, with the number of such calls: each may have cost path
/// conditions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unmodelled {
    calls: BTreeMap<MethodName, u64>,
}

impl Unmodelled {
    pub(crate) fn count(&mut self, method: MethodName) {
        *self.calls.entry(method).or_insert(0) += 1;
    }

    /// The methods, those with most calls first, then by name.
    pub fn by_calls(&self) -> Vec<(&MethodName, u64)> {
        let mut calls: Vec<_> = self.calls.iter().map(|(method, &calls)| (method, calls)).collect();
        calls.sort_by_key(|&(_, calls)| std::cmp::Reverse(calls));
        calls
    }
}

/// The result of a replay.
#[derive(Debug, Clone)]
pub struct Replay {
    /// The conditions of the path, in the order in which they were met; one that is there already is not repeated.
    pub conditions: Vec<PathCondition>,
    /// What casts and type tests found, in order.
    pub facts: Vec<TypeFact>,
    /// How it ended.
    pub end: End,
    /// What was given values with terms and is not modelled.
    pub unmodelled: Unmodelled,
    /// How many terms became concrete because they were too large.
    pub oversized: u64,
    /// How many instructions were executed.
    pub steps: u64,
    /// The objects.
    pub heap: Heap,
}
