//! What the code under test looks for under keys: `(User) session.getAttribute("user")`.
//!
//! Of random calls that put an object under a text, one in a thousand puts the right object under the right text. The code says which belong
//! together: the key that it names, and the type to which it casts what it gets. Where a call of the cluster takes both, they are an
//! [`Entry`].

use std::collections::BTreeSet;

use bytecode::keyed::{Key, KeyedUse};
use bytecode::signature::{ClassType, GenericType};
use serde::{Deserialize, Serialize};

use super::build::Builder;
use super::generators::class_literal;
use super::members::Room;
use super::{FieldId, TestCluster, TypeId};
use crate::statement::Statement;
use crate::value::{JavaString, Value};

/// Most entries: each brings what it takes to make an object of its type.
const MOST_ENTRIES: usize = 24;

/// Steps from a test call at which these types count as found: what they hold is looked up as well.
const DEPTH: usize = 1;

/// A key that the code names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum EntryKey {
    /// A text.
    Text(JavaString),
    /// A static field, or an enum constant.
    Constant(FieldId),
    /// A class literal.
    Class {
        /// The type of the literal, `Class<Foo>`.
        literal: TypeId,
        /// The class named.
        class: TypeId,
    },
}

/// A key, and the type of what the code under test expects under it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The key.
    pub key: EntryKey,
    /// A type that the code casts the object to, or checks it for.
    pub of: TypeId,
}

impl TestCluster {
    /// The statement that defines a key.
    pub fn key(&self, key: &EntryKey) -> Statement {
        match key {
            EntryKey::Text(text) => Statement::Primitive { value: Value::String(text.clone()), boxed: false },
            &EntryKey::Constant(field) => {
                let constants = &self.ty(self.field(field).of).enum_constants;
                if constants.contains(&field) {
                    Statement::EnumConstant { field }
                } else {
                    Statement::FieldRead { field, receiver: None }
                }
            }
            &EntryKey::Class { literal, class } => Statement::ClassLiteral { of: literal, class },
        }
    }
}

impl Builder<'_> {
    /// Finds the entries: keys of the code, with their types, that some call of the cluster takes.
    pub(super) fn collect_entries(&mut self) {
        let uses = &self.world.uses().keyed;
        let is_narrower = |one: &KeyedUse, other: &KeyedUse| {
            one.key == other.key
                && one.of != other.of
                && self.world.lineage.is_erased_subtype(&one.of, &other.of)
        };
        let narrowest = |one: &&KeyedUse| !uses.iter().any(|other| is_narrower(other, one));
        let uses: Vec<KeyedUse> = uses.iter().filter(narrowest).cloned().collect();
        if uses.is_empty() {
            return;
        }
        let places = self.places();
        for KeyedUse { key, of } in uses {
            if self.entries.len() == MOST_ENTRIES {
                break;
            }
            let Some(of) = self.world.any_of(&of).and_then(|generic| self.world.normal(&generic)) else {
                continue;
            };
            if self.world.access.generic(&of)
                && self.type_of_key(&key).is_some_and(|key| self.is_taken(&places, &key, &of))
                && let Some(key) = self.entry_key(&key)
            {
                let of = self.members.intern(&of);
                self.needs.want(of, DEPTH);
                self.entries.push(Entry { key, of });
            }
        }
        self.drain();
    }

    fn type_of_key(&self, key: &Key) -> Option<GenericType> {
        match key {
            Key::Text(_) => Some(self.members.types.get(TypeId::STRING).generic.clone()),
            Key::Constant(class, field) => {
                let (class, field) = self.world.constant(class, field)?;
                Some(class.fields[field].generic.clone())
            }
            Key::Class(of) => Some(class_literal(&GenericType::from(of))),
        }
    }

    /// The types of which a call takes one behind the other, and those with which a stub is asked for one of the others.
    fn places(&self) -> BTreeSet<(TypeId, TypeId)> {
        let mut places = BTreeSet::new();
        for callable in &self.members.callables {
            for (position, behind) in callable.parameters.iter().enumerate() {
                places.extend(callable.parameters[..position].iter().map(|key| (key.of, behind.of)));
            }
        }
        for method in self.stubs.all.iter().flat_map(|stub| &stub.methods) {
            let Some(result) = method.result else { continue };
            places.extend(method.parameters.iter().map(|key| (key.of, result)));
        }
        places.retain(|(key, of)| [key, of].iter().all(|ty| ty.as_primitive().is_none()));
        places
    }

    /// Whether there is a place for the key and the object.
    fn is_taken(&self, places: &BTreeSet<(TypeId, TypeId)>, key: &GenericType, of: &GenericType) -> bool {
        let takes = |wanted: TypeId, given: &GenericType| {
            self.world.lineage.is_subtype(given, &self.members.types.get(wanted).generic)
        };
        places.iter().any(|&(wanted_key, wanted)| takes(wanted_key, key) && takes(wanted, of))
    }

    fn entry_key(&mut self, key: &Key) -> Option<EntryKey> {
        match key {
            Key::Text(text) => Some(EntryKey::Text(JavaString::new(text.as_slice()))),
            Key::Constant(class, field) => {
                let (class, field) = self.world.constant(class, field)?;
                let owner = ClassType::new(class.name.clone());
                let id = self.members.field(&class, &class.fields[field], &owner, Room::Open).ok()?;
                let of = self.members.fields[id.index()].of;
                self.needs.want(of, DEPTH);
                Some(EntryKey::Constant(id))
            }
            Key::Class(of) => {
                let named = GenericType::from(of);
                let literal = class_literal(&named);
                let is_named = self.world.access.generic(&literal);
                is_named.then(|| EntryKey::Class {
                    literal: self.members.intern(&literal),
                    class: self.members.intern(&named),
                })
            }
        }
    }
}
