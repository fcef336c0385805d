//! Code to be put before instructions of a method, collected before anything moves.

use super::constants::NewConstants;
use super::frames::RawFrame;
use super::runtime::RuntimeMethod;
use crate::opcode::*;

/// Who runs inserted code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Arrival {
    /// Only what comes from the instruction before it; jumps and exceptions skip it. That instruction must go on to
    /// the next one.
    Fallthrough,
    /// Whatever comes to the instruction behind it.
    Any,
    /// Whatever comes to the instruction, which it replaces.
    Instead,
}

/// One piece of inserted code.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Insertion {
    /// Offset of the instruction behind it.
    pub(crate) before: u32,
    /// Who runs it.
    pub(crate) arrival: Arrival,
    /// Where its bytes lie among those of all.
    pub(crate) start: u32,
    end: u32,
}

/// A way round an instruction: the piece before it may jump behind it.
#[derive(Debug)]
pub(crate) struct Detour {
    /// Where the `goto` stands within the piece.
    pub(crate) goto_at: usize,
    /// Offset of the instruction that it goes to, with what is inserted before that.
    pub(crate) jumps_to: u32,
    /// What is known behind the piece, where the other way goes.
    pub(crate) call: RawFrame,
    /// What is known where both ways meet.
    pub(crate) after: RawFrame,
}

/// What is inserted, in code order.
#[derive(Debug)]
pub(crate) struct Sorted<'i> {
    /// The pieces.
    pub(crate) items: &'i [Insertion],
    /// Their bytes.
    pub(crate) bytes: &'i [u8],
    /// Guarded handlers, ascending.
    pub(crate) guarded: &'i [u32],
    /// Ways round instructions, each with the place of its piece among the bytes of all.
    pub(crate) detours: &'i [(u32, Detour)],
}

/// Local variables of its own that a method keeps from its entry on, behind those that it has: an `int` each.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Kept {
    /// The first one.
    pub(crate) first: u16,
    /// Whether one is added to the numbers of probes and outcomes.
    pub(crate) has_shift: bool,
    /// Whether one tells apart the activations that log. It lies behind the other.
    pub(crate) has_activation: bool,
}

impl Kept {
    /// How many there are.
    pub(crate) fn count(self) -> u16 {
        u16::from(self.has_shift) + u16::from(self.has_activation)
    }

    /// The one that is added to the numbers of probes and outcomes.
    pub(crate) fn shift(self) -> Option<u16> {
        self.has_shift.then_some(self.first)
    }

    /// The one that tells activations apart, in methods that log. One beyond the range is refused when the method is
    /// rewritten.
    pub(crate) fn activation(self) -> u16 {
        self.first.wrapping_add(u16::from(self.has_shift))
    }
}

/// The code to be inserted into one method. Reused from method to method.
#[derive(Debug, Default)]
pub(crate) struct Insertions {
    items: Vec<Insertion>,
    bytes: Vec<u8>,
    guarded: Vec<u32>,
    detours: Vec<(u32, Detour)>,
    stack: u16,
    locals: u16,
    kept: Kept,
}

impl Insertions {
    /// Forgets everything.
    pub(crate) fn clear(&mut self, kept: Kept) {
        self.items.clear();
        self.bytes.clear();
        self.guarded.clear();
        self.detours.clear();
        self.stack = 0;
        self.locals = 0;
        self.kept = kept;
    }

    /// Puts what `write` writes before an instruction. It needs `stack` slots of operand stack above those that are
    /// in use, and leaves the stack as it was ([`Arrival::Instead`]: as the instruction would).
    ///
    /// At one instruction pieces stand in the order of [`Arrival`], those of equal arrival in that of the calls.
    pub(crate) fn insert(
        &mut self,
        constants: &mut NewConstants,
        (before, arrival, stack): (u32, Arrival, u16),
        write: impl FnOnce(&mut Writer<'_>),
    ) {
        let start = self.bytes.len() as u32;
        write(&mut Writer { bytes: &mut self.bytes, constants, kept: self.kept });
        self.items.push(Insertion { before, arrival, start, end: self.bytes.len() as u32 });
        // What is added to a number, and the activation behind what is logged, are one more; no piece has both.
        self.stack = self.stack.max(stack + u16::from(self.kept.count() > 0));
    }

    /// Marks the handler at an offset: what is inserted there may throw, and must not do so into a handler at or
    /// before the offset, or code could go in circles.
    pub(crate) fn guard(&mut self, handler: u32) {
        self.guarded.push(handler);
    }

    /// Whether a piece leads round an instruction.
    pub(crate) fn has_detours(&self) -> bool {
        !self.detours.is_empty()
    }

    /// The piece inserted last leads round the instruction behind it.
    pub(crate) fn detour(&mut self, detour: Detour) {
        if let Some(piece) = self.items.last() {
            self.detours.push((piece.start, detour));
        }
    }

    /// Asks for that many local variables from [`super::method::Method::scratch`] on; their values last for one piece of
    /// code.
    pub(crate) fn need_locals(&mut self, slots: u16) {
        self.locals = self.locals.max(slots);
    }

    /// Slots of operand stack needed in addition.
    pub(crate) fn stack(&self) -> u16 {
        self.stack
    }

    /// Slots of local variables needed in addition.
    pub(crate) fn locals(&self) -> u16 {
        self.locals + self.kept.count()
    }

    /// The local variables that are kept.
    pub(crate) fn kept(&self) -> Kept {
        self.kept
    }

    /// Brings everything into code order and returns it.
    pub(crate) fn sorted(&mut self) -> Sorted<'_> {
        // Stable, as the order of the calls counts. Probes mostly come in order already.
        self.items.sort_by_key(|item| u64::from(item.before) << 2 | item.arrival as u64);
        self.guarded.sort_unstable();
        self.guarded.dedup();
        Sorted { items: &self.items, bytes: &self.bytes, guarded: &self.guarded, detours: &self.detours }
    }
}

impl Insertion {
    /// Number of its bytes.
    pub(crate) fn length(self) -> u32 {
        self.end - self.start
    }

    /// The bytes of the piece, out of all.
    pub(crate) fn of(self, bytes: &[u8]) -> &[u8] {
        bytes.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// Writes instructions.
#[derive(Debug)]
pub(crate) struct Writer<'w> {
    bytes: &'w mut Vec<u8>,
    constants: &'w mut NewConstants,
    kept: Kept,
}

impl Writer<'_> {
    /// An instruction without operands.
    pub(crate) fn op(&mut self, code: u8) {
        self.bytes.push(code);
    }

    /// Pushes an `int` with the shortest instruction for it.
    pub(crate) fn push(&mut self, value: i32) {
        match value {
            -1..=5 => self.bytes.push((i32::from(ICONST_0) + value) as u8),
            -128..=127 => self.bytes.extend([BIPUSH, value as u8]),
            -32_768..=32_767 => self.short(SIPUSH, value as u16),
            _ => {
                let constant = self.constants.integer(value);
                self.short(LDC_W, constant);
            }
        }
    }

    /// Pushes the number of a probe or an outcome, the second one where the test itself called the method.
    pub(crate) fn push_id(&mut self, id: u32) {
        self.push(id as i32);
        if let Some(shift) = self.kept.shift() {
            self.local(ILOAD, shift);
            self.op(IADD);
        }
    }

    /// Pushes a string of UTF-16 code units.
    pub(crate) fn push_string(&mut self, units: &[u16]) {
        let constant = self.constants.string(units);
        self.short(LDC_W, constant);
    }

    /// Pushes as a string what a `CONSTANT_Utf8` of the class says.
    pub(crate) fn push_string_of(&mut self, utf8: u16) {
        let constant = self.constants.string_of(utf8);
        self.short(LDC_W, constant);
    }

    /// Casts to a class by the name in its constant.
    pub(crate) fn cast(&mut self, class: &str) {
        let constant = self.constants.class_named(class);
        self.short(CHECKCAST, constant);
    }

    /// Number of bytes written, here and before.
    pub(crate) fn position(&self) -> usize {
        self.bytes.len()
    }

    /// Lets the jump at a position go to the next instruction to be written.
    pub(crate) fn patch_jump(&mut self, at: usize) {
        let delta = (self.bytes.len() - at) as u16;
        if let Some(slot) = self.bytes.get_mut(at + 1..at + 3) {
            slot.copy_from_slice(&delta.to_be_bytes());
        }
    }

    /// Calls a method of the run-time class.
    pub(crate) fn call(&mut self, method: RuntimeMethod) {
        let constant = self.constants.method(method);
        self.short(INVOKESTATIC, constant);
    }

    /// Logs what lies on the stack as an event of the activation, in a method that logs.
    pub(crate) fn log(&mut self, method: RuntimeMethod) {
        self.local(ILOAD, self.kept.activation());
        self.call(method);
    }

    /// An instruction with a 16-bit operand.
    pub(crate) fn short(&mut self, code: u8, operand: u16) {
        let [high, low] = operand.to_be_bytes();
        self.bytes.extend([code, high, low]);
    }

    /// Loads or stores a local variable with the general form of an opcode.
    pub(crate) fn local(&mut self, code: u8, variable: u16) {
        if let Ok(short) = u8::try_from(variable) {
            self.bytes.extend([code, short]);
        } else {
            self.bytes.push(WIDE);
            self.short(code, variable);
        }
    }
}
