//! The `Code` attribute (JVM specification §4.7.3), located in place.

use std::ops::Range;

use super::{Attribute, ClassFileError, Reader, attributes};

/// A `Code` attribute whose parts are located, not copied.
#[derive(Debug, Clone)]
pub struct CodeAttribute<'a> {
    /// The bytes of the whole class file.
    pub bytes: &'a [u8],
    /// Depth of the operand stack, in slots.
    pub max_stack: u16,
    /// Local variables, in slots.
    pub max_locals: u16,
    /// The code array as a range of `bytes`.
    pub code: Range<usize>,
    /// Exception table in order (the first match wins, §2.10).
    pub handlers: Vec<ExceptionHandler>,
    /// Attributes of the code: line numbers, local variables, frames.
    pub attributes: Vec<Attribute>,
}

/// One entry of the exception table; offsets are bytes in the code array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExceptionHandler {
    /// First offset covered.
    pub start: u16,
    /// First offset no longer covered.
    pub end: u16,
    /// Offset of the handler.
    pub handler: u16,
    /// Constant index of the class caught, 0 for any.
    pub catch_type: u16,
}

impl<'a> CodeAttribute<'a> {
    pub(super) fn read(bytes: &'a [u8], mut reader: Reader<'a>) -> Result<Self, ClassFileError> {
        let (max_stack, max_locals) = (reader.u2()?, reader.u2()?);
        let length = reader.u4()? as usize;
        let start = reader.position();
        reader.slice(length)?;
        let count = reader.u2()?;
        let handlers = (0..count)
            .map(|_| {
                let (start, end, handler) = (reader.u2()?, reader.u2()?, reader.u2()?);
                Ok(ExceptionHandler { start, end, handler, catch_type: reader.u2()? })
            })
            .collect::<Result<_, _>>()?;
        let attributes = attributes(&mut reader)?;
        Ok(Self { bytes, max_stack, max_locals, code: start..start + length, handlers, attributes })
    }

    /// The code array.
    pub fn code(&self) -> &'a [u8] {
        &self.bytes[self.code.clone()]
    }
}
