//! Tests of one test cluster said with another: a class that has changed has a cluster of its own, in which the same members have
//! other numbers. What is no longer there takes its tests along.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::cluster::{CallableId, FieldId, StubId, TestCluster, TypeId};
use crate::statement::Statement;
use crate::test_case::TestCase;

/// Tests with the names of what they use, so that they can be read without the cluster that they were made with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedTests {
    tests: Vec<TestCase>,
    types: BTreeMap<usize, String>,
    callables: BTreeMap<usize, String>,
    fields: BTreeMap<usize, String>,
    stubs: BTreeMap<usize, String>,
}

impl NamedTests {
    /// Names what tests of a cluster use.
    pub fn new(cluster: &TestCluster, tests: Vec<TestCase>) -> Self {
        let mut named = Self::default();
        for statement in tests.iter().flat_map(TestCase::statements) {
            // A copy is changed and thrown away: one place knows which numbers a statement has.
            let mut statement = statement.clone();
            let mut names = Names {
                ty: &mut |id| drop(named.types.insert(id.index(), name_of_type(cluster, *id))),
                callable: &mut |id| drop(named.callables.insert(id.index(), name_of_callable(cluster, *id))),
                field: &mut |id| drop(named.fields.insert(id.index(), name_of_field(cluster, *id))),
                stub: &mut |id| drop(named.stubs.insert(id.index(), name_of_stub(cluster, *id))),
            };
            names.visit(&mut statement);
        }
        Self { tests, ..named }
    }

    /// Those of the tests that can be said with a cluster, in their order.
    pub fn with(&self, cluster: &TestCluster) -> Vec<TestCase> {
        let types = numbers(cluster.types.len(), |index| name_of_type(cluster, index.into()));
        let callables = numbers(cluster.callables.len(), |index| name_of_callable(cluster, index.into()));
        let fields = numbers(cluster.fields.len(), |index| name_of_field(cluster, index.into()));
        let stubs = numbers(cluster.stubs.len(), |index| name_of_stub(cluster, index.into()));
        let said = self.tests.iter().filter_map(|test| {
            let mut is_known = true;
            let mut number =
                |names: &BTreeMap<usize, String>, numbers: &BTreeMap<String, usize>, id: usize| {
                    let found = names.get(&id).and_then(|name| numbers.get(name)).copied();
                    is_known &= found.is_some();
                    found.unwrap_or(id)
                };
            let mut test = test.clone();
            for statement in test.statements_mut() {
                let number = std::cell::RefCell::new(&mut number);
                let mut names = Names {
                    ty: &mut |id| *id = (number.borrow_mut())(&self.types, &types, id.index()).into(),
                    callable: &mut |id| {
                        *id = (number.borrow_mut())(&self.callables, &callables, id.index()).into();
                    },
                    field: &mut |id| *id = (number.borrow_mut())(&self.fields, &fields, id.index()).into(),
                    stub: &mut |id| *id = (number.borrow_mut())(&self.stubs, &stubs, id.index()).into(),
                };
                names.visit(statement);
            }
            // A type may have lost a supertype, or a method its receiver.
            (is_known && test.validate(cluster).is_ok()).then_some(test)
        });
        said.collect()
    }
}

/// Does something with each number in a statement.
struct Names<'a> {
    ty: &'a mut dyn FnMut(&mut TypeId),
    callable: &'a mut dyn FnMut(&mut CallableId),
    field: &'a mut dyn FnMut(&mut FieldId),
    stub: &'a mut dyn FnMut(&mut StubId),
}

impl Names<'_> {
    fn visit(&mut self, statement: &mut Statement) {
        match statement {
            Statement::Primitive { .. } | Statement::ArrayWrite { .. } => {}
            Statement::Null { of } | Statement::Array { of, .. } => (self.ty)(of),
            Statement::ClassLiteral { of, class } => {
                (self.ty)(of);
                (self.ty)(class);
            }
            Statement::Constructor { callable, .. } | Statement::Method { callable, .. } => {
                (self.callable)(callable);
            }
            Statement::EnumConstant { field }
            | Statement::FieldRead { field, .. }
            | Statement::FieldWrite { field, .. } => (self.field)(field),
            Statement::Stub { stub, .. } => (self.stub)(stub),
        }
    }
}

/// Numbers by name. Of several with one name the first counts.
fn numbers(count: usize, name: impl Fn(usize) -> String) -> BTreeMap<String, usize> {
    (0..count).rev().map(|index| (name(index), index)).collect()
}

fn name_of_type(cluster: &TestCluster, id: TypeId) -> String {
    let ty = cluster.ty(id);
    format!("{:?} {:?}", ty.generic, ty.erased)
}

fn name_of_callable(cluster: &TestCluster, id: CallableId) -> String {
    let callable = cluster.callable(id);
    let types = callable
        .parameters
        .iter()
        .map(|parameter| parameter.of)
        .chain(callable.type_arguments.iter().copied());
    let types: Vec<String> = types.chain(callable.result).map(|of| name_of_type(cluster, of)).collect();
    format!(
        "{}.{}{} {:?} of {} {types:?}",
        callable.declared_in,
        callable.name,
        callable.descriptor,
        callable.kind,
        name_of_type(cluster, callable.owner)
    )
}

fn name_of_field(cluster: &TestCluster, id: FieldId) -> String {
    let field = cluster.field(id);
    let (owner, of) = (name_of_type(cluster, field.owner), name_of_type(cluster, field.of));
    format!("{}.{} {} of {owner} {of}", field.declared_in, field.name, field.descriptor)
}

fn name_of_stub(cluster: &TestCluster, id: StubId) -> String {
    let stub = cluster.stub(id);
    let methods: Vec<String> =
        stub.methods.iter().map(|method| format!("{}{}", method.name, method.descriptor)).collect();
    let constructor = stub.constructor.map(|constructor| name_of_callable(cluster, constructor));
    format!("{} {constructor:?} {methods:?}", name_of_type(cluster, stub.of))
}

#[cfg(test)]
mod tests {
    use bytecode::descriptor::PrimitiveType;
    use smallvec::smallvec;

    use super::*;
    use crate::cluster::testing::ClusterBuilder;
    use crate::statement::VarRef;
    use crate::value::Value;

    const INT: TypeId = TypeId(PrimitiveType::Int as u32);

    #[test]
    fn tests_are_said_with_the_numbers_of_another_cluster() {
        let mut builder = ClusterBuilder::new("p/Foo");
        let foo = builder.class_under_test();
        let new = builder.constructor(foo, &[]);
        let gone = builder.method(foo, "gone", &[], None);
        let run = builder.method(foo, "run", &[INT], None);
        let before = builder.build();
        let make = |callable| Statement::Constructor { callable, arguments: smallvec![] };
        let int = || Statement::Primitive { value: Value::Int(7), boxed: false };
        let call = |callable, arguments: &[u16]| Statement::Method {
            callable,
            receiver: Some(VarRef(0)),
            arguments: arguments.iter().copied().map(VarRef).collect(),
        };
        let stays = |new, run| TestCase::new(vec![make(new), int(), call(run, &[1])]);
        let goes = TestCase::new(vec![make(new), call(gone, &[])]);
        let tests = vec![goes, stays(new, run)];
        let named = NamedTests::new(&before, tests.clone());
        assert_eq!(named.with(&before), tests);

        let mut builder = ClusterBuilder::new("p/Foo");
        let foo = builder.class_under_test();
        let run = builder.method(foo, "run", &[INT], None);
        builder.method(foo, "come", &[], None);
        let new = builder.constructor(foo, &[]);
        let after = builder.build();
        assert_eq!(named.with(&after), [stays(new, run)]);
    }
}
