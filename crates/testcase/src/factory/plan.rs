//! What the factory looks up again and again, computed once from the cluster.

use std::collections::BTreeSet;

use bytecode::descriptor::{ErasedType, PrimitiveType};
use bytecode::signature::GenericType;

use crate::cluster::cost::{UNMAKEABLE, class_literals, cost_in, creation_costs};
use crate::cluster::{Call, Callable, CallableId, CallableKind, Generator, TestCluster, TypeId};

/// How a value of a type is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A literal of a primitive type.
    Primitive(PrimitiveType),
    /// A literal in its box.
    Boxed(PrimitiveType),
    /// A string literal.
    String,
    /// An array of this element type.
    Array(TypeId),
    /// A constant of an enum class.
    Enum,
    /// A class literal.
    ClassLiteral,
    /// One of the generators.
    Object,
}

/// The generators of a type, parted.
#[derive(Debug, Default)]
pub(super) struct Ways {
    /// Calls that make a file in the folder of the test.
    pub(super) in_folder: Vec<Generator>,
    /// Methods of an object of the same class, or of a class within it.
    pub(super) derived: Vec<Generator>,
    /// Calls that make what holds the present moment, or something random.
    pub(super) fleeting: Vec<Generator>,
    /// All others.
    pub(super) direct: Vec<Generator>,
}

/// Lookup tables over the types of a cluster.
#[derive(Debug)]
pub(super) struct Plan {
    /// By type.
    shapes: Vec<Shape>,
    /// Bits by wanted type: which types fit.
    fits: Vec<u64>,
    words: usize,
    /// By type: the generator that leads to a value on the shortest way.
    shortest: Vec<Option<Generator>>,
    /// By type: its generators, parted. All empty unless there are some of the last kind and some of another.
    ways: Vec<Ways>,
    /// Calls that make the path of a file in the folder of the test.
    paths: Vec<Generator>,
    /// By type: generators that tests of the project use, unless they use all.
    used: Vec<Vec<Generator>>,
    /// By type: classes whose literals are of the type.
    literals: Vec<Vec<TypeId>>,
    /// By type: calls that put something into a new object.
    fillers: Vec<Vec<CallableId>>,
    /// By type: whether there are calls on its objects, or it is an array type.
    modifiable: Vec<bool>,
}

impl Plan {
    /// The tables; `last_stubs` if stubs are for types alone that nothing else makes.
    pub(super) fn new(cluster: &TestCluster, last_stubs: bool) -> Self {
        let count = cluster.types.len();
        let words = count.div_ceil(64);
        let mut fits = vec![0; words * count];
        for from in 0..count {
            for to in 0..count {
                if cluster.is_assignable(TypeId::from(from), TypeId::from(to)) {
                    fits[to * words + from / 64] |= 1 << (from % 64);
                }
            }
        }
        let costs = creation_costs(cluster);
        let shortest = |index: usize| {
            let generators = cluster.generators(TypeId::from(index)).iter().copied();
            let priced = generators.map(|generator| (cost_in(cluster, &costs, generator), generator));
            let is_last = |way: &Generator| last_stubs && matches!(way, Generator::Stub(_));
            // The first of equals, in the order of the cluster.
            let best = priced.min_by_key(|(cost, way)| (*cost == UNMAKEABLE, is_last(way), *cost));
            best.filter(|(cost, _)| *cost != UNMAKEABLE).map(|(_, generator)| generator)
        };
        let literals = class_literals(&cluster.types);
        let ids = || (0..count).map(TypeId::from);
        let builders = builders(cluster);
        Self {
            shapes: ids().map(|id| shape(cluster, id, !literals[id.index()].is_empty())).collect(),
            fits,
            words,
            shortest: (0..count).map(shortest).collect(),
            ways: ids().map(|id| ways(cluster, id)).collect(),
            paths: paths(cluster),
            used: ids().map(|id| used(cluster, id)).collect(),
            fillers: ids().map(|id| fillers(cluster, id, builders.contains(&id))).collect(),
            modifiable: ids()
                .map(|id| !cluster.modifiers(id).is_empty() || cluster.ty(id).element.is_some())
                .collect(),
            literals,
        }
    }

    pub(super) fn shape(&self, ty: TypeId) -> Shape {
        self.shapes[ty.index()]
    }

    /// Whether a variable of type `from` may stand where `wanted` is.
    pub(super) fn fits(&self, wanted: TypeId, from: TypeId) -> bool {
        let from = from.index();
        self.fits[wanted.index() * self.words + from / 64] >> (from % 64) & 1 == 1
    }

    pub(super) fn shortest(&self, ty: TypeId) -> Option<Generator> {
        self.shortest[ty.index()]
    }

    pub(super) fn ways(&self, ty: TypeId) -> &Ways {
        &self.ways[ty.index()]
    }

    /// Calls that make the path of a file in the folder of the test; none where nothing takes one.
    pub(super) fn paths(&self) -> &[Generator] {
        &self.paths
    }

    /// Generators of a type that tests of the project use; empty where that is no choice.
    pub(super) fn used(&self, ty: TypeId) -> &[Generator] {
        &self.used[ty.index()]
    }

    pub(super) fn literals(&self, ty: TypeId) -> &[TypeId] {
        &self.literals[ty.index()]
    }

    pub(super) fn fillers(&self, ty: TypeId) -> &[CallableId] {
        &self.fillers[ty.index()]
    }

    pub(super) fn is_modifiable(&self, ty: TypeId) -> bool {
        self.modifiable[ty.index()]
    }

    /// Whether values of the type are single literals, which are made anew as often as they are reused.
    pub(super) fn is_literal(&self, ty: TypeId) -> bool {
        match self.shape(ty) {
            Shape::Primitive(_) | Shape::Boxed(_) | Shape::String | Shape::Enum | Shape::ClassLiteral => true,
            Shape::Array(_) | Shape::Object => false,
        }
    }
}

fn shape(cluster: &TestCluster, id: TypeId, has_literals: bool) -> Shape {
    if let Some(primitive) = id.as_primitive() {
        return Shape::Primitive(primitive);
    }
    if let Some(primitive) = id.as_boxed() {
        return Shape::Boxed(primitive);
    }
    let ty = cluster.ty(id);
    if id == TypeId::STRING {
        Shape::String
    } else if let Some(element) = ty.element {
        Shape::Array(element)
    } else if !ty.enum_constants.is_empty() {
        Shape::Enum
    } else if has_literals {
        Shape::ClassLiteral
    } else {
        Shape::Object
    }
}

fn ways(cluster: &TestCluster, of: TypeId) -> Ways {
    let ErasedType::Class(made) = &cluster.ty(of).erased else { return Ways::default() };
    let derives = |generator: &Generator| {
        let Generator::Callable(id) = generator else { return false };
        let callable = cluster.callable(*id);
        let ErasedType::Class(owner) = &cluster.ty(callable.owner).erased else { return false };
        callable.kind == CallableKind::InstanceMethod
            && owner.is_in_nest_of(made)
            && !cluster.goal_classes.contains(owner)
    };
    let (in_folder, others): (Vec<Generator>, Vec<Generator>) =
        cluster.generators(of).iter().partition(|generator| cluster.is_in_folder(generator));
    let (derived, direct): (Vec<Generator>, Vec<Generator>) = others.iter().partition(|way| derives(way));
    let (fleeting, direct): (Vec<Generator>, Vec<Generator>) =
        direct.iter().partition(|way| cluster.is_fleeting(**way));
    if direct.is_empty() || in_folder.is_empty() && derived.is_empty() && fleeting.is_empty() {
        Ways::default()
    } else {
        Ways { in_folder, derived, fleeting, direct }
    }
}

fn paths(cluster: &TestCluster) -> Vec<Generator> {
    let strings = cluster.generators(TypeId::STRING).iter();
    strings.filter(|generator| cluster.is_in_folder(generator)).copied().collect()
}

fn used(cluster: &TestCluster, of: TypeId) -> Vec<Generator> {
    let all = cluster.generators(of);
    let is_used = |generator: &&Generator| matches!(generator, Generator::Callable(id) if cluster.is_called_by_tests(*id));
    let used: Vec<Generator> = all.iter().filter(is_used).copied().collect();
    if used.len() == all.len() { Vec::new() } else { used }
}

/// How names of methods begin that put something into an object.
const FILLING: [&str; 6] = ["add", "put", "append", "push", "setProperty", "setAttribute"];

/// Types whose objects are asked for one of another type when they were told what it is to be like.
fn builders(cluster: &TestCluster) -> BTreeSet<TypeId> {
    let generators = cluster.generators.iter().flatten();
    let callables = generators.filter_map(|generator| match generator {
        Generator::Callable(id) => Some(cluster.callable(*id)),
        Generator::Field(_) | Generator::Of(_) | Generator::Stub(_) => None,
    });
    let builds = |callable: &&Callable| {
        callable.kind == CallableKind::InstanceMethod
            && callable.parameters.is_empty()
            && callable.result != Some(callable.owner)
    };
    callables.filter(builds).map(|callable| callable.owner).collect()
}

/// Calls that put something into a new object of a class outside the goals: by their name, those of a builder that
/// return it, and those that tests of the project make.
fn fillers(cluster: &TestCluster, of: TypeId, is_builder: bool) -> Vec<CallableId> {
    let is_goal = match &cluster.ty(of).generic {
        GenericType::Class(class) => cluster.goal_classes.contains(&class.name),
        GenericType::Primitive(_) | GenericType::Array(_) | GenericType::Variable(_) => false,
    };
    let filling = |call: &Call| match call {
        Call::Callable(id) => {
            let callable = cluster.callable(*id);
            let fills = FILLING.iter().any(|prefix| callable.name.starts_with(prefix))
                || is_builder && callable.result == Some(of)
                || cluster.is_called_by_tests(*id);
            (fills && !callable.parameters.is_empty()).then_some(*id)
        }
        Call::Read(_) | Call::Write(_) | Call::Implement(_) => None,
    };
    if is_goal { Vec::new() } else { cluster.modifiers(of).iter().filter_map(filling).collect() }
}
