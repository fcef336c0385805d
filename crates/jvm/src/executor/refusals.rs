//! What an executor has to say of the classes that it was given.

use super::JvmExecutor;
use crate::refusal::Refusal;

impl JvmExecutor {
    /// What could not be done as it should since the last call, one sentence each.
    pub fn take_diagnostics(&mut self) -> Vec<String> {
        let mut diagnostics = std::mem::take(&mut self.diagnostics);
        diagnostics.extend(self.vm.process.transformer.take_diagnostics());
        diagnostics
    }

    /// Classes that the JVM refused since the last call. Those that it refuses only with our probes in them are lost to this
    /// JVM, which is tainted then.
    pub fn take_refusals(&mut self) -> Vec<Refusal> {
        std::mem::take(&mut self.refusals)
    }

    /// Notes what an error says (as `toString` gives it) if it refuses a class; gives whether it does.
    pub(super) fn note_refusal(&mut self, error: &str) -> bool {
        let Some(mut refusal) = Refusal::read(error) else { return false };
        let transformer = &self.vm.process.transformer;
        refusal.is_as_compiled = transformer.is_as_compiled(&refusal.class, refusal.method.as_deref());
        self.is_tainted |= !refusal.is_as_compiled;
        if !self.refusals.contains(&refusal) {
            self.refusals.push(refusal);
        }
        true
    }
}
