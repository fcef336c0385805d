//! The account that an executor keeps of runs that had to be ended.

use testcase::cluster::TestCluster;

use crate::faults::{Fault, Faults, Severity};
use crate::watchdog::Watched;

/// What runs had to be ended in.
#[derive(Debug, Default)]
pub(super) struct EndedRuns {
    /// In this process and in earlier ones.
    faults: Faults,
    /// Those that nobody has been told of.
    news: Vec<Fault>,
}

impl EndedRuns {
    /// Takes over what earlier processes noted.
    pub(super) fn set_faults(&mut self, faults: Faults) {
        self.faults = faults;
    }

    /// The account.
    pub(super) fn faults(&self) -> &Faults {
        &self.faults
    }

    /// A run had to be ended.
    pub(super) fn note(&mut self, fault: Fault, cluster: &TestCluster) {
        self.faults.note(fault.clone(), cluster);
        self.news.push(fault);
    }

    /// Faults since the last call.
    pub(super) fn take_news(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.news)
    }
}

/// How a run ended, as far as it says whether a call is to blame.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    /// What the watchdog did.
    pub(super) watched: Watched,
    /// Whether classes were loaded in it.
    pub(super) loads: bool,
    /// Whether threads of it did not end.
    pub(super) runs_on: bool,
    /// The statement that it ended at.
    pub(super) executed: usize,
    /// The statement that began to wait or started threads.
    pub(super) starter: usize,
}

impl End {
    /// Whether the run came to no end of its own.
    pub(super) fn is_stalled(self) -> bool {
        self.runs_on || self.watched != Watched::Ended
    }

    /// The statement that is to blame, and for how much; `None` where nothing had to be ended.
    pub(super) fn blame(self) -> Option<(usize, Severity)> {
        match self.watched {
            Watched::Ended if self.runs_on => Some((self.starter, Severity::Slow)),
            Watched::Ended => None,
            Watched::Flagged if self.loads => Some((self.executed, Severity::Loading)),
            Watched::Flagged => Some((self.executed, Severity::Slow)),
            Watched::ThrownInto => Some((self.executed, Severity::Damaging)),
        }
    }
}

#[cfg(test)]
mod tests {
    use testcase::test_case::TestCase;

    use super::*;

    #[test]
    fn the_statement_that_ran_is_to_blame_or_the_one_that_started_threads() {
        let check = |watched, loads, runs_on, expect: Option<(usize, Severity)>| {
            let end = End { watched, loads, runs_on, executed: 5, starter: 2 };
            assert_eq!(end.blame(), expect, "{end:?}");
            assert_eq!(end.is_stalled(), expect.is_some(), "{end:?}");
        };
        check(Watched::Ended, true, false, None);
        check(Watched::Ended, true, true, Some((2, Severity::Slow)));
        check(Watched::Flagged, true, true, Some((5, Severity::Loading)));
        check(Watched::Flagged, false, true, Some((5, Severity::Slow)));
        check(Watched::ThrownInto, true, false, Some((5, Severity::Damaging)));
    }

    #[test]
    fn each_fault_is_told_once_and_stays_in_the_account() {
        let mut ended = EndedRuns::default();
        let fault = Fault { test: TestCase::default(), position: 0, severity: Severity::Damaging };
        ended.note(fault.clone(), &TestCluster::default());
        assert_eq!(ended.take_news().first(), Some(&fault));
        assert!(ended.take_news().is_empty());
        assert!(ended.faults().is_fatal(&fault.test));
    }
}
