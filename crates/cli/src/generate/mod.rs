//! A run of `generate`: what is found out first, then the classes side by side, each within its budget, then all files
//! together, and what is reported of each, with the exit code.
//!
//! * [`modules`]: one module after the other; [`prepared`]: everything that can be wrong is found out here, before anything is started
//! * [`shard`]: which classes belong to one of several machines; [`earlier`]: the tests that changed classes have
//! * [`schedule`]: classes side by side; [`time_plan`]: which phase of a class may last until when
//! * [`class`]: the stages of a class: the [`Generator`] of the command

pub mod class;
mod earlier;
pub mod modules;
pub mod prepared;
pub mod schedule;
pub mod shard;
pub mod time_plan;

use std::path::Path;
use std::thread;

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
use crate::console::Console;
use crate::console::progress::ClassLine;
use crate::exit_code::{ExitCode, code_of, failure_of};
use crate::interrupt::Interrupt;
use crate::json::ClassReport;
use crate::known::{Known, KnownModule};
use crate::options::{Names, Options};
use crate::statistics::{GoalRecord, Statistics};
use prepared::Prepared;
use schedule::{Fate, side_by_side};

/// The stages of a class, from its files to what is reported of it. The rest of this module prepares for them and says what
/// they did.
pub trait Generator: Sync {
    /// What has come of a class.
    type Class: Send;

    /// What `--algorithm` and `--criterion` take.
    fn names(&self) -> Names<'_>;

    /// Whose a test file with this text is.
    fn ownership(&self, text: &str) -> Ownership;

    /// Works on a class within its budget, up to its verified file. Classes run side by side.
    ///
    /// # Errors
    /// Faults that leave nothing to report; a [`project::failure::Failure`] among them is the user's.
    fn generate(
        &self,
        session: &Session<'_>,
        target: &Target,
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
    /// Its file.
    pub file: Option<DeliveredFile>,
    /// The tests of the file for the next run, as bytes that the generator knows to read.
    pub suite: Vec<u8>,
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
    let options = Options::new(arguments, generator.names())?;
    let statistics = Statistics::new(&options, generator.names())?;
    let ownership = |text: &str| generator.ownership(text);
    let (mut modules, mut codes) = modules::prepare(&options, environment, &ownership, console)?;
    let known = Known::open(&options, &|text| console.note(text));
    let interrupt = Interrupt::listen().context("signals cannot be listened to")?;
    // Beside everything else: it may take a while, and what it leaves behind the next run takes away.
    thread::spawn(scratch::sweep);
    let mut reports = Vec::new();
    let is_alone = modules.len() == 1;
    for prepared in &mut modules {
        let (known, unchanged) = known.of_module(prepared)?;
        console.unchanged(&unchanged, "unchanged since an earlier run")?;
        let looked = earlier::look(prepared, &known.earlier, options.state.update, covolve, &|text| {
            console.note(text);
        });
        let confirmed = known.confirm(&looked.confirmed);
        console
            .unchanged(&confirmed, "confirmed: all tests pass, and only code of other classes has changed")?;
        codes.extend(unchanged.iter().chain(&confirmed).map(|report| code(false, report)));
        codes.extend((looked.left > 0).then_some(ExitCode::NotAllWell));
        if prepared.targets.is_empty() {
            continue;
        }
        let parts =
            Parts { prepared, interrupt: &interrupt, console, covolve, ownership: &ownership, known: &known };
        match work_on(parts, generator) {
            Ok((of_module, codes_of_module)) => {
                reports.extend(of_module);
                codes.extend(codes_of_module);
            }
            Err(error) if is_alone => return Err(error),
            Err(error) => {
                codes.push(code_of(&error));
                let name = prepared.module.as_deref().unwrap_or_default();
                console.note(&format!("the module {name}: {error:#}"));
            }
        }
    }
    let of_classes: Vec<&ClassReport> = reports.iter().map(|report| &report.class).collect();
    if let Some(Err(failure)) = statistics.map(|statistics| statistics.append(&reports)) {
        codes.push(failure.kind.into());
        console.note(&failure.sentence);
    }
    console.summary(&of_classes, options.budget)?;
    codes.extend(reports.iter().map(|report| code(report.interrupted, &report.class)));
    Ok(ExitCode::gravest(codes))
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
}

/// Works on the classes of a module and shows what became of each; the exit codes of those without a report.
fn work_on<G: Generator>(parts: Parts<'_>, generator: &G) -> anyhow::Result<(Vec<Report>, Vec<ExitCode>)> {
    let Parts { prepared, interrupt, console, covolve, ownership, known } = parts;
    let (budget, force) = (prepared.options.budget, prepared.options.force);
    if interrupt.is_set() {
        return Ok((Vec::new(), vec![ExitCode::Interrupted]));
    }
    let verifiers = verifiers(prepared, covolve, &|text| console.note(text))?;
    let clock = Clock::start();
    verifiers.start(prepared.lanes()).context("the verification JVMs cannot be started")?;
    let test_sources = TestSources::new(&prepared.out, force, ownership).like(&prepared.habits);
    let session =
        Session { prepared, verifiers: &verifiers, test_sources, interrupt, console, covolve, known, clock };
    let keep = |report: &Report| known.keep(report, &|text| console.note(text));
    let work = |target: &Target| {
        let class = generator.generate(&session, target, &console.class(&target.class.binary(), budget))?;
        // What is verified stays, whatever happens to the run.
        keep(&generator.report(&prepared.options, &class));
        Ok(class)
    };
    let fates = side_by_side(prepared.jobs, &prepared.targets, &|| interrupt.is_set(), &work);
    let (mut classes, codes) = settle(&session, fates);
    if prepared.targets.len() > 1 {
        // Each file was verified alone: what keeps them from being verified together takes none of them away.
        if let Err(error) = generator.verify_together(&session, &mut classes) {
            console.note(&format!("the files were not verified together: {error:#}"));
        }
    }
    let reports: Vec<Report> =
        classes.iter().map(|class| generator.report(&prepared.options, class)).collect();
    reports.iter().for_each(keep);
    reports.iter().try_for_each(|report| console.finished(&report.class, budget))?;
    Ok((reports, codes))
}

/// The classes that were worked on, and the exit codes of the others, for which it is said what happened.
fn settle<C>(session: &Session<'_>, fates: Vec<Fate<anyhow::Result<C>>>) -> (Vec<C>, Vec<ExitCode>) {
    let (mut classes, mut codes) = (Vec::new(), Vec::new());
    for (target, fate) in session.prepared.targets.iter().zip(fates) {
        match fate {
            Fate::Done(Ok(class)) => classes.push(class),
            Fate::Done(Err(error)) => {
                session.console.note(&format!("{}: {error:#}", target.class.binary()));
                let is_untestable =
                    failure_of(&error).is_some_and(|failure| failure.kind == FailureKind::Untestable);
                // Who asks for all classes of a package or project does not ask for this one.
                if !is_untestable || session.prepared.names(target) {
                    codes.push(code_of(&error));
                }
            }
            Fate::Skipped => codes.push(ExitCode::Interrupted),
            Fate::Panicked(message) => {
                codes.push(ExitCode::Internal);
                session.console.note(&format!("{}: a fault of Covolve: {message}", target.class.binary()));
            }
        }
    }
    (classes, codes)
}

fn verifiers(prepared: &Prepared, covolve: &Path, note: &dyn Fn(&str)) -> anyhow::Result<VerifierPool> {
    let level = prepared.targets.first().map_or(8, |target| prepared.source_level(target));
    let setup = PoolSetup {
        launcher: covolve.to_owned(),
        jdk: prepared.project.jdk.clone(),
        junit: prepared.junit.clone(),
        source_level: level,
        test_limit: test_limit(prepared.options.budget.time()),
    };
    VerifierPool::new(setup, &prepared.environment, note).context("the verification JVMs cannot be prepared")
}

fn code(interrupted: bool, class: &ClassReport) -> ExitCode {
    match (interrupted, &class.file) {
        (true, _) => ExitCode::Interrupted,
        (false, Some(_)) => ExitCode::Success,
        (false, None) => ExitCode::NotAllWell,
    }
}
