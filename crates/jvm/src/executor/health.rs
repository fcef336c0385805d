//! How the JVM of an executor fares, for who drives it: what it refused, what did not go as it should, and whether it may be
//! damaged.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::native_memory::{NativeMemory, Shortage};
use crate::refusal::Refusal;

/// What is wrong with a JVM.
#[derive(Debug)]
pub(super) struct Health {
    is_tainted: bool,
    /// Raised when the JVM may be damaged.
    alarms: Vec<Arc<AtomicBool>>,
    /// Sentences since the last look.
    diagnostics: Vec<String>,
    /// Classes that the JVM refused, since the last look.
    refusals: Vec<Refusal>,
    memory: NativeMemory,
}

impl Health {
    /// Of a JVM that has just started, with what could not be put in place.
    pub(super) fn new(diagnostics: Vec<String>) -> Self {
        Self {
            is_tainted: false,
            alarms: Vec::new(),
            diagnostics,
            refusals: Vec::new(),
            memory: NativeMemory::of_this_process(),
        }
    }

    /// Whether the JVM may be damaged.
    pub(super) fn is_tainted(&self) -> bool {
        self.is_tainted
    }

    /// The JVM may be damaged.
    pub(super) fn taint(&mut self) {
        self.is_tainted = true;
    }

    /// An initializer does not end, whatever the JVM: another one would come no further, unless it has other code to run.
    pub(super) fn blame_code(&mut self) {
        self.is_tainted = self.refusals.iter().any(|refusal| !refusal.is_as_compiled);
    }

    /// Raises these flags from now on.
    pub(super) fn set_alarms(&mut self, alarms: Vec<Arc<AtomicBool>>) {
        self.alarms = alarms;
    }

    /// Says that the JVM should be replaced.
    pub(super) fn raise_alarms(&self) {
        self.alarms.iter().for_each(|alarm| alarm.store(true, Ordering::Release));
    }

    /// Notes what could not be done as it should.
    pub(super) fn diagnose(&mut self, sentence: String) {
        self.diagnostics.push(sentence);
    }

    /// Sentences since the last call.
    pub(super) fn take_diagnostics(&mut self) -> Vec<String> {
        std::mem::take(&mut self.diagnostics)
    }

    /// Notes what an error says (as `toString` gives it) if it refuses a class; gives whether it does. A class that is refused
    /// only with our probes in it is lost to this JVM.
    pub(super) fn note_refusal(
        &mut self,
        error: &str,
        is_as_compiled: impl FnOnce(&Refusal) -> bool,
    ) -> bool {
        let Some(mut refusal) = Refusal::read(error) else { return false };
        refusal.is_as_compiled = is_as_compiled(&refusal);
        self.is_tainted |= !refusal.is_as_compiled;
        if !self.refusals.contains(&refusal) {
            self.refusals.push(refusal);
        }
        true
    }

    /// Classes that the JVM refused since the last call.
    pub(super) fn take_refusals(&mut self) -> Vec<Refusal> {
        std::mem::take(&mut self.refusals)
    }

    /// A run has ended. A JVM that is short of memory would die of what comes next. Gives whether this run is to blame: one
    /// that passed took its part, which one cannot tell from that of the ones before.
    pub(super) fn look_at_memory(&mut self, has_passed: bool) -> bool {
        let shortage = self.memory.look(has_passed);
        self.is_tainted |= shortage != Shortage::None;
        shortage == Shortage::Sudden && !has_passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFUSED: &str = "java.lang.VerifyError: (class: p/A, method: f signature: (I)I) Expecting";

    #[test]
    fn a_class_that_is_refused_only_with_probes_taints_the_jvm_and_is_told_once() {
        let check = |error: &str, is_as_compiled: bool, expect: (bool, bool, usize)| {
            let mut health = Health::new(Vec::new());
            let is_refusal = health.note_refusal(error, |_| is_as_compiled);
            assert_eq!(health.note_refusal(error, |_| is_as_compiled), is_refusal);
            assert_eq!((is_refusal, health.is_tainted(), health.take_refusals().len()), expect, "{error}");
            assert!(health.take_refusals().is_empty());
        };
        check(REFUSED, true, (true, false, 1));
        check(REFUSED, false, (true, true, 1));
        check("java.lang.IllegalStateException", false, (false, false, 0));
    }

    #[test]
    fn an_initializer_without_end_is_the_fault_of_the_code_unless_the_jvm_refused_probes() {
        let check = |is_as_compiled: Option<bool>, expect: bool| {
            let mut health = Health::new(Vec::new());
            if let Some(is_as_compiled) = is_as_compiled {
                health.note_refusal(REFUSED, |_| is_as_compiled);
            }
            health.taint();
            health.blame_code();
            assert_eq!(health.is_tainted(), expect, "{is_as_compiled:?}");
        };
        check(None, false);
        check(Some(true), false);
        check(Some(false), true);
    }

    #[test]
    fn alarms_are_flags_of_others() {
        let alarm = Arc::new(AtomicBool::new(false));
        let mut health = Health::new(Vec::new());
        health.set_alarms(vec![Arc::clone(&alarm)]);
        assert!(!alarm.load(Ordering::Acquire));
        health.raise_alarms();
        assert!(alarm.load(Ordering::Acquire));
    }
}
