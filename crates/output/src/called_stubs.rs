//! Methods of stubs that give `null` since nothing is told of them, and that a test calls: they say so. What is left untold is called by
//! nobody, and a mock, which may give something else by itself, need not be told of it either.

use std::collections::BTreeSet;

use testcase::assertion::{ObservationPoint, ObservationTarget, ObservedValue};
use testcase::cluster::{StubId, TestCluster, TypeId};
use testcase::execution::Executor;
use testcase::statement::{Answer, Statement, VarRef};

use crate::asserted_test::AssertedTest;
use crate::minimize::scripts::{Scripted, scripted};

/// Tells methods of stubs that give `null`, and are called, to do so. Goes on as long as it may.
pub fn tell_nulls(
    cluster: &TestCluster,
    tests: &mut [AssertedTest],
    executor: &mut dyn Executor,
    may_go_on: &mut dyn FnMut() -> bool,
) {
    for test in tests.iter_mut().filter(|test| !test.fails && test.name.is_none()) {
        let silent = silent(cluster, test);
        if silent.is_empty() {
            continue;
        }
        if !may_go_on() {
            return;
        }
        let called = called(test, &silent, executor);
        let mut moved = 0;
        for Silent { variable, method, of, .. } in silent {
            if called.contains(&(variable, method)) {
                moved += tell_null(test, VarRef::from(variable.index() + moved), method, of);
            }
        }
    }
}

/// A method that gives `null` since nothing is told of it.
#[derive(Debug, Clone, Copy)]
struct Silent {
    variable: VarRef,
    stub: StubId,
    /// Which one of the stub.
    method: usize,
    /// What it gives.
    of: TypeId,
}

/// The methods of a test's stubs of which nothing is told and that give objects; of lambdas there is nothing else to say.
fn silent(cluster: &TestCluster, test: &AssertedTest) -> Vec<Silent> {
    let methods = scripted(cluster, &test.test).filter(|of| of.answers.is_empty() && !of.method.has_body);
    let methods = methods.filter(|of| !cluster.stub(of.stub).is_functional);
    let silent = methods.filter_map(|Scripted { variable, stub, index, method, .. }| {
        let of = method.result.filter(|of| of.as_primitive().is_none())?;
        Some(Silent { variable, stub, method: index, of })
    });
    silent.collect()
}

/// Which methods of these stubs a test calls, as far as calls are written down.
fn called(test: &AssertedTest, silent: &[Silent], executor: &mut dyn Executor) -> BTreeSet<(VarRef, usize)> {
    let Some(last) = test.test.len().checked_sub(1) else { return BTreeSet::new() };
    let stubs: BTreeSet<(VarRef, StubId)> = silent.iter().map(|of| (of.variable, of.stub)).collect();
    let point = |&(variable, stub): &(VarRef, StubId)| ObservationPoint {
        after: VarRef::from(last),
        target: ObservationTarget::Calls(variable, stub),
    };
    let points: Vec<ObservationPoint> = stubs.iter().map(point).collect();
    let shown = executor.observe(&test.test, &points);
    let calls = stubs.iter().zip(shown.values).flat_map(|((variable, _), value)| {
        let calls = if let Some(ObservedValue::Calls(calls)) = value { calls } else { Vec::new() };
        calls.into_iter().map(|call| (*variable, usize::from(call.method)))
    });
    calls.collect()
}

/// By how many places what stands in the test has moved.
fn tell_null(test: &mut AssertedTest, variable: VarRef, method: usize, of: TypeId) -> usize {
    let is_null = |statement: &Statement| *statement == Statement::Null { of };
    let before = test.test.statements().iter().take(variable.index()).position(is_null);
    let moved = usize::from(before.is_none());
    if before.is_none() {
        *test = test.behind(&[Statement::Null { of }]);
    }
    if let Some(Statement::Stub { script, .. }) = test.test.statements_mut().get_mut(variable.index() + moved)
    {
        script.answers[method] = [Answer::Value(VarRef::from(before.unwrap_or(0)))].into_iter().collect();
    }
    moved
}

#[cfg(test)]
mod tests {
    use testcase::assertion::StubCall;
    use testcase::cluster::testing::ClusterBuilder;
    use testcase::execution::{ExecutionResult, Observations, Outcome};
    use testcase::run_request::RunRequest;
    use testcase::statement::Script;
    use testcase::test_case::TestCase;

    use super::*;

    /// Calls the first method of every stub.
    #[derive(Debug)]
    struct First;

    impl Executor for First {
        fn execute(&mut self, _: &TestCase, _: &RunRequest, _: &mut ExecutionResult) {
            panic!("calls are only observed")
        }

        fn observe(&mut self, _: &TestCase, points: &[ObservationPoint]) -> Observations {
            let calls = ObservedValue::Calls(vec![StubCall::new(0, "find()")]);
            Observations { outcome: Outcome::Passed, values: vec![Some(calls); points.len()] }
        }
    }

    #[test]
    fn methods_that_give_null_and_are_called_say_so() {
        let mut builder = ClusterBuilder::new("p/Foo");
        let store = builder.class("p/Store");
        let (string, object) = (TypeId::STRING, TypeId::OBJECT);
        let methods = [("find", &[][..], Some(string)), ("all", &[], Some(object)), ("close", &[], None)];
        let id = builder.stub(store, None, &methods, &[]);
        let cluster = builder.build();
        let stub = |find: &[Answer]| {
            let answers = [find, &[], &[]].map(|answers| answers.iter().copied().collect()).to_vec();
            Statement::Stub {
                stub: id,
                script: Box::new(Script { arguments: [].into_iter().collect(), answers }),
            }
        };
        let mut tests = [AssertedTest::new(TestCase::new(vec![stub(&[]), stub(&[])]))];
        tell_nulls(&cluster, &mut tests, &mut First, &mut || true);
        let told = stub(&[Answer::Value(VarRef(0))]);
        let expect = TestCase::new(vec![Statement::Null { of: string }, told.clone(), told]);
        assert_eq!(tests[0].test, expect, "of `all`, which nobody calls, nothing is said");
    }
}
