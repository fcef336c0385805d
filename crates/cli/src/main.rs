//! The `covolve` command.

use cli::Wiring;
use cli::generate::class::ClassGenerator;
use cli::worker::work;

/// Making tests is making and dropping small objects.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::run(std::env::args_os(), &Wiring { generator: &ClassGenerator::default(), work: &work }).into()
}
