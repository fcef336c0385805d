//! Suites of a class are verified as they come, and the best is on disk.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use coverage::goal::GoalId;
use output::asserted_test::{AssertedTest, StubForm, without_twins};
use output::report::{Cause, Stage, SuiteAccount};
use subject::Subject;
use testcase::clock::Clock;
use verify::apart::{CompiledBench, CompiledSuite, CompiledTest};
use verify::jvm::JvmError;
use verify::lane::{Compiled, Judges, Lane};
use verify::suite::Cause::Unreached;
use verify::suite::{Dropped, Selection, SuiteSource as _, VerifiedSuite};
use verify::verifier::{Checked, Orders, Verification, verify};

use super::Shared;
use super::refuted::Refuted;
use super::replay::{self, Disagreement, replay};
use super::suite_file::{SuiteFile, deny, is_better_with_mocks, joined, needed_beyond};
use super::verified_file::{VerifiedFile, VerifiedTest, compiled_in, kept, without_disagreement};
use crate::generate::Session;
use crate::generate::prepared::Prepared;
use crate::generate::rewriting::{Expected, Rewriting};
use crate::generate::shares::Share;
use crate::generate::time_plan::{EARLY_SHARE, TimePlan};
use crate::job::{FoundSuite, SuiteKind};

/// Time for a verification where executions are the budget: what a slow machine takes is no reason to lose the file.
const UNHURRIED: Duration = Duration::MAX;

/// So many tests are verified however little time there seems to be.
const FEWEST_TESTS: usize = 10;

/// Tests of a part at least: with fewer most of the time goes into what each part takes, whatever is in it.
const LEAST_PART: usize = 24;

/// A part has at most so many times the tests that are verified: from what few tests took nobody can tell what very many take.
const PART_GROWTH: usize = 4;

/// So often a file is written in another form, each time without the tests that did not hold in it.
const REWRITING_ROUNDS: usize = 4;

/// Part of the time of a verification beside a search that one takes when nothing runs beside it.
const WITHOUT_SEARCH: f64 = 0.7;

/// What is said where there was no time for another form of the file.
const AS_VERIFIED: &str = "the file is as its tests were verified: there was no time to write it with tables and helpers and to verify that";

/// With less time left than this, the first verification JVM judges alone: the second takes half a second to start on an idle
/// machine and a whole one on a busy one, and then tests must be verified.
const START_OF_SECOND: Duration = Duration::from_millis(1500);

/// A lane that serves so many classes has a second JVM from its second class on, however little time each class has.
const MANY_CLASSES: usize = 8;

/// How long the second JVM waits for the first file, which comes sooner without it.
const PRECEDENCE: Duration = Duration::from_secs(1);

/// The test file of a class, as far as its suites have come.
#[derive(Debug, Default)]
pub(super) struct TestFile {
    /// The file on disk.
    pub on_disk: Option<VerifiedFile>,
    /// What became of the goals of the last suite that was verified.
    pub account: Option<SuiteAccount>,
    /// Time that verifying the last suite took.
    pub verify: Duration,
    /// When the file was written last.
    pub written: Option<Duration>,
    /// What the user should know.
    pub diagnostics: Vec<String>,
    /// Why nothing was left of a suite, as long as there is no file.
    nothing: Option<String>,
    /// Tests that are known to compile in all ways.
    checked: Checked,
    /// What failed so far.
    pub refuted: Refuted,
    /// Number of verifications so far.
    verifications: usize,
    /// Whether time was over before the last suite was verified.
    pub is_cut_short: bool,
}

/// Verifies and writes the suites of one class.
pub(super) struct SuiteVerifier<'a> {
    pub shared: &'a Shared,
    pub subject: &'a Arc<Subject>,
    pub session: &'a Session<'a>,
    pub clock: Clock,
    /// What the class gets; where it is shared with others, a class without a file has another turn.
    pub time: Share,
    /// What of that is kept for writing the file in another form.
    pub rewriting: &'a Rewriting,
    /// Suites on their way to the file.
    pub underway: &'a AtomicUsize,
}

impl SuiteVerifier<'_> {
    /// Takes suites until no more come; of several that wait, the last with its additions.
    ///
    /// # Errors
    /// The file cannot be written, or no verification JVM can be had.
    pub(super) fn run(&self, suites: &Receiver<FoundSuite>) -> anyhow::Result<TestFile> {
        let mut lane = self.session.verifiers.take()?;
        // What verification costs is learned from the first suite: coming up is not part of it.
        lane.settle(self.remaining());
        let mut test_file = TestFile::default();
        let mut next = match suites.recv_timeout(PRECEDENCE) {
            Err(RecvTimeoutError::Timeout) => {
                self.start_second(&mut lane);
                suites.recv().ok()
            }
            next => next.ok(),
        };
        while let Some(mut suite) = next {
            let mut taken = 1;
            if suite.kind == SuiteKind::Early
                && let Some(later) = self.before_in_between(suites, &test_file)
            {
                suite = suite.followed_by(later);
                taken += 1;
            }
            while let Ok(later) = suites.try_recv() {
                suite = suite.followed_by(later);
                taken += 1;
            }
            let kind = suite.kind;
            let tests = suite.tests.len();
            tracing::debug!(?kind, tests, at = ?self.clock.now(), "a suite is to be delivered");
            if kind != SuiteKind::First {
                self.start_second(&mut lane);
                lane.settle(self.remaining());
            }
            self.deliver(suite, &mut lane, &mut test_file)?;
            if matches!(kind, SuiteKind::Whole | SuiteKind::Addition) {
                self.run_together(&mut lane, &mut test_file)?;
                if self.rewriting.keeps_time() {
                    self.rewriting.expect(test_file.rewriting());
                }
            }
            self.underway.fetch_sub(taken, Ordering::SeqCst);
            self.start_second(&mut lane);
            next = suites.recv().ok();
        }
        // Where an early suite was the last.
        self.run_together(&mut lane, &mut test_file)?;
        let all_is_there = Rewriting::new(None);
        let with_all_time = SuiteVerifier { rewriting: &all_is_there, ..*self };
        with_all_time.rewrite_as_asked(&mut lane, &mut test_file)?;
        test_file.diagnostics.extend(test_file.nothing.take());
        if test_file.on_disk.as_ref().is_some_and(|delivered| delivered.judges == Judges::First) {
            let sentence = "some tests were verified in one JVM: there was no time for a second one";
            test_file.diagnostics.push(sentence.to_owned());
        }
        if test_file.on_disk.as_ref().is_some_and(|delivered| !delivered.is_joint) {
            let sentence =
                "all tests were verified, not all of them together: there was no time to run them once more";
            test_file.diagnostics.push(sentence.to_owned());
        }
        if self.session.prepared.targets_per_lane() >= MANY_CLASSES {
            lane.start_second();
        }
        self.session.verifiers.put_back(lane);
        Ok(test_file)
    }

    /// What comes while a suite in between may wait. Where there is a file already, the suite of everything is worth more, and would
    /// have to wait for a verification that is not over by then.
    fn before_in_between(&self, suites: &Receiver<FoundSuite>, test_file: &TestFile) -> Option<FoundSuite> {
        let plan = self.plan().filter(|_| test_file.on_disk.is_some())?;
        let now = self.clock.now();
        let time = plan.verify_in_between(now, test_file.verify).saturating_sub(now);
        suites.recv_timeout(time).ok()
    }

    /// Tests that can be verified in the time that is left; of a suite in between in a part of it, so that the last one
    /// does not wait.
    fn most_tests(&self, kind: SuiteKind) -> usize {
        let share = match kind {
            SuiteKind::First => return self.first_tests(),
            SuiteKind::Early => EARLY_SHARE,
            SuiteKind::Whole | SuiteKind::Addition => 1.0,
        };
        let now = self.clock.now();
        self.plan().map_or(usize::MAX, |plan| plan.tests_to_verify(now, share).max(FEWEST_TESTS))
    }

    /// Tests of a suite of so many that are verified at once: of all of it, or where so many were verified already.
    fn most_at_once(&self, tests: usize, verified: Option<usize>) -> usize {
        let now = self.clock.now();
        self.plan().map_or(usize::MAX, |plan| plan.tests_of_part(now, tests, verified))
    }

    /// Tests that can be added to the file, so that it has so many and there is time to run all of them together.
    fn most_to_add(&self, tests: usize) -> usize {
        let now = self.clock.now();
        self.plan().map_or(usize::MAX, |plan| plan.tests_to_add(now, tests))
    }

    /// Tests of the first file of the class.
    fn first_tests(&self) -> usize {
        self.plan().map_or(usize::MAX, |plan| plan.first_tests(self.clock.now()))
    }

    pub(super) fn plan(&self) -> Option<TimePlan> {
        self.rewriting.plan(self.time.budget, self.shared.speeds())
    }

    /// Orders in which the tests run: each by itself as well where no time is short.
    fn orders(&self) -> Orders {
        Orders { seed: self.session.prepared.options.seed, alone: self.plan().is_none() }
    }

    pub(super) fn remaining(&self) -> Duration {
        self.plan().map_or(UNHURRIED, |plan| plan.deadline().saturating_sub(self.clock.now()))
    }

    /// Starts the second JVM unless there is too little time left for it.
    fn start_second(&self, lane: &mut Lane) {
        if self.remaining() > START_OF_SECOND {
            lane.start_second();
        }
    }

    fn file_of(&self, suite: FoundSuite) -> SuiteFile {
        let Prepared { junit, project, options, .. } = self.session.prepared;
        let looks = (options, self.session.prepared.has_mocks());
        SuiteFile::new(self.subject.clone(), Arc::clone(&project.hierarchy), junit, looks, suite)
    }

    /// A suite as it is to be written. Tests have mocks where the project has Mockito: those of the last suite, and those that the file had
    /// before. An early suite has classes, since it must be there soon, and the first mock of a JVM takes its time; unless these are long.
    fn in_form(&self, mut suite: FoundSuite) -> FoundSuite {
        let is_last = match suite.kind {
            SuiteKind::First | SuiteKind::Early => false,
            SuiteKind::Whole | SuiteKind::Addition => true,
        };
        let has_mocks = self.session.prepared.has_mocks();
        let cluster = self.subject.cluster.get();
        let is_meant = |test: &&mut AssertedTest| {
            let is_due = is_last || test.name.is_some() || is_better_with_mocks(&cluster, test);
            has_mocks && test.stubs == StubForm::Classes && is_due
        };
        suite.tests.iter_mut().filter(is_meant).for_each(|test| test.stubs = StubForm::Mocks);
        suite
    }

    /// Verifies a suite, with what of the file on disk it lacks, and writes it. All but early ones run again in a second
    /// worker meanwhile, and what disagrees is taken out.
    fn deliver(&self, suite: FoundSuite, lane: &mut Lane, test_file: &mut TestFile) -> anyhow::Result<()> {
        let kind = suite.kind;
        if kind == SuiteKind::Addition && suite.tests.is_empty() {
            test_file.note_losses(&suite);
            return Ok(());
        }
        let verified = test_file.on_disk.as_ref().map(VerifiedFile::kept).unwrap_or_default();
        let verified = verified.into_iter().map(|verified| verified.test).collect();
        let file = self.file_of(self.in_form(joined(suite, verified)));
        let is_better_to_come = matches!(kind, SuiteKind::First | SuiteKind::Early);
        if is_better_to_come || !self.has_time_for_replay(file.len()) {
            return self.verify_most(&file, kind, lane, test_file);
        }
        let may_go_on = || self.remaining() > self.verification_of(file.len());
        let replayed = thread::scope(|scope| {
            let replayed = scope.spawn(|| replay(self.session, self.subject, file.suite(), &may_go_on));
            self.verify_most(&file, kind, lane, test_file)?;
            replayed.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })?;
        if replayed.is_empty() {
            return Ok(());
        }
        if self.plan().is_some() && self.verification_of(file.len()) * 2 > self.remaining() {
            test_file.diagnostics.push(replayed.describe());
            return self.take_out(&replayed, file.suite(), test_file);
        }
        let file = file.verified_before();
        match self.verify(&file, file.len(), Verdict::Disagreement(&replayed), lane, test_file)? {
            Ok(()) => test_file.diagnostics.push(replayed.describe()),
            Err(error) => test_file.diagnostics.push(unverified(&error, test_file.on_disk.is_some())),
        }
        Ok(())
    }

    /// Takes what disagreed of a suite out of the file on disk, where there is no time to verify what is left once more.
    fn take_out(
        &self,
        replayed: &Disagreement,
        suite: &FoundSuite,
        test_file: &mut TestFile,
    ) -> anyhow::Result<()> {
        let Some(before) = test_file.on_disk.clone() else { return Ok(()) };
        let tests = without_disagreement(before.kept(), &suite.tests, replayed);
        let unstable = replayed.tests.iter().filter_map(|&test| suite.tests.get(test));
        let unstable = unstable.flat_map(|test| test.goals.iter().copied()).collect();
        let dropped = std::iter::once((Cause::Unstable, unstable)).chain(suite.dropped.iter().cloned());
        let (archived, kind) = (suite.archived.clone(), suite.kind);
        let suite = FoundSuite { archived, dropped: dropped.collect(), kind, ..FoundSuite::default() };
        match self.apart(tests, &suite, before.judges) {
            Some(left) => {
                let (all, nothing) = ((0..left.file.len()).collect(), BTreeSet::new());
                test_file.open_account(left.file.account(&nothing, &nothing, &all, Some(&left.printed), &[]));
                self.write(VerifiedFile { is_joint: before.is_joint, ..left }, test_file)
            }
            None => self.note_nothing(&[], true, test_file),
        }
    }

    /// Whether there is time to run a suite of so many tests again, and then to verify what is left of it.
    fn has_time_for_replay(&self, tests: usize) -> bool {
        self.remaining() > self.verification_of(tests) * 2 + replay::START
    }

    /// Time that verifying so many tests takes.
    pub(super) fn verification_of(&self, tests: usize) -> Duration {
        self.shared.speeds().verify.of(tests)
    }

    /// Verifies as much of a suite as there is time for. The first file is made of few tests, so that there is one early, and
    /// grows. Where much would be lost if all tests took longer than thought, they are verified part by part.
    fn verify_most(
        &self,
        file: &SuiteFile,
        kind: SuiteKind,
        lane: &mut Lane,
        test_file: &mut TestFile,
    ) -> anyhow::Result<()> {
        // A suite that is hardly longer is verified at once, and any that a few of it would cost its time.
        let first = self.first_tests();
        let has_time = |plan: TimePlan| !(self.time.is_shared && plan.is_short(self.clock.now()));
        let has_few_first = test_file.on_disk.is_none()
            && self.plan().is_some_and(has_time)
            && file.len() * 2 > first.saturating_mul(3);
        if kind == SuiteKind::First || has_few_first {
            // Where these few fail as a whole, others of a later suite may hold.
            let _ = self.verify(file, first, Verdict::First, lane, test_file)?;
        }
        match kind {
            SuiteKind::First => return Ok(()),
            SuiteKind::Early => {
                // The best of it, for the case that nothing better comes; and what it takes says what all of that will take.
                let most = self.most_tests(kind).max(LEAST_PART).min(file.len());
                let _ = self.verify(file, most, Verdict::First, lane, test_file)?;
                return Ok(());
            }
            SuiteKind::Whole | SuiteKind::Addition => {
                if !self.verify_by_parts(file, kind, lane, test_file)? || self.most_tests(kind) < file.len() {
                    return Ok(());
                }
            }
        }
        if let Err(error) = self.verify(file, file.len(), Verdict::First, lane, test_file)?
            && kind == SuiteKind::Whole
        {
            test_file.diagnostics.push(unverified(&error, test_file.on_disk.is_some()));
        }
        Ok(())
    }

    /// Verifies a suite part by part, those tests first that add most, as long as all of it does not fit safely into the time
    /// that is left, or is too much to tell from what was verified so far. The first part takes the place of the tests of an
    /// early file, which nobody minimized; the others are verified by themselves. Whether all is to be verified together now.
    fn verify_by_parts(
        &self,
        file: &SuiteFile,
        kind: SuiteKind,
        lane: &mut Lane,
        test_file: &mut TestFile,
    ) -> anyhow::Result<bool> {
        let mut replaces = kind == SuiteKind::Whole || test_file.on_disk.is_none();
        loop {
            let verified = test_file.on_disk.as_ref().map_or(0, |before| before.printed.tests.len());
            // Where executions are the budget nothing can come too late.
            let foreseen =
                if self.plan().is_some() { LEAST_PART.max(verified * PART_GROWTH) } else { usize::MAX };
            let safe = self.most_at_once(file.len(), Some(verified).filter(|_| !replaces)).min(foreseen);
            if safe >= file.len() {
                return Ok(true);
            }
            let possible = if replaces { usize::MAX } else { self.most_to_add(file.len()) };
            if possible == 0 {
                // What is left of the time is for running together what was verified.
                return Ok(false);
            }
            let most = safe.max(LEAST_PART.min(self.most_tests(kind))).min(possible);
            if replaces {
                if let Err(error) = self.verify(file, most, Verdict::First, lane, test_file)? {
                    test_file.diagnostics.push(unverified(&error, test_file.on_disk.is_some()));
                    return Ok(false);
                }
                replaces = false;
                continue;
            }
            match self.extend(file, most, lane, test_file)? {
                Extension::Some => {}
                Extension::Nothing => return Ok(true),
                Extension::Failed => return Ok(false),
            }
        }
    }

    /// Compiles and runs what a selection leaves of a file, and learns what that costs: what came of it, and in which classes
    /// its tests passed.
    pub(super) fn try_out(
        &self,
        file: &SuiteFile,
        mut selection: Selection,
        lane: &mut Lane,
        test_file: &mut TestFile,
    ) -> Result<TriedOut, JvmError> {
        test_file.refuted.leave_out(&file.suite().tests, &mut selection);
        let tests = file.len() - selection.dropped_tests.len();
        let part = file.as_part(test_file.verifications);
        test_file.verifications += 1;
        let (classes, remaining) = (self.classes(), || self.remaining());
        let mut bench = lane.bench(&classes, lane.judges(), &remaining);
        let (verification, took) = self.timed("tests were verified", tests, || {
            verify(&mut bench, &[&part], vec![selection], self.orders(), &mut test_file.checked)
        });
        test_file.verify = took;
        self.shared.learn(|speeds| match &verification {
            Ok(verification) if !is_cut(verification) => speeds.learn_verification(tests, took),
            Ok(_) | Err(JvmError::OutOfTime) => speeds.verify.learn_overrun(tests, took),
            Err(_) => {}
        });
        let verification = verification?;
        test_file.refuted.note(&file.suite().tests, &verification.dropped);
        let is_reached = verification.is_reached;
        let (verified, dropped) = only(verification)?;
        let compiled = compiled_in(bench.classes().unwrap_or(Path::new("")), &verified);
        Ok(TriedOut { verified, dropped, compiled, is_reached })
    }

    /// Takes the time of a verification, and logs it as `what`.
    fn timed(
        &self,
        what: &'static str,
        tests: usize,
        verify: impl FnOnce() -> Result<Verification, JvmError>,
    ) -> (Result<Verification, JvmError>, Duration) {
        let start = self.clock.now();
        let verification = verify();
        let took = self.clock.now().saturating_sub(start);
        let error = verification.as_ref().err().map(tracing::field::display);
        tracing::debug!(tests, ?start, ?took, error, "{what}");
        (verification, took)
    }

    /// The classes under test, as verification sees them.
    fn classes(&self) -> Compiled {
        Compiled {
            class_path: self.session.prepared.test_path.clone(),
            source_level: self.subject.identity.source_level,
        }
    }

    /// Verifies so many tests of a suite together and writes them, with what of the file on disk they lack if this is the
    /// first time.
    fn verify(
        &self,
        file: &SuiteFile,
        most: usize,
        verdict: Verdict<'_>,
        lane: &mut Lane,
        test_file: &mut TestFile,
    ) -> anyhow::Result<Result<(), JvmError>> {
        let mut selection = file.at_most(most);
        let left_out = selection.dropped_tests.clone();
        let mut unstable = BTreeSet::new();
        if let Verdict::Disagreement(disagreement) = verdict {
            disagreement.leave_out(&mut selection);
            unstable.clone_from(&disagreement.tests);
        }
        let (file, tried) = match self.try_out_as_mocks(file, &selection, lane, test_file) {
            Ok(tried) => tried,
            Err(error) => {
                test_file.is_cut_short = matches!(error, JvmError::OutOfTime);
                return Ok(Err(error));
            }
        };
        let TriedOut { verified, dropped, compiled, is_reached } = tried;
        let printed = verified.printed.as_ref();
        test_file.open_account(file.account(&unstable, &left_out, &verified.compiled, printed, &dropped));
        let delivered = VerifiedFile::new(file.clone(), verified.selection, compiled, lane.judges());
        let delivered = delivered.map(|delivered| VerifiedFile { is_joint: is_reached, ..delivered });
        let Some(delivered) = delivered else {
            return self.note_nothing(&dropped, !matches!(verdict, Verdict::First), test_file).map(Ok);
        };
        let before = test_file.on_disk.take();
        let delivered = match (before, verdict) {
            (Some(before), Verdict::First) if !before.goals.is_subset(&delivered.goals) => {
                let failed = file.goals_of(failed_tests(&dropped));
                self.with_lost(delivered, before, &failed)
            }
            (Some(_) | None, _) => delivered,
        };
        self.write(delivered, test_file)?;
        Ok(Ok(()))
    }

    /// No test is left of a suite; what is on disk goes as well where it was judged.
    fn note_nothing(
        &self,
        dropped: &[Dropped],
        is_judged: bool,
        test_file: &mut TestFile,
    ) -> anyhow::Result<()> {
        test_file.nothing = nothing_left(dropped);
        if is_judged && let Some(before) = test_file.on_disk.take() {
            self.session.test_sources.remove(&before.printed.path())?;
        }
        Ok(())
    }

    /// What was verified, with those tests of the file on disk whose goals it lost: all of them were verified, though not
    /// together. Goals of tests that failed now stay lost where fewer judges had seen those on disk.
    fn with_lost(
        &self,
        delivered: VerifiedFile,
        before: VerifiedFile,
        failed: &BTreeSet<GoalId>,
    ) -> VerifiedFile {
        let mut tests = delivered.kept();
        let covered = tests.iter().flat_map(|verified| verified.test.goals.iter().copied()).collect();
        let mut earlier = before.kept();
        let denied = denied(delivered.file.suite(), [before.judges, delivered.judges], failed);
        deny(earlier.iter_mut().map(|verified| &mut verified.test), &denied);
        let lost = needed_beyond(covered, earlier, |verified| &verified.test);
        if lost.is_empty() {
            return delivered;
        }
        let adds_nothing = denied.is_empty() && delivered.goals.is_subset(&before.goals);
        if adds_nothing && tests.len() + lost.len() >= before.printed.tests.len() {
            return before;
        }
        tests.extend(lost);
        let judges = before.judges.min(delivered.judges);
        self.apart(tests, delivered.file.suite(), judges).unwrap_or(delivered)
    }

    /// A file of tests that were verified by such judges, though not together, for the archive of a suite.
    fn apart(&self, tests: Vec<VerifiedTest>, suite: &FoundSuite, judges: Judges) -> Option<VerifiedFile> {
        let archived = suite.archived.clone();
        let dropped = suite.dropped.iter().cloned().chain([(Cause::OutOfTime, archived.clone())]).collect();
        let tests = without_twins(tests, |verified| &mut verified.test);
        let (tests, compiled): (Vec<_>, Vec<_>) =
            tests.into_iter().map(|VerifiedTest { test, compiled }| (test, compiled)).unzip();
        let file =
            self.file_of(FoundSuite { tests, archived, dropped, kind: suite.kind, ..FoundSuite::default() });
        VerifiedFile::new(file, Selection::default(), compiled.into_iter().enumerate().collect(), judges)
    }

    /// Verifies tests that the file on disk lacks by themselves, at most so many, and adds those that hold.
    fn extend(
        &self,
        file: &SuiteFile,
        most: usize,
        lane: &mut Lane,
        test_file: &mut TestFile,
    ) -> anyhow::Result<Extension> {
        let Some(before) = &test_file.on_disk else { return Ok(Extension::Failed) };
        let new = file.tests(&file.beyond(&before.goals, most));
        let mut tests = before.kept();
        let judges = before.judges.min(lane.judges());
        if new.is_empty() {
            return Ok(Extension::Nothing);
        }
        let part = self.file_of(FoundSuite { tests: new, ..FoundSuite::default() });
        let tried = self.try_out_as_mocks(&part, &Selection::default(), lane, test_file);
        let Ok((part, TriedOut { verified, compiled, .. })) = tried else {
            return Ok(Extension::Failed);
        };
        let Some(printed) = &verified.printed else { return Ok(Extension::Failed) };
        tests.extend(kept(&part, printed, &compiled));
        let Some(delivered) = self.apart(tests, file.suite(), judges) else { return Ok(Extension::Failed) };
        let all: BTreeSet<usize> = (0..delivered.file.len()).collect();
        let nothing = BTreeSet::new();
        let account = delivered.file.account(&nothing, &nothing, &all, Some(&delivered.printed), &[]);
        test_file.open_account(account);
        self.write(delivered, test_file)?;
        Ok(Extension::Some)
    }

    /// The last word on tests that were verified apart: all of them run together, in the classes in which they were verified,
    /// if there is time for the first orders at least. Those that fail go.
    fn run_together(&self, lane: &mut Lane, test_file: &mut TestFile) -> anyhow::Result<()> {
        let Some(delivered) = test_file.on_disk.as_ref().filter(|delivered| !delivered.is_joint) else {
            return Ok(());
        };
        let tests = delivered.printed.tests.len();
        if self.plan().is_some_and(|plan| !plan.has_time_together(self.clock.now(), tests)) {
            return Ok(());
        }
        let judges = delivered.judges.max(lane.judges());
        let VerifiedFile { file, selection, compiled, .. } = delivered.clone();
        let suite = CompiledSuite::new(&file, &compiled);
        let (classes, remaining) = (self.classes(), || self.remaining());
        let mut bench = CompiledBench::new(lane.bench(&classes, lane.judges(), &remaining), &suite);
        let mut checked = Checked::default();
        let (verification, took) = self.timed("tests were run together", tests, || {
            verify(&mut bench, &[&suite], vec![selection], self.orders(), &mut checked)
        });
        self.shared.learn(|speeds| match &verification {
            Ok(verification) if !is_cut(verification) => speeds.together.learn(tests, took),
            Ok(_) | Err(JvmError::OutOfTime) => speeds.together.learn_overrun(tests, took),
            Err(_) => {}
        });
        // What comes of it is not known when its time is over: each test was verified.
        let Ok(verification) = verification else { return Ok(()) };
        let is_joint = verification.is_reached;
        let (verified, dropped) = only(verification)?;
        let left = VerifiedFile::new(file.clone(), verified.selection, compiled, judges);
        let (all, nothing) = ((0..file.len()).collect(), BTreeSet::new());
        let printed = left.as_ref().map(|left| &left.printed);
        test_file.open_account(file.account(&nothing, &nothing, &all, printed, &dropped));
        match left {
            Some(left) => self.write(VerifiedFile { is_joint, ..left }, test_file),
            None => self.note_nothing(&dropped, true, test_file),
        }
    }

    /// Writes the file with what tests share put together, as asked for and as far as tests hold so: all was verified, and is once more as
    /// it will be on disk. Tests that do not are written as before, each time more of them; so are all where there is no time, which is
    /// said. Tests that were verified apart run together so; where one fails, whatever the reason, they stay as they are.
    fn rewrite_as_asked(&self, lane: &mut Lane, test_file: &mut TestFile) -> anyhow::Result<()> {
        if !self.session.prepared.is_arranged() {
            return Ok(());
        }
        let mut apart = BTreeSet::new();
        for _ in 0..REWRITING_ROUNDS {
            let Some(before) = test_file.on_disk.as_ref() else { return Ok(()) };
            let is_joint = before.is_joint;
            let (file, selection) =
                (before.file.with_arrangement(apart.clone()).verified_before(), before.selection.clone());
            let (tests, judges) = (before.printed.tests.len(), before.judges.max(lane.judges()));
            let needed = self.verification_of(tests).mul_f64(WITHOUT_SEARCH);
            let has_time = self.plan().is_none() || needed <= self.remaining();
            if file.print(&selection).text == before.printed.text {
                return Ok(());
            }
            let tried = has_time.then(|| self.try_out(&file, selection, lane, test_file));
            let tried = tried.and_then(Result::ok).filter(|tried| tried.is_reached);
            let Some(TriedOut { verified, dropped, compiled, .. }) = tried else {
                test_file.diagnostics.extend(is_joint.then(|| AS_VERIFIED.to_owned()));
                return Ok(());
            };
            if dropped.is_empty() {
                let delivered = VerifiedFile::new(file, verified.selection, compiled, judges);
                let delivered = delivered.map(|delivered| VerifiedFile { is_joint: true, ..delivered });
                return delivered.map_or(Ok(()), |delivered| self.write(delivered, test_file));
            }
            if !is_joint {
                return Ok(());
            }
            apart.extend(dropped.iter().map(|dropped| dropped.test));
        }
        Ok(())
    }

    fn write(&self, delivered: VerifiedFile, test_file: &mut TestFile) -> anyhow::Result<()> {
        let path = self.session.test_sources.write(&delivered.printed.path(), &delivered.printed.text)?;
        test_file.on_disk = Some(VerifiedFile { path, ..delivered });
        test_file.written = Some(self.clock.now());
        test_file.is_cut_short = false;
        test_file.nothing = None;
        Ok(())
    }
}

impl TestFile {
    /// What of the file on disk will be written in another form.
    fn rewriting(&self) -> Expected {
        let Some(VerifiedFile { file, selection, printed, .. }) = self.on_disk.as_ref() else {
            return Expected::Unknown;
        };
        if file.with_arrangement(BTreeSet::new()).print(selection).text == printed.text {
            Expected::Nothing
        } else {
            Expected::Tests(printed.tests.len())
        }
    }

    /// Takes the account of a suite; what it does not know stays as it was.
    fn open_account(&mut self, mut account: SuiteAccount) {
        if let Some(earlier) = &self.account {
            account.inherit(earlier);
        }
        self.account = Some(account);
    }

    /// Notes what became of the goals of a suite without tests.
    fn note_losses(&mut self, suite: &FoundSuite) {
        let mut account = SuiteAccount::new(suite.archived.iter().copied());
        account.close(Stage::Minimized, [], &suite.dropped);
        if let Some(mut earlier) = self.account.take() {
            earlier.inherit(&account);
            account = earlier;
        }
        self.account = Some(account);
    }
}

/// What a verification decides.
#[derive(Debug, Clone, Copy)]
enum Verdict<'a> {
    /// Whether tests hold that were not verified yet.
    First,
    /// What is left of a file without what disagreed with it.
    Disagreement(&'a Disagreement),
}

/// What came of tests that were compiled and run.
pub(super) struct TriedOut {
    verified: VerifiedSuite,
    pub(super) dropped: Vec<Dropped>,
    /// Its tests by number, in the classes in which they passed.
    compiled: BTreeMap<usize, CompiledTest>,
    /// Whether all that is left has run in the first two orders.
    is_reached: bool,
}

/// What came of the one suite that was verified.
fn only(verification: Verification) -> Result<(VerifiedSuite, Vec<Dropped>), JvmError> {
    let suite = verification.suites.into_iter().next();
    Ok((suite.ok_or_else(|| JvmError::Failed("a suite got lost".to_owned()))?, verification.dropped))
}

/// What came of tests that were verified by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extension {
    /// Some hold.
    Some,
    /// There were none.
    Nothing,
    /// None holds, or there was no time.
    Failed,
}

/// Goals that tests which were verified earlier do not bring back: a suite denies them, or more judges than had seen these tests
/// refused those of the suite.
fn denied(suite: &FoundSuite, [earlier, now]: [Judges; 2], failed: &BTreeSet<GoalId>) -> BTreeSet<GoalId> {
    let refused = failed.iter().filter(|_| earlier < now).copied();
    suite.denied().into_iter().chain(refused).collect()
}

/// Tests that were dropped as a whole, and not for want of time.
fn failed_tests(dropped: &[Dropped]) -> impl Iterator<Item = usize> + '_ {
    let is_failure = |dropped: &&Dropped| dropped.assertion.is_none() && dropped.cause != Unreached;
    dropped.iter().filter(is_failure).map(|dropped| dropped.test)
}

/// Whether time was over before all tests had run.
fn is_cut(Verification { is_reached, dropped, .. }: &Verification) -> bool {
    !is_reached || dropped.iter().any(|dropped| dropped.cause == Unreached)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_judges_refuse_one_does_not_bring_back() {
        let failed = BTreeSet::from([GoalId(3)]);
        let suite = FoundSuite { dropped: vec![(Cause::Survived, vec![GoalId(1)])], ..FoundSuite::default() };
        for (judges, expect) in [
            ([Judges::First, Judges::Both], vec![1, 3]),
            ([Judges::First, Judges::First], vec![1]),
            ([Judges::Both, Judges::Both], vec![1]),
        ] {
            let expect: BTreeSet<GoalId> = expect.into_iter().map(GoalId).collect();
            assert_eq!(denied(&suite, judges, &failed), expect, "{judges:?}");
        }
    }
}
