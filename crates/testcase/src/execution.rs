//! Running test cases: the trait that search and output run them through, and what a run reports.

use std::sync::Arc;

use bytecode::name::ClassName;
use bytecode::probe_map::{Evidence, OutcomeId, ProbeId};
use serde::{Deserialize, Serialize};

use crate::assertion::{ObservationPoint, ObservedValue};
use crate::recording::Recording;
use crate::run_request::RunRequest;
use crate::test_case::TestCase;
use crate::value::Value;

/// Runs test cases. Implemented by `jvm`, and by fakes in tests.
///
/// What the code under test does is data in the result, never an error. An executor that loses its JVM does not
/// return: its process ends, and the parent starts another.
pub trait Executor {
    /// Runs the test up to its first exception and overwrites `result` with what the request asks for. Static state that
    /// the test changed is restored before the next run.
    fn execute(&mut self, test: &TestCase, request: &RunRequest, result: &mut ExecutionResult);

    /// Runs tests one after the other as a user's JVM does, with nothing restored in between but the static fields that they write
    /// themselves, each up to its first exception, and overwrites `trace` with what they cover together. How many statements of each ended without one;
    /// `None` where a limit ended the whole row, which is not to be believed then. As it stands for executors whose tests leave nothing behind.
    fn execute_in_order(
        &mut self,
        tests: &[&TestCase],
        request: &RunRequest,
        trace: &mut ExecutionTrace,
    ) -> Option<Vec<usize>> {
        trace.clear();
        let mut result = ExecutionResult::new(trace.counts.len(), trace.distances.len());
        let mut completed = Vec::with_capacity(tests.len());
        for test in tests {
            self.execute(test, request, &mut result);
            trace.absorb(&result.trace);
            if !result.is_valid() {
                return None;
            }
            completed.push(match &result.outcome {
                Outcome::Threw(thrown) => thrown.position,
                Outcome::Passed | Outcome::TimedOut | Outcome::Exited => test.len(),
            });
        }
        Some(completed)
    }

    /// Exceptions that calls of the class under test let through so far, without repetition, in the order in which they
    /// were first seen. A run in which the one at index `i` ended the test hits the probe with the number of probes of
    /// the code plus `i`. Empty where nobody asked for them.
    fn exceptions(&self) -> &[SeenException] {
        &[]
    }

    /// Runs the test and reads values at the given points (ascending by position). Points behind the end of the
    /// run, and inspectors that throw, give `None`. Slower than [`Executor::execute`].
    fn observe(&mut self, test: &TestCase, points: &[ObservationPoint]) -> Observations;

    /// As [`Executor::observe`], without the values that are others at one of several moments, or when sources of randomness that no seed fixes give
    /// something else; of texts what they begin with ([`crate::assertable::in_common`]). As it stands for executors without clocks.
    fn observe_lasting(&mut self, test: &TestCase, points: &[ObservationPoint]) -> Observations {
        self.observe(test, points)
    }

    /// As [`Executor::observe`], once more, with other identity hash codes: each string of the test is another object than the
    /// literal with its text. `None` where the run asked for no identity hash code, or where all objects have the same one.
    fn observe_with_other_identities(
        &mut self,
        _test: &TestCase,
        _points: &[ObservationPoint],
    ) -> Option<Observations> {
        None
    }

    /// What the test shows at the same points with each of these mutants, by the outcomes of their infections. Where a mutant ends the test with an exception
    /// that a test which expects the original's takes for it, the outcome is that of the original. As it stands for
    /// executors without mutants.
    fn observe_mutants(
        &mut self,
        test: &TestCase,
        infections: &[OutcomeId],
        points: &[ObservationPoint],
    ) -> Vec<Observations> {
        let original = self.observe(test, points);
        vec![original; infections.len()]
    }
}

/// Values read by [`Executor::observe`].
#[derive(Debug, Clone, PartialEq)]
pub struct Observations {
    /// How the run ended.
    pub outcome: Outcome,
    /// One value per point asked for.
    pub values: Vec<Option<ObservedValue>>,
}

impl Observations {
    /// Number of differences to what another run of the same test showed at the same points, such as that of a mutant:
    /// 1 if the runs ended differently, and 1 for each value that differs. Where they ended differently, a value that
    /// only one of them came to is no difference of its own; where they did not, it is: an inspector threw in one.
    /// 0 says that no test which looks at these points tells the runs apart.
    pub fn differences(&self, other: &Self) -> usize {
        let ends_alike = self.outcome == other.outcome;
        let values = self.values.iter().zip(&other.values);
        let differing = values.filter(|pair| match pair {
            (Some(one), Some(other)) => one != other,
            (None, None) => false,
            (Some(_), None) | (None, Some(_)) => ends_alike,
        });
        usize::from(!ends_alike) + differing.count()
    }
}

/// What one execution reported. Reused from run to run.
#[derive(Debug, Clone)]
pub struct ExecutionResult {
    /// How it ended.
    pub outcome: Outcome,
    /// Statements that completed; the statement at this position threw when [`Outcome::Threw`].
    pub executed: usize,
    /// What the probes reported.
    pub trace: ExecutionTrace,
    /// What it did to the world outside.
    pub touched: Touched,
    /// Whether it had used up its time before its steps ([`Outcome::TimedOut`]): more steps would not help.
    pub stalled: bool,
    /// Further runs of the test, of mutants ([`RunRequest::mutants`]) and of the original beside them.
    pub mutant_runs: u32,
    /// Where they are asked for ([`RunRequest::frames`]), the methods through which the exception came that ended the run: the
    /// frames of its stack trace, innermost first. Empty where no exception was thrown by a call, or the executor has none.
    pub frames: Vec<StackFrame>,
    /// What it cost.
    pub cost: Cost,
    /// What it logged, where that was asked for ([`RunRequest::recording`]) and the executor can.
    pub recording: Option<Box<Recording>>,
}

/// What a run cost, counted in steps, so that it is the same in every run of a test: entries of methods and loops that go
/// back, and in their terms what work of the JDK, memory, threads and waits are charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost {
    /// Of all statements.
    pub steps: u64,
    /// Position of the statement that cost the most.
    pub dearest: usize,
}

impl ExecutionResult {
    /// An empty result with room for that many probes and outcomes.
    pub fn new(probes: usize, outcomes: usize) -> Self {
        Self {
            outcome: Outcome::Passed,
            executed: 0,
            trace: ExecutionTrace::new(probes, outcomes),
            touched: Touched::default(),
            stalled: false,
            mutant_runs: 0,
            frames: Vec::new(),
            cost: Cost::default(),
            recording: None,
        }
    }

    /// Whether the run may be believed: it was not cut short by a limit and did not end the JVM. Only such runs
    /// have fitness and may enter an archive.
    pub fn is_valid(&self) -> bool {
        matches!(self.outcome, Outcome::Passed | Outcome::Threw(_))
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// Every statement completed.
    Passed,
    /// A statement threw; the rest did not run.
    Threw(Thrown),
    /// The step budget was used up, the stack overflowed, or the clock ran out.
    TimedOut,
    /// The test tried to end the JVM.
    Exited,
}

/// An exception that a statement threw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thrown {
    /// Position of the statement.
    pub position: usize,
    /// Class of the exception.
    pub class: ClassName,
    /// Who made it.
    pub origin: ThrowOrigin,
}

/// An exception that a call of a method of the class under test by the test itself let through.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SeenException {
    /// Class that declares the method.
    pub class: ClassName,
    /// The method: name and descriptor, `name(I)V`.
    pub method: Arc<str>,
    /// Class of the exception.
    pub exception: ClassName,
    /// Where it comes from.
    pub kind: ExceptionKind,
}

/// The probes of what only runs tell of: behind those of the code, in the order in which it was first seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SeenProbes {
    first: u32,
}

impl SeenProbes {
    /// Behind that many probes of the code.
    pub fn behind(probes: usize) -> Self {
        Self { first: probes as u32 }
    }

    /// The probe of what was seen as number `number`, from 0.
    pub fn probe(self, number: usize) -> ProbeId {
        ProbeId(self.first + number as u32)
    }

    /// Whether a probe is one of these, and none of the code.
    pub fn contains(self, probe: ProbeId) -> bool {
        probe.0 >= self.first
    }
}

/// Where an exception comes from (Zhou et al. 2023, smart selection, §2.2: exception coverage).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ExceptionKind {
    /// The method declares it, or a superclass of it, in its `throws` clause: checked exceptions only.
    Declared,
    /// A `throw` in code of the class or near it, or a null that it refuses by `Objects.requireNonNull`.
    Explicit,
    /// The JVM, a library, or what a collaborator calls made it.
    Implicit,
}

/// A method that an exception came through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackFrame {
    /// Class that declares the method.
    pub class: ClassName,
    /// Its name.
    pub method: Arc<str>,
    /// Source line, if recorded.
    pub line: Option<u32>,
}

/// Who made an exception.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ThrowOrigin {
    /// A `throw` in an instrumented class of the class path, or its call of `Objects.requireNonNull`: on purpose. Not where the exception was
    /// made more than two calls below the classes with goals and their packages.
    Project,
    /// A `throw` in the JDK (`Integer.parseInt`), or in what a collaborator calls, deep below the classes with goals.
    Library,
    /// The JVM: null dereference, index, cast, division, negative size, array store, linkage.
    Jvm,
    /// The statement itself, before the call: a null receiver, a failed cast of a generic result.
    Statement,
    /// What the test implements itself threw it, as its script says, and the code let it through as it was.
    Stub,
}

/// What a run did to the world outside the test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Touched(pub u16);

impl Touched {
    /// Opened a file for reading, or listed a folder (class loading not included).
    pub const FILE_READ: Self = Self(1);
    /// Wrote, created, deleted or renamed a file, or tried.
    pub const FILE_WRITE: Self = Self(2);
    /// Opened a socket or looked up a host, or tried.
    pub const NETWORK: Self = Self(4);
    /// Started a process, or tried.
    pub const PROCESS: Self = Self(8);
    /// Read an environment variable, the user's name, a folder of the user, or standard input that no test has given a text.
    pub const ENVIRONMENT: Self = Self(16);
    /// Tried to end the JVM.
    pub const EXIT: Self = Self(32);
    /// Started a thread.
    pub const THREAD: Self = Self(64);
    /// Read the clock or a random source that no seed fixes.
    pub const CLOCK: Self = Self(128);
    /// Slept or waited for longer than a test should: where time is real it would hold up all others.
    pub const WAIT: Self = Self(256);

    /// Both.
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether any of these was touched.
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// What the probes reported of one run: hits, distances, comparison operands.
///
/// Dense vectors that are reset by what the run touched, so a reused trace costs nothing for what was not reached.
#[derive(Debug, Clone, Default)]
pub struct ExecutionTrace {
    counts: Vec<u32>,
    touched: Vec<ProbeId>,
    distances: Vec<f64>,
    reached: Vec<OutcomeId>,
    /// Operands of comparisons, tagged with the branch they stood at; at most one per operand side, branch and way in
    /// which its method was reached. Those of one comparison follow each other.
    pub operands: Vec<ComparisonOperand>,
}

/// A value that was compared.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonOperand {
    /// The probe of the branch.
    pub probe: ProbeId,
    /// The number under which it was hit: the second one where the test itself called the method
    /// ([`bytecode::probe_map::MethodProbes::direct`]). Operands of one comparison have the same, and those of a call by the
    /// test itself another than those of calls by other code.
    pub hit: ProbeId,
    /// The value.
    pub value: Value,
}

impl ExecutionTrace {
    /// An empty trace with room for that many probes and outcomes.
    pub fn new(probes: usize, outcomes: usize) -> Self {
        Self { counts: vec![0; probes], distances: vec![f64::INFINITY; outcomes], ..Self::default() }
    }

    /// Forgets everything, in time proportional to what was recorded.
    pub fn clear(&mut self) {
        for probe in self.touched.drain(..) {
            self.counts[probe.index()] = 0;
        }
        for outcome in self.reached.drain(..) {
            self.distances[outcome.index()] = f64::INFINITY;
        }
        self.operands.clear();
    }

    /// Records hits of a probe.
    pub fn record_hits(&mut self, probe: ProbeId, hits: u32) {
        // Exceptions get their probes while tests run.
        if probe.index() >= self.counts.len() {
            self.counts.resize(probe.index() + 1, 0);
        }
        let count = &mut self.counts[probe.index()];
        if *count == 0 && hits > 0 {
            self.touched.push(probe);
        }
        *count = count.saturating_add(hits);
    }

    /// Records a distance to an outcome (raw, at least 0, 0 means taken); the minimum is kept.
    pub fn record_distance(&mut self, outcome: OutcomeId, distance: f64) {
        let kept = &mut self.distances[outcome.index()];
        if *kept == f64::INFINITY {
            self.reached.push(outcome);
        }
        // An overflow to infinity must not look like a branch that was never reached.
        *kept = kept.min(distance.min(f64::MAX));
    }

    /// Adds what another trace has recorded, operands apart.
    pub fn absorb(&mut self, other: &Self) {
        for &probe in &other.touched {
            self.record_hits(probe, other.count(probe));
        }
        for &outcome in &other.reached {
            self.record_distance(outcome, other.distance(outcome));
        }
    }

    /// Hits of a probe.
    pub fn count(&self, probe: ProbeId) -> u32 {
        self.counts.get(probe.index()).copied().unwrap_or(0)
    }

    /// Smallest distance to an outcome, raw; infinity when its branch was not executed.
    pub fn distance(&self, outcome: OutcomeId) -> f64 {
        self.distances[outcome.index()]
    }

    /// Whether the evidence was seen.
    pub fn shows(&self, evidence: Evidence) -> bool {
        match evidence {
            Evidence::Hit(probe) => self.count(probe) > 0,
            Evidence::Taken(outcome) => self.distance(outcome) == 0.0,
        }
    }

    /// Probes that were hit, in the order in which they were recorded.
    pub fn touched(&self) -> &[ProbeId] {
        &self.touched
    }

    /// Outcomes that have a distance, in the order in which they were recorded.
    pub fn reached(&self) -> &[OutcomeId] {
        &self.reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_counted_once_each() {
        let value = |number: i32| Some(ObservedValue::Primitive(Value::Int(number)));
        let thrown = |class: &str| {
            Outcome::Threw(Thrown { position: 2, class: class.into(), origin: ThrowOrigin::Project })
        };
        let check = |one: (Outcome, &[Option<ObservedValue>]), other: (Outcome, &[_]), expect: usize| {
            let [one, other] =
                [one, other].map(|(outcome, values)| Observations { outcome, values: values.to_vec() });
            assert_eq!((one.differences(&other), other.differences(&one)), (expect, expect));
        };
        let seen = [value(1), value(2), None];
        check((Outcome::Passed, &seen), (Outcome::Passed, &seen), 0);
        check((Outcome::Passed, &seen), (Outcome::Passed, &[value(7), value(2), value(3)]), 2);
        check((Outcome::Passed, &seen), (thrown("a/B"), &[value(1), None, None]), 1);
        check((Outcome::Passed, &seen), (Outcome::TimedOut, &[value(7), None, None]), 2);
        check((thrown("a/B"), &[]), (thrown("a/C"), &[]), 1);
    }

    #[test]
    fn clearing_resets_exactly_what_was_recorded() {
        let mut trace = ExecutionTrace::new(2, 2);
        trace.record_hits(ProbeId(1), 2);
        trace.record_hits(ProbeId(1), 1);
        trace.record_distance(OutcomeId(0), 3.0);
        trace.record_distance(OutcomeId(0), 0.0);
        assert_eq!((trace.count(ProbeId(1)), trace.touched().len()), (3, 1));
        assert!(trace.shows(Evidence::Taken(OutcomeId(0))) && !trace.shows(Evidence::Taken(OutcomeId(1))));
        trace.clear();
        assert_eq!((trace.count(ProbeId(1)), trace.distance(OutcomeId(0))), (0, f64::INFINITY));
        assert!(trace.touched().is_empty());
    }

    #[test]
    fn a_trace_absorbs_another() {
        let mut traces = [ExecutionTrace::new(2, 1), ExecutionTrace::new(2, 1)];
        let [one, other] = &mut traces;
        one.record_hits(ProbeId(0), 1);
        one.record_distance(OutcomeId(0), 3.0);
        other.record_hits(ProbeId(0), 2);
        other.record_hits(ProbeId(1), 4);
        other.record_distance(OutcomeId(0), 2.0);
        one.absorb(other);
        assert_eq!([0, 1].map(|probe| one.count(ProbeId(probe))), [3, 4]);
        assert_eq!((one.distance(OutcomeId(0)), one.touched().len(), one.reached().len()), (2.0, 2, 1));
    }

    #[test]
    fn an_infinite_distance_still_counts_as_reached() {
        let mut trace = ExecutionTrace::new(0, 1);
        trace.record_distance(OutcomeId(0), f64::INFINITY);
        assert_eq!(trace.distance(OutcomeId(0)), f64::MAX);
    }
}
