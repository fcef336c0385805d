//! Suites of a class are verified as they come, and the best is on disk.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::Duration;

use coverage::goal::GoalId;
use output::report::SuiteAccount;

use super::job::FoundSuite;
use super::replay::{self, Disagreement, replay};
use super::suite_file::SuiteFile;
use super::{Shared, subject::Subject};
use crate::clock::Clock;
use crate::deliver::Delivery;
use crate::session::generate::Session;
use crate::session::time_plan::TimePlan;
use crate::verify::jvm::JvmError;
use crate::verify::lane::{Lane, Subject as Compiled};
use crate::verify::suite::{Dropped, PrintedSuite, Selection};
use crate::verify::verifier::{Orders, verify};

/// Time for a verification where executions are the budget: what a slow machine takes is no reason to lose the file.
const UNHURRIED: Duration = Duration::MAX;

/// Part of the time left that the verification of a suite in between may take.
const EARLY_SHARE: f64 = 0.25;

/// So many tests are verified however little time there seems to be.
const FEWEST_TESTS: usize = 10;

/// A file that was verified and written.
#[derive(Debug, Clone)]
pub(super) struct Delivered {
    /// Where it is.
    pub path: PathBuf,
    /// What it was printed from.
    pub file: SuiteFile,
    /// What was left out of it.
    pub selection: Selection,
    /// The text and its tests.
    pub printed: PrintedSuite,
    /// Goals that it covers.
    pub goals: BTreeSet<GoalId>,
}

impl Delivered {
    /// The first test method of the file that covers each goal.
    pub(super) fn tests(&self) -> BTreeMap<GoalId, &str> {
        let mut tests = BTreeMap::new();
        for test in &self.printed.tests {
            for goal in self.file.goals_shown(test) {
                tests.entry(goal).or_insert(test.method.as_str());
            }
        }
        tests
    }
}

/// What came out of all suites of a class.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The file on disk.
    pub delivered: Option<Delivered>,
    /// What became of the goals of the last suite that was verified.
    pub account: Option<SuiteAccount>,
    /// Time that verifying the last suite took.
    pub verify: Duration,
    /// What the user should know.
    pub diagnostics: Vec<String>,
    /// Why nothing was left of a suite, as long as there is no file.
    nothing: Option<String>,
}

/// Verifies and writes the suites of one class.
pub(super) struct Deliverer<'a> {
    pub shared: &'a Shared,
    pub subject: &'a std::sync::Arc<Subject>,
    pub session: &'a Session<'a>,
    pub clock: Clock,
}

impl Deliverer<'_> {
    /// Takes suites until no more come; of several that wait, the last.
    ///
    /// # Errors
    /// The file cannot be written, or no verification JVM can be had.
    pub(super) fn run(&self, suites: &Receiver<FoundSuite>) -> anyhow::Result<Outcome> {
        let mut lane = self.session.verifiers.take()?;
        // What verification costs is learned from the first suite: coming up is not part of it.
        lane.settle(self.remaining());
        let mut outcome = Outcome::default();
        while let Ok(mut suite) = suites.recv() {
            while let Ok(later) = suites.try_recv() {
                suite = later;
            }
            self.deliver(suite, &mut lane, &mut outcome)?;
        }
        outcome.diagnostics.extend(outcome.nothing.take());
        self.session.verifiers.put_back(lane);
        Ok(outcome)
    }

    /// Tests that can be verified in the time that is left; of a suite in between in a part of it, so that the last one
    /// does not wait.
    fn most_tests(&self, is_final: bool) -> usize {
        let (now, share) = (self.clock.now(), if is_final { 1.0 } else { EARLY_SHARE });
        self.plan().map_or(usize::MAX, |plan| plan.tests_to_verify(now, share).max(FEWEST_TESTS))
    }

    fn plan(&self) -> Option<TimePlan> {
        TimePlan::new(self.session.prepared.options.budget, self.shared.speeds())
    }

    /// Orders in which the tests run: each by itself as well where no time is short.
    fn orders(&self) -> Orders {
        Orders { seed: self.session.prepared.options.seed, alone: self.plan().is_none() }
    }

    fn remaining(&self) -> Duration {
        self.plan().map_or(UNHURRIED, |plan| plan.deadline().saturating_sub(self.clock.now()))
    }

    /// Verifies a suite and writes it. The last one runs again in a second worker meanwhile, and what disagrees is taken
    /// out.
    fn deliver(&self, suite: FoundSuite, lane: &mut Lane, outcome: &mut Outcome) -> anyhow::Result<()> {
        let is_final = suite.is_final;
        let file = SuiteFile::new(self.subject.clone(), &self.session.prepared.junit, suite);
        if !(is_final && self.has_time_for_replay(file.len())) {
            return self.verify_most(&file, is_final, lane, outcome);
        }
        let may_go_on = || self.remaining() > self.verification_of(file.len());
        let replayed = thread::scope(|scope| {
            let replayed = scope.spawn(|| replay(self.session, self.subject, file.suite(), &may_go_on));
            self.verify_most(&file, is_final, lane, outcome)?;
            replayed.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })?;
        if replayed.is_empty() {
            return Ok(());
        }
        let most = self.most_tests(is_final).min(file.len());
        match self.verify(&file, most, Some(&replayed), lane, outcome)? {
            Ok(()) => outcome.diagnostics.push(replayed.describe()),
            Err(error) => outcome.diagnostics.push(unverified(&error, outcome.delivered.is_some())),
        }
        Ok(())
    }

    /// Whether there is time to run a suite of so many tests again, and then to verify what is left of it.
    fn has_time_for_replay(&self, tests: usize) -> bool {
        self.remaining() > self.verification_of(tests) * 2 + replay::START
    }

    /// Time that verifying so many tests takes.
    fn verification_of(&self, tests: usize) -> Duration {
        self.shared.speeds().verify.of(tests)
    }

    /// Verifies as much of a suite as there is time for; of the last one, more if it went faster than was thought.
    fn verify_most(
        &self,
        file: &SuiteFile,
        is_final: bool,
        lane: &mut Lane,
        outcome: &mut Outcome,
    ) -> anyhow::Result<()> {
        let mut verified = 0;
        loop {
            let most = self.most_tests(is_final).min(file.len());
            // Hardly more than last time is not worth another round.
            if verified > 0 && (most <= verified + verified / 4 || !is_final) {
                return Ok(());
            }
            if let Err(error) = self.verify(file, most, None, lane, outcome)? {
                if is_final && verified == 0 {
                    outcome.diagnostics.push(unverified(&error, outcome.delivered.is_some()));
                }
                return Ok(());
            }
            verified = most.max(1);
        }
    }

    /// Verifies so many tests of a suite, and writes them if they are better than what is on disk, or if that holds
    /// what disagrees.
    fn verify(
        &self,
        file: &SuiteFile,
        most: usize,
        disagreement: Option<&Disagreement>,
        lane: &mut Lane,
        outcome: &mut Outcome,
    ) -> anyhow::Result<Result<(), JvmError>> {
        let start = self.clock.now();
        let compiled = Compiled {
            class_path: self.session.prepared.class_path.clone(),
            source_level: self.subject.source_level,
        };
        let remaining = || self.remaining();
        let mut bench = lane.bench(&compiled, &remaining);
        let mut selection = file.at_most(most);
        let left_out = selection.dropped_tests.clone();
        if let Some(disagreement) = disagreement {
            disagreement.leave_out(&mut selection);
        }
        let verification = verify(&mut bench, &[file], vec![selection], self.orders());
        let took = self.clock.now().saturating_sub(start);
        let verification = match verification {
            Ok(verification) => verification,
            Err(error) => {
                self.shared.learn(|speeds| speeds.learn_verification(most, took.max(speeds.verify.of(most))));
                return Ok(Err(error));
            }
        };
        outcome.verify = took;
        self.shared.learn(|speeds| speeds.learn_verification(most, took));
        let Some(verified) = verification.suites.into_iter().next() else { return Ok(Ok(())) };
        let printed = verified.printed.as_ref();
        let unstable = disagreement.map(|disagreement| disagreement.tests.clone()).unwrap_or_default();
        let account = file.account(&unstable, &left_out, &verified.compiled, printed, &verification.dropped);
        outcome.account = Some(account);
        let Some(printed) = verified.printed else {
            outcome.nothing = nothing_left(&verification.dropped);
            if disagreement.is_some()
                && let Some(before) = outcome.delivered.take()
            {
                self.session.delivery.remove(&before.printed.path)?;
            }
            return Ok(Ok(()));
        };
        let goals = file.goals_in(&printed);
        let is_better = disagreement.is_some()
            || outcome.delivered.as_ref().is_none_or(|before| goals.len() >= before.goals.len());
        if is_better {
            let path = self.session.delivery.write(&printed.path, &printed.text)?;
            let (file, selection) = (file.clone(), verified.selection);
            outcome.delivered = Some(Delivered { path, file, selection, printed, goals });
            outcome.nothing = None;
        }
        Ok(Ok(()))
    }
}

fn unverified(error: &JvmError, has_file: bool) -> String {
    let consequence = if has_file { "the file of an earlier suite stays" } else { "there is no file" };
    format!("the last suite was not verified ({error}): {consequence}")
}

/// Why a suite lost all its tests, in words: the cause that took the most; `None` if it had none.
fn nothing_left(dropped: &[Dropped]) -> Option<String> {
    let mut causes: BTreeMap<String, usize> = BTreeMap::new();
    for test in dropped.iter().filter(|dropped| dropped.assertion.is_none()) {
        *causes.entry(test.cause.to_string()).or_default() += 1;
    }
    let number: usize = causes.values().sum();
    let (cause, _) = causes.into_iter().max_by_key(|(_, tests)| *tests)?;
    Some(format!("none of {number} tests held, most of them for this: {cause}"))
}

/// What came of a file when all were verified together.
#[derive(Debug)]
pub(super) enum Together {
    /// A test was dropped, or one of its assertions, which covers no goals.
    Dropped {
        /// What happened.
        how: String,
        /// The goals that the test covered.
        goals: Vec<GoalId>,
    },
    /// It could not be done: each file holds by itself, as it was verified before.
    Unverified(String),
}

/// Verifies the files of several classes together and writes again what had to lose something; what was dropped,
/// file by file. A file that loses all its tests is taken away.
///
/// # Errors
/// A file cannot be written, or no verification JVM can be had.
pub(super) fn verify_together(
    session: &Session<'_>,
    subjects: &[&Subject],
    files: &mut [Option<Delivered>],
) -> anyhow::Result<Vec<Vec<Together>>> {
    let mut notes: Vec<Vec<Together>> = files.iter().map(|_| Vec::new()).collect();
    let present: Vec<usize> = (0..files.len()).filter(|&index| files[index].is_some()).collect();
    if present.len() < 2 {
        return Ok(notes);
    }
    let sources: Vec<SuiteFile> = files.iter().flatten().map(|delivered| delivered.file.clone()).collect();
    let sources: Vec<&dyn crate::verify::suite::SuiteSource> =
        sources.iter().map(|source| source as &dyn crate::verify::suite::SuiteSource).collect();
    let selections = files.iter().flatten().map(|delivered| delivered.selection.clone()).collect();
    let compiled = Compiled {
        class_path: session.prepared.class_path.clone(),
        source_level: subjects.iter().map(|subject| subject.source_level).max().unwrap_or(8),
    };
    let mut lane = session.verifiers.take()?;
    let remaining = || UNHURRIED;
    let mut bench = lane.bench(&compiled, &remaining);
    let orders = Orders { seed: session.prepared.options.seed, alone: false };
    let verification = match verify(&mut bench, &sources, selections, orders) {
        Ok(verification) => verification,
        Err(error) => {
            for &index in &present {
                notes[index].push(Together::Unverified(error.to_string()));
            }
            return Ok(notes);
        }
    };
    session.verifiers.put_back(lane);
    for dropped in &verification.dropped {
        if let Some(&index) = present.get(dropped.suite) {
            let goals = match (&files[index], dropped.assertion) {
                (Some(delivered), None) => delivered.file.goals_of([dropped.test]).into_iter().collect(),
                (Some(_) | None, _) => Vec::new(),
            };
            notes[index].push(Together::Dropped { how: dropped.cause.to_string(), goals });
        }
    }
    for (&index, verified) in present.iter().zip(verification.suites) {
        let Some(delivered) = &mut files[index] else { continue };
        write_again(session.delivery, delivered, verified.printed.as_ref())?;
        match verified.printed {
            Some(printed) => {
                delivered.goals = delivered.file.goals_in(&printed);
                delivered.selection = verified.selection;
                delivered.printed = printed;
            }
            None => files[index] = None,
        }
    }
    Ok(notes)
}

fn write_again(
    delivery: Delivery<'_>,
    before: &Delivered,
    printed: Option<&PrintedSuite>,
) -> anyhow::Result<()> {
    match printed {
        Some(printed) if printed.text == before.printed.text => {}
        Some(printed) => {
            delivery.write(&printed.path, &printed.text)?;
        }
        None => delivery.remove(&before.printed.path)?,
    }
    Ok(())
}
