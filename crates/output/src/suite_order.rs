//! What a suite covers as the user's JVM runs it: one test after the other, with nothing restored in between. A branch
//! that depends on static state may be covered by its test alone, and not behind other tests.

use std::collections::BTreeSet;

use bytecode::probe_map::Evidence;
use coverage::goal::{Goal, GoalId, GoalSet};
use testcase::assertion::ObservationTarget;
use testcase::cluster::{CallableId, CallableKind, TestCluster};
use testcase::execution::{ExecutionResult, ExecutionTrace, Executor};
use testcase::run_request::RunRequest;
use testcase::statement::{Arguments, Statement, VarRef};
use testcase::test_case::TestCase;

use crate::asserted_test::AssertedTest;
use crate::replay::ends_as_expected;

/// So many methods are tried that may set state back.
const MOST_RESETS: usize = 8;

/// So many tests that write static fields are looked at, each beside all others.
const MOST_WRITERS: usize = 16;

/// What a suite is judged by.
#[derive(Debug, Clone, Copy)]
pub struct SuiteOrder<'a> {
    /// Types and members.
    pub cluster: &'a TestCluster,
    /// What is to be covered.
    pub goals: &'a GoalSet,
}

impl SuiteOrder<'_> {
    /// Makes tests hold wherever they run, and takes from a suite the goals that it does not cover as a whole, forwards
    /// and backwards, and the tests that no other goal is left of. The goals, ascending; of goals that depend on the order none
    /// where a limit ends such a run, since nothing is known then.
    ///
    /// A test that needs static state as it was at first sets it: a static method without parameters of the class under
    /// test is called before it, where that is found to bring its goals back. Methods are tried as long as it may go on. A
    /// test that writes a static field goes where others lose more by it than goes with it.
    pub fn take_order_dependent(
        &self,
        tests: &mut Vec<AssertedTest>,
        executor: &mut dyn Executor,
        result: &mut ExecutionResult,
        may_go_on: &mut dyn FnMut() -> bool,
    ) -> Vec<GoalId> {
        let mut all_lost = self.leave_out_writers(tests, executor, result, may_go_on);
        let Some(mut lost) = self.lost(tests, executor, &mut result.trace) else {
            return all_lost.into_iter().collect();
        };
        for reset in self.resets() {
            if lost.is_empty() || !may_go_on() {
                break;
            }
            let behind = self.behind(reset, tests, &lost, executor, result);
            if let Some(still_lost) = self.lost(&behind, executor, &mut result.trace)
                && still_lost.is_subset(&lost)
                && still_lost.len() < lost.len()
            {
                (*tests, lost) = (behind, still_lost);
            }
        }
        tests.retain_mut(|test| {
            let before = test.goals.len();
            test.goals.retain(|&goal| !lost.contains(&goal));
            before == 0 || !test.goals.is_empty()
        });
        all_lost.extend(lost);
        all_lost.into_iter().collect()
    }

    /// Goals that tests claim and do not cover in a row, forwards and backwards; `None` where a limit ends such a run. A test that
    /// ends in another way there is for plain JVMs to judge.
    fn lost(
        &self,
        tests: &[AssertedTest],
        executor: &mut dyn Executor,
        trace: &mut ExecutionTrace,
    ) -> Option<BTreeSet<GoalId>> {
        let claimed: BTreeSet<GoalId> = tests.iter().flat_map(|test| &test.goals).copied().collect();
        let mut row: Vec<&AssertedTest> = tests.iter().collect();
        let mut lost = BTreeSet::new();
        for _ in 0..2 {
            let cases: Vec<&TestCase> = row.iter().map(|test| &test.test).collect();
            executor.execute_in_order(&cases, &RunRequest::default(), trace)?;
            // No mutant runs in a row: that the tests still infect it has to do.
            let shows = |goal: &Goal| match goal.mutant() {
                Some(mutant) => trace.shows(Evidence::Taken(mutant.infection)),
                None => goal.is_covered(trace),
            };
            let is_covered = |goal: &GoalId| self.goals.goals().get(goal.index()).is_none_or(shows);
            lost.extend(claimed.iter().copied().filter(|goal| !is_covered(goal)));
            row.reverse();
        }
        Some(lost)
    }

    /// Leaves out each test that writes a static field so that others right behind it end in another way, where these others have
    /// more goals to lose than it has; the goals that go with it.
    fn leave_out_writers(
        &self,
        tests: &mut Vec<AssertedTest>,
        executor: &mut dyn Executor,
        result: &mut ExecutionResult,
        may_go_on: &mut dyn FnMut() -> bool,
    ) -> BTreeSet<GoalId> {
        // tidy: asks for one kind of statement
        let writes_static = |statement: &Statement| match statement {
            Statement::FieldWrite { field, .. } => self.cluster.field(*field).access.is_static(),
            _ => false,
        };
        let mut left_out = BTreeSet::new();
        let mut writers = 0;
        let mut number = tests.len();
        while number > 0 && writers < MOST_WRITERS && may_go_on() {
            number -= 1;
            let writer = &tests[number];
            if !writer.test.statements().iter().any(writes_static) {
                continue;
            }
            writers += 1;
            let mut is_harmed = |test: &AssertedTest| {
                let both = [&writer.test, &test.test];
                let completed = executor.execute_in_order(&both, &RunRequest::default(), &mut result.trace);
                completed.is_some_and(|completed| completed.last() != Some(&expected_end(test)))
            };
            let harmed: BTreeSet<usize> =
                (0..tests.len()).filter(|&other| other != number && is_harmed(&tests[other])).collect();
            let own = only_of(tests, &BTreeSet::from([number]));
            if !harmed.is_empty() && own.len() <= only_of(tests, &harmed).len() {
                tests.remove(number);
                left_out.extend(own);
            }
        }
        left_out
    }

    /// Methods that may set static state back: static ones of the class under test that take nothing.
    fn resets(&self) -> Vec<CallableId> {
        let callables = self.cluster.callables.iter().enumerate();
        let resets = callables.filter(|(_, callable)| {
            callable.kind == CallableKind::StaticMethod
                && callable.parameters.is_empty()
                && Some(&callable.declared_in) == self.cluster.class_under_test.as_ref()
        });
        resets.map(|(index, _)| CallableId::from(index)).take(MOST_RESETS).collect()
    }

    /// The suite with a call before each test that loses goals, where that test still ends and covers by itself what it
    /// did.
    fn behind(
        &self,
        reset: CallableId,
        tests: &[AssertedTest],
        lost: &BTreeSet<GoalId>,
        executor: &mut dyn Executor,
        result: &mut ExecutionResult,
    ) -> Vec<AssertedTest> {
        let mut holds = |test: &AssertedTest| {
            executor.execute(&test.test, &RunRequest::default(), result);
            let is_covered = |goal: &GoalId| {
                let goal = self.goals.goals().get(goal.index());
                goal.is_none_or(|goal| goal.mutant().is_some() || goal.is_covered(&result.trace))
            };
            ends_as_expected(test, &result.outcome) && test.goals.iter().all(is_covered)
        };
        let changed = |test: &AssertedTest| {
            let loses = test.goals.iter().any(|&goal| lost.contains(&goal));
            let behind = loses.then(|| with_first(reset, test)).filter(&mut holds);
            behind.unwrap_or_else(|| test.clone())
        };
        tests.iter().map(changed).collect()
    }
}

/// Goals that these tests claim and no other one does.
fn only_of(tests: &[AssertedTest], these: &BTreeSet<usize>) -> BTreeSet<GoalId> {
    let of = |among: bool| {
        let tests = tests.iter().enumerate().filter(move |(number, _)| these.contains(number) == among);
        tests.flat_map(|(_, test)| &test.goals).copied().collect::<BTreeSet<_>>()
    };
    of(true).difference(&of(false)).copied().collect()
}

/// Statements of a test that end without an exception.
fn expected_end(test: &AssertedTest) -> usize {
    test.expected.as_ref().map_or(test.test.len(), |thrown| thrown.position)
}

/// A test with a static call before all else.
fn with_first(callable: CallableId, test: &AssertedTest) -> AssertedTest {
    let mut test = test.clone();
    let call = Statement::Method { callable, receiver: None, arguments: Arguments::new() };
    test.test.insert(0, call);
    for assertion in &mut test.assertions {
        assertion.after = later(assertion.after);
        assertion.target = match assertion.target {
            ObservationTarget::Value(of) => ObservationTarget::Value(later(of)),
            ObservationTarget::Inspector(of, inspector) => ObservationTarget::Inspector(later(of), inspector),
            ObservationTarget::Nested(of, outer, inner) => ObservationTarget::Nested(later(of), outer, inner),
            ObservationTarget::Field(of, field) => ObservationTarget::Field(later(of), field),
            ObservationTarget::Same(one, other) => ObservationTarget::Same(later(one), later(other)),
            ObservationTarget::Calls(of, stub) => ObservationTarget::Calls(later(of), stub),
            ObservationTarget::Elements(of, sequence) => ObservationTarget::Elements(later(of), sequence),
            target @ (ObservationTarget::Message
            | ObservationTarget::Cause
            | ObservationTarget::Printed(_)
            | ObservationTarget::Files) => target,
        };
    }
    if let Some(thrown) = &mut test.expected {
        thrown.position += 1;
    }
    test
}

fn later(variable: VarRef) -> VarRef {
    VarRef::from(variable.index() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testcase::assertion::ObservationPoint;
    use testcase::cluster::testing::ClusterBuilder;
    use testcase::cluster::{FieldId, TypeId};
    use testcase::execution::{Observations, Outcome};
    use testcase::value::Value;

    /// An executor of tests that all pass by themselves. Behind one with two statements, which writes a static field, the
    /// first statement of any other throws; longer rows may end by a limit.
    struct Fake {
        is_limited: bool,
    }

    impl Executor for Fake {
        fn execute(&mut self, _: &TestCase, _: &RunRequest, result: &mut ExecutionResult) {
            result.outcome = Outcome::Passed;
        }

        fn observe(&mut self, _: &TestCase, _: &[ObservationPoint]) -> Observations {
            Observations { outcome: Outcome::Passed, values: Vec::new() }
        }

        fn execute_in_order(
            &mut self,
            tests: &[&TestCase],
            _: &RunRequest,
            _: &mut ExecutionTrace,
        ) -> Option<Vec<usize>> {
            let is_written = tests.first().is_some_and(|test| test.len() == 2);
            let end =
                |(number, test): (usize, &&TestCase)| if number > 0 && is_written { 0 } else { test.len() };
            let is_over = self.is_limited && tests.len() > 2;
            (!is_over).then(|| tests.iter().enumerate().map(end).collect())
        }
    }

    fn test(writes: Option<FieldId>, goals: &[u32]) -> AssertedTest {
        let mut test = TestCase::default();
        test.insert(0, Statement::Primitive { value: Value::Int(1), boxed: false });
        if let Some(field) = writes {
            test.insert(1, Statement::FieldWrite { field, receiver: None, value: VarRef(0) });
        }
        AssertedTest { goals: goals.iter().copied().map(GoalId).collect(), ..AssertedTest::new(test) }
    }

    #[test]
    fn a_writer_goes_where_others_lose_more_and_its_goals_are_dropped_even_if_nothing_else_is_known() {
        let mut cluster = ClusterBuilder::new("p/A");
        let owner = cluster.class_under_test();
        let field = cluster.static_field(owner, "count", TypeId::OBJECT);
        let cluster = cluster.build();
        let goals = GoalSet::default();
        for (own, others, limited, left, lost) in [
            (&[5][..], &[&[1, 2][..], &[3, 4], &[9]][..], false, 3, &[5][..]),
            (&[5], &[&[1, 2], &[3, 4], &[9]], true, 3, &[5]),
            (&[5, 6, 7, 8, 10, 11], &[&[1, 2], &[3, 4], &[9]], true, 4, &[]),
            (&[1, 2], &[&[1, 2], &[3]], false, 2, &[]),
        ] {
            let mut tests: Vec<AssertedTest> = others.iter().map(|goals| test(None, goals)).collect();
            tests.insert(1, test(Some(field), own));
            let mut result = ExecutionResult::new(0, 0);
            let dropped = SuiteOrder { cluster: &cluster, goals: &goals }.take_order_dependent(
                &mut tests,
                &mut Fake { is_limited: limited },
                &mut result,
                &mut || true,
            );
            let lost: Vec<GoalId> = lost.iter().copied().map(GoalId).collect();
            assert_eq!((tests.len(), dropped), (left, lost), "{own:?}");
        }
    }
}
