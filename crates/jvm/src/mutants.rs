//! Runs of mutants: which of them a test kills, and how far the difference gets of the others.
//!
//! Panichella, Kifetew and Tonella 2018 (DynaMOSA), Equation 9: the propagation distance `d_p` is 0 of a mutant that is
//! killed, `1 / (1 + impact)` of one that is infected, with the number of places whose coverage
//! differs as impact.
//!
//! A run kills a mutant when it ends otherwise, or when an assertion of what it shows would fail. A run
//! that does not end is no such difference: a delivered test would not end either.

use std::collections::BTreeMap;

use bytecode::probe_layout::ProbeLayout;
use bytecode::probe_map::{OutcomeId, ProbeId};
use testcase::assertion::ObservedValue;
use testcase::execution::{ExecutionTrace, Outcome};
use testcase::kill_oracle::kills;
use testcase::run_request::{MutantRequest, MutantRuns, MutantTarget};

use crate::jni::Env;
use crate::runtime::Runtime;

/// Mutants that one test runs at most where runs are to be spared, as the reference has it.
const MOST_PER_TEST: usize = 100;

/// Runs without end after which a mutant is given up where runs are to be spared.
const MOST_TIMEOUTS: u8 = 3;

/// A run of a mutant has so many times the steps of the original's, and [`SPARE_STEPS`] more: what takes longer counts as
/// endless.
const STEP_FACTOR: i32 = 10;
const SPARE_STEPS: i32 = 10_000;

/// Selects no mutant: runs record infections.
const NONE: i32 = -1;

/// Selects the original as one beside its mutants: runs record no infections.
pub(crate) const ORIGINAL: i32 = i32::MAX;

/// The steps that runs of mutants have where the original took so many, and no run has more than `limit`.
pub(crate) fn steps(original: i32, limit: i32) -> i32 {
    original.max(0).saturating_mul(STEP_FACTOR).saturating_add(SPARE_STEPS).min(limit)
}

/// What became of runs of mutants so far.
#[derive(Debug, Default)]
pub(crate) struct Mutants {
    /// Whether one is selected: what its runs do is nobody's fault.
    is_selected: bool,
    /// Runs by infection.
    runs: BTreeMap<OutcomeId, u32>,
    /// Runs without end by infection.
    timeouts: BTreeMap<OutcomeId, u8>,
}

/// The mutation points at which runs record nothing.
#[derive(Debug, Default)]
pub(crate) struct IdlePoints {
    /// Those that do nothing in the JVM, ascending.
    idle: Vec<ProbeId>,
    /// Those that are to do nothing from the next run on, ascending, if these are others.
    wanted: Option<Vec<ProbeId>>,
}

/// What changes before the next run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PointChange {
    /// They record again.
    pub(crate) awake: Vec<ProbeId>,
    /// They record no more.
    pub(crate) idle: Vec<ProbeId>,
}

/// Whether one of the `count` outcomes from `first` on is in `open` (ascending).
pub(crate) fn has_any(open: &[OutcomeId], first: OutcomeId, count: u32) -> bool {
    let next = open.partition_point(|&outcome| outcome < first);
    open.get(next).is_some_and(|outcome| outcome.0 < first.0 + count)
}

impl IdlePoints {
    /// In the next run, points none of whose infections are in `open` (ascending) record nothing; with `None`, all
    /// do.
    pub(crate) fn ask_for(&mut self, layout: &ProbeLayout, open: Option<&[OutcomeId]>) {
        let is_closed = |probe: &ProbeId| {
            let Some(branch) = layout.probe(*probe).and_then(|entry| entry.branch) else { return false };
            let Some(open) = open else { return false };
            !has_any(open, branch.first, branch.count)
        };
        let mut wanted: Vec<ProbeId> = layout.points().iter().copied().filter(is_closed).collect();
        wanted.sort_unstable();
        self.wanted = (wanted != self.idle).then_some(wanted);
    }

    /// The points that record nothing, ascending.
    pub(crate) fn idle(&self) -> &[ProbeId] {
        &self.idle
    }

    /// To be done between two runs; `None` as long as nobody asked for anything else.
    pub(crate) fn change(&mut self) -> Option<PointChange> {
        let wanted = self.wanted.take()?;
        let without = |all: &[ProbeId], others: &[ProbeId]| -> Vec<ProbeId> {
            all.iter().copied().filter(|probe| others.binary_search(probe).is_err()).collect()
        };
        let change = PointChange { awake: without(&self.idle, &wanted), idle: without(&wanted, &self.idle) };
        self.idle = wanted;
        Some(change)
    }
}

/// A run of the original or of a mutant.
#[derive(Debug, Clone)]
pub(crate) struct MutantRun {
    /// How it ended.
    pub(crate) outcome: Outcome,
    /// Values of the variables of the test.
    pub(crate) values: Vec<Option<ObservedValue>>,
    /// What it covered.
    pub(crate) trace: ExecutionTrace,
}

impl Mutants {
    /// Has runs from now on be those of the mutant with this infection, or of [`ORIGINAL`].
    pub(crate) fn select(&mut self, env: Env<'_>, runtime: &Runtime, infection: i32) {
        self.is_selected = true;
        runtime.select_mutant(env, infection);
    }

    /// Has runs from now on be those of the code as it is.
    pub(crate) fn deselect(&mut self, env: Env<'_>, runtime: &Runtime) {
        runtime.select_mutant(env, NONE);
        self.is_selected = false;
    }

    /// Whether runs are those of a mutant, or of the original beside mutants.
    pub(crate) fn is_selected(&self) -> bool {
        self.is_selected
    }

    /// The mutants that are asked about, that a run infects and that are worth a run, in the order of their ids. Where runs are to be
    /// spared, those that were run least often come first, and not too many: what no test can kill must not keep others from being run.
    pub(crate) fn infected(&self, request: &MutantRequest, trace: &ExecutionTrace) -> Vec<MutantTarget> {
        let reached = trace.reached().iter();
        let infected = reached.filter(|&&outcome| trace.distance(outcome) == 0.0);
        let mut found: Vec<_> = infected.filter_map(|&outcome| request.target(outcome)).collect();
        match request.runs {
            MutantRuns::Sparing => self.spare(&mut found),
            MutantRuns::All => found.sort_unstable(),
        }
        found
    }

    fn spare(&self, found: &mut Vec<MutantTarget>) {
        found
            .retain(|mutant| self.timeouts.get(&mutant.infection).is_none_or(|&count| count < MOST_TIMEOUTS));
        found.sort_unstable_by_key(|mutant| {
            (self.runs.get(&mutant.infection).copied().unwrap_or_default(), mutant.infection)
        });
        found.truncate(MOST_PER_TEST);
    }

    /// The mutant was run.
    pub(crate) fn note_run(&mut self, mutant: MutantTarget) {
        *self.runs.entry(mutant.infection).or_default() += 1;
    }

    /// A run of the mutant did not end.
    pub(crate) fn note_timeout(&mut self, mutant: MutantTarget) {
        *self.timeouts.entry(mutant.infection).or_default() += 1;
    }
}

/// The propagation distance of a run of a mutant.
pub(crate) fn propagation(original: &MutantRun, mutant: &MutantRun) -> f64 {
    if mutant.outcome == Outcome::TimedOut {
        return 1.0;
    }
    let mut values = original.values.iter().zip(&mutant.values);
    let is_killed = |(original, mutant): (&Option<ObservedValue>, &Option<ObservedValue>)| {
        original.as_ref().is_some_and(|original| kills(original, mutant.as_ref(), true))
    };
    if mutant.outcome != original.outcome || values.any(is_killed) {
        return 0.0;
    }
    1.0 / (1.0 + impact(&original.trace, &mutant.trace) as f64)
}

/// Places whose coverage differs: probes that only one of the two hit, outcomes that only one of them took.
fn impact(original: &ExecutionTrace, mutant: &ExecutionTrace) -> usize {
    let only = |one: &ExecutionTrace, other: &ExecutionTrace| {
        let hit = |probe: &&ProbeId| other.count(**probe) == 0;
        let taken = |outcome: &&OutcomeId| one.distance(**outcome) == 0.0 && other.distance(**outcome) != 0.0;
        one.touched().iter().filter(hit).count() + one.reached().iter().filter(taken).count()
    };
    only(original, mutant) + only(mutant, original)
}

#[cfg(test)]
mod tests {
    use testcase::value::Value;

    use super::*;

    fn run(outcome: Outcome, value: i32, hit: &[u32], taken: &[u32]) -> MutantRun {
        let mut trace = ExecutionTrace::new(4, 4);
        for &probe in hit {
            trace.record_hits(ProbeId(probe), 1);
        }
        for &outcome in taken {
            trace.record_distance(OutcomeId(outcome), 0.0);
        }
        MutantRun { outcome, values: vec![Some(ObservedValue::Primitive(Value::Int(value)))], trace }
    }

    #[test]
    fn a_difference_that_a_test_can_assert_kills_and_others_come_nearer() {
        let original = run(Outcome::Passed, 1, &[0, 1], &[0]);
        let check = |mutant: MutantRun, expect: f64| assert_eq!(propagation(&original, &mutant), expect);
        check(run(Outcome::Passed, 1, &[1, 0], &[0]), 1.0);
        check(run(Outcome::Passed, 1, &[0, 1, 2], &[0]), 0.5);
        check(run(Outcome::Passed, 1, &[0, 2], &[1]), 0.2);
        check(run(Outcome::Passed, 2, &[0, 1], &[0]), 0.0);
        check(run(Outcome::Exited, 1, &[0, 1], &[0]), 0.0);
        check(run(Outcome::TimedOut, 1, &[], &[]), 1.0);
    }

    #[test]
    fn only_infected_mutants_are_run_and_one_that_never_ends_is_given_up() {
        let mut mutants = Mutants::default();
        let target = |id: u32| MutantTarget { infection: OutcomeId(id), propagation: OutcomeId(id + 10) };
        let sparing = MutantRequest::new(vec![target(0), target(2), target(3)], MutantRuns::Sparing);
        let mut trace = ExecutionTrace::new(1, 20);
        trace.record_distance(OutcomeId(3), 0.0);
        trace.record_distance(OutcomeId(2), 1.0);
        trace.record_distance(OutcomeId(1), 0.0);
        trace.record_distance(OutcomeId(0), 0.0);
        assert_eq!(mutants.infected(&sparing, &trace), [target(0), target(3)]);
        (0..MOST_TIMEOUTS).for_each(|_| mutants.note_timeout(target(0)));
        assert_eq!(mutants.infected(&sparing, &trace), [target(3)]);
        // A test of the suite may kill it all the same.
        let all = MutantRequest::new(vec![target(0), target(3)], MutantRuns::All);
        assert_eq!(mutants.infected(&all, &trace), [target(0), target(3)]);
    }

    #[test]
    fn where_a_test_infects_too_many_they_take_turns() {
        let mut mutants = Mutants::default();
        let target = |id: u32| MutantTarget { infection: OutcomeId(id), propagation: OutcomeId(id + 200) };
        let targets: Vec<_> = (0..101).map(target).collect();
        let mut trace = ExecutionTrace::new(1, 400);
        (0..101).for_each(|id| trace.record_distance(OutcomeId(id), 0.0));
        let asked = |runs| MutantRequest::new(targets.clone(), runs);
        let sparing = asked(MutantRuns::Sparing);
        assert_eq!(mutants.infected(&sparing, &trace), targets[..100]);
        // There was time for two of them.
        (0..2).for_each(|id| mutants.note_run(target(id)));
        let next = mutants.infected(&sparing, &trace);
        assert_eq!((next[0], next[98], next[99]), (target(2), target(100), target(0)));
        assert_eq!(mutants.infected(&asked(MutantRuns::All), &trace), targets);
    }

    #[test]
    fn runs_of_mutants_have_steps_in_proportion_to_the_original() {
        let check = |original: i32, limit: i32, expect: i32| assert_eq!(steps(original, limit), expect);
        check(0, 40_000_000, 10_000);
        check(500, 40_000_000, 15_000);
        check(30_000_000, 40_000_000, 40_000_000);
        check(i32::MAX, i32::MAX, i32::MAX);
        check(500, 12_000, 12_000);
    }
}
