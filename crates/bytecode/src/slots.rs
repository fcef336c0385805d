//! Forward analysis of a method over the slots of its operand stack and of its local variables, each with what is known of the
//! value in it.

use crate::descriptor::{ErasedType, MethodDescriptor};
use crate::instruction::Operand;
use crate::method_code::MethodCode;
use crate::opcode::*;

/// What is known of the value in a slot.
pub(crate) trait Known: Copy + PartialEq {
    /// Of a value of which nothing is known.
    const NOTHING: Self;

    /// Of a value that is the one or the other.
    fn join(self, other: Self) -> Self;
}

/// The slots in which an instruction finds them. `long` and `double` take two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slots<K> {
    stack: Vec<K>,
    locals: Vec<K>,
}

impl<K: Known> Slots<K> {
    /// Those in which a method begins: what is known of its object, unless it is static, and of its parameters, by position and type.
    pub(crate) fn at_entry(
        descriptor: &MethodDescriptor,
        this: Option<K>,
        known: impl Fn(usize, &ErasedType) -> K,
    ) -> Self {
        let mut locals: Vec<K> = this.into_iter().collect();
        for (position, parameter) in descriptor.parameters.iter().enumerate() {
            locals.resize(locals.len() + usize::from(parameter.slots()), known(position, parameter));
        }
        Self { stack: Vec::new(), locals }
    }

    fn at_handler(&self) -> Self {
        Self { stack: vec![K::NOTHING], locals: self.locals.clone() }
    }

    /// The slot so many below the top of the stack, which is 0.
    pub(crate) fn peek(&self, below: usize) -> Option<K> {
        self.stack.len().checked_sub(below + 1).map(|at| self.stack[at])
    }

    /// Adds what is known on another way; whether that changed anything.
    fn join(&mut self, other: &Self) -> bool {
        let before = self.clone();
        // Variables that only one way assigns are not used behind.
        self.locals.truncate(other.locals.len());
        self.stack.truncate(other.stack.len());
        let slots = self.locals.iter_mut().zip(&other.locals);
        for (slot, &other) in slots.chain(self.stack.iter_mut().zip(&other.stack)) {
            *slot = slot.join(other);
        }
        *self != before
    }

    fn pop(&mut self, slots: usize) -> Option<()> {
        self.stack.truncate(self.stack.len().checked_sub(slots)?);
        Some(())
    }

    fn push(&mut self, slots: usize, known: K) {
        self.stack.resize(self.stack.len() + slots, known);
    }

    /// Moves values as an instruction does, of whose result `result` is known; `None` of code that cannot be followed.
    fn execute(&mut self, code: &MethodCode<'_>, index: usize, result: K) -> Option<()> {
        let opcode = general_form(code.opcode(index));
        let is_wide = |wide: [u8; 2]| 1 + usize::from(wide.contains(&opcode));
        match opcode {
            ILOAD..=ALOAD => {
                let local = usize::from(code.local(index)?);
                let known = self.locals.get(local).copied().unwrap_or(K::NOTHING);
                self.push(is_wide([LLOAD, DLOAD]), known);
            }
            ISTORE..=ASTORE => {
                let (slots, local) = (is_wide([LSTORE, DSTORE]), usize::from(code.local(index)?));
                let known = self.peek(0)?;
                if self.locals.len() < local + slots {
                    self.locals.resize(local + slots, K::NOTHING);
                }
                self.locals[local..local + slots].fill(known);
                self.pop(slots)?;
            }
            DUP..=SWAP => self.shuffle(opcode)?,
            CHECKCAST | IRETURN..=RETURN | ATHROW => {}
            _ => {
                let (pops, pushes) = effect(code, index)?;
                self.pop(pops)?;
                self.push(pushes, result);
            }
        }
        Some(())
    }

    /// Executes `dup` to `swap`.
    fn shuffle(&mut self, opcode: u8) -> Option<()> {
        let stack = &mut self.stack;
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
}

/// Looks at each instruction that can be reached, again whenever more may be in its slots, with the slots before it; `look` gives what is
/// known of its result. `None` when `look` gives up, or of code that cannot be followed.
pub(crate) fn follow<K: Known>(
    code: &MethodCode<'_>,
    entry: Slots<K>,
    mut look: impl FnMut(&Slots<K>, usize) -> Option<K>,
) -> Option<()> {
    let mut frames: Vec<Option<Slots<K>>> = vec![None; code.len()];
    *frames.first_mut()? = Some(entry);
    let mut pending = vec![0];
    while let Some(index) = pending.pop() {
        let Some(mut slots) = frames[index].clone() else { continue };
        for handler in code.handlers.iter().filter(|handler| handler.range.contains(&index)) {
            flow(&mut frames, &mut pending, handler.handler, &slots.at_handler());
        }
        let result = look(&slots, index)?;
        slots.execute(code, index, result)?;
        let instruction = &code.instructions[index];
        for target in instruction.targets().filter_map(|target| code.at(target)) {
            flow(&mut frames, &mut pending, target, &slots);
        }
        if falls_through(instruction.opcode) && index + 1 < code.len() {
            flow(&mut frames, &mut pending, index + 1, &slots);
        }
    }
    Some(())
}

/// Joins slots into those of an instruction, and looks at the instruction (again) if that changes something.
fn flow<K: Known>(frames: &mut [Option<Slots<K>>], pending: &mut Vec<usize>, to: usize, slots: &Slots<K>) {
    let Some(frame) = frames.get_mut(to) else { return };
    let changed = if let Some(known) = frame {
        known.join(slots)
    } else {
        *frame = Some(slots.clone());
        true
    };
    if changed {
        pending.push(to);
    }
}

/// Whether control may go on to the next instruction.
fn falls_through(opcode: u8) -> bool {
    !matches!(opcode, GOTO | GOTO_W | TABLESWITCH | LOOKUPSWITCH | IRETURN..=RETURN | ATHROW)
}

/// What a call takes beside its receiver, and what it gives.
pub(crate) fn called(code: &MethodCode<'_>, index: usize) -> Option<MethodDescriptor> {
    if code.opcode(index) != INVOKEDYNAMIC {
        return MethodDescriptor::parse(&code.member(index)?.descriptor).ok();
    }
    let Operand::Constant(constant) = code.instructions.get(index)?.operand else { return None };
    let (_, _, descriptor) = code.class.constants.invoke_dynamic(constant).ok()?;
    MethodDescriptor::parse(&descriptor).ok()
}

/// Slots that an instruction takes and gives (JVM specification §6.5); `None` of those that move values without computing any, and
/// of subroutines.
fn effect(code: &MethodCode<'_>, index: usize) -> Option<(usize, usize)> {
    // `int`, `long`, `float`, `double` in turn.
    let opcode = code.opcode(index);
    let wide = |first: u8| (opcode - first) % 2 == 1;
    Some(match opcode {
        NOP | IINC | GOTO | GOTO_W => (0, 0),
        ACONST_NULL | NEW | ICONST_M1..=ICONST_5 | FCONST_0..=FCONST_2 | BIPUSH..=LDC_W => (0, 1),
        LCONST_0 | LCONST_1 | DCONST_0 | DCONST_1 | LDC2_W => (0, 2),
        LALOAD | DALOAD => (2, 2),
        IALOAD | FALOAD | AALOAD..=SALOAD => (2, 1),
        LASTORE | DASTORE => (4, 0),
        IASTORE..=SASTORE => (3, 0),
        POP | IFEQ..=IFLE | TABLESWITCH | LOOKUPSWITCH | MONITORENTER | MONITOREXIT | IFNULL | IFNONNULL => {
            (1, 0)
        }
        POP2 | IF_ICMPEQ..=IF_ACMPNE => (2, 0),
        IADD..=DREM if wide(IADD) => (4, 2),
        IADD..=DREM => (2, 1),
        INEG..=DNEG if wide(INEG) => (2, 2),
        INEG..=DNEG => (1, 1),
        LSHL | LSHR | LUSHR => (3, 2),
        ISHL | ISHR | IUSHR | IAND | IOR | IXOR => (2, 1),
        LAND | LOR | LXOR => (4, 2),
        I2L | I2D | F2L | F2D => (1, 2),
        L2I | L2F | D2I | D2F => (2, 1),
        L2D | D2L => (2, 2),
        I2F | F2I | I2B..=I2S | ARRAYLENGTH | INSTANCEOF | NEWARRAY | ANEWARRAY => (1, 1),
        LCMP | DCMPL | DCMPG => (4, 1),
        FCMPL | FCMPG => (2, 1),
        GETSTATIC..=PUTFIELD => effect_of_field(code, index)?,
        INVOKEVIRTUAL..=INVOKEDYNAMIC => {
            let called = called(code, index)?;
            let receiver = usize::from(!matches!(opcode, INVOKESTATIC | INVOKEDYNAMIC));
            let result = called.result.as_ref().map_or(0, |of| usize::from(of.slots()));
            (receiver + usize::from(called.parameter_slots()), result)
        }
        MULTIANEWARRAY => {
            let Operand::MultiArray(_, dimensions) = code.instructions.get(index)?.operand else {
                return None;
            };
            (usize::from(dimensions), 1)
        }
        _ => return None,
    })
}

fn effect_of_field(code: &MethodCode<'_>, index: usize) -> Option<(usize, usize)> {
    let slots = usize::from(ErasedType::parse(&code.member(index)?.descriptor).ok()?.slots());
    Some(match code.opcode(index) {
        GETSTATIC => (0, slots),
        PUTSTATIC => (slots, 0),
        GETFIELD => (1, slots),
        _ => (slots + 1, 0),
    })
}
