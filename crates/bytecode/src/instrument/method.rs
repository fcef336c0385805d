//! What a probe sees of the method that it is placed in, and where it puts its code.

use super::code_editor::EditError;
use super::constants::NewConstants;
use super::insertions::{Arrival, Insertions, Kept, Writer};
use super::scan::Scan;
use super::static_fields::StaticFields;
use crate::analysis::BlockPlacement;
use crate::class_file::{ClassFile, ClassFileError, CodeAttribute, tag};
use crate::flags::MethodFlags;
use crate::mutate::MutationPoint;
use crate::opcode::{IINC, WIDE};
use crate::probe_layout::SignatureNumbers;
use crate::probe_map::{Branch, ProbeId};
use crate::string_switch::StringSwitch;

/// A method that is being instrumented.
#[derive(Debug)]
pub(crate) struct Method<'m> {
    /// The class.
    pub(crate) class: &'m ClassFile<'m>,
    /// What is known of the class.
    pub(crate) facts: &'m ClassFacts,
    /// Its code.
    pub(crate) attribute: &'m CodeAttribute<'m>,
    /// The code array.
    pub(crate) code: &'m [u8],
    /// Its instructions.
    pub(crate) scan: &'m Scan,
    /// Whether it is the class initializer.
    pub(crate) is_initializer: bool,
    /// What is to be reported of it; `None` for the light set.
    pub(crate) report: Option<Report<'m>>,
    /// Its number, where it is recorded.
    pub(crate) recorded: Option<u32>,
    /// The signatures whose calls it tells, where it is one of a test that others wrote.
    pub(crate) calls: Option<&'m SignatureNumbers>,
}

/// What the full set reports of a method.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Report<'m> {
    /// Hit once per call.
    pub(crate) entry: ProbeId,
    /// Whether calls by the test itself are told apart.
    pub(crate) is_direct: bool,
    /// Conditional jumps and switches in code order.
    pub(crate) branches: &'m [Branch],
    /// Points whose hits show coverage.
    pub(crate) blocks: &'m [BlockPlacement],
    /// Switches on strings among the branches.
    pub(crate) string_switches: &'m [StringSwitch],
    /// Its flags.
    pub(crate) flags: &'m MethodFlags,
    /// What callers know it by, see [`crate::flags::tag`].
    pub(crate) tag: i32,
    /// Where mutants are, in code order.
    pub(crate) mutants: &'m [MutationPoint],
}

/// A field or method as an instruction names it, in modified UTF-8.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NamedMember<'m> {
    /// Its class.
    pub(crate) owner: &'m [u8],
    /// Its name.
    pub(crate) name: &'m [u8],
    /// Its descriptor.
    pub(crate) descriptor: &'m [u8],
}

impl<'m> Method<'m> {
    /// First local variable that is free for a piece of inserted code.
    pub(crate) fn scratch(&self) -> u16 {
        self.attribute.max_locals.saturating_add(self.kept().count())
    }

    /// The local variables that it keeps.
    pub(crate) fn kept(&self) -> Kept {
        Kept {
            first: self.attribute.max_locals,
            has_shift: self.report.is_some_and(|report| report.is_direct),
            has_activation: self.recorded.is_some(),
        }
    }

    /// Offset of an instruction.
    pub(crate) fn offset(&self, index: usize) -> Result<u32, EditError> {
        const NONE: ClassFileError = ClassFileError::Malformed { what: "a method has no such instruction" };
        self.scan.starts.get(index).copied().ok_or(NONE.into())
    }

    /// Opcode of an instruction; that of a widened one is `wide`.
    pub(crate) fn opcode(&self, index: usize) -> Option<u8> {
        self.code.get(*self.scan.starts.get(index)? as usize).copied()
    }

    /// The 16-bit constant index behind the opcode of an instruction.
    pub(crate) fn constant(&self, index: usize) -> Option<u16> {
        super::scan::u2(self.code, *self.scan.starts.get(index)? as usize + 1)
    }

    /// How many numbers a `multianewarray` takes.
    pub(crate) fn dimensions(&self, index: usize) -> Option<u8> {
        self.code.get(*self.scan.starts.get(index)? as usize + 3).copied()
    }

    /// Index of the instruction before, if control comes to the one at `index` only from there.
    pub(crate) fn only_predecessor(&self, index: usize) -> Option<usize> {
        let before = index.checked_sub(1)?;
        let is_target = self.scan.is_target(*self.scan.starts.get(index)?);
        (!is_target && self.falls_through(before)).then_some(before)
    }

    /// Whether control goes from an instruction on to the next one.
    pub(crate) fn falls_through(&self, index: usize) -> bool {
        let offset = self.scan.starts.get(index);
        offset.is_some_and(|&offset| super::scan::falls_through(self.code, offset as usize))
    }

    /// General form of the opcode and variable of an instruction that loads or stores a local variable.
    pub(crate) fn local(&self, index: usize) -> Option<(u8, u16)> {
        super::scan::local_access(self.code, *self.scan.starts.get(index)? as usize)
    }

    /// Variable and amount of an `iinc`.
    pub(crate) fn increment(&self, index: usize) -> Option<(u16, i16)> {
        let at = *self.scan.starts.get(index)? as usize;
        match self.code.get(at..)? {
            [IINC, variable, amount, ..] => Some(((*variable).into(), i16::from(*amount as i8))),
            [WIDE, IINC, ..] => {
                Some((super::scan::u2(self.code, at + 2)?, super::scan::i2(self.code, at + 4)?))
            }
            _ => None,
        }
    }

    /// Offset of the instruction behind one, to insert there what only comes from that one.
    pub(crate) fn behind(&self, index: usize) -> Result<u32, EditError> {
        self.offset(index + 1)
    }

    /// The member that an instruction names.
    pub(crate) fn member(&self, index: usize) -> Result<NamedMember<'m>, EditError> {
        const NONE: ClassFileError = ClassFileError::Malformed { what: "an instruction without its member" };
        let member = self.constant(index).and_then(|constant| self.class.constants.member_bytes(constant));
        let (owner, name, descriptor) = member.ok_or(NONE)?;
        Ok(NamedMember { owner, name, descriptor })
    }

    /// Index of the instruction at an offset.
    pub(crate) fn index_at(&self, offset: u32) -> Option<usize> {
        self.scan.starts.binary_search(&offset).ok()
    }
}

/// What placing probes needs to know of a class, found out once.
#[derive(Debug, Default)]
pub(crate) struct ClassFacts {
    /// Method references to what ends the JVM.
    pub(crate) exits: Vec<u16>,
}

/// Methods that end the JVM.
const EXITS: [(&str, &str); 3] =
    [("java/lang/System", "exit"), ("java/lang/Runtime", "exit"), ("java/lang/Runtime", "halt")];

impl ClassFacts {
    /// Looks through the constant pool.
    pub(crate) fn of(class: &ClassFile<'_>) -> Self {
        let constants = &class.constants;
        // Nearly no class has such a name, and looking at names is cheap.
        if !constants.has_utf8(b"exit") && !constants.has_utf8(b"halt") {
            return Self::default();
        }
        let is_exit = |&index: &u16| {
            constants.tag(index) == Some(tag::METHOD)
                && constants.member(index).is_ok_and(|method| EXITS.contains(&(&method.owner, &method.name)))
        };
        Self { exits: (1..constants.len() as u16).filter(is_exit).collect() }
    }
}

/// Where probes put their code.
#[derive(Debug)]
pub(crate) struct Edits<'e> {
    /// The code.
    pub(crate) insertions: &'e mut Insertions,
    /// The constants that it needs.
    pub(crate) constants: &'e mut NewConstants,
    /// Numbers of static fields.
    pub(crate) statics: &'e mut StaticFields,
}

impl Edits<'_> {
    /// Puts code before the instruction at an offset; see [`Insertions::insert`].
    pub(crate) fn insert(
        &mut self,
        before: u32,
        arrival: Arrival,
        stack: u16,
        write: impl FnOnce(&mut Writer<'_>),
    ) {
        self.insertions.insert(self.constants, (before, arrival, stack), write);
    }
}
