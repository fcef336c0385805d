//! Class files whose code is looked into: most have many methods that are, and more than one analysis asks.

use std::cell::RefCell;
use std::sync::Arc;

use crate::class_file::ClassFile;
use crate::hierarchy::ClassHierarchy;
use crate::lookup::Lookup;
use crate::method_code::MethodCode;
use crate::name::ClassName;

/// A class file, if there is one.
type Bytes = Option<Arc<[u8]>>;

/// Class files of a hierarchy, each read once.
#[derive(Debug)]
pub struct CodeFiles<'h> {
    hierarchy: &'h ClassHierarchy,
    read: RefCell<Lookup<ClassName, Bytes>>,
}

impl<'h> CodeFiles<'h> {
    /// Of these classes; nothing is read yet.
    pub fn new(hierarchy: &'h ClassHierarchy) -> Self {
        Self { hierarchy, read: RefCell::default() }
    }

    /// The classes.
    pub fn hierarchy(&self) -> &'h ClassHierarchy {
        self.hierarchy
    }

    /// Looks at the code of exactly the method that a class declares; `None` if there is none: it is native, abstract,
    /// malformed, or not there.
    pub(crate) fn look<T>(
        &self,
        class: &ClassName,
        name: &str,
        descriptor: &str,
        look: impl FnOnce(&MethodCode<'_>) -> T,
    ) -> Option<T> {
        let bytes = self.bytes(class)?;
        let file = ClassFile::parse(&bytes).ok()?;
        let method = file.methods.iter().position(|member| {
            let is = |constant, text: &str| file.constants.utf8(constant).is_ok_and(|found| found == text);
            is(member.name, name) && is(member.descriptor, descriptor)
        })?;
        Some(look(&MethodCode::read(&file, method).ok()??))
    }

    /// Looks at a class file as a whole; `None` if it is malformed or not there.
    pub fn look_at_class<T>(&self, class: &ClassName, look: impl FnOnce(&ClassFile<'_>) -> T) -> Option<T> {
        Some(look(&ClassFile::parse(&self.bytes(class)?).ok()?))
    }

    fn bytes(&self, class: &ClassName) -> Bytes {
        if let Some(known) = self.read.borrow().get(class) {
            return known.clone();
        }
        let bytes = self.hierarchy.source().class_bytes(class).map(|bytes| bytes.as_ref().into());
        self.read.borrow_mut().entry(class.clone()).or_insert(bytes).clone()
    }
}
