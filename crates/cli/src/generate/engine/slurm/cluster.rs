//! Slurm's own commands: what they are asked, and what they answer.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use project::environment::Environment;
use project::failure::Failure;

/// The commands of the cluster that this machine belongs to.
#[derive(Debug)]
pub(super) struct Cluster {
    sbatch: PathBuf,
    squeue: Option<PathBuf>,
    sacct: Option<PathBuf>,
    scancel: Option<PathBuf>,
}

/// An array as `sbatch` names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Job {
    /// Its number.
    pub id: String,
    /// The cluster that has it, where several are to choose from.
    cluster: Option<String>,
}

/// Why there is no job.
#[derive(Debug)]
pub(super) struct NotSubmitted {
    /// What is to be said of it.
    pub failure: Failure,
    /// Whether there may be one after all, whose number is not known.
    pub may_run: bool,
}

impl From<Failure> for NotSubmitted {
    fn from(failure: Failure) -> Self {
        Self { failure, may_run: false }
    }
}

/// What the cluster says of the tasks of an array.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// Words such as `PENDING`, by task.
    pub states: BTreeMap<usize, String>,
    /// Whether a task that is not among them is over.
    pub is_whole: bool,
}

/// What Slurm calls tasks that are over (`squeue(1)`, JOB STATE CODES).
const OVER: [&str; 12] = [
    "BOOT_FAIL",
    "CANCELLED",
    "COMPLETED",
    "DEADLINE",
    "FAILED",
    "LAUNCH_FAILED",
    "NODE_FAIL",
    "OUT_OF_MEMORY",
    "PREEMPTED",
    "RECONFIG_FAIL",
    "REVOKED",
    "TIMEOUT",
];

/// What `squeue` selects tasks by.
const FILTERS: [&str; 8] = ["ACCOUNT", "FORMAT", "LICENSES", "NAMES", "PARTITION", "QOS", "STATES", "USERS"];

/// What `squeue` says of an array that has been over for some time.
const FORGOTTEN: &str = "Invalid job id";

/// What the cluster says of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing<'a> {
    /// It waits, runs, or nobody knows.
    Awaited,
    /// It is over, and what the cluster calls that, unless it has forgotten it.
    Over(Option<&'a str>),
}

impl Answer {
    /// How a task stands.
    pub(super) fn of(&self, task: usize) -> Standing<'_> {
        match self.states.get(&task) {
            Some(state) if OVER.contains(&state.as_str()) => Standing::Over(Some(state)),
            None if self.is_whole => Standing::Over(None),
            Some(_) | None => Standing::Awaited,
        }
    }
}

impl Cluster {
    /// Looks for the commands on the path.
    ///
    /// # Errors
    /// There is none to submit with.
    pub(super) fn find(environment: &Environment) -> Result<Self, Failure> {
        let Some(sbatch) = environment.on_path("sbatch") else {
            return Err(Failure::input(
                "--engine slurm submits with sbatch, and there is no sbatch on the path; run it where the cluster's jobs are \
                 submitted, or leave --engine out",
            ));
        };
        let [squeue, sacct, scancel] = ["squeue", "sacct", "scancel"].map(|name| environment.on_path(name));
        Ok(Self { sbatch, squeue, sacct, scancel })
    }

    /// Submits an array: tasks as `--array` has them, the pattern of their logs, options of the user, and what they do.
    ///
    /// # Errors
    /// The cluster refuses it.
    pub(super) fn submit(
        &self,
        tasks: &str,
        logs: &OsStr,
        options: &[String],
        script: &Path,
    ) -> Result<Job, NotSubmitted> {
        let mut output = OsString::from("--output=");
        output.push(logs);
        let mut words: Vec<OsString> = vec!["--parsable".into(), "--job-name=covolve".into()];
        // What failed is run again by us, once it is known that it is over.
        words.push("--no-requeue".into());
        words.push(format!("--array={tasks}").into());
        words.push(output);
        words.extend(options.iter().map(OsString::from));
        words.push(script.into());
        let answer = ask(&self.sbatch, &words).map_err(|why| {
            Failure::input(format!("sbatch refuses the job: {why}; --slurm-options may help"))
        })?;
        Job::parse(&answer).ok_or_else(|| NotSubmitted {
            failure: Failure::input(format!(
                "sbatch answers with no job number: {}; look with squeue for a job covolve, and end it with scancel",
                answer.trim()
            )),
            may_run: true,
        })
    }

    /// What is known of the tasks of an array: of the queue, or else of the accounts.
    ///
    /// # Errors
    /// Neither answers; why.
    pub(super) fn states(&self, job: &Job) -> Result<Answer, String> {
        let queue = ["--noheader", "--array", "--states=all", "--format=%K %T"];
        let why = match asked(self.squeue.as_deref(), "squeue", job, &queue, "--jobs=") {
            Ok(text) => return Ok(of_queue(&text)),
            Err(why) if why.contains(FORGOTTEN) => {
                return Ok(Answer { is_whole: true, ..Answer::default() });
            }
            Err(why) => why,
        };
        let accounts = ["--noheader", "--allocations", "--array", "--parsable2", "--format=JobID,State"];
        match asked(self.sacct.as_deref(), "sacct", job, &accounts, "--jobs=") {
            Ok(text) => Ok(of_accounts(&text)),
            Err(_) => Err(why),
        }
    }

    /// Ends all tasks of an array.
    ///
    /// # Errors
    /// Why that cannot be.
    pub(super) fn cancel(&self, job: &Job) -> Result<(), String> {
        asked(self.scancel.as_deref(), "scancel", job, &[], "").map(drop)
    }
}

impl Job {
    /// Reads `number` or `number;cluster`, as the last line.
    fn parse(answer: &str) -> Option<Self> {
        let line = answer.lines().rfind(|line| !line.trim().is_empty())?.trim();
        let (id, cluster) = line.split_once(';').map_or((line, None), |(id, name)| (id, Some(name)));
        let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| Self { id: id.to_owned(), cluster: cluster.map(str::to_owned) })
    }
}

/// What a command says of a job, which is named behind `option`.
fn asked(
    program: Option<&Path>,
    name: &str,
    job: &Job,
    words: &[&str],
    option: &str,
) -> Result<String, String> {
    let program = program.ok_or_else(|| format!("there is no {name} on the path"))?;
    let mut words: Vec<OsString> = words.iter().map(OsString::from).collect();
    words.extend(job.cluster.as_ref().map(|cluster| format!("--clusters={cluster}").into()));
    words.push(format!("{option}{}", job.id).into());
    ask(program, &words)
}

/// What a command says, or why it fails. It is not ended by the Ctrl-C that is meant for us.
fn ask(program: &Path, words: &[OsString]) -> Result<String, String> {
    let mut command = Command::new(program);
    // With these in the environment `squeue` keeps tasks to itself (`squeue(1)`, INPUT ENVIRONMENT VARIABLES).
    for name in FILTERS {
        command.env_remove(format!("SQUEUE_{name}"));
    }
    let output = command.args(words).stdin(Stdio::null()).process_group(0).output();
    let output = output.map_err(|error| format!("{} does not start: {error}", program.display()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(said(&output))
}

/// What a command that failed said, in one line.
fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let bare = |line: &str| {
        let line = line.trim();
        // `sbatch: error: `
        let words = line.split_once(": error: ").map_or(line, |(_, rest)| rest);
        words.to_owned()
    };
    let lines: Vec<String> = text.lines().map(bare).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() { output.status.to_string() } else { lines.join("; ") }
}

/// Reads lines such as `3 RUNNING` of `squeue`, whose array has no other tasks.
fn of_queue(text: &str) -> Answer {
    let task = |line: &str| {
        let (task, state) = line.trim().split_once(' ')?;
        Some((task.parse().ok()?, state.trim().to_owned()))
    };
    Answer { states: text.lines().filter_map(task).collect(), is_whole: true }
}

/// Reads lines such as `17_3|CANCELLED by 0` of `sacct`, which hears of tasks late.
fn of_accounts(text: &str) -> Answer {
    let task = |line: &str| {
        let (id, state) = line.trim().split_once('|')?;
        let task = id.split_once('_')?.1.parse().ok()?;
        Some((task, state.split(' ').next().unwrap_or_default().to_owned()))
    };
    Answer { states: text.lines().filter_map(task).collect(), is_whole: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_job_is_the_last_that_is_said() {
        let check = |answer: &str, expect: Option<(&str, Option<&str>)>| {
            let found = Job::parse(answer);
            let found = found.as_ref().map(|job| (job.id.as_str(), job.cluster.as_deref()));
            assert_eq!(found, expect, "{answer}");
        };
        check("17\n", Some(("17", None)));
        check("welcome\n17;north\n\n", Some(("17", Some("north"))));
        check("", None);
        check("Submitted batch job 17\n", None);
    }

    #[test]
    fn tasks_are_over_as_queue_and_accounts_say() {
        use Standing::{Awaited, Over};
        let check = |answer: &Answer, expect: [Standing<'_>; 5]| {
            assert_eq!([1, 2, 3, 4, 5].map(|task| answer.of(task)), expect);
        };
        let queue = of_queue("CLUSTER: north\n1 RUNNING\n2 PENDING\n3 TIMEOUT\n4 COMPLETING\nN/A FAILED\n");
        check(&queue, [Awaited, Awaited, Over(Some("TIMEOUT")), Awaited, Over(None)]);
        let accounts = of_accounts("17_1|RUNNING\n17_2|CANCELLED by 0\n17_[3-4]|PENDING\n17|FAILED\n");
        check(&accounts, [Awaited, Over(Some("CANCELLED")), Awaited, Awaited, Awaited]);
    }
}
