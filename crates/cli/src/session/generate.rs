//! The run: classes side by side, results as they come, the exit code at the end.

use std::path::Path;
use std::thread;

use anyhow::Context as _;
use processes::scratch;
use project::delivery::{Delivery, Ownership};
use project::environment::Environment;
use project::targets::Target;
use testcase::clock::Clock;
use verify::jvm::test_limit;
use verify::pool::{PoolSetup, VerifierPool};

use crate::args::GenerateArgs;
use crate::console::Console;
use crate::console::progress::ClassLine;
use crate::exit_code::{ExitCode, code_of};
use crate::interrupt::Interrupt;
use crate::json::ClassReport;
use crate::options::{Names, Options};
use crate::session::prepare::Prepared;
use crate::session::schedule::{Fate, side_by_side};
use crate::statistics::{GoalRecord, Statistics};

/// Finds, proves and writes the tests of classes. The rest of this crate prepares for it and reports what it did.
pub trait Generator: Sync {
    /// What `--algorithm` and `--criterion` take.
    fn names(&self) -> Names<'_>;

    /// Whose a test file with this text is.
    fn ownership(&self, text: &str) -> Ownership;

    /// Works on a class within its budget. Classes run side by side.
    ///
    /// # Errors
    /// Faults that leave nothing to report; a [`project::failure::Failure`] among them is the user's.
    fn generate(&self, session: &Session<'_>, target: &Target, line: &ClassLine)
    -> anyhow::Result<Generated>;

    /// Called when all classes are done, to verify their files together; changes what it drops from them.
    ///
    /// # Errors
    /// As for [`Generator::generate`].
    fn verify_together(&self, session: &Session<'_>, generated: &mut [Generated]) -> anyhow::Result<()>;
}

/// What came out for a class.
#[derive(Debug, Clone, PartialEq)]
pub struct Generated {
    /// The report.
    pub report: ClassReport,
    /// What became of each goal; empty unless [`Options::report`] asks for it.
    pub goals: Vec<GoalRecord>,
    /// Whether it was ended by the user before its budget.
    pub interrupted: bool,
}

/// What the classes of a run share.
#[derive(Debug)]
pub struct Session<'a> {
    /// What was found out.
    pub prepared: &'a Prepared,
    /// Verification JVMs.
    pub verifiers: &'a VerifierPool,
    /// Where files go.
    pub delivery: Delivery<'a>,
    /// Whether the user wants an end.
    pub interrupt: &'a Interrupt,
    /// For what should be said at once.
    pub console: &'a Console,
    /// This program, to be started as a worker.
    pub covolve: &'a Path,
    /// Time since the class paths were known.
    pub clock: Clock,
}

/// Runs `generate` on a console; `covolve` is this program. The exit code, once all that there is to say has been
/// said.
///
/// # Errors
/// What kept the run from beginning, or from reporting.
pub fn run(
    arguments: &GenerateArgs,
    environment: &Environment,
    covolve: &Path,
    generator: &dyn Generator,
    console: &Console,
) -> anyhow::Result<ExitCode> {
    let options = Options::new(arguments, generator.names())?;
    let statistics = Statistics::new(&options, generator.names())?;
    let (budget, out, force) = (options.budget, options.out.clone(), options.force);
    let ownership = |text: &str| generator.ownership(text);
    let delivery = Delivery::new(&out, force, &ownership);
    let note = |text: &str| console.note(text);
    let prepared = Prepared::new(options, environment, delivery, &note)?;
    for (class, reason) in &prepared.skipped {
        console.note(&format!("{} is not tested: {reason}", class.binary()));
    }
    let verifiers = verifiers(&prepared, covolve, &note)?;
    let clock = Clock::start();
    let interrupt = Interrupt::listen().context("signals cannot be listened to")?;
    verifiers.start(prepared.lanes()).context("the verification JVMs cannot be started")?;
    // Beside everything else: it may take a while, and what it leaves behind the next run takes away.
    thread::spawn(scratch::sweep);
    let session = Session {
        prepared: &prepared,
        verifiers: &verifiers,
        delivery,
        interrupt: &interrupt,
        console,
        covolve,
        clock,
    };
    let together = prepared.targets.len() > 1;
    let work = |target: &Target| {
        let line = console.class(&target.class.binary(), budget);
        let generated = generator.generate(&session, target, &line);
        drop(line);
        if let (Ok(generated), false) = (&generated, together) {
            console.finished(&generated.report, budget)?;
        }
        generated
    };
    let fates = side_by_side(prepared.jobs, &prepared.targets, &|| interrupt.is_set(), &work);
    let (mut generated, mut codes) = settle(&session, fates);
    if together {
        // Each file was verified alone: what keeps them from being verified together takes none of them away.
        if let Err(error) = generator.verify_together(&session, &mut generated) {
            console.note(&format!("the files were not verified together: {error:#}"));
        }
        for one in &generated {
            console.finished(&one.report, budget)?;
        }
    }
    if let Some(Err(failure)) = statistics.map(|statistics| statistics.append(&generated)) {
        codes.push(failure.kind.into());
        console.note(&failure.sentence);
    }
    let reports: Vec<ClassReport> = generated.iter().map(|one| one.report.clone()).collect();
    console.summary(&reports, budget)?;
    codes.extend(generated.iter().map(code));
    Ok(ExitCode::gravest(codes))
}

/// The classes that were worked on, and the exit codes of the others, for which it is said what happened.
fn settle(
    session: &Session<'_>,
    fates: Vec<Fate<anyhow::Result<Generated>>>,
) -> (Vec<Generated>, Vec<ExitCode>) {
    let (mut generated, mut codes) = (Vec::new(), Vec::new());
    for (target, fate) in session.prepared.targets.iter().zip(fates) {
        match fate {
            Fate::Done(Ok(one)) => generated.push(one),
            Fate::Done(Err(error)) => {
                codes.push(code_of(&error));
                session.console.note(&format!("{}: {error:#}", target.class.binary()));
            }
            Fate::Skipped => codes.push(ExitCode::Interrupted),
            Fate::Panicked(message) => {
                codes.push(ExitCode::Internal);
                session.console.note(&format!("{}: a fault of Covolve: {message}", target.class.binary()));
            }
        }
    }
    (generated, codes)
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

fn code(generated: &Generated) -> ExitCode {
    match (generated.interrupted, &generated.report.file) {
        (true, _) => ExitCode::Interrupted,
        (false, Some(_)) => ExitCode::Success,
        (false, None) => ExitCode::NothingGenerated,
    }
}
