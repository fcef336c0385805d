//! The `covolve` command.

use cli::Wiring;
use cli::console::progress::ClassLine;
use cli::deliver::Ownership;
use cli::options::Names;
use cli::project::targets::Target;
use cli::session::generate::{Generated, Generator, Session};

fn main() -> std::process::ExitCode {
    let wiring = Wiring {
        generator: &Unwired,
        confine: &|_scratch| Ok(()),
        work: &|_worker| anyhow::bail!("this build has no search"),
    };
    cli::run(std::env::args_os(), &wiring).into()
}

/// Stands where the session of search, execution and printing is wired in.
struct Unwired;

impl Generator for Unwired {
    fn names(&self) -> Names<'_> {
        Names {
            algorithms: &["dynamosa", "random"],
            criteria: &["branch", "line"],
            default_criteria: &["branch", "line"],
        }
    }

    fn ownership(&self, _text: &str) -> Ownership {
        Ownership::Edited
    }

    fn generate(&self, _: &Session<'_>, _: &Target, _: &ClassLine) -> anyhow::Result<Generated> {
        anyhow::bail!("this build has no search")
    }

    fn verify_together(&self, _: &Session<'_>, _: &mut [Generated]) -> anyhow::Result<()> {
        Ok(())
    }
}
