//! Rewriting of a `Code` attribute: pieces of code are put before instructions, and everything that names an offset
//! follows (JVM specification §4.7.3).

use super::debug_tables;
use super::frames::{self, AtEntry, RawFrame};
use super::insertions::{Arrival, Detour, Insertion, Insertions, Kept, Sorted};
use super::scan::{Scan, SwitchDeltas, i4};
use crate::class_file::{Attribute, ClassFile, ClassFileError, CodeAttribute, ExceptionHandler};
use crate::opcode::TABLESWITCH;
use crate::verification::FIRST_WITH_FRAMES;

/// Why a method keeps its code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EditError {
    /// The code, a jump, a table or the constant pool would exceed its range.
    TooLarge,
    /// The code has subroutines.
    Subroutine,
    /// A recording could not tell what the code does.
    Untold,
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
    /// Of each piece of inserted code: its place among the bytes of all, where it is, and how long.
    pieces: Vec<(u32, u32, u32)>,
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
        self.pieces.clear();
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

    /// Start and end of a piece of inserted code.
    fn piece(&self, start: u32) -> Result<(u16, u16), EditError> {
        let place = self.pieces.binary_search_by_key(&start, |piece| piece.0).map_err(|_| OUTSIDE)?;
        let &(_, at, length) = self.pieces.get(place).ok_or(OUTSIDE)?;
        Ok((at as u16, (at + length) as u16))
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
    /// Appends the content of the attribute (behind its length) with the insertions to `out`. `at_entry` is
    /// needed for a method that keeps variables of its own ([`Insertions::kept`]) or gets frames
    /// ([`Insertions::has_detours`]).
    ///
    /// # Errors
    /// Whatever does not fit, or is malformed; `out` then ends in rubbish.
    pub(crate) fn rewrite(
        &mut self,
        class: &ClassFile<'_>,
        attribute: &CodeAttribute<'_>,
        scan: &Scan,
        insertions: &mut Insertions,
        at_entry: Option<AtEntry>,
        out: &mut Vec<u8>,
    ) -> Result<(), EditError> {
        let kept = insertions.kept();
        let grow = |value: u16, by: u16| value.checked_add(by).ok_or(EditError::TooLarge);
        out.extend(grow(attribute.max_stack, insertions.stack())?.to_be_bytes());
        out.extend(grow(attribute.max_locals, insertions.locals())?.to_be_bytes());
        let length_at = out.len();
        out.extend([0; 4]);
        let Sorted { items, bytes, guarded, detours } = insertions.sorted();
        let start = out.len();
        self.lay_out(attribute.code(), scan, items, bytes, out)?;
        let length = (out.len() - start) as u32;
        if length > u32::from(u16::MAX) {
            return Err(EditError::TooLarge);
        }
        patch(out, length_at, &length.to_be_bytes());
        self.relocate_jumps(attribute.code(), scan, start, out)?;
        self.relocate_detours(detours, start, out)?;
        self.write_handlers(&attribute.handlers, guarded, kept.count() > 0, out)?;
        let has_frames = class.major >= FIRST_WITH_FRAMES;
        let frames = if has_frames { self.frames_of(detours)? } else { Vec::new() };
        self.write_attributes(class, &attribute.attributes, (kept, at_entry, frames), out)
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
        positions.pieces.sort_unstable();
        for group in &positions.groups {
            *positions.own.get_mut(group.before as usize).ok_or(OUTSIDE)? |= INSERTED;
        }
        Ok(())
    }

    fn relocate_detours(
        &self,
        detours: &[(u32, Detour)],
        start: usize,
        out: &mut [u8],
    ) -> Result<(), EditError> {
        for (piece, detour) in detours {
            let from = usize::from(self.positions.piece(*piece)?.0) + detour.goto_at;
            let delta = usize::from(self.positions.first(detour.jumps_to)?).saturating_sub(from);
            let delta = i16::try_from(delta).map_err(|_| EditError::TooLarge)?;
            patch(out, start + from + 1, &delta.to_be_bytes());
        }
        Ok(())
    }

    /// What is known behind the pieces that lead round an instruction, and where they lead.
    fn frames_of<'d>(&self, detours: &'d [(u32, Detour)]) -> Result<Vec<(u16, &'d RawFrame)>, EditError> {
        let mut frames = Vec::with_capacity(2 * detours.len());
        for (piece, detour) in detours {
            frames.push((self.positions.piece(*piece)?.1, &detour.call));
            frames.push((self.positions.first(detour.jumps_to)?, &detour.after));
        }
        Ok(frames)
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
    /// what is inserted at guarded handlers at or behind its own, and for what runs before variables that are kept have
    /// their values.
    fn write_handlers(
        &mut self,
        handlers: &[ExceptionHandler],
        guarded: &[u32],
        keeps_variables: bool,
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
            let mut from = if keeps_variables && entry.start == 0 {
                self.positions.landing(0)?
            } else {
                self.positions.first(entry.start.into())?
            };
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
        (kept, mut at_entry, mut frames): (Kept, Option<AtEntry>, Vec<(u16, &RawFrame)>),
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
                b"StackMapTable" => match at_entry.take() {
                    None => frames::relocate(&mut reader, &self.positions, out)?,
                    Some(entry) => {
                        let (frames, locals) = (std::mem::take(&mut frames), (kept, entry.locals));
                        frames::expand(Some(&mut reader), &self.positions, locals, frames, out)?;
                    }
                },
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
        if let Some(entry) = at_entry.filter(|_| !frames.is_empty()) {
            out.extend(entry.table_name.to_be_bytes());
            let length_at = out.len();
            out.extend([0; 4]);
            frames::expand(None, &self.positions, (kept, entry.locals), frames, out)?;
            let length = u32::try_from(out.len() - length_at - 4).map_err(|_| EditError::TooLarge)?;
            patch(out, length_at, &length.to_be_bytes());
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
        positions.pieces.push((item.start, here as u32, item.length()));
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

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::instrument::constants::NewConstants;
    use crate::instrument::scan;
    use crate::opcode::*;

    /// A class with the name of an attribute as constant 3, and the attribute's content behind its end.
    fn class(attribute: &str, content: &[u8]) -> (Vec<u8>, Range<usize>) {
        let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52, 0, 4, 7, 0, 2, 1, 0, 1, b'A', 1, 0];
        bytes.push(attribute.len() as u8);
        bytes.extend(attribute.bytes());
        bytes.extend([0, 0x21, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let start = bytes.len();
        bytes.extend(content);
        let end = bytes.len();
        (bytes, start..end)
    }

    /// What is inserted: before which offset, for whom, and what.
    type Piece<'p> = (u32, Arrival, &'p [u8]);

    struct Edited {
        code: Vec<u8>,
        handlers: Vec<ExceptionHandler>,
        attribute: Vec<u8>,
    }

    fn edit(
        code: &[u8],
        handlers: &[ExceptionHandler],
        (name, content): (&str, &[u8]),
        pieces: &[Piece<'_>],
        guarded: &[u32],
    ) -> Result<Edited, EditError> {
        let (bytes, content) = class(name, content);
        let mut class = ClassFile::parse(&bytes[..content.start]).unwrap();
        class.bytes = &bytes;
        let attribute = CodeAttribute {
            bytes: code,
            max_stack: 1,
            max_locals: 2,
            code: 0..code.len(),
            handlers: handlers.to_vec(),
            attributes: vec![Attribute { name: 3, content }],
        };
        let (mut scan, mut insertions) = (Scan::default(), Insertions::default());
        scan.read(&attribute, &scan::watch(&[false; 256]))?;
        let mut constants = NewConstants::behind(&class.constants);
        for &(before, arrival, piece) in pieces {
            insertions.insert(&mut constants, (before, arrival, 2), |writer| {
                for &code in piece {
                    writer.op(code);
                }
            });
        }
        for &handler in guarded {
            insertions.guard(handler);
        }
        let mut out = Vec::new();
        CodeEditor::default().rewrite(&class, &attribute, &scan, &mut insertions, None, &mut out)?;
        let mut reader = crate::class_file::Reader::at(&out, 0);
        let stack = if pieces.is_empty() { 1 } else { 3 };
        assert_eq!((reader.u2().unwrap(), reader.u2().unwrap()), (stack, 2));
        let length = reader.u4().unwrap() as usize;
        let code = reader.slice(length).unwrap().to_vec();
        let mut handlers = Vec::new();
        for _ in 0..reader.u2().unwrap() {
            let [start, end, handler, catch_type] = std::array::from_fn(|_| reader.u2().unwrap());
            handlers.push(ExceptionHandler { start, end, handler, catch_type });
        }
        let mut attribute = Vec::new();
        for _ in 0..reader.u2().unwrap() {
            assert_eq!(reader.u2().unwrap(), 3);
            let length = reader.u4().unwrap() as usize;
            attribute = reader.slice(length).unwrap().to_vec();
        }
        assert_eq!(reader.remaining(), 0);
        Ok(Edited { code, handlers, attribute })
    }

    fn check_code(code: &[u8], pieces: &[Piece<'_>], expect: &[u8]) {
        assert_eq!(edit(code, &[], ("Other", &[]), pieces, &[]).unwrap().code, expect);
    }

    #[test]
    fn jumps_land_before_or_behind_what_is_inserted() {
        let code = [ICONST_0, POP, GOTO, 0xFF, 0xFE, RETURN];
        let (any, fall, instead) = (Arrival::Any, Arrival::Fallthrough, Arrival::Instead);
        check_code(&code, &[], &code);
        check_code(&code, &[(5, any, &[NOP])], &[ICONST_0, POP, GOTO, 0xFF, 0xFE, NOP, RETURN]);
        check_code(&code, &[(0, any, &[NOP])], &[NOP, ICONST_0, POP, GOTO, 0xFF, 0xFD, RETURN]);
        check_code(&code, &[(0, fall, &[NOP])], &[NOP, ICONST_0, POP, GOTO, 0xFF, 0xFE, RETURN]);
        let both = [NOP, SWAP, ICONST_0, POP, GOTO, 0xFF, 0xFD, RETURN];
        check_code(&code, &[(0, any, &[SWAP]), (0, fall, &[NOP])], &both);
        let replaced = [ICONST_0, DUP, SWAP, POP2, GOTO, 0xFF, 0xFC, RETURN];
        check_code(&code, &[(1, instead, &[SWAP, POP2]), (1, any, &[DUP])], &replaced);
    }

    #[test]
    fn switches_keep_their_alignment() {
        let switch = |start: &[u8], padding: usize, to: u8| {
            let body = [0, 0, 0, to, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, to];
            [start, &[LOOKUPSWITCH], &vec![0; padding], &body, &[RETURN]].concat()
        };
        let code = switch(&[ICONST_0], 2, 19);
        for (inserted, padding) in [(1, 1), (2, 0), (3, 3), (4, 2)] {
            let pieces = [(0, Arrival::Fallthrough, &[NOP; 4][..inserted])];
            let start = [&[NOP; 4][..inserted], &[ICONST_0]].concat();
            check_code(&code, &pieces, &switch(&start, padding, 17 + padding as u8));
        }
        let before_it = [(1, Arrival::Any, &[NOP][..])];
        check_code(&code, &before_it, &switch(&[ICONST_0, NOP], 1, 18));
    }

    #[test]
    fn what_does_not_fit_is_too_large() {
        let check = |code: Vec<u8>, expect: bool| {
            let edited = edit(&code, &[], ("Other", &[]), &[(3, Arrival::Any, &[NOP])], &[]);
            assert_eq!(edited.err(), expect.then_some(EditError::TooLarge));
        };
        let jump_over = |length: usize| [&[GOTO, 0x7F, 0xFF][..], &vec![NOP; length - 4], &[RETURN]].concat();
        check(jump_over(32_768), true);
        check([&[GOTO, 0x7F, 0xFE][..], &vec![NOP; 32_763], &[RETURN]].concat(), false);
        check([vec![NOP; 65_533], vec![RETURN]].concat(), false);
        check([vec![NOP; 65_534], vec![RETURN]].concat(), true);
    }

    #[test]
    fn handlers_do_not_cover_guarded_code_at_or_behind_themselves() {
        let code = [vec![NOP; 10], vec![RETURN]].concat();
        let entry = |start, end, handler| ExceptionHandler { start, end, handler, catch_type: 0 };
        let check = |before: ExceptionHandler, after: &[ExceptionHandler]| {
            let pieces = [(5, Arrival::Any, &[NOP][..]), (2, Arrival::Any, &[NOP])];
            let edited = edit(&code, &[before], ("Other", &[]), &pieces, &[5]).unwrap();
            assert_eq!(edited.handlers, after);
        };
        check(entry(0, 10, 5), &[entry(0, 6, 6), entry(7, 12, 6)]);
        check(entry(5, 7, 5), &[entry(7, 9, 6)]);
        check(entry(4, 11, 0), &[entry(5, 6, 0), entry(7, 13, 0)]);
        check(entry(2, 7, 8), &[entry(2, 9, 10)]);
        check(entry(0, 5, 5), &[entry(0, 6, 6)]);
    }

    fn check_attribute(name: &str, before: &[u8], pieces: &[Piece<'_>], after: &[u8]) {
        let code = [vec![NOP; 79], vec![RETURN]].concat();
        assert_eq!(edit(&code, &[], (name, before), pieces, &[]).unwrap().attribute, after);
    }

    #[test]
    fn frames_take_the_form_that_fits_their_distance() {
        // At 0 the same locals, at 5 an object made at 3 on the stack, at 70 a full frame with an int on the stack.
        let frames = [0, 3, 0, 68, 8, 0, 3, 255, 0, 64, 0, 0, 0, 1, 1];
        check_attribute("StackMapTable", &frames, &[], &frames);
        let (any, fall) = (Arrival::Any, Arrival::Fallthrough);
        let pieces = [(0, fall, &[NOP; 2][..]), (3, any, &[NOP]), (5, any, &[NOP; 70])];
        let moved = [0, 3, 2, 69, 8, 0, 6, 255, 0, 134, 0, 0, 0, 1, 1];
        check_attribute("StackMapTable", &frames, &pieces, &moved);
        let far = [0, 3, 251, 0, 70, 247, 0, 68, 8, 0, 73, 255, 0, 64, 0, 0, 0, 1, 1];
        check_attribute("StackMapTable", &frames, &[(0, fall, &[NOP; 70]), (4, any, &[NOP; 64])], &far);
        // Those come near again.
        let near = [0, 2, 251, 0, 40, 247, 0, 20, 1];
        check_attribute("StackMapTable", &near, &[], &[0, 2, 40, 84, 1]);
        let chopped_and_appended = [0, 2, 249, 0, 10, 253, 0, 4, 7, 0, 1, 4];
        let moved = [0, 2, 249, 0, 11, 253, 0, 4, 7, 0, 1, 4];
        check_attribute("StackMapTable", &chopped_and_appended, &[(10, fall, &[NOP])], &moved);
    }

    #[test]
    fn debug_tables_begin_with_what_is_inserted() {
        let pieces = [(0, Arrival::Fallthrough, &[NOP][..]), (5, Arrival::Any, &[NOP; 2])];
        let lines = [0, 2, 0, 0, 0, 7, 0, 5, 0, 8];
        check_attribute("LineNumberTable", &lines, &pieces, &[0, 2, 0, 0, 0, 7, 0, 6, 0, 8]);
        let variables = [0, 2, 0, 2, 0, 3, 0, 1, 0, 2, 0, 3, 0, 5, 0, 75, 0, 1, 0, 2, 0, 3];
        let moved = [0, 2, 0, 3, 0, 3, 0, 1, 0, 2, 0, 3, 0, 6, 0, 77, 0, 1, 0, 2, 0, 3];
        check_attribute("LocalVariableTable", &variables, &pieces, &moved);
        check_attribute("CharacterRangeTable", &[0, 0], &pieces, &[]);
    }

    #[test]
    fn broken_tables_are_errors() {
        let code = [NOP, RETURN];
        for (name, content) in [
            ("LineNumberTable", &[0, 1, 0, 3, 0, 1][..]),
            ("LocalVariableTable", &[0, 1, 0, 1, 0, 9, 0, 1, 0, 1, 0, 0]),
            ("StackMapTable", &[0, 1, 200]),
            ("StackMapTable", &[0, 1, 5]),
            ("StackMapTable", &[0, 1, 65, 8, 0, 9]),
            ("RuntimeVisibleTypeAnnotations", &[0, 1, 0x99]),
            ("RuntimeVisibleTypeAnnotations", &[0, 1, 0x42, 0, 0]),
        ] {
            let edited = edit(&code, &[], (name, content), &[(1, Arrival::Any, &[NOP])], &[]);
            assert!(matches!(edited, Err(EditError::Malformed(_))), "{name} {content:?}");
        }
    }
}
