//! Calls that runs had to be ended in, and what follows from that: which tests are not run again.
//!
//! The account is kept over the lives of all workers of a class: the parent notes what a worker reports or dies of, and
//! hands the account to the next one. A call is not made again with arguments like those that it had, from the first
//! time on; one that gives way with others as well, or has none, is not made at all any more.
//!
//! Where all of these runs have classes in common that made what the call was handed, directly or within something else, and one of these things
//! can be made by another class, they are to blame and not the call: a constructor is charged with what a storage does that it was
//! handed. Then the call is not made with what all of these classes make, which each further run narrows.

use std::collections::{BTreeMap, BTreeSet};

use bytecode::name::ClassName;
use serde::{Deserialize, Serialize};
use testcase::cluster::{Call, Generator, TestCluster};
use testcase::statement::Statement;
use testcase::test_case::TestCase;

use self::likeness::{Likeness, inputs_of, maker_of, makers_of};

mod likeness;

/// How much a call may be charged with before it is banned.
const MOST: u32 = 4;

/// The same of a call whose arguments have something in common that is to blame.
const MOST_TO_LEARN: u32 = 12;

/// How a run was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Severity {
    /// It had used up its time before its steps, while classes were loaded that will be there the next time.
    Loading,
    /// It had used up its time before its steps, and stopped at a probe.
    Slow,
    /// An exception was thrown into the JDK, or the process ended.
    Damaging,
    /// Loading its classes does not end, and never will.
    Hopeless,
}

impl Severity {
    /// What a call is charged with: slow ones are forgiven with four kinds of arguments, those that cost a JVM with two.
    fn charge(self) -> u32 {
        match self {
            Self::Loading | Self::Slow => 1,
            Self::Damaging => 2,
            Self::Hopeless => MOST_TO_LEARN,
        }
    }
}

/// A run that had to be ended by other means than its steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The test.
    pub test: TestCase,
    /// Position of the statement that ran.
    pub position: usize,
    /// How it was ended.
    pub severity: Severity,
}

/// What a fault teaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lesson {
    /// Nothing that keeps other tests from doing the same.
    Nothing,
    /// The call is not made with such arguments any more.
    Arguments(Call),
    /// The call is not made any more.
    Call(Call),
}

/// The account of a class.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    charged: BTreeMap<Call, Account>,
    fatal: BTreeSet<TestCase>,
}

/// The account of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Account {
    charge: u32,
    /// What it had as receiver and arguments when runs were ended in it.
    inputs: Vec<Vec<Likeness>>,
    /// The classes that made what it was handed in all of these runs, directly or within something else.
    in_common: Option<BTreeSet<ClassName>>,
    /// Whether these are to blame in its place.
    is_misled: bool,
    /// Whether it is not made any more.
    is_banned: bool,
}

impl Account {
    fn refuses(&self, test: &TestCase, position: usize, cluster: &TestCluster) -> bool {
        self.is_banned || {
            !self.inputs.is_empty() && {
                let asked = inputs_of(test, position);
                self.inputs.iter().any(|known| Likeness::are_as_bad(&asked, known))
                    || self.is_misled && self.is_misled_by(&makers_of(test, position, cluster))
            }
        }
    }

    fn is_misled_by(&self, makers: &BTreeSet<ClassName>) -> bool {
        self.in_common.as_ref().is_some_and(|in_common| in_common.is_subset(makers))
    }

    /// Keeps what made things that the call was handed in this run as well as in all others.
    fn compare(&mut self, makers: BTreeSet<ClassName>) {
        self.in_common = Some(match self.in_common.take() {
            Some(before) => before.intersection(&makers).cloned().collect(),
            None => makers,
        });
    }

    /// Decides what is to blame, where the call was charged often enough.
    fn judge(&mut self, cluster: &TestCluster) {
        if self.charge >= MOST {
            let mut in_common = self.in_common.iter().flatten();
            self.is_misled =
                self.charge < MOST_TO_LEARN && in_common.any(|class| has_another(cluster, class));
            self.is_banned = !self.is_misled;
        }
    }
}

/// Whether something that a class makes can be made by another one as well.
fn has_another(cluster: &TestCluster, class: &ClassName) -> bool {
    let is_its = |way: &Generator| way.call().and_then(|call| maker_of(call, cluster)) == Some(class);
    cluster.generators.iter().any(|ways| ways.iter().any(is_its) && !ways.iter().all(is_its))
}

impl Faults {
    /// Whether no fault was ever noted.
    pub fn is_empty(&self) -> bool {
        self.charged.is_empty() && self.fatal.is_empty()
    }

    /// Adds a fault of a test of this cluster.
    pub fn note(&mut self, fault: Fault, cluster: &TestCluster) -> Lesson {
        let Fault { test, position, severity } = fault;
        let call = test.statements().get(position).and_then(Statement::call);
        let inputs = inputs_of(&test, position);
        if matches!(severity, Severity::Damaging | Severity::Hopeless) {
            self.fatal.insert(test.clone());
        }
        let Some(call) = call else { return Lesson::Nothing };
        let account = self.charged.entry(call).or_default();
        if account.is_banned {
            return Lesson::Nothing;
        }
        account.charge = account.charge.saturating_add(severity.charge());
        if severity != Severity::Loading {
            if inputs.is_empty() {
                // There is no other way to make it.
                account.charge = account.charge.max(MOST);
            }
            account.inputs.push(inputs);
            account.compare(makers_of(&test, position, cluster));
        }
        account.judge(cluster);
        if account.is_banned { Lesson::Call(call) } else { Lesson::Arguments(call) }
    }

    /// Calls that no new test should have, ascending.
    pub fn banned(&self) -> Vec<Call> {
        self.charged.iter().filter(|(_, account)| account.is_banned).map(|(call, _)| *call).collect()
    }

    /// Whether every call of the class under test is banned.
    pub fn ban_all_of(&self, cluster: &TestCluster) -> bool {
        let mut calls = cluster.test_calls.iter().flatten();
        !self.charged.is_empty()
            && calls.all(|call| self.charged.get(call).is_some_and(|account| account.is_banned))
    }

    /// How often calls were charged so far.
    pub(crate) fn count(&self) -> usize {
        self.charged.values().map(|account| account.inputs.len()).sum()
    }

    /// Whether this very test cost a JVM.
    pub fn is_fatal(&self, test: &TestCase) -> bool {
        self.fatal.contains(test)
    }

    /// Whether a test has a call that is banned, or arguments for a call like those that a run was ended with.
    pub fn refuses(&self, test: &TestCase, cluster: &TestCluster) -> bool {
        if self.charged.is_empty() {
            return false;
        }
        let calls = (0..)
            .zip(test.statements())
            .filter_map(|(position, statement)| statement.call().map(|call| (position, call)));
        calls.into_iter().any(|(position, call)| {
            self.charged.get(&call).is_some_and(|account| account.refuses(test, position, cluster))
        })
    }

    /// Whether a test has a call that runs were ended in.
    pub(crate) fn has_charged(&self, test: &TestCase) -> bool {
        !self.charged.is_empty()
            && test
                .statements()
                .iter()
                .filter_map(Statement::call)
                .any(|call| self.charged.contains_key(&call))
    }
}

#[cfg(test)]
mod tests {
    use testcase::cluster::testing::ClusterBuilder;
    use testcase::cluster::{CallableId, StubId};
    use testcase::statement::{Script, VarRef};
    use testcase::value::Value;

    use super::*;

    fn test(calls: &[u32]) -> TestCase {
        let call = |id: &u32| Statement::Constructor {
            callable: CallableId(*id),
            arguments: [].into_iter().collect(),
        };
        TestCase::new(calls.iter().map(call).collect())
    }

    /// A call with a number.
    fn with(id: u32, number: i32) -> TestCase {
        TestCase::new(vec![
            Statement::Primitive { value: Value::Int(number), boxed: false },
            Statement::Constructor { callable: CallableId(id), arguments: [VarRef(0)].into_iter().collect() },
        ])
    }

    fn called(id: u32) -> Call {
        Call::Callable(CallableId(id))
    }

    fn fault(test: TestCase, position: usize, severity: Severity) -> Fault {
        Fault { test, position, severity }
    }

    /// In a cluster of which the fault needs nothing.
    fn note(faults: &mut Faults, fault: Fault) -> Lesson {
        faults.note(fault, &TestCluster::default())
    }

    fn refuses(faults: &Faults, test: &TestCase) -> bool {
        faults.refuses(test, &TestCluster::default())
    }

    #[test]
    fn a_call_is_not_made_again_with_such_arguments_at_once() {
        let mut faults = Faults::default();
        assert_eq!(
            note(&mut faults, fault(with(8, 12_345), 1, Severity::Damaging)),
            Lesson::Arguments(called(8))
        );
        assert_eq!(faults.banned(), []);
        let refused = |faults: &Faults, number| refuses(faults, &with(8, number));
        assert!(refused(&faults, 12_345) && refused(&faults, 9_999) && refused(&faults, i32::MAX));
        assert!(!refused(&faults, 5) && !refused(&faults, -12_345), "these may do");
        assert!(!refuses(&faults, &with(7, 12_345)), "it is another call");
        // A second kind of arguments is the last.
        assert_eq!(note(&mut faults, fault(with(8, 3), 1, Severity::Damaging)), Lesson::Call(called(8)));
        assert!(refused(&faults, 0) && faults.banned() == [called(8)]);
        assert_eq!(note(&mut faults, fault(with(8, 0), 1, Severity::Damaging)), Lesson::Nothing);
    }

    #[test]
    fn a_call_is_banned_after_so_many_faults() {
        let check = |severity, expect: usize| {
            let mut faults = Faults::default();
            let lesson = |number| note(&mut faults, fault(with(8, number), 1, severity));
            let count = [1 << 30, 1 << 12, 1 << 6, 1]
                .map(lesson)
                .iter()
                .position(|lesson| *lesson == Lesson::Call(called(8)));
            assert_eq!((count, faults.banned()), (Some(expect - 1), vec![called(8)]), "{severity:?}");
            assert!(refuses(&faults, &with(8, 0)) && !faults.has_charged(&test(&[7])));
        };
        check(Severity::Loading, 4);
        check(Severity::Slow, 4);
        check(Severity::Damaging, 2);
        check(Severity::Hopeless, 1);
    }

    #[test]
    fn what_has_no_arguments_is_banned_at_once() {
        let check = |severity, expect| {
            let mut faults = Faults::default();
            assert_eq!(note(&mut faults, fault(test(&[7, 8]), 1, severity)), expect);
            assert_eq!(refuses(&faults, &test(&[1, 8])), expect == Lesson::Call(called(8)));
            assert!(!refuses(&faults, &test(&[7])));
        };
        check(Severity::Slow, Lesson::Call(called(8)));
        check(Severity::Damaging, Lesson::Call(called(8)));
        check(Severity::Loading, Lesson::Arguments(called(8)));
    }

    #[test]
    fn a_class_is_over_when_all_its_calls_are_banned() {
        let cluster =
            TestCluster { test_calls: vec![vec![called(1)], vec![called(2)]], ..TestCluster::default() };
        let mut faults = Faults::default();
        note(&mut faults, fault(test(&[1]), 0, Severity::Slow));
        assert!(!faults.ban_all_of(&cluster));
        note(&mut faults, fault(test(&[2]), 0, Severity::Slow));
        assert!(faults.ban_all_of(&cluster));
        assert!(!Faults::default().ban_all_of(&TestCluster::default()));
    }

    #[test]
    fn only_tests_that_cost_a_jvm_are_fatal() {
        let mut faults = Faults::default();
        note(&mut faults, fault(test(&[1]), 0, Severity::Slow));
        note(&mut faults, fault(test(&[2]), 0, Severity::Damaging));
        // Where it was is not known.
        assert_eq!(note(&mut faults, fault(test(&[3]), 5, Severity::Hopeless)), Lesson::Nothing);
        assert_eq!([1, 2, 3].map(|id| faults.is_fatal(&test(&[id]))), [false, true, true]);
        assert_eq!([1, 2, 3].map(|id| faults.has_charged(&test(&[id]))), [true, true, false]);
    }

    /// `run(A, Store)`, which classes with these names make, in a cluster in which one makes all `A`.
    fn run(a: &str, store: &str) -> (TestCluster, TestCase) {
        let mut builder = ClusterBuilder::new("p/Foo");
        let (first, second) = (builder.class("p/A"), builder.class("p/Store"));
        let names = ["p/A", "p/Native", "p/Memory", "p/Log"];
        let owners = names.map(|name| builder.class(name));
        let made = [first, second, second, second].into_iter().zip(owners);
        let made = made.map(|(of, owner)| {
            let made = builder.static_method(owner, "make", &[], Some(of));
            builder.generator(of, Generator::Callable(made));
            made
        });
        let made: Vec<CallableId> = made.collect();
        let foo = builder.class_under_test();
        let callable = builder.static_method(foo, "run", &[first, second], None);
        let make = |name: &str| Statement::Method {
            callable: made[names.iter().position(|it| *it == name).unwrap()],
            receiver: None,
            arguments: [].into_iter().collect(),
        };
        let arguments = [VarRef(0), VarRef(1)].into_iter().collect();
        let call = Statement::Method { callable, receiver: None, arguments };
        (builder.build(), TestCase::new(vec![make(a), make(store), call]))
    }

    #[test]
    fn what_made_the_arguments_of_all_runs_is_to_blame_where_others_make_them_too() {
        let mut faults = Faults::default();
        let mut note = |a, store| {
            let (cluster, test) = run(a, store);
            let lesson = faults.note(fault(test, 2, Severity::Damaging), &cluster);
            let stores = ["p/Native", "p/Memory", "p/Log"];
            (
                matches!(lesson, Lesson::Call(_)),
                stores.map(|store| faults.refuses(&run("p/A", store).1, &cluster)),
            )
        };
        assert_eq!(note("p/A", "p/Native"), (false, [true, false, false]), "likely the arguments");
        assert_eq!(note("p/A", "p/Native"), (false, [true, false, false]), "others may do");
        assert_eq!(
            note("p/A", "p/Memory"),
            (true, [true, true, true]),
            "it is the call: all others have one"
        );
    }

    #[test]
    fn constructors_below_stubs_are_charged_to_these() {
        let script = Script { arguments: [].into_iter().collect(), answers: Vec::new() };
        let stub = Statement::Stub { stub: StubId(5), script: Box::new(script) };
        let test = TestCase::new(vec![stub]);
        let mut faults = Faults::default();
        let fault = Fault { test: test.clone(), position: 0, severity: Severity::Hopeless };
        assert_eq!(note(&mut faults, fault), Lesson::Call(Call::Implement(StubId(5))));
        assert!(refuses(&faults, &test));
    }
}
