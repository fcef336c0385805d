//! What class initializers drew from counters is told from what a test drew itself: the test runs once more, when they have run.

use testcase::test_case::TestCase;

use super::{JvmExecutor, RunLimits};

impl JvmExecutor {
    /// Where a counter may have grown in the last run while classes were initialized, the same test runs once more. Nothing else of
    /// that run counts. To be called when the last run was read.
    pub(super) fn run_for_counters(&mut self, test: &TestCase, limits: RunLimits) {
        if !self.begin_for_counters() {
            return;
        }
        if let Some(slot) = &mut self.slot {
            slot.write(test);
        }
        self.run_once(test, limits, |_, _| ());
        self.discard_trace();
        if let Some(slot) = &mut self.slot {
            slot.clear();
        }
    }

    /// The test of the last run runs once more: whether that tells something of counters.
    pub(super) fn begin_for_counters(&mut self) -> bool {
        let tells = std::mem::take(&mut self.has_grown_counters);
        if tells {
            self.checkpoints.run_again();
        }
        tells
    }
}
