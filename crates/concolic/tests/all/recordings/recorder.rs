//! A recorder without a JVM: it logs what the interpreter does when it is told everything.

use std::collections::BTreeMap;

use bytecode::name::ClassName;
use concolic::interpreter::{
    Call, Concrete, Content, Happening, Heap, MethodName, Mismatch, ObjectId, Outcome, Outside, Slot,
};
use testcase::recording::{
    Event, LoggedEvent, RecordedContent, RecordedId, RecordedMethod, RecordedMethodId, RecordedObject,
    RecordedStatement, RecordedValue, Recording,
};

/// Logs a run. Of other code it knows square roots and constructors that do nothing.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    pub(crate) recording: Recording,
    ids: BTreeMap<ObjectId, RecordedId>,
    /// The activations of methods that have begun, the innermost last.
    active: Vec<usize>,
}

impl Recorder {
    /// Logs an event. Where an exception went is known from the handler that it came to.
    fn log(&mut self, event: Event) {
        let place = self.recording.events.len();
        match event {
            Event::Entered(_) => self.active.push(place),
            Event::Caught { method, .. } => {
                let events = &self.recording.events;
                let began = |&activation: &usize| events[activation].event == Event::Entered(method);
                let innermost = self.active.iter().rposition(began).expect("the method has begun");
                self.active.truncate(innermost + 1);
            }
            Event::Left | Event::Returned(_) | Event::Read(_) | Event::Made(_) | Event::Decided(_) => {}
        }
        let activation = *self.active.last().expect("a method has begun");
        self.recording.events.push(LoggedEvent { activation, event });
        if event == Event::Left {
            self.active.pop();
        }
    }

    fn method(&mut self, method: &MethodName) -> RecordedMethodId {
        let method = RecordedMethod {
            class: method.class.clone(),
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
        };
        let methods = &mut self.recording.methods;
        let place = methods.iter().position(|known| *known == method).unwrap_or_else(|| {
            methods.push(method);
            methods.len() - 1
        });
        RecordedMethodId(place as u32)
    }

    fn id(&mut self, object: ObjectId, heap: &Heap) -> RecordedId {
        if let Some(&known) = self.ids.get(&object) {
            return known;
        }
        let found = heap.get(object);
        let content = match &found.content {
            Content::Text(text) => RecordedContent::Text(text.units.clone()),
            Content::Boxed(slot) => RecordedContent::Boxed(self.value(*slot, heap)),
            Content::Class(of) => RecordedContent::Class(of.clone()),
            Content::Pattern(pattern) => {
                RecordedContent::Pattern { expression: pattern.units.clone(), flags: pattern.flags }
            }
            Content::Array { length: Slot { concrete: Concrete::Int(length), .. }, .. } => {
                RecordedContent::Array(*length)
            }
            _ => RecordedContent::Other,
        };
        let id = RecordedId(self.recording.objects.len() as u32);
        self.recording.objects.push(RecordedObject { class: found.class.clone(), content });
        self.ids.insert(object, id);
        id
    }

    fn value(&mut self, slot: Slot, heap: &Heap) -> RecordedValue {
        match slot.concrete {
            Concrete::Int(value) => RecordedValue::Int(value),
            Concrete::Long(value) => RecordedValue::Long(value),
            Concrete::Float(value) => RecordedValue::Float(value),
            Concrete::Double(value) => RecordedValue::Double(value),
            Concrete::Null => RecordedValue::Null,
            Concrete::Reference(object) => RecordedValue::Reference(self.id(object, heap)),
        }
    }
}

impl Outside for Recorder {
    fn call(&mut self, call: &Call<'_>, _: &mut Heap) -> Option<Outcome> {
        match (call.name, call.arguments) {
            ("sqrt", [Slot { concrete: Concrete::Double(value), .. }]) => {
                Some(Outcome::Returned(Some(Slot::of(Concrete::Double(value.sqrt())))))
            }
            ("<init>", _) => Some(Outcome::Returned(None)),
            ("singletonList", _) => Some(Outcome::Returned(Some(Slot::NULL))),
            _ => None,
        }
    }

    fn field(&mut self, _: ObjectId, _: &ClassName, _: &str, _: &mut Heap) -> Option<Slot> {
        // The value of the field is put into the log by the test.
        Some(Slot::int(5))
    }

    fn static_field(&mut self, _: &ClassName, _: &str, _: &mut Heap) -> Option<Slot> {
        None
    }

    fn element(&mut self, _: ObjectId, _: i32, _: &mut Heap) -> Option<Slot> {
        None
    }

    fn is_initialized(&mut self, _: &ClassName) -> Option<bool> {
        Some(false)
    }

    fn identity_hash_code(&mut self, _: ObjectId) -> Option<i32> {
        Some(77)
    }

    fn read(&mut self, known: Option<Slot>, heap: &mut Heap) -> Result<Option<Slot>, Mismatch> {
        if let Some(slot) = known {
            let value = self.value(slot, heap);
            self.log(Event::Read(value));
        }
        Ok(known)
    }

    fn happened(&mut self, happening: &Happening<'_>, heap: &mut Heap) -> Result<(), Mismatch> {
        let event = match *happening {
            Happening::Began(_) => {
                let first_event = self.recording.events.len();
                let statement = RecordedStatement { first_event, result: None, exception: None };
                self.recording.statements.push(statement);
                self.active.clear();
                return Ok(());
            }
            Happening::Ended(outcome) => {
                let (mut result, mut exception) = (None, None);
                match outcome {
                    Outcome::Returned(slot) => result = slot.map(|slot| self.value(slot, heap)),
                    Outcome::Threw(object) => exception = Some(self.id(object, heap)),
                }
                let statement = self.recording.statements.last_mut().expect("a statement began");
                (statement.result, statement.exception) = (result, exception);
                return Ok(());
            }
            Happening::Entered(method) => Event::Entered(self.method(method)),
            Happening::Left => Event::Left,
            Happening::Returned(slot, constructed) => {
                let value = slot.map(|slot| self.value(slot, heap));
                self.log(Event::Returned(value));
                match constructed {
                    Some(object) => Event::Made(self.id(object, heap)),
                    None => return Ok(()),
                }
            }
            Happening::Made(object) => Event::Made(self.id(object, heap)),
            Happening::Caught { method, handler, exception } => {
                let (method, exception) = (self.method(method), self.id(exception, heap));
                Event::Caught { method, handler, exception }
            }
            Happening::Decided(decision) => Event::Decided(decision),
        };
        self.log(event);
        Ok(())
    }
}
