//! A replay that follows a recording: which calls are interpreted, what was read and returned, which object is which, and whether
//! the replay does the same as the run. `docs/design/recordings.md` says which instruction logs what.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytecode::descriptor::ErasedType;
use bytecode::name::ClassName;
use testcase::recording::{Event, RecordedContent, RecordedId, RecordedMethodId, RecordedValue, Recording};

use crate::interpreter::heap::{Content, Text};
use crate::interpreter::{
    Call, Concrete, Difference, Happening, Heap, MethodName, Mismatch, ObjectId, Outcome, Outside, Slot,
};
use crate::term::pattern::Expression;

/// Where a replay is in its recording.
#[derive(Debug)]
pub struct Following<'r> {
    recording: &'r Recording,
    /// The event that comes next.
    position: usize,
    /// The first one of the next statement.
    limit: usize,
    /// The statement that began last.
    statement: usize,
    /// Objects of the replay by those of the recording.
    objects: Vec<Option<ObjectId>>,
    /// The other way round.
    recorded: BTreeMap<ObjectId, RecordedId>,
    /// Where trials began that may be undone, the innermost last.
    trials: Vec<Trial>,
    /// What was noted since the first of them, with what was there before.
    notes: Vec<Note>,
}

/// Where a trial began.
#[derive(Debug, Clone, Copy)]
struct Trial {
    position: usize,
    notes: usize,
}

/// An object of the replay that was noted as one of the recording.
#[derive(Debug, Clone, Copy)]
struct Note {
    object: ObjectId,
    id: RecordedId,
    object_before: Option<ObjectId>,
    id_before: Option<RecordedId>,
}

impl<'r> Following<'r> {
    /// At the beginning of a recording. All of it belongs to one statement until one begins.
    pub fn new(recording: &'r Recording) -> Self {
        Self {
            recording,
            position: 0,
            limit: recording.events.len(),
            statement: 0,
            objects: vec![None; recording.objects.len()],
            recorded: BTreeMap::new(),
            trials: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// How many events were followed or passed over.
    pub fn position(&self) -> usize {
        self.position
    }

    fn peek(&self) -> Option<Event> {
        (self.position < self.limit).then(|| self.recording.events[self.position].event)
    }

    /// The exception that came to a handler or out of the test next.
    fn next_thrown(&self) -> Option<RecordedId> {
        match self.peek() {
            Some(Event::Caught { exception, .. }) => Some(exception),
            Some(
                Event::Entered(_)
                | Event::Left
                | Event::Returned(_)
                | Event::Read(_)
                | Event::Made(_)
                | Event::Decided(_),
            ) => None,
            None => self.recording.statements.get(self.statement)?.exception,
        }
    }

    fn differs<T>(&self, difference: Difference) -> Result<T, Mismatch> {
        Err(Mismatch::Differs { event: self.position, difference })
    }

    /// The next event does not fit.
    fn unexpected<T>(&self, replayed: &'static str) -> Result<T, Mismatch> {
        let recorded = self.peek();
        if recorded.is_none() && self.limit == self.recording.events.len() && !self.recording.is_complete {
            return Err(Mismatch::Ends);
        }
        self.differs(Difference::Event { replayed, recorded })
    }

    fn is_method(&self, id: RecordedMethodId, method: &MethodName) -> bool {
        self.recording.methods.get(id.index()).is_some_and(|recorded| {
            recorded.class == method.class
                && recorded.name == method.name
                && recorded.descriptor == method.descriptor
        })
    }

    /// Passes over what code that is not interpreted called back: the next event is one of an activation that has begun.
    fn pass_over_callbacks(&mut self) {
        let behind = &self.recording.events[self.position.min(self.limit)..self.limit];
        self.position += behind.iter().take_while(|logged| logged.activation >= self.position).count();
    }

    /// The value of the replay for one of the recording; an object that it does not know yet is added.
    fn slot(&mut self, value: RecordedValue, heap: &mut Heap) -> Slot {
        Slot::of(match value {
            RecordedValue::Int(value) => Concrete::Int(value),
            RecordedValue::Long(value) => Concrete::Long(value),
            RecordedValue::Float(value) => Concrete::Float(value),
            RecordedValue::Double(value) => Concrete::Double(value),
            RecordedValue::Null => Concrete::Null,
            RecordedValue::Reference(id) => Concrete::Reference(self.object(id, heap)),
        })
    }

    fn object(&mut self, id: RecordedId, heap: &mut Heap) -> ObjectId {
        if let Some(known) = self.objects.get(id.index()).copied().flatten() {
            return known;
        }
        let object = match self.recording.objects.get(id.index()) {
            None => heap.seen(ClassName::object()),
            Some(recorded) => match (&recorded.content, &recorded.class) {
                (RecordedContent::Text(units), _) => heap.text(units.clone(), None),
                (RecordedContent::Boxed(value), ErasedType::Class(class)) => {
                    let slot = self.slot(*value, heap);
                    heap.boxed(class.clone(), slot)
                }
                (RecordedContent::Class(of), _) => heap.class_object(of.clone()),
                (RecordedContent::Array(length), ErasedType::Array(element)) => {
                    heap.seen_array((**element).clone(), Slot::int(*length))
                }
                (RecordedContent::Pattern { expression, flags }, _) => {
                    heap.pattern(compiled(expression, *flags))
                }
                (_, ErasedType::Class(class)) => heap.seen(class.clone()),
                (_, ErasedType::Array(_) | ErasedType::Primitive(_)) => heap.seen(ClassName::object()),
            },
        };
        self.note(object, id);
        object
    }

    fn note(&mut self, object: ObjectId, id: RecordedId) {
        let mut object_before = None;
        if let Some(place) = self.objects.get_mut(id.index()) {
            object_before = place.replace(object);
        }
        let id_before = self.recorded.insert(object, id);
        if !self.trials.is_empty() {
            self.notes.push(Note { object, id, object_before, id_before });
        }
    }

    /// Whether an object of the replay may be one of the recording, by what does not change of it. Two objects of the replay
    /// may stand for one string, box, class or lambda: they differ in their terms alone.
    fn fits(&self, object: ObjectId, id: RecordedId, heap: &Heap) -> Result<(), Difference> {
        let Some(recorded) = self.recording.objects.get(id.index()) else { return Err(Difference::Identity) };
        let found = heap.get(object);
        let is_lambda = matches!(found.content, Content::Lambda(_));
        if found.is_own && !is_lambda && found.class != recorded.class {
            return Err(Difference::Class {
                replayed: found.class.clone(),
                recorded: recorded.class.clone(),
            });
        }
        let is_same = match (&found.content, &recorded.content) {
            (Content::Text(text), RecordedContent::Text(units)) => text.units == *units,
            (Content::Boxed(slot), RecordedContent::Boxed(value)) => is_same_number(slot.concrete, *value),
            (Content::Class(of), RecordedContent::Class(class)) => of == class,
            (Content::Array { length, .. }, RecordedContent::Array(count)) => {
                length.concrete == Concrete::Int(*count)
            }
            (Content::Pattern(pattern), RecordedContent::Pattern { expression, .. }) => {
                pattern.units == *expression
            }
            // Code that is not interpreted made the string or the box.
            (Content::Fields(_), _) => true,
            (Content::Builder(_) | Content::Lambda(_) | Content::Matcher(_), RecordedContent::Other) => true,
            _ => false,
        };
        if !is_same {
            return Err(Difference::Content);
        }
        let is_value =
            is_lambda || matches!(found.content, Content::Text(_) | Content::Boxed(_) | Content::Class(_));
        let known = self.objects[id.index()];
        let is_taken = known.is_some_and(|known| known != object)
            || known.is_none() && self.recorded.contains_key(&object);
        if is_taken && !is_value { Err(Difference::Identity) } else { Ok(()) }
    }

    /// Notes that an object of the replay is one of the recording.
    fn bind(&mut self, object: ObjectId, id: RecordedId, heap: &mut Heap) -> Result<(), Mismatch> {
        if self.objects.get(id.index()).copied().flatten() == Some(object) {
            return Ok(());
        }
        if let Err(difference) = self.fits(object, id, heap) {
            return self.differs(difference);
        }
        self.note(object, id);
        if let (Content::Fields(_), Some(recorded)) =
            (&heap.get(object).content, self.recording.objects.get(id.index()))
        {
            let content = match &recorded.content {
                RecordedContent::Text(units) => Content::Text(Text { units: units.clone(), term: None }),
                RecordedContent::Boxed(value) => Content::Boxed(self.slot(*value, heap)),
                RecordedContent::Pattern { expression, flags } => {
                    Content::Pattern(compiled(expression, *flags))
                }
                RecordedContent::Class(_) | RecordedContent::Array(_) | RecordedContent::Other => {
                    return Ok(());
                }
            };
            heap.get_mut(object).content = content;
        }
        Ok(())
    }

    /// Compares a value of the replay with that of the recording.
    fn check(
        &mut self,
        slot: Option<Slot>,
        value: Option<RecordedValue>,
        heap: &mut Heap,
    ) -> Result<(), Mismatch> {
        let replayed = slot.map(|slot| slot.concrete);
        match (replayed, value) {
            (None, None) | (Some(Concrete::Null), Some(RecordedValue::Null)) => Ok(()),
            (Some(Concrete::Reference(object)), Some(RecordedValue::Reference(id))) => {
                self.bind(object, id, heap)
            }
            (Some(concrete), Some(value)) if is_same_number(concrete, value) => Ok(()),
            _ => self.differs(Difference::Value { replayed, recorded: value }),
        }
    }

    fn begin(&mut self, statement: usize) -> Result<(), Mismatch> {
        let statements = &self.recording.statements;
        let Some(begun) = statements.get(statement) else { return self.unexpected("began") };
        let end = self.recording.events.len();
        self.statement = statement;
        self.position = begun.first_event.min(end);
        self.limit = statements.get(statement + 1).map_or(end, |next| next.first_event.min(end));
        Ok(())
    }

    /// Whether statements themselves throw such exceptions, outside of all calls: at a receiver that is null, and where a cast of
    /// what a generic method returned fails.
    fn is_of_statements(class: &ErasedType) -> bool {
        let ErasedType::Class(class) = class else { return false };
        matches!(class.as_str(), "java/lang/ClassCastException" | "java/lang/NullPointerException")
    }

    fn end(&mut self, outcome: Outcome, heap: &mut Heap) -> Result<(), Mismatch> {
        self.pass_over_callbacks();
        if self.peek().is_some() {
            return self.unexpected("ended");
        }
        let Some(&statement) = self.recording.statements.get(self.statement) else { return Ok(()) };
        match (outcome, statement.exception) {
            (Outcome::Threw(object), Some(id)) => self.bind(object, id, heap),
            (Outcome::Returned(slot), None) => match statement.result {
                Some(value) => self.check(slot, Some(value), heap),
                None => Ok(()),
            },
            (Outcome::Returned(_), Some(id))
                if self
                    .recording
                    .objects
                    .get(id.index())
                    .is_some_and(|it| Self::is_of_statements(&it.class)) =>
            {
                Ok(())
            }
            // What statements throw is no object where no instruction made it.
            (Outcome::Threw(object), None)
                if statement.result.is_none() && Self::is_of_statements(&heap.get(object).class) =>
            {
                Ok(())
            }
            (Outcome::Threw(_), None) | (Outcome::Returned(_), Some(_)) => self.unexpected("ended"),
        }
    }
}

fn compiled(expression: &Arc<[u16]>, flags: i32) -> Expression {
    Expression { flags, ..Expression::whole(expression) }
}

/// Whether two numbers are the same datum. There is one NaN for a replay.
fn is_same_number(concrete: Concrete, value: RecordedValue) -> bool {
    match (concrete, value) {
        (Concrete::Int(one), RecordedValue::Int(other)) => one == other,
        (Concrete::Long(one), RecordedValue::Long(other)) => one == other,
        (Concrete::Float(one), RecordedValue::Float(other)) => {
            one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan()
        }
        (Concrete::Double(one), RecordedValue::Double(other)) => {
            one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan()
        }
        _ => false,
    }
}

impl Outside for Following<'_> {
    fn call(&mut self, _call: &Call<'_>, heap: &mut Heap) -> Option<Outcome> {
        self.pass_over_callbacks();
        if let Some(Event::Returned(value)) = self.peek() {
            return Some(Outcome::Returned(value.map(|value| self.slot(value, heap))));
        }
        self.next_exception(heap).map(Outcome::Threw)
    }

    fn field(&mut self, _: ObjectId, _: &ClassName, _: &str, _: &mut Heap) -> Option<Slot> {
        None
    }

    fn static_field(&mut self, _: &ClassName, _: &str, _: &mut Heap) -> Option<Slot> {
        None
    }

    fn element(&mut self, _: ObjectId, _: i32, _: &mut Heap) -> Option<Slot> {
        None
    }

    fn is_initialized(&mut self, _: &ClassName) -> Option<bool> {
        None
    }

    fn identity_hash_code(&mut self, _: ObjectId) -> Option<i32> {
        match self.peek() {
            Some(Event::Returned(Some(RecordedValue::Int(code)))) => Some(code),
            _ => None,
        }
    }

    fn has_recording(&self) -> bool {
        true
    }

    fn begin(&mut self) {
        self.trials.push(Trial { position: self.position, notes: self.notes.len() });
    }

    fn keep(&mut self) {
        self.trials.pop();
        if self.trials.is_empty() {
            self.notes.clear();
        }
    }

    fn undo(&mut self) {
        let Some(trial) = self.trials.pop() else { return };
        self.position = trial.position;
        while self.notes.len() > trial.notes {
            let Some(note) = self.notes.pop() else { return };
            if let Some(place) = self.objects.get_mut(note.id.index()) {
                *place = note.object_before;
            }
            match note.id_before {
                Some(id) => self.recorded.insert(note.object, id),
                None => self.recorded.remove(&note.object),
            };
        }
    }

    fn agrees(&self, outcome: &Outcome, is_statement: bool, heap: &Heap) -> bool {
        let is_same =
            |slot: Option<Slot>, value: Option<RecordedValue>| match (slot.map(|it| it.concrete), value) {
                (None, None) | (Some(Concrete::Null), Some(RecordedValue::Null)) => true,
                (Some(Concrete::Reference(object)), Some(RecordedValue::Reference(id))) => {
                    self.fits(object, id, heap).is_ok()
                }
                (Some(concrete), Some(value)) => is_same_number(concrete, value),
                _ => false,
            };
        let of_statement = || self.recording.statements.get(self.statement);
        match (outcome, self.peek()) {
            (&Outcome::Returned(slot), Some(Event::Returned(value))) => !is_statement && is_same(slot, value),
            (&Outcome::Threw(object), Some(Event::Caught { exception, .. })) => {
                self.fits(object, exception, heap).is_ok()
            }
            (&Outcome::Returned(slot), None) => of_statement().is_some_and(|it| {
                is_statement && it.exception.is_none() && (it.result.is_none() || is_same(slot, it.result))
            }),
            (&Outcome::Threw(object), None) => of_statement()
                .and_then(|it| it.exception)
                .is_some_and(|exception| self.fits(object, exception, heap).is_ok()),
            _ => false,
        }
    }

    fn next_entered(&self) -> Option<MethodName> {
        let Some(Event::Entered(id)) = self.peek() else { return None };
        let method = self.recording.methods.get(id.index())?;
        Some(MethodName {
            class: method.class.clone(),
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
        })
    }

    fn next_decision(&self) -> Option<i64> {
        match self.peek() {
            Some(Event::Decided(decision)) => Some(decision),
            _ => None,
        }
    }

    fn next_threw(&mut self) -> bool {
        self.pass_over_callbacks();
        self.next_thrown().is_some()
    }

    fn next_exception(&mut self, heap: &mut Heap) -> Option<ObjectId> {
        self.next_thrown().map(|exception| self.object(exception, heap))
    }

    fn next_exception_class(&self) -> Option<&ErasedType> {
        self.recording.objects.get(self.next_thrown()?.index()).map(|exception| &exception.class)
    }

    fn statement_outcome(&mut self, heap: &mut Heap) -> Option<Outcome> {
        let statement = *self.recording.statements.get(self.statement)?;
        self.position = self.limit;
        Some(match statement.exception {
            Some(exception) => Outcome::Threw(self.object(exception, heap)),
            None => Outcome::Returned(statement.result.map(|value| self.slot(value, heap))),
        })
    }

    fn read(&mut self, known: Option<Slot>, heap: &mut Heap) -> Result<Option<Slot>, Mismatch> {
        self.pass_over_callbacks();
        let Some(Event::Read(value)) = self.peek() else { return self.unexpected("read") };
        // What differs was written by code that is not interpreted.
        let same = known.filter(|&slot| self.check(Some(slot), Some(value), heap).is_ok());
        let slot = same.unwrap_or_else(|| self.slot(value, heap));
        self.position += 1;
        Ok(Some(slot))
    }

    fn happened(&mut self, happening: &Happening<'_>, heap: &mut Heap) -> Result<(), Mismatch> {
        let name = happening.name();
        if matches!(happening, Happening::Returned(..) | Happening::Caught { .. }) {
            self.pass_over_callbacks();
        }
        match (*happening, self.peek()) {
            (Happening::Began(statement), _) => return self.begin(statement),
            (Happening::Ended(outcome), _) => return self.end(outcome, heap),
            (Happening::Entered(method), Some(Event::Entered(id))) if self.is_method(id, method) => {}
            (Happening::Left, Some(Event::Left)) => {}
            (Happening::Returned(slot, object), Some(Event::Returned(value))) => {
                self.check(slot, value, heap)?;
                if let (Some(object), Some(&Event::Made(id))) =
                    (object, self.recording.events.get(self.position + 1).map(|logged| &logged.event))
                    && self.fits(object, id, heap).is_ok()
                {
                    self.position += 1;
                    self.bind(object, id, heap)?;
                }
            }
            (Happening::Made(object), Some(Event::Made(id))) => self.bind(object, id, heap)?,
            (
                Happening::Caught { method, handler, exception },
                Some(Event::Caught { method: id, handler: recorded, exception: caught }),
            ) if self.is_method(id, method) && handler == recorded => {
                self.bind(exception, caught, heap)?;
            }
            (Happening::Decided(replayed), Some(Event::Decided(recorded))) => {
                if replayed != recorded {
                    return self.differs(Difference::Decision { replayed, recorded });
                }
            }
            (
                Happening::Entered(_)
                | Happening::Left
                | Happening::Returned(..)
                | Happening::Made(_)
                | Happening::Caught { .. }
                | Happening::Decided(_),
                _,
            ) => return self.unexpected(name),
        }
        self.position += 1;
        Ok(())
    }
}
