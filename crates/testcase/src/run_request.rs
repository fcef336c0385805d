//! What one run is asked for, besides what every run reports. It is said run by run: an executor has no modes.

use std::sync::Arc;

use bytecode::probe_map::OutcomeId;
use serde::{Deserialize, Serialize};

/// What a run is asked for. Cheap to clone; lists are shared, so that an executor sees from where they lie whether they are
/// those of the run before.
#[derive(Debug, Clone, Default)]
pub struct RunRequest {
    /// Whether the run may be cut short ([`super::execution::Outcome::TimedOut`]) long before the limit: for callers that
    /// run many tests, most of which need little. What is not cut short reports the same as without.
    pub is_brief: bool,
    /// The most steps of a run that is not brief, as a multiple of those of a brief one; `None`: all that there are.
    pub times_brief: Option<u32>,
    /// Those of the outcomes that cost time to record (infections of mutants, partitions of what inspectors give) which the
    /// run must record, ascending. Of others it records what suits the executor. `None`: all.
    pub outcomes: Option<Arc<[OutcomeId]>>,
    /// Mutants that are run with the same test where the run infects them.
    pub mutants: Option<Arc<MutantRequest>>,
    /// Whether to report through which methods the exception came that ended the run. Takes time.
    pub frames: bool,
    /// Whether to log what a replay of the run needs ([`crate::recording::Recording`]). Such runs are many times slower, and the
    /// first one after others, as the first other one after such, takes some time more: they are best made in a row.
    pub recording: bool,
}

impl RunRequest {
    /// A run that may be cut short and records everything.
    pub fn brief() -> Self {
        Self { is_brief: true, ..Self::default() }
    }

    /// The same of a run that logs what a replay needs.
    pub fn recorded(&self) -> Self {
        Self { recording: true, ..self.clone() }
    }

    /// The same of a run that has all the steps that there are.
    pub fn in_full(&self) -> Self {
        Self { is_brief: false, times_brief: None, ..self.clone() }
    }

    /// The same of a run that has so many times the steps of a brief one.
    pub fn times_brief(&self, times: u32) -> Self {
        Self { times_brief: Some(times), ..self.in_full() }
    }

    /// Asks for runs of these mutants as well, if there are any.
    #[must_use]
    pub fn with_mutants(self, targets: Vec<MutantTarget>, runs: MutantRuns) -> Self {
        let mutants = (!targets.is_empty()).then(|| Arc::new(MutantRequest::new(targets, runs)));
        Self { mutants, ..self }
    }
}

/// Mutants that a run is asked about: each one that it infects is run with the same test, and the distance to its
/// propagation goes into the trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MutantRequest {
    /// Ascending, by infection.
    targets: Vec<MutantTarget>,
    /// Which of them are run.
    pub runs: MutantRuns,
}

impl MutantRequest {
    /// Asks about these, each once.
    pub fn new(mut targets: Vec<MutantTarget>, runs: MutantRuns) -> Self {
        targets.sort_unstable();
        targets.dedup_by_key(|target| target.infection);
        Self { targets, runs }
    }

    /// The mutant with this infection, if it is asked about.
    pub fn target(&self, infection: OutcomeId) -> Option<MutantTarget> {
        let at = self.targets.binary_search_by_key(&infection, |target| target.infection);
        at.ok().map(|at| self.targets[at])
    }

    /// All that are asked about, ascending by infection.
    pub fn targets(&self) -> &[MutantTarget] {
        &self.targets
    }
}

/// Which of the mutants that a test infects are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MutantRuns {
    /// Not more than a search can afford for a test, in turn, and none whose runs do not end.
    #[default]
    Sparing,
    /// All.
    All,
}

/// A mutant that a test is to kill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MutantTarget {
    /// Taken where it is infected; the mutant is selected by this outcome.
    pub infection: OutcomeId,
    /// Its distance is `1 / (1 + impact)` after a run of the mutant, 0 when it is killed.
    pub propagation: OutcomeId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_are_found_by_their_infection() {
        let target = |id: u32| MutantTarget { infection: OutcomeId(id), propagation: OutcomeId(id + 10) };
        let request = MutantRequest::new(vec![target(5), target(2), target(5)], MutantRuns::All);
        assert_eq!(request.targets(), [target(2), target(5)]);
        assert_eq!(request.target(OutcomeId(5)), Some(target(5)));
        assert_eq!(request.target(OutcomeId(3)), None);
        assert!(RunRequest::default().with_mutants(Vec::new(), MutantRuns::All).mutants.is_none());
    }
}
