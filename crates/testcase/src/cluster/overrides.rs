//! Subclasses of the collaborators' classes that override what the code under test calls of them: what a test without Mockito writes in
//! the place of a mock, where an object that is easily made does nothing useful (a client that is not connected, whose getters
//! give `null`).
//!
//! Only methods that the code under test calls itself are overridden, and of these only where a script says what they do; all others run as
//! they are. A class that only holds values needs no such subclass: its objects are given others.
//!
//! Of the classes with goals, one method is overridden, with and without Mockito: the one by which `equals` asks another object
//! whether it lets itself be compared ([`CAN_EQUAL`]), and which says no in a subclass only.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytecode::class_info::{ClassInfo, ClassKind, MethodInfo};
use bytecode::name::ClassName;
use bytecode::signature::Substitution;

use super::build::{Builder, Mockable};
use super::members::{Members, Room};
use super::mocks::{fills, has_finalizer, is_identity, is_left_to_object};
use super::producers::Wanted;
use super::stubs::{Declaration, Stubs};
use super::world::World;
use super::{Generator, StubId, StubKind, StubMethod, TypeId, denied};

/// Most methods of a class that are overridden.
const MAX_OVERRIDDEN: usize = 12;

/// The method of a class by which the `equals` of another object asks whether it may equal this one (Odersky, Spoon and Venners,
/// "How to Write an Equality Method in Java", 2009), as Lombok and `scalac` write it too.
const CAN_EQUAL: (&str, &str) = ("canEqual", "(Ljava/lang/Object;)Z");

impl Builder<'_> {
    /// Subclasses as generators, the last ones in the list of their type. Where there is Mockito, a mock stands for a collaborator.
    pub(super) fn make_overriding(&mut self) {
        let made: Vec<TypeId> = self.needs.made.iter().copied().collect();
        for ty in made {
            self.by_overriding(ty);
        }
        self.drain();
    }

    fn by_overriding(&mut self, ty: TypeId) {
        let Some((info, wanted)) = self.double_of(ty, |info| self.world.may_override(info)) else { return };
        if let Some(stub) = self.stubs.overriding(&mut self.members, &info, &wanted) {
            self.belongings.push_generator(ty, Generator::Stub(stub));
            self.want_inputs_of_stub(stub, wanted.depth + 1);
        }
    }
}

impl Stubs<'_> {
    /// The subclass of a class that overrides what the code under test calls; the constructor that takes least runs.
    fn overriding(
        &mut self,
        members: &mut Members<'_>,
        class: &Arc<ClassInfo>,
        wanted: &Wanted,
    ) -> Option<StubId> {
        let (of, all) = self.world.all_of_normal(class, &wanted.class)?;
        let methods = self.overridden(members, class, &all, wanted.room);
        if !methods.iter().any(|method| self.world.is_worth_it(members, method)) {
            return None;
        }
        let usable = |method: &&MethodInfo| {
            method.is_constructor()
                && method.generic.type_parameters.is_empty()
                && method.deprecated.is_none()
                && self.world.may_run(class, method.access)
                && !denied::is_denied(class, method, &self.world.lineage)
        };
        let constructors = class.methods.iter().filter(usable);
        let constructor = constructors.min_by_key(|constructor| constructor.erased.parameters.len()).cloned();
        let made = constructor.map(|it| members.callable(class, &it, &of, &Substitution::new(), wanted.room));
        let Some(Ok(id)) = made else { return None };
        Some(self.push(wanted.ty, StubKind::Extension(id), class, (methods, Vec::new())))
    }

    /// The methods of a class that the code under test calls itself, and that a test may override, sorted by name and descriptor.
    fn overridden(
        &mut self,
        members: &mut Members<'_>,
        class: &Arc<ClassInfo>,
        all: &[Vec<Declaration>],
        room: Room,
    ) -> Vec<StubMethod> {
        if all.iter().any(|all| has_finalizer(all)) {
            return Vec::new();
        }
        let mut called: BTreeSet<(&str, &str)> = self.world.called_of(class).collect();
        if self.world.goals.contains(&class.name) {
            called.retain(|method| *method == CAN_EQUAL);
        }
        let is_open = |all: &&Vec<Declaration>| {
            let Some(nearest) = all.first() else { return false };
            let method = nearest.method();
            let is_called =
                |one: &Declaration| called.contains(&(&*one.method().name, &*one.method().descriptor));
            all.iter().any(is_called)
                && !nearest.declared_in.is_interface()
                && !nearest.is_erased
                && !method.access.is_final()
                && method.deprecated.is_none()
                && !is_left_to_object(class, all)
                && !is_identity(all)
        };
        let mut open: Vec<(Declaration, &[Declaration])> = all
            .iter()
            .filter(is_open)
            .filter_map(|all| Some((all.first()?.clone(), all.as_slice())))
            .collect();
        open.sort_by_cached_key(|(one, _)| (one.method().name.clone(), one.method().descriptor.clone()));
        let methods = open.iter().take(MAX_OVERRIDDEN).filter_map(|(chosen, all)| {
            let method = members.stub_method(chosen, all, room)?;
            Some(StubMethod { has_body: true, ..method })
        });
        methods.collect()
    }
}

impl World<'_> {
    /// Whether a test extends a class that is not abstract for what the code under test calls of it.
    fn may_override(&self, class: &ClassInfo) -> bool {
        let is_asked = if self.goals.contains(&class.name) {
            class.methods.iter().any(|method| (&*method.name, &*method.descriptor) == CAN_EQUAL)
        } else {
            self.options.mockable == Mockable::Nothing
        };
        is_asked && !class.access.is_abstract() && !class.access.is_final() && self.may_be_extended(class)
    }

    /// Names and descriptors of the methods that the code under test calls itself on objects of a class, or of a class above or below it. Methods
    /// that it calls by way of an interface are left out, since a test implements that interface.
    fn called_of(&self, class: &ClassInfo) -> impl Iterator<Item = (&str, &str)> {
        let is_related = |owner: &str| {
            let owner = ClassName::from(owner);
            let is_near = self.lineage.is_subclass(&class.name, &owner)
                || self.lineage.is_subclass(&owner, &class.name);
            is_near && self.class(&owner).is_some_and(|owner| !owner.is_interface())
        };
        let called = self.uses().called_directly.iter().filter(move |(owner, ..)| is_related(owner));
        called.map(|(_, name, descriptor)| (&**name, &**descriptor))
    }

    /// Whether a method does more than give back a value that its object holds: it gives another object of the class path, takes an argument,
    /// or is called for what it does. Methods that only fill the object do not count.
    fn is_worth_it(&self, members: &Members<'_>, method: &StubMethod) -> bool {
        let gives_collaborator = method.result.and_then(|of| members.types.class(of)).is_some_and(|class| {
            self.is_project(&class.name)
                && self.class(&class.name).is_some_and(|info| match info.kind {
                    ClassKind::Class | ClassKind::Interface => true,
                    ClassKind::Enum | ClassKind::Record | ClassKind::Annotation => false,
                })
        });
        gives_collaborator || !fills(&method.name) && (method.is_command() || !method.parameters.is_empty())
    }
}
