//! Test cases: ordered statements, a value without any run-time data.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::cluster::{CallableId, StubMethod, TestCluster, TypeId};
use crate::statement::{Answer, Statement, VarRef};

/// What the name of a test class ends in.
pub const CLASS_SUFFIX: &str = "CovolveTest";

/// A sequence of statements, copied when written. Cloning costs one reference count.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TestCase {
    statements: Arc<Vec<Statement>>,
}

impl TestCase {
    /// A test case of these statements. Every variable used must be defined earlier.
    pub fn new(statements: Vec<Statement>) -> Self {
        Self { statements: Arc::new(statements) }
    }

    /// Number of statements.
    pub fn len(&self) -> usize {
        self.statements.len()
    }

    /// Whether it has no statement.
    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    /// The statements in order.
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// The statements, for writing; copies them when they are shared.
    pub fn statements_mut(&mut self) -> &mut Vec<Statement> {
        Arc::make_mut(&mut self.statements)
    }

    /// The statement that defines a variable.
    pub fn statement(&self, variable: VarRef) -> &Statement {
        &self.statements[variable.index()]
    }

    /// Whether two test cases share their statements, so that nothing need be compared.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.statements, &other.statements)
    }

    /// Type of the variable that a position defines; `None` where it defines none.
    pub fn variable_type(&self, cluster: &TestCluster, variable: VarRef) -> Option<TypeId> {
        cluster.type_of(self.statement(variable))
    }

    /// What a statement of the test uses, in the order of evaluation, each with the type that is wanted there. `None` for objects that
    /// something is done to: receivers, enclosing instances, arrays that are written to; and for what stubs throw.
    pub fn taken(&self, cluster: &TestCluster, statement: &Statement) -> Vec<(VarRef, Option<TypeId>)> {
        let parameters = |callable: CallableId| {
            let callable = cluster.callable(callable);
            callable.parameters.iter().enumerate().map(|(index, parameter)| {
                let is_enclosing = index == 0 && callable.takes_enclosing_instance;
                (!is_enclosing).then_some(parameter.of)
            })
        };
        let receiver = statement.receiver().map(|_| None);
        let wanted: Vec<Option<TypeId>> = match statement {
            Statement::Constructor { callable, .. } | Statement::Method { callable, .. } => {
                receiver.into_iter().chain(parameters(*callable)).collect()
            }
            Statement::FieldWrite { field, .. } => {
                receiver.into_iter().chain([Some(cluster.field(*field).of)]).collect()
            }
            Statement::ArrayWrite { array, .. } => {
                let of = self.variable_type(cluster, *array);
                vec![None, of.and_then(|of| cluster.ty(of).element)]
            }
            Statement::Stub { stub, script } => {
                let stub = cluster.stub(*stub);
                let answers = stub.methods.iter().zip(&script.answers).flat_map(|(method, answers)| {
                    answers.iter().flat_map(|answer| wanted_by(cluster, method, *answer))
                });
                stub.constructor().into_iter().flat_map(parameters).chain(answers).collect()
            }
            Statement::FieldRead { .. } => receiver.into_iter().collect(),
            Statement::Primitive { .. }
            | Statement::Null { .. }
            | Statement::EnumConstant { .. }
            | Statement::ClassLiteral { .. }
            | Statement::Array { .. } => Vec::new(),
        };
        statement.used().into_iter().zip(wanted).collect()
    }

    /// Inserts a statement; the uses of variables at and behind the position move along.
    pub fn insert(&mut self, position: usize, statement: Statement) {
        let statements = self.statements_mut();
        for later in &mut statements[position..] {
            later.for_each_use_mut(|used| {
                if used.index() >= position {
                    used.0 += 1;
                }
            });
        }
        statements.insert(position, statement);
    }

    /// Appends a statement and gives the variable that it defines, if it defines one.
    pub fn push(&mut self, statement: Statement) -> VarRef {
        let statements = self.statements_mut();
        statements.push(statement);
        VarRef::from(statements.len() - 1)
    }

    /// Removes a statement whose variable nothing uses; the uses of later variables move along.
    pub fn remove(&mut self, position: usize) {
        let statements = self.statements_mut();
        statements.remove(position);
        for later in &mut statements[position..] {
            later.for_each_use_mut(|used| {
                debug_assert_ne!(used.index(), position, "a used variable was removed");
                if used.index() > position {
                    used.0 -= 1;
                }
            });
        }
    }

    /// Cuts everything at and behind the position.
    pub fn truncate(&mut self, length: usize) {
        if length < self.len() {
            self.statements_mut().truncate(length);
        }
    }

    /// Whether any statement uses the variable.
    pub fn is_used(&self, variable: VarRef) -> bool {
        self.statements[variable.index() + 1..].iter().any(|statement| statement.uses(variable))
    }
}

/// For each variable of an answer the type that is wanted, as [`TestCase::taken`] has it.
fn wanted_by(cluster: &TestCluster, method: &StubMethod, answer: Answer) -> Vec<Option<TypeId>> {
    match answer {
        Answer::Value(_) => vec![method.result],
        Answer::Throw(_) => vec![None],
        Answer::CallBack(called, _) => {
            let called = method.callbacks.get(usize::from(called)).map(|it| cluster.callable(it.callable));
            let parameters = called.into_iter().flat_map(|called| &called.parameters);
            parameters.map(|parameter| Some(parameter.of)).collect()
        }
        Answer::Parameter(_) | Answer::Itself | Answer::Return => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    fn int(value: i32) -> Statement {
        Statement::Primitive { value: Value::Int(value), boxed: false }
    }

    fn write(array: u16, value: u16) -> Statement {
        Statement::ArrayWrite { array: VarRef(array), index: 0, value: VarRef(value) }
    }

    #[test]
    fn insertion_and_removal_move_the_uses_along() {
        let array = Statement::Array { of: TypeId(0), length: 1 };
        let original = TestCase::new(vec![array, int(1), write(0, 1)]);
        let mut test = original.clone();
        test.insert(1, int(7));
        assert_eq!(test.statements()[3], write(0, 2));
        test.remove(1);
        assert_eq!(test, original);
    }

    #[test]
    fn a_clone_shares_until_it_is_written() {
        let original = TestCase::new(vec![int(1)]);
        let mut copy = original.clone();
        assert!(copy.is_same(&original));
        copy.truncate(5);
        assert!(copy.is_same(&original));
        copy.push(int(2));
        assert_eq!((original.len(), copy.len()), (1, 2));
    }
}
