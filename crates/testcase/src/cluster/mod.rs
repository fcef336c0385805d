//! The test cluster: every type, callable and field that a test may use, with generators per type.
//!
//! Everything in it is concrete. Generic classes and methods are instantiated when the cluster is built, each
//! instantiation a [`Callable`] of its own, so that the search never meets a type variable: a variable has one
//! [`TypeId`], and whether it fits a parameter is one bit of a matrix. Statements name callables, fields and types
//! by id, hence only mean something beside their cluster.

mod access;
mod ban;
mod belongings;
pub mod build;
pub mod callbacks;
mod catalogue;
pub mod contexts;
pub mod cost;
mod denied;
mod finish;
pub mod folder;
mod generators;
pub mod hints;
pub mod injected;
mod instantiate;
pub mod jdk;
pub mod keyed;
pub mod listing;
mod members;
mod mocks;
mod modifiers;
mod needs;
mod overrides;
mod passing;
mod producers;
mod properties;
mod reflective;
pub mod settings;
mod state;
mod stubs;
mod test_calls;
pub mod testing;
mod types;
mod uses;
mod world;

use std::collections::BTreeSet;
use std::sync::Arc;

use bytecode::access::Access;
use bytecode::class_info::Deprecation;
use bytecode::descriptor::{ErasedType, PrimitiveType};
use bytecode::name::ClassName;
use bytecode::signature::GenericType;
use fixedbitset::FixedBitSet;
use serde::{Deserialize, Serialize};

use crate::assertion::Sequence;
use crate::formats::Asked;
use crate::statement::Statement;
use crate::value::Value;
use build::Mockable;
use callbacks::Callback;
use contexts::Context;
use keyed::Entry;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into the cluster's vector.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            fn from(index: usize) -> Self {
                Self(u32::try_from(index).expect("a cluster has fewer than 2^32 entries"))
            }
        }
    };
}

id! {
    /// A concrete type of the cluster.
    TypeId
}
id! {
    /// A constructor or method of the cluster, instantiated.
    CallableId
}
id! {
    /// A field of the cluster, instantiated.
    FieldId
}
id! {
    /// A way to implement an interface or abstract class of the cluster.
    StubId
}
id! {
    /// A member as the class file declares it, shared by all its instantiations.
    MemberId
}

impl TypeId {
    /// `java.lang.String`
    pub const STRING: Self = Self(16);
    /// `java.lang.Object`
    pub const OBJECT: Self = Self(17);
    /// Number of types that every cluster has at fixed ids: the primitive types in the order of
    /// [`PrimitiveType::ALL`], their boxed types in the same order, `String`, `Object`.
    pub const WELL_KNOWN: usize = 18;

    /// A primitive type.
    pub fn primitive(primitive: PrimitiveType) -> Self {
        Self(primitive as u32)
    }

    /// The boxed type of a primitive type.
    pub fn boxed(primitive: PrimitiveType) -> Self {
        Self(primitive as u32 + 8)
    }

    /// The primitive type that this is.
    pub fn as_primitive(self) -> Option<PrimitiveType> {
        PrimitiveType::ALL.get(self.index()).copied()
    }

    /// The primitive type that this boxes.
    pub fn as_boxed(self) -> Option<PrimitiveType> {
        PrimitiveType::ALL.get(self.index().wrapping_sub(8)).copied()
    }
}

/// A concrete type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Type {
    /// As source code says it, without type variables.
    pub generic: GenericType,
    /// As the JVM sees it.
    pub erased: ErasedType,
    /// Element type of an array.
    pub element: Option<TypeId>,
    /// Static fields with the constants of an enum class, in order; empty for other types.
    pub enum_constants: Vec<FieldId>,
    /// Whether a test in the package of the class under test may name it. A type that may not be named is never
    /// declared: its values are used only where an accessible supertype is wanted, and null is passed where it is wanted itself.
    pub accessible: bool,
}

impl Type {
    /// Whether its values are classes.
    pub fn is_of_classes(&self) -> bool {
        matches!(&self.erased, ErasedType::Class(class) if class.as_str() == "java/lang/Class")
    }
}

/// Kinds of callables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallableKind {
    /// A constructor.
    Constructor,
    /// A static method.
    StaticMethod,
    /// An instance method.
    InstanceMethod,
}

/// A parameter of a callable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its concrete type.
    pub of: TypeId,
    /// Its name, where the class file tells.
    pub name: Option<Arc<str>>,
    /// Values that the call is known to ask for: strings for a `String`, numbers for a primitive type, lengths for
    /// an array. Empty for most.
    pub hints: Vec<Value>,
    /// Types below its own to which the call casts it, or for which it checks it: of methods of the classes under test.
    pub narrowed: Vec<TypeId>,
    /// Whether the call makes, fills or repeats as much as this number says ([`bytecode::parameter_uses`]).
    pub is_size: bool,
    /// Whether this string is the path of a file.
    pub is_path: bool,
}

impl Parameter {
    /// A parameter of which nothing else is known.
    pub fn new(of: TypeId) -> Self {
        Self { of, name: None, hints: Vec::new(), narrowed: Vec::new(), is_size: false, is_path: false }
    }

    /// All types that it names.
    fn types(&self) -> impl Iterator<Item = TypeId> {
        std::iter::once(self.of).chain(self.narrowed.iter().copied())
    }

    /// As [`Parameter::types`], to be changed.
    fn types_mut(&mut self) -> impl Iterator<Item = &mut TypeId> {
        std::iter::once(&mut self.of).chain(&mut self.narrowed)
    }
}

/// A constructor or method with concrete types.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Callable {
    /// The member it instantiates.
    pub member: MemberId,
    /// Kind.
    pub kind: CallableKind,
    /// The type that is constructed, or through which the method is called: the parameterized receiver type, or
    /// the class of a static method. Always accessible.
    pub owner: TypeId,
    /// The class that declares it, a supertype of the owner or the owner itself.
    pub declared_in: ClassName,
    /// Whether that class is an interface.
    pub in_interface: bool,
    /// Name; `<init>` for constructors.
    pub name: Arc<str>,
    /// Descriptor of the member as declared, for the JVM.
    pub descriptor: Arc<str>,
    /// Access flags.
    pub access: Access,
    /// Parameters in order. The first one of an inner class's constructor is the enclosing instance.
    pub parameters: Vec<Parameter>,
    /// Type of the result as a test sees it: the constructed type, the instantiated result, or the nearest
    /// accessible supertype of it; `None` for `void`.
    pub result: Option<TypeId>,
    /// Class to which the erased result must be cast to be of the result type, as `javac` would; the executor
    /// checks it and reports a failure as a `ClassCastException` of the statement.
    pub result_cast: Option<ErasedType>,
    /// What the type parameters of the method itself (not of its class) stand for.
    pub type_arguments: Vec<TypeId>,
    /// Whether the first parameter is the enclosing instance of an inner class.
    pub takes_enclosing_instance: bool,
    /// Checked exceptions it declares.
    pub exceptions: Vec<ClassName>,
    /// How the class file marks it, or its class, deprecated, if it does.
    pub deprecated: Option<Deprecation>,
}

impl Callable {
    /// Whether it asks an object for one of another type, and takes nothing: `builder.build()`.
    pub fn builds(&self) -> bool {
        self.kind == CallableKind::InstanceMethod
            && self.parameters.is_empty()
            && self.result != Some(self.owner)
    }
}

/// A field with a concrete type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// The type through which it is accessed. Always accessible.
    pub owner: TypeId,
    /// The class that declares it.
    pub declared_in: ClassName,
    /// Name.
    pub name: Arc<str>,
    /// Descriptor as declared, for the JVM.
    pub descriptor: Arc<str>,
    /// Access flags.
    pub access: Access,
    /// Type of the value as a test sees it.
    pub of: TypeId,
    /// As [`Callable::result_cast`].
    pub result_cast: Option<ErasedType>,
}

/// What the objects of a stub are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum StubKind {
    /// The test implements an interface.
    Interface,
    /// The test extends a class, of which this constructor runs: an abstract one, or one of which it overrides methods.
    Extension(CallableId),
    /// An object of a class whose constructor does not run, and all of whose methods answer for it: Mockito makes one.
    Mock,
}

/// An interface or class that a test can implement itself, or has Mockito implement, with concrete types.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stub {
    /// The type that is implemented: accessible, without wildcards at its top.
    pub of: TypeId,
    /// What its objects are.
    pub kind: StubKind,
    /// Whether it is a functional interface, for which a test may write a lambda (Java language specification §9.8).
    pub is_functional: bool,
    /// The methods that answer from a script, sorted by name and descriptor: abstract ones, of a mock any, and those that are overridden.
    pub methods: Vec<StubMethod>,
    /// All other methods that are abstract, or any of a mock, sorted likewise.
    pub silent: Vec<SilentMethod>,
    /// Whether the code under test calls, directly or by way of others, a method that it inherits from an interface with its body. Of
    /// functional interfaces it is not asked.
    pub calls_default: bool,
}

impl Stub {
    /// Constructor of the class that runs; `None` where none does.
    pub fn constructor(&self) -> Option<CallableId> {
        match self.kind {
            StubKind::Extension(constructor) => Some(constructor),
            StubKind::Interface | StubKind::Mock => None,
        }
    }
}

/// A method of a stub, as the stub sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StubMethod {
    /// Its name.
    pub name: Arc<str>,
    /// Erased descriptor of its most specific declaration.
    pub descriptor: Arc<str>,
    /// Other erased descriptors that supertypes declare it with: the class made has a bridge for each.
    pub bridges: Vec<Arc<str>>,
    /// Access flags of the declaration.
    pub access: Access,
    /// Parameters, instantiated.
    pub parameters: Vec<Parameter>,
    /// Type of the result, instantiated; `None` for `void`.
    pub result: Option<TypeId>,
    /// Types below that of the result to which the code under test casts what it gives, or for which it checks it.
    pub narrowed: Vec<TypeId>,
    /// Exceptions that it declares.
    pub exceptions: Vec<ClassName>,
    /// Types of what it may be scripted to throw: the unchecked exceptions, and those it declares.
    pub throws: Vec<TypeId>,
    /// Whether its types are erased, since the declaration has type parameters of its own (Java language specification
    /// §8.4.2).
    pub is_erased: bool,
    /// Whether it is one of a class that is no mock and gives it a body: where nothing is told of it, it is not overridden, and that body
    /// runs.
    pub has_body: bool,
    /// What it may call of what it is passed.
    pub callbacks: Vec<Callback>,
}

/// How names of methods begin that ask for something. A capital letter or nothing must follow.
const ASKING: [&str; 15] = [
    "get", "is", "has", "can", "contains", "count", "exists", "fetch", "find", "list", "load", "lookup",
    "query", "read", "search",
];

impl StubMethod {
    /// Whether it is called for what it does: it gives nothing, or takes something, has no name that asks, and does not give what code
    /// gives that it is passed. Of what is called for its answer a result tells.
    pub fn is_command(&self) -> bool {
        let gives_what_is_called = self.callbacks.iter().any(|callback| callback.gives);
        self.result.is_none() || !self.parameters.is_empty() && !self.asks() && !gives_what_is_called
    }

    /// Fewest answers that a script tells of it where it may be called: without one, it gives nothing.
    pub fn least_answers(&self) -> usize {
        usize::from(self.result.is_some() && !self.has_body)
    }

    /// Whether its name begins with a verb that asks.
    pub fn asks(&self) -> bool {
        let begins_with = |verb: &&str| {
            let rest = self.name.strip_prefix(*verb);
            rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase))
        };
        ASKING.iter().any(begins_with)
    }
}

/// A method of a stub that no script speaks for, since the code under test does not call it: it gives null, zero or false.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SilentMethod {
    /// Its name.
    pub name: Arc<str>,
    /// As [`StubMethod::descriptor`].
    pub descriptor: Arc<str>,
    /// As [`StubMethod::bridges`].
    pub bridges: Vec<Arc<str>>,
    /// Access flags of the declaration.
    pub access: Access,
    /// Types of the parameters, all of which a test may name. They are no types of the cluster: nothing is made for them.
    pub parameters: Vec<GenericType>,
    /// Type of the result; `None` for `void`.
    pub result: Option<GenericType>,
    /// As [`StubMethod::is_erased`].
    pub is_erased: bool,
}

/// How a value of a type can be made. Primitive types, strings, `null`, arrays, class literals and enum constants
/// need no entry: their statements are made from the type itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Generator {
    /// Call a constructor, static factory, or method of an object.
    Callable(CallableId),
    /// Read a field.
    Field(FieldId),
    /// Make a value of another type that fits: a boxed value for `Object`, an enum or array of an interface.
    Of(TypeId),
    /// Implement it in the test.
    Stub(StubId),
}

impl Generator {
    /// What a test calls to make the value; `None` where that is a value of another type.
    pub fn call(self) -> Option<Call> {
        match self {
            Self::Callable(id) => Some(Call::Callable(id)),
            Self::Field(id) => Some(Call::Read(id)),
            Self::Stub(id) => Some(Call::Implement(id)),
            Self::Of(_) => None,
        }
    }
}

/// What changes or uses an object, or is called as the test itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Call {
    /// A constructor or method.
    Callable(CallableId),
    /// Reading a field.
    Read(FieldId),
    /// Writing a field.
    Write(FieldId),
    /// Implementing an abstract class, so that its constructor runs.
    Implement(StubId),
}

impl Call {
    /// The type of the receiver; `None` where the call takes none. With the callables and fields of the cluster.
    fn receiver(self, callables: &[Callable], fields: &[Field]) -> Option<TypeId> {
        match self {
            Self::Callable(id) => {
                let callable = &callables[id.index()];
                (callable.kind == CallableKind::InstanceMethod).then_some(callable.owner)
            }
            Self::Read(id) | Self::Write(id) => {
                let field = &fields[id.index()];
                (!field.access.is_static()).then_some(field.owner)
            }
            Self::Implement(_) => None,
        }
    }
}

/// Everything a test may use.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct TestCluster {
    /// The class that the tests are for, and whose package they live in; `None` only in hand-made clusters.
    pub class_under_test: Option<ClassName>,
    /// The classes whose code holds the goals: the nest of the class under test, or the part asked for; sorted.
    pub goal_classes: Vec<ClassName>,
    /// Concrete types; the first [`TypeId::WELL_KNOWN`] are fixed.
    pub types: Vec<Type>,
    /// Callables.
    pub callables: Vec<Callable>,
    /// Fields.
    pub fields: Vec<Field>,
    /// Interfaces and abstract classes that tests implement.
    pub stubs: Vec<Stub>,
    /// Calls of the class under test, grouped by member: what "call the class under test" draws from. Uniform over
    /// the groups, then within the group, so that a generic method counts once.
    pub test_calls: Vec<Vec<Call>>,
    /// Generators by type.
    pub generators: Vec<Vec<Generator>>,
    /// Calls with an object by its type: what changes it (or, for the class under test, any call). Methods that have no
    /// such receiver take it as an argument.
    pub modifiers: Vec<Vec<Call>>,
    /// Methods without parameters by type that only tell (getters, `size`, `isEmpty`): for assertions.
    pub inspectors: Vec<Vec<CallableId>>,
    /// Public fields by type whose values a test can assert: for assertions as well.
    pub public_fields: Vec<Vec<FieldId>>,
    /// Row `a`, bit `b`: a variable of type `a` may be passed where `b` is wanted, without conversion.
    pub assignable: Vec<FixedBitSet>,
    /// Types of collections and maps, which have a size; none that looking at what it holds changes.
    pub sized: FixedBitSet,
    /// Types of collections and maps that looking at what they hold changes.
    pub changed_by_looking: FixedBitSet,
    /// Types of what gives its elements one after the other, ascending, with what each is.
    pub sequences: Vec<(TypeId, Sequence)>,
    /// Types of lists and optionals of objects of the class path, ascending, with what gives an element of each: a method without
    /// parameters, or with an index.
    pub elements: Vec<(TypeId, CallableId)>,
    /// Constants of the code.
    pub constants: StaticConstants,
    /// What the project's own tests call, ascending: how people come by objects and set them up.
    pub called_by_tests: Vec<CallableId>,
    /// Calls that set what the code under test asks the object for ([`properties`]), ascending.
    pub setting: Vec<CallableId>,
    /// Methods that tell of what the code under test sets ([`properties`]), ascending.
    pub tells_of_changes: Vec<CallableId>,
    /// Generators that ask for the present moment or for chance, ascending, of types that have others as well.
    pub fleeting: Vec<CallableId>,
    /// Constants of other classes of the class path that the code under test reads, or a method that it calls; ascending.
    pub read_constants: Vec<FieldId>,
    /// What the code under test looks for under keys that calls take ([`keyed`]).
    pub entries: Vec<Entry>,
    /// Fields that a container fills ([`injected`]), ascending.
    pub injected: Vec<FieldId>,
    /// Methods that a container calls to hand objects in ([`injected`]), ascending.
    pub injecting: Vec<CallableId>,
    /// Those of them that can only be written by reflection, ascending.
    pub hidden: Vec<FieldId>,
    /// Calls that set what the code under test reads of the JVM ([`settings`]) or of what another class keeps ([`contexts`]).
    pub settings: Vec<CallableId>,
    /// What other classes keep and tests may set.
    pub contexts: Vec<Context>,
    /// Calls that set the default locale and zone where the code under test reads them or relies on them, ascending: with these a
    /// test is the same on each machine.
    pub steadying: Vec<CallableId>,
    /// Classes of which there are mocks, or that these inherit from, where they are final or methods are that a mock answers for.
    pub opened: BTreeSet<ClassName>,
    /// What tests make mocks of. Where they have any, what they implement of an interface is written as one.
    pub mockable: Mockable,
    /// What could not be used, for the user: one sentence each.
    pub diagnostics: Vec<String>,
}

/// Constants found in code, each once, sorted: the static pools.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaticConstants {
    /// Of the classes that hold the goals.
    pub class_under_test: Vec<Value>,
    /// Of code of other classes that runs while objects of the class under test are made.
    pub construction: Vec<Value>,
    /// Of other classes of the project that they use.
    pub project: Vec<Value>,
    /// Of the project's own tests of the class.
    pub own_tests: Vec<Value>,
    /// Formats that the code has texts read in.
    pub formats: Vec<Asked>,
}

impl TestCluster {
    /// The callables for which this holds, ascending.
    fn callables_that(&self, holds: impl Fn(&Callable) -> bool) -> Vec<CallableId> {
        let callables = self.callables.iter().enumerate().filter(|(_, callable)| holds(callable));
        callables.map(|(index, _)| CallableId::from(index)).collect()
    }

    /// The fields for which this holds, ascending.
    fn fields_that(&self, holds: impl Fn(&Field) -> bool) -> Vec<FieldId> {
        let fields = self.fields.iter().enumerate().filter(|(_, field)| holds(field));
        fields.map(|(index, _)| FieldId::from(index)).collect()
    }

    /// Notes what tests of the project call: members as their code names them, by class, name and descriptor. Those that the cluster has
    /// not are no way to make anything here.
    pub fn note_calls_of_tests(&mut self, called: &BTreeSet<(String, String, String)>) {
        let is_called = |callable: &Callable| {
            let names = |class: &ClassName| {
                let name =
                    (class.as_str().to_owned(), callable.name.to_string(), callable.descriptor.to_string());
                called.contains(&name)
            };
            let owner = match &self.ty(callable.owner).erased {
                ErasedType::Class(owner) => Some(owner),
                ErasedType::Primitive(_) | ErasedType::Array(_) => None,
            };
            names(&callable.declared_in) || owner.is_some_and(names)
        };
        self.called_by_tests = self.callables_that(is_called);
    }

    /// Whether tests of the project call it.
    pub fn is_called_by_tests(&self, id: CallableId) -> bool {
        self.called_by_tests.binary_search(&id).is_ok()
    }

    /// Whether it sets what the code under test asks the object for.
    pub fn sets_what_is_asked(&self, id: CallableId) -> bool {
        self.setting.binary_search(&id).is_ok()
    }

    /// A type.
    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// Whether what a generator makes holds the present moment or something random, and there are other generators.
    pub fn is_fleeting(&self, generator: Generator) -> bool {
        matches!(generator, Generator::Callable(id) if self.fleeting.binary_search(&id).is_ok())
    }

    /// Whether it is a constant of another class that the code under test reads.
    pub fn is_read_by_code(&self, field: FieldId) -> bool {
        self.read_constants.binary_search(&field).is_ok()
    }

    /// Whether a stub is as often what is wanted as all other objects of its type together: a lambda, a mock of what takes much to make, and
    /// one of an interface that is no platform's, as tests have it that have mocks.
    pub fn is_first_choice(&self, id: StubId) -> bool {
        let stub = self.stub(id);
        let is_platform =
            |of: TypeId| self.ty(of).generic.as_class().is_none_or(|class| class.name.is_platform());
        match stub.kind {
            StubKind::Mock => true,
            StubKind::Interface => {
                stub.is_functional || self.mockable != Mockable::Nothing && !is_platform(stub.of)
            }
            StubKind::Extension(_) => stub.is_functional,
        }
    }

    /// A callable.
    pub fn callable(&self, id: CallableId) -> &Callable {
        &self.callables[id.index()]
    }

    /// A field.
    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.index()]
    }

    /// A stub.
    pub fn stub(&self, id: StubId) -> &Stub {
        &self.stubs[id.index()]
    }

    /// Whether tests may have objects that Mockito alone makes.
    pub fn has_mocks(&self) -> bool {
        self.stubs.iter().any(|stub| stub.kind == StubKind::Mock)
    }

    /// Generators of a type.
    pub fn generators(&self, id: TypeId) -> &[Generator] {
        self.generators.get(id.index()).map_or(&[], Vec::as_slice)
    }

    /// How a test implements a type itself, with methods that write down how they are called.
    pub fn recorder(&self, id: TypeId) -> Option<StubId> {
        self.generators(id).iter().find_map(|generator| match generator {
            Generator::Stub(stub) => Some(*stub).filter(|stub| !self.stub(*stub).methods.is_empty()),
            Generator::Callable(_) | Generator::Field(_) | Generator::Of(_) => None,
        })
    }

    /// Calls that change an object of a type.
    pub fn modifiers(&self, id: TypeId) -> &[Call] {
        self.modifiers.get(id.index()).map_or(&[], Vec::as_slice)
    }

    /// Methods that only tell of an object of a type.
    pub fn inspectors(&self, id: TypeId) -> &[CallableId] {
        self.inspectors.get(id.index()).map_or(&[], Vec::as_slice)
    }

    /// Public fields of objects of a type whose values a test can assert.
    pub fn public_fields(&self, id: TypeId) -> &[FieldId] {
        self.public_fields.get(id.index()).map_or(&[], Vec::as_slice)
    }

    /// Whether the text of a value of this type tells what it is, the same in every release: numbers without a fraction,
    /// characters, booleans, strings, enum constants and classes; of objects of any class those that are one of them.
    pub fn is_told_by_text(&self, of: TypeId) -> bool {
        if of.index() >= TypeId::WELL_KNOWN {
            let of = self.types.get(of.index());
            return of.is_some_and(|of| !of.enum_constants.is_empty() || of.is_of_classes());
        }
        let boxed = self.types.get(of.index()).and_then(|of| match &of.erased {
            ErasedType::Class(class) => PrimitiveType::unboxed(class),
            ErasedType::Primitive(_) | ErasedType::Array(_) => None,
        });
        !matches!(of.as_primitive().or(boxed), Some(PrimitiveType::Float | PrimitiveType::Double))
    }

    /// Whether values of a type are arrays, collections or maps: assertions can ask for their size, if not for all they hold.
    pub fn has_size(&self, of: TypeId) -> bool {
        self.sized.contains(of.index()) || self.types.get(of.index()).is_some_and(|of| of.element.is_some())
    }

    /// What a type is, if values of it give their elements one after the other.
    pub fn sequence(&self, of: TypeId) -> Option<Sequence> {
        let found = self.sequences.binary_search_by_key(&of, |(of, _)| *of).ok()?;
        self.sequences.get(found).map(|(_, sequence)| *sequence)
    }

    /// What gives an element of values of a type.
    pub fn element_getter(&self, of: TypeId) -> Option<CallableId> {
        let found = self.elements.binary_search_by_key(&of, |(of, _)| *of).ok()?;
        self.elements.get(found).map(|(_, getter)| *getter)
    }

    /// What gives an element of what a callable gives.
    pub fn element_of_result(&self, callable: CallableId) -> Option<CallableId> {
        self.element_getter(self.callable(callable).result?)
    }

    /// Whether a variable of type `from` may be passed where `to` is wanted, without conversion.
    pub fn is_assignable(&self, from: TypeId, to: TypeId) -> bool {
        from == to || self.assignable.get(from.index()).is_some_and(|row| row.contains(to.index()))
    }

    /// Whether a type is a reference type.
    pub fn is_reference(&self, id: TypeId) -> bool {
        id.as_primitive().is_none()
    }

    /// The type of the receiver of a call; `None` where it takes none.
    pub fn receiver_of(&self, call: Call) -> Option<TypeId> {
        call.receiver(&self.callables, &self.fields)
    }

    /// The constructor or method that a statement calls, the constructor that runs below a stub included.
    pub fn called_by(&self, statement: &Statement) -> Option<CallableId> {
        if let Statement::Stub { stub, .. } = statement {
            return self.stub(*stub).constructor();
        }
        statement.callable()
    }

    /// Type of the variable that a statement defines; `None` when it defines none.
    pub fn type_of(&self, statement: &Statement) -> Option<TypeId> {
        match statement {
            Statement::Primitive { value, boxed } => Some(match value.primitive_type() {
                None => TypeId::STRING,
                Some(primitive) if *boxed => TypeId::boxed(primitive),
                Some(primitive) => TypeId::primitive(primitive),
            }),
            Statement::Null { of } | Statement::Array { of, .. } | Statement::ClassLiteral { of, .. } => {
                Some(*of)
            }
            Statement::EnumConstant { field } | Statement::FieldRead { field, .. } => {
                Some(self.field(*field).of)
            }
            Statement::Constructor { callable, .. } | Statement::Method { callable, .. } => {
                self.callable(*callable).result
            }
            Statement::Stub { stub, .. } => Some(self.stub(*stub).of),
            Statement::FieldWrite { .. } | Statement::ArrayWrite { .. } => None,
        }
    }
}
