//! The executor's side: a process with a JVM in it makes tests, runs them, reads what can be read of them, and prints
//! them as Java.

use output::asserted_test::AssertedTest;
use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow};
use bytecode::analysis::{AnalysisOptions, ProbeIds};
use bytecode::class_path::ClassPath;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use bytecode::probe_layout::ProbeLayout;
use bytecode::probe_map::ProbeMap;
use coverage::goal::GoalSet;
use jvm::executor::JvmExecutor;
use jvm::home::JavaHome;
use jvm::options::JvmOptions;
use output::junit::printed::{PrintedSuite, PrintedTest};
use output::junit::style::JunitStyle;
use output::junit::writer::JunitWriter;
use subject::nest::Nest;
use testcase::cluster::TestCluster;
use testcase::cluster::listing::TestText;

use super::covered::{covered, goals_by_line};
use super::observed::{Seen, see};
use super::random_tests::RandomTests;
use super::record::{Job, Method, Record, TestRecord};

/// Does the job in this process and writes the record and the sources into its folder.
pub(super) fn run(job: &Job) -> Result<()> {
    processes::worker::end_with_parent()?;
    processes::streams::silence()?;
    let record = jvm::vm::run_on_big_stack(|| judge(job))??;
    fs::write(job.folder.join("record.json"), serde_json::to_vec(&record)?)?;
    jvm::watchdog::leave_process(0)
}

/// What is known of the class before anything runs.
struct World {
    hierarchy: ClassHierarchy,
    class_under_test: ClassName,
    cluster: Arc<TestCluster>,
    maps: Vec<ProbeMap>,
    goals: GoalSet,
}

fn judge(job: &Job) -> Result<Record> {
    let home = JavaHome::find(&job.java_home)?;
    let class_path = ClassPath::open(home.path(), home.version(), &job.class_path)?;
    let hierarchy = ClassHierarchy::new(Arc::new(class_path));
    let class_under_test = ClassName::from_binary(&job.class);
    let nest = Nest::of(&hierarchy, &class_under_test, AnalysisOptions::default());
    let cluster = nest.cluster(&hierarchy, class_under_test.clone())?;
    let Nest { classes, maps, ids, statics, .. } = nest;
    let goals = coverage::criterion::goals(&["branch", "line"], &maps)?;
    let world = World { hierarchy, class_under_test, cluster: Arc::new(cluster), maps, goals };
    let scratch = job.folder.join("scratch");
    fs::create_dir_all(&scratch)?;
    let mut sandbox = processes::sandbox::SandboxOptions::new(scratch.clone());
    sandbox.writable.push(job.folder.clone());
    processes::sandbox::confine(&sandbox);
    let options = JvmOptions::new(home, job.class_path.clone(), scratch);
    let layout = ProbeLayout::new(&world.maps, ids);
    let executor = JvmExecutor::start(&options, Arc::clone(&world.cluster), classes, layout, statics)?;
    world.record(job, executor, ids)
}

impl World {
    fn record(&self, job: &Job, mut executor: JvmExecutor, ids: ProbeIds) -> Result<Record> {
        let mut aside: BTreeMap<String, usize> = BTreeMap::new();
        let mut unsaid = 0;
        let (mut tests, mut seen) = (Vec::new(), Vec::new());
        let made = RandomTests {
            cluster: &self.cluster,
            probes: ids.probes as usize,
            outcomes: ids.outcomes as usize,
        }
        .make(&mut executor, job);
        for test in made.tests {
            match see(&self.cluster, test, &mut executor, (ids.probes as usize, ids.outcomes as usize)) {
                Ok(Seen { test, dropped, trace }) => {
                    unsaid += dropped;
                    seen.push(covered(&self.maps, &trace));
                    tests.push(test);
                }
                Err(reason) => *aside.entry(reason).or_default() += 1,
            }
        }
        let writer = JunitWriter::new(
            &self.cluster,
            &self.hierarchy,
            &self.goals,
            self.class_under_test.clone(),
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
            goal_classes: self.maps.iter().map(|map| map.class.binary()).collect(),
            test_class: asserted.class.binary(),
            source: asserted.path(),
            goals: goals_by_line(&self.maps),
            skipped: self.maps.iter().flat_map(skipped).collect(),
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
                text: TestText(&self.cluster, &test.test).to_string(),
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
