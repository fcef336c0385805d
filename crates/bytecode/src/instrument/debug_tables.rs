//! Relocation of what is not needed to run code: lines, local variables, type annotations.

use super::code_editor::{EditError, Positions};
use crate::class_file::{ClassFileError, Reader};

/// Nested annotations deeper than anyone writes them are refused, so that reading cannot overflow the stack.
const DEEPEST: usize = 32;

const ANNOTATION: ClassFileError = ClassFileError::Malformed { what: "an unknown annotation element" };

/// Appends the content of a `LineNumberTable` (JVM specification §4.7.12). What is inserted before the first
/// instruction of a line belongs to the line.
pub(super) fn lines(
    reader: &mut Reader<'_>,
    positions: &Positions,
    out: &mut Vec<u8>,
) -> Result<(), EditError> {
    let count = reader.u2()?;
    out.extend(count.to_be_bytes());
    for _ in 0..count {
        out.extend(positions.first(reader.u2()?.into())?.to_be_bytes());
        out.extend(reader.u2()?.to_be_bytes());
    }
    Ok(())
}

/// Appends the content of a `LocalVariableTable` or `LocalVariableTypeTable` (§4.7.13, §4.7.14).
pub(super) fn locals(
    reader: &mut Reader<'_>,
    positions: &Positions,
    out: &mut Vec<u8>,
) -> Result<(), EditError> {
    let count = reader.u2()?;
    out.extend(count.to_be_bytes());
    for _ in 0..count {
        range(reader, positions, out)?;
        out.extend_from_slice(reader.slice(6)?);
    }
    Ok(())
}

/// A start and a length.
fn range(reader: &mut Reader<'_>, positions: &Positions, out: &mut Vec<u8>) -> Result<(), EditError> {
    let (start, length) = (reader.u2()?, reader.u2()?);
    let new_start = positions.first(start.into())?;
    let end = positions.first(u32::from(start) + u32::from(length))?;
    out.extend(new_start.to_be_bytes());
    out.extend(end.saturating_sub(new_start).to_be_bytes());
    Ok(())
}

/// Appends the content of a `Runtime…TypeAnnotations` attribute of code (§4.7.20). `handlers` has the new index of
/// each entry of the exception table.
pub(super) fn type_annotations(
    reader: &mut Reader<'_>,
    positions: &Positions,
    handlers: &[u16],
    out: &mut Vec<u8>,
) -> Result<(), EditError> {
    let count = reader.u2()?;
    out.extend(count.to_be_bytes());
    for _ in 0..count {
        target(reader, positions, handlers, out)?;
        let path = reader.u1()?;
        out.push(path);
        out.extend_from_slice(reader.slice(usize::from(path) * 2)?);
        copy(reader, out, |reader| annotation(reader, 0))?;
    }
    Ok(())
}

/// `target_type` and `target_info` (§4.7.20.1); those outside of code are there for completeness.
fn target(
    reader: &mut Reader<'_>,
    positions: &Positions,
    handlers: &[u16],
    out: &mut Vec<u8>,
) -> Result<(), EditError> {
    let target = reader.u1()?;
    out.push(target);
    match target {
        0x40 | 0x41 => {
            let ranges = reader.u2()?;
            out.extend(ranges.to_be_bytes());
            for _ in 0..ranges {
                range(reader, positions, out)?;
                out.extend_from_slice(reader.slice(2)?);
            }
        }
        0x42 => {
            let handler = handlers.get(usize::from(reader.u2()?)).ok_or(ANNOTATION)?;
            out.extend(handler.to_be_bytes());
        }
        0x43..=0x46 => out.extend(positions.own(reader.u2()?.into())?.to_be_bytes()),
        0x47..=0x4B => {
            out.extend(positions.own(reader.u2()?.into())?.to_be_bytes());
            out.push(reader.u1()?);
        }
        0x00 | 0x01 | 0x16 => out.push(reader.u1()?),
        0x10..=0x12 | 0x17 => out.extend(reader.u2()?.to_be_bytes()),
        0x13..=0x15 => {}
        _ => return Err(ANNOTATION.into()),
    }
    Ok(())
}

/// Copies as many bytes as `skip` reads.
fn copy(
    reader: &mut Reader<'_>,
    out: &mut Vec<u8>,
    skip: impl FnOnce(&mut Reader<'_>) -> Result<(), ClassFileError>,
) -> Result<(), ClassFileError> {
    let mut start = *reader;
    skip(reader)?;
    out.extend_from_slice(start.slice(reader.position() - start.position())?);
    Ok(())
}

/// Type and elements of an annotation (§4.7.16).
fn annotation(reader: &mut Reader<'_>, depth: usize) -> Result<(), ClassFileError> {
    reader.u2()?;
    for _ in 0..reader.u2()? {
        reader.u2()?;
        element(reader, depth)?;
    }
    Ok(())
}

/// An `element_value` (§4.7.16.1).
fn element(reader: &mut Reader<'_>, depth: usize) -> Result<(), ClassFileError> {
    match reader.u1()? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' | b'c' => reader.u2().map(|_| ()),
        b'e' => reader.u4().map(|_| ()),
        b'@' if depth < DEEPEST => annotation(reader, depth + 1),
        b'[' if depth < DEEPEST => {
            let count = reader.u2()?;
            (0..count).try_for_each(|_| element(reader, depth + 1))
        }
        _ => Err(ANNOTATION),
    }
}
