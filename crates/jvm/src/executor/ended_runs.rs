//! The account that an executor keeps of runs that had to be ended.

use testcase::test_case::TestCase;

use super::JvmExecutor;
use super::native_memory::Shortage;
use crate::faults::{Fault, Faults, Severity};
use crate::watchdog::Watched;

impl JvmExecutor {
    /// What runs had to be ended in so far, in other processes as well. Tests that cost a JVM are not run; those with a call
    /// that is refused are not run briefly, and what is left of them, since they were archived before, has little time.
    pub fn set_faults(&mut self, faults: Faults) {
        self.faults = faults;
        self.time_limit.begin_after(self.faults.count());
        self.watchdog.set_limit(self.time_limit.now());
    }

    /// What runs had to be ended in so far, in other processes as well.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Faults since the last call.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.news)
    }

    /// Charges a run that ended so at the statement `executed`; `loads` when classes were loaded in it, `runs_on` when threads
    /// of it did not end.
    pub(super) fn charge(
        &mut self,
        test: &TestCase,
        executed: usize,
        watched: Watched,
        loads: bool,
        runs_on: bool,
    ) {
        match watched {
            Watched::Ended if runs_on => {
                self.note_fault(test, self.vm.process.waiting.starter(), Severity::Slow);
            }
            Watched::Ended => {}
            Watched::Flagged if loads => self.note_fault(test, executed, Severity::Loading),
            Watched::Flagged => self.note_fault(test, executed, Severity::Slow),
            Watched::ThrownInto => self.note_fault(test, executed, Severity::Damaging),
        }
    }

    /// Charges a run that left the process short of memory at the statement `executed`. What comes next would die of that.
    pub(super) fn charge_memory(&mut self, test: &TestCase, executed: usize, has_passed: bool) {
        let shortage = self.native_memory.look(has_passed);
        if shortage == Shortage::None {
            return;
        }
        self.is_tainted = true;
        // Those that passed took their part, which one cannot tell from that of the ones before.
        if shortage == Shortage::Sudden && !has_passed {
            self.note_fault(test, executed, Severity::Damaging);
        }
    }

    pub(super) fn note_fault(&mut self, test: &TestCase, position: usize, severity: Severity) {
        if self.is_mutated {
            return;
        }
        let fault = Fault { test: test.clone(), position, severity };
        self.faults.note(fault.clone());
        self.time_limit.tighten();
        self.watchdog.set_limit(self.time_limit.now());
        self.news.push(fault);
    }
}
