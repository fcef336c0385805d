//! Answers of stubs: they are inputs like any other, and a stub that is called again may need another answer.
//!
//! Values that answers give are statements of the test, which their own operators improve. Here scripts get further answers with
//! values of their own, which are improved at once; then answers are replaced, added and dropped at random, as calls are (§4.1.4).
//!
//! # Differences
//! It is not in the paper, whose tests have no stubs.

use testcase::statement::{Answer, Statement, VarRef};

use super::climb::{Climb, Reaction};
use super::{LocalSearch, improve_statement};

/// Answers that a method has at most after it got further ones.
const MOST_ANSWERS: usize = 4;

/// The operator.
#[derive(Debug)]
pub(super) struct Stubs;

impl LocalSearch for Stubs {
    fn name(&self) -> &'static str {
        "stubs"
    }

    fn applies(&self, statement: &Statement) -> bool {
        matches!(statement, Statement::Stub { .. })
    }

    fn is_ours(&self) -> bool {
        true
    }

    fn improve(&self, position: usize, climb: &mut Climb<'_>) {
        let mut at = position;
        for method in 0..methods(at, climb) {
            while !climb.is_over() && add_answer(&mut at, method, climb) {}
        }
        let mut failed = 0;
        while failed < climb.options().patience && !climb.is_over() {
            let (changed, now) =
                climb.changed(|test, source, random| source.change_statement(test, at, random));
            match now.map(|now| (now, climb.attempt(changed))) {
                Some((now, Reaction::Better)) => (at, failed) = (now, 0),
                Some((_, Reaction::Changed | Reaction::Same)) | None => failed += 1,
                Some((_, Reaction::Over)) => return,
            }
            if !matches!(climb.test().statements().get(at), Some(Statement::Stub { .. })) {
                return;
            }
        }
    }
}

/// The number of methods of a stub.
fn methods(position: usize, climb: &Climb<'_>) -> usize {
    match climb.test().statements().get(position) {
        Some(Statement::Stub { script, .. }) => script.answers.len(),
        _ => 0,
    }
}

/// Gives a method one more answer: the last one again, with a value of its own, from which the value is improved. Whether that
/// helped; if not the test stays as it was.
fn add_answer(at: &mut usize, method: usize, climb: &mut Climb<'_>) -> bool {
    let (position, before) = (*at, climb.improvements());
    let mut test = climb.test().clone();
    let Some(Statement::Stub { script, .. }) = test.statements().get(position) else { return false };
    let Some(answers) = script.answers.get(method).filter(|answers| answers.len() < MOST_ANSWERS) else {
        return false;
    };
    let Some(&Answer::Value(value)) = answers.last() else { return false };
    let of = test.statement(value).clone();
    let is_value = matches!(of, Statement::Primitive { .. } | Statement::EnumConstant { .. });
    if !is_value || test.len() >= climb.longest() {
        return false;
    }
    test.insert(position, of);
    if let Statement::Stub { script, .. } = &mut test.statements_mut()[position + 1] {
        script.answers[method].push(Answer::Value(VarRef::from(position)));
    }
    // The last answer repeats, so that nothing differs yet and nothing needs to be run.
    let old = climb.test().clone();
    climb.take(test);
    improve_statement(position, climb);
    if climb.improvements() == before {
        climb.take(old);
        return false;
    }
    // Operators of values leave the test as long as it is.
    *at = position + 1;
    true
}

#[cfg(test)]
mod tests {
    use testcase::factory::TestFactory;
    use testcase::factory::options::FactoryOptions;
    use testcase::test_case::TestCase;

    use super::super::options::Operators;
    use super::super::testing::{Hill, Things};
    use super::*;

    /// The numbers that a stub answers, in order.
    fn answers(test: &TestCase) -> Vec<i64> {
        let scripts = test.statements().iter().filter_map(|statement| match statement {
            Statement::Stub { script, .. } => Some(script),
            _ => None,
        });
        let answers = scripts.flat_map(|script| script.answers.iter().flatten());
        let values = answers.flat_map(|answer| answer.variables()).map(|variable| test.statement(variable));
        values
            .filter_map(|value| {
                if let Statement::Primitive { value, .. } = value { value.as_integer() } else { None }
            })
            .collect()
    }

    #[test]
    fn a_script_gets_the_answers_that_its_calls_need() {
        for (wanted, most) in [(vec![3], 60), (vec![3, -4], 120), (vec![3, 8, 1], 300)] {
            let things = Things::new();
            let start = TestCase::new(vec![Things::int(3), things.step(0), things.run_step(1)]);
            let expect = wanted.clone();
            let mut hill = Hill::new(start, move |test| {
                // The last answer repeats.
                let found = answers(test);
                let at = |index: usize| found.get(index).or(found.last()).copied().unwrap_or(100);
                let missed = |(index, wanted): (usize, &i64)| (at(index) - wanted).abs() as f64;
                let distances = expect.iter().enumerate().map(missed);
                // Only where all before are right the next one is asked for.
                let first = distances.enumerate().find(|(_, distance)| *distance > 0.0);
                first.map_or(0.0, |(index, distance)| (3 - index) as f64 * 1e6 + distance)
            });
            hill = hill.with_source(TestFactory::new(&things.cluster, FactoryOptions::default()));
            hill.options.operators = Operators::parse("stubs,integers").unwrap();
            hill.improve(&things.cluster);
            assert_eq!(answers(&hill.best)[..wanted.len()], wanted);
            assert_eq!(hill.best.validate(&things.cluster), Ok(()));
            assert!(hill.attempts <= most, "{} attempts", hill.attempts);
        }
    }
}
