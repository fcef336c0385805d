//! Class files read in place (JVM specification §4).
//!
//! [`ClassFile`] locates the parts and copies nothing; what a test generator wants to know of a class, owned
//! and decoded, is [`crate::class_info::ClassInfo`].

mod code;
mod constant_pool;
mod reader;

pub use code::{CodeAttribute, ExceptionHandler};
pub(crate) use constant_pool::encode_modified_utf8;
pub use constant_pool::{Constant, ConstantPool, MemberRef, decode_modified_utf8, tag};
pub use reader::{ClassFileError, Reader};

use std::borrow::Cow;
use std::ops::Range;

use crate::access::Access;

/// Oldest and newest major version read and written (Java 1.1 and Java 25).
pub const VERSIONS: std::ops::RangeInclusive<u16> = 45..=69;

/// A class file whose parts are located, not copied.
#[derive(Debug, Clone)]
pub struct ClassFile<'a> {
    /// All of it.
    pub bytes: &'a [u8],
    /// Minor version (65535 marks preview features).
    pub minor: u16,
    /// Major version, within [`VERSIONS`].
    pub major: u16,
    /// The constant pool.
    pub constants: ConstantPool<'a>,
    /// Offset of `access_flags`, the first byte behind the constant pool.
    pub body: usize,
    /// `access_flags` of the class-file structure; nested classes have their true flags in `InnerClasses`.
    pub access: u16,
    /// Constant index of this class.
    pub this_class: u16,
    /// Constant index of the superclass, 0 for `java/lang/Object` and modules.
    pub super_class: u16,
    /// Constant indices of the direct superinterfaces.
    pub interfaces: Vec<u16>,
    /// Fields in order.
    pub fields: Vec<Member>,
    /// Methods in order.
    pub methods: Vec<Member>,
    /// Class attributes in order.
    pub attributes: Vec<Attribute>,
}

/// A `field_info` or `method_info`.
#[derive(Debug, Clone)]
pub struct Member {
    /// `access_flags`.
    pub access: u16,
    /// Constant index of the name.
    pub name: u16,
    /// Constant index of the descriptor.
    pub descriptor: u16,
    /// Attributes in order.
    pub attributes: Vec<Attribute>,
    /// The whole structure, as a range of the class file's bytes.
    pub range: Range<usize>,
}

/// An attribute: its name and where its content lies.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// Constant index of the name.
    pub name: u16,
    /// The content (behind the length) as a range of the class file's bytes.
    pub content: Range<usize>,
}

/// An entry of `BootstrapMethods`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BootstrapMethod {
    /// Constant index of the method handle.
    pub handle: u16,
    /// Constant indices of the static arguments.
    pub arguments: Vec<u16>,
}

impl<'a> ClassFile<'a> {
    /// Locates the parts of a class file.
    ///
    /// # Errors
    /// Any [`ClassFileError`]: cut off, wrong magic number, version outside [`VERSIONS`], broken structure,
    /// bytes behind the end. Constant-pool cross references are checked when they are used.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, ClassFileError> {
        let mut reader = Reader::at(bytes, 0);
        if reader.u4()? != 0xCAFE_BABE {
            return Err(ClassFileError::Magic);
        }
        let (minor, major) = (reader.u2()?, reader.u2()?);
        if !VERSIONS.contains(&major) {
            return Err(ClassFileError::Version { major });
        }
        let constants = ConstantPool::read(bytes, &mut reader)?;
        let body = reader.position();
        let (access, this_class, super_class) = (reader.u2()?, reader.u2()?, reader.u2()?);
        let interfaces = reader.u2_table()?;
        let fields = members(&mut reader)?;
        let methods = members(&mut reader)?;
        let attributes = attributes(&mut reader)?;
        if reader.remaining() != 0 {
            return Err(ClassFileError::Malformed { what: "bytes behind the end of the class" });
        }
        Ok(Self {
            bytes,
            minor,
            major,
            constants,
            body,
            access,
            this_class,
            super_class,
            interfaces,
            fields,
            methods,
            attributes,
        })
    }

    /// Internal name of this class.
    pub fn name(&self) -> Result<Cow<'a, str>, ClassFileError> {
        self.constants.class(self.this_class)
    }

    /// Internal name of the superclass, if there is one.
    pub fn super_name(&self) -> Result<Option<Cow<'a, str>>, ClassFileError> {
        if self.super_class == 0 { Ok(None) } else { self.constants.class(self.super_class).map(Some) }
    }

    /// A reader over an attribute of this name, if the list has one.
    pub fn attribute(&self, attributes: &[Attribute], name: &str) -> Option<Reader<'a>> {
        let found = attributes.iter().find(|attribute| self.attribute_is(attribute, name))?;
        Some(self.content(found))
    }

    /// Whether the attribute has this name.
    pub fn attribute_is(&self, attribute: &Attribute, name: &str) -> bool {
        self.constants.utf8_bytes(attribute.name).is_ok_and(|bytes| bytes == name.as_bytes())
    }

    /// Access flags of the class or of a member, synthetic also where an attribute says so: before Java 5 there was no
    /// flag for it (JVM specification §4.7.8).
    pub fn access(&self, flags: u16, attributes: &[Attribute]) -> Access {
        let synthetic = attributes.iter().any(|attribute| self.attribute_is(attribute, "Synthetic"));
        Access(if synthetic { flags | 0x1000 } else { flags })
    }

    /// A reader over the attribute's content, bounded by its end.
    pub fn content(&self, attribute: &Attribute) -> Reader<'a> {
        Reader::at(&self.bytes[..attribute.content.end], attribute.content.start)
    }

    /// An entry of `BootstrapMethods` (JVM specification §4.7.23), as `invokedynamic` constants name it.
    pub fn bootstrap_method(&self, index: u16) -> Option<BootstrapMethod> {
        let mut reader = self.attribute(&self.attributes, "BootstrapMethods")?;
        if index >= reader.u2().ok()? {
            return None;
        }
        for _ in 0..index {
            reader.u2().ok()?;
            let arguments = reader.u2().ok()?;
            reader.slice(2 * usize::from(arguments)).ok()?;
        }
        Some(BootstrapMethod { handle: reader.u2().ok()?, arguments: reader.u2_table().ok()? })
    }

    /// The `Code` attribute of a method, absent for abstract and native ones.
    pub fn code(&self, method: &Member) -> Result<Option<CodeAttribute<'a>>, ClassFileError> {
        self.attribute(&method.attributes, "Code")
            .map(|reader| CodeAttribute::read(self.bytes, reader))
            .transpose()
    }
}

fn members(reader: &mut Reader<'_>) -> Result<Vec<Member>, ClassFileError> {
    let count = reader.u2()?;
    (0..count)
        .map(|_| {
            let start = reader.position();
            let (access, name, descriptor) = (reader.u2()?, reader.u2()?, reader.u2()?);
            let attributes = attributes(reader)?;
            Ok(Member { access, name, descriptor, attributes, range: start..reader.position() })
        })
        .collect()
}

pub(crate) fn attributes(reader: &mut Reader<'_>) -> Result<Vec<Attribute>, ClassFileError> {
    let count = reader.u2()?;
    (0..count)
        .map(|_| {
            let name = reader.u2()?;
            let length = reader.u4()? as usize;
            let start = reader.position();
            reader.slice(length)?;
            Ok(Attribute { name, content: start..start + length })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn smallest() -> Vec<u8> {
        let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52, 0, 5];
        bytes.extend([7, 0, 2, 1, 0, 1, b'A', 7, 0, 4, 1, 0, 1, b'B']);
        bytes.extend([0, 0x21, 0, 1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0]);
        bytes
    }

    #[test]
    fn reads_the_smallest_class() {
        let bytes = smallest();
        let class = ClassFile::parse(&bytes).unwrap();
        assert_eq!(class.name().unwrap(), "A");
        assert_eq!(class.super_name().unwrap().unwrap(), "B");
    }

    #[test]
    fn old_compilers_mark_synthetic_members_by_an_attribute() {
        for (name, expect) in [(*b"Synthetic", true), (*b"Something", false)] {
            let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 46, 0, 6, 7, 0, 2, 1, 0, 1, b'A'];
            bytes.extend([1, 0, 1, b'I', 1, 0, 6, b'c', b'l', b'a', b's', b's', b'$', 1, 0, 9]);
            bytes.extend(name);
            // A class without a superclass, one field `static int class$`, no methods.
            bytes.extend([0, 0x21, 0, 1, 0, 0, 0, 0, 0, 1, 0, 8, 0, 4, 0, 3, 0, 1, 0, 5, 0, 0, 0, 0]);
            bytes.extend([0, 0, 0, 0]);
            let class = ClassFile::parse(&bytes).unwrap();
            let field = &class.fields[0];
            assert_eq!(class.access(field.access, &field.attributes).is_synthetic(), expect);
            let info = crate::class_info::ClassInfo::from_class_file(&class).unwrap();
            assert_eq!(info.fields[0].access.is_synthetic(), expect);
        }
    }

    #[test]
    fn every_cut_is_an_error_and_never_a_panic() {
        let bytes = smallest();
        for end in 0..bytes.len() {
            assert!(ClassFile::parse(&bytes[..end]).is_err(), "cut at {end}");
        }
    }

    #[test]
    fn refuses_other_versions_and_other_files() {
        let mut bytes = smallest();
        bytes[7] = 70;
        assert_eq!(ClassFile::parse(&bytes).unwrap_err(), ClassFileError::Version { major: 70 });
        bytes[0] = 0;
        assert_eq!(ClassFile::parse(&bytes).unwrap_err(), ClassFileError::Magic);
    }
}
