//! What the code under test asks objects for, and the calls that set just that: `setOwner(Person)` where it calls `getOwner()`.
//!
//! A configuration has five hundred setters, and an order twenty; the code asks for three things. What is not set is null, and there the run
//! ends. Names are those that people give by convention (`JavaBeans` 1.01, §8.3), and those of records and of what is written like them.

use std::collections::BTreeSet;

use bytecode::class_info::MethodInfo;

use super::uses::Called;
use super::{Callable, CallableKind};

/// How names of methods begin that ask for a property, and of those that set one.
const ASKING: [&str; 2] = ["get", "is"];
const SETTING: [&str; 2] = ["set", "with"];

/// Properties, each with the descriptor of its type.
#[derive(Debug, Default)]
pub(super) struct Properties {
    asked: BTreeSet<(String, String)>,
}

impl Properties {
    /// Those that methods ask for that the code under test calls.
    pub(super) fn of(called: &Called) -> Self {
        let asked = called.keys().filter_map(|(name, descriptor)| {
            let of = descriptor.strip_prefix("()").filter(|of| *of != "V")?;
            Some((property(name, &ASKING), of.to_owned()))
        });
        Self { asked: asked.collect() }
    }

    /// Whether a method sets one of them.
    pub(super) fn is_set_by(&self, name: &str, descriptor: &str) -> bool {
        let of = descriptor.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        of.is_some_and(|(of, _)| self.asked.contains(&(property(name, &SETTING), of.to_owned())))
    }

    /// As [`Properties::is_set_by`], of a method that a test may call.
    pub(super) fn is_set(&self, callable: &Callable) -> bool {
        callable.kind == CallableKind::InstanceMethod && self.is_set_by(&callable.name, &callable.descriptor)
    }

    /// As [`Properties::is_set_by`], of a declared method.
    pub(super) fn is_set_by_method(&self, method: &MethodInfo) -> bool {
        self.is_set_by(&method.name, &method.descriptor)
    }
}

/// The property that a name is about: what is behind one of the prefixes, or all of it.
fn property(name: &str, prefixes: &[&str]) -> String {
    let behind = |prefix: &&str| {
        name.strip_prefix(*prefix).filter(|rest| rest.starts_with(|first: char| !first.is_lowercase()))
    };
    let rest = prefixes.iter().find_map(behind).unwrap_or(name);
    let mut letters = rest.chars();
    letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setter_of_what_is_asked_for_is_known_by_name_and_type() {
        let called: Called = [
            ("getOwner", "()Lp/Person;"),
            ("isOpen", "()Z"),
            ("size", "()I"),
            ("getKey", "(I)Ljava/lang/String;"),
            ("issue", "()I"),
            ("getNothing", "()V"),
        ]
        .map(|(name, descriptor)| ((name.into(), descriptor.into()), 0))
        .into();
        let properties = Properties::of(&called);
        let set = [
            ("setOwner", "(Lp/Person;)V"),
            ("withOwner", "(Lp/Person;)Lp/Order;"),
            ("owner", "(Lp/Person;)Lp/Order;"),
            ("setOpen", "(Z)V"),
            ("size", "(I)Lp/Order;"),
            ("setIssue", "(I)V"),
        ];
        let others = [
            ("setOwner", "(Ljava/lang/String;)V"),
            ("setOwner", "(Lp/Person;I)V"),
            ("getOwner", "()Lp/Person;"),
            ("setKey", "(Ljava/lang/String;)V"),
            ("setNothing", "()V"),
            ("settle", "(I)V"),
        ];
        for (name, descriptor) in set {
            assert!(properties.is_set_by(name, descriptor), "{name}{descriptor}");
        }
        for (name, descriptor) in others {
            assert!(!properties.is_set_by(name, descriptor), "{name}{descriptor}");
        }
    }
}
