//! Chores of the project: benchmarks and judges that are not part of the tests. Not shipped.
//!
//! A new chore is a module and a line in [`Chore`].

mod bench_instrument;
mod class_sets;
mod verify_instrumented;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Chores of the project.
#[derive(Debug, Parser)]
#[command(name = "xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Measures.
    #[command(subcommand)]
    Bench(Bench),
    /// Has a JVM verify instrumented classes; fails if it rejects one.
    VerifyInstrumented(verify_instrumented::Arguments),
}

#[derive(Debug, Subcommand)]
enum Bench {
    /// Instruments whole sets of classes.
    Instrument(bench_instrument::Arguments),
}

fn main() -> Result<()> {
    match Arguments::parse().chore {
        Chore::Bench(Bench::Instrument(arguments)) => bench_instrument::run(&arguments),
        Chore::VerifyInstrumented(arguments) => verify_instrumented::run(&arguments),
    }
}
