//! What the result of a class depends on, as one hash: two runs with the same key would come to the same, as far as anyone can
//! tell beforehand.

use std::ffi::OsStr;
use std::fmt::Write as _;

use project::dependencies::{Dependencies, hash_of};
use project::junit::Junit;
use project::targets::Target;

use crate::generate::prepared::Prepared;
use crate::options::{Options, WhichOptions};

/// What the result of a class depends on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Key {
    /// All of it.
    pub all: String,
    /// Without the code of other classes.
    pub own: String,
}

/// The key of a class.
pub(super) fn key(prepared: &Prepared, dependencies: &Dependencies, target: &Target) -> Key {
    let mut text = of_options(&prepared.options);
    let Target { class, nest, java_version, package_of_tests } = target;
    // Where the project's own tests begin to have their mocks otherwise, files that are there stay.
    let Junit { framework, version, has_parameters, mockito, spring_test, is_parallel, .. } = &prepared.junit;
    let mockito = mockito.as_ref().filter(|_| prepared.has_mocks()).map(|mockito| &mockito.version);
    let junit = (framework, version, has_parameters, mockito, spring_test.is_some(), is_parallel);
    let level = prepared.source_level(target);
    let jdk = prepared.project.jdk.version;
    // A string takes what is written.
    let _ = write!(
        text,
        "class {class:?} {java_version} tests in {package_of_tests:?} of level {level} for {junit:?} on {jdk}; code "
    );
    let _ = write!(text, "verified with {:?} ", test_libraries(prepared));
    if prepared.options.which.existing {
        let _ = write!(text, "own tests {} ", prepared.existing.hash(class));
    }
    let of = |code: String| hash_of(format!("{text}{code}"));
    Key { all: of(dependencies.hash(nest)), own: of(dependencies.hash_of_own(nest)) }
}

/// The names of the jars that only tests need, which tell their versions.
fn test_libraries(prepared: &Prepared) -> Vec<&OsStr> {
    let of_tests = prepared.test_path.iter().filter(|entry| !prepared.run_path.entries.contains(entry));
    of_tests.filter(|entry| entry.is_file()).filter_map(|entry| entry.file_name()).collect()
}

/// Everything of the options that shapes the result of a class. What is left out is left out by name: whoever adds an option
/// decides.
fn of_options(options: &Options) -> String {
    let Options {
        budget,
        total_budget,
        seed,
        algorithm,
        solver,
        criteria,
        set_up,
        goal_selection,
        line_threshold,
        suite,
        names,
        looks,
        islands,
        // The others choose and order classes.
        which: WhichOptions { existing, since: _, coverage: _ },
        // Which classes there are, and where: their class files count, and what these reach. What the build tool is told counts
        // by the class path that comes of it.
        request: _,
        // Which of them this machine works on: each comes to what it would come to alone.
        shard: _,
        // Which machines do: likewise.
        engine: _,
        // What the formatter changes is no edit.
        form: _,
        // Where the file goes: it counts when it is looked for there.
        out: _,
        // What they name counts as it was found.
        junit: _,
        junit_class_path: _,
        source_level: _,
        // How the run goes about it, and what it says.
        jobs: _,
        json: _,
        is_verbose: _,
        force: _,
        report: _,
        state: _,
    } = options;
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "covolve {version} {budget:?} {total_budget:?} {seed} {algorithm:?} {solver:?} {criteria:?} {set_up:?} {goal_selection:?} \
         {line_threshold} {suite:?} {names:?} {looks:?} {islands:?} {existing} "
    )
}
