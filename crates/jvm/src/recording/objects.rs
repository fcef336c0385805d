//! Which reference is which object.
//!
//! Numbers in tables of the JVM are no way to tell: those of recent versions are kept by identity hash codes, which are counted
//! up in some of our JVMs and all the same in others. Where references lie in arrays, equal ones are equal words as long as
//! the garbage collector waits; elsewhere each is compared with those before it.

use bytecode::descriptor::{ErasedType, PrimitiveType};
use bytecode::lookup::Lookup;
use bytecode::name::ClassName;
use testcase::recording::{RecordedContent, RecordedId, RecordedObject, RecordedValue};

use crate::agent::Agent;
use crate::jdk::Jdk;
use crate::jni::{Env, Java, Kind, Ref, jvalue};

/// How wide references are in arrays; `None` where that cannot be told.
pub(super) type Width = Option<usize>;

/// Looks at an array of two objects in turn, twice. To be called in no JVM that checks the use of JNI.
pub(super) fn width(env: Env<'_>, pattern: Ref<'_>) -> Width {
    // SAFETY: an array of four references, which take at least so many bytes; nothing is called while it is held.
    let narrow = unsafe { env.reference_words::<u32>(&[(pattern, 4)]) }?;
    let is_pattern = |one: u64, two: u64, three: u64, four: u64| one == three && two == four && one != two;
    let [one, two, three, four] = *narrow.as_slice() else { return None };
    if is_pattern(one, two, three, four) {
        return Some(size_of::<u32>());
    }
    // SAFETY: as above; references are not as narrow as that, so they take 64 bits.
    let wide = unsafe { env.reference_words::<u64>(&[(pattern, 4)]) }?;
    let [one, two, three, four] = *wide.as_slice() else { return None };
    is_pattern(one, two, three, four).then_some(size_of::<u64>())
}

/// The objects in arrays of references, numbered as they come first.
#[derive(Debug, Default)]
pub(super) struct Identities {
    /// By place in the arrays, one array behind the other; `None` for null.
    pub(super) ids: Vec<Option<RecordedId>>,
    /// By number, the first place.
    firsts: Vec<usize>,
}

impl Identities {
    /// Of the first elements of arrays.
    pub(super) fn of(env: Env<'_>, width: Width, arrays: &[(Ref<'_>, usize)]) -> Java<Self> {
        let words = match width {
            // SAFETY: arrays of references of that width, at least that long; nothing is called while they are held.
            Some(4) => unsafe { env.reference_words::<u32>(arrays) },
            // SAFETY: as above.
            Some(_) => unsafe { env.reference_words::<u64>(arrays) },
            None => None,
        };
        match words {
            Some(words) => Ok(Self::of_words(&words)),
            None => Self::by_comparison(env, arrays),
        }
    }

    fn of_words(words: &[u64]) -> Self {
        let mut found = Self { ids: Vec::with_capacity(words.len()), firsts: Vec::new() };
        let mut known: Lookup<u64, RecordedId> = Lookup::default();
        for (place, word) in words.iter().enumerate() {
            if *word == 0 {
                found.ids.push(None);
                continue;
            }
            let id = known.get(word).copied().unwrap_or_else(|| {
                let id = RecordedId(found.firsts.len() as u32);
                found.firsts.push(place);
                known.insert(*word, id);
                id
            });
            found.ids.push(Some(id));
        }
        found
    }

    fn by_comparison(env: Env<'_>, arrays: &[(Ref<'_>, usize)]) -> Java<Self> {
        let mut found = Self::default();
        let mut known = Vec::new();
        for (array, length) in arrays {
            for index in 0..*length {
                // SAFETY: an array of references.
                let Some(object) = (unsafe { env.element(*array, index) })? else {
                    found.ids.push(None);
                    continue;
                };
                let place = known.iter().position(|other| env.is_same(Some(*other), Some(object)));
                if place.is_some() {
                    env.delete_local(object);
                }
                let number = place.unwrap_or_else(|| {
                    known.push(object);
                    found.firsts.push(found.ids.len());
                    known.len() - 1
                });
                found.ids.push(Some(RecordedId(number as u32)));
            }
        }
        for object in known {
            env.delete_local(object);
        }
        Ok(found)
    }

    /// What is known of each object, by number.
    pub(super) fn describe(
        &self,
        (env, agent, jdk): (Env<'_>, Agent, &Jdk),
        arrays: &[(Ref<'_>, usize)],
    ) -> Java<Vec<RecordedObject>> {
        let mut classes = Classes { env, agent, jdk, known: Vec::new() };
        let mut described = Vec::with_capacity(self.firsts.len());
        for &place in &self.firsts {
            let mut index = place;
            let holder = arrays.iter().find(|(_, length)| {
                let is_here = index < *length;
                index -= if is_here { 0 } else { *length };
                is_here
            });
            let Some((array, _)) = holder else { continue };
            // SAFETY: an array of references.
            let Some(object) = (unsafe { env.element(*array, index) })? else { continue };
            described.push(classes.describe(object));
            env.delete_local(object);
        }
        Ok(described)
    }
}

/// What objects of a class consist of.
#[derive(Debug, Clone, Copy)]
enum Content {
    Text,
    Boxed(PrimitiveType),
    Class,
    Array,
    Pattern,
    Other,
}

/// Classes met so far, those met last in front.
struct Classes<'a, 'f> {
    env: Env<'f>,
    agent: Agent,
    jdk: &'a Jdk,
    known: Vec<(Ref<'f>, ErasedType, Content)>,
}

impl Classes<'_, '_> {
    fn describe(&mut self, object: Ref<'_>) -> RecordedObject {
        let Self { env, agent, jdk, .. } = *self;
        let (class, content) = self.of(object);
        let content = match content {
            // SAFETY: a string.
            Content::Text => RecordedContent::Text(unsafe {
                let length = env.string_length(object);
                env.string_units(object, length).into()
            }),
            Content::Boxed(primitive) => {
                let value = jdk.boxed(primitive).map(|boxed| boxed.unbox(env, object));
                let value = value.and_then(|value| primitive_value(value, primitive.into()));
                value.map_or(RecordedContent::Other, RecordedContent::Boxed)
            }
            Content::Class => RecordedContent::Class(type_of(env, agent, jdk, object)),
            Content::Array => {
                RecordedContent::Array(i32::try_from(env.array_length(object)).unwrap_or(i32::MAX))
            }
            Content::Pattern => {
                let pattern = jdk.pattern(env, object).inspect_err(|_| env.clear()).ok().flatten();
                pattern.map_or(RecordedContent::Other, |(units, flags)| RecordedContent::Pattern {
                    expression: units.into(),
                    flags,
                })
            }
            Content::Other => RecordedContent::Other,
        };
        RecordedObject { class, content }
    }

    /// The class of an object, and what it consists of.
    fn of(&mut self, object: Ref<'_>) -> (ErasedType, Content) {
        let Self { env, agent, jdk, .. } = *self;
        let class = env.class_of(object);
        let place = self.known.iter().position(|known| env.is_same(Some(known.0), Some(class)));
        if let Some(place) = place {
            env.delete_local(class);
            if let Some(front) = self.known.get_mut(..=place) {
                front.rotate_right(1);
            }
        } else {
            let erased = type_of(env, agent, jdk, class);
            let is = |other: Ref<'_>| env.is_same(Some(class), Some(other));
            let content = if matches!(erased, ErasedType::Array(_)) {
                Content::Array
            } else if is(jdk.string.get()) {
                Content::Text
            } else if is(jdk.class.get()) {
                Content::Class
            } else if is(jdk.pattern.get()) {
                Content::Pattern
            } else if let Some(boxed) = jdk.boxed_type_of(env, class) {
                Content::Boxed(boxed.primitive)
            } else {
                Content::Other
            };
            self.known.insert(0, (class, erased, content));
        }
        self.known.first().map_or((ErasedType::Class(ClassName::object()), Content::Other), |known| {
            (known.1.clone(), known.2)
        })
    }
}

/// The type that a class object stands for.
fn type_of(env: Env<'_>, agent: Agent, jdk: &Jdk, class: Ref<'_>) -> ErasedType {
    let signature = agent.class_signature(class).unwrap_or_default();
    match ErasedType::parse(&signature) {
        Ok(erased @ (ErasedType::Primitive(_) | ErasedType::Array(_))) => erased,
        // Names that are made at run time are cut.
        Ok(ErasedType::Class(_)) | Err(_) => ErasedType::Class(jdk.internal_name(env, class)),
    }
}

/// A value of a primitive type as the JVM computes with it; `None` for references.
pub(super) fn primitive_value(value: jvalue, kind: Kind) -> Option<RecordedValue> {
    // SAFETY: the member of the union is that of the kind.
    Some(unsafe {
        match kind {
            Kind::Boolean => RecordedValue::Int(value.z.into()),
            Kind::Byte => RecordedValue::Int(value.b.into()),
            Kind::Char => RecordedValue::Int(value.c.into()),
            Kind::Short => RecordedValue::Int(value.s.into()),
            Kind::Int => RecordedValue::Int(value.i),
            Kind::Long => RecordedValue::Long(value.j),
            Kind::Float => RecordedValue::Float(value.f),
            Kind::Double => RecordedValue::Double(value.d),
            Kind::Object => return None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_words_are_one_object_and_zero_is_none() {
        let found = Identities::of_words(&[7, 0, 9, 7, 9]);
        let ids = [Some(0), None, Some(1), Some(0), Some(1)];
        assert_eq!(found.ids, ids.map(|id| id.map(RecordedId)));
        assert_eq!(found.firsts, [0, 2]);
    }
}
