//! What belongs to a type: ways to make its values, to change them, to tell of them.

use super::{Call, CallableId, FieldId, Generator, TypeId};

/// By type; a list is shorter than the types when the last ones have none.
#[derive(Debug, Default)]
pub(super) struct Belongings {
    pub(super) generators: Vec<Vec<Generator>>,
    pub(super) modifiers: Vec<Vec<Call>>,
    pub(super) inspectors: Vec<Vec<CallableId>>,
    pub(super) public_fields: Vec<Vec<FieldId>>,
    /// By type what gives an element of its values.
    pub(super) elements: Vec<(TypeId, CallableId)>,
}

impl Belongings {
    /// Adds a generator once: stubs behind all else, whenever they are found.
    pub(super) fn push_generator(&mut self, ty: TypeId, generator: Generator) {
        let slot = slot(&mut self.generators, ty);
        if generator != Generator::Of(ty) && !slot.contains(&generator) {
            let is_stub = |way: &Generator| matches!(way, Generator::Stub(_));
            let stubs = slot.iter().rev().take_while(|way| is_stub(way)).count();
            let behind = if is_stub(&generator) { 0 } else { stubs };
            slot.insert(slot.len() - behind, generator);
        }
    }

    /// Keeps those ways to make objects of a type for which this holds.
    pub(super) fn retain_generators(&mut self, ty: TypeId, is_kept: impl FnMut(&Generator) -> bool) {
        slot(&mut self.generators, ty).retain(is_kept);
    }

    /// Adds a call that changes an object, once.
    pub(super) fn push_modifier(&mut self, ty: TypeId, call: Call) {
        let slot = slot(&mut self.modifiers, ty);
        if !slot.contains(&call) {
            slot.push(call);
        }
    }

    /// Adds a method that only tells, once.
    pub(super) fn push_inspector(&mut self, ty: TypeId, callable: CallableId) {
        let slot = slot(&mut self.inspectors, ty);
        if !slot.contains(&callable) {
            slot.push(callable);
        }
    }

    /// Adds what gives an element of values of a type, once.
    pub(super) fn push_element(&mut self, ty: TypeId, callable: CallableId) {
        if !self.elements.contains(&(ty, callable)) {
            self.elements.push((ty, callable));
        }
    }

    /// Adds a public field, once.
    pub(super) fn push_public_field(&mut self, ty: TypeId, field: FieldId) {
        let slot = slot(&mut self.public_fields, ty);
        if !slot.contains(&field) {
            slot.push(field);
        }
    }

    /// The ways to make values of a type.
    pub(super) fn generators_of(&self, ty: TypeId) -> &[Generator] {
        self.generators.get(ty.index()).map_or(&[], Vec::as_slice)
    }
}

/// The list of a type, made when it is not there yet.
fn slot<T>(lists: &mut Vec<Vec<T>>, ty: TypeId) -> &mut Vec<T> {
    if lists.len() <= ty.index() {
        lists.resize_with(ty.index() + 1, Vec::new);
    }
    &mut lists[ty.index()]
}
