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

/// Most comparisons beside these over all copies where a class is initialized, and of one copy. A server initializes a thousand classes before its
/// first test is through, and each is looked at twice.
const MOST_VISIBLE: usize = 1024;
const MOST_VISIBLE_OF_ONE: usize = 256;

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

/// Most classes that are asked whether they are initialized now behind an initializer.
const MOST_ASKED: usize = 1024;

/// Most objects that are looked at again because initializers change what was copied: about 50 ms.
const MOST_WALKED_AGAIN: usize = MOST_WALKED;

/// Local references that copying needs.
const REFERENCES: usize = 64;

/// Copies of what static fields reach.
#[derive(Debug, Default)]
pub(crate) struct Checkpoints {
    shapes: Shapes,
    snapshots: Vec<Snapshot>,
    comparisons: usize,
    /// Comparisons beside these that are made where a class is initialized.
    visible: usize,
    objects: usize,
    walked: usize,
    walked_again: usize,
    /// Executions since the last thorough look.
    unseen: u32,
    /// Classes that were loaded and not yet seen initialized. Frameworks load thousands that they never initialize, so
    /// they are not looked up by name again.
    waiting: Vec<Global>,
    /// Classes that were asked for. Asking for one whose superclass is missing begins to load it again, in vain, after
    /// every test.
    asked_for: BTreeSet<ClassName>,
    executions: u32,
    /// What had changed when the initializer began that runs now, as it was then; nothing while none runs.
    begun: Vec<(usize, Snapshot)>,
}

impl Checkpoints {
    /// Copies what the static fields of newly initialized classes reach. `loaded` are classes of the class path that
    /// were loaded since the last call. To be called between tests.
    pub(crate) fn take(&mut self, env: Env<'_>, agent: Agent, jdk: &Jdk, loaded: Vec<ClassName>) {
        // One that failed was never left.
        self.forget_begun(env);
        self.executions = self.executions.wrapping_add(1);
        let is_due = self.executions.is_multiple_of(PATIENCE);
        if loaded.is_empty() && (self.waiting.is_empty() || !is_due) {
            return;
        }
        self.take_waiting(env, agent, jdk, None);
        self.take_loaded(env, agent, jdk, (loaded, None));
    }

    /// The initializer of a class begins. What the test changed by now is told from what the initializer will.
    pub(crate) fn initializer_begins(&mut self, env: Env<'_>, agent: Agent, jdk: &Jdk) {
        self.forget_begun(env);
        for index in 0..self.snapshots.len() {
            let Some(snapshot) = self.snapshots.get(index) else { continue };
            if !snapshot.has_visibly_changed(env) {
                continue;
            }
            if let Some(now) = self.copy_again(env, agent, jdk, index) {
                self.begun.push((index, now));
            }
        }
    }

    /// The initializer of `ending` has come to its end. What it changed, which it does only once, is copied again, and what the
    /// classes reach that are initialized now is copied before the test goes on. Where the test and the initializer changed
    /// one structure both changes stay: a test that finds too much is better than a registration that is lost for good.
    pub(crate) fn initializer_ends(
        &mut self,
        env: Env<'_>,
        agent: Agent,
        jdk: &Jdk,
        (ending, loaded): (Option<Ref<'_>>, Vec<ClassName>),
    ) {
        let mut begun = std::mem::take(&mut self.begun).into_iter().peekable();
        for index in 0..self.snapshots.len() {
            let before = begun.next_if(|(at, _)| *at == index).map(|(_, before)| before);
            let Some(copied) = self.snapshots.get(index) else { continue };
            let has_changed = before.as_ref().unwrap_or(copied).has_visibly_changed(env);
            if let Some(before) = before {
                before.discard(env);
            }
            if has_changed && let Some(now) = self.copy_again(env, agent, jdk, index) {
                self.replace(env, index, now);
            }
        }
        self.take_waiting(env, agent, jdk, ending);
        self.take_loaded(env, agent, jdk, (loaded, ending));
    }

    fn forget_begun(&mut self, env: Env<'_>) {
        for (_, before) in self.begun.drain(..) {
            before.discard(env);
        }
    }

    /// Another copy of what was copied, as it is now; `None` where that would be too much.
    fn copy_again(&mut self, env: Env<'_>, agent: Agent, jdk: &Jdk, index: usize) -> Option<Snapshot> {
        let snapshot = self.snapshots.get(index)?;
        // Numbers in an object of their own can always be copied: two tests must not draw the same.
        if snapshot.len() > 1 && self.walked_again >= MOST_WALKED_AGAIN {
            return None;
        }
        let most = (MOST_OBJECTS + snapshot.len()).saturating_sub(self.objects);
        let limits = (most, &mut self.walked_again);
        Snapshot::take(env, agent, jdk, &mut self.shapes, snapshot.root()?, limits)
    }

    fn replace(&mut self, env: Env<'_>, index: usize, mut now: Snapshot) {
        let Some(slot) = self.snapshots.get_mut(index) else { return now.discard(env) };
        let others = self.comparisons.saturating_sub(slot.comparisons());
        if others + now.comparisons() > MOST_COMPARISONS {
            now.look_thoroughly();
        }
        self.comparisons = others + now.comparisons();
        let visible = self.visible.saturating_sub(slot.visible());
        self.visible =
            visible + now.make_visible(MOST_VISIBLE.saturating_sub(visible).min(MOST_VISIBLE_OF_ONE));
        self.objects = self.objects.saturating_sub(slot.len()) + now.len();
        std::mem::replace(slot, now).discard(env);
    }

    /// Copies what those of the classes that wait reach whose initializer has ended, or is that of `ending`.
    fn take_waiting(&mut self, env: Env<'_>, agent: Agent, jdk: &Jdk, ending: Option<Ref<'_>>) {
        if ending.is_some() && self.waiting.len() > MOST_ASKED {
            return;
        }
        for class in std::mem::take(&mut self.waiting) {
            if self.take_class(env, agent, jdk, (class.get(), ending)) {
                // SAFETY: it was the only copy.
                unsafe { env.delete_global(class) };
            } else {
                self.waiting.push(class);
            }
        }
    }

    fn take_loaded(
        &mut self,
        env: Env<'_>,
        agent: Agent,
        jdk: &Jdk,
        (loaded, ending): (Vec<ClassName>, Option<Ref<'_>>),
    ) {
        for name in loaded {
            if !self.asked_for.insert(name.clone()) {
                continue;
            }
            env.frame(REFERENCES, |env| {
                // A class that is not found here was defined by another loader.
                if let Ok(Some(class)) = jdk.load(env, &ErasedType::Class(name), false) {
                    if !self.take_class(env, agent, jdk, (class, ending)) {
                        self.waiting.push(env.global(class));
                    }
                } else {
                    env.clear();
                }
            });
        }
    }

    /// Copies what a class reaches; false when it is not initialized yet.
    fn take_class(
        &mut self,
        env: Env<'_>,
        agent: Agent,
        jdk: &Jdk,
        (class, ending): (Ref<'_>, Option<Ref<'_>>),
    ) -> bool {
        match agent.class_state(class) {
            ClassState::Initialized => {}
            ClassState::Failed => return true,
            ClassState::Loaded if ending.is_some() && env.is_same(Some(class), ending) => {}
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
        self.visible +=
            snapshot.make_visible(MOST_VISIBLE.saturating_sub(self.visible).min(MOST_VISIBLE_OF_ONE));
        self.objects += snapshot.len();
        self.snapshots.push(snapshot);
    }

    /// Writes back what changed since it was copied, as far as a quick look shows it.
    pub(crate) fn restore(&mut self, env: Env<'_>) {
        self.unseen = self.unseen.saturating_add(1);
        for snapshot in &mut self.snapshots {
            if !snapshot.has_changed(env) {
                continue;
            }
            snapshot.restore(env);
            if snapshot.len() > MOST_AT_ONCE {
                snapshot.look_thoroughly();
            }
        }
        if self.unseen >= THOROUGHLY {
            self.settle(env);
        }
    }

    /// Writes back everything that changed since it was copied. To be called before a run whose observations count.
    pub(crate) fn settle(&mut self, env: Env<'_>) {
        if self.unseen == 0 {
            return;
        }
        self.unseen = 0;
        for snapshot in &self.snapshots {
            if snapshot.needs_thorough_look() && snapshot.has_changed_elsewhere(env) {
                snapshot.restore(env);
            }
        }
    }
}
