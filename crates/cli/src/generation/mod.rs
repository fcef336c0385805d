//! From a class to its file: [`ClassGenerator`].
//!
//! * [`job`]: what parent and worker tell each other
//! * [`client`]: the parent's side of a worker
//! * [`suite_file`], [`delivery`]: suites on their way to disk
//! * [`replay`]: the last suite once more, in other surroundings
//! * [`report`]: what is told of it

mod client;
mod delivered;
mod delivery;
pub mod job;
mod replay;
mod report;
mod suite_file;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use anyhow::Context as _;
use bytecode::analysis::AnalysisOptions;
use client::{ClassClient, ClientSetup};
use coverage::criterion::{CRITERIA, default_criteria};
use coverage::selection::{GoalSelection, searched};
use delivered::Delivered;
use delivery::{Deliverer, Outcome, Together, verify_together};
use jvm::refusal::Refusal;
use jvm::shared::SlotReader;
use output::junit::header::{EditState, is_unedited};
use processes::scratch::Scratch;
use processes::supervisor::{Ending, Launch, supervise};
use project::delivery::Ownership;
use project::failure::Failure;
use project::targets::Target;
use report::{Fates, fill_in, records, report};
use search::algorithm::{ALGORITHMS, algorithm};
use subject::examine::Asked;
use subject::nest::Weakened;
use subject::{Identity, Subject, SubjectError};
use testcase::clock::Clock;

use crate::console::progress::ClassLine;
use crate::options::{Names, Options};
use crate::session::generate::{Generated, Generator, Session};
use crate::session::prepare::Prepared;
use crate::session::time_plan::Speeds;
use crate::statistics::GoalRecord;

/// Searches, verifies and writes tests.
#[derive(Debug)]
pub struct ClassGenerator {
    algorithms: Vec<&'static str>,
    criteria: Vec<&'static str>,
    default_criteria: Vec<&'static str>,
    shared: Shared,
}

/// What classes of a run share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    speeds: Mutex<Speeds>,
    warned: Mutex<BTreeSet<String>>,
    delivered: Mutex<BTreeMap<String, Kept>>,
}

/// A class whose file is verified once more together with the others.
#[derive(Debug)]
struct Kept {
    subject: Arc<Subject>,
    fates: Fates,
    delivered: Delivered,
}

impl Shared {
    fn learn(&self, learn: impl FnOnce(&mut Speeds)) {
        learn(&mut self.speeds.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn speeds(&self) -> Speeds {
        *self.speeds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is the first time that this is to be said.
    fn is_news(&self, sentence: &str) -> bool {
        self.warned.lock().unwrap_or_else(PoisonError::into_inner).insert(sentence.to_owned())
    }
}

impl Default for ClassGenerator {
    fn default() -> Self {
        Self {
            algorithms: ALGORITHMS.iter().map(|row| row.name).collect(),
            criteria: CRITERIA.iter().map(|criterion| criterion.name()).collect(),
            default_criteria: default_criteria(),
            shared: Shared::default(),
        }
    }
}

impl Generator for ClassGenerator {
    fn names(&self) -> Names<'_> {
        Names {
            algorithms: &self.algorithms,
            criteria: &self.criteria,
            default_criteria: &self.default_criteria,
        }
    }

    fn ownership(&self, text: &str) -> Ownership {
        match is_unedited(text) {
            EditState::Unedited => Ownership::Untouched,
            EditState::Edited | EditState::Foreign => Ownership::Edited,
        }
    }

    fn generate(
        &self,
        session: &Session<'_>,
        target: &Target,
        line: &ClassLine,
    ) -> anyhow::Result<Generated> {
        let prepared = session.prepared;
        // A class that waits for its turn does not spend its budget.
        let clock = if prepared.targets.len() == 1 { session.clock } else { Clock::start() };
        let mut weakened = Weakened::new();
        loop {
            match self.attempt(session, target, (line, clock), weakened.clone())? {
                Attempt::Done(generated) => return Ok(*generated),
                Attempt::Refused(refusals) => weaken(&mut weakened, &refusals)?,
            }
        }
    }

    fn verify_together(&self, session: &Session<'_>, generated: &mut [Generated]) -> anyhow::Result<()> {
        let mut kept =
            std::mem::take(&mut *self.shared.delivered.lock().unwrap_or_else(PoisonError::into_inner));
        let mut generated: Vec<&mut Generated> =
            generated.iter_mut().filter(|one| kept.contains_key(&one.report.class)).collect();
        let (mut classes, mut files) = (Vec::new(), Vec::new());
        for kept in generated.iter().filter_map(|one| kept.remove(&one.report.class)) {
            classes.push((kept.subject, kept.fates));
            files.push(Some(kept.delivered));
        }
        let subjects: Vec<Arc<Subject>> = classes.iter().map(|(subject, _)| subject.clone()).collect();
        let borrowed: Vec<&Subject> = subjects.iter().map(|subject| &**subject).collect();
        let dropped = verify_together(session, &borrowed, &mut files)?;
        for (((one, (subject, fates)), file), dropped) in
            generated.iter_mut().zip(&mut classes).zip(&files).zip(dropped)
        {
            for note in dropped {
                one.report.diagnostics.push(match &note {
                    Together::Dropped { how, .. } => {
                        format!("together with the other files, a test was dropped: {how}")
                    }
                    Together::Unverified(why) => {
                        format!("its file was not verified together with the others: {why}")
                    }
                });
                if let Together::Dropped { how, goals } = note {
                    fates.dropped_together(goals, how);
                }
            }
            let options = &session.prepared.options;
            fill_in(&mut one.report, subject, options, file.as_ref(), fates);
            one.goals = goal_records(options, subject, file.as_ref(), fates);
        }
        Ok(())
    }
}

impl ClassGenerator {
    /// Searches, verifies and writes tests, unless the JVM refuses what the class carries.
    fn attempt(
        &self,
        session: &Session<'_>,
        target: &Target,
        (line, clock): (&ClassLine, Clock),
        weakened: Weakened,
    ) -> anyhow::Result<Attempt> {
        let prepared = session.prepared;
        let subject = Arc::new(subject_of(prepared, target, weakened)?);
        let scratch = Scratch::new("worker");
        let scratch = scratch.context("there is no folder for a worker")?;
        let (sender, receiver) = mpsc::channel();
        let underway = Arc::new(AtomicUsize::new(0));
        let mut client = ClassClient::new(ClientSetup {
            subject: &subject,
            class_path: &prepared.run_path.entries,
            options: &prepared.options,
            java_home: prepared.project.jdk.home.clone(),
            scratch: scratch.path().to_owned(),
            slot: SlotReader::create().map_err(|error| Failure::output(error.to_string()))?,
            clock,
            shared: &self.shared,
            interrupt: session.interrupt,
            line,
            suites: sender,
            underway: Arc::clone(&underway),
        });
        let deliverer =
            Deliverer { shared: &self.shared, subject: &subject, session, clock, underway: &underway };
        let (outcome, history) = thread::scope(|scope| {
            let delivery = scope.spawn(move || deliverer.run(&receiver));
            let ending = supervise(&launch(session), &mut client);
            let refused = std::mem::take(&mut client.refused);
            if refused.is_empty() {
                client.close();
            }
            let history = std::mem::take(&mut client.history);
            drop(client);
            let outcome = delivery.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            (outcome, ending.map(|ending| (ending, history, refused)))
        });
        let (ending, mut history, refused) = history.context("a worker cannot be started")?;
        if !refused.is_empty() {
            return Ok(Attempt::Refused(refused));
        }
        let mut outcome = outcome?;
        if let Some(sentence) = incomplete(&ending, history.has_whole_suite) {
            history.diagnostics.push(sentence);
        }
        for warning in history.warnings.drain(..).filter(|warning| self.shared.is_news(warning)) {
            session.console.note(&warning);
        }
        let interrupted = history.interrupted;
        let total = clock.now().as_secs_f64();
        let fates = Fates::new(&subject, &mut history, outcome.account.as_ref());
        let report = report(&subject, &prepared.options, history, &outcome, &fates, total);
        let goals = goal_records(&prepared.options, &subject, outcome.delivered.as_ref(), &fates);
        self.keep(&report.class, &subject, fates, &mut outcome);
        Ok(Attempt::Done(Box::new(Generated { report, goals, interrupted })))
    }

    /// Keeps a file for when all are verified together.
    fn keep(&self, class: &str, subject: &Arc<Subject>, fates: Fates, outcome: &mut Outcome) {
        if let Some(delivered) = outcome.delivered.take() {
            let mut kept = self.shared.delivered.lock().unwrap_or_else(PoisonError::into_inner);
            kept.insert(class.to_owned(), Kept { subject: Arc::clone(subject), fates, delivered });
        }
    }
}

/// Reads, analyses and instruments a class, with less in classes of which the JVM has refused more.
///
/// # Errors
/// The class cannot be tested.
fn subject_of(prepared: &Prepared, target: &Target, weakened: Weakened) -> anyhow::Result<Subject> {
    let source_level = prepared.source_level(target);
    let hierarchy = prepared.project.hierarchy_at(source_level)?;
    let (class, test_class) = (target.class.clone(), target.test_class());
    let identity = Identity { class, test_class, source_level };
    Subject::new(identity, hierarchy, &target.nest, asked(&prepared.options)?, weakened).map_err(|error| {
        match error {
            SubjectError::Untestable(error) => Failure::input(error.to_string()).into(),
            SubjectError::Criterion(error) => error.into(),
        }
    })
}

/// What a search with these options asks of code.
///
/// # Errors
/// The algorithm is not known.
fn asked(options: &Options) -> anyhow::Result<Asked> {
    let row = algorithm(&options.algorithm)?;
    // The basic blocks of lines are told by their statements.
    let statements = options.goal_selection == GoalSelection::Smart;
    let analysis = AnalysisOptions { blocks: row.needs_blocks(), statements, ..AnalysisOptions::default() };
    Ok(Asked { criteria: searched(&options.criteria, row.follows_control), analysis })
}

/// How work on a class ended.
enum Attempt {
    /// With this.
    Done(Box<Generated>),
    /// The JVM refuses what classes with goals carry.
    Refused(Vec<Refusal>),
}

/// Leaves out of the classes that were refused what is next to be left out.
///
/// # Errors
/// There is nothing of ours left: the class under test is refused as it was compiled.
fn weaken(weakened: &mut Weakened, refusals: &[Refusal]) -> anyhow::Result<()> {
    for refusal in refusals {
        let limits = weakened.entry(refusal.class.clone()).or_default();
        if limits.weaken(refusal.method.as_deref()).is_none() {
            let Refusal { class, message, .. } = refusal;
            return Err(Failure::input(format!(
                "{} cannot be tested: the JVM refuses it as it was compiled ({message})",
                class.binary()
            ))
            .into());
        }
    }
    Ok(())
}

/// What became of each goal, if that is to be written.
fn goal_records(
    options: &Options,
    subject: &Subject,
    delivered: Option<&Delivered>,
    fates: &Fates,
) -> Vec<GoalRecord> {
    if options.report.is_some() { records(subject, delivered, fates) } else { Vec::new() }
}

fn launch(session: &Session<'_>) -> Launch {
    let variables = session.prepared.environment.for_jvms().iter();
    let environment = variables.map(|(name, value)| (name.into(), value.into())).collect();
    Launch { covolve: session.covolve.to_owned(), arguments: vec!["worker".into()], environment }
}

/// What to say when a worker did not come to its end.
fn incomplete(ending: &Ending, has_whole_suite: bool) -> Option<String> {
    match ending {
        Ending::Finished => None,
        // It only looked for more.
        Ending::Killed if has_whole_suite => None,
        Ending::Failed(reason) => Some(format!("the worker gave up: {reason}")),
        Ending::Killed => Some("the worker was still at work when the budget ended".to_owned()),
        Ending::Dead => Some("the worker died too often; its last tests are not minimized".to_owned()),
    }
}
