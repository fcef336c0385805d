//! A class in a JVM of this process: what judges begin with that look at runs from inside.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use bytecode::analysis::{AnalysisOptions, ProbeIds};
use bytecode::class_path::ClassPath;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use bytecode::probe_layout::ProbeLayout;
use bytecode::probe_map::ProbeMap;
use jvm::executor::JvmExecutor;
use jvm::home::JavaHome;
use jvm::options::JvmOptions;
use processes::JVM_VARIABLES;
use serde::Serialize;
use serde::de::DeserializeOwned;
use subject::nest::Nest;
use testcase::cluster::TestCluster;
use testcase::cluster::build::Mockable;

/// What is known of a class before anything runs.
pub(crate) struct World {
    pub(crate) hierarchy: ClassHierarchy,
    pub(crate) class_under_test: ClassName,
    pub(crate) cluster: Arc<TestCluster>,
    pub(crate) maps: Vec<ProbeMap>,
}

/// A class with the JVM that runs it.
pub(crate) struct Started {
    pub(crate) world: World,
    pub(crate) executor: JvmExecutor,
    pub(crate) ids: ProbeIds,
}

/// Longest that such a process may take. Tests made by chance may use up all memory, a little at a time, and then the JVM collects garbage
/// without end, where no watchdog of its own has a turn.
const LONGEST: Duration = Duration::from_mins(15);
/// How often it is looked whether it has ended.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Has a task do a job in a process of its own, as its `--worker`, and reads the file that it leaves.
pub(crate) fn in_a_process<T: DeserializeOwned>(task: &str, job: &impl Serialize, file: &Path) -> Result<T> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args([task, "--worker", &serde_json::to_string(job)?]).stdin(Stdio::null());
    for variable in JVM_VARIABLES {
        command.env_remove(variable);
    }
    let mut child = command.spawn().context("the process with the JVM does not start")?;
    let status = within(LONGEST, &mut child)?;
    ensure!(status.success() && file.is_file(), "the process with the JVM ended with {status}");
    Ok(serde_json::from_slice(&fs::read(file)?)?)
}

/// How a process ends; one that takes longer than this is killed.
fn within(longest: Duration, child: &mut Child) -> Result<ExitStatus> {
    let mut left = longest;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if left.is_zero() {
            child.kill()?;
            child.wait()?;
            bail!("the process with the JVM did not end within {} s", longest.as_secs());
        }
        thread::sleep(BETWEEN_LOOKS);
        left = left.saturating_sub(BETWEEN_LOOKS);
    }
}

/// What the other side of [`in_a_process`] does: its job on a stack for the JVM, and leaves what came of it in the file.
pub(crate) fn as_process<T: Serialize + Send>(
    file: &Path,
    job: impl FnOnce() -> Result<T> + Send,
) -> Result<()> {
    processes::worker::end_with_parent()?;
    processes::streams::silence()?;
    let done = jvm::vm::run_on_big_stack(job)??;
    fs::write(file, serde_json::to_vec(&done)?)?;
    jvm::watchdog::leave_process(0)
}

/// Starts the JVM of this process for a class, confined to a folder.
pub(crate) fn start(class: &str, class_path: &[PathBuf], java_home: &Path, folder: &Path) -> Result<Started> {
    let home = JavaHome::find(java_home)?;
    let opened = ClassPath::open(home.path(), home.version(), class_path)?;
    let hierarchy = ClassHierarchy::new(Arc::new(opened));
    let class_under_test = ClassName::from_binary(class);
    let nest = Nest::of(&hierarchy, &class_under_test, AnalysisOptions::default());
    let cluster = Arc::new(nest.cluster(&hierarchy, class_under_test.clone(), Mockable::Nothing)?);
    let Nest { classes, maps, ids, statics, .. } = nest;
    let scratch = folder.join("scratch");
    fs::create_dir_all(&scratch)?;
    let mut sandbox = processes::sandbox::SandboxOptions::new(scratch.clone());
    sandbox.writable.push(folder.to_owned());
    processes::sandbox::confine(&sandbox);
    let options = JvmOptions::new(home, class_path.to_vec(), scratch);
    let layout = ProbeLayout::new(&maps, ids);
    let executor = JvmExecutor::start(&options, Arc::clone(&cluster), classes, layout, statics)?;
    Ok(Started { world: World { hierarchy, class_under_test, cluster, maps }, executor, ids })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_does_not_end_is_killed() {
        let start = |seconds: &str| Command::new("sleep").arg(seconds).spawn().expect("it starts");
        let mut endless = start("1000");
        let error = within(Duration::ZERO, &mut endless).expect_err("it takes longer");
        assert_eq!(error.to_string(), "the process with the JVM did not end within 0 s");
        assert!(endless.try_wait().expect("it was waited for").is_some());
        assert!(within(LONGEST, &mut start("0")).expect("it ends").success());
    }
}
