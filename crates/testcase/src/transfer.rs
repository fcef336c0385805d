//! Tests of one test cluster said with another: a class that has changed has a cluster of its own, in which the same members have
//! other numbers. What is no longer there takes its tests along.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::assertion::{Assertion, ObservationTarget};
use crate::cluster::{CallableId, FieldId, StubId, StubMethod, TestCluster, TypeId};
use crate::execution::Thrown;
use crate::statement::Statement;
use crate::test_case::TestCase;

/// A test of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveredTest {
    /// Its method.
    pub method: String,
    /// What it does.
    pub test: TestCase,
    /// What it asserts, ascending by position.
    pub assertions: Vec<Assertion>,
    /// The exception that its last statement throws.
    pub expected: Option<Thrown>,
}

/// Tests with the names of what they use, so that they can be read without the cluster that they were made with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedTests {
    tests: Vec<DeliveredTest>,
    types: BTreeMap<usize, String>,
    callables: BTreeMap<usize, String>,
    fields: BTreeMap<usize, String>,
    stubs: BTreeMap<usize, String>,
}

impl NamedTests {
    /// Names what tests of a cluster use.
    pub fn new(cluster: &TestCluster, tests: Vec<DeliveredTest>) -> Self {
        let mut named = Self::default();
        // A copy is changed and thrown away: one place knows which numbers a test has.
        for mut test in tests.clone() {
            let mut names = Names {
                ty: &mut |id| drop(named.types.insert(id.index(), name_of_type(cluster, *id))),
                callable: &mut |id| drop(named.callables.insert(id.index(), name_of_callable(cluster, *id))),
                field: &mut |id| drop(named.fields.insert(id.index(), name_of_field(cluster, *id))),
                stub: &mut |id| drop(named.stubs.insert(id.index(), name_of_stub(cluster, *id))),
            };
            names.visit_all(&mut test);
        }
        Self { tests, ..named }
    }

    /// Those of the tests that can be said with a cluster, in their order.
    pub fn with(&self, cluster: &TestCluster) -> Vec<DeliveredTest> {
        let types = numbers(cluster.types.len(), |index| name_of_type(cluster, index.into()));
        let callables = numbers(cluster.callables.len(), |index| name_of_callable(cluster, index.into()));
        let fields = numbers(cluster.fields.len(), |index| name_of_field(cluster, index.into()));
        let stubs = numbers(cluster.stubs.len(), |index| name_of_stub(cluster, index.into()));
        let said = self.tests.iter().filter_map(|test| {
            let is_known = std::cell::Cell::new(true);
            let number = |names: &BTreeMap<usize, String>, numbers: &BTreeMap<String, usize>, id: usize| {
                let found = names.get(&id).and_then(|name| numbers.get(name)).copied();
                is_known.set(is_known.get() && found.is_some());
                found.unwrap_or(id)
            };
            let mut test = test.clone();
            let mut names = Names {
                ty: &mut |id| *id = number(&self.types, &types, id.index()).into(),
                callable: &mut |id| *id = number(&self.callables, &callables, id.index()).into(),
                field: &mut |id| *id = number(&self.fields, &fields, id.index()).into(),
                stub: &mut |id| *id = number(&self.stubs, &stubs, id.index()).into(),
            };
            names.visit_all(&mut test);
            // A type may have lost a supertype, or a method its receiver.
            (is_known.get() && test.test.validate(cluster).is_ok()).then_some(test)
        });
        said.collect()
    }
}

/// Does something with each number in a test.
struct Names<'a> {
    ty: &'a mut dyn FnMut(&mut TypeId),
    callable: &'a mut dyn FnMut(&mut CallableId),
    field: &'a mut dyn FnMut(&mut FieldId),
    stub: &'a mut dyn FnMut(&mut StubId),
}

impl Names<'_> {
    fn visit_all(&mut self, test: &mut DeliveredTest) {
        test.test.statements_mut().iter_mut().for_each(|statement| self.visit(statement));
        for assertion in &mut test.assertions {
            match &mut assertion.target {
                ObservationTarget::Value(_)
                | ObservationTarget::Same(..)
                | ObservationTarget::Elements(..)
                | ObservationTarget::Printed(_)
                | ObservationTarget::Files
                | ObservationTarget::Message
                | ObservationTarget::Cause => {}
                ObservationTarget::Inspector(_, callable) => (self.callable)(callable),
                ObservationTarget::Nested(_, outer, inner) => {
                    (self.callable)(outer);
                    (self.callable)(inner);
                }
                ObservationTarget::Field(_, field) => (self.field)(field),
                ObservationTarget::Calls(_, stub) => (self.stub)(stub),
            }
        }
    }

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
    let name_of_method = |method: &StubMethod| {
        // Answers name what they call by its number.
        let called = method.callbacks.iter().map(|called| name_of_callable(cluster, called.callable));
        format!("{}{} {:?}", method.name, method.descriptor, called.collect::<Vec<_>>())
    };
    let methods: Vec<String> = stub.methods.iter().map(name_of_method).collect();
    let constructor = stub.constructor().map(|constructor| name_of_callable(cluster, constructor));
    format!("{} {constructor:?} {methods:?}", name_of_type(cluster, stub.of))
}

#[cfg(test)]
mod tests {
    use bytecode::descriptor::PrimitiveType;
    use smallvec::smallvec;

    use super::*;
    use crate::assertion::ObservedValue;
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
        let size = builder.method(foo, "size", &[], Some(INT));
        let run = builder.method(foo, "run", &[INT], None);
        let before = builder.build();
        let make = |callable| Statement::Constructor { callable, arguments: smallvec![] };
        let int = || Statement::Primitive { value: Value::Int(7), boxed: false };
        let call = |callable, arguments: &[u16]| Statement::Method {
            callable,
            receiver: Some(VarRef(0)),
            arguments: arguments.iter().copied().map(VarRef).collect(),
        };
        let test = |method: &str, statements, inspector| DeliveredTest {
            method: method.into(),
            test: TestCase::new(statements),
            assertions: vec![Assertion {
                after: VarRef(0),
                target: ObservationTarget::Inspector(VarRef(0), inspector),
                expected: ObservedValue::Null,
            }],
            expected: None,
        };
        let stays = |new, run, size| test("stays", vec![make(new), int(), call(run, &[1])], size);
        let goes = test("goes", vec![make(new), call(gone, &[])], size);
        // What it does is there, and what it asserts is not.
        let asks = test("asks", vec![make(new)], gone);
        let tests = vec![goes, stays(new, run, size), asks];
        let named = NamedTests::new(&before, tests.clone());
        assert_eq!(named.with(&before), tests);

        let mut builder = ClusterBuilder::new("p/Foo");
        let foo = builder.class_under_test();
        let run = builder.method(foo, "run", &[INT], None);
        builder.method(foo, "come", &[], None);
        let size = builder.method(foo, "size", &[], Some(INT));
        let new = builder.constructor(foo, &[]);
        let after = builder.build();
        assert_eq!(named.with(&after), [stays(new, run, size)]);
    }
}
