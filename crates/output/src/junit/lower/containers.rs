//! What collections, maps and optionals hold, as one expected value.

use bytecode::name::ClassName;
use bytecode::signature::GenericType;
use testcase::assertion::{Container, ObservedValue};

use super::body::Body;
use crate::junit::ast::{Expr, Receiver};

/// Most entries that `Map.of` takes.
const MOST_ENTRIES: usize = 10;

impl Body<'_> {
    /// That an expression of static type `of` holds exactly this; its size where Java has no expression for more.
    pub(super) fn container_equality(
        &self,
        actual: Expr,
        of: &GenericType,
        container: Container,
        held: &[ObservedValue],
    ) -> Expr {
        let size = container.is_sized().then(|| u32::try_from(container.size(held.len())).ok()).flatten();
        if held.is_empty() && self.is_any(of, &["java/util/Collection", "java/util/Map"]) {
            return self.size_equality(actual, of, size);
        }
        if container == Container::Ordered {
            return self.ordered_equality(actual, of, held, size);
        }
        match self.container(container, held) {
            Some(expected) => Expr::assertion("assertEquals", vec![expected, actual]),
            None => self.size_equality(actual, of, size),
        }
    }

    /// What equals nothing but itself is compared as a list.
    fn ordered_equality(
        &self,
        actual: Expr,
        of: &GenericType,
        held: &[ObservedValue],
        size: Option<u32>,
    ) -> Expr {
        match self.container(Container::List, held) {
            Some(expected) if self.is_any(of, &["java/util/Collection"]) => {
                let listed = Expr::New {
                    outer: None,
                    class: ClassName::new("java/util/ArrayList"),
                    diamond: true,
                    arguments: vec![actual],
                };
                Expr::assertion("assertEquals", vec![expected, listed])
            }
            Some(_) | None => self.size_equality(actual, of, size),
        }
    }

    /// A container that equals one which holds this: `List.of("a")`, `Optional.empty()`; with the means of older releases where
    /// the source level has no such methods or a null is held. `None` where Java has no expression for it.
    pub(super) fn container(&self, container: Container, held: &[ObservedValue]) -> Option<Expr> {
        let values: Option<Vec<Expr>> =
            held.iter().map(|value| self.expected(value, &GenericType::object())).collect();
        let values = values?;
        let has_null = held.contains(&ObservedValue::Null);
        match container {
            Container::List if self.has_factories(has_null) => Some(call("java/util/List", "of", values)),
            Container::List => Some(match values.len() {
                0 => collections("emptyList", values),
                1 => collections("singletonList", values),
                _ => call("java/util/Arrays", "asList", values),
            }),
            Container::Set if self.has_factories(has_null) => Some(call("java/util/Set", "of", values)),
            Container::Set => Some(match values.len() {
                0 => collections("emptySet", values),
                1 => collections("singleton", values),
                _ => Expr::New {
                    outer: None,
                    class: ClassName::new("java/util/HashSet"),
                    diamond: true,
                    arguments: vec![call("java/util/Arrays", "asList", values)],
                },
            }),
            Container::Map if values.len() <= 2 * MOST_ENTRIES && self.has_factories(has_null) => {
                Some(call("java/util/Map", "of", values))
            }
            Container::Map => match values.len() {
                0 => Some(collections("emptyMap", values)),
                2 => Some(collections("singletonMap", values)),
                _ => None,
            },
            Container::Ordered => None,
            Container::Optional => Some(optional("java/util/Optional", values)),
            Container::OptionalInt => Some(optional("java/util/OptionalInt", values)),
            Container::OptionalLong => Some(optional("java/util/OptionalLong", values)),
            Container::OptionalDouble => Some(optional("java/util/OptionalDouble", values)),
        }
    }

    /// Whether the source level has `List.of` and its like, which take no null.
    fn has_factories(&self, has_null: bool) -> bool {
        let list = self.context.view.hierarchy.class(&ClassName::new("java/util/List"));
        !has_null && list.is_some_and(|list| list.methods.iter().any(|method| &*method.name == "of"))
    }

    /// Whether a static type is one of these or below.
    pub(super) fn is_any(&self, of: &GenericType, classes: &[&str]) -> bool {
        let hierarchy = self.context.view.hierarchy;
        of.as_class().is_some_and(|of| {
            classes.iter().any(|class| hierarchy.is_subclass(&of.name, &ClassName::new(*class)))
        })
    }
}

pub(super) fn call(class: &str, name: &str, arguments: Vec<Expr>) -> Expr {
    let receiver = Receiver::Class(ClassName::new(class));
    Expr::Call { receiver, type_arguments: Vec::new(), name: name.to_owned(), arguments }
}

pub(super) fn collections(name: &str, arguments: Vec<Expr>) -> Expr {
    call("java/util/Collections", name, arguments)
}

fn optional(class: &str, held: Vec<Expr>) -> Expr {
    call(class, if held.is_empty() { "empty" } else { "of" }, held)
}
