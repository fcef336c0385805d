//! Names of classes in internal form (JVM specification §4.2.1).

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Internal name of a class or interface (`java/util/Map$Entry`), cheap to copy.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClassName(Arc<str>);

impl ClassName {
    /// Takes an internal name, with slashes.
    pub fn new(internal: impl Into<Arc<str>>) -> Self {
        Self(internal.into())
    }

    /// Takes a binary name, with dots, as `Class.getName` prints it.
    pub fn from_binary(binary: &str) -> Self {
        Self(binary.replace('.', "/").into())
    }

    /// `java/lang/Object`.
    pub fn object() -> Self {
        Self::new("java/lang/Object")
    }

    /// `java/lang/String`.
    pub fn string() -> Self {
        Self::new("java/lang/String")
    }

    /// The internal name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Package in internal form, empty for the unnamed package.
    pub fn package(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(package, _)| package)
    }

    /// What follows the package: `Map$Entry`.
    pub fn base_name(&self) -> &str {
        self.0.rsplit_once('/').map_or(&self.0, |(_, name)| name)
    }

    /// The binary name, with dots: `java.util.Map$Entry`.
    pub fn binary(&self) -> String {
        self.0.replace('/', ".")
    }

    /// Whether this class is the other or lies in its nest by name (`Outer$…`).
    ///
    /// The name alone decides nothing in the JVM; use it to enumerate candidates, and `InnerClasses` to be sure.
    pub fn is_in_nest_of(&self, outer: &ClassName) -> bool {
        self.0.strip_prefix(outer.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    }

    /// Whether the class belongs to the packages the Java platform exports as its API (`java.*`, `javax.*`).
    pub fn is_platform(&self) -> bool {
        self.0.starts_with("java/") || self.0.starts_with("javax/")
    }

    /// Whether the class lies in a package that the Java platform exports to everyone: its API, and standards of
    /// other bodies.
    pub fn is_exported_by_platform(&self) -> bool {
        const STANDARDS: [&str; 3] = ["org/w3c/dom/", "org/xml/sax/", "org/ietf/jgss/"];
        self.is_platform() || STANDARDS.iter().any(|prefix| self.0.starts_with(prefix))
    }
}

impl fmt::Debug for ClassName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Prints the internal name.
impl fmt::Display for ClassName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl From<&str> for ClassName {
    fn from(internal: &str) -> Self {
        Self::new(internal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn internal_packages_of_the_platform_are_not_exported() {
        let check = |name: &str, expect| assert_eq!(ClassName::new(name).is_exported_by_platform(), expect);
        for name in ["java/util/List", "javax/xml/parsers/SAXParser", "org/w3c/dom/Node"] {
            check(name, true);
        }
        for name in ["sun/misc/Unsafe", "jdk/internal/misc/VM", "com/sun/net/httpserver/HttpServer"] {
            check(name, false);
        }
    }
}
