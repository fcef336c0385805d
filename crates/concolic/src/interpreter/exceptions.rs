//! Exceptions: `athrow`, exception tables, propagation through frames (JVMS 2.10).

use bytecode::instruction::InstructionIndex;
use bytecode::name::ClassName;

use crate::interpreter::calls::Then;
use crate::interpreter::machine::{Abrupt, Done, Interpreter};
use crate::interpreter::{End, Happening, ObjectId, Slot, Why};

impl Interpreter<'_> {
    pub(super) fn throw_instruction(&mut self) -> Done {
        let exception = self.pop()?;
        let object = self.object(exception)?;
        Err(Abrupt::Throw(object))
    }

    /// Finds the handler of an exception and goes there; the end of the replay if there is none.
    pub(super) fn unwind(&mut self, mut exception: ObjectId) -> Option<End> {
        while let Some(frame) = self.frames.last_mut() {
            let Some(class) = self.heap.class_of(exception).cloned() else {
                return Some(End::Unknown(Why::Malformed));
            };
            let catches = |caught: &Option<ClassName>| {
                caught.as_ref().is_none_or(|caught| self.hierarchy.is_subclass(&class, caught))
            };
            let handler = frame
                .method
                .handlers
                .iter()
                .find(|entry| entry.range.contains(&frame.current) && catches(&entry.class));
            if let Some(entry) = handler {
                frame.next = entry.handler;
                frame.stack.clear();
                frame.stack.push(Slot::reference(exception));
                let method = frame.method.clone();
                let handler = InstructionIndex(entry.handler as u32);
                let caught = Happening::Caught { method: &method.name, handler, exception };
                return match self.happened(&caught) {
                    Err(Abrupt::End(end)) => Some(end),
                    Ok(()) | Err(Abrupt::Throw(_) | Abrupt::Declined) => None,
                };
            }
            let then = self.frames.pop().map(|frame| frame.then);
            if then == Some(Then::End) {
                return Some(End::Threw { class, object: exception });
            }
            // What an initializer throws arrives wrapped unless it is an error (JVMS 5.5).
            let is_error = self.hierarchy.is_subclass(&class, &ClassName::new("java/lang/Error"));
            if then == Some(Then::Initialized) && !is_error {
                exception = self.heap.made(ClassName::new("java/lang/ExceptionInInitializerError"));
            }
        }
        let class = self.heap.class_of(exception).cloned();
        Some(class.map_or(End::Unknown(Why::Malformed), |class| End::Threw { class, object: exception }))
    }
}
