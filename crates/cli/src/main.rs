//! The `covolve` command.

use cli::Wiring;
use cli::generate::class::ClassGenerator;
use cli::worker::work;

fn main() -> std::process::ExitCode {
    cli::run(std::env::args_os(), &Wiring { generator: &ClassGenerator::default(), work: &work }).into()
}
