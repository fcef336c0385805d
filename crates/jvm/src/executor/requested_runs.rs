//! Runs as they are asked for: what they record, how long they may take, and the mutants that run with the same test.

use std::sync::Arc;

use bytecode::probe_map::OutcomeId;
use testcase::execution::{ExecutionResult, Outcome};
use testcase::run_request::RunRequest;
use testcase::test_case::TestCase;

use super::{Ended, JvmExecutor, SPARE_REFERENCES};
use crate::stack::StackReader;

impl JvmExecutor {
    /// Which outcomes the next run records of those that cost time.
    pub(super) fn record_outcomes(&mut self, outcomes: Option<&Arc<[OutcomeId]>>) {
        let is_same = match (&self.outcomes, outcomes) {
            (None, None) => true,
            (Some(last), Some(outcomes)) => Arc::ptr_eq(last, outcomes),
            (None, Some(_)) | (Some(_), None) => false,
        };
        if !is_same {
            self.idle_points.ask_for(self.reader.layout(), outcomes.map(|outcomes| &**outcomes));
            self.values.ask_for(outcomes);
            self.outcomes = outcomes.cloned();
        }
    }

    /// Whether the next run is to keep the frames of its exception.
    pub(super) fn find_frames(&mut self, is_asked: bool) {
        if is_asked && self.stacks.is_none() {
            let env = self.vm.env();
            self.stacks = env.frame(SPARE_REFERENCES, |env| StackReader::find(env).ok());
            env.clear();
        }
        self.frames = is_asked.then(Vec::new);
    }

    /// Runs a test as it is asked for, and the mutants that are asked about.
    pub(super) fn execute_within(
        &mut self,
        test: &TestCase,
        request: &RunRequest,
        result: &mut ExecutionResult,
    ) {
        result.trace.clear();
        result.mutant_runs = 0;
        let is_brief = request.is_brief;
        let limits = if is_brief { self.brief } else { self.full };
        let ended = if self.faults.is_fatal(test) || (is_brief && self.faults.refuses(test)) {
            Ended::refused()
        } else {
            if is_brief {
                self.caches.fill(self.vm.env());
            } else {
                self.caches.empty(self.vm.env());
            }
            let limits = self.sparing(test, limits);
            let ended = self.run(test, limits, |_, _| ());
            self.read_trace(test, ended.executed, &mut result.trace);
            if let (Outcome::Threw(_), Some(probe)) = (&ended.outcome, self.thrown) {
                result.trace.record_hits(probe, 1);
            }
            self.run_for_counters(test, limits);
            ended
        };
        result.stalled = ended.stalled;
        result.outcome = ended.outcome;
        result.executed = ended.executed;
        result.touched = ended.touched;
        result.cost = ended.cost;
        if let Some(mutants) = &request.mutants {
            self.run_mutants(test, mutants, limits, result);
        }
    }
}
