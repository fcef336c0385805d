//! What the factory looks up again and again, computed once from the cluster.

use std::collections::BTreeSet;

use bytecode::descriptor::{ErasedType, PrimitiveType};
use bytecode::signature::GenericType;

use super::entries::{Place, places};
use crate::cluster::cost::{UNMAKEABLE, class_literals, cost_in, creation_costs};
use crate::cluster::{Call, Callable, CallableId, CallableKind, FieldId, Generator, TestCluster, TypeId};

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
    /// Constants that the code reads, of types of whose values it holds some by name.
    pub(super) read: Vec<Generator>,
    /// All others.
    pub(super) direct: Vec<Generator>,
}

/// Calls that put something into a new object.
#[derive(Debug, Default)]
pub(super) struct Fillers {
    /// Those of an object of the goals, which hand it what it works with.
    pub(super) injecting: Vec<CallableId>,
    /// How a container hands it what it works with.
    pub(super) injected: Vec<Call>,
    /// All of any other object.
    pub(super) all: Vec<CallableId>,
    /// Those that set what the code under test asks for, or put something under a key that it looks under.
    pub(super) asked: Vec<CallableId>,
    /// Those that together set all that the object may be asked for, one of each name: where that is more than [`MAX_EACH`], what the code
    /// asks for. Empty where that is one call.
    pub(super) each: Vec<CallableId>,
}

impl Fillers {
    /// Whether a call is one of them.
    pub(super) fn contain(&self, call: CallableId) -> bool {
        self.injecting.contains(&call) || self.all.contains(&call)
    }
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
    /// By type: enum constants that the code reads; empty where that is no choice.
    read_enum_constants: Vec<Vec<FieldId>>,
    /// By type: classes whose literals are of the type.
    literals: Vec<Vec<TypeId>>,
    /// By type: calls that put something into a new object.
    fillers: Vec<Fillers>,
    /// By callable: where it takes a key, and what lies under it; none at all where the code looks for nothing under keys.
    places: Vec<Vec<Place>>,
    /// By type: whether there are calls on its objects, or it is an array type.
    modifiable: Vec<bool>,
}

impl Plan {
    /// The tables; `even` if no way to make a value is preferred, and stubs are for types alone that nothing else makes.
    pub(super) fn new(cluster: &TestCluster, even: bool) -> Self {
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
            let is_last = |way: &Generator| even && matches!(way, Generator::Stub(_));
            // The first of equals, in the order of the cluster.
            let best = priced.min_by_key(|(cost, way)| (*cost == UNMAKEABLE, is_last(way), *cost));
            best.filter(|(cost, _)| *cost != UNMAKEABLE).map(|(_, generator)| generator)
        };
        let literals = class_literals(&cluster.types);
        let ids = || (0..count).map(TypeId::from);
        let ways: Vec<Ways> = ids().map(|id| ways(cluster, id, even)).collect();
        let read_enum_constants: Vec<Vec<FieldId>> =
            ids().map(|id| if even { Vec::new() } else { read_enum_constants(cluster, id) }).collect();
        let is_key =
            |id: TypeId| !ways[id.index()].read.is_empty() || !read_enum_constants[id.index()].is_empty();
        let places =
            if even { Vec::new() } else { places(cluster, |wanted, from| is_in(&fits, words, wanted, from)) };
        let asked = |id: CallableId| {
            let is_placed = places.get(id.index()).is_some_and(|places: &Vec<Place>| !places.is_empty());
            !even && (is_placed || cluster.sets_what_is_asked(id))
        };
        let keys = ids().filter(|id| is_key(*id)).collect();
        let filling = Filling { builders: builders(cluster), keys, asked, injects: !even };
        let fillers = ids().map(|id| filling.fillers(cluster, id)).collect();
        Self {
            shapes: ids().map(|id| shape(cluster, id, !literals[id.index()].is_empty())).collect(),
            fillers,
            places,
            fits,
            words,
            shortest: (0..count).map(shortest).collect(),
            paths: paths(cluster),
            used: ids().map(|id| used(cluster, id)).collect(),
            modifiable: ids()
                .map(|id| !cluster.modifiers(id).is_empty() || cluster.ty(id).element.is_some())
                .collect(),
            ways,
            read_enum_constants,
            literals,
        }
    }

    pub(super) fn shape(&self, ty: TypeId) -> Shape {
        self.shapes[ty.index()]
    }

    /// Whether a variable of type `from` may stand where `wanted` is.
    pub(super) fn fits(&self, wanted: TypeId, from: TypeId) -> bool {
        is_in(&self.fits, self.words, wanted, from)
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

    /// Constants of a type that the code reads; of enum classes [`Plan::read_enum_constants`].
    pub(super) fn read_constants(&self, ty: TypeId) -> &[Generator] {
        &self.ways[ty.index()].read
    }

    /// Enum constants of a type that the code reads; empty where that is no choice.
    pub(super) fn read_enum_constants(&self, ty: TypeId) -> &[FieldId] {
        &self.read_enum_constants[ty.index()]
    }

    pub(super) fn literals(&self, ty: TypeId) -> &[TypeId] {
        &self.literals[ty.index()]
    }

    pub(super) fn fillers(&self, ty: TypeId) -> &Fillers {
        &self.fillers[ty.index()]
    }

    pub(super) fn places(&self, callable: CallableId) -> &[Place] {
        self.places.get(callable.index()).map_or(&[], Vec::as_slice)
    }

    pub(super) fn is_modifiable(&self, ty: TypeId) -> bool {
        self.modifiable[ty.index()]
    }

    /// Whether values of the type are single literals or constants, which are made anew as often as they are reused.
    pub(super) fn is_literal(&self, ty: TypeId) -> bool {
        match self.shape(ty) {
            Shape::Primitive(_) | Shape::Boxed(_) | Shape::String | Shape::Enum | Shape::ClassLiteral => true,
            Shape::Object => !self.read_constants(ty).is_empty(),
            Shape::Array(_) => false,
        }
    }
}

/// Whether a type fits another, in rows of so many words.
fn is_in(fits: &[u64], words: usize, wanted: TypeId, from: TypeId) -> bool {
    fits[wanted.index() * words + from.index() / 64] >> (from.index() % 64) & 1 == 1
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

fn ways(cluster: &TestCluster, of: TypeId, even: bool) -> Ways {
    let erased = &cluster.ty(of).erased;
    let ErasedType::Class(made) = erased else { return Ways::default() };
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
    let is_read = |generator: &&Generator| match generator {
        Generator::Field(id) => {
            cluster.is_read_by_code(*id) && cluster.ty(cluster.field(*id).of).erased == *erased
        }
        Generator::Callable(_) | Generator::Of(_) | Generator::Stub(_) => false,
    };
    let none = even || cluster.goal_classes.contains(made);
    let read: Vec<Generator> = direct.iter().filter(|_| !none).filter(is_read).copied().collect();
    let is_parted = [&in_folder, &derived, &fleeting, &read].iter().any(|part| !part.is_empty());
    if direct.is_empty() || !is_parted {
        Ways::default()
    } else {
        Ways { in_folder, derived, fleeting, read, direct }
    }
}

/// Constants of an enum class that the code reads, of a class outside the goals.
fn read_enum_constants(cluster: &TestCluster, of: TypeId) -> Vec<FieldId> {
    let constants = &cluster.ty(of).enum_constants;
    let is_read = |constant: &&FieldId| cluster.is_read_by_code(**constant);
    let read: Vec<FieldId> = constants.iter().filter(is_read).copied().collect();
    if read.len() == constants.len() { Vec::new() } else { read }
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

/// Most calls by which an object is given all that it may be asked for.
const MAX_EACH: usize = 16;

/// Types whose objects are asked for one of another type when they were told what it is to be like.
fn builders(cluster: &TestCluster) -> BTreeSet<TypeId> {
    let generators = cluster.generators.iter().flatten();
    let callables = generators.filter_map(|generator| match generator {
        Generator::Callable(id) => Some(cluster.callable(*id)),
        Generator::Field(_) | Generator::Of(_) | Generator::Stub(_) => None,
    });
    callables.filter(|callable| callable.builds()).map(|callable| callable.owner).collect()
}

/// The call, if it hands an object of the goals another one to work with: `setRepository(Repository)`.
fn injection(cluster: &TestCluster, call: Call) -> Option<CallableId> {
    let Call::Callable(id) = call else { return None };
    let callable = cluster.callable(id);
    let [parameter] = callable.parameters.as_slice() else { return None };
    let of = cluster.ty(parameter.of);
    let is_object =
        parameter.of.index() >= TypeId::WELL_KNOWN && of.element.is_none() && of.enum_constants.is_empty();
    let sets = callable.kind == CallableKind::InstanceMethod && callable.name.starts_with("set");
    (is_object && sets).then_some(id)
}

/// Of calls with one name the one that takes the least; where they are more than [`MAX_EACH`], those that set what the code asks for. None
/// if they are one alone, or still more.
fn one_of_each_name(
    cluster: &TestCluster,
    calls: impl Iterator<Item = CallableId>,
    asked: &dyn Fn(CallableId) -> bool,
) -> Vec<CallableId> {
    let mut chosen: Vec<CallableId> = Vec::new();
    for call in calls {
        let (name, taken) = (&cluster.callable(call).name, cluster.callable(call).parameters.len());
        match chosen.iter_mut().find(|known| cluster.callable(**known).name == *name) {
            Some(known) if cluster.callable(*known).parameters.len() > taken => *known = call,
            Some(_) => {}
            None => chosen.push(call),
        }
    }
    if chosen.len() > MAX_EACH {
        chosen.retain(|call| asked(*call));
    }
    if (2..=MAX_EACH).contains(&chosen.len()) { chosen } else { Vec::new() }
}

/// What tells the calls that put something into an object.
#[derive(Debug)]
struct Filling<A> {
    /// Types whose objects are asked for one of another type when they were told what it is to be like.
    builders: BTreeSet<TypeId>,
    /// Types of which the code holds some values by name: what it asks for.
    keys: BTreeSet<TypeId>,
    /// Whether a call sets what the code asks for.
    asked: A,
    /// Whether objects of the goals are handed what they work with.
    injects: bool,
}

impl<A: Fn(CallableId) -> bool> Filling<A> {
    /// Calls that put something into a new object: into one of the goals what it works with, into all others by their name, those of a
    /// builder that return it, those that tests of the project make, those that set what the code asks for, and those that put something under a key
    /// (`dictionary.setItem(Names.BORDER, border)`).
    fn fillers(&self, cluster: &TestCluster, of: TypeId) -> Fillers {
        let is_goal = match &cluster.ty(of).generic {
            GenericType::Class(class) => cluster.goal_classes.contains(&class.name),
            GenericType::Primitive(_) | GenericType::Array(_) | GenericType::Variable(_) => false,
        };
        let gives_itself = |callable: &Callable| callable.result == Some(of);
        let is_injected = |call: &Call| match call {
            Call::Write(field) => cluster.injected.binary_search(field).is_ok(),
            Call::Callable(id) => cluster.injecting.binary_search(id).is_ok(),
            Call::Read(_) | Call::Implement(_) => false,
        };
        let calls = cluster.modifiers(of).iter().filter(|_| self.injects);
        let injected: Vec<Call> = calls.filter(|call| is_injected(call)).copied().collect();
        let filling = |call: &Call| match call {
            Call::Callable(id) => {
                let callable = cluster.callable(*id);
                let gives_itself = gives_itself(callable);
                let fills = FILLING.iter().any(|prefix| callable.name.starts_with(prefix))
                    || self.builders.contains(&of) && gives_itself
                    || (callable.result.is_none() || gives_itself) && self.takes_key(callable)
                    || cluster.is_called_by_tests(*id)
                    || (self.asked)(*id);
                (fills && !callable.parameters.is_empty()).then_some(*id)
            }
            Call::Read(_) | Call::Write(_) | Call::Implement(_) => None,
        };
        let all: Vec<CallableId> = cluster.modifiers(of).iter().filter_map(filling).collect();
        let setting = |id: &CallableId| (self.asked)(*id) && cluster.callable(*id).name.starts_with("set");
        let chained = |id: &CallableId| gives_itself(cluster.callable(*id));
        let is_builder = self.builders.contains(&of);
        let each = all.iter().filter(|id| if is_builder { chained(id) } else { setting(id) });
        let each = one_of_each_name(cluster, each.copied(), &self.asked);
        if is_goal {
            let calls = cluster.modifiers(of).iter().filter(|_| self.injects);
            let injecting: Vec<CallableId> = calls.filter_map(|call| injection(cluster, *call)).collect();
            let each = if is_builder {
                each
            } else {
                one_of_each_name(cluster, injecting.iter().copied(), &self.asked)
            };
            return Fillers { injecting, injected, each, ..Fillers::default() };
        }
        let asked = all.iter().copied().filter(|id| (self.asked)(*id)).collect();
        Fillers { injecting: Vec::new(), injected, all, asked, each }
    }

    /// Whether a call takes a key, and something beside it.
    fn takes_key(&self, callable: &Callable) -> bool {
        let keys = callable.parameters.iter().filter(|parameter| self.keys.contains(&parameter.of)).count();
        keys > 0 && keys < callable.parameters.len()
    }
}
