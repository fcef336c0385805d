//! What the platform does with arrays and classes in native methods (documentation of JDK 17): `System.arraycopy`,
//! `java.lang.reflect.Array`, `Class`, and the seams of `java.util.Arrays` to them.

use bytecode::descriptor::ErasedType;

use crate::interpreter::heap::Content;
use crate::interpreter::machine::{Abrupt, Interpreter};
use crate::interpreter::models::Modelled;
use crate::interpreter::models::table::Row;
use crate::interpreter::slot::Known;
use crate::interpreter::{Concrete, Slot, Way, Why};
use crate::term::{Operator, Value};

type Result<T> = std::result::Result<T, Abrupt>;

/// The rows of `Class`.
pub(super) const CLASS: &[Row] = &[
    ("getComponentType", "()Ljava/lang/Class;", |it, slots| match class_of(it, slots[0])? {
        Some(ErasedType::Array(element)) => {
            Ok(Modelled::Value(Slot::reference(it.heap.class_object(*element))))
        }
        Some(ErasedType::Class(_) | ErasedType::Primitive(_)) => Ok(Modelled::Value(Slot::NULL)),
        None => Ok(Modelled::Declined),
    }),
    ("isArray", "()Z", |it, slots| match class_of(it, slots[0])? {
        Some(class) => it.returned(&Known::of(Value::Bool(matches!(class, ErasedType::Array(_))))),
        None => Ok(Modelled::Declined),
    }),
    // Classes of the platform have their assertions off. Those of the class path ask in their initializers, and what they are told
    // is recorded.
    ("desiredAssertionStatus", "()Z", |it, _| {
        if it.is_in_platform() { it.returned(&Known::of(Value::Bool(false))) } else { Ok(Modelled::Declined) }
    }),
];

/// The rows of `java.lang.reflect.Array`.
pub(super) const ARRAY: &[Row] = &[
    ("getLength", "(Ljava/lang/Object;)I", |it, slots| {
        let object = it.object(slots[0])?;
        Ok(it.heap.length(object).map_or(Modelled::Declined, Modelled::Value))
    }),
    ("newInstance", "(Ljava/lang/Class;I)Ljava/lang/Object;", |it, slots| {
        let Some(element) = class_of(it, slots[0])? else { return Ok(Modelled::Declined) };
        let array = it.new_array(element, slots[1])?;
        Ok(Modelled::Value(Slot::reference(array)))
    }),
];

/// The rows of `jdk.internal.util.ArraysSupport`.
pub(super) const ARRAYS_SUPPORT: &[Row] = &[
    ("mismatch", "([Z[ZI)I", mismatch),
    ("mismatch", "([B[BI)I", mismatch),
    ("mismatch", "([C[CI)I", mismatch),
    ("mismatch", "([S[SI)I", mismatch),
    ("mismatch", "([I[II)I", mismatch),
    ("mismatch", "([J[JI)I", mismatch),
    ("mismatch", "([F[FI)I", mismatch),
    ("mismatch", "([D[DI)I", mismatch),
    ("mismatch", "([ZI[ZII)I", mismatch),
    ("mismatch", "([BI[BII)I", mismatch),
    ("mismatch", "([CI[CII)I", mismatch),
    ("mismatch", "([SI[SII)I", mismatch),
    ("mismatch", "([II[III)I", mismatch),
    ("mismatch", "([JI[JII)I", mismatch),
    ("mismatch", "([FI[FII)I", mismatch),
    ("mismatch", "([DI[DII)I", mismatch),
];

/// The first place at which parts of two arrays of numbers differ, counted from their begin; -1 if there is none. The parts lie
/// inside. Floats are the same if they are the same datum.
fn mismatch(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let (one, one_from, other, other_from, count) = match *slots {
        [one, other, count] => (one, Slot::int(0), other, Slot::int(0), count),
        [one, one_from, other, other_from, count] => (one, one_from, other, other_from, count),
        _ => return Err(Why::Malformed.into()),
    };
    let (one, other) = (it.object(one)?, it.object(other)?);
    let places = (one_from.concrete, other_from.concrete, count.concrete);
    let (Concrete::Int(one_begin), Concrete::Int(other_begin), Concrete::Int(number)) = places else {
        return Err(Why::Malformed.into());
    };
    for slot in [one_from, other_from, count] {
        it.pin(&Interpreter::known(slot)?);
    }
    for index in 0..number {
        let (Some(a), Some(b)) =
            (it.known_element(one, one_begin + index)?, it.known_element(other, other_begin + index)?)
        else {
            return Ok(Modelled::Declined);
        };
        let (a, b) = (Interpreter::known(a)?, Interpreter::known(b)?);
        let is_same = it.compute(Operator::Equal, &[&a, &b]);
        if !it.decide(&is_same, Way::Completed, Way::Completed) {
            return Ok(Modelled::Value(Slot::int(index)));
        }
    }
    Ok(Modelled::Value(Slot::int(-1)))
}

/// The rows of `jdk.internal.util.Preconditions`.
pub(super) const PRECONDITIONS: &[Row] =
    &[("checkIndex", "(IILjava/util/function/BiFunction;)I", |it, slots| {
        // Another exception is made by the function, if there is one.
        let has_own = slots[2].concrete != Concrete::Null;
        if has_own { Ok(Modelled::Declined) } else { check_index(it, slots) }
    })];

/// The class that a `Class` is of.
fn class_of(it: &mut Interpreter<'_>, slot: Slot) -> Result<Option<ErasedType>> {
    let object = it.object(slot)?;
    Ok(if let Content::Class(of) = &it.heap.get(object).content { Some(of.clone()) } else { None })
}

/// `Objects.checkIndex`: the index, if it lies in a range from 0.
pub(super) fn check_index(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let (index, length) = (Interpreter::known(slots[0])?, Interpreter::known(slots[1])?);
    let is_range = it.compute(Operator::SignedLessEqual, &[&Known::int(0), &length]);
    it.require(&is_range, "java/lang/IndexOutOfBoundsException")?;
    let is_inside = it.compute(Operator::UnsignedLess, &[&index, &length]);
    it.require(&is_inside, "java/lang/IndexOutOfBoundsException")?;
    Ok(Modelled::Value(slots[0]))
}

/// `System.arraycopy`, where nothing lies outside and every element may be stored; the places are held at what they are. Elements that
/// the replay does not know are not known behind it either.
pub(super) fn copy(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let (source, target) = (it.object(slots[0])?, it.object(slots[2])?);
    let (Some(source_length), Some(target_length)) = (it.heap.length(source), it.heap.length(target)) else {
        return Ok(Modelled::Declined);
    };
    let lengths = (source_length.concrete, target_length.concrete);
    let (Concrete::Int(source_count), Concrete::Int(target_count)) = lengths else {
        return Err(Why::Malformed.into());
    };
    let places = (slots[1].concrete, slots[3].concrete, slots[4].concrete);
    let (Concrete::Int(from), Concrete::Int(to), Concrete::Int(count)) = places else {
        return Err(Why::Malformed.into());
    };
    let is_inside = from >= 0 && to >= 0 && count >= 0;
    if !is_inside || count > source_count - from || count > target_count - to {
        return Ok(Modelled::Declined);
    }
    let (ErasedType::Array(element), ErasedType::Array(stored)) =
        (it.heap.get(source).class.clone(), it.heap.get(target).class.clone())
    else {
        return Ok(Modelled::Declined);
    };
    if matches!(*element, ErasedType::Primitive(_)) != matches!(*stored, ErasedType::Primitive(_))
        || matches!(*element, ErasedType::Primitive(_)) && element != stored
    {
        return Ok(Modelled::Declined);
    }
    let elements: Vec<Option<Slot>> =
        (from..from + count).map(|index| it.known_element(source, index)).collect::<Result<_>>()?;
    let may_be_stored = elements.iter().flatten().all(|&slot| it.fits(slot, &stored));
    let is_known = elements.iter().all(Option::is_some);
    if !may_be_stored || !is_known && (it.is_in_platform() || !it.outside.has_recording()) {
        return Ok(Modelled::Declined);
    }
    for slot in [slots[1], slots[3], slots[4]] {
        it.pin(&Interpreter::known(slot)?);
    }
    for (needed, there) in [(from + count, source_length), (to + count, target_length)] {
        let there = Interpreter::known(there)?;
        let reaches = it.compute(Operator::SignedLessEqual, &[&Known::int(needed), &there]);
        it.decide(&reaches, Way::Completed, Way::Threw);
    }
    for (index, element) in (to..).zip(elements) {
        match element {
            Some(slot) => it.heap.set_element(target, index, slot),
            None => it.heap.forget_element(target, index),
        }
    }
    Ok(Modelled::Nothing)
}
