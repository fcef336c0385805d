//! What the code under test asks objects for, and the calls that set just that: `setOwner(Person)` where it calls `getOwner()`. And what it
//! sets, with the calls that tell of just that: `getScope()` where it calls `setScope(…)`.
//!
//! A configuration has five hundred setters, and an order twenty; the code asks for three things. What is not set is null, and there the run
//! ends. Names are those that people give by convention (`JavaBeans` 1.01, §8.3), and those of records and of what is written like them.

use std::collections::BTreeSet;

use bytecode::class_info::MethodInfo;

use super::uses::Called;
use super::{Callable, CallableKind};

/// How names of methods begin that ask for a property, of predicates, of methods that set a property, and of those that add to one that
/// holds many.
const ASKING: [&str; 2] = ["get", "is"];
const PREDICATES: [&str; 1] = ["is"];
const SETTING: [&str; 2] = ["set", "with"];
const ADDING: [&str; 4] = ["add", "put", "set", "with"];

/// What is asked for, and what is set.
#[derive(Debug, Default)]
pub(super) struct Properties {
    /// Properties, each with the descriptor of its type.
    asked: BTreeSet<(String, String)>,
    /// Those that the code itself asks for by a predicate with arguments (`isRequired(context)`): they are set to something of any type,
    /// such as a `Predicate`.
    predicates: BTreeSet<String>,
    /// Those that are arrays, collections or maps, by what one of what they hold is called.
    held: BTreeSet<String>,
    /// Properties that the code itself sets or adds to, by what one of what they hold is called.
    changed: BTreeSet<String>,
}

impl Properties {
    /// Those that methods ask for that the code under test calls, and those that methods set which it calls itself, or for which it writes
    /// fields of this name.
    pub(super) fn of(called: &Called, written: &BTreeSet<String>) -> Self {
        let asked = called.keys().filter_map(|(name, descriptor)| {
            let of = descriptor.strip_prefix("()").filter(|of| *of != "V")?;
            Some((property(name, &ASKING), of.to_owned()))
        });
        let asked: BTreeSet<(String, String)> = asked.collect();
        let holds = |(_, of): &&(String, String)| of.starts_with('[') || of.starts_with("Ljava/util/");
        let held = asked.iter().filter(holds).map(|(name, _)| singular(name)).collect();
        let own =
            called.iter().filter(|((_, descriptor), steps)| **steps == 0 && !descriptor.starts_with("()"));
        let predicates = own.clone().filter(|((_, descriptor), _)| descriptor.ends_with(")Z"));
        let predicates = predicates.filter_map(|((name, _), _)| behind(name, &PREDICATES)).map(small);
        let set = own.filter_map(|((name, _), _)| behind(name, &ADDING));
        let changed = set.chain(written.iter().map(String::as_str)).map(|name| singular(&small(name)));
        Self { asked, predicates: predicates.collect(), held, changed: changed.collect() }
    }

    fn has(&self, name: &str, descriptor: &str) -> bool {
        let parameters = descriptor.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let Some((of, _)) = parameters.filter(|(of, _)| !of.is_empty()) else { return false };
        let decides = behind(name, &SETTING).is_some_and(|rest| self.predicates.contains(&small(rest)));
        decides
            || self.asked.contains(&(property(name, &SETTING), of.to_owned()))
            || self.held.contains(&singular(&property(name, &ADDING)))
    }

    /// As [`Properties::is_set_by`], of a callable.
    pub(super) fn is_set(&self, callable: &Callable) -> bool {
        callable.kind == CallableKind::InstanceMethod && self.has(&callable.name, &callable.descriptor)
    }

    /// Whether a callable tells of what the code under test sets.
    pub(super) fn tells_of_change(&self, callable: &Callable) -> bool {
        callable.kind == CallableKind::InstanceMethod && self.tells(&callable.name, &callable.descriptor)
    }

    fn tells(&self, name: &str, descriptor: &str) -> bool {
        descriptor.starts_with("()") && self.changed.contains(&singular(&property(name, &ASKING)))
    }

    /// Whether a declared method sets one of them, or adds to one.
    pub(super) fn is_set_by(&self, method: &MethodInfo) -> bool {
        self.has(&method.name, &method.descriptor)
    }
}

/// The property that a name is about: what is behind one of the prefixes, or all of it.
fn property(name: &str, prefixes: &[&str]) -> String {
    small(behind(name, prefixes).unwrap_or(name))
}

/// What is behind one of the prefixes in a name.
fn behind<'n>(name: &'n str, prefixes: &[&str]) -> Option<&'n str> {
    let behind = |prefix: &&str| {
        name.strip_prefix(*prefix).filter(|rest| rest.starts_with(|first: char| !first.is_lowercase()))
    };
    prefixes.iter().find_map(behind)
}

/// A name that begins with a small letter.
fn small(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
}

/// What one of several is called: `tag` of `tags`, `property` of `properties`.
fn singular(name: &str) -> String {
    match name.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => name.strip_suffix('s').unwrap_or(name).to_owned(),
    }
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
            ("getKeyProperties", "()[Ljava/lang/String;"),
            ("tags", "()Ljava/util/List;"),
            ("isRequired", "(Lp/Context;)Z"),
        ]
        .map(|(name, descriptor)| ((name.into(), descriptor.into()), 0))
        .into();
        let properties = Properties::of(&called, &BTreeSet::new());
        let set = [
            ("setOwner", "(Lp/Person;)V"),
            ("withOwner", "(Lp/Person;)Lp/Order;"),
            ("owner", "(Lp/Person;)Lp/Order;"),
            ("setOpen", "(Z)V"),
            ("size", "(I)Lp/Order;"),
            ("setIssue", "(I)V"),
            ("keyProperty", "(Ljava/lang/String;)Lp/Builder;"),
            ("addTag", "(Lp/Tag;)V"),
            ("putTag", "(Ljava/lang/String;Lp/Tag;)V"),
            ("setRequired", "(Ljava/util/function/Predicate;)V"),
        ];
        let others = [
            ("setOwner", "(Ljava/lang/String;)V"),
            ("setOwner", "(Lp/Person;I)V"),
            ("getOwner", "()Lp/Person;"),
            ("setKey", "(Ljava/lang/String;)V"),
            ("setNothing", "()V"),
            ("settle", "(I)V"),
            ("required", "(Lp/Context;)V"),
            ("setRequired", "()V"),
            ("tags", "()Ljava/util/List;"),
            ("addOwner", "(Lp/Person;)V"),
        ];
        for (name, descriptor) in set {
            assert!(properties.has(name, descriptor), "{name}{descriptor}");
        }
        for (name, descriptor) in others {
            assert!(!properties.has(name, descriptor), "{name}{descriptor}");
        }
    }

    #[test]
    fn what_the_code_itself_sets_is_told_by_getters_of_that_name() {
        let called: Called = [
            (("setScope".into(), "(Lp/Scope;)V".into()), 0),
            (("addTag".into(), "(Ljava/lang/String;)V".into()), 0),
            (("setFurther".into(), "(I)V".into()), 1),
            (("setUp".into(), "()V".into()), 0),
            (("compute".into(), "(I)V".into()), 0),
        ]
        .into();
        let properties = Properties::of(&called, &["state".to_owned()].into());
        for name in ["getScope", "isScope", "scope", "getTags", "getState"] {
            assert!(properties.tells(name, "()I"), "{name}");
        }
        for name in ["getFurther", "getUp", "compute", "getStateOfAll"] {
            assert!(!properties.tells(name, "()I"), "{name}");
        }
        assert!(!properties.tells("getScope", "(I)I"));
    }
}
