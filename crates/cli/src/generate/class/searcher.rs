//! The parent's side of a worker that searches, whatever else it does: gives it the job of its island, hands what it finds to
//! the record, and keeps the account of what runs of it had to be ended in.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytecode::name::ClassName;
use jvm::faults::{Fault, Faults, Lesson, Severity};
use jvm::refusal::Refusal;
use jvm::shared::{SlotContent, SlotReader};
use jvm::watchdog::Exit;
use processes::message::WorkerEvent;
use processes::supervisor::{Death, Loss, Losses};
use search::event::Progress;
use search::local_search::tools::AppliedTool;
use subject::Subject;
use testcase::clock::Clock;
use testcase::cluster::{Call, TestCluster};
use testcase::statement::Statement;

use super::folders::FolderPaths;
use super::island::{News, State};
use super::record::{Record, Spent};
use super::{FirstTests, Shared};
use crate::generate::rewriting::Rewriting;
use crate::generate::shares::Share;
use crate::generate::time_plan::TimePlan;
use crate::interrupt::Interrupt;
use crate::job::{
    Aims, ClassEvent, ClassJob, Code, Earlier, Exchange, Places, SearchSetup, Surroundings, Task,
};
use crate::json::SymbolicReport;
use crate::options::Options;

/// What is known of an island before its first worker.
pub(super) struct SearcherSetup<'a> {
    /// The class.
    pub subject: &'a Subject,
    /// Class path of the class.
    pub class_path: &'a [PathBuf],
    /// The options of the run.
    pub options: &'a Options,
    /// Home of the JDK.
    pub java_home: PathBuf,
    /// Folder for the worker.
    pub folders: FolderPaths,
    /// Where the running test lies.
    pub slot: SlotReader,
    /// Time since the class path was known.
    pub clock: Clock,
    /// What the class gets.
    pub time: Share,
    /// What of that is kept for writing the file in another form.
    pub rewriting: &'a Rewriting,
    /// What phases cost.
    pub shared: &'a Shared,
    /// Whether the user wants an end.
    pub interrupt: &'a Interrupt,
    /// The record of the class.
    pub record: &'a Mutex<Record<'a>>,
    /// The number of the island; 0 is the one that makes suites.
    pub island: usize,
    /// Its part of a budget in executions.
    pub share: Option<u64>,
    /// Tests of an earlier run.
    pub first: &'a FirstTests,
}

/// The side of the parent that all islands have.
pub(super) struct Searcher<'a> {
    pub setup: SearcherSetup<'a>,
    faults: Faults,
    /// Whether something was learned of what the present worker had to end runs in.
    has_learned: bool,
    /// Workers lost with a call that no later one makes.
    lost: u64,
    /// What the workers of this island before the present one spent.
    earlier: Spent,
    /// What all of them spent.
    spent: Spent,
    /// What local search did in the workers before the present one, and in all of them.
    tools: (Vec<AppliedTool>, Vec<AppliedTool>),
    /// What came of symbolic execution in all workers.
    symbolic: Option<SymbolicReport>,
    /// Whether the present worker asked to be replaced.
    is_tainted: bool,
    /// Classes with goals that the JVM refuses, and the class under test as it was compiled: there is no going on.
    pub refused: Vec<Refusal>,
    /// Whether the present worker was refused another class.
    lost_class: bool,
    /// Classes that were refused to workers of this island.
    unwatched: BTreeSet<ClassName>,
}

impl<'a> Searcher<'a> {
    /// Before the first worker.
    pub(super) fn new(setup: SearcherSetup<'a>) -> Self {
        Self {
            faults: Faults::default(),
            has_learned: false,
            lost: 0,
            earlier: Spent::default(),
            spent: Spent::default(),
            tools: <(Vec<AppliedTool>, Vec<AppliedTool>)>::default(),
            symbolic: None,
            is_tainted: false,
            refused: Vec::new(),
            lost_class: false,
            unwatched: setup.subject.unwatched(),
            setup,
        }
    }

    /// The record of the class.
    pub(super) fn record(&self) -> MutexGuard<'a, Record<'a>> {
        self.setup.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Time since the class path was known.
    pub(super) fn now(&self) -> Duration {
        self.setup.clock.now()
    }

    /// When which phase must end, by what is known now of their costs.
    pub(super) fn plan(&self) -> Option<TimePlan> {
        self.setup.rewriting.plan(self.setup.time.budget, self.setup.shared.speeds())
    }

    /// The job of the next worker: a search that goes on where the one before it ended.
    pub(super) fn job(&mut self, restart: u32) -> ClassJob {
        let SearcherSetup { subject, class_path, options, java_home, folders, slot, island, first, .. } =
            &self.setup;
        slot.clear();
        self.earlier = self.spent;
        self.tools.0.clone_from(&self.tools.1);
        self.has_learned = false;
        let mut record = self.record();
        record.begin(*island);
        let own = record.island(*island);
        let archive = own.own.tests().into_iter().map(|(test, goals)| (test.as_ref().clone(), goals));
        let earlier = Earlier {
            archive: archive.collect(),
            // One of them may have cost the worker.
            first: if restart == 0 { first.tests.clone() } else { Vec::new() },
            kept: first.kept.clone(),
            exceptions: own.seen.clone(),
            settled: None,
            faults: self.faults.clone(),
        };
        let stream = subject.stream().wrapping_add(u64::from(restart));
        let job = job_of(subject, class_path, options, java_home, folders, slot);
        ClassJob {
            code: Code { unwatched: self.unwatched.clone(), ..job.code },
            search: SearchSetup {
                stream: stream.wrapping_add((*island as u64).wrapping_mul(ISLAND_STREAM)),
                executions: self.executions_left(),
                exchange: record.exchange(self.executions_used()),
                island: *island as u32,
                ..job.search
            },
            earlier,
            plan: self.plan().map(|plan| plan.from(self.now())),
            ..job
        }
    }

    /// Takes an event of the worker; what only a worker has to say that makes suites is given back.
    pub(super) fn take(&mut self, event: WorkerEvent) -> Option<ClassEvent> {
        match event {
            WorkerEvent::Warning(sentence) => self.record().told.warnings.push(sentence),
            WorkerEvent::Payload(bytes) => match postcard::from_bytes(&bytes) {
                Ok(event) => return self.take_event(event),
                Err(error) => self.diagnose(format!("the worker said what cannot be read: {error}")),
            },
            // The supervisor's own.
            WorkerEvent::Failed(_) | WorkerEvent::Finished => {}
        }
        None
    }

    fn take_event(&mut self, event: ClassEvent) -> Option<ClassEvent> {
        let (now, island) = (self.now(), self.setup.island);
        match event {
            ClassEvent::Started => {
                tracing::debug!(island, at = ?now, "the search of a worker begins");
                self.record().told.search_start.get_or_insert(now);
            }
            ClassEvent::Exceptions(seen) => self.record().see(island, seen, now),
            ClassEvent::Archived { goals, test, executions } => {
                self.spent.executions = self.earlier.executions + executions;
                let news = News::Archived { goals, test: (*test).into(), spent: self.spent };
                self.record().take(island, news, now);
            }
            ClassEvent::Uncovered { goals, executions } => {
                self.spent.executions = self.earlier.executions + executions;
                self.record().take(island, News::Uncovered { goals, spent: self.spent }, now);
            }
            ClassEvent::Progress(Progress { executions, statements, evaluations, generation, .. }) => {
                self.spent =
                    self.earlier + Spent { executions, statements, evaluations, generations: generation };
                self.record().take(island, News::Progress(self.spent), now);
            }
            ClassEvent::LocalSearch(tools) => {
                self.tools.1 = AppliedTool::together(&self.tools.0, &tools);
                self.record().take(island, News::LocalSearch(self.tools.1.clone()), now);
            }
            ClassEvent::Symbolic(report) => {
                SymbolicReport::add(&mut self.symbolic, *report);
                let sum = self.symbolic.clone().unwrap_or_default();
                self.record().take(island, News::Symbolic(Box::new(sum)), now);
            }
            ClassEvent::Exchange => self.record().reach(island, State::Waiting),
            ClassEvent::Collect => self.record().reach(island, State::Collecting),
            ClassEvent::Fault(fault) => self.note_fault(*fault),
            ClassEvent::Refused(refusal) => self.note_refusal(refusal),
            ClassEvent::Tainted => self.is_tainted = true,
            ClassEvent::Diagnostic(sentence) => self.diagnose(sentence),
            event @ (ClassEvent::OpenGoals(_)
            | ClassEvent::Searched
            | ClassEvent::Suite(_)
            | ClassEvent::Replayed(_)) => return Some(event),
        }
        None
    }

    /// The worker died; what that counts as.
    pub(super) fn died(&mut self, death: &Death) -> Loss {
        let loss = self.loss_of(death);
        self.record().lose(self.setup.island, loss);
        loss
    }

    fn loss_of(&mut self, death: &Death) -> Loss {
        let lost_class = std::mem::take(&mut self.lost_class);
        if std::mem::take(&mut self.is_tainted) {
            if lost_class {
                return Loss::Replacement;
            }
            let sentence = "a test ran on where no step is counted, or took memory outside of the heap; its JVM was replaced";
            self.diagnose(sentence.to_owned());
            let worked = self.spent.executions.saturating_sub(self.earlier.executions);
            return self.count_loss(Loss::replaced_after(worked));
        }
        let fatal = self.setup.slot.read();
        let sentence = self.describe(death, &fatal);
        self.diagnose(sentence);
        if let SlotContent::Test { test, position } = fatal {
            self.note_fault(Fault { test, position, severity: Severity::Damaging });
        }
        self.count_loss(Loss::Death)
    }

    /// What the end of a worker counts as: where its call is known and not made again, it only costs of the budget.
    fn count_loss(&mut self, otherwise: Loss) -> Loss {
        if !self.has_learned {
            return otherwise;
        }
        self.lost += 1;
        Loss::Call
    }

    /// Workers lost elsewhere that count for the class.
    pub(super) fn lost_elsewhere(&self) -> Losses {
        self.record().lost_elsewhere(self.setup.island)
    }

    /// What is used of this island's part of a budget in executions.
    fn executions_used(&self) -> u64 {
        self.spent.executions.saturating_add(self.lost.saturating_mul(LOST_EXECUTIONS))
    }

    /// What is left of it.
    pub(super) fn executions_left(&self) -> Option<u64> {
        self.setup.share.map(|share| share.saturating_sub(self.executions_used()))
    }

    /// Says so where lost workers took the rest of the budget.
    pub(super) fn tell_used_up(&self) {
        if self.lost > 0 && self.executions_left() == Some(0) {
            self.diagnose(format!(
                "the search ended early: {} workers were lost, each of which counts as {LOST_EXECUTIONS} executions",
                self.lost
            ));
        }
    }

    /// Whether no call of the class is left to be made; says so.
    pub(super) fn has_no_calls(&self) -> bool {
        let has_none = self.faults.ban_all_of(&self.setup.subject.cluster.get());
        if has_none {
            self.diagnose(
                "the search ended early: runs of every call of the class had to be ended".to_owned(),
            );
        }
        has_none
    }

    /// Has the record note a sentence for the user.
    pub(super) fn diagnose(&self, sentence: String) {
        self.record().take(self.setup.island, News::Diagnostic(sentence), self.now());
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
        let cluster = self.setup.subject.cluster.get();
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
                let Some(constructor) = cluster.stub(id).constructor() else { return "a stub".to_owned() };
                called(constructor)
            }
        };
        format!("{}.{name}", class.binary())
    }

    fn note_fault(&mut self, fault: Fault) {
        match self.faults.note(fault, &self.setup.subject.cluster.get()) {
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
    pub(super) fn is_refused(&self) -> bool {
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
            self.unwatched.insert(refusal.class.clone());
            subject.leave_unwatched(refusal.class);
        }
    }
}

/// Streams of randomness of two islands are so far apart: the golden ratio in 64 bits, which no number of restarts comes to.
const ISLAND_STREAM: u64 = 0x9e37_79b9_7f4a_7c15;

/// Executions that a worker counts as that was lost with its call, where these are the budget: a new one takes the time of
/// many more, and a class in which every second call is deadly shall come to its good parts all the same.
const LOST_EXECUTIONS: u64 = 50;

/// What is repeated of what a worker said as it died, in bytes. What the class under test prints may be among it.
const SAID: usize = 200;

/// The beginning of a line, short enough for a sentence.
fn beginning_of(line: &str) -> &str {
    &line[..line.floor_char_boundary(SAID)]
}

/// What every job for a class says, whatever is to be done.
pub(super) fn job_of(
    subject: &Subject,
    class_path: &[PathBuf],
    options: &Options,
    java_home: &Path,
    folders: &FolderPaths,
    slot: &SlotReader,
) -> ClassJob {
    let nest = &subject.nest;
    ClassJob {
        places: Places {
            java_home: java_home.to_owned(),
            class_path: class_path.to_vec(),
            scratch: folders.scratch.clone(),
            files: folders.files.clone(),
            slot: slot_file(slot),
        },
        code: Code {
            test_class: subject.identity.test_class.clone(),
            cluster: TestCluster::clone(&subject.cluster.get()),
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
            suite: options.suite,
            settled: subject.settled.ids.clone(),
            settled_exceptions: subject.settled.exceptions.clone(),
        },
        search: SearchSetup {
            algorithm: options.algorithm.clone(),
            solver: options.solver.clone(),
            set_up: options.set_up.clone(),
            seed: options.seed,
            stream: subject.stream(),
            executions: None,
            exchange: Exchange::Never,
            island: 0,
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
