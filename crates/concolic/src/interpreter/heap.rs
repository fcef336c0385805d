//! Objects and arrays that a replay made or saw.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytecode::descriptor::ErasedType;
use bytecode::lookup::Lookup;
use bytecode::name::ClassName;

use crate::interpreter::{Concrete, Slot};
use crate::term::TermId;
use crate::term::pattern::Expression;

/// An object of a replay, by number: its identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(u32);

/// A field: the class that declares it, and its name.
pub type FieldName = (ClassName, Arc<str>);

/// What is known of a field or an element.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    /// The value that the replay wrote or read last.
    pub(crate) slot: Slot,
    /// Whether nothing but the replay can have written since.
    pub(crate) is_certain: bool,
}

/// What an object consists of.
#[derive(Debug, Clone)]
pub enum Content {
    /// Fields.
    Fields(BTreeMap<FieldName, FieldCell>),
    /// The elements of an array.
    Array {
        /// An `int`, with a term where it depends on inputs.
        length: Slot,
        /// Elements by index.
        elements: BTreeMap<i32, FieldCell>,
    },
    /// A `String`.
    Text(Text),
    /// A `StringBuilder` or `StringBuffer` that the replay made.
    Builder(Text),
    /// An object of a class that boxes a primitive type.
    Boxed(Slot),
    /// A `Class`.
    Class(ErasedType),
    /// An object that `LambdaMetafactory` made.
    Lambda(Arc<Lambda>),
    /// A `java.util.regex.Pattern`; of the whole text.
    Pattern(Expression),
    /// A `java.util.regex.Matcher` of a string.
    Matcher(Matching),
}

/// A `java.util.regex.Matcher`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matching {
    /// The expression; of the whole text.
    pub expression: Expression,
    /// The text.
    pub text: Text,
    /// Whether nothing was matched yet, so that `find` begins at the beginning.
    pub is_fresh: bool,
}

/// What is known of a field or an element; opaque outside of the interpreter.
#[derive(Debug, Clone, Copy)]
pub struct FieldCell(pub(crate) Cell);

/// UTF-16 code units with their term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// What the run had.
    pub units: Arc<[u16]>,
    /// A text, if it depends on an input.
    pub term: Option<TermId>,
}

/// An object of a functional interface (JLS 15.27.4, 15.13.3).
#[derive(Debug, Clone, PartialEq)]
pub struct Lambda {
    /// The name of the method of the interface.
    pub name: Arc<str>,
    /// Kind of the reference to the implementation (JVMS 4.4.8).
    pub kind: u8,
    /// The class that has the implementation.
    pub owner: ClassName,
    /// Its name.
    pub implementation: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
    /// What was captured.
    pub captured: Vec<Slot>,
}

/// An object.
#[derive(Debug, Clone)]
pub struct Object {
    /// Its class, or array type.
    pub class: ErasedType,
    /// What it consists of.
    pub content: Content,
    /// Whether the replay made it and code that is not interpreted never had it: what was not written has its default.
    pub(crate) is_own: bool,
}

/// All objects of a replay.
#[derive(Debug, Clone, Default)]
pub struct Heap {
    objects: Vec<Object>,
    literals: Lookup<Arc<[u16]>, ObjectId>,
    /// Literals whose text is an input.
    chosen: BTreeSet<ObjectId>,
    classes: BTreeMap<ErasedType, ObjectId>,
    /// What objects were when changes began that may be undone, the innermost last.
    saved: Vec<Saved>,
}

/// What objects were.
#[derive(Debug, Clone, Default)]
struct Saved {
    /// Objects that there were.
    count: usize,
    /// Those of them that were changed, as they were.
    objects: BTreeMap<ObjectId, Object>,
}

impl Heap {
    /// Number of objects.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// An object.
    pub fn get(&self, object: ObjectId) -> &Object {
        &self.objects[object.0 as usize]
    }

    pub(crate) fn get_mut(&mut self, object: ObjectId) -> &mut Object {
        if let Some(saved) = self.saved.last_mut()
            && (object.0 as usize) < saved.count
        {
            let objects = &self.objects;
            saved.objects.entry(object).or_insert_with(|| objects[object.0 as usize].clone());
        }
        &mut self.objects[object.0 as usize]
    }

    /// Changes of objects from here on may be undone.
    pub(crate) fn begin(&mut self) {
        self.saved.push(Saved { count: self.objects.len(), objects: BTreeMap::new() });
    }

    /// Changes since the last [`Self::begin`] stay.
    pub(crate) fn keep(&mut self) {
        let Some(kept) = self.saved.pop() else { return };
        let Some(outer) = self.saved.last_mut() else { return };
        for (object, before) in kept.objects {
            if (object.0 as usize) < outer.count {
                outer.objects.entry(object).or_insert(before);
            }
        }
    }

    /// Changes since the last [`Self::begin`] are undone; what was made since stays, and nothing leads to it.
    pub(crate) fn undo(&mut self) {
        let Some(undone) = self.saved.pop() else { return };
        for (object, before) in undone.objects {
            self.objects[object.0 as usize] = before;
        }
    }

    fn add(&mut self, class: ErasedType, content: Content, is_own: bool) -> ObjectId {
        self.objects.push(Object { class, content, is_own });
        ObjectId(self.objects.len() as u32 - 1)
    }

    /// An object that was there before the replay, or that code made which is not interpreted.
    pub fn seen(&mut self, class: ClassName) -> ObjectId {
        self.add(ErasedType::Class(class), Content::Fields(BTreeMap::new()), false)
    }

    /// An array that was there before; the length may depend on an input.
    pub fn seen_array(&mut self, element: ErasedType, length: Slot) -> ObjectId {
        let content = Content::Array { length, elements: BTreeMap::new() };
        self.add(ErasedType::Array(Box::new(element)), content, false)
    }

    /// An array whose elements are all known.
    pub fn array_of(&mut self, element: ErasedType, slots: &[Slot]) -> ObjectId {
        let array = self.made_array(element, Slot::int(slots.len() as i32));
        for (index, &slot) in slots.iter().enumerate() {
            self.set_element(array, index as i32, slot);
        }
        array
    }

    /// An object that the replay makes.
    pub(crate) fn made(&mut self, class: ClassName) -> ObjectId {
        let content = match class.as_str() {
            "java/lang/StringBuilder" | "java/lang/StringBuffer" => {
                Content::Builder(Text { units: Arc::new([]), term: None })
            }
            "java/lang/String" => Content::Text(Text { units: Arc::new([]), term: None }),
            _ => Content::Fields(BTreeMap::new()),
        };
        self.add(ErasedType::Class(class), content, true)
    }

    pub(crate) fn made_array(&mut self, element: ErasedType, length: Slot) -> ObjectId {
        let content = Content::Array { length, elements: BTreeMap::new() };
        self.add(ErasedType::Array(Box::new(element)), content, true)
    }

    /// Code that is not interpreted decided what a new string or box is.
    pub(crate) fn forget_value(&mut self, object: ObjectId) {
        let content = &mut self.get_mut(object).content;
        if matches!(content, Content::Text(_) | Content::Boxed(_)) {
            *content = Content::Fields(BTreeMap::new());
        }
    }

    /// A `String` with an identity of its own.
    pub fn text(&mut self, units: Arc<[u16]>, term: Option<TermId>) -> ObjectId {
        self.add(ErasedType::Class(ClassName::string()), Content::Text(Text { units, term }), true)
    }

    /// A string literal: the same object for the same text (JLS 3.10.5).
    pub fn literal(&mut self, units: &Arc<[u16]>) -> ObjectId {
        if let Some(&known) = self.literals.get(units) {
            return known;
        }
        let object = self.text(units.clone(), None);
        self.literals.insert(units.clone(), object);
        object
    }

    /// A string literal whose text is an input: the same object as each other one that has the same text.
    pub fn chosen_literal(&mut self, units: Arc<[u16]>, term: TermId) -> ObjectId {
        let object = self.text(units, Some(term));
        self.chosen.insert(object);
        object
    }

    /// Whether an object is a literal whose text is an input.
    pub(crate) fn is_chosen_literal(&self, object: ObjectId) -> bool {
        self.chosen.contains(&object)
    }

    /// The `Class` of a type.
    pub fn class_object(&mut self, erased: ErasedType) -> ObjectId {
        if let Some(&known) = self.classes.get(&erased) {
            return known;
        }
        let class = ErasedType::Class(ClassName::new("java/lang/Class"));
        let object = self.add(class, Content::Class(erased.clone()), true);
        self.classes.insert(erased, object);
        object
    }

    /// An object of a class that boxes a primitive type.
    pub fn boxed(&mut self, class: ClassName, slot: Slot) -> ObjectId {
        self.add(ErasedType::Class(class), Content::Boxed(slot), true)
    }

    /// A `java.util.regex.Pattern` that was there before the replay.
    pub fn pattern(&mut self, expression: Expression) -> ObjectId {
        let class = ErasedType::Class(ClassName::new("java/util/regex/Pattern"));
        self.add(class, Content::Pattern(expression), false)
    }

    pub(crate) fn matcher(&mut self, matching: Matching) -> ObjectId {
        let class = ErasedType::Class(ClassName::new("java/util/regex/Matcher"));
        self.add(class, Content::Matcher(matching), true)
    }

    pub(crate) fn lambda(&mut self, interface: ClassName, lambda: Lambda) -> ObjectId {
        self.add(ErasedType::Class(interface), Content::Lambda(Arc::new(lambda)), true)
    }

    /// The text of a `String`.
    pub fn text_of(&self, object: ObjectId) -> Option<&Text> {
        if let Content::Text(text) = &self.get(object).content { Some(text) } else { None }
    }

    /// The class of an object that is no array.
    pub fn class_of(&self, object: ObjectId) -> Option<&ClassName> {
        if let ErasedType::Class(class) = &self.get(object).class { Some(class) } else { None }
    }

    pub(crate) fn length(&self, array: ObjectId) -> Option<Slot> {
        if let Content::Array { length, .. } = &self.get(array).content { Some(*length) } else { None }
    }

    pub(crate) fn element(&self, array: ObjectId, index: i32) -> Option<Cell> {
        let Content::Array { elements, .. } = &self.get(array).content else { return None };
        elements.get(&index).map(|cell| cell.0)
    }

    pub(crate) fn set_element(&mut self, array: ObjectId, index: i32, slot: Slot) {
        if let Content::Array { elements, .. } = &mut self.get_mut(array).content {
            elements.insert(index, FieldCell(Cell { slot, is_certain: true }));
        }
    }

    /// An element is not known any longer.
    pub(crate) fn forget_element(&mut self, array: ObjectId, index: i32) {
        let object = self.get_mut(array);
        if let Content::Array { elements, .. } = &mut object.content {
            elements.remove(&index);
        }
        object.is_own = false;
    }

    /// Writes an element; a test may do so to give an array what it had before the replay.
    pub fn write_element(&mut self, array: ObjectId, index: i32, slot: Slot) {
        self.set_element(array, index, slot);
    }

    pub(crate) fn field(&self, object: ObjectId, field: &FieldName) -> Option<Cell> {
        let Content::Fields(fields) = &self.get(object).content else { return None };
        fields.get(field).map(|cell| cell.0)
    }

    /// Writes a field; a test may do so to give an object what it had before the replay.
    pub fn set_field(&mut self, object: ObjectId, field: FieldName, slot: Slot) {
        if let Content::Fields(fields) = &mut self.get_mut(object).content {
            fields.insert(field, FieldCell(Cell { slot, is_certain: true }));
        }
    }

    /// Code that is not interpreted had these values: whatever it can reach from them may have changed.
    pub(crate) fn escape(&mut self, slots: &[Slot]) {
        let mut reached = BTreeSet::new();
        let mut open: Vec<Slot> = slots.to_vec();
        while let Some(slot) = open.pop() {
            let Concrete::Reference(object) = slot.concrete else { continue };
            if !reached.insert(object) {
                continue;
            }
            match &mut self.get_mut(object).content {
                Content::Fields(fields) => {
                    for cell in fields.values_mut() {
                        cell.0.is_certain = false;
                        open.push(cell.0.slot);
                    }
                }
                Content::Array { elements, .. } => {
                    for cell in elements.values_mut() {
                        cell.0.is_certain = false;
                        open.push(cell.0.slot);
                    }
                }
                Content::Lambda(lambda) => open.extend(&lambda.captured),
                content @ (Content::Builder(_) | Content::Matcher(_)) => {
                    *content = Content::Fields(BTreeMap::new());
                }
                Content::Text(_) | Content::Boxed(_) | Content::Class(_) | Content::Pattern(_) => {}
            }
            self.get_mut(object).is_own = false;
        }
    }
}
