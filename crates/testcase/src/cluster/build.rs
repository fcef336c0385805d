//! Building the test cluster of a class from class files alone.
//!
//! 1. [`super::test_calls`]: the members of the goal classes, instantiated, and what reaches those that a test may
//!    not name.
//! 2. [`super::generators`], [`super::modifiers`], [`super::passing`]: breadth first from what these need, ways to make and to change
//!    values, bounded by depth and number.
//! 3. [`super::finish`]: what cannot be made is dropped, the rest numbered densely.
//!
//! The order of everything follows from names and declarations: the same class path gives the same cluster.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use bytecode::class_file::ClassFileError;
use bytecode::class_info::{ClassInfo, ClassKind};
use bytecode::code_files::CodeFiles;
use bytecode::descriptor::ErasedType;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::lookup::Lookup;
use bytecode::name::ClassName;
use bytecode::purity::Purity;
use bytecode::signature::GenericType;
use bytecode::sizes::Sizes;
use thiserror::Error;

use super::instantiate::World;
use super::members::CallableKey;
use super::modifiers::MethodsOfObjects;
use super::producers::Producer;
use super::stubs::StubKey;
use super::types::TypeTable;
use super::uses::{Called, ReadFields};
use super::{
    Call, Callable, CallableId, Field, FieldId, Generator, MemberId, StaticConstants, Stub, StubId,
    TestCluster, TypeId,
};

/// How far the cluster reaches. The defaults keep start-up of the public evaluation subjects in the tens of
/// milliseconds; none of the papers fixes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterOptions {
    /// Instantiations of a generic class under test, and of a generic method; at least 1. Three, so that
    /// `String`, a boxed number and `Object` each appear.
    pub instantiations: usize,
    /// Steps from a test call to the types for which generators are still looked up without limit; beyond it
    /// only generators are used whose parameters are known types. `EvoSuite` goes 10 deep (`cluster_recursion`);
    /// values that far away hardly ever decide a branch.
    pub max_depth: usize,
    /// As `max_depth`, for methods that change an object. These multiply faster than generators.
    pub modifier_depth: usize,
    /// Number of types beside those of the test calls after which only generators with known types are added. The
    /// assignability matrix grows with its square.
    pub max_types: usize,
    /// Number of types beside those of the test calls after which nothing brings new ones, not even as its result:
    /// methods of Scala's collections return ever new parameterizations of each other.
    pub max_types_with_results: usize,
    /// Parameterizations of one generic class, at least 1, those of the test calls not counted against it. More
    /// only scatter the objects of a test over types that do not fit each other.
    pub max_parameterizations: usize,
    /// Generators per type and source of generators (its own members, subtypes, factories), at least 1. A uniform
    /// draw among more rarely finds the useful one.
    pub max_generators: usize,
    /// Methods per type outside the goal classes that change an object.
    pub max_modifiers: usize,
    /// Subtypes per type that are used to make it, at least 1.
    pub max_subtypes: usize,
    /// Depth of nested type arguments, at least 1: `List<List<String>>` has 2. `EvoSuite`'s `max_generic_depth`.
    pub max_type_nesting: usize,
    /// Largest package of the class path that is searched for factories, in classes. Bounds the classes read.
    pub max_package_classes: usize,
    /// Types that may stand where `Object` is wanted. They are drawn uniformly.
    pub max_object_types: usize,
}

impl Default for ClusterOptions {
    fn default() -> Self {
        Self {
            instantiations: 3,
            max_depth: 4,
            modifier_depth: 2,
            max_types: 250,
            max_types_with_results: 500,
            max_parameterizations: 6,
            max_generators: 12,
            max_modifiers: 32,
            max_subtypes: 6,
            max_type_nesting: 3,
            max_package_classes: 400,
            max_object_types: 24,
        }
    }
}

/// Steps from a test call to what it takes.
const DEPTH_OF_INPUTS: usize = 1;

/// Whose cluster is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterRequest {
    /// The class that the tests are for, top-level or nested. Tests lie in its package if they
    /// can ([`ClassHierarchy::package_of_tests`]).
    pub class_under_test: ClassName,
    /// All classes whose code holds the goals, in any order, the class under test among them.
    pub goal_classes: Vec<ClassName>,
}

/// Why a class cannot be tested.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ClusterError {
    /// No such class.
    #[error("{} is not on the class path", .0.binary())]
    NotFound(ClassName),
    /// Its class file cannot be read.
    #[error("{} cannot be read: {error}", class.binary())]
    Malformed {
        /// The class.
        class: ClassName,
        /// What is wrong.
        error: ClassFileError,
    },
    /// An annotation interface has no code.
    #[error("{} is an annotation, which has no code to test", .0.binary())]
    Annotation(ClassName),
    /// The JVM could not load it.
    #[error(
        "{} cannot be loaded: it needs {}, which is not on the class path",
        class.binary(),
        missing.binary()
    )]
    MissingSupertype {
        /// The class.
        class: ClassName,
        /// The superclass or superinterface.
        missing: ClassName,
    },
    /// Nothing that a test could call.
    #[error("{} has no constructor, method or field that a test in its package may use{}", class.binary(), because(cause.as_ref()))]
    NoMember {
        /// The class.
        class: ClassName,
        /// Why, where that is known.
        cause: Option<NoMember>,
    },
}

/// Why a test can call nothing of a class.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoMember {
    /// Neither the class nor one around it has a name that a test may use.
    #[error("no test can name it, nor a class around it")]
    Unnamed,
    /// An interface with nothing but declarations.
    #[error("it is an interface without code")]
    Interface,
    /// An abstract class without subclasses.
    #[error("it is abstract, and no class on the class path extends it")]
    Abstract,
    /// It has members, but what they need cannot be had; what was left out first.
    #[error("{0}")]
    LeftOut(String),
}

fn because(cause: Option<&NoMember>) -> String {
    cause.map_or_else(String::new, |cause| format!(": {cause}"))
}

/// Builds the test cluster of a class.
///
/// `referenced_types` are the types that the goal classes cast to, check for by `instanceof` or catch, then those that
/// the methods they call check for: candidates wherever `Object`, a type variable or an interface like `Comparable`
/// stands.
///
/// # Errors
/// When the class under test cannot be tested at all. Whatever else cannot be used is left out and named in
/// [`TestCluster::diagnostics`].
pub fn build(
    hierarchy: &ClassHierarchy,
    request: &ClusterRequest,
    constants: StaticConstants,
    referenced_types: &[ErasedType],
    options: &ClusterOptions,
) -> Result<TestCluster, ClusterError> {
    check_loadable(hierarchy, &request.class_under_test)?;
    let package = hierarchy.package_of_tests(&request.class_under_test);
    let world = World::new(hierarchy, &package, &request.goal_classes, referenced_types);
    let mut builder = Builder::new(&world, options, request, referenced_types);
    builder.collect_test_calls();
    builder.types.forget_parameterizations();
    builder.types_of_test_calls = builder.types.len();
    builder.want_inputs_of_test_calls();
    builder.drain();
    builder.find_calls_to_pass_to();
    builder.drain();
    builder.find_makers_of_the_rest();
    let cluster = builder.finish(constants);
    if cluster.test_calls.is_empty() {
        let class = request.class_under_test.clone();
        let cause = why_no_member(&world, &class, &cluster.diagnostics);
        return Err(ClusterError::NoMember { class, cause });
    }
    Ok(cluster)
}

fn why_no_member(world: &World<'_>, class: &ClassName, diagnostics: &[String]) -> Option<NoMember> {
    let info = world.hierarchy.class(class);
    let is = |test: fn(&ClassInfo) -> bool| info.as_ref().is_some_and(|info| test(info));
    let is_abstract = is(|info| info.access.is_abstract() && !info.is_interface());
    if is_abstract && world.hierarchy.direct_subtypes(class).is_empty() {
        Some(NoMember::Abstract)
    } else if let Some(first) = diagnostics.first() {
        Some(NoMember::LeftOut(first.clone()))
    } else if is(ClassInfo::is_interface) {
        Some(NoMember::Interface)
    } else {
        (!world.access.class(class)).then_some(NoMember::Unnamed)
    }
}

fn check_loadable(hierarchy: &ClassHierarchy, name: &ClassName) -> Result<(), ClusterError> {
    let class = match hierarchy.read(name) {
        None => return Err(ClusterError::NotFound(name.clone())),
        Some(Err(error)) => return Err(ClusterError::Malformed { class: name.clone(), error }),
        Some(Ok(class)) => class,
    };
    if class.kind == ClassKind::Annotation {
        return Err(ClusterError::Annotation(name.clone()));
    }
    match hierarchy.supertypes(name).iter().find(|sup| hierarchy.class(sup).is_none()) {
        Some(missing) => {
            Err(ClusterError::MissingSupertype { class: name.clone(), missing: missing.clone() })
        }
        None => Ok(()),
    }
}

/// Something the cluster needs, waiting for its turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Need {
    pub(super) ty: TypeId,
    /// Steps from a test call.
    pub(super) depth: usize,
    /// Whether values are to be made; otherwise only what changes and tells of them is looked up.
    pub(super) make: bool,
}

/// Whether new types may be added for a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// They may, without limit: for test calls.
    Free,
    /// They may, up to a number of parameterizations per class.
    Open,
    /// Only members are used whose parameters are known types.
    Closed,
}

/// A cluster under construction.
#[derive(Debug)]
pub(super) struct Builder<'a> {
    pub(super) world: &'a World<'a>,
    /// By class, what its methods give that a test may call on objects of it.
    pub(super) giving: Lookup<ClassName, Rc<[(usize, ClassName)]>>,
    pub(super) purity: Purity<'a>,
    pub(super) sizes: Sizes<'a>,
    pub(super) options: &'a ClusterOptions,
    pub(super) request: &'a ClusterRequest,
    pub(super) referenced: &'a [ErasedType],
    pub(super) types: TypeTable,
    /// How many types the test calls brought.
    pub(super) types_of_test_calls: usize,
    pub(super) callables: Vec<Callable>,
    pub(super) callable_ids: Lookup<CallableKey, CallableId>,
    pub(super) fields: Vec<Field>,
    pub(super) field_ids: Lookup<(TypeId, ClassName, Arc<str>), FieldId>,
    pub(super) stubs: Vec<Stub>,
    pub(super) stub_ids: Lookup<StubKey, StubId>,
    /// Read when it is first asked for.
    pub(super) called: Option<Called>,
    /// Likewise.
    pub(super) read_fields: Option<ReadFields>,
    pub(super) member_ids: Lookup<(ClassName, Arc<str>, Arc<str>), MemberId>,
    pub(super) test_calls: Vec<Vec<Call>>,
    pub(super) groups: Lookup<(ClassName, Arc<str>, Arc<str>), usize>,
    /// By type; shorter than the types when the last ones have none.
    pub(super) generators: Vec<Vec<Generator>>,
    pub(super) modifiers: Vec<Vec<Call>>,
    pub(super) inspectors: Vec<Vec<CallableId>>,
    pub(super) public_fields: Vec<Vec<FieldId>>,
    pub(super) queue: VecDeque<Need>,
    pub(super) made: BTreeSet<TypeId>,
    pub(super) used: BTreeSet<TypeId>,
    /// By class, what a test may call on objects of it.
    pub(super) methods_of_objects: Lookup<ClassName, MethodsOfObjects>,
    pub(super) packages: Lookup<String, Rc<[Producer]>>,
    pub(super) subtypes: Lookup<ClassName, Rc<[Arc<ClassInfo>]>>,
    pub(super) diagnostics: Vec<String>,
}

impl<'a> Builder<'a> {
    fn new(
        world: &'a World<'a>,
        options: &'a ClusterOptions,
        request: &'a ClusterRequest,
        referenced: &'a [ErasedType],
    ) -> Self {
        let files = Rc::new(CodeFiles::new(world.hierarchy));
        Self {
            world,
            giving: Lookup::default(),
            purity: Purity::of(Rc::clone(&files)),
            sizes: Sizes::of(files),
            options,
            request,
            referenced,
            types: TypeTable::new(),
            types_of_test_calls: 0,
            callables: Vec::new(),
            callable_ids: Lookup::default(),
            fields: Vec::new(),
            field_ids: Lookup::default(),
            stubs: Vec::new(),
            stub_ids: Lookup::default(),
            called: None,
            read_fields: None,
            member_ids: Lookup::default(),
            test_calls: Vec::new(),
            groups: Lookup::default(),
            generators: Vec::new(),
            modifiers: Vec::new(),
            inspectors: Vec::new(),
            public_fields: Vec::new(),
            queue: VecDeque::new(),
            made: BTreeSet::new(),
            used: BTreeSet::new(),
            methods_of_objects: Lookup::default(),
            packages: Lookup::default(),
            subtypes: Lookup::default(),
            diagnostics: Vec::new(),
        }
    }

    /// Queues a type whose values must be made.
    pub(super) fn want(&mut self, ty: TypeId, depth: usize) {
        if self.made.insert(ty) {
            self.queue.push_back(Need { ty, depth, make: true });
        }
        self.know(ty, depth);
    }

    /// Queues a type of which there may be variables.
    pub(super) fn know(&mut self, ty: TypeId, depth: usize) {
        if self.used.insert(ty) {
            self.queue.push_back(Need { ty, depth, make: false });
        }
    }

    /// Looks up what is queued, until nothing is.
    pub(super) fn drain(&mut self) {
        while let Some(need) = self.queue.pop_front() {
            if need.make {
                self.make(need.ty, need.depth);
            } else {
                self.modify(need.ty, need.depth);
            }
        }
    }

    /// Whether members found at this depth may bring new types.
    pub(super) fn room(&self, depth: usize, limit: usize) -> Room {
        let open = depth <= limit && self.new_types() < self.options.max_types;
        if open { Room::Open } else { Room::Closed }
    }

    /// As [`Builder::room`], for members that make values. What the test calls themselves take is made, however many
    /// types that are.
    pub(super) fn room_to_make(&self, depth: usize) -> Room {
        if depth <= DEPTH_OF_INPUTS { Room::Open } else { self.room(depth, self.options.max_depth) }
    }

    /// Types beside those of the test calls.
    pub(super) fn new_types(&self) -> usize {
        self.types.len().saturating_sub(self.types_of_test_calls)
    }

    /// The class, if it can be read.
    pub(super) fn class(&self, name: &ClassName) -> Option<Arc<ClassInfo>> {
        self.world.hierarchy.class(name)
    }

    /// Whether the class comes from the class path, not from the platform.
    pub(super) fn is_project(&self, name: &ClassName) -> bool {
        self.world.hierarchy.source().is_on_class_path(name)
    }

    /// Interns a type that is concrete and in its normal form.
    pub(super) fn intern(&mut self, generic: &GenericType) -> TypeId {
        self.types.intern(&self.world.access, generic)
    }

    /// Notes what could not be used, once.
    pub(super) fn diagnose(&mut self, sentence: String) {
        if !self.diagnostics.contains(&sentence) {
            self.diagnostics.push(sentence);
        }
    }

    /// Adds a generator once.
    pub(super) fn push_generator(&mut self, ty: TypeId, generator: Generator) {
        let slot = slot(&mut self.generators, ty);
        if generator != Generator::Of(ty) && !slot.contains(&generator) {
            slot.push(generator);
        }
    }

    /// Adds a call that changes an object, once.
    pub(super) fn push_modifier(&mut self, ty: TypeId, call: Call) {
        let slot = slot(&mut self.modifiers, ty);
        if !slot.contains(&call) {
            slot.push(call);
        }
    }

    /// Adds a method that only tells, once.
    pub(super) fn push_inspector(&mut self, ty: TypeId, callable: CallableId) {
        let slot = slot(&mut self.inspectors, ty);
        if !slot.contains(&callable) {
            slot.push(callable);
        }
    }

    /// Adds a public field, once.
    pub(super) fn push_public_field(&mut self, ty: TypeId, field: FieldId) {
        let slot = slot(&mut self.public_fields, ty);
        if !slot.contains(&field) {
            slot.push(field);
        }
    }
}

/// The list of a type, made when it is not there yet.
fn slot<T>(lists: &mut Vec<Vec<T>>, ty: TypeId) -> &mut Vec<T> {
    if lists.len() <= ty.index() {
        lists.resize_with(ty.index() + 1, Vec::new);
    }
    &mut lists[ty.index()]
}
