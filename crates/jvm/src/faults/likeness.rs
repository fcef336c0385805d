//! Which inputs of a call are as bad as others that a run was ended with.
//!
//! Of a number that makes a loop long, and of a text or an array that does, larger ones are no better; of an object it
//! matters how it was made and what was done with it before.

use std::collections::BTreeSet;

use bytecode::name::ClassName;
use serde::{Deserialize, Serialize};
use testcase::cluster::{Call, FieldId, TestCluster, TypeId};
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

/// What an input is like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Likeness {
    Boolean(bool),
    Number {
        is_negative: bool,
        size: u8,
    },
    Text {
        size: u8,
    },
    Null,
    Constant(FieldId),
    Class(TypeId),
    Array {
        of: TypeId,
        size: u8,
    },
    Object {
        made_by: Option<Call>,
        /// Calls with it before, ascending.
        used_by: Vec<Call>,
    },
}

impl Likeness {
    /// Whether inputs are no better than those known to be bad: like them each, or larger.
    pub(super) fn are_as_bad(asked: &[Self], known: &[Self]) -> bool {
        asked.len() == known.len() && asked.iter().zip(known).all(|(asked, known)| asked.is_as_bad(known))
    }

    fn is_as_bad(&self, known: &Self) -> bool {
        match (self, known) {
            (Self::Number { is_negative, size }, Self::Number { is_negative: was_negative, size: known }) => {
                is_negative == was_negative && size >= known
            }
            (Self::Text { size }, Self::Text { size: known }) => size >= known,
            (Self::Array { of, size }, Self::Array { of: of_known, size: known }) => {
                of == of_known && size >= known
            }
            _ => self == known,
        }
    }

    fn of(test: &TestCase, variable: VarRef, before: usize) -> Self {
        let Some(statement) = test.statements().get(variable.index()) else { return Self::Null };
        match statement {
            Statement::Primitive { value, .. } => Self::of_value(value),
            Statement::Null { .. } => Self::Null,
            Statement::EnumConstant { field } => Self::Constant(*field),
            Statement::ClassLiteral { class, .. } => Self::Class(*class),
            Statement::Array { of, length } => Self::Array { of: *of, size: size((*length).into()) },
            Statement::Constructor { .. }
            | Statement::Method { .. }
            | Statement::FieldRead { .. }
            | Statement::FieldWrite { .. }
            | Statement::ArrayWrite { .. }
            | Statement::Stub { .. } => {
                let between = test.statements().iter().take(before).skip(variable.index() + 1);
                let uses = between.filter(|statement| statement.uses(variable));
                let mut used_by: Vec<Call> = uses.filter_map(Statement::call).collect();
                used_by.sort_unstable();
                used_by.dedup();
                Self::Object { made_by: statement.call(), used_by }
            }
        }
    }

    fn of_value(value: &Value) -> Self {
        let integer =
            |number: i64| Self::Number { is_negative: number < 0, size: size(number.unsigned_abs()) };
        // What is no integer, or beyond all of them, is as large as one can be.
        let real = |number: f64| Self::Number { is_negative: number < 0.0, size: size(number.abs() as u64) };
        match value {
            Value::Boolean(value) => Self::Boolean(*value),
            Value::Byte(value) => integer((*value).into()),
            Value::Short(value) => integer((*value).into()),
            Value::Char(value) => integer((*value).into()),
            Value::Int(value) => integer((*value).into()),
            Value::Long(value) => integer(*value),
            Value::Float(value) => real((*value).into()),
            Value::Double(value) => real(*value),
            Value::String(text) => Self::Text { size: size(text.len() as u64) },
        }
    }
}

/// The inputs of the call at a position, as far as they decide what it does: receiver first.
pub(super) fn inputs_of(test: &TestCase, position: usize) -> Vec<Likeness> {
    let mut inputs = Vec::new();
    if let Some(statement) = test.statements().get(position) {
        statement.for_each_use(|variable| inputs.push(Likeness::of(test, variable, position)));
    }
    inputs
}

/// The classes whose code made what the call at a position is handed, and what these were handed in turn.
pub(super) fn makers_of(test: &TestCase, position: usize, cluster: &TestCluster) -> BTreeSet<ClassName> {
    let (mut makers, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![position]);
    while let Some(at) = open.pop() {
        let Some(statement) = test.statements().get(at).filter(|_| seen.insert(at)) else { continue };
        let made_by = statement.call().filter(|_| at != position);
        makers.extend(made_by.and_then(|call| maker_of(call, cluster)).cloned());
        statement.for_each_use(|variable| open.push(variable.index()));
    }
    makers
}

/// The class whose code a call runs.
pub(super) fn maker_of(call: Call, cluster: &TestCluster) -> Option<&ClassName> {
    let callable = |id| &cluster.callable(id).declared_in;
    match call {
        Call::Callable(id) => Some(callable(id)),
        Call::Read(id) | Call::Write(id) => Some(&cluster.field(id).declared_in),
        Call::Implement(stub) => cluster.stub(stub).constructor().map(callable),
    }
}

/// Sizes in classes, each of them twice as many digits as the one before: 0, to 15, to 255, to 65535, and beyond.
fn size(number: u64) -> u8 {
    match 64 - number.leading_zeros() {
        0 => 0,
        1..=4 => 1,
        5..=8 => 2,
        9..=16 => 3,
        17..=32 => 4,
        _ => 5,
    }
}

#[cfg(test)]
mod tests {
    use testcase::cluster::CallableId;

    use super::*;

    fn primitive(value: Value) -> Statement {
        Statement::Primitive { value, boxed: false }
    }

    #[test]
    fn larger_inputs_are_no_better() {
        let check = |asked: &Value, known: &Value, expect: bool| {
            let is_as_bad = Likeness::of_value(asked).is_as_bad(&Likeness::of_value(known));
            assert_eq!(is_as_bad, expect, "{asked:?} where {known:?} was bad");
        };
        check(&Value::Int(70_000), &Value::Int(65_536), true);
        check(&Value::Int(65_535), &Value::Int(65_536), false);
        check(&Value::Int(-70_000), &Value::Int(65_536), false);
        check(&Value::Int(0), &Value::Int(0), true);
        check(&Value::Long(i64::MIN), &Value::Long(-3), true);
        check(&Value::Double(f64::INFINITY), &Value::Double(1e30), true);
        check(&Value::Double(0.5), &Value::Double(20.0), false);
        check(&Value::Boolean(true), &Value::Boolean(false), false);
        check(&Value::String("abc".into()), &Value::String("a".into()), true);
        check(&Value::String("".into()), &Value::String("a".into()), false);
    }

    #[test]
    fn of_objects_it_matters_what_was_done_with_them() {
        let constructor =
            || Statement::Constructor { callable: CallableId(0), arguments: [].into_iter().collect() };
        let method = |id| Statement::Method {
            callable: CallableId(id),
            receiver: Some(VarRef(0)),
            arguments: [].into_iter().collect(),
        };
        let fresh = inputs_of(&TestCase::new(vec![constructor(), method(2)]), 1);
        let used = inputs_of(&TestCase::new(vec![constructor(), method(1), method(2)]), 2);
        let twice = inputs_of(&TestCase::new(vec![constructor(), method(1), method(1), method(2)]), 3);
        assert!(!Likeness::are_as_bad(&used, &fresh) && Likeness::are_as_bad(&twice, &used));
    }

    #[test]
    fn what_is_given_and_what_stands_before_it_do_not_mix() {
        let call = |argument| Statement::Method {
            callable: CallableId(2),
            receiver: None,
            arguments: [VarRef(argument)].into_iter().collect(),
        };
        let values = || vec![primitive(Value::Int(1)), primitive(Value::Int(-1))];
        let inputs = |argument| {
            let mut statements = values();
            statements.push(call(argument));
            inputs_of(&TestCase::new(statements), 2)
        };
        assert!(!Likeness::are_as_bad(&inputs(0), &inputs(1)));
    }
}
