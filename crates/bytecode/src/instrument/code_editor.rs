//! Rewriting of a `Code` attribute: pieces of code are put before instructions, and everything that names an offset
//! follows (JVM specification §4.7.3).

use super::debug_tables;
use super::frames;
use super::insertions::{Arrival, Insertion, Insertions};
use super::scan::{Scan, SwitchDeltas, i4};
use crate::class_file::{Attribute, ClassFile, ClassFileError, CodeAttribute, ExceptionHandler};
use crate::opcode::TABLESWITCH;

/// Why a method keeps its code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EditError {
    /// The code, a jump, a table or the constant pool would exceed its range.
    TooLarge,
    /// The code has subroutines.
    Subroutine,
    /// The class file breaks a rule of its format.
    Malformed(ClassFileError),
}

impl From<ClassFileError> for EditError {
    fn from(error: ClassFileError) -> Self {
        Self::Malformed(error)
    }
}

const OUTSIDE: ClassFileError = ClassFileError::Malformed { what: "an offset outside the code" };

/// Marks an old offset with code inserted before it.
const INSERTED: u32 = 1 << 31;

/// Where the instructions of a method are after the insertions. Reused from method to method.
#[derive(Debug, Default)]
pub(crate) struct Positions {
    /// By old offset, the end of the code included.
    own: Vec<u32>,
    groups: Vec<Group>,
}

/// What is inserted before one instruction.
#[derive(Debug, Clone, Copy)]
struct Group {
    before: u32,
    first: u32,
    landing: u32,
}

impl Positions {
    fn start(&mut self, length: usize) {
        self.groups.clear();
        self.own.clear();
        self.own.reserve(length + 1);
    }

    /// The next `count` old offsets follow each other from `new` on.
    fn run(&mut self, count: usize, new: usize) {
        let new = new as u32;
        self.own.extend((0..count as u32).map(|index| new + index));
    }

    /// Of the instruction itself.
    pub(crate) fn own(&self, old: u32) -> Result<u16, EditError> {
        self.own.get(old as usize).map(|&own| (own & !INSERTED) as u16).ok_or(OUTSIDE.into())
    }

    /// Where jumps to it and exceptions land.
    pub(crate) fn landing(&self, old: u32) -> Result<u16, EditError> {
        self.find(old, |group| group.landing)
    }

    /// Of the first thing inserted before it: what covers the instruction covers that as well.
    pub(crate) fn first(&self, old: u32) -> Result<u16, EditError> {
        self.find(old, |group| group.first)
    }

    fn find(&self, old: u32, place: impl Fn(&Group) -> u32) -> Result<u16, EditError> {
        match self.own.get(old as usize) {
            None => Err(OUTSIDE.into()),
            Some(&own) if own & INSERTED == 0 => Ok(own as u16),
            Some(_) => {
                let group = self.groups.binary_search_by_key(&old, |group| group.before);
                let group = group.ok().and_then(|index| self.groups.get(index)).ok_or(OUTSIDE)?;
                Ok(place(group) as u16)
            }
        }
    }
}

/// Buffers that rewriting needs, reused from method to method.
#[derive(Debug, Default)]
pub(crate) struct CodeEditor {
    positions: Positions,
    /// By old entry of the exception table, the new index of its first piece.
    handler_indices: Vec<u16>,
}

impl CodeEditor {
    /// Appends the content of the attribute (behind its length) with the insertions to `out`.
    ///
    /// # Errors
    /// Whatever does not fit, or is malformed; `out` then ends in rubbish.
    pub(crate) fn rewrite(
        &mut self,
        class: &ClassFile<'_>,
        attribute: &CodeAttribute<'_>,
        scan: &Scan,
        insertions: &mut Insertions,
        out: &mut Vec<u8>,
    ) -> Result<(), EditError> {
        let grow = |value: u16, by: u16| value.checked_add(by).ok_or(EditError::TooLarge);
        out.extend(grow(attribute.max_stack, insertions.stack())?.to_be_bytes());
        out.extend(grow(attribute.max_locals, insertions.locals())?.to_be_bytes());
        let length_at = out.len();
        out.extend([0; 4]);
        let (items, bytes, guarded) = insertions.sorted();
        let start = out.len();
        self.lay_out(attribute.code(), scan, items, bytes, out)?;
        let length = (out.len() - start) as u32;
        if length > u32::from(u16::MAX) {
            return Err(EditError::TooLarge);
        }
        patch(out, length_at, &length.to_be_bytes());
        self.relocate_jumps(attribute.code(), scan, start, out)?;
        self.write_handlers(&attribute.handlers, guarded, out)?;
        self.write_attributes(class, &attribute.attributes, out)
    }

    /// Appends the code with the insertions; jumps still have their old deltas.
    fn lay_out(
        &mut self,
        code: &[u8],
        scan: &Scan,
        items: &[Insertion],
        bytes: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), EditError> {
        let start = out.len();
        let positions = &mut self.positions;
        positions.start(code.len());
        let mut old = 0;
        let mut switches = scan.switches.iter().peekable();
        let mut groups = items.chunk_by(|a, b| a.before == b.before).peekable();
        loop {
            let group_at = groups.peek().and_then(|group| group.first()).map(|item| item.before as usize);
            let switch_at = switches.peek().map(|switch| switch.offset as usize);
            let next = group_at.into_iter().chain(switch_at).min().unwrap_or(code.len());
            positions.run(next.saturating_sub(old), out.len() - start);
            out.extend_from_slice(code.get(old..next).ok_or(OUTSIDE)?);
            old = next;
            if next == code.len() {
                break;
            }
            let group = groups.next_if(|_| group_at == Some(next)).unwrap_or_default();
            if let Some(replaced) = insert_group(group, bytes, positions, start, out) {
                positions.run(1, replaced);
                old += 1;
            }
            if let Some(switch) = switches.next_if(|_| switch_at == Some(next)) {
                let body = code.get(switch.body as usize..switch.end as usize).ok_or(OUTSIDE)?;
                let size = (switch.end - switch.offset) as usize;
                positions.run(size, out.len() - start);
                out.extend_from_slice(code.get(next..=next).ok_or(OUTSIDE)?);
                out.resize(out.len() + padding(out.len() - start), 0);
                out.extend_from_slice(body);
                old = switch.end as usize;
            }
        }
        positions.run(1, out.len() - start);
        for group in &positions.groups {
            *positions.own.get_mut(group.before as usize).ok_or(OUTSIDE)? |= INSERTED;
        }
        Ok(())
    }

    fn relocate_jumps(
        &self,
        code: &[u8],
        scan: &Scan,
        start: usize,
        out: &mut [u8],
    ) -> Result<(), EditError> {
        let delta = |from: u16, target: u32| -> Result<i32, EditError> {
            Ok(i32::from(self.positions.landing(target)?) - i32::from(from))
        };
        for jump in &scan.jumps {
            let own = self.positions.own(jump.offset)?;
            let delta = delta(own, jump.target)?;
            let at = start + usize::from(own) + 1;
            if jump.wide {
                patch(out, at, &delta.to_be_bytes());
            } else {
                let short = i16::try_from(delta).map_err(|_| EditError::TooLarge)?;
                patch(out, at, &short.to_be_bytes());
            }
        }
        for switch in &scan.switches {
            let own = self.positions.own(switch.offset)?;
            let (old_body, new_body) = (switch.body as usize, usize::from(own) + 1);
            let new_body = new_body + padding(new_body);
            let is_table = code.get(switch.offset as usize) == Some(&TABLESWITCH);
            let deltas = SwitchDeltas::read(code, is_table, old_body).ok_or(OUTSIDE)?;
            for at in deltas.positions() {
                let target = i64::from(switch.offset) + i64::from(i4(code, at).ok_or(OUTSIDE)?);
                let delta = delta(own, target as u32)?;
                patch(out, start + at - old_body + new_body, &delta.to_be_bytes());
            }
        }
        Ok(())
    }

    /// Writes the exception table. An entry covers what is inserted before the instructions that it covers, but for
    /// what is inserted at guarded handlers at or behind its own.
    fn write_handlers(
        &mut self,
        handlers: &[ExceptionHandler],
        guarded: &[u32],
        out: &mut Vec<u8>,
    ) -> Result<(), EditError> {
        let count_at = out.len();
        out.extend([0; 2]);
        let mut count = 0;
        self.handler_indices.clear();
        let mut write = |from: u16, to: u16, entry: &ExceptionHandler, handler: u16| {
            if from < to {
                for part in [from, to, handler, entry.catch_type] {
                    out.extend(part.to_be_bytes());
                }
                count += 1;
            }
            count
        };
        let mut written = 0_usize;
        for entry in handlers {
            self.handler_indices.push(written as u16);
            let handler = self.positions.landing(entry.handler.into())?;
            let mut from = self.positions.first(entry.start.into())?;
            let covered = |&&place: &&u32| place >= entry.start.into() && place < entry.end.into();
            for &place in guarded.iter().filter(covered).filter(|&&place| u32::from(entry.handler) <= place) {
                write(from, self.positions.landing(place)?, entry, handler);
                from = self.positions.own(place)?;
            }
            written = write(from, self.positions.first(entry.end.into())?, entry, handler);
        }
        let count = u16::try_from(written).map_err(|_| EditError::TooLarge)?;
        patch(out, count_at, &count.to_be_bytes());
        Ok(())
    }

    fn write_attributes(
        &self,
        class: &ClassFile<'_>,
        attributes: &[Attribute],
        out: &mut Vec<u8>,
    ) -> Result<(), EditError> {
        let count_at = out.len();
        out.extend([0; 2]);
        let mut count = 0_u16;
        for attribute in attributes {
            let attribute_at = out.len();
            out.extend(attribute.name.to_be_bytes());
            out.extend([0; 4]);
            let content_at = out.len();
            let mut reader = class.content(attribute);
            match class.constants.utf8_bytes(attribute.name)? {
                b"LineNumberTable" => debug_tables::lines(&mut reader, &self.positions, out)?,
                b"LocalVariableTable" | b"LocalVariableTypeTable" => {
                    debug_tables::locals(&mut reader, &self.positions, out)?;
                }
                b"StackMapTable" => frames::relocate(&mut reader, &self.positions, out)?,
                b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                    debug_tables::type_annotations(&mut reader, &self.positions, &self.handler_indices, out)?;
                }
                // Others may name offsets that nobody here knows of, and the JVM ignores them.
                _ => {
                    out.truncate(attribute_at);
                    continue;
                }
            }
            let length = u32::try_from(out.len() - content_at).map_err(|_| EditError::TooLarge)?;
            patch(out, attribute_at + 2, &length.to_be_bytes());
            count += 1;
        }
        patch(out, count_at, &count.to_be_bytes());
        Ok(())
    }
}

/// Appends what is inserted before one instruction; returns where the code starts that replaces it, if any does.
/// Only instructions of one byte are replaced.
fn insert_group(
    group: &[Insertion],
    bytes: &[u8],
    positions: &mut Positions,
    start: usize,
    out: &mut Vec<u8>,
) -> Option<usize> {
    let before = group.first()?.before;
    let first = (out.len() - start) as u32;
    let (mut landing, mut replaced) = (None, None);
    for item in group {
        let here = out.len() - start;
        match item.arrival {
            Arrival::Fallthrough => {}
            Arrival::Any => landing = landing.or(Some(here)),
            Arrival::Instead => {
                landing = landing.or(Some(here));
                replaced = Some(here);
            }
        }
        out.extend_from_slice(item.of(bytes));
    }
    let landing = landing.unwrap_or(out.len() - start) as u32;
    positions.groups.push(Group { before, first, landing });
    replaced
}

/// Bytes between the opcode of a switch and its body, which lies at a multiple of 4.
fn padding(behind_opcode: usize) -> usize {
    behind_opcode.wrapping_neg() & 3
}

pub(super) fn patch(out: &mut [u8], at: usize, bytes: &[u8]) {
    if let Some(slot) = out.get_mut(at..at + bytes.len()) {
        slot.copy_from_slice(bytes);
    }
}
