//! Reads values as a test can assert them.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::descriptor::PrimitiveType;
use bytecode::name::ClassName;
use bytecode::stub_class::widens_characters;
use testcase::assertion::{
    Container, FileState, ObservationTarget, ObservedValue, SeenFile, Sequence, StubCall, has_identity_hash,
};
use testcase::cluster::{CallableId, StubId, StubMethod, TypeId};
use testcase::jdk_values;
use testcase::statement::VarRef;
use testcase::value::{JavaString, Value};

use crate::jni::{Env, Java, Kind, Pending, Ref, jvalue};
use crate::lower::{Raised, Run, RunException, inspect, inspect_object, read_field};
use crate::resolve::Resolution;
use crate::stubs::is_stub;
use crate::thrown::is_made_on_class_path;

/// Longest array whose elements are listed.
const LONGEST_ARRAY: usize = 32;
/// Longest string that is read; longer ones are not worth an assertion.
const LONGEST_STRING: usize = 4096;
/// A stream whose text is that of bytes.
const BYTES: &str = "java/io/ByteArrayOutputStream";
/// Local references that reading one element needs, besides those of what it holds.
const SPARE_REFERENCES: usize = 16;
/// How deep arrays in arrays are listed.
const DEEPEST: u32 = 1;

/// Reads what a point asks for. What throws on the way, and what there is nothing to read of, gives `None`. Inspectors that recurse until
/// the stack is full are noted among the `endless`.
pub(crate) fn observe(
    run: &Run<'_, '_>,
    target: ObservationTarget,
    endless: &mut BTreeSet<CallableId>,
) -> Option<ObservedValue> {
    let env = run.env;
    let observed = env.frame(2 * LONGEST_ARRAY, |_| match target {
        ObservationTarget::Value(variable) => {
            let of = run.type_of(variable)?;
            read(run, run.value(variable), of)
        }
        ObservationTarget::Inspector(variable, callable) => {
            let inspector = run.cluster.callable(callable);
            let value = answered(run, callable, inspect(run, callable, variable), endless)?;
            let read = read(run, value, inspector.result?)?;
            // What other bytes say depends on the default charset of the machine.
            let is_of_bytes = inspector.declared_in.as_str() == BYTES && &*inspector.name == "toString";
            (!is_of_bytes || is_plain(&read)).then_some(read)
        }
        ObservationTarget::Nested(variable, outer, inner) => {
            let of = run.cluster.callable(inner).result?;
            // A stub speaks by its script, which must not go on because somebody looks.
            let is_stub = |object| is_stub(&run.jdk.internal_name(env, env.class_of(object)));
            let is_of_jdk = run.cluster.callable(outer).declared_in.is_platform();
            if is_of_jdk && run.reference(variable).is_some_and(is_stub) {
                return None;
            }
            let held = answered(run, outer, inspect(run, outer, variable), endless)?;
            // SAFETY: objects are asked for what they hold, by the types of their inspectors.
            let held = unsafe { Ref::new(held.l) }?;
            if is_stub(held) {
                return None;
            }
            let held = match run.cluster.element_of_result(outer) {
                Some(getter) => {
                    let element = answered(run, getter, inspect_object(run, getter, held), endless)?;
                    // SAFETY: elements of lists and optionals are objects.
                    unsafe { Ref::new(element.l) }.filter(|&element| !is_stub(element))?
                }
                None => held,
            };
            let value = answered(run, inner, inspect_object(run, inner, held), endless)?;
            read(run, value, of)
        }
        ObservationTarget::Field(variable, field) => {
            let value = read_field(run, field, variable).ok()?;
            read(run, value, run.cluster.field(field).of)
        }
        ObservationTarget::Calls(variable, stub) => calls(run, variable, stub).ok().flatten(),
        ObservationTarget::Elements(variable, sequence) => {
            let object = run.reference(variable)?;
            elements_of(run, object, sequence).ok().flatten()
        }
        ObservationTarget::Printed(stream) => {
            let text = run.runtime.printed(env, stream).ok().flatten()?;
            string_value(env, text)
        }
        ObservationTarget::Files => files(run).ok().flatten(),
        ObservationTarget::Message => message(run).ok().flatten(),
        ObservationTarget::Cause => cause(run).ok().flatten(),
        ObservationTarget::Same(one, other) => {
            let is_reference = |of: TypeId| of.as_primitive().is_none();
            let are_references =
                run.type_of(one).is_some_and(is_reference) && run.type_of(other).is_some_and(is_reference);
            let same = env.is_same(run.reference(one), run.reference(other));
            are_references.then_some(ObservedValue::Primitive(Value::Boolean(same)))
        }
    });
    env.clear();
    observed
}

/// What an inspector gave; `None` if it threw.
fn answered(
    run: &Run<'_, '_>,
    inspector: CallableId,
    answer: Result<jvalue, Raised>,
    endless: &mut BTreeSet<CallableId>,
) -> Option<jvalue> {
    let raised = match answer {
        Ok(value) => return Some(value),
        Err(raised) => raised,
    };
    let thrown = matches!(raised, Raised::Pending).then(|| run.env.take_exception()).flatten()?;
    if run.jdk.internal_name(run.env, run.env.class_of(thrown)).as_str() == "java/lang/StackOverflowError" {
        endless.insert(inspector);
    }
    None
}

/// The files of the test's folder; `None` where these are too many, or their names are no ASCII.
fn files(run: &Run<'_, '_>) -> Java<Option<ObservedValue>> {
    let env = run.env;
    let Some(told) = run.runtime.files(env)? else { return Ok(None) };
    let text = |index: usize| -> Java<String> {
        // SAFETY: an array of strings.
        unsafe { env.element(told, index).map(|text| text.map(|text| env.text(text)).unwrap_or_default()) }
    };
    let length = env.array_length(told);
    let files = (0..length).step_by(2).map(|index| {
        env.frame(SPARE_REFERENCES, |_| {
            let (name, told) = (text(index)?, text(index + 1)?);
            Ok(seen_file(name, &told))
        })
    });
    let files: Option<Vec<SeenFile>> = files.collect::<Java<_>>()?;
    Ok(files.map(ObservedValue::Files))
}

/// A file of which this is told, as the class `SeenFiles` of the runtime says it.
fn seen_file(name: String, told: &str) -> Option<SeenFile> {
    let mut told = told.chars();
    let is_prepared = told.next()? == '=';
    let state = match told.next()? {
        '-' => FileState::Absent,
        '/' => FileState::Folder,
        't' => FileState::Text(told.as_str().into()),
        _ => FileState::Bytes(told.as_str().parse().ok()?),
    };
    Some(SeenFile { name, state, is_prepared })
}

/// The message of the exception that ended the run, where code of the class path composed it: it made and threw the exception, and
/// what it says is not what the cause says.
fn message(run: &Run<'_, '_>) -> Java<Option<ObservedValue>> {
    let (env, jdk) = (run.env, run.jdk);
    let Some(RunException { object, is_by_project: true }) = run.exception else { return Ok(None) };
    if !is_made_on_class_path(env, jdk, object) {
        return Ok(None);
    }
    let Some(message) = jdk.message(env, object)? else { return Ok(None) };
    if let Some(cause) = jdk.cause(env, object)?
        && let Some(quoted) = jdk.message(env, cause)?
    {
        // SAFETY: messages are strings.
        let (text, quoted) = unsafe { (env.text(message), env.text(quoted)) };
        if text.contains(&quoted) {
            return Ok(None);
        }
    }
    Ok(string_value(env, message))
}

/// The class of the cause of the exception that ended the run.
fn cause(run: &Run<'_, '_>) -> Java<Option<ObservedValue>> {
    let Some(RunException { object, is_by_project: true }) = run.exception else { return Ok(None) };
    let cause = run.jdk.cause(run.env, object)?;
    Ok(cause.map(|cause| ObservedValue::Class(run.jdk.class_name(run.env, run.env.class_of(cause)))))
}

/// The calls of an object that the test implements itself; `None` of another object, where there were too many, and where one was passed
/// what a text does not tell.
fn calls(run: &Run<'_, '_>, variable: VarRef, id: StubId) -> Java<Option<ObservedValue>> {
    let env = run.env;
    let (Resolution::Found(handle), Some(object)) = (run.handles.stub(id), run.reference(variable)) else {
        return Ok(None);
    };
    // Who varies a test may have put another object in the place of the stub.
    if !env.is_instance(object, handle.class.get()) {
        return Ok(None);
    }
    let methods = &run.cluster.stub(id).methods;
    // SAFETY: an object of the stub's class, which has the field, and that holds scripts; these give arrays of arrays of strings.
    unsafe {
        let Some(script) = env.get_object(object, handle.script) else { return Ok(None) };
        let Some(recorded) = run.runtime.recorded_calls(env, script)? else { return Ok(None) };
        let Some(passed) = run.runtime.passed_in_calls(env, script)? else { return Ok(None) };
        let length = env.array_length(recorded);
        let mut calls = Vec::with_capacity(length);
        for index in 0..length {
            let Some(call) = env.element(recorded, index)? else { return Ok(None) };
            let Some(arguments) = env.element(passed, index)? else { return Ok(None) };
            let told = env.frame(LONGEST_ARRAY, |_| stub_call(run, methods, (call, arguments)))?;
            let Some(told) = told else { return Ok(None) };
            calls.push(told);
        }
        Ok(Some(ObservedValue::Calls(calls)))
    }
}

/// A call as a test tells it.
///
/// # Safety
/// The call is an array of strings, what was passed one of objects, as many as the method has parameters.
unsafe fn stub_call(
    run: &Run<'_, '_>,
    methods: &[StubMethod],
    (call, arguments): (Ref<'_>, Ref<'_>),
) -> Java<Option<StubCall>> {
    let env = run.env;
    // SAFETY: the caller's promise.
    let text = |index: usize| unsafe {
        env.element(call, index)
            .map(|text| text.map(|text| JavaString::new(env.string_units(text, env.string_length(text)))))
    };
    let Some(number) = text(0)?.and_then(|number| number.to_string().parse::<u16>().ok()) else {
        return Ok(None);
    };
    let Some(method) = methods.get(usize::from(number)) else { return Ok(None) };
    let result = method.result.map(|of| run.cluster.ty(of).erased.clone());
    let mut units: Vec<u16> = format!("{}(", method.name).encode_utf16().collect();
    let (mut is_first, mut objects) = (true, Vec::new());
    for (index, parameter) in method.parameters.iter().enumerate() {
        if !run.cluster.is_told_by_text(parameter.of) {
            // SAFETY: the caller's promise.
            let argument = unsafe { env.element(arguments, index) }?;
            objects.push(argument.and_then(|argument| run.holder_of(argument)));
            continue;
        }
        let Some(argument) = text(1 + index)? else { return Ok(None) };
        units.extend(if is_first { "" } else { ", " }.encode_utf16());
        let is_character = parameter.of.as_primitive() == Some(PrimitiveType::Char);
        match argument.to_string().parse::<u16>() {
            Ok(character) if is_character && widens_characters(result.as_ref()) => units.push(character),
            Ok(_) | Err(_) => units.extend_from_slice(argument.units()),
        }
        is_first = false;
    }
    units.extend(")".encode_utf16());
    Ok((units.len() <= LONGEST_STRING).then(|| StubCall {
        method: number,
        text: JavaString::new(units),
        objects,
    }))
}

/// A variable's value.
fn read(run: &Run<'_, '_>, value: jvalue, of: TypeId) -> Option<ObservedValue> {
    if let Some(primitive) = of.as_primitive() {
        return Some(ObservedValue::Primitive(primitive_value(value, primitive)));
    }
    // SAFETY: a reference, by its type, of the frame of this run.
    match unsafe { Ref::new(value.l) } {
        None => Some(ObservedValue::Null),
        Some(object) if run.cluster.changed_by_looking.contains(of.index()) => {
            let class = run.jdk.internal_name(run.env, run.env.class_of(object));
            Some(ObservedValue::Object { class, size: None })
        }
        Some(object) => {
            let shown = object_value(run, object, 0).ok().flatten()?;
            let ObservedValue::Object { class, size: None } = &shown else { return Some(shown) };
            // A type of which nothing can be asked, `Object` say, leaves what the object says of itself.
            let describes_itself = !is_stub(class) && !run.cluster.tells(of);
            let text = describes_itself.then(|| description(run, object)).flatten();
            Some(text.unwrap_or(shown))
        }
    }
}

/// What an object of the class path says of itself; `None` where that throws, tells its identity or is too long.
fn description(run: &Run<'_, '_>, object: Ref<'_>) -> Option<ObservedValue> {
    let text = run.runtime.describe(run.env, object).inspect_err(|_| run.env.clear()).ok()??;
    text_value(run.env, text, None)
}

/// What `toString` gave, where it tells no identity and is not too long.
fn text_value(env: Env<'_>, text: Ref<'_>, size: Option<u32>) -> Option<ObservedValue> {
    let Some(ObservedValue::Primitive(Value::String(text))) = string_value(env, text) else { return None };
    (!has_identity_hash(&text.to_string())).then_some(ObservedValue::Text { text, size })
}

fn primitive_value(value: jvalue, primitive: PrimitiveType) -> Value {
    // SAFETY: the member of the union is that of the variable's type.
    unsafe {
        match primitive {
            PrimitiveType::Boolean => Value::Boolean(value.z != 0),
            PrimitiveType::Byte => Value::Byte(value.b),
            PrimitiveType::Short => Value::Short(value.s),
            PrimitiveType::Char => Value::Char(value.c),
            PrimitiveType::Int => Value::Int(value.i),
            PrimitiveType::Long => Value::Long(value.j),
            PrimitiveType::Float => Value::Float(value.f),
            PrimitiveType::Double => Value::Double(value.d),
        }
    }
}

fn object_value(run: &Run<'_, '_>, object: Ref<'_>, depth: u32) -> Java<Option<ObservedValue>> {
    let (env, jdk) = (run.env, run.jdk);
    let class = env.class_of(object);
    if env.is_same(Some(class), Some(jdk.string.get())) {
        let text = string_value(env, object);
        return Ok(text.or_else(|| (depth == 0).then(|| long_text(env, object))));
    }
    if let Some(boxed) = jdk.boxed_type_of(env, class) {
        return Ok(Some(ObservedValue::Boxed(primitive_value(boxed.unbox(env, object), boxed.primitive))));
    }
    if env.is_same(Some(class), Some(jdk.class.get())) {
        return Ok(Some(ObservedValue::Class(jdk.class_name(env, object))));
    }
    if env.is_instance(object, jdk.enumeration.get()) {
        let constant = jdk.enum_constant(env, object)?;
        return Ok(constant.map(|(class, name)| ObservedValue::EnumConstant(class, name)));
    }
    let name = jdk.internal_name(env, class);
    if let Some(element) = name.as_str().strip_prefix('[') {
        let length = env.array_length(object);
        let listed = if length <= LONGEST_ARRAY && depth <= DEEPEST {
            elements(run, object, element, length, depth)?
        } else {
            None
        };
        return Ok(Some(match listed {
            Some(elements) => ObservedValue::Array(elements),
            None => ObservedValue::Object { class: name, size: u32::try_from(length).ok() },
        }));
    }
    // A stub speaks by its script, which must not go on because somebody looks.
    if is_stub(&name) {
        return Ok(Some(ObservedValue::Object { class: name, size: None }));
    }
    if let Some(shown) = container(run, object, depth)? {
        return Ok(Some(shown));
    }
    let size = jdk.size(env, object)?;
    let text = if jdk_values::is_value(&name) {
        run.runtime.print(env, object)?
    } else {
        run.runtime.text(env, object)?
    };
    let text = text.and_then(|text| text_value(env, text, size));
    Ok(Some(text.unwrap_or(ObservedValue::Object { class: name, size })))
}

/// A container by what it holds; `None` of another object, and where something that it holds cannot be asserted.
fn container(run: &Run<'_, '_>, object: Ref<'_>, depth: u32) -> Java<Option<ObservedValue>> {
    if depth > DEEPEST {
        return Ok(None);
    }
    let Some(container) = run.runtime.container(run.env, object)? else { return Ok(None) };
    let Some(held) = run.runtime.held(run.env, object, container, LONGEST_ARRAY)? else { return Ok(None) };
    let length = run.env.array_length(held);
    // Arrays in containers are compared by identity.
    let Some(held) = elements(run, held, "L", length, depth)?.filter(|held| {
        !held.iter().any(|value| matches!(value, ObservedValue::Array(_) | ObservedValue::Text { .. }))
    }) else {
        return Ok(None);
    };
    Ok(in_order(container, held).map(|held| ObservedValue::Container(container, held)))
}

/// What a sequence gives; `None` where that is too much, where it throws, and where an element cannot be asserted.
fn elements_of(run: &Run<'_, '_>, object: Ref<'_>, sequence: Sequence) -> Java<Option<ObservedValue>> {
    // A stub speaks by its script, which must not go on because somebody looks.
    if is_stub(&run.jdk.internal_name(run.env, run.env.class_of(object))) {
        return Ok(None);
    }
    let Some(given) = run.runtime.elements(run.env, object, sequence, LONGEST_ARRAY)? else {
        return Ok(None);
    };
    let length = run.env.array_length(given);
    let Some(given) = elements(run, given, "L", length, 0)? else { return Ok(None) };
    if sequence.primitive().is_some() {
        return Ok(Some(ObservedValue::Array(given.into_iter().map(unboxed).collect())));
    }
    // Arrays in a list are compared by identity.
    let is_listed = !given.iter().any(|value| matches!(value, ObservedValue::Array(_)));
    Ok(is_listed.then_some(ObservedValue::Container(Container::List, given)))
}

fn unboxed(value: ObservedValue) -> ObservedValue {
    if let ObservedValue::Boxed(value) = value { ObservedValue::Primitive(value) } else { value }
}

/// What is held in the order of [`Container`]; `None` where a set or map holds the same twice, as one by identity may.
fn in_order(container: Container, mut held: Vec<ObservedValue>) -> Option<Vec<ObservedValue>> {
    match container {
        Container::Set => {
            held.sort_unstable();
            let is_twice = held.iter().zip(held.iter().skip(1)).any(|(one, next)| one == next);
            (!is_twice).then_some(held)
        }
        Container::Map => {
            let mut values = held.into_iter();
            let mut entries: BTreeMap<ObservedValue, ObservedValue> = BTreeMap::new();
            while let (Some(key), Some(value)) = (values.next(), values.next()) {
                if entries.insert(key, value).is_some() {
                    return None;
                }
            }
            Some(entries.into_iter().flat_map(|(key, value)| [key, value]).collect())
        }
        Container::OptionalInt | Container::OptionalLong | Container::OptionalDouble => {
            Some(held.into_iter().map(unboxed).collect())
        }
        Container::List | Container::Ordered | Container::Optional => Some(held),
    }
}

/// Whether a value is a text of printable ASCII, tabs and line ends.
fn is_plain(value: &ObservedValue) -> bool {
    let is_plain = |unit: &u16| matches!(*unit, 0x09 | 0x0a | 0x0d | 0x20..=0x7e);
    matches!(value, ObservedValue::Primitive(Value::String(text)) if text.units().iter().all(is_plain))
}

/// A text of which the length alone is told, as of a long array.
fn long_text(env: Env<'_>, string: Ref<'_>) -> ObservedValue {
    // SAFETY: it was found to be a string.
    let length = unsafe { env.string_length(string) };
    ObservedValue::Object { class: ClassName::string(), size: u32::try_from(length).ok() }
}

fn string_value(env: Env<'_>, string: Ref<'_>) -> Option<ObservedValue> {
    // SAFETY: it was found to be a string.
    unsafe {
        let length = env.string_length(string);
        (length <= LONGEST_STRING).then(|| {
            ObservedValue::Primitive(Value::String(JavaString::new(env.string_units(string, length))))
        })
    }
}

/// The elements of an array; `None` where one of them cannot be asserted.
fn elements(
    run: &Run<'_, '_>,
    array: Ref<'_>,
    element: &str,
    length: usize,
    depth: u32,
) -> Java<Option<Vec<ObservedValue>>> {
    let primitive = element.chars().next().and_then(PrimitiveType::from_descriptor);
    let mut listed = Vec::with_capacity(length);
    for index in 0..length {
        let value = match primitive {
            Some(primitive) => {
                // SAFETY: the array's class names the kind of its elements.
                let value = unsafe { run.env.primitive_element(array, index, Kind::from(primitive)) }?;
                Some(ObservedValue::Primitive(primitive_value(value, primitive)))
            }
            None => run.env.frame(SPARE_REFERENCES, |env| {
                // SAFETY: the array's class says that its elements are references.
                match unsafe { env.element(array, index) }? {
                    None => Ok(Some(ObservedValue::Null)),
                    Some(object) if depth < DEEPEST || !is_array(run, object) => {
                        object_value(run, object, depth + 1)
                    }
                    Some(_) => Ok(None),
                }
            })?,
        };
        match value {
            Some(ObservedValue::Object { .. } | ObservedValue::Text { .. }) | None => return Ok(None),
            Some(value) => listed.push(value),
        }
    }
    Ok(Some(listed))
}

fn is_array(run: &Run<'_, '_>, object: Ref<'_>) -> bool {
    run.jdk.class_name(run.env, run.env.class_of(object)).starts_with('[')
}

/// An error of a run that was cut short while it was observed.
impl From<Raised> for Pending {
    fn from(_: Raised) -> Self {
        Self
    }
}
