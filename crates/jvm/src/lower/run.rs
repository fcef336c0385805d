//! What statements run with: the variables so far, and what ids were looked up as.

use bytecode::descriptor::PrimitiveType;
use testcase::cluster::{TestCluster, TypeId};
use testcase::statement::VarRef;

use crate::jdk::Jdk;
use crate::jni::{Env, Global, Kind, Pending, Ref, ZERO, jvalue};
use crate::resolve::{FieldHandle, Handles};
use crate::runtime::Runtime;
use crate::strings::Strings;
use crate::values::ValueRecorder;

/// Why a statement did not complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Raised {
    /// A Java exception is pending.
    Pending,
    /// The statement itself throws an exception of this class, as the same statement in Java would.
    Statement(&'static str),
    /// The class cannot be linked: the exception that the first use of it throws.
    Linkage(bytecode::name::ClassName),
}

impl From<Pending> for Raised {
    fn from(_: Pending) -> Self {
        Self::Pending
    }
}

/// The null dereference of a statement.
pub(crate) const NULL: Raised = Raised::Statement("java/lang/NullPointerException");
/// The failed cast of a statement.
pub(crate) const CAST: Raised = Raised::Statement("java/lang/ClassCastException");

/// A static field that a statement wrote: its value before.
#[derive(Debug, Clone)]
pub(crate) struct StaticWrite {
    pub(crate) field: FieldHandle,
    pub(crate) old: OldValue,
    /// Entries that the undo log of the probes had then.
    pub(crate) log_length: usize,
}

/// A value that outlives its frame.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OldValue {
    /// A primitive value as it is in a `jvalue`.
    Bits(i64),
    /// A reference, to be deleted once it was written back.
    Reference(Option<Global>),
}

/// A run of a test on this thread.
pub(crate) struct Run<'a, 'f> {
    pub(crate) env: Env<'f>,
    pub(crate) jdk: &'a Jdk,
    pub(crate) cluster: &'a TestCluster,
    pub(crate) handles: &'a Handles,
    pub(crate) strings: &'a mut Strings,
    /// Values of the statements so far, zero where a statement defines no variable.
    pub(crate) variables: &'a mut Vec<jvalue>,
    /// Types of the statements so far.
    pub(crate) types: &'a mut Vec<Option<TypeId>>,
    /// Static fields that statements wrote.
    pub(crate) static_writes: &'a mut Vec<StaticWrite>,
    /// What is seen of values.
    pub(crate) values: &'a mut ValueRecorder,
    pub(crate) runtime: &'a Runtime,
    /// Number of entries in the undo log of the probes.
    pub(crate) log_length: &'a dyn Fn(Env<'_>) -> usize,
    /// Whether references are checked even where their types prove them.
    pub(crate) check_references: bool,
    /// What the last statement threw, while somebody looks at what that left.
    pub(crate) exception: Option<RunException<'f>>,
}

/// The exception that ended a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunException<'f> {
    /// The object.
    pub(crate) object: Ref<'f>,
    /// Whether code of the project threw it.
    pub(crate) is_by_project: bool,
}

impl<'f> Run<'_, 'f> {
    /// The value of a variable.
    pub(crate) fn value(&self, variable: VarRef) -> jvalue {
        self.variables.get(variable.index()).copied().unwrap_or(ZERO)
    }

    /// The type of a variable.
    pub(crate) fn type_of(&self, variable: VarRef) -> Option<TypeId> {
        self.types.get(variable.index()).copied().flatten()
    }

    /// A variable of a reference type.
    pub(crate) fn reference(&self, variable: VarRef) -> Option<Ref<'f>> {
        if self.type_of(variable)?.as_primitive().is_some() {
            return None;
        }
        // SAFETY: the variable is a reference (its type), made in the frame of this run.
        unsafe { Ref::new(self.value(variable).l) }
    }

    /// The first variable that holds an object.
    pub(crate) fn holder_of(&self, object: Ref<'_>) -> Option<VarRef> {
        let holds = |variable: &VarRef| {
            let held = self.reference(*variable);
            held.is_some_and(|held| self.env.is_same(Some(held), Some(object)))
        };
        (0..self.variables.len()).map(VarRef::from).find(holds)
    }

    /// The object that a member is used on: not null, and of the class that has the member.
    pub(crate) fn receiver(&self, variable: VarRef, owner: TypeId, class: Global) -> Result<Ref<'f>, Raised> {
        let object = self.reference(variable).ok_or(NULL)?;
        if self.is_proven(variable, owner) || self.env.is_instance(object, class.get()) {
            Ok(object)
        } else {
            Err(CAST)
        }
    }

    /// The value of a variable as an argument, or as the new value of a field or element.
    pub(crate) fn argument(
        &self,
        variable: VarRef,
        wanted: TypeId,
        kind: Kind,
        class: Option<Global>,
    ) -> Result<jvalue, Raised> {
        let value = self.value(variable);
        let actual = self.type_of(variable).ok_or(CAST)?;
        match (actual.as_primitive(), kind, class) {
            (None, Kind::Object, class) => {
                // SAFETY: a reference of this run's frame, by its type.
                let Some(object) = (unsafe { Ref::new(value.l) }) else { return Ok(value) };
                let fits = self.is_proven(variable, wanted)
                    || class.is_some_and(|class| self.env.is_instance(object, class.get()));
                if fits { Ok(value) } else { Err(CAST) }
            }
            (Some(primitive), kind, _) if Kind::from(primitive) == kind => Ok(value),
            (Some(primitive), kind, _) => widen(value, primitive, kind).ok_or(CAST),
            (None, _, _) => Err(CAST),
        }
    }

    /// Whether the types of the cluster alone say that a variable fits.
    fn is_proven(&self, variable: VarRef, wanted: TypeId) -> bool {
        !self.check_references
            && self.type_of(variable).is_some_and(|actual| self.cluster.is_assignable(actual, wanted))
    }

    /// Checks the type that a generic result or field is cast to.
    pub(crate) fn cast(
        &self,
        value: jvalue,
        kind: Option<Kind>,
        class: Option<Global>,
    ) -> Result<jvalue, Raised> {
        let (Some(Kind::Object), Some(class)) = (kind, class) else { return Ok(value) };
        // SAFETY: a reference (its kind) that JNI gave to the frame of this run.
        match unsafe { Ref::new(value.l) } {
            Some(object) if !self.env.is_instance(object, class.get()) => Err(CAST),
            Some(_) | None => Ok(value),
        }
    }
}

/// Widening primitive conversion (Java language specification §5.1.2); `None` where there is none.
fn widen(value: jvalue, from: PrimitiveType, to: Kind) -> Option<jvalue> {
    let to = PrimitiveType::ALL.iter().copied().find(|primitive| Kind::from(*primitive) == to)?;
    if !from.widens_to(to) {
        return None;
    }
    // SAFETY: the member of the union is that of the variable's type.
    let (whole, real) = unsafe {
        match from {
            PrimitiveType::Byte => (i64::from(value.b), None),
            PrimitiveType::Short => (i64::from(value.s), None),
            PrimitiveType::Char => (i64::from(value.c), None),
            PrimitiveType::Int => (i64::from(value.i), None),
            PrimitiveType::Long => (value.j, None),
            PrimitiveType::Float => (0, Some(f64::from(value.f))),
            PrimitiveType::Boolean | PrimitiveType::Double => return None,
        }
    };
    let mut widened = ZERO;
    match to {
        PrimitiveType::Short => widened.s = whole as i16,
        PrimitiveType::Int => widened.i = whole as i32,
        PrimitiveType::Long => widened.j = whole,
        PrimitiveType::Float => widened.f = whole as f32,
        PrimitiveType::Double => widened.d = real.unwrap_or(whole as f64),
        PrimitiveType::Boolean | PrimitiveType::Byte | PrimitiveType::Char => return None,
    }
    Some(widened)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primitive_values_widen_as_in_java() {
        let long = widen(jvalue { i: -3 }, PrimitiveType::Int, Kind::Long).unwrap();
        // SAFETY: the member that was set.
        assert_eq!(unsafe { long.j }, -3);
        let double = widen(jvalue { f: 1.5 }, PrimitiveType::Float, Kind::Double).unwrap();
        // SAFETY: the member that was set.
        assert_eq!(unsafe { double.d }, 1.5);
        let int = widen(jvalue { c: 0xffff }, PrimitiveType::Char, Kind::Int).unwrap();
        // SAFETY: the member that was set.
        assert_eq!(unsafe { int.i }, 0xffff);
        assert!(widen(jvalue { j: 1 }, PrimitiveType::Long, Kind::Int).is_none());
        assert!(widen(jvalue { z: 1 }, PrimitiveType::Boolean, Kind::Int).is_none());
        assert!(widen(jvalue { i: 1 }, PrimitiveType::Int, Kind::Object).is_none());
    }
}
