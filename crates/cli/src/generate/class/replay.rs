//! The parent's side of a replay: the last suite runs again in a second worker, in other surroundings, and what
//! disagrees is not delivered.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::Context as _;
use jvm::shared::{SlotContent, SlotReader};
use output::asserted_test::AssertedTest;
use output::replay::Replayed;
use processes::message::WorkerEvent;
use processes::supervisor::{Client, Death, Decision, Loss, supervise};
use subject::Subject;
use verify::suite::Selection;

use super::folders::Folders;
use super::launch;
use super::searcher::job_of;
use crate::generate::Session;
use crate::job::{ClassEvent, ClassJob, FoundSuite, Surroundings, Task};

/// Variables of the second worker's environment: none is what it is for the user. The encoding that a JVM takes from
/// the locale stays one that knows the names of all files, or there would be no class path.
const ENVIRONMENT: [(&str, &str); 6] = [
    ("HOME", "/nonexistent"),
    ("LANG", "de_DE.UTF-8"),
    ("LC_ALL", "C.UTF-8"),
    ("TZ", "Pacific/Marquesas"),
    ("USER", "somebody"),
    ("LOGNAME", "somebody"),
];

/// What disagreed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Disagreement {
    /// Tests that end in another way, cover none of their goals, or end their worker.
    pub tests: BTreeSet<usize>,
    /// Assertions of other tests that do not hold: test, assertion.
    pub assertions: BTreeSet<(usize, usize)>,
}

impl Disagreement {
    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.tests.is_empty() && self.assertions.is_empty()
    }

    /// Takes it out of a selection.
    pub(super) fn leave_out(&self, selection: &mut Selection) {
        selection.dropped_tests.extend(&self.tests);
        selection.dropped_assertions.extend(&self.assertions);
    }

    /// In one sentence.
    pub(super) fn describe(&self) -> String {
        let counts = [(self.tests.len(), "test"), (self.assertions.len(), "assertion")];
        let all: usize = counts.iter().map(|(number, _)| number).sum();
        let told = counts.into_iter().filter(|(number, _)| *number > 0);
        let told = told.map(|(number, one)| format!("{number} {one}{}", if number == 1 { "" } else { "s" }));
        let (were, they) = if all == 1 { ("was", "it does") } else { ("were", "they do") };
        format!(
            "{} {were} dropped: {they} not hold with another clock, zone, locale, seed or environment",
            told.collect::<Vec<_>>().join(" and ")
        )
    }

    fn take(&mut self, test: usize, replayed: Replayed) {
        match replayed {
            Replayed::Agrees => {}
            Replayed::Assertions(failed) => {
                self.assertions.extend(failed.into_iter().map(|assertion| (test, assertion)));
            }
            Replayed::Outcome | Replayed::Goals => {
                self.tests.insert(test);
            }
        }
    }
}

/// Runs the tests of a suite again, as long as it may go on. What was not run again agrees.
///
/// The calling thread must outlive the worker, as for [`supervise`].
///
/// # Errors
/// A worker cannot be started.
pub(super) fn replay(
    session: &Session<'_>,
    subject: &Subject,
    suite: &FoundSuite,
    may_go_on: &dyn Fn() -> bool,
) -> anyhow::Result<Disagreement> {
    let folders = Folders::new("replay").context("there is no folder for a worker")?;
    let slot = SlotReader::create()?;
    let prepared = session.prepared;
    let job = ClassJob {
        surroundings: Surroundings::Second,
        ..job_of(
            subject,
            &prepared.run_path.entries,
            &prepared.options,
            &prepared.project.jdk.home,
            &folders.paths(),
            &slot,
        )
    };
    let mut client = ReplayClient {
        job,
        slot,
        tests: &suite.tests,
        next: 0,
        is_tainted: false,
        found: Disagreement::default(),
        may_go_on,
    };
    let mut launch = launch(session);
    launch.environment.extend(ENVIRONMENT.map(|(name, value)| (name.into(), value.into())));
    supervise(&launch, &mut client).context("a worker cannot be started")?;
    Ok(client.found)
}

struct ReplayClient<'a> {
    /// Without its tests.
    job: ClassJob,
    slot: SlotReader,
    tests: &'a [AssertedTest],
    /// The test whose result comes next.
    next: usize,
    is_tainted: bool,
    found: Disagreement,
    may_go_on: &'a dyn Fn() -> bool,
}

impl Client for ReplayClient<'_> {
    fn job(&mut self, _restart: u32, _is_last: bool) -> Option<Vec<u8>> {
        self.slot.clear();
        let task = Task::Replay(self.tests.get(self.next..).unwrap_or_default().to_vec());
        Some(ClassJob { task, ..self.job.clone() }.encoded())
    }

    fn event(&mut self, event: WorkerEvent) {
        let WorkerEvent::Payload(bytes) = event else { return };
        match postcard::from_bytes(&bytes) {
            Ok(ClassEvent::Replayed(replayed)) => {
                self.found.take(self.next, replayed);
                self.next += 1;
            }
            Ok(ClassEvent::Tainted) => self.is_tainted = true,
            Ok(
                ClassEvent::Started
                | ClassEvent::Archived { .. }
                | ClassEvent::Exceptions(_)
                | ClassEvent::Uncovered { .. }
                | ClassEvent::Progress(_)
                | ClassEvent::Exchange
                | ClassEvent::Collect
                | ClassEvent::Searched
                | ClassEvent::Suite(_)
                | ClassEvent::LocalSearch(_)
                | ClassEvent::Symbolic(_)
                | ClassEvent::OpenGoals(_)
                | ClassEvent::Refused(_)
                | ClassEvent::Fault(_)
                | ClassEvent::Diagnostic(_),
            )
            | Err(_) => {}
        }
    }

    fn died(&mut self, _death: &Death) -> Loss {
        // A worker that asks to be replaced has told of its last test.
        if std::mem::take(&mut self.is_tainted) {
            return Loss::Replacement;
        }
        if !matches!(self.slot.read(), SlotContent::Idle) {
            self.found.tests.insert(self.next);
            self.next += 1;
        }
        Loss::Death
    }

    fn decide(&mut self) -> Decision {
        if (self.may_go_on)() { Decision::GoOn } else { Decision::Kill }
    }
}

/// Time that a second worker takes to come up, about.
pub(super) const START: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_disagrees_is_left_out_and_told() {
        let mut found = Disagreement::default();
        for (test, replayed) in
            [Replayed::Agrees, Replayed::Outcome, Replayed::Assertions(vec![0, 2]), Replayed::Goals]
                .into_iter()
                .enumerate()
        {
            found.take(test, replayed);
        }
        let mut selection = Selection::default();
        found.leave_out(&mut selection);
        assert_eq!(selection.dropped_tests, BTreeSet::from([1, 3]));
        assert_eq!(selection.dropped_assertions, BTreeSet::from([(2, 0), (2, 2)]));
        let sentence = found.describe();
        assert!(sentence.starts_with("2 tests and 2 assertions were dropped"), "{sentence}");
        assert!(!found.is_empty() && Disagreement::default().is_empty());
        found.tests.clear();
        assert!(
            found.describe().starts_with("2 assertions were dropped: they do not"),
            "{}",
            found.describe()
        );
        found.assertions.pop_first();
        assert!(found.describe().starts_with("1 assertion was dropped: it does not"), "{}", found.describe());
    }
}
