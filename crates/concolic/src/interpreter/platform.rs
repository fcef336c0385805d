//! Code of the platform, interpreted where all that it touches is known to the replay.
//!
//! A recording has no events of such code. So it is interpreted on trial: as soon as it reads what the replay does not know for
//! certain, calls a native method, writes a static field, takes too many steps or decides on too much, all is undone and the call is
//! asked for. What it comes to must be what was recorded, or it is undone as well.
//!
//! # Differences
//! Classes of the platform are initialized on trial, too, when a static field is read that is no constant; their static fields count as
//! known if they are final.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::name::ClassName;

use crate::interpreter::calls::Then;
use crate::interpreter::heap::FieldName;
use crate::interpreter::machine::{Abrupt, Interpreter};
use crate::interpreter::{End, MethodName, Outcome, Slot, Why};

/// Packages whose code is tried, by how names of classes begin.
const TRIED: &[&str] = &["java/lang/", "java/util/", "java/math/", "java/text/", "java/io/"];

/// Those among them that are not: what they do is known to the virtual machine alone, or their tables would pin what is looked up in
/// them.
const LEFT: &[&str] = &[
    "java/lang/Character",
    "java/lang/Class",
    "java/lang/FdLibm",
    "java/lang/StrictMath",
    "java/lang/ref/",
    "java/lang/reflect/",
    "java/lang/invoke/",
    "java/lang/Runtime",
    "java/lang/System",
    "java/lang/Thread",
    "java/util/concurrent/",
    "java/util/logging/",
];

/// Trials within one another, by what is called back.
const MOST_NESTED: usize = 8;

/// Steps of trials of one method that came to nothing, after which it is not tried again in a replay.
const MOST_VAIN: u64 = 4_000;

/// What is known of trials.
#[derive(Debug, Default)]
pub(super) struct Trials {
    nested: usize,
    /// Steps of all trials.
    steps: u64,
    /// Steps of trials that came to nothing.
    vain: BTreeMap<MethodName, u64>,
    /// Classes whose initializers came to nothing.
    uninitialized: BTreeSet<ClassName>,
}

impl Interpreter<'_> {
    /// Whether code of the platform is interpreted at the moment.
    pub(super) fn is_in_platform(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.is_platform)
    }

    /// Whether a recording has events of what is interpreted at the moment.
    pub(super) fn is_recorded(&self) -> bool {
        self.outside.has_recording() && !self.is_in_platform()
    }

    fn is_worth_a_trial(&self, method: &MethodName) -> bool {
        let class = method.class.as_str();
        let begins = |prefix: &&str| class.starts_with(*prefix);
        self.outside.interprets_platform()
            && TRIED.iter().any(begins)
            && !LEFT.iter().any(begins)
            && self.trials.nested < MOST_NESTED
            && self.trials.steps < self.limits.steps
            && self.trials.vain.get(method).is_none_or(|&steps| steps < MOST_VAIN)
    }

    /// What a method of the platform does, if all that it touches is known, and if it is what was recorded.
    pub(super) fn try_platform(&mut self, method: &MethodName, arguments: &[Slot]) -> Option<Outcome> {
        if !self.is_worth_a_trial(method) {
            return None;
        }
        let (frames, conditions, facts) = (self.frames.len(), self.conditions.len(), self.facts.len());
        let (before, limit, is_exact) = (self.steps, self.limits.steps, self.is_exact);
        self.heap.begin();
        self.outside.begin();
        self.trials.nested += 1;
        self.limits.steps = limit.min(before + self.limits.platform_steps);
        let step = self.enter(method, arguments.to_vec(), Then::End);
        let end = self.run_from(step);
        self.limits.steps = limit;
        self.trials.nested -= 1;
        let taken = self.steps - before;
        // They have a limit of their own, so that no path ends earlier because of them.
        self.steps = before;
        self.trials.steps += taken;
        let outcome = match end {
            End::Returned(slot) => Some(Outcome::Returned(slot)),
            End::Threw { object, .. } => Some(Outcome::Threw(object)),
            End::Unknown(_) | End::OutOfSteps | End::TooDeep | End::Diverged { .. } => None,
        };
        let outcome =
            outcome.filter(|outcome| self.outside.agrees(outcome, self.frames.is_empty(), &self.heap));
        let outcome =
            outcome.filter(|_| self.conditions.len() - conditions <= self.limits.platform_conditions);
        if outcome.is_some() {
            self.heap.keep();
            self.outside.keep();
            return outcome;
        }
        let initializers = self.frames[frames.min(self.frames.len())..].iter();
        let initializers =
            initializers.filter(|frame| frame.is_platform && *frame.method.name.name == *"<clinit>");
        for class in initializers.map(|frame| frame.method.name.class.clone()).collect::<Vec<_>>() {
            self.initialized.remove(&class);
            self.trials.uninitialized.insert(class);
        }
        self.frames.truncate(frames);
        self.forget_conditions(conditions);
        self.facts.truncate(facts);
        self.is_exact = is_exact;
        self.heap.undo();
        self.outside.undo();
        *self.trials.vain.entry(method.clone()).or_insert(0) += taken.max(1);
        None
    }

    /// As [`Interpreter::initialize`], of a class of the platform whose static field code of the platform accesses.
    pub(super) fn initialize_platform(&mut self, field: &FieldName) -> Result<bool, Abrupt> {
        let class = &field.0;
        if self.initialized.contains_key(class) || self.constant_of(field).is_some() {
            return Ok(false);
        }
        if self.trials.uninitialized.contains(class) {
            return Err(Why::Platform.into());
        }
        self.initialized.insert(class.clone(), true);
        let initializer =
            MethodName { class: class.clone(), name: "<clinit>".into(), descriptor: "()V".into() };
        if self.hierarchy.class(class).is_none_or(|info| info.method("<clinit>", "()V").is_none()) {
            return Ok(false);
        }
        self.enter_initializer(&initializer)?;
        Ok(true)
    }

    /// Whether the value of a static field of the platform is known behind the initialization of its class.
    ///
    /// # Errors
    /// It may have been written since, or is about to be.
    pub(super) fn check_platform_static(&self, field: &FieldName, is_written: bool) -> Result<(), Abrupt> {
        let initializes = self
            .frames
            .iter()
            .any(|frame| frame.method.name.class == field.0 && *frame.method.name.name == *"<clinit>");
        let is_final = self
            .hierarchy
            .class(&field.0)
            .and_then(|info| info.field(&field.1).map(|field| field.access.is_final()))
            .unwrap_or(false);
        if initializes || is_final && !is_written { Ok(()) } else { Err(Why::Platform.into()) }
    }
}
