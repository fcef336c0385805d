//! A cluster for the unit tests of the factory, without a JDK.

use bytecode::descriptor::PrimitiveType;
use smallvec::smallvec;

use super::TestFactory;
use super::options::FactoryOptions;
use crate::cluster::testing::ClusterBuilder;
use crate::cluster::{CallableId, Generator, TestCluster, TypeId};
use crate::statement::{Statement, VarRef};
use crate::test_case::TestCase;
use crate::value::Value;

pub(super) const INT: TypeId = TypeId(PrimitiveType::Int as u32);

/// The cluster and its members: `p.Foo` with a constructor, `run(int)`, `take(int[], p.List)`, `other(): p.Foo`;
/// `p.List` with `add(Object)`; the enum `p.Color`.
#[derive(Debug)]
pub(super) struct Foo {
    pub(super) cluster: TestCluster,
    pub(super) ints: TypeId,
    pub(super) list: TypeId,
    pub(super) construct: CallableId,
    pub(super) run: CallableId,
    pub(super) take: CallableId,
    pub(super) other: CallableId,
    pub(super) new_list: CallableId,
    pub(super) add: CallableId,
}

impl Foo {
    pub(super) fn new() -> Self {
        let mut builder = ClusterBuilder::new("p/Foo");
        let foo = builder.class_under_test();
        let ints = builder.array(INT);
        let list = builder.class("p/List");
        let color = builder.enumeration("p/Color", &["RED", "GREEN"]);
        let construct = builder.constructor(foo, &[]);
        let run = builder.method(foo, "run", &[INT], Some(INT));
        let take = builder.method(foo, "take", &[ints, list], None);
        let other = builder.method(foo, "other", &[color], Some(foo));
        let new_list = builder.constructor(list, &[]);
        let add = builder.method(list, "add", &[TypeId::OBJECT], None);
        builder.generator(foo, Generator::Callable(other));
        builder.generator(TypeId::OBJECT, Generator::Of(TypeId::STRING));
        builder.generator(TypeId::OBJECT, Generator::Of(foo));
        Self { cluster: builder.build(), ints, list, construct, run, take, other, new_list, add }
    }

    pub(super) fn factory(&self) -> TestFactory<'_> {
        TestFactory::new(&self.cluster, FactoryOptions::default())
    }
}

pub(super) fn test(statements: Vec<Statement>) -> TestCase {
    TestCase::new(statements)
}

pub(super) fn int(value: i32) -> Statement {
    Statement::Primitive { value: Value::Int(value), boxed: false }
}

pub(super) fn make(callable: CallableId) -> Statement {
    Statement::Constructor { callable, arguments: smallvec![] }
}

pub(super) fn call(callable: CallableId, receiver: u16, arguments: &[u16]) -> Statement {
    let arguments = arguments.iter().map(|argument| VarRef(*argument)).collect();
    Statement::Method { callable, receiver: Some(VarRef(receiver)), arguments }
}

pub(super) fn array(of: TypeId, length: u16) -> Statement {
    Statement::Array { of, length }
}

pub(super) fn write(array: u16, index: u16, value: u16) -> Statement {
    Statement::ArrayWrite { array: VarRef(array), index, value: VarRef(value) }
}
