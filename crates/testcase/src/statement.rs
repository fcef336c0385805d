//! The statements of a test case: a closed set.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::cluster::{Call, CallableId, FieldId, StubId, TypeId};
use crate::value::Value;

/// A variable: the position of the statement that defines it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct VarRef(pub u16);

impl VarRef {
    /// The position as an index into the statements.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl From<usize> for VarRef {
    fn from(position: usize) -> Self {
        Self(u16::try_from(position).expect("a test case has fewer than 65,536 statements"))
    }
}

/// Arguments of a call, most often few.
pub type Arguments = SmallVec<[VarRef; 4]>;

/// One statement. It defines at most one variable and uses only variables of earlier statements.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Statement {
    /// A literal of a primitive type or `String`. With `boxed` the variable is of the boxed type, or a new `String` with that text,
    /// which is no other object than itself.
    Primitive {
        /// The value.
        value: Value,
        /// Whether the variable is an `Integer`, not an `int`; false for strings.
        boxed: bool,
    },
    /// `null` of a reference type.
    Null {
        /// The declared type.
        of: TypeId,
    },
    /// An enum constant, one of the type's [`crate::cluster::TestCluster::enum_constants`].
    EnumConstant {
        /// The static field that holds it.
        field: FieldId,
    },
    /// A class literal, `Foo.class`. The variable is of type `Class<Foo>`.
    ClassLiteral {
        /// The type of the literal's variable, `Class<Foo>`.
        of: TypeId,
        /// The class named.
        class: TypeId,
    },
    /// `new Foo(…)`. For an inner class the first argument is the enclosing instance.
    Constructor {
        /// The constructor.
        callable: CallableId,
        /// Arguments in order.
        arguments: Arguments,
    },
    /// A method call. Defines a variable unless the method is `void`.
    Method {
        /// The method.
        callable: CallableId,
        /// The receiver; `None` exactly for static methods.
        receiver: Option<VarRef>,
        /// Arguments in order.
        arguments: Arguments,
    },
    /// Reading a field.
    FieldRead {
        /// The field.
        field: FieldId,
        /// The object; `None` exactly for static fields.
        receiver: Option<VarRef>,
    },
    /// Writing a field. Defines no variable.
    FieldWrite {
        /// The field.
        field: FieldId,
        /// The object; `None` exactly for static fields.
        receiver: Option<VarRef>,
        /// The new value.
        value: VarRef,
    },
    /// `new Foo[length]`, elements at their default.
    Array {
        /// The array type.
        of: TypeId,
        /// Number of elements.
        length: u16,
    },
    /// `array[index] = value`. Defines no variable.
    ArrayWrite {
        /// The array.
        array: VarRef,
        /// The element, 0 to 65535; beyond the length it throws.
        index: u16,
        /// The new value.
        value: VarRef,
    },
    /// An object of an interface or abstract class that the test writes itself: a lambda or an anonymous class.
    Stub {
        /// What it implements.
        stub: StubId,
        /// What it gets and answers; apart, so that the other statements stay small.
        script: Box<Script>,
    },
}

/// What a stub gets and answers: inputs like any other.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Script {
    /// Arguments of the superclass's constructor; none for an interface. For an inner class the first one is the
    /// enclosing instance.
    pub arguments: Arguments,
    /// Answers of each method of the stub, in the order of [`crate::cluster::Stub::methods`].
    pub answers: Vec<Answers>,
}

/// Answers of one method in the order of its calls; the last one repeats. Empty where nothing need be told: it gives null, zero or
/// false.
pub type Answers = SmallVec<[Answer; 1]>;

/// What one call of a stub's method does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Answer {
    /// It gives a variable of the test.
    Value(VarRef),
    /// It gives what was passed as this parameter, from 0.
    Parameter(u8),
    /// It gives the stub itself, as methods do whose calls are chained.
    Itself,
    /// It throws a throwable of the test.
    Throw(VarRef),
    /// It calls a method of what was passed, one of [`StubMethod::callbacks`] by its number, with variables of the test, and gives
    /// what that gives where the method gives something of the kind, else null, zero or nothing.
    ///
    /// [`StubMethod::callbacks`]: crate::cluster::StubMethod::callbacks
    CallBack(u8, [Option<VarRef>; MOST_PASSED_BACK]),
    /// It returns; for `void` methods.
    Return,
}

/// Most that a stub passes to what it calls back.
pub const MOST_PASSED_BACK: usize = 2;

impl Answer {
    /// The variables that it needs.
    pub fn variables(self) -> impl Iterator<Item = VarRef> {
        let needed = match self {
            Self::Value(variable) | Self::Throw(variable) => [Some(variable), None],
            Self::CallBack(_, passed) => passed,
            Self::Parameter(_) | Self::Itself | Self::Return => [None; MOST_PASSED_BACK],
        };
        needed.into_iter().flatten()
    }

    /// The variables that it needs, to change.
    pub fn variables_mut(&mut self) -> impl Iterator<Item = &mut VarRef> {
        let needed = match self {
            Self::Value(variable) | Self::Throw(variable) => [Some(variable), None],
            Self::CallBack(_, [first, second]) => [first.as_mut(), second.as_mut()],
            Self::Parameter(_) | Self::Itself | Self::Return => [None, None],
        };
        needed.into_iter().flatten()
    }
}

impl Statement {
    /// Calls `visit` on each variable used, in the order of evaluation.
    pub fn for_each_use(&self, mut visit: impl FnMut(VarRef)) {
        match self {
            Self::Primitive { .. }
            | Self::Null { .. }
            | Self::EnumConstant { .. }
            | Self::ClassLiteral { .. }
            | Self::Array { .. } => {}
            Self::Constructor { arguments, .. } => arguments.iter().copied().for_each(visit),
            Self::Method { receiver, arguments, .. } => {
                receiver.iter().chain(arguments).copied().for_each(visit);
            }
            Self::FieldRead { receiver, .. } => receiver.iter().copied().for_each(visit),
            Self::FieldWrite { receiver, value, .. } => {
                receiver.iter().copied().for_each(&mut visit);
                visit(*value);
            }
            Self::ArrayWrite { array, value, .. } => {
                visit(*array);
                visit(*value);
            }
            Self::Stub { script, .. } => {
                let answers = script.answers.iter().flatten().flat_map(|answer| answer.variables());
                script.arguments.iter().copied().chain(answers).for_each(visit);
            }
        }
    }

    /// Calls `change` on each variable used, in the order of evaluation.
    pub fn for_each_use_mut(&mut self, mut change: impl FnMut(&mut VarRef)) {
        match self {
            Self::Primitive { .. }
            | Self::Null { .. }
            | Self::EnumConstant { .. }
            | Self::ClassLiteral { .. }
            | Self::Array { .. } => {}
            Self::Constructor { arguments, .. } => arguments.iter_mut().for_each(change),
            Self::Method { receiver, arguments, .. } => {
                receiver.iter_mut().chain(arguments).for_each(change);
            }
            Self::FieldRead { receiver, .. } => receiver.iter_mut().for_each(change),
            Self::FieldWrite { receiver, value, .. } => {
                receiver.iter_mut().for_each(&mut change);
                change(value);
            }
            Self::ArrayWrite { array, value, .. } => {
                change(array);
                change(value);
            }
            Self::Stub { script, .. } => {
                let Script { arguments, answers } = &mut **script;
                let answers = answers.iter_mut().flatten().flat_map(Answer::variables_mut);
                arguments.iter_mut().chain(answers).for_each(change);
            }
        }
    }

    /// The variables used, in the order of evaluation.
    pub fn used(&self) -> Vec<VarRef> {
        let mut used = Vec::new();
        self.for_each_use(|variable| used.push(variable));
        used
    }

    /// Makes one of its uses, counted from 0 in the order of evaluation, one of another variable.
    pub fn redirect(&mut self, place: usize, to: VarRef) {
        let mut next = 0;
        self.for_each_use_mut(|used| {
            if next == place {
                *used = to;
            }
            next += 1;
        });
    }

    /// Whether the statement uses the variable.
    pub fn uses(&self, variable: VarRef) -> bool {
        let mut found = false;
        self.for_each_use(|used| found |= used == variable);
        found
    }

    /// The object that a method is called on or whose field is accessed; `None` for static members and all else.
    pub fn receiver(&self) -> Option<VarRef> {
        match self {
            Self::Method { receiver, .. }
            | Self::FieldRead { receiver, .. }
            | Self::FieldWrite { receiver, .. } => *receiver,
            Self::Primitive { .. }
            | Self::Null { .. }
            | Self::EnumConstant { .. }
            | Self::ClassLiteral { .. }
            | Self::Constructor { .. }
            | Self::Array { .. }
            | Self::ArrayWrite { .. }
            | Self::Stub { .. } => None,
        }
    }

    /// The constructor or method called, if it is a call.
    pub fn callable(&self) -> Option<CallableId> {
        match self {
            Self::Constructor { callable, .. } | Self::Method { callable, .. } => Some(*callable),
            Self::Primitive { .. }
            | Self::Null { .. }
            | Self::EnumConstant { .. }
            | Self::ClassLiteral { .. }
            | Self::FieldRead { .. }
            | Self::FieldWrite { .. }
            | Self::Array { .. }
            | Self::ArrayWrite { .. }
            | Self::Stub { .. } => None,
        }
    }

    /// The field that it reads or writes, if it does.
    pub fn field(&self) -> Option<FieldId> {
        match self {
            Self::FieldRead { field, .. } | Self::FieldWrite { field, .. } => Some(*field),
            Self::Primitive { .. }
            | Self::Null { .. }
            | Self::EnumConstant { .. }
            | Self::ClassLiteral { .. }
            | Self::Constructor { .. }
            | Self::Method { .. }
            | Self::Array { .. }
            | Self::ArrayWrite { .. }
            | Self::Stub { .. } => None,
        }
    }

    /// What of a test cluster it uses, if it runs code of classes: calls, accesses of fields (which initialize
    /// classes), stubs (whose constructors run).
    pub fn call(&self) -> Option<Call> {
        match self {
            Self::Constructor { callable, .. } | Self::Method { callable, .. } => {
                Some(Call::Callable(*callable))
            }
            Self::FieldRead { field, .. } => Some(Call::Read(*field)),
            Self::FieldWrite { field, .. } => Some(Call::Write(*field)),
            Self::Stub { stub, .. } => Some(Call::Implement(*stub)),
            Self::Primitive { .. }
            | Self::Null { .. }
            | Self::EnumConstant { .. }
            | Self::ClassLiteral { .. }
            | Self::Array { .. }
            | Self::ArrayWrite { .. } => None,
        }
    }
}
