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
    if !options.further_looks {
        return;
    }
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
    let mut look = || executor.observe(&test.test, &[point]).values.pop().flatten();
    let (first, second) = (look()?, look()?);
    assertable_at(target, &first, &test.test, options.lengths).filter(|_| first == second)
}

/// Whether a test may get an assertion: it has no method in a file, and none of the kind.
fn may_get_one(test: &AssertedTest) -> bool {
    let says = |assertion: &Assertion| assertion.target == ObservationTarget::Message;
    test.name.is_none() && !test.assertions.iter().any(says)
}
