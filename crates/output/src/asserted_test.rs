//! A test case with what it asserts, and the goals that it is kept for.

use coverage::goal::GoalId;
use serde::{Deserialize, Serialize};
use testcase::assertion::{Assertion, ObservationTarget, ObservedValue};
use testcase::execution::Thrown;
use testcase::statement::{Arguments, Statement, VarRef};
use testcase::test_case::TestCase;

/// How a test has objects that it implements itself, where its file has Mockito.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StubForm {
    /// As classes, so far.
    #[default]
    Classes,
    /// As mocks.
    Mocks,
    /// As classes, since mocks did something else.
    ClassesAlone,
}

/// A test case with what it asserts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssertedTest {
    /// The statements. When an exception is expected, its statement is the last one.
    pub test: TestCase,
    /// Assertions, ascending by position.
    pub assertions: Vec<Assertion>,
    /// The exception that the last statement throws.
    pub expected: Option<Thrown>,
    /// Goals that it covers, ascending.
    pub goals: Vec<GoalId>,
    /// The goals among these that only assertions cover, ascending, each with the indices of the assertions of which any
    /// does.
    pub kills: Vec<(GoalId, Vec<usize>)>,
    /// Goals of mutants that tests had to infect, ascending, whose mutants it kills with these assertions: as far as somebody looked.
    pub killed: Vec<GoalId>,
    /// Its method, where a file has it already: it stays in the file, and keeps its name.
    pub name: Option<String>,
    /// Whether it is known to fail: it stays in the file all the same, and neither runs nor covers anything.
    pub fails: bool,
    /// In which form it is written and verified, which is decided where the file is made.
    #[serde(skip)]
    pub stubs: StubForm,
}

/// Has an assertion look at other variables: `new` gives the one in the place of each.
pub(crate) fn look_at(assertion: &mut Assertion, new: &dyn Fn(VarRef) -> VarRef) {
    if let ObservedValue::Calls(calls) = &mut assertion.expected {
        let objects = calls.iter_mut().flat_map(|call| call.objects.iter_mut().flatten());
        objects.for_each(|object| *object = new(*object));
    }
    assertion.target = match assertion.target {
        ObservationTarget::Value(of) => ObservationTarget::Value(new(of)),
        ObservationTarget::Inspector(of, inspector) => ObservationTarget::Inspector(new(of), inspector),
        ObservationTarget::Nested(of, outer, inner) => ObservationTarget::Nested(new(of), outer, inner),
        ObservationTarget::Field(of, field) => ObservationTarget::Field(new(of), field),
        ObservationTarget::Same(one, other) => ObservationTarget::Same(new(one), new(other)),
        ObservationTarget::Calls(of, stub) => ObservationTarget::Calls(new(of), stub),
        ObservationTarget::Elements(of, sequence) => ObservationTarget::Elements(new(of), sequence),
        target @ (ObservationTarget::Message
        | ObservationTarget::Cause
        | ObservationTarget::Printed(_)
        | ObservationTarget::Files) => target,
    };
}

impl AssertedTest {
    /// A test that ends without an exception, asserts nothing and is kept for nothing.
    pub fn new(test: TestCase) -> Self {
        Self {
            test,
            assertions: Vec::new(),
            expected: None,
            goals: Vec::new(),
            kills: Vec::new(),
            killed: Vec::new(),
            name: None,
            fails: false,
            stubs: StubForm::default(),
        }
    }

    /// The same test without assertions that it has twice.
    pub(crate) fn without_repetition(mut self) -> Self {
        let mut kept: Vec<Assertion> = Vec::new();
        let mut number_of = Vec::with_capacity(self.assertions.len());
        for assertion in self.assertions {
            let known = kept.iter().position(|other| *other == assertion);
            number_of.push(known.unwrap_or(kept.len()));
            if known.is_none() {
                kept.push(assertion);
            }
        }
        self.assertions = kept;
        for (_, by) in &mut self.kills {
            for assertion in by.iter_mut() {
                *assertion = number_of[*assertion];
            }
            by.sort_unstable();
            by.dedup();
        }
        self
    }

    /// The same test with statements before all else, which speak of themselves alone.
    pub fn behind(&self, first: &[Statement]) -> Self {
        let mut test = self.test.clone();
        for (position, statement) in first.iter().enumerate() {
            test.insert(position, statement.clone());
        }
        self.moved(test, &|variable| VarRef::from(variable.index() + first.len()))
    }

    /// The same of a test that does the same elsewhere: `new` says where each statement is there.
    pub(crate) fn moved(&self, test: TestCase, new: &dyn Fn(VarRef) -> VarRef) -> Self {
        let mut moved = Self { test, ..self.clone() };
        for assertion in &mut moved.assertions {
            assertion.after = new(assertion.after);
            look_at(assertion, new);
        }
        if let Some(thrown) = &mut moved.expected {
            thrown.position = new(VarRef::from(thrown.position)).index();
        }
        moved
    }

    /// The test with the calls at its end by which its assertions ask there: what these cover is covered where it runs.
    pub fn with_questions(&self) -> TestCase {
        let mut asking = self.test.clone();
        let last = self.test.len().checked_sub(1).filter(|_| self.expected.is_none()).map(VarRef::from);
        for assertion in self.assertions.iter().filter(|assertion| Some(assertion.after) == last) {
            if let ObservationTarget::Inspector(object, callable) = assertion.target {
                let arguments = Arguments::new();
                asking.push(Statement::Method { callable, receiver: Some(object), arguments });
            }
        }
        asking
    }

    /// Goals that it covers with these assertions alone, ascending.
    pub fn goals_with(&self, assertions: &[usize]) -> Vec<GoalId> {
        let is_left = |goal: &&GoalId| {
            let kills = self.kills.binary_search_by_key(*goal, |(goal, _)| *goal);
            kills.map_or(true, |index| self.kills[index].1.iter().any(|by| assertions.contains(by)))
        };
        self.goals.iter().filter(is_left).copied().collect()
    }

    /// Takes over what a test that does the same is kept for, as far as the assertions of this one show it too. Gives what the other
    /// is still needed for: all of it where it does something else, or has a method in a file.
    pub fn take_over(&mut self, mut other: Self) -> Option<Self> {
        let does_same = self.test == other.test && self.expected == other.expected;
        if !does_same || other.name.is_some() || self.fails || other.fails {
            return Some(other);
        }
        let own = |by: &usize| self.assertions.iter().position(|own| *own == other.assertions[*by]);
        for goal in std::mem::take(&mut other.goals) {
            let Err(place) = self.goals.binary_search(&goal) else { continue };
            if let Ok(kill) = other.kills.binary_search_by_key(&goal, |(goal, _)| *goal) {
                let mut by: Vec<usize> = other.kills[kill].1.iter().filter_map(own).collect();
                if by.is_empty() {
                    other.goals.push(goal);
                    continue;
                }
                by.sort_unstable();
                let at = self.kills.partition_point(|(before, _)| *before < goal);
                self.kills.insert(at, (goal, by));
            }
            self.goals.insert(place, goal);
        }
        other.kills.retain(|(goal, _)| other.goals.contains(goal));
        if other.assertions.iter().all(|assertion| self.assertions.contains(assertion)) {
            self.killed.extend(std::mem::take(&mut other.killed));
            self.killed.sort_unstable();
            self.killed.dedup();
        }
        (!other.goals.is_empty()).then_some(other)
    }
}

/// Tests without those that do the same as one before them and are kept for nothing that it does not show.
pub fn without_twins<T>(tests: Vec<T>, test: impl Fn(&mut T) -> &mut AssertedTest) -> Vec<T> {
    let mut kept: Vec<T> = Vec::with_capacity(tests.len());
    for mut one in tests {
        let mut left = Some(test(&mut one).clone());
        for before in &mut kept {
            left = left.and_then(|other| test(before).take_over(other));
        }
        if let Some(left) = left {
            *test(&mut one) = left;
            kept.push(one);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use testcase::assertion::ObservedValue;
    use testcase::value::Value;

    use super::*;

    #[test]
    fn a_goal_that_assertions_cover_goes_with_the_last_of_them() {
        let test = AssertedTest {
            goals: [2, 3, 5].map(GoalId).to_vec(),
            kills: vec![(GoalId(3), vec![0, 2]), (GoalId(5), vec![1])],
            ..AssertedTest::new(TestCase::default())
        };
        for (assertions, expect) in
            [(vec![0, 1, 2], vec![2, 3, 5]), (vec![2], vec![2, 3]), (vec![1], vec![2, 5]), (vec![], vec![2])]
        {
            let left: Vec<u32> = test.goals_with(&assertions).iter().map(|goal| goal.0).collect();
            assert_eq!(left, expect, "{assertions:?}");
        }
    }

    #[test]
    fn what_does_the_same_as_another_test_stays_for_what_its_assertions_alone_show() {
        let asserts = |of: usize| {
            let value = ObservedValue::Primitive(Value::Int(1));
            Assertion {
                after: VarRef::from(of),
                target: ObservationTarget::Value(VarRef::from(of)),
                expected: value,
            }
        };
        let test = |goals: &[u32], kills: &[(u32, &[usize])], assertions: &[usize]| AssertedTest {
            goals: goals.iter().copied().map(GoalId).collect(),
            kills: kills.iter().map(|(goal, by)| (GoalId(*goal), by.to_vec())).collect(),
            assertions: assertions.iter().copied().map(asserts).collect(),
            ..AssertedTest::new(TestCase::default())
        };
        let first = || test(&[1, 4], &[(4, &[0])], &[7, 8]);
        let named = AssertedTest { name: Some("t".to_owned()), ..test(&[1], &[], &[]) };
        for (other, expect) in [
            (test(&[1, 4], &[(4, &[0])], &[9]), vec![first()]),
            (
                test(&[2, 3], &[(3, &[0, 1])], &[8, 9]),
                vec![test(&[1, 2, 3, 4], &[(3, &[1]), (4, &[0])], &[7, 8])],
            ),
            (
                test(&[2, 3], &[(3, &[0])], &[9]),
                vec![test(&[1, 2, 4], &[(4, &[0])], &[7, 8]), test(&[3], &[(3, &[0])], &[9])],
            ),
            (named.clone(), vec![first(), named]),
        ] {
            assert_eq!(without_twins(vec![first(), other], |test| test), expect);
        }
    }
}
