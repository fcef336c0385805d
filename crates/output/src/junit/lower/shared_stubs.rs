//! Classes of a file that its tests share: what they implement themselves of a type with many methods gives nothing from
//! most of them, and says so once. A test extends such a class with the methods that it needs.
//!
//! Each test with an anonymous class of its own says the same a hundred times, and `javac` compares every overload of it
//! with all others: 54 tests with five such visitors took it more than a second. Of a generic type there is one such class
//! for all parameterizations where its methods are as the type declares them: `VisitorStub<A> implements Visitor<A>`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType, Substitution};
use testcase::cluster::{Callable, Stub, StubId};
use testcase::statement::{Answer, Script, Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

use super::body::Body;
use super::stubs::ThrownByMethod;
use super::{Lowering, Unprintable, is_reifiable};
use crate::asserted_test::AssertedTest;
use crate::junit::ast::{StubClass, Warning, classes_of};
use crate::junit::imports::{in_package, source_path};
use crate::junit::naming::variables::{Scope, type_word};

/// What these classes are called behind the name of the type.
const SUFFIX: &str = "Stub";

/// The classes that stubs of a suite extend.
#[derive(Debug, Default)]
pub(crate) struct SharedStubs {
    classes: Vec<Shared>,
}

/// A class of the file, with the stubs that extend it: one, or those of all parameterizations of a type.
#[derive(Debug)]
struct Shared {
    stubs: Vec<StubId>,
    /// The tests that do.
    tests: BTreeSet<usize>,
    class: Result<StubClass, Unprintable>,
}

/// A stub of a test that is no mock.
#[derive(Debug)]
struct Written<'a> {
    /// Number of the test.
    number: usize,
    test: &'a AssertedTest,
    stub: StubId,
    script: &'a Script,
}

impl SharedStubs {
    /// Those that a suite needs, in which tests have mocks by number. The name of each is the same in every suite of a cluster.
    pub(crate) fn new(
        context: &Lowering<'_>,
        suite: &[AssertedTest],
        has_mocks: &dyn Fn(usize) -> bool,
    ) -> Self {
        let written = written(context, suite, has_mocks);
        let mut scope = Scope::new(context.reserved);
        let mut classes = Vec::new();
        for (stubs, types) in groups(context) {
            // Any of them will do: a test may name the type of every stub with all its arguments.
            let first = context.cluster.stub(stubs[0]);
            let name = name_of(context, first, &mut scope);
            let written: Vec<&Written<'_>> =
                written.iter().filter(|written| stubs.contains(&written.stub)).collect();
            if !written.is_empty() && is_shorter(context, first, &written) {
                let thrown = thrown_by(context, &written);
                let mut class = Body::new(*context, &no_test()).stub_class(first, name, &thrown);
                if let Ok(class) = &mut class
                    && is_serializable(context, &class.of.name)
                {
                    class.suppressed.insert(Warning::Serial);
                }
                let class = match types {
                    Some(types) => class.map(|class| generalized(context, class, types)),
                    None => class,
                };
                let tests = written.iter().map(|written| written.number).collect();
                classes.push(Shared { stubs, tests, class });
            }
        }
        Self { classes }
    }

    /// The class that a stub extends; `None` where it says all itself.
    ///
    /// # Errors
    /// Java cannot say it.
    pub(crate) fn get(&self, stub: StubId) -> Result<Option<&StubClass>, Unprintable> {
        let shared = self.classes.iter().find(|shared| shared.stubs.contains(&stub));
        shared.map(|shared| shared.class.as_ref()).transpose().map_err(Clone::clone)
    }

    /// The classes that tests need, by number.
    pub(crate) fn of(self, tests: &BTreeSet<usize>) -> Vec<StubClass> {
        let needed = self.classes.into_iter().filter(|shared| !shared.tests.is_disjoint(tests));
        needed.filter_map(|shared| shared.class.ok()).collect()
    }
}

/// The stubs of a suite that are no mocks.
fn written<'a>(
    context: &Lowering<'_>,
    suite: &'a [AssertedTest],
    has_mocks: &dyn Fn(usize) -> bool,
) -> Vec<Written<'a>> {
    let mut written = Vec::new();
    for (number, test) in suite.iter().enumerate() {
        let context = Lowering { mocks: has_mocks(number), ..*context };
        for (position, statement) in test.test.statements().iter().enumerate() {
            if let Statement::Stub { stub, script } = statement
                && !context.is_mock(test, VarRef::from(position))
            {
                written.push(Written { number, test, stub: *stub, script });
            }
        }
    }
    written
}

/// Whether a class of the file says less than the tests would without it: it has methods that no script speaks for, or more
/// than it has give nothing in the tests.
fn is_shorter(context: &Lowering<'_>, first: &Stub, written: &[&Written<'_>]) -> bool {
    let silent = |written: &&Written<'_>| -> usize {
        let answers = written.script.answers.iter();
        answers.filter(|answers| give_nothing(&written.test.test, answers)).count()
    };
    let constructor = first.constructor().map(|constructor| context.cluster.callable(constructor));
    let constructors = usize::from(constructor.is_some_and(|constructor| !constructor.parameters.is_empty()));
    let members = first.methods.len() + constructors;
    !first.silent.is_empty() || written.iter().map(silent).sum::<usize>() > members
}

/// Whether answers are what a method of the class of the file gives.
fn give_nothing(test: &TestCase, answers: &[Answer]) -> bool {
    match answers {
        [] | [Answer::Return] => true,
        [Answer::Value(value)] => {
            let statement = test.statement(*value);
            let is_zero = |value: &Value| value.primitive_type().is_some_and(|of| *value == Value::zero(of));
            matches!(statement, Statement::Null { .. })
                || matches!(statement, Statement::Primitive { value, boxed: false } if is_zero(value))
        }
        [..] => false,
    }
}

/// The checked exceptions that stubs throw.
fn thrown_by(context: &Lowering<'_>, written: &[&Written<'_>]) -> ThrownByMethod {
    let mut found = ThrownByMethod::new();
    for Written { test, stub, script, number: _ } in written {
        if script
            .answers
            .iter()
            .flatten()
            .any(|answer| matches!(answer, Answer::Throw(_) | Answer::CallBack(..)))
        {
            Body::new(*context, test).note_thrown(context.cluster.stub(*stub), script, &mut found);
        }
    }
    found
}

/// Types of the parameters and the result of each method of a stub, scripted ones first.
type MethodTypes = Vec<(Vec<GenericType>, Option<GenericType>)>;

/// The stubs that extend a class of the file, by class, in the order of the first of each; where that class serves all
/// parameterizations of the type, with the types of the first one's methods in its variables.
fn groups(context: &Lowering<'_>) -> Vec<(Vec<StubId>, Option<MethodTypes>)> {
    let mut groups: Vec<(Vec<StubId>, Option<MethodTypes>)> = Vec::new();
    let mut generic: BTreeMap<ClassName, usize> = BTreeMap::new();
    for (index, stub) in context.cluster.stubs.iter().enumerate() {
        let Some(class) = context.cluster.ty(stub.of).generic.as_class() else { continue };
        if !is_shared(context, stub) {
            continue;
        }
        let id = StubId::from(index);
        let types = declared_types(context, stub, class);
        if types.is_some() {
            if let Some(&group) = generic.get(&class.name) {
                groups[group].0.push(id);
                continue;
            }
            generic.insert(class.name.clone(), groups.len());
        }
        groups.push((vec![id], types));
    }
    groups
}

/// The types of a stub's methods as its type declares them, in its type variables. `None` where a class of the file cannot say
/// them for all parameterizations: the variables have bounds or hide a class, a method has type parameters of its own, or the
/// types with the arguments of this stub in place of the variables are not those that it has; or its constructor takes something.
fn declared_types(context: &Lowering<'_>, stub: &Stub, class: &ClassType) -> Option<MethodTypes> {
    let hierarchy = context.view.hierarchy;
    let info = hierarchy.class(&class.name)?;
    let parameters = &info.signature.parameters;
    let has_no_bound = parameters
        .iter()
        .all(|parameter| parameter.bounds.iter().all(|bound| *bound == GenericType::object()));
    let takes = stub.constructor().map_or(0, |id| context.cluster.callable(id).parameters.len());
    if class.arguments.is_empty() || class.outer.is_some() || !has_no_bound || takes > 0 {
        return None;
    }
    let arguments = hierarchy.substitution_of(&info, class)?;
    let this = info.this_type();
    let cluster = context.cluster;
    let of_type = |of| cluster.ty(of).generic.clone();
    let scripted = stub.methods.iter().map(|method| {
        let own = method.parameters.iter().map(|parameter| of_type(parameter.of)).collect();
        (&method.name, &method.descriptor, method.is_erased, own, method.result.map(of_type))
    });
    let silent = stub.silent.iter().map(|method| {
        (&method.name, &method.descriptor, method.is_erased, method.parameters.clone(), method.result.clone())
    });
    let hides = |class: &ClassName| {
        let (top, _) = source_path(hierarchy, class);
        parameters.iter().any(|parameter| *parameter.name == *top.base_name())
    };
    let types = scripted.chain(silent).map(|(name, descriptor, is_erased, parameters, result)| {
        let declared = types_of_method(hierarchy, &this, name, descriptor).filter(|_| !is_erased)?;
        let concrete = |of: &GenericType| of.substitute(&arguments);
        let is_same =
            declared.0.iter().map(concrete).eq(parameters) && declared.1.as_ref().map(concrete) == result;
        let mut is_hidden = false;
        for of in declared.0.iter().chain(&declared.1) {
            classes_of(of, &mut |class| is_hidden |= hides(class));
        }
        (is_same && !is_hidden).then_some(declared)
    });
    types.collect()
}

/// Types of the parameters and the result of a method that a type declares or inherits, in its variables.
fn types_of_method(
    hierarchy: &ClassHierarchy,
    this: &ClassType,
    name: &str,
    descriptor: &str,
) -> Option<(Vec<GenericType>, Option<GenericType>)> {
    let sups = hierarchy.supertypes(&this.name);
    let (owner, method) = sups.iter().find_map(|sup| {
        let owner = hierarchy.class(sup)?;
        let method = owner.method(name, descriptor)?.clone();
        Some((owner, method))
    })?;
    let parameterization = hierarchy.as_super(this, &owner.name)?;
    let variables: Substitution = hierarchy.substitution_of(&owner, &parameterization)?;
    let parameters = method.generic.parameters.iter().map(|of| of.substitute(&variables)).collect();
    Some((parameters, method.generic.result.as_ref().map(|of| of.substitute(&variables))))
}

/// The class for all parameterizations, made of that for one.
fn generalized(context: &Lowering<'_>, class: StubClass, types: MethodTypes) -> StubClass {
    let StubClass { name, parameters: _, of, is_interface, mut suppressed, constructor, mut methods } = class;
    let hierarchy = context.view.hierarchy;
    let info = hierarchy.class(&of.name);
    let scope = Scope::new(context.reserved);
    for (method, (parameters, result)) in methods.iter_mut().zip(types) {
        if method.varargs && parameters.last().is_some_and(|of| !is_reifiable(of)) {
            suppressed.insert(Warning::Unchecked);
        }
        method.result = result;
        for (index, of) in parameters.into_iter().enumerate() {
            let names: Vec<String> = method.parameters.iter().map(|(_, name)| name.clone()).collect();
            let (concrete, name) = &mut method.parameters[index];
            // What an argument of the type is called says nothing of the others.
            let (before, after) = (type_word(hierarchy, concrete), type_word(hierarchy, &of));
            if before != after && name.starts_with(&before) {
                *name = scope.lend(&after, &names);
            }
            *concrete = of;
        }
    }
    let parameters = info.iter().flat_map(|info| &info.signature.parameters);
    let parameters = parameters.map(|parameter| Arc::clone(&parameter.name)).collect();
    let of = info.map_or(of, |info| info.this_type());
    StubClass { name, parameters, of, is_interface, suppressed, constructor, methods }
}

fn no_test() -> AssertedTest {
    AssertedTest::new(TestCase::default())
}

/// With so many methods a type is implemented once in a file.
const MANY_METHODS: usize = 2;

/// Whether the stubs of a type may extend a class of the file: those of types with several methods, of which no lambda is made. Not
/// where that class would need an enclosing instance, or a constructor that it cannot declare; nor where methods have a body, which a class that
/// gives nothing would hide.
fn is_shared(context: &Lowering<'_>, stub: &Stub) -> bool {
    let is_long = stub.methods.len() + stub.silent.len() >= MANY_METHODS;
    let constructor = stub.constructor().map(|constructor| context.cluster.callable(constructor));
    is_long
        && !stub.methods.iter().any(|method| method.has_body)
        && constructor.is_none_or(|constructor| may_declare(context, constructor))
        && context.cluster.ty(stub.of).generic.as_class().is_some()
}

/// Whether a class of the file may declare a constructor like that of its superclass: it may name all types, and hands on what it takes without
/// a warning.
fn may_declare(context: &Lowering<'_>, constructor: &Callable) -> bool {
    let view = context.view;
    let types = || constructor.parameters.iter().map(|parameter| &context.cluster.ty(parameter.of).generic);
    let is_checked = !constructor.access.is_varargs() || types().next_back().is_none_or(is_reifiable);
    !constructor.takes_enclosing_instance
        && is_checked
        && types().all(|of| view.can_name_type(of))
        && constructor.exceptions.iter().all(|class| view.can_name(class))
}

/// Whether `javac` misses a serial version in a class that extends this one and has a name.
fn is_serializable(context: &Lowering<'_>, class: &ClassName) -> bool {
    context.view.hierarchy.is_subclass(class, &ClassName::new("java/io/Serializable"))
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
