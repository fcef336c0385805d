//! Interfaces and abstract classes that a test implements itself.
//!
//! What is left to implement follows from the whole hierarchy (Java language specification §8.4.8, §9.4.1, §15.9.5):
//! of the methods with one name and the same parameter types, once the type variables stand for concrete types, the
//! declaration nearest in the superclasses decides, else the most specific ones of the interfaces.
//!
//! A method that has type parameters of its own is implemented with erased types (§8.4.2). Of a type with many abstract
//! methods those are scripted that the code under test calls, see [`super::uses`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytecode::access::Access;
use bytecode::class_info::{ClassInfo, ClassKind, MethodInfo};
use bytecode::descriptor::ErasedType;
use bytecode::identifier::is_identifier;
use bytecode::lookup::Lookup;
use bytecode::name::ClassName;
use bytecode::narrowed::NarrowedResult;
use bytecode::signature::{ClassType, GenericType, Substitution, TypeParameter};
use bytecode::subtyping::raw;

use super::build::Builder;
use super::denied;
use super::instantiate::Scope;
use super::members::{Members, Room};
use super::producers::Wanted;
use super::types::{nesting, normalized};
use super::world::World;
use super::{Call, Generator, Parameter, SilentMethod, Stub, StubId, StubKind, StubMethod, TypeId};

/// What makes two stubs the same.
type StubKey = (TypeId, StubKind);

/// Most abstract methods of a class of the class path that a script speaks for.
pub(super) const MAX_METHODS: usize = 12;
/// As [`MAX_METHODS`], for the classes under test: they cannot be tested otherwise.
const MAX_METHODS_OF_GOAL: usize = 40;
/// Where a class has more, the most of its abstract methods without a result that have a script: there is nothing to say of them, and
/// how they are called is written down.
const MAX_COMMANDS: usize = 24;
/// Most abstract methods of a class of the platform that a test implements where something else makes one: the platform
/// has implementations of its larger interfaces.
const MAX_METHODS_OF_PLATFORM: usize = 3;
/// Most abstract methods of a type that a test implements at all: `java.sql.ResultSet` has 139.
const MAX_ABSTRACT: usize = 160;
/// Constructors of an abstract class of the class path, outside the goals, that run below a stub; one of the
/// platform's.
const MAX_CONSTRUCTORS: usize = 2;
/// Unchecked exceptions that the code under test catches or checks for, and that a stub may throw.
const MAX_CAUGHT: usize = 4;

/// Most types to which the code casts what one method gives: each brings what it takes to make an object of it.
const MAX_NARROWED: usize = 8;

/// A method as one supertype declares it, with concrete types.
#[derive(Debug, Clone)]
pub(super) struct Declaration {
    pub(super) declared_in: Arc<ClassInfo>,
    /// Position among the methods of that class.
    index: usize,
    parameters: Vec<GenericType>,
    result: Option<GenericType>,
    exceptions: Vec<ClassName>,
    /// Whether the types are erased, since the method has type parameters of its own.
    pub(super) is_erased: bool,
}

/// The methods of a stub: those with a script, and all others.
pub(super) type Abstracts = (Vec<StubMethod>, Vec<SilentMethod>);

impl Declaration {
    pub(super) fn method(&self) -> &MethodInfo {
        &self.declared_in.methods[self.index]
    }

    fn is_abstract(&self) -> bool {
        self.method().access.is_abstract()
    }
}

/// Name and erased parameter types: declarations with the same ones override each other.
type Signature = (Arc<str>, Vec<ErasedType>);

/// The stubs of a cluster.
#[derive(Debug)]
pub(super) struct Stubs<'a> {
    pub(super) world: &'a World<'a>,
    pub(super) all: Vec<Stub>,
    ids: Lookup<StubKey, StubId>,
    /// For [`super::TestCluster::opened`].
    pub(super) opened: BTreeSet<ClassName>,
}

impl<'a> Stubs<'a> {
    /// None yet.
    pub(super) fn new(world: &'a World<'a>) -> Self {
        Self { world, all: Vec::new(), ids: Lookup::default(), opened: BTreeSet::new() }
    }

    /// Constructors of the abstract goal classes as test calls: only below a stub (or a subclass) do they run.
    pub(super) fn stub_calls_of(
        &mut self,
        members: &mut Members<'_>,
        class: &Arc<ClassInfo>,
    ) -> Vec<(Arc<str>, StubId)> {
        if class.is_interface() || !self.world.may_implement(class) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for owner in self.world.instantiations_of(class, self.world.options.instantiations) {
            for stub in self.stubs_of(members, class, &owner, (Room::Free, false)) {
                let constructor = self.all[stub.index()].constructor();
                if let Some(constructor) = constructor {
                    found.push((members.callables[constructor.index()].descriptor.clone(), stub));
                }
            }
        }
        found
    }

    /// The ways to implement a parameterization: one per constructor, one for an interface. `is_made` says that something
    /// else makes objects of the type.
    pub(super) fn stubs_of(
        &mut self,
        members: &mut Members<'_>,
        class: &Arc<ClassInfo>,
        of: &ClassType,
        (room, is_made): (Room, bool),
    ) -> Vec<StubId> {
        let Ok(GenericType::Class(of)) = normalized(self.world.hierarchy, &GenericType::Class(of.clone()))
        else {
            return Vec::new();
        };
        if !self.world.access.class_type(&of) || members.is_beyond(&GenericType::Class(of.clone()), room) {
            return Vec::new();
        }
        let Some((methods, silent)) = self.methods_left(members, class, &of, (room, is_made)) else {
            return Vec::new();
        };
        if methods.is_empty()
            && silent.is_empty()
            && class.is_interface()
            && !self.world.is_project(&class.name)
        {
            return Vec::new(); // an object without a method says nothing of what has it: `Serializable`
        }
        let owner = members.intern(&GenericType::Class(of.clone()));
        if class.is_interface() {
            return vec![self.push(owner, StubKind::Interface, class, (methods, silent))];
        }
        let is_goal = self.world.goals.contains(&class.name);
        let limit = match (is_goal, self.world.is_project(&class.name)) {
            (true, _) => self.world.options.max_generators,
            (false, true) => MAX_CONSTRUCTORS,
            (false, false) => 1,
        };
        let usable = |method: &&MethodInfo| {
            method.is_constructor()
                && method.generic.type_parameters.is_empty()
                && self.world.may_run(class, method.access)
                && !denied::is_denied(class, method, &self.world.lineage)
                && (is_goal || method.deprecated.is_none())
        };
        let constructors: Vec<MethodInfo> =
            class.methods.iter().filter(usable).take(limit).cloned().collect();
        let mut found = Vec::new();
        for constructor in &constructors {
            if let Ok(id) = members.callable(class, constructor, &of, &Substitution::new(), room) {
                let kind = StubKind::Extension(id);
                found.push(self.push(owner, kind, class, (methods.clone(), silent.clone())));
            }
        }
        found
    }

    pub(super) fn push(
        &mut self,
        of: TypeId,
        kind: StubKind,
        class: &ClassInfo,
        (methods, silent): Abstracts,
    ) -> StubId {
        let next = StubId::from(self.all.len());
        let id = *self.ids.entry((of, kind)).or_insert(next);
        if id == next {
            // No lambda has type parameters (Java language specification §15.27.3).
            let only = silent.is_empty() && matches!(methods.as_slice(), [only] if !only.is_erased);
            let is_functional = class.is_interface() && only;
            let calls_default = !is_functional && kind != StubKind::Mock && self.calls_default(class);
            self.all.push(Stub { of, kind, is_functional, methods, silent, calls_default });
        }
        id
    }

    /// Whether the code under test calls a method that a class inherits from an interface with its body.
    fn calls_default(&mut self, class: &ClassInfo) -> bool {
        let world = self.world;
        let supertypes = world.lineage.supertypes(&class.name);
        let classes = std::iter::once(class.name.clone()).chain(supertypes.iter().cloned());
        let interfaces = classes.filter_map(|name| world.class(&name)).filter(|info| info.is_interface());
        let defaults: Vec<(Arc<str>, Arc<str>)> = interfaces
            .flat_map(|info| {
                let is_default = |method: &&MethodInfo| {
                    let access = method.access;
                    !access.is_abstract()
                        && !access.is_static()
                        && !access.is_private()
                        && !access.is_synthetic()
                };
                let defaults = info.methods.iter().filter(is_default);
                defaults.map(|method| (method.name.clone(), method.descriptor.clone())).collect::<Vec<_>>()
            })
            .collect();
        if defaults.is_empty() {
            return false;
        }
        let called = &world.uses().called;
        defaults.iter().any(|method| called.contains_key(method))
    }

    /// The abstract methods of a class, as a subclass of this parameterization of it sees them; `None` when a test
    /// cannot implement one.
    fn methods_left(
        &mut self,
        members: &mut Members<'_>,
        class: &Arc<ClassInfo>,
        of: &ClassType,
        (room, is_made): (Room, bool),
    ) -> Option<Abstracts> {
        let limit = if self.world.goals.contains(&class.name) { MAX_METHODS_OF_GOAL } else { MAX_METHODS };
        let all: Vec<Vec<Declaration>> = self.world.all_declared(class, of)?.into_values().collect();
        let left =
            all.iter().filter_map(|all| Some((self.world.left_to_implement(all)?.clone(), all.as_slice())));
        let mut left: Vec<(Declaration, &[Declaration])> = left.collect();
        let name = |(one, _): &(Declaration, _)| (one.method().name.clone(), one.method().descriptor.clone());
        left.sort_by_cached_key(name);
        let is_large = !self.world.is_project(&class.name) && left.len() > MAX_METHODS_OF_PLATFORM;
        let is_left = is_large && !denied::is_denied_field(&class.name) && is_made;
        if is_left || left.len() > MAX_ABSTRACT {
            return None;
        }
        if left.len() <= limit && !is_large {
            let methods = left.iter().map(|(chosen, all)| members.stub_method(chosen, all, room));
            if let Some(methods) = methods.collect() {
                return Some((methods, Vec::new()));
            }
        }
        let scripted = scripted(&left, self.called_first(&left), limit);
        let (mut methods, mut silent) = (Vec::new(), Vec::new());
        for (index, (chosen, all)) in left.iter().enumerate() {
            let script =
                if scripted.contains(&index) { members.stub_method(chosen, all, room) } else { None };
            match script {
                Some(method) => methods.push(method),
                None => silent.push(self.world.silent_method(chosen, all)?),
            }
        }
        Some((methods, silent))
    }

    /// Of abstract methods those that the code under test calls, the most direct calls first.
    pub(super) fn called_first(&mut self, left: &[(Declaration, &[Declaration])]) -> Vec<usize> {
        let called = &self.world.uses().called;
        let rank = |(chosen, all): &(Declaration, &[Declaration])| {
            let descriptors = all.iter().map(|one| one.method().descriptor.clone());
            descriptors.filter_map(|of| called.get(&(chosen.method().name.clone(), of)).copied()).min()
        };
        let ranks = left.iter().enumerate().filter_map(|(index, method)| Some((rank(method)?, index)));
        let mut ranks: Vec<(usize, usize)> = ranks.collect();
        ranks.sort_unstable();
        ranks.into_iter().map(|(_, index)| index).collect()
    }
}

/// The first of these methods, by their index: at most `limit` of those that give something, and [`MAX_COMMANDS`] others, of which nothing
/// has to be said.
pub(super) fn scripted(
    all: &[(Declaration, &[Declaration])],
    methods: impl IntoIterator<Item = usize>,
    limit: usize,
) -> Vec<usize> {
    let (mut answers, mut commands) = (limit, MAX_COMMANDS);
    let has_room = |index: &usize| {
        let room = if all[*index].0.result.is_some() { &mut answers } else { &mut commands };
        let has_room = *room > 0;
        *room = room.saturating_sub(1);
        has_room
    };
    methods.into_iter().filter(has_room).collect()
}

impl Builder<'_> {
    /// Stubs as generators of a type, the last ones in its list: whoever draws knows that they come behind what is
    /// there.
    pub(super) fn by_stubs(&mut self, wanted: &Wanted, class: &Arc<ClassInfo>) {
        if !self.world.may_implement(class) {
            return;
        }
        let this = self.world.this_type(class);
        let Some(substitution) = self.world.inferred(wanted, class, &GenericType::Class(this.clone())) else {
            return;
        };
        let of = this.substitute(&substitution);
        let target = GenericType::Class(wanted.class.clone());
        if self.world.lineage.is_subtype(&GenericType::Class(of.clone()), &target) {
            let is_made = self.is_made(wanted);
            for stub in self.stubs.stubs_of(&mut self.members, class, &of, (wanted.room, is_made)) {
                self.belongings.push_generator(wanted.ty, Generator::Stub(stub));
                self.want_inputs_of_stub(stub, wanted.depth + 1);
            }
        }
    }

    /// Whether something makes objects of a type that does not only wrap others of the kind, as the class under test may do itself.
    fn is_made(&self, wanted: &Wanted) -> bool {
        self.belongings.generators_of(wanted.ty).iter().any(|way| match way {
            Generator::Callable(id) => {
                let parameters = self.members.callables[id.index()].parameters.iter();
                let mut classes = parameters.filter_map(|parameter| self.members.types.class(parameter.of));
                !classes.any(|class| self.world.is_of_kind(&class.name, &wanted.class.name))
            }
            Generator::Of(of) => {
                let class = self.members.types.class(*of).and_then(|class| self.world.class(&class.name));
                !class.is_some_and(|class| self.world.wraps(&class, &wanted.class.name))
            }
            Generator::Field(_) | Generator::Stub(_) => true,
        })
    }

    /// Queues what a stub takes and gives.
    pub(super) fn want_inputs_of_stub(&mut self, stub: StubId, depth: usize) {
        let stub = self.stubs.all[stub.index()].clone();
        self.needs.know(stub.of, depth);
        if let Some(constructor) = stub.constructor() {
            self.want_inputs_of(Call::Callable(constructor), depth);
        }
        for method in stub.methods {
            let called =
                method.callbacks.iter().map(|callback| &self.members.callables[callback.callable.index()]);
            let passed = called.flat_map(|called| called.parameters.iter().map(|parameter| parameter.of));
            let given = method.result.into_iter().chain(method.narrowed).chain(method.throws);
            for of in given.chain(passed.collect::<Vec<_>>()) {
                self.needs.want(of, depth);
            }
        }
    }
}

impl Members<'_> {
    pub(super) fn stub_method(
        &mut self,
        chosen: &Declaration,
        all: &[Declaration],
        room: Room,
    ) -> Option<StubMethod> {
        let (declared_in, method) = (&chosen.declared_in, chosen.method());
        if !self.world.may_run(declared_in, method.access) || !is_identifier(&method.name) {
            return None;
        }
        let of_types = chosen.parameters.iter().chain(&chosen.result);
        let mut types = Vec::new();
        for of in of_types {
            let normal = normalized(self.world.hierarchy, of).ok()?;
            if !self.world.access.generic(&normal) || self.is_beyond(&normal, room) {
                return None;
            }
            types.push(self.intern(&normal));
        }
        let result = if chosen.result.is_some() { types.pop() } else { None };
        let parameters = types.into_iter().enumerate().map(|(index, of)| {
            let name = method.parameter_names.get(index).filter(|name| is_identifier(name)).cloned();
            Parameter { name, ..Parameter::new(of) }
        });
        let parameters: Vec<Parameter> = parameters.collect();
        // What all declarations allow.
        let lineage = &self.world.lineage;
        let allowed = |exception: &&ClassName| {
            all.iter().all(|declaration| {
                declaration.exceptions.iter().any(|declared| lineage.is_subclass(exception, declared))
            })
        };
        let exceptions: Vec<ClassName> = chosen.exceptions.iter().filter(allowed).cloned().collect();
        let narrowed = result.map(|result| self.narrowed_results(result, all, room));
        Some(StubMethod {
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
            bridges: bridges(method, all),
            access: method.access,
            callbacks: self.callbacks(&parameters, result, room),
            parameters,
            result,
            narrowed: narrowed.unwrap_or_default(),
            throws: self.throws(&exceptions),
            exceptions,
            is_erased: chosen.is_erased,
            has_body: false,
        })
    }

    /// The types below that of a result to which the code under test casts what a method gives, however it is declared.
    fn narrowed_results(&mut self, result: TypeId, all: &[Declaration], room: Room) -> Vec<TypeId> {
        let world = self.world;
        let is_called = |of: &&NarrowedResult| {
            all.iter().any(|one| {
                let method = one.method();
                *of.name == *method.name && *of.descriptor == *method.descriptor
            })
        };
        self.narrowed(result, world.uses().narrowed.iter().filter(is_called).map(|found| &found.of), room)
    }

    /// Those of the types that are below another one, as types that can be made.
    pub(super) fn narrowed<'t>(
        &mut self,
        target: TypeId,
        types: impl Iterator<Item = &'t ErasedType>,
        room: Room,
    ) -> Vec<TypeId> {
        let world = self.world;
        let target = self.types.get(target).generic.clone();
        let mut narrowed = Vec::new();
        for of in types {
            let Some(of) = world.any_of(of).and_then(|of| world.normal(&of)) else { continue };
            let is_below = of != target && world.lineage.is_subtype(&of, &target);
            if is_below && world.access.generic(&of) && !self.is_beyond(&of, room) {
                narrowed.push(self.intern(&of));
            }
            if narrowed.len() == MAX_NARROWED {
                break;
            }
        }
        narrowed.sort_unstable();
        narrowed.dedup();
        narrowed
    }

    /// Whether a type nests too deep, or is new where there is no room for new ones.
    fn is_beyond(&self, of: &GenericType, room: Room) -> bool {
        nesting(of) > self.world.options.max_type_nesting
            || room == Room::Closed && self.types.id(of).is_none()
    }

    /// What a method may be scripted to throw: what it declares, what the code under test looks for, and
    /// `RuntimeException` as the stand-in for all others.
    fn throws(&mut self, declared: &[ClassName]) -> Vec<TypeId> {
        let unchecked = ["java/lang/RuntimeException", "java/lang/Error"].map(ClassName::from);
        let lineage = &self.world.lineage;
        let throwable = ClassName::from("java/lang/Throwable");
        let may = |name: &ClassName| {
            lineage.is_subclass(name, &throwable)
                && declared.iter().chain(&unchecked).any(|sup| lineage.is_subclass(name, sup))
        };
        let caught = self.world.referenced_classes().into_iter().filter(may).take(MAX_CAUGHT);
        let names: Vec<ClassName> =
            declared.iter().cloned().chain([unchecked[0].clone()]).chain(caught).collect();
        let mut found = Vec::new();
        for name in names.iter().filter(|name| self.world.access.class(name)) {
            let of = self.intern(&GenericType::class(name.clone()));
            if !found.contains(&of) {
                found.push(of);
            }
        }
        found
    }
}

impl World<'_> {
    /// Whether a test may declare an anonymous class of this one (Java language specification §15.9.1), its methods
    /// and constructors apart.
    fn may_implement(&self, class: &ClassInfo) -> bool {
        let open = match class.kind {
            ClassKind::Interface => true,
            ClassKind::Class => class.access.is_abstract(),
            ClassKind::Enum | ClassKind::Record | ClassKind::Annotation => false,
        };
        open && class.permitted.is_empty() && self.access.class(&class.name) && self.is_loadable(&class.name)
    }

    /// Whether an anonymous class in the package of the tests may call a constructor with these flags, or implement a
    /// method: what is protected as well (Java language specification §6.6.2.2).
    pub(super) fn may_run(&self, declared_in: &ClassInfo, access: Access) -> bool {
        let visible = access.is_public()
            || access.is_protected()
            || !access.is_private() && self.access.is_in_package(&declared_in.name);
        visible && !access.is_synthetic()
    }

    /// Whether objects of one class may stand for those of another, or the other way round.
    fn is_of_kind(&self, class: &ClassName, other: &ClassName) -> bool {
        let is_below = |sub: &ClassName, sup: &ClassName| self.lineage.is_subclass(sub, sup);
        *class != ClassName::object() && (is_below(class, other) || is_below(other, class))
    }

    /// Whether every constructor of a class takes an object of this kind.
    fn wraps(&self, class: &ClassInfo, kind: &ClassName) -> bool {
        let takes_one = |method: &MethodInfo| {
            method
                .erased
                .parameters
                .iter()
                .any(|of| matches!(of, ErasedType::Class(of) if self.is_of_kind(of, kind)))
        };
        class.methods.iter().any(MethodInfo::is_constructor)
            && class.methods.iter().filter(|method| method.is_constructor()).all(takes_one)
    }

    /// All instance methods that a class declares or inherits, by signature; those of superclasses first, nearest
    /// first. `None` when a type cannot be told.
    pub(super) fn all_declared(
        &self,
        class: &ClassInfo,
        of: &ClassType,
    ) -> Option<BTreeMap<Signature, Vec<Declaration>>> {
        let mut found: BTreeMap<Signature, Vec<Declaration>> = BTreeMap::new();
        let own = (!class.is_interface()).then(|| class.name.clone());
        let chain = own.into_iter().chain(self.hierarchy.superclasses(&class.name));
        let supertypes = self.lineage.supertypes(&class.name);
        let infos: Vec<Arc<ClassInfo>> =
            chain.chain(supertypes.iter().cloned()).filter_map(|name| self.class(&name)).collect();
        let classes = infos.iter().take_while(|info| !info.is_interface());
        let interfaces = infos.iter().filter(|info| info.is_interface());
        let object = ClassName::object();
        for info in classes.chain(interfaces) {
            let sup = if info.name == object {
                ClassType::new(object.clone())
            } else {
                self.hierarchy.as_super(of, &info.name)?
            };
            let scope = self.scope(&sup);
            let outer = scope.substitution(&Substitution::new());
            for (index, method) in info.methods.iter().enumerate() {
                let is_instance = !method.is_constructor() && !method.is_class_initializer();
                let hidden = method.access.is_private() || method.access.is_synthetic();
                // `clone` of an interface is no override of that of `Object` (Java language specification §9.2).
                let is_member = !class.is_interface() || info.is_interface() || method.access.is_public();
                if is_instance && !method.access.is_static() && !hidden && is_member {
                    let declaration = declared(info, index, &scope, &outer);
                    let erased = declaration.parameters.iter();
                    let parameters = erased.map(|of| of.erase(&method.generic.type_parameters)).collect();
                    let known = found.entry((method.name.clone(), parameters)).or_default();
                    if known.iter().all(|known| known.declared_in.name != info.name) {
                        known.push(declaration);
                    }
                }
            }
        }
        Some(found)
    }

    /// The declaration that a subclass has to implement; `None` when the method has a body.
    pub(super) fn left_to_implement<'d>(&self, declarations: &'d [Declaration]) -> Option<&'d Declaration> {
        let nearest = declarations.iter().find(|declaration| !declaration.declared_in.is_interface());
        if nearest.is_some_and(|nearest| !nearest.is_abstract()) {
            return None;
        }
        let left = self.not_overridden(declarations);
        if nearest.is_none() && left.iter().all(|one| !one.is_abstract()) {
            return None;
        }
        self.narrowest(&left).or(nearest).or(left.first().copied())
    }

    /// Of the declarations of interfaces the one that tells most of the result.
    pub(super) fn most_specific<'d>(&self, declarations: &'d [Declaration]) -> Option<&'d Declaration> {
        let left = self.not_overridden(declarations);
        self.narrowest(&left).or(left.first().copied())
    }

    /// The declarations that no other one overrides.
    fn not_overridden<'d>(&self, declarations: &'d [Declaration]) -> Vec<&'d Declaration> {
        let overridden = |one: &Declaration| {
            declarations.iter().any(|other| {
                other.declared_in.name != one.declared_in.name
                    && self.lineage.is_subclass(&other.declared_in.name, &one.declared_in.name)
            })
        };
        declarations.iter().filter(|one| !overridden(one)).collect()
    }

    /// Of several declarations the one whose result fits all others.
    fn narrowest<'d>(&self, left: &[&'d Declaration]) -> Option<&'d Declaration> {
        let lineage = &self.lineage;
        let fits = |one: &GenericType, other: &GenericType| one == other || lineage.is_subtype(one, other);
        left.iter().copied().find(|one| {
            left.iter().all(|other| match (&one.result, &other.result) {
                (Some(one), Some(other)) => fits(one, other),
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            })
        })
    }

    /// A method that no script speaks for; `None` where a test cannot write it.
    fn silent_method(&self, chosen: &Declaration, all: &[Declaration]) -> Option<SilentMethod> {
        let (declared_in, method) = (&chosen.declared_in, chosen.method());
        if !self.may_run(declared_in, method.access) || !is_identifier(&method.name) {
            return None;
        }
        let named = |of: &GenericType| {
            let normal = normalized(self.hierarchy, of).ok()?;
            self.access.generic(&normal).then_some(normal)
        };
        let result = match &chosen.result {
            Some(result) => Some(named(result)?),
            None => None,
        };
        Some(SilentMethod {
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
            bridges: bridges(method, all),
            access: method.access,
            parameters: chosen.parameters.iter().map(named).collect::<Option<_>>()?,
            result,
            is_erased: chosen.is_erased,
        })
    }
}

/// A method with the types that its class's variables stand for, which are `outer`.
fn declared(declared_in: &Arc<ClassInfo>, index: usize, scope: &Scope, outer: &Substitution) -> Declaration {
    let method = &declared_in.methods[index];
    let (parameters, result, exceptions) = match scope {
        Scope::Raw => (
            method.erased.parameters.iter().map(GenericType::from).collect(),
            method.erased.result.as_ref().map(GenericType::from),
            method.exceptions.clone(),
        ),
        Scope::Of(_) => {
            let own = &method.generic.type_parameters;
            let erased = own.iter().map(|of| (of.name.clone(), erased_variable(of, own, outer)));
            let erased: Substitution = erased.collect();
            let with_own = (!own.is_empty()).then(|| scope.substitution(&erased));
            let within = with_own.as_ref().unwrap_or(outer);
            let concrete = |of: &GenericType| {
                let concrete = of.substitute(within);
                if own.is_empty() { concrete } else { raw(&concrete) }
            };
            let thrown = method.generic.exceptions.iter();
            let thrown = thrown.filter_map(|of| match of.substitute(within) {
                GenericType::Class(class) => Some(class.name),
                GenericType::Primitive(_) | GenericType::Array(_) | GenericType::Variable(_) => None,
            });
            let exceptions = if method.generic.exceptions.is_empty() {
                method.exceptions.clone()
            } else {
                thrown.collect()
            };
            (
                method.generic.parameters.iter().map(concrete).collect(),
                method.generic.result.as_ref().map(concrete),
                exceptions,
            )
        }
    };
    let is_erased = matches!(scope, Scope::Of(_)) && !method.generic.type_parameters.is_empty();
    Declaration { declared_in: declared_in.clone(), index, parameters, result, exceptions, is_erased }
}

/// The erasure of a type variable of a method (Java language specification §4.6) within what the variables of its class
/// stand for.
fn erased_variable(variable: &TypeParameter, all: &[TypeParameter], outer: &Substitution) -> GenericType {
    let bound = variable.bounds.first().map_or_else(GenericType::object, |of| of.substitute(outer));
    match bound {
        GenericType::Variable(_) => GenericType::from(&bound.erase(all)),
        GenericType::Class(_) | GenericType::Array(_) | GenericType::Primitive(_) => raw(&bound),
    }
}

/// The other descriptors that supertypes declare a method with, each once.
pub(super) fn bridges(method: &MethodInfo, all: &[Declaration]) -> Vec<Arc<str>> {
    let descriptors = all.iter().map(|declaration| declaration.method().descriptor.clone());
    let mut found: Vec<Arc<str>> = descriptors.filter(|of| *of != method.descriptor).collect();
    found.sort();
    found.dedup();
    found
}
