//! What who drives an executor sets before runs, and asks behind them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use testcase::execution::SeenException;

use super::JvmExecutor;
use super::statistics::Statistics;
use crate::faults::{Fault, Faults};
use crate::refusal::Refusal;
use crate::shared::SlotWriter;

impl JvmExecutor {
    /// Writes every test into this slot before it runs, so that the parent knows which one a process died of.
    pub fn set_slot(&mut self, slot: SlotWriter) {
        self.slot.open(slot);
    }

    /// Watches for exceptions that calls let through ([`testcase::execution::Executor::exceptions`]); `known` were seen
    /// before, in other processes.
    pub fn watch_exceptions(&mut self, known: Vec<SeenException>) {
        self.catcher.watch(self.recording.layout().probes(), known);
    }

    /// Leaves out these exceptions, which are no aim, whatever is watched for.
    pub fn settle_exceptions(&mut self, settled: Vec<SeenException>) {
        self.catcher.settle(settled);
    }

    /// Says whether mutants are killed as well by what an exception says and leaves, and by what the objects of an object are like, as they are
    /// where nothing is said.
    pub fn look_further(&mut self, looks_further: bool) {
        self.looks_further = looks_further;
    }

    /// What runs had to be ended in so far, in other processes as well. Tests that cost a JVM are not run; those with a call
    /// that is refused are not run briefly, and what is left of them, since they were archived before, has little time.
    pub fn set_faults(&mut self, faults: Faults) {
        self.limits.set_faults(faults);
    }

    /// What runs had to be ended in so far, in other processes as well.
    pub fn faults(&self) -> &Faults {
        self.limits.faults()
    }

    /// Faults since the last call.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        self.limits.take_news()
    }

    /// Whether the JVM may be damaged (an exception was thrown into the JDK, or threads could not be ended): the
    /// process should report what it has and be replaced.
    pub fn is_tainted(&self) -> bool {
        self.health.is_tainted() || self.isolation.has_too_many_threads()
    }

    /// Flags to be raised as soon as [`JvmExecutor::is_tainted`].
    pub fn raise_when_tainted(&mut self, flags: Vec<Arc<AtomicBool>>) {
        self.health.set_alarms(flags);
        self.raise_alarms();
    }

    pub(super) fn raise_alarms(&self) {
        if self.is_tainted() {
            self.health.raise_alarms();
        }
    }

    /// What could not be done as it should since the last call, one sentence each.
    pub fn take_diagnostics(&mut self) -> Vec<String> {
        let mut diagnostics = self.health.take_diagnostics();
        diagnostics.extend(self.jvm.transformer().take_diagnostics());
        diagnostics
    }

    /// Classes that the JVM refused since the last call. Those that it refuses only with our probes in them are lost to this
    /// JVM, which is tainted then.
    pub fn take_refusals(&mut self) -> Vec<Refusal> {
        self.health.take_refusals()
    }

    /// What was done so far.
    pub fn statistics(&self) -> Statistics {
        Statistics { loads: u64::from(self.jvm.transformer().loaded()), ..self.statistics }
    }
}
