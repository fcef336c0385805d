//! Names of classes in the file: which are imported, which are written in full (Java language specification §6.4,
//! §7.5).
//!
//! A simple name belongs to the class of the file's own package, else to the one of `java.lang`, else to the first
//! class that is used under it; the others of that name are written in full. Nested classes are named through their
//! top-level class (`Map.Entry`).

use std::collections::{BTreeMap, BTreeSet};

use bytecode::class_info::Nesting;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;

/// Gives classes the names under which source code refers to them.
pub(crate) trait ClassNames {
    /// The name of a class, nested ones with dots.
    fn class(&self, class: &ClassName) -> String;
}

/// Simple names only: for estimates of width before the file's imports are known.
#[derive(Debug)]
pub(crate) struct ShortNames;

impl ClassNames for ShortNames {
    fn class(&self, class: &ClassName) -> String {
        class.base_name().replace('$', ".")
    }
}

/// Simple names of `java.lang` that no import takes over, though it could: a reader would take them for those.
pub(crate) const WELL_KNOWN: [&str; 21] = [
    "Boolean",
    "Byte",
    "Character",
    "Class",
    "Double",
    "Enum",
    "Error",
    "Exception",
    "Float",
    "Integer",
    "Iterable",
    "Long",
    "Math",
    "Number",
    "Object",
    "Short",
    "String",
    "StringBuilder",
    "System",
    "Thread",
    "Throwable",
];

/// The names of one file.
#[derive(Debug)]
pub(crate) struct Imports<'a> {
    hierarchy: &'a ClassHierarchy,
    /// Top-level classes that go by their simple name.
    simple: BTreeSet<ClassName>,
    /// Those of them that need an import.
    imported: BTreeSet<ClassName>,
}

impl<'a> Imports<'a> {
    /// Chooses names for the classes `used` in a file of `package` (internal form) whose own class is `unit`.
    pub(crate) fn new(
        hierarchy: &'a ClassHierarchy,
        package: &str,
        unit: &str,
        used: &BTreeSet<ClassName>,
    ) -> Self {
        let mut by_name: BTreeMap<String, BTreeSet<ClassName>> = BTreeMap::new();
        for class in used {
            let (top, _) = source_path(hierarchy, class);
            by_name.entry(top.base_name().to_owned()).or_default().insert(top);
        }
        let mut names = Self { hierarchy, simple: BTreeSet::new(), imported: BTreeSet::new() };
        for (name, classes) in by_name {
            if name != unit {
                names.give(&name, &classes, package);
            }
        }
        names
    }

    fn give(&mut self, name: &str, classes: &BTreeSet<ClassName>, package: &str) {
        let own = in_package(package, name);
        if classes.contains(&own) {
            self.simple.insert(own);
            return;
        }
        if self.hierarchy.class(&own).is_some() {
            return; // the simple name means that class, which happens not to be used
        }
        let lang = in_package("java/lang", name);
        if classes.contains(&lang) {
            self.simple.insert(lang);
        } else if let Some(first) = classes.first().filter(|_| WELL_KNOWN.binary_search(&name).is_err()) {
            self.simple.insert(first.clone());
            self.imported.insert(first.clone());
        }
    }

    /// The classes to import, in full, sorted.
    pub(crate) fn imported(&self) -> impl Iterator<Item = String> + '_ {
        self.imported.iter().map(ClassName::binary)
    }
}

impl ClassNames for Imports<'_> {
    fn class(&self, class: &ClassName) -> String {
        let (top, path) = source_path(self.hierarchy, class);
        let mut name = if self.simple.contains(&top) { top.base_name().to_owned() } else { top.binary() };
        for nested in path {
            name.push('.');
            name.push_str(&nested);
        }
        name
    }
}

/// The class of that simple name in a package (internal form).
pub(crate) fn in_package(package: &str, name: &str) -> ClassName {
    if package.is_empty() { ClassName::new(name) } else { ClassName::new(format!("{package}/{name}")) }
}

/// The top-level class that encloses a member class, and the simple names on the way down to it. Without a class
/// file a `$` within the name is taken to separate them.
pub(crate) fn source_path(hierarchy: &ClassHierarchy, class: &ClassName) -> (ClassName, Vec<String>) {
    let mut path = Vec::new();
    let mut current = class.clone();
    while let Some(info) = hierarchy.class(&current) {
        match &info.nesting {
            Nesting::Member { outer, name } if path.len() < 64 => {
                path.push(name.to_string());
                current = outer.clone();
            }
            Nesting::Member { .. } | Nesting::TopLevel | Nesting::Local | Nesting::Anonymous => {
                path.reverse();
                return (current, path);
            }
        }
    }
    let base = current.base_name();
    let start = current.as_str().len() - base.len();
    let parts: Vec<&str> = base.split('$').collect();
    if parts.len() > 1 && parts.iter().all(|part| !part.is_empty()) {
        path.extend(parts[1..].iter().rev().map(|&part| part.to_owned()));
        current = ClassName::new(&current.as_str()[..start + parts[0].len()]);
    }
    path.reverse();
    (current, path)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bytecode::source::MemorySource;

    use super::*;

    fn check(package: &str, used: &[&str], expect: &[(&str, &str)], imports: &[&str]) {
        let hierarchy = ClassHierarchy::new(Arc::new(MemorySource::default()));
        let used: BTreeSet<ClassName> = used.iter().map(|&name| ClassName::new(name)).collect();
        let names = Imports::new(&hierarchy, package, "FooCovolveTest", &used);
        for (class, name) in expect {
            assert_eq!(names.class(&ClassName::new(*class)), *name);
        }
        assert_eq!(names.imported().collect::<Vec<_>>(), imports);
    }

    #[test]
    fn other_packages_are_imported_and_nested_classes_named_through_their_outer_class() {
        check(
            "p",
            &["java/util/Map$Entry", "java/lang/String", "p/Foo"],
            &[("java/util/Map$Entry", "Map.Entry"), ("java/lang/String", "String"), ("p/Foo", "Foo")],
            &["java.util.Map"],
        );
    }

    #[test]
    fn of_equal_names_the_own_package_wins_then_java_lang_then_the_first() {
        check(
            "p",
            &["p/Test", "org/junit/jupiter/api/Test"],
            &[("p/Test", "Test"), ("org/junit/jupiter/api/Test", "org.junit.jupiter.api.Test")],
            &[],
        );
        check(
            "p",
            &["java/lang/Object", "q/Object", "java/util/List", "java/awt/List"],
            &[("q/Object", "q.Object"), ("java/awt/List", "List"), ("java/util/List", "java.util.List")],
            &["java.awt.List"],
        );
    }

    #[test]
    fn well_known_names_and_the_name_of_the_file_are_never_imported() {
        check(
            "",
            &["q/String", "q/FooCovolveTest"],
            &[("q/String", "q.String"), ("q/FooCovolveTest", "q.FooCovolveTest")],
            &[],
        );
    }
}
