//! What class initializers drew from counters is told from what a test drew itself: the test runs once more, when they have run.

use testcase::test_case::TestCase;

use super::JvmExecutor;
use super::limits::RunLimits;

impl JvmExecutor {
    /// Where a counter may have grown in the last run while classes were initialized, the same test runs once more. Nothing else of
    /// that run counts. To be called when the last run was read.
    pub(super) fn run_for_counters(&mut self, test: &TestCase, limits: RunLimits) {
        if !self.isolation.begin_for_counters() {
            return;
        }
        self.slot.write(test);
        self.run_once(test, limits, |_, _| ());
        self.discard_trace();
        self.slot.clear();
    }
}
