//! Instruments classes on their way into the JVM.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use bytecode::analysis::fnv_1a;
use bytecode::instrument::{GoalClass, StaticFields, instrument_again, instrument_light};
use bytecode::name::ClassName;
use bytecode::probe_map::ProbeId;

use crate::jni::{Env, Global, Ref};
use crate::reset::may_change_rare_state;

/// A goal class in this JVM.
#[derive(Debug)]
struct Goal {
    class: GoalClass,
    loading: Mutex<Loading>,
}

/// How a goal class is loaded.
#[derive(Debug, Default)]
struct Loading {
    /// The original class file, once it was loaded.
    original: Option<Vec<u8>>,
    /// The mutation points that its code carries, ascending; `None` for all.
    carried: Option<Vec<ProbeId>>,
}

/// Replaces class files: goal classes by what was made in advance, other classes of the class path by what light
/// instrumentation makes of them.
#[derive(Debug)]
pub(crate) struct Transformer {
    goals: BTreeMap<ClassName, Goal>,
    statics: Mutex<StaticFields>,
    /// Loader of the JDK's own modules (or extensions), whose classes stay as they are.
    platform_loader: OnceLock<Option<Global>>,
    diagnostics: Mutex<Vec<String>>,
    /// Classes loaded so far, those of the JDK included.
    loaded: AtomicU32,
    /// Classes of the class path loaded since the last look.
    own: Mutex<Vec<ClassName>>,
    has_own: AtomicBool,
    /// Whether a class was loaded that can change what [`may_change_rare_state`] is about.
    has_rare: AtomicBool,
    /// Classes of the class path's loader that are ours and stay as they are.
    left_alone: Mutex<BTreeSet<ClassName>>,
    /// Classes without goals that stay as they are, since a JVM has refused them with probes.
    unwatched: BTreeSet<ClassName>,
}

impl Transformer {
    /// For these classes; static fields that they write have these numbers. Those that are `unwatched` stay as they are.
    pub(crate) fn new(goals: Vec<GoalClass>, statics: StaticFields, unwatched: BTreeSet<ClassName>) -> Self {
        Self {
            goals: goals
                .into_iter()
                .map(|class| (class.name.clone(), Goal { class, loading: Mutex::default() }))
                .collect(),
            statics: Mutex::new(statics),
            platform_loader: OnceLock::new(),
            diagnostics: Mutex::default(),
            loaded: AtomicU32::new(0),
            own: Mutex::default(),
            has_own: AtomicBool::new(false),
            has_rare: AtomicBool::new(false),
            left_alone: Mutex::default(),
            unwatched,
        }
    }

    /// Names the loader of the JDK's own modules.
    pub(crate) fn set_platform_loader(&self, loader: Option<Global>) {
        let _ = self.platform_loader.set(loader);
    }

    /// A class that is about to be defined is ours: it is loaded as it is.
    pub(crate) fn leave_alone(&self, name: ClassName) {
        self.left_alone.lock().unwrap_or_else(PoisonError::into_inner).insert(name);
    }

    /// A class is being loaded.
    pub(crate) fn note_loading(&self) {
        self.loaded.fetch_add(1, Relaxed);
    }

    /// Classes loaded so far, those of the JDK included.
    pub(crate) fn loaded(&self) -> u32 {
        self.loaded.load(Relaxed)
    }

    /// Whether a class was loaded that can change state of the JDK which few classes can.
    pub(crate) fn has_rare(&self) -> bool {
        self.has_rare.load(Relaxed)
    }

    /// Whether classes of the class path were loaded since they were last taken.
    pub(crate) fn has_own(&self) -> bool {
        self.has_own.load(Relaxed)
    }

    /// Classes of the class path loaded since the last call.
    pub(crate) fn take_own(&self) -> Vec<ClassName> {
        if !self.has_own.load(Relaxed) {
            return Vec::new();
        }
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        self.has_own.store(false, Relaxed);
        std::mem::take(&mut *own)
    }

    /// The bytes to load instead, if any.
    pub(crate) fn transform(
        &self,
        env: Env<'_>,
        loader: Ref<'_>,
        name: &str,
        bytes: &[u8],
    ) -> Option<Vec<u8>> {
        let platform = self.platform_loader.get().copied().flatten().map(Global::get);
        if platform.is_some_and(|platform| env.is_same(Some(platform), Some(loader))) {
            return None;
        }
        let class = ClassName::new(name);
        if self.left_alone.lock().unwrap_or_else(PoisonError::into_inner).contains(&class) {
            return None;
        }
        self.own.lock().unwrap_or_else(PoisonError::into_inner).push(class.clone());
        self.has_own.store(true, Relaxed);
        if !self.has_rare.load(Relaxed) && may_change_rare_state(bytes) {
            self.has_rare.store(true, Relaxed);
        }
        match self.goals.get(&class) {
            Some(goal) if goal.class.hash == fnv_1a(bytes) => {
                let mut loading = goal.loading.lock().unwrap_or_else(PoisonError::into_inner);
                if goal.class.options.mutants {
                    loading.original = Some(bytes.to_vec());
                }
                let carried = loading.carried.as_deref();
                let changed = carried.and_then(|carried| self.with_points(&goal.class, bytes, carried));
                Some(changed.unwrap_or_else(|| goal.class.bytes.clone()))
            }
            Some(_) => {
                self.diagnose(format!(
                    "{} was loaded in another version than the one that was read, so nothing in it can be covered",
                    name.replace('/', ".")
                ));
                self.light(name, bytes)
            }
            None => self.light(name, bytes),
        }
    }

    /// From now on a goal class is to carry these mutation points, ascending, and no others. Gives its class file if
    /// it was loaded already, for [`crate::agent::Agent::redefine`].
    pub(crate) fn carry(&self, name: &ClassName, points: Vec<ProbeId>) -> Option<Vec<u8>> {
        let goal = self.goals.get(name)?;
        let mut loading = goal.loading.lock().unwrap_or_else(PoisonError::into_inner);
        let original = loading.original.as_deref();
        let changed = original.and_then(|original| self.with_points(&goal.class, original, &points));
        loading.carried = Some(points);
        changed
    }

    fn with_points(&self, class: &GoalClass, original: &[u8], points: &[ProbeId]) -> Option<Vec<u8>> {
        let mut statics = self.statics.lock().unwrap_or_else(PoisonError::into_inner);
        let keeps = |point: ProbeId| points.binary_search(&point).is_ok();
        instrument_again(original, class.options, class.ids.0, &mut statics, (&class.limits, keeps)).ok()
    }

    /// Whether what the JVM refused of a class is the code as it was compiled.
    pub(crate) fn is_as_compiled(&self, class: &ClassName, method: Option<&str>) -> bool {
        match self.goals.get(class) {
            Some(goal) => goal.class.limits.is_as_compiled(method),
            None => self.unwatched.contains(class),
        }
    }

    fn light(&self, name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        if self.unwatched.contains(&ClassName::new(name)) {
            return None;
        }
        let mut statics = self.statics.lock().unwrap_or_else(PoisonError::into_inner);
        match instrument_light(bytes, &mut statics) {
            Ok(changed) => Some(changed),
            Err(error) => {
                drop(statics);
                self.diagnose(format!("{} is not watched: {error}", name.replace('/', ".")));
                None
            }
        }
    }

    fn diagnose(&self, sentence: String) {
        self.diagnostics.lock().unwrap_or_else(PoisonError::into_inner).push(sentence);
    }

    /// What went wrong since the last call, one sentence each.
    pub(crate) fn take_diagnostics(&self) -> Vec<String> {
        std::mem::take(&mut *self.diagnostics.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Looks at the static fields that have a number.
    pub(crate) fn with_statics<R>(&self, look: impl FnOnce(&StaticFields) -> R) -> R {
        look(&self.statics.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
