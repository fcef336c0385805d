//! What every program uses of `java.lang` and `java.util`: `Object`, `Objects`, `System`, `Enum`, constructors of exceptions
//! (documentation of JDK 17).

use bytecode::name::ClassName;

use crate::interpreter::heap::{Content, FieldName};
use crate::interpreter::machine::{Abrupt, Interpreter};
use crate::interpreter::models::Modelled;
use crate::interpreter::models::arrays;
use crate::interpreter::models::table::{Model, Row};
use crate::interpreter::{Concrete, Slot, Why};

type Result<T> = std::result::Result<T, Abrupt>;

/// The rows of `Object`.
pub(super) const OBJECT: &[Row] = &[
    ("<init>", "()V", |_, _| Ok(Modelled::Nothing)),
    ("equals", "(Ljava/lang/Object;)Z", |it, slots| {
        let same = it.same_reference(slots[0], slots[1])?;
        it.returned(&same)
    }),
    ("hashCode", "()I", identity_hash_code),
    ("clone", "()Ljava/lang/Object;", clone),
    ("getClass", "()Ljava/lang/Class;", |it, slots| {
        let object = it.object(slots[0])?;
        let found = it.heap.get(object);
        // The class of a lambda has no name, and that of a stub is known to the recording only.
        let is_stub = if it.is_in_platform() {
            it.scripts.contains_key(&object)
        } else {
            !found.is_own && it.outside.has_recording()
        };
        if is_stub || matches!(found.content, Content::Lambda(_)) {
            return Ok(Modelled::Declined);
        }
        let class = it.heap.get(object).class.clone();
        Ok(Modelled::Value(Slot::reference(it.heap.class_object(class))))
    }),
];

/// The rows of `System`.
pub(super) const SYSTEM: &[Row] = &[
    ("identityHashCode", "(Ljava/lang/Object;)I", identity_hash_code),
    ("arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", arrays::copy),
];

/// The rows of `Objects`. `equals` is modelled where it needs no method of the class under test.
pub(super) const OBJECTS: &[Row] = &[
    ("requireNonNull", "(Ljava/lang/Object;)Ljava/lang/Object;", require_non_null),
    ("requireNonNull", "(Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/Object;", require_non_null),
    ("checkIndex", "(II)I", arrays::check_index),
    ("isNull", "(Ljava/lang/Object;)Z", |it, slots| {
        let is_null = Interpreter::is_null(slots[0])?;
        it.returned(&is_null)
    }),
    ("nonNull", "(Ljava/lang/Object;)Z", |it, slots| {
        let is_null = Interpreter::is_null(slots[0])?;
        let is_there = it.not(&is_null);
        it.returned(&is_there)
    }),
    ("equals", "(Ljava/lang/Object;Ljava/lang/Object;)Z", objects_equal),
];

/// The rows of `Enum`.
pub(super) const ENUM: &[Row] = &[
    ("<init>", "(Ljava/lang/String;I)V", |it, slots| {
        let object = it.object(slots[0])?;
        it.heap.set_field(object, enum_field("name"), slots[1]);
        it.heap.set_field(object, enum_field("ordinal"), slots[2]);
        Ok(Modelled::Nothing)
    }),
    ("name", "()Ljava/lang/String;", |it, slots| known_field(it, slots, &enum_field("name"))),
    ("toString", "()Ljava/lang/String;", |it, slots| known_field(it, slots, &enum_field("name"))),
    ("ordinal", "()I", |it, slots| known_field(it, slots, &enum_field("ordinal"))),
    ("equals", "(Ljava/lang/Object;)Z", |it, slots| {
        let same = it.same_reference(slots[0], slots[1])?;
        it.returned(&same)
    }),
    ("hashCode", "()I", identity_hash_code),
];

/// The rows of `Throwable` other than its constructors.
pub(super) const THROWABLE: &[Row] = &[("getMessage", "()Ljava/lang/String;", |it, slots| {
    known_field(it, slots, &throwable_field("detailMessage"))
})];

/// The constructors of `Throwable` and of the platform's classes below it that take a message.
pub(super) fn exception(descriptor: &str) -> Option<Model> {
    match descriptor {
        "()V" => Some(|it, slots| {
            it.note_message(slots[0], Slot::NULL)?;
            Ok(Modelled::Nothing)
        }),
        "(Ljava/lang/String;)V" | "(Ljava/lang/String;Ljava/lang/Throwable;)V" => Some(|it, slots| {
            it.note_message(slots[0], slots[1])?;
            Ok(Modelled::Nothing)
        }),
        _ => None,
    }
}

impl Interpreter<'_> {
    fn note_message(&mut self, exception: Slot, message: Slot) -> Result<()> {
        let object = self.object(exception)?;
        self.heap.set_field(object, throwable_field("detailMessage"), message);
        Ok(())
    }
}

fn throwable_field(name: &str) -> FieldName {
    (ClassName::new("java/lang/Throwable"), name.into())
}

fn enum_field(name: &str) -> FieldName {
    (ClassName::new("java/lang/Enum"), name.into())
}

/// A field of a class of the platform that a model has written; these are never written again.
fn known_field(it: &mut Interpreter<'_>, slots: &[Slot], field: &FieldName) -> Result<Modelled> {
    let object = it.object(slots[0])?;
    Ok(it.heap.field(object, field).map_or(Modelled::Declined, |cell| Modelled::Value(cell.slot)))
}

fn require_non_null(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    it.object(slots[0])?;
    Ok(Modelled::Value(slots[0]))
}

fn identity_hash_code(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let Concrete::Reference(object) = slots[0].concrete else { return Ok(Modelled::Value(Slot::int(0))) };
    if it.is_in_platform() {
        return Err(Why::Platform.into());
    }
    let code = it.outside.identity_hash_code(object).ok_or(Why::IdentityHashCode)?;
    Ok(Modelled::Value(Slot::int(code)))
}

/// A copy of an array.
fn clone(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let object = it.object(slots[0])?;
    let Some(length) = it.heap.length(object) else { return Ok(Modelled::Declined) };
    let bytecode::descriptor::ErasedType::Array(element) = it.heap.get(object).class.clone() else {
        return Ok(Modelled::Declined);
    };
    let Concrete::Int(count) = length.concrete else { return Err(Why::Malformed.into()) };
    let copy = it.heap.made_array(*element, length);
    for index in 0..count {
        let slot = match it.known_element(object, index)? {
            Some(slot) => slot,
            // What is read of the copy later is recorded.
            None if it.outside.has_recording() => {
                it.heap.get_mut(copy).is_own = false;
                continue;
            }
            None => it.outside.element(object, index, &mut it.heap).ok_or(Why::Element(index))?,
        };
        it.heap.set_element(copy, index, slot);
    }
    Ok(Modelled::Value(Slot::reference(copy)))
}

fn objects_equal(it: &mut Interpreter<'_>, slots: &[Slot]) -> Result<Modelled> {
    let is_null = Interpreter::is_null(slots[0])?;
    it.decide(&is_null, crate::interpreter::Way::Completed, crate::interpreter::Way::Completed);
    let Concrete::Reference(object) = slots[0].concrete else {
        let is_null = Interpreter::is_null(slots[1])?;
        return it.returned(&is_null);
    };
    let class = match &it.heap.get(object).content {
        Content::Text(_) => ClassName::string(),
        Content::Boxed(_) => it.heap.class_of(object).cloned().ok_or(Why::Malformed)?,
        Content::Fields(_)
        | Content::Builder(_)
        | Content::Array { .. }
        | Content::Class(_)
        | Content::Lambda(_)
        | Content::Pattern(_)
        | Content::Matcher(_) => return Ok(Modelled::Declined),
    };
    let method = crate::interpreter::MethodName {
        class,
        name: "equals".into(),
        descriptor: "(Ljava/lang/Object;)Z".into(),
    };
    match super::table::find(it.hierarchy, &method) {
        Some(model) => model(it, slots),
        None => Ok(Modelled::Declined),
    }
}
