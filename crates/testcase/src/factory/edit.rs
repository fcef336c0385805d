//! Putting statements into tests, and what a variable is used for.

use super::satisfy::Role;
use crate::cluster::{CallableKind, Stub, TestCluster, TypeId};
use crate::statement::{Answer, Script, Statement, VarRef};
use crate::test_case::TestCase;

/// Puts statements before a position; they use variables as if they stood there already. Later uses move along.
pub(super) fn splice(test: &mut TestCase, position: usize, pending: &mut Vec<Statement>) {
    let shift = pending.len() as u16;
    let statements = test.statements_mut();
    statements.reserve(pending.len());
    for later in &mut statements[position..] {
        later.for_each_use_mut(|used| {
            if used.index() >= position {
                used.0 += shift;
            }
        });
    }
    statements.splice(position..position, pending.drain(..));
}

/// As [`splice`], in place of the statement at the position, whose uses go to `successor`: a position within the new
/// statements, or `None` when nothing uses it.
pub(super) fn replace(
    test: &mut TestCase,
    position: usize,
    pending: &mut Vec<Statement>,
    successor: Option<VarRef>,
) {
    let shift = pending.len() as u16;
    let statements = test.statements_mut();
    statements.reserve(pending.len());
    for later in &mut statements[position + 1..] {
        later.for_each_use_mut(|used| {
            if used.index() > position {
                used.0 += shift - 1;
            } else if used.index() == position
                && let Some(successor) = successor
            {
                *used = successor;
            }
        });
    }
    statements.splice(position..=position, pending.drain(..));
}

/// Calls `visit` with each input of a statement: its number in the order of evaluation, the variable, the type wanted
/// there, and its role. `type_of` tells the type of a variable.
pub(super) fn for_each_input(
    cluster: &TestCluster,
    statement: &Statement,
    type_of: impl Fn(VarRef) -> Option<TypeId>,
    mut visit: impl FnMut(usize, VarRef, TypeId, Role),
) {
    match statement {
        Statement::Primitive { .. }
        | Statement::Null { .. }
        | Statement::EnumConstant { .. }
        | Statement::ClassLiteral { .. }
        | Statement::Array { .. } => {}
        Statement::Constructor { callable, arguments } | Statement::Method { callable, arguments, .. } => {
            let callable = cluster.callable(*callable);
            let receiver = if let Statement::Method { receiver, .. } = statement { *receiver } else { None };
            if let Some(receiver) = receiver.filter(|_| callable.kind == CallableKind::InstanceMethod) {
                visit(0, receiver, callable.owner, Role::Receiver);
            }
            let first = usize::from(receiver.is_some());
            for (index, (argument, parameter)) in arguments.iter().zip(&callable.parameters).enumerate() {
                let enclosing = index == 0 && callable.takes_enclosing_instance;
                let role = if enclosing { Role::Receiver } else { Role::Argument };
                visit(first + index, *argument, parameter.of, role);
            }
        }
        Statement::FieldRead { field, receiver } => {
            if let Some(receiver) = receiver {
                visit(0, *receiver, cluster.field(*field).owner, Role::Receiver);
            }
        }
        Statement::FieldWrite { field, receiver, value } => {
            let field = cluster.field(*field);
            if let Some(receiver) = receiver {
                visit(0, *receiver, field.owner, Role::Receiver);
            }
            visit(usize::from(receiver.is_some()), *value, field.of, Role::Argument);
        }
        Statement::ArrayWrite { array, value, .. } => {
            let of = type_of(*array);
            let element = of.and_then(|of| cluster.ty(of).element);
            if let (Some(of), Some(element)) = (of, element) {
                visit(0, *array, of, Role::Receiver);
                visit(1, *value, element, Role::Argument);
            }
        }
        Statement::Stub { stub, script } => {
            for_each_input_of_script(cluster, cluster.stub(*stub), script, type_of, visit);
        }
    }
}

/// As [`for_each_input`]: the arguments of the constructor, then the answers that are variables.
fn for_each_input_of_script(
    cluster: &TestCluster,
    stub: &Stub,
    script: &Script,
    type_of: impl Fn(VarRef) -> Option<TypeId>,
    mut visit: impl FnMut(usize, VarRef, TypeId, Role),
) {
    let mut number = 0;
    if let Some(constructor) = stub.constructor().map(|id| cluster.callable(id)) {
        for (argument, parameter) in script.arguments.iter().zip(&constructor.parameters) {
            let enclosing = number == 0 && constructor.takes_enclosing_instance;
            let role = if enclosing { Role::Receiver } else { Role::Argument };
            visit(number, *argument, parameter.of, role);
            number += 1;
        }
    }
    for (method, answers) in stub.methods.iter().zip(&script.answers) {
        for answer in answers {
            match (answer, method.result) {
                (Answer::Value(value), Some(result)) => visit(number, *value, result, Role::Argument),
                (Answer::Throw(thrown), _) => {
                    let of = type_of(*thrown);
                    let fits = |throws: &&TypeId| of.is_some_and(|of| cluster.is_assignable(of, **throws));
                    let throws = method.throws.iter().find(fits).or(method.throws.first());
                    visit(number, *thrown, throws.copied().unwrap_or(TypeId::OBJECT), Role::Receiver);
                }
                (Answer::CallBack(called, passed), _) => {
                    let called = cluster.callable(method.callbacks[usize::from(*called)].callable);
                    for (passed, parameter) in passed.iter().flatten().zip(&called.parameters) {
                        visit(number, *passed, parameter.of, Role::Argument);
                        number += 1;
                    }
                    continue;
                }
                (Answer::Value(_) | Answer::Parameter(_) | Answer::Itself | Answer::Return, _) => continue,
            }
            number += 1;
        }
    }
}

/// Replaces the input of this number.
pub(super) fn set_input(statement: &mut Statement, number: usize, variable: VarRef) {
    let mut current = 0;
    statement.for_each_use_mut(|used| {
        if current == number {
            *used = variable;
        }
        current += 1;
    });
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
    fn spliced_statements_stand_before_the_position_and_later_uses_move() {
        let array = Statement::Array { of: TypeId(0), length: 1 };
        let mut test = TestCase::new(vec![array.clone(), int(1), write(0, 1)]);
        splice(&mut test, 1, &mut vec![int(7), write(0, 1)]);
        assert_eq!(test.statements(), [array, int(7), write(0, 1), int(1), write(0, 3)]);
    }

    #[test]
    fn the_uses_of_a_replaced_statement_go_to_its_successor() {
        let array = Statement::Array { of: TypeId(0), length: 1 };
        let mut test = TestCase::new(vec![array.clone(), int(1), int(2), write(0, 1), write(0, 2)]);
        replace(&mut test, 1, &mut vec![int(7), int(8), int(9)], Some(VarRef(2)));
        let expected = [array, int(7), int(8), int(9), int(2), write(0, 2), write(0, 4)];
        assert_eq!(test.statements(), expected);
    }
}
