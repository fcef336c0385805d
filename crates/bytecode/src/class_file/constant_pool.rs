//! The constant pool (JVM specification §4.4), read in place.

use std::borrow::Cow;

use super::reader::{ClassFileError, Reader};

/// Constant-pool tags (JVM specification, Table 4.4-A).
pub mod tag {
    #![expect(missing_docs, reason = "the names are those of the specification's table")]
    pub const UTF8: u8 = 1;
    pub const INTEGER: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const LONG: u8 = 5;
    pub const DOUBLE: u8 = 6;
    pub const CLASS: u8 = 7;
    pub const STRING: u8 = 8;
    pub const FIELD: u8 = 9;
    pub const METHOD: u8 = 10;
    pub const INTERFACE_METHOD: u8 = 11;
    pub const NAME_AND_TYPE: u8 = 12;
    pub const METHOD_HANDLE: u8 = 15;
    pub const METHOD_TYPE: u8 = 16;
    pub const DYNAMIC: u8 = 17;
    pub const INVOKE_DYNAMIC: u8 = 18;
    pub const MODULE: u8 = 19;
    pub const PACKAGE: u8 = 20;
}

/// A loadable constant, as `ldc` and `ConstantValue` name it.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant<'a> {
    /// `int`, also for the smaller types of `ConstantValue`.
    Integer(i32),
    /// `float`.
    Float(f32),
    /// `long`.
    Long(i64),
    /// `double`.
    Double(f64),
    /// `String`, as UTF-16 code units.
    String(Vec<u16>),
    /// `Class`: an internal name or an array descriptor.
    Class(Cow<'a, str>),
    /// Method handles, method types and dynamic constants.
    Other,
}

/// A field or method reference: owner, name, descriptor.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MemberRef<'a> {
    /// Internal name of the class named in the reference (or an array descriptor).
    pub owner: Cow<'a, str>,
    /// Name of the member.
    pub name: Cow<'a, str>,
    /// Its descriptor.
    pub descriptor: Cow<'a, str>,
    /// Whether the owner is an interface.
    pub interface: bool,
}

/// The constants of one class file, located but not copied.
#[derive(Debug, Clone)]
pub struct ConstantPool<'a> {
    bytes: &'a [u8],
    /// Offset of the tag of each constant; 0 for index 0 and the second half of wide ones.
    offsets: Vec<u32>,
}

impl<'a> ConstantPool<'a> {
    /// Reads the pool that starts (with its count) at the reader's position.
    pub(super) fn read(bytes: &'a [u8], reader: &mut Reader<'a>) -> Result<Self, ClassFileError> {
        let count = usize::from(reader.u2()?);
        let mut offsets = vec![0; count.max(1)];
        let mut index = 1;
        while index < count {
            offsets[index] = reader.position() as u32;
            let tag = reader.u1()?;
            let size = match tag {
                tag::UTF8 => usize::from(reader.u2()?),
                tag::CLASS | tag::STRING | tag::METHOD_TYPE | tag::MODULE | tag::PACKAGE => 2,
                tag::METHOD_HANDLE => 3,
                tag::INTEGER | tag::FLOAT | tag::FIELD | tag::METHOD | tag::INTERFACE_METHOD => 4,
                tag::NAME_AND_TYPE | tag::DYNAMIC | tag::INVOKE_DYNAMIC => 4,
                tag::LONG | tag::DOUBLE => 8,
                _ => return Err(ClassFileError::Malformed { what: "unknown constant-pool tag" }),
            };
            reader.slice(size)?;
            index += if matches!(tag, tag::LONG | tag::DOUBLE) { 2 } else { 1 };
        }
        Ok(Self { bytes, offsets })
    }

    /// Number of slots, index 0 included (`constant_pool_count`).
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Whether the pool holds nothing but the unused slot 0.
    pub fn is_empty(&self) -> bool {
        self.offsets.len() <= 1
    }

    /// Tag of a constant; `None` for an unusable index.
    pub fn tag(&self, index: u16) -> Option<u8> {
        match self.offsets.get(usize::from(index)) {
            None | Some(0) => None,
            Some(&offset) => self.bytes.get(offset as usize).copied(),
        }
    }

    fn expect(&self, index: u16, tag: u8, expected: &'static str) -> Result<Reader<'a>, ClassFileError> {
        if self.tag(index) == Some(tag) {
            Ok(Reader::at(self.bytes, self.offsets[usize::from(index)] as usize + 1))
        } else {
            Err(ClassFileError::Constant { index, expected })
        }
    }

    /// The raw modified UTF-8 bytes of a `CONSTANT_Utf8`.
    pub fn utf8_bytes(&self, index: u16) -> Result<&'a [u8], ClassFileError> {
        let mut reader = self.expect(index, tag::UTF8, "Utf8")?;
        let length = reader.u2()?;
        reader.slice(usize::from(length))
    }

    /// Whether a `CONSTANT_Utf8` has exactly these bytes.
    pub fn has_utf8(&self, text: &[u8]) -> bool {
        let Ok(length) = u16::try_from(text.len()) else { return false };
        let [high, low] = length.to_be_bytes();
        self.offsets.iter().any(|&offset| {
            let constant = self.bytes.get(offset as usize..).unwrap_or_default();
            constant.strip_prefix(&[tag::UTF8, high, low]).is_some_and(|rest| rest.starts_with(text))
        })
    }

    /// A `CONSTANT_Utf8` as text; unpaired surrogates become U+FFFD.
    pub fn utf8(&self, index: u16) -> Result<Cow<'a, str>, ClassFileError> {
        let bytes = self.utf8_bytes(index)?;
        match std::str::from_utf8(bytes) {
            // The two-byte form of zero is no standard UTF-8, so what passes has none.
            Ok(text) => Ok(Cow::Borrowed(text)),
            _ => Ok(Cow::Owned(String::from_utf16_lossy(&decode_modified_utf8(bytes)?))),
        }
    }

    /// A `CONSTANT_Class`: internal name, or descriptor of an array class.
    pub fn class(&self, index: u16) -> Result<Cow<'a, str>, ClassFileError> {
        let name = self.expect(index, tag::CLASS, "Class")?.u2()?;
        self.utf8(name)
    }

    /// A `CONSTANT_String` as text; unpaired surrogates become U+FFFD.
    pub fn string(&self, index: u16) -> Result<Cow<'a, str>, ClassFileError> {
        let text = self.expect(index, tag::STRING, "String")?.u2()?;
        self.utf8(text)
    }

    /// Index of the `CONSTANT_Utf8` that names a `CONSTANT_Class`.
    pub fn class_name_index(&self, index: u16) -> Result<u16, ClassFileError> {
        self.expect(index, tag::CLASS, "Class")?.u2()
    }

    /// A `CONSTANT_NameAndType`: name and descriptor.
    pub fn name_and_type(&self, index: u16) -> Result<(Cow<'a, str>, Cow<'a, str>), ClassFileError> {
        let mut reader = self.expect(index, tag::NAME_AND_TYPE, "NameAndType")?;
        Ok((self.utf8(reader.u2()?)?, self.utf8(reader.u2()?)?))
    }

    /// A field, method or interface-method reference.
    pub fn member(&self, index: u16) -> Result<MemberRef<'a>, ClassFileError> {
        let tag = self.tag(index);
        match tag {
            Some(tag @ (tag::FIELD | tag::METHOD | tag::INTERFACE_METHOD)) => {
                let mut reader = self.expect(index, tag, "member")?;
                let owner = self.class(reader.u2()?)?;
                let (name, descriptor) = self.name_and_type(reader.u2()?)?;
                Ok(MemberRef { owner, name, descriptor, interface: tag == tag::INTERFACE_METHOD })
            }
            _ => Err(ClassFileError::Constant { index, expected: "member reference" }),
        }
    }

    /// Indices of the `CONSTANT_Utf8` that hold owner, name and descriptor of a field, method or interface-method
    /// reference.
    pub fn member_names(&self, index: u16) -> Option<(u16, u16, u16)> {
        let tag = self.tag(index).filter(|tag| (tag::FIELD..=tag::INTERFACE_METHOD).contains(tag))?;
        let mut reader = self.expect(index, tag, "member").ok()?;
        let owner = self.class_name_index(reader.u2().ok()?).ok()?;
        let mut names = self.expect(reader.u2().ok()?, tag::NAME_AND_TYPE, "NameAndType").ok()?;
        Some((owner, names.u2().ok()?, names.u2().ok()?))
    }

    /// Owner, name and descriptor of a field, method or interface-method reference as raw modified UTF-8: to
    /// compare them costs less than to decode them.
    pub fn member_bytes(&self, index: u16) -> Option<(&'a [u8], &'a [u8], &'a [u8])> {
        let (owner, name, descriptor) = self.member_names(index)?;
        Some((self.utf8_bytes(owner).ok()?, self.utf8_bytes(name).ok()?, self.utf8_bytes(descriptor).ok()?))
    }

    /// Bootstrap-method index, name and descriptor of an `invokedynamic` constant.
    pub fn invoke_dynamic(&self, index: u16) -> Result<(u16, Cow<'a, str>, Cow<'a, str>), ClassFileError> {
        let mut reader = self.expect(index, tag::INVOKE_DYNAMIC, "InvokeDynamic")?;
        let bootstrap = reader.u2()?;
        let (name, descriptor) = self.name_and_type(reader.u2()?)?;
        Ok((bootstrap, name, descriptor))
    }

    /// Reference kind (§5.4.3.5, Table 5.4.3.5-A) and member of a `CONSTANT_MethodHandle`.
    pub fn method_handle(&self, index: u16) -> Result<(u8, MemberRef<'a>), ClassFileError> {
        let mut reader = self.expect(index, tag::METHOD_HANDLE, "MethodHandle")?;
        let kind = reader.u1()?;
        Ok((kind, self.member(reader.u2()?)?))
    }

    /// Reference kind of a `CONSTANT_MethodHandle`, and index of its member.
    pub fn method_handle_parts(&self, index: u16) -> Option<(u8, u16)> {
        let mut reader = self.expect(index, tag::METHOD_HANDLE, "MethodHandle").ok()?;
        Some((reader.u1().ok()?, reader.u2().ok()?))
    }

    /// A loadable constant.
    pub fn loadable(&self, index: u16) -> Result<Constant<'a>, ClassFileError> {
        let tag = self.tag(index).ok_or(ClassFileError::Constant { index, expected: "loadable constant" })?;
        let mut reader = self.expect(index, tag, "loadable constant")?;
        Ok(match tag {
            tag::INTEGER => Constant::Integer(reader.i4()?),
            tag::FLOAT => Constant::Float(f32::from_bits(reader.u4()?)),
            tag::LONG => Constant::Long(read_long(&mut reader)? as i64),
            tag::DOUBLE => Constant::Double(f64::from_bits(read_long(&mut reader)?)),
            tag::STRING => Constant::String(decode_modified_utf8(self.utf8_bytes(reader.u2()?)?)?),
            tag::CLASS => Constant::Class(self.class(index)?),
            tag::METHOD_HANDLE | tag::METHOD_TYPE | tag::DYNAMIC => Constant::Other,
            _ => return Err(ClassFileError::Constant { index, expected: "loadable constant" }),
        })
    }
}

fn read_long(reader: &mut Reader<'_>) -> Result<u64, ClassFileError> {
    Ok(u64::from(reader.u4()?) << 32 | u64::from(reader.u4()?))
}

/// Decodes modified UTF-8 (JVM specification §4.4.7) to UTF-16 code units.
pub fn decode_modified_utf8(bytes: &[u8]) -> Result<Vec<u16>, ClassFileError> {
    const MALFORMED: ClassFileError = ClassFileError::Malformed { what: "modified UTF-8" };
    let continuation = |byte: Option<&u8>| match byte {
        Some(&byte) if byte & 0xC0 == 0x80 => Ok(u16::from(byte & 0x3F)),
        _ => Err(MALFORMED),
    };
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes.iter();
    while let Some(&first) = rest.next() {
        let first16 = u16::from(first);
        units.push(match first {
            0x01..=0x7F => first16,
            0xC0..=0xDF => (first16 & 0x1F) << 6 | continuation(rest.next())?,
            0xE0..=0xEF => {
                (first16 & 0x0F) << 12 | continuation(rest.next())? << 6 | continuation(rest.next())?
            }
            _ => return Err(MALFORMED),
        });
    }
    Ok(units)
}

/// Encodes UTF-16 code units as modified UTF-8 (JVM specification §4.4.7).
pub(crate) fn encode_modified_utf8(units: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(units.len() * 2);
    for &unit in units {
        let low = 0x80 | (unit & 0x3F) as u8;
        match unit {
            0x01..=0x7F => bytes.push(unit as u8),
            0 | 0x80..=0x7FF => bytes.extend([0xC0 | (unit >> 6) as u8, low]),
            _ => bytes.extend([0xE0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 0x3F) as u8, low]),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_survive_encoding() {
        let units: Vec<u16> = (0..=u16::MAX).step_by(7).collect();
        assert_eq!(decode_modified_utf8(&encode_modified_utf8(&units)).unwrap(), units);
    }

    #[test]
    fn modified_utf8_has_two_byte_zero_and_surrogate_pairs() {
        assert_eq!(decode_modified_utf8(b"a\xC0\x80\xC3\xA9").unwrap(), [0x61, 0, 0xE9]);
        assert_eq!(decode_modified_utf8(b"\xED\xA0\xBD\xED\xB8\x80").unwrap(), [0xD83D, 0xDE00]);
        assert!(decode_modified_utf8(b"\xC3").is_err());
        assert!(decode_modified_utf8(b"\0").is_err());
    }
}
