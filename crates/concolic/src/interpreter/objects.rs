//! Objects: `new` and the instructions that make arrays, `checkcast`, `instanceof`, monitors (JVMS 6.5).

use bytecode::descriptor::ErasedType;
use bytecode::instruction::Operand;
use bytecode::opcode::*;

use crate::interpreter::code::{Prepared, Resolved};
use crate::interpreter::machine::{Done, Interpreter};
use crate::interpreter::{Concrete, Happening, ObjectId, Slot, TypeFact, Way, Why, arrays};

impl Interpreter<'_> {
    pub(super) fn make(&mut self, instruction: &Prepared) -> Done {
        match (instruction.opcode, &instruction.constant, &instruction.operand) {
            (NEW, Resolved::Class(ErasedType::Class(class)), _) => {
                if self.initialize(class)? {
                    return Ok(());
                }
                let object = self.heap.made(class.clone());
                self.push(Slot::reference(object))
            }
            (NEWARRAY, _, &Operand::ArrayType(code)) => {
                let element = arrays::element_type(code).ok_or(Why::Malformed)?;
                let (_, length) = self.pop_int()?;
                let array = self.new_array(element, length)?;
                self.happened(&Happening::Made(array))?;
                self.push(Slot::reference(array))
            }
            (ANEWARRAY, Resolved::Class(element), _) => {
                let (_, length) = self.pop_int()?;
                let array = self.new_array(element.clone(), length)?;
                self.happened(&Happening::Made(array))?;
                self.push(Slot::reference(array))
            }
            (MULTIANEWARRAY, Resolved::Class(erased), &Operand::MultiArray(_, dimensions)) => {
                self.new_arrays(erased, dimensions)
            }
            (ARRAYLENGTH, _, _) => self.array_length(),
            _ => Err(Why::Malformed.into()),
        }
    }

    /// Whether an object is of a type (JVMS 6.5, `instanceof`).
    pub(super) fn is_instance(&self, object: ObjectId, target: &ErasedType) -> bool {
        self.hierarchy.is_erased_subtype(&self.heap.get(object).class, target)
    }

    /// As [`Self::is_instance`]. Of an object of a class that no class file tells of (a lambda, a proxy) the recording may know:
    /// the branch behind a test decides on it, and behind a cast that failed comes its exception.
    fn is_instance_or_recorded(&self, object: ObjectId, target: &ErasedType, is_cast: bool) -> bool {
        let is_known = self.heap.class_of(object).is_none_or(|class| self.hierarchy.class(class).is_some());
        let is_array = matches!(target, ErasedType::Array(_));
        if is_known || is_array || !self.is_recorded() {
            return self.is_instance(object, target);
        }
        if !is_cast {
            return self.outside.next_decision().is_some_and(|decision| decision != 0);
        }
        let thrown = self.outside.next_exception_class();
        !matches!(thrown, Some(ErasedType::Class(class)) if class.as_str() == "java/lang/ClassCastException")
    }

    pub(super) fn test_type(&mut self, instruction: &Prepared) -> Done {
        let Resolved::Class(target) = &instruction.constant else { return Err(Why::Malformed.into()) };
        let reference = self.pop()?;
        let is_cast = instruction.opcode == CHECKCAST;
        let Concrete::Reference(object) = reference.concrete else {
            // Null is of no type, and every cast lets it pass.
            if let Some(term) = reference.term {
                self.note(Some(term), if is_cast { Way::Completed } else { Way::FellThrough });
            }
            return self.push(if is_cast { reference } else { Slot::int(0) });
        };
        let holds = self.is_instance_or_recorded(object, target, is_cast);
        if let Some(site) = self.site() {
            let target = match target {
                ErasedType::Class(class) => class.to_string(),
                ErasedType::Array(_) | ErasedType::Primitive(_) => target.descriptor(),
            };
            self.facts.push(TypeFact { object, target, holds, site });
        }
        // Null goes the other way only where a cast fails or a test succeeds.
        if let Some(term) = reference.term.filter(|_| is_cast != holds) {
            let is_there = self.terms.not(term);
            self.note(Some(is_there), if is_cast { Way::Threw } else { Way::Completed });
        }
        match (is_cast, holds) {
            (true, true) => self.push(reference),
            (true, false) => Err(self.throw("java/lang/ClassCastException")),
            (false, _) => self.push(Slot::int(holds.into())),
        }
    }

    /// Monitors are taken and left by one thread: they only ask for an object.
    pub(super) fn monitor(&mut self) -> Done {
        let object = self.pop()?;
        self.object(object).map(|_| ())
    }
}
