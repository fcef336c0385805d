//! Clusters written by hand, for tests that need no JDK.

use bytecode::access::Access;
use bytecode::descriptor::{ErasedType, MethodDescriptor};
use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType};
use fixedbitset::FixedBitSet;

use super::generators::class_literal;
use super::types::well_known;
use super::{
    Call, Callable, CallableId, CallableKind, Field, FieldId, Generator, MemberId, Parameter,
    StaticConstants, Stub, StubId, StubKind, StubMethod, TestCluster, Type, TypeId,
};
use crate::assertion::Sequence;

const PUBLIC: u16 = 0x0001;
const ABSTRACT: u16 = 0x0400;
const STATIC: u16 = 0x0008;
const FINAL: u16 = 0x0010;
const ENUM: u16 = 0x4000;

/// A type that a test may name, without constants; `element` is that of an array.
pub fn plain_type(generic: GenericType, element: Option<TypeId>) -> Type {
    let erased = generic.erase(&[]);
    Type { generic, erased, element, enum_constants: Vec::new(), accessible: true }
}

/// A public callable without parameters, result and exceptions, a member of its own, by name and descriptor.
pub fn plain_callable(
    id: CallableId,
    kind: CallableKind,
    owner: TypeId,
    declared_in: ClassName,
    (name, descriptor): (&str, &str),
) -> Callable {
    Callable {
        member: MemberId(id.0),
        kind,
        owner,
        declared_in,
        in_interface: false,
        name: name.into(),
        descriptor: descriptor.into(),
        access: Access(if kind == CallableKind::StaticMethod { PUBLIC | STATIC } else { PUBLIC }),
        parameters: Vec::new(),
        result: None,
        result_cast: None,
        type_arguments: Vec::new(),
        takes_enclosing_instance: false,
        exceptions: Vec::new(),
        deprecated: None,
    }
}

/// Puts a cluster together.
///
/// Members of the class under test become test calls, one group each. Constructors make their class; other
/// generators are named with [`ClusterBuilder::generator`]. Instance methods and fields change their owner. Every
/// reference type fits `Object`; other subtypes are named with [`ClusterBuilder::subtype`].
#[derive(Debug)]
pub struct ClusterBuilder {
    cluster: TestCluster,
    class_under_test: TypeId,
    subtypes: Vec<(TypeId, TypeId)>,
}

impl ClusterBuilder {
    /// A cluster for the class of this internal name, with nothing in it but the well-known types and the class.
    pub fn new(class_under_test: &str) -> Self {
        let name = ClassName::from(class_under_test);
        let mut builder = Self {
            cluster: TestCluster {
                class_under_test: Some(name.clone()),
                goal_classes: vec![name],
                ..TestCluster::default()
            },
            class_under_test: TypeId::OBJECT,
            subtypes: Vec::new(),
        };
        for generic in well_known() {
            builder.ty(generic);
        }
        builder.class_under_test = builder.class(class_under_test);
        builder
    }

    /// The type of the class under test.
    pub fn class_under_test(&self) -> TypeId {
        self.class_under_test
    }

    /// A class or interface without type parameters, by internal name.
    pub fn class(&mut self, name: &str) -> TypeId {
        self.ty(GenericType::Class(ClassType::new(ClassName::from(name))))
    }

    /// Any type, the same id for the same type.
    pub fn ty(&mut self, generic: GenericType) -> TypeId {
        if let Some(known) = self.cluster.types.iter().position(|ty| ty.generic == generic) {
            return TypeId::from(known);
        }
        let element = match &generic {
            GenericType::Array(element) => Some(self.ty((**element).clone())),
            GenericType::Primitive(_) | GenericType::Class(_) | GenericType::Variable(_) => None,
        };
        self.cluster.types.push(plain_type(generic, element));
        self.cluster.generators.push(Vec::new());
        self.cluster.modifiers.push(Vec::new());
        self.cluster.inspectors.push(Vec::new());
        self.cluster.public_fields.push(Vec::new());
        TypeId::from(self.cluster.types.len() - 1)
    }

    /// The array type of an element type.
    pub fn array(&mut self, element: TypeId) -> TypeId {
        let element = self.cluster.ty(element).generic.clone();
        self.ty(element.array_of())
    }

    /// An enum class with constants.
    pub fn enumeration(&mut self, name: &str, constants: &[&str]) -> TypeId {
        let of = self.class(name);
        for constant in constants {
            let field = self.push_field(of, constant, of, PUBLIC | STATIC | FINAL | ENUM);
            self.cluster.types[of.index()].enum_constants.push(field);
        }
        of
    }

    /// `Class<Foo>` for a class.
    pub fn class_literal(&mut self, class: TypeId) -> TypeId {
        let literal = class_literal(&self.cluster.ty(class).generic);
        self.ty(literal)
    }

    /// States that `sub` fits where `sup` is wanted.
    pub fn subtype(&mut self, sub: TypeId, sup: TypeId) {
        self.subtypes.push((sub, sup));
    }

    /// A constructor.
    pub fn constructor(&mut self, owner: TypeId, parameters: &[TypeId]) -> CallableId {
        let id = self.callable(CallableKind::Constructor, owner, "<init>", parameters, Some(owner));
        self.generator(owner, Generator::Callable(id));
        id
    }

    /// An instance method; `None` is `void`.
    pub fn method(
        &mut self,
        owner: TypeId,
        name: &str,
        parameters: &[TypeId],
        result: Option<TypeId>,
    ) -> CallableId {
        let id = self.callable(CallableKind::InstanceMethod, owner, name, parameters, result);
        self.cluster.modifiers[owner.index()].push(Call::Callable(id));
        id
    }

    /// A static method; `None` is `void`.
    pub fn static_method(
        &mut self,
        owner: TypeId,
        name: &str,
        parameters: &[TypeId],
        result: Option<TypeId>,
    ) -> CallableId {
        self.callable(CallableKind::StaticMethod, owner, name, parameters, result)
    }

    fn callable(
        &mut self,
        kind: CallableKind,
        owner: TypeId,
        name: &str,
        parameters: &[TypeId],
        result: Option<TypeId>,
    ) -> CallableId {
        let erased = |ty: &TypeId| self.cluster.ty(*ty).erased.clone();
        let declared = result.filter(|_| kind != CallableKind::Constructor);
        let descriptor = MethodDescriptor {
            parameters: parameters.iter().map(erased).collect(),
            result: declared.as_ref().map(erased),
        };
        let id = CallableId::from(self.cluster.callables.len());
        let member = (name, &*descriptor_text(&descriptor));
        self.cluster.callables.push(Callable {
            parameters: parameters.iter().map(|of| Parameter::new(*of)).collect(),
            result,
            ..plain_callable(id, kind, owner, self.class_of(owner), member)
        });
        if owner == self.class_under_test {
            self.cluster.test_calls.push(vec![Call::Callable(id)]);
        }
        id
    }

    fn class_of(&self, owner: TypeId) -> ClassName {
        match &self.cluster.ty(owner).erased {
            ErasedType::Class(name) => name.clone(),
            ErasedType::Primitive(_) | ErasedType::Array(_) => ClassName::object(),
        }
    }

    /// A public instance field that can be written.
    pub fn field(&mut self, owner: TypeId, name: &str, of: TypeId) -> FieldId {
        let id = self.push_field(owner, name, of, PUBLIC);
        self.cluster.modifiers[owner.index()].push(Call::Write(id));
        id
    }

    /// A public static field that can be written.
    pub fn static_field(&mut self, owner: TypeId, name: &str, of: TypeId) -> FieldId {
        self.push_field(owner, name, of, PUBLIC | STATIC)
    }

    fn push_field(&mut self, owner: TypeId, name: &str, of: TypeId, flags: u16) -> FieldId {
        let id = FieldId::from(self.cluster.fields.len());
        let descriptor = self.cluster.ty(of).erased.descriptor();
        self.cluster.fields.push(Field {
            owner,
            declared_in: self.class_of(owner),
            name: name.into(),
            descriptor: descriptor.into(),
            access: Access(flags),
            of,
            result_cast: None,
        });
        if owner == self.class_under_test && flags & ENUM == 0 {
            self.cluster.test_calls.push(vec![Call::Write(id), Call::Read(id)]);
        }
        id
    }

    /// Another way to make a type.
    pub fn generator(&mut self, of: TypeId, generator: Generator) {
        self.cluster.generators[of.index()].push(generator);
    }

    /// A way to implement a type: its constructor, and its methods with name, parameters and result, which may throw
    /// what is named. An interface with one method is functional.
    pub fn stub(
        &mut self,
        of: TypeId,
        constructor: Option<CallableId>,
        methods: &[(&str, &[TypeId], Option<TypeId>)],
        throws: &[TypeId],
    ) -> StubId {
        let method = |(name, parameters, result): &(&str, &[TypeId], Option<TypeId>)| {
            let erased = |ty: &TypeId| self.cluster.ty(*ty).erased.clone();
            let descriptor = MethodDescriptor {
                parameters: parameters.iter().map(erased).collect(),
                result: result.as_ref().map(erased),
            };
            StubMethod {
                name: (*name).into(),
                descriptor: descriptor_text(&descriptor).into(),
                bridges: Vec::new(),
                access: Access(PUBLIC | ABSTRACT),
                parameters: parameters.iter().copied().map(Parameter::new).collect(),
                result: *result,
                narrowed: Vec::new(),
                exceptions: Vec::new(),
                throws: throws.to_vec(),
                is_erased: false,
                has_body: false,
                callbacks: Vec::new(),
            }
        };
        let methods: Vec<StubMethod> = methods.iter().map(method).collect();
        let id = StubId::from(self.cluster.stubs.len());
        let is_functional = constructor.is_none() && methods.len() == 1;
        let kind = constructor.map_or(StubKind::Interface, StubKind::Extension);
        self.cluster.stubs.push(Stub {
            of,
            kind,
            is_functional,
            methods,
            silent: Vec::new(),
            calls_default: false,
        });
        self.generator(of, Generator::Stub(id));
        id
    }

    /// A public field tells of the objects of a type.
    pub fn public_field(&mut self, of: TypeId, field: FieldId) {
        self.cluster.public_fields[of.index()].push(field);
    }

    /// A method that only tells.
    pub fn inspector(&mut self, of: TypeId, callable: CallableId) {
        self.cluster.inspectors[of.index()].push(callable);
    }

    /// Values of a type give their elements one after the other.
    pub fn sequence(&mut self, of: TypeId, sequence: Sequence) {
        self.cluster.sequences.push((of, sequence));
        self.cluster.sequences.sort_unstable();
    }

    /// The constants of the code.
    pub fn constants(&mut self, constants: StaticConstants) {
        self.cluster.constants = constants;
    }

    /// The cluster.
    pub fn build(mut self) -> TestCluster {
        let count = self.cluster.types.len();
        let mut rows: Vec<FixedBitSet> = (0..count)
            .map(|index| {
                let mut row = FixedBitSet::with_capacity(count);
                row.insert(index);
                if self.cluster.is_reference(TypeId::from(index)) {
                    row.insert(TypeId::OBJECT.index());
                }
                row
            })
            .collect();
        // As many rounds as there are types reach every supertype of every type.
        for _ in 0..count {
            for (sub, sup) in &self.subtypes {
                let above = rows[sup.index()].clone();
                rows[sub.index()].union_with(&above);
            }
        }
        self.cluster.assignable = rows;
        self.cluster
    }
}

fn descriptor_text(descriptor: &MethodDescriptor) -> String {
    let parameters: String = descriptor.parameters.iter().map(ErasedType::descriptor).collect();
    let result = descriptor.result.as_ref().map_or_else(|| "V".to_owned(), ErasedType::descriptor);
    format!("({parameters}){result}")
}

/// A class under test with one method, which takes an array of objects: with the array's type, and the method.
pub fn taking_objects() -> (TestCluster, TypeId, CallableId) {
    let mut builder = ClusterBuilder::new("p/Hash");
    let hash = builder.class_under_test();
    let objects = builder.array(TypeId::OBJECT);
    let compute = builder.static_method(hash, "compute", &[objects], None);
    (builder.build(), objects, compute)
}

#[cfg(test)]
mod tests {
    use bytecode::descriptor::PrimitiveType;

    use super::*;

    #[test]
    fn members_of_the_class_under_test_are_test_calls_and_subtyping_is_transitive() {
        let mut builder = ClusterBuilder::new("p/Foo");
        let foo = builder.class_under_test();
        let (bar, face) = (builder.class("p/Bar"), builder.class("p/Face"));
        builder.subtype(face, bar);
        builder.subtype(foo, face);
        builder.constructor(foo, &[TypeId::primitive(PrimitiveType::Int), TypeId::STRING]);
        builder.constructor(bar, &[]);
        builder.field(foo, "size", TypeId::primitive(PrimitiveType::Long));
        let cluster = builder.build();
        assert_eq!(cluster.test_calls.len(), 2);
        assert_eq!(&*cluster.callables[0].descriptor, "(ILjava/lang/String;)V");
        assert!(cluster.is_assignable(foo, bar) && !cluster.is_assignable(bar, foo));
        assert!(cluster.is_assignable(foo, TypeId::OBJECT));
        assert_eq!(cluster.generators(bar).len(), 1);
    }
}
