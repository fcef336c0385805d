//! Individuals of the search: a test case with what its run showed.

use bytecode::probe_map::{OutcomeId, ProbeId};
use coverage::fitness::{FitnessVector, Sight};
use coverage::method_table::MethodTable;
use testcase::execution::{ExecutionResult, ExecutionTrace, Outcome};
use testcase::test_case::TestCase;

use crate::operators::subvector::Crowding;
use crate::performance::Proxies;

/// A test case that was run, with its fitness.
#[derive(Debug, Clone)]
pub struct TestCaseChromosome {
    /// Tells it from all others of the search.
    pub serial: u64,
    /// The test.
    pub test: TestCase,
    /// Fitness for each current objective. Lower is better, 0 is covered.
    pub fitness: FitnessVector,
    /// Index of its front in the last ranking; 0 is the best.
    pub rank: u32,
    /// What orders it within its front in the last ranking; larger is better.
    pub secondary: f64,
    /// Subvector dominance within its front in the last ranking, where that orders it.
    pub crowding: Crowding,
    /// What its run costs; all 0 unless the algorithm asks for it.
    pub proxies: Proxies,
    /// What it did.
    pub run: RunSummary,
}

impl TestCaseChromosome {
    /// An individual that was not ranked yet.
    pub fn new(serial: u64, test: TestCase, fitness: FitnessVector, run: RunSummary) -> Self {
        let (crowding, proxies) = (Crowding::default(), Proxies::default());
        Self { serial, test, fitness, rank: u32::MAX, secondary: 0.0, crowding, proxies, run }
    }

    /// Number of statements.
    pub fn length(&self) -> usize {
        self.test.len()
    }
}

/// What is kept of a run: enough to compute fitness for objectives that come later.
#[derive(Debug, Clone, Default)]
pub struct RunSummary {
    /// Position of the statement that threw, if one did.
    pub threw: Option<usize>,
    /// Steps that it cost.
    pub steps: u64,
    entered: Vec<ProbeId>,
    distances: Vec<(OutcomeId, f64)>,
}

impl RunSummary {
    /// Takes what is needed of a result.
    pub fn new(result: &ExecutionResult, methods: &MethodTable) -> Self {
        let threw = match &result.outcome {
            Outcome::Threw(thrown) => Some(thrown.position),
            Outcome::Passed | Outcome::TimedOut | Outcome::Exited => None,
        };
        let trace = &result.trace;
        let entered = trace.touched().iter().copied().filter(|&probe| methods.entered_by(probe).is_some());
        let distances = trace.reached().iter().map(|&outcome| (outcome, trace.distance(outcome)));
        let steps = result.cost.steps;
        Self { threw, steps, entered: entered.collect(), distances: distances.collect() }
    }

    /// Entry probes of the methods that were entered.
    pub fn entered(&self) -> &[ProbeId] {
        &self.entered
    }

    /// Writes back into a trace (cleared first) what is in sight. Only method entries and distances are there: enough for
    /// the fitness of goals that the run does not cover.
    pub fn restore(&self, sight: &Sight, trace: &mut ExecutionTrace) {
        trace.clear();
        for &probe in self.entered.iter().filter(|probe| sight.probes.contains(probe.index())) {
            trace.record_hits(probe, 1);
        }
        let is_seen = |(outcome, _): &&(OutcomeId, f64)| sight.outcomes.contains(outcome.index());
        for &(outcome, distance) in self.distances.iter().filter(is_seen) {
            trace.record_distance(outcome, distance);
        }
    }
}

#[cfg(test)]
mod tests {
    use bytecode::name::ClassName;
    use bytecode::probe_map::{MethodProbes, ProbeMap};
    use testcase::execution::{ThrowOrigin, Thrown};

    use super::*;

    #[test]
    fn a_summary_restores_entries_and_distances() {
        let method = MethodProbes::new("m", "()V", ProbeId(2));
        let map = ProbeMap { class: "Foo".into(), hash: 0, methods: vec![method], skipped: Vec::new() };
        let mut result = ExecutionResult::new(4, 3);
        result.trace.record_hits(ProbeId(0), 5);
        result.trace.record_hits(ProbeId(2), 5);
        result.trace.record_distance(OutcomeId(1), 0.0);
        result.trace.record_distance(OutcomeId(2), 7.5);
        let class = ClassName::new("E");
        result.outcome = Outcome::Threw(Thrown { position: 3, class, origin: ThrowOrigin::Jvm });

        let summary = RunSummary::new(&result, &MethodTable::new(&[map]));
        let mut trace = ExecutionTrace::new(4, 3);
        trace.record_hits(ProbeId(3), 1);
        let mut check = |probes: &[usize], outcomes: &[usize], touched: &[ProbeId], distances: [f64; 3]| {
            let [probes, outcomes] = [probes, outcomes].map(|seen| seen.iter().copied().collect());
            summary.restore(&Sight { probes, outcomes }, &mut trace);
            assert_eq!((summary.threw, trace.touched()), (Some(3), touched));
            assert_eq!([0, 1, 2].map(|id| trace.distance(OutcomeId(id))), distances);
        };
        check(&[0, 2], &[0, 1, 2], &[ProbeId(2)], [f64::INFINITY, 0.0, 7.5]);
        check(&[0], &[2], &[], [f64::INFINITY, f64::INFINITY, 7.5]);
    }
}
