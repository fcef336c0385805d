//! Relocation of the `StackMapTable` attribute (JVM specification §4.7.4).
//!
//! Frames keep their content and their order; only the distances between them change, and with these the form in
//! which a frame is written. Methods that keep variables of ours have all their frames written in full.

use super::code_editor::{EditError, Positions};
use super::constants::NewConstants;
use super::insertions::Kept;
use crate::class_file::{ClassFile, ClassFileError, Member, Reader};
use crate::verification::{self, Frame};

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
    let mut offsets = Offsets::default();
    for _ in 0..count {
        let tag = reader.u1()?;
        let delta = offsets.next(tag, reader, positions)?;
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
        VerificationType::read(reader)?.write(positions, out)?;
    }
    Ok(())
}

/// `verification_type_info` (JVM specification §4.7.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VerificationType {
    /// One that carries nothing: its tag.
    Plain(u8),
    /// A class, by the index of its constant.
    Object(u16),
    /// The result of the `new` at an offset.
    Uninitialized(u16),
}

impl VerificationType {
    const TOP: Self = Self::Plain(0);
    const INTEGER: Self = Self::Plain(1);
    const FLOAT: Self = Self::Plain(2);
    const DOUBLE: Self = Self::Plain(3);
    const LONG: Self = Self::Plain(4);
    const NULL: Self = Self::Plain(5);
    const UNINITIALIZED_THIS: Self = Self::Plain(6);

    /// With the constant of its class.
    fn of(found: &verification::VerificationType, constants: &mut NewConstants) -> Self {
        use verification::VerificationType as Known;
        match found {
            Known::Top => Self::TOP,
            Known::Int => Self::INTEGER,
            Known::Float => Self::FLOAT,
            Known::Double => Self::DOUBLE,
            Known::Long => Self::LONG,
            Known::Null => Self::NULL,
            Known::UninitializedThis => Self::UNINITIALIZED_THIS,
            Known::Object(name) => Self::Object(constants.class_named(name)),
            Known::Uninitialized(offset) => Self::Uninitialized(*offset as u16),
        }
    }

    /// Local variables that it takes.
    fn slots(self) -> u16 {
        if matches!(self, Self::DOUBLE | Self::LONG) { 2 } else { 1 }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, EditError> {
        Ok(match reader.u1()? {
            OBJECT => Self::Object(reader.u2()?),
            UNINITIALIZED => Self::Uninitialized(reader.u2()?),
            tag => Self::Plain(tag),
        })
    }

    fn write(self, positions: &Positions, out: &mut Vec<u8>) -> Result<(), EditError> {
        match self {
            Self::Plain(tag) => out.push(tag),
            Self::Object(class) => {
                out.push(OBJECT);
                out.extend(class.to_be_bytes());
            }
            Self::Uninitialized(offset) => {
                out.push(UNINITIALIZED);
                out.extend(positions.own(offset.into())?.to_be_bytes());
            }
        }
        Ok(())
    }
}

/// Types of the local variables when a method begins: the receiver and the parameters.
pub(super) fn locals_at_entry(
    class: &ClassFile<'_>,
    method: &Member,
    constants: &mut NewConstants,
) -> Result<Vec<VerificationType>, EditError> {
    const DESCRIPTOR: ClassFileError = ClassFileError::Malformed { what: "a method descriptor" };
    let mut locals = Vec::new();
    if method.access & 0x0008 == 0 {
        locals.push(if class.constants.utf8_bytes(method.name)? == b"<init>" {
            VerificationType::UNINITIALIZED_THIS
        } else {
            VerificationType::Object(class.this_class)
        });
    }
    let descriptor = class.constants.utf8_bytes(method.descriptor)?;
    let end = descriptor.iter().position(|&byte| byte == b')').ok_or(DESCRIPTOR)?;
    let mut rest = descriptor.get(1..end).ok_or(DESCRIPTOR)?;
    while let Some(&first) = rest.first() {
        let dimensions = rest.iter().take_while(|&&byte| byte == b'[').count();
        let length = match rest.get(dimensions).ok_or(DESCRIPTOR)? {
            b'L' => rest.iter().position(|&byte| byte == b';').ok_or(DESCRIPTOR)? + 1,
            _ => dimensions + 1,
        };
        let (name, others) = rest.split_at(length);
        rest = others;
        locals.push(match first {
            b'J' => VerificationType::LONG,
            b'F' => VerificationType::FLOAT,
            b'D' => VerificationType::DOUBLE,
            b'[' => VerificationType::Object(constants.class(name)),
            b'L' => VerificationType::Object(constants.class(&name[1..name.len() - 1])),
            _ => VerificationType::INTEGER,
        });
    }
    Ok(locals)
}

/// What a method needs whose frames are written anew.
#[derive(Debug)]
pub(crate) struct AtEntry {
    /// Types of the local variables.
    pub(crate) locals: Vec<VerificationType>,
    /// Constant with the name of the attribute, for a method that has none yet.
    pub(crate) table_name: u16,
}

/// A frame with the constants that it names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct RawFrame {
    locals: Vec<VerificationType>,
    stack: Vec<VerificationType>,
}

impl RawFrame {
    /// With the constants of classes that it names.
    pub(crate) fn of(frame: &Frame, constants: &mut NewConstants) -> Self {
        let mut locals = Vec::with_capacity(frame.locals.len());
        let mut slots = frame.locals.iter();
        while let Some(found) = slots.next() {
            locals.push(VerificationType::of(found, constants));
            if found.is_wide() {
                slots.next();
            }
        }
        while locals.last() == Some(&VerificationType::TOP) {
            locals.pop();
        }
        Self {
            locals,
            stack: frame.stack.iter().map(|found| VerificationType::of(found, constants)).collect(),
        }
    }

    /// Becomes the next frame of a table; gives its `offset_delta`.
    fn read(&mut self, reader: &mut Reader<'_>) -> Result<u16, EditError> {
        const FULL: u8 = 255;
        let tag = reader.u1()?;
        let delta = match tag {
            0..=127 => u16::from(tag & 63),
            128..=246 => return Err(UNKNOWN.into()),
            247..=255 => reader.u2()?,
        };
        let Self { locals, stack } = self;
        stack.clear();
        match tag {
            0..=63 | SAME_EXTENDED => {}
            64..=127 | SAME_LOCALS_ONE_ITEM_EXTENDED => stack.push(VerificationType::read(reader)?),
            128..=246 => return Err(UNKNOWN.into()),
            248..=250 => locals.truncate(locals.len().saturating_sub(usize::from(SAME_EXTENDED - tag))),
            252..=254 => {
                for _ in 0..tag - SAME_EXTENDED {
                    locals.push(VerificationType::read(reader)?);
                }
            }
            FULL => {
                locals.clear();
                for types in [locals, stack] {
                    for _ in 0..reader.u2()? {
                        types.push(VerificationType::read(reader)?);
                    }
                }
            }
        }
        Ok(delta)
    }

    /// Written in full; what is kept lies behind the local variables of the method.
    fn write(&self, kept: Kept, positions: &Positions, out: &mut Vec<u8>) -> Result<(), EditError> {
        let used: u16 = self.locals.iter().map(|local| local.slots()).sum();
        let count = kept.count();
        let gap = if count == 0 { 0 } else { kept.first.checked_sub(used).ok_or(ORDER)? };
        out.extend((self.locals.len() as u16 + gap + count).to_be_bytes());
        self.locals.iter().try_for_each(|local| local.write(positions, out))?;
        (0..gap).try_for_each(|_| VerificationType::TOP.write(positions, out))?;
        (0..count).try_for_each(|_| VerificationType::INTEGER.write(positions, out))?;
        out.extend((self.stack.len() as u16).to_be_bytes());
        self.stack.iter().try_for_each(|item| item.write(positions, out))
    }
}

/// As [`relocate`], for a method that keeps variables of its own from its entry on, or gets further frames (by new offset): every frame is written in full, since what is added would change what the short forms mean.
/// Where a frame stands already, it stays.
pub(super) fn expand(
    declared: Option<&mut Reader<'_>>,
    positions: &Positions,
    (kept, locals): (Kept, Vec<VerificationType>),
    added: Vec<(u16, &RawFrame)>,
    out: &mut Vec<u8>,
) -> Result<(), EditError> {
    const FULL: u8 = 255;
    let mut all: Vec<(u16, RawFrame)> = Vec::new();
    if let Some(reader) = declared {
        let (mut frame, mut old) = (RawFrame { locals, stack: Vec::new() }, None);
        for _ in 0..reader.u2()? {
            let delta = u32::from(frame.read(reader)?);
            let offset = old.map_or(delta, |before: u32| before + delta + 1);
            old = Some(offset);
            all.push((positions.landing(offset)?, frame.clone()));
        }
    }
    all.extend(added.into_iter().map(|(offset, frame)| (offset, frame.clone())));
    // Stable: those that were there come first, and stay.
    all.sort_by_key(|(offset, _)| *offset);
    all.dedup_by_key(|(offset, _)| *offset);
    out.extend(u16::try_from(all.len()).map_err(|_| EditError::TooLarge)?.to_be_bytes());
    let mut before = None;
    for (offset, frame) in &all {
        let delta = before.map_or(*offset, |before: u16| offset - before - 1);
        before = Some(*offset);
        write_long(out, FULL, delta);
        frame.write(kept, positions, out)?;
    }
    Ok(())
}

/// Where frames are, before and after.
#[derive(Debug, Default)]
struct Offsets {
    old: Option<u32>,
    new: Option<u16>,
}

impl Offsets {
    /// Reads how far a frame is behind the one before, and gives how far it is afterwards.
    fn next(&mut self, tag: u8, reader: &mut Reader<'_>, positions: &Positions) -> Result<u16, EditError> {
        let old_delta = match tag {
            0..=127 => u16::from(tag & 63),
            128..=246 => return Err(UNKNOWN.into()),
            247..=255 => reader.u2()?,
        };
        let old_offset = match self.old {
            None => u32::from(old_delta),
            Some(before) => before + u32::from(old_delta) + 1,
        };
        let offset = positions.landing(old_offset)?;
        let delta = match self.new {
            None => offset,
            Some(before) => offset.checked_sub(before).and_then(|delta| delta.checked_sub(1)).ok_or(ORDER)?,
        };
        (self.old, self.new) = (Some(old_offset), Some(offset));
        Ok(delta)
    }
}
