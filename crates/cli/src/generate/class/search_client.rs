//! The parent's side of a class: gives the worker its job, keeps the archive of record, and says when to stop.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use coverage::goal::GoalId;
use jvm::faults::{Fault, Faults, Lesson, Severity};
use jvm::refusal::Refusal;
use jvm::shared::{SlotContent, SlotReader};
use jvm::watchdog::Exit;
use output::report::Cause;
use processes::message::WorkerEvent;
use processes::supervisor::{Client, Death, Decision, Loss, MOST_DEATHS, MOST_REPLACED};
use search::archive::Archive;
use search::event::{Progress, Timeline};
use search::local_search::tools::AppliedTool;
use search::open_goals::OpenGoal;
use subject::Subject;
use testcase::clock::Clock;
use testcase::cluster::Call;
use testcase::statement::Statement;

use super::Shared;
use crate::console::progress::{ClassLine, Phase, Progress as Shown};
use crate::generate::time_plan::{Standing, Step, TimePlan};
use crate::interrupt::Interrupt;
use crate::job::{
    Aims, ClassEvent, ClassJob, Code, Earlier, FoundSuite, Places, SearchSetup, SuiteKind, Surroundings,
    Task, unminimized,
};
use crate::json::SymbolicReport;
use crate::messages::beginning_of;
use crate::options::{Budget, Options};
use crate::statistics::Found;

/// What a class has come to so far.
pub(super) struct SearchClient<'a> {
    setup: ClientSetup<'a>,
    /// Tests of the last suite with its additions, and different tests of the archive that they were made of.
    last_suite: Option<(usize, usize)>,
    /// Different tests of the archive and those of them that are new, as counted last, and when.
    counted: Option<(Tests, Duration)>,
    /// Suites in which the search goes on.
    rounds: Rounds,
    /// The archive of record.
    pub archive: Archive,
    /// What happened.
    pub history: History,
    faults: Faults,
    /// Whether something was learned of what the present worker had to end runs in.
    has_learned: bool,
    /// Workers lost with a call that no later one makes.
    lost: u64,
    phase: Phase,
    /// What the workers before the present one spent.
    earlier: Spent,
    /// What local search did in earlier workers.
    tools_before: Vec<AppliedTool>,
    /// Whether the present worker asked to be replaced.
    is_tainted: bool,
    /// Classes with goals that the JVM refuses, and the class under test as it was compiled: there is no going on.
    pub refused: Vec<Refusal>,
    /// Whether the present worker was refused another class.
    lost_class: bool,
    /// When the archive is to be made a suite.
    fallbacks: Fallbacks,
}

/// How far the rounds of search, suite and verification are.
#[derive(Debug, Default)]
struct Rounds {
    /// Whether a suite of everything was asked for.
    has_whole: bool,
    /// Whether the worker makes a suite now.
    is_making: bool,
    /// Goals that the suites made so far settle; `None` as long as none was of everything.
    settled: Option<BTreeSet<GoalId>>,
    /// Whether the worker was told to give way.
    gives_way: bool,
}

/// Different tests of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tests {
    /// All of them.
    archived: usize,
    /// Those with a goal that no suite of a round settles.
    new: usize,
}

/// What is told of a search afterwards.
#[derive(Debug, Default)]
pub(super) struct History {
    /// How coverage grew; times since the class path was known.
    pub timeline: Timeline,
    /// What all workers spent.
    pub spent: Spent,
    /// When the search covered each goal first.
    pub found: BTreeMap<GoalId, Found>,
    /// When the first worker began to search.
    pub search_start: Option<Duration>,
    /// When the last one ended its search.
    pub search_end: Option<Duration>,
    /// Whether a suite of everything was made.
    pub has_whole_suite: bool,
    /// Time that suites took of the search, early ones aside.
    pub between: Duration,
    /// Time that minimizing these and the last one took.
    pub minimize: Duration,
    /// Time that their assertions took.
    pub assertions: Duration,
    /// What the user should know.
    pub diagnostics: Vec<String>,
    /// What is open in the sandbox.
    pub warnings: Vec<String>,
    /// Whether the user ended the search.
    pub interrupted: bool,
    /// What each operator of local search and each test search did, as far as workers came to tell.
    pub local_search: Vec<AppliedTool>,
    /// What came of symbolic execution in all workers that came to tell; `None` where it was not applied.
    pub symbolic: Option<SymbolicReport>,
    /// Why goals were open when the search ended; empty when no worker came so far.
    pub open_goals: Vec<OpenGoal>,
    /// All goals that were ever archived.
    pub archived: Vec<GoalId>,
}

/// What searching took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Spent {
    /// Executions.
    pub executions: u64,
    /// Statements that these executed.
    pub statements: u64,
    /// Evaluations of fitness.
    pub evaluations: u64,
    /// Generations.
    pub generations: u64,
}

/// What a client is made of.
pub(super) struct ClientSetup<'a> {
    /// The class.
    pub subject: &'a Subject,
    /// Class path of the class.
    pub class_path: &'a [PathBuf],
    /// The options of the run.
    pub options: &'a Options,
    /// Home of the JDK.
    pub java_home: PathBuf,
    /// Folder for the worker.
    pub scratch: PathBuf,
    /// Where the running test lies.
    pub slot: SlotReader,
    /// Time since the class path was known.
    pub clock: Clock,
    /// What phases cost.
    pub shared: &'a Shared,
    /// Whether the user wants an end.
    pub interrupt: &'a Interrupt,
    /// Shows how far the class is.
    pub line: &'a ClassLine,
    /// Takes suites.
    pub suites: Sender<FoundSuite>,
    /// Suites on their way to the file.
    pub underway: Arc<AtomicUsize>,
}

impl<'a> SearchClient<'a> {
    /// A client before its first worker.
    pub(super) fn new(setup: ClientSetup<'a>) -> Self {
        Self {
            last_suite: None,
            counted: None,
            rounds: Rounds::default(),
            archive: Archive::new(setup.subject.goals().len(), false),
            history: History::default(),
            faults: Faults::default(),
            has_learned: false,
            lost: 0,
            phase: Phase::Start,
            earlier: Spent::default(),
            tools_before: Vec::new(),
            is_tainted: false,
            refused: Vec::new(),
            lost_class: false,
            fallbacks: Fallbacks::default(),
            setup,
        }
    }

    /// To be called when the last worker has ended: where none made the last suite, the archive is one.
    pub(super) fn close(&mut self) {
        self.history.search_end.get_or_insert_with(|| self.setup.clock.now());
        self.history.archived = self.archive.covered().to_vec();
        if self.rounds.settled.is_none() {
            let suite = self.archived_suite(SuiteKind::Whole);
            self.send(suite);
        }
    }

    /// Makes a suite of the archive: soon, for a first file, and where the worker has made none for too long. It may be in the
    /// middle of a run that nothing ends but time.
    fn step_in(&mut self, plan: TimePlan, now: Duration) {
        let Some(start) = self.history.search_start else { return };
        if self.archive.covered().is_empty() {
            return;
        }
        let lacks = if self.rounds.settled.is_some() {
            Lacks::Nothing
        } else if self.last_suite.is_some() {
            Lacks::Whole
        } else {
            Lacks::Any
        };
        if let Some(kind) = self.fallbacks.due(plan, start, now, lacks) {
            let suite = self.archived_suite(kind);
            self.send(suite);
        }
    }

    fn send(&self, suite: FoundSuite) {
        self.setup.underway.fetch_add(1, Ordering::SeqCst);
        // A receiver that is gone has failed, and its error is reported.
        let _ = self.setup.suites.send(suite);
    }

    /// The tests of the archive as they are, without assertions; a test whose goals others cover is left out.
    fn archived_suite(&self, kind: SuiteKind) -> FoundSuite {
        let mut archived: Vec<GoalId> = self.archive.covered().to_vec();
        archived.sort_unstable();
        let goals = self.setup.subject.goals();
        let tests = self.archive.tests().into_iter();
        let tests = tests.map(|(test, covered)| unminimized(&test, covered, &goals)).collect();
        let dropped = vec![(Cause::OutOfTime, archived.clone())];
        FoundSuite { tests, archived, dropped, kind, ..FoundSuite::default() }
    }

    fn take(&mut self, event: ClassEvent) {
        let now = self.setup.clock.now();
        match event {
            ClassEvent::Started => {
                self.phase = Phase::Search;
                self.history.search_start.get_or_insert(now);
            }
            ClassEvent::Exceptions(seen) => {
                self.setup.subject.add_exceptions(seen);
                self.archive.grow(self.setup.subject.goals().len());
            }
            ClassEvent::Archived { goals, test, executions } => {
                self.archive.record(&goals, *test);
                self.history.spent.executions = self.earlier.executions + executions;
                if !self.archive.newly_covered().is_empty() {
                    let found = Found { executions: self.history.spent.executions, elapsed: now };
                    for &goal in self.archive.newly_covered() {
                        self.history.found.entry(goal).or_insert(found);
                    }
                    self.record(now);
                }
            }
            ClassEvent::Uncovered { goals, executions } => {
                self.archive.forget(&goals);
                self.history.spent.executions = self.earlier.executions + executions;
                self.record(now);
            }
            ClassEvent::Progress(progress) => {
                let earlier = self.earlier;
                self.history.spent = Spent {
                    executions: earlier.executions + progress.executions,
                    statements: earlier.statements + progress.statements,
                    evaluations: earlier.evaluations + progress.evaluations,
                    generations: earlier.generations + progress.generation,
                };
                self.record(now);
            }
            ClassEvent::LocalSearch(tools) => {
                self.history.local_search = AppliedTool::together(&self.tools_before, &tools);
            }
            ClassEvent::Symbolic(report) => SymbolicReport::add(&mut self.history.symbolic, *report),
            ClassEvent::OpenGoals(open_goals) => self.history.open_goals = open_goals,
            ClassEvent::Searched => {
                self.history.search_end = Some(now);
                self.has_no_calls();
                self.phase = Phase::Minimize;
            }
            ClassEvent::Suite(suite) => {
                let (tests, archived) = (suite.tests.len(), suite.archived_tests);
                let before = self.last_suite.filter(|_| suite.kind == SuiteKind::Addition);
                let (tests_before, archived_before) = before.unwrap_or_default();
                self.last_suite = Some((tests_before + tests, archived_before + archived));
                self.setup.shared.learn(|speeds| {
                    speeds.minimize.learn_part(archived, suite.minimize, suite.minimized_share);
                    speeds.assertions.learn_part(tests, suite.assertions, suite.asserted_share);
                });
                if matches!(suite.kind, SuiteKind::Whole | SuiteKind::Addition) {
                    self.end_round(&suite);
                }
                self.send(*suite);
            }
            ClassEvent::Fault(fault) => self.note_fault(*fault),
            ClassEvent::Refused(refusal) => self.note_refusal(refusal),
            ClassEvent::Tainted => self.is_tainted = true,
            // Nobody asked this worker to.
            ClassEvent::Replayed(_) => {}
            ClassEvent::Diagnostic(sentence) => self.diagnose(sentence),
        }
        self.show(now);
    }

    /// Puts a point on the timeline.
    fn record(&mut self, now: Duration) {
        let spent = self.history.spent;
        self.history.timeline.record(Progress {
            executions: spent.executions,
            statements: spent.statements,
            evaluations: spent.evaluations,
            covered: self.archive.covered().len(),
            total: self.setup.subject.goals().len(),
            generation: spent.generations,
            elapsed: now,
        });
    }

    fn show(&self, now: Duration) {
        let searched = now.saturating_sub(self.history.search_start.unwrap_or(now)).as_secs_f64();
        let executions = self.history.spent.executions;
        self.setup.line.show(&Shown {
            phase: self.phase,
            elapsed: now,
            goals: self.setup.subject.goals().len(),
            covered: self.archive.covered().len(),
            executions,
            executions_per_second: if searched > 0.0 { executions as f64 / searched } else { 0.0 },
        });
    }

    fn diagnose(&mut self, sentence: String) {
        if !self.history.diagnostics.contains(&sentence) {
            self.history.diagnostics.push(sentence);
        }
    }

    /// What happened in words.
    fn describe(&self, death: &Death, fatal: &SlotContent) -> String {
        let test = match fatal {
            SlotContent::Test { test, position } => {
                let call = test.statements().get(*position).and_then(Statement::call);
                call.map_or_else(|| "in a test".to_owned(), |call| format!("in {}", self.name_of(call)))
            }
            SlotContent::TooLarge => "in a large test".to_owned(),
            SlotContent::Idle | SlotContent::Torn => "between two tests".to_owned(),
        };
        let said = beginning_of(death.stderr.lines().next().unwrap_or_default().trim());
        let separator = if said.is_empty() { "" } else { ": " };
        let what = match death.code {
            Some(code) if code == Exit::Stuck as i32 => "a run could not be ended".to_owned(),
            Some(code) if code == Exit::Halted as i32 => "the JVM was ended".to_owned(),
            _ => format!("the worker died ({})", death.status),
        };
        format!("{what} {test}{separator}{said}")
    }

    fn name_of(&self, call: Call) -> String {
        let cluster = &self.setup.subject.cluster;
        let called = |id| {
            let callable = cluster.callable(id);
            (&callable.declared_in, &callable.name)
        };
        let (class, name) = match call {
            Call::Callable(id) => called(id),
            Call::Read(id) | Call::Write(id) => {
                let field = cluster.field(id);
                (&field.declared_in, &field.name)
            }
            Call::Implement(id) => {
                // Of an interface nothing runs but what the test says.
                let Some(constructor) = cluster.stub(id).constructor else { return "a stub".to_owned() };
                called(constructor)
            }
        };
        format!("{}.{name}", class.binary())
    }

    fn note_fault(&mut self, fault: Fault) {
        match self.faults.note(fault) {
            Lesson::Nothing => {}
            Lesson::Arguments(_) => self.has_learned = true,
            Lesson::Call(banned) => {
                self.has_learned = true;
                let name = self.name_of(banned);
                self.diagnose(format!("{name} is not called any more: runs of it had to be ended"));
            }
        }
    }

    /// Whether work on the class must begin anew, now that the worker has told of all classes that it was refused.
    fn is_refused(&self) -> bool {
        let is_told = |refusal: &Refusal| refusal.is_as_compiled || self.is_tainted;
        self.refused.iter().any(is_told)
    }

    fn note_refusal(&mut self, refusal: Refusal) {
        let subject = self.setup.subject;
        let (class, message) = (refusal.class.binary(), &refusal.message);
        let is_under_test = refusal.class == subject.identity.class;
        if refusal.is_as_compiled && !is_under_test {
            self.diagnose(format!("the JVM refuses {class} as it was compiled ({message})"));
        } else if is_under_test || subject.nest.classes.iter().any(|goal| goal.name == refusal.class) {
            self.refused.push(refusal);
        } else {
            self.diagnose(format!("{class} is not watched: the JVM refuses it with our probes ({message})"));
            self.lost_class = true;
            subject.leave_unwatched(refusal.class);
        }
    }

    /// Notes a suite that is not an early one.
    fn end_round(&mut self, suite: &FoundSuite) {
        self.rounds.is_making = false;
        self.history.has_whole_suite = true;
        self.rounds.settled.get_or_insert_default().extend(suite.settled());
        self.counted = None;
        self.history.minimize += suite.minimize;
        self.history.assertions += suite.assertions;
        if self.history.search_end.is_some() {
            self.phase = Phase::Verify;
        } else {
            self.phase = Phase::Search;
            self.history.between += suite.minimize + suite.assertions;
        }
    }

    /// Counts the tests of the archive, now and then.
    fn count_tests(&mut self) -> Tests {
        let now = self.setup.clock.now();
        if let Some((tests, _)) = self.counted.filter(|(_, then)| now < *then + RECOUNT) {
            return tests;
        }
        let tests = self.archive.tests();
        let settled = self.rounds.settled.as_ref();
        let is_new = |goal: &GoalId| !settled.is_some_and(|settled| settled.contains(goal));
        let new = tests.iter().filter(|(_, goals)| goals.iter().any(is_new)).count();
        let tests = Tests { archived: tests.len(), new };
        self.counted = Some((tests, now));
        tests
    }

    /// Different tests of the archive, those that are new, and, as far as one can tell, those that a suite of all will have.
    fn expected_tests(&mut self) -> (Tests, usize) {
        let tests = self.count_tests();
        let archived = tests.archived;
        let expected = match self.last_suite {
            // What comes later is harder to cover and takes tests of the suite with it more often: the suite was seen to
            // grow by less than the root of what the archive grows by.
            Some((tests, archived_then)) if archived_then > 0 => {
                let growth = archived as f64 / archived_then as f64;
                (tests as f64 * growth.max(1.0).sqrt()).ceil() as usize
            }
            _ => archived,
        };
        (tests, expected)
    }
}

impl Client for SearchClient<'_> {
    fn job(&mut self, restart: u32, is_last: bool) -> Vec<u8> {
        self.setup.slot.clear();
        self.earlier = self.history.spent;
        self.tools_before.clone_from(&self.history.local_search);
        // What the worker before this one was about to make is gone with it.
        self.rounds.is_making = false;
        self.rounds.gives_way = false;
        self.fallbacks.overdue = None;
        self.rounds.has_whole = self.rounds.settled.is_some();
        if is_last && self.history.search_end.is_none() {
            self.diagnose(format!(
                "the search ended early: {MOST_DEATHS} workers died, or {MOST_REPLACED} had to be replaced"
            ));
        }
        self.has_learned = false;
        let left = self.executions_left();
        if left == Some(0) && self.lost > 0 && self.history.search_end.is_none() {
            self.diagnose(format!(
                "the search ended early: {} workers were lost, each of which counts as {LOST_EXECUTIONS} executions",
                self.lost
            ));
        }
        let is_over = left == Some(0) || self.has_no_calls();
        let is_searched =
            is_last || is_over || self.history.search_end.is_some() || self.next_step() != Step::Search;
        let archived = self.archive.tests().into_iter();
        let ClientSetup { subject, class_path, options, java_home, scratch, slot, .. } = &self.setup;
        let job = job_of(subject, class_path, options, java_home, scratch, slot);
        let job = ClassJob {
            search: SearchSetup {
                stream: subject.stream().wrapping_add(u64::from(restart)),
                executions: left,
                ..job.search
            },
            earlier: Earlier {
                archive: archived.map(|(test, goals)| (test.as_ref().clone(), goals)).collect(),
                settled: self.rounds.settled.as_ref().map(|goals| goals.iter().copied().collect()),
                faults: self.faults.clone(),
                ..job.earlier
            },
            task: if is_searched { Task::Finish } else { Task::Search },
            plan: self.plan().map(|plan| plan.from(self.setup.clock.now())),
            is_last,
            ..job
        };
        // Plain data: there is nothing that could fail.
        postcard::to_stdvec(&job).unwrap_or_default()
    }

    fn event(&mut self, event: WorkerEvent) {
        match event {
            WorkerEvent::Warning(sentence) => self.history.warnings.push(sentence),
            WorkerEvent::Payload(bytes) => match postcard::from_bytes(&bytes) {
                Ok(event) => self.take(event),
                Err(error) => self.diagnose(format!("the worker said what cannot be read: {error}")),
            },
            // The supervisor's own.
            WorkerEvent::Failed(_) | WorkerEvent::Finished => {}
        }
    }

    fn died(&mut self, death: &Death) -> Loss {
        let lost_class = std::mem::take(&mut self.lost_class);
        if std::mem::take(&mut self.is_tainted) {
            if lost_class {
                return Loss::Replacement;
            }
            let sentence = "a test ran on where no step is counted, or took memory outside of the heap; its JVM was replaced";
            self.diagnose(sentence.to_owned());
            return self.count_loss(Loss::Replacement);
        }
        let fatal = self.setup.slot.read();
        let sentence = self.describe(death, &fatal);
        self.diagnose(sentence);
        if let SlotContent::Test { test, position } = fatal {
            self.note_fault(Fault { test, position, severity: Severity::Damaging });
        }
        self.count_loss(Loss::Death)
    }

    fn decide(&mut self) -> Decision {
        let (now, plan) = (self.setup.clock.now(), self.plan());
        if let Some(plan) = plan {
            self.step_in(plan, now);
        }
        if self.is_refused() || plan.is_some_and(|plan| now >= plan.deadline()) {
            return Decision::Kill;
        }
        match self.next_step() {
            // What may still be found is worth less than what was found and is verified now.
            Step::Search if self.rounds.settled.is_some() && plan.is_some() && !self.rounds.gives_way => {
                self.rounds.gives_way = true;
                Decision::GiveWay
            }
            Step::Search => Decision::GoOn,
            Step::Suite(time) => {
                let overdue = now + time + plan.map_or(Duration::ZERO, |plan| plan.patience(now));
                self.fallbacks.overdue = (!self.rounds.has_whole).then_some(overdue);
                (self.rounds.has_whole, self.rounds.is_making) = (true, true);
                self.phase = Phase::Minimize;
                Decision::Suite(time)
            }
            Step::End => {
                let (_, tests) = self.expected_tests();
                Decision::Stop(plan.map(|plan| plan.suite_end(tests).saturating_sub(now)))
            }
        }
    }
}

impl SearchClient<'_> {
    /// What the end of a worker counts as: where its call is known and not made again, it only costs of the budget.
    fn count_loss(&mut self, otherwise: Loss) -> Loss {
        if !self.has_learned {
            return otherwise;
        }
        self.lost += 1;
        Loss::Call
    }

    /// What is left of a budget in executions.
    fn executions_left(&self) -> Option<u64> {
        match self.setup.options.budget {
            Budget::Executions(executions) => {
                let lost = self.lost.saturating_mul(LOST_EXECUTIONS);
                Some(executions.saturating_sub(self.earlier.executions.saturating_add(lost)))
            }
            Budget::Time(_) => None,
        }
    }

    /// Whether no call of the class is left to be made; says so.
    fn has_no_calls(&mut self) -> bool {
        let has_none = self.faults.ban_all_of(&self.setup.subject.cluster);
        if has_none {
            self.diagnose(
                "the search ended early: runs of every call of the class had to be ended".to_owned(),
            );
        }
        has_none
    }

    /// When which phase must end, by what is known now of their costs.
    fn plan(&self) -> Option<TimePlan> {
        TimePlan::new(self.setup.options.budget, self.setup.shared.speeds())
    }

    /// What comes next now.
    fn next_step(&mut self) -> Step {
        if self.setup.interrupt.is_set() {
            self.history.interrupted = true;
            return Step::End;
        }
        let Some(plan) = self.plan() else { return Step::Search };
        if self.history.search_end.is_some() {
            return Step::Search;
        }
        let now = self.setup.clock.now();
        let start = self.history.search_start.unwrap_or(now);
        let (Tests { archived, new }, tests) = self.expected_tests();
        // What minimization takes is known of this class as soon as it has a suite.
        let minimize_one = if self.last_suite.is_some() {
            Duration::ZERO
        } else {
            let searched = now.saturating_sub(start + self.history.between);
            searched.mul_f64(EXECUTIONS_PER_TEST / self.history.spent.executions.max(1) as f64)
        };
        plan.next_step(&Standing {
            now,
            start,
            archived,
            tests,
            new,
            minimize_one,
            has_whole: self.rounds.has_whole,
            is_busy: self.rounds.is_making || self.setup.underway.load(Ordering::SeqCst) > 0,
        })
    }
}

/// The moments at which a suite is made without the worker.
#[derive(Debug, Default)]
struct Fallbacks {
    /// How many have passed of those that are known when the search begins.
    passed: usize,
    /// When the suite of everything is late, which the worker was asked for.
    overdue: Option<Duration>,
}

/// Suites that the worker has not made so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lacks {
    /// It has made none.
    Any,
    /// None of everything.
    Whole,
    /// It has made that one.
    Nothing,
}

impl Fallbacks {
    /// The suite to be made where a moment has come at which one is wanted. One that comes when none is wanted is over,
    /// and so are those before the last that came.
    fn due(&mut self, plan: TimePlan, start: Duration, now: Duration, lacks: Lacks) -> Option<SuiteKind> {
        if self.overdue.is_some_and(|overdue| now >= overdue) {
            self.overdue = None;
            return (lacks != Lacks::Nothing).then_some(SuiteKind::Whole);
        }
        let come = plan.fallbacks(start).into_iter().filter(|moment| now >= *moment).count();
        let has_come = come > self.passed;
        self.passed = come;
        let kind = if come == 1 { SuiteKind::First } else { SuiteKind::Early };
        (has_come && lacks == Lacks::Any).then_some(kind)
    }
}

/// Executions that a worker counts as that was lost with its call, where these are the budget: a new one takes the time of
/// many more, and a class in which every second call is deadly shall come to its good parts all the same.
const LOST_EXECUTIONS: u64 = 50;

/// Executions that minimizing takes for each test of the archive, about.
const EXECUTIONS_PER_TEST: f64 = 10.0;

/// How long a count of the archive's tests is good for: it takes a fraction of a millisecond in a large class, and is
/// asked for with every event.
const RECOUNT: Duration = Duration::from_millis(50);

/// What every job for a class says, whatever is to be done.
pub(super) fn job_of(
    subject: &Subject,
    class_path: &[PathBuf],
    options: &Options,
    java_home: &Path,
    scratch: &Path,
    slot: &SlotReader,
) -> ClassJob {
    let Subject { cluster, nest, .. } = subject;
    ClassJob {
        places: Places {
            java_home: java_home.to_owned(),
            class_path: class_path.to_vec(),
            scratch: scratch.to_owned(),
            slot: slot_file(slot),
        },
        code: Code {
            test_class: subject.identity.test_class.clone(),
            cluster: cluster.clone(),
            classes: nest.classes.clone(),
            maps: nest.maps.clone(),
            ids: nest.ids,
            statics: nest.statics.clone(),
            unwatched: subject.unwatched(),
        },
        aims: Aims {
            criteria: subject.criteria.clone(),
            asked: options.criteria.clone(),
            goal_selection: options.goal_selection,
            line_threshold: options.line_threshold,
        },
        search: SearchSetup {
            algorithm: options.algorithm.clone(),
            solver: options.solver.clone(),
            set_up: options.set_up.clone(),
            seed: options.seed,
            stream: subject.stream(),
            executions: None,
        },
        earlier: Earlier { exceptions: subject.exceptions(), ..Earlier::default() },
        task: Task::Finish,
        surroundings: Surroundings::First,
        plan: None,
        is_last: true,
    }
}

/// The name under which a worker finds the slot.
fn slot_file(slot: &SlotReader) -> PathBuf {
    use std::os::fd::AsRawFd as _;
    format!("/proc/{}/fd/{}", std::process::id(), slot.file().as_raw_fd()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_archive_is_made_a_suite_once_at_each_moment_if_it_is_wanted_then() {
        let seconds = Duration::from_secs_f64;
        let plan = TimePlan::new(Budget::Time(seconds(10.0)), crate::generate::time_plan::Speeds::default())
            .unwrap();
        let moments = plan.fallbacks(seconds(1.0));
        let mut fallbacks = Fallbacks::default();
        let mut due = |now, lacks| fallbacks.due(plan, seconds(1.0), now, lacks);
        assert_eq!(due(seconds(1.2), Lacks::Any), None, "a few tests are found first");
        assert_eq!(due(moments[0], Lacks::Any), Some(SuiteKind::First));
        assert_eq!(due(moments[0] + seconds(0.02), Lacks::Any), None, "once");
        assert_eq!(due(moments[1], Lacks::Whole), None, "the worker has made one");
        assert_eq!(due(moments[2], Lacks::Any), Some(SuiteKind::Early));
        assert_eq!(due(seconds(9.5), Lacks::Any), None, "there is no fourth");
    }

    #[test]
    fn the_archive_is_the_suite_of_everything_once_where_the_worker_is_late_with_it() {
        let seconds = Duration::from_secs_f64;
        let plan = TimePlan::new(Budget::Time(seconds(10.0)), crate::generate::time_plan::Speeds::default())
            .unwrap();
        for (lacks, late) in [
            (Lacks::Any, Some(SuiteKind::Whole)),
            (Lacks::Whole, Some(SuiteKind::Whole)),
            (Lacks::Nothing, None),
        ] {
            // All other moments have passed.
            let mut fallbacks = Fallbacks { passed: 3, overdue: Some(seconds(6.0)) };
            let mut due = |now| fallbacks.due(plan, seconds(1.0), seconds(now), lacks);
            assert_eq!([due(5.9), due(6.0), due(6.1)], [None, late, None], "{lacks:?}");
        }
    }

    #[test]
    fn moments_that_passed_while_nothing_was_covered_are_made_up_for_once() {
        let seconds = Duration::from_secs_f64;
        let plan = TimePlan::new(Budget::Time(seconds(10.0)), crate::generate::time_plan::Speeds::default())
            .unwrap();
        let mut fallbacks = Fallbacks::default();
        let mut due = |now| fallbacks.due(plan, seconds(1.0), seconds(now), Lacks::Any);
        assert_eq!([due(5.0), due(5.02)], [Some(SuiteKind::Early), None]);
    }
}
