//! A hash map that is only looked up, never walked: its order cannot leak into a result.
//!
//! No other file names the hash maps and sets of the standard library. What is walked in order is a `BTreeMap`, an
//! `IndexMap` or an `IndexSet`.

#![expect(clippy::disallowed_types, reason = "the one place with a hash map; it offers no iteration")]

use std::borrow::Borrow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::hash::Hash;

use foldhash::fast::FixedState;

/// Values by key. The hash function is the same in every run.
#[derive(Clone)]
pub struct Lookup<K, V> {
    map: HashMap<K, V, FixedState>,
}

impl<K: Eq + Hash, V> Lookup<K, V> {
    /// Without entries.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a key.
    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.map.get(key)
    }

    /// Whether a key has a value.
    pub fn contains_key<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.map.contains_key(key)
    }

    /// Gives a key a value and returns the one that it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.map.insert(key, value)
    }

    /// Takes the value of a key away.
    pub fn remove<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.map.remove(key)
    }

    /// The place of a key, to be filled.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        self.map.entry(key)
    }

    /// Forgets all entries.
    pub fn clear(&mut self) {
        self.map.clear();
    }
}

impl<K, V> Lookup<K, V> {
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }
}

impl<K, V> Default for Lookup<K, V> {
    fn default() -> Self {
        Self { map: HashMap::default() }
    }
}

impl<K: Eq + Hash, V> FromIterator<(K, V)> for Lookup<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self { map: entries.into_iter().collect() }
    }
}

/// Prints the number of entries, since they have no order.
impl<K, V> fmt::Debug for Lookup<K, V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Lookup({})", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_key_and_printing_shows_no_order() {
        let mut lookup: Lookup<String, u32> = (0..10).map(|number| (number.to_string(), number)).collect();
        assert_eq!(lookup.get("3"), Some(&3));
        assert_eq!(lookup.remove("3"), Some(3));
        *lookup.entry("4".to_owned()).or_insert(0) += 1;
        assert_eq!(lookup.insert("4".to_owned(), 9), Some(5));
        assert_eq!(format!("{lookup:?}"), "Lookup(9)");
    }
}
