//! The client of the island that makes suites: says when it is time for one and when the search is over. What any island
//! found is in the record.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use coverage::goal::GoalId;
use output::minimize::without_idle;
use output::report::Cause;
use processes::message::WorkerEvent;
use processes::supervisor::{Client, Death, Decision, Line, Loss, Losses, MOST_DEATHS, MOST_REPLACED};
use search::event::Timeline;
use search::local_search::tools::AppliedTool;
use search::open_goals::OpenGoal;

use super::record::{Spent, Told};
use super::searcher::Searcher;
use crate::console::progress::{ClassLine, Phase, Progress as Shown};
use crate::generate::shares::{Share, stands_still};
use crate::generate::time_plan::{Standing, Step, TimePlan};
use crate::job::{ClassEvent, ClassJob, Earlier, FoundSuite, SuiteKind, Task, unminimized};
use crate::json::SymbolicReport;
use crate::statistics::Found;

/// What a class has come to so far.
pub(super) struct SearchClient<'a> {
    /// The side that all islands have.
    pub searcher: Searcher<'a>,
    setup: ClientSetup<'a>,
    /// Tests of the last suite with its additions, and different tests of the archive that they were made of.
    last_suite: Option<(usize, usize)>,
    /// Different tests of the archive and those of them that are new, as counted last, and when.
    counted: Option<(Tests, Duration)>,
    /// Suites in which the search goes on.
    rounds: Rounds,
    /// What happened, as far as the record does not tell.
    history: History,
    phase: Phase,
    /// When the archive is to be made a suite.
    fallbacks: Fallbacks,
}

/// How far the rounds of search, suite and verification are.
#[derive(Debug, Default)]
struct Rounds {
    /// Whether a suite of everything was asked for.
    has_whole: bool,
    /// What the last suite of everything took whose time was over before all was done.
    unfinished: Option<Duration>,
    /// Whether the worker makes a suite now.
    is_making: bool,
    /// Goals that the suites made so far settle; `None` as long as none was of everything.
    settled: Option<BTreeSet<GoalId>>,
    /// Whether the worker was told to give way.
    gives_way: bool,
}

/// Different tests of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tests {
    /// All of them.
    archived: usize,
    /// Those with a goal that no suite of a round settles.
    new: usize,
}

/// What is told of a search afterwards.
#[derive(Debug, Default)]
pub(super) struct History {
    /// How coverage grew; times since the class path was known.
    pub timeline: Timeline,
    /// What all workers spent.
    pub spent: Spent,
    /// When the search covered each goal first.
    pub found: BTreeMap<GoalId, Found>,
    /// When the first worker began to search.
    pub search_start: Option<Duration>,
    /// When the last one ended its search.
    pub search_end: Option<Duration>,
    /// Whether a suite of everything was made.
    pub has_whole_suite: bool,
    /// Time that suites took of the search, early ones aside.
    pub between: Duration,
    /// Time that minimizing these and the last one took.
    pub minimize: Duration,
    /// Time that their assertions took.
    pub assertions: Duration,
    /// What the user should know.
    pub diagnostics: Vec<String>,
    /// What is open in the sandbox.
    pub warnings: Vec<String>,
    /// Whether the user ended the search.
    pub interrupted: bool,
    /// Whether it ended early, for nothing new came of it.
    pub stood_still: bool,
    /// What each operator of local search and each test search did, as far as workers came to tell.
    pub local_search: Vec<AppliedTool>,
    /// What came of symbolic execution in all workers that came to tell; `None` where it was not applied.
    pub symbolic: Option<SymbolicReport>,
    /// Why goals were open when the search ended; empty when no worker came so far.
    pub open_goals: Vec<OpenGoal>,
    /// All goals that were ever archived.
    pub archived: Vec<GoalId>,
    /// Executions of each island, and goals that it was the first to cover.
    pub islands: Vec<(u64, usize)>,
}

/// What a client is made of beside what all islands have.
pub(super) struct ClientSetup<'a> {
    /// Shows how far the class is.
    pub line: &'a ClassLine,
    /// Takes suites.
    pub suites: Sender<FoundSuite>,
    /// Suites on their way to the file.
    pub underway: Arc<AtomicUsize>,
}

impl<'a> SearchClient<'a> {
    /// A client before its first worker.
    pub(super) fn new(searcher: Searcher<'a>, setup: ClientSetup<'a>) -> Self {
        Self {
            searcher,
            setup,
            last_suite: None,
            counted: None,
            rounds: Rounds::default(),
            history: History::default(),
            phase: Phase::Start,
            fallbacks: Fallbacks::default(),
        }
    }

    /// To be called when the last worker of every island has ended: where none made the last suite, the archive is one. Gives
    /// what happened.
    pub(super) fn close(mut self) -> History {
        let now = self.searcher.now();
        self.history.search_end.get_or_insert(now);
        self.searcher.record().take_pending();
        if self.rounds.settled.is_none() {
            let suite = self.archived_suite(SuiteKind::Whole);
            self.send(suite);
        }
        let mut record = self.searcher.record();
        let Told { timeline, found, search_start, diagnostics, warnings } = std::mem::take(&mut record.told);
        History {
            timeline,
            found,
            search_start,
            diagnostics,
            warnings,
            spent: record.spent(),
            archived: record.covered().collect(),
            islands: record.shares(),
            local_search: record.local_search(),
            symbolic: record.symbolic(),
            ..self.history
        }
    }

    /// To be called in place of [`SearchClient::close`] where nothing of this search is wanted.
    pub(super) fn abandon(self) -> History {
        self.history
    }

    /// Makes a suite of the archive: soon, for a first file, and where the worker has made none for too long. It may be in the
    /// middle of a run that nothing ends but time.
    fn step_in(&mut self, plan: TimePlan, now: Duration) {
        let (start, is_empty) = {
            let record = self.searcher.record();
            (record.told.search_start, record.archive.covered().is_empty())
        };
        let Some(start) = start.filter(|_| !is_empty) else { return };
        let lacks = if self.rounds.settled.is_some() {
            Lacks::Nothing
        } else if self.last_suite.is_some() {
            Lacks::Whole
        } else {
            Lacks::Any
        };
        // A class that is left without a file has another turn where time is shared.
        let has_no_first = self.searcher.setup.time.is_shared && plan.is_short(start);
        let due = self.fallbacks.due(plan, start, now, lacks);
        if let Some(kind) = due.filter(|kind| !has_no_first || *kind != SuiteKind::First) {
            let suite = self.archived_suite(kind);
            self.send(suite);
        }
    }

    fn send(&self, suite: FoundSuite) {
        self.setup.underway.fetch_add(1, Ordering::SeqCst);
        // From the first file on, making and verifying suites goes before what islands that only search may still find.
        self.searcher.record().gives_way = true;
        // A receiver that is gone has failed, and its error is reported.
        let _ = self.setup.suites.send(suite);
    }

    /// The tests of the archive as they are but for what does nothing in them, without assertions; a test whose goals others cover is left
    /// out.
    fn archived_suite(&self, kind: SuiteKind) -> FoundSuite {
        let record = self.searcher.record();
        let mut archived: Vec<GoalId> = record.covered().collect();
        archived.sort_unstable();
        let goals = self.searcher.setup.subject.goals();
        let options = self.searcher.setup.options;
        let size = options.suite.for_criteria(&options.criteria, &goals);
        let cluster = self.searcher.setup.subject.cluster.get();
        let tests = record.archive.tests().into_iter().filter_map(|(test, mut covered)| {
            covered.retain(|goal| archived.binary_search(goal).is_ok());
            unminimized(&test, &covered, &goals, size).map(|test| without_idle(&cluster, test))
        });
        let tests = self.searcher.setup.first.kept.iter().cloned().chain(tests).collect();
        let dropped = vec![(Cause::OutOfTime, archived.clone())];
        FoundSuite { tests, archived, dropped, kind, ..FoundSuite::default() }
    }

    fn take(&mut self, event: ClassEvent) {
        let (now, island) = (self.searcher.now(), self.searcher.setup.island);
        match event {
            ClassEvent::OpenGoals(open) => {
                self.history.open_goals = self.searcher.record().open_in_record(island, open);
            }
            ClassEvent::Searched => {
                self.history.search_end = Some(now);
                self.searcher.has_no_calls();
                self.phase = Phase::Minimize;
                // With a budget in executions the others have ended.
                self.searcher.record().is_closed = true;
            }
            ClassEvent::Suite(suite) => {
                let suite = self.searcher.record().suite_in_record(island, *suite);
                let (tests, archived) = (suite.tests.len(), suite.archived_tests);
                let FoundSuite { kind, minimize, minimized_share, assertions, asserted_share, .. } = &suite;
                tracing::debug!(
                    ?kind,
                    archived,
                    tests,
                    ?minimize,
                    minimized_share,
                    ?assertions,
                    asserted_share,
                    at = ?now,
                    "a suite was made"
                );
                let before = self.last_suite.filter(|_| suite.kind == SuiteKind::Addition);
                let (tests_before, archived_before) = before.unwrap_or_default();
                self.last_suite = Some((tests_before + tests, archived_before + archived));
                self.searcher.setup.shared.learn(|speeds| {
                    speeds.minimize.learn_part(archived, suite.minimize, suite.minimized_share);
                    speeds.assertions.learn_part(tests, suite.assertions, suite.asserted_share);
                });
                if matches!(suite.kind, SuiteKind::Whole | SuiteKind::Addition) {
                    self.end_round(&suite);
                }
                self.send(suite);
            }
            // Every island's are taken by its searcher.
            ClassEvent::Started
            | ClassEvent::Exceptions(_)
            | ClassEvent::Archived { .. }
            | ClassEvent::Uncovered { .. }
            | ClassEvent::Progress(_)
            | ClassEvent::LocalSearch(_)
            | ClassEvent::Symbolic(_)
            | ClassEvent::Exchange
            | ClassEvent::Collect
            | ClassEvent::Fault(_)
            | ClassEvent::Refused(_)
            | ClassEvent::Tainted
            | ClassEvent::Diagnostic(_)
            // Nobody asked this worker to.
            | ClassEvent::Replayed(_) => {}
        }
    }

    fn show(&self) {
        let now = self.searcher.now();
        let record = self.searcher.record();
        self.setup.line.show(&Shown {
            phase: self.phase,
            elapsed: now,
            goals: record.goals(),
            covered: record.covered().count(),
            executions: record.spent().executions,
        });
    }

    /// Notes a suite that is not an early one.
    fn end_round(&mut self, suite: &FoundSuite) {
        self.rounds.is_making = false;
        self.history.has_whole_suite = true;
        self.rounds.settled.get_or_insert_default().extend(suite.settled());
        if suite.kind == SuiteKind::Whole {
            self.rounds.unfinished = (!suite.is_finished()).then_some(suite.minimize + suite.assertions);
        }
        self.counted = None;
        self.history.minimize += suite.minimize;
        self.history.assertions += suite.assertions;
        if self.history.search_end.is_some() {
            self.phase = Phase::Verify;
        } else {
            self.phase = Phase::Search;
            self.history.between += suite.minimize + suite.assertions;
        }
    }

    /// Counts the tests of the archive, now and then.
    fn count_tests(&mut self) -> Tests {
        let now = self.searcher.now();
        if let Some((tests, _)) = self.counted.filter(|(_, then)| now < *then + RECOUNT) {
            return tests;
        }
        let tests = self.searcher.record().archive.tests();
        let settled = self.rounds.settled.as_ref();
        let is_new = |goal: &GoalId| !settled.is_some_and(|settled| settled.contains(goal));
        let new = tests.iter().filter(|(_, goals)| goals.iter().any(is_new)).count();
        let tests = Tests { archived: tests.len(), new };
        self.counted = Some((tests, now));
        tests
    }

    /// Different tests of the archive, those that are new, and, as far as one can tell, those that a suite of all will have.
    fn expected_tests(&mut self) -> (Tests, usize) {
        let tests = self.count_tests();
        let archived = tests.archived;
        let expected = match self.last_suite {
            // What comes later is harder to cover and takes tests of the suite with it more often: the suite was seen to
            // grow by less than the root of what the archive grows by.
            Some((tests, archived_then)) if archived_then > 0 => {
                let growth = archived as f64 / archived_then as f64;
                (tests as f64 * growth.max(1.0).sqrt()).ceil() as usize
            }
            _ => archived,
        };
        (tests, expected)
    }
}

impl Client for SearchClient<'_> {
    fn job(&mut self, restart: u32, is_last: bool) -> Option<Vec<u8>> {
        // What the worker before this one was about to make is gone with it.
        self.rounds.is_making = false;
        self.rounds.gives_way = false;
        self.fallbacks.overdue = None;
        self.rounds.has_whole = self.rounds.settled.is_some();
        let has_searched = self.history.search_end.is_some();
        if is_last && !has_searched {
            self.searcher.diagnose(format!(
                "the search ended early: {MOST_DEATHS} workers died, or {MOST_REPLACED} had to be replaced"
            ));
        }
        if !has_searched {
            self.searcher.tell_used_up();
        }
        let is_over = self.searcher.executions_left() == Some(0) || self.searcher.has_no_calls();
        let is_searched = is_last || is_over || has_searched;
        let job = self.searcher.job(restart);
        let island = self.searcher.setup.island;
        let settled = self.rounds.settled.as_ref();
        let job = ClassJob {
            earlier: Earlier {
                settled: settled.map(|goals| self.searcher.record().in_island(island, goals)),
                ..job.earlier
            },
            task: if is_searched { Task::Finish } else { task_for(self.next_step()) },
            is_last,
            ..job
        };
        Some(job.encoded())
    }

    fn started(&mut self, line: Line) {
        self.searcher.record().started(self.searcher.setup.island, line);
    }

    fn lost_elsewhere(&self) -> Losses {
        self.searcher.lost_elsewhere()
    }

    fn event(&mut self, event: WorkerEvent) {
        let is_start = self.phase == Phase::Start;
        if let Some(event) = self.searcher.take(event) {
            self.take(event);
        }
        if is_start && self.searcher.record().told.search_start.is_some() {
            self.phase = Phase::Search;
        }
        self.show();
    }

    fn died(&mut self, death: &Death) -> Loss {
        self.searcher.died(death)
    }

    fn decide(&mut self) -> Decision {
        let (now, plan) = (self.searcher.now(), self.searcher.plan());
        if let Some(plan) = plan {
            self.step_in(plan, now);
        }
        if self.searcher.is_refused() || plan.is_some_and(|plan| now >= plan.deadline()) {
            return Decision::Kill;
        }
        match self.next_step() {
            Step::Search if self.is_to_give_way(plan.is_some()) => {
                self.rounds.gives_way = true;
                Decision::GiveWay
            }
            Step::Search => Decision::GoOn,
            Step::Suite(wanted) => {
                let overdue = now + wanted.time + plan.map_or(Duration::ZERO, |plan| plan.patience(now));
                self.fallbacks.overdue = (!self.rounds.has_whole).then_some(overdue);
                (self.rounds.has_whole, self.rounds.is_making) = (true, true);
                self.phase = Phase::Minimize;
                Decision::Suite(wanted)
            }
            Step::End => {
                let (_, tests) = self.expected_tests();
                Decision::Stop(plan.map(|plan| plan.suite_end(tests).saturating_sub(now)))
            }
        }
    }
}

impl SearchClient<'_> {
    /// Whether the worker is to let verification go first from now on. What may still be found is worth less than what was found and is
    /// verified now; where classes share the time of a run, a class without a file is the worst of all.
    fn is_to_give_way(&self, is_hurried: bool) -> bool {
        let has_much_to_lose = self.rounds.settled.is_some() || self.searcher.setup.time.is_shared;
        is_hurried && has_much_to_lose && !self.rounds.gives_way
    }

    /// What comes next now.
    fn next_step(&mut self) -> Step {
        if self.searcher.setup.interrupt.is_set() {
            self.history.interrupted = true;
            return Step::End;
        }
        let Some(plan) = self.searcher.plan() else { return Step::Search };
        if self.history.search_end.is_some() {
            return Step::Search;
        }
        let now = self.searcher.now();
        let (start, executions, news) = {
            let record = self.searcher.record();
            let start = record.told.search_start.unwrap_or(now);
            (start, record.spent().executions, record.told.timeline.last_growth())
        };
        let Share { budget, is_shared } = self.searcher.setup.time;
        let since = |moment: Duration| now.saturating_sub(moment);
        if let Some(time) = budget.time().filter(|_| is_shared)
            && stands_still(since(start), executions, since(news.unwrap_or(start)), time)
        {
            self.history.stood_still = true;
            return Step::End;
        }
        let (Tests { archived, new }, tests) = self.expected_tests();
        // What minimization takes is known of this class as soon as it has a suite.
        let minimize_one = if self.last_suite.is_some() {
            Duration::ZERO
        } else {
            let searched = now.saturating_sub(start + self.history.between);
            searched.mul_f64(EXECUTIONS_PER_TEST / executions.max(1) as f64)
        };
        plan.next_step(&Standing {
            now,
            start,
            archived,
            tests,
            new,
            minimize_one,
            has_whole: self.rounds.has_whole,
            unfinished: self.rounds.unfinished,
            is_busy: self.rounds.is_making || self.setup.underway.load(Ordering::SeqCst) > 0,
        })
    }
}

/// The moments at which a suite is made without the worker.
#[derive(Debug, Default)]
struct Fallbacks {
    /// How many have passed of those that are known when the search begins.
    passed: usize,
    /// When the suite of everything is late, which the worker was asked for.
    overdue: Option<Duration>,
}

/// Suites that the worker has not made so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lacks {
    /// It has made none.
    Any,
    /// None of everything.
    Whole,
    /// It has made that one.
    Nothing,
}

impl Fallbacks {
    /// The suite to be made where a moment has come at which one is wanted. One that comes when none is wanted is over,
    /// and so are those before the last that came.
    fn due(&mut self, plan: TimePlan, start: Duration, now: Duration, lacks: Lacks) -> Option<SuiteKind> {
        if self.overdue.is_some_and(|overdue| now >= overdue) {
            self.overdue = None;
            return match lacks {
                Lacks::Any => Some(SuiteKind::Whole),
                // What the worker made is worth more than the same as it was archived.
                Lacks::Whole => Some(SuiteKind::Addition),
                Lacks::Nothing => None,
            };
        }
        let come = plan.fallbacks(start).into_iter().filter(|moment| now >= *moment).count();
        let has_come = come > self.passed;
        self.passed = come;
        let kind = if come == 1 { SuiteKind::First } else { SuiteKind::Early };
        (has_come && lacks == Lacks::Any).then_some(kind)
    }
}

/// Executions that minimizing takes for each test of the archive, about.
const EXECUTIONS_PER_TEST: f64 = 10.0;

/// What the next worker of a class is there for. A suite that is due is asked of it as it would have been of the one before, and it searches
/// on behind that.
fn task_for(next: Step) -> Task {
    match next {
        Step::Search | Step::Suite(_) => Task::Search,
        Step::End => Task::Finish,
    }
}

/// How long a count of the archive's tests is good for: it takes a fraction of a millisecond in a large class, and is
/// asked for with every event.
const RECOUNT: Duration = Duration::from_millis(50);

#[cfg(test)]
mod tests {
    use processes::worker::WantedSuite;

    use super::*;
    use crate::options::Budget;

    #[test]
    fn the_archive_is_made_a_suite_once_at_each_moment_if_it_is_wanted_then() {
        let seconds = Duration::from_secs_f64;
        let plan =
            TimePlan::new(Budget::Time(seconds(10.0)), crate::generate::speeds::Speeds::default()).unwrap();
        let moments = plan.fallbacks(seconds(1.0));
        let mut fallbacks = Fallbacks::default();
        let mut due = |now, lacks| fallbacks.due(plan, seconds(1.0), now, lacks);
        assert_eq!(due(seconds(1.2), Lacks::Any), None, "a few tests are found first");
        assert_eq!(due(moments[0], Lacks::Any), Some(SuiteKind::First));
        assert_eq!(due(moments[0] + seconds(0.02), Lacks::Any), None, "once");
        assert_eq!(due(moments[1], Lacks::Whole), None, "the worker has made one");
        assert_eq!(due(moments[2], Lacks::Any), Some(SuiteKind::Early));
        assert_eq!(due(seconds(9.5), Lacks::Any), None, "there is no fourth");
    }

    #[test]
    fn the_archive_is_the_suite_of_everything_once_where_the_worker_is_late_with_it() {
        let seconds = Duration::from_secs_f64;
        let plan =
            TimePlan::new(Budget::Time(seconds(10.0)), crate::generate::speeds::Speeds::default()).unwrap();
        for (lacks, late) in [
            (Lacks::Any, Some(SuiteKind::Whole)),
            (Lacks::Whole, Some(SuiteKind::Addition)),
            (Lacks::Nothing, None),
        ] {
            // All other moments have passed.
            let mut fallbacks = Fallbacks { passed: 3, overdue: Some(seconds(6.0)) };
            let mut due = |now| fallbacks.due(plan, seconds(1.0), seconds(now), lacks);
            assert_eq!([due(5.9), due(6.0), due(6.1)], [None, late, None], "{lacks:?}");
        }
    }

    #[test]
    fn a_worker_that_comes_when_a_suite_is_due_searches_on() {
        let wanted = WantedSuite { time: Duration::from_secs(1), is_anew: false };
        for (next, is_search) in [(Step::Search, true), (Step::Suite(wanted), true), (Step::End, false)] {
            assert_eq!(matches!(task_for(next), Task::Search), is_search, "{next:?}");
        }
    }

    #[test]
    fn moments_that_passed_while_nothing_was_covered_are_made_up_for_once() {
        let seconds = Duration::from_secs_f64;
        let plan =
            TimePlan::new(Budget::Time(seconds(10.0)), crate::generate::speeds::Speeds::default()).unwrap();
        let mut fallbacks = Fallbacks::default();
        let mut due = |now| fallbacks.due(plan, seconds(1.0), seconds(now), Lacks::Any);
        assert_eq!([due(5.0), due(5.02)], [Some(SuiteKind::Early), None]);
    }
}
