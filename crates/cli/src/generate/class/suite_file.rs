//! A suite as a file that can be printed without some of its tests and assertions.

use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::{BTreeSet, BinaryHeap};
use std::sync::Arc;

use bytecode::hierarchy::ClassHierarchy;
use coverage::goal::GoalId;
use output::asserted_test::{AssertedTest, StubForm, without_twins};
use output::junit::arrangement::Arrangement;
use output::junit::injection::Injecting;
use output::junit::naming::test_names::NameScheme;
use output::junit::printed::{PrintedSuite, PrintedTest};
use output::junit::style::JunitStyle;
use output::junit::writer::JunitWriter;
use output::report::{Cause, Dropped, Stage, SuiteAccount};
use project::junit::{Framework, Junit};
use subject::Subject;
use testcase::cluster::{StubKind, TestCluster};
use testcase::statement::Statement;
use verify::suite::{self as verified, Selection, SuiteSource};

use crate::generate::prepared::arrangement;
use crate::job::{FoundSuite, SuiteKind};
use crate::options::{Looks, Options};

/// A suite and what it takes to print it.
#[derive(Debug, Clone)]
pub(super) struct SuiteFile {
    subject: Arc<Subject>,
    /// Classes as a build sees them that compiles against the JDK itself.
    of_jdk: Arc<ClassHierarchy>,
    style: JunitStyle,
    names: NameScheme,
    looks: Looks,
    suite: Arc<FoundSuite>,
    part: usize,
    /// Whether tests that check nothing else say that they complete.
    says_completion: bool,
    injecting: Injecting,
    /// Whether tests that look at what is printed run while no others do.
    isolates: bool,
    /// What a file is written with in the end.
    arrangement: Arrangement,
    /// Where it is: tests that stay as they are all the same, by number.
    arranged: Option<BTreeSet<usize>>,
    /// Whether tests may have mocks.
    has_mocks: bool,
    known: Known,
}

/// What is known of the tests of a file before it is verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    /// Nothing, but of those that have a name.
    Nothing,
    /// That all of them hold, in other files or apart from each other.
    Hold,
}

impl SuiteFile {
    /// The file of a suite.
    pub(super) fn new(
        subject: Arc<Subject>,
        of_jdk: Arc<ClassHierarchy>,
        junit: &Junit,
        (options, has_mocks): (&Options, bool),
        suite: FoundSuite,
    ) -> Self {
        let style = match (junit.framework, junit.has_assert_throws()) {
            (Framework::Jupiter, _) => JunitStyle::Jupiter,
            (Framework::Junit4, true) => JunitStyle::Junit413,
            (Framework::Junit4, false) => JunitStyle::Junit4,
        };
        let Options { names, looks, .. } = *options;
        let suite = Arc::new(suite);
        let arrangement = arrangement(options, junit);
        Self {
            subject,
            of_jdk,
            style,
            names,
            looks,
            suite,
            part: 0,
            says_completion: junit.has_assert_does_not_throw(),
            injecting: if junit.spring_test.is_some() { Injecting::BySpring } else { Injecting::ByMethod },
            isolates: junit.is_parallel && junit.has_isolated(),
            arrangement,
            arranged: None,
            has_mocks,
            known: Known::Nothing,
        }
    }

    /// The same tests, those of one shape as rows of one method, and what several begin with written once. Tests `apart` stay methods
    /// of their own as they are.
    pub(super) fn with_arrangement(&self, apart: BTreeSet<usize>) -> Self {
        Self { arranged: Some(apart), ..self.clone() }
    }

    /// The same tests, which were verified before in other files, or apart from each other.
    pub(super) fn verified_before(&self) -> Self {
        Self { known: Known::Hold, ..self.clone() }
    }

    /// The same tests, these of them with classes where they had mocks.
    pub(super) fn with_classes(&self, tests: &BTreeSet<usize>) -> Self {
        if tests.is_empty() {
            return self.clone();
        }
        let mut suite = FoundSuite::clone(&self.suite);
        for &test in tests {
            if let Some(test) = suite.tests.get_mut(test) {
                test.stubs = StubForm::ClassesAlone;
            }
        }
        Self { suite: Arc::new(suite), ..self.clone() }
    }

    /// Whether a test has a mock that could be a class.
    pub(super) fn has_mock(&self, test: usize) -> bool {
        let cluster = self.subject.cluster.get();
        self.suite.tests.get(test).is_some_and(|test| {
            let is_class = |statement: &Statement| matches!(statement, Statement::Stub { stub, .. } if cluster.stub(*stub).kind == StubKind::Interface);
            test.stubs == StubForm::Mocks && test.test.statements().iter().any(is_class)
        })
    }

    /// The same tests in a class whose name no other part of the suite has; part 0 has that of the whole.
    pub(super) fn as_part(&self, part: usize) -> Self {
        Self { part, ..self.clone() }
    }

    /// Prints tests, which have these numbers.
    fn write(&self, tests: &[AssertedTest], numbers: &[usize]) -> PrintedSuite {
        // Those of these tests, by their places here.
        let places = |apart: &BTreeSet<usize>| -> BTreeSet<usize> {
            let is_apart = |(_, number): &(usize, &usize)| apart.contains(number);
            numbers.iter().enumerate().filter(is_apart).map(|(index, _)| index).collect()
        };
        let nested = self.looks.nested;
        let arrangement = match &self.arranged {
            Some(apart) => Arrangement { nested, apart: places(apart), ..self.arrangement.clone() },
            None => Arrangement { nested, ..Arrangement::default() },
        };
        let Subject { hierarchy, identity, .. } = &*self.subject;
        let cluster = &self.subject.cluster.get();
        let goals = self.subject.goals();
        let writer = JunitWriter::new(cluster, hierarchy, &goals, identity.class.clone(), self.style);
        let with_classes = tests.iter().enumerate().filter(|(_, test)| test.stubs != StubForm::Mocks);
        let with_classes: BTreeSet<usize> = with_classes.map(|(index, _)| index).collect();
        let writer = if self.has_mocks { writer.with_mocks(with_classes) } else { writer };
        writer
            .compiled_against(&self.of_jdk)
            .of_part(self.part)
            .named_by(self.names)
            .with_display_names(self.looks.display_names)
            .isolated(self.isolates)
            .saying_completion(self.says_completion)
            .injecting(self.injecting)
            .arranged(arrangement)
            .write(tests)
    }

    /// Goals that these tests cover, ascending.
    pub(super) fn goals_of(&self, tests: impl IntoIterator<Item = usize>) -> BTreeSet<GoalId> {
        let tests = tests.into_iter().filter_map(|test| self.suite.tests.get(test));
        tests.flat_map(|test| &test.goals).copied().collect()
    }

    /// Goals that a printed suite covers.
    pub(super) fn goals_in(&self, printed: &PrintedSuite) -> BTreeSet<GoalId> {
        printed.tests.iter().flat_map(|test| self.goals_shown(test)).collect()
    }

    /// Goals that a printed test covers with the assertions that it has.
    pub(super) fn goals_shown(&self, printed: &PrintedTest) -> Vec<GoalId> {
        let assertions: Vec<usize> = printed.assertions.iter().map(|printed| printed.assertion).collect();
        let test = self.suite.tests.get(printed.test);
        test.map(|test| test.goals_with(&assertions)).unwrap_or_default()
    }

    /// The methods of a printed suite that are known to fail.
    pub(super) fn failing_in(&self, printed: &PrintedSuite) -> Vec<String> {
        let failing = printed.tests.iter().filter(|test| !self.runs(test.test));
        failing.map(|test| test.method.clone()).collect()
    }

    /// Statements of the tests that a printed suite holds.
    pub(super) fn statements_in(&self, printed: &PrintedSuite) -> usize {
        let tests = printed.tests.iter().filter_map(|test| self.suite.tests.get(test.test));
        tests.map(|test| test.test.len()).sum()
    }

    /// A test that was printed, with the assertions that it has and the goals that it covers so.
    pub(super) fn kept(&self, printed: &PrintedTest) -> Option<AssertedTest> {
        let left: Vec<usize> = printed.assertions.iter().map(|assertion| assertion.assertion).collect();
        Some(with_assertions(self.suite.tests.get(printed.test)?, &left))
    }

    /// At most so many of the tests that cover goals beyond these: those that add most.
    pub(super) fn beyond(&self, covered: &BTreeSet<GoalId>, most: usize) -> BTreeSet<usize> {
        let is_open = |goal: &&GoalId| !covered.contains(goal);
        let open = self.suite.tests.iter().map(|test| test.goals.iter().filter(is_open).copied().collect());
        let open: Vec<Vec<GoalId>> = open.collect();
        let goals: Vec<&[GoalId]> = open.iter().map(Vec::as_slice).collect();
        most_covering(&goals, &self.worth(), most)
    }

    /// These of its tests, in their order.
    pub(super) fn tests(&self, numbers: &BTreeSet<usize>) -> Vec<AssertedTest> {
        numbers.iter().filter_map(|&test| self.suite.tests.get(test)).cloned().collect()
    }

    /// Leaves out what is beyond so many tests: those that add least to the goals of the others. Tests that a file has already
    /// stay.
    pub(super) fn at_most(&self, tests: usize) -> Selection {
        if tests >= self.len() {
            return Selection::default();
        }
        let (stay, come): (Vec<usize>, Vec<usize>) =
            (0..self.len()).partition(|&test| self.suite.tests[test].name.is_some());
        let covered = self.goals_of(stay.iter().copied());
        let new = |test: &usize| -> Vec<GoalId> {
            let goals = self.suite.tests[*test].goals.iter().copied();
            goals.filter(|goal| !covered.contains(goal)).collect()
        };
        let goals: Vec<Vec<GoalId>> = come.iter().map(new).collect();
        let goals: Vec<&[GoalId]> = goals.iter().map(Vec::as_slice).collect();
        let left = all_but_most_covering(&goals, &self.worth(), tests.saturating_sub(stay.len()));
        let left = left.into_iter().map(|test| come[test]).collect();
        Selection { dropped_tests: left, dropped_assertions: BTreeSet::new() }
    }

    /// What each goal is worth where not all tests fit: those of the first criterion more than all others that a test covers
    /// as a rule. Thousands of mutants would outweigh the branches otherwise.
    fn worth(&self) -> Vec<usize> {
        let goals = self.subject.goals();
        let goals = goals.goals();
        let first = goals.first().map(|goal| &goal.criterion);
        goals.iter().map(|goal| if Some(&goal.criterion) == first { FIRST_CRITERION } else { 1 }).collect()
    }

    /// The suite that it prints.
    pub(super) fn suite(&self) -> &FoundSuite {
        &self.suite
    }

    /// Number of its tests.
    pub(super) fn len(&self) -> usize {
        self.suite.tests.len()
    }

    /// What became of the goals of the archive: `unstable` are tests that went another way in other surroundings,
    /// `left_out` those that there was no time for, `compiled` those that compiled, `printed` is what passed, and
    /// `dropped` says why others did not.
    pub(super) fn account(
        &self,
        unstable: &BTreeSet<usize>,
        left_out: &BTreeSet<usize>,
        compiled: &BTreeSet<usize>,
        printed: Option<&PrintedSuite>,
        dropped: &[verified::Dropped],
    ) -> SuiteAccount {
        let mut account = SuiteAccount::new(self.suite.archived.iter().copied());
        account.close(Stage::Minimized, self.goals_of(0..self.len()), &self.suite.dropped);
        let refused = self.write(&self.suite.tests, &[]).refused;
        let refused = refused.iter().map(|refused| {
            (Cause::Unprintable(refused.reason.to_string()), self.goals_as_list(refused.test))
        });
        let uncompiled = dropped.iter().filter(|dropped| dropped.assertion.is_none()).filter_map(|dropped| {
            let verified::Cause::Compile { message } = &dropped.cause else { return None };
            let message = message.lines().next().unwrap_or_default().to_owned();
            Some((Cause::NotCompiled(message), self.goals_as_list(dropped.test)))
        });
        let left_out = left_out.difference(unstable);
        let left_out = left_out.map(|&test| (Cause::OutOfTime, self.goals_as_list(test)));
        let unstable = unstable.iter().map(|&test| (Cause::Unstable, self.goals_as_list(test)));
        let causes: Vec<Dropped> = refused.chain(uncompiled).chain(left_out).chain(unstable).collect();
        account.close(Stage::Compiled, self.goals_of(compiled.iter().copied()), &causes);
        let failed = dropped.iter().filter(|dropped| dropped.assertion.is_none()).filter_map(|dropped| {
            let cause = match &dropped.cause {
                verified::Cause::Compile { .. } => return None,
                verified::Cause::Unreached => Cause::OutOfTime,
                cause @ (verified::Cause::Failed { .. }
                | verified::Cause::Hung
                | verified::Cause::Died
                | verified::Cause::NotRun { .. }) => Cause::Failed(cause.to_string()),
            };
            Some((cause, self.goals_as_list(dropped.test)))
        });
        // What a test has left of its assertions may tell less.
        let less = printed.into_iter().flat_map(|printed| &printed.tests);
        let less = less.map(|test| (Cause::Survived, self.goals_as_list(test.test)));
        let causes: Vec<Dropped> = failed.chain(less).collect();
        let left = printed.map(|printed| self.goals_in(printed)).unwrap_or_default();
        account.close(Stage::Verified, left, &causes);
        account
    }

    fn goals_as_list(&self, test: usize) -> Vec<GoalId> {
        self.goals_of([test]).into_iter().collect()
    }
}

impl SuiteSource for SuiteFile {
    fn test_count(&self) -> usize {
        self.len()
    }

    fn runs(&self, test: usize) -> bool {
        self.suite.tests.get(test).is_none_or(|test| !test.fails)
    }

    fn was_verified(&self, test: usize) -> bool {
        // Those that a file has already were verified when it was written, and have run again since.
        self.known == Known::Hold || self.suite.tests.get(test).is_some_and(|test| test.name.is_some())
    }

    fn print(&self, selection: &Selection) -> PrintedSuite {
        let kept: Vec<usize> = (0..self.len()).filter(|&test| selection.keeps_test(test)).collect();
        let mut numbers: Vec<Vec<usize>> = Vec::new();
        let mut tests: Vec<AssertedTest> = Vec::new();
        for &number in &kept {
            let mut test = self.suite.tests[number].clone();
            let all = 0..test.assertions.len();
            let left: Vec<usize> =
                all.filter(|&assertion| selection.keeps_assertion(number, assertion)).collect();
            test.assertions = left.iter().map(|&assertion| test.assertions[assertion].clone()).collect();
            tests.push(test);
            numbers.push(left);
        }
        let mut printed = self.write(&tests, &kept);
        for test in &mut printed.tests {
            let numbers = &numbers[test.test];
            test.test = kept[test.test];
            test.assertions
                .iter_mut()
                .for_each(|assertion| assertion.assertion = numbers[assertion.assertion]);
            test.unsaid.iter_mut().for_each(|assertion| *assertion = numbers[*assertion]);
        }
        printed.refused.iter_mut().for_each(|refused| refused.test = kept[refused.test]);
        printed
    }
}

/// A test with these of its assertions, ascending, and the goals that it covers with them.
pub(super) fn with_assertions(test: &AssertedTest, left: &[usize]) -> AssertedTest {
    let places = |by: &[usize]| by.iter().filter_map(|one| left.binary_search(one).ok()).collect();
    let kills = test.kills.iter().map(|(goal, by)| (*goal, places(by)));
    AssertedTest {
        test: test.test.clone(),
        assertions: left.iter().filter_map(|&assertion| test.assertions.get(assertion)).cloned().collect(),
        expected: test.expected.clone(),
        goals: test.goals_with(left),
        kills: kills.filter(|(_, by): &(GoalId, Vec<usize>)| !by.is_empty()).collect(),
        // By which assertions is not known.
        killed: if left.len() == test.assertions.len() { test.killed.clone() } else { Vec::new() },
        name: test.name.clone(),
        fails: test.fails,
        stubs: test.stubs,
    }
}

/// Methods of the classes that a test implements from which on it has mocks in early suites as well: the fifty methods of a session
/// take a compiler more time, and a reader more patience, than the first mock of a JVM.
const METHODS_OF_LONG_CLASSES: usize = 16;

/// Whether a test has objects that are mocks in any case, or classes so long that mocks take less time.
pub(super) fn is_better_with_mocks(cluster: &TestCluster, test: &AssertedTest) -> bool {
    let (mut methods, mut has_mock) = (0, false);
    for statement in test.test.statements() {
        if let Statement::Stub { stub, .. } = statement {
            let stub = cluster.stub(*stub);
            methods += stub.methods.len() + stub.silent.len();
            has_mock |= stub.kind == StubKind::Mock;
        }
    }
    has_mock || methods >= METHODS_OF_LONG_CLASSES
}

/// The suite together with tests that were verified before: all of them where it only adds to those, else those that cover
/// a goal which it lacks. Of tests that nobody minimized only those are added which cover a goal that the others lack.
pub(super) fn joined(mut suite: FoundSuite, mut verified: Vec<AssertedTest>) -> FoundSuite {
    deny(&mut verified, &suite.denied());
    suite.archived.extend(verified.iter().flat_map(|test| &test.goals).copied());
    suite.archived.sort_unstable();
    suite.archived.dedup();
    if suite.kind == SuiteKind::Addition {
        if suite.minimized_share == 0.0 {
            let covered = verified.iter().flat_map(|test| test.goals.iter().copied()).collect();
            suite.tests = needed_beyond(covered, suite.tests, |test| test);
        }
        suite.tests.splice(0..0, verified);
    } else {
        let covered = suite.tests.iter().flat_map(|test| test.goals.iter().copied()).collect();
        suite.tests.extend(needed_beyond(covered, verified, |test| test));
    }
    suite.tests = without_twins(suite.tests, |test| test);
    suite
}

/// Takes goals away from tests.
pub(super) fn deny<'a>(tests: impl IntoIterator<Item = &'a mut AssertedTest>, denied: &BTreeSet<GoalId>) {
    for test in tests {
        test.goals.retain(|goal| !denied.contains(goal));
        test.kills.retain(|(goal, _)| !denied.contains(goal));
        test.killed.retain(|goal| !denied.contains(goal));
    }
}

/// Of these tests, in their order, each that covers a goal which neither is covered nor by those before it.
pub(super) fn needed_beyond<T>(
    mut covered: BTreeSet<GoalId>,
    mut tests: Vec<T>,
    test: impl Fn(&T) -> &AssertedTest,
) -> Vec<T> {
    tests.retain(|one| {
        let before = covered.len();
        covered.extend(&test(one).goals);
        covered.len() > before
    });
    tests
}

/// How many goals of other criteria one of the first criterion is worth.
const FIRST_CRITERION: usize = 100;

/// The tests that are left when the one whose goals add most worth, the earliest of several, was taken so many times.
///
/// What a test adds never grows as others are taken, so one that still adds what it did when it was looked at last is the
/// best if it was the best by those looks.
fn all_but_most_covering(goals: &[&[GoalId]], worth: &[usize], tests: usize) -> BTreeSet<usize> {
    take_most_covering(goals, worth, tests, |_, _| ())
}

/// Likewise those that were taken, as long as there was something to add.
fn most_covering(goals: &[&[GoalId]], worth: &[usize], tests: usize) -> BTreeSet<usize> {
    let mut taken = BTreeSet::new();
    take_most_covering(goals, worth, tests.min(goals.len()), |test, adds| {
        if adds > 0 {
            taken.insert(test);
        }
    });
    taken
}

/// Of goals whose worth is not given each is worth 1.
fn take_most_covering(
    goals: &[&[GoalId]],
    worth: &[usize],
    tests: usize,
    mut take: impl FnMut(usize, usize),
) -> BTreeSet<usize> {
    let worth_of = |goal: &GoalId| worth.get(goal.index()).copied().unwrap_or(1);
    let mut covered: BTreeSet<GoalId> = BTreeSet::new();
    let mut left: BinaryHeap<(usize, Reverse<usize>)> = goals
        .iter()
        .enumerate()
        .map(|(test, goals)| (goals.iter().map(worth_of).sum(), Reverse(test)))
        .collect();
    for _ in 0..tests {
        while let Some(mut best) = left.peek_mut() {
            let (adds, Reverse(test)) = *best;
            let now = goals[test].iter().filter(|goal| !covered.contains(goal)).map(worth_of).sum();
            if now == adds {
                covered.extend(goals[test]);
                PeekMut::pop(best);
                take(test, adds);
                break;
            }
            best.0 = now;
        }
    }
    left.into_iter().map(|(_, Reverse(test))| test).collect()
}

#[cfg(test)]
mod tests {
    use bytecode::access::Access;
    use testcase::cluster::{SilentMethod, Stub, StubId, TypeId};
    use testcase::statement::{Arguments, Script, Statement};
    use testcase::test_case::TestCase;
    use testcase::value::Value;

    use super::*;

    fn ids(goals: &[u32]) -> Vec<GoalId> {
        goals.iter().copied().map(GoalId).collect()
    }

    /// The goals of tests, by number.
    fn numbers(tests: &[AssertedTest]) -> Vec<Vec<u32>> {
        tests.iter().map(|test| test.goals.iter().map(|goal| goal.0).collect()).collect()
    }

    #[test]
    fn those_that_add_least_are_left() {
        let goals: [&[u32]; 5] = [&[1, 2], &[1, 2, 3], &[4], &[3, 4, 5], &[6]];
        let goals = goals.map(ids);
        let goals: Vec<&[GoalId]> = goals.iter().map(Vec::as_slice).collect();
        for (tests, expected) in [
            (0, vec![0, 1, 2, 3, 4]),
            (1, vec![0, 2, 3, 4]),
            (2, vec![0, 2, 4]),
            (3, vec![0, 2]),
            (4, vec![2]),
            (9, vec![]),
        ] {
            assert_eq!(
                all_but_most_covering(&goals, &[], tests),
                BTreeSet::from_iter(expected),
                "{tests} tests"
            );
        }
    }

    /// A test that does nothing that a test with other goals does.
    fn asserted(goals: &[u32]) -> AssertedTest {
        let of_goal = |goal: &u32| Statement::Primitive { value: Value::Int(*goal as i32), boxed: false };
        let test = TestCase::new(goals.iter().map(of_goal).collect());
        AssertedTest { goals: ids(goals), ..AssertedTest::new(test) }
    }

    #[test]
    fn long_classes_and_objects_without_a_constructor_are_mocks_from_the_first_suite_on() {
        let stub = |methods: usize, kind| {
            let silent = SilentMethod {
                name: "run".into(),
                descriptor: "()V".into(),
                bridges: Vec::new(),
                access: Access(0x0401),
                parameters: Vec::new(),
                result: None,
                is_erased: false,
            };
            let silent = vec![silent; methods];
            Stub {
                of: TypeId::OBJECT,
                kind,
                is_functional: false,
                methods: Vec::new(),
                silent,
                calls_default: false,
            }
        };
        for (methods, kind, expect) in [
            (METHODS_OF_LONG_CLASSES / 2, StubKind::Interface, true),
            (METHODS_OF_LONG_CLASSES / 2 - 1, StubKind::Interface, false),
            (0, StubKind::Mock, true),
        ] {
            let cluster = TestCluster { stubs: vec![stub(methods, kind)], ..TestCluster::default() };
            let script = Script { arguments: Arguments::new(), answers: Vec::new() };
            let statement = Statement::Stub { stub: StubId::from(0), script: Box::new(script) };
            let test = AssertedTest::new(TestCase::new(vec![statement; 2]));
            assert_eq!(is_better_with_mocks(&cluster, &test), expect, "two of {methods} methods, {kind:?}");
        }
    }

    #[test]
    fn a_test_that_stands_in_the_earlier_file_as_well_is_kept_once_for_all_its_goals() {
        let suite =
            FoundSuite { tests: vec![asserted(&[1])], kind: SuiteKind::Whole, ..FoundSuite::default() };
        let earlier = AssertedTest { goals: ids(&[1, 2]), ..asserted(&[1]) };
        assert_eq!(numbers(&joined(suite, vec![earlier]).tests), [vec![1, 2]]);
    }

    #[test]
    fn a_goal_of_an_earlier_file_that_a_suite_lacks_gets_its_test_back() {
        let verified = || [&[1, 2][..], &[3], &[2, 5], &[5]].map(asserted).to_vec();
        let of = |kind| FoundSuite {
            tests: [&[2][..], &[1, 3]].map(asserted).to_vec(),
            archived: vec![GoalId(1), GoalId(2), GoalId(3)],
            kind,
            minimized_share: 1.0,
            ..FoundSuite::default()
        };
        let goals = |suite: &FoundSuite| numbers(&suite.tests);
        let whole = joined(of(SuiteKind::Whole), verified());
        assert_eq!(goals(&whole), [vec![2], vec![1, 3], vec![2, 5]]);
        assert_eq!(whole.archived, [1, 2, 3, 5].map(GoalId));
        let addition = joined(of(SuiteKind::Addition), verified());
        assert_eq!(goals(&addition), [vec![1, 2], vec![3], vec![2, 5], vec![5], vec![2], vec![1, 3]]);
        let tests = [&[2][..], &[1, 4], &[4]].map(asserted).to_vec();
        let raw = FoundSuite { minimized_share: 0.0, tests, ..of(SuiteKind::Addition) };
        assert_eq!(goals(&joined(raw, verified()))[4..], [vec![1, 4]]);
    }

    #[test]
    fn what_a_closer_look_denied_does_not_come_back() {
        let dropped = vec![
            (Cause::OrderDependent, vec![GoalId(7)]),
            (Cause::OutOfTime, vec![GoalId(8)]),
            (Cause::TimedOut, vec![GoalId(9)]),
        ];
        let suite = FoundSuite { dropped, kind: SuiteKind::Whole, ..FoundSuite::default() };
        let verified = [&[7][..], &[8], &[7, 9]].map(asserted).to_vec();
        assert_eq!(numbers(&joined(suite, verified).tests), [vec![8], vec![9]]);
    }

    #[test]
    fn what_a_verified_test_lost_does_not_come_back() {
        let (two, five) = (GoalId(2), GoalId(5));
        let kills = vec![(two, vec![0, 2]), (five, vec![1])];
        let test = AssertedTest { kills, ..asserted(&[1, 2, 5]) };
        let kept = with_assertions(&test, &[1, 2]);
        assert_eq!((kept.goals, kept.kills), (ids(&[1, 2, 5]), vec![(two, vec![1]), (five, vec![0])]));
        let kept = with_assertions(&test, &[0]);
        assert_eq!((kept.goals, kept.kills), (ids(&[1, 2]), vec![(two, vec![0])]));
    }

    #[test]
    fn those_that_add_most_are_taken_as_long_as_they_add_something() {
        let goals: [&[u32]; 4] = [&[1], &[], &[1, 2, 3], &[4]];
        let goals = goals.map(ids);
        let goals: Vec<&[GoalId]> = goals.iter().map(Vec::as_slice).collect();
        assert_eq!(most_covering(&goals, &[], 1), BTreeSet::from([2]));
        assert_eq!(most_covering(&goals, &[], 2), BTreeSet::from([2, 3]));
        assert_eq!(most_covering(&goals, &[], 9), BTreeSet::from([2, 3]));
    }

    #[test]
    fn goals_that_are_worth_more_come_first() {
        let goals: [&[u32]; 4] = [&[1, 2, 3, 4], &[0], &[0, 1], &[2]];
        let goals = goals.map(ids);
        let goals: Vec<&[GoalId]> = goals.iter().map(Vec::as_slice).collect();
        let worth = [100, 1, 1, 1, 1];
        assert_eq!(most_covering(&goals, &worth, 1), BTreeSet::from([2]));
        assert_eq!(most_covering(&goals, &worth, 2), BTreeSet::from([0, 2]));
        assert_eq!(all_but_most_covering(&goals, &worth, 1), BTreeSet::from([0, 1, 3]));
    }

    #[test]
    fn what_was_looked_at_before_counts_as_if_looked_at_anew() {
        // Overlaps of all kinds, from a fixed recurrence.
        let goals: Vec<Vec<GoalId>> = (0..60_u32)
            .map(|test| {
                (0..test % 9)
                    .map(|goal| GoalId((test * 7 + goal * goal * 5) % 40))
                    .collect::<BTreeSet<_>>()
                    .into_iter()
                    .collect()
            })
            .collect();
        let goals: Vec<&[GoalId]> = goals.iter().map(Vec::as_slice).collect();
        let mut left: BTreeSet<usize> = (0..goals.len()).collect();
        let mut covered: BTreeSet<GoalId> = BTreeSet::new();
        for tests in 0..=goals.len() {
            assert_eq!(all_but_most_covering(&goals, &[], tests), left, "{tests} tests");
            let adds = |test: &usize| goals[*test].iter().filter(|goal| !covered.contains(*goal)).count();
            let Some(best) = left.iter().copied().max_by_key(|test| (adds(test), Reverse(*test))) else {
                break;
            };
            covered.extend(goals[best]);
            left.remove(&best);
        }
    }
}
