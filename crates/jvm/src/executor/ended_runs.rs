//! The account that an executor keeps of runs that had to be ended.

use testcase::test_case::TestCase;

use super::JvmExecutor;
use crate::faults::{Fault, Faults, Severity};

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
