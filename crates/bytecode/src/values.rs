//! Partitions of values: what goals on arguments and results distinguish, and how far a value is from each partition.
//!
//! Output coverage is Alshahwan and Harman's (2014), in the abstraction of Rojas, Campos, Vivanti, Fraser and Arcuri
//! 2015 (*Combining Multiple Coverage Criteria in Search-Based Unit Test Generation*, §2); input coverage is the same
//! for arguments. Who calls a method sees its values: so these goals have outcomes of their own, to which whoever runs
//! tests records a distance whenever the test itself makes the call.
//!
//! # Differences
//! * The papers know only whether a partition was hit. Here each one has a distance, 0.0 exactly for values in it.
//! * Letters are those of Unicode, digits those of ASCII; everything else is neither.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::access::Access;
use crate::analysis::ProbeIds;
use crate::class_info::{ClassInfo, ClassKind, Nesting};
use crate::descriptor::{ErasedType, MethodDescriptor, PrimitiveType};
use crate::hierarchy::ClassHierarchy;
use crate::name::ClassName;
use crate::probe_map::{MethodProbes, OutcomeId, ProbeMap};
use crate::purity::{Effect, Purity};

/// A partition of the values of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ValuePartition {
    /// `null`
    Null,
    /// Any object.
    NonNull,
    /// `false`
    False,
    /// `true`
    True,
    /// A number below 0.
    Negative,
    /// 0, also the negative zero.
    Zero,
    /// A number above 0.
    Positive,
    /// A letter.
    Alphabetic,
    /// A digit of ASCII.
    Digit,
    /// A character that is neither letter nor digit.
    Other,
    /// A string, array, collection, map or `Optional` without elements.
    Empty,
    /// One with elements.
    NonEmpty,
}

/// A value as far as partitions distinguish values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Seen {
    /// `null`
    Null,
    /// A boolean.
    Boolean(bool),
    /// A whole number.
    Whole(i64),
    /// A `float` or `double`.
    Real(f64),
    /// A UTF-16 code unit.
    Character(u16),
    /// Something with so many elements.
    Size(usize),
    /// An object of which no more is known.
    Object,
}

impl ValuePartition {
    /// Distance of a value to the partition: 0.0 exactly when it is in it, else above 0 and finite; the smaller the less a
    /// number or size would have to change. What can be in no partition of the kind (`NaN`, `null` among numbers, something
    /// whose size cannot be told) is as far as can be.
    pub fn distance(self, value: Seen) -> f64 {
        let unless = |is_in: bool, distance: f64| if is_in { 0.0 } else { distance };
        let distance = match (self, value) {
            (Self::Null, value) => unless(value == Seen::Null, 1.0),
            (Self::NonNull, value) => unless(value != Seen::Null, 1.0),
            (Self::False, Seen::Boolean(value)) => unless(!value, 1.0),
            (Self::True, Seen::Boolean(value)) => unless(value, 1.0),
            (Self::Negative, Seen::Whole(value)) => unless(value < 0, value as f64 + 1.0),
            (Self::Zero, Seen::Whole(value)) => (value as f64).abs(),
            (Self::Positive, Seen::Whole(value)) => unless(value > 0, 1.0 - value as f64),
            (Self::Negative, Seen::Real(value)) => unless(value < 0.0, value + 1.0),
            (Self::Zero, Seen::Real(value)) => value.abs(),
            (Self::Positive, Seen::Real(value)) => unless(value > 0.0, 1.0 - value),
            (Self::Alphabetic, Seen::Character(value)) => {
                unless(is_letter(value), to_range(value, 'A', 'Z').min(to_range(value, 'a', 'z')))
            }
            (Self::Digit, Seen::Character(value)) => to_range(value, '0', '9'),
            (Self::Other, Seen::Character(value)) => {
                unless(!is_letter(value) && !is_digit(value), to_neither(value))
            }
            (Self::Empty, Seen::Size(size)) => size as f64,
            (Self::NonEmpty, Seen::Size(size)) => unless(size > 0, 1.0),
            (Self::Empty, Seen::Null) => 1.0,
            (Self::NonEmpty, Seen::Null) => 2.0,
            (
                Self::False
                | Self::True
                | Self::Negative
                | Self::Zero
                | Self::Positive
                | Self::Alphabetic
                | Self::Digit
                | Self::Other
                | Self::Empty
                | Self::NonEmpty,
                _,
            ) => f64::MAX,
        };
        if distance.is_finite() { distance } else { f64::MAX }
    }
}

fn is_letter(unit: u16) -> bool {
    char::from_u32(u32::from(unit)).is_some_and(char::is_alphabetic)
}

fn is_digit(unit: u16) -> bool {
    to_range(unit, '0', '9') == 0.0
}

/// Code units between a value and a range.
fn to_range(unit: u16, first: char, last: char) -> f64 {
    let (unit, first, last) = (f64::from(unit), f64::from(first as u32), f64::from(last as u32));
    (first - unit).max(unit - last).max(0.0)
}

/// From a letter or digit to the nearest character of ASCII that is neither, at least 1.
fn to_neither(unit: u16) -> f64 {
    let neither = |other: &u16| !is_letter(*other) && !is_digit(*other);
    let distances = (0..128).filter(neither).map(|other| f64::from(other.abs_diff(unit)));
    distances.fold(f64::MAX, f64::min)
}

/// What the declared type of a value lets tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ValueShape {
    /// A primitive value.
    Primitive(PrimitiveType),
    /// A boxed value.
    Boxed(PrimitiveType),
    /// A `String`.
    Text,
    /// An array.
    Array,
    /// A type of the JDK that has a number of elements: collections, maps, `Optional`, other sequences of characters.
    Sized,
    /// Any other object.
    Object,
}

impl ValueShape {
    /// The shape of a declared type.
    pub fn of(declared: &ErasedType, hierarchy: &ClassHierarchy) -> Self {
        match declared {
            ErasedType::Primitive(primitive) => Self::Primitive(*primitive),
            ErasedType::Array(_) => Self::Array,
            ErasedType::Class(name) if *name == ClassName::string() => Self::Text,
            ErasedType::Class(name) => match PrimitiveType::unboxed(name) {
                Some(primitive) => Self::Boxed(primitive),
                None if is_sized(name, hierarchy) => Self::Sized,
                None => Self::Object,
            },
        }
    }

    /// Its partitions; the outcomes of [`ValueProbes`] follow one another in this order.
    pub fn partitions(self) -> &'static [ValuePartition] {
        use ValuePartition::{
            Alphabetic, Digit, Empty, False, Negative, NonEmpty, NonNull, Null, Other, Positive, True, Zero,
        };
        let boxed: &'static [ValuePartition] = match self {
            Self::Primitive(primitive) | Self::Boxed(primitive) => match primitive {
                PrimitiveType::Boolean => &[Null, False, True],
                PrimitiveType::Char => &[Null, Alphabetic, Digit, Other],
                PrimitiveType::Byte
                | PrimitiveType::Short
                | PrimitiveType::Int
                | PrimitiveType::Long
                | PrimitiveType::Float
                | PrimitiveType::Double => &[Null, Negative, Zero, Positive],
            },
            Self::Text | Self::Array | Self::Sized => &[Null, Empty, NonEmpty],
            Self::Object => &[Null, NonNull],
        };
        match self {
            Self::Primitive(_) => &boxed[1..],
            Self::Boxed(_) | Self::Text | Self::Array | Self::Sized | Self::Object => boxed,
        }
    }
}

/// Types of the JDK whose values have a number of elements.
const SIZED: [&str; 7] = [
    "java/util/Collection",
    "java/util/Map",
    "java/util/Optional",
    "java/util/OptionalInt",
    "java/util/OptionalLong",
    "java/util/OptionalDouble",
    "java/lang/CharSequence",
];

fn is_sized(name: &ClassName, hierarchy: &ClassHierarchy) -> bool {
    let is_own = hierarchy.source().is_on_class_path(name);
    !is_own && hierarchy.supertypes(name).iter().any(|sup| SIZED.contains(&sup.as_str()))
}

/// Which value of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ValueOf {
    /// The argument for a parameter of the descriptor, from 0.
    Parameter(u16),
    /// What the method returned.
    Result,
}

/// Kinds of members that only tell of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum InspectorKind {
    /// A method without parameters that is called.
    Method,
    /// A field that is read.
    Field,
}

/// A member that only tells of an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Inspector {
    /// What it is.
    pub kind: InspectorKind,
    /// The class that declares it.
    pub class: ClassName,
    /// Its name.
    pub name: Arc<str>,
    /// Its descriptor: `()` and a primitive type for a method, the type for a field.
    pub descriptor: Arc<str>,
}

/// Prints it as source says it: `getSize()`, or `size` for a field.
impl fmt::Display for Inspector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)?;
        match self.kind {
            InspectorKind::Method => formatter.write_str("()"),
            InspectorKind::Field => Ok(()),
        }
    }
}

/// The outcomes for the partitions of one value of a method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueProbes {
    /// Which value.
    pub of: ValueOf,
    /// What is asked of it; `None` when it is looked at itself.
    pub inspector: Option<Inspector>,
    /// What can be told apart.
    pub shape: ValueShape,
    /// The outcome of the first of its partitions; the others follow.
    pub first: OutcomeId,
    /// Whether it cannot be `null`.
    pub is_never_null: bool,
}

impl ValueProbes {
    /// The partitions that it can be in, with their outcomes.
    pub fn outcomes(&self) -> impl Iterator<Item = (ValuePartition, OutcomeId)> + use<> {
        let OutcomeId(first) = self.first;
        let is_never_null = self.is_never_null;
        let all = (first..).zip(self.shape.partitions());
        let partitions = all.map(|(outcome, &partition)| (partition, OutcomeId(outcome)));
        partitions.filter(move |(partition, _)| !(is_never_null && *partition == ValuePartition::Null))
    }
}

/// Of which values the partitions are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ValueOptions {
    /// Arguments.
    pub inputs: bool,
    /// Results.
    pub outputs: bool,
}

impl ValueOptions {
    /// What either asks for.
    pub fn union(self, other: Self) -> Self {
        Self { inputs: self.inputs || other.inputs, outputs: self.outputs || other.outputs }
    }
}

/// Most inspectors asked of an argument or result: each costs a call in every run.
const MOST_INSPECTORS: usize = 4;

/// Most fields read of an argument or result: each has up to four goals, in every method that takes or gives the type.
const MOST_FIELDS: usize = 4;

/// Gives the methods of these maps that tests can call outcomes for their values, behind all ids given so far.
///
/// Left out are private methods and those the compiler made, `hashCode` as a result (Rojas et al. leave it out as
/// well), the enclosing instance that the constructor of an inner class takes, and classes that no test can name.
pub fn add_value_probes(
    maps: &mut [ProbeMap],
    hierarchy: &ClassHierarchy,
    options: ValueOptions,
    ids: &mut ProbeIds,
) {
    if !options.inputs && !options.outputs {
        return;
    }
    let mut purity = Purity::new(hierarchy);
    for map in maps {
        let Some(class) = hierarchy.class(&map.class) else { continue };
        if class.access.is_private() || matches!(class.nesting, Nesting::Local | Nesting::Anonymous) {
            continue;
        }
        for method in map.methods.iter_mut().filter(|method| is_called_by_tests(method)) {
            method.values = values(&class, method, &mut purity, options, ids);
        }
    }
}

fn is_called_by_tests(method: &MethodProbes) -> bool {
    method.is_goal
        && !method.access.is_private()
        && !method.access.is_synthetic()
        && &*method.name != "<clinit>"
}

fn values(
    class: &ClassInfo,
    method: &MethodProbes,
    purity: &mut Purity<'_>,
    options: ValueOptions,
    ids: &mut ProbeIds,
) -> Vec<ValueProbes> {
    let Ok(descriptor) = MethodDescriptor::parse(&method.descriptor) else { return Vec::new() };
    let hierarchy = purity.hierarchy();
    let mut found = Vec::new();
    let mut add = |of: ValueOf, declared: &ErasedType| {
        let shape = ValueShape::of(declared, hierarchy);
        let mut asked = vec![(None, shape)];
        if let (ValueShape::Object, ErasedType::Class(name)) = (shape, declared) {
            let told = inspectors(name, purity).into_iter().chain(fields(name, hierarchy));
            asked.extend(told.map(|(inspector, shape)| (Some(inspector), shape)));
        }
        for (inspector, shape) in asked {
            let is_never_null = of == ValueOf::Result && inspector.is_none() && method.never_returns_null;
            found.push(ValueProbes { of, inspector, shape, first: OutcomeId(ids.outcomes), is_never_null });
            ids.outcomes += shape.partitions().len() as u32;
        }
    };
    if options.inputs {
        let hidden = usize::from(&*method.name == "<init>" && is_inner(class));
        for (index, declared) in (0..).zip(&descriptor.parameters).skip(hidden) {
            add(ValueOf::Parameter(index), declared);
        }
    }
    if let Some(declared) = descriptor.result.filter(|_| options.outputs && &*method.name != "hashCode") {
        add(ValueOf::Result, &declared);
    }
    found
}

/// Whether objects of a class have an enclosing instance (Java language specification §8.1.3).
fn is_inner(class: &ClassInfo) -> bool {
    matches!(class.nesting, Nesting::Member { .. })
        && !class.access.is_static()
        && class.kind == ClassKind::Class
}

/// What tells of the objects of a class of the class path: public methods without parameters that return a boolean or
/// a number, and neither they nor what overrides them write anything or loop.
fn inspectors(class: &ClassName, purity: &mut Purity<'_>) -> Vec<(Inspector, ValueShape)> {
    let hierarchy = purity.hierarchy();
    let mut found: Vec<(Inspector, ValueShape)> = Vec::new();
    for owner in hierarchy.supertypes(class).iter().filter(|name| hierarchy.source().is_on_class_path(name)) {
        let Some(info) = hierarchy.class(owner) else { continue };
        for method in &info.methods {
            let (Some(ErasedType::Primitive(result)), true) =
                (&method.erased.result, method.erased.parameters.is_empty())
            else {
                continue;
            };
            let known = found.iter().any(|(inspector, _)| inspector.name == method.name);
            if known
                || !is_inspector(method.access, *result)
                || &*method.name == "hashCode"
                || purity.of_call(owner, &method.name, &method.descriptor) != Effect::NONE
            {
                continue;
            }
            let (name, descriptor) = (method.name.clone(), method.descriptor.clone());
            let kind = InspectorKind::Method;
            found.push((
                Inspector { kind, class: owner.clone(), name, descriptor },
                ValueShape::Primitive(*result),
            ));
            if found.len() == MOST_INSPECTORS {
                return found;
            }
        }
    }
    found
}

/// The public fields of the objects of a class of the class path whose values are looked at whole: primitive and boxed
/// ones and strings. Reading one cannot change anything.
fn fields(class: &ClassName, hierarchy: &ClassHierarchy) -> Vec<(Inspector, ValueShape)> {
    let mut found: Vec<(Inspector, ValueShape)> = Vec::new();
    for (owner, field) in hierarchy.public_fields(class) {
        let shape = ValueShape::of(&field.erased, hierarchy);
        let is_whole = match shape {
            ValueShape::Primitive(_) | ValueShape::Boxed(_) | ValueShape::Text => true,
            ValueShape::Array | ValueShape::Sized | ValueShape::Object => false,
        };
        if is_whole && found.len() < MOST_FIELDS {
            let (name, descriptor) = (field.name.clone(), field.erased.descriptor().into());
            let kind = InspectorKind::Field;
            found.push((Inspector { kind, class: owner.name.clone(), name, descriptor }, shape));
        }
    }
    found
}

fn is_inspector(access: Access, result: PrimitiveType) -> bool {
    access.is_public()
        && !access.is_static()
        && !access.is_abstract()
        && !access.is_synthetic()
        && result != PrimitiveType::Char
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(partition: ValuePartition, value: Seen, expect: f64) {
        assert_eq!(partition.distance(value), expect, "{partition:?} {value:?}");
    }

    #[test]
    fn distances_say_how_much_a_value_would_have_to_change() {
        use ValuePartition::*;
        check(Negative, Seen::Whole(7), 8.0);
        check(Zero, Seen::Whole(-7), 7.0);
        check(Positive, Seen::Whole(0), 1.0);
        check(Positive, Seen::Whole(i64::MIN), 1.0 + 2f64.powi(63));
        check(Zero, Seen::Real(-0.0), 0.0);
        check(Negative, Seen::Real(-0.0), 1.0);
        check(Positive, Seen::Real(f64::NEG_INFINITY), f64::MAX);
        check(Zero, Seen::Real(f64::NAN), f64::MAX);
        check(True, Seen::Boolean(false), 1.0);
        check(Empty, Seen::Size(5), 5.0);
        check(NonEmpty, Seen::Size(0), 1.0);
        check(NonEmpty, Seen::Null, 2.0);
        check(NonEmpty, Seen::Object, f64::MAX);
        check(Null, Seen::Size(3), 1.0);
        check(NonNull, Seen::Object, 0.0);
        check(Zero, Seen::Null, f64::MAX);
        check(Alphabetic, Seen::Character(b'@'.into()), 1.0);
        check(Alphabetic, Seen::Character(0xe9), 0.0);
        check(Alphabetic, Seen::Character(0xd83d), f64::from(0xd83d_u16 - 0x7a));
        check(Digit, Seen::Character(b'A'.into()), 8.0);
        check(Other, Seen::Character(b'c'.into()), 3.0);
        check(Other, Seen::Character(b' '.into()), 0.0);
    }

    /// Every value of a shape is in exactly one of its partitions, `NaN` and what has no known size apart.
    #[test]
    fn partitions_of_a_shape_divide_its_values() {
        let whole = [i64::MIN, -1, 0, 1, i64::MAX].map(Seen::Whole);
        let characters: Vec<Seen> = (0..=u16::MAX).map(Seen::Character).collect();
        let sizes = [Seen::Null, Seen::Size(0), Seen::Size(9)];
        let reals = [-1e-300, -0.0, 0.0, f64::INFINITY].map(Seen::Real);
        let check = |shape: ValueShape, values: &[Seen]| {
            for &value in values {
                let distances: Vec<f64> =
                    shape.partitions().iter().map(|partition| partition.distance(value)).collect();
                assert_eq!(distances.iter().filter(|distance| **distance == 0.0).count(), 1, "{value:?}");
                assert!(distances.iter().all(|distance| (0.0..=f64::MAX).contains(distance)), "{value:?}");
            }
        };
        check(ValueShape::Primitive(PrimitiveType::Long), &whole);
        check(ValueShape::Primitive(PrimitiveType::Double), &reals);
        check(ValueShape::Primitive(PrimitiveType::Char), &characters);
        check(ValueShape::Primitive(PrimitiveType::Boolean), &[false, true].map(Seen::Boolean));
        check(ValueShape::Boxed(PrimitiveType::Int), &[Seen::Null, whole[0], whole[2]]);
        check(ValueShape::Sized, &sizes);
        check(ValueShape::Object, &[Seen::Null, Seen::Object]);
    }

    #[test]
    fn distances_grow_as_values_move_away() {
        let check = |partition: ValuePartition, values: &[Seen]| {
            let distances: Vec<f64> = values.iter().map(|&value| partition.distance(value)).collect();
            assert!(distances.is_sorted(), "{partition:?} {distances:?}");
        };
        let ascending: Vec<Seen> = (-50..50).map(|value| Seen::Whole(value * 1_000_003)).collect();
        let descending: Vec<Seen> = ascending.iter().rev().copied().collect();
        check(ValuePartition::Negative, &ascending);
        check(ValuePartition::Positive, &descending);
        check(ValuePartition::Zero, &ascending[50..]);
        check(ValuePartition::Zero, &descending[50..]);
        check(ValuePartition::Empty, &[0, 1, 2, 1000].map(Seen::Size));
        let above: Vec<Seen> = (u16::from(b'9')..1000).map(Seen::Character).collect();
        check(ValuePartition::Digit, &above);
    }
}
