//! Observes the tests of a suite and gives each its assertions.

use std::collections::BTreeMap;

use testcase::assertable::{assertable_at, is_inherited_from_object, is_left_of_others, still_shows};
use testcase::assertion::{
    Assertion, FileState, ObservationPoint, ObservationTarget, ObservedValue, SeenFile, StubCall,
};
use testcase::cluster::TestCluster;
use testcase::execution::{Executor, Outcome};
use testcase::kill_oracle::kills;
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;

use super::AssertionOptions;
use super::points::{Question, points, questions};
use super::policy::{Answer, select};
use crate::asserted_test::AssertedTest;
use crate::minimize::MinimizedTest;

/// What tests that pass assert before mutants and readers ask for more, by test.
pub type KnownAssertions = BTreeMap<TestCase, Vec<Assertion>>;

/// Gives tests their assertions.
#[derive(Debug, Clone, Copy)]
pub struct AssertionGenerator<'a> {
    /// Types and members.
    pub cluster: &'a TestCluster,
    /// How much is asserted.
    pub options: AssertionOptions,
}

impl AssertionGenerator<'_> {
    /// Asserts what the tests of a suite show; of those that were asked before what is `known`. Once `may_continue` says no, the tests that
    /// are left get no assertions but the exceptions that end them.
    pub fn assert_suite(
        &self,
        tests: &[MinimizedTest],
        executor: &mut dyn Executor,
        known: &mut KnownAssertions,
        may_continue: &mut dyn FnMut() -> bool,
    ) -> Vec<AssertedTest> {
        tests
            .iter()
            .map(|test| {
                let is_known = known.contains_key(&test.test);
                if test.thrown.is_none() && !is_known && may_continue() {
                    known.insert(test.test.clone(), self.assertions(test, executor));
                }
                AssertedTest {
                    assertions: known.get(&test.test).cloned().unwrap_or_default(),
                    expected: test.thrown.clone(),
                    goals: test.goals.clone(),
                    ..AssertedTest::new(test.test.clone())
                }
            })
            .collect()
    }

    /// Three runs: one with all questions, before and behind the last statement; one with those behind it alone, for
    /// an inspector may change what it inspects; one with what is chosen, exactly as the printed test will ask.
    fn assertions(&self, test: &MinimizedTest, executor: &mut dyn Executor) -> Vec<Assertion> {
        let mut asked = questions(self.cluster, &test.test, &self.options);
        if asked.is_empty() {
            return Vec::new();
        }
        let mut answers = self.answers(test, &asked, executor);
        if answers.is_empty() && asked.iter().any(|question| question.target.uses_up()) {
            // Something that does not end, perhaps.
            asked.retain(|question| !question.target.uses_up());
            answers = self.answers(test, &asked, executor);
        }
        let chosen = select(self.cluster, &test.test, &answers, &self.options);
        self.confirmed(test, &chosen, executor)
    }

    /// The questions whose answers agree in two runs and may be asserted.
    fn answers(&self, test: &MinimizedTest, asked: &[Question], executor: &mut dyn Executor) -> Vec<Answer> {
        let all = points(asked, &test.test);
        let wanted: Vec<ObservationPoint> = all.iter().map(|(point, _)| *point).collect();
        let first = executor.observe_lasting(&test.test, &wanted);
        let behind = &wanted[wanted.len() - asked.len()..];
        let second = executor.observe(&test.test, behind);
        if first.outcome != Outcome::Passed || second.outcome != Outcome::Passed {
            return Vec::new();
        }
        let early = wanted.len() - asked.len();
        asked
            .iter()
            .enumerate()
            .filter_map(|(index, &question)| {
                let seen = first.values.get(early + index)?.as_ref()?;
                let again = second.values.get(index)?.as_ref()?;
                // Other moments may have left a part of it.
                let is_part = is_left_of_others(seen) && !kills(seen, Some(again), false);
                let is_seen_again = seen == again || is_part;
                if !is_seen_again || is_inherited_from_object(self.cluster, &test.test, question.target) {
                    return None;
                }
                let place = all[..early].iter().position(|(_, of)| *of == index);
                let before = place.and_then(|place| first.values[place].clone());
                let fit = |value: &ObservedValue| {
                    assertable_at(question.target, value, &test.test, self.options.lengths)
                };
                let (before, seen) = match self.commands(question.target, seen) {
                    Some(commands) => {
                        let earlier =
                            |value| self.commands(question.target, &value).or_else(|| Some(no_calls()));
                        (before.and_then(earlier), commands)
                    }
                    None => (before, seen.clone()),
                };
                // That nothing was called or written before is no assertion, but something to compare with.
                let before = before.and_then(|value| fit(&value).or_else(|| nothing(&value)));
                let after = with_deleted(before.as_ref(), fit(&seen).or_else(|| nothing(&seen))?, &seen);
                let is_nothing = nothing(&after).as_ref() == Some(&after);
                let is_news = !is_nothing && !is_own_length(&test.test, question.target, &after);
                is_news.then_some(Answer { question, before, after })
            })
            .collect()
    }

    /// Of calls of a stub those that are made for what they do; `None` of all else, and where there are none.
    fn commands(&self, target: ObservationTarget, seen: &ObservedValue) -> Option<ObservedValue> {
        let (ObservationTarget::Calls(_, stub), ObservedValue::Calls(calls)) = (target, seen) else {
            return None;
        };
        let commands = calls.iter().filter(|call| call.is_command(self.cluster.stub(stub)));
        let commands: Vec<StubCall> = commands.cloned().collect();
        (!commands.is_empty()).then_some(ObservedValue::Calls(commands))
    }

    fn confirmed(
        &self,
        test: &MinimizedTest,
        chosen: &[&Answer],
        executor: &mut dyn Executor,
    ) -> Vec<Assertion> {
        if chosen.is_empty() {
            return Vec::new();
        }
        let after = VarRef::from(test.test.len() - 1);
        let points: Vec<ObservationPoint> =
            chosen.iter().map(|answer| ObservationPoint { after, target: answer.question.target }).collect();
        let shown = executor.observe(&test.test, &points);
        if shown.outcome != Outcome::Passed {
            return Vec::new();
        }
        chosen
            .iter()
            .zip(&shown.values)
            .filter_map(|(answer, value)| {
                let (target, expected) = (answer.question.target, answer.after.clone());
                let holds = still_shows(target, &expected, value.as_ref(), &test.test, self.options.lengths);
                holds.then_some(Assertion { after, target, expected })
            })
            .collect()
    }
}

/// Whether nothing but the length is told of an array that the test has made: no code can change that.
fn is_own_length(test: &TestCase, target: ObservationTarget, told: &ObservedValue) -> bool {
    let ObservationTarget::Value(variable) = target else { return false };
    let is_empty = matches!(told, ObservedValue::Array(elements) if elements.is_empty());
    (is_empty || matches!(told, ObservedValue::Object { .. }))
        && matches!(test.statement(variable), Statement::Array { .. })
}

fn no_calls() -> ObservedValue {
    ObservedValue::Calls(Vec::new())
}

/// No calls, or no files, where these are what is seen and there is nothing of them to assert.
fn nothing(seen: &ObservedValue) -> Option<ObservedValue> {
    if let ObservedValue::Files(_) = seen {
        return Some(ObservedValue::Files(Vec::new()));
    }
    let is_no_call = matches!(seen, ObservedValue::Calls(calls) if calls.is_empty());
    is_no_call.then(|| seen.clone())
}

/// What may be asserted of files, with those that the code made before the last statement and that are gone behind it.
fn with_deleted(before: Option<&ObservedValue>, after: ObservedValue, seen: &ObservedValue) -> ObservedValue {
    let (Some(ObservedValue::Files(before)), ObservedValue::Files(mut told), ObservedValue::Files(found)) =
        (before, after.clone(), seen)
    else {
        return after;
    };
    let is_gone = |file: &&SeenFile| found.iter().all(|found| found.name != file.name);
    let gone = before.iter().filter(is_gone).cloned();
    told.extend(gone.map(|file| SeenFile { state: FileState::Absent, ..file }));
    told.sort();
    ObservedValue::Files(told)
}
