//! `cargo xtask bench <part>`: how fast the parts are. One file per part, one line in [`BENCHES`].

mod executor;
mod instrument;
mod process;
mod search;
mod setup;

use anyhow::bail;
use experiment::console::say;

/// A benchmark.
struct Bench {
    name: &'static str,
    about: &'static str,
    /// Takes the words after the benchmark's name.
    run: fn(&[String]) -> anyhow::Result<()>,
}

/// All benchmarks.
const BENCHES: &[Bench] = &[
    Bench { name: "instrument", about: "microseconds to instrument a class", run: instrument::run },
    Bench { name: "executor", about: "tests of ten calls a second", run: executor::run },
    Bench { name: "search", about: "the whole search on subject classes, by phase", run: search::run },
];

/// Runs the task.
pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let Some((name, rest)) = words.split_first() else {
        say("Benchmarks:");
        for Bench { name, about, .. } in BENCHES {
            say(&format!("  cargo xtask bench {name:12} {about}"));
        }
        return Ok(());
    };
    match BENCHES.iter().find(|bench| bench.name == name) {
        Some(bench) => (bench.run)(rest),
        None => bail!("there is no benchmark {name}; `cargo xtask bench` lists them"),
    }
}
