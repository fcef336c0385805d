//! Matching sequences of instructions.

use crate::method_code::MethodCode;
use crate::opcode::{self, general_form};

/// What a local variable, a label or an owner is called in a pattern; the number tells several of a kind apart.
pub(super) type Name = (&'static str, usize);

/// Reads instructions one by one; the first that is not as asked ends the match.
///
/// Labels, lines and frames are skipped. Local variables, jump targets and owners of methods are bound to a name
/// when they first occur and must be the same from then on, even if the match that bound them failed.
#[derive(Debug)]
pub(super) struct Matcher<'m, 'a> {
    code: &'m MethodCode<'a>,
    at: Position,
    locals: Vec<(Name, u16)>,
    labels: Vec<(Name, usize)>,
    owners: Vec<(Name, String)>,
}

/// How far a match has come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Position {
    next: usize,
    failed: bool,
}

impl<'m, 'a> Matcher<'m, 'a> {
    /// The first instruction asked for is the one at `start`.
    pub(super) fn at(code: &'m MethodCode<'a>, start: usize) -> Self {
        let at = Position { next: start, failed: false };
        Self { code, at, locals: Vec::new(), labels: Vec::new(), owners: Vec::new() }
    }

    /// Starts again elsewhere, and keeps the bindings.
    pub(super) fn restart(&mut self, start: usize) -> &mut Self {
        self.at = Position { next: start, failed: false };
        self
    }

    /// How far the match has come, to go on from there later.
    pub(super) fn position(&self) -> Position {
        self.at
    }

    /// Goes on from an earlier position, and keeps the bindings.
    pub(super) fn go_to(&mut self, position: Position) -> &mut Self {
        self.at = position;
        self
    }

    /// The method that is read.
    pub(super) fn code(&self) -> &'m MethodCode<'a> {
        self.code
    }

    /// Whether all has matched so far.
    pub(super) fn matched(&self) -> bool {
        !self.at.failed
    }

    /// The last instruction, if all has matched and there was one.
    pub(super) fn last(&self) -> Option<usize> {
        if self.at.failed { None } else { self.at.next.checked_sub(1) }
    }

    /// The instruction that comes next, if all has matched and there is one.
    pub(super) fn peek(&self) -> Option<usize> {
        (!self.at.failed && self.at.next < self.code.len()).then_some(self.at.next)
    }

    /// Takes the next instruction if the test holds for it.
    pub(super) fn test(&mut self, test: impl FnOnce(&MethodCode<'a>, usize) -> bool) -> &mut Self {
        if self.peek().is_some_and(|index| test(self.code, index)) {
            self.at.next += 1;
        } else {
            self.at.failed = true;
        }
        self
    }

    /// Takes any instruction.
    pub(super) fn any(&mut self) -> &mut Self {
        self.test(|_, _| true)
    }

    /// An instruction with this opcode, in any of its forms.
    pub(super) fn op(&mut self, opcode: u8) -> &mut Self {
        self.test(|code, index| general_form(code.opcode(index)) == opcode)
    }

    /// `tableswitch` or `lookupswitch`.
    pub(super) fn switch(&mut self) -> &mut Self {
        self.test(|code, index| opcode::is_switch(code.opcode(index)))
    }

    /// A load or store of the variable of this name.
    pub(super) fn local(&mut self, opcode: u8, name: &'static str) -> &mut Self {
        self.nth_local(opcode, (name, 0))
    }

    /// A load or store of the variable of this name.
    pub(super) fn nth_local(&mut self, opcode: u8, name: Name) -> &mut Self {
        self.op(opcode);
        if let Some(local) = self.last().and_then(|index| self.code.local(index)) {
            self.at.failed = !bound(&mut self.locals, name, local);
        }
        self
    }

    /// Binds a name to a variable.
    pub(super) fn bind(&mut self, name: &'static str, local: u16) -> &mut Self {
        self.locals.retain(|binding| binding.0.0 != name);
        self.locals.push(((name, 0), local));
        self
    }

    /// A jump to the label of this name.
    pub(super) fn jump(&mut self, opcode: u8, label: Name) -> &mut Self {
        self.op(opcode);
        if let Some(target) = self.last().and_then(|index| self.code.jump_target(index)) {
            self.at.failed = !bound(&mut self.labels, label, target);
        }
        self
    }

    /// The label of this name, to which a jump has led before.
    pub(super) fn label(&mut self, label: Name) -> &mut Self {
        let here = self.at.next;
        self.at.failed |= !self.labels.contains(&(label, here));
        self
    }

    /// `close()` of the variable of this name, with an owner that goes with the name as well.
    pub(super) fn close(&mut self, name: Name) -> &mut Self {
        self.nth_local(opcode::ALOAD, name);
        self.test(|code, index| {
            matches!(code.opcode(index), opcode::INVOKEINTERFACE | opcode::INVOKEVIRTUAL)
                && code
                    .member(index)
                    .is_some_and(|method| method.name == "close" && method.descriptor == "()V")
        });
        if let Some(method) = self.last().and_then(|index| self.code.member(index)) {
            self.at.failed = !bound(&mut self.owners, name, method.owner.into_owned());
        }
        self
    }

    /// `aload_0`
    pub(super) fn this(&mut self) -> &mut Self {
        self.op(opcode::ALOAD).require(|code, index| code.local(index) == Some(0))
    }

    /// A call of, or access to, the member (owner, name, descriptor).
    pub(super) fn member(&mut self, opcode: u8, member: (&str, &str, &str)) -> &mut Self {
        self.op(opcode).require(|code, index| code.is_member(index, member))
    }

    /// An instruction that names this class.
    pub(super) fn class(&mut self, opcode: u8, name: &str) -> &mut Self {
        self.op(opcode).require(|code, index| code.class_operand(index).is_some_and(|found| found == name))
    }

    /// Fails unless the test holds for the last instruction.
    pub(super) fn require(&mut self, test: impl FnOnce(&MethodCode<'a>, usize) -> bool) -> &mut Self {
        self.at.failed = !self.last().is_some_and(|index| test(self.code, index));
        self
    }
}

/// Whether the value is the one that the name stands for; a new name stands for it from now on.
fn bound<T: PartialEq>(bindings: &mut Vec<(Name, T)>, name: Name, value: T) -> bool {
    if let Some((_, expected)) = bindings.iter().find(|binding| binding.0 == name) {
        *expected == value
    } else {
        bindings.push((name, value));
        true
    }
}
