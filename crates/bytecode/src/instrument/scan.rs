//! One pass over the raw bytes of a code array: where instructions start, which of them jump, what is a target.
//!
//! Probes need little of an instruction, so nothing is decoded here that is not asked for.

use crate::class_file::{ClassFileError, CodeAttribute};
use crate::opcode::*;

const CUT: ClassFileError = ClassFileError::Malformed { what: "an instruction is cut off" };
const FAR: ClassFileError = ClassFileError::Malformed { what: "a jump leaves its method" };

/// What a pass does at each opcode: bits of [`LENGTH`], [`SPECIAL`] and [`WATCHED`].
pub(crate) type Watch = [u8; 256];

/// Bytes of the instruction, the opcode included; 0 for switches, `wide` and bytes that are no opcode.
const LENGTH: u8 = 7;

/// It jumps, returns from a subroutine, or its length depends on what follows.
const SPECIAL: u8 = 8;

/// It is listed in [`Scan::watched`].
const WATCHED: u8 = 16;

/// A pass that lists the instructions with these opcodes.
pub(crate) const fn watch(listed: &[bool; 256]) -> Watch {
    let mut table = [0; 256];
    let mut code = 0;
    while code < 256 {
        let opcode = code as u8;
        table[code] = length_of(opcode) | if listed[code] { WATCHED } else { 0 };
        if matches!(opcode, IFEQ..=RET | IFNULL | IFNONNULL | GOTO_W | JSR_W) || length_of(opcode) == 0 {
            table[code] |= SPECIAL;
        }
        code += 1;
    }
    table
}

const fn length_of(code: u8) -> u8 {
    match code {
        TABLESWITCH | LOOKUPSWITCH | WIDE => 0,
        BIPUSH | LDC | ILOAD..=ALOAD | ISTORE..=ASTORE | RET | NEWARRAY => 2,
        SIPUSH | LDC_W | LDC2_W | IINC | IFEQ..=JSR | IFNULL | IFNONNULL => 3,
        GETSTATIC..=INVOKESTATIC | NEW | ANEWARRAY | CHECKCAST | INSTANCEOF => 3,
        MULTIANEWARRAY => 4,
        INVOKEINTERFACE | INVOKEDYNAMIC | GOTO_W | JSR_W => 5,
        0..=JSR_W => 1,
        _ => 0,
    }
}

/// What one pass over a code array finds. Reused from method to method.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// Offset of each instruction, in order; of the prefix for a `wide` one.
    pub(crate) starts: Vec<u32>,
    /// Indices of the instructions that the pass lists.
    pub(crate) watched: Vec<u32>,
    /// Offsets of jumps, with their targets.
    pub(crate) jumps: Vec<Jump>,
    /// Switches in order.
    pub(crate) switches: Vec<SwitchAt>,
    /// Whether there is a `jsr` or `ret`.
    pub(crate) has_subroutine: bool,
    /// By offset: whether a jump, a switch or an exception goes there.
    targets: Vec<bool>,
}

/// A jump, conditional or not.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Jump {
    /// Its offset.
    pub(crate) offset: u32,
    /// Offset that it goes to.
    pub(crate) target: u32,
    /// Whether the target has 32 bits.
    pub(crate) wide: bool,
}

/// Where a switch stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SwitchAt {
    /// Its offset.
    pub(crate) offset: u32,
    /// Offset of the default behind the padding.
    pub(crate) body: u32,
    /// Offset of the next instruction.
    pub(crate) end: u32,
    /// Whether it goes back in the code.
    pub(crate) goes_back: bool,
}

impl Scan {
    /// Reads a method.
    ///
    /// # Errors
    /// Cut off or undefined instructions, no code or more than 65,535 bytes, targets outside the code.
    pub(crate) fn read(
        &mut self,
        attribute: &CodeAttribute<'_>,
        watch: &Watch,
    ) -> Result<(), ClassFileError> {
        let code = attribute.code();
        if code.is_empty() || code.len() > usize::from(u16::MAX) {
            return Err(ClassFileError::Malformed { what: "a code array has 1 to 65535 bytes" });
        }
        self.clear(code.len());
        let mut offset = 0;
        while let Some(&code_byte) = code.get(offset) {
            let info = watch[usize::from(code_byte)];
            if info & WATCHED != 0 {
                self.watched.push(self.starts.len() as u32);
            }
            self.starts.push(offset as u32);
            offset += usize::from(info & LENGTH);
            if info & SPECIAL != 0 {
                offset = self.special(code, offset, code_byte, info & LENGTH)?;
            }
        }
        if offset != code.len() {
            return Err(CUT);
        }
        for handler in &attribute.handlers {
            *self.targets.get_mut(usize::from(handler.handler)).ok_or(FAR)? = true;
        }
        Ok(())
    }

    /// Reads an instruction that is more than its length; returns the offset of the next one. `offset` is that of the
    /// instruction plus its length.
    fn special(
        &mut self,
        code: &[u8],
        offset: usize,
        code_byte: u8,
        length: u8,
    ) -> Result<usize, ClassFileError> {
        let start = offset - usize::from(length);
        match code_byte {
            IFEQ..=JSR | IFNULL | IFNONNULL | GOTO_W | JSR_W => self.jump(code, start, code_byte)?,
            TABLESWITCH | LOOKUPSWITCH => return self.switch(code, start, code_byte),
            WIDE => return Ok(start + self.wide(code, start)?),
            RET => self.has_subroutine = true,
            _ => return Err(ClassFileError::Opcode { offset: start, opcode: code_byte }),
        }
        Ok(offset)
    }

    fn clear(&mut self, length: usize) {
        self.starts.clear();
        self.watched.clear();
        self.jumps.clear();
        self.switches.clear();
        self.has_subroutine = false;
        self.targets.clear();
        self.targets.resize(length, false);
    }

    fn target(&mut self, from: usize, delta: i32) -> Result<u32, ClassFileError> {
        let target = from as i64 + i64::from(delta);
        let slot = usize::try_from(target).ok().and_then(|target| self.targets.get_mut(target));
        *slot.ok_or(FAR)? = true;
        Ok(target as u32)
    }

    fn jump(&mut self, code: &[u8], offset: usize, code_byte: u8) -> Result<(), ClassFileError> {
        self.has_subroutine |= matches!(code_byte, JSR | JSR_W);
        let wide = matches!(code_byte, GOTO_W | JSR_W);
        let delta = if wide { i4(code, offset + 1) } else { i2(code, offset + 1).map(i32::from) };
        let target = self.target(offset, delta.ok_or(CUT)?)?;
        self.jumps.push(Jump { offset: offset as u32, target, wide });
        Ok(())
    }

    fn switch(&mut self, code: &[u8], offset: usize, code_byte: u8) -> Result<usize, ClassFileError> {
        let body = (offset & !3) + 4;
        let deltas = SwitchDeltas::read(code, code_byte == TABLESWITCH, body).ok_or(CUT)?;
        let mut goes_back = false;
        for at in deltas.positions() {
            let target = self.target(offset, i4(code, at).ok_or(CUT)?)?;
            goes_back |= target as usize <= offset;
        }
        let end = deltas.end();
        self.switches.push(SwitchAt { offset: offset as u32, body: body as u32, end: end as u32, goes_back });
        Ok(end)
    }

    fn wide(&mut self, code: &[u8], offset: usize) -> Result<usize, ClassFileError> {
        match code.get(offset + 1) {
            Some(&IINC) => Ok(6),
            Some(&widened @ (ILOAD..=ALOAD | ISTORE..=ASTORE | RET)) => {
                self.has_subroutine |= widened == RET;
                Ok(4)
            }
            Some(&opcode) => Err(ClassFileError::Opcode { offset, opcode }),
            None => Err(CUT),
        }
    }

    /// Whether a jump or a switch goes to the offset.
    pub(crate) fn is_jumped_to(&self, code: &[u8], offset: u32) -> bool {
        let goes = |switch: &SwitchAt| {
            let is_table = code.get(switch.offset as usize) == Some(&TABLESWITCH);
            let deltas = SwitchDeltas::read(code, is_table, switch.body as usize);
            let target = |at| Some(i64::from(switch.offset) + i64::from(i4(code, at)?));
            deltas.is_some_and(|deltas| deltas.positions().any(|at| target(at) == Some(offset.into())))
        };
        self.jumps.iter().any(|jump| jump.target == offset) || self.switches.iter().any(goes)
    }

    /// Whether control may come to the offset in another way than from the instruction before it.
    pub(crate) fn is_target(&self, offset: u32) -> bool {
        self.targets.get(offset as usize).copied().unwrap_or(false)
    }
}

/// Where the 32-bit deltas of a switch lie within the code.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SwitchDeltas {
    body: usize,
    first: usize,
    step: usize,
    count: usize,
}

impl SwitchDeltas {
    /// Those of the switch whose default lies at `body`; `None` when it is cut off.
    pub(crate) fn read(code: &[u8], is_table: bool, body: usize) -> Option<Self> {
        let deltas = if is_table {
            let count = i64::from(i4(code, body + 8)?) - i64::from(i4(code, body + 4)?) + 1;
            Self { body, first: body + 12, step: 4, count: usize::try_from(count).ok()? }
        } else {
            let count = usize::try_from(i4(code, body + 4)?).ok()?;
            Self { body, first: body + 12, step: 8, count }
        };
        // The count is checked before anything is multiplied by it or loops over it.
        (deltas.count <= code.len() && deltas.end() <= code.len()).then_some(deltas)
    }

    /// Offset of the default's delta, then those of the keys.
    pub(crate) fn positions(self) -> impl Iterator<Item = usize> {
        std::iter::once(self.body).chain((0..self.count).map(move |index| self.first + index * self.step))
    }

    /// Offset behind the switch.
    pub(crate) fn end(self) -> usize {
        if self.step == 4 { self.first + 4 * self.count } else { self.first - 4 + 8 * self.count }
    }
}

/// A signed 16-bit number of the code.
pub(crate) fn i2(code: &[u8], at: usize) -> Option<i16> {
    code.get(at..).and_then(<[u8]>::first_chunk).map(|bytes| i16::from_be_bytes(*bytes))
}

/// An unsigned 16-bit number of the code.
pub(crate) fn u2(code: &[u8], at: usize) -> Option<u16> {
    code.get(at..).and_then(<[u8]>::first_chunk).map(|bytes| u16::from_be_bytes(*bytes))
}

/// A signed 32-bit number of the code.
pub(crate) fn i4(code: &[u8], at: usize) -> Option<i32> {
    code.get(at..).and_then(<[u8]>::first_chunk).map(|bytes| i32::from_be_bytes(*bytes))
}

/// The local variable that an instruction loads or stores: `(opcode of the general form, variable)`.
pub(crate) fn local_access(code: &[u8], at: usize) -> Option<(u8, u16)> {
    match *code.get(at)? {
        WIDE => Some((*code.get(at + 1)?, u2(code, at + 2)?)),
        code_byte @ (ILOAD..=ALOAD | ISTORE..=ASTORE) => Some((code_byte, (*code.get(at + 1)?).into())),
        code_byte @ ILOAD_0..=ALOAD_3 => {
            Some((ILOAD + (code_byte - ILOAD_0) / 4, ((code_byte - ILOAD_0) % 4).into()))
        }
        code_byte @ ISTORE_0..=ASTORE_3 => {
            Some((ISTORE + (code_byte - ISTORE_0) / 4, ((code_byte - ISTORE_0) % 4).into()))
        }
        _ => None,
    }
}

/// Whether control goes from the instruction at `index` on to the next one.
pub(crate) fn falls_through(code: &[u8], at: usize) -> bool {
    code.get(at).is_some_and(|&code_byte| !ends_flow(code_byte))
        && !(code.get(at) == Some(&WIDE) && code.get(at + 1) == Some(&RET))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::decode;

    fn scan(code: &[u8]) -> Result<Scan, ClassFileError> {
        let attribute = CodeAttribute {
            bytes: code,
            max_stack: 0,
            max_locals: 0,
            code: 0..code.len(),
            handlers: Vec::new(),
            attributes: Vec::new(),
        };
        let mut scan = Scan::default();
        scan.read(&attribute, &watch(&[true; 256]))?;
        Ok(scan)
    }

    #[test]
    fn instructions_start_where_the_decoder_says() {
        let mut code = vec![WIDE, IINC, 1, 0, 0, 1, WIDE, ALOAD, 1, 0, GOTO_W, 0, 0, 0, 5, ICONST_0];
        code.extend([TABLESWITCH, 0, 0, 0, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 40, 0, 0, 0, 40]);
        code.extend([LOOKUPSWITCH, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, RETURN, NOP, NOP, NOP, RETURN]);
        let found = scan(&code).unwrap();
        let decoded: Vec<u32> = decode(&code).unwrap().iter().map(|instruction| instruction.offset).collect();
        assert_eq!(found.starts, decoded);
        assert_eq!(found.switches.len(), 2);
        assert!(found.is_target(56) && found.is_target(15) && !found.is_target(16));
    }

    #[test]
    fn whatever_the_decoder_refuses_is_refused() {
        for code in [
            &[][..],
            &[0xCB],
            &[SIPUSH, 1],
            &[GOTO, 0, 9],
            &[GOTO, 0xFF, 0xFF],
            &[WIDE],
            &[WIDE, NOP],
            &[TABLESWITCH, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF],
            &[TABLESWITCH, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF],
            &[LOOKUPSWITCH, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF],
        ] {
            assert!(scan(code).is_err(), "{code:?}");
        }
    }
}
