//! Classes of a file that its tests share: what they implement themselves of a type with many methods gives nothing from
//! most of them, and says so once. A test extends such a class with the methods that it needs.
//!
//! Each test with an anonymous class of its own says the same a hundred times, and `javac` compares every overload of it
//! with all others: 54 tests with five such visitors took it more than a second.

use std::collections::BTreeMap;

use bytecode::name::ClassName;
use bytecode::signature::ClassType;
use testcase::assertion::AssertedTest;
use testcase::cluster::{Stub, StubId};
use testcase::statement::Statement;
use testcase::test_case::TestCase;

use super::body::Body;
use super::{Lowering, Unprintable};
use crate::junit::ast::StubClass;
use crate::junit::imports::{in_package, source_path};
use crate::junit::naming::variables::Scope;

/// What these classes are called behind the name of the type.
const SUFFIX: &str = "Stub";

/// The classes that stubs of a suite extend.
#[derive(Debug, Default)]
pub(crate) struct SharedStubs {
    classes: BTreeMap<StubId, Result<StubClass, Unprintable>>,
}

impl SharedStubs {
    /// Those that a suite needs. The name of each is the same in every suite of a cluster.
    pub(crate) fn new(context: &Lowering<'_>, suite: &[AssertedTest]) -> Self {
        let mut classes = BTreeMap::new();
        let mut scope = Scope::new(context.reserved);
        for (index, stub) in context.cluster.stubs.iter().enumerate() {
            if !is_shared(context, stub) {
                continue;
            }
            let name = name_of(context, stub, &mut scope);
            let id = StubId::from(index);
            if suite.iter().any(|test| uses(&test.test, id)) {
                classes.insert(id, Body::new(*context, &no_test()).stub_class(stub, name));
            }
        }
        Self { classes }
    }

    /// The class that a stub extends; `None` where it says all itself.
    ///
    /// # Errors
    /// Java cannot say it.
    pub(crate) fn get(&self, stub: StubId) -> Result<Option<&StubClass>, Unprintable> {
        self.classes.get(&stub).map(Result::as_ref).transpose().map_err(Clone::clone)
    }

    /// The classes that tests need.
    pub(crate) fn of(self, tests: &[&TestCase]) -> Vec<StubClass> {
        let needed = self.classes.into_iter().filter(|(id, _)| tests.iter().any(|test| uses(test, *id)));
        needed.filter_map(|(_, class)| class.ok()).collect()
    }
}

fn uses(test: &TestCase, id: StubId) -> bool {
    test.statements().iter().any(|statement| matches!(statement, Statement::Stub { stub, .. } if *stub == id))
}

fn no_test() -> AssertedTest {
    AssertedTest {
        test: TestCase::default(),
        assertions: Vec::new(),
        expected: None,
        goals: Vec::new(),
        told: Vec::new(),
    }
}

/// Whether the stubs of a type extend a class of the file. Not where that class would need a constructor, or a serial
/// version, which `javac` misses in classes that have a name.
fn is_shared(context: &Lowering<'_>, stub: &Stub) -> bool {
    let constructs_alone = stub.constructor.is_none_or(|constructor| {
        let callable = context.cluster.callable(constructor);
        callable.parameters.is_empty() && callable.exceptions.is_empty()
    });
    let Some(class) = context.cluster.ty(stub.of).generic.as_class() else { return false };
    let serializable = ClassName::new("java/io/Serializable");
    !stub.silent.is_empty()
        && constructs_alone
        && !context.view.hierarchy.is_subclass(&class.name, &serializable)
}

/// A name that no class has which the file may name.
fn name_of(context: &Lowering<'_>, stub: &Stub, scope: &mut Scope<'_>) -> String {
    let of = context.cluster.ty(stub.of).generic.as_class().map(|class: &ClassType| {
        let (top, path) = source_path(context.view.hierarchy, &class.name);
        path.last().cloned().unwrap_or_else(|| top.base_name().to_owned())
    });
    let wished = format!("{}{SUFFIX}", of.unwrap_or_default());
    loop {
        let name = scope.give(&wished);
        if context.view.hierarchy.class(&in_package(context.view.package, &name)).is_none() {
            return name;
        }
    }
}
