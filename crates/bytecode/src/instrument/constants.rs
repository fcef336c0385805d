//! Constants added behind those of a class. Those that were there keep their indices, so that everything that names
//! them can be copied as it is.

use std::collections::BTreeMap;

use super::runtime::{RuntimeClass, RuntimeMethod};
use crate::class_file::{ConstantPool, encode_modified_utf8, tag};

/// Largest `constant_pool_count`: the index of a constant has 16 bits, and slot 0 counts.
const MOST: u32 = 65_535;

/// The constants added so far. When there is no room for another one, its index is 0 and [`overflowed`] tells;
/// what was written with it must be dropped.
///
/// [`overflowed`]: NewConstants::overflowed
#[derive(Debug)]
pub(crate) struct NewConstants {
    next: u32,
    bytes: Vec<u8>,
    overflowed: bool,
    classes: [u16; RuntimeClass::COUNT],
    methods: [u16; RuntimeMethod::ALL.len()],
    last_integer: (i32, u16),
    /// Classes of the program, by name.
    named: BTreeMap<Box<[u8]>, u16>,
}

/// A state to return to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Checkpoint {
    next: u32,
    length: usize,
}

impl NewConstants {
    /// None yet, behind those of a class.
    pub(crate) fn behind(pool: &ConstantPool<'_>) -> Self {
        Self {
            next: pool.len() as u32,
            bytes: Vec::with_capacity(512),
            overflowed: false,
            classes: [0; RuntimeClass::COUNT],
            methods: [0; RuntimeMethod::ALL.len()],
            last_integer: (0, 0),
            named: BTreeMap::new(),
        }
    }

    /// `constant_pool_count` of the class with them.
    pub(crate) fn count(&self) -> u16 {
        self.next as u16
    }

    /// The constants as the class file has them.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether a constant found no room since the last [`NewConstants::roll_back`].
    pub(crate) fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// The state now.
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint { next: self.next, length: self.bytes.len() }
    }

    /// Forgets the constants made since.
    pub(crate) fn roll_back(&mut self, to: Checkpoint) {
        self.next = to.next;
        self.bytes.truncate(to.length);
        self.overflowed = false;
        for index in self.classes.iter_mut().chain(&mut self.methods) {
            if u32::from(*index) >= to.next {
                *index = 0;
            }
        }
        self.last_integer = (0, 0);
        self.named.retain(|_, index| u32::from(*index) < to.next);
    }

    fn add(&mut self, tag: u8, content: &[u8]) -> u16 {
        if self.next >= MOST {
            self.overflowed = true;
            return 0;
        }
        self.bytes.push(tag);
        self.bytes.extend_from_slice(content);
        self.next += 1;
        (self.next - 1) as u16
    }

    fn add_pair(&mut self, tag: u8, first: u16, second: u16) -> u16 {
        let [a, b] = first.to_be_bytes();
        let [c, d] = second.to_be_bytes();
        self.add(tag, &[a, b, c, d])
    }

    fn add_utf8(&mut self, bytes: &[u8]) -> u16 {
        let Ok(length) = u16::try_from(bytes.len()) else {
            self.overflowed = true;
            return 0;
        };
        let index = self.add(tag::UTF8, &length.to_be_bytes());
        if index != 0 {
            self.bytes.extend_from_slice(bytes);
        }
        index
    }

    /// A `CONSTANT_Methodref` of a probe's method.
    pub(crate) fn method(&mut self, method: RuntimeMethod) -> u16 {
        let known = self.methods[method as usize];
        if known != 0 {
            return known;
        }
        let (class, name, descriptor) = method.signature();
        if self.classes[class as usize] == 0 {
            let name = self.add_utf8(class.name().as_bytes());
            self.classes[class as usize] = self.add(tag::CLASS, &name.to_be_bytes());
        }
        let made = self.method_of(self.classes[class as usize], name, descriptor);
        self.methods[method as usize] = made;
        made
    }

    /// A `CONSTANT_Methodref` of a method of the class of this constant.
    pub(crate) fn method_of(&mut self, class: u16, name: &str, descriptor: &str) -> u16 {
        let (name, descriptor) = (self.add_utf8(name.as_bytes()), self.add_utf8(descriptor.as_bytes()));
        let name_and_type = self.add_pair(tag::NAME_AND_TYPE, name, descriptor);
        self.add_pair(tag::METHOD, class, name_and_type)
    }

    /// A `CONSTANT_Class` with this name in internal form.
    pub(crate) fn class(&mut self, name: &[u8]) -> u16 {
        if let Some(&known) = self.named.get(name) {
            return known;
        }
        let utf8 = self.add_utf8(name);
        let made = self.add(tag::CLASS, &utf8.to_be_bytes());
        self.named.insert(name.into(), made);
        made
    }

    /// A `CONSTANT_Utf8`.
    pub(crate) fn utf8(&mut self, text: &str) -> u16 {
        self.add_utf8(text.as_bytes())
    }

    /// A `CONSTANT_Class` of this internal name, or array descriptor.
    pub(crate) fn class_named(&mut self, name: &str) -> u16 {
        let units: Vec<u16> = name.encode_utf16().collect();
        self.class(&encode_modified_utf8(&units))
    }

    /// A `CONSTANT_Integer`.
    pub(crate) fn integer(&mut self, value: i32) -> u16 {
        if self.last_integer.0 != value || self.last_integer.1 == 0 {
            self.last_integer = (value, self.add(tag::INTEGER, &value.to_be_bytes()));
        }
        self.last_integer.1
    }

    /// A `CONSTANT_String` over a `CONSTANT_Utf8` of the class.
    pub(crate) fn string_of(&mut self, utf8: u16) -> u16 {
        self.add(tag::STRING, &utf8.to_be_bytes())
    }

    /// A `CONSTANT_String` of UTF-16 code units; too long a one overflows.
    pub(crate) fn string(&mut self, units: &[u16]) -> u16 {
        let utf8 = self.add_utf8(&encode_modified_utf8(units));
        self.string_of(utf8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn behind(count: u32) -> NewConstants {
        NewConstants {
            next: count,
            bytes: Vec::new(),
            overflowed: false,
            classes: [0; RuntimeClass::COUNT],
            methods: [0; RuntimeMethod::ALL.len()],
            last_integer: (0, 0),
            named: BTreeMap::new(),
        }
    }

    #[test]
    fn a_method_is_added_once_and_forgotten_by_a_roll_back() {
        let mut constants = behind(10);
        let start = constants.checkpoint();
        let entry = constants.method(RuntimeMethod::Entry);
        assert_eq!((entry, constants.method(RuntimeMethod::Entry)), (15, 15));
        assert_eq!(constants.method(RuntimeMethod::Block), 19);
        constants.roll_back(start);
        assert_eq!((constants.count(), constants.bytes().len()), (10, 0));
        assert_eq!(constants.method(RuntimeMethod::Block), 15);
    }

    #[test]
    fn a_full_pool_overflows_and_a_roll_back_makes_room() {
        let mut constants = behind(65_533);
        let start = constants.checkpoint();
        assert_eq!((constants.integer(1), constants.integer(2)), (65_533, 65_534));
        assert!(!constants.overflowed());
        assert_eq!((constants.integer(3), constants.overflowed()), (0, true));
        constants.roll_back(start);
        assert!(!constants.overflowed());
        assert_eq!(constants.integer(3), 65_533);
    }
}
