//! Objects that the test implements itself.

use testcase::cluster::StubId;
use testcase::statement::{Answer, Script, VarRef};

use super::call::values;
use super::run::{NULL, Raised, Run};
use crate::jni::{Kind, Ref, ZERO, jvalue};
use crate::resolve::Resolution;
use crate::stubs::{CallbackHandle, ResultHandle, StubHandle};
use crate::values::{record_arguments, watched_constructor};

/// What an answer does where it is not the number of a parameter, as `Script` in the run time has it.
const VALUE: i32 = -1;
const THROW: i32 = -2;
/// The first of those that call something: they go on downwards, two for each parameter, the second of which gives what that gives.
const CALL: i32 = -3;

/// Local references that a script needs beside its answers.
const SPARE_REFERENCES: usize = 16;

/// Local references for what one call of something passed is made of.
const ELEMENTS_OF_CALL: usize = 6;

/// A lambda, `new Foo(…) { … }` or a mock. The script is set before any constructor runs, like captured variables.
pub(crate) fn create(run: &mut Run<'_, '_>, stub: StubId, script: &Script) -> Result<jvalue, Raised> {
    let handle = match run.handles.stub(stub) {
        Resolution::Found(handle) => handle,
        Resolution::Failed(exception) => return Err(Raised::Linkage(exception.clone())),
        Resolution::Open => return Err(Raised::Linkage("java/lang/NoClassDefFoundError".into())),
    };
    let constructor = handle.constructor.as_ref();
    if constructor.is_some_and(|constructor| constructor.takes_enclosing_instance)
        && script.arguments.first().is_some_and(|enclosing| run.reference(*enclosing).is_none())
    {
        return Err(NULL);
    }
    let call = match constructor {
        Some(constructor) => Some((constructor, values(run, constructor, &script.arguments)?)),
        None => None,
    };
    // SAFETY: the class was made by us and is not abstract; the field was found in it and holds scripts; the
    // constructor was found in it, and `values` checked every value against its descriptor.
    unsafe {
        let object = run.env.alloc_object(handle.class.get())?;
        // What the script is made of needs no references once it is in the object.
        let answers = script.answers.iter().flatten();
        let elements = answers.filter(|it| matches!(it, Answer::CallBack(..))).count() * ELEMENTS_OF_CALL;
        run.env.frame(script.answers.len() + elements + SPARE_REFERENCES, |_| {
            let answers = make_script(run, handle, script, object)?;
            run.env.set(object, handle.script, Kind::Object, answers);
            Ok::<(), Raised>(())
        })?;
        if let Some((constructor, arguments)) = call {
            if let Some(method) = watched_constructor(constructor.watched.as_ref()) {
                record_arguments(run, method, &arguments);
            }
            run.env.call_constructor(object, constructor.class.get(), constructor.method, &arguments)?;
        }
        Ok(object.value())
    }
}

/// The script of a stub as an object of the run time.
fn make_script(
    run: &Run<'_, '_>,
    handle: &StubHandle,
    script: &Script,
    stub: Ref<'_>,
) -> Result<jvalue, Raised> {
    let (env, methods) = (run.env, handle.results.len());
    if script.answers.len() != methods {
        return Err(Raised::Linkage("java/lang/NoSuchMethodError".into()));
    }
    let total: usize = script.answers.iter().map(|answers| answers.len().max(1)).sum();
    let array = env.new_object_array(run.jdk.object.get(), total)?.ok_or(NULL)?;
    let (mut starts, mut kinds) = (Vec::with_capacity(methods + 1 + total), Vec::with_capacity(total));
    for ((answers, result), callbacks) in script.answers.iter().zip(&handle.results).zip(&handle.callbacks) {
        starts.push(as_int(kinds.len()));
        if answers.is_empty()
            && let Some(zero) = zero(run, result.as_ref())?
        {
            // SAFETY: as below.
            unsafe { env.set_element(array, kinds.len(), Kind::Object, zero.value()) }?;
            kinds.push(VALUE);
        }
        for answer in answers {
            let (does, value) = match answer {
                Answer::Value(variable) => (VALUE, answer_value(run, *variable, result.as_ref())?),
                Answer::Parameter(parameter) => (i32::from(*parameter), ZERO),
                Answer::Itself => (VALUE, stub.value()),
                Answer::CallBack(number, passed) => {
                    let Some(Some(called)) = callbacks.get(usize::from(*number)) else {
                        return Err(Raised::Linkage("java/lang/NoSuchMethodError".into()));
                    };
                    let does = CALL - 2 * i32::from(called.parameter) - i32::from(called.gives);
                    let passed: Vec<VarRef> = passed.iter().copied().flatten().collect();
                    (does, callback(run, called, &passed, result.as_ref())?)
                }
                Answer::Throw(variable) => (THROW, run.reference(*variable).map_or(ZERO, Ref::value)),
                Answer::Return => (VALUE, ZERO),
            };
            // SAFETY: an array of references and a reference, or null.
            unsafe { env.set_element(array, kinds.len(), Kind::Object, value) }?;
            kinds.push(does);
        }
    }
    starts.push(as_int(kinds.len()));
    starts.extend(kinds);
    let layout = env.new_primitive_array(Kind::Int, starts.len())?.ok_or(NULL)?;
    // SAFETY: a new array of that many ints; nothing is called while it is held.
    if let Some(mut held) = unsafe { env.critical::<i32>(layout, starts.len()) } {
        held.copy_from_slice(&starts);
    }
    let arguments = [array.value(), layout.value(), jvalue { i: as_int(methods) }];
    // SAFETY: the constructor was found in the class and takes an array of objects, one of ints, and an int.
    let made = unsafe { env.new_object(handle.script_class.get(), handle.new_script, &arguments) }?;
    Ok(made.map_or(ZERO, Ref::value))
}

/// The method that is called, what is given where that is not what it gives, and what it is passed, as an array.
fn callback(
    run: &Run<'_, '_>,
    called: &CallbackHandle,
    passed: &[VarRef],
    result: Option<&ResultHandle>,
) -> Result<jvalue, Raised> {
    let env = run.env;
    let values = values(run, &called.call, passed)?;
    let array = env.new_object_array(run.jdk.object.get(), 2 + values.len())?.ok_or(NULL)?;
    let given = zero(run, result)?.map_or(ZERO, Ref::value);
    let mut elements = vec![called.method.get().value(), given];
    for (value, parameter) in values.into_iter().zip(&called.call.parameters) {
        elements.push(match run.jdk.boxed_kind(parameter.kind) {
            Some(boxed) => boxed.value_of(env, value)?.map_or(ZERO, Ref::value),
            None => value,
        });
    }
    for (index, element) in elements.into_iter().enumerate() {
        // SAFETY: an array of references and a reference, or null.
        unsafe { env.set_element(array, index, Kind::Object, element) }?;
    }
    Ok(array.value())
}

/// A boxed zero where a method returns a primitive type; what gives null has no need to be told, and what has a body gives what that does.
fn zero<'f>(run: &Run<'_, 'f>, result: Option<&ResultHandle>) -> Result<Option<Ref<'f>>, Raised> {
    let untold = result.filter(|result| !result.has_body);
    let Some(boxed) = untold.and_then(|result| run.jdk.boxed_kind(result.kind)) else { return Ok(None) };
    Ok(boxed.value_of(run.env, ZERO)?)
}

/// A variable as the answer of a method: boxed where the method returns a primitive type.
fn answer_value(
    run: &Run<'_, '_>,
    variable: VarRef,
    result: Option<&ResultHandle>,
) -> Result<jvalue, Raised> {
    let Some(result) = result else { return Ok(ZERO) };
    let value = run.argument(variable, result.of, result.kind, result.class)?;
    let Some(boxed) = run.jdk.boxed_kind(result.kind) else { return Ok(value) };
    Ok(boxed.value_of(run.env, value)?.map_or(ZERO, Ref::value))
}

fn as_int(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
