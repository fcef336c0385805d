//! Instruments classes on their way into the JVM.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use bytecode::analysis::fnv_1a;
use bytecode::instrument::{
    GoalClass, LoggedMethods, StaticFields, instrument_again, instrument_light, instrument_recorded,
    open_class,
};
use bytecode::name::ClassName;
use bytecode::probe_map::ProbeId;

use crate::jni::{Env, Global, Ref};
use crate::recording::nearby::{MOST_NEARBY, mentioned, nearby};
use crate::reset::may_change_rare_state;

/// A goal class in this JVM.
#[derive(Debug)]
struct Goal {
    class: GoalClass,
    /// The mutation points that its code carries when it is not recorded, ascending; `None` for all.
    carried: Mutex<Option<Vec<ProbeId>>>,
}

/// A class of the class path's loader as it was read.
#[derive(Debug)]
struct Original {
    bytes: Arc<[u8]>,
    /// Whether its code logs.
    is_logging: bool,
}

/// Replaces class files: goal classes by what was made in advance, other classes of the class path by what light
/// instrumentation makes of them.
#[derive(Debug)]
pub(crate) struct Transformer {
    goals: BTreeMap<ClassName, Goal>,
    statics: Mutex<StaticFields>,
    logged: Mutex<LoggedMethods>,
    /// Loader of the JDK's own modules (or extensions), whose classes stay as they are.
    platform_loader: OnceLock<Option<Global>>,
    /// Loader of the class path.
    loader: OnceLock<Global>,
    /// Classes that it loaded, as they were read.
    originals: Mutex<BTreeMap<ClassName, Original>>,
    /// Whether classes are to log.
    is_logging: AtomicBool,
    /// Those that are to, of whatever is loaded.
    nearby: Mutex<BTreeSet<ClassName>>,
    /// Classes that the JVM has refused with probes that log.
    mute: Mutex<BTreeSet<ClassName>>,
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
    /// Classes that mocks extend although they are final, or methods of them are.
    opened: BTreeSet<ClassName>,
}

impl Transformer {
    /// For these classes; static fields that they write have these numbers. Those that are `unwatched` have no probes, and those that
    /// are `opened` are not final.
    pub(crate) fn new(
        goals: Vec<GoalClass>,
        statics: StaticFields,
        unwatched: BTreeSet<ClassName>,
        opened: BTreeSet<ClassName>,
    ) -> Self {
        Self {
            goals: goals
                .into_iter()
                .map(|class| (class.name.clone(), Goal { class, carried: Mutex::default() }))
                .collect(),
            statics: Mutex::new(statics),
            logged: Mutex::default(),
            loader: OnceLock::new(),
            originals: Mutex::default(),
            is_logging: AtomicBool::new(false),
            nearby: Mutex::default(),
            mute: Mutex::default(),
            platform_loader: OnceLock::new(),
            diagnostics: Mutex::default(),
            loaded: AtomicU32::new(0),
            own: Mutex::default(),
            has_own: AtomicBool::new(false),
            has_rare: AtomicBool::new(false),
            left_alone: Mutex::default(),
            unwatched,
            opened,
        }
    }

    /// Names the loader of the class path, and that of the JDK's own modules.
    pub(crate) fn set_loaders(&self, loader: Global, platform_loader: Option<Global>) {
        let _ = self.loader.set(loader);
        let _ = self.platform_loader.set(platform_loader);
    }

    /// A class that is about to be defined is ours: it is loaded as it is.
    pub(crate) fn leave_alone(&self, name: ClassName) {
        lock(&self.left_alone).insert(name);
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

    /// Classes of the class path loaded since the last call.
    pub(crate) fn take_own(&self) -> Vec<ClassName> {
        if !self.has_own.load(Relaxed) {
            return Vec::new();
        }
        let mut own = lock(&self.own);
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
        if lock(&self.left_alone).contains(&class) {
            return None;
        }
        lock(&self.own).push(class.clone());
        self.has_own.store(true, Relaxed);
        if !self.has_rare.load(Relaxed) && may_change_rare_state(bytes) {
            self.has_rare.store(true, Relaxed);
        }
        let logging = self.logging_code_of(&class, bytes);
        let is_logging = logging.is_some();
        let changed = logging.or_else(|| self.silent_code_of(&class, bytes));
        let changed = self.opened(&class, bytes, changed);
        let own = self.loader.get().is_some_and(|own| env.is_same(Some(own.get()), Some(loader)));
        if own {
            let original = Original { bytes: bytes.into(), is_logging };
            lock(&self.originals).insert(class, original);
        }
        changed
    }

    /// What is to be loaded instead of a class file, whatever its code is changed to, where mocks extend it.
    fn opened(&self, class: &ClassName, bytes: &[u8], changed: Option<Vec<u8>>) -> Option<Vec<u8>> {
        if !self.opened.contains(class) {
            return changed;
        }
        open_class(changed.as_deref().unwrap_or(bytes)).ok().or(changed)
    }

    /// What is to be loaded instead of a class file, and does not log.
    fn silent_code_of(&self, class: &ClassName, bytes: &[u8]) -> Option<Vec<u8>> {
        match self.goals.get(class) {
            Some(goal) if goal.class.hash == fnv_1a(bytes) => {
                let carried = lock(&goal.carried);
                let changed =
                    carried.as_deref().and_then(|carried| self.with_points(&goal.class, bytes, carried));
                Some(changed.unwrap_or_else(|| goal.class.bytes.clone()))
            }
            Some(_) => {
                self.diagnose(format!(
                    "{} was loaded in another version than the one that was read, so nothing in it can be covered",
                    class.binary()
                ));
                self.light(class, bytes)
            }
            None => self.light(class, bytes),
        }
    }

    /// What is to be loaded instead of a class file that logs; `None` for one that does not.
    fn logging_code_of(&self, class: &ClassName, bytes: &[u8]) -> Option<Vec<u8>> {
        let is_near = || lock(&self.nearby).contains(class);
        if !self.is_logging()
            || self.unwatched.contains(class)
            || lock(&self.mute).contains(class)
            || !is_near()
        {
            return None;
        }
        let goal = self.goals.get(class).map(|goal| &goal.class);
        let goal = goal.filter(|goal| goal.hash == fnv_1a(bytes));
        let goal = goal.map(|goal| (goal.options, goal.ids.0, &goal.limits));
        instrument_recorded(bytes, goal, &mut lock(&self.statics), &mut lock(&self.logged)).ok()
    }

    /// From now on a goal class is to carry these mutation points, ascending, and no others. Gives its class file if
    /// it was loaded already, for [`crate::agent::Agent::redefine`]. Not to be called while classes log.
    pub(crate) fn carry(&self, name: &ClassName, points: Vec<ProbeId>) -> Option<Vec<u8>> {
        let goal = self.goals.get(name)?;
        let original = lock(&self.originals).get(name).map(|original| Arc::clone(&original.bytes));
        let original = original.filter(|original| goal.class.hash == fnv_1a(original));
        let changed = original.and_then(|original| self.with_points(&goal.class, &original, &points));
        *lock(&goal.carried) = Some(points);
        changed
    }

    /// Whether classes are loaded with probes that log.
    pub(crate) fn is_logging(&self) -> bool {
        self.is_logging.load(Relaxed)
    }

    /// From now on the classes near goals are loaded with probes that log, or none are.
    pub(crate) fn set_logging(&self, is_logging: bool) {
        if is_logging {
            let originals = lock(&self.originals);
            let mentions =
                |class: &ClassName| originals.get(class).map(|original| mentioned(&original.bytes));
            *lock(&self.nearby) = nearby(self.goals.keys(), MOST_NEARBY, mentions);
        }
        self.is_logging.store(is_logging, Relaxed);
    }

    /// The class file that a class of the class path's loader is to be given, if what it has logs and should not, or the other
    /// way round.
    pub(crate) fn to_redefine(&self, class: &ClassName) -> Option<Vec<u8>> {
        let bytes = {
            let originals = lock(&self.originals);
            let original = originals.get(class)?;
            (original.is_logging != self.is_logging()).then(|| Arc::clone(&original.bytes))?
        };
        let changed = if self.is_logging() {
            self.logging_code_of(class, &bytes)
        } else {
            self.silent_code_of(class, &bytes)
        };
        self.opened(class, &bytes, changed)
    }

    /// A class was given what it is to have. One that the JVM has refused in a form that logs is not asked for again.
    pub(crate) fn note_redefined(&self, class: &ClassName, is_taken: bool) {
        let is_logging = self.is_logging();
        if is_taken {
            if let Some(original) = lock(&self.originals).get_mut(class) {
                original.is_logging = is_logging;
            }
        } else if is_logging {
            lock(&self.mute).insert(class.clone());
        }
    }

    /// Looks at the methods that log.
    pub(crate) fn with_logged<R>(&self, look: impl FnOnce(&LoggedMethods) -> R) -> R {
        look(&lock(&self.logged))
    }

    fn with_points(&self, class: &GoalClass, original: &[u8], points: &[ProbeId]) -> Option<Vec<u8>> {
        let mut statics = lock(&self.statics);
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

    fn light(&self, class: &ClassName, bytes: &[u8]) -> Option<Vec<u8>> {
        if self.unwatched.contains(class) {
            return None;
        }
        let mut statics = lock(&self.statics);
        match instrument_light(bytes, &mut statics) {
            Ok(changed) => Some(changed),
            Err(error) => {
                drop(statics);
                self.diagnose(format!("{} is not watched: {error}", class.binary()));
                None
            }
        }
    }

    fn diagnose(&self, sentence: String) {
        lock(&self.diagnostics).push(sentence);
    }

    /// What went wrong since the last call, one sentence each.
    pub(crate) fn take_diagnostics(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.diagnostics))
    }

    /// Looks at the static fields that have a number.
    pub(crate) fn with_statics<R>(&self, look: impl FnOnce(&StaticFields) -> R) -> R {
        look(&lock(&self.statics))
    }
}

/// What a lock holds. A panic while it was held leaves data that is as good as before.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
