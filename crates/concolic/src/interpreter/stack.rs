//! The operand stack: `pop` to `swap` (JVMS 6.5). A `long` or `double` is one value here.

use bytecode::opcode::*;

use crate::interpreter::machine::{Abrupt, Done, Interpreter};
use crate::interpreter::{Slot, Why};

impl Interpreter<'_> {
    pub(super) fn shuffle(&mut self, code: u8) -> Done {
        match code {
            POP => self.take(1).map(|_| ()),
            POP2 => self.take(2).map(|_| ()),
            DUP => self.duplicate(1, 0),
            DUP_X1 => self.duplicate(1, 1),
            DUP_X2 => self.duplicate(1, 2),
            DUP2 => self.duplicate(2, 0),
            DUP2_X1 => self.duplicate(2, 1),
            DUP2_X2 => self.duplicate(2, 2),
            SWAP => {
                let (top, below) = (self.pop()?, self.pop()?);
                self.push(top)?;
                self.push(below)
            }
            _ => Err(Why::Malformed.into()),
        }
    }

    /// Takes the topmost values that fill a number of entries, the lowest first.
    fn take(&mut self, entries: u8) -> Result<Vec<Slot>, Abrupt> {
        let mut taken = Vec::with_capacity(2);
        let mut count = 0;
        while count < entries {
            let slot = self.pop()?;
            count += if slot.is_wide() { 2 } else { 1 };
            taken.push(slot);
        }
        if count > entries {
            return Err(Why::Malformed.into());
        }
        taken.reverse();
        Ok(taken)
    }

    /// Copies the topmost entries below some others.
    fn duplicate(&mut self, entries: u8, below: u8) -> Done {
        let top = self.take(entries)?;
        let skipped = self.take(below)?;
        let stack = &mut self.frame()?.stack;
        stack.extend(top.iter().chain(&skipped).chain(&top));
        Ok(())
    }
}
