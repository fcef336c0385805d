//! Whether runs with one seed and a budget in executions give the same bytes, on each JDK, idle and under load.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::Duration;

use anyhow::Context as _;
use clap::Parser;

use super::{Results, watch};
use crate::console::{parse, say};
use crate::options::Common;
use crate::{machine, subject};

/// Whether runs with one seed give the same bytes.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask measure reruns")]
struct Options {
    #[command(flatten)]
    common: Common,

    /// Budget in executions.
    #[arg(long, default_value = "2000executions")]
    budget: String,

    /// Runs per class and JDK.
    #[arg(long, default_value_t = 20)]
    runs: u32,

    /// Seed.
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Processes that do nothing but spin meanwhile, during every second run.
    #[arg(long, default_value_t = 0)]
    load: u32,

    /// JDKs.
    #[arg(long, value_delimiter = ',', required = true)]
    java_homes: Vec<PathBuf>,
}

pub(super) fn run(words: &[String]) -> anyhow::Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let subjects = options.common.list.read()?;
    let covolve = options.common.covolve.file()?;
    let first = options.java_homes.first().map(|home| home.join("bin/java")).unwrap_or_default();
    let results = Results::new(&options.common, "reruns", words, &first)?;
    let mut table = results.table("raw", "class,jdk,run,load,wall,exit_code,file_hash")?;
    let mut seen = Seen::default();
    for home in &options.java_homes {
        let jdk = machine::java_version(&home.join("bin/java").to_string_lossy())?;
        for subject in &subjects {
            for run in 0..options.runs {
                let load = if run % 2 == 1 { options.load } else { 0 };
                let spinning = Load::start(load)?;
                let scratch = tempfile::tempdir()?;
                let tests = scratch.path().join("tests");
                let mut command = subject.generate(&covolve, &options.budget, options.seed, &tests);
                command.arg("--java-home").arg(home).args(&options.common.more);
                let watched = watch(command, scratch.path(), Duration::from_millis(20), &mut |_, _| Ok(()))?;
                drop(spinning);
                let hash = subject::hash(&tests);
                let cells = [
                    subject.class.clone(),
                    jdk.clone(),
                    run.to_string(),
                    load.to_string(),
                    format!("{:.3}", watched.wall),
                    watched.code(),
                    hash.clone(),
                ];
                say(&cells.join(" "));
                table.row(&cells)?;
                seen.add(&subject.class, &jdk, hash);
            }
            results.summarize(&seen.summary())?;
        }
    }
    results.finish(&seen.summary())
}

/// Runs by class and JDK, and in each how often which bytes came out.
#[derive(Debug, Default)]
struct Seen(BTreeMap<(String, String), BTreeMap<String, usize>>);

impl Seen {
    fn add(&mut self, class: &str, jdk: &str, hash: String) {
        *self.0.entry((class.to_owned(), jdk.to_owned())).or_default().entry(hash).or_default() += 1;
    }

    fn summary(&self) -> String {
        let mut text = "Runs that gave the same bytes as most runs of their class and JDK did; a run without a file is one \
                        more kind of bytes.\n\n| class | JDK | same | runs |\n| --- | --- | --- | --- |\n"
            .to_owned();
        let (mut all_same, mut all_runs) = (0, 0);
        for ((class, jdk), hashes) in &self.0 {
            // No file at all is nothing to agree on.
            let files = hashes.iter().filter(|(hash, _)| !hash.is_empty());
            let same = files.map(|(_, count)| *count).max().unwrap_or(0);
            let runs: usize = hashes.values().sum();
            text.extend([
                "| ",
                class,
                " | ",
                jdk,
                " | ",
                &same.to_string(),
                " | ",
                &runs.to_string(),
                " |\n",
            ]);
            (all_same, all_runs) = (all_same + same, all_runs + runs);
        }
        text + &format!("| **all** | | {all_same} | {all_runs} |\n")
    }
}

/// Processes that spin until they are dropped.
#[derive(Debug)]
struct Load(Vec<Child>);

impl Load {
    fn start(processes: u32) -> anyhow::Result<Self> {
        let mut load = Self(Vec::new());
        for _ in 0..processes {
            let mut command = Command::new("/bin/sh");
            load.0.push(command.args(["-c", "while :; do :; done"]).spawn().context("sh does not start")?);
        }
        Ok(load)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // One that is gone needs no end.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_differ_are_seen() {
        let mut seen = Seen::default();
        for (class, hash) in [("A", "1"), ("A", "1"), ("A", "2"), ("B", ""), ("B", "")] {
            seen.add(class, "17", hash.to_owned());
        }
        let text = seen.summary();
        for line in ["| A | 17 | 2 | 3 |", "| B | 17 | 0 | 2 |", "| **all** | | 2 | 5 |"] {
            assert!(text.contains(line), "{text}");
        }
    }

    #[test]
    fn load_ends_when_it_is_dropped() {
        let mut load = Load::start(1).unwrap();
        let child = &mut load.0[0];
        assert!(child.try_wait().unwrap().is_none());
        let id = child.id();
        drop(load);
        assert!(!std::path::Path::new(&format!("/proc/{id}")).exists());
    }
}
