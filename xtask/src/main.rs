//! Chores of the project: `cargo xtask <task>`. One file per task, one line in [`TASKS`].

#![expect(clippy::disallowed_methods, reason = "chores read and write the tree and ask the machine")]

mod bench;
mod class_sets;
mod draw_subjects;
mod eval;
mod judge_criteria;
mod judge_executor;
mod judge_files;
mod judge_instrumentation;
mod judge_mutants;
mod maven;
mod measure;
mod subsumption;
mod suites;
mod tidy;
mod tools;
mod verify_instrumented;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail};
use clap::Parser;

/// A chore.
struct Task {
    name: &'static str,
    about: &'static str,
    /// Takes the words after the task's name.
    run: fn(&[String]) -> anyhow::Result<()>,
}

/// All chores.
const TASKS: &[Task] = &[
    Task { name: "tidy", about: "check the rules of the house that no compiler checks", run: tidy::run },
    Task { name: "eval", about: "measure covolve on a list of subject classes", run: eval::run },
    Task {
        name: "open-goals",
        about: "put the most frequent reasons of open goals of an eval into eval/open-goals.md",
        run: eval::open_goals::run,
    },
    Task {
        name: "never-covered",
        about: "keep the list of branches that no run has ever covered",
        run: eval::never_covered::run,
    },
    Task {
        name: "measure",
        about: "measure what runs take in time and memory; without a name, lists them",
        run: measure::run,
    },
    Task {
        name: "draw-subjects",
        about: "draw classes of libraries by seed, as a list of subjects",
        run: draw_subjects::run,
    },
    Task { name: "bench", about: "measure the speed of parts; without a name, lists them", run: bench::run },
    Task {
        name: "judge-criteria",
        about: "have JaCoCo and PIT confirm what every algorithm claims of every criterion",
        run: judge_criteria::run,
    },
    Task {
        name: "judge-executor",
        about: "run random tests through the executor and, printed, in a plain JVM, and compare",
        run: judge_executor::run,
    },
    Task {
        name: "judge-files",
        about: "compile delivered files in three ways and run them in the default and in random orders",
        run: judge_files::run,
    },
    Task {
        name: "judge-instrumentation",
        about: "run a library's published tests with instrumented classes, and compare",
        run: judge_instrumentation::run,
    },
    Task {
        name: "judge-mutants",
        about: "compare what strong mutation says with PIT's verdict on the same mutants",
        run: judge_mutants::run,
    },
    Task {
        name: "verify-instrumented",
        about: "have a JVM verify instrumented classes",
        run: verify_instrumented::run,
    },
    Task {
        name: "subsumption",
        about: "have an SMT solver prove the tables of subsuming mutants",
        run: subsumption::run,
    },
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("xtask: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[String]) -> anyhow::Result<()> {
    let Some((name, rest)) = words.split_first() else {
        say("Tasks:");
        for Task { name, about, .. } in TASKS {
            say(&format!("  cargo xtask {name:20} {about}"));
        }
        return Ok(());
    };
    match TASKS.iter().find(|task| task.name == name) {
        Some(task) => (task.run)(rest),
        None => bail!("there is no task {name}; `cargo xtask` lists them"),
    }
}

/// Reads the words after a task's name. `None` when all that was asked for is help, which was given.
fn parse<T: Parser>(words: &[String]) -> anyhow::Result<Option<T>> {
    match T::try_parse_from(std::iter::once(&String::new()).chain(words)) {
        Ok(options) => Ok(Some(options)),
        Err(error) => {
            say(&error.render().to_string());
            if error.use_stderr() {
                bail!("nothing was done")
            }
            Ok(None)
        }
    }
}

/// Prints a line on standard error.
fn say(line: &str) {
    // Nobody may be listening; that stops no chore.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The root of the repository.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, PathBuf::from)
}

/// What a program prints, trimmed.
fn output_of(program: &str, arguments: &[&str]) -> anyhow::Result<String> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(root())
        .output()
        .with_context(|| format!("{program} does not start"))?;
    if !output.status.success() {
        bail!("{program} {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
