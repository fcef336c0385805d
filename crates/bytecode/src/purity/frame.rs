//! What of the operand stack and the local variables is new: made by the method itself.

use crate::class_file::MemberRef;
use crate::descriptor::{ErasedType, MethodDescriptor};
use crate::instruction::Operand;
use crate::method_code::MethodCode;
use crate::opcode::*;

use super::platform;

/// Slots, each with whether the object in it is new. `null` is; numbers never matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    stack: Vec<bool>,
    locals: Vec<bool>,
}

/// What an instruction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Nothing to objects.
    Nothing,
    /// It ends the method.
    End,
    /// It writes something that was there before.
    Writes {
        /// Whether that is a field of an object.
        field: bool,
    },
    /// It calls.
    Calls {
        /// Whether the object that is called on is new.
        receiver_is_new: bool,
    },
}

/// Whether control may go on to the next instruction.
pub(crate) fn falls_through(opcode: u8) -> bool {
    !matches!(opcode, GOTO | GOTO_W | TABLESWITCH | LOOKUPSWITCH | IRETURN..=RETURN | ATHROW)
}

impl Frame {
    /// The frame in which a method begins.
    pub(super) fn at_entry(descriptor: &MethodDescriptor, is_static: bool, is_constructor: bool) -> Self {
        let mut locals = Vec::new();
        if !is_static {
            locals.push(is_constructor);
        }
        locals.resize(locals.len() + usize::from(descriptor.parameter_slots()), false);
        Self { stack: Vec::new(), locals }
    }

    /// The frame in which a handler begins.
    pub(super) fn at_handler(&self) -> Self {
        Self { stack: vec![false], ..self.clone() }
    }

    /// Keeps as new what is so in both; whether that changed anything.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let before = self.clone();
        // Variables that only one way assigns are not used behind.
        self.locals.truncate(other.locals.len());
        self.stack.truncate(other.stack.len());
        let slots = self.locals.iter_mut().zip(&other.locals);
        for (slot, other) in slots.chain(self.stack.iter_mut().zip(&other.stack)) {
            *slot &= other;
        }
        *self != before
    }

    fn pop(&mut self, slots: usize) -> Option<()> {
        self.stack.truncate(self.stack.len().checked_sub(slots)?);
        Some(())
    }

    fn push(&mut self, slots: usize, is_new: bool) {
        self.stack.resize(self.stack.len() + slots, is_new);
    }

    /// The slot so many below the top, which is 0.
    fn peek(&self, below: usize) -> Option<bool> {
        self.stack.len().checked_sub(below + 1).map(|at| self.stack[at])
    }

    /// Executes an instruction; `None` of code that cannot be followed.
    pub(super) fn execute(&mut self, code: &MethodCode<'_>, index: usize) -> Option<Step> {
        let opcode = match code.opcode(index) {
            LDC2_W => LDC2_W, // two slots
            opcode => general_form(opcode),
        };
        let step = match opcode {
            ACONST_NULL => self.pushing(1, true),
            ILOAD..=ALOAD => {
                let slots = 1 + usize::from(matches!(opcode, LLOAD | DLOAD));
                let local = usize::from(code.local(index)?);
                let is_new = opcode == ALOAD && self.locals.get(local).copied().unwrap_or(false);
                self.pushing(slots, is_new)
            }
            ISTORE..=ASTORE => {
                let slots = 1 + usize::from(matches!(opcode, LSTORE | DSTORE));
                let local = usize::from(code.local(index)?);
                let is_new = opcode == ASTORE && self.peek(0)?;
                if self.locals.len() < local + slots {
                    self.locals.resize(local + slots, false);
                }
                self.locals[local..local + slots].fill(is_new);
                self.pop(slots)?;
                Step::Nothing
            }
            IASTORE..=SASTORE => {
                let slots = 3 + usize::from(matches!(opcode, LASTORE | DASTORE));
                let is_new = self.peek(slots - 1)?;
                self.pop(slots)?;
                if is_new { Step::Nothing } else { Step::Writes { field: false } }
            }
            DUP..=SWAP => {
                shuffle(&mut self.stack, opcode)?;
                Step::Nothing
            }
            GETSTATIC | PUTSTATIC | GETFIELD | PUTFIELD => self.field(code, index, opcode)?,
            INVOKEVIRTUAL..=INVOKEDYNAMIC => self.call(code, index, opcode)?,
            NEW => self.pushing(1, true),
            NEWARRAY | ANEWARRAY => {
                self.pop(1)?;
                self.pushing(1, true)
            }
            MULTIANEWARRAY => {
                let Operand::MultiArray(_, dimensions) = code.instructions.get(index)?.operand else {
                    return None;
                };
                self.pop(usize::from(dimensions))?;
                self.pushing(1, true)
            }
            CHECKCAST => Step::Nothing,
            IRETURN..=RETURN | ATHROW => Step::End,
            JSR | RET | JSR_W => return None,
            _ => {
                let (pops, pushes) = effect(opcode)?;
                self.pop(pops)?;
                self.pushing(pushes, false)
            }
        };
        Some(step)
    }

    fn pushing(&mut self, slots: usize, is_new: bool) -> Step {
        self.push(slots, is_new);
        Step::Nothing
    }

    fn field(&mut self, code: &MethodCode<'_>, index: usize, opcode: u8) -> Option<Step> {
        let member = code.member(index)?;
        let slots = usize::from(ErasedType::parse(&member.descriptor).ok()?.slots());
        match opcode {
            GETSTATIC => Some(self.pushing(slots, false)),
            GETFIELD => {
                self.pop(1)?;
                Some(self.pushing(slots, false))
            }
            PUTFIELD => {
                let is_new = self.peek(slots)?;
                self.pop(slots + 1)?;
                Some(if is_new { Step::Nothing } else { Step::Writes { field: true } })
            }
            _ => Some(Step::Writes { field: false }),
        }
    }

    fn call(&mut self, code: &MethodCode<'_>, index: usize, opcode: u8) -> Option<Step> {
        let (descriptor, member) = if opcode == INVOKEDYNAMIC {
            (dynamic_descriptor(code, index)?, None)
        } else {
            let member = code.member(index)?;
            (MethodDescriptor::parse(&member.descriptor).ok()?, Some(member))
        };
        self.pop(usize::from(descriptor.parameter_slots()))?;
        let mut receiver_is_new = false;
        if !matches!(opcode, INVOKESTATIC | INVOKEDYNAMIC) {
            receiver_is_new = self.peek(0)?;
            self.pop(1)?;
        }
        if let Some(result) = &descriptor.result {
            let makes = member.as_ref().is_some_and(|member| makes_new(member, receiver_is_new));
            self.push(usize::from(result.slots()), makes);
        }
        Some(Step::Calls { receiver_is_new })
    }
}

/// Executes `dup` to `swap` on the slots of a stack, whatever is known of them.
pub(crate) fn shuffle<S: Copy>(stack: &mut Vec<S>, opcode: u8) -> Option<()> {
    // Inserts the upper `count` slots again below the next `below` slots.
    let mut duplicate = |count: usize, below: usize| {
        let top = stack.len().checked_sub(count)?;
        let copied = stack[top..].to_vec();
        let at = top.checked_sub(below)?;
        stack.splice(at..at, copied);
        Some(())
    };
    match opcode {
        DUP => duplicate(1, 0),
        DUP_X1 => duplicate(1, 1),
        DUP_X2 => duplicate(1, 2),
        DUP2 => duplicate(2, 0),
        DUP2_X1 => duplicate(2, 1),
        DUP2_X2 => duplicate(2, 2),
        _ => {
            let top = stack.len().checked_sub(2)?;
            stack.swap(top, top + 1);
            Some(())
        }
    }
}

/// Whether a call gives an object that nobody else has.
fn makes_new(member: &MemberRef<'_>, receiver_is_new: bool) -> bool {
    member.owner.starts_with('[')
        || receiver_is_new && platform::returns_receiver(&member.owner, &member.name)
}

/// What `invokedynamic` takes and gives.
pub(crate) fn dynamic_descriptor(code: &MethodCode<'_>, index: usize) -> Option<MethodDescriptor> {
    let Operand::Constant(constant) = code.instructions.get(index)?.operand else { return None };
    let (_, _, descriptor) = code.class.constants.invoke_dynamic(constant).ok()?;
    MethodDescriptor::parse(&descriptor).ok()
}

/// Whether an `invokedynamic` concatenates strings and primitive values only, so that no code is called for a text.
pub(super) fn concatenates_values(code: &MethodCode<'_>, index: usize) -> bool {
    let Some(Operand::Constant(constant)) = code.instructions.get(index).map(|it| &it.operand) else {
        return false;
    };
    let Ok((_, name, descriptor)) = code.class.constants.invoke_dynamic(*constant) else { return false };
    let is_value = |of: &ErasedType| match of {
        ErasedType::Primitive(_) => true,
        ErasedType::Class(name) => platform::is_value(name),
        ErasedType::Array(_) => false,
    };
    name.starts_with("makeConcat")
        && MethodDescriptor::parse(&descriptor).is_ok_and(|parsed| parsed.parameters.iter().all(is_value))
}

/// Slots that an instruction without operands of its own takes and gives (JVM specification §6.5).
pub(crate) fn effect(opcode: u8) -> Option<(usize, usize)> {
    // `int`, `long`, `float`, `double` in turn.
    let wide = |first: u8| (opcode - first) % 2 == 1;
    Some(match opcode {
        NOP | IINC | GOTO | GOTO_W => (0, 0),
        ICONST_M1..=ICONST_5 | FCONST_0..=FCONST_2 | BIPUSH..=LDC_W => (0, 1),
        LCONST_0 | LCONST_1 | DCONST_0 | DCONST_1 | LDC2_W => (0, 2),
        LALOAD | DALOAD => (2, 2),
        IALOAD | FALOAD | AALOAD..=SALOAD => (2, 1),
        POP | IFEQ..=IFLE | TABLESWITCH | LOOKUPSWITCH | MONITORENTER | MONITOREXIT | IFNULL | IFNONNULL => {
            (1, 0)
        }
        POP2 | IF_ICMPEQ..=IF_ACMPNE => (2, 0),
        IADD..=DREM => {
            if wide(IADD) {
                (4, 2)
            } else {
                (2, 1)
            }
        }
        INEG..=DNEG => {
            if wide(INEG) {
                (2, 2)
            } else {
                (1, 1)
            }
        }
        LSHL | LSHR | LUSHR => (3, 2),
        ISHL | ISHR | IUSHR | IAND | IOR | IXOR => (2, 1),
        LAND | LOR | LXOR => (4, 2),
        I2L | I2D | F2L | F2D => (1, 2),
        L2I | L2F | D2I | D2F => (2, 1),
        L2D | D2L => (2, 2),
        I2F | F2I | I2B..=I2S | ARRAYLENGTH | INSTANCEOF => (1, 1),
        LCMP | DCMPL | DCMPG => (4, 1),
        FCMPL | FCMPG => (2, 1),
        _ => return None,
    })
}
