//! A copy of everything that a static field reaches.

use super::shape::{Shape, Shapes};
use crate::agent::Agent;
use crate::jdk::Jdk;
use crate::jni::{Env, FieldId, Global, Kind, Ref, ZERO, jvalue};

/// Most comparisons that a quick look for a change may take.
const MOST_COMPARISONS: usize = 64;
/// Longest array of references, in collections of the JDK and elsewhere, that is compared element by element.
const LONGEST_INNER: usize = 16;
const LONGEST_OWN: usize = 32;
/// Comparisons that are always made where classes are initialized: those of a counter.
const ALWAYS_VISIBLE: usize = 2;
/// Most bytes of an array that are compared.
const MOST_BYTES: usize = 8192;

/// Number of an object in its copy.
type Number = usize;

/// A copy.
#[derive(Debug)]
pub(super) struct Snapshot {
    objects: Vec<Global>,
    slots: Vec<Slot>,
    /// Slots that a quick look compares.
    guards: Vec<usize>,
    comparisons: usize,
    /// Slots that only a thorough look compares.
    others: Vec<usize>,
    /// Comparisons that these take.
    of_others: usize,
    /// Whether these are compared where classes are initialized.
    is_visible: bool,
}

/// How a change of a slot is found.
#[derive(Debug, Clone, Copy)]
enum Watch {
    /// By the counter of the collection that it belongs to.
    Counter,
    /// By so many comparisons of a quick look.
    Quick(usize),
    /// By so many comparisons of a thorough look.
    Thorough(usize),
}

/// Something with its value at the time of the copy.
#[derive(Debug)]
struct Slot {
    holder: Number,
    value: Value,
}

#[derive(Debug)]
enum Value {
    /// A field that holds a number.
    Bits(FieldId, Kind, i64),
    /// A field that holds a reference.
    Reference(FieldId, Option<Number>),
    /// The content of an array of numbers.
    Bytes(Box<[u8]>),
    /// The content of an array of references.
    Elements(Box<[Option<Number>]>),
}

/// Objects found so far, in the order in which they were found.
struct Walk<'a, 'f> {
    env: Env<'f>,
    agent: Agent,
    objects: Vec<Global>,
    shapes: &'a mut Shapes,
    /// Most objects.
    most: usize,
}

impl Snapshot {
    /// Copies what an object reaches, at most so many objects, and adds to `walked` how many were looked at; `None`
    /// when nothing in it can change, or it is too much.
    pub(super) fn take(
        env: Env<'_>,
        agent: Agent,
        jdk: &Jdk,
        shapes: &mut Shapes,
        root: Ref<'_>,
        (most, walked): (usize, &mut usize),
    ) -> Option<Self> {
        let mut walk = Walk { env, agent, objects: Vec::new(), shapes, most };
        let copied = walk.copy(jdk, root);
        for object in &walk.objects {
            agent.set_tag(object.get(), 0);
        }
        let objects = walk.objects;
        *walked += objects.len();
        let copied = copied.filter(|copied| !copied.slots.is_empty()).or_else(|| {
            for object in &objects {
                // SAFETY: made by this walk, which nothing else has seen.
                unsafe { env.delete_global(*object) };
            }
            None
        })?;
        let Copied { slots, guards, comparisons, others, of_others } = copied;
        Some(Self { objects, slots, guards, comparisons, others, of_others, is_visible: false })
    }

    /// Forgets the copy.
    pub(super) fn discard(self, env: Env<'_>) {
        for object in self.objects {
            // SAFETY: made by the walk of this copy, and never given away.
            unsafe { env.delete_global(object) };
        }
    }

    /// The object that everything was reached from.
    pub(super) fn root(&self) -> Option<Ref<'static>> {
        self.object(Some(0))
    }

    /// Comparisons that [`Snapshot::has_changed`] makes.
    pub(super) fn comparisons(&self) -> usize {
        self.comparisons
    }

    /// Number of objects.
    pub(super) fn len(&self) -> usize {
        self.objects.len()
    }

    /// Has a thorough look compare what a quick one would.
    pub(super) fn look_thoroughly(&mut self) {
        self.others.append(&mut self.guards);
        self.of_others += std::mem::take(&mut self.comparisons);
    }

    /// Has what a quick look leaves out compared where classes are initialized as well, if that takes no more than so many comparisons. Gives
    /// how many it takes.
    pub(super) fn make_visible(&mut self, most: usize) -> usize {
        self.is_visible = self.of_others <= most.max(ALWAYS_VISIBLE);
        self.visible()
    }

    /// Comparisons beside those of a quick look that [`Snapshot::has_visibly_changed`] makes.
    pub(super) fn visible(&self) -> usize {
        if self.is_visible { self.of_others } else { 0 }
    }

    /// Whether a quick look may miss a change.
    pub(super) fn needs_thorough_look(&self) -> bool {
        !self.others.is_empty()
    }

    /// Whether anything that a quick look compares differs.
    pub(super) fn has_changed(&self, env: Env<'_>) -> bool {
        self.is_any_changed(env, &self.guards)
    }

    /// Whether anything differs that is looked at where classes are initialized.
    pub(super) fn has_visibly_changed(&self, env: Env<'_>) -> bool {
        self.has_changed(env) || (self.is_visible && self.has_changed_elsewhere(env))
    }

    /// Whether anything else differs.
    pub(super) fn has_changed_elsewhere(&self, env: Env<'_>) -> bool {
        self.is_any_changed(env, &self.others)
    }

    fn is_any_changed(&self, env: Env<'_>, slots: &[usize]) -> bool {
        slots.iter().filter_map(|slot| self.slots.get(*slot)).any(|slot| !self.is_as_before(env, slot))
    }

    fn object(&self, number: Option<Number>) -> Option<Ref<'static>> {
        number.and_then(|number| self.objects.get(number)).map(|object| object.get())
    }

    fn is_as_before(&self, env: Env<'_>, slot: &Slot) -> bool {
        let Some(holder) = self.object(Some(slot.holder)) else { return true };
        match &slot.value {
            // SAFETY: the field was found in the holder's class, with this kind; unused bytes are zero.
            Value::Bits(field, kind, bits) => unsafe { env.get(holder, *field, *kind).j == *bits },
            Value::Reference(field, number) => {
                // SAFETY: as above, a reference.
                let value = unsafe { env.get_object(holder, *field) };
                let same = env.is_same(value, self.object(*number));
                forget(env, value);
                same
            }
            Value::Bytes(bytes) => {
                // SAFETY: the array has that many bytes; nothing is called while it is held.
                unsafe { env.critical::<u8>(holder, bytes.len()) }.is_none_or(|held| *held == **bytes)
            }
            Value::Elements(elements) => elements.iter().enumerate().all(|(index, number)| {
                // SAFETY: an array of references with that many elements.
                let value = unsafe { env.element_within(holder, index) };
                let before = self.object(*number);
                // Most elements of a table are null: the JVM is asked of two objects only.
                let same =
                    value.is_some() == before.is_some() && (value.is_none() || env.is_same(value, before));
                forget(env, value);
                same
            }),
        }
    }

    /// Writes everything back.
    pub(super) fn restore(&self, env: Env<'_>) {
        for slot in &self.slots {
            let Some(holder) = self.object(Some(slot.holder)) else { continue };
            match &slot.value {
                Value::Bits(field, kind, bits) => {
                    // SAFETY: the field was found in the holder's class and held this value.
                    unsafe { env.set(holder, *field, *kind, jvalue { j: *bits }) };
                }
                Value::Reference(field, number) => {
                    let value = self.object(*number).map_or(ZERO, Ref::value);
                    // SAFETY: as above.
                    unsafe { env.set(holder, *field, Kind::Object, value) };
                }
                Value::Bytes(bytes) => {
                    // SAFETY: the array has that many bytes; nothing is called while it is held.
                    if let Some(mut held) = unsafe { env.critical::<u8>(holder, bytes.len()) } {
                        held.copy_from_slice(bytes);
                    }
                }
                Value::Elements(elements) => {
                    for (index, number) in elements.iter().enumerate() {
                        let value = self.object(*number).map_or(ZERO, Ref::value);
                        // SAFETY: an array of references that held this one.
                        if unsafe { env.set_element(holder, index, Kind::Object, value) }.is_err() {
                            env.clear();
                        }
                    }
                }
            }
        }
    }
}

fn forget(env: Env<'_>, reference: Option<Ref<'_>>) {
    if let Some(reference) = reference {
        env.delete_local(reference);
    }
}

/// Slots, and how they are watched, as a [`Snapshot`] has it.
#[derive(Default)]
struct Copied {
    slots: Vec<Slot>,
    guards: Vec<usize>,
    comparisons: usize,
    others: Vec<usize>,
    of_others: usize,
}

impl Walk<'_, '_> {
    fn copy(&mut self, jdk: &Jdk, root: Ref<'_>) -> Option<Copied> {
        let mut copied = Copied::default();
        self.number(Some(root));
        let mut next = 0;
        while let Some(object) = self.objects.get(next).copied() {
            if self.objects.len() > self.most {
                return None;
            }
            let first = copied.slots.len();
            let shape = self.copy_object(jdk, next, object, &mut copied.slots)?;
            for (index, slot) in copied.slots.iter().enumerate().skip(first) {
                match watch(slot, &shape) {
                    Watch::Quick(cost) if copied.comparisons + cost <= MOST_COMPARISONS => {
                        copied.guards.push(index);
                        copied.comparisons += cost;
                    }
                    Watch::Quick(cost) | Watch::Thorough(cost) => {
                        copied.others.push(index);
                        copied.of_others += cost;
                    }
                    Watch::Counter => {}
                }
            }
            next += 1;
        }
        Some(copied)
    }

    /// The number of an object, a new one if it was not met before.
    fn number(&mut self, object: Option<Ref<'_>>) -> Option<Number> {
        let object = object?;
        let tag = self.agent.tag(object);
        if let Some(number) = usize::try_from(tag).ok().and_then(|tag| tag.checked_sub(1)) {
            return Some(number);
        }
        self.objects.push(self.env.global(object));
        self.agent.set_tag(object, self.objects.len() as i64);
        Some(self.objects.len() - 1)
    }

    /// Copies one object and gives its shape; `None` when it cannot be copied.
    fn copy_object(
        &mut self,
        jdk: &Jdk,
        holder: Number,
        object: Global,
        slots: &mut Vec<Slot>,
    ) -> Option<Shape> {
        let env = self.env;
        let shape = self.shapes.of(env, self.agent, jdk, object.get());
        match &shape {
            Shape::Leaf => {}
            Shape::Object(shape) => {
                for field in &shape.fields {
                    let value = self.copy_field(object.get(), field.field, field.kind);
                    if !field.is_final {
                        slots.push(Slot { holder, value });
                    }
                }
            }
            Shape::PrimitiveArray(size) => {
                let length = env.array_length(object.get()) * size;
                if length > 0 {
                    // SAFETY: the array has that many bytes; nothing is called while it is held.
                    let held = unsafe { env.critical::<u8>(object.get(), length) }?;
                    let bytes = Box::from(&*held);
                    drop(held);
                    slots.push(Slot { holder, value: Value::Bytes(bytes) });
                }
            }
            Shape::ReferenceArray => {
                let length = env.array_length(object.get());
                if length > self.most {
                    return None;
                }
                let mut elements = Vec::with_capacity(length);
                for index in 0..length {
                    // SAFETY: an array of references.
                    let element = unsafe { env.element(object.get(), index) }.ok()?;
                    elements.push(self.number(element));
                    forget(env, element);
                }
                if length > 0 {
                    slots.push(Slot { holder, value: Value::Elements(elements.into()) });
                }
            }
        }
        Some(shape)
    }

    fn copy_field(&mut self, object: Ref<'_>, field: FieldId, kind: Kind) -> Value {
        if kind == Kind::Object {
            // SAFETY: the field was found in the object's class and is a reference.
            let value = unsafe { self.env.get_object(object, field) };
            let number = self.number(value);
            forget(self.env, value);
            Value::Reference(field, number)
        } else {
            // SAFETY: the field was found in the object's class, with this kind; unused bytes are zero.
            Value::Bits(field, kind, unsafe { self.env.get(object, field, kind).j })
        }
    }
}

/// How a slot is watched. Of a collection of the JDK that counts its changes the counter tells enough.
fn watch(slot: &Slot, shape: &Shape) -> Watch {
    let counter = match shape {
        Shape::Object(shape) => shape.counter,
        Shape::Leaf | Shape::PrimitiveArray(_) | Shape::ReferenceArray => None,
    };
    let is_counted = |field: FieldId| counter.is_some_and(|counter| counter != field);
    match &slot.value {
        Value::Bits(field, ..) | Value::Reference(field, _) if is_counted(*field) => Watch::Counter,
        Value::Bits(..) => Watch::Quick(1),
        Value::Reference(..) => Watch::Quick(2),
        Value::Bytes(bytes) => {
            let cost = 2 + bytes.len() / 1024;
            if bytes.len() <= MOST_BYTES { Watch::Quick(cost) } else { Watch::Thorough(cost) }
        }
        Value::Elements(elements) => {
            // The first object is the value of the field itself: an array of the class's own.
            let longest = if slot.holder == 0 { LONGEST_OWN } else { LONGEST_INNER };
            let cost = 2 * elements.len();
            if elements.len() <= longest { Watch::Quick(cost) } else { Watch::Thorough(cost) }
        }
    }
}
