//! What is copied of an object, by its class.

use std::sync::Arc;

use bytecode::access::Access;
use bytecode::descriptor::{ErasedType, PrimitiveType};

use crate::agent::Agent;
use crate::jdk::Jdk;
use crate::jni::{Env, FieldId, Global, Kind, Ref};

/// How objects of a class are copied.
#[derive(Debug, Clone)]
pub(super) enum Shape {
    /// Not at all: it never changes, or it is no business of tests.
    Leaf,
    /// Field by field.
    Object(Arc<ObjectShape>),
    /// As bytes: size of an element.
    PrimitiveArray(usize),
    /// Element by element.
    ReferenceArray,
}

/// The fields of a class and its superclasses.
#[derive(Debug)]
pub(super) struct ObjectShape {
    pub(super) fields: Vec<FieldShape>,
    /// A field that counts changes of the structure, as the JDK's collections have.
    pub(super) counter: Option<FieldId>,
    /// Whether the JDK wrote it.
    pub(super) is_of_jdk: bool,
}

/// A field.
#[derive(Debug, Clone, Copy)]
pub(super) struct FieldShape {
    pub(super) field: FieldId,
    pub(super) kind: Kind,
    pub(super) is_final: bool,
}

/// Packages of the JDK whose objects are copied, down to single classes.
const COPIED: &[&str] = &[
    "java/util/",
    "java/util/concurrent/atomic/",
    "java/util/concurrent/Concurrent",
    "java/util/concurrent/CopyOnWrite",
    "java/lang/StringBuilder",
    "java/lang/StringBuffer",
    "java/util/logging/Logger",
];

/// Classes in those packages that are not copied: they never change, or hold threads, files or the collector's own
/// references.
const LEFT_ALONE: &[&str] = &[
    "java/util/Locale",
    "java/util/TimeZone",
    "java/util/SimpleTimeZone",
    "java/util/Currency",
    "java/util/UUID",
    "java/util/Timer",
    "java/util/WeakHashMap",
    "java/util/ServiceLoader",
    "java/util/ResourceBundle",
    "java/util/ImmutableCollections",
    "java/util/Scanner",
    "java/util/Formatter",
];

/// Fields that are not copied: the children that a logger gets whenever one with a longer name is made.
const LEFT_OUT: &[(&str, &str)] = &[("Ljava/util/logging/Logger;", "kids")];

/// Superclasses whose objects are left alone even where the class path defines them.
const LEFT_ALONE_WITH_HEIRS: &[&str] = &[
    "Ljava/lang/Thread;",
    "Ljava/lang/ThreadGroup;",
    "Ljava/lang/ThreadLocal;",
    "Ljava/lang/ClassLoader;",
    "Ljava/lang/Throwable;",
    "Ljava/lang/ref/Reference;",
];

/// Shapes of the classes met so far.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    known: Vec<(Global, Shape)>,
}

impl Shapes {
    /// How an object is copied.
    pub(super) fn of(&mut self, env: Env<'_>, agent: Agent, jdk: &Jdk, object: Ref<'_>) -> Shape {
        let class = env.class_of(object);
        let found = self.known.iter().position(|(known, _)| env.is_same(Some(known.get()), Some(class)));
        let known = found.and_then(|place| Some((place, self.known.get(place)?.1.clone())));
        let shape = if let Some((place, shape)) = known {
            // What is met often comes to stand in front.
            self.known.swap(place, place / 2);
            shape
        } else {
            let shape = shape_of(env, agent, jdk, class);
            self.known.push((env.global(class), shape.clone()));
            shape
        };
        // There may be thousands of objects in one frame.
        env.delete_local(class);
        shape
    }
}

fn shape_of(env: Env<'_>, agent: Agent, jdk: &Jdk, class: Ref<'_>) -> Shape {
    let Some(signature) = agent.class_signature(class) else { return Shape::Leaf };
    if let Some(element) = signature.strip_prefix('[') {
        let primitive = element.chars().next().and_then(PrimitiveType::from_descriptor);
        return primitive
            .map_or(Shape::ReferenceArray, |primitive| Shape::PrimitiveArray(size_of(primitive)));
    }
    // Hidden classes have a dot in their signature; they are of the class path when their host is.
    let name = signature.trim_start_matches('L').trim_end_matches(';').replace('.', "/");
    let is_of_jdk = jdk.is_of_class_path(env, class) != Some(true);
    if is_of_jdk && !is_copied(&name) {
        return Shape::Leaf;
    }
    let mut shape = ObjectShape { fields: Vec::new(), counter: None, is_of_jdk };
    let mut next = Some(class);
    while let Some(class) = next {
        let signature = agent.class_signature(class).unwrap_or_default();
        if LEFT_ALONE_WITH_HEIRS.contains(&signature.as_str()) {
            return Shape::Leaf;
        }
        add_fields(env, agent, class, &signature, &mut shape);
        next = env.superclass(class);
    }
    Shape::Object(Arc::new(shape))
}

fn add_fields(env: Env<'_>, agent: Agent, class: Ref<'_>, signature: &str, shape: &mut ObjectShape) {
    for field in agent.class_fields(env, class) {
        let access = Access(field.modifiers);
        if access.is_static() || LEFT_OUT.contains(&(signature, &*field.name)) {
            continue;
        }
        let Ok(erased) = ErasedType::parse(&field.descriptor) else { continue };
        if field.name == "modCount" && shape.is_of_jdk {
            shape.counter = Some(field.id);
        }
        shape.fields.push(FieldShape {
            field: field.id,
            kind: Kind::from(&erased),
            is_final: access.is_final(),
        });
    }
}

/// Whether objects of a class of the JDK are copied.
fn is_copied(name: &str) -> bool {
    let in_package = |package: &&str| {
        name.strip_prefix(*package).is_some_and(|rest| !package.ends_with('/') || !rest.contains('/'))
    };
    let is_alone =
        |alone: &&str| name.strip_prefix(*alone).is_some_and(|rest| rest.is_empty() || rest.starts_with('$'));
    COPIED.iter().any(in_package) && !LEFT_ALONE.iter().any(is_alone)
}

/// Bytes of an element.
fn size_of(primitive: PrimitiveType) -> usize {
    match primitive {
        PrimitiveType::Boolean | PrimitiveType::Byte => 1,
        PrimitiveType::Short | PrimitiveType::Char => 2,
        PrimitiveType::Int | PrimitiveType::Float => 4,
        PrimitiveType::Long | PrimitiveType::Double => 8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_of_the_jdk_are_copied_and_its_machinery_is_not() {
        let check = |name: &str, expect: bool| assert_eq!(is_copied(name), expect, "{name}");
        check("java/util/ArrayList", true);
        check("java/util/HashMap$Node", true);
        check("java/util/concurrent/atomic/AtomicInteger", true);
        check("java/util/concurrent/ConcurrentHashMap$Node", true);
        check("java/util/concurrent/ThreadPoolExecutor", false);
        check("java/util/regex/Pattern", false);
        check("java/util/logging/Logger", true);
        check("java/util/logging/Logger$ConfigurationData", true);
        check("java/util/logging/LogManager", false);
        check("java/util/logging/ConsoleHandler", false);
        check("java/util/Locale", false);
        check("java/util/Locale$Cache", false);
        check("java/util/ImmutableCollections$ListN", false);
        check("java/lang/StringBuilder", true);
        check("java/lang/Thread", false);
        check("sun/misc/Anything", false);
    }
}
