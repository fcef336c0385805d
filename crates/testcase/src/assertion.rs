//! What is observed of a value, and what a test asserts of it: data shared by output goals, assertion
//! generation and the JUnit writer.

use bytecode::descriptor::PrimitiveType;
use bytecode::name::ClassName;
use serde::{Deserialize, Serialize};

use crate::cluster::{CallableId, FieldId, Stub, StubId, StubMethod};
use crate::statement::VarRef;
use crate::value::{JavaString, Value};

/// Types of the JDK whose values are asserted by their size, as `size()` tells it.
pub const SIZED: [&str; 2] = ["java/util/Collection", "java/util/Map"];

/// Those below [`SIZED`] that hold what belongs to the release of the JDK: nothing of it is asserted.
pub const OF_THE_RELEASE: [&str; 1] = ["java/security/Provider"];

/// When and what to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ObservationPoint {
    /// The statement behind which the value is read; the one that throws where what an exception leaves is read.
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
    /// The result of a method without parameters called on the result of another one, which is called on it: what an object that it
    /// has is like. The other one may take an index, which is 0. Where it gives a list or an optional, its element is asked
    /// ([`crate::cluster::TestCluster::element_of_result`]).
    Nested(VarRef, CallableId, CallableId),
    /// A public field of it.
    Field(VarRef, FieldId),
    /// Whether two references are the same object.
    Same(VarRef, VarRef),
    /// What was called so far of an object that the test implements itself: of this variable, by this stub.
    Calls(VarRef, StubId),
    /// The message of the exception that ended the test, where code of the class path composed it. Of JDK code and the JVM it is
    /// another one in another release.
    Message,
    /// The class of the cause of the exception that ended the test, as [`ObservedValue::Class`].
    Cause,
    /// What a sequence gives, which uses it up: as a list, or as an array of numbers.
    Elements(VarRef, Sequence),
    /// What the test printed so far, as a string with the line ends of this machine: no more than some thousand characters of ASCII,
    /// of which there is at least one. Where a test would not hold it, its length.
    Printed(StandardStream),
    /// What is in the folder of the test, as [`ObservedValue::Files`].
    Files,
}

/// Where tests print to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum StandardStream {
    /// `System.out`
    Out,
    /// `System.err`
    Err,
}

impl StandardStream {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Out, Self::Err];
}

impl ObservationTarget {
    /// Whether reading it uses up what is read, so that nothing may look at that later.
    pub fn uses_up(self) -> bool {
        matches!(self, Self::Elements(..))
    }

    /// Whether reading it asks an inspector: a call, which takes its time.
    pub fn asks(self) -> bool {
        matches!(self, Self::Inspector(..) | Self::Nested(..))
    }

    /// The object of which it tells something; `None` where that is no one object, or not what it is like.
    pub fn object(self) -> Option<VarRef> {
        match self {
            Self::Value(object)
            | Self::Inspector(object, _)
            | Self::Nested(object, ..)
            | Self::Field(object, _)
            | Self::Elements(object, _) => Some(object),
            Self::Same(..)
            | Self::Calls(..)
            | Self::Message
            | Self::Cause
            | Self::Printed(_)
            | Self::Files => None,
        }
    }
}

/// Something that gives its elements one after the other, by the type that it is declared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Sequence {
    /// A `java.util.Iterator`.
    Iterator,
    /// A `java.util.Enumeration`.
    Enumeration,
    /// A `java.util.stream.Stream`.
    Stream,
    /// A `java.util.stream.IntStream`.
    IntStream,
    /// A `java.util.stream.LongStream`.
    LongStream,
    /// A `java.util.stream.DoubleStream`.
    DoubleStream,
    /// A `java.lang.Iterable` that is no collection.
    Iterable,
}

impl Sequence {
    /// All, in the order of their numbers in the class `Values` of the runtime. Of types that are several the first counts.
    pub const ALL: [Self; 7] = [
        Self::Iterator,
        Self::Enumeration,
        Self::Stream,
        Self::IntStream,
        Self::LongStream,
        Self::DoubleStream,
        Self::Iterable,
    ];

    /// Internal name of the interface.
    pub fn interface(self) -> &'static str {
        match self {
            Self::Iterator => "java/util/Iterator",
            Self::Enumeration => "java/util/Enumeration",
            Self::Stream => "java/util/stream/Stream",
            Self::IntStream => "java/util/stream/IntStream",
            Self::LongStream => "java/util/stream/LongStream",
            Self::DoubleStream => "java/util/stream/DoubleStream",
            Self::Iterable => "java/lang/Iterable",
        }
    }

    /// The type of its elements, where these are numbers that are not boxed.
    pub fn primitive(self) -> Option<PrimitiveType> {
        match self {
            Self::IntStream => Some(PrimitiveType::Int),
            Self::LongStream => Some(PrimitiveType::Long),
            Self::DoubleStream => Some(PrimitiveType::Double),
            Self::Iterator | Self::Enumeration | Self::Stream | Self::Iterable => None,
        }
    }

    /// What a type is, whose supertypes these are, itself included; `None` of a collection or map, which is seen by what it holds,
    /// and of an iterator over numbers, whose methods are overloaded.
    pub fn among(supertypes: &[ClassName]) -> Option<Self> {
        let is_below = |name: &str| supertypes.iter().any(|sup| sup.as_str() == name);
        if SIZED.iter().any(|name| is_below(name)) || is_below("java/util/PrimitiveIterator") {
            return None;
        }
        Self::ALL.into_iter().find(|sequence| is_below(sequence.interface()))
    }
}

/// What a container is, as its `equals` says: one kind never equals another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Container {
    /// A `java.util.List`, in its order.
    List,
    /// A `java.util.Set`, ascending.
    Set,
    /// A `java.util.Map`: keys and values in turn, ascending by key.
    Map,
    /// Another collection whose order is always the same: a queue, say. It equals nothing but itself.
    Ordered,
    /// A `java.util.Optional`.
    Optional,
    /// A `java.util.OptionalInt`.
    OptionalInt,
    /// A `java.util.OptionalLong`.
    OptionalLong,
    /// A `java.util.OptionalDouble`.
    OptionalDouble,
}

impl Container {
    /// All, in the order of their numbers in the class `Values` of the runtime.
    pub const ALL: [Self; 8] = [
        Self::List,
        Self::Set,
        Self::Map,
        Self::Ordered,
        Self::Optional,
        Self::OptionalInt,
        Self::OptionalLong,
        Self::OptionalDouble,
    ];

    /// Its size, as a collection or map tells it, when it holds so many values.
    pub fn size(self, held: usize) -> usize {
        match self {
            Self::Map => held / 2,
            Self::List
            | Self::Set
            | Self::Ordered
            | Self::Optional
            | Self::OptionalInt
            | Self::OptionalLong
            | Self::OptionalDouble => held,
        }
    }

    /// Whether it is a collection or a map, which has a size.
    pub fn is_sized(self) -> bool {
        match self {
            Self::List | Self::Set | Self::Map | Self::Ordered => true,
            Self::Optional | Self::OptionalInt | Self::OptionalLong | Self::OptionalDouble => false,
        }
    }
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
    /// A container whose elements can all be asserted, up to a number the executor bounds.
    Container(Container, Vec<ObservedValue>),
    /// An object that is known by what its `toString` gives: a text that is built up, or a container in order whose elements
    /// have a `toString` of their own.
    Text {
        /// What it gives.
        text: JavaString,
        /// Number of elements, where it is a collection, map or array.
        size: Option<u32>,
    },
    /// A text of which no more than this beginning is the same in each run and on each machine; as an expected value only.
    Beginning(JavaString),
    /// The calls that an object got which the test implements itself, one after the other.
    Calls(Vec<StubCall>),
    /// The files of the test's folder, ascending by name; as an expected value only those that a test tells.
    Files(Vec<SeenFile>),
    /// Another object: its class, and its size where it is a collection, map or array too long to list.
    Object {
        /// The run-time class.
        class: ClassName,
        /// Number of elements.
        size: Option<u32>,
    },
}

impl ObservedValue {
    /// The number of elements of an array, collection or map, or of characters of a text, as far as it is known.
    pub fn size(&self) -> Option<u32> {
        match self {
            Self::Object { size, .. } | Self::Text { size, .. } => *size,
            Self::Container(of, held) if of.is_sized() => u32::try_from(of.size(held.len())).ok(),
            Self::Array(elements) => u32::try_from(elements.len()).ok(),
            Self::Primitive(Value::String(text)) => u32::try_from(text.len()).ok(),
            Self::Null
            | Self::Primitive(_)
            | Self::Boxed(_)
            | Self::EnumConstant(..)
            | Self::Class(_)
            | Self::Container(..)
            | Self::Beginning(_)
            | Self::Calls(_)
            | Self::Files(_) => None,
        }
    }
}

/// A file or folder in the folder of a test.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SeenFile {
    /// Its path in the folder, with `/` between names; ASCII. Empty for the folder itself, which is told where it is gone alone.
    pub name: String,
    /// What is there.
    pub state: FileState,
    /// Whether the test itself made it so.
    pub is_prepared: bool,
}

/// What is found where a file may be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FileState {
    /// Nothing.
    Absent,
    /// A folder; one that is listed for itself has nothing in it.
    Folder,
    /// A file with this text: no more than some hundred characters of printable ASCII, tabs and line ends.
    Text(JavaString),
    /// A file with other content: so many bytes.
    Bytes(u64),
    /// Anything; an expected state alone, where what is there may be another one each time.
    Present,
}

impl FileState {
    /// Whether the assertion of this state fails where another one is found.
    pub fn fails_at(&self, found: &Self) -> bool {
        if *self == Self::Present { *found == Self::Absent } else { self != found }
    }
}

/// A call of a method that the test implements itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StubCall {
    /// Which method of the stub, by its place among those that its script speaks for.
    pub method: u16,
    /// How a test tells it: `visit(a, 1)`.
    pub text: JavaString,
    /// For each argument that the text does not tell, in their order, the variable of the test that holds the same object; `None` where none
    /// does. A run is not judged by them.
    pub objects: Vec<Option<VarRef>>,
}

impl StubCall {
    /// A call of a method, told so, of which no variable is known to be passed.
    pub fn new(method: u16, text: impl Into<JavaString>) -> Self {
        Self { method, text: text.into(), objects: Vec::new() }
    }

    /// Whether the method of this stub that is called is one that does something, see [`StubMethod::is_command`].
    pub fn is_command(&self, stub: &Stub) -> bool {
        stub.methods.get(usize::from(self.method)).is_some_and(StubMethod::is_command)
    }

    /// Whether a test that expects this call takes another one for it.
    pub fn is_same(&self, other: &Self) -> bool {
        self.method == other.method && self.text == other.text
    }
}

/// Something a test asserts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Assertion {
    /// The statement behind which it stands; the one that throws where the test looks at what an exception leaves.
    pub after: VarRef,
    /// What it reads.
    pub target: ObservationTarget,
    /// What it expects. For [`ObservationTarget::Same`] a boolean.
    pub expected: ObservedValue,
}

/// Whether a text holds what `Object.toString` gives: a name, `@`, and a hash in hexadecimal.
pub fn has_identity_hash(text: &str) -> bool {
    identity_hash(text).is_some()
}

/// Where the first such hash begins, in bytes.
pub(crate) fn identity_hash(text: &str) -> Option<usize> {
    let is_hash = |&at: &usize| {
        let named = text[..at]
            .ends_with(|last: char| last.is_alphanumeric() || matches!(last, '_' | '$' | ';' | ']' | '['));
        let rest = &text[at + 1..];
        let digits = rest.find(|digit: char| !matches!(digit, '0'..='9' | 'a'..='f')).unwrap_or(rest.len());
        let ends = !rest[digits..].starts_with(|next: char| next.is_alphanumeric());
        named && (1..=8).contains(&digits) && ends
    };
    text.match_indices('@').map(|(at, _)| at).find(is_hash).map(|at| at + 1)
}
