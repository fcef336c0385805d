//! Objects whose fields a container fills are given the same things in each test, in the same order, behind the object itself.
//!
//! Minimization leaves a test the fields that it needs. A reader wants to see the service as it always is, made in one place, and what is told
//! to its mocks in the test that needs it.

use std::collections::{BTreeMap, BTreeSet};

use testcase::cluster::{FieldId, StubId, TestCluster};
use testcase::statement::{Answers, Arguments, Script, Statement, VarRef};
use testcase::test_case::TestCase;

use super::beginnings::{ordered, with_stubs};
use super::united::act;
use crate::asserted_test::AssertedTest;

/// What tests put into the fields of objects of one kind that a container fills.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Injections {
    /// Fields that tests fill, with the stub that one of them puts there; none where none does.
    fields: BTreeMap<FieldId, Option<StubId>>,
}

impl Injections {
    /// What these tests give their objects, by number and the place of the object.
    pub(super) fn of(cluster: &TestCluster, tests: &[AssertedTest], members: &[(usize, VarRef)]) -> Self {
        let mut fields: BTreeMap<FieldId, Option<StubId>> = BTreeMap::new();
        for (number, object) in members {
            let test = &tests[*number].test;
            for (field, Write { value, .. }) in writes(cluster, test, *object) {
                let stub = plain_stub(test.statement(value));
                let known = fields.entry(field).or_default();
                *known = known.or(stub);
            }
        }
        Self { fields }
    }

    /// The fields that tests fill.
    pub(super) fn fields(&self) -> impl Iterator<Item = FieldId> {
        self.fields.keys().copied()
    }

    /// The test with a stub in one of these fields of an object, where it puts something else there; `None` where it does not.
    pub(super) fn with_stub(
        &self,
        cluster: &TestCluster,
        (test, object): (&AssertedTest, VarRef),
        field: FieldId,
    ) -> Option<AssertedTest> {
        let stub = self.fields.get(&field).copied().flatten()?;
        let Write { position, value } = *writes(cluster, &test.test, object).get(&field)?;
        let is_stub = matches!(test.test.statement(value), Statement::Stub { .. });
        (!is_stub)
            .then(|| with_stubs(cluster, test, VarRef::from(position), &BTreeMap::from([(VALUE, stub)])))
    }

    /// The test with an object behind what it is made of, and behind it all that its fields are given, stubs first and in the order of the fields; stubs that
    /// answer nothing in those of these fields that the test leaves alone. `None` where that is so.
    pub(super) fn aligned(
        &self,
        cluster: &TestCluster,
        (test, object): (&AssertedTest, VarRef),
        added: &BTreeSet<FieldId>,
    ) -> Option<AssertedTest> {
        if test.assertions.iter().any(|assertion| assertion.after < object) {
            return None;
        }
        let written = writes(cluster, &test.test, object);
        let mut order = Vec::new();
        ordered(&test.test, object, &mut order);
        let mut items: Vec<Item> = order.iter().map(|&position| Item::Old(position)).collect();
        // What may be the same in all tests comes first.
        let is_other = |(field, _): &(&FieldId, &Option<StubId>)| {
            let statement = written.get(field).map(|write| test.test.statement(write.value));
            statement.is_some_and(|statement| !matches!(statement, Statement::Stub { .. }))
        };
        let (others, stubs): (Vec<_>, Vec<_>) = self.fields.iter().partition(is_other);
        for (field, stub) in stubs.into_iter().chain(others) {
            match (written.get(field), stub) {
                (Some(write), _) => {
                    let known = order.len();
                    ordered(&test.test, VarRef::from(write.position), &mut order);
                    items.extend(order[known..].iter().map(|&position| Item::Old(position)));
                }
                (None, Some(stub)) if added.contains(field) => items.push(Item::New(*stub, *field)),
                (None, _) => {}
            }
        }
        let rest = (0..test.test.len()).filter(|position| !order.contains(position));
        items.extend(rest.map(Item::Old));
        let is_so = items.iter().enumerate().all(|(place, item)| *item == Item::Old(place));
        (!is_so).then(|| rebuilt(cluster, test, object, &items))
    }
}

/// The place of the value among the uses of a statement that writes a field of an object.
const VALUE: usize = 1;

/// A statement of a test that is made of those of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    /// The one at this position.
    Old(usize),
    /// A stub, and the statement that puts it into a field of the object.
    New(StubId, FieldId),
}

/// A test of the statements of another one, by position, in this order.
pub(super) fn in_order(cluster: &TestCluster, test: &AssertedTest, order: &[usize]) -> AssertedTest {
    let items: Vec<Item> = order.iter().copied().map(Item::Old).collect();
    // Nothing is put into any object.
    rebuilt(cluster, test, VarRef(0), &items)
}

/// A test of these statements of another one, in this order, with stubs in fields of an object.
fn rebuilt(cluster: &TestCluster, test: &AssertedTest, object: VarRef, items: &[Item]) -> AssertedTest {
    let mut made = TestCase::default();
    let mut new = vec![VarRef(0); test.test.len()];
    for item in items {
        match *item {
            Item::Old(position) => {
                let mut statement = test.test.statements()[position].clone();
                statement.for_each_use_mut(|used| *used = new[used.index()]);
                new[position] = made.push(statement);
            }
            Item::New(stub, field) => {
                let value = made.push(silent(cluster, stub));
                made.push(Statement::FieldWrite { field, receiver: Some(new[object.index()]), value });
            }
        }
    }
    test.moved(made, &|of: VarRef| new[of.index()])
}

/// The stub that a statement makes, if it takes nothing to make one.
pub(super) fn plain_stub(statement: &Statement) -> Option<StubId> {
    let Statement::Stub { stub, script } = statement else { return None };
    script.arguments.is_empty().then_some(*stub)
}

/// A stub that answers nothing.
pub(super) fn silent(cluster: &TestCluster, stub: StubId) -> Statement {
    let answers = vec![Answers::new(); cluster.stub(stub).methods.len()];
    Statement::Stub { stub, script: Box::new(Script { arguments: Arguments::new(), answers }) }
}

/// A statement that fills a field, and what it puts there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Write {
    position: usize,
    value: VarRef,
}

/// The statements that fill fields of an object before the call that a test is about; none of a field that is filled twice.
fn writes(cluster: &TestCluster, test: &TestCase, object: VarRef) -> BTreeMap<FieldId, Write> {
    let end = act(cluster, test).map_or(0, VarRef::index);
    let (mut found, mut twice) = (BTreeMap::new(), BTreeSet::new());
    for (position, statement) in test.statements()[..end].iter().enumerate() {
        let Statement::FieldWrite { field, receiver: Some(of), value } = statement else { continue };
        if *of == object
            && cluster.injected.binary_search(field).is_ok()
            && found.insert(*field, Write { position, value: *value }).is_some()
        {
            twice.insert(*field);
        }
    }
    found.retain(|field, _| !twice.contains(field));
    found
}

#[cfg(test)]
mod tests {
    use testcase::cluster::TypeId;
    use testcase::cluster::testing::ClusterBuilder;

    use super::*;

    #[test]
    fn an_object_is_filled_with_the_same_things_behind_itself() {
        let mut builder = ClusterBuilder::new("Desk");
        let (desk, store) = (builder.class_under_test(), builder.class("Store"));
        builder.constructor(desk, &[]);
        builder.method(desk, "keep", &[TypeId::OBJECT], None);
        let stub = builder.stub(store, None, &[("kept", &[], None)], &[]);
        let [pens, paper] = ["pens", "paper"].map(|name| builder.field(desk, name, store));
        let mut cluster = builder.build();
        cluster.injected = vec![pens, paper];
        let new = || Statement::Constructor {
            callable: testcase::cluster::CallableId(0),
            arguments: Arguments::new(),
        };
        let write = |field, object: usize, value: usize| Statement::FieldWrite {
            field,
            receiver: Some(VarRef::from(object)),
            value: VarRef::from(value),
        };
        let keep = |object: usize, kept: usize| Statement::Method {
            callable: testcase::cluster::CallableId(1),
            receiver: Some(VarRef::from(object)),
            arguments: [VarRef::from(kept)].into_iter().collect(),
        };
        let null = || Statement::Null { of: store };
        let mock = || silent(&cluster, stub);
        let test = |statements| AssertedTest::new(TestCase::new(statements));
        let full =
            test(vec![new(), mock(), write(pens, 0, 1), mock(), write(paper, 0, 3), null(), keep(0, 5)]);
        let tests = [full.clone()];
        let injections = Injections::of(&cluster, &tests, &[(0, VarRef(0))]);
        assert_eq!(injections.fields, BTreeMap::from([(pens, Some(stub)), (paper, Some(stub))]));
        let both = BTreeSet::from([pens, paper]);
        for (statements, added, expect) in [
            // In another order, and one is missing.
            (vec![null(), mock(), new(), write(paper, 2, 1), keep(2, 0)], both.clone(), Some(&full)),
            (vec![new(), null(), keep(0, 1)], both.clone(), Some(&full)),
            (vec![new(), null(), keep(0, 1)], BTreeSet::new(), None),
            (full.test.statements().to_vec(), both, None),
        ] {
            let aligned = |statements: Vec<Statement>| {
                let at = statements.iter().position(|it| *it == new()).map(VarRef::from)?;
                injections.aligned(&cluster, (&test(statements), at), &added)
            };
            assert_eq!(aligned(statements.clone()).as_ref(), expect, "{statements:?}");
        }
        let other = test(vec![new(), null(), write(pens, 0, 1), keep(0, 1)]);
        let with_stub = injections.with_stub(&cluster, (&other, VarRef(0)), pens).expect("it is no stub");
        let expect = vec![new(), null(), mock(), write(pens, 0, 2), keep(0, 1)];
        assert_eq!(with_stub.test.statements(), expect);
        assert_eq!(injections.with_stub(&cluster, (&full, VarRef(0)), pens), None);
    }
}
