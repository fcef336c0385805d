//! `cargo xtask bench executor`: tests of ten calls on an instrumented class, run over and over.

#![expect(clippy::print_stdout, reason = "its result is printed")]

use std::hint::black_box;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use bytecode::analysis::AnalysisOptions;
use clap::Parser;
use experiment::console::{parse, say};
use experiment::maven;
use experiment::subject;
use serde::{Deserialize, Serialize};
use testcase::execution::{ExecutionResult, Executor, Outcome};
use testcase::factory::TestFactory;
use testcase::factory::options::FactoryOptions;
use testcase::random::Random;
use testcase::run_request::RunRequest;
use testcase::statement::Statement;
use testcase::test_case::TestCase;

use crate::bench::process::{answer, ask, median, processor_time, thread_time};
use crate::bench::setup::{ClassOptions, Ready};

/// Calls of a test.
const CALLS: usize = 10;

/// Random tests that are looked at for such that fit.
const TRIES: usize = 200_000;

/// Options of `bench executor`.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench executor")]
struct Options {
    /// List of subjects: a CSV with the columns project, coords (group:artifact:version) and class. Default: the
    /// class of the fixture `fixtures/bench/Account.java`.
    #[arg(long)]
    subjects: Option<PathBuf>,
    /// Only classes whose name contains this.
    #[arg(long, default_value = "")]
    only: String,
    #[command(flatten)]
    class: ClassOptions,
    /// Different tests.
    #[arg(long, default_value_t = 200)]
    tests: usize,
    /// Times that all tests run before measuring, so that the JVM has compiled what it will.
    #[arg(long, default_value_t = 200)]
    warm_up: u32,
    /// Times that all tests run in a round.
    #[arg(long, default_value_t = 100)]
    repetitions: u32,
    /// Rounds; the fastest counts.
    #[arg(long, default_value_t = 12)]
    rounds: u32,
}

/// What running tests of a class came to.
#[derive(Debug, Serialize, Deserialize)]
struct Figures {
    /// Different tests.
    tests: usize,
    statements: f64,
    /// Tests a second of this thread's processor time, and of the whole process's.
    thread: f64,
    process: f64,
    /// Nanoseconds of a test without statements.
    empty: f64,
}

const ACCOUNT: &str = include_str!("../../../fixtures/bench/Account.java");

/// Runs the benchmark.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    if options.class.class.is_some() {
        return answer(move || measure(&options));
    }
    println!(
        "{:<60} {:>6} {:>11} {:>9} {:>9} {:>9}",
        "class", "tests", "statements", "tests/s", "process", "empty ns"
    );
    let mut rows = Vec::new();
    for (class, class_path) in classes(&options)? {
        match of_class(&options, &class_path, &class) {
            Ok(row) => {
                println!(
                    "{class:<60} {:>6} {:>11.1} {:>9.0} {:>9.0} {:>9.0}",
                    row.tests, row.statements, row.thread, row.process, row.empty
                );
                rows.push(row);
            }
            Err(error) => say(&format!("{class}: {error:#}")),
        }
    }
    println!("median: {:.0} tests/s", median(rows.iter().map(|row| row.thread).collect()));
    Ok(())
}

fn classes(options: &Options) -> Result<Vec<(String, Vec<PathBuf>)>> {
    let Some(list) = &options.subjects else {
        let compiled = fixture::compile(&format!("//- /bench/Account.java\n{ACCOUNT}"));
        return Ok(vec![("bench.Account".to_owned(), vec![compiled.folder.clone()])]);
    };
    subject::read(list, &options.only)?
        .into_iter()
        .map(|subject| Ok((subject.class, maven::resolve(&subject.coordinates)?)))
        .collect()
}

fn of_class(options: &Options, class_path: &[PathBuf], class: &str) -> Result<Figures> {
    let mut words = vec!["bench".to_owned(), "executor".to_owned()];
    words.extend(options.class.words_for(class_path, class));
    for (name, value) in
        [("--warm-up", options.warm_up), ("--repetitions", options.repetitions), ("--rounds", options.rounds)]
    {
        words.extend([name.to_owned(), value.to_string()]);
    }
    words.extend(["--tests".to_owned(), options.tests.to_string()]);
    ask(&words)
}

/// Measures in this process.
fn measure(options: &Options) -> Result<Figures> {
    let mut ready = Ready::new(&options.class, AnalysisOptions::default())?;
    let mut result = ExecutionResult::new(ready.probes, ready.outcomes);
    let tests = tests(&mut ready, &mut result, options.tests);
    ensure!(!tests.is_empty(), "no random test has {CALLS} calls and passes");
    let executor = &mut ready.executor;
    let mut run = |tests: &[TestCase], repetitions: u32| {
        for _ in 0..repetitions {
            for test in tests {
                executor.execute(black_box(test), &RunRequest::default(), &mut result);
            }
        }
    };
    run(&tests, options.warm_up);
    let empty = [TestCase::default()];
    let (mut thread, mut process, mut nothing) = (f64::MAX, f64::MAX, f64::MAX);
    let in_round = options.repetitions * u32::try_from(tests.len())?;
    for _ in 0..options.rounds.max(1) {
        let (of_thread, of_process) = (thread_time(), processor_time());
        run(&tests, options.repetitions);
        thread = thread.min(thread_time().saturating_sub(of_thread).as_secs_f64());
        process = process.min(processor_time().saturating_sub(of_process).as_secs_f64());
        let of_thread = thread_time();
        run(&empty, in_round);
        nothing = nothing.min(thread_time().saturating_sub(of_thread).as_secs_f64());
    }
    let statements: usize = tests.iter().map(TestCase::len).sum();
    Ok(Figures {
        tests: tests.len(),
        statements: statements as f64 / tests.len() as f64,
        thread: f64::from(in_round) / thread,
        process: f64::from(in_round) / process,
        empty: 1e9 * nothing / f64::from(in_round),
    })
}

/// Random tests of ten calls that pass and touch nothing outside.
fn tests(ready: &mut Ready, result: &mut ExecutionResult, wanted: usize) -> Vec<TestCase> {
    let mut factory = TestFactory::new(&ready.cluster, FactoryOptions::default());
    let mut random = Random::new(0, 0);
    let mut found = Vec::new();
    for _ in 0..TRIES {
        let test = factory.random_test(&mut random);
        let calls = test.statements().iter().filter(|statement| is_call(statement)).count();
        if calls != CALLS {
            continue;
        }
        ready.executor.execute(&test, &RunRequest::default(), result);
        if result.outcome == Outcome::Passed {
            found.push(test);
        }
        if found.len() == wanted {
            break;
        }
    }
    found
}

fn is_call(statement: &Statement) -> bool {
    statement.callable().is_some()
}
