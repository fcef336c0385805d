//! Hand-made clusters and tests, shared by the tests of this crate.

pub(crate) mod junit_stub;

use std::sync::Arc;

use bytecode::access::Access;
use bytecode::descriptor::{MethodDescriptor, PrimitiveType};
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use bytecode::signature::{GenericType, Substitution, parse_type};
use bytecode::source::MemorySource;
use coverage::goal::GoalSet;
use fixedbitset::FixedBitSet;
use output::asserted_test::AssertedTest;
use output::junit::printed::PrintedSuite;
use output::junit::style::JunitStyle;
use output::junit::writer::JunitWriter;
use testcase::assertion::{Assertion, ObservationTarget, ObservedValue, SIZED, Sequence};
use testcase::cluster::testing::{plain_callable, plain_type};
use testcase::cluster::{
    Callable, CallableId, CallableKind, Field, FieldId, MemberId, Parameter, Stub, StubId, StubKind,
    StubMethod, TestCluster, Type, TypeId,
};
use testcase::execution::{ThrowOrigin, Thrown};
use testcase::factory::TestFactory;
use testcase::factory::options::FactoryOptions;
use testcase::random::Random;
use testcase::statement::{Statement, VarRef};
use testcase::test_case::TestCase;
use testcase::value::Value;

pub(crate) const PUBLIC: u16 = 0x0001;
pub(crate) const STATIC: u16 = 0x0008;
pub(crate) const FINAL: u16 = 0x0010;
pub(crate) const VARARGS: u16 = 0x0080;

/// A hierarchy that knows no class at all.
pub(crate) fn no_classes() -> ClassHierarchy {
    ClassHierarchy::new(Arc::new(MemorySource::default()))
}

/// Builds a cluster by hand.
#[derive(Debug)]
pub(crate) struct ClusterBuilder {
    pub(crate) cluster: TestCluster,
}

impl ClusterBuilder {
    pub(crate) fn new(class_under_test: &str) -> Self {
        let mut builder = Self { cluster: TestCluster::default() };
        for primitive in PrimitiveType::ALL {
            builder.push_type(GenericType::Primitive(primitive));
        }
        for primitive in PrimitiveType::ALL {
            builder.push_type(GenericType::class(primitive.boxed()));
        }
        builder.push_type(GenericType::class("java/lang/String"));
        builder.push_type(GenericType::object());
        builder.cluster.class_under_test = Some(ClassName::new(class_under_test));
        builder.cluster.goal_classes = vec![ClassName::new(class_under_test)];
        builder
    }

    fn push_type(&mut self, generic: GenericType) -> TypeId {
        let element = match &generic {
            GenericType::Array(element) => Some(self.generic(element)),
            _ => None,
        };
        let id = TypeId::from(self.cluster.types.len());
        self.cluster.types.push(plain_type(generic, element));
        id
    }

    /// The id of a type, added if need be.
    pub(crate) fn generic(&mut self, generic: &GenericType) -> TypeId {
        match self.cluster.types.iter().position(|known| known.generic == *generic) {
            Some(index) => TypeId::from(index),
            None => self.push_type(generic.clone()),
        }
    }

    /// The id of a type given as a signature: `I`, `Ljava/util/List<Ljava/lang/String;>;`.
    pub(crate) fn ty(&mut self, signature: &str) -> TypeId {
        let parsed = parse_type(signature).expect("a type signature");
        self.generic(&parsed)
    }

    /// A callable of a class given as a signature; parameters named `a=I` have names.
    pub(crate) fn callable(
        &mut self,
        kind: CallableKind,
        owner: &str,
        name: &str,
        descriptor: &str,
        names: &[&str],
    ) -> CallableId {
        let owner_id = self.ty(owner);
        let class = parse_type(owner).unwrap().as_class().expect("a class").name.clone();
        let parsed = MethodDescriptor::parse(descriptor).expect("a descriptor");
        let parameters = parsed
            .parameters
            .iter()
            .enumerate()
            .map(|(index, erased)| Parameter {
                name: names.get(index).map(|&name| name.into()),
                ..Parameter::new(self.generic(&GenericType::from(erased)))
            })
            .collect();
        let result = match (kind, &parsed.result) {
            (CallableKind::Constructor, _) => Some(owner_id),
            (_, Some(erased)) => Some(self.generic(&GenericType::from(erased))),
            (_, None) => None,
        };
        let id = CallableId::from(self.cluster.callables.len());
        let plain = plain_callable(id, kind, owner_id, class, (name, descriptor));
        self.add(Callable { parameters, result, ..plain })
    }

    /// An interface that a test implements, given as a signature, by its methods with their descriptors.
    pub(crate) fn stub(&mut self, of: &str, methods: &[(&str, &str)]) -> StubId {
        let of = self.ty(of);
        let mut method = |&(name, descriptor): &(&str, &str)| {
            let parsed = MethodDescriptor::parse(descriptor).expect("a descriptor");
            let mut id = |erased| self.generic(&GenericType::from(erased));
            StubMethod {
                name: name.into(),
                descriptor: descriptor.into(),
                bridges: Vec::new(),
                access: Access(PUBLIC),
                parameters: parsed.parameters.iter().map(|of| Parameter::new(id(of))).collect(),
                result: parsed.result.as_ref().map(id),
                narrowed: Vec::new(),
                exceptions: Vec::new(),
                throws: Vec::new(),
                is_erased: false,
                has_body: false,
                callbacks: Vec::new(),
            }
        };
        let methods: Vec<StubMethod> = methods.iter().map(&mut method).collect();
        let (kind, is_functional) = (StubKind::Interface, methods.len() == 1);
        let stub = Stub { of, kind, is_functional, methods, silent: Vec::new(), calls_default: false };
        self.cluster.stubs.push(stub);
        StubId::from(self.cluster.stubs.len() - 1)
    }

    pub(crate) fn add(&mut self, callable: Callable) -> CallableId {
        self.cluster.callables.push(callable);
        CallableId::from(self.cluster.callables.len() - 1)
    }

    pub(crate) fn constructor(&mut self, owner: &str, descriptor: &str, names: &[&str]) -> CallableId {
        self.callable(CallableKind::Constructor, owner, "<init>", descriptor, names)
    }

    pub(crate) fn method(&mut self, owner: &str, name: &str, descriptor: &str) -> CallableId {
        self.callable(CallableKind::InstanceMethod, owner, name, descriptor, &[])
    }

    pub(crate) fn static_method(&mut self, owner: &str, name: &str, descriptor: &str) -> CallableId {
        self.callable(CallableKind::StaticMethod, owner, name, descriptor, &[])
    }

    pub(crate) fn field(&mut self, owner: &str, name: &str, of: &str, flags: u16) -> FieldId {
        let owner_id = self.ty(owner);
        let of = self.ty(of);
        self.cluster.fields.push(Field {
            owner: owner_id,
            declared_in: parse_type(owner).unwrap().as_class().unwrap().name.clone(),
            name: name.into(),
            descriptor: self.cluster.ty(of).erased.descriptor().into(),
            access: Access(PUBLIC | flags),
            of,
            result_cast: None,
        });
        FieldId::from(self.cluster.fields.len() - 1)
    }

    pub(crate) fn change(&mut self, id: CallableId, change: impl FnOnce(&mut Callable)) {
        change(&mut self.cluster.callables[id.index()]);
    }

    /// Adds every callable of a class that has code a test in `package` may call. Type parameters of methods
    /// stand for `variables`.
    pub(crate) fn add_class(
        &mut self,
        hierarchy: &ClassHierarchy,
        class: &str,
        package: &str,
        variables: &GenericType,
    ) -> Vec<CallableId> {
        let owner = self.ty(class);
        let class_type = parse_type(class).unwrap().as_class().unwrap().clone();
        let info = hierarchy.class(&class_type.name).expect("a class of the class path");
        let substitution = hierarchy.substitution_of(&info, &class_type).unwrap_or_default();
        let mut added = Vec::new();
        for method in &info.methods {
            let same_package = info.name.package() == package;
            let visible = method.access.is_public() || same_package && !method.access.is_private();
            let abstract_new = method.is_constructor() && info.access.is_abstract();
            if !visible || method.access.is_synthetic() || method.is_class_initializer() || abstract_new {
                continue;
            }
            let mut scope: Substitution = substitution.clone();
            let mut type_arguments = Vec::new();
            for parameter in &method.generic.type_parameters {
                scope.insert(parameter.name.clone(), variables.clone());
                type_arguments.push(self.generic(variables));
            }
            let concrete = |of: &GenericType| {
                let of = of.substitute(&scope);
                if of.is_concrete() { of } else { GenericType::from(&of.erase(&[])) }
            };
            let parameters: Vec<GenericType> = method.generic.parameters.iter().map(concrete).collect();
            let result = method.generic.result.as_ref().map(concrete);
            let kind = match () {
                () if method.is_constructor() => CallableKind::Constructor,
                () if method.access.is_static() => CallableKind::StaticMethod,
                () => CallableKind::InstanceMethod,
            };
            let takes_enclosing_instance = method.is_constructor() && info.is_inner();
            let callable = Callable {
                member: MemberId::from(self.cluster.callables.len()),
                kind,
                owner,
                declared_in: info.name.clone(),
                in_interface: info.is_interface(),
                name: method.name.clone(),
                descriptor: method.descriptor.clone(),
                access: method.access,
                parameters: parameters
                    .iter()
                    .enumerate()
                    .map(|(index, of)| Parameter {
                        name: method.parameter_names.get(index).cloned(),
                        ..Parameter::new(self.generic(of))
                    })
                    .collect(),
                result: match kind {
                    CallableKind::Constructor => Some(owner),
                    _ => result.as_ref().map(|of| self.generic(of)),
                },
                result_cast: None,
                type_arguments,
                takes_enclosing_instance,
                exceptions: method.exceptions.clone(),
                deprecated: method.deprecated.max(info.deprecated),
            };
            added.push(self.add(callable));
        }
        added
    }

    /// The callable of a class's method, by name and descriptor.
    pub(crate) fn find(&self, name: &str, descriptor: &str) -> CallableId {
        let found = self
            .cluster
            .callables
            .iter()
            .position(|callable| &*callable.name == name && &*callable.descriptor == descriptor);
        CallableId::from(found.unwrap_or_else(|| panic!("no {name}{descriptor}")))
    }

    /// Fills the matrix of what fits where.
    pub(crate) fn relate(&mut self, hierarchy: &ClassHierarchy) {
        let types = &self.cluster.types;
        let rows = types.iter().map(|sub| {
            let fits = |sup: &Type| hierarchy.is_subtype(&sub.generic, &sup.generic);
            types.iter().enumerate().filter(|(_, sup)| fits(sup)).map(|(index, _)| index).collect()
        });
        let rows: Vec<FixedBitSet> = rows.collect();
        self.cluster.assignable = rows;
        let is_sized = |of: &Type| {
            let fits =
                |name: &str| hierarchy.is_subtype(&of.generic, &GenericType::class(ClassName::new(name)));
            SIZED.iter().any(|name| fits(name))
        };
        self.cluster.sized =
            types.iter().enumerate().filter(|(_, of)| is_sized(of)).map(|(index, _)| index).collect();
        let sequence = |of: &Type| Sequence::among(&hierarchy.supertypes(&of.generic.as_class()?.name));
        self.cluster.sequences = types
            .iter()
            .enumerate()
            .filter_map(|(index, of)| Some((TypeId::from(index), sequence(of)?)))
            .collect();
    }
}

/// Builds a test by hand.
#[derive(Debug, Default)]
pub(crate) struct TestBuilder {
    pub(crate) test: TestCase,
    pub(crate) assertions: Vec<Assertion>,
    pub(crate) expected: Option<Thrown>,
}

impl TestBuilder {
    pub(crate) fn push(&mut self, statement: Statement) -> VarRef {
        self.test.push(statement)
    }

    pub(crate) fn int(&mut self, value: i32) -> VarRef {
        self.value(Value::Int(value))
    }

    pub(crate) fn string(&mut self, text: &str) -> VarRef {
        self.value(Value::String(text.into()))
    }

    pub(crate) fn value(&mut self, value: Value) -> VarRef {
        self.push(Statement::Primitive { value, boxed: false })
    }

    pub(crate) fn boxed(&mut self, value: Value) -> VarRef {
        self.push(Statement::Primitive { value, boxed: true })
    }

    pub(crate) fn null(&mut self, of: TypeId) -> VarRef {
        self.push(Statement::Null { of })
    }

    pub(crate) fn new_object(&mut self, callable: CallableId, arguments: &[VarRef]) -> VarRef {
        self.push(Statement::Constructor { callable, arguments: arguments.iter().copied().collect() })
    }

    pub(crate) fn call(&mut self, callable: CallableId, receiver: VarRef, arguments: &[VarRef]) -> VarRef {
        let arguments = arguments.iter().copied().collect();
        self.push(Statement::Method { callable, receiver: Some(receiver), arguments })
    }

    pub(crate) fn call_static(&mut self, callable: CallableId, arguments: &[VarRef]) -> VarRef {
        let arguments = arguments.iter().copied().collect();
        self.push(Statement::Method { callable, receiver: None, arguments })
    }

    pub(crate) fn array(&mut self, of: TypeId, length: u16) -> VarRef {
        self.push(Statement::Array { of, length })
    }

    pub(crate) fn write(&mut self, array: VarRef, index: u16, value: VarRef) {
        self.push(Statement::ArrayWrite { array, index, value });
    }

    pub(crate) fn assert(&mut self, target: ObservationTarget, expected: ObservedValue) {
        let after = VarRef::from(self.test.len() - 1);
        self.assertions.push(Assertion { after, target, expected });
    }

    pub(crate) fn assert_value(&mut self, variable: VarRef, expected: Value) {
        self.assert(ObservationTarget::Value(variable), ObservedValue::Primitive(expected));
    }

    pub(crate) fn throws(&mut self, class: &str) {
        self.throws_from(class, ThrowOrigin::Project);
    }

    pub(crate) fn throws_from(&mut self, class: &str, origin: ThrowOrigin) {
        self.expected = Some(Thrown { position: self.test.len() - 1, class: ClassName::new(class), origin });
    }

    pub(crate) fn finish(self) -> AssertedTest {
        AssertedTest { assertions: self.assertions, expected: self.expected, ..AssertedTest::new(self.test) }
    }
}

/// What the factory draws, as tests that assert nothing.
pub(crate) fn random_tests(cluster: &TestCluster) -> Vec<AssertedTest> {
    let mut factory = TestFactory::new(cluster, FactoryOptions::default());
    let mut random = Random::new(1, 0);
    (0..200).map(|_| AssertedTest::new(factory.random_test(&mut random))).collect()
}

/// Prints a suite.
pub(crate) fn print(
    builder: &ClusterBuilder,
    hierarchy: &ClassHierarchy,
    style: JunitStyle,
    suite: &[AssertedTest],
) -> PrintedSuite {
    let goals = GoalSet::default();
    let class = builder.cluster.class_under_test.clone().unwrap();
    JunitWriter::new(&builder.cluster, hierarchy, &goals, class, style).write(suite)
}

/// The statements of the only test of a suite, without indentation of the method.
pub(crate) fn body(printed: &PrintedSuite) -> String {
    assert!(printed.refused.is_empty(), "{:?}", printed.refused);
    let test = &printed.tests[0];
    let method: Vec<&str> = printed.lines_of(test).collect();
    let start = method.iter().position(|line| line.ends_with('{')).unwrap();
    let inside: Vec<&str> = method[start + 1..method.len() - 1]
        .iter()
        .map(|line| line.strip_prefix("        ").unwrap_or(line))
        .collect();
    inside.join("\n")
}
