//! What the manifest of a jar says of its classes (JAR file specification, "JAR Manifest").

use std::collections::BTreeMap;

/// What is read of a manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// Whether there are classes for certain Java versions.
    pub(crate) is_multi_release: bool,
    /// Whether packages are sealed, where nothing else is said of one.
    is_sealed: bool,
    /// Folders of packages, with a slash at the end, of which it is said.
    sealed: BTreeMap<String, bool>,
}

impl Manifest {
    /// Reads a manifest. What is malformed says nothing.
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        // A line that begins with a blank goes on with the one before it.
        let text = text.replace("\n ", "");
        let mut manifest = Self::default();
        for (number, section) in text.split("\n\n").enumerate() {
            let attribute = |wanted: &str| {
                let attributes = section.lines().filter_map(|line| line.split_once(':'));
                let mut found = attributes.filter(|(name, _)| name.trim().eq_ignore_ascii_case(wanted));
                found.next().map(|(_, value)| value.trim())
            };
            let is_true = |name: &str| attribute(name).map(|value| value.eq_ignore_ascii_case("true"));
            if number == 0 {
                manifest.is_multi_release = is_true("Multi-Release") == Some(true);
                manifest.is_sealed = is_true("Sealed") == Some(true);
            } else if let (Some(name), Some(sealed)) = (attribute("Name"), is_true("Sealed")) {
                manifest.sealed.insert(name.to_owned(), sealed);
            }
        }
        manifest
    }

    /// Whether all classes of a package, in internal form, must come from this jar (JAR file specification, "Package
    /// Sealing").
    pub(crate) fn is_sealed(&self, package: &str) -> bool {
        self.sealed.get(&format!("{package}/")).copied().unwrap_or(self.is_sealed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_sealed_all_or_one_by_one() {
        let check = |text: &str, expect: [bool; 3]| {
            let manifest = Manifest::parse(text.as_bytes());
            let found = [manifest.is_multi_release, manifest.is_sealed("p"), manifest.is_sealed("p/q")];
            assert_eq!(found, expect, "{text:?}");
        };
        check("Manifest-Version: 1.0\n", [false, false, false]);
        check("Manifest-Version: 1.0\r\nmulti-release: TRUE\r\nSealed: true\r\n", [true, true, true]);
        check("Sealed: true\n\nName: p/q/\nSealed: false\n", [false, true, false]);
        check(
            "A: b\r\n\r\nName: p/q/\r\nSealed: true\r\n\r\nName: p/A.class\r\nX: y\r\n",
            [false, false, true],
        );
        // Lines end behind 72 bytes.
        check("A: b\n\nName: p/\n q/\nSealed: true\n", [false, false, true]);
        check("A: Sealed: true\n Sealed: true\n", [false, false, false]);
    }
}
