//! Where class files come from.

use std::borrow::Cow;
use std::fmt;

use crate::name::ClassName;
use crate::outlines::{self, Outline};

/// Gives class files by name: a class path on top of a platform.
pub trait ClassSource: Send + Sync + fmt::Debug {
    /// The class file that a loader over this source would define, platform first.
    fn class_bytes(&self, name: &ClassName) -> Option<Cow<'_, [u8]>>;

    /// All classes of the class path (not of the platform), sorted.
    fn class_path_classes(&self) -> &[ClassName];

    /// Whether the class comes from the class path, not from the platform.
    fn is_on_class_path(&self, name: &ClassName) -> bool {
        self.class_path_classes().binary_search(name).is_ok()
    }

    /// What the class files of the class path say of their classes; what cannot be read is left out.
    fn outlines(&self) -> Vec<(ClassName, Outline)> {
        outlines::read(self.class_path_classes(), &|name| self.class_bytes(name))
    }

    /// Whether a class of the platform was there in the release that source code is written for. Those that were not
    /// are found all the same: the classes of the class path may use them at run time.
    fn is_of_release(&self, _name: &ClassName) -> bool {
        true
    }

    /// Whether class loaders let no class from elsewhere into its package: it lies in a signed jar, or the package is sealed
    /// (JAR file specification, "Signed JAR File", "Package Sealing").
    fn is_closed(&self, _name: &ClassName) -> bool {
        false
    }
}

/// A source over class files in memory, for tests.
#[derive(Debug, Clone, Default)]
pub struct MemorySource {
    classes: std::collections::BTreeMap<ClassName, Vec<u8>>,
    names: Vec<ClassName>,
}

impl MemorySource {
    /// Adds a class file under its name; a later one replaces an earlier one.
    pub fn add(&mut self, name: ClassName, bytes: Vec<u8>) {
        self.classes.insert(name, bytes);
        self.names = self.classes.keys().cloned().collect();
    }
}

impl ClassSource for MemorySource {
    fn class_bytes(&self, name: &ClassName) -> Option<Cow<'_, [u8]>> {
        self.classes.get(name).map(|bytes| Cow::Borrowed(bytes.as_slice()))
    }

    fn class_path_classes(&self) -> &[ClassName] {
        &self.names
    }
}
