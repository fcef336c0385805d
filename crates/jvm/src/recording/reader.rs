//! From the log of a run to its recording.

use bytecode::instruction::InstructionIndex;
use bytecode::instrument::LoggedMethods;
use bytecode::name::ClassName;
use testcase::recording::{
    Event, LoggedEvent, RecordedId, RecordedMethod, RecordedMethodId, RecordedStatement, RecordedValue,
    Recording,
};

use super::log::Log;
use super::objects::{self, Identities, Width, primitive_value};
use crate::boot::Jvm;
use crate::jni::{Env, Java, Kind, Pending, Ref, jvalue};

/// Local references that reading needs, beside one per class.
const REFERENCES: usize = 256;

/// Kinds of events, as `covolve.runtime.Record` numbers them: in the last bits, the kind of the value above them.
const EVENT: u8 = 7;
const ENTERED: u8 = 0;
const LEFT: u8 = 1;
const RETURNED: u8 = 2;
const READ: u8 = 3;
const MADE: u8 = 4;
const CAUGHT: u8 = 5;
const DECIDED: u8 = 6;

/// Kinds of values, as it numbers them.
const INT: u8 = 1;
const LONG: u8 = 2;
const FLOAT: u8 = 3;
const DOUBLE: u8 = 4;
const REFERENCE: u8 = 5;

/// What a run did beside what is in the log.
pub(crate) struct LoggedRun<'a, 'f> {
    /// Number of events before each statement that began.
    pub(crate) first_events: &'a [usize],
    /// Values of the variables of the statements that completed, with their kinds.
    pub(crate) results: &'a [(jvalue, Option<Kind>)],
    /// The exception that ended it.
    pub(crate) exception: Option<Ref<'f>>,
    /// Whether this JVM checks the use of JNI.
    pub(crate) is_checked: bool,
}

/// Reads what a run logged, and lets go of its objects. Nothing may be pending, and no probe records.
pub(crate) fn read(jvm: &Jvm, env: Env<'_>, log: &Log, run: &LoggedRun<'_, '_>) -> Java<Recording> {
    env.frame(REFERENCES, |env| {
        let recording = read_in(jvm, env, log, run);
        if recording.is_err() {
            env.clear();
        }
        log.forget(env);
        recording
    })
}

fn read_in(jvm: &Jvm, env: Env<'_>, log: &Log, run: &LoggedRun<'_, '_>) -> Java<Recording> {
    let arrays = log.arrays(env)?;
    let count = log.count(env);
    let width: Width = if run.is_checked { None } else { objects::width(env, arrays.pattern) };
    let places = run.results.len() + 1;
    let own = env.new_object_array(jvm.jdk.object.get(), places)?.ok_or(Pending)?;
    let values = run.results.iter().map(|(value, kind)| (*value, *kind == Some(Kind::Object)));
    let exception = run.exception.into_iter().map(|exception| (exception.value(), true));
    for (index, (value, _)) in values.chain(exception).enumerate().filter(|(_, (_, is_object))| *is_object) {
        // SAFETY: an array of objects and a reference, by its kind.
        unsafe { env.set_element(own, index, Kind::Object, value) }?;
    }
    let holders = [(arrays.references, count), (own, places)];
    let identities = Identities::of(env, width, &holders)?;
    let objects = identities.describe((env, jvm.agent, jvm.jdk), &holders)?;
    // SAFETY: arrays of these types, which are at least that long; nothing is called while they are held.
    let held = unsafe {
        (
            env.critical::<u8>(arrays.kinds, count),
            env.critical::<i64>(arrays.values, count),
            env.critical::<i32>(arrays.activations, count),
        )
    };
    let (Some(kinds), Some(numbers), Some(activations)) = held else { return Err(Pending) };
    let (kinds, numbers, activations) = (kinds.to_vec(), numbers.to_vec(), activations.to_vec());
    let id = |place: usize| identities.ids.get(place).copied().flatten();
    let mut reader = Reader::default();
    let logged = kinds.iter().zip(&numbers).zip(&activations).enumerate();
    let events = logged.filter_map(|(place, ((kind, number), activation))| {
        let event = reader.event(*kind, *number, id(place))?;
        Some(LoggedEvent { event, activation: *activation as usize })
    });
    let events: Vec<LoggedEvent> = events.collect();
    let methods = jvm.transformer().with_logged(|logged| reader.methods(logged));
    let statements = statements(run, |index| id(count + index));
    Ok(Recording { methods, objects, events, statements, is_complete: !log.is_full(env) })
}

fn statements(run: &LoggedRun<'_, '_>, id: impl Fn(usize) -> Option<RecordedId>) -> Vec<RecordedStatement> {
    let completed = run.results.len();
    let exception = run.exception.and_then(|_| id(completed));
    let result = |(index, (value, kind)): (usize, &(jvalue, Option<Kind>))| {
        let kind = (*kind)?;
        if matches!(kind, Kind::Object) {
            return Some(id(index).map_or(RecordedValue::Null, RecordedValue::Reference));
        }
        primitive_value(*value, kind)
    };
    let results = run.results.iter().enumerate().map(result);
    let results = results.map(|result| (result, None)).chain([(None, exception)]);
    let began = run.first_events.iter().zip(results);
    began
        .map(|(&first_event, (result, exception))| RecordedStatement { first_event, result, exception })
        .collect()
}

/// Reads events, and numbers the methods that they name.
#[derive(Debug, Default)]
struct Reader {
    /// By number of the log, one more than that of the recording; 0 for those that no event has named.
    numbers: Vec<u32>,
    /// Numbers of the log by those of the recording.
    named: Vec<u32>,
}

impl Reader {
    fn event(&mut self, kind: u8, number: i64, object: Option<RecordedId>) -> Option<Event> {
        let value = match kind >> 3 {
            INT => Some(RecordedValue::Int(number as i32)),
            LONG => Some(RecordedValue::Long(number)),
            FLOAT => Some(RecordedValue::Float(f32::from_bits(number as u32))),
            DOUBLE => Some(RecordedValue::Double(f64::from_bits(number as u64))),
            REFERENCE => Some(object.map_or(RecordedValue::Null, RecordedValue::Reference)),
            _ => None,
        };
        match kind & EVENT {
            ENTERED => Some(Event::Entered(self.method(number as u32))),
            LEFT => Some(Event::Left),
            RETURNED => Some(Event::Returned(value)),
            READ => Some(Event::Read(value?)),
            MADE => Some(Event::Made(object?)),
            CAUGHT => Some(Event::Caught {
                method: self.method((number >> 32) as u32),
                handler: InstructionIndex(number as u32),
                exception: object?,
            }),
            DECIDED => Some(Event::Decided(number)),
            _ => None,
        }
    }

    fn method(&mut self, number: u32) -> RecordedMethodId {
        let place = number as usize;
        if self.numbers.len() <= place {
            self.numbers.resize(place + 1, 0);
        }
        let named = self.named.len() as u32;
        let Some(known) = self.numbers.get_mut(place) else { return RecordedMethodId(named) };
        if *known == 0 {
            self.named.push(number);
            *known = named + 1;
        }
        RecordedMethodId(*known - 1)
    }

    /// The methods by number of the recording.
    fn methods(&self, logged: &LoggedMethods) -> Vec<RecordedMethod> {
        let names = self.named.iter().filter_map(|number| logged.get(*number));
        names
            .map(|method| RecordedMethod {
                class: ClassName::new(&*method.class),
                name: (*method.name).into(),
                descriptor: (*method.descriptor).into(),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_keep_their_values_and_methods_are_numbered_as_they_come() {
        let mut reader = Reader::default();
        let mut check = |kind: u8, number: i64, object: Option<u32>, expect: Event| {
            assert_eq!(reader.event(kind, number, object.map(RecordedId)), Some(expect));
        };
        let (method, instruction) = (RecordedMethodId, InstructionIndex);
        check(ENTERED, 7, None, Event::Entered(method(0)));
        check(ENTERED, 3, None, Event::Entered(method(1)));
        check(LEFT, 0, None, Event::Left);
        check(RETURNED, 0, None, Event::Returned(None));
        check(RETURNED | INT << 3, -1, None, Event::Returned(Some(RecordedValue::Int(-1))));
        check(READ | LONG << 3, 1 << 40, None, Event::Read(RecordedValue::Long(1 << 40)));
        check(READ | FLOAT << 3, 0x3fc0_0000, None, Event::Read(RecordedValue::Float(1.5)));
        let half = 0.5f64.to_bits() as i64;
        check(READ | DOUBLE << 3, half, None, Event::Read(RecordedValue::Double(0.5)));
        check(READ | REFERENCE << 3, 0, None, Event::Read(RecordedValue::Null));
        check(MADE | REFERENCE << 3, 0, Some(2), Event::Made(RecordedId(2)));
        let exception = RecordedId(4);
        let caught = Event::Caught { method: method(0), handler: instruction(9), exception };
        check(CAUGHT | REFERENCE << 3, 7 << 32 | 9, Some(4), caught);
        check(DECIDED, -5 << 32 | 2, None, Event::Decided(-5 << 32 | 2));
        assert_eq!(reader.named, [7, 3]);
    }
}
