//! Runs candidates, counts executions, and says whether a candidate will do.

use coverage::goal::{GoalId, GoalSet};
use testcase::assertion::{ObservationPoint, ObservedValue};
use testcase::cluster::CallableId;
use testcase::execution::{ExecutionResult, Executor, Outcome, ThrowOrigin, Thrown};
use testcase::run_request::{MutantRuns, MutantTarget, RunRequest};
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;

use super::MinimizeOptions;
use super::memory::Memory;
use super::results::{ResultKind, Shown, result_at};
use crate::ending::Ending;
use crate::report::Cause;

/// Errors of the machine (`VirtualMachineError` and what is below it, `ThreadDeath`): whether and where they occur depends
/// on memory, and on what the JIT compiler has done. What classes lack, and how their initializers fail
/// (`LinkageError`), is theirs and comes again.
const JVM_ERRORS: [&str; 6] = [
    "java/lang/InternalError",
    "java/lang/OutOfMemoryError",
    "java/lang/StackOverflowError",
    "java/lang/ThreadDeath",
    "java/lang/UnknownError",
    "java/lang/VirtualMachineError",
];

/// Whether an exception is an error of the JVM that no code of the project threw by itself.
fn is_jvm_error(thrown: &Thrown) -> bool {
    thrown.origin != ThrowOrigin::Project && JVM_ERRORS.binary_search(&thrown.class.as_str()).is_ok()
}

/// How a run ended that came to an end by itself.
fn ending(outcome: &Outcome) -> Option<Ending> {
    match outcome {
        Outcome::Passed => Some(Ending::of(None)),
        Outcome::Threw(thrown) => Some(Ending::of(Some(thrown))),
        Outcome::TimedOut | Outcome::Exited => None,
    }
}

/// A test with what its run showed.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub test: TestCase,
    pub goals: Vec<GoalId>,
    pub ending: Ending,
    pub thrown: Option<Thrown>,
    /// Whether it needs more steps than a brief run has.
    pub is_long: bool,
}

impl Candidate {
    pub(super) fn covers(&self, goal: GoalId) -> bool {
        self.goals.binary_search(&goal).is_ok()
    }

    pub(super) fn last_call(&self) -> Option<CallableId> {
        self.test.statements().last().and_then(Statement::callable)
    }
}

/// What a run came to.
#[derive(Debug)]
pub(super) enum Run {
    /// It may be believed; the test is cut behind the statement that threw.
    Valid(Candidate),
    /// It may not be delivered.
    Invalid(Cause),
    /// The bounds are reached; it did not run.
    Stopped,
}

/// What runs tests.
pub(super) struct Machine<'a> {
    pub executor: &'a mut dyn Executor,
    /// Room for its results.
    pub result: &'a mut ExecutionResult,
    /// What runs before showed.
    pub memory: &'a mut Memory,
}

/// Runs tests within the bounds.
pub(super) struct Runner<'a> {
    machine: Machine<'a>,
    pub goals: &'a GoalSet,
    pub options: MinimizeOptions,
    pub may_continue: &'a mut dyn FnMut() -> bool,
    pub executions: u64,
    pub stopped: bool,
    /// Whether tests get all steps there are: what is changed of a test that ends briefly must end briefly too, since
    /// changes make endless loops.
    pub is_long: bool,
    /// What the last call of a changed test must go on to give.
    pub shown: Option<Shown>,
    covered: Vec<GoalId>,
    in_brief: RunRequest,
    in_full: RunRequest,
}

impl<'a> Runner<'a> {
    /// `mutants` are those that tests are kept for because they kill them.
    pub(super) fn new(
        machine: Machine<'a>,
        goals: &'a GoalSet,
        options: MinimizeOptions,
        mutants: Vec<MutantTarget>,
        may_continue: &'a mut dyn FnMut() -> bool,
    ) -> Self {
        machine.memory.prepare(&mutants, goals.len());
        // All that a test kills are counted here, however many it infects.
        let in_brief = RunRequest::brief().with_mutants(mutants, MutantRuns::All);
        Self {
            in_full: in_brief.in_full(),
            in_brief,
            machine,
            goals,
            options,
            may_continue,
            executions: 0,
            stopped: false,
            is_long: false,
            shown: None,
            covered: Vec::new(),
        }
    }

    /// Runs a test; gives why it is invalid, if it is.
    fn execute(&mut self, test: &TestCase) -> Option<Result<Ending, Cause>> {
        if !self.may_run() {
            return None;
        }
        let request = if self.is_long { &self.in_full } else { &self.in_brief };
        let Machine { executor, result, .. } = &mut self.machine;
        executor.execute(test, request, result);
        let ending = match (&result.outcome, ending(&result.outcome)) {
            (Outcome::Exited, _) => return Some(Err(Cause::Exited)),
            (_, None) => return Some(Err(Cause::TimedOut)),
            (Outcome::Threw(thrown), _) if is_jvm_error(thrown) => return Some(Err(Cause::JvmError)),
            (_, Some(ending)) => ending,
        };
        if result.touched.intersects(self.options.forbidden) {
            return Some(Err(Cause::Touched));
        }
        Some(Ok(ending))
    }

    /// The test that was just run and is valid.
    fn candidate(&mut self, mut test: TestCase, ending: Ending) -> Candidate {
        let result = &self.machine.result;
        let thrown = match &result.outcome {
            Outcome::Threw(thrown) => Some(thrown.clone()),
            Outcome::Passed | Outcome::TimedOut | Outcome::Exited => None,
        };
        if let Some(thrown) = &thrown {
            test.truncate(thrown.position + 1);
        }
        self.goals.covered(&result.trace, &mut self.covered);
        Candidate { test, goals: self.covered.clone(), ending, thrown, is_long: self.is_long }
    }

    /// Runs a test as it is.
    pub(super) fn run(&mut self, test: TestCase) -> Run {
        let asked = (test, self.is_long);
        let known = self.machine.memory.run(&asked).filter(|_| !self.stopped).cloned();
        let run = if let Some(run) = known {
            run
        } else {
            let Some(ended) = self.execute(&asked.0) else { return Run::Stopped };
            let run = ended.map(|ending| self.candidate(asked.0.clone(), ending));
            self.machine.memory.note_run(asked, run.clone());
            run
        };
        match run {
            Ok(candidate) => Run::Valid(candidate),
            Err(cause) => Run::Invalid(cause),
        }
    }

    /// Runs a test as it is, briefly if that will do to cover the goals.
    pub(super) fn run_in_full(&mut self, test: &TestCase, goals: &[GoalId]) -> Run {
        self.is_long = false;
        let brief = self.run(test.clone());
        let covered = |run: &Run| match run {
            Run::Valid(candidate) => goals.iter().filter(|&&goal| candidate.covers(goal)).count(),
            Run::Invalid(_) | Run::Stopped => 0,
        };
        let is_short = matches!(&brief, Run::Valid(_)) && covered(&brief) < goals.len();
        if !is_short && !matches!(&brief, Run::Invalid(Cause::TimedOut)) {
            return brief;
        }
        self.is_long = true;
        let long = self.run(test.clone());
        self.is_long = false;
        if is_short && covered(&long) <= covered(&brief) { brief } else { long }
    }

    /// Reads values of a test that was run before; none when the bounds are reached.
    pub(super) fn observe(
        &mut self,
        test: &TestCase,
        points: &[ObservationPoint],
    ) -> Vec<Option<ObservedValue>> {
        if points.is_empty() {
            return Vec::new();
        }
        let question = (test.clone(), points.to_vec());
        if let Some(values) = self.machine.memory.values(&question).filter(|_| !self.stopped) {
            return values.clone();
        }
        if !self.may_run() {
            return Vec::new();
        }
        let values = self.machine.executor.observe(test, points).values;
        self.machine.memory.note_values(question, values.clone());
        values
    }

    /// Counts an execution, if there is one left.
    fn may_run(&mut self) -> bool {
        if self.executions >= self.options.executions || self.stopped || !(self.may_continue)() {
            self.stopped = true;
            return false;
        }
        self.executions += 1;
        true
    }

    /// Whether a test that passes ends in the call, and with the kind of result, that it must.
    fn shows_what_it_must(&mut self, candidate: &Candidate) -> bool {
        let Some(wanted) = self.shown else {
            return true;
        };
        let Some(last) = candidate.test.len().checked_sub(1) else {
            return false;
        };
        candidate.ending == Ending::Passes
            && candidate.test.statement(VarRef::from(last)).callable() == Some(wanted.callable)
            && self
                .observe(&candidate.test, &[result_at(last)])
                .first()
                .and_then(Option::as_ref)
                .is_some_and(|value| ResultKind::of(value) == wanted.kind)
    }

    /// Runs a changed test and gives it when it still covers what is required (ascending), ends no worse and shows
    /// the result that it must.
    pub(super) fn accept(&mut self, test: TestCase, required: &[GoalId], worst: Ending) -> Option<Candidate> {
        let change = ((test, self.is_long), (required.to_vec(), worst, self.shown));
        if let Some(known) = self.machine.memory.change(&change).filter(|_| !self.stopped) {
            return known.clone();
        }
        let accepted = self.accept_anew(&change.0.0, required, worst);
        if !self.stopped {
            self.machine.memory.note_change(change, accepted.clone());
        }
        accepted
    }

    fn accept_anew(&mut self, test: &TestCase, required: &[GoalId], worst: Ending) -> Option<Candidate> {
        let ending = self.execute(test)?.ok().filter(|&ending| ending <= worst)?;
        // Most changes fail here: what else they cover does not matter.
        let trace = &self.machine.result.trace;
        let covers = required.iter().all(|&goal| self.goals.goal(goal).is_covered(trace));
        let candidate = covers.then(|| self.candidate(test.clone(), ending))?;
        self.shows_what_it_must(&candidate).then_some(candidate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_jvm_are_told_from_those_thrown_by_the_project() {
        assert!(JVM_ERRORS.is_sorted());
        let thrown = |class: &str, origin| Thrown { position: 0, class: class.into(), origin };
        assert!(is_jvm_error(&thrown("java/lang/StackOverflowError", ThrowOrigin::Jvm)));
        assert!(!is_jvm_error(&thrown("java/lang/InternalError", ThrowOrigin::Project)));
        assert!(!is_jvm_error(&thrown("java/lang/NoClassDefFoundError", ThrowOrigin::Jvm)));
        assert!(!is_jvm_error(&thrown("java/lang/NullPointerException", ThrowOrigin::Jvm)));
    }
}
