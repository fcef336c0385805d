//! Numbers of the methods that log, for recordings of runs.

use foldhash::fast::FixedState;
use indexmap::IndexSet;

/// A method that logs what it does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LoggedMethod {
    /// Internal name of the class that declares it.
    pub class: Box<str>,
    /// Its name.
    pub name: Box<str>,
    /// Its descriptor.
    pub descriptor: Box<str>,
}

/// Methods that log by number, in the order in which instrumentation met them. Grows as classes are instrumented; numbers
/// stay, also where a class is instrumented again.
#[derive(Debug, Clone, Default)]
pub struct LoggedMethods {
    methods: IndexSet<LoggedMethod, FixedState>,
}

impl LoggedMethods {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many have a number.
    pub fn len(&self) -> usize {
        self.methods.len()
    }

    /// Whether none has a number.
    pub fn is_empty(&self) -> bool {
        self.methods.is_empty()
    }

    /// The method with a number.
    pub fn get(&self, number: u32) -> Option<&LoggedMethod> {
        self.methods.get_index(number as usize)
    }

    /// The number of a method, a new one if it has none.
    pub(crate) fn number_of(&mut self, method: LoggedMethod) -> u32 {
        self.methods.insert_full(method).0 as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_keeps_its_number() {
        let method =
            |name: &str| LoggedMethod { class: "p/A".into(), name: name.into(), descriptor: "()V".into() };
        let mut methods = LoggedMethods::new();
        assert_eq!([methods.number_of(method("a")), methods.number_of(method("b"))], [0, 1]);
        assert_eq!([methods.number_of(method("a")), methods.len() as u32], [0, 2]);
        assert_eq!(&*methods.get(1).unwrap().name, "b");
        assert!(methods.get(2).is_none());
    }
}
