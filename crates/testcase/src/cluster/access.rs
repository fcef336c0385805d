//! What source code in the package of the tests may name and call
//! (Java language specification §6.6).

use std::cell::RefCell;

use bytecode::access::Access;
use bytecode::class_info::Nesting;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::identifier::is_identifier;
use bytecode::lookup::Lookup;
use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType};

/// Decides what a test in one package may use.
#[derive(Debug)]
pub(super) struct AccessRules<'a> {
    hierarchy: &'a ClassHierarchy,
    package: String,
    known: RefCell<Lookup<ClassName, bool>>,
}

impl<'a> AccessRules<'a> {
    /// The rules for tests in this package (internal form).
    pub(super) fn new(hierarchy: &'a ClassHierarchy, package: &str) -> Self {
        Self { hierarchy, package: package.to_owned(), known: RefCell::default() }
    }

    /// Whether a class of this name lies in the package of the tests.
    pub(super) fn is_in_package(&self, class: &ClassName) -> bool {
        class.package() == self.package
    }

    /// Whether a test may name the class.
    pub(super) fn class(&self, name: &ClassName) -> bool {
        if let Some(known) = self.known.borrow().get(name) {
            return *known;
        }
        let accessible = self.decide(name);
        self.known.borrow_mut().insert(name.clone(), accessible);
        accessible
    }

    fn decide(&self, name: &ClassName) -> bool {
        let Some(class) = self.hierarchy.class(name) else {
            return false;
        };
        let source = self.hierarchy.source();
        let is_api = || name.is_exported_by_platform() && source.is_of_release(name);
        if class.access.is_synthetic() || !(source.is_on_class_path(name) || is_api()) {
            return false;
        }
        // A class of the unnamed package cannot be imported into any other (§7.5).
        let importable = self.is_in_package(name) || !name.package().is_empty();
        let visible = class.access.is_public() || self.is_in_package(name);
        match &class.nesting {
            Nesting::TopLevel => importable && visible && name.as_str().split('/').all(is_identifier),
            Nesting::Member { outer, name: simple } => {
                visible && !class.access.is_private() && is_identifier(simple) && self.class(outer)
            }
            Nesting::Local | Nesting::Anonymous => false,
        }
    }

    /// Whether a test may use a member with these flags that `declared_in` declares, through a class that it
    /// may name.
    pub(super) fn member(&self, access: Access, name: &str, declared_in: &ClassName) -> bool {
        let visible = access.is_public() || !access.is_private() && self.is_in_package(declared_in);
        visible && !access.is_synthetic() && (name == "<init>" || is_identifier(name))
    }

    /// Whether a test may name the type with all its arguments.
    pub(super) fn generic(&self, generic: &GenericType) -> bool {
        match generic {
            GenericType::Primitive(_) => true,
            GenericType::Class(class) => self.class_type(class),
            GenericType::Array(element) => self.generic(element),
            GenericType::Variable(_) => false,
        }
    }

    /// As [`AccessRules::generic`].
    pub(super) fn class_type(&self, class: &ClassType) -> bool {
        self.class(&class.name)
            && class.arguments.iter().all(|argument| argument.bound().is_none_or(|bound| self.generic(bound)))
            && class.outer.as_ref().is_none_or(|outer| self.class_type(outer))
    }
}
