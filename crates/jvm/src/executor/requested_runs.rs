//! Runs as they are asked for: how long they may take, and the mutants that run with the same test.

use testcase::execution::{ExecutionResult, Outcome};
use testcase::run_request::RunRequest;
use testcase::test_case::TestCase;

use super::{Ended, JvmExecutor};

impl JvmExecutor {
    /// Runs a test as it is asked for, and the mutants that are asked about.
    pub(super) fn execute_within(
        &mut self,
        test: &TestCase,
        request: &RunRequest,
        result: &mut ExecutionResult,
    ) {
        result.trace.clear();
        result.mutant_runs = 0;
        result.recording = None;
        let is_brief = request.is_brief;
        let limits = self.limits.of(request);
        let faults = self.limits.faults();
        let ended = if faults.is_fatal(test) || (is_brief && faults.refuses(test, self.interpreter.cluster()))
        {
            Ended::refused()
        } else {
            self.isolation.set_caches(&self.jvm, is_brief);
            let limits = if request.recording { limits.of_recorded_run() } else { limits };
            let limits = self.limits.sparing(test, limits);
            self.recorder.start(&self.jvm);
            let ended = self.run(test, limits, ());
            self.recorder.stop();
            let used = self.interpreter.goal_classes(test, ended.executed);
            self.recording.read(self.jvm.env(), used, &mut result.trace);
            if let (Outcome::Threw(_), Some(probe)) = (&ended.outcome, self.catcher.probe()) {
                result.trace.record_hits(probe, 1);
            }
            ended
        };
        result.stalled = ended.stalled;
        result.outcome = ended.outcome;
        result.executed = ended.executed;
        result.touched = ended.touched;
        result.cost = ended.cost;
        result.recording = self.recorder.take();
        if let Some(mutants) = request.mutants.as_ref().filter(|_| !request.recording) {
            self.run_mutants(test, mutants, limits, result);
        }
    }
}
