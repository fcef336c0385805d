//! The programs that measurements and judges run: which JDK, which covolve, how many at a time, and what they say when
//! they fail.

use std::io::{Read as _, Seek as _};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use testcase::clock::Clock;

use crate::repository::{output_of, root};

/// The JDK that was named, else that of `JAVA_HOME`.
///
/// # Errors
/// There is neither.
pub fn java_home(named: Option<&Path>) -> Result<PathBuf> {
    let home = named.map(Path::to_owned).or_else(|| std::env::var_os("JAVA_HOME").map(PathBuf::from));
    home.context("no JDK: give --java-home or set JAVA_HOME")
}

/// The covolve that was named, else the release build of this tree, made anew.
///
/// # Errors
/// It cannot be built.
pub fn covolve(named: Option<&Path>) -> Result<PathBuf> {
    match named {
        Some(path) => Ok(std::path::absolute(path)?),
        None => build(),
    }
}

/// Builds the release binary of this tree.
fn build() -> Result<PathBuf> {
    let status = Command::new("cargo")
        .args(["build", "--release", "--quiet", "--package", "cli"])
        .current_dir(root())
        .status()
        .context("cargo does not start")?;
    if !status.success() {
        bail!("covolve cannot be built");
    }
    let metadata = output_of("cargo", &["metadata", "--format-version", "1", "--no-deps"])?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let target = metadata["target_directory"].as_str().context("cargo names no target folder")?;
    Ok(Path::new(target).join("release/covolve"))
}

/// Runs a command to its end.
///
/// # Errors
/// It does not start, or fails: with what it says on standard error.
pub fn run(command: &mut Command) -> Result<()> {
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
pub fn compile_fixtures<'s>(
    home: &Path,
    sources: impl IntoIterator<Item = &'s str>,
    classes: &Path,
) -> Result<()> {
    std::fs::create_dir_all(classes)?;
    let mut javac = Command::new(home.join("bin/javac"));
    javac.args(["-g", "--release", "8", "-nowarn", "-Xlint:none", "-d"]).arg(classes);
    run(javac.args(sources.into_iter().map(|source| root().join(source))))
}

/// A `javac` that compiles tests against a class path into a folder, as a build does: sources that lie beside the
/// classes of the class path are not compiled, annotation processors do not run. The sources are left to add.
pub fn javac_of_tests<'p>(
    home: &Path,
    class_path: impl IntoIterator<Item = &'p PathBuf>,
    classes: &Path,
) -> Command {
    let mut javac = Command::new(home.join("bin/javac"));
    javac.args(["-proc:none", "-g", "-encoding", "UTF-8", "-sourcepath", "", "-cp"]);
    javac.arg(joined(class_path)).arg("-d").arg(classes);
    javac
}

/// A class path of these entries.
pub fn joined<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> String {
    paths.into_iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(":")
}

/// Does the work for each item, so many at a time; results in the order of the items.
pub fn side_by_side<T: Sync, R: Send>(jobs: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut own = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(number) else { return own };
            own.push((number, work(item)));
        }
    };
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(take)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Waits for a process, and ends it when its time is over: `None` then.
///
/// # Errors
/// It cannot be asked or ended.
pub fn wait(child: &mut Child, limit: Duration) -> Result<Option<ExitStatus>> {
    let clock = Clock::start();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if clock.now() >= limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(LOOK);
    }
}

/// How often a process is looked at.
const LOOK: Duration = Duration::from_millis(2);

/// How a command ended that had a limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// With this code, -1 if a signal ended it, and what it said on both streams.
    WithCode(i32, String),
    /// It was ended.
    TimedOut,
}

/// Runs a command to its end, or ends it when its time is over.
///
/// # Errors
/// It does not start, or what it says cannot be kept.
pub fn run_limited(command: &mut Command, limit: Duration) -> Result<Ended> {
    let program = command.get_program().to_string_lossy().into_owned();
    // A file and no pipe: what nobody reads does not stop it.
    let mut said = tempfile::tempfile()?;
    command.stdin(Stdio::null()).stdout(said.try_clone()?).stderr(said.try_clone()?);
    let mut child = command.spawn().with_context(|| format!("{program} does not start"))?;
    let Some(status) = wait(&mut child, limit)? else { return Ok(Ended::TimedOut) };
    let mut bytes = Vec::new();
    said.rewind()?;
    said.read_to_end(&mut bytes)?;
    Ok(Ended::WithCode(status.code().unwrap_or(-1), String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u32> = (0..100).collect();
        for jobs in [0, 1, 3] {
            assert_eq!(side_by_side(jobs, &items, |item| item + 1), (1..=100).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn a_command_has_its_limit() {
        let shell = |script: &str, limit: u64| {
            run_limited(Command::new("/bin/sh").args(["-c", script]), Duration::from_secs(limit)).unwrap()
        };
        assert_eq!(shell("echo out; echo err >&2; exit 3", 60), Ended::WithCode(3, "out\nerr\n".to_owned()));
        assert_eq!(shell("exec sleep 600", 0), Ended::TimedOut);
    }
}
