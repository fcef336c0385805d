//! What the search keeps of runs that came near to open goals: enough to say afterwards why they stayed open.
//!
//! Costs a comparison per target that a run reached, and a copy of a test that is nearer than all before it.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytecode::name::ClassName;
use bytecode::probe_map::ProbeId;
use coverage::distance::TAKEN;
use coverage::fitness::{FitnessVector, Objectives};
use coverage::goal::{GoalId, GoalSet};
use fixedbitset::FixedBitSet;
use testcase::cluster::{CallableId, TestCluster};
use testcase::execution::{ExecutionResult, Outcome};
use testcase::test_case::TestCase;

use super::Undeliverable;

/// The runs that came nearest to a goal.
#[derive(Debug, Clone, Default)]
pub struct NearMiss {
    /// The best fitness of a run, and its test; `None` when no run reached anything on the way.
    pub best: Option<(f64, Arc<TestCase>)>,
    /// Executions of the search when that run was made.
    pub improved_at: u64,
    /// Runs that executed the branch of the goal, or what directly controls it.
    pub runs: u64,
    /// Whether those runs differed in their distance.
    pub varied: bool,
}

/// What is kept of all runs.
#[derive(Debug, Clone, Default)]
pub struct NearMisses {
    goals: Vec<NearMiss>,
    /// Goals that only runs covered whose tests cannot be delivered.
    undeliverable: BTreeMap<GoalId, Undeliverable>,
    /// Probes hit in such runs, among the first of each kind only.
    undeliverable_entries: BTreeMap<ProbeId, Undeliverable>,
    entered: FixedBitSet,
    completed: FixedBitSet,
    threw: BTreeMap<CallableId, ClassName>,
    cut_short: FixedBitSet,
    /// Whether goals that do not guide were targets in the end.
    pub(crate) aimed_at_all: bool,
}

impl NearMisses {
    /// Nothing yet, for that many goals.
    pub fn new(goals: usize) -> Self {
        Self { goals: vec![NearMiss::default(); goals], ..Self::default() }
    }

    /// Makes room for goals that were added.
    pub(crate) fn grow(&mut self, goals: usize) {
        self.goals.resize(goals, NearMiss::default());
    }

    /// Notes how the calls of a test ended.
    pub(crate) fn note_calls(&mut self, cluster: &TestCluster, test: &TestCase, result: &ExecutionResult) {
        for statement in test.statements().iter().take(result.executed) {
            if let Some(callable) = cluster.called_by(statement) {
                self.completed.grow_and_insert(callable.index());
            }
        }
        let last = test.statements().get(result.executed);
        let last = last.and_then(|statement| cluster.called_by(statement));
        let Some(callable) = last.filter(|last| !self.completed.contains(last.index())) else { return };
        match &result.outcome {
            Outcome::Threw(thrown) => {
                self.threw.entry(callable).or_insert_with(|| thrown.class.clone());
            }
            Outcome::TimedOut => self.cut_short.grow_and_insert(callable.index()),
            Outcome::Passed | Outcome::Exited => {}
        }
    }

    /// Notes the methods that a run entered.
    pub(crate) fn note_entries(&mut self, entries: &[ProbeId]) {
        for entry in entries {
            self.entered.grow_and_insert(entry.index());
        }
    }

    /// Notes a run that has no fitness.
    pub(crate) fn note_useless(
        &mut self,
        goals: &GoalSet,
        result: &ExecutionResult,
        is_covered: impl Fn(GoalId) -> bool,
    ) {
        let Some(why) = Undeliverable::of(result) else { return };
        let Self { undeliverable, undeliverable_entries, .. } = self;
        goals.for_each_covered(&result.trace, |goal| {
            if !is_covered(goal) {
                undeliverable.entry(goal).or_insert(why);
            }
        });
        for &probe in result.trace.touched() {
            undeliverable_entries.entry(probe).or_insert(why);
        }
    }

    /// Notes the fitness of a run, the `executions`-th of the search.
    pub(crate) fn note_fitness(
        &mut self,
        objectives: &Objectives,
        fitness: &FitnessVector,
        test: &TestCase,
        executions: u64,
    ) {
        let mut kept: Option<Arc<TestCase>> = None;
        for (column, value) in fitness.reached_values() {
            let miss = &mut self.goals[objectives.goals()[column].index()];
            let before = miss.best.as_ref().map_or(f64::INFINITY, |(best, _)| *best);
            if value < 1.0 {
                miss.runs += 1;
                miss.varied |= before < 1.0 && before.to_bits() != value.to_bits();
            }
            if value < before && value >= TAKEN {
                let test = kept.get_or_insert_with(|| Arc::new(test.clone())).clone();
                (miss.best, miss.improved_at) = (Some((value, test)), executions);
            }
        }
    }

    /// What came nearest to a goal.
    pub fn of(&self, goal: GoalId) -> Option<&NearMiss> {
        self.goals.get(goal.index())
    }

    /// Why runs that covered a goal were of no use.
    pub fn undeliverable(&self, goal: GoalId) -> Option<Undeliverable> {
        self.undeliverable.get(&goal).copied()
    }

    /// Why runs that hit a probe were of no use.
    pub fn undeliverable_entry(&self, probe: ProbeId) -> Option<Undeliverable> {
        self.undeliverable_entries.get(&probe).copied()
    }

    /// Whether a run with fitness entered the method of this probe.
    pub fn is_entered(&self, entry: ProbeId) -> bool {
        self.entered.contains(entry.index())
    }

    /// Whether a callable ever completed.
    pub fn has_completed(&self, callable: CallableId) -> bool {
        self.completed.contains(callable.index())
    }

    /// The exception that a callable threw first, when it had not completed yet.
    pub fn exception_of(&self, callable: CallableId) -> Option<&ClassName> {
        self.threw.get(&callable)
    }

    /// Whether a callable that had not completed was cut short.
    pub fn was_cut_short(&self, callable: CallableId) -> bool {
        self.cut_short.contains(callable.index())
    }
}
