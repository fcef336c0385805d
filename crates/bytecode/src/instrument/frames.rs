//! Relocation of the `StackMapTable` attribute (JVM specification §4.7.4).
//!
//! Frames keep their content and their order; only the distances between them change, and with these the form in
//! which a frame is written.

use super::code_editor::{EditError, Positions};
use super::constants::NewConstants;
use crate::class_file::{ClassFileError, Reader};
use crate::verification::{Frame, VerificationType};

const UNKNOWN: ClassFileError = ClassFileError::Malformed { what: "an unknown stack map frame" };
const ORDER: ClassFileError = ClassFileError::Malformed { what: "stack map frames out of order" };

/// Tags of `verification_type_info` that carry something: a class, or the offset of a `new`.
const OBJECT: u8 = 7;
const UNINITIALIZED: u8 = 8;

/// The frame forms that have both a short and a long way to write the distance.
const SAME_LOCALS_ONE_ITEM: u8 = 64;
const SAME_LOCALS_ONE_ITEM_EXTENDED: u8 = 247;
const SAME_EXTENDED: u8 = 251;

/// Appends the content of the attribute.
pub(super) fn relocate(
    reader: &mut Reader<'_>,
    positions: &Positions,
    out: &mut Vec<u8>,
) -> Result<(), EditError> {
    let count = reader.u2()?;
    out.extend(count.to_be_bytes());
    let (mut old, mut new) = (None, None);
    for _ in 0..count {
        let tag = reader.u1()?;
        let old_delta = match tag {
            0..=127 => u16::from(tag & 63),
            128..=246 => return Err(UNKNOWN.into()),
            247..=255 => reader.u2()?,
        };
        let old_offset = match old {
            None => u32::from(old_delta),
            Some(before) => before + u32::from(old_delta) + 1,
        };
        let offset = positions.landing(old_offset)?;
        let delta = match new {
            None => offset,
            Some(before) => offset.checked_sub(before).and_then(|delta| delta.checked_sub(1)).ok_or(ORDER)?,
        };
        (old, new) = (Some(old_offset), Some(offset));
        match tag {
            0..=63 | SAME_EXTENDED => write_delta(out, delta, 0, SAME_EXTENDED),
            64..=127 | SAME_LOCALS_ONE_ITEM_EXTENDED => {
                write_delta(out, delta, SAME_LOCALS_ONE_ITEM, SAME_LOCALS_ONE_ITEM_EXTENDED);
                copy_types(reader, 1, positions, out)?;
            }
            128..=246 => return Err(UNKNOWN.into()),
            248..=250 => write_long(out, tag, delta),
            252..=254 => {
                write_long(out, tag, delta);
                copy_types(reader, u16::from(tag - SAME_EXTENDED), positions, out)?;
            }
            255 => {
                write_long(out, tag, delta);
                for _ in 0..2 {
                    let types = reader.u2()?;
                    out.extend(types.to_be_bytes());
                    copy_types(reader, types, positions, out)?;
                }
            }
        }
    }
    Ok(())
}

fn write_delta(out: &mut Vec<u8>, delta: u16, short: u8, long: u8) {
    if delta < 64 {
        out.push(short + delta as u8);
    } else {
        write_long(out, long, delta);
    }
}

fn write_long(out: &mut Vec<u8>, tag: u8, delta: u16) {
    let [high, low] = delta.to_be_bytes();
    out.extend([tag, high, low]);
}

fn copy_types(
    reader: &mut Reader<'_>,
    count: u16,
    positions: &Positions,
    out: &mut Vec<u8>,
) -> Result<(), EditError> {
    for _ in 0..count {
        let tag = reader.u1()?;
        out.push(tag);
        match tag {
            OBJECT => out.extend(reader.u2()?.to_be_bytes()),
            UNINITIALIZED => out.extend(positions.own(reader.u2()?.into())?.to_be_bytes()),
            _ => {}
        }
    }
    Ok(())
}

/// A frame as the class file has it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct RawFrame {
    locals: Vec<RawType>,
    stack: Vec<RawType>,
}

/// A `verification_type_info`: its tag, and the constant or the old offset that some have behind it.
type RawType = (u8, u16);

impl RawFrame {
    /// With the constants of classes that it names.
    pub(crate) fn of(frame: &Frame, constants: &mut NewConstants) -> Self {
        let mut locals = Vec::with_capacity(frame.locals.len());
        let mut slots = frame.locals.iter();
        while let Some(found) = slots.next() {
            locals.push(raw(found, constants));
            if found.is_wide() {
                slots.next();
            }
        }
        while locals.last() == Some(&(0, 0)) {
            locals.pop();
        }
        Self { locals, stack: frame.stack.iter().map(|found| raw(found, constants)).collect() }
    }

    /// Becomes the next frame of a table; gives its `offset_delta`.
    fn read(&mut self, reader: &mut Reader<'_>) -> Result<u16, EditError> {
        let tag = reader.u1()?;
        self.stack.clear();
        let delta = match tag {
            0..=127 => u16::from(tag & 63),
            128..=246 => return Err(UNKNOWN.into()),
            247..=255 => reader.u2()?,
        };
        match tag {
            64..=127 | SAME_LOCALS_ONE_ITEM_EXTENDED => self.stack.push(read_type(reader)?),
            248..=250 => {
                let rest = self.locals.len().saturating_sub(usize::from(SAME_EXTENDED - tag));
                self.locals.truncate(rest);
            }
            252..=254 => {
                for _ in 0..tag - SAME_EXTENDED {
                    self.locals.push(read_type(reader)?);
                }
            }
            255 => {
                for types in [&mut self.locals, &mut self.stack] {
                    types.clear();
                    for _ in 0..reader.u2()? {
                        types.push(read_type(reader)?);
                    }
                }
            }
            _ => {}
        }
        Ok(delta)
    }

    fn write(&self, positions: &Positions, out: &mut Vec<u8>) -> Result<(), EditError> {
        for types in [&self.locals, &self.stack] {
            out.extend((types.len() as u16).to_be_bytes());
            for &(tag, what) in types {
                out.push(tag);
                match tag {
                    OBJECT => out.extend(what.to_be_bytes()),
                    UNINITIALIZED => out.extend(positions.own(what.into())?.to_be_bytes()),
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

fn raw(found: &VerificationType, constants: &mut NewConstants) -> RawType {
    match found {
        VerificationType::Top => (0, 0),
        VerificationType::Int => (1, 0),
        VerificationType::Float => (2, 0),
        VerificationType::Double => (3, 0),
        VerificationType::Long => (4, 0),
        VerificationType::Null => (5, 0),
        VerificationType::UninitializedThis => (6, 0),
        VerificationType::Object(name) => (OBJECT, constants.class(name)),
        VerificationType::Uninitialized(offset) => (UNINITIALIZED, *offset as u16),
    }
}

fn read_type(reader: &mut Reader<'_>) -> Result<RawType, EditError> {
    let tag = reader.u1()?;
    let what = if matches!(tag, OBJECT | UNINITIALIZED) { reader.u2()? } else { 0 };
    Ok((tag, what))
}

/// Appends the content of the attribute with further frames, given by new offset. All are written in full, since a frame
/// between two others would change what the short forms mean. Where a frame stands already, it stays.
pub(super) fn merge(
    declared: Option<&mut Reader<'_>>,
    first: &RawFrame,
    mut added: Vec<(u16, &RawFrame)>,
    positions: &Positions,
    out: &mut Vec<u8>,
) -> Result<(), EditError> {
    let mut all: Vec<(u16, RawFrame)> = Vec::new();
    if let Some(reader) = declared {
        let (mut frame, mut old) = (first.clone(), None);
        for _ in 0..reader.u2()? {
            let delta = u32::from(frame.read(reader)?);
            let offset = old.map_or(delta, |before: u32| before + delta + 1);
            old = Some(offset);
            all.push((positions.landing(offset)?, frame.clone()));
        }
    }
    added.retain(|(offset, _)| all.binary_search_by_key(offset, |(known, _)| *known).is_err());
    all.extend(added.into_iter().map(|(offset, frame)| (offset, frame.clone())));
    all.sort_by_key(|(offset, _)| *offset);
    all.dedup_by_key(|(offset, _)| *offset);
    out.extend(u16::try_from(all.len()).map_err(|_| EditError::TooLarge)?.to_be_bytes());
    let mut before = None;
    for (offset, frame) in &all {
        let delta = before.map_or(*offset, |before: u16| offset - before - 1);
        before = Some(*offset);
        write_long(out, 255, delta);
        frame.write(positions, out)?;
    }
    Ok(())
}
