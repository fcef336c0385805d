//! Checked big-endian reading of class-file bytes (JVM specification §4).

use thiserror::Error;

/// What is wrong with a class file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ClassFileError {
    /// The bytes end before the structure does.
    #[error("the class file is cut off at byte {offset}")]
    Truncated {
        /// Where the next byte was expected.
        offset: usize,
    },
    /// The first four bytes are not `CAFEBABE`.
    #[error("not a class file: it does not begin with the magic number")]
    Magic,
    /// A class-file version outside 45 to 69.
    #[error("class-file version {major} is not between 45 and 69 (Java 1.1 to 25)")]
    Version {
        /// The major version found.
        major: u16,
    },
    /// A constant-pool index that names nothing, or a constant of another kind.
    #[error("constant {index} is not a {expected}")]
    Constant {
        /// The index found.
        index: u16,
        /// The kind needed.
        expected: &'static str,
    },
    /// An opcode that the JVM specification does not define.
    #[error("byte {offset} of a method is no instruction: {opcode:#04x}")]
    Opcode {
        /// Offset in the code array.
        offset: usize,
        /// The byte found.
        opcode: u8,
    },
    /// A descriptor or signature that does not follow the grammar of §4.3 or §4.7.9.1.
    #[error("malformed descriptor or signature {text:?}")]
    Signature {
        /// The text found.
        text: String,
    },
    /// Anything else that breaks a rule of §4.
    #[error("malformed class file: {what}")]
    Malformed {
        /// The rule that is broken.
        what: &'static str,
    },
}

/// A cursor over class-file bytes; every read is checked.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Reader<'a> {
    /// Starts at `position` of `bytes`.
    pub fn at(bytes: &'a [u8], position: usize) -> Self {
        Self { bytes, position }
    }

    /// Offset of the next byte.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Bytes left.
    pub fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.position)
    }

    /// The next `length` bytes.
    pub fn slice(&mut self, length: usize) -> Result<&'a [u8], ClassFileError> {
        let end = self.position.checked_add(length);
        let part = end.and_then(|end| self.bytes.get(self.position..end));
        let part = part.ok_or(ClassFileError::Truncated { offset: self.bytes.len() })?;
        self.position += length;
        Ok(part)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ClassFileError> {
        let part = self.bytes.get(self.position..).and_then(<[u8]>::first_chunk::<N>);
        let part = part.ok_or(ClassFileError::Truncated { offset: self.bytes.len() })?;
        self.position += N;
        Ok(*part)
    }

    /// An unsigned byte.
    pub fn u1(&mut self) -> Result<u8, ClassFileError> {
        Ok(u8::from_be_bytes(self.array()?))
    }

    /// An unsigned 16-bit value.
    pub fn u2(&mut self) -> Result<u16, ClassFileError> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    /// An unsigned 32-bit value.
    pub fn u4(&mut self) -> Result<u32, ClassFileError> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    /// A signed byte.
    pub fn i1(&mut self) -> Result<i8, ClassFileError> {
        Ok(self.u1()? as i8)
    }

    /// A signed 16-bit value.
    pub fn i2(&mut self) -> Result<i16, ClassFileError> {
        Ok(self.u2()? as i16)
    }

    /// A signed 32-bit value.
    pub fn i4(&mut self) -> Result<i32, ClassFileError> {
        Ok(self.u4()? as i32)
    }

    /// A table of 16-bit indices, preceded by its 16-bit length.
    pub fn u2_table(&mut self) -> Result<Vec<u16>, ClassFileError> {
        let count = self.u2()?;
        (0..count).map(|_| self.u2()).collect()
    }
}
