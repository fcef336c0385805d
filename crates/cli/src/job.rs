//! What parent and worker tell each other about a class: the payloads of [`processes::message`].

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use bytecode::analysis::ProbeIds;
use bytecode::instrument::{GoalClass, StaticFields};
use bytecode::name::ClassName;
use bytecode::probe_map::ProbeMap;
use coverage::goal::{GoalId, GoalSet};
use coverage::selection::GoalSelection;
use jvm::faults::{Fault, Faults};
use jvm::refusal::Refusal;
use output::asserted_test::AssertedTest;
use output::assertion::oracles::SuiteSize;
use output::replay::Replayed;
use output::report::{Cause, Dropped};
use search::archive::ArchivedTest;
use search::event::Progress;
use search::local_search::tools::AppliedTool;
use search::open_goals::OpenGoal;
use serde::{Deserialize, Serialize};
use testcase::cluster::TestCluster;
use testcase::execution::{Outcome, SeenException};
use testcase::test_case::TestCase;

use crate::generate::time_plan::TimePlan;
use crate::json::SymbolicReport;
use crate::search_config::SetUp;

/// Everything that a worker needs to know. Two workers with the same job do the same, if it names no time.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ClassJob {
    /// Where things are.
    pub places: Places,
    /// What runs.
    pub code: Code,
    /// What there is to cover, and which of it guides.
    pub aims: Aims,
    /// How tests are searched for.
    pub search: SearchSetup,
    /// What workers before this one came to.
    pub earlier: Earlier,
    /// What to do.
    pub task: Task,
    /// In what surroundings tests run.
    pub surroundings: Surroundings,
    /// When which phase must end, counted from the start of the worker; `None` when executions are the budget.
    pub plan: Option<TimePlan>,
    /// Whether no other worker comes after this one, however it ends.
    pub is_last: bool,
}

impl ClassJob {
    /// As a worker is sent it. It is plain data: there is nothing that could fail.
    pub fn encoded(&self) -> Vec<u8> {
        postcard::to_stdvec(self).unwrap_or_default()
    }
}

/// Where a worker finds things.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Places {
    /// Home of the JDK.
    pub java_home: PathBuf,
    /// Class path of the class under test.
    pub class_path: Vec<PathBuf>,
    /// A folder of this worker alone.
    pub scratch: PathBuf,
    /// Another one, in which each test has a folder to itself.
    pub files: PathBuf,
    /// The file behind the slot for the running test.
    pub slot: PathBuf,
}

/// The code that runs in a worker.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Code {
    /// The class that the tests are printed in.
    pub test_class: ClassName,
    /// What tests may use.
    pub cluster: TestCluster,
    /// The instrumented classes with goals.
    pub classes: Vec<GoalClass>,
    /// What their probes mean, in the same order.
    pub maps: Vec<ProbeMap>,
    /// The next free probes.
    pub ids: ProbeIds,
    /// Static fields that these classes write.
    pub statics: StaticFields,
    /// Classes without goals that stay as they are: a JVM has refused them with probes.
    pub unwatched: BTreeSet<ClassName>,
}

/// What a search is to cover.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Aims {
    /// Criteria whose goals are searched for.
    pub criteria: Vec<String>,
    /// Those of them that were asked for: the others guide, and are not reported.
    pub asked: Vec<String>,
    /// Which of them guide the search.
    pub goal_selection: GoalSelection,
    /// Lines of basic blocks shorter than this do not guide under [`GoalSelection::Smart`].
    pub line_threshold: u32,
    /// Which tests the suite keeps.
    pub suite: SuiteSize,
    /// Goals that are no aim, by their numbers among all that class files tell of: the project's own tests cover them.
    pub settled: BTreeSet<GoalId>,
    /// Exceptions that are no aim, for the same reason.
    pub settled_exceptions: Vec<SeenException>,
}

/// How a search goes about it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SearchSetup {
    /// Algorithm.
    pub algorithm: String,
    /// Solver of the conditions of paths, one of the table.
    pub solver: String,
    /// Profile and parameters.
    pub set_up: SetUp,
    /// Seed of the run.
    pub seed: u64,
    /// Stream of randomness: its own for each class and restart.
    pub stream: u64,
    /// Executions that are left; `None` when time is the budget.
    pub executions: Option<u64>,
    /// How tests come from other islands.
    pub exchange: Exchange,
    /// The number of the island. The first, 0, makes suites; the others only search.
    pub island: u32,
}

/// How a worker and those that search the same class beside it exchange tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exchange {
    /// There are no others.
    Never,
    /// As they are found.
    AsTheyCome,
    /// The worker says so and waits, always after the same number of executions.
    InStep {
        /// Executions of this worker until the first exchange.
        next: u64,
        /// Executions from one to the next.
        every: u64,
    },
}

/// What a worker is told while it is at work: the payloads of [`processes::message::ParentMessage`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ClassMessage {
    /// Tests that other islands found, for goals that this one lacks; none may have been found. Answers
    /// [`ClassEvent::Exchange`] where tests are exchanged in step.
    Tests(Vec<TestCase>),
    /// Answers [`ClassEvent::Collect`].
    Collected(Collected),
}

/// What other islands found and a worker lacks, for its suite.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Collected {
    /// Exceptions that the worker has not seen: their goals come behind those that it knows, in this order.
    pub exceptions: Vec<SeenException>,
    /// Tests for goals that its archive lacks, by its own numbers.
    pub archive: Vec<(ArchivedTest, Vec<GoalId>)>,
}

/// What workers before this one came to.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Earlier {
    /// What they found.
    pub archive: Vec<(ArchivedTest, Vec<GoalId>)>,
    /// Tests of an earlier run, which the search begins with.
    pub first: Vec<TestCase>,
    /// Those of them that stay in the file: suites have them in front, in their order, as they are.
    pub kept: Vec<AssertedTest>,
    /// Exceptions that calls let through, in the order of their goals.
    pub exceptions: Vec<SeenException>,
    /// Goals that their suites settle, ascending, if one of them was of everything: what comes is added to those.
    pub settled: Option<Vec<GoalId>>,
    /// What runs had to be ended in.
    pub faults: Faults,
}

/// What a worker is to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Task {
    /// Search, then a suite.
    Search,
    /// A suite of the archive that it was given: the worker before it died after its search.
    Finish,
    /// These tests once more.
    Replay(Vec<AssertedTest>),
}

/// Surroundings that a worker makes up for the tests it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Surroundings {
    /// Those of every search.
    First,
    /// Another clock, other seeds, hash codes, locale, zone, encoding and environment.
    Second,
}

/// What a worker tells.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum ClassEvent {
    /// The JVM is up and the search begins.
    Started,
    /// Calls let these exceptions through for the first time: goals were added, in this order.
    Exceptions(Vec<SeenException>),
    /// A test entered the archive for these goals, ascending.
    Archived {
        /// The goals.
        goals: Vec<GoalId>,
        /// The test.
        test: Box<ArchivedTest>,
        /// Executions of this worker so far.
        executions: u64,
    },
    /// Goals are covered no more, ascending: the best individual is the result, and a better one does not cover them.
    Uncovered {
        /// The goals.
        goals: Vec<GoalId>,
        /// Executions of this worker so far.
        executions: u64,
    },
    /// How far the search is, counted from the start of this worker.
    Progress(Progress),
    /// So many executions are over that tests are exchanged: the worker waits for those of the others.
    Exchange,
    /// A suite is to be made, and the worker waits for what the others found and it lacks.
    Collect,
    /// Why goals are open at the end of the search.
    OpenGoals(Vec<OpenGoal>),
    /// What the operators of local search and the test searches of this worker did.
    LocalSearch(Vec<AppliedTool>),
    /// What came of symbolic execution in this worker.
    Symbolic(Box<SymbolicReport>),
    /// The search is over.
    Searched,
    /// A suite of what has been found.
    Suite(Box<FoundSuite>),
    /// A run had to be ended by other means than its steps.
    Fault(Box<Fault>),
    /// The next test of the suite was run again.
    Replayed(Replayed),
    /// The JVM refuses a class.
    Refused(Refusal),
    /// The JVM may be damaged: another worker should go on.
    Tainted,
    /// Something the user should know, in one sentence.
    Diagnostic(String),
}

/// What a suite is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum SuiteKind {
    /// Of what was found first, for a file of a few tests as they are.
    First,
    /// Of what was found by then, in a small part of the time: better ones follow.
    #[default]
    Early,
    /// Of everything that was found by then, in the time that it takes. Another one takes its place, with what was not finished.
    Whole,
    /// Of what was found since: an addition to the suites before it.
    Addition,
}

/// A suite before it is printed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundSuite {
    /// Its tests.
    pub tests: Vec<AssertedTest>,
    /// Goals in the archive that it was made of.
    pub archived: Vec<GoalId>,
    /// Goals in that archive that are the search's alone ([`coverage::selection::is_pursued`]), of which the suite took what it needs.
    pub pursued: Vec<GoalId>,
    /// Different tests in that archive.
    pub archived_tests: usize,
    /// How much of minimization was done when its time was over, from 0 to 1.
    pub minimized_share: f64,
    /// Likewise of assertions.
    pub asserted_share: f64,
    /// Goals of the archive that it lacks, by cause.
    pub dropped: Vec<Dropped>,
    /// What it is of.
    pub kind: SuiteKind,
    /// Time that minimization took.
    pub minimize: Duration,
    /// Time that assertions took.
    pub assertions: Duration,
}

impl FoundSuite {
    /// Goals of which nothing better can be had by another suite: those that it has, and those of tests that it lacks for
    /// another reason than time.
    pub fn settled(&self) -> BTreeSet<GoalId> {
        let covered = self.tests.iter().flat_map(|test| &test.goals).copied();
        let hopeless = self.dropped.iter().filter(|(cause, _)| *cause != Cause::OutOfTime);
        covered
            .chain(hopeless.flat_map(|(_, goals)| goals).copied())
            .chain(self.pursued.iter().copied())
            .collect()
    }

    /// Whether all tests were minimized and have their first assertions.
    pub fn is_finished(&self) -> bool {
        self.minimized_share >= 1.0 && self.asserted_share >= 1.0
    }

    /// Goals that an earlier test was thought to cover, and that it does not when one looks closely: in another order, or when
    /// it runs again. That such a test passes says nothing of them.
    pub fn denied(&self) -> BTreeSet<GoalId> {
        let is_denial = |cause: &Cause| {
            matches!(cause, Cause::NotReproduced | Cause::OrderDependent | Cause::Survived | Cause::LeftOut)
        };
        let denied = self.dropped.iter().filter(|(cause, _)| is_denial(cause));
        denied.flat_map(|(_, goals)| goals).copied().collect()
    }

    /// This suite with one that came after it, before this one was looked at.
    #[must_use]
    pub fn followed_by(mut self, later: Self) -> Self {
        if later.kind != SuiteKind::Addition {
            return later;
        }
        self.tests.extend(later.tests);
        self.dropped.extend(later.dropped);
        self.archived.extend(later.archived);
        self.archived.sort_unstable();
        self.archived.dedup();
        self.pursued.extend(later.pursued);
        self.archived_tests += later.archived_tests;
        self
    }
}

/// An archived test as it is, for those of these goals, ascending, that a suite of this size keeps it for: not minimized, and without
/// assertions but for the exception that ends it. `None` where that is none.
pub fn unminimized(
    test: &ArchivedTest,
    goals: &[GoalId],
    all: &GoalSet,
    size: SuiteSize,
) -> Option<AssertedTest> {
    let expected = match &test.outcome {
        Outcome::Threw(thrown) => Some(thrown.clone()),
        Outcome::Passed | Outcome::TimedOut | Outcome::Exited => None,
    };
    let goals = size.kept_unasserted_for(goals, expected.as_ref(), all);
    (!goals.is_empty()).then(|| AssertedTest { expected, goals, ..AssertedTest::new(test.test.clone()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(kind: SuiteKind, goals: &[&[u32]]) -> FoundSuite {
        let test = |goals: &&[u32]| AssertedTest {
            goals: goals.iter().copied().map(GoalId).collect(),
            ..AssertedTest::new(TestCase::default())
        };
        let archived = goals.concat().into_iter().map(GoalId).collect();
        FoundSuite { tests: goals.iter().map(test).collect(), archived, kind, ..FoundSuite::default() }
    }

    #[test]
    fn an_addition_joins_the_suite_that_waits_and_any_other_takes_its_place() {
        let early = || suite(SuiteKind::Early, &[&[1]]);
        let whole = || suite(SuiteKind::Whole, &[&[1, 4], &[2]]);
        let addition = || suite(SuiteKind::Addition, &[&[3]]);
        assert_eq!(early().followed_by(whole()), whole());
        assert_eq!(addition().followed_by(whole()), whole());
        let both = whole().followed_by(addition());
        assert_eq!((both.kind, both.tests.len()), (SuiteKind::Whole, 3));
        assert_eq!(both.archived, [1, 2, 3, 4].map(GoalId));
    }

    #[test]
    fn goals_that_a_suite_lacks_for_want_of_time_are_not_settled() {
        let dropped = vec![(Cause::OutOfTime, vec![GoalId(5)]), (Cause::TimedOut, vec![GoalId(6)])];
        let suite = FoundSuite { dropped, ..suite(SuiteKind::Whole, &[&[1, 4], &[2]]) };
        assert_eq!(suite.settled().into_iter().collect::<Vec<_>>(), [1, 2, 4, 6].map(GoalId));
    }

    #[test]
    fn suites_survive_the_stream() {
        let causes = [Cause::OutOfTime, Cause::Unprintable("why".into()), Cause::Failed("how".into())];
        let dropped = causes.map(|cause| (cause, vec![GoalId(3)])).to_vec();
        let suite = FoundSuite {
            dropped,
            archived: vec![GoalId(3)],
            kind: SuiteKind::Whole,
            ..FoundSuite::default()
        };
        let bytes = postcard::to_stdvec(&ClassEvent::Suite(Box::new(suite.clone()))).unwrap();
        let event: ClassEvent = postcard::from_bytes(&bytes).unwrap();
        assert!(matches!(event, ClassEvent::Suite(again) if *again == suite));
    }
}
