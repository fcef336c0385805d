//! Decoded instructions of a method (JVM specification §6.5).

use crate::class_file::{ClassFileError, Reader};
use crate::opcode;

/// Position of an instruction in its method, counted in instructions.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, Default,
)]
pub struct InstructionIndex(pub u32);

impl InstructionIndex {
    /// As an index into the vector of [`decode`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One instruction. A `wide` prefix is folded into the instruction it widens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// Offset in the code array; of the prefix for a `wide` instruction.
    pub offset: u32,
    /// Opcode, never [`opcode::WIDE`].
    pub opcode: u8,
    /// Whether it was written with a `wide` prefix.
    pub wide: bool,
    /// What follows the opcode.
    pub operand: Operand,
}

/// What follows an opcode; jump targets are absolute offsets in the code array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operand {
    /// Nothing.
    None,
    /// The constant of `bipush` and `sipush`.
    Immediate(i32),
    /// A local variable, also of the short forms such as `iload_0`.
    Local(u16),
    /// `iinc`: local variable and increment.
    Increment(u16, i16),
    /// An index into the constant pool.
    Constant(u16),
    /// Target of a jump.
    Jump(u32),
    /// A switch.
    Switch(Box<Switch>),
    /// Element type code of `newarray`.
    ArrayType(u8),
    /// `multianewarray`: constant index of the class, and dimensions.
    MultiArray(u16, u8),
}

/// Keys and targets of a switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    /// Target when no key matches.
    pub default: u32,
    /// Keys with their targets, ascending. A `tableswitch` lists each key of its range.
    pub cases: Vec<(i32, u32)>,
}

impl Instruction {
    /// All targets a jump or switch may go to, the next instruction not included; a switch may repeat one.
    pub fn targets(&self) -> impl Iterator<Item = u32> + '_ {
        let (first, cases) = match &self.operand {
            Operand::Jump(target) => (Some(*target), [].as_slice()),
            Operand::Switch(switch) => (Some(switch.default), switch.cases.as_slice()),
            Operand::None
            | Operand::Immediate(_)
            | Operand::Local(_)
            | Operand::Increment(..)
            | Operand::Constant(_)
            | Operand::ArrayType(_)
            | Operand::MultiArray(..) => (None, [].as_slice()),
        };
        first.into_iter().chain(cases.iter().map(|case| case.1))
    }
}

/// Decodes a code array.
///
/// # Errors
/// Truncated instructions, undefined opcodes, switches with more keys than bytes, targets outside the code.
pub fn decode(code: &[u8]) -> Result<Vec<Instruction>, ClassFileError> {
    let mut instructions = Vec::with_capacity(code.len() / 2);
    let mut reader = Reader::at(code, 0);
    while reader.remaining() > 0 {
        let offset = reader.position();
        let mut code_byte = reader.u1()?;
        let wide = code_byte == opcode::WIDE;
        if wide {
            code_byte = reader.u1()?;
        }
        let operand = operand(&mut reader, offset, code_byte, wide)?;
        let instruction = Instruction { offset: offset as u32, opcode: code_byte, wide, operand };
        if instruction.targets().any(|target| target as usize >= code.len()) {
            return Err(ClassFileError::Malformed { what: "a jump leaves its method" });
        }
        instructions.push(instruction);
    }
    Ok(instructions)
}

fn operand(reader: &mut Reader<'_>, offset: usize, code: u8, wide: bool) -> Result<Operand, ClassFileError> {
    use opcode::*;
    let target = |delta: i32| (offset as i64 + i64::from(delta)) as u32;
    Ok(match code {
        BIPUSH => Operand::Immediate(reader.i1()?.into()),
        SIPUSH => Operand::Immediate(reader.i2()?.into()),
        LDC => Operand::Constant(reader.u1()?.into()),
        LDC_W | LDC2_W | GETSTATIC..=INVOKESTATIC | NEW | ANEWARRAY | CHECKCAST | INSTANCEOF => {
            Operand::Constant(reader.u2()?)
        }
        INVOKEINTERFACE | INVOKEDYNAMIC => {
            let index = reader.u2()?;
            reader.u2()?;
            Operand::Constant(index)
        }
        ILOAD..=ALOAD | ISTORE..=ASTORE | RET => {
            Operand::Local(if wide { reader.u2()? } else { reader.u1()?.into() })
        }
        ILOAD_0..=ALOAD_3 => Operand::Local(((code - ILOAD_0) % 4).into()),
        ISTORE_0..=ASTORE_3 => Operand::Local(((code - ISTORE_0) % 4).into()),
        IINC if wide => Operand::Increment(reader.u2()?, reader.i2()?),
        IINC => Operand::Increment(reader.u1()?.into(), reader.i1()?.into()),
        IFEQ..=JSR | IFNULL | IFNONNULL => Operand::Jump(target(reader.i2()?.into())),
        GOTO_W | JSR_W => Operand::Jump(target(reader.i4()?)),
        TABLESWITCH | LOOKUPSWITCH => Operand::Switch(Box::new(switch(reader, offset, code)?)),
        NEWARRAY => Operand::ArrayType(reader.u1()?),
        MULTIANEWARRAY => Operand::MultiArray(reader.u2()?, reader.u1()?),
        _ if mnemonic(code).is_some() && code != WIDE => Operand::None,
        _ => return Err(ClassFileError::Opcode { offset, opcode: code }),
    })
}

fn switch(reader: &mut Reader<'_>, offset: usize, code: u8) -> Result<Switch, ClassFileError> {
    const TOO_LONG: ClassFileError = ClassFileError::Malformed { what: "a switch is longer than its method" };
    let target = |delta: i32| (offset as i64 + i64::from(delta)) as u32;
    reader.slice((4 - reader.position() % 4) % 4)?;
    let default = target(reader.i4()?);
    let mut cases;
    if code == opcode::TABLESWITCH {
        let (low, high) = (reader.i4()?, reader.i4()?);
        let count = i64::from(high) - i64::from(low) + 1;
        if count < 0 || count * 4 > reader.remaining() as i64 {
            return Err(TOO_LONG);
        }
        cases = Vec::with_capacity(count as usize);
        for key in low..=high {
            cases.push((key, target(reader.i4()?)));
        }
    } else {
        let count = i64::from(reader.i4()?);
        if count < 0 || count * 8 > reader.remaining() as i64 {
            return Err(TOO_LONG);
        }
        cases = Vec::with_capacity(count as usize);
        for _ in 0..count {
            cases.push((reader.i4()?, target(reader.i4()?)));
        }
    }
    Ok(Switch { default, cases })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_and_switch_forms_decode() {
        let mut code = vec![opcode::WIDE, opcode::IINC, 1, 0, 0xFF, 0xFE, opcode::ICONST_0];
        code.extend([opcode::LOOKUPSWITCH, 0, 0, 0, 17, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF]);
        code.extend([
            0xFF,
            0xFF,
            0xFF,
            0xF9,
            opcode::RETURN,
            opcode::NOP,
            opcode::NOP,
            opcode::NOP,
            opcode::NOP,
        ]);
        let decoded = decode(&code).unwrap();
        assert_eq!(decoded[0].operand, Operand::Increment(256, -2));
        assert_eq!(
            decoded[2].operand,
            Operand::Switch(Box::new(Switch { default: 24, cases: vec![(-1, 0)] }))
        );
    }

    #[test]
    fn undefined_opcodes_cuts_and_far_targets_are_errors() {
        assert!(decode(&[0xCB]).is_err());
        assert!(decode(&[opcode::SIPUSH, 1]).is_err());
        assert!(decode(&[opcode::GOTO, 0, 9]).is_err());
        assert!(
            decode(&[opcode::TABLESWITCH, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF]).is_err()
        );
    }
}
