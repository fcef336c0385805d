//! Tasks of the project: `cargo xtask <task>`. Each is one line in [`TASKS`]; chores are one file each here, runs over
//! subjects are in `crates/experiment`, judges in `crates/judge`.

#![expect(clippy::disallowed_methods, reason = "chores read and write the tree and ask the machine")]

mod bench;
mod class_sets;
mod draw_console;
mod draw_subjects;
mod never_covered;
mod open_goals;
mod page;
mod showcase;
mod tidy;
mod verify_instrumented;

use std::process::ExitCode;

use anyhow::bail;
use experiment::console::say;
use experiment::{compare, eval, measure};

/// That of the command, whose speed is measured here.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A task.
struct Task {
    name: &'static str,
    about: &'static str,
    /// Takes the words after the task's name.
    run: fn(&[String]) -> anyhow::Result<()>,
}

/// All tasks.
const TASKS: &[Task] = &[
    Task { name: "tidy", about: "check the rules of the house that no compiler checks", run: tidy::run },
    Task { name: "eval", about: "measure covolve on a list of subject classes", run: eval::run },
    Task {
        name: "compare",
        about: "say what got better or worse from one folder of an eval to another",
        run: compare::run,
    },
    Task {
        name: "open-goals",
        about: "put the most frequent reasons of open goals of an eval into eval/open-goals.md",
        run: open_goals::run,
    },
    Task {
        name: "never-covered",
        about: "keep the list of branches that no run has ever covered",
        run: never_covered::run,
    },
    Task {
        name: "measure",
        about: "measure what runs take in time and memory; without a name, lists them",
        run: measure::run,
    },
    Task {
        name: "draw-console",
        about: "draw what a terminal showed as a picture for the documents",
        run: draw_console::run,
    },
    Task {
        name: "draw-subjects",
        about: "draw classes of libraries by seed, as a list of subjects",
        run: draw_subjects::run,
    },
    Task {
        name: "showcase",
        about: "generate the suites that the documents show and compare with hand-written tests",
        run: showcase::run,
    },
    Task { name: "bench", about: "measure the speed of parts; without a name, lists them", run: bench::run },
    Task {
        name: "judge-criteria",
        about: "have JaCoCo and PIT confirm what every algorithm claims of every criterion",
        run: judge::criteria::run,
    },
    Task {
        name: "judge-executor",
        about: "run random tests through the executor and, printed, in a plain JVM, and compare",
        run: judge::executor::run,
    },
    Task {
        name: "judge-files",
        about: "compile delivered files in three ways and run them in the default and in random orders",
        run: judge::files::run,
    },
    Task {
        name: "judge-instrumentation",
        about: "run a library's published tests with instrumented classes, and compare",
        run: judge::instrumentation::run,
    },
    Task {
        name: "judge-mutants",
        about: "compare what strong mutation says with PIT's verdict on the same mutants",
        run: judge::mutants::run,
    },
    Task {
        name: "judge-replay",
        about: "record runs of random tests, replay them, and compare with what the JVM did",
        run: judge::replay::run,
    },
    Task {
        name: "judge-solvers",
        about: "ask the built-in and an installed solver the conditions of the fixtures of values",
        run: judge::solvers::run,
    },
    Task {
        name: "judge-values",
        about: "have JaCoCo confirm which outcomes of the fixtures of values can be taken",
        run: judge::values::run,
    },
    Task {
        name: "verify-instrumented",
        about: "have a JVM verify instrumented classes",
        run: verify_instrumented::run,
    },
    Task {
        name: "subsumption",
        about: "have an SMT solver prove the tables of subsuming mutants",
        run: judge::subsumption::run,
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
