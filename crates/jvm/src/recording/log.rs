//! `covolve.runtime.Record`: where its fields are.

use crate::jni::{Env, FieldId, Global, Java, Kind, MethodId, Pending, Ref, jvalue};

/// Most events of a run that are logged. They take 17 MB of the heap, and a test that has more is of no use to a solver.
const MOST_EVENTS: i32 = 1_000_000;

/// The log of the run that is recorded.
#[derive(Debug)]
pub(crate) struct Log {
    class: Global,
    begin: MethodId,
    forget: MethodId,
    on: FieldId,
    count: FieldId,
    full: FieldId,
    kinds: FieldId,
    values: FieldId,
    references: FieldId,
    activations: FieldId,
    pattern: FieldId,
}

/// The arrays of a log.
#[derive(Debug, Clone, Copy)]
pub(super) struct LogArrays<'f> {
    /// `byte[]`, the kinds of events.
    pub(super) kinds: Ref<'f>,
    /// `long[]`, their numbers.
    pub(super) values: Ref<'f>,
    /// `Object[]`, their objects.
    pub(super) references: Ref<'f>,
    /// `int[]`, the activations that logged them.
    pub(super) activations: Ref<'f>,
    /// `Object[]`: two objects in turn, twice.
    pub(super) pattern: Ref<'f>,
}

impl Log {
    /// Looks the fields up.
    pub(crate) fn find(env: Env<'_>) -> Java<Self> {
        let class = env.find_class(c"covolve/runtime/Record")?;
        let field = |name: &str, descriptor: &str| env.static_field(class, name, descriptor);
        Ok(Self {
            class: env.global(class),
            begin: env.static_method(class, "begin", "(I)V")?,
            forget: env.static_method(class, "forget", "()V")?,
            on: field("on", "Z")?,
            count: field("count", "I")?,
            full: field("full", "Z")?,
            kinds: field("kinds", "[B")?,
            values: field("values", "[J")?,
            references: field("references", "[Ljava/lang/Object;")?,
            activations: field("activations", "[I")?,
            pattern: field("PATTERN", "[Ljava/lang/Object;")?,
        })
    }

    /// From now on events are logged while the probes record.
    pub(crate) fn begin(&self, env: Env<'_>) -> Java<()> {
        // SAFETY: the method takes an int and returns nothing.
        unsafe { env.call_static(self.class.get(), self.begin, &[jvalue { i: MOST_EVENTS }], None) }.map(drop)
    }

    /// No more events are logged.
    pub(crate) fn end(&self, env: Env<'_>) {
        // SAFETY: a static boolean of the class.
        unsafe { env.set_static(self.class.get(), self.on, Kind::Boolean, jvalue { z: 0 }) };
    }

    /// Number of events so far.
    pub(crate) fn count(&self, env: Env<'_>) -> usize {
        // SAFETY: a static int of the class.
        let count = unsafe { env.get_static(self.class.get(), self.count, Kind::Int).i };
        usize::try_from(count).unwrap_or(0)
    }

    /// Whether there was no room for an event.
    pub(super) fn is_full(&self, env: Env<'_>) -> bool {
        // SAFETY: a static boolean of the class.
        unsafe { env.get_static(self.class.get(), self.full, Kind::Boolean).z != 0 }
    }

    /// The arrays.
    pub(super) fn arrays<'f>(&self, env: Env<'f>) -> Java<LogArrays<'f>> {
        let array = |field: FieldId| {
            // SAFETY: a static field of the class that holds an array.
            unsafe { env.get_static_object(self.class.get(), field) }.ok_or(Pending)
        };
        Ok(LogArrays {
            kinds: array(self.kinds)?,
            values: array(self.values)?,
            references: array(self.references)?,
            activations: array(self.activations)?,
            pattern: array(self.pattern)?,
        })
    }

    /// Lets go of the objects of the run.
    pub(super) fn forget(&self, env: Env<'_>) {
        // SAFETY: the method takes and returns nothing.
        let forgotten = unsafe { env.call_static(self.class.get(), self.forget, &[], None) };
        if forgotten.is_err() {
            env.clear();
        }
    }
}
