//! What exceptions say, where that tells tests apart: one call that throws the same class of exception in several tests has several reasons
//! for it, and a reader wants to know which. Mutants do not ask for it, since most of them end in the same exception.

use std::collections::BTreeMap;

use bytecode::name::ClassName;
use testcase::assertable::assertable_at;
use testcase::assertion::{Assertion, ObservationPoint, ObservationTarget, ObservedValue};
use testcase::cluster::CallableId;
use testcase::execution::Executor;
use testcase::statement::{Statement, VarRef};

use super::AssertionOptions;
use crate::asserted_test::AssertedTest;

/// Asserts the messages of exceptions in tests that end in one call with the same exception, as far as these differ. Tests that a file has
/// already stay as they are. Goes on as long as it may.
pub fn tell_apart(
    tests: &mut [AssertedTest],
    executor: &mut dyn Executor,
    options: &AssertionOptions,
    may_continue: &mut dyn FnMut() -> bool,
) {
    for group in groups(tests).into_values().filter(|group| group.len() > 1) {
        if !may_continue() {
            return;
        }
        let messages: Vec<Option<ObservedValue>> =
            group.iter().map(|&test| message(&tests[test], executor, options)).collect();
        let mut different: Vec<&ObservedValue> = messages.iter().flatten().collect();
        different.sort();
        different.dedup();
        if different.len() < 2 {
            continue;
        }
        for (&test, message) in group.iter().zip(&messages) {
            let test = &mut tests[test];
            if let Some(expected) = message.clone().filter(|_| may_get_one(test)) {
                let after = VarRef::from(test.test.len() - 1);
                test.assertions.push(Assertion { after, target: ObservationTarget::Message, expected });
            }
        }
    }
}

/// Tests by the call that throws and the class of the exception.
fn groups(tests: &[AssertedTest]) -> BTreeMap<(CallableId, ClassName), Vec<usize>> {
    let mut groups: BTreeMap<(CallableId, ClassName), Vec<usize>> = BTreeMap::new();
    for (number, test) in tests.iter().enumerate().filter(|(_, test)| !test.fails) {
        let (Some(thrown), Some(last)) = (&test.expected, test.test.statements().last()) else { continue };
        if let Statement::Method { callable, .. } | Statement::Constructor { callable, .. } = last {
            groups.entry((*callable, thrown.class.clone())).or_default().push(number);
        }
    }
    groups
}

/// What the exception that ends a test says, if it says the same twice and may be asserted.
fn message(
    test: &AssertedTest,
    executor: &mut dyn Executor,
    options: &AssertionOptions,
) -> Option<ObservedValue> {
    let target = ObservationTarget::Message;
    if let Some(assertion) = test.assertions.iter().find(|assertion| assertion.target == target) {
        return Some(assertion.expected.clone());
    }
    let point = ObservationPoint { after: VarRef::from(test.test.len() - 1), target };
    let mut look = || executor.observe_lasting(&test.test, &[point]).values.pop().flatten();
    let (first, second) = (look()?, look()?);
    assertable_at(target, &first, &test.test, options.lengths).filter(|_| first == second)
}

/// Whether a test may get an assertion: it has no method in a file, and none of the kind.
fn may_get_one(test: &AssertedTest) -> bool {
    let says = |assertion: &Assertion| assertion.target == ObservationTarget::Message;
    test.name.is_none() && !test.assertions.iter().any(says)
}

#[cfg(test)]
mod tests {
    use testcase::execution::{ExecutionResult, Observations, Outcome, ThrowOrigin, Thrown};
    use testcase::run_request::RunRequest;
    use testcase::test_case::TestCase;
    use testcase::value::Value;

    use super::*;

    /// Exceptions that say what the call was passed; where that has a `#`, another number in each run.
    #[derive(Debug)]
    struct Saying {
        runs: usize,
    }

    impl Executor for Saying {
        fn execute(&mut self, _: &TestCase, _: &RunRequest, _: &mut ExecutionResult) {
            panic!("messages are only observed")
        }

        fn observe(&mut self, test: &TestCase, points: &[ObservationPoint]) -> Observations {
            self.runs += 1;
            let Statement::Primitive { value: Value::String(said), .. } = test.statement(VarRef(0)) else {
                panic!("{test:?}")
            };
            let said = said.to_string().replace('#', &self.runs.to_string());
            Observations {
                outcome: Outcome::Threw(thrown("p/Full")),
                values: vec![Some(text(&said)); points.len()],
            }
        }
    }

    fn thrown(class: &str) -> Thrown {
        Thrown { position: 1, class: class.into(), origin: ThrowOrigin::Project }
    }

    fn text(said: &str) -> ObservedValue {
        ObservedValue::Primitive(Value::String(said.into()))
    }

    /// What tests assert that end in these calls, passed these texts, with these exceptions.
    fn check(tests: &[(usize, &str, &str)], expect: &[Option<&str>]) {
        let test = |&(callable, said, class): &(usize, &str, &str)| {
            let argument = Statement::Primitive { value: Value::String(said.into()), boxed: false };
            let arguments = [VarRef(0)].into_iter().collect();
            let call = Statement::Method { callable: callable.into(), receiver: None, arguments };
            let test = TestCase::new(vec![argument, call]);
            AssertedTest { expected: Some(thrown(class)), ..AssertedTest::new(test) }
        };
        let mut tests: Vec<AssertedTest> = tests.iter().map(test).collect();
        tell_apart(&mut tests, &mut Saying { runs: 0 }, &AssertionOptions::default(), &mut || true);
        let said =
            tests.iter().map(|test| test.assertions.first().map(|assertion| assertion.expected.clone()));
        assert_eq!(said.collect::<Vec<_>>(), expect.iter().map(|said| said.map(text)).collect::<Vec<_>>());
    }

    #[test]
    fn what_exceptions_say_is_asserted_where_it_tells_tests_apart() {
        check(&[(1, "no", "p/Full"), (1, "late", "p/Full")], &[Some("no"), Some("late")]);
        check(&[(1, "no", "p/Full"), (1, "no", "p/Full")], &[None, None]);
        check(&[(1, "no", "p/Full"), (1, "late", "p/Late")], &[None, None]);
        check(&[(1, "no", "p/Full"), (2, "late", "p/Full")], &[None, None]);
        let three = [(1, "no", "p/Full"), (1, "# left", "p/Full"), (1, "late", "p/Full")];
        check(&three, &[Some("no"), None, Some("late")]);
    }
}
