//! The modules of a run: each has its own class path, JUnit and test sources, and they are worked on one after the other.

use std::collections::BTreeSet;

use project::build::requests::requests;
use project::environment::Environment;
use project::failure::Failure;
use project::test_sources::Ownerships;

use crate::console::Console;
use crate::exit_code::ExitCode;
use crate::generate::prepared::Prepared;
use crate::options::Options;

/// Prepares each module that has something to test, or the class path. Also the exit codes of modules that cannot have tests,
/// of which it was said why.
///
/// # Errors
/// What is wrong, in one sentence, if nothing at all can be tested.
pub fn prepare(
    options: &Options,
    environment: &Environment,
    ownership: Ownerships<'_>,
    console: &Console,
) -> Result<(Vec<Prepared>, Vec<ExitCode>), Failure> {
    let note = |text: &str| console.note(text);
    let asked = requests(&options.request, environment, &note)?;
    let (mut modules, mut failures) = (Vec::new(), asked.failures);
    for request in asked.modules {
        match Prepared::new(options, request, environment, ownership, &note) {
            Ok(prepared) => modules.extend(prepared),
            Err(failure) => failures.push(failure),
        }
    }
    if modules.is_empty() {
        let nothing =
            || Failure::input("no class of the project has code to test; name another with --project");
        return Err(failures.into_iter().next().unwrap_or_else(nothing));
    }
    for failure in &failures {
        console.note(&failure.sentence);
    }
    check_files(&modules)?;
    Ok((modules, failures.iter().map(|failure| failure.kind.into()).collect()))
}

/// Each test file must be the file of one class, which it may not be where one folder takes the tests of several modules.
fn check_files(modules: &[Prepared]) -> Result<(), Failure> {
    let mut files = BTreeSet::new();
    for module in modules {
        for target in &module.targets {
            if !files.insert((&module.out, target.test_file())) {
                return Err(Failure::usage(format!(
                    "{} is in several modules, and --out is one folder for the tests of all; leave --out out, or name the \
                     folder of one module with --project",
                    target.class.binary()
                )));
            }
        }
    }
    Ok(())
}
