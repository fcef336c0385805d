//! Calls whose result stands for more than true or false: how far they are from the other result can be measured.
//!
//! A new one is a row of [`PREDICATES`], and a [`PredicateKind`] where its distance is of a new kind.

use crate::method_code::MethodCode;
use crate::opcode;

/// What a regular expression is to match. The discriminants are those of `covolve.runtime.Regex`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatchMode {
    /// The whole text.
    Whole = 0,
    /// A part of the text.
    Part = 1,
    /// The beginning of the text.
    Start = 2,
}

/// A class of characters. The discriminants are those of `covolve.runtime.Letters`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LetterClass {
    /// `isDigit`
    Digit = 0,
    /// `isLetter`
    Letter = 1,
    /// `isLetterOrDigit`
    LetterOrDigit = 2,
    /// `isAlphabetic`
    Alphabetic = 3,
    /// `isUpperCase`
    UpperCase = 4,
    /// `isLowerCase`
    LowerCase = 5,
    /// `isWhitespace`
    Whitespace = 6,
    /// `isSpaceChar`
    Space = 7,
    /// `isJavaIdentifierStart`
    IdentifierStart = 8,
    /// `isJavaIdentifierPart`
    IdentifierPart = 9,
    /// `isISOControl`
    Control = 10,
    /// `isIdeographic`
    Ideographic = 11,
}

/// What the result of a predicate is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResultKind {
    /// True or false.
    Truth,
    /// How two texts are ordered, as a number that is a distance itself but for equality.
    TextOrder,
    /// How two numbers are ordered, whose difference tells more.
    NumberOrder,
    /// An index, -1 if nothing was found.
    Index,
}

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
    /// `Objects.equals(Object, Object)`, and `equals(Object)` of what may be anything.
    ObjectsEquals,
    /// `Arrays.equals` of two arrays.
    ArraysEquals,
    /// `String.matches(String)`
    Matches,
    /// `Pattern.matches(String, CharSequence)`
    PatternMatches,
    /// `Matcher.matches()`, `find()` and `lookingAt()`
    Matcher(MatchMode),
    /// `Character.isDigit` and the like, of a `char` or a code point.
    Letter(LetterClass),
    /// `Collection.contains(Object)`
    Element,
    /// `Collection.containsAll(Collection)`
    Elements,
    /// `Map.containsKey(Object)`
    Key,
    /// `Map.containsValue(Object)`
    MapValue,
    /// `isEmpty()` of collections and maps.
    NoElements,
    /// `Integer.compare` and others on whole numbers of up to 32 bits; the result is compared with zero in any way.
    CompareInts,
    /// `Long.compare(long, long)`; as above.
    CompareLongs,
    /// `Float.compare(float, float)`; as above.
    CompareFloats,
    /// `Double.compare(double, double)`; as above.
    CompareDoubles,
    /// `compareTo` of boxed values and big numbers; as above.
    CompareNumbers,
    /// `indexOf(String)`; the result is compared with 0 or -1 in any way.
    IndexOfText,
    /// `indexOf(String, int)`; as above.
    IndexOfTextFrom,
    /// `indexOf(int)` of a character; as above.
    IndexOfCharacter,
    /// `indexOf(int, int)` of a character; as above.
    IndexOfCharacterFrom,
    /// `List.indexOf(Object)`; as above.
    IndexOfElement,
}

impl PredicateKind {
    /// What its result is.
    pub(crate) fn result(self) -> ResultKind {
        match self {
            Self::CompareTo | Self::CompareToIgnoreCase => ResultKind::TextOrder,
            Self::CompareInts
            | Self::CompareLongs
            | Self::CompareFloats
            | Self::CompareDoubles
            | Self::CompareNumbers => ResultKind::NumberOrder,
            Self::IndexOfText
            | Self::IndexOfTextFrom
            | Self::IndexOfCharacter
            | Self::IndexOfCharacterFrom
            | Self::IndexOfElement => ResultKind::Index,
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
            | Self::ObjectsEquals
            | Self::ArraysEquals
            | Self::Matches
            | Self::PatternMatches
            | Self::Matcher(_)
            | Self::Letter(_)
            | Self::Element
            | Self::Elements
            | Self::Key
            | Self::MapValue
            | Self::NoElements => ResultKind::Truth,
        }
    }

    /// Whether a conditional jump decides on the result as such: booleans are compared with zero for equality,
    /// orders in any way, indices in any way with zero and, where -1 is pushed in between, with that.
    pub fn decides(self, jump: u8, with_minus_one: bool) -> bool {
        match (self.result(), with_minus_one) {
            (ResultKind::Truth, false) => matches!(jump, opcode::IFEQ | opcode::IFNE),
            (ResultKind::TextOrder | ResultKind::NumberOrder | ResultKind::Index, false) => {
                matches!(jump, opcode::IFEQ..=opcode::IFLE)
            }
            (ResultKind::Index, true) => matches!(jump, opcode::IF_ICMPEQ..=opcode::IF_ICMPLE),
            (ResultKind::Truth | ResultKind::TextOrder | ResultKind::NumberOrder, true) => false,
        }
    }
}

/// A method that is a predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Predicate {
    /// Internal names of the classes that have it.
    pub owners: &'static [&'static str],
    /// Its name.
    pub name: &'static str,
    /// Its descriptor.
    pub descriptor: &'static str,
    /// How its distance is measured.
    pub kind: PredicateKind,
}

const fn row(
    owners: &'static [&'static str],
    name: &'static str,
    descriptor: &'static str,
    kind: PredicateKind,
) -> Predicate {
    Predicate { owners, name, descriptor, kind }
}

const STRING: &[&str] = &["java/lang/String"];
const CHARACTER: &[&str] = &["java/lang/Character"];
const ARRAYS: &[&str] = &["java/util/Arrays"];
const MATCHER: &[&str] = &["java/util/regex/Matcher"];
const BOXES: &[&str] = &[
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Short",
    "java/lang/Character",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Float",
    "java/lang/Double",
];
const LISTS: &[&str] = &["java/util/List", "java/util/ArrayList", "java/util/LinkedList", "java/util/Vector"];
const COLLECTIONS: &[&str] = &[
    "java/util/Collection",
    "java/util/List",
    "java/util/Set",
    "java/util/Queue",
    "java/util/Deque",
    "java/util/SortedSet",
    "java/util/NavigableSet",
    "java/util/ArrayList",
    "java/util/LinkedList",
    "java/util/Vector",
    "java/util/Stack",
    "java/util/ArrayDeque",
    "java/util/PriorityQueue",
    "java/util/HashSet",
    "java/util/LinkedHashSet",
    "java/util/TreeSet",
];
const MAPS: &[&str] = &[
    "java/util/Map",
    "java/util/SortedMap",
    "java/util/NavigableMap",
    "java/util/HashMap",
    "java/util/LinkedHashMap",
    "java/util/TreeMap",
    "java/util/Hashtable",
    "java/util/concurrent/ConcurrentMap",
    "java/util/concurrent/ConcurrentHashMap",
];
const EQUALS: &str = "(Ljava/lang/Object;)Z";
const INDEX_OF_TEXT: &str = "(Ljava/lang/String;)I";
const INDEX_OF_OBJECT: &str = "(Ljava/lang/Object;)I";
const OF_CHAR: &str = "(C)Z";
const OF_CODE_POINT: &str = "(I)Z";

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
    row(STRING, "matches", "(Ljava/lang/String;)Z", PredicateKind::Matches),
    row(STRING, "indexOf", INDEX_OF_TEXT, PredicateKind::IndexOfText),
    row(STRING, "indexOf", "(Ljava/lang/String;I)I", PredicateKind::IndexOfTextFrom),
    row(STRING, "indexOf", "(I)I", PredicateKind::IndexOfCharacter),
    row(STRING, "indexOf", "(II)I", PredicateKind::IndexOfCharacterFrom),
    row(STRING, "lastIndexOf", INDEX_OF_TEXT, PredicateKind::IndexOfText),
    row(STRING, "lastIndexOf", "(I)I", PredicateKind::IndexOfCharacter),
    row(&["java/lang/StringBuilder"], "indexOf", INDEX_OF_TEXT, PredicateKind::IndexOfText),
    row(BOXES, "equals", EQUALS, PredicateKind::BoxedEquals),
    row(
        &["java/lang/Object", "java/util/List", "java/util/ArrayList"],
        "equals",
        EQUALS,
        PredicateKind::ObjectsEquals,
    ),
    row(
        &["java/util/Objects"],
        "equals",
        "(Ljava/lang/Object;Ljava/lang/Object;)Z",
        PredicateKind::ObjectsEquals,
    ),
    row(ARRAYS, "equals", "([Z[Z)Z", PredicateKind::ArraysEquals),
    row(ARRAYS, "equals", "([B[B)Z", PredicateKind::ArraysEquals),
    row(ARRAYS, "equals", "([S[S)Z", PredicateKind::ArraysEquals),
    row(ARRAYS, "equals", "([C[C)Z", PredicateKind::ArraysEquals),
    row(ARRAYS, "equals", "([I[I)Z", PredicateKind::ArraysEquals),
    row(ARRAYS, "equals", "([J[J)Z", PredicateKind::ArraysEquals),
    row(ARRAYS, "equals", "([F[F)Z", PredicateKind::ArraysEquals),
    row(ARRAYS, "equals", "([D[D)Z", PredicateKind::ArraysEquals),
    row(ARRAYS, "equals", "([Ljava/lang/Object;[Ljava/lang/Object;)Z", PredicateKind::ArraysEquals),
    row(
        &["java/util/regex/Pattern"],
        "matches",
        "(Ljava/lang/String;Ljava/lang/CharSequence;)Z",
        PredicateKind::PatternMatches,
    ),
    row(MATCHER, "matches", "()Z", PredicateKind::Matcher(MatchMode::Whole)),
    row(MATCHER, "find", "()Z", PredicateKind::Matcher(MatchMode::Part)),
    row(MATCHER, "lookingAt", "()Z", PredicateKind::Matcher(MatchMode::Start)),
    row(CHARACTER, "isDigit", OF_CHAR, PredicateKind::Letter(LetterClass::Digit)),
    row(CHARACTER, "isDigit", OF_CODE_POINT, PredicateKind::Letter(LetterClass::Digit)),
    row(CHARACTER, "isLetter", OF_CHAR, PredicateKind::Letter(LetterClass::Letter)),
    row(CHARACTER, "isLetter", OF_CODE_POINT, PredicateKind::Letter(LetterClass::Letter)),
    row(CHARACTER, "isLetterOrDigit", OF_CHAR, PredicateKind::Letter(LetterClass::LetterOrDigit)),
    row(CHARACTER, "isLetterOrDigit", OF_CODE_POINT, PredicateKind::Letter(LetterClass::LetterOrDigit)),
    row(CHARACTER, "isUpperCase", OF_CHAR, PredicateKind::Letter(LetterClass::UpperCase)),
    row(CHARACTER, "isUpperCase", OF_CODE_POINT, PredicateKind::Letter(LetterClass::UpperCase)),
    row(CHARACTER, "isLowerCase", OF_CHAR, PredicateKind::Letter(LetterClass::LowerCase)),
    row(CHARACTER, "isLowerCase", OF_CODE_POINT, PredicateKind::Letter(LetterClass::LowerCase)),
    row(CHARACTER, "isWhitespace", OF_CHAR, PredicateKind::Letter(LetterClass::Whitespace)),
    row(CHARACTER, "isWhitespace", OF_CODE_POINT, PredicateKind::Letter(LetterClass::Whitespace)),
    row(CHARACTER, "isSpaceChar", OF_CHAR, PredicateKind::Letter(LetterClass::Space)),
    row(CHARACTER, "isSpaceChar", OF_CODE_POINT, PredicateKind::Letter(LetterClass::Space)),
    row(CHARACTER, "isJavaIdentifierStart", OF_CHAR, PredicateKind::Letter(LetterClass::IdentifierStart)),
    row(
        CHARACTER,
        "isJavaIdentifierStart",
        OF_CODE_POINT,
        PredicateKind::Letter(LetterClass::IdentifierStart),
    ),
    row(CHARACTER, "isJavaIdentifierPart", OF_CHAR, PredicateKind::Letter(LetterClass::IdentifierPart)),
    row(CHARACTER, "isJavaIdentifierPart", OF_CODE_POINT, PredicateKind::Letter(LetterClass::IdentifierPart)),
    row(CHARACTER, "isISOControl", OF_CHAR, PredicateKind::Letter(LetterClass::Control)),
    row(CHARACTER, "isISOControl", OF_CODE_POINT, PredicateKind::Letter(LetterClass::Control)),
    row(CHARACTER, "isAlphabetic", OF_CODE_POINT, PredicateKind::Letter(LetterClass::Alphabetic)),
    row(CHARACTER, "isIdeographic", OF_CODE_POINT, PredicateKind::Letter(LetterClass::Ideographic)),
    row(COLLECTIONS, "contains", EQUALS, PredicateKind::Element),
    row(COLLECTIONS, "containsAll", "(Ljava/util/Collection;)Z", PredicateKind::Elements),
    row(COLLECTIONS, "isEmpty", "()Z", PredicateKind::NoElements),
    row(LISTS, "indexOf", INDEX_OF_OBJECT, PredicateKind::IndexOfElement),
    row(LISTS, "lastIndexOf", INDEX_OF_OBJECT, PredicateKind::IndexOfElement),
    row(MAPS, "containsKey", EQUALS, PredicateKind::Key),
    row(MAPS, "containsValue", EQUALS, PredicateKind::MapValue),
    row(MAPS, "isEmpty", "()Z", PredicateKind::NoElements),
    row(&["java/lang/Integer"], "compare", "(II)I", PredicateKind::CompareInts),
    row(&["java/lang/Character"], "compare", "(CC)I", PredicateKind::CompareInts),
    row(&["java/lang/Short"], "compare", "(SS)I", PredicateKind::CompareInts),
    row(&["java/lang/Byte"], "compare", "(BB)I", PredicateKind::CompareInts),
    row(&["java/lang/Boolean"], "compare", "(ZZ)I", PredicateKind::CompareInts),
    row(&["java/lang/Long"], "compare", "(JJ)I", PredicateKind::CompareLongs),
    row(&["java/lang/Float"], "compare", "(FF)I", PredicateKind::CompareFloats),
    row(&["java/lang/Double"], "compare", "(DD)I", PredicateKind::CompareDoubles),
    row(&["java/lang/Integer"], "compareTo", "(Ljava/lang/Integer;)I", PredicateKind::CompareNumbers),
    row(&["java/lang/Long"], "compareTo", "(Ljava/lang/Long;)I", PredicateKind::CompareNumbers),
    row(&["java/lang/Short"], "compareTo", "(Ljava/lang/Short;)I", PredicateKind::CompareNumbers),
    row(&["java/lang/Byte"], "compareTo", "(Ljava/lang/Byte;)I", PredicateKind::CompareNumbers),
    row(&["java/lang/Character"], "compareTo", "(Ljava/lang/Character;)I", PredicateKind::CompareNumbers),
    row(&["java/lang/Boolean"], "compareTo", "(Ljava/lang/Boolean;)I", PredicateKind::CompareNumbers),
    row(&["java/lang/Float"], "compareTo", "(Ljava/lang/Float;)I", PredicateKind::CompareNumbers),
    row(&["java/lang/Double"], "compareTo", "(Ljava/lang/Double;)I", PredicateKind::CompareNumbers),
    row(&["java/math/BigInteger"], "compareTo", "(Ljava/math/BigInteger;)I", PredicateKind::CompareNumbers),
    row(&["java/math/BigDecimal"], "compareTo", "(Ljava/math/BigDecimal;)I", PredicateKind::CompareNumbers),
];

/// The predicate with these names, as raw modified UTF-8.
pub(crate) fn find(owner: &[u8], name: &[u8], descriptor: &[u8]) -> Option<&'static Predicate> {
    // Nearly all calls are none of the JDK.
    owner.strip_prefix(b"java/")?;
    PREDICATES.iter().find(|predicate| {
        predicate.name.as_bytes() == name
            && predicate.descriptor.as_bytes() == descriptor
            && predicate.owners.iter().any(|known| known.as_bytes() == owner)
    })
}

/// The predicate that tells whether a method of a map finds something: `containsKey` for `get`.
pub(crate) fn presence(owner: &[u8], name: &[u8], descriptor: &[u8]) -> Option<&'static Predicate> {
    let is_get = name == b"get" && descriptor == b"(Ljava/lang/Object;)Ljava/lang/Object;";
    is_get.then(|| find(owner, b"containsKey", EQUALS.as_bytes()))?
}

/// Whether an instruction calls a method in a way that predicates are called.
pub(crate) fn is_candidate(opcode: u8) -> bool {
    matches!(opcode, opcode::INVOKEVIRTUAL | opcode::INVOKESTATIC | opcode::INVOKEINTERFACE)
}

/// The predicate whose result a conditional jump decides on: the call right before it, or before the -1 in front of
/// it. None where something else jumps there with a result of its own.
pub fn decided_by(code: &MethodCode<'_>, jump: usize) -> Option<&'static Predicate> {
    let before = jump.checked_sub(1)?;
    let with_minus_one = code.opcode(before) == opcode::ICONST_M1;
    let call = if with_minus_one { before.checked_sub(1)? } else { before };
    let (owner, name, descriptor) = is_candidate(code.opcode(call)).then(|| code.member_bytes(call))??;
    let predicate = find(owner, name, descriptor)?;
    let is_only_way = !code.is_join(jump) && (!with_minus_one || !code.is_join(before));
    (predicate.kind.decides(code.opcode(jump), with_minus_one) && is_only_way).then_some(predicate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_by_its_own_names() {
        for predicate in PREDICATES {
            for owner in predicate.owners {
                let found =
                    find(owner.as_bytes(), predicate.name.as_bytes(), predicate.descriptor.as_bytes());
                assert_eq!(found, Some(predicate));
            }
        }
    }

    #[test]
    fn orders_are_compared_in_any_way_and_booleans_for_equality() {
        let check = |kind: PredicateKind, jump: u8, with_minus_one: bool, expect: bool| {
            assert_eq!(kind.decides(jump, with_minus_one), expect, "{kind:?} {jump} {with_minus_one}");
        };
        check(PredicateKind::CompareTo, opcode::IFGT, false, true);
        check(PredicateKind::CompareTo, opcode::IF_ICMPEQ, true, false);
        check(PredicateKind::CompareInts, opcode::IFLE, false, true);
        check(PredicateKind::Equals, opcode::IFGT, false, false);
        check(PredicateKind::Equals, opcode::IFNE, false, true);
        check(PredicateKind::IndexOfText, opcode::IFLT, false, true);
        check(PredicateKind::IndexOfText, opcode::IF_ICMPEQ, true, true);
        check(PredicateKind::IndexOfText, opcode::IF_ICMPEQ, false, false);
        check(PredicateKind::IndexOfText, opcode::IFLT, true, false);
    }
}
