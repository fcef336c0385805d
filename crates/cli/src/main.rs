//! The `covolve` command.

use std::path::Path;

use cli::Wiring;
use cli::generation::ClassGenerator;
use cli::worker::work;
use jvm::sandbox::{SandboxOptions, confine};

fn main() -> std::process::ExitCode {
    let wiring = Wiring { generator: &ClassGenerator::default(), confine: &confine_program, work: &work };
    cli::run(std::env::args_os(), &wiring).into()
}

/// Confines a program that starts others, which are confined as it is. What is open is told by the workers, which
/// the kernel confines by the same means.
fn confine_program(scratch: &Path) {
    let options = SandboxOptions { programs: true, ..SandboxOptions::new(scratch.to_owned()) };
    let _told_by_workers = confine(&options);
}
