//! What a test may name: accessibility from the package that it lives in (Java language specification §6.6).

use std::collections::BTreeSet;
use std::sync::Arc;

use bytecode::access::Access;
use bytecode::class_info::Nesting;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::identifier::{is_identifier, is_type_identifier};
use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType, TypeArgument};

use super::ast::{Stmt, Warning};
use super::imports::source_path;

/// The view from one package.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Viewpoint<'a> {
    /// Where classes are looked up.
    pub hierarchy: &'a ClassHierarchy,
    /// The package, internal form.
    pub package: &'a str,
}

impl Viewpoint<'_> {
    /// Whether source code in the package may name the class. A class without class file is taken to be public.
    pub(crate) fn can_name(&self, class: &ClassName) -> bool {
        self.is_exported(class) && self.is_source_name(class) && self.is_accessible(class, 0)
    }

    fn is_accessible(&self, class: &ClassName, depth: usize) -> bool {
        let Some(info) = self.hierarchy.class(class) else {
            return true;
        };
        match &info.nesting {
            Nesting::TopLevel => info.access.is_public() || class.package() == self.package,
            Nesting::Member { outer, .. } => {
                depth < 64
                    && self.can_access(class.package(), info.access)
                    && self.is_accessible(outer, depth + 1)
            }
            Nesting::Local | Nesting::Anonymous => false,
        }
    }

    /// Whether a member with these flags, declared in that package, may be accessed. A test is no subclass, so
    /// `protected` helps only within the package.
    pub(crate) fn can_access(&self, package: &str, access: Access) -> bool {
        access.is_public() || (!access.is_private() && package == self.package)
    }

    /// Whether a class has the member of a supertype, or of its own, and the test may access it through the class. A
    /// member without modifier is passed on within its package only (Java language specification §8.2).
    pub(crate) fn inherits(&self, class: &ClassName, declared_in: &ClassName, access: Access) -> bool {
        if !self.can_access(declared_in.package(), access) {
            return false;
        }
        if class == declared_in || !access.is_package_private() {
            return true;
        }
        let between = self.hierarchy.superclasses(class).into_iter().take_while(|sup| sup != declared_in);
        class.package() == declared_in.package()
            && between.into_iter().all(|sup| sup.package() == declared_in.package())
    }

    /// What `javac` warns of for the classes that a statement names.
    pub(crate) fn warnings(&self, statement: &Stmt) -> BTreeSet<Warning> {
        let mut warnings = BTreeSet::new();
        statement.for_each_class(&mut |class| warnings.extend(self.warnings_of(class)));
        warnings
    }

    /// What `javac` warns of where source names the class: that it is deprecated, that a source file of another name declares it.
    pub(crate) fn warnings_of(&self, class: &ClassName) -> impl Iterator<Item = Warning> {
        let deprecated = self.hierarchy.class(class).and_then(|info| info.deprecated).map(Warning::from);
        deprecated.into_iter().chain(self.is_auxiliary(class).then_some(Warning::AuxiliaryClass))
    }

    /// Whether a source file declares the class, or the one around it, beside a class after which the file is named.
    fn is_auxiliary(&self, class: &ClassName) -> bool {
        let (outermost, _) = source_path(self.hierarchy, class);
        let file = self.hierarchy.class(&outermost).and_then(|info| info.source_file.clone());
        let stem = file.as_deref().and_then(|file| file.strip_suffix(".java"));
        stem.is_some_and(|stem| stem != outermost.base_name())
    }

    /// Whether a type is, or mentions, a generic class without arguments.
    pub(crate) fn is_raw(&self, of: &GenericType) -> bool {
        match of {
            GenericType::Primitive(_) | GenericType::Variable(_) => false,
            GenericType::Array(element) => self.is_raw(element),
            GenericType::Class(class) => {
                self.is_raw_class(class)
                    || class.arguments.iter().filter_map(TypeArgument::bound).any(|bound| self.is_raw(bound))
            }
        }
    }

    pub(crate) fn is_raw_class(&self, class: &ClassType) -> bool {
        class.arguments.is_empty()
            && self.hierarchy.class(&class.name).is_some_and(|info| !info.signature.parameters.is_empty())
    }

    /// A type in which a generic class without arguments has wildcards.
    pub(crate) fn with_wildcards(&self, of: &GenericType) -> GenericType {
        match of {
            GenericType::Primitive(_) | GenericType::Variable(_) => of.clone(),
            GenericType::Array(element) => GenericType::Array(Arc::new(self.with_wildcards(element))),
            GenericType::Class(class) => {
                let mut class = class.clone();
                if let Some(info) =
                    self.is_raw_class(&class).then(|| self.hierarchy.class(&class.name)).flatten()
                {
                    class.arguments = vec![TypeArgument::Unbounded; info.signature.parameters.len()];
                }
                for argument in &mut class.arguments {
                    if let TypeArgument::Exact(of) | TypeArgument::Extends(of) | TypeArgument::Super(of) =
                        argument
                    {
                        *of = self.with_wildcards(of);
                    }
                }
                GenericType::Class(class)
            }
        }
    }

    /// The type of the `throws` clause of a method that lets these checked exceptions through.
    pub(crate) fn thrown_type(&self, checked: &BTreeSet<ClassName>) -> Option<ClassName> {
        let exception = ClassName::new("java/lang/Exception");
        let is_exception = |class: &ClassName| {
            self.hierarchy.class(class).is_none() || self.hierarchy.is_subclass(class, &exception)
        };
        if checked.is_empty() {
            None
        } else if checked.iter().all(is_exception) {
            Some(exception)
        } else {
            Some("java/lang/Throwable".into())
        }
    }

    /// Whether the module system lets the test see the package: always for classes of the class path.
    fn is_exported(&self, class: &ClassName) -> bool {
        let package = class.package();
        if package.is_empty() {
            return self.package.is_empty(); // cannot be imported (§7.5)
        }
        if self.hierarchy.source().is_on_class_path(class) {
            return true;
        }
        if !self.hierarchy.source().is_of_release(class) {
            return false;
        }
        class.is_exported_by_platform() || self.hierarchy.class(class).is_none()
    }

    fn is_source_name(&self, class: &ClassName) -> bool {
        let (top, path) = source_path(self.hierarchy, class);
        (top.package().is_empty() || top.package().split('/').all(is_identifier))
            && is_type_identifier(top.base_name())
            && !top.base_name().contains("$$") // made by a tool
            && path.iter().all(|name| is_type_identifier(name))
    }

    /// Whether source code may name the type.
    pub(crate) fn can_name_type(&self, of: &GenericType) -> bool {
        match of {
            GenericType::Primitive(_) => true,
            GenericType::Variable(_) => false,
            GenericType::Array(element) => self.can_name_type(element),
            GenericType::Class(class) => self.can_name_class_type(class),
        }
    }

    fn can_name_class_type(&self, class: &ClassType) -> bool {
        self.can_name(&class.name)
            && class.outer.as_ref().is_none_or(|outer| self.can_name_class_type(outer))
            && class
                .arguments
                .iter()
                .filter_map(|argument| argument.bound())
                .all(|bound| self.can_name_type(bound))
    }

    /// The class itself or its nearest superclass that source code may name.
    pub(crate) fn nearest_nameable(&self, class: &ClassName) -> Option<ClassName> {
        if self.can_name(class) {
            return Some(class.clone());
        }
        self.hierarchy.superclasses(class).into_iter().find(|class| self.can_name(class))
    }

    /// The class that a test expects of an exception: the nearest that it may name, `Throwable` where nothing is known of it.
    pub(crate) fn expected_class(&self, thrown: &ClassName) -> ClassName {
        let named = self.nearest_nameable(thrown).filter(|class| *class != ClassName::object());
        named.unwrap_or_else(|| "java/lang/Throwable".into())
    }

    /// Whether the class is a checked exception: a `Throwable` that is no `RuntimeException` and no `Error`
    /// (Java language specification §11.1.1). A class without class file counts as checked.
    pub(crate) fn is_checked(&self, exception: &ClassName) -> bool {
        !["java/lang/RuntimeException", "java/lang/Error"]
            .iter()
            .any(|unchecked| self.hierarchy.is_subclass(exception, &ClassName::new(*unchecked)))
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::sync::Arc;

    use bytecode::source::ClassSource;

    use super::*;

    const LATE: &str = "java/lang/reflect/InaccessibleObjectException";

    /// A platform of three classes and a class path of one, for source code that knows [`LATE`] or does not.
    #[derive(Debug)]
    struct Release {
        knows_late: bool,
        class_path: Vec<ClassName>,
    }

    impl ClassSource for Release {
        fn class_bytes(&self, name: &ClassName) -> Option<Cow<'_, [u8]>> {
            let superclass = match name.as_str() {
                LATE => "java/lang/RuntimeException",
                "java/lang/RuntimeException" | "java/lang/String" | "p/A" => "java/lang/Object",
                _ => return None,
            };
            Some(class_file(name.as_str(), superclass).into())
        }

        fn class_path_classes(&self) -> &[ClassName] {
            &self.class_path
        }

        fn is_of_release(&self, name: &ClassName) -> bool {
            self.knows_late || name.as_str() != LATE
        }
    }

    /// A public class without members (JVM specification §4.1).
    fn class_file(name: &str, superclass: &str) -> Vec<u8> {
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 5];
        for (index, text) in [(1, name), (3, superclass)] {
            bytes.extend([1, 0, text.len() as u8]);
            bytes.extend(text.as_bytes());
            bytes.extend([7, 0, index]);
        }
        bytes.extend([0, 0x21, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0]);
        bytes
    }

    #[test]
    fn classes_that_came_after_the_release_are_named_by_a_superclass() {
        let check = |knows_late: bool, expect: &str| {
            let source = Release { knows_late, class_path: vec!["p/A".into()] };
            let hierarchy = ClassHierarchy::new(Arc::new(source));
            let view = Viewpoint { hierarchy: &hierarchy, package: "p" };
            assert_eq!(view.nearest_nameable(&LATE.into()), Some(expect.into()));
            assert!(view.can_name(&"p/A".into()) && view.can_name(&"java/lang/String".into()));
        };
        check(true, LATE);
        check(false, "java/lang/RuntimeException");
    }
}
