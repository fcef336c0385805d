//! Identity: a literal gives way to a string that is equal to another one of the test, and another object.
//!
//! # Differences
//! It is not in the paper. Literals with the same text are one object (JLS 3.10.5), so that `a != b && a.equals(b)` is never true of two
//! of them, and no change of a text leads there.

use testcase::statement::Statement;
use testcase::value::Value;

use super::LocalSearch;
use super::climb::{Climb, Reaction};

/// Other texts that are tried for a literal.
const MOST_TEXTS: usize = 4;

/// The operator.
#[derive(Debug)]
pub(super) struct Identities;

impl LocalSearch for Identities {
    fn name(&self) -> &'static str {
        "identities"
    }

    fn applies(&self, statement: &Statement) -> bool {
        matches!(statement, Statement::Primitive { value: Value::String(_), boxed: false })
    }

    fn is_ours(&self) -> bool {
        true
    }

    fn improve(&self, position: usize, climb: &mut Climb<'_>) {
        for text in texts(position, climb) {
            let mut test = climb.test().clone();
            test.statements_mut()[position] = Statement::Primitive { value: text, boxed: true };
            if matches!(climb.attempt(test), Reaction::Better | Reaction::Over) {
                return;
            }
        }
    }
}

/// The other texts of a test, from the last one, then its own: the code may hold the same text.
fn texts(position: usize, climb: &Climb<'_>) -> Vec<Value> {
    let mut texts = Vec::new();
    for (place, statement) in climb.test().statements().iter().enumerate().rev() {
        if let Statement::Primitive { value: value @ Value::String(_), .. } = statement
            && place != position
            && !texts.contains(value)
        {
            texts.push(value.clone());
        }
    }
    texts.truncate(MOST_TEXTS);
    if let Some(Statement::Primitive { value, .. }) = climb.test().statements().get(position)
        && !texts.contains(value)
    {
        texts.push(value.clone());
    }
    texts
}

#[cfg(test)]
mod tests {
    use testcase::test_case::TestCase;

    use super::super::options::Operators;
    use super::super::testing::{Hill, Things};
    use super::*;

    #[test]
    fn a_literal_becomes_another_object_with_the_text_of_another_one() {
        let things = Things::new();
        let text = |text: &str| Statement::Primitive { value: Value::String(text.into()), boxed: false };
        let is_twin = |test: &TestCase| match test.statements() {
            [
                Statement::Primitive { value: one, boxed },
                Statement::Primitive { value: other, boxed: also },
            ] => one == other && boxed != also,
            _ => false,
        };
        let start = TestCase::new(vec![text("one"), text("other")]);
        let mut hill = Hill::new(start, move |test| f64::from(u8::from(!is_twin(test))));
        hill.options.operators = Operators::parse("identities").unwrap();
        hill.improve(&things.cluster);
        assert!(is_twin(&hill.best), "{:?}", hill.best);
        assert_eq!(hill.best.validate(&things.cluster), Ok(()));
        assert_eq!(hill.attempts, 1);
    }
}
