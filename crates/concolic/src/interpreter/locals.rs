//! Local variables: loads, stores and `iinc` (JVMS 6.5).

use bytecode::instruction::Operand;

use crate::interpreter::code::Prepared;
use crate::interpreter::machine::{Done, Interpreter};
use crate::interpreter::slot::Known;
use crate::interpreter::{Slot, Why};
use crate::term::Operator;

impl Interpreter<'_> {
    pub(super) fn load(&mut self, instruction: &Prepared) -> Done {
        let Operand::Local(local) = instruction.operand else { return Err(Why::Malformed.into()) };
        let slot = self.frame()?.locals.get(usize::from(local)).copied();
        self.push(slot.ok_or(Why::Malformed)?)
    }

    pub(super) fn store(&mut self, instruction: &Prepared) -> Done {
        let Operand::Local(local) = instruction.operand else { return Err(Why::Malformed.into()) };
        let slot = self.pop()?;
        self.set_local(usize::from(local), slot)
    }

    fn set_local(&mut self, local: usize, slot: Slot) -> Done {
        let locals = &mut self.frame()?.locals;
        if locals.len() <= local {
            locals.resize(local + 1, Slot::NULL);
        }
        locals[local] = slot;
        Ok(())
    }

    pub(super) fn increment(&mut self, instruction: &Prepared) -> Done {
        let Operand::Increment(local, by) = instruction.operand else { return Err(Why::Malformed.into()) };
        let local = usize::from(local);
        let slot = self.frame()?.locals.get(local).copied().ok_or(Why::Malformed)?;
        let known = Self::known(slot)?;
        let sum = self.compute(Operator::Add, &[&known, &Known::int(by.into())]);
        let slot = self.slot(&sum)?;
        self.set_local(local, slot)
    }
}
