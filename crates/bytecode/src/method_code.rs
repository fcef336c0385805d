//! The code of one method, decoded, with everything that class files tie to byte offsets turned into
//! instruction positions: jump targets, exception table, line numbers, labels.

use std::borrow::Cow;
use std::ops::Range;

use crate::access::Access;
use crate::class_file::{ClassFile, ClassFileError, CodeAttribute, MemberRef, Reader};
use crate::instruction::{Instruction, InstructionIndex, Operand, Switch, decode};
use crate::opcode;

/// Marks an offset at which no instruction starts.
const NOWHERE: u32 = u32::MAX;

/// A method with code.
#[derive(Debug, Clone)]
pub struct MethodCode<'a> {
    /// The class that holds it.
    pub class: &'a ClassFile<'a>,
    /// Index into [`ClassFile::methods`].
    pub method: usize,
    /// Name.
    pub name: Cow<'a, str>,
    /// Descriptor.
    pub descriptor: Cow<'a, str>,
    /// Access flags; synthetic also where an attribute says so.
    pub access: Access,
    /// Instructions in order, at least one; the last one does not go on to a next one.
    pub instructions: Vec<Instruction>,
    /// Exception table in order.
    pub handlers: Vec<Handler>,
    /// Source line of each instruction; `None` before the first entry of the line number table.
    pub lines: Vec<Option<u16>>,
    /// What stands before each instruction in a listing; one entry more than there are instructions.
    marks: Vec<Marks>,
    /// Whether it has a `tableswitch` or `lookupswitch`.
    has_switches: bool,
    /// Whether a jump or an exception leads to each instruction.
    joins: Vec<bool>,
    /// Instruction at each offset, or [`NOWHERE`]; the end of the code counts as an instruction.
    at_offset: Vec<u32>,
}

/// An entry of the exception table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handler {
    /// Instructions covered.
    pub range: Range<usize>,
    /// First instruction of the handler.
    pub handler: usize,
    /// Constant index of the class caught, 0 for any.
    pub catch_type: u16,
}

/// What a listing prints before an instruction. Filters look at it where adjacency matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks {
    /// A label: the target of a jump, a boundary of a try block, a handler, a line or a variable's scope.
    pub label: bool,
    /// The start of a source line other than 0.
    pub line: bool,
    /// A stack map frame.
    pub frame: bool,
}

/// One way out of a switch, with the keys that take it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchOutcome {
    /// Instruction that it goes to.
    pub target: usize,
    /// Keys in ascending order, those of the default too where keys share its target.
    pub keys: Vec<i32>,
}

impl<'a> MethodCode<'a> {
    /// Decodes a method; `None` if it has no code.
    ///
    /// # Errors
    /// A broken `Code` attribute, jumps or handlers into the middle of an instruction, code that falls off its
    /// end.
    pub fn read(class: &'a ClassFile<'a>, method: usize) -> Result<Option<Self>, ClassFileError> {
        let Some(member) = class.methods.get(method) else { return Ok(None) };
        let Some(attribute) = class.code(member)? else { return Ok(None) };
        let instructions = decode(attribute.code())?;
        let length = attribute.code().len();
        let mut at_offset = vec![NOWHERE; length + 1];
        for (index, instruction) in instructions.iter().enumerate() {
            at_offset[instruction.offset as usize] = index as u32;
        }
        at_offset[length] = instructions.len() as u32;
        let mut code = Self {
            class,
            method,
            name: class.constants.utf8(member.name)?,
            descriptor: class.constants.utf8(member.descriptor)?,
            access: class.access(member.access, &member.attributes),
            handlers: Vec::with_capacity(attribute.handlers.len()),
            lines: vec![None; instructions.len()],
            marks: vec![Marks::default(); instructions.len() + 1],
            has_switches: instructions.iter().any(|instruction| opcode::is_switch(instruction.opcode)),
            joins: vec![false; instructions.len()],
            instructions,
            at_offset,
        };
        code.check_flow()?;
        code.read_handlers(&attribute)?;
        code.read_attributes(&attribute)?;
        Ok(Some(code))
    }

    fn check_flow(&mut self) -> Result<(), ClassFileError> {
        const END: ClassFileError = ClassFileError::Malformed { what: "code falls off its end" };
        const TARGET: ClassFileError = ClassFileError::Malformed { what: "a jump into an instruction" };
        if !opcode::ends_flow(self.instructions.last().ok_or(END)?.opcode) {
            return Err(END);
        }
        for instruction in &self.instructions {
            for offset in instruction.targets() {
                let target = self.at(offset).filter(|&target| target < self.instructions.len());
                let target = target.ok_or(TARGET)?;
                self.marks[target].label = true;
                self.joins[target] = true;
            }
        }
        Ok(())
    }

    fn read_handlers(&mut self, attribute: &CodeAttribute<'_>) -> Result<(), ClassFileError> {
        const BOUNDARY: ClassFileError =
            ClassFileError::Malformed { what: "a try block splits an instruction" };
        for entry in &attribute.handlers {
            let place = |offset: u16| self.at(offset.into()).ok_or(BOUNDARY);
            let (start, end) = (place(entry.start)?, place(entry.end)?);
            let handler = place(entry.handler)?;
            if start >= end || handler >= self.instructions.len() {
                return Err(BOUNDARY);
            }
            for position in [start, end, handler] {
                self.marks[position].label = true;
            }
            self.joins[handler] = true;
            self.handlers.push(Handler { range: start..end, handler, catch_type: entry.catch_type });
        }
        Ok(())
    }

    fn read_attributes(&mut self, attribute: &CodeAttribute<'a>) -> Result<(), ClassFileError> {
        let mut line_starts = Vec::new();
        for part in &attribute.attributes {
            let mut reader = self.class.content(part);
            match self.class.constants.utf8_bytes(part.name)? {
                b"LineNumberTable" => {
                    for _ in 0..reader.u2()? {
                        let (offset, line) = (reader.u2()?, reader.u2()?);
                        // Some tools leave entries that point nowhere; they say nothing.
                        if let Some(start) = self.at(offset.into()) {
                            line_starts.push((start, line));
                        }
                    }
                }
                b"LocalVariableTable" => {
                    for _ in 0..reader.u2()? {
                        let (start, length) = (reader.u2()?, reader.u2()?);
                        reader.slice(6)?;
                        for offset in [u32::from(start), u32::from(start) + u32::from(length)] {
                            if let Some(position) = self.at(offset) {
                                self.marks[position].label = true;
                            }
                        }
                    }
                }
                b"StackMapTable" => self.read_frames(&mut reader)?,
                _ => {}
            }
        }
        self.spread_lines(line_starts);
        Ok(())
    }

    /// Gives each instruction the line whose entry starts last at or before it, in code order.
    fn spread_lines(&mut self, mut starts: Vec<(usize, u16)>) {
        // Stable: of two entries for one instruction the later one counts.
        if !starts.is_sorted_by_key(|&(start, _)| start) {
            starts.sort_by_key(|&(start, _)| start);
        }
        for &(start, line) in &starts {
            self.marks[start].label = true;
            self.marks[start].line |= line != 0;
        }
        let mut entries = starts.into_iter().peekable();
        let mut current = None;
        for (index, line) in self.lines.iter_mut().enumerate() {
            while let Some((_, entry)) = entries.next_if(|&(start, _)| start <= index) {
                current = Some(entry);
            }
            *line = current;
        }
    }

    /// Marks the places of stack map frames (JVM specification §4.7.4).
    fn read_frames(&mut self, reader: &mut Reader<'a>) -> Result<(), ClassFileError> {
        let mut offset = None;
        for _ in 0..reader.u2()? {
            let tag = reader.u1()?;
            let delta = match tag {
                0..=63 => u32::from(tag),
                64..=127 => {
                    skip_verification_types(reader, 1)?;
                    u32::from(tag - 64)
                }
                128..=246 => return Err(ClassFileError::Malformed { what: "an unknown stack map frame" }),
                247 => {
                    let delta = reader.u2()?;
                    skip_verification_types(reader, 1)?;
                    delta.into()
                }
                248..=251 => reader.u2()?.into(),
                252..=254 => {
                    let delta = reader.u2()?;
                    skip_verification_types(reader, u16::from(tag - 251))?;
                    delta.into()
                }
                255 => {
                    let delta = reader.u2()?;
                    for _ in 0..2 {
                        let count = reader.u2()?;
                        skip_verification_types(reader, count)?;
                    }
                    delta.into()
                }
            };
            let place = offset.map_or(delta, |before: u32| before + delta + 1);
            if let Some(position) = self.at(place) {
                self.marks[position].frame = true;
            }
            offset = Some(place);
        }
        Ok(())
    }

    /// The instruction that starts at an offset; the number of instructions for the end of the code.
    pub fn at(&self, offset: u32) -> Option<usize> {
        self.at_offset.get(offset as usize).filter(|&&index| index != NOWHERE).map(|&index| index as usize)
    }

    /// Number of instructions, at least 1.
    pub fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Never true: a method with code has an instruction.
    pub fn is_empty(&self) -> bool {
        self.instructions.is_empty()
    }

    /// The opcode of an instruction.
    pub fn opcode(&self, index: usize) -> u8 {
        self.instructions[index].opcode
    }

    /// The target of a jump.
    pub fn jump_target(&self, index: usize) -> Option<usize> {
        let Operand::Jump(offset) = &self.instructions.get(index)?.operand else { return None };
        self.at(*offset)
    }

    /// Keys and targets of a switch.
    pub fn switch(&self, index: usize) -> Option<&Switch> {
        let Operand::Switch(switch) = &self.instructions.get(index)?.operand else { return None };
        Some(switch)
    }

    /// The ways out of a switch: one per distinct target in the order of their first keys, the default last.
    /// Keys that share the default's target belong to the default.
    pub fn switch_outcomes(&self, switch: &Switch) -> Vec<SwitchOutcome> {
        let place = |offset: u32| self.at(offset).unwrap_or_default();
        let mut default = SwitchOutcome { target: place(switch.default), keys: Vec::new() };
        let mut outcomes: Vec<SwitchOutcome> = Vec::new();
        let mut known = std::collections::BTreeMap::new();
        for &(key, offset) in &switch.cases {
            let target = place(offset);
            if target == default.target {
                default.keys.push(key);
                continue;
            }
            let index = *known.entry(target).or_insert(outcomes.len());
            if index == outcomes.len() {
                outcomes.push(SwitchOutcome { target, keys: Vec::new() });
            }
            outcomes[index].keys.push(key);
        }
        outcomes.push(default);
        outcomes
    }

    /// What a listing prints before an instruction.
    pub fn marks(&self, index: usize) -> Marks {
        self.marks.get(index).copied().unwrap_or_default()
    }

    /// Whether a jump or an exception leads to an instruction.
    pub fn is_join(&self, index: usize) -> bool {
        self.joins.get(index) == Some(&true)
    }

    /// The instruction before, if control comes to this one only from there.
    pub fn only_predecessor(&self, index: usize) -> Option<usize> {
        let before = index.checked_sub(1)?;
        (!self.is_join(index) && !opcode::ends_flow(self.opcode(before))).then_some(before)
    }

    /// The field or method that an instruction names.
    pub fn member(&self, index: usize) -> Option<MemberRef<'a>> {
        let instruction = self.instructions.get(index)?;
        match (instruction.opcode, &instruction.operand) {
            (opcode::GETSTATIC..=opcode::INVOKEINTERFACE, Operand::Constant(constant)) => {
                self.class.constants.member(*constant).ok()
            }
            _ => None,
        }
    }

    /// Whether an instruction names this field or method (owner, name, descriptor; the latter two ASCII).
    pub fn is_member(&self, index: usize, member: (&str, &str, &str)) -> bool {
        let (owner, name, descriptor) = member;
        if !owner.is_ascii() {
            let found = self.member(index);
            return found.is_some_and(|it| (&*it.owner, &*it.name, &*it.descriptor) == member);
        }
        self.member_bytes(index) == Some((owner.as_bytes(), name.as_bytes(), descriptor.as_bytes()))
    }

    /// Owner, name and descriptor of the field or method that an instruction names, as raw modified UTF-8.
    pub fn member_bytes(&self, index: usize) -> Option<(&'a [u8], &'a [u8], &'a [u8])> {
        let instruction = self.instructions.get(index)?;
        match (instruction.opcode, &instruction.operand) {
            (opcode::GETSTATIC..=opcode::INVOKEINTERFACE, Operand::Constant(constant)) => {
                self.class.constants.member_bytes(*constant)
            }
            _ => None,
        }
    }

    /// The class that `new`, `checkcast`, `instanceof` or `anewarray` names.
    pub fn class_operand(&self, index: usize) -> Option<Cow<'a, str>> {
        let instruction = self.instructions.get(index)?;
        match (instruction.opcode, &instruction.operand) {
            (
                opcode::NEW | opcode::ANEWARRAY | opcode::CHECKCAST | opcode::INSTANCEOF,
                Operand::Constant(constant),
            ) => self.class.constants.class(*constant).ok(),
            _ => None,
        }
    }

    /// The string that an instruction loads.
    pub fn string_constant(&self, index: usize) -> Option<Cow<'a, str>> {
        let instruction = self.instructions.get(index)?;
        match (opcode::general_form(instruction.opcode), &instruction.operand) {
            (opcode::LDC, Operand::Constant(constant)) => self.class.constants.string(*constant).ok(),
            _ => None,
        }
    }

    /// The local variable that an instruction loads, stores or increments.
    pub fn local(&self, index: usize) -> Option<u16> {
        let operand = &self.instructions.get(index)?.operand;
        let (Operand::Local(local) | Operand::Increment(local, _)) = operand else { return None };
        Some(*local)
    }

    /// Whether a try block catches `Throwable` by name.
    pub fn catches_throwable(&self, entry: &Handler) -> bool {
        entry.catch_type != 0
            && self.class.constants.class_name_index(entry.catch_type).is_ok_and(|name| {
                self.class.constants.utf8_bytes(name).is_ok_and(|name| name == b"java/lang/Throwable")
            })
    }

    /// Whether it contains a switch.
    pub fn has_switches(&self) -> bool {
        self.has_switches
    }

    /// Whether it contains subroutines (`jsr`, `ret`).
    pub fn has_subroutines(&self) -> bool {
        self.instructions
            .iter()
            .any(|instruction| matches!(instruction.opcode, opcode::JSR | opcode::JSR_W | opcode::RET))
    }
}

fn skip_verification_types(reader: &mut Reader<'_>, count: u16) -> Result<(), ClassFileError> {
    for _ in 0..count {
        if matches!(reader.u1()?, 7 | 8) {
            reader.u2()?;
        }
    }
    Ok(())
}

/// As the position of an instruction in its method.
pub(crate) fn instruction_index(index: usize) -> InstructionIndex {
    InstructionIndex(index as u32)
}
