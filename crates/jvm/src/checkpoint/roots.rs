//! The static fields whose reach is copied.

use std::collections::BTreeSet;

use bytecode::access::Access;
use bytecode::descriptor::ErasedType;
use bytecode::name::ClassName;

use super::shape::Shapes;
use super::snapshot::Snapshot;
use crate::agent::{Agent, ClassState};
use crate::jdk::Jdk;
use crate::jni::{Env, Global, Ref};

/// Most comparisons after a test over all copies: about a tenth of what an execution costs.
const MOST_COMPARISONS: usize = 256;

/// Most objects of all copies: as many as can be compared in about half a millisecond. What reaches more is left as
/// tests leave it: such structures (contexts of frameworks, tables of data) are rarely changed by single tests, and
/// what a test then finds changed does not survive verification.
const MOST_OBJECTS: usize = 16_384;

/// Most objects that may be looked at in order to be copied: about 50 ms. Behind that, copies stay small.
const MOST_WALKED: usize = 4 * MOST_OBJECTS;

/// Most objects of a small copy.
const MOST_OF_SMALL: usize = 1024;

/// Most objects of a copy that may be written back after every test. A larger one that tests do change is only
/// looked at thoroughly from then on.
const MOST_AT_ONCE: usize = 2048;

/// Executions between two thorough looks, where nobody asks for one.
const THOROUGHLY: u32 = 256;

/// Executions between two looks at classes that were loaded but not yet initialized.
const PATIENCE: u32 = 256;

/// Most classes that are asked whether they are initialized now when a counter has grown.
const MOST_ASKED: usize = 1024;

/// Local references that copying needs.
const REFERENCES: usize = 64;

/// Copies of what static fields reach.
#[derive(Debug, Default)]
pub(crate) struct Checkpoints {
    shapes: Shapes,
    snapshots: Vec<Snapshot>,
    comparisons: usize,
    objects: usize,
    walked: usize,
    /// Executions since the last thorough look.
    unseen: u32,
    /// Classes that were loaded and not yet seen initialized. Frameworks load thousands that they never initialize, so
    /// they are not looked up by name again.
    waiting: Vec<Global>,
    /// Classes that were asked for. Asking for one whose superclass is missing begins to load it again, in vain, after
    /// every test.
    asked_for: BTreeSet<ClassName>,
    executions: u32,
    /// Whether one of those that wait may be initialized.
    is_due: bool,
    /// Whether classes were loaded since the last thorough look.
    has_loaded: bool,
    growth: Growth,
}

/// Counters that have grown while classes were initialized, from one run to the next.
#[derive(Debug, Default)]
struct Growth {
    /// Whether the test that runs is the one that ran before.
    is_again: bool,
    /// Whether a counter stayed as the last run left it, since that initialized classes.
    has_followed: bool,
}

impl Checkpoints {
    /// Copies what the static fields of newly initialized classes reach. `loaded` are classes of the class path that
    /// were loaded since the last call. To be called between tests.
    pub(crate) fn take(&mut self, env: Env<'_>, agent: Agent, jdk: &Jdk, loaded: Vec<ClassName>) {
        self.executions = self.executions.wrapping_add(1);
        let is_due = std::mem::take(&mut self.is_due) || self.executions.is_multiple_of(PATIENCE);
        if loaded.is_empty() && (self.waiting.is_empty() || !is_due) {
            return;
        }
        for class in std::mem::take(&mut self.waiting) {
            if self.take_class(env, agent, jdk, class.get()) {
                // SAFETY: it was the only copy.
                unsafe { env.delete_global(class) };
            } else {
                self.waiting.push(class);
            }
        }
        for name in loaded {
            if !self.asked_for.insert(name.clone()) {
                continue;
            }
            env.frame(REFERENCES, |env| {
                // A class that is not found here was defined by another loader.
                if let Ok(Some(class)) = jdk.load(env, &ErasedType::Class(name), false) {
                    if !self.take_class(env, agent, jdk, class) {
                        self.waiting.push(env.global(class));
                    }
                } else {
                    env.clear();
                }
            });
        }
    }

    /// Copies what a class reaches; false when it is not initialized yet.
    fn take_class(&mut self, env: Env<'_>, agent: Agent, jdk: &Jdk, class: Ref<'_>) -> bool {
        match agent.class_state(class) {
            ClassState::Initialized => {}
            ClassState::Failed => return true,
            ClassState::Loaded => return false,
        }
        env.frame(REFERENCES, |env| {
            for field in agent.class_fields(env, class) {
                let access = Access(field.modifiers);
                let is_reference = field.descriptor.starts_with(['L', '[']);
                if !access.is_static() || access.is_synthetic() || !is_reference {
                    continue;
                }
                // SAFETY: a static field of the class that holds a reference.
                let Some(root) = (unsafe { env.get_static_object(class, field.id) }) else { continue };
                let most = if self.walked < MOST_WALKED {
                    MOST_OBJECTS.saturating_sub(self.objects)
                } else {
                    MOST_OF_SMALL
                };
                let limits = (most, &mut self.walked);
                let snapshot = Snapshot::take(env, agent, jdk, &mut self.shapes, root, limits);
                env.delete_local(root);
                self.keep(snapshot);
            }
        });
        true
    }

    fn keep(&mut self, snapshot: Option<Snapshot>) {
        let Some(mut snapshot) = snapshot else { return };
        if self.comparisons + snapshot.comparisons() > MOST_COMPARISONS {
            snapshot.look_thoroughly();
        }
        self.comparisons += snapshot.comparisons();
        self.objects += snapshot.len();
        self.snapshots.push(snapshot);
    }

    /// Whether the last run initialized classes and left a counter grown, which stayed so.
    pub(crate) fn has_followed(&self) -> bool {
        self.growth.has_followed
    }

    /// Whether a counter stays as the last run left it, or was copied behind that run: initializers drew from it, the test
    /// itself, or both.
    pub(crate) fn has_grown_counters(&self) -> bool {
        self.snapshots.iter().any(Snapshot::may_have_grown)
    }

    /// The same test runs once more, at once: what it draws now was its own before, and is taken off such counters behind it.
    pub(crate) fn run_again(&mut self) {
        self.growth.is_again = true;
    }

    /// Writes back what changed since it was copied, as far as a quick look shows it. Where classes were initialized, counters
    /// that have grown stay: their initializers, which run once, may have drawn numbers from them that nobody may get again,
    /// such as the places of netty's thread-local variables. `has_loaded` says that the test loaded classes.
    pub(crate) fn restore(&mut self, env: Env<'_>, agent: Agent, has_loaded: bool) {
        self.unseen = self.unseen.saturating_add(1);
        self.has_loaded |= has_loaded;
        let is_again = std::mem::take(&mut self.growth.is_again);
        self.growth.has_followed = false;
        let mut initialized =
            Initialized { agent, waiting: &self.waiting, found: has_loaded.then_some(true) };
        for snapshot in &mut self.snapshots {
            let grown_from = snapshot.take_grown_from();
            if !snapshot.has_changed(env) {
                continue;
            }
            if initialized.follow(env, snapshot) {
                self.growth.has_followed = true;
            } else {
                if let Some(before) = grown_from.filter(|_| is_again) {
                    snapshot.take_off_own(env, before);
                }
                snapshot.restore(env);
                if snapshot.len() > MOST_AT_ONCE {
                    snapshot.look_thoroughly();
                }
            }
        }
        // Those that are initialized wait no longer, or they would speak for every later test.
        self.is_due |= initialized.found == Some(true);
        if self.unseen >= THOROUGHLY {
            self.settle(env, agent);
        }
    }

    /// Writes back everything that changed since it was copied. To be called before a run whose observations count.
    pub(crate) fn settle(&mut self, env: Env<'_>, agent: Agent) {
        if self.unseen == 0 {
            return;
        }
        self.unseen = 0;
        let found = std::mem::take(&mut self.has_loaded).then_some(true);
        let mut initialized = Initialized { agent, waiting: &self.waiting, found };
        for snapshot in &mut self.snapshots {
            let has_changed = snapshot.needs_thorough_look() && snapshot.has_changed_elsewhere(env);
            if has_changed && !initialized.follow(env, snapshot) {
                snapshot.restore(env);
            }
        }
        self.is_due |= initialized.found == Some(true);
    }
}

/// Whether classes were initialized since copies were looked at; asked only where that matters.
struct Initialized<'c> {
    agent: Agent,
    /// Classes that were not when they were looked at last.
    waiting: &'c [Global],
    found: Option<bool>,
}

impl Initialized<'_> {
    /// Where they were, a counter that has grown becomes the copy: whether it did.
    fn follow(&mut self, env: Env<'_>, snapshot: &mut Snapshot) -> bool {
        let Some(number) = snapshot.grown_counter(env) else { return false };
        let found = *self.found.get_or_insert_with(|| {
            let is_initialized =
                |class: &Global| !matches!(self.agent.class_state(class.get()), ClassState::Loaded);
            self.waiting.len() <= MOST_ASKED && self.waiting.iter().any(is_initialized)
        });
        if found {
            snapshot.follow_counter(number);
        }
        found
    }
}
