//! The stages of a class: its class files make a [`Subject`], a worker's search fills the archive and makes suites of it, a
//! suite is verified and written as a file, and once all files are verified together there is a report.
//!
//! * [`record`]: the archive of record of a class, which its islands share; [`island`]: what it knows of each
//! * [`searcher`]: the parent's side of a worker that searches; [`search_client`]: of the island that makes suites besides;
//!   [`island_client`]: of the others
//! * [`suite_file`]: a suite as a file that can be printed without some of its tests
//! * [`verification`]: suites are verified as they come, and the best is on disk: a [`verified_file`]
//! * [`stub_forms`]: tests with mocks, or with classes of their own
//! * [`replay`]: the last suite once more, in other surroundings
//! * [`joint`]: the files of all classes together
//! * [`report`]: what is said of it

mod folders;
mod island;
mod island_client;
mod joint;
mod record;
mod refuted;
mod replay;
mod report;
mod search_client;
mod searcher;
mod stub_forms;
mod suite_file;
mod verification;
mod verified_file;

use std::collections::BTreeSet;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::Duration;

use anyhow::Context as _;
use bytecode::analysis::AnalysisOptions;
use coverage::criterion::{CRITERIA, default_criteria};
use coverage::goal::GoalSet;
use coverage::selection::{searched, with_kills};
use jvm::refusal::Refusal;
use jvm::shared::SlotReader;
use output::asserted_test::AssertedTest;
use output::assertion::oracles::SuiteSize;
use output::junit::header::{EditState, is_unedited};
use processes::supervisor::{Ending, Launch, supervise};
use project::failure::Failure;
use project::targets::Target;
use project::test_sources::Ownership;
use search::algorithm::{ALGORITHMS, algorithm};
use subject::examine::Asked;
use subject::nest::{Nest, Weakened};
use subject::{Identity, Subject, SubjectError};
use testcase::clock::Clock;
use testcase::cluster::build::ClusterError;
use testcase::test_case::TestCase;
use testcase::transfer::{DeliveredTest, NamedTests};

use self::folders::Folders;
use super::prepared::Prepared;
use super::shares::Share;
use super::speeds::Speeds;
use super::{Generator, Report, Session};
use crate::console::progress::ClassLine;
use crate::options::{Budget, Names, Options};
use island::{News, State};
use island_client::IslandClient;
use joint::Together;
use record::{Pace, Record};
use search_client::{ClientSetup, History, SearchClient};
use searcher::{Searcher, SearcherSetup};
use verification::{SuiteVerifier, TestFile};

/// Searches, verifies and writes tests.
#[derive(Debug)]
pub struct ClassGenerator {
    algorithms: Vec<&'static str>,
    criteria: Vec<&'static str>,
    default_criteria: Vec<&'static str>,
    shared: Shared,
}

/// What has come of a class, stage by stage.
#[derive(Debug)]
pub struct TestedClass {
    /// What its class files say.
    subject: Arc<Subject>,
    /// What its search did.
    history: History,
    /// What its suites have come to.
    test_file: TestFile,
    /// What happened to the file when all were verified together.
    together: Vec<Together>,
    /// Time that work on it took, from the known class path to the file.
    total: Duration,
    /// What it got.
    budget: Budget,
}

/// Most classes of a run of which all is kept at hand until all are done.
const FEW_CLASSES: usize = 30;

/// What classes of a run share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    speeds: Mutex<Speeds>,
    warned: Mutex<BTreeSet<String>>,
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
    type Class = TestedClass;

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
        share: Share,
        line: &ClassLine,
    ) -> anyhow::Result<TestedClass> {
        let prepared = session.prepared;
        // A class that waits for its turn does not spend its budget.
        let clock = if prepared.targets.len() == 1 { session.clock } else { Clock::start() };
        let mut weakened = Weakened::new();
        loop {
            match self.attempt(session, target, &Turn { line, clock, share }, weakened.clone())? {
                Attempt::Done(class) => {
                    if prepared.targets.len() > FEW_CLASSES {
                        class.subject.cluster.put_away();
                    }
                    return Ok(*class);
                }
                Attempt::Refused(refusals) => weaken(&mut weakened, &refusals)?,
            }
        }
    }

    fn verify_together(&self, session: &Session<'_>, classes: &mut [TestedClass]) -> anyhow::Result<()> {
        joint::verify_together(session, classes)
    }

    fn report(&self, options: &Options, class: &TestedClass) -> Report {
        report::report(class, options)
    }
}

impl ClassGenerator {
    /// Searches, verifies and writes tests, unless the JVM refuses what the class carries.
    fn attempt(
        &self,
        session: &Session<'_>,
        target: &Target,
        &Turn { line, clock, share }: &Turn<'_>,
        weakened: Weakened,
    ) -> anyhow::Result<Attempt> {
        let prepared = session.prepared;
        let subject = Arc::new(subject_of(prepared, target, weakened)?);
        tracing::debug!(class = target.class.binary(), at = ?clock.now(), "the class files are read");
        let first = FirstTests::new(session, &subject);
        self.note_news(session, first.missing(session, &target.class.binary()).as_slice());
        let (sender, receiver) = mpsc::channel();
        let underway = Arc::new(AtomicUsize::new(0));
        let rewriting = prepared.rewriting(share);
        let islands = Islands::new(share.budget, prepared.islands.get());
        let record = islands.record(&subject, &prepared.options.criteria);
        let places = places(islands.shares.len())?;
        let searchers = places.into_iter().zip(&islands.shares).enumerate();
        let searchers = searchers.map(|(island, ((folders, slot), &part))| {
            let searcher = Searcher::new(SearcherSetup {
                subject: &subject,
                class_path: &prepared.run_path.entries,
                options: &prepared.options,
                java_home: prepared.project.jdk.home.clone(),
                folders: folders.paths(),
                slot,
                clock,
                time: share,
                rewriting: &rewriting,
                shared: &self.shared,
                interrupt: session.interrupt,
                record: &record,
                island,
                share: part,
                first: &first,
            });
            (folders, searcher)
        });
        let mut searchers: Vec<(Folders, Searcher<'_>)> = searchers.collect();
        let others = searchers.split_off(1);
        let (_folders, searcher) = searchers.remove(0);
        let setup = ClientSetup { line, suites: sender, underway: Arc::clone(&underway) };
        let mut client = SearchClient::new(searcher, setup);
        let verifier = SuiteVerifier {
            shared: &self.shared,
            subject: &subject,
            session,
            clock,
            time: share,
            rewriting: &rewriting,
            underway: &underway,
        };
        let (test_file, search) = thread::scope(|scope| {
            let verification = scope.spawn(move || verifier.run(&receiver));
            let others = side_by_side(scope, &launch(session), others, &record);
            let ending = supervise(&launch(session), &mut client);
            close(&record, islands.pace, matches!(ending, Ok(Ending::Dead | Ending::Failed(_))), others);
            let refused = std::mem::take(&mut client.searcher.refused);
            let history = if refused.is_empty() { client.close() } else { client.abandon() };
            let test_file = verification.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            (test_file, ending.map(|ending| (ending, history, refused)))
        });
        let (ending, mut history, refused) = search.context("a worker cannot be started")?;
        if !refused.is_empty() {
            return Ok(Attempt::Refused(refused));
        }
        let test_file = test_file?;
        history.diagnostics.extend(prepared.existing.sentence(&target.class, subject.settled.goals.len()));
        history.diagnostics.extend(incomplete(&ending, history.has_whole_suite));
        self.note_news(session, &std::mem::take(&mut history.warnings));
        Ok(Attempt::Done(Box::new(TestedClass {
            subject,
            history,
            test_file,
            together: Vec::new(),
            total: clock.now(),
            budget: share.budget,
        })))
    }

    /// Says what was not said before.
    fn note_news(&self, session: &Session<'_>, sentences: &[String]) {
        let news = sentences.iter().filter(|sentence| self.shared.is_news(sentence));
        news.for_each(|sentence| session.console.note(sentence));
    }
}

/// What a class is worked on with.
#[derive(Clone, Copy)]
struct Turn<'a> {
    /// Shows how far it is.
    line: &'a ClassLine,
    /// Time since it began.
    clock: Clock,
    /// What it gets.
    share: Share,
}

/// The islands of a class.
struct Islands {
    /// What each gets of a budget in executions.
    shares: Vec<Option<u64>>,
    pace: Pace,
}

/// Exchanges in a budget in executions, where islands have time for so many.
const EXCHANGES: u64 = 20;

/// Executions from one exchange to the next, at least: a generation.
const LEAST_EXCHANGE: u64 = 50;

impl Islands {
    /// The record of a class, of which these criteria were asked for.
    fn record<'a>(&self, subject: &'a Subject, asked: &[String]) -> Mutex<Record<'a>> {
        Mutex::new(Record::new(subject, self.shares.len(), self.pace, asked))
    }

    /// So many islands, at least one, that share a budget in executions as evenly as possible.
    fn new(budget: Budget, islands: usize) -> Self {
        let number = islands as u64;
        match budget {
            Budget::Time(_) => Self { shares: vec![None; islands], pace: Pace::AsTheyCome },
            Budget::Executions(all) => Self {
                shares: (0..number)
                    .map(|island| Some(all / number + u64::from(island < all % number)))
                    .collect(),
                pace: Pace::InStep((all / number / EXCHANGES).max(LEAST_EXCHANGE)),
            },
        }
    }
}

/// For each of so many islands, a folder in which its workers may write, and a slot for their running tests.
fn places(islands: usize) -> anyhow::Result<Vec<(Folders, SlotReader)>> {
    let place = |_| {
        let folders = Folders::new("worker").context("there is no folder for a worker")?;
        let slot = SlotReader::create().map_err(|error| Failure::output(error.to_string()))?;
        Ok((folders, slot))
    };
    (0..islands).map(place).collect()
}

/// Islands that only search, each watched by a thread of its own.
fn side_by_side<'scope, 'a: 'scope>(
    scope: &'scope Scope<'scope, 'a>,
    launch: &Launch,
    searchers: Vec<(Folders, Searcher<'a>)>,
    record: &'a Mutex<Record<'a>>,
) -> Vec<ScopedJoinHandle<'scope, ()>> {
    let watch = |(folders, searcher): (Folders, Searcher<'a>)| {
        let launch = launch.clone();
        scope.spawn(move || {
            let (island, clock) = (searcher.setup.island, searcher.setup.clock);
            let said = match supervise(&launch, &mut IslandClient::new(searcher)) {
                Ok(Ending::Failed(reason)) => Some(format!("the worker of an island gave up: {reason}")),
                Ok(Ending::Finished | Ending::Killed | Ending::Dead | Ending::Idle) => None,
                Err(error) => Some(format!("the worker of an island cannot be started: {error}")),
            };
            let mut record = record.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(sentence) = said {
                record.take(island, News::Diagnostic(sentence), clock.now());
            }
            // Whoever waits for it goes on.
            record.reach(island, State::Over);
            drop(folders);
        })
    };
    searchers.into_iter().map(watch).collect()
}

/// Ends the islands that only search. With a budget in executions they come to their own end first if the one that makes
/// suites died or gave up: the tests are delivered all the same, and must not depend on which island was faster.
fn close(record: &Mutex<Record<'_>>, pace: Pace, is_lost: bool, others: Vec<ScopedJoinHandle<'_, ()>>) {
    let mut locked = record.lock().unwrap_or_else(PoisonError::into_inner);
    locked.is_closed = !(is_lost && matches!(pace, Pace::InStep(_)));
    locked.reach(0, State::Over);
    drop(locked);
    for other in others {
        other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }
}

/// Tests of an earlier run that can be said with the members that the class has now.
#[derive(Debug, Default)]
pub(super) struct FirstTests {
    /// All of them: a search begins with them.
    pub tests: Vec<TestCase>,
    /// Those that hold, and those that fail and stay: they are in the file again. What the former cover now is yet to be seen.
    pub kept: Vec<AssertedTest>,
}

impl FirstTests {
    fn new(session: &Session<'_>, subject: &Subject) -> Self {
        let class = subject.identity.class.binary();
        let suite = session.known.suite(&class);
        let tests = suite.and_then(|bytes| postcard::from_bytes::<NamedTests>(&bytes).ok());
        let tests = tests.map(|tests| tests.with(&subject.cluster.get())).unwrap_or_default();
        let (holding, failing) = (session.known.holding(&class), session.known.failing(&class));
        let stays = |test: &&DeliveredTest| holding.contains(&test.method) || failing.contains(&test.method);
        let kept = tests.iter().filter(stays).map(|test| AssertedTest {
            assertions: test.assertions.clone(),
            expected: test.expected.clone(),
            name: Some(test.method.clone()),
            fails: failing.contains(&test.method),
            ..AssertedTest::new(test.test.clone())
        });
        Self { kept: kept.collect(), tests: tests.into_iter().map(|test| test.test).collect() }
    }

    /// Says which tests are to stay and are replaced all the same, since what they are made of has changed.
    fn missing(&self, session: &Session<'_>, class: &str) -> Option<String> {
        const SHOWN: usize = 3;
        let is_missing = |method: &&String| !self.kept.iter().any(|test| test.name.as_ref() == Some(*method));
        let (holding, failing) = (session.known.holding(class), session.known.failing(class));
        let to_stay = holding.iter().chain(failing);
        let missing: Vec<&str> = to_stay.filter(is_missing).map(String::as_str).collect();
        let more = if missing.len() > SHOWN { ", …" } else { "" };
        let sentence = format!(
            "of {class} {} replaced that should stay, since what they use is declared in another way now: {}{more}",
            if missing.len() == 1 { "1 test is".to_owned() } else { format!("{} tests are", missing.len()) },
            missing[..missing.len().min(SHOWN)].join(", ")
        );
        (!missing.is_empty()).then_some(sentence)
    }
}

/// Reads, analyses and instruments a class, with less in classes of which the JVM has refused more.
///
/// # Errors
/// The class cannot be tested.
pub(super) fn subject_of(
    prepared: &Prepared,
    target: &Target,
    weakened: Weakened,
) -> anyhow::Result<Subject> {
    let source_level = prepared.source_level(target);
    let hierarchy = prepared.project.hierarchy_at(source_level)?;
    let (class, test_class) = (target.class.clone(), target.test_class());
    let identity = Identity { class, test_class, source_level };
    let seeds = prepared.existing.seeds(&target.class);
    let asked = Asked { seeds, mockable: prepared.mockable(), ..asked(&prepared.options)? };
    let settled = |goals: &GoalSet, nest: &Nest| prepared.existing.covered(&target.class, goals, nest);
    let subject = Subject::new(identity, hierarchy, &target.nest, asked, weakened, &settled);
    let mut subject = subject.map_err(|error| match error {
        SubjectError::Untestable(error) => {
            let sentence = error.to_string();
            let failure = match error {
                ClusterError::Annotation(_) | ClusterError::NoMember { .. } => Failure::untestable(sentence),
                ClusterError::NotFound(_)
                | ClusterError::Malformed { .. }
                | ClusterError::MissingSupertype { .. } => Failure::input(sentence),
            };
            anyhow::Error::from(failure)
        }
        SubjectError::Criterion(error) => anyhow::Error::from(error),
    })?;
    subject.settle_exceptions(prepared.existing.exceptions(&target.class));
    Ok(subject)
}

/// What a search with these options asks of code.
///
/// # Errors
/// The algorithm is not known.
fn asked(options: &Options) -> anyhow::Result<Asked> {
    let row = algorithm(&options.algorithm)?;
    // The basic blocks of lines are told by their statements.
    let statements = options.goal_selection.is_smart();
    let analysis = AnalysisOptions { blocks: row.needs_blocks(), statements, ..AnalysisOptions::default() };
    let mut criteria = searched(&options.criteria, row.follows_control);
    let keeps_what_kills = options.suite == SuiteSize::Compact;
    if row.pursues_mutants && keeps_what_kills && options.set_up.search_options()?.auto.pursues {
        criteria = with_kills(criteria);
    }
    Ok(Asked { analysis, ..Asked::criteria(&criteria) })
}

/// How work on a class ended.
enum Attempt {
    /// With this.
    Done(Box<TestedClass>),
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
        // There always is one for the island that makes suites.
        Ending::Idle => None,
    }
}
