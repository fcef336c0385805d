//! Fields: `getstatic`, `putstatic`, `getfield`, `putfield` (JVMS 6.5), and the initialization of classes (JVMS 5.5).

use std::sync::Arc;

use bytecode::descriptor::ErasedType;
use bytecode::name::ClassName;
use bytecode::opcode::*;

use crate::interpreter::calls::Then;
use crate::interpreter::code::{Prepared, Resolved};
use crate::interpreter::heap::{Content, FieldName};
use crate::interpreter::machine::{Abrupt, Done, Interpreter};
use crate::interpreter::{MethodName, ObjectId, Slot, Why};

impl Interpreter<'_> {
    pub(super) fn access_field(&mut self, instruction: &Prepared) -> Done {
        let Resolved::Member(member) = &instruction.constant else { return Err(Why::Malformed.into()) };
        let erased = member.field.as_ref().ok_or(Why::Malformed)?;
        let field = member.declared(self.hierarchy).ok_or(Why::Malformed)?;
        match instruction.opcode {
            GETSTATIC => {
                if self.initialize_for(field, false)? {
                    return Ok(());
                }
                let slot = self.static_value(field, erased)?;
                self.push(slot)
            }
            PUTSTATIC => {
                if self.initialize_for(field, true)? {
                    return Ok(());
                }
                let value = self.pop()?;
                let value = self.narrowed(value, erased)?;
                self.statics.insert(field.clone(), value);
                Ok(())
            }
            GETFIELD => {
                let object = self.pop()?;
                let object = self.object(object)?;
                if let Some(value) = self.boxed_value(object, field) {
                    return self.push(value);
                }
                self.check_has_fields(object)?;
                let cell = self.heap.field(object, field);
                let default = self.heap.get(object).is_own.then(|| Slot::default_of(erased));
                let known = cell.map(|cell| cell.slot).or(default);
                let is_certain = cell.map_or(default.is_some(), |cell| cell.is_certain);
                let slot = self.read(known, is_certain, |outside, heap| {
                    let read = outside.field(object, &field.0, &field.1, heap);
                    read.ok_or_else(|| Why::Field(field.0.clone(), field.1.clone()))
                })?;
                self.heap.set_field(object, field.clone(), slot);
                self.push(slot)
            }
            PUTFIELD => {
                let (value, object) = (self.pop()?, self.pop()?);
                let object = self.object(object)?;
                self.check_has_fields(object)?;
                let value = self.narrowed(value, erased)?;
                self.heap.set_field(object, field.clone(), value);
                Ok(())
            }
            _ => Err(Why::Malformed.into()),
        }
    }

    /// As [`Self::initialize`], of the class of a static field.
    fn initialize_for(&mut self, field: &FieldName, is_written: bool) -> Result<bool, Abrupt> {
        if !self.is_in_platform() || self.is_interpreted(&field.0) {
            return self.initialize(&field.0);
        }
        let has_to_run = self.initialize_platform(field)?;
        if !has_to_run {
            self.check_platform_static(field, is_written)?;
        }
        Ok(has_to_run)
    }

    /// What code of the platform reads as the field `value` of a box.
    fn boxed_value(&self, object: ObjectId, field: &FieldName) -> Option<Slot> {
        let Content::Boxed(value) = &self.heap.get(object).content else { return None };
        (self.is_in_platform() && *field.1 == *"value").then_some(*value)
    }

    /// Strings, builders and boxes have what they are in the place of fields.
    fn check_has_fields(&self, object: ObjectId) -> Result<(), Abrupt> {
        let has_fields = matches!(self.heap.get(object).content, Content::Fields(_));
        if has_fields || !self.is_in_platform() { Ok(()) } else { Err(Why::Platform.into()) }
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
    pub(super) fn constant_of(&mut self, field: &FieldName) -> Option<Slot> {
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
        if self.is_in_platform() && !self.is_interpreted(class) {
            return Ok(false);
        }
        if self.is_recorded() {
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

    pub(super) fn enter_initializer(&mut self, initializer: &MethodName) -> Done {
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
