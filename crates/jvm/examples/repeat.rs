//! Judges the executor on real classes: runs random tests, then the same tests in another order, and lists those whose
//! results differ; with the speed of both.
//!
//! `cargo run --release -p jvm --example repeat -- [--tests N] [--seed N] [--steps N] [--check-jni] CLASS_PATH CLASS…`

#![expect(clippy::print_stdout, reason = "the report is what the example is for")]
#![expect(clippy::disallowed_methods, reason = "it measures, and starts itself once per class")]

use bytecode::analysis::AnalysisOptions;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use bytecode::class_path::ClassPath;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use bytecode::probe_layout::ProbeLayout;
use jvm::executor::JvmExecutor;
use jvm::home::JavaHome;
use jvm::options::JvmOptions;
use subject::nest::Nest;
use testcase::cluster::TestCluster;
use testcase::cluster::build::Mockable;
use testcase::cluster::listing::TestText;
use testcase::execution::{ExecutionResult, Executor, Outcome};
use testcase::factory::TestFactory;
use testcase::factory::options::FactoryOptions;
use testcase::random::Random;
use testcase::run_request::RunRequest;
use testcase::test_case::TestCase;

/// What a run reported, as far as it must repeat.
type Report = (Outcome, usize, u16, Vec<(u32, u32)>, Vec<(u32, u64)>);

#[derive(Debug, Clone)]
struct Settings {
    tests: usize,
    seed: u64,
    steps: Option<u64>,
    check_jni: bool,
    class_path: Vec<PathBuf>,
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let check_jni = take_flag(&mut arguments, "--check-jni");
    let steps = take_value(&mut arguments, "--steps");
    let tests = take_value(&mut arguments, "--tests").unwrap_or(2000);
    let seed = take_value(&mut arguments, "--seed").unwrap_or(0);
    let Some((class_path, classes)) = arguments.split_first() else {
        println!("usage: repeat [--tests N] [--seed N] [--steps N] [--check-jni] CLASS_PATH CLASS…");
        return;
    };
    if let [class] = classes {
        // The code under test prints as well.
        let mut report = File::from(rustix::io::dup(rustix::stdio::stdout()).expect("standard output"));
        processes::streams::silence().expect("the null device");
        let class_path = class_path.split(':').map(PathBuf::from).collect();
        let settings = Settings { tests: tests as usize, seed, steps, check_jni, class_path };
        let class = class.clone();
        let text = jvm::vm::run_on_big_stack(move || judge(&settings, &class)).expect("the thread starts");
        writeln!(report, "{text}").expect("standard output");
        jvm::watchdog::leave_process(0);
    }
    // One process per class: a process has one JVM.
    for class in classes {
        let mut command = Command::new(std::env::current_exe().expect("it knows its own path"));
        command.args(["--tests", &tests.to_string(), "--seed", &seed.to_string()]);
        command.args(check_jni.then_some("--check-jni"));
        if let Some(steps) = steps {
            command.args(["--steps", &steps.to_string()]);
        }
        command.args([class_path, class]);
        let status = command.status().expect("it starts again");
        if !status.success() {
            println!("{class}: {status}");
        }
    }
}

fn take_flag(arguments: &mut Vec<String>, name: &str) -> bool {
    let found = arguments.iter().position(|argument| argument == name);
    found.map(|at| arguments.remove(at)).is_some()
}

fn take_value(arguments: &mut Vec<String>, name: &str) -> Option<u64> {
    let at = arguments.iter().position(|argument| argument == name)?;
    arguments.remove(at);
    arguments.remove(at).parse().ok()
}

/// Runs the tests; gives the report.
fn judge(settings: &Settings, class: &str) -> String {
    let home = JavaHome::find(&fixture::java_home()).expect("a JDK");
    let class_path =
        ClassPath::open(home.path(), home.version(), &settings.class_path).expect("a class path");
    let hierarchy = ClassHierarchy::new(Arc::new(class_path));
    let class_under_test = ClassName::from_binary(class);
    let nest = Nest::of(&hierarchy, &class_under_test, AnalysisOptions::default());
    let cluster = match nest.cluster(&hierarchy, class_under_test, Mockable::Nothing) {
        Ok(cluster) => Arc::new(cluster),
        Err(error) => return format!("{class}: {error}"),
    };
    let Nest { classes, maps, ids, statics, .. } = nest;
    let scratch = tempfile::tempdir().expect("a folder");
    let mut options = JvmOptions::new(home, settings.class_path.clone(), scratch.path().to_owned());
    options.check_jni = settings.check_jni;
    if let Some(steps) = settings.steps {
        options.steps = u32::try_from(steps).unwrap_or(u32::MAX);
    }
    let layout = ProbeLayout::new(&maps, ids);
    let mut result = ExecutionResult::new(layout.probes(), layout.outcomes());
    let start = Instant::now();
    let executor = JvmExecutor::start(&options, Arc::clone(&cluster), classes, layout, statics);
    let mut executor = executor.expect("the JVM starts");
    let started = start.elapsed();
    let mut random = Random::new(settings.seed, 0);
    let tests: Vec<TestCase> = {
        let mut factory = TestFactory::new(&cluster, FactoryOptions::default());
        (0..settings.tests).map(|_| factory.random_test(&mut random)).collect()
    };
    let mut run = |test: &TestCase| -> Report {
        executor.execute(test, &RunRequest::default(), &mut result);
        report(&result)
    };
    let start = Instant::now();
    let first: Vec<Report> = tests.iter().map(&mut run).collect();
    let first_time = start.elapsed();
    let mut order: Vec<usize> = (0..tests.len()).collect();
    random.shuffle(&mut order);
    let start = Instant::now();
    let again: BTreeMap<usize, Report> = order.into_iter().map(|index| (index, run(&tests[index]))).collect();
    let again_time = start.elapsed();
    let different: Vec<usize> =
        again.iter().filter(|(index, report)| first[**index] != **report).map(|(index, _)| *index).collect();
    let per_second = |time: std::time::Duration| tests.len() as f64 / time.as_secs_f64();
    let mut text = format!(
        "{class}: {} of {} differ; start {} ms, {:.0} then {:.0} tests/s; {}{}",
        different.len(),
        tests.len(),
        started.as_millis(),
        per_second(first_time),
        per_second(again_time),
        outcomes(&first),
        if executor.is_tainted() { ", tainted" } else { "" },
    );
    for sentence in executor.take_diagnostics() {
        let _ = write!(text, "\n  {sentence}");
    }
    for index in different.into_iter().take(3) {
        text.push_str(&describe(&cluster, &tests[index], &first[index], &again[&index]));
    }
    text
}

fn report(result: &ExecutionResult) -> Report {
    let trace = &result.trace;
    let mut hits: Vec<(u32, u32)> =
        trace.touched().iter().map(|probe| (probe.0, trace.count(*probe))).collect();
    let mut distances: Vec<(u32, u64)> =
        trace.reached().iter().map(|outcome| (outcome.0, trace.distance(*outcome).to_bits())).collect();
    hits.sort_unstable();
    distances.sort_unstable();
    (result.outcome.clone(), result.executed, result.touched.0, hits, distances)
}

fn outcomes(reports: &[Report]) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (outcome, ..) in reports {
        let name = match outcome {
            Outcome::Passed => "passed".to_owned(),
            Outcome::Threw(thrown) => format!("threw by {:?}", thrown.origin),
            Outcome::TimedOut => "timed out".to_owned(),
            Outcome::Exited => "exited".to_owned(),
        };
        *counts.entry(name).or_default() += 1;
    }
    let texts: Vec<String> = counts.into_iter().map(|(name, count)| format!("{count} {name}")).collect();
    texts.join(", ")
}

fn describe(cluster: &TestCluster, test: &TestCase, first: &Report, again: &Report) -> String {
    let missing = |one: &Report, other: &Report| one.3.iter().filter(|hit| !other.3.contains(hit)).count();
    format!(
        "\n{}  first {:?} {} {}\n  again {:?} {} {}\n  hits only first {}, only again {}",
        TestText(cluster, test),
        first.0,
        first.1,
        first.2,
        again.0,
        again.1,
        again.2,
        missing(first, again),
        missing(again, first)
    )
}
