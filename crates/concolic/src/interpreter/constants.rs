//! Constants: `nop` to `ldc2_w` (JVMS 6.5).

use bytecode::instruction::Operand;
use bytecode::opcode::*;

use crate::interpreter::code::{Prepared, Resolved};
use crate::interpreter::machine::{Done, Interpreter};
use crate::interpreter::{Concrete, Slot, Why};

impl Interpreter<'_> {
    pub(super) fn constant(&mut self, instruction: &Prepared) -> Done {
        let code = instruction.opcode;
        let concrete = match code {
            NOP => return Ok(()),
            ACONST_NULL => Concrete::Null,
            ICONST_M1..=ICONST_5 => Concrete::Int(i32::from(code) - i32::from(ICONST_0)),
            LCONST_0..=LCONST_1 => Concrete::Long(i64::from(code - LCONST_0)),
            FCONST_0..=FCONST_2 => Concrete::Float(f32::from(code - FCONST_0)),
            DCONST_0..=DCONST_1 => Concrete::Double(f64::from(code - DCONST_0)),
            BIPUSH | SIPUSH => {
                let Operand::Immediate(value) = instruction.operand else {
                    return Err(Why::Malformed.into());
                };
                Concrete::Int(value)
            }
            _ => return self.load_constant(&instruction.constant),
        };
        self.push(Slot::of(concrete))
    }

    fn load_constant(&mut self, constant: &Resolved) -> Done {
        let slot = self.resolved(constant)?;
        self.push(slot)
    }

    /// The value of a constant of the constant pool (JVMS 5.1).
    pub(super) fn resolved(
        &mut self,
        constant: &Resolved,
    ) -> Result<Slot, crate::interpreter::machine::Abrupt> {
        match constant {
            Resolved::Number(slot) => Ok(*slot),
            Resolved::Text(units) => Ok(Slot::reference(self.heap.literal(units))),
            Resolved::Class(erased) => Ok(Slot::reference(self.heap.class_object(erased.clone()))),
            Resolved::Nothing | Resolved::Member(_) | Resolved::Dynamic(_) | Resolved::Unknown => {
                Err(Why::Constant.into())
            }
        }
    }
}
