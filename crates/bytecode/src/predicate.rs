//! Calls whose result stands for more than true or false: how far they are from the other result can be measured.
//!
//! A new one is a row of [`PREDICATES`], and a [`PredicateKind`] where its distance is of a new kind.

use crate::class_file::MemberRef;
use crate::method_code::MethodCode;
use crate::opcode;

/// How the distance of a predicate is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PredicateKind {
    /// `String.equals(Object)`
    Equals,
    /// `String.equalsIgnoreCase(String)`
    EqualsIgnoreCase,
    /// `String.startsWith(String)`
    StartsWith,
    /// `String.startsWith(String, int)`
    StartsWithAt,
    /// `String.endsWith(String)`
    EndsWith,
    /// `String.contains(CharSequence)`
    Contains,
    /// `String.isEmpty()`
    IsEmpty,
    /// `String.isBlank()`
    IsBlank,
    /// `String.regionMatches(int, String, int, int)`
    RegionMatches,
    /// `String.regionMatches(boolean, int, String, int, int)`
    RegionMatchesIgnoreCase,
    /// `String.contentEquals(CharSequence)`
    ContentEquals,
    /// `String.contentEquals(StringBuffer)`
    ContentEqualsBuffer,
    /// `String.compareTo(String)`; the result is compared with zero in any way.
    CompareTo,
    /// `String.compareToIgnoreCase(String)`; the result is compared with zero in any way.
    CompareToIgnoreCase,
    /// `equals(Object)` of a class that boxes a primitive type.
    BoxedEquals,
    /// `Objects.equals(Object, Object)`
    ObjectsEquals,
}

impl PredicateKind {
    /// Whether a conditional jump decides on the result as such: booleans are compared with zero for equality,
    /// orders in any way.
    pub fn decides(self, jump: u8) -> bool {
        match self {
            Self::CompareTo | Self::CompareToIgnoreCase => matches!(jump, opcode::IFEQ..=opcode::IFLE),
            Self::Equals
            | Self::EqualsIgnoreCase
            | Self::StartsWith
            | Self::StartsWithAt
            | Self::EndsWith
            | Self::Contains
            | Self::IsEmpty
            | Self::IsBlank
            | Self::RegionMatches
            | Self::RegionMatchesIgnoreCase
            | Self::ContentEquals
            | Self::ContentEqualsBuffer
            | Self::BoxedEquals
            | Self::ObjectsEquals => matches!(jump, opcode::IFEQ | opcode::IFNE),
        }
    }
}

/// A method that is a predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Predicate {
    /// Internal name of its class.
    pub owner: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its descriptor.
    pub descriptor: &'static str,
    /// How its distance is measured.
    pub kind: PredicateKind,
}

const fn row(
    owner: &'static str,
    name: &'static str,
    descriptor: &'static str,
    kind: PredicateKind,
) -> Predicate {
    Predicate { owner, name, descriptor, kind }
}

const STRING: &str = "java/lang/String";
const EQUALS: &str = "(Ljava/lang/Object;)Z";

/// All predicates.
pub const PREDICATES: &[Predicate] = &[
    row(STRING, "equals", EQUALS, PredicateKind::Equals),
    row(STRING, "equalsIgnoreCase", "(Ljava/lang/String;)Z", PredicateKind::EqualsIgnoreCase),
    row(STRING, "startsWith", "(Ljava/lang/String;)Z", PredicateKind::StartsWith),
    row(STRING, "startsWith", "(Ljava/lang/String;I)Z", PredicateKind::StartsWithAt),
    row(STRING, "endsWith", "(Ljava/lang/String;)Z", PredicateKind::EndsWith),
    row(STRING, "contains", "(Ljava/lang/CharSequence;)Z", PredicateKind::Contains),
    row(STRING, "isEmpty", "()Z", PredicateKind::IsEmpty),
    row(STRING, "isBlank", "()Z", PredicateKind::IsBlank),
    row(STRING, "regionMatches", "(ILjava/lang/String;II)Z", PredicateKind::RegionMatches),
    row(STRING, "regionMatches", "(ZILjava/lang/String;II)Z", PredicateKind::RegionMatchesIgnoreCase),
    row(STRING, "contentEquals", "(Ljava/lang/CharSequence;)Z", PredicateKind::ContentEquals),
    row(STRING, "contentEquals", "(Ljava/lang/StringBuffer;)Z", PredicateKind::ContentEqualsBuffer),
    row(STRING, "compareTo", "(Ljava/lang/String;)I", PredicateKind::CompareTo),
    row(STRING, "compareToIgnoreCase", "(Ljava/lang/String;)I", PredicateKind::CompareToIgnoreCase),
    row("java/lang/Boolean", "equals", EQUALS, PredicateKind::BoxedEquals),
    row("java/lang/Byte", "equals", EQUALS, PredicateKind::BoxedEquals),
    row("java/lang/Short", "equals", EQUALS, PredicateKind::BoxedEquals),
    row("java/lang/Character", "equals", EQUALS, PredicateKind::BoxedEquals),
    row("java/lang/Integer", "equals", EQUALS, PredicateKind::BoxedEquals),
    row("java/lang/Long", "equals", EQUALS, PredicateKind::BoxedEquals),
    row("java/lang/Float", "equals", EQUALS, PredicateKind::BoxedEquals),
    row("java/lang/Double", "equals", EQUALS, PredicateKind::BoxedEquals),
    row(
        "java/util/Objects",
        "equals",
        "(Ljava/lang/Object;Ljava/lang/Object;)Z",
        PredicateKind::ObjectsEquals,
    ),
];

/// The predicate that a call names.
pub fn find(method: &MemberRef<'_>) -> Option<&'static Predicate> {
    PREDICATES.iter().find(|predicate| {
        predicate.name == method.name
            && predicate.owner == method.owner
            && predicate.descriptor == method.descriptor
    })
}

/// The predicate whose result a conditional jump decides on: the call right before it. None where something else
/// jumps there with a result of its own.
pub fn decided_by(code: &MethodCode<'_>, jump: usize) -> Option<&'static Predicate> {
    let call = jump.checked_sub(1)?;
    let candidate = matches!(code.opcode(call), opcode::INVOKEVIRTUAL | opcode::INVOKESTATIC);
    let (owner, name, descriptor) = candidate.then(|| code.member_bytes(call))??;
    let predicate = PREDICATES.iter().find(|predicate| {
        predicate.name.as_bytes() == name
            && predicate.owner.as_bytes() == owner
            && predicate.descriptor.as_bytes() == descriptor
    })?;
    (predicate.kind.decides(code.opcode(jump)) && !code.is_join(jump)).then_some(predicate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_by_its_own_names() {
        for predicate in PREDICATES {
            let method = MemberRef {
                owner: predicate.owner.into(),
                name: predicate.name.into(),
                descriptor: predicate.descriptor.into(),
                interface: false,
            };
            assert_eq!(find(&method), Some(predicate));
        }
    }

    #[test]
    fn orders_are_compared_in_any_way_and_booleans_for_equality() {
        assert!(PredicateKind::CompareTo.decides(opcode::IFGT));
        assert!(!PredicateKind::Equals.decides(opcode::IFGT));
        assert!(PredicateKind::Equals.decides(opcode::IFNE));
        assert!(!PredicateKind::CompareTo.decides(opcode::IF_ICMPEQ));
    }
}
