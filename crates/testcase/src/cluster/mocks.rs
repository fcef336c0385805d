//! Objects of classes whose constructor does not run: what Mockito makes of a connection, a session, a service.
//!
//! A real object says more in a test, so a class has a mock besides only where it takes more than a few statements to make one without
//! `null` and without stubs, or where making one asks the world outside. Of a service, which the code has do something, very few
//! statements are enough: what it does is another test's matter. What a container hands to the object under test is one, whatever it takes to
//! make it.
//!
//! All methods of a mock answer for it, those that the class inherits included (Java language specification §8.4.8). Those that the
//! code under test calls have a script, see [`super::uses`].

use std::collections::BTreeSet;
use std::sync::Arc;

use bytecode::class_info::{ClassInfo, ClassKind, MethodInfo};
use bytecode::name::ClassName;
use bytecode::signature::{ClassType, GenericType};

use super::build::{Builder, Mockable};
use super::cost::{self, Parts};
use super::members::{Members, Room};
use super::producers::Wanted;
use super::stubs::{Abstracts, Declaration, MAX_METHODS, Stubs, bridges, scripted};
use super::types::normalized;
use super::uses::Member;
use super::world::World;
use super::{Generator, SilentMethod, StubId, StubKind, StubMethod, TypeId};

/// A class needs no mock if an object of it is made, without `null` and without stubs, in so many statements at most: a service.
const FEW_OF_SERVICE: u32 = 2;
/// The same of a class that the code only fills and asks.
const FEW: u32 = 7;

/// How names of methods begin that only fill their object.
const FILLING: [&str; 5] = ["add", "append", "put", "set", "with"];

/// Classes that ask the world outside, by how their names begin: those that no sandbox lets a test use. Tests themselves stay away
/// from many more ([`super::denied`]), which code may use all the same.
const OUTSIDE: [&str; 8] = [
    "java/net/DatagramSocket",
    "java/net/InetAddress",
    "java/net/NetworkInterface",
    "java/net/ServerSocket",
    "java/net/Socket",
    "java/nio/channels/",
    "java/sql/DriverManager",
    "javax/naming/",
];

/// Calls between a constructor and the world outside that are looked through.
const STEPS_OUTSIDE: usize = 2;

/// Rounds in which mocks are made: what a mock gives may be one.
const ROUNDS: usize = 2;

/// What a mock answers in its own way, whatever it is told.
const OF_IDENTITY: [&str; 3] = ["equals", "hashCode", "toString"];

impl Builder<'_> {
    /// Mocks as generators, the last ones in the list of their type.
    pub(super) fn make_mocks(&mut self) {
        if self.world.options.mockable == Mockable::Nothing {
            return;
        }
        self.find_handed_in();
        let mut seen: BTreeSet<TypeId> = BTreeSet::new();
        for _ in 0..ROUNDS {
            let costs = cost::costs_without_null(Parts { stubs: &[], ..self.parts() });
            let made = self.needs.made.iter().copied();
            let made: Vec<TypeId> = made.filter(|ty| seen.insert(*ty)).collect();
            for ty in made {
                let cost = costs.get(ty.index()).copied().unwrap_or_default();
                self.by_mock(ty, cost);
            }
            self.drain();
        }
    }

    /// A mock of a type, real objects of which take so many statements.
    fn by_mock(&mut self, ty: TypeId, cost: u32) {
        let Some((info, wanted)) = self.double_of(ty, |info| self.world.may_mock(info)) else { return };
        let is_wanted = cost > FEW || self.injected.is_handed_in(ty) || self.world.is_worldly(&info);
        if cost <= FEW_OF_SERVICE && !is_wanted {
            return;
        }
        let found = self.stubs.methods_of_mock(&mut self.members, &info, &wanted.class, wanted.room);
        let Some((methods, opened)) = found else { return };
        // Where nobody calls it, any other object will do.
        let is_made = !self.belongings.generators_of(ty).is_empty();
        if is_made && methods.0.is_empty() || !is_wanted && !methods.0.iter().any(does_something) {
            return;
        }
        self.stubs.opened.extend(opened);
        let stub = self.stubs.push(ty, StubKind::Mock, &info, methods);
        if self.injected.is_handed_in(ty) {
            // A test that may mock a collaborator does not write a subclass of it.
            let all = &self.stubs.all;
            let is_subclass = |stub: StubId| matches!(all[stub.index()].kind, StubKind::Extension(_));
            let is_kept = |way: &Generator| !matches!(way, Generator::Stub(stub) if is_subclass(*stub));
            self.belongings.retain_generators(ty, is_kept);
        }
        self.belongings.push_generator(ty, Generator::Stub(stub));
        self.want_inputs_of_stub(stub, wanted.depth + 1);
    }

    /// The class of a type and what is wanted of it, if it may have something that stands for its objects in a test.
    pub(super) fn double_of(
        &self,
        ty: TypeId,
        may: impl Fn(&ClassInfo) -> bool,
    ) -> Option<(Arc<ClassInfo>, Wanted)> {
        let class = self.members.types.class(ty)?.clone();
        let info = self.world.class(&class.name).filter(|info| may(info))?;
        let (depth, room) =
            (self.world.options.modifier_depth, self.members.room(1, self.world.options.max_depth));
        Some((info, Wanted { ty, class, depth, room }))
    }
}

impl Stubs<'_> {
    /// The methods of a mock, and the classes in which final ones of them are declared, or which are final themselves; `None` where no
    /// class can be made that answers for all that the code under test calls.
    fn methods_of_mock(
        &mut self,
        members: &mut Members<'_>,
        class: &Arc<ClassInfo>,
        of: &ClassType,
        room: Room,
    ) -> Option<(Abstracts, BTreeSet<ClassName>)> {
        let (_, mut all) = self.world.all_of_normal(class, of)?;
        let is_fixed = |of: &Declaration| of.method().access.is_final();
        if all.iter().any(|all| is_identity(all) && all.first().is_some_and(is_fixed)) {
            return None; // nothing answers for it in its own way
        }
        all.retain(|all| !is_left_to_object(class, all));
        let mut chosen: Vec<(Declaration, &[Declaration])> =
            all.iter().filter_map(|all| Some((self.world.answering(all)?.clone(), all.as_slice()))).collect();
        chosen.sort_by_cached_key(|(one, _)| (one.method().name.clone(), one.method().descriptor.clone()));
        let called = self.called_first(&chosen);
        let is_closed =
            |of: &Declaration| of.method().access.is_final() && !self.world.may_open(&of.declared_in);
        // The body of one that is called would run on an object that nobody constructed.
        if called.iter().any(|&index| is_closed(&chosen[index].0)) || all.iter().any(|all| has_finalizer(all))
        {
            return None;
        }
        let is_told = |index: &usize| self.world.can_be_told(&chosen[*index].0);
        let scripted = scripted(&chosen, called.iter().copied().filter(is_told), MAX_METHODS);
        let (mut methods, mut silent) = (Vec::new(), Vec::new());
        let mut opened: BTreeSet<ClassName> = BTreeSet::new();
        opened.extend(class.access.is_final().then(|| class.name.clone()));
        for (index, (chosen, all)) in chosen.iter().enumerate() {
            if is_closed(chosen) {
                continue;
            }
            let is_final = chosen.method().access.is_final();
            opened.extend(is_final.then(|| chosen.declared_in.name.clone()));
            let script =
                if scripted.contains(&index) { members.stub_method(chosen, all, room) } else { None };
            match script {
                Some(method) => methods.push(method),
                None => silent.push(silent_method(chosen, all)),
            }
        }
        Some(((methods, silent), opened))
    }
}

impl World<'_> {
    /// Whether Mockito makes objects of a class that has no goals, which tests may name.
    fn may_mock(&self, class: &ClassInfo) -> bool {
        (!class.access.is_final() || self.may_open(class)) && self.may_have_double(class)
    }

    /// Whether something may stand for the objects of a class in a test, if it is not final: it has no goals, and tests may name it.
    pub(super) fn may_have_double(&self, class: &ClassInfo) -> bool {
        !self.goals.contains(&class.name) && self.may_be_extended(class)
    }

    /// Whether a test may extend a class of the class path, if it is not final.
    pub(super) fn may_be_extended(&self, class: &ClassInfo) -> bool {
        let open = match class.kind {
            ClassKind::Class => class.permitted.is_empty(),
            ClassKind::Interface | ClassKind::Enum | ClassKind::Record | ClassKind::Annotation => false,
        };
        let is_thrown = self.lineage.is_subclass(&class.name, &ClassName::from("java/lang/Throwable"));
        open && !is_thrown
            && self.is_project(&class.name)
            && self.access.class(&class.name)
            && self.is_loadable(&class.name)
    }

    /// A parameterization without wildcards at its top, and all methods of its objects, see [`Self::all_declared`].
    pub(super) fn all_of_normal(
        &self,
        class: &ClassInfo,
        of: &ClassType,
    ) -> Option<(ClassType, Vec<Vec<Declaration>>)> {
        let normal = normalized(self.hierarchy, &GenericType::Class(of.clone())).ok()?;
        let of = normal.as_class()?.clone();
        let all = self.all_declared(class, &of)?.into_values().collect();
        Some((of, all))
    }

    /// Whether making an object asks the world outside for something, which no test may: a constructor does, or a method that it calls.
    fn is_worldly(&self, class: &ClassInfo) -> bool {
        let constructors = class.methods.iter().filter(|method| method.is_constructor());
        let member = |method: &MethodInfo| {
            (class.name.to_string(), method.name.to_string(), method.descriptor.to_string())
        };
        let mut called: Vec<Member> = constructors.map(member).collect();
        for _ in 0..STEPS_OUTSIDE {
            called = self.calls_of(&called).into_iter().collect();
            if called.iter().any(|(owner, ..)| OUTSIDE.iter().any(|outside| owner.starts_with(outside))) {
                return true;
            }
        }
        false
    }

    /// Whether a class may be made such that a mock answers for what is final in it.
    fn may_open(&self, class: &ClassInfo) -> bool {
        self.options.mockable == Mockable::Final
            && self.is_project(&class.name)
            && !self.goals.contains(&class.name)
    }

    /// The declaration of a method that a mock answers for: the nearest in its superclasses, else the most specific one.
    fn answering<'d>(&self, all: &'d [Declaration]) -> Option<&'d Declaration> {
        let nearest = all.iter().find(|one| !one.declared_in.is_interface());
        nearest.or_else(|| self.most_specific(all))
    }

    /// Whether a test can tell a mock what a method answers: it may call it, and there is one way to say which method is meant. Earlier
    /// versions of Mockito match a variable number of arguments each in its own way.
    fn can_be_told(&self, chosen: &Declaration) -> bool {
        let access = chosen.method().access;
        let is_visible =
            access.is_public() || !access.is_private() && self.access.is_in_package(&chosen.declared_in.name);
        is_visible && (!access.is_varargs() || self.options.mockable == Mockable::Final)
    }
}

/// Whether a method of a mock is that of `Object`, or stands for it; or whether a class in the package of `class` cannot
/// override it.
pub(super) fn is_left_to_object(class: &ClassInfo, all: &[Declaration]) -> bool {
    let Some(nearest) = all.first() else { return true };
    let method = nearest.method();
    let is_hidden = !method.access.is_public()
        && !method.access.is_protected()
        && nearest.declared_in.name.package() != class.name.package();
    nearest.declared_in.name == ClassName::object() || is_hidden || is_identity(all)
}

/// Whether a method is called for what it does, and does more than fill its object.
fn does_something(method: &StubMethod) -> bool {
    method.is_command() && !fills(&method.name)
}

/// Whether the name of a method says that it only fills its object.
pub(super) fn fills(name: &str) -> bool {
    FILLING.iter().any(|verb| name.starts_with(verb))
}

/// Whether these are declarations of what a mock answers in its own way, that of `Object` among them.
pub(super) fn is_identity(all: &[Declaration]) -> bool {
    all.iter()
        .any(|one| one.declared_in.name == ClassName::object() && OF_IDENTITY.contains(&&*one.method().name))
}

/// Whether a method is one that the JVM calls on what nobody needs any more: it would run on an object without a state.
pub(super) fn has_finalizer(all: &[Declaration]) -> bool {
    all.iter().any(|one| {
        let method = one.method();
        &*method.name == "finalize"
            && &*method.descriptor == "()V"
            && one.declared_in.name != ClassName::object()
    })
}

/// A method of a mock that no script speaks for. No test names its types.
fn silent_method(chosen: &Declaration, all: &[Declaration]) -> SilentMethod {
    let method = chosen.method();
    SilentMethod {
        name: method.name.clone(),
        descriptor: method.descriptor.clone(),
        bridges: bridges(method, all),
        access: method.access,
        parameters: method.erased.parameters.iter().map(GenericType::from).collect(),
        result: method.erased.result.as_ref().map(GenericType::from),
        is_erased: chosen.is_erased,
    }
}
