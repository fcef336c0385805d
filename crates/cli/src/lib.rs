//! The `covolve` command: flags, class path, session, worker processes, verification, reports, exit codes. It sees
//! every other crate and wires them; it must never search, execute or print tests itself.
//!
//! Start with [`run`].
//!
//! * [`args`], [`options`], [`search_config`], [`exit_code`]: the command line and its outcome; [`configuration`]: options from
//!   elsewhere; [`evosuite`]: switches of another tool; [`runtool`]: the competition's protocol
//! * [`generate`]: a run of `generate`, with the stages of a class
//! * [`worker`]: the process that searches; [`job`]: what the two tell each other
//! * [`known`]: what is known of classes from earlier runs
//! * [`interrupt`]: the only door to signals
//! * [`check`]: delivered tests once more; [`doctor`]: what a folder holds; [`list`]: what could be tested; [`goals`]: what there is to cover; [`merge`]: what shards came to; [`tables`]: what can be chosen; [`shell`]: for
//!   shells and manuals; [`reference`]: for the guide
//! * [`report`]: what is written of all that, in the formats of the crate of that name
//! * [`console`], [`json`], [`statistics`], [`messages`]: what comes out

pub mod args;
pub mod check;
pub mod configuration;
pub mod console;
pub mod doctor;
pub mod evosuite;
pub mod exit_code;
pub mod generate;
pub mod goals;
pub mod interrupt;
pub mod job;
pub mod json;
pub mod known;
pub mod list;
pub mod merge;
pub mod messages;
pub mod options;
pub mod reference;
pub mod report;
pub mod runtool;
pub mod search_config;
pub mod shell;
pub mod since;
pub mod statistics;
pub mod tables;
pub mod worker;

use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;

use processes::sandboxed::{Streams, become_program};
use processes::worker::{Worker, open};
use project::environment::Environment;
use project::failure::Failure;
use tracing_subscriber::EnvFilter;

use crate::args::{Command, GenerateArgs, NoArguments};
use crate::configuration::{Layered, Origins, show};
use crate::console::Console;
use crate::exit_code::{ExitCode, code_of};
use crate::generate::Generator;

/// This program, as its children start it: the same binary, even if the file has been replaced since.
const SELF: &str = "/proc/self/exe";

/// What this crate is wired to.
#[allow(missing_debug_implementations, reason = "holds functions")]
pub struct Wiring<'a, G> {
    /// Searches, verifies and writes tests.
    pub generator: &'a G,
    /// Does a worker's job.
    pub work: &'a dyn Fn(Worker) -> anyhow::Result<()>,
}

/// Runs a command line, the program's name first, and says on standard error what went wrong.
pub fn run<G: Generator>(arguments: impl IntoIterator<Item = OsString>, wiring: &Wiring<'_, G>) -> ExitCode {
    let environment = Environment::read();
    let result = match configuration::parse(arguments, &environment) {
        Ok(Layered { line, origins }) => {
            dispatch(line.command, &origins, &environment, wiring).map_err(|error| origins.explain(error))
        }
        Err(NoArguments::Text(text)) => {
            // Nobody may be reading; there is nothing else to do.
            let _ = std::io::stdout().write_all(text.as_bytes());
            Ok(ExitCode::Success)
        }
        Err(NoArguments::Wrong(failure)) => Err(failure.into()),
    };
    result.unwrap_or_else(|error| {
        let _ = writeln!(std::io::stderr(), "covolve: {error:#}");
        code_of(&error)
    })
}

/// Writes from now on to standard error what is to be logged.
fn start_log(environment: &Environment) {
    if let Some(filter) = &environment.log {
        let log = tracing_subscriber::fmt().with_env_filter(EnvFilter::new(filter));
        log.with_writer(std::io::stderr).init();
    }
}

fn generate<G: Generator>(
    arguments: &GenerateArgs,
    environment: &Environment,
    wiring: &Wiring<'_, G>,
) -> anyhow::Result<ExitCode> {
    let console = Console::new(arguments.json, arguments.verbose);
    start_log(environment);
    generate::run(arguments, environment, Path::new(SELF), wiring.generator, &console)
}

/// Runs `generate` as the switches of EvoSuite say.
fn run_evosuite<G: Generator>(
    words: &[OsString],
    environment: &Environment,
    wiring: &Wiring<'_, G>,
) -> anyhow::Result<ExitCode> {
    if evosuite::asks_help(words) {
        evosuite::help(&mut std::io::stdout().lock())?;
        return Ok(ExitCode::Success);
    }
    let line = args::parse(evosuite::translate(words)?).map_err(|wrong| match wrong {
        NoArguments::Wrong(failure) => failure,
        NoArguments::Text(text) => Failure::usage(text),
    })?;
    let Command::Generate(arguments) = line.command else {
        unreachable!("the translation begins with `generate`: {:?}", line.command)
    };
    generate(&arguments, environment, wiring)
}

fn dispatch<G: Generator>(
    command: Command,
    origins: &Origins,
    environment: &Environment,
    wiring: &Wiring<'_, G>,
) -> anyhow::Result<ExitCode> {
    match command {
        Command::Generate(arguments) => generate(&arguments, environment, wiring),
        Command::Evosuite(arguments) => run_evosuite(&arguments.words, environment, wiring),
        Command::RunTool(arguments) => {
            start_log(environment);
            let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
            let own = (environment, Path::new(SELF));
            runtool::run(&arguments, own, wiring.generator, (&mut input, &mut output))
        }
        Command::List(arguments) => {
            list::run(&arguments, environment, wiring.generator.names(), &mut std::io::stdout().lock())
        }
        Command::Doctor(arguments) => {
            let console = Console::new(false, false);
            let note = |text: &str| console.note(text);
            doctor::run(&arguments, environment, &note, &mut std::io::stdout().lock())
        }
        Command::Config(arguments) => {
            show::run(&arguments, origins, wiring.generator.names(), &mut std::io::stdout().lock())
        }
        Command::Goals(arguments) => {
            goals::run(&arguments, environment, wiring.generator.names(), &mut std::io::stdout().lock())
        }
        Command::Check(arguments) => {
            let console = Console::new(false, false);
            let note = |text: &str| console.note(text);
            check::run(&arguments, environment, Path::new(SELF), &note, &mut std::io::stdout().lock())
        }
        Command::Report(arguments) => {
            report::run(&arguments, wiring.generator.names(), &mut std::io::stdout().lock())
        }
        Command::Merge(arguments) => merge::run(&arguments, &mut std::io::stdout().lock()),
        Command::Criteria => {
            tables::criteria(wiring.generator.names(), &mut std::io::stdout().lock())?;
            Ok(ExitCode::Success)
        }
        Command::Algorithms => {
            tables::algorithms(wiring.generator.names(), &mut std::io::stdout().lock())?;
            Ok(ExitCode::Success)
        }
        Command::Parameters => {
            tables::parameters(&mut std::io::stdout().lock())?;
            Ok(ExitCode::Success)
        }
        Command::Completions(arguments) => {
            shell::completions(arguments.shell, &mut std::io::stdout().lock())?;
            Ok(ExitCode::Success)
        }
        Command::Man(arguments) => {
            shell::man(&arguments, &mut std::io::stdout().lock())?;
            Ok(ExitCode::Success)
        }
        Command::Worker => (wiring.work)(open()?).map(|()| ExitCode::Success),
        Command::Sandboxed(arguments) => {
            let streams = if arguments.private_streams { Streams::Private } else { Streams::Inherited };
            Err(become_program(&arguments.scratch, streams, &arguments.command).into())
        }
    }
}
