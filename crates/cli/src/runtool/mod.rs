//! `covolve runtool`: the command as a tool of the JUnit tool competition, whose harness names classes over the standard streams.
//! Tests are plain JUnit 4.12 in Java 8 and lie in `temp/testcases` below the current folder.
//!
//! * [`protocol`]: what is said

pub mod protocol;

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context as _, anyhow};
use project::class_path::expand;
use project::environment::Environment;
use project::jdk::Jdk;
use project::local_repository::LocalRepository;
use project::maven::Maven;
use project::request::Coordinates;

use crate::args::{FileArgs, GenerateArgs, RunToolArgs, TargetArgs};
use crate::console::Console;
use crate::exit_code::ExitCode;
use crate::generate::{Generator, Start, run_from};
use crate::interrupt::Interrupt;
use protocol::{Challenge, Next, converse};

/// Where the harness looks for tests.
const TESTS: &str = "temp/testcases";
/// Source level of what the harness compiles.
const SOURCE_LEVEL: &str = "8";
/// JUnit of the harness, as group, artifact and version, and what it needs.
const JUNIT: [(&str, &str, &str); 2] = [("junit", "junit", "4.12"), ("org.hamcrest", "hamcrest-core", "1.3")];

/// Talks with a harness over these streams until it has no more classes. What goes wrong with a class is said on standard error,
/// and the harness is told to go on.
///
/// # Errors
/// An option is wrong, the harness does not keep to the protocol, or it goes away.
pub fn run<G: Generator>(
    arguments: &RunToolArgs,
    (environment, covolve): (&Environment, &Path),
    generator: &G,
    (input, output): (&mut dyn BufRead, &mut dyn Write),
) -> anyhow::Result<ExitCode> {
    // Results are said where notes are: standard output is the harness's.
    let console = Console::plain(false, Box::new(io::stderr()), Box::new(io::stderr()));
    let interrupt = Interrupt::listen().context("signals cannot be listened to")?;
    let given: Vec<PathBuf> = arguments.junit_class_path.iter().flat_map(std::env::split_paths).collect();
    let given = expand(&given, "--junit-cp")?;
    let mut junit = Some(given).filter(|given| !given.is_empty());
    let mut code = ExitCode::Success;
    let mut answer = |challenge: &Challenge<'_>| {
        let work = || {
            if junit.is_none() {
                junit = Some(find_junit(arguments, environment, &|text| console.note(text))?);
            }
            let asked = generate_arguments(arguments, challenge, junit.as_deref().unwrap_or_default());
            let start = Start { environment, covolve, interrupt: &interrupt, clock: Some(challenge.clock) };
            run_from(&start, &asked, generator, &console)
        };
        // A fault of this class is none of the next.
        let worked = thread::scope(|scope| scope.spawn(work).join());
        let worked = worked.unwrap_or_else(|_| Err(anyhow!("a fault of Covolve")));
        if let Err(error) = worked {
            console.note(&format!("{}: {error:#}", challenge.class));
        }
        if interrupt.is_set() {
            code = ExitCode::Interrupted;
            return Next::Nothing;
        }
        Next::Class
    };
    converse(input, output, &|wait| interrupt.while_idle(wait), &mut answer)?;
    Ok(code)
}

/// JUnit of the harness where none was given: that of the local repository, else what Maven gets.
fn find_junit(
    arguments: &RunToolArgs,
    environment: &Environment,
    note: &dyn Fn(&str),
) -> anyhow::Result<Vec<PathBuf>> {
    let repository = LocalRepository::find(environment);
    let jar = |(group, artifact, version)| repository.as_ref()?.jar(group, artifact, version);
    if let Some(jars) = JUNIT.into_iter().map(jar).collect() {
        return Ok(jars);
    }
    let jdk = Jdk::find(arguments.java_home.as_deref(), environment)?;
    let [(group, artifact, version), _] = JUNIT;
    let resolved = Maven::new(environment, &jdk, note).resolve(&[Coordinates::of(group, artifact, version)]);
    resolved.with_context(|| format!("there is no JUnit {version}; give its jars with --junit-cp"))
}

/// What `generate` is asked for a class.
fn generate_arguments(arguments: &RunToolArgs, challenge: &Challenge<'_>, junit: &[PathBuf]) -> GenerateArgs {
    let benchmark = challenge.benchmark;
    // Benchmarks name what was never built, and JVMs pass over it. The JUnit of the harness goes before any that a project has:
    // tests must not use what a newer one would offer.
    let entries =
        [&benchmark.classes].into_iter().chain(&benchmark.class_path).filter(|entry| entry.exists());
    let class_path = junit.iter().chain(entries).map(|entry| OsString::from(entry.as_os_str())).collect();
    GenerateArgs {
        targets: TargetArgs {
            classes: vec![challenge.class.to_owned()],
            class_path,
            java_home: arguments.java_home.clone(),
            ..TargetArgs::default()
        },
        out: Some(TESTS.into()),
        budget: challenge.budget.map(|budget| format!("{}s", budget.as_secs())),
        seed: arguments.seed.to_string(),
        solver: "built-in".to_owned(),
        names: "camel".to_owned(),
        junit: "4".to_owned(),
        source_level: Some(SOURCE_LEVEL.to_owned()),
        // The folder is the harness's: nobody edits what lies there.
        force: true,
        file: FileArgs { no_config: true, ..FileArgs::default() },
        ..GenerateArgs::default()
    }
}
