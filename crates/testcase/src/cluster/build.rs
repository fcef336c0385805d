//! Building the test cluster of a class from class files alone.
//!
//! What stays the same is the [`super::world`], and what its classes offer the [`super::catalogue`]. On these two, steps add
//! to the [`super::members`], to [`super::stubs`] and to what belongs to each type ([`super::belongings`]):
//!
//! 1. [`super::test_calls`]: the members of the goal classes, instantiated, and what reaches those that a test may
//!    not name.
//! 2. [`super::generators`], [`super::modifiers`], [`super::passing`]: breadth first from what these need, ways to make and to change
//!    values, bounded by depth and number.
//! 3. [`super::finish`]: what cannot be made is dropped, the rest numbered densely.
//!
//! The order of everything follows from names and declarations: the same class path gives the same cluster.

use std::rc::Rc;

use bytecode::class_file::ClassFileError;
use bytecode::class_info::{ClassInfo, ClassKind};
use bytecode::code_files::CodeFiles;
use bytecode::descriptor::ErasedType;
use bytecode::fleeting::Fleeting;
use bytecode::hierarchy::ClassHierarchy;
use bytecode::name::ClassName;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::belongings::Belongings;
use super::catalogue::Catalogue;
use super::contexts::Context;
use super::injected::Injected;
use super::keyed::Entry;
use super::members::Members;
use super::needs::Needs;
use super::stubs::Stubs;
use super::test_calls::TestCalls;
use super::world::World;
use super::{CallableId, StaticConstants, TestCluster};

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
    /// Number of types after which only generators with known types are added: beside those of the test calls, and once more for
    /// what stands for collaborators. The assignability matrix grows with its square.
    pub max_types: usize,
    /// Number of types after which nothing brings new ones, not even as its result, counted likewise:
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
    /// What tests may make mocks of.
    pub mockable: Mockable,
}

/// What tests may make mocks of: objects of classes whose constructor does not run, and all of whose methods are told what to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Mockable {
    /// Nothing: tests have no Mockito.
    #[default]
    Nothing,
    /// Classes that may be extended.
    Open,
    /// Final classes and methods as well, as from Mockito 5 on, whose matchers take all arguments of a variable number together.
    Final,
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
            mockable: Mockable::Nothing,
        }
    }
}

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
    let world = World::new(hierarchy, request, referenced_types, options);
    let mut builder = Builder::new(&world);
    builder.collect_test_calls();
    builder.members.types.count_anew();
    builder.want_inputs_of_test_calls();
    builder.drain();
    builder.find_calls_to_pass_to();
    builder.find_contexts();
    builder.drain();
    builder.collect_entries();
    builder.find_makers_of_the_rest();
    // Mocks and subclasses of collaborators answer what the code under test asks of them, so their types are close to it: the room that
    // others took is no reason to leave them out.
    builder.members.types.count_anew();
    builder.make_mocks();
    builder.make_overriding();
    builder.make_paths();
    builder.make_settings();
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

/// A cluster under construction, in the order in which its parts need each other.
#[derive(Debug)]
pub(super) struct Builder<'a> {
    pub(super) world: &'a World<'a>,
    /// What classes have to offer.
    pub(super) catalogue: Catalogue<'a>,
    /// What was collected: callables, fields and their types.
    pub(super) members: Members<'a>,
    pub(super) stubs: Stubs<'a>,
    /// What belongs to each type.
    pub(super) belongings: Belongings,
    pub(super) test_calls: TestCalls,
    /// What asks for the present moment or for chance.
    pub(super) fleeting: Fleeting<'a>,
    /// What is still to be looked up.
    pub(super) needs: Needs,
    /// For [`TestCluster::entries`].
    pub(super) entries: Vec<Entry>,
    /// For [`TestCluster::settings`].
    pub(super) settings: Vec<CallableId>,
    /// For [`TestCluster::injected`].
    pub(super) injected: Injected,
    /// For [`TestCluster::contexts`].
    pub(super) contexts: Vec<Context>,
    /// For [`TestCluster::steadying`].
    pub(super) steadying: Vec<CallableId>,
    pub(super) diagnostics: Vec<String>,
}

impl<'a> Builder<'a> {
    fn new(world: &'a World<'a>) -> Self {
        let files = Rc::new(CodeFiles::new(world.hierarchy));
        Self {
            world,
            catalogue: Catalogue::new(world, Rc::clone(&files)),
            members: Members::new(world, Rc::clone(&files)),
            stubs: Stubs::new(world),
            belongings: Belongings::default(),
            test_calls: TestCalls::default(),
            fleeting: Fleeting::of(files),
            needs: Needs::default(),
            entries: Vec::new(),
            settings: Vec::new(),
            injected: Injected::default(),
            contexts: Vec::new(),
            steadying: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// Looks up what is queued, until nothing is.
    pub(super) fn drain(&mut self) {
        while let Some(need) = self.needs.next() {
            if need.make {
                self.make(need.ty, need.depth);
            } else {
                self.modify(need.ty, need.depth);
            }
        }
    }

    /// Notes what could not be used, once.
    pub(super) fn diagnose(&mut self, sentence: String) {
        if !self.diagnostics.contains(&sentence) {
            self.diagnostics.push(sentence);
        }
    }
}
