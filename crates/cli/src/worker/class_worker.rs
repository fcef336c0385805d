//! The phases of a class: search, with a suite in between now and then, and the suite of everything.

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::vec::IntoIter;

use anyhow::Context as _;
use concolic::dse::SymbolicExecution;
use concolic::solver::Solver;
use coverage::criterion;
use coverage::goal::{Goal, GoalId, GoalSet};
use coverage::goal_graph::GoalGraph;
use coverage::seen;
use coverage::selection::{guiding, is_pursued};
use jvm::executor::JvmExecutor;
use output::asserted_test::AssertedTest;
use output::assertion::AssertionOptions;
use output::replay::{Replay, Replayed};
use processes::message::WorkerEvent;
use processes::worker::{EventSender, Requests, UNLIMITED, WantedSuite, Worker};
use search::algorithm::algorithm;
use search::archive::{Archive, KeptTest};
use search::budget::{Budget, Limit};
use search::context::SearchEnvironment;
use search::event::SearchEvent;
use search::local_search::tools::AppliedTool;
use search::open_goals::explain::{Facts, Rerun, explain};
use search::options::SearchOptions;
use search::search::{Search, SearchRequest, StepOutcome};
use testcase::clock::Clock;
use testcase::cluster::TestCluster;
use testcase::execution::{ExecutionResult, Executor as _};
use testcase::factory::TestFactory;
use testcase::random::Random;
use testcase::test_case::TestCase;

use super::first_tests::single_calls;
use super::suite::{Pace, SuiteMaker, SuiteMemory};
use super::symbolic::{symbolic_execution, symbolic_report};
use crate::job::{ClassEvent, ClassJob, ClassMessage, Collected, Exchange, SuiteKind, Task};

/// Time for tests that show why goals are open, where time is the budget.
const EXPLANATION: Duration = Duration::from_millis(10);

/// A worker at work on its class.
pub(super) struct ClassWorker<'a> {
    job: &'a ClassJob,
    cluster: &'a TestCluster,
    goals: GoalSet,
    executor: JvmExecutor,
    size: (usize, usize),
    result: ExecutionResult,
    clock: Clock,
    requests: Requests,
    /// Raised when the JVM may be damaged.
    alarm: Arc<AtomicBool>,
    events: EventSender,
    /// Goals that suites settle, if one of them was of everything.
    settled: Option<BTreeSet<GoalId>>,
    /// Whether the time of the last one of everything was over before all was done.
    is_unfinished: bool,
    /// What suites so far found out.
    memory: SuiteMemory,
    /// Executions at which tests are exchanged next, where that is done in step.
    next_exchange: Option<u64>,
    /// Tests of other islands that came while a suite was made.
    untaken: Vec<TestCase>,
    /// What was told last of local search.
    told_tools: Vec<AppliedTool>,
}

/// How a job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// It was done.
    Finished,
    /// Another worker should go on.
    Tainted,
}

/// What follows a generation.
enum Next {
    /// The next one.
    GoOn,
    /// The end of the search.
    End,
    /// Another worker, which goes on.
    Leave,
}

/// How a search ended.
enum Searched {
    /// With these tests.
    Done(Vec<KeptTest>),
    /// Another worker should go on.
    Tainted,
}

impl<'a> ClassWorker<'a> {
    /// A worker with its JVM; `size` are the numbers of probes and outcomes.
    pub(super) fn new(
        worker: Worker,
        job: &'a ClassJob,
        cluster: &'a TestCluster,
        mut executor: JvmExecutor,
        size: (usize, usize),
        clock: Clock,
    ) -> anyhow::Result<Self> {
        executor.look_further(job.search.set_up.search_options()?.further_looks);
        let alarm = Arc::new(AtomicBool::new(false));
        if !job.is_last {
            // The search ends at once.
            executor.raise_when_tainted(vec![Arc::clone(&alarm), Arc::clone(&worker.requests.stop)]);
        }
        Ok(Self {
            alarm,
            goals: goals_of(job, &mut executor, size.0)?,
            result: ExecutionResult::new(size.0, size.1),
            requests: worker.requests,
            events: worker.events,
            settled: job.earlier.settled.as_ref().map(|goals| goals.iter().copied().collect()),
            is_unfinished: false,
            memory: SuiteMemory::default(),
            next_exchange: match job.search.exchange {
                Exchange::InStep { next, .. } => Some(next),
                Exchange::Never | Exchange::AsTheyCome => None,
            },
            untaken: Vec::new(),
            told_tools: Vec::new(),
            job,
            cluster,
            executor,
            size,
            clock,
        })
    }

    /// Does the job, as far as its JVM stays sound; a search solves conditions with this solver.
    pub(super) fn run(mut self, solver: Option<Box<dyn Solver>>) -> anyhow::Result<Ended> {
        self.report_diagnostics()?;
        if self.is_tainted() {
            // A class is refused with our probes: nothing was found yet that could be lost.
            return self.leave();
        }
        send(&self.events, &ClassEvent::Started)?;
        if let Task::Replay(suite) = &self.job.task {
            return self.replay(suite);
        }
        let mut archive = Archive::new(self.goals.len(), false);
        for (test, goals) in &self.job.earlier.archive {
            archive.record(goals, test.clone());
        }
        let found = if let Some(solver) = solver {
            match self.search(solver)? {
                Searched::Done(found) => found,
                Searched::Tainted => return self.leave(),
            }
        } else {
            self.collect()?
        };
        if !self.makes_suites() {
            self.report_diagnostics()?;
            return Ok(Ended::Finished);
        }
        self.add_exceptions();
        archive.grow(self.goals.len());
        for (test, goals) in found {
            archive.record(&goals, test);
        }
        send(&self.events, &ClassEvent::Searched)?;
        let tests = archive.tests();
        let end = self.suite_end(tests.len());
        if !self.send_round(tests, self.is_unfinished && self.requests.end().is_none(), end)? {
            return self.leave();
        }
        self.report_diagnostics()?;
        Ok(Ended::Finished)
    }

    /// Leaves the job to another worker.
    fn leave(&mut self) -> anyhow::Result<Ended> {
        self.report_diagnostics()?;
        send(&self.events, &ClassEvent::Tainted)?;
        Ok(Ended::Tainted)
    }

    /// Runs a suite again and tells of each test.
    fn replay(mut self, suite: &[AssertedTest]) -> anyhow::Result<Ended> {
        let replay = Replay::new(&self.goals, AssertionOptions::default());
        for test in suite {
            // What is known to fail has no say.
            let replayed = if test.fails {
                Replayed::Agrees
            } else {
                replay.run(test, &mut self.executor, &mut self.result)
            };
            send(&self.events, &ClassEvent::Replayed(replayed))?;
            if self.executor.is_tainted() {
                return self.leave();
            }
        }
        Ok(Ended::Finished)
    }

    /// The goals and what controls them, with those that guide.
    fn graph(&self) -> anyhow::Result<GoalGraph> {
        let call_dependences = self.job.search.set_up.has_call_dependences()?;
        let mut graph = GoalGraph::new(&self.job.code.maps, &self.goals, call_dependences);
        let selection = (self.job.aims.asked.as_slice(), self.job.aims.goal_selection);
        let follows_control = algorithm(&self.job.search.algorithm)?.follows_control;
        let threshold = self.job.aims.line_threshold;
        graph.guide_by(&guiding(&self.goals, &self.job.code.maps, selection, follows_control, threshold));
        Ok(graph)
    }

    /// Tests to begin with: those of an earlier run, what workers before this one found, and where one was lost, calls that it may not have come to.
    fn seeds(&self, graph: &GoalGraph, factory: &mut TestFactory<'_>, random: &mut Random) -> Vec<TestCase> {
        let mut seeds: Vec<TestCase> =
            self.job.earlier.archive.iter().map(|(archived, _)| archived.test.clone()).collect();
        seeds.extend(self.job.earlier.first.iter().cloned());
        if !self.job.earlier.faults.is_empty() {
            seeds.extend(single_calls(&self.goals, graph, factory, &seeds, random));
        }
        seeds
    }

    /// Searches, and tells what came of symbolic execution, however that ended.
    fn search(&mut self, solver: Box<dyn Solver>) -> anyhow::Result<Searched> {
        let mut options = self.job.search.set_up.search_options()?;
        // Who asks for mutants to be killed has the whole budget for them.
        let is_pursued = |goal: &Goal| is_pursued(goal, &self.job.aims.asked);
        options.auto.pursues &= self.goals.goals().iter().any(is_pursued);
        let mut symbolic = symbolic_execution(self.job, &options, solver);
        let searched = self.search_with(options, &mut symbolic)?;
        if let Some(report) = symbolic_report(symbolic.statistics()) {
            send(&self.events, &ClassEvent::Symbolic(Box::new(report)))?;
        }
        Ok(searched)
    }

    fn search_with(
        &mut self,
        options: SearchOptions,
        symbolic: &mut SymbolicExecution,
    ) -> anyhow::Result<Searched> {
        let graph = self.graph()?;
        let maps = &self.job.code.maps;
        let mut factory = TestFactory::new(self.cluster, options.factory.clone());
        let mut random = Random::new(self.job.search.seed, self.job.search.stream);
        let seeds = self.seeds(&graph, &mut factory, &mut random);
        let mut search = Search::new(SearchRequest {
            algorithm: &self.job.search.algorithm,
            goals: self.goals.clone(),
            maps,
            graph: &graph,
            cluster: self.cluster,
            probes: self.size.0,
            outcomes: self.size.1,
            seeds,
            test_searches: vec![Box::new(symbolic)],
            options,
        })?;
        let mut budget = Budget::new(self.limit(), Arc::clone(&self.requests.stop));
        let mut snapshots = self.snapshots().into_iter().peekable();
        let mut unheard = None;
        loop {
            let events = self.events.clone();
            let mut tell = |event: SearchEvent<'_>| {
                if let Err(error) = send(&events, &of_search(event)) {
                    unheard.get_or_insert(error);
                }
            };
            let outcome = search.step(&mut SearchEnvironment {
                executor: &mut self.executor,
                source: &mut factory,
                random: &mut random,
                budget: &mut budget,
                events: &mut tell,
            });
            if let Some(error) = unheard.take() {
                return Err(error);
            }
            if self.is_tainted() {
                return Ok(Searched::Tainted);
            }
            self.report_faults()?;
            self.exchange(&mut search, &budget, outcome)?;
            let has_calls = !self.executor.faults().ban_all_of(self.cluster);
            if outcome == StepOutcome::Covered || !has_calls {
                break;
            }
            match self.pause_if_due(&search, &graph, outcome, &mut snapshots)? {
                Next::GoOn => {}
                Next::End => break,
                Next::Leave => return Ok(Searched::Tainted),
            }
        }
        Ok(Searched::Done(self.end_search(&search, &graph)?))
    }

    /// Makes a suite between two generations if one is wanted, of what was found so far.
    fn pause_if_due(
        &mut self,
        search: &Search<'_>,
        graph: &GoalGraph,
        outcome: StepOutcome,
        snapshots: &mut Peekable<IntoIter<Duration>>,
    ) -> anyhow::Result<Next> {
        let is_sound = if let Some(WantedSuite { time, is_anew }) = self.requests.take_suite() {
            let end = Some(self.clock.now() + time);
            let others = self.collect()?;
            let covered = covered_by(&others);
            let is_sound = self.pause(search, others, is_anew, end)?;
            if is_sound {
                // The end may come at any time from now on.
                self.explain(search, graph, &covered)?;
                self.requests.go_on(&self.alarm);
            }
            is_sound
        } else if outcome != StepOutcome::Running {
            return Ok(Next::End);
        } else if snapshots.next_if(|moment| self.clock.now() >= *moment).is_some() {
            let end = self.job.plan.map(|plan| plan.snapshot_end(self.clock.now()));
            if self.settled.is_some() {
                let others = self.collect()?;
                self.pause(search, others, false, end)?
            } else {
                self.goals.clone_from(search.goals());
                self.send_suite(search.archive().tests(), Pace { end, kind: SuiteKind::Early })?
            }
        } else {
            true
        };
        Ok(if is_sound { Next::GoOn } else { Next::Leave })
    }

    /// What a search found that is over, and others beside it; says why goals are open.
    fn end_search(&mut self, search: &Search<'_>, graph: &GoalGraph) -> anyhow::Result<Vec<KeptTest>> {
        if !self.makes_suites() {
            return Ok(Vec::new());
        }
        let others = self.collect()?;
        self.explain(search, graph, &covered_by(&others))?;
        self.goals.clone_from(search.goals());
        let mut found = search.archive().tests();
        found.extend(others);
        Ok(found)
    }

    /// Whether this island is the one that makes suites.
    fn makes_suites(&self) -> bool {
        self.job.search.island == 0
    }

    /// Takes tests of other islands in, if there are any or it is time to ask for some.
    fn exchange(
        &mut self,
        search: &mut Search<'_>,
        budget: &Budget,
        outcome: StepOutcome,
    ) -> anyhow::Result<()> {
        if !self.makes_suites() {
            self.tell_tools(search)?;
        }
        match (self.job.search.exchange, self.next_exchange) {
            (Exchange::InStep { every, .. }, Some(next)) if budget.executions() >= next => {
                // One that ends waits for nobody.
                if outcome == StepOutcome::Running {
                    send(&self.events, &ClassEvent::Exchange)?;
                    if let Some(payload) = self.requests.wait_told_or_stop() {
                        take_in(search, &payload)?;
                    }
                    let every = every.max(1);
                    self.next_exchange = Some(next + every * (1 + (budget.executions() - next) / every));
                }
            }
            (Exchange::AsTheyCome, _) => {
                search.take_in(std::mem::take(&mut self.untaken));
                while let Some(payload) = self.requests.take_told() {
                    take_in(search, &payload)?;
                }
            }
            (Exchange::Never | Exchange::InStep { .. }, _) => {}
        }
        Ok(())
    }

    /// Tests that other islands found for goals that this one lacks. The exceptions that they have seen are watched from now
    /// on: before anything else is run, since an exception that a run is the first to show comes behind them.
    fn collect(&mut self) -> anyhow::Result<Vec<KeptTest>> {
        if self.job.search.exchange == Exchange::Never {
            return Ok(Vec::new());
        }
        send(&self.events, &ClassEvent::Collect)?;
        let (tests, collected) = until_collected(|| message(&self.requests.wait_told()))?;
        self.untaken.extend(tests);
        if !collected.exceptions.is_empty() {
            let mut all = self.executor.exceptions().to_vec();
            all.extend(collected.exceptions);
            self.executor.watch_exceptions(all);
        }
        Ok(collected.archive.into_iter().map(|(test, goals)| (Arc::new(test), goals)).collect())
    }

    /// Where there are other islands, adds the goals of exceptions that they have seen, which have none here yet.
    fn add_exceptions(&mut self) {
        if self.job.search.exchange != Exchange::Never && seen::is_asked_for(&self.job.aims.criteria) {
            let all = self.executor.exceptions();
            seen::add_goals(&mut self.goals, &self.job.code.maps, all, self.size.0);
        }
    }

    /// Tells what local search did. An island that only searches is ended without notice, and tells as it goes on.
    fn tell_tools(&mut self, search: &Search<'_>) -> anyhow::Result<()> {
        let tools = search.local_search_tools();
        if tools == self.told_tools {
            return Ok(());
        }
        self.told_tools.clone_from(&tools);
        send(&self.events, &ClassEvent::LocalSearch(tools))
    }

    /// Tells what local search did, and why goals are open that others do not cover. The last tests that came near run once
    /// more for that.
    fn explain(&mut self, search: &Search<'_>, graph: &GoalGraph, others: &[GoalId]) -> anyhow::Result<()> {
        self.tell_tools(search)?;
        let found_before = self.job.earlier.archive.iter().flat_map(|(_, goals)| goals).chain(others);
        let found_before = found_before.filter(|goal| goal.index() < search.goals().len());
        let facts = Facts {
            goals: search.goals(),
            graph,
            maps: &self.job.code.maps,
            cluster: self.cluster,
            near_misses: search.near_misses(),
            executions: search.executions(),
            covered: &search
                .archive()
                .covered()
                .iter()
                .chain(found_before)
                .map(|goal| goal.index())
                .collect(),
        };
        // Executions as a budget give the same reasons every time; a time is not to be overrun by tests that are slow.
        let end = self.job.plan.map(|_| self.clock.now() + EXPLANATION);
        let clock = self.clock;
        let has_time = &mut || end.is_none_or(|end| clock.now() < end);
        let rerun = Rerun { executor: &mut self.executor, result: &mut self.result, has_time };
        send(&self.events, &ClassEvent::OpenGoals(explain(facts, Some(rerun))))
    }

    /// When the last suite must be there: in the time that the parent left when it ended the search, else as planned.
    fn suite_end(&self, tests: usize) -> Option<Duration> {
        match self.requests.end() {
            Some(UNLIMITED) => None,
            Some(rest) => Some(self.clock.now() + Duration::from_millis(rest)),
            None => self.job.plan.map(|plan| plan.suite_end(tests)),
        }
    }

    fn limit(&self) -> Limit {
        match (self.job.search.executions, self.job.plan) {
            (Some(executions), _) => Limit::Executions(executions),
            // The parent says when the search must end; this is for a parent that does not.
            (None, Some(plan)) => Limit::Time(plan.latest().saturating_sub(self.clock.now())),
            (None, None) => Limit::Executions(u64::MAX),
        }
    }

    fn snapshots(&self) -> Vec<Duration> {
        let plan = self.job.plan.filter(|_| self.makes_suites());
        plan.map_or_else(Vec::new, |plan| plan.snapshots(self.clock.now()))
    }

    /// Whether another worker should go on.
    fn is_tainted(&self) -> bool {
        self.alarm.load(Ordering::Acquire)
    }

    /// Makes the suite of a round while a search waits, of what it found and of what others did.
    fn pause(
        &mut self,
        search: &Search<'_>,
        others: Vec<KeptTest>,
        is_anew: bool,
        end: Option<Duration>,
    ) -> anyhow::Result<bool> {
        self.goals.clone_from(search.goals());
        self.add_exceptions();
        let mut tests = search.archive().tests();
        tests.extend(others);
        self.send_round(tests, is_anew, end)
    }

    /// Makes the suite of a round and sends it: the first is of the whole archive, and so is one `is_anew`; a later one is of what is new
    /// in it, if anything is. Gives whether the JVM was sound to the end.
    fn send_round(
        &mut self,
        mut archive: Vec<KeptTest>,
        is_anew: bool,
        end: Option<Duration>,
    ) -> anyhow::Result<bool> {
        let kind = if let Some(settled) = self.settled.as_ref().filter(|_| !is_anew) {
            for (_, goals) in &mut archive {
                goals.retain(|goal| !settled.contains(goal));
            }
            archive.retain(|(_, goals)| !goals.is_empty());
            SuiteKind::Addition
        } else {
            SuiteKind::Whole
        };
        self.send_suite(archive, Pace { end, kind })
    }

    /// Makes a suite and sends it; gives whether the JVM was sound to the end.
    fn send_suite(&mut self, mut archive: Vec<KeptTest>, pace: Pace) -> anyhow::Result<bool> {
        archive.retain(|(archived, _)| !self.job.earlier.faults.is_fatal(&archived.test));
        let SearchOptions { factory, further_looks, .. } = self.job.search.set_up.search_options()?;
        let maker = SuiteMaker {
            cluster: self.cluster,
            goals: &self.goals,
            size: self.job.aims.suite.for_criteria(&self.job.aims.asked, &self.goals),
            clock: self.clock,
            alarm: Arc::clone(&self.alarm),
            asked: &self.job.aims.asked,
            kept: &self.job.earlier.kept,
            faults: &self.job.earlier.faults,
            options: AssertionOptions { further_looks, ..AssertionOptions::default() },
            factory: &factory,
            seed: (self.job.search.seed, self.job.search.stream),
        };
        let Some(suite) =
            maker.make(&archive, pace, (&mut self.executor, &mut self.result), &mut self.memory)
        else {
            return Ok(false);
        };
        if pace.kind == SuiteKind::Whole {
            self.is_unfinished = !suite.is_finished();
        }
        if matches!(pace.kind, SuiteKind::Whole | SuiteKind::Addition) {
            self.settled.get_or_insert_default().extend(suite.settled());
        }
        send(&self.events, &ClassEvent::Suite(Box::new(suite)))?;
        Ok(!self.is_tainted())
    }

    fn report_faults(&mut self) -> anyhow::Result<()> {
        let faults = self.executor.take_faults();
        faults.into_iter().try_for_each(|fault| send(&self.events, &ClassEvent::Fault(Box::new(fault))))
    }

    fn report_diagnostics(&mut self) -> anyhow::Result<()> {
        self.report_faults()?;
        let refusals = self.executor.take_refusals();
        refusals.into_iter().try_for_each(|refusal| send(&self.events, &ClassEvent::Refused(refusal)))?;
        let diagnostics = self.executor.take_diagnostics();
        diagnostics.into_iter().try_for_each(|sentence| send(&self.events, &ClassEvent::Diagnostic(sentence)))
    }
}

/// The goals of a job, those of exceptions seen before among them; `probes` is the number of probes of the code.
fn goals_of(job: &ClassJob, executor: &mut JvmExecutor, probes: usize) -> anyhow::Result<GoalSet> {
    let (mut goals, _) = criterion::goals(&job.aims.criteria, &job.code.maps)?.without(&job.aims.settled);
    if seen::is_asked_for(&job.aims.criteria) {
        seen::add_goals(&mut goals, &job.code.maps, &job.earlier.exceptions, probes);
        executor.settle_exceptions(job.aims.settled_exceptions.clone());
        executor.watch_exceptions(job.earlier.exceptions.clone());
    }
    Ok(goals)
}

/// The goals that tests cover.
fn covered_by(tests: &[KeptTest]) -> Vec<GoalId> {
    tests.iter().flat_map(|(_, goals)| goals).copied().collect()
}

/// What was collected, and tests that came before it. The suite has these from what is collected; the search is to have them
/// as well, since it is sent none of them twice.
///
/// # Errors
/// One of the messages cannot be read.
fn until_collected(
    mut next: impl FnMut() -> anyhow::Result<ClassMessage>,
) -> anyhow::Result<(Vec<TestCase>, Collected)> {
    let mut before = Vec::new();
    loop {
        match next()? {
            ClassMessage::Tests(tests) => before.extend(tests),
            ClassMessage::Collected(collected) => return Ok((before, collected)),
        }
    }
}

/// Has a search take in tests that others found.
fn take_in(search: &mut Search<'_>, payload: &[u8]) -> anyhow::Result<()> {
    match message(payload)? {
        ClassMessage::Tests(tests) => search.take_in(tests),
        // Nobody asked for it.
        ClassMessage::Collected(_) => {}
    }
    Ok(())
}

fn message(payload: &[u8]) -> anyhow::Result<ClassMessage> {
    postcard::from_bytes(payload).context("a message of the parent cannot be read")
}

fn of_search(event: SearchEvent<'_>) -> ClassEvent {
    match event {
        SearchEvent::Archived { goals, test, covered: _, executions } => {
            ClassEvent::Archived { goals: goals.to_vec(), test: Box::new(test.clone()), executions }
        }
        SearchEvent::Exceptions { seen } => ClassEvent::Exceptions(seen.to_vec()),
        SearchEvent::Uncovered { goals, covered: _, executions } => {
            ClassEvent::Uncovered { goals: goals.to_vec(), executions }
        }
        SearchEvent::Progress(progress) => ClassEvent::Progress(progress),
    }
}

fn send(events: &EventSender, event: &ClassEvent) -> anyhow::Result<()> {
    let payload = postcard::to_stdvec(event).context("an event cannot be encoded")?;
    events.send(&WorkerEvent::Payload(payload)).context("the parent does not listen")
}

#[cfg(test)]
mod tests {
    use testcase::statement::Statement;
    use testcase::value::Value;

    use super::*;

    #[test]
    fn tests_that_come_before_what_is_collected_are_kept_for_the_search() {
        let test =
            |value| TestCase::new(vec![Statement::Primitive { value: Value::Int(value), boxed: false }]);
        let check = |before: &[&[i32]], expect: &[i32]| {
            let tests = |values: &&[i32]| ClassMessage::Tests(values.iter().copied().map(test).collect());
            let mut messages = before.iter().map(tests).collect::<Vec<_>>().into_iter();
            let end = || ClassMessage::Collected(Collected::default());
            let (kept, collected) = until_collected(|| Ok(messages.next().unwrap_or_else(end))).unwrap();
            assert_eq!(kept, expect.iter().copied().map(test).collect::<Vec<_>>());
            assert_eq!(collected, Collected::default());
        };
        check(&[], &[]);
        check(&[&[1, 2]], &[1, 2]);
        check(&[&[1], &[], &[3, 2]], &[1, 3, 2]);
        let unread = until_collected(|| Err(anyhow::anyhow!("a message of the parent cannot be read")));
        assert!(unread.is_err());
    }
}
