//! What ends a run that would go on, and the account of the runs that it had to end.

use testcase::cluster::TestCluster;
use testcase::run_request::RunRequest;
use testcase::test_case::TestCase;

use super::ended_runs::EndedRuns;
use super::time_limit::TimeLimit;
use crate::faults::{Fault, Faults};
use crate::options::JvmOptions;
use crate::watchdog::{Patience, Watchdog, Watched};

/// What ends a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct RunLimits {
    pub(super) steps: i32,
    pub(super) patience: Patience,
}

impl RunLimits {
    pub(super) fn new(steps: u32, patience: Patience) -> Self {
        Self { steps: i32::try_from(steps).unwrap_or(i32::MAX), patience }
    }

    /// The limits of a run that is logged: of the same steps, each of which takes many times as long.
    pub(super) fn of_recorded_run(self) -> Self {
        Self { patience: Patience::Logged, ..self }
    }

    /// The limits of so many runs in a row, or of one that is so much longer.
    pub(super) fn times(self, runs: usize) -> Self {
        let runs = i32::try_from(runs).unwrap_or(i32::MAX);
        Self { steps: self.steps.saturating_mul(runs), ..self }
    }
}

/// The limits of runs, and what follows from runs that reached them.
#[derive(Debug)]
pub(super) struct Limits {
    pub(super) full: RunLimits,
    pub(super) brief: RunLimits,
    /// For code that is no test.
    initial: RunLimits,
    time: TimeLimit,
    watchdog: Watchdog,
    ended: EndedRuns,
}

impl Limits {
    /// Limits as options have them, held by this watchdog.
    pub(super) fn new(options: &JvmOptions, watchdog: Watchdog) -> Self {
        Self {
            full: RunLimits::new(options.steps, Patience::Long),
            brief: RunLimits::new(options.brief_steps.min(options.steps), Patience::Short),
            initial: RunLimits::new(options.steps, Patience::Medium),
            time: TimeLimit::new(options),
            watchdog,
            ended: EndedRuns::default(),
        }
    }

    /// Those of code that is no test.
    pub(super) fn initial(&self) -> RunLimits {
        self.initial
    }

    /// The limits for what is asked of a run.
    pub(super) fn of(&self, request: &RunRequest) -> RunLimits {
        if request.is_brief {
            return self.brief;
        }
        let most = request.times_brief.map_or(i32::MAX, |times| self.brief.times(times as usize).steps);
        RunLimits { steps: self.full.steps.min(most), ..self.full }
    }

    /// The limits for a test: patience with calls that runs had to be ended in is in vain.
    pub(super) fn sparing(&self, test: &TestCase, limits: RunLimits) -> RunLimits {
        if self.ended.faults().has_charged(test) {
            RunLimits { patience: Patience::Short, ..limits }
        } else {
            limits
        }
    }

    /// A test is about to run: what it takes bounds how far the time limit comes down.
    pub(super) fn begin_test(&mut self) {
        self.time.begin();
    }

    /// The test has come to its own end.
    pub(super) fn end_test(&mut self) {
        self.time.end();
    }

    /// Has the watchdog watch.
    pub(super) fn watch(&mut self, patience: Patience) {
        self.watchdog.begin(patience);
    }

    /// Nothing is to be watched any more; gives what the watchdog did.
    pub(super) fn unwatch(&mut self) -> Watched {
        self.watchdog.end()
    }

    /// Takes over the account of earlier processes.
    pub(super) fn set_faults(&mut self, faults: Faults) {
        self.time.begin_after(faults.count());
        self.ended.set_faults(faults);
        self.watchdog.set_limit(self.time.now());
    }

    /// A run had to be ended.
    pub(super) fn note_fault(&mut self, fault: Fault, cluster: &TestCluster) {
        self.ended.note(fault, cluster);
        self.time.tighten();
        self.watchdog.set_limit(self.time.now());
    }

    /// What runs had to be ended in so far, in other processes as well.
    pub(super) fn faults(&self) -> &Faults {
        self.ended.faults()
    }

    /// Faults since the last call.
    pub(super) fn take_news(&mut self) -> Vec<Fault> {
        self.ended.take_news()
    }
}
