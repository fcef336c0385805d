//! Which objects are new where an instruction finds them: made by the method itself.

use crate::class_file::MemberRef;
use crate::descriptor::{ErasedType, MethodDescriptor};
use crate::instruction::Operand;
use crate::method_code::MethodCode;
use crate::opcode::*;
use crate::slots::{Known, Slots, called};

use super::platform;

/// Whether the object in a slot is new. `null` is; numbers never matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fresh(bool);

impl Known for Fresh {
    const NOTHING: Self = Self(false);

    fn join(self, other: Self) -> Self {
        Self(self.0 && other.0)
    }
}

/// What an instruction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Nothing to objects.
    Nothing,
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

/// The slots in which a method begins. The object that a constructor makes is new.
pub(super) fn at_entry(code: &MethodCode<'_>, descriptor: &MethodDescriptor) -> Slots<Fresh> {
    let this = (!code.access.is_static()).then_some(Fresh(&*code.name == "<init>"));
    Slots::at_entry(descriptor, this, |_, _| Fresh::NOTHING)
}

/// What an instruction does to the objects in these slots, and whether what it gives is new; `None` of code that cannot be
/// followed.
pub(super) fn step(slots: &Slots<Fresh>, code: &MethodCode<'_>, index: usize) -> Option<(Step, Fresh)> {
    let opcode = code.opcode(index);
    let written = |below: usize, field: bool| {
        let Fresh(is_new) = slots.peek(below)?;
        Some(if is_new { Step::Nothing } else { Step::Writes { field } })
    };
    let step = match opcode {
        IASTORE..=SASTORE => written(2 + usize::from(matches!(opcode, LASTORE | DASTORE)), false)?,
        PUTFIELD => {
            written(usize::from(ErasedType::parse(&code.member(index)?.descriptor).ok()?.slots()), true)?
        }
        PUTSTATIC => Step::Writes { field: false },
        INVOKEVIRTUAL..=INVOKEDYNAMIC => return call(slots, code, index),
        _ => Step::Nothing,
    };
    let makes = matches!(opcode, ACONST_NULL | NEW | NEWARRAY | ANEWARRAY | MULTIANEWARRAY);
    Some((step, Fresh(makes)))
}

fn call(slots: &Slots<Fresh>, code: &MethodCode<'_>, index: usize) -> Option<(Step, Fresh)> {
    let opcode = code.opcode(index);
    let below = usize::from(called(code, index)?.parameter_slots());
    let has_receiver = !matches!(opcode, INVOKESTATIC | INVOKEDYNAMIC);
    let receiver_is_new = if has_receiver { slots.peek(below)?.0 } else { false };
    let member = if opcode == INVOKEDYNAMIC { None } else { code.member(index) };
    let makes = member.is_some_and(|member| makes_new(&member, receiver_is_new));
    Some((Step::Calls { receiver_is_new }, Fresh(makes)))
}

/// Whether a call gives an object that nobody else has.
fn makes_new(member: &MemberRef<'_>, receiver_is_new: bool) -> bool {
    member.owner.starts_with('[')
        || receiver_is_new && platform::returns_receiver(&member.owner, &member.name)
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
