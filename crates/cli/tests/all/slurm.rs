//! A project on a cluster, of which only the commands are there: scripts that do at once what Slurm has done elsewhere.

#![expect(clippy::disallowed_methods, reason = "tests read and write files")]

use crate::support;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::support::folder::{Folder, text};

/// Three classes for three shards, the largest in the first.
const CLASSES: &str = "
//- /p/Half.java
package p;
public class Half { public int of(int x) { return x / 2; } }
//- /p/Rate.java
package p;
public class Rate { public int percent() { return 7; } }
//- /p/Range.java
package p;
public class Range { public boolean holds(int x) { return x > 3 && x < 9; } }
";

/// What `sbatch` is told, and a function that runs a task.
const SBATCH: &str = r#"#!/bin/sh
echo "$@" >>"$0.told"
for word; do
    case $word in
    --array=*) array=${word#--array=} ;;
    --output=*) output=${word#--output=} ;;
    esac
    script=$word
done
task() {
    SLURM_ARRAY_TASK_ID=$1 sh "$script" >"$(echo "$output" | sed "s/%a/$1/")" 2>&1
}
tasks() {
    for range in $(echo "$array" | tr , ' '); do seq "${range%-*}" "${range#*-}"; done
}
"#;

/// Runs all tasks, one after the other.
const ALL: &str = "for number in $(tasks); do task $number; done; echo 17";

/// As [`ALL`], but the second task comes to a machine without a JDK the first time.
const SECOND_FAILS: &str = r#"
for number in $(tasks); do
    if [ $number = 2 ] && [ ! -e "$0.failed" ]; then
        touch "$0.failed"
        (JAVA_HOME=/nowhere; export JAVA_HOME; task 2)
    else
        task $number
    fi
done
echo "17;north"
"#;

/// Runs the first task, and the others wait for ever.
const FIRST: &str = "task 1; echo 17";

/// The others, until the job is cancelled.
const WAITING: &str = r#"#!/bin/sh
[ -e "$(dirname "$0")/scancel.told" ] || printf '2 RUNNING\n3 PENDING\n'
"#;

const SCANCEL: &str = "#!/bin/sh\necho \"$@\" >>\"$0.told\"\n";

/// The commands of a cluster.
struct Commands(tempfile::TempDir);

impl Commands {
    fn new(sbatch: &str, others: &[(&str, &str)]) -> Self {
        let commands = Self(tempfile::tempdir().unwrap());
        let sbatch = format!("{SBATCH}{sbatch}");
        for (name, text) in [("sbatch", sbatch.as_str())].iter().chain(others) {
            let file = commands.0.path().join(name);
            fs::write(&file, text).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        commands
    }

    /// The path of programs with these in front.
    fn path(&self) -> String {
        let path = support::environment().path;
        format!("{}:{}", self.0.path().display(), path.to_str().unwrap())
    }

    /// What a command was told, a line per call.
    fn told(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(format!("{name}.told"))).unwrap()
    }
}

const GENERATE: [&str; 3] = ["generate", "--budget", "100executions"];

fn generate(folder: &Folder, commands: &Commands, words: &[&str], variables: &[(&str, &str)]) -> Output {
    let path = commands.path();
    folder.covolve_with(&[&GENERATE, words].concat(), &[&[("PATH", path.as_str())], variables].concat())
}

/// The test files with their text.
fn tests(folder: &Folder) -> BTreeMap<PathBuf, String> {
    let files = fs::read_dir(folder.path("covolve-tests/p")).unwrap().map(|file| file.unwrap());
    files.map(|file| (file.file_name().into(), fs::read_to_string(file.path()).unwrap())).collect()
}

/// Coverage as other tools read it, by class and line.
fn lcov(folder: &Folder) -> String {
    let mut command = Command::new(support::covolve());
    command.args(["report", "--format", "lcov", "--out", "-"]).current_dir(folder.path(""));
    text(&command.output().unwrap().stdout)
}

#[test]
fn a_cluster_comes_to_the_same_bytes_as_this_machine() {
    let (alone, together) = (Folder::new(CLASSES), Folder::new(CLASSES));
    alone.generate(&[]);
    let commands = Commands::new(ALL, &[]);
    let words = [
        "--engine",
        "slurm",
        "--shards",
        "9",
        "--slurm-options",
        "--partition=long -t 5",
        "--report",
        "tables",
    ];
    let output = generate(&together, &commands, &words, &[]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for expect in [
        "covolve: job 17 is submitted, of 3 shards\n",
        "covolve: shard 1/3 is done: 1 class\n",
        "covolve: shard 3/3 is done: 1 class\n",
    ] {
        assert!(said.contains(expect), "{said}");
    }
    let told = commands.told("sbatch");
    assert!(told.contains(" --array=1-3 ") && told.contains(" --partition=long -t 5 /"), "{told}");
    assert!(text(&output.stdout).contains("\ntests "), "what all classes come to is said once");
    assert_eq!(tests(&together), tests(&alone));
    assert_eq!(lcov(&together), lcov(&alone));
    let table = fs::read_to_string(together.path("tables/statistics.csv")).unwrap();
    assert_eq!(table.lines().count(), 4, "{table}");
    assert!(!together.path(".covolve/slurm").exists(), "nothing of the run is left");
    // What is unchanged is not submitted.
    let output = generate(&together, &commands, &["--engine", "slurm", "--shards", "2"], &[]);
    let said = text(&output.stderr);
    assert!(said.ends_with("covolve: 3 classes are unchanged since an earlier run\n"), "{said}");
    assert_eq!((output.status.code(), commands.told("sbatch")), (Some(0), told));
}

#[test]
fn a_shard_that_fails_is_named_and_run_again() {
    let folder = Folder::new(CLASSES);
    let commands = Commands::new(SECOND_FAILS, &[]);
    // Options from elsewhere are those of the shards, but for what makes them shards.
    let variables = [
        ("COVOLVE_ENGINE", "slurm"),
        ("COVOLVE_SHARDS", "3"),
        ("COVOLVE_NAMES", "snake"),
        ("COVOLVE_JSON", "true"),
    ];
    let output = generate(&folder, &commands, &[], &variables);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let failed = "covolve: shard 2/3 failed with exit code 3: JAVA_HOME names /nowhere";
    assert!(said.contains(failed) && said.contains("; it runs again\n"), "{said}");
    assert!(said.contains("covolve: job 17 is submitted, of 1 shard\n"), "{said}");
    let told = commands.told("sbatch");
    let arrays: Vec<&str> = told.lines().map(|line| line.split(' ').nth(3).unwrap()).collect();
    assert_eq!(arrays, ["--array=1-3", "--array=2"]);
    let classes: Vec<String> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str::<cli::json::ClassReport>(line).unwrap().class)
        .collect();
    assert_eq!(classes, ["p.Rate", "p.Half", "p.Range"], "as one machine has them: the smallest first");
    assert!(tests(&folder).values().all(|text| text.contains('_')), "names of tests are in snake case");
}

#[test]
fn a_shard_that_fails_too_often_costs_its_classes_alone() {
    let folder = Folder::new(CLASSES);
    let commands = Commands::new(SECOND_FAILS, &[]);
    let words = ["--engine", "slurm", "--shards", "3", "--slurm-retries", "0"];
    let output = generate(&folder, &commands, &words, &[]);
    let said = text(&output.stderr);
    let log = folder.path(".covolve/slurm/1/2/log-1.txt");
    let expect = format!("; what it has written stays, and what it said is in {}\n", log.display());
    assert!(output.status.code() == Some(3) && said.contains(&expect), "{said}");
    assert_eq!((tests(&folder).len(), log.exists()), (2, true));
    let (searched, _) = folder.generate(&[]);
    assert_eq!(searched.len(), 1, "the others are known");
}

#[test]
fn ctrl_c_cancels_the_job_and_keeps_what_is_done() {
    let folder = Folder::new(CLASSES);
    let commands = Commands::new(FIRST, &[("squeue", WAITING), ("scancel", SCANCEL)]);
    let path = commands.path();
    let words = [&GENERATE[..], &["--engine", "slurm", "--shards", "3"]].concat();
    let at = "covolve: shard 1/3 is done: 1 class";
    let (code, said) = folder.interrupted(&words, &[("PATH", path.as_str())], at);
    assert_eq!(code, Some(5), "{said}");
    assert_eq!(commands.told("scancel"), "17\n");
    assert!(said.contains("covolve: shard 2/3 is cancelled\ncovolve: shard 3/3 is cancelled\n"), "{said}");
    assert_eq!(tests(&folder).len(), 1);
    let (searched, _) = folder.generate(&[]);
    assert_eq!(searched.len(), 2, "the first is known");
}

#[test]
fn what_the_cluster_refuses_is_said_and_leaves_nothing() {
    let folder = Folder::new(CLASSES);
    let before = folder.all();
    let refuse = "echo 'sbatch: error: invalid partition specified: x' >&2
        echo 'sbatch: error: Batch job submission failed: Invalid partition name specified' >&2; exit 1";
    let words = ["--cp", "classes", "--prefix", "p", "--engine", "slurm", "--shards", "2"];
    let output = generate(&folder, &Commands::new(refuse, &[]), &words, &[]);
    let expect = "covolve: sbatch refuses the job: invalid partition specified: x; Batch job submission failed: Invalid partition \
        name specified; --slurm-options may help\n";
    assert_eq!((text(&output.stderr).as_str(), output.status.code()), (expect, Some(3)));
    let output = folder.covolve_with(&[&GENERATE, words.as_slice()].concat(), &[("PATH", "/nowhere")]);
    let expect = "covolve: --engine slurm submits with sbatch, and there is no sbatch on the path; run it where the cluster's \
        jobs are submitted, or leave --engine out\n";
    assert_eq!((text(&output.stderr).as_str(), output.status.code()), (expect, Some(3)));
    assert_eq!(folder.all(), before);
}
