//! The `covolve` command: flags, class path, session, worker processes, verification, reports, exit codes. It sees
//! every other crate and wires them; it must never search, execute or print tests itself.
//!
//! Start with [`run`].
//!
//! * [`args`], [`options`], [`search_config`], [`exit_code`]: the command line and its outcome
//! * [`generate`]: a run of `generate`, with the stages of a class
//! * [`worker`]: the process that searches; [`job`]: what the two tell each other
//! * [`interrupt`]: the only door to signals
//! * [`doctor`]: what a folder holds; [`list`]: what could be tested; [`goals`]: what there is to cover; [`tables`]: what can be chosen
//! * [`report`]: what is written of all that, in the formats of the crate of that name
//! * [`console`], [`json`], [`statistics`], [`messages`]: what comes out

pub mod args;
pub mod console;
pub mod doctor;
pub mod exit_code;
pub mod generate;
pub mod goals;
pub mod interrupt;
pub mod job;
pub mod json;
pub mod list;
pub mod messages;
pub mod options;
pub mod report;
pub mod search_config;
pub mod statistics;
pub mod tables;
pub mod worker;

use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;

use processes::sandboxed::{Streams, become_program};
use processes::worker::{Worker, open};
use project::environment::Environment;
use tracing_subscriber::EnvFilter;

use crate::args::{Command, NoArguments};
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
    let result = match args::parse(arguments) {
        Ok(line) => dispatch(line.command, wiring),
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

fn dispatch<G: Generator>(command: Command, wiring: &Wiring<'_, G>) -> anyhow::Result<ExitCode> {
    match command {
        Command::Generate(arguments) => {
            let console = Console::new(arguments.json, arguments.verbose);
            let environment = Environment::read();
            start_log(&environment);
            generate::run(&arguments, &environment, Path::new(SELF), wiring.generator, &console)
        }
        Command::List(arguments) => list::run(
            &arguments,
            &Environment::read(),
            wiring.generator.names(),
            &mut std::io::stdout().lock(),
        ),
        Command::Doctor(arguments) => {
            let console = Console::new(false, false);
            let note = |text: &str| console.note(text);
            doctor::run(&arguments, &Environment::read(), &note, &mut std::io::stdout().lock())
        }
        Command::Report(arguments) => {
            report::run(&arguments, wiring.generator.names(), &mut std::io::stdout().lock())
        }
        Command::Goals(arguments) => goals::run(
            &arguments,
            &Environment::read(),
            wiring.generator.names(),
            &mut std::io::stdout().lock(),
        ),
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
        Command::Worker => (wiring.work)(open()?).map(|()| ExitCode::Success),
        Command::Sandboxed(arguments) => {
            let streams = if arguments.private_streams { Streams::Private } else { Streams::Inherited };
            Err(become_program(&arguments.scratch, streams, &arguments.command).into())
        }
    }
}
