//! The programs that chores run: which JDK, which covolve, and what they say when they fail.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::{eval, root};

/// The JDK that was named, else that of `JAVA_HOME`.
///
/// # Errors
/// There is neither.
pub(crate) fn java_home(named: Option<&Path>) -> Result<PathBuf> {
    let home = named.map(Path::to_owned).or_else(|| std::env::var_os("JAVA_HOME").map(PathBuf::from));
    home.context("no JDK: give --java-home or set JAVA_HOME")
}

/// The covolve that was named, else the release build of this tree, made anew.
///
/// # Errors
/// It cannot be built.
pub(crate) fn covolve(named: Option<&Path>) -> Result<PathBuf> {
    match named {
        Some(path) => Ok(std::path::absolute(path)?),
        None => eval::build(),
    }
}

/// Runs a command to its end.
///
/// # Errors
/// It does not start, or fails: with what it says on standard error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("{program} does not start"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{program} ended with {}: {}", output.status, said.trim());
    Ok(())
}

/// Compiles sources of the repository's fixtures into a folder, as class files of Java 8.
///
/// # Errors
/// `javac` refuses one.
pub(crate) fn compile_fixtures<'s>(
    home: &Path,
    sources: impl IntoIterator<Item = &'s str>,
    classes: &Path,
) -> Result<()> {
    std::fs::create_dir_all(classes)?;
    let mut javac = Command::new(home.join("bin/javac"));
    javac.args(["-g", "--release", "8", "-nowarn", "-Xlint:none", "-d"]).arg(classes);
    run(javac.args(sources.into_iter().map(|source| root().join(source))))
}

/// A class path of these entries.
pub(crate) fn joined<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> String {
    paths.into_iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(":")
}
