//! From a model back to a test: a changed copy.

use testcase::cluster::{TestCluster, TypeId};
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value as Literal;

use super::inputs::{Input, Inputs, literal_of};
use crate::term::{Model, Value};

/// The test in which inputs have the values of a model. `None` if there is no such test of at most that many statements: nothing
/// can be written where something else than null is asked for.
///
/// Literals and lengths are changed where they stand; what is null, or is not null any longer, and elements get statements of
/// their own. Elements behind the new end of an array are not written.
pub fn built(
    test: &TestCase,
    cluster: &TestCluster,
    inputs: &Inputs,
    model: &Model,
    longest: usize,
) -> Option<TestCase> {
    let mut changed = test.clone();
    let mut edits = Vec::new();
    for (input, value) in inputs.changed(model) {
        match input {
            Input::Literal(position) => set_literal(&mut changed, position, value)?,
            Input::Length(position) => {
                let new = value.unsigned() as u16;
                if let Statement::Array { length, .. } = &mut changed.statements_mut()[position] {
                    *length = new;
                }
                edits.extend(writes_beyond(&changed, position, new).map(Edit::Remove));
            }
            Input::Element { array, index } => edits.push(Edit::Write { array, index, value }),
            Input::IsNull { statement, argument } => {
                edits.push(Edit::Argument { statement, argument, is_null: value.truth() });
            }
        }
    }
    // From behind, so that places before stay; the arguments of a call before the elements written in front of it.
    edits.sort_by_key(|edit| std::cmp::Reverse((edit.position(), edit.order())));
    for edit in edits {
        match edit {
            Edit::Remove(position) => changed.remove(position),
            Edit::Write { array, index, value } => write_element(&mut changed, cluster, array, index, value)?,
            Edit::Argument { statement, argument, is_null } => {
                set_argument(&mut changed, cluster, statement, argument, is_null)?;
            }
        }
    }
    (changed.len() <= longest).then_some(changed)
}

/// A change that moves statements.
#[derive(Debug)]
enum Edit<'m> {
    Remove(usize),
    Write { array: usize, index: u16, value: &'m Value },
    Argument { statement: usize, argument: usize, is_null: bool },
}

impl Edit<'_> {
    /// The first statement that moves.
    fn position(&self) -> usize {
        match self {
            Self::Remove(position) => *position,
            Self::Write { array, .. } => array + 1,
            Self::Argument { statement, .. } => *statement,
        }
    }

    fn order(&self) -> (u8, usize) {
        match self {
            Self::Remove(_) => (2, 0),
            Self::Argument { argument, .. } => (1, *argument),
            Self::Write { index, .. } => (0, usize::from(*index)),
        }
    }
}

fn set_literal(test: &mut TestCase, position: usize, new: &Value) -> Option<()> {
    if let Statement::Primitive { value, .. } = &mut test.statements_mut()[position] {
        *value = literal_of(value, new)?;
    }
    Some(())
}

/// The statements that write elements which an array of this length does not have.
fn writes_beyond(test: &TestCase, position: usize, length: u16) -> impl Iterator<Item = usize> {
    let is_beyond = move |statement: &Statement| matches!(statement, Statement::ArrayWrite { array, index, .. } if array.index() == position && *index >= length);
    test.statements()
        .iter()
        .enumerate()
        .filter(move |(_, it)| is_beyond(it))
        .map(|(place, _)| place)
        .collect::<Vec<_>>()
        .into_iter()
}

fn write_element(
    test: &mut TestCase,
    cluster: &TestCluster,
    array: usize,
    index: u16,
    new: &Value,
) -> Option<()> {
    let Statement::Array { of, length } = test.statements()[array] else { return None };
    if index >= length {
        return Some(());
    }
    let primitive = cluster.ty(of).element?.as_primitive()?;
    let value = literal_of(&Literal::zero(primitive), new)?;
    test.insert(array + 1, Statement::Primitive { value, boxed: false });
    let (array, value) = (VarRef::from(array), VarRef::from(array + 1));
    test.insert(value.index() + 1, Statement::ArrayWrite { array, index, value });
    Some(())
}

fn set_argument(
    test: &mut TestCase,
    cluster: &TestCluster,
    position: usize,
    argument: usize,
    is_null: bool,
) -> Option<()> {
    // Insertions for other arguments of the call have moved it.
    let position = (position..test.len()).find(|&place| test.statements()[place].callable().is_some())?;
    let callable = cluster.callable(test.statements()[position].callable()?);
    let of = callable.parameters.get(argument)?.of;
    let statement = if is_null { Statement::Null { of } } else { something(cluster, of)? };
    test.insert(position, statement);
    let new = VarRef::from(position);
    match &mut test.statements_mut()[position + 1] {
        Statement::Constructor { arguments, .. } | Statement::Method { arguments, .. } => {
            *arguments.get_mut(argument)? = new;
        }
        Statement::Primitive { .. }
        | Statement::Null { .. }
        | Statement::EnumConstant { .. }
        | Statement::ClassLiteral { .. }
        | Statement::FieldRead { .. }
        | Statement::FieldWrite { .. }
        | Statement::Array { .. }
        | Statement::ArrayWrite { .. }
        | Statement::Stub { .. } => return None,
    }
    Some(())
}

/// A statement that makes something of a type that is not null and needs nothing else.
pub(super) fn something(cluster: &TestCluster, of: TypeId) -> Option<Statement> {
    if of == TypeId::STRING || of == TypeId::OBJECT {
        return Some(Statement::Primitive { value: Literal::String("".into()), boxed: false });
    }
    if let Some(primitive) = of.as_boxed() {
        return Some(Statement::Primitive { value: Literal::zero(primitive), boxed: true });
    }
    let ty = cluster.ty(of);
    if ty.element.is_some() {
        return Some(Statement::Array { of, length: 0 });
    }
    ty.enum_constants.first().map(|&field| Statement::EnumConstant { field })
}

#[cfg(test)]
mod tests {
    use testcase::cluster::testing::ClusterBuilder;

    use super::*;

    fn int(value: i32) -> Statement {
        Statement::Primitive { value: Literal::Int(value), boxed: false }
    }

    #[test]
    fn lengths_elements_and_null_get_statements() {
        let mut builder = ClusterBuilder::new("p/A");
        let array = builder.array(TypeId(4));
        let of = builder.class_under_test();
        let element = builder.build().ty(array).element.and_then(TypeId::as_primitive);
        let mut builder = ClusterBuilder::new("p/A");
        let array = builder.array(TypeId::primitive(bytecode::descriptor::PrimitiveType::Int));
        let call = builder.static_method(of, "call", &[array, TypeId::STRING], None);
        let cluster = builder.build();
        assert!(element.is_some());
        let text = Statement::Primitive { value: Literal::String("a".into()), boxed: false };
        let arguments = [VarRef(0), VarRef(3)].into_iter().collect();
        let test = TestCase::new(vec![
            Statement::Array { of: array, length: 2 },
            int(7),
            Statement::ArrayWrite { array: VarRef(0), index: 1, value: VarRef(1) },
            text,
            Statement::Method { callable: call, receiver: None, arguments },
        ]);
        let mut inputs = Inputs::default();
        let length = inputs.add(Input::Length(0), Value::bits(16, 2));
        let element = inputs.add(Input::Element { array: 0, index: 0 }, Value::int(0));
        let null = inputs.add(Input::IsNull { statement: 4, argument: 1 }, Value::Bool(false));
        let gone = inputs.add(Input::IsNull { statement: 4, argument: 0 }, Value::Bool(false));
        let model: Model = [
            (length, Value::bits(16, 1)),
            (element, Value::int(9)),
            (null, Value::Bool(true)),
            (gone, Value::Bool(true)),
        ]
        .into_iter()
        .collect();
        let changed = built(&test, &cluster, &inputs, &model, 20).expect("a test");
        let statements = changed.statements();
        assert_eq!(statements.len(), 8, "{statements:?}");
        assert_eq!(statements[0], Statement::Array { of: array, length: 1 });
        assert_eq!(statements[1], int(9));
        assert_eq!(statements[2], Statement::ArrayWrite { array: VarRef(0), index: 0, value: VarRef(1) });
        assert_eq!(statements[3], int(7));
        let nulls: Vec<_> = statements.iter().filter(|it| matches!(it, Statement::Null { .. })).collect();
        assert_eq!(nulls, [&Statement::Null { of: TypeId::STRING }, &Statement::Null { of: array }]);
        let arguments = [VarRef(6), VarRef(5)].into_iter().collect();
        assert_eq!(statements[7], Statement::Method { callable: call, receiver: None, arguments });
        assert_eq!(built(&test, &cluster, &inputs, &model, 7), None);
    }
}
