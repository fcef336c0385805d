//! A run of `generate`: what is found out first, then the classes side by side, each within its budget, then all files
//! together, and what is reported of each, with the exit code.
//!
//! * [`modules`]: one module after the other; [`prepared`]: everything that can be wrong is found out here, before anything is started
//! * [`engine`]: on this machine, which is the rest of this module, or on a cluster
//! * [`machine`]: how many work side by side; [`shard`]: which classes belong to one of several machines; [`earlier`]: the tests that changed classes have
//! * [`existing`]: what the project's own tests cover
//! * [`schedule`]: classes side by side; [`shares`]: how much of the time of a run each gets; [`time_plan`]: which phase of a class may last until when
//! * [`form`]: new files in the form of the build
//! * [`closing`]: what is said at the end
//! * [`class`]: the stages of a class: the [`Generator`] of the command

pub mod class;
mod closing;
mod earlier;
pub mod engine;
pub mod existing;
mod form;
pub mod machine;
pub mod modules;
pub mod prepared;
pub mod rewriting;
pub mod schedule;
pub mod shard;
pub mod shares;
mod speeds;
pub mod time_plan;

use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use processes::scratch;
use project::environment::Environment;
use project::failure::FailureKind;
use project::targets::Target;
use project::test_sources::{Ownership, Ownerships, TestSources};
use testcase::clock::Clock;
use verify::jvm::test_limit;
use verify::pool::{PoolSetup, VerifierPool};

use crate::args::GenerateArgs;
use crate::console::progress::ClassLine;
use crate::console::{Console, TICK};
use crate::exit_code::{ExitCode, code_of, failure_of};
use crate::interrupt::Interrupt;
use crate::json::ClassReport;
use crate::known::{Known, KnownModule};
use crate::options::{Names, Options};
use crate::statistics::{GoalRecord, Statistics};
use closing::{Before, Came, tally};
use engine::{Engine, slurm};
use modules::Found;
use prepared::Prepared;
use schedule::{Fate, Worked, in_turns};
use shares::{Ended, Share, Shares};

/// The stages of a class, from its files to what is reported of it. The rest of this module prepares for them and says what
/// they did.
pub trait Generator: Sync {
    /// What has come of a class.
    type Class: Send;

    /// What `--algorithm` and `--criterion` take.
    fn names(&self) -> Names<'_>;

    /// Whose a test file with this text is.
    fn ownership(&self, text: &str) -> Ownership;

    /// Works on a class within its share of the time, up to its verified file. Classes run side by side.
    ///
    /// # Errors
    /// Faults that leave nothing to report; a [`project::failure::Failure`] among them is the user's.
    fn generate(
        &self,
        session: &Session<'_>,
        target: &Target,
        share: Share,
        line: &ClassLine,
    ) -> anyhow::Result<Self::Class>;

    /// Called when all classes are done, to verify their files together; changes what it drops from them.
    ///
    /// # Errors
    /// As for [`Generator::generate`].
    fn verify_together(&self, session: &Session<'_>, classes: &mut [Self::Class]) -> anyhow::Result<()>;

    /// What there is to say of a class, when nothing changes its file any more.
    fn report(&self, options: &Options, class: &Self::Class) -> Report;
}

/// What is said of a class: console, JSON and tables read it.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The class as a whole.
    pub class: ClassReport,
    /// What became of each goal.
    pub goals: Vec<GoalRecord>,
    /// Whether it was ended by the user before its budget.
    pub interrupted: bool,
    /// Whether it was ended before its budget since nothing new came of it.
    pub stood_still: bool,
    /// Whether time was over before its last suite was verified.
    pub is_cut_short: bool,
    /// Its file.
    pub file: Option<DeliveredFile>,
    /// The tests of the file for the next run, as bytes that the generator knows to read.
    pub suite: Vec<u8>,
}

impl Report {
    /// What is left to say of it once it is kept and shown: all but its goals one by one, its file and its tests.
    fn shortened(self) -> Self {
        let class = ClassReport { timeline: Vec::new(), ..self.class };
        Self { class, goals: Vec::new(), file: None, suite: Vec::new(), ..self }
    }
}

/// A test file as it was delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveredFile {
    /// Path below the root of the test sources, with slashes.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Its test methods, in its order.
    pub tests: Vec<String>,
}

/// What the classes of a run share.
#[derive(Debug)]
pub struct Session<'a> {
    /// What was found out.
    pub prepared: &'a Prepared,
    /// Verification JVMs.
    pub verifiers: &'a VerifierPool,
    /// Where files go.
    pub test_sources: TestSources<'a>,
    /// Whether the user wants an end.
    pub interrupt: &'a Interrupt,
    /// For what should be said at once.
    pub console: &'a Console,
    /// This program, to be started as a worker.
    pub covolve: &'a Path,
    /// What is known of its classes from earlier runs.
    pub known: &'a KnownModule<'a>,
    /// Time since the class paths were known.
    pub clock: Clock,
    /// Time of the run.
    pub shares: &'a Shares,
}

/// What a run is started with besides its options.
#[derive(Debug, Clone, Copy)]
pub struct Start<'a> {
    /// The environment.
    pub environment: &'a Environment,
    /// This program, to be started as a worker.
    pub covolve: &'a Path,
    /// Whether the user wants an end.
    pub interrupt: &'a Interrupt,
    /// From when a budget in time counts for a class that is alone; `None`: from when its class path is known.
    pub clock: Option<Clock>,
}

/// Runs `generate` on a console; `covolve` is this program. The exit code, once all that there is to say has been
/// said.
///
/// # Errors
/// What kept the run from beginning, or from reporting.
pub fn run<G: Generator>(
    arguments: &GenerateArgs,
    environment: &Environment,
    covolve: &Path,
    generator: &G,
    console: &Console,
) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::listen().context("signals cannot be listened to")?;
    run_from(
        &Start { environment, covolve, interrupt: &interrupt, clock: None },
        arguments,
        generator,
        console,
    )
}

/// As [`run`], from a start that others may have made.
///
/// # Errors
/// As for [`run`].
pub fn run_from<G: Generator>(
    start: &Start<'_>,
    arguments: &GenerateArgs,
    generator: &G,
    console: &Console,
) -> anyhow::Result<ExitCode> {
    let begun = Clock::start();
    let options = Options::new(arguments, generator.names())?;
    match &options.engine {
        Engine::Local => here(start, &options, begun, generator, console),
        Engine::Slurm(array) => slurm::run(start, &options, array, generator, console),
    }
}

/// Has the classes worked on by this machine.
fn here<G: Generator>(
    start: &Start<'_>,
    options: &Options,
    begun: Clock,
    generator: &G,
    console: &Console,
) -> anyhow::Result<ExitCode> {
    let Start { environment, covolve, interrupt, clock } = *start;
    let statistics = Statistics::new(options, generator.names())?;
    let ownership = |text: &str| generator.ownership(text);
    let Found { mut modules, mut codes, untestable, remarks } =
        modules::prepare(options, environment, &ownership, console)?;
    if modules.is_empty() {
        return Ok(ExitCode::gravest(codes));
    }
    let known = Known::open(options, &|text| console.note(text));
    // Beside everything else: it may take a while, and what it leaves behind the next run takes away.
    thread::spawn(scratch::sweep);
    let mut outcome = Outcome::default();
    let is_alone = modules.len() == 1;
    let looked = modules.iter_mut().map(|prepared| look(prepared, &known, covolve, console));
    let looked = looked.collect::<Result<Vec<_>, _>>()?;
    existing::measure(&mut modules, covolve, interrupt, &|text| console.note(text));
    let shares = shares_of(options, &modules, begun);
    for (prepared, Looked { known, .. }) in modules.iter().zip(&looked) {
        if prepared.targets.is_empty() {
            continue;
        }
        let ownership = &ownership as Ownerships<'_>;
        let shares = &shares;
        let keeps_goals = statistics.is_some();
        let parts =
            Parts { prepared, interrupt, console, covolve, ownership, known, shares, clock, keeps_goals };
        match work_on(parts, generator) {
            Ok(of_module) => outcome.add(of_module),
            Err(error) if is_alone => return Err(error),
            Err(error) => {
                codes.push(code_of(&error));
                let name = prepared.module.as_deref().unwrap_or_default();
                console.note(&format!("the module {name}: {error:#}"));
            }
        }
    }
    if let Some(Err(failure)) = statistics.map(|statistics| statistics.append(&outcome.reports)) {
        codes.push(failure.kind.into());
        console.note(&failure.sentence);
    }
    let unchanged = looked.iter().map(|looked| looked.unchanged).sum();
    let remarks = remarks.into_iter().chain(outcome.remarks.iter().cloned()).collect();
    let before = Before { options, modules: &modules, untestable, unchanged, remarks };
    console.summary(&tally(before, outcome.came()), options.budget)?;
    codes.extend(looked.into_iter().flat_map(|looked| looked.codes));
    codes.extend(outcome.reports.iter().map(|report| code(report.interrupted, &report.class)));
    codes.extend(outcome.without_time.iter().map(|report| code(false, report)));
    Ok(ExitCode::gravest(codes.into_iter().chain(outcome.codes)))
}

/// What a look at a module came to, before its classes are worked on.
struct Looked<'a> {
    /// What is known of those that are to be worked on.
    known: KnownModule<'a>,
    /// Classes that need no work.
    unchanged: usize,
    /// The exit codes of classes that are not worked on.
    codes: Vec<ExitCode>,
}

/// Takes the classes of a module from what is to be worked on that need no work, and says so.
fn look<'a>(
    prepared: &mut Prepared,
    known: &'a Known,
    covolve: &Path,
    console: &Console,
) -> anyhow::Result<Looked<'a>> {
    let (mut known, unchanged) = known.of_module(prepared)?;
    console.unchanged(&unchanged, UNCHANGED)?;
    let update = prepared.options.state.update;
    let looked = earlier::look(prepared, &known.earlier, update, covolve, &|text| console.note(text));
    let confirmed = known.confirm(&looked.confirmed);
    known.holding = looked.holding;
    known.failing = looked.failing;
    console.unchanged(&confirmed, "confirmed: all tests pass, and only code of other classes has changed")?;
    let mut codes: Vec<ExitCode> =
        unchanged.iter().chain(&confirmed).map(|report| code(false, report)).collect();
    codes.extend((looked.left > 0).then_some(ExitCode::NotAllWell));
    Ok(Looked { known, unchanged: unchanged.len() + confirmed.len(), codes })
}

/// The time of a run for what is to be worked on.
fn shares_of(options: &Options, modules: &[Prepared], clock: Clock) -> Shares {
    let of_module = |prepared: &Prepared| -> Vec<((String, String), u64)> {
        let module = prepared.module.clone().unwrap_or_default();
        let classes = prepared.targets.iter().map(|target| target.class.binary());
        let size = |class: &String| prepared.sizes.get(class).copied().unwrap_or_default();
        classes.map(|class| ((module.clone(), class.clone()), size(&class))).collect()
    };
    let lanes = modules.iter().map(|prepared| prepared.jobs.get()).max().unwrap_or(1);
    Shares::new(options, lanes, clock, modules.iter().flat_map(of_module).collect())
}

/// What came of classes.
#[derive(Debug, Default)]
struct Outcome {
    /// Of those that were worked on.
    reports: Vec<Report>,
    /// Of those for which no time was left.
    without_time: Vec<ClassReport>,
    /// The exit codes of those without a report.
    codes: Vec<ExitCode>,
    /// What is to be said at the end.
    remarks: Vec<String>,
}

impl Outcome {
    fn add(&mut self, other: Self) {
        self.reports.extend(other.reports);
        self.without_time.extend(other.without_time);
        self.codes.extend(other.codes);
        self.remarks.extend(other.remarks);
    }

    fn came(&self) -> Came<'_> {
        Came {
            reports: self.reports.iter().map(|report| &report.class).chain(&self.without_time).collect(),
            without_time: self.without_time.len(),
            stood_still: self.reports.iter().filter(|report| report.stood_still).count(),
        }
    }
}

/// What a module is worked on with.
#[derive(Clone, Copy)]
struct Parts<'a> {
    prepared: &'a Prepared,
    interrupt: &'a Interrupt,
    console: &'a Console,
    covolve: &'a Path,
    ownership: Ownerships<'a>,
    known: &'a KnownModule<'a>,
    shares: &'a Shares,
    clock: Option<Clock>,
    /// Whether what became of each goal is wanted when all is done.
    keeps_goals: bool,
}

/// Works on the classes of a module and shows what became of each.
fn work_on<G: Generator>(parts: Parts<'_>, generator: &G) -> anyhow::Result<Outcome> {
    let Parts { prepared, interrupt, console, covolve, ownership, known, shares, .. } = parts;
    let (budget, force) = (prepared.options.budget, prepared.options.force);
    if interrupt.is_set() {
        return Ok(Outcome { codes: vec![ExitCode::Interrupted], ..Outcome::default() });
    }
    let limit = test_limit(budget.time());
    let verifiers = verifiers((prepared, limit), covolve, &|text| console.note(text))?;
    let clock = parts.clock.unwrap_or_else(Clock::start);
    verifiers.start(prepared.lanes()).context("the verification JVMs cannot be started")?;
    let test_sources = TestSources::new(&prepared.out, force, ownership).like(&prepared.habits);
    let verifiers = &verifiers;
    let session =
        Session { prepared, verifiers, test_sources, interrupt, console, covolve, known, clock, shares };
    let told = |class: &G::Class| {
        let mut report = generator.report(&prepared.options, class);
        report.class.module.clone_from(&prepared.module);
        report
    };
    let keep = |report: &Report| known.keep(report, &|text| console.note(text));
    let module = prepared.module.as_deref().unwrap_or_default();
    shares.begin_module(module);
    let refusals = Refusals::default();
    let work = |target: &Target| {
        let name = target.class.binary();
        let Some(turn) = shares.begin(module, &name) else { return Worked::NotBegun(Ok(None)) };
        let class =
            generator.generate(&session, target, turn.share, &console.class(&name, turn.share.budget));
        let class = match class.inspect_err(|error| refusals.note(error)) {
            Ok(class) => class,
            Err(error) => return Worked::Done(Err(error)),
        };
        // What is verified stays, whatever happens to the run.
        let report = told(&class);
        keep(&report);
        let ended = Ended { has_file: report.class.file.is_some(), is_cut_short: report.is_cut_short };
        let class = Ok(Some(class));
        if turn.end(ended) { Worked::Again(class) } else { Worked::Done(class) }
    };
    let is_over = || interrupt.is_set() || refusals.are_many();
    let fates = watched(console, shares, || in_turns(prepared.jobs, &prepared.targets, &is_over, &work));
    let Settled { mut classes, without_time, codes } = settle(&session, fates);
    if prepared.targets.len() > 1 {
        // Each file was verified alone: what keeps them from being verified together takes none of them away.
        if let Err(error) = generator.verify_together(&session, &mut classes) {
            console.note(&format!("the files were not verified together: {error:#}"));
        }
    }
    let (mut reports, mut files) = (Vec::with_capacity(classes.len()), Vec::new());
    // Each class goes as its report comes: a project has thousands.
    for class in classes {
        let report = told(&class);
        drop(class);
        keep(&report);
        console.finished(&report.class, budget)?;
        files.extend(report.file.as_ref().map(|file| file.path.clone()));
        reports.push(if parts.keeps_goals { report } else { report.shortened() });
    }
    without_time.iter().try_for_each(|report| console.finished(report, budget))?;
    let remarks = form::format(&session, &files);
    Ok(Outcome { reports, without_time, codes, remarks })
}

/// Files that could not be written. Where two classes of a module fail in the same way, as on a full disk, no other is begun: its search
/// would be for nothing.
#[derive(Debug, Default)]
struct Refusals(Mutex<Vec<String>>);

impl Refusals {
    fn note(&self, error: &anyhow::Error) {
        if let Some(failure) = failure_of(error).filter(|failure| failure.kind == FailureKind::Output) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(failure.sentence.clone());
        }
    }

    fn are_many(&self) -> bool {
        let sentences = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sentences.iter().enumerate().any(|(index, sentence)| sentences[..index].contains(sentence))
    }
}

/// Does something, and shows meanwhile how far all classes are.
fn watched<T>(console: &Console, shares: &Shares, work: impl FnOnce() -> T) -> T {
    let (end, ended) = mpsc::channel::<()>();
    let done = thread::scope(|scope| {
        scope.spawn(move || {
            console.tick(&shares.standing());
            while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                console.tick(&shares.standing());
            }
        });
        let done = work();
        drop(end);
        done
    });
    console.clear();
    done
}

/// What became of the classes of a module.
struct Settled<C> {
    /// Those that were worked on.
    classes: Vec<C>,
    /// What is said of those for which no time was left.
    without_time: Vec<ClassReport>,
    /// The exit codes of the others, for which it is said what happened.
    codes: Vec<ExitCode>,
}

fn settle<C>(session: &Session<'_>, fates: Vec<Fate<anyhow::Result<Option<C>>>>) -> Settled<C> {
    let (mut classes, mut without_time, mut codes) = (Vec::new(), Vec::new(), Vec::new());
    let mut not_begun = 0;
    for (target, fate) in session.prepared.targets.iter().zip(fates) {
        match fate {
            Fate::Done(Ok(Some(class))) => classes.push(class),
            Fate::Done(Ok(None)) => without_time.push(no_time(session.prepared, target)),
            Fate::Done(Err(error)) => {
                session.console.note(&format!("{}: {error:#}", target.class.binary()));
                let is_untestable =
                    failure_of(&error).is_some_and(|failure| failure.kind == FailureKind::Untestable);
                // Who asks for all classes of a package or project does not ask for this one.
                if !is_untestable || session.prepared.names(target) {
                    codes.push(code_of(&error));
                }
            }
            Fate::Skipped if session.interrupt.is_set() => codes.push(ExitCode::Interrupted),
            Fate::Skipped => not_begun += 1,
            Fate::Panicked(message) => {
                codes.push(ExitCode::Internal);
                session.console.note(&format!("{}: a fault of Covolve: {message}", target.class.binary()));
            }
        }
    }
    if not_begun > 0 {
        codes.push(ExitCode::Output);
        session.console.note(&format!(
            "classes not begun: {not_begun}, since no file can be written; put that right and run again: what was \
             written and verified stays"
        ));
    }
    Settled { classes, without_time, codes }
}

/// How classes are that need no work.
const UNCHANGED: &str = "unchanged since an earlier run";

/// What is told of a class for which no time was left.
const NO_TIME: &str = "it got no time: that of --total-budget was over; give more, or in a project run again to go on with what is left";

/// What is said of a class for which no time was left.
fn no_time(prepared: &Prepared, target: &Target) -> ClassReport {
    ClassReport {
        class: target.class.binary(),
        module: prepared.module.clone(),
        seed: prepared.options.seed,
        algorithm: prepared.options.algorithm.clone(),
        diagnostics: vec![NO_TIME.to_owned()],
        ..ClassReport::default()
    }
}

/// Verification JVMs in which a test may take so long.
fn verifiers(
    (prepared, test_limit): (&Prepared, Duration),
    covolve: &Path,
    note: &dyn Fn(&str),
) -> anyhow::Result<VerifierPool> {
    let level = prepared.targets.first().map_or(8, |target| prepared.source_level(target));
    let setup = PoolSetup {
        launcher: covolve.to_owned(),
        jdk: prepared.project.jdk.clone(),
        junit: prepared.junit.clone(),
        source_level: level,
        test_limit,
    };
    VerifierPool::new(setup, &prepared.environment, note).context("the verification JVMs cannot be prepared")
}

fn code(interrupted: bool, class: &ClassReport) -> ExitCode {
    match (interrupted, &class.file) {
        (true, _) => ExitCode::Interrupted,
        (false, Some(_)) if class.failing.is_empty() => ExitCode::Success,
        (false, Some(_)) => ExitCode::NotAllWell,
        // What is left to the project's own tests needs no file.
        (false, None) if class.is_tested_already() => ExitCode::Success,
        (false, None) => ExitCode::NotAllWell,
    }
}
