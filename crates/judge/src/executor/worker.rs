//! The executor's side: a process with a JVM in it makes tests, runs them, reads what can be read of them, and prints
//! them as Java.

use output::asserted_test::AssertedTest;
use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context as _, Result, anyhow};
use bytecode::analysis::ProbeIds;
use bytecode::probe_map::ProbeMap;
use coverage::goal::GoalSet;
use jvm::executor::JvmExecutor;
use output::junit::printed::{PrintedSuite, PrintedTest};
use output::junit::style::JunitStyle;
use output::junit::writer::JunitWriter;
use testcase::cluster::listing::TestText;

use super::covered::{covered, goals_by_line};
use super::observed::{Seen, see};
use super::record::{Job, Method, Record, TestRecord};
use crate::random_tests::RandomTests;
use crate::started::{Started, World, as_process};

/// Does the job in this process and writes the record and the sources into its folder.
pub(super) fn run(job: &Job) -> Result<()> {
    as_process(&job.folder.join("record.json"), || judge(job))
}

fn judge(job: &Job) -> Result<Record> {
    let Started { world, executor, ids } =
        crate::started::start(&job.class, &job.class_path, &job.java_home, &job.folder)?;
    let goals = coverage::criterion::goals(&["branch", "line"], &world.maps)?;
    Executing { world, goals }.record(job, executor, ids)
}

/// A class with the goals that are compared.
struct Executing {
    world: World,
    goals: GoalSet,
}

impl Executing {
    fn record(&self, job: &Job, mut executor: JvmExecutor, ids: ProbeIds) -> Result<Record> {
        let mut aside: BTreeMap<String, usize> = BTreeMap::new();
        let mut unsaid = 0;
        let (mut tests, mut seen) = (Vec::new(), Vec::new());
        let made = RandomTests {
            cluster: &self.world.cluster,
            probes: ids.probes as usize,
            outcomes: ids.outcomes as usize,
        }
        .make(&mut executor, &job.choice);
        for test in made.tests {
            match see(&self.world.cluster, test, &mut executor, (ids.probes as usize, ids.outcomes as usize))
            {
                Ok(Seen { test, dropped, trace }) => {
                    unsaid += dropped;
                    seen.push(covered(&self.world.maps, &trace));
                    tests.push(test);
                }
                Err(reason) => *aside.entry(reason).or_default() += 1,
            }
        }
        let writer = JunitWriter::new(
            &self.world.cluster,
            &self.world.hierarchy,
            &self.goals,
            self.world.class_under_test.clone(),
            JunitStyle::Jupiter,
        );
        let asserted = writer.write(&tests);
        let bare: Vec<AssertedTest> =
            tests.iter().map(|test| AssertedTest { assertions: Vec::new(), ..test.clone() }).collect();
        let bare = writer.write(&bare);
        for refused in &asserted.refused {
            *aside.entry(format!("not printed: {}", refused.reason)).or_default() += 1;
        }
        write_source(job, "asserted", &asserted)?;
        write_source(job, "bare", &bare)?;
        let mut diagnostics = executor.take_diagnostics();
        if executor.is_tainted() {
            diagnostics.push("the JVM is tainted".to_owned());
        }
        let mut record = Record {
            goal_classes: self.world.maps.iter().map(|map| map.class.binary()).collect(),
            test_class: asserted.class.binary(),
            source: asserted.path(),
            goals: goals_by_line(&self.world.maps),
            skipped: self.world.maps.iter().flat_map(skipped).collect(),
            beyond_limits: made.beyond_limits,
            tests: Vec::new(),
            aside,
            unsaid,
            diagnostics,
        };
        for printed in &asserted.tests {
            let twin = bare.test(printed.test);
            let twin = twin.ok_or_else(|| anyhow!("a test is printed with assertions but not without"))?;
            let test = &tests[printed.test];
            record.unsaid += printed.unsaid.len();
            record.tests.push(TestRecord {
                asserted: method(printed),
                bare: method(twin),
                thrown: test.expected.as_ref().map(|thrown| thrown.class.binary()),
                assertions: printed.assertions.len(),
                covered: seen[printed.test].clone(),
                text: TestText(&self.world.cluster, &test.test).to_string(),
            });
        }
        Ok(record)
    }
}

fn skipped(map: &ProbeMap) -> Vec<String> {
    map.skipped
        .iter()
        .map(|method| format!("{}.{}: {}", map.class.binary(), method.method, method.reason))
        .collect()
}

fn method(printed: &PrintedTest) -> Method {
    let (first_line, last_line) = printed.lines.clone().into_inner();
    Method { name: printed.method.clone(), first_line, last_line }
}

fn write_source(job: &Job, folder: &str, suite: &PrintedSuite) -> Result<()> {
    let path = job.folder.join(folder).join("src").join(suite.path());
    fs::create_dir_all(path.parent().context("a file has a folder")?)?;
    fs::write(path, &suite.text)?;
    Ok(())
}
