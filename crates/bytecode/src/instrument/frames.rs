//! Relocation of the `StackMapTable` attribute (JVM specification §4.7.4).
//!
//! Frames keep their content and their order; only the distances between them change, and with these the form in
//! which a frame is written.

use super::code_editor::{EditError, Positions};
use crate::class_file::{ClassFileError, Reader};

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
