//! The Java classes that instrumented code calls, from this side: `covolve.runtime` in `crates/jvm/java`.

use std::ffi::CStr;

use testcase::assertion::{Container, Sequence, StandardStream};

use crate::boot::Sizes;
use crate::checkpoint;
use crate::error::JvmError;
use crate::jni::{Env, FieldId, Global, Java, Kind, MethodId, Ref, jvalue};

/// The compiled classes, by name.
pub(crate) const CLASSES: &[(&CStr, &[u8])] = include!(concat!(env!("OUT_DIR"), "/runtime_classes.rs"));

/// `covolve.runtime.Probe`, `World` and `FixedRandom`: where their fields are.
#[derive(Debug)]
pub(crate) struct Runtime {
    probe: Global,
    install: MethodId,
    begin: MethodId,
    end: MethodId,
    recorder: FieldId,
    steps: FieldId,
    initializer_steps: FieldId,
    calling: FieldId,
    signatures: FieldId,
    shift: FieldId,
    exited: FieldId,
    thrown: FieldId,
    counts: FieldId,
    distances: FieldId,
    touched: FieldId,
    operand_kinds: FieldId,
    operands: FieldId,
    texts: FieldId,
    saved_statics: FieldId,
    saved_bits: FieldId,
    saved_references: FieldId,
    loader: FieldId,
    mutant: Global,
    active: FieldId,
    folder: Global,
    folder_path: FieldId,
    world: Global,
    world_touched: FieldId,
    properties_changed: FieldId,
    values: Global,
    size: MethodId,
    container: MethodId,
    held: MethodId,
    elements: MethodId,
    text: MethodId,
    print: MethodId,
    describe: MethodId,
    printed: Global,
    capture: MethodId,
    printed_text: MethodId,
    seen_files: Global,
    watch_files: MethodId,
    list_files: MethodId,
    script: Global,
    records: FieldId,
    thrown_by_script: FieldId,
    recorded: MethodId,
    passed: MethodId,
    fixed_random: Global,
    random_state: FieldId,
    stop: Stop,
}

/// What ends a run: the flag that probes look at, and the exception that they throw.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stop {
    probe: Global,
    stopped: FieldId,
    exception: Global,
    class: Global,
}

impl Stop {
    /// Raises the flag.
    pub(crate) fn set(&self, env: Env<'_>) {
        // SAFETY: a static boolean of the class.
        unsafe { env.set_static(self.probe.get(), self.stopped, Kind::Boolean, jvalue { z: 1 }) };
    }

    /// Whether the flag is up.
    pub(crate) fn is_set(&self, env: Env<'_>) -> bool {
        // SAFETY: as above.
        unsafe { env.get_static(self.probe.get(), self.stopped, Kind::Boolean).z != 0 }
    }

    /// The exception.
    pub(crate) fn exception(&self) -> Global {
        self.exception
    }

    /// Its class.
    pub(crate) fn class(&self) -> Ref<'static> {
        self.class.get()
    }
}

/// The arrays into which probes record, for the life of the process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrays {
    /// `int[]` by probe.
    pub(crate) counts: Global,
    /// `double[]` by outcome.
    pub(crate) distances: Global,
    /// `int[]`: number of probes hit, then the probes.
    pub(crate) touched: Global,
    /// `byte[]`, two by probe.
    pub(crate) operand_kinds: Global,
    /// `long[]`, two by probe.
    pub(crate) operands: Global,
    /// `Object[]`, two by probe.
    pub(crate) texts: Global,
    /// Number of probes.
    pub(crate) probes: usize,
    /// Number of outcomes.
    pub(crate) outcomes: usize,
}

/// The undo log of static fields as it is now.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UndoLog<'f> {
    /// `int[]`: number of fields, then the fields.
    pub(crate) fields: Ref<'f>,
    /// `long[]` by field.
    pub(crate) bits: Ref<'f>,
    /// `Object[]` by field.
    pub(crate) references: Ref<'f>,
}

/// Local references that looking up the classes of the runtime needs.
const CLASSES_BOUND: usize = 64;

impl Runtime {
    /// Defines the classes in the boot loader.
    pub(crate) fn define(env: Env<'_>) -> Result<Self, JvmError> {
        for (name, bytes) in CLASSES {
            if env.frame(CLASSES_BOUND, |env| env.define_class(name, None, bytes).is_err()) {
                return Err(JvmError::Runtime {
                    class: name.to_string_lossy().into_owned(),
                    reason: describe_pending(env),
                });
            }
        }
        env.frame(CLASSES_BOUND, Self::bind).map_err(|_| JvmError::Runtime {
            class: "covolve/runtime/Probe".into(),
            reason: describe_pending(env),
        })
    }

    fn bind(env: Env<'_>) -> Java<Self> {
        let probe = env.find_class(c"covolve/runtime/Probe")?;
        let stop_class = env.find_class(c"covolve/runtime/Stop")?;
        let folder = env.find_class(c"covolve/runtime/Folder")?;
        let world = env.find_class(c"covolve/runtime/World")?;
        let mutant = env.find_class(c"covolve/runtime/Mutant")?;
        let values = env.find_class(c"covolve/runtime/Values")?;
        let printed = env.find_class(c"covolve/runtime/Printed")?;
        let seen_files = env.find_class(c"covolve/runtime/SeenFiles")?;
        let script = env.find_class(c"covolve/runtime/Script")?;
        let fixed_random = env.find_class(c"covolve/runtime/FixedRandom")?;
        let field = |name: &str, descriptor: &str| env.static_field(probe, name, descriptor);
        let instance = env.static_field(stop_class, "INSTANCE", "Lcovolve/runtime/Stop;")?;
        // SAFETY: a static field of that class.
        let exception = unsafe { env.get_static_object(stop_class, instance) };
        checkpoint::register(env, probe)?;
        let probe_class = env.global(probe);
        Ok(Self {
            probe: probe_class,
            install: env.static_method(probe, "install", "(III)V")?,
            begin: env.static_method(probe, "begin", "(I)V")?,
            end: env.static_method(probe, "end", "()V")?,
            recorder: field("recorder", "Ljava/lang/Thread;")?,
            steps: field("steps", "I")?,
            initializer_steps: field("initializerSteps", "I")?,
            calling: field("calling", "I")?,
            signatures: field("signatures", "[I")?,
            shift: field("shift", "I")?,
            exited: field("exited", "Z")?,
            thrown: field("thrown", "Ljava/lang/Throwable;")?,
            counts: field("counts", "[I")?,
            distances: field("distances", "[D")?,
            touched: field("touched", "[I")?,
            operand_kinds: field("operandKinds", "[B")?,
            operands: field("operands", "[J")?,
            texts: field("texts", "[Ljava/lang/Object;")?,
            saved_statics: field("savedStatics", "[I")?,
            saved_bits: field("savedBits", "[J")?,
            saved_references: field("savedReferences", "[Ljava/lang/Object;")?,
            loader: field("loader", "Ljava/lang/ClassLoader;")?,
            mutant: env.global(mutant),
            active: env.static_field(mutant, "active", "I")?,
            folder: env.global(folder),
            folder_path: env.static_field(folder, "path", "Ljava/lang/String;")?,
            world: env.global(world),
            world_touched: env.static_field(world, "touched", "I")?,
            properties_changed: env.static_field(world, "propertiesChanged", "Z")?,
            values: env.global(values),
            size: env.static_method(values, "size", "(Ljava/lang/Object;)I")?,
            container: env.static_method(values, "container", "(Ljava/lang/Object;)I")?,
            held: env.static_method(values, "held", "(Ljava/lang/Object;II)[Ljava/lang/Object;")?,
            elements: env.static_method(values, "elements", "(Ljava/lang/Object;II)[Ljava/lang/Object;")?,
            text: env.static_method(values, "text", "(Ljava/lang/Object;)Ljava/lang/String;")?,
            print: env.static_method(values, "print", "(Ljava/lang/Object;)Ljava/lang/String;")?,
            describe: env.static_method(values, "describe", "(Ljava/lang/Object;)Ljava/lang/String;")?,
            printed: env.global(printed),
            capture: env.static_method(printed, "capture", "()V")?,
            printed_text: env.static_method(printed, "text", "(Z)Ljava/lang/String;")?,
            seen_files: env.global(seen_files),
            watch_files: env.static_method(seen_files, "watch", "(Z)V")?,
            list_files: env.static_method(seen_files, "list", "()[Ljava/lang/String;")?,
            script: env.global(script),
            records: env.static_field(script, "records", "Z")?,
            thrown_by_script: env.static_field(script, "thrown", "Ljava/lang/Throwable;")?,
            recorded: env.method(script, "recorded", "()[[Ljava/lang/String;")?,
            passed: env.method(script, "passed", "()[[Ljava/lang/Object;")?,
            fixed_random: env.global(fixed_random),
            random_state: env.static_field(fixed_random, "state", "J")?,
            stop: Stop {
                probe: probe_class,
                stopped: field("stopped", "Z")?,
                exception: env.global(exception.ok_or(crate::jni::Pending)?),
                class: env.global(stop_class),
            },
        })
    }

    /// What ends a run.
    pub(crate) fn stop(&self) -> Stop {
        self.stop
    }

    /// Makes the arrays, and tells where the classes under test are.
    pub(crate) fn install(
        &self,
        env: Env<'_>,
        sizes: Sizes,
        initializer_steps: i32,
        loader: Ref<'_>,
        folder: &str,
    ) -> Java<Arrays> {
        let Sizes { probes, outcomes, statics } = sizes;
        let sizes =
            [probes, outcomes, statics].map(|size| jvalue { i: i32::try_from(size).unwrap_or(i32::MAX) });
        let probe = self.probe.get();
        // SAFETY: the method takes three ints and returns nothing; the fields are statics of these types.
        unsafe {
            env.call_static(probe, self.install, &sizes, None)?;
            env.set_static(probe, self.initializer_steps, Kind::Int, jvalue { i: initializer_steps });
            env.set_static(probe, self.loader, Kind::Object, loader.value());
        }
        let units: Vec<u16> = folder.encode_utf16().collect();
        if let Some(path) = env.new_string(&units)? {
            // SAFETY: a static field of the class that holds a string.
            unsafe { env.set_static(self.folder.get(), self.folder_path, Kind::Object, path.value()) };
        }
        let array = |field: FieldId| {
            // SAFETY: a static field of the class that holds an array.
            let array = unsafe { env.get_static_object(probe, field) };
            array.map(|array| env.global(array)).ok_or(crate::jni::Pending)
        };
        Ok(Arrays {
            counts: array(self.counts)?,
            distances: array(self.distances)?,
            touched: array(self.touched)?,
            operand_kinds: array(self.operand_kinds)?,
            operands: array(self.operands)?,
            texts: array(self.texts)?,
            probes,
            outcomes,
        })
    }

    /// Tells calls by the test itself apart: what second numbers are made with, and numbers of signatures by probe.
    pub(crate) fn install_signatures(&self, env: Env<'_>, shift: u32, signatures: &[i32]) -> Java<()> {
        let array = env.new_primitive_array(Kind::Int, signatures.len())?.ok_or(crate::jni::Pending)?;
        // SAFETY: an array of that many ints; only it is held, and nothing is called meanwhile.
        if let Some(mut held) = unsafe { env.critical::<i32>(array, signatures.len()) } {
            held.copy_from_slice(signatures);
        }
        let shift = jvalue { i: i32::try_from(shift).unwrap_or(i32::MAX) };
        // SAFETY: static fields of these types.
        unsafe {
            env.set_static(self.probe.get(), self.signatures, Kind::Object, array.value());
            env.set_static(self.probe.get(), self.shift, Kind::Int, shift);
        }
        Ok(())
    }

    /// Tells what the test is about to call: the number of a signature, or 0.
    pub(crate) fn set_calling(&self, env: Env<'_>, signature: i32) {
        // SAFETY: a static int of the class.
        unsafe { env.set_static(self.probe.get(), self.calling, Kind::Int, jvalue { i: signature }) };
    }

    /// Selects the mutant with this infection outcome; -1 for none, the largest number for none and no infections.
    pub(crate) fn select_mutant(&self, env: Env<'_>, outcome: i32) {
        // SAFETY: a static int of the class.
        unsafe { env.set_static(self.mutant.get(), self.active, Kind::Int, jvalue { i: outcome }) };
    }

    /// Forgets the last run and records for this thread, with so many steps.
    pub(crate) fn begin(&self, env: Env<'_>, steps: i32) -> Java<()> {
        // SAFETY: the method takes an int and returns nothing.
        unsafe { env.call_static(self.probe.get(), self.begin, &[jvalue { i: steps }], None) }.map(drop)
    }

    /// Steps that the last run has left; below 0 when it used up all.
    pub(crate) fn steps_left(&self, env: Env<'_>) -> i32 {
        // SAFETY: a static int of the class.
        unsafe { env.get_static(self.probe.get(), self.steps, Kind::Int).i }
    }

    /// Ends the recording.
    pub(crate) fn end(&self, env: Env<'_>) {
        // SAFETY: a static field of the class that holds a reference.
        unsafe { env.set_static(self.probe.get(), self.recorder, Kind::Object, crate::jni::ZERO) };
    }

    /// Stops the recording for a while, steps included.
    pub(crate) fn pause(&self, env: Env<'_>) {
        self.end(env);
    }

    /// Goes on with the recording for the thread of the run.
    pub(crate) fn resume(&self, env: Env<'_>, thread: Global) {
        // SAFETY: a static field of the class that holds a thread.
        unsafe { env.set_static(self.probe.get(), self.recorder, Kind::Object, thread.value()) };
    }

    /// Number of elements or characters of an object; `None` when only code under test could tell.
    pub(crate) fn size(&self, env: Env<'_>, object: Ref<'_>) -> Option<usize> {
        // SAFETY: the method takes an object and returns an int.
        let size =
            unsafe { env.call_static(self.values.get(), self.size, &[object.value()], Some(Kind::Int)) };
        env.clear();
        // SAFETY: as above.
        size.ok().and_then(|size| usize::try_from(unsafe { size.i }).ok())
    }

    /// What container an object is; `None` where it is asserted in another way.
    pub(crate) fn container(&self, env: Env<'_>, object: Ref<'_>) -> Java<Option<Container>> {
        // SAFETY: the method takes an object and returns an int.
        let number = unsafe {
            env.call_static(self.values.get(), self.container, &[object.value()], Some(Kind::Int))?.i
        };
        Ok(usize::try_from(number).ok().and_then(|number| Container::ALL.get(number).copied()))
    }

    /// What a container holds, as an array of objects; `None` where it is more than `most`.
    pub(crate) fn held<'f>(
        &self,
        env: Env<'f>,
        object: Ref<'_>,
        container: Container,
        most: usize,
    ) -> Java<Option<Ref<'f>>> {
        self.listed(env, self.held, object, container as i32, most)
    }

    /// What a sequence gives, as an array of objects, which uses it up; `None` where it is more than `most`.
    pub(crate) fn elements<'f>(
        &self,
        env: Env<'f>,
        object: Ref<'_>,
        sequence: Sequence,
        most: usize,
    ) -> Java<Option<Ref<'f>>> {
        self.listed(env, self.elements, object, sequence as i32, most)
    }

    /// What a method of `Values` lists of an object of the kind with this number.
    fn listed<'f>(
        &self,
        env: Env<'f>,
        method: MethodId,
        object: Ref<'_>,
        kind: i32,
        most: usize,
    ) -> Java<Option<Ref<'f>>> {
        let most = jvalue { i: i32::try_from(most).unwrap_or(i32::MAX) };
        let arguments = [object.value(), jvalue { i: kind }, most];
        // SAFETY: these methods take an object and two ints and return an array.
        unsafe { env.call_static_object(self.values.get(), method, &arguments) }
    }

    /// What `toString` gives of an object that is known by it; `None` for others.
    pub(crate) fn text<'f>(&self, env: Env<'f>, object: Ref<'_>) -> Java<Option<Ref<'f>>> {
        // SAFETY: the method takes an object and returns a string.
        unsafe { env.call_static_object(self.values.get(), self.text, &[object.value()]) }
    }

    /// What `toString` gives of a value of the JDK.
    pub(crate) fn print<'f>(&self, env: Env<'f>, value: Ref<'_>) -> Java<Option<Ref<'f>>> {
        // SAFETY: the method takes an object and returns a string.
        unsafe { env.call_static_object(self.values.get(), self.print, &[value.value()]) }
    }

    /// What `toString` gives of an object whose class lies on the class path; `None` of others.
    pub(crate) fn describe<'f>(&self, env: Env<'f>, object: Ref<'_>) -> Java<Option<Ref<'f>>> {
        // SAFETY: the method takes an object and returns a string.
        unsafe { env.call_static_object(self.values.get(), self.describe, &[object.value()]) }
    }

    /// Puts streams that keep what is printed in the place of the standard streams, which come back when the run is over.
    pub(crate) fn capture_printed(&self, env: Env<'_>) {
        // SAFETY: the method takes and returns nothing.
        if unsafe { env.call_static(self.printed.get(), self.capture, &[], None) }.is_err() {
            env.clear();
        }
    }

    /// What was printed since [`Runtime::capture_printed`]; `None` where that is nothing, too much, or no plain text.
    pub(crate) fn printed<'f>(&self, env: Env<'f>, stream: StandardStream) -> Java<Option<Ref<'f>>> {
        let is_error = jvalue { z: (stream == StandardStream::Err).into() };
        // SAFETY: the method takes a boolean and returns a string.
        unsafe { env.call_static_object(self.printed.get(), self.printed_text, &[is_error]) }
    }

    /// From now on, what a test makes in its folder is noted, or is not.
    pub(crate) fn watch_files(&self, env: Env<'_>, looks: bool) {
        let looks = jvalue { z: looks.into() };
        // SAFETY: the method takes a boolean and returns nothing.
        if unsafe { env.call_static(self.seen_files.get(), self.watch_files, &[looks], None) }.is_err() {
            env.clear();
        }
    }

    /// What is in the folder of the test, as an array of strings: for each file its name, and behind that what there is, as
    /// `SeenFiles.list` says it; `None` where that is too much.
    pub(crate) fn files<'f>(&self, env: Env<'f>) -> Java<Option<Ref<'f>>> {
        // SAFETY: the method takes nothing and returns an array.
        unsafe { env.call_static_object(self.seen_files.get(), self.list_files, &[]) }
    }

    /// Says whether calls of stubs are recorded from now on.
    pub(crate) fn record_calls(&self, env: Env<'_>, records: bool) {
        // SAFETY: a static boolean of the class.
        unsafe {
            env.set_static(self.script.get(), self.records, Kind::Boolean, jvalue { z: records.into() });
        };
    }

    /// The calls that a script has recorded, as an array of arrays of strings; `None` where there were too many.
    ///
    /// # Safety
    /// The object is a script.
    pub(crate) unsafe fn recorded_calls<'f>(&self, env: Env<'f>, script: Ref<'_>) -> Java<Option<Ref<'f>>> {
        // SAFETY: the method takes nothing and returns an array; the rest is the caller's promise.
        unsafe { env.call_object(script, self.recorded, &[]) }
    }

    /// What was passed in these calls, as an array of arrays of objects.
    ///
    /// # Safety
    /// The object is a script.
    pub(crate) unsafe fn passed_in_calls<'f>(&self, env: Env<'f>, script: Ref<'_>) -> Java<Option<Ref<'f>>> {
        // SAFETY: the method takes nothing and returns an array; the rest is the caller's promise.
        unsafe { env.call_object(script, self.passed, &[]) }
    }

    /// Calls Java code that does nothing, so that an exception thrown into this thread arrives; forgets it.
    pub(crate) fn drain(&self, env: Env<'_>) {
        env.clear();
        // SAFETY: the method takes and returns nothing.
        let _ = unsafe { env.call_static(self.probe.get(), self.end, &[], None) };
        env.clear();
    }

    /// Whether the run tried to end the JVM.
    pub(crate) fn has_exited(&self, env: Env<'_>) -> bool {
        // SAFETY: a static boolean of the class.
        unsafe { env.get_static(self.probe.get(), self.exited, Kind::Boolean).z != 0 }
    }

    /// What project code or a script threw last.
    pub(crate) fn thrown<'f>(&self, env: Env<'f>) -> Option<Ref<'f>> {
        // SAFETY: a static field of the class that holds a reference.
        unsafe { env.get_static_object(self.probe.get(), self.thrown) }
    }

    /// What a script threw last.
    pub(crate) fn thrown_by_script<'f>(&self, env: Env<'f>) -> Option<Ref<'f>> {
        // SAFETY: a static field of the class that holds a reference.
        unsafe { env.get_static_object(self.script.get(), self.thrown_by_script) }
    }

    /// Takes this for what project code threw last.
    pub(crate) fn set_thrown(&self, env: Env<'_>, thrown: Option<Ref<'_>>) {
        let thrown = thrown.map_or(crate::jni::ZERO, Ref::value);
        // SAFETY: a static field of the class that holds an exception, which this is.
        unsafe { env.set_static(self.probe.get(), self.thrown, Kind::Object, thrown) };
    }

    /// The undo log. Its arrays are replaced when they grow.
    pub(crate) fn undo_log<'f>(&self, env: Env<'f>) -> Option<UndoLog<'f>> {
        let array = |field: FieldId| {
            // SAFETY: a static field of the class that holds a reference.
            unsafe { env.get_static_object(self.probe.get(), field) }
        };
        Some(UndoLog {
            fields: array(self.saved_statics)?,
            bits: array(self.saved_bits)?,
            references: array(self.saved_references)?,
        })
    }

    /// What the world class noted since the last call: touches, and whether system properties may have changed.
    pub(crate) fn take_world(&self, env: Env<'_>) -> (u16, bool) {
        let world = self.world.get();
        // SAFETY: a static int and a static boolean of the class.
        unsafe {
            let touched = env.get_static(world, self.world_touched, Kind::Int).i;
            if touched != 0 {
                env.set_static(world, self.world_touched, Kind::Int, jvalue { i: 0 });
            }
            let changed = env.get_static(world, self.properties_changed, Kind::Boolean).z != 0;
            (touched as u16, changed)
        }
    }

    /// Sets secure randomness to its beginning.
    pub(crate) fn reset_random(&self, env: Env<'_>, seed: i64) {
        // SAFETY: a static long of the class.
        unsafe { env.set_static(self.fixed_random.get(), self.random_state, Kind::Long, jvalue { j: seed }) };
    }
}

/// What made an initializer fail; `None` for all but an `ExceptionInInitializerError` with a cause.
fn cause_of<'f>(env: Env<'f>, exception: Ref<'f>) -> Option<Ref<'f>> {
    let wrapper = env.find_class(c"java/lang/ExceptionInInitializerError").ok()?;
    if !env.is_instance(exception, wrapper) {
        return None;
    }
    let cause = env.method(wrapper, "getCause", "()Ljava/lang/Throwable;").ok()?;
    // SAFETY: the object has this method.
    unsafe { env.call_object(exception, cause, &[]) }.ok()?
}

/// The pending exception as text; clears it. Of an initializer that failed, what it failed of.
pub(crate) fn describe_pending(env: Env<'_>) -> String {
    match env.take_exception() {
        Some(exception) => describe(env, exception),
        None => UNDESCRIBED.to_owned(),
    }
}

const UNDESCRIBED: &str = "without an exception that can be described";

/// An exception as text. Of an initializer that failed, what it failed of. Nothing may be pending.
pub(crate) fn describe(env: Env<'_>, exception: Ref<'_>) -> String {
    let describe = || -> Option<String> {
        let exception = cause_of(env, exception).unwrap_or(exception);
        let class = env.class_of(exception);
        let to_string = env.method(class, "toString", "()Ljava/lang/String;").ok()?;
        // SAFETY: every object has this method.
        let text = unsafe { env.call_object(exception, to_string, &[]) }.ok()??;
        // SAFETY: it returns a string.
        Some(unsafe { env.text(text) })
    };
    let text = describe().unwrap_or_else(|| UNDESCRIBED.into());
    env.clear();
    text
}
