//! What `JaCoCo` says each suite covers: `crates/judge/java/suites/Suites.java` runs them, each with classes of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use experiment::maven;
use experiment::repository::root;
use experiment::suites::{Bench, JUNIT};
use experiment::tools::{joined, run};

use super::{JACOCO_AGENT, JACOCO_CORE, jar};

/// What is covered, or could be.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Cover {
    /// Branches by class and line; 0 for a line without any.
    pub(crate) lines: BTreeMap<(String, u32), u32>,
    /// Classes and methods, name and descriptor.
    pub(crate) methods: BTreeSet<(String, String)>,
}

impl Cover {
    /// Branches of all lines.
    pub(crate) fn branches(&self) -> u32 {
        self.lines.values().sum()
    }
}

/// What a suite showed.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) cover: Cover,
    pub(crate) passed: usize,
    /// Tests that failed, with the reason.
    pub(crate) failed: Vec<String>,
}

/// What all suites showed, by name, and what could be covered.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    pub(crate) suites: BTreeMap<String, Shown>,
    pub(crate) all: Cover,
}

/// Runs the suites of a bench under `JaCoCo`.
pub(crate) fn judge(bench: &Bench) -> Result<Judged> {
    let own = bench.work.join("judge");
    fs::create_dir_all(&own)?;
    let agent = jar(JACOCO_AGENT)?;
    let mut path = maven::resolve(JUNIT)?;
    path.push(jar(JACOCO_CORE)?);
    let mut javac = Command::new(bench.java_home.join("bin/javac"));
    javac.args(["-Xlint:none", "-cp"]).arg(joined(path.iter().chain([&agent])));
    run(javac.arg("-d").arg(&own).arg(root().join("crates/judge/java/suites/Suites.java")))?;
    path.push(own);
    let (out, classes, suites) =
        (bench.work.join("covered"), bench.work.join("classes"), bench.work.join("suites"));
    let nest: Vec<String> = bench.nest.iter().map(|(name, _)| name.binary()).collect();
    fs::write(&classes, nest.join("\n"))?;
    fs::write(&suites, bench.suites.join("\n"))?;
    let measured = format!("{0}:{0}$*", bench.class);
    let tests = bench.tests();
    let mut java = Command::new(bench.java_home.join("bin/java"));
    java.args(["-ea", "-Djava.awt.headless=true", "-Duser.language=en", "-Duser.country=US"])
        .arg(format!("-javaagent:{}=output=none,includes={measured}", agent.display()))
        .arg("-cp")
        .arg(joined(&path))
        .arg("Suites")
        .arg(&out)
        .arg(joined([&tests].into_iter().chain(&bench.class_path)))
        .args([&classes, &suites])
        .current_dir(&bench.work);
    run(&mut java)?;
    let text = fs::read_to_string(&out).context("the judge wrote nothing")?;
    ensure!(text.ends_with("DONE\n"), "the judge's JVM ended before the suites did");
    read(&text)
}

fn read(text: &str) -> Result<Judged> {
    let mut judged = Judged::default();
    let mut suite: Option<String> = None;
    for line in text.lines() {
        let parts: Vec<&str> = line.split('\t').collect();
        let cover = match &suite {
            None => &mut judged.all,
            Some(name) => &mut judged.suites.entry(name.clone()).or_default().cover,
        };
        match *parts.as_slice() {
            ["SUITE", name] => {
                suite = Some(name.to_owned());
                judged.suites.entry(name.to_owned()).or_default();
            }
            ["METHOD", class, method] => {
                cover.methods.insert((class.to_owned(), method.to_owned()));
            }
            ["LINE", class, number, branches] => {
                cover.lines.insert((class.to_owned(), number.parse()?), branches.parse()?);
            }
            [end @ ("PASSED" | "FAILED"), name, ..] => {
                let shown = suite.as_ref().and_then(|name| judged.suites.get_mut(name));
                let shown = shown.context("a test belongs to a suite")?;
                if end == "PASSED" {
                    shown.passed += 1;
                } else {
                    shown.failed.push(format!("{name}: {}", parts.get(2).unwrap_or(&"")));
                }
            }
            _ => {}
        }
    }
    Ok(judged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_suites_cover_is_told_apart_from_what_there_is() {
        let text = "METHOD\tA\tm()V\nLINE\tA\t3\t2\nLINE\tA\t4\t0\nSUITE\tT0\nPASSED\ta()\nFAILED\tb()\tno\nLINE\tA\t3\t1\n\
                    SUITE\tT1\nDONE\n";
        let judged = read(text).unwrap();
        assert_eq!((judged.all.lines.len(), judged.all.branches(), judged.all.methods.len()), (2, 2, 1));
        let first = &judged.suites["T0"];
        assert_eq!((first.passed, first.failed.as_slice()), (1, ["b(): no".to_owned()].as_slice()));
        assert_eq!(first.cover.lines[&("A".to_owned(), 3)], 1);
        assert_eq!(judged.suites["T1"], Shown::default());
    }
}
