//! Numbers of static fields that instrumented code writes, for the undo log.

use foldhash::fast::FixedState;
use indexmap::{Equivalent, IndexSet};
use serde::{Deserialize, Serialize};

use crate::class_file::MemberRef;

/// A static field as code names it: the class may be a subclass of the one that declares it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StaticField {
    /// Internal name of the class.
    pub class: Box<str>,
    /// Name of the field.
    pub name: Box<str>,
    /// Its descriptor.
    pub descriptor: Box<str>,
}

/// Static fields by number, in the order in which instrumentation met them. Grows as classes are loaded; numbers
/// stay.
///
/// A field that is named through two classes has two numbers, so undo from the last write to the first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaticFields {
    fields: IndexSet<StaticField, FixedState>,
}

/// Hashes and compares as a [`StaticField`] does, without owning anything.
#[derive(Hash)]
struct Borrowed<'a> {
    class: &'a str,
    name: &'a str,
    descriptor: &'a str,
}

impl Equivalent<StaticField> for Borrowed<'_> {
    fn equivalent(&self, field: &StaticField) -> bool {
        (self.class, self.name, self.descriptor) == (&*field.class, &*field.name, &*field.descriptor)
    }
}

impl StaticFields {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many have a number.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Whether none has a number.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// The field with a number.
    pub fn get(&self, number: u32) -> Option<&StaticField> {
        self.fields.get_index(number as usize)
    }

    /// The fields in the order of their numbers, from 0 on.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &StaticField> {
        self.fields.iter()
    }

    /// The number of a field, a new one if it has none.
    pub(crate) fn number_of(&mut self, field: &MemberRef<'_>) -> u32 {
        let borrowed = Borrowed { class: &field.owner, name: &field.name, descriptor: &field.descriptor };
        let known = self.fields.get_index_of(&borrowed);
        let number = known.unwrap_or_else(|| {
            let owned = StaticField {
                class: (*field.owner).into(),
                name: (*field.name).into(),
                descriptor: (*field.descriptor).into(),
            };
            self.fields.insert_full(owned).0
        });
        number as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str) -> MemberRef<'_> {
        MemberRef { owner: "p/A".into(), name: name.into(), descriptor: "I".into(), interface: false }
    }

    #[test]
    fn a_field_keeps_its_number() {
        let mut fields = StaticFields::new();
        assert_eq!([fields.number_of(&field("a")), fields.number_of(&field("b"))], [0, 1]);
        assert_eq!([fields.number_of(&field("a")), fields.len() as u32], [0, 2]);
        assert_eq!(&*fields.get(1).unwrap().name, "b");
        assert!(fields.get(2).is_none());
    }
}
