//! Fields: `getstatic`, `putstatic`, `getfield`, `putfield` (JVMS 6.5), and the initialization of classes (JVMS 5.5).

use std::sync::Arc;

use bytecode::descriptor::ErasedType;
use bytecode::name::ClassName;
use bytecode::opcode::*;

use crate::interpreter::calls::Then;
use crate::interpreter::code::{Member, Prepared, Resolved};
use crate::interpreter::heap::FieldName;
use crate::interpreter::machine::{Abrupt, Done, Interpreter};
use crate::interpreter::{MethodName, Slot, Why};

impl Interpreter<'_> {
    pub(super) fn access_field(&mut self, instruction: &Prepared) -> Done {
        let Resolved::Member(member) = &instruction.constant else { return Err(Why::Malformed.into()) };
        let erased = ErasedType::parse(&member.descriptor).map_err(|_| Why::Malformed)?;
        let field = self.declared(member)?;
        match instruction.opcode {
            GETSTATIC => {
                if self.initialize(&field.0)? {
                    return Ok(());
                }
                let slot = self.static_value(&field, &erased)?;
                self.push(slot)
            }
            PUTSTATIC => {
                if self.initialize(&field.0)? {
                    return Ok(());
                }
                let value = self.pop()?;
                let value = self.narrowed(value, &erased)?;
                self.statics.insert(field, value);
                Ok(())
            }
            GETFIELD => {
                let object = self.pop()?;
                let object = self.object(object)?;
                let cell = self.heap.field(object, &field);
                let default = self.heap.get(object).is_own.then(|| Slot::default_of(&erased));
                let known = cell.map(|cell| cell.slot).or(default);
                let is_certain = cell.map_or(default.is_some(), |cell| cell.is_certain);
                let slot = self.read(known, is_certain, |outside, heap| {
                    let read = outside.field(object, &field.0, &field.1, heap);
                    read.ok_or_else(|| Why::Field(field.0.clone(), field.1.clone()))
                })?;
                self.heap.set_field(object, field, slot);
                self.push(slot)
            }
            PUTFIELD => {
                let (value, object) = (self.pop()?, self.pop()?);
                let object = self.object(object)?;
                let value = self.narrowed(value, &erased)?;
                self.heap.set_field(object, field, value);
                Ok(())
            }
            _ => Err(Why::Malformed.into()),
        }
    }

    /// The class that declares a field that code names (JVMS 5.4.3.2).
    fn declared(&self, member: &Member) -> Result<FieldName, Abrupt> {
        let ErasedType::Class(owner) = &member.owner else { return Err(Why::Malformed.into()) };
        let supertypes = self.hierarchy.supertypes(owner);
        let declares = |class: &&ClassName| {
            self.hierarchy.class(class).is_some_and(|info| info.field(&member.name).is_some())
        };
        let chain = std::iter::once(owner.clone()).chain(self.hierarchy.superclasses(owner));
        let chain: Vec<ClassName> = chain.collect();
        let found = chain.iter().find(declares).or_else(|| supertypes.iter().find(declares));
        Ok((found.unwrap_or(owner).clone(), member.name.clone()))
    }

    fn static_value(&mut self, field: &FieldName, erased: &ErasedType) -> Result<Slot, Abrupt> {
        let known = if let Some(&slot) = self.statics.get(field) {
            Some(slot)
        } else if let Some(constant) = self.constant_of(field) {
            Some(constant)
        } else {
            (self.initialized.get(&field.0) == Some(&true)).then(|| Slot::default_of(erased))
        };
        let slot = self.read(known, true, |outside, heap| {
            let read = outside.static_field(&field.0, &field.1, heap);
            read.ok_or_else(|| Why::StaticField(field.0.clone(), field.1.clone()))
        })?;
        self.statics.insert(field.clone(), slot);
        Ok(slot)
    }

    /// The constant of a final static field.
    fn constant_of(&mut self, field: &FieldName) -> Option<Slot> {
        let constant = self.code.constant(self.hierarchy, field)?;
        self.resolved(&constant).ok()
    }

    /// Whether a class is interpreted.
    pub(super) fn is_interpreted(&self, class: &ClassName) -> bool {
        self.hierarchy.source().is_on_class_path(class)
    }

    /// Makes sure that a class is initialized. If its initializer has to run first, its frame lies on top, the instruction is
    /// executed again afterwards, and the result is true: nothing may have been popped before.
    pub(super) fn initialize(&mut self, class: &ClassName) -> Result<bool, Abrupt> {
        if self.outside.has_recording() {
            return self.initialize_recorded(class);
        }
        if self.initialized.contains_key(class) || !self.is_interpreted(class) {
            return Ok(false);
        }
        let was = self.outside.is_initialized(class);
        if was.ok_or_else(|| Why::Initialization(class.clone()))? {
            self.initialized.insert(class.clone(), false);
            return Ok(false);
        }
        let info = self.hierarchy.class(class);
        let superclass = info.as_ref().filter(|info| !info.is_interface());
        if let Some(superclass) = superclass.and_then(|info| info.superclass.clone())
            && self.initialize(&superclass)?
        {
            return Ok(true);
        }
        self.initialized.insert(class.clone(), true);
        let (name, descriptor): (Arc<str>, Arc<str>) = ("<clinit>".into(), "()V".into());
        if info.is_none_or(|info| info.method(&name, &descriptor).is_none()) {
            return Ok(false);
        }
        self.enter_initializer(&MethodName { class: class.clone(), name, descriptor })?;
        Ok(true)
    }

    /// As [`Self::initialize`], where a recording says which initializer ran: that of the class, of one above it, or of an
    /// interface of it.
    fn initialize_recorded(&mut self, class: &ClassName) -> Result<bool, Abrupt> {
        let Some(next) = self.outside.next_entered() else { return Ok(false) };
        let is_of_class = *next.name == *"<clinit>"
            && self.is_interpreted(&next.class)
            && self.hierarchy.is_subclass(class, &next.class);
        if !is_of_class {
            return Ok(false);
        }
        self.initialized.insert(next.class.clone(), true);
        self.enter_initializer(&next)?;
        Ok(true)
    }

    fn enter_initializer(&mut self, initializer: &MethodName) -> Done {
        let then = match self.frames.last_mut() {
            Some(frame) => {
                frame.next = frame.current;
                Then::Initialized
            }
            None => Then::End,
        };
        self.enter(initializer, Vec::new(), then)
    }
}
