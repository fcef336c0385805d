//! `cargo xtask bench search`: the whole search on real classes, a process per class: tests a second, the work on a
//! test outside its execution, and the share of each phase.
//!
//! Rounds with the same seed and a budget in executions must find the same tests; the bench fails where they do not.

#![expect(clippy::print_stdout, reason = "its result is printed")]
#![expect(clippy::disallowed_methods, reason = "a chore writes files")]

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ::search::algorithm::algorithm;
use ::search::budget::{Budget, Limit};
use ::search::context::SearchEnvironment;
use ::search::options::SearchOptions;
use ::search::phase::{Phase, PhaseTimes};
use ::search::search::{Search, SearchRequest, StepOutcome};
use anyhow::{Result, ensure};
use bytecode::analysis::{AnalysisOptions, fnv_1a};
use clap::Parser;
use coverage::criterion::goals;
use coverage::goal_graph::GoalGraph;
use coverage::selection::{GoalSelection, LINE_THRESHOLD, guiding};
use experiment::console::{parse, say};
use experiment::maven;
use experiment::subject;
use jvm::executor::JvmExecutor;
use serde::{Deserialize, Serialize};
use testcase::assertion::ObservationPoint;
use testcase::execution::{ExecutionResult, Executor, Observations, Outcome, SeenException};
use testcase::factory::TestFactory;
use testcase::factory::options::FactoryOptions;
use testcase::random::Random;
use testcase::run_request::RunRequest;
use testcase::test_case::TestCase;

use crate::bench::process::{
    answer, ask, cost_of_thread_time, median, processor_time, thread_time, wall_time,
};
use crate::bench::setup::{ClassOptions, Ready};

/// Options of `bench search`.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench search")]
struct Options {
    /// List of subjects: a CSV with the columns project, coords (group:artifact:version) and class.
    #[arg(long)]
    subjects: Option<PathBuf>,
    /// Only classes whose name contains this.
    #[arg(long, default_value = "")]
    only: String,
    #[command(flatten)]
    class: ClassOptions,
    /// Algorithm.
    #[arg(long, default_value = "dynamosa")]
    algorithm: String,
    /// Which goals guide: combine, smart or representatives.
    #[arg(long, default_value = "combine", value_parser = selection)]
    goal_selection: GoalSelection,
    /// Executions per class.
    #[arg(long, default_value_t = 60_000)]
    executions: u64,
    /// Seconds per class after which it ends all the same.
    #[arg(long, default_value_t = 30.0)]
    most_seconds: f64,
    /// Measurements of each class; the fastest counts.
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Seed.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Write the figures to this file, as CSV.
    #[arg(long)]
    csv: Option<PathBuf>,
}

fn selection(name: &str) -> Result<GoalSelection, String> {
    GoalSelection::from_name(name).ok_or_else(|| "it is combine, smart or representatives".to_owned())
}

/// What a search of a class came to.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Figures {
    executions: u64,
    /// Seconds of the clock, of this thread, and of all threads of the process with the JVM's own.
    wall: f64,
    thread: f64,
    process: f64,
    goals: usize,
    covered: usize,
    /// Microseconds per test by phase: processor time of this thread.
    phases: [f64; Phase::ALL.len()],
    /// Tests that were stopped, and their share of the time of all executions.
    stopped: u64,
    stopped_share: f64,
    /// Of everything in the archive.
    digest: u64,
    was_cut_short: bool,
}

impl Figures {
    /// Tests a second of one core: what the JVM does on other threads counts.
    fn per_second(&self) -> f64 {
        self.executions as f64 / self.process.max(f64::MIN_POSITIVE)
    }

    /// Microseconds per test outside its execution.
    fn outside(&self) -> f64 {
        self.phases.iter().sum::<f64>() - self.phases[Phase::Execution as usize]
    }

    fn share(&self, phase: Phase) -> f64 {
        self.phases[phase as usize] / self.phases.iter().sum::<f64>().max(f64::MIN_POSITIVE)
    }
}

/// Runs the benchmark.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let Some(options) = parse::<Options>(words)? else { return Ok(()) };
    let Some(list) = &options.subjects else {
        return answer(move || measure(&options));
    };
    let mut rows: Vec<(String, Figures)> = Vec::new();
    print_head();
    for subject in subject::read(list, &options.only)? {
        let class_path = maven::resolve(&subject.coordinates)?;
        match best(&options, &class_path, &subject.class) {
            Ok(figures) => {
                print_row(&subject.class, &figures);
                rows.push((subject.class, figures));
            }
            Err(error) => say(&format!("{}: {error:#}", subject.class)),
        }
    }
    print_medians(&rows);
    if let Some(path) = &options.csv {
        std::fs::write(path, csv(&rows))?;
    }
    Ok(())
}

/// The fastest of the rounds, each in a process of its own.
fn best(options: &Options, class_path: &[PathBuf], class: &str) -> Result<Figures> {
    let mut words = vec!["bench".to_owned(), "search".to_owned()];
    words.extend(options.class.words_for(class_path, class));
    words.extend(["--executions".to_owned(), options.executions.to_string()]);
    words.extend(["--most-seconds".to_owned(), options.most_seconds.to_string()]);
    words.extend(["--seed".to_owned(), options.seed.to_string()]);
    words.extend(["--algorithm".to_owned(), options.algorithm.clone()]);
    words.extend(["--goal-selection".to_owned(), options.goal_selection.name().to_owned()]);
    let mut best: Option<Figures> = None;
    for _ in 0..options.rounds.max(1) {
        let figures: Figures = ask(&words)?;
        if let Some(best) = &best {
            let is_same = best.digest == figures.digest || best.was_cut_short || figures.was_cut_short;
            ensure!(is_same, "two searches with the same seed found different tests");
        }
        if best.as_ref().is_none_or(|best| figures.process < best.process) {
            best = Some(figures);
        }
    }
    best.ok_or_else(|| anyhow::anyhow!("no round"))
}

/// Searches once, in this process.
fn measure(options: &Options) -> Result<Figures> {
    // The basic blocks of lines are told by their statements.
    let statements = options.goal_selection == GoalSelection::Smart;
    let mut ready = Ready::new(&options.class, AnalysisOptions { statements, ..AnalysisOptions::default() })?;
    let cluster = Arc::clone(&ready.cluster);
    let criteria = &options.class.criteria;
    let goals = goals(criteria, &ready.maps)?;
    let mut graph = GoalGraph::new(&ready.maps, &goals, true);
    let selection = (criteria.as_slice(), options.goal_selection);
    let row = algorithm(&options.algorithm)?;
    graph.guide_by(&guiding(&goals, &ready.maps, selection, row.follows_control, LINE_THRESHOLD));
    let mut search = Search::new(SearchRequest {
        algorithm: &options.algorithm,
        goals: goals.clone(),
        maps: &ready.maps,
        graph: &graph,
        cluster: &cluster,
        probes: ready.probes,
        outcomes: ready.outcomes,
        seeds: Vec::new(),
        test_searches: Vec::new(),
        options: SearchOptions::default(),
    })?;
    let mut factory = TestFactory::new(&cluster, FactoryOptions::default());
    let class = options.class.class.as_deref().unwrap_or_default();
    let mut random = Random::new(options.seed, fnv_1a(class.as_bytes()));
    let mut budget = Budget::new(Limit::Executions(options.executions), Arc::default());
    let (wall, thread, process) = (wall_time(), thread_time(), processor_time());
    let mut was_cut_short = false;
    let mut timed = TimedExecutor::new(&mut ready.executor);
    loop {
        let outcome = search.step(&mut SearchEnvironment {
            executor: &mut timed,
            source: &mut factory,
            random: &mut random,
            budget: &mut budget,
            events: &mut |_| (),
        });
        // A class whose goals are all covered is searched no further.
        if outcome != StepOutcome::Running {
            break;
        }
        if wall_time().saturating_sub(wall).as_secs_f64() > options.most_seconds
            || timed.executor.is_tainted()
        {
            was_cut_short = true;
            break;
        }
    }
    let seconds = |since: Duration, now: Duration| now.saturating_sub(since).as_secs_f64();
    let thread = seconds(thread, thread_time());
    let process = seconds(process, processor_time());
    let phases = phases(search.phases(), thread, &timed, budget.executions());
    let mut hasher = DefaultHasher::new();
    for (archived, goals) in search.archive().tests() {
        format!("{:?} {goals:?}", archived.test).hash(&mut hasher);
    }
    Ok(Figures {
        executions: budget.executions(),
        wall: seconds(wall, wall_time()),
        thread,
        process,
        goals: goals.len(),
        covered: search.archive().covered().len(),
        phases,
        stopped: timed.stopped,
        stopped_share: timed.stopped_time.as_secs_f64() / timed.time.as_secs_f64().max(f64::MIN_POSITIVE),
        digest: hasher.finish(),
        was_cut_short,
    })
}

/// Microseconds per test by phase. The search times its phases by the clock, which runs on while other processes have
/// the core. So the time of executions is measured apart, as processor time, and what is left of the thread's is
/// divided among the other phases as the clock has it. Of the two questions for the time of an execution one lies in it and one outside,
/// about: they are no work on a test.
fn phases(
    times: PhaseTimes,
    thread: f64,
    timed: &TimedExecutor<'_>,
    executions: u64,
) -> [f64; Phase::ALL.len()] {
    let asking = cost_of_thread_time().as_secs_f64();
    let timed = timed.seconds_per_test();
    let execution = (timed - asking).max(0.0);
    let outside = (thread / executions.max(1) as f64 - timed - asking).max(0.0);
    let share_outside = 1.0 - times.share(Phase::Execution);
    Phase::ALL.map(|phase| {
        let seconds = match phase {
            Phase::Execution => execution,
            Phase::Generation | Phase::Archive | Phase::Fitness | Phase::Ranking => {
                outside * times.share(phase) / share_outside.max(f64::MIN_POSITIVE)
            }
        };
        1e6 * seconds
    })
}

/// Times executions. Asking for processor time is a system call, so that they appear longer than they are by what that costs
/// ([`cost_of_thread_time`]).
struct TimedExecutor<'a> {
    executor: &'a mut JvmExecutor,
    executions: u64,
    time: Duration,
    stopped: u64,
    stopped_time: Duration,
}

impl<'a> TimedExecutor<'a> {
    fn new(executor: &'a mut JvmExecutor) -> Self {
        Self { executor, executions: 0, time: Duration::ZERO, stopped: 0, stopped_time: Duration::ZERO }
    }

    fn time(
        &mut self,
        result: &mut ExecutionResult,
        run: impl FnOnce(&mut JvmExecutor, &mut ExecutionResult),
    ) {
        let start = thread_time();
        run(self.executor, result);
        let spent = thread_time().saturating_sub(start);
        self.executions += 1;
        self.time += spent;
        if result.outcome == Outcome::TimedOut {
            self.stopped += 1;
            self.stopped_time += spent;
        }
    }

    fn seconds_per_test(&self) -> f64 {
        self.time.as_secs_f64() / self.executions.max(1) as f64
    }
}

impl Executor for TimedExecutor<'_> {
    fn execute(&mut self, test: &TestCase, request: &RunRequest, result: &mut ExecutionResult) {
        self.time(result, |executor, result| executor.execute(test, request, result));
    }

    fn exceptions(&self) -> &[SeenException] {
        self.executor.exceptions()
    }

    fn observe(&mut self, test: &TestCase, points: &[ObservationPoint]) -> Observations {
        self.executor.observe(test, points)
    }
}

fn print_head() {
    let phases: String = Phase::ALL.iter().fold(String::new(), |mut text, phase| {
        let _ = write!(text, " {:>10}", phase.name());
        text
    });
    println!(
        "{:<60} {:>9} {:>8} {:>8} {:>8}{phases} {:>8} {:>11}  digest",
        "class", "tests", "tests/s", "µs/test", "outside", "stopped", "covered"
    );
}

fn print_row(class: &str, figures: &Figures) {
    let shares: String = Phase::ALL.iter().fold(String::new(), |mut text, phase| {
        let _ = write!(text, " {:>9.1}%", 100.0 * figures.share(*phase));
        text
    });
    println!(
        "{class:<60} {:>9} {:>8.0} {:>8.2} {:>8.2}{shares} {:>7.1}% {:>5}/{:<5}  {:016x}{}",
        figures.executions,
        figures.per_second(),
        1e6 / figures.per_second(),
        figures.outside(),
        100.0 * figures.stopped_share,
        figures.covered,
        figures.goals,
        figures.digest,
        if figures.was_cut_short { " cut short" } else { "" },
    );
}

fn print_medians(rows: &[(String, Figures)]) {
    let of = |figure: &dyn Fn(&Figures) -> f64| median(rows.iter().map(|(_, row)| figure(row)).collect());
    println!(
        "median over {} classes: {:.0} tests/s of processor time, {:.0} by the clock; {:.2} µs a test outside execution",
        rows.len(),
        of(&Figures::per_second),
        of(&|row| row.executions as f64 / row.wall.max(f64::MIN_POSITIVE)),
        of(&Figures::outside),
    );
    for phase in Phase::ALL {
        println!("  {:<12} {:>5.1} %", phase.name(), 100.0 * of(&|row| row.share(phase)));
    }
}

fn csv(rows: &[(String, Figures)]) -> String {
    let mut text = "class,executions,tests_per_second,wall_s,thread_s,process_s,outside_us".to_owned();
    for phase in Phase::ALL {
        let _ = write!(text, ",{}_us", phase.name());
    }
    text.push_str(",stopped,stopped_share,covered,goals,digest\n");
    for (class, row) in rows {
        let _ = write!(
            text,
            "{class},{},{:.0},{:.4},{:.4},{:.4},{:.3}",
            row.executions,
            row.per_second(),
            row.wall,
            row.thread,
            row.process,
            row.outside()
        );
        for microseconds in row.phases {
            let _ = write!(text, ",{microseconds:.3}");
        }
        let _ = writeln!(
            text,
            ",{},{:.4},{},{},{:016x}",
            row.stopped, row.stopped_share, row.covered, row.goals, row.digest
        );
    }
    text
}
