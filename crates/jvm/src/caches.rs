//! Values that code computes when it first needs them and keeps in static fields: constants to many digits, say.
//!
//! Restoring such a field makes every test compute the value again. Where that takes more steps than a brief run has, no
//! brief run would ever get behind it. A user's JVM computes it once. So do brief runs and observations here, once two
//! long runs have come to the same values: these start with the fields filled. Long runs start with the fields as the
//! class initializer left them, and what computes the values is covered by those.

use crate::jni::{Env, Global, Java, Kind, MethodId, Ref, ZERO};
use crate::statics::{LoggedField, Written};

/// Classes whose objects never change.
const IMMUTABLE: [&std::ffi::CStr; 11] = [
    c"java/lang/String",
    c"java/math/BigInteger",
    c"java/math/BigDecimal",
    c"java/lang/Boolean",
    c"java/lang/Byte",
    c"java/lang/Character",
    c"java/lang/Short",
    c"java/lang/Integer",
    c"java/lang/Long",
    c"java/lang/Float",
    c"java/lang/Double",
];

/// A field that a long run filled.
#[derive(Debug, Clone, Copy)]
struct Filled {
    /// Number of the field.
    number: u32,
    field: Written,
    value: Global,
}

/// How values are compared.
#[derive(Debug)]
struct Comparison {
    classes: Vec<Global>,
    equals: MethodId,
}

impl Comparison {
    fn find(env: Env<'_>) -> Java<Self> {
        let object = env.find_class(c"java/lang/Object")?;
        let mut classes = Vec::with_capacity(IMMUTABLE.len());
        for name in IMMUTABLE {
            classes.push(env.global(env.find_class(name)?));
        }
        Ok(Self { classes, equals: env.method(object, "equals", "(Ljava/lang/Object;)Z")? })
    }

    fn is_immutable(&self, env: Env<'_>, value: Ref<'_>) -> bool {
        let class = env.class_of(value);
        self.classes.iter().any(|immutable| env.is_same(Some(class), Some(immutable.get())))
    }

    fn is_equal(&self, env: Env<'_>, one: Ref<'_>, other: Ref<'_>) -> bool {
        // SAFETY: a method of every object that takes one and returns a boolean.
        let equal = unsafe { env.call(one, self.equals, &[other.value()], Some(Kind::Boolean)) };
        // SAFETY: read as a boolean.
        equal.is_ok_and(|equal| unsafe { equal.z != 0 })
    }
}

/// What is known of such fields.
#[derive(Debug, Default)]
pub(crate) struct Caches {
    comparison: Option<Comparison>,
    /// What the last long run came to.
    candidates: Vec<Filled>,
    /// What two of them came to.
    known: Vec<Filled>,
    /// Whether the fields hold their values now.
    is_filled: bool,
}

impl Caches {
    /// Learns from a long run that completed, before it is undone: from all static fields that it wrote. A run that
    /// wrote anything else than immutable values where there was `null` says nothing.
    pub(crate) fn learn(&mut self, env: Env<'_>, written: &[LoggedField<'_>]) {
        if written.is_empty() {
            return;
        }
        let filled = self.filled(env, written);
        env.clear();
        let candidates = std::mem::replace(&mut self.candidates, filled.unwrap_or_default());
        let Some(comparison) = &self.comparison else { return };
        for now in &self.candidates {
            let before = candidates.iter().find(|before| before.number == now.number);
            let is_known = self.known.iter().any(|known| known.number == now.number);
            let is_same =
                before.is_some_and(|before| comparison.is_equal(env, before.value.get(), now.value.get()));
            if is_same && !is_known {
                self.known.push(*now);
            }
        }
        for Filled { value, .. } in candidates {
            if self.known.iter().all(|known| known.value.raw() != value.raw()) {
                // SAFETY: it was made for the candidate, which is forgotten.
                unsafe { env.delete_global(value) };
            }
        }
        env.clear();
    }

    fn filled(&mut self, env: Env<'_>, written: &[LoggedField<'_>]) -> Option<Vec<Filled>> {
        if self.comparison.is_none() {
            self.comparison = Comparison::find(env).ok();
        }
        let comparison = self.comparison.as_ref()?;
        let mut values = Vec::with_capacity(written.len());
        for logged in written {
            if logged.field.kind != Kind::Object || logged.old.is_some() {
                return None;
            }
            // SAFETY: the field was found as a static one of the class, and holds references.
            let value = unsafe { env.get_static_object(logged.field.class.get(), logged.field.field) }?;
            if !comparison.is_immutable(env, value) {
                return None;
            }
            values.push(value);
        }
        let filled = written.iter().zip(values).map(|(logged, value)| Filled {
            number: logged.number,
            field: logged.field,
            value: env.global(value),
        });
        Some(filled.collect())
    }

    /// Fills the fields, before a run that may find them filled.
    pub(crate) fn fill(&mut self, env: Env<'_>) {
        self.set(env, true);
    }

    /// Empties the fields, before a run that must see what the class initializer left.
    pub(crate) fn empty(&mut self, env: Env<'_>) {
        self.set(env, false);
    }

    fn set(&mut self, env: Env<'_>, filled: bool) {
        if self.is_filled == filled || self.known.is_empty() {
            return;
        }
        for Filled { field, value, .. } in &self.known {
            let value = if filled { value.value() } else { ZERO };
            // SAFETY: the field was found as a static one of the class, and has held this value.
            unsafe { env.set_static(field.class.get(), field.field, field.kind, value) };
        }
        self.is_filled = filled;
    }
}
