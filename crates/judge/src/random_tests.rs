//! Tests to compare: random ones, and some that were mutated until they reached what no test before them reached.

use std::path::PathBuf;

use bytecode::probe_map::{OutcomeId, ProbeId};
use serde::{Deserialize, Serialize};
use testcase::cluster::TestCluster;
use testcase::execution::{ExecutionResult, Executor};
use testcase::factory::TestFactory;
use testcase::factory::options::FactoryOptions;
use testcase::random::Random;
use testcase::recording::Recording;
use testcase::run_request::RunRequest;
use testcase::test_case::TestCase;

use crate::setup::Setup;

/// Probability that a test is a changed one, not a new one.
const CHANGED: f64 = 0.6;

/// How many tests, out of how many.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Choice {
    /// Tests that are wanted.
    pub(crate) tests: usize,
    /// Executions from which they are chosen.
    pub(crate) executions: usize,
    /// Seed.
    pub(crate) seed: u64,
}

/// Options of judges that look at random tests in a process of their own.
#[derive(Debug, clap::Args)]
pub(crate) struct RandomTestOptions {
    /// Tests of each class. Default: as many as tell something in a few minutes.
    #[arg(long)]
    tests: Option<usize>,
    /// Executions from which they are chosen. Default: some dozens for each test.
    #[arg(long)]
    executions: Option<usize>,
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    pub(crate) setup: Setup,
    /// Folder for `README.md` and tables. Default: none is kept.
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
    /// For the process with the JVM in it: its job.
    #[arg(long, hide = true)]
    pub(crate) worker: Option<String>,
}

impl RandomTestOptions {
    /// What was asked for, or so many tests out of so many executions.
    pub(crate) fn choice(&self, tests: usize, executions: usize) -> Choice {
        Choice {
            tests: self.tests.unwrap_or(tests),
            executions: self.executions.unwrap_or(executions),
            seed: self.seed,
        }
    }
}

/// Makes tests.
pub(crate) struct RandomTests<'a> {
    pub(crate) cluster: &'a TestCluster,
    pub(crate) probes: usize,
    pub(crate) outcomes: usize,
}

/// The tests made.
pub(crate) struct Made {
    pub(crate) tests: Vec<TestCase>,
    /// Executions that exceeded a limit or ended the JVM; they are not among the tests.
    pub(crate) beyond_limits: usize,
}

impl RandomTests<'_> {
    /// Runs as many tests as the choice says, and gives as many of them as it wants: first those that reached something
    /// new, up to half, then others, evenly over the run.
    pub(crate) fn make(&self, executor: &mut dyn Executor, choice: &Choice) -> Made {
        let mut factory = TestFactory::new(self.cluster, FactoryOptions::default());
        let mut random = Random::new(choice.seed, 0);
        let mut result = ExecutionResult::new(self.probes, self.outcomes);
        let mut reached = Reached { probes: vec![false; self.probes], outcomes: vec![false; self.outcomes] };
        // With each the number of its statements that completed.
        let mut corpus: Vec<(TestCase, usize)> = Vec::new();
        let mut others: Vec<TestCase> = Vec::new();
        let mut beyond_limits = 0;
        for _ in 0..choice.executions {
            let mut test = match random.chance(CHANGED).then(|| random.choose(&corpus).cloned()).flatten() {
                Some((mut test, executed)) => {
                    factory.mutate(&mut test, executed, &mut random);
                    test
                }
                None => factory.random_test(&mut random),
            };
            executor.execute(&test, &RunRequest::default(), &mut result);
            if !result.is_valid() {
                beyond_limits += 1;
                continue;
            }
            factory.pools_mut().observe(&result.trace.operands);
            test.truncate(result.executed + 1);
            if reached.adds(&result) {
                corpus.push((test, result.executed));
            } else if !test.is_empty() {
                others.push(test);
            }
        }
        let mut chosen: Vec<TestCase> = corpus.into_iter().map(|(test, _)| test).collect();
        // The later ones reach further.
        let surplus = chosen.len().saturating_sub(choice.tests / 2);
        chosen.drain(..surplus);
        let room = choice.tests - chosen.len();
        let step = (others.len() / room.max(1)).max(1);
        chosen.extend(others.into_iter().step_by(step).take(room));
        Made { tests: chosen, beyond_limits }
    }
}

/// Runs tests once more and records them; those without a recording of all that a valid run did are left out.
pub(crate) fn record<'t>(
    tests: &'t [TestCase],
    executor: &mut dyn Executor,
    mut result: ExecutionResult,
) -> Vec<(&'t TestCase, Box<Recording>)> {
    let mut recorded = Vec::new();
    for test in tests {
        executor.execute(test, &RunRequest::brief().recorded(), &mut result);
        let is_valid = result.is_valid();
        let recording = result.recording.take().filter(|recording| recording.is_complete && is_valid);
        recorded.extend(recording.map(|recording| (test, recording)));
    }
    recorded
}

/// What was reached before.
struct Reached {
    probes: Vec<bool>,
    outcomes: Vec<bool>,
}

impl Reached {
    /// Adds what a run reached; whether something of it is new.
    fn adds(&mut self, result: &ExecutionResult) -> bool {
        let mut any = false;
        for &ProbeId(probe) in result.trace.touched() {
            any |= !std::mem::replace(&mut self.probes[probe as usize], true);
        }
        for &outcome in result.trace.reached() {
            if result.trace.distance(outcome) == 0.0 {
                let OutcomeId(number) = outcome;
                any |= !std::mem::replace(&mut self.outcomes[number as usize], true);
            }
        }
        any
    }
}
